"""Sums any measure over any pulls, grouped by player, ability, source, target or pull."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from ruleplay.agents.raid.adapters.reports import WHOLE, Reports
from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import ENEMY, OURS, fold, side_given
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import NO_ABSORBS, Row, ToolOutcome
from ruleplay.agents.raid.tools.apart import ADDS, BOSSES, Apart, Deed
from ruleplay.agents.raid.tools.auras import CARRIED, UPTIME_RULE
from ruleplay.agents.raid.tools.book import IN_PULLS, Book, names_in, people_in, span
from ruleplay.agents.raid.tools.consumed import CONSUMED_RULE, consumed
from ruleplay.agents.raid.tools.cooldowns import COOLDOWNS_RULE, cooldowns
from ruleplay.agents.raid.tools.deeds import (
    HELPER,
    HELPER_RULE,
    NOBODYS,
    UNOWNED_RULE,
)
from ruleplay.agents.raid.tools.evening import roles_in
from ruleplay.agents.raid.tools.fallen import BLOWS, BLOWS_RULE, fallen
from ruleplay.agents.raid.tools.floors import FLOORS_RULE, read_floors
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.measures import (
    AMOUNTS,
    CASTS,
    CASTS_RULE,
    DEEDS,
    DONE,
    EACH_DEED,
    ENDED,
    FAILED,
    MEASURES,
    OPENING,
    SHIELDED,
    SHIELDS,
    SWUNG,
    Measure,
)
from ruleplay.agents.raid.tools.moments import part_of
from ruleplay.agents.raid.tools.named import (
    ACTORS,
    SPELLS,
    near_abilities,
    unknown,
    without_rows,
)
from ruleplay.agents.raid.tools.names import find_name, heard
from ruleplay.agents.raid.tools.preparation import worn
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.agents.raid.tools.sides import Sides, owned
from ruleplay.agents.raid.tools.suffered import EACH_HIT, SHIELD_RULE, SUFFERED
from ruleplay.agents.raid.tools.uptimes import OF_FOES, attendance, is_wide, uptimes
from ruleplay.errors import NotFound, UserError

LISTED, SOURCES, COUNTED = 400, 3, 6
"""Maximum number of rows, of players named per ability, and of names counted in a cell."""

_MARKS: Mapping[str, object] = {"nobodys": NOBODYS, "helper": HELPER}
_USES = ("cooldowns", "consumed", "casts")
"""Measures of the uses of things, each of which may know what another does not."""
KINDS = ("potion", "healthstone")
"""Kinds of things that are found in their names, whatever the measure."""
OF_PULLS = ("tanking", "opening")
"""Measures that only make sense within pulls."""
FIRST, FEW = 6, 2
"""Number of opening actions listed for one pull, and for each of several."""
BESIDE = 15_000
"""Milliseconds before and after a pull within which stray hits of an ability count."""
CHANNEL = 2_500
"""Maximum gap in milliseconds between the lines of one continuing cast."""


def get_tally(reports: Reports, args: Tallied) -> ToolOutcome:
    """Sum one measure, largest first; where uses of something are none, say what has some."""
    book = open_book(reports, args.report_code)
    missing = [] if side_given(args.player_name) else unknown(args.player_name, book)
    if missing:  # for which the sum would be a misleading zero
        known = "; ".join(sorted(names_in(args.player_name) - {*missing}))
        said = f"nobody called {', '.join(map(repr, missing))} is in report {book.code!r}"
        if not known:
            raise NotFound(said)
        told = get_tally(reports, args.model_copy(update={"player_name": known}))
        return told.model_copy(update={"notes": (f"N{said[1:]}.", *told.notes)})
    told = without_rows(_tally(reports, args), args)
    if told.rows or not args.ability:
        return told
    notes = (*near_abilities(args.ability, book), *told.notes)
    if args.measure not in _USES:
        return told.model_copy(update={"notes": notes})
    there = [one for one in map(partial(_uses, reports, args), _USES) if one]
    found = f"Nothing here, but {'; '.join(there)}." if there else ""
    others = " or ".join(one for one in _USES if one != args.measure)
    found = found or f"Nothing called so is in {others} either."
    return told.model_copy(update={"notes": (found, *notes)})


def _uses(reports: Reports, args: Tallied, measure: str) -> str:
    """Say how many uses another measure has of what was asked for; "" for none."""
    ability = "; ".join(sorted(heard(names_in(args.ability), KINDS)))
    given = {"measure": measure, "by": "cast", "ability": ability, "target_name": ""}
    with suppress(UserError):
        rows = _tally(reports, args.model_copy(update=given)).rows
        named = "" if side_given(args.player_name) else args.player_name
        who = {one.partition("-")[0] for one in names_in(named)}
        rows = tuple(
            row for row in rows if not who or fold(str(row["name"])).partition("-")[0] in who
        )
        what = dict.fromkeys(f"{row['ability']} by {row['name']}" for row in rows)
        more = f", {len(what) - SOURCES} more" if len(what) > SOURCES else ""
        return f"{measure} has {len(rows)} ({', '.join([*what][:SOURCES])}{more})" if rows else ""
    return ""


def _tally(reports: Reports, args: Tallied) -> ToolOutcome:
    book = open_book(reports, args.report_code)
    pulls = [] if args.by == "floor" else book.some(args.fights)
    between = not pulls or pulls[0].is_stretch
    args = _named(args, book)
    special = _SPECIAL.get(args.measure)
    parted = args.part and not (pulls and pulls[0].fight == WHOLE)
    if between and (args.measure in OF_PULLS or parted or args.by == "pull"):
        raise UserError(f"{args.measure} by {args.by or 'player'} is of pulls, not between them")
    if special:
        rows = special(book, pulls, args)
        rules = [*_RULES.get(args.measure, ())]
        rules += [FLOORS_RULE] if args.by == "floor" else []
        rules += [OF_FOES] if args.measure == "uptime" and is_wide(args) else []
        sides = Sides.read(book, pulls)
        return _told(book, pulls, [_sided(sides, row) for row in rows], *rules)
    measure = _measure(args, book)
    spans = part_of(book, pulls, args.part) if args.part else {}
    sides = Sides.read(book, pulls)
    kept = _kept(book, pulls, measure, args, spans, sides)
    by = args.by or measure.by
    there = _there(book, pulls) if len(pulls) > 1 and measure.sql is DEEDS else {}
    rows = (
        _listed(book, pulls, kept, measure)
        if by == "cast"
        else _placed_in(
            book, pulls, by, sides, _by_side(kept, measure, by, pulls, spans, there, sides)
        )
    )
    if by == "target" and measure.sql is DEEDS and len(pulls) == 1:
        rows = [_lasting(row, kept, pulls[0]) for row in rows]
    late = _late(book, pulls, measure, args) if measure.sql is DONE and not spans else []
    if late:
        marked = [replace(one, outcome="just after the end") for one in late]
        rows = _with_others(book, pulls, rows, marked, measure, by, "just_after")
    failed = _failed(book, pulls, measure, args, spans, sides) if args.measure == "dispels" else []
    resisted = [one for one in failed if by == "cast" or one.outcome == "failed"]
    missed = [one for one in failed if one not in resisted]
    for column, own in (("failed", resisted), ("missed_or_immune", missed)):
        rows = _with_others(book, pulls, rows, own, measure, by, column) if own else rows
    if by == "cast":
        rows = [_sided(sides, row) for row in rows]
    notes = (
        measure.note,
        *([FLOORS_RULE] if by == "floor" else []),
        *([CASTS_RULE] if by == "cast" and measure.sql is CASTS else []),
        *([UNOWNED_RULE] if any(NOBODYS in one.source for one in kept) else []),
        *([HELPER_RULE] if any(HELPER in one.source for one in kept) else []),
        *([LATE_RULE] if late else []),
        *([SHIELD_RULE] if measure.whose == "target" and any(one.by for one in kept) else []),
    )
    told = _told(book, pulls, rows, *notes)
    if args.measure not in ("healing", "absorbs") or _tells_absorbs(book):
        return told
    unknown = not rows and args.measure == "absorbs"
    return told.model_copy(update={"notes": (*told.notes, NO_ABSORBS), "unknown": unknown})


def _sided(sides: Sides, row: Row) -> Row:
    """Add the side of whom a row is of, which for a guardian is its owner's."""
    return sides.mark(row, "owner" if row.get("owner") else "name", row.get("fight"))


