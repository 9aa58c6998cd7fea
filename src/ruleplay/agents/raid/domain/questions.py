"""Parses a question: its topics, players, bosses and pulls, in English or French.

The vocabulary of topics is in `topics.toml`. Names are matched against the night in focus; what
matches nothing is left empty, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import takewhile

from ruleplay.agents.raid.domain.omissions import ADDS
from ruleplay.agents.raid.domain.overview import (
    Member,
    Night,
    Overview,
    PullSummary,
    fold,
    misspelt_players,
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
    pull_words,
    question_words,
    resolve,
)
from ruleplay.hearing.classifier import load

_FRENCH = re.compile(
    r"\b(le|la|les|des|du|un|une|qui|que|quoi|quand|pourquoi|comment|combien|est|sont|nous|vous|je"
    r"|mon|ma|mes|ce|cette|sur|dans|avec|pour|quel|quelle|quels|quelles|on|ai|as|ete|soir|et|au|aux"
    r"|bonjour|salut|coucou|merci|aide|il|elle|ils|pas|plus|notre|nos|leur|son|sa|ses|pendant|chez|fait|aussi|quid|donne|montre)\b"
)
_ENGLISH = re.compile(
    r"\b(the|a|an|who|what|when|why|how|did|do|does|was|were|is|are|we|my|our|on|in|with|for|of|to)\b"
)
_NUMBERED = re.compile(
    r"\b(?:pulls?|fights?|attempts?|try|tries|wipes?|kills?|essais?|tentatives?|combats?|match(?:e?s)?"
    r"|games?|rounds?|manches?|spiele?|runden?)"
    r" *(?:n[o°]?\.? *|number |numero |#)?(\d{1,3}\b(?! *(?:fois|times|mal)\b)"
    r"(?:(?: *[,&/+] *| (?:and|et|und|or|ou|oder|vs|versus|with|avec|mit|against|contre|gegen) )"
    r"(?:(?:the|le|la|der|den|dem|pull|number) )*\d{1,3}\b(?!:)(?! *(?:%|[a-z]+s\b)))*)"
)
_BLAMES = re.compile(
    r"\b(why|pourquoi|warum|wieso|how come|killed us|wip\w*|on est (?:tous )?morts?|lose|lost|perdu"
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
"""A pull referred to by its outcome: "our last wipe"."""
_WIPE = re.compile(r"\b(wip\w+|lost|perdu)\b")
_BEST = re.compile(
    r"\b(best (attempt|try|pull|wipe)|closest|meilleur\w* (essai|pull|try|tentative))\b"
)
_NIGHT = re.compile(
    r"\b(tonight|whole (night|raid)|all (night|pulls|fights|attempts)|every (pull|fight|attempt)"
    r"|entire (night|raid)|over the night|the night|this raid|raid night|ce soir|soiree|tous les"
    r" (pulls|combats|essais)|each (pull|attempt|fight))\b"
)
_IN_ALL = re.compile(
    r"\b(keeps? \w+ing|always|toujours|souvent|often|immer|overall|au total|in total|insgesamt)\b"
)
_I = re.compile(
    r"\b(i|im|ive|my|mine|je|mon|ma|mes|j'|j(?:ai|avais|fais|etais|suis|sui|me|peux|prends?)|chuis)\b"
)
_SUPPOSED = re.compile(r"\b(?:i|je|j|ich)[ ']\w+ (?:que |qu'|that |dass )?(?=(?:he|she|il|elle)\b)")
"""Who only supposes something of somebody else: "I thought he heals"."""
_TO_ME = re.compile(r"\bm(?:'| (?:a|ai|as|ont)\b|a\b|ont\b)")
"""What was done to the writer, in French, apostrophe or not: "m'a", "ma tue"."""
_ME = frozenset(("me", "moi", "mich", "mir", "myself"))
_FOLLOW_UP = re.compile(
    r"^(and|also|what about|how about|same|now|then|ok\w*|so|ah|oh|wait|und|et|donc|alors|mais|but"
    r"|aussi|quid|pareil|meme chose|only|just|nur|seulement|juste|uniquement)\b"
)


@dataclass(frozen=True)
class Question:
    """A parsed question.

    `fights` are the pulls named (empty: the one that fits best); `kind` is "kill" or "wipe" if only
    the outcome was named, else ""; `near` are suggestions for a name that matched nobody.
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
    """The player that the writer claims to be."""
    near: tuple[str, ...] = ()
    subject: Subject = field(default=Subject())
    called: Called = field(default=Called())
    left_out: tuple[str, ...] = ()
    """Roles excluded by the question."""
    only: tuple[str, ...] = ()
    """Roles that the question is limited to."""
    lowest: bool = False
    of_one: bool = False
    """Whether it refers to a person by a pronoun."""
    abilities: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    """Creatures that were the target of what is asked about."""
    part: str = ""
    """The part of each pull that it is about, in the tools' notation."""
    without: tuple[str, ...] = ()
    """What its sums exclude: pets, abilities, people."""
    left_pulls: bool = False
    """Whether its pulls are those of the previous answer."""

    @property
    def blames(self) -> bool:
        """Whether it presupposes that a pull was lost."""
        named = bool(self.players or self.called.called)
        return bool(_BLAMES.search(_of_the_raid(fold(self.text), named=named)))


