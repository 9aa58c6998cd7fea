"""What words win, give away or settle: things, secrets, demands, open questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.hearing import situation
from tests.agents.party.test_improvising import done as performed
from tests.agents.party.test_improvising import fight, inn
from tests.agents.party.test_wishes import rich

from ruleplay.agents.party.domain import mastering
from ruleplay.agents.party.domain.creature import Effect
from ruleplay.agents.party.domain.handling import won
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.improvising import begin
from ruleplay.agents.party.domain.intended import Pick
from ruleplay.agents.party.domain.knowledge import known, tellable
from ruleplay.agents.party.domain.performance import Performance
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import speak
from ruleplay.agents.party.nodes.gathering import canon_of, kept_back
from ruleplay.agents.party.policy.answers import answer_of
from ruleplay.agents.party.policy.picking import known_ids, speech_problems
from ruleplay.story.acts import Act, Reading
from ruleplay.story.texts import Text
from ruleplay.story.wording import spoken

SECRET = "own:pell:0"


def asked(item: str, **more: Any) -> dict[str, Any]:
    """Return words by which Brenna is won over to give something."""
    words = f"could you spare {item or 'us something'}"
    return {"do": "say", "to": "brenna", "want": "give", "item": item, "text": words, **more}


def outcomes(act: dict[str, Any], copper: int = 500, **more: Any) -> list[TableTurn]:
    """Return what comes of an act with many dice, where it is won."""
    table, book = inn()
    tries = (
        rich(table, copper).model_copy(
            update={"cast": table.cast.model_copy(update={"draws": draws})}
        )
        for draws in range(30)
    )
    plays = [performed(one, book, "thorin", str(act["text"]), acts=[act], **more) for one in tries]
    rolls = [next(one for one in play.done if isinstance(one, h.Checked)) for play in plays]
    return [play for play, roll in zip(plays, rolls, strict=True) if roll.success]


def gained(play: TableTurn) -> list[str]:
    return [one.item for one in play.done if isinstance(one, h.ItemGained)]


def paid(play: TableTurn) -> list[int]:
    return [one.amount for one in play.done if isinstance(one, CoinChanged)]


def promises(play: TableTurn) -> list[str]:
    made = (one for one in play.done if isinstance(one, t.DetailEstablished))
    return [one.author for one in made if one.kind == "promise"]


@pytest.mark.parametrize(
    ("act", "item", "coins", "promised"),
    [
        (asked("rope", approach="charm"), ["rope"], [], []),
        (asked("rope", approach="comfort", want="help"), ["rope"], [], []),
        (asked("rope", approach="bargain", coin=3, unit="silver"), ["rope"], [-30], []),
        (asked("rope", approach="bargain"), ["rope"], [-75], []),
        (asked("lantern", approach="charm"), [], [], ["brenna"]),
        (asked("", approach="charm", coin=5, unit="silver"), [], [50], []),
        (asked("", approach="charm", coin=9), [], [200], ["brenna"]),
        (asked("", approach="charm"), [], [], ["brenna"]),
    ],
)
def test_what_is_won_is_handed_over_as_far_as_it_can_be_spared(
    act: dict[str, Any], item: list[str], coins: list[int], promised: list[str]
) -> None:
    won = outcomes(act)
    assert won
    for play in won:
        assert (gained(play), paid(play), promises(play)) == (item, coins, promised)


def test_work_that_is_promised_for_a_thing_is_its_price() -> None:
    vow = {"kind": "promise", "text": "Thorin mends the roof", "about": "brenna"}
    won = outcomes(asked("rope", approach="bargain"), details=[vow])
    assert won
    assert all((gained(play), paid(play)) == (["rope"], []) for play in won)


def test_a_thing_that_a_deed_here_brings_is_promised_and_nothing_else_is_called_so() -> None:
    table, book = situation("en", "inn", "thorin")
    deed = next(iter(book.story.deeds.values()))
    gain = deed.gain.model_copy(update={"keepsakes": (Text(en="pot of embers", fr="braises"),)})
    here = deed.model_copy(update={"scene": table.expedition.scene, "gain": gain})
    story = book.story.model_copy(update={"deeds": {**book.story.deeds, "embers": here}})
    now = Performance(TableTurn(table, replace(book, story=story)), "thorin")
    assert won(now, Act.model_validate(asked("ember in a bowl")))
    assert promises(now.play) == ["brenna"]
    assert not [one for one in now.play.done if isinstance(one, t.KeepsakeGained)]


def test_nobody_spares_more_in_a_scene_than_in_coin() -> None:
    play = outcomes(asked("rope", approach="charm"))[0]
    for _ in range(4):  # each is another asking: who has given in is not harder to ask
        acts = [asked("rope", approach="charm")]
        play = performed(play.table, play.book, "thorin", "more rope", acts=acts)
    assert play.table.cast.the("thorin").count("rope") <= 2


def test_what_a_person_offers_can_be_taken() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    mastering.npc(play, "brenna", "offers", "Take the rope behind the door, if it helps.", "")
    assert promises(play) == ["brenna"]
    took = performed(
        play.table, book, "thorin", "I take the rope", acts=[{"do": "take", "item": "rope"}]
    )
    assert (gained(took), paid(took)) == (["rope"], [])


def test_who_tells_a_secret_aloud_makes_it_known_and_a_whisper_to_one() -> None:
    table, book = inn()
    assert SECRET in str(known_ids(table, book, "pell"))
    assert SECRET not in str(known_ids(table, book, "thorin"))
    act = {"do": "say", "to": "all", "topic": SECRET, "text": "Half of it goes to my informer."}
    aloud = performed(table, book, "pell", str(act["text"]), acts=[act])
    assert [one.to for one in aloud.done if isinstance(one, p.Learned)] == [("*",)]
    assert SECRET not in {one.key for one in tellable(aloud.table, book, "pell")}
    assert any("Pell: “" in line for line in recalled(aloud.table, book, "zephrine"))
    low = performed(table, book, "pell", "psst", acts=[{**act, "do": "whisper", "to": "thorin"}])
    (heard,) = [one for one in known(low.table, book, "thorin") if one.key == SECRET]
    assert heard.text.startswith("Pell: “")
    assert SECRET not in {one.key for one in known(low.table, book, "zephrine")}


def test_nobody_tells_what_they_do_not_know() -> None:
    table, book = inn()
    act = {"do": "say", "to": "all", "topic": SECRET, "text": "Pell pays her informer."}
    play = performed(table, book, "thorin", str(act["text"]), acts=[act])
    assert not [one for one in play.done if isinstance(one, p.Learned)]


def test_a_companion_confesses_by_the_key_and_lets_slip_nothing_else() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    speak(
        play, "pell", Pick(say="Half of what I earn goes to him who informs on me.", tells=SECRET)
    )
    assert [one.key for one in play.done if isinstance(one, p.Learned)] == [SECRET]
    secrets = ["Half of what she earns goes to the man who informs on her.", "She poisoned a well."]
    said = "Half of what I earn goes to the man who informs on me."
    assert speech_problems(said, table, kept_back(secrets, None))
    assert not speech_problems(said, table, kept_back(secrets, secrets[0]))
    assert speech_problems("I poisoned it.", table, kept_back(secrets, secrets[0]))


async def test_a_secret_that_the_adventure_deals_is_told_to_its_keeper(room: Open) -> None:
    table = await room(humans=["pell"])
    turn = await table.does({"do": "play"})
    dealt = [one for one in turn.events if one["type"] == "SecretDealt" and one["who"] == "pell"]
    told = [one.text for one in turn.asides if "pell" in one.audience]
    assert dealt
    assert sum("known to nobody else" in text for text in told) == 1 + len(dealt)


def demanded(table: Table, book: Any, seat: str, rat: str) -> TableTurn:
    act = {"do": "say", "to": rat, "want": "leave", "approach": "threaten", "text": "Off with you!"}
    return performed(table, book, seat, "Off with you!", acts=[act])


def test_a_second_demand_in_a_later_round_is_harder_and_a_third_is_none() -> None:
    table, book, seat = fight()
    rat = table.cast.the("giant-rat-1")
    table = table.model_copy(update={"cast": table.cast.with_(rat.id, hp=1)})
    now = TableTurn(table, book)
    now.add(t.Tallied(key=f"fight:demand:{rat.id}"))

    def rolls(play: TableTurn) -> list[int]:
        return [one.dc for one in play.done if isinstance(one, h.Checked)]

    (first,), (second,) = (rolls(demanded(one, book, seat, rat.id)) for one in (table, now.table))
    assert second > first
    again = demanded(table, book, seat, rat.id)
    for used in (again, now):
        if used is now:
            used.add(t.Tallied(key=f"fight:demand:{rat.id}"))
        if used.table.cast.the(rat.id).present:
            third = demanded(used.table, book, seat, rat.id)
            assert [one.why for one in third.done if isinstance(one, t.Unmoved)] == ["again"]


def test_who_lies_senseless_hears_no_demand() -> None:
    table, book, seat = fight()
    nap = Effect(key="sleep", conditions=("incapacitated", "prone", "unconscious"), wakes=True)
    cast = table.cast.with_("giant-rat-1", effects=(nap,))
    play = demanded(table.model_copy(update={"cast": cast}), book, seat, "giant-rat-1")
    assert [one.why for one in play.done if isinstance(one, t.InVain)] == ["deaf"]


def test_what_others_have_asked_meanwhile_is_not_open_any_more() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    texts, flags = ("asks about the bell", "hums a tune"), ("talk:brenna-bell", "")
    play.add(t.LeftUndone(seat="pell", texts=texts, settled=flags, why="later"))
    play.add(t.LeftUndone(seat="pell", texts=("waves",), why="later"))
    assert play.table.undone("pell") == (*texts, "waves")
    now = play.table.expedition
    heard = now.model_copy(update={"flags": (*now.flags, "talk:brenna-bell")})
    after = play.table.model_copy(update={"expedition": heard})
    assert after.undone("pell") == ("hums a tune", "waves")


def test_how_things_stand_elsewhere_is_shown_where_a_player_names_it() -> None:
    table, book = inn()
    play = TableTurn(table, book)
    play.add(t.DetailEstablished(text="a ladder leans on the mill", place="mill", author="pell"))
    assert canon_of(play.table, "pell") == []
    assert canon_of(play.table, "pell", "is the ladder still there?")


def test_companions_answer_before_a_deed_that_may_go_wrong() -> None:
    table, book = inn()
    acts = (
        Act(do="say", to="pell", want="know", text="Is it trapped?"),
        Act(do="check", skill="athletics", text="kicks the door"),
    )
    now = Performance(TableTurn(table, book), "thorin", "Is it trapped? I kick the door")
    assert [act.do for act in begin(now, Reading(acts=acts))] == ["check"]
    assert now.heard


def test_short_words_of_a_question_about_the_pack_name_no_other_line() -> None:
    table, book = situation("fr", "inn", "pell")
    words = "Qu'est-ce que j'ai dans mon sac ?"
    about = p.Consulted(seat="pell", topic="sheet", about=words, asked=True)
    assert answer_of([about], table, book).passage.startswith("Porte")


def test_words_to_one_are_not_repeated_to_another_for_a_contraction() -> None:
    message = '"Nobody moves!" I hiss, and to the dog: "Easy, lad. You had a house, didn\'t you?"'
    own = "Easy, lad. You had a house, didn't you?"
    assert spoken(message, "Easy, lad. You had a house, did you not?") == own
