"""Whole sessions that strangers played with a strong model, as they go now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.agents.saga.replayed import Played, played

from ruleplay.story.beats import is_line

OUR_MARKS = ("beats out of order", "told twice")
"""What is refused because a beat has another number by now than when its mark was written."""


@pytest.fixture
async def turns(
    request: pytest.FixtureRequest, tmp_path: Path, sessions: dict[str, list[Played]]
) -> list[Played]:
    """Return the turns of the session in the language that a test names; it is played once."""
    lang = getattr(request, "param", "fr")
    if lang not in sessions:
        sessions[lang] = [one async for one in played(lang, tmp_path)]
    return sessions[lang]


@pytest.fixture(scope="module")
def sessions() -> dict[str, list[Played]]:
    return {}


@pytest.mark.parametrize("turns", ["en", "fr"], indirect=True)
def test_what_the_model_told_is_shown_and_nothing_twice(turns: list[Played]) -> None:
    offered, refused = 0, 0
    for one in turns:
        blocks = [part for part in one.turn.reply.split("\n\n") if not is_line(part)]
        assert len(blocks) == len({*blocks}), (one.turn.number, one.turn.reply)
        for call in one.turn.calls:
            if call.role in ("saga.narrator", "saga.herald") and call.replies:
                text = call.replies[0].text or ""
                offered += len([part for part in re.split(r"\n\s*\n", text) if part.strip()])
                refused += sum(not any(own in why for own in OUR_MARKS) for why in call.refusals)
    assert offered > 50
    assert refused * 20 <= offered


@pytest.mark.parametrize("turns", ["en", "fr"], indirect=True)
def test_no_word_of_the_program_is_said(turns: list[Played]) -> None:
    raw = re.compile(r"\bfoe\d|\bdeed:|player_win|conversation :|^- [+→]", re.MULTILINE)
    for one in turns:
        assert not raw.search(one.turn.reply), one.turn.reply


def test_a_promise_is_known_to_the_end(turns: list[Played]) -> None:
    """The promise of turn 4 was in none of the prompts after it."""
    kept = "la plus belle plume trouvée en route"
    later = [one for one in turns if one.turn.number > 5 and one.asked]
    told = [asked for one in later for asked in one.asked if asked.role == "saga.narrator"]
    assert len(told) > 10
    assert all(kept in str(asked.messages[-1].content) for asked in told)
