"""Fights that nobody is to die in, and what they leave behind: the spared, the fled, the hurt."""

from __future__ import annotations

import pytest
from tests.agents.party.gatherings import laid
from tests.agents.party.heroes import BOOK, foe, hero, of
from tests.agents.party.heroes import fighting as brawl
from tests.agents.party.test_improvising import done, fight, inn, kinds

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice, choices
from ruleplay.agents.party.domain.creature import Effect
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings.tale import DetailEstablished, InVain, Tallied
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.rules.acts import resolve
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import MERCY
from ruleplay.agents.party.domain.turns import fight_turn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.policy.picking import given_away, plain_words, situation
from ruleplay.agents.party.policy.replies import foes_of
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.story.texts import Text

RAT = "giant-rat-5"


def at_hand(**changes: object) -> tuple[Table, Book, str]:
    """Return a fight in which a rat that anything hits stands beside whoever is to move."""
    table, book, seat = fight()
    where = table.cast.the(seat).position
    cast = table.cast.with_(RAT, position=where, **{"ac": 1, "hp": 1, **changes})
    return table.model_copy(update={"cast": cast}), book, seat


def reseeded(table: Table, seed: int) -> Table:
    return table.model_copy(update={"cast": table.cast.model_copy(update={"dice_seed": str(seed)})})


def happened(play: TableTurn) -> tuple[h.Happening, ...]:
    return tuple(one for one in play.done if isinstance(one, h.Happening))


@pytest.mark.parametrize("do", ["pick", "rule"])
def test_a_spared_foe_is_knocked_out_however_the_blow_was_read(do: str) -> None:
    table, book, seat = at_hand()
    melee = {one.key for one in table.cast.the(seat).attacks if one.reach}
    offered = (one.id for one in choices(table, book, seat) if one.id.endswith(RAT))
    key = next(
        one for one in offered if one.split(":")[0] == "attack" and melee & {*one.split(":")}
    )
    act = {"do": "pick", "item": key, "spare": True}
    if do == "rule":
        act = {"do": do, "item": "attack", "to": RAT, "with": key.split(":")[1], "spare": True}
    plays = [done(reseeded(table, seed), book, seat, acts=[act]) for seed in range(6)]
    hit = [play for play in plays if any(one.hit for one in of(happened(play), h.AttackRolled))]
    assert hit
    for play in hit:
        assert [one.who for one in of(happened(play), h.Fell)] == [RAT]
        assert not of(happened(play), h.Died)
        told = str(tell_events(table, as_events(play), book).blocks)
        assert "slain" not in told
        assert "knocked out" in told


@pytest.mark.parametrize(
    ("mercy", "strikes"), [((), 1), (("somebody-else",), 1), (("fighter",), 0)]
)
def test_who_wants_nobody_killed_strikes_at_no_back(mercy: tuple[str, ...], strikes: int) -> None:
    cast = brawl(hero("fighter"), foe("ogre"), first="ogre")
    came = resolve(cast, "ogre", Intent(act="flee"), BOOK, mercy=mercy)
    assert not isinstance(came, Refusal)
    assert len([one for one in of(came, h.ActionTaken) if one.act == "opportunity"]) == strikes


def test_with_mercy_a_reaction_knocks_out_whoever_only_walks_by() -> None:
    fell = 0
    for seed in range(8):
        weak = foe("giant-rat", hp=1, ac=1)
        cast = brawl(hero("fighter"), weak, seed=str(seed), first="giant-rat")
        came = resolve(cast, "giant-rat", Intent(act="move", to=30), BOOK, mercy=("fighter",))
        assert not isinstance(came, Refusal)
        assert not of(came, h.Died)
        fell += len(of(came, h.Fell))
    assert fell


def test_foes_know_no_mercy() -> None:
    cast = brawl(hero("fighter", hp=300, max_hp=300), foe("ogre"), first="fighter")
    came = resolve(cast, "fighter", Intent(act="flee"), BOOK, mercy=("fighter",))
    assert not isinstance(came, Refusal)
    assert [one.who for one in of(came, h.ActionTaken) if one.act == "opportunity"] == ["ogre"]


