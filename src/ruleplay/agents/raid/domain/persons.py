"""Resolves who a class or role refers to: "the pally tank", "le démo", "all but the healers"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise, takewhile
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict
from rapidfuzz import fuzz

from ruleplay.agents.raid.domain.overview import Member, fold, words

TANK_SPECS = frozenset(("Blood", "Protection", "Guardian", "Brewmaster", "Vengeance"))
NEAR_BY = 2
"""Maximum distance in words between an article and a class, or between a class and a role."""
_SPEC = 3
"""Minimum number of letters for a spec's abbreviation beside a class: "resto druid"."""
NEARLY, LIKE = 4, 88
"""Letters that words must exceed to be recognised misspelt, and their similarity (0 to 100)."""
_EXCEPTED = 6
"""Number of words after "but for" that may name an excluded role."""
_US = frozenset(("us", "nous", "uns"))
_WE = frozenset(("we", "on", "wir", *_US))
_EVERY = 3
"""Maximum number of players that a word may refer to together."""


def turned(told: object) -> object:
    """Invert a table of meaning -> words into word -> meaning; other values pass unchanged."""
    return (
        {word: name for name, ways in told.items() for word in ways}
        if isinstance(told, dict)
        else told
    )


def _pattern(ways: object) -> object:
    return re.compile(rf"\b(?:{'|'.join(map(str, ways))})\b") if isinstance(ways, list) else ways


Meanings = Annotated[Mapping[str, str], BeforeValidator(turned)]
Ways = Annotated[re.Pattern[str], BeforeValidator(_pattern)]


class CallingWords(BaseModel):
    """The table: classes and roles by their words."""

    model_config = ConfigDict(frozen=True)

    classes: Meanings
    roles: Meanings
    the: frozenset[str]
    several: frozenset[str]
    one: frozenset[str]
    pronouns: frozenset[str]
    other: frozenset[str]
    pets: frozenset[str]
    people: frozenset[str]
    anybody: frozenset[str]
    filler: frozenset[str]
    there: frozenset[str]
    doing: frozenset[str]
    denies: frozenset[str]
    opens: frozenset[str]
    swings: frozenset[str]
    adds: frozenset[str]
    any_add: frozenset[str]
    average: frozenset[str]
    percent: frozenset[str]
    per: frozenset[str]
    joins: frozenset[str]
    asks: frozenset[str]
    placed: frozenset[str]
    amounts: frozenset[str]
    beside: frozenset[str]
    counted: frozenset[str]
    number: frozenset[str]
    lowest: Ways
    worst: Ways
    gap: Ways
    afterwards: Ways
    ours: Ways
    theirs: Ways
    sides: Ways
    lives: Ways
    best: Ways
    highest: Ways
    longest: Ways
    shortest: Ways
    back: Ways
    suffers: Ways
    kills: Ways
    onto: Ways
    both: Ways
    further: Ways
    struck: Ways
    why: frozenset[str]
    it: frozenset[str]
    excepting: frozenset[str]
    wishing: frozenset[str]
    oneself: frozenset[str]
    present: frozenset[str]
    presented: frozenset[str]

    @cached_property
    def except_(self) -> re.Pattern[str]:
        """Matches an exclusion ("without") and everything after it."""
        return re.compile(rf"\b(?:{'|'.join(self.excepting)})\b(.*)")

    @cached_property
    def wishes(self) -> re.Pattern[str]:
        """Matches first-person phrases that say nothing about the player: "I'd like"."""
        return re.compile(rf"\b(?:i|je|j|ich)(?:'?d)?[ ']+(?:{'|'.join(self.wishing)})\b")


@dataclass(frozen=True)
class Called:
    """Players referred to by class or role; `called` is the phrase used, "" if there was none."""

    players: tuple[str, ...] = ()
    called: str = ""
    roles: tuple[str, ...] = ()
    several: bool = False
    """Whether all matching players are meant: "les mages"."""

    @property
    def open(self) -> bool:
        """Whether the reference is unresolved: nobody fits, or too many where one is meant."""
        fit = len(self.players) <= _EVERY or self.several
        return bool(self.called) and not (self.players and fit)


