"""Games to begin tests from: heroes, places and fights of the shipped scenarios."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import improvising, melee, spoils
from ruleplay.agents.saga.domain.creation import DEFAULT, make_sheet
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.story.acts import Act, Reading
from ruleplay.story.texts import Lang


def lamp() -> Book:
    """Return the book of the lamp on the Greenway."""
    return open_book("greenway-lamp")


def hero_at(place: str, *, flags: tuple[str, ...] = (), lang: Lang = "en", seed: str = "0") -> Game:
    """Return a hero who stands somewhere in the story of the lamp."""
    book = lamp()
    sheet = make_sheet(book.rules, "Halla", "human", "bree", DEFAULT, {})
    return Game(
        dice_seed=seed,
        lang=lang,
        sheet=sheet,
        place=place,
        haven="inn",
        visited=("inn", "greenway", "ford", place),
        flags=("asked-by-maud", *flags),
    )


def fight_with(encounter: str, *, lang: Lang = "en", seed: str = "0") -> Game:
    """Return a hero who has just met adversaries."""
    play = Play(hero_at("tower-foot", lang=lang, seed=seed), lamp())
    spoils.trigger(play, encounter)
    return play.game


def situation(name: str, lang: Lang) -> Game:
    """Return the game of a named situation."""
    match name:
        case "fight":
            return fight_with("orcs", lang=lang)
        case "fallen":
            return hero_at("inn", lang=lang).model_copy(update={"dead": True})
        case "barrow":
            return hero_at("barrow", flags=("wight-gone", "won:wight"), lang=lang)
        case "inn":
            game = hero_at("inn", lang=lang)
            sheet = game.sheet.with_items("dagger", 1)
            return game.model_copy(update={"sheet": sheet})
        case _:
            return hero_at(name, lang=lang)


def enacted(play: Play, reading: Reading) -> Sequence[Act]:
    """Do what was read, in a fight or not; returns the acts that are left undone."""
    if play.game.fight:
        melee.fight_on(play, reading, {})
        return ()
    left = improvising.enact(play, reading)
    if left and play.game.fight:
        melee.strike_first(play, left)
        return ()
    return left
