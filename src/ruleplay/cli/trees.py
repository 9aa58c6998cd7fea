"""Draws the tree of a session's turns."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from ruleplay.cli import output

if TYPE_CHECKING:
    from ruleplay.kernel.session import Session
    from ruleplay.records.turns import Branch

WORDS = 60
"""Characters of a message in the drawing."""


async def print_tree(session: Session) -> None:
    """Draw all turns of a session, marking the head.

    A fork starts at the last turn it shares with its origin. An only child is drawn in its parent's
    column, so that a long session grows downwards and not to the right.
    """
    head = await session.head()
    branches = await session.host.store.branches(head.id)
    made_here = {branch.id for branch in branches}
    children: dict[str | None, list[Branch]] = defaultdict(list)
    for branch in branches:
        children[branch.parent if branch.parent in made_here else None].append(branch)
    root = Tree(Text(output.printable(f"{head.title} ({head.id})")))
    waiting = [(root, children[None])]
    while waiting:
        column, level = waiting.pop()
        while level:
            drawn = [column.add(_label(branch, head.head)) for branch in level]
            if len(level) > 1:
                waiting += [(node, children[b.id]) for node, b in zip(drawn, level, strict=True)]
                break
            level = children[level[0].id]
    output.console().print(root)


def _label(branch: Branch, head: str | None) -> Text:
    said = " ".join(output.printable(branch.message).split())
    shown = said if len(said) <= WORDS else said[: WORDS - 1] + "…"
    label = Text(f"{branch.number}. {shown}  {branch.id}")
    if branch.id == head:
        label.append("  ← head", style="bold")
    return label
