"""The words by which players say what they want: acts of the story and of a fight.

Phrases are folded; a word that ends in `*` stands for all that begin so. Both languages are heard
at any time: people mix them.
"""

# ruff: noqa: E501 -- texts and word lists
from __future__ import annotations

from ruleplay.agents.saga.domain.intents import Act


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split()) for phrase in text.replace("\n", " ").split("|") if phrase)


STORY: dict[Act, tuple[tuple[str, ...], ...]] = {
    "look": _phrases(
        "look*|look around|examin*|inspect*|observ*|describ*|where am i|what do i see|survey*|peer*"
        "|what is here|who is here|who is there|study|gaze*"
        "|regard*|observ*|decri*|ou suis je|que vois je|scrut*|jette un oeil|coup d oeil|autour"
        "|qui est la|qu est ce qu il y a|contempl*"
    ),
    "travel": _phrases(
        "go|goes|going|walk*|head|heads|heading|travel*|move*|enter*|climb*|cross|crossing|follow*"
        "|return to|leave*|run|ride*|proceed*|continue*|take the road|make my way|set off|step*|march*"
        "|journey*|go back|head back|push on|venture*|get to|hike*|come back to"
        "|vais|aller|allons|va|marche*|avanc*|entre|entrer|entrons|grimp*|monte|monter|montons"
        "|travers*|retourn*|quitt*|pars|part|partir|partons|sors|sortir|sortons|rends|rendre|dirig*|continu*|descend*"
        "|prends la route|prends le chemin|prends le sentier|reprends|file*|chemine*|reviens|revenir"
        "|rejoins|rejoindre|repart*|emprunt*|gagne|passe par"
    ),
    "talk": _phrases(
        "talk*|speak*|ask*|say*|greet*|tell*|question*|chat*|hail*|converse*|inquire*|mention*|report*|fais mon rapport|know|knows|savez|sait|hello"
        "|hi|good evening|parl*|demand*|dis|dire|salu*|interrog*|questionn*|discut*|cause|bavard*"
        "|bonjour|bonsoir|adress*|abord*|raconte moi|renseign*"
    ),
    "search": _phrases(
        "search*|look for|rummage*|seek*|find|explore*|dig|look under|look through|loot*"
        "|fouill*|cherch*|trouver|explor*|recherch*|farfouill*"
    ),
    "sneak": _phrases(
        "sneak*|hide*|slip past|slip by|creep*|stealth*|tiptoe*|unseen|avoid*|go around|get around"
        "|evade*|skirt*|quietly|silently|unnoticed|past them"
        "|faufil*|cache|cacher|discret*|furtiv*|contourn*|evit*|glisse*|pas de loup|inapercu*"
        "|sans bruit|sans etre vu*|silencieu*|en douce|dans l ombre"
    ),
    "parley": _phrases(
        "persuad*|convince*|negotiat*|bargain*|parley*|reason with|bluff*|talk my way|talk them"
        "|talk him|talk it|bribe*|calm*|plead*|appease*|offer peace|diplomacy|intimidat*|threaten*"
        "|scare*|frighten*|reason|talk to them|talk our way|invoke"
        "|persuad*|convainc*|convaincre|negoci*|parlement*|raisonn*|bluff*|amadou*|calme*|embobin*"
        "|apais*|intimid*|menac*|effray*|marchand*|baratin*|leur parle*|invoqu*"
    ),
    "trigger_combat": _phrases(
        "attack*|hit|hits|strike*|fight*|kill*|stab*|slash*|shoot*|charge*|swing*|smash*|slay*"
        "|punch*|lunge*|ambush*|assault*|draw my sword and|loose an arrow|stand and fight|battle"
        "|attaqu*|frapp*|combat*|tue|tuer|tuons|poignard*|tire|tirer|charg*|tranch*|cogne*"
        "|assaill*|embroch*|decoch*|pourfend*|transperc*|assomm*|fonce*|bagarr*|bats|battre|embusc*"
        "|affront*|saute dessus|jette sur"
    ),
    "use": _phrases(
        "use*|drink*|eat*|quaff*|apply|swallow*|down a|take a potion|take my potion|heal myself"
        "|utilis*|bois|boire|buvons|aval*|mange*|appliqu*|prends une potion|prends ma potion|soigne*"
        "|soigner"
    ),
    "equip": _phrases(
        "equip*|wield*|draw*|put on|wear*|switch to|ready|don|unsheath*|arm myself|take out|grab my"
        "|equip*|degain*|saisi*|empoign*|enfil*|mets|mettre|sors|brandi*|change d arme|m arme|revet*"
        "|prends mon|prends ma"
    ),
    "rest": _phrases(
        "rest|rests|resting|sleep*|camp|make camp|nap|lie down|stay the night|recover"
        "|repos*|dors|dormir|camp*|sieste|bivouac*|passe la nuit|passer la nuit|nuit a l auberge"
        "|recuper*"
    ),
    "buy": _phrases("buy*|purchas*|can i have|achet*|achat|procur*|je voudrais"),
    "sell": _phrases("sell*|pawn*|vends|vendre|revend*|vente"),
    "train": _phrases(
        "improve*|train*|raise my|spend my point*|level up my|amelior*|entrain*|augment*|perfectionn*"
    ),
    "inventory": _phrases(
        "inventory|what do i have|what have i got|my things|backpack|my bag|my pack|carrying"
        "|my gear|my equipment|how much money|how many coins|my purse"
        "|inventaire|sac|mes affaires|que porte je|qu ai je|mon equipement|ma bourse|combien d argent"
        "|possede"
    ),
    "sheet": _phrases(
        "character sheet|sheet|my stats|my skills|how am i|my health|hp|hit points|my level"
        "|fiche|caracteristiques|mes competences|mes stats|points de vie|pv|mon niveau|ma sante"
        "|comment je vais"
    ),
    "journal": _phrases(
        "journal|chronicle|what happened|recap*|quest log|notes|what do i know|remember|so far"
        "|chronique|resum*|recapitul*|que s est il passe|que sais je|rappelle moi|mes notes"
    ),
    "map": _phrases(
        "map|where have i been|which ways|exits|where can i go|carte|ou aller|ou puisje aller"
        "|sorties|quels chemins|ou ai je ete"
    ),
    "help": _phrases(
        "help|what can i do|options|commands|hint|hints|what now|how do i play|what should i do"
        "|aide|aide moi|que puisje faire|que faire|quoi faire|options|indice|conseil|comment jouer"
        "|je fais quoi"
    ),
    "wait": _phrases("wait*|do nothing|linger*|stay here|attend*|patient*|rien faire|reste ici"),
    "begin": _phrases("begin*|start|let s go|let s start|commenc*|debut*|c est parti|on y va"),
}
"""What can be said in the story."""

