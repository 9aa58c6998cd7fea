"""The tables of facts about a battle, whose rows a model cites when it explains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.durations import Duration, durations
from ruleplay.agents.battle.domain.faceoff import face_off
from ruleplay.agents.battle.domain.happenings import last_turn
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.memory import Memory, remember
from ruleplay.agents.battle.domain.naming import bare, display, order_words
from ruleplay.agents.battle.domain.phrases import (
    happened,
    stat_name,
    stats_written,
    type_name,
    types_written,
    wish_said,
)
from ruleplay.agents.battle.domain.position import (
    CLEARS,
    LAID,
    STATS,
    Mon,
    Position,
    Side,
    clearers,
)
from ruleplay.agents.battle.domain.results import (
    Candidate,
    Inference,
    MoveOption,
    Scored,
    Strategy,
    TeamAnalysis,
)
from ruleplay.agents.battle.domain.wishes import Wish
from ruleplay.agents.battle.state import DecisionTrace, Past, State
from ruleplay.telling.citing import Reader
from ruleplay.telling.table import Cell, Column, Table

VOCABULARY = (
    "Pokémon Showdown Terastallization Tera Stealth Rock Spikes HP KO OHKO PP STAB",
    *types_written(),
    *stats_written(),
)
"""Names that need no row: words of the game, and types and stats in all languages."""
STEMS = {
    "health": "health hp pv vie",
    "health_left": "health hp pv vie",
    "points": "health hp pv vie point",
    "points_of": "health hp pv vie point",
    "entry_hazards_take": "hazard rock spike piège pic",
    "level": "level niv",
    "priority": "priori",
    "least_damage": "dam",
    "most_damage": "dam",
    "we_deal": "dam",
    "they_deal": "dam",
    "win_chance": "win chance gagn",
    "ko_chance": "chance knock",
    "chance": "chance crit",
    "least_if_critical": "crit",
    "most_if_critical": "crit",
    "ours_wins": "win",
    "theirs_wins": "win",
    "before": "chance",
    "after": "chance",
    "layers": "layer couche",
    "turns_so_far": "turn tour",
    "least_turns_left": "turn tour",
    "most_turns_left": "turn tour",
    "uses_left": "pp use util",
    "most_uses": "pp use util",
    "accuracy": "accura précision",
    "least_speed": "speed vites",
    "most_speed": "speed vites",
}
"""Beginnings of the words people use for a column's values, by the column's name.

A sentence is checked against them, so that a citation of the wrong column is noticed.
"""
Ranges = Mapping[str, tuple[float, float, float]]
"""What moves do: the least and the most of the target's full health, and the odds to knock out."""
HITS = "least_damage %, most_damage %, ko_chance %"
"""Columns that describe a hit."""
FORESEEN = 6
"""Likeliest actions of theirs that are listed."""
LEVELS = "Each species has its own level here, lower for strong ones, for both sides alike."
SEARCHED = (
    "These chances are of the whole battle: both sides may switch at any time, those not yet seen "
    "are filled in with likely ones, and whoever comes in takes a hit or gives theirs a free turn. "
    "One on one, only two play on to the end, so who wins that may still be a poor switch."
)
"""Why what is won one on one can rank low in the search."""
BELONGINGS = "pokemon name, item name, ability name, moves text, tera text"
"""Columns that describe what a Pokémon has."""


def battle_tables(
    state: State, inference: Inference | None = None, language: str = "en"
) -> tuple[Table, ...]:
    """Build the tables of everything known of a battle; empty before the first position.

    `inference` may hold more sets than the state keeps. Names and events are given in `language`.
    """
    position = state.position
    if position is None:
        return ()
    inference = inference or state.inference
    now = remember(state.memory, position, inference, language)
    tables = [_teams(position, state.result, language), _field(position), _lasting(position)]
    tables.append(_clears(position))
    tables += [_last_turn(position, language), _past(position, state.past)]
    tables += [_foreseen(state.past)]
    if state.trace is not None:
        tables += _decision(position, inference, state.trace)
    tables += [
        _evidence(now, position, language),
        _concluded(now, position),
        _carried(position, language),
        _pairs(state, position, inference),
    ]
    return numbered([*tables, _standing(state, position, language)])


