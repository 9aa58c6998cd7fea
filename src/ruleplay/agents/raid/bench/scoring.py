"""What an answer must hold, and whether it does: in its typed findings and in its words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

_NUMBER = re.compile(
    r"(?<![\w.])(\d{1,2}):(\d\d)(?:\.\d+)?(?!:)|"
    r"(\d{1,3}(?:[,\u202f\u00a0' ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)\s?([kM](?!\w))?"
)
_SCALE = {"k": 1_000, "M": 1_000_000, "": 1}


class Finding(BaseModel):
    """A typed value of an answer, as the agent's `Answered` event holds it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    metric: str = ""
    value: int | float | str = ""
    player: str = ""
    aspect: str = ""
    pull: int | None = None
    report: str = ""


@dataclass(frozen=True)
class Answer:
    """What the agent said, and the findings it rests on."""

    reply: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Expected:
    """One field of a good answer.

    `who` and `what` ask for a name, `number` for `value` within `slack` (said of `name` where there
    is one; `shown` is how far the words may round), `pull` for the pull's number.
    """

    kind: Literal["who", "what", "number", "pull"]
    label: str
    name: str = ""
    value: float = 0.0
    slack: float = 0.0
    shown: float = 0.0

    def held_by(self, answer: Answer) -> bool:
        """Tell whether the findings and the words both hold it."""
        return self.found_in(answer.findings) and self.told_in(answer.reply)

    def found_in(self, findings: tuple[Finding, ...]) -> bool:
        """Tell whether a finding holds it."""
        if self.kind == "pull":
            return any(finding.pull == self.value for finding in findings)
        if self.kind == "number":
            return any(self._is_it(finding) for finding in findings)
        return any(self.name_in(finding) for finding in findings)

    def _is_it(self, finding: Finding) -> bool:
        if isinstance(finding.value, str) or abs(finding.value - self.value) > self.slack:
            return False
        return not self.name or self.name_in(finding)

    def name_in(self, finding: Finding) -> bool:
        """Tell whether a finding names it; realms, accents and capitals do not matter."""
        said = (finding.player, finding.aspect, str(finding.value))
        return any(plain(self.name) in plain(text) for text in said)

    def told_in(self, reply: str) -> bool:
        """Tell whether the words hold it."""
        if self.kind == "pull":
            words = r"(?:pull|try|attempt|fight|essai|tentative)"
            return bool(re.search(rf"\b{words}\s*#?\s*{int(self.value)}\b", reply, re.IGNORECASE))
        if self.kind == "number":
            return any(
                abs(number - self.value) <= max(self.slack, self.shown, rounded)
                for number, rounded in numbers(reply)
            )
        return plain(self.name) in plain(reply)


def plain(text: str) -> str:
    """Return text without realm, accents and capitals."""
    bare = unicodedata.normalize("NFKD", text.partition("-Thunderstrike")[0])
    return "".join(char for char in bare if not unicodedata.combining(char)).casefold()


def numbers(text: str) -> list[tuple[float, float]]:
    """Return the numbers of a text, each with how far it may be rounded; clocks are in seconds."""
    found = []
    for minutes, seconds, figure, scale in _NUMBER.findall(text):
        if minutes:
            found.append((int(minutes) * 60.0 + int(seconds), 1.0))
            continue
        clean = re.sub(r"[\u202f\u00a0' ]", "", figure)
        clean = clean.replace(",", "" if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", clean) else ".")
        decimals = len(clean.partition(".")[2])
        unit = _SCALE[scale]
        found.append((float(clean) * unit, unit * 0.51 * 10**-decimals if scale else 0.0))
    return found


@dataclass(frozen=True)
class Verdict:
    """How one question was answered: its fields, each with whether the answer held it."""

    topic: str
    question: str
    fields: tuple[tuple[str, bool], ...]
    model_calls: int
    ms: float

    @property
    def exact(self) -> int:
        """How many fields were held."""
        return sum(right for _, right in self.fields)
