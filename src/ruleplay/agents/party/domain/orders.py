"""What companions are held to: by their own word, or by that of the person whom they follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.choices import ENCOUNTERS, HARMS, Choice
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings.tale import Vowed
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import ANYBODY, HERE, LAST, NOBODY, Order
from ruleplay.story.acts import Act

AT_FOES = (*HARMS, "grapple", "shove", "ready", "move", "dash")
"""Steps that somebody who strikes nobody does not take towards foes."""


def vow(
    play: TableTurn,
    seat: str,
    text: str,
    *,
    harms: str = "",
    keeps: str = "",
    deed: Act | None = None,
) -> None:
    """Hold a companion to their word; whom or where nobody knows binds as far as it is known.

    Who stays with a person of the story stays in the place.
    """
    table, names = play.table, {*(one.strip() for one in harms.split(",") if one.strip())}
    foes = {one.id for one in table.cast.foes_of(seat)} if table.cast.fight else set[str]()
    known = names & {NOBODY, ANYBODY} or names & foes or ({NOBODY} if names else set[str]())
    if keeps in people(table, play.book):
        keeps = HERE
    if keeps not in (HERE, LAST, *table.characters) or keeps == seat:
        keeps = ""
    play.add(
        Vowed(
            seat=seat,
            text=text,
            harms=",".join(sorted(known)),
            keeps=keeps,
            deed=deed,
            amid=table.cast.fight is not None,
        )
    )


def hold_back(play: TableTurn, seat: str, whom: Sequence[str]) -> None:
    """Let companions strike nobody whom a person asks for peace; what they answer may say more."""
    for one in whom if seat in play.table.characters else ():
        if one in play.table.characters and one != seat and not play.table.is_held(one):
            vow(play, one, "", harms=NOBODY, keeps=play.table.tale.order(one).keeps)


def order_of(table: Table, who: str) -> Order:
    """Return what a character is held to; one that binds them to nothing, if that is all."""
    held = table.is_held(who) or who not in table.characters
    return Order(seat=who) if held else table.tale.order(who)


def allows(table: Table, who: str, step: Intent) -> bool:
    """Whether a step is within what its actor is held to."""
    order = order_of(table, who)
    if not (order.harms or order.keeps):
        return True
    friends = {one.id for one in table.party}
    aimed = {*step.aimed} - friends - {""}
    if order.harms and step.act in AT_FOES and not aimed <= {*order.harms.split(",")}:
        return False
    if order.harms == NOBODY and step.act in ("ready", "dash"):
        return False
    if order.keeps == LAST:
        return step.act != "flee" or not _others(table, who)
    beside = guarded(table, who)
    return not beside or step.act not in ("move", "dash", "flee") or step.target == beside


def _others(table: Table, who: str) -> bool:
    """Whether others of the party are still on their feet in a fight."""
    return any(one.conscious for one in table.cast.friends_of(who))


def guarded(table: Table, who: str) -> str:
    """Return whom somebody stays beside in a fight, as long as they are there; else ""."""
    beside = order_of(table, who).keeps
    friends = table.cast.friends_of(who) if beside and table.cast.fight else ()
    return next((one.id for one in friends if one.id == beside), "")


def within(table: Table, who: str, offered: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return those options that are within what somebody is held to."""
    holds_back = order_of(table, who).harms
    return tuple(
        one
        for one in offered
        if all(allows(table, who, step) for step in one.steps)
        and not (holds_back and one.venture and one.venture.act in ENCOUNTERS)
    )


def kept(table: Table, who: str, wanted: Iterator[Intent]) -> Iterator[Intent]:
    """Propose what somebody does within what they are held to: it comes before all else.

    Who stays beside somebody goes there, and readies a blow where nobody is within reach.
    """
    me, beside = table.cast.the(who), guarded(table, who)
    if beside and table.cast.distance(who, beside) > REACH:
        yield Intent(act="move", target=beside, distance=REACH)
    blow = next((one.key for one in me.attacks if one.reach), "") if beside else ""
    ready = Intent(act="ready", what=blow)
    for step in wanted:
        if step.act == "dodge" and blow and allows(table, who, ready):
            yield ready
        if allows(table, who, step):
            yield step
