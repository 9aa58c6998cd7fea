"""A log that is followed: each pull is told when it ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ruleplay.agents.raid.adapters.announcing import EndedPull, FirstDeath
from ruleplay.agents.raid.adapters.reports import open_reports
from ruleplay.agents.raid.tools.registry import run_tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleplay.agents.raid.adapters.log_import import ImportedPull, ImportReport
    from ruleplay.agents.raid.domain.tool_result import Row

UNFINISHED = "unfinished"


class Ending:
    """Knows which pulls of a growing report are over and were not told yet."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._told: set[int] | None = None

    def of(self, report: ImportReport) -> Iterator[EndedPull]:
        """Yield the pulls that ended since the last look; at the first, those before are past.

        A pull whose end the log lacks is over when another one begins.
        """
        *before, last = report.encounters or (None,)
        over = [one for one in before if one]
        over += [last] if last and last.ended != UNFINISHED else []
        fresh = [one for one in over if one.fight not in (self._told or ())]
        if self._told is None:
            fresh = []
        self._told = {*(self._told or ()), *(one.fight for one in over)}
        for one in fresh:
            yield self._looked_at(report.report, one)

    def _looked_at(self, code: str, pull: ImportedPull) -> EndedPull:
        reports, args = open_reports(self._home), {"report_code": code}
        listed = run_tool(reports, "list_pulls", args).rows
        row = next((one for one in listed if one.get("fight") == pull.fight), {})
        of = {**args, "fight_id": str(pull.fight)}
        deaths = run_tool(reports, "get_death_analysis", of).rows
        left = row.get("boss_hp_percent")
        return EndedPull(
            report=code,
            fight=pull.fight,
            boss=pull.name,
            outcome=pull.ended,
            start=pull.start,
            seconds=pull.seconds,
            boss_hp_percent=left if isinstance(left, int | float) else None,
            players=pull.players,
            deaths=len(deaths),
            first_death=_first(deaths[0]) if deaths else None,
        )


def _first(row: Row) -> FirstDeath:
    return FirstDeath(
        player=str(row.get("player") or "?"),
        at=float(str(row.get("at") or 0)),
        killer=str(row.get("killer") or ""),
        ability=str(row.get("ability") or ""),
    )
