"""`ruleplay bench parts-subject`: whether an answer is ever about another part than was asked.

Dialogues are generated from the catalog in use, with the answers' subjects known beforehand: a part
is verified for a model, then the customer asks about something else, or points at what was shown.
The answers are read off the turn's tool events and off the numbers in its reply, and held against
what the generator knows; nothing of the assistant's own understanding is used.

- `other_subject`: answers about a part or model that the message neither named nor pointed at.
- `dropped`: parts named in a message that were neither answered nor mentioned in the reply.
- `asked`: turns that ended in a question, `not_found` in "I don't find …".
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pydantic import BaseModel

from ruleplay.agents.parts.agent import AGENT, catalog_file
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.state import QuestionAsked, State, SubjectMissing, ToolReturned
from ruleplay.kernel.agent import Draft
from ruleplay.kernel.agent import State as FoundationState
from ruleplay.kernel.host import Host
from ruleplay.records.given import Given
from ruleplay.records.stream import Bus
from ruleplay.records.turns import Head
from ruleplay.settings import Settings

DIALOGUES = 20_000
KEPT = 20
_ALPHABET = "0123456789"
_NUMBER = re.compile(r"\bPS\d{5,}\b")


class Class(BaseModel):
    """What became of the questions of one kind."""

    turns: int = 0
    answers: int = 0
    other_subject: int = 0
    dropped: int = 0
    asked: int = 0
    not_found: int = 0


class SubjectBench(BaseModel):
    """All dialogues; `examples` are the first wrong ones."""

    dialogues: int = 0
    turns: int = 0
    answers: int = 0
    other_subject: int = 0
    dropped: int = 0
    classes: dict[str, Class] = {}
    examples: list[str] = []


class Shelf(NamedTuple):
    """What dialogues are made from: models with their parts (number, name)."""

    models: tuple[str, ...]
    parts: dict[str, tuple[tuple[str, str], ...]]
    numbers: frozenset[str]
    names: dict[str, str]


class Asked(NamedTuple):
    """A message, whom its answers may be about, and what must not go unmentioned.

    `must` are texts of which the reply, or a tool's arguments, have to hold each.
    """

    kind: str
    message: str
    parts: frozenset[str]
    models: frozenset[str]
    must: tuple[str, ...] = ()


Maker = Callable[[Random, Shelf, str, str], Asked]


async def bench_subjects(
    turns: int = DIALOGUES, on_progress: Callable[[int, int], None] = lambda done, of: None
) -> SubjectBench:
    """Play `turns` dialogues with model `rules`; the same ones every time."""
    report = SubjectBench(classes={name: Class() for name in MAKERS})
    with TemporaryDirectory(prefix="ruleplay-bench-") as folder:
        settings = Settings(home=Path(folder), db="", model="rules")
        shelf = read_shelf(catalog_file(settings))
        host = await Host.open(settings, lambda name: AGENT)
        try:
            head = await host.create("parts")
            for number in range(turns):
                await _dialogue(host, head, shelf, Random(f"subjects/{number}"), report)
                if number % 100 == 99:
                    on_progress(number + 1, turns)
        finally:
            await host.close()
    return report


def read_shelf(path: Path) -> Shelf:
    """Read models and their named parts out of a catalog file."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            "SELECT m.number, p.number, p.name FROM fits f JOIN models m ON m.id = f.model"
            " JOIN parts p ON p.id = f.part WHERE p.name != '' ORDER BY 1, 2"
        ).fetchall()
        numbers = frozenset(str(name) for (name,) in db.execute("SELECT normal FROM names"))
    parts: dict[str, list[tuple[str, str]]] = {}
    for model, part, name in rows:
        parts.setdefault(str(model), []).append((str(part), str(name)))
    rich = {model: tuple(found) for model, found in parts.items() if len(found) > 2}
    names = {part: name for found in rich.values() for part, name in found}
    return Shelf(tuple(rich), rich, numbers, names)


async def _dialogue(
    host: Host, head: Head, shelf: Shelf, rng: Random, report: SubjectBench
) -> None:
    model = rng.choice(shelf.models)
    part = rng.choice(shelf.parts[model])[0]
    state = State()
    opening = rng.choice(OPENINGS).format(part=part, model=model)
    report.dialogues += 1
    script = [Asked("opening", opening, frozenset({part}), frozenset({model}))]
    for _ in range(rng.randint(1, 3)):
        asked = MAKERS[rng.choice(list(MAKERS))](rng, shelf, model, part)
        script.append(asked)
        if asked.kind in ("other model", "two parts"):
            # From here on that model is the one spoken of, or none is when nobody knows it.
            model = "".join(asked.models)
    said = told = ""
    for turn, planned in enumerate(script, 1):
        asked = planned
        if asked.kind == "it" and turn > 1 and len(script[turn - 2].parts) == 1:
            asked = asked._replace(parts=script[turn - 2].parts)
        said += f" > {asked.message}"
        run = await host.make_run(head, state, Given(message=asked.message), "customer", None, turn)
        run.bus = Bus()
        await run.play()
        if asked.kind in report.classes:
            _judge(asked, said, told, run.draft, shelf, report)
        told = run.draft.reply
        state = State.model_validate(run.draft.now)


