"""Players' preparation: consumables, enchants, gems and changes of gear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleplay.agents.raid.adapters.reports import Reports
from ruleplay.agents.raid.domain.arguments import (
    GearChanges,
    OfAnyPullsPlayer,
    OfFightPlayer,
    Tallied,
)
from ruleplay.agents.raid.domain.overview import fold, said_pulls, spans_of
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.tool_result import Cell, Row, ToolOutcome
from ruleplay.agents.raid.tools.book import NO_LIST, Book, Player, span, spread
from ruleplay.agents.raid.tools.cells import number, texts, whole
from ruleplay.agents.raid.tools.library import open_book, open_pull, open_two
from ruleplay.agents.raid.tools.pulls import PullRow
from ruleplay.errors import NotFound

ENCHANTED = ("head", "shoulder", "back", "chest", "wrist", "hands", "legs", "feet", "mainhand")
"""Slots that anyone can enchant; off-hands, rings and ranged slots depend on the item."""
NO_GEAR = (
    "Gear, enchants, gems and the auras at the pull are not in the log: it has no COMBATANT_INFO"
    " lines for this pull."
)

AURAS = """
SELECT actor, spell_id, line FROM pull_auras
WHERE fight = $fight AND list_contains($spells, spell_id)
"""
# Without COMBATANT_INFO a consumable shows by the lines that tell of its aura, which may have begun
# long before the pull: it was there where it had not ended, or where it is seen to end.
SEEN = """
SELECT target, spell_id, arg_max(line, ms) FILTER (ms <= $until) FROM events
WHERE event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH', 'SPELL_AURA_REMOVED')
    AND list_contains($spells, spell_id) GROUP BY target, spell_id
HAVING coalesce(max(ms) FILTER (event <> 'SPELL_AURA_REMOVED' AND ms <= $until), -1)
        > coalesce(max(ms) FILTER (event = 'SPELL_AURA_REMOVED' AND ms < $start_ms), -1)
    OR coalesce(arg_min(event, ms) FILTER (ms BETWEEN $start_ms AND $until), '')
        = 'SPELL_AURA_REMOVED'
"""
_LEVELS = """
SELECT g.fight, a.name, round(avg(g.item_level), 1), min(g.item_level),
    arg_min(g.slot, (g.item_level, g.line, g.slot)), max(g.item_level),
    arg_min(g.slot, (-CAST(g.item_level AS BIGINT), g.line, g.slot))
FROM gear g JOIN actors a ON a.id = g.actor
WHERE list_contains($fights, g.fight) AND g.item_id > 0 AND g.item_level > 0
    AND g.slot NOT IN ('shirt', 'tabard') GROUP BY ALL ORDER BY g.fight
"""
EARLY = 30_000
"""Milliseconds before a pull during which a potion still counts for it."""
DRUNK = """
SELECT source, spell_id, any_value(spell), list(ms ORDER BY line), list(line ORDER BY line)
FROM events WHERE event = 'SPELL_CAST_SUCCESS' AND list_contains($spells, spell_id)
    AND ms BETWEEN $since AND $until GROUP BY source, spell_id
"""
OILS = """
SELECT actor, slot, temporary_enchant, line FROM gear
WHERE fight = $fight AND slot IN ('mainhand', 'offhand') AND item_id > 0
"""
_AURAS_NAMED = """
SELECT DISTINCT spell_id, spell FROM events
WHERE event IN ('SPELL_AURA_APPLIED', 'SPELL_AURA_REFRESH', 'SPELL_AURA_REMOVED')
    AND aura_type = 'BUFF' AND spell IS NOT NULL
"""
_WORN = ("elixir", "flask", "battle elixir", "guardian elixir", "food")
_DRUNK = ("potion", "rune", "drums")


def get_consumable_check(reports: Reports, args: OfAnyPullsPlayer) -> ToolOutcome:
    """List each player's consumables at and during the pull, and the missing ones."""
    book = open_book(reports, args.report_code)
    if args.fights and len(pulls := book.some(args.fights)) > 1:
        return _over(book, pulls, args.player_name)
    one = args.model_copy(update={"fight_id": args.fight_id or args.fights})
    book, pull, who = open_pull(reports, one)
    rows, lines = consumable_rows(book, pull, known_consumables(book), who)
    return book.tell(
        rows, pull=pull, lines=spread(lines) or None, notes=_consumable_notes(book, pull)
    )


