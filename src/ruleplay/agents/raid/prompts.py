"""What the model is asked: one static system text, then what there is, then the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ruleplay.agents.raid.domain.overview import Overview, short_name
from ruleplay.agents.raid.state import Elsewhere
from ruleplay.kernel.converse import CALLS_PER_STEP
from ruleplay.telling.prompt import CITING

REPORTS = 12
"""Other reports that a prompt lists."""
SAID, OWN = 400, 1_500
"""Characters of what was said earlier that a prompt repeats, and of a model's last answer."""
QUESTION = 6_000
"""Characters of a question that a prompt holds; longer ones are cut in the middle."""

SYSTEM = (
    """You are a raid analyst for World of Warcraft. You read combat logs through `look` and
tell raiders what happened, why, and what to change: frankly, like an experienced raid leader.

# Work
- Look first: ask for everything you need in one go, then answer. Look again only if you must.
- Results are of this turn; of earlier ones only what "told before" has. "Tonight" is the report
  in focus. "I", "my" is who the asker said to be; else ask who, or say that you take them for X,
  whose log this is.
- A pull is one try at a boss. The wipe is the last pull that was not won. If there was no wipe, no
  death, no such pull, say so first.
- Answer about exactly who and what was named. If a name is not known, say so, offer the nearest.
- A number is of the pulls in its table's heading: one pull, some, or the night. Say which; what
  lies between pulls is in none of them.
- Roles are those of the pull: who heals on one may deal damage on the next. A pet's numbers are in
  its owner's; who owns it, only a row tells.
- What was cast before the pull (flask, food, blessings) is in buff_analysis, as from_pull.
- A row says no more than its columns: a cast begun is no cast finished, an aura seen was not up all
  the time, taken is without what shields absorbed, a name without a row is not a zero.
- First what decided the pull, then who and how much, then at most three changes. What went wrong
  first counts, not the loudest. Compare like with like: same boss, same role.
- Tanks: deaths, burst, gaps in heals. Healers: effective healing, overheal, mana. Others: damage,
  activity, cooldowns, then deaths. Overheal is normal; low healing while people die is not.
- A log knows no threat and no killer: the killing blow is inferred.

# Answer
Short Markdown in the language of the question, the answer itself first. No headings, no preamble.

"""
    + CITING
)


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
    told = [*_context(overview, known, elsewhere), results, note, f"Question: {cut(message)}"]
    return "\n\n".join(part for part in told if part)


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
    yield f"Report in focus: {night.code}.{owner}\n{known}"
    if others := "; ".join(_told(one) for one in elsewhere[:REPORTS]):
        yield f"Other reports, the newest first: {others}."


def _told(one: Elsewhere) -> str:
    bosses = f": {', '.join(one.bosses)}" if one.bosses else ""
    return f"{one.code} ({one.title}){bosses}"


def remembered(reply: str, *, by_model: bool) -> str:
    """Return an answer as later questions remember it: a model's own words, lists and tables too.

    Of an answer by code only the first paragraph counts: the rest are rows.
    """
    if by_model:
        return bounded(reply, OWN)
    paragraphs = [part.strip() for part in reply.split("\n\n")]
    kept = [part for part in paragraphs if part and not part.startswith(("|", "- "))]
    return bounded("\n".join(kept[:1]) or reply, SAID)


def bounded(text: str, most: int) -> str:
    """Return a text that is cut, where it is too long, behind a sentence or a line."""
    if len(text) <= most:
        return text
    whole = re.match(r".*(?:[.!?…](?=\s)|(?=\n))", text[:most], re.DOTALL)
    return f"{whole[0] if whole else text[:most].rsplit(' ', 1)[0]} …"
