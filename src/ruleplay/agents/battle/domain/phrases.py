"""What code says to people, in their language: templates from `phrases.LANGUAGE.toml`."""

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
from ruleplay.agents.battle.domain.wishes import Limit, Wish
from ruleplay.hearing.classifier import fold

LANGUAGES = ("en", "fr")


class Phrases(BaseModel):
    """The contents of a language's file: sentences with places, names of types, a glossary.

    A term's words are written without accents, with bars between them.
    """

    model_config = ConfigDict(frozen=True)

    says: dict[str, str]
    types: dict[str, str] = {kind: kind.title() for kind in (*dex.TYPES, "stellar")}
    terms: dict[str, str]


@cache
def _phrases(language: str) -> Phrases:
    name = f"phrases.{language}.toml"
    file = files("ruleplay.agents.battle.domain").joinpath(name)
    return Phrases.model_validate(tomllib.loads(file.read_text("utf-8")))


def say(language: str, key: str, **values: object) -> str:
    """Return a sentence with its places filled in; English for a language without phrases."""
    known = language if language in LANGUAGES else "en"
    return _phrases(known).says[key].format(**values)


def type_name(language: str, kind: str) -> str:
    """Return how a type is called; its id where it has no name."""
    return _phrases(language if language in LANGUAGES else "en").types.get(kind, kind)


def effect_said(language: str, effect: str) -> str:
    """Return how an effect is called at the start of a sentence; like its move otherwise."""
    says = _phrases(language if language in LANGUAGES else "en").says
    return says.get(f"effect_{effect}") or move_name(effect)


@cache
def types_written() -> Mapping[str, str]:
    """Return the types' ids by their names in all languages."""
    every = (_phrases(language).types.items() for language in LANGUAGES)
    return MappingProxyType({name: kind for types in every for kind, name in types})


def percent(share: float) -> str:
    """Return a share as people read it: `12`, `0.4` below one."""
    number = 100 * share
    return f"{number:.1f}" if 0.05 <= number < 1 else f"{number:.0f}"


def listed(language: str, parts: Iterable[str]) -> str:
    """Return parts as one enumeration: `a, b and c`."""
    *first, last = [*parts] or [""]
    return say(language, "and", first=", ".join(first), last=last) if first else last


def order_said(language: str, order: Order, position: Position) -> str:
    """Return an order in words, as it follows "I choose"."""
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
    """Return a wish in words."""
    with_tera = wish.tera or (wish.do == "tera" and wish.move)
    key = "wish_move_tera" if with_tera else f"wish_{wish.do}"
    mon = display(position, wish.ident) if position and wish.ident else ""
    said = say(language, key, move=move_name(wish.move) if wish.move else "", mon=mon)
    for key, limit in (("until", wish.until), ("unless", wish.unless)):
        said = (
            say(language, f"wish_{key}", limit=limit_said(language, limit), wish=said)
            if limit
            else said
        )
    for limit in _begins(wish):
        said = say(language, "wish_begin", limit=limit_said(language, limit), wish=said)
    return said


def _begins(wish: Wish) -> Iterator[Limit]:
    """Yield all that a wish waits for."""
    if wish.when:
        yield Limit(sign="out", name=wish.when)
    if wish.once:
        yield Limit(sign="fell", name=wish.once)
    if wish.since:
        yield Limit(sign="turn", number=wish.since)
    if wish.begin:
        yield wish.begin


def limit_said(language: str, limit: Limit) -> str:
    """Return what begins, ends or lifts a wish, in words."""
    mon = bare(limit.name) if ": " in limit.name else dex.species_name(limit.name)
    number = limit.number if limit.cost is None else percent(limit.cost)
    return say(language, f"limit_{limit.sign}", mon=mon, number=number)


def explained(language: str, message: str) -> Iterator[str]:
    """Yield what the words of the field in a message mean."""
    words = " ".join(re.findall(r"[+-]\d|[^\W_]+", fold(message)))
    for term, means in _phrases(language if language in LANGUAGES else "en").terms.items():
        if any(f" {word} " in f" {words} " for word in term.split(" | ")):
            yield means


def happened(language: str, one: Happening) -> str:
    """Return what happened in a sentence."""
    says = _phrases(language if language in LANGUAGES else "en").says
    side = "ours" if one.ours else "theirs"
    who = say(language, f"{'did' if one.mon else 'on'}_{side}", mon=bare(one.mon))
    known = one.share is not None and one.left is not None
    said = say(
        language,
        f"did_{one.kind}_share" if known and f"did_{one.kind}_share" in says else f"did_{one.kind}",
        who=who,
        what=says.get(f"status_{one.what}", one.what),
        on=bare(one.on),
        share=percent(one.share or 0.0),
        left=percent(one.left or 0.0),
    )
    notes = ", ".join(say(language, f"note_{note}") for note in one.notes)
    return f"{said} ({notes})." if notes else f"{said}."
