"""A turn's report: everything that its events have to tell, each in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ruleplay.agents.party.domain.book import Book

# The two modules of tellings register how each kind of happening is told.
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.seats import EVERYONE, Audience
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy import telling_acts, telling_story
from ruleplay.agents.party.policy.refusals import LINES
from ruleplay.agents.party.policy.telling import Telling, tell_one
from ruleplay.agents.party.state import Happened
from ruleplay.records.events import Event
from ruleplay.story.beats import Item, printed, who

REGISTERED = (telling_acts, telling_story)


def tell_events(before: Table, events: Sequence[Event], book: Book) -> Telling:
    """Return everything that a turn's events have to tell; something at least."""
    telling = Telling(before, book)
    for alone, some in groupby(events, lambda event: event.audience):
        part = telling if EVERYONE in alone else Telling(telling.table, book, ears=alone)
        for event in some:
            if isinstance(event, Happened):
                earlier = part.table
                part.table = earlier.apply(event)
                tell_one(event, part, earlier)
        if part is not telling:
            _take_aside(part, telling, alone)
    laid = telling.laid_out()
    if not laid:
        _something(telling, events)
    elif not any(isinstance(one, str) or one.line.items or one.passage for one in laid):
        _print_something(telling)
    return telling


def _take_aside(part: Telling, telling: Telling, ears: Audience) -> None:
    """Keep what some ears alone may hear: its lines as they are, for no voice tells them."""
    for one in part.laid_out():
        telling.tell(one if isinstance(one, str) else printed((one,)), ears)
    telling.table, telling.loosed = part.table, part.loosed
    telling.asides += part.asides
    telling.questions += part.questions


def _print_something(telling: Telling) -> None:
    """Print what only prose would have shown, where nothing else is there to be read."""
    for made in telling.blocks:
        if not isinstance(made, str) and made.says:
            text = Item(kind="text", text=LINES["moves"].of(telling.lang))
            made.items += [who(telling.name(made.who)), text]
            return


def _something(telling: Telling, events: Sequence[Event]) -> None:
    """Say that there was an act which only some may know about, or that all is quiet."""
    acted = [str(getattr(event, "seat", "")) for event in events if isinstance(event, p.Acted)]
    hidden = acted if telling.asides else []
    for seat in hidden:
        telling.tell(LINES["unseen"].of(telling.lang).format(seat=telling.name(seat)))
    if not hidden and not telling.asides and not telling.questions:
        telling.tell(LINES["nothing_new"].of(telling.lang))
