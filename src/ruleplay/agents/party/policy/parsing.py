"""The table's parser: understand a player's message without a language model.

It is the fallback of the role `party.read` and all there is with model `rules`. A classifier says
what each part of a message does, names of the scene say to whom. If everything that may use
something up is clear, the message is done; otherwise the player is asked how it is meant. What may
be secret is never made public.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from textwrap import shorten

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import can, choices, distinct
from ruleplay.agents.party.domain.labels import wish
from ruleplay.agents.party.domain.scope import scope_of
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import people, roster
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.answering import wares
from ruleplay.agents.party.policy.deeds import accounts, tried
from ruleplay.agents.party.policy.doubts import doubtful
from ruleplay.agents.party.policy.ears import (
    CALLED,
    HARDLY,
    LIKELY,
    MASTER,
    SKILLS,
    TOLD,
    TONED,
    Ear,
    Meant,
)
from ruleplay.agents.party.policy.meaning import (
    announced,
    clear,
    counted,
    looked_up,
    matters,
    meaning,
    narrated,
    told,
)
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.agents.party.policy.replies import standing
from ruleplay.agents.party.policy.variety import lines_of
from ruleplay.agents.party.policy.ways import only, ways
from ruleplay.hearing.classifier import Guess
from ruleplay.story.acts import ASKED_AT_MOST, EVERYBODY, Act, Reading, problems
from ruleplay.story.hearing import (
    BARE,
    BRIEF,
    CLAUSES,
    JOINTS,
    KEYS,
    MANY,
    SAID,
    SENTENCES,
    SUBJECTS,
    Part,
    clauses_of,
    heard,
    part_of,
)
from ruleplay.story.mentions import Named, Scope, conditional, left_out, mentioned, negated
from ruleplay.story.texts import Lang, words_of
from ruleplay.story.texts import table as table_of
from ruleplay.story.undone import quoted
from ruleplay.story.wording import Phrase, find

QUOTED = re.compile(r"«([^«»]*)»|“([^“”]*)”|\"([^\"]*)\"|(?:(?<=\s)|^)'([^']{4,}?)'(?=\W|$)")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
"""Text in brackets, which is a remark to the game master or about the manner."""
ACTS_AT_MOST, LONGEST, CHOICES, LABEL = 5, 1_200, 4, 120
QUOTED_AT_MOST = 160
"""Most characters of a message that a question quotes."""
TO_DM = re.compile(r"\A\s*(?:@(?:dm|gm|mj|md)\b|(?:dm|gm|mj|md)\s*:)", re.IGNORECASE)
"""Beginning of a message for the game master alone."""
OWN: dict[Lang, str] = {"en": SUBJECTS[0], "fr": SUBJECTS[2]}
"""The subject in whose place somebody may put their own name."""
WORDS = ("say", "flourish")
"""Speech and gestures."""
UNSEEN = ("pick", "rule", "use", "give", "take", "check")
"""Deeds that can be done in secret."""
STOPS = re.compile(r"[,.;:!?]")
"""Punctuation that ends the first words of a message."""
YES, AGAIN = ("yes", "oui"), (("again",), ("same", "again"), ("encore",), ("pareil",))
ASK = texts("asking")
TAKING_UP = tuple(words_of(way) for one in texts("taking_up").values() for way in one.both)
"""Phrases that accept what was proposed before, whatever it was."""


def understand(
    message: str, table: Table, book: Book, seat: str, own: Sequence[str] = ()
) -> Reading:
    """Return what a message of a seat means; `own` are the seat's previous messages."""
    if words_of(message) in AGAIN:
        return asking(table, book, seat)
    message = _proposed(message, table, book, seat, own) or message
    found = _read(message, table, book, seat)
    if problems(found.heard, roster(table, book, seat)):
        return asking(table, book, seat)
    return found


def again(message: str, said: Sequence[str]) -> str:
    """Resolve "again" to the last other message of `said`; any other message is returned as is."""
    if words_of(message) not in AGAIN:
        return message
    return next((one for one in reversed(said) if words_of(one) not in AGAIN), message)


