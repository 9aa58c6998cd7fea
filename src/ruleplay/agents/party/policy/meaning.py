"""Interpret a part of a message: speech, a question, a spell, something prepared, or a deed.

`_heard` asks one interpretation after another, the most specific first; the order matters.
`clear`, `matters` and `told` then decide what becomes of a part that is not certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ruleplay.agents.party.domain.choices import Choice
from ruleplay.agents.party.domain.scope import SOLD
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import mover, people
from ruleplay.agents.party.policy.answering import curious, said_before, taken_up, wares
from ruleplay.agents.party.policy.deeds import at, begun, by_mode, readied, rule, say
from ruleplay.agents.party.policy.ears import (
    ASKED,
    ASKING,
    CALLED,
    CLEAR,
    HARDLY,
    HEARD,
    HUSHED,
    LIKELY,
    MASTER,
    RISKY,
    SHORT,
    STRUCK,
    TOLD,
    TONED,
    Ear,
    Meant,
)
from ruleplay.agents.party.policy.handbook import Called, entries, phrase_of
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.story.acts import EVERYBODY, Act, Meta
from ruleplay.story.hearing import (
    BARE,
    BRIEF,
    CLAUSES,
    LEADING,
    MANY,
    PERHAPS,
    SAID,
    SUBJECTS,
    SURE,
    Part,
    heard,
    part_of,
)
from ruleplay.story.hearing import ear as reader
from ruleplay.story.mentions import (
    Scope,
    conditional,
    deed_in,
    left_out,
    mentioned,
    negated,
    topic_in,
)
from ruleplay.story.texts import Lang, numbered, words_of
from ruleplay.story.undone import quoted
from ruleplay.story.wording import Phrase, akin, find, same

CALLS = re.compile(r"(?:^|[,:;.!?] )([A-ZÀ-Þ]\w{3,}),")
"""A capitalised name with a comma, as in an address: "Brenna, wait"."""
WORD, OFFERS = 4, 3
"""Fewest letters of a word that can match a label; most offers suggested for a part."""
DEAR = 100
"""Price in copper pieces from which a purchase has to be clear."""
METAS: dict[str, Meta] = {
    "undo": "undo",
    "pause": "pause",
    "stop_scene": "stop_scene",
    "retell": "retell",
    "skip": "fast_forward",
    "quit": "leave_seat",
    "settings": "settings",
}
HANDS = ("use", "drink", "take", "stunt", "search", "trick", "help", "heal", "manoeuvre", "equip")
"""Manual acts: done to something of the scene they mean the deed that the adventure prepared."""
WORDY = ("speak", "whisper", *ASKED)
"""Acts of speech, which a negation does not cancel."""
TRIED = ("insight", "search")
"""Acts that can be attempted by a question: "can I see anything?"."""
ASIDES = ("attack", "go", "flee", "rest", "wait", "buy", "sell", "train", "sneak", "drink")
"""Acts that stay what they are even if a topic of conversation is mentioned."""
KINDS = {
    "cast": ("spell", "heal", "use"),
    "use": ("drink", "use", "heal", "give"),
    "stabilise": ("heal", "help"),
    "attack": ("attack", "aim", "spell"),
    "go": ("go", "flee"),
}
"""Acts that each kind of offer serves; it is not suggested unless one of them is possible."""
SPARING = tuple(tuple(way.split()) for one in texts("sparing").values() for way in one.both)
"""Phrases by which a blow is to leave its target alive."""
TONGUES = {"en": ("english", "anglais"), "fr": ("french", "francais")}


def meaning(ear: Ear) -> Meant:
    """Return what a part of a message means, with what is needed to decide whether it is clear."""
    found = _heard(ear)
    part = ear.part
    # A sentence that begins with one's own name is heard as "I", and no speech.
    own = {*part.words[:1]} <= {*SUBJECTS} and words_of(ear.table.name(ear.seat))[:1]
    if own and own == words_of(part.text)[:1] and not ear.quoted:
        found = narrated(found, ear.who)
    if found.acts and found.costly and _unread(ear, found.acts):
        found = found.model_copy(update={"named": False})
    priced = "?" in part.text and wares(part.words, ear.table, ear.book)
    near = () if found.which else (one for one in _named_in(ear) if one not in found.choices)
    return found.model_copy(
        update={
            "depends": conditional(part.words) and part.act not in TRIED,
            "slight": _slight(ear, found),
            "said": _as_written(ear),
            "names": bool(part.item or part.place or (part.being and ear.fighting)),
            "called": bool(ear.quoted or ear.who or found.costly or priced),
            "plain": _plainly(ear, found),
            "risk": _risk(ear, found),
            "choices": (*found.choices, *near),
        }
    )


def narrated(one: Meant, to: str) -> Meant:
    """Turn mere words into a gesture `to` somebody: what tells of oneself is not said aloud."""
    if not one.acts or any(act.do != "say" or act.topic for act in one.acts):
        return one
    text = one.said or one.acts[0].text
    does = (Act(do="flourish", to=to, text=text[:TOLD]),)
    return one.model_copy(update={"acts": does, "plain": does, "costly": False})


def _risk(ear: Ear, found: Meant) -> float:
    """Return the probability that a part uses something up; in a fight a check takes the action."""
    rolls = bool(found.acts) and all(act.do in ("check", "vain") for act in found.acts)
    deed = next(one.sure for one in ear.part.heard["free"] if one.label == "deed")
    gone = deed if rolls and ear.fighting else 0.0 if rolls else ear.risk
    return gone if found.costly or found.which else 0.0


def _plainly(ear: Ear, found: Meant) -> tuple[Act, ...]:
    """Return the harmless reading of a part: a question, speech, or a gesture."""
    part, text = ear.part, _as_written(ear)[:TOLD]
    if found.acts and not found.costly and all(act.do == "say" for act in found.acts):
        return found.acts
    if part.act in ASKED and part.sure >= HEARD:
        return looked_up(part, sure=part.sure).acts
    last = part.being and mentioned(part.words[-1:], (part.being,)) is not None
    orders = ear.companion and last and not {*part.words} & {*SUBJECTS}
    if ear.partner or orders or part.heard["free"][0].label == "speak":
        to = (ear.companion if ear.calls else "") or ear.partner or ear.lately or ear.person
        return (Act(do="say", to=to or EVERYBODY, text=text),)
    return (Act(do="flourish", text=text),)


def _slight(ear: Ear, found: Meant) -> bool:
    """Whether a misunderstanding would cost little: a check outside danger that leads clearly."""
    rolls = bool(found.acts) and all(act.do == "check" for act in found.acts)
    looks = ear.part.act in TRIED and ear.part.sure < CLEAR
    deed = ear.part.heard["free"][0]
    free = not ear.fighting or (deed.label == "deed" and deed.sure >= MANY)
    return rolls and free and not ear.barred and ear.part.lead >= LEADING and not looks


def _as_written(ear: Ear) -> str:
    """Return a part's text with its quotations put back."""
    text = ear.part.text
    for one in ear.quoted:
        text = text.replace(SAID, f" {quoted((one,), ear.table.lang)} ", 1)
    return " ".join(text.replace(SAID, " ").split())


