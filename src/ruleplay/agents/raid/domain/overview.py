"""What there is to ask about: the reports, and one night's pulls and players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property, lru_cache

from anyascii import anyascii
from pydantic import BaseModel, ConfigDict, Field

MORNING = 6 * 3600
"""The second of the day until which it is still the night before."""
_WORD = re.compile(r"[^\W_]+")


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
    """The encounter's English name, where the log has another."""
    difficulty: str = ""
    """normal, heroic, mythic, LFR, or a keystone's level as +16."""
    day: str = ""
    """Month and day as 3/5; a night belongs to the day on which it began."""
    instance: str = ""
    """The dungeon or raid, by its English name, where it is known."""
    weekday: int = -1
    """The day of the week, Monday is 0; -1 where the log does not tell the year."""

    @property
    def title(self) -> str:
        """The pull in words: `pull 3 (Gruul the Dragonkiller, wipe)`."""
        return f"pull {self.fight} ({self.name}, {self.ended or 'wipe'})"


class Member(_Frozen):
    """A player of a night."""

    name: str
    class_name: str = ""
    spec: str = ""
    role: str = ""
    """The role over the night."""
    unlike: dict[int, str] = Field(default_factory=dict)
    """The role in pulls where it was another, by pull."""
    pulls: tuple[int, ...] = ()
    """The pulls where it was, if the log lists who was there."""
    foe: bool = False
    """Whether it is one of the other team's, in an arena or a battleground."""


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
    zones: tuple[str, ...] = ()
    """Instances of its pulls, by their English names."""
    abilities: tuple[str, ...] = ()
    """Abilities of the log that the question names."""
    creatures: tuple[str, ...] = ()
    """Hostile creatures of the log, no bosses, that the question may name."""
    pets: tuple[str, ...] = ()
    """Pets and guardians of the log, where the question leaves something out."""
    names: frozenset[str] | None = None
    """Words of the question that are in some name of the log: an ability's, a creature's.

    None where they were not looked up.
    """
    members: tuple[Member, ...] = ()
    listed: bool = False
    """Whether the lists of consumables and cooldowns are those of the log's client."""

    def pull(self, fight: int | None) -> PullSummary | None:
        """Return a pull by its number."""
        return next((pull for pull in self.pulls if pull.fight == fight), None)

    def plain(self, text: str) -> str:
        """Return a text with players' names as people say them: without the realm."""
        if "-" not in text or not self._realmed:
            return text
        return self._realmed.sub(lambda name: short_name(name[0]), text)

    @cached_property
    def _realmed(self) -> re.Pattern[str] | None:
        """What finds names with a realm, but for those that two players share without it."""
        shared = Counter(short_name(member.name) for member in self.members)
        names = [m.name for m in self.members if "-" in m.name and shared[short_name(m.name)] == 1]
        longest = sorted(names, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest))) if names else None

    @property
    def bosses(self) -> tuple[str, ...]:
        """The names of the bosses that were tried, in the order of their first pull."""
        return tuple(dict.fromkeys(pull.name for pull in self.pulls))


class Overview(_Frozen):
    """All reports, newest first, and the night that is spoken of; None while there is none."""

    reports: tuple[Report, ...] = ()
    night: Night | None = None


@lru_cache(8192)  # a result of thousands of rows has few names
def fold(text: str) -> str:
    """Return text for comparing: Latin letters in lower case, no accents, single spaces.

    "Висмарк" is "vismark", as those write who play beside him.
    """
    return " ".join(anyascii(text).casefold().split())


def words(text: str) -> list[str]:
    """Return the folded words and numbers of a text."""
    return _WORD.findall(fold(text))


def short_name(name: str) -> str:
    """Return a player's name without the realm."""
    return name.partition("-")[0]


def named_players(text: str, members: Iterable[Member]) -> tuple[str, ...]:
    """Return the members a text names, in its order; whole words only, any case and accents.

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
"""What follows a player's name with an s that stands for a possessive."""


def shortened_players(text: str, members: Iterable[Member]) -> tuple[str, ...]:
    """Return members of whom a text has four letters or more that only their name begins with.

    The text is to be without words of questions: "mage" begins many a name.
    """
    names = {fold(short_name(member.name)): member.name for member in members}
    found: dict[str, None] = {}
    for word in map(fold, re.findall(r"[^\W\d_]{4,}", text)):
        longer = [name for name in names if name.startswith(word) and name != word]
        found |= {names[longer[0]]: None} if len(longer) == 1 else {}
    return tuple(found)


_SHORT = 4
"""Letters of a name that may end in an s of its own."""


def near_players(text: str, members: Iterable[Member]) -> tuple[str, ...]:
    """Return members whose name is nearly a capitalised word of the text, which names none."""
    names = {fold(short_name(member.name)): member.name for member in members}
    asked = [fold(word) for word in re.findall(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z][^\W\d_]+", text)]
    near = [hit for word in asked for hit in get_close_matches(word, list(names), 2, 0.75)]
    return tuple(dict.fromkeys(names[hit] for hit in near))
