"""Reads cells of rows as the numbers that they are."""

from __future__ import annotations

from ruleplay.agents.raid.domain.tool_result import Cell


def number(cell: Cell) -> float:
    """Return a cell as a number, 0 for what is none."""
    return float(cell) if isinstance(cell, int | float) else 0.0


def whole(cell: Cell) -> int:
    """Return a cell as a whole number, 0 for what is none."""
    return int(cell) if isinstance(cell, int | float) else 0


def texts(cell: Cell) -> list[str]:
    """Return a list cell as texts, empty for what is none."""
    return [str(one) for one in cell] if isinstance(cell, list) else []
