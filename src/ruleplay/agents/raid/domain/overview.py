"""What can be asked about: the stored reports, and the pulls and players of one night."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import groupby

from anyascii import anyascii
from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Prefix

MORNING = 6 * 3600
"""Second of the day before which a pull still belongs to the previous evening."""
_WORD = re.compile(r"[^\W_]+")


OURS, ENEMY = "our side", "enemy"
"""The sides of a match: the logger's own, and the other one."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class PullSummary(_Frozen):
    """A try at a boss; `clock` is the wall clock of its start, `boss_hp` what was left, 0 to 1."""

    fight: int
    name: str
    kill: bool
    ended: str
    seconds: float
    clock: str = ""
    boss_hp: float | None = None
    players: int = 0
    start_s: float = 0
    english: str = ""
    """The encounter's English name, if the log is in another language."""
    difficulty: str = ""
    """normal, heroic, mythic, LFR, or a keystone's level such as +16."""
    day: str = ""
    """Month and day such as 3/5; a night is dated by the day on which it began."""
    instance: str = ""
    """English name of the dungeon or raid, if known."""
    ours: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()
    """Of a match with few players: who was on which side, as its own lines tell."""
    weekday: int = -1
    """Day of the week, Monday = 0; -1 if the log does not state the year."""
    end_clock: str = ""
    """Wall clock of its end, which `clock` and `seconds`, each rounded, miss by one at times."""


class Member(_Frozen):
    """A player of a night."""

    name: str
    class_name: str = ""
    spec: str = ""
    role: str = ""
    """The player's main role over the night."""
    unlike: dict[int, str] = Field(default_factory=dict)
    """Pull number -> role, for pulls where the role differed."""
    pulls: tuple[int, ...] = ()
    """The pulls the player took part in, if the log lists participants."""
    foe: bool = False
    """Whether the player is on the opposing team, in an arena or battleground."""
    team: int | None = None
    """The team in the arena, 0 or 1, if the log states it and it stayed the same."""


class Report(_Frozen):
    """A report as lists show it."""

    code: str
    title: str
    started: str = ""
    zone: str = ""
    bosses: tuple[str, ...] = ()


class Night(_Frozen):
    """One report: its pulls in order, and who was there."""

    code: str
    title: str
    started: str = ""
    zone: str = ""
    verified: bool = True
    owner: str = ""
    pulls: tuple[PullSummary, ...] = ()
    stretches: tuple[PullSummary, ...] = ()
    """What a log without pulls has instead: the whole of it, and its floors; `name` names each."""
    judged: bool = False
    """Whether it is inferred from the deaths who won its arenas, since no line tells."""
    zones: tuple[str, ...] = ()
    """English names of the instances of its pulls."""
    abilities: tuple[str, ...] = ()
    """Abilities of the log that the question names."""
    creatures: tuple[str, ...] = ()
    """Hostile non-boss creatures of the log that the question may name."""
    pets: tuple[str, ...] = ()
    """Pets and guardians of the log, if the question excludes something."""
    names: frozenset[str] | None = None
    """Words of the question that occur in some name of the log (abilities, creatures).

    None if they were not looked up.
    """
    members: tuple[Member, ...] = ()
    blind: bool = False
    """Whether its log has no damage, healing or casts, only pulls and deaths."""
    listed: bool = False
    """Whether the tables of consumables and cooldowns apply to the log's client."""

    def pull(self, fight: int | None) -> PullSummary | None:
        """Get a pull by its number."""
        return next((pull for pull in self.pulls if pull.fight == fight), None)

    def plain(self, text: str) -> str:
        """Shorten players' names in a text to what people say, without the realm."""
        if "-" not in text or not self._realmed:
            return text
        return self._realmed.sub(lambda name: short_name(name[0]), text)

    @cached_property
    def _realmed(self) -> re.Pattern[str] | None:
        """A pattern for names with a realm, except those that are ambiguous without it."""
        shared = Counter(short_name(member.name) for member in self.members)
        names = [m.name for m in self.members if "-" in m.name and shared[short_name(m.name)] == 1]
        longest = sorted(names, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest))) if names else None

    @property
    def bosses(self) -> tuple[str, ...]:
        """Names of the bosses attempted, in the order of their first pull."""
        return tuple(dict.fromkeys(pull.name for pull in self.pulls))


class Overview(_Frozen):
    """All reports, newest first, and the night that is spoken of; None while there is none."""

    reports: tuple[Report, ...] = ()
    night: Night | None = None


_SIDES = {"enemies": ENEMY, "enemy": ENEMY, "theirs": ENEMY, "our side": OURS, "ours": OURS}


def side_given(argument: str) -> str:
    """Find the side that stands in place of a name; empty if it is one."""
    return _SIDES.get(fold(argument), "")


@lru_cache(8192)  # a result of thousands of rows has few names
def fold(text: str) -> str:
    """Normalise text for comparison: Latin letters, lower case, no accents, single spaces.

    "Висмарк" becomes "vismark", which is how players on other keyboards type it.
    """
    return " ".join(anyascii(text).casefold().split())


