"""Read Markdown in sections: a YAML header, then sections with fields and bilingual texts.

A section is `## kind key`, a fenced YAML block with its fields, and its texts under `### en` and
`### fr`. Further texts have a name: `### en failure`. One of several of a name has a key as well:
`### en avoided stealth` is `stealth` of the field `avoided_by`. All errors name file and line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ruleplay.errors import UserError
from ruleplay.records.events import Json
from ruleplay.story.yaml_source import Located

Model = TypeVar("Model", bound=BaseModel)
Own = TypeVar("Own")
LIMIT = 200_000
"""Most characters of a file."""
LANGUAGES = ("en", "fr")
TEXTS = ("text", "failure", "avoided", "avoided_by", "again")
"""Fields that a section holds as `###` texts, not in its YAML."""
_SECTION = re.compile(r"^## +(\w+) +([a-z0-9][a-z0-9-]*)\s*$")
_TEXT = re.compile(r"^### +(en|fr)(?: +(\w+(?: +[a-z0-9-]+)?))?\s*$")
_FRENCH_SPACE = re.compile(r"(?<=«) | (?=[»!?:;])")


def read_file(path: Path, limit: int = LIMIT) -> str:
    """Read a user's text file (UserError); `limit` is in characters of up to four bytes."""
    try:
        if not path.is_file() and path.exists():
            raise UserError(f"{str(path)!r} is not a file that ends")
        if path.stat().st_size > 4 * limit:
            raise UserError(f"{path.name}:1: too large; at most {limit:,} characters are read")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path.name}:1: not UTF-8 text") from error


def stories_in(folder: Path, noun: str, read: Callable[[Path], tuple[str, Own]]) -> dict[str, Own]:
    """Read a folder of stories by key (UserError); `noun` is what such a story is called."""
    if not folder.is_dir():
        raise UserError(f"no folder {str(folder)!r}; name one that holds {noun}s as .md files")
    found: dict[str, Own] = {}
    for path in sorted(folder.glob("*.md")):
        key, story = read(path)
        if key in found:
            raise UserError(f"{path.name}:2: {noun} {key!r} is also in another file")
        found[key] = story
    return found


def schemas_of(kinds: Mapping[str, type[BaseModel]]) -> Json:
    """Return the JSON Schema of the YAML of each kind of section, without its texts."""
    found: Json = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    for kind, model in kinds.items():
        schema = model.model_json_schema()
        fields = {k: v for k, v in schema["properties"].items() if k not in TEXTS}
        required = [name for name in schema.get("required", []) if name not in TEXTS]
        found[kind] = {**schema, "properties": fields, "required": required}
    return found


