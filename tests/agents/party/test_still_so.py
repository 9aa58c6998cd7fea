"""What prompts and rules go by is so now: who can act, what is left to do, what still holds."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.hearing import situation as standing
from tests.agents.party.test_improvising import done, fight, inn, kinds

from ruleplay.agents.party.domain import mastering
from ruleplay.agents.party.domain.admission import admit
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.exploration.acts import Exploration, wanted
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import EndingReached
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.staging import foes_there, roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events, lately
from ruleplay.agents.party.nodes.gathering import movers
from ruleplay.agents.party.policy.handbook import entries
from ruleplay.agents.party.policy.naming import heard_of
from ruleplay.agents.party.policy.picking import foes_to_move, situation
from ruleplay.agents.party.state import Draft
from ruleplay.records.given import Given
from ruleplay.story.canon import Canon, Established, keep, nearest
from ruleplay.story.wording import double_quoted

ROUND = Given(action={"do": "round"})


def changed(table: Table, who: str, **fields: object) -> Table:
    return table.model_copy(update={"cast": table.cast.with_(who, **fields)})


def shop() -> tuple[Table, Book]:
    """Return a table at the inn, with coin."""
    table, book = inn()
    purse = table.expedition.model_copy(update={"purse": 500})
    return table.model_copy(update={"expedition": purse}), book


def held(table: Table, *whom: str) -> Table:
    seats = {
        key: one.model_copy(update={"by": "human" if key in whom else "model"})
        for key, one in table.seats.items()
    }
    return table.model_copy(update={"seats": seats})


def at_the_top(table: Table) -> Table:
    """Return a table at the start of its fight's order."""
    assert table.cast.fight
    fought = table.cast.fight.model_copy(update={"turn": 0})
    cast = table.cast.model_copy(update={"fight": fought})
    mover = fought.actor if fought.actor in table.characters else "dm"
    return table.model_copy(update={"cast": cast, "current_turn": mover})


@pytest.mark.parametrize("lies", [False, True])
def test_everybody_behind_a_person_who_lies_there_is_asked(lies: bool) -> None:
    state, _ = laid(1)
    table = at_the_top(fight()[0])
    assert table.cast.fight
    order = table.cast.fight.order
    seated = next(one for one in order[1:-1] if one in table.characters)
    table = held(table, seated)
    table = changed(table, seated, hp=0, stable=True) if lies else table
    later = [one for one in order[order.index(seated) + 1 :] if one in table.characters]
    draft = Draft(before=state.model_copy(update={"table": table}), given=ROUND, seat="dm")
    assert bool({*later} & {*movers(draft)}) == (lies and bool(later))
    foes = [one for one in order if one not in table.characters]
    assert ({*foes} <= {*foes_to_move(table, (seated,))}) == (
        lies or order.index(seated) > max(order.index(one) for one in foes)
    )


def test_who_has_acted_still_runs_as_far_as_their_legs_carry_them() -> None:
    table, book, seat = fight()
    foe, *_ = table.cast.foes_of(seat)
    shoves = {
        "do": "check",
        "skill": "athletics",
        "band": "hard",
        "to": foe.id,
        "text": "rams the cart against it",
        "success": [{"kind": "morale", "who": foe.id}],
    }
    play = done(table, book, seat, acts=[shoves, {"do": "rule", "item": "flee", "text": "runs"}])
    spent = [one.cost for one in play.done if isinstance(one, h.ActionTaken) and one.who == seat]
    assert spent == ["action", "movement"]
    assert any(isinstance(one, h.Moved) and one.why == "fled" for one in play.done)
    assert "LeftUndone" not in kinds(play)


