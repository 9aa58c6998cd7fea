"""Sentences in the user's language, from the templates in `phrases.LANGUAGE.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.happenings import Happening
from ruleplay.agents.battle.domain.naming import bare, display, move_name
from ruleplay.agents.battle.domain.orders import MoveOrder, Order, SwitchOrder, TeamOrder
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.wishes import OF_ACTIVE, Limit, Wish
from ruleplay.hearing.classifier import fold

LANGUAGES = ("en", "fr")


class Phrases(BaseModel):
    """The content of a language's file: templates, names of types and stats, and a glossary.

    The words of a term are written without accents and separated by bars.
    """

    model_config = ConfigDict(frozen=True)

    says: dict[str, str]
    types: dict[str, str] = {kind: kind.title() for kind in (*dex.TYPES, "stellar")}
    stats: dict[str, str]
    terms: dict[str, str]


@cache
def _phrases(language: str) -> Phrases:
    name = f"phrases.{language}.toml"
    file = files("ruleplay.agents.battle.domain").joinpath(name)
    return Phrases.model_validate(tomllib.loads(file.read_text("utf-8")))


def say(language: str, key: str, **values: object) -> str:
    """Fill in a template; languages without phrases fall back to English."""
    known = language if language in LANGUAGES else "en"
    return _phrases(known).says[key].format(**values)


@cache
def turn_words() -> tuple[str, ...]:
    """List what a turn is called in all languages, as headings name it."""
    heads = (say(language, "turn_head", turn="") for language in LANGUAGES)
    return tuple(fold(head).strip(" .") for head in heads)


def type_name(language: str, kind: str) -> str:
    """Translate a type; an unknown one is returned as its id."""
    return _phrases(language if language in LANGUAGES else "en").types.get(kind, kind)


def stat_name(language: str, stat: str) -> str:
    """Name a stat."""
    return _phrases(language if language in LANGUAGES else "en").stats[stat]


@cache
def stats_written() -> tuple[str, ...]:
    """List the names of stats in all languages; some have full stops inside."""
    return tuple(name for language in LANGUAGES for name in _phrases(language).stats.values())


def effect_said(language: str, effect: str) -> str:
    """Name an effect at the start of a sentence; by default like the move of that name."""
    says = _phrases(language if language in LANGUAGES else "en").says
    return says.get(f"effect_{effect}") or move_name(effect)


@cache
def types_written() -> Mapping[str, str]:
    """Map type names in all languages to their ids."""
    every = (_phrases(language).types.items() for language in LANGUAGES)
    return MappingProxyType({name: kind for types in every for kind, name in types})


def percent(share: float) -> str:
    """Format a share as a percentage: `12`, or `0.4` below one."""
    number = 100 * share
    return f"{number:.1f}" if 0.05 <= number < 1 else f"{number:.0f}"


def listed(language: str, parts: Iterable[str]) -> str:
    """Join parts: `a, b and c`."""
    *first, last = [*parts] or [""]
    return say(language, "and", first=", ".join(first), last=last) if first else last


def order_said(language: str, order: Order, position: Position) -> str:
    """Phrase an order so that it can follow "I choose"."""
    match order:
        case MoveOrder(tera=True):
            return say(language, "wish_move_tera", move=move_name(order.move))
        case MoveOrder():
            return move_name(order.move)
        case SwitchOrder():
            key = "order_revive" if position.reviving else "wish_switch"
            return say(language, key, mon=display(position, order.ident))
        case TeamOrder():
            lead = position.ours.team[order.order[0] - 1 : order.order[0]]
            name = display(position, lead[0].ident) if lead else "-"
            return say(language, "order_lead", mon=name)
    return say(language, "order_default")


def wish_said(language: str, wish: Wish, position: Position | None) -> str:
    """Phrase a wish, including what begins, ends and lifts it."""
    with_tera = wish.tera or (wish.do == "tera" and wish.move)
    one = wish.ident and (wish.do in OF_ACTIVE or wish.do == "avoid")
    key = "wish_move_tera" if with_tera else f"wish_{wish.do}{'_of' if one else ''}"
    mon = display(position, wish.ident) if position and wish.ident else ""
    said = say(language, key, move=move_name(wish.move) if wish.move else "", mon=mon)
    for key, limit in (("until", wish.until), ("unless", wish.unless)):
        said = (
            say(language, f"wish_{key}", limit=limit_said(language, limit), wish=said)
            if limit
            else said
        )
    for limit in _begins(wish):
        # What is only ruled out holds each time that one of theirs stands there.
        lasts = limit.sign == "out" and limit.name == wish.when and not wish.orders
        key = "wish_while" if lasts else "wish_begin"
        said = say(language, key, limit=limit_said(language, limit), wish=said)
    return said


def _begins(wish: Wish) -> Iterator[Limit]:
    """Yield the conditions that a wish waits for, as limits."""
    if wish.when:
        yield Limit(sign="out", name=wish.when)
    if wish.once:
        yield Limit(sign="fell", name=wish.once)
    if wish.since:
        yield Limit(sign="turn", number=wish.since)
    if wish.begin:
        yield wish.begin


def limit_said(language: str, limit: Limit) -> str:
    """Phrase what begins, ends or lifts a wish."""
    mon = bare(limit.name) if ": " in limit.name else dex.species_name(limit.name)
    number = limit.number if limit.cost is None else percent(limit.cost)
    return say(language, f"limit_{limit.sign}", mon=mon, number=number)


def explained(language: str, message: str) -> Iterator[str]:
    """Yield explanations of the game terms in a message."""
    words = " ".join(re.findall(r"[+-]\d|[^\W_]+", fold(message)))
    for term, means in _phrases(language if language in LANGUAGES else "en").terms.items():
        if any(f" {word} " in f" {words} " for word in term.split(" | ")):
            yield means


def happened(language: str, one: Happening) -> str:
    """Phrase something that happened, as a sentence."""
    says = _phrases(language if language in LANGUAGES else "en").says
    side = "ours" if one.ours else "theirs"
    who = say(language, f"{'did' if one.mon else 'on'}_{side}", mon=bare(one.mon))
    known = one.share is not None and one.left is not None
    named = type_name(language, one.what.lower()) if one.kind == "tera" else one.what
    if one.kind in ("raised", "lowered"):
        named = _phrases(language if language in LANGUAGES else "en").stats.get(named, named)
    said = say(
        language,
        f"did_{one.kind}_share" if known and f"did_{one.kind}_share" in says else f"did_{one.kind}",
        who=who,
        what=says.get(f"status_{one.what}", named),
        on=bare(one.on),
        share=percent(one.share or 0.0),
        left=percent(one.left or 0.0),
    )
    notes = ", ".join(say(language, f"note_{note}") for note in one.notes)
    return f"{said} ({notes})." if notes else f"{said}."
