"""Stations where a seat acts: the DM's, a character's, and the human's."""

from __future__ import annotations

from langgraph.runtime import Runtime

from ruleplay.agents.party import prompts
from ruleplay.agents.party.adapters.tables import Library
from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain import proceedings as p
from ruleplay.agents.party.domain.admission import read_action
from ruleplay.agents.party.domain.choices import Choice, choices
from ruleplay.agents.party.domain.dealings import deal
from ruleplay.agents.party.domain.human_acts import act_for
from ruleplay.agents.party.domain.knowledge import tellable
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.seats import DM, private
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tactics import choose_venture
from ruleplay.agents.party.domain.turns import fight_on, fight_turn, take
from ruleplay.agents.party.domain.understanding import understand
from ruleplay.agents.party.policy.picking import (
    MonsterPlans,
    Pick,
    foes_to_move,
    monster_options,
    pick_problems,
    plan_problems,
    situation,
)
from ruleplay.agents.party.state import Draft, Update, event_of
from ruleplay.foundation.context import Context
from ruleplay.foundation.events import Event
from ruleplay.foundation.propose import propose

PartyRuntime = Runtime[Context[Library]]


async def dm_turn(state: Draft, runtime: PartyRuntime) -> Update:
    """Let the DM act: move the story on, or play all monsters up to the next character."""
    play = play_of(state, runtime)
    if play.table.cast.fight:
        await play_monsters(play, runtime.context)
    else:
        await lead(play, runtime.context)
    return acted(play, DM)


async def lead(play: TableTurn, context: Context[Library]) -> None:
    """Let the DM pick one of what would move the story on."""
    table, book = play.table, play.book
    otherwise = choose_venture(table, book, DM, context.rng("dm"))
    offered = choices(table, book, DM)
    chosen = otherwise
    if asks(play, DM) and len(offered) > 1:
        picked = await propose(
            context,
            "party.dm",
            prompt=lambda: prompts.dm_plan(
                situation(table, book, DM), labelled(offered, play), recalled(table, book, DM)
            ),
            schema=Pick,
            legal=lambda pick: pick_problems(pick, play, DM, offered, most=1),
            otherwise=lambda: Pick(pick=(otherwise.id,) if otherwise else ()),
            audience=private(DM),
        )
        chosen = by_id(offered, picked.value.pick)
    done = bool(chosen and chosen.venture and play.venture(DM, chosen.venture) is None)
    play.finish(DM, "acts" if done else "passes")


async def play_monsters(play: TableTurn, context: Context[Library]) -> None:
    """Let everyone act who is not a character, up to the next character's turn."""
    table, book = play.table, play.book
    plans: dict[str, tuple[str, ...]] = {}
    if asks(play, DM):
        movers = foes_to_move(table)
        picked = await propose(
            context,
            "party.monsters",
            prompt=lambda: prompts.monsters(
                situation(table, book, DM), monster_options(table, book, movers)
            ),
            schema=MonsterPlans,
            legal=lambda wanted: plan_problems(wanted, play, movers),
            otherwise=MonsterPlans,
            audience=private(DM),
        )
        plans = {plan.who: plan.pick for plan in picked.value.plans}
    fight_on(play, plans)
    play.finish(DM)


async def pc_turn(state: Draft, runtime: PartyRuntime, *, name: str) -> Update:
    """Let a character act who is played by a model or by policy."""
    play, context = play_of(state, runtime), runtime.context
    table, book = play.table, play.book
    fighting = table.cast.fight is not None
    otherwise = None if fighting else choose_venture(table, book, name, context.rng(name))
    offered = choices(table, book, name)
    picked: tuple[str, ...] = (otherwise.id,) if otherwise else ()
    if asks(play, name) and len(offered) > 1:
        known = [one.text for one in tellable(table, book, name)]
        proposed = await propose(
            context,
            f"party.{name}",
            prompt=lambda: prompts.pc_plan(
                table.name(name),
                table.personas.get(name, Persona()),
                table.lang,
                situation(table, book, name),
                labelled(offered, play),
                recalled(table, book, name),
                known,
            ),
            schema=Pick,
            legal=lambda pick: pick_problems(pick, play, name, offered, most=3 if fighting else 1),
            otherwise=lambda: Pick(pick=picked),
            audience=private(name),
        )
        picked = proposed.value.pick
    chosen = [one for one in (by_id(offered, (key,)) for key in picked) if one]
    if fighting:
        fight_turn(play, name, chosen)
        play.finish(name)
    else:
        done = bool(chosen) and take(play, name, chosen[0])
        play.finish(name, "acts" if done else "passes")
    return acted(play, name)


async def human_turn(state: Draft, runtime: PartyRuntime) -> Update:
    """Do what a human asks for: an act of the seat that is to move, or something at the table."""
    play, given, seat = play_of(state, runtime), state.given, state.seat
    if given.action is None:
        meant = understand(given.message, play.table, play.book, seat)
    else:
        meant = read_action(given.action)
    if isinstance(meant, a.ANY_TIME):
        deal(play, seat, meant)
        return {"events": as_events(play)}
    act_for(play, play.table.current_turn, meant)
    over = any(isinstance(one, p.TurnPassed) for one in play.done)
    return acted(play, play.table.current_turn) if over else {"events": as_events(play)}


def asks(play: TableTurn, seat: str) -> bool:
    """Tell whether a model is to be asked for a seat: never for a human's, nor for the policy's."""
    return play.table.seats[seat].by == "model"


def labelled(offered: tuple[Choice, ...], play: TableTurn) -> list[tuple[str, str]]:
    """Return options with their names in the table's language."""
    return [(one.id, one.label.of(play.table.lang)) for one in offered]


def by_id(offered: tuple[Choice, ...], ids: tuple[str, ...]) -> Choice | None:
    """Return the first of the options that was picked."""
    return next((one for one in offered if one.id in ids), None)


def play_of(state: Draft, runtime: PartyRuntime) -> TableTurn:
    """Return the turn so far, to be played on."""
    before = state.before
    return TableTurn(state.now.table, runtime.context.world.book(before.adventure, before.source))


def acted(play: TableTurn, seat: str) -> Update:
    """Return what an act brought, and that the seat has acted."""
    return {"events": as_events(play), "acted": [seat]}


def as_events(play: TableTurn) -> list[Event]:
    """Return what happened as events."""
    return [event_of(happening) for happening in play.done]
