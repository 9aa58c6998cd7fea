"""Finds the Pokémon, moves, items, abilities and types that a message names.

What is in this battle is also recognised when misspelt, shortened, or written with Showdown's
aliases. What is only in the dex must be spelt exactly and stand where a name is plausible: "left in
charge" does not name the move Charge. Everyday words such as "protect" or the French "encore" count
as names only if the battle has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.happenings import last_turn
from ruleplay.agents.battle.domain.items import is_item, item_name
from ruleplay.agents.battle.domain.meaning import Heard, Named, Thing
from ruleplay.agents.battle.domain.naming import bare, move_name
from ruleplay.agents.battle.domain.phrases import happened, turn_words, wish_said
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.agents.battle.domain.wishes import Wish
from ruleplay.hearing import gaps
from ruleplay.hearing.classifier import fold, load
from ruleplay.telling.number_words import spelled

KINDS = ("ours", "theirs", "move", "item", "ability", "type", "species", "turn")
"""Kinds of named things; `species` are Pokémon that are not in this battle, a turn is past."""
MARKS = {"ours": "mon", "theirs": "mon", "species": "mon"}
"""What a name becomes in the marked text that the classifier reads; other kinds keep their own
name.
"""
LIKE = 82
"""Minimum similarity, out of 100, of a misspelt word to a name in this battle."""
SHORTEST = 4
"""Letters a word must have to match a name partially or with a typo."""
LONGEST = 4
"""Words a name can have."""
PACKAGE = "ruleplay.agents.battle"
PLAIN = 0.5
"""Probability of a plain word above which a dex name in that place is not taken as a name."""
STRANGE = 0.6
"""Probability of a name above which an unknown word in that place counts as one."""
WORDS_LOST = 2
"""Unknown names have fewer spaces than this; longer stretches are not names."""
MARKED = ("mon", "move")
"""Kinds of place where an unknown name is reported."""
_NTH = re.compile(r"(\d{1,4})[a-z]{1,4}")
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")


@dataclass(frozen=True)
class Lexicon:
    """The names a message may use, by their normalised letters.

    `battle` has those of this battle, `types` those of types in every language, `short` Showdown's
    aliases. `usual` tells whether a word is an everyday one. Turns before `turn` have names, too.
    """

    battle: Mapping[str, tuple[Thing, ...]]
    types: Mapping[str, str]
    usual: Callable[[str], bool]
    short: Mapping[str, str] = field(default_factory=dict)
    turn: int = 0

    def find(self, message: str, *, plain: bool = False, items: bool = False) -> Named:
        """Find all names in a message, longest match first.

        Everyday words are matched against this battle's names too, unless `plain` is set; then they
        are never names by themselves. With `items`, an item's name is one even where the words
        around it suggest an everyday word. Callers compare the readings.
        """
        # The marked text replaces each name by its kind, so that the classifier sees the sentence's
        # shape and not which of a thousand names was written.
        words = list(_WORD.finditer(message))
        names, marked, at, last = list[tuple[Thing, ...]](), list[str](), 0, 0
        while at < len(words):
            said = [word[0] for word in words[at : at + LONGEST]]
            found, count = _turn(said, self.turn)
            if not found:
                found, count = self._at(said, plain=plain and self.usual(fold(said[0])))
            short = self.short.get(dex.to_id(fold(said[0])), "") if items and not found else ""
            if is_item(short):  # "the scarf" is an everyday word, too
                found, count = (Thing("item", short),), 1
            # A single word from the dex may be an ordinary one; the words around it decide.
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
        """Check that a move, item or ability is only in the dex, not part of this battle."""
        known = (thing for things in self.battle.values() for thing in things)
        return found[0].kind in ("move", "item", "ability") and found[0] not in known

    def _at(self, words: list[str], *, plain: bool) -> tuple[tuple[Thing, ...], int]:
        """Match the next words; gives the things and the number of words used, or () and 0.

        If `plain`, the first word is an everyday word and only counts as part of a longer name.
        """
        # Exact matches first, longest to shortest, so "Stealth Rock" is not just "Rock".
        for count in range(len(words), int(plain), -1):
            written = dex.to_id(fold("".join(words[:count])))
            if found := self._exactly(written, plain=count == 1):
                return found, count
        # Typos are only matched over one or two words: longer ones would swallow ordinary text.
        for count in range(0 if plain else min(2, len(words)), 0, -1):
            written = dex.to_id(fold("".join(words[:count])))
            if not any(self.usual(fold(word)) for word in words[:count]) and (
                found := self._nearly(written)
            ):
                return found, count
        return (), 0

    def _exactly(self, written: str, *, plain: bool) -> tuple[Thing, ...]:
        """Match letters exactly: this battle first, then types, aliases and the dex."""
        if found := self.battle.get(written):
            return found
        if plain and (len(written) < 2 or self.usual(written)):
            return ()
        if kind := self.types.get(written):
            return (Thing("type", kind),)
        short = self.short.get(written, "")
        return self.battle.get(short) or _printed(written) or _printed(short)

    def _nearly(self, written: str) -> tuple[Thing, ...]:
        """Find this battle's names that a word is a part or a misspelling of."""
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
        # Close scores are kept together: which one is meant is then asked back.
        names = parts or [name for name in near if scores[name] >= best - 4]
        return tuple(dict.fromkeys(thing for name in names for thing in self.battle[name]))


