"""Describes what players did, measured by their role: one player's card, or two side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median_low

from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.deaths import death_told
from ruleplay.agents.raid.policy.faults import avoided_by
from ruleplay.agents.raid.policy.sums import apart, difference
from ruleplay.agents.raid.policy.teller import Reply, Teller, of_tool, place_of
from ruleplay.agents.raid.view.tables import value_of

OWN = {"healer": "total_healing", "tank": "damage_taken"}
"""The column by which a role is measured, if it is not damage."""
PAIR = 2
IDLE = 10.0
"""Percentage points below the raid's median activity that are worth mentioning."""
BEHIND = 10.0
"""Percent below the median of the same role that are worth mentioning."""
RANKED = 3
"""Minimum number of players in a role for its median to be meaningful."""


def performance(teller: Teller) -> Reply:
    """Describe each player's performance and what stands out; of two, what differs."""
    rows = [row for sheet in of_tool(teller, "get_night_players") for row in sheet.rows]
    mine = [row for name in teller.players for row in rows if row["player"] == name]
    if not mine:
        return Reply(teller.none("casts"))
    lead = [*(_beside(teller, mine) if len(mine) == PAIR else ()), f"({teller.where}.)"]
    lead = [f"{teller.where}.", _did(teller, rows, mine[0])] if len(mine) == 1 else lead
    lines = []
    for row in mine:
        told = [*_activity(teller, row), *_died(teller, row), _stands_out(teller, rows, row)]
        lines += told if len(mine) == 1 else [" ".join((_did(teller, rows, row), *told))]
    healers = [_role(teller, row) == "healer" for row in mine]
    if len(mine) == PAIR and healers[0] == healers[1]:
        column = "healing" if all(healers) else "total_damage"
        order = sorted(
            mine, key=lambda row: -value_of(row, OWN["healer"] if all(healers) else column)
        )
        lines.append(apart(teller, [str(row["player"]) for row in order], column).strip())
    if teller.plan.heard.measure in ("advice", "performance") and len(mine) == 1:
        lines.append(teller.say("not_judged"))
    shown = tuple(mine[: teller.listing]) if len(mine) > PAIR else ()
    text = "".join((" ".join(lead), *(f"\n- {one}" for one in lines if one)))
    return Reply(text, shown, COMPARED, about=teller.players)


COMPARED = (
    "player",
    "total_damage",
    "total_healing",
    "overheal",
    "damage_taken",
    "deaths",
    "casts",
)
"""Columns in which players are compared."""


def _died(teller: Teller, row: Row) -> Iterator[str]:
    """Yield when a player died, and of what."""
    found = [one for sheet in of_tool(teller, "get_night_deaths") for one in sheet.rows]
    own = [one for one in found if one.get("where") and one["player"] == row["player"]]
    if own:
        yield teller.say("listed", list="; ".join(death_told(teller, one) for one in own[:RANKED]))


def _most_hit(teller: Teller, name: object) -> Iterator[str]:
    """Yield the abilities that hit this player more often than anyone else."""
    rows = [row for sheet in of_tool(teller, "get_tally") for row in sheet.rows]
    for row in rows:
        counts = [one.rpartition(" ") for one in str(row.get("victims") or "").split(", ")]
        hits = [(who, int(n)) for who, _, n in counts if n.isdecimal()] + [("", 0)]
        if hits[0][0] == name and hits[0][1] > max(hits[1][1], 1) and row["name"] != "Melee":
            yield f"{row['name']} ({teller.say('hits', n=hits[0][1])})"


def _role(teller: Teller, row: Row) -> str:
    return str(row.get("role") or teller.role(row["player"]) or "damage")


def _did(teller: Teller, rows: Sequence[Row], row: Row) -> str:
    number, died = teller.tongue.number, int(value_of(row, "deaths"))
    return teller.say(
        f"done_{_role(teller, row)}",
        name=teller.short(row["player"]),
        over=teller.tongue.percent(_overhealed(row)),
        damage=number(value_of(row, "total_damage")),
        place=place_of(rows, row, "total_damage"),
        count=len(rows),
        healing=number(value_of(row, "total_healing")),
        healed=place_of(rows, row, "total_healing"),
        taken=number(value_of(row, "damage_taken")),
        took=place_of(rows, row, "damage_taken"),
        deaths=teller.say("n_deaths" if died else "no_death", n=died),
    )


