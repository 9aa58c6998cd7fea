"""Commands about characters: list ready-made ones, check sheets, and create one by a wizard."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.agents.party.commands import wizard as party_wizard
from ruleplay.cli import output
from ruleplay.cli.options import AsJson, numbers
from ruleplay.errors import UserError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from ruleplay.agents.party.adapters.character_source import Character
    from ruleplay.agents.party.domain.character import CharacterSheet
    from ruleplay.records.events import Json
    from ruleplay.story.texts import Lang

Words = Annotated[str, typer.Option(metavar="A,B,…")]
SHOWN = ("name", "race", "class", "level", "hp", "ac")


def add_to(app: typer.Typer) -> None:
    """Add the commands about characters to the app."""
    app.command()(characters)
    app.command()(create)
    app.command()(check)
    app.command()(schema)


def sheet_text(given: str) -> str:
    """Return a ready-made character's name as it is, or the text of a sheet's file (UserError)."""
    from ruleplay.agents.party.adapters.character_source import LIMIT, shipped_sheets
    from ruleplay.story.sections import read_file

    if given in shipped_sheets():
        return given
    path = Path(given)
    if not path.is_file():
        known = ", ".join(shipped_sheets())
        raise UserError(f"{given!r} is neither a file nor one of the ready characters {known}")
    return read_file(path, LIMIT)


def characters(as_json: AsJson = False) -> None:
    """List the ready characters."""
    from ruleplay.agents.party.adapters.character_source import party_of
    from ruleplay.agents.party.adapters.srd_source import shipped_rules

    rows = [_summary(one, at) for at, one in enumerate(party_of((), shipped_rules()))]
    if as_json:
        output.print_json({"characters": [*rows]})
    else:
        output.print_table(SHOWN, [[str(row[name]) for name in SHOWN] for row in rows])


def _summary(one: Character, at: int = 0) -> Json:
    from ruleplay.agents.party.domain.persona import PALETTE

    made = one.creature
    return {
        "seat": made.id,
        "name": one.sheet.name,
        "color": one.persona.color or PALETTE[at % len(PALETTE)],
        "race": one.sheet.race,
        "class": one.sheet.klass,
        "level": made.level,
        "hp": made.max_hp,
        "ac": made.ac,
        "abilities": {str(key): score for key, score in made.abilities.items()},
        "skills": [*made.skills],
        "attacks": [attack.key for attack in made.attacks],
        "spells": [*made.spells],
        "personality": one.persona.personality.en,
        "voice": one.persona.voice.en,
    }


def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Characters (.yaml), adventures (.md).")
    ],
    lang: Annotated[str, typer.Option(help="Language: en or fr.")] = "en",
    as_json: AsJson = False,
) -> None:
    """Say whether characters and adventures can be played; tells everything that is wrong."""
    found: list[JsonValue] = []
    for path in files:
        problem = _problem(path, "fr" if lang == "fr" else "en")
        found.append({"file": str(path), "legal": not problem, "problem": problem})
        if not as_json:
            output.write(f"{path}: {problem or 'ok'}\n")
    if as_json:
        output.print_json({"files": found})
    if any(isinstance(one, dict) and not one["legal"] for one in found):
        raise typer.Exit(2)


def schema() -> None:
    """Print the JSON Schema of adventures: their header, and the fields of each kind of section."""
    from ruleplay.agents.party.adapters.adventure_source import adventure_schema

    output.print_json(adventure_schema())


def _problem(path: Path, lang: Lang) -> str:
    from ruleplay.agents.party.adapters.adventure_source import read_adventure
    from ruleplay.agents.party.adapters.character_source import LIMIT, read_character
    from ruleplay.agents.party.adapters.srd_source import shipped_rules
    from ruleplay.story.sections import LIMIT as SECTIONS
    from ruleplay.story.sections import read_file

    rules = shipped_rules()
    try:
        if path.suffix == ".md":
            read_adventure(read_file(path, SECTIONS), path.name, rules)
        else:
            read_character(read_file(path, LIMIT), path.name, rules, lang=lang)
    except UserError as error:
        return str(error)
    return ""


def create(
    name: Annotated[str, typer.Option(help="The character's name.")] = "",
    race: Annotated[str, typer.Option(help="Race of the rules, such as dwarf.")] = "",
    klass: Annotated[str, typer.Option("--class", help="Class, such as fighter.")] = "",
    level: Annotated[int, typer.Option(min=1, max=5, help="Level.")] = 1,
    abilities: Annotated[
        str, typer.Option(metavar="str=15,…", help="Scores before those of the race.")
    ] = "",
    skills: Words = "",
    equipment: Words = "",
    spells: Words = "",
    personality: Annotated[str, typer.Option(help="How they are.")] = "",
    voice: Annotated[str, typer.Option(help="How they talk.")] = "",
    goal: Annotated[str, typer.Option(help="What they want.")] = "",
    bond: Annotated[str, typer.Option(help="What binds them.")] = "",
    secret: Annotated[str, typer.Option(help="What only they know.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="File to write the sheet to; standard output otherwise.")
    ] = None,
    ask: Annotated[
        bool | None,
        typer.Option("--ask/--no-ask", help="Ask for what is missing; on a terminal by itself."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a character's sheet: asks on a terminal, fills in what is left out elsewhere."""
    given: party_wizard.Given = {
        "name": name,
        "race": race,
        "class": klass,
        "level": level,
        "abilities": numbers("--abilities", abilities),
        "skills": party_wizard.listed(skills),
        "equipment": party_wizard.listed(equipment),
        "spells": party_wizard.listed(spells),
        "scores": "points" if abilities else "standard",
        "persona": party_wizard.traits(
            {
                "personality": personality,
                "voice": voice,
                "goals": goal,
                "bonds": bond,
                "secrets": secret,
            }
        ),
    }
    from ruleplay.agents.party.adapters.character_source import written

    asking = sys.stdin.isatty() and sys.stdout.isatty() if ask is None else ask
    sheet = _finished(given, asking=asking)
    text = written(sheet)
    if out:
        out.write_text(text, encoding="utf-8")
        output.note(f"written to {out}; play it: ruleplay party new --characters {out}")
    if as_json:
        output.print_json({"sheet": text, "file": str(out or "")})
    elif not out:
        output.write(text)


def _finished(given: party_wizard.Given, *, asking: bool) -> CharacterSheet:
    """Complete options to a legal sheet, by asking or by defaults (UserError)."""
    from ruleplay.agents.party.adapters.character_source import legal, sheet_of
    from ruleplay.agents.party.adapters.srd_source import shipped_rules
    from ruleplay.agents.party.domain.creation import completed

    rules = shipped_rules()
    if asking:
        return party_wizard.interview(given, rules)
    if missing := [f"--{name}" for name in ("name", "race", "class") if not given[name]]:
        raise UserError(f"give {', '.join(missing)}, or --ask to be asked")
    return legal(completed(sheet_of(given), rules), rules)