def asks_of_oneself(text: str) -> bool:
    """Whether a text is about its writer: "my", "je"; but not "I'd like to know"."""
    said = _SUPPOSED.sub(" ", calling_words().wishes.sub(" ", fold(text)))
    # "What about me" asks about the writer, "tell me" does not.
    alone = bool(_ME & {*words(said)}) and is_bare([*({*words(said)} - _ME)], frozenset())
    return alone or bool(_I.search(said))


_GIVING = ("donn", "dire", "montr", "rappel", "expliqu", "filer", "list", "sort")
"""How what is done to the writer by an answer begins: "pourriez-vous me donner"."""


def names_me(text: str) -> bool:
    """Whether something was done to the writer: "who killed me", not "tell me who died"."""
    said = words(text)
    asks = calling_words().wishing
    # "Tell me", "dis moi", "tu peux me dire"
    return any(
        word in _ME
        and not {*said[max(0, at - 1) : at], *said[at + 1 : at + 2]} & asks
        and not any(one.startswith(_GIVING) for one in said[at + 1 : at + 2])
        for at, word in enumerate(said)
    )


def read(text: str, overview: Overview, focus: int | None = None) -> Question:
    """Parse a question about the night of `overview`; `focus` is the pull discussed before."""
    said, night = fold(text), overview.night
    players = _as_names(named_players(text, night.members), text, night.members) if night else ()
    elsewhere = [boss for one in overview.reports for boss in one.bosses]
    against = _against(text, night) if night else ()
    called_ = _called(text, night) if night and not (players or against) else Called()
    kind = _kind(_of_the_raid(said, named=bool(players or called_.called)))
    if night and any(pull.ended in OF_MATCHES for pull in night.pulls):
        ended = _match_kind(said) or ("wipe" if kind == "wipe" else "")
        kind = {"kill": "won", "wipe": "lost"}.get(ended, "")
    subject = resolve(text, night, focus, kind, elsewhere) if night else Subject()
    bosses = subject.bosses
    if night:
        rest = _without(text, (*bosses, *map(short_name, players)), night)
        knows = load("ruleplay.agents.raid", "reader.bin").knows_any
        strange = " ".join(word for word in rest.split() if not knows(words(word)))
        found = shortened_players(rest, night.members) or misspelt_players(strange, night.members)
        players = tuple(dict.fromkeys((*players, *found)))
    players = tuple(dict.fromkeys((*players, *(_versus(text, night) if night else ()))))
    at = _at_players(text, night) if night else ()
    met = _met(text, players, night) if night else {}
    there = {fight for own in met.values() for fight in own}
    # "Who fell first in the match with Aria" counts no matches.
    there = there & {*subject.fights} or there
    against = against or tuple(sorted(there))
    players = tuple(name for name in players if name not in met)
    left = tuple(name for name in players if name not in at)
    players = left if at and left else players
    fights = _of_boss(_fights(said, night, bosses), subject, night)
    meant = Called() if players else called_
    players = players or (() if meant.open else meant.players)
    near = near_players(text, night.members) if night and not players else ()
    return Question(
        text=text,
        players=players,
        bosses=bosses,
        fights=fights or (() if there else subject.fights) or against,
        subject=subject,
        kind=kind,
        whole_night=bool(_NIGHT.search(said) or _IN_ALL.search(said))
        or _is_zone(said, night, subject),
        called=meant,
        left_out=left_out(said),
        lowest=bool(calling_words().lowest.search(unordered(said))),
        of_one=is_about_one(said),
        abilities=night.abilities if night else (),
        targets=(_targets(text, night, bosses) or at) if night else (),
        french=len(_FRENCH.findall(said)) > len(_ENGLISH.findall(said)),
        follows_up=bool(_FOLLOW_UP.search(said)),
        me=asks_of_oneself(_asking(text)) and not players,
        myself=_myself(text, players) or (_by_role(text, night) if night else ""),
        near=near,
    )


