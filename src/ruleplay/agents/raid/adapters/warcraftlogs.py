"""Brings a Warcraft Logs report and rankings home: OAuth client credentials, v2 GraphQL, paging.

Their API takes a client id and secret (made on their site under "manage your clients"), allows a
number of points per hour, and hands events out in pages. Requests are repeated a few times when
the service is busy (429, 5xx) or silent, never for longer than it says.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

import httpx2
from pydantic import BaseModel, ConfigDict, ValidationError

from ruleplay.agents.raid.adapters.rankings import store_rankings
from ruleplay.agents.raid.adapters.wcl_queries import (
    EVENTS,
    FIGHT_RANKINGS,
    PLAYER_RANKINGS,
    REPORT,
)
from ruleplay.agents.raid.domain.rankings import BossRankings, Ranking, Speed
from ruleplay.agents.raid.domain.translation import Ability, Actor, Fight, Translation
from ruleplay.foundation.errors import NotFound, Unavailable, UserError, first_invalid

if TYPE_CHECKING:
    from ruleplay.agents.raid.adapters.log_import import ImportReport

SITE = "https://www.warcraftlogs.com"
"""Reports of other games and seasons live on sites of their own: pass `site`."""
CLIENT_ID, CLIENT_SECRET = "RULEPLAY_WCL_CLIENT_ID", "RULEPLAY_WCL_CLIENT_SECRET"
TRIES = 5
LONGEST_WAIT = 60.0
"""Seconds that one request waits at most before it is tried again."""
PAGES = 5_000
PAGE_BYTES = 64 * 1024 * 1024
PAGE_EVENTS = 10_000
_TIMEOUT = 30.0
_BUSY = frozenset({429, 500, 502, 503, 504})
_TOP = 10
_HEALING = frozenset({"Priest", "Paladin", "Shaman", "Druid"})
_CLASSES = _HEALING | {"Warrior", "Rogue", "Hunter", "Mage", "Warlock"}
Json = dict[str, object]
Row = TypeVar("Row", bound=BaseModel)
Progress = Callable[[int, int], None]


class Points(BaseModel):
    """What the service allows in an hour, and what is spent of it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    limitPerHour: float  # noqa: N815 (their name)
    pointsSpentThisHour: float  # noqa: N815
    pointsResetIn: float  # noqa: N815


@dataclass(frozen=True)
class WclImport:
    """What an import brought: the report's own, and the events that have no line in a log."""

    report: ImportReport
    events: int
    skipped: dict[str, int]
    malformed: int
    rankings: int


@dataclass
class Client:
    """Speaks to the service; `wait` and `clock` are replaced where tests cannot wait."""

    client_id: str
    client_secret: str
    site: str = SITE
    wait: Callable[[float], None] = time.sleep
    http: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=_TIMEOUT))
    points: Points | None = None
    _token: str = ""

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def query(self, text: str, **variables: object) -> Json:
        """Ask a GraphQL query and return its `data`.

        Raises UserError (refused credentials, a query that fails), NotFound (no such report) and
        Unavailable (no connection, points used up, busy for too long).
        """
        self._heed_points()
        token = self._token or self._log_in()
        body = {"query": text, "variables": variables}
        headers = {"Authorization": f"Bearer {token}"}
        answer = self._send(f"{self.site}/api/v2/client", json=body, headers=headers)
        if errors := answer.get("errors"):
            raise _refusal(errors)
        data = answer.get("data")
        if not isinstance(data, dict):
            raise Unavailable("Warcraft Logs answered without data; try again later")
        self._note_points(data)
        return data

    def _log_in(self) -> str:
        form = {"grant_type": "client_credentials"}
        answer = self._send(
            f"{self.site}/oauth/token", data=form, auth=(self.client_id, self.client_secret)
        )
        token = answer.get("access_token")
        if not isinstance(token, str) or not token:
            raise Unavailable("Warcraft Logs gave no access token; try again later")
        self._token = token
        return token

    def _note_points(self, data: Json) -> None:
        try:
            self.points = Points.model_validate(data.get("rateLimitData"))
        except ValidationError:
            self.points = None

    def _heed_points(self) -> None:
        if self.points and self.points.pointsSpentThisHour >= self.points.limitPerHour:
            minutes = max(1, round(self.points.pointsResetIn / 60))
            raise Unavailable(
                "the points that Warcraft Logs allows in an hour are used up;"
                f" try again in {minutes} minutes"
            )

    def _send(self, url: str, **request: object) -> Json:
        problem = ""
        for attempt in range(TRIES):
            try:
                answer = self.http.post(url, **request)  # type: ignore[arg-type]
            except httpx2.HTTPError as error:
                problem, pause = f"no answer ({type(error).__name__})", 2.0**attempt
            else:
                if answer.status_code not in _BUSY:
                    return _body(answer)
                problem, pause = f"status {answer.status_code}", _pause(answer, attempt)
                if pause > LONGEST_WAIT:
                    break
            if attempt + 1 < TRIES:
                self.wait(min(pause, LONGEST_WAIT))
        raise Unavailable(f"Warcraft Logs is not to be had now: {problem}; try again later")