def _heard(ear: Ear) -> Meant:
    part = ear.part
    if not any(map(str.isalpha, part.text)):
        return Meant(sure=1.0)  # digits or a smiley: nothing to do
    if ear.quoted:
        words, to = " ".join(ear.quoted)[:TOLD], ear.companion
        if to and part.chance("whisper") >= LIKELY:
            return Meant(sure=1.0, acts=(Act(do="whisper", to=to, text=words),))
        return say(ear, words, sure=1.0)
    if tongue := _tongue(part.words):
        return Meant(sure=1.0, acts=(Act(do="meta", meta="settings", text=tongue),))
    hailed = _hailed(ear) if part.act != "whisper" else None
    if found := hailed or (readied(ear) if ear.kept else None):
        return found
    if announced(part.text, ear.scope):
        return _to_all(part)
    if cut := _cut(ear):
        return cut
    if negated(part.words) and part.act not in WORDY and not part.text.endswith("?"):
        # A short refusal to do something needs no act; a long one may contain something else.
        return Meant(sure=1.0 if len(part.words) <= 2 * SHORT else 0.0)
    found = (
        _to_few(ear) or _to_the_same(ear) or _known_here(ear) or _asks(ear) or _called(ear)
        or _opens(part) or _magic(ear) or _ordered(ear) or _prepared(ear)
        or _common(ear) or by_mode(ear)
    )  # fmt: skip
    if _of_oneself(ear, found):
        return ear.meant(Act(do="ask", to="rules", text=part.text), sure=TONED)
    return _questioned(ear, found) if "?" in part.text else found


