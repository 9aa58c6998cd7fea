"""What a message means: free text, typos included, to intents about what is really there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ruleplay.agents.saga.domain import lexemes
from ruleplay.agents.saga.domain.intents import Act, Intent
from ruleplay.agents.saga.domain.mentions import (
    handled,
    mentioned,
    merely_names,
    negated,
    only_person,
    stows,
    topic_in,
)
from ruleplay.agents.saga.domain.scope import Named, Scope
from ruleplay.agents.saga.domain.texts import fold, words_of
from ruleplay.agents.saga.domain.wording import Phrase, akin, as_written, find, same

INTENTS_AT_MOST, WORDS_AT_MOST = 3, 200
LOOKED_UP: tuple[Act, ...] = ("inventory", "sheet", "journal", "map", "help")
Table = Mapping[Act, Sequence[Phrase]]


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


def understand(message: str, scope: Scope) -> tuple[Intent, ...]:
    """Return what a message asks for, in order; a single `unknown` when it can't be told."""
    words = words_of(message)[:WORDS_AT_MOST]
    said = " ".join(message.split())[:200]
    if lang := _language(words):
        return (Intent(act="language", item=lang, said=said),)
    if scope.mode == "narrative" and (found := _deed(words, scope)):
        return (Intent(act="deed", target=found, said=said),)
    intents: list[Intent] = []
    asks = "?" in message
    for clause in clauses(message):
        intent = _read(clause, scope, asks=asks)
        if intent and intent not in intents:
            intents.append(intent)
    if scope.mode == "narrative":
        intents = _on_topic(intents, words, scope)
    kept = _reasonable(intents, scope)[:INTENTS_AT_MOST]
    return tuple(one.model_copy(update={"said": said}) for one in kept) or (
        Intent(act="unknown", said=said),
    )


def _language(words: Phrase) -> str:
    if len(words) > 6:
        return ""
    for lang, phrases in lexemes.LANGUAGES.items():
        if any(find(words, phrase) is not None for phrase in phrases):
            return lang
    return ""


def _on_topic(intents: list[Intent], words: Phrase, scope: Scope) -> list[Intent]:
    """Return the intents with what a conversation is about, which may stand in another clause.

    A question that holds a topic of somebody present is put to them, whatever else it says.
    """
    asks = [one for one in intents if one.act == "talk"]
    if any(one.item for one in asks) or negated(words):
        return intents
    person = asks[0].target if asks else only_person(scope)
    topic = topic_in(words, scope, person)
    if not topic:
        return intents
    if asks:
        return [one.model_copy(update={"item": topic}) if one in asks else one for one in intents]
    questions = any(find(words, phrase) is not None for phrase in lexemes.QUESTIONS)
    idle = all(one.act in ("look", "sheet", "journal", "help", "map") for one in intents)
    if questions and idle and (len(words) > 3 or not intents):
        return [Intent(act="talk", target=person, item=topic)]
    return intents


def _deed(words: Phrase, scope: Scope) -> str:
    """Return the deed all of whose words were said: that with the most words."""
    best, size = "", 0
    if negated(words):
        return ""
    for deed in scope.deeds:
        for phrase in deed.phrases:
            if len(phrase) > size and all(any(akin(w, p) for w in words) for p in phrase):
                best, size = deed.id, len(phrase)
    talks = any(one.act == "talk" for one in heard_in(words, scope.mode))
    return best or ("" if talks else handled(words, scope))


def clauses(message: str) -> Iterator[Phrase]:
    """Yield the words of a message, clause by clause."""
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


def _read(clause: Phrase, scope: Scope, *, asks: bool) -> Intent | None:
    if negated(clause):
        return None
    heard = heard_in(clause, scope.mode)
    if asks:  # A question that may be looked up is looked up: that costs nothing.
        heard = sorted(heard, key=lambda one: one.act not in LOOKED_UP)
    if heard and all(one.act in ("equip", "use") for one in heard) and stows(clause):
        return None
    being = mentioned(clause, scope.beings)
    place, item = mentioned(clause, scope.places), mentioned(clause, scope.items)
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
    exact = [one for one in found if one.exact]
    return sorted(exact or found, key=lambda one: one.rank)


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
    foe = bool(being and being.here)
    if act is None and being and foe and (thing in scope.weapons or merely_names(clause, being)):
        act = "attack"
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
    thing = item.id if item else ""
    for act in acts:
        asked = _asked_for(clause, thing, scope) if act == "buy" else act
        if asked is None:
            continue
        meant = _rather(asked, foe, being, thing, scope)
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


def _asked_for(clause: Phrase, thing: str, scope: Scope) -> Act | None:
    """Return what is meant by asking for something: buying, or taking what is already owned."""
    said = any(find(clause, phrase) is not None for phrase in lexemes.BUYING)
    if said or thing in scope.sold:
        return "buy"
    return "equip" if thing in scope.weapons else None


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
            return _conversation(clause, scope, person or only_person(scope), act)
        case "train":
            skill = mentioned(clause, scope.skills)
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


def _conversation(clause: Phrase, scope: Scope, person: str, act: Act) -> Intent:
    if act == "look":
        return Intent(act="look", target=person)
    for owner, topic in scope.topics:
        if owner == person and any(find(clause, phrase) is not None for phrase in topic.phrases):
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
    person = only_person(scope)
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
