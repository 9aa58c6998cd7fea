"""A trained text classifier, which tells what a sentence is about without a language model.

An agent describes what people may mean as *heads*, each with a few *labels* (raid: `measure` with
`damage`, `deaths`, …), collects labelled example sentences in `training/`, and runs `python -m
training AGENT` to write the weights next to its code.

A sentence is first scored by the words in it, in about a millisecond. Only heads that this leaves
uncertain are also scored by meaning (see `encoder`), which covers words that were never trained on
but takes a few milliseconds. Names should be replaced by marks such as `<player>` before training
and reading, so that the weights are about the question and not about who is in it.
"""

from __future__ import annotations

import json
import math
import re
import sys
import unicodedata
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOKEN = re.compile(r"<\w+>|[^\W_]+|[?!]")
_PIECES = (3, 4, 5)
"""Lengths in characters of the pieces of words, including marks for the word's edges; pieces
survive typos."""


def fold(text: str) -> str:
    """Lower-case a text and remove its accents."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parted if not unicodedata.combining(char))


def features(text: str) -> set[int]:
    """Hash a text's words, pairs of words and pieces of words (CRC-32).

    Only the first 200 tokens count, so that reading time is bounded.
    """
    tokens = _TOKEN.findall(fold(text))[:200]
    # Hashes instead of strings keep the weights small; Python's own `hash` differs between
    # processes.
    return {zlib.crc32(feature.encode()) for feature in _features(tokens)}


def _features(tokens: Sequence[str]) -> Iterator[str]:
    # The empty feature is in every text and serves as the bias.
    """Yield words (w…), their pieces (p…) and adjacent pairs (b…)."""
    yield ""
    for token in tokens:
        yield f"w{token}"
        if token.isalnum():
            edged = f" {token} "
            for size in _PIECES:
                yield from (f"p{edged[at : at + size]}" for at in range(len(edged) - size + 1))
    # The marks make the first and the last word of a text features of their own.
    for before, after in pairwise(["<", *tokens, ">"]):
        yield f"b{before} {after}"


@dataclass(frozen=True, slots=True)
class Guess:
    """A label and its probability from 0 to 1; those of a head's labels add up to 1."""

    label: str
    sure: float


KEPT = 64
"""Texts whose guesses a classifier keeps, 10 KB each: a turn reads many of its words repeatedly."""
SURE_BY_WORDS = 0.6
"""Probability from which a head's answer by words alone stands; below it, the meaning is scored
too."""


@dataclass(frozen=True)
class Sense:
    """A second classifier over the same labels, on the meaning of a sentence (see `encoder`).

    It turns the encoder's features into a score per label: `weights` times the label's `scales`,
    plus its `bias`. `trust` has the factor by which a head's scores by words are multiplied before
    these are added; a head without one is never scored by meaning.
    """

    packed: bytes
    """The weights: features x labels, row by row, as signed bytes from -127 to 127."""
    scales: tuple[float, ...]
    bias: tuple[float, ...]
    trust: Mapping[str, float]

    @cached_property
    def weights(self) -> NDArray[np.float32]:
        """The weights as floats, which multiply fastest; only unsure texts need them."""
        import numpy as np

        steps = np.frombuffer(self.packed, np.int8)
        return steps.reshape(-1, len(self.scales)).astype(np.float32)

    def scores(self, text: str) -> list[float]:
        """Score every label of all heads, one head after the other."""
        from ruleplay.hearing.encoder import meaning, one_thread

        found = meaning(text)
        with one_thread():
            sums = (found @ self.weights).tolist()
        return [
            total * scale + bias
            for total, scale, bias in zip(sums, self.scales, self.bias, strict=True)
        ]


class Rows(Mapping[int, Sequence[int]]):
    """Maps hashes of features, in ascending order, to `wide` weights each, kept as packed bytes.

    A text has some hundred features of tens of thousands: those are looked up, the rest is never
    made objects of.
    """

    def __init__(self, hashes: array[int], weights: memoryview, wide: int) -> None:
        self._hashes, self._weights, self._wide = hashes, weights, wide

    def __getitem__(self, hashed: int) -> Sequence[int]:
        at = bisect_left(self._hashes, hashed)
        if at == len(self._hashes) or self._hashes[at] != hashed:
            raise KeyError(hashed)
        return self._weights[at * self._wide : (at + 1) * self._wide]

    def __iter__(self) -> Iterator[int]:
        return iter(self._hashes)

    def __len__(self) -> int:
        return len(self._hashes)


