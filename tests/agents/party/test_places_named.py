"""What a place's own text names is there, and whoever stood close begins a fight close."""

from __future__ import annotations

import pytest
from tests.agents.party.test_handed_over import at
from tests.agents.party.test_improvising import done, fight, inn, kinds

from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings.table import Refused
from ruleplay.agents.party.domain.happenings.tale import InVain
from ruleplay.agents.party.domain.table_turn import TableTurn


@pytest.mark.parametrize("where", ["the bolted door", "la lanterne", "the counter's far end"])
def test_one_goes_to_what_the_text_of_the_place_names(where: str) -> None:
    table, book = inn()
    play = done(table, book, "thorin", acts=[{"do": "move", "to": where, "text": "goes there"}])
    assert "Did" in kinds(play)
    assert not any(isinstance(one, InVain) for one in play.done)


def test_what_no_text_names_is_still_not_there() -> None:
    table, book = inn()
    play = done(table, book, "thorin", acts=[{"do": "move", "to": "the observatory"}])
    assert [one.why for one in play.done if isinstance(one, InVain)] == ["not_here"]


def test_a_way_that_foes_bar_is_named_as_barred_and_no_dash_is_spent_on_it() -> None:
    table, book = at("gate")
    play = TableTurn(table, book)
    play.venture("thorin", Exploration(act="provoke", target="warden"))
    who = play.table.current_turn
    while who == "dm":
        play.finish(who)
        who = play.table.current_turn
    runs = [{"do": "rule", "item": "dash"}, {"do": "move", "to": "the oldest tree, the First Tree"}]
    ran = done(play.table, book, who, acts=runs)
    assert [one.reason for one in ran.done if isinstance(one, Refused)] == ["way_barred"]
    assert "ActionTaken" not in kinds(ran)


@pytest.mark.parametrize(
    ("act", "close"),
    [
        ({"do": "move", "to": "warden/animated-armor"}, True),
        ({"do": "check", "skill": "medicine", "band": "easy", "to": "warden/animated-armor"}, True),
        ({"do": "flourish", "text": "waves", "to": "warden/animated-armor"}, False),
    ],
)
def test_who_was_at_arms_length_begins_the_fight_within_reach(act: dict, close: bool) -> None:
    table, book = at("gate")
    near = done(table, book, "thorin", acts=[{"text": "lays a hand on its arm", **act}])
    play = TableTurn(near.table, book)
    play.venture("pell", Exploration(act="provoke", target="warden"))
    cast = play.table.cast
    foe = next(one for one in cast.foes_of("thorin") if one.kind == "animated-armor")
    assert (abs(foe.position - cast.the("thorin").position) <= REACH) is close


def test_a_move_in_a_fight_is_told_with_beside_whom_it_ends() -> None:
    from ruleplay.agents.party.nodes.acting import as_events
    from ruleplay.agents.party.policy.report import tell_events

    table, book, seat = fight()
    foe = table.cast.foes_of(seat)[0]
    play = done(table, book, seat, acts=[{"do": "move", "to": foe.id}])
    told = str(tell_events(table, as_events(play), book).blocks)
    assert "next to" in told or "within reach of nobody" in told
