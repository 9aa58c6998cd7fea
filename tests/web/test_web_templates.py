"""What `ruleplay new` writes is in the page once it is installed: its view, words and buttons."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.web.reading import converse
from tests.web.test_web_restart import free_port, serving

from ruleplay.cli.scaffold.writing import templates, write_package

SAID = {
    "duel": ("I draw 2", "Matches left"),
    "chat": ("Note: buy bread", "buy bread"),
    "tools": ("How large is Mars?", "Kilometres across"),
}


def test_what_each_begins_with_is_shown(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(SAID) == set(templates())
    site = tmp_path / "site"
    for template in SAID:
        name = f"my_{template}"
        write_package(name, template, tmp_path / name)
        info = site / f"{name}-0.1.0.dist-info"
        info.mkdir(parents=True)
        (tmp_path / name / name).rename(site / name)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
        point = f"[ruleplay.agents]\n{name} = {name}.agent:AGENT\n"
        (info / "entry_points.txt").write_text(point)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), *sys.path]))
    port = free_port()
    errors: list[str] = []
    context = browser.new_context(base_url=f"http://127.0.0.1:{port}", locale="en-GB")
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = context.new_page()
    with serving(tmp_path / "home", port):
        for template, (said, shown) in SAID.items():
            page.goto(f"/a/my_{template}")
            page.get_by_role("button", name="Start the session").click()
            converse(page, said)
            expect(page.locator(".session")).to_contain_text(shown)
            expect(page.locator(".session h3, .session table").first).to_be_visible()
        page.goto("/")
        expect(page.locator("li.agent[data-agent='my_duel']")).to_contain_text("Seat: user")
    context.close()
    assert errors == []
