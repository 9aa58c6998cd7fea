"""Computes aura uptimes from aura lines and from the auras present at the pull's start."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import DebuffUptimes, OfFightPlayer
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Row, ToolOutcome
from ruleplay.agents.raid.tools.book import IN_PULL, Book
from ruleplay.agents.raid.tools.cells import number
from ruleplay.agents.raid.tools.library import open_pull
from ruleplay.agents.raid.tools.names import find_name
from ruleplay.agents.raid.tools.pulls import PullRow

UPTIME_RULE = (
    "Uptime: the time with the aura from any caster, of the pull's whole duration. An aura that"
    " ends or is refreshed without having begun in the pull was up from its start."
)

OWN_UPTIME_RULE = (
    "Uptime: the time with the player's own aura, of the pull's whole duration. An aura that ends"
    " or is refreshed without having begun in the pull was up from its start."
)

EVENTS = f"""
SELECT e.line, e.ms, e.event, e.source, coalesce(s.name, ''), e.target, t.name, e.spell_id, e.spell,
    coalesce(e.stacks, 1)
FROM events e JOIN actors t ON t.id = e.target LEFT JOIN actors s ON s.id = e.source
WHERE {IN_PULL} AND e.event LIKE 'SPELL_AURA_%' AND e.event NOT LIKE '%_BROKEN%'
    AND ($type = '' OR e.aura_type = $type)
    AND (len($targets) = 0 OR list_contains($targets, e.target))
    AND (len($spells) = 0 OR list_contains($spells, e.spell_id))
    AND (NOT $players OR t.kind = 'player')
ORDER BY e.line
"""


@dataclass
class Stretch:
    """A period during which one caster's aura was on one target."""

    spell_id: int
    spell: str
    caster: str
    target: str
    start_ms: int
    end_ms: int
    applied: bool
    refreshes: int = 0
    stacks: int = 1
    lines: tuple[int, ...] = ()

    @property
    def seconds(self) -> float:
        """Its duration."""
        return max(self.end_ms - self.start_ms, 0) / 1000


def read_stretches(
    book: Book,
    pull: PullRow,
    spells: Sequence[int] = (),
    *,
    kind: str = "",
    targets: Sequence[int] = (),
    on_players: bool = False,
) -> list[Stretch]:
    """Collect the periods of auras in a pull, ordered by start.

    `spells` and `targets` filter if given; `kind` is BUFF, DEBUFF or "" for both.
    """
    scope = pull.scope | {
        "type": kind,
        "targets": list(targets),
        "spells": list(spells),
        "players": on_players,
    }
    open_: dict[tuple[int, int, int], Stretch] = {}
    done: list[Stretch] = []
    for line, ms, event, source, caster, target, name, spell_id, spell, stacks in book.ask(
        EVENTS, scope
    ):
        key = (source or 0, target, spell_id)
        fresh = event == "SPELL_AURA_APPLIED"
        if key not in open_:
            start = ms if fresh else pull.start_ms
            open_[key] = Stretch(spell_id, spell, caster, name, start, pull.end_ms, fresh)
        elif fresh or event == "SPELL_AURA_REFRESH":
            open_[key].refreshes += 1
        one = open_[key]
        one.stacks = max(one.stacks, stacks)
        one.lines = (*one.lines, line) if len(one.lines) < 2 else (one.lines[0], line)
        if event == "SPELL_AURA_REMOVED":
            one.end_ms = ms
            done.append(open_.pop(key))
    return sorted([*done, *open_.values()], key=lambda one: one.start_ms)


def union_seconds(stretches: Iterable[Stretch]) -> float:
    """Compute the seconds covered by at least one of the periods; overlaps count once."""
    covered, until = 0, None
    for one in sorted(stretches, key=lambda one: one.start_ms):
        start = one.start_ms if until is None else max(one.start_ms, until)
        covered += max(one.end_ms - start, 0)
        until = one.end_ms if until is None else max(until, one.end_ms)
    return covered / 1000


AT_PULL = """
SELECT p.actor, p.spell_id, coalesce(c.name, ''), NULL, NULL FROM pull_auras p
LEFT JOIN actors c ON c.id = p.caster WHERE p.fight = $fight AND ($player = 0 OR p.actor = $player)
"""
NAMES = """
SELECT spell_id, any_value(spell) FROM events
WHERE list_contains($spells, spell_id) AND spell IS NOT NULL GROUP BY spell_id
"""


# Without COMBATANT_INFO: what was put on somebody before the pull and is not seen to have ended.
BEFORE = """
SELECT target, spell_id, coalesce(arg_max(s.name, ms), ''), arg_max(line, ms), any_value(spell)
FROM events e LEFT JOIN actors s ON s.id = e.source
WHERE e.event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH', 'SPELL_AURA_REMOVED')
    AND e.aura_type = 'BUFF' AND ms < $start_ms AND ($player = 0 OR target = $player)
GROUP BY target, spell_id
HAVING arg_max(e.event, ms) <> 'SPELL_AURA_REMOVED' AND max(ms) > $start_ms - $lasting
"""
LASTING = 3_600_000
"""Maximum duration of a buff in milliseconds."""