FIGHT: dict[Act, tuple[tuple[str, ...], ...]] = {
    "attack": _phrases(
        "attack*|hit|hits|hitting|strike*|fight*|kill*|stab*|slash*|shoot*|fire*|swing*|smash*|cut"
        "|cuts|punch*|lunge*|slay*|finish*|loose|thrust*|chop*|hack*|bash*|cleave*|kick*|charge*"
        "|plunge*|behead*|impale*|go for|strike down|throw myself"
        "|attaqu*|frapp*|combat*|tue|tuer|tuons|poignard*|tire|tirer|charg*|tranch*|cogn*|assaill*"
        "|embroch*|decoch*|pourfend*|transperc*|assomm*|fonce*|acheve*|abats|abattre|coupe*|plant*"
        "|flech*|fends|fendre|taille*|donne un coup|coup d epee|coup de|decapit*|jette sur"
    ),
    "defend": _phrases(
        "defend*|full defence|full defense|brace*|protect*|block*|shield*|cover|defensive"
        "|defends|defendre|proteg*|bouclier|defensi*|me couvre|en defense|bloqu*|recroquevill*"
    ),
    "guard": _phrases(
        "guard|parry*|dodg*|riposte*|raise my guard|on guard|deflect*|sidestep*"
        "|garde|pare|parer|esquiv*|parade|en garde|feint*"
    ),
    "aim": _phrases("aim*|take aim|line up|steady my|vise|viser|visons|ajust*|concentr*"),
    "close_in": _phrases(
        "close in|advance*|approach*|move towards|move toward|move closer|step closer|get closer"
        "|walk up|close the distance|approch*|avanc*|rapproch*|reduis la distance|vais au contact"
    ),
    "flee": _phrases(
        "flee*|run|run away|runs|running|retreat*|escap*|get out|get away|bolt*|withdraw*|fall back"
        "|turn tail|fuis|fuir|fuite|enfui*|sauve|me sauve|retraite|detal*|echapp*|prends la fuite"
        "|bats en retraite|decamp*|replie*|deguerp*|m en vais|cours"
    ),
    "intimidate": _phrases(
        "intimidat*|frighten*|threaten*|scare*|roar*|shout*|yell*|howl*|taunt*|war cry|glare*"
        "|intimid*|effray*|menac*|hurl*|rugi*|crie*|terrif*|cri de guerre|provoqu*|fais peur"
    ),
    "first_aid": _phrases(
        "bandage*|first aid|bind my|tend*|treat*|dress my|patch*|heal|stop the bleeding|stanch*"
        "|bande|bander|pans*|premiers soins|soign*|garrot|arrete le sang|arreter le sang|recous*"
    ),
    "use": _phrases(
        "use*|drink*|quaff*|swallow*|eat*|down a|gulp*|apply|utilis*|bois|boire|aval*|mange*"
        "|prends une potion|prends ma potion|appliqu*"
    ),
    "equip": _phrases(
        "equip*|wield*|draw*|switch*|unsheath*|take out|grab*|change weapon|pull out|ready my"
        "|equip*|degain*|saisi*|empoign*|sors|brandi*|change d arme|prends mon|prends ma|m arme"
    ),
    "pass": _phrases(
        "pass|skip*|wait*|end turn|end my turn|do nothing|hold|stand still|hesitat*"
        "|passe|passer|attend*|rien|fin de tour|termine mon tour|finis mon tour|hesit*|immobile"
    ),
    "status": _phrases(
        "status|situation|who is left|how many|look*|how hurt|how are they|initiative|whose turn"
        "|observ*|examin*|regard*|etat|qui reste|combien|ou en est|a qui le tour|tour de qui"
    ),
    "force_end": _phrases(
        "end the fight|stop the fight|abort the fight|end combat|stop combat|end this fight"
        "|arrete le combat|arretons le combat|mets fin au combat|stop le combat|interromp*"
        "|fin du combat"
    ),
    "inventory": STORY["inventory"],
    "sheet": STORY["sheet"],
    "journal": STORY["journal"],
    "map": STORY["map"],
    "help": STORY["help"],
}
"""What can be said in a fight."""

