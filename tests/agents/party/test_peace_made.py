"""Fights against foes who only lie there, and companions and persons at a fight's end."""

from __future__ import annotations

import pytest
from tests.agents.party.gatherings import laid
from tests.agents.party.heroes import turn_of
from tests.agents.party.test_fallen_persons import SEAT, held, slain, state_of
from tests.agents.party.test_fellows import sleeping
from tests.agents.party.test_improvising import done, fight, inn, kinds

from ruleplay.agents.party.agent import AGENT
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.effecting import bring_along
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings.table import Spoke
from ruleplay.agents.party.domain.happenings.tale import Did, KeepsakeGained, Tallied
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import MERCY
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.nodes.telling import struck_down
from ruleplay.agents.party.policy.replies import could_do
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.policy.telling import Telling

OVER = {"do": "say", "to": "all", "want": "truce", "text": "Shields down, it's over."}


@pytest.mark.parametrize(
    "said", [OVER, {**OVER, "want": "", "spare": True}, {**OVER, "to": "thorin", "spare": True}]
)
def test_who_says_that_it_is_over_beside_sleepers_ends_the_fight(said: dict[str, object]) -> None:
    table, book, seat = sleeping()
    play = done(table, book, seat, acts=[said, {"do": "flourish", "text": "breathes out"}])
    assert play.table.cast.fight is None
    assert "LeftUndone" not in kinds(play)
    told = str(tell_events(table, as_events(play), book).blocks)
    assert "Nobody fights on" in told
    assert "gets away" not in told


def test_while_a_foe_is_awake_no_word_of_ones_own_ends_the_fight() -> None:
    table, book, seat = sleeping(awake=("giant-rat-2",))
    assert done(table, book, seat, acts=[{**OVER, "spare": True}]).table.cast.fight


def test_a_companion_with_nobody_to_fight_waits_silently() -> None:
    table, book, _ = sleeping()
    table = table.apply(Tallied(key=MERCY))
    foes = table.cast.foes_of("zephrine")
    cast = turn_of(table.cast, "zephrine")
    beyond = cast.with_("zephrine", position=max(one.position for one in foes) + 60)
    play = TableTurn(table.model_copy(update={"cast": beyond}), book)
    fight_turn(play, "zephrine")
    assert "ActionTaken" not in kinds(play)
    assert "Moved" not in kinds(play)


def test_nobody_is_advised_to_strike_who_was_spared() -> None:
    table, book, seat = sleeping()
    assert "attack" in could_do(table, book, seat)
    spared = table.apply(Tallied(key=MERCY))
    assert {one.id for one in choices(spared, book, seat)} == {
        one.id for one in choices(table, book, seat)
    }
    assert "attack" not in could_do(spared, book, seat)


def test_after_a_person_goes_down_each_further_round_waits_for_their_word() -> None:
    fought, book, _ = fight()
    before = held(fought)
    down = before.apply(h.Fell(who=SEAT))
    down = down.model_copy(update={"cast": down.cast.with_(SEAT, hp=0)})
    move = AGENT.next_move(state_of(down))
    assert move is not None
    assert (move.seat, move.waits) == (SEAT, True)
    told = " ".join(one.text for one in struck_down(before, Telling(down, book)))
    assert "`/pass`" in told
    assert "`/undo`" in told
    others = AGENT.next_move(state_of(held(down, "thorin")))
    assert others is None or others.seat != SEAT  # somebody else still plays
    assert slain(held(laid()[0].table)).onlookers == (SEAT,)


def test_who_promised_to_bring_the_fallen_carries_them_and_runs() -> None:
    table, book, _ = fight()
    cast = turn_of(table.cast, "thorin").with_("sunniva", hp=0, position=20)
    play = TableTurn(table.model_copy(update={"cast": cast}), book)
    bring_along(play, "thorin", "take up Sunniva and flee with her, last of all")
    assert play.table.cast.the("sunniva").under("grappled", "thorin")
    before = play.table.cast.the("sunniva").position
    fight_turn(
        play, "thorin", [one for one in choices(play.table, book, "thorin") if one.id == "flee"]
    )
    assert play.table.cast.the("sunniva").position != before


@pytest.mark.parametrize(("count", "left"), [(1, False), (2, True)])
def test_some_off_a_bundle_leave_the_bundle(count: int, left: bool) -> None:
    table, book = inn()
    table = table.apply(KeepsakeGained(who=SEAT, text="tallow candles"))
    act = {"do": "flourish", "item": "tallow candles", "count": count, "spent": True, "text": "x"}
    play = done(table, book, SEAT, acts=[act])
    assert bool(play.table.tale.keepsakes) is left


def test_of_many_things_only_the_number_used_is_gone() -> None:
    table, book = inn()
    carried = table.cast.the(SEAT).inventory
    key, had = next((one.item, one.count) for one in carried if one.count > 5)
    act = {"do": "flourish", "item": key, "count": 2, "spent": True, "text": "breaks two of them"}
    play = done(table, book, SEAT, acts=[act])
    assert play.table.cast.the(SEAT).count(key) == had - 2


