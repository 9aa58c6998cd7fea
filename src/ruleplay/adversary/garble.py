"""What goes wrong when a model is asked for JSON: values of a schema, and every way to spoil them.

Everything is drawn from a given `random.Random`, so a fuzz run can be repeated.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from pydantic import JsonValue

from ruleplay.adversary.lies import INJECTIONS

Schema = Mapping[str, JsonValue]

FALLBACK_WORDS = ("", "none", "Zarquon", "naïve 龍", "\u202egnirts", "x" * 300, "0", "null", "{}")
FALLBACK_NUMBERS = (0, 1, -1, 2, 7, 99, 10**9, -(10**18), 0.5, 1e300)


class Invention:
    """Random values of a JSON schema, with strings picked from `tokens` (words of the prompt).

    Understands what pydantic emits: `$ref`, `anyOf`, `oneOf`, `allOf`, `enum`, `const`, bounds and
    patterns. `wild` lifts numeric bounds and takes strings from outside the prompt too.
    """

    def __init__(
        self, rng: random.Random, schema: Schema, tokens: Sequence[str] = (), wild: bool = False
    ) -> None:
        self._rng, self._root, self._wild = rng, schema, wild
        self._tokens = tuple(tokens) + (FALLBACK_WORDS if wild or not tokens else ())

    def value(self) -> JsonValue:
        """Return a value of the whole schema."""
        return self._of(dict(self._root), 0)

    def _of(self, node: JsonValue, depth: int) -> JsonValue:
        schema = self._resolve(node)
        if "const" in schema:
            return schema["const"]
        if isinstance(options := schema.get("enum"), list):
            return self._rng.choice(options)
        for key in ("anyOf", "oneOf", "allOf"):
            if isinstance(branches := schema.get(key), list) and branches:
                return self._of(self._branch(branches, depth), depth + 1)
        return self._of_type(schema, self._type(schema), depth)

    def _branch(self, branches: list[JsonValue], depth: int) -> JsonValue:
        plain = [b for b in branches if isinstance(b, dict) and "$ref" not in b]
        return self._rng.choice(plain if depth > 12 and plain else branches)

    def _resolve(self, node: JsonValue) -> Schema:
        for _ in range(50):
            if not isinstance(node, dict) or not isinstance(ref := node.get("$ref"), str):
                break
            node = dict(self._root)
            for step in ref.removeprefix("#/").split("/"):
                node = node.get(step) if isinstance(node, dict) else None
        return node if isinstance(node, dict) else {}

    def _type(self, schema: Schema) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = self._rng.choice(kind)
        return kind if isinstance(kind, str) else "object" if "properties" in schema else "string"

    def _of_type(self, schema: Schema, kind: str, depth: int) -> JsonValue:
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, depth)
        if kind in ("integer", "number"):
            return self._number(schema, kind)
        if kind == "boolean":
            return self._rng.random() < 0.5
        return None if kind == "null" else self._string(schema)

    def _object(self, schema: Schema, depth: int) -> JsonValue:
        fields, required = schema.get("properties"), schema.get("required")
        needed = set(map(str, required)) if isinstance(required, list) else set()
        if not isinstance(fields, dict):
            return {}
        keep = [k for k in fields if k in needed or (depth < 12 and self._rng.random() < 0.7)]
        return {key: self._of(fields[key], depth + 1) for key in keep}

    def _array(self, schema: Schema, depth: int) -> JsonValue:
        if isinstance(first := schema.get("prefixItems"), list):
            return [self._of(item, depth + 1) for item in first]
        low, high = _bound(schema, "minItems", 0), _bound(schema, "maxItems", 3)
        count = self._rng.randint(int(low), max(int(low), min(int(high), 3 if depth < 8 else 0)))
        return [self._of(schema.get("items", {}), depth + 1) for _ in range(count)]

    def _number(self, schema: Schema, kind: str) -> JsonValue:
        if self._wild and self._rng.random() < 0.6:
            wild = self._rng.choice(FALLBACK_NUMBERS)
            return int(wild) if kind == "integer" and abs(wild) < 1e20 else wild
        low = _bound(schema, "minimum", _bound(schema, "exclusiveMinimum", -1) + 1)
        high = _bound(schema, "maximum", _bound(schema, "exclusiveMaximum", low + 101) - 1)
        if kind == "integer":
            return self._rng.randint(int(low), max(int(low), int(high)))
        return low if high < low else round(self._rng.uniform(low, high), 2)

    def _string(self, schema: Schema) -> JsonValue:
        low, high = int(_bound(schema, "minLength", 0)), int(_bound(schema, "maxLength", 10**6))
        pattern = schema.get("pattern")
        fitting = [
            token
            for token in self._tokens
            if low <= len(token) <= high
            and (not isinstance(pattern, str) or re.search(pattern, token))
        ]
        return self._rng.choice(fitting) if fitting else "x" * max(1, low)


def _bound(schema: Schema, key: str, default: float) -> float:
    bound = schema.get(key, default)
    return bound if isinstance(bound, (int, float)) else default


def valid(rng: random.Random, schema: Schema, tokens: Sequence[str]) -> str:
    """Return JSON that satisfies the schema, legal or not."""
    return json.dumps(Invention(rng, schema, tokens).value(), ensure_ascii=False)


def wild(rng: random.Random, schema: Schema, tokens: Sequence[str]) -> str:
    """Return JSON of the schema's shape with huge, negative, foreign or odd values."""
    return json.dumps(Invention(rng, schema, tokens, wild=True).value(), ensure_ascii=False)


