"""What the agent reaches outside: the imported reports, and one of them looked at as a night."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ruleplay.agents.raid.adapters.reports import Report, Reports, open_reports
from ruleplay.agents.raid.domain.overview import (
    Member,
    Night,
    Overview,
    Pull,
)
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
    """The store of reports, as a conversation sees it."""

    reports: Reports

    def overview(self, message: str, code: str) -> Overview:
        """Return the reports and the night that is spoken of: named, in focus, or the newest."""
        codes = self.reports.codes()
        listed = tuple(_listed(self.reports.open(one)) for one in codes[:LISTED])
        named = next((one for one in codes if one.casefold() in message.casefold()), "")
        chosen = named or (code if code in codes else next(iter(codes), ""))
        night = look_at(self.reports.open(chosen)) if chosen else None
        return Overview(reports=listed, night=night)


def open_nights(home: Path) -> Nights:
    """Open the reports under a home; where there are none, the demo's are made."""
    return Nights(open_reports(home))


def look_at(report: Report) -> Night:
    """Return a report as a night: its pulls and players."""
    listed = _listed(report)
    return Night(
        code=listed.code,
        title=listed.title,
        started=listed.started,
        zone=listed.zone,
        pulls=tuple(_pull(report, row) for row in report.query(PULLS, {})[1]),
        members=tuple(
            Member(name=row[0], class_name=row[1], spec=row[2], role=row[3])
            for row in report.query(MEMBERS, {})[1]
        ),
    )