@cache
def calling_words() -> CallingWords:
    """Load the table of words."""
    folder = files("ruleplay.agents.raid.domain.reference")
    told = tomllib.loads(folder.joinpath("calling_words.toml").read_text("utf-8"))
    return CallingWords.model_validate(told | told["words"])


def called(text: str, members: Sequence[Member]) -> Called:
    """Resolve a class in a text, narrowed by a role or spec next to it."""
    known, said = calling_words(), words(text)
    articles = known.the | known.other
    for at in range(len(said)):
        for size in (3, 2, 1):
            phrase = " ".join(said[at : at + size])
            name = known.classes.get(phrase) or known.classes.get(phrase.removesuffix("s"))
            beside = {*said[max(0, at - NEAR_BY) : at], *said[at + size : at + size + NEAR_BY]}
            roles = {known.roles[word] for word in beside if word in known.roles}
            mine = {fold(m.spec) for m in members if m.class_name == name}
            short = {one for one in beside if len(one) >= _SPEC and one not in known.the}
            specs = {spec for spec in mine if any(spec.startswith(one) for one in short)}
            several = phrase not in known.classes or bool(known.several & beside)
            stands = several or articles & {*said[max(0, at - NEAR_BY) : at]}
            if not name or not (roles or specs or stands):
                continue
            every = [one for one in members if one.class_name == name]
            every = [one for one in every if one.pulls] or every  # not who only passed by
            fitting = [one for one in every if not one.foe] or every
            narrow = [m for m in fitting if fold(m.spec) in specs]
            narrow = narrow or with_roles(fitting, roles)
            people = tuple(one.name for one in narrow or fitting)
            return Called(people, phrase, tuple(roles), several)
    return _by_spec(said, members)


def _by_spec(said: Sequence[str], members: Sequence[Member]) -> Called:
    """Resolve a spec named without its class: "the arcane one", "the 2 arcane ones"."""
    known = calling_words()
    for before, word, after in zip(["", *said], said, said[1:], strict=False):
        stands = after in known.one and (before in known.the or before.isdecimal())
        people = tuple(one.name for one in members if fold(one.spec).startswith(word))
        if stands and len(word) >= NEARLY and people:
            return Called(people, word, several=after.endswith("s"))
    return Called()


def with_roles(members: Sequence[Member], roles: set[str]) -> list[Member]:
    """Filter members by role; for tanks, fall back to tank specs, then to all non-healers."""
    # Opponents in a match are only considered if nobody else is left.
    members = [one for one in members if not one.foe] or members
    found = [one for one in members if one.role in roles]
    if found or "tank" not in roles:
        return found
    able = [one for one in members if one.spec in TANK_SPECS]
    others = [one for one in members if one.role != "healer"]
    return able or (others if len(others) < len(members) else [])


def of_role(text: str, players: Sequence[str], members: Sequence[Member]) -> tuple[str, ...]:
    """Pick those of some players who have the role or spec that a text names: "the tank one"."""
    known = calling_words()
    roles = {known.roles[word] for word in words(text) if word in known.roles}
    if len(players) < 2:
        return ()
    mine = [one for one in members if one.name in players]
    specs = [one for one in mine if fold(one.spec) in words(text)]
    found = specs or (with_roles(mine, roles) if roles else [])
    return tuple(one.name for one in found)


def side_of(said: str) -> str:
    """Find the side of a match that a folded text asks about: "ours", "theirs", "" for both."""
    known = calling_words()
    ours, theirs = (bool(one.search(said)) for one in (known.ours, known.theirs))
    return "" if ours == theirs else "ours" if ours else "theirs"


def by_sides(said: str) -> tuple[str, ...]:
    """Say a folded text that asks for both sides of a match for each of them; () if it does not."""
    known = calling_words()
    if not known.sides.search(said) or known.ours.search(said) or known.theirs.search(said):
        return ()
    rest = known.sides.sub("", said)
    return f"{rest} our side", f"{rest} their side"


def side_killed(said: str) -> str:
    """Find the side that a folded text asks the deaths of: "did we kill any of theirs"."""
    killed = re.search(r"\b(?:kill\w*|tuer|tuee?s?)\b(.*)", said)
    return side_of(killed[1]) if killed else ""


