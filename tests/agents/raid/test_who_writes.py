"""Who writes, which side is meant, and which evening: said anywhere in a message."""

from __future__ import annotations

import pytest
from tests.agents.raid.test_answered_numbers import ERA, FRACTILLUS, NAXX, dialogue, nights
from tests.agents.raid.test_asked_of_whom import LEGION

from ruleplay.agents.raid.domain.questions import read, unintroduced

BATTLEGROUND = "wrath_3.4.0_battleground.txt"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hello, c'est Ragyo. j'ai fait combien", "Ragyo"),
        ("this is Nule. what did I do on heigan", "Nule"),
        ("hey Gulag here, how were my heals", "Gulag"),
        ("what did I (Morka) do wrong", "Morka"),
        ("when did I, Pingu, die", "Pingu"),
        ("qui m'a soigné moi Watary", "Watary"),
        ("Lutoscs (me): did I wipe us", "Lutoscs"),
        ("et Klownalino (moi) il a tenu ?", "Klownalino"),
        ("hunter here. how was I", "Lutoscs"),
        ("is the hunter here?", ""),
        ("c'est Watary qui a pull ?", ""),
        ("tell me, Watary, what happened", ""),
        ("non c'est Watary, je crois", ""),
        ("is Gulag here?", ""),
    ],
)
def test_the_writer_is_who_a_message_says_anywhere(text: str, name: str) -> None:
    assert read(text, nights(NAXX).overview("", "")).myself == name


def test_a_name_set_off_behind_its_pronoun_is_left_out() -> None:
    assert unintroduced("when did I, Pingu, die", "Pingu") == "when did I die"
    assert unintroduced("when did Pingu die", "Pingu") == "when did Pingu die"
    assert unintroduced("when did I, Pingu, die", "") == "when did I, Pingu, die"


@pytest.mark.timeout(120)
def test_who_writes_stays_for_the_talk() -> None:
    first, then = dialogue(NAXX, "yo c'est nule. mes dégâts sur loatheb ?", "et sur heigan ?")
    assert "Nule (toi)" in first
    assert "Nule (toi)" in then
    (died,) = dialogue(BATTLEGROUND, "how often was I, Sige, killed, and by whom?")
    assert died.startswith("**3 deaths: Sige (you) at 2:41, of Flame Shock")


@pytest.mark.timeout(120)
def test_what_the_other_side_did_to_ours_is_told_by_who_did_it() -> None:
    (hurt,) = dialogue(BATTLEGROUND, "which of their players hurt us the most, damage wise?")
    assert hurt.startswith("**Декрус did the most damage: 110,857")
    assert "Halflight" not in hurt
    (took,) = dialogue(BATTLEGROUND, "who took the most damage on their side?")
    assert took.startswith("**Криксен took the most damage")
    (healed,) = dialogue(BATTLEGROUND, "leur meilleur soigneur, c'était qui ?")
    assert healed.startswith("**Сашакриминал a le plus soigné")


@pytest.mark.timeout(120)
def test_deaths_are_of_the_side_that_is_said_to_be_killed() -> None:
    (none,) = dialogue(BATTLEGROUND, "did we manage to kill any of theirs?")
    assert none.startswith("**No. No opponent died")
    (some,) = dialogue(BATTLEGROUND, "did they kill any of ours?")
    assert some.startswith("**Yes. 18 deaths")


@pytest.mark.timeout(120)
def test_the_last_evening_of_a_difficulty_is_all_its_pulls() -> None:
    told, most, first = dialogue(
        LEGION,
        "how did our last heroic evening go",
        "which bosses took us the most pulls",
        "on coven, does the same one always die first?",
    )
    assert told.startswith("**Heroic 3/5: 17 pulls, 7 kills")
    assert "The Coven of Shivarra (heroic): 4 wipes" in most
    assert "Eonar" not in most
    assert "The Coven of Shivarra heroic, over 4 pulls" in first


@pytest.mark.timeout(120)
def test_misspelt_words_of_a_pull_are_no_creatures() -> None:
    (told,) = dialogue(LEGION, "how many trys for varimathras on herioc")
    assert told.startswith("**Varimathras: 4 pulls, 1 kill, 2 wipes, 1 reset")
    assert "Sentry" not in told


@pytest.mark.timeout(120)
def test_of_two_questions_the_second_is_answered_though_the_first_was() -> None:
    _, told = dialogue(FRACTILLUS, "who potted?", "healthstones? and who used bloodlust")
    assert told.startswith("**Healthstone: nothing of that kind")
    assert "Bloodlust was used once: Brunix" in told


@pytest.mark.timeout(120)
def test_who_is_better_than_the_writer_at_that_goes_on_with_that() -> None:
    _, told = dialogue(
        NAXX, "gulag here. how much do I overheal?", "does inwaves do better than me at that?"
    )
    assert told.startswith("**Gulag (you) overhealed more than Inwaves")


@pytest.mark.timeout(120)
def test_the_lead_asked_for_besides_does_not_change_what_is_asked() -> None:
    (told,) = dialogue(ERA, "who did the most damage and by how much")
    assert told.startswith("**Flakeshock did the most damage: 89,076")
    assert "took" not in told
