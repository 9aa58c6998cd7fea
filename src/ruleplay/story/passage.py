"""Judge whether a paragraph of a model's prose may be shown, against the beats that it marks.

A paragraph that marks beats is shown whole or not at all. An answer to the player outside the
story, and a paragraph without marks, only lose the sentences that are wrong. The checks cover marks
and their order, digits, names, and words for outcomes near a name (stems from `stems.json`).
Grammar is not parsed: who did what to whom stands in the beats' lines beneath the paragraph. All
checks are heuristics, for English and French.

Positions are character offsets in `plain` text, where words have spaces around them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from ruleplay.story.beats import Beat, Being
from ruleplay.story.style import Style, crossed
from ruleplay.story.texts import (
    Lang,
    kinds_of,
    numbered,
    plain,
    results_of,
    stems,
    table,
    words_of,
)

_MARKS = re.compile(r"[ \t]*\[((?:b\d{1,3})(?:[ ,;]+b\d{1,3})*)\]")
_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"")
_QUOTES = {"“": "”", "«": "»", '"': '"'}
_SEAM = "\0"
_DICE = re.compile(r"\b(\d*)d(\d+)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?;…])\s+")
_SEMICOLON = re.compile(r"\s*;((?:\[[^\]]*\]|\W)*)$")
_STOPS = ".!?…"
_FORBIDDEN = re.compile(r"[{}<>`|→›·_\\]|\[|\]|https?:|\*\*")
_TYPED = re.compile(r"`[^`\n]+`|\d+ < \d+")
_CAPITAL = re.compile(r"(?<![.!?…:»”\"«“\-—–\n])[ ']([A-ZÀ-ÖØ-Þ][\w’'-]*\w)")
_COUNTS = {word: n for lang in ("en", "fr") for n, word in numbered(lang)}
OWN_WORDS, NEAR, VOICED, CLOSE = 3, 4, 5, 24
"""Fewest words for each result; words before another that can soften it; words beside a quotation
that can name its speaker; characters within which a name belongs to a word."""
FACT_NEAR, TOLD_NEAR, STEM = 2, 4, 4
"""Words on each side of a number that are compared, in a fact and in an answer: they have to share
one, by its first letters."""
_OF = r"(?:of|de|d'|du) "
_YOURS = ("your", "yours", "votre", "vos")
_KILLS = ("kills", "kill", "slays", "slew", "tue", "tua", "acheve", "abat")
_STABS = ("stabs", "pierces", "snaps", "transperce", "poignarde", "mord")
"""Verbs whose victim is named closely after them, if at all."""
_TRANSITIVE = ("hits", "connects", "touche ", "atteint ", "porte ")
_NOUN = frozenset(
    words_of("the a an this that these those l le la les un une des du ce cet cette d")
)
"""Articles and the like, by which a word is a noun: "the dead"."""
_ARTICLES = _NOUN | frozenset(words_of("it its his her their son sa ses"))
_NONE = frozenset(("no", "without", "sans", "aucun", "aucune"))
"""Words before a name by which nothing of that name is there."""
_PERFECT = re.compile(
    r" (who|which|qui) (l |la |les |ne |n |vous )*(has|have|had|a|ont|avait|avaient)( \w+)? ?$"
)
"""A relative clause up to its verb: it tells of an earlier time than the sentence that it is in."""
BROUGHT = ("gain", "loss", "time", "detail")
"""Kinds of beats that may accompany authored text as its outcome."""
DAMAGE = 12
"""Most sides of a single die that counts something; one of more is rolled for a check."""
ANSWERED = 30
"""Sentences of an answer that are judged one by one; what follows counts as one."""
PARAGRAPH, THING = 2_500, 4
"""Most characters of a paragraph; a plural noun of more letters than this can be a thing."""
FEET = ("feet", "pieds")
"""A unit that is also a part of bodies: "to two feet", "on all four feet", "one of his feet" are no
distances."""
_BODILY = frozenset(words_of("on all both its his her their your sur ses leurs vos tes"))
"""Words before a number of feet by which these are somebody's own, or what they stand on."""


@dataclass(frozen=True)
class Scene:
    """What prose may mention: who is present, which words have occurred, what must stay unsaid.

    `secrets` are the marks of each secret: two of one together give it away. `unsaid` are authored
    names that have not occurred yet. `heard` is the text of everything that has. `player` is the
    being whom the prose addresses as "you".
    """

    lang: Lang = "en"
    beings: tuple[Being, ...] = ()
    heard: str = ""
    secrets: tuple[tuple[str, ...], ...] = ()
    unsaid: tuple[str, ...] = ()
    style: Style = field(default_factory=Style)
    player: str = ""

    def names(self, who: str) -> tuple[str, ...]:
        """Return all names of somebody."""
        return next((one.names for one in self.beings if one.id == who), ())


