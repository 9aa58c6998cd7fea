"""Which Pokémon, moves, items, abilities and types a message names, by the battle's own data.

Who and what is in this battle may be misspelt, cut short or called by Showdown's short names; what
is only in the dex has to be written as it is, and to stand where names do: "left in charge" names
no move. A word that wordings have, such as "protect" or the French "encore", is no name unless the
battle has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.items import is_item, item_name
from ruleplay.agents.battle.domain.meaning import Heard, Named, Thing
from ruleplay.agents.battle.domain.naming import bare
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.hearing import gaps
from ruleplay.hearing.classifier import fold, load

KINDS = ("ours", "theirs", "move", "item", "ability", "type", "species")
MARKS = {"ours": "mon", "theirs": "mon", "species": "mon"}
LIKE = 82
"""How like a name of this battle a misspelt one is, of 100."""
SHORTEST = 4
"""Letters of a word that may stand for a name in part, or misspelt."""
LONGEST = 4
"""Words of a name."""
PACKAGE = "ruleplay.agents.battle"
PLAIN = 0.5
"""How likely a place has to hold a plain word for a name of the dex to be none there."""
STRANGE = 0.6
"""How likely it has to hold a name for an unknown word to be one."""
WORDS_LOST = 2
"""Words of an unknown name, at most: more are no name."""
MARKED = ("mon", "move")
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")


@dataclass(frozen=True)
class Lexicon:
    """The names of a battle by their letters, and those of the dex; `usual` knows plain words."""

    battle: Mapping[str, tuple[Thing, ...]]
    types: Mapping[str, str]
    usual: Callable[[str], bool]
    short: Mapping[str, str] = field(default_factory=dict)

    def find(self, message: str, *, plain: bool = False, items: bool = False) -> Named:
        """Return what a message names, the longest names first.

        A word that wordings have may be meant as a name of this battle, or, if `plain`, is none.
        With `items`, what is written like an item is one, though its place is a plain word's.
        """
        words = list(_WORD.finditer(message))
        names, marked, at, last = list[tuple[Thing, ...]](), list[str](), 0, 0
        while at < len(words):
            said = [word[0] for word in words[at : at + LONGEST]]
            found, count = self._at(said, plain=plain and self.usual(fold(said[0])))
            certain = items and bool(found) and found[0].kind == "item"
            if found and count == 1 and not certain and self._only_printed(found):
                around = (
                    "".join((*marked, message[last : words[at].start()])),
                    message[words[at].end() :],
                )
                found = () if _is_plain_place(*around) else found
            if found:
                names.append(found)
                mark = MARKS.get(found[0].kind, found[0].kind)
                marked += [message[last : words[at].start()], f"<{mark}>"]
                last = words[at + count - 1].end()
            at += max(1, count)
        marked.append(message[last:])
        return Named(tuple(names), "".join(marked))

    def _only_printed(self, found: tuple[Thing, ...]) -> bool:
        """Tell whether a thing is none of this battle, and of a kind that plain words are, too."""
        known = (thing for things in self.battle.values() for thing in things)
        return found[0].kind in ("move", "item", "ability") and found[0] not in known

    def _at(self, words: list[str], *, plain: bool) -> tuple[tuple[Thing, ...], int]:
        """Return what the next words name, and how many they are; both naught for no name.

        Where the first is `plain`, it names nothing but with those behind it.
        """
        for count in range(len(words), int(plain), -1):
            written = dex.to_id(fold("".join(words[:count])))
            if found := self._exactly(written, plain=count == 1):
                return found, count
        for count in range(0 if plain else min(2, len(words)), 0, -1):
            written = dex.to_id(fold("".join(words[:count])))
            if not any(self.usual(fold(word)) for word in words[:count]) and (
                found := self._nearly(written)
            ):
                return found, count
        return (), 0

    def _exactly(self, written: str, *, plain: bool) -> tuple[Thing, ...]:
        if found := self.battle.get(written):
            return found
        if plain and (len(written) < 2 or self.usual(written)):
            return ()
        if kind := self.types.get(written):
            return (Thing("type", kind),)
        short = self.short.get(written, "")
        return self.battle.get(short) or _printed(written) or _printed(short)

    def _nearly(self, written: str) -> tuple[Thing, ...]:
        """Return the names of this battle that a word is a part of, or a slip from."""
        if len(written) < SHORTEST:
            return ()
        parts = [name for name in self.battle if _is_part(written, name)]
        scores = {
            name: fuzz.ratio(written, name)
            for name in self.battle
            if name[:1] == written[:1] and abs(len(name) - len(written)) <= 2
        }
        near = [name for name, score in scores.items() if score >= LIKE]
        best = max((scores[name] for name in near), default=0)
        names = parts or [name for name in near if scores[name] >= best - 4]
        return tuple(dict.fromkeys(thing for name in names for thing in self.battle[name]))


def _is_plain_place(before: str, after: str) -> bool:
    """Tell whether the words around a gap make it one for a plain word rather than for a name."""
    said, more = gaps.tokens(before), gaps.tokens(after)
    around = gaps.window([*said, gaps.GAP, *more], len(said), len(said) + 1)
    guesses = load(PACKAGE, "names.bin").read(around)["name"]
    return any(one.label == gaps.WORD and one.sure >= PLAIN for one in guesses)


def unknown_names(named: Named) -> tuple[tuple[Thing, ...], ...]:
    """Return the words where a Pokémon or a move is named that is nobody's and nothing's here."""
    said, places = gaps.tokens(named.marked), load(PACKAGE, "names.bin")
    found = gaps.unknown_names(said, places.words, places, STRANGE)
    meant = [one.text for one in found if one.kind in MARKED and one.text.count(" ") < WORDS_LOST]
    return tuple((Thing("unknown", text),) for text in meant)


def _is_part(word: str, name: str) -> bool:
    """Tell whether a word begins or ends a longer name."""
    return len(name) > len(word) and (name.startswith(word) or name.endswith(word))


def _printed(written: str) -> tuple[Thing, ...]:
    """Return what the dex has under an id."""
    if not written:
        return ()
    if dex.knows_move(written) and not written[-1:].isdigit():
        return (Thing("move", written),)
    if dex.knows_species(written):
        return (Thing("species", written),)
    if is_item(written):
        return (Thing("item", written),)
    if dex.knows_ability(written):
        return (Thing("ability", written),)
    return ()


def lexicon(
    position: Position,
    inference: Inference,
    types: Mapping[str, str],
    usual: Callable[[str], bool],
    short: Mapping[str, str],
) -> Lexicon:
    """Return the names of a battle; `types` are type names in any language with their ids."""
    found: dict[str, list[Thing]] = {}
    for written, thing in _names(position, inference):
        known = found.setdefault(dex.to_id(fold(written)), [])
        if thing not in known:
            known.append(thing)
    battle = {name: tuple(things) for name, things in found.items() if name}
    kinds = {dex.to_id(fold(written)): kind for written, kind in types.items()}
    return Lexicon(battle, kinds, usual, short)


def _names(position: Position, inference: Inference) -> Iterator[tuple[str, Thing]]:
    for kind, side in position.sides:
        for mon in side.team:
            for written in (bare(mon.ident), mon.species, mon.base):
                yield written, Thing(kind, mon.ident)
    for move in moves_of(position, inference):
        yield move, Thing("move", move)
    sets = [one.set for guess in inference.guesses.values() for one in guess.sets]
    team = (*position.ours.team, *position.theirs.team)
    for item in sorted({mon.item or "" for mon in team} | {one.item for one in sets}):
        yield item, Thing("item", item)
    for ability in sorted({mon.ability or "" for mon in team} | {one.ability for one in sets}):
        yield ability, Thing("ability", ability)


def moves_of(position: Position, inference: Inference) -> Collection[str]:
    """Return the moves that somebody in this battle has or may have."""
    team = (*position.ours.team, *position.theirs.team)
    seen = [move for mon in team for move in mon.known_moves]
    sets = [one.set for guess in inference.guesses.values() for one in guess.sets]
    return dict.fromkeys([*seen, *(move for one in sets for move in one.moves)])


def thing_name(thing: Thing) -> str:
    """Return how a thing is written."""
    match thing.kind:
        case "ours" | "theirs":
            return bare(thing.id)
        case "move":
            return dex.move_name(thing.id)
        case "item":
            return item_name(thing.id)
        case "ability":
            return dex.ability_name(thing.id)
        case "species":
            return dex.species_name(thing.id)
    return thing.id


def quoted(heard: Heard) -> str:
    """Return a clause as it was written, with its names as they are called."""
    named = iter(thing_name(name[0]) for name in heard.named.names)
    said = re.sub(r"<\w+>", lambda mark: next(named, mark[0]), heard.named.marked)
    return said.strip(" ,.;")
