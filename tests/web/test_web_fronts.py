"""Agents' own pages: what begins there is picked by what it is, in the reader's language."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.web.stage import Profile
from tests.web.test_web_raid import Logs, logs

from ruleplay.agents.party.adapters.character_source import shipped_sheets
from ruleplay.agents.party.adapters.library import FIRST, shipped_adventures

__all__ = ["logs"]
PARTY = Path(__file__).parents[2] / "src/ruleplay/agents/party/page/party"
SHIPPED = """
const { readFileSync } = await import('node:fs');
const { words } = await import(process.argv[1] + '/words.js');
const text = readFileSync(process.argv[1] + '/front.js', 'utf8');
const list = (name) => new RegExp(`${name} = (.*);`).exec(text)[1];
const keys = (name) => JSON.parse(list(name).replaceAll("'", '"'));
const [adventures, characters] = ['ADVENTURES', 'CHARACTERS'].map(keys);
console.log(JSON.stringify({ adventures, characters, words }));
"""


def test_the_partys_page_knows_what_ships() -> None:
    command = ["node", "--input-type=module", "-e", SHIPPED, str(PARTY)]
    known = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    shelf = shipped_adventures()
    assert known["adventures"][0] == FIRST
    assert set(known["adventures"]) == set(shelf)
    assert set(known["characters"]) == set(shipped_sheets())
    for key, shelved in shelf.items():
        for lang in ("en", "fr"):
            title, pitch = (
                getattr(shelved.adventure, name).of(lang) for name in ("title", "pitch")
            )
            told = known["words"][lang]
            assert told[f"front.{key}"] == title
            assert told[f"front.{key}.pitch"] == pitch.replace("'", "’")


@pytest.mark.parametrize("context", [Profile(locale="fr-FR")], indirect=True)
def test_a_table_is_laid_from_an_adventure_and_portraits(page: Page) -> None:
    page.goto("/a/party")
    page.get_by_role("radio", name="Le Verger de verre").check()
    page.get_by_role("checkbox", name="Pell").uncheck()
    page.get_by_role("button", name="Dresser la table").click()
    expect(page.locator(".panel .party")).to_contain_text("Le Verger de verre")
    expect(page.locator(".table-bar li")).to_have_count(4)
    expect(page.locator(".table-bar")).not_to_contain_text("Pell")


def test_a_night_is_pressed_to_talk_about_it(page: Page, logs: Logs) -> None:
    page.goto("/a/raid")
    page.locator(".reports button").first.click()
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
    expect(page.locator(".plot svg").first).to_be_visible()
