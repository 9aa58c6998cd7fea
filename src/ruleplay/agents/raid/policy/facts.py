"""What a result supports: one fact per value, with its ordered claim and the place it holds for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ruleplay.agents.raid.domain import french as translation
from ruleplay.agents.raid.domain.outcomes import Cell, Metric, Row
from ruleplay.agents.raid.domain.overview import Night
from ruleplay.agents.raid.state import Finding, ToolReturned
from ruleplay.agents.raid.view.tables import Sheet
from ruleplay.foundation.claims import Claim, Fact

FACTS = 800
"""Values that a turn's prose is checked against; the results that came first win."""
DEATHS = frozenset(("get_death_analysis", "get_tank_death_anatomy"))
SAID = ("says", "fix", "evidence", "advice")
"""Columns that hold sentences of the tool's own, which prose may repeat."""
ALL = "(all)"
"""What tools call a row that sums up the others."""
_NAMES = {"death": "time of death", "time_between_pulls": "time between pulls"}
"""Kinds of claims that are not their metric by name."""
KILLERS = ("ability", "killer")
"""Columns that name what killed somebody, and who, where a tool tells of deaths."""


@dataclass(frozen=True)
class Place:
    """What a value holds for: a pull of a report, or (without one) the report."""

    report: str
    fight: int | None = None


@dataclass(frozen=True)
class Known:
    """A fact, where it holds, and the value as a finding; the kinds tell names apart."""

    fact: Fact
    place: Place
    finding: Finding
    subject: str = ""
    subject_kind: str = ""
    aspect: str = ""
    aspect_kind: str = ""


def facts_of(
    results: Iterable[ToolReturned], night: Night | None, *, french: bool = False
) -> tuple[Known, ...]:
    """Return what the results of a turn support, in their order, at most FACTS of it.

    Players are called as people call them, without their realm. `french`: facts are told in French,
    for a reader who asked in it.
    """
    made: list[Known] = []
    for returned in results:
        for known in _of_result(Sheet(_plainly(returned, night))):
            if len(made) < FACTS:
                made.append(_in_french(known) if french else known)
    several = len({known.place.report for known in made}) > 1
    word = "rapport" if french else "report"
    return tuple(_reported(one, word) for one in made) if several else tuple(made)


def _reported(known: Known, word: str) -> Known:
    """Say which report a fact is of, where the results are of several."""
    if not known.fact.claims or not known.place.report:
        return known
    says = known.fact.says.removesuffix(".")
    says = f"{says} ({word} {known.place.report})."
    return replace(known, fact=known.fact.model_copy(update={"says": says}))


def _in_french(known: Known) -> Known:
    says = translation.sentence(known.fact.says)
    return replace(known, fact=known.fact.model_copy(update={"says": says}))