def test_a_promise_that_was_kept_is_over_whoever_it_names() -> None:
    table, book = inn()
    vow = {"kind": "promise", "text": "Thorin will have the rope back", "about": SEAT}
    table = done(table, book, SEAT, details=[vow]).table
    kept = {"text": "Thorin has the rope back, as promised", "instead": vow["text"]}
    play = done(table, book, SEAT, details=[kept])
    assert "Refused" not in kinds(play)
    assert [one.text for one in play.table.tale.canon] == [kept["text"]]
    assert "Refused" in kinds(done(table, book, SEAT, details=[{**kept, "instead": ""}]))


def at_the_graves(*flags: str) -> tuple[Table, Book]:
    """Return a table on the isle, where the adventure lets those who wait be talked to."""
    table, book = inn()
    now = table.expedition
    there = now.model_copy(update={"scene": "isle", "flags": (*now.flags, *flags)})
    cast = table.cast.model_copy(update={"dice_seed": "7"})
    return table.model_copy(update={"expedition": there, "cast": cast, "current_turn": SEAT}), book


def test_a_parley_tells_by_which_words_it_is_tried_and_the_rope_makes_it_easier() -> None:
    said = {"do": "say", "to": "sleepers", "want": "know", "text": "Did the boy come by here?"}
    dcs = []
    for flags in ((), ("rope",)):
        table, book = at_the_graves(*flags)
        play = done(table, book, SEAT, acts=[said, {"do": "pick", "item": "parley:sleepers"}])
        tried = [one.text for one in play.done if isinstance(one, Did) and one.tries]
        assert tried == [said["text"]]
        assert "Did the boy come by" in str(tell_events(table, as_events(play), book).blocks)
        dcs += [one.dc for one in play.done if isinstance(one, h.Checked)]
    assert dcs[1] < dcs[0]


def test_who_can_be_talked_to_before_a_fight_is_heard_once_in_it() -> None:
    came = set()
    for seed in range(12):
        table, book = at_the_graves("rope")
        play = TableTurn(table, book)
        assert play.venture(SEAT, Exploration(act="provoke", target="sleepers")) is None
        cast = turn_of(play.table.cast, SEAT).model_copy(update={"dice_seed": str(seed)})
        fought = play.table.model_copy(update={"cast": cast, "current_turn": SEAT})
        foe = next(one.id for one in cast.foes_of(SEAT))
        plea = {"do": "say", "to": foe, "want": "truce", "approach": "comfort"}
        acts = [{**plea, "text": "We have come to ring."}, {**plea, "text": "Please, let us ring!"}]
        heard = done(fought, book, SEAT, acts=acts)
        rolled = [one.success for one in heard.done if isinstance(one, h.Checked)]
        assert len(rolled) == 1
        assert (heard.table.cast.fight is None) is rolled[0]
        came.add(rolled[0])
    assert came == {True, False}


@pytest.mark.parametrize("to", ["the reeds", "reeds"])
def test_a_place_farther_off_that_was_told_of_is_reached_by_the_way_there(to: str) -> None:
    table, book = inn()
    now = table.expedition
    told = now.model_copy(update={"flags": (*now.flags, "talk:jory-rope")})
    heard = table.model_copy(update={"expedition": told, "current_turn": SEAT})
    act = {"do": "move", "to": to, "text": "out with all four to the reeds"}
    play = done(heard, book, SEAT, acts=[act])
    assert play.table.expedition.scene == "causeway"
    assert "InVain" not in kinds(play)
    assert play.table.undone(SEAT) == ("out with all four to the reeds",)
    arrived = play.table.expedition.model_copy(update={"scene": "reeds"})
    assert not play.table.model_copy(update={"expedition": arrived}).undone(SEAT)


def test_a_place_of_which_nobody_has_heard_is_not_found_by_its_name() -> None:
    table, book = inn()
    play = done(table, book, SEAT, acts=[{"do": "move", "to": "crypt", "text": "to the crypt"}])
    assert play.table.expedition.scene == table.expedition.scene


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ('"Was playing", if you please.', '“"Was playing", if you please.”'),
        ('"I come along."', "“I come along.”"),
    ],
)
def test_words_within_an_answer_keep_their_quotation_marks(said: str, printed: str) -> None:
    table, book = inn()
    play = TableTurn(table, book)
    play.add(Spoke(seat="zephrine", text=said, to=SEAT))
    assert printed in str(tell_events(table, as_events(play), book).laid_out())


def test_what_is_no_ware_is_given_for_nothing() -> None:
    table, book = inn()
    table = table.model_copy(update={"current_turn": SEAT})
    ask = {
        "do": "say",
        "to": "brenna",
        "want": "give",
        "item": "pitch",
        "text": "Can I have pitch?",
    }
    play = done(table, book, SEAT, acts=[ask])
    assert [one.text for one in play.table.tale.keepsakes] == ["pitch"]
    assert play.table.expedition.purse == table.expedition.purse


def test_what_a_thing_is_used_on_is_not_spent() -> None:
    table, book = inn()
    for text in ("pitch", "cracked bowl"):
        table = table.apply(KeepsakeGained(who=SEAT, text=text))
    act = {"do": "flourish", "item": "pitch", "with": "cracked bowl", "spent": True, "text": "x"}
    play = done(table, book, SEAT, acts=[act])
    assert [one.text for one in play.table.tale.keepsakes] == ["cracked bowl"]
