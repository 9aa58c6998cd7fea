"""Interns recurring tokens: each distinct one is parsed once, then found by a hash of its bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ruleplay.agents.raid.domain.numerals import MARGIN, Bytes, Ints, Words

T = TypeVar("T")
Codes = NDArray[np.int32]

# 2^64 divided by the golden ratio, as in Fibonacci hashing: an odd constant that mixes well.
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_LONGEST = 128
"""Longer tokens are hashed one by one. At most MARGIN, as whole words are read before `end`."""


class Interner(Generic[T]):
    """Numbers distinct tokens from 0, in the order of their first appearance.

    `values` holds the result of `read` for each token's bytes. Tokens are identified by a 64-bit
    hash alone: among a million distinct tokens, the chance of any collision is 3e-8.
    """

    def __init__(self, read: Callable[[bytes], T]) -> None:
        self._read = read
        self.values: list[T] = []
        self._ones: dict[bytes, int] = {}
        self._hashes = np.zeros(1024, np.uint64)
        self._table = np.full(4096, -1, np.int32)

    def number(self, buffer: Bytes, start: Ints, end: Ints) -> Codes:
        """Get the number of each token, interning new ones."""
        hashes = hash_tokens(buffer, start, end)
        codes, missing = self._find(hashes)
        if missing.size:
            # `unique` sorts by hash; sorting `first` restores the order of appearance.
            _, first = np.unique(hashes[missing], return_index=True)
            for at in missing[np.sort(first)]:
                self._add(hashes[at], buffer[start[at] : end[at]].tobytes())
            codes[missing], _ = self._find(hashes[missing])
        return codes

    def number_one(self, token: bytes) -> int:
        """Get the number of a single token, interning it if new."""
        known = self._ones.get(token)
        if known is None:
            buffer = np.frombuffer(bytes(MARGIN) + token + bytes(MARGIN), np.uint8)
            known = self._ones[token] = self._number_in(buffer, len(token))
        return known

    def learn(self) -> None:
        """Sync tokens numbered elsewhere (by a compiled reader); nothing to do here."""

    def _number_in(self, buffer: Bytes, length: int) -> int:
        start = np.array([MARGIN])
        return int(self.number(buffer, start, start + length)[0])

    def _find(self, hashes: Words) -> tuple[Codes, Ints]:
        """Probe the hash table linearly, until each hash is found or meets a free slot."""
        mask = np.uint64(len(self._table) - 1)
        slots = hashes & mask
        codes = self._table[slots]
        wrong = np.flatnonzero((self._hashes[codes] != hashes) & (codes >= 0))
        while wrong.size:
            slots[wrong] = (slots[wrong] + np.uint64(1)) & mask
            # A free slot holds -1, which indexes the last hash; `found >= 0` rules those out.
            codes[wrong] = self._table[slots[wrong]]
            found = codes[wrong]
            wrong = wrong[(self._hashes[found] != hashes[wrong]) & (found >= 0)]
        return codes, np.flatnonzero(codes < 0)

    def _add(self, hashed: np.uint64, token: bytes) -> None:
        value = self._read(token)
        code = len(self.values)
        self.values.append(value)
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


class Lookup:
    """Maps tokens to tuples of integers, as columns; row 0 stands for no token."""

    def __init__(self, interner: Interner[tuple[int, ...]]) -> None:
        self.interner = interner
        self._columns = np.zeros((0, 0), np.int64)

    def find(self, buffer: Bytes, start: Ints, end: Ints) -> tuple[Ints, ...]:
        """Get each token's integers, one array per column."""
        codes = self.interner.number(buffer, start, end) + 1
        return tuple(column[codes] for column in self.columns())

    def columns(self) -> NDArray[np.int64]:
        """Get the integers of all tokens so far, at index token number + 1."""
        values, known = self.interner.values, self._columns.shape[-1] - 1
        if known < len(values) and values:
            fresh = np.array(values[max(known, 0) :], np.int64).T
            before = self._columns if known > 0 else np.zeros((len(fresh), 1), np.int64)
            self._columns = np.concatenate([before, fresh], axis=1)
        return self._columns


def hash_tokens(buffer: Bytes, start: Ints, end: Ints) -> Words:
    """Hash each token's bytes to 64 bits, independently of the other tokens."""
    words = np.minimum((end - start + 7) >> 3, _LONGEST // 8 + 1)
    hashes = np.empty(len(start), np.uint64)
    for count in np.flatnonzero(np.bincount(words, minlength=1)):
        mine = np.flatnonzero(words == count)
        if count > _LONGEST // 8:
            hashes[mine] = _hash_each(buffer, start[mine], end[mine])
        elif mine.size == hashes.size:
            return _hash_words(buffer, start, end, int(count))
        else:
            hashes[mine] = _hash_words(buffer, start[mine], end[mine], int(count))
    return hashes


def _hash_words(buffer: Bytes, start: Ints, end: Ints, count: int) -> Words:
    """Hash tokens of `count` 8-byte words; a shift drops the bytes that precede a token."""
    length = (end - start).astype(np.uint64)
    hashes = length * _FACTOR
    if not count:
        return hashes
    size = 8 * count
    shape, strides = (len(buffer) - size + 1,), (1,)
    windows = np.ndarray(shape, f"V{size}", buffer=buffer.data, strides=strides)
    words = windows[end - size].view("<u8").reshape(-1, count)
    words[:, 0] >>= (np.uint64(size) - length) * np.uint64(8)
    for at in range(count):
        hashes ^= words[:, at]
        hashes *= _FACTOR
        hashes ^= hashes >> _SHIFT
    return hashes


def _hash_each(buffer: Bytes, start: Ints, end: Ints) -> list[int]:
    tokens = (buffer[a:b].tobytes() for a, b in zip(start, end, strict=True))
    digests = (hashlib.blake2b(token, digest_size=8).digest() for token in tokens)
    return [int.from_bytes(digest, "little") for digest in digests]