def _named(args: Tallied, book: Book) -> Tallied:
    """Complete the names as the log writes them; raises NotFound for unknown ones."""
    if fold(args.target_name) != ADDS and not side_given(args.target_name):
        args = args.model_copy(update={"target_name": _targets(args.target_name, book)})
    if args.ability and args.measure not in ("consumed", "cooldowns"):
        known = book.ask(_CAST if args.measure == "casts" else SPELLS)
        args = args.model_copy(update={"ability": _whole_names(known, args.ability)})
    return args


def _kept(
    book: Book,
    pulls: Sequence[PullRow],
    measure: Measure,
    args: Tallied,
    spans: Mapping[int, tuple[int, int]],
    sides: Sides,
) -> list[Deed]:
    """Collect the deeds that are asked for."""
    theirs = side_given(args.player_name) == ENEMY
    found: Sequence[Deed]
    if args.by == "floor":
        found = _of_floors(book, measure, theirs=theirs)
    else:
        found = _found(book, pulls, measure, spans, theirs=theirs)
    if fold(args.target_name) == ADDS:
        found, args = _at_adds(found, measure, book), args.model_copy(update={"target_name": ""})
    if not (args.player_name or args.by in ("", "player", "source", "cast")):
        found = [one for one in found if not one.source.endswith(HELPER)]
    apart = Apart.of(args.without, book) if args.without else Apart()
    found, args = _of_sides(found, measure, args, sides)
    kept = [one for one in found if _fits(one, measure, args, book) and not apart.has(one)]
    if not kept and args.measure == "taken" and args.ability:
        kept = _just_beside(book, pulls, measure, args)
    if measure.sql in AMOUNTS and len(kept) > LISTED:
        raise UserError(
            f"{args.measure} by cast would be {len(kept)} rows, and {LISTED} is the most: narrow it"
            " by player, target, ability or part"
        )
    return kept


