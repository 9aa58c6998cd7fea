"""Canon: details that play has established about the world.

They are kept, and shown in prompts, so that the story stays consistent. The rules never read them:
a detail cannot give anybody an advantage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from ruleplay.story.acts import NAME_AT_MOST, Detail, Frozen
from ruleplay.story.texts import Lang, kinds_of, plain, stems, words_of

KEPT, SHOWN, NAME_WORD = 40, 10, 4
"""Most details kept, most shown in a prompt, fewest letters of a word that can identify a name."""
Kind = str


class Established(Frozen):
    """One detail: what, where, by whom (`dm` or a seat), in which turn; `ears` know it, or all.

    `instead` is the text of an earlier one that no longer holds.
    """

    text: str = Field(max_length=300)
    kind: Kind = "detail"
    place: str = ""
    about: str = ""
    author: str = ""
    turn: int = 0
    instead: str = Field(default="", exclude_if=lambda text: not text)
    ears: tuple[str, ...] = Field(default=(), exclude_if=lambda ears: not ears)


Canon = tuple[Established, ...]


def refusal(detail: Detail, names: Iterable[str], lang: Lang | None = None) -> str:
    """Return why a detail is not kept; empty when it may be.

    Without `lang` the words of both languages count: "piece" is a coin in French, "or" is gold.
    `names` are those of seats and of authored places, ways, persons and items: about these only
    the author establishes anything.
    """
    if detail.kind == "promise":
        return ""  # a debt is no advantage
    text = plain(detail.text)
    if any(char.isdigit() for char in detail.text):
        return "details carry no digits"
    for kind in kinds_of("canon"):
        if found := stems("canon", kind, lang).search(text):
            return f"details are not about {kind}: {found[0].strip()!r}"
    if detail.kind in ("keepsake", "name") and len(detail.text) > NAME_AT_MOST:
        return f"a {detail.kind} is short"
    if name := named(detail.text, names):
        return f"{name!r} belongs to the story as it is written"
    return ""


def named(text: str, names: Iterable[str]) -> str:
    """Find an authored name in a text: all its words, or one of its capitalised words."""
    said = f" {' '.join(words_of(text))} "
    calls = {word for part in text.split() if part[:1].isupper() for word in words_of(part)}
    for name in names:
        own = [word for word in words_of(name) if len(word) > 1]
        proper = {w for p in name.split() if p[:1].isupper() for w in words_of(p)}
        # Capitals distinguish "a heron", the bird, from "the Heron", the inn.
        meant = any(len(word) >= NAME_WORD for word in proper & calls)
        if meant or (own and f" {' '.join(own)} " in said):
            return name
    return ""


def called(canon: Canon, who: str) -> str:
    """Return the name that somebody was given in play, empty for none."""
    return next((o.text for o in reversed(canon) if o.kind == "name" and o.about == who), "")


def keep(canon: Canon, new: Established) -> Canon:
    """Add a detail in the place of what it replaces; a known one moves to the end.

    One without a text only ends what it replaces.

    Where there are too many, details are dropped first.

    Keepsakes and promises are dropped only when there is no plain detail left.
    """
    over = (words_of(new.text), words_of(new.instead))
    known = tuple(one for one in canon if words_of(one.text) not in over)
    kept = (*known, new) if new.text else known
    while len(kept) > KEPT:
        oldest = next((n for n, one in enumerate(kept) if one.kind == "detail"), 0)
        kept = kept[:oldest] + kept[oldest + 1 :]
    return kept


def nearest(canon: Canon, *, place: str, words: str, beings: Sequence[str] = ()) -> Canon:
    """Pick the details most relevant here, at most `SHOWN`, oldest first.

    Each shared word counts 3, the same place 2, a person who is present 2; ties go to newer ones.
    How things stand elsewhere is left out, unless a word names it or its author is meant.
    """
    said = {word for word in words_of(words) if len(word) >= NAME_WORD}

    def weight(at: int) -> tuple[int, int]:
        one = canon[at]
        shared = len(said & set(words_of(one.text)))
        return (3 * shared + 2 * (one.place == place) + 2 * (one.about in beings), at)

    def stands(one: Established) -> bool:
        return one.kind != "detail" or not one.place or one.about == one.author != ""

    near = (at for at, one in enumerate(canon) if weight(at)[0] or stands(one))
    chosen = sorted(sorted(near, key=weight, reverse=True)[:SHOWN])
    return tuple(canon[at] for at in chosen)
