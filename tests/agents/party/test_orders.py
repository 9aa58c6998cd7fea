"""What a companion promises, or is asked to, binds what they do in their turns."""

from __future__ import annotations

import json

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.models import Able
from tests.agents.party.test_improvising import done, fight, inn

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import ENCOUNTERS, can, choices
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import SceneEntered
from ruleplay.agents.party.domain.improvising import perform
from ruleplay.agents.party.domain.orders import hold_back, vow, within
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import HERE, LAST, NOBODY
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.kernel.replay import replay
from ruleplay.story.acts import Reading

RATS = ("giant-rat-4", "giant-rat-5", "giant-rat-6")


def bound(table: Table, book: Book, seat: str, **order: object) -> TableTurn:
    """Return a turn in which a seat is held to an order from the start."""
    play = TableTurn(table, book)
    vow(play, seat, "as I said", **order)  # type: ignore[arg-type]
    return TableTurn(play.table, book)


def struck(play: TableTurn) -> set[str]:
    harmed = (one.target for one in play.done if isinstance(one, h.AttackRolled))
    cast = (who for one in play.done if isinstance(one, h.SpellCast) for who in one.targets)
    return {*harmed, *cast} - {*play.table.characters}


@pytest.mark.parametrize("seed", range(4))
def test_who_holds_back_strikes_nobody_and_goes_at_nobody(seed: int) -> None:
    table, book, seat = fight(seed)
    free = TableTurn(table, book)
    fight_turn(free, seat)
    play = bound(table, book, seat, harms=NOBODY)
    was = play.table.cast.the(seat).position
    fight_turn(play, seat)
    assert not struck(play)
    assert play.table.cast.the(seat).position == was
    assert not play.table.cast.fight or play.table.cast.fight.actor != seat
    assert struck(free) or free.table.cast.the(seat).position != was


def test_who_may_strike_one_strikes_no_other() -> None:
    table, book, seat = fight()
    foes = [one.id for one in table.cast.foes_of(seat)]
    allowed = foes[-1]
    for at, one in enumerate(foes):
        cast = table.cast.with_(one, position=table.cast.the(seat).position + REACH * (at % 2))
        table = table.model_copy(update={"cast": cast})
    play = bound(table, book, seat, harms=f"{allowed}, nobody-here")
    offered = within(play.table, seat, can(play.table, book, seat))
    aimed = {who for one in offered for step in one.steps for who in step.aimed}
    assert aimed & {*foes} == {allowed}
    fight_turn(play, seat)
    assert struck(play) == {allowed}


def test_who_stays_beside_somebody_goes_there_and_readies_a_blow() -> None:
    table, book, seat = fight()
    friend = next(one.id for one in table.cast.friends_of(seat))
    blows = tuple(one for one in table.cast.the(seat).attacks if one.reach and not one.range)
    cast = table.cast.with_(seat, spells=(), attacks=blows)
    cast = cast.with_(friend, position=table.cast.the(seat).position - 20)
    for foe in table.cast.foes_of(seat):
        cast = cast.with_(foe.id, position=table.cast.the(seat).position + 60)
    play = bound(table.model_copy(update={"cast": cast}), book, seat, keeps=friend)
    fight_turn(play, seat)
    assert play.table.cast.distance(seat, friend) <= REACH
    assert [one.who for one in play.done if isinstance(one, h.Readying)] == [seat]


def test_who_runs_last_covers_the_others_first() -> None:
    table, book, seat = fight()
    play = bound(table, book, seat, keeps=LAST)
    ids = {one.id for one in within(play.table, seat, can(play.table, book, seat))}
    assert "flee" not in ids
    for one in play.table.cast.friends_of(seat):
        play.table = play.table.model_copy(
            update={"cast": play.table.cast.with_(one.id, gone=True)}
        )
    assert "flee" in {one.id for one in within(play.table, seat, can(play.table, book, seat))}


def test_a_word_for_peace_holds_every_companion_back_until_they_are_hurt() -> None:
    table, book = inn()
    says = {"do": "say", "to": "all", "want": "truce", "text": "Hands off!", "secret": True}
    play = done(table, book, "thorin", "Hands off!", acts=[says])
    others = [seat for seat in table.characters if seat != "thorin"]
    assert [one.seat for one in play.table.tale.orders] == others
    assert {one.harms for one in play.table.tale.orders} == {NOBODY}
    who = others[0]
    hurt = h.HitPointsChanged(who=who, amount=-1, hp=1, why="hit", raw=1)
    assert not play.table.apply(hurt).tale.orders


