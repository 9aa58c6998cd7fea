"""Split a player's message into clauses and classify each one without a language model.

`clauses_of` is the entry point. It cuts a message at punctuation and conjunctions, marks the names
that the scene knows ("<person>", "<place>"), lets the classifier (`ruleplay.hearing.classifier`)
rate every clause, and then decides which cuts to keep: a clause stands alone only if it clearly
does something of its own. The classifier's heads are `act` (what somebody does), `free` (whether
it is a deed at all) and `subject` (what a question is about); see docs/decisions/0030.

The thresholds below are probabilities from the classifier. An act that costs something, such as an
attack or a purchase, has to be surer than one that is free.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ruleplay.hearing.classifier import Classifier, Guess, load
from ruleplay.story.mentions import Named, Scope, mentioned, named_at, negated
from ruleplay.story.texts import Frozen, Text, words_of
from ruleplay.story.wording import Phrase

SAID = "<said>"
"""Placeholder for a quotation, which the caller has cut out before a message comes here."""
SAY_IT = Text(en="say “{0}”", fr="dire « {0} »")
"""The wording of a choice for which the game has no text: it quotes the player's own words."""
OWN_WORDS, PERHAPS = 90, 0.08
"""Most characters of the player's words in a choice; least probability of an offered reading."""
KEYS = re.compile(r"(?<=[{,])(\s*)\"([^\"]*)\"(?=\s*:)")
"""Keys of JSON-like text: they stand in quotation marks, but nobody says them."""
SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=…)\s+(?![a-zà-ÿ])|\n+")
"""Ends of sentences. An ellipsis before a small letter is a hesitation: "euh… a room"."""
JOINTS = re.compile(r" (?:and then|and|then|et puis|et|puis|ensuite) ", re.IGNORECASE)
"""Conjunctions that may join two acts."""
BRIEF, PLAIN, SURE = 6, 0.4, 0.6
"""Most words of a brief message, and the lower and upper thresholds for a clear act."""
LONGEST, QUOTED_AT_MOST = 300, 9
"""Most characters of a part, the limit of an act's `text`, and most quotations counted in it."""
MANY = 0.8
"""How sure a sentence must be to stand beside sentences that do something else."""
LEADING, PLAINLY = 1.5, 4.0
"""By what factor an act must lead the next likeliest: one that is free, one that costs."""
WORTHLESS, PLAINLY_FREE = ("pose",), 0.8
"""Labels of the head `free` that mean a mere gesture, and how sure such a label must be."""
WORDS = ("speak", "claim", "follow", "whisper")
"""Acts of speech: a message of several sentences may be a single one of them."""
UNSAID = 0.55
"""How sure the head `free` must be that a part is no speech to overrule a weak guess that it is."""
CLAUSES = re.compile(rf"[,;:]\s+|\s(?:but|mais)\s|{JOINTS.pattern}", re.IGNORECASE)
"""Where a sentence may be cut into clauses."""
SPEECH = 0.95
"""How sure it must be that a whole message is speech when some of its clauses could be deeds."""
HARDLY = 0.25
"""Below this a short clause says too little by itself, and joins the one before it."""
SUBJECT = 0.5
"""How sure the subject of a question must be if it does not clearly lead the next likeliest."""
BARE = 4
"""Most words of a clause that merely names a thing: "and a small ale"."""
SUBJECTS = ("i", "we", "je", "j", "nous")
"""Pronouns that a verb follows, never a name: "je bois" does not mention a wood (bois)."""
SUBORDINATE = ("that", "que", "qu")
"""A clause that begins with one of these continues the one before it."""
RUN_ON = re.compile(r"\bj(?=[bcdfghklmnpqrstv]\w)", re.IGNORECASE)
"""A "je" run together with its verb, as people type it: "jprends"."""
DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
"""A letter repeated for emphasis ("nooo"): no English or French word has three in a row."""


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
        """The label of the likeliest act."""
        return self.heard["act"][0].label

    @property
    def sure(self) -> float:
        """Probability of the likeliest act."""
        return self.heard["act"][0].sure

    @property
    def lead(self) -> float:
        """By what factor the likeliest act leads the second."""
        first, second, *_ = self.heard["act"]
        return first.sure / max(second.sure, 0.001)

    @property
    def subject(self) -> str:
        """What a question is about, or that it is a greeting; empty where that is unclear."""
        first, second, *_ = self.heard["subject"]
        leads = first.sure >= HARDLY and first.sure >= 2 * second.sure
        return first.label if leads or first.sure >= SUBJECT else ""

    @property
    def poses(self) -> bool:
        """Whether this is more likely a mere gesture than a deed."""
        free = self.heard["free"][0]
        return free.label in WORTHLESS and free.sure >= 0.5

    def chance(self, act: str) -> float:
        """Probability of an act, 0 if the classifier did not list it."""
        return next((one.sure for one in self.heard["act"] if one.label == act), 0.0)

    def instead(self, act: str, *, sure: float = 0.0) -> Part:
        """Return a copy whose likeliest act is `act`, with a probability of at least `sure`."""
        others = tuple(one for one in self.heard["act"] if one.label != act)
        first = Guess(act, max(sure, self.chance(act)))
        return self.model_copy(update={"heard": {**self.heard, "act": (first, *others)}})


@lru_cache(maxsize=256)
def part_of(text: str, scope: Scope) -> Part:
    """Build a part from text: find and mark the scene's names, without classifying anything.

    Reading, answering and asking back look at the same text in the same place, each for itself.
    """
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
    # Blanked rather than dropped, so that the words around a verb do not become neighbours.
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
    """Blank words that exactly name something else, so that typo matching leaves them alone.

    A barge, if there is one, must not be read as a mistyped "berge".
    """
    others = known - _words_in(*named)
    return tuple("-" if word in others else word for word in words)