def _opens(part: Part) -> Meant | None:
    """Recognise one or two words that only open a speech: "hm", "well then"."""
    names = part.being or part.item or part.place or part.skill
    greets = part.heard["subject"][0].label == "greeting" and part.heard["subject"][0].sure >= CLEAR
    brief = len(part.words) < BARE and "?" not in part.text
    return Meant(sure=1.0) if greets and brief and not names else None


def _to_all(part: Part) -> Meant:
    return Meant(sure=CLEAR, acts=(Act(do="say", to=EVERYBODY, text=part.text),))


def _questioned(ear: Ear, found: Meant) -> Meant:
    """Reinterpret a question that was understood as a deed: it asks whether that is possible."""
    part = ear.part
    if part.act in TRIED and _slight(ear, found):
        return found  # "can I see anything?" is an attempt
    if part.act == "stop_scene":  # a question about limits is about the settings
        return ear.meant(Act(do="meta", meta="settings", text=part.text))
    if not found.costly and not any(act.do == "vain" for act in found.acts):
        return found
    # A question in the first person about something in the handbook is answered from there.
    own = not {*part.words[: None if ear.fighting else CALLED]}.isdisjoint(SUBJECTS)
    ruled = ear.fighting or any(entries(part.text, ear.book, ear.table.lang))
    if own and ruled and not found.which:
        return ear.meant(Act(do="ask", to="rules", text=part.text), sure=TONED)
    return found.model_copy(update={"named": False})


def _of_oneself(ear: Ear, found: Meant) -> bool:
    """Whether a question is about one's own character, by name or in a fight as "I".

    Nobody says that aloud; and where the handbook has what a question names, a weak guess that it
    asks for something that happened is wrong.
    """
    part, acts = ear.part, found.acts
    named = find(part.words, words_of(ear.table.name(ear.seat))[:1]) is not None
    own = named or (ear.fighting and bool({*part.words[:2]} & {*SUBJECTS}))
    aloud = all(act.do in ("say", "flourish") for act in acts) and not (ear.companion and ear.calls)
    recalls = all((act.do, act.to) == ("ask", "memory") for act in acts)
    weak = recalls and part.chance("recall") + part.chance("recap") < STRUCK and not part.being
    ruled = weak and any(entries(part.text, ear.book, ear.table.lang))
    return bool(acts) and ((own and aloud and "?" in part.text) or ruled)


def announced(text: str, scope: Scope) -> bool:
    """Whether a text is a speech to everybody after a colon, such as a plan: "here is how: …"."""
    before, _, after = (heard(part_of(one, scope)) for one in (*text.partition(":"),))
    brief = 0 < len(before.words) <= SHORT and before.being is None and len(after.words) > SHORT
    deed = before.act != "speak" and before.sure >= CLEAR
    return brief and not deed and _chance_of_asking(after) < TONED


def _hailed(ear: Ear) -> Meant | None:
    """Recognise speech that begins with a companion's name: what they do is up to them."""
    part = ear.part
    first = mentioned(part.words[:1], ear.scope.beings)
    if first is None and _calls_nobody(ear):
        return _to_all(part)
    if first is None or first.id not in ear.table.characters or len(part.words) == 1:
        return None
    if ear.table.is_fallen(first.id):
        # A fallen companion cannot hear it, so the player is told how they are.
        return ear.meant(Act(do="ask", to="scene", text=part.text), sure=1.0)
    said = Act(do="say", to=EVERYBODY if ear.mates > 2 else first.id, text=part.text)
    return Meant(sure=max(part.sure, CLEAR), acts=(said,))


def _calls_nobody(ear: Ear) -> bool:
    """Whether words address a name that nobody here has, and that is no known word either."""
    named = CALLS.search(ear.part.text)
    known = named and mentioned(words_of(named[1]), ear.scope.spoken_of)
    return bool(named and not known and not reader().knows_any(words_of(named[1])))


