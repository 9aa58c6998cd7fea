"""What has to be said before an answer: a subject that is not there, and what did not happen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.raid.domain.overview import Night, Overview, Pull, short_name
from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.policy.sentences import Tongue

LISTED = 12
"""Pulls or bosses that a question back lists at most."""
HELP = """Ask for example:

- Why did we wipe? Who died first, and to what?
- Who took avoidable damage? Which interrupts were missed?
- Who lacked a flask or food? Who misses enchants?
- Why is a player's damage low? One player against another?
- When was Bloodlust? What should we fix on the next pull?"""


def about(question: Question, overview: Overview, night: Night) -> tuple[str, ...]:
    """Return what to say instead of an answer, when its subject is not there or not one."""
    return tuple(_subject(question, overview, night))


def _subject(question: Question, overview: Overview, night: Night) -> Iterator[str]:
    subject = question.subject
    if question.called.open:
        people = ", ".join(_people(question.called.players)) or "nobody"
        yield f"Whom do you mean by {question.called.called!r}? There are: {people}."
    elif subject.missing and not subject.bosses:
        for name in subject.missing:
            yield f"{name} is not in report {night.code}; its bosses are {_bosses(night)}."
            others = [one.title for one in overview.reports if name in one.bosses]
            told = ", ".join(others[:LISTED])
            if told:
                yield f"{name} is in {told}; name that report to ask about it."
    elif subject.unknown and not question.players:
        yield (
            f"I know no boss or player called {subject.unknown} here; the bosses are"
            f" {_bosses(night)}."
        )
    elif subject.lacking:
        said = {"day": subject.day, "difficulty": subject.difficulty}.get(subject.lacking, "")
        what = f"pull of that kind ({said})" if said else "further pull"
        yield f"There is no such {what}; there are {pulls_listed(_of(night, subject.pulls))}."
    elif subject.open and not question.fights:
        yield f"Which pull do you mean? There are {pulls_listed(_of(night, subject.pulls))}."


def _people(names: Sequence[str]) -> list[str]:
    return [short_name(name) for name in names]


def _bosses(night: Night) -> str:
    names = night.bosses
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return (", ".join(names[:LISTED]) or "none") + more


def _of(night: Night, fights: Sequence[int]) -> list[Pull]:
    return [pull for pull in night.pulls if pull.fight in fights]


def pulls_listed(pulls: Sequence[Pull]) -> str:
    """Return pulls in words, the last ones of many."""
    told = [f"pull {pull.fight} ({_label(pull)})" for pull in pulls[-LISTED:]]
    return ", ".join(
        ([f"{len(pulls)} pulls, the last of them"] if len(pulls) > LISTED else []) + told
    )


def _label(pull: Pull) -> str:
    parts = (pull.name, pull.difficulty, pull.ended, f"{pull.seconds:g} s", pull.day)
    return ", ".join(part for part in parts if part)


def premises(
    question: Question, night: Night, fights: Sequence[int], tongue: Tongue
) -> tuple[str, ...]:
    """Return what a question takes for granted and the log contradicts."""
    subject = question.subject
    if subject.last_night and not question.bosses:
        return (tongue.say("last_night", day=subject.day),)
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
        told = tongue.say("not_wipe", boss=named, list=_told(fitting, tongue))
        wipes = tongue.say("its_wipes", list=_told(others, tongue)) if others else ""
        return (told, *([wipes] if wipes else []))
    if question.kind == "kill" and not any(pull.kill for pull in fitting):
        return (tongue.say("not_kill", boss=named, list=_told(fitting, tongue)),)
    return ()


_KNOWN = ("kill", "wipe", "reset")
"""How a pull ends whose end is in the log."""


def _told(pulls: Sequence[Pull], tongue: Tongue) -> str:
    return "; ".join(
        f"{tongue.pull(pull)}{f', {pull.day}' if pull.day else ''}" for pull in pulls[-LISTED:]
    )