def _placed_in(
    book: Book, pulls: Sequence[PullRow], by: str, sides: Sides, rows: Sequence[Row]
) -> list[Row]:
    """Add to sums when their biggest hit came, and people's roles and sides."""
    sums = any("biggest_ms" in row for row in rows)
    rows = [_timed(row, book, pulls) for row in rows] if sums else [*rows]
    if sums and by == "player" and pulls and not pulls[0].is_stretch:
        roles = roles_in(book, pulls)
        rows = [row | {"role": roles.get(str(row["name"]))} for row in rows]
    if by in ("player", "source", "target"):
        rows = [sides.mark(row, "name") for row in owned(book, pulls, rows)]
    return _on_floors(book, rows) if by == "floor" else rows


def _measure(args: Tallied, book: Book) -> Measure:
    """Find a measure; UserError lists them, or what this one is grouped by."""
    name = args.measure
    measure = MEASURES.get(name)
    if measure is None:
        raise UserError(f"no measure {name!r}; there are {', '.join((*MEASURES, *_SPECIAL))}")
    if name == "kills" and not book.habits["logs_kills"]:
        return replace(measure, sql=BLOWS, note=BLOWS_RULE)
    if args.by == "cast" and name == "crits":
        raise UserError(f"{name} by cast is not counted; by {', '.join(_KEYS)}")
    each = {DEEDS: EACH_DEED, SUFFERED: EACH_HIT} if args.by == "cast" else {}
    return replace(measure, sql=each.get(measure.sql, measure.sql))


def _whole_names(spells: Iterable[tuple[object, ...]], text: str) -> str:
    """Complete abilities given by part of the name, or by id, to the log's names."""
    known = [(max(_int(number), 0), str(name)) for number, name in spells]
    folded = {fold(name) for _, name in known}
    found: dict[str, None] = {}
    for said in names_in(text):
        ident = re.fullmatch(r"(?:spell )?(\d+)", said)
        whole = re.compile(rf"\b{re.escape(said)}\b")
        fits = [n for one, n in known if (ident and int(ident[1]) == one) or whole.search(fold(n))]
        if not fits and ";" not in text:  # several are a list of what there might be
            fits = [name for _, name in known if re.search(rf"\b{re.escape(said)}", fold(name))]
        found |= dict.fromkeys([said] if said in folded else fits or [said])
    return "; ".join(found)


# A cast may have another name than its effect, such as Spirit Link Totem.
_CAST = SPELLS.replace("WHERE", "WHERE event LIKE 'SPELL_CAST%' AND")


def _there(book: Book, pulls: Sequence[PullRow]) -> dict[int, list[str]]:
    """List who took part in each pull; rates refer to the time that a player was present."""
    book.prepare(pulls)
    return {pull.fight: [one.name for one in book.taking_part(pull)] for pull in pulls}


