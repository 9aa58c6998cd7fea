"""What companions hand over and do for each other, and what is bought for somebody else."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid, types
from tests.agents.party.hearing import situation
from tests.agents.party.heroes import foe, turn_of
from tests.agents.party.models import Able
from tests.agents.party.test_first_words import spoken
from tests.agents.party.test_improvising import done, fight, inn, kinds

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import can, choices, named_in
from ruleplay.agents.party.domain.creature import Effect
from ruleplay.agents.party.domain.effecting import leave_fight
from ruleplay.agents.party.domain.happenings.creatures import Moved
from ruleplay.agents.party.domain.happenings.table import SeatHeld
from ruleplay.agents.party.domain.happenings.tale import Did, InVain, KeepsakeGained, Yielded
from ruleplay.agents.party.domain.intended import Trial
from ruleplay.agents.party.domain.rules.conditions import with_implied
from ruleplay.agents.party.domain.staging import waiters
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.policy.picking import known_ids
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.prompts import VOWED
from ruleplay.kernel.replay import replay

PURSE = 500
"""Copper pieces in the purse of those who order."""
BEGS = "Pell, lend me your picks, would you? I open the old chest with them."
ASKS = {"do": "say", "to": "pell", "text": "Pell, lend me your picks, would you?", "want": "give"}
PICKS = "thieves-tools"
OPENS = {
    "do": "check",
    "skill": "sleight-of-hand",
    "band": "easy",
    "with": PICKS,
    "text": "I open the old chest",
}


class Vows(Able):
    """Promises to cure Pell, and leaves the turn itself to the rules."""

    def answer(self, role: str, text: str) -> str:
        """Promise, and pick nothing."""
        if role.endswith(".answer"):
            return json.dumps({"say": "On my turn.", "will": "cure wounds on Pell"})
        return "{}" if role == "party.sunniva" else super().answer(role, text)


async def test_what_a_companion_has_promised_is_told_to_them_and_done(room: Open) -> None:
    begs = "Sunniva, see to Pell, would you?"
    model = Vows(spoken(begs, {"do": "say", "to": "sunniva", "text": begs, "want": "help"}))
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(begs, seat="thorin")
        assert (await table.state()).table.undone("sunniva") == ("cure wounds on Pell",)
        for _ in range(6):
            now = (await table.state()).table
            if not now.undone("sunniva"):
                break
            if now.current_turn == "thorin":
                await session.turn(action={"do": "pass"}, seat="thorin")
            else:
                await session.turn(action={"do": "play"})
        assert (await replay(session.host, session.id)).identical
    told = [text for role, text in model.asked if role == "party.sunniva"]
    assert any(f"{VOWED}:\n- cure wounds on Pell" in text for text in told)
    assert not (await table.state()).table.undone("sunniva")


def test_a_promise_names_its_option_with_or_without_the_verb() -> None:
    table, book = inn()
    cast = table.cast.with_("pell", hp=1)
    hurt = table.model_copy(update={"cast": cast, "current_turn": "sunniva"})
    offered = can(hurt, book, "sunniva")
    found = named_in(offered, "cure wounds on Pell, first of all")
    assert found
    assert found.id == "cast:cure-wounds:pell"
    assert named_in(offered, "sing a song") is None


def test_where_a_person_leads_no_companion_decides_on_a_rest() -> None:
    table, book = inn()
    cast = table.cast.with_("pell", hp=1)
    alone = table.model_copy(update={"cast": cast, "current_turn": "sunniva"})
    led = alone.apply(SeatHeld(seat="thorin", by="human"))
    rest = {"short_rest", "long_rest"}
    assert rest & {one.id for one in can(alone, book, "sunniva")}
    assert not rest & {one.id for one in can(led, book, "sunniva")}
    assert rest & {one.id for one in can(led, book, "thorin")}


class Fellow(Able):
    """Consents to whatever they are asked, or to nothing."""

    def __init__(self, readings: dict[str, dict[str, object]], *, willing: bool) -> None:
        super().__init__(readings)
        self._willing = willing

    def answer(self, role: str, text: str) -> str:
        """Say yes or no."""
        if role.endswith(".answer"):
            return json.dumps({"say": "If you say so.", "helps": self._willing})
        return super().answer(role, text)


@pytest.mark.parametrize("willing", [True, False])
@pytest.mark.parametrize("deed", [OPENS, None])
async def test_a_willing_companion_hands_over_what_they_are_asked_for(
    room: Open, willing: bool, deed: dict[str, object] | None
) -> None:
    acts = [{**ASKS, "item": PICKS}, *([deed] if deed else [])]
    model = Fellow(spoken(BEGS, *acts), willing=willing)
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        turn = await session.turn(BEGS, seat="thorin")
        assert (await replay(session.host, session.id)).identical
    cast = (await table.state()).table.cast
    assert bool(cast.the("thorin").count(PICKS)) is willing
    assert cast.the("pell").count(PICKS) == (not willing)
    assert ("Checked" in types(turn)) is (willing and deed is not None)
    if deed and not willing:
        assert "Pell has it: ask for it" in turn.reply


def test_a_companions_thing_is_not_taken_without_asking_and_is_named() -> None:
    table, book = inn()
    for act in (OPENS, {"do": "take", "item": PICKS, "text": "I take her picks"}):
        play = done(table, book, "thorin", acts=[act])
        assert [one.why for one in play.done if isinstance(one, InVain)] == ["fellows:pell"]
        assert "Pell has it" in str(tell_events(table, as_events(play), book).blocks)
    assert PICKS in known_ids(table, book, "thorin")["companions carry"]
    assert "rapier" not in known_ids(table, book, "thorin")["companions carry"]


def test_a_keepsake_of_a_companion_can_be_handed_over() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    play.add(KeepsakeGained(who="pell", text="blue ribbon"))
    assert "blue ribbon (Pell)" in known_ids(play.table, book, "thorin")["companions carry"]


DOWN = Effect(key="down", conditions=with_implied(("unconscious",)))


def with_coin() -> tuple[Table, Book]:
    table, book = inn()
    there = table.expedition.model_copy(update={"purse": PURSE})
    return table.model_copy(update={"expedition": there}), book


@pytest.mark.parametrize(("count", "cost", "left"), [(1, 4, 0), (2, 8, 1), (3, 12, 2)])
def test_as_many_are_paid_for_as_were_ordered_and_each_can_be_passed_on(
    count: int, cost: int, left: int
) -> None:
    table, book = with_coin()
    orders = {
        "do": "say",
        "to": "brenna",
        "want": "give",
        "item": "ale",
        "count": count,
        "text": "Ale, please",
    }
    play = done(table, book, "thorin", acts=[orders, {"do": "give", "item": "ale", "to": "jory"}])
    assert table.expedition.purse - play.table.expedition.purse == cost
    assert play.table.cast.the("thorin").count("ale") == left
    assert "InVain" not in kinds(play)


@pytest.mark.parametrize(
    "acts",
    [
        [{"do": "pick", "item": "bread"}, {"do": "give", "item": "bread", "to": "pell"}],
        [{"do": "pick", "item": "bread", "to": "pell"}],
        [{"do": "give", "item": "bread", "to": "pell"}],
    ],
)
def test_a_ware_is_bought_for_somebody_however_the_order_was_read(
    acts: Sequence[dict[str, object]],
) -> None:
    table, book = with_coin()
    play = done(table, book, "thorin", acts=acts)
    assert table.expedition.purse - play.table.expedition.purse == 2
    assert play.table.cast.the("pell").count("bread") == 1
    eats = done(play.table, book, "pell", acts=[{"do": "use", "item": "bread", "text": "eats it"}])
    assert not eats.table.cast.the("pell").count("bread")


def test_a_room_is_paid_and_not_carried_away() -> None:
    table, book = with_coin()
    play = done(table, book, "thorin", acts=[{"do": "pick", "item": "room", "count": 2}])
    assert table.expedition.purse - play.table.expedition.purse == 100
    assert not play.table.cast.the("thorin").count("room")


def sleeping(awake: Sequence[str] = ()) -> tuple[Table, Book, str]:
    """Return a fight at Pell's turn in which all foes sleep but those named."""
    table, book, _ = fight()
    nap = Effect(
        key="sleep", source="zephrine", conditions=with_implied(("unconscious",)), wakes=True
    )
    cast = turn_of(table.cast, "pell")
    for one in table.cast.foes_of("pell"):
        if one.id not in awake:
            cast = cast.with_(one.id, effects=(nap,), position=cast.the("pell").position + 10)
    return table.model_copy(update={"cast": cast, "current_turn": "pell"}), book, "pell"


