"""Programs written for Node: their own clients against a server on a port."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from tests.server.streaming import SECONDS, Life, Lives, Losing

WEB = Path(__file__).parents[2] / "web"


async def drive(life: Life, script: str, *arguments: str) -> None:
    """Run a script of `web/doors` against a server; skipped where its packages are missing."""
    node = shutil.which("node")
    package = {"openai.mjs": "openai", "agui.mjs": "@ag-ui/client"}[script]
    if node is None or not (WEB / "node_modules" / package).exists():
        if "chromium" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail(f"node with {package}: make setup")
        pytest.skip(f"node with {package}: make setup")
    running = await asyncio.create_subprocess_exec(
        node,
        str(WEB / "doors" / script),
        life.url,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(SECONDS * 2):
            told, _ = await running.communicate()
    finally:
        if running.returncode is None:
            running.kill()
    assert running.returncode == 0, told.decode()[-3_000:]


async def test_openais_client_for_node(lives: Lives) -> None:
    life = await lives.start()
    async with Losing(life.url).open() as wire:
        await drive(life, "openai.mjs", wire.url)
        assert wire.lost == 1


async def test_ag_uis_client(lives: Lives) -> None:
    """The question names a model that is a slip of one in the demo's catalog."""
    await drive(await lives.start(), "agui.mjs", "Will PS90001822 fit my WDT780SAEM2?")