def _overhealed(row: Row) -> float:
    over = value_of(row, "overheal")
    return 100 * over / ((value_of(row, "total_healing") + over) or 1)


def _activity(teller: Teller, row: Row) -> Iterator[str]:
    """Yield a player's active share of time and longest gap over the pulls."""
    found = _active(teller, row["player"])
    if not found:
        return
    longest = max(found, key=lambda one: value_of(one[1], "longest_gap_seconds"))
    pull = f", {longest[0]}" if len(teller.pulls) > 1 else ""
    yield teller.say(
        "active",
        value=teller.tongue.percent(_mean(found)),
        gap=teller.tongue.time(value_of(longest[1], "longest_gap_seconds")),
        at=teller.tongue.time(value_of(longest[1], "longest_gap_at")) + pull,
    )


def _active(teller: Teller, player: object) -> list[tuple[str, Row]]:
    """Collect a player's activity rows, each with its boss."""
    return [
        (sheet.returned.pull.partition(", pull")[0], row)
        for sheet in of_tool(teller, "get_activity_report")
        for row in sheet.rows
        if row.get("player") == player
    ]


def _mean(found: Sequence[tuple[str, Row]]) -> float:
    return sum(value_of(row, "active_percent") for _, row in found) / max(len(found), 1)


def idle(teller: Teller) -> Reply:
    """Describe the activity and longest pause of the named players, or of the least active."""
    found = of_tool(teller, "get_activity_report")
    people = dict.fromkeys(str(row["player"]) for sheet in found for row in sheet.rows)
    means = {name: _mean(_active(teller, name)) for name in people}
    wanted = [name for name in teller.players if name in people]
    names = wanted or sorted(people, key=lambda name: means[name])[:RANKED]
    told = []
    longest = 0.0
    for name in names:
        boss, row = max(_active(teller, name), key=lambda one: value_of(one[1], PAUSE))
        longest = max(longest, value_of(row, PAUSE))
        at = teller.tongue.time(value_of(row, "longest_gap_at"))
        told.append(
            teller.say(
                "idle_of",
                name=teller.short(name),
                value=teller.tongue.percent(means[name]),
                gap=teller.tongue.time(value_of(row, PAUSE)),
                at=f"{at}, {boss}" if len(teller.pulls) > 1 else at,
            )
        )
    if not told:
        return Reply(teller.none("activity"))
    middle = teller.tongue.percent(median_low(means.values()))
    lead = teller.say("idle", where=teller.where, list="; ".join(told), middle=middle)
    key = "maybe_away" if longest >= AWAY else "not_away"
    away = [teller.say(key, name=teller.names(wanted))] if wanted else []
    return Reply(" ".join([lead, *away]), about=tuple(wanted))


PAUSE, AWAY = "longest_gap_seconds", 10.0
"""Seconds without action from which a player may have been away."""


def standing(teller: Teller) -> Reply:
    """Name the best and worst of each role, and who died most often."""
    rows = [row for sheet in of_tool(teller, "get_night_players") for row in sheet.rows]
    best, worst = [], []
    for role in ("damage", "healer"):
        column = OWN.get(role, "total_damage")
        peers = [row for row in rows if _role(teller, row) == role]
        ranked = sorted(peers, key=lambda row: -value_of(row, column))
        if len(ranked) > 1:
            best.append(_of_role(teller, ranked[0], role))
            worst.append(_of_role(teller, ranked[-1], role))
    told = ", ".join(best), ", ".join(worst)
    text = teller.say("standing", where=teller.where, best=told[0], worst=told[1])
    dead = sorted((row for row in rows if row.get("deaths")), key=lambda r: -value_of(r, "deaths"))
    died = [f"{teller.short(row['player'])} {row['deaths']}" for row in dead[:RANKED]]
    deaths = teller.say("died_most" if died else "nobody_died_here", list=", ".join(died))
    return Reply(f"{text} {deaths} {teller.say('by_role')}")


