"""Let a model tell what happened, sentence by sentence, past the gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Literal, TypeVar

from ruleplay.foundation.claims import Check, Fact
from ruleplay.foundation.context import Context, Prompt
from ruleplay.foundation.events import EVERYONE
from ruleplay.foundation.prose.gate import Cite, Gate, Passed, uncited
from ruleplay.foundation.tape import Call, ms_since

World = TypeVar("World")


@dataclass(frozen=True)
class Told:
    """What readers got: the text, whose it is, and which facts it rests on."""

    text: str
    source: Literal["model", "policy"]
    citations: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()


async def tell(
    context: Context[World],
    role: str,
    *,
    prompt: Callable[[], Prompt],
    facts: Sequence[Fact],
    check: Check,
    otherwise: Callable[[], str],
    deadline: float = 0,
    audience: tuple[str, ...] = (EVERYONE,),
) -> Told:
    """Stream prose of which each sentence passed `check` against `facts`.

    A refused sentence is replaced in place by the template's words for the facts it was about;
    must-facts left untold are added at the end. When the model brings nothing, `otherwise` speaks;
    with model `rules` it speaks at once and `prompt` is never built. Only `audience` hears it.
    """
    started, model = perf_counter(), context.model(role)

    def by_policy(refusals: tuple[str, ...] = ()) -> Told:
        text = otherwise()
        context.say(text, audience)
        return Told(text, "policy", tuple(fact.id for fact in facts), refusals)

    if model == "rules":
        context.record(Call(role=role, source="policy", ms=ms_since(started)))
        return by_policy()
    asked, speech = prompt(), Speech(context, check, facts, role, audience)
    reply = await context.ask(
        role,
        asked.messages(),
        deadline=deadline or context.models.tell_seconds,
        on_text=speech.hear,
        facts=facts,
    )
    told = speech.close(reply.failure) or by_policy(speech.refusals)
    context.record(
        Call(
            role=role,
            source=told.source,
            model=model,
            thinks_first=context.thinks_first(role),
            ms=ms_since(started),
            refusals=speech.refusals,
            audience=audience,
            replies=(reply,),
        ),
        asked,
    )
    return told


class Speech:
    """One streamed text on its way through the gate to the readers."""

    def __init__(
        self,
        context: Context[World],
        check: Check,
        facts: Sequence[Fact],
        role: str,
        audience: tuple[str, ...] = (EVERYONE,),
        cite: Cite = uncited,
    ) -> None:
        self.refusals: tuple[str, ...] = ()
        self._gate = Gate(check, facts, thinks_first=context.thinks_first(role), cite=cite)
        self._say = partial(context.say, audience=audience)
        self._shown: list[Passed] = []

    def hear(self, text: str) -> None:
        """Take what the model wrote; whatever passes is shown at once."""
        self._show(self._gate.feed(text))

    def close(self, failure: str = "") -> Told | None:
        """Close the gate and return what was told; None when no sentence of the model's came.

        After a failure the unfinished sentence is dropped. Must-facts still untold are added: the
        model's words and a list of facts beat starting again, but not the policy's whole reply.
        """
        rest, tally = self._gate.close(complete=not failure), self._gate.tally
        problems = tuple(problem for p in tally.refused for problem in p.problems)
        self.refusals = (failure, *problems) if failure else problems
        if not tally.passed and not self._shown:
            return None
        self._show(rest)
        text = "".join(passed.text for passed in self._shown).strip()
        citations = dict.fromkeys(c for passed in self._shown for c in passed.citations)
        source: Literal["model", "policy"] = "model" if tally.passed else "policy"
        return Told(text, source, tuple(citations), self.refusals)

    def _show(self, released: list[Passed]) -> None:
        self._shown.extend(released)
        for passed in released:
            self._say(passed.text)
