"""A fight in the session's tree: undone, forked, edited, told anew, asked twice; and how it ends.

Everything goes through the store, with the process rebuilt in between.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from tests.agents.saga.conftest import Sit, Table
from tests.samples import sample

from ruleplay.errors import Conflict
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.records.turns import Turn

BLOWS = (
    "attack Rudge",
    "j'attaque Tam",
    "I drink a potion and hit Rudge",
    "je me défends",
    "I raise my guard",
    "attack the king",
    "intimidate Tam",
    "status",
    "flee",
    "attack",
    "begin",
    "je retourne au combat",
)


async def fighting(sit: Sit, seed: str = "1", **config: object) -> Table:
    table = await sit(seed, **config)
    for said in ("begin", "go to the Greenway", "attack"):
        await table.say(said)
    return table


Kept = tuple[str, str | None, int, str, str]
Stands = tuple[list[Kept], Json]


def kept(*turns: Turn) -> list[Kept]:
    """Return what is kept of turns: place in the tree, events and reply."""
    return [(t.id, t.parent, t.number, json.dumps(t.events), t.reply) for t in turns]


async def branch(session: Session) -> list[Kept]:
    return kept(*await session.turns())


async def everything(session: Session) -> Stands:
    return await branch(session), await session.view()


async def test_the_same_key_is_the_same_blow_in_the_next_process_too(sit: Sit) -> None:
    table = await fighting(sit)
    async with table.session() as session:
        struck = await session.turn("attack Rudge", key="blow-1")
        stands = await everything(session)
    async with table.session() as session:
        again = await session.turn("attack Rudge", key="blow-1")
        assert kept(again) == kept(struck)
        assert await everything(session) == stands


async def test_a_blow_sent_twice_at_once_falls_once(sit: Sit) -> None:
    table = await fighting(sit)
    async with table.session() as session:
        both = await asyncio.gather(*(session.turn("attack Rudge", key="blow-1") for _ in range(4)))
        assert len({turn.id for turn in both}) == 1
        turns, view = await everything(session)
        assert len(turns) == 4
        dice = [event for event in both[0].events if event["type"] == "Attacked"]
        assert view["draws"] == 3 + 2 * len(dice)


@pytest.mark.parametrize("seed", range(sample(3, 6)))
async def test_whatever_is_done_to_the_tree_each_branch_replays(sit: Sit, seed: int) -> None:
    table = await fighting(sit, seed=f"tree-{seed}", lang="fr" if seed % 2 else "en")
    rng = Random(seed)
    forks: list[tuple[str, Stands]] = []
    for _ in range(24):
        async with table.session() as session:
            await _meddle(session, rng, forks)
    async with table.session() as session:
        for ident in (table.id, *(ident for ident, _ in forks)):
            assert (await replay(session.host, ident)).identical
        for ident, stood in forks:
            assert await everything(Session(session.host, ident)) == stood
        turns = await session.turns()
    for one, other in pairwise(turns):
        assert other.parent == one.id


async def _meddle(session: Session, rng: Random, forks: list[tuple[str, Stands]]) -> None:
    """Do one thing to the tree; a telling anew has the same dice, an edited turn new events."""
    turns = await session.turns()
    before = kept(*turns)
    match rng.choice(("say", "say", "say", "undo", "regenerate", "edit", "fork")):
        case "undo" if len(before) > 3:
            await session.undo()
            assert await branch(session) == before[:-1]
        case "regenerate":
            again = await session.regenerate()
            assert again.events == turns[-1].events
            assert again.id != turns[-1].id
        case "edit" if len(before) > 3:
            number = rng.randint(max(4, len(before) - 2), len(before))
            edited = await session.edit(number, rng.choice(BLOWS))
            assert await branch(session) == [*before[: number - 1], *kept(edited)]
        case "fork":
            stood = await everything(session)
            forked = await session.fork(rng.randint(min(3, len(before)), len(before)))
            await forked.turn(rng.choice(BLOWS))
            assert await everything(session) == stood
            forks.append((forked.id, await everything(forked)))
        case _:
            said = await session.turn(rng.choice(BLOWS))
            assert await branch(session) == [*before, *kept(said)]


async def play_out(table: Table, say: Callable[[Json], str]) -> list[Turn]:
    """Fight on until it is over; each message through a process of its own."""
    turns: list[Turn] = []
    for _ in range(45):
        view = await table.view()
        if view["session_mode"] != "combat":
            return turns
        turns.append(await table.say(say(view)))
    raise AssertionError("the fight never ended")


def strike(view: Json) -> str:
    foes = [o for o in view["combat"]["order"] if o["side"] == "foes" and o["alive"]]
    foe = min((o for o in foes if not o["fled"]), key=lambda one: one["hp"])
    return f"attack {foe['name']}"


SAYS: dict[str, tuple[Callable[[Json], str], tuple[str, ...]]] = {
    "player_win": (strike, ("4", "1", "2", "3")),
    "npc_flee": (strike, ("1", "2", "3", "5", "6", "7")),
    "player_flee": (lambda _: "I flee", ("1",)),
    "player_die": (lambda _: "I wait", ("1", "2")),
    "forced_end": (lambda _: "end the fight", ("1",)),
}


@pytest.mark.parametrize("outcome", SAYS)
async def test_every_outcome_is_reached_and_the_story_goes_on(sit: Sit, outcome: str) -> None:
    say, seeds = SAYS[outcome]
    for seed in seeds:
        table = await fighting(sit, seed=seed)
        before = await table.view()
        turns = await play_out(table, say)
        view = await table.view()
        if view["last_combat_result"]["outcome"] == outcome:
            break
    else:
        raise AssertionError(f"{outcome} was never reached")
    ended = [e for turn in turns for e in turn.events if e["type"] == "CombatEnded"]
    assert [one["outcome"] for one in ended] == [outcome]
    assert view["combat_state"] is None
    assert view["output"]["type"] == "CombatTurnEndPayload"
    assert view["output"]["outcome"] == outcome
    assert view["output"]["rewards"]["summary"]
    assert view["sheet"]["hp"] == ended[0]["hp"]
    won = outcome in ("player_win", "npc_flee")
    assert (view["sheet"]["xp"] > before["sheet"]["xp"]) is won
    assert view["dead"] is (outcome == "player_die")
    place = {"player_flee": "inn"}.get(outcome, "greenway")
    assert view["scene"]["place"] == place
    await _goes_on(table, outcome)
    async with table.session() as session:
        assert (await replay(session.host, table.id)).identical


async def _goes_on(table: Table, outcome: str) -> None:
    """Take the next step in the story: after death there is a choice first."""
    if outcome == "player_die":
        assert "accept death" in (await table.say("go to the inn")).reply
        back = await table.say("come back to life")
        assert "Returned" in [event["type"] for event in back.events]
        assert (await table.view())["sheet"]["hp"] > 0
    await table.say("look around")
    assert (await table.view())["output"]["type"] == "NarrativeResponsePayload"


async def test_a_fight_that_makes_no_sense_is_called_off(sit: Sit) -> None:
    """A stored fight that the rules cannot go on with ends as `error_abort`, not in an error."""
    table = await fighting(sit)
    (file,) = table.settings.home.glob("*.db")
    with sqlite3.connect(file) as stored:
        (state,) = stored.execute("SELECT state FROM sessions").fetchone()
        body = json.loads(state)
        body["game"]["fight"]["order"].append("nobody")
        body["game"]["fight"]["initiative"].append(1)
        stored.execute("UPDATE sessions SET state = ?", (json.dumps(body),))
    stored.close()
    turn = await table.say("attack Rudge")
    assert "called off" in turn.reply
    view = await table.view()
    assert view["last_combat_result"]["outcome"] == "error_abort"
    assert view["session_mode"] == "narrative"
    assert view["sheet"]["xp"] == 0
    await table.say("go to the inn")
    assert (await table.view())["scene"]["place"] == "inn"


async def test_a_session_that_two_want_to_change_at_once_tells_the_later_one(sit: Sit) -> None:
    table = await fighting(sit)
    async with table.session() as one, table.session() as other:
        played = await asyncio.gather(
            one.turn("attack Rudge"), other.turn("attack Tam"), return_exceptions=True
        )
        kept = [turn for turn in played if isinstance(turn, Turn)]
        lost = [turn for turn in played if isinstance(turn, Conflict)]
        assert len(kept) + len(lost) == 2
        assert len(await one.turns()) == 3 + len(kept)
        assert (await replay(one.host, table.id)).identical
