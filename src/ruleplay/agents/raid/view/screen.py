"""What the screen shows of a conversation about a raid."""

from __future__ import annotations

from ruleplay.agents.raid.domain.french import translated
from ruleplay.agents.raid.state import State
from ruleplay.records.events import Json

SUGGESTED = (
    "Why did we wipe?",
    "Who died first?",
    "Who took avoidable damage?",
    "Which interrupts were missed?",
    "Who lacked a flask or food?",
    "What should we fix next time?",
)
AFTER = {
    "wipe": ("Who took avoidable damage?", "What are the three main fixes?", "Who died first?"),
    "first_death": ("Why did we wipe?", "How did they die?"),
    "damage": ("Who had low activity?", "Which cooldowns were unused?"),
}
"""Suggested follow-up questions by topic."""


def view(state: State) -> Json:
    """Describe the conversation's focus, the last answer's results, and suggested questions."""
    return {
        "report": state.report,
        "fight": state.fight,
        "players": list(state.players),
        "topics": list(state.topics),
        "questions": state.questions,
        "results": [result.model_dump(mode="json") for result in state.results],
        "quick_replies": list(_suggested(state)),
    }


def _suggested(state: State) -> tuple[str, ...]:
    found = [line for topic in state.topics for line in AFTER.get(topic, ())]
    spoken = [one.pull for one in state.results if one.pull]
    won = spoken and all("(kill" in pull for pull in spoken)
    lines = [one for one in (*found, *SUGGESTED) if not (won and one == SUGGESTED[0])]
    asked = tuple(dict.fromkeys(lines))[:6]
    return tuple(translated(one) or one for one in asked) if state.language == "fr" else asked
