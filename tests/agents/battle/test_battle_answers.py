"""What is answered without a model, for every kind of question, in every recorded position."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.samples import PROOF, sample

from ruleplay.agents.battle import prompts
from ruleplay.agents.battle.adapters.duel import PersonSeat
from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.analysis import analyze_team
from ruleplay.agents.battle.domain.decision import decide
from ruleplay.agents.battle.domain.matchups import matchups
from ruleplay.agents.battle.domain.meaning import ORDERS, Heard, Named, Thing
from ruleplay.agents.battle.domain.memory import Memory, assessment, remember
from ruleplay.agents.battle.domain.naming import bare, step_words
from ruleplay.agents.battle.domain.options import rank_moves, rank_switches
from ruleplay.agents.battle.domain.orders import MoveOrder
from ruleplay.agents.battle.domain.phrases import LANGUAGES, say, types_written, wish_said
from ruleplay.agents.battle.domain.pool import SetPool
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.prediction import predict
from ruleplay.agents.battle.domain.results import Candidate, Expected, Matchups
from ruleplay.agents.battle.domain.sets import opponent_sets
from ruleplay.agents.battle.domain.tera import weigh_tera
from ruleplay.agents.battle.domain.unseen import coming
from ruleplay.agents.battle.domain.wishes import Wish, outlooks
from ruleplay.agents.battle.policy.answers import ANSWERS, _effect, answer
from ruleplay.agents.battle.policy.asked import asked_tables
from ruleplay.agents.battle.policy.hearing import TALK
from ruleplay.agents.battle.policy.names import lexicon, lists
from ruleplay.agents.battle.policy.obeying import ask_back
from ruleplay.agents.battle.policy.pairings import hit_said
from ruleplay.agents.battle.policy.rows import battle_tables, reader
from ruleplay.agents.battle.policy.scene import Scene
from ruleplay.agents.battle.policy.situation import comes
from ruleplay.agents.battle.routes.seats import seen
from ruleplay.agents.battle.routes.shapes import BattleAnswer
from ruleplay.agents.battle.state import DecisionTrace, OrderChosen, State
from ruleplay.agents.battle.view import view
from ruleplay.hearing.classifier import load
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json

EMPTY = Named()


async def decided(host: Host, body: Json) -> State:
    """Return the state after a decision in a position."""
    session = Session(host, (await host.create("battle", {"search_ms": 0})).id)
    await session.turn(action={"kind": "decide", "position": body})
    head = await session.head()
    state, _ = await host.state(head, head.head)
    assert isinstance(state, State)
    return state


def scenes(state: State, *things: Thing) -> list[tuple[str, str, Scene]]:
    """Return a scene for each language and kind of question."""
    assert state.position is not None
    inference, named = state.inference, Named(tuple((each,) for each in things))
    return [
        (language, topic, Scene(state, state.position, inference, Heard(language, named, topic)))
        for language in LANGUAGES
        for topic in ANSWERS
    ]


async def test_every_kind_of_question_has_an_answer_everywhere(
    host: Host, positions: tuple[Json, ...]
) -> None:
    for place, body in enumerate(positions[:: sample(30, 6)]):
        position = Position.model_validate(body)
        idents = [Thing("ours", m.ident) for m in position.ours.team[-1:]]
        idents += [Thing("theirs", m.ident) for m in position.theirs.team[-1:]]
        moves = [Thing("move", move) for move in position.request_moves[:1]]
        state = await decided(host, body)
        known = battle_tables(state)
        named = ((), (*idents, *moves, Thing("type", "steel")))
        for things in named if PROOF else named[place % 2 :][:1]:
            for language, topic, scene in scenes(state, *things):
                told = answer(scene)
                assert told.strip(), (language, topic)
                assert "{" not in told, told
                assert ".." not in told, told
                tables = asked_tables(scene, known, ())
                assert [table.id for table in tables] == [f"r{n + 1}" for n in range(len(tables))]
                assert reader(tables, scene.position)


def test_every_topic_of_the_reader_is_answered() -> None:
    topics = {*load("ruleplay.agents.battle", "reader.bin").heads["topic"]}
    assert topics - ORDERS - TALK - {"other", "again"} <= ANSWERS.keys()


def test_both_languages_say_the_same_things_with_the_same_places() -> None:
    from ruleplay.agents.battle.domain.phrases import _phrases

    english, french = (_phrases(language) for language in LANGUAGES)
    assert english.types.keys() == french.types.keys()
    assert english.says.keys() == french.says.keys()
    for key, sentence in english.says.items():
        places = set(re.findall(r"{(\w+)}", sentence))
        assert places == set(re.findall(r"{(\w+)}", french.says[key])), key


@pytest.fixture
def board(positions: tuple[Json, ...]) -> Position:
    found = (Position.model_validate(body) for body in positions)
    return next(one for one in found if one.ours.active and one.theirs.active and one.turn > 1)


async def test_names_are_found_misspelt_cut_short_and_by_their_types(
    host: Host, board: Position
) -> None:
    world = await host.world(host.find_agent("battle"))
    inference = opponent_sets(board, world.pool(board.format))  # type: ignore[attr-defined]
    names = lexicon(board, inference, types_written(), lambda word: word == "encore", {})
    ours, theirs = board.ours.active, board.theirs.active
    assert ours is not None
    assert theirs is not None
    whole = names.find(f"does {ours.name.upper()} beat {theirs.name}?")
    assert whole.of("ours") == (ours.ident,)
    assert whole.of("theirs") == (theirs.ident,)
    assert whole.marked == "does <mon> beat <mon>?"
    slip = ours.name[:3] + ours.name[4:]
    assert names.find(f"keep {slip} alive").of("ours") == (ours.ident,)
    assert names.find("pas encore").things == ()
    assert names.find("et en Acier ?").of("type") == ("steel",)


async def test_a_plan_and_wishes_stand_in_the_tables(host: Host, board: Position) -> None:
    state = State(position=board, analysis=analyze_team(board), wishes=(Wish(do="no_tera"),))
    titles = [table.title for table in battle_tables(state)]
    assert "what the person wants" in titles
    heard = Heard("en", EMPTY, "plan")
    world = await host.world(host.find_agent("battle"))
    inference = opponent_sets(board, world.pool(board.format))  # type: ignore[attr-defined]
    scene = Scene(state, board, inference, heard)
    assert "roles in our team" in [table.title for table in asked_tables(scene, (), ())]
    assert "We win with" in answer(scene)


async def test_what_may_still_come_in_is_estimated_from_the_teams_of_the_format(
    host: Host, board: Position
) -> None:
    world = await host.world(host.find_agent("battle"))
    pool = world.pool(board.format)  # type: ignore[attr-defined]
    mine = next(mon for mon in board.ours.team if not mon.fainted)
    found = coming(board, mine, pool, Random(1))
    assert {one.how for one in found} & {"nothing", "falls"}
    assert all(0 < one.chance <= 1 and one.such_as for one in found)
    assert coming(board, mine, SetPool("", "", {}), Random(1)) == ()
    heard, known = Heard("en", EMPTY, "asked"), opponent_sets(board, pool)
    scene = Scene(State(position=board), board, known, heard, coming=found)
    rows = {one.title.split(":")[0]: one for one in asked_tables(scene, (), ())}
    assert len(rows["if one not seen yet comes in"].rows) == len(found)
    likely = Candidate(kind="switch", action="", name="", probability=0.4)
    expected = Expected(predictions=(likely,), summary="")
    trace = DecisionTrace.model_construct(chosen=board.legal[0], expected=expected)
    assert "comes in with 40%" in " ".join(comes(scene, trace))


def test_a_term_is_explained_where_its_meaning_is_asked_and_only_there(board: Position) -> None:
    known = opponent_sets(board, SetPool("", "", {}))

    def said(words: str, topic: str, language: str = "fr") -> str:
        heard = Heard(language, Named(marked=words), topic)
        return answer(Scene(State(position=board), board, known, heard))

    assert said("c'est quoi ce truc de téra, ", "tera").startswith("La téracristallisation :")
    assert "camp peut changer le type" not in said("on a encore la téra ?", "tera")
    there = board.model_copy(update={"rules": ("Species Clause",)})
    for words, told in (("can we put two to sleep?", False), ("what are the rules here?", True)):
        scene = Scene(
            State(position=there), there, known, Heard("en", Named(marked=words), "clause")
        )
        assert ("Species Clause" in answer(scene)) is told


async def test_what_nobody_has_is_told_with_no_chance(host: Host, board: Position) -> None:
    """Without a row that says so, a model could not deny it."""
    world = await host.world(host.find_agent("battle"))
    inference = opponent_sets(board, world.pool(board.format))  # type: ignore[attr-defined]
    heard = Heard(
        "en", Named(((Thing("move", "splash"),), (Thing("item", "choicescarf"),))), "asked"
    )
    scene = Scene(State(position=board), board, inference, heard)
    rows = [row for table in asked_tables(scene, (), ()) for row in table.rows]
    assert ("Splash", "move", 0.0) in rows


async def test_sets_outside_random_battles_are_called_guesses(host: Host, board: Position) -> None:
    usage = board.model_copy(update={"format": "gen9ou"})
    world = await host.world(host.find_agent("battle"))
    inference = opponent_sets(usage, world.pool(board.format))  # type: ignore[attr-defined]
    known = {i: g.model_copy(update={"from_pool": True}) for i, g in inference.guesses.items()}
    inference = inference.model_copy(update={"guesses": known})
    for language, word in (("en", "guess"), ("fr", "supposition")):
        heard = Heard(language, EMPTY, "sets")
        scene = Scene(State(position=usage), usage, inference, heard)
        assert word in answer(scene)
        notes = [note for table in asked_tables(scene, (), ()) for note in table.notes]
        assert any("guess" in note for note in notes)


async def test_our_own_tera_is_reckoned_where_damage_is_asked_for(
    host: Host, board: Position
) -> None:
    world = await host.world(host.find_agent("battle"))
    inference = opponent_sets(board, world.pool(board.format))  # type: ignore[attr-defined]
    active = board.ours.active
    assert active is not None
    assert active.tera_type
    for language, lead in (("en", "If we terastallize into"), ("fr", "Si nous téracristallisons")):
        scene = Scene(State(position=board), board, inference, Heard(language, EMPTY, "damage"))
        assert scene.with_own_tera is not None
        assert lead in answer(scene)
        titles = [table.title for table in asked_tables(scene, (), ())]
        assert "if ours terastallizes" in titles
    ours = board.ours.model_copy(update={"tera_used": True})
    used = board.model_copy(update={"ours": ours})
    scene = Scene(State(position=used), used, inference, Heard("en", EMPTY, "damage"))
    assert scene.with_own_tera is None
    assert "If we terastallize" not in answer(scene)


async def test_a_choice_with_tera_is_told_with_what_it_does_then(
    host: Host, positions: tuple[Json, ...]
) -> None:
    changed = 0
    for body in positions[:: sample(12, 4)]:
        state = await decided(host, body)
        scene = next(s for _, topic, s in scenes(state) if topic == "why")
        with_tera = scene.with_own_tera
        if scene.trace is None or with_tera is None or not with_tera.theirs.active:
            continue
        plain = {one.move: one.damage for one in scene.trace.moves.moves}
        for hit in (one for one in with_tera.our_hits if one.move in plain and one.high > 0):
            order = MoveOrder(move=hit.move, tera=True)
            said = " ".join(_effect(scene, scene.trace, order))
            assert hit_said(scene, hit, with_tera.theirs) in said
            changed += (plain[hit.move].low, plain[hit.move].high) != (hit.low, hit.high)
    assert changed, "somewhere the type makes a difference"


async def test_whom_they_led_with_what_a_level_is_and_what_sleep_clause_counts(
    host: Host, board: Position
) -> None:
    """Each is answered of this battle: by name, by number, by who sleeps."""
    foe, mine = board.theirs.team[0], board.ours.active
    assert mine is not None
    asleep = foe.model_copy(update={"status": "slp"})
    rested = asleep.model_copy(update={"rested": True})

    def said(topic: str, mon: object) -> str:
        side = board.theirs.model_copy(update={"team": (mon,), "lead": foe.ident})
        there = board.model_copy(update={"theirs": side, "rules": ("Sleep Clause Mod",)})
        known = opponent_sets(there, SetPool("", "", {}))
        scene = Scene(State(position=there), there, known, Heard("en", EMPTY, topic))
        return " ".join(filter(None, ANSWERS[topic](scene)))

    assert f"They led with {bare(foe.ident)}" in said("led", foe)
    assert f"{bare(mine.ident)} is level {mine.level}" in said("levels", foe)
    assert f"{bare(foe.ident)} sleeps by our doing" in said("clause", asleep)
    assert "Nobody of theirs sleeps by our doing" in said("clause", rested)
    assert "Sleep Clause Mod" in said("clause", foe)


async def test_a_model_reads_speeds_priorities_and_words_of_the_game(
    host: Host, board: Position
) -> None:
    world = await host.world(host.find_agent("battle"))
    inference = opponent_sets(board, world.pool(board.format))  # type: ignore[attr-defined]
    heard = Heard("en", Named(marked="what is a crit, and is it a 2hko after leftovers"), "asked")
    scene = Scene(State(position=board), board, inference, heard)
    tables = {table.title.split(" as ")[0]: table for table in asked_tables(scene, (), ())}
    bench = next(mon for mon in board.ours.bench if not mon.fainted)
    assert bench.stats is not None
    speeds = {row[0]: row[2:] for row in tables["speed"].rows if row[1] == "ours"}
    assert speeds[bare(bench.ident)][0] == speeds[bare(bench.ident)][1] > 0
    firsts = next(table for title, table in tables.items() if title.startswith("who has moves"))
    assert {row[0] for row in firsts.rows} >= {
        bare(m.ident) for m in board.ours.bench if not m.fainted
    }
    words = next(table for title, table in tables.items() if title.startswith("what words"))
    assert any("critical hit" in str(row[0]) for row in words.rows)
    hits = next(table for title, table in tables.items() if title.startswith("what its moves do"))
    crits = [row[7:9] for row in hits.rows if row[4]]
    assert crits
    assert all(least > row[3] for (least, _), row in zip(crits, hits.rows, strict=False))
    rules = tables["the rules of this format"]
    assert rules.heading.startswith("gen9randombattle")
    assert any("deals both teams" in str(row[0]) for row in rules.rows)
    judge = reader(tuple(tables.values()), board, "en", "is it a 2hko after leftovers")
    told = f"With or without Leftovers, {hits.rows[0][0]} is one of its moves [{hits.id}.1]."
    assert not judge.judge(told).refused


def test_an_unclear_question_is_answered_with_how_the_turn_stands(board: Position) -> None:
    pairs, guesses = Matchups(pairs=()), opponent_sets(board, SetPool("", "", {}))
    expected = predict(board, guesses, pairs)
    moves = rank_moves(board, guesses, expected, pairs)
    switches = rank_switches(board, guesses, expected, pairs)
    tera = weigh_tera(board, guesses, expected)
    found = decide(board, moves, switches, tera, expected, None)
    told = {"moves": moves, "switches": switches, "tera": tera, "expected": expected}
    trace = DecisionTrace.model_validate(
        {**told, "request_id": 1, "turn": 1, "predicted_by": "policy", "verdict": None,
         "scores": (), "best": found.order, "wanted": None, "chosen": found.order,
         "source": "policy"}
    )  # fmt: skip
    state = State(position=board).apply(trace)
    for language, lead in (("en", "I chose"), ("fr", "J'ai choisi")):
        asks = Heard(language, EMPTY, choices=("matchup", "speed"), asks=True)
        told_of = answer(Scene(state, board, guesses, asks))
        assert lead in told_of
        assert say(language, "help") in told_of
        remark = answer(Scene(state, board, guesses, replace(asks, asks=False)))
        assert remark.startswith(say(language, "remark"))
        assert lead not in remark
        order = Heard(language, EMPTY, choices=("stay", "free"))
        assert answer(Scene(state, board, guesses, order)) == ""  # it was asked back
        asked = ask_back(state, order)
        assert wish_said(language, Wish(do="stay"), board) in " ".join(asked.lines)
        assert state.apply(*asked.events).offered == (Wish(do="stay"),)
        move = next(one for one in board.legal if isinstance(one, MoveOrder))
        sent = OrderChosen(request_id=1, order=move, wire="", source="policy")
        done = ask_back(state.apply(sent), order)  # what is played already needs no asking
        assert done.events == ()
        assert dex.move_name(move.move) in done.lines[0]


STRANGE = ("recharge", "fight", "struggle", "", "return102", "zz9", "hiddenpower70", "9" * 5000)
"""Ids that requests, logs or clients may bring; hardly any of them has a page."""


def spoilt(body: Json, strange: str, places: set[str]) -> Json:
    """Return a question that calls a move, a species, an item and more what nobody knows."""
    told = copy.deepcopy(body)
    for side in ("ours", "theirs"):
        for mon in told[side]["team"]:
            mon |= {key: strange for key in ("species", "base", "item", "ability") if key in places}
            mon |= {"last_move": strange} if "move" in places else {}
            mon["volatiles"] = [*mon.get("volatiles", ()), {"id": strange}]
            for slot in mon.get("moves", ())[:1] if "move" in places else ():
                slot["id"] = strange
        told[side]["conditions"] = [{"id": strange}]
        told[side]["preview"] = [strange]
    if "move" in places:
        told["legal"] = [{"kind": "move", "move": strange}, *told["legal"][1:]]
        told["request_moves"] = [strange, *told.get("request_moves", ())[1:]]
    told["log"] = [
        *told.get("log", ())[-60:], f"turn|{told['turn']}", f"move|p2a: X|{strange}|p1a: Y",
        f"cant|p1a: Y|{strange}", f"-item|p1a: Y|{strange}", f"-start|p1a: Y|{strange}",
    ]  # fmt: skip
    return told


@settings(max_examples=sample(15, 400), deadline=None, phases=(Phase.generate,))
@given(
    strange=st.sampled_from(STRANGE) | st.text("abc019", max_size=9),
    places=st.sets(st.sampled_from(("move", "species", "base", "item", "ability")), min_size=1),
    gen=st.sampled_from((1, 4, 9)),
    at=st.integers(0, 400),
    topic=st.sampled_from(sorted(ANSWERS)),
    language=st.sampled_from(LANGUAGES),
)
def test_nothing_falls_over_an_id_that_no_page_describes(
    strange: str, places: set[str], gen: int, at: int, topic: str, language: str
) -> None:
    recorded = recorded_positions()
    body = spoilt(recorded[at % len(recorded)], strange, places) | {"gen": gen}
    position = Position.model_validate(body)
    guesses = opponent_sets(position, SetPool("", "", {}))
    pairs = matchups(position, guesses, Matchups(pairs=()))
    expected = predict(position, guesses, pairs)
    moves = rank_moves(position, guesses, expected, pairs)
    switches = rank_switches(position, guesses, expected, pairs)
    tera = weigh_tera(position, guesses, expected)
    found = decide(position, moves, switches, tera, expected, None)
    outlooks(position, guesses, expected, switches, None)
    trace = DecisionTrace(
        request_id=1, turn=1, expected=expected, predicted_by="policy", moves=moves, tera=tera,
        switches=switches, verdict=None, scores=found.scores[:3], best=found.order, wanted=None,
        chosen=found.order, source="policy",
    )  # fmt: skip
    memory = remember(Memory(), position, guesses)
    state = State(position=position, inference=guesses, pairs=pairs.pairs, memory=memory)
    state = state.apply(trace)
    mons = [Thing("ours", mon.ident) for mon in position.ours.team[:1]]
    mons += [Thing("theirs", mon.ident) for mon in position.theirs.team[:1]]
    things = [*mons, *(Thing(kind, strange) for kind in ("move", "item", "ability"))]
    for each in (things, [*things, Thing("species", strange)], []):
        heard = Heard(language, Named(tuple((one,) for one in each)), topic)
        scene = Scene(state, position, guesses, heard)
        assert answer(scene) is not None
        assert asked_tables(scene, battle_tables(state, guesses, language), ())
    assert analyze_team(position).summary
    assert assessment(position, memory, language)
    assert prompts.decide(state, position, expected, moves, switches, tera, None).user
    assert prompts.read("so?", lists(position, guesses, ()), (), ()).user
    assert view(state)["board"]
    assert lexicon(position, guesses, types_written(), lambda word: False, {}).find(strange)
    assert step_words(strange) == step_words(strange).strip()
    battle = BattleAnswer(
        id="1", opponent="you", format="", status="running", session="", result=None, problem=None
    )
    assert seen(PersonSeat(position=position), battle, chance=None).names is not None
