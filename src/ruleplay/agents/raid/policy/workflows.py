"""Which tools answer which topic, and where each looks when nothing is said."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Workflow:
    """The tools of a topic, in the order in which their results are told; `look` is its pull."""

    tools: tuple[str, ...]
    look: str


_TOLD = files("ruleplay.agents.raid.policy").joinpath("workflows.toml").read_text("utf-8")
WORKFLOWS = {
    topic: Workflow(tuple(told["tools"].split()), told["look"])
    for topic, told in tomllib.loads(_TOLD).items()
}
"""What is answered by tools of its own, beside the general answer."""
NIGHTLY = {"wipe": "get_wipe_causes"}
"""The tool that tells a topic of several pulls at once."""