def _over(book: Book, pulls: Sequence[PullRow], name: str) -> ToolOutcome:
    """Put together what each player had on several pulls, with the pulls unless it was all."""
    book.prepare(pulls)
    who = book.player(name).id if name else 0
    had: dict[str, dict[int, Row]] = {}
    known, lines = known_consumables(book), list[int]()
    for pull in pulls:
        found, own = consumable_rows(book, pull, known, who)
        lines += own
        for row in found:
            had.setdefault(str(row["player"]), {})[pull.fight] = row
    rows: list[Row] = []
    for player, by_fight in sorted(had.items()):
        told: Row = {"player": player, "pulls": spans_of([*by_fight])}
        told |= {
            column: _ranged({fight: _things(row[column]) for fight, row in by_fight.items()})
            for column in ("flask", "elixirs", "food", "oil", "used", "missing")
        }
        potions = sum(whole(row["potions"]) for row in by_fight.values())
        rows.append(told | {"potions": potions})
    return book.tell(rows, lines=spread(lines) or None, notes=_consumable_notes(book, pulls[0]))


def _things(cell: Cell) -> list[str]:
    return cell.split(", ") if isinstance(cell, str) else texts(cell)


def _ranged(cells: Mapping[int, Sequence[str]]) -> str | None:
    """Name each thing once, with the pulls that it was there on unless it was on all."""
    each: dict[str, list[int]] = {}
    for fight, things in cells.items():
        for thing in things:
            each.setdefault(thing, []).append(fight)
    told = (
        thing if len(fights) == len(cells) else f"{thing} ({said_pulls(fights)})"
        for thing, fights in each.items()
    )
    return "; ".join(told) or None


def _consumable_notes(book: Book, pull: PullRow) -> list[str]:
    notes = [
        "At the pull: auras and temporary weapon enchants of COMBATANT_INFO; used: casts in the"
        f" pull and in the {EARLY // 1000} s before it. A battle and a guardian elixir together"
        " stand for a flask.",
        "Any temporary enchant of the main hand counts as weapon oil: poisons and shamans' weapon"
        " spells too.",
    ]
    if not book.has_lists(pull):
        notes = [NO_LIST.format("consumables")]
    if not _listed(book, pull):
        notes.append(NO_GEAR + " Only consumables with a line of their own in the log are seen.")
    return notes


def _listed(book: Book, pull: PullRow) -> bool:
    return bool(book.ask("SELECT 1 FROM combatants WHERE fight = $fight LIMIT 1", pull.scope))


def consumable_rows(
    book: Book, pull: PullRow, known: Mapping[int, tuple[str, str]], who: int = 0
) -> tuple[list[Row], list[int]]:
    """List everyone's (or one player's) consumables, and the lines that show them.

    `known` are those of `known_consumables`.
    """
    listed = _listed(book, pull) and book.has_lists(pull)
    worn = sorted(i for i, (kind, _) in known.items() if kind in _WORN)
    drunk = sorted(i for i, (kind, _) in known.items() if kind in _DRUNK)
    had: dict[int, dict[str, list[str]]] = {}
    lines: list[int] = []
    times = {"start_ms": pull.start_ms, "since": pull.start_ms - EARLY, "until": pull.end_ms}
    for actor, spell_id, line in [
        *book.ask(AURAS, pull.scope | {"spells": worn}),
        *book.ask(SEEN, times | {"spells": worn}),
    ]:
        kind, name = known[spell_id]
        names = had.setdefault(actor, {}).setdefault(kind, [])
        names += [name] if name not in names else []
        lines.append(line)
    used: dict[int, list[tuple[str, str, int]]] = {}
    for actor, spell_id, _, drinks, at in book.ask(DRUNK, times | {"spells": drunk}):
        used.setdefault(actor, []).append((*known[spell_id], len(drinks)))
        lines += at
    oils: dict[int, str] = {}
    for actor, slot, enchant, line in book.ask(OILS, pull.scope):
        if enchant and (slot == "mainhand" or actor not in oils):
            oils[actor] = _oil(enchant)
        lines.append(line)
    rows = [
        _consumed(player, had.get(player.id, {}), used.get(player.id, []), oils, listed=listed)
        for player in book.taking_part(pull)
        if not who or player.id == who
    ]
    rows.sort(key=lambda row: (-len(texts(row["missing"])), str(row["player"])))
    return rows, lines