@dataclass
class Judged:
    """A paragraph without its marks, the beats that it shows, and what is wrong with it.

    `unshown` are beats of sentences that were left out of it.
    """

    text: str
    shown: tuple[Beat, ...] = ()
    problems: list[str] = field(default_factory=list)
    unshown: tuple[Beat, ...] = ()


@dataclass(frozen=True)
class _Part:
    """A stretch of the paragraph, and the beats whose marks end it; without marks it is colour.

    `past` are all beats that have been told by the end of the stretch.
    """

    text: str
    beats: tuple[Beat, ...]
    past: tuple[Beat, ...] = ()


def marked(text: str) -> set[str]:
    """Return the ids of the beats that a text marks."""
    return {one for mark in _MARKS.finditer(text) for one in re.findall(r"b\d+", mark[1])}


def judge(paragraph: str, beats: Sequence[Beat], told: Collection[str], scene: Scene) -> Judged:
    """Judge one paragraph; `told` are the ids of the beats that earlier ones have shown."""
    clean = _MARKS.sub("", paragraph).strip()
    parts, wrong = _parted(paragraph, beats, told)
    shown = tuple(beat for part in parts for beat in part.beats)
    if not clean:
        # A mark alone is enough to place an authored passage, and what the passage brings.
        written = any(beat.passage for beat in shown)
        book = written and all(beat.passage or beat.kind in BROUGHT for beat in shown)
        book = book and not any(beat.must for beat in shown)
        wrong += [] if book or not paragraph.strip() else ["a mark without words"]
        return Judged("", shown, [*wrong, *_order(shown, beats, told)])
    judged = Judged(clean, shown, wrong)
    judged.problems += _order(shown, beats, told)
    judged.problems += _form(clean, scene, shown)
    if answers(shown):
        judged.problems += _beyond_facts(clean, shown, scene)
    else:
        for part in parts:
            judged.problems += _part_problems(part, scene)
    judged.problems += _whole_problems(clean, shown, scene)
    return judged


def without_wrong(
    paragraph: str, beats: Sequence[Beat], told: Collection[str], scene: Scene
) -> Judged | None:
    """Judge a paragraph again without the sentences that are wrong; None if little of it is left.

    In an answer, and where no beat is told, the other sentences are as true as before.
    """
    marks = "".join(found[0] for found in _MARKS.finditer(paragraph))
    said = _SENTENCE_END.split(_MARKS.sub("", paragraph[:PARAGRAPH]).strip(), ANSWERED)
    pieces, cut, open_ = list[str](), set[int](), ""
    for at, one in enumerate(said):
        # A quotation of several sentences is closed around each of them, with _SEAM at the cuts.
        one, open_ = (open_ and open_ + _SEAM) + one, _left_open(open_ + one)
        one += open_ and _SEAM + _QUOTES[open_]
        pieces.append(one)
        if judge(one.replace(_SEAM, "") + marks, beats, told, scene).problems:
            cut.add(at)
    left = re.sub(rf"{_SEAM}. .{_SEAM}", " ", _left(pieces, cut)).replace(_SEAM, "")
    most = 2 * len(left) >= sum(map(len, said))
    return judge(left + marks, beats, told, scene) if most else None


def without_one(
    paragraph: str, beats: Sequence[Beat], told: Collection[str], scene: Scene
) -> Judged | None:
    """Judge a paragraph again without the one sentence that is wrong.

    Sentences that follow it and begin with "he" or "she" are left out with it. The beats that they
    mark are `unshown`: their lines tell them. Returns None if there is no such sentence, or little
    would be left.
    """
    said = _sentences(paragraph)
    for at in range(len(said)):
        follow = itertools.takewhile(lambda one: _refers(one, scene.lang), said[at + 1 :])
        end = at + 1 + len([*follow])
        cut, left = " ".join(said[at:end]), _left(said, range(at, end))
        # What is cut or left may be half of a quotation.
        if _left_open(cut) or 2 * len(cut) > len(paragraph) or _left_open(left):
            continue
        unshown = tuple(beat for beat in beats if beat.id in marked(cut) - {*told})
        judged = judge(left, beats, (*told, *(beat.id for beat in unshown)), scene)
        if judged.text and not judged.problems:
            judged.unshown = unshown
            return judged
    return None


