"""What a sentence may claim, and what the record supports: the words the gate speaks in.

A claim is *ordered* (kind, subject, value, object): a bag of allowed numbers and names would let a
model swap true numbers between true names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict


class Claim(BaseModel):
    """One checkable assertion, for example `price` of `PS11752778` is `42.10 usd`."""

    model_config = ConfigDict(frozen=True)

    kind: str
    subject: str
    value: str = ""
    object: str = ""


class Fact(BaseModel):
    """Something that happened or is known: how the template says it, and what it supports.

    `must` marks what a reply may not leave out, `block` what stands on a line of its own.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    says: str
    claims: tuple[Claim, ...] = ()
    must: bool = False
    block: bool = False


class Reading(BaseModel):
    """What a check found in one sentence.

    `tells`: ids of the facts it states correctly (its citations). `problems`: claims the record
    does not support, in words; empty means the sentence may be shown. `about`: ids of the facts it
    tried to speak of, whose template words take its place when it is dropped.
    """

    model_config = ConfigDict(frozen=True)

    tells: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


Check = Callable[[str, Sequence[Fact]], Reading]