def _cut(ear: Ear) -> Meant | None:
    """Interpret a sentence with a negation by the rest of it: "I hit it, don't kill it".

    A blow that is to leave its target alive is marked as sparing.
    """
    part, words = ear.part, ear.part.words
    said = [found for way in SPARING for found in (find(words, way),) if found is not None]
    spares = bool(said) and ear.fighting
    wanted = (one for one in CLAUSES.split(part.text) if not negated(words_of(one)))
    first = " ".join(words[: min(said)]) if spares else ", ".join(wanted)
    wordy = part.act in WORDY and (part.act != "speak" or part.sure >= LIKELY)
    if wordy or not (spares or negated(words)) or len(words_of(first)) == len(words):
        return None
    before = heard(part_of(first, ear.scope)) if words_of(first) else None
    if before is None or negated(before.words) or (spares and before.act != "attack"):
        return None
    found = _heard(ear.model_copy(update={"part": before}))
    if all(act.do == "flourish" for act in found.acts):
        return found.model_copy(update={"acts": (Act(do="flourish", text=part.text),)})
    return _spared(found, part.text) if spares else found


def _spared(found: Meant, text: str) -> Meant:
    """Turn picked attacks into rule acts that spare their target."""
    blows = [act.item.split(":") for act in found.acts if act.do == "pick"]
    body = {"do": "rule", "item": "attack", "spare": True, "text": text}
    acts = (Act.model_validate({**body, "with": with_, "to": to}) for _, with_, to in blows)
    return found.model_copy(update={"acts": tuple(acts) or found.acts})


def clear(one: Meant) -> bool:
    """Whether a part is understood well enough, given what it costs."""
    if one.which or (one.costly and (one.depends or not one.named)):
        return False
    brief = len(words_of(one.said)) <= BRIEF or all(act.do == "check" for act in one.acts)
    if one.costly:
        return one.sure >= (LIKELY if one.slight else SURE if brief else MANY)
    return one.sure >= LIKELY


def matters(one: Meant) -> bool:
    """Whether an unclear part may use something up, so that the player has to be asked."""
    talk = any(act.do == "say" for act in one.plain) and not one.names
    return (one.which and one.sure >= LIKELY) or (one.risk >= RISKY and not talk)


def told(one: Meant) -> Meant:
    """Reduce an unclear part to its harmless reading."""
    # A gesture under a condition is not even made.
    other = conditional(words_of(one.said)) and any(act.do == "flourish" for act in one.plain)
    return Meant(sure=1.0, acts=() if other else one.plain)


def _unread(ear: Ear, acts: Sequence[Act]) -> bool:
    """Whether a part names something that its acts do not use, a sign of a misunderstanding."""
    first, part = acts[0], ear.part
    prepared = first.do == "pick" and first.item.split(":")[0] in ("deed", "talk")
    if prepared or first.do == "vain":
        return False
    used = {one for act in acts for one in (act.to, act.with_, act.skill)}
    used |= {one for act in acts for one in act.item.replace("/", ":").split(":")}
    named = {one.id for one in (part.being, part.item, part.place, part.skill) if one}
    return bool(named - used) or (first.do != "rule" and bool(_foreign(ear)))


def _named_in(ear: Ear) -> tuple[str, ...]:
    """Rank the offers that concern what a part names, the likeliest first."""
    part, lang = ear.part, ear.table.lang
    named = {
        one.id: points for one, points in ((part.being, 3), (part.item, 5), (part.place, 5)) if one
    }
    own = {word for word in part.words if len(word) >= WORD}

    def score(one: Choice) -> int:
        kind = one.id.split(":")[0]
        if kind in KINDS and sum(map(part.chance, KINDS[kind])) < PERHAPS:
            return 0
        shared = sum(
            any(same(word, other) for other in own) for word in words_of(one.label.of(lang))
        )
        return sum(named.get(key, 0) for key in one.id.replace("/", ":").split(":")) + shared

    ranked = sorted(
        ((score(one), one.label.of(lang)) for one in ear.offered), key=lambda at: -at[0]
    )
    return tuple(label for points, label in ranked if points)[:OFFERS]


