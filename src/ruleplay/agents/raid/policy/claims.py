"""The check of a model's prose: a number passes for the metric, pull and player it was found for.

A sentence that names a pull is read against the values of that pull alone; one that names none only
where all values are of one pull. Differences, ratios, percentages and roundings that are told as
such are read by the foundation's claim reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ruleplay.agents.raid.domain.overview import Night
from ruleplay.agents.raid.domain.toolbox import SPECS
from ruleplay.agents.raid.policy.facts import Known, Place, kind_of
from ruleplay.foundation.claims import Check, Fact, Reading
from ruleplay.foundation.prose.checks import checker
from ruleplay.foundation.prose.lexicon import Entity, Lexicon, Measure, Outcome
from ruleplay.foundation.prose.phrasebook import Phrasebook
from ruleplay.foundation.prose.spelling import normalise

CITATION = re.compile(r"\s*\[\s*r\d+(?:\s*[,;]\s*r\d+)*\s*\]", re.IGNORECASE)
_PULL = (
    r"(?:pull|fight|attempt|try|wipe|kill|essai|tentative|combat)"
    r"\s*(?:n°|no\.?|#|number)?\s*(\d{1,3})\b"
)
_NAMED = re.compile(_PULL, re.IGNORECASE)
_IN = r"(?:on|in|during|for|of|from|over|at|sur|au|à|pendant|lors de|dans|du|de)"
_BARE = re.compile(rf"\(\s*{_PULL}\s*\)|\b{_IN}\s+(?:the\s+|le\s+|la\s+|l')?{_PULL}", re.IGNORECASE)
_OPENS = re.compile(rf"^(\W*){_PULL}\s*[:,–—-]\s*", re.IGNORECASE)
_NIGHT = re.compile(r"\b(?:over|of|on|in|for)\s+the (?:whole )?night\b,?", re.IGNORECASE)

_WORDS: dict[str, tuple[str, ...]] = {
    "damage_done": ("damage", "dmg", "dégâts"),
    "damage_done_by_pets": ("pet damage", "damage done by pets"),
    "damage_taken": ("damage taken", "dégâts subis"),
    "effective_healing": ("healing", "effective healing", "soins"),
    "overhealing": ("overhealing", "overheal", "surplus de soins"),
    "damage_per_second": ("dps", "damage per second", "damage/s"),
    "healing_per_second": ("hps", "healing per second", "healing/s"),
    "deaths": ("deaths", "death"),
    "activity": ("activity", "active"),
    "active_time": ("active time", "active for"),
    "interrupts": ("interrupts", "interrupt", "kicks"),
    "dispels": ("dispels", "dispel"),
    "uptime": ("uptime", "uptimes"),
    "boss_health": ("boss health", "health left"),
    "duration": ("duration", "length", "durée"),
    "death": ("time of death",),
    "power_gained": ("power gained",),
}
"""How kinds are spoken of besides their names."""
_TOLD_OTHERWISE = (
    (re.compile(r"\b(?:lasted|went on for|a duré)\b", re.IGNORECASE), "had a duration of"),
    (re.compile(r"\bhealed for\b", re.IGNORECASE), "had effective healing of"),
    (
        re.compile(r"\btook (\d[\d., ]*[km]?) (?:points of )?damage\b", re.IGNORECASE),
        r"had damage taken of \1",
    ),
    (re.compile(r",? *\b(?:into|during|in|of) (?:the|this) (?:pull|fight|attempt)\b"), ""),
)
"""Ways of telling that the claim reader takes for something else, in words that it knows."""
_FIRST = ("died first", "first to die", "first death was", "first one to die", "first to fall")
_DIED = ("died", "dies", "was killed at", "fell at", "went down", "death of", "est mort", "meurt")
_KILLED = ("was killed by", "killed by", "died to", "killing blow", "tué par", "tuée par")
_RELATED = ("boss", "raid", "raider", "raiders", "tank", "tanks", "healer", "healers", "players")


def _measures() -> tuple[Measure, ...]:
    units: dict[str, str] = {"death": "s", "duration": "s"}
    for spec in SPECS:
        for metric in spec.metrics:
            units.setdefault(kind_of(metric, spec.name), metric.unit)
    return tuple(
        Measure(
            kind=kind,
            units=(*_WORDS.get(kind, ()), kind.replace("_", " "), *(("s",) if unit == "s" else ())),
            round_to=Decimal(1) if unit == "s" or unit.startswith("%") else None,
            rounds=True,
        )
        for kind, unit in units.items()
    )


MEASURES = _measures()
OUTCOMES = (
    *(Outcome(phrase=phrase, kind="first_death") for phrase in _FIRST),
    *(Outcome(phrase=phrase, kind="killed") for phrase in _KILLED),
    *(Outcome(phrase=phrase, kind="death") for phrase in _DIED),
)


@dataclass(frozen=True)
class Ledger:
    """What a turn's prose may tell: facts by place, each with a check of its own."""

    known: tuple[Known, ...]
    facts: tuple[Fact, ...]
    places: dict[str, Place]
    checks: dict[Place, Check] = field(default_factory=dict)
    groups: dict[Place, tuple[Fact, ...]] = field(default_factory=dict)
    bosses: dict[Place, str] = field(default_factory=dict)

    @classmethod
    def of(cls, known: Sequence[Known], night: Night | None) -> Ledger:
        """Compile a turn's facts; it costs some milliseconds, so before a model talks."""
        places = {one.fact.id: one.place for one in known}
        made = cls(tuple(known), tuple(one.fact for one in known), places)
        for place in dict.fromkeys(places.values()):
            mine = [one for one in known if one.place == place]
            boss = _boss(place, night)
            made.groups[place] = tuple(one.fact for one in mine)
            made.bosses[place] = boss
            made.checks[place] = checker(_lexicon(mine, known, night, boss))
            made.checks[place]("", made.groups[place])
        return made

    def check(self, sentence: str, facts: Sequence[Fact]) -> Reading:
        """Read one sentence of a model; `facts` are those the ledger was made of."""
        text = CITATION.sub("", sentence)
        spoken = normalise(text)
        pulls = {int(number) for number in _NAMED.findall(spoken)}
        places = [p for p in self.checks if not pulls or p.fight in pulls]
        if pulls and not places:
            return Reading(problems=(f"no result of this answer is about pull {min(pulls)}",))
        if not places:
            return checker(_lexicon((), (), None, ""))(text, ())
        readings = [self._read(text, place, bool(pulls)) for place in places]
        return self._settled(readings, several=len(pulls) > 1)

    def _read(self, text: str, place: Place, named: bool) -> Reading:
        facts = self.groups[place]
        whole = self.checks[place](text, facts)
        if not whole.problems:
            return whole
        told = _without_place(text, self.bosses[place])
        return self.checks[place](told, facts) if told != text else whole

    def _settled(self, readings: Sequence[Reading], *, several: bool) -> Reading:
        """Take the one place that carries the sentence; several must not disagree silently."""
        good = [one for one in readings if not one.problems]
        telling = [one for one in good if one.tells]
        if not good:
            return max(readings, key=lambda one: len(one.about))
        if not telling:
            return good[0] if len(good) == len(readings) else _worst(readings)
        if len(readings) == 1:
            return telling[0]
        if several:
            return Reading(problems=("one pull a sentence",), about=telling[0].tells)
        why = "the results are of several pulls or reports: say which"
        return Reading(problems=(why,), about=telling[0].tells)


