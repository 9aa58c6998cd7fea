"""Every regular expression of the product, and texts on which a careless one takes for ever.

What is found: patterns written in the code, whoever calls `re`, and those that modules made when
they were imported. What is tried, from a pattern's own syntax tree: each repetition repeated up to
the limit with what leads to it once before, the way there over and over, and an end that fits not.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]  # no public way to the tree
from re import _parser as parser  # type: ignore[attr-defined]

from tests.samples import sample

import ruleplay

SOURCE = Path(ruleplay.__file__).parent
OWNERS_ONLY = ("cli", "bench", "adversary", "rehearsal", "migrations", "srd_sheets", "srd_items")
"""Parts that clients' bytes never reach."""
METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split")
MESSAGE = 8_000
SIZES = {
    "server/": 64_000,  # a request's head
    "story/sections.py": 60_000,
    "kernel/agent.py": 1_000_000,
    "saga/adapters/": 60_000,
    "party/adapters/": 60_000,
    "party/domain/character.py": 20_000,
    "battle/adapters/replays.py": 8_000_000,
    "raid/domain/lines.py": 100_000,
    "raid/adapters/": 100_000,
    "parts/domain/id_context.py": 200,  # what stands around a word
    "raid/policy/claims.py": 1_000,  # a model's sentence
}
"""Characters that reach the patterns of a part, where it is not a message's."""
ENDINGS = ("\x00", "", "!\n")
Tree = Iterable[tuple[object, object]]


@dataclass(frozen=True)
class Found:
    """A pattern, how it is asked, where it stands, and how many characters reach it."""

    pattern: str
    flags: int
    methods: tuple[str, ...]
    place: str
    size: int


def patterns() -> list[Found]:
    """Return every pattern that a client's bytes may reach."""
    found: dict[tuple[str, int], Found] = {}
    for one in (*_written(), *_made()):
        known = found.get((one.pattern, one.flags))
        if known is None or known.size < one.size:
            found[one.pattern, one.flags] = one
    return sorted(found.values(), key=lambda one: (one.place, one.pattern))


def _files() -> Iterator[Path]:
    for file in sorted(SOURCE.rglob("*.py")):
        parts = {part.removesuffix(".py") for part in file.relative_to(SOURCE).parts}
        if not parts & {*OWNERS_ONLY}:
            yield file


def _size(place: str) -> int:
    size = next((size for part, size in SIZES.items() if part in place), MESSAGE)
    return min(size, sample(30_000, size))


def _written() -> Iterator[Found]:
    for file in _files():
        text, place = file.read_text("utf-8"), str(file.relative_to(SOURCE))
        if "re." not in text:
            continue
        tree = ast.parse(text)
        names = _names(tree)
        for node in ast.walk(tree):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=method),
                    args=[ast.Constant(value=str(pattern)), *_],
                ) if method != "escape":
                    flags = _flags(node)
                    how = (method,) if method in METHODS else _asked(names.get(node, ""), text)
                    yield Found(pattern, flags, how, f"{place}:{node.lineno}", _size(place))


def _flags(call: ast.Call) -> int:
    given = " ".join(
        ast.unparse(arg) for arg in (*call.args[1:], *(k.value for k in call.keywords))
    )
    names = re.findall(r"re\.([A-Z]+)\b", given)
    return sum({int(getattr(re, name)) for name in names if hasattr(re, name)})


