"""Tells how long auras were up, and who took part: measures of a tally that are no sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleplay.agents.raid.domain.arguments import Tallied
from ruleplay.agents.raid.domain.overview import fold, side_given
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.tools.auras import Stretch, lasting, read_stretches, union_seconds
from ruleplay.agents.raid.tools.book import Book, names_in, people_in
from ruleplay.agents.raid.tools.cells import whole
from ruleplay.agents.raid.tools.moments import part_of
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.agents.raid.tools.sides import Sides

LISTED = 400
"""Maximum number of rows."""


BEARERS = 6
"""Maximum number of people named who had an aura, or cast it."""
OF_FOES = (
    "Of all auras, only the debuffs that enemies, or nobody, put on players are listed. What"
    " players put on themselves, each other and enemies: name an ability, or whose."
)


def uptimes(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """Compute how long the named auras were up, by who had them, or list them one by one.

    Of somebody's auras, the debuffs that enemies put on come first; of all, they are the only ones.
    """
    spans = part_of(book, pulls, args.part) if args.part else {}
    sides, rows = Sides.read(book, pulls), list[tuple[bool, Row]]()
    for pull in pulls:
        if not spans or pull.fight in spans:
            times = spans.get(pull.fight, (pull.start_ms, pull.end_ms))
            rows += _rows_of(book, pull, args, sides, times)
    if is_wide(args):
        rows = [one for one in rows if one[0]]
    named = bool(names_in(args.ability))
    if named and not spans and args.by not in ("cast", "ability"):
        rows += [(True, row) for row in _without(book, pulls, [row for _, row in rows])]

    def order(one: tuple[bool, Row]) -> tuple[bool, float, str, str]:
        foes, row = one
        first = "" if args.by != "cast" else str(row["clock"])
        longest = 0.0 if args.by == "cast" else -float(str(row["uptime_seconds"]))
        return not (named or foes), longest, first, str(row)

    return [row for _, row in sorted(rows, key=order)][:LISTED]


def _rows_of(
    book: Book, pull: PullRow, args: Tallied, sides: Sides, times: tuple[int, int]
) -> Iterator[tuple[bool, Row]]:
    """Yield the rows of a pull, each with whether it is of a debuff that enemies put on players."""
    since, until = times
    groups: dict[tuple[object, ...], list[Stretch]] = {}
    for one in _stretches(book, pull, args, sides):
        if one.start_ms <= until and one.end_ms >= since:
            foes = _of_foes(sides, pull.fight, one)
            groups.setdefault((foes, one.spell, *_key(one, args.by)), []).append(one)
    for key, own in groups.items():
        if args.by == "cast":
            told = _single(book, pull, own[0])
        elif args.by == "ability":
            told = _of_aura(book, pull, own)
        else:
            told = _row(book, pull, own, since, until)
        yield bool(key[0]), told


def _key(one: Stretch, by: str) -> tuple[object, ...]:
    """Say what has a row of its own: each period, each aura, or each aura of each bearer."""
    return {"cast": (one.target, one.start_ms, one.caster), "ability": ()}.get(by, (one.target,))


def is_wide(args: Tallied) -> bool:
    """Whether all auras are asked for, most of which are everybody's own buffs."""
    return not (args.ability or args.player_name or args.target_name)


def _stretches(book: Book, pull: PullRow, args: Tallied, sides: Sides) -> list[Stretch]:
    """Collect the auras of a pull that are asked for, those from before it among them."""
    wanted = names_in(args.ability)
    side, other = side_given(args.player_name), side_given(args.target_name)
    by = set() if side else people_in(args.player_name, book)
    on = set() if other else people_in(args.target_name, book)
    seen = read_stretches(book, pull)
    known = {(one.target, one.spell_id) for one in seen}
    return [
        one
        for one in (*seen, *lasting(book, pull, known, kinds=("BUFF", "DEBUFF")))
        if (not wanted or fold(one.spell) in wanted)
        and (not on or fold(one.target) in on)
        and (not other or sides.of(pull.fight, one.target) == other)
        and (not by or {fold(one.caster), fold(one.target)} & by)
        and (not side or side in {sides.of(pull.fight, who) for who in (one.caster, one.target)})
    ]


def _of_foes(sides: Sides, fight: int, one: Stretch) -> bool:
    """Whether it is a debuff on a player that an enemy put there, or that has no caster."""
    foes = not one.caster or sides.of(fight, one.caster) != sides.of(fight, one.target)
    return one.kind == "DEBUFF" and one.target not in sides.hostile and foes


