"""The damage rules, from their own tables, and against what a real simulator rolled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from benchmarks.battle import measures
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleplay.agents.battle.domain import dex, evidence
from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.damage import accuracy, damage, rolls
from ruleplay.agents.battle.domain.position import Boosts
from ruleplay.agents.battle.domain.sets import stats_of
from ruleplay.agents.battle.domain.strikes import Scene, grounded, type_of, untouched
from ruleplay.agents.battle.domain.worlds import Fighter, Known


def fighter(species: str, level: int = 80, **change: Any) -> Fighter:
    stats = stats_of(species, level, (85,) * 6, (31,) * 6)
    types = dex.species(species).types
    made = Fighter(
        ident=f"p1: {species}", species=species, level=level, types=types, own_types=types,
        hp=stats.hp, hp_max=stats.hp, stats=stats, item="", ability="",
        moves=(Known("tackle", 35),), tera_type="fire", active=True,
    )  # fmt: skip
    return replace(made, **change)


TUSK, DRAGON, BIRD = fighter("greattusk"), fighter("garchomp"), fighter("corviknight")
CALM = Scene()


def test_the_range_is_the_games_formula_by_hand() -> None:
    # Level 80 Garchomp: 253 Attack; Earthquake 100 power; Great Tusk: 253 Defense at level 80.
    made = rolls(dex.move("earthquake"), DRAGON, TUSK, CALM)
    base = (2 * 80 // 5 + 2) * 100 * DRAGON.stats.atk // TUSK.stats["def"] // 50 + 2
    low, high = base * 85 // 100, base
    assert (made.low, made.high) == (-(-low * 3 // 2) - (low * 3 % 2), high * 3 // 2)
    assert made.effectiveness == 1.0


@pytest.mark.parametrize(
    ("move", "by", "on", "scene"),
    [
        ("earthquake", DRAGON, BIRD, CALM),
        ("earthquake", DRAGON, fighter("rotomwash", ability="levitate"), CALM),
        ("surf", DRAGON, fighter("vaporeon", ability="waterabsorb"), CALM),
        ("shadowball", DRAGON, fighter("snorlax"), CALM),
        ("boomburst", DRAGON, fighter("kommoo", ability="soundproof"), CALM),
        ("dracometeor", DRAGON, fighter("sylveon"), CALM),
        ("flamethrower", DRAGON, TUSK, Scene(weather="primordialsea")),
        ("extremespeed", DRAGON, TUSK, Scene(terrain="psychicterrain")),
        ("dreameater", DRAGON, TUSK, CALM),
        ("poltergeist", DRAGON, TUSK, CALM),
    ],
)  # fmt: skip
def test_what_cannot_touch_does_nothing(move: str, by: Fighter, on: Fighter, scene: Scene) -> None:
    assert rolls(dex.move(move), by, on, scene).high == 0


@pytest.mark.parametrize(
    ("change", "scene", "factor"),
    [
        ({"item": "choiceband"}, CALM, 1.5),
        ({"item": "lifeorb"}, CALM, 1.3),
        ({"ability": "hugepower"}, CALM, 2.0),
        ({"status": "brn"}, CALM, 0.5),
        ({"status": "brn", "ability": "guts"}, CALM, 1.5),
        ({"boosts": Boosts.model_validate({"atk": 2})}, CALM, 2.0),
        ({"boosts": Boosts.model_validate({"atk": -1})}, CALM, 2 / 3),
        ({}, Scene(screens=frozenset({"reflect"})), 0.5),
        ({"ability": "infiltrator"}, Scene(screens=frozenset({"reflect"})), 1.0),
        ({}, Scene(terrain="grassyterrain"), 0.5),
        ({"terastallized": True, "tera_type": "ground", "types": ("ground",)}, CALM, 2 / 1.5),
        ({"terastallized": True, "tera_type": "fire", "types": ("fire",)}, CALM, 1.0),
    ],
)  # fmt: skip
def test_factors_on_a_ground_move(change: dict[str, Any], scene: Scene, factor: float) -> None:
    plain = rolls(dex.move("earthquake"), DRAGON, TUSK, CALM)
    changed = rolls(dex.move("earthquake"), replace(DRAGON, **change), TUSK, scene)
    assert changed.high / plain.high == pytest.approx(factor, abs=0.03)


@pytest.mark.parametrize(
    ("move", "by", "scene", "expected"),
    [
        ("terablast", fighter("garchomp", terastallized=True), CALM, "fire"),
        ("terablast", DRAGON, CALM, "normal"),
        ("weatherball", DRAGON, Scene(weather="raindance"), "water"),
        ("ivycudgel", fighter("ogerponwellspring"), CALM, "water"),
        ("hypervoice", fighter("sylveon", ability="pixilate"), CALM, "fairy"),
        ("hypervoice", fighter("primarina", ability="liquidvoice"), CALM, "water"),
        ("judgment", fighter("arceusfire", item="flameplate"), CALM, "fire"),
    ],
)  # fmt: skip
def test_a_moves_type_is_that_of_its_use(
    move: str, by: Fighter, scene: Scene, expected: str
) -> None:
    assert type_of(dex.move(move), by, scene) == expected


@pytest.mark.parametrize("move", ["surgingstrikes", "flowertrick", "frostbreath"])
def test_a_move_that_is_always_critical_ignores_raised_defences(move: str) -> None:
    walled = replace(TUSK, boosts=Boosts.model_validate({"def": 2, "spd": 2}))
    plain, page = rolls(dex.move(move), DRAGON, TUSK, CALM), dex.move(move)
    assert plain == rolls(page, DRAGON, TUSK, CALM, crit=True)
    assert plain == rolls(page, DRAGON, walled, CALM)
    shelled = rolls(page, DRAGON, replace(TUSK, ability="shellarmor"), CALM)
    assert shelled.high < plain.high * 0.7


def test_roost_puts_the_wings_aside() -> None:
    landed = replace(BIRD, volatiles=frozenset({"roost"}))
    assert not grounded(BIRD, CALM)
    assert grounded(landed, CALM)
    assert rolls(dex.move("earthquake"), DRAGON, landed, CALM).high > 0


@pytest.mark.parametrize(
    ("move", "by", "on", "expected"),
    [
        ("thunderwave", fighter("grimmsnarl", ability="prankster"), fighter("umbreon"), True),
        ("thunderwave", DRAGON, fighter("gholdengo", ability="goodasgold"), True),
        ("spore", DRAGON, fighter("rillaboom"), True),
        ("stealthrock", DRAGON, fighter("hatterene", ability="magicbounce"), False),
        ("swordsdance", DRAGON, fighter("gholdengo", ability="goodasgold"), False),
    ],
)
def test_status_moves_that_fail(move: str, by: Fighter, on: Fighter, expected: bool) -> None:
    page = dex.move(move)
    assert untouched(page, page.type, by, on, CALM) is expected


@pytest.mark.parametrize(
    ("move", "by", "scene", "chance"),
    [
        ("stoneedge", DRAGON, CALM, 0.8),
        ("hurricane", BIRD, Scene(weather="raindance"), 1.0),
        ("hurricane", BIRD, Scene(weather="sunnyday"), 0.5),
        ("stoneedge", replace(DRAGON, ability="noguard"), CALM, 1.0),
        ("earthquake", replace(DRAGON, ability="hustle"), CALM, 0.8),
        ("toxic", fighter("toxapex"), CALM, 1.0),
    ],
)
def test_accuracy(move: str, by: Fighter, scene: Scene, chance: float) -> None:
    assert accuracy(dex.move(move), by, TUSK, scene) == pytest.approx(chance)


MOVES = [
    "earthquake", "uturn", "knockoff", "hex", "gyroball", "tripleaxel", "bulletseed", "facade",
    "nightshade", "superfang", "bodypress", "foulplay", "weatherball", "terablast", "hardpress",
    "storedpower", "lastrespects", "swordsdance", "recover", "struggle",
]  # fmt: skip
SPECIES = ["garchomp", "corviknight", "gengar", "toxapex", "ninjask", "shuckle", "blissey"]
FIGHTERS = st.builds(
    lambda name, share, tera, item, stage: fighter(
        name, hp=max(1, round(share * stats_of(name, 80, (85,) * 6, (31,) * 6).hp)),
        terastallized=tera, item=item, boosts=Boosts.model_validate({"atk": stage, "def": stage}),
    ),
    st.sampled_from(SPECIES), st.floats(0.01, 1), st.booleans(),
    st.sampled_from(["", "leftovers", "choiceband", "loadeddice"]), st.integers(-6, 6),
)  # fmt: skip


@settings(deadline=None)
@given(st.sampled_from(MOVES), FIGHTERS, FIGHTERS, st.sampled_from(["", "raindance", "sandstorm"]))
def test_ranges_are_ordered_and_chances_are_chances(
    move: str, by: Fighter, on: Fighter, weather: str
) -> None:
    found = damage(move, by, on, Scene(weather=weather))
    assert 0 <= found.low <= found.mean <= found.high
    assert 0 <= found.accuracy <= 1
    assert 0 <= found.ko_chance(on.share) <= 1
    crit = damage(move, by, on, Scene(weather=weather), crit=True)
    assert crit.high >= found.high


def test_a_real_battles_hits_lie_in_their_ranges(battle: dict[str, Any]) -> None:
    chronicle = Chronicle()
    for line in battle["lines"]:
        chronicle.take(line.split("|"))
    true = {**measures.truths(battle["teams"]["p1"]), **measures.truths(battle["teams"]["p2"])}
    judged = [evidence.inside(hit, true[hit.by], true[hit.on]) for hit in chronicle.hits]
    assert len(judged) >= 20
    assert all(judged)


@pytest.mark.parametrize("move", ["tripleaxel", "bulletseed"])
def test_all_hits_of_a_move_land_where_that_is_asked(move: str) -> None:
    some, every = (damage(move, DRAGON, TUSK, Scene(every=one)) for one in (False, True))
    assert some.low < every.low < every.high == some.high
    assert damage("earthquake", DRAGON, TUSK, CALM) == damage(
        "earthquake", DRAGON, TUSK, Scene(every=True)
    )
