"""The held-out measure of the gate: true and false sentences about three worlds, without end.

Sentence templates stand in `held_out/*.txt` and, a second set of other phrasings about the same
worlds, in `held_out_2/*.txt`, one a line: `claims [if condition] :: sentence`.
The claims name what the sentence asserts, with variables (`hit(a,n,b)`), literals in quotes, and
`_` for anything. A template is filled from a world's facts for a true sentence. For a false one an
adversary changes what a reader would see (a number, a name, a direction, a verdict), and the result
counts only if no reading of it is supported by the facts.
"""

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal

from tests.foundation.held_out.speech import spoken
from tests.foundation.held_out.vocabulary import FOREIGN, KINDS
from tests.foundation.held_out.worlds import (
    World,
    draw,
    maker_number,
    model_number,
    part_number,
)

from ruleplay.foundation.claims import Claim, Fact

WORLDS = ("parts", "fight", "raid")
NUMERIC = ("int", "count", "min", "amount", "rate", "pct", "usd", "sec")
SAMPLES_PER_WORLD = 24
SETS = {1: "held_out", 2: "held_out_2"}

Binding = Mapping[str, str]
_Lie = tuple[str, dict[str, str]]


@dataclass(frozen=True)
class Sample:
    """A sentence, whether the facts support it, and why; `template` is its place in its file."""

    sentence: str
    true: bool
    why: str
    facts: tuple[Fact, ...]
    lang: str
    template: int


@dataclass(frozen=True)
class Pattern:
    """A claim with variables: `terms` are subject, value and object, empty where there is none."""

    kind: str
    terms: tuple[str, str, str]


@dataclass(frozen=True)
class Condition:
    """An inequality or ratio between two variables, each with a factor."""

    left: tuple[int, str]
    relation: str
    right: tuple[int, str]

    def holds(self, binding: Binding) -> bool:
        """Compare the numbers the variables are bound to."""
        (i, x), (j, y) = self.left, self.right
        left, right = i * amount(binding[x]), j * amount(binding[y])
        return {"<": left < right, ">": left > right, "=": left == right}[self.relation]


@dataclass(frozen=True)
class Template:
    """One line of a template file."""

    number: int
    lang: str
    patterns: tuple[Pattern, ...]
    conditions: tuple[Condition, ...]
    text: str
    types: Mapping[str, str]

    @property
    def shown(self) -> tuple[str, ...]:
        """The variables a reader sees, in order, each once."""
        return tuple(dict.fromkeys(re.findall(r"\{(\w)", self.text)))

    @property
    def can_be_forgotten(self) -> bool:
        """Whether a verdict or a condition makes the sentence true or false."""
        verdicts = any(term.startswith("'") for p in self.patterns for term in p.terms)
        return verdicts or bool(self.conditions)

    @property
    def tag(self) -> str:
        """What the sentence tries: `comparison`, `number words`, `two claims` and so on."""
        if self.conditions:
            return "comparison"
        if re.search(r":[wWt]\}", self.text):
            return "number words"
        return ("one claim", "two claims", "three claims")[min(len(self.patterns), 3) - 1]


def corpus(
    world: str,
    seed: int,
    n: int,
    held_out: int = 1,
    only: Literal["numbers swapped"] | None = None,
) -> Iterator[Sample]:
    """Yield `n` samples about one of `WORLDS`, no sentence twice, about half of them true.

    `held_out` chooses one of `SETS`. With `only`, every sample is a lie: a true number stands
    where the record has another number of the same kind.
    """
    rng, seen = random.Random(f"{world}/{seed}"), set[str]()
    lines = [t for t in templates(world, held_out) if not only or _of_types(t, wanted=True)]
    while len(seen) < n:
        drawn = draw(world, rng)
        for _ in range(SAMPLES_PER_WORLD):
            sample = _sample(drawn, rng.choice(lines), rng, swapped_only=only is not None)
            if sample and sample.sentence not in seen and len(seen) < n:
                seen.add(sample.sentence)
                yield sample


@cache
def templates(world: str, held_out: int = 1) -> tuple[Template, ...]:
    """Read the templates of a world from its file in one of `SETS`."""
    path = Path(__file__).with_name(SETS[held_out]) / f"{world}.txt"
    lang, found = "", list[Template]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lang = line.strip("[]")
        elif line:
            found.append(_template(world, len(found), lang, line))
    return tuple(found)


def amount(value: str) -> Decimal:
    """Return the number at the head of a value such as `42.10 usd`."""
    return Decimal(value.split()[0])


def solutions(
    template: Template, claims: tuple[Claim, ...], fixed: Binding, rng: random.Random | None = None
) -> Iterator[Binding]:
    """Yield the ways to bind the template's variables so that the claims support it."""
    yield from _solve(template.patterns, template.conditions, claims, dict(fixed), rng)


