"""Corrects a question's premises: a subject that is absent, or an event that never happened."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from ruleplay.agents.raid.domain.overview import (
    Member,
    Night,
    Overview,
    PullSummary,
    Report,
    fold,
    short_name,
    words,
)
from ruleplay.agents.raid.domain.persons import calling_words, names_role, roles_of
from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.hearing.gaps import Unknown

LAST = "last_night"
"""Why a day was assumed if the question named none."""
LISTED = 12
"""Maximum number of pulls or bosses listed when asking back."""
HELP = """Ask for example:

- Why did we wipe? Who died first, and to what?
- Who took avoidable damage? Which interrupts were missed?
- Who lacked a flask or food? Who misses enchants?
- Why is a player's damage low? One player against another?
- When was Bloodlust? What should we fix on the next pull?"""


def _of(night: Night, fights: Sequence[int]) -> list[PullSummary]:
    return [pull for pull in night.pulls if pull.fight in fights]


def premises(
    question: Question, night: Night, fights: Sequence[int], tongue: Tongue
) -> tuple[str, ...]:
    """List premises of a question that the log contradicts."""
    subject = question.subject
    if subject.assumed and (subject.assumed != LAST or not question.bosses):
        key = LAST if subject.assumed == LAST else "only_day"
        return (tongue.say(key, day=subject.day, said=subject.assumed),)
    if not question.bosses or not fights:
        return ()
    fitting = _of(night, subject.pulls)
    named = ", ".join(question.bosses)
    blamed = question.kind == "wipe" or ("wipe" in question.topics and question.blames)
    if blamed and fitting and not any(pull.ended == "wipe" for pull in fitting):
        last = fitting[-1]
        if all(pull.ended not in _KNOWN for pull in fitting):
            time = tongue.time(last.seconds)
            return (tongue.say("log_ends", boss=named, fight=last.fight, time=time),)
        others = [p for p in night.pulls if p.name in question.bosses and p.ended == "wipe"]
        told = tongue.say("not_wipe", boss=named, list=told_of(fitting, tongue))
        wipes = tongue.say("its_wipes", list=told_of(others, tongue)) if others else ""
        return (told, *([wipes] if wipes else []))
    if question.kind == "kill" and not any(pull.kill for pull in fitting):
        return (tongue.say("not_kill", boss=named, list=told_of(fitting, tongue)),)
    return ()


_KNOWN = ("kill", "wipe", "reset")
"""Outcomes of pulls whose end is in the log."""


def told_of(pulls: Sequence[PullSummary], tongue: Tongue) -> str:
    """List pulls in words; of many, the last ones."""
    return "; ".join(
        f"{tongue.pull(pull)}{f', {pull.day}' if pull.day else ''}" for pull in pulls[-LISTED:]
    )


def nobody_of_role(question: Question, night: Night, tongue: Tongue) -> tuple[str, ...]:
    """State that a log of one player's own has no healer or tank."""
    said = fold(question.text)
    doing = calling_words().doing
    people = " ".join(word for word in words(said) if word not in doing)  # "any heals for me"
    roles = {*roles_of(people)} if names_role(people) else set[str]()
    there = any(one.role in roles for one in night.members)
    alone = night.owner and not night.pulls
    return (
        (tongue.say("no_role", name=short_name(night.owner)),)
        if roles and alone and not there
        else ()
    )


def absent(
    question: Question,
    night: Night,
    overview: Overview,
    companions: Sequence[Report],
    tongue: Tongue,
) -> tuple[str, ...]:
    """State that a boss, difficulty or further pull does not exist, and which do."""
    subject = question.subject
    near = (boss for one in companions for boss in one.bosses if boss not in subject.missing)
    own = tuple(dict.fromkeys((*night.bosses, *near)))
    told = ", ".join(own[:20])
    spells = {word for name in question.abilities for word in words(name)}
    gone = [name for name in subject.missing if not spells & {*words(name)}]
    if gone and not subject.bosses:
        lines = [tongue.say("absent", boss=name, list=told) for name in gone]
        for name in gone:
            titles = ", ".join([one.title for one in overview.reports if name in one.bosses][:12])
            lines += [tongue.say("in_report", boss=name, list=titles)] if titles else []
        return tuple(lines)
    if subject.unknown and not question.players:
        return (tongue.say("absent", boss=subject.unknown, list=told),)
    if subject.lacking and subject.bosses:
        said = {"day": subject.day, "difficulty": subject.difficulty}.get(subject.lacking, "–")
        pulls = [pull for pull in night.pulls if pull.fight in subject.pulls][-10:]
        listed = told_of(pulls, tongue)
        undated = subject.lacking == "day" and "/" not in said
        undated = undated and all(pull.weekday < 0 for pull in pulls)
        way = "no_weekday" if undated else "lacking"
        return (tongue.say(way, boss=subject.bosses[0], said=said, list=listed),)
    return ()


