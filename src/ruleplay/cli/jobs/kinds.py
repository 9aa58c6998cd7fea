"""The kinds of jobs, each of which is imported only when it is used."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING

from ruleplay.catalog import usable_agents
from ruleplay.errors import NotFound, Unavailable
from ruleplay.kernel.offers import JobOffer

if TYPE_CHECKING:
    from typing import Any

    from ruleplay.durable.jobs import JobKind

OWN = (
    JobOffer(
        "autoplay", "Rounds of a game that plays itself", "ruleplay.cli.jobs.autoplay:AUTOPLAY"
    ),
)


def job_offers() -> dict[str, JobOffer]:
    """Collect the kinds of jobs by name: those of the agents, and those for any agent."""
    brought = (offer for agent in usable_agents() for offer in agent.jobs())
    return {offer.name: offer for offer in (*brought, *OWN)}


def find_kind(name: str) -> JobKind[Any]:
    """Import a kind of job; NotFound lists the kinds, Unavailable names a missing package."""
    offers = {offer.name: offer for offer in OWN}
    if name not in offers:
        offers = job_offers()
    if name not in offers:
        raise NotFound(f"no kind of job {name!r}; there are {', '.join(offers)}")
    try:
        found: JobKind[Any] = resolve_name(offers[name].where)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("ruleplay"):
            raise
        raise Unavailable(f"jobs of kind {name!r} need the package {error.name!r}") from error
    return found
