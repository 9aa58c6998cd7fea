"""What anybody can look at before a part is bought, by the symptom of an appliance."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, zip_longest

from ruleplay.agents.parts.domain.descriptions import parts_named
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.symptoms import other_names

MOST = 3
"""Most checks that are suggested at once."""


def free_checks(
    symptoms: Iterable[str], appliance: str, denied: Sequence[str], language: str
) -> list[str]:
    """List what to look at, for each symptom in turn; nothing that was `denied` or done."""
    out = {noun.terms[0] for quote in denied for noun in parts_named(quote, language)}
    found = zip_longest(*(_known(one, appliance, language) for one in symptoms))
    once = dict.fromkeys(filter(None, chain.from_iterable(found)))
    return [one for one in once if not out & _named(one, language)][:MOST]


def _known(symptom: str, appliance: str, language: str) -> list[str]:
    names = [fold(one) for one in (symptom, *other_names(symptom))]
    keys = [key for name in names for key in (f"{appliance} {name}", name)]
    entry = next((_checks()[key] for key in keys if key in _checks()), {})
    return entry.get(language, entry.get("en", []))


def _named(check: str, language: str) -> set[str]:
    return {term for noun in parts_named(check, language) for term in noun.terms}


@cache
def _checks() -> dict[str, dict[str, list[str]]]:
    text = files("ruleplay.agents.parts.domain").joinpath("checks.toml").read_text("utf-8")
    entries: dict[str, dict[str, list[str]]] = tomllib.loads(text)
    also = {name: entry for entry in entries.values() for name in entry.get("also", [])}
    return entries | also
