"""A turn's report: everything that its events have to tell, each in its own way."""

from __future__ import annotations

from collections.abc import Sequence

# The three modules of tellings register how each kind of happening is told.
from ruleplay.agents.party.domain import proceedings as p
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy import telling_blows, telling_fight, telling_story
from ruleplay.agents.party.policy.table_phrases import UNSEEN
from ruleplay.agents.party.policy.telling import Telling, tell_one
from ruleplay.agents.party.state import Happened
from ruleplay.foundation.events import Event

REGISTERED = (telling_blows, telling_fight, telling_story)


def tell_events(before: Table, events: Sequence[Event], book: Book) -> Telling:
    """Return everything that a turn's events have to tell; something at least."""
    telling = Telling(before, book, fought=before.cast.fight is not None)
    for event in events:
        if isinstance(event, Happened):
            earlier = telling.table
            telling.table = earlier.apply(event)
            tell_one(event, telling, earlier)
    if not telling.blocks and not telling.asides:
        telling.tell(telling.pick(telling.moods).of(telling.lang))
    elif not telling.blocks:
        # Of an act that some alone may know about, the others see that there was one.
        for event in events:
            if isinstance(event, p.Acted):
                seat = telling.name(event.seat)
                telling.tell(UNSEEN.of(telling.lang).format(seat=seat))
    return telling