def _proposed(message: str, table: Table, book: Book, seat: str, own: Sequence[str]) -> str:
    """Return the proposal that a message accepts, of a companion or in the player's last question.

    In "what if Brenna helps me climb" the proposal is the deed. Empty if nothing is accepted.
    """
    scope = scope_of(table, book, seat)
    first = (words_of(one) for one in STOPS.split(message)[:2])
    takes = [one for one in first if any(find(one, way) is not None for way in TAKING_UP)]
    part = part_of(" ".join(takes[0]) if takes else "", scope)
    if not takes or len(part.words) > BRIEF + 2 or part.being or part.item or part.place:
        return ""
    last = next((one.value for one in reversed(lines_of(table)) if one.kind == "said"), "")
    wished = {
        wish(one.venture, book.story).of(table.lang): one.label.of(table.lang)
        for one in choices(table, book, seat) if one.venture
    }  # fmt: skip
    if found := next((label for said, label in wished.items() if said in last), ""):
        return found
    before, _, deed = (own[-1] if own else "").partition(" if " if table.lang == "en" else " si ")
    helper = mentioned(words_of(deed)[:1], scope.beings)
    return (deed.partition(" ")[2] if helper else deed).rstrip(" ?!.") if before else ""


def asking(
    table: Table, book: Book, seat: str, first: Sequence[str] = (), question: str = ""
) -> Reading:
    """Build a question what the seat does, with up to four choices; `first` are the likeliest."""
    asked_before = table.tale.question(seat)
    labels = [one.label.of(table.lang) for one in distinct(choices(table, book, seat))]
    if asked_before and {*labels[:CHOICES]} & {*asked_before.choices}:
        labels = []  # the same list a second time would not help
    likely = first if len(first) > 1 else (*first, *labels)
    offered = tuple(dict.fromkeys(one[:LABEL] for one in likely))[:CHOICES]
    if len(offered) < 2:
        offered = tuple(dict.fromkeys((*offered, "/help", "/recap")))[:CHOICES]
    asked = question or ASK["what"].of(table.lang).format(seat=table.name(seat))
    return Reading(question=asked[:ASKED_AT_MOST], choices=offered)


def _read(message: str, table: Table, book: Book, seat: str) -> Reading:
    settled = _confirmed(message, table, book, seat) or _answered(message, table, book, seat)
    if settled:
        return settled
    bare, asides = BRACKETS.sub(" ", message).strip(), " ".join(BRACKETS.findall(message))
    if seat != DM and (for_dm := mentioned(words_of(asides), (MASTER,)) or TO_DM.match(message)):
        text = bare if bare and not isinstance(for_dm, re.Match) else message.strip()
        return _unseen(text, table, book, seat)
    if asides and bare and seat != DM and _hushed(asides, table, book, seat):
        return _unseen(bare, table, book, seat)
    if asides and not bare and "?" not in asides and seat != DM:
        return only(Act(do="whisper", to=DM, text=message.strip()[:TOLD]))  # out of character
    message = bare or message
    if seat == DM and not table.cast.fight:
        return _led(message, table, book)
    ears = [*_ears(message, table, book, seat)]
    found = meanings(ears)
    if any(act.do == "whisper" and act.to == DM for one in found for act in one.acts):
        return _unseen(message, table, book, seat)
    # First everything has to be clear, by clauses, then by whole sentences. After that unclear
    # parts may be reduced to harmless ones.
    whole = [*_ears(message, table, book, seat, apart=False)]
    if ruled := _ruled(message, ears, found):
        return ruled
    uncut = meanings(whole)
    said = (
        _decided(found, ears, strict=True)
        or (not _around_words(ears, found) and _decided(uncut, whole, strict=True))
        or _decided(found, ears, strict=False)
    )
    if said and (open_ := doubtful(ears, found)) and doubtful(whole, uncut):
        return _heard_in_part(message, ears, found, open_)
    return said or _asked_back(message, ears, found)