def _to_few(ear: Ear) -> Meant | None:
    """Recognise whispers, and questions or remarks to the game master.

    If a whisper is possible, but unclear, nothing is made public: the player is asked.
    """
    part = ear.part
    to_dm = mentioned(part.words, (MASTER,)) is not None
    before, _, after = part.text.partition(":")
    how = heard(part_of(before, ear.scope)) if after.strip() else part
    words = after.strip() or part.text
    hushed = max(how.chance("whisper"), part.chance("whisper"))
    least = TONED if "?" in part.text or len(part.words) <= SHORT else HUSHED
    whispers = hushed >= least if to_dm else "whisper" in (how.act, part.act)
    if to_dm and not whispers and "?" not in part.text and _chance_of_asking(part) < ASKING:
        return (
            Meant(sure=1.0)
            if len(part.words) <= SHORT
            else ear.meant(Act(do="whisper", to=DM, text=part.text), sure=1.0)
        )
    if to_dm and not whispers:
        return looked_up(part, sure=1.0)
    ears = (
        [DM]
        if to_dm
        else [
            one.id
            for one in ear.scope.beings
            if one.id in ear.table.characters
            and mentioned(how.words, (one,))
            and not left_out(how.words, one)
        ]
    )
    if ears and (whispers or hushed >= ASKING):
        acts = tuple(Act(do="whisper", to=to, text=words) for to in ears)
        return Meant(sure=1.0, acts=acts)
    if hushed >= ASKING:  # a whisper without a recipient: ask for whom it is
        others = tuple(f"/w {one} …" for one in ear.table.turn_queue if one != ear.seat)
        return Meant(sure=0.0, choices=others[:4])
    return None


def _to_the_same(ear: Ear) -> Meant | None:
    """Recognise questions to whom they address, and speech that continues to the same person."""
    part, asks = ear.part, "?" in ear.part.text
    foe = ear.fighting and bool(ear.named_foe)  # foes are asked about far more often than asked
    called = asks and ear.calls and part.sure < CLEAR and not foe
    goes_on = ear.spoken and (asks or part.act == "speak")
    return say(ear, part.text, sure=max(part.sure, TONED)) if called or goes_on else None


def _known_here(ear: Ear) -> Meant | None:
    """Recognise a question that a person here can answer: by a topic first, else from lore."""
    part = ear.part
    does = part.act in ASIDES or (part.act in HANDS and part.sure >= CLEAR)
    plain = _chance_of_asking(part) >= MANY or (part.act in ASKED and part.sure >= CLEAR) or does
    if (
        plain
        or ear.who
        or ear.fighting
        or ear.barred
        or deed_in(part.words, ear.scope, hands=False)
    ):
        return None
    trades = len(wares(part.words, ear.table, ear.book)) > 1  # several wares are no topic
    for person in people(ear.table, ear.book) if curious(part) and not trades else ():
        talking = part.act == "speak" or person in (ear.partner, ear.lately)
        if talking and (raised := _raised(ear, person)):
            return raised
    person = taken_up(part.text, ear.table, ear.book)
    if not person:
        return None
    if said_before(person, part.words, ear.table, ear.book):  # they have said it: look it up
        return ear.meant(Act(do="ask", to="memory", text=part.text), sure=TONED)
    return ear.meant(Act(do="say", to=person, text=part.text), sure=TONED)


def _chance_of_asking(part: Part) -> float:
    return sum(part.chance(one) for one in ASKED)


def _asks(ear: Ear) -> Meant | None:
    """Recognise a question to the game, which is free; None if it is to somebody here."""
    part, asks = ear.part, _chance_of_asking(ear.part)
    plain = part.act in ASKED and ASKED[part.act] != "help"
    least = ASKING if "?" in part.text else STRUCK if plain else CLEAR
    called = ear.calls and not ear.companion and not ear.fighting and not (plain and asks >= CLEAR)
    if asks < TONED and ear.person and not ear.fighting:
        return None  # an open question is for the person present
    if asks < least or part.chance("speak") > asks or called:
        return None
    return looked_up(part, sure=max(asks, TONED))


