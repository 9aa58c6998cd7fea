"""`ruleplay saga`: list and check scenarios, convert character cards, and create a hero."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.cli import output
from ruleplay.cli.hosting import begin
from ruleplay.cli.options import AsJson, Db, Model, numbers
from ruleplay.errors import NotFound, UserError

if TYPE_CHECKING:
    from ruleplay.agents.saga.adapters.library import Shelved
    from ruleplay.records.events import Json

app = typer.Typer(name="saga", help="Stories that turn into combat and back.")
app.info.no_args_is_help = True
Folder = Annotated[
    Path | None, typer.Option(help="Folder with scenarios of your own, as .md files.")
]


@app.command()
def scenarios(folder: Folder = None, as_json: AsJson = False) -> None:
    """List the stories there are; a file that cannot be read says why, and on which line."""
    shelf = _shelf(folder)
    rows: list[Json] = [_described(key, shelved) for key, shelved in shelf.items()]
    if as_json:
        output.print_json({"scenarios": [*rows]})
    else:
        shown = [(str(r["key"]), str(r["title"]), str(r["pitch"])) for r in rows]
        output.print_table(("scenario", "title", "what it is about"), shown)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A scenario of your own, as .md file.")],
    as_json: AsJson = False,
) -> None:
    """Read a scenario and say what it holds, or what is wrong with it, with file and line."""
    from ruleplay.agents.saga.adapters.library import read_scenario

    shelved = read_scenario(file)
    if as_json:
        output.print_json(_described(shelved.scenario.key, shelved))
        return
    story = shelved.scenario
    kinds = ("places", "persons", "talks", "deeds", "clues", "clocks", "secrets", "encounters")
    held = ", ".join(f"{len(getattr(story, kind))} {kind}" for kind in (*kinds, "lores", "endings"))
    output.write(f"{file.name}: {story.title.en}: {held}\n")


@app.command()
def schema() -> None:
    """Print the JSON Schema of each kind of section, for editors that complete and check YAML."""
    from ruleplay.agents.saga.adapters.scenario_source import section_schemas

    output.print_json(section_schemas())


@app.command(name="import")
def import_card(
    file: Annotated[Path, typer.Argument(help="A character card (.png, .json) or a lorebook.")],
) -> None:
    """Print a character card or lorebook as sections, to be put into a scenario of your own."""
    from ruleplay.agents.saga.adapters.characters import key_of, lore_sections, person_section
    from ruleplay.story.cards import read_card, read_lorebook

    data = _bytes_of(file)
    try:
        output.write(person_section(read_card(data)))
    except ValueError as error:
        try:
            entries = read_lorebook(data)
        except ValueError:
            entries = ()
        if not entries:
            raise UserError(f"{file.name}: {error}") from error
        output.write("\n".join(lore_sections(entries, key_of(file.stem))))


@app.command(name="export")
def export_card(
    scenario: Annotated[str, typer.Argument(help="Story, as `saga scenarios` lists.")],
    person: Annotated[str, typer.Argument(help="Key of the person.")],
    lang: Annotated[str, typer.Option(help="Language: en or fr.")] = "en",
    version: Annotated[int, typer.Option(min=2, max=3, help="Of the card's format.")] = 2,
    folder: Folder = None,
) -> None:
    """Print a person of a story as a character card, in JSON."""
    from ruleplay.agents.saga.adapters.characters import card_of
    from ruleplay.story.cards import written

    shelf = _shelf(folder)
    if scenario not in shelf or person not in shelf[scenario].scenario.persons:
        raise NotFound(f"no person {person!r} in a story {scenario!r}")
    card = card_of(shelf[scenario].book, person, "fr" if lang == "fr" else "en")
    output.write(written(card, version=version) + "\n")


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UserError(f"{str(file)!r} cannot be read: {error.strerror}") from error


def _described(key: str, shelved: Shelved) -> Json:
    story = shelved.scenario
    return {
        "key": key,
        "title": story.title.en,
        "title_fr": story.title.fr,
        "pitch": story.pitch.en,
        "pitch_fr": story.pitch.fr,
        "places": len(story.places),
        "encounters": len(story.encounters),
        "endings": len(story.endings),
        "file": shelved.file,
        "own": bool(shelved.source),
    }


@app.command()
def new(
    scenario: Annotated[str, typer.Option(help="Story, as `saga scenarios` lists.")],
    name: Annotated[str, typer.Option(help="The hero's name.")],
    race: Annotated[str, typer.Option(help="human, elf, dwarf or hobbit.")] = "human",
    culture: Annotated[
        str, typer.Option(help="Where they grew up; the people's first if left out.")
    ] = "",
    stats: Annotated[
        str, typer.Option(metavar="NAME=N,…", help="Characteristics that are bought.")
    ] = "",
    skills: Annotated[str, typer.Option(metavar="NAME=N,…", help="Ranks of skills.")] = "",
    lang: Annotated[str, typer.Option(help="Language: en or fr.")] = "en",
    folder: Folder = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Make a hero and begin a story; prints the session to go on with."""
    shelf = _shelf(folder)
    if scenario not in shelf:
        raise NotFound(f"no scenario {scenario!r}; there are {', '.join(shelf)}")
    if lang not in ("en", "fr"):
        raise UserError(f"no language {lang!r}; there are en and fr")
    config: Json = {
        "scenario": scenario,
        "name": name,
        "race": race,
        "culture": culture or _first_culture(shelf[scenario], race),
        "lang": lang,
        "source": shelf[scenario].source,
        "skills": {**numbers("--skills", skills)},
    }
    if stats:
        config["stats"] = {**_default_stats(), **numbers("--stats", stats)}
    if made := begin("saga", config, db, model, as_json=as_json):
        output.note(f"go on with: ruleplay chat saga --session {made}")


def _shelf(folder: Path | None) -> dict[str, Shelved]:
    from ruleplay.catalog import find_agent

    find_agent("saga")  # a missing extra is named there
    from ruleplay.agents.saga.adapters.library import scenarios_in, shipped_scenarios

    return {**shipped_scenarios(), **(scenarios_in(folder) if folder else {})}


def _first_culture(shelved: Shelved, race: str) -> str:
    known = shelved.book.rules.races
    if race not in known:
        raise UserError(f"no race {race!r}; there are {', '.join(known)}")
    return known[race].cultures[0]


def _default_stats() -> dict[str, int]:
    from ruleplay.agents.saga.domain.creation import DEFAULT

    return {str(name): score for name, score in DEFAULT.items()}