def _hushed(remark: str, table: Table, book: Book, seat: str) -> bool:
    """Whether a remark in brackets, which is for the game master, says that the rest is, too."""
    part = heard(part_of(remark, scope_of(table, book, seat)))
    return part.act == "whisper" and part.sure >= LIKELY and part.being is None


def _heard_in_part(
    message: str, ears: Sequence[Ear], found: Sequence[Meant], open_: Sequence[int]
) -> Reading:
    """Do what was surely heard of a message, and ask how the rest is meant.

    What costs something waits for the answer if it comes later, or beside an open question.
    """
    asks = any(_wondered(found[at]) for at in open_)
    rest = [
        at for at, one in enumerate(found)
        if at in open_ or (one.costly and (asks or at > open_[0]))
    ]  # fmt: skip
    found = [
        one.model_copy(update={"sure": 0.0} if at in open_ else {}) for at, one in enumerate(found)
    ]
    sure = [at for at in range(len(found)) if at not in rest and found[at].acts]
    done = _decided([found[at] for at in sure], [ears[at] for at in sure], strict=False)
    if not sure or not done or not done.acts:
        return _asked_back(message, ears, found)
    text = " ".join(found[at].said for at in rest)
    back = _asked_back(text, [ears[at] for at in rest], [found[at] for at in rest])
    return back.model_copy(update={"acts": done.acts, "quote": text[:TOLD]})


def _ruled(message: str, ears: Sequence[Ear], found: Sequence[Meant]) -> Reading | None:
    """Interpret a message as one question about the rules if as a whole it is, and does nothing.

    So no half of a question is lost or taken for a deed. Words to companions are for them.
    """
    whole = heard(part_of(message, ears[0].scope))
    deeds = any(clear(one) and one.costly for one in found)
    speech = any(ear.quoted or (ear.companion and ear.calls) for ear in ears)
    topics = {act.to for one in found for act in one.acts if act.do == "ask"}
    ruled = whole.act == "rules" and whole.sure >= TONED
    if not ruled or not {"rules"} <= topics <= {"rules", "memory"} or deeds or speech:
        return None
    return only(Act(do="ask", to="rules", text=message.strip()[:TOLD]))


def _around_words(ears: Sequence[Ear], found: Sequence[Meant]) -> bool:
    """Whether something is done beside quoted words, which uncut would be all that is heard."""
    return any(ear.quoted for ear in ears) and any(one.costly for one in found)


def _wondered(one: Meant) -> bool:
    """Whether a part is a question, and not one about what may come after a deed."""
    return "?" in one.said and not conditional(words_of(one.said))


def meanings(ears: Sequence[Ear]) -> list[Meant]:
    """Interpret the parts in order; whoever is spoken to stays the partner for later parts."""
    found, partner, of = list[Meant](), "", ""
    for ear, after in zip_longest(ears, ears[1:]):
        of = _spoken_of(ear, after, of, partner or ear.lately)
        to = Act(do="say", to=partner or ear.lately, text=ear.part.text[:TOLD])
        about = Meant(sure=1.0, acts=(to,), said=to.text, called=True)
        one = about if of else meaning(ear.model_copy(update={"partner": partner}))
        if after and after.quoted and not ear.quoted:  # "he bellows:" is not said aloud
            one = narrated(one, ear.who)
        spoken = [act.to for act in one.acts if act.do == "say" and clear(one)]
        partner = next(iter(spoken), partner) if not ear.quoted else ""
        found.append(one)
    deeds = any(clear(one) and one.costly for one in found)
    poses = any(act.do == "flourish" for one in found if clear(one) for act in one.acts)
    found = _kept_from(ears, found)
    # A negation beside a deed restricts that deed, and is no act of its own; one beside a whisper
    # says who is not to know.
    few = [any(act.do == "whisper" for act in one.acts) for one in found]
    bounds = (
        negated(words_of(one.said)[:CALLED])
        and ((deeds and not one.called) or (any(few) and not whispers))
        for one, whispers in zip(found, few, strict=True)
    )
    found = [Meant(sure=1.0) if bound else one for one, bound in zip(found, bounds, strict=True)]
    return [_with_gesture(one) if poses else one for one in found]


