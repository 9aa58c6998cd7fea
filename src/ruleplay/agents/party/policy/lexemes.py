"""Verbs that people write, per act, in both languages: phrases of folded stems (`*`: open ending).

The same table reads English and French. Longer phrases win over shorter ones.
"""

# ruff: noqa: E501 -- word lists
from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

FIGHT: Final = {
    "attack": "attack*|strike|strikes|hit|hits|stab*|slash*|shoot*|fire at|swing*|smite|smash*|kill*|fight|charge|loose an arrow"
    "|attaqu*|frapp*|tir*|poignard*|tranch*|tue|tuer|charg*|pourfend*|decoch*|coup de|coup d"
    "|smack*|bash*|whack*|wack*|chop*|hack*|cleave*|slice*|punch*|kick*|club*|thump*|bonk*|jab*|lunge*|thrust*|throw*|hurl*|toss*|fire*|blast*|murder*|slay*|finish off|finish it|finish him|finish her|finish them|finish the|end him|end her|beat*|cut*|go for|tap*|cogn*|plant*|fracass*|defonc*|eclat*|assomm*|transperc*|piqu*|fend*|massacr*|bute*|acheve*|achever|finis|finir|coup|vise|vis*|abat*|descend*|balanc*|jett*|fleche sur|trucid*|zigouill*|empal*|taillad*|rou* de coups|sabr*",
    "cast": "cast*|invoke*|lanc*|incant*|jette un sort|invoqu*"
    "|zap*|conjure*|use the spell|jette le sort|fais le sort",
    "dash": "dash*|sprint*|run|foncer|fonce|se precipit*|sprinte*|cours|courir",
    "dodge": "dodge*|defend*|guard|parry|take cover|esquiv*|me defend*|defendre|en garde"
    "|raise my shield|on guard|stay back|leve mon bouclier|sur mes gardes|me protege|garde haute",
    "disengage": "disengage*|retreat*|withdraw*|back off|fall back|step back|se degag*|degag*|recul*|desengag*|replie*|battre en retraite",
    "help": "help*|aid|assist*|aid*|assiste*"
    "|give a hand|coup de main|file un coup de main|prete main forte",
    "hide": "hide*|sneak*|conceal*|cach*|dissimul*"
    "|lurk*|vanish*|out of sight|planqu*|embusqu*|hors de vue|dans l ombre",
    "ready": "ready|prepare to|wait for|prepar*|tiens pret*",
    "grapple": "grapple*|grab*|wrestle*|seize|agripp*|empoign*|saisi*|lutte*|attrap*"
    "|pin down|hold it down|plaqu*|immobilis*|ceintur*",
    "shove": "shove*|push*|knock down|pouss*|renvers*|bouscul*"
    "|knock over|trip*|shoulder*|repouss*|fais tomber|croche pied",
    "escape": "escape the grapple|break free|struggle free|me libere*|se libere*|liberer",
    "stand": "stand up|get up|rise|releve*|me leve|debout",
    "stabilise": "stabili*|first aid|bandage*|staunch*|premiers soins|panse*|stabilis*"
    "|stop the bleeding|keep alive|arrete le sang|maintiens en vie",
    "use": "use*|drink*|quaff*|apply|utilis*|boi*|avale*|swig*|down the potion|consomm*|ingurgit*",
    "feature": "second wind|action surge|rage|enrage*|lay on hands|turn undead|bardic inspiration|flurry*|second souffle|sursaut*|fougue|imposition*|rage|renvoi*|inspiration bard*",
    "move": "move*|walk*|approach*|close in|go to|advance*|step|avanc*|approch*|deplac*|march*|m avance|vais vers"
    "|get closer|run to|run up to|head for|go near|get near|rejoin*|cours vers|vais pres|m elance vers",
    "flee": "flee*|run away|fui*|fuir|prend* la fuite|m enfui*|s enfui*"
    "|run for it|run for my life|get out of here|get away from here|leg it|bail|scram|barr*|casse toi|me casse|on se casse|me tire|se tire|decamp*|detal*|filons|on file|me sauve|se sauve|on se sauve|tirons nous|prend* mes jambes",
    "end": "end turn|end my turn|done|pass|wait|finish my turn|finish turn|finished|fin du tour|fin de tour|termine*|passe|passer|attend*|rien"
    "|skip|nothing|end it|that s it|that is all|i m done|ai fini|c est bon|c est tout|fais rien|suivant",
    "heal": "heal*|cure*|patch up|mend*|tend to|revive*|soign*|gueri*|soin*|ranim*|remet* sur pied",
}
STORY: Final = {
    "travel": "go|walk*|travel*|head|enter*|leave*|follow*|take the|climb*|return*|vais|va|aller|allons|march*|entr*|sui*|retourn*|grimp*|continu* vers|rejoin*|prend* le|prenons"
    "|proceed*|hit the road|set off|set out|move on|get going|let s go|lets go|go back|back to|off to|visit*|approach*|cross*|move to|get out|on y va|en route|en avant|partons|on part|partir|direction|rend*|sortir|sortons|sors|on sort|sortez|gagn*|repart*|rentr*|dirig*|travers*",
    "talk": "talk*|speak*|ask*|question*|tell*|greet*|parl*|demand*|interrog*|dis a|salu*|discut*|adress*"
    "|chat*|have a word|a word with|converse*|say to|interview*|inquire*|enquire*|quizz*|bavard*|papot*|caus*|taill* le bout de gras|dites|bonjour|jas*|cuisin*|adress* la parole|se renseign*|renseign*",
    "search": "search*|look for|investigate*|examine*|inspect*|explore*|fouill*|cherch*|examin*|inspect*|explor*|enquet*"
    "|check out|check the|rummage*|study|poke around|scour*|loot*|scan*|frisk*|regarde dans|passe au peigne|scrut*|verifi*|etudi*|farfouill*|jette un oeil",
    "look": "look around|look|where are we|what do i see|regard*|observ*|ou sommes*|que voi*|alentour*",
    "sneak": "sneak*|slip past|steal past|hide from|faufil*|discret*|en douce|contourn*"
    "|go around|quiet*|silent*|tiptoe*|tip toe*|unseen|unnoticed|stealth*|avoid*|slip by|creep*|sans bruit|sans un bruit|sans etre vu*|pointe des pieds|furtiv*|silenc*|a pas de loup|evit*|glisse entre",
    "parley": "parley*|negotiat*|bargain*|persuade*|talk them|parlement*|negoci*|marchand*|convainc*|persuad*"
    "|reason with|make a deal|offer them|discut* avec eux|raisonn*|calme*|marchand*|propos* un marche",
    "fight": "attack*|fight*|charge*|ambush*|draw my|attaqu*|combat*|charg*|embusc*|degain*"
    "|kill*|slay*|smash*|bash*|hit them|get them|murder*|to arms|destroy*|strike*|shoot*|tue*|tuer|tuons|bute*|buter|massacr*|se bat|me bats|battre|battons|bagarre*|baston*|cogn*|frapp*|tape*|extermin*|aux armes|fonc*|rentre dedans|demoli*|eclat*",
    "rest": "short rest|rest|catch our breath|repos court|repos*|souffl*|halte"
    "|breather|take a break|sit down|patch up|lick our wounds|bandage*|pause cafe|repren* haleine|m assieds|on s assoit|asseyons|panse*|repren* son souffle|une heure",
    "sleep": "long rest|sleep*|make camp|camp|repos long|dorm*|dort|dors|camp*|bivouac*|nuit"
    "|spend the night|turn in|go to bed|for the night|pass* la nuit|couch*|mont* le camp|va se coucher",
    "use": "use*|drink*|quaff*|utilis*|boi*|avale*",
    "cast": "cast*|lanc*|incant*|invoqu*",
    "help": "help*|aid|assist*|aid*",
    "end": "pass|wait|nothing|passe|passer|attend*|rien"
    "|skip|do nothing|stay put|fais rien|fait rien|suivant",
}
TABLE: Final = {
    "whisper": "whisper*|murmur*|chuchot*|souffl* a|glisse* a l oreille",
    "master": "dm|gm|mj|md|game master|the dm|le mj|maitre du jeu",
    "say": "say*|shout*|call out|cry|announce*|dis|crie*|lance a voix|annonc*|declar*",
    "recap": "recap*|what happened|has happened|story so far|resum*|que s est il passe|ou en est"
    "|remind me|what happened so far|catch me up|story until now|previously|rappel* moi|resume moi|ce qui s est passe|ou on en est|precedemment",
    "sheet": "my sheet|character sheet|inventory|my things|fiche|inventaire|mes affaires"
    "|my stats|my gear|my stuff|my bag|my backpack|my hp|my hit points|how many hp|how many hit points|what do i have|what am i carrying|my spells|ma feuille|mon sac|mes stats|mes sorts|combien de pv|mes pv|combien de points de vie|j ai sur moi|reste combien|mon equipement|mon perso",
    "fight": "initiative|who is next|state of the fight|ordre d initiative|etat du combat"
    "|whose turn|who s turn|turn order|a qui le tour|c est a qui|ordre du tour",
    "scene": "where are we|describe the scene|look around|ou sommes*|decris|decrire|decrivez|alentour*"
    "|where am i|where is this|what is around|what do we see|describe*|on est ou|ou on est|ou est on|ou suis je|on voit quoi|je vois quoi|c est ou ici",
    "help": "what can i do|help me|commands|que puis je faire|aide|comment jouer"
    "|what now|my options|what should i do|what can we do|how does this work|je peux faire|on peut faire|on fait quoi|je fais quoi|mes options|comment ca marche",
    "share": "share*|reveal*|tell everyone|confess*|partag*|revel*|avou*|dis a tous",
    "english": "in english|en anglais|speak english",
    "french": "in french|en francais|speak french",
    "pause": "pause|pause the game|brb|mettre en pause|faisons une pause",
    "resume": "resume|go on|unpause|reprend*|reprenons|continue the game",
    "card": "x card|x-card|carte x|carte rouge",
}
QUIETLY: Final = (
    ("sans", "bruit"),
    ("sans", "un", "bruit"),
    ("sans", "etre"),
    ("without", "a", "sound"),
    ("without", "being"),
    ("de", "pas"),
    ("a", "pas"),
    ("des", "pas"),
    ("les", "pas"),
    ("ces", "pas"),
)
"""Words that deny nothing though they look like it: "without a sound", footsteps."""
NEGATORS: Final = frozenset(
    (
        "not",
        "never",
        "dont",
        "don",
        "won",
        "cannot",
        "didn",
        "doesn",
        "isn",
        "wouldn",
        "shouldn",
        "without",
        "pas",
        "jamais",
        "sans",
        "ne",
        "n",
    )
)
ASIDE: Final = ("to", "a", "au", "aux", "vers")


@cache
def phrases(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the acts of a table (`fight`, `story`, `table`) with their phrases, longest first."""
    table = {"fight": FIGHT, "story": STORY, "table": TABLE}[name]
    rows = [
        (act, tuple(phrase.split()))
        for act, listed in table.items()
        for phrase in listed.replace("-", " ").split("|")
    ]
    return tuple(sorted(rows, key=lambda row: (-len(row[1]), -sum(map(len, row[1])))))


@cache
def turns_of_speech(kind: str) -> tuple[tuple[str, ...], ...]:
    """Return the folded words that stand for something besides acts: conditions, foes, a sheet."""
    stored = files("ruleplay.agents.party.policy").joinpath("turns_of_speech.json")
    listed = json.loads(stored.read_text(encoding="utf-8"))[kind]
    return tuple(tuple(phrase.split()) for phrase in listed)
