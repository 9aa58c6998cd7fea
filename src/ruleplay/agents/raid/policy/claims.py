"""The check of a model's prose: a number passes for the metric, pull and player it was found for.

A sentence that names a pull is read against the values of that pull alone; one that names none only
where all values are of one pull. Differences, ratios, percentages and roundings that are told as
such are read by the foundation's claim reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ruleplay.agents.raid.domain import french
from ruleplay.agents.raid.domain.overview import Night, fold, plain_letters
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
_REPORT = re.compile(
    r",?\s*(?:\(report (\w{6,40})\)|\b(?:of|in|from) report (\w{6,40}))", re.IGNORECASE
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
_ONE = re.compile(
    r"(\b(?:was|is|were|are|had|has|did)|:)\s+(?:just |only )?one\b(?! of)", re.IGNORECASE
)
"""A lone "one" that states a value; the claim reader takes it for a pronoun."""
_TOLD_OTHERWISE = (
    (re.compile(r"\b(?:lasted|went on for|a duré)\b", re.IGNORECASE), "had a duration of"),
    (re.compile(r"\bhealed for\b", re.IGNORECASE), "had effective healing of"),
    (
        re.compile(r"\btook (\d[\d., ]*[km]?) (?:points of )?damage\b", re.IGNORECASE),
        r"had damage taken of \1",
    ),
    (
        re.compile(
            r",? *\b(?:into|during|in|of) (?:the|this) (?:pull|fight|attempt)(?=\s*(?:[,.;!?)]|$))"
        ),
        "",
    ),
)
"""Ways of telling that the claim reader takes for something else, in words that it knows."""
_DONE = ("damage_done", "damage_per_second", "effective_healing", "healing_per_second")
"""Kinds of what somebody does, which must not be told as what somebody gets."""
_RECEIVES = re.compile(
    r"\b(?:took|takes?|taking|suffer\w*|receiv\w*|los[et]s?|lost|absorb\w*|sustain\w*|endur\w*"
    r"|subi\w*|encaiss\w*|perd\w*|reçu\w*|reçoit|(?:was|were|got|being) (?:hit|struck|healed))\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|environ|presque)\b|~|≈", re.IGNORECASE
)
_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_COARSE = 10
"""Seconds and percentages under this are told with their decimals, or as being rounded."""
_TIME = re.compile(
    r",?\s*\b(?:at|after|à|après)\s+\d+(?::\d\d|[.,]\d+)?\s*(?:s|sec|secs|seconds?|secondes?)?"
    r"(?![\w.,:]*\d)(?:\s+into the pull)?"
)
_KILLER = re.compile(
    r",?\s*\b(?:(?:was |were )?killed by|to|by|from|par|tuée? par) (?:the )?[A-ZÀ-Ý][^\d,.;]*?"
    r"(?=\s+(?:at|after|à|après|on)\b|[,.;!]|$)"
)
_FIRST = ("died first", "first to die", "first death was", "first one to die", "first to fall")
_DIED = ("died", "dies", "was killed at", "fell at", "went down", "death of", "est mort", "meurt")
_KILLED = ("was killed by", "killed by", "died to", "killing blow", "tué par", "tuée par")
_RELATED = ("boss", "raid", "raider", "raiders", "tank", "tanks", "healer", "healers", "players")


def _measures() -> tuple[Measure, ...]:
    units: dict[str, str] = {"death": "s", "duration": "s"}
    names = {"death": "time of death", "time_between_pulls": "time between pulls"}
    for spec in SPECS:
        for metric in spec.metrics:
            units.setdefault(kind_of(metric, spec.name), metric.unit)
            names.setdefault(kind_of(metric, spec.name), metric.name)
    names.setdefault("duration", "duration")
    return tuple(
        Measure(
            kind=kind,
            units=(
                *_WORDS.get(kind, ()),
                kind.replace("_", " "),
                french.metric(names[kind]),
                *(("s",) if unit == "s" else ()),
            ),
            round_to=Decimal(1) if unit == "s" or unit.startswith("%") else None,
            rounds=True,
            counts=not unit and kind.endswith("s"),  # "died twice", not "twice a rank"
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
    by_id: dict[str, Known]
    checks: dict[Place, Check] = field(default_factory=dict)
    groups: dict[Place, tuple[Fact, ...]] = field(default_factory=dict)
    bosses: dict[Place, str] = field(default_factory=dict)

    @classmethod
    def of(cls, known: Sequence[Known], night: Night | None) -> Ledger:
        """Compile a turn's facts; it costs some milliseconds, so before a model talks."""
        by_id = {one.fact.id: one for one in known}
        made = cls(tuple(known), tuple(one.fact for one in known), by_id)
        for place in dict.fromkeys(one.place for one in known):
            mine = [one for one in known if one.place == place]
            boss = _boss(place, night)
            made.groups[place] = tuple(_unreported(one.fact) for one in mine)
            made.bosses[place] = boss
            made.checks[place] = checker(_lexicon(mine, known, night, boss))
            made.checks[place]("", made.groups[place])
        return made

    def check(self, sentence: str, facts: Sequence[Fact]) -> Reading:
        """Read one sentence of a model; `facts` are those the ledger was made of."""
        text = _ONE.sub(r"\1 1", CITATION.sub("", sentence))
        named = {(one or other).casefold() for one, other in _REPORT.findall(text)}
        spoken = normalise(text := _REPORT.sub("", text))
        pulls = {int(number) for number in _NAMED.findall(spoken)}
        night = _NIGHT.search(spoken) is not None
        places = [
            place
            for place in self.checks
            if (not pulls or place.fight in pulls)
            and (pulls or not night or place.fight is None)
            and (not named or place.report.casefold() in named)
        ]
        if strange := pulls - {place.fight for place in self.checks}:
            return Reading(problems=(f"no result of this answer is about pull {min(strange)}",))
        if not places:
            return checker(_lexicon((), (), None, ""))(text, ())
        readings = {place: self._read(text, place) for place in places}
        if len(pulls) > 1 and len(places) > 1:
            return _one_pull(readings)
        return _settled(readings)

    def _read(self, text: str, place: Place) -> Reading:
        facts = self.groups[place]
        for pattern, plain in _TOLD_OTHERWISE:
            text = pattern.sub(plain, text)
        whole = self.checks[place](text, facts)
        if whole.problems:
            told = _without_place(text, self.bosses[place])
            whole = self.checks[place](told, facts) if told != text else whole
            whole = self._death(told, place) if whole.problems else whole
        if not whole.problems and self._is_coarse(text, whole):
            return self._refused(whole, "a small value is rounded away")
        return whole if whole.problems else self._done_not_taken(text, whole)

    def _is_coarse(self, text: str, read: Reading) -> bool:
        """Whether a small value is told as the next whole number: 0.7 s as "1 s"."""
        if _HEDGED.search(text):
            return False
        told = {float(number) for number in _DECIMAL.findall(normalise(text).replace(",", "."))}
        values = (self.by_id[ident].finding for ident in read.tells)
        small = [
            one.value
            for one in values
            if isinstance(one.value, float) and one.unit[:1] in ("s", "%") and one.value < _COARSE
        ]
        return any(
            value not in told and any(n.is_integer() and abs(n - value) <= 0.5 for n in told)
            for value in small
        )

    def _says_of_what(self, text: str, read: Reading) -> bool:
        """Whether each number of an ability, buff, phase or target is told with its name."""
        told, named = fold(text), dict[object, bool]()
        for one in (self.by_id[ident] for ident in read.tells):
            about = (one.subject, one.finding.metric)
            good = not one.aspect or fold(one.aspect) in told
            named[about] = named.get(about, False) or good
        return all(named.values())

    def _refused(self, read: Reading, why: str) -> Reading:
        return Reading(problems=(why,), about=read.tells)

    def _death(self, text: str, place: Place) -> Reading:
        """Read "Aria died to Cave In at 83 s": of whom, by what and when, one after the other."""
        check, facts = self.checks[place], self.groups[place]
        timeless, bare = _TIME.sub("", text), _KILLER.sub(" died", text, count=1)
        bare = re.sub(r"\b(died|fell|was|went down|est mort)(.*?) died\b", r"died\2", bare, count=1)
        if text in (timeless, bare):
            return check(text, facts)
        first, second = check(_died_to(timeless), facts), check(bare, facts)
        both = tuple(dict.fromkeys((*first.tells, *second.tells)))
        subjects = {self.by_id[ident].subject for ident in both}
        whole = first.tells and second.tells and len(subjects) == 1
        return Reading(tells=both) if whole and not second.problems else check(text, facts)

    def _done_not_taken(self, text: str, read: Reading) -> Reading:
        """Refuse what somebody did where the words say that it was done to them."""
        done = [self.by_id[ident] for ident in read.tells]
        done = [one for one in done if one.fact.claims and one.fact.claims[0].kind in _DONE]
        received = bool(done and _RECEIVES.search(text))
        names = "|".join(re.escape(one.subject) for one in done if one.subject)
        if names and re.search(rf"\b(?:to|against|upon|onto|at|sur|contre)\s+(?:{names})\b", text):
            received = True
        told = "|".join(
            re.escape(self.by_id[i].subject) for i in read.tells if self.by_id[i].subject
        )
        if told and re.search(
            rf"\b(?:on|with|au|aux|avec|chez) (?:{told})\b(?! (?:pull|fight))", text, re.IGNORECASE
        ):
            return self._refused(read, "told the other way round")
        if not received:
            return read if self._says_of_what(text, read) else self._refused(read, "of what?")
        about = tuple(one.fact.id for one in done)
        return Reading(problems=("what was done is told as what was taken",), about=about)


