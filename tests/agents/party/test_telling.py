"""How a game reads: whole adventures in both languages, and single turns of a fight."""

from __future__ import annotations

import doctest
import re
from itertools import pairwise
from random import Random

import pytest
from tests.agents.party.gatherings import laid
from tests.agents.party.hearing import situation

from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.happenings import AttackRolled
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tactics import choose_venture
from ruleplay.agents.party.domain.texts import Lang, Text
from ruleplay.agents.party.domain.turns import fight_on, fight_turn, take
from ruleplay.agents.party.policy import grammar
from ruleplay.agents.party.policy.claims import check_of
from ruleplay.agents.party.policy.report import tell_events
from ruleplay.agents.party.policy.telling import Telling, claim
from ruleplay.agents.party.policy.templates import rendered
from ruleplay.agents.party.state import event_of
from ruleplay.foundation.claims import Claim, Fact

SENTENCE = re.compile(r"[^.!?…]+[.!?…]+(?:[”»\"]| »)?")
WRONG = {
    "en": re.compile(r"\b1 (?:hit points|experience points|gold pieces)\b|\ba [aeiou]\w+ing\b"),
    "fr": re.compile(r"\b[dD]e les? |\bà les? |\b1 points\b|\b[dD]e [aeéiou]\w"),
}
RAW = re.compile(r"[{}\[\]|]|\b[a-z]+(?:-[a-z]+)*-\d+\b")
"""What belongs to templates or ids and must never be read."""


def told(turn: TableTurn) -> Telling:
    """Return what a turn has to tell."""
    return tell_events(turn.began, [event_of(one) for one in turn.done], turn.book)


def words(turn: TableTurn) -> str:
    """Return a turn as it is read."""
    return rendered(told(turn).blocks, "")


def played(adventure: str, lang: Lang, seed: int, turns: int = 400) -> list[str]:
    """Play an adventure as the table's own policy does, and return what was told, turn by turn."""
    state, book = laid(seed, adventure=adventure, lang=lang)
    table, chance, replies = state.table, Random(seed), []
    for _ in range(turns):
        if table.mode == "ended":
            break
        turn, seat = TableTurn(table, book), table.current_turn
        if table.cast.fight and seat == DM:
            fight_on(turn)
        elif table.cast.fight:
            fight_turn(turn, seat)
        elif chosen := choose_venture(table, book, seat, chance):
            assert chosen in choices(table, book, seat)
            take(turn, seat, chosen)
        turn.finish(seat)
        replies.append(words(turn))
        table = turn.table
    assert table.mode == "ended", "the adventure does not end"
    return replies


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("adventure", ["drowned-bell", "glass-orchard"])
@pytest.mark.parametrize("seed", [1, 2])
def test_an_adventure_reads_well_from_beginning_to_end(
    adventure: str, lang: Lang, seed: int
) -> None:
    for reply in played(adventure, lang, seed):
        assert not RAW.search(reply), reply
        for paragraph in reply.split("\n\n"):
            said = [one.strip() for one in SENTENCE.findall(paragraph)]
            assert all(a != b for a, b in pairwise(said)), paragraph
            if not {"“", "«", '"'} & set(paragraph):  # what authors wrote is theirs
                assert not WRONG[lang].search(paragraph), paragraph


@pytest.mark.parametrize(
    ("lang", "asleep"),
    [("en", "fall asleep"), ("fr", "s'endorment")],
)
def test_one_cause_is_told_once_for_everybody(lang: str, asleep: str) -> None:
    table, book = situation(lang, "fight", "zephrine")
    turn = TableTurn(table, book)
    rats = ("giant-rat-1", "giant-rat-2")
    cast = Intent(act="cast", what="sleep", target=rats[0], targets=rats)
    assert turn.step("zephrine", cast) is None
    facts = told(turn).facts
    sleeping = [one for one in facts if asleep in one.says]
    assert len(sleeping) == 1
    assert {(c.kind, c.subject[-1]) for c in sleeping[0].claims} >= {
        ("unconscious", "1"),
        ("unconscious", "2"),
        ("prone", "1"),
    }
    assert not any("incapacitated" in one.says or "neutralis" in one.says for one in facts)


