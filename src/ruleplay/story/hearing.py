"""A part of a message as the classifier hears it: its words, with the scene's names marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ruleplay.hearing.classifier import Classifier, Guess, load
from ruleplay.story.mentions import Named, Scope, mentioned, named_at, negated
from ruleplay.story.texts import Frozen, Text, words_of
from ruleplay.story.wording import Phrase

SAID = "<said>"
SAY_IT = Text(en="say “{0}”", fr="dire « {0} »")
"""What is offered when no offer has the words of what was perhaps meant: the player's own."""
OWN_WORDS, PERHAPS = 90, 0.08
"""Characters of the player's words in a choice; how likely what is offered has to be."""
KEYS = re.compile(r"(?<=[{,])(\s*)\"([^\"]*)\"(?=\s*:)")
"""Names in what is written as data: quoted, and said to nobody."""
SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=…)\s+(?![a-zà-ÿ])|\n+")
"""Where a sentence ends: who hesitates ("euh… a room") has not ended one."""
JOINTS = re.compile(r" (?:and then|and|then|et puis|et|puis|ensuite) ", re.IGNORECASE)
BRIEF, PLAIN, SURE = 6, 0.4, 0.6
"""Words of a message that is plain enough sooner, and how sure each half of a sentence must be."""
LONGEST, QUOTED_AT_MOST = 300, 9
"""Characters of a part, as many as an act's words may have, and quotations in it that count."""
MANY = 0.8
"""How sure one sentence must be to stand beside others that say something else."""
LEADING, PLAINLY = 1.5, 4.0
"""How many times likelier than the next an act must be that is free, and one that costs."""
WORTHLESS, PLAINLY_FREE = ("pose",), 0.8
"""Acts that cost nothing, and how sure it has to be that a part is one, to be taken for it."""
WORDS = ("speak", "claim", "follow", "whisper")
"""Acts of words: a message of several sentences may be one of them from end to end."""
UNSAID = 0.55
"""How sure it has to be that a part is no words, where of all acts words are but the likeliest."""
CLAUSES = re.compile(rf"[,;:]\s+|\s(?:but|mais)\s|{JOINTS.pattern}", re.IGNORECASE)
"""Where a clause may end that does something of its own."""
SPEECH = 0.95
"""How sure a whole message must be a speech that has clauses which could be deeds."""
HARDLY = 0.25
"""How unsure a short clause must be of what it does to only go with the one before it."""
SUBJECT = 0.5
"""How sure it must be what is asked about that does not lead by far."""
BARE = 4
"""Words up to which a clause that names a thing only names it: "and a small ale"."""
SUBJECTS = ("i", "we", "je", "j", "nous")
"""After these comes a verb, never a name: "je bois" is not the wood."""
SUBORDINATE = ("that", "que", "qu")
"""A clause that begins so says more of what the one before it says."""
RUN_ON = re.compile(r"\bj(?=[bcdfghklmnpqrstv]\w)", re.IGNORECASE)
"""Before a consonant it is "je", written in one with its verb: "jprends"."""
DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
"""No word has a letter three times in a row: "nooo" is drawn out."""


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

    @property
    def lead(self) -> float:
        """Return how many times likelier it is than the next."""
        first, second, *_ = self.heard["act"]
        return first.sure / max(second.sure, 0.001)

    @property
    def subject(self) -> str:
        """Return what is asked about, or whether it is a greeting; empty where it is not clear."""
        first, second, *_ = self.heard["subject"]
        leads = first.sure >= HARDLY and first.sure >= 2 * second.sure
        return first.label if leads or first.sure >= SUBJECT else ""

    @property
    def poses(self) -> bool:
        """Whether it is likelier a gesture than a deed."""
        free = self.heard["free"][0]
        return free.label in WORTHLESS and free.sure >= 0.5

    def chance(self, act: str) -> float:
        """Return how likely an act is."""
        return next((one.sure for one in self.heard["act"] if one.label == act), 0.0)

    def instead(self, act: str, *, sure: float = 0.0) -> Part:
        """Return the part as if another act had been the likeliest, and at least so `sure`."""
        others = tuple(one for one in self.heard["act"] if one.label != act)
        first = Guess(act, max(sure, self.chance(act)))
        return self.model_copy(update={"heard": {**self.heard, "act": (first, *others)}})


