"""Whatever is written into an option, a command goes nowhere and opens nothing unnamed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import typer
from tests.cli.strays import HERE, WORDS, fed
from tests.foundation.conftest import skip_or_fail
from tests.samples import sample
from tests.system_calls import NEEDED, can_watch

from ruleplay.cli.main import app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.commands import Run

SHARE = sample(0.005, 0.02)
"""Of all options with all texts; `python -m benchmarks.strays cli` gives them all."""

OWNERS = {"--db", "--model", "--server", "--characters", "--webhook"}
"""Options by which the owner names a database, a model, a server, or files."""
WAITING = (
    *(
        "serve",
        "worker",
        "mcp",
        "setup battle",
        "battle setup",
        "setup raid",
        "raid setup",
        "battle arena",
        "battle review",
    ),
    *("battle accept", "battle challenge", "battle ladder", "parts sync"),
)
"""Commands that serve, download, or go where the owner names a server or a file."""


def commands() -> Iterator[tuple[str, set[str]]]:
    """Yield every command with its options that take words; arguments stand for HERE."""
    root = typer.main.get_command(app)
    context = root.make_context("ruleplay", ["agents"], resilient_parsing=True)
    left = [("", root)]
    while left:
        path, command = left.pop()
        for name in getattr(command, "list_commands", lambda _: ())(context):
            left.append((f"{path} {name}".strip(), command.get_command(context, name)))
        yield (
            path,
            {
                HERE if one.param_type_name == "argument" else one.opts[0]
                for one in command.params
                if one.type_descriptor.annotation in (str, list[str]) and one.opts[0] not in OWNERS
            },
        )


def given(path: str) -> set[str]:
    """Return the options of a command that are given texts, HERE for arguments."""
    lines = (line.split() for line in WORDS.replace("\n", "|").split("|"))
    told: set[str] = set()
    for words in lines:
        if " ".join(words).startswith(f"{path} "):
            told |= {
                one if one.startswith("-") else HERE for one, two in pairwise(words) if two == HERE
            }
    return told


def test_every_option_that_takes_words_is_given_them() -> None:
    short, found = {"-m": "--message"}, dict(commands())
    assert found["session edit"] == {HERE, "--message", "--seat", "--key"}
    missing = [
        (path, option)
        for path, options in found.items()
        if path not in WAITING
        for option in options - {short.get(one, one) for one in given(path)}
    ]
    assert missing == []


def test_no_text_of_an_option_leads_to_a_host_a_file_or_a_key(tmp_path: Path) -> None:
    if not can_watch():
        skip_or_fail("compiler", NEEDED)
    found = fed(tmp_path, SHARE, 6)
    assert (found.connections, found.files, found.keys, found.defects) == ([], [], [], [])
    assert found.statuses.get(0, 0) > sample(0, 2)


def test_names_that_nothing_has_are_refused(cli: Run) -> None:
    assert cli("check", "../somewhere/else.db").code == 2
    assert cli("check", "..x").code == 2
    unknown = cli("party", "odds", "--encounter", "nobody", "--seeds", "1")
    assert unknown.code == 3
    assert "nobody" in unknown.err
