"""A reading comes about as it was written: at whom it says, in its words, each try by itself."""

from __future__ import annotations

from typing import Any

import pytest
from tests.agents.party.hearing import situation
from tests.agents.party.test_answering import waiting
from tests.agents.party.test_improvising import done, inn, kinds

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.memory import Line
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.gathering import manners
from ruleplay.agents.party.policy.answers import facts_of
from ruleplay.agents.party.policy.picking import UNDER_THEIR_EYES, known_ids
from ruleplay.agents.party.policy.picking import situation as stands
from ruleplay.agents.party.policy.replies import looked_up
from ruleplay.agents.party.policy.telling import Telling
from ruleplay.story.acts import Reading


def blow(to: str, **more: Any) -> dict[str, Any]:
    return {"do": "rule", "item": "attack", "to": to, "text": f"strikes at {to}", **more}


def played(table: Table, book: Book, seat: str, *acts: dict[str, Any], says: str = "") -> TableTurn:
    play = TableTurn(table, book)
    perform(play, seat, Reading.model_validate({"acts": acts}), says)
    return play


def felling(message: str, *acts: dict[str, Any]) -> TableTurn:
    """Return a turn in which the first blow fells the rat that is all but dead."""
    for seed in range(40):
        table, book = situation("en", "fight", "thorin")
        cast = table.cast.with_("giant-rat-1", hp=1, ac=1).with_("giant-rat-2", ac=1)
        cast = cast.model_copy(update={"draws": seed})
        table = table.model_copy(update={"cast": cast})
        play = played(table, book, "thorin", *acts, says=message)
        if any(isinstance(one, h.Died) and one.who == "giant-rat-1" for one in play.done):
            return play
    raise AssertionError("nobody is felled")


def test_a_blow_that_finds_its_foe_fallen_is_not_swung_into_the_air() -> None:
    play = felling("I strike it twice", blow("giant-rat-1"), blow("giant-rat-1"))
    assert not [one for one in play.done if isinstance(one, t.InVain)]
    (left,) = [one for one in play.done if isinstance(one, t.LeftUndone)]
    assert left.why == "moment"


def test_tries_at_several_things_are_each_a_first_one() -> None:
    table, book = inn()
    things = ("table", "bed", "door")
    acts = [
        {"do": "check", "skill": "investigation", "text": f"searches the {one} for traps"}
        for one in things
    ]
    play = done(table, book, "thorin", "I search the table, the bed, the door", acts=acts)
    numbers = [one.dc for one in play.done if isinstance(one, h.Checked)]
    assert len(numbers) == len(things)
    assert len({*numbers}) == 1


def test_the_same_try_in_the_same_words_is_harder() -> None:
    table, book = inn()
    act = {"do": "check", "skill": "investigation", "text": "searches the table"}
    play = done(table, book, "thorin", "again and again", acts=[act, act, act])
    numbers = [one.dc for one in play.done if isinstance(one, h.Checked)]
    assert len(numbers) == 3
    assert numbers[0] < numbers[1] < numbers[2]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "encore, mais c'est Zephrine qui tire avec moi, non Pell, Zephrine est trop loin",
            "Tire avec moi, Pell. Zephrine est trop loin.",
        ),
        (
            "J'offre à boire. Et pendant qu'ils boivent je leur demande qui en veut au meunier",
            "Dites, qui en veut au meunier, par ici ?",
        ),
        (
            "sorry, I meant Brenna should say that, not Jory. ask her about the old mill",
            "Sorry, I meant you should say that, Brenna, not Jory. What about the old mill?",
        ),
    ],
)
def test_words_that_were_meant_are_not_replaced_by_a_part_of_the_message(
    message: str, words: str
) -> None:
    table, book = inn()
    play = done(table, book, "thorin", message, acts=[{"do": "say", "to": "pell", "text": words}])
    assert not [one for one in play.done if isinstance(one, p.Spoke) and one.text != words]
    assert [one.text for one in play.done if isinstance(one, t.Did | p.Spoke)] == [words]


def test_only_a_demand_decides_whether_those_who_wait_fight() -> None:
    table, book = situation("en", "rats", "thorin")
    key = next(iter(book.story.encounters))
    act = {
        "do": "say",
        "to": key,
        "approach": "charm",
        "want": "like",
        "text": "deal me in",
    }
    assert "EncounterAvoided" not in kinds(done(table, book, "thorin", acts=[act]))