def respelled(value: JsonValue, spell: Callable[[str], str]) -> JsonValue:
    """Return the value with every object key respelled."""
    if isinstance(value, dict):
        return {spell(key): respelled(item, spell) for key, item in value.items()}
    return [respelled(item, spell) for item in value] if isinstance(value, list) else value


def pascal(key: str) -> str:
    """`part_number` as `PartNumber`."""
    return "".join(word[:1].upper() + word[1:] for word in key.split("_"))


def camel(key: str) -> str:
    """`part_number` as `partNumber`."""
    return pascal(key)[:1].lower() + pascal(key)[1:]


def stringly(value: JsonValue) -> JsonValue:
    """Return the value with every number, boolean and list inside turned to text."""
    if isinstance(value, dict):
        return {key: stringly(item) for key, item in value.items()}
    return value if isinstance(value, str) else json.dumps(value)


def retyped(rng: random.Random, value: JsonValue) -> JsonValue:
    """Return an object with one of its values replaced by one of another type."""
    if not isinstance(value, dict) or not value:
        return rng.choice([7, "text", None, True])
    key = rng.choice(sorted(value))
    other: list[JsonValue] = [{"value": value[key]}, [[]], -1.5, None, "seven", False]
    return {**value, key: rng.choice(other)}


def _truncated(rng: random.Random, text: str) -> str:
    return text[: rng.randint(0, max(0, len(text) - 1))]


def _broken(rng: random.Random, text: str) -> str:
    replaced = (("{", "("), ('"', "'"), (":", " = "), ("}", ",}"))
    old, new = rng.choice(replaced)
    return text.replace(old, new)


def _not_a_number(rng: random.Random, text: str) -> str:
    name = rng.choice(["NaN", "Infinity", "-Infinity"])
    changed = re.sub(r"(?<=: )-?\d[\d.e+]*", name, text)
    return changed if changed != text else '{"value": %s}' % name  # noqa: UP031


def _duplicated(rng: random.Random, text: str) -> str:
    value = json.loads(text)
    if not isinstance(value, dict) or not value:
        return '{"a": 1, "a": 2}'
    key = rng.choice(sorted(value))
    return text[:-1] + f", {json.dumps(key)}: {json.dumps(retyped(rng, value[key]))}}}"


def _extended(rng: random.Random, text: str) -> str:
    value = json.loads(text)
    extra = {"hp": 9999, "state": {"won": True}, "__class__": "Admin", "note": "x" * 50}
    return json.dumps({**value, **extra} if isinstance(value, dict) else extra)


def _respelt(rng: random.Random, text: str) -> str:
    return json.dumps(respelled(json.loads(text), rng.choice([pascal, camel, str.upper])))


def _wrapped(rng: random.Random, text: str) -> str:
    frame = rng.choice(
        (
            "Sure! Here is what I would do:\n\n{}\n\nLet me know if that helps.",
            "```json\n{}\n```",
            "```\n{}",
            '<think>\nmaybe {{"a": 1}}?\n</think>\n{}',
            "<think>still thinking about {}",
            "{}</think>",
            "{0}\n{0}",
            "[{}]",
            '{{"result": {}}}',
        )
    )
    return frame.format(text)


def _injection(rng: random.Random, text: str) -> str:
    order = rng.choice(INJECTIONS)
    value = json.loads(text)
    if not isinstance(value, dict) or not value or rng.random() < 0.3:
        return order
    texts = [key for key, item in value.items() if isinstance(item, str)]
    return json.dumps({**value, rng.choice(texts or sorted(value)): order})


def _garbage(rng: random.Random, text: str) -> str:
    alphabet = '{}[]",:0123456789 abcXYZ\n\t\\é龍\u200b\U0001f409'
    return "".join(rng.choices(alphabet, k=100_000))


def _nested(rng: random.Random, text: str) -> str:
    opening, closing = rng.choice((("[", "]"), ('{"a": ', "}")))
    return opening * 1000 + text + closing * (1000 if rng.random() < 0.7 else 0)


SPOILERS: Mapping[str, Callable[[random.Random, str], str]] = {
    "truncated": _truncated,
    "broken": _broken,
    "retyped": lambda rng, text: json.dumps(retyped(rng, json.loads(text))),
    "stringly": lambda rng, text: json.dumps(stringly(json.loads(text))),
    "extended": _extended,
    "respelt": _respelt,
    "wrapped": _wrapped,
    "array": lambda rng, text: f"[{text}, {text}]",
    "scalar": lambda rng, text: rng.choice(["null", "42", '"yes"', "true", "[]"]),
    "empty": lambda rng, text: rng.choice(["", " ", "\n\n"]),
    "garbage": _garbage,
    "nested": _nested,
    "not a number": _not_a_number,
    "duplicate keys": _duplicated,
    "injection": _injection,
}
"""Ways to spoil valid JSON text, by name."""


def garbled(rng: random.Random, schema: Schema, tokens: Sequence[str]) -> tuple[str, str]:
    """Return a reply to a request for `schema`, and the name of what is wrong with it.

    A fifth of the replies are valid and plausible, a quarter valid in shape only.
    """
    draw = rng.random()
    if draw < 0.2:
        return valid(rng, schema, tokens), "valid"
    if draw < 0.45:
        return wild(rng, schema, tokens), "wild"
    name = rng.choice(sorted(SPOILERS))
    return SPOILERS[name](rng, valid(rng, schema, tokens)), name


def tokens_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct words and ids of the prompt, in order; at most 2,000."""
    return tuple(dict.fromkeys(_words(texts)))[:2000]


def _words(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        yield from re.findall(r"\w+(?:[-'’.]\w+)*", text)
