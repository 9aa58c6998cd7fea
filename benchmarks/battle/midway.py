"""Play a battle up to a turn, to talk to the agent there.

    python -m benchmarks.battle.midway --turn 8 --db FILE    # prints the position and its `session`

The battle runs on a local server until its choice of that turn, which it holds. `benchmarks.blind`
says messages there, with any model: each row that has this `session` is played on a fork of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
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


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, required=True, help="file of the battle's database")
    parser.add_argument("--turn", type=int, default=8)
    parser.add_argument("--search-ms", type=int, default=1_000)
    given = parser.parse_args()
    import os

    os.environ["RULEPLAY_DB"] = f"sqlite+aiosqlite:///{given.db.resolve()}"
    found = asyncio.run(play(given.turn, given.search_ms))
    sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
