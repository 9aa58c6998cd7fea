"""The tables of every prompt: the night's pulls, its people, where a long log was when."""

from __future__ import annotations

from calendar import day_name
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from ruleplay.agents.raid.domain.metrics import stems
from ruleplay.agents.raid.domain.overview import (
    ENEMY,
    MORNING,
    OURS,
    Member,
    Night,
    Overview,
    PullSummary,
    said_pulls,
    spans_of,
)
from ruleplay.telling.table import Cell, Column, Table, clean

PULLS, LATEST, LAST, PEOPLE, CROWD = 24, 12, 2, 40, 12
"""Maximum number of pulls and of people of a night that a prompt lists; of more pulls, the LATEST,
of more people, CROWD. Where some of more than LATEST pulls are asked about, these, the LAST and up
to LATEST of the same bosses on the same evening."""
ARENA = 10
"""Maximum number of people in an arena; there are more in a battleground."""
OVERVIEW, MEMBERS, VISITS, BEFORE = "r0", "r100", "r200", "r99"
"""Table ids of the night's pulls, of its people, of where a long log was when, and of what the last
answer computed."""
CITED = tuple(f"r{number}" for number in range(90, 99))
"""Table ids of the rows that the last answer cited."""
JUDGED = (
    "Who won is inferred from the deaths: the log has no line of a match's end. It counts from the"
    " first blow; what was cast before that (Sap, Sprint) is in 'trash before' it."
)


def overview_table(night: Night, fights: Sequence[int] = ()) -> Table:
    """Build table r0 of the night's pulls; evening, difficulty and size only if they differ.

    If there are many, the pulls with these numbers are listed, others of their bosses, and the
    last; without numbers the last ones. Table r200 has rows for the others together.
    """
    if not night.pulls:
        return _stretches_table(night)
    shown = _listed(night.pulls, fights)
    kinds: dict[str, Callable[[PullSummary], object]] = {
        "zone": attrgetter("instance"),
        "day": dated,
        "difficulty": attrgetter("difficulty"),
        "our_side": lambda pull: ", ".join(map(night.plain, pull.ours)),
        "enemies": lambda pull: ", ".join(map(night.plain, pull.theirs)),
        "players": attrgetter("players"),
    }
    sides = ("our_side", "enemies") if any(pull.theirs for pull in shown) else ()
    told = {"players", *sides}
    more = [n for n, of in kinds.items() if n in told or len({of(p) for p in shown}) > 1]
    same = [f"{name} {of(shown[0])}" for name, of in kinds.items() if shown and name not in more]
    same = [one for one in same if one.removeprefix("zone ") not in night.title]
    held = ", ".join(("", *(one for one in same if one.split(" ", 1)[1])))
    rows = tuple(
        (
            f"pull {pull.fight}",
            clean(pull.name),
            pull.ended or "wipe",
            *((pull.clock, later(pull)) if pull.clock else (None, None)),
            pull.seconds,
            None if pull.boss_hp is None else round(100 * pull.boss_hp, 1),
            *(str(kinds[name](pull) or "") or None for name in more if name != "players"),
            pull.players or None,
        )
        for pull in shown
    )
    columns = (
        Column(name="pull", unit="name"),
        Column(name="boss", unit="name"),
        Column(name="outcome", unit="text"),
        Column(name="start_clock", unit="text"),
        Column(name="end_clock", unit="text"),
        Column(name="seconds", unit="s", label="duration"),
        Column(name="boss_health", unit="%", stems=stems()["boss_hp_percent"]),
        *(Column(name=name, unit="" if name == "players" else "text") for name in more),
    )
    return Table(
        id=OVERVIEW,
        title="pulls",
        heading=f"report {night.code}, {clean(night.title)}{held}",
        columns=columns,
        rows=rows,
        notes=(*_unknown_of(shown), *([JUDGED] if night.judged else [])),
        owner="pull",
        shown=PULLS,
        total=len(night.pulls),
    )


def _listed(pulls: Sequence[PullSummary], fights: Sequence[int]) -> list[PullSummary]:
    """Select the pulls that a prompt lists, in order."""
    asked = [pull for pull in pulls if pull.fight in fights]
    if len(pulls) <= (LATEST if asked else PULLS):
        return [*pulls]
    kinds = {_kind(pull) for pull in asked}
    alike = sum(_kind(pull) in kinds for pull in pulls)
    most = max(len(asked), min(LATEST, alike)) + LAST if asked else LATEST
    last = pulls[-LAST].fight
    ranked = sorted(
        pulls, key=lambda p: (p.fight in fights, p.fight >= last, _kind(p) in kinds, p.fight)
    )
    chosen = {pull.fight for pull in ranked[-min(PULLS, most) :]}
    return [pull for pull in pulls if pull.fight in chosen]


