"""Beats: what happened in a turn, one act each, with the line that code prints for it.

Rules produce beats. A model may tell them in prose (`telling.py`, `passage.py`); numbers and
results stand in the printed lines, which code vouches for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from pydantic import Field

from ruleplay.story.acts import Frozen

Kind = Literal[
    "hit",
    "miss",
    "check",
    "say",
    "move",
    "arrive",
    "use",
    "state",
    "harm",
    "heal",
    "death",
    "flight",
    "yield",
    "gain",
    "loss",
    "time",
    "vain",
    "detail",
    "ending",
    "answer",
    "other",
]
Result = Literal["dead", "fled", "yielded", "hurt", "healed", "checked"]
State = Result | Literal["wounded", "state", "gained", "moved"]
RESULTS: tuple[Result, ...] = get_args(Result)
"""Results that prose has to spend words of its own on."""
MARK = "› "
"""Begins every printed line. It is forbidden in prose, so a model cannot forge a line."""
BETWEEN = " · "
"""Separates the lines of several beats in one row."""


class Item(Frozen):
    """A piece of a line: `kind` is for its look, `text` what is seen, `spoken` what is read aloud.

    `dice` are formula and faces, for whoever wants to see the roll.
    """

    kind: Literal["who", "arrow", "skill", "roll", "harm", "heal", "state", "gain", "loss", "text"]
    text: str
    spoken: str = ""
    dice: str = ""


class Line(Frozen):
    """What is vouched for of one beat."""

    items: tuple[Item, ...] = ()

    @property
    def text(self) -> str:
        """The line as it is printed."""
        return joined(self.items)

    @property
    def spoken(self) -> str:
        """The line in words, for screen readers."""
        return " ".join(item.spoken or item.text for item in self.items)


def joined(items: Iterable[Item]) -> str:
    """Join items to text; a comma precedes states, gains and losses, or a colon after a name.

    A comma also parts a name from the state before it, which is somebody else's or the place's.
    """
    text, last = "", ""
    for item in items:
        apart = item.kind in ("state", "gain", "loss") and bool(text)
        apart = apart or (item.kind == "who" and last == "state")
        between = (": " if last == "who" else ", ") if apart else " " if text else ""
        text, last = f"{text}{between}{item.text}", item.kind
    return text


class Outcome(Frozen):
    """What became of somebody in a beat."""

    who: str
    state: State


class Beat(Frozen):
    """One act with what came of it; `says` is how a prompt puts it, `about` whom it names.

    `must`: prose has to show it. `results` are what stems in prose may speak of. A `passage` is
    text that stands as it was written, in place of a line. An `echo` only says again what was
    done or said: its line or passage stands where no prose shows it.

    A question of the player's is a beat of kind `answer`, made by `answer()`: `says` is what is
    asked, `facts` are code's lines that answer it, and the block of them is its `passage`. A model
    answers in a paragraph marked with that beat alone, where digits may stand that stand in the
    facts beside the same words; the block is printed, after all else, where no such one passed.
    """

    id: str
    kind: Kind
    who: str = ""
    about: tuple[str, ...] = ()
    results: tuple[Outcome, ...] = ()
    must: bool = True
    says: str
    line: Line = Line()
    gained: tuple[str, ...] = ()
    passage: str = ""
    facts: tuple[str, ...] = ()
    echo: bool = False

    @property
    def beings(self) -> tuple[str, ...]:
        """Ids of everyone in the beat, the actor first."""
        return tuple(dict.fromkeys((*((self.who,) if self.who else ()), *self.about)))

    @property
    def says_so(self) -> bool:
        """Whether it is a character's authored answer, shown only if no prose gives one."""
        return self.echo and self.must and bool(self.passage)

    @property
    def has_result(self) -> bool:
        """Whether prose has to spend words on what came of it."""
        return any(one.state in RESULTS for one in self.results)

    @property
    def has_blow(self) -> bool:
        """Whether somebody strikes or comes to harm in it."""
        harmed = any(one.state in ("dead", "hurt", "fled", "yielded") for one in self.results)
        return harmed or self.kind in ("hit", "miss")

    def told(self, *, shown: bool = True) -> Beat:
        """Return the beat as it is printed beneath prose that has told it (`shown`).

        An echo then prints nothing. Any other beat loses its passage if it has a line instead.
        """
        if shown and self.echo:
            return self.model_copy(update={"line": Line(), "passage": ""})
        return self.model_copy(update={"passage": ""}) if self.must and self.line.items else self

    def became(self, who: str, states: Iterable[str]) -> bool:
        """Whether `who` came to be in one of these states; anybody, if `who` is empty."""
        wanted = set(states)
        return any(one.state in wanted and who in ("", one.who) for one in self.results)


