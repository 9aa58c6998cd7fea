"""What players type, and what it means: written before the words in use were looked at.

A line reads `situation seat: words => meaning`. Situations: a scene of the first adventure whose
foes are gone, `rats` (they wait on the causeway), and `fight` (two rats next to the one to move, a
third far away, Thorin hurt, and Pell down unless she is the one to move). Of several meanings with
`or` one has to be meant; `+` joins what all has to be. `?` stands for a question back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Utterance:
    """What somebody types, where, in which seat, and what it has to mean."""

    lang: Literal["en", "fr"]
    situation: str
    seat: str
    words: str
    meanings: tuple[str, ...]


def read(lang: Literal["en", "fr"], text: str) -> tuple[Utterance, ...]:
    """Return the utterances of a text, one a line."""
    found = []
    for line in text.strip().splitlines():
        place, _, rest = line.partition(": ")
        situation, seat = place.split()
        words, _, meaning = rest.rpartition(" => ")
        found.append(Utterance(lang, situation, seat, words, tuple(meaning.split(" or "))))
    return tuple(found)


ENGLISH = read(
    "en",
    """
inn thorin: lets ask brenna about the missing kids => talk:brenna
inn pell: i chat up the barkeep => talk:brenna
inn sunniva: hey old timer, whats with the rope? => talk:jory
inn thorin: i want to talk to jory => talk:jory
inn zephrine: ok we head out to the causway => go:causeway
inn thorin: let's leave => go:causeway
inn pell: i look around the room => search or look:scene
inn sunniva: where are we again? => look:scene or look:recap
inn thorin: whats on my character sheet => look:sheet
inn thorin: inventory => look:sheet
inn pell: what can i do here => look:help or look:scene
inn zephrine: i say "gods, this place stinks" => say
inn pell: i whisper to thorin that i dont trust her => whisper:thorin
inn sunniva: skip => pass
inn thorin: i do nothing this turn => pass
inn pell: brb, can we pause? => pause
causeway thorin: go to the mill => go:mill
causeway pell: lets check out that old house on the left => go:sexton
causeway sunniva: head north into the reeds => go:reeds
causeway zephrine: back to the tavern => go:inn
causeway thorin: we should rest a bit and patch up => short_rest
causeway sunniva: make camp for the night => long_rest
causeway pell: wanna see the miller => go:mill
rats thorin: charge! => provoke:rats
rats pell: i try to sneak past them => sneak:rats
rats thorin: kill the rats => provoke:rats
rats sunniva: lets go around quietly => sneak:rats
sexton pell: i search the place for anything useful => deed:read-ledger or search
sexton thorin: where do those footprints lead? follow them => deed:follow-prints
reeds pell: i look for the boat => deed:take-boat or deed:find-boat or search
reeds sunniva: whats that knocking, i go towards it => deed:find-boat or deed:take-boat
crypt thorin: i try to turn the weel with all my strength => deed:turn-wheel
crypt sunniva: i kneel and pray => deed:pray-saint
crypt zephrine: talk to the ghost girl => talk:lowen
crypt pell: yo ghost, whats ur name? => talk:lowen
inn thorin: asdf lkj => ?
fight thorin: i attack the rat => attack
fight thorin: smack rat 2 with my sword => attack:giant-rat-2
fight thorin: i swing at the nearest one => attack
fight thorin: throw my handaxe at the one in the back => attack:giant-rat-3
fight thorin: hit it => attack
fight thorin: i chop it in half with the longsword => attack
fight thorin: second wind => feature:second-wind
fight thorin: i raise my shield and defend => dodge
fight thorin: i run for it => flee
fight thorin: help sunniva => help
fight thorin: shove rat 1 away from me => shove:giant-rat-1
fight thorin: grapple the rat => grapple
fight thorin: end turn => pass
fight thorin: im done => pass
fight pell: i shoot rat 3 with my bow => attack:giant-rat-3
fight pell: stab it with the rapier => attack
fight pell: i hide => hide
fight pell: disengage and get away from them => disengage
fight sunniva: heal thorin => cast:cure-wounds or cast:healing-word
fight sunniva: i cast healing word on pell => cast:healing-word:pell
fight sunniva: sacred flame on rat 2!! => cast:sacred-flame:giant-rat-2
fight sunniva: bless everybody => cast:bless
fight zephrine: magic misile at rat 1 => cast:magic-missile:giant-rat-1
fight zephrine: put them all to sleep => cast:sleep
""",
)
FRENCH = read(
    "fr",
    """
