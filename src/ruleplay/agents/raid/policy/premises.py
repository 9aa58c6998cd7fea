"""What has to be said before an answer: a subject that is not there, and what did not happen."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.raid.domain.overview import Night, Pull
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
