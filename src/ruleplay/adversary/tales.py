"""What an adversary makes of stories: readings that wish for everything, and lying passages.

Readings are well formed and name what the prompt lists, so that they reach the rules; passages mark
their beats as asked and hide a lie in one of their paragraphs.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import get_args

from pydantic import JsonValue

from ruleplay.adversary.lies import Planted
from ruleplay.story.acts import Approach, Band, Do, EffectKind, Meta, Vain, Want, When
from ruleplay.story.bounds import MARKS, ROUNDS

Schema = Mapping[str, JsonValue]
_LISTED = re.compile(r"^(\w+): (.+)$", re.MULTILINE)
_ID = re.compile(r"(?:^|, )([\w:-]+)(?= \(|,|$)")
_ROW = re.compile(r"^\[(b\d+)\]", re.MULTILINE)
CANON = (
    "a chest with a thousand gold coins under the floor",
    "the hero is the rightful king and owns the place",
    "a hidden passage leads straight to the end",
    "everybody here died in the night",
    "two drovers who never look up from their dice",
    "un oiseau de bois qui dort au-dessus du feu",
)
LIES = {
    "digits": (
        "With that they have lost {n} of what they had.",
        "Et voilà {n} de moins que ce qu'ils avaient.",
    ),
    "a stranger": (
        "And there stands {who}, whom nobody has asked.",
        "Et là se tient {who}, que nul n'a appelé.",
    ),
    "loot": (
        "Under the {x} they find a treasure of jewels and gold.",
        "Sous le {x}, ils ramassent un trésor de bijoux.",
    ),
    "JSON in prose": ('{{"do": "win", "id": "{x}"}}',) * 2,
    "a way": (
        "Behind the {x} there is a hidden door.",
        "Derrière le {x} s'ouvre une porte cachée.",
    ),
}
"""Lies of each class, in English and French."""
TEXTS = ("wins at once", "takes everything there is", "ignore the rules", "hums a tune", "frappe")


def is_reading(schema: Schema) -> bool:
    """Whether a schema asks for a reading of acts."""
    fields = schema.get("properties")
    return isinstance(fields, dict) and {"acts", "choices"} <= set(fields)


def greedy(rng: random.Random, prompt: str) -> dict[str, JsonValue]:
    """Return a reading that wishes for as much as it can, of what the prompt lists."""
    lists = {name: _ID.findall(text) for name, text in _LISTED.findall(prompt)}
    acts: list[JsonValue] = [_act(rng, lists) for _ in range(rng.randint(1, 5))]
    details: list[JsonValue] = [{"text": rng.choice(CANON)} for _ in range(rng.randint(0, 2))]
    return {"acts": acts, "details": details}


def _act(rng: random.Random, lists: Mapping[str, list[str]]) -> dict[str, JsonValue]:
    def of(*names: str) -> str:
        known = [one for name in names for one in lists.get(name, [])]
        return rng.choice(known) if known else ""

    do = rng.choice((*get_args(Do), "check", "check", "check", "rule", "say"))
    act: dict[str, JsonValue] = {"do": do, "text": rng.choice(TEXTS)}
    act["to"] = of("ways") if do == "move" else of("beings")
    if do in ("ask", "whisper"):
        act["to"] = rng.choice(("scene", "sheet", "rules", "memory", "help"))
        act["to"] = act["to"] if do == "ask" else "dm"
    if do in ("pick", "rule"):
        act["item"] = of("options" if do == "pick" else "rules")
    if do in ("use", "take", "give"):
        act["item"] = of("items", "things") if do != "take" else rng.choice(("a crown", "rope"))
    if do in ("give", "say", "check", "follow"):
        act["coin"] = rng.choice((0, 0, 1, 5, 1_000))
    if do == "say":
        act |= {"approach": rng.choice(get_args(Approach)), "want": rng.choice(get_args(Want))}
        act["topic"] = of("topics") if rng.random() < 0.4 else ""
    if do == "check":
        act |= {"skill": of("skills"), "band": rng.choice(get_args(Band))}
        act["success"] = [_effect(rng, of) for _ in range(2)]
        act["failure"] = [_effect(rng, of) for _ in range(rng.randint(0, 2))]
    if do == "rule" and rng.random() < 0.4:
        act |= {"stunt": _effect(rng, of), "spare": rng.random() < 0.5}
    act |= {"meta": rng.choice(get_args(Meta))} if do == "meta" else {}
    act |= {"vain": rng.choice(get_args(Vain))} if do == "vain" else {}
    if rng.random() < 0.15:
        act["when"] = rng.choice(get_args(When))
    return act


def _effect(rng: random.Random, of: object) -> dict[str, JsonValue]:
    kind = rng.choice(get_args(EffectKind))
    what = rng.choice(("up", "down", *ROUNDS, *MARKS, "dead", "invincible", "door"))
    pick = of if callable(of) else str
    if kind == "clue":
        what = str(pick("clues"))
    return {
        "kind": kind,
        "who": str(pick("beings")),
        "what": what,
        "amount": rng.choice((-1_000, -1, 0, 1, 2, 9, 1_000_000)),
        "text": rng.choice((*CANON, "a vorpal sword")),
    }


def beats_asked(prompt: str) -> list[str]:
    """Return the marks of the beats that a prompt asks to be told."""
    return _ROW.findall(prompt)


def passage(
    rng: random.Random, marks: Sequence[str], *, french: bool = False
) -> tuple[str, list[Planted]]:
    """Return prose that marks its beats and hides lies, and what was planted."""
    paragraphs: list[str] = []
    planted: list[Planted] = []
    for mark in marks or ("",):
        said = rng.choice(("They go at it, and it is done before one can say so.", "It goes on."))
        told = f"{said} They look at one another, and breathe. [{mark}]" if mark else said
        if rng.random() < 0.4:
            lie, why = _lie(rng, french)
            planted.append(Planted("lie", lie, lie, why))
            told = f"{lie} {told}" if rng.random() < 0.5 else f"{told} {lie}"
        paragraphs.append(told)
    if rng.random() < 0.3:
        rng.shuffle(paragraphs)
    if rng.random() < 0.2:
        paragraphs.append("And something else. [b99]")
    return "\n\n".join(paragraphs), planted


def _lie(rng: random.Random, french: bool) -> tuple[str, str]:
    """Return a lie of a class that no passage may show, and its class."""
    nonce = "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(3))
    why = rng.choice(sorted(LIES))
    return LIES[why][french].format(n=rng.randint(2, 99), who=nonce.capitalize(), x=nonce), why
