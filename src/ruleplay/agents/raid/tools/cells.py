"""Converts the cells of rows to numbers and texts."""

from __future__ import annotations

from ruleplay.agents.raid.domain.tool_result import Cell


def number(cell: Cell) -> float:
    """Convert a cell to a float; 0 if it is no number."""
    return float(cell) if isinstance(cell, int | float) else 0.0


def whole(cell: Cell) -> int:
    """Convert a cell to an integer; 0 if it is no number."""
    return int(cell) if isinstance(cell, int | float) else 0


def texts(cell: Cell) -> list[str]:
    """Convert a list cell to texts; empty if it is no list."""
    return [str(one) for one in cell] if isinstance(cell, list) else []