def _past(position: Position, past: Past | None) -> Table:
    """Build the table of the previous decision and what the search gave each order then."""
    lines = past.verdict.lines if past and past.verdict else ()
    values = {line.order: percents(line.value) for line in lines}
    hits = {one.order: one for one in (past.moves.moves if past and past.moves else ())}
    orders = dict.fromkeys((*values, *([past.chosen] if past else ()), *hits))
    rows: list[tuple[Cell, ...]] = [
        (
            order_words(order, position),
            *values.get(order, (None,)),
            f"chosen then, by {past.source}" if past and order == past.chosen else "not chosen",
            *_did(hits.get(order)),
        )
        for order in orders
    ]
    columns = f"order name, win_chance %, what_became_of_it text, {HITS}"
    heading = f"turn {past.turn}" if past else ""
    if past and past.faced:
        met = (f"{display(position, ident)} at {round(100 * hp)}%" for ident, hp in past.faced)
        heading += f", {' against '.join(met)} then"
    return table("the choice before this one", columns, rows, heading)


def _did(hit: MoveOption | None) -> tuple[Cell, ...]:
    """Give the damage that a move would have done, as it was seen then."""
    return percents(hit.damage.low, hit.damage.high, hit.ko_chance) if hit else (None,) * 3


def _foreseen(past: Past | None) -> Table:
    """Tell what they were expected to do at the question before."""
    foreseen = past.expected.predictions if past and past.expected else ()
    rows: list[tuple[Cell, ...]] = [
        (one.name or "someone not yet seen", one.kind, *percents(one.probability))
        for one in foreseen[:FORESEEN]
    ]
    rows += [_any_switch(foreseen)] if foreseen else []
    heading = f"turn {past.turn}" if past else ""
    columns = "action name, kind text, chance %"
    return table("what they were expected to do then", columns, rows, heading)


def _any_switch(foreseen: Sequence[Candidate]) -> tuple[Cell, ...]:
    """Add up how likely a switch to anybody is: single ones may be too rare to be listed."""
    share = sum(one.probability for one in foreseen if one.kind == "switch")
    return ("any switch of theirs", "switch", *percents(share))


def numbered(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Drop empty tables and number the rest in order; their ids are used in citations."""
    return tuple(
        one.model_copy(update={"id": f"r{number}"})
        for number, one in enumerate((t for t in tables if t.rows), start=1)
    )


def _standing(state: State, position: Position, language: str) -> Table:
    """Build the table of the person's wishes, and of their orders followed in the last choice."""
    order = state.order
    rows: list[tuple[Cell, ...]] = [
        (wish_said(language, wish, position), _held(wish)) for wish in state.wishes
    ]
    rows += [
        (wish_said(language, wish, position), "followed in the last choice")
        for wish in (order.followed if order else ())
        if wish.orders
    ]
    return table("what the person wants", "wish text, holds text", rows)


def _held(wish: Wish) -> str:
    """Say how long a wish holds, unless its wording already says so."""
    if wish.until or (wish.waits and not wish.span):
        return "as it says"
    return "until taken back" if wish.stands else "next turn"


def strategy_tables(analysis: TeamAnalysis, strategy: Strategy) -> tuple[Table, ...]:
    """Build the tables of the team's analysis, which the opening plan may cite."""
    roles = (
        ("win condition", analysis.win_conditions),
        ("sweeper", analysis.sweepers),
        ("to preserve", strategy.preserve),
        ("expendable", strategy.expendable),
    )
    rows = [(bare(ident), role) for role, idents in roles for ident in idents]
    rows += [
        (bare(name), f"stopped by {what}")
        for name, _, what in (each.partition(": ") for each in analysis.threats_to_sweepers)
    ]
    gaps: list[tuple[Cell, ...]] = [
        (kind, "nobody hits it well", None) for kind in analysis.uncovered_types
    ]
    gaps += [(kind, "weak to it", count) for kind, count in analysis.shared_weaknesses]
    return numbered(
        [
            table("roles in our team", "pokemon name, role text", rows),
            table("types", "type name, problem text, members", gaps),
        ]
    )


def reader(
    tables: Sequence[Table], position: Position | None, language: str = "en", about: str = ""
) -> Reader:
    """Build the checker of sentences about a battle, for an answer to the message `about`."""
    team = [*position.ours.team, *position.theirs.team] if position else []
    names = [bare(mon.ident) for mon in team]
    names += [dex.move_name(move) for mon in team for move in mon.known_moves]
    return Reader(tables, names, VOCABULARY, language, about)


def _teams(position: Position, result: str | None, language: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, mon.ident),
            _form(mon),
            whose,
            _share(mon),
            # Theirs are shown in percent only.
            *((mon.hp_now, mon.hp_max) if mon.hp_max else (None, None)),
            _condition(mon, side, language),
            mon.level,
        )
        for whose, side in position.sides
        for mon in side.team
    ]
    columns = (
        "pokemon name, form name, side text, health %, points, points_of, condition text, level"
    )
    unseen = f"{position.theirs.unseen} of the opponent's team have not come in."
    shown = ", ".join(dex.species_name(name) for name in position.theirs.preview)
    notes = [unseen, f"Their team, as the preview showed it: {shown}."][: 2 if shown else 1]
    notes += [LEVELS] if "random" in position.format else []
    heading = f"turn {position.turn}"
    if result:
        heading += f"; the battle is over: for us a {result}"
    return table("both teams", columns, rows, heading, notes)