@pytest.mark.parametrize(
    ("lang", "wakes"), [("en", "wakes, still lying prone"), ("fr", "se réveille, toujours à terre")]
)
def test_who_is_hurt_in_their_sleep_wakes_and_lies_prone(lang: str, wakes: str) -> None:
    table, book = situation(lang, "fight", "zephrine")
    cast = table.cast.with_("giant-rat-1", hp=5).with_("giant-rat-2", hp=40, max_hp=40)
    turn = TableTurn(table.model_copy(update={"cast": cast}), book)
    sleep = Intent(act="cast", what="sleep", target="giant-rat-1", targets=("giant-rat-1",))
    assert turn.step("zephrine", sleep) is None
    asleep = turn.table
    assert asleep.cast.the("giant-rat-1").has("unconscious")
    awake = TableTurn(
        asleep.model_copy(update={"cast": asleep.cast.with_("giant-rat-1", hp=60)}), book
    )
    missile = Intent(act="cast", what="magic-missile", target="giant-rat-1")
    assert awake.step("zephrine", Intent(act="end")) is None
    while awake.table.cast.fight and awake.table.cast.fight.actor != "zephrine":
        assert awake.step(awake.table.cast.fight.actor, Intent(act="end")) is None
    fresh = TableTurn(awake.table, book)
    assert fresh.step("zephrine", missile) is None
    rat = fresh.table.cast.the("giant-rat-1")
    assert rat.conditions == ("prone",)
    assert wakes in words(fresh)


@pytest.mark.parametrize(
    ("lang", "true", "lies"),
    [
        (
            "en",
            ("Bless is upon Thorin.", "Bless is upon Sunniva, Thorin and Zephrine."),
            (
                "Bless is upon Pell.",
                "Although it hardly matters, bless is upon Thorin and Pell.",
                "- Bless is not upon Sunniva, Thorin and Zephrine",
                "Bless isn't upon Thorin.",
            ),
        ),
        (
            "fr",
            ("Bénédiction agit sur Sunniva.",),
            (
                "Bénédiction agit sur Pell.",
                "(Bénédiction agit sur Thorin et Pell.)",
                "Bénédiction n'agit pas sur Sunniva.",
            ),
        ),
    ],
)
def test_whom_a_spell_is_upon_is_checked(
    lang: str, true: tuple[str, ...], lies: tuple[str, ...]
) -> None:
    table, book = situation(lang, "fight", "sunniva")
    turn = TableTurn(table, book)
    friends = ("sunniva", "thorin", "zephrine")
    bless = Intent(act="cast", what="bless", target="sunniva", targets=friends)
    assert turn.step("sunniva", bless) is None
    facts, check = told(turn).facts, check_of(table, turn.table, book)
    assert [check(one, facts).problems for one in true] == [()] * len(true)
    assert all(check(one, facts).problems for one in lies)


@pytest.mark.parametrize(
    ("claimed", "true", "lies"),
    [
        (
            claim("unconscious", "giant rat 1"),
            ("Giant rat 1 falls asleep.", "Le rat géant 1 s'endort."),
            ("They say it quietly: Le Zephrine s'endort.", "Giant rat 9 falls asleep."),
        ),
        (
            claim("dies", "giant rat 1"),
            ("Giant rat 1 dies.",),
            ("Giant rat 1 survives!", "Le rat géant 1 est toujours en vie.", "Giant rat 9 dies."),
        ),
        (
            claim("kills", "giant rat 4", "", "Sunniva"),
            ("Giant rat 4 kills Sunniva.", "Sunniva is slain by giant rat 4."),
            ("Giant rat 4 is slain by Sunniva.", "Giant rat ４ is killed by Sunniva."),
        ),
        (
            claim("stable", "Sunniva"),
            ("Sunniva is stable.", "Sunniva est hors de danger."),
            ("While the wind howls outside, Sunniva is not stable.", "Pell is stable."),
        ),
        (
            claim("harm", "giant rat 1", 7, "Pell"),
            ("Giant rat 1 deals 7 damage to Pell!", "Giant rat 1 deals Pell 7 damage."),
            ("Giant rat 7 deals 7 damage to Pell!", "Le rat géant 7 inflige 7 dégâts à Pell."),
        ),
        (
            claim("difficulty", "Sunniva", 10),
            ("Sunniva faces a difficulty of 10.",),
            ("## Sunniva est contre one et résiste", "Sunniva faces a difficulty of one."),
        ),
    ],
)
def test_a_claim_passes_for_whom_it_is_of_and_not_denied(
    claimed: Claim, true: tuple[str, ...], lies: tuple[str, ...]
) -> None:
    table, book = situation("en", "fight", "thorin")
    facts, check = [Fact(id="f", says=".", claims=(claimed,))], check_of(table, table, book)
    assert [check(one, facts).problems for one in true] == [()] * len(true)
    assert [one for one in lies if not check(one, facts).problems] == []