def _sentences(paragraph: str) -> list[str]:
    """Split a paragraph into sentences, each with the marks that follow its end."""
    said: list[str] = []
    for one in _SENTENCE_END.split(paragraph[:PARAGRAPH].strip(), ANSWERED):
        marks = re.match(rf"(?:{_MARKS.pattern}\s*)+", one)
        if said and marks:
            said[-1] = f"{said[-1]} {marks[0].strip()}"
            one = one[marks.end() :]
        said += [one] if one else []
    return said


def _left(said: Sequence[str], cut: Collection[int]) -> str:
    """Join what is left of a text; a clause beside a cut ends or begins a sentence of its own."""
    kept: list[str] = []
    for at, one in enumerate(said):
        if at - 1 in cut:
            one = re.sub(r"[^\W\d_]", lambda letter: letter[0].upper(), one, count=1)
        if at + 1 in cut:
            one = _SEMICOLON.sub(r".\1", one)
        kept += [] if at in cut else [one]
    return " ".join(kept)


def _refers(sentence: str, lang: Lang) -> bool:
    """Whether a sentence begins with a pronoun for somebody whom an earlier one names."""
    return [*words_of(sentence)[:1]] in [[one] for one in table("thirds", lang)]


def _left_open(text: str) -> str:
    """Return the opening mark of a quotation that a text does not close, empty for none."""
    open_ = (
        one for one, end in _QUOTES.items() if one != end and text.rfind(one) > text.rfind(end)
    )
    return next(open_, '"' if text.count('"') % 2 else "")


def answers(shown: Sequence[Beat]) -> bool:
    """Whether a paragraph only answers what the player asked outside the story."""
    return bool(shown) and all(beat.kind == "answer" for beat in shown)


def _facts(shown: Sequence[Beat]) -> str:
    return "\n".join(fact for beat in shown for fact in beat.facts)


def _beyond_facts(text: str, shown: Sequence[Beat], scene: Scene) -> Iterator[str]:
    """Find beings whom an answer calls dead, fled or harmed although no fact says so."""
    facts = plain(_facts(shown))
    for sentence in re.split(r"(?<=[.!?;…])\s+", _unquoted(text)):
        said = plain(sentence)
        for kind in kinds_of("results"):
            stem = stems("prose", kind, scene.lang)
            for found in () if stem.search(facts) else stem.finditer(said):
                who = _nearest(said, found.start(), scene, after=False)
                if who and not _softened(said, found.start(), scene.lang):
                    yield f"{found[0].strip()!r} of {who}: the facts do not say so"


def _parted(
    paragraph: str, beats: Sequence[Beat], told: Collection[str]
) -> tuple[list[_Part], list[str]]:
    known = {beat.id: beat for beat in beats}
    past = tuple(beat for beat in beats if beat.id in told)
    parts: list[_Part] = []
    wrong: list[str] = []
    begin = 0
    for mark in _MARKS.finditer(paragraph):
        ids = re.findall(r"b\d+", mark[1])
        wrong += [f"no beat {one!r}" for one in ids if one not in known]
        marked = tuple(known[one] for one in ids if one in known)
        text = paragraph[begin : mark.start()]
        begin = mark.end()
        past = (*past, *marked)
        if not re.search(r"\w", text) and parts:  # "[b1] [b2]": both marks end the same words
            parts[-1] = _Part(parts[-1].text, (*parts[-1].beats, *marked), past)
        else:
            parts.append(_Part(text, marked, past))
    if paragraph[begin:].strip():
        parts.append(_Part(paragraph[begin:], (), past))
    return parts, wrong


def _order(shown: Sequence[Beat], beats: Sequence[Beat], told: Collection[str]) -> Iterator[str]:
    """Check that beats which must be told come in order, none skipped, and all at most once."""
    seen = list(told)
    for beat in shown:
        if beat.id in seen:
            yield f"{beat.id} is told twice"
        seen.append(beat.id)
    # Echoes only repeat what the player said or did, so their order is free.
    musts = [beat.id for beat in beats if beat.must and not beat.echo]
    told_now = [beat.id for beat in shown if beat.must and not beat.echo]
    due = [one for one in musts if one not in told]
    if told_now != due[: len(told_now)]:
        yield f"beats out of order: {', '.join(told_now)} where {', '.join(due[:4])} are due"