FALLEN: dict[Act, tuple[tuple[str, ...], ...]] = {
    "return": _phrases(
        "return|come back|wake*|live|survive*|go on|continue*|fight on|not yet|i want to live|get up"
        "|stand up|rise|cling*|hold on"
        "|reviens|revenir|retour|reveil*|vivre|vis|continu*|survi*|pas encore|releve*|lever|debout"
        "|accroche*|tiens bon"
    ),
    "accept": _phrases(
        "accept*|die|let go|give up|end it|rest in peace|farewell|i am done"
        "|accept*|meurs|mourir|lache*|abandonn*|repose*|adieu|c est fini"
    ),
    "inventory": STORY["inventory"],
    "sheet": STORY["sheet"],
    "journal": STORY["journal"],
    "map": STORY["map"],
    "help": STORY["help"],
}
"""What can be said between life and death."""

LANGUAGES = {
    "en": _phrases("in english|speak english|english please|en anglais|parle anglais|lang en"),
    "fr": _phrases("in french|speak french|french please|en francais|parle francais|lang fr"),
}
NEGATORS = frozenset(("not", "never", "don", "dont", "pas", "jamais", "without", "won", "refuse"))
SPLITTERS = frozenset(
    ("and", "then", "et", "puis", "ensuite", "before", "after", "while", "avant", "apres")
)
NEAREST = frozenset(
    [
        "nearest",
        "closest",
        "next",
        "first",
        "him",
        "her",
        "it",
        "them",
        "they",
        "enemy",
        "enemies",
        "foe",
        "foes",
        "monster",
        "opponent",
        "proche",
        "premier",
        "premiere",
        "le",
        "la",
        "lui",
        "les",
        "eux",
        "ennemi",
        "ennemie",
        "ennemis",
        "adversaire",
        "adversaires",
        "monstre",
        "celui",
        "celle",
        "dernier",
        "last",
        "other",
        "autre",
        "that",
    ]
)
"""Words that leave the choice among adversaries to the rules."""
PRONOUNS = frozenset(("le", "la", "les", "it", "that"))
"""Of those, words so common in French that they choose nobody beside other words."""