def escaped(to: str) -> tuple[Table, Table, Book]:
    """Return a table before and after a flight; one foe is dead, one hurt, one has run."""
    table, book, _ = fight()
    cast = table.cast.with_("giant-rat-1", dead=True, hp=0).with_("giant-rat-2", gone=True)
    cast = cast.with_("giant-rat-3", hp=2)
    for n in range(3, 7):
        cast = cast.with_(f"giant-rat-{n}", position=300)
    now = before = table.model_copy(update={"cast": cast})
    for _ in range(40):
        if now.cast.fight is None:
            return before, now, book
        act = {"do": "move", "to": to} if to else {"do": "rule", "item": "flee"}
        act = {"do": "wait"} if now.current_turn == "dm" else act
        now = done(now, book, now.current_turn, acts=[act]).table
    raise AssertionError("the fight goes on")


@pytest.mark.parametrize(("to", "ends"), [("reeds", "reeds"), ("mill", "mill"), ("", "inn")])
def test_a_flight_leads_where_it_was_named_and_else_where_the_adventure_has_it(
    to: str, ends: str
) -> None:
    _, after, _ = escaped(to)
    assert after.expedition.scene == ends


def test_where_a_flight_leads_is_known_before_and_told_with_it() -> None:
    table, book, seat = fight()
    assert "Whoever flees comes out at the Eel and Lantern; if that way is named" in situation(
        table, book, seat
    )
    play = done(table, book, seat, acts=[{"do": "move", "to": "reeds"}])
    assert any(isinstance(one, Tallied) and one.key.endswith("reeds") for one in play.done)
    told = str(tell_events(table, as_events(play), book).blocks)
    assert "the flight leads to the reed beds" in told


def test_after_a_flight_only_those_left_wait_and_as_they_were_left() -> None:
    _, after, book = escaped("reeds")
    assert foes_of("rats", after, book).count("rat") == 4
    back = TableTurn(after, book)
    assert back.venture(after.characters[0], Exploration(act="go", target="causeway")) is None
    if back.table.cast.fight is None:
        assert back.venture(after.characters[0], Exploration(act="provoke", target="rats")) is None
    there = [one for one in back.table.cast.fighters if one.side != "party"]
    assert {one.id: one.hp for one in there} == {
        "giant-rat-3": 2,
        "giant-rat-4": 7,
        "giant-rat-5": 7,
        "giant-rat-6": 7,
    }


def test_a_night_heals_those_left_behind() -> None:
    _, after, book = escaped("")
    later = after.expedition.model_copy(update={"day": after.expedition.day + 1})
    back = TableTurn(after.model_copy(update={"expedition": later}), book)
    assert back.venture(after.characters[0], Exploration(act="go", target="causeway")) is None
    if back.table.cast.fight is None:
        assert back.venture(after.characters[0], Exploration(act="provoke", target="rats")) is None
    assert back.table.cast.the("giant-rat-3").hp == 7


@pytest.mark.parametrize(
    ("wish", "away"),
    [({}, False), ({"stunt": {"kind": "place", "what": "water"}}, True)],
)
def test_a_shove_needs_no_tool_and_has_one_of_two_ends(wish: dict[str, object], away: bool) -> None:
    ends: set[bool] = set()
    for seed in range(12):
        table, book, seat = at_hand(hp=7)
        act = {"do": "rule", "item": "shove", "to": RAT, "with": "shield", **wish}
        play = done(reseeded(table, seed), book, seat, acts=[act])
        assert "Refused" not in kinds(play)
        won = next(one for one in of(happened(play), h.Contested)).success
        if won:
            pushed = [one for one in of(happened(play), h.Moved) if one.why == "pushed"]
            ends.add(bool([one for one in pushed if one.who == RAT]))
    assert ends == {away}