def test_a_word_for_peace_in_a_fight_stands_until_another() -> None:
    table, book, seat = fight()
    play = TableTurn(table, book)
    hold_back(play, seat, table.characters)
    other = next(one for one in table.characters if one != seat)
    hurt = h.HitPointsChanged(who=other, amount=-1, hp=1, why="hit", raw=1)
    assert play.table.apply(hurt).tale.order(other).harms == NOBODY
    vow(play, other, "I am with you", harms="anybody")
    assert not play.table.tale.order(other).harms


def test_who_stays_is_not_there_when_the_party_goes_on_and_can_be_called() -> None:
    table, book = inn()
    play = bound(table, book, "zephrine", keeps="brenna")
    assert play.table.tale.order("zephrine").keeps == HERE
    assert play.venture("thorin", Exploration(act="go", target="causeway")) is None
    kinds_ = [type(one) for one in play.done]
    assert kinds_.index(t.Parted) < kinds_.index(SceneEntered)
    assert not play.table.cast.the("zephrine").present
    assert play.table.following("sunniva")[0] != "zephrine"
    told = tell_events(table, as_events(play), book)
    arrives = [one.line.text for one in told.laid_out() if not isinstance(one, str)]
    assert not [one for one in arrives if "causeway" in one and "Zephrine" in one]
    assert [one for one in arrives if "Zephrine" in one]
    play.table = play.table.model_copy(
        update={"cast": play.table.cast.model_copy(update={"fight": None})}
    )
    calls = {"do": "say", "to": "zephrine", "want": "join", "text": "Zephrine, come!"}
    called = TableTurn(play.table, book)
    perform(called, "thorin", Reading.model_validate({"acts": [calls]}), "Zephrine, come!")
    assert called.table.cast.the("zephrine").present
    assert not called.table.tale.parted


@pytest.mark.parametrize("held", [True, False])
def test_no_companion_begins_a_fight_of_its_own(held: bool) -> None:
    state, book = laid(1, humans=["sunniva"] if held else [])
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.venture("sunniva", Exploration(act="go", target="causeway"))
    now = play.table.expedition
    meets = play.table.cast.fight is None
    assert now.scene == "causeway"
    table = play.table.model_copy(update={"current_turn": "pell"})
    acts = {one.venture.act for one in choices(table, book, "pell") if one.venture}
    assert not meets or bool(acts & {*ENCOUNTERS}) is not held


class Warner(Able):
    """Promises a bolt that only warns, and strikes nobody."""

    def __init__(self, words: str) -> None:
        acts = {"do": "say", "to": "zephrine", "want": "help", "text": words}
        super().__init__({words: {"acts": [acts, {"do": "rule", "item": "dodge"}]}})

    def answer(self, role: str, text: str) -> str:
        """Return an answer to a prompt."""
        bolt = {"skill": "intimidation", "band": "easy", "with": "fire-bolt"}
        if role == "party.zephrine.answer":
            tries = {**bolt, "text": "sends a bolt upon the stones before them"}
            return json.dumps(
                {"say": "One bolt.", "will": "warn them", "tries": tries, "harms": NOBODY}
            )
        if role == "party.zephrine":
            return json.dumps({"pick": []})
        return super().answer(role, text)


async def test_a_deed_that_was_promised_in_a_fight_is_done_in_their_turn(room: Open) -> None:
    words = "Zephrine, frighten them!"
    model = Warner(words)
    table = await room("1", model="able", humans=["sunniva"])
    async with table.session(model) as session:
        await session.turn(action={"do": "round"})
        await session.turn(action={"do": "choose", "options": ["go:causeway"]}, seat="sunniva")
        for _ in range(6):
            view = await session.view("sunniva")
            if view["mode"] == "combat" and view["current_turn"] == "sunniva":
                break
            await session.turn(action={"do": "round"})
        await session.turn(words, seat="sunniva")
        found: list[str] = []
        for _ in range(8):
            view = await session.view("sunniva")
            if view["mode"] != "combat" or view["current_turn"] == "sunniva":
                break
            turn = await session.turn(action={"do": "round"})
            found += [
                str(one["type"]) + ":" + str(one.get("text", one.get("spell", "")))
                for one in turn.events
                if one.get("who") == "zephrine" or one.get("attacker") == "zephrine"
            ]
        assert (await replay(session.host, session.id)).identical
    assert "Did:sends a bolt upon the stones before them" in found
    assert not [one for one in found if one.startswith("AttackRolled")]
