"""Analyses our team and makes the opening plan: the seed's first-turn nodes."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.mechanics import words
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import Strategy, TeamAnalysis

HAZARDS = {"stealthrock", "spikes", "toxicspikes", "stickyweb"}
REMOVAL = {"rapidspin", "defog", "mortalspin", "tidyup", "courtchange"}
"""Moves that remove entry hazards."""
RECOVERY = frozenset(words("recovery"))
"""Moves that restore the user's health."""


def analyze_team(position: Position) -> TeamAnalysis:
    """Find our team's ways to win, its gaps and weaknesses, whom to keep and whom to give up."""
    team = position.ours.team
    sweepers = [mon for mon in team if _sweeps(mon)]
    breakers = sorted(team, key=_might, reverse=True)[:2]
    walls = [mon for mon in team if RECOVERY & set(mon.known_moves)]
    setters = [mon for mon in team if HAZARDS & set(mon.known_moves)]
    preserve = _unique([*sweepers[:2], *breakers[:1], *_removers(team)[:1]])[:3]
    rest = [mon for mon in team if mon.ident not in {each.ident for each in preserve}]
    expendable = sorted(rest, key=_keep)[:2]
    uncovered = _uncovered(team)
    weaknesses = _weaknesses(team)
    conditions = [f"set up {mon.name} with {_setup(mon)} and sweep" for mon in sweepers[:2]]
    conditions += [f"wear them down with {setters[0].name}'s hazards"] if setters else []
    conditions += [f"break through with {mon.name}" for mon in breakers[:1]]
    conditions += [f"outlast them with {walls[0].name}"] if walls and not sweepers else []
    return TeamAnalysis(
        win_conditions=tuple(conditions),
        sweepers=tuple(mon.ident for mon in sweepers),
        uncovered_types=uncovered,
        threats_to_sweepers=_threats(sweepers),
        shared_weaknesses=weaknesses,
        preserve=tuple(mon.ident for mon in preserve),
        expendable=tuple(mon.ident for mon in expendable),
        summary=_summary(conditions, uncovered, weaknesses, preserve, expendable)
        + _told_threats(sweepers),
    )


def _unique(mons: Sequence[Mon]) -> list[Mon]:
    return list({mon.ident: mon for mon in mons}.values())


def _boosting(name: str) -> int:
    """Count the stages of offence or speed that a status move raises."""
    if dex.move(name).damaging:
        return 0
    wanted = {"atk", "spa", "spe"}
    return sum(
        amount for stat, amount in dex.move(name).self_boosts if stat in wanted and amount > 0
    )


def _sweeps(mon: Mon) -> bool:
    return any(_boosting(move) >= 1 for move in mon.known_moves)


def _setup(mon: Mon) -> str:
    return dex.move_name(max(mon.known_moves, key=_boosting))


def _might(mon: Mon) -> float:
    """Estimate offensive strength from stats and a boosting item."""
    if mon.stats is None:
        return 0.0
    held = 1.4 if mon.item in {"choiceband", "choicespecs", "lifeorb"} else 1.0
    return max(mon.stats["atk"], mon.stats["spa"]) * held + 0.3 * mon.stats["spe"]


def _keep(mon: Mon) -> float:
    """Estimate how much a Pokémon is worth keeping: strength, recovery, hazard removal."""
    moves = set(mon.known_moves)
    return _might(mon) + 60 * bool(moves & RECOVERY) + 50 * bool(moves & REMOVAL)


def _removers(team: Sequence[Mon]) -> list[Mon]:
    return [mon for mon in team if REMOVAL & set(mon.known_moves)]


def _attack_types(team: Sequence[Mon]) -> set[str]:
    return {
        dex.move(move).type for mon in team for move in mon.known_moves if dex.move(move).damaging
    }


def _uncovered(team: Sequence[Mon]) -> tuple[str, ...]:
    """List the types that none of our attacks hits super effectively."""
    attacks = _attack_types(team)
    return tuple(
        kind for kind in dex.TYPES if not any(dex.against(each, kind) > 1 for each in attacks)
    )


def _weaknesses(team: Sequence[Mon]) -> tuple[tuple[str, int], ...]:
    """List the types that three or more of ours are weak to, with their number."""
    counts = {
        kind: sum(dex.effectiveness(kind, mon.own_types or mon.types) > 1 for mon in team)
        for kind in dex.TYPES
    }
    return tuple(
        (kind, count) for kind, count in sorted(counts.items(), key=lambda e: -e[1]) if count >= 3
    )


def _threats(sweepers: Sequence[Mon]) -> tuple[str, ...]:
    """Say what stops our sweepers: types they are weak to, and faster Pokémon."""
    found = []
    for mon in sweepers:
        weak = [kind for kind in dex.TYPES if dex.effectiveness(kind, mon.types) > 1]
        speed = f", anything faster than {mon.stats['spe']} Speed" if mon.stats else ""
        found.append(f"{mon.name}: {', '.join(weak) or 'no type'}{speed}")
    return tuple(found)


def _names(mons: Sequence[Mon]) -> str:
    return ", ".join(mon.name for mon in mons)


def _summary(
    conditions: Sequence[str],
    uncovered: Sequence[str],
    weaknesses: Sequence[tuple[str, int]],
    preserve: Sequence[Mon],
    expendable: Sequence[Mon],
) -> str:
    parts = [f"Ways to win: {'; '.join(conditions)}."] if conditions else []
    if uncovered:
        parts.append(f"No super-effective attack on {', '.join(uncovered)}.")
    if weaknesses:
        told = ", ".join(f"{count} weak to {kind}" for kind, count in weaknesses[:3])
        parts.append(f"Shared weaknesses: {told}.")
    parts.append(f"Preserve {_names(preserve)}; {_names(expendable)} can be spent.")
    return " ".join(parts)


def _named_threats(analysis: TeamAnalysis) -> list[str]:
    """Say what must be gone before our first two sweepers can win."""
    found = []
    for threat in analysis.threats_to_sweepers[:2]:
        name, _, what = threat.partition(": ")
        found.append(f"{name}: what stops it is {what}")
    return found


def _told_threats(sweepers: Sequence[Mon]) -> str:
    threats = _threats(sweepers)
    return f" What stops our sweepers: {'; '.join(threats)}." if threats else ""


def plan(position: Position, analysis: TeamAnalysis) -> Strategy:
    """Write the battle plan that follows from the analysis."""
    named = {mon.ident: mon.name for mon in position.ours.team}
    steps = [f"{each[0].upper()}{each[1:]}." for each in analysis.win_conditions]
    if analysis.shared_weaknesses:
        kind = analysis.shared_weaknesses[0][0]
        steps.append(f"Do not let a strong {kind} attacker in for free.")
    if analysis.uncovered_types:
        kinds = ", ".join(kind.title() for kind in analysis.uncovered_types)
        steps.append(f"Nobody of ours hits {kinds} super effectively: wear those down.")
    steps += [f"Clear the way for {threat}." for threat in _named_threats(analysis)]
    kept = ", ".join(named[each] for each in analysis.preserve)
    spent = ", ".join(named[each] for each in analysis.expendable)
    steps.append(f"Keep {kept} healthy.")
    if spent:
        steps.append(f"When something must fall, let it be {spent}.")
    return Strategy(
        plan=tuple(steps),
        preserve=analysis.preserve,
        expendable=analysis.expendable,
        text=" ".join(steps),
    )