def test_a_thing_that_the_story_has_given_changes_hands_and_others_keep_theirs() -> None:
    table, book = inn()
    act = {"do": "take", "item": "rope", "text": "slings the rope"}
    early = done(table, book, "thorin", acts=[act])
    assert [one.why for one in early.done if isinstance(one, InVain)] == ["theirs"]
    cast = table.cast.apply(h.ItemGained(who="pell", item="rope"))
    given = done(table.model_copy(update={"cast": cast}), book, "thorin", acts=[act])
    assert given.table.cast.the("thorin").count("rope") == 1
    assert given.table.cast.the("pell").count("rope") == 0
    again = done(
        given.table.model_copy(update={"current_turn": "thorin"}), book, "thorin", acts=[act]
    )
    assert again.table.cast.the("thorin").count("rope") == 1
    assert "InVain" not in kinds(again)
    # Who plays the game master has no hands at the table.
    told = given.table.model_copy(update={"current_turn": DM})
    assert not of(happened(done(told, book, DM, acts=[act])), h.ItemGained)


def test_what_jory_pushes_over_is_a_thing_of_the_adventure() -> None:
    _, book = laid()
    assert "rope" in book.story.talks["jory-rope"].gain.items


def won_over(times: int) -> list[TableTurn]:
    """Return turns in which the same words move somebody, until nothing is left to be gained."""
    table, book = inn()
    words = "It was wedged between two stones. Keep it for him."
    act = {"do": "say", "to": "brenna", "approach": "comfort", "want": "know", "text": words}
    plays = []
    for seed in range(times):
        now = reseeded(table, seed).model_copy(update={"current_turn": "thorin"})
        plays.append(done(now, book, "thorin", words, acts=[act]))
        table = plays[-1].table
    return plays


def test_what_was_said_is_no_fact_however_well_it_was_received() -> None:
    plays = won_over(12)
    assert not [one for play in plays for one in play.done if isinstance(one, DetailEstablished)]


def test_the_beat_of_an_appeal_has_its_words() -> None:
    play = won_over(1)[0]
    told = str(tell_events(play.began, as_events(play), play.book).blocks)
    assert "tries it, with these words: It was wedged" in told


def test_ordinary_words_give_no_secret_away() -> None:
    _, book = laid()
    common = plain_words(book, "en")
    secret = "He knows how many people live in a town of which that is all that need be said."
    assert given_away("Which of you people saw it?", secret, "")
    assert not given_away("Which of you people saw it?", secret, "", common)
    assert given_away("An aunt in a boat!", "Her aunt hid a boat by the weir.", "", common)


def asleep(table: Table, *whom: str) -> Table:
    cast = table.cast
    for who in whom:
        nap = Effect(key="sleep", conditions=("incapacitated", "prone", "unconscious"), wakes=True)
        cast = cast.apply(h.EffectGained(who=who, effect=nap))
    return table.model_copy(update={"cast": cast})


@pytest.mark.parametrize(("spare", "struck"), [(False, True), (True, False)])
def test_who_spares_and_only_walks_nearer_strikes_nobody_asleep(spare: bool, struck: bool) -> None:
    table, book, seat = fight()
    rats = [one.id for one in table.cast.fighters if one.side != "party"]
    table = asleep(table, *rats)
    move = Choice(
        id=f"approach:{RAT}",
        label=Text(en="move", fr="avancer"),
        steps=(Intent(act="move", target=RAT, distance=5),),
    )
    play = TableTurn(table, book)
    fight_turn(play, seat, [move], spare=spare)
    strikes = [one for one in of(happened(play), h.ActionTaken) if {*one.targets} & {*rats}]
    assert bool(strikes) is struck


def test_who_spares_still_strikes_at_those_awake() -> None:
    table, book, seat = fight()
    rats = [one.id for one in table.cast.fighters if one.side != "party"]
    play = TableTurn(asleep(table, *rats[1:]), book)
    fight_turn(play, seat, spare=True)
    aimed = {who for one in of(happened(play), h.ActionTaken) for who in one.targets}
    assert aimed & {*rats} <= {rats[0]}
    assert aimed


def test_one_who_spares_lets_foes_run_and_the_others_need_not() -> None:
    table, _, seat = fight()
    tale = table.apply(Tallied(key=f"{MERCY}:{seat}")).tale
    other = next(one for one in table.characters if one != seat)
    assert (tale.spares(seat), tale.spares(other), tale.merciful) == (True, False, False)
    assert table.apply(Tallied(key=MERCY)).tale.spares(other)
    assert not tale.after_fight().spares(seat)
