"""The check of prose: whose number, of what, on which pull."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.raid.test_planner import NIGHT

from ruleplay.agents.raid.domain.outcomes import Row
from ruleplay.agents.raid.policy.claims import Ledger, cite
from ruleplay.agents.raid.policy.facts import facts_of
from ruleplay.agents.raid.state import ToolReturned

DAMAGE = {"Thrandor": 123_456, "Élyne": 2_345, "Kickoo": 400_210, "Mirael": 512_345}
ACTIVE = {"Thrandor": 190.5, "Élyne": 200.1, "Kickoo": 150.2, "Mirael": 201.0}


def returned(ident: str, tool: str, rows: list[Row], fight: int = 3) -> ToolReturned:
    return ToolReturned(
        result=ident,
        tool=tool,
        args={},
        rows=tuple(rows),
        total=len(rows),
        report="abc123",
        fight=fight,
        seconds=212.4 if fight == 3 else 99.0,
    )


def details(ident: str, fight: int, factor: int = 1) -> ToolReturned:
    rows: list[Row] = [
        {
            "player": f"{name}-Thunderstrike",
            "damage": damage * factor,
            "healing": 300_123 * factor if name == "Élyne" else 0,
            "deaths": 1 if name in ("Kickoo", "Thrandor") else 0,
            "active_seconds": ACTIVE[name],
        }
        for name, damage in DAMAGE.items()
    ]
    return returned(ident, "get_fight_details", rows, fight)


DEATHS = returned(
    "r2",
    "get_death_analysis",
    [
        {
            "player": "Kickoo-Thunderstrike",
            "at": 83.2,
            "ability": "Cave In",
            "damage_taken": 15_000,
        },
        {"player": "Thrandor-Thunderstrike", "at": 190.1, "ability": "Hurtful Strike"},
    ],
)
ICY: Row = {"player": "Mirael-Thunderstrike", "buff": "Icy Veins", "uptime_percent": 18.8}
BUFFS = returned("r3", "get_buff_analysis", [ICY])
ONE = Ledger.of(facts_of([details("r1", 3), DEATHS, BUFFS], NIGHT), NIGHT)
TWO = Ledger.of(facts_of([details("r1", 3), details("r2", 4, factor=2)], NIGHT), NIGHT)


@pytest.mark.parametrize(
    "sentence",
    [
        "Mirael did 512,345 damage.",
        "On pull 3 (Gruul the Dragonkiller, wipe), Mirael dealt 512,345 damage.",
        "Mirael did about 512k damage on Gruul the Dragonkiller.",
        "Mirael did 112,135 more damage than Kickoo.",
        "Mirael did 28% more damage than Kickoo.",
        "Kickoo died at 1:23.",
        "Kickoo died first on pull 3.",
        "Kickoo was killed by Cave In after 83.2 s.",
        "Pull 3 lasted 3:32.",
        "Elyne healed for 300,123.",
        "Kickoo took 15,000 damage before dying.",
        "Mirael's uptime with Icy Veins was 18.8%.",
        "Mirael a fait 512 345 dégâts.",
        "| Mirael | 512,345 damage |",
        "Top damage: Mirael 512,345, Kickoo 400,210.",
        "Move out of Cave In next time.",
    ],
)
def test_what_the_results_carry_passes(sentence: str) -> None:
    assert ONE.check(sentence, ONE.facts).problems == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "Mirael did 512,346 damage.",
        "Kickoo did 512,345 damage.",
        "Mirael healed for 512,345.",
        "Mirael took 512,345 damage.",
        "512,345 damage was done to Mirael.",
        "Mirael was hit for 512,345 damage.",
        "On pull 4, Mirael did 512,345 damage.",
        "On pull 3 and pull 4 Mirael did 512,345 damage.",
        "Mirael did 512,345 damage on Magtheridon.",
        "Mirael did exactly 512k damage.",
        "Mirael did about 520k damage.",
        "Kickoo did more damage than Mirael.",
        "Mirael did 35% more damage than Kickoo.",
        "Thrandor died at 1:23.",
        "Kickoo was killed by Hurtful Strike.",
        "Kickoo was killed by Cave In at 190.1 s.",
        "Thrandor died first.",
        "Elyne died.",
        "Zarquon did 512,345 damage.",
        "Mirael's uptime with Icy Veins was 40%.",
        "Mirael did five hundred damage.",
        "Mirael's damage was one.",
    ],
)
def test_what_they_do_not_carry_is_refused(sentence: str) -> None:
    assert ONE.check(sentence, ONE.facts).problems


def test_where_there_are_several_pulls_a_sentence_says_which() -> None:
    assert not TWO.check("On pull 3, Mirael did 512,345 damage.", TWO.facts).problems
    assert not TWO.check("On pull 4, Mirael did 1,024,690 damage.", TWO.facts).problems
    for wrong in (
        "Mirael did 512,345 damage.",
        "On pull 4, Mirael did 512,345 damage.",
        "On pull 3, Mirael did 1,024,690 damage.",
    ):
        assert TWO.check(wrong, TWO.facts).problems


@given(st.sampled_from(sorted(DAMAGE)), st.sampled_from(sorted(DAMAGE)), st.sampled_from((3, 4)))
def test_a_number_passes_for_its_own_player_and_pull_only(who: str, whose: str, pull: int) -> None:
    sentence = f"On pull {pull}, {who} did {DAMAGE[whose]:,} damage."
    passes = not TWO.check(sentence, TWO.facts).problems
    assert passes == (who == whose and pull == 3)


def test_every_fact_may_be_told_in_its_own_words() -> None:
    for fact in TWO.facts:
        reading = TWO.check(fact.says, TWO.facts)
        assert not reading.problems, fact.says


def test_citations_stand_for_what_a_sentence_rests_on() -> None:
    assert cite("Mirael did 5 damage. ", ("r1.3", "r1.4", "r2.1")) == (
        "Mirael did 5 damage. [r1] [r2] "
    )
    assert cite("It is so [r9].", ("r1.1",)) == "It is so. [r1]"
    assert cite("Nothing here [r4].", ()) == "Nothing here."


def test_a_models_own_citations_are_no_claims() -> None:
    assert not ONE.check("Mirael did 512,345 damage [r7].", ONE.facts).problems


def test_in_a_longer_sentence_too_a_number_needs_what_it_is_of() -> None:
    lone = "Kickoo did 400,210 damage on pull 3, and on pull 3, the uptime of Mirael was 18.8 %."
    named = lone.replace("of Mirael", "of Mirael with Icy Veins")
    assert ONE.check(lone, ONE.facts).problems
    assert not ONE.check(named, ONE.facts).problems


def test_one_debuff_on_several_targets_is_told_with_its_target() -> None:
    rows: list[Row] = [
        {"debuff": "Faerie Fire", "target": target, "uptime_percent": share}
        for target, share in (("Krosh", 36.5), ("Olm", 9.3))
    ]
    ledger = Ledger.of(facts_of([returned("r1", "get_debuff_uptimes", rows)], NIGHT), NIGHT)
    assert ledger.check("The uptime of Faerie Fire on pull 3 was 36.5 %.", ledger.facts).problems
    alone = Ledger.of(facts_of([returned("r1", "get_debuff_uptimes", rows[:1])], NIGHT), NIGHT)
    assert not alone.check("The uptime of Faerie Fire on pull 3 was 36.5 %.", alone.facts).problems
