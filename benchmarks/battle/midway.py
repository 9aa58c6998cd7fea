"""Talk to the agent in the middle of a battle: any messages, with any model, from one position.

    python -m benchmarks.battle.midway play --turn 8 --db FILE    # plays there, prints SESSION
    python -m benchmarks.battle.midway say SESSION --db FILE --model rules --say "garde Lugia"

`play` runs a battle on a local server until its choice of that turn, which it holds. `say` tries
messages out on a fork, one after another, so the position stays as it was. With `--file` each line
of JSON, `{"say": "…"}` or `{"say": ["…", "…"]}`, is a talk of its own; replies come as such lines.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from ruleplay.agents.battle.adapters.client import Client
from ruleplay.agents.battle.adapters.connection import Account, Connection
from ruleplay.agents.battle.adapters.contest import Chooser, Contest
from ruleplay.agents.battle.adapters.opponents import BaselineChooser
from ruleplay.agents.battle.adapters.player import PlaySettings, SessionChooser, battle_world
from ruleplay.agents.battle.adapters.server import LocalServer
from ruleplay.agents.battle.adapters.showdown_package import require_package
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.prompts import battle_state, numbered
from ruleplay.catalog import find_agent
from ruleplay.errors import Conflict
from ruleplay.kernel.host import Host
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.settings import Settings

FORMAT = "gen9randombattle"


class Pausing(SessionChooser):
    """Plays as usual up to a turn's choice, holds that and stops; `paused` has its position."""

    def __init__(self, host: Host, play: PlaySettings, turn: int) -> None:
        super().__init__(host, play)
        self._turn = turn
        self.paused = asyncio.get_running_loop().create_future()

    async def choose(self, contest: Contest) -> str:
        """Choose, or wait for ever once it is time to pause."""
        position = self._position(contest)
        if position.turn < self._turn or position.force_switch or len(position.legal) < 2:
            return await super().choose(contest)
        await self._memory_settled()
        await self._decide(contest, position, f"{contest.room}/paused", hold=True)
        self.paused.set_result((self._opened.id, position))
        await asyncio.Event().wait()
        return ""


async def play(turn: int, search_ms: int) -> Json:
    """Play a random battle against a baseline up to `turn`, and describe where it stands."""
    settings = Settings(model="rules")
    host = await Host.open(settings, find_agent)
    await (await battle_world(host)).prepare(FORMAT)
    package = await asyncio.to_thread(require_package, settings.home)
    pausing = Pausing(host, PlaySettings(search_ms=search_ms), turn)
    async with LocalServer(package) as server:
        sides = [
            Client(Connection(server.url, Account.guest(name)), partial(_same, one), format=FORMAT)
            for name, one in (("Ours", pausing), ("Theirs", BaselineChooser("heuristics")))
        ]
        async with sides[0] as us, sides[1] as them:
            playing = [
                asyncio.create_task(each)
                for each in (them.accept(us.name), us.challenge(them.name))
            ]
            await asyncio.wait({pausing.paused, *playing}, return_when=asyncio.FIRST_COMPLETED)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    if not pausing.paused.done():
        raise Conflict("the battle ended before that turn; play another")
    session, position = pausing.paused.result()
    view = await Session(host, session).view()
    await host.close()
    return {"session": session, **described(position), "decision": _decision(view)}


def _same(chooser: Chooser) -> Chooser:
    return chooser


def _decision(view: Json) -> Json:
    """Take what is held now out of a view."""
    decision = view["decision"]
    kept = ("order", "wire", "value", "held")
    return {key: decision[key] for key in kept} if isinstance(decision, dict) else {}


def described(position: Position) -> Json:
    """Describe a position in words."""
    legal = numbered(position.legal, position).replace("\n", "; ")
    return {"turn": position.turn, "position": battle_state(position), "legal": legal}


async def say(session: str, model: str, talks: Sequence[Sequence[str]]) -> None:
    """Play each talk from the pause, and print a line of JSON for each message."""
    host = await Host.open(Settings(model=model), find_agent)
    for talk in talks:
        fork = await Session(host, session).fork()
        for message in talk:
            turn = await fork.turn(message)
            kinds = ", ".join(str(event["type"]) for event in turn.events)
            view = await fork.view()
            told: Json = {"model": model, "say": message, "reply": turn.reply, "events": kinds}
            held: Json = {"decision": _decision(view), "wishes": view["wishes"]}
            print(json.dumps({**told, **held}, ensure_ascii=False), flush=True)  # noqa: T201
    await host.close()


def _talks(file: Path | None, messages: Sequence[str]) -> Iterator[Sequence[str]]:
    for line in file.read_text(encoding="utf-8").splitlines() if file else ():
        said = json.loads(line)["say"]
        yield [said] if isinstance(said, str) else said
    if messages:
        yield messages


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    ways = parser.add_subparsers(required=True, dest="way")
    playing, saying = ways.add_parser("play"), ways.add_parser("say")
    for way in (playing, saying):
        way.add_argument("--db", type=Path, required=True, help="file of the battle's database")
    playing.add_argument("--turn", type=int, default=8)
    playing.add_argument("--search-ms", type=int, default=1_000)
    saying.add_argument("session")
    saying.add_argument("--say", action="append", default=[], help="messages of one talk")
    saying.add_argument("--file", type=Path)
    saying.add_argument("--model", default="rules")
    given = parser.parse_args()
    import os

    os.environ["RULEPLAY_DB"] = f"sqlite+aiosqlite:///{given.db.resolve()}"
    if given.way == "play":
        found = asyncio.run(play(given.turn, given.search_ms))
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    else:
        asyncio.run(say(given.session, given.model, [*_talks(given.file, given.say)]))


if __name__ == "__main__":
    main()
