"""Translates the analyst's answers into French: headings, cells and sentences, by template.

Tools and headlines produce English, which is also what the model reads. `french.toml` holds the
vocabulary and the sentence templates; player names, spells and citations are left unchanged.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from ruleplay.agents.raid.domain.metrics import french_names

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_COUNT = frozenset("nmkdf")
"""Placeholders that stand for a number."""
_LINE = re.compile(r"(?P<mark>- |\d+\. )?(?P<body>.*?)(?P<cite>(?: \[r\d+\])?)", re.DOTALL)
_BOLD = re.compile(r"(\*\*.+?\*\*|[^*]+)")
_NUMBER = re.compile(
    r"(?<![\w.,:/-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?:(?=[kM]\b)|(?![\w/]|\.\d))"
)
_AT = re.compile(r" at (?=\d+(?:[:,]\d|\.\d| s))")
_BRACKETS = re.compile(r"\(([^()]+)\)")
_ELIDED = re.compile(r"\bde (?=(?i:[AEIOUÀÂÉÈÊÎÔÛ]))")
_RULE = re.compile(r"[| -]+")


@dataclass(frozen=True)
class Template:
    """A sentence template: a pattern for the English, and its French."""

    english: re.Pattern[str]
    french: str

    @property
    def bold(self) -> bool:
        """Whether part of it is bold."""
        return "**" in self.french


@dataclass(frozen=True)
class Catalogue:
    """All translations: words and whole sentences, then templates in matching order."""

    words: dict[str, str]
    templates: tuple[Template, ...]


@cache
def _told() -> dict[str, dict[str, str]]:
    text = files("ruleplay.agents.raid.domain").joinpath("french.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def catalogue() -> Catalogue:
    """Load the catalogue."""
    told = _told()
    whole = {en: fr for en, fr in told["sentences"].items() if not _PLACEHOLDER.search(en)}
    return Catalogue(
        words=told["titles"] | told["words"] | whole,
        templates=tuple(
            Template(_pattern(en), fr) for en, fr in told["sentences"].items() if en not in whole
        ),
    )


def _pattern(english: str) -> re.Pattern[str]:
    parts = (
        _group(part[1:-1]) if _PLACEHOLDER.fullmatch(part) else re.escape(part)
        for part in re.split(r"(\{\w+\})", english)
    )
    return re.compile("".join(parts), re.DOTALL)


def _group(name: str) -> str:
    what = r"\d[\d.,]*" if name in _COUNT else ".+?"
    if name == "measure":
        what = "|".join(sorted(map(re.escape, french_names()), key=len, reverse=True))
    return f"(?P<{name}>{what})"


def metric(name: str) -> str:
    """French name of a metric; the English one if it has no translation."""
    base, _, side = name.partition(" (")
    known = french_names().get(base, base)
    return f"{known} ({side}" if side else known


def render(text: str) -> str:
    """Translate a whole Markdown answer."""
    lines = text.split("\n")
    heads = {n for n, line in enumerate(lines[1:]) if line.startswith("|") and _is_rule(line)}
    return "\n".join(_line(line, head=number in heads) for number, line in enumerate(lines))


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None and "---" in line


def _line(line: str, *, head: bool) -> str:
    if line.startswith("| "):
        return line if _is_rule(line) else " | ".join(_cell(c, head) for c in line.split(" | "))
    found = _LINE.fullmatch(line)
    if not line or found is None:
        return line
    return f"{found['mark'] or ''}{sentence(found['body'])}{found['cite']}"


def _cell(cell: str, head: bool) -> str:
    edge, text = ("| ", cell[2:]) if cell.startswith("| ") else ("", cell)
    if head:
        known = metric(text)
        return edge + (known if known != text else catalogue().words.get(text, text))
    items = text.split(", ")
    known_items = [catalogue().words.get(item, "") for item in items]
    return edge + (", ".join(known_items) if all(known_items) else sentence(text))


def sentence(text: str) -> str:
    """Translate a line without its list mark and citation; if unknown, bold parts separately."""
    told = translated(text)
    if told is not None:
        return told
    parts = [_part(part) for part in _BOLD.findall(text)]
    return "".join(parts)


def _part(part: str) -> str:
    bare = part.strip()
    inner = bare[2:-2] if bare.startswith("**") and bare.endswith("**") and len(bare) > 4 else bare
    told = translated(inner) or _loose(inner)
    return part.replace(inner, told) if inner else part


@lru_cache(maxsize=4096)
def translated(text: str) -> str | None:
    """Translate a known word, sentence or template; None for anything else."""
    known = catalogue()
    if text in known.words:
        return known.words[text]
    for template in known.templates:
        found = template.english.fullmatch(text) if template.bold == ("**" in text) else None
        if found:
            values = {
                name: translated(value) or _loose(value)
                for name, value in found.groupdict().items()
            }
            if "measure" in values:
                measure = metric(found["measure"])
                values["Measure"] = measure[:1].upper() + measure[1:]
            return elided(template.french.format(**values))
    return None


def elided(text: str) -> str:
    """Write "d'" for "de" before a vowel."""
    return _ELIDED.sub("d'", text)


def _loose(text: str) -> str:
    """Translate what no template matches: times, known words in brackets, number formats."""
    name, colon, advice = text.partition(": ")
    if colon and advice in catalogue().words:
        return f"{name} : {catalogue().words[advice]}"
    return numbers(_BRACKETS.sub(_bracketed, _AT.sub(" à ", text)))


def _bracketed(found: re.Match[str]) -> str:
    items = [catalogue().words.get(item) for item in found[1].split(", ")]
    return f"({', '.join(map(str, items))})" if all(items) else found[0]


def numbers(text: str, language: str = "fr") -> str:
    """Reformat English numbers for French (`52 189,5`) or German (`52.189,5`)."""
    return _NUMBER.sub(lambda found: found[0].translate(signs(language)), text)


def signs(language: str) -> dict[int, int]:
    """Build the translation table for the comma and point of an English number."""
    return str.maketrans(",.", {"fr": "\u202f,", "de": ".,"}.get(language, ",."))
