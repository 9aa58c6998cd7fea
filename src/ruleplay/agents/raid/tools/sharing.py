"""What a shared link can show: the document of one report's night."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

from ruleplay.agents.raid.adapters.nights import Nights
from ruleplay.agents.raid.tools.library import open_book
from ruleplay.agents.raid.tools.night import gather_night
from ruleplay.agents.raid.view import night
from ruleplay.agents.raid.view.words import Words
from ruleplay.kernel.sharing import Sharing

KEPT = 8
_WRITING = Lock()
"""Only one document is rendered at a time, so that links cannot slow players down."""


class SharedNights(Sharing[Nights]):
    """Reports as the document that `ruleplay raid report --html` writes."""

    def find(self, world: Nights, what: str) -> tuple[str, str]:
        """Find a report's code and title, by default of the newest."""
        found = world.night(open_book(world.reports, what).report.code)
        return found.code, found.title

    def page(self, world: Nights, what: str, language: str) -> str:
        """Render a report's document, as far as its log is imported."""
        fingerprint = world.reports.open(what).manifest.fingerprint
        with _WRITING:
            return _written(world, what, fingerprint, language)


@lru_cache(maxsize=KEPT)
def _written(world: Nights, code: str, _fingerprint: str, language: str) -> str:
    return night.html(gather_night(world.reports, code), Words(language))


SHARING = SharedNights()
