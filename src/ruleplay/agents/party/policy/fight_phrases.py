"""How fights, checks and rests are told: several wordings each, in words that the gate reads."""

from __future__ import annotations

from ruleplay.agents.party.domain.texts import Text

WITH = {
    "weapon": Text(en=" with {w}", fr=" avec {w}"),
    "natural": Text(en=" with {w}", fr=" d'{w}"),
    "many": Text(en=" with {w}", fr=" à coups de {w}"),
    "spell": Text(en="", fr=""),
}
"""How a blow is struck: `{w}` is a weapon, a bite, claws; of a spell its casting has told."""
HIT = (
    Text(en="{a} hits {b}{w}.", fr="{a} touche {b}{w}."),
    Text(en="{a} strikes {b}{w}.", fr="{a} frappe {b}{w}."),
)
HIT_FOR = (
    Text(
        en="{a} hits {b}{w} for {n} damage.",
        fr="{a} touche {b}{w} et inflige {n} point[n:|s] de dégâts.",
    ),
    Text(
        en="{a} strikes {b}{w} and deals {n} damage.",
        fr="{a} frappe {b}{w} : {n} point[n:|s] de dégâts.",
    ),
    Text(
        en="{b} [b:takes|take] {n} damage as {a} strikes{w}.",
        fr="{b} subit {n} point[n:|s] de dégâts : {a} frappe{w}.",
    ),
)
CRITICAL = Text(en="{a} lands a critical hit on {b}{w}.", fr="Coup critique de {a} sur {b}{w}.")
CRITICAL_FOR = Text(
    en="{a} lands a critical hit on {b}{w} for {n} damage.",
    fr="Coup critique de {a} sur {b}{w} : {n} point[n:|s] de dégâts.",
)
MISS = (
    Text(en="{a} misses {b}.", fr="{a} manque {b}."),
    Text(en="{a} attacks {b} and misses.", fr="{a} attaque {b} et manque son coup."),
    Text(en="{b} dodges {a}.", fr="{b} esquive {a}."),
    Text(en="{a} strikes at {b} and misses.", fr="{a} vise {b} et rate son coup."),
)
HARM = (
    Text(
        en="{b} [b:takes|take] {n} damage.", fr="{b} [b:subit|subissent] {n} point[n:|s] de dégâts."
    ),
    Text(
        en="{b} [b:suffers|suffer] {n} damage.",
        fr="{b} [b:encaisse|encaissent] {n} point[n:|s] de dégâts.",
    ),
)
HARM_BY = (
    Text(en="{b} takes {n} damage from {a}.", fr="{a} inflige {n} point[n:|s] de dégâts à {b}."),
    Text(en="{a} deals {n} damage to {b}.", fr="{b} subit {n} point[n:|s] de dégâts de {a}."),
)
UNHARMED = Text(en="{b} [b:takes|take] no damage.", fr="{b} ne [b:subit|subissent] aucun dégât.")
HEALS = Text(en="{b} regains {n} hit point[n:|s].", fr="{b} récupère {n} point[n:|s] de vie.")
HEALS_TO = Text(
    en="{b} regains {n} hit point[n:|s] and now has {m}.",
    fr="{b} récupère {n} point[n:|s] de vie et en a maintenant {m}.",
)
HP = Text(en="{b} has {n} hit point[n:|s] left.", fr="{b} a encore {n} point[n:|s] de vie.")
TEMP = Text(
    en="{b} has {n} temporary hit point[n:|s].",
    fr="{b} a {n} point[n:|s] de vie temporaire[n:|s].",
)
FALLS = Text(en="{b} falls unconscious.", fr="{b} tombe sans connaissance.")
COMES_ROUND = Text(en="{b} [b:comes|come] round.", fr="{b} [b:reprend|reprennent] connaissance.")
STABLE = Text(en="{b} is stable.", fr="{b} est hors de danger.")
KILLS = (
    Text(en="{a} kills {b}.", fr="{a} tue {b}."),
    Text(en="{b} is slain by {a}.", fr="{a} porte le coup fatal à {b}."),
)
DIES = Text(en="{b} dies.", fr="{b} meurt.")
ENDURES = Text(
    en="{b} ought to have fallen, and stands.", fr="{b} aurait dû tomber, et tient debout."
)
DEATH_SAVE = {
    True: Text(
        en="{b} rolls {n} for a death save and holds on.",
        fr="{b} obtient {n} au jet contre la mort et tient bon.",
    ),
    False: Text(
        en="{b} rolls {n} for a death save and slips further.",
        fr="{b} obtient {n} au jet contre la mort et s'enfonce.",
    ),
}
SAVE = {
    True: Text(
        en="{b} rolls {n} for a {ability} save against {m} and withstands.",
        fr="{b} obtient {n} au jet de sauvegarde ({ability}) contre {m} et résiste.",
    ),
    False: Text(
        en="{b} rolls {n} for a {ability} save against {m} and fails.",
        fr="{b} obtient {n} au jet de sauvegarde ({ability}) contre {m} et échoue.",
    ),
}
CHECK = {
    True: Text(
        en="{a} rolls {n} for {skill} against a difficulty of {m} and succeeds.",
        fr="{a} obtient {n} en {skill} contre une difficulté de {m} : réussite.",
    ),
    False: Text(
        en="{a} rolls {n} for {skill} against a difficulty of {m} and fails.",
        fr="{a} obtient {n} en {skill} contre une difficulté de {m} : échec.",
    ),
}
CONTEST = {
    True: Text(en="{a} gets the better of {b}.", fr="{a} prend le dessus sur {b}."),
    False: Text(en="{a} does not get the better of {b}.", fr="{a} ne prend pas le dessus sur {b}."),
}
CASTS = Text(en="{a} casts {spell}.", fr="{a} lance {spell}.")
CONDITION = {
    "blinded": Text(en="{b} [b:is|are] blinded.", fr="{b} ne voi[b:t|ent] plus rien."),
    "charmed": Text(en="{b} [b:is|are] charmed.", fr="{b} tomb[b:e|ent] sous le charme."),
    "deafened": Text(en="{b} [b:is|are] deafened.", fr="{b} n'enten[b:d|dent] plus rien."),
    "exhaustion": Text(en="{b} [b:is|are] exhausted.", fr="L'épuisement gagne {b}."),
    "frightened": Text(en="{b} [b:is|are] frightened.", fr="{b} [b:prend|prennent] peur."),
    "grappled": Text(en="{b} [b:is|are] grappled.", fr="Une prise retient {b}."),
    "incapacitated": Text(
        en="{b} [b:is|are] incapacitated.", fr="{b} ne [b:peut|peuvent] plus agir."
    ),
    "invisible": Text(
        en="{b} [b:is|are] invisible.", fr="{b} [b:devient|deviennent] invisible[b:|s]."
    ),
    "paralyzed": Text(en="{b} [b:is|are] paralyzed.", fr="La paralysie saisit {b}."),
    "petrified": Text(en="{b} [b:is|are] petrified.", fr="{b} se chang[b:e|ent] en pierre."),
    "poisoned": Text(en="{b} [b:is|are] poisoned.", fr="Le poison gagne {b}."),
    "prone": Text(en="{b} [b:is|are] knocked prone.", fr="{b} se retrouv[b:e|ent] à terre."),
    "restrained": Text(en="{b} [b:is|are] restrained.", fr="Des liens retiennent {b}."),
    "stunned": Text(en="{b} [b:is|are] stunned.", fr="L'étourdissement saisit {b}."),
    "unconscious": Text(
        en="{b} [b:falls|fall] unconscious.", fr="{b} [b:perd|perdent] connaissance."
    ),
}
CONDITION_OVER = {
    "blinded": Text(en="{b} [b:is|are] no longer blinded.", fr="{b} voi[b:t|ent] de nouveau."),
    "charmed": Text(en="{b} [b:is|are] no longer charmed.", fr="Le charme n'agit plus sur {b}."),
    "deafened": Text(en="{b} [b:is|are] no longer deafened.", fr="{b} enten[b:d|dent] de nouveau."),
    "exhaustion": Text(en="{b} [b:is|are] less exhausted.", fr="L'épuisement de {b} s'allège."),
    "frightened": Text(en="{b} [b:is|are] no longer frightened.", fr="{b} n'[b:a|ont] plus peur."),
    "grappled": Text(
        en="{b} [b:is|are] no longer grappled.", fr="Plus aucune prise ne retient {b}."
    ),
    "incapacitated": Text(en="{b} can act again.", fr="{b} [b:peut|peuvent] de nouveau agir."),
    "invisible": Text(en="{b} can be seen again.", fr="{b} [b:est|sont] de nouveau visible[b:|s]."),
    "paralyzed": Text(en="{b} [b:is|are] no longer paralyzed.", fr="La paralysie quitte {b}."),
    "petrified": Text(
        en="{b} [b:is|are] stone no longer.", fr="{b} n'[b:est|sont] plus de pierre."
    ),
    "poisoned": Text(en="{b} [b:is|are] no longer poisoned.", fr="Le poison quitte {b}."),
    "prone": Text(en="{b} [b:is|are] up again.", fr="{b} n'[b:est|sont] plus à terre."),
    "restrained": Text(
        en="{b} [b:is|are] no longer restrained.", fr="Plus aucun lien ne retient {b}."
    ),
    "stunned": Text(
        en="{b} [b:is|are] no longer stunned.", fr="{b} [b:reprend|reprennent] ses esprits."
    ),
    "unconscious": Text(en="{b} [b:comes|come] to.", fr="{b} [b:reprend|reprennent] connaissance."),
}
ASLEEP = Text(en="{b} [b:falls|fall] asleep.", fr="{b} s'endor[b:t|ment].")
AWAKE = Text(en="{b} [b:wakes|wake].", fr="{b} se réveill[b:e|ent].")
AWAKE_LYING = Text(
    en="{b} [b:wakes|wake], still lying prone.", fr="{b} se réveill[b:e|ent], toujours à terre."
)
UPON = Text(en="{effect} is upon {b}.", fr="{effect} agit sur {b}.")
LOSES_HOLD = Text(en="{a} loses concentration.", fr="{a} perd sa concentration.")
CLOSES = Text(en="{a} [a:closes|close] in.", fr="{a} s'approch[a:e|ent].")
WITHDRAWS = Text(en="{a} [a:draws|draw] back.", fr="{a} [a:prend|prennent] du recul.")
MOVES = Text(en="{a} [a:moves|move].", fr="{a} se déplac[a:e|ent].")
PUSHED = Text(en="{a} is pushed away.", fr="{a} se fait repousser.")
DOES = {
    "dash": Text(en="{a} [a:dashes|dash].", fr="{a} se précipit[a:e|ent]."),
    "dodge": Text(en="{a} [a:is|are] on guard.", fr="{a} se [a:met|mettent] en garde."),
    "disengage": Text(en="{a} [a:disengages|disengage].", fr="{a} se dégag[a:e|ent]."),
    "help": Text(en="{a} helps {b}.", fr="{a} aide {b}."),
    "stand": Text(en="{a} [a:stands|stand] up.", fr="{a} se relèv[a:e|ent]."),
    "drop": Text(en="{a} drops to the ground.", fr="{a} se jette à terre."),
    "wake": Text(en="{a} shakes {b} awake.", fr="{a} secoue {b}."),
    "opportunity": Text(en="{a} seizes the opening.", fr="{a} profite de l'ouverture."),
    "readied": Text(en="{a} was waiting for this.", fr="{a} n'attendait que cela."),
}
HIDES = Text(en="{a} is out of sight.", fr="{a} est hors de vue.")
READIES = Text(en="{a} waits for an opening.", fr="{a} attend une ouverture.")
USES_FEATURE = Text(en="{a} uses {feature}.", fr="{a} utilise {feature}.")
GETS = Text(en="{a} gets {w}.", fr="{a} obtient {w}.")
PICKS_UP = Text(en="{a} picks up {w} again.", fr="{a} ramasse {w}.")
USES = {
    "used": Text(en="{a} uses {w}.", fr="{a} utilise {w}."),
    "given": Text(en="{a} hands over {w}.", fr="{a} remet {w}."),
    "sold": Text(en="{a} sells {w}.", fr="{a} vend {w}."),
}
FLEES = Text(en="{b} [b:flees|flee].", fr="{b} [b:prend|prennent] la fuite.")
INITIATIVE = Text(en="Initiative: {listed}.", fr="Initiative : {listed}.")
FIRST = Text(en="{a} moves first.", fr="{a} agit en premier lieu.")
LOST = {
    "surprised": Text(
        en="{a} [a:is|are] caught by surprise.", fr="{a} se laiss[a:e|ent] surprendre."
    ),
    "incapacitated": Text(en="{a} cannot act.", fr="{a} ne [a:peut|peuvent] agir."),
    "down": Text(en="{a} [a:lies|lie] still.", fr="{a} [a:gît|gisent] sans bouger."),
}
OVER = {
    "won": Text(en="The fight is won.", fr="Le combat est gagné."),
    "lost": Text(
        en="Nobody of the party is left standing.", fr="Plus personne du groupe ne tient debout."
    ),
    "fled": Text(en="The fight is left behind.", fr="Le combat reste en arrière."),
    "parted": Text(en="Nobody is left to fight.", fr="Il n'y a plus personne à combattre."),
    "forced": Text(
        en="The fight breaks off undecided.", fr="Le combat s'interrompt sans vainqueur."
    ),
}
XP = Text(
    en="{a} [a:gains|gain] {n} experience point[n:|s][a:| each].",
    fr="{a} [a:gagne|gagnent chacun] {n} point[n:|s] d'expérience.",
)
LEVEL = Text(en="{a} is now of level {n}.", fr="{a} passe au niveau {n}.")
FIST = Text(en="a bare hand", fr="la main nue")
MOOD = (
    Text(en="Boots scrape on stone.", fr="Des bottes raclent la pierre."),
    Text(
        en="For a moment there is only the noise of metal.",
        fr="Un moment, on n'entend que le métal.",
    ),
    Text(en="Nobody gives way.", fr="Nul ne cède."),
    Text(en="Breath comes hard.", fr="Les souffles se font courts."),
    Text(
        en="The light is bad, and getting worse.", fr="La lumière est mauvaise, et baisse encore."
    ),
    Text(en="Somebody shouts a name.", fr="Quelqu'un crie un nom."),
    Text(en="The ground is slippery underfoot.", fr="Le sol glisse sous les pieds."),
    Text(en="Then, suddenly, it is very still.", fr="Puis, soudain, il fait très calme."),
)
"""Sentences that claim nothing, before the facts of a longer turn of a fight."""
STILL = (
    Text(en="For a while nothing stirs.", fr="Un moment, rien ne bouge."),
    Text(en="Somewhere far off a door slams.", fr="Quelque part, au loin, une porte claque."),
    Text(en="The wind turns, and turns back.", fr="Le vent tourne, puis se ravise."),
    Text(en="Nobody says anything for a moment.", fr="Un instant, personne ne dit rien."),
    Text(en="The light shifts a little.", fr="La lumière change un peu."),
    Text(en="A bird calls, and then listens.", fr="Un oiseau appelle, puis écoute."),
    Text(en="Time passes as it likes to.", fr="Le temps passe, à sa façon."),
)
"""The same, where nobody fights."""
