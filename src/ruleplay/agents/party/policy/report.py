"""Build the telling of a turn from its events, with asides for events that only some may see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ruleplay.agents.party.domain.book import Book

# Importing `telling_acts` and `telling_story` registers how each kind of event is told.
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.seats import EVERYONE, Audience
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy import telling_acts, telling_story
from ruleplay.agents.party.policy.refusals import LINES
from ruleplay.agents.party.policy.telling import Telling, tell_one
from ruleplay.agents.party.state import Happened
from ruleplay.records.events import Event
from ruleplay.story.beats import Beat, Item, listed, printed, who

REGISTERED = (telling_acts, telling_story)


def tell_events(
    before: Table, events: Sequence[Event], book: Book, *, within: bool = False
) -> Telling:
    """Build the telling of a turn; unless it goes on `within` one, it has something to show."""
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
    if within:
        return telling
    if not laid:
        _something(telling, events)
    elif not any(isinstance(one, str) or one.line.items or one.passage for one in laid):
        _print_something(telling)
    return telling


def _take_aside(part: Telling, telling: Telling, ears: Audience) -> None:
    """Add a private part as asides, and note its beats if there are any for prose to tell."""
    laid = part.laid_out()
    deeds = [one for one in laid if isinstance(one, Beat)]
    if deeds and listed(deeds):
        telling.unseen[len(telling.asides)] = laid
        laid = ["\n\n".join(one if isinstance(one, str) else printed((one,)) for one in laid)]
    for one in laid:
        telling.tell(one if isinstance(one, str) else printed((one,)), ears)
    telling.table, telling.loosed = part.table, part.loosed
    for aside in part.asides:
        telling.add_aside(aside)
    telling.back |= part.back
    first = not telling.blocks
    telling.questions += [one._replace(first=first) for one in part.questions]


def _print_something(telling: Telling) -> None:
    """Add a line to the first beat that has none, if nothing else would be printed."""
    for made in telling.blocks:
        if not isinstance(made, str) and made.says:
            text = Item(kind="text", text=LINES["moves"].of(telling.lang))
            made.items += [who(telling.name(made.who)), text]
            return


def _something(telling: Telling, events: Sequence[Event]) -> None:
    """Say that a seat acted in secret, or that nothing happened."""
    acted = [event for event in events if isinstance(event, p.Acted)]
    hidden = [str(getattr(event, "seat", "")) for event in acted if telling.asides]
    for seat in hidden:
        telling.tell(LINES["unseen"].of(telling.lang).format(seat=telling.name(seat)))
    if hidden or telling.asides or telling.questions:
        return
    passed = {str(getattr(one, "seat", "")) for one in acted if getattr(one, "how", "") == "passes"}
    held = (seat for seat in telling.table.seats if telling.table.is_held(seat))
    persons = [telling.name(seat) for seat in held if seat in passed]
    if passed and not persons:
        telling.tell("…")  # that those wait whom nobody plays says nothing
        return
    waits = LINES["waits" if len(persons) == 1 else "wait"].of(telling.lang)
    said = f"{', '.join(persons)} {waits}." if persons else LINES["nothing_new"].of(telling.lang)
    telling.tell(said)
