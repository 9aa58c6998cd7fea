"""Compare words and phrases: typos are forgiven, endings may be open, accounts are matched."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.resources import files

from ruleplay.story.texts import words_of

TYPO_FROM = 5
"""Fewest letters of a word that may have a typo: one wrong, missing, added or swapped letter."""
WORDS_OF_THEIR_OWN = frozenset(
    files("ruleplay.story").joinpath("own_words.txt").read_text("utf-8").split()
)
"""Common words, which are never a typo of another one."""
Phrase = tuple[str, ...]
_QUOTE = r"«[^»]{0,500}»|“[^”]{0,500}”|\"[^\"]{0,500}\""
_CLAUSE = re.compile(
    rf"(?:{_QUOTE}|[^,;.!?…()])+?(?:[,;.!?…()]+|(?=\s[-–—]\s)|(?=\s(?:and|et)\s)|(?<=[.!?…,][\"”»])"
    r"|(?<=[.!?…,]\s»)|(?<!\band)(?<!\bet)(?=\s(?:then|puis)\s)|$)"
)
# Closed after a mark of punctuation, and nowhere opened again: no apostrophe is taken for one.
_SINGLE = re.compile(r"(?<![\w'’])['‘](?=\w)((?:(?!\s['‘]).){1,600}?[.,!?…–-])['’](?!\w)", re.S)
_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
STEM = 4
"""First letters by which forms of a word are compared: "stops" and "stop"."""
MOSTLY, ALL = 0.6, 0.9
"""Least share of an account's words that must occur in a message, in order: most of, nearly all."""
NARRATED = frozenset(("i", "je", "j"))
"""First words of sentences in which a player narrates what they do."""


def double_quoted(message: str) -> str:
    """Return a message with speech between single quotation marks put between double ones."""
    return _SINGLE.sub(r"“\1”", message)


def spoken(message: str, account: str) -> str:
    """Find the spoken words in a message that a model's account repeats; empty if it is no speech.

    If the account is about quotations, their own sentences that it covers are returned, from first
    to last, so that words to two listeners don't run together. Without quotation marks the account
    has to be nearly verbatim, start where a sentence or part of one does, and not narrate what the
    player does.
    """
    bare = account.strip().strip("\"“”«»' ")
    words = words_of(bare)
    if not words:
        return ""
    quotes = [one.strip('"“”«» ') for one in re.findall(_QUOTE, message)]
    aloud = " ".join(quotes)
    if find(words_of(aloud), words) is not None:
        return bare
    if share_of(words, words_of(aloud)) >= MOSTLY:
        each = (one for quote in quotes for one in _SENTENCES.split(quote) if words_of(one))
        covered = " ".join(one for one in each if share_of(words_of(one), words) >= MOSTLY)
        # A contraction that the account spells out is in neither.
        if share_of(words, words_of(covered)) >= min(ALL, share_of(words, words_of(aloud))):
            return covered
        whole = share_of(words_of(aloud), words) >= MOSTLY
        return aloud if whole else in_own_words(aloud, bare)
    narrated = words[0] in NARRATED and len(words) < ALL * len(words_of(message))
    narrated = narrated or not _begins(message, bare)
    return bare if not narrated and share_of(words, words_of(message)) >= ALL else ""


def _begins(message: str, bare: str) -> bool:
    """Whether words start a sentence or a part of one; otherwise they are reported speech."""
    at = message.casefold().find(" ".join(bare.split()[:2]).casefold())
    before = message[: max(0, at)].rstrip()
    return not before or not before[-1].isalnum()


def share_of(words: Phrase, among: Phrase) -> float:
    """Return the share of words that occur among others in the same order, from 0 to 1."""
    blocks = SequenceMatcher(None, words, among, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(1, len(words))


def in_own_words(message: str, told: str) -> str:
    """Return the part of a message that a short account is about, or the account if none is.

    Players are shown their own words rather than a model's summary of them.
    """
    own = words_of(told)
    if own and find(words_of(message), own) is not None:
        return told  # these are the words
    wanted = {word[:STEM] for word in own if len(word) > 2}
    clauses = [*_CLAUSE.finditer(message)]
    spans = [one.span() for one in clauses]
    shared = [wanted & {word[:STEM] for word in words_of(one[0])} for one in clauses]
    best = max(range(len(spans)), key=lambda at: len(shared[at]), default=-1)
    if best < 0 or not shared[best]:
        return told
    first = last = best
    missing = wanted - shared[best]
    while first and _adds(shared[first - 1], missing):
        first -= 1
        missing -= shared[first]
    while last + 1 < len(spans) and _adds(shared[last + 1], missing):
        last += 1
        missing -= shared[last]
    if len(shared[best]) * 3 < len(wanted) and len(missing) * 2 >= len(wanted):
        return told
    part = message[spans[first][0] : spans[last][1]].strip(" ,;:()–—-")
    # A quotation is one clause, so of a long one only the part that is meant is returned.
    quote = re.search(_QUOTE, part)
    long = quote and len(words_of(quote[0])) > 2 * len(own)
    return in_own_words(quote[0].strip('"“”«» '), told) if quote and long else part


def _adds(shared: set[str], missing: set[str]) -> bool:
    """Whether a clause next to a quotation shares words of the account that it lacks."""
    return len(shared) > 1 and not shared.isdisjoint(missing)


@lru_cache(maxsize=16384)
def find(words: Phrase, phrase: Phrase) -> int | None:
    """Return the index of a phrase in words, typos allowed; None if it does not occur."""
    size = len(phrase)
    for at in range(len(words) - size + 1):
        if same(words[at], phrase[0]) and all(map(same, words[at : at + size], phrase)):
            return at
    return None


@lru_cache(maxsize=65536)
def akin(word: str, part: str) -> bool:
    """Whether a word matches a deed's word; a French infinitive also matches its other forms."""
    infinitive = len(part) >= TYPO_FROM and part.endswith(("er", "ir", "re"))
    return same(word, part) or (infinitive and word.startswith(part[:-2]))


@lru_cache(maxsize=65536)
def same(word: str, pattern: str) -> bool:
    """Whether a word matches a pattern, perhaps with a typo; a final `*` leaves the ending open."""
    if pattern.endswith("*"):
        stem = pattern[:-1]
        if word.startswith(stem):
            return True
        if word in WORDS_OF_THEIR_OWN:
            return False
        return len(stem) > TYPO_FROM and _near(word[: len(stem) + 1], stem, prefix=True)
    if word == pattern or (len(pattern) > 3 and word in (f"{pattern}s", f"{pattern}x")):
        return True
    return len(pattern) >= TYPO_FROM and _near(word, pattern)


def _near(word: str, pattern: str, *, prefix: bool = False) -> bool:
    """Whether one edit turns a word into the pattern, or with `prefix` into its beginning."""
    if not word or word in WORDS_OF_THEIR_OWN or abs(len(word) - len(pattern)) > 1:
        return False
    # Typos in the first letter are rare, except for swapped first letters.
    if word[0] != pattern[0] and word[:2] != pattern[1::-1]:
        return False
    candidates = (word, word[: len(pattern)], word[: len(pattern) - 1]) if prefix else (word,)
    return any(_one_edit(one, pattern) for one in candidates)


def _one_edit(a: str, b: str) -> bool:
    at = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    if len(a) == len(b):
        swapped = a[at : at + 2] == b[at : at + 2][::-1] and a[at + 2 :] == b[at + 2 :]
        return a[at + 1 :] == b[at + 1 :] or swapped
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    # In short words one letter more or less gives a different word: swing, sing.
    return len(b) > TYPO_FROM and longer[at + 1 :] == shorter[at:]