def _kind(pull: PullSummary) -> tuple[str, str, str]:
    """Return what the tries at a boss of one evening share."""
    return pull.name, pull.difficulty, pull.day


def _stretches_table(night: Night) -> Table:
    """Build table r0 of a log without pulls: what can be named in a pull's place."""
    return Table(
        id=OVERVIEW,
        title="no pulls: the log has no boss fight and no match; what stands for a pull",
        heading=f"report {night.code}, {clean(night.title)}",
        columns=(
            Column(name="pull", unit="name"),
            Column(name="place", unit="text"),
            Column(name="start_clock", unit="text"),
            Column(name="end_clock", unit="text"),
            Column(name="seconds", unit="s", label="duration"),
            Column(name="outcome", unit="text"),
        ),
        rows=tuple(
            (one.name, one.instance, one.clock, later(one), one.seconds, one.ended or None)
            for one in night.stretches
        ),
        owner="pull",
    )


def visits_table(night: Night, fights: Sequence[int] = ()) -> Table | None:
    """Build table r200, where all pulls of a long log are found; None if r0 lists them all.

    Each row is of consecutive pulls of a day in one zone, on one difficulty; of fewer pulls, of one
    boss.
    """
    if len(_listed(night.pulls, fights)) == len(night.pulls):
        return None
    by_zone = len(night.pulls) > PULLS
    place = "zone" if by_zone else "boss"
    groups = groupby(
        night.pulls,
        lambda one: (dated(one), one.instance if by_zone else clean(one.name), one.difficulty),
    )
    visits = [(named, list(own)) for named, own in groups]
    # What is the same in all pulls of an evening, the heading of r0 has.
    told = [at for at in range(3) if by_zone or len({named[at] for named, _ in visits}) > 1]
    columns = (
        Column(name="day", unit="text"),
        Column(name=place, unit="name"),
        Column(name="difficulty", unit="text"),
    )
    rows = tuple(
        (
            said_pulls([pull.fight for pull in own]),
            *(named[at] or None for at in told),
            *([len({pull.name for pull in own})] if by_zone else []),
            sum(pull.kill for pull in own),
            sum(pull.ended == "wipe" for pull in own),
            own[0].clock or None,
        )
        for named, own in visits
    )
    return Table(
        id=VISITS,
        title=f"all pulls by evening and {place}",
        heading=f"report {night.code}; list_pulls(pulls) lists those of a row one by one",
        columns=(
            Column(name="pulls", unit="name"),
            *(columns[at] for at in told),
            *([Column(name="bosses")] if by_zone else []),
            *(Column(name=name) for name in ("kills", "wipes")),
            Column(name="first_pull_clock", unit="text"),
        ),
        rows=rows,
        owner=place if 1 in told else "pulls",
    )


def dated(pull: PullSummary) -> str:
    """Write a pull's day, with the weekday if the log tells the year: "3/5 Monday"."""
    return f"{pull.day} {day_name[pull.weekday]}" if pull.weekday >= 0 else pull.day


def _unknown_of(pulls: Sequence[PullSummary]) -> Iterator[str]:
    """Yield what a log does not tell of its pulls: their year, how they ended."""
    if any(pull.day and pull.weekday < 0 for pull in pulls):
        yield "The log tells month and day alone: what year it was, or what weekday, is not known."
    if any(pull.boss_hp is None and pull.ended in ("wipe", "reset") for pull in pulls):
        yield "Where boss_health is -, the log does not tell how much the boss had left."
    if any(pull.clock and 3600 * int(pull.clock[:2]) < MORNING for pull in pulls):
        yield "What began after midnight counts to the day on which its night began."
    if any(pull.ended == "reset" for pull in pulls):
        yield (
            "A reset was not won, and the log has deaths of fewer than half of the players: given"
            " up, or lost in a way that it does not show. Many call it a wipe."
        )
    if any(pull.ended == "unfinished" for pull in pulls):
        yield "Unfinished: the log stops before the pull does, so how it ended is not known."