def _field(position: Position) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (whose, dex.move_name(one), side.layers(one))
        for whose, side in position.sides
        for one in dict.fromkeys([*(each.id for each in side.conditions), *LAID])
    ]
    over = (position.field.sky, position.field.ground, *(r.id for r in position.field.rooms))
    rows += [("both", dex.move_name(one), None) for one in over if one]
    title = "what lies on the field (0 layers: nothing)"
    return table(title, "side text, what name, layers", rows)


def _lasting(position: Position) -> Table:
    """Build the table of temporary effects: the turns they have lasted and can still last."""
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, one.ident) if one.ident else one.whose,
            "sleep" if one.id == "slp" else dex.move_name(one.id),
            one.stood,
            one.least,
            one.most,
            _lasts(one),
        )
        for one in durations(position)
    ]
    rows += [
        (whose, "Wish", None, left, left, f"comes down at the end of the last: {points} points")
        for whose, side in position.sides
        for left, points in [side.wish]
        if left
    ]
    columns = "on text, what name, turns_so_far, least_turns_left, most_turns_left, note text"
    heading = "this turn included; of sleep, turns it still loses"
    return table("how long it lasts", columns, rows, heading)


def _lasts(one: Duration) -> str:
    if one.most is None:
        return "until something replaces it"
    if one.id == "slp":
        return "wakes up at its next move" if not one.most else "may wake up sooner or later"
    return "the most only if an item prolongs it" if one.least < one.most else "-"


def _clears(position: Position) -> Table:
    """List for each hazard-removing move who has it; "nobody" is stated, too."""
    sides = [[*clearers(side)] for side in (position.ours, position.theirs)]
    rows: list[tuple[Cell, ...]] = [
        (dex.move_name(move), *(_having(position, side, move) for side in sides)) for move in CLEARS
    ]
    columns = "move name, ours_with_it text, theirs_known_with_it text"
    return table("what takes hazards away", columns, rows)


def _having(position: Position, side: Iterable[tuple[Mon, str]], move: str) -> str:
    named = [display(position, mon.ident) for mon, has in side if has == move]
    return ", ".join(named) or "nobody"


def _last_turn(position: Position, language: str) -> Table:
    """List what happened since the previous decision, in order."""
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, one.mon) if one.mon else None,
            happened(language, one),
            *(None if part is None else round(100 * part, 1) for part in (one.share, one.left)),
        )
        for one in last_turn(position)
    ]
    columns = "pokemon name, what_happened text, health_lost_or_won %, health_left %"
    return table("the last turn, in its order", columns, rows)


def _concluded(memory: Memory, position: Position) -> Table:
    """List what was deduced about theirs without being shown."""
    rows = [(display(position, one.ident), one.says, one.evidence) for one in memory.deductions]
    return table("what we learned of them", "pokemon name, what text, why text", rows)