@pytest.mark.parametrize(
    ("lang", "true", "lies"),
    [
        (
            "en",
            ("Giant rat 1 dodges Thorin.", "Now Thorin misses giant rat 1."),
            ("Giant rat 1 misses Thorin.", "Thorin dodges giant rat 1."),
        ),
        (
            "fr",
            ("Le rat géant 1 esquive Thorin.",),
            ("Le rat géant 1 manque Thorin.", "**Thorin esquive l'attaque du rat géant 1.**"),
        ),
    ],
)
def test_who_misses_and_who_dodges_is_checked(
    lang: str, true: tuple[str, ...], lies: tuple[str, ...]
) -> None:
    table, book = situation(lang, "fight", "thorin")
    for draw in range(60):
        cast = table.cast.model_copy(update={"draws": table.cast.draws + draw})
        turn = TableTurn(table.model_copy(update={"cast": cast}), book)
        assert turn.step("thorin", Intent(act="attack", target="giant-rat-1")) is None
        if not next(one for one in turn.done if isinstance(one, AttackRolled)).hit:
            break
    facts = [one.model_copy(update={"says": "."}) for one in told(turn).facts]
    check = check_of(table, turn.table, book)
    assert [check(one, facts).problems for one in true] == [()] * len(true)
    assert all(check(one, facts).problems for one in lies)


def test_a_blow_is_one_sentence_that_carries_everything() -> None:
    table, book = situation("en", "fight", "thorin")
    for draw in range(60):
        cast = table.cast.model_copy(update={"draws": table.cast.draws + draw})
        turn = TableTurn(table.model_copy(update={"cast": cast}), book)
        assert turn.step("thorin", Intent(act="attack", target="giant-rat-1")) is None
        rolled = next(one for one in turn.done if isinstance(one, AttackRolled))
        if rolled.hit and not rolled.critical:
            break
    blow = told(turn).facts[0]
    kinds = {one.kind: one for one in blow.claims}
    assert set(kinds) == {"hit", "weapon", "harm"}
    assert f"{kinds['harm'].value} damage" in blow.says
    assert "with a longsword" in blow.says


@pytest.mark.parametrize(
    ("names", "lang", "said"),
    [
        (("giant rat 3", "giant rat 1"), "en", "giant rats 1 and 3"),
        (("rat géant 1", "rat géant 2", "Pell"), "fr", "les rats géants 1 et 2 et Pell"),
        (("goule",), "fr", "la goule"),
        (("ours noir",), "fr", "l'ours noir"),
        (("hobgobelin 1",), "fr", "le hobgobelin 1"),
        (("the sexton", "thug"), "en", "the sexton and the thug"),
        (("wolf 1", "wolf 2"), "en", "wolves 1 and 2"),
    ],
)
def test_beings_are_named_as_sentences_have_them(
    names: tuple[str, ...], lang: Lang, said: str
) -> None:
    assert grammar.several(names, lang) == said


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("les dégâts de le loup", "les dégâts du loup"),
        ("à les rangs du bas", "aux rangs du bas"),
        ("le coup de Anna", "le coup d'Anna"),
        ("à la crypte de l'île", "à la crypte de l'île"),
    ],
)
def test_french_runs_together_what_belongs_together(text: str, read: str) -> None:
    assert grammar.contracted(text) == read


@pytest.mark.parametrize(
    ("name", "gender", "lang", "said"),
    [
        (Text(en="axe", fr="hache"), "f", "en", "an axe"),
        (Text(en="axe", fr="hache"), "f", "fr", "une hache"),
        (Text(en="bite", fr="morsure"), "", "fr", "une morsure"),
        (Text(en="claws", fr="griffes"), "", "en", "claws"),
        (Text(en="claws", fr="griffes"), "", "fr", "des griffes"),
    ],
)
def test_things_take_their_article(name: Text, gender: str, lang: Lang, said: str) -> None:
    assert grammar.indefinite(name, lang, gender) == said


@pytest.mark.parametrize(
    ("noun", "lang", "many"),
    [
        ("potion of healing", "en", "potions of healing"),
        ("potion de soins", "fr", "potions de soins"),
        ("carreau", "fr", "carreaux"),
        ("arc court", "fr", "arcs courts"),
        ("torch", "en", "torches"),
    ],
)
def test_plurals(noun: str, lang: Lang, many: str) -> None:
    assert grammar.plural(noun, lang) == many


def test_the_examples_of_the_grammar_hold() -> None:
    assert doctest.testmod(grammar).failed == 0