def _begun(book: Book, pull: PullRow, one: Stretch) -> str | None:
    """Say since when an aura was there that began before the pull; None of one that began in it."""
    if one.begun_ms is not None:
        return book.clock(one.begun_ms)
    return "yes" if not one.applied and one.start_ms == pull.start_ms else None


def _row(book: Book, pull: PullRow, own: Sequence[Stretch], since: int, until: int) -> Row:
    within = (
        replace(one, start_ms=max(one.start_ms, since), end_ms=min(one.end_ms, until))
        for one in own
    )
    seconds, length = union_seconds(within), max((until - since) / 1000, 0.1)
    return {
        "name": own[0].target,
        "ability": own[0].spell,
        "uptime_seconds": round(seconds, 1),
        "uptime_percent": round(min(100.0, 100 * seconds / length), 1),
        "applications": sum(one.refreshes + one.applied for one in own),
        "at": pull.at(own[0].start_ms),
        "from_before": _begun(book, pull, own[0]),
        "fight": pull.fight,
        "boss": pull.name,
        "casters": ", ".join(dict.fromkeys(one.caster for one in own if one.caster)),
    }


def _of_aura(book: Book, pull: PullRow, own: Sequence[Stretch]) -> Row:
    """Describe an aura on all who had it."""
    first = min(own, key=lambda one: one.start_ms)
    longest = max(own, key=lambda one: one.seconds)
    bearers = dict.fromkeys(one.target for one in own)
    return {
        "ability": own[0].spell,
        "kind": own[0].kind.lower() or None,
        "bearers": len(bearers),
        "borne_by": ", ".join([*bearers][:BEARERS]) + (" …" if len(bearers) > BEARERS else ""),
        "applications": sum(one.refreshes + one.applied for one in own),
        "at": pull.at(first.start_ms),
        "clock": book.clock(first.start_ms),
        "uptime_seconds": round(union_seconds(own), 1),
        "longest_seconds": round(longest.seconds, 1),
        "from_before": _begun(book, pull, first),
        "fight": pull.fight,
        "boss": pull.name,
        "casters": ", ".join([*dict.fromkeys(one.caster for one in own if one.caster)][:BEARERS]),
    }


def _single(book: Book, pull: PullRow, one: Stretch) -> Row:
    """Describe one period of an aura, from when to when."""
    return {
        "name": one.target,
        "ability": one.spell,
        "kind": one.kind.lower() or None,
        "at": pull.at(one.start_ms),
        "clock": book.clock(one.start_ms),
        "until_at": pull.at(one.end_ms),
        "uptime_seconds": round(one.seconds, 1),
        "stacks": one.stacks if one.stacks > 1 else None,
        "from_before": _begun(book, pull, one),
        "fight": pull.fight,
        "boss": pull.name,
        "casters": one.caster or None,
    }


def _without(book: Book, pulls: Sequence[PullRow], rows: Sequence[Row]) -> list[Row]:
    """List the pulls on which players lacked an aura that they had on others of these.

    A form put on late in the night would else look as if it had always been up.
    """
    had = {(row["name"], row["ability"]): row for row in rows}
    seen = {(row["name"], row["ability"], row["fight"]) for row in rows}
    there = {pull.fight: {one.name for one in book.taking_part(pull)} for pull in pulls}
    return [
        row
        | {"uptime_seconds": 0.0, "uptime_percent": 0.0, "applications": 0, "at": None}
        | {"from_before": None, "casters": ""}
        | {"fight": pull.fight, "boss": pull.name}
        for (name, ability), row in had.items()
        for pull in pulls
        if (name, ability, pull.fight) not in seen and name in there[pull.fight]
    ]


def attendance(book: Book, pulls: Sequence[PullRow], args: Tallied) -> list[Row]:
    """List who took part in which of the pulls."""
    book.prepare(pulls)
    seen: dict[str, Row] = {}
    for pull in pulls:
        for player in book.taking_part(pull):
            row = seen.setdefault(
                player.name,
                {
                    "name": player.name,
                    "class": player.class_,
                    "spec": player.spec,
                    "role": player.role,
                    "pulls": 0,
                    "fights": [],
                    "roles": [],
                },
            )
            fights, roles = row["fights"], row["roles"]
            row |= {"pulls": whole(row["pulls"]) + 1}
            row["roles"] = [*(roles if isinstance(roles, list) else []), player.role]
            row["fights"] = [*(fights if isinstance(fights, list) else []), pull.fight]
    return sorted(seen.values(), key=lambda row: str(row["name"]))
