"""What code prints beside a model's prose: speakers, labels, prices, reasons, and no idle calls."""

from __future__ import annotations

import pytest
from tests.agents.party.conftest import Open
from tests.agents.party.gatherings import laid
from tests.agents.party.models import Able
from tests.agents.party.test_improvising import done, fight, inn

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.foes import told_apart
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.mastering import npc
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.policy.answering import person_says, taken_up
from ruleplay.agents.party.policy.replies import distances
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.kernel.replay import replay
from ruleplay.story.beats import printed
from ruleplay.story.texts import Text, words_of


def at_the_inn(lang: str) -> tuple[Table, Book]:
    """Return a table at the inn, once the story has begun."""
    state, book = laid(1, lang=lang)
    play = TableTurn(state.table, book)
    assert play.venture("dm", Exploration(act="begin")) is None
    play.finish("dm")
    return play.table, book


def read(play: TableTurn) -> str:
    """Return what a turn prints without a model."""
    told = tell_events(play.began, as_events(play), play.book).laid_out()
    return "\n\n".join(one if isinstance(one, str) else printed((one,)) for one in told)


@pytest.mark.parametrize(
    ("lang", "who", "words", "shown"),
    [
        (
            "fr",
            "jory",
            "Le vin est bon, le vôtre.",
            "le vieux Jory : « Le vin est bon, le vôtre. »",
        ),
        ("fr", "jory", "Un vieux pied ne bouge pas.", "le vieux Jory : « Un vieux pied"),
        ("fr", "brenna", "Je ferme à minuit.", "Brenna Tolk : « Je ferme à minuit. »"),
        ("en", "jory", "An old foot stays where it is.", "Jory: “An old foot stays"),
        (
            "fr",
            "jory",
            "Jory secoue la tête, sans un mot.",
            "\n\nJory secoue la tête, sans un mot.",
        ),
        ("en", "brenna", "Brenna wipes the counter.", "\n\nBrenna wipes the counter."),
    ],
)
def test_what_a_person_says_has_their_name_and_quotation_marks(
    lang: str, who: str, words: str, shown: str
) -> None:
    table, book = at_the_inn(lang)
    play = TableTurn(table, book)
    npc(play, who, "speaks", words, "")
    assert shown in f"\n\n{read(play)}".replace("\u00a0", " ")


def test_marks_that_tell_foes_apart_fit_what_they_are() -> None:
    name = Text(en="skeleton", fr="squelette")
    dead = [told_apart(name, at, "undead") for at in range(12)]
    rats = [told_apart(name, at, "beast") for at in range(12)]
    iron = [told_apart(name, at, "construct") for at in range(12)]
    for one in (dead, rats, iron):
        assert len({each.en for each in one}) == len({each.fr for each in one}) == 12
    flesh = ("oreille", "échine", "maigre", "museau", "tempes", "ear", "lean")
    assert any(word in each.fr for each in rats for word in flesh)
    assert not any(word in text for each in (*dead, *iron) for text in each.both for word in flesh)


def test_who_was_left_asleep_in_an_earlier_fight_has_no_distance_in_this_one() -> None:
    table, *_ = fight()
    left = table.cast.the("giant-rat-1")
    asleep = left.model_copy(update={"id": "giant-rat-9", "name": Text(en="sleeper", fr="dormeur")})
    cast = table.cast.model_copy(update={"creatures": (*table.cast.creatures, asleep)})
    now = table.model_copy(update={"cast": cast})
    rows = "\n".join(distances(now, now.party))
    assert left.name.of(table.lang) in rows
    assert "sleeper" not in rows


@pytest.mark.parametrize(
    ("lang", "words", "priced"),
    [
        ("fr", "Quel est le prix d'une torche et d'un pichet de vin ?", True),
        ("fr", "Du vin ?", True),
        ("fr", "Vous vendez de la corde, ici ?", True),
        ("en", "What would a rope cost me?", True),
        ("en", "Do you have any rope?", True),
        ("fr", "Grand-père, qu'est-ce que votre corde a remonté du fond ?", False),
        ("fr", "Qui a coupé la corde de la cloche ?", False),
        ("en", "Who cut the rope of the bell that night?", False),
        ("en", "Why do you keep your foot on that rope?", False),
    ],
)
def test_prices_are_told_to_whoever_asks_for_them(lang: str, words: str, priced: bool) -> None:
    table, book = at_the_inn(lang)
    said = person_says("brenna", words, table, book)
    coins = [one for one in (" po", " pa", " gp", " sp") if one in said]
    assert bool(coins) is priced, said
    assert priced or taken_up(words, table, book) != "brenna"


