"""Double battles: what may be answered, and what is chosen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ruleplay.agents.battle.domain import doubles
from ruleplay.agents.battle.domain.chronicle import Chronicle
from ruleplay.agents.battle.domain.sets import SetPool, opponent_sets
from ruleplay.agents.battle.domain.vantage import see
from ruleplay.records.events import Json

STATS = {"atk": 200, "def": 200, "spa": 200, "spd": 200, "spe": 200}


def member(name: str, *, out: bool = False, down: bool = False, **more: object) -> Json:
    return {
        "ident": f"p1: {name}", "details": f"{name}, L50", "active": out, "stats": STATS,
        "condition": "0 fnt" if down else "300/300", "moves": ["earthquake", "protect"],
        "item": "", "baseAbility": "intimidate", "teraType": "Fire", **more,
    }  # fmt: skip


def slot(*moves: tuple[str, str], **more: object) -> Json:
    listed = [{"id": n, "target": t, "pp": 8, "maxpp": 8, "disabled": False} for n, t in moves]
    return {"moves": listed, **more}


TEAM = [
    member("Garchomp", out=True), member("Incineroar", out=True), member("Amoonguss"),
    member("Dragonite", down=True),
]  # fmt: skip
HITS = (("closecombat", "normal"), ("earthquake", "allAdjacent"), ("protect", "self"))


def asked(**more: object) -> Json:
    return {"active": [slot(*HITS), slot(*HITS)], "side": {"pokemon": TEAM}, **more}


def wires(request: Json) -> set[str]:
    return {doubles.said(pair) for pair in doubles.legal(request)}


def test_moves_are_aimed_where_they_want_it() -> None:
    found = wires(asked())
    assert "/choose move 1 +1, move 1 +2" in found
    assert "/choose move 1 -2, move 2" in found
    assert "/choose switch 3, switch 3" not in found
    assert not any("switch 4" in wire or "-1, " in wire for wire in found)
    assert len(found) == (3 + 2 + 1) ** 2 - 1


def test_one_terastallizes_and_the_trapped_stay() -> None:
    able = {"canTerastallize": "Fire"}
    request = {**asked(), "active": [slot(*HITS, **able, trapped=True), slot(*HITS, **able)]}
    found = wires(request)
    assert not any(wire.count("terastallize") > 1 for wire in found)
    assert not any(wire.startswith("/choose switch") for wire in found)


def test_the_fainted_and_the_commanding_pass() -> None:
    team = [member("Garchomp", out=True, down=True), *TEAM[1:]]
    assert all(wire.startswith("/choose pass, ") for wire in wires(asked(side={"pokemon": team})))
    team = [TEAM[0], member("Tatsugiri", out=True, commanding=True), *TEAM[2:]]
    assert all(wire.endswith(", pass") for wire in wires(asked(side={"pokemon": team})))


def test_whoever_has_to_come_in_comes_in_once() -> None:
    force = {"forceSwitch": [True, True], "side": {"pokemon": TEAM}}
    assert wires(force) == {"/choose switch 3, pass", "/choose pass, switch 3"}
    one = {"forceSwitch": [False, True], "side": {"pokemon": TEAM}}
    assert wires(one) == {"/choose pass, switch 3"}
    revived = [member("Garchomp", out=True, reviving=True), *TEAM[1:]]
    lone = {"forceSwitch": [True, False], "side": {"pokemon": revived}}
    assert wires(lone) == {"/choose switch 4, pass"}


def test_a_preview_brings_as_many_as_may_be_brought() -> None:
    shown: Json = {"teamPreview": True, "maxChosenTeamSize": 3, "side": {"pokemon": TEAM}}
    assert doubles.team_order(shown) == "/choose team 1,2,3"


@given(st.lists(st.booleans(), min_size=4, max_size=4), st.booleans(), st.booleans())
def test_there_is_always_an_answer(down: list[bool], first: bool, second: bool) -> None:
    names = ("Garchomp", "Incineroar", "Amoonguss", "Dragonite")
    team = [
        member(name, out=n < 2, down=gone)
        for n, (name, gone) in enumerate(zip(names, down, strict=True))
    ]
    sides: Json = {"side": {"pokemon": team}}
    for request in (asked(**sides), {"forceSwitch": [first, second], **sides}):
        assert all(len(pair) == 2 for pair in doubles.legal(request))
        assert doubles.legal(request)


def read() -> Chronicle:
    chronicle = Chronicle()
    lines = [
        "|switch|p1a: Garchomp|Garchomp, L50|300/300",
        "|switch|p1b: Incineroar|Incineroar, L50|300/300",
        "|switch|p2a: Heatran|Heatran, L50|100/100", "|switch|p2b: Pelipper|Pelipper, L50|100/100",
        "|turn|1",
    ]  # fmt: skip
    chronicle.read([line.split("|") for line in lines])
    return chronicle


def test_two_stand_on_each_side_and_one_place_is_left_at_a_time() -> None:
    chronicle = read()
    chronicle.take(["", "switch", "p2b: Rotom", "Rotom, L50", "100/100"])
    out = {mon.ident: mon.place for mon in chronicle.mons.values() if mon.active}
    assert out == {
        "p1: Garchomp": "a", "p1: Incineroar": "b", "p2: Heatran": "a", "p2: Rotom": "b",
    }  # fmt: skip


def test_damage_decides_where_a_move_is_aimed() -> None:
    """Close Combat hits Heatran hard and Pelipper weakly; nobody hits a partner."""
    request = asked()
    request = {**request, "active": [slot(HITS[0], HITS[2]), slot(HITS[2], ("fakeout", "normal"))]}
    position = see(read(), "p1", request)
    assert [mon.second for mon in position.theirs.team] == [False, True]
    sets = opponent_sets(position, SetPool("gen9randomdoublesbattle", "", {}))
    best = next(doubles.choose(request, position, sets))
    assert best.startswith("/choose move 1 +1, ")
    assert "-" not in best
    everything = [*doubles.choose(request, position, sets)]
    assert len(everything) == len(set(everything)) == len(doubles.legal(request))