def _found(
    book: Book,
    pulls: Sequence[PullRow],
    measure: Measure,
    spans: Mapping[int, tuple[int, int]],
    *,
    theirs: bool,
) -> list[Deed]:
    """Collect the deeds in pulls, or in a part of each; `theirs` are those of creatures too."""
    given = {**_MARKS, "theirs": theirs, **(measure.given or {})}
    if spans:
        sql = measure.sql.replace(IN_PULLS, f"{IN_PULLS} AND ms BETWEEN $since AND $until")
        asked = [row for one in _scopes(pulls, spans) for row in book.ask(sql, one | given)]
    else:
        asked = book.ask(measure.sql, span(pulls) | given)
    return _deeds(asked)


def _deeds(asked: Iterable[tuple[Any, ...]]) -> list[Deed]:
    # A killing blow without a spell has no ability; deeds between pulls have no pull.
    return [Deed(*(row[0] or 0, *row[1:3], row[3] or "", *row[4:])) for row in asked]


def _of_floors(book: Book, measure: Measure, *, theirs: bool) -> list[Deed]:
    """Collect the deeds on each floor of a run, with the floor's number as `fight`."""
    sql = measure.sql.replace(IN_PULLS, "ms BETWEEN $since AND $until")
    given = {**_MARKS, "theirs": theirs, **(measure.given or {})}
    found: list[Deed] = []
    for floor in read_floors(book):
        span_ = {"since": floor.start_ms, "until": floor.end_ms}
        asked = _deeds(book.ask(sql, given | span_))
        found += [replace(one, fight=floor.number) for one in asked]
    return found


def _on_floors(book: Book, rows: Sequence[Row]) -> list[Row]:
    """Name the floors that rows are of, with their length, beginning, and the run's end."""
    known = {str(one.number): one for one in read_floors(book)}
    return [
        {name: cell for name, cell in row.items() if name != "sources"}
        | {
            "name": f"floor {row['name']}",
            "seconds": round((floor.end_ms - floor.start_ms) / 1000, 1),
            "clock": book.clock(floor.start_ms),
            "run_completed": floor.completed or None,
        }
        for row in rows
        for floor in [known[str(row["name"])]]
    ]


def _of_sides(
    found: Sequence[Deed], measure: Measure, args: Tallied, sides: Sides
) -> tuple[Sequence[Deed], Tallied]:
    """Select what a side did, or what was done to one, where it is asked for instead of names."""
    by, on = side_given(args.player_name), side_given(args.target_name)
    if not by and not on:
        return found, args
    suffered = measure.whose == "target"
    kept = [
        one
        for one in found
        for who in [one.target if suffered else one.source]
        if (not by or sides.of(one.fight, who) == by)
        and (not on or sides.of(one.fight, _other(one, measure)) == on)
    ]
    named = {"player_name": "" if by else args.player_name}
    return kept, args.model_copy(update=named | ({"target_name": ""} if on else {}))


def _lasting(row: Row, found: Sequence[Deed], pull: PullRow) -> Row:
    """Add when a target was hit first and last, and the time between."""
    hit = [one for one in found if one.target == row["name"]]
    first, until = min(one.first for one in hit), max(one.until for one in hit)
    told: Row = {"first_hit_at": pull.at(first), "last_hit_at": pull.at(until)}
    return row | told | {"fought_seconds": round((until - first) / 1000, 1)}


def _scopes(
    pulls: Sequence[PullRow], spans: Mapping[int, tuple[int, int]]
) -> Iterator[dict[str, object]]:
    for pull in pulls:
        if pull.fight in spans:
            since, until = spans[pull.fight]
            yield span([pull]) | {"since": since, "until": until}


def _tells_absorbs(book: Book) -> bool:
    """Whether the log contains lines of absorbed damage anywhere."""
    return bool(book.ask("SELECT 1 FROM events WHERE event = 'SPELL_ABSORBED' LIMIT 1"))


def _timed(row: Row, book: Book, pulls: Sequence[PullRow]) -> Row:
    """Word the time of a row's biggest hit as players do."""
    ms = _int(row.pop("biggest_ms", -1))
    pull = next((one for one in pulls if one.start_ms <= ms <= one.end_ms), None)
    if pull and pull.is_stretch:
        row |= {"clock": book.clock(ms)}
    elif pull:
        row |= {"biggest_at": pull.at(ms), "best_fight": pull.fight}
    return row


def _just_beside(
    book: Book, pulls: Sequence[PullRow], measure: Measure, args: Tallied
) -> list[Deed]:
    """Collect hits of an ability that landed just before or after a pull, outside of it."""
    sql = measure.sql.replace(IN_PULLS, "fight IS NULL AND ms BETWEEN $since AND $until")
    found: list[Deed] = []
    for pull in pulls:
        given = {"since": pull.start_ms - BESIDE, "until": pull.end_ms + BESIDE}
        found += [Deed(pull.fight, *row[1:]) for row in book.ask(sql, given)]
    return [one for one in found if _fits(one, measure, args, book)]