def was_killed(said: str) -> bool:
    """Whether a folded text says that somebody was killed: "how often was I", "who killed me"."""
    passive = r"\b(?:was|were|got|been|ete|fait) (?:\w+ )?(?:killed|tuee?s?)\b"
    return bool(
        re.search(rf"{passive}|\bkilled (?:me|us)\b|\b(?:m|nous) (?:a|ont) tuee?s?\b", said)
    )


def was_done_to(said: str) -> bool:
    """Whether a folded text asks to whom something was done: "who of us got interrupted"."""
    return bool(calling_words().suffers.search(said))


def is_killed(marked: str, *, blow: bool = False) -> bool:
    """Whether a marked text has a player as who was killed; `blow`: it speaks of the last hit.

    "What killed <player>", "the killing blow on <player>".
    """
    known = calling_words()
    return bool(known.kills.search(marked) or (blow and known.onto.search(marked)))


def names_me_too(said: str) -> bool:
    """Whether a folded text names the writer beside somebody: "what killed Aria and then me"."""
    joins = "|".join(map(re.escape, calling_words().joins))
    return bool(re.search(rf"\b(?:{joins}) (?:\w+ )?(?:me|moi|mich|i|ich)\b", said))


def asks_further(said: str) -> bool:
    """Whether a folded text asks who there is beside those just told: "anyone else?"."""
    return bool(calling_words().further.search(said))


def suffered_by_us(said: str) -> bool:
    """Whether a folded text asks what the other side did to one's own: "who hit us hardest"."""
    return side_of(said) == "theirs" and bool(_US & {*words(said)})


def names_us(said: str) -> bool:
    """Whether a folded text names the raid as to whom something was done: "what hurt us"."""
    return bool(_US & {*words(said)})


def are_subject(said: str) -> bool:
    """Whether a folded text says what the raid did to somebody: "did we kick him"."""
    return bool(_WE & {*words(said)} and calling_words().pronouns & {*words(said)})


def we_act(said: str) -> bool:
    """Whether a folded text asks what the own side did: "did we kick their healer"."""
    return bool(_WE & {*words(said)[:2]})


def names_anybody(said: str) -> bool:
    """Whether a folded text asks about whoever it may be: "did somebody die"."""
    return bool(calling_words().anybody & {*words(said)})


def roles_of(said: str) -> tuple[str, ...]:
    """List the roles that a folded text names."""
    found = (calling_words().roles.get(word, "") for word in words(said))
    return tuple(dict.fromkeys(role for role in found if role))


def names_role(said: str) -> bool:
    """Whether a folded text speaks of the players of a role: "the tanks", not "the damage"."""
    known, parts = calling_words(), words(said)
    return any(
        ((known.the | known.per | known.asks) & {*parts[max(0, at - NEAR_BY) : at]} or not at)
        and known.roles.get(word) in ("tank", "healer")
        and (word not in known.doing if not at else word != "healing")
        for at, word in enumerate(parts)
    )


def asks_average(said: str) -> bool:
    """Whether a folded text asks for an average."""
    plain = re.sub(r"\b(?:i|you|we) mean\b", "", said)  # "no, I mean the healing"
    return bool(calling_words().average & {*words(plain)})


def asks_share(said: str) -> bool:
    """Whether a folded text asks for percentages rather than amounts."""
    return bool(calling_words().percent & {*words(said), *(["%"] if "%" in said else [])})


def others(said: str, players: Sequence[str], members: Sequence[Member]) -> tuple[str, ...]:
    """Resolve "the other one" or "the other healer", relative to the players last mentioned."""
    if not calling_words().other & {*words(said)} or not players:
        return ()
    roles = {*roles_of(said)} or {one.role for one in members if one.name == players[0]}
    found = [m.name for m in members if m.role in roles and m.name not in players]
    return tuple(found) if len(found) <= _EVERY else ()


def refers_back(said: str) -> bool:
    """Whether a folded text refers to the previous answer: "how much of that", "hit by it"."""
    return bool(calling_words().back.search(said))


def means_there(said: str) -> bool:
    """Whether a folded text refers to the previous answer's pulls: "which boss was it there"."""
    return bool(calling_words().there & {*words(said)})