def _turn(words: Sequence[str], now: int) -> tuple[tuple[Thing, ...], int]:
    """Read the name of a past turn: "turn 4", "t10", "le 11e tour", "tour onze"."""
    said = [fold(word).strip("-.") for word in words]
    for word in turn_words():
        glued = said[0].removeprefix(word).removeprefix(word[:1]).removeprefix("-")
        if said[0].startswith(word[:1]) and glued.isdecimal():
            number, count = int(glued), 1
        elif said[0] == word and said[1:] and (read := spelled(said, 1)):
            number, count = int(read.value), 1 + read.size
        elif said[0] == word and said[1:] and said[1].isdecimal():
            number, count = int(said[1]), 2
        elif said[1:2] == [word] and (first := _NTH.fullmatch(said[0])):
            number, count = int(first[1]), 2
        else:
            continue
        return ((Thing("turn", str(number)),), count) if 0 < number < now else ((), 0)
    return (), 0


def _is_plain_place(before: str, after: str) -> bool:
    """Check whether the words around a gap suggest a plain word rather than a name."""
    said, more = gaps.tokens(before), gaps.tokens(after)
    around = gaps.window([*said, gaps.GAP, *more], len(said), len(said) + 1)
    guesses = load(PACKAGE, "names.bin").read(around)["name"]
    return any(one.label == gaps.WORD and one.sure >= PLAIN for one in guesses)


def unknown_names(named: Named) -> tuple[tuple[Thing, ...], ...]:
    """List words that stand where a Pokémon or a move is named but match nothing known."""
    said, places = gaps.tokens(named.marked), load(PACKAGE, "names.bin")
    found = gaps.unknown_names(said, places.words, places, STRANGE)
    meant = [one.text for one in found if one.kind in MARKED and one.text.count(" ") < WORDS_LOST]
    return tuple((Thing("unknown", text),) for text in meant)


def _is_part(word: str, name: str) -> bool:
    """Check whether a word is the beginning or end of a longer name."""
    return len(name) > len(word) and (name.startswith(word) or name.endswith(word))


def _printed(written: str) -> tuple[Thing, ...]:
    """Look up an id in the dex: moves first, then species, items and abilities."""
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
    """Collect the names of a battle; `types` maps type names in any language to their ids."""
    found: dict[str, list[Thing]] = {}
    for written, thing in _names(position, inference):
        known = found.setdefault(dex.to_id(fold(written)), [])
        if thing not in known:
            known.append(thing)
    battle = {name: tuple(things) for name, things in found.items() if name}
    kinds = {dex.to_id(fold(written)): kind for written, kind in types.items()}
    return Lexicon(battle, kinds, usual, short, position.turn)


def _names(position: Position, inference: Inference) -> Iterator[tuple[str, Thing]]:
    """Yield every written form in this battle with the thing it means."""
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


def lists(
    position: Position, inference: Inference, wishes: Sequence[Wish]
) -> tuple[tuple[str, str], ...]:
    """List what a message may refer to, with titles: names, the last turn, and standing wishes."""
    ours = [
        f"{bare(mon.ident)} ({', '.join(map(move_name, mon.known_moves))})"
        for mon in position.ours.team
    ]
    theirs = [bare(mon.ident) for mon in position.theirs.team]
    moves = [move_name(move) for move in moves_of(position, inference)]
    out = [bare(mon.ident) for mon in (position.ours.active, position.theirs.active) if mon]
    happening = [happened("en", one) for one in last_turn(position)]
    return (
        ("On the field, ours first", ", ".join(out)),
        ("Our Pokémon", "; ".join(ours)),
        ("Theirs", ", ".join(theirs)),
        ("Moves of this battle", ", ".join(moves)),
        ("The last turn", " ".join(happening)),
        ("The turn to be chosen", str(position.turn)),
        ("Holds already", "; ".join(wish_said("en", wish, position) for wish in wishes)),
    )


def moves_of(position: Position, inference: Inference) -> Collection[str]:
    """List the moves that anybody in this battle has or may have, without duplicates."""
    team = (*position.ours.team, *position.theirs.team)
    seen = [move for mon in team for move in mon.known_moves]
    sets = [one.set for guess in inference.guesses.values() for one in guess.sets]
    return dict.fromkeys([*seen, *(move for one in sets for move in one.moves)])


def thing_name(thing: Thing) -> str:
    """Look up the display name of a thing."""
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
    """Reproduce a clause as written, with display names in the place of marks."""
    named = iter(thing_name(name[0]) for name in heard.named.names)
    said = re.sub(r"<\w+>", lambda mark: next(named, mark[0]), heard.named.marked)
    return said.strip(" ,.;")