LATE_RULE = (
    "What came within 15 s after a pull's end stands apart (just_after) and is in no sum; of"
    " dispels, those of spells that the pull had."
)
_BROUGHT = f"""
SELECT DISTINCT fight, spell FROM events
WHERE {IN_PULLS} AND list_contains($spells, spell)
"""


def _late(book: Book, pulls: Sequence[PullRow], measure: Measure, args: Tallied) -> list[Deed]:
    """Collect the interrupts or dispels that came just after a pull, with its number."""
    pulls = [pull for pull in pulls if not pull.is_stretch]
    given = {"theirs": False, **(measure.given or {})}
    asked = _deeds(book.ask(measure.sql.replace(IN_PULLS, "e.fight IS NULL"), given))
    found = [
        replace(one, fight=pull.fight)
        for one in asked
        for pull in pulls
        if pull.end_ms <= one.ms <= pull.end_ms + BESIDE and _fits(one, measure, args, book)
    ]
    if not found or measure.column != "dispels":
        return found
    spells = sorted({one.ability for one in found})
    brought = {
        (fight, spell) for fight, spell in book.ask(_BROUGHT, span(pulls) | {"spells": spells})
    }
    return [one for one in found if (one.fight, one.ability) in brought]


def _failed(
    book: Book,
    pulls: Sequence[PullRow],
    measure: Measure,
    args: Tallied,
    spans: Mapping[int, tuple[int, int]],
    sides: Sides,
) -> list[Deed]:
    """Collect the dispels that did nothing: resisted, missed, or on somebody immune."""
    found: Sequence[Deed] = _found(book, pulls, replace(measure, sql=FAILED), spans, theirs=False)
    found, args = _of_sides(found, measure, args, sides)
    fitting = (one for one in found if _fits(one, measure, args, book))
    # A Mass Dispel has a line for each of its spells, of the same name.
    alike = {(o.ms, o.source, o.target, o.ability, o.by): o for o in fitting}
    return [*alike.values()]


def _with_others(
    book: Book,
    pulls: Sequence[PullRow],
    rows: Sequence[Row],
    others: Sequence[Deed],
    measure: Measure,
    by: str,
    column: str,
) -> list[Row]:
    """Add what no sum counts: a number of its own beside each sum, or rows that say what it was."""
    if by == "cast":
        marked = [
            listed | {"when": one.outcome}
            for one in sorted(others, key=lambda one: one.line)
            for listed in _listed(book, pulls, [one], measure)
        ]
        every = [*({"when": None} | row for row in rows), *marked]
        return sorted(every, key=lambda row: (row["clock"], row["at"] or 0))
    labels = {pull.fight: pull.label for pull in pulls}
    key = _KEYS[by]
    names = [labels[one.fight] if by == "pull" else str(key(one, measure)) for one in others]
    counts = {name: names.count(name) for name in names}
    told = [row | {column: counts.pop(str(row["name"]), 0)} for row in rows]
    blank: Row = dict.fromkeys(told[0]) if told else {}
    new = [blank | {"name": name, measure.column: 0, column: n} for name, n in counts.items()]
    return [*told, *new]


def _told(book: Book, pulls: Sequence[PullRow], rows: Sequence[Row], *said: str) -> ToolOutcome:
    """Build an outcome that cites whole pulls, as an actor's identity shows beside the sums."""
    notes = tuple(note for note in said if note)
    if len(pulls) == 1:
        return book.tell(rows, pull=pulls[0], notes=notes)
    if not pulls:
        return book.tell(rows, notes=notes)
    return book.tell(rows, lines=[(pull.first, pull.last) for pull in pulls], notes=notes)


def _fits(one: Deed, measure: Measure, args: Tallied, book: Book) -> bool:
    """Whether a deed matches the player, ability and target named."""
    pet, _, spell = one.ability.rpartition(": ")
    named = {fold(name) for name in (one.ability, spell, pet, one.by or "")}
    if args.ability and not named & names_in(args.ability):
        return False
    who = one.target if measure.whose == "target" else one.source
    wanted = people_in(args.player_name, book) if args.player_name else {fold(who)}
    if not {fold(who), fold(who.removesuffix(NOBODYS).removesuffix(HELPER))} & wanted:
        return False
    other = fold(_other(one, measure))
    return not args.target_name or other in people_in(args.target_name, book)


