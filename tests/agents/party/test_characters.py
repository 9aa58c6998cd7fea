"""Characters: legality by the rules, what is filled in, and the numbers of the creature."""

from __future__ import annotations

import pytest

from ruleplay.agents.party.adapters.character_source import (
    LARGEST,
    READY,
    party_of,
    read_character,
    read_sheet,
    shipped_sheets,
    written,
)
from ruleplay.agents.party.adapters.srd_source import shipped_rules
from ruleplay.agents.party.domain.character import STANDARD, CharacterSheet, sheet_problems
from ruleplay.agents.party.domain.creation import completed, hit_points, make_creature, raised
from ruleplay.agents.party.domain.terms import ABILITIES, CLASSES
from ruleplay.agents.party.policy.refusals import problem_in_words, texts
from ruleplay.errors import NotFound, UserError

RULES = shipped_rules()
PLAIN = {"name": "Anna", "race": "human", "class": "fighter"}


def sheet(**changes: object) -> CharacterSheet:
    return CharacterSheet.model_validate({**PLAIN, **changes})


def reasons(one: CharacterSheet) -> list[str]:
    return [problem.reason for problem in sheet_problems(completed(one, RULES), RULES)]


@pytest.mark.parametrize("klass", CLASSES)
@pytest.mark.parametrize("level", range(1, 6))
def test_a_name_a_race_and_a_class_are_enough(klass: str, level: int) -> None:
    for race in RULES.races:
        one = completed(sheet(race=race, level=level, **{"class": klass}), RULES)
        assert sheet_problems(one, RULES) == (), (race, klass, level)
        made = make_creature(one, RULES)
        assert made.hp == made.max_hp > 0
        assert made.ac >= 10
        assert made.attacks
        assert made.level == sum(made.classes.values()) == level


SCORES = dict(zip(ABILITIES, STANDARD, strict=True))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "x"}, "bad_name"),
        ({"name": "An2a"}, "bad_name"),
        ({"name": "Dm"}, "reserved_name"),
        ({"name": "Table"}, "reserved_name"),
        ({"race": "ent"}, "no_race"),
        ({"class": "jester"}, "no_class"),
        ({"level": 6}, "no_level"),
        ({"level": 0}, "no_level"),
        ({"abilities": {"str": 15}}, "no_score"),
        ({"abilities": {**SCORES, "cha": 15}}, "not_standard"),
        ({"abilities": {**SCORES, "cha": 16}, "scores": "points"}, "score_range"),
        ({"abilities": dict.fromkeys(ABILITIES, 14), "scores": "points"}, "too_many_points"),
        ({"bonus": ["str"]}, "bonus_choice"),
        ({"improvements": ["str", "str"]}, "improvement_choice"),
        ({"skills": ["athletics"]}, "skill_count"),
        ({"skills": ["athletics", "athletics"]}, "skill_count"),
        ({"skills": ["athletics", "arcana"]}, "skill_foreign"),
        ({"expertise": ["athletics"]}, "expertise_count"),
        ({"fighting_style": "juggling"}, "no_style"),
        ({"class": "wizard", "fighting_style": "defense"}, "no_style"),
        ({"equipment": ["moon"]}, "no_item"),
        ({"class": "wizard", "equipment": ["chain-mail"]}, "not_proficient"),
        ({"class": "rogue", "equipment": ["shield"]}, "not_proficient"),
        ({"equipment": ["plate"]}, "too_dear"),
        ({"class": "wizard", "spells": ["wish-upon-a-star"]}, "no_spell"),
        ({"class": "wizard", "spells": ["cure-wounds"]}, "spell_foreign"),
        ({"class": "wizard", "spells": ["fireball"]}, "spell_too_high"),
        ({"class": "wizard", "spells": ["light", "light"]}, "spell_twice"),
        (
            {"class": "cleric", "spells": ["guidance", "light", "sacred-flame", "thaumaturgy"]},
            "cantrip_count",
        ),
        ({"spells": ["light"]}, "spell_foreign"),
    ],
)
def test_what_is_not_legal_is_named(changes: dict[str, object], reason: str) -> None:
    if reason == "cantrip_count" and "thaumaturgy" not in RULES.spells:
        changes = {**changes, "spells": _cantrips("cleric")}
    found = reasons(sheet(**changes))
    assert reason in found


def _cantrips(klass: str) -> list[str]:
    known = (k for k, one in RULES.spells.items() if not one.level and klass in one.classes)
    return list(known)