inn thorin: je demande a brenna ce qui se passe avec la cloche => talk:brenna
inn pell: je papote avec l'aubergiste => talk:brenna
inn sunniva: dites grand-père, c'est quoi cette corde ? => talk:jory
inn thorin: jvais parler au vieux => talk:jory
inn zephrine: on sort sur la chaussee => go:causeway
inn thorin: on y va => go:causeway
inn pell: je regarde autour de moi => search or look:scene
inn sunniva: on est ou deja ? => look:scene or look:recap
inn thorin: ma fiche => look:sheet
inn thorin: qu'est ce que j'ai dans mon sac => look:sheet
inn pell: je peux faire quoi ? => look:help or look:scene
inn zephrine: je dis "quelle puanteur ici" => say
inn pell: je chuchote a thorin que je me mefie d'elle => whisper:thorin
inn sunniva: je passe => pass
inn thorin: je ne fais rien => pass
inn pell: pause svp => pause
causeway thorin: on va au moulin => go:mill
causeway pell: allons voir la vieille maison => go:sexton
causeway sunniva: direction les roseaux => go:reeds
causeway zephrine: on retourne a l'auberge => go:inn
causeway thorin: on se repose un peu => short_rest
causeway sunniva: on monte le camp pour la nuit => long_rest
causeway pell: jveux voir le meunier => go:mill
rats thorin: a l'attaque ! => provoke:rats
rats pell: j'essaie de passer sans bruit => sneak:rats
rats thorin: on bute les rats => provoke:rats
rats sunniva: on les contourne discretement => sneak:rats
sexton pell: je fouille la baraque => deed:read-ledger or search
sexton thorin: je suis les traces de pas => deed:follow-prints
reeds pell: je cherche la barque => deed:take-boat or deed:find-boat or search
reeds sunniva: c'est quoi ce bruit ? j'y vais => deed:find-boat or deed:take-boat
crypt thorin: j'essaye de tourner la roue de toutes mes forces => deed:turn-wheel
crypt sunniva: je m'agenouille et je prie => deed:pray-saint
crypt zephrine: je parle a la petite => talk:lowen
crypt pell: eh fantome, tu t'appelles comment ? => talk:lowen
inn thorin: blrgh mlk => ?
fight thorin: j'attaque le rat => attack
fight thorin: je tape le rat 2 avec mon epee => attack:giant-rat-2
fight thorin: je frappe le plus proche => attack
fight thorin: je lance ma hachette sur celui du fond => attack:giant-rat-3
fight thorin: je le frappe => attack
fight thorin: un bon coup d'epee longue dans sa tronche => attack
fight thorin: second souffle => feature:second-wind
fight thorin: je leve mon bouclier et je me defends => dodge
fight thorin: je me barre => flee
fight thorin: j'aide sunniva => help
fight thorin: je repousse le rat 1 => shove:giant-rat-1
fight thorin: j'attrape le rat => grapple
fight thorin: fin de tour => pass
fight thorin: j'ai fini => pass
fight pell: je tire sur le rat 3 avec mon arc => attack:giant-rat-3
fight pell: je le plante avec ma rapiere => attack
fight pell: je me planque => hide
fight pell: je me desengage => disengage
fight sunniva: je soigne thorin => cast:cure-wounds or cast:healing-word
fight sunniva: mot de guerison sur pell => cast:healing-word:pell
fight sunniva: flamme sacree sur le rat 2 !! => cast:sacred-flame:giant-rat-2
fight sunniva: je benis tout le monde => cast:bless
fight zephrine: projectil magique sur rat 1 => cast:magic-missile:giant-rat-1
fight zephrine: je les endors tous => cast:sleep
""",
)
LATER_ENGLISH = read(
    "en",
    """
