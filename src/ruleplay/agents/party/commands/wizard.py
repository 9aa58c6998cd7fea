"""Create a character by questions on the terminal, each of which has a default answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from ruleplay.cli import output
from ruleplay.cli.options import numbers

if TYPE_CHECKING:
    from ruleplay.agents.party.domain.character import CharacterSheet
    from ruleplay.agents.party.domain.rulebook import Rulebook

Given = dict[str, object]
Ask = Callable[[str, str], str]
"""Asks a question with a default and returns the answer."""
MANNER = {
    "personality": ("How are they", "Calm until it matters."),
    "voice": ("How do they talk", "Plainly, and not too much."),
    "goals": ("What do they want", "To come home with a story."),
    "bonds": ("Who matters to them", "The others at this table."),
    "secrets": ("What does nobody else know", "They cannot swim."),
}
"""Questions about a character's personality, with default answers."""


def asked(question: str, default: str) -> str:
    """Ask on the terminal; an empty answer takes the default."""
    return str(typer.prompt(question, default=default, err=True)).strip()


def interview(given: Given, rules: Rulebook, ask: Ask = asked) -> CharacterSheet:
    """Ask for everything that was not given, and return the sheet.

    If the answers are not legal the problems are printed, and the questions asked again.
    """
    answers = dict(given)
    answers["name"] = given["name"] or ask("Name", "Thrain")
    answers["race"] = given["race"] or _one_of(ask, "Race", tuple(rules.races), "human")
    answers["class"] = given["class"] or _one_of(ask, "Class", tuple(rules.classes), "fighter")
    while True:
        draft = _filled(answers, rules)
        chosen = {**answers, **_choices(draft, given, ask)}
        sheet = _filled(chosen, rules)
        problems = _problems(sheet, rules)
        if not problems:
            return _with_persona(sheet, given, ask)
        for problem in problems:
            output.note(f"not legal: {problem}")


def _one_of(ask: Ask, question: str, known: Sequence[str], default: str) -> str:
    while True:
        answer = ask(f"{question} ({', '.join(known)})", default).casefold()
        if answer in known:
            return answer
        output.note(f"no {question.casefold()} {answer!r}")


def _filled(answers: Given, rules: Rulebook) -> CharacterSheet:
    from ruleplay.agents.party.adapters.character_source import sheet_of
    from ruleplay.agents.party.domain.creation import completed

    return completed(sheet_of(answers), rules)


def _problems(sheet: CharacterSheet, rules: Rulebook) -> list[str]:
    from ruleplay.agents.party.adapters.character_source import in_words
    from ruleplay.agents.party.domain.character import sheet_problems

    return in_words(sheet_problems(sheet, rules), "en")


def _choices(draft: CharacterSheet, given: Given, ask: Ask) -> Given:
    """Ask for scores, skills, equipment and spells, with the draft's as defaults."""
    chosen: Given = {}
    if not given["abilities"]:
        scores = ",".join(f"{key}={score}" for key, score in draft.abilities.items())
        chosen["abilities"] = numbers(
            "--abilities", ask("Ability scores before the race's own", scores)
        )
        chosen["scores"] = _way_of_scores(chosen["abilities"])
    for name in ("skills", "equipment", "spells"):
        default = getattr(draft, name)
        if not given[name] and default:
            chosen[name] = listed(ask(name.capitalize(), ",".join(default)))
    return chosen


def _way_of_scores(scores: object) -> str:
    from ruleplay.agents.party.domain.character import STANDARD

    values = sorted(scores.values(), reverse=True) if isinstance(scores, dict) else []
    return "standard" if tuple(values) == STANDARD else "points"


def _with_persona(sheet: CharacterSheet, given: Given, ask: Ask) -> CharacterSheet:
    """Ask about the character's personality; all answers are optional."""
    from ruleplay.agents.party.domain.persona import Persona

    if sheet.persona != Persona():
        return sheet
    body = traits({name: ask(*question) for name, question in MANNER.items()})
    return sheet.model_copy(update={"persona": Persona.model_validate(body)})


def traits(said: Mapping[str, str]) -> dict[str, object]:
    """Convert answers to the fields of a persona."""
    several = ("goals", "bonds", "secrets")
    return {name: [words] if name in several else words for name, words in said.items() if words}


def listed(text: str) -> list[str]:
    """Split a list written with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]
