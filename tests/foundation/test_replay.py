"""Replay gives what was recorded, and says where it does not."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from lectern import MINUTE, Lapse
from tests.samples import PROOF

from ruleplay.errors import ModelError
from ruleplay.kernel.replay import Replayed, replay, replay_turn
from ruleplay.models.scripted import Reply, Script, ScriptedModel
from ruleplay.records.events import Json

if TYPE_CHECKING:
    from duel.table import Tables

    from ruleplay.kernel.session import Session

CHILD = Path(__file__).parent / "children" / "play_duel.py"
HASH_SEEDS = ("0", "4242", *("1", "17", "99") * PROOF)
ROLES = ("duel.stance", "duel.omen", "duel.narrator")
STANCE = '{"stance": "bold", "force": 2}'
OMEN = '{"sign": "a white hart"}'


async def assert_replays(duel: Session, turns: int) -> Replayed:
    found = await replay(duel.host, duel.id)
    assert found.first_difference is None
    assert (found.identical, found.turns) == (True, turns)
    assert found.hash_recorded == found.hash_replayed
    return found


async def test_policy_turns_replay_identically(tables: Tables) -> None:
    duel = await tables.duel()
    for n in range(20):
        await duel.turn(f"blow {n}", seat=("red", "blue")[n % 2])
    found = await assert_replays(duel, 20)
    assert found.hash_recorded == (await duel.turns())[-1].state_hash


async def test_a_session_without_turns_replays(tables: Tables) -> None:
    await assert_replays(await tables.duel(), 0)


async def test_model_turns_replay_without_the_model(tables: Tables) -> None:
    script: Script = {
        "duel.stance": [STANCE, '{"stance": "bold", "force": 99}', "garbage", "garbage", STANCE],
        "duel.omen": [OMEN, ModelError("down"), '{"Sign": "a raven"}'],
        "duel.narrator": ["A blow. Red hits Blue for 99.", "", "Steel rings", ModelError("down")],
    }
    duel = await tables.duel(model=ScriptedModel(script), roles=ROLES)
    for n in range(3):
        await duel.turn(f"blow {n}")
    assert [len(call.refusals) for turn in await duel.turns() for call in turn.calls].count(0) < 6
    elsewhere = await tables.host()
    duel.host = elsewhere
    await assert_replays(duel, 3)


async def test_turns_of_an_earlier_edition_are_applied_not_decided_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = await tables.duel()
    await duel.turn("En garde!")
    agent = duel.host.find_agent("duel")
    monkeypatch.setattr(type(agent), "edition", agent.edition + 1)
    monkeypatch.setattr("duel.nodes.AIM", 99)  # by today's rules no blow would ever land
    await duel.turn("Have at you!", seat="blue")
    found = await assert_replays(duel, 2)
    assert found.earlier == 1
    (first, _) = await duel.turns()
    forged = first.model_copy(update={"state_hash": "0" * 64})
    head, _ = await duel.host.store.read(duel.id)
    state = agent.new(agent.config_type(), Random(f"{head.seed}/new"))
    _, difference = await replay_turn(duel.host, head, state, forged)
    assert "state_hash" in difference


async def test_a_deadline_replays_as_a_deadline(tables: Tables) -> None:
    script: Script = {
        "duel.stance": [[STANCE[:5], Lapse()]],
        "duel.narrator": [["Steel rings. Red h", Lapse()]],
    }
    host = await tables.host(ScriptedModel(script), propose_seconds=MINUTE, tell_seconds=MINUTE)
    duel = await tables.duel(host, roles=("duel.stance", "duel.narrator"))
    turn = await duel.turn("En garde!")
    ends = [reply.end for call in turn.calls for reply in call.replies]
    assert ends == ["deadline", "deadline"]
    assert turn.reply.startswith("Steel rings.")
    duel.host = await tables.host()
    await assert_replays(duel, 1)


async def test_a_model_that_thinks_first_replays_under_other_settings(tables: Tables) -> None:
    script = ["I will say 77.</think>Steel rings."]
    host = await tables.host(ScriptedModel(script), thinks_first=("scripted",))
    duel = await tables.duel(host, roles=("duel.narrator",))
    turn = await duel.turn("En garde!")
    assert turn.reply.startswith("Steel rings.")
    duel.host = await tables.host()
    await assert_replays(duel, 1)


@pytest.mark.parametrize("slow", ["duel.stance", "duel.omen"])
async def test_parallel_branches_are_recorded_in_one_order(tables: Tables, slow: str) -> None:
    words = {"duel.stance": STANCE, "duel.omen": OMEN}
    script: Script = {role: [[0.1 if role == slow else 0.0, said]] for role, said in words.items()}
    duel = await tables.duel(model=ScriptedModel(script), roles=("duel.stance", "duel.omen"))
    turn = await duel.turn("En garde!")
    kinds = [event["type"] for event in turn.events]
    assert kinds[:2] == ["StanceTaken", "OmenSeen"]
    assert {call.role: call.source for call in turn.calls}["duel.omen"] == "model"
    await assert_replays(duel, 1)


async def test_forks_and_other_branches_replay(tables: Tables) -> None:
    duel = await tables.duel()
    for n in range(5):
        await duel.turn(f"blow {n}")
    fork = await duel.fork(3)
    await fork.turn("another way", seat="blue")
    await duel.edit(2, "no, so")
    await duel.turn("and on")
    await assert_replays(fork, 4)
    await assert_replays(duel, 3)


Tamper = Callable[[Json], None]


def change_damage(turn: Json) -> None:
    turn["events"][2]["damage"] += 1  # type: ignore[index,operator,call-overload]  # JSON


def drop_event(turn: Json) -> None:
    events: list[Json] = turn["events"]  # type: ignore[assignment]  # JSON
    events.pop()


def change_reply(turn: Json) -> None:
    turn["reply"] = "Nothing happened."


def change_hash(turn: Json) -> None:
    turn["state_hash"] = "0" * 64


def change_model_reply(turn: Json) -> None:
    calls: list[Json] = turn["calls"]  # type: ignore[assignment]  # JSON
    (replies,) = (call["replies"] for call in calls if call["role"] == "duel.stance")
    replies[0]["text"] = '{"stance": "wary", "force": 0}'  # type: ignore[index,call-overload]  # JSON


def drop_outside(turn: Json) -> None:
    turn["outside"] = {}


def change_outside(turn: Json) -> None:
    outside: Json = turn["outside"]  # type: ignore[assignment]  # JSON
    outside['weather {"seat": "red"}'] = ["fog" if "clear" in str(outside) else "clear"]


def empty_message(turn: Json) -> None:
    turn["given"] = {}


def change_seat(turn: Json) -> None:
    turn["seat"] = "green"


@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        (change_damage, "events"),
        (drop_event, "events"),
        (change_reply, "reply"),
        (change_hash, "state_hash"),
        (change_model_reply, "events"),
        (drop_outside, "error"),
        (change_outside, "events"),
        (empty_message, "error"),
        (change_seat, "error"),
    ],
)
async def test_a_changed_record_is_found_where_it_was_changed(
    table: Tables, tamper: Tamper, what: str
) -> None:
    model = ScriptedModel({"duel.stance": [STANCE] * 4})
    duel = await table.duel(model=model, roles=("duel.stance",))
    for n in range(4):
        await duel.turn(f"blow {n}")
    turn = (await duel.turns())[2]
    rewrite(table.home / "ruleplay.db", turn.id, tamper)
    found = await replay(duel.host, duel.id)
    assert not found.identical
    assert found.first_difference is not None
    assert (found.first_difference["turn"], found.first_difference["number"]) == (turn.id, 3)
    assert what in found.first_difference


TEXTS = ("events", "calls", "outside", "given")


def rewrite(path: Path, turn: str, tamper: Tamper) -> None:
    """Change a stored turn behind the store's back."""
    columns = (*TEXTS, "reply", "state_hash", "seat")
    with closing(sqlite3.connect(path)) as connection, connection:
        values = connection.execute(
            f"SELECT {', '.join(columns)} FROM turns WHERE id = ?", (turn,)
        ).fetchone()
        row: Json = dict(zip(columns, values, strict=True))
        for name in TEXTS:
            row[name] = json.loads(str(row[name]))
        tamper(row)
        for name in TEXTS:
            row[name] = json.dumps(row[name])
        sets = ", ".join(f"{name} = ?" for name in columns)
        connection.execute(
            f"UPDATE turns SET {sets} WHERE id = ?", (*(str(row[name]) for name in columns), turn)
        )


def test_no_hash_seed_changes_a_state(tmp_path: Path) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, CHILD, str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in HASH_SEEDS
    ]
    printed = [json.loads(child.communicate(timeout=120)[0]) for child in running]
    assert printed[0]["turns"] == 12
    assert len({json.dumps(one, sort_keys=True) for one in printed}) == 1


async def test_a_truncated_answer_is_not_taken_in_replay_either(table: Tables) -> None:
    script: Script = {"duel.stance": [Reply((STANCE,), finish_reason="length"), "no"]}
    duel = await table.duel(model=ScriptedModel(script), roles=("duel.stance",))
    turn = await duel.turn("En garde!")
    assert turn.calls[0].source == "policy"
    await assert_replays(duel, 1)