def words(text: str) -> list[str]:
    """Split a text into its folded words and numbers."""
    return _WORD.findall(fold(text))


def short_name(name: str) -> str:
    """Strip the realm from a player's name."""
    return name.partition("-")[0]


def named_players(text: str, members: Iterable[Member]) -> tuple[str, ...]:
    """Find the members that a text names, in the text's order; whole words, any case and accents.

    A possessive may lack its apostrophe: "Arias damage".
    """
    members, said = tuple(members), words(text)
    keys = {fold(short_name(member.name)) for member in members}
    places: dict[str, int] = {}
    for place, (word, after) in enumerate(zip(said, [*said[1:], ""], strict=False)):
        ends = word not in keys and word[-1:] == "s" and word[:-1] in keys
        owns = ends and (len(word) > _SHORT + 1 or bool(_OWNED.fullmatch(after)))
        key = word[:-1] if owns else word
        for member in members if key in keys else ():
            if fold(short_name(member.name)) == key:
                places.setdefault(member.name, place)
    return tuple(sorted(places, key=lambda name: places[name]))


_OWNED = re.compile(
    r"damage|d[mp][gs]|hps|heal\w*|overheal\w*|gear|c(ooldown|d)s|parses?|performance|numbers|low|bad"
    r"|poor|mana|activity|rotation|deaths?|uptime|consumables|play|output|rage|energy"
)
"""Words after which a trailing s of the preceding name is read as a possessive."""


def shortened_players(text: str, members: Iterable[Member]) -> tuple[str, ...]:
    """Find members whose name alone starts with some word (four letters or more) of the text.

    Question words must be removed from the text beforehand: "mage" begins many a name.
    """
    names = {fold(short_name(member.name)): member.name for member in members}
    found: dict[str, None] = {}
    for word in map(fold, re.findall(r"[^\W\d_]{4,}", text)):
        longer = [name for name in names if name.startswith(word) and name != word]
        found |= {names[longer[0]]: None} if len(longer) == 1 else {}
    return tuple(found)


def is_nickname(word: str, name: str) -> bool:
    """Whether a word is the beginning of a name with up to two other letters: "fracty"."""
    begun = Prefix.similarity(word, name)
    # "Faerie" is no Faerlina: a longer ending needs a longer beginning.
    more = min(_NICKNAME, begun - _SHORT + 1)
    return 0 < len(word) - begun <= more and len(name) > len(word)


_NICKNAME = 2
"""Letters that a nickname puts behind the beginning of a name."""


def misspelt_players(text: str, members: Iterable[Member]) -> tuple[str, ...]:
    """Find members whose name a word of a text misspells or transcribes otherwise, if it is sure.

    "Castielka" is Кастиэлка. Of two names alike, neither is meant for sure. The text must have no
    words that people use for anything else.
    """
    names = {fold(short_name(member.name)): member.name for member in members}
    found: dict[str, None] = {}
    for word in map(fold, re.findall(rf"[^\W\d_]{{{_SHORT + 1},}}", text)):
        near = process.extract(word, [*names], scorer=fuzz.ratio, limit=2)
        first, second = [*((name, score) for name, score, _ in near), ("", 0.0), ("", 0.0)][:2]
        # A name with letters added is somebody else's, or another character of the same player.
        if first[1] >= _ALIKE and first[1] - second[1] > _APART and first[0] not in word:
            found |= {names[first[0]]: None}
        called = [name for name in names if is_nickname(word, name)]
        if len(called) == 1 and first[1] < _ALIKE:
            found |= {names[called[0]]: None}
    return tuple(found)


_ALIKE, _APART = 85, 6
"""Minimum similarity (0 to 100) of a misspelt name, and by how much it must lead the next."""
_SHORT = 4
"""Names up to this length may end in an s of their own, so a possessive needs more evidence."""


def near_players(text: str, members: Iterable[Member]) -> tuple[str, ...]:
    """Suggest members whose name resembles a capitalised word of a text that names nobody."""
    names = {fold(short_name(member.name)): member.name for member in members}
    asked = [fold(word) for word in re.findall(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z][^\W\d_]+", text)]
    near = [hit for word in asked for hit in get_close_matches(word, list(names), 2, 0.75)]
    return tuple(dict.fromkeys(names[hit] for hit in near))


def spans_of(fights: Sequence[int]) -> str:
    """Write pulls in the tools' notation: "3, 5-8"."""
    runs = [
        [pull for _, pull in run]
        for _, run in groupby(enumerate(sorted(fights)), lambda pair: pair[1] - pair[0])
    ]
    return ", ".join(str(one[0]) if len(one) == 1 else f"{one[0]}-{one[-1]}" for one in runs)


def said_pulls(fights: Sequence[int]) -> str:
    """Write pulls as people say them: "pull 7", "pulls 3, 5-8"."""
    return f"pull{'s' if len(fights) > 1 else ''} {spans_of(fights)}"