@pytest.mark.parametrize(("band", "cost"), [("easy", "free"), ("hard", "action")])
def test_something_easy_leaves_the_action_to_what_comes_next(band: str, cost: str) -> None:
    table, book, seat = fight()
    drops = {
        "do": "check",
        "skill": "sleight-of-hand",
        "band": band,
        "text": "drops the pack",
        "success": [{"kind": "edge", "who": seat, "what": "up"}],
    }
    dodges = {"do": "rule", "item": "dodge", "text": "keeps low"}
    play = done(table, book, seat, acts=[drops, dodges])
    spent = [one.cost for one in play.done if isinstance(one, h.ActionTaken) and one.who == seat]
    assert spent[0] == cost
    assert ("LeftUndone" in kinds(play)) == (cost == "action")
    again = done(table, book, seat, acts=[drops, drops | {"text": "kicks it"}, dodges])
    costs = [one.cost for one in again.done if isinstance(one, h.ActionTaken) and one.who == seat]
    assert costs.count("free") <= 1


def test_an_easy_try_alone_is_the_turns_action() -> None:
    table, book, seat = fight()
    act = {"do": "check", "skill": "athletics", "band": "easy", "text": "kicks a stone"}
    play = done(table, book, seat, acts=[act])
    spent = [one.cost for one in play.done if isinstance(one, h.ActionTaken) and one.who == seat]
    assert spent == ["action"]


@pytest.mark.parametrize(("kind", "what"), [("weather", ""), ("hazard", ""), ("noise", "noise")])
def test_weather_is_no_slippery_ground_and_is_seen_in_a_fight_too(kind: str, what: str) -> None:
    table, book, seat = fight()
    play = TableTurn(table, book)
    mastering.complicate(play, kind, "A mist comes up between the stones.", None)
    (mark,) = play.table.tale.marks
    assert (mark.what, mark.text) == (what, "A mist comes up between the stones.")
    assert "- A mist comes up between the stones." in situation(play.table, book, seat)


def test_a_mark_without_a_name_and_words_is_none() -> None:
    table, book, _ = fight()
    play = TableTurn(table, book)
    mastering.complicate(play, "weather", "9 feet of snow.", None)
    assert not play.table.tale.marks


def test_who_has_run_is_said_to_have_run() -> None:
    table, book, seat = fight()
    gone, *_ = (one for one in table.characters if one != seat)
    assert "has got away" not in situation(table, book, seat)
    assert f"({gone}): has got away" in situation(changed(table, gone, gone=True), book, seat)


def test_a_detail_ends_another_one_and_elsewhere_is_left_out() -> None:
    def told(text: str, **fields: str) -> Established:
        return Established.model_validate({"text": text, "place": "inn", **fields})

    canon: Canon = ()
    for one in (
        told("the rope's end lies by her foot"),
        told("Pell has a scar", about="pell", author="pell"),
        told("Pell mends the bench", kind="promise"),
    ):
        canon = keep(canon, one)
    near = nearest(canon, place="mill", words="")
    assert [one.text for one in near] == ["Pell has a scar", "Pell mends the bench"]
    assert len(nearest(canon, place="mill", words="Where is that rope?")) == len(canon)
    after = keep(canon, told("the rope hangs up", instead="The rope's end lies by her foot."))
    texts = [one.text for one in nearest(after, place="inn", words="rope")]
    assert texts == ["Pell has a scar", "Pell mends the bench", "the rope hangs up"]


def test_a_reading_says_what_its_detail_ends() -> None:
    table, book = inn()
    lies = {"text": "a boat of bark lies on the sill"}
    sails = {"text": "a boat of bark floats in a mug", "instead": lies["text"]}
    act = {"do": "flourish", "text": "plays with it"}
    play = done(table, book, "thorin", acts=[act], details=[lies])
    play = done(play.table, book, "pell", acts=[act], details=[sails])
    assert [one.text for one in play.table.tale.canon] == [sails["text"]]


def test_nobody_remembers_having_what_they_bought_for_somebody_else() -> None:
    table, book = shop()

    def said(acts: list[dict[str, str]]) -> str:
        return "\n".join(recalled(done(table, book, "thorin", acts=acts).table, book, "thorin"))

    buys = {"do": "pick", "item": "cheese", "text": "buys cheese"}
    assert "Thorin has" in said([buys])
    assert "Thorin has" not in said([buys | {"to": "brenna"}])


def test_what_is_given_on_is_named_in_the_tables_language() -> None:
    table, book = shop()
    table = table.model_copy(update={"lang": "fr"})
    play = done(table, book, "thorin", acts=[{"do": "pick", "item": "meal", "to": "jory"}])
    assert [one.text for one in play.done if isinstance(one, t.Did)] == ["repas"]


