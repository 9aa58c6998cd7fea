"""What was left before the killing blow: from the blow itself, else from the line before it."""

from __future__ import annotations

from dataclasses import replace

from ruleplay.agents.raid.tools.book import Player
from ruleplay.agents.raid.tools.deaths import Blow, Death


def blow(line: int, amount: int, over: int = 0, *, heal: bool = False, health: int | None) -> Blow:
    return Blow(
        line, line * 100, heal, "Hail", 1, "Ymir", amount, over, 0, health, health and 90_000
    )


def death(*blows: Blow) -> Death:
    hits = tuple(one for one in blows if not one.heal)
    heals = tuple(one for one in blows if one.heal)
    who = Player(1, "Oda", "Mage", "", "damage")
    return Death(9, 900, who, hits, heals, hits[-1] if hits else None, None, None)


def test_overkill_tells_what_was_left() -> None:
    first = blow(1, 3_000, health=73_000)
    unread = blow(2, 12_000, health=None)
    assert death(first, unread, blow(3, 450_000, 396_000, health=None)).health_percent == 60.0


def test_without_overkill_the_blow_or_heal_before_tells() -> None:
    first, last = blow(1, 3_000, health=45_000), blow(4, 9_000, health=0)
    assert death(first, last).health_percent == 50.0
    healed = blow(2, 9_000, heal=True, health=54_000)
    assert death(first, healed, last).health_percent == 60.0


def test_what_no_line_tells_is_unknown() -> None:
    first, last = blow(1, 3_000, health=45_000), blow(4, 9_000, health=None)
    assert death(first, blow(2, 1_000, health=None), last).health_percent is None
    assert death(blow(1, 9_000, 10, health=None)).health_percent is None
    assert death().health_percent is None


def test_health_that_is_logged_in_percent_is_no_amount_of_points() -> None:
    first, last = blow(1, 48, health=5), blow(4, 250, 121, health=0)
    logged = [replace(one, full=100) for one in (first, last)]
    assert death(*logged).health_percent == 5.0
    assert death(logged[1]).health_percent is None