def _form(text: str, scene: Scene, shown: Sequence[Beat]) -> Iterator[str]:
    facts = _facts(shown) if answers(shown) else ""
    # Facts have what players can type in backticks, and rolls: an answer may cite both as they are.
    typed = _TYPED.findall(facts)
    written = _TYPED.sub(lambda found: " " if found[0] in typed else found[0], text)
    if found := _FORBIDDEN.search(written):
        yield f"{found[0]!r} is no part of prose"
    if len(text) > PARAGRAPH:
        yield "a paragraph as long as a page"
    bare = text
    for being in scene.beings:
        for name in being.names:
            if any(char.isdigit() for char in name):
                bare = bare.replace(name, " ")
    asked = " ".join(beat.says for beat in shown) if facts else ""
    wrong = _unvouched(bare, facts, asked, scene.lang)
    if wrong or any(char.isnumeric() and not char.isdecimal() for char in bare):
        yield (
            f"{wrong[0]!r} stands in no fact"
            if wrong and facts
            else "no digits: the lines beneath have the numbers"
        )
    units = "|".join(map(re.escape, table("units", scene.lang)))
    numbers = "|".join(table("numbers", scene.lang))
    counted = " ".join(beat.line.text for beat in shown if beat.kind in ("gain", "loss")) + facts
    own = _counted(asked)
    said = plain(_unquoted(text))
    for found in re.finditer(rf" ({numbers}) (?:\w+ )?(?:{units}) ", said):
        count = _COUNTS.get(found[1], 0)
        bodily = count in (1, 2) or (count and _BODILY & {*said[: found.start()].split()[-1:]})
        true = (
            (found[0].split()[-1] in FEET and bodily)
            or count in own
            or re.search(rf"\b{count}\b", counted)
            or _worked_out(count, own, own, _counted(text))
        )
        if not true and found[0] not in plain(scene.heard):
            yield f"a number in words: {found[0].strip()!r}"
            return


def _unvouched(text: str, facts: str, asked: str, lang: Lang) -> list[str]:
    """List the numbers in digits that no fact has, or that stand beside none of its words.

    The text before a fact's colon is the subject of its numbers, and a sentence that names the
    subject may give all of them. Results of simple arithmetic on the facts' and the question's
    numbers are accepted.
    """
    beside: dict[str, set[str]] = {}
    subjects: dict[str, set[str]] = {}
    dice = {found[0] for found in _DICE.finditer(facts)}
    text = " ".join(_without_dice(one, dice) for one in _SENTENCE_END.split(text))
    for fact in facts.split("\n"):
        head, colon, _ = fact.partition(":")
        for number, words in _numbered(fact, FACT_NEAR, lang):
            beside.setdefault(number, set()).update(words)
            subjects.setdefault(number, set()).update(_stems(head) if colon else ())
    alone, within = _around(text, lang)
    doubted = [
        number
        for number, words in _numbered(text, TOLD_NEAR, lang)
        if not (words | alone.get(number, set())) & beside.get(number, set())
        and not within.get(number, set()) & subjects.get(number, set())
    ]
    vouched = [int(n) for n, _ in _numbered(text, 0, lang) if n not in doubted]
    wished = _counted(asked)
    told = _counted(text)
    return [n for n in doubted if not _worked_out(int(n), vouched, wished, told)]


def _without_dice(sentence: str, known: Collection[str]) -> str:
    """Drop known dice, such as 5d8, and what the sentence says that they throw.

    That is the least, the most, and the average, rounded both ways; of the one die of a check it
    would say nothing.
    """
    thrown = set[int]()
    for found in _DICE.finditer(sentence):
        least, most = int(found[1] or 1), int(found[1] or 1) * int(found[2])
        if found[0] in known and (least > 1 or most <= DAMAGE):
            thrown |= {least, most, (least + most) // 2, -(-(least + most) // 2)}
    said = _DICE.sub(lambda found: " " if found[0] in known else found[0], sentence)
    return re.sub(r"\d+", lambda found: " " if int(found[0]) in thrown else found[0], said)


def _counted(text: str) -> tuple[int, ...]:
    """List the numbers of a text, in digits or in words, without zero."""
    words = words_of(re.sub(r"\d+", r" \g<0> ", text))
    found = (int(one) if one.isdecimal() else _COUNTS.get(one, 0) for one in words)
    return tuple(dict.fromkeys(number for number in found if number))


def _worked_out(
    number: int, vouched: Sequence[int], asked: Sequence[int], told: Sequence[int]
) -> bool:
    """Whether a number follows from others by simple arithmetic.

    It is the sum or difference of two vouched numbers, the hours of vouched minutes, or a product
    or quotient with a number of the question. Quotients are shares of coins, with the rest in
    smaller coins of a tenth.
    """
    if 60 * number in vouched:
        return True
    pairs = itertools.combinations(vouched, 2)
    known = [(a, b) for a, b in itertools.product({*vouched, *asked}, asked) if b > 1]
    summed = any(number in (a + b, abs(a - b)) for a, b in pairs)
    return summed or any(number in (a * b, *_shares(a, b, told)) for a, b in known)


def _shares(whole: int, among: int, told: Sequence[int]) -> Iterator[int]:
    """Yield each one's share of coins and the rest, then the same for the rest in smaller coins.

    It goes on only while the text gives the share, and for at most three kinds of coins.
    """
    for _ in range(3):
        share, left = divmod(whole, among)
        yield from (share, left)
        if share not in told:
            return
        whole = left * 10


def _stem(word: str) -> str:
    return word.removesuffix("s")[:STEM]  # "jets" are of "jet"


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in words_of(text) if len(word) > 2}


