"""Create a hero: characteristics are bought with points, people and culture add to them.

Problems are returned as texts in both languages, all at once, for forms to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleplay.agents.saga.domain.rulebook import STATS, PointBuy, Rulebook, Stat
from ruleplay.agents.saga.domain.sheet import Carried, Sheet
from ruleplay.story.texts import Frozen, Text, texts_in

BASE_HP, HP_A_POINT = 42, 2
"""Hit points at a constitution of 10, and per point above (or below) it."""
NAME_AT_MOST = 24
"""Most characters of a hero's name."""
DEFAULT: dict[Stat, int] = dict(zip(STATS, (12, 14, 13, 10, 12, 12), strict=True))
"""Scores of a hero whose player chooses none; they cost the whole budget."""


def price(score: int, rules: PointBuy) -> int:
    """Return a score's cost: one point a step, two for steps above `dear_from`."""
    return (score - rules.lowest) + max(0, score - rules.dear_from)


class Reckoning(Frozen):
    """What somebody to be costs and comes to; the sheet is there when all is legal."""

    problems: tuple[Text, ...]
    points: int
    ranks: int
    sheet: Sheet | None


def reckon(
    rules: Rulebook,
    name: str,
    race: str,
    culture: str,
    stats: Mapping[Stat, int],
    skills: Mapping[str, int],
) -> Reckoning:
    """Compute a hero's cost and problems, and the sheet if there are none."""
    problems = tuple(creation_problems(rules, name, race, culture, stats, skills))
    return Reckoning(
        problems=problems,
        points=sum(price(score, rules.point_buy) for score in stats.values()),
        ranks=sum(skills.values()),
        sheet=None if problems else make_sheet(rules, name, race, culture, stats, skills),
    )


def creation_problems(
    rules: Rulebook,
    name: str,
    race: str,
    culture: str,
    stats: Mapping[Stat, int],
    skills: Mapping[str, int],
) -> list[Text]:
    """List everything that is wrong with a hero; empty if the choices are legal."""
    return [
        *_name_problems(name),
        *_people_problems(rules, race, culture),
        *_stat_problems(rules, stats),
        *_skill_problems(rules, skills),
    ]


def _why(key: str, *about: object) -> Text:
    """Format a problem from `creation.json`."""
    text = texts_in("ruleplay.agents.saga.domain", "creation.json")[key]
    return Text(en=text.en.format(*about), fr=text.fr.format(*about))


def _name_problems(name: str) -> Iterator[Text]:
    letters = name.replace(" ", "").replace("-", "").replace("'", "").replace("’", "")
    if not 2 <= len(name) <= NAME_AT_MOST or not letters.isalpha() or not name[0].isupper():
        most = NAME_AT_MOST
        yield _why("name", name, most)


def _people_problems(rules: Rulebook, race: str, culture: str) -> Iterator[Text]:
    if race not in rules.races:
        known = ", ".join(rules.races)
        yield _why("race", race, known)
        return
    cultures = rules.races[race].cultures
    if culture not in cultures:
        known = ", ".join(cultures)
        yield _why("culture", culture, race, known)


def _stat_problems(rules: Rulebook, stats: Mapping[Stat, int]) -> Iterator[Text]:
    buying = rules.point_buy
    for stat, score in stats.items():
        if not buying.lowest <= score <= buying.highest:
            bounds = (buying.lowest, buying.highest)
            name = rules.characteristics[stat].name.fr
            yield _why("score", stat, score, bounds[0], bounds[1], name)
    if missing := [stat for stat in STATS if stat not in stats]:
        absent = ", ".join(rules.characteristics[stat].name.fr for stat in missing)
        yield _why("missing", ", ".join(missing), absent)
    spent = sum(price(score, buying) for score in stats.values())
    if spent > buying.budget:
        yield _why("dear", spent, buying.budget)


def _skill_problems(rules: Rulebook, skills: Mapping[str, int]) -> Iterator[Text]:
    buying = rules.point_buy
    most = buying.ranks_at_most
    for skill, rank in skills.items():
        if skill not in rules.skills:
            known = ", ".join(rules.skills)
            yield _why("skill", skill, known)
        elif not 0 <= rank <= most:
            name = rules.skills[skill].name.fr
            yield _why("rank", rank, skill, most, name)
    if (ranks := sum(skills.values())) > buying.skill_ranks:
        yield _why("ranks", ranks, buying.skill_ranks)


def make_sheet(
    rules: Rulebook,
    name: str,
    race: str,
    culture: str,
    stats: Mapping[Stat, int],
    skills: Mapping[str, int],
) -> Sheet:
    """Build the sheet of a hero; the choices must be legal (see `creation_problems`)."""
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