def people_table(night: Night, fights: Sequence[int] = (), players: Collection[str] = ()) -> Table:
    """Build table r100 of the players by role; if too many, those present on these pulls.

    `players` come first. The sides of a single match are told as far as the log states them.
    """
    # Among many, those of no pull are passers-by.
    if len(night.pulls) == 1 or len(night.members) > PEOPLE:
        fights = fights or [pull.fight for pull in night.pulls]
    there = [one for one in night.members if {*one.pulls} & {*fights}]
    some = bool(len(night.members) > PEOPLE and there and fights)
    members = there if some else night.members
    callings = {one.name: _calling(one, fights if some else ()) for one in members}
    roles = list(dict.fromkeys(role for role, _ in callings.values()))
    people = sorted(
        members, key=lambda one: (one.name not in players, roles.index(callings[one.name][0]))
    )
    made: tuple[tuple[Cell, ...], ...] = tuple(
        (clean(night.plain(m.name)), *callings[m.name]) for m in people
    )
    columns: tuple[Column, ...] = (
        Column(name="player", unit="name"),
        Column(name="role", unit="text"),
        Column(name="plays", unit="text"),
    )
    if sides := _sides(night, people):
        columns = (*columns, Column(name="side", unit="text"))
        made = tuple((*row, side) for row, side in zip(made, sides, strict=True))
    others = {
        m.name: {
            fight: role
            for fight, role in m.unlike.items()
            if not some or (fight in fights and role != callings[m.name][0])
        }
        for m in people
    }
    unlike = "; ".join(
        f"{clean(night.plain(m.name))} {role} on "
        + said_pulls([fight for fight, one in had.items() if one == role])
        for m in people
        for had in [others[m.name]]
        for role in dict.fromkeys(had.values())
    )
    return Table(
        id=MEMBERS,
        title="people",
        heading=f"of pulls {spans_of(sorted({*fights}))}" if some else "of the night",
        columns=columns,
        rows=made,
        notes=(f"The role is that of most pulls; other roles: {unlike}.",) if unlike else (),
        owner="player",
        shown=PEOPLE if len(people) <= PEOPLE else CROWD,
    )


def _calling(member: Member, fights: Sequence[int]) -> tuple[str | None, str | None]:
    """Return somebody's role on most of these pulls (the night's without any), and class.

    The spec is the night's, so it is left out where the role is another.
    """
    had = [member.unlike.get(fight, member.role) for fight in fights if fight in member.pulls]
    role = max(dict.fromkeys(had), key=had.count) if had else member.role
    spec = member.spec if role == member.role else ""
    return role or None, f"{spec} {member.class_name}".strip() or None


def _sides(night: Night, people: Sequence[Member]) -> list[str | None]:
    """Name each player's side in a match: the team, or whether hostile; empty if not known.

    Over several matches an enemy of one may be a partner in the next; who was in none has no side.
    """
    if any(one.team is not None for one in people):
        mine = next((one.team for one in people if one.name == night.owner), None)
        return [_team(one.team, mine) for one in people]
    fight = night.pulls[0].fight if len(night.pulls) == 1 else None
    fought = [one for one in people if fight in one.pulls]
    foes = sum(one.foe for one in fought)
    # Who is hostile in an arena may have been friendly before it, and then is not told to be a foe.
    if not foes or (len(fought) <= ARENA and 2 * foes != len(fought)):
        return []
    sides = (ENEMY if one.foe else OURS for one in people)
    return [side if one in fought else None for side, one in zip(sides, people, strict=True)]


def _team(team: int | None, mine: int | None) -> str | None:
    """Name an arena team, and whether it is that of the player who logged."""
    if team is None:
        return None
    whose = "" if mine is None else f", {OURS if team == mine else ENEMY}"
    return f"team {team}{whose}"


def names_of(overview: Overview, elsewhere: Iterable[str] = ()) -> tuple[str, ...]:
    """List names that a reply may mention besides those in its tables: people, bosses, pulls."""
    night = overview.night
    if night is None:
        return ()
    people = (night.plain(member.name) for member in night.members)
    pulls = (f"pull {pull.fight}" for pull in night.pulls)
    return tuple(dict.fromkeys((*people, *night.bosses, *pulls, *elsewhere)))


def later(pull: PullSummary) -> str:
    """Return the wall clock of a pull's end."""
    if pull.end_clock:
        return pull.end_clock
    hours, minutes, seconds = map(int, pull.clock.split(":"))
    end = (3600 * hours + 60 * minutes + seconds + int(pull.seconds)) % 86_400
    return f"{end // 3600:02}:{end // 60 % 60:02}:{end % 60:02}"