def test_a_cantrip_is_held_ready_and_falls_on_who_comes_near() -> None:
    table, book = situation("en", "fight", "zephrine")
    act = {
        "do": "rule", "item": "cast", "with": "fire-bolt", "to": "giant-rat-3", "when": "trigger",
        "text": "a bolt for whatever comes near",
    }  # fmt: skip
    play = played(table, book, "zephrine", act)
    assert "Readying" in kinds(play)
    fight = play.table.cast.fight
    assert fight
    assert [(one.who, one.attack) for one in fight.readied] == [("zephrine", "fire-bolt")]
    foe = play.table.cast.model_copy(
        update={"fight": fight.model_copy(update={"turn": fight.order.index("giant-rat-3")})}
    )
    then = TableTurn(play.table.model_copy(update={"cast": foe}), book)
    then.step("giant-rat-3", Intent(act="move", target="zephrine", distance=5))
    shot = [one for one in then.done if isinstance(one, h.AttackRolled)]
    assert ("zephrine", "fire-bolt") in [(one.attacker, one.what) for one in shot]


def test_a_reaction_is_no_option_of_ones_own_turn() -> None:
    table, book = situation("en", "fight", "zephrine")
    assert not [one for one in choices(table, book, "zephrine") if one.id.startswith("cast:shield")]


def test_answers_have_death_saves_skills_and_what_wards() -> None:
    table, book = situation("en", "fight", "thorin")
    cast = table.cast.with_("pell", passed=1, failed=2)
    table = table.model_copy(update={"cast": cast})
    asks = Consulted(seat="thorin", topic="rules", about="Medicine for Pell, or a shield spell")
    told = looked_up(asks, table, book)
    assert "Death saves of three: 1 made, 2 failed." in told
    assert "Medicine: Thorin " in told
    assert "armour class +5" in told


def test_a_reader_is_told_how_far_everybody_is_from_the_player() -> None:
    table, book = situation("en", "fight", "thorin")
    told = stands(table, book, "thorin")
    assert "the player's own" in told
    assert "40 ft away" in told


def test_what_was_tried_in_vain_and_done_later_is_remembered_as_done() -> None:
    table, book = inn()
    key = next(iter(book.story.deeds))
    lines = tuple(
        Line(round=1, kind=kind, about=key, other="thorin", value="") for kind in ("tried", "deed")
    )
    memory = table.memories["thorin"].model_copy(update={"recent": (*lines, *lines)})
    memories = {**table.memories, "thorin": memory}
    told = recalled(table.model_copy(update={"memories": memories}), book, "thorin")
    hint = book.story.deeds[key].hint.en
    assert [one for one in told if hint in one] == [f"Thorin: {hint}."]


def test_french_words_are_to_somebody_with_their_article() -> None:
    table, book = situation("fr", "crypt", "pell")
    names = {one: Telling(table, book).towards(one) for one in ("lowen", "pell", "")}
    assert names == {"lowen": "au petit fantôme", "pell": "à Pell", "": ""}


def test_a_deed_that_only_takes_a_hand_is_done_under_hostile_eyes_at_a_risk() -> None:
    table, book = waiting("pell")
    acts = [
        {"do": "check", "skill": "sleight-of-hand", "text": "nick the silver thimble"},
        {"do": "take", "item": "silver thimble", "text": "takes it"},
    ]
    ends = set()
    for seed in range(24):
        cast = table.cast.model_copy(update={"draws": seed})
        cast = cast.with_("pell", skills={})
        play = played(table.model_copy(update={"cast": cast}), book, "pell", acts[seed % 2])
        assert "Checked" in kinds(play)
        ends.add("fight" if play.table.cast.fight else "DeedDone" in kinds(play))
    assert ends == {"fight", True}
    assert "take the thimble" in known_ids(table, book, "pell")[UNDER_THEIR_EYES]


def test_what_is_asked_outside_the_story_has_speeds_reaches_and_who_is_there() -> None:
    table, book = waiting("zephrine")
    asked = Consulted(seat="zephrine", topic="rules", about="do I get away?", asked=True)
    told = "\n".join(facts_of([asked], table, book))
    assert "Speed: 30 feet a turn." in told
    assert "wolf: 40 feet a turn, reach 5 feet." in told
    assert "25 ft a turn" in stands(table, book, "zephrine")
    here, story = inn()
    assert "Brenna Tolk: Brenna Tolk keeps the inn" in "\n".join(facts_of([asked], here, story))
    assert any("where asked of pay" in row for row in manners(here, story))
