"""The wizard that asks for a character: answers, defaults, and asking again."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.party.adapters.srd_source import shipped_rules
from ruleplay.agents.party.commands.wizard import interview
from ruleplay.agents.party.domain.character import sheet_problems

NOTHING: dict[str, object] = {
    **dict.fromkeys(("name", "race", "class"), ""),
    **dict.fromkeys(("skills", "equipment", "spells"), ()),
    "abilities": {},
}


def answering(*answers: str) -> Iterator[str]:
    yield from answers
    while True:
        yield ""


def asker(*answers: str):  # type: ignore[no-untyped-def]
    given, asked = answering(*answers), []

    def ask(question: str, default: str) -> str:
        asked.append(question)
        return next(given) or default

    return ask, asked


def test_defaults_make_a_legal_character() -> None:
    ask, asked = asker()
    sheet = interview(dict(NOTHING), shipped_rules(), ask)
    assert sheet_problems(sheet, shipped_rules()) == ()
    assert (sheet.race, sheet.klass) == ("human", "fighter")
    assert sheet.persona.secrets
    assert len(asked) == len(set(asked))


def test_what_is_not_there_is_asked_for_again() -> None:
    ask, asked = asker("Bela", "ent", "elf-king", "high-elf", "jester", "wizard")
    sheet = interview(dict(NOTHING), shipped_rules(), ask)
    assert (sheet.name, sheet.race, sheet.klass) == ("Bela", "high-elf", "wizard")
    assert len([one for one in asked if one.startswith("Race")]) == 3


def test_what_is_not_legal_is_asked_for_again(capsys: object) -> None:
    ask, asked = asker("Bela", "human", "fighter", "str=18,dex=8,con=8,int=8,wis=8,cha=8")
    sheet = interview(dict(NOTHING), shipped_rules(), ask)
    assert sheet_problems(sheet, shipped_rules()) == ()
    assert len([one for one in asked if one.startswith("Ability")]) == 2
