"""What a message means: free text, typos included, to intents about what is really there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ruleplay.agents.saga.domain import journey, lexemes
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Act, Intent
from ruleplay.agents.saga.domain.rulebook import Item
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.texts import Frozen, Text, fold, words_of

TYPO_FROM = 5
"""Words of this many letters on may have one letter wrong, missing, added or swapped."""
INTENTS_AT_MOST, WORDS_AT_MOST = 3, 200
Phrase = tuple[str, ...]
Table = Mapping[Act, Sequence[Phrase]]


class Named(Frozen):
    """Something that can be meant, and the phrases by which it is; proper ones come first."""

    id: str
    phrases: tuple[Phrase, ...]
    here: bool = True


class Scope(Frozen):
    """Everything a message can be about where the hero is."""

    mode: str
    beings: tuple[Named, ...] = ()
    places: tuple[Named, ...] = ()
    items: tuple[Named, ...] = ()
    deeds: tuple[Named, ...] = ()
    topics: tuple[tuple[str, Named], ...] = ()
    skills: tuple[Named, ...] = ()
    weapons: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heard:
    """An act heard in a clause: where, in how many words and letters, and whether as written."""

    act: Act
    at: int
    size: int
    letters: int
    exact: bool

    @property
    def rank(self) -> tuple[int, bool, int, int]:
        """Return what sorts the clearest first: longer, as written, earlier, more letters."""
        return (-self.size if self.exact else 1 - self.size, not self.exact, self.at, -self.letters)


def scope_of(game: Game, book: Book) -> Scope:
    """Return what can be meant now."""
    mode = "combat" if game.fight else "fallen" if game.dead else "narrative"
    persons = journey.persons(game, book)
    carried = [one.item for one in game.sheet.carried]
    sold = [item for person in persons.values() for item in person.sells]
    items = book.rules.items
    return Scope(
        mode=mode,
        beings=tuple(_fighters(game, book) if game.fight else _beings(game, book)),
        places=tuple(_places(game, book)),
        items=tuple(_item(key, items[key]) for key in dict.fromkeys((*carried, *sold))),
        deeds=tuple(
            Named(id=key, phrases=_split(deed.words.all))
            for key, deed in journey.deeds(game, book).items()
        ),
        topics=tuple(
            (person, Named(id=key, phrases=_split(talk.words.all)))
            for person in persons
            for key, talk in journey.talks(game, book, person).items()
        ),
        skills=tuple(
            Named(id=key, phrases=_phrases(skill.name, skill.words.all))
            for key, skill in book.rules.skills.items()
        ),
        weapons=tuple(key for key in carried if items[key].kind == "weapon"),
        remedies=tuple(key for key in carried if items[key].kind == "remedy"),
    )


def _split(phrases: Sequence[str]) -> tuple[Phrase, ...]:
    return tuple(filter(None, map(words_of, phrases)))


def _phrases(name: Text, more: Sequence[str] = ()) -> tuple[Phrase, ...]:
    own = (_bare(words_of(said)) for said in name.both)
    return tuple(dict.fromkeys((*own, *_split(more))))


def _bare(words: Phrase) -> Phrase:
    return (
        words[1:] if len(words) > 1 and words[0] in ("the", "a", "le", "la", "les", "l") else words
    )


def _item(key: str, item: Item) -> Named:
    return Named(id=key, phrases=_phrases(item.name, item.words.all))


def _fighters(game: Game, book: Book) -> Iterator[Named]:
    """Yield those of the fight, adversaries who are still in it first."""
    if game.fight is None:
        return
    cast = book.scenario.encounters.get(game.fight.encounter)
    own = {f"foe{n}": foe.words.all for n, foe in enumerate(cast.foes, 1)} if cast else {}
    order = sorted(
        (one for one in game.fight.combatants if one.id != HERO),
        key=lambda one: (not one.present, one.side != "foes", one.id),
    )
    for one in order:
        beast = book.rules.bestiary.get(one.kind)
        kinds = (*beast.words.all, *beast.name.both) if beast else ()
        phrases = _phrases(one.name, (*own.get(one.id, ()), *kinds))
        yield Named(id=one.id, phrases=phrases, here=one.present and one.side == "foes")


def _beings(game: Game, book: Book) -> Iterator[Named]:
    for key, person in journey.persons(game, book).items():
        yield Named(id=key, phrases=_phrases(person.name, person.words.all))
    if key := journey.waiting(game, book):
        for foe in book.scenario.encounters[key].foes:
            beast = book.rules.bestiary[foe.kind]
            words = (*foe.words.all, *beast.words.all, *beast.name.both)
            yield Named(id=f"encounter:{key}", phrases=_phrases(foe.name, words))


def _places(game: Game, book: Book) -> Iterator[Named]:
    places = book.scenario.places
    ways = {way.to: way for way in places[game.place].exits}
    for key, way in ways.items():
        yield Named(
            id=key, phrases=_phrases(places[key].name, (*way.words.all, *places[key].words.all))
        )
    for key in game.visited:
        if key not in ways and key != game.place:
            yield Named(id=key, phrases=_phrases(places[key].name, places[key].words.all))


def understand(message: str, scope: Scope) -> tuple[Intent, ...]:
    """Return what a message asks for, in order; a single `unknown` when it can't be told."""
    words = words_of(message)[:WORDS_AT_MOST]
    said = " ".join(message.split())[:200]
    if lang := _language(words):
        return (Intent(act="language", item=lang, said=said),)
    if scope.mode == "narrative" and (found := _deed(words, scope)):
        return (Intent(act="deed", target=found, said=said),)
    intents: list[Intent] = []
    for clause in _clauses(message):
        intent = _read(clause, scope)
        if intent and intent not in intents:
            intents.append(intent)
    kept = _reasonable(intents, scope)[:INTENTS_AT_MOST]
    return tuple(one.model_copy(update={"said": said}) for one in kept) or (
        Intent(act="unknown", said=said),
    )


