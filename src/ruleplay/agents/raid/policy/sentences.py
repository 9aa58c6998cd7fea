"""Sentences of replies in the supported languages, and their formats of numbers and times."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ruleplay.agents.raid.domain.french import elided, signs
from ruleplay.agents.raid.domain.moments import read_part
from ruleplay.agents.raid.domain.overview import PullSummary, fold, words
from ruleplay.agents.raid.domain.subjects import pull_words

_ONE = re.compile(r"(?<![\d.,:\u202f])1 (?![dh]ps\b)(\w{2,})s\b")
"""A singular number followed by a plural noun, to be corrected."""
_ONE_IN_Y = re.compile(r"(?<![\d.,:])1 (\w{2,})ies\b")
"""The same in English of what ends in y: "1 tries"."""
_FIRST = re.compile(r"(?<![\d.,\u202f])1e\b")
LISTED = 6
PAIR = 2
"""Maximum number of names listed in a sentence."""


@cache
def _told() -> Mapping[str, Mapping[str, str]]:
    text = files("ruleplay.agents.raid.policy").joinpath("sentences.toml").read_text("utf-8")
    told: Mapping[str, Mapping[str, str]] = tomllib.loads(text)
    return told


@dataclass(frozen=True)
class Tongue:
    """One language's sentences; missing ones fall back to English."""

    language: str = "en"

    def say(self, key: str, **given: object) -> str:
        """Fill in a sentence template."""
        known = _told()
        form = known.get(self.language, {}).get(key) or known["en"][key]
        told = form.format(**{name: str(value) for name, value in given.items()})
        if self.language == "en":
            told = _ONE_IN_Y.sub(r"1 \1y", told)
        elif self.language == "fr":
            told = elided(told)
        return _FIRST.sub("1er", _ONE.sub(r"1 \1", told))

    def knows(self, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in _told()["en"]

    def level(self, difficulty: str) -> str:
        """Name a difficulty; keystones and LFR are the same in all languages."""
        return self.say(difficulty) if difficulty and self.knows(difficulty) else difficulty

    def measure(self, name: str) -> str:
        """Name a measure."""
        key = f"measure_{name}"
        return self.say(key) if self.knows(key) else name.replace("_", " ")

    def number(self, value: float) -> str:
        """Format a number in the language's notation."""
        text = (
            f"{value:,.0f}" if float(value).is_integer() or abs(value) >= 100 else f"{value:,.1f}"
        )
        return text.translate(signs(self.language))

    def percent(self, value: float) -> str:
        """Format a percentage."""
        text = f"{value:.1f}"
        return f"{text}%" if self.language == "en" else f"{text.replace('.', ',')} %"

    def time(self, seconds: float) -> str:
        """Format a duration: seconds, with minutes from one minute on."""
        whole = int(seconds + 0.5)
        plain = self.number(round(seconds, 1))
        return f"{plain} s" if seconds < 60 else f"{whole // 60}:{whole % 60:02}"

    def part(self, text: str) -> str:
        """Put a part of a pull, given in the tools' notation, into words; "" for the whole."""
        part = read_part(text)
        if part is None:
            return ""
        if part.phase:
            key = {1: "after_phase", -1: "before_phase"}.get(part.beside, "in_phase")
            return self.say(key, n=part.phase)
        if part.last:
            return self.say("last_seconds", time=self.time(part.last))
        if part.until is None:
            return self.say("from_second", time=self.time(part.since))
        return self.say("between", since=self.time(part.since), until=self.time(part.until))

    def pull(self, pull: PullSummary) -> str:
        """Describe a pull by boss, number, outcome and length."""
        level = f" ({self.level(pull.difficulty)})" if pull.difficulty else ""
        end, time = self.ending(pull), self.time(pull.seconds)
        return self.say("of", boss=f"{pull.name}{level}", n=pull.fight, end=end, time=time)

    def ending(self, pull: PullSummary) -> str:
        """Name a pull's outcome."""
        return self.say(self.ending_key(pull))

    def ending_key(self, pull: PullSummary) -> str:
        """Return the key of a pull's or match's outcome; logs that stop early have none."""
        key = f"ended_{pull.ended}"
        return key if self.knows(key) else "unfinished"

    def where(self, pulls: Iterable[PullSummary]) -> str:
        """Name what an answer covers: one pull, a number of pulls or, if none, the whole log."""
        some = list(pulls)
        if not some:
            return self.say("whole_log")
        if len(some) == 1:
            return self.pull(some[0])
        names = {pull.name for pull in some}
        levels = {self.level(pull.difficulty) for pull in some if pull.difficulty}
        told = [*names] if len(names) == 1 else []
        told += [*levels] if len(levels) == 1 else []
        whole = self.say("over", n=len(some))
        return f"{' '.join(told)}, {whole}" if told else whole

    def floors(self, stretches: Sequence[PullSummary]) -> str:
        """Tell how the run of a log without pulls ended, and how long it and its floors took.

        The first of `stretches` is the whole log.
        """
        whole, *floors = stretches
        most = max(floors, key=lambda one: one.seconds)
        each = ", ".join(f"{one.name.split()[-1]} {self.time(one.seconds)}" for one in floors)
        longest, time = most.name.split()[-1], self.time(most.seconds)
        run = {"place": floors[-1].instance, "all": len(floors), "clock": floors[0].clock}
        run["time"] = self.time(sum(one.seconds for one in floors))
        ended = self.say("run_done" if floors[-1].ended else "run_left", **run)
        given = {"n": longest, "time": time, "list": each, "clock": whole.clock}
        return f"{ended} {self.say('floors', **given, whole=self.time(whole.seconds))}"

    def names_floor(self, text: str) -> bool:
        """Whether a text speaks of floors, in its language or as the log calls them."""
        own = {fold(word) for word in (self.say("floor"), Tongue("en").say("floor"))}
        return any(word.removesuffix("s").removesuffix("n") in own for word in words(text))

    def names_log(self, text: str) -> bool:
        """Whether a text speaks of the log, by each language's last word for all of it."""
        own = {word for one in _told().values() for word in words(one["whole_log"])[-1:]}
        return bool(own & {*words(text)})

    def either(self, options: Sequence[str]) -> str:
        """Join options: "damage, healing or deaths"."""
        rest = ", ".join(options[:-1])
        return f"{rest} {self.say('or')} {options[-1]}" if rest else "".join(options)

    def listed(self, items: Iterable[str], most: int = LISTED) -> str:
        """Join items with commas; of many, the first ones: "and 1 more" is no shorter than it."""
        kept = list(items)
        most += len(kept) == most + 1
        more = self.say("and_more", n=len(kept) - most) if len(kept) > most else ""
        return ", ".join(kept[:most]) + more

    def joined(self, items: Sequence[str]) -> str:
        """Join items as a sentence does: "damage, healing and deaths"."""
        rest = ", ".join(items[:-1])
        return f"{rest} {self.say('and')} {items[-1]}" if rest else "".join(items)


def asked_number(text: str) -> int:
    """Parse how many rows a question asks for ("top 3", "the four best"); 0 if it does not say."""
    found = re.search(r"\b(\d{1,2})\b", text)
    # "The two pulls" and "us two" ask for no rows.
    spelt = (pull_words().numbers.get(one, 0) for one in words(text))
    return min(int(found[1]), 20) if found else next((one for one in spelt if one > PAIR), 0)
