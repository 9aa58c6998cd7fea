"""Splits a message into its questions: "haha nice. who died first, and who pressed Heroism?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ruleplay.agents.raid.domain.overview import Night, fold, words
from ruleplay.agents.raid.domain.persons import asks_average, calling_words, side_of
from ruleplay.agents.raid.domain.questions import Question, read_alone, role_said
from ruleplay.agents.raid.policy.hearing import (
    OF_SUMS,
    TALK,
    TELLS,
    VERDICT,
    WHATIF,
    WITHDRAWN,
    begins_asking,
    names_only,
    unheard_words,
)
from ruleplay.agents.raid.policy.marks import mark
from ruleplay.agents.raid.state import State
from ruleplay.hearing.classifier import Guess, load
from ruleplay.hearing.joints import clauses

SURE, SURER, SUREST = 0.4, 0.6, 0.85
"""Minimum confidence in the measure of a clause that has a question word or mark; of half a clause
without one; and of a whole clause without one, such as "list the deaths" beside "who healed"."""
LONGEST = 60
"""Maximum length in words of a message that is searched for several questions."""
_SHORTEST = 2
"""Minimum length of a question in words."""
_NARROWS = 8
"""Maximum length in words of a clause that narrows another by the names in it."""
_BRIEF = 3
"""Maximum length in words of a clause that narrows a question without naming anybody."""
_NEAR = 2
"""Number of leading words of a clause among which its question word must be."""
_ADDING = ("who", "most", "least", "when", "which", "amount", "count", "why", "first", "hit")
"""Shapes by which a clause without a measure asks more about that of the question before."""
_ASKED = frozenset((*OF_SUMS, "duration")) - {"performance", "rankings"}
"""Measures that no name by itself is asked for."""
_UNASKED = ("none", "unlogged", "cause", "overview", "threat", "week")
"""Measures that are part of a general account, so that a clause asks for nothing further."""


@dataclass(frozen=True)
class Asked:
    """One question of a message; `adds` means it only states changes to the previous one."""

    text: str
    adds: bool = False
    unheard: bool = False
    """Whether it also asks for something that was not understood."""
    names: bool = False
    """Whether what was not understood names somebody or something."""
    same: bool = False
    """Whether it asks for the same measure as the previous one."""

    @property
    def unjoined(self) -> str:
        """Its text without the word that joins it to the question before, which it replaces."""
        first, _, rest = self.text.strip().partition(" ")
        kept = self.adds or (self.unheard and not begins_asking(rest))
        joins = fold(first) in calling_words().joins and not kept
        return rest if joins else self.text


@dataclass(frozen=True)
class _Clause:
    """A part of a message, parsed by itself."""

    text: str
    question: Question
    marked: str
    kind: Guess
    measure: Guess
    shape: str
    shape_sure: float
    tongue: str
    rests: bool = False
    """Whether only the name of an ability says what it asks for."""

    @cached_property
    def begins(self) -> bool:
        """Whether it begins or ends like a question: "loatheb: who died", "par qui"."""
        known, starts = calling_words(), (self.text, self.text.partition(":")[2])
        said = [[word for word in words(one) if word not in known.joins] for one in starts]
        last = {*said[0][-1:]} if self.tongue != "en" else set()  # "before the boss did"
        # "Le boss était rendu à cb de %": French asks where the answer stands.
        last |= {*said[0]} & known.placed if self.tongue == "fr" else set()
        asked = any({*one[:_NEAR]} & known.asks for one in said)
        # "C'était quoi": what is elided is no word of its own.
        elided = any(len("".join(one[:1])) == 1 and {*one[_NEAR:][:1]} & known.asks for one in said)
        return bool(last & known.asks) or asked or elided

    @property
    def speaks(self) -> bool:
        """Whether a question word, a question mark or a request for a number shows that it asks."""
        counts = self.shape in ("amount", "count") and self.shape_sure >= SURER
        return self.begins or counts or self.text.rstrip().endswith("?")

    @property
    def talks(self) -> bool:
        """Whether it is certainly small talk or a retraction, and asks for nothing."""
        idle = self.kind.label in TALK and self.kind.sure >= SURER
        return self.withdraws or (idle and self.measure.label == "none")

    @property
    def withdraws(self) -> bool:
        """Whether it retracts what was asked before: "no wait, forget the dps"."""
        return self.kind.label == WITHDRAWN and self.kind.sure >= SURER

    @property
    def names(self) -> bool:
        """Whether it names somebody or something, or narrows the question."""
        subject = self.question.subject
        named = re.search(r"<\w+>", self.marked.replace("<number>", "")) or self.question.fights
        return bool(named or subject.day or subject.difficulty or subject.fights)

    @property
    def narrows(self) -> bool:
        """Whether it narrows the question ("on Oda", "no adds"); not "not Halang, surely"."""
        said = words(self.text)
        denied = self.question.players and {*said[:1]} & calling_words().denies
        # "I dropped on Oda, did we kill her?" asks itself; "we kept it for Oda" states something.
        apart = (
            self.text.rstrip().endswith("?") or len(said) > _NARROWS or self.says_who or self.rests
        )
        adds = self.kind.label == "follow" and self.shape == "same" and not self.speaks
        adds = (adds or len(words(self.text)) <= _BRIEF) and not self.talks
        return self.excepts or (not (denied or apart or self.begins) if self.names else adds)

    @property
    def side(self) -> str:
        """The side of a match that it asks about."""
        return side_of(fold(self.text))

    @property
    def says_who(self) -> bool:
        """Whether it only tells who the writer is: "I am Aria"."""
        asks = self.shape in _ADDING and self.shape_sure >= SUREST  # "and me (Aria) when"
        says = self.question.myself or role_said(self.text)
        return bool(says) and not (self.speaks or asks)

    @property
    def goes_on(self) -> bool:
        """Whether it asks for nothing new, but of somebody or something new: "none on Oda?"."""
        follows = self.kind.label == "follow" and self.kind.sure >= SURER and not self.talks
        return follows and self.names and self.text.rstrip().endswith("?")

    @property
    def bare(self) -> bool:
        """Whether it names somebody or something without asking: "how about the mages"."""
        named = self.names or "<number>" in self.marked
        # "Loatheb kill time" asks, though each of its words may stand in a name.
        asks = self.measure.label in _ASKED and self.measure.sure >= SUREST
        return named and names_only(self.marked, self.question) and not asks

    @property
    def known(self) -> bool:
        """Whether its measure can be answered by itself, and is sure enough given how it asks."""
        least = SURE if self.speaks else SURER
        return self.measure.label not in _UNASKED and self.measure.sure >= least

    @property
    def named_known(self) -> bool:
        """Whether it begins to ask of somebody named for what its measure likely is."""
        return bool(self.question.players) and self.known and self.begins

    def asks(self, *, alone: bool) -> bool:
        """Whether it asks for something; `alone`: no clause shows it by a word or mark."""
        # "Jai cru mourir 15 fois" (I nearly died 15 times) is a statement about oneself.
        least = SURER if self.speaks or (alone and not self.question.me) else SUREST
        asked = self.measure.label not in ("none", "unlogged") and not self.talks
        sure = asked and self.measure.sure >= least and not self.excepts
        short = len(words(self.text)) <= _SHORTEST and not self.speaks
        judges = self.shape == VERDICT and self.shape_sure >= SURER
        idle = self.bare or judges or self.says_who or self.forbids
        # "They are both frost, who did more" states a spec that an ability has the name of.
        idle = idle or (self.rests and not (self.speaks or alone))
        return sure and not (short or idle)

    @property
    def excepts(self) -> bool:
        """Whether it only says what is left out: "not counting the tanks"."""
        said = " ".join(word for word in words(self.text) if word not in calling_words().joins)
        denies = {*words(said)[:1]} & calling_words().denies and self.question.left_out
        return bool(calling_words().except_.match(said) or denies)

    @property
    def leads(self) -> bool:
        """Whether it is surely a question that goes on about nothing, of a likely measure."""
        asks = self.kind.label == "question" and self.kind.sure >= SUREST
        return asks and self.measure.label not in _UNASKED and self.measure.sure >= SURE

    @property
    def seeks(self) -> bool:
        """Whether it asks for something that was not understood."""
        whatif = self.shape == WHATIF and self.shape_sure >= SURER
        speaks = self.begins or self.forbids or whatif or self.shape_sure >= SUREST
        # "I swear he died" only states what the question before asks.
        swears = calling_words().wishes.match(fold(self.text).strip()) and not self.speaks
        speaks = speaks and not swears
        asks = self.kind.label in ("question", "help") or self.adds
        return speaks and asks and not (self.talks or self.says_who)

    @property
    def adds(self) -> bool:
        """Whether it asks in another way for what was just asked for: "and who the most"."""
        said, known = words(self.text), calling_words()
        # "Number, who, which boss" lists what is to be told of the one question.
        further = len(said) > _SHORTEST or {*said[:1]} & known.joins
        return self.varies and bool(known.asks & {*said} and further)

    @property
    def varies(self) -> bool:
        """Whether it only says how what was just asked for is to be told: "I'd like the top 3"."""
        unsaid = self.measure.label == "none" and self.measure.sure >= SURE
        new = self.shape in _ADDING and self.shape_sure >= SURER and not self.talks
        return unsaid and new and len(words(self.text)) <= _NARROWS and not self.strange

    @property
    def supposes(self) -> bool:
        """Whether it asks what would have been: "and could a healer have saved him"."""
        sure = self.shape == WHATIF and self.shape_sure >= SURER and self.measure.sure >= SURER
        return sure and self.measure.label != "none"

    @property
    def strange(self) -> bool:
        """Whether it has words that no question has, beside names."""
        return bool(unheard_words(self.marked))

    @property
    def forbids(self) -> bool:
        """Whether it begins by what it does not want: "and don't name anyone who died"."""
        said = [word for word in words(self.text) if word not in calling_words().joins]
        return bool({*said[:1]} & calling_words().denies) and not (self.speaks or self.names)

    @property
    def lowest(self) -> bool:
        """Whether its words ask for the minimum."""
        return self.shape == "least" or bool(calling_words().lowest.search(fold(self.text)))


def parted(text: str, night: Night, before: State | None = None) -> tuple[Asked, ...]:
    """Split a message into its questions, in order.

    Retractions, statements and asides are dropped: "top dps... no wait, who cares, who healed". If
    no clause is clearly a question, the whole message is one.
    """
    whole = (Asked(text),)
    if len(words(text)) > LONGEST:
        return whole
    said = [_clause(one, night) for one in _cut(text, night)]
    back = [at for at, one in enumerate(said) if one.withdraws]
    rest = said[back[-1] + 1 :] if back else said
    said = rest if any(one.asks(alone=True) for one in rest) else said
    alone = not any(one.speaks and one.asks(alone=True) for one in said)
    said = [*_rejoined(said, night)]
    asking = [one for one in said if one.asks(alone=alone)]
    if asking and before and before.measure and said[0].goes_on:
        asking = [said[0], *(one for one in asking if one is not said[0])]
    further = asking or [one for one in said if one.speaks]
    ahead = said[: said.index(further[0])] if further else []
    short = (one for one in further if len(words(one.text)) <= _BRIEF)
    adds = sum(one.kind.label == "follow" for one in short) == len(further)
    if adds and any(one.leads for one in ahead):
        return whole  # "the biggest hit of us. number, who, which boss": what follows adds to it
    if not asking:
        return _unasked(said, before or State()) or whole
    return tuple(_asked(said, asking)) or whole


def _rejoined(said: Sequence[_Clause], night: Night) -> Iterator[_Clause]:
    """Yield the clauses, merging those that together ask for one thing.

    "Healing on Oda, me or Aria?" states the topic first; a comparison of two includes their
    activity.
    """
    held: _Clause | None = None
    for one in said:
        if held and _tells_apart(held, one):
            continue
        if held:
            both = _clause(f"{held.text.strip()} {one.text}", night)
            mine, other = both.measure.label, {held.measure.label, one.measure.label}
            pair = one.shape == "compare" and len(one.question.players) > 1
            asks = one.speaks or pair
            topic = asks and one.measure.sure < SUREST and both.measure.sure >= SURE
            topic = (topic and mine == held.measure.label) or other <= {*TELLS.get(mine, ())}
            # "And the bombs, who killed them"
            points = bool(held.question.targets) and one.speaks and not one.names
            if ((topic or points) and not held.speaks) or _completes(one, both):
                one = both
            elif _counts(one) and mine == held.measure.label and both.measure.sure >= SUREST:
                one = both  # "was Oda hit hard? how much damage"
            else:
                yield held
        held = one if one.measure.sure >= SURER and not (one.talks or one.excepts) else None
        if not held:
            yield one
    if held:
        yield held


def _counts(one: _Clause) -> bool:
    """Whether a clause only asks how much or how often what the one before it asks about was."""
    brief = len(words(one.text)) <= _BRIEF and not one.names
    return brief and one.shape in ("amount", "count") and one.speaks


def _tells_apart(held: _Clause, one: _Clause) -> bool:
    """Whether a clause asks how far apart the uses are that the one before it asks for.

    "How often did it come, and the median interval between two": an enemy's uses tell it.
    """
    averages = asks_average(fold(one.text)) and one.measure.label not in OF_SUMS and not one.names
    return averages and held.measure.label == "casts"


def _completes(one: _Clause, both: _Clause) -> bool:
    """Whether a clause is too short to ask alone but tells what the one before it is about.

    "Our top dps died right there. to what" is about that death, not about damage.
    """
    short = len(words(one.text)) <= _SHORTEST and not one.names
    return (
        short and both.measure.sure >= SURER and both.measure.label == one.measure.label != "none"
    )


def _unasked(said: Sequence[_Clause], before: State) -> tuple[Asked, ...]:
    """Interpret a message without a clear question; of a follow-up, only its names.

    "How about the mages, one of them never shuts up" is about the mages.
    """
    bare = [one for one in said if one.bare]
    spoken = [one for one in said if one.speaks and one not in bare]
    kept = [one for one in said if not one.talks and (one.speaks or not one.question.me)]
    if spoken:
        kept = [one for one in kept if one in spoken or one.names]
    if before.measure and (spoken or bare):
        # "Why the first then? Nobody died" asks about what it states.
        stated = [] if any(one.known for one in spoken) else [one for one in said if one.known]
        kept = [one for one in said if one in (spoken or bare) or (spoken and one in stated)]
    return (Asked(" ".join(one.text.strip() for one in kept)),) if len(said) > 1 and kept else ()


def _runs(said: Sequence[_Clause], asking: Sequence[_Clause]) -> Iterator[list[_Clause]]:
    """Yield each clause that asks, together with the adjacent ones that narrow it."""
    runs: list[list[_Clause]] = [[]]
    for one in said:
        begun = any(other in asking for run in runs for other in run)
        asked = any(other in asking and other.speaks for run in runs for other in run)
        further = one in asking and any(other in asking for other in runs[-1])
        if further and not _explains(one, runs[-1]):
            runs.append([])
        if one not in asking and _turns(one, runs[-1], asking):
            runs.append([one])  # "who dispelled most of us? and of them, anybody?"
        elif one in asking or (
            not (one.adds and asked) and (one.bare or one.narrows or one.varies)
        ):
            runs[-1].append(one)
        elif one.seeks and begun:
            runs.append([one])
        elif one.seeks and not runs[-1] and (one.question.called.called or one.named_known):
            runs = [[one], []]  # "any rogues with us? who had …"
    yield from filter(None, runs)


def _turns(one: _Clause, run: Sequence[_Clause], asking: Sequence[_Clause]) -> bool:
    """Whether a clause asks what the clauses before it ask, of the other side or other end."""
    sides = {other.side for other in run} - {"", one.side}
    return bool(one.side and sides) or any(_is_turned(o, one) for o in run if o in asking)


def _asked(said: Sequence[_Clause], asking: Sequence[_Clause]) -> Iterator[Asked]:
    """Yield the questions of a message, in order."""
    told = list[_Clause]()
    for run in _runs(said, asking):
        main = next((one for one in run if one in asking), None)
        if main is None and (run[0].side or run[0].lowest):
            yield Asked(run[0].text.strip(), adds=True, same=True)
            continue
        if main is None and told and (run[0].adds or run[0].supposes):
            yield Asked(_text(run), adds=True, same=True, names=run[0].names)
            continue
        if main is None:
            heard = {one.measure.label for one in asking}
            # "And was that too late" asks something else of the same.
            new = (o for o in run if o.names or o.measure.label not in heard or o.shape == VERDICT)
            for one in new:
                unlogged = one.measure.label == "unlogged" and one.measure.sure >= SURER
                unheard = not (one.known and one.begins) or one.shape == VERDICT
                unheard = unheard and not unlogged
                # "And Oda, how many of them" goes on with the question before.
                adds = not (unheard or begins_asking(one.text))
                yield Asked(one.text.strip(), adds=adds, unheard=unheard, names=one.names)
            continue
        last = told[-1] if told else None
        turned = bool(last and _is_turned(last, main))
        same = last and last.measure.label == main.measure.label and not main.names
        same = same and not (main.begins and last and main.shape != last.shape)
        if not same or turned:
            told.append(main)
            yield Asked(_text(run), adds=turned)


def _text(run: Sequence[_Clause]) -> str:
    return " ".join(one.text.strip() for one in run)


def _explains(one: _Clause, run: Sequence[_Clause]) -> bool:
    """Whether it asks why of a death that was just named: "Oda died? what happened"."""
    asks = one.measure.label in ("cause", "overview") and one.shape == "why" and not one.names
    return asks and any(other.measure.label == "deaths" and other.names for other in run)


def _clause(text: str, night: Night) -> _Clause:
    question = read_alone(text, night)
    marked = mark(question, night)
    read = load("ruleplay.agents.raid", "reader.bin").read(marked)
    kind, measure, shape = (read[head][0] for head in ("kind", "measure", "shape"))
    tongue = read["tongue"][0].label
    told = _Clause(text, question, marked, kind, measure, shape.label, shape.sure, tongue)
    if not question.abilities or told.speaks:
        return told
    bare = mark(replace(question, abilities=()), night)
    without = load("ruleplay.agents.raid", "reader.bin").read(bare)["measure"][0]
    return replace(told, rests=without.label != measure.label)


LEAD = 5
"""Maximum length in words of "and what's the gap", which belongs to the question before."""


def _cut(text: str, night: Night) -> Iterator[str]:
    """Split a message into clauses, keeping their punctuation."""
    question = read_alone(text, night)
    reader = load("ruleplay.agents.raid", "reader.bin").by_words()

    def sure(part: str) -> float:
        return reader.read(mark(replace(question, text=part), night))["measure"][0].sure

    parts, known = [""], calling_words()
    for part in clauses(text, load("ruleplay.hearing", "joints.bin"), sure):
        first = next(iter(words(part)), "")
        starts = first in calling_words().joins | calling_words().asks
        leads = calling_words().gap.search(fold(part)) or _of_the_same(part)
        leads = leads or (_excepting(parts[-1]) and len(words(part)) <= _BRIEF)
        rest = part.strip().partition(" ")[2] if starts else part
        leads_on = starts and _lists(_clause(parts[-1], night).marked.split(), rest, night)
        leads_on |= first not in known.joins and _is_begun(parts[-1])
        if leads_on or (parts[-1] and len(words(part)) <= LEAD and leads):
            parts[-1] += part  # "who won and by how much" asks one thing
        elif starts or parts[-1].rstrip()[-1:] in {*".,;:!?"}:
            parts.append(part)
        else:
            parts[-1] += part
    found = list[str]()
    for part in filter(words, parts):
        for half in _halves(part, night) or (part,):
            # What follows "no wait, who cares about the meters," may be two questions itself.
            found += _halves(half, night) or (half,) if half != part else (part,)
    # A clause that is all there is, is understood as a whole.
    yield from (_without_lead(one, night) for one in found) if len(found) > 1 else found


def _without_lead(text: str, night: Night) -> str:
    """Drop a lead that only names a boss: "the noth kill, did we lose anyone?".

    The boss stays named by the whole message; among what is asked it would be heard as a question.
    """
    lead, _, rest = text.partition(",")
    if not words(rest) or len(words(lead)) > LEAD:
        return text
    first, second = _clause(lead, night), _clause(rest.lstrip(), night)
    named = first.question.bosses and not (first.question.players or first.question.abilities)
    idle = not (first.speaks or first.excepts or first.withdraws or first.goes_on)
    asks = second.speaks and second.measure.sure >= SURE and second.measure.label != "none"
    return rest.lstrip() if named and idle and asks else text


def _is_begun(text: str) -> bool:
    """Whether a clause only begins a question: "which bosses" before "did we …"."""
    said = words(text)
    asks = bool({*said[:1]} & calling_words().asks) and len(said) <= _SHORTEST
    return asks and text.rstrip()[-1:].isalnum()


def _excepting(text: str) -> bool:
    """Whether a text ends while it says what is left out: "… not counting heals n"."""
    found = calling_words().except_.search(fold(text))
    return (
        found is not None
        and len(words(found[1])) <= _BRIEF
        and text.rstrip()[-1:] not in {*".;:!?"}
    )


def _of_the_same(text: str) -> bool:
    """Whether a clause asks further of what was just said: "and by whom each time"."""
    said = [word for word in words(text) if word not in calling_words().joins]
    asks = calling_words().asks | {"whom"}
    return said[:1] != said[:2] and {*said[:1]} <= _OF and {*said[1:2]} <= asks


_OF = frozenset(("by", "from", "to", "of", "par", "de", "von", "durch", "an"))


def _halves(text: str, night: Night) -> tuple[str, ...]:
    """Split a clause into halves that each ask, or of which the second replaces the first."""
    surest, found, said = 0.0, tuple[str, ...](), text.split()
    for at in range(_SHORTEST, len(said) - _SHORTEST + 1):
        joins = fold(said[at]) in calling_words().joins or said[at] == "&"
        # In "le plus de" the word joins nothing; in "did I die n did I" the article is none.
        most = fold(said[at]) == "plus" and fold(said[at - 1]) in calling_words().the
        if most or not (joins or said[at - 1][-1] in ",;"):
            continue
        left, right = " ".join(said[:at]), " ".join(said[at + joins :])
        first, second = _clause(left, night), _clause(right, night)
        turned = _is_turned(first, second) or first.withdraws
        sure = second.measure.sure if turned else min(first.measure.sure, second.measure.sure)
        parts = first.withdraws or (joins and _both_ask(first, second))
        # "Qui est premier en dégâts, à mon époque fallait manger la spore."
        parts = parts or (not joins and first.asks(alone=False) and not second.speaks)
        if sure > surest and parts and not _is_list(first, right, night):
            surest, found = sure, (left, right)
    return found


def _is_list(first: _Clause, right: str, night: Night) -> bool:
    """Whether a cut separates names of one list: "of Aria | and of Oda", "hymn | and tranq".

    "How often did Aria | and Oda cast …" is one question as well.
    """
    free = calling_words().filler | calling_words().the
    asked = [one for one in first.marked.split() if one not in free]
    names = sum(one.startswith("<") for one in asked)
    if names == len(asked) or (first.shape == "compare" and names < _NEAR):
        return True  # "Aria or Oda, which …", "compare Aria and …" name what it is about
    return _lists(asked, right, night)


def _lists(asked: Sequence[str], right: str, night: Night) -> bool:
    """Whether a text goes on with another name of the kind that these words end with."""
    free = calling_words().filler | calling_words().the
    begun = mark(read_alone(re.split(r"[,;:.?!]", right)[0], night), night).split()
    goes_on = [one for one in begun if one not in free][:1] == [*asked[-1:]]
    return goes_on and bool(asked) and asked[-1].startswith("<")


def _both_ask(first: _Clause, second: _Clause) -> bool:
    """Whether two halves ask for two things; "and how many" refers to what was just named."""
    if fold(second.text).strip(" ?!.,") in calling_words().amounts or first.talks or second.talks:
        return False
    other = second.known and second.measure.label != first.measure.label
    other = other and second.shape != VERDICT
    return first.known and (other or _is_turned(first, second))


def _is_turned(first: _Clause, second: _Clause) -> bool:
    """Whether the second half asks for the opposite extreme: "and which the least"."""
    most = first.shape == "most" or calling_words().highest.search(fold(first.text))
    return bool(most) and second.lowest and not first.lowest and second.begins


def with_shared(question: Question, whole: Question, before: State) -> Question:
    """Apply the people and things named in the rest of the message to one of its questions."""
    own, other = question.subject, whole.subject
    one = question.of_one and not (question.players or before.players) and len(whole.players) == 1
    people = whole.players if one else question.players
    question = replace(question, myself=question.myself or whole.myself, players=people)
    named = own.bosses or own.fights or own.missing or own.day or own.difficulty or question.fights
    if named or question.whole_night or len(whole.bosses) > 1:
        return question
    kind = question.kind or whole.kind
    return replace(question, subject=other, bosses=whole.bosses, fights=whole.fights, kind=kind)
