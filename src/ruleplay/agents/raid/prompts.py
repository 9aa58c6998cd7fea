"""What the model is asked: one static system text, then what there is, then the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.raid.domain.overview import Overview, short_name
from ruleplay.agents.raid.domain.tool_result import NO_BLOWS
from ruleplay.agents.raid.state import Elsewhere
from ruleplay.kernel.converse import CALLS_PER_STEP
from ruleplay.telling.prompt import told
from ruleplay.telling.sentences import bounded

BOSSES = 2
"""Bosses that it names of each."""
SAID, OWN = 400, 1_500
"""Characters of what was said earlier that a prompt repeats, and of a model's last answer."""
QUESTION = 6_000
"""Characters of a question that a prompt holds; longer ones are cut in the middle."""

SYSTEM = told("ruleplay.agents.raid", "agent")


def left(steps: int, room: int) -> str:
    """Say how often the model may look on, and how much of results there is room for."""
    return (
        f"(At most {CALLS_PER_STEP} looks at once, {steps} more times; room for {room:,} characters"
        " of results: ask narrowly.)"
    )


LAST = "No more looks: answer now, from these results. Say what they do not tell."


def question(
    message: str,
    overview: Overview,
    known: str,
    elsewhere: Sequence[Elsewhere] = (),
    results: str = "",
    note: str = "",
) -> str:
    """Return what is new this turn: what there is to ask about, first results, the question.

    `known` are the tables of the night's pulls and people, `results` what was looked up already.
    """
    parts = [*_context(overview, known, elsewhere), results, note, f"Question: {cut(message)}"]
    return "\n\n".join(part for part in parts if part)


def cut(message: str) -> str:
    """Return a question, its middle left out where it is too long to be one."""
    if len(message) <= QUESTION:
        return message
    return f"{message[: QUESTION // 2]}\n[…]\n{message[-QUESTION // 2 :]}"


def _context(overview: Overview, known: str, elsewhere: Sequence[Elsewhere]) -> Iterable[str]:
    night = overview.night
    if night is None:
        yield "No combat log has been imported yet: there is no data, and no tool will find any."
        return
    owner = f" Logged by {short_name(night.owner)}." if night.owner else ""
    only = f" {NO_BLOWS}" if night.blind else ""
    yield f"Report in focus: {night.code}.{owner}{only}\n{known}"
    if others := "; ".join(map(_told, elsewhere)):
        more = "; list_reports has all" if len(overview.reports) > 1 + len(elsewhere) else ""
        yield f"Other reports, the newest first: {others}{more}."


def _told(one: Elsewhere) -> str:
    told = [boss for boss in one.bosses if boss not in one.title]
    more = len(told) - BOSSES
    bosses = (*told[:BOSSES], *([f"{more} more bosses"] if more > 0 else ()))
    return f"{one.code} ({one.title}){': ' if bosses else ''}{', '.join(bosses)}"


def remembered(reply: str, *, by_model: bool) -> str:
    """Return an answer as later questions remember it; of one by code what it says first.

    A model's lists and tables are what "the second one" is asked about; code's are mere rows.
    """
    if by_model:
        return bounded(reply, OWN)
    paragraphs = [part.strip() for part in reply.split("\n\n")]
    kept = [part for part in paragraphs if part and not part.startswith(("|", "- "))]
    # Before it may stand how the question was understood.
    told = next((part for part in kept if part.startswith("**")), "\n".join(kept[:1]))
    return bounded(told or reply, SAID)
