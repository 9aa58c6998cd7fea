"""Describes mistakes that a log can show, avoidable damage and deaths; it cannot assign blame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ruleplay.agents.raid.domain.overview import OURS
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.deaths import killed, last_hits
from ruleplay.agents.raid.policy.teller import Reply, Teller, of_tool
from ruleplay.agents.raid.view.tables import ResultTable, value_of

EACH = 2
"""Number of deaths up to which each is told with what led to it."""
NAMED = 6
"""Maximum number of players or abilities named in a sentence."""


def avoidable(teller: Teller) -> Reply:
    """Name who took avoidable damage and from what; if nobody did, what hit the raid."""
    parts = [f"{teller.where}."]
    if "get_night_deaths" in {sheet.returned.tool for sheet in teller.sheets}:
        parts += _died(teller)
    sums = _sums(teller)
    parts += [*hazards(teller)] if sums else [*what_hit(teller), *hazards(teller)]
    if sums and _is_inferred(teller) and (not teller.players or {*teller.players} & {*sums}):
        parts.append(teller.say("no_reference"))
    parts += last_hits(teller)
    return Reply(" ".join(parts), about=teller.players or tuple(sums)[:1])


def mistakes(teller: Teller) -> Reply:
    """Name who died and who took avoidable damage; logs show no other mistakes."""
    rows = deaths_meant(teller)
    chain = [
        killed(teller, row) for row in rows if row.get("ability") and row.get("at") is not None
    ]
    chain = chain if len(rows) <= EACH and len(teller.pulls) == 1 else []
    only = len(chain) == len(rows) == 1
    first = teller.say("only_death", name=teller.short(rows[0]["player"])) if only else ""
    died = [first.strip(), *chain] if only else [*_died(teller), *chain]
    parts = [f"{teller.where}.", *died, *hazards(teller), teller.say("no_fault")]
    dead = [str(row["player"]) for row in rows]
    return Reply(" ".join(parts), about=tuple(dict.fromkeys((*dead, *_sums(teller))))[:1])


def hazards(teller: Teller, most: int = 6) -> Iterator[str]:
    """Yield who took avoidable damage and from what, if that was looked up; `most` at most."""
    if not _sheets(teller):
        return
    sums = _sums(teller)
    wanted = [name for name in sums if not teller.players or name in teller.players]
    told = [_of_player(teller, name, sums[name]) for name in wanted]
    if told:
        key = "perhaps_avoidable" if _is_inferred(teller) else "avoidable"
        yield teller.say(key, list=teller.tongue.listed(told, most))
    clean = ", ".join(teller.short(name) for name in teller.players if name not in sums)
    # For a boss that no table knows, finding nothing does not mean that nobody was hit.
    if clean:
        yield teller.say("unknown_of" if _is_inferred(teller) else "none_avoidable", name=clean)
    elif not told:
        yield teller.say("unknown_avoidable" if _is_inferred(teller) else "nobody_avoidable")


def avoided_by(teller: Teller, name: str) -> str:
    """Describe one player's avoidable damage; "" if there was none."""
    sums = _sums(teller).get(name)
    return _abilities(teller, sums) if sums else ""


def _is_inferred(teller: Teller) -> bool:
    """Whether "avoidable" was inferred from the log because no table knows the boss."""
    rows = [row for sheet in _sheets(teller) for row in sheet.rows if row.get("spell_id")]
    return not any(row.get("advice") for row in rows)


def _sheets(teller: Teller) -> Sequence[ResultTable]:
    return of_tool(teller, "get_avoidable_damage")


def _sums(teller: Teller) -> dict[str, Counter[str]]:
    """Sum avoidable damage by player and ability over the pulls, largest first."""
    sums: dict[str, Counter[str]] = {}
    found = (row for sheet in _sheets(teller) for row in sheet.rows if "first_at" in row)
    rows = [row for row in found if teller.is_raids(row)]
    for row in rows:
        own = sums.setdefault(str(row["player"]), Counter())
        own[str(row["ability"])] += int(value_of(row, "damage_taken"))
    return dict(sorted(sums.items(), key=lambda one: -one[1].total()))


def _of_player(teller: Teller, name: str, sums: Counter[str]) -> str:
    number = teller.tongue.number
    return f"{teller.short(name)} {number(sums.total())} ({_abilities(teller, sums)})"


def _abilities(teller: Teller, sums: Counter[str]) -> str:
    told = (f"{_kind(one)} {teller.tongue.number(n)}" for one, n in sums.most_common(NAMED))
    return ", ".join(told)


def _kind(ability: str) -> str:
    """Format an ability; old logs write environmental damage types in capitals."""
    return ability.capitalize() if ability.isupper() else ability


def deaths_meant(teller: Teller) -> list[Row]:
    """List the deaths of the players asked about, or all."""
    rows = [row for sheet in of_tool(teller, "get_night_deaths") for row in sheet.rows]
    dead = [row for row in rows if row.get("where")]
    return [row for row in dead if not teller.players or row["player"] in teller.players]


def missed_casts(teller: Teller) -> list[Row]:
    """List what the enemy cast and the raid could have interrupted, and who interrupted."""
    rows = [row for sheet in of_tool(teller, "get_missed_interrupts") for row in sheet.rows]
    return [row for row in rows if not (row.get("caster") and row.get("side") == OURS)]


def _died(teller: Teller) -> Iterator[str]:
    """Yield who died how often, or that nobody did."""
    counts = Counter(str(row["player"]) for row in deaths_meant(teller))
    if counts:
        told = (f"{teller.short(name)} {n}" for name, n in counts.most_common(NAMED))
        yield teller.say("died_n", n=counts.total(), list=", ".join(told))
    elif teller.players:
        yield teller.say("alive", name=teller.names(teller.players))
    else:
        yield teller.say("nobody_died_here")


def what_hit(teller: Teller) -> Iterator[str]:
    """Yield what hit players, most damage first; then what only hit their pets."""
    found = (row for sheet in of_tool(teller, "get_tally") for row in sheet.rows)
    rows = [row for row in found if teller.is_raids(row)]
    hits: list[str] = []
    others: list[str] = []
    for row in rows:
        victims = [one.rpartition(" ") for one in str(row.get("victims") or "").split(", ")]
        people = [f"{teller.short(n)} {hit}" for n, _, hit in victims if n in teller.plan.people]
        ability = _kind(str(row["name"]))
        hits += [f"{ability} ({', '.join(people)})"] if people else []
        others += [] if people or not row.get("victims") else [ability]
    if hits:
        yield teller.say("what_hit", list=teller.tongue.listed(hits))
    if others:
        yield teller.say("only_pets_hit", list=teller.tongue.listed(others))
