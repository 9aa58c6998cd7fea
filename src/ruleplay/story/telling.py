"""Let a model tell beats in prose: by the paragraph, each followed by the lines of code.

One call, no repair, no splicing. A paragraph that does not pass is left out whole: the lines of
its beats stand in its place, and the paragraphs after it are judged on.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Literal, TypeVar

from ruleplay.kernel.context import Context, Prompt
from ruleplay.records.events import EVERYONE
from ruleplay.records.tape import Reply
from ruleplay.story.beats import Beat, printed
from ruleplay.story.passage import Scene, judge, speaks
from ruleplay.telling.reasoning import Reasoning
from ruleplay.telling.speech import Told

World = TypeVar("World")
PARAGRAPHS = 12


class Teller:
    """One streamed text on its way to the readers, paragraph by paragraph."""

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
        self._due = -1

    def hear(self, text: str) -> None:
        """Take what the model wrote; whole paragraphs are judged at once."""
        self._buffer += self._reasoning.feed(text)
        while not self._ended and (end := re.search(r"\n\s*\n|\n(?=\S)", self._buffer)):
            paragraph, self._buffer = self._buffer[: end.start()], self._buffer[end.end() :]
            self._judge(paragraph)

    def close(self, failure: str = "") -> str:
        """End the text and print what is left; an unfinished last paragraph is dropped.

        Returns what was shown, nothing when none of the model's words passed.
        """
        if not failure:
            self._buffer += self._reasoning.close()
            self._judge(self._buffer)
        else:
            self.refusals = (failure, *self.refusals)
        if not self.prose:
            return ""
        left = [
            b.told() if b.id in self._in_prose else b
            for b in self._beats
            if b.id not in self._printed
        ]
        # What code says outside the story comes last, and only where the model did not.
        left.sort(key=lambda beat: beat.kind == "answer")
        if said := laid(left, self._after):
            self._show(said)
        return "\n\n".join(self.shown)

    def _judge(self, paragraph: str) -> None:
        if self._ended or not paragraph.strip():
            return
        if self.prose >= PARAGRAPHS:
            self._end("more paragraphs than are read")
            return
        judged = judge(paragraph, self._beats, self._told, self._scene)
        asides = [beat for beat in judged.shown if beat.kind == "answer"]
        rest = [beat for beat in judged.shown if beat.kind != "answer"]
        last = max((self._beats.index(beat) for beat in rest), default=-1)
        if judged.problems:
            self.refusals = (*self.refusals, *judged.problems)
            self._leave_out(last)
            return
        self.prose += bool(judged.text)
        self._printed |= {beat.id for beat in asides}
        if self._due >= 0:
            self._show(self._lines(self._due))
        self._due = -1
        self._told += [beat.id for beat in judged.shown]
        self._in_prose |= {beat.id for beat in judged.shown}
        self._in_prose |= {
            beat.id
            for beat in self._beats
            if beat.says_so and speaks(judged.text, beat.who, self._scene)
        }
        self._show("\n\n".join(filter(None, (judged.text, self._lines(last)))))
        if not judged.shown and self.shown:
            self._arrive()

    def _leave_out(self, last: int) -> None:
        """Count what a refused paragraph was about as told: its lines come before the next one."""
        self._due = max(self._due, last)
        due = [b for b in self._beats[: last + 1] if b.kind != "answer"]
        self._told += [b.id for b in due if b.id not in self._told]

    def _arrive(self) -> None:
        """Show an arrival that the last paragraph, which has no mark, has led up to."""
        left = [n for n, b in enumerate(self._beats) if b.id not in self._printed]
        left = [n for n in left if self._beats[n].kind != "answer"]
        if left and self._beats[left[0]].kind == "arrive" and self._beats[left[0]].passage:
            arrivals = itertools.takewhile(lambda n: self._beats[n].kind == "arrive", left)
            self._show(self._lines([*arrivals][-1]))

    def _lines(self, last: int) -> str:
        """Return the lines of all beats up to one that were not printed yet.

        What prose may leave out (a gain) stands with the beats around it, in its own place. What
        the book says next follows at once: it is what they came to. An arrival waits for its mark,
        or for what comes after it: prose leads up to it.
        """
        while last >= 0 and self._written(last + 1):
            last += 1
        due = [b for b in self._beats[: last + 1] if b.id not in self._printed]
        beneath = [
            b.told(shown=b.id in self._in_prose)
            for n, b in enumerate(due)
            if b.kind != "answer" and not self._awaited(b, due[n:])
        ]
        self._printed |= {beat.id for beat in beneath}
        return laid(beneath, self._after)

    def _awaited(self, beat: Beat, on: Sequence[Beat]) -> bool:
        """Whether a later paragraph may show what stands written otherwise: somebody's answer.

        It is given before they are left.
        """
        leaves = any(one.kind == "arrive" for one in on)
        return beat.says_so and beat.id not in self._in_prose and not leaves

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
    """Return the lines of beats; what an author wrote follows the line of the beat it is for."""
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
    """Return the turn told in prose with the lines of all beats; streamed as it passes.

    With model `rules` `otherwise` speaks (usually `printed(beats)`); without beats the model is
    asked only where `colour` is wanted. When none of the model's words pass, the same is said, so
    a reply always holds every line. `within` was said before; `after` follows the lines of beats.
    """
    started = perf_counter()
    asking = context.model(role) != "rules" and (bool(beats) or colour)
    asked = prompt() if asking else None
    source: Literal["model", "policy"] = "policy"
    text, refusals, replies = "", tuple[str, ...](), tuple[Reply, ...]()
    if asked is not None:
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