def _language(words: Phrase) -> str:
    if len(words) > 6:
        return ""
    for lang, phrases in lexemes.LANGUAGES.items():
        if any(_find(words, phrase) is not None for phrase in phrases):
            return lang
    return ""


def _deed(words: Phrase, scope: Scope) -> str:
    """Return the deed all of whose words were said: that with the most words."""
    best, size = "", 0
    if lexemes.NEGATORS & set(words):
        return ""
    for deed in scope.deeds:
        for phrase in deed.phrases:
            if len(phrase) > size and all(any(akin(w, p) for w in words) for p in phrase):
                best, size = deed.id, len(phrase)
    return best


def _clauses(message: str) -> Iterator[Phrase]:
    # "puis" is French for "then", and for "can I".
    text = fold(message).replace("puis-je", "puisje").replace("puis je", "puisje")
    for mark in ".;!?,:\n":
        text = text.replace(mark, " | ")
    clause: list[str] = []
    for word in text.split():
        parts = words_of(word) if word != "|" else ()
        for part in parts or ("|",):
            if part == "|" or part in lexemes.SPLITTERS:
                if clause:
                    yield tuple(clause)
                clause = []
            else:
                clause.append(part)
    if clause:
        yield tuple(clause)


def _table(mode: str) -> Table:
    return {"combat": lexemes.FIGHT, "fallen": lexemes.FALLEN}.get(mode, lexemes.STORY)


def _read(clause: Phrase, scope: Scope) -> Intent | None:
    if lexemes.NEGATORS & set(clause):
        return None
    heard = heard_in(clause, scope.mode)
    being = _mentioned(clause, scope.beings)
    place, item = _mentioned(clause, scope.places), _mentioned(clause, scope.items)
    if scope.mode == "combat":
        return _combat(clause, scope, heard, being, item)
    if scope.mode == "fallen":
        return Intent(act=heard[0].act) if heard else None
    return _story(clause, scope, heard, being, place, item)


def heard_in(clause: Phrase, mode: str) -> list[Heard]:
    """Return the acts heard in a clause, the clearest first: longer phrases, then earlier ones."""
    found = [
        Heard(act, at, len(phrase), sum(map(len, phrase)), exact)
        for at, word in enumerate(clause)
        for act, phrase in openings(word, mode)
        if all(map(same, clause[at : at + len(phrase)], phrase)) and len(clause) - at >= len(phrase)
        for exact in (all(map(as_written, clause[at : at + len(phrase)], phrase)),)
    ]
    return sorted(found, key=lambda one: one.rank)


@lru_cache(maxsize=8192)
def openings(word: str, mode: str) -> tuple[tuple[Act, Phrase], ...]:
    """Return the phrases of a mode that may begin with a word."""
    return tuple(
        (act, phrase)
        for act, phrases in _table(mode).items()
        for phrase in phrases
        if same(word, phrase[0])
    )


