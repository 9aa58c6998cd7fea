"""Let a model tell beats in prose, paragraph by paragraph, each followed by the beats' lines.

There is one call, without repair. Paragraphs are judged whole as they stream in (`passage.py`). One
that fails is dropped; its beats' lines are printed instead, and later paragraphs are judged as
usual. Of an answer outside the story, and of a paragraph that marks no beat, only the sentences
that fail are dropped.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Literal, TypeVar

from ruleplay.kernel.context import Context, Prompt
from ruleplay.records.events import EVERYONE
from ruleplay.records.tape import Reply
from ruleplay.story.beats import Beat, printed
from ruleplay.story.passage import (
    Scene,
    answers,
    judge,
    marked,
    speaks,
    without_one,
    without_wrong,
)
from ruleplay.telling.reasoning import Reasoning
from ruleplay.telling.speech import Told

World = TypeVar("World")
PARAGRAPHS = 12
"""Most paragraphs of prose that are shown; a model that goes on is cut off."""


class Teller:
    """Judges a model's streamed text, and shows what passes together with the beats' lines.

    `within` is what the reply shows already, `after` authored text to follow a beat's line, by the
    beat's id. `thinks_first` says that the model's text begins with its reasoning.
    """

    def __init__(
        self,
        beats: Sequence[Beat],
        scene: Scene,
        say: Callable[[str], None],
        *,
        thinks_first: bool = False,
        within: str = "",
        after: Mapping[str, str] | None = None,
    ) -> None:
        self.refusals: tuple[str, ...] = ()
        self.shown: list[str] = []
        self.prose = 0
        self._beats, self._scene, self._say = tuple(beats), scene, say
        self._reasoning = Reasoning(thinks_first)
        self._buffer = ""
        self._told: list[str] = []
        self._in_prose: set[str] = set()
        self._printed: set[str] = set()
        self._within = within
        self._after = after or {}
        self._ended = False
        self._due = -1  # index of the last beat whose line a refused paragraph still owes
        self._ahead = -1  # index of the last authored text that follows the lines shown so far
        self._held: list[str] = []  # paragraphs without marks that may lead up to such a text

    def hear(self, text: str) -> None:
        """Take a piece of the stream, and judge each paragraph that it completes."""
        self._buffer += self._reasoning.feed(text)
        while not self._ended and (end := re.search(r"\n\s*\n|\n(?=\S)", self._buffer)):
            paragraph, self._buffer = self._buffer[: end.start()], self._buffer[end.end() :]
            self._take(paragraph)

    def close(self, failure: str = "") -> str:
        """End the text and print the lines that are left; return all that was shown.

        After a `failure` of the call the unfinished paragraph is dropped. Returns an empty string
        if no prose passed, so that the caller can tell the turn without the model.
        """
        if not failure:
            self._buffer += self._reasoning.close()
            self._take(self._buffer)
        else:
            self.refusals = (failure, *self.refusals)
        self._catch_up()
        if not self.prose:
            return ""
        left = [
            b.told() if b.id in self._in_prose else b
            for b in self._beats
            if b.id not in self._printed
        ]
        # Answers to the player come last, and are printed only if the model gave none.
        left.sort(key=lambda beat: beat.kind == "answer")
        if said := laid(left, self._after):
            self._show(said)
        return "\n\n".join(self.shown)

    def _take(self, paragraph: str) -> None:
        """Judge a paragraph; one without marks is held back where authored text comes next.

        If the next mark is that text's, the paragraph led up to it and precedes it. Else the text
        does not wait any longer.
        """
        if self._ended or not paragraph.strip():
            return
        marks = marked(paragraph)
        next_ = self._next()
        if next_ and not marks:
            self._held.append(paragraph)
            return
        if marks & {beat.id for beat in next_}:
            held, self._held = self._held, []
            for one in held:
                self._judge(one)
        else:
            self._catch_up()
        self._judge(paragraph)
        if not marks and self.shown:
            self._arrive()

    def _next(self) -> list[Beat]:
        """Return the beats with authored text that come next, none of which has been shown."""
        due = (n for n in range(self._ahead + 1) if self._beats[n].id not in self._printed)
        written = [self._beats[n] for n in due if self._written(n)]
        return [*(b for b in written if b.kind != "answer"), *self._arrivals(self._ahead + 1)]

    def _arrivals(self, first: int) -> list[Beat]:
        """Return the arrivals with authored text that come next, from the beat of index `first`."""
        left = (b for b in self._beats[first:] if b.id not in self._printed)
        story = (b for b in left if b.kind != "answer")
        return [*itertools.takewhile(lambda b: b.kind == "arrive" and bool(b.passage), story)]

    def _catch_up(self) -> None:
        """Show the authored text that comes next, and the paragraphs that were held back."""
        self._show(self._lines(self._ahead))
        held, self._held = self._held, []
        for one in held:
            self._judge(one)
            if self.shown:
                self._arrive()

    def _judge(self, paragraph: str) -> None:
        if self.prose >= PARAGRAPHS:
            self._end("more paragraphs than are read")
            return
        known = (self._beats, self._told, self._scene)
        judged = judge(paragraph, *known)
        self.refusals = (*self.refusals, *judged.problems)
        if judged.problems:
            apart = "[" not in paragraph or answers(judged.shown)
            again = without_wrong if apart else without_one
            judged = again(paragraph, *known) or judged
        asides = [beat for beat in judged.shown if beat.kind == "answer"]
        rest = [beat for beat in (*judged.shown, *judged.unshown) if beat.kind != "answer"]
        last = max(map(self._beats.index, self._due_with(rest)), default=-1)
        if judged.problems:
            self._leave_out(last)
            return
        self.prose += bool(judged.text)
        self._printed |= {beat.id for beat in asides}
        if self._due >= 0:
            self._show(self._lines(self._due))
            self._look_ahead()
            if not {*judged.shown} & {*self._next()}:
                self._show(self._lines(self._ahead))
        self._due = -1
        self._show(self._lines(self._said_before(rest)))
        self._told += [beat.id for beat in (*judged.shown, *judged.unshown)]
        self._in_prose |= {beat.id for beat in judged.shown}
        self._in_prose |= {
            beat.id
            for beat in self._beats
            if beat.says_so and speaks(judged.text, beat.who, self._scene)
        }
        self._show("\n\n".join(filter(None, (judged.text, self._lines(last)))))
        self._look_ahead()

    def _said_before(self, shown: Sequence[Beat]) -> int:
        """Return the index of the last beat whose authored text these answer, -1 for none.

        It stands under a beat that no prose tells, so it is shown before the paragraph.
        """
        first = min(map(self._beats.index, shown), default=0)
        before = enumerate(self._beats[:first])
        left = (n for n, b in before if b.id in self._after and b.id not in self._printed)
        return max((n for n in left if not self._beats[n].must), default=-1)

    def _due_with(self, shown: Sequence[Beat]) -> Iterator[Beat]:
        """Yield the beats whose lines may come with a paragraph that shows these.

        A small one that prose has told ahead of its turn does not pull the lines before it along,
        which belong under paragraphs to come; it comes with the last of them.
        """
        told = {*self._told, *(one.id for one in shown)}
        open_ = False
        for beat in self._beats:
            ahead = not beat.must and beat.id in told and not open_
            if beat in shown if beat.must else ahead:
                yield beat
            open_ = open_ or (beat.must and beat.id not in {*told, *self._printed})

    def _leave_out(self, last: int) -> None:
        """Count a refused paragraph's beats as told; their lines precede the next paragraph."""
        self._due = max(self._due, last)
        due = [b for b in self._beats[: last + 1] if b.kind != "answer"]
        self._told += [b.id for b in due if b.id not in self._told]

    def _arrive(self) -> None:
        """Show an arrival's text after a paragraph without marks, which leads up to it."""
        if arrivals := self._arrivals(0):
            self._show(self._lines(self._beats.index(arrivals[-1])))
            self._look_ahead()

    def _lines(self, last: int) -> str:
        """Print the lines up to the beat of index `last` that have not been printed yet.

        Beats that prose may skip (a gain) are included.
        """
        due = [b for b in self._beats[: last + 1] if b.id not in self._printed]
        beneath = [
            b.told(shown=b.id in self._in_prose)
            for n, b in enumerate(due)
            if b.kind != "answer" and not self._awaited(b, due[n:])
        ]
        self._printed |= {beat.id for beat in beneath}
        return laid(beneath, self._after)

    def _awaited(self, beat: Beat, on: Sequence[Beat]) -> bool:
        """Whether to hold back a character's authored answer, since prose may still give one.

        An arrival ends the wait: it leaves the character behind.
        """
        leaves = any(one.kind == "arrive" for one in on)
        return beat.says_so and beat.id not in self._in_prose and not leaves

    def _look_ahead(self) -> None:
        """Note the authored passages that directly follow what has been printed.

        An arrival waits for its mark or for a later beat, since prose leads up to it.
        """
        story = ((n, b) for n, b in enumerate(self._beats) if b.kind != "answer")
        last = max((n for n, b in story if b.id in self._printed), default=-1)
        while last >= 0 and self._written(last + 1):
            last += 1
        self._ahead = last

    def _written(self, at: int) -> bool:
        beat = self._beats[at] if at < len(self._beats) else None
        if beat is None or beat.kind == "answer":
            return beat is not None
        return bool(beat.passage) and not beat.must and beat.kind != "arrive"

    def _end(self, *problems: str) -> None:
        self.refusals = (*self.refusals, *problems)
        self._ended = True

    def _show(self, text: str) -> None:
        if not text:
            return
        begun = bool(self.shown) or bool(self._within)
        self._say(f"\n\n{text}" if begun else text)
        self.shown.append(text)