def supported(template: Template, claims: tuple[Claim, ...], shown: Binding) -> bool:
    """Whether some reading of what a reader sees is wholly supported by the claims."""
    return next(solutions(template, claims, shown), None) is not None


def _template(world: str, number: int, lang: str, line: str) -> Template:
    head, text = line.split(" :: ", 1)
    claims, _, conditions = head.partition(" if ")
    patterns = tuple(
        Pattern(kind, _terms(terms)) for kind, terms in re.findall(r"(\w+)\(([^)]*)\)", claims)
    )
    types = {
        term: kind
        for pattern in patterns
        for term, kind in zip(pattern.terms, KINDS[world][pattern.kind], strict=True)
        if re.fullmatch(r"[a-z]", term)
    }
    parsed = tuple(_condition(c) for c in conditions.split(" and ") if c)
    return Template(number, lang, patterns, parsed, text, types)


def _terms(text: str) -> tuple[str, str, str]:
    terms = [term.strip() for term in text.split(",")] + ["", ""]
    return terms[0], terms[1], terms[2]


def _condition(text: str) -> Condition:
    found = re.fullmatch(r"(?:(\d)\*)?(\w)([<>=])(?:(\d)\*)?(\w)", text.replace(" ", ""))
    assert found, text
    i, x, relation, j, y = found.groups()
    return Condition((int(i or 1), x), relation, (int(j or 1), y))


def _solve(
    patterns: tuple[Pattern, ...],
    conditions: tuple[Condition, ...],
    claims: tuple[Claim, ...],
    bound: dict[str, str],
    rng: random.Random | None,
) -> Iterator[Binding]:
    if not patterns:
        if all(condition.holds(bound) for condition in conditions):
            yield bound
        return
    matching = [claim for claim in claims if claim.kind == patterns[0].kind]
    if rng:
        rng.shuffle(matching)
    for claim in matching:
        more = _unified(patterns[0], claim, bound)
        if more is not None:
            yield from _solve(patterns[1:], conditions, claims, more, rng)


def _unified(pattern: Pattern, claim: Claim, bound: Binding) -> dict[str, str] | None:
    made = dict(bound)
    for term, value in zip(pattern.terms, (claim.subject, claim.value, claim.object), strict=True):
        if term in ("", "_"):
            continue
        wanted = term.strip("'") if term.startswith("'") else made.setdefault(term, value)
        if wanted != value:
            return None
    return made


def _sample(
    world: World, template: Template, rng: random.Random, swapped_only: bool
) -> Sample | None:
    true = not swapped_only and rng.random() < 0.5
    if true:
        binding, why = _true_binding(template, world.claims, rng), template.tag
    else:
        binding, why = _false_binding(template, world, rng, swapped_only)
    if binding is None:
        return None
    sentence = _rendered(template, binding, rng)
    return Sample(sentence, true, why, world.facts, template.lang, template.number)


def _true_binding(
    template: Template, claims: tuple[Claim, ...], rng: random.Random
) -> Binding | None:
    for tried, binding in enumerate(solutions(template, claims, {}, rng)):
        if _distinct(template, binding):
            return binding
        if tried > 200:
            break
    return None


def _distinct(template: Template, binding: Binding) -> bool:
    names = [(template.types[v], binding[v]) for v in binding if template.types[v] not in NUMERIC]
    return len(names) == len(set(names))


def _false_binding(
    template: Template, world: World, rng: random.Random, swapped_only: bool
) -> tuple[Binding | None, str]:
    for _ in range(8):
        keep = not swapped_only and template.can_be_forgotten and rng.random() < 0.5
        base = _true_binding(_forgetful(template) if keep else template, world.claims, rng)
        if base is None:
            continue
        change = _keep if keep else _trade if swapped_only else rng.choice(_ADVERSARY)
        why, shown = change(template, dict(base), world, rng)
        visible = {name: shown[name] for name in template.shown}
        if _distinct(template, visible) and not supported(template, world.claims, visible):
            return visible, why
    return None, ""


def _forgetful(template: Template) -> Template:
    """Forget the verdicts and the conditions: what is left is true of the wrong things."""
    patterns = tuple(
        Pattern(p.kind, _terms(",".join("_" if t.startswith("'") else t for t in p.terms)))
        for p in template.patterns
    )
    return Template(template.number, template.lang, patterns, (), template.text, template.types)


def _of_types(template: Template, wanted: bool) -> list[str]:
    return [v for v in template.shown if (template.types[v] in NUMERIC) is wanted]


def _keep(template: Template, bound: dict[str, str], world: World, rng: random.Random) -> _Lie:
    """Change nothing: false only where a verdict or a condition was forgotten."""
    return ("comparison lie" if template.conditions else "verdict changed"), bound


