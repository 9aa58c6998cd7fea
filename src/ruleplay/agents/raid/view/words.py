"""Texts of a night's document by message id; `words.toml` has each in every language.

Columns, cells with a fixed set of values and advice have ids too, so nothing is translated from
English text. Names from the log are left unchanged.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruleplay.agents.raid.domain.french import signs
from ruleplay.agents.raid.domain.metrics import names_in
from ruleplay.agents.raid.domain.tool_result import Cell, Row
from ruleplay.agents.raid.view.tables import clock, measured, seconds

LANGUAGES = ("en", "fr", "de")
_PROSE = ("says", "evidence")
"""Columns with English sentences from tools; other columns of the row carry the same content."""
_FIXED = frozenset(
    (
        *("role", "class", "class_name", "spec", "outcome", "what", "kind", "missing", "slot"),
        "advice",
    )
)
"""Columns whose cells have a fixed set of values."""
_IDS = frozenset(("item_id", "spell_id", "line"))
"""Columns whose numbers are identifiers."""


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Words:
    """The texts of one language."""

    language: str = "en"

    def say(self, ident: str, **values: object) -> str:
        """Fill in a message; in English if the language lacks it."""
        text = _texts()[self.language].get(ident) or _texts()["en"][ident]
        return text.format(**values)

    def known(self, ident: str, otherwise: str) -> str:
        """Get an optional message, such as the name of a column."""
        return _texts()[self.language].get(ident, otherwise)

    def column(self, name: str, otherwise: str) -> str:
        """Name a column."""
        return self.known(f"column.{name}", names_in(self.language).get(name, otherwise))

    def ended(self, how: str) -> str:
        """Name a pull's outcome."""
        return self.known(f"cell.{how}", how)

    def number(self, value: float, unit: str = "") -> str:
        """Format a number with its unit in the language's notation."""
        return measured(value, unit).translate(signs(self.language))

    def seconds(self, value: float) -> str:
        """Format a duration in the language's notation."""
        return seconds(value).translate(signs(self.language))

    def died(self, row: Row) -> str:
        """Describe who died when."""
        at = row.get("at")
        who = row.get("player") or self.say("someone")
        return self.say("died", who=who, at=clock(at if isinstance(at, int | float) else 0))

    def cell(self, column: str, value: Cell, shown: str) -> str:
        """Translate a cell; `shown` is its English text."""
        if column in _IDS and value is not None:
            return str(value)
        if isinstance(value, bool):
            return self.say("yes" if value else "no")
        if isinstance(value, int | float):
            return shown.translate(signs(self.language))
        if isinstance(value, list) and column in _FIXED:
            return ", ".join(self.known(f"cell.{one}", str(one)) for one in value) or "–"
        if isinstance(value, str) and (column in _FIXED or value == "(all)"):
            return self.known(f"cell.{value}", shown)
        return shown

    def row(self, row: Row) -> Row:
        """Drop English sentences from a row in other languages; its ids say the same."""
        if self.language == "en":
            return row
        kept = {name: value for name, value in row.items() if name not in _PROSE}
        if "fix" in row:
            about = {"ability": row.get("ability") or "", "player": row.get("player") or ""}
            kept["fix"] = self.say(f"fix.{row.get('measure')}", **about).strip(" :")
            kept["measure"] = self.column(str(row.get("measure")), str(row.get("measure")))
        if "before" in row and isinstance(row.get("before_fight"), int):
            kept["before"] = self.say("pull", fight=row["before_fight"])
        elif "before" in row:
            kept["before"] = self.known(f"cell.{row['before']}", str(row["before"]))
        return kept