inn thorin: have a word with the innkeeper => talk:brenna
inn zephrine: ask the old ferryman bout his boat => talk:jory
inn pell: time to hit the road => go:causeway
inn sunniva: remind me what happened so far => look:recap
inn thorin: how many hp do i have left => look:sheet
inn pell: tell sunniva quietly: keep an eye on the door => whisper:sunniva
inn sunniva: "we will bring your boy home," i tell her => say
causeway thorin: lets walk over to the windmill => go:mill
causeway pell: enter the sextons cottage => go:sexton
causeway zephrine: we go in the reeds => go:reeds
causeway sunniva: take a breather => short_rest
rats thorin: we fight => provoke:rats
rats pell: can we tiptoe by? => sneak:rats
sexton zephrine: examine the house => deed:read-ledger or search
crypt thorin: grab the wheel and force it => deed:turn-wheel
crypt sunniva: say a prayer to the saint => deed:pray-saint
inn zephrine: purple monkey dishwasher => ?
fight thorin: bash the rat in front of me => attack
fight thorin: slash at giant rat 1 => attack:giant-rat-1
fight thorin: i go for the wounded one again => attack
fight thorin: use second wnd => feature:second-wind
fight thorin: i just want to stay on guard => dodge
fight thorin: lets get out of here => flee
fight thorin: pass my turn => pass
fight pell: fire an arrow at the far rat => attack:giant-rat-3
fight pell: duck out of sight => hide
fight sunniva: lay hands on pell, she's dying, cure wounds => cast:cure-wounds:pell
fight sunniva: guiding bolt rat 3 => cast:guiding-bolt:giant-rat-3
fight zephrine: freeze rat 2 with ray of frost => cast:ray-of-frost:giant-rat-2
fight zephrine: i wack it with my staff => attack
""",
)
LATER_FRENCH = read(
    "fr",
    """
inn thorin: je cause a la patronne => talk:brenna
inn zephrine: je questionne le vieux passeur sur sa barque => talk:jory
inn pell: bon on se met en route => go:causeway
inn sunniva: tu peux resumer ce qui s'est passe ? => look:recap
inn thorin: il me reste combien de pv => look:sheet
inn pell: je glisse a l'oreille de sunniva : surveille la porte => whisper:sunniva
inn sunniva: "on ramenera votre fils", je lui dis => say
causeway thorin: on marche jusqu'au moulin => go:mill
causeway pell: j'entre dans la masure => go:sexton
causeway zephrine: on s'enfonce dans la roseliere => go:reeds
causeway sunniva: on souffle un peu => short_rest
rats thorin: on se bat => provoke:rats
rats pell: on peut passer sur la pointe des pieds ? => sneak:rats
sexton zephrine: j'inspecte la maison => deed:read-ledger or search
crypt thorin: je force sur la roue => deed:turn-wheel
crypt sunniva: une priere au saint => deed:pray-saint
inn zephrine: le singe violet mange la vaisselle => ?
fight thorin: je cogne le rat devant moi => attack
fight thorin: coup d'epee sur le rat geant 1 => attack:giant-rat-1
fight thorin: jle finis => attack
fight thorin: j'utilise second soufle => feature:second-wind
fight thorin: je reste sur mes gardes => dodge
fight thorin: on decampe => flee
fight thorin: je passe mon tour => pass
fight pell: une fleche sur le rat le plus loin => attack:giant-rat-3
fight pell: je me cache => hide
fight sunniva: pell est en train de mourir, soins sur elle => cast:cure-wounds:pell
fight sunniva: eclair tracant rat 3 => cast:guiding-bolt:giant-rat-3
fight zephrine: rayon de givre sur rat 2 => cast:ray-of-frost:giant-rat-2
fight zephrine: un coup de baton => attack
""",
)
LAST_ENGLISH = read(
    "en",
    """
