"""What a night's document says, by the ids of messages: `words.toml` has each in every language.

Columns, cells of a fixed set and advice have ids too, so nothing is translated from English text.
Names out of the log stay as the log has them.
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
"""Columns that tools fill with English sentences; what they say stands in the row's others."""
_FIXED = frozenset(
    (
        *("role", "class", "class_name", "spec", "outcome", "what", "kind", "missing", "slot"),
        "advice",
    )
)
"""Columns whose cells are of a fixed set."""
_IDS = frozenset(("item_id", "spell_id", "line"))
"""Columns whose numbers name something."""


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Words:
    """The words of one language."""

    language: str = "en"

    def say(self, ident: str, **values: object) -> str:
        """Return a message with its values put in; in English where the language lacks it."""
        text = _texts()[self.language].get(ident) or _texts()["en"][ident]
        return text.format(**values)

    def known(self, ident: str, otherwise: str) -> str:
        """Return a message that need not be there, such as the name of a column."""
        return _texts()[self.language].get(ident, otherwise)

    def column(self, name: str, otherwise: str) -> str:
        """Return what a column is called."""
        return self.known(f"column.{name}", names_in(self.language).get(name, otherwise))

    def ended(self, how: str) -> str:
        """Return how a pull ended."""
        return self.known(f"cell.{how}", how)

    def number(self, value: float, unit: str = "") -> str:
        """Return a number with its unit, as the language writes it."""
        return measured(value, unit).translate(signs(self.language))

    def seconds(self, value: float) -> str:
        """Return a time, as the language writes it."""
        return seconds(value).translate(signs(self.language))

    def died(self, row: Row) -> str:
        """Return who died when."""
        at = row.get("at")
        who = row.get("player") or self.say("someone")
        return self.say("died", who=who, at=clock(at if isinstance(at, int | float) else 0))

    def cell(self, column: str, value: Cell, shown: str) -> str:
        """Return a cell, of which `shown` is the English text."""
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
        """Return a row without sentences of another language: what they say is said by their id."""
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