def answer(ident: str, asked: str, facts: Sequence[str], block: str = "") -> Beat:
    """Build the beat of a player's question; `block` is printed where no model answers it.

    Without a block the facts themselves are printed, one a line.
    """
    told = block or "\n".join(facts)
    return Beat(id=ident, kind="answer", must=False, says=asked, facts=tuple(facts), passage=told)


class Being(Frozen):
    """Somebody prose may name, by each of their names: full name, bare word, epithet.

    `was` is what the turn found them as: out of a fight, or wounded, which is still told of.
    """

    id: str
    names: tuple[str, ...] = Field(min_length=1)
    was: tuple[State, ...] = ()

    @property
    def name(self) -> str:
        """The first of their names."""
        return self.names[0]


def printed(beats: Sequence[Beat]) -> str:
    """Print beats without a model: lines in rows, passages as paragraphs between; may be empty."""
    parts: list[str] = []
    row: list[str] = []
    for beat in beats:
        if beat.passage:
            parts += [*_row(row), beat.passage]
            row = []
        elif beat.line.items:
            row.append(beat.line.text)
    return "\n\n".join([*parts, *_row(row)])


def _row(lines: Sequence[str]) -> list[str]:
    return [MARK + BETWEEN.join(lines)] if lines else []


def is_line(paragraph: str) -> bool:
    """Whether a paragraph of a reply was printed by code."""
    return paragraph.startswith(MARK)


def listed(beats: Sequence[Beat], after: Mapping[str, str] | None = None) -> str:
    """List the beats for a prompt: the mark, then what happened, without numbers; may be empty.

    `after` maps a beat's id to authored text that is printed under its line.
    """
    rows = [_listed(beat, (after or {}).get(beat.id, "")) for beat in beats]
    return "\n".join(filter(None, rows))


def _listed(beat: Beat, after: str) -> str:
    if beat.must or beat.says or beat.passage:
        return f"{_row_of(beat)}{_book(after, 'under it')}"
    return _book(after, "here").strip()  # the beat itself is only printed


def _row_of(beat: Beat) -> str:
    if beat.kind == "answer":
        return _asked(beat)
    if beat.passage and not (beat.must or beat.echo):  # prose that shows an echo replaces it
        return f"[{beat.id}]{_book(beat.passage, 'here')}"
    return f"[{beat.id}] {beat.says}{'' if beat.must else ' (optional)'}"


def _book(text: str, where: str) -> str:
    return f" ({where} the book says, and it is shown as it stands: {text[:600]})" if text else ""


def _asked(beat: Beat) -> str:
    facts = "\n".join(f"  - {fact}" for fact in beat.facts)
    return (
        f"[{beat.id}] the player asks you, outside the story: {beat.says}\n"
        "  Answer just that, to the player, in one paragraph that has this mark and no other, by "
        "what is told here; of anything else say that you cannot tell. Never speak of facts or "
        f"data. Digits may stand there as they stand here:\n{facts}"
    )


def who(name: str) -> Item:
    """Build the item that names somebody."""
    return Item(kind="who", text=name)


def arrow(spoken: str = "against") -> Item:
    """Build the item between an actor and a target."""
    return Item(kind="arrow", text="→", spoken=spoken)
