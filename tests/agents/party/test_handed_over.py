"""What the story hands over in its text is real: on a sheet, shown, given on and asked for."""

from __future__ import annotations

import pytest
from tests.agents.party.gatherings import laid
from tests.agents.party.test_consequences import printed
from tests.agents.party.test_improvising import done, inn

from ruleplay.agents.party.domain.adventure import EASED, When
from ruleplay.agents.party.domain.adventure_problems import problems
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.handling import lend
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.creatures import Checked
from ruleplay.agents.party.domain.happenings.exploration import FlagSet, SceneEntered, TalkHeard
from ruleplay.agents.party.domain.happenings.tale import InVain, KeepsakeGained
from ruleplay.agents.party.domain.improvising import begin
from ruleplay.agents.party.domain.performance import Performance
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.story.acts import Reading
from ruleplay.story.texts import Text


def at(scene: str, *flags: str, seed: int = 1, key: str = "glass-orchard") -> tuple[Table, Book]:
    """Return a table that has come to a scene, with flags set, and Thorin to move."""
    state, book = laid(seed, adventure=key)
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.add(*(FlagSet(flag=flag) for flag in flags))
    play.add(SceneEntered(scene=scene, origin="press", who="thorin", first=True))
    play.finish("dm")
    return play.table, book


def kept(play: TableTurn) -> list[tuple[str, str]]:
    return [(one.who, one.text) for one in play.done if isinstance(one, KeepsakeGained)]


@pytest.mark.parametrize("seed", range(1, 5))
def test_who_cuts_the_scion_has_it_whether_it_went_well_or_not(seed: int) -> None:
    table, book = at("terrace", "clue:scion-lives", seed=seed)
    cut = done(table, book, "thorin", acts=[{"do": "pick", "item": "deed:cut-scion"}])
    assert kept(cut) == [("thorin", "living twig")]
    shown = {"do": "check", "skill": "nature", "with": "living twig", "text": "smells at the twig"}
    later = done(
        cut.table.model_copy(update={"current_turn": "thorin"}), book, "thorin", acts=[shown]
    )
    assert not any(isinstance(one, InVain) for one in later.done)


def test_what_two_talks_hand_over_is_there_once() -> None:
    table, book = at("manor", "met-lisbet")
    play = TableTurn(table, book)
    for topic in ("lisbet-hand", "lisbet-grave"):
        section = book.story.talks[topic]
        assert [one.en for one in section.gain.keepsakes] == ["locket with grey hair"]
        play.add(TalkHeard(talk=topic, person="lisbet", who="thorin"))
    assert kept(play) == [("thorin", "locket with grey hair")]


def test_a_token_that_the_story_promises_much_of_makes_the_parley_easier() -> None:
    dcs = []
    for flags in ((), ("lisbet-trusts",)):
        table, book = at("gate", *flags)
        play = TableTurn(table, book)
        play.venture("thorin", Exploration(act="parley", target="warden"))
        dcs.append(next(one.dc for one in play.done if isinstance(one, Checked)))
    assert dcs[0] - dcs[1] == EASED


def test_embers_may_come_from_the_one_warm_room() -> None:
    table, book = at("manor", "lisbet-trusts")
    took = done(table, book, "thorin", acts=[{"do": "pick", "item": "deed:carry-embers"}])
    assert kept(took) == [("thorin", "pot of embers")]
    assert When(has=("ember",)).holds(took.table.expedition.standing)


def test_a_keepsake_that_nobody_would_get_is_told() -> None:
    book = at("manor")[1]
    won = book.story.encounters["wolves"]
    gain = won.gain.model_copy(update={"keepsakes": (Text(en="a tooth", fr="une dent"),)})
    found = {**book.story.encounters, "wolves": won.model_copy(update={"gain": gain})}
    broken = book.story.model_copy(update={"encounters": found})
    assert [where for where, _ in problems(broken, book.rules)] == ["encounter wolves"]


