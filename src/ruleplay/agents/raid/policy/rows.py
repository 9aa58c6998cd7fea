"""Converts tool results to numbered tables, which the model reads, cites and is checked against.

A result becomes one table, or several if its rows are of several kinds (totals beside parts) or
contain lists: each hit or time gets a row of its own. The first table has the result's id; further
ones add hundreds (`r3`, `r103`, `r203`), so that a tag always leads back to its result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.metrics import stems
from ruleplay.agents.raid.domain.overview import (
    Night,
    fold,
    said_pulls,
    short_name,
    spans_of,
)
from ruleplay.agents.raid.domain.tool_result import Cell as Packed
from ruleplay.agents.raid.domain.tool_result import Metric, Row
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.policy.standing import dated, later
from ruleplay.agents.raid.state import ToolReturned
from ruleplay.telling.table import Cell, Column, Table, Unit, clean

SHOWN = 40
"""Rows of a result printed per page."""
PACKED = 12
"""Rows printed per page for tables unpacked from list cells."""
NOTES = 5
"""Maximum number of notes per result."""
ALL = "(all)"
"""The tools' label for a row that sums up the others."""
ONCE = frozenset(("biggest_by", "biggest_on", "biggest_from", "biggest_at", "best_fight"))
"""Tally columns that locate a single hit."""
_SPANS = re.compile(r"[\d\s,–-]*")
"""Pulls by number, as '3, 5-8'."""
CUT = 10
"""Number of tally rows from which a prompt may have no room for all."""
ALIKE = "the same in all rows:"
"""Precedes the values that a heading has because all rows share them; what else is there limits."""
UNKNOWN = "not known: this cannot be told"
"""What was found where no rows are no zero."""
FEW = 3
"""Number of tally rows up to which these columns are worth their room."""
_PART = 100
"""Offset that each further table adds to a result's number."""
_DROPPED = frozenset(
    (
        *("spell_id", "item_id", "npc_id", "line", "inferred", "before_fight", "number", "name"),
        *("class", "window_seconds"),
    )
)
"""Columns that no answer uses, or that another column or the list of people repeats."""
_QUIET = frozenset(
    (
        *("pet_damage", "pet_healing", "absorbs", "heal_absorbed", "friendly_fire", "overkill"),
        *("killing_blows", "interrupts", "dispels", "misses", "absorbed_hits", "absorbed"),
    )
)
"""Columns beside the sums that are dropped if empty for everyone."""
_TOTALS = {"total_damage": "damage_done", "total_healing": "healing"}
"""Totals with pets, dropped if equal to the column without pets."""
SPOKEN = {"damage": "damage_done", "encounter": "boss", "fight": "pull"}
"""Clearer names for ambiguous columns."""
_OF_PLAYERS = ("present", "gear")
"""Measures whose rows are of a player each, however they are to be grouped."""
_GROUPED = {
    "ability": "ability",
    "source": "source",
    "target": "target",
    "pull": "pull",
    "floor": "floor",
}
"""What a tally's `name` column holds, by its grouping; players by default."""
_SAME = ("player", "target", "ability", "kind", "borne_by", "bearers", "casters", "side")
"""What tells apart the rows that are put together over several pulls."""
_OWNERS = (
    *("player", "add", "spec", "debuff", "ability", "aura", "pull", "before", "boss", "report"),
    *("feigned_by", "creature", "what", "fix", "phase", "dungeon", "floor"),
)
"""Columns that identify whose row it is, in order of preference."""
_NAMES = frozenset(
    (
        *("player", "ability", "buff", "debuff", "aura", "cooldown", "add", "boss", "pull"),
        *("target", "source", "caster", "killer", "killed_by", "killed_by_ability", "with"),
        *("best_player", "first_death", "first_death_by", "last_hit_by", "biggest_ability"),
        *("longest_on", "report", "zone", "flask", "food", "oil", "best_report", "before"),
        *("feigned_by", "creature", "dungeon", "owner"),
        *("best_fight", "credited_to"),
    )
)
"""Columns of names that an answer may mention only where it cites them."""
_TOGETHER = frozenset(("get_wipe_cause", "get_tally"))
"""Tools whose rows form one table although their columns differ."""
_TIMED = frozenset(("at", "start", "died_at", "attempt", "rank", "appeared_at"))
"""Columns that define an order that must be kept."""
_NO_TRASH = "in the boss pulls only, no trash"
HIT = re.compile(r"([+-][\d.]+) s (.*?): (.*) ([+-])(\d+)")
PAUSE = re.compile(r"([\d.]+) s from ([\d.]+) s")
_PARTS = re.compile(r"[;:,] (?=[A-ZÀ-Þ])")
"""Separates the persons in a sentence of evidence."""
_LASTED = re.compile(r", [\d.]+ s\)$")


