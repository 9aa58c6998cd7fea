"""What a server's memory is taken by: `python -m benchmarks.memory`.

A server as users start it. Told is its resident memory at the start, after the first turn of each
agent, and after bodies and files that are made to be dear: nested, long, full of numbers and keys.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import httpx

AGENTS = ("parts", "raid", "saga", "party", "battle")
TIMES = 40
BOMBS = {
    "nested": b"[" * 999_000,
    "numbers": b"[" + b"1," * 499_000 + b"1]",
    "keys": b"{" + b",".join(b'"k%d":1' % n for n in range(80_000)) + b"}",
    "a long text": b'{"message":"' + b"a" * 990_000 + b'"}',
    "a long number": b"1e" + b"9" * 990_000,
}
LOG = b"|move|p1a: X|\n" * 500_000


def resident_mb(process: int) -> int:
    """Return a process's resident memory, in megabytes."""
    told = Path(f"/proc/{process}/status").read_text("ascii")
    found = re.search(r"VmRSS:\s+(\d+)", told)
    return int(found[1]) // 1024 if found else 0


def measured(url: str, process: int) -> dict[str, int]:
    """Return the memory after each step."""
    taken = {"at the start": resident_mb(process)}
    with httpx.Client(base_url=url, timeout=60) as client:
        sessions = {}
        for agent in AGENTS:
            made = client.post("/api/sessions", json={"agent": agent}).raise_for_status()
            sessions[agent] = f"/api/sessions/{made.json()['id']}/turns"
            client.post(sessions[agent], json={"message": "hello"}, headers={"Prefer": "wait"})
            taken[f"a turn of {agent}"] = resident_mb(process)
        for name, body in BOMBS.items():
            for _ in range(TIMES):
                kind = {"Content-Type": "application/json"}
                client.post(sessions["parts"], content=body, headers=kind)
            taken[f"{TIMES} times {name}"] = resident_mb(process)
        for _ in range(4):
            kind = {"Content-Type": "application/octet-stream"}
            client.post("/api/battle/reviews", content=LOG, headers=kind)
        taken["four long logs for review"] = resident_mb(process)
        for _ in range(150):
            look = {"message": "look about"}
            client.post(sessions["saga"], json=look, headers={"Prefer": "wait"})
        taken["150 turns"] = resident_mb(process)
    return taken


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    command = [sys.executable, "-m", "ruleplay.cli.main", "serve", "--port", "0", "--json"]
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "RULEPLAY_HOME": home}
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                url = json.loads(server.stdout.readline())["url"]
                result = {"resident_mb": measured(url, server.pid)}
            finally:
                server.terminate()
    told = {"command": "python -m benchmarks.memory", "date": f"{datetime.now(UTC):%Y-%m-%d}"}
    sys.stdout.write(json.dumps(told | {"result": result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
