"""Mana, rage, energy and other powers in a pull."""

from __future__ import annotations

import itertools

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import OfFightPlayer
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import IN_PULL, Book
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.pulls import PullRow

POWERS = {0: "mana", 1: "rage", 2: "focus", 3: "energy", 4: "happiness", 6: "runic power"}
LOW = 0.1
"""Share of mana below which a healer counts as low."""

LEVELS = f"""
SELECT info, ms, power, power_max, power_type, line FROM events
WHERE {IN_PULL} AND info IN (SELECT id FROM actors WHERE kind = 'player')
    AND power_max > 0 AND ($player = 0 OR info = $player)
ORDER BY info, line
"""
GAINED = f"""
SELECT t.name, e.spell, max(e.spell_id), any_value(e.power_type),
    sum(e.amount), sum(coalesce(e.over, 0)), count(*)
FROM events e JOIN actors t ON t.id = e.target
WHERE {IN_PULL} AND e.event IN ('SPELL_ENERGIZE', 'SPELL_PERIODIC_ENERGIZE')
    AND t.kind = 'player' AND ($player = 0 OR e.target = $player)
GROUP BY t.name, e.spell ORDER BY t.name, sum(e.amount) DESC, e.spell
"""
DRAINED = f"""
SELECT t.name, sum(e.amount) FROM events e JOIN actors t ON t.id = e.target
WHERE {IN_PULL} AND e.event IN ('SPELL_DRAIN', 'SPELL_LEECH', 'SPELL_PERIODIC_DRAIN',
    'SPELL_PERIODIC_LEECH') AND t.kind = 'player' AND ($player = 0 OR e.target = $player)
GROUP BY t.name
"""
NO_LEVELS = (
    "The power of players is not in the log: it has no advanced lines (3.3.5a, or advanced logging"
    " was off)."
)


def get_resource_usage(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Describe the levels of each player's power, then its sources."""
    book, pull, player = open_pull(reports, args)
    scope = pull.scope | {"player": player}
    levels = read_levels(book, pull, player)
    drained = dict(book.ask(DRAINED, scope))
    rows: list[Row] = [row | {"drained": drained.get(str(row["player"]), 0)} for row in levels]
    for name, spell, spell_id, power, amount, wasted, count in book.ask(GAINED, scope):
        rows.append(
            {
                "player": name,
                "ability": spell,
                "spell_id": spell_id,
                "power": POWERS.get(power, f"power {power}"),
                "gained": amount,
                "wasted": max(wasted, 0),
                "count": count,
            }
        )
    notes = [
        "Levels are those that the player's own lines show; between them nothing is known.",
        "Gained: from spells and items that the log names; natural regeneration is not in the log.",
    ]
    notes = notes if levels else [*notes, NO_LEVELS]
    return book.tell(rows, pull=pull, notes=notes, unknown=not levels)


def read_levels(book: Book, pull: PullRow, player: int = 0) -> list[Row]:
    """Describe the levels of each player's primary power in a pull."""
    seen: dict[int, list[tuple[int, float, int]]] = {}
    kinds: dict[int, int] = {}
    for who, ms, power, most, kind, _ in book.ask(LEVELS, pull.scope | {"player": player}):
        if kinds.setdefault(who, kind or 0) == (kind or 0):
            seen.setdefault(who, []).append((ms, power / most, power))
    rows: list[Row] = []
    for who, levels in seen.items():
        lowest = min(levels, key=lambda level: level[1])
        low = sum(
            max(after[0] - before[0], 0)
            for before, after in itertools.pairwise(levels)
            if before[1] < LOW
        )
        rows.append(
            {
                "player": book.players[who].name,
                "class": book.players[who].class_,
                "role": book.players[who].role,
                "power": POWERS.get(kinds[who], f"power {kinds[who]}"),
                "start_percent": round(100 * levels[0][1], 1),
                "end_percent": round(100 * levels[-1][1], 1),
                "lowest_percent": round(100 * lowest[1], 1),
                "lowest_at": pull.at(lowest[0]),
                "low_seconds": round(low / 1000, 1),
            }
        )
    return sorted(rows, key=lambda row: str(row["player"]))


def get_healer_mana(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List the healers' mana, lowest first."""
    book, pull, player = open_pull(reports, args)
    gained: dict[str, int] = {}
    for name, _, _, power, amount, wasted, _ in book.ask(GAINED, pull.scope | {"player": player}):
        if power == 0:
            gained[name] = gained.get(name, 0) + amount - max(wasted, 0)
    levels = read_levels(book, pull, player)
    rows = [
        row | {"gained": gained.get(str(row["player"]), 0)}
        for row in levels
        if row["power"] == "mana" and (player or row["role"] == "healer")
    ]
    rows.sort(key=lambda row: (str(row["lowest_percent"]).zfill(6), str(row["player"])))
    notes = [
        "Mana as the healers' own lines show it; gained: from spells and items, without natural"
        f" regeneration. low_seconds: under {LOW:.0%}.",
    ]
    notes = notes if levels else [*notes, NO_LEVELS]
    return book.tell(rows, pull=pull, notes=notes, unknown=not levels)
