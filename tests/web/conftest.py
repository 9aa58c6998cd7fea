"""A browser, a server, and pages that tell when something went wrong in them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tests.web.stage import Profile, Site, Stage, launch, missing

from ruleplay.catalog import describe_agents

TESTS = Path(__file__).parent.parent
PATIENCE_MS = 120_000
"""How long is waited for what has to come, also on a busy machine."""
HARMLESS = re.compile(
    r"[./]js was preloaded using link preload|Service Worker registration blocked"
)
"""That a module came seconds before it was wanted, and what `Profile` asks for."""
# The agents that tests play are found as any installed distribution is.
sys.path[:0] = [str(TESTS / "cli" / "outside"), str(TESTS / "outside")]
expect.set_options(timeout=PATIENCE_MS)


class Watched:
    """What a browser context did that nobody should see: errors, and hosts that are not ours."""

    def __init__(self, context: BrowserContext) -> None:
        self.errors: list[str] = []
        self.hosts: set[str] = set()
        context.on("console", lambda told: self._heard(told.type, told.text))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not HARMLESS.search(text):
            self.errors.append(text)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Run Chromium once for all tests; skip by name where there is none or no page to look at."""
    if lacking := missing():
        if "chromium" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail(f"chromium: {lacking}")
        pytest.skip(f"chromium: {lacking}")
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="session")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Servers on one database, without the developer's own configuration."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEPLAY_TOML", os.devnull)
        for name in ("DB", "MODEL", "MODELS", "TOKEN", "SPENDING_CAP"):
            patch.delenv(f"RULEPLAY_{name}", raising=False)
        with Stage.open(tmp_path_factory.mktemp("home")) as opened:
            yield opened


@pytest.fixture(scope="session")
def site(stage: Stage) -> Site:
    """One server for all tests; each has sessions of its own."""
    describe_agents()  # imports every agent's packages, for which no test is to wait
    return stage.start()


@pytest.fixture
def forgiven() -> list[str]:
    """Words of console errors that a test expects; it adds them."""
    return []


@pytest.fixture
def context(
    browser: Browser, site: Site, forgiven: list[str], request: pytest.FixtureRequest
) -> Iterator[BrowserContext]:
    """A fresh profile, as `@pytest.mark.parametrize` asks for it.

    After the test its console has to be clean and no host but ours may have been asked.
    """
    asked: Profile = getattr(request, "param", Profile())
    opened = browser.new_context(
        base_url=site.url,
        locale=asked.locale,
        viewport={"width": asked.width, "height": asked.height},
        color_scheme=asked.color_scheme,
        reduced_motion=asked.reduced_motion,
        is_mobile=asked.phone,
        has_touch=asked.phone,
        service_workers=asked.service_workers,
    )
    opened.set_default_timeout(PATIENCE_MS)
    watched = Watched(opened)
    yield opened
    opened.close()
    assert [e for e in watched.errors if not any(word in e for word in forgiven)] == []
    assert {host.split(":")[0] for host in watched.hosts} <= {"127.0.0.1"}


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """One tab."""
    return context.new_page()
