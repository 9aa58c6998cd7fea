"""What a message wanted besides and there was no room for: why, and how it is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ruleplay.story.texts import Lang, Text

Undone = Literal[
    "", "vain", "fight", "over", "ended", "turn", "later", "far", "barred", "moment", "ready"
]
"""Why something is left undone: what it followed was in vain, a fight broke out or is over, the
story or the turn has ended, it is somebody else's turn, the way led too far for one turn, foes
stand in it, the moment it was readied for has not come, or it is held ready for one."""
TEXTS: dict[Undone, Text] = {
    "": Text(en="Still open: {what}.", fr="Encore à faire : {what}."),
    "vain": Text(
        en="Not done, for it hung on that: {what}.", fr="Rien de fait, faute de cela : {what}."
    ),
    "fight": Text(
        en="No time for it, now that it has come to a fight: {what}.",
        fr="Plus le temps, maintenant que l'on se bat : {what}.",
    ),
    "over": Text(
        en="The fight is over; still open: {what}.",
        fr="Le combat est fini ; encore à faire : {what}.",
    ),
    "ended": Text(en="It was over before this: {what}.", fr="Tout était fini avant cela : {what}."),
    "turn": Text(
        en="This turn has no room left for: {what}.",
        fr="Ce tour n'en laisse plus le temps : {what}.",
    ),
    "later": Text(en="Kept for your turn: {what}.", fr="Gardé pour votre tour : {what}."),
    "barred": Text(
        en="They stand in that way, so it was the way back: {what}.",
        fr="Ils tiennent ce chemin-là, il ne restait que le retour : {what}.",
    ),
    "moment": Text(en="It did not come to this: {what}.", fr="On n'en est pas venu là : {what}."),
    "ready": Text(en="Held ready: {what}.", fr="Gardé prêt : {what}."),
    "far": Text(
        en="You have come this far. Go on? Still open: {what}.",
        fr="Vous voilà arrivé jusque-là. On continue ? Encore à faire : {what}.",
    ),
}
QUOTED = Text(en="“{0}”", fr="«\u00a0{0}\u00a0»")


def told(texts: Sequence[str], why: Undone, lang: Lang) -> str:
    """Return what is said of it: all of it, in the words of whoever wanted it, with the reason."""
    return TEXTS[why].of(lang).format(what=quoted(texts, lang))


def quoted(texts: Sequence[str], lang: Lang) -> str:
    """Return several words of somebody's, each in quotation marks."""
    return ", ".join(QUOTED.of(lang).format(one) for one in texts)
