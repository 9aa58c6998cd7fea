"""A small real server that speaks Warcraft Logs' OAuth and v2 GraphQL schema, on loopback.

It serves one report, made of a log's lines: the reverse of what the importer does.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from benchmarks import raid_totals

CODE = "aBcD1234eFgH5678"
Json = dict[str, object]
Answer = tuple[int, dict[str, str], bytes]
_AURA = {"APPLIED": "apply", "REMOVED": "remove", "REFRESH": "refresh"}
_MISS = {"MISS": 0, "DODGE": 7, "PARRY": 8, "RESIST": 14}


@dataclass
class WclReport:
    """A report as the service keeps it."""

    start: int = 1_794_000_000_000
    actors: dict[str, Json] = field(default_factory=dict)
    abilities: dict[int, Json] = field(default_factory=dict)
    fights: list[Json] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)

    def actor(self, guid: str, name: str) -> int:
        """Return the number of a unit, making it known; the null unit is -1."""
        if guid == "0000000000000000":
            return -1
        if guid not in self.actors:
            kind = guid.partition("-")[0]
            npc = int(guid.split("-")[5]) if kind != "Player" else 0
            self.actors[guid] = {
                "id": len(self.actors) + 1,
                "gameID": npc,
                "name": name.strip('"'),
                "type": {"Player": "Player", "Pet": "Pet"}.get(kind, "NPC"),
                "subType": "Mage" if kind == "Player" else "NPC",
                "petOwner": None,
            }
        return int(str(self.actors[guid]["id"]))

    def spell(self, parts: list[str]) -> int:
        """Return an ability's number, making it known."""
        number = int(parts[0])
        school = int(parts[2], 0)
        row = {"gameID": number, "name": parts[1].strip('"'), "type": str(school)}
        return int(str(self.abilities.setdefault(number, row)["gameID"]))


def from_lines(lines: list[str]) -> WclReport:
    """Make the report that the service would keep of a log."""
    report = WclReport()
    first: int | None = None
    for line in lines:
        stamp, _, text = line.rstrip("\n").partition("  ")
        event, *parts = raid_totals.fields(text)
        ms = raid_totals.milliseconds(stamp.split(" ")[1])
        first = ms if first is None else first
        _add(report, ms - first, event, parts)
    return report


def _add(report: WclReport, ms: int, event: str, parts: list[str]) -> None:
    if event == "ENCOUNTER_START":
        fight: Json = {"id": len(report.fights) + 1, "encounterID": int(parts[0])}
        named = {"name": parts[1].strip('"'), "startTime": ms, "endTime": ms}
        report.fights.append(fight | named | {"difficulty": 4, "size": 25, "kill": False})
    elif event == "ENCOUNTER_END":
        report.fights[-1] |= {"endTime": ms, "kill": parts[4] == "1"}
    elif event in ("SWING_DAMAGE_LANDED", "PARTY_KILL") or not event.startswith(
        ("SWING", "SPELL", "RANGE", "DAMAGE", "UNIT")
    ):
        return
    else:
        ends: Json = {
            "sourceID": report.actor(parts[0], parts[1]),
            "targetID": report.actor(parts[4], parts[5]),
        }
        made = _event(report, event, parts)
        if event == "SPELL_ABSORBED":
            made = _absorbed(report, parts[8:]) | {"attackerID": ends["sourceID"]}
        if made is not None:
            report.events.append({"timestamp": ms, **ends, **made})


