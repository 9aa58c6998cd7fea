"""What the agent reaches outside: the imported reports, and one of them looked at as a night."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ruleplay.agents.raid.adapters.demo import ensure_demo
from ruleplay.agents.raid.adapters.report_files import Manifest
from ruleplay.agents.raid.adapters.reports import Report, Reports, open_reports
from ruleplay.agents.raid.domain.overview import Member, Night, Overview, Pull
from ruleplay.agents.raid.domain.overview import Report as Listed

LISTED = 60
"""Reports that an overview names, the newest first."""
PULLS = (
    "SELECT fight, name, kill, ended, start_ms, end_ms, boss_hp, players FROM encounters"
    " ORDER BY fight"
)
MEMBERS = (
    "SELECT name, coalesce(class, ''), coalesce(spec, ''), coalesce(role, '') FROM actors"
    " WHERE kind = 'player' AND friendly ORDER BY name"
)


@dataclass(frozen=True)
class Nights:
    """The store of reports, as a conversation sees it; safe to use from several threads."""

    reports: Reports

    def overview(self, message: str, code: str) -> Overview:
        """Return the reports and the night that is spoken of: named, in focus, or the newest."""
        found = self.reports.all()[:LISTED]
        codes = [one.code for one in found]
        said = set(re.findall(r"[\w-]+", message.casefold()))
        named = next((one for one in codes if one.casefold() in said), "")
        chosen = named or (code if code in codes else next(iter(codes), ""))
        night = look_at(self.reports.open(chosen)) if chosen else None
        return Overview(reports=tuple(map(_listed, found)), night=night)

    def night(self, code: str) -> Night:
        """Return a report as a night; NotFound lists those that there are."""
        return look_at(self.reports.open(code))

    def raw_lines(self, code: str, first: int, last: int) -> list[str]:
        """Return lines of a report's log as they stand there; the last ones may be missing."""
        report = self.reports.open(code)
        return report.raw_lines(first, min(last, report.lines)) if first <= report.lines else []


def open_nights(home: Path) -> Nights:
    """Open the reports under a home; the first time the demo's are made, if there is no other."""
    reports = open_reports(home)
    if not reports.all():
        ensure_demo(home)
    return Nights(reports)


def look_at(report: Report) -> Night:
    """Return a report as a night: its pulls and players."""
    listed = _listed(report.manifest)
    return Night(
        code=listed.code,
        title=listed.title,
        started=listed.started,
        zone=listed.zone,
        verified=report.manifest.verified,
        owner=report.manifest.owner,
        pulls=tuple(_pull(report, row) for row in report.query(PULLS)[1]),
        members=tuple(_member(row) for row in report.query(MEMBERS)[1]),
    )


def _listed(manifest: Manifest) -> Listed:
    started = (manifest.started_at or manifest.first_date).partition("T")[0]
    title = " ".join(part for part in (manifest.zone or manifest.file, started) if part)
    return Listed(code=manifest.code, title=title, started=started, zone=manifest.zone)


def _pull(report: Report, row: Sequence[object]) -> Pull:
    fight, name, kill, ended, start, end, health, players = row
    begin, stop = int(str(start)), int(str(end))
    clock = (report.start_clock_ms + begin) % 86_400_000 // 1000
    return Pull(
        fight=int(str(fight)),
        name=str(name),
        kill=bool(kill),
        ended=str(ended),
        seconds=round((stop - begin) / 1000, 1),
        clock=f"{clock // 3600:02}:{clock // 60 % 60:02}:{clock % 60:02}",
        boss_hp=float(health) if isinstance(health, int | float) else None,
        players=int(str(players or 0)),
        start_s=round(begin / 1000, 1),
    )


def _member(row: Sequence[object]) -> Member:
    name, class_name, spec, role = map(str, row)
    return Member(name=name, class_name=class_name, spec=spec, role=role)