def _judge(
    asked: Asked,
    said: str,
    told_before: str,
    draft: Draft[FoundationState],
    shelf: Shelf,
    report: SubjectBench,
) -> None:
    before, events, reply = State.model_validate(draft.before), draft.events, draft.reply
    tally, answers = report.classes[asked.kind], 0
    tally.turns += 1
    report.turns += 1
    told = reply
    allowed = asked.parts | _pointed(asked, before, told_before)
    wrong: list[str] = []
    for event in events:
        if not isinstance(event, ToolReturned):
            continue
        answers += 1
        told += " ".join(map(str, event.args.values()))
        part, model = str(event.args.get("part", "")), str(event.args.get("model", ""))
        if part and part not in allowed:
            wrong.append(f"part {part}")
        elsewhere = bool(model and asked.models - {""}) and model not in asked.models
        if elsewhere and not _is_of_other_machine(asked, shelf, said, model, reply):
            wrong.append(f"model {model}")
    shown = {card.number for e in events if isinstance(e, ToolReturned) for card in e.cards}
    offered = any(isinstance(event, QuestionAsked) for event in events)
    spoken = set(_NUMBER.findall(reply)) - shown - allowed - set(_NUMBER.findall(asked.message))
    if spoken and not (offered or _is_all_of_model(asked, shelf, reply)):
        wrong.append(f"spoke of {sorted(spoken)}")
    dropped = [one for one in asked.must if one.casefold() not in told.casefold()]
    tally.answers += answers
    tally.other_subject += bool(wrong)
    tally.dropped += bool(dropped)
    tally.asked += offered
    tally.not_found += any(isinstance(event, SubjectMissing) for event in events)
    report.answers += answers
    report.other_subject += bool(wrong)
    report.dropped += bool(dropped)
    if (wrong or dropped) and len(report.examples) < KEPT:
        what = "; ".join([*wrong, *(f"nothing about {one!r}" for one in dropped)])
        report.examples.append(f"{asked.kind}: {said}: {what}")


def _is_all_of_model(asked: Asked, shelf: Shelf, reply: str) -> bool:
    """Whether a reply that has no such part names each part of the model instead, and no other."""
    told = set(_NUMBER.findall(reply))
    lists = [{number for number, _ in shelf.parts.get(model, ())} for model in asked.models]
    return asked.kind == "part noun" and told in lists and all(one in reply for one in asked.must)


def _is_of_other_machine(asked: Asked, shelf: Shelf, said: str, model: str, reply: str) -> bool:
    """Whether a kind of part that the last machine has none of is told of another one named.

    The reply has to say of which.
    """
    here = {number for one in asked.models for number, _ in shelf.parts.get(one, ())}
    none = asked.kind == "part noun" and not here & asked.parts
    return none and model in said and model in reply


def _pointed(asked: Asked, before: State, told: str) -> frozenset[str]:
    """Return what words that point may mean: the only part that the reply before `told` of.

    Where it was told which of several is listed for the model, that is the only one listed.
    """
    if asked.kind != "it":
        return frozenset()
    only = frozenset(_NUMBER.findall(told))
    verdicts = {card.number: card.fit for card in before.cards}
    split = before.goal is Goal.CHECK and {*verdicts.values()} == {"listed", "not_listed"}
    meant = [one for one, fit in verdicts.items() if fit == "listed" or not split]
    return frozenset().union(*(one for one in (only, frozenset(meant)) if len(one) == 1))


OPENINGS = (
    "Is {part} compatible with {model}?",
    "does {part} fit my {model}",
    "Bonjour, est-ce que {part} va sur {model} ?",
)


def _other(rng: Random, shelf: Shelf, part: str) -> str:
    return rng.choice([one for one in shelf.names if one != part])


def _slipped(rng: Random, shelf: Shelf, digits: str) -> str:
    """Change a digit so that no number of the catalog comes out."""
    while True:
        at = rng.randrange(len(digits))
        changed = digits[:at] + rng.choice(_ALPHABET) + digits[at + 1 :]
        if changed != digits and not {changed, f"PS{changed}", f"AP{changed}"} & shelf.numbers:
            return changed


def bare_number(rng: Random, shelf: Shelf, model: str, part: str) -> Asked:
    """Ask the fit of digits without their letters, real or with a slip."""
    other = _other(rng, shelf, part)
    digits, allowed = other.removeprefix("PS"), frozenset({other})
    if rng.random() < 0.5:
        digits, allowed = _slipped(rng, shelf, digits), frozenset()
    frames: tuple[str, ...] = (
        "Does {n} fit?",
        "will {n} fit it",
        "and {n}?",
        "is {n} compatible",
        "what about {n}",
    )
    frames += ("est-ce que le {n} va aussi ?", "et le {n} ?", "¿sirve el {n}?")
    message = rng.choice(frames).format(n=digits)
    return Asked("bare number", message, allowed, frozenset({model}), (digits,))