def _with_gesture(one: Meant) -> Meant:
    """Tell a negated fragment beside a gesture as part of it: "no noise" is not said aloud."""
    first = words_of(one.said)[:1]
    if not first or not negated(first) or one.called:
        return one
    return narrated(one, "")


def _kept_from(ears: Sequence[Ear], found: Sequence[Meant]) -> list[Meant]:
    """Turn an account of words to a companion into a whisper where another is left out by name."""
    told_to = list[Meant]()
    mates = [[one for one in ear.scope.beings if one.id in ear.table.characters] for ear in ears]
    pairs = [(ear, one) for ear, near in zip(ears, mates, strict=True) for one in near]
    left = {one.id for ear, one in pairs if left_out(ear.part.words, one)}
    for ear, near, one in zip(ears, mates, found, strict=True):
        words = ear.part.words
        own = next((at for at, word in enumerate(words) if word in SUBJECTS), len(words))
        after = [mate.id for mate in near if mentioned(words[own:], (mate,))]
        to = [mate for mate in after if mate not in left]
        speech = all(act.do in WORDS for act in one.acts)
        acts = [Act(do="whisper", to=mate, text=one.said[:TOLD]) for mate in to]
        few = Meant(sure=1.0, acts=tuple(acts), said=one.said)
        told_to.append(few if left and to and speech else one)
    return told_to


def _spoken_of(ear: Ear, after: Ear | None, before: str, partner: str) -> str:
    """Return who is spoken of, not to: who is named by a question, and then called "he"."""
    him = table_of("thirds", ear.table.lang)
    if before and ear.part.words[:1] and ear.part.words[0] in him and ear.who in ("", before):
        return before
    asks = "?" in ear.part.text and len(ear.part.words) <= BRIEF and partner not in ("", ear.who)
    goes_on = after is not None and after.part.words and after.part.words[0] in him
    return ear.who if asks and goes_on and after and after.who in ("", ear.who) else ""


def _unseen(message: str, table: Table, book: Book, seat: str) -> Reading:
    """Interpret a message that is for the game master alone, including every word of it.

    If it is a clear deed that deed is done in secret; otherwise it is a letter.
    """
    scope, text = scope_of(table, book, seat), TO_DM.sub("", message)
    said = [one for sentence in SENTENCES.split(text) for one in CLAUSES.split(sentence)]
    rest = [one for one in said if words_of(one) and not _hushes(one, scope)]
    ears = [*_ears(", ".join(rest), table, book, seat)] if rest else []
    # Whether one may try something is a way to try it; any other question is for an answer.
    if "?" in text and not all({*ear.part.words[:CALLED]} & {*SUBJECTS} for ear in ears):
        ears = []
    looks = [(ear, meaning(ear)) for ear in ears]
    if which := next((one for _, one in looks if one.which and one.choices), None):
        alone = ASK["to_dm"].of(table.lang)
        whom = [alone.format(one) for one in which.choices]
        return asking(table, book, seat, whom, ASK["which"].of(table.lang))
    looks = [_in_secret(*one) for one in looks]
    found = [_searched(ear) if _looks(one) else one for ear, one in looks if one.acts]
    acts = [act for one in found if clear(one) for act in one.acts if act.do in UNSEEN]
    if not acts or len(acts) < len(found):
        return only(Act(do="whisper", to=DM, text=message.strip()[:TOLD]))
    return Reading(acts=tuple(one.model_copy(update={"secret": True}) for one in acts))


