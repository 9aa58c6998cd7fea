"""Resolves what a question is about: bosses, pulls and nights, by any of their names.

Names are the report's own, in English, French and German, as well as nicknames and near misses.
What matches nothing, or more than one thing, is reported as such and never guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby, pairwise, takewhile
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict
from rapidfuzz import fuzz, process

from ruleplay.agents.raid.domain.overview import (
    MORNING,
    Night,
    PullSummary,
    fold,
    is_nickname,
    short_name,
    words,
)
from ruleplay.agents.raid.domain.persons import Meanings, calling_words, turned
from ruleplay.agents.raid.domain.reference.tables import boss_aliases, boss_names, encounters
from ruleplay.hearing.classifier import load
from ruleplay.hearing.encoder import is_everyday
from ruleplay.hearing.gaps import WORD, window

NEAR, NEAR_ELSEWHERE = 80, 88
"""Minimum similarity (0 to 100) of a word to a boss of this night, and of any other encounter."""
NEAR_PLACED = 70
"""The same for a boss of this night, if the word is placed where a boss is named ("on ...")."""
_ASKS = 85
"""Minimum similarity (0 to 100) of a misspelt question word to the right one."""
_PREFIX, _PREFIX_PLACED = 4, 3
"""Minimum length of a prefix that stands for a name; less is needed after "on"."""
_SHORTEST, _SHORTEST_ELSEWHERE = 5, 7
_LONGEST_PHRASE = 6
_SHORT_QUESTION = 8
"""Number of words up to which a question continues with the boss of the previous one."""
_SHARED = 3
"""Maximum number of encounters that share a name, as bosses return in later raids."""
_OWN_WORD = 4
"""Minimum length of a single word of a boss's name that identifies the boss by itself."""
_SURELY_PLAIN = 0.99
"""Confidence from which a word classified as naming nothing is not looked up."""
_SURE = 0.15
"""Confidence from which a word may stand in the place of a boss's name."""
_SPLIT = re.compile(r",| the | of | der | des | le | la ")


Numbers = Annotated[Mapping[str, int], BeforeValidator(turned)]


class Words(BaseModel):
    """The vocabulary by which raiders name pulls; weekdays are numbers, Monday = 0."""

    model_config = ConfigDict(frozen=True)

    difficulties: Meanings
    months: Numbers
    weekdays: Numbers
    places: Numbers
    numbers: Numbers
    tries: frozenset[str]
    last: frozenset[str]
    night: tuple[str, ...]
    nights: frozenset[str]
    after: tuple[str, ...]
    before: tuple[str, ...]
    at: frozenset[str]
    boss: frozenset[str]
    midnight: frozenset[str]
    idle: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """What a question is about.

    `missing` are named bosses that the night lacks; `unknown` is a name that matches nothing.
    `fights` are the pulls named, `pulls` all that fit; `open` says that the wording fits several.
    `lacking` names the criterion that no pull meets: "day", "difficulty", or "pull" for a
    neighbour.
    """

    bosses: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unknown: str = ""
    fights: tuple[int, ...] = ()
    pulls: tuple[int, ...] = ()
    difficulty: str = ""
    day: str = ""
    open: bool = False
    lacking: str = ""
    instance: str = ""
    """The dungeon that it names, if the night has several."""
    assumed: str = ""
    """Why the day was assumed: "last_night" if none was named, else the weekday that was."""


@cache
def pull_words() -> Words:
    """Load the vocabulary."""
    folder = files("ruleplay.agents.raid.domain.reference")
    told = tomllib.loads(folder.joinpath("pull_words.toml").read_text("utf-8"))
    return Words.model_validate(told | told["words"])


@cache
def question_words() -> frozenset[str]:
    """Collect the words of questions, which must not be taken for misspelt names."""
    known = pull_words()
    learnt = load("ruleplay.agents.raid", "names.bin").words
    return learnt | known.tries | {*known.weekdays} | {*known.months}


@lru_cache(4096)
def phrases(name: str, english: str = "") -> frozenset[str]:
    """Collect every way to name an encounter: folded, with single spaces between words."""
    found = {name, english or name}
    for one in tuple(found):
        if translated := boss_names().get(one):
            found |= {translated.fr, translated.de}
        found |= {alias.alias for alias in boss_aliases() if alias.name == one}
        # "Nexus-King" stands for the whole name.
        found |= {_SPLIT.split(one)[0], *(title for title in one.split()[:1] if "-" in title)}
    told = {" ".join(words(one)) for one in found}
    told |= {one.replace(" ", "") for one in told if len(one) > _OWN_WORD}
    return frozenset(one for one in told if len(one) > 1)