def elsewhere(night: Night, overview: Overview) -> bool:
    """Whether another log has a boss of this night."""
    others = (one.bosses for one in overview.reports if one.code != night.code)
    return any({*night.bosses} & {*bosses} for bosses in others)


def incomparable(
    question: Question, measure: str, night: Night, overview: Overview, tongue: Tongue
) -> tuple[str, ...]:
    """State that no other log, and no other day of this one, has what is to be compared."""
    pulls = _of(night, question.subject.pulls) or list(night.pulls)
    days = {pull.day for pull in night.pulls}
    several = len(question.bosses) > 1 or len(question.fights) > 1
    if measure != "week" or several or elsewhere(night, overview) or len(days) > 1:
        return ()
    what = ", ".join(list(dict.fromkeys(pull.name for pull in pulls))[:LISTED])
    return (tongue.say("alone_log", what=what),)


def nowhere(unknown: Unknown, night: Night, tongue: Tongue, *, there: bool = False) -> str:
    """State that a name does not occur in the log, and list the names that do.

    `there`: the question only asked about presence.
    """
    if unknown.kind == "boss":
        listed = dict.fromkeys(pull.name for pull in night.pulls)
        return tongue.say("absent", boss=unknown.text.title(), list=", ".join([*listed][:20]))
    people = [short_name(member.name) for member in night.members]
    people.sort(key=lambda name: -fuzz.partial_ratio(fold(name), unknown.text))
    nearest = ", ".join(people[:8])
    if there and unknown.kind == "player":
        return tongue.say("not_there", name=unknown.text.title(), list=nearest)
    if unknown.kind == "ability" or unknown.sure < _SURELY_A_PLAYER:
        return tongue.say("no_name", name=unknown.text, list=nearest)
    return tongue.say("no_player", name=unknown.text.title(), list=nearest)


_SURELY_A_PLAYER = 0.7
"""Confidence that an unknown name is a player's, from which players are offered."""


def which_is_meant(question: Question, night: Night, tongue: Tongue) -> tuple[str, ...]:
    """Ask which player or pull is meant, listing the candidates."""
    if question.called.players:
        people = ", ".join(map(short_name, question.called.players))
        return (tongue.say("which_of", name=question.called.called, list=people),)
    if question.called.called and not question.called.players:
        people = ", ".join(_as_what(member) for member in night.members)
        said = re.findall(r"\w+", question.text)
        name = next((w for w in said if fold(w) == question.called.called), question.called.called)
        whole = all(member.class_name for member in night.members)
        return (tongue.say("no_class" if whole else "class_unknown", name=name, list=people),)
    fitting = [pull for pull in night.pulls if pull.fight in question.subject.pulls]
    return (tongue.say("which_pull", list=told_of(fitting, tongue)),)


def _as_what(member: Member) -> str:
    """Describe a player with spec and class: `Aria (Fire Mage)`."""
    what = " ".join(filter(None, (member.spec, member.class_name)))
    return f"{short_name(member.name)} ({what})" if what else short_name(member.name)


def problems(question: Question, night: Night) -> tuple[str, ...]:
    """List the pulls and players that a question names and the night lacks."""
    found = []
    numbers = {pull.fight for pull in night.pulls}
    extent = f"pulls 1 to {len(night.pulls)}" if night.pulls else "no pulls"
    for fight in question.fights:
        if fight not in numbers:
            found.append(f"Report {night.code} has no pull {fight}; it has {extent}.")
    if question.near and not question.players:
        options = " or ".join(question.near[:3])
        found.append(f"I find no player of that name in this report; did you mean {options}?")
    return tuple(found)
