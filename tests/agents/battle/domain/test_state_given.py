"""What a search is given: the state as the server's messages and requests leave it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.agents.battle.domain.test_chronicle import REQUEST, bird, told
from tests.samples import sample

from ruleplay.agents.battle.domain.pool import SetPool
from ruleplay.agents.battle.domain.results import JointSet
from ruleplay.agents.battle.domain.vantage import see
from ruleplay.agents.battle.domain.worlds import sample_worlds, stats_of, their_fighter

PIVOT: dict[str, Any] = {"rqid": 8, "forceSwitch": [True], "side": REQUEST["side"]}
UPKEEP = "|upkeep"


def set_of(species: str, ability: str, moves: tuple[str, ...] = ("roost",)) -> JointSet:
    return JointSet(
        species=species, level=80, item="", ability=ability, moves=moves, tera="steel",
        stats=stats_of(species, 80, (85,) * 6, (31,) * 6), role="",
    )  # fmt: skip


@pytest.mark.parametrize(("lines", "left"), [
    (("|-weather|RainDance", UPKEEP, "|turn|2"), 4),
    ((UPKEEP, "|-weather|RainDance", "|turn|2"), 5),
    (("|-weather|RainDance", *(UPKEEP,) * 5, "|turn|6"), 3),
])  # fmt: skip
def test_weather_counts_ends_of_turns(lines: tuple[str, ...], left: int) -> None:
    weather = see(told(*lines), "p1", REQUEST).field.weather
    assert weather is not None
    assert weather.left == left


def test_terrain_rooms_and_screens_count_them_too() -> None:
    chronicle = told(UPKEEP, "|-fieldstart|move: Grassy Terrain", "|-fieldstart|move: Trick Room",
                     "|-sidestart|p2: them|Reflect", "|turn|2")  # fmt: skip
    position = see(chronicle, "p1", REQUEST)
    assert position.field.terrain is not None
    assert position.field.terrain.left == 5
    assert [each.left for each in (*position.field.rooms, *position.theirs.conditions)] == [5, 5]


def test_a_screen_that_outlives_its_time_was_prolonged() -> None:
    chronicle = told("|-sidestart|p2: them|Reflect", *(UPKEEP,) * 6, "|turn|7")
    assert [each.left for each in see(chronicle, "p1", REQUEST).theirs.conditions] == [2]


def test_poison_counts_the_ends_of_turns_it_was_there_for() -> None:
    chronicle = told("|-status|p2a: Corviknight|tox", UPKEEP, "|turn|2", UPKEEP)
    assert bird(chronicle).poisoned_for == 2
    late = told(UPKEEP, "|-status|p2a: Corviknight|tox", "|turn|2")
    assert bird(late).poisoned_for == 0
    orb = told("|-status|p2a: Corviknight|tox|[from] item: Toxic Orb", UPKEEP, "|turn|2", UPKEEP)
    assert bird(orb).poisoned_for == 1


def test_a_pivot_that_moved_first_leaves_them_their_move() -> None:
    pivot = "|move|p1a: Great Tusk|U-turn|p2a: Corviknight"
    slow = "|move|p2a: Corviknight|Roost|p2a: Corviknight"
    assert see(told(pivot), "p1", PIVOT).foe_to_move
    assert not see(told(slow, pivot), "p1", PIVOT).foe_to_move
    assert not see(told(pivot), "p1", REQUEST).foe_to_move
    assert not see(told(pivot, "|faint|p2a: Corviknight"), "p1", PIVOT).foe_to_move


def test_one_on_the_bench_has_what_its_ability_did_there() -> None:
    away = ("|-damage|p2a: Corviknight|40/100 par", "|switch|p2a: Gengar|Gengar, L82|100/100")
    mon = see(told(*away), "p1", REQUEST).theirs.member("p2: Corviknight")
    plain, healed = (
        their_fighter(mon, set_of("corviknight", ability)) for ability in ("", "regenerator")
    )
    assert healed.hp - plain.hp == plain.hp_max // 3
    assert plain.status == "par"
    assert their_fighter(mon, set_of("corviknight", "naturalcure")).status == ""


@pytest.mark.parametrize(("back", "known", "ruled_out"), [
    ("73/100", "regenerator", set()),
    ("40/100", None, {"regenerator"}),
])  # fmt: skip
def test_coming_back_tells_what_being_away_did(
    back: str, known: str | None, ruled_out: set[str]
) -> None:
    chronicle = told("|-damage|p2a: Corviknight|40/100", "|switch|p2a: Gengar|Gengar, L82|100/100",
                     f"|switch|p2a: Corviknight|Corviknight, L80, M|{back}")  # fmt: skip
    assert bird(chronicle).own_ability == known
    assert bird(chronicle).ruled_out_abilities == ruled_out


def test_barred_moves_are_barred() -> None:
    chronicle = told("|-start|p2a: Corviknight|move: Heal Block")
    mon = see(chronicle, "p1", REQUEST).theirs.member("p2: Corviknight")
    made = their_fighter(mon, set_of("corviknight", "", ("roost", "bravebird")))
    assert {move.id: move.disabled for move in made.moves} == {"roost": True, "bravebird": False}


def test_a_lost_lock_and_a_lost_item_are_noted() -> None:
    raging = ("|move|p2a: Corviknight|Outrage|p1a: Great Tusk",)
    assert "lockedmove" in bird(told(*raging)).effects
    missed = told(*raging, "|-miss|p2a: Corviknight|p1a: Great Tusk")
    assert "lockedmove" not in bird(missed).effects
    for stopped in ("|-immune|p1a: Great Tusk", "|-activate|p1a: Great Tusk|move: Protect"):
        assert "lockedmove" not in bird(told(*raging, stopped)).effects
    tired = told(*raging, "|-start|p2a: Corviknight|confusion|[fatigue]")
    assert "lockedmove" not in bird(tired).effects
    robbed = told("|-enditem|p2a: Corviknight|Leftovers|[from] move: Knock Off")
    assert "unburden" in bird(robbed).effects


def test_a_hurt_one_that_did_not_eat_has_no_leftovers() -> None:
    hurt = told("|-damage|p2a: Corviknight|80/100", UPKEEP)
    assert "leftovers" in bird(hurt).ruled_out_items
    fed = told("|-damage|p2a: Corviknight|80/100",
               "|-heal|p2a: Corviknight|86/100|[from] item: Leftovers", UPKEEP)  # fmt: skip
    assert "leftovers" not in bird(fed).ruled_out_items
    # Poison comes after eating: it was whole when it would have eaten.
    ill = told("|-damage|p2a: Corviknight|94/100 tox|[from] psn", UPKEEP)
    assert "leftovers" not in bird(ill).ruled_out_items


ROW = [80, "leftovers", "pressure", ["roost"], [85] * 6, [31] * 6, "", {"steel": 3}]


def test_the_unseen_come_out_of_a_team_that_has_the_seen() -> None:
    species = ("azumarill", "breloom", "corviknight", "gengar", "heatran", "jolteon", "pikachu")
    rows = {name: [ROW] for name in (*species, "snorlax", "tauros", "ursaring", "vaporeon")}
    mates = [number for name in species[:6] for number in (sorted(rows).index(name), 0)]
    others = [number for name in sorted(rows)[5:] for number in (sorted(rows).index(name), 0)]
    pool = SetPool("x", "1", dict(sorted(rows.items())), [mates] * 20 + [others] * 20)
    position = see(told("|turn|1"), "p1", REQUEST)
    guess = {"p2: Corviknight": {"ident": "p2: Corviknight", "sets": [
        {"set": set_of("corviknight", "").model_dump(), "chance": 1.0}]}}  # fmt: skip
    from ruleplay.agents.battle.domain.results import Inference

    inference = Inference.model_validate({"guesses": guess})
    for seed in range(5):
        (world,) = sample_worlds(position, inference, pool, Random(seed), 1)
        unseen = {each.species for each in world.theirs if each.ident.startswith("unseen")}
        assert unseen == set(species[:6]) - {"corviknight"}


def test_a_team_the_generator_would_not_make_is_not_drawn() -> None:
    from ruleplay.agents.battle.domain import worlds

    assert worlds._allowed([("water", "fairy"), ("grass",), ("steel",)])
    assert not worlds._allowed([("water",), ("water",), ("water", "ice")])


def test_what_is_passed_on_is_taken_over() -> None:
    up = ("|-boost|p2a: Corviknight|def|2", "|-start|p2a: Corviknight|Substitute")
    came = "|switch|p2a: Gengar|Gengar, L82|100/100"
    baton = told(*up, f"{came}|[from] Baton Pass").mons["p2: Gengar"]
    assert (baton.boosts, set(baton.effects)) == ({"def": 2}, {"substitute"})
    tail = told(*up, f"{came}|[from] Shed Tail").mons["p2: Gengar"]
    assert (tail.boosts, set(tail.effects)) == ({}, {"substitute"})
    plain = told(*up, came).mons["p2: Gengar"]
    assert (plain.boosts, plain.effects) == ({}, {})


def test_a_binding_that_ends_lets_go() -> None:
    bound = ("|move|p1a: Great Tusk|Magma Storm|p2a: Corviknight",
             "|-activate|p2a: Corviknight|move: Magma Storm|[of] p1a: Great Tusk")  # fmt: skip
    assert "partiallytrapped" in bird(told(*bound)).effects
    free = told(*bound, "|-end|p2a: Corviknight|Magma Storm|[partiallytrapped]|[silent]")
    assert "partiallytrapped" not in bird(free).effects


def test_states_are_the_simulators_own(showdown: Path) -> None:
    from benchmarks.battle.states import bench_states

    from ruleplay.agents.battle.adapters import engine
    from ruleplay.errors import Unavailable

    try:
        engine.probe()
    except Unavailable as error:
        pytest.skip(str(error))
    found = bench_states(showdown, "gen9randombattle", sample(2, 4))
    assert found.positions > sample(40, 100)
    assert found.share < 0.01, found.examples
