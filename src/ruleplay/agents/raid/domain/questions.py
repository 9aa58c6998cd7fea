"""What a question asks: its topics, players, bosses and pulls, in English or French.

The words of the topics are in `topics.toml`. Names are those of the night that is spoken of; what
fits none is left unsaid, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ruleplay.agents.raid.domain.omissions import ADDS
from ruleplay.agents.raid.domain.overview import (
    Night,
    Overview,
    PullSummary,
    fold,
    named_players,
    near_players,
    short_name,
    shortened_players,
    words,
)
from ruleplay.agents.raid.domain.persons import (
    Called,
    called,
    calling_words,
    is_about_one,
    is_bare,
    left_out,
    roles_of,
    says_who,
    with_roles,
)
from ruleplay.agents.raid.domain.spelling import named_abilities, named_creatures
from ruleplay.agents.raid.domain.subjects import (
    Subject,
    in_zone,
    is_plain,
    phrases,
    question_words,
    resolve,
)

_FRENCH = re.compile(
    r"\b(le|la|les|des|du|un|une|qui|que|quoi|quand|pourquoi|comment|combien|est|sont|nous|vous|je"
    r"|mon|ma|mes|ce|cette|sur|dans|avec|pour|quel|quelle|quels|quelles|on|ai|as|ete|soir|et|au|aux"
    r"|bonjour|salut|coucou|merci|aide|il|elle|ils|pas|plus|notre|nos|leur|son|sa|ses|pendant|chez|fait|aussi|quid|donne|montre)\b"
)
_ENGLISH = re.compile(
    r"\b(the|a|an|who|what|when|why|how|did|do|does|was|were|is|are|we|my|our|on|in|with|for|of|to)\b"
)
_NUMBERED = re.compile(
    r"\b(?:pulls?|fights?|attempts?|try|tries|wipes?|kills?|essais?|tentatives?|combats?)"
    r" *(?:n[o°]?\.? *|number |numero |#)?(\d{1,3}\b"
    r"(?:(?: *[,&/+] *| (?:and|et|und|or|ou|oder|vs|versus|with|avec|mit|against|contre|gegen) )"
    r"(?:(?:the|le|la|der|den|dem|pull|number) )*\d{1,3}\b(?!:)(?! *(?:%|[a-z]+s\b)))*)"
)
_BLAMES = re.compile(
    r"\b(why|pourquoi|warum|wieso|how come|killed us|wip\w*|on est morts?|lose|lost|perdu"
    r"|verloren)\b"
)
_KILL = re.compile(
    r"\b(kills?|killed it|kill(ed)? (him|her|them)|kille|down(ed)? (him|her|it|them|the boss)"
    r"|tue le boss)\b"
)
_ENDED = re.compile(
    r"\b(?:the|our|my|that|this|last|latest|best|first|le|notre|mon|ce|du|dernier|premier)"
    r" (kill|wipe)\b"
)
"""A pull that is named by its end."""
_WIPE = re.compile(r"\b(wip\w+|lost|perdu)\b")
_BEST = re.compile(
    r"\b(best (attempt|try|pull|wipe)|closest|meilleur\w* (essai|pull|try|tentative))\b"
)
_NIGHT = re.compile(
    r"\b(tonight|whole (night|raid)|all (night|pulls|fights|attempts)|every (pull|fight|attempt)"
    r"|keeps? \w+ing|toujours|souvent|often|immer|overall|au total|in total|insgesamt"
    r"|entire (night|raid)|over the night|the night|this raid|raid night|ce soir|soiree|tous les"
    r" (pulls|combats|essais)|each (pull|attempt|fight))\b"
)
_I = re.compile(
    r"\b(i|im|ive|my|mine|je|mon|ma|mes|j'|j(?:ai|avais|fais|etais|suis|sui|me|peux|prends?)|chuis)\b"
)
_ME = frozenset(("me", "moi", "mich", "mir", "myself"))
_FOLLOW_UP = re.compile(
    r"^(and|also|what about|how about|same|now|then|ok\w*|so|ah|oh|wait|und|et|donc|alors|mais|but"
    r"|aussi|quid|pareil|meme chose|only|just|nur|seulement|juste|uniquement)\b"
)


@dataclass(frozen=True)
class Question:
    """A question as it was understood.

    `fights` are the pulls it names (empty: the one that fits), `kind` is "kill", "wipe" or "" where
    only that was said, `near` are names that may have been meant.
    """

    text: str
    topics: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    bosses: tuple[str, ...] = ()
    fights: tuple[int, ...] = ()
    kind: str = ""
    whole_night: bool = False
    french: bool = False
    follows_up: bool = False
    me: bool = False
    myself: str = ""
    """Who the one who writes says to be."""
    near: tuple[str, ...] = ()
    subject: Subject = field(default=Subject())
    called: Called = field(default=Called())
    left_out: tuple[str, ...] = ()
    """Roles that it does not ask about."""
    only: tuple[str, ...] = ()
    """Roles that it asks about alone."""
    lowest: bool = False
    of_one: bool = False
    """Whether it speaks of somebody by a pronoun."""
    abilities: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    """Creatures that it asks about what was done to."""
    part: str = ""
    """The part of each pull that it is about, as tools take it."""
    without: tuple[str, ...] = ()
    """What its sums leave out: pets, abilities, people."""
    left_pulls: bool = False
    """Whether its pulls are those of the answer before."""

    @property
    def blames(self) -> bool:
        """Whether it takes for granted that a pull was lost."""
        return bool(_BLAMES.search(fold(self.text)))


def asks_of_oneself(text: str) -> bool:
    """Whether a text speaks of its writer: "my", "je"; but not "I'd like to know"."""
    said = calling_words().wishes.sub(" ", fold(text))
    # "What about me", but not "tell me".
    alone = bool(_ME & {*words(said)}) and is_bare([*({*words(said)} - _ME)], frozenset())
    return alone or bool(_I.search(said))


def read(text: str, overview: Overview, focus: int | None = None) -> Question:
    """Understand a question about the night of `overview`; `focus` is the pull spoken of before."""
    said, night = fold(text), overview.night
    players = _as_names(named_players(text, night.members), text) if night else ()
    elsewhere = [boss for one in overview.reports for boss in one.bosses]
    subject = resolve(text, night, focus, _kind(said), elsewhere) if night else Subject()
    bosses = subject.bosses
    if night:
        rest = _without(text, (*bosses, *map(short_name, players)), night)
        players = tuple(dict.fromkeys((*players, *shortened_players(rest, night.members))))
    meant = _called(text, night) if night and not players else Called()
    players = players or (() if meant.open else meant.players)
    near = near_players(text, night.members) if night and not players else ()
    return Question(
        text=text,
        players=players,
        bosses=bosses,
        fights=_of_boss(_fights(said, night, bosses), subject, night) or subject.fights,
        subject=subject,
        kind=_kind(said),
        whole_night=bool(_NIGHT.search(said)) or _is_zone(said, night, subject),
        called=meant,
        left_out=left_out(said),
        lowest=bool(calling_words().lowest.search(said)),
        of_one=is_about_one(said),
        abilities=night.abilities if night else (),
        targets=named_creatures(text, night.creatures) or _adds(said) if night else (),
        french=len(_FRENCH.findall(said)) > len(_ENGLISH.findall(said)),
        follows_up=bool(_FOLLOW_UP.search(said)),
        me=asks_of_oneself(text) and not players,
        myself=_myself(text, players),
        near=near,
    )


def _as_names(players: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the players but for whose name is a small word where no name stands: "cursed"."""
    said = re.findall(r"[^\W_]+", text)
    plain, own = [*map(fold, said)], {fold(short_name(name)): name for name in players}
    passed = {
        own[word]
        for at, word in enumerate(plain)
        if word in own and said[at].islower() and is_plain(plain, at)
    }
    return tuple(name for name in players if name not in passed)