def part_of(text: str, scope: Scope) -> Part:
    """Return a part of a message with the scene's names in it marked."""
    words = words_of(DRAWN_OUT.sub(r"\1", RUN_ON.sub("je ", text)))
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
    known = _words_in(*scope.spoken_of)
    ends = "?" if "?" in text else "!" if "!" in text else ""
    return Part(
        text=" ".join(text.replace(SAID, " ").split())[: LONGEST - len(marks)] + marks,
        words=words,
        marked=" ".join(
            (*(SAID if one == "said" and SAID in text else one for one in marked), ends)
        ),
        being=mentioned(_own(nouns, scope.beings, known), scope.beings),
        place=mentioned(_own(nouns, scope.places, known), scope.places),
        item=mentioned(_own(nouns, scope.items, known), scope.items),
        skill=mentioned(_own(nouns, scope.skills, known), scope.skills),
    )


def _words_in(*named: Named) -> frozenset[str]:
    return frozenset(word for one in named for phrase in one.phrases for word in phrase)


def _own(words: Phrase, named: Sequence[Named], known: frozenset[str]) -> Phrase:
    """Return words without those that name something else: a barge is no mistyped "berge"."""
    others = known - _words_in(*named)
    return tuple("-" if word in others else word for word in words)


def _verb(words: Phrase, at: int) -> bool:
    return at > 0 and words[at - 1] in SUBJECTS


def _name_at(
    words: Phrase, at: int, kinds: Sequence[tuple[str, Sequence[Named]]]
) -> tuple[int, str]:
    """Return how many words from here are a name, and its mark: the longest name counts."""
    sizes = [(named_at(words, at, named)[0], f"<{kind}>") for kind, named in kinds]
    size, mark = max(sizes, key=lambda one: one[0])
    return (size, mark if size else "")


def ear() -> Classifier:
    """Return what hears parts of messages; reading it in takes a moment, the first time."""
    return load("ruleplay.story", "reader.bin")


def heard(part: Part) -> Part:
    """Return a part with what the classifier makes of it: of gibberish, nothing it is sure of."""
    reader = ear()
    found = reader.read(part.marked)
    if len(part.words) > 1 and not reader.knows_any(re.findall(r"<\w+>|\w+", part.marked)):
        found = {head: tuple(Guess(one.label, 0.0) for one in found[head]) for head in found}
    free, act = found["free"][0], found["act"][0]
    open_ = act.sure < PLAIN or act.label == "attack"
    unsaid = act.label in WORDS and act.sure < PLAIN and free.sure >= UNSAID
    others = tuple(one for one in found["act"] if one.label != free.label)
    if free.label in WORTHLESS and (unsaid or (free.sure >= PLAINLY_FREE and open_)):
        # What it is of a hundred acts is open, but not that it costs nothing.
        found = {**found, "act": (Guess(free.label, free.sure), *others)}
    elif unsaid and free.label == "deed":
        found = {**found, "act": tuple(sorted(others, key=lambda one: one.label in WORDS))}
    return part.model_copy(update={"heard": found})


def clauses_of(outside: str, scope: Scope) -> Iterator[Part]:
    """Yield each clause that does something of its own, as heard: together they are all of it.

    What merely names a thing does with it what the clause before it does.
    """
    pieces = [one for sentence in SENTENCES.split(outside) for one in _pieces(sentence, scope)]
    found: list[Part] = []
    for one in _glued(pieces, scope):
        named = found and ((one.item and found[-1].item) or (one.place and found[-1].place))
        bare = named and len(one.words) <= BARE
        found.append(one.model_copy(update={"heard": found[-1].heard}) if bare else one)
    whole = heard(part_of(outside, scope)) if len(pieces) > 1 and SAID not in outside else None
    yield from [whole] if whole and _all_words(whole, pieces) else found


