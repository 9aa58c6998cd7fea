"""What a model may pick, why its pick is not taken, and the situation it picks in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice, fight_choices
from ruleplay.agents.party.domain.intents import Short
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.terms_text import CONDITIONS, HEALTH, health
from ruleplay.agents.party.domain.texts import Frozen
from ruleplay.agents.party.domain.turns import trial

MONSTERS, OPTIONS = 12, 8
"""Adversaries that one proposal is for, and options of each that are listed."""
TEXT = 500


class Pick(Frozen):
    """Options by id, in the order in which they are done; none to wait."""

    pick: Annotated[tuple[Short, ...], Field(max_length=3)] = ()


class MonsterPlan(Pick):
    """What one of the adversaries does."""

    who: Short


class MonsterPlans(Frozen):
    """What all adversaries of a side do; those without a plan follow their nature."""

    plans: Annotated[tuple[MonsterPlan, ...], Field(max_length=MONSTERS)] = ()


def pick_problems(
    pick: Pick, play: TableTurn, seat: str, offered: Sequence[Choice], *, most: int
) -> list[str]:
    """Return why a pick is not taken: no such option, too many, or the rules say no."""
    known = {one.id: one for one in offered}
    if strange := [key for key in pick.pick if key not in known]:
        return [f"no option {key!r}; copy an id from the list" for key in strange]
    if len(pick.pick) > most:
        return [f"{len(pick.pick)} options; pick at most {most}"]
    chosen = [known[key] for key in pick.pick]
    return [trial(play, seat, chosen)] if chosen and trial(play, seat, chosen) else []


def plan_problems(wanted: MonsterPlans, play: TableTurn, movers: Sequence[str]) -> list[str]:
    """Return why plans are not taken: who is not to move, and options that are not there."""
    problems: list[str] = []
    for plan in wanted.plans:
        if plan.who not in movers:
            problems.append(f"{plan.who!r} is not yours to move")
            continue
        known = {one.id for one in fight_choices(play.table, play.book, plan.who)}
        problems += [f"{plan.who}: no option {key!r}" for key in plan.pick if key not in known]
    return problems


def foes_to_move(table: Table) -> tuple[str, ...]:
    """Return who moves in the DM's turn: from the actor on, up to the next character."""
    fight = table.cast.fight
    if fight is None:
        return ()
    order = (*fight.order[fight.turn :], *fight.order[: fight.turn])
    movers: list[str] = []
    for who in order:
        if who in table.seats:
            break
        one = table.cast.get(who)
        if one and one.present and one.conscious:
            movers.append(who)
    return tuple(movers[:MONSTERS])


def monster_options(table: Table, book: Book, movers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each adversary with its options, one a line."""
    for who in movers:
        offered = fight_choices(table, book, who)[:OPTIONS]
        rows = "\n".join(f"- {one.id}: {one.label.of(table.lang)}" for one in offered)
        yield f"{who} ({table.name(who)})", rows


def situation(table: Table, book: Book, seat: str) -> str:
    """Return how things stand for a seat: a fight's order, or the scene; numbers of the party."""
    return "\n".join(_fight(table, seat) if table.cast.fight else _scene(table, book))


def _scene(table: Table, book: Book) -> Iterator[str]:
    now, lang = table.expedition, table.lang
    if not now.begun:
        yield book.story.intro.of(lang)[:TEXT]
        return
    scene = book.story.scenes[now.scene]
    yield f"{scene.name.of(lang)}: {scene.text.of(lang)[:TEXT]}"
    yield from _party(table)


def _party(table: Table) -> Iterator[str]:
    for one in table.party:
        yield f"- {one.name.of(table.lang)} ({one.id}): {one.hp}/{one.max_hp} HP"


def _fight(table: Table, seat: str) -> Iterator[str]:
    fight, lang = table.cast.fight, table.lang
    if fight is None:
        return
    yield f"Round {fight.round}. To move: {fight.actor}."
    for who in fight.order:
        one = table.cast.get(who)
        if one is None or not one.present:
            continue
        shown = who in table.seats or seat == DM
        numbers = f"{one.hp}/{one.max_hp} HP" if shown else HEALTH[health(one)].of(lang)
        upon = "".join(f", {CONDITIONS[key].of(lang)}" for key in one.conditions)
        yield f"- {one.name.of(lang)} ({who}, {one.side}): {numbers}, at {one.position} ft{upon}"