def _in_secret(ear: Ear, one: Meant) -> tuple[Ear, Meant]:
    """Hear a topic as what is tried beside it: nobody talks with a person unseen by them."""
    if not any(act.item.startswith("talk:") for act in one.acts):
        return ear, one
    act = max(SKILLS, key=ear.part.chance)
    other = tried(ear.model_copy(update={"part": ear.part.instead(act, sure=ear.part.sure)}))
    return ear, other if ear.part.chance(act) >= LIKELY else Meant(sure=0.0, acts=one.plain)


def _looks(one: Meant) -> bool:
    """Whether a part looks around; in secret that takes a roll."""
    return any(act.item == "search" or (act.do, act.to) == ("ask", "scene") for act in one.acts)


def _searched(ear: Ear) -> Meant:
    """Look around by a roll, in whatever words it is asked for: "can I see it?"."""
    part = ear.part.instead("search", sure=ear.part.sure)
    return tried(ear.model_copy(update={"part": part})).model_copy(update={"slight": True})


def _hushes(text: str, scope: Scope) -> bool:
    """Whether words only say for whom the rest of the message is."""
    part = heard(part_of(text, scope))
    return part.act == "whisper" or mentioned(part.words, (MASTER,)) is not None


def _confirmed(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    """Interpret a "yes" by the pending question: as its confirmation, or as its first choice."""
    asked = table.tale.question(seat)
    if asked is None or words_of(message)[:1] not in {(one,) for one in YES}:
        return None
    if asked.choices[:1] != ("yes",):
        return _read(asked.choices[0], table, book, seat) if asked.choices else None
    if asked.question == "leave_seat":
        return only(Act(do="meta", meta="leave_seat"))
    here = [*people(table, book)]
    named = mentioned(words_of(asked.message), scope_of(table, book, seat).beings)
    person = named.id if named and named.id in here else next(iter(here), "")
    if asked.question != "assault" or not person:
        return None
    return only(Act(do="rule", item="attack", to=person, text=asked.message[:TOLD]))


def _led(message: str, table: Table, book: Book) -> Reading:
    """Interpret a human game master's message: an option by name, else narration."""
    words = words_of(message)
    named = (
        Named(id=one.id, phrases=tuple(words_of(said) for said in one.label.both))
        for one in choices(table, book, DM)
    )
    found = mentioned(words, tuple(named))
    if found and found.id == "wait":
        return only(Act(do="wait"))
    if found or not table.expedition.begun:
        return only(Act(do="pick", item=found.id if found else "begin"))
    return only(Act(do="say", text=message.strip()[:TOLD]))


def _ears(
    message: str, table: Table, book: Book, seat: str, *, apart: bool = True
) -> Iterator[Ear]:
    """Yield the parts of a message; with `apart` sentences are cut into clauses.

    A part without a name takes over the person of the part before it if it continues that.
    """
    scope, plain = scope_of(table, book, seat), KEYS.sub(r"\1\2", message)
    left = [one for found in QUOTED.findall(plain) if (one := "".join(found).strip())]
    offered = can(table, book, seat)
    outside = QUOTED.sub(" <said> ", plain[:LONGEST])
    before: Part | None = None
    volleys = {key for key, one in book.rules.spells.items() if one.rays > 1}
    name = words_of(table.name(seat))[:1]
    for part in _parts(outside, scope, volleys, (table, book), name, apart=apart):
        quoted = tuple(left.pop(0) for _ in range(part.text.count(SAID)) if left)
        spoken = before.being.id if before and before.being and before.act == "speak" else ""
        mates = (one for one in scope.beings if one.id in table.characters)
        if before and sum(mentioned(before.words, (one,)) is not None for one in mates) > 1:
            spoken = ""  # a plan that names several is for all of them
        goes_on = spoken and (part.act == "speak" or "?" in part.text)
        if before and not part.being and (goes_on or _means_again(part, before, table)):
            part = part.model_copy(update={"being": before.being})
        elif part.being and left_out(part.words, part.being):
            others = [one for one in scope.beings if not left_out(part.words, one)]
            part = part.model_copy(update={"being": mentioned(part.words, others)})
        yield Ear(
            part=part, quoted=quoted, scope=scope, table=table, book=book, seat=seat,
            offered=offered, spoken=spoken if part.being == (before and before.being) else "",
        )  # fmt: skip
        before = part


def _means_again(part: Part, before: Part, table: Table) -> bool:
    """Whether a pronoun refers to the being named before: "je la soigne"."""
    friend = before.being is not None and before.being.id in table.characters
    known = table_of("pronouns", table.lang)
    # French "le" and "la" are pronouns after a subject, otherwise articles.
    meant = any(
        word in known and (table.lang == "en" or previous in SUBJECTS)
        for previous, word in pairwise(part.words)
    )
    fits = part.act == "speak" or friend == (part.act != "attack")
    return meant and not (part.item or part.place) and fits


def _parts(
    outside: str,
    scope: Scope,
    volleys: set[str],
    at: tuple[Table, Book],
    name: Phrase,
    *,
    apart: bool,
) -> Iterator[Part]:
    """Yield the parts of a message; a sentence about oneself by `name` is heard as "I"."""
    for said in filter(words_of, SENTENCES.split(outside)):
        first, _, rest = said.strip().partition(" ")
        own = bool(rest) and words_of(first) == name and first[-1:].isalpha()
        subject = OWN[at[0].lang]
        sentence = f"{subject} {rest}" if own else said
        for part in _parts_of(sentence, scope, volleys, at, apart=apart):
            begins = own and part.text.startswith(f"{subject} ")
            text = f"{first}{part.text.removeprefix(subject)}" if begins else part.text
            yield _narrated(part, sentence, scope).model_copy(update={"text": text})


def _narrated(part: Part, sentence: str, scope: Scope) -> Part:
    """Hear whether a clause without a subject is an account of one's own: "and asks Jory …"."""
    own = words_of(sentence)[:1]
    if not {*own} & {*SUBJECTS} or {*part.words[:1]} & {*SUBJECTS} or "?" in part.text:
        return part
    voice = heard(part_of(f"{own[0]} {part.text}", scope)).heard["voice"]
    within = part.being and mentioned(part.words[1:-1], (part.being,))
    if within and any(one.label == "told" and one.sure >= HARDLY for one in voice):
        voice = (Guess("told", 1.0),)
    return part.model_copy(update={"heard": {**part.heard, "voice": voice}})


def _parts_of(
    sentence: str, scope: Scope, volleys: set[str], at: tuple[Table, Book], *, apart: bool
) -> Iterator[Part]:
    # Sentences that may be secret are not cut, lest a piece of them becomes public; neither
    # are speeches.
    whole = heard(part_of(sentence, scope))
    speech = whole.act in ("speak", "whisper") and whole.sure >= MANY and SAID not in sentence
    speech = speech and not accounts(whole)  # reported speech may be followed by deeds
    few = mentioned(whole.words, (MASTER,)) or whole.act == "whisper"
    shared = whole.item and whole.item.id in volleys and scope.mode == "combat"
    shared = shared and any(counted(whole.words, lang) for lang in ("en", "fr"))
    yield from (
        (whole,)
        if few
        or speech
        or shared
        or conditional(whole.words)
        or ("?" in sentence and len(wares(whole.words, *at)) > 1)
        or not apart
        or announced(sentence, scope)
        else clauses_of(sentence, scope)
    )


def _acts(found: Iterable[Meant]) -> tuple[Act, ...]:
    """Collect the acts of parts; speech to the same addressee in several of them is joined."""
    acts: list[Act] = []
    for act in dict.fromkeys(act for one in found for act in one.acts):
        before = acts[-1].text if acts else ""
        comma = "" if STOPS.match(before[-1:]) else ","
        more = f"{before}{comma} {act.text}"[:TOLD]
        if acts and _asks_on(act, acts[-1]):
            continue
        if acts and _goes_on(act, acts[-1]):
            acts[-1] = acts[-1].model_copy(update={"text": more})
        else:
            acts.append(act)
    return tuple(acts[:ACTS_AT_MOST])


def _asks_on(act: Act, last: Act) -> bool:
    more = act.to == "memory" or (act.to == "help" and not last.text)
    return act.do == last.do == "ask" and more


def _goes_on(act: Act, last: Act) -> bool:
    """Whether an act continues the one before: speech to the same addressee, or the same check."""
    if act.do == last.do == "check":  # one sentence is one check
        return act.to in ("", last.to) and not STOPS.match(last.text[-1:])
    return act.do in ("say", "flourish") and last.model_copy(update={"text": act.text}) == act


def _decided(found: Sequence[Meant], ears: Sequence[Ear], *, strict: bool) -> Reading | None:
    """Return the acts of a message, None if an unclear part may use something up.

    With `strict` every part has to be clear.
    """
    open_ = [one for one in found if not clear(one)]
    asks = [one for one in found if one not in open_ and _asks(one)]
    if asks:
        return Reading(acts=_with_answers(ears, found, asks))
    to = _proposed_to(found, ears)
    if to and (to != EVERYBODY or not any(map(matters, open_))):
        every = (Act(do="say", to=to, text=one.said[:TOLD]) for one in found)
        return Reading(acts=_acts(Meant(sure=1.0, acts=(act,)) for act in every))
    plain = [act for one in found if clear(one) for act in one.acts]
    meta = any(act.do == "meta" for act in plain)
    done = {act.item for act in plain} - {""}  # an unclear part may say more about a clear act
    unlike = [one for one in open_ if not done & {act.item for act in one.acts}]
    heard_none = not any(ear.part.sure for ear in ears)  # gibberish is not told as speech
    if heard_none or (open_ and (strict or meta)) or any(map(matters, unlike)):
        return None
    if any(map(_told_of_oneself, ears, found)):
        return None
    # Words that only open a speech become part of it; alone they are spoken.
    speaks = any(act.do == "say" for one in found for act in one.acts)
    silent = not any(one.acts for one in found)
    opens = [
        one for one in found
        if not one.acts and (silent or (speaks and any(act.do == "say" for act in one.plain)))
    ]  # fmt: skip
    acts = _acts(told(one) if one in (*open_, *opens) else one for one in found)
    return Reading(acts=acts) if acts else None


def _told_of_oneself(ear: Ear, one: Meant) -> bool:
    """Whether a part would be said aloud that names one's own character: nobody speaks so."""
    name = words_of(ear.table.name(ear.seat))[:1]
    if find(ear.part.words[1:], name) is None or ear.quoted:
        return False
    plain = all(act.do in WORDS for act in one.acts) and conditional(ear.part.words)
    return plain or (not clear(one) and any(act.do == "say" for act in told(one).acts))


def _asks(one: Meant) -> bool:
    return any(act.do == "ask" for act in one.acts)


def _with_answers(
    ears: Sequence[Ear], found: Sequence[Meant], asks: Sequence[Meant]
) -> tuple[Act, ...]:
    """Return the acts of a message that asks the game something.

    A deed waits for the answer if the question is about rules or help, unless it asks of what may
    come after ("if it dies …"). Other parts are kept if they address somebody, are no mere speech
    or gesture, ask for more, or are in the first person.
    """
    waits = any(
        act.to in ("rules", "help") and not conditional(words_of(one.said))
        for one in asks
        for act in one.acts
    )
    kept = list[Meant]()
    for ear, one in zip(ears, found, strict=True):
        own = {*words_of(JOINTS.sub(" ", f" {one.said}"))[:1]} & {*SUBJECTS}
        bare = len(ear.part.words) <= BARE and not (own or ear.who or ear.thing)
        if one not in asks and not own and _wonders(ear.part) and (one.costly or not clear(one)):
            one = looked_up(ear.part, sure=1.0)
        elif bare and one.costly:
            continue  # a bare noun beside a question is no deed
        blow = any(act.do == "rule" and act.item == "attack" for act in one.acts)
        if blow and not waits and not ear.fighting:  # no fight is started beside a question
            kept.append(Meant(sure=1.0, acts=one.plain))
        elif clear(one) and one.costly and waits:
            held = Act(do="flourish", when="trigger", text=one.said[:TOLD])
            kept.append(Meant(sure=1.0, acts=(held,)))
        elif clear(one) and (
            _gesture(one, own) or one.called or any(act.do not in WORDS for act in one.acts)
        ):
            kept.append(one)
        elif not clear(one) and (_asks(told(one)) or own):
            kept.append(told(one))
    return _acts(kept)


def _gesture(one: Meant, own: Collection[str]) -> bool:
    """Whether a part tells what the player does themselves, beside nobody."""
    return bool(own) and all(act.do == "flourish" and not act.to for act in one.acts)


def _wonders(part: Part) -> bool:
    """Whether a part is more of a question than of speech, without its mark."""
    want, free = part.heard["want"][0], part.heard["free"][0]
    return want.label == "know" and want.sure >= MANY and free.label == "deed"


def _proposed_to(found: Sequence[Meant], ears: Sequence[Ear]) -> str:
    """Return to whom a plan is proposed: deeds told to companions, with a question at the end.

    Where words are quoted, what stands around them is done and not said.
    """
    if not found or any(ear.quoted for ear in ears):
        return ""
    told_to = [act.to for one in found for act in one.acts if act.do == "say"]
    mates = [to for to in told_to if to in (EVERYBODY, *ears[0].table.characters)]
    last = found[-1]
    asked = "?" in last.said and any(act.do == "say" for act in last.acts)
    deeds = any(one.costly for one in found)
    if not (deeds and asked and mates) or len(mates) < len(told_to) or ears[0].fighting:
        return ""
    return mates[0] if len({*mates}) == 1 else EVERYBODY


def _asked_back(message: str, ears: Sequence[Ear], found: Sequence[Meant]) -> Reading:
    """Build the question how a message is meant, with possible meanings, the likeliest first."""
    table, book, seat = ears[0].table, ears[0].book, ears[0].seat
    which = next((one for one in found if one.which and one.sure >= LIKELY), None)
    if which and len(found) == 1:
        return asking(table, book, seat, which.choices, ASK["which"].of(table.lang))
    said = quoted((shorten(message, QUOTED_AT_MOST, placeholder=" …"),), table.lang)
    question = ASK["how"].of(table.lang).format(said, seat=table.name(seat))
    cases = [
        one.id for ear in ears if conditional(ear.part.words) for one in ear.scope.beings
        if one.id in table.characters and mentioned(ear.part.words, (one,))
    ]  # fmt: skip
    question = " ".join((question, *(one[2:] for one in standing(table, seat, cases))))
    return asking(table, book, seat, [*ways(message, ears, found)], question)


def _answered(message: str, table: Table, book: Book, seat: str) -> Reading | None:
    """Interpret a choice of the pending question: as that meaning of the message it was about."""
    asked = table.tale.question(seat)
    label = _chosen(message, asked.choices, table.lang) if asked else ""
    if asked is None or not label:
        return None
    ears = [*_ears(asked.message, table, book, seat)]
    meant = ways(asked.message, ears, meanings(ears)) if ears else {}
    found = next((one for way, one in meant.items() if way[:LABEL] == label), None)
    if found and found.acts:
        return found
    return _read(label, table, book, seat) if label != message.strip() else None


def _chosen(message: str, choices: Sequence[str], lang: Lang) -> str:
    """Return the choice that a message names by its words or its number; empty for none."""
    said = words_of(message)
    numbers = counted(said, lang) if len(said) == 1 else {}
    at = next(iter(numbers.values()), 0)
    by_number = choices[at - 1] if 0 < at <= len(choices) else ""
    return next((one for one in choices if words_of(one) == said), by_number)
