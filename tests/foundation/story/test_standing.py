"""Acts that stand whatever else a reading names, and words that are speech."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from ruleplay.story import morale, undone
from ruleplay.story.acts import Act, Reading, Roster, hopeless, sound
from ruleplay.story.beats import Beat, Being, Item, Line, listed
from ruleplay.story.passage import Scene
from ruleplay.story.telling import Teller
from ruleplay.story.texts import Lang
from ruleplay.story.wording import in_own_words, spoken

HERE = Roster(
    beings=("maud", "grey-wolf"), seats=("thorin",), rules=("attack",), ways=("old-mill",),
    items=("hand-axe",), skills=("athletics",), clues=("clue-1",),
)  # fmt: skip


def stands(**fields: object) -> Act | None:
    return sound(Act.model_validate(fields), HERE)


def test_what_is_spelt_otherwise_is_what_was_listed() -> None:
    act = stands(do="rule", item="Attack", to="Grey Wolf", **{"with": "hand_axe"})
    assert act
    assert (act.item, act.to, act.with_) == ("attack", "grey-wolf", "hand-axe")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"do": "move", "to": "the moon", "text": "flies"}, "not_here"),
        ({"do": "rule", "item": "attack", "to": "nobody", "text": "hits"}, "not_here"),
        ({"do": "check", "skill": "juggling", "text": "juggles"}, "not_able"),
        ({"do": "check", "skill": "athletics", "with": "wings", "text": "flies"}, "not_carried"),
    ],
)
def test_what_cannot_be_found_is_in_vain(fields: dict[str, object], why: str) -> None:
    act = stands(**fields)
    assert act
    assert (act.do, act.vain, act.text) == ("vain", why, fields["text"])


def test_words_are_never_lost_nor_heard_by_more_than_were_meant() -> None:
    said = stands(do="say", to="nobody", want="leave", approach="threaten", text="Go away!")
    assert said
    assert (said.do, said.to, said.want, said.text) == ("say", "", "", "Go away!")
    whispered = stands(do="whisper", to="nobody", text="It is me.")
    assert whispered
    assert whispered.to == "dm"


def test_an_effect_on_nobody_costs_only_itself() -> None:
    effects = [{"kind": "harm", "who": "nobody"}, {"kind": "clue", "what": "clue-1"}]
    act = stands(do="check", skill="athletics", success=effects)
    assert act
    assert [one.kind for one in act.success] == ["clue"]


def test_only_a_reading_without_any_sound_act_is_refused() -> None:
    bad = {"do": "move", "to": "the moon", "text": "flies"}
    good = {"do": "flourish", "text": "looks up"}
    assert hopeless(Reading.model_validate({"acts": [bad]}), HERE)
    assert not hopeless(Reading.model_validate({"acts": [bad, good]}), HERE)
    assert hopeless(Reading(), HERE)


@pytest.mark.parametrize(
    ("message", "account", "said"),
    [
        ('I nod. "Good evening."', "Good evening.", "Good evening."),
        ('"Sit," I tell it, "and stay."', "Sit and stay.", "Sit and stay."),
        ("To all: you first, then me; and we go.", "You first, then me.", "You first, then me."),
        ("I ask Maud about her beer", "asks about the beer", ""),
        ("I say that I am tired and sit down by the fire", "I am tired", ""),
        ("I ask Maud to bless my flask", "bless my flask", ""),
        ("Je demande à Maud de compter les encoches", "compter les encoches", ""),
        ("Maud, bless my flask. I wait.", "Maud, bless my flask.", "Maud, bless my flask."),
    ],
)  # fmt: skip
def test_what_is_said_aloud_is_known_from_an_account_of_it(
    message: str, account: str, said: str
) -> None:
    assert spoken(message, account) == said


def test_words_that_stand_in_a_message_are_left_as_they_are() -> None:
    assert in_own_words("I go and look under it.", "I go and look under it") == (
        "I go and look under it"
    )


@pytest.mark.parametrize(
    ("message", "account", "own"),
    [
        (
            "(How far is it? Is there time?) If so: I row over to the mill.",
            "rows over to the mill",
            "If so: I row over to the mill.",
        ),
        (
            'I bow to the miller. "Mind the wheel and the dog. Will you?" Then I climb the stair '
            "and knock at the attic door.",
            "climbs up the stair and knocks on the attic door",
            "Then I climb the stair and knock at the attic door.",
        ),
        (
            "Je salue le meunier. « La roue et le chien, hein ? » Je monte l'escalier et je frappe "
            "à la porte du grenier.",
            "monte l'escalier et frappe à la porte du grenier",
            "Je monte l'escalier et je frappe à la porte du grenier.",
        ),
        (
            "I nock an arrow on the string and take aim at the left leg of the wolf, and wait.",
            "nocks an arrow and aims at the wolf's left leg, and waits for what it does",
            "I nock an arrow on the string and take aim at the left leg of the wolf, and wait.",
        ),
    ],
)
def test_what_is_quoted_begins_and_ends_with_what_it_is_about(
    message: str, account: str, own: str
) -> None:
    assert in_own_words(message, account) == own


@pytest.mark.parametrize(
    ("lang", "text", "shown"),
    [
        ("en", 'shout "Stop!" and run', "“shout ‘Stop!’ and run”"),
        ("fr", "crier « Halte ! » et courir", "«\u00a0crier “Halte !” et courir\u00a0»"),
    ],
)
def test_what_is_quoted_has_other_marks_within(lang: Lang, text: str, shown: str) -> None:
    assert shown in undone.told((text,), "turn", lang)


def test_what_is_left_is_said_whole_and_why() -> None:
    assert undone.told(("rest an hour", "eat"), "later", "en") == (
        "Kept for your turn: “rest an hour”, “eat”."
    )
    for why in get_args(undone.Undone):
        assert "eat" in undone.told(("eat",), why, "en").casefold()
    assert undone.told(("Halla waits", "nobody stirs."), "hangs", "en") == (
        "Halla waits. Nobody stirs."
    )


def test_a_gentle_voice_is_a_reason_to_a_beast_alone() -> None:
    wolf = morale.Plight(nature="beast", hp=10, max_hp=10, friends=2)
    guard = wolf.model_copy(update={"nature": "steady"})
    assert morale.demanded(wolf, "leave", threat=False, coin=0) is None
    assert morale.demanded(wolf, "leave", threat=False, coin=0, gentle=True) == "hard"
    assert morale.demanded(guard, "leave", threat=False, coin=0, gentle=True) is None
    assert morale.demanded(guard.model_copy(update={"calmed": True}), "leave", threat=False, coin=0)


@pytest.mark.parametrize(("told", "lines"), [("She nods slowly at him [b1].", 0), ("No.", 1)])
def test_an_echo_stands_only_where_no_prose_shows_it(told: str, lines: int) -> None:
    line = Line(items=(Item(kind="text", text="nods"),))
    beat = Beat(id="b1", kind="other", says="nods", line=line, echo=True)
    shown: list[str] = []
    teller = Teller((beat,), Scene(), shown.append)
    teller.hear(told)
    teller.close()
    assert sum("›" in one for one in shown) == lines


ANSWERS = (
    Beat(id="b1", kind="say", who="ada", says="ada may answer", passage="A stock line.", echo=True),
    Beat(id="b2", kind="other", who="bob", says="bob sits down", echo=True),
)
AROUND = Scene(beings=(Being(id="ada", names=("Ada",)), Being(id="bob", names=("Bob",))))


@pytest.mark.parametrize(
    ("told", "stock"),
    [
        ("Bob sits down by the fire. [b2]\n\n“Late,” says Ada to him. [b1]", 0),
        ("Bob sits down by the fire. [b2]\n\n“Late,” says Ada to nobody at all.", 0),
        ("Bob sits down by the fire. [b2]\n\nThe fire smokes.", 1),
    ],
)
def test_an_answer_is_told_once_and_the_tellers_own_where_it_has_one(told: str, stock: int) -> None:
    shown: list[str] = []
    teller = Teller(ANSWERS, AROUND, shown.append)
    teller.hear(told)
    teller.close()
    assert "".join(shown).count("A stock line.") == stock


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (
            "The fire smokes, and someone coughs. Late Orsino walks in.",
            "The fire smokes, and someone coughs.",
        ),
        (
            "“I crossed it for years. Old Orsino drowned in it. The ferry is slow,” says Ada.",
            "“I crossed it for years. The ferry is slow,” says Ada.",
        ),
        (
            "“Poor Orsino drowned in it. Bob, you know that water.” Ada has stopped polishing now.",
            "“Bob, you know that water.” Ada has stopped polishing now.",
        ),
    ],
)
def test_a_paragraph_without_marks_loses_only_the_sentences_that_are_wrong(
    told: str, kept: str
) -> None:
    shown: list[str] = []
    teller = Teller(ANSWERS, replace(AROUND, unsaid=("Orsino",)), shown.append)
    teller.hear(told)
    assert teller.close().startswith(kept)
    assert teller.refusals


def test_what_an_author_wrote_is_listed_under_the_beat_that_it_follows() -> None:
    rows = listed(ANSWERS, {"b2": "The chair is wet."}).split("\n")
    assert "The chair is wet." in rows[1]