def test_what_a_thing_without_a_price_costs_is_what_is_offered() -> None:
    table, book = shop()
    asks = {"do": "say", "to": "brenna", "want": "give", "item": "jar of warm wax", "text": "Wax?"}
    for coin, paid in ((4, 4), (0, 0)):
        act = {**asks, "coin": coin, "unit": "copper"}
        play = done(table, book, "thorin", acts=[act])
        assert table.expedition.purse - play.table.expedition.purse == paid


@pytest.mark.parametrize("when", ["then", "if_success"])
def test_nobody_means_any_more_what_hung_on_what_has_failed(when: str) -> None:
    table, book = inn()
    acts = [
        {"do": "vain", "vain": "claims_outcome", "text": "wins"},
        {"do": "take", "item": "crown", "text": "takes it", "when": when},
    ]
    play = done(table, book, "thorin", acts=acts)
    assert play.table.tale.undone("thorin") == ()


def glass(seed: int = 1) -> tuple[Table, Book]:
    """Return a table in the rows, where a wolf is and a thimble."""
    state, book = laid(seed, adventure="glass-orchard", characters=("pell", "thorin"))
    play = TableTurn(state.table, book)
    assert play.venture("dm", Exploration(act="begin")) is None
    play.finish("dm")
    assert play.venture("pell", Exploration(act="go", target="rows")) is None
    return play.table.model_copy(update={"current_turn": "pell"}), book


@pytest.mark.parametrize(
    ("text", "item", "taken"),
    [
        ("lays a line of salt from the scarecrow to the ditch", "", False),
        ("slips the thimble off the straw finger", "", True),
        ("draws it off the finger", "thimble", True),
    ],
)
def test_a_try_under_hostile_eyes_is_the_deed_that_it_names(
    text: str, item: str, taken: bool
) -> None:
    table, book = glass()
    act = {"do": "check", "skill": "sleight-of-hand", "item": item, "text": text}
    play = done(table, book, "pell", acts=[act])
    assert any("Deed" in kind for kind in kinds(play)) == (taken and not play.table.cast.fight)
    tries = [one for one in play.done if isinstance(one, t.Tallied) and one.key.startswith("try:")]
    assert bool(tries) == (not taken)


def test_a_try_beside_what_is_offered_is_another_one() -> None:
    table, book = standing("en", "reeds", "pell")
    now = table.expedition.model_copy(update={"flags": (*table.expedition.flags, "boat-told")})
    table = table.model_copy(update={"expedition": now})
    assert wanted("deed:take-boat") in [one.venture for one in choices(table, book, "pell")]
    act = {"do": "check", "skill": "investigation", "text": "looks round the boat for a heel"}
    play = done(table, book, "pell", acts=[act])
    assert "DeedDone" not in kinds(play)


def test_what_hangs_on_a_prepared_deeds_roll_heeds_it() -> None:
    takes = {"do": "take", "item": "thimble", "text": "takes the thimble"}
    trades = {"do": "flourish", "text": "gives it her hat", "when": "if_success"}
    seen = set()
    for seed in range(8):
        play = done(*glass(seed), "pell", acts=[takes, trades])
        won = any(isinstance(one, h.Checked) and one.success for one in play.done)
        traded = any(isinstance(one, t.Did) and "hat" in one.text for one in play.done)
        assert traded == (won and not play.table.cast.fight)
        seen.add(traded)
    assert seen == {True, False}


def test_only_foes_that_the_party_meets_are_there() -> None:
    table, book = glass()
    assert [one.kind for one in foes_there(table, book)] == ["wolf"]
    state, _ = laid(1, adventure="glass-orchard")
    four = table.model_copy(update={"cast": state.table.cast, "seats": state.table.seats})
    four = four.model_copy(update={"turn_queue": state.table.turn_queue})
    assert {one.kind for one in foes_there(four, book)} == {"wolf", "mastiff"}