@dataclass
class Section:
    """A section as it is written in the file, not validated yet."""

    kind: str
    key: str
    line: int
    yaml: list[str] = field(default_factory=list)
    yaml_line: int = 0
    texts: dict[str, dict[str, list[str]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Sectioned:
    """A file cut into its header and its sections, in order."""

    file: str
    header: Located
    sections: tuple[Section, ...]

    def body(self, kinds: Mapping[str, type[BaseModel]]) -> dict[str, dict[str, BaseModel]]:
        """Validate the sections by the models of their kinds; kinds are keyed in the plural."""
        body: dict[str, dict[str, BaseModel]] = {}
        for section in self.sections:
            known = body.setdefault(f"{section.kind}s", {})
            known[section.key] = _read_section(section, self.file, kinds[section.kind])
        return body

    def assembled(self, model: type[Model], body: Mapping[str, object]) -> Model:
        """Validate header and body as one model (UserError with file and line)."""
        # Validators of the whole model can only name a section ("place inn: …"), so its line is
        # looked up here.
        try:
            return self.header.read(model, {**body})
        except UserError as error:
            cause = error.__cause__
            problem = ""
            if isinstance(cause, ValidationError):
                problem = cause.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            where, _, said = problem.partition(":")
            if self.line_of(where):
                raise self.error(where, said.strip()) from cause
            raise

    def error(self, where: str, problem: str) -> UserError:
        """Build an error about a section, such as `place inn`, with file and line."""
        return UserError(f"{self.file}:{self.line_of(where)}: {where}: {problem}")

    def line_of(self, where: str) -> int:
        """Return the line of the section called `where`, 0 if there is none."""
        return next((s.line for s in self.sections if f"{s.kind} {s.key}" == where), 0)


def read_sections(text: str, file: str, kinds: Sequence[str], noun: str) -> Sectioned:
    """Cut a file into sections of the given kinds (UserError with file and line).

    `noun` is what error messages call the file.
    """
    if len(text) > LIMIT:
        raise UserError(f"{file}:1: {len(text):,} characters; {noun} has at most {LIMIT:,}")
    lines = text.splitlines()
    end = _header_end(lines, file)
    header = Located("\n".join(lines[1:end]), file, first_line=2)
    cut = _Cut(file, kinds)
    for number, line in enumerate(lines[end + 1 :], end + 2):
        cut.take(number, line)
    return Sectioned(file, header, tuple(cut.sections))


def _header_end(lines: list[str], file: str) -> int:
    if not lines or lines[0].strip() != "---" or "---" not in lines[1:]:
        raise UserError(f"{file}:1: expected a header between two lines of ---")
    return lines.index("---", 1)


@dataclass
class _Cut:
    """Cuts the body line by line; `_into` is the list that the next line is added to."""

    file: str
    kinds: Sequence[str]
    sections: list[Section] = field(default_factory=list)
    _into: list[str] | None = None
    _fenced: bool = False

    def take(self, number: int, line: str) -> None:
        """Process one line (UserError if it belongs nowhere)."""
        section = _SECTION.match(line)
        text = _TEXT.match(line)
        if line.startswith("```"):
            self._fence(number)
        elif section and not self._fenced:
            self._open(section[1], section[2], number)
        elif text and not self._fenced and self.sections:
            said = self.sections[-1].texts.setdefault(text[2] or "text", {})
            self._into = said.setdefault(text[1], [])
        elif line.startswith("# ") and not self._fenced:
            self._into = None  # headings that group sections are ignored
        elif self._into is not None:
            self._into.append(line)
        elif line.strip():
            raise UserError(f"{self.file}:{number}: text outside a `### en` or `### fr` part")

    def _fence(self, number: int) -> None:
        if not self.sections:
            raise UserError(f"{self.file}:{number}: fields before the first section")
        self._fenced = not self._fenced
        self._into = self.sections[-1].yaml if self._fenced else None
        if self._fenced:
            self.sections[-1].yaml_line = number + 1

    def _open(self, kind: str, key: str, number: int) -> None:
        if kind not in self.kinds:
            known = ", ".join(self.kinds)
            raise UserError(f"{self.file}:{number}: no section kind {kind!r}; there are {known}")
        if any((known.kind, known.key) == (kind, key) for known in self.sections):
            raise UserError(f"{self.file}:{number}: {kind} {key!r} stands twice")
        self.sections.append(Section(kind, key, number))
        self._into = None


def _typeset(text: str, lang: str) -> str:
    """Make spaces in French text non-breaking within guillemets and before punctuation."""
    return _FRENCH_SPACE.sub("\u00a0", text) if lang == "fr" else text


def _paragraphs(lines: list[str]) -> str:
    blocks = "\n".join(line.strip() for line in lines).strip().split("\n\n")
    return "\n\n".join(" ".join(block.split()) for block in blocks if block.strip())


def _read_section(section: Section, file: str, model: type[Model]) -> Model:
    located = Located("\n".join(section.yaml) or "{}", file, section.yaml_line or section.line)
    texts: dict[str, object] = {}
    keyed: dict[str, dict[str, object]] = {}
    for name, said in section.texts.items():
        first, _, key = name.partition(" ")
        texts_of = keyed.setdefault(f"{first}_by", {}) if key else texts
        texts_of[key.strip() or first] = {
            lang: _typeset(_paragraphs(lines), lang) for lang, lines in said.items()
        }
        for lang in LANGUAGES:
            if not _paragraphs(said.get(lang, [])):
                raise UserError(
                    f"{file}:{section.line}: {section.kind} {section.key!r} has no text "
                    f"{'' if name == 'text' else f'{name!r} '}in {lang!r}"
                )
    return located.read(model, texts | keyed)
