"""What is out is told to all in words for all, and a rest that all take counts for all."""

from __future__ import annotations

import pytest
from tests.agents.party.gatherings import laid
from tests.agents.party.test_handed_over import at
from tests.agents.party.test_improvising import done, inn

from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings.creatures import FeatureUsed, SlotSpent
from ruleplay.agents.party.domain.happenings.exploration import SecretDealt, SecretRevealed
from ruleplay.agents.party.domain.happenings.tale import Followed, Yielded
from ruleplay.agents.party.domain.knowledge import known
from ruleplay.agents.party.domain.staging import roster
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.acting import as_events
from ruleplay.agents.party.nodes.telling import rows_of
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.story.beats import Beat
from ruleplay.story.texts import Text


def test_a_secret_that_is_out_speaks_to_nobody_as_its_keeper() -> None:
    table, book = at("gate")
    play = TableTurn(table, book)
    for key, secret in book.story.secrets.items():
        play.add(SecretDealt(secret=key, who="thorin", audience=("thorin",)))
        if secret.revealed:
            play.add(SecretRevealed(secret=key, who="thorin"))
    told = [one.text for one in known(play.table, book, "pell") if one.kind == "secret"]
    assert told
    assert not any(text.startswith("You") for text in told)


def test_companions_recover_in_the_rest_that_a_person_calls() -> None:
    state, book = laid(1, humans=["pell"])
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    play.add(SlotSpent(who="zephrine", level=1, left=0))
    play.venture("pell", Exploration(act="short_rest"))
    assert [one.who for one in play.done if isinstance(one, FeatureUsed)] == ["zephrine"]
    assert play.table.cast.the("zephrine").slots[0] == 1


def test_a_captive_who_was_left_behind_is_not_listed_in_other_places() -> None:
    for followers, listed in (((), False), (("wolf-1",), True)):
        table, book = at("terrace")
        play = TableTurn(table, book)
        play.add(Yielded(who="wolf-1", captive=Text(en="one-eared wolf", fr="loup borgne")))
        play.add(*(Followed(person=one) for one in followers))
        assert ("wolf-1" in roster(play.table, book, "thorin").beings) is listed
        assert play.table.name("wolf-1") == "one-eared wolf"


def test_no_voice_is_asked_for_what_the_book_says_alone() -> None:
    waits = Beat(id="b1", kind="other", who="thorin", must=False, says="")
    assert rows_of([waits, "“Good evening,” says the book."]) == ""
    assert rows_of([waits.model_copy(update={"says": "Thorin yawns"}), "“Good evening.”"])


@pytest.mark.parametrize(
    ("words", "sold"),
    [
        (
            "You told us of a lock of hair, Brenna. Did you keep it, or is it lost?",
            False,
        ),
        ("What do you ask for a lock?", True),
    ],
)
def test_a_ware_is_named_to_the_voice_only_where_it_is_asked_for(words: str, sold: bool) -> None:
    table, book = inn()
    say = {"do": "say", "to": "brenna", "want": "know", "text": words}
    play = done(table, book, "thorin", words, acts=[say])
    told = str(tell_events(table, as_events(play), book).blocks)
    assert ("sold here" in told) is sold