def _of_role(teller: Teller, row: Row, role: str) -> str:
    column = OWN.get(role, "total_damage")
    return teller.say(
        "standing_of",
        name=teller.short(row["player"]),
        role=teller.say(f"role_{role}"),
        what=teller.tongue.measure("healing" if role == "healer" else "damage"),
        value=teller.tongue.number(value_of(row, column)),
    )


def least_active(teller: Teller) -> Iterator[str]:
    """Yield the least active players, if exactly one pull was examined."""
    found = of_tool(teller, "get_activity_report")
    whole = len(found) == 1 and not teller.players and teller.pulls[-1].kill
    whole = whole and not teller.night.blind  # without casts everybody would seem idle
    rows = sorted(found[0].rows, key=share_active) if whole else []
    told = (
        f"{teller.short(row['player'])} {teller.tongue.percent(share_active(row))}"
        for row in rows[:RANKED]
    )
    if rows:
        yield teller.say("least_active", list=", ".join(told))


def share_active(row: Row) -> float:
    """Return how much of a pull somebody was active, in percent."""
    return value_of(row, "active_percent")


def _stands_out(teller: Teller, rows: Sequence[Row], row: Row) -> str:
    """Describe what distinguishes a player's evening from others of the same role."""
    name, role = row["player"], _role(teller, row)
    told = list(_against_role(teller, rows, row, role))
    people = {other["player"] for other in rows}
    middle = median_low(_mean(_active(teller, one)) for one in people)
    own = _active(teller, name)
    least = min(_mean(_active(teller, one)) for one in people)
    if own and (_mean(own) < middle - IDLE or (_mean(own) == least and least < middle)):
        told.append(teller.say("out_idle", middle=teller.tongue.percent(middle)))
    if row.get("deaths"):
        told.append(teller.say("out_died", n=int(value_of(row, "deaths"))))
    most = [] if role == "tank" else [*_most_hit(teller, name)]
    if most:
        told.append(teller.say("out_hit", list=teller.tongue.listed(most, RANKED)))
    hit = avoided_by(teller, str(name))
    if hit:
        told.append(teller.say("out_avoidable", list=hit))
    key = "stands_out" if told else "nothing_out"
    return teller.say(key, name=teller.short(name), list="; ".join(told))


def _against_role(teller: Teller, rows: Sequence[Row], row: Row, role: str) -> Iterator[str]:
    """Yield how far a player is below the role's median; tanks are not compared."""
    column = OWN.get(role, "total_damage")
    peers = [other for other in rows if _role(teller, other) == role]
    middle = median_low(value_of(other, column) for other in peers)
    if role == "tank" or len(peers) < RANKED or not middle:
        return
    part = 100 * value_of(row, column) / middle
    if part < 100 - BEHIND:
        yield teller.say(
            "out_behind",
            what=teller.tongue.measure("healing" if role == "healer" else "damage"),
            own=teller.tongue.number(value_of(row, column)),
            part=teller.tongue.percent(part),
            middle=teller.tongue.number(middle),
            place=place_of(peers, row, column),
            count=len(peers),
        )


def _beside(teller: Teller, pair: Sequence[Row]) -> Iterator[str]:
    """Yield who of two is ahead by their common measure; if their roles differ, say so."""
    first, second = pair
    roles = [_role(teller, row) for row in pair]
    if roles[0] != roles[1]:
        named = [teller.say(f"role_{role}") for role in roles]
        yield teller.say("two_roles", first=named[0], second=named[1])
        return
    measure = "healing" if roles[0] == "healer" else "damage"
    column = OWN.get(roles[0], "total_damage") if measure == "healing" else "total_damage"
    ahead, behind = sorted((first, second), key=lambda row: -value_of(row, column))
    names = [str(ahead["player"]), str(behind["player"])]
    yield difference(teller, names, pair, column, measure)