def unordered(said: str) -> str:
    """Leave out the other end of an order from the top: "best to worst", "du meilleur au pire"."""
    known = calling_words()
    ends = (one.pattern for one in (known.best, known.lowest))
    return re.sub(r"{} (?:to|au|zum?) {}".format(*ends), " ", said)


def _targets(text: str, night: Night, bosses: Sequence[str]) -> tuple[str, ...]:
    """Find the creatures that a text names, or adds in general; the spider wing is no spider."""
    said = " ".join(words(_undated(text)))
    for phrase in (one for boss in bosses for one in phrases(boss) if " " in one):
        said = said.replace(phrase, " ")
    # "The felhounds" are the boss before they are a Bloodscent Felhound.
    own = {word for boss in bosses for one in phrases(boss) for word in one.split()}
    said = " ".join(word for word in said.split() if word not in own)
    return named_creatures(said, night.creatures) or _adds(fold(text))


def _at_players(text: str, night: Night) -> tuple[str, ...]:
    """Find the players that a text names as targets, in matches: "Aria's damage on the hunter"."""
    if not all(pull.ended in OF_MATCHES for pull in night.pulls) or not night.pulls:
        return ()
    said, articles = words(text), calling_words().the
    found: dict[str, None] = {}
    for at, word in enumerate(said):
        if word not in pull_words().at:
            continue
        after = next((one for one in said[at + 1 : at + 3] if one not in articles), "")
        if {*said[max(0, at - 1) : at]} & {*calling_words().classes}:
            continue  # "dk vs warr" sets them beside each other
        class_ = calling_words().classes.get(after, "")
        for one in night.members:
            of_class = class_ and one.class_name == class_ and one.pulls
            if of_class or fold(short_name(one.name)) == after:
                found[one.name] = None
    return tuple(found)


def _met(text: str, players: Sequence[str], night: Night) -> dict[str, tuple[int, ...]]:
    """Find players by whom a text only names matches: "who won the match with Aria"."""
    said, own = words(text), {one.name: one.pulls for one in night.members}
    known = calling_words()
    verbs = known.asks | known.joins | known.the | known.pronouns
    found = dict[str, tuple[int, ...]]()
    for at, word in enumerate(said):
        # "The match with Aria", "le match avec le mage Aria"
        before = [*takewhile(lambda one: one not in verbs or one in known.the, said[:at][::-1])]
        ends = [one in pull_words().tries or bool(_match_kind(one)) for one in before[:_MET]]
        if any(ends[1:]) and not says_who(said, [word]):
            met = (name for name in players if fold(short_name(name)) == word and own[name])
            found |= {name: own[name] for name in met}
    return found if all(pull.ended in OF_MATCHES for pull in night.pulls) else {}


_MET = 5
"""Maximum distance in words between a match and by whom it is named."""


def _against(text: str, night: Night) -> tuple[int, ...]:
    """Find the matches against opponents of several classes named side by side: "war/cham"."""
    known, run, found = calling_words().classes, list[str](), set[str]()
    for word in [*words(text), ""]:
        name = known.get(word, "")
        found |= {*run} if not name and len(run) > 1 else set()
        run = [*run, name] if name else []
    matches = [pull.fight for pull in night.pulls if pull.ended in OF_MATCHES] if found else []
    there = {
        fight: {one.class_name for one in night.members if one.foe and fight in one.pulls}
        for fight in matches
    }
    return tuple(fight for fight in matches if found <= there[fight])


