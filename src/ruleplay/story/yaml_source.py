"""Read YAML from users safely, so that every error names its line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import yaml  # type: ignore[import-untyped, unused-ignore]
from pydantic import BaseModel, ValidationError

from ruleplay.errors import UserError

Model = TypeVar("Model", bound=BaseModel)


DEEPEST = 32
"""Deepest nesting of values; ours have at most six levels."""
DIGITS = 30
"""Most characters of a number; Python takes long to convert very long ones, or refuses."""
UNREADABLE = (ValueError, ArithmeticError, RecursionError, LookupError, TypeError, AttributeError)
"""Errors that PyYAML raises for values that only look like dates, numbers or bytes."""
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class PlainLoader(yaml.SafeLoader):  # type: ignore[misc, unused-ignore]
    """A safe loader without aliases, by which a small file could expand to a huge value."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases, deep nesting and overlong numbers."""
        mark = self.peek_event().start_mark
        if self.check_event(yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases (*name) are not read", problem_mark=mark)
        if self.depth >= DEEPEST:
            raise yaml.MarkedYAMLError(problem="too deep inside other values", problem_mark=mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, yaml.ScalarNode) and node.tag in NUMBERS and len(node.value) > DIGITS:
            raise yaml.MarkedYAMLError(problem="a number of too many digits", problem_mark=mark)
        return node


class Located:
    """One YAML document: its value, and the line of each part.

    `first_line` is the document's line in `file`, if it is part of a larger one. Reading raises
    UserError.
    """

    def __init__(self, text: str, file: str, first_line: int = 1) -> None:
        self.file, self._first = file, first_line
        loader = PlainLoader(text)
        try:
            self._root = loader.get_single_node()
            self.value: object = (
                loader.construct_document(self._root) if self._root is not None else None
            )
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or "cannot be read"
            raise self.error(problem, mark.line if mark else 0) from error
        except UNREADABLE as error:
            # An example is a date in a thirteenth month; PyYAML does not say where it is.
            raise self.error(f"a value cannot be read: {str(error)[:200]}", 0) from error
        finally:
            loader.dispose()

    def error(self, problem: str, line: int) -> UserError:
        """Build an error with file and line; `line` is relative to the document, from 0."""
        return UserError(f"{self.file}:{self._first + line}: {problem}")

    def line_of(self, path: Sequence[str | int]) -> int:
        """Return the line of a path's deepest existing part, relative to the document, from 0."""
        node, line = self._root, 0
        for step in path:
            found = _child(node, step)
            if found is None:
                break
            key, node = found
            line = key.start_mark.line
        return line

    def holds(self, path: Sequence[str | int]) -> bool:
        """Whether a path begins in this document."""
        return isinstance(self.value, dict) and bool(path) and path[0] in self.value

    def read(self, model: type[Model], also: dict[str, object] | None = None) -> Model:
        """Validate the document as a model (UserError); `also` are fields from elsewhere."""
        return _validated(model, [self], also or {}, lambda problem: ())


def read_together(
    model: type[Model], texts: Mapping[str, str], path_of: Callable[[str], Sequence[str]]
) -> Model:
    """Validate several documents, by file, as one model (UserError with file and line).

    `path_of` returns the path to the entry that a problem of the whole names, or an empty one.
    """
    return _validated(model, [Located(text, name) for name, text in texts.items()], {}, path_of)


def _validated(
    model: type[Model],
    sources: Sequence[Located],
    also: Mapping[str, object],
    path_of: Callable[[str], Sequence[str]],
) -> Model:
    found: dict[str, object] = {}
    for source in sources:
        if not isinstance(source.value, dict):
            raise source.error("expected `name: value` lines", 0)
        found.update(source.value)
    try:
        return model.model_validate({**found, **also})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        problem = first["msg"].removeprefix("Value error, ")
        path = first["loc"] or path_of(problem)
        source = next((one for one in sources if one.holds(path)), sources[0])
        said = f"{where}: {problem}" if where else problem
        raise source.error(said, source.line_of(path)) from error


def _child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == str(step)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None
