"""The typed actions that a seat may send besides plain words; anything else is refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from ruleplay.agents.party.domain.happenings.table import Words
from ruleplay.agents.party.domain.safety import ENTRIES, LONG
from ruleplay.agents.party.domain.seats import Holder, Key
from ruleplay.story.style import Length, Tone
from ruleplay.story.texts import Frozen, Lang

Name = Annotated[str, Field(min_length=1, max_length=64)]
Named = Annotated[tuple[Name, ...], Field(min_length=1, max_length=8)]
Agreed = Annotated[
    tuple[Annotated[str, Field(min_length=2, max_length=LONG)], ...], Field(max_length=ENTRIES)
]
Topic = Literal[
    "recap", "sheet", "scene", "fight", "party", "journal", "callbacks", "help", "rules",
    "settings",
]  # fmt: skip


class Play(Frozen):
    """The seat that is to move plays itself, by its model or policy."""

    do: Literal["play"] = "play"


class Round(Frozen):
    """Seats that nobody holds play, one after the other, until a person is to move or all have."""

    do: Literal["round"] = "round"


class Pass(Frozen):
    """The human who is to move does nothing."""

    do: Literal["pass"] = "pass"


class Timeout(Frozen):
    """The time of the human who is to move is over: recorded as a pass, nothing in their name."""

    do: Literal["timeout"] = "timeout"


class Choose(Frozen):
    """The human who is to move takes options by their ids, in order."""

    do: Literal["choose"]
    options: Named


class Say(Frozen):
    """Speak in character; it takes no turn."""

    do: Literal["say"]
    text: Annotated[Words, Field(min_length=1)]


class Whisper(Frozen):
    """Words for some ears only; it takes no turn."""

    do: Literal["whisper"]
    to: Named
    text: Annotated[Words, Field(min_length=1)]


class Reveal(Frozen):
    """Tell others a secret or clue that one knows; "*" for everyone."""

    do: Literal["reveal"]
    key: Name
    to: Named


class Hold(Frozen):
    """A seat is held by somebody else from now on; `key` is the SHA-256 of a human's token."""

    do: Literal["hold"]
    seat: Name
    by: Holder
    key: Key = ""


class Pause(Frozen):
    """Stop the table until somebody resumes."""

    do: Literal["pause"]


class TakeBack(Frozen):
    """Take the seat's own last turn back, and all that has followed it."""

    do: Literal["undo"]


class Instead(Frozen):
    """Free text: what the seat does in place of the turn that it has just taken back."""

    do: Literal["instead"]
    text: Annotated[Words, Field(min_length=1)]


class Resume(Frozen):
    """Go on."""

    do: Literal["resume"]


class Card(Frozen):
    """Play the X card: the scene stops at once."""

    do: Literal["card"]


class Agree(Frozen):
    """Agree on lines and veils, or give them up."""

    do: Literal["safety"]
    on: bool
    lines: Agreed = ()
    veils: Agreed = ()


class Speak(Frozen):
    """Go on in another language."""

    do: Literal["language"]
    lang: Lang


class Restyle(Frozen):
    """Choose how the table is told from now on; what is left out stays."""

    do: Literal["style"]
    tone: Tone | None = None
    length: Length | None = None
    person: Literal["second", "third"] | None = None
    tense: Literal["present", "past"] | None = None
    rating: Literal["everyone", "teen", "mature"] | None = None


class Look(Frozen):
    """Look something up, of rules what they say `about` something; it takes no turn."""

    do: Literal["look"]
    topic: Topic
    about: Annotated[str, Field(max_length=300)] = ""


AnyTime = (
    Say
    | Whisper
    | Reveal
    | Hold
    | Pause
    | Resume
    | Card
    | Agree
    | Speak
    | Restyle
    | Look
    | TakeBack
)
"""The actions that may be sent on anybody's move."""
Action = Annotated[
    Play | Round | Pass | Timeout | Choose | Instead | AnyTime,
    Field(discriminator="do"),
]
ACTIONS: TypeAdapter[Action] = TypeAdapter(Action)
WHEN_OVER = (Look, Speak, Say, Whisper, TakeBack)
"""The actions that may be sent once the adventure has ended."""
WHILE_PAUSED = (Hold, Resume, Card, Agree, Speak, Restyle, Look, Whisper, TakeBack)
"""The actions that may be sent while the table is paused."""
