"""Fair dealing: what is sold was asked for, what was told of exists, and what is over is over."""

from __future__ import annotations

import pytest
from tests.agents.party.test_fellows import sleeping, with_coin
from tests.agents.party.test_improvising import done, fight

from ruleplay.agents.party.domain.effecting import settle_wager
from ruleplay.agents.party.domain.happenings.creatures import (
    Checked,
    Died,
    EffectEnded,
    Fell,
    ItemGained,
)
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.happenings.tale import DetailEstablished, InVain
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.nodes.gathering import canon_of
from ruleplay.agents.party.policy.answers import answer_of, facts_of
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.story.acts import Act
from ruleplay.story.texts import Lang, Text


def asks(item: str, text: str = "Could I have that?") -> dict[str, object]:
    return {"do": "say", "to": "brenna", "want": "give", "item": item, "text": text}


@pytest.mark.parametrize(
    "item",
    ["flame from the lantern", "lantern oil", "the light of that lantern", "bell's rope end"],
)
def test_a_part_of_a_ware_is_not_the_ware_and_costs_nothing(item: str) -> None:
    table, book = with_coin()
    play = done(table, book, "thorin", acts=[asks(item)])
    assert not [one for one in play.done if isinstance(one, CoinChanged | ItemGained | InVain)]


@pytest.mark.parametrize("item", ["lantern", "a good lantern", "lantern with a hood"])
def test_a_ware_that_is_asked_for_by_its_name_is_sold(item: str) -> None:
    table, book = with_coin()
    purse = table.expedition.purse
    there = table.expedition.model_copy(update={"purse": purse + 500})
    rich = table.model_copy(update={"expedition": there})
    play = done(rich, book, "thorin", acts=[asks(item)])
    assert play.table.expedition.purse == purse
    assert play.table.cast.the("thorin").count("lantern") == 1


def test_a_coil_of_rope_is_rope() -> None:
    table, book = with_coin()
    play = done(table, book, "thorin", acts=[asks("a coil of rope")])
    assert play.table.cast.the("thorin").count("rope") == 1


@pytest.mark.parametrize(
    "acts",
    [
        [{"do": "give", "to": "brenna", "item": "rope", "text": "hands it back"}],
        [
            {"do": "say", "to": "brenna", "want": "give", "coin": 1, "text": "Take it back."},
            {"do": "give", "to": "brenna", "item": "rope", "when": "if_success", "text": "there"},
        ],
        [
            {
                "do": "say",
                "to": "brenna",
                "want": "give",
                "coin": 1,
                "approach": "bargain",
                "text": "Take the rope back and give me my coin.",
            }
        ],
    ],
)
def test_a_sale_just_made_is_taken_back_in_words_and_without_a_roll(
    acts: list[dict[str, object]],
) -> None:
    table, book = with_coin()
    sold = done(table, book, "thorin", acts=[asks("rope")]).table
    assert sold.expedition.purse < table.expedition.purse
    now = sold.model_copy(update={"current_turn": "thorin"})
    back = done(now, book, "thorin", acts=acts)
    assert back.table.expedition.purse == table.expedition.purse
    assert not back.table.cast.the("thorin").count("rope")
    assert not [one for one in back.done if isinstance(one, Checked | InVain)]


def test_what_is_passed_on_to_somebody_else_is_not_paid_back() -> None:
    table, book = with_coin()
    sold = done(table, book, "thorin", acts=[asks("rope")]).table
    now = sold.model_copy(update={"current_turn": "thorin"})
    gift = {"do": "give", "to": "jory", "item": "rope", "text": "for the boat"}
    assert done(now, book, "thorin", acts=[gift]).table.expedition.purse == sold.expedition.purse


def test_what_the_story_has_told_of_is_asked_for_and_never_nothing_of_the_kind() -> None:
    table, book = with_coin()
    told = DetailEstablished(text="Jory's boat lies in the reeds", place="reeds", author="jory")
    known = table.apply(told)
    asked = {**asks("boat", "May we have your boat, Jory?"), "to": "jory"}
    play = done(known, book, "thorin", acts=[asked])
    assert not [one for one in play.done if isinstance(one, InVain | CoinChanged)]
    took = done(known, book, "thorin", acts=[{"do": "take", "item": "boat", "text": "the boat"}])
    assert "not_here" not in {one.why for one in took.done if isinstance(one, InVain)}


def test_how_a_sleeper_lay_is_over_once_it_wakes_and_has_its_name_till_then() -> None:
    table, _, seat = sleeping()
    (rat, *_) = [one.id for one in table.cast.foes_of(seat)]
    lies = DetailEstablished(text="she lies in the mud", place="causeway", author=seat, about=rat)
    made = table.apply(lies)
    assert canon_of(made, seat) == [f"{made.name(rat)}: she lies in the mud"]
    awake = made.apply(EffectEnded(who=rat, key="sleep", source="zephrine", why="damage"))
    assert awake.cast.the(rat).conscious
    assert not awake.tale.canon


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_fall_and_the_death_of_a_companion_are_told_in_prose(lang: Lang) -> None:
    table, book, _ = fight()
    now = table.model_copy(update={"lang": lang})
    play = TableTurn(now, book)
    play.add(Fell(who="pell"), Died(who="pell"))
    told = [one for one in tell_events(now, as_events(play), book).laid_out() if type(one) is str]
    assert len([one for one in told if "Pell" in one]) == 2


def test_what_a_sheet_says_of_its_character_is_among_what_they_carry() -> None:
    table, book = with_coin()
    persona = table.personas["thorin"]
    ring = Text(en="You wear your grandmother's ring.", fr="Vous portez la bague.")
    mine = persona.model_copy(update={"secrets": (ring,)})
    now = table.model_copy(update={"personas": {**table.personas, "thorin": mine}})
    asked = Consulted(seat="thorin", topic="sheet", about="What do I carry?")
    assert ring.en in facts_of([asked], now, book)
    assert ring.en in answer_of([asked], now, book).passage
    other = Consulted(seat="pell", topic="sheet", about="What do I carry?")
    assert ring.en not in facts_of([other], now, book)


@pytest.mark.parametrize(("won", "gained"), [(True, 10), (False, -10)])
def test_a_stake_of_small_change_is_paid(won: bool, gained: int) -> None:
    table, book = with_coin()
    play, throw = TableTurn(table, book), {"do": "check", "to": "brenna", "text": "one cast each"}
    stake = Act.model_validate({**throw, "skill": "dex", "coin": 1, "unit": "silver"})
    settle_wager(play, "thorin", stake, won=won)
    assert play.table.expedition.purse - table.expedition.purse == gained