def test_every_problem_has_words_in_both_languages() -> None:
    for changes, reason in (({"race": "ent"}, "no_race"), ({"level": 9}, "no_level")):
        problem = next(p for p in sheet_problems(sheet(**changes), RULES) if p.reason == reason)
        for lang in ("en", "fr"):
            assert "{" not in problem_in_words(problem, lang)
    for text in texts("sheet").values():
        assert text.en != text.fr


@pytest.mark.parametrize(
    ("die", "level", "con", "extra", "hp"),
    [(10, 1, 2, 0, 12), (10, 2, 2, 0, 20), (6, 1, -1, 0, 5), (6, 5, 1, 0, 27), (8, 3, 1, 1, 24)],
)
def test_hit_points_are_the_die_and_then_its_average(
    die: int, level: int, con: int, extra: int, hp: int
) -> None:
    assert hit_points(die, level, con, extra) == hp


@pytest.mark.parametrize("klass", CLASSES)
def test_rising_makes_what_making_would_have(klass: str) -> None:
    """A character who rose to a level has the numbers of one who was made at it."""
    grown = make_creature(completed(sheet(**{"class": klass}), RULES), RULES)
    for level in range(2, 6):
        grown = raised(grown, RULES)
        made = make_creature(completed(sheet(level=level, **{"class": klass}), RULES), RULES)
        same = ("level", "max_hp", "hit_dice", "max_slots", "proficiency", "abilities", "ac")
        for name in same:
            assert getattr(grown, name) == getattr(made, name), (level, name)
        assert {f.key: f.most for f in grown.features} == {f.key: f.most for f in made.features}
        assert len(grown.spells) == len(made.spells)


def test_the_ready_characters_are_legal_and_differ() -> None:
    party = party_of((), RULES)
    assert [one.creature.id for one in party] == list(READY)
    assert {one.sheet.klass for one in party} == {"fighter", "rogue", "cleric", "wizard"}
    for name in ("personality", "voice"):
        assert len({getattr(one.persona, name).fr for one in party}) == len(party)
    assert all(one.persona.goals and one.persona.bonds for one in party)
    assert all(one.persona.secrets for one in party)


@pytest.mark.parametrize("level", range(1, 6))
def test_the_ready_characters_can_be_of_any_level(level: int) -> None:
    assert {one.creature.level for one in party_of((), RULES, level)} == {level}


def test_a_sheet_is_written_as_it_is_read() -> None:
    for key, text in shipped_sheets().items():
        one = completed(read_sheet(text, key), RULES)
        assert read_sheet(written(one), key) == one


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("race: hill-dwarf", "race: troll", "race", "no race 'troll'"),
        ("level: 1", "level: high", "level", "valid integer"),
        ("str: 15", "str: 18", "abilities", "not the standard array"),
        ("skills: [athletics", "skills: [arcana", "skills", "does not teach arcana"),
        ("name: Thorin", "nom: Thorin", "name", "name: Field required"),
        ("fighting_style: defense", "hero: true", "fighting_style", "Extra inputs"),
        ("  personality:", "  personality: *it", "  personality", "aliases"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(
    old: str, new: str, line: str, says: str
) -> None:
    text = shipped_sheets()["thorin"]
    at = next(n for n, row in enumerate(text.splitlines(), 1) if row.startswith(line))
    with pytest.raises(UserError) as told:
        read_character(text.replace(old, new, 1), "mine.yaml", RULES)
    file, number, problem = str(told.value).split(":", 2)
    assert file == "mine.yaml"
    assert says in problem
    if "required" not in says:
        assert int(number) == at


def test_parties_have_one_to_six_characters_with_names_of_their_own() -> None:
    with pytest.raises(UserError, match=r"called 'Thorin'"):
        party_of(("thorin", "thorin"), RULES)
    with pytest.raises(UserError, match=f"1 to {LARGEST}"):
        party_of(("thorin",) * (LARGEST + 1), RULES)
    with pytest.raises(NotFound, match="no character 'gandalf'"):
        party_of(("gandalf",), RULES)


def test_problems_are_told_in_the_tables_language() -> None:
    text = shipped_sheets()["thorin"].replace("race: hill-dwarf", "race: troll")
    with pytest.raises(UserError, match="pas de race 'troll'"):
        party_of((text,), RULES, lang="fr")