def looked_up(part: Part, *, sure: float) -> Meant:
    """Make a part a question to the game, about its likeliest topic, or two if that is unclear."""
    chances: dict[str, float] = {}
    for label, topic in ASKED.items():
        chances[topic] = chances.get(topic, 0.0) + part.chance(label)
    first, second, *_ = sorted(chances, key=lambda topic: -chances[topic])
    both = chances[first] < STRUCK and chances[second] >= HUSHED and second != "help"
    weak = chances[first] < (TONED if first == "help" else HEARD)
    topics = ("memory",) if weak else (first, *((second,) if both else ()))
    # A recap is the same however it is asked for, so it needs no text.
    happened = part.chance("recap") >= part.chance("recall") and chances[first] >= HEARD
    happened = happened and part.being is None
    return Meant(
        sure=sure,
        acts=tuple(
            Act(do="ask", to=one, text="" if one == "memory" and happened else part.text)
            for one in topics
        ),
    )


def _tongue(words: Phrase) -> str:
    """Return the language that a short message asks for; empty for none."""
    if len(words) > 6:
        return ""
    return next((lang for lang, names in TONGUES.items() if not set(names).isdisjoint(words)), "")


def _called(ear: Ear) -> Meant | None:
    """Recognise an option that is named by its label, with few other words."""
    words = ear.part.words
    named = {
        one.id: (*map(words_of, one.label.both), *((one.id,),) * (":" not in one.id))
        for one in ear.offered
    }
    sizes = {key: max((len(one) for one in ways if _says(words, one)), default=0)
             for key, ways in named.items()}  # fmt: skip
    found = max(sizes, key=lambda key: sizes[key], default="")
    if not found or not sizes[found] or ear.seat == DM:
        return None
    size = sizes[found]
    if len(words) > (2 * size + SHORT if size > 1 else 1 + 2) or conditional(words):
        return None
    chosen = next(one for one in ear.offered if one.id == found)
    if chosen.id == "wait" and "?" in ear.part.text:
        return None  # "Wait, what?" does not mean to wait
    if chosen.id == "wait":
        return Meant(sure=1.0, acts=(Act(do="wait", text=ear.part.text),))
    return ear.option(chosen, sure=1.0) if chosen.steps else ear.pick(chosen.id, sure=1.0)


def _says(words: Phrase, label: Phrase) -> bool:
    """Whether words contain a label; one of a single verb in any form: "je me cache"."""
    verb = [word for word in label if len(word) > 2]
    return find(words, label) is not None or (
        len(verb) == 1 and any(akin(word, verb[0]) for word in words)
    )


def _magic(ear: Ear) -> Meant | None:
    """Recognise a spell or feature by name; a name of one word may be a common word."""
    part, key = ear.part, ear.thing
    one = ear.table.cast.get(mover(ear.table, ear.seat))
    if _foreign(ear) and part.item and part.act not in ("spell", *WORDY):
        # Exchanging a spell for another is a question about the sheet, which stays as it is.
        return ear.meant(Act(do="ask", to="rules", text=part.text), sure=TONED)
    if one is None or part.item is None:
        return _unknown_spell(ear)
    if any(own.key == key for own in one.features):
        known = tuple(c for c in ear.options("feature") if c.id.split(":")[1] == key)
        if not known:  # let the rules refuse it with a reason
            sure = CLEAR if len(part.words) <= SHORT else 0.0
            return ear.meant(rule(ear, "feature", **{"with": key}), costly=True, sure=sure)
        return ear.one_of(known, sure=CLEAR if len(part.words) <= SHORT + 2 else 0)
    if key not in one.spells or key not in ear.book.rules.spells:
        return None
    long = {phrase for phrase in part.item.phrases if len(phrase) > 1}
    long |= {("".join(phrase),) for phrase in long}
    several = any(find(part.words, phrase) is not None for phrase in long)
    known = tuple(c for c in ear.options("cast") if c.id.split(":")[1] == key)
    if part.chance("spell") < HEARD and not (several and part.act not in WORDY):
        # A common word may mean the spell, so ask in a fight if nothing else is clear.
        asked = part.sure < CLEAR and known and ear.fighting
        return ear.one_of(known).model_copy(update={"sure": STRUCK}) if asked else None
    sure = MANY if several else 0.0
    if ear.barred and not known and not ear.book.rules.spells[key].friendly:
        return begun(ear, "cast", sure=sure)
    return (
        _shared_out(ear, known, sure)
        or at(ear, known, sure=sure)
        or ear.meant(rule(ear, "cast", to=ear.who, **{"with": key}), costly=True, sure=sure)
    )


