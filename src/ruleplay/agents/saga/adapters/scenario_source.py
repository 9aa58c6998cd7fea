"""Scenarios in Markdown: a header, then a section for each place, person, talk, deed and so on.

A section is `## kind key`, a fenced YAML block with its fields, and its texts under `### en` and
`### fr`; further texts have a name: `### en failure`. Every problem is told with file and line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pydantic import ValidationError

from ruleplay.agents.saga.adapters.located import Located
from ruleplay.agents.saga.domain.rulebook import Rulebook
from ruleplay.agents.saga.domain.scenario import (
    Deed,
    Encounter,
    Ending,
    Person,
    Place,
    Scenario,
    Secret,
    Talk,
)
from ruleplay.agents.saga.domain.texts import Frozen
from ruleplay.foundation.errors import UserError

KINDS: dict[str, type[Frozen]] = {
    "place": Place,
    "person": Person,
    "talk": Talk,
    "deed": Deed,
    "secret": Secret,
    "encounter": Encounter,
    "ending": Ending,
}
LIMIT = 200_000
"""Characters of a scenario file."""
_SECTION = re.compile(r"^## +(\w+) +([a-z0-9][a-z0-9-]*)\s*$")
_TEXT = re.compile(r"^### +(en|fr)(?: +(\w+))?\s*$")


@dataclass
class Section:
    """A section as it stands in the file."""

    kind: str
    key: str
    line: int
    yaml: list[str] = field(default_factory=list)
    yaml_line: int = 0
    texts: dict[str, dict[str, list[str]]] = field(default_factory=dict)


def read_scenario(text: str, file: str, rules: Rulebook) -> Scenario:
    """Read one scenario; UserError names file and line of the first thing that is wrong."""
    if len(text) > LIMIT:
        raise UserError(f"{file}:1: {len(text):,} characters; a scenario has at most {LIMIT:,}")
    lines = text.splitlines()
    end = _header_end(lines, file)
    header = Located("\n".join(lines[1:end]), file, first_line=2)
    sections = _sections(lines, end + 1, file)
    body: dict[str, dict[str, Frozen]] = {}
    for section in sections:
        known = body.setdefault(f"{section.kind}s", {})
        known[section.key] = _read_section(section, file)
    scenario = _assembled(header, body, sections, file)
    for where, problem in scenario.unknown_rules(rules):
        raise UserError(f"{file}:{_line_of(where, sections)}: {where}: {problem}")
    return scenario


def _header_end(lines: list[str], file: str) -> int:
    if not lines or lines[0].strip() != "---" or "---" not in lines[1:]:
        raise UserError(f"{file}:1: expected a header between two lines of ---")
    return lines.index("---", 1)


def _sections(lines: list[str], start: int, file: str) -> list[Section]:
    """Cut the body into sections, with fields and texts apart."""
    cut = _Cut(file)
    for number, line in enumerate(lines[start:], start + 1):
        cut.take(number, line)
    return cut.sections


@dataclass
class _Cut:
    """The body being cut: where the next line goes."""

    file: str
    sections: list[Section] = field(default_factory=list)
    _into: list[str] | None = None
    _fenced: bool = False

    def take(self, number: int, line: str) -> None:
        """Put a line where it belongs (UserError when it belongs nowhere)."""
        section = _SECTION.match(line)
        text = _TEXT.match(line)
        if line.startswith("```"):
            self._fence(number)
        elif section and not self._fenced:
            self._open(section[1], section[2], number)
        elif text and not self._fenced and self.sections:
            said = self.sections[-1].texts.setdefault(text[2] or "text", {})
            self._into = said.setdefault(text[1], [])
        elif self._into is not None:
            self._into.append(line)
        elif line.strip() and not line.startswith("# "):
            raise UserError(f"{self.file}:{number}: text outside a `### en` or `### fr` part")

    def _fence(self, number: int) -> None:
        if not self.sections:
            raise UserError(f"{self.file}:{number}: fields before the first section")
        self._fenced = not self._fenced
        self._into = self.sections[-1].yaml if self._fenced else None
        if self._fenced:
            self.sections[-1].yaml_line = number + 1

    def _open(self, kind: str, key: str, number: int) -> None:
        if kind not in KINDS:
            known = ", ".join(KINDS)
            raise UserError(f"{self.file}:{number}: no section kind {kind!r}; there are {known}")
        if any((known.kind, known.key) == (kind, key) for known in self.sections):
            raise UserError(f"{self.file}:{number}: {kind} {key!r} stands twice")
        self.sections.append(Section(kind, key, number))
        self._into = None


def _paragraphs(lines: list[str]) -> str:
    blocks = "\n".join(line.strip() for line in lines).strip().split("\n\n")
    return "\n\n".join(" ".join(block.split()) for block in blocks if block.strip())


def _read_section(section: Section, file: str) -> Frozen:
    located = Located("\n".join(section.yaml) or "{}", file, section.yaml_line or section.line)
    texts: dict[str, object] = {}
    for name, said in section.texts.items():
        texts[name] = {lang: _paragraphs(lines) for lang, lines in said.items()}
        for lang in ("en", "fr"):
            if not _paragraphs(said.get(lang, [])):
                raise UserError(
                    f"{file}:{section.line}: {section.kind} {section.key!r} has no text "
                    f"{'' if name == 'text' else f'{name!r} '}in {lang!r}"
                )
    return located.read(KINDS[section.kind], texts)


def _assembled(
    header: Located, body: dict[str, dict[str, Frozen]], sections: list[Section], file: str
) -> Scenario:
    try:
        return header.read(Scenario, {**body})
    except UserError as error:
        cause = error.__cause__
        problem = ""
        if isinstance(cause, ValidationError):
            problem = cause.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        where = problem.partition(":")[0]
        if line := _line_of(where, sections):
            raise UserError(f"{file}:{line}: {problem}") from cause
        raise


def _line_of(where: str, sections: list[Section]) -> int:
    """Return the line of the section that a problem names, 0 when it names none."""
    return next((s.line for s in sections if f"{s.kind} {s.key}" == where), 0)