def _around(text: str, lang: Lang) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Map numbers to the words of their sentences: those without other numbers, and all."""
    alone: dict[str, set[str]] = {}
    within: dict[str, set[str]] = {}
    for sentence in _SENTENCE_END.split(text):
        numbers = [*_numbered(sentence, len(sentence), lang)]
        if len({number for number, _ in numbers}) == 1:
            alone.setdefault(*numbers[0])
        for number, words in numbers:
            within.setdefault(number, set()).update(words)
    return alone, within


def _numbered(text: str, near: int, lang: Lang) -> Iterator[tuple[str, set[str]]]:
    """Yield each number with the stems of the nearest content words on both sides.

    Other numbers are skipped, so that in "46 of 50 hit points" both are of hit points. The words
    are of the same sentence: in "for about 11. You have 50" nobody has 11.
    """
    for sentence in _SENTENCE_END.split(text):
        yield from _numbered_within(sentence, near, lang)


def _numbered_within(sentence: str, near: int, lang: Lang) -> Iterator[tuple[str, set[str]]]:
    kinds = ("pronouns", "softeners", "prepositions")
    plainly = {*_ARTICLES}.union(*(table(kind, lang) for kind in kinds))
    words = words_of(re.sub(r"\d+", r" \g<0> ", sentence))
    numbers = [(at, word) for at, word in enumerate(words) if word.isdigit()]
    meant = [
        (at, _stem(word))
        for at, word in enumerate(words)
        if len(word) > 2 and not word.isdigit() and word not in plainly
    ]
    for at, number in numbers:
        before = [stem for place, stem in meant if place < at][-near:]
        after = [stem for place, stem in meant if place > at][:near]
        yield number, {*before, *after}


def _unquoted(text: str) -> str:
    return re.sub(r"[ \t]+", " ", _QUOTED.sub(" — ", text))


def _part_problems(part: _Part, scene: Scene) -> Iterator[str]:
    words = [word for word in words_of(part.text) if len(word) > 1]
    results = [beat for beat in part.beats if beat.has_result]
    enough = len(words) if results else len(words) + 1  # "Dwalma nods." suffices for speech
    if part.beats and enough < OWN_WORDS * max(1, len(results)):
        yield f"{' '.join(b.id for b in part.beats)}: too few words of its own"
    if part.beats:
        yield from _named(part, scene)
        yield from _against(part, scene)
    yield from _stem_problems(part, scene)
    yield from _voices(part, scene)


def _voices(part: _Part, scene: Scene) -> Iterator[str]:
    """Find dead speakers: whoever is named right beside a quotation counts as its speaker."""
    dead = [one for one in scene.beings if any(b.became(one.id, ("dead",)) for b in part.past)]
    for found in _QUOTED.finditer(part.text) if dead else ():
        before, after = part.text[: found.start()], part.text[found.end() :]
        last = re.split(r"[»”\"]", _last_sentence(before))[-1]
        beside = (plain(" ".join(after.split()[:VOICED])), plain(" ".join(last.split()[:VOICED])))
        for one in dead:
            if any(next(_places(said, one), VOICED * 9) < VOICED * 4 for said in beside):
                yield f"{one.id} is dead and says nothing"
                return


def speaks(text: str, who: str, scene: Scene) -> bool:
    """Whether a paragraph has a quotation, and names somebody outside of it."""
    named = (one for one in scene.beings if one.id == who)
    said = plain(_unquoted(text))
    return bool(_QUOTED.search(text)) and any(any(_places(said, one)) for one in named)


def _last_sentence(text: str) -> str:
    """Return the last sentence of a text, or all of it if it does not end a sentence."""
    told = text.rstrip()
    if told[-1:] not in _STOPS:
        return text
    ends = [found.end() for found in re.finditer(rf"[{_STOPS}](?=\s+\S)", told)]
    end = next((end for end in reversed(ends) if len(told[end:].strip()) > 1), 0)
    return text if "\n" in told[end:].lstrip() else text[end:]


def _named(part: _Part, scene: Scene) -> Iterator[str]:
    """Find beats whose words name only somebody else.

    Naming one of the beat's beings is fine, and so is naming nobody, or a pronoun before any name.
    """
    whole = plain(part.text)
    there = {one.id for one in scene.beings if next(_places(whole, one), 0)}
    # A name within a quotation is spoken to, and does not act: "Very funny, Ruvin," you say.
    said = plain(_unquoted(part.text))
    places = [next(_places(said, one), len(said)) for one in scene.beings]
    first = min(places, default=len(said))
    for beat in part.beats:
        # Optional beats may be told through an onlooker, vain ones through a listener, gains and
        # losses through the other party.
        free = beat.kind in ("gain", "loss", "vain") or not (beat.must or beat.has_blow)
        own = set() if free else set(beat.beings)
        # A pronoun before any name refers to earlier text; after a name it may mean that being.
        meant = (*table("subjects", scene.lang), *_YOURS)
        pronoun = any(f" {one} " in said[: first + 1] for one in meant)
        addressed = bool(scene.player) and scene.player in own and _addressed(said, scene)
        if own and there and not (there & own) and not (pronoun or addressed):
            yield f"{beat.id}: names only somebody else"


def _addressed(said: str, scene: Scene) -> bool:
    """Whether the text addresses the player's character as "you" or includes them in "we"."""
    words = {*said.replace("'", " ").split()}
    return scene.style.person == "second" and bool(words & {*table("addressed", scene.lang)})


