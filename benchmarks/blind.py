"""Messages of strangers, played with two models and judged without knowing which is which.

    python -m benchmarks.blind play ROWS --model rules --db URL --out rules.jsonl
    python -m benchmarks.blind play ROWS --model URL [--model URL …] --db URL --out strong.jsonl
    python -m benchmarks.blind sheet rules.jsonl strong.jsonl FOLDER
    python -m benchmarks.blind count FOLDER

A row has `id`, `agent`, `lang`, `say` and `meant`; it may have `config`, `seat`, `before` (messages
or actions played first, by the rules alone), `session` (of the database: its fork is played on
instead of a new one) and `follows` (said straight after the row before).
`play` adds `reply`, and `shown`, what the seat was told before. With several models a dialogue
keeps to one. `sheet` writes `sheet.jsonl`, where the two replies are `A` and `B` by a coin, and
`key.json`. Whoever judges writes `verdicts.jsonl`: `{"id", "A", "B", "better", "why"}` with A and B
one of `VERDICTS` and `better` A, B or equal; `count` says which model got what.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from ruleplay.catalog import find_agent
from ruleplay.kernel.autoplay import Pace, play_on
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.turns import Turn, whole_reply
from ruleplay.settings import Settings

Row = dict[str, Any]
VERDICTS = ("right", "clumsy", "asked", "misread", "ignored", "wrong", "refused", "other")
COIN = 20
"""Seed of which reply is called A."""


def read(path: Path) -> list[Row]:
    """Read a JSON Lines file."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def dialogues(rows: Iterable[Row]) -> list[list[Row]]:
    """Put each row together with those that follow it."""
    found: list[list[Row]] = []
    for row in rows:
        if row.get("follows") and found:
            found[-1].append(row)
        else:
            found.append([row])
    return found


async def play(rows: Sequence[Row], settings: Settings, models: Sequence[str]) -> list[Row]:
    """Play all dialogues, at most one per model at a time; each row gets its `reply`."""
    free: asyncio.Queue[str] = asyncio.Queue()
    for model in models:
        free.put_nowait(model)

    async def one(dialogue: Sequence[Row]) -> list[Row]:
        model = await free.get()
        try:
            return await played(dialogue, settings, model)
        finally:
            free.put_nowait(model)
            sys.stderr.write(f"{dialogue[0]['id']} played\n")

    done = await asyncio.gather(*(one(dialogue) for dialogue in dialogues(rows)))
    return [row for dialogue in done for row in dialogue]


async def played(dialogue: Sequence[Row], settings: Settings, model: str) -> list[Row]:
    """Play one dialogue in a session of its own; the rules play what is not its person's."""
    first, found = dialogue[0], list[Row]()
    seat, lang = first.get("seat", ""), {"lang": first["lang"]}
    config = {**(lang if first["agent"] in {"saga", "party"} else {}), **first.get("config", {})}
    async with hosts(settings, "rules", model) as (by_rules, host):
        begun = first.get("session")
        head = await (by_rules.fork(begun) if begun else by_rules.create(first["agent"], config))
        rules = Session(by_rules, head.id)
        shown = await others(rules, seat)
        for words in first.get("before", ()):
            shown += [await said(rules, words, seat), *await others(rules, seat)]
        for row in dialogue:
            reply = await said(Session(host, rules.id), row["say"], seat)
            found.append({**row, "shown": shown, "session": rules.id, "reply": reply})
            shown = await others(rules, seat)
    return found


@asynccontextmanager
async def hosts(settings: Settings, *models: str) -> AsyncIterator[list[Host]]:
    """Open a host for each model, on the same database."""
    opened = [
        await Host.open(settings.model_copy(update={"model": model}), find_agent)
        for model in models
    ]
    try:
        yield opened
    finally:
        for host in opened:
            await host.close()


async def others(session: Session, seat: str) -> list[str]:
    """Let the other seats move until `seat` must; returns what it was told."""
    told: list[str] = []
    if not seat:
        return told
    async for step in play_on(session.host, session.id, Pace(rounds=3)):
        if step.turn:
            told.append(heard(step.turn, seat))
        if step.stage == "waiting":
            break
    return told


async def said(session: Session, words: str | Mapping[str, Any], seat: str) -> str:
    """Say something, or act; returns the reply and what its seat was told beside it."""
    message = words if isinstance(words, str) else ""
    action = None if isinstance(words, str) else dict(words)
    try:
        turn = await session.turn(message, action=action, seat=seat)
    except Exception as error:  # noqa: BLE001 -- an error is what its user would have read
        return f"error: {error}"
    return heard(turn, seat)


def heard(turn: Turn, seat: str) -> str:
    """Return what a seat reads of a turn."""
    return whole_reply(turn, seat).strip()


def sheet(rules: Sequence[Row], strong: Sequence[Row], folder: Path) -> None:
    """Write the replies side by side and unnamed, and apart from them which is whose."""
    coin, key, lines = random.Random(COIN), {}, []
    others = {row["id"]: row for row in strong}
    for row in rules:
        pair = [("rules", row["reply"]), ("strong", others[row["id"]]["reply"])]
        coin.shuffle(pair)
        key[row["id"]] = [name for name, _ in pair]
        told = {name: row[name] for name in ("id", "agent", "lang", "say", "meant")}
        told |= {"follows": bool(row.get("follows")), "shown before": row["shown"][-2:]}
        lines.append({**told, "A": pair[0][1], "B": pair[1][1]})
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "sheet.jsonl", lines)
    (folder / "key.json").write_text(json.dumps(key, indent=1))


def count(folder: Path) -> dict[str, Any]:
    """Count verdicts by agent and model; beside them writes `judged.jsonl`, texts and verdicts."""
    key = json.loads((folder / "key.json").read_text())
    texts = {row["id"]: row for row in read(folder / "sheet.jsonl")}
    tallies: dict[str, dict[str, Counter[str]]] = {}
    judged = []
    for verdict in read(folder / "verdicts.jsonl"):
        text, names = texts[verdict["id"]], dict(zip("AB", key[verdict["id"]], strict=True))
        mine = tallies.setdefault(text["agent"], {})
        found = {names[side]: verdict[side] for side in "AB"}
        better = names.get(verdict["better"], "equal")
        for name, value in (*found.items(), ("better", better)):
            mine.setdefault(name, Counter())[value] += 1
        replies = {names[side]: text[side] for side in "AB"}
        kept = {name: value for name, value in text.items() if name not in "AB"}
        verdicts = {**found, "better": better}
        judged.append({**kept, **replies, "verdicts": verdicts, "why": verdict.get("why", "")})
    write(folder / "judged.jsonl", judged)
    return {agent: {name: dict(c) for name, c in found.items()} for agent, found in tallies.items()}


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a JSON Lines file."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def main() -> None:
    """Run one of the three steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    one = steps.add_parser("play")
    one.add_argument("rows", type=Path)
    one.add_argument("--model", action="append", required=True)
    one.add_argument("--db", required=True)
    one.add_argument("--out", type=Path, required=True)
    two = steps.add_parser("sheet")
    for name in ("rules", "strong", "folder"):
        two.add_argument(name, type=Path)
    steps.add_parser("count").add_argument("folder", type=Path)
    asked = parser.parse_args()
    if asked.step == "play":
        settings = Settings(db=asked.db)
        write(asked.out, asyncio.run(play(read(asked.rows), settings, asked.model)))
    elif asked.step == "sheet":
        sheet(read(asked.rules), read(asked.strong), asked.folder)
    else:
        sys.stdout.write(json.dumps(count(asked.folder), indent=1) + "\n")


if __name__ == "__main__":
    main()