def laid(beats: Sequence[Beat], after: Mapping[str, str]) -> str:
    """Print beats; the authored text of a beat in `after` follows its line."""
    parts: list[str] = []
    run: list[Beat] = []
    for beat in beats:
        run.append(beat)
        if beat.id in after:
            parts += [printed(run), after[beat.id]]
            run = []
    return "\n\n".join(part for part in (*parts, printed(run)) if part)


async def tell_beats(
    context: Context[World],
    role: str,
    *,
    prompt: Callable[[], Prompt],
    beats: Sequence[Beat],
    scene: Scene,
    otherwise: Callable[[], str],
    colour: bool = True,
    deadline: float = 0,
    audience: tuple[str, ...] = (EVERYONE,),
    within: str = "",
    after: Mapping[str, str] | None = None,
) -> Told:
    """Tell a turn in prose with the lines of all beats, streaming what passes.

    With model `rules`, or if no prose passes, `otherwise` tells it (usually `printed(beats)`), so a
    reply always has every line. Without beats the model is asked only if `colour` is wanted.
    `within` is what has been shown before; `after` maps a beat's id to text that follows its line.
    """
    started = perf_counter()
    asking = context.model(role) != "rules" and (bool(beats) or colour)
    asked = prompt() if asking else None
    source: Literal["model", "policy"] = "policy"
    text, refusals, replies = "", tuple[str, ...](), tuple[Reply, ...]()
    if asked is not None:
        # Prose may name what the prompt has told the model.
        scene = replace(scene, heard=f"{scene.heard}\n{asked.user}")
        teller = Teller(
            beats,
            scene,
            lambda said: context.say(said, audience),
            thinks_first=context.thinks_first(role),
            within=within,
            after=after,
        )
        reply = await context.ask(
            role,
            asked.messages(),
            deadline=deadline or context.models.tell_seconds,
            on_text=teller.hear,
        )
        replies = (reply,)
        text = teller.close(reply.failure)
        source, refusals = ("model" if teller.prose else "policy"), teller.refusals
    if not text and (text := otherwise()):
        context.say(f"\n\n{text}" if within else text, audience)
    context.record(
        role,
        source,
        started,
        replies=replies,
        refusals=refusals,
        audience=audience,
        prompt=asked,
    )
    return Told(text, source, tuple(beat.id for beat in beats), refusals)