def known_consumables(book: Book) -> dict[int, tuple[str, str]]:
    """Map the spell ids of consumables to their kind and name.

    Flasks, elixirs and food whose ids no table has are found by their names in the log.
    """
    words, found = tables.spell_names(), dict[int, tuple[str, str]]()
    for spell_id, name in book.ask(_AURAS_NAMED):
        if any(word in fold(name) for word in words["food"]):
            found[spell_id] = ("food", name)
        elif any(word in fold(name) for word in words["flask"]):
            found[spell_id] = ("elixir" if "elixir" in fold(name) else "flask", name)
    return found | {i: (one.kind, one.name) for i, one in tables.consumables().items()}


def _oil(enchant: int) -> str:
    known = tables.weapon_enchants().get(enchant)
    return known.name if known else f"enchant {enchant}"


def _consumed(
    player: Player,
    had: dict[str, list[str]],
    used: list[tuple[str, str, int]],
    oils: dict[int, str],
    *,
    listed: bool,
) -> Row:
    elixirs = [
        one for kind in ("battle elixir", "guardian elixir", "elixir") for one in had.get(kind, [])
    ]
    flasked = bool(had.get("flask")) or ("battle elixir" in had and "guardian elixir" in had)
    missing = [
        name
        for name, there in (
            ("flask", flasked),
            ("food", bool(had.get("food"))),
            ("oil", player.id in oils),
        )
        if not there
    ]
    return {
        "player": player.name,
        "class": player.class_,
        "role": player.role,
        "flask": ", ".join(had.get("flask", [])) or None,
        "elixirs": list(elixirs),
        "food": ", ".join(had.get("food", [])) or None,
        "oil": oils.get(player.id),
        "potions": sum(count for kind, _, count in used if kind == "potion"),
        "used": [f"{spell} x{count}" for _, spell, count in used],
        "missing": list(missing) if listed else [],
    }


GEAR = """
SELECT actor, slot, item_id, item_level, enchant, gems, line FROM gear
WHERE fight = $fight AND item_id > 0 AND ($player = 0 OR actor = $player) ORDER BY actor, line
"""
GEMMED = """
SELECT item_id, max(len(list_filter(gems, lambda gem: gem > 0))),
    arg_max(line, len(list_filter(gems, lambda gem: gem > 0))) FROM gear GROUP BY item_id
"""


def get_enchant_gem_check(reports: Reports, args: OfFightPlayer) -> ToolOutcome:
    """List items without an enchant or with empty sockets, and nothing else."""
    book, pull, who = open_pull(reports, args)
    rows, lines = lacking_rows(book, pull, who)
    notes = [
        f"Enchants are looked for on: {', '.join(ENCHANTED)}. Rings, off-hands and ranged weapons"
        " are left out: whether they can be enchanted depends on profession and item.",
        "Sockets are not in the log: known for items of the reference table (its counts are"
        " unchecked), else taken from the most gems that the same item carries in this report"
        " (inferred).",
    ]
    unknown = not _listed(book, pull)
    if unknown:
        notes.append(NO_GEAR)
    elif not rows:
        notes.append("Nothing is missing.")
    known = book.known_by([{"player": book.players[who].name}]) if who else []
    lines_ = [*spread(lines), *known] or None
    return book.tell(rows, pull=pull, lines=lines_, notes=notes, unknown=unknown)