def _died_to(text: str) -> str:
    """Return "died first, killed by X" as "died to X": the rest is read apart."""
    return re.sub(r"\b(?:died|fell)(?: first)?,? (?:was )?(?:killed by|to)\b", "died to", text)


def _settled(readings: Mapping[Place, Reading]) -> Reading:
    """Take the one place that carries a sentence; where it may be several, it has to say which.

    A sentence without checkable words is carried by all of them.
    """
    good = {place: one for place, one in readings.items() if not one.problems}
    telling = {place: one for place, one in good.items() if one.tells}
    if not telling:
        plain = len(good) == len(readings)
        return next(iter(good.values())) if plain else _worst(readings)
    place, one = next(iter(telling.items()))
    pulls = [other for other in readings if other.fight is not None]
    alone = len(telling) == 1 and (place.fight is None or len(pulls) == 1)
    if alone or len(readings) == 1:
        return one
    why = "the results are of several pulls or reports: say which"
    return Reading(problems=(why,), about=one.tells)


def _one_pull(readings: Mapping[Place, Reading]) -> Reading:
    """Refuse numbers in a sentence that names several pulls: whose they are is not plain."""
    if all(not one.problems and not one.tells for one in readings.values()):
        return next(iter(readings.values()))
    about = tuple(ident for one in readings.values() for ident in (*one.tells, *one.about))
    return Reading(problems=("one pull a sentence",), about=about[:4])


def _worst(readings: Mapping[Place, Reading]) -> Reading:
    """Return the reading that knows best what a refused sentence was about."""
    wrong = [one for one in readings.values() if one.problems]
    return max(wrong, key=lambda one: len(one.about))


def _unreported(fact: Fact) -> Fact:
    return fact.model_copy(update={"says": _REPORT.sub("", fact.says)})


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
        # Names are often typed without their accents.
        aliases = dict.fromkeys((member.name, plain_letters(name), plain_letters(member.name)))
        aliases.pop(name, None)
        entities[name] = Entity(name=name, kind="player", aliases=tuple(aliases))
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
            "On {object}, {subject} did {value} damage",
            "{subject} did {value} damage on {object}",
        ),
        "effective_healing": ("On {object}, {subject} did {value} healing",),
        "damage_taken": ("On {object}, the damage taken of {subject} was {value}",),
        "death": ("{subject} died at {value} on {object}",),
        "killed": ("On {object}, {subject} was killed by {value}",),
        "activity": ("The activity of {subject} on {object} was {value}",),
        "duration": ("The duration of {subject} was {value}",),
    },
    names=("Zarquon", "Quillathe", "Vexmire", "Tharkuun", "Pellam"),
)
"""How the hostile model words the analyst's claims."""