def _at_adds(found: Sequence[Deed], measure: Measure, book: Book) -> list[Deed]:
    """Select deeds against, or by, enemies other than bosses."""
    bosses = {fold(str(row[0])) for row in book.ask(BOSSES)}
    return [one for one in found if fold(_other(one, measure)) not in bosses]


def _other(one: Deed, measure: Measure) -> str:
    """Get the other party of a deed: its target, or for damage taken, its source."""
    return one.source if measure.whose == "target" else one.target


def _targets(text: str, book: Book) -> str:
    """Resolve targets as models write them: a plural of a kind, or a part of just one name."""
    actors = [str(row[0]) for row in book.ask(ACTORS)] if text else []
    made: list[str] = []
    for said in map(str.strip, filter(str.strip, text.split(";"))):
        if not unknown(said, book):
            made.append(said)
            continue
        kind = fold(said).removesuffix("s")
        if kind != fold(said) and (own := [one for one in actors if kind in fold(one).split()]):
            made += own
            continue
        with suppress(UserError):
            made.append(find_name(said, actors, "target"))
            continue
        made.append(find_name(said.removesuffix("s"), actors, "target"))
    return "; ".join(made)


_KEYS: Mapping[str, Callable[[Deed, Measure], object]] = {
    "player": lambda one, how: one.target if how.whose == "target" else one.source,
    "ability": lambda one, how: one.ability,
    "source": lambda one, how: one.source,
    "target": lambda one, how: one.source if how.whose == "target" else one.target,
    "pull": lambda one, how: one.fight,
    "floor": lambda one, how: one.fight,
}


def _by_side(
    found: Sequence[Deed],
    measure: Measure,
    by: str,
    pulls: Sequence[PullRow],
    spans: Mapping[int, tuple[int, int]],
    there: Mapping[int, Iterable[str]],
    sides: Sides,
) -> list[Row]:
    """Add up; of matches, what is no sum of one person is told of each side on its own."""
    if not sides.players or by not in ("ability", "pull"):
        return _summed(found, measure, by, pulls, spans, there)
    suffered, rows = measure.whose == "target", list[Row]()
    for side in (OURS, ENEMY):
        own = [
            one
            for one in found
            if sides.of(one.fight, one.target if suffered else one.source) == side
        ]
        if own:
            rows += [row | {"side": side} for row in _summed(own, measure, by, pulls, spans, there)]
    shields = {name for row in rows for name in row if name in SHIELDS}
    rows = [{**row, **{name: row.get(name) for name in shields}} for row in rows]
    amount = measure.column
    return rows if by == "pull" else sorted(rows, key=lambda row: -float(str(row[amount] or 0)))


def _summed(
    found: Iterable[Deed],
    measure: Measure,
    by: str,
    pulls: Sequence[PullRow],
    spans: Mapping[int, tuple[int, int]],
    there: Mapping[int, Iterable[str]],
) -> list[Row]:
    key = _KEYS.get(by)
    if key is None:
        raise UserError(
            f"nothing is added up by {by!r}; there are {', '.join(_KEYS)}, cast; sides stand in"
            " place of a player or target: enemies, our side"
        )
    groups: dict[object, list[Deed]] = {}
    for one in found:
        groups.setdefault(key(one, measure), []).append(one)
    for pull in pulls if by == "pull" else ():
        groups.setdefault(pull.fight, [])
    # Rates count only pulls in which anybody did such a thing: in a reset nobody may have.
    busy = {one.fight for one in found} if by != "pull" else {pull.fight for pull in pulls}
    lengths = {pull.fight: pull.seconds for pull in pulls if pull.fight in busy}
    lengths |= {fight: (until - since) / 1000 for fight, (since, until) in spans.items()}
    seconds = max(sum(lengths.values()), 0.1)
    present: dict[str, float] = {}
    for fight, names in there.items() if by in ("player", "source") else ():
        for who in names:
            present[who] = present.get(who, 0.0) + lengths.get(fight, 0.0)
    labels = {pull.fight: pull.label for pull in pulls}
    part = SHIELDED.get(measure.column, "")
    rows = []
    for name, deeds_ in groups.items():
        what = {"overheal": "over", "crits": "crits"}.get(measure.column, "amount")
        total = sum(getattr(one, what) or 0 for one in deeds_)
        label = labels.get(name) if isinstance(name, int) else None
        row: Row = {"name": label or str(name), measure.column: int(total)}
        row |= {"fight": _int(name)} if by == "pull" else {}
        if measure.column in ("total_damage", "healing") and pulls and not pulls[0].is_stretch:
            own = lengths.get(_int(name)) if by == "pull" else present.get(str(name))
            of = max(seconds if own is None else own, 0.1)
            row["dps" if measure.column == "total_damage" else "hps"] = round(total / of, 1)
        row |= _detailed(measure, deeds_, by)
        row |= {part: int(sum(one.shielded or 0 for one in deeds_))} if part else {}
        rows.append(row)
    rows.sort(key=lambda row: (-float(str(row[measure.column] or 0)), str(row["name"])))
    telling = (measure.column, "misses", *(("hits",) if measure.sql is SUFFERED else ()))
    kept = [row for row in rows if by == "pull" or any(map(row.get, telling))]
    shields = (part, *SHIELDS)
    empty = {name for name in shields if not any(row.get(name) for row in kept)}
    kept = [{name: cell for name, cell in row.items() if name not in empty} for row in kept]
    return kept[:LISTED]


