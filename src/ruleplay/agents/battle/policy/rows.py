"""What may be told of a battle, as tables that a model cites row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.durations import Duration, durations
from ruleplay.agents.battle.domain.faceoff import face_off
from ruleplay.agents.battle.domain.happenings import last_turn
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.memory import Memory, remember
from ruleplay.agents.battle.domain.naming import bare, display, order_words
from ruleplay.agents.battle.domain.phrases import happened, type_name, types_written, wish_said
from ruleplay.agents.battle.domain.position import (
    CLEARS,
    LAID,
    STATS,
    Mon,
    Position,
    Side,
    clearers,
)
from ruleplay.agents.battle.domain.results import Inference, Scored, Strategy, TeamAnalysis
from ruleplay.agents.battle.domain.wishes import Wish
from ruleplay.agents.battle.state import DecisionTrace, Past, State
from ruleplay.telling.citing import Reader
from ruleplay.telling.table import Cell, Column, Table

VOCABULARY = (
    "Pokémon Showdown Terastallization Tera Stealth Rock Spikes HP KO OHKO PP STAB",
    *types_written(),
)
HEALTH = Column(name="health", unit="%", stems=("health", "hp", "pv", "vie "))
POKEMON = Column(name="pokemon", unit="name", label="Pokémon")
LEVEL = Column(name="level", stems=("level", "niv"))
RANKED = Column(name="rank", ranked=False)
PRIORITY = Column(name="priority", stems=("priori",))
"""Which moves go first whatever the speed; none for that of most."""
CHANGES = (
    Column(name="health_lost_or_won", unit="%"),
    Column(name="health_left", unit="%", stems=HEALTH.stems),
)
HITS = tuple(
    Column(name=name, unit="%", stems=("dam",)) for name in ("least_damage", "most_damage")
)

WINS = Column(name="win_chance", unit="%", stems=("win", "chance", "gagn"))
KNOCKS = Column(name="ko_chance", unit="%", stems=("chance", "knock"))

BELONGINGS = (
    POKEMON, Column(name="item", unit="name"), Column(name="ability", unit="name"),
    Column(name="moves", unit="text"), Column(name="tera", unit="text"),
)  # fmt: skip


def battle_tables(
    state: State, inference: Inference | None = None, language: str = "en"
) -> tuple[Table, ...]:
    """Return what is known of a battle: both teams, the last decision's numbers, the one before.

    `inference` holds more sets than the state keeps, where they are at hand; names and what
    happened are told in `language`.
    """
    position = state.position
    if position is None:
        return ()
    inference = inference or state.inference
    now = remember(state.memory, position, inference, language)
    tables = [_teams(position, state.result), _field(position), _lasting(position)]
    tables.append(_clears(position))
    tables += [_last_turn(position, language), _past(position, state.past)]
    if state.trace is not None:
        tables += _decision(position, state.trace)
    tables += [
        _evidence(now, position, language),
        _concluded(now, position),
        _carried(position, language),
        _pairs(state, position, inference),
    ]
    return numbered([*tables, _standing(state, position, language)])


def _past(position: Position, past: Past | None) -> Table:
    """Tell what was chosen at the question before, and what the search gave each order then."""
    lines = past.verdict.lines if past and past.verdict else ()
    rows: list[tuple[Cell, ...]] = [
        (order_words(line.order, position), *percents(line.value),
         f"chosen then, by {past.source}" if line.order == past.chosen else "not chosen")
        for line in lines if past
    ]  # fmt: skip
    if past and past.chosen not in [line.order for line in lines]:
        rows.append((order_words(past.chosen, position), None, f"chosen then, by {past.source}"))
    heading = f"turn {past.turn}" if past else ""
    columns = (name_column("order"), WINS, text_column("what_became_of_it"))
    return table("", "the choice before this one", columns, rows, heading)


def numbered(tables: Iterable[Table]) -> tuple[Table, ...]:
    """Return the tables that have rows, each with its number as id."""
    return tuple(
        one.model_copy(update={"id": f"r{number}"})
        for number, one in enumerate((t for t in tables if t.rows), start=1)
    )


def _standing(state: State, position: Position, language: str) -> Table:
    """Tell what the person at our side wants, and how our chances went."""
    order = state.order
    rows: list[tuple[Cell, ...]] = [
        (wish_said(language, wish, position), _held(wish)) for wish in state.wishes
    ]
    rows += [
        (wish_said(language, wish, position), "followed in the last choice")
        for wish in (order.followed if order else ())
        if wish.orders
    ]
    return table("", "what the person wants", (text_column("wish"), text_column("holds")), rows)


def _held(wish: Wish) -> str:
    """Return for how long a wish holds, beside what it says itself."""
    if wish.until or (wish.waits and not wish.span):
        return "as it says"
    return "until taken back" if wish.stands else "next turn"


def strategy_tables(analysis: TeamAnalysis, strategy: Strategy) -> tuple[Table, ...]:
    """Return what the analysis of our team found, as its plan may speak of it."""
    roles = (
        ("win condition", analysis.win_conditions), ("sweeper", analysis.sweepers),
        ("to preserve", strategy.preserve), ("expendable", strategy.expendable),
    )  # fmt: skip
    rows = [(bare(ident), role) for role, idents in roles for ident in idents]
    rows += [
        (bare(name), f"stopped by {what}")
        for name, _, what in (each.partition(": ") for each in analysis.threats_to_sweepers)
    ]
    gaps: list[tuple[Cell, ...]] = [
        (kind, "nobody hits it well", None) for kind in analysis.uncovered_types
    ]
    gaps += [(kind, "weak to it", count) for kind, count in analysis.shared_weaknesses]
    return (
        table("r1", "roles in our team", (POKEMON, text_column("role")), rows),
        table(
            "r2",
            "types",
            (name_column("type"), text_column("problem"), Column(name="members")),
            gaps,
        ),
    )


def reader(
    tables: Sequence[Table], position: Position | None, language: str = "en", about: str = ""
) -> Reader:
    """Return who judges what is said of a battle, in answer to what somebody wrote."""
    team = [*position.ours.team, *position.theirs.team] if position else []
    names = [bare(mon.ident) for mon in team]
    names += [dex.move_name(move) for mon in team for move in mon.known_moves]
    return Reader(tables, names, VOCABULARY, language, about)


def _teams(position: Position, result: str | None) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (display(position, mon.ident), _form(mon), whose, _share(mon),
         _condition(mon, side), mon.level)
        for whose, side in (("ours", position.ours), ("theirs", position.theirs))
        for mon in side.team
    ]  # fmt: skip
    columns = (
        POKEMON, name_column("form"), text_column("side"), HEALTH, text_column("condition"), LEVEL,
    )  # fmt: skip
    unseen = f"{position.theirs.unseen} of the opponent's team have not come in."
    shown = ", ".join(dex.species_name(name) for name in position.theirs.preview)
    notes = (unseen, f"Their team, as the preview showed it: {shown}.") if shown else (unseen,)
    heading = f"turn {position.turn}"
    if result:
        heading += f"; the battle is over: for us a {result}"
    made = table("", "both teams", columns, rows, heading=heading)
    return made.model_copy(update={"notes": notes})


def _field(position: Position) -> Table:
    sides = (("ours", position.ours), ("theirs", position.theirs))
    rows: list[tuple[Cell, ...]] = [
        (whose, dex.move_name(one), side.layers(one))
        for whose, side in sides
        for one in dict.fromkeys([*(each.id for each in side.conditions), *LAID])
    ]
    over = (position.field.sky, position.field.ground, *(r.id for r in position.field.rooms))
    rows += [("both", dex.move_name(one), None) for one in over if one]
    columns = (
        text_column("side"), name_column("what"), Column(name="layers", stems=("layer", "couche")),
    )  # fmt: skip
    return table("", "what lies on the field (0 layers: nothing)", columns, rows)


def _lasting(position: Position) -> Table:
    """Tell how long what passes by itself has stood, and how long it can still last."""
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
    turns = ("turn", "tour")
    columns = (
        text_column("on"), name_column("what"), Column(name="turns_so_far", stems=turns),
        Column(name="least_turns_left", stems=turns), Column(name="most_turns_left", stems=turns),
        text_column("note"),
    )  # fmt: skip
    heading = "this turn included; of sleep, turns it still loses"
    return table("", "how long it lasts", columns, rows, heading)


def _lasts(one: Duration) -> str:
    if one.most is None:
        return "until something replaces it"
    if one.id == "slp":
        return "wakes up at its next move" if not one.most else "may wake up sooner or later"
    return "the most only if an item prolongs it" if one.least < one.most else "-"


def _clears(position: Position) -> Table:
    """Tell of each move that takes hazards away who is known to have it, nobody included."""
    sides = [[*clearers(side)] for side in (position.ours, position.theirs)]
    rows: list[tuple[Cell, ...]] = [
        (dex.move_name(move), *(
            ", ".join(display(position, mon.ident) for mon, has in side if has == move) or "nobody"
            for side in sides
        ))
        for move in CLEARS
    ]  # fmt: skip
    columns = (
        name_column("move"), text_column("ours_with_it"), text_column("theirs_known_with_it"),
    )  # fmt: skip
    return table("", "what takes hazards away", columns, rows)


def _last_turn(position: Position, language: str) -> Table:
    """Tell what happened since the decision before, step by step."""
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, one.mon) if one.mon else None,
            happened(language, one),
            *(None if part is None else round(100 * part, 1) for part in (one.share, one.left)),
        )
        for one in last_turn(position)
    ]
    columns = (POKEMON, text_column("what_happened"), *CHANGES)
    return table("", "the last turn, in its order", columns, rows)


def _concluded(memory: Memory, position: Position) -> Table:
    """Tell what is known of theirs without being shown."""
    rows = [(display(position, one.ident), one.says, one.evidence) for one in memory.deductions]
    columns = (POKEMON, text_column("what"), text_column("why"))
    return table("", "what we learned of them", columns, rows)


def _form(mon: Mon) -> str | None:
    """Return the full name of a species that its name leaves open: Weezing-Galar."""
    form = dex.species_name(mon.species)
    return form if form != bare(mon.ident) and dex.knows_species(mon.species) else None


def _share(mon: Mon) -> float:
    return 0.0 if mon.fainted else max(1.0, round(100 * mon.hp, 1))


def _condition(mon: Mon, side: Side) -> str:
    words = [
        "fainted" if mon.fainted else mon.status or "", "by its own Rest" * mon.rested,
        "on the field" * (side.active is mon), "sent in first" * (side.lead == mon.ident),
    ]  # fmt: skip
    words += [f"{stat} {mon.boosts[stat]:+d}" for stat in STATS[1:] if mon.boosts[stat]]
    return ", ".join(word for word in words if word) or "-"


def _decision(position: Position, trace: DecisionTrace) -> list[Table]:
    us, target = position.ours.active, position.theirs.active
    against = " against ".join(display(position, one.ident) for one in (us, target) if one)
    theirs = " against ".join(display(position, one.ident) for one in (target, us) if one)
    return [
        table(
            "",
            "decision",
            (text_column("who"), name_column("order"), text_column("why")),
            _orders(position, trace),
        ),
        _our_moves(trace, against if us and target and not us.fainted | target.fainted else ""),
        _our_switches(trace, against),
        _expected(trace, theirs, hits=us is not None and not us.fainted),
        _search(position, trace),
    ]


def _our_moves(trace: DecisionTrace, against: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (one.name, one.rank, one.priority or None,
         *percents(one.damage.low, one.damage.high, one.ko_chance))
        for one in trace.moves.moves if against
    ]  # fmt: skip
    columns = (name_column("move"), RANKED, PRIORITY, *HITS, KNOCKS)
    return table("", "our moves", columns, rows, against)


def _our_switches(trace: DecisionTrace, against: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (one.name, one.rank, *percents(one.hp_after)) for one in trace.switches.switches
    ]
    columns = (POKEMON, RANKED, percent_column("health_after"))
    return table("", "our switches", columns, rows, against)


def _expected(trace: DecisionTrace, theirs: str, *, hits: bool) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            one.name or "someone not yet seen",
            one.kind,
            dex.move(one.action).priority or None if one.kind == "move" else None,
            *percents(one.probability),
            *(
                percents(hit.low, hit.high, one.ko_chance)
                if (hit := one.damage) and hits
                else [None] * 3
            ),
        )
        for one in trace.expected.predictions[:6]
    ]
    columns = (
        name_column("action"), text_column("kind"), PRIORITY, percent_column("chance", "chance"),
        *HITS, KNOCKS,
    )  # fmt: skip
    return table("", "what they may do", columns, rows, theirs)


def _search(position: Position, trace: DecisionTrace) -> Table:
    lines = trace.verdict.lines if trace.verdict else ()
    rows: list[tuple[Cell, ...]] = [
        (order_words(line.order, position), *percents(line.value, line.share)) for line in lines
    ]
    columns = (name_column("order"), WINS, percent_column("share_of_its_tries"))
    return table("", "the search", columns, rows)


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
            *_belongings(one.item, one.ability, one.moves),
            one.tera_type and type_name(language, one.tera_type),
            "it has lost the item" if one.item_lost else None,
        )
        for one in memory.revealed
    ]
    return table("", "what they have shown", (*BELONGINGS, text_column("lost")), rows)


def _carried(position: Position, language: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            display(position, mon.ident),
            *_belongings(mon.item, mon.ability, mon.known_moves),
            "used"
            if mon.terastallized
            else None
            if position.ours.tera_used or not mon.tera_type
            else type_name(language, mon.tera_type),
        )
        for mon in position.ours.team
        if not mon.fainted
    ]
    return table("", "what ours carry", BELONGINGS, rows)


def _belongings(item: str | None, ability: str | None, moves: Sequence[str]) -> tuple[Cell, ...]:
    return (
        item_name(item) if item else None, dex.ability_name(ability) if ability else None,
        ", ".join(map(dex.move_name, moves)),
    )  # fmt: skip


def _pairs(state: State, position: Position, inference: Inference) -> Table:
    """Tell who moves first and who wins, of all pairs that can still meet."""
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
    ]  # fmt: skip
    columns = (
        Column(name="ours", unit="name"), Column(name="theirs", unit="name"),
        text_column("moves_first"), percent_column("we_deal", "dam"),
        percent_column("they_deal", "dam"), percent_column("ours_wins", "win"),
        percent_column("theirs_wins", "win"),
    )  # fmt: skip
    made = table("", "one on one, with their likely sets", columns, rows)
    unknown = [
        bare(guess.ident)
        for guess in inference.guesses.values()
        if not guess.from_pool and guess.ident in alive
    ]
    if not unknown:
        return made
    names = ", ".join(unknown)
    note = f"No usual sets are known for {names}: damage to and from them is a rough guess."
    return made.model_copy(update={"notes": (note,)})


def percents(*shares: float) -> tuple[Cell, ...]:
    """Return shares as percentages, to a tenth."""
    return tuple(round(100 * share, 1) for share in shares)


def percent_column(name: str, *stems: str) -> Column:
    """Return a column of percentages; `stems` are how people speak of it."""
    return Column(name=name, unit="%", stems=stems)


def name_column(name: str) -> Column:
    """Return a column of names."""
    return Column(name=name, unit="name")


def text_column(name: str) -> Column:
    """Return a column of words."""
    return Column(name=name, unit="text")


def table(
    ident: str,
    title: str,
    columns: tuple[Column, ...],
    rows: Sequence[tuple[Cell, ...]],
    heading: str = "",
) -> Table:
    """Return a table whose rows belong to what its first column of names has."""
    owner = next((column.name for column in columns if column.unit == "name"), "")
    return Table(
        id=ident, title=title, heading=heading, columns=columns, rows=tuple(rows), owner=owner
    )