def _form(mon: Mon) -> str | None:
    """Name the form where the nickname or base species leaves it open, such as Weezing-Galar."""
    form = dex.species_name(mon.species)
    return form if form != bare(mon.ident) and dex.knows_species(mon.species) else None


def _share(mon: Mon) -> float:
    """Convert health to percent; a Pokémon that still stands has at least 1."""
    return 0.0 if mon.fainted else max(1.0, round(100 * mon.hp, 1))


def _condition(mon: Mon, side: Side, language: str) -> str:
    words = [
        "fainted" if mon.fainted else mon.status or "",
        "by its own Rest" if mon.rested else "",
        "on the field" if side.active is mon else "",
        "sent in first" if side.lead == mon.ident else "",
    ]
    words += [
        f"{stat_name(language, stat)} {mon.boosts[stat]:+d}"
        for stat in STATS[1:]
        if mon.boosts[stat]
    ]
    return ", ".join(word for word in words if word) or "-"


def _decision(position: Position, inference: Inference, trace: DecisionTrace) -> list[Table]:
    us, target = position.ours.active, position.theirs.active
    against = " against ".join(display(position, one.ident) for one in (us, target) if one)
    theirs = " against ".join(display(position, one.ident) for one in (target, us) if one)
    mine, taken = _pair_hits(position, inference)
    return [
        table("decision", "who text, order name, why text", _orders(position, trace)),
        _our_moves(trace, against if mine else "", mine),
        _our_switches(position, inference, trace, against),
        _expected(trace, theirs, taken),
        _search(position, trace),
    ]


def _pair_hits(position: Position, inference: Inference) -> list[Ranges]:
    """List what each side's moves do, ours first, over all sets: one move has one range."""
    us, foe = position.ours.active, position.theirs.active
    guess = inference.guesses.get(foe.ident) if foe else None
    if us is None or foe is None or guess is None or us.fainted or foe.fainted:
        return [{}, {}]
    pair = face_off(position, us, foe, guess)
    return [
        {hit.move: (hit.low, hit.high, hit.ko) for hit in hits}
        for hits in (pair.our_hits, pair.their_hits)
    ]


def _our_moves(trace: DecisionTrace, against: str, hits: Ranges) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.rank,
            one.priority or None,
            *percents(*hits.get(one.move, (one.damage.low, one.damage.high, one.ko_chance))),
        )
        for one in (trace.moves.moves if against else ())
    ]
    return table("our moves", f"move name, rank, priority, {HITS}", rows, against)


def _our_switches(
    position: Position, inference: Inference, trace: DecisionTrace, against: str
) -> Table:
    """List whom we can send in, what that costs, and how it then fares against who is out."""
    foe = position.theirs.active
    guess = inference.guesses.get(foe.ident) if foe and not foe.fainted else None
    rows: list[tuple[Cell, ...]] = []
    for one in trace.switches.switches:
        mon = position.ours.member(one.ident)
        hurt = mon.model_copy(update={"hp": one.hp_after, "hp_now": None})
        met = face_off(position, hurt, foe, guess) if foe and guess and one.hp_after > 0 else None
        wins = percents(met.wins) if met else (None,)
        shares = percents(one.hazards, one.hp_after)
        rows.append((one.name, one.rank, *shares, *wins, one.damage_on_switch))
    columns = (
        "pokemon name, rank, entry_hazards_take %, health_after %, ours_wins_one_on_one_then %, "
        "on_entry text"
    )
    return table("our switches", columns, rows, against)


def _expected(trace: DecisionTrace, theirs: str, hits: Ranges) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            one.name or "someone not yet seen",
            one.kind,
            dex.move(one.action).priority or None if one.kind == "move" else None,
            *percents(one.probability),
            *(percents(*hits[one.action]) if one.action in hits else [None] * 3),
        )
        for one in trace.expected.predictions[:FORESEEN]
    ]
    if foreseen := trace.expected.predictions:
        action, kind, chance = _any_switch(foreseen)
        rows.append((action, kind, None, chance, None, None, None))
    columns = f"action name, kind text, priority, chance %, {HITS}"
    return table("what they may do", columns, rows, theirs)


