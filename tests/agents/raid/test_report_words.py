"""The night's document in every language: each id is there, and no English is left."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.agents.raid.demo_home import demo_nights

import ruleplay.agents.raid.view.words as words_module
from ruleplay.agents.raid.domain.columns import SLOTS
from ruleplay.agents.raid.domain.reference import tables
from ruleplay.agents.raid.domain.toolbox import BY_NAME
from ruleplay.agents.raid.tools.night import PREPARED, PULL, WHOLE, gather_night
from ruleplay.agents.raid.view.night import Page, html, markdown
from ruleplay.agents.raid.view.words import LANGUAGES, Words

TEXTS = tomllib.loads(Path(words_module.__file__).with_name("words.toml").read_text("utf-8"))
OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(scope="module")
def page() -> Page:
    _, nights = demo_nights()
    return gather_night(nights.reports)


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_there_with_the_same_values(language: str) -> None:
    for ident, text in TEXTS["en"].items():
        assert ident in TEXTS[language], ident
        if not ident.startswith("fix."):
            told = set(re.findall(r"{(\w+)}", TEXTS[language][ident]))
            assert told == set(re.findall(r"{(\w+)}", text)), ident
    assert set(TEXTS["fr"]) == set(TEXTS["de"])


@pytest.mark.parametrize("language", OTHERS)
def test_columns_and_cells_of_a_fixed_set_have_ids(language: str, page: Page) -> None:
    known = TEXTS[language]
    named = {m.column for tool in (*WHOLE, *PULL, *PREPARED) for m in BY_NAME[tool].metrics}
    shown = {name for row in rows(page) for name in Words(language).row(row)}
    assert {name for name in named | shown if not Words(language).column(name, "")} == set()
    cells = {*SLOTS, *(one.class_ for one in tables.specs()), *(s.spec for s in tables.specs())}
    cells |= {one.detail for one in tables.boss_spells() if one.kind == "avoidable"}
    assert {cell for cell in cells if cell and f"cell.{cell}" not in known} == set()


def rows(page: Page) -> Iterator[dict[str, object]]:
    for outcomes in (page.whole, *page.pulls.values()):
        for outcome in outcomes.values():
            yield from map(dict, outcome.rows)


@pytest.mark.parametrize(
    ("language", "said", "number"),
    [("fr", "Pourquoi le raid est tombé", "\u202f"), ("de", "Woran der Schlachtzug starb", ".")],
)
def test_a_report_speaks_one_language(page: Page, language: str, said: str, number: str) -> None:
    text = html(page, Words(language))
    assert text.startswith(f'<!doctype html>\n<html lang="{language}">')
    assert said in text
    details = page.pulls[1]["get_fight_details"].rows
    best = max(int(str(row["damage"])) for row in details)
    assert f"{best:,}".replace(",", number) in text
    visible = re.sub(r"<style>.*?</style>|<[^>]+>", " ", text, flags=re.S).casefold()
    for english in (
        *("deaths", "healer", "missing", "wipe cause", "damage taken", "the end", "log lines"),
        *("leave the", "keep casting", "warrior", "hunter", "duration", "yes", "chest", "flask\n"),
    ):
        assert not re.search(rf"\b{english}\b", visible), english
    assert said in markdown(page, Words(language))


def test_english_says_what_it_always_said(page: Page) -> None:
    text = markdown(page)
    assert "## Pull 1: " in text
    assert "Log lines " in text
    assert "### Why it was a wipe" in text