inn pell: buy the old guy a drink and ask him about the flood => talk:jory
inn sunniva: i comfort brenna and ask about her son => talk:brenna
inn thorin: ok everyone, out the door => go:causeway
inn zephrine: what has happened until now? => look:recap
inn zephrine: check inventory => look:sheet
inn thorin: i wait => pass
inn pell: can we take a 5 min pause => pause
inn sunniva: whisper to zephrine: he is lying => whisper:zephrine
inn thorin: i shout "hold the door!" => say
causeway thorin: onward to the mill then => go:mill
causeway pell: i wanna poke around the sexton's house => go:sexton
causeway zephrine: lets get back to the inn before dark => go:inn
causeway sunniva: we should sleep till morning => long_rest
causeway thorin: quick rest first => short_rest
rats pell: sneak by the rats => sneak:rats
rats thorin: draw swords and attack => provoke:rats
sexton thorin: i look closely at the wet footprints => deed:follow-prints
sexton pell: is there a letter or a book somewhere? i search => deed:read-ledger or search
crypt thorin: spin the wheel => deed:turn-wheel
crypt zephrine: who are you little one? => talk:lowen
inn pell: banana => ?
fight thorin: i hit the rat on the left with my axe => attack
fight thorin: cut down the second rat => attack
fight thorin: push the rat back => shove
fight thorin: i step back behind sunniva => move or disengage
fight pell: shoot the one furthest away => attack:giant-rat-3
fight pell: i sneak into the shadows => hide
fight sunniva: get pell back up with a healing word => cast:healing-word:pell
fight sunniva: smash its skull with the mace => attack
fight zephrine: sleep! => cast:sleep
""",
)
LAST_FRENCH = read(
    "fr",
    """
inn pell: je paie un coup au vieux et je lui demande pour la digue => talk:jory
inn sunniva: je console brenna et je lui parle de son fils => talk:brenna
inn thorin: allez tout le monde dehors => go:causeway
inn zephrine: que s'est-il passé jusqu'ici ? => look:recap
inn zephrine: voir mon inventaire => look:sheet
inn thorin: j'attends => pass
inn pell: on peut faire une pause => pause
inn sunniva: je murmure à zephrine : il ment => whisper:zephrine
inn thorin: je crie "tenez la porte !" => say
causeway thorin: en avant pour le moulin => go:mill
causeway pell: on entre chez le sacristain => go:sexton
causeway zephrine: rentrons a l'auberge avant la nuit => go:inn
causeway sunniva: on dort jusqu'au matin => long_rest
causeway thorin: petit repos d'abord => short_rest
rats pell: on se faufile => sneak:rats
rats thorin: on degaine et on attaque => provoke:rats
sexton thorin: je regarde de pres les empreintes => deed:follow-prints
sexton pell: y a une lettre ou un livre ? je cherche => deed:read-ledger or search
crypt thorin: je tourne la roue => deed:turn-wheel
crypt zephrine: qui es-tu petite ? => talk:lowen
inn pell: banane => ?
fight thorin: un coup de hache sur le rat de gauche => attack
fight thorin: j'abats le deuxieme rat => attack
fight thorin: je pousse le rat => shove
fight thorin: je recule derriere sunniva => move or disengage
fight pell: je vise celui qui est le plus eloigne => attack:giant-rat-3
fight pell: je me glisse dans l'ombre => hide
fight sunniva: je releve pell avec un mot de guerison => cast:healing-word:pell
fight sunniva: un coup de masse dans le crane => attack
fight zephrine: sommeil ! => cast:sleep
""",
)
