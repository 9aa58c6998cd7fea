"""What everyone does when nobody decides for them, and that it makes fights fair."""

from __future__ import annotations

import pytest
from tests.agents.party.hearing import situation
from tests.agents.party.heroes import foe
from tests.samples import sample, some

from ruleplay.agents.party.bench.journeys import journeys
from ruleplay.agents.party.bench.odds import odds
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.tactics import wishes
from ruleplay.agents.party.state import Config


def wanted(table: Table, book: Book, who: str) -> list[Intent]:
    """Return what somebody would do, the most wanted first."""
    return list(wishes(table, book, who))


def with_(table: Table, *changed: Creature) -> Table:
    """Return the table with creatures in the place of those of the same id."""
    new = {one.id: one for one in changed}
    creatures = tuple(new.get(one.id, one) for one in table.cast.creatures)
    cast = table.cast.model_copy(update={"creatures": creatures})
    return table.model_copy(update={"cast": cast})


def asleep(table: Table, book: Book, *rats: str) -> Table:
    """Return the table with rats that a spell has put to sleep."""
    from ruleplay.agents.party.domain.creature import Effect

    effect = Effect(
        key="sleep", conditions=("unconscious", "incapacitated", "prone"), wakes=True, left=9
    )
    found = [table.cast.the(rat).model_copy(update={"effects": (effect,)}) for rat in rats]
    return with_(table, *found)


def test_sleep_is_cast_on_whom_it_can_reach_and_never_on_the_undead() -> None:
    table, book = situation("en", "fight", "zephrine")
    spells = [one for one in wanted(table, book, "zephrine") if one.what == "sleep"]
    assert spells[0].targets == ("giant-rat-1", "giant-rat-2", "giant-rat-3")
    dead = [foe("skeleton", f"giant-rat-{n}", position=5) for n in (1, 2, 3)]
    undead = with_(table, *dead)
    assert not [one for one in wanted(undead, book, "zephrine") if one.what == "sleep"]
    tough = with_(table, *(foe("ogre", f"giant-rat-{n}", position=5) for n in (1, 2, 3)))
    assert not [one for one in wanted(tough, book, "zephrine") if one.what == "sleep"]


def test_whoever_stands_is_struck_before_whoever_sleeps() -> None:
    table, book = situation("en", "fight", "thorin")
    first = next(one for one in wanted(asleep(table, book, "giant-rat-1"), book, "thorin")
                 if one.act == "attack")  # fmt: skip
    assert first.target == "giant-rat-2"


def test_the_last_slot_is_kept_for_who_falls() -> None:
    table, book = situation("en", "fight", "sunniva")
    up = with_(table, table.cast.the("pell").model_copy(update={"hp": 5}))
    one_slot = with_(up, up.cast.the("sunniva").model_copy(update={"slots": (1,)}))
    assert any(one.what == "bless" for one in wanted(up, book, "sunniva"))
    assert not any(one.what == "bless" for one in wanted(one_slot, book, "sunniva"))
    down = with_(table, table.cast.the("sunniva").model_copy(update={"slots": (1,)}))
    assert wanted(down, book, "sunniva")[0] == Intent(
        act="cast", what="healing-word", target="pell"
    )


def test_hands_are_left_free_while_somebody_has_a_word_for_the_fallen() -> None:
    table, book = situation("en", "fight", "thorin")
    assert not any(one.act == "stabilise" for one in wanted(table, book, "thorin"))
    spent = with_(table, table.cast.the("sunniva").model_copy(update={"slots": (0,)}))
    assert any(one.act == "stabilise" for one in wanted(spent, book, "thorin"))
    sinking = with_(table, table.cast.the("pell").model_copy(update={"failed": 2}))
    assert any(one.act == "stabilise" for one in wanted(sinking, book, "thorin"))


@pytest.mark.parametrize(("kind", "wakes"), [("bandit", True), ("giant-rat", False)])
def test_people_shake_their_sleeping_friends_and_beasts_do_not(kind: str, wakes: bool) -> None:
    table, book = situation("en", "fight", "thorin")
    people = with_(table, *(foe(kind, f"giant-rat-{n}", position=5) for n in (1, 2, 3)))
    sleeping = asleep(people, book, "giant-rat-1")
    shakes = [one for one in wanted(sleeping, book, "giant-rat-2") if one.act == "wake"]
    assert [one.target for one in shakes] == (["giant-rat-1"] if wakes else [])


def test_whoever_is_too_far_to_strike_runs() -> None:
    table, book = situation("en", "fight", "thorin")
    far = with_(table, table.cast.the("giant-rat-3").model_copy(update={"position": 95}))
    acts = [one.act for one in wanted(far, book, "giant-rat-3")]
    assert acts.index("dash") < acts.index("dodge")


@pytest.mark.parametrize("adventure", ["drowned-bell", "glass-orchard"])
def test_first_fights_are_won_by_newcomers(adventure: str) -> None:
    first, *later = odds(Config(adventure=adventure), seeds=sample(12, 20))
    assert first.won >= 0.9, first
    assert all(one.won >= 0.65 for one in later), later


@pytest.mark.parametrize("adventure", ["drowned-bell", "glass-orchard"])
@pytest.mark.parametrize(
    ("characters", "least"),
    some([((), 0.6), (("thorin", "sunniva"), 0.6), (("thorin",), 0.35)], 2),
)
def test_adventures_are_fair_to_parties_of_any_size(
    adventure: str, characters: tuple[str, ...], least: float
) -> None:
    found = journeys(Config(adventure=adventure, characters=characters), seeds=10)
    assert found.survived >= least, found
    assert "none" not in found.endings