def counted(words: Phrase, lang: Lang) -> dict[int, int]:
    """Map the positions of number words to their values."""
    known = {word: n for n, word in numbered(lang)} | ({"un": 1, "une": 1} if lang == "fr" else {})
    known |= {str(n): n for n in range(1, 10)}
    return {at: known[word] for at, word in enumerate(words) if word in known}


def _shared_out(ear: Ear, known: Sequence[Choice], sure: float) -> Meant | None:
    """Recognise how the darts of a spell are divided: "two at him, one at the rat".

    If the numbers do not add up, or a target is unclear, the player is asked.
    """
    key, words = ear.thing, ear.part.words
    counts = counted(words, ear.table.lang)
    if not ear.fighting or not counts or ear.book.rules.spells[key].rays < 2:
        return None
    acts = []
    for start, end in pairwise((*counts, len(words))):
        to = mentioned(words[start:end], ear.scope.beings)
        more = {"with": key, "to": to.id if to else "?", "count": counts[start]}
        acts.append(rule(ear, "cast", **more))
    if sum(counts.values()) != ear.book.rules.spells[key].rays or any(
        act.to == "?" for act in acts
    ):
        return ear.one_of(known).model_copy(update={"which": True})
    return Meant(sure=max(sure, ear.part.sure), acts=tuple(acts), costly=True)


def _foreign(ear: Ear) -> int:
    """Return the length in words of the longest named spell that the character does not know."""
    one, spells = ear.table.cast.get(mover(ear.table, ear.seat)), ear.book.rules.spells
    known = one.spells if one else ()
    named = (phrase_of(ear.part.words, own, key) for key, own in spells.items() if key not in known)
    return max((len(phrase) for phrase in named if len(phrase) > 1), default=0)


def _unknown_spell(ear: Ear) -> Meant | None:
    """Recognise a spell that the character does not know; it is in vain, and nothing is cast."""
    words, rules = ear.part.words, ear.book.rules
    known: dict[str, Called] = {**rules.spells, **rules.features}
    named = (phrase_of(words, one, key) for key, one in known.items())
    size = max(map(len, named), default=0)
    wordy = ear.part.act in WORDY and ear.part.sure >= LIKELY
    plain = size > 1 and not wordy and "?" not in ear.part.text and not negated(words)
    if not size or (ear.part.act != "spell" and not plain and (size == 1 or len(words) > size + 1)):
        return None
    lacks = Act(do="vain", vain="not_able", text=ear.part.text)
    return ear.meant(lacks, sure=MANY if size > 1 else 0.0)


def _ordered(ear: Ear) -> Meant | None:
    """Recognise an order of something that somebody here may sell."""
    part, here = ear.part, [*people(ear.table, ear.book)]
    brief = len(part.words) <= SHORT + 2 and not (part.act in HANDS and part.sure >= CLEAR)
    orders = (part.act == "buy" and part.sure >= STRUCK) or (brief and part.chance("buy") >= HARDLY)
    if ear.fighting or ear.barred or not here or not (orders or len(part.words) == 1):
        return None
    sold = {key: one for key, one in ear.book.rules.items.items() if one.kind in SOLD}
    ware = max(sold, key=lambda key: len(phrase_of(part.words, sold[key], key)))
    item = sold[ware]
    if not phrase_of(part.words, item, ware) or ear.thing:
        # A clear order without a known ware: ask which of the services is meant.
        served = [one.name.of(ear.table.lang) for one in sold.values() if one.kind == "service"]
        plain = part.act == "buy" and part.sure >= STRUCK and "?" not in part.text and not ear.thing
        which = Meant(sure=part.sure, choices=tuple(served[:4]), which=True, costly=True)
        return which if plain else None
    order = Act(do="say", to=ear.person or here[0], want="give", item=ware, text=part.text)
    sure, plain = max(part.sure, CLEAR), "?" not in part.text and len(part.words) <= 2 * BRIEF
    return Meant(sure=sure, acts=(order,), costly=item.price >= DEAR or not plain, named=plain)