def _places(said: str, being: Being) -> Iterator[int]:
    """Yield the positions of somebody's names in plain text."""
    flat = said.replace("'", " ")
    for name in being.names:
        own = plain(name).replace("'", " ").strip()
        yield from (found.start() for found in re.finditer(rf"(?<= ){re.escape(own)}(?=s? )", flat))


def _against(part: _Part, scene: Scene) -> Iterator[str]:
    """Find words of hitting in a miss, or of missing in a hit, if a part has only one of these."""
    kinds = {beat.kind for beat in part.beats if beat.kind in ("hit", "miss")}
    if len(kinds) != 1:
        return
    wrong = "miss" if kinds == {"hit"} else "hit"
    said = plain(_unquoted(part.text))
    for found in stems("prose", wrong, scene.lang).finditer(said):
        at_thing = found[0] in _TRANSITIVE and not _aimed(said, found.span(), scene)
        free = at_thing or _earlier(said, found.start())
        if not free and not _softened(said, found.start(), scene.lang):
            yield f"{found[0].strip()!r} in a {kinds.pop()}"
            return


def _earlier(said: str, at: int) -> bool:
    """Whether a verb tells what was before, as in "Brack, who has missed so far"."""
    return bool(_PERFECT.search(said[:at].replace("'", " ")))


def _aimed(said: str, span: tuple[int, int], scene: Scene) -> bool:
    """Whether a verb of hitting has a being as its object, or none: not "hits the ground"."""
    after, before = _object(said, span[1], scene), said[: span[0]].replace("'", " ").split()[-1:]
    pronouns = {*table("pronouns", scene.lang)} - _ARTICLES
    alone = not said[span[1] :].strip()
    return alone or bool(_struck(said, span, scene) or pronouns & {*before, *after[:1]})


def _object(said: str, end: int, scene: Scene) -> list[str]:
    """Return the words after a verb up to the next preposition, which may be its object."""
    further = table("prepositions", scene.lang)
    after = said[end:].replace("'", " ").split()
    return [*itertools.takewhile(lambda word: word not in further, after)]


def _struck(said: str, span: tuple[int, int], scene: Scene) -> str:
    """Return a verb's object if it is a being: a name after it, or a pronoun ("vous") before it."""
    object_ = f" {' '.join(_object(said, span[1], scene))} "
    named = ((place, one.id) for one in scene.beings for place in _places(object_, one))
    if found := min(named, default=None):
        return found[1]
    before = said[: span[0]].replace("'", " ").split()[-1:]
    before = [word for word in before if word in table("pronouns", scene.lang)]
    ahead = (one.id for one in scene.beings if any(_places(f" {' '.join(before)} ", one)))
    return next(ahead, "") if before else ""


