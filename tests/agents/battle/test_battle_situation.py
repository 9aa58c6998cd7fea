"""How things lie: who is out, what lasts how long, names that are none, questions, not orders."""

from __future__ import annotations

import pytest
from tests.agents.battle.test_battle_clauses import held
from tests.agents.battle.test_battle_person import bare, hold, named
from tests.agents.battle.test_battle_turns import decide, event, kinds

from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.durations import Duration, durations
from ruleplay.agents.battle.domain.meaning import Act, Heard, Named, Thing
from ruleplay.agents.battle.domain.naming import move_name
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.position import Field_, Position, Timed
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.agents.battle.policy.answers import answer
from ruleplay.agents.battle.policy.asked import asked_tables
from ruleplay.agents.battle.policy.hearing import is_usual
from ruleplay.agents.battle.policy.names import Lexicon
from ruleplay.agents.battle.policy.pairings import expects, met
from ruleplay.agents.battle.policy.rows import battle_tables
from ruleplay.agents.battle.policy.scene import Scene
from ruleplay.agents.battle.state import State
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json

__all__ = ["held"]

NOBODY = Lexicon({}, {}, is_usual)


def spans(position: Position) -> dict[str, tuple[int, int, int | None]]:
    return {one.id: (one.stood, one.least, one.most) for one in durations(position)}


def over(body: Json, **field: object) -> Position:
    return Position.model_validate(body).model_copy(update={"field": Field_.model_validate(field)})


@pytest.mark.parametrize(("stood", "left"), [(0, (5, 8)), (3, (2, 5)), (6, (2, 2)), (7, (1, 1))])
def test_weather_lasts_five_turns_or_eight_with_a_rock(
    held: Json, stood: int, left: tuple[int, int]
) -> None:
    weather = Timed(id="raindance", turns=stood, left=1)
    found = spans(over(held, weather=weather, rooms=(Timed(id="trickroom", turns=2),)))
    assert found["raindance"] == (stood, *left)
    assert found["trickroom"] == (2, 3, 3)


def test_weather_of_its_own_ends_with_what_replaces_it(held: Json) -> None:
    assert spans(over(held, weather=Timed(id="desolateland")))["desolateland"] == (0, 1, None)


@pytest.mark.parametrize(
    ("slept", "rested", "left"),
    [(0, False, (1, 3)), (1, False, (0, 2)), (3, False, (0, 0)), (1, True, (1, 1))],
)
def test_sleep_takes_one_to_three_turns_and_rest_two(
    held: Json, slept: int, rested: bool, left: tuple[int, int]
) -> None:
    position = Position.model_validate(held)
    sleeper = position.theirs.team[0].model_copy(
        update={"status": "slp", "status_turns": slept, "rested": rested, "hp": 1.0}
    )
    theirs = position.theirs.model_copy(update={"team": (sleeper,)})
    found = [*durations(position.model_copy(update={"theirs": theirs}))]
    assert Duration("slp", "theirs", slept, *left, sleeper.ident, "sleep") in found


def test_a_model_is_told_how_long_things_last(held: Json) -> None:
    position = over(held, weather=Timed(id="sunnyday", turns=2, left=3))
    tables = battle_tables(State(position=position))
    rows = next(one.rows for one in tables if one.title == "how long it lasts")
    assert ("both", "Sunny Day", 2, 3, 6, "the most only if an item prolongs it") in rows


@pytest.mark.parametrize(("words", "says"), [
    ("for how many turns does that rain keep falling", ("no weather", "Nothing else")),
    ("la pluie tombe encore pendant combien de tours ?", ("pas de météo", "Rien d'autre")),
])  # fmt: skip
async def test_an_effect_that_is_not_up_is_said_so(
    session: Session, held: Json, words: str, says: tuple[str, ...]
) -> None:
    body = {**held, "field": {"weather": None, "terrain": None, "rooms": []}}
    await session.turn(action=hold(body))
    reply = (await session.turn(words)).reply
    assert any(one in reply for one in says)


@pytest.mark.parametrize("words", [
    "they put me in charge of this battle", "my nephew left me in charge for an hour",
])  # fmt: skip
def test_a_plain_word_in_a_plain_place_is_no_name(words: str) -> None:
    assert NOBODY.find(words).names == ()


def test_a_name_of_the_dex_is_heard_where_names_stand() -> None:
    assert NOBODY.find("please use flamethrower now").of("move") == ("flamethrower",)