def _event(report: WclReport, event: str, parts: list[str]) -> Json | None:
    rest = parts[8:]
    if event == "SPELL_ABSORBED":
        return None
    if event == "UNIT_DIED":
        return {"type": "death"}
    if event == "SWING_DAMAGE":
        _own(report, rest)
        return _damage(rest[18:]) | {"abilityGameID": 1, "resourceActor": 1} | _health(rest)
    if event == "SWING_MISSED":
        return {"type": "damage", "abilityGameID": 1, "hitType": _MISS[rest[0]]}
    spell = {"abilityGameID": report.spell(rest)}
    rest = rest[3:]
    if event.endswith("_DAMAGE") or event == "DAMAGE_SHIELD":
        tick = {"tick": True} if "PERIODIC" in event else {}
        return spell | tick | _damage(rest[18:]) | {"resourceActor": 2} | _health(rest)
    if event.endswith("_HEAL"):
        return spell | _heal(event, rest[18:]) | {"resourceActor": 2} | _health(rest)
    if event == "SPELL_CAST_SUCCESS":
        _own(report, rest)
        return spell | {"type": "cast", "resourceActor": 1} | _health(rest)
    return _other(report, event, spell, rest)


def _absorbed(report: WclReport, rest: list[str]) -> Json:
    attack = {"extraAbilityGameID": report.spell(rest)} if len(rest) > 9 else {}
    by = rest[-9:]
    shield = {"abilityGameID": report.spell(by[4:]), "amount": int(by[7])}
    return {"type": "absorbed", "sourceID": report.actor(by[0], by[1])} | shield | attack


def _other(report: WclReport, event: str, spell: Json, rest: list[str]) -> Json | None:
    if event == "SPELL_CAST_START":
        return spell | {"type": "begincast"}
    if event == "SPELL_MISSED":
        return spell | {"type": "damage", "hitType": _MISS[rest[0]]}
    if event == "SPELL_SUMMON":
        return spell | {"type": "summon"}
    if event in ("SPELL_INTERRUPT", "SPELL_DISPEL"):
        kind = event.removeprefix("SPELL_").lower()
        return spell | {"type": kind, "extraAbilityGameID": report.spell(rest)}
    if event.startswith("SPELL_AURA_"):
        words = event.removeprefix("SPELL_AURA_").split("_")
        kind = _AURA[words[0]] + rest[0].lower() + ("stack" if len(words) > 1 else "")
        return spell | {"type": kind, "stack": int(rest[1]) if len(rest) > 1 else 0}
    return None


def _own(report: WclReport, block: list[str]) -> None:
    """Note a pet's owner, which stands in the block about it."""
    if block[0] in report.actors and block[1] in report.actors:
        report.actors[block[0]]["petOwner"] = report.actors[block[1]]["id"]


def _health(block: list[str]) -> Json:
    return {"hitPoints": int(block[2]), "maxHitPoints": int(block[3])}


def _damage(tail: list[str]) -> Json:
    over = max(int(tail[2]), 0)
    return {
        "type": "damage",
        "amount": int(tail[0]) - over,
        "overkill": over,
        "absorbed": int(tail[6]),
        "hitType": 2 if tail[7] == "1" else 1,
    }


def _heal(event: str, tail: list[str]) -> Json:
    over = int(tail[2])
    told = {"type": "heal", "amount": int(tail[0]) - over, "overheal": over}
    return told | ({"tick": True} if "PERIODIC" in event else {})


