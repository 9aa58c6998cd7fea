"""What an answer must hold, and whether it does: in its typed findings and in its words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from benchmarks.raid.nights.roster import REALM
from pydantic import BaseModel, ConfigDict

_NUMBER = re.compile(
    r"(?<![\w.])(\d{1,2}):(\d\d)(?:\.\d+)?(?!:)|"
    r"(\d{1,3}(?:\u202f\d{3})+(?:,\d+)?|\d{1,3}(?:[,\u00a0' ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    r"\s?([kM](?!\w))?"
)
_LABELS = re.compile(r"\[r\d+\]|\b(?:pulls?|reports?)\s*#?\s*[0-9a-f]+\b", re.IGNORECASE)
"""Numbers that label something and measure nothing: citations, pulls, report codes."""
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
    is one; `shown` is how far the words may round), `pull` for the pull that most findings are of,
    `set` for exactly the players `names` of whom the findings say `metric` is `name`. A finding's
    metric has to contain `metric` where that is given. `lead`: it has to be said before the tables,
    where everyone is listed and so anything could be found.
    """

    kind: Literal["who", "what", "number", "pull", "set"]
    label: str
    name: str = ""
    value: float = 0.0
    slack: float = 0.0
    shown: float = 0.0
    metric: str = ""
    names: tuple[str, ...] = ()
    lead: bool = True

    def held_by(self, answer: Answer) -> bool:
        """Tell whether the findings and the words both hold it."""
        return self.found_in(answer.findings) and self.told_in(answer.reply)

    def found_in(self, findings: tuple[Finding, ...]) -> bool:
        """Tell whether a finding holds it."""
        if self.kind == "pull":
            pulls = Counter(finding.pull for finding in findings if finding.pull is not None)
            return bool(pulls) and pulls.most_common(1)[0][0] == self.value
        if self.kind == "set":
            said = [f for f in findings if f.metric == self.metric and f.value == self.name]
            return {plain(f.player) for f in said} == {plain(name) for name in self.names}
        about = [finding for finding in findings if self.metric in finding.metric]
        if self.kind == "number":
            return any(self._is_it(finding) for finding in about)
        return any(self.name_in(finding) for finding in about)

    def _is_it(self, finding: Finding) -> bool:
        if isinstance(finding.value, str) or abs(finding.value - self.value) > self.slack:
            return False
        return not self.name or self.name_in(finding)

    def name_in(self, finding: Finding) -> bool:
        """Tell whether a finding names it; realms, accents and capitals do not matter."""
        said = (finding.player, finding.aspect, str(finding.value))
        return any(plain(self.name) in plain(text) for text in said)

    def told_in(self, reply: str) -> bool:
        """Tell whether the words hold it, where `lead` wants them."""
        if self.lead:
            reply = lead_of(reply)
        if self.kind == "set":
            return all(plain(name) in plain(reply) for name in self.names)
        if self.kind == "pull":
            words = r"(?:pull|try|attempt|fight|essai|tentative)"
            return bool(re.search(rf"\b{words}\s*#?\s*{int(self.value)}\b", reply, re.IGNORECASE))
        if self.kind == "number":
            reply = _LABELS.sub(" ", reply)
            return any(
                abs(number - self.value) <= max(self.slack, self.shown, rounded)
                for number, rounded in numbers(reply)
            )
        return plain(self.name) in plain(reply)


def lead_of(reply: str) -> str:
    """Return the words before the first table."""
    lines = reply.splitlines()
    first = next((n for n, line in enumerate(lines) if line.startswith("|")), len(lines))
    return "\n".join(lines[:first])


def plain(text: str) -> str:
    """Return text without realms, accents and capitals."""
    bare = unicodedata.normalize("NFKD", text.replace(f"-{REALM}", ""))
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