@dataclass(frozen=True)
class Asked:
    """What a question names; matching rows come first. `titles` are other reports' by code."""

    text: str = ""
    players: tuple[str, ...] = ()
    fights: tuple[int, ...] = ()
    french: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _said(self) -> str:
        return fold(self.text)

    def concerns(self, row: Row) -> bool:
        """Whether a row is about a person, thing or pull that the question names."""
        if row.get("pull") in {f"pull {fight}" for fight in self.fights}:
            return True
        who = str(row.get("player") or "")
        if who and who in {short_name(player) for player in self.players}:
            return True
        names = (
            row.get(name) for name in ("ability", "buff", "debuff", "aura", "cooldown", "boss")
        )
        return any(isinstance(name, str) and fold(name) in self._said for name in names if name)


def tables_of(
    results: Iterable[ToolReturned], night: Night | None, asked: Asked
) -> tuple[Table, ...]:
    """Build the tables of a turn's results, in order; repeated notes are kept once."""
    said: set[str] = set()
    made: list[Table] = []
    for returned in results:
        if returned.absent:
            made.append(_Result(returned, night, asked).absent())
        elif not returned.problem:
            made += _Result(returned, night, asked).tables(said)
    return tuple(made)


def _nothing(looked_for: str, through: str = "", *, known: bool = True) -> dict[str, Any]:
    """Return columns and the row of a look that found nothing, so that just this can be cited.

    What was looked through is the heading's where there is one.
    """
    cells: dict[str, Cell] = {"looked_for": looked_for, "looked_through": through or None}
    cells["found"] = 0 if known else UNKNOWN
    kept = {name: cell for name, cell in cells.items() if cell is not None}
    columns = (Column(name=n, unit="text" if isinstance(c, str) else "") for n, c in kept.items())
    return {"columns": tuple(columns), "rows": (tuple(kept.values()),)}