def _verb(words: Phrase, at: int) -> bool:
    return at > 0 and words[at - 1] in SUBJECTS


def _name_at(
    words: Phrase, at: int, kinds: Sequence[tuple[str, Sequence[Named]]]
) -> tuple[int, str]:
    """Find the longest name at a position: its length in words and its mark, or (0, "")."""
    sizes = [(named_at(words, at, named)[0], f"<{kind}>") for kind, named in kinds]
    size, mark = max(sizes, key=lambda one: one[0])
    return (size, mark if size else "")


def ear() -> Classifier:
    """Load the classifier of players' messages; slow the first time, cached afterwards."""
    return load("ruleplay.story", "reader.bin")


@lru_cache(maxsize=2048)
def _read(marked: str) -> Mapping[str, tuple[Guess, ...]]:
    return ear().read(marked)


def heard(part: Part) -> Part:
    """Classify a part. Gibberish gets labels, too, but all with probability 0."""
    reader, found = ear(), _read(part.marked)
    if len(part.words) > 1 and not reader.knows_any(re.findall(r"<\w+>|\w+", part.marked)):
        found = {head: tuple(Guess(one.label, 0.0) for one in found[head]) for head in found}
    free, act = found["free"][0], found["act"][0]
    open_ = act.sure < PLAIN or act.label == "attack"
    unsaid = act.label in WORDS and act.sure < PLAIN and free.sure >= UNSAID
    others = tuple(one for one in found["act"] if one.label != free.label)
    if free.label in WORTHLESS and (unsaid or (free.sure >= PLAINLY_FREE and open_)):
        # Which of the many acts it is remains open, but it clearly costs nothing.
        found = {**found, "act": (Guess(free.label, free.sure), *others)}
    elif unsaid and free.label == "deed":
        # The sort is stable: acts of speech go last, and the rest keeps its order.
        found = {**found, "act": tuple(sorted(others, key=lambda one: one.label in WORDS))}
    return part.model_copy(update={"heard": found})


def clauses_of(outside: str, scope: Scope) -> Iterator[Part]:
    """Yield the classified clauses of a message; together they cover all of it.

    A clause that merely names a thing or place takes over the act of the clause before it: "I buy
    bread, and a small ale". `outside` is the message without its quotations.
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
    """Whether a part is a one-word opening of what follows: "nope. round through the trees"."""
    names = part.being or part.item or part.place or SAID in part.text
    return len(part.words) < 2 and not names and not _plain(part)


def _all_words(whole: Part, pieces: Sequence[Part]) -> bool:
    """Whether a whole message is one speech, since none of its pieces is clearly a deed."""
    most = max((one.sure for one in pieces if one.act not in WORDS), default=0.0)
    plain = whole.sure >= SURE and most < PLAIN
    leads = whole.sure >= PLAIN and whole.lead >= PLAINLY and most < SURE
    return whole.act in WORDS and (whole.sure >= SPEECH or plain or leads)


def _pieces(sentence: str, scope: Scope) -> Sequence[Part]:
    """Return a sentence's clauses if they clearly do different things, else the whole sentence."""
    if not words_of(sentence):
        return ()
    whole = heard(part_of(sentence, scope))
    texts = [one.strip() for one in CLAUSES.split(sentence) if words_of(one)]
    if len(texts) > 1 and len(words_of(texts[0])) == 1:
        texts[:2] = [", ".join(texts[:2])]  # in "Wait, who is there?" nobody waits
    if len(texts) < 2:
        return [whole]
    pieces = [heard(part_of(one, scope)) for one in texts]
    plain = [one for one in pieces if _plain(one) or SAID in one.text]
    acts = {one.act for one in plain}
    speech = whole.act in WORDS and whole.sure >= MANY and SAID not in sentence
    if speech and all(one.act in WORDS or one.sure < MANY for one in plain):
        return [whole]
    # Several things of one order ("bread and a small ale") are clauses although the act is one.
    wares = sum(one.item is not None for one in pieces) > 1
    wares = wares or any(one.item and len(one.words) <= BARE for one in pieces)
    one_act = len(acts) < 2 and whole.act in acts and whole.sure >= PLAIN and not wares
    if one_act:  # as sure as its clearest clause, unless a longer one is unclear
        brief = all(one in plain or len(one.words) <= BARE for one in pieces)
        sure = max(one.sure for one in plain)
        return [whole.instead(whole.act, sure=sure) if brief else whole]
    return pieces if plain or wares else [whole]


def _plain(part: Part) -> bool:
    return part.sure >= SURE or (part.sure >= PLAIN and part.lead >= PLAINLY)


def _glued(pieces: Sequence[Part], scope: Scope) -> Sequence[Part]:
    """Join clauses to the one before them if they do not stand by themselves.

    Those are short clauses that say little, subordinate ones, and negations ("but not the dog").
    A negation can change what is meant, so the joined text is classified again.
    """
    kept: list[Part] = []
    if len(pieces) > 1 and _exclaims(pieces[0]) and SAID not in pieces[1].text:
        first, second, *rest = pieces
        opened = part_of(f"{first.text.rstrip(' .!')}, {second.text}", scope)
        pieces = [opened.model_copy(update={"heard": second.heard}), *rest]
    for one in pieces:
        says = one.act in WORDS or one.sure < HARDLY
        does = one.act not in WORDS and _plain(one)  # in "draw and attack Rudge" nobody is called
        calls = one.being and len(one.words) < 3 and scope.mode != "combat" and not does
        names = one.item or one.place or (one.being and not calls)
        how = len(one.words) == 1 and len(pieces) > 1 and one is not pieces[0]  # ", quietly"
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