def bind(who: str) -> dict[str, object]:
    binds = [{"kind": "condition", "who": who, "what": "restrained"}]
    return {
        "do": "check",
        "skill": "sleight-of-hand",
        "band": "easy",
        "to": who,
        "success": binds,
        "text": "binds their feet with cord",
    }


def won(table: Table, book: Book, seat: str, act: dict[str, object]) -> TableTurn:
    for seed in range(20):
        cast = table.cast.model_copy(update={"dice_seed": str(seed)})
        play = done(table.model_copy(update={"cast": cast}), book, seat, acts=[act])
        if any(getattr(one, "success", False) for one in play.done):
            return play
    raise AssertionError("no roll succeeds")


def test_only_who_was_named_is_tied_up_and_the_fight_is_over_where_nobody_is_awake() -> None:
    table, book, seat = sleeping()
    there = {one.id for one in table.cast.foes_of(seat)}
    play = won(table, book, seat, bind(min(there)))
    assert [one.who for one in play.done if isinstance(one, Yielded)] == [min(there)]
    assert play.table.cast.fight is None
    told = str(tell_events(table, as_events(play), book).blocks)
    assert "tied up" in told
    assert "gets away" not in told


def test_with_others_awake_only_the_one_at_hand_is_tied_up() -> None:
    table, book, seat = sleeping(awake=("giant-rat-2", "giant-rat-3"))
    play = won(table, book, seat, bind("giant-rat-1"))
    assert [one.who for one in play.done if isinstance(one, Yielded)] == ["giant-rat-1"]
    assert play.table.cast.fight


