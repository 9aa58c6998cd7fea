"""How soon the web page can be used on a busy machine: `python -m benchmarks.page`.

Chromium with an empty profile opens the page of a real server while two processes keep both cores
busy; the time runs until the first agent's link is there. Needs Chromium and Playwright.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter

from playwright.sync_api import sync_playwright

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
LOADS = 5


def busy() -> None:
    """Keep a core busy until killed."""
    while True:
        pass


@contextmanager
def serving(home: str) -> Iterator[str]:
    """Run a server of its own and yield its address."""
    command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
    env = {**os.environ, "RULEPLAY_HOME": home}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield str(json.loads(server.stdout.readline())["url"])
        server.terminate()


def load(url: str) -> float:
    """Open the page in a fresh browser; milliseconds until it can be used."""
    chromium = os.environ.get("RULEPLAY_CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = browser.new_page()
        began = perf_counter()
        page.goto(url, wait_until="commit")
        page.get_by_role("link", name="Appliance parts").first.wait_for()
        took = (perf_counter() - began) * 1000
        browser.close()
    return round(took)


def main() -> None:
    """Print the times of some cold loads."""
    burners = [multiprocessing.Process(target=busy, daemon=True) for _ in range(2)]
    with tempfile.TemporaryDirectory() as home, serving(home) as url:
        for burner in burners:
            burner.start()
        try:
            times = [load(url) for _ in range(LOADS)]
        finally:
            for burner in burners:
                burner.kill()
    told = {
        "command": "python -m benchmarks.page",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": 2},
        "result": {"interactive_ms": times},
    }
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