def is_bare(said: Sequence[str], names: frozenset[str]) -> bool:
    """Whether words only name people, pulls or abilities without asking: "and the healers?"."""
    known = calling_words()
    roles = {*known.roles} - (set() if known.other & {*said} else known.doing)
    callings = {*roles, *known.classes, *(f"{one}s" for one in known.classes)}
    rest = {*said} - known.filler - known.the - known.one - known.other - callings - names
    return not [one for one in rest if not one.startswith("<") and not one.isdecimal()]


def names_people(text: str) -> bool:
    """Whether a text speaks of players in general: "best player", "le pire joueur"."""
    return bool({*calling_words().people} & {*words(text)})


def names_pets(text: str) -> bool:
    """Whether a text mentions pets, guardians or totems."""
    said = words(text)
    return bool(calling_words().pets & {*said, *(word.removesuffix("s") for word in said)})


def asks_of_pets(text: str) -> bool:
    """Whether a text asks what pets did, rather than only to include them: "with pets"."""
    known = calling_words()
    said, pets = [word for word in words(text) if word not in known.the], known.pets
    spoken = [at for at, word in enumerate(said) if pets & {word, word.removesuffix("s")}]
    behind = {at for at, word in enumerate(said) if word in known.counted}
    spoken = [at for at in spoken if not behind & {at + 1, at + 2}]
    return any(not at or said[at - 1] not in known.beside for at in spoken)


def left_out(said: str) -> tuple[str, ...]:
    """List the roles that a folded text excludes."""
    known = calling_words()
    found = known.except_.search(said)
    near = words(found[1])[:_EXCEPTED] if found else []
    roles = [known.roles.get(word, "") for word in (*near, *_denied(words(said)))]
    return tuple(dict.fromkeys(role for role in roles if role))


def _denied(said: Sequence[str]) -> Iterator[str]:
    """Yield the words for roles right behind a denial: "pas les heals ni les tanks"."""
    known = calling_words()
    free, denying = known.the | known.joins | known.filler | {"ni", "nor"}, False
    for before, word in pairwise(["", *said]):
        denying = (denying and (before in free or before in known.roles)) or before in (
            known.denies - {"t", "don", "dont"}
        )
        whom = word not in known.doing or before in known.several
        if denying and word in known.roles and whom:
            yield word


def without_left_out(said: str) -> str:
    """Remove the roles that a folded text excludes: "bottom dps, not counting the tanks"."""
    known = calling_words()
    found, free = known.except_.search(said), known.the | known.filler | known.joins
    names = {*known.roles} | free
    near = takewhile(lambda one: one[0] in names, re.finditer(r"\w+", found[1] if found else ""))
    ends = [one.end() for one in near if one[0] in known.roles]
    return said[: found.start()] + found[1][ends[-1] :] if found and ends else said


def says_who(said: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the words identify the writer as the named player: "I am Aria"."""
    starts = (at for at in range(len(said)) if said[at : at + len(name)] == name)
    before = [said[:at] for at in starts]
    ways = [way.split() for way in calling_words().oneself]
    return any(_reads(" ".join(one[-len(way) :]), " ".join(way)) for one in before for way in ways)


def _reads(said: str, way: str) -> bool:
    """Whether words are these, or if they are long enough, nearly so: "chus" for "chuis"."""
    return said == way or (len(way) > NEARLY and fuzz.ratio(said, way) >= LIKE)


def is_about_one(said: str) -> bool:
    """Whether a folded text refers to a person by a pronoun."""
    # Impersonal "il" and the German "sie sind" (they are) do not refer to one person.
    plain = re.sub(r"\b(il (?:y|faut|me semble|vous plai\w+|te plai\w+)|sie sind)\b", " ", said)
    known, parts = calling_words(), words(plain)
    people = (known.one | known.people) - {"one", "ones", "which"}
    shown = any(one in ("that", "this", "ce") and two in people for one, two in pairwise(parts))
    # "Le boss il a tapé qui": the pronoun stands for the boss before it.
    said_twice = {two for one, two in pairwise(parts) if one == "boss"}
    return shown or bool(known.pronouns & {*parts} - said_twice)