def _called(text: str, night: Night) -> Called:
    """Return whom a class means: of too many the one whose role is spoken of: "did the dk tank"."""
    meant, roles = called(text, night.members), {*roles_of(fold(text))}
    fitting = [one for one in night.members if one.name in meant.players]
    found = with_roles(fitting, roles) if meant.open and roles else []
    return replace(meant, players=(found[0].name,)) if len(found) == 1 else meant


def _adds(said: str) -> tuple[str, ...]:
    """Return what stands for all enemies but bosses, where a text speaks of adds as such."""
    return (ADDS,) if calling_words().any_add & {*words(said)} else ()


def _myself(text: str, players: Sequence[str]) -> str:
    """Return which of the players a text says to be its writer; a name may be cut short."""
    said = words(text)
    for name in players:
        own = words(short_name(name))
        ways = (own, *([one] for one in said if len(one) > _SHORT and own[0].startswith(one)))
        if any(says_who(said, way) for way in ways):
            return name
        # A name in brackets behind "me", or one that ends what somebody says of himself.
        found = re.findall(r"(\w+) ?\(([^()]+)\)", text)
        signed = [one for before, one in found if asks_of_oneself(before)]
        signed += re.split(r"[.!?…]+", text)[1:] if asks_of_oneself(text) else []
        if own in map(words, signed):
            return name
    return ""