def _prepared(ear: Ear) -> Meant | None:
    """Find what the adventure has prepared for the part: a deed, or a topic of somebody here."""
    part = ear.part
    if ear.fighting or part.act in ("whisper", "follow"):
        return None
    denied = negated(part.words)  # excludes deeds only: a negated question is still a question
    deed = "" if denied else deed_in(part.words, ear.scope, hands=part.act in HANDS)
    if deed and f"deed:{deed}" in {one.id for one in ear.offered}:
        brief = len(part.words) <= 2 * SHORT
        sure = 1.0 if brief else STRUCK if part.act in HANDS else 0.0
        return ear.pick(f"deed:{deed}", costly=not brief, sure=sure)
    talks = part.act == "speak" or (part.sure < CLEAR and part.act not in (*ASIDES, *HANDS))
    wants = curious(part) or (bool(ear.person) and part.heard["want"][0].label != "none")
    return (
        next(filter(None, (_raised(ear, one) for one in _asked(ear))), None)
        if talks and wants
        else None
    )


def _raised(ear: Ear, person: str) -> Meant | None:
    """Find the topics of a person that a part names.

    A question whose other clauses name no topic raises the person's opening topic as well.
    """
    offered, talks = {one.id for one in ear.offered}, ear.book.story.talks
    first = next((key for key, one in talks.items() if one.person == person and one.default), "")
    pieces = [heard(part_of(one, ear.scope)) for one in CLAUSES.split(ear.part.text)]
    asks = "?" in ear.part.text
    named = [
        topic_in(one.words, ear.scope, person) or first * (asks and curious(one)) for one in pieces
    ]
    if not topic_in(ear.part.words, ear.scope, person):
        return None
    topics = (f"talk:{person}/{key}" for key in dict.fromkeys(named))
    picks = [ear.pick(one, costly=False, sure=STRUCK) for one in topics if one in offered]
    acts = tuple(act for one in picks for act in one.acts)
    return picks[0].model_copy(update={"acts": acts}) if picks else None


def _asked(ear: Ear) -> tuple[str, ...]:
    """List the persons who may be meant by a question: the addressee, else everybody here."""
    few = bool(ear.who) or "?" in ear.part.text or len(ear.part.words) <= SHORT
    if ear.person and few:
        return (ear.person,)
    asks = ear.part.act == "speak" and curious(ear.part)
    return tuple(people(ear.table, ear.book)) if asks and not ear.who and not ear.barred else ()


def _common(ear: Ear) -> Meant | None:
    """Handle acts that are the same in and outside fights: speech, questions, game commands."""
    part, act = ear.part, ear.part.act
    if "?" in part.text and part.sure < STRUCK and not ear.who:
        # An open question goes to the rules if they may be meant and have an answer.
        known = any(entries(part.text, ear.book, ear.table.lang))
        ruled = known and part.chance("rules") >= HUSHED
        rules = Act(do="ask", to="rules", text=part.text)
        if ruled or not (ear.person or ear.lately or ear.partner):
            return ear.meant(rules, sure=TONED) if ruled else looked_up(part, sure=TONED)
        return say(ear, part.text, sure=MANY)
    if act in METAS:
        # Undo has to be very clear, since "no" can mean other things.
        does = Act(do="meta", meta=METAS[act], text=part.text)
        return ear.meant(does, costly=True, named=act != "undo" or part.sure >= MANY)
    if act in ("speak", "buy", "sell"):
        return say(ear, part.text, sure=part.sure)
    plain = {
        "claim": Act(do="vain", vain="claims_outcome", text=part.text),
        "spell": Act(do="vain", vain="not_able", text=part.text),
    }
    if act == "spell" and part.sure < TONED:
        return None
    if act == "spell" and (cast := ear.options("cast")):
        firsts = {one.id.split(":")[1]: one for one in reversed(cast)}
        return ear.one_of([*reversed(firsts.values())])
    return ear.meant(plain[act]) if act in plain else None