def _detailed(measure: Measure, found: Sequence[Deed], by: str) -> Row:
    """Add details to a sum: hits, misses, the biggest hit, sources, victims, abilities."""
    row: Row = {}
    if measure.sql in (DEEDS, SUFFERED, SWUNG):
        row |= {"hits": sum(one.hits for one in found)}
    if measure.sql in (DEEDS, SUFFERED) and found:
        row |= _biggest(max(found, key=lambda one: (one.biggest or 0, -one.ms)))
    if measure.sql is DEEDS and by == "ability":
        every = sorted({one.source for one in found})
        more = len(every) - SOURCES
        told = [*every[:SOURCES], *([f"and {more} more"] if more > 0 else [])]
        row |= {"sources": ", ".join(told)}
    if measure.sql in (SUFFERED, SWUNG):
        row |= {"misses": sum(one.misses for one in found)}
    row |= _struck(found, by) if measure.sql is SUFFERED else {}
    if measure.sql is DEEDS and (hits := sum(one.hits for one in found)):
        row["crit_percent"] = round(100 * sum(one.crits for one in found) / hits, 1)
    row |= _overhealed(found) if measure.column == "overheal" else {}
    if measure.column == "healing":
        row["overheal_percent"] = _overhealed(found)["overheal_percent"]
    if measure.sql in (DONE, CASTS, ENDED, BLOWS):
        row["abilities"] = _counts(one.ability for one in found for _ in range(one.hits))
    return row


def _struck(found: Sequence[Deed], by: str) -> Row:
    """Say of damage taken whom it hit, whose it was, and which hits shields absorbed whole."""
    hits = [one.target for one in found for _ in range(one.hits)]
    row: Row = {"players_hit": len({*hits})} if by in ("ability", "source") else {}
    row |= {"victims": _counts(hits)} if row else {}
    shields = dict.fromkeys(one.by for one in found if one.by)
    row |= {"absorbed_hits": sum(one.swallowed for one in found), "absorbed_by": ", ".join(shields)}
    row |= {"biggest_absorbed_hit": max((one.whole or 0 for one in found), default=0)}
    return row | {"sources": ", ".join(sorted({one.source for one in found}))}


def _overhealed(found: Sequence[Deed]) -> Row:
    healed, over = (sum(v) for v in ([d.amount for d in found], [d.over for d in found]))
    share = round(100 * over / (healed + over), 1) if healed + over else 0.0
    return {"healing": int(healed), "overheal_percent": share}


def _biggest(one: Deed) -> Row:
    return {
        "biggest_hit": int(one.biggest or 0),
        "biggest_by": one.ability,
        "biggest_on": one.target,
        "biggest_from": one.source,
        "biggest_ms": one.ms,
    }


def _counts(names: Iterable[str]) -> str:
    counts: dict[str, int] = {}
    for name in filter(None, names):  # not every killing blow has a spell
        counts[name] = counts.get(name, 0) + 1
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    more = len(ranked) - COUNTED
    told = [f"{name} {count}" for name, count in ranked[:COUNTED]]
    return ", ".join([*told, *([f"and {more} more"] if more > 0 else [])])


def _int(value: object) -> int:
    return value if isinstance(value, int) else -1