def test_a_shield_is_taken_off_and_laid_down_and_taken_up_again() -> None:
    table, book = inn()
    before = table.cast.the("thorin")
    lays = {"do": "give", "item": "shield", "text": "leans the shield on the wall"}
    play = done(table, book, "thorin", acts=[lays])
    one = play.table.cast.the("thorin")
    assert (one.shield, one.count("shield"), one.ac) == ("", 0, before.ac - 2)
    assert "leans the shield" in printed(table, play, book)
    takes = {"do": "take", "item": "shield", "text": "takes it up"}
    wears = {"do": "rule", "item": "equip", "with": "shield", "text": "and on the arm"}
    back = play.table.model_copy(update={"current_turn": "thorin"})
    again = done(back, book, "thorin", acts=[takes, wears])
    assert again.table.cast.the("thorin").ac == before.ac


def test_a_spell_is_cast_on_a_person_of_the_story() -> None:
    table, book = inn()
    table = table.model_copy(update={"current_turn": "sunniva"})
    slots = table.cast.the("sunniva").slots
    heals = {"do": "rule", "item": "cast", "with": "cure-wounds", "to": "brenna", "text": "heals"}
    play = done(table, book, "sunniva", acts=[heals])
    assert play.table.cast.the("sunniva").slots == (slots[0] - 1,)
    assert not [one for one in play.done if isinstance(one, p.Refused)]


def test_a_blow_by_a_spell_at_a_person_is_asked_about() -> None:
    table, book = inn()
    table = table.model_copy(update={"current_turn": "sunniva"})
    burns = {"do": "rule", "item": "cast", "with": "sacred-flame", "to": "brenna", "text": "burns"}
    play = done(table, book, "sunniva", acts=[burns])
    assert [one.question for one in play.done if isinstance(one, t.AskedBack)] == ["assault"]


def test_a_companion_hands_what_they_are_asked_for_to_a_third() -> None:
    table, book = inn()
    table = table.apply(KeepsakeGained(who="pell", text="grey thimble"))
    asks = {"do": "say", "to": "pell", "want": "give", "item": "grey thimble", "with": "brenna"}
    play = TableTurn(table, book)
    now = Performance(play, "thorin", "Pell, give it to her")
    begin(now, Reading.model_validate({"acts": [{**asks, "text": "Pell, give it to her"}]}))
    assert lend(now, "pell")
    assert [(one.who, one.to) for one in play.done if isinstance(one, t.KeepsakeGiven)] == [
        ("pell", "brenna")
    ]


def test_a_detail_of_an_act_that_came_to_nothing_falls_with_it() -> None:
    table, book = inn()
    vain = {"do": "vain", "vain": "not_here", "text": "takes the halberd from the wall"}
    held_ = {"text": "she takes the halberd from the wall", "about": "thorin"}
    play = done(table, book, "thorin", acts=[vain], details=[held_])
    assert not play.table.tale.canon
    assert not [one for one in play.done if isinstance(one, p.Refused)]


def test_a_thing_of_ones_own_making_is_held() -> None:
    table, book = inn()
    made = {"kind": "keepsake", "text": "torch of rag and stick"}
    act = {"do": "flourish", "text": "winds a rag round a stick"}
    play = done(table, book, "thorin", acts=[act], details=[made])
    assert [one.text for one in play.done if isinstance(one, KeepsakeGained)] == [made["text"]]
    assert made["text"] in printed(table, play, book)


@pytest.mark.parametrize(("name", "holds"), [("Sprat", True), ("Old Jory", False)])
def test_a_nickname_is_kept_unless_somebody_has_it(name: str, holds: bool) -> None:
    table, book = inn()
    named = {"kind": "name", "text": name, "about": "brenna"}
    act = {"do": "flourish", "text": "winks"}
    play = done(table, book, "thorin", acts=[act], details=[named])
    kept = [one.text for one in play.table.tale.canon]
    assert kept == (["Brenna Tolk is called Sprat now"] if holds else [])
