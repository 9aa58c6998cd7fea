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

REASONS = {
    "not_your_move": Text(
        en="{about} is to move. You may speak, whisper, ask; the rest waits for your turn.",
        fr="C'est à {about} de jouer. Vous pouvez parler, chuchoter, demander ; le reste attendra votre tour.",
    ),
    "unheard": Text(
        en="No model could read that in time. The same words may be sent again.",
        fr="Aucun modèle n'a pu lire cela à temps. Vous pouvez renvoyer les mêmes mots.",
    ),
    "how_undo": Text(
        en="Others sit at this table, or nothing was done yet: a turn is taken back for everybody, with Undo on the page or /undo in the terminal, and this question counts as one.",
        fr="D'autres sont à cette table, ou rien n'a encore été fait : on reprend un tour pour tous, avec Reprendre sur la page ou /undo dans le terminal, et cette question en compte un.",
    ),
    "how_retell": Text(
        en="A turn is told anew with Regenerate on the page; the dice stay as they fell.",
        fr="On fait raconter à nouveau avec Régénérer sur la page ; les dés restent tels qu'ils sont tombés.",
    ),
    "how_leave": Text(
        en="Nobody holds this seat; it plays by itself.",
        fr="Personne ne tient ce siège ; il joue seul.",
    ),
    "how_end": Text(
        en="The story goes on as long as somebody plays it: leave your seat, or pause the table with /pause.",
        fr="L'histoire continue tant qu'on la joue : quittez votre siège, ou mettez la table en pause avec /pause.",
    ),
    "no_such_thing": Text(
        en="There is no “{about}” here. You could: {hints}.",
        fr="Il n'y a pas de « {about} » ici. Vous pouvez : {hints}.",
    ),
    "not_so": Text(
        en="That does not hold, for it is the story's or the rules' to say: “{about}”.",
        fr="Cela ne vaut pas, c'est à l'histoire ou aux règles de le dire : « {about} ».",
    ),
    "line": Text(
        en="The table agreed not to play this: {about}.",
        fr="La table a convenu de ne pas jouer cela : {about}.",
    ),
    "whom": Text(en="To whom? There are: {seats}.", fr="À qui ? Il y a : {seats}."),
    "no_secret": Text(
        en="You know nothing of that kind to tell.", fr="Vous ne savez rien de tel à révéler."
    ),
    "over": Text(
        en="This adventure has ended. Start another, or take a turn back.",
        fr="Cette aventure est finie. Commencez-en une autre, ou annulez un tour.",
    ),
    "no_card": Text(
        en="Nobody has opted into the safety tools; agree on them first.",
        fr="Personne n'a activé les outils de sécurité ; convenez-en d'abord.",
    ),
    "not_now": Text(
        en="That is not possible now. You could: {hints}.",
        fr="Ce n'est pas possible maintenant. Vous pouvez : {hints}.",
    ),
}
"""Why something is refused by the table itself; the rules have reasons of their own."""

NOT_YOURS = {
    "paused": Text(
        en="the table is paused; send the action resume to go on",
        fr="la table est en pause ; envoyez l'action resume pour continuer",
    ),
    "over": Text(
        en="this adventure has ended; start another, or take a turn back",
        fr="cette aventure est finie ; commencez-en une autre, ou annulez un tour",
    ),
    "turn": Text(
        en="it is {current}'s move, not {seat}'s; wait, whisper, or speak with the action say",
        fr="c'est à {current} de jouer, pas à {seat} ; attendez, chuchotez, ou parlez avec l'action say",
    ),
    "held": Text(
        en="a person plays {seat}; nobody speaks for them. They act, pass, or their time runs out",
        fr="une personne joue {seat} ; nul ne parle à sa place. Elle agit, passe, ou son temps s'écoule",
    ),
    "not_held": Text(
        en="nobody is waited for at {seat}; send the action play",
        fr="on n'attend personne au siège {seat} ; envoyez l'action play",
    ),
    "spectator": Text(
        en="the table's own seat only watches; sit down at one of {seats}",
        fr="le siège de la table ne fait que regarder ; asseyez-vous à l'un de {seats}",
    ),
    "taken": Text(
        en="{seat} is taken; the person there has to leave first",
        fr="{seat} est pris ; la personne assise doit d'abord partir",
    ),
    "free": Text(en="nobody sits at {seat}", fr="personne n'est assis au siège {seat}"),
    "seat": Text(
        en="no seat {seat!r} here; the seats are {seats}",
        fr="pas de siège {seat!r} ici ; les sièges sont {seats}",
    ),
    "dm_only": Text(en="only the DM may do that", fr="seul le MJ peut faire cela"),
    "action": Text(
        en="this action cannot be read: {about}; see the actions in the agent's page",
        fr="cette action est illisible : {about} ; voyez les actions dans la page de l'agent",
    ),
    "empty": Text(
        en="the message is empty; say what {seat} does, or send the action pass",
        fr="le message est vide ; dites ce que fait {seat}, ou envoyez l'action pass",
    ),
}
"""Why an input is not admitted; nothing changes then."""
