"""`ruleplay party`: adventures, characters, a table to play at, and rounds that play themselves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleplay.agents.party.commands import characters as party_characters
from ruleplay.cli import output
from ruleplay.cli.hosting import begin
from ruleplay.cli.options import AsJson, Db, Model, Seat, SessionId
from ruleplay.errors import NotFound, UserError

if TYPE_CHECKING:
    from ruleplay.agents.party.adapters.library import Shelved
    from ruleplay.agents.party.state import Config
    from ruleplay.kernel.autoplay import Step
    from ruleplay.kernel.host import Host
    from ruleplay.records.events import Json

app = typer.Typer(name="party", help="A D&D table: a DM and characters in rounds, humans anywhere.")
app.info.no_args_is_help = True
party_characters.add_to(app)
Folder = Annotated[
    Path | None, typer.Option(help="Folder with adventures of your own, as .md files.")
]
Adventure = Annotated[
    str, typer.Option(help="Adventure, as `party adventures` lists; the first otherwise.")
]
Characters = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FILE|NAME",
        help="YAML sheet or ready character, once for each; the four ready ones otherwise.",
    ),
]
Level = Annotated[
    int | None, typer.Option(min=1, max=5, help="Level of the characters; the sheets' otherwise.")
]
Lang = Annotated[str, typer.Option(help="Language: en or fr.")]
Humans = Annotated[
    list[str] | None, typer.Option("--human", metavar="SEAT", help="Seat that a person plays.")
]


@app.command()
def adventures(folder: Folder = None, as_json: AsJson = False) -> None:
    """List the adventures there are; a file that cannot be read says why, and on which line."""
    rows: list[Json] = [_described(key, shelved) for key, shelved in _shelf(folder).items()]
    if as_json:
        output.print_json({"adventures": [*rows]})
    else:
        shown = [(str(r["key"]), str(r["title"]), str(r["pitch"])) for r in rows]
        output.print_table(("adventure", "title", "what it is about"), shown)


def _described(key: str, shelved: Shelved) -> Json:
    story = shelved.adventure
    return {
        "key": key,
        "title": story.title.en,
        "title_fr": story.title.fr,
        "pitch": story.pitch.en,
        "pitch_fr": story.pitch.fr,
        "levels": [*story.levels],
        "scenes": len(story.scenes),
        "encounters": len(story.encounters),
        "endings": len(story.endings),
        "file": shelved.file,
        "own": bool(shelved.source),
    }


def _shelf(folder: Path | None) -> dict[str, Shelved]:
    from ruleplay.agents.party.adapters.library import adventures_in, shipped_adventures

    return {**shipped_adventures(), **(adventures_in(folder) if folder else {})}


@app.command()
def new(
    adventure: Adventure = "",
    characters: Characters = None,
    level: Level = None,
    lang: Lang = "en",
    human: Humans = None,
    folder: Folder = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Lay a table; prints the session to go on with."""
    config = table_config(adventure, characters, level, lang, human, folder)
    if made := begin("party", config, db, model, as_json=as_json):
        output.note(f"watch it: ruleplay party run --session {made} --rounds 3")
        output.note(f"play in it: ruleplay chat party --session {made} --seat SEAT")


def table_config(
    adventure: str,
    characters: list[str] | None,
    level: int | None,
    lang: str,
    humans: list[str] | None,
    folder: Path | None,
) -> Json:
    """Build a session's configuration from the options (UserError, NotFound)."""
    if lang not in ("en", "fr"):
        raise UserError(f"no language {lang!r}; there are en and fr")
    shelf = _shelf(folder)
    if adventure and adventure not in shelf:
        raise NotFound(f"no adventure {adventure!r}; there are {', '.join(shelf)}")
    return {
        "adventure": adventure,
        "source": shelf[adventure].source if adventure else "",
        "characters": [party_characters.sheet_text(one) for one in characters or ()],
        "level": level,
        "lang": lang,
        "humans": [*(humans or ())],
    }


@app.command()
def run(
    session: Annotated[
        str, typer.Option("--session", help="Session to go on with; a new one otherwise.")
    ] = "",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds to play.")] = 1,
    seat: Seat = "",
    adventure: Adventure = "",
    characters: Characters = None,
    level: Level = None,
    lang: Lang = "en",
    folder: Folder = None,
    db: Db = "",
    model: Model = "",
    as_json: AsJson = False,
) -> None:
    """Play rounds by themselves, until they are over, a person must act, or the adventure ends.

    With --json every turn is one line, and the last line says how it stands.
    """
    config = table_config(adventure, characters, level, lang, None, folder)
    asyncio.run(_run(config, session, rounds, seat, db, model, as_json))