def _combat(
    clause: Phrase, scope: Scope, heard: list[Heard], being: Named | None, item: Named | None
) -> Intent | None:
    act = heard[0].act if heard else None
    thing = item.id if item else ""
    if act in ("first_aid", "attack", None) and thing in scope.remedies:
        act = "use"
    if act == "use" and thing in scope.weapons:
        act = "attack" if being else "equip"
    if act == "equip" and being and thing in scope.weapons:
        act = "attack"
    if act is None:
        act = "attack" if being and len(clause) <= 4 else None
    if act is None:
        return None
    if act == "use" and not thing:
        thing = scope.remedies[0] if scope.remedies else ""
    if act in ("attack", "intimidate", "close_in"):
        weapon = thing if thing in scope.weapons else ""
        target = _target(clause, scope, being, act)
        return Intent(act=act, target=target, item=weapon if act == "attack" else "")
    return Intent(act=act, item=thing if act in ("use", "equip") else "")


def _target(clause: Phrase, scope: Scope, being: Named | None, act: Act) -> str:
    """Return whom an attack is for: who was named, or the only one there is."""
    if being:
        return being.id
    present = [one.id for one in scope.beings if one.here]
    free = lexemes.NEAREST - (lexemes.PRONOUNS if len(clause) > 3 else frozenset())
    chosen = bool(free & set(clause)) or act != "attack"
    return present[0] if present and (len(present) == 1 or chosen) else ""


def _story(
    clause: Phrase,
    scope: Scope,
    heard: list[Heard],
    being: Named | None,
    place: Named | None,
    item: Named | None,
) -> Intent | None:
    acts = list(dict.fromkeys(one.act for one in heard))
    foe = bool(being and being.id.startswith("encounter:"))
    waits = any(one.id.startswith("encounter:") for one in scope.beings)
    if "sneak" in acts and (waits or acts[0] in ("sneak", "travel")):
        return Intent(act="sneak", target=being.id if being else "")
    for act in acts:
        meant = _rather(act, foe, being, item.id if item else "", scope)
        if found := _story_act(meant, clause, scope, being, place, item):
            return found
    return _bare_mention(clause, scope, being, place, item)


def _rather(act: Act, foe: bool, being: Named | None, thing: str, scope: Scope) -> Act:
    """Return what is rather meant: whom one talks to, and what one uses, decide it."""
    if foe and act == "talk":
        return "parley"
    if act == "parley" and being and not foe:
        return "talk"
    if act in ("equip", "use") and thing in scope.weapons:
        return "trigger_combat" if foe else "equip"
    return act


def _story_act(
    act: Act,
    clause: Phrase,
    scope: Scope,
    being: Named | None,
    place: Named | None,
    item: Named | None,
) -> Intent | None:
    """Return an act with what it is about; None when it lacks what it needs."""
    target = being.id if being else ""
    person = target if target and not target.startswith("encounter:") else ""
    match act:
        case "travel":
            return Intent(act=act, target=place.id) if place else None
        case "look" if not person:
            return Intent(act=act)
        case "talk" | "look":
            return _conversation(clause, scope, person or _only_person(scope), act)
        case "train":
            skill = _mentioned(clause, scope.skills)
            return Intent(act=act, target=skill.id if skill else "")
        case "trigger_combat" | "parley":
            return Intent(act=act, target=target)
        case "use" | "equip" | "buy" | "sell":
            thing = item.id if item else ""
            if act == "use" and not thing and scope.remedies:
                thing = scope.remedies[0]
            named = thing or ("" if act == "equip" else _loose(clause))
            return Intent(act=act, item=named) if named else None
        case _:
            return Intent(act=act)


def _loose(clause: Phrase) -> str:
    """Return the last word of a clause: what somebody wants who names nothing known."""
    return clause[-1] if clause else ""


def _only_person(scope: Scope) -> str:
    people = {one.id for one in scope.beings if not one.id.startswith("encounter:")}
    return next(iter(people)) if len(people) == 1 else ""


def _conversation(clause: Phrase, scope: Scope, person: str, act: Act) -> Intent:
    if act == "look":
        return Intent(act="look", target=person)
    for owner, topic in scope.topics:
        if owner == person and any(_find(clause, phrase) is not None for phrase in topic.phrases):
            return Intent(act="talk", target=person, item=topic.id)
    return Intent(act="talk", target=person)