def price_of_number(rng: Random, shelf: Shelf, model: str, part: str) -> Asked:
    """Ask the price of a number that the catalog has not, or has with other letters."""
    other = _other(rng, shelf, part)
    digits, allowed = other.removeprefix("PS"), frozenset({other})
    letters = rng.choice(("PS", "ps ", "", "", "#"))
    if rng.random() < 0.6:
        digits, allowed = _slipped(rng, shelf, digits), frozenset()
    frames: tuple[str, ...] = (
        "How much is {n}?",
        "price of {n}",
        "what does {n} cost",
        "{n} price and stock?",
    )
    frames += ("is {n} in stock?", "combien coûte {n} ?", "prix du {n} svp", "cuanto cuesta {n}")
    message = rng.choice(frames).format(n=letters + digits)
    return Asked("price of a number", message, allowed, frozenset({model}), (digits,))


NOUNS = (
    *("drain pump", "door gasket", "water filter", "ice maker", "spray arm", "inlet valve"),
    *("heating element", "silverware basket", "fan motor", "thermostat", "door handle", "belt"),
)
STRANGE = ("frobnicator", "flux capacitor", "gizmo", "sprocket", "hydrospanner", "left bracelet")


NOUN_FRAMES = (
    *("How much is the {n}?", "price of the {n}", "is the {n} in stock?", "does the {n} fit?"),
    *("how do I install the {n}", "what does a {n} cost", "how much is it for the {n}"),
    *("and the {n}, how much?", "how hard is the {n} to install"),
)


def part_noun(rng: Random, shelf: Shelf, model: str, part: str) -> Asked:
    """Ask about a part by its kind: only parts whose names have these words may be meant."""
    noun = rng.choice((*NOUNS, *STRANGE))
    words = [word[:5] for word in noun.split()]
    allowed = frozenset(
        number
        for number, name in shelf.names.items()
        if any(word in name.casefold() for word in words)
    )
    message = rng.choice(NOUN_FRAMES).format(n=noun)
    if model and rng.random() < 0.3:
        message += f" its for a {model}"
    return Asked("part noun", message, allowed, frozenset({model}), (noun.split()[-1],))


def two_parts(rng: Random, shelf: Shelf, model: str, part: str) -> Asked:
    """Ask about two numbers at once; one may be unknown."""
    one, other = _other(rng, shelf, part), _other(rng, shelf, part)
    named = one if rng.random() < 0.7 else "PS" + _slipped(rng, shelf, one.removeprefix("PS"))
    frames: tuple[str, ...] = (
        "Do {a} and {b} both fit {m}?",
        "does {a} or {b} fit {m}",
        "are {a}, {b} ok for {m}?",
    )
    frames += ("est-ce que {a} et {b} vont tous les deux sur {m} ?", "price of {a} and {b}")
    frame, another = rng.choice(frames), rng.choice(shelf.models)
    model = model or (another if "{m}" in frame else "")
    message = frame.format(a=named, b=other, m=model)
    allowed = frozenset({one, other} if named == one else {other})
    return Asked("two parts", message, allowed, frozenset({model}), (named, other))


def it(rng: Random, shelf: Shelf, model: str, part: str) -> Asked:
    """Point at what was spoken of last: it is answered if that is one part, else asked."""
    frames: tuple[str, ...] = (
        "how much is it?",
        "is that in stock",
        "how hard is it to install",
        "does it fit?",
    )
    frames += ("c'est combien ?", "il est en stock ?", "and the price?", "how do I install it")
    return Asked("it", rng.choice(frames), frozenset(), frozenset())


def other_model(rng: Random, shelf: Shelf, model: str, part: str) -> Asked:
    """Ask the fit for another model, known or not: the verdict is for that one."""
    known = rng.choice(shelf.models)
    unknown = "GSS" + "".join(rng.choices(_ALPHABET, k=2)) + "GSHQZ"
    named = known if rng.random() < 0.5 else unknown
    frames: tuple[str, ...] = (
        "Is {p} compatible with {m}?",
        "does {p} fit {m}",
        "will {p} work with {m}?",
    )
    message = rng.choice(frames).format(p=part, m=named)
    models = frozenset({known}) if named == known else frozenset({""})
    return Asked("other model", message, frozenset({part}), models, (named,))


MAKERS: dict[str, Maker] = {
    "bare number": bare_number,
    "price of a number": price_of_number,
    "part noun": part_noun,
    "two parts": two_parts,
    "it": it,
    "other model": other_model,
}