def test_nobody_is_tied_up_from_afar_while_others_are_awake() -> None:
    table, book, seat = sleeping(awake=("giant-rat-2", "giant-rat-3"))
    far = table.model_copy(update={"cast": table.cast.with_("giant-rat-1", position=200)})
    play = won(far, book, seat, bind("giant-rat-1"))
    assert not [one for one in play.done if isinstance(one, Yielded)]


def test_what_a_companion_tries_in_a_fight_is_their_action() -> None:
    asked = Trial(
        skill="sleight-of-hand", band="easy", text="binds it", to="giant-rat-1", upon="restrained"
    )
    table, book, seat = sleeping(awake=("giant-rat-2",))
    play = done(table, book, seat, acts=[asked.act])
    assert "Checked" in kinds(play)
    assert any(isinstance(one, Did) and one.tries for one in play.done)


FELLOWS = ("thorin", "pell", "sunniva", "zephrine")


class Trier(Able):
    """Picks nothing and tries something in each turn of a fight."""

    def answer(self, role: str, text: str) -> str:
        """Try something that no option is."""
        if role.removeprefix("party.") in FELLOWS and "Round " in text:
            tries = {"skill": "acrobatics", "band": "easy", "text": "vaults over the low wall"}
            return json.dumps({"tries": tries, "spare": True, "say": ""})
        return super().answer(role, text)


async def test_a_companions_try_is_carried_out_in_a_fight_too(room: Open) -> None:
    table = await room("1", model="able")
    async with table.session(Trier()) as session:
        for _ in range(12):
            turn = await session.turn(action={"do": "play"})
            if (await table.state()).table.cast.fight and "vaults over" in turn.reply:
                break
        else:
            raise AssertionError("nobody tried anything in a fight")
    assert "Checked" in types(turn)


def test_who_runs_from_sleepers_takes_everybody_along() -> None:
    table, book, seat = sleeping()
    play = done(table, book, seat, acts=[{"do": "rule", "item": "flee", "to": "sexton"}])
    assert play.table.cast.fight is None
    assert play.table.expedition.scene == "sexton"


def test_who_goes_past_sleepers_stands_on_their_far_side_and_companions_follow() -> None:
    table, book, seat = sleeping()
    table = table.apply(SeatHeld(seat=seat, by="human"))
    foes = table.cast.foes_of(seat)
    beyond = max(one.position for one in foes)
    play = done(table, book, seat, acts=[{"do": "pick", "item": "past", "text": "on my toes"}])
    assert play.table.cast.the(seat).position > beyond
    assert "InVain" not in kinds(play)
    cast = turn_of(play.table.cast, "zephrine")
    near = cast.with_("zephrine", position=min(one.position for one in foes) - 5)
    after = TableTurn(play.table.model_copy(update={"cast": near}), book)
    fight_turn(after, "zephrine")
    assert after.table.cast.the("zephrine").position > beyond
    assert "gets past" in str(tell_events(play.table, as_events(after), book).laid_out())


def test_nobody_goes_past_those_who_are_awake() -> None:
    table, book, seat = sleeping(awake=["giant-rat-1"])
    assert "past" not in {one.id for one in choices(table, book, seat)}


def test_a_small_thing_that_the_story_has_shown_can_be_gone_to_in_a_fight() -> None:
    table, book, seat = sleeping()
    shown = next(key for key, one in book.story.details.items() if "boat" in one.text.en)
    there = table.expedition.model_copy(update={"planted": (shown,)})
    table = table.model_copy(update={"expedition": there})
    act = {"do": "move", "to": "toy boat", "text": "I tiptoe between the sleepers"}
    assert "InVain" not in kinds(done(table, book, seat, acts=[act]))