def _exclaims(part: Part) -> bool:
    """Whether a part only opens what follows: "nope. round through the trees"."""
    names = part.being or part.item or part.place or SAID in part.text
    return len(part.words) < 2 and not names and not _plain(part)


def _all_words(whole: Part, pieces: Sequence[Part]) -> bool:
    """Whether all of a message is one speech: nothing in it is plainly done."""
    most = max((one.sure for one in pieces if one.act not in WORDS), default=0.0)
    plain = whole.sure >= SURE and most < PLAIN
    leads = whole.sure >= PLAIN and whole.lead >= PLAINLY and most < SURE
    return whole.act in WORDS and (whole.sure >= SPEECH or plain or leads)


def _pieces(sentence: str, scope: Scope) -> Sequence[Part]:
    """Return the clauses of a sentence where they plainly do several things, else the sentence."""
    if not words_of(sentence):
        return ()
    whole = heard(part_of(sentence, scope))
    texts = [one.strip() for one in CLAUSES.split(sentence) if words_of(one)]
    if len(texts) > 1 and len(words_of(texts[0])) == 1:
        texts[:2] = [", ".join(texts[:2])]  # "Wait, who is there?" calls, and waits for nothing
    pieces = [heard(part_of(one, scope)) for one in texts]
    plain = [one for one in pieces if _plain(one) or SAID in one.text]
    acts = {one.act for one in plain}
    speech = whole.act in WORDS and whole.sure >= MANY and SAID not in sentence
    if len(pieces) < 2 or (speech and all(o.act in WORDS or o.sure < MANY for o in plain)):
        return [whole]
    wares = sum(one.item is not None for one in pieces) > 1
    wares = wares or any(one.item and len(one.words) <= BARE for one in pieces)
    one_act = len(acts) < 2 and whole.act in acts and whole.sure >= PLAIN and not wares
    if one_act:  # its plainest clause says how sure it is, unless another says much
        brief = all(one in plain or len(one.words) <= BARE for one in pieces)
        sure = max(one.sure for one in plain)
        return [whole.instead(whole.act, sure=sure) if brief else whole]
    return pieces if plain or wares else [whole]


def _plain(part: Part) -> bool:
    return part.sure >= SURE or (part.sure >= PLAIN and part.lead >= PLAINLY)


def _glued(pieces: Sequence[Part], scope: Scope) -> Sequence[Part]:
    """Return clauses with those that only go with one before them joined to it.

    They are short and say little by themselves, or say what is not to be.
    """
    kept: list[Part] = []
    if len(pieces) > 1 and _exclaims(pieces[0]) and SAID not in pieces[1].text:
        first, second, *rest = pieces
        opened = part_of(f"{first.text.rstrip(' .!')}, {second.text}", scope)
        pieces = [opened.model_copy(update={"heard": second.heard}), *rest]
    for one in pieces:
        says = one.act in WORDS or one.sure < HARDLY
        does = one.act not in WORDS and _plain(one)  # "draw and attack Rudge" calls nobody
        calls = one.being and len(one.words) < 3 and scope.mode != "combat" and not does
        names = one.item or one.place or (one.being and not calls)
        how = len(one.words) == 1 and len(pieces) > 1 and one is not pieces[0]  # "…, quietly"
        little = len(one.words) <= BARE and not names and (says or calls or how)
        hangs = one.words[:1] and one.words[0] in SUBORDINATE
        joins = little or hangs or negated(one.words)
        if kept and SAID not in (one.text + kept[-1].text) and joins:
            before = kept.pop()
            comma = "" if before.text[-1:] in "!?" else ","
            joined = part_of(f"{before.text.rstrip('.')}{comma} {one.text}", scope)
            whole = negated(one.words) or not _plain(before)
            one = heard(joined) if whole else joined.model_copy(update={"heard": before.heard})
        kept.append(one)
    return kept