def _undated(text: str) -> str:
    """Leave out the names of months: "le 1er mars" is about no Aggramar."""
    return " ".join(word for word in text.split() if fold(word) not in pull_words().months)


def _asking(text: str) -> str:
    """Get the sentences that end in a question mark: "my son plays. When did we use it?"."""
    asking = " ".join(one for one in re.findall(r"[^.!?]+[.!?]*", text) if one.endswith("?"))
    return asking if len(words(asking)) > _SHORT else text


def _as_names(players: Sequence[str], text: str, members: Sequence[Member]) -> tuple[str, ...]:
    """Drop players whose name is an ordinary word used where no name can be: "cursed".

    Not if their class is named as well: "cokinne the shammy".
    """
    said = re.findall(r"[^\W_]+", text)
    plain, named = [*map(fold, said)], {calling_words().classes.get(word) for word in words(text)}
    called_ = {one.name for one in members if one.class_name in named}
    own = {fold(short_name(name)): name for name in players if name not in called_}
    passed = {
        own[word]
        for at, word in enumerate(plain)
        if word in own
        and said[at].islower()
        and is_plain(plain, at)
        and not _is_set_off(plain, at, text)
    }
    return tuple(name for name in players if name not in passed)


def _is_set_off(said: Sequence[str], at: int, text: str) -> bool:
    """Whether a word is in brackets, or beside the writer or their role: "me (nule)"."""
    beside = {*said[max(0, at - 1) : at], *said[at + 1 : at + _SHORT]} & _ME
    return bool(
        beside
        or _is_role_of(said[at : at + 1], text)
        or re.search(rf"\(\s*{said[at]}\b", fold(text))
    )


def _called(text: str, night: Night) -> Called:
    """Resolve a class; if several players fit, prefer the one with the role: "did the dk tank"."""
    meant, roles = called(text, night.members), {*roles_of(fold(text))}
    fitting = [one for one in night.members if one.name in meant.players]
    found = with_roles(fitting, roles) if meant.open and roles else []
    return replace(meant, players=(found[0].name,)) if len(found) == 1 else meant


def _versus(text: str, night: Night) -> tuple[str, ...]:
    """Find the players of several classes set against each other: "paladins vs the priests"."""
    parts = re.split(r"\b(?:vs|versus|contre|gegen)\b", fold(text))
    each = [called(one, night.members) for one in parts] if len(parts) > 1 else []
    if len(parts) == 2 and not all(one.players for one in each):
        # "dk vs war": a class beside "vs" needs no article.
        beside = (words(parts[0])[-1:], words(parts[1])[:1])
        either = [one.model_copy(update={"foe": False}) for one in night.members]
        alone = [called(f"the {' '.join(one)}", either) for one in beside]
        each = alone if all(one.players and not one.open for one in alone) else each
    several = len({one.called for one in each if one.players}) > 1
    return tuple(name for one in each for name in one.players) if several else ()


def _adds(said: str) -> tuple[str, ...]:
    """Stand in for all non-boss enemies if a text speaks of adds in general."""
    return (ADDS,) if calling_words().any_add & {*words(said)} else ()


def _myself(text: str, players: Sequence[str]) -> str:
    """Find which of the players the writer claims to be; names may be shortened."""
    said = words(text)
    for name in players:
        own = words(short_name(name))
        ways = (own, *([one] for one in said if len(one) > _SHORT and own[0].startswith(one)))
        if any(says_who(said, way) or _introduces(said, way, text) for way in ways):
            return name
        if any(_apposed(way).search(fold(text)) or _is_role_of(way, text) for way in ways):
            return name
        # A name in brackets after "me", or one that signs off a sentence about oneself.
        found = re.findall(r"\b(\w+) ?\(([^()]+)\)", text)
        signed = [one for before, one in found if asks_of_oneself(before)]
        signed += re.split(r"[.!?…]+", text)[1:] if asks_of_oneself(text) else []
        if own in map(words, signed) or _presents(text, own):
            return name
    return ""