def test_those_who_wait_are_known_by_name() -> None:
    table, book = glass()
    there = table.expedition.model_copy(update={"scene": "yard"})
    assert "Sorrel" not in heard_of(table, book)
    assert "Sorrel" in heard_of(table.model_copy(update={"expedition": there}), book)


@pytest.mark.parametrize("act", ["ask", "say", "move"])
def test_after_the_end_one_may_speak_and_ask_and_does_no_more(act: str) -> None:
    table, book = inn()
    play = TableTurn(held(table, "thorin"), book)
    play.add(EndingReached(ending="fallen"))
    over = play.table
    assert over.mode == "ended"
    assert admit(over, book, "thorin", "Is that really the end?", None) is None
    assert admit(over, book, "thorin", "/undo", None) is None
    assert admit(over, book, "thorin", "", {"do": "pass"}) is not None
    acts = {
        "ask": {"do": "ask", "to": "memory", "text": "Was that all?"},
        "say": {
            "do": "say",
            "to": "brenna",
            "want": "give",
            "coin": 1,
            "approach": "press",
            "text": "Six.",
        },
        "move": {"do": "move", "to": "causeway", "text": "goes on"},
    }
    after = done(over, book, "thorin", "“Six.”", acts=[acts[act]])
    assert not {"Acted", "Checked"} & {*kinds(after)}
    assert ("LeftUndone" in kinds(after)) == (act == "move")
    assert after.table.expedition == over.expedition
    assert as_events(after)


def test_notices_displace_nothing_that_was_told_since_the_last_turn() -> None:
    table, _ = inn()
    turn, over = "It is your turn, Pell.", "Your turn is over; Thorin is to move."
    told = ["An old answer.", turn, "You slip it out.", over, turn]
    assert lately(told, table) == ["You slip it out."]
    assert lately([*told, "A new one.", over, turn], table) == ["A new one."]
    assert lately(["A whisper.", turn], table) == ["A whisper."]


@pytest.mark.parametrize(
    ("message", "heard"),
    [
        ("'Don't move,' I say, 'it's Jory's.'", "“Don't move,” I say, “it's Jory's.”"),
        ("‘Who rings?’ - and the mice' nest.", "“Who rings?” - and the mice' nest."),
        ("I toss 'em gloves. 'Quiet now!'", "I toss 'em gloves. “Quiet now!”"),
        ("L'eau d'ici, c'est l'eau d'hier.", "L'eau d'ici, c'est l'eau d'hier."),
        ("“It's 'fine'.”", "“It's 'fine'.”"),
    ],
)
def test_single_quotation_marks_are_marks_of_speech(message: str, heard: str) -> None:
    assert double_quoted(message) == heard


async def test_speech_between_single_marks_is_spoken_without_a_model(room: Open) -> None:
    table = await room(humans=["thorin"])
    turn = await table.says("I nod. 'I never met your brother,' and I sit down.", seat="thorin")
    assert "“I never met your brother,”" in turn.reply


def test_what_can_be_taken_back_is_a_rule_to_ask_for() -> None:
    _, book = inn()
    for lang, question in (("en", "Can that blow be taken back?"), ("fr", "Puis-je annuler ?")):
        assert any("`/" in row for row in entries(question, book, lang))


@pytest.mark.parametrize("approach", ["plain", "bargain"])
def test_who_is_won_over_tells_what_they_were_asked_in_vain(approach: str) -> None:
    told = set()
    for seed in range(12):
        table, book = inn(seed)
        now = table.expedition.model_copy(update={"tried": ("talk:jory-rope/thorin",)})
        table = table.model_copy(update={"expedition": now})
        assert "jory-rope" in roster(table, book, "thorin").topics
        asks = {"do": "say", "to": "jory", "want": "know", "topic": "jory-rope"}
        asks |= {"approach": approach, "text": "An ale for the tale?"}
        play = done(table, book, "thorin", acts=[asks])
        won = any(isinstance(one, h.Checked) and one.success for one in play.done)
        assert ("TalkHeard" in kinds(play)) == won
        assert ("talk:jory-rope" in play.table.expedition.flags) == won
        assert ("jory-rope" in roster(play.table, book, "thorin").topics) != won
        told.add(won)
    assert told == ({False} if approach == "plain" else {True, False})
