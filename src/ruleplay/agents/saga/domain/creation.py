"""Making a hero: characteristics are bought, peoples and cultures add theirs, all is checked."""

from __future__ import annotations

from collections.abc import Mapping

from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.rulebook import STATS, PointBuy, Rulebook, Stat
from ruleplay.agents.saga.domain.sheet import Carried, Sheet

BASE_HP, HP_A_POINT = 42, 2
"""Hit points of somebody with a constitution of 10, and what each point more brings."""
NAME_AT_MOST = 24
DEFAULT: dict[Stat, int] = {
    "strength": 12,
    "agility": 14,
    "constitution": 13,
    "intelligence": 10,
    "wisdom": 12,
    "charisma": 12,
}
"""What a hero has when nothing is chosen; it costs the whole budget."""


def price(score: int, rules: PointBuy) -> int:
    """Return what a score costs: a point a step, two from the dear ones on."""
    return (score - rules.lowest) + max(0, score - rules.dear_from)


def creation_problems(
    rules: Rulebook,
    name: str,
    race: str,
    culture: str,
    stats: Mapping[Stat, int],
    skills: Mapping[str, int],
) -> list[str]:
    """Return everything that is wrong with a hero to be, in words; empty when all is legal."""
    problems = [*_name_problems(name), *_people_problems(rules, race, culture)]
    buying = rules.point_buy
    for stat, score in stats.items():
        if not buying.lowest <= score <= buying.highest:
            problems.append(f"{stat} {score} is out of range: {buying.lowest} to {buying.highest}")
    if missing := [stat for stat in STATS if stat not in stats]:
        problems.append(f"no score for {', '.join(missing)}")
    spent = sum(price(score, buying) for score in stats.values())
    if spent > buying.budget:
        problems.append(f"the characteristics cost {spent} points of {buying.budget}")
    return problems + _skill_problems(rules, skills)


def _name_problems(name: str) -> list[str]:
    letters = name.replace(" ", "").replace("-", "").replace("'", "").replace("’", "")
    if not 2 <= len(name) <= NAME_AT_MOST or not letters.isalpha() or not name[0].isupper():
        return [
            f"the name {name!r} cannot be used: 2 to {NAME_AT_MOST} letters, the first a capital"
        ]
    return []


def _people_problems(rules: Rulebook, race: str, culture: str) -> list[str]:
    if race not in rules.races:
        return [f"no race {race!r}; there are {', '.join(rules.races)}"]
    cultures = rules.races[race].cultures
    if culture not in cultures:
        return [f"no culture {culture!r} for {race!r}; there are {', '.join(cultures)}"]
    return []


def _skill_problems(rules: Rulebook, skills: Mapping[str, int]) -> list[str]:
    buying = rules.point_buy
    problems = [
        f"no skill {one!r}; there are {', '.join(rules.skills)}"
        for one in skills
        if one not in rules.skills
    ]
    for skill, rank in skills.items():
        if not 0 <= rank <= buying.ranks_at_most:
            problems.append(
                f"rank {rank} of {skill!r} is out of range: 0 to {buying.ranks_at_most}"
            )
    if sum(skills.values()) > buying.skill_ranks:
        problems.append(f"{sum(skills.values())} skill ranks of {buying.skill_ranks}")
    return problems


def make_sheet(
    rules: Rulebook,
    name: str,
    race: str,
    culture: str,
    stats: Mapping[Stat, int],
    skills: Mapping[str, int],
) -> Sheet:
    """Return the sheet of a hero whose making was legal."""
    home = rules.cultures[culture]
    bonuses = rules.races[race].bonuses
    scores: dict[Stat, int] = {stat: stats[stat] + bonuses.get(stat, 0) for stat in STATS}
    ranks = {key: skills.get(key, 0) + home.skills.get(key, 0) for key in rules.skills}
    hp = BASE_HP + HP_A_POINT * (scores["constitution"] - 10)
    kit = {key: rules.items[key] for key in home.kit}
    weapons = [key for key, item in kit.items() if item.kind == "weapon" and not item.ranged]
    armours = [key for key, item in kit.items() if item.kind == "armour"]
    return Sheet(
        name=name,
        race=race,
        culture=culture,
        stats=scores,
        skills={key: rank for key, rank in ranks.items() if rank},
        hp=hp,
        max_hp=hp,
        coin=home.coin,
        carried=tuple(Carried(item=key, count=home.kit[key]) for key in sorted(home.kit)),
        weapon=weapons[0] if weapons else "",
        armour=armours[0] if armours else "",
    )


def spoken_modifier(score: int) -> str:
    """Return a modifier as sheets show it: +2, -1."""
    return f"{modifier(score):+d}"