def _search(position: Position, trace: DecisionTrace) -> Table:
    lines = trace.verdict.lines if trace.verdict else ()
    rows: list[tuple[Cell, ...]] = [
        (order_words(line.order, position), *percents(line.value, line.share)) for line in lines
    ]
    columns = "order name, win_chance %, share_of_its_tries %"
    return table("the search", columns, rows, notes=(SEARCHED,) if rows else ())


def _orders(position: Position, trace: DecisionTrace) -> list[tuple[Cell, ...]]:
    why = next((one.why for one in trace.scores if one.order == trace.chosen), "")
    rows: list[tuple[Cell, ...]] = [("taken", order_words(trace.chosen, position), why)]
    if trace.best != trace.chosen:
        rows.append(("best by the rules", order_words(trace.best, position), _why(trace.scores)))
    return rows


def _why(scores: Sequence[Scored]) -> str:
    return scores[0].why if scores else ""


def _evidence(memory: Memory, position: Position, language: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, one.ident),
            *belongings(one.item, one.ability, one.moves),
            one.tera_type and type_name(language, one.tera_type),
            "it has lost the item" if one.item_lost else None,
        )
        for one in memory.revealed
    ]
    return table("what they have shown", f"{BELONGINGS}, lost text", rows)


def _carried(position: Position, language: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, mon.ident),
            *belongings(mon.item, mon.ability, mon.known_moves),
            "used"
            if mon.terastallized
            else None
            if position.ours.tera_used or not mon.tera_type
            else type_name(language, mon.tera_type),
            ", ".join(type_name(language, kind) for kind in mon.types),
        )
        for mon in position.ours.team
        if not mon.fainted
    ]
    return table("what ours carry", f"{BELONGINGS}, types text", rows)


def belongings(item: str | None, ability: str | None, moves: Sequence[str]) -> tuple[Cell, ...]:
    """Give the cells that name an item, an ability and moves."""
    return (
        item_name(item) if item else None,
        dex.ability_name(ability) if ability else None,
        ", ".join(map(dex.move_name, moves)),
    )


def _pairs(state: State, position: Position, inference: Inference) -> Table:
    """Build the table of who moves first and who wins, for all pairs that can still meet."""
    alive = {m.ident: m for m in (*position.ours.team, *position.theirs.team) if not m.fainted}
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, one.ours),
            display(position, one.theirs),
            "ours" if one.faster else "theirs",
            *percents(one.our_damage, one.their_damage, met.wins, met.loses),
        )
        for one in state.pairs
        if {one.ours, one.theirs} <= alive.keys()
        and (guess := inference.guesses.get(one.theirs))
        and (met := face_off(position, alive[one.ours], alive[one.theirs], guess))
    ]
    columns = (
        "ours name, theirs name, moves_first text, we_deal %, they_deal %, "
        "ours_wins %, theirs_wins %"
    )
    unknown = ", ".join(
        bare(guess.ident)
        for guess in inference.guesses.values()
        if not guess.from_pool and guess.ident in alive
    )
    note = f"No usual sets are known for {unknown}: damage to and from them is a rough guess."
    title = "one on one, with their likely sets"
    return table(title, columns, rows, notes=(note,) if unknown else ())


def percents(*shares: float) -> tuple[Cell, ...]:
    """Convert shares to percentages with one decimal."""
    return tuple(round(100 * share, 1) for share in shares)


def table(
    title: str,
    columns: str,
    rows: Sequence[tuple[Cell, ...]],
    heading: str = "",
    notes: Sequence[str] = (),
) -> Table:
    """Build a table; its rows belong to the values in the first column of unit `name`.

    `columns` lists names with their units, separated by commas: `move name, chance %`. Counts have
    no unit.
    """
    made = [_column(*one.split()) for one in columns.split(", ")]
    return Table(
        id="",
        title=title,
        heading=heading,
        columns=tuple(made),
        rows=tuple(rows),
        notes=tuple(notes),
        owner=next((column.name for column in made if column.unit == "name"), ""),
    )


def _column(name: str, unit: str = "") -> Column:
    told = {"name": name, "unit": unit, "stems": tuple(STEMS.get(name, "").split())}
    label = "Pokémon" if name == "pokemon" else ""
    return Column.model_validate({**told, "label": label, "ranked": name != "rank"})
