"""The few words of printed lines, and what code says by itself; in both languages."""

# ruff: noqa: E501 -- texts and word lists
from __future__ import annotations

from ruleplay.story.texts import Text

MISSES = Text(en="· missed", fr="· manqué")
HELD = Text(en="hits; the armour holds", fr="touche ; l'armure tient bon")
LOSES = Text(en="loses {n} hit points", fr="perd {n} points de vie")
GAINS = Text(en="regains {n} hit points", fr="récupère {n} points de vie")
LEFT = Text(en="{n} left", fr="reste {n}")
CRITICAL = Text(en="critical", fr="coup critique")
FUMBLE = Text(en="fumble", fr="maladresse")
SLAIN = Text(en="slain", fr="sans vie")
FLEES = Text(en="flees", fr="s'enfuit")
YIELDS = Text(en="gives up", fr="se rend")
GIVES_UP = Text(en="gives up", fr="se rend")
UNMOVED = Text(en="sees no reason to", fr="n'y voit aucune raison")
ANSWERED = Text(en="has answered that", fr="a déjà répondu")
SURE = Text(en="· no roll needed", fr="· sans jet")
MERCY = {
    "lets_go": Text(en="lets go", fr="laisse partir"),
    "robs": Text(en="takes half the purse", fr="prend la moitié de la bourse"),
    "fights_on": Text(en="fights on", fr="continue"),
}
CAUSES = {
    "poisoned": Text(en="· poison", fr="· poison"),
    "bleeding": Text(en="· bleeding", fr="· saignement"),
    "burning": Text(en="· fire", fr="· feu"),
    "mishap": Text(en="· mishap", fr="· accident"),
}
STATUS = {
    "poisoned": Text(en="poisoned", fr="poison"),
    "bleeding": Text(en="bleeding", fr="saigne"),
    "burning": Text(en="burning", fr="en feu"),
    "stunned": Text(en="stunned", fr="sous le choc"),
    "frightened": Text(en="frightened", fr="prend peur"),
    "blessed": Text(en="strengthened", fr="reprend des forces"),
    "prone": Text(en="down on the ground", fr="à terre"),
    "blinded": Text(en="blinded", fr="n'y voit plus"),
    "restrained": Text(en="held fast", fr="ne peut plus bouger"),
    "distracted": Text(en="distracted", fr="perd le fil"),
    "slowed": Text(en="slowed", fr="au ralenti"),
    "grappled": Text(en="seized", fr="sous une poigne"),
    "deafened": Text(en="deafened", fr="n'entend plus"),
    "hidden": Text(en="hidden", fr="à couvert"),
}
STANCES = {
    "defend": Text(en="on the defensive", fr="sur la défensive"),
    "guard": Text(en="on guard", fr="en garde"),
    "aim": Text(en="takes aim", fr="vise"),
    "cover": Text(en="takes cover", fr="se met à couvert"),
}
OVER = {
    "poisoned": Text(en="the poison has run its course", fr="le poison a fait son temps"),
    "bleeding": Text(en="the bleeding stops", fr="le sang cesse de couler"),
    "burning": Text(en="the fire goes out", fr="le feu s'éteint"),
    "stunned": Text(en="the daze lifts", fr="l'étourdissement se dissipe"),
    "frightened": Text(en="the fear passes", fr="la peur passe"),
    "blessed": Text(en="the new strength fades", fr="la force nouvelle s'estompe"),
}
SKIPPED = {
    "stunned": Text(en="cannot act", fr="ne peut agir"),
    "waits": Text(en="waits", fr="attend"),
}
NEAR = Text(en="within reach", fr="à portée")
FAR = Text(en="out of reach", fr="hors de portée")
INITIATIVE = Text(en="initiative:", fr="initiative :")
CHECKED = {
    True: Text(en="{n} against {m}, success", fr="{n} contre {m}, réussite"),
    False: Text(en="{n} against {m}, failure", fr="{n} contre {m}, échec"),
}
ENDED = {
    "player_win": Text(en="{a} wins the fight", fr="{a} remporte le combat"),
    "npc_flee": Text(en="nobody is left to fight", fr="plus personne à combattre"),
    "player_flee": Text(en="the fight is left behind", fr="le combat reste en arrière"),
    "truce": Text(en="both sides let it be", fr="de part et d'autre, on en reste là"),
    "player_die": Text(
        en="Everything grows quiet. Between one breath and the next there is a choice: come back to life, or accept death.",
        fr="Tout se tait. Entre un souffle et le suivant, un choix reste : revenir à la vie, ou accepter la mort.",
    ),
    "forced_end": Text(
        en="the fight breaks off undecided", fr="le combat s'interrompt sans vainqueur"
    ),
    "error_abort": Text(en="the fight is called off", fr="le combat est annulé"),
}
ATTITUDE = {
    True: Text(en="{a} thinks better of you", fr="{a} vous voit d'un meilleur œil"),
    False: Text(en="{a} thinks worse of you", fr="{a} vous en veut"),
}
EDGE = {
    True: Text(en="{a}: advantage on the next roll", fr="{a} : avantage au prochain jet"),
    False: Text(en="{a}: disadvantage on the next roll", fr="{a} : désavantage au prochain jet"),
}
KEEPS = Text(en="keepsake: {w}", fr="souvenir : {w}")
PROMISED = Text(en="promised: {w}", fr="promis : {w}")
MARKS = {
    "cover": Text(en="cover", fr="un abri"),
    "slippery": Text(en="slippery ground", fr="sol glissant"),
    "light": Text(en="light", fr="lumière"),
    "dark": Text(en="dark", fr="obscurité"),
    "noise": Text(en="noise", fr="du bruit"),
    "barred": Text(en="barred", fr="barré"),
    "opened": Text(en="opened", fr="ouvert"),
    "snare": Text(en="a snare is set", fr="un piège est posé"),
}
MINUTES = Text(en="{n} minutes pass", fr="{n} minutes passent")
PARTS = Text(en="goes their way", fr="s'en va de son côté")
HELPS = Text(en="helps", fr="donne un coup de main")
RAISED = {
    "again": Text(en="(second try)", fr="(nouvel essai)"),
    "stake": Text(en="(high stakes)", fr="(gros enjeu)"),
}
JOINS = Text(en="comes along", fr="vous accompagne")
STYLED = Text(
    en="Understood; it is told so from here on.", fr="C'est noté ; la suite en tiendra compte."
)
READY = Text(en="· ready: {w}", fr="· se tient prêt : {w}")
TAKEN_BACK = Text(
    en="Taken back: what you did last counts no more, and all is as it was before.",
    fr="C'est annulé : votre dernière action ne compte plus, tout est comme avant.",
)
LEFT_STORY = Text(
    en="You turn away. Behind you the story goes on without you, and nobody holds it against you.\n\n— The road home —",
    fr="Vous tournez le dos. Derrière vous l'histoire continue sans vous, et nul ne vous en veut.\n\n— Le chemin du retour —",
)
XP = Text(en="+{n} XP", fr="+{n} XP")
LEVEL = Text(
    en="level {n}, with a point for a skill", fr="niveau {n}, avec un point pour une compétence"
)
COINS = {True: Text(en="{n} coins", fr="{n} pièces"), False: Text(en="{n} coin", fr="{n} pièce")}
USES = {
    "used": Text(en="{w} is used up", fr="vous utilisez {w}"),
    "sold": Text(en="{w} is sold", fr="vous vendez {w}"),
    "given": Text(en="{w} is given away", fr="vous donnez {w}"),
    "left": Text(en="left here: {w}", fr="laissé ici : {w}"),
}
EQUIPS = Text(en="now bears {w}", fr="porte à présent {w}")
RESTED = Text(en="You sleep, and wake to another day.", fr="Vous dormez, et un autre jour se lève.")
RETURNED = Text(
    en="Something lets go of you. You wake, cold and alive, where you last were safe.",
    fr="Quelque chose vous relâche. Vous rouvrez les yeux, dans le froid et en vie, là où vous étiez en sûreté.",
)
ARRIVED = Text(en="You come to {place}.", fr="Vous arrivez {place}.")
BACK = Text(en="You come back to {place}.", fr="Vous revenez {place}.")
LANGUAGE = Text(en="From here on in English.", fr="La suite en français.")
SECRET = Text(en="You have learned: {text}", fr="Vous savez désormais : {text}")
