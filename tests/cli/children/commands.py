"""Runs command lines from its input in this process; tells exit codes, and what told a key."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout

from ruleplay.cli.main import run

KEY = "owners-secret-key-71"


def main() -> None:
    """Run all, print one JSON object."""
    codes: Counter[int] = Counter()
    keys: list[str] = []
    defects: list[str] = []
    asked = json.load(sys.stdin)
    for line in asked:
        sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err):
            code = run(line)
        codes[code] += 1
        told = b"".join(one.buffer.getvalue() for one in (out, err) if not one.closed)
        if KEY.encode() in told:
            keys.append(" ".join(line))
        if code == 70:
            defects.append(" ".join(line))
    sys.__stdout__.write(json.dumps({"codes": codes, "keys": keys, "defects": defects}))


main()