@lru_cache(maxsize=64)
def role_said(text: str) -> str:
    """Find the role or class that the writer claims, with an article: "im the dk tank"."""
    found = _claims().search(" ".join(words(text)))
    said = found[1].split() if found else []
    callings = {*calling_words().roles, *calling_words().classes}
    # "Hunter here" says it as well.
    first = words(re.split(r"[.,;:!?…]", text)[0])
    if first[-1:] and first[-1] in calling_words().present and {*first[:1]} & callings:
        said = ["the", *first[:-1]]
    elif _signs(first, text):
        said = ["the", *first]
    named = (at for at, word in enumerate(said) if {word, word.removesuffix("s")} & callings)
    return " ".join(said[: max(named, default=-1) + 1])


def _signs(first: Sequence[str], text: str) -> bool:
    """Whether the first words of a text only say as what its writer asks: "hunter again, sorry"."""
    known = calling_words()
    callings = {*known.roles, *known.classes} - known.doing
    behind = [word for word in first if word not in callings]
    plain = not {*behind} & (question_words() - known.filler - callings)
    alone = 0 < len(first) <= _SAID_ROLE and first[0] in callings and len(first) < len(words(text))
    return alone and plain and "?" not in text[: len(first[0]) + 1] and asks_of_oneself(text)


@cache
def _claims() -> re.Pattern[str]:
    """Match "I am the" and the words behind it, from the article on."""
    ways = "|".join(map(re.escape, sorted(calling_words().oneself, key=len, reverse=True)))
    one = r"(?:one of )?(?:the|your|our|an?|le|la|un|une|l|der|die|ein|eine)"
    return re.compile(rf"\b(?:{ways}) ({one}(?: \w+){{1,{_SAID_ROLE}}})")


def _by_role(text: str, night: Night) -> str:
    """Find the one player whom the writer claims to be by role and class: "im the dk tank"."""
    meant = _called(said, night).players if (said := role_said(text)) else ()
    return meant[0] if len(meant) == 1 else ""


def _is_role_of(name: Sequence[str], text: str) -> bool:
    """Whether a name is set off behind the role that the writer claims: "im the tank (Aria)"."""
    own = r"\W+".join(map(re.escape, name))
    behind = r"\W+".join(map(re.escape, role_said(text).split()))
    return bool(behind and re.search(rf"\b{behind}\s*[,(–:-]*\s*{own}\b", fold(text)))


_SAID_ROLE = 4
"""Maximum number of words between "I am the" and the end of the role or class."""


def _apposed(name: Sequence[str]) -> re.Pattern[str]:
    """Match a name set off behind its pronoun, or before it: "I, Aria, died", "Aria (me)"."""
    asks = "".join(
        rf"(?<!\b{one} )(?<!\b{one}-)" for one in calling_words().wishing if one.isalpha()
    )
    own = r"\W+".join(map(re.escape, name))
    me = "|".join(sorted(_ME))
    return re.compile(
        rf"{asks}\b(i|je|{me})\s*[,(–-]+\s*{own}\s*(?:[,)–-]+|(?=[.!?]|$))"
        rf"|\b{own}\s*\((?:{me})\)"
    )


def unintroduced(text: str, name: str) -> str:
    """Leave out the writer's own name where it is set off behind a pronoun: "I, Aria, died"."""
    said = fold(text)
    found = _apposed(words(short_name(name))).search(said) if name else None
    if found is None or found[1] is None or len(said) != len(text):
        return text
    return f"{text[: found.end(1)]} {text[found.end() :].lstrip()}"


def _presents(text: str, name: list[str]) -> bool:
    """Whether a clause only says who writes: "Aria here", "hi c'est Aria", "…moi, Aria"."""
    parts = [words(one) for one in re.split(r"[.,;:!?…–()]+", text)]
    marks = [*re.findall(r"[.,;:!?…–()]+", text), ""]
    size, known, said = len(name), calling_words(), calling_words().wishes.sub(" ", fold(text))
    speaks = bool(_I.search(said))
    for one, mark in zip(parts, marks, strict=False):
        at = next((at for at in range(len(one)) if one[at : at + size] == name), None)
        if at is None or "?" in mark:
            continue
        before, after = " ".join(one[:at]), " ".join(one[at + size :])
        greeted = " ".join(one[1:at]) if at and one[0] not in known.denies else before
        if not before + after or (after and after not in known.present):
            continue
        if after and "" in (before, greeted):
            return True
        if not after and speaks and {before, greeted} & {*known.presented}:
            return True
    ended = [word for part in parts[:-1] if part for word in part[-1:]]
    alone = any(word in _ME for word, part in zip(ended, parts[1:], strict=False) if part == name)
    ends = [one[: -size - 1] for one in parts if one[-size:] == name and {*one[:-size][-1:]} & _ME]
    told = any({*one[-1:]} & {*known.wishing} for one in ends)  # "tell me Aria"
    done = speaks or bool(_TO_ME.search(said))
    return (alone or bool(ends)) and done and not told