@lru_cache(maxsize=64)
def _of_night(pulls: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Map each phrase that identifies exactly one of the night's bosses to that boss."""
    found: dict[str, set[str]] = {}
    for name, english in pulls:
        own = phrases(name, english) - {*_shared_aliases()}
        single = {word for one in own for word in one.split() if len(word) >= _OWN_WORD}
        for phrase in own | single:
            found.setdefault(phrase, set()).add(name)
    return {phrase: names.pop() for phrase, names in found.items() if len(names) == 1}


@cache
def _elsewhere() -> dict[str, str]:
    """Map phrases to the encounters of all expansions, excluding question words."""
    found: dict[str, str] = {}
    for one in encounters().values():
        for phrase in phrases(one.name):
            if phrase in _aliases() or (len(phrase) > _OWN_WORD and phrase not in question_words()):
                found.setdefault(phrase, one.name)
    return found


@cache
def _single() -> dict[str, str]:
    """Map single words of encounter names to the encounter, if few encounters share the word."""
    found: dict[str, set[str]] = {}
    for one in encounters().values():
        for word in words(one.name):
            if len(word) >= _SHORTEST_ELSEWHERE and word not in question_words():
                found.setdefault(word, set()).add(one.name)
    return {word: min(names) for word, names in found.items() if len(names) <= _SHARED}


@cache
def _one_word_elsewhere() -> tuple[str, ...]:
    return tuple(one for one in _elsewhere() if len(one) >= _SHORTEST_ELSEWHERE and " " not in one)


@cache
def _aliases() -> frozenset[str]:
    return frozenset(" ".join(words(one.alias)) for one in boss_aliases())


def find_bosses(text: str, night: Night) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Find the bosses that a text names: those of this night, in order, and those it lacks."""
    mine = _of_night(tuple((pull.name, pull.english) for pull in night.pulls))
    people = {fold(short_name(member.name)) for member in night.members}
    plain = words(text)
    said = [word if word not in people else "" for word in plain]
    wings = _wings({*mine.values()})
    inside = _take(said, {wing: wing for wing in wings}, plain)
    said = _outside(said, (*night.zones, *_dungeons(night)))  # "Eye of Azshara" is no boss's name
    here = _take(said, mine, plain)
    here |= {at + n / 10: one for at, wing in inside.items() for n, one in enumerate(wings[wing])}
    there = _take(said, _elsewhere(), plain)
    if not here and not there:
        said = [word if word and not is_plain(plain, at) else "" for at, word in enumerate(said)]
        here, there = _near(said, mine), {}
    if not here and not there:
        there = _near_elsewhere(said)
    missing = dict.fromkeys(name for _, name in sorted(there.items()))
    found = dict.fromkeys(name for _, name in sorted(here.items()))
    return tuple(found), tuple(name for name in missing if name not in found)


def _outside(said: Sequence[str], zones: Iterable[str]) -> list[str]:
    """Blank the names of the night's own instances, also misspelt ones, which no boss has."""
    left = [*said]
    for name in map(words, zones):
        while (at := _zone_at(left, name)) >= 0:
            left[at : at + len(name)] = [""] * len(name)
    return left


def _zone_at(said: Sequence[str], name: Sequence[str]) -> int:
    """Find where words name an instance, misspelt ones too; -1 if nowhere."""
    starts = range(len(said) - len(name) + 1) if name else ()
    pairs = ((at, zip(said[at : at + len(name)], name, strict=True)) for at in starts)
    alike = (at for at, both in pairs if all(a and fuzz.ratio(a, b) >= _LIKE_ZONE for a, b in both))
    return next(alike, -1)


@cache
def _shared_aliases() -> Mapping[str, tuple[str, ...]]:
    """Map the names that several bosses share, as those of a wing do, to these bosses."""
    found: dict[str, list[str]] = {}
    for one in boss_aliases():
        found.setdefault(" ".join(words(one.alias)), []).append(one.name)
    return {alias: tuple(names) for alias, names in found.items() if len(names) > 1}


def _wings(bosses: Collection[str]) -> dict[str, list[str]]:
    """Map the wings of which the night has bosses to these."""
    found = {
        wing: [name for name in names if name in bosses]
        for wing, names in _shared_aliases().items()
    }
    return {wing: names for wing, names in found.items() if names}


def _take(said: list[str], known: Mapping[str, str], plain: Sequence[str]) -> dict[float, str]:
    """Match phrases, longest first, blanking their words in `said`; `plain` keeps all words."""
    found: dict[float, str] = {}
    for size in range(_LONGEST_PHRASE, 0, -1):
        for at in range(len(said) - size + 1):
            phrase = " ".join(said[at : at + size])
            taken = phrase in known and all(said[at : at + size])
            if taken and (size > 1 or not _is_other(phrase, known, plain, at)):
                found[at] = known[phrase]
                said[at : at + size] = [""] * size
    return found


def _is_other(word: str, known: Mapping[str, str], plain: Sequence[str], at: int) -> bool:
    """Whether a word at a place, though a boss's name, means something else there."""
    here = known is not _elsewhere()
    if word in _aliases():
        # "Loot council": an ordinary word, in no place of a name, and no boss of this night.
        placed = {*plain[max(0, at - 1) : at]} & (pull_words().at | calling_words().the)
        own = not here and word in words(known[word])
        return own and word in question_words() and not placed
    # "Felhounds" is nothing else where a boss of the night is called so; "grand" may be.
    called = here and word in phrases(known[word])
    return (not called or word in question_words()) and is_plain(plain, at)


def _near(said: Sequence[str], known: Mapping[str, str]) -> dict[float, str]:
    """Find the one boss of the night that a word of the text abbreviates or nearly spells."""
    for at, word in enumerate(said):
        placed = at > 0 and said[at - 1] in pull_words().at
        free = word not in question_words() and not (placed and _asks_nearly(word))
        if len(word) >= (_PREFIX_PLACED if placed else _PREFIX) and free:
            names = {name for phrase, name in known.items() if phrase.startswith(word)}
            if len(names) == 1:
                return {at: names.pop()}
    for at, word in enumerate(said):
        # "Plugg" for Thermaplugg: own bosses are meant before anybody else's.
        ends = {one for phrase, one in known.items() if phrase.endswith(word)}
        if len(word) > _PREFIX and len(ends) == 1 and word not in question_words():
            return {at: ends.pop()}
    for at, (word, after) in enumerate(pairwise(said)):
        joined = f"{word} {after}"
        names = {name for phrase, name in known.items() if phrase.startswith(joined)}
        if word and after and len(joined) >= _PREFIX and len(names) == 1:
            return {at: names.pop()}
    for at, word in enumerate(said):
        called = {one for phrase, one in known.items() if is_nickname(word, phrase)}
        if len(called) == 1 and word not in question_words() and not is_everyday(word):
            return {at: called.pop()}
    names_known = [phrase for phrase in known if len(phrase) >= _SHORTEST]
    return _closest(said, names_known, known, _SHORTEST, NEAR)


def _asks_nearly(word: str) -> bool:
    """Whether a word is a misspelt question word: "the boss we died on wat was it"."""
    return bool(
        process.extractOne(word, calling_words().asks, scorer=fuzz.ratio, score_cutoff=_ASKS)
    )


def _begun_elsewhere(said: Sequence[str], bosses: Iterable[str]) -> tuple[str, ...]:
    """Find a boss of another report by a prefix in the place where a boss is named."""
    known = {phrase: boss for boss in bosses for phrase in phrases(boss)}
    for before, word in pairwise(said):
        if (
            before in pull_words().at
            and len(word) >= _PREFIX_PLACED
            and word not in question_words()
        ):
            names = {boss for phrase, boss in known.items() if phrase.startswith(word)}
            if len(names) == 1:
                return tuple(names)
    return ()


def _near_elsewhere(said: Sequence[str]) -> dict[float, str]:
    for at, word in enumerate(said):
        # "Principal" is a title in a boss's name, but also "principal sort" (main spell) in French.
        if word in _single() and ((words(_single()[word])[0] == word) or _may_be_boss(said, at)):
            return {at: _single()[word]}
    known = _elsewhere()
    levels = {*pull_words().difficulties}
    for at, word in enumerate(said):
        # "jaina mythic": the word next to a difficulty is a boss.
        if {*said[max(0, at - 1) : at + 2]} & levels and len(word) >= _SHORTEST:
            near = {boss for phrase, boss in known.items() if word in phrase.split()}
            if 0 < len(near) <= _SHARED and word not in question_words():
                return {at: near.pop() if len(near) == 1 else word.title()}
    names = _one_word_elsewhere()
    for at, word in enumerate(said):
        if len(word) > _SHORTEST and word not in question_words():
            begun = {known[name] for name in names if name.startswith(word)}
            if len(begun) == 1 and _may_be_boss(said, at):
                return {at: begun.pop()}
    closest = _closest(said, names, known, _SHORTEST_ELSEWHERE, NEAR_ELSEWHERE)
    return {at: name for at, name in closest.items() if _may_be_boss(said, int(at))}


def is_plain(said: Sequence[str], at: int, sure: float = _SURELY_PLAIN) -> bool:
    """Whether a word stands, at least so surely, where no name does: "grand" in "grand mère"."""
    guess = load("ruleplay.agents.raid", "names.bin").read(window(said, at, at + 1))["name"][0]
    return guess.label == WORD and guess.sure >= sure


def _may_be_boss(said: Sequence[str], at: int) -> bool:
    """Whether a word stands where a boss may be named; not "strike" in "mortal strike"."""
    guesses = load("ruleplay.agents.raid", "names.bin").read(window(said, at, at + 1))["name"]
    return any(one.label == "boss" and one.sure >= _SURE for one in guesses)


def _closest(
    said: Sequence[str], names: Sequence[str], known: Mapping[str, str], shortest: int, cutoff: int
) -> dict[float, str]:
    best: tuple[float, int, str] | None = None
    for at, word in enumerate(said):
        if len(word) < shortest or word in question_words():
            continue
        placed = cutoff == NEAR and at > 0 and said[at - 1] in pull_words().at
        enough = NEAR_PLACED if placed else cutoff
        # Typos seldom affect the first letter: "blowing" is not the Abom Wing.
        alike = [name for name in names if name[:1] == word[:1]]
        near = process.extractOne(word, alike, scorer=fuzz.ratio, score_cutoff=enough)
        if near and (best is None or near[1] > best[0]):
            best = (near[1], at, known[near[0]])
    return {best[1]: best[2]} if best else {}


def find_unknown(text: str, night: Night) -> str:
    """Find a capitalised word in the place of a boss's name that matches nobody; "" if none."""
    people = {fold(short_name(member.name)) for member in night.members}
    at = "|".join(sorted(pull_words().at))
    for word in re.findall(rf"(?i:\b(?:{at})) ([A-ZÀ-Ý][\w'’-]{{3,}})", text):
        if fold(word) not in people and not set(words(word)) & question_words():
            return str(word)
    return ""


def in_zone(said: str, zones: Iterable[str]) -> tuple[str, ...]:
    """List the words of a folded text that name one of these instances, or begin its name."""
    known = {word for zone in zones for word in words(zone) if len(word) >= _OWN_WORD}
    return tuple(
        word
        for word in words(said)
        if len(word) >= _OWN_WORD
        and word not in question_words()
        and any(name.startswith(word) for name in known)
    )


def _nth_boss(said: str, night: Night) -> tuple[str, ...]:
    """Find a boss referred to by its position in the night: "the first boss"."""
    known = pull_words()
    for word, after in pairwise(words(said)):
        place = -1 if word in known.last else known.places.get(word, 0)
        if place and after in known.boss and abs(place) <= len(night.bosses):
            return (night.bosses[place if place < 0 else place - 1],)
    return ()


def resolve(
    text: str,
    night: Night,
    focus: int | None = None,
    kind: str = "",
    elsewhere: Iterable[str] = (),
) -> Subject:
    """Resolve what a text is about; `focus` is the pull discussed before.

    `kind` is "kill" or "wipe" if the text names a pull by its outcome; `elsewhere` are bosses of
    other reports.
    """
    said, (bosses, missing) = fold(text), _of_any_report(text, night, elsewhere)
    unknown = "" if bosses or missing else find_unknown(text, night)
    before = night.pull(focus)
    step = _step(said)
    if step and before and not bosses and not missing:
        return _beside(night, before, step)
    places = _places(said)
    if places and before and not bosses and not missing:
        bosses = (before.name,)
    instance, level = _dungeon(said, night) if not bosses else ("", "")
    difficulty, (day, guessed) = level or _difficulty(said, night), _day(said, night, bosses)
    # "On the heroic night" is about more than the boss spoken of before.
    follows = bool(difficulty or day) and not pull_words().nights & {*words(text)}
    follows = follows and len(words(text)) <= _SHORT_QUESTION and difficulty[:1] != "+"
    if follows and before and not bosses and not missing:
        there, lacks = _fitting(night, (before.name,), difficulty, day)
        bosses = (before.name,) if there and not lacks else ()
    fitting, lacking = _fitting(night, bosses, difficulty, day)
    if lacking == "day" and (only := _only_day(night, bosses, difficulty, day)):
        guessed, (fitting, lacking), day = day, _fitting(night, bosses, difficulty, only), only
    fitting = [pull for pull in fitting if instance in ("", pull.instance)]
    fitting = _since(hour, fitting) if (hour := _hour(said)) else fitting
    levels = _difficulties(said) if not difficulty else set()
    fitting = [pull for pull in fitting if pull.difficulty in levels] or fitting
    if places and before and before.name in bosses and not difficulty and not day:
        same = [pull for pull in fitting if _group(pull) == _group(before)]
        fitting = same or fitting
    # "Why'd we wipe the 1st" of tries that were given up counts these.
    ended = [pull for pull in fitting if not kind or pull.ended == kind] or fitting
    fights, open_ = _chosen_all(ended, places)
    # "The 3rd time" of the only pull counts what happened there.
    open_ = open_ and len(fitting) > 1
    if not fights and (now := _at_clock(said, fitting)):
        fights, bosses, open_ = (now.fight,), (now.name,), False
    return Subject(
        bosses=bosses,
        missing=missing,
        unknown=unknown,
        fights=fights,
        pulls=tuple(pull.fight for pull in fitting),
        difficulty=difficulty,
        day=day,
        open=open_,
        lacking=lacking,
        instance=instance,
        assumed=guessed,
    )


def _of_any_report(
    text: str, night: Night, elsewhere: Iterable[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Find the bosses named, those of this night and those it lacks, by name or by position."""
    bosses, missing = find_bosses(text, night)
    if not bosses and not missing:
        missing = _begun_elsewhere(words(text), set(elsewhere) - {*night.bosses})
    return bosses or (() if missing else _nth_boss(fold(text), night)), missing


def _only_day(night: Night, bosses: Sequence[str], difficulty: str, day: str) -> str:
    """Find the one day of such pulls if a weekday is named and the log does not tell its year."""
    pulls, lacking = _fitting(night, bosses, difficulty, "")
    days = {pull.day for pull in pulls if pull.weekday < 0}
    named = day in pull_words().weekdays and (bosses or difficulty) and not lacking
    return days.pop() if named and len(days) == 1 else ""


def _since(second: int, pulls: list[PullSummary]) -> list[PullSummary]:
    """Keep the runs of tries that lasted past a second of the night; all pulls if none did."""
    runs = groupby(enumerate(pulls), lambda one: (one[1].fight - one[0], _group(one[1])))
    tries = ([pull for _, pull in run] for _, run in runs)
    late = [run for run in tries if _on(_second(run[-1])) + run[-1].seconds > second]
    return [pull for run in late for pull in run] or pulls


def _hour(said: str) -> int:
    """Parse a time such as "midnight" or "11:45 pm" to a second of the night; 0 if none."""
    found = re.search(r"\b(1[0-2]|\d)(?::([0-5]\d) ?|(?=[ap]m))([ap])m\b", said)
    if not found:
        return DAY if pull_words().midnight & {*words(said)} else 0
    hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
    return _on((hour * MINUTE + int(found[2] or 0)) * MINUTE)


def _on(second: int) -> int:
    """Count seconds of the day on past midnight, until MORNING."""
    return second + DAY if second < MORNING else second


def _beside(night: Night, before: PullSummary, step: int) -> Subject:
    """Get the boss's next or previous pull, or the neighbouring pull if the boss has only one."""
    same = [pull.fight for pull in night.pulls if pull.name == before.name]
    at = same.index(before.fight) + step
    if 0 <= at < len(same):
        return Subject(bosses=(before.name,), fights=(same[at],), pulls=(same[at],))
    near = [pull for pull in night.pulls if pull.fight == before.fight + step]
    if near and len(same) == 1:
        return Subject(bosses=(near[0].name,), fights=(near[0].fight,), pulls=(near[0].fight,))
    return Subject(bosses=(before.name,), lacking="pull", pulls=tuple(same))


def _step(said: str) -> int:
    known = pull_words()
    if any(one in said for one in known.after):
        return 1
    return -1 if any(one in said for one in known.before) else 0


def without_step(said: str) -> str:
    """Remove the words that refer to the next or previous pull: "the try before"."""
    known = pull_words()
    for step in sorted((*known.after, *known.before), key=len, reverse=True):
        phrase = " ".join(words(step))
        if phrase in said:
            at = "|".join(sorted(known.at))
            return re.sub(rf"(?:\b(?:{at}) )?(?:\b(?:the|le|la|l|den|dem|der) )?{phrase}", "", said)
    return said


def _places(said: str) -> tuple[int, ...]:
    """List the tries meant: 1 for the first, -1 for the last; "the first two" are 1 and 2.

    Where one is named as a try, other ordinals before nothing else are tries too: "the 4th try
    against the 1st".
    """
    known = pull_words()
    parts = words(re.sub(rf"\b(?:{'|'.join(known.idle)})\b", "", said))
    tries, further = list[int](), list[int]()
    for at, word in enumerate(parts):
        place = _ordinal(word)
        counted = at > 0 and parts[at - 1].isdecimal() and not _many(parts, at)
        if not place or counted or _counts_nights(parts, at):
            continue  # "the first night" is a day; "20 second pulls" counts seconds
        near = [*takewhile(lambda one: one not in known.at, parts[at + 1 : at + 4])]
        ends = at == len(parts) - 1 and {*parts[max(0, at - 2) : at]} & (known.at | known.tries)
        count = _many(parts, at)
        every = range(1, count + 1) if place > 0 else range(-count, 0)
        meant = [*every] if count > 1 else [place]
        # "How much on the second?" means a try, but "the second" alone may be a person.
        if any({one, one.removesuffix("s"), f"{one[:-3]}y"} & known.tries for one in near) or ends:
            tries += meant
        elif {*parts[at - 1 : at]} & (calling_words().the | known.at):
            # Not "who died first on the second try".
            further += meant if not near or near[0] in calling_words().filler else []
    return tuple(dict.fromkeys([*tries, *further])) if tries else ()


def _counts_nights(parts: Sequence[str], at: int) -> bool:
    """Whether an ordinal counts nights: "the first night", "the last heroic night"."""
    known = pull_words()
    between = {*parts[at + 1 : at + 2]} & (known.tries | known.boss | known.at)
    return bool({*parts[at + 1 : at + (2 if between else 3)]} & known.nights)


def _ordinal(word: str) -> int:
    """Read an ordinal, also in the plural: "first", "premiers"; 0 if it is none."""
    known = pull_words()
    if {word, word.removesuffix("s")} & known.last:
        return -1
    return known.places.get(word, 0) or known.places.get(word.removesuffix("s"), 0)


def _many(parts: Sequence[str], at: int) -> int:
    """Read how many are meant by "the first two", "les 2 premiers"; 0 if no number says it."""
    known, place = pull_words().numbers, _ordinal(parts[at])
    beside = [*parts[at + 1 : at + 2], *(parts[at - 1 : at] if parts[at].endswith("s") else ())]
    found = (int(one) if one.isdecimal() else known.get(one, 0) for one in beside)
    return next((n for n in found if 1 < n < _FEW_TRIES), 0) if place in (1, -1) else 0


_LIKE_ZONE = 80
"""Similarity (0 to 100) from which each word of an instance's name is taken for it."""
_FEW_TRIES = 10
"""Below this many, "the first six" are tries that are looked at together."""


def names_others(text: str) -> bool:
    """Whether a text refers to other pulls: "on the others", "les autres boss"."""
    known, said = pull_words(), words(text)
    pulls = known.tries | {f"{one}s" for one in known.tries} | {"boss", "bosses", "bosse"}
    return any(
        {*said[at + 1 : at + 2]} & pulls
        or ({*said[max(0, at - 2) : at]} & known.at and not _is_named(said[at + 1 : at + 2]))
        for at, word in enumerate(said)
        if word in calling_words().other
    )


def asks_each(text: str) -> bool:
    """Whether a text asks for the figure of each pull: "per boss", "sur chaque essai"."""
    return _before_pulls(text, calling_words().per) or _pull_by_pull(text)


def asks_each_time(text: str) -> bool:
    """Whether a text asks of every occasion: "each time", "à chaque fois"."""
    return any(one in calling_words().per and two in _TIMES for one, two in pairwise(words(text)))


def asks_which_pull(text: str) -> bool:
    """Whether a text asks for one of the pulls: "which boss", "quel essai"."""
    return _before_pulls(re.sub(r"\bboss (?=abilit|spell|attack)", "", text), calling_words().asks)


def _pull_by_pull(text: str) -> bool:
    """Whether a text goes through the pulls one by one: "boss by boss", "try par try"."""
    pulls, said = pull_words().boss | pull_words().tries, words(text)
    return any(one == again and one in pulls for one, again in zip(said, said[2:], strict=False))


def _before_pulls(text: str, known: Collection[str]) -> bool:
    pulls = (pull_words().boss | pull_words().tries) - _TIMES
    return any(one in known and after in pulls for one, after in pairwise(words(text)))


_TIMES = frozenset(("one", "go", "time", "fois", "coup", "mal"))
"""Words for a pull that after "each" are none: "each time", "each one"."""


def _is_named(said: Sequence[str]) -> bool:
    """Whether a word says that "the other" is a person: "the other mage", "the other healer"."""
    known = calling_words()
    called = {word for one in said for word in (one, one.removesuffix("s"))}
    return bool(called & ({*known.classes} | {*known.roles} | known.people | known.adds))


def nth_pull(word: str, before: PullSummary, night: Night) -> int:
    """Find the same boss's pull of that night by an ordinal or number; 0 if there is none."""
    known = pull_words()
    place = -1 if word in known.last else known.places.get(word, 0)
    place = int(word) if word.isdecimal() and len(word) < 3 else place
    same = [pull for pull in night.pulls if _group(pull) == _group(before)]
    return (_chosen(same, place)[0] or (0,))[0]


def _at_clock(said: str, pulls: Sequence[PullSummary]) -> PullSummary | None:
    """Find the pull in progress at a time of day: "22:37", "22h37"."""
    found = re.search(r"\b([01]?\d|2[0-3])(?:h|:)([0-5]\d)\b", said)
    if not found:
        return None
    asked = (int(found[1]) * 60 + int(found[2])) * 60
    then = [pull for pull in pulls if 0 <= asked + MINUTE - _second(pull) <= pull.seconds + MINUTE]
    return then[0] if len(then) == 1 else None


MINUTE = 60


def _second(pull: PullSummary) -> int:
    """Second of the day at which a pull began; out of range if its clock is unknown."""
    parts = [int(one) for one in pull.clock.split(":") if one]
    return (parts[0] * MINUTE + parts[1]) * MINUTE + parts[2] if parts else 2 * DAY


DAY = 86_400


def _dungeon(said: str, night: Night) -> tuple[str, str]:
    """Find which of several dungeons a text names, in full or by initials, and the key's level.

    "eoa 16" is Eye of Azshara +16.
    """
    keys = {pull.difficulty for pull in night.pulls if pull.instance}
    instances, spoken = _dungeons(night), words(said)
    for instance in instances if len(instances) > 1 else ():
        own = words(instance)
        short = "".join(word[0] for word in own)
        begins = len(short) >= _INITIALS and short in spoken
        at = spoken.index(short) if begins else _zone_at(spoken, own)
        if at >= 0:
            behind = next(iter(spoken[at + (1 if begins else len(own)) :]), "")
            return instance, f"+{behind}" if f"+{behind}" in keys else ""
    return "", ""


def _dungeons(night: Night) -> tuple[str, ...]:
    """List the instances of the night's pulls."""
    return tuple(dict.fromkeys(pull.instance for pull in night.pulls if pull.instance))


_INITIALS = 3
"""Minimum number of words in a dungeon's name for its initials to count."""


def _difficulty(said: str, night: Night) -> str:
    level = re.search(r"\+ ?(\d{1,2})\b", said)
    if level:
        return f"+{level[1]}"
    named = _difficulties(said)
    if named:
        return named.pop() if len(named) == 1 else ""
    keys = {pull.difficulty for pull in night.pulls if pull.difficulty.startswith("+")}
    articles = "|".join(calling_words().the)
    units = "|".join(("%", r"s\b", "min", ":", "/", *pull_words().months))
    level = re.search(rf"\b(?:{articles}) (\d{{1,2}})\b(?! ?(?:{units}))", said)
    return f"+{level[1]}" if level and f"+{level[1]}" in keys else ""


def _difficulties(said: str) -> set[str]:
    """Collect all difficulties named, if need be misspelt: "normal vs heroic", "heroc"."""
    # "Mythic+" is the way of all keystones.
    known, parts = pull_words().difficulties, words(_KEYED.sub(" ", said))
    found = {name for word, name in known.items() if f" {word} " in f" {' '.join(parts)} "}
    long = [one for one in parts if len(one) >= _LONG_LEVEL and one not in question_words()]
    near = (process.extractOne(w, [*known], scorer=fuzz.ratio, score_cutoff=_LEVEL) for w in long)
    return found or {known[one[0]] for one in near if one}


_KEYED = re.compile(r"\b\w+ ?\+(?!\d)")
_LONG_LEVEL, _LEVEL = 5, 82
"""Minimum length of a misspelt difficulty, and its similarity (0 to 100) to the word meant."""


def _day(said: str, night: Night, bosses: Iterable[str]) -> tuple[str, str]:
    """Find the day named, such as `3/5`, and why it was assumed: see `Subject.assumed`.

    "The first night" counts among the nights of the bosses named.
    """
    months = pull_words().months
    names = "|".join(sorted(months, key=len, reverse=True))
    found = re.search(rf"\b(\d{{1,2}})(?:st|nd|rd|th|er)?\.? (?:of )?({names})\b", said)
    turned = re.search(rf"\b({names}) (\d{{1,2}})(?:st|nd|rd|th)?\b", said)
    plain = re.search(r"\b(\d{1,2})/(\d{1,2})\b", said)
    if found:
        return f"{months[found[2]]}/{int(found[1])}", ""
    if turned:
        return f"{months[turned[1]]}/{int(turned[2])}", ""
    if plain:
        return f"{int(plain[1])}/{int(plain[2])}", ""
    days = [pull.day for pull in night.pulls if pull.day]
    mine = [*dict.fromkeys(p.day for p in night.pulls if p.day and p.name in bosses)] or days
    level, parts = _difficulty(said, night), words(said)
    mine = [p.day for p in night.pulls if p.day and p.difficulty == level] if level else mine
    mine = [*dict.fromkeys(mine)]
    for at, word in enumerate(parts):
        # "Last night" alone may not be the log's last, which is then said.
        place = _ordinal(word) if level else pull_words().places.get(word, 0)
        if place and _counts_nights(parts, at) and place <= len(mine):
            return mine[place - 1 if place > 0 else place], ""
    named = next((one for one in words(said) if one in pull_words().weekdays), "")
    if named:
        weekday = pull_words().weekdays[named]
        on_it = [pull.day for pull in night.pulls if pull.weekday == weekday]
        return (on_it or [named])[-1], ""
    meant = len(set(days)) > 1 and any(one in said for one in pull_words().night)
    return (days[-1], "last_night") if meant else ("", "")


def _fitting(
    night: Night, bosses: Iterable[str], difficulty: str, day: str
) -> tuple[list[PullSummary], str]:
    """Filter the night's pulls; also name the criterion that no pull meets, "" if all are met."""
    names, lacks = set(bosses), ""
    pulls = [pull for pull in night.pulls if not names or pull.name in names]
    for lacking, wanted in (("difficulty", difficulty), ("day", day)):
        values = {pull.fight: pull.day if lacking == "day" else pull.difficulty for pull in pulls}
        kept = [pull for pull in pulls if values[pull.fight] == wanted]
        if wanted and any(values.values()):
            lacks = lacks or ("" if kept else lacking)
            pulls = kept or pulls
    return pulls, lacks


def _chosen(pulls: Sequence[PullSummary], place: int) -> tuple[tuple[int, ...], bool]:
    """Pick the try meant; ambiguous if several bosses, difficulties or nights have such a try."""
    if not place or not pulls:
        return (), False
    if place < 0:
        return ((pulls[place].fight,) if -place <= len(pulls) else (), False)
    if len({_group(pull) for pull in pulls}) > 1:
        firsts = {_group(pull): pull for pull in reversed(pulls)}
        counts = {group: sum(_group(p) == group for p in pulls) for group in firsts}
        able = [group for group, count in counts.items() if count >= place]
        if len(able) != 1:
            return (), True
        pulls = [pull for pull in pulls if _group(pull) == able[0]]
    return ((pulls[place - 1].fight,), False) if place <= len(pulls) else ((), True)


def _chosen_all(
    pulls: Sequence[PullSummary], places: Sequence[int]
) -> tuple[tuple[int, ...], bool]:
    """Pick the tries meant, of which one boss's tries may have fewer."""
    each = [_chosen(pulls, place) for place in places]
    fights = tuple(dict.fromkeys(fight for found, _ in each for fight in found))
    return fights, bool(each) and not fights and each[0][1]


def _group(pull: PullSummary) -> tuple[str, str, str]:
    return (pull.name, pull.difficulty, pull.day)
