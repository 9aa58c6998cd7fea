"""Brings a sentence into one spelling before it is read, so that Unicode tricks smuggle nothing.

Compatibility forms, invisible characters, foreign digits, look-alike letters and split numbers all
become what a reader sees; elisions and contractions become words ("isn't" -> "is not").
"""

from __future__ import annotations

import re
import unicodedata

_LETTERS = (
    "АВСЕНІЈКМОРЅТХУавсеіјкморѕтхуνοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "ABCEHIJKMOPSTXYabceijkmopstxyvoABEZHIKMNOPTYX",
)
_SIGNS = ("’‘ʼ`´“”„«»−‐‑‒–—⁄¦", "'''''\"\"\"\"\"-----;/|")
_SPLIT_NUMBER = re.compile(r"(?<=\d)[\u00a0\u2000-\u200a\u202f\u205f](?=\d)")
_LOOKALIKES = str.maketrans(*(left + right for left, right in zip(_LETTERS, _SIGNS, strict=True)))
_DASH = re.compile(r"(?<!\d) -+ | -+ (?!\d)")
_MARKUP = re.compile(r"\*+|~~|(?<!\w)_+|_+(?!\w)|`+|<[^<>]{0,40}>")
TOKEN = re.compile(
    r"(?P<whole>\d{4}-\d\d-\d\d(?![\w-])|v?\d+(?:\.\d+){2,}(?!\w)|https?://[^\s)]+"
    r"|[\w-]+\.(?:csv|json|html?|pdf|txt|xml|md|log|zip|jpe?g|png)(?!\w))"
    r"|(?P<time>\d{1,3}:\d\d(?::\d\d)?(?!\w))"
    r"|(?P<number>(?:\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?![\w]|\.\d))"
    r"|(?P<mixed>[^\W_]*\d[^\W_]*(?:[-./][^\W_]*\d[^\W_]*)*)"
    r"|(?P<word>[^\W\d_]+)|(?P<owner>'s?(?=\s|$|[,.;]))|(?P<sign>[^\s\w]|_)"
)
_ONLY_ASCII = re.compile(r"[\x20-\x7e]*\Z")
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
    (re.compile(r"\b([nldscjmt]|qu|lorsqu|puisqu)'(?=\w\w)", re.IGNORECASE), r"\1e "),
    (re.compile(r"(?<=\w)-(?=(?:il|elle|ils|elles|ce|t|vous|nous|y|en|le|la|les)\b)"), " "),
)


def _plain(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf":
        return ""
    if category == "Nd" and not char.isascii():
        return str(unicodedata.digit(char))
    if category == "Mn":
        return ""
    return char


def normalise(text: str) -> str:
    """Return `text` in one spelling; idempotent on plain text, never longer than about twice it."""
    if not _ONLY_ASCII.match(text):
        text = _SPLIT_NUMBER.sub("", text)
        text = unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)
        text = unicodedata.normalize("NFC", "".join(map(_plain, text)))
    if " -" in text:
        text = _DASH.sub(" ; ", text)
    if "*" in text or "_" in text or "`" in text or "<" in text:
        text = _MARKUP.sub("", text)
    if "'" in text or "cannot" in text or "-" in text:
        for pattern, spelled in _CONTRACTIONS:
            text = pattern.sub(spelled, text)
    return text


def fold(text: str) -> str:
    """Return the form phrases are compared in: one spelling, lower case, single spaces."""
    return " ".join(normalise(text).casefold().split())