def get_buff_analysis(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """Compute the uptime of each buff on each player."""
    book, pull, player = open_pull(reports, args)
    targets = [player] if player else []
    grouped: dict[tuple[str, int], list[Stretch]] = {}
    for one in read_stretches(book, pull, kind="BUFF", targets=targets, on_players=True):
        grouped.setdefault((one.target, one.spell_id), []).append(one)
    rows = [_buff(pull, group) for group in grouped.values()]
    kept = lasting(book, pull, {*grouped}, player)
    rows += [_buff(pull, [one]) | {"from_pull": True} for one in kept]
    rows.sort(key=lambda row: (str(row["player"]), *_longest(row)))
    before = [(line, line) for one in kept for line in one.lines]
    lines = [(pull.first, pull.last), *before] if before else None
    return book.tell(rows, pull=pull, lines=lines, notes=(UPTIME_RULE, FROM_PULL))


def _buff(pull: PullRow, group: list[Stretch]) -> Row:
    seconds = union_seconds(group)
    return {
        "player": group[0].target,
        "buff": group[0].spell,
        "spell_id": group[0].spell_id,
        "uptime_seconds": round(seconds, 1),
        "uptime_percent": share(seconds, pull),
        "applications": sum(one.applied for one in group),
        "casters": [*sorted({one.caster for one in group if one.caster})],
        "from_pull": False,
    }


def share(seconds: float, pull: PullRow) -> float:
    """Express seconds as a percentage of the pull."""
    whole = max((pull.end_ms - pull.start_ms) / 1000, 0.001)
    return round(min(100 * seconds / whole, 100.0), 1)


FROM_PULL = (
    "from_pull: put on before the pull, or listed in COMBATANT_INFO at it, and no line ended it; a"
    " buff older than the log or than a player's arrival shows nowhere."
)


def lasting(
    book: Book, pull: PullRow, seen: Container[tuple[str, int]], player: int = 0
) -> list[Stretch]:
    """Find buffs that players had throughout a pull, which therefore has no line of them.

    `seen` are the (player, spell) pairs that do have lines. A period's line is the one that applied
    the buff; for some listed by COMBATANT_INFO, the log has none.
    """
    there = {one.id: one.name for one in book.taking_part(pull)}
    listed = book.ask(AT_PULL, pull.scope | {"player": player})
    names = dict(book.ask(NAMES, {"spells": sorted({row[1] for row in listed})})) if listed else {}
    given = {"start_ms": pull.start_ms, "player": player, "lasting": LASTING}
    found: dict[tuple[str, int], Stretch] = {}
    for actor, spell_id, caster, line, spell in (*listed, *book.ask(BEFORE, given)):
        key = (there.get(actor, ""), spell_id)
        if actor in there and key not in seen and key not in found:
            spell = spell or names.get(spell_id) or f"spell {spell_id}"
            whole = (pull.start_ms, pull.end_ms, False)
            lines = (line,) if line else ()
            found[key] = Stretch(spell_id, spell, caster, key[0], *whole, lines=lines)
    return [*found.values()]


BEARERS = f"""
SELECT DISTINCT a.id, a.name FROM events e JOIN actors a ON a.id = e.target
WHERE {IN_PULL} AND e.aura_type = 'DEBUFF'
"""


def get_debuff_uptimes(reports: Reports, args: DebuffUptimes) -> ToolOutcome:
    """Compute the uptime of each debuff on the boss, or on a named target."""
    book, pull, player = open_pull(reports, args)
    targets = _targets(book, pull, args.target_name)
    caster = book.players[player].name if player else ""
    grouped: dict[tuple[str, int], list[Stretch]] = {}
    for one in read_stretches(book, pull, kind="DEBUFF", targets=targets):
        if caster and one.caster != caster:
            continue
        grouped.setdefault((one.target, one.spell_id), []).append(one)
    rows: list[Row] = [
        {
            "debuff": group[0].spell,
            "spell_id": spell_id,
            "target": name,
            "uptime_seconds": round(union_seconds(group), 1),
            "uptime_percent": share(union_seconds(group), pull),
            "applications": sum(one.applied for one in group),
            "stacks": max(one.stacks for one in group),
            "players": [*sorted({one.caster for one in group if one.caster})],
        }
        for (name, spell_id), group in grouped.items()
    ]
    rows.sort(key=lambda row: (*_order(pull, row), *_longest(row)))
    notes = [OWN_UPTIME_RULE if caster else UPTIME_RULE]
    if len(targets) > 1:
        notes.append("The pull has several bosses; each has rows of its own.")
    if not caster and targets == list(pull.bosses) and (never := _never_up(book, pull, rows)):
        notes.insert(0, f"Never on the boss, though its class was there: {', '.join(never)}.")
    return book.tell(rows, pull=pull, notes=notes)


def _never_up(book: Book, pull: PullRow, rows: list[Row]) -> list[str]:
    """List raid debuffs that a class present could have applied, but nobody did."""
    there = {player.class_ for player in book.taking_part(pull)}
    seen = {str(row["debuff"]) for row in rows}
    wanted = [one for one in tables.raid_auras().values() if one.kind == "debuff"]
    lacking = {one.name: one.class_ for one in wanted if one.class_ in there}
    return [f"{name} ({who})" for name, who in lacking.items() if name not in seen]


def _longest(row: Row) -> tuple[float, int]:
    """Sort key: longest uptime first, independent of the order of lines."""
    return -number(row["uptime_seconds"]), int(number(row["spell_id"]))


def _order(pull: PullRow, row: Row) -> tuple[bool, str]:
    """Sort key: the boss that the encounter is named after first."""
    return str(row["target"]) not in pull.name, str(row["target"])


def _targets(book: Book, pull: PullRow, wanted: str) -> list[int]:
    if not wanted or wanted.casefold() == "boss":
        return list(pull.bosses)
    found = book.ask(BEARERS, pull.scope)
    name = find_name(wanted, dict.fromkeys(row[1] for row in found), "target")
    return [row[0] for row in found if row[1] == name]