def lacking_rows(book: Book, pull: PullRow, who: int = 0) -> tuple[list[Row], list[int]]:
    """List what is missing on everyone's (or one player's) gear, with the lines."""
    seen = {item: (gems, line) for item, gems, line in book.ask(GEMMED)}
    rows: list[Row] = []
    lines: list[int] = []
    for actor, slot, item, level, enchant, gems, line in book.ask(
        GEAR, pull.scope | {"player": who}
    ):
        lines.append(line)
        known = tables.sockets().get(item)
        gemmed, shown = seen[item]
        sockets = max(known or 0, gemmed or 0)
        there = sum(1 for gem in gems or () if gem)
        lacks = [("enchant", 1)] if slot in ENCHANTED and not enchant else []
        lacks += [("gem", sockets - there)] if there < sockets else []
        lines += [shown] if there < sockets else []
        for missing, count in lacks:
            rows.append(
                {
                    "player": book.players[actor].name,
                    "slot": slot,
                    "missing": missing,
                    "count": count,
                    "gems": there,
                    "item_id": item,
                    "item_level": level,
                    "inferred": missing == "gem" and known is None,
                    "line": line,
                }
            )
    rows.sort(key=lambda row: (str(row["player"]), str(row["slot"]), str(row["missing"])))
    return rows, lines


WORN = """
SELECT g.slot, g.item_id, g.item_level, g.enchant, g.gems, g.line FROM gear g
WHERE g.actor = $player AND g.fight = (SELECT max(fight) FROM gear WHERE actor = $player)
"""


def get_gear_changes(reports: Reports, args: GearChanges) -> ToolOutcome:
    """List the slots in which a player's gear differs in the later report."""
    older, newer = open_two(reports, args.report_code_old, args.report_code_new)
    before, after = _worn(older, args.player_name), _worn(newer, args.player_name)
    name = newer.player(args.player_name).name
    rows: list[Row] = []
    for slot in after:
        old, new = before.get(slot, (0, 0, None, [], 0)), after[slot]
        if old[:2] == new[:2] and old[2] == new[2] and list(old[3] or ()) == list(new[3] or ()):
            continue
        rows.append(
            {
                "player": name,
                "slot": slot,
                "change": "item" if old[0] != new[0] else "enchant or gems",
                "old_item_id": old[0],
                "new_item_id": new[0],
                "old_item_level": old[1],
                "new_item_level": new[1],
                "item_level_change": new[1] - old[1],
                "old_enchant": old[2],
                "new_enchant": new[2],
                "old_gems": [gem for gem in old[3] or () if gem],
                "new_gems": [gem for gem in new[3] or () if gem],
            }
        )
    notes = [
        f"Before: {older.code}, last pull with gear; after: {newer.code}. Item names are not in"
        " the log.",
    ]
    if not rows:
        notes.append("No item, enchant or gem changed.")
    lines = [*spread(one[4] for one in after.values()), *newer.known_by([{"player": name}])]
    there = [*spread(one[4] for one in before.values()), *older.known_by([{"player": name}])]
    elsewhere = {older.code: [*there, *_frames(older, before)]}
    lines += _frames(newer, after)
    return newer.tell(rows, lines=lines, elsewhere=elsewhere, notes=notes)


_Item = tuple[int, int, int | None, list[int] | None, int]


def _frames(book: Book, worn: Mapping[str, _Item]) -> list[tuple[int, int]]:
    """Find the first and last lines of the pulls in which the gear was logged."""
    seen = {one[4] for one in worn.values()}
    pulls = [p for p in book.pulls if any(p.first <= line <= p.last for line in seen)]
    return spread(line for pull in pulls for line in (pull.first, pull.last))


def _worn(book: Book, name: str) -> dict[str, _Item]:
    player = book.player(name)
    found = book.ask(WORN, {"player": player.id})
    if not found:
        raise NotFound(f"report {book.code!r} has no gear of {player.name!r}: {NO_GEAR}")
    return {row[0]: (row[1], row[2], row[3], row[4], row[5]) for row in found}


def worn(book: Book, pulls: Sequence[PullRow], _: Tallied | None = None) -> list[Row]:
    """List everyone's item level on the last of the pulls that tells it, highest first.

    With each come the lowest and the highest level of an item, and its slot.
    """
    told: dict[str, Row] = {
        str(name): {"name": str(name), "item_level": float(level), "fight": fight}
        | {"lowest_item": low, "lowest_slot": worst, "highest_item": high, "highest_slot": best}
        for fight, name, level, low, worst, high, best in book.ask(_LEVELS, span(pulls))
    }
    return sorted(told.values(), key=lambda row: (-number(row["item_level"]), str(row["name"])))