def _listed(
    book: Book, pulls: Sequence[PullRow], found: Sequence[Deed], measure: Measure
) -> list[Row]:
    """List deeds individually in chronological order; a continuing cast is listed once."""
    known = {pull.fight: pull for pull in pulls if not pull.is_stretch}
    ordered = sorted(found, key=lambda one: one.line)
    channels = frozenset(tables.spell_names()["channels"])
    ordered = _once(ordered, CHANNEL, channels) if measure.sql is CASTS else ordered
    # A spell's cast and its hit are two lines.
    if measure.sql is OPENING:
        most = FIRST if len(pulls) == 1 else FEW
        by_pull = groupby(_once(ordered, BESIDE), lambda one: one.fight)
        ordered = [one for _, own in by_pull for one in [*own][:most]]
    told = _at_once(ordered) if measure.sql is CASTS else [(one, one.target) for one in ordered]
    return [
        _placed(book, known.get(one.fight), one, measure)
        | ({"target": on} if measure.whose == "source" else {})
        for one, on in told[:LISTED]
    ]


def _at_once(found: Sequence[Deed]) -> list[tuple[Deed, str]]:
    """Put together the lines of one cast on several targets, as totems write them."""
    told: list[tuple[Deed, str]] = []
    for _, own in groupby(found, lambda one: (one.fight, one.ms, one.source, one.ability)):
        first, *others = own
        if len(others) < FEW:
            told += [(one, one.target) for one in (first, *others)]
        else:
            told.append((first, f"{first.target} and {len(others)} others"))
    return told


def _placed(book: Book, pull: PullRow | None, one: Deed, measure: Measure) -> Row:
    """Build a row for one deed with its time; between pulls, relative to the next one."""
    suffered = measure.whose == "target"
    row: Row = {
        "name": one.target if suffered else one.source,
        "ability": one.ability,
        "at": pull.at(one.ms) if pull else None,
        "clock": book.clock(one.ms),
        "fight": pull.fight if pull else None,
        "boss": pull.name if pull else None,
        "target": None if suffered else one.target,
    }
    if measure.sql in AMOUNTS:
        row |= _amount(one, measure)
    elif suffered:
        row |= {"sources": one.source, measure.column: int(one.amount or 0), "hits": one.hits}
    elif one.by or measure.sql is CASTS:
        row |= {"owner" if measure.sql is CASTS else "with": one.by}
    if pull is None:
        row |= _whereabouts(book, one)
    return row


def _amount(one: Deed, measure: Measure) -> Row:
    """Tell the amount of a single hit or heal, and what became of it."""
    if measure.whose != "target":
        amount = one.over if measure.column == "overheal" else one.amount
        beyond = "overkill" if measure.column == "total_damage" else "overheal"
        told: Row = {measure.column: int(amount or 0), "crit": bool(one.crits)}
        return told | ({} if beyond == measure.column else {beyond: int(one.over or 0)})
    return {
        "sources": one.source,
        measure.column: int(one.amount or 0),
        "absorbed": int(one.shielded or 0) or None,
        "absorbed_by": one.by,
        "whole_hit": int(one.whole) if one.whole and one.shielded else None,
        "missed": one.outcome if one.misses else None,
        "health_after_percent": one.health,
    }


def _whereabouts(book: Book, one: Deed) -> Row:
    """Say of a deed in all of a log, or between pulls, in or before which pull it was."""
    inside = next((pull for pull in book.pulls if pull.start_ms <= one.ms <= pull.end_ms), None)
    next_ = next((pull for pull in book.pulls if pull.start_ms >= one.ms), None)
    last = "after the last" if book.pulls else "no pull"
    before = f"pull {next_.fight} ({next_.name})" if next_ else last
    return {
        "in_pull": f"pull {inside.fight} ({inside.name})" if inside else None,
        "before_pull": None if inside else before,
    }


def _once(found: Iterable[Deed], apart: int, spells: frozenset[str] = frozenset()) -> list[Deed]:
    """Drop repeated lines of a continuing deed, for some spells or for all."""
    kept: list[Deed] = []
    last: dict[tuple[int, str, str], int] = {}
    for one in found:
        key = (one.fight, one.source, one.ability)
        other = bool(spells) and one.ability not in spells
        if other or key not in last or one.ms - last[key] > apart:
            kept.append(one)
        last[key] = one.ms
    return kept


_SPECIAL: Mapping[str, Callable[[Book, Sequence[PullRow], Tallied], list[Row]]] = {
    "gear": worn,
    "deaths": fallen,
    "uptime": uptimes,
    "present": attendance,
    "consumed": consumed,
    "cooldowns": cooldowns,
}
_RULES = {
    "uptime": (UPTIME_RULE, CARRIED),
    "consumed": (CONSUMED_RULE,),
    "cooldowns": (COOLDOWNS_RULE,),
}
