"""What the player asks outside the story: the facts that answer it, and the block code prints."""

# ruff: noqa: E501 -- texts
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, get_args

from ruleplay.agents.saga.domain.errands import RANKS_AT_MOST
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Consulted
from ruleplay.agents.saga.domain.rulebook import StatusKind
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.sheet import LEVEL_HP, RANK
from ruleplay.agents.saga.policy.phrases import CAUSES, STATUS
from ruleplay.agents.saga.policy.recap import recap, recap_lines
from ruleplay.agents.saga.policy.replies import looked_up, own_text, seen
from ruleplay.agents.saga.view import last_fight
from ruleplay.story.bounds import BANDS, difficulty

Asked = Literal["place", "sheet", "rules", "memory", "help", "fight", "aside", "over", "playing"]
ASKED: tuple[Asked, ...] = get_args(Asked)
HURTS: tuple[StatusKind, ...] = ("poisoned", "bleeding", "burning")


def block_of(topic: Asked, game: Game, book: Book) -> str:
    """Return what code says to a question: complete, where no model answers it."""
    lang = game.lang
    if topic == "memory":
        return f"{recap(game, book)}\n\n{_lines(_looked_up('sheet', game, book))[0]}"
    if topic == "rules":
        return "\n\n".join(filter(None, (_looked_up("rules", game, book), chances(game, book))))
    if topic == "aside":  # what is asked in confidence is answered by what there is to see
        return block_of("fight" if game.fight else "place", game, book)
    if topic == "place" and not game.fight:
        return seen(game, book)
    if topic == "over":
        return f"{_balance(game, book)} {own_text('after').of(lang)}"
    if topic == "playing":
        return own_text("playing").of(lang)
    if topic == "fight" and not game.fight:
        return "\n".join(last_fight(game, book)) or _looked_up("place", game, book)
    return _looked_up(topic, game, book)


def whole_rules(game: Game, book: Book) -> str:
    """Return all rules there are: what `/rules` shows, and what a model may answer from."""
    lang = game.lang
    more = (own_text("trying").of(lang), _fighting(game, book))
    return "\n\n".join(
        [block_of("rules", game, book), *more, _levels(game), own_text("death").of(lang)]
    )


def facts_of(topic: Asked, game: Game, book: Book) -> tuple[str, ...]:
    """Return what a model may say to a question: what it is about first, then all the rest."""
    parts: dict[str, Callable[[], list[str]]] = {
        "over": lambda: (
            [_balance(game, book), own_text("after").of(game.lang)] if game.ending else []
        ),
        "playing": lambda: [own_text("playing").of(game.lang)],
        "sheet": lambda: _lines(_looked_up("sheet", game, book)),
        "memory": lambda: [*recap_lines(game, book)],
        "fight": lambda: _lines(block_of("fight", game, book)),
        "place": lambda: _lines(_looked_up("place", game, book)) if not game.fight else [],
        "rules": lambda: [*_sentences(whole_rules(game, book)), _levels(game)],
        "help": lambda: _lines(_looked_up("help", game, book)),
    }
    if topic in ("sheet", "memory"):
        del parts["rules"], parts["help"]
    order = dict.fromkeys((*((topic,) if topic in parts else ()), *parts))
    if topic == "playing":
        order = {"playing": None, "help": None}
    return tuple(dict.fromkeys(line for key in order for line in parts[key]()))


def _looked_up(topic: str, game: Game, book: Book) -> str:
    return looked_up(Consulted.model_validate({"topic": topic}), game, book)


def _lines(text: str) -> list[str]:
    return [line.removeprefix("- ") for line in text.split("\n") if line.strip()]


def _sentences(text: str) -> list[str]:
    return [one for line in _lines(text) for one in re.split(r"(?<=[.!?]) (?=\D)", line)]


def chances(game: Game, book: Book) -> str:
    """Return in how many of a hundred tries each skill of the hero's succeeds, by how hard it is."""
    told = []
    for key, skill in book.rules.skills.items():
        bonus = game.sheet.bonus(key, skill.stat)
        odds = (max(6, min(95, 101 - difficulty(band, "d100") + bonus)) for band in BANDS[1:])
        told.append(f"{skill.name.of(game.lang)}: {'/'.join(f'{n}%' for n in odds)}")
    return "\n".join((own_text("chances").of(game.lang), *told))


def _fighting(game: Game, book: Book) -> str:
    lang = game.lang
    hurts = ", ".join(CAUSES[kind].of(lang).removeprefix("· ") for kind in HURTS)
    helps = (
        f"{item.name.of(lang)} ({', '.join(STATUS[kind].of(lang) for kind in item.cures)})"
        for item in book.rules.items.values()
        if item.cures
    )
    return own_text("fighting").of(lang).format(hurts[:1].upper() + hurts[1:], ", ".join(helps))


def _levels(game: Game) -> str:
    return own_text("levels").of(game.lang).format(LEVEL_HP, RANK, RANKS_AT_MOST)


def _balance(game: Game, book: Book) -> str:
    story, sheet = book.scenario, game.sheet
    name = story.endings[game.ending].name.of(game.lang) if game.ending in story.endings else "—"
    found = (len(game.secrets), len(story.secrets), len(game.visited), len(story.places))
    body = (name, sheet.level, sheet.xp, sheet.coin, *found, len(story.endings))
    return own_text("balance").of(game.lang).format(*body)