@pytest.mark.parametrize(
    "words", ["can frobnik survive this hit", "est-ce que frobnik survit à ça"]
)
async def test_an_unknown_name_is_asked_about(session: Session, held: Json, words: str) -> None:
    await session.turn(action=hold(held))
    reply = (await session.turn(words)).reply
    assert "frobnik" in reply
    assert "%" not in reply


@pytest.mark.parametrize("words", [
    "would it be safe for us to boost our stats now", "ce serait prudent de monter nos stats",
])  # fmt: skip
async def test_an_order_s_words_in_a_question_order_nothing(
    session: Session, held: Json, words: str
) -> None:
    await session.turn(action=hold(held))
    assert kinds(await session.turn(words)) == ["Spoken"]


async def test_whom_a_switch_means_that_names_nobody_is_asked(session: Session, held: Json) -> None:
    await session.turn(action=hold(held))
    turn = await session.turn("swap to the chubby one")
    offered = event(turn, "WishesOffered")["wishes"]
    able = {o.ident for o in Position.model_validate(held).legal if isinstance(o, SwitchOrder)}
    assert {one["ident"] for one in offered} <= able
    assert len(offered) > 1
    picked = await session.turn("I meant the second one")
    assert event(picked, "WishMade")["wish"]["ident"] == offered[1]["ident"]


async def test_an_order_for_the_turn_after_is_not_priced_as_for_now(
    session: Session, held: Json
) -> None:
    position = Position.model_validate(held)
    mon = next(o.ident for o in position.legal if isinstance(o, SwitchOrder))
    await session.turn(action=hold(held))
    turn = await session.turn(f"next turn switch to {bare(mon)}")
    assert event(turn, "WishMade")["wish"]["span"] == "next"
    assert "depends on this turn" in turn.reply
    assert "The search gives" not in turn.reply


async def test_what_is_ours_on_the_field_is_said_of_the_field(session: Session, held: Json) -> None:
    position = Position.model_validate(held)
    ours, theirs = position.ours.active, position.theirs.active
    assert ours
    assert theirs
    await session.turn(action=hold(held))
    reply = (await session.turn("hello, which of those two out there is ours")).reply
    assert bare(ours.ident) in reply
    assert bare(theirs.ident) in reply
    assert bare(position.ours.bench[0].ident) not in reply


async def test_who_was_not_seen_is_counted_and_not_made_up(session: Session, held: Json) -> None:
    await session.turn(action=hold(held))
    reply = (await session.turn("which ones on their team have they kept hidden till now")).reply
    assert str(Position.model_validate(held).theirs.unseen) in reply
    assert "can't know" in reply


async def test_a_name_in_two_words_is_heard_among_plain_ones() -> None:
    fire = Lexicon(
        {"fireblast": (Thing("move", "fireblast"),), "moonblast": (Thing("move", "moonblast"),)},
        {},
        lambda word: word == "fire",
    )
    assert fire.find("what is fire blast", plain=True).of("move") == ("fireblast",)


async def test_leave_is_taken_without_giving_the_battle_up(session: Session, held: Json) -> None:
    await session.turn(action=hold(held))
    for words in (
        "off to sleep, play the rest yourself",
        "je te laisse, finis la partie tout seul",
    ):
        turn = await session.turn(words)
        assert not {"WishesOffered"} & {*kinds(turn)}
        assert "%" not in turn.reply


async def test_a_move_that_is_asked_about_is_held_against_our_own_choice(
    session: Session, held: Json
) -> None:
    chosen = event(await session.turn(action=hold(held)), "OrderChosen")["order"]
    move = next(
        o.move
        for o in Position.model_validate(held).legal
        if isinstance(o, MoveOrder) and o.move != chosen.get("move")
    )
    turn = await session.turn(f"why not {named(move)}?")
    assert kinds(turn) == ["Spoken"]
    assert named(move) in turn.reply