@pytest.mark.parametrize(
    "acts",
    [
        [{"do": "flourish", "text": "I heave Sunniva over my shoulder."}],
        [{"do": "take", "item": "sunniva", "text": "up with her"}],
        [],
    ],
)
def test_who_is_carried_out_of_a_fight_is_bitten_no_more(acts: list[dict[str, object]]) -> None:
    table, book, _ = fight()
    cast = turn_of(table.cast, "thorin")
    at = cast.the("thorin").position
    cast = cast.with_("sunniva", hp=0, stable=True, effects=(DOWN,), position=at + 5)
    down = table.model_copy(update={"cast": cast, "current_turn": "thorin"})
    flee = {"do": "rule", "item": "flee", "text": "I run with Sunniva over my shoulder"}
    play = done(down, book, "thorin", acts=[*acts, flee])
    ran, limp = play.table.cast.the("thorin"), play.table.cast.the("sunniva")
    assert ran.position != at
    assert (limp.position, limp.gone) == (ran.position, ran.gone)


def test_who_is_dragged_comes_to_stand_where_the_carrier_does() -> None:
    table, book, _ = fight()
    cast = turn_of(table.cast, "thorin")
    at = cast.the("thorin").position
    cast = cast.with_("sunniva", hp=0, stable=True, effects=(DOWN,), position=at).with_(
        "pell", position=at - 20
    )
    down = table.model_copy(update={"cast": cast, "current_turn": "thorin"})
    drag = {"do": "flourish", "text": "I drag Sunniva by the collar"}
    play = done(down, book, "thorin", acts=[drag, {"do": "move", "to": "pell", "text": "back"}])
    assert play.table.cast.the("sunniva").position == play.table.cast.the("thorin").position < at


def test_no_spell_is_offered_on_foes_who_were_left_behind() -> None:
    table, book, seat = sleeping()
    play = done(table, book, seat, acts=[{"do": "rule", "item": "flee", "to": "sexton"}])
    left = {one.id for one in play.table.cast.creatures if one.side != "party"}
    assert left
    for who in play.table.characters:
        offered = can(play.table, book, who)
        assert not [one.id for one in offered if one.id.rpartition(":")[2] in left]


def test_a_fight_that_ends_behind_those_who_ran_leaves_them_where_they_ran() -> None:
    state, _ = laid(1, humans=("thorin",))
    table, book, _ = fight()
    held = table.model_copy(update={"seats": state.table.seats})
    cast = turn_of(held.cast, "thorin")
    for one in held.cast.foes_of("thorin"):
        cast = cast.with_(one.id, position=400)
    now = held.model_copy(update={"cast": cast, "current_turn": "thorin"})
    play = done(now, book, "thorin", acts=[{"do": "rule", "item": "flee", "to": "mill"}])
    assert play.table.cast.fight
    after = TableTurn(play.table, book)
    for one in play.table.cast.foes_of("pell"):
        leave_fight(after, one.id, captive=False)
    assert after.table.cast.fight is None
    assert after.table.expedition.scene == "mill"


def test_of_those_who_wait_again_only_who_is_left_can_be_spoken_to() -> None:
    table, book = situation("en", "cellar", "pell")
    left = foe("commoner", "commoner-1")
    flags = tuple(one for one in table.expedition.flags if not one.startswith("over:"))
    there = table.expedition.model_copy(update={"flags": flags})
    table = table.model_copy(update={"expedition": there})
    assert "wreckers/thug" in waiters(table, book)
    faced = there.model_copy(update={"faced": {"wreckers": (1, (left.id,))}})
    cast = table.cast.model_copy(update={"creatures": (*table.cast.creatures, left)})
    after = table.model_copy(update={"expedition": faced, "cast": cast})
    assert [*waiters(after, book)] == ["wreckers/commoner"]


def test_a_foe_who_is_thrown_lands_farther_off() -> None:
    table, book, seat = fight()
    at = table.cast.the(seat).position
    near = table.model_copy(update={"cast": table.cast.with_("giant-rat-1", position=at + 5)})
    effect = [{"kind": "place", "who": "giant-rat-1", "what": "over the parapet"}]
    act = {"do": "check", "skill": "athletics", "success": effect, "text": "heaves it away"}
    play = won(near, book, seat, act)
    (moved,) = [one for one in play.done if isinstance(one, Moved) and one.why == "pushed"]
    assert (moved.who, moved.position - moved.origin) == ("giant-rat-1", 10)