def _worst(readings: Sequence[Reading]) -> Reading:
    return next(one for one in readings if one.problems)


def cite(text: str, citations: tuple[str, ...]) -> str:
    """Put the results a piece of text rests on at its end, instead of those it names itself."""
    plain = CITATION.sub("", text)
    results = dict.fromkeys(ident.partition(".")[0] for ident in citations)
    if not results:
        return plain
    marks = " ".join(f"[{result}]" for result in results)
    body = plain.rstrip()
    return f"{body} {marks}{plain[len(body) :]}"


def _boss(place: Place, night: Night | None) -> str:
    pull = night.pull(place.fight) if night and night.code == place.report else None
    return pull.name if pull else ""


def _without_place(text: str, boss: str) -> str:
    """Return a sentence without the words that only say where it holds ("on pull 3 (Gruul)")."""
    told = text
    if boss:
        name = re.escape(boss)
        told = re.sub(rf"\s*\(\s*{name}(?:,\s*(?:wipe|kill|reset|unfinished))?\s*\)", "", told)
        told = re.sub(rf"\b(?:on|against|vs\.?|versus|sur|contre)\s+{name},?(?!')", "", told)
    for pattern, plain in _TOLD_OTHERWISE:
        told = pattern.sub(plain, told)
    told = _BARE.sub("", _OPENS.sub(r"\1", _NIGHT.sub("", told)))
    told = re.sub(r"^([\s>*#•-]*),\s*", r"\1", told)
    told = re.sub(r"[ \t]+([,.;:!?])", r"\1", re.sub(r"(?<=\S)[ \t]{2,}", " ", told))
    return _capitalised(told)


def _capitalised(text: str) -> str:
    at = next((place for place, char in enumerate(text) if char.isalpha()), 0)
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def _lexicon(
    mine: Iterable[Known], known: Iterable[Known], night: Night | None, boss: str
) -> Lexicon:
    """Return the words of one place: everybody who may be named, and what is measured."""
    entities: dict[str, Entity] = {}
    for member in night.members if night else ():
        name = night.plain(member.name) if night else member.name
        aliases = (member.name,) if name != member.name else ()
        entities[name] = Entity(name=name, kind="player", aliases=aliases)
    for one in (*mine, *known):
        if one.subject and one.subject not in entities:
            entities[one.subject] = _entity(one.subject, one.subject_kind, boss)
        if one.aspect and one.aspect not in entities:
            entities[one.aspect] = _entity(one.aspect, one.aspect_kind)
    for name in night.bosses if night else ():
        if name != boss:
            entities.setdefault(name, _entity(name, "boss"))
    return Lexicon(
        entities=tuple(entities.values()),
        outcomes=OUTCOMES,
        measures=MEASURES,
        words=(*_RELATED, "wipe", "kill", "pull", "try"),
    )


def _entity(name: str, kind: str, boss: str = "") -> Entity:
    if kind == "pull":
        aliases = ("the pull", "this pull", "the attempt", *((boss,) if boss else ()))
        return Entity(name=name, kind=kind, aliases=aliases)
    return Entity(name=name, kind=kind)


PHRASEBOOK = Phrasebook(
    phrasing={
        "damage_done": (
            "{subject} did {value} damage",
            "The damage of {subject} was {value}",
            "{subject}'s damage was {value}",
        ),
        "effective_healing": ("{subject} did {value} healing",),
        "damage_taken": ("The damage taken of {subject} was {value}",),
        "deaths": ("{subject} has {value} deaths",),
        "death": ("{subject} died at {value}",),
        "killed": ("{subject} was killed by {value}",),
        "activity": ("The activity of {subject} was {value}",),
        "duration": ("The duration of {subject} was {value}",),
    },
    names=("Zarquon", "Quillathe", "Vexmire", "Tharkuun", "Pellam"),
)
"""How the hostile model words the analyst's claims."""