def _names(tree: ast.Module) -> dict[ast.AST, str]:
    """Return the names under which a module keeps what it compiled."""
    return {
        node.value: node.targets[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


@cache
def _source() -> str:
    return "\n".join(file.read_text("utf-8") for file in _files())


@cache
def _calls(text: str) -> dict[str, set[str]]:
    """Return which methods a text calls on each name."""
    called: dict[str, set[str]] = {}
    for name, method in re.findall(r"\b(\w+)\.(\w+)\(", text):
        called.setdefault(name, set()).add(method)
    return called


def _asked(name: str, own: str) -> tuple[str, ...]:
    """Return the ways in which a pattern is asked, first in its own module's text, then in any.

    The dearest where none is seen.
    """
    for text in (own, _source()) if name else ():
        if used := _calls(text).get(name, set()) & {*METHODS}:
            return tuple(sorted(used))
    return ("search",)


def _made() -> Iterator[Found]:
    for module in pkgutil.walk_packages([str(SOURCE)], "ruleplay."):
        if {*module.name.split(".")} & {*OWNERS_ONLY}:
            continue
        try:
            loaded = importlib.import_module(module.name)
        except ImportError:  # an extra that is not installed
            continue
        place = module.name.replace(".", "/").removeprefix("ruleplay/") + ".py"
        for name, value in vars(loaded).items():
            for pattern in _inside(value):
                if isinstance(pattern.pattern, str):
                    own = inspect.getsource(loaded) if loaded.__doc__ else ""
                    yield Found(
                        pattern.pattern,
                        pattern.flags & ~re.UNICODE,
                        _asked(name, own),
                        f"{place}:{name}",
                        _size(place),
                    )


def _inside(value: object, depth: int = 3) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for one in value.values():
            yield from _inside(one, depth - 1)
    elif depth and isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from _inside(one, depth - 1)


def attacks(found: Found) -> Iterator[str]:
    """Return texts of the largest size that try a pattern's patience."""
    tree = parser.parse(found.pattern, found.flags)
    tried: set[str] = set()
    for before, pump in dict.fromkeys(_pumps([*tree], "")):
        for text in (
            before + _filled(pump, found.size),
            _filled(before + pump, found.size),
            _filled(before + pump * 50, found.size),
            _filled(before, found.size),
        ):
            for ending in ENDINGS:
                whole = text[: found.size - len(ending)] + ending
                if whole and whole not in tried:
                    tried.add(whole)
                    yield whole


def _filled(piece: str, size: int) -> str:
    return piece * (size // len(piece)) if piece else ""


def _pumps(nodes: list[tuple[object, object]], before: str) -> Iterator[tuple[str, str]]:
    """Return what leads to each repetition, and what it repeats."""
    for place, (kind, inner) in enumerate(nodes):
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            _, most, body = inner  # type: ignore[misc]
            if most > 20:
                yield before, _sample(body)
                after = "".join(_sample([node]) for node in nodes[place + 1 : place + 2])
                yield before, _sample(body) + after
            yield from _pumps([*body], before)
        else:
            for branch in _branches(kind, inner):
                yield from _pumps([*branch], before)
        before += _sample([(kind, inner)])
    yield before, before or "a"


def _branches(kind: object, inner: object) -> list[Tree]:
    match kind, inner:
        case codes.SUBPATTERN, (*_, body):
            return [body]
        case codes.BRANCH, (_, branches):
            return [*branches][:40]
        case ((codes.ASSERT | codes.ASSERT_NOT), (_, body)):
            return [body]
        case codes.ATOMIC_GROUP, body:
            return [body]
    return []


def _sample(tree: Tree) -> str:
    """Return a text that a part of a pattern matches, or nearly so."""
    text = ""
    for kind, inner in tree:
        match kind:
            case codes.LITERAL:
                text += chr(inner)  # type: ignore[arg-type]
            case codes.NOT_LITERAL:
                text += "a" if inner != ord("a") else "b"
            case codes.ANY:
                text += "a"
            case codes.IN:
                text += _member(inner)  # type: ignore[arg-type]
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                least, _, body = inner  # type: ignore[misc]
                text += _sample(body) * max(1, min(least, 50))
            case codes.SUBPATTERN | codes.BRANCH | codes.ATOMIC_GROUP:
                branches = _branches(kind, inner)
                text += _sample(branches[0]) if branches else ""
    return text


def _member(members: Tree) -> str:
    given = [*members]
    negated = any(kind is codes.NEGATE for kind, _ in given)
    candidates = [*map(chr, range(32, 127)), "é", "\n", "\t"]
    for kind, inner in given:
        if kind is codes.LITERAL:
            candidates.insert(0, chr(inner))  # type: ignore[arg-type]
        elif kind is codes.RANGE:
            candidates.insert(0, chr(inner[0]))  # type: ignore[index]
        elif kind is codes.CATEGORY:
            word = {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " "}.get(inner, "a")
            candidates.insert(0, word)
    for sign in candidates:
        if _fits(given, sign) != negated:
            return sign
    return "a"


def _fits(members: list[tuple[object, object]], sign: str) -> bool:
    for kind, inner in members:
        if kind is codes.LITERAL and ord(sign) == inner:
            return True
        if kind is codes.RANGE and inner[0] <= ord(sign) <= inner[1]:  # type: ignore[index]
            return True
        if kind is codes.CATEGORY and re.fullmatch(_CATEGORIES.get(inner, r"\w"), sign):
            return True
    return False


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def run(found: Found, text: str) -> None:
    """Ask a pattern about a text in the ways that the product does."""
    compiled = re.compile(found.pattern, found.flags)
    for method in found.methods:
        if method in ("sub", "subn"):
            compiled.sub("", text)
        elif method == "finditer":
            for _ in compiled.finditer(text):
                pass
        elif method != "compile":
            getattr(compiled, method)(text)