@dataclass
class WclStub:
    """Serves a report: `with WclStub(report) as stub`. `before` may answer a request instead."""

    report: WclReport
    page: int = 500
    before: Callable[[int, Json], Answer | None] = lambda number, body: None
    points: tuple[float, float, float] = (3600, 10, 1800)
    requests: list[Json] = field(default_factory=list)
    url: str = ""

    def __enter__(self) -> Self:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                sent = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers, body = stub.answer(self.path, dict(self.headers), sent)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, headers: dict[str, str], sent: bytes) -> Answer:
        if path == "/oauth/token":
            basic = base64.b64encode(b"me:secret").decode()
            good = headers.get("Authorization") == f"Basic {basic}" and b"client_cred" in sent
            return _json(200, {"access_token": "t0ken"}) if good else _json(401, {"error": "no"})
        of_user = path == "/api/v2/user" and headers.get("Authorization") == "Bearer mine"
        if not of_user and headers.get("Authorization") != "Bearer t0ken":
            return _json(401, {"error": "unauthenticated"})
        body: Json = json.loads(sent)
        self.requests.append(body)
        instead = self.before(len(self.requests), body)
        return instead if instead is not None else _json(200, {"data": self._data(body)})

    def _data(self, body: Json) -> Json:
        variables, query = body["variables"], str(body["query"])
        assert isinstance(variables, dict)
        limit, spent, reset = self.points
        told = {"limitPerHour": limit, "pointsSpentThisHour": spent, "pointsResetIn": reset}
        return {"rateLimitData": told, **self._asked(query, variables)}

    def _asked(self, query: str, variables: Json) -> Json:
        if "characterRankings" in query:
            named = f"{variables['className']} {variables['metric']}"
            rows = [_ranked(f"{named} {n}", 2000 - n) for n in range(12)]
            return {"worldData": {"encounter": {"characterRankings": {"rankings": rows}}}}
        if "fightRankings" in query:
            rows = [_ranked(f"Guild {n}", 0) for n in range(12)]
            return {"worldData": {"encounter": {"fightRankings": {"rankings": rows}}}}
        if variables["code"] != CODE and variables["code"] != f"a:{CODE}":
            return {"reportData": {"report": None}}
        if "rankings(" in query:
            return {
                "reportData": {"report": {"rankings": {"data": [*map(_parsed, self._kills())]}}}
            }
        if "events(" in query:
            return {"reportData": {"report": {"events": self._page(variables)}}}
        return {"reportData": {"report": self._overview()}}

    def _kills(self) -> list[Json]:
        return [fight for fight in self.report.fights if fight["kill"]]

    def _page(self, variables: Json) -> Json:
        start = float(str(variables["start"]))
        left = [e for e in self.report.events if float(str(e["timestamp"])) >= start]
        cut = self.page
        while cut < len(left) and left[cut]["timestamp"] == left[cut - 1]["timestamp"]:
            cut += 1
        following = left[cut]["timestamp"] if cut < len(left) else None
        return {"data": left[:cut], "nextPageTimestamp": following}

    def _overview(self) -> Json:
        last = self.report.events[-1]["timestamp"] if self.report.events else 0
        return {
            "title": "Thursday",
            "startTime": self.report.start,
            "endTime": self.report.start + float(str(last)) + 1,
            "zone": {"id": 1008, "name": "Gruul / Magtheridon"},
            "fights": self.report.fights,
            "masterData": {
                "actors": [*self.report.actors.values()],
                "abilities": [
                    {"gameID": 1, "name": "Melee", "type": "1"},
                    *self.report.abilities.values(),
                ],
            },
        }


def _ranked(name: str, amount: float) -> Json:
    return {
        "name": name,
        "class": "Mage",
        "spec": "Fire",
        "amount": amount,
        "duration": 181_000,
        "guild": {"name": name},
        "server": {"name": "Thunderstrike"},
        "report": {"code": "xyz"},
    }


def _parsed(fight: Json) -> Json:
    """Return how a kill's players are ranked, as the service's schema has it."""
    character = {"name": "Ylys", "class": "Mage", "spec": "Fire", "amount": 1042.5}
    place = {"rankPercent": 93, "bracketPercent": 88, "bracketData": 123, "rank": "~412"}
    pair = {**character, "name": "Ylys", "name_2": "Élimar"}
    roles = {
        "tanks": {"name": "Tanks", "characters": []},
        "healers": {"name": "Healers", "characters": [pair]},
        "dps": {"name": "DPS", "characters": [character | place]},
    }
    return {"fightID": fight["id"], "encounter": {"id": 651, "name": fight["name"]}, "roles": roles}


def _json(status: int, body: Json, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps(body).encode()


def busy(status: int = 429, **headers: str) -> Answer:
    """Return the answer of a service that is busy."""
    return _json(status, {"error": "Too Many Requests"}, **headers)


def telling(body: Json) -> Answer:
    """Return an answer with this body."""
    return _json(200, body)
