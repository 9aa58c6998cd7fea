"""The game master's beats, applied within the same limits as everybody's acts."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.party.domain.effecting import bring, establish, hushed, like
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.persuading import come_along, promise
from ruleplay.agents.party.domain.scope import things
from ruleplay.agents.party.domain.seats import DM, TABLE
from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.story.acts import Act, Detail, Effect
from ruleplay.story.mentions import mentioned
from ruleplay.story.texts import words_of

LASTING = ("noise", "light", "weather", "hazard")
"""The complications that stay for a while: a mark of their name, or of their words alone."""
CLOCK, QUIET, ASTRAY = 10, 3, 3
"""Minutes that a clock takes; rounds after which somebody has been quiet, or the party is lost."""
TALK = ("said", "whisper", "again")
"""Kinds of memories that bring a story no further."""


def complicate(play: TableTurn, kind: str, text: str, effect: Effect | None) -> None:
    """Complicate the scene, at most once a round and with minor effects only."""
    key = f"scene:complicated:{play.table.round}"
    if play.table.tale.ledger.of(key):
        return
    play.add(t.Tallied(key=key), t.Complicated(kind=kind, text=text))
    if kind in LASTING:
        wished = Effect(kind="mark", what=kind, text=text, amount=3)
        bring(play, DM, (wished,), success=False, band="easy", wished=False)
    elif kind == "clock":
        play.add(t.TimeSpent(minutes=CLOCK))
    elif kind == "loss":
        needed = {
            n.of(play.table.lang) for _, one in play.book.story.gains() for n in one.keepsakes
        }
        kept = [one for one in play.table.tale.keepsakes if one.text not in needed]
        play.add(*(t.KeepsakeGiven(who=one.who, to="", text=one.text) for one in kept[-1:]))
    if effect and effect.kind in ("edge", "mark", "time", "detail"):
        bring(play, DM, (effect,), success=False, band="easy", wished=False)


def npc(play: TableTurn, who: str, how: str, text: str, to: str) -> None:
    """Let a person of the story act by themselves."""
    if who not in people(play.table, play.book):
        return
    play.add(t.PersonActs(person=who, how=how, text=text, to=to))
    if how == "leaves" and who in play.table.tale.followers:
        play.add(t.PersonLeft(person=who))
    elif how == "follows":
        come_along(play, who)
    elif how == "offers" and mentioned(words_of(text), things(play.book)):
        promise(play, Act(do="say", to=who, text=text))
    elif how in ("helps", "hinders"):
        like(play, DM, who, 1 if how == "helps" else -1)


def spotlight(play: TableTurn, seat: str, text: str) -> None:
    """Turn to a seat that has been quiet."""
    play.add(t.Spotlit(seat=seat, text=text), t.Listened(seat=seat))
    if not play.table.is_held(seat):
        play.add(t.SpokenTo(seat=seat, by=DM, text=text[:300]))


def detail(play: TableTurn, text: str) -> None:
    """Let something small hold from now on; what is the author's to say is only told."""
    if not establish(play, DM, Detail(text=text), seen=True) and not hushed(play.table, text):
        play.add(t.Noticed(who=DM, text=text))


def astray(table: Table) -> bool:
    """Whether nothing has come of what the party did for some rounds, so that a hint would help."""
    lines = table.memories[TABLE].lines if TABLE in table.memories else ()
    came = (one.round for one in lines if one.kind not in TALK)
    return table.round - max(came, default=0) >= ASTRAY


def quietest(play: TableTurn, among: Sequence[str]) -> str:
    """Return the character heard least recently, none in the last round; empty for nobody."""
    heard, now = play.table.tale.heard, play.table.round
    quiet = (seat for seat in among if heard.get(seat, 0) < now - 1)
    waiting = [seat for seat in quiet if not play.table.is_fallen(seat)]
    return min(waiting, key=lambda seat: heard.get(seat, 0), default="")


def passed_over(play: TableTurn) -> str:
    """Return the person's character of whom nothing has been heard for several rounds; or ""."""
    table = play.table
    seat = quietest(play, [seat for seat in table.characters if table.is_held(seat)])
    return seat if seat and table.round - table.tale.heard.get(seat, 0) >= QUIET else ""
