"""What the seed asks of the session: modes, histories, persistence, transitions; on the real store.

The process is rebuilt between any two messages.
"""

from __future__ import annotations

import pytest
from tests.agents.saga.conftest import Sit, Table
from tests.agents.saga.walks import WALKS, Walk, fight, take

from ruleplay.kernel.replay import replay
from ruleplay.records.turns import Turn


def types(turn: Turn) -> list[object]:
    return [event["type"] for event in turn.events]


def payload(turn: Turn) -> object:
    return turn.events[-1]["payload"]


async def at_the_toll(sit: Sit, seed: str = "1", **config: object) -> Table:
    table = await sit(seed, **config)
    await table.say("begin")
    await table.say("go to the Greenway")
    return table


async def messages(table: Table, channel: str) -> list[str]:
    async with table.session() as session:
        head = await session.head()
        lines = await session.host.store.messages(head.head, channel, 50)
    return [line.text for line in lines]


async def test_dispatcher_modes(sit: Sit) -> None:
    table = await at_the_toll(sit)
    assert (await table.view())["session_mode"] == "narrative"
    triggered = await table.say("attack")
    assert payload(triggered) == "NarrativeTriggerCombatPayload"
    assert (await table.view())["session_mode"] == "combat"
    blow = await table.say("attack Rudge")
    assert str(payload(blow)).startswith("CombatTurn")


async def test_dispatcher_loads_correct_history(sit: Sit) -> None:
    table = await at_the_toll(sit)
    await table.say("attack")
    view = await table.view()
    channel = f"combat:{view['combat']['combat_id']}"
    await table.say("attack Rudge")
    story, blows = await messages(table, "narrative"), await messages(table, channel)
    assert "begin" in story
    assert "attack" in story
    assert "attack Rudge" not in story
    assert blows[::2] == ["attack", "attack Rudge"]  # how it began is told in the fight's as well


async def test_narrative_trigger_combat(sit: Sit) -> None:
    table = await at_the_toll(sit)
    turn = await table.say("attack")
    fight_state = (await table.view())["combat_state"]
    cast = {one["id"]: one for one in fight_state["combatants"]}
    assert set(cast) == {"hero", "foe1", "foe2"}
    assert all(one["hp"] == one["max_hp"] for one in cast.values())
    assert set(fight_state["order"]) == set(cast)
    assert "initiative: Halla" in turn.reply


async def test_combat_state_persistence(sit: Sit) -> None:
    table = await at_the_toll(sit)
    await table.say("attack")
    before = (await table.view())["combat_state"]
    for _ in range(3):
        turn = await table.say("attack Rudge")
        after = (await table.view())["combat_state"]
        if after is None:
            break
        hp = {one["id"]: one["hp"] for one in before["combatants"]}
        for event in turn.events:
            if event["type"] == "HitPointsChanged":
                hp[event["who"]] += event["amount"]
                assert hp[event["who"]] == event["hp"]
        assert hp == {one["id"]: one["hp"] for one in after["combatants"]}
        before = after


async def test_combat_death_detection_and_end_to_narrative(sit: Sit) -> None:
    table = await at_the_toll(sit, seed="4")
    await table.say("attack")
    turns = await fight("en", table.say, table.view)
    died = {e["who"] for turn in turns for e in turn.events if e["type"] == "Died"}
    emptied = {
        e["who"]
        for turn in turns
        for e in turn.events
        if e["type"] == "HitPointsChanged" and e["hp"] == 0
    }
    assert died == emptied
    assert died
    view = await table.view()
    assert view["session_mode"] == "narrative"
    assert view["combat_state"] is None
    assert view["last_combat_result"]["outcome"] in ("player_win", "npc_flee")
    assert view["output"]["type"] == "CombatTurnEndPayload"
    ended = next(e for e in turns[-1].events if e["type"] == "CombatEnded")
    assert view["output"]["rewards"]["xp_gained"] == ended["xp"] > 0
    assert view["sheet"]["hp"] == ended["hp"]


async def test_combat_turn_continue_vs_end(sit: Sit) -> None:
    table = await at_the_toll(sit)
    await table.say("attack")
    turns = await fight("en", table.say, table.view)
    kinds = [payload(turn) for turn in turns]
    assert set(kinds[:-1]) == {"CombatTurnContinuePayload"}
    assert kinds[-1] == "CombatTurnEndPayload"


async def test_what_is_refused_changes_nothing(sit: Sit) -> None:
    table = await at_the_toll(sit)
    await table.say("attack")
    before = await table.view()
    turn = await table.say("I attack the king of Gondor")
    assert types(turn) == ["Answered", "AskedBack", "TurnConcluded"]
    assert "attack Rudge" in turn.reply
    after = await table.view()
    assert (before["combat_state"], before["draws"]) == (after["combat_state"], after["draws"])


@pytest.mark.parametrize(
    ("lang", "said", "reason"),
    [
        ("en", "asdf jkl qwer", "What do you mean by “asdf"),
        ("fr", "asdf jkl qwer", "Que voulez-vous dire par"),
        ("fr", "j'attaque", "Il n'y a personne à combattre ici"),
    ],
)
async def test_a_refusal_speaks_the_players_language(
    sit: Sit, lang: str, said: str, reason: str
) -> None:
    table = await sit(lang=lang)
    await table.say("begin")
    assert reason in (await table.say(said)).reply


async def test_the_language_can_change_on_the_way(sit: Sit) -> None:
    table = await sit()
    await table.say("begin")
    await table.say("in french")
    assert "Héron" in str((await table.view())["scene"])


async def test_undo_takes_the_last_blow_back(sit: Sit) -> None:
    table = await at_the_toll(sit)
    await table.say("attack")
    before = await table.view()
    struck = await table.say("attack Rudge")
    async with table.session() as session:
        await session.undo()
    assert await table.view() == before
    again = await table.say("attack Rudge")
    assert again.events == struck.events


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.ending)
async def test_a_walk_to_an_ending_is_the_same_in_both_languages(sit: Sit, walk: Walk) -> None:
    told: dict[str, list[object]] = {}
    for lang in ("en", "fr"):
        table = await sit(walk.seed, scenario=walk.scenario, lang=lang)
        async with table.session() as session:
            turns = await take(walk, lang, session.turn, session.view)
            view = await session.view()
            assert view["ending"]["key"] == walk.ending
            assert (await replay(session.host, session.id)).identical
        fights = sum(e["type"] == "CombatTriggered" for turn in turns for e in turn.events)
        assert fights >= 2
        worded = ("TurnConcluded", "AskedBack")
        # What was left undone is in the player's words, so only that it was, and why, is the same.
        told[lang] = [
            event | {"what": ""} if event["type"] == "LeftUndone" else event
            for turn in turns
            for event in turn.events
            if event["type"] not in worded
        ]
    assert told["en"] == told["fr"]


async def test_a_fork_never_alters_its_parent(sit: Sit) -> None:
    table = await at_the_toll(sit)
    await table.say("attack")
    before = await table.view()
    async with table.session() as session:
        forked = await session.fork()
        await forked.turn("attack Rudge")
    assert await table.view() == before


async def test_after_the_end_nothing_more_happens(sit: Sit) -> None:
    table = await sit()
    for said in ("begin", "talk to Maud", "I give up", "yes"):
        await table.say(said)
    assert (await table.view())["ending"]["key"] == "gave-up"
    turn = await table.say("go to the Greenway")
    assert "The story has ended" in turn.reply
