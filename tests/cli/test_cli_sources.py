"""Replies that cite, on a terminal and as plain text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rich.console import Console

from ruleplay.cli import output
from ruleplay.cli.screens import Page, Terminal
from ruleplay.records.given import Given
from ruleplay.records.turns import Turn
from ruleplay.telling.citing import Span

SPANS = (
    Span(text="Oda healed 5. ", state="vouched", lines=("Oda: healing 5",)),
    Span(text="Bram healed best. ", state="doubted", lines=("Bram: healing 4 (2 of 2)",)),
    Span(text="Stand closer.", state="view"),
)


def turn(spans: tuple[Span, ...] = SPANS) -> Turn:
    return Turn(
        id="t",
        session="s",
        parent=None,
        number=1,
        seat="raider",
        key=None,
        at=datetime(2026, 1, 1, tzinfo=UTC),
        given=Given(message="who?"),
        events=(),
        reply="".join(span.text for span in spans) or "By code.",
        spans=spans,
        state_hash="",
    )


def test_plain_text_stays_and_says_aside_what_it_cannot_show(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Page().show(turn(), turn().reply)
    shown = capsys.readouterr()
    assert shown.out.strip() == "Oda healed 5. Bram healed best. Stand closer."
    assert "? Bram healed best.: Bram: healing 4 (2 of 2)" in shown.err
    assert "~ own view, not from the record: Stand closer." in shown.err


def test_a_terminal_shows_views_in_italics_and_opens_doubted_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(force_terminal=True, width=80, color_system="standard")
    monkeypatch.setattr(output, "console", lambda: screen)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    Terminal().show(turn(), turn().reply)
    shown = capsys.readouterr()
    assert "\x1b[3mStand closer." in shown.out
    assert "↳ Bram: healing 4 (2 of 2)" in shown.out
    assert "Oda: healing 5" not in shown.out
    assert "!sources" in shown.err


def test_sources_are_the_numbered_lines_of_the_last_reply(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Page().sources(SPANS)
    Page().sources(())
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "  1  Oda: healing 5",
        "  2  Bram: healing 4 (2 of 2)",
        "The last reply cites no row.",
    ]


def test_a_reply_by_code_is_shown_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    Page().show(turn(()), "By code.")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("By code.\n", "")