def _pause(answer: httpx2.Response, attempt: int) -> float:
    told = answer.headers.get("Retry-After", "")
    return float(told) if told.isdecimal() else 2.0**attempt


def _body(answer: httpx2.Response) -> Json:
    if answer.status_code in (401, 403):
        raise UserError(
            "Warcraft Logs refused the client id and secret; check"
            f" {CLIENT_ID} and {CLIENT_SECRET}, made under 'manage your clients' on its site"
        )
    if answer.status_code >= 400:
        raise UserError(f"Warcraft Logs refused the request with status {answer.status_code}")
    if len(answer.content) > PAGE_BYTES:
        raise Unavailable(f"Warcraft Logs sent a page of more than {PAGE_BYTES >> 20} MB")
    try:
        told = answer.json()
    except ValueError as error:
        raise Unavailable("Warcraft Logs sent what is no JSON; try again later") from error
    if not isinstance(told, dict):
        raise Unavailable("Warcraft Logs sent no JSON object; try again later")
    return told


def _refusal(errors: object) -> UserError:
    first = errors[0] if isinstance(errors, list) and errors else {}
    told = str(first.get("message", "no reason")) if isinstance(first, dict) else "no reason"
    if "does not exist" in told or "permission" in told:
        return NotFound(f"Warcraft Logs: {told[:300]!r}; check the code, and that it is public")
    return UserError(f"Warcraft Logs refused the query: {told[:300]!r}")


def client_from(environ: dict[str, str] | None = None, site: str = SITE) -> Client:
    """Make a client of the credentials in the environment; UserError says which are missing."""
    named = dict(os.environ) if environ is None else environ
    ident, secret = named.get(CLIENT_ID, ""), named.get(CLIENT_SECRET, "")
    if not ident or not secret:
        raise UserError(
            f"an import from Warcraft Logs needs {CLIENT_ID} and {CLIENT_SECRET};"
            " make a client on its site under 'manage your clients'"
        )
    return Client(ident, secret, site.rstrip("/"))


def import_wcl(
    code: str,
    home: Path,
    client: Client,
    *,
    rankings: bool = True,
    on_progress: Progress = lambda done, of: None,
) -> WclImport:
    """Import a report by its code into the store of `home`, and its bosses' rankings.

    Progress is told in milliseconds of the report. Importing the same report twice gives the same
    lines, so the same report code. Raises what `Client.query` raises, and UserError for a code that
    cannot be one.
    """
    from ruleplay.agents.raid.adapters.log_import import import_logs

    if not code.isalnum() or len(code) > 32:
        raise UserError(f"{code[:40]!r} is no report code; it is the part after /reports/")
    translation, length = fetch_report(client, code)
    count = 0

    def counted() -> Iterator[object]:
        nonlocal count
        for event in fetch_events(client, code, length, on_progress):
            count += 1
            yield event

    with TemporaryDirectory(prefix="ruleplay-wcl-") as scratch:
        path = Path(scratch) / f"warcraftlogs-{code}.txt"
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(translation.lines(counted()))
        report = import_logs((path,), home)
    ranked = fetch_rankings(client, translation, home) if rankings else 0
    skipped = dict(translation.skipped.most_common())
    return WclImport(report, count, skipped, translation.malformed, ranked)


def fetch_report(client: Client, code: str) -> tuple[Translation, float]:
    """Fetch a report's actors, abilities and fights; returns them with its length in ms."""
    report = _object(_object(client.query(REPORT, code=code), "reportData"), "report")
    master, zone = _object(report, "masterData"), report.get("zone")
    start, end = _number(report, "startTime"), _number(report, "endTime")
    translation = Translation(
        code=code,
        start_ms=int(start),
        actors={actor.id: actor for actor in _rows(master, "actors", Actor)},
        abilities={a.gameID: a for a in _rows(master, "abilities", Ability)},
        fights=tuple(_rows(report, "fights", Fight)),
        zone=_zone(zone),
    )
    return translation, end - start


def _zone(zone: object) -> tuple[int, str]:
    if isinstance(zone, dict) and isinstance(zone.get("id"), int):
        return zone["id"], str(zone.get("name", ""))
    return 0, ""


