"""Names what a raid may work on: its largest causes by figures, not one player's evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.cards import IDLE, share_active
from ruleplay.agents.raid.policy.deaths import counts_of, death_told
from ruleplay.agents.raid.policy.faults import deaths_meant, hazards, missed_casts
from ruleplay.agents.raid.policy.teller import Reply, Teller, of_tool
from ruleplay.agents.raid.policy.tries import extreme
from ruleplay.agents.raid.view.tables import value_of

MOST = 5
"""Maximum number of causes listed."""
FEW = 2
"""Number of deaths up to which each is told."""
NAMED = 3
"""Number of people or abilities named per cause."""


def priorities(teller: Teller) -> Reply:
    """List a raid's largest causes: open bosses, deaths, damage, interrupts, potions, activity."""
    causes = [
        *_open_bosses(teller),
        *_deaths(teller),
        *(hazards(teller, NAMED) if _avoidable(teller) else ()),
        *_damage(teller),
        *_interrupts(teller),
        *_potions(teller),
        *_activity(teller),
    ]
    clean = (
        [] if any(map(teller.is_raids, deaths_meant(teller))) else [teller.say("nobody_died_here")]
    )
    lead = " ".join([f"{teller.where}.", *clean, teller.say("work_on")])
    listed = "".join(f"\n- {one}" for one in causes[:MOST])
    worst = f"\n- {extreme(teller).text}" if len(teller.pulls) > 1 else ""
    return Reply(lead + listed + worst)


def _open_bosses(teller: Teller) -> Iterator[str]:
    """Yield the bosses that were not killed, by the number of wipes."""
    won = {pull.name for pull in teller.pulls if pull.kill}
    wipes = [pull.name for pull in teller.pulls if pull.ended == "wipe" and pull.name not in won]
    if wipes:
        yield teller.say("most_wipes", list=_ranked(Counter(wipes)))


def _deaths(teller: Teller) -> Iterator[str]:
    """Yield how many died, who most often and first, and of what."""
    rows = [row for row in deaths_meant(teller) if teller.is_raids(row)]
    if not rows:
        return
    if len(rows) <= FEW:
        yield teller.say("listed", list="; ".join(death_told(teller, row) for row in rows))
        return
    counts = counts_of(teller, rows)
    told = [teller.say("died_n", n=counts.n, list=_named(teller, counts.people))]
    if counts.first and len(teller.pulls) > 1:
        told.append(teller.say("early", list=_named(teller, counts.first)))
    killers = Counter(str(row["ability"]) for row in rows if row.get("ability"))
    told.append(teller.say("killers", list=_ranked(killers)) if killers else teller.say("no_cause"))
    yield " ".join(told)


def _avoidable(teller: Teller) -> bool:
    return any(sheet.rows for sheet in of_tool(teller, "get_avoidable_damage"))


def _damage(teller: Teller) -> Iterator[str]:
    """Yield the ability that did most of the damage taken, and whom it hit most often."""
    rows = [row for one in _tallies(teller, "taken") for row in one if teller.is_raids(row)]
    total = sum(value_of(row, "damage_taken") for row in rows)
    rows = [row for row in rows if row["name"] != "Melee"]
    if not (rows and total):
        return
    worst = max(rows, key=lambda row: value_of(row, "damage_taken"))
    hits = [one.rpartition(" ") for one in str(worst.get("victims") or "").split(", ")]
    people = [f"{teller.short(who)} {n}" for who, _, n in hits if who in teller.plan.people]
    amount = value_of(worst, "damage_taken")
    yield teller.say(
        "worst_ability",
        ability=worst["name"],
        amount=teller.tongue.number(amount),
        total=teller.tongue.number(total),
        share=teller.tongue.percent(100 * amount / total),
        list=", ".join(people[:NAMED]) or "–",
    )


def _interrupts(teller: Teller) -> Iterator[str]:
    """Yield the casts that could have been interrupted and were not."""
    missed = Counter[str]()
    for row in missed_casts(teller):
        missed[str(row["ability"])] += int(value_of(row, "missed"))
    if missed.total():
        yield teller.say("went_through", list=_ranked(+missed))


def _potions(teller: Teller) -> Iterator[str]:
    """Yield who used a potion, if not everyone did."""
    for rows in () if teller.night.blind else _tallies(teller, "consumed"):
        own = [row for row in rows if teller.is_raids(row)]
        used = dict.fromkeys(teller.short(row["name"]) for row in own)
        there = _there(teller)
        most = 2 * len(used) > there
        foes = {one.name for one in teller.night.members if one.foe}
        mine = [name for name in teller.plan.people if name not in foes]
        rest = [name for name in map(teller.short, mine) if name not in used]
        names = ", ".join((rest if most else [*used])[: 2 * NAMED])
        if len(used) < there:
            key = "potions_lacking" if most else "potions_used" if used else "potions_none"
            yield teller.say(key, n=len(used), all=there, list=names)


def _there(teller: Teller) -> int:
    """Count the players of the raid on the pulls; of a match, those of its own side."""
    foes = {one.name for one in teller.night.members if one.foe}
    most = max((pull.players for pull in teller.pulls), default=0)
    return (
        min(most, len([name for name in teller.plan.people if name not in foes])) if foes else most
    )


def _activity(teller: Teller) -> Iterator[str]:
    """Yield who was clearly less active than the others, with the longest pause."""
    found = (row for one in of_tool(teller, "get_activity_report") for row in one.rows)
    rows = [row for row in found if teller.is_raids(row)]
    if len(teller.pulls) != 1 or not rows or teller.night.blind:
        return
    ranked = sorted(rows, key=share_active)
    middle = share_active(ranked[len(ranked) // 2])
    idle = [row for row in ranked if share_active(row) < middle - IDLE]
    told = [
        teller.say(
            "idle_of",
            name=teller.short(row["player"]),
            value=teller.tongue.percent(share_active(row)),
            gap=teller.tongue.time(value_of(row, "longest_gap_seconds")),
            at=teller.tongue.time(value_of(row, "longest_gap_at")),
        )
        for row in idle[:NAMED]
    ]
    if told:
        yield teller.say("least_active", list="; ".join(told))


def _tallies(teller: Teller, measure: str) -> list[Sequence[Row]]:
    return [one.rows for one in of_tool(teller, "get_tally") if one.arg("measure") == measure]


def _named(teller: Teller, counts: Counter[str]) -> str:
    return ", ".join(f"{teller.short(name)} {n}" for name, n in counts.most_common(NAMED))


def _ranked(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.most_common(NAMED))
