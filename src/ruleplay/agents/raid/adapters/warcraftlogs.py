"""Imports a Warcraft Logs report, and the rankings of its bosses, into the report store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ruleplay.agents.raid.adapters.log_import import ImportReport, import_logs
from ruleplay.agents.raid.adapters.rankings import store_parses
from ruleplay.agents.raid.adapters.wcl_addresses import read_address
from ruleplay.agents.raid.adapters.wcl_client import (
    Client,
    Json,
    client_from,
    number_in,
    object_in,
)
from ruleplay.agents.raid.adapters.wcl_queries import EVENTS, REPORT
from ruleplay.agents.raid.adapters.wcl_rankings import fetch_parses, fetch_rankings
from ruleplay.agents.raid.domain.rankings import Parse
from ruleplay.agents.raid.domain.translation import Ability, Actor, Fight, Translation
from ruleplay.errors import Unavailable, UserError, first_invalid

PAGES = 5_000
"""Maximum number of event pages per report."""
PAGE_EVENTS = 10_000
Row = TypeVar("Row", bound=BaseModel)
Progress = Callable[[int, int], None]


class WclImport(ImportReport):
    """What an import brought: beside the report's own, how many events were `fetched`.

    `skipped` counts by type those that have no line in a log, `malformed` those that are of another
    shape than the schema says, `rankings` the ranked kills stored of others and `parses` those of
    this raid. `fight` is the one that the address named, `pull` its number here, None for trash.
    """

    site: str
    fetched: int
    skipped: dict[str, int]
    malformed: int
    rankings: int
    fight: str = ""
    pull: int | None = None
    parses: tuple[Parse, ...] = ()


def import_report(
    address: str,
    home: Path,
    *,
    site: str = "",
    user_token: str = "",
    on_progress: Progress = lambda done, of: None,
) -> WclImport:
    """Import a report by address or code, with credentials from the environment.

    Raises UserError if the address is not a report's, or without credentials.
    """
    found = read_address(address, site)
    client = client_from(site=found.site, user_token=user_token)
    try:
        return import_wcl(found.code, home, client, fight=found.fight, on_progress=on_progress)
    finally:
        client.close()


def import_wcl(
    code: str,
    home: Path,
    client: Client,
    *,
    rankings: bool = True,
    fight: str = "",
    on_progress: Progress = lambda done, of: None,
) -> WclImport:
    """Import a report by code into the store of `home`, with its bosses' rankings.

    Progress is in milliseconds of the report. Importing the same report again gives the same lines
    and therefore the same report code. Raises what `Client.query` raises, UserError for an invalid
    code, and NotFound if the report has no such `fight`.
    """
    code = read_address(code).code
    translation, length = fetch_report(client, code)
    pull = translation.pull_of(fight) if fight else None
    with TemporaryDirectory(prefix="ruleplay-wcl-") as scratch:
        path = Path(scratch) / f"warcraftlogs-{code.replace(':', '-')}.txt"
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(translation.lines(fetch_events(client, code, length, on_progress)))
        report = import_logs((path,), home)
    parses = fetch_parses(client, translation) if rankings else ()
    if parses:
        store_parses(home, report.report, parses)
    return WclImport(
        **report.model_dump(),
        site=client.site,
        fight=fight,
        pull=pull,
        parses=parses,
        fetched=translation.read,
        skipped=dict(translation.skipped.most_common()),
        malformed=translation.malformed,
        rankings=fetch_rankings(client, translation, home) if rankings else 0,
    )


def fetch_report(client: Client, code: str) -> tuple[Translation, float]:
    """Fetch a report's actors, abilities and fights; also returns its duration in ms."""
    report = object_in(object_in(client.query(REPORT, code=code), "reportData"), "report")
    master, zone = object_in(report, "masterData"), report.get("zone")
    start, end = number_in(report, "startTime"), number_in(report, "endTime")
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
    """Yield a report's events page by page; Unavailable if the pages do not advance."""
    start: float = 0
    for _ in range(PAGES):
        data = client.query(EVENTS, code=code, start=start, end=length, limit=PAGE_EVENTS)
        page = object_in(object_in(object_in(data, "reportData"), "report"), "events")
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


def _rows(data: Json, name: str, kind: type[Row]) -> list[Row]:
    found = data.get(name)
    if not isinstance(found, list):
        raise Unavailable(f"Warcraft Logs sent no list of {name}")
    try:
        return [kind.model_validate(row) for row in found]
    except ValidationError as error:
        where, what = first_invalid(error)
        raise Unavailable(f"Warcraft Logs sent {name} of another shape: {where}: {what}") from error