def fetch_events(
    client: Client, code: str, length: float, on_progress: Progress = lambda done, of: None
) -> Iterator[object]:
    """Yield a report's events as they come, page by page; Unavailable when pages do not advance."""
    start: float = 0
    for _ in range(PAGES):
        data = client.query(EVENTS, code=code, start=start, end=length, limit=PAGE_EVENTS)
        page = _object(_object(_object(data, "reportData"), "report"), "events")
        events = page.get("data")
        if not isinstance(events, list):
            raise Unavailable("Warcraft Logs sent a page without events; try again later")
        yield from events
        following = page.get("nextPageTimestamp")
        if following is None:
            on_progress(int(length), int(length))
            return
        if not isinstance(following, int | float) or following <= start:
            raise Unavailable("Warcraft Logs' pages do not advance; try again later")
        start = following
        on_progress(int(start), int(length))
    raise UserError(
        f"the report has more than {PAGES} pages of events; import its log file instead"
    )


def fetch_rankings(client: Client, translation: Translation, home: Path) -> int:
    """Store each killed boss's fastest raids, and the top players of the classes in the report."""
    stored = 0
    seen = {actor.subType for actor in translation.actors.values() if actor.type == "Player"}
    classes = sorted(seen & _CLASSES)
    bosses = {f.encounterID: f.name for f in translation.fights if f.encounterID and f.kill}
    for encounter, name in sorted(bosses.items()):
        players = tuple(_players(client, encounter, name, classes))
        raids = tuple(_raids(client, encounter, name))
        store_rankings(
            home,
            BossRankings(encounter_id=encounter, encounter=name, players=players, raids=raids),
        )
        stored += len(players) + len(raids)
    return stored


def _players(
    client: Client, encounter: int, name: str, classes: Sequence[str]
) -> Iterator[Ranking]:
    """Yield the top ten of each spec of the classes; ranks count within metric, class and spec."""
    for class_name in classes:
        for metric in ("dps", "hps") if class_name in _HEALING else ("dps",):
            asked = {"encounter": encounter, "metric": metric, "className": class_name}
            places = Counter[str]()
            for row in _ranked(client.query(PLAYER_RANKINGS, **asked), "characterRankings"):
                spec = str(row.get("spec", ""))[:40]
                places[spec] += 1
                if places[spec] <= _TOP:
                    yield _ranking(row, encounter, name, (class_name, spec, metric), places[spec])


def _ranking(
    row: Json, encounter: int, name: str, among: tuple[str, str, str], rank: int
) -> Ranking:
    return Ranking(
        encounter_id=encounter,
        encounter=name,
        rank=rank,
        player=str(row.get("name", ""))[:120],
        class_name=among[0],
        spec=among[1],
        metric=among[2],
        value=_number(row, "amount"),
        seconds=_number(row, "duration") / 1000,
        server=_named(row.get("server")),
        report=_code(row.get("report")),
    )


def _raids(client: Client, encounter: int, name: str) -> Iterator[Speed]:
    data = client.query(FIGHT_RANKINGS, encounter=encounter)
    for place, row in enumerate(_ranked(data, "fightRankings")[:_TOP], 1):
        yield Speed(
            encounter_id=encounter,
            encounter=name,
            rank=place,
            guild=_named(row.get("guild")),
            seconds=_number(row, "duration") / 1000,
            report=_code(row.get("report")),
        )


def _ranked(data: Json, which: str) -> list[Json]:
    found = _object(_object(_object(data, "worldData"), "encounter"), which).get("rankings")
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _named(value: object) -> str:
    return str(value.get("name", ""))[:120] if isinstance(value, dict) else ""


def _code(value: object) -> str:
    return str(value.get("code", ""))[:40] if isinstance(value, dict) else ""


def _object(data: Json, name: str) -> Json:
    found = data.get(name)
    if found is None:
        raise NotFound(f"Warcraft Logs has no {name} for this; check the code")
    if not isinstance(found, dict):
        raise Unavailable(f"Warcraft Logs sent a {name} of another shape than its schema says")
    return found


def _number(data: Json, name: str) -> float:
    found = data.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise Unavailable(f"Warcraft Logs sent no number as {name!r}")
    return float(found)


def _rows(data: Json, name: str, kind: type[Row]) -> list[Row]:
    found = data.get(name)
    if not isinstance(found, list):
        raise Unavailable(f"Warcraft Logs sent no list of {name}")
    try:
        return [kind.model_validate(row) for row in found]
    except ValidationError as error:
        where, what = first_invalid(error)
        raise Unavailable(f"Warcraft Logs sent {name} of another shape: {where}: {what}") from error
