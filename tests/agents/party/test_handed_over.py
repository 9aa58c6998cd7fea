"""What the story hands over in its text is real: on a sheet, shown, given on and asked for."""

from __future__ import annotations

import pytest
from tests.agents.party.gatherings import laid
from tests.agents.party.test_improvising import done

from ruleplay.agents.party.domain.adventure import EASED, When
from ruleplay.agents.party.domain.adventure_problems import problems
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings.creatures import Checked
from ruleplay.agents.party.domain.happenings.exploration import FlagSet, SceneEntered, TalkHeard
from ruleplay.agents.party.domain.happenings.tale import InVain, KeepsakeGained
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
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