_SHORT = 3
"""Letters that the beginning of a name has more than."""


def read_alone(text: str, night: Night) -> Question:
    """Understand a part of a message: its own names only."""
    question = read(text, Overview(night=night))
    spells = dict.fromkeys(night.abilities, 1)
    return replace(question, abilities=named_abilities(text, night, spells))


def _without(text: str, names: Sequence[str], night: Night) -> str:
    """Return a text without words of questions and those that begin a word of a name."""
    english = {pull.name: pull.english for pull in night.pulls}
    taken = {
        word
        for name in names
        for way in phrases(name, english.get(name, ""))
        for word in way.split()
    }
    taken |= {word for name in night.abilities for word in words(name)}

    def is_free(word: str) -> bool:
        said = words(word)
        own = said[0] if said else ""
        return own not in question_words() and not any(one.startswith(own) for one in taken)

    return " ".join(word for word in text.split() if is_free(word))


def _is_zone(said: str, night: Night | None, subject: Subject) -> bool:
    """Whether a question names the instance and nothing in it, so that it means the evening."""
    narrower = subject.bosses or subject.missing or subject.fights or subject.open
    return night is not None and not narrower and bool(in_zone(said, night.zones))


def _kind(said: str) -> str:
    named = _ENDED.search(said)
    if named:
        return named[1]
    if _KILL.search(said) and _WIPE.search(said) and not _BLAMES.search(said):
        return ""  # "kills, wipes, all of it"
    if _KILL.search(said) and not re.search(
        r"\b(what|who|qui) kill(ed|s)?\b(?!.*\bkills?\b)", said
    ):
        return "kill"
    return "wipe" if _WIPE.search(said) else ""


def _fights(said: str, night: Night | None, bosses: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the pulls that are named: "pull 3", "the third try on Gruul"."""
    if night is None:
        return ()
    numbers = [int(one) for run in _NUMBERED.findall(said) for one in re.findall(r"\d+", run)]
    if numbers:
        return tuple(dict.fromkeys(numbers))
    pulls = able(night, bosses, _kind(said))
    if _BEST.search(said):
        tried = [pull for pull in pulls if not pull.kill and pull.boss_hp is not None]
        return (min(tried, key=lambda pull: pull.boss_hp or 0).fight,) if tried else ()
    return ()


def _of_boss(fights: tuple[int, ...], subject: Subject, night: Night | None) -> tuple[int, ...]:
    """Return the pulls of these numbers, or a boss's tries where no number is a pull of it."""
    own = {pull.fight for pull in night.pulls if pull.name in subject.bosses} if night else set()
    tries = subject.pulls
    if not own or own & {*fights} or not all(0 < fight <= len(tries) for fight in fights):
        return fights
    return tuple(tries[fight - 1] for fight in fights)


def able(night: Night, bosses: Sequence[str], kind: str) -> list[PullSummary]:
    """Return the pulls of these bosses that ended so, in order."""
    pulls = [pull for pull in night.pulls if not bosses or pull.name in bosses]
    if kind == "kill":
        return [pull for pull in pulls if pull.kill]
    if kind == "wipe":
        return [pull for pull in pulls if pull.ended == "wipe"]
    return pulls