def _swap(template: Template, bound: dict[str, str], world: World, rng: random.Random) -> _Lie:
    """Exchange two numbers, or two names, of one sentence."""
    pairs = [
        (a, b)
        for a in template.shown
        for b in template.shown
        if a < b and template.types[a] == template.types[b]
    ]
    if not pairs:
        return _off_by_one(template, bound, world, rng)
    a, b = rng.choice(pairs)
    bound[a], bound[b] = bound[b], bound[a]
    return ("numbers swapped" if template.types[a] in NUMERIC else "direction reversed"), bound


def _trade(template: Template, bound: dict[str, str], world: World, rng: random.Random) -> _Lie:
    """Put a number in the place of another of the same kind of claim.

    It comes from beside it in the sentence (an exchange) or from elsewhere in the record.
    """
    numbers = _of_types(template, wanted=True)
    places = [(p.kind, p.terms[1]) for p in template.patterns if p.terms[1] in numbers]
    kind, name = rng.choice(places)
    beside = [other for its, other in places if its == kind and other != name]
    if beside and rng.random() < 0.5:
        other = rng.choice(beside)
        bound[name], bound[other] = bound[other], bound[name]
    else:
        bound[name] = rng.choice([c.value for c in world.claims if c.kind == kind])
    return "numbers swapped", bound


def _borrow(template: Template, bound: dict[str, str], world: World, rng: random.Random) -> _Lie:
    """Take a true number of the same kind from somewhere else."""
    if not (numbers := _of_types(template, wanted=True)):
        return _rename(template, bound, world, rng)
    name = rng.choice(numbers)
    pool = _known(world, template.types[name])
    bound[name] = rng.choice(pool)
    return "another subject's number", bound


def _rename(template: Template, bound: dict[str, str], world: World, rng: random.Random) -> _Lie:
    """Put another known name, id or value in a place."""
    if not (names := _of_types(template, wanted=False)):
        return _borrow(template, bound, world, rng)
    name = rng.choice(names)
    bound[name] = rng.choice(_known(world, template.types[name]))
    return "name swapped", bound


def _off_by_one(
    template: Template, bound: dict[str, str], world: World, rng: random.Random
) -> _Lie:
    """Alter a number slightly, or turn its digits round."""
    if not (numbers := _of_types(template, wanted=True)):
        return _rename(template, bound, world, rng)
    name = rng.choice(numbers)
    bound[name] = _altered(bound[name], template.types[name], rng)
    words = re.search(rf"\{{{name}:[wWt]\}}", template.text)
    return ("number word altered" if words else "number altered"), bound


def _foreign(template: Template, bound: dict[str, str], world: World, rng: random.Random) -> _Lie:
    """Put a name or id in a place that the world does not know."""
    if not (names := _of_types(template, wanted=False)):
        return _off_by_one(template, bound, world, rng)
    name = rng.choice(names)
    kind = template.types[name]
    makers = {"part": part_number, "model": model_number, "maker": maker_number}
    if kind in makers:
        bound[name] = makers[kind](rng)
    elif kind in FOREIGN:
        bound[name] = rng.choice(FOREIGN[kind])
    else:
        return _rename(template, bound, world, rng)
    return "foreign name or id", bound


_ADVERSARY = (_swap, _swap, _borrow, _borrow, _rename, _rename, _off_by_one, _foreign)


def _known(world: World, kind: str) -> list[str]:
    values = {
        value
        for claim in world.claims
        for value, its in zip(
            (claim.subject, claim.value, claim.object),
            KINDS[world.name][claim.kind],
            strict=True,
        )
        if its == kind
    }
    return sorted(values)


def _altered(value: str, kind: str, rng: random.Random) -> str:
    number, _, unit = value.partition(" ")
    step = Decimal(1).scaleb(-len(number.partition(".")[2]))
    moves = [step, -step, 10 * step, -10 * step]
    made = Decimal(number) + rng.choice(moves)
    turned = number[::-1] if number.isdigit() and not number.endswith("0") else ""
    text = turned if turned and rng.random() < 0.2 else str(made)
    low = 2 if kind in ("count", "min") else 0
    text = text if Decimal(text) >= low else str(Decimal(number) + step)
    return f"{text} {unit}".strip()


def _rendered(template: Template, binding: Binding, rng: random.Random) -> str:
    def said(slot: re.Match[str]) -> str:
        name, form = slot[1], slot[2] or ""
        return spoken(template.types[name], binding[name], form, template.lang, rng)

    text = re.sub(r"\{(\w)(?::(\w+))?\}", said, template.text)
    if template.lang == "fr":
        text = re.sub(r"\bde le\b", "du", re.sub(r"\bà le\b", "au", text))
    return text[:1].upper() + text[1:]
