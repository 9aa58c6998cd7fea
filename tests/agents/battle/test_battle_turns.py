"""Questions of a server as turns, through the store, with everything in memory rebuilt between."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.samples import sample

from ruleplay.adversary.fuzz import fuzz
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.happenings import Happening, happenings
from ruleplay.agents.battle.domain.memory import Memory, remember, told_on
from ruleplay.agents.battle.domain.phrases import happened
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.catalog import find_agent, open_session
from ruleplay.errors import Conflict, UserError
from ruleplay.kernel.host import Host
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.models.scripted import ScriptedModel
from ruleplay.records.events import Json
from ruleplay.records.turns import Turn
from ruleplay.settings import Settings

REMEMBER: Json = {"kind": "remember"}
FINISH: Json = {"kind": "finish", "result": "win", "turns": 20}


def decide(position: Json) -> Json:
    return {"kind": "decide", "position": position}


def event(turn: Turn, kind: str) -> Json:
    return next(body for body in turn.events if body["type"] == kind)


def kinds(turn: Turn) -> list[object]:
    return [body["type"] for body in turn.events]


async def test_every_recorded_question_gets_a_legal_order(
    session: Session, positions: tuple[Json, ...]
) -> None:
    for body in positions:
        turn = await session.turn(action=decide(body))
        position = Position.model_validate(body)
        legal = [order.model_dump(mode="json") for order in position.legal]
        chosen = event(turn, "OrderChosen")
        assert chosen["order"] in legal
        assert str(chosen["wire"]).startswith("/choose ")
        assert turn.reply.endswith(".")
    assert (await replay(session.host, session.id)).identical


async def test_a_battle_outlives_the_process(
    settings: Settings, positions: tuple[Json, ...]
) -> None:
    ident, turns = "", []
    for action in (decide(positions[0]), REMEMBER, decide(positions[1]), REMEMBER, FINISH):
        async with await open_session("battle", session=ident, settings=settings) as session:
            turns.append(await session.turn(action=action))
            ident = session.id
    assert kinds(turns[0])[:4] == ["BattleBegan", "PositionRead", "TeamAnalysed", "StrategyMade"]
    assert kinds(turns[0])[-2:] == ["DecisionTrace", "OrderChosen"]
    assert kinds(turns[1]) == ["Remembered", "AnalysisUpdated"]
    assert "TeamAnalysed" not in kinds(turns[2])
    assert kinds(turns[4]) == ["BattleEnded"]
    assert turns[4].reply.startswith("Ruleplay won")
    async with await open_session("battle", session=ident, settings=settings) as session:
        view = await session.view()
        assert (await replay(session.host, session.id)).identical
        with pytest.raises(Conflict, match="over"):
            await session.turn(action=decide(positions[2]))
    assert view["result"] == "win"
    assert view["decisions"] == 2


async def test_the_view_has_what_a_board_needs(session: Session, question: Json) -> None:
    assert (await session.view())["board"] is None
    await session.turn(action=decide(question))
    view = await session.view()
    board, position = view["board"], Position.model_validate(question)
    assert [mon["ident"] for mon in board["ours"]["team"]] == [
        mon.ident for mon in position.ours.team
    ]
    active = next(mon for mon in board["theirs"]["team"] if mon["active"])
    assert {"hp", "types", "boosts", "status", "sets"} <= set(active)
    assert view["decision"]["order"]
    assert view["moves"] or view["switches"]
    for move in view["moves"]:
        assert 0 <= move["low"] <= move["high"]
    assert sum(one["probability"] for one in view["expected"]["predictions"]) == pytest.approx(1)
    assert {lap["node"] for lap in view["decision"]["laps"]} >= {"fetch_opponent_sets"}
    json.dumps(view, allow_nan=False)


async def test_nothing_sent_is_taken_back_but_forks_are_free(
    session: Session, question: Json
) -> None:
    await session.turn(action=decide(question))
    with pytest.raises(Conflict, match="cannot be taken back"):
        await session.undo()
    with pytest.raises(Conflict, match="cannot be taken back"):
        await session.regenerate()
    fork = await session.fork()
    await fork.turn(action=FINISH)
    assert (await fork.view())["result"] == "win"
    assert (await session.view())["result"] is None


async def test_the_same_key_gives_the_same_order(session: Session, question: Json) -> None:
    first = await session.turn(action=decide(question), key="room/2/0")
    again = await session.turn(action=decide(question), key="room/2/0")
    assert first.id == again.id


async def test_a_message_asks_why(session: Session, question: Json) -> None:
    before = await session.turn("Why?")
    assert "Nothing has happened yet" in before.reply
    decided = await session.turn(action=decide(question))
    why = await session.turn("Why?")
    chosen = event(decided, "DecisionTrace")["moves"]["moves"][0]["name"]
    assert chosen in decided.reply
    assert why.reply.startswith(f"I chose {chosen}")
    assert why.reply != decided.reply, "who asks has read the reasons that came with the choice"


async def test_what_players_ask_stands_in_tables_that_may_be_cited(
    host: Host, positions: tuple[Json, ...]
) -> None:
    """Who is faster, what they do to us, what lies on the field, what both carry by its name."""
    told, positions = "They are faster [r1.1].", positions[:: sample(4, 1)]
    session, model = await scripted(host, {"battle.explain": [told] * len(positions)})
    for body in positions:
        await session.turn(action=decide(body))
        await session.turn(action=REMEMBER)
        await session.turn("who is faster, and what do they do to us?")
    prompts = [str(asked.messages[-1].content) for asked in model.seen]
    prompts = [prompt for prompt in prompts if "Asked: who is faster" in prompt]
    assert len(prompts) == len(positions)
    for title in ("what ours carry", "one on one", "what they may do", "what lies on the field"):
        assert any(title in prompt for prompt in prompts), title
    assert all("moves_first" in prompt and "they_deal" in prompt for prompt in prompts)
    names = {item for prompt in prompts for item in re.findall(r"Choice \w+|Leftovers", prompt)}
    assert names
    assert not any(re.search(r"leftovers|choice(?:scarf|band|specs)", one) for one in prompts)


async def test_a_model_reads_what_a_question_may_turn_on(
    host: Host, positions: tuple[Json, ...]
) -> None:
    """PP, priority, pairs of the bench, types once terastallized; no notes of a turn before."""
    session, model = await scripted(host, {"battle.explain": ["So it is."] * 3})
    early, late = positions[0], max(positions, key=lambda one: len(one["theirs"]["team"]))
    await session.turn(action=decide(early))
    notes = await session.turn(action=REMEMBER)
    await session.turn(action=decide(late))
    await session.turn("how often can i still do that?")
    (prompt,) = (str(asked.messages[-1].content) for asked in model.seen)
    assert notes.reply not in prompt
    for words in ("uses_left", "priority", "if ours terastallizes", "weak_to"):
        assert words in prompt, words
    shown = next(mon for mon in late["theirs"]["team"] if mon.get("moves"))
    assert dex.move_name(shown["moves"][0]["id"]) in prompt
    benched = [mon["ident"][4:] for side in ("ours", "theirs") for mon in late[side]["team"]
               if not mon.get("active") and mon.get("status") != "fnt"]  # fmt: skip
    pairs = prompt[prompt.index("one on one") :]
    assert all(re.search(rf"\| {re.escape(mon)} ", pairs) for mon in benched[:1] + benched[-1:])


def test_the_turns_where_it_turned_are_told_from_the_log(positions: tuple[Json, ...]) -> None:
    position = Position.model_validate(max(positions, key=lambda one: len(one.get("log", ()))))
    for language in ("en", "fr"):
        memory = remember(Memory(), position, Inference(), language)
        turn = next(int(line[5:]) for line in position.log if line.startswith("turn|"))
        steps = [one for one in happenings(position) if one.turn == turn]
        gone = position.model_copy(update={"log": ()})
        assert told_on(memory, turn, gone, "en") == tuple(happened(language, o) for o in steps)
        # What the server's log still has is told in the language of the question.
        assert told_on(memory, turn, position, "fr") == tuple(happened("fr", o) for o in steps)
        assert remember(memory, position, Inference(), "en") == memory
    tera = Happening(1, "tera", ours=True, mon="p1: Skarmory", what="Steel")
    assert happened("fr", tera) == "Notre Skarmory a téracristallisé en Acier."


def test_an_item_that_hurts_is_its_holders(positions: tuple[Json, ...]) -> None:
    hurt = "-damage|p2a: Perrserker|80/100|[from] item: Rocky Helmet|[of] p1a: Toxapex"
    rests = "-heal|p1a: Toxapex|100/100|[from] item: Leftovers"
    position = Position.model_validate(positions[-1]).model_copy(update={"log": (hurt, rests)})
    ours = position.ours.team[0].ident.startswith("p1")
    assert [(one.mon, one.what, one.ours) for one in happenings(position)] == [
        ("p1: Toxapex", "Rocky Helmet", ours),
        ("p1: Toxapex", "Leftovers", ours),
    ]


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ({"kind": "decide", "position": {}}, "position"),
        ({"kind": "dance"}, "cannot be used"),
        ({"kind": "finish", "result": "glory"}, "result"),
        ({}, "cannot be used"),
    ],
)
async def test_what_is_no_question_is_refused(session: Session, action: Json, problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        await session.turn(action=action)


async def test_a_question_without_answers_is_refused(session: Session, question: Json) -> None:
    with pytest.raises(UserError, match="legal"):
        await session.turn(action=decide(question | {"legal": []}))


async def scripted(host: Host, script: dict[str, list[object]]) -> tuple[Session, ScriptedModel]:
    """Return a battle in which a scripted model answers for the roles it has lines for."""
    model = ScriptedModel(script)
    host.models.stand_ins["scripted"] = model
    models = dict.fromkeys(script, "scripted")
    head = await host.create("battle", {"search_ms": 0}, models=models)
    return Session(host, head.id), model


async def test_the_models_choice_is_a_number_among_the_valid_orders(
    host: Host, question: Json
) -> None:
    legal = list(question["legal"])
    session, _ = await scripted(host, {"battle.decide": [f'{{"choice": {len(legal)}}}']})
    turn = await session.turn(action=decide(question))
    chosen = event(turn, "OrderChosen")
    assert (chosen["order"], chosen["source"]) == (legal[-1], "model")
    assert event(turn, "DecisionTrace")["wanted"] == legal[-1]
    assert (await replay(session.host, session.id)).identical


async def test_an_illegal_wish_is_refused_and_then_the_policy_decides(
    host: Host, question: Json
) -> None:
    said = ['{"choice": 99}', "Use Splash!"]
    session, _ = await scripted(host, {"battle.decide": said})
    turn = await session.turn(action=decide(question))
    trace = event(turn, "DecisionTrace")
    assert event(turn, "OrderChosen")["source"] == "policy"
    assert "order 99 is not among" in trace["refused"][0]
    assert trace["wanted"] is None
    assert trace["chosen"] == trace["best"]


async def test_a_model_bends_the_prediction_only_so_far(host: Host, question: Json) -> None:
    by_rule = Session(host, (await host.create("battle", {"search_ms": 0})).id)
    plain = event(await by_rule.turn(action=decide(question)), "DecisionTrace")["expected"]
    last = len(plain["predictions"])
    said = f'{{"weights": [{{"candidate": {last}, "probability": 1.0}}]}}'
    session, _ = await scripted(host, {"battle.predict": [said]})
    bent = event(await session.turn(action=decide(question)), "DecisionTrace")["expected"]
    was = {(p["kind"], p["action"]): p["probability"] for p in plain["predictions"]}
    now = {(p["kind"], p["action"]): p["probability"] for p in bent["predictions"]}
    assert sum(now.values()) == pytest.approx(1)
    rarest = plain["predictions"][-1]
    key = rarest["kind"], rarest["action"]
    assert was[key] < now[key] <= min(1, 4 * was[key]) + 1e-9


async def test_a_stalling_model_leaves_the_decision_to_the_policy(
    host: Host, question: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ruleplay.agents.battle.nodes.DECIDE_SECONDS", 0.2)
    session, _ = await scripted(host, {"battle.decide": [(30.0, '{"choice": 1}')]})
    turn = await session.turn(action=decide(question))
    assert event(turn, "OrderChosen")["source"] == "policy"
    assert turn.ms < 30_000


async def test_a_hostile_model_breaks_nothing() -> None:
    report = await fuzz(find_agent("battle"), turns=40, seed=11)
    assert report.violations == []
    assert not report.broken
    assert report.lies_planted > 0


@settings(max_examples=sample(8, 25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_no_action_gets_past_the_reader(found: object) -> None:
    from ruleplay.agents.battle.policy.actions import read_action

    if isinstance(found, dict) and found.get("kind") not in ("remember", "finish", "decide"):
        with pytest.raises(UserError):
            read_action(found)
