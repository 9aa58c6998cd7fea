"""A part of a message as the classifier hears it: its words, with the scene's names marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ruleplay.hearing.classifier import Guess, load
from ruleplay.story.mentions import Named, Scope, mentioned
from ruleplay.story.texts import Frozen, words_of
from ruleplay.story.wording import Phrase, same

SAID = "<said>"
KEYS = re.compile(r"(?<=[{,])(\s*)\"([^\"]*)\"(?=\s*:)")
"""Names in what is written as data: quoted, and said to nobody."""
SENTENCES = re.compile(r"(?<=[.!?;…])\s+|\n+")
JOINTS = re.compile(r" (?:and then|and|then|et puis|et|puis|ensuite) ", re.IGNORECASE)
BRIEF, PLAIN, SURE = 6, 0.4, 0.6
"""Words of a message that is plain enough sooner, and how sure each half of a sentence must be."""
LONGEST, QUOTED_AT_MOST = 300, 9
"""Characters of a part, as many as an act's words may have, and quotations in it that count."""
SUBJECTS = ("i", "we", "je", "j", "nous")
"""After these comes a verb, never a name: "je bois" is not the wood."""


class Part(Frozen):
    """A part of a message: its words, what of the scene they name, what was heard in them."""

    text: str
    words: Phrase
    marked: str
    being: Named | None = None
    place: Named | None = None
    item: Named | None = None
    skill: Named | None = None
    heard: Mapping[str, tuple[Guess, ...]] = {}

    @property
    def act(self) -> str:
        """Return the likeliest act."""
        return self.heard["act"][0].label

    @property
    def sure(self) -> float:
        """Return how sure the likeliest act is."""
        return self.heard["act"][0].sure


def part_of(text: str, scope: Scope) -> Part:
    """Return a part of a message with the scene's names in it marked."""
    words = words_of(text)
    kinds = (
        ("person", scope.beings),
        ("thing", scope.items),
        ("place", scope.places),
        ("skill", scope.skills),
    )
    marks = SAID * min(text.count(SAID), QUOTED_AT_MOST)
    marked, at = [], 0
    while at < len(words):
        size, mark = (0, "") if _verb(words, at) else _name_at(words, at, kinds)
        marked.append(mark or words[at])
        at += size or 1
    nouns = tuple("-" if _verb(words, at) else word for at, word in enumerate(words))
    ends = "?" if "?" in text else "!" if "!" in text else ""
    return Part(
        text=" ".join(text.replace(SAID, " ").split())[: LONGEST - len(marks)] + marks,
        words=words,
        marked=" ".join(
            (*(SAID if one == "said" and SAID in text else one for one in marked), ends)
        ),
        being=mentioned(nouns, scope.beings),
        place=mentioned(nouns, scope.places),
        item=mentioned(nouns, scope.items),
        skill=mentioned(nouns, scope.skills),
    )


def _verb(words: Phrase, at: int) -> bool:
    return at > 0 and words[at - 1] in SUBJECTS


def _name_at(
    words: Phrase, at: int, kinds: Sequence[tuple[str, Sequence[Named]]]
) -> tuple[int, str]:
    """Return how many words from here are a name, and its mark: the longest name counts."""
    best = (0, "")
    for kind, named in kinds:
        for phrase in (phrase for one in named for phrase in one.phrases):
            here = words[at : at + len(phrase)]
            if len(phrase) > best[0] and len(here) == len(phrase) and all(map(same, here, phrase)):
                best = (len(phrase), f"<{kind}>")
    return best


def heard(part: Part) -> Part:
    """Return a part with what the classifier makes of it."""
    return part.model_copy(update={"heard": load("ruleplay.story", "reader.bin").read(part.marked)})


def parts_of(outside: str, scope: Scope, *, things: bool = False) -> Iterator[Part]:
    """Yield each sentence as heard, or each half of one that plainly does two things.

    With `things` a short half that names something carried is plain whatever else it says.
    """
    for sentence in SENTENCES.split(outside):
        if not (words := words_of(sentence)):
            continue
        whole = heard(part_of(sentence, scope))
        joined = JOINTS.split(" ".join(sentence.split()))
        parts = [heard(part_of(one, scope)) for one in joined if words_of(one)]
        least = PLAIN if len(words) <= 2 * BRIEF else SURE
        clear = all(
            one.sure >= least or (things and one.item and len(one.words) < BRIEF) for one in parts
        )
        several = len({one.act for one in parts}) > 1
        yield from parts if len(parts) > 1 and clear and several else [whole]
