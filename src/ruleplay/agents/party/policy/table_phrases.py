"""How things at the table itself are told: seats, turns, whispers, pauses, refusals."""

# ruff: noqa: E501 -- texts
from __future__ import annotations

from ruleplay.story.texts import Text

HELD = {
    "human": Text(
        en="Somebody sits down and plays {seat}.", fr="Quelqu'un s'assied et joue {seat}."
    ),
    "model": Text(en="A model now plays {seat}.", fr="Un modèle joue désormais {seat}."),
    "policy": Text(
        en="{seat} now acts by the table's own policy.", fr="{seat} agit désormais selon la table."
    ),
}
LEFT = Text(
    en="The person who played {seat} has left; the seat plays on by itself.",
    fr="La personne qui jouait {seat} est partie ; le siège continue seul.",
)
WAITS = Text(en="waits", fr="attend")
ACTED = {
    "timeout": Text(
        en="hesitates too long; the others go on",
        fr="hésite trop longtemps ; les autres continuent",
    ),
    "fallen": Text(en="cannot act", fr="ne peut agir"),
}
NOTHING_NEW = Text(en="Nothing changes.", fr="Rien ne change.")
UNSEEN = Text(
    en="What {seat} is about, the others do not see.",
    fr="Ce que fait {seat}, les autres ne le voient pas.",
)
WHISPERED = Text(en="{seat} whispers to {to}: “{text}”", fr="{seat} chuchote à {to} : « {text} »")
LEARNED = {
    "dealt": Text(en="Only you know: {text}", fr="Vous seul le savez : {text}"),
    "found": Text(en="You learn: {text}", fr="Vous apprenez : {text}"),
    "revealed": Text(en="{seat} reveals: {text}", fr="{seat} révèle : {text}"),
}
TAKEN_BACK = Text(
    en="{seat} takes the last turn back; all is as it was before. What happens instead?",
    fr="{seat} reprend son dernier tour ; tout est comme avant. Que se passe-t-il à la place ?",
)
UNSAID = Text(en="Taken back: {what}.", fr="Repris : {what}.")
PAUSED = {
    "asked": Text(en="The table pauses.", fr="La table fait une pause."),
    "card": Text(
        en="The X card is on the table. The scene stops here; nobody has to say why. Agree on how to go on, then resume.",
        fr="La carte X est sur la table. La scène s'arrête ici ; personne n'a à dire pourquoi. Convenez de la suite, puis reprenez.",
    ),
}
RESUMED = Text(en="The table goes on.", fr="La table reprend.")
SAFETY = {
    True: Text(
        en="Agreed for everyone to see. Lines, never played: {lines}. Veils, passed over: {veils}.",
        fr="Convenu, à la vue de tous. Lignes, jamais jouées : {lines}. Voiles, passés sous silence : {veils}.",
    ),
    False: Text(en="Lines and veils no longer apply.", fr="Lignes et voiles ne s'appliquent plus."),
}
NOTHING_COMES = Text(en="Nothing comes of it.", fr="Cela ne donne rien.")
WAY_OPENS = Text(en="A way is open: {scene}.", fr="Un passage est ouvert : {scene}.")
SHORT_REST = Text(
    en="An hour passes while you catch your breath.", fr="Une heure passe, le temps de souffler."
)
LONG_REST = Text(
    en="You sleep in turns, and it is another day.",
    fr="Vous dormez à tour de rôle, et un autre jour se lève.",
)
HINT = Text(en="The game master gives a hint: {hint}.", fr="Le maître du jeu suggère : {hint}.")
NONE = Text(en="none", fr="aucune")
LANGUAGE = Text(en="From here on in English.", fr="La suite en français.")