def _bare_mention(
    clause: Phrase, scope: Scope, being: Named | None, place: Named | None, item: Named | None
) -> Intent | None:
    """Read a clause without a verb: a place is gone to, a person spoken to, a topic asked about."""
    if len(clause) > 5:
        return None
    if being and not being.id.startswith("encounter:"):
        return _conversation(clause, scope, being.id, "talk")
    if place:
        return Intent(act="travel", target=place.id)
    if item and item.id in scope.remedies:
        return Intent(act="use", item=item.id)
    person = _only_person(scope)
    found = _conversation(clause, scope, person, "talk") if person else None
    return found if found and found.item else None


def _reasonable(intents: list[Intent], scope: Scope) -> list[Intent]:
    """Drop what only sets the scene: looking before acting, a second target of one attack."""
    if scope.mode != "combat":
        asked = {one.target for one in intents if one.act == "talk" and one.item}
        acting = [
            one
            for one in intents
            if one.act not in ("look", "begin")
            and not (one.act == "talk" and not one.item and one.target in asked)
        ]
        return (acting or intents)[:2]
    kept: list[Intent] = []
    for one in intents:
        if one.act == "attack" and any(other.act == "attack" for other in kept):
            continue
        kept.append(one)
    acting = [one for one in kept if one.act != "status"]
    return _armed(acting or kept)


def _armed(intents: list[Intent]) -> list[Intent]:
    """Take "draw the bow and shoot" as one attack with the bow."""
    equips = [one for one in intents if one.act == "equip"]
    attacks = [one for one in intents if one.act == "attack"]
    if not (equips and attacks):
        return intents
    weapon = attacks[0].item or equips[0].item
    armed = attacks[0].model_copy(update={"item": weapon})
    return [armed if one is attacks[0] else one for one in intents if one not in equips]


def _mentioned(clause: Phrase, named: Sequence[Named]) -> Named | None:
    """Return what a clause names: by the most words, then by the order of the scope."""
    best: tuple[int, Named] | None = None
    for one in named:
        for phrase in one.phrases:
            if phrase and _find(clause, phrase) is not None and (not best or len(phrase) > best[0]):
                best = (len(phrase), one)
    return best[1] if best else None


def _find(words: Phrase, phrase: Phrase) -> int | None:
    """Return where a phrase stands in words, typos allowed; None when it does not."""
    size = len(phrase)
    for at in range(len(words) - size + 1):
        if same(words[at], phrase[0]) and all(map(same, words[at : at + size], phrase)):
            return at
    return None


def as_written(word: str, pattern: str) -> bool:
    """Whether a word is the pattern without any typo."""
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


@lru_cache(maxsize=65536)
def akin(word: str, part: str) -> bool:
    """Whether a word is a deed's word, or another form of the French infinitive it is given in."""
    infinitive = len(part) >= TYPO_FROM and part.endswith(("er", "ir", "re"))
    return same(word, part) or (infinitive and word.startswith(part[:-2]))


@lru_cache(maxsize=65536)
def same(word: str, pattern: str) -> bool:
    """Whether a word is the pattern, perhaps with a typo; `*` at its end leaves the rest open."""
    if pattern.endswith("*"):
        stem = pattern[:-1]
        if word.startswith(stem):
            return True
        return len(stem) >= TYPO_FROM and _near(word[: len(stem) + 1], stem, prefix=True)
    if word == pattern or (len(pattern) > 3 and word in (f"{pattern}s", f"{pattern}x")):
        return True
    return len(pattern) >= TYPO_FROM and _near(word, pattern)


def _near(word: str, pattern: str, *, prefix: bool = False) -> bool:
    """Whether one letter more, less, other or two swapped turn one into the other."""
    if not word or abs(len(word) - len(pattern)) > 1:
        return False
    if word[0] != pattern[0] and word[1:2] != pattern[1:2]:
        return False
    candidates = (word, word[: len(pattern)], word[: len(pattern) - 1]) if prefix else (word,)
    return any(_one_edit(one, pattern) for one in candidates)


def _one_edit(a: str, b: str) -> bool:
    at = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    if len(a) == len(b):
        swapped = a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :]
        return a[at + 1 :] == b[at + 1 :] or swapped
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    # In short words a letter more or less makes another word: swing, sing.
    return len(b) > TYPO_FROM and longer[at + 1 :] == shorter[at:]
