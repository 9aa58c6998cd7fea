"""Maps topics to the tools that answer them, and to the pull that each looks at by default."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Workflow:
    """The tools of a topic in display order; `look` is its default pull."""

    tools: tuple[str, ...]
    look: str


_TOLD = files("ruleplay.agents.raid.policy").joinpath("workflows.toml").read_text("utf-8")
WORKFLOWS = {
    topic: Workflow(tuple(told["tools"].split()), told["look"])
    for topic, told in tomllib.loads(_TOLD).items()
}
"""Topics answered by tools of their own, instead of the general answer."""
NIGHTLY = {"wipe": "get_wipe_causes"}
"""Topic -> the tool that covers several pulls at once."""