def _plainly(returned: ToolReturned, night: Night | None) -> ToolReturned:
    if night is None:
        return returned
    rows = tuple(
        {name: night.plain(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
        for row in returned.rows
    )
    return returned.model_copy(update={"rows": rows})


def _of_result(sheet: Sheet) -> Iterator[Known]:
    returned = sheet.returned
    number = 0
    if returned.seconds and returned.fight is not None:
        place = Place(returned.report, returned.fight)
        yield _duration(f"{returned.result}.0", place, returned.seconds)
    for row in sheet.rows:
        if row.get("before") not in (None, ALL):
            continue  # of the times between pulls, only the sum is the night's own
        place = Place(str(row.get("report") or returned.report), sheet.fight(row))
        for column, metric in sheet.metrics.items():
            for value in _numbers(row.get(column)):
                number += 1
                yield _of_value(f"{returned.result}.{number}", sheet, row, metric, value, place)
        for said in (str(row[name]) for name in SAID if row.get(name)):
            number += 1
            yield _said(f"{returned.result}.{number}", said, place)
        if row is sheet.rows[0] and _tells_first(returned):
            number += 1
            yield _first(f"{returned.result}.{number}", sheet.who(row), place)
        for killer in _killers(row) if returned.tool in DEATHS else ():
            number += 1
            yield _killed(f"{returned.result}.{number}", sheet.who(row), killer, place)


def kind_of(metric: Metric, tool: str) -> str:
    """Return a metric as the kind of a claim: its name in words; times of deaths apart."""
    if metric.column == "at" and tool in DEATHS:
        return "death"
    if metric.column == "seconds" and tool == "get_trash_time":
        return "time_between_pulls"
    return re.sub(r"\W+", "_", metric.name)


def _of_value(
    ident: str, sheet: Sheet, row: Row, metric: Metric, value: int | float, place: Place
) -> Known:
    subject = sheet.who(row, metric)
    if subject in ("", "raid"):
        subject = pull_name(place)
    aspect = str(row.get(metric.aspect) or "") if metric.aspect else ""
    if aspect == subject or (metric.aspect == "target" and _has_one(sheet, metric.aspect)):
        aspect = ""
    kind = kind_of(metric, sheet.returned.tool)
    written = amount(value, metric.unit)
    where = pull_name(place) if place.fight is not None and subject != pull_name(place) else ""
    claim = Claim(kind=kind, subject=subject, value=written, object=aspect or where)
    name = _NAMES.get(kind, metric.name)
    with_ = f" with {aspect}" if aspect else ""
    says = f"The {name} of {subject}{with_}{_on(place, subject)} was {grouped(value, metric.unit)}."
    subject_kind = metric.subject if subject != pull_name(place) else "pull"
    return Known(
        Fact(id=ident, says=says, claims=(claim,)),
        place,
        _finding(ident, metric.column, value, metric.unit, place, subject, aspect),
        subject,
        subject_kind,
        aspect,
        metric.aspect if metric.aspect != subject_kind else f"other {metric.aspect}",
    )


def _has_one(sheet: Sheet, column: str) -> bool:
    """Whether all rows are about the same thing, which then need not be named."""
    return len({row.get(column) for row in sheet.rows}) == 1


def _duration(ident: str, place: Place, value: float) -> Known:
    name, written = pull_name(place), amount(value, "s")
    claim = Claim(kind="duration", subject=name, value=written)
    says = f"The duration of {name} was {written}."
    finding = _finding(ident, "seconds", value, "s", place, "", "")
    return Known(Fact(id=ident, says=says, claims=(claim,)), place, finding, name, "pull")


def _finding(
    ident: str,
    column: str,
    value: int | float | str,
    unit: str,
    place: Place,
    who: str,
    aspect: str,
) -> Finding:
    return Finding(
        metric=column,
        value=value,
        unit=unit,
        player=who if who != pull_name(place) else "",
        aspect=aspect,
        pull=place.fight,
        report=place.report,
        result=ident.partition(".")[0],
    )


def _said(ident: str, said: str, place: Place) -> Known:
    finding = _finding(ident, "says", said, "", place, "", "")
    return Known(Fact(id=ident, says=said[:1].upper() + said[1:] + "."), place, finding)


def _numbers(cell: Cell) -> list[int | float]:
    cells = cell if isinstance(cell, list) else [cell]
    return [one for one in cells if isinstance(one, int | float) and not isinstance(one, bool)]


def _killers(row: Row) -> list[str]:
    return [str(row[name]) for name in KILLERS if row.get(name)]


def _tells_first(returned: ToolReturned) -> bool:
    """Whether a result lists all deaths of one pull, so that its first row is the first death."""
    whole = returned.fight is not None and not returned.args.get("player_name")
    return returned.tool == "get_death_analysis" and whole


def _first(ident: str, player: str, place: Place) -> Known:
    claim = Claim(kind="first_death", subject=player, object=pull_name(place))
    says = f"{player} died first{_on(place, player)}."
    finding = _finding(ident, "first_death", player, "", place, "", "")
    return Known(Fact(id=ident, says=says, claims=(claim,)), place, finding, player, "player")


def _killed(ident: str, player: str, killer: str, place: Place) -> Known:
    claim = Claim(kind="killed", subject=player, value=killer, object=pull_name(place))
    says = f"{player} was killed by {killer}{_on(place, player)} (inferred)."
    fact = Fact(id=ident, says=says, claims=(claim,))
    finding = _finding(ident, "killed_by", killer, "", place, player, "")
    return Known(fact, place, finding, player, "player", killer, "ability")


def _on(place: Place, subject: str) -> str:
    name = pull_name(place)
    return "" if name in ("", subject) else f" on {name}"


def pull_name(place: Place) -> str:
    """Return what a place is called in prose; the night when it is no pull."""
    return f"pull {place.fight}" if place.fight is not None else "the night"


def amount(value: int | float, unit: str) -> str:
    """Return a value as claims write it: `512000`, `83.2 %`, `75.0 s`."""
    number = str(value) if isinstance(value, int) else f"{value:.6g}"
    if "e" in number:
        number = f"{value:.1f}"
    if unit.startswith("%"):
        return f"{number} %"
    return f"{number} s" if unit == "s" else number


def grouped(value: int | float, unit: str) -> str:
    """Return a value as prose writes it: thousands are parted, `512,000`."""
    plain = isinstance(value, int) and not unit.startswith("%") and unit != "s"
    return f"{value:,}" if plain else amount(value, unit)
