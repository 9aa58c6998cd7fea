"""Turns on the real store: the process is rebuilt between any two of them."""

from __future__ import annotations

import asyncio

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import Room, types
from tests.samples import sample

from ruleplay.agents.party.state import State
from ruleplay.kernel.replay import replay
from ruleplay.kernel.turn import state_hash
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.given import Given

ADVENTURES = ("drowned-bell", "glass-orchard")


async def to_the_end(table: Room, limit: int = 1_500) -> int:
    """Play until the adventure ends, in one process; return the number of turns."""
    async with table.session() as session:
        for number in range(limit):
            head = await session.head()
            if State.model_validate_json(head.state).table.mode == "ended":
                return number
            await session.turn(action={"do": "play"})
    raise AssertionError(f"no end after {limit} turns")


@pytest.mark.parametrize("adventure", ADVENTURES)
async def test_an_adventure_plays_to_its_end_and_replays_exactly(
    room: Open, adventure: str
) -> None:
    table = await room(adventure=adventure, seed="7")
    turns = await to_the_end(table)
    assert turns > 20
    view = await table.view()
    assert view["ending"]["text"]
    async with table.session() as session:
        replayed = await replay(session.host, table.id)
    assert replayed.identical, replayed.first_difference
    assert replayed.turns == turns


@pytest.mark.parametrize("adventure", ADVENTURES)
async def test_both_languages_have_the_same_events(
    room: Open, adventure: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    english = await room(adventure=adventure, seed="3", lang="en")
    french = Room(tmp_path_factory.mktemp("fr"))
    await french.lay("3", adventure=adventure, lang="fr")
    for _ in range(sample(20, 60)):
        if (await english.view())["mode"] == "ended":
            break
        one, other = await english.does({"do": "play"}), await french.does({"do": "play"})
        assert one.events == other.events
        # That companions wait is told in neither language.
        assert one.reply != other.reply or one.reply == "…"


async def test_the_same_seed_gives_the_same_state_in_a_fork_too(
    room: Open, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table, other = await room("9"), Room(tmp_path_factory.mktemp("other"))
    await other.lay("9")
    await table.plays(30)
    await other.plays(30)
    assert state_hash(await table.state()) == state_hash(await other.state())
    async with table.session() as session:
        before = state_hash(await table.state())
        fork = await session.fork(20)
        for _ in range(10):
            await fork.turn(action={"do": "play"})
        forked = State.model_validate_json((await fork.head()).state)
    assert state_hash(forked) == before
    assert state_hash(await table.state()) == before


async def test_a_human_fights_in_their_own_words(room: Open) -> None:
    table = await room("2", humans=["thorin"])
    fought: list[str] = []
    for _ in range(120):
        state = await table.state()
        if state.current_turn != "thorin":
            await table.does({"do": "play"})
        elif state.table.mode == "combat":
            turn = await table.says("I attack the nearest one with my longsword", "thorin")
            fought += [str(kind) for kind in types(turn)]
            if "TurnPassed" not in types(turn):
                turn = await table.does({"do": "pass"}, "thorin")
        else:
            option = (await table.view("thorin"))["options"][0]
            turn = await table.does({"do": "choose", "options": [option["id"]]}, "thorin")
        if "AttackRolled" in fought:
            break
    assert "AttackRolled" in fought


@pytest.mark.parametrize(
    ("lang", "message", "answer"),
    [
        ("en", "xyzzy plugh frotz", "How do you mean"),
        ("fr", "xyzzy plugh frotz", "Comment faut-il entendre"),
    ],
)
async def test_what_is_not_understood_is_asked_back(
    room: Open, lang: str, message: str, answer: str
) -> None:
    table = await room(lang=lang, humans=["thorin"])
    await table.does({"do": "play"})
    before = (await table.state()).table
    turn = await table.says(message, "thorin")
    after = (await table.state()).table
    assert types(turn) == ["AskedBack"]
    assert answer in turn.asides[0].text
    assert turn.asides[0].audience == ("dm", "thorin")
    assert (before.cast, before.expedition, before.current_turn) == (
        after.cast,
        after.expedition,
        after.current_turn,
    )


async def test_cancelling_stops_the_model_and_leaves_the_last_commit(room: Open) -> None:
    from tests.foundation.test_turn import BrokenOff

    table, model = await room(model="waits"), BrokenOff()
    async with table.session(model) as session:
        await session.turn(action={"do": "hold", "seat": "dm", "by": "policy"}, seat="dm")
        await session.turn(action={"do": "play"})
        before = await session.head()
        task = session.host.start(table.id, Given(action={"do": "play"}))
        await asyncio.wait_for(model.started.wait(), 60)
        assert session.host.cancel(task.get_name())
        await asyncio.wait_for(model.stopped.wait(), 60)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await session.head() == before


async def test_a_turn_asks_at_most_two_roles_once_and_a_repair_each(room: Open) -> None:
    table = await room(model="script")
    script = {
        "party.dm": ['{"pick": ["dance"]}', '{"pick": ["begin"]}'],
        "party.dm.voice": ["It begins."],
    }
    model = ScriptedModel(script)
    async with table.session(model) as session:
        turn = await session.turn(action={"do": "play"})
    roles = [call.role for call in turn.calls]
    assert set(roles) <= {"party.dm", "party.dm.voice"}
    assert len(model.seen) <= 4
    assert "SceneEntered" in types(turn)


async def test_what_cannot_be_done_any_more_is_not_offered(room: Open) -> None:
    """Who has used up the way to a foe is not told to attack it, and everything offered is done."""
    table = await room("2", humans=["thorin"])
    for _ in range(40):
        view = await table.view("thorin")
        if view["mode"] == "ended":
            break
        if not view["mine"]:
            await table.does({"do": "play"})
            continue
        options = [one["id"] for one in view["options"]]
        turn = await table.does({"do": "choose", "options": options[:1]}, "thorin")
        assert "Refused" not in types(turn), (options[0], turn.asides)
    assert (await table.state()).table.round > 3