def _introduces(said: Sequence[str], name: Sequence[str], text: str) -> bool:
    """Whether a clause begins with the writer and the name: "et moi Aria, je suis où ?"."""
    size, joins = len(name), calling_words().joins
    places = (at for at in range(1, len(said)) if [*said[at : at + size]] == [*name])
    begins = any(said[at - 1] in _ME and (at == 1 or said[at - 2] in joins) for at in places)
    return begins and bool(_I.search(calling_words().wishes.sub(" ", fold(text))))


OF_MATCHES = ("won", "lost", "over")
"""Outcomes of matches between players; a question names the first two as its kind."""
_SHORT = 3
"""Letters that a shortened name must exceed."""


def read_alone(text: str, night: Night) -> Question:
    """Parse one part of a message by the names in that part alone."""
    question = read(text, Overview(night=night))
    spells = dict.fromkeys(night.abilities, 1)
    return replace(question, abilities=named_abilities(text, night, spells))


def _without(text: str, names: Sequence[str], night: Night) -> str:
    """Remove question words, and beginnings of recognised names, from a text."""
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
    """Whether a question names only the instance, and therefore means the whole evening."""
    narrower = subject.bosses or subject.missing or subject.fights or subject.open
    return night is not None and not narrower and bool(in_zone(said, night.zones))


def _of_the_raid(said: str, *, named: bool) -> str:
    """Drop the words for losing if somebody is named: "we lost the shaman" tells of no wipe."""
    return re.sub(r"\b(?:lost|lose|perdu|verloren)\b", "", said) if named else said


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


def means_all(question: Question, shown: Sequence[int]) -> bool:
    """Whether it is about all pulls; "in total" and "often" are of the several just shown."""
    said = fold(question.text)
    loosely = _IN_ALL.search(said) and not _NIGHT.search(said)
    return question.whole_night and not (loosely and len(shown) > 1)


def kills_creatures(text: str) -> bool:
    """Whether a text asks who killed creatures, rather than who did damage to them."""
    return bool(re.search(r"\b(?:kill\w*|tue[rs]?|tuees?|getotet\w*)\b", fold(text)))


def speaks_of_kills(text: str) -> bool:
    """Whether a text says that somebody or something was killed."""
    return bool(_KILL.search(fold(text)))


def _match_kind(said: str) -> str:
    """Tell matches that were lost from those that were won: "in the losses"."""
    won, lost = (bool(one.search(said)) for one in (_WON, _LOST))
    return "" if won == lost else "kill" if won else "wipe"


_WON = re.compile(r"\b(wins?|won|victor(?:y|ies)|victoires?|gagne\w*|siege?n?|gewonnen\w*)\b")
_LOST = re.compile(
    r"\b(los(?:e|t|ing|s|ses)|defeats?|defaites?|perd\w*|niederlagen?|verloren\w*)\b"
)


def _fights(said: str, night: Night | None, bosses: Sequence[str]) -> tuple[int, ...]:
    """Find pull numbers ("pull 3") or the best attempt ("our closest try")."""
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
    """Read numbers that are no pull of the boss as counts of its tries: "the third on Gruul"."""
    own = {pull.fight for pull in night.pulls if pull.name in subject.bosses} if night else set()
    tries = subject.pulls
    if not own or own & {*fights} or not all(0 < fight <= len(tries) for fight in fights):
        return fights
    return tuple(tries[fight - 1] for fight in fights)


def able(night: Night, bosses: Sequence[str], kind: str) -> list[PullSummary]:
    """List the pulls of these bosses with this outcome, in order."""
    pulls = [pull for pull in night.pulls if not bosses or pull.name in bosses]
    if kind == "kill":
        return [pull for pull in pulls if pull.kill]
    if kind == "wipe":
        return [pull for pull in pulls if pull.ended == "wipe"]
    return pulls
