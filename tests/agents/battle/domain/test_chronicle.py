"""What messages tell, line by line, and the position that follows from them and a request."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleplay.agents.battle.domain.chronicle import Chronicle, Seen
from ruleplay.agents.battle.domain.orders import DefaultOrder, MoveOrder, SwitchOrder, wire
from ruleplay.agents.battle.domain.vantage import legal_orders, see

START = """|player|p1|us
|player|p2|them
|teamsize|p1|6
|teamsize|p2|6
|switch|p1a: Great Tusk|Great Tusk, L77|275/275
|switch|p2a: Corviknight|Corviknight, L80, M|100/100
|turn|1"""


def told(*lines: str) -> Chronicle:
    chronicle = Chronicle()
    for line in (*START.splitlines(), *lines):
        chronicle.take(line.split("|"))
    return chronicle


def bird(chronicle: Chronicle) -> Seen:
    return chronicle.mons["p2: Corviknight"]


def test_a_hit_is_kept_with_what_bore_on_it() -> None:
    chronicle = told(
        "|-boost|p1a: Great Tusk|atk|2", "|-sidestart|p2: them|Reflect",
        "|move|p1a: Great Tusk|Knock Off|p2a: Corviknight", "|-crit|p2a: Corviknight",
        "|-damage|p2a: Corviknight|58/100",
        "|-enditem|p2a: Corviknight|Leftovers|[from] move: Knock Off|[of] p1a: Great Tusk",
        "|upkeep",
    )  # fmt: skip
    hit = chronicle.hits[-1]
    assert (hit.move, hit.damage, hit.crit, hit.screens) == ("knockoff", 0.42, True, ("reflect",))
    assert (hit.by_boosts.atk, hit.precision) == (2, 0.01)
    assert (bird(chronicle).item, bird(chronicle).first_item) == ("", "leftovers")


def test_several_hits_are_one_hit_and_recoil_is_none() -> None:
    chronicle = told(
        "|move|p1a: Great Tusk|Bullet Seed|p2a: Corviknight", "|-damage|p2a: Corviknight|90/100",
        "|-damage|p2a: Corviknight|81/100", "|-hitcount|p2a: Corviknight|2",
        "|-damage|p1a: Great Tusk|240/275|[from] item: Rocky Helmet|[of] p2a: Corviknight",
        "|turn|2",
    )  # fmt: skip
    assert [(hit.hits, round(hit.damage, 2)) for hit in chronicle.hits] == [(2, 0.19)]
    assert bird(chronicle).item == "rockyhelmet"


def test_two_moves_without_leaving_rule_out_a_choice_item() -> None:
    chronicle = told("|move|p2a: Corviknight|Roost|p2a: Corviknight", "|turn|2",
                     "|move|p2a: Corviknight|U-turn|p1a: Great Tusk", "|turn|3")  # fmt: skip
    assert {"choiceband", "choicescarf", "assaultvest"} <= bird(chronicle).ruled_out_items
    assert bird(chronicle).moves == {"roost": 1, "uturn": 1}


def test_who_moved_first_is_kept_for_both_only_at_equal_priority() -> None:
    chronicle = told("|move|p2a: Corviknight|Brave Bird|p1a: Great Tusk",
                     "|move|p1a: Great Tusk|Earthquake|p2a: Corviknight", "|turn|2",
                     "|move|p1a: Great Tusk|Ice Shard|p2a: Corviknight",
                     "|move|p2a: Corviknight|Roost|p2a: Corviknight", "|turn|3")  # fmt: skip
    assert [(seen.turn, seen.first) for seen in bird(chronicle).speeds] == [(1, True)]
    assert [seen.first for seen in chronicle.mons["p1: Great Tusk"].speeds] == [False]


def test_leaving_takes_stages_and_effects_and_a_disguise_gives_back_what_it_showed() -> None:
    chronicle = told(
        "|-boost|p2a: Corviknight|def|1", "|-start|p2a: Corviknight|Substitute",
        "|switch|p2a: Gengar|Gengar, L82|100/100", "|move|p2a: Gengar|Nasty Plot|p2a: Gengar",
        "|replace|p2a: Zoroark|Zoroark-Hisui, L80", "|-end|p2a: Zoroark|Illusion", "|turn|2",
    )  # fmt: skip
    assert (bird(chronicle).boosts, bird(chronicle).effects) == ({}, {})
    assert chronicle.mons["p2: Gengar"].moves == {}
    assert chronicle.mons["p2: Zoroark"].moves == {"nastyplot": 1}
    assert chronicle.active("p2") is chronicle.mons["p2: Zoroark"]


def test_trick_tells_what_the_other_one_held() -> None:
    chronicle = told("|-item|p1a: Great Tusk|Choice Scarf|[from] move: Trick",
                     "|-item|p2a: Corviknight|Leftovers|[from] move: Trick")  # fmt: skip
    assert (bird(chronicle).first_item, bird(chronicle).item) == ("choicescarf", "leftovers")


REQUEST: dict[str, Any] = {
    "rqid": 7,
    "active": [{
        "moves": [
            {"move": "Earthquake", "id": "earthquake", "pp": 15, "maxpp": 16, "disabled": False},
            {"move": "Roar", "id": "roar", "pp": 32, "maxpp": 32, "disabled": True},
        ],
        "canTerastallize": "Ground",
    }],
    "side": {"name": "us", "id": "p1", "pokemon": [
        {"ident": "p1: Great Tusk", "details": "Great Tusk, L77", "condition": "200/275 brn",
         "active": True, "stats": {"atk": 250, "def": 250, "spa": 128, "spd": 128, "spe": 180},
         "moves": ["earthquake", "roar"], "baseAbility": "protosynthesis", "item": "leftovers",
         "ability": "protosynthesis", "teraType": "Ground", "terastallized": ""},
        {"ident": "p1: Gengar", "details": "Gengar, L82", "condition": "220/220", "active": False,
         "stats": {"atk": 100, "def": 140, "spa": 260, "spd": 170, "spe": 230},
         "moves": ["shadowball"], "baseAbility": "cursedbody", "item": "", "teraType": "Ghost"},
        {"ident": "p1: Toxapex", "details": "Toxapex, L82", "condition": "0 fnt", "active": False,
         "stats": {"atk": 100, "def": 140, "spa": 260, "spd": 170, "spe": 230},
         "moves": ["recover"], "baseAbility": "regenerator", "item": "", "teraType": "Ghost"},
    ]},
}  # fmt: skip


def test_a_position_is_the_chronicle_and_the_request_together() -> None:
    position = see(told("|-weather|RainDance|[from] ability: Drizzle|[of] p2a: Corviknight"), "p1",
                   REQUEST, battle="battle-1")  # fmt: skip
    us, them = position.ours.active, position.theirs.active
    assert us is not None
    assert them is not None
    assert (us.hp_now, us.hp_max, us.status, us.item) == (200, 275, "brn", "leftovers")
    assert (them.name, them.level, them.hp, them.ability) == ("Corviknight", 80, 1.0, "drizzle")
    assert (position.field.sky, position.theirs.unseen, position.can_tera) == ("raindance", 5, True)
    assert position.model_validate_json(position.model_dump_json()) == position


def test_legal_orders_are_complete_and_render_to_the_wire() -> None:
    quake = MoveOrder(move="earthquake")
    legal = legal_orders(REQUEST)
    assert legal == (
        quake, MoveOrder(move="earthquake", tera=True), SwitchOrder(ident="p1: Gengar"),
    )  # fmt: skip
    position = see(told(), "p1", REQUEST)
    assert [position.wire(order) for order in legal] == [
        "/choose move 1", "/choose move 1 terastallize", "/choose switch 2",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="roar"):
        position.wire(MoveOrder(move="roar"))
    with pytest.raises(ValueError, match="not in tuple"):
        wire(MoveOrder(move="splash"), ("earthquake",), ())


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"forceSwitch": [True], "active": None}, (SwitchOrder(ident="p1: Gengar"),)),
        ({"active": [{"moves": [{"id": "recharge"}], "trapped": True}]},
         (MoveOrder(move="recharge"),)),
        ({"forceSwitch": [True], "active": None, "side": {"pokemon": []}}, (DefaultOrder(),)),
    ],
)  # fmt: skip
def test_special_requests(change: dict[str, Any], expected: tuple[Any, ...]) -> None:
    assert legal_orders({**REQUEST, **change}) == expected


def test_revival_blessing_offers_the_fallen() -> None:
    team = [dict(each) for each in REQUEST["side"]["pokemon"]]
    team[0]["reviving"] = True
    found = legal_orders({"forceSwitch": [True], "side": {"pokemon": team}})
    assert found == (SwitchOrder(ident="p1: Toxapex"),)


def test_a_position_stays_small_however_long_the_battle_is(battle: dict[str, Any]) -> None:
    chronicle = Chronicle()
    for _ in range(20):
        for line in battle["lines"]:
            chronicle.take(line.split("|"))
    position = see(chronicle, "p1", REQUEST)
    assert len(position.model_dump_json().encode()) < 64_000


WORDS = st.sampled_from(
    ["move", "-damage", "switch", "-boost", "-start", "-end", "-item", "faint", "turn", "cant",
     "-weather", "-sidestart", "replace", "-heal", "-status", "-ability", "-transform", "zzz"]
)  # fmt: skip
PARTS = st.sampled_from(
    ["p1a: Great Tusk", "p2a: Corviknight", "p2a: Nobody", "Great Tusk, L77", "50/100", "atk", "1",
     "p2: them", "",
     "Earthquake", "[from] item: Leftovers", "[of] p1a: Great Tusk", "Substitute", "none"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(WORDS, st.lists(PARTS, min_size=4, max_size=6)), max_size=25))
def test_any_order_of_messages_leaves_a_readable_record(
    lines: list[tuple[str, list[str]]],
) -> None:
    chronicle = told()
    for word, parts in lines:
        chronicle.take(["", word, *parts])
    position = see(chronicle, "p1", REQUEST)
    assert all(0 <= mon.hp <= 1 for mon in position.theirs.team)