def _softened(said: str, at: int, lang: Lang) -> bool:
    """Whether a word is negated or weakened by the words around it ("almost", "not")."""
    before = " " + " ".join(said[:at].replace("'", " ").split()[-NEAR:]) + " "
    after = " " + " ".join(said[at:].replace("'", " ").split()[1:3]) + " "
    denied = (
        (" pas ", " jamais ", " rien ") if lang == "fr" else (" neither ", " nothing ", " nobody ")
    )
    return any(one in after for one in denied) or any(
        f" {one} " in before for one in table("softeners", lang)
    )


def _stem_problems(part: _Part, scene: Scene) -> Iterator[str]:
    """Find words for results (death, flight, wounds, states) that no beat so far has brought."""
    for sentence in re.split(r"(?<=[.!?;…])\s+", _unquoted(part.text)):
        said = plain(sentence)
        for kind in kinds_of("results"):
            for found in stems("prose", kind, scene.lang).finditer(said):
                echoed = _echoed(found[0], part)
                if not echoed and not _softened(said, found.start(), scene.lang):
                    yield from _outcome(kind, found.start(), said, part, scene)


def _echoed(word: str, part: _Part) -> bool:
    """Whether a word only repeats what was said, in a turn without blows.

    "She weighs the word bleed" hurts nobody.
    """
    if any(beat.has_blow for beat in part.past):
        return False
    return any(word.strip() in plain(beat.says) for beat in part.past if beat.kind == "say")


def _outcome(kind: str, at: int, said: str, part: _Part, scene: Scene) -> Iterator[str]:
    word = said[at : at + 14].split(" ")[0]
    if word in _KILLS:
        who = _struck(said, (at, at + len(word)), scene)
    else:
        who = _nearest(said, at, scene, after=word in _STABS, within=CLOSE)
    if kind == "death" and _nominal(said, at):
        who = _of_whom(said, at, scene)
    elif kind == "death" and _of_things(said, at, scene):
        return
    if kind == "wound" and _nominal(said, at):
        who = _of_whom(said, at, scene) or who
    allowed, hurts = results_of(kind), kind in ("wound", "blow")
    was = (state for one in scene.beings if one.id == who for state in one.was)
    if {*was} & {*allowed} or any(beat.became(who, allowed) for beat in part.past):
        return
    # "You strike first: a gash at the knee": the line beneath says whose knee it is.
    marks = ("hurt", "healed", "dead")
    if hurts and any(b.who == who and b.became("", marks) for b in part.beats):
        return
    # The beat itself may mention a wound, as when somebody tends one.
    if hurts and any(who in b.about and word in plain(b.says) for b in part.beats):
        return
    if who:
        yield f"{word!r} of {who}, to whom that did not happen"


def _nominal(said: str, at: int) -> bool:
    """Whether an article precedes a word: "the dead beasts", "le mort"."""
    return bool(_NOUN & {*said[:at].replace("'", " ").split()[-1:]})


def _of_things(said: str, at: int, scene: Scene) -> bool:
    """Whether "dead" describes things: "dead leaves", "feuilles mortes".

    English puts the noun after it, French before it: a plural form with fewer than two names in
    the sentence, or a noun between an article and the word.
    """
    word, *after = said[at:].split() or [""]
    before = said[:at].replace("'", " ").split()
    if scene.lang == "en":
        return bool(after) and word == "dead" and len(after[0]) > THING and _plural(after[0])
    named = [one for one in scene.beings if next(_places(said, one), -1) >= 0]
    bare = before[-2:-1] and before[-2] in _NOUN
    return word.startswith("mort") and ((_plural(word) and len(named) < 2) or bool(bare))


def _plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")


def _singular(word: str) -> str:
    """Return a word as it is named in the singular: "Humains" are of the people "Humain"."""
    return word[:-1] if _plural(word) and len(word) > THING else word


def _of_whom(said: str, at: int, scene: Scene) -> str:
    """Return the being after a noun's "of": "the corpse of Pell"; empty if there is none."""
    rest = said[at:].split(" ", 1)[-1]
    if re.match(rf"(?:{_OF}|(?:in|dans) )(?:{'|'.join(_YOURS)}) ", rest):
        return scene.player  # "the blood in your ears"
    named = re.match(_OF, rest)
    places = ((place, one.id) for one in scene.beings for place in _places(f" {rest}", one))
    return next((who for place, who in sorted(places) if place <= CLOSE), "") if named else ""


