"""Parses numbers at many places of a buffer at once, eight digits per 64-bit word (SWAR).

The functions take the buffer as overlapping words (`words_of`) and the tokens' start and end
offsets, and return the values with a mask of the tokens that are valid numbers.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

MARGIN = 128
"""Padding in bytes before the first token and after the last, so that wide reads stay inside."""

_ZEROS = np.uint64(0x3030303030303030)
# Adding 0x76 to a byte above 9 sets its top bit: a digit test for eight bytes at once.
OVER_NINE = np.uint64(0x7676767676767676)
TOP_BITS = np.uint64(0x8080808080808080)
# Entry n keeps the last n bytes of a little-endian word, that is, n digits.
_KEEP_LAST = np.array([0] + [(~((1 << 8 * (8 - n)) - 1)) & (2**64 - 1) for n in range(1, 9)], "u8")
_SPELLED = re.compile(rb"(-?)(\d+)(?:\.\d*)?(?:\|[\d.|-]*)?")
_DECIMAL = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_MINUS, _POINT, _ZERO = 45, 46, 48
_WIDEST = 18
_GREATEST = float(np.finfo(np.float32).max)


def words_of(buffer: Bytes) -> Words:
    """View a buffer as overlapping little-endian words, one from each byte but the last 7."""
    shape, strides = (len(buffer) - 7,), (1,)
    return np.ndarray(shape, "<u8", buffer=buffer.data, strides=strides)


def read_digits(words: Words, start: Ints, end: Ints) -> tuple[Ints, Mask]:
    """Parse unsigned integers of 1 to 18 digits."""
    length = end - start
    values, good = _eight(words, end, np.minimum(length, 8))
    good &= length > 0
    long = np.flatnonzero(length > 8)
    if long.size:
        upper = end[long] - 8
        high, fine = _eight(words, upper, np.minimum(length[long] - 8, 8))
        values[long] += high * 100_000_000
        good[long] &= fine
        wider = long[length[long] > 16]
        if wider.size:
            top, fine = _eight(words, end[wider] - 16, np.clip(length[wider] - 16, 0, 8))
            values[wider] += top * 10**16
            good[wider] &= fine & (length[wider] <= _WIDEST)
    return values, good


def _eight(words: Words, end: Ints, length: Ints) -> tuple[Ints, Mask]:
    digits = words[end - 8] ^ _ZEROS
    digits &= _KEEP_LAST[np.maximum(length, 0)]
    good = (((digits + OVER_NINE) | digits) & TOP_BITS) == 0
    # Pairs of digits, then fours, then eights are combined within the word.
    digits = (digits * np.uint64(10) + (digits >> np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    digits = (digits * np.uint64(100) + (digits >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    digits = (digits * np.uint64(10000) + (digits >> np.uint64(32))) & np.uint64(0xFFFFFFFF)
    return digits.view(np.int64), good


def read_integers(buffer: Bytes, words: Words, start: Ints, end: Ints) -> tuple[Ints, Mask]:
    """Parse integers; `119.0000` gives its whole part, a list such as `3|0` its first element."""
    first = buffer[start]
    values, good = (first ^ np.uint8(_ZERO)).astype(np.int64), (first ^ np.uint8(_ZERO)) < 10
    good &= end - start == 1
    long = np.flatnonzero(~good)
    if long.size:
        found, fine = _read_long(buffer, words, start[long], end[long])
        values[long], good[long] = np.where(fine, found, 0), fine
    return values, good


def _read_long(buffer: Bytes, words: Words, start: Ints, end: Ints) -> tuple[Ints, Mask]:
    minus = buffer[start] == _MINUS
    signed = bool(minus.any())
    if signed:
        start = start + minus
    values, good = read_digits(words, start, end)
    if not good.all():
        odd = np.flatnonzero(~good)
        values[odd], good[odd] = _read_fractions(buffer, words, start[odd], end[odd])
    return np.where(minus, -values, values) if signed else values, good


def _read_fractions(buffer: Bytes, words: Words, start: Ints, end: Ints) -> tuple[Ints, Mask]:
    """Parse numbers with four decimals such as `119.0000` at once, all others one by one."""
    four = (end - start > 5) & (buffer[end - 5] == _POINT)
    values, good = read_digits(words, start, np.where(four, end - 5, end))
    behind, also = read_digits(words, np.where(four, end - 4, start), end)
    good &= four & also & (behind >= 0)
    for at in np.flatnonzero(~good):
        match = _SPELLED.fullmatch(buffer[start[at] : end[at]].tobytes())
        if match and not match[1] and len(match[2]) <= _WIDEST:
            values[at], good[at] = int(match[2]), True
    return values, good


def read_decimals(
    buffer: Bytes, words: Words, start: Ints, end: Ints
) -> tuple[NDArray[np.float32], Mask]:
    """Parse decimal numbers such as positions; two decimals take the fast path."""
    minus = buffer[start] == _MINUS
    begin = start + minus
    two = (end - begin > 3) & (buffer[end - 3] == _POINT)
    whole, good = read_digits(words, begin, np.where(two, end - 3, end))
    cents, fine = read_digits(words, np.where(two, end - 2, end - 1), end)
    good &= fine
    values = (whole + np.where(two, cents, 0) / 100.0) * np.where(minus, -1.0, 1.0)
    for at in np.flatnonzero(~good):
        spelled = buffer[start[at] : end[at]].tobytes()
        values[at] = float(spelled) if _DECIMAL.fullmatch(spelled) else np.inf
        good[at] = abs(values[at]) <= _GREATEST
    return np.where(good, values, 0).astype(np.float32), good
