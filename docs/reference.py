"""Put the site's pages together: those in docs/, the README, and the reference, made from code."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command

from ruleplay.catalog import find_agent, usable_agents
from ruleplay.cli.main import app
from ruleplay.server.app import create_app
from ruleplay.settings import Settings

DOCS = Path(__file__).parent
KINDS = ("*.md", "images", "decisions", "howto", "agents", "fr")


def commands() -> str:
    """Return every command with its options."""
    root = get_command(app)
    return "\n".join(["# Commands", *_command(root, "ruleplay")])


def _command(command: object, name: str) -> Iterator[str]:
    if isinstance(command, TyperGroup):
        context = command.make_context(name, [], resilient_parsing=True)
        for inner in command.list_commands(context):
            yield from _command(command.get_command(context, inner), f"{name} {inner}")
        return
    yield f"\n## `{name}`\n\n{(command.help or '').strip()}\n"
    yield "| option | what it does |\n|---|---|"
    for parameter in command.params:
        names = ", ".join(f"`{option}`" for option in parameter.opts)
        yield f"| {names} | {_cell(getattr(parameter, 'help', '') or '')} |"


def http() -> str:
    """Return every route with its summary."""
    paths = create_app(Settings(), find_agent).openapi()["paths"]
    lines = ["# HTTP", "", "`/openapi.json` has every field.", "", "| route | what it does |"]
    lines.append("|---|---|")
    for path, methods in paths.items():
        for method, told in methods.items():
            text = told.get("description") or told.get("summary", "")
            lines.append(f"| `{method.upper()} {path}` | {_cell(text)} |")
    return "\n".join(lines)


def settings() -> str:
    """Return every setting with its default."""
    lines = ["# Settings", "", "In the environment, or small and without the prefix in"]
    lines += [
        "`ruleplay.toml`. Flags win.",
        "",
        "| setting | default | what it does |",
        "|---|---|---|",
    ]
    for name, field in Settings.model_fields.items():
        default = "" if field.default_factory else _cell(repr(field.default))
        text = _cell(field.description or "")
        lines.append(f"| `RULEPLAY_{name.upper()}` | `{default}` | {text} |")
    return "\n".join(lines)


def events() -> str:
    """Return every agent's events with their fields."""
    lines = ["# Events", "", "Only events change an agent's state."]
    for agent in usable_agents():
        lines += ["", f"## {agent.name}", "", "| event | fields | what happened |", "|---|---|---|"]
        for event in agent.events:
            fields = ", ".join(f"`{name}`" for name in event.model_fields)
            text = _cell((event.__doc__ or "").partition("\n\n")[0])
            lines.append(f"| `{event.__name__}` | {fields} | {text} |")
    return "\n".join(lines)


def _kept_links(text: str, folder: Path) -> str:
    """Return a page whose links to files that are not on the site are plain words."""

    def kept(link: re.Match[str]) -> str:
        there = "://" in link[2] or link[2].startswith("#") or (folder / link[2]).exists()
        return link[0] if there else link[1]

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)#]+|#[^)]+)\)", kept, text)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main(target: Path) -> None:
    """Write all pages into a folder."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for source in (found for kind in KINDS for found in DOCS.glob(kind)):
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, target / source.name)
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    (target / "index.md").write_text(_kept_links(readme, target), encoding="utf-8")
    (target / "inside").mkdir()
    for agent in usable_agents():
        folder = DOCS.parent / "src" / "ruleplay" / "agents" / agent.name
        inside = (folder / "README.md").read_text(encoding="utf-8")
        page = target / "inside" / f"{agent.name}.md"
        page.write_text(_kept_links(inside, target), encoding="utf-8")
        guide = target / "agents" / page.name
        if guide.exists():
            there = f"../../src/ruleplay/agents/{agent.name}/README.md"
            text = guide.read_text(encoding="utf-8").replace(there, f"../inside/{page.name}")
            guide.write_text(text, encoding="utf-8")
    (target / "reference").mkdir()
    for make in (commands, http, settings, events):
        page = target / "reference" / f"{make.__name__}.md"
        page.write_text(make() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