@pytest.mark.parametrize("item", ["a piece of cheese", "cheese", "fromage"])
def test_what_is_not_carried_is_quoted_and_not_the_sentence(item: str) -> None:
    table, book = inn()
    said = "I turn out my pockets: surely I have a piece of cheese, and I throw it far away."
    act = {"do": "vain", "vain": "not_carried", "item": item, "text": "turns out her pockets"}
    play = done(table, book, table.current_turn, said, acts=[act])
    (vain,) = [one for one in play.done if isinstance(one, t.InVain)]
    assert (vain.text == item) is (item in said)


def test_what_is_left_undone_is_told_as_it_was_read_and_to_a_whole_word() -> None:
    table, book, seat = fight()
    said = "So: to the mill, round them if they wake - I toss 'em my gloves. 'Quiet now!'"
    other = next(one for one in table.characters if one != seat)
    long = f"goes round them {'one after another ' * 14}until the morning comes"
    acts = [{"do": "rule", "item": "dash", "text": text} for text in ("runs for the mill", long)]
    play = done(table, book, other, said, acts=acts)
    (left,) = [one for one in play.done if isinstance(one, t.LeftUndone)]
    assert left.texts[0] == "runs for the mill"
    assert left.texts[1].endswith(" …")
    assert {*words_of(left.texts[1])} <= {*words_of(long)}


@pytest.mark.parametrize(
    ("kind", "tried", "why"),
    [
        ("undead", False, "nature"),
        ("humanoid", False, "reason"),
        ("humanoid", True, "reason"),
    ],
)
def test_a_refusal_without_a_roll_has_its_reason(kind: str, tried: bool, why: str) -> None:
    table, book, seat = fight()
    rat = table.cast.the("giant-rat-1")
    table = table.model_copy(update={"cast": table.cast.with_(rat.id, type=kind)})
    act = {"do": "say", "to": rat.id, "want": "yield", "text": "Lay down your arms!"}
    began = TableTurn(table, book)
    if tried:
        began.add(t.Tallied(key=f"fight:demand:{rat.id}"))
    play = done(began.table, book, seat, "Lay down your arms!", acts=[act])
    unmoved = [one for one in play.done if isinstance(one, t.Unmoved)]
    assert [one.why for one in unmoved] == [why]
    assert "no roll" in read(play)


def test_the_fallen_of_a_flight_are_told_to_be_carried_along() -> None:
    table, book, _ = fight()
    cast = table.cast
    for one in table.party:
        gone = {"gone": True} if one.id == "sunniva" else {"hp": 0}
        cast = cast.with_(one.id, **gone)
    over = h.FightOver(key="rats", outcome="fled", rounds=2)
    before = table.model_copy(update={"cast": cast})
    play = TableTurn(before, book)
    play.done.append(over)
    fallen = [one.name.en for one in before.party if one.id != "sunniva"]
    assert f"carries {', '.join(fallen)} along" in read(play)


async def test_where_there_is_nothing_to_tell_the_voice_is_not_asked(room: Open) -> None:
    model = Able()
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        for _ in range(3):
            turn = await session.turn(action={"do": "play"})
            seat = str((await session.view("thorin"))["current_turn"])
            if seat == "thorin":
                turn = await session.turn("…", seat="thorin")
            assert turn.reply
        voiced = [text for role, text in model.asked if role == "party.dm.voice"]
        assert all("[b" in text or "the book says" in text for text in voiced)
        assert (await replay(session.host, session.id)).identical


async def test_words_in_a_fight_leave_the_turn_and_say_so(room: Open) -> None:
    table = await room("1", humans=["thorin"])
    await table.plays(1)
    await table.says("I go to the causeway", "thorin")
    for _ in range(12):
        view = await table.view()
        mine = view["current_turn"] == "thorin"
        if mine and view["mode"] == "combat":
            break
        await (table.says("I attack the rats", "thorin") if mine else table.plays(1))
    turn = await table.says('"Hold on, all of you!"', "thorin")
    assert not any(event["type"] == "Acted" for event in turn.events)
    assert any("It is your turn" in aside.text for aside in turn.asides)


async def test_a_model_that_tells_what_a_seller_says_has_the_price(room: Open) -> None:
    asked = "Brenna, what does a rope cost?"
    model = Able({asked: {"acts": [{"do": "say", "to": "brenna", "text": asked}]}})
    table = await room("1", model="able", humans=["thorin"])
    async with table.session(model) as session:
        await session.turn(action={"do": "play"})
        await session.turn(asked, seat="thorin")
    voiced = [text for role, text in model.asked if role == "party.dm.voice"]
    assert any("1 gp" in text.partition("Beats:")[2] for text in voiced)
