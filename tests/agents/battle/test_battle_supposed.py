"""What is supposed, told in points or wanted for one turn, and names of stats with stops."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.agents.battle.test_battle_limits import held
from tests.agents.battle.test_battle_orders import plain
from tests.agents.battle.test_battle_person import hold, named, other_move
from tests.agents.battle.test_battle_turns import event, kinds, scripted

from ruleplay.agents.battle.adapters.set_pool import empty_pool
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.faceoff import after_move, face_off, holding
from ruleplay.agents.battle.domain.meaning import Heard, Named, Thing
from ruleplay.agents.battle.domain.naming import bare
from ruleplay.agents.battle.domain.position import Position, Timed
from ruleplay.agents.battle.domain.results import Guess, Inference
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.policy.answers import answer
from ruleplay.agents.battle.policy.asked import asked_tables
from ruleplay.agents.battle.policy.hearing import hear
from ruleplay.agents.battle.policy.rows import battle_tables, reader
from ruleplay.agents.battle.policy.scene import Scene
from ruleplay.agents.battle.state import Spoken, State
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.telling.speech import Speech
from ruleplay.telling.table import Cell, Table

__all__ = ["held"]


def test_a_stats_name_with_stops_ends_no_sentence() -> None:
    shown: list[str] = []
    speech = Speech(reader((), None, "fr"), shown.append)
    speech.hear("À mon avis, monte ta Déf. Spé. tranquillement. Ou son Atq. Spé. Mais vite. ")
    speech.hear("Voilà.")
    speech.end(complete=True)
    assert [one.written.strip() for one in speech._units] == [
        "À mon avis, monte ta Déf. Spé. tranquillement.",
        "Ou son Atq. Spé. Mais vite.",
        "Voilà.",
    ]


def test_a_message_is_not_cut_inside_a_stats_name() -> None:
    whole = hear("sa Def Spe est montée ?", plain(), None, 0)
    for said in ("sa Déf. Spé. est montée ?", "sa déf. spé. est montée ?"):
        heard = hear(said, plain(), None, 0)
        assert (heard.topic, heard.choices, heard.also) == (whole.topic, whole.choices, ())


@pytest.fixture
def scene(positions: tuple[Json, ...]) -> Scene:
    """Return a pair on the field, theirs with a set-up move among its sets."""
    pool = empty_pool("gen9randombattle")
    for body in positions:
        position = Position.model_validate(body)
        us, them = position.ours.active, position.theirs.active
        if us and them and not (us.fainted or them.fainted):
            guesses = opponent_sets(position, pool)
            first = guesses.guesses[them.ident].sets[0]
            moves = ("swordsdance", "outrage", "calmmind", "surf")
            learnt = first.model_copy(update={"set": first.set.model_copy(update={"moves": moves})})
            guess = Guess.model_validate(
                {**guesses.guesses[them.ident].model_dump(), "sets": [learnt.model_dump()]}
            )
            inference = Inference(guesses={**guesses.guesses, them.ident: guess})
            state = State(position=position, inference=inference)
            return Scene(state, position, inference, Heard("en", Named()))
    raise AssertionError("no pair on the field")


def about(scene: Scene, topic: str, *things: Thing) -> Scene:
    named = Named(tuple((one,) for one in things))
    return replace(scene, heard=replace(scene.heard, named=named, topic=topic))


def tables(scene: Scene) -> dict[str, Table]:
    found = battle_tables(scene.state, scene.inference)
    return {one.title: one for one in asked_tables(scene, found, ())}


def hits(rows: tuple[tuple[Cell, ...], ...], by: str, move: str) -> list[tuple[Cell, ...]]:
    return [row for row in rows if row[0] == by and row[3] == move]


def test_damage_after_a_set_up_move_can_be_told_and_asked(scene: Scene) -> None:
    us, them = scene.ours, scene.theirs
    assert us
    assert them
    guess = scene.inference.guesses[them.ident]
    rows = tables(about(scene, "asked"))["if one uses a set-up move first"].rows
    plain, risen = (
        next(hit for hit in pair.their_hits if hit.move == "outrage")
        for pair in (
            face_off(scene.position, us, mon, guess)
            for mon in (them, after_move(them, "swordsdance"))
        )
    )
    assert risen.high == 0 or risen.high > plain.high
    told = hits(rows, bare(them.ident), "Outrage")
    assert risen.high == 0 or round(100 * risen.high, 1) in [row[6] for row in told]
    assert all("has used" in str(row[1]) for row in told)
    moves = (Thing("move", "outrage"), Thing("move", "swordsdance"))
    said = answer(about(scene, "damage", Thing("theirs", them.ident), *moves))
    assert said.startswith("After Swords Dance: Outrage")
    assert risen.high == 0 or f"{round(100 * risen.high)}%" in said


def test_stages_stop_at_six(scene: Scene) -> None:
    mon = scene.theirs
    assert mon
    for _ in range(4):
        mon = after_move(mon, "swordsdance")
    assert mon.boosts.atk == 6
    assert after_move(mon, "shellsmash").boosts.def_ == mon.boosts.def_ - 1


def test_damage_with_an_item_it_may_not_hold_can_be_told(scene: Scene) -> None:
    us, them = scene.ours, scene.theirs
    assert us
    assert them
    item = Thing("item", "assaultvest")
    rows = tables(about(scene, "asked", item))["if it held the item asked about"].rows
    worn = face_off(
        scene.position, us, *holding(them, scene.inference.guesses[them.ident], item.id)
    )
    special = [
        one for one in worn.our_hits if dex.move(one.move).category == "special" and one.high
    ]
    for hit in special:
        told = hits(rows, bare(us.ident), dex.move_name(hit.move))
        assert [row[6] for row in told] == [round(100 * hit.high, 1)]
    assert {row[1] for row in rows} == {f"{bare(them.ident)} holds Assault Vest"}
    mine = tables(about(scene, "asked", item, Thing("ours", us.ident)))
    told = mine["if it held the item asked about"].rows
    assert {row[1] for row in told} == {f"{bare(us.ident)} holds Assault Vest"}


def test_health_is_told_in_points_too_and_who_would_fall_coming_in(scene: Scene) -> None:
    ours = scene.position.ours
    bench = next(mon for mon in ours.bench if not mon.fainted and mon.hp_max)
    weak = bench.model_copy(
        update={"hp": 0.02, "hp_now": 5, "item": None, "ability": None, "types": ("fire", "flying")}
    )
    team = tuple(weak if mon is bench else mon for mon in ours.team)
    for rocks, falls in (((), False), ((Timed(id="stealthrock"),), True)):
        side = ours.model_copy(update={"team": team, "conditions": rocks})
        position = scene.position.model_copy(update={"ours": side})
        here = replace(scene, position=position, state=scene.state.but(position=position))
        said = answer(about(here, "health", Thing("ours", weak.ident)))
        assert f"5 of {bench.hp_max} HP" in said
        assert ("would fall" in said) == falls
        shown = tables(here)["both teams"]
        row = next(one for one in shown.rows if one[0] == bare(weak.ident))
        assert [shown.columns[at].name for at in (3, 4, 5)] == ["health", "points", "points_of"]
        assert row[4:6] == (5, bench.hp_max)


def test_switches_have_their_toll_of_hazards(session_tables: dict[str, Table]) -> None:
    switches = session_tables["our switches"]
    at = [column.name for column in switches.columns].index("entry_hazards_take")
    assert {row[at] for row in switches.rows} - {0.0}
    assert any("from hazards" in str(row[-1]) for row in switches.rows)


@pytest.fixture
async def session_tables(session: Session, held: Json) -> dict[str, Table]:
    spiked = [{"id": "spikes", "layers": 3}, {"id": "stealthrock"}]
    ours = {**held["ours"], "conditions": spiked}  # type: ignore[dict-item]
    await session.turn(action=hold({**held, "ours": ours}))
    head = await session.head()
    state, _ = await session.host.state(head, head.head)
    assert isinstance(state, State)
    return {one.title: one for one in battle_tables(state)}


async def test_a_wish_that_stands_is_told_to_the_model_that_decides(host: Host, held: Json) -> None:
    session, model = await scripted(host, {"battle.decide": ['{"choice": 1}'] * 2})
    await session.turn(action=hold(held))
    await session.turn(action={"kind": "wish", "wish": {"do": "no_tera"}})
    await session.turn(action=hold({**held, "request_id": 99}))
    first, second = (str(asked) for asked in model.seen)
    assert "Wanted by the person at our side" not in first
    assert "Wanted by the person at our side\\n- no terastallization" in second


@pytest.mark.parametrize(
    ("acts", "done", "spans"),
    [
        ([{"do": "use"}, {"do": "no_tera"}], ["move"], [""]),
        ([{"do": "no_tera"}, {"do": "use"}], ["move"], [""]),
        ([{"do": "stay"}, {"do": "no_tera"}], ["stay", "no_tera"], ["", "this"]),
        ([{"do": "use"}, {"do": "no_tera", "span": "on"}], ["move", "no_tera"], ["", "on"]),
        ([{"do": "no_tera"}], ["no_tera"], [""]),
    ],
)
async def test_no_tera_beside_an_order_is_of_its_turn(
    host: Host, held: Json, acts: list[Json], done: list[str], spans: list[str]
) -> None:
    move = other_move(Position.model_validate(held), {})
    told = [{**act, "name": named(move)} if act["do"] == "use" else act for act in acts]
    session, _ = await scripted(host, {"battle.read": [json.dumps({"acts": told})]})
    await session.turn(action=hold(held))
    turn = await session.turn("that one, no tera")
    made = [one["wish"] for one in turn.events if one["type"] == "WishMade"]
    assert [one["do"] for one in made] == done  # type: ignore[index,call-overload]
    assert [one.get("span", "") for one in made] == spans  # type: ignore[union-attr]
    if "move" in done:
        order = event(turn, "OrderChanged")["chosen"]["order"]
        assert order == {"kind": "move", "move": move, "tera": False}
    assert "WishMade" in kinds(turn)


@pytest.mark.parametrize(
    ("said", "topic"),
    [("they set up", "setup"), ("they stay in", "threat"), ("he heals", "threat")],
)
def test_what_theirs_may_do_is_no_order_to_us(said: str, topic: str) -> None:
    heard = hear(said, plain(), None, 0)
    assert (heard.orders, heard.topic, heard.side) == ((), topic, "theirs")


def test_an_order_in_the_same_words_is_one() -> None:
    for said, do in (("set up", "boost"), ("just stay in", "stay"), ("soigne-toi", "heal")):
        assert [act.do for act, _ in hear(said, plain(), None, 0).orders] == [do]


def test_their_set_up_is_answered_with_what_follows_from_it(scene: Scene) -> None:
    asked = about(scene, "setup")
    said = answer(replace(asked, heard=replace(asked.heard, side="theirs")))
    assert "may raise its stats with" in said
    assert "After Swords Dance:" in said or "After Calm Mind:" in said
    assert scene.ours
    mine = answer(replace(asked, heard=replace(asked.heard, side="ours")))
    assert "may raise its stats" not in mine


def test_an_item_that_changes_nothing_is_said_to(scene: Scene) -> None:
    boots = Thing("item", "heavydutyboots")
    assert "With Heavy-Duty Boots, nothing changes" in answer(about(scene, "item", boots))
    vest = answer(about(scene, "item", Thing("item", "choiceband")))
    assert "With Choice Band: Outrage" in vest


def test_figures_follow_a_sentence_that_answers(scene: Scene) -> None:
    first = answer(about(scene, "damage")).partition(". ")[0]
    assert "one on one" in first or "%" not in first


async def test_tables_that_nobody_reads_are_not_built(
    session: Session, held: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("without a model nobody reads the tables")

    monkeypatch.setattr("ruleplay.agents.battle.nodes.battle_tables", refuse)
    await session.turn(action=hold(held))
    remembered = await session.turn(action={"kind": "remember"})
    assert "AnalysisUpdated" in kinds(remembered)
    assert (await session.turn("who is faster?")).reply


async def test_the_sets_of_a_position_are_guessed_once(
    session: Session, held: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ruleplay.agents.battle.adapters import world

    guessed: list[Position] = []

    def guess(position: Position, pool: SetPool) -> Inference:
        guessed.append(position)
        return opponent_sets(position, pool)

    monkeypatch.setattr(world, "opponent_sets", guess)
    await session.turn(action=hold(held))
    await session.turn(action={"kind": "remember"})
    await session.turn("who is faster?")
    assert len(guessed) == 1


def test_whose_health_is_open_is_told_of_the_one_spoken_of_too(scene: Scene) -> None:
    bench = next(mon for mon in scene.position.ours.bench if not mon.fainted)
    spoken = Spoken(language="en", topic="", ours=bench.ident)
    here = replace(scene, state=scene.state.but(spoken=spoken))
    assert scene.theirs
    said = answer(about(here, "health"))
    assert said.startswith(f"{bare(bench.ident)} has")
    assert f"{bare(scene.theirs.ident)} has" in said
    assert f"{bare(bench.ident)} has" not in answer(about(scene, "health"))
