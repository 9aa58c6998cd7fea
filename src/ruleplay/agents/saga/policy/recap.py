"""Summarise the story so far from the state: goal, discoveries, people, promises, loose ends."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.view import OUTCOMES, last_fight, shortly
from ruleplay.story.texts import Text, texts_in

TEXTS = texts_in("ruleplay.agents.saga.policy", "recap.json")

LISTED, LEADS = 12, 3
"""Most lines in each part of the recap, of which the latest are kept; most leads beside a search
in vain."""


def recap(game: Game, book: Book) -> str:
    """Write the whole recap, for the player."""
    return "\n\n".join(
        [_part(TEXTS["goal"], [book.scenario.pitch.of(game.lang)], game), *_parts(game, book)]
    )


def recap_lines(game: Game, book: Book) -> tuple[str, ...]:
    """Write the recap as facts, each part on one line."""
    parts = (part.replace("\n- ", " ", 1) for part in recap(game, book).split("\n\n"))
    return tuple(part.replace("\n- ", "; ") for part in parts)


def known_so_far(game: Game, book: Book) -> str:
    """Write the recap for prompts: what has happened, without goal, loose ends and details."""
    return "\n\n".join(_parts(game, book, leads=False))


def _parts(game: Game, book: Book, *, leads: bool = True) -> Iterator[str]:
    kinds = ("promise", "detail", "keepsake", "left", "spent")
    canon = {kind: [one.text for one in game.story.canon if one.kind == kind] for kind in kinds}
    parts = (
        (TEXTS["found"], [*_found(game, book)]),
        (TEXTS["met"], [*_met(game, book)]),
        (TEXTS["foes"], [*_faced(game, book)]),
        (TEXTS["promised"], canon["promise"]),
        (TEXTS["own"], canon["detail"] if leads else []),
        (TEXTS["left"], canon["left"] if leads else []),
        (TEXTS["spent"], canon["spent"] if leads else []),
        (TEXTS["kept"], canon["keepsake"]),
        (TEXTS["open"], [*_open(game, book)] if leads else []),
    )
    yield from (_part(head, lines, game) for head, lines in parts if lines)


def _part(head: Text, lines: list[str], game: Game) -> str:
    named = f"{head.of(game.lang)}\u00a0:" if game.lang == "fr" else f"{head.of(game.lang)}:"
    told = [*dict.fromkeys(lines)][-LISTED:]
    return f"{named} {told[0]}" if len(told) == 1 else "\n- ".join([named, *told])


def _found(game: Game, book: Book) -> Iterator[str]:
    story, lang = book.scenario, game.lang
    yield from (story.secrets[key].text.of(lang) for key in game.secrets)
    for key, clue in story.clues.items():
        if f"clue:{key}:text" in game.flags:
            yield shortly(clue.text.of(lang))
    for key, clock in story.clocks.items():
        if f"clock:{key}:text" in game.flags:
            yield shortly(clock.text.of(lang))
    for key, talk in story.talks.items():
        if f"talk:{key}:text" in game.flags and not talk.gain.secrets and not talk.default:
            name = story.persons[talk.person].name.of(lang)
            yield f"{name}: {shortly(talk.text.of(lang))}"


def _met(game: Game, book: Book) -> Iterator[str]:
    for key, person in book.scenario.persons.items():
        if not surroundings.met(game, book, key):
            continue
        name = surroundings.known_name(game, book, key).of(game.lang)
        gone = not person.when.holds(game.flags) or f"gone:{key}" in game.flags
        if gone:
            yield TEXTS["gone"].of(game.lang).format(name)
            continue
        liking = TEXTS[f"liking.{game.story.attitude(key, person.attitude)}"]
        along = f", {TEXTS['along'].of(game.lang)}" if key in game.story.company else ""
        yield liking.of(game.lang).format(name) + along


def _faced(game: Game, book: Book) -> Iterator[str]:
    lang = game.lang
    for key, encounter in book.scenario.encounters.items():
        who = TEXTS["between"].of(lang).join(foe.name.of(lang) for foe in encounter.foes)
        if f"encounter:{key}:avoided" in game.flags:
            yield TEXTS["past"].of(lang).format(who)
        elif key != (game.last_result.encounter if game.last_result else ""):
            outcomes = [v for kind, k, v in game.chronicle if (kind, k) == ("fight", key)]
            yield from (OUTCOMES[v].of(lang).format(who) for v in outcomes[-1:])
    yield from last_fight(game, book)


def leads(game: Game, book: Book) -> str:
    """Say, behind what was in vain, what is still open elsewhere; empty if nothing is."""
    found = "; ".join([*dict.fromkeys(_open(game, book))][:LEADS])
    return TEXTS["leads"].of(game.lang).format(found) if found else ""


def _open(game: Game, book: Book) -> Iterator[str]:
    story, lang = book.scenario, game.lang
    ways = (way for key in game.visited for way in story.places[key].exits)
    unseen = (way.to for way in ways if way.to not in game.visited and way.when.holds(game.flags))
    if names := [story.places[to].name.of(lang) for to in dict.fromkeys(unseen)]:
        yield TEXTS["unseen"].of(lang).format(", ".join(names))
    for key, person in story.persons.items():
        there = person.when.holds(game.flags) and f"gone:{key}" not in game.flags
        # A hint may have the name of somebody whom the hero does not know by it yet.
        there = there and surroundings.known_name(game, book, key) == person.name
        for talk in surroundings.talks(game, book, key).values() if there else ():
            if talk.hint and surroundings.met(game, book, key):
                yield talk.hint.of(lang)
    yield from (d.hint.of(lang) for d in surroundings.deeds(game, book).values() if not d.quiet)
