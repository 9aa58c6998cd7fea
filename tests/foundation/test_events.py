"""Events are stored with their version, and read again by later releases."""

from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import ValidationError

from ruleplay.errors import Unavailable
from ruleplay.records.events import Codec, Event, Json


class Hurt(Event):
    """Release 3 of an event: `amount` was `damage` in 1 and had no `kind` in 2."""

    version: ClassVar[int] = 3
    who: str
    amount: int
    kind: str = "blunt"


class Rested(Event):
    """An event without history."""


def rename(body: Json) -> Json:
    """Lift release 1 to 2."""
    body["amount"] = body.pop("damage")
    return body


def name_kind(body: Json) -> Json:
    """Lift release 2 to 3."""
    return {"kind": "unknown", **body}


CODEC = Codec((Hurt, Rested), {("Hurt", 1): rename, ("Hurt", 2): name_kind})


@pytest.mark.parametrize(
    "event",
    [
        Hurt(who="red", amount=3),
        Hurt(who="red", amount=3, kind="fire", audience=("red", "blue")),
        Rested(),
    ],
)
def test_an_event_is_read_as_it_was_stored(event: Event) -> None:
    assert CODEC.load(CODEC.dump(event)) == event


def test_the_stored_form_names_type_and_version_and_keeps_defaults() -> None:
    # A default that changes in a later release must not change what has happened.
    stored = CODEC.dump(Hurt(who="red", amount=3))
    assert stored == {"type": "Hurt", "version": 3, "who": "red", "amount": 3, "kind": "blunt"}


@pytest.mark.parametrize(
    ("stored", "kind"),
    [
        ({"type": "Hurt", "version": 1, "who": "red", "damage": 3}, "unknown"),
        ({"type": "Hurt", "version": 2, "who": "red", "amount": 3}, "unknown"),
        ({"type": "Hurt", "version": 3, "who": "red", "amount": 3}, "blunt"),
    ],
)
def test_old_versions_are_lifted_step_by_step(stored: Json, kind: str) -> None:
    before = dict(stored)
    assert CODEC.load(stored) == Hurt(who="red", amount=3, kind=kind)
    assert stored == before


def test_a_version_without_a_path_upward_is_an_error() -> None:
    codec = Codec((Hurt,), {("Hurt", 1): rename})
    with pytest.raises(KeyError, match="2"):
        codec.load({"type": "Hurt", "version": 1, "who": "red", "damage": 3})


def test_an_event_of_a_newer_release_is_an_error() -> None:
    with pytest.raises(Unavailable, match="newer release"):
        CODEC.load({"type": "Hurt", "version": 4, "who": "red", "amount": 3})


def test_an_unlisted_event_is_never_stored() -> None:
    with pytest.raises(TypeError, match="Rested"):
        Codec((Hurt,)).dump(Rested())


def test_a_field_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(ValidationError, match="extra"):
        CODEC.load({"type": "Hurt", "version": 3, "who": "red", "amount": 3, "cause": "?"})


@pytest.mark.parametrize(
    ("audience", "red", "blue"),
    [
        (("*",), True, True),
        (("red",), True, False),
        (("red", "blue"), True, True),
        ((), False, False),
    ],
)
def test_an_audience_decides_who_may_know(audience: tuple[str, ...], red: bool, blue: bool) -> None:
    event = Rested(audience=audience)
    assert (event.known_to("red"), event.known_to("blue")) == (red, blue)
