"""Which kinds of job there are; each is loaded when it is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleplay.foundation.errors import NotFound, Unavailable

if TYPE_CHECKING:
    from typing import Any

    from ruleplay.foundation.durable.jobs import JobKind

KINDS = {
    "arena": "Battles against a baseline, and how strong we are",
    "night": "The report of a whole raid night",
    "autoplay": "Rounds of a game that plays itself",
}


def find_kind(name: str) -> JobKind[Any]:
    """Return a kind of job; NotFound lists the kinds, Unavailable names a missing extra."""
    try:
        match name:
            case "arena":
                from ruleplay.cli.jobs.arena import ARENA

                return ARENA
            case "night":
                from ruleplay.cli.jobs.night import NIGHT

                return NIGHT
            case "autoplay":
                from ruleplay.cli.jobs.autoplay import AUTOPLAY

                return AUTOPLAY
            case _:
                raise NotFound(f"no kind of job {name!r}; there are {', '.join(KINDS)}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ruleplay"):
            raise
        raise Unavailable(f"jobs of kind {name!r} need the package {error.name!r}") from error
