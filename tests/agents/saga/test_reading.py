"""How a saga reads: told once, in order, in good grammar, and in one language at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.walks import WALKS, Walk, take
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga.adapters.library import open_book, shipped_scenarios
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.dice import Roll
from ruleplay.agents.saga.domain.fight import HERO, Status
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Happening
from ruleplay.agents.saga.domain.rulebook import Item
from ruleplay.agents.saga.policy.lines import script_of
from ruleplay.agents.saga.state import event_of
from ruleplay.kernel.export import export_markdown
from ruleplay.story.beats import Beat, is_line
from ruleplay.story.texts import Lang, Text, towards

ENGLISH = re.compile(r"\b(the|you|with|and|hits|damage|coins|left)\b")
FRENCH = re.compile(r"\b(le|la|les|vous|avec|et|dégâts|pièces|reste)\b")


def beats(game: Game, *happened: Happening) -> tuple[Beat, ...]:
    return script_of(game, [event_of(one) for one in happened], lamp()).beats()


def passages(game: Game, *happened: Happening) -> list[str]:
    return [beat.passage for beat in beats(game, *happened) if beat.passage]


def said(game: Game, *happened: Happening) -> list[str]:
    return [beat.line.text for beat in beats(game, *happened)]


@pytest.mark.parametrize(
    ("name", "joined"),
    [
        ("le gué", "au gué"),
        ("Le Gué", "au Gué"),
        ("la tour", "à la tour"),
        ("l'auberge", "à l'auberge"),
        ("les Galgals", "aux Galgals"),
        ("Bree", "à Bree"),
        ("Leofric", "à Leofric"),
    ],
)
def test_french_names_join_their_preposition(name: str, joined: str) -> None:
    assert towards(name) == joined


@pytest.mark.parametrize(
    ("key", "en", "fr"),
    [
        ("axe", "a war axe", "une hache de guerre"),
        ("bright-blade", "an elven blade", "une lame elfique"),
        ("athelas", "athelas leaves", "des feuilles d'athelas"),
        ("bow", "a hunting bow", "un arc de chasse"),
    ],
)
def test_things_are_first_told_with_an_indefinite_article(key: str, en: str, fr: str) -> None:
    item: Item = lamp().rules.items[key]
    assert (item.one("en"), item.one("fr")) == (en, fr)


def test_a_blow_and_what_comes_of_it_are_one_line() -> None:
    game = fight_with("orcs")
    roll = Roll(index=0, natural=70)
    blow = h.Attacked(
        attacker=HERO, target="foe1", weapon="sword", attack=roll, defence=roll, hit=True, damage=26
    )
    hurt = h.HitPointsChanged(who="foe1", amount=-26, hp=0, cause="blow")
    told = said(game, blow, hurt, h.Died(who="foe1", by=HERO))
    assert told == ["Halla → Grashlug −26, slain"]


def test_hit_points_left_stand_behind_what_took_them() -> None:
    game = fight_with("orcs")
    told = said(game, h.HitPointsChanged(who=HERO, amount=-1, hp=46, cause="bleeding"))
    assert told == ["Halla · bleeding −1 (46 left)"]


def test_a_status_that_is_renewed_is_not_told_again() -> None:
    game = fight_with("orcs")
    once = h.StatusGained(who=HERO, status=Status(kind="poisoned", rounds=3, power=1))
    assert said(game, once, once) == ["Halla: poisoned"]


def test_a_place_is_described_once_and_greeted_after() -> None:
    game = hero_at("greenway")
    place = lamp().scenario.places["inn"]
    again = passages(game, h.Travelled(origin="greenway", place="inn"))
    assert place.again
    assert again == ["You come back to the Drowsy Heron.", place.again.en]
    fresh = game.model_copy(update={"visited": ("greenway",)})
    first = passages(fresh, h.Travelled(origin="greenway", place="inn"))
    assert first == ["You come to the Drowsy Heron.", place.text.en]


def texts(value: object) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from texts(one)
    elif hasattr(value, "__pydantic_fields__"):
        for name in type(value).model_fields:
            yield from texts(getattr(value, name))


@pytest.mark.parametrize("key", shipped_scenarios())
def test_no_text_holds_markup_or_the_other_language(key: str) -> None:
    found = [text for text in texts(open_book(key).scenario) if len(text.en.split()) > 8]
    assert len(found) > 40
    for text in found:
        assert "#" not in text.en + text.fr
        assert "```" not in text.en + text.fr
        assert len(FRENCH.findall(text.en.lower())) <= 1, text.en
        assert len(ENGLISH.findall(text.fr.lower())) <= 0, text.fr


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("walk", [WALKS[1], WALKS[3]], ids=lambda walk: str(walk.ending))
async def test_an_exported_saga_reads_as_one_story(sit: Sit, walk: Walk, lang: Lang) -> None:
    table = await sit(walk.seed, scenario=walk.scenario, lang=lang)
    async with table.session() as session:
        turns = await take(walk, lang, session.turn, session.view)
        page = await export_markdown(session)
    book = open_book(walk.scenario)
    title, ending = book.scenario.title.of(lang), book.scenario.endings[walk.ending]
    lines = page.splitlines()
    assert lines[0] == f"# {title} · Halla"
    heads = [line for line in lines if line.startswith("#")]
    assert heads[1:] == [f"## {number}. Halla" for number in range(1, len(turns) + 1)]
    assert page.rstrip().endswith(f"— {ending.name.of(lang)} —")
    for passage in (book.scenario.intro, ending.text):
        assert page.count(passage.of(lang)) == 1
    slips = re.compile(r"[{}]|None| \.|  |\b1 (?:points|coins|pièces|hit points)|\b(?:à|de) le ")
    assert not slips.search(page), slips.search(page)
    prose = " ".join(turn.reply for turn in turns).lower()
    own, other = (ENGLISH, FRENCH) if lang == "en" else (FRENCH, ENGLISH)
    assert len(own.findall(prose)) > 100
    assert len(other.findall(prose)) <= 2, other.findall(prose)
    # Lines may well say twice that a blow misses.
    told = [" ".join(turn.reply.split()) for turn in turns if not is_line(turn.reply)]
    assert all(turn.reply for turn in turns)
    # Nothing is said word for word in two turns running.
    assert not [one for one, other in pairwise(told) if one == other != RESTED[lang]]


RESTED = {
    "en": "You sleep, and wake to another day.",
    "fr": "Vous dormez, et un autre jour se lève.",
}