def _ranked(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Add each row's place by its first number, which moving rows to the front would hide."""
    main = next((n for n, cell in rows[0].items() if isinstance(cell, int | float)), "")
    amounts = [_number(row, main) for row in rows]
    return tuple(
        {**row, "rank": 1 + sum(one > _number(row, main) for one in amounts)} for row in rows
    )


def result_of(tag: str) -> str:
    """Find the result that a table id or tag belongs to: r3 for `r103.4`."""
    found = re.match(r"r(\d+)", tag)
    return f"r{int(found[1]) % _PART}" if found else ""


@dataclass(frozen=True)
class _Kind:
    """Rows with the same columns; `title` says what they are."""

    title: str
    rows: tuple[Row, ...]
    shown: int = SHOWN


class _Result:
    """One result being converted to tables."""

    def __init__(self, returned: ToolReturned, night: Night | None, asked: Asked) -> None:
        self._returned, self._night, self._asked = returned, night, asked
        spec = BY_NAME.get(returned.tool)
        self._metrics: dict[str, Metric] = {m.column: m for m in spec.metrics} if spec else {}
        self._spoken = SPOKEN | dict(spec.calls if spec else {})
        if returned.tool == "get_tally":
            by = str(returned.args.get("by"))
            by = "player" if returned.args.get("measure") in _OF_PLAYERS else by
            # Of uptimes each row is of an aura on somebody, unless it is of an aura on all.
            bearer = returned.args.get("measure") == "uptime" and by not in ("player", "None")
            self._spoken["name"] = "target" if bearer else _GROUPED.get(by, "player")
        self._columns = {new: old for old, new in self._spoken.items()}

    def absent(self) -> Table:
        """Build the table of a look for what the log lacks: its row says what was looked for."""
        said = self._plain(self._returned.problem.removeprefix(f"{self._returned.tool}: "))
        args = self._returned.args
        report = f"report {args['report_code']}" if args.get("report_code") else "every report"
        asked = (str(args.get(name) or "") for name in ("fight_id", "fights"))
        through = ", ".join([report, *(f"pull {one}" for one in asked if one)])
        made = _nothing(said, through)
        return Table(id=self._returned.result, title=self._title("nothing found"), **made)

    def tables(self, said: set[str]) -> Iterator[Table]:
        notes = [note for note in self._notes() if note not in said][:NOTES]
        said.update(notes)
        number = int(self._returned.result[1:])
        for place, kind in enumerate(self._kinds()):
            yield self._table(f"r{number + _PART * place}", kind, () if place else tuple(notes))

    def _notes(self) -> Iterator[str]:
        for note in self._returned.notes:
            # The heading already names the pull, and how lines are cited is of no interest.
            told = re.sub(r"^Pull \d+: .*? after [\d.]+ s\.\s*", "", note)
            if told and "line ranges are shown" not in told:
                yield self._plain(told)

    def _kinds(self) -> Iterator[_Kind]:
        rows = self._over_pulls([self._named(row) for row in self._returned.rows])
        if len(rows) > FEW:
            rows = [{n: cell for n, cell in row.items() if n not in ONCE} for row in rows]
        packed = dict.fromkeys(
            n for row in rows for n, cell in row.items() if isinstance(cell, list)
        )
        simple = [{n: cell for n, cell in row.items() if n not in packed} for row in rows]
        if not rows:
            yield _Kind("", ())
        for title, group in self._groups(simple):
            yield _Kind(title, self._sorted(group))
        for column in packed:
            if unpacked := tuple(_unpacked(rows, column)):
                yield _Kind(column.replace("_", " "), unpacked, PACKED)

    def _over_pulls(self, rows: list[Row]) -> list[Row]:
        """Put rows together that say the same of several pulls, with the pulls where it holds."""
        args, measure = self._returned.args, self._returned.args.get("measure")
        alone = args.get("by") == "cast" or args.get("part") or len({*map(_pull_of, rows)}) < 2
        if measure not in ("uptime", "consumed") or alone:
            return rows
        groups: dict[tuple[Packed, ...], list[Row]] = {}
        for row in rows:
            share = round(100 * _number(row, "uptime_seconds") / self._lasted([_pull_of(row)]))
            groups.setdefault((*(row.get(name) for name in _SAME), share), []).append(row)
        return [self._put_together(own) for own in groups.values()]

    def _put_together(self, own: Sequence[Row]) -> Row:
        """Make one row of several: the pulls, how often, and the time of all."""
        fights = sorted({fight for row in own if (fight := _pull_of(row))})
        told: Row = {name: own[0][name] for name in _SAME if name in own[0]}
        if "uptime_seconds" in own[0]:
            up = round(sum(_number(row, "uptime_seconds") for row in own), 1)
            share = min(100.0, round(100 * up / self._lasted(fights), 1))
            told |= {"uptime_seconds": up, "uptime_percent": share}
            told["applications"] = int(sum(_number(row, "applications") for row in own))
        else:
            told["uses"] = len(own)
        return told | {"pull": said_pulls(fights) if fights else "outside the pulls"}

    def _lasted(self, fights: Sequence[int]) -> float:
        """Add up the length of pulls in seconds."""
        pulls = [self._night.pull(fight) for fight in fights] if self._night else []
        return sum(pull.seconds for pull in pulls if pull) or 0.1

    def _groups(self, rows: Sequence[Row]) -> Iterator[tuple[str, tuple[Row, ...]]]:
        """Separate totals from their parts, and rows with different columns from each other."""
        kinds: dict[tuple[bool, tuple[str, ...]], list[Row]] = {}
        for row in rows:
            whole = ALL in row.values()
            shape = () if self._returned.tool in _TOGETHER else tuple(row)
            kinds.setdefault((whole, shape), []).append(row)
        most = max((len(group) for (whole, _), group in kinds.items() if not whole), default=0)
        for (whole, _), group in kinds.items():
            if whole and most == len(group):
                # With one part each, the totals would repeat the parts.
                continue
            if whole and len(kinds) > 1:
                told = ({n: c for n, c in row.items() if c != ALL} for row in group)
                yield "in all", tuple(told)
            else:
                yield "", tuple(group)

    def _sorted(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        """Put matching rows first; sort the others by the question's measure, if any."""
        if self._returned.tool == "compare_players":
            return tuple(rows)  # the tool itself puts both sides of each difference together
        if any(self._columns.get(name, name) in _TIMED for row in rows[:1] for name in row):
            return tuple(sorted(rows, key=lambda row: not self._asked.concerns(row)))
        measure = self._measure(rows)
        found = tuple(
            sorted(rows, key=lambda row: (not self._asked.concerns(row), -_number(row, measure)))
        )
        # Of uptimes and potions a player has several rows.
        alone = len({row.get("player") for row in found}) == len(found)
        # Rows that are cut off, or moved to the front, no longer show their place.
        hidden = len(found) > CUT or self._asked.concerns(found[0])
        tallied = self._returned.tool == "get_tally" and alone and hidden
        return _ranked(found) if tallied and "player" in found[0] else found

    def _measure(self, rows: Sequence[Row]) -> str:
        """Find the column that the question mentions most; "" if none."""
        said, found, best = fold(self._asked.text), "", 0
        for name in rows[0] if rows else ():
            known = (fold(stem) for stem in stems().get(self._columns.get(name, name), ()))
            hits = sum(bool(re.search(rf"\b{re.escape(stem)}", said)) for stem in known)
            if hits > best:
                found, best = name, hits
        return found

    def _named(self, row: Row) -> Row:
        """Rename a row's columns for its table, and word its cells as in prose."""
        told: Row = {}
        for name, cell in (row | _attendance(row)).items():
            new = self._spoken.get(name, name)
            if new and (name not in _DROPPED or name in self._spoken):
                told[new] = self._cell(name, cell)
        if "spec" in told and "player" not in told and row.get("class"):
            told["spec"] = f"{told['spec']} {row['class']}"
        elif "spec" in told and self._returned.tool != "get_roster":
            # The list of people already has each player's spec.
            del told["spec"]
        return told

    def _cell(self, name: str, cell: Packed) -> Packed:
        if name == "evidence" and isinstance(cell, str):
            return [self._plain(part) for part in _PARTS.split(cell)]
        if isinstance(cell, list):
            if name == "pulls" and self._returned.tool == "get_keystone_runs":
                return spans_of([one for one in cell if isinstance(one, int)])
            if cell and all(isinstance(one, str) and not _packs(one) for one in cell):
                return self._plain(", ".join(str(one) for one in cell))
            return [self._plain(one) if isinstance(one, str) else one for one in cell] or ""
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if name in ("fight", "best_fight") and isinstance(cell, int):
            return f"pull {cell}"
        if isinstance(cell, int) and name.endswith(("_id", "_enchant")):
            return str(cell)
        if name == "started" and isinstance(cell, str):
            return cell[:16].replace("T", " ")
        if isinstance(cell, str):
            return short_name(cell) if _is_full_name(name, cell) else self._plain(cell)
        return cell

    def _plain(self, text: str, most: int = 480) -> str:
        return clean(self._night.plain(text) if self._night else text, most)

    def _table(self, ident: str, kind: _Kind, notes: tuple[str, ...]) -> Table:
        if not kind.rows:
            return self._empty(ident, notes)
        lifted = dict(_constants(kind.rows))
        present = dict.fromkeys(name for row in kind.rows for name in row)
        kept = [
            name
            for name in present
            if name not in lifted
            and any(row.get(name) is not None for row in kind.rows)
            and not (name == "boss" and self._returned.pull)  # which the heading tells
            and not (name == "abilities" and "ability" in present)  # each its own
            # Whom a player took it from, by source or target tells.
            and not (name == "sources" and "role" in present and len(kind.rows) > FEW)
        ]
        tally = self._returned.tool == "get_tally"
        if tally or self._returned.tool == "get_fight_details":
            asked = kept[: 2 * tally]  # what is tallied, and by what
            kept = [one for one in kept if one in asked or not _says_nothing(one, kind.rows)]
        rows = tuple(tuple(_flat(row.get(name)) for name in kept) for row in kind.rows)
        return Table(
            id=ident,
            title=self._title(kind.title),
            heading=self._heading(lifted, kind.rows),
            seconds=self._returned.seconds,
            columns=tuple(self._column(name, kind.rows) for name in kept),
            rows=rows,
            notes=notes,
            owner=next((name for name in _OWNERS if name in kept), ""),
            shown=kind.shown,
            stems=stems()["deaths"] if "died_at" in kept else (),
        )

    def _empty(self, ident: str, notes: tuple[str, ...]) -> Table:
        title, heading = self._title(""), self._heading({}, ())
        known = not self._returned.unknown
        return Table(
            id=ident,
            title=f"{title}: {'nothing found' if known else 'not known'}",
            heading=heading,
            seconds=self._returned.seconds,
            notes=notes,
            **_nothing(title, known=known),
        )

    def _title(self, kind: str) -> str:
        name = self._returned.tool.removeprefix("get_").replace("_", " ").capitalize()
        if self._returned.tool == "get_tally":
            args = self._returned.args
            default = BY_NAME["get_tally"].arguments.model_fields["measure"].default
            name = f"Tally of {args.get('measure') or default} by {args.get('by') or 'player'}"
        elif self._asked.french:
            name = french.catalogue().words.get(name, name)
        return f"{name}: {kind}" if kind else name

    def _heading(self, lifted: Mapping[str, str], rows: Sequence[Row]) -> str:
        returned, code = self._returned, self._night.code if self._night else ""
        parts = [_LASTED.sub(")", returned.pull)] if returned.pull else []
        parts += self._clocks()
        if returned.report and returned.report != code and "report" not in lifted:
            title = self._asked.titles.get(returned.report)
            parts.append(f"report {returned.report}{f' ({title})' if title else ''}")
        elif returned.fight is None and self._night and not returned.args.get("fights"):
            # What nobody did all night need not be stated per boss.
            bosses = self._night.bosses
            said = ", ".join(parts)
            parts += [b for b in bosses if b not in said] if not rows or len(bosses) == 1 else ()
        for name, column in (("player_name", "player"), ("encounter_name", "boss")):
            if asked := str(returned.args.get(name) or ""):
                parts.append(f"only {column} {asked}")
        for name in ("ability", "target_name", "part", "without"):
            if asked := str(returned.args.get(name) or ""):
                limit = "" if name in ("part", "without") else "only "
                parts.append(f"{limit}{name.removesuffix('_name')} {_few(in_seconds(asked))}")
        # By cast, those that failed have rows of their own.
        if returned.args.get("measure") == "dispels" and returned.args.get("by") != "cast":
            parts.append("failed ones not counted as dispels")
        parts += self._of_pulls() if returned.fight is None and not returned.pull else ()
        shared = self._plain(self._shared(lifted), 300)
        # A long list of bosses is cut, never what all rows share.
        return "; ".join(filter(None, (self._plain(", ".join(parts), 478 - len(shared)), shared)))

    def _clocks(self) -> Iterator[str]:
        """Yield when the pull began and ended, as far as it is one of the report in focus."""
        pull = self._night.pull(self._returned.fight) if self._night else None
        here = self._night is not None and self._returned.report == self._night.code
        if pull and pull.clock and here:
            yield f"{pull.clock} to {later(pull)}"

    def _shared(self, lifted: Mapping[str, str]) -> str:
        """Tell the values that all rows share, except those that were asked for."""
        known = {short_name(str(one)) for one in self._returned.args.values()}
        # Where a death was names its pull already.
        places = {"pull", "where", "boss"} if self._returned.pull else set[str]()
        places |= {"pull"} if "where" in lifted else set()
        told = [
            _LASTED.sub(")", cell)
            if name in ("pull", "where")
            else f"{name.replace('_', ' ')} {cell}"
            for name, cell in lifted.items()
            if name not in places and short_name(cell) not in known
        ]
        return f"{ALIKE} {', '.join(told)}" if told else ""

    def _of_pulls(self) -> Iterator[str]:
        """Yield which pulls a result of several is of, and whether of what lies between, too."""
        returned, pulls = self._returned, self._night.pulls if self._night else ()
        spec = BY_NAME.get(returned.tool)
        fields = spec.arguments.model_fields if spec else {}
        beyond = returned.args.get("measure") == "consumed"
        floors = returned.args.get("by") == "floor"
        if "fights" not in fields or not (pulls or floors):
            return
        fights = str(returned.args.get("fights") or "")
        if floors:
            yield "all floors"
            return
        yield from [*self._pulls(fights)] or ([fights] if fights else ["all pulls"])
        if beyond:
            yield "with what was taken before and between them"
        elif returned.tool in ("get_tally", "get_night_players"):
            yield _NO_TRASH
        elif returned.tool == "get_night_deaths" and not fights:
            yield "and what lies between"

    def _pulls(self, fights: str) -> Iterator[str]:
        """Yield the chosen pulls with their bosses, as numbers and ranges; "run 2" is no pull."""
        if not _SPANS.fullmatch(fights):
            return
        runs = [(int(a), int(b or a)) for a, b in re.findall(r"(\d+)(?: *- *(\d+))?", fights)]
        pulls = self._night.pulls if self._night else ()
        chosen = [p for p in pulls if any(a <= p.fight <= b for a, b in runs)]
        if chosen:
            yield f"pulls {fights} ({', '.join(dict.fromkeys(p.name for p in chosen))})"
            days = dict.fromkeys(dated(pull) for pull in chosen)
            yield from days if len(days) == 1 else ()

    def _column(self, name: str, rows: Sequence[Row]) -> Column:
        old = self._columns.get(name, name)
        metric = self._metrics.get(old)
        text = any(isinstance(row.get(name), str) and row.get(name) for row in rows)
        unit: Unit = ("name" if name in _NAMES else "text") if text else _unit(old, metric)
        return Column(
            name=name,
            unit=unit,
            label=self._label(name, metric) if unit not in ("name", "text") else "",
            stems=() if text else stems().get(old, ()),
            ranked=name not in _TIMED,
        )

    def _label(self, name: str, metric: Metric | None) -> str:
        said = name.replace("_", " ")
        if metric is None or name in BY_NAME[self._returned.tool].calls.values():
            return french.catalogue().words.get(said, said) if self._asked.french else said
        return french.metric(metric.name) if self._asked.french else metric.name


def _pull_of(row: Row) -> int:
    """Return the number of the pull that a row is of; 0 for none."""
    return int(str(row.get("pull") or "0").removeprefix("pull "))


def _few(asked: str) -> str:
    """Shorten a long list of what was asked for, which would take a heading's room."""
    each = asked.split("; ")
    return "; ".join([*each[:FEW], f"{len(each) - FEW} more"]) if len(each) > FEW + 1 else asked


def in_seconds(part: str) -> str:
    """Add units to a part of a pull: "50-" becomes "50 s to the end"."""
    if found := re.fullmatch(r"([\d.]+)-([\d.]+)?", part.strip()):
        return f"{found[1]} s to {found[2]} s" if found[2] else f"{found[1]} s to the end"
    return re.sub(r"^(last [\d.]+)$", r"\1 s", part.strip())


def _is_full_name(column: str, cell: str) -> bool:
    """Whether a cell is a player's name with realm; spells and bosses may contain hyphens."""
    bare, dash, realm = cell.partition("-")
    people = ("player", "best_player", "first_death", "last_hit_by", "longest_on", "caster")
    return column in people and bool(dash) and bare.isalpha() and realm[:1].isupper()


def _packs(text: str) -> bool:
    """Whether an entry of a list has several numbers, so that it becomes a row of its own."""
    return bool(HIT.fullmatch(text) or PAUSE.fullmatch(text))


def _flat(cell: Packed) -> Cell:
    return None if isinstance(cell, list) else cell


def _number(row: Row, column: str) -> float:
    cell = row.get(column) if column else None
    return float(cell) if isinstance(cell, int | float) else 0.0


def _unit(column: str, metric: Metric | None) -> Unit:
    unit = metric.unit if metric else ""
    if unit.startswith("%") or column.endswith("_percent"):
        return "%"
    times = column.endswith(("at", "before_death")) or column in ("start", "end")
    times |= "_seconds" in column or column.startswith("seconds_")
    return "s" if unit == "s" or times or column == "seconds" else ""


def _constants(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield names and texts that all rows share and that thus apply to the whole table.

    Numbers stay in the rows, so that even a column of zeros can be cited.
    """
    if len(rows) < 2:
        return
    for name, first in rows[0].items():
        shared = isinstance(first, str) and all(row.get(name) == first for row in rows)
        if shared and first not in ("", "no", "yes"):
            yield name, str(first)


def _says_nothing(name: str, rows: Sequence[Row]) -> bool:
    """Whether a column of player details adds width but no information."""
    if name in _TOTALS:
        return all(row.get(name) == row.get(_TOTALS[name]) for row in rows)
    return name in _QUIET and not any(row.get(name) for row in rows)


def _unpacked(rows: Sequence[Row], column: str) -> Iterator[Row]:
    """Yield a row per entry of a list cell, with the columns that identify the list."""
    keys = ("player", "ability", "aura", "cooldown", "caster", "fix")
    for row in rows:
        packed = row.get(column)
        whose = {name: row[name] for name in keys if name in row}
        for one in packed if isinstance(packed, list) else ():
            if isinstance(one, str) and (pause := PAUSE.fullmatch(one)):
                yield {**whose, "pause_seconds": float(pause[1]), "paused_at": float(pause[2])}
                continue
            hit = HIT.fullmatch(one) if isinstance(one, str) else None
            if hit is None:
                yield {**whose, "at" if column.endswith("at") else column: one}
                continue
            seconds, source, ability, sign, amount = hit.groups()
            kind = "healing" if sign == "+" else "damage_taken"
            yield {
                **{name: cell for name, cell in whose.items() if name == "player"},
                "seconds_before_death": abs(float(seconds)),
                "source": source,
                "ability": ability,
                "damage_taken": int(amount) if kind == "damage_taken" else None,
                "healing": int(amount) if kind == "healing" else None,
            }


def _attendance(row: Row) -> Row:
    """Describe in words which pulls somebody attended, and in which role."""
    fights, roles = row.get("fights"), row.get("roles")
    if not isinstance(fights, list) or not isinstance(roles, list):
        return {}
    had: dict[str, list[int]] = {}
    for fight, role in zip(fights, roles, strict=False):
        if isinstance(fight, int):
            had.setdefault(str(role), []).append(fight)
    told = [f"{role} on {spans_of(own)}" for role, own in had.items()]
    every = [fight for own in had.values() for fight in own]
    return {"fights": f"pulls {spans_of(every)}", "roles": ", ".join(told if len(had) > 1 else had)}
