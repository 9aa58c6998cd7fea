"""Texts that recur are numbered: read once as text, from then on known by a hash of their bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ruleplay.agents.raid.domain.numerals import Bytes, Ints, Words

T = TypeVar("T")
Codes = NDArray[np.int32]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_KEEP_FIRST = np.array([(1 << 8 * n) - 1 for n in range(8)] + [2**64 - 1], "u8")
_AT_ONCE = 96
"""Bytes of a token that is hashed together with others; longer ones are hashed one by one."""


class Interner(Generic[T]):
    """Numbers distinct tokens from 0, in the order in which they are first seen.

    `values` holds what `read` makes of each one's bytes. Tokens are told apart by 64 bits of hash:
    among a million distinct ones, two coincide with a chance of 3e-8.
    """

    def __init__(self, read: Callable[[bytes], T]) -> None:
        self._read = read
        self.values: list[T] = []
        self._hashes = np.zeros(1024, np.uint64)
        self._table = np.full(4096, -1, np.int32)

    def number(self, buffer: Bytes, words: Words, start: Ints, end: Ints) -> Codes:
        """Return the number of each token."""
        hashes = hash_tokens(buffer, words, start, end)
        codes, missing = self._find(hashes)
        if missing.size:
            fresh, first = np.unique(hashes[missing], return_index=True)
            for at in missing[np.sort(first)]:
                self._add(hashes[at], buffer[start[at] : end[at]].tobytes())
            codes[missing], _ = self._find(hashes[missing])
        return codes

    def _find(self, hashes: Words) -> tuple[Codes, Ints]:
        """Probe the table until every hash is found or met a free place."""
        mask = np.uint64(len(self._table) - 1)
        slots = hashes & mask
        codes = self._table[slots]
        wrong = np.flatnonzero((self._hashes[codes] != hashes) & (codes >= 0))
        while wrong.size:
            slots[wrong] = (slots[wrong] + np.uint64(1)) & mask
            codes[wrong] = self._table[slots[wrong]]
            found = codes[wrong]
            wrong = wrong[(self._hashes[found] != hashes[wrong]) & (found >= 0)]
        return codes, np.flatnonzero(codes < 0)

    def _add(self, hashed: np.uint64, token: bytes) -> None:
        code = len(self.values)
        self.values.append(self._read(token))
        if code == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, np.zeros_like(self._hashes)])
            self._table = np.full(len(self._table) * 2, -1, np.int32)
            for earlier in range(code):
                self._place(self._hashes[earlier], earlier)
        self._hashes[code] = hashed
        self._place(hashed, code)

    def _place(self, hashed: np.uint64, code: int) -> None:
        slot, mask = int(hashed), len(self._table) - 1
        while self._table[slot & mask] >= 0:
            slot += 1
        self._table[slot & mask] = code


def hash_tokens(buffer: Bytes, words: Words, start: Ints, end: Ints) -> Words:
    """Hash each token's bytes to 64 bits."""
    length = end - start
    hashes = length.astype(np.uint64) * _FACTOR
    longest = int(length.max(initial=0))
    for at in range(0, min(longest, _AT_ONCE), 8):
        rest = np.clip(length - at, 0, 8)
        place = np.minimum(start + at, len(words) - 1)
        word = words[place] & _KEEP_FIRST[rest]
        mixed = (hashes ^ word) * _MIX
        mixed ^= mixed >> np.uint64(29)
        hashes = np.where(rest > 0, mixed, hashes) if at else mixed
    hashes *= _FACTOR
    hashes ^= hashes >> np.uint64(32)
    if longest > _AT_ONCE:
        for row in np.flatnonzero(length > _AT_ONCE):
            token = buffer[start[row] : end[row]].tobytes()
            digest = hashlib.blake2b(token, digest_size=8).digest()
            hashes[row] = np.uint64(int.from_bytes(digest, "little"))
    return hashes