@dataclass(frozen=True)
class Classifier:
    """Weights of one or more heads; `rows` maps a feature's hash to a signed byte per label.

    `words` are the longer training words, folded, for callers that need to know them.
    """

    heads: Mapping[str, tuple[str, ...]]
    scales: tuple[float, ...]
    """The value of one step of a label's weight."""
    rows: Mapping[int, Sequence[int]]
    words: frozenset[str] = frozenset()
    sense: Sense | None = None

    def read(self, text: str) -> Mapping[str, tuple[Guess, ...]]:
        """Score a text: for each head its labels, the most likely first."""
        return self._kept(text)

    @cached_property
    def _kept(self) -> Callable[[str], Mapping[str, tuple[Guess, ...]]]:
        return lru_cache(KEPT)(self._score)

    def _score(self, text: str) -> Mapping[str, tuple[Guess, ...]]:
        known = [row for hashed in features(text) if (row := self.rows.get(hashed))]
        # Dampens the certainty of long texts, whose many features add up.
        length = math.sqrt(max(len(known), 1))
        sums = [sum(column) for column in zip(*known, strict=True)] or [0] * len(self.scales)
        scores = [total * scale / length for total, scale in zip(sums, self.scales, strict=True)]
        found, places, at = {}, {}, 0
        for head, labels in self.heads.items():
            places[head] = slice(at, at + len(labels))
            found[head], at = _shares(labels, scores[places[head]]), at + len(labels)
        return MappingProxyType(found | self._by_meaning_too(text, found, places, scores))

    def _by_meaning_too(
        self,
        text: str,
        found: Mapping[str, tuple[Guess, ...]],
        places: Mapping[str, slice],
        scores: Sequence[float],
    ) -> dict[str, tuple[Guess, ...]]:
        """Score the uncertain heads by meaning too; returns those that this makes more certain."""
        trust = self.sense.trust if self.sense else {}
        unsure = [head for head, guesses in found.items() if guesses[0].sure < SURE_BY_WORDS]
        open_ = [head for head in unsure if head in trust]
        # The encoder finds some meaning in any letters, so gibberish is ruled out by its words; a
        # question mark is none.
        said = [token for token in _TOKEN.findall(fold(text)) if token not in "?!"]
        if not (self.sense and open_ and self.knows_any(said)):
            return {}
        meant = self.sense.scores(text)
        both = {
            head: _shares(
                self.heads[head],
                [
                    trust[head] * by + of
                    for by, of in zip(scores[places[head]], meant[places[head]], strict=True)
                ],
            )
            for head in open_
        }
        # Meaning may confirm or overturn the words, but only if it makes the head more certain.
        return {head: one for head, one in both.items() if one[0].sure > found[head][0].sure}

    def by_words(self) -> Classifier:
        """Return a classifier that uses words only: of fragments, the encoder is too sure."""
        return self._of_words

    @cached_property
    def _of_words(self) -> Classifier:
        return replace(self, sense=None)

    def by_meaning(self) -> Classifier:
        """Return a classifier that uses meaning only."""
        return replace(self, scales=(0.0,) * len(self.scales))

    def knows_any(self, words: Sequence[str]) -> bool:
        """Whether training texts had any of these words, folded, in exactly this form."""
        return any(zlib.crc32(f"w{word}".encode()) in self.rows for word in words)


def _shares(labels: Sequence[str], scores: Sequence[float]) -> tuple[Guess, ...]:
    # Subtracting the largest score prevents overflow.
    """Turn scores into probabilities with a softmax, sorted in descending order."""
    most = max(scores)
    weights = [math.exp(score - most) for score in scores]
    whole = sum(weights)
    guesses = [Guess(label, w / whole) for label, w in zip(labels, weights, strict=True)]
    return tuple(sorted(guesses, key=lambda guess: -guess.sure))


@lru_cache
def load(package: str, name: str) -> Classifier:
    """Read the weights `name` next to the code of `package`; see `pack` for the format."""
    return unpack((files(package) / name).read_bytes())


def pack(classifier: Classifier, *, trained_on: str) -> bytes:
    """Serialise a classifier: a line of JSON, then hashes and weights, compressed with zlib.

    `trained_on` identifies the training examples, so that a test can refuse outdated weights.
    """
    rows = sorted(classifier.rows.items())
    head = {
        "heads": classifier.heads,
        "scales": classifier.scales,
        "rows": len(rows),
        "trained_on": trained_on,
        "words": sorted(classifier.words),
    }
    sense = classifier.sense
    if sense:
        head["sense"] = {"scales": sense.scales, "bias": sense.bias, "trust": sense.trust}
    # Equal kinds of data next to each other compress better than whole rows would.
    hashes = b"".join(hashed.to_bytes(4, "little") for hashed, _ in rows)
    weights = b"".join(bytes(weight & 255 for weight in row) for _, row in rows)
    deep = sense.packed if sense else b""
    return json.dumps(head).encode() + b"\n" + zlib.compress(hashes + weights + deep, 9)


def unpack(data: bytes) -> Classifier:
    """Deserialise what `pack` wrote."""
    line, _, body = data.partition(b"\n")
    head = json.loads(line)
    count, wide = head["rows"], len(head["scales"])
    raw = zlib.decompress(body)
    hashes = array("I", raw[: 4 * count])
    if sys.byteorder == "big":
        hashes.byteswap()
    weights = memoryview(raw)[4 * count : (4 + wide) * count].cast("b")
    heads = {name: tuple(labels) for name, labels in head["heads"].items()}
    sense = _sense(head["sense"], raw[(4 + wide) * count :]) if "sense" in head else None
    words, rows = frozenset(head.get("words", ())), Rows(hashes, weights, wide)
    return Classifier(heads, tuple(head["scales"]), rows, words, sense)


def _sense(head: Mapping[str, Any], packed: bytes) -> Sense:
    return Sense(packed, tuple(head["scales"]), tuple(head["bias"]), head["trust"])