async def _run(
    config: Json, session: str, rounds: int, seat: str, db: str, model: str, as_json: bool
) -> None:
    from ruleplay.cli.hosting import hosting
    from ruleplay.cli.inputs import open_head
    from ruleplay.kernel.autoplay import Pace, play_on

    async with hosting(db, model) as host:
        head = await (
            open_head(host, "party", session, "") if session else host.create("party", config)
        )
        output.note(f"session {head.id}")
        step = None
        with output.Bar("rounds", rounds) as bar:
            first = 0
            async for step in play_on(host, head.id, Pace(rounds=rounds)):
                first = first or step.round
                bar.label(f"round {step.round}, {step.seat}" if step.seat else "the end")
                bar.advance(max(0, step.round - first), rounds)
                if step.turn is not None:
                    await _show(host, step, seat, as_json)
                if step.stage == "waiting":
                    break
        if step is not None:
            await _close(host, head.id, step, seat, as_json)


async def _show(host: Host, step: Step, seat: str, as_json: bool) -> None:
    """Print a committed turn with what a seat may read."""
    from ruleplay.kernel.session import played_json, reading_seat
    from ruleplay.records.turns import whole_reply

    if step.turn is None:
        return
    head, _ = await host.store.read(step.turn.session)
    looker = seat or await reading_seat(host, head)
    if as_json:
        told = await played_json(host, step.turn, looker)
        shown = {name: told[name] for name in output.TURN}
        output.print_json({"type": "turn", "round": step.round, "seat": step.turn.seat, **shown})
    elif reply := whole_reply(step.turn, looker):
        state, _ = await host.state(head, head.head)
        view = host.find_agent("party").view(state, looker)
        output.print_coloured(f"{reply}\n", _colours(view))


def _colours(view: Json) -> dict[str, str]:
    """Map characters' names to their colours."""
    seats = view["seats"]
    rows = [one for one in seats if isinstance(one, dict)] if isinstance(seats, list) else []
    return {str(one["name"]): str(one["color"]) for one in rows if one["color"]}


async def _close(host: Host, session: str, step: Step, seat: str, as_json: bool) -> None:
    """Print how far the game has come, and how to continue."""
    from ruleplay.kernel.session import view_json

    head, _ = await host.store.read(session)
    view = await view_json(host, head, head.head, seat)
    ending = view.get("ending")
    if as_json:
        stands: Json = {"type": "end", "session": session, "stage": step.stage, "moves": step.moves}
        whose: Json = {"round": view["round"], "seat": view["current_turn"], "ending": ending}
        output.print_json({**stands, **whose})
    elif step.stage == "waiting":
        output.note(
            f"{step.seat} is to move: ruleplay chat party --session {session} --seat {step.seat}"
        )
    elif isinstance(ending, dict):
        output.note(f"the adventure is over: {ending.get('name')}")
    else:
        output.note(f"round {view['round']} is next: ruleplay party run --session {session}")


@app.command()
def odds(
    adventure: Adventure = "",
    encounter: Annotated[
        list[str] | None, typer.Option(help="Encounter; all of them otherwise.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=10_000, help="Fights of each.")] = 200,
    characters: Characters = None,
    level: Level = None,
    folder: Folder = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Whole adventures instead, from beginning to end.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Fight an adventure's encounters many times, and say how often the party wins."""
    from ruleplay.agents.party.bench.odds import odds as fought
    from ruleplay.agents.party.state import Config

    config = Config.model_validate(table_config(adventure, characters, level, "en", None, folder))
    if whole:
        _whole(config, seeds, as_json)
        return
    with output.Bar("fights") as bar:
        found = fought(config, encounter or (), seeds, bar.advance)
    rows: list[Json] = [one.model_dump(mode="json") for one in found]
    if as_json:
        output.print_json({"odds": [*rows]})
        return
    columns = ("encounter", "foes", "difficulty", "won", "lost", "fallen", "deaths", "rounds")
    shown = [{**row, "foes": ", ".join(one.foes)} for row, one in zip(rows, found, strict=True)]
    output.print_table(columns, [[str(row[name]) for name in columns] for row in shown])


def _whole(config: Config, seeds: int, as_json: bool) -> None:
    """Simulate a whole adventure, and print how often it is survived and how it ends."""
    from ruleplay.agents.party.bench.journeys import journeys

    with output.Bar("adventures") as bar:
        found = journeys(config, seeds, bar.advance)
    if as_json:
        output.print_json({"whole": found.model_dump(mode="json")})
        return
    rows = [("survived", str(found.survived))]
    rows += [(f"ending: {key}", str(share)) for key, share in found.endings.items()]
    output.print_table((found.adventure, f"of {found.journeys}"), rows)


@app.command()
def recap(
    session: SessionId, seat: Seat = "", db: Db = "", model: Model = "", as_json: AsJson = False
) -> None:
    """Tell what has happened so far, as a seat remembers it."""
    asyncio.run(_recap(session, seat, db, model, as_json))


async def _recap(session: str, seat: str, db: str, model: str, as_json: bool) -> None:
    from ruleplay.cli.hosting import hosting
    from ruleplay.cli.inputs import open_head
    from ruleplay.kernel.session import view_json

    async with hosting(db, model) as host:
        head = await open_head(host, "party", session, "")
        view = await view_json(host, head, head.head, seat)
    lines = view.get("recap")
    told = [str(line) for line in lines] if isinstance(lines, list) else []
    if as_json:
        output.print_json({"session": session, "seat": view["seat"], "recap": [*told]})
    else:
        output.print_markdown("\n\n".join(told))
