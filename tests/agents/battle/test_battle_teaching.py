"""Reviews, the calculator and ratings: what people learn from battles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleplay.agents.battle.adapters import review_page
from ruleplay.agents.battle.adapters.calculator import (
    Calculation,
    Leaf,
    Played,
    Question,
    Throw,
    answer,
    knock_outs,
    read_scene,
)
from ruleplay.agents.battle.adapters.formats import find_format
from ruleplay.agents.battle.adapters.outsider import Outsider
from ruleplay.agents.battle.adapters.replays import Replay, parse_replay
from ruleplay.agents.battle.adapters.review import CHOICES, Review, ReviewedTurn, review_replay
from ruleplay.agents.battle.adapters.review_process import Asked, kept_or_made
from ruleplay.agents.battle.adapters.review_store import keep_review, kept_review, review_id
from ruleplay.agents.battle.adapters.set_pool import empty_pool
from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain.chances import win_chance
from ruleplay.agents.battle.domain.naming import step_words
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.rating import Match, rated
from ruleplay.agents.battle.domain.standing import Standing
from ruleplay.agents.battle.policy.lessons import Fault, lessons
from ruleplay.agents.battle.policy.specimen import read_specimen
from ruleplay.errors import NotFound, UserError

HERE = Path(__file__).parent / "domain"


@pytest.fixture(scope="module")
def replay() -> Replay:
    battle = json.loads((HERE / "battle.json").read_text())
    lines = [line if isinstance(line, str) else "|".join(line) for line in battle["lines"]]
    return parse_replay("\n".join(lines), "battle-gen9randombattle-1")


def long_log(turns: int) -> str:
    head = ["|player|p1|Ash|1|", "|player|p2|Gary|2|", "|tier|[Gen 9] Random Battle", "|start",
            "|switch|p1a: Pikachu|Pikachu, L90|100/100",
            "|switch|p2a: Eevee|Eevee, L90|100/100"]  # fmt: skip
    for turn in range(1, turns + 1):
        move = ("Thunderbolt", "Surf")[turn % 2]
        head += [f"|turn|{turn}", f"|move|p1a: Pikachu|{move}|p2a: Eevee", "|upkeep"]
    return "\n".join(head)


@pytest.mark.parametrize("engine", ["python", "auto"])
async def test_a_log_has_one_review(replay: Replay, home: Path, engine: str) -> None:
    world = World(home)

    async def reviewed() -> Review:
        return await review_replay(
            replay, "p1", world, search_ms=0, visits=2_000, engine=engine, turns=(1, 6)
        )

    found = await reviewed()
    assert found.repeatable or engine == "auto"
    if found.repeatable:
        assert (await reviewed()) == found
    assert found.accuracy is not None
    assert all(turn.chance is None or 0 <= turn.chance <= 1 for turn in found.turns)
    known = [turn for turn in found.turns if turn.luck is not None]
    after = {turn.number: turn.chance for turn in found.turns}
    for turn in known:
        assert turn.chance is not None
        assert turn.lost is not None
        following = after.get(turn.number + 1)
        if following is not None:
            assert turn.chance - turn.lost + turn.luck == pytest.approx(following, abs=1e-3)
    assert any(turn.sets for turn in found.turns)


async def test_ten_reviews_of_one_log_are_one(replay: Replay, home: Path) -> None:
    world = World(home)
    found = [
        await review_replay(
            replay, "p1", world, search_ms=0, visits=400, engine="auto", turns=(1, 2)
        )
        for _ in range(10)
    ]
    assert len(found[0].turns) == 2
    if found[0].repeatable:
        assert all(one == found[0] for one in found)


async def test_a_long_log_is_paged(home: Path) -> None:
    log = parse_replay(long_log(3_000), "battle-gen9randombattle-2")
    world = World(home)
    with pytest.raises(UserError, match=f"more than {CHOICES} choices.*1-{CHOICES}"):
        await review_replay(log, "p1", world, search_ms=0, engine="python")
    page = await review_replay(log, "p1", world, search_ms=0, engine="python", turns=(100, 110))
    assert [turn.turn for turn in page.turns] == [*range(100, 111)]
    assert page.turns[-1].luck is None


async def test_a_review_is_kept_at_its_address(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "battle-gen9randombattle-3.log"
    file.write_text(long_log(4))
    asked = Asked(home, file, "p1", 0)
    made = await kept_or_made(asked)
    assert kept_review(home, made.id) == made
    assert review_id(file, "p2", 0, (0, 0)) != made.id
    altered = made.model_copy(update={"player": "somebody"})
    keep_review(home, altered)
    assert (await kept_or_made(asked)).player == "somebody"
    for ident in ("../../../etc/passwd", "f" * 24, ""):
        with pytest.raises(NotFound):
            kept_review(home, ident)


def test_a_review_is_one_page_of_its_own() -> None:
    turn = ReviewedTurn(
        turn=3, forced=False, played="<b>Surf", best="Thunderbolt", grade="mistake", lost=0.1,
        number=1, chance=0.6, luck=-0.2,
    )  # fmt: skip
    found = Review(
        room="r", format="f", player="A", opponent="B", winner="B", exact=True,
        turns=(turn, turn.model_copy(update={"number": 2})), counts={"mistake": 2},
        lessons=lessons([Fault(3, SwitchOrder(ident="p1: X"), MoveOrder(move="surf"), 0.1)]),
    )  # fmt: skip
    page = review_page.page(found)
    assert "<b>Surf" not in page
    assert 'href="#c1"' in page
    assert "<svg" in page
    assert not [word for word in ("http://", "https://", "<script", "src=") if word in page]
    assert "Stay in and act" in review_page.markdown(found)


def test_lessons_are_three_at_most_and_the_dearest() -> None:
    move, other = MoveOrder(move="a"), MoveOrder(move="b")
    away = SwitchOrder(ident="p1: X")
    faults = [Fault(1, move, away, 0.3), Fault(2, away, move, 0.1), Fault(3, move, other, 0.2),
              Fault(4, move, MoveOrder(move="a", tera=True), 0.05)]  # fmt: skip
    found = lessons(faults)
    assert [each.turns for each in found] == [(1,), (3,), (2,)]
    assert sum(each.lost for each in found) == pytest.approx(0.6)


def test_a_chance_says_how_it_stands(positions: list[dict[str, object]]) -> None:
    from ruleplay.agents.battle.domain.position import Position

    position = Position.model_validate(positions[0])
    even = win_chance(0.5, position)
    told = position.model_dump(mode="json")
    told["theirs"]["size"] = 3
    ahead = win_chance(0.5, Position.model_validate(told))
    assert win_chance(0.4, position) < even < win_chance(0.6, position) < ahead
    assert ahead > 0.9


@pytest.mark.parametrize(("choice", "words"), [
    ("earthquake-tera", "Earthquake, terastallizing"), ("switch gengar", "Gengar comes in"),
    ("none", "nothing"), ("uturn", "U-turn"),
])  # fmt: skip
def test_steps_are_told_in_words(choice: str, words: str) -> None:
    assert step_words(choice) == words


async def test_the_simulator_rolls(showdown: Path) -> None:
    tusk = "Great Tusk, L77, Leftovers, Protosynthesis, +1 atk"
    foe = "Toxapex, L80, Black Sludge, Regenerator, 80%"
    found = await _asked(showdown, tusk, "Earthquake", foe, "reflect")
    assert (found.low, found.high, found.hp, found.max_hp) == (105, 124, 169, 211)
    assert found.critical == (314, 372)
    assert found.knock_out[0] == 0
    # 169 points, and Black Sludge gives 13 back between the uses.
    assert found.knock_out[1] == pytest.approx(1)
    assert "guaranteed 2HKO (counting Black Sludge)" in found.text
    spared = await _asked(showdown, tusk, "Earthquake", "Corviknight, L80")
    assert (spared.high, spared.knock_out[-1], spared.outcome) == (0, 0, "immune")
    assert spared.text.endswith("immune")


async def _asked(
    package: Path, attacker: str, move: str, defender: str, *field: str, format_: str = "gen9ou"
) -> Calculation:
    asked = Question(attacker=attacker, move=move, defender=defender, field=field, format=format_)
    return await answer(package, empty_pool(format_), asked)


async def test_what_the_calculator_says_can_be_asked_again(showdown: Path) -> None:
    attacker, foe = "Urshifu-Rapid-Strike, Choice Band, brn", "Corviknight, +2 def, 75%, tera Water"
    found = await _asked(showdown, attacker, "Surging Strikes", foe)
    again = await _asked(showdown, found.attacker, found.move, found.defender)
    assert again == found
    assert found.always_critical
    assert found.hits == (3, 3)


async def test_a_sash_and_the_ends_of_turns_count(showdown: Path) -> None:
    held = await _asked(showdown, "Garchomp, +6 atk", "Earthquake", "Heatran, Focus Sash")
    assert held.knock_out[:2] == (0, 1)
    dry = await _asked(showdown, "Garchomp", "Earthquake", "Heatran, Leftovers, tox, 51%")
    assert set(dry.counted) == {"tox", "Leftovers"}
    berry = await _asked(showdown, "Garchomp", "Crunch", "Toxapex, Sitrus Berry, 52%")
    assert berry.left_out == ("Sitrus Berry",)


async def test_an_absorbed_hit_names_the_ability(showdown: Path) -> None:
    found = await _asked(showdown, "Walking Wake", "Surf", "Vaporeon, Water Absorb")
    assert (found.outcome, found.because) == ("immune", "Water Absorb")


def test_an_unknown_format_is_refused_with_near_ones(showdown: Path) -> None:
    with pytest.raises(NotFound, match="did you mean gen9randombattle"):
        find_format(showdown, "gen9randombatle")
    assert find_format(showdown, "gen9vgc2025regi").own_team


@pytest.mark.parametrize(("text", "error"), [
    ("Great Tuskk", NotFound), ("Great Tusk, +7 atk", UserError), ("Great Tusk, L101", UserError),
    ("Great Tusk, Nonsense", UserError), ("Great Tusk, 0%", UserError),
])  # fmt: skip
def test_what_no_pokemon_is_is_said(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_specimen(text, empty_pool("gen9ou"))


def test_a_specimen_is_read() -> None:
    text = "Great Tusk, Choice Band, adamant, L90, 252 atk, -1 def, tera ice, brn, 33%"
    found = read_specimen(text, empty_pool("gen9ou"))
    assert (found.item, found.nature, found.level, found.hp) == ("choiceband", "adamant", 90, 0.33)
    assert (found.evs["atk"], found.boosts, found.tera) == (252, {"def": -1}, "Ice")
    assert read_specimen("Great Tusk level 77", empty_pool("gen9ou")).level == 77
    assert read_specimen("Charizard Mega X L60, Drought", empty_pool("gen9ou")).level == 60
    with pytest.raises(UserError, match="over the field"):
        read_scene(("moonlight",))
    assert read_scene(("rain", "electric")).model_dump() == {
        "weather": "raindance", "terrain": "electricterrain", "rooms": (), "screens": (),
    }  # fmt: skip


@pytest.mark.parametrize(("text", "meant"), [
    ("grat tusk", "Great Tusk"), ("toxapx", "Toxapex"), ("Zamazanta", "Zamazenta"),
    ("Mew, Leftover", "Leftovers"), ("Mew, Intimdate", "Intimidate"),
])  # fmt: skip
def test_near_names_are_offered(text: str, meant: str) -> None:
    names = {"leftovers": "Leftovers"}
    with pytest.raises(UserError, match=f"did you mean {meant}"):
        read_specimen(text, empty_pool("gen9ou"), items=names)


def test_hits_roll_for_themselves() -> None:
    twice = (_throw(1, 3), _throw(1, 3))
    assert knock_outs(_played(6, (twice,) * 4))[0] == 0.25
    assert knock_outs(_played(10, ((_throw(5, 10),),) * 4))[:2] == (0.5, 1.0)
    # A heal of two points between the uses takes the sure second knock-out away.
    assert knock_outs(_played(10, ((_throw(5, 10),),) * 4, after=(2,) * 3))[:2] == (0.5, 0.75)
    held = _throw(20).model_copy(update={"held": True})
    assert knock_outs(_played(10, ((held,), (_throw(1),)) * 2))[:2] == (0, 1)


def _throw(*rolls: int) -> Throw:
    return Throw(hits=1, rolls=rolls, held=False)


def _played(
    hp: int, uses: tuple[tuple[Throw, ...], ...], after: tuple[int, ...] = (0, 0, 0)
) -> Played:
    return Played(
        hp=hp, maxhp=hp, accuracy=1, first=True, spread=False, outcome="hits", because="",
        critical_chance=0, always_critical=False, leaves=(Leaf(weight=1, uses=uses),),
        criticals=(Leaf(weight=1, uses=uses),), after=after, steady=(), left_out=(),
    )  # fmt: skip


def test_ratings_follow_who_beat_whom() -> None:
    found = rated([Match("a", "b", 75, 25), Match("b", "c", 75, 25), Match("c", "a", 10, 90)])
    assert [each.name for each in found] == ["a", "b", "c"]
    by = {each.name: each for each in found}
    assert by["a"].rating - by["b"].rating == pytest.approx(190, abs=25)
    assert by["a"].low < by["a"].rating < by["a"].high
    assert sum(each.rating for each in found) == pytest.approx(0, abs=1)
    few = rated([Match("a", "b", 3, 1)])
    assert few[0].high - few[0].low > by["a"].high - by["a"].low
    assert rated([Match("a", "b", 5, 0)])[0].rating < 1_000
    assert rated([]) == ()


@pytest.mark.parametrize(("wins", "losses", "says"), [
    (5, 5, ""), (60, 20, "stronger"), (40, 60, "not stronger"), (20, 20, ""),
])  # fmt: skip
def test_a_sequential_test_stops_when_it_is_clear(wins: int, losses: int, says: str) -> None:
    assert Standing(wins=wins, losses=losses).decided == says


async def test_a_bots_command_is_filled_in() -> None:
    bot = Outsider("bot --as {name} {server}", "Red", "ws://x", "gen9ou", 3)
    assert bot._arguments("us") == ["bot", "--as", "Red", "ws://x"]
    with pytest.raises(UserError, match="no command"):
        Outsider("bot {nothing}", "Red", "ws://x", "gen9ou", 3)._arguments("us")