def _nearest(said: str, at: int, scene: Scene, *, after: bool, within: int = 0) -> str:
    """Return the being named last before a word, empty if a pronoun stands between.

    With `after`, return the first one named at most `within` characters after the word instead.
    """
    places = sorted((place, one.id) for one in scene.beings for place in _places(said, one))
    if after:
        return next((who for place, who in places if at < place <= at + within), "")
    found = next(((place, who) for place, who in reversed(places) if place < at), None)
    if found is None:
        close = (who for place, who in places if at < place <= at + CLOSE)
        return next(close, "") if re.match(_OF, said[at:].split(" ", 1)[-1]) else ""
    between = said[found[0] : at].replace("'", " ").split()[1:]
    # In "Brack, who falls dead" the pronoun refers to the name.
    pronouns = set(table("pronouns", scene.lang)) - _ARTICLES - {"who", "qui"}
    return "" if pronouns & set(between) else found[1]


def _whole_problems(text: str, shown: Sequence[Beat], scene: Scene) -> Iterator[str]:
    bare, heard = _unquoted(text), plain(scene.heard)
    known = heard + " ".join(
        plain(word) for beat in shown for word in (*beat.gained, beat.says, *beat.facts)
    )
    gained = any(beat.gained or beat.kind == "gain" for beat in shown)
    yield from _worth(plain(bare), known, scene, gained, asked=answers(shown))
    for found in stems("prose", "passage", scene.lang).finditer(plain(bare)):
        if found[0].strip() not in known and not _likened(plain(bare), found.start(), scene.lang):
            yield f"{found[0].strip()!r}: no such way is known"
    yield from _strangers(bare, scene, known)
    if word := _given_away(plain(text), heard, scene):
        yield f"{word!r} is not known yet"
    if line := crossed(text, scene.style):
        yield f"a line of this table: {line}"


def _worth(said: str, known: str, scene: Scene, gained: bool, *, asked: bool) -> Iterator[str]:
    """Find valuables that the scene does not know, and words of taking one without a gain.

    In an answer outside the story (`asked`) coins may be mentioned, since nobody gets them.
    """
    worth = stems("prose", "worth", scene.lang)
    coin = stems("prose", "coin", scene.lang)
    for found in worth.finditer(said):
        if coin.search(f" {found[0]}") and (asked or coin.search(known)):
            continue
        meant = not _softened(said, found.start(), scene.lang)
        meant = meant and not _likened(said, found.start(), scene.lang)
        if found[0].strip() not in known and meant:
            yield f"{found[0].strip()!r}: nothing of worth was gained"
    taking = None if gained or asked else stems("prose", "taking", scene.lang).search(said)
    if taking and worth.search(said) and not _softened(said, taking.start(), scene.lang):
        yield f"{taking[0].strip()!r}: nothing was gained"


def _likened(said: str, at: int, lang: Lang) -> bool:
    """Whether a word is only a comparison: "as out of a trapdoor", "the way one reads a coin"."""
    before = f" {' '.join(said[:at].split()[-NEAR:])} "
    return any(f" {one} " in before for one in table("likeners", lang))


def _given_away(said: str, heard: str, scene: Scene) -> str:
    """Return what a text, quotations included, gives away: two marks of a secret, or a name."""
    for marks in scene.secrets:
        told = [mark for mark in marks if f" {mark}" in said]
        if len(told) > 1:
            return " ".join(told)
    # Beings of this turn are known, including those whom the hero has left behind.
    known = heard + " ".join(plain(name) for one in scene.beings for name in one.names)
    early = (name for name in scene.unsaid if plain(name) in said and plain(name) not in known)
    return next(early, "")


def _strangers(text: str, scene: Scene, known: str) -> Iterator[str]:
    """Find capitalised words within sentences that have not occurred before: invented names."""
    names = " ".join(plain(name) for one in scene.beings for name in one.names)
    heard = (known + names).replace("'", " ")
    for found in _CAPITAL.finditer(text):
        words = words_of(found[1])
        denied = {*words_of(text[: found.start(1)])[-1:]} & _NONE
        # In "it needs no Westron" nothing of that name is there, and "I'll" is nobody.
        if denied or words[:1] == ("i",) or len(found[1]) < 2:
            continue
        if not any(f" {_singular(word)}" in heard for word in words if len(word) > 1):
            yield f"nobody has heard of {found[1]!r}"
