"""Which sets fit what was seen: never none, weighted, and honest about what was given up."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from benchmarks.battle import measures
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleplay.agents.battle.domain.position import Mon, MoveSlot, Position, SpeedSeen
from ruleplay.agents.battle.domain.sets import SetPool, guess, opponent_sets, stats_of
from ruleplay.agents.battle.domain.worlds import sample_worlds

ROW_A = [80, "leftovers", "pressure", ["bodypress", "bravebird", "defog", "roost"],
         [85] * 6, [31] * 6, "Bulky Support", {"dragon": 30, "water": 10}]  # fmt: skip
ROW_B = [80, "rockyhelmet", "mirrorarmor", ["bodypress", "bravebird", "roost", "uturn"],
         [85] * 6, [31] * 6, "Bulky Support", {"dragon": 10}]  # fmt: skip
ROW_C = [80, "choicescarf", "pressure", ["bravebird", "ironhead", "stoneedge", "uturn"],
         [85] * 6, [31] * 6, "Fast Attacker", {"flying": 5}]  # fmt: skip
SMALL = SetPool("gen9randombattle", "test", {"corviknight": [ROW_A, ROW_B, ROW_C]})


def bird(**change: Any) -> Mon:
    moves = tuple(MoveSlot(id=each, pp=8, max_pp=8) for each in change.pop("moves", ()))
    return Mon(ident="p2: Corviknight", name="Corviknight", species="corviknight", level=80,
               base="corviknight", types=("flying", "steel"), moves=moves, **change)  # fmt: skip


@pytest.mark.parametrize(
    ("seen", "items", "exact"),
    [
        ({}, ["leftovers", "rockyhelmet", "choicescarf"], True),
        ({"moves": ("uturn",)}, ["rockyhelmet", "choicescarf"], True),
        ({"moves": ("uturn",), "ruled_out_items": ("choicescarf",)}, ["rockyhelmet"], True),
        ({"first_item": "leftovers", "item": ""}, ["leftovers"], True),
        ({"own_ability": "mirrorarmor"}, ["rockyhelmet"], True),
        ({"tera_type": "flying", "terastallized": True}, ["choicescarf"], True),
        ({"first_item": "choiceband", "moves": ("defog",)}, ["leftovers"], False),
        ({"moves": ("defog", "uturn")}, ["leftovers", "rockyhelmet", "choicescarf"], False),
    ],
)
def test_sets_are_filtered_by_what_was_seen(
    seen: dict[str, Any], items: list[str], exact: bool
) -> None:
    found = guess(bird(**seen), SMALL)
    assert sorted(each.set.item for each in found.sets) == sorted(items)
    assert found.exact is exact
    assert ("given up" in found.note) is not exact


def test_chances_are_the_generators_counts_and_tera_comes_with_them() -> None:
    found = guess(bird(moves=("bodypress",)), SMALL)
    assert [round(each.chance, 2) for each in found.sets] == [0.8, 0.2]
    assert found.sets[0].teras == (("dragon", 0.75), ("water", 0.25))
    assert found.best.tera == "dragon"


def test_a_species_outside_the_pool_gets_a_set_from_its_dex_entry_and_says_so() -> None:
    found = guess(bird(moves=("hurricane",)), SetPool("gen9ou", "", {}))
    assert (found.exact, found.from_pool) == (False, False)
    assert found.best.moves[0] == "hurricane"
    assert "not in the set data" in found.note


def test_moving_first_makes_the_scarf_likely(positions: list[Position]) -> None:
    position = positions[0]
    ours = position.ours.team[0]
    assert ours.stats is not None
    fast = ours.model_copy(update={"item": "", "ability": "", "stats": ours.stats.model_copy(
        update={"spe": stats_of("corviknight", 80, (85,) * 6, (31,) * 6).spe + 40})})  # fmt: skip
    seen = SpeedSeen(turn=1, mate=fast.ident, first=True, move="bravebird", mate_move="tackle")
    theirs = position.theirs.model_copy(update={"team": (bird(active=True, speeds=(seen,)),)})
    side = position.ours.model_copy(update={"team": (fast, *position.ours.team[1:])})
    changed = position.model_copy(update={"ours": side, "theirs": theirs})
    assert opponent_sets(changed, SMALL).guesses["p2: Corviknight"].best.item == "choicescarf"


ANY_MOVES = st.lists(st.sampled_from([*ROW_A[3], *ROW_C[3], "surf"]), max_size=4, unique=True)  # type: ignore[misc]


@settings(deadline=None)
@given(
    moves=ANY_MOVES,
    first_item=st.sampled_from([None, "leftovers", "choicescarf", "lifeorb"]),
    ability=st.sampled_from([None, "pressure", "unnerve"]),
    ruled_out=st.lists(st.sampled_from(["leftovers", "rockyhelmet", "choicescarf"]), unique=True),
)
def test_no_evidence_leaves_nothing(
    moves: list[str], first_item: str | None, ability: str | None, ruled_out: list[str]
) -> None:
    found = guess(
        bird(moves=tuple(moves), first_item=first_item, own_ability=ability,
             ruled_out_items=tuple(ruled_out)), SMALL,
    )  # fmt: skip
    assert found.sets
    assert sum(each.chance for each in found.sets) == pytest.approx(1)
    assert all(sum(chance for _, chance in each.teras) == pytest.approx(1) for each in found.sets)
    if found.exact:
        assert all(set(moves) <= set(each.set.moves) for each in found.sets)


def test_worlds_hold_no_species_twice_and_nothing_open(
    positions: list[Position], pool: SetPool
) -> None:
    for position in positions:
        for world in sample_worlds(position, opponent_sets(position, pool), pool, Random(3), 3):
            assert len(world.theirs) == len(position.theirs.team) + position.theirs.unseen
            assert all(each.ability and each.moves for each in world.theirs)
            assert {each.ident for each in world.ours} == set(position.request_team)


def test_set_accuracy_counts_what_lies_in_the_top_three(
    battle: dict[str, Any], pool: SetPool
) -> None:
    true = measures.truths(battle["teams"]["p2"]).values()
    known = {
        each.species: [[each.level, each.item, each.ability, list(each.moves),
                        [85] * 6, [31] * 6, "Any", {each.tera: 1}]]
        for each in true
    }  # fmt: skip
    everything = SetPool("gen9randombattle", "test", known)
    seat = (battle["lines"], "p1", battle["teams"])
    assert measures.battle_set_accuracy(everything, *seat) == (2, 2)
    assert measures.battle_set_accuracy(pool, *seat) == (0, 2)
