"""Computes aura uptimes from aura lines and from the auras present at the pull's start."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
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
SELECT e.line, e.ms, e.event, coalesce(s.name, ''), e.target, t.name, e.spell_id, e.spell,
    coalesce(e.stacks, 1), coalesce(e.aura_type, '')
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
    kind: str = ""
    """BUFF or DEBUFF."""
    begun_ms: int | None = None
    """When it began before the pull, as far as the log shows it."""

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
    open_: dict[tuple[str, int, int], Stretch] = {}
    ended: dict[tuple[str, int, int], int] = {}
    done: list[Stretch] = []
    for line, ms, event, caster, target, name, spell_id, spell, stacks, type_ in book.ask(
        EVENTS, scope
    ):
        # By name: one of several Mirror Images puts it on, another's ends it.
        key = (caster, target, spell_id)
        fresh = event == "SPELL_AURA_APPLIED"
        if key not in open_:
            # Of two that nobody cast, the second end is no sign of one from before the pull.
            start = ms if fresh else ended.get(key, pull.start_ms)
            open_[key] = Stretch(spell_id, spell, caster, name, start, pull.end_ms, fresh)
            open_[key].kind = type_
        elif fresh or event == "SPELL_AURA_REFRESH":
            open_[key].refreshes += 1
        one = open_[key]
        one.stacks = max(one.stacks, stacks)
        one.lines = (*one.lines, line) if len(one.lines) < 2 else (one.lines[0], line)
        if event == "SPELL_AURA_REMOVED":
            one.end_ms = ended[key] = ms
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
# What comes of it after the pull says whether it was there all the time; in a match, nothing older
# than the pull before it was.
BEFORE = """
WITH told AS (
    SELECT line, ms, event, source, target, spell_id, spell, aura_type,
        lead(event) OVER w AS after, lead(ms) OVER w AS after_ms FROM events
    WHERE event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH', 'SPELL_AURA_REMOVED')
        AND ($player = 0 OR target = $player) AND list_contains($kinds, aura_type)
    WINDOW w AS (PARTITION BY target, spell_id ORDER BY line)
)
SELECT target, spell_id, coalesce(s.name, ''), line, spell, aura_type, ms,
    after IS NOT NULL AND after <> 'SPELL_AURA_APPLIED'
FROM told e LEFT JOIN actors s ON s.id = e.source
WHERE event <> 'SPELL_AURA_REMOVED' AND ms < $start_ms AND ms >= $since
    AND (after_ms IS NULL OR after_ms >= $start_ms)
ORDER BY line
"""
LONGEST = """
SELECT spell_id, max(ms - begun) FROM (
    SELECT spell_id, event, ms, lag(ms) OVER w AS begun, lag(event) OVER w AS earlier FROM events
    WHERE event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH', 'SPELL_AURA_REMOVED')
        AND list_contains($spells, spell_id)
    WINDOW w AS (PARTITION BY target, spell_id ORDER BY line)
) WHERE event = 'SPELL_AURA_REMOVED' AND earlier <> 'SPELL_AURA_REMOVED' GROUP BY spell_id
"""
"""How long each aura lasted at most, where its beginning and its end are seen."""
LASTING, LOCKOUT = 3_600_000, 600_000
"""Maximum duration of a buff in milliseconds, and of a debuff whose end is seen nowhere."""


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
CARRIED = (
    "from_before: it began before the pull (clock, where a line shows it), counts from the pull's"
    " start, and no end was seen; a debuff counts no longer than the longest of its kind."
)


def lasting(
    book: Book,
    pull: PullRow,
    seen: Container[tuple[str, int]],
    player: int = 0,
    kinds: Sequence[str] = ("BUFF",),
) -> list[Stretch]:
    """Find auras that players had from before a pull, of which therefore it has no line.

    `seen` are the (player, spell) pairs that do have lines. A period's line is the one that applied
    the aura; for some listed by COMBATANT_INFO, the log has none.
    """
    there = {one.id: one.name for one in book.taking_part(pull)}
    listed = book.ask(AT_PULL, pull.scope | {"player": player})
    names = dict(book.ask(NAMES, {"spells": sorted({row[1] for row in listed})})) if listed else {}
    found: dict[tuple[str, int], Stretch] = {}
    for actor, spell_id, caster, _, _ in listed:
        key = (there.get(actor, ""), spell_id)
        if actor in there and key not in seen and key not in found:
            spell = names.get(spell_id) or f"spell {spell_id}"
            found[key] = Stretch(
                spell_id, spell, caster, key[0], pull.start_ms, pull.end_ms, applied=False
            )
    for one in _carried(book, pull, there, player, kinds):
        if (one.target, one.spell_id) not in seen:
            found.setdefault((one.target, one.spell_id), one)
    return [*found.values()]


def _carried(
    book: Book, pull: PullRow, there: Mapping[int, str], player: int, kinds: Sequence[str]
) -> list[Stretch]:
    """Find auras put on before a pull that no line ended, as long as they may have lasted."""
    matches = {row[0] for row in book.ask("SELECT fight FROM encounters WHERE kind <> 'boss'")}
    before = [one.end_ms for one in book.pulls if one.end_ms <= pull.start_ms]
    since = max(before, default=0) if pull.fight in matches else pull.start_ms - LASTING
    given = {"player": player, "kinds": list(kinds), "start_ms": pull.start_ms, "since": since}
    rows = [row for row in book.ask(BEFORE, given) if row[0] in there]
    spells = sorted({row[1] for row in rows if row[5] == "DEBUFF"})
    longest = dict(book.ask(LONGEST, {"spells": spells})) if spells else {}
    found: list[Stretch] = []
    for actor, spell_id, caster, line, spell, kind, ms, stayed in rows:
        bounded = kind == "DEBUFF" and not stayed
        most = ms + longest.get(spell_id, LOCKOUT) if bounded else pull.end_ms
        end = min(pull.end_ms, most)
        if end > pull.start_ms:
            one = Stretch(spell_id, spell, caster, there[actor], pull.start_ms, end, applied=False)
            one.lines, one.kind, one.begun_ms = (line,), kind, ms
            found.append(one)
    return found


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