async def test_an_order_is_confirmed_with_what_is_expected_against_it(session: Session) -> None:
    warned, silent = 0, 0
    for body in recorded_positions()[::9]:
        position = Position.model_validate(body)
        if position.force_switch or position.team_preview or not position.theirs.active:
            continue
        await session.turn(action=decide(body))
        state, _ = await session.host.state(await session.head(), (await session.head()).head)
        scene = Scene(state, position, state.inference, Heard("en", Named()))
        moves = [one for one in scene.trace.expected.predictions if one.kind == "move"]
        likely = max(moves, key=lambda one: one.probability, default=None)
        for order in (one for one in position.legal if isinstance(one, SwitchOrder)):
            pair, told = met(scene, order), [*expects(scene, order)]
            hits = [
                h for h in (pair.their_hits if pair else ()) if likely and h.move == likely.action
            ]
            bad = [h for h in hits if h.ko >= 0.5 or h.low + h.high >= pair.ours.hp]
            assert len(told) == len(bad)
            assert all(move_name(hit.move) in line for hit, line in zip(bad, told, strict=True))
            warned, silent = warned + len(told), silent + (not told)
    assert warned
    assert silent


def test_a_jibe_is_answered_without_figures(held: Json) -> None:
    position = Position.model_validate(held)
    scene = Scene(State(position=position), position, Inference(), Heard("en", Named(), "reproach"))
    told = answer(scene)
    assert told
    assert not any(char.isdecimal() for char in told)


def test_spikes_are_told_by_what_they_take_from_whoever_comes_in(held: Json) -> None:
    position = Position.model_validate(held)
    laid = (Timed(id="spikes", layers=2),)
    theirs = position.theirs.model_copy(update={"conditions": laid})
    position = position.model_copy(update={"theirs": theirs})
    named = Named(((Thing("move", "spikes"),),), "<move>")
    heard = Heard("en", named, "damage", side="theirs", asks=True)
    scene = Scene(State(position=position), position, Inference(), heard)
    assert answer(scene).startswith("Spikes on their side take 17%")
    tables = {one.title: one for one in asked_tables(scene, (), ())}
    taken = {row[:2]: row[2] for row in tables["what entry hazards take"].rows}
    assert [taken["Spikes", layers] for layers in (1, 2, 3)] == [12.5, 16.7, 25.0]


def test_a_type_asked_about_is_what_the_move_meets(held: Json) -> None:
    position = Position.model_validate(held)
    named = Named(((Thing("move", "earthquake"),), (Thing("type", "flying"),)))
    scene = Scene(State(position=position), position, Inference(), Heard("en", named, "explain"))
    assert answer(scene).startswith("Earthquake does nothing to the type Flying")
    tables = {one.title: one for one in asked_tables(scene, (), ())}
    rows = tables["moves into the type asked about"].rows
    assert ("Earthquake", "Flying", 0.0) in rows


def test_a_reason_beside_an_order_that_was_obeyed_is_not_called_unheard(held: Json) -> None:
    position = Position.model_validate(held)
    words = Named((), "it would fall at once")
    order = (Act(do="free"), Named())
    scene = Scene(
        State(position=position), position, Inference(),
        Heard("en", words, "", ("falls",), orders=(order,)),
    )  # fmt: skip
    told = answer(scene, ("Taken back: that.",))
    assert "as your reason" in told
    assert "not sure" not in told


async def test_why_not_a_move_that_cannot_be_used_is_told_so(session: Session, held: Json) -> None:
    moves = held["request_moves"]
    switches = [one for one in held["legal"] if one["kind"] == "switch"]
    locked = {**held, "legal": [{"kind": "move", "move": moves[0]}, *switches]}
    await session.turn(action=hold(locked))
    told = (await session.turn(f"why not {named(moves[1])}?")).reply
    assert f"{named(moves[0])} is all it can use" in told
    two = [{"kind": "move", "move": move} for move in moves[:2]]
    await session.turn(action=hold({**held, "legal": [*two, *switches]}))
    told = (await session.turn(f"why not {named(moves[2])}?")).reply
    assert f"{named(moves[2])} cannot be used now" in told


async def test_how_often_a_move_hits_counts_the_ability_of_who_uses_it(
    session: Session, held: Json
) -> None:
    def hustling(mon: Json) -> Json:
        return {**mon, "ability": "hustle", "ability_source": "request", "item": ""}

    team = [hustling(mon) if mon.get("active") else mon for mon in held["ours"]["team"]]
    await session.turn(action=hold({**held, "ours": {**held["ours"], "team": team}}))
    physical = next(
        move.id
        for mon in Position.model_validate(held).ours.team
        if mon.active
        for move in mon.moves
        if dex.move(move.id).category == "physical" and dex.move(move.id).accuracy == 1
    )
    assert "80%" in (await session.turn(f"how often does {named(physical)} hit?")).reply
