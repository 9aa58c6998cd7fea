"""The local Showdown server: up when it says so, gone when we are."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from pathlib import Path

import pytest

from ruleplay.agents.battle.adapters import showdown_package
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.errors import Unavailable

CHILD = """
    import asyncio, pathlib, sys
    from ruleplay.agents.battle.adapters.server import LocalServer

    async def main():
        async with LocalServer(pathlib.Path(sys.argv[1])) as server:
            print(server.port, flush=True)
            await asyncio.sleep(600)

    asyncio.run(main())
"""


async def answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def test_it_listens_while_it_is_used(showdown: Path) -> None:
    async with LocalServer(showdown) as server:
        assert await answers(server.port)
        assert server.url == f"ws://127.0.0.1:{server.port}/showdown/websocket"
    assert not await answers(server.port)


async def test_it_ends_with_a_killed_parent(showdown: Path) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        textwrap.dedent(CHILD),
        str(showdown),
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    port = int(await child.stdout.readline())
    assert await answers(port)
    os.kill(child.pid, signal.SIGKILL)
    await child.wait()
    async with asyncio.timeout(180):
        while await answers(port):
            await asyncio.sleep(0.1)


async def test_a_taken_port_is_told(showdown: Path) -> None:
    async with LocalServer(showdown) as first:
        with pytest.raises(Unavailable, match=f"port {first.port} is taken"):
            await LocalServer(showdown, first.port).start()


async def test_a_package_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="ruleplay setup battle"):
        await LocalServer(tmp_path, 0).start()


def test_without_node_and_npm_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="Node 20"):
        showdown_package.require_package(tmp_path)


def test_a_package_of_another_version_is_not_taken(tmp_path: Path) -> None:
    folder = showdown_package.package_folder(tmp_path)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"version": "0.0.1"}')
    assert showdown_package.find_package(tmp_path) is None
    (folder / "package.json").write_text(f'{{"version": "{showdown_package.VERSION}"}}')
    assert showdown_package.find_package(tmp_path) == folder


def test_a_failing_installation_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, body in (("node", "exit 0"), ("npm", "echo no such package >&2; exit 1")):
        (tools / name).write_text(f"#!/bin/sh\n{body}\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    with pytest.raises(Unavailable, match="no such package"):
        showdown_package.install_package(tmp_path / "home")
    assert list((tmp_path / "home").iterdir()) == []
