"""From what was heard in a part of a message to acts at the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice
from ruleplay.agents.party.domain.exploration import waiting
from ruleplay.agents.party.domain.persuading import DEMANDS
from ruleplay.agents.party.domain.scope import SOLD
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import mover, people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.handbook import entries, phrase_of
from ruleplay.story.acts import EVERYBODY, Act, Approach, Effect, Meta
from ruleplay.story.hearing import (
    BRIEF,
    LEADING,
    MANY,
    PERHAPS,
    SAID,
    SURE,
    Part,
    heard,
    own_words,
    part_of,
)
from ruleplay.story.mentions import (
    Named,
    Scope,
    conditional,
    deed_in,
    mentioned,
    negated,
    topic_in,
)
from ruleplay.story.texts import Frozen, Text, words_of
from ruleplay.story.wording import Phrase, find, same

TONED, CLEAR, STRUCK, HEARD, PLAINLY = 0.5, 0.6, 0.4, 0.2, 0.9
ASKING = ACCOUNT = 0.3
"""How sure: a tone, lest words are meant plainly; a clear part; a topic or deed that is
named; going to a place that is; few words that name an act."""
LIKELY, HUSHED, HARDLY = 0.35, 0.15, 0.1
"""How certain what is free must be, and words to those who hear anyway; from where on words may be
for few: nobody else hears them then."""
WORD, OFFERS = 4, 3
"""Letters of a word that counts; offers that have to do with it."""
MASTER = Named(
    id=DM,
    phrases=(("dm",), ("gm",), ("mj",), ("md",), ("game", "master"), ("maitre", "du", "jeu")),
)
"""What the game master is called."""
CALLED = 4
"""Words at the beginning among which whoever is spoken to is named."""
UNADDRESSED = 0.7
"""How much of that is left of words that are to nobody."""
DEAR = 100
"""Copper pieces from which on a purchase has to be plain."""
SHORT, LONG_TALK = 4, 14
"""Words of a part that says one thing only, and of one that may say anything."""
TONES: dict[str, Approach] = {
    "friendly": "charm",
    "joking": "charm",
    "begging": "charm",
    "comforting": "comfort",
    "bargaining": "bargain",
    "pressing": "press",
    "mocking": "provoke",
    "threatening": "threaten",
    "lying": "deceive",
}
ASKED = {
    "look": "scene",
    "map": "scene",
    "inventory": "sheet",
    "sheet": "sheet",
    "recap": "memory",
    "recall": "memory",
    "commands": "help",
    "rules": "rules",
}
METAS: dict[str, Meta] = {
    "undo": "undo",
    "pause": "pause",
    "stop_scene": "stop_scene",
    "retell": "retell",
    "skip": "fast_forward",
    "quit": "leave_seat",
    "settings": "settings",
}
SKILLS = {
    "stunt": "athletics",
    "manoeuvre": "athletics",
    "trick": "sleight-of-hand",
    "perform": "performance",
    "insight": "insight",
    "help": "athletics",
    "sneak": "stealth",
    "steal": "sleight-of-hand",
}
HANDS = ("use", "drink", "take", "stunt", "search", "trick", "help", "heal", "manoeuvre", "equip")
"""Acts of the hands: with a thing of the scene's own they are what was prepared for it."""
WORDY = ("speak", "whisper", *ASKED)
"""Acts of words: what is denied in them is still said."""
ASIDES = ("attack", "go", "flee", "rest", "wait", "buy", "sell", "train", "sneak", "drink")
"""Acts that a topic in the same words does not turn into talk."""
MAGIC = ("spell", "heal", "attack", "use", "defend", "aim", "help")
"""Acts that may be a spell whose name has several words."""
TONGUES = {"en": ("english", "anglais"), "fr": ("french", "francais")}
MANOEUVRES = {
    "grapple": Text(en="grapple", fr="empoigner"),
    "shove": Text(en="shove", fr="bousculer"),
}
"""Acts of the rules that are no option of the lists, by their names."""


class Meant(Frozen):
    """What a part means: acts; how sure, whether they cost, whether their target was named.

    `choices` are the labels by which it can be asked about, the likeliest first; with `which` it
    has to be: several things are meant by the same words. What `depends` is for another case. Words
    to everybody or a companion are `free` when nothing else is half as likely. `own` are choices
    in the player's words, `said` those words.
    """

    sure: float
    acts: tuple[Act, ...] = ()
    choices: tuple[str, ...] = ()
    which: bool = False
    costly: bool = False
    named: bool = True
    depends: bool = False
    free: bool = False
    own: tuple[str, ...] = ()
    said: str = ""
    sayable: bool = False
    names: bool = False


class Ear(Frozen):
    """A part that is to be understood, where and by whom it was said."""

    part: Part
    quoted: tuple[str, ...]
    scope: Scope
    table: Table
    book: Book
    seat: str
    offered: tuple[Choice, ...]

    @property
    def fighting(self) -> bool:
        """Whether there is a fight."""
        return self.table.cast.fight is not None

    @property
    def barred(self) -> str:
        """Return the encounter that waits here."""
        now = self.table.expedition
        return waiting(now, self.book.story) if now.begun and not self.fighting else ""

    @property
    def thing(self) -> str:
        """Return what is named of all that one carries or can."""
        return self.part.item.id if self.part.item else ""

    @property
    def who(self) -> str:
        """Return whoever is named."""
        return self.part.being.id if self.part.being else ""

    @property
    def companion(self) -> str:
        """Return the companion who is named."""
        return self.who if self.who in self.table.characters else ""

    @property
    def calls(self) -> bool:
        """Whether a name stands where one calls somebody: at the beginning or the end."""
        words = self.part.words
        ends = (*words[:CALLED], *words[-1:]) if len(words) > CALLED else words
        return self.part.being is not None and mentioned(ends, (self.part.being,)) is not None

    @property
    def foe(self) -> str:
        """Return the adversary who is meant: who was named, else the nearest."""
        friends = self.table.characters
        named = self.named_foe
        there = [one.id for one in self.scope.beings if one.id not in friends]
        return named or next(iter(there), "")

    @property
    def named_foe(self) -> str:
        """Return the adversary who is named."""
        others = [one for one in self.scope.beings if one.id not in self.table.characters]
        found = mentioned(self.part.words, others)
        return found.id if found else ""

    @property
    def person(self) -> str:
        """Return the person of the story who is meant: who was named, or the only one here."""
        here = [*people(self.table, self.book)]
        if self.who:
            return self.who if self.who in here else ""
        return here[0] if len(here) == 1 and not self.barred else ""

    def options(self, *kinds: str) -> tuple[Choice, ...]:
        """Return what is offered of some kinds, by how their ids begin."""
        return tuple(one for one in self.offered if one.id.split(":")[0] in kinds)

    def label(self, option: str) -> tuple[str, ...]:
        """Return what an option is called, if it is offered."""
        lang = self.table.lang
        return tuple(one.label.of(lang) for one in self.offered if one.id == option)

    def meant(
        self, act: Act, *, costly: bool = False, named: bool = True, sure: float = 0.0
    ) -> Meant:
        """Return an act as what the part means."""
        return Meant(
            sure=max(sure, self.part.sure),
            acts=(act,),
            costly=costly,
            named=named,
            choices=self.label(act.item) if act.do == "pick" else (),
        )

    def pick(self, option: str, *, costly: bool = True, sure: float = 0.0) -> Meant:
        """Return an option as what the part means."""
        known = self.table.cast.get(mover(self.table, self.seat))
        magic = (
            self.thing
            if known and option.startswith("deed:") and self.thing in known.spells
            else ""
        )
        act = Act.model_validate(
            {"do": "pick", "item": option, "with": magic, "text": self.part.text}
        )
        found = self.meant(act, costly=costly)
        return found.model_copy(update={"sure": max(self.part.sure, sure)})

    def one_of(self, offered: Sequence[Choice], *, sure: float = 0.0) -> Meant:
        """Return the only option of those, or the question which of them is meant."""
        if len(offered) == 1:
            return self.option(offered[0], sure=sure)
        labels = tuple(one.label.of(self.table.lang) for one in offered)
        return Meant(sure=self.part.sure, choices=labels[:4], which=bool(labels), costly=True)

    def option(self, chosen: Choice, *, sure: float = 0.0) -> Meant:
        """Return an option of a fight; outside one, the rule act that it stands for."""
        if self.fighting or chosen.venture:
            return self.pick(chosen.id, sure=sure)
        kind, what, to = (*chosen.id.split(":"), "", "")[:3]
        body = {"do": "rule", "item": kind, "with": what, "to": to, "text": self.part.text}
        if kind == "stabilise":
            body |= {"with": "", "to": what}
        label = (chosen.label.of(self.table.lang),)
        return Meant(
            sure=max(self.part.sure, sure),
            acts=(Act.model_validate(body),),
            costly=True,
            choices=label,
        )


def meaning(ear: Ear) -> Meant:
    """Return what a part of a message means; quoted words are said, whatever stands beside them."""
    found = _heard(ear)
    part, free = ear.part, found.free and ear.part.lead >= LEADING
    if found.acts and found.costly and _unread(ear, found.acts[0]):
        found = found.model_copy(update={"named": False})
    asks = "?" in part.text or _chance_of_asking(part) >= STRUCK
    sayable = part.chance("speak") >= PERHAPS or "?" in part.text
    own = own_words(part.text, ear.table.lang, doable=not asks, sayable=False)
    near = () if found.which else (one for one in _named_in(ear) if one not in found.choices)
    return found.model_copy(
        update={
            "depends": conditional(part.words),
            "free": free,
            "own": tuple(own) if SAID not in part.text else (),
            "said": part.text,
            "names": bool(part.item or part.place),
            "sayable": sayable and SAID not in part.text,
            "choices": (*found.choices, *near),
        }
    )


def _heard(ear: Ear) -> Meant:
    part = ear.part
    if ear.quoted:
        return _say(ear, " ".join(ear.quoted)[:300], sure=1.0)
    if tongue := _tongue(part.words):
        return Meant(sure=1.0, acts=(Act(do="meta", meta="settings", text=tongue),))
    if negated(part.words) and part.act not in WORDY and not part.text.endswith("?"):
        # What somebody will not do needs nothing; in many words there may be more than that.
        return Meant(sure=1.0 if len(part.words) <= 2 * SHORT else 0.0)
    found = (
        _to_few(ear) or _asks(ear) or _called(ear) or _magic(ear) or _ordered(ear)
        or _prepared(ear) or _common(ear) or _by_mode(ear)
    )  # fmt: skip
    if "?" in part.text and found.costly:
        found = found.model_copy(update={"named": False})  # whether it can be done is asked
    return found


def clear(one: Meant) -> bool:
    """Whether a part was understood well enough for what it costs."""
    if one.which or (one.costly and (one.depends or not one.named)):
        return False
    brief = len(words_of(one.said)) <= BRIEF
    if one.costly:
        return one.sure >= (SURE if brief else MANY)
    return one.sure >= LIKELY or (one.free and one.sure >= HARDLY)


def matters(one: Meant) -> bool:
    """Whether a part could be something else than words: it costs something, or names what does."""
    return bool(one.costly or one.which or one.choices or one.names)


def told(one: Meant) -> Meant:
    """Return a part that was not understood as what it is in any case: words of its player's."""
    return Meant(sure=1.0, acts=(Act(do="flourish", text=one.said),))


def forced(ear: Ear) -> Meant:
    """Return a part as its player insists on it: a check where it is one, else it is told."""
    if ear.part.act in SKILLS:
        return _tried(ear)
    return ear.meant(Act(do="flourish", text=ear.part.text))


def _unread(ear: Ear, act: Act) -> bool:
    """Whether a part names something that an act makes nothing of."""
    if act.do == "pick" and act.item.split(":")[0] in ("deed", "talk"):
        return False
    used = {*act.item.replace("/", ":").split(":"), act.to, act.with_, act.skill}
    part = ear.part
    named = {one.id for one in (part.being, part.item, part.place, part.skill) if one}
    return bool(named - used) or (act.do not in ("vain", "rule") and bool(_foreign(ear)))


def _named_in(ear: Ear) -> tuple[str, ...]:
    """Return what is offered that has to do with what a part names, the likeliest first."""
    part, lang = ear.part, ear.table.lang
    named = {one.id for one in (part.being, part.item, part.place) if one}
    own = {word for word in part.words if len(word) >= WORD}

    def score(one: Choice) -> int:
        shared = sum(
            any(same(word, other) for other in own) for word in words_of(one.label.of(lang))
        )
        return 3 * len(named & {*one.id.replace("/", ":").split(":")}) + shared

    ranked = sorted(
        ((score(one), one.label.of(lang)) for one in ear.offered), key=lambda at: -at[0]
    )
    return tuple(label for points, label in ranked if points)[:OFFERS]


def _to_few(ear: Ear) -> Meant | None:
    """Return words that were whispered, and a question to the game master as what it is."""
    part = ear.part
    to_dm = mentioned(part.words, (MASTER,)) is not None
    before, _, after = part.text.partition(":")
    how = heard(part_of(before, ear.scope)) if after.strip() else part
    words = after.strip() or part.text
    hushed = max(how.chance("whisper"), part.chance("whisper"))
    whispers = "whisper" in (how.act, part.act) or (to_dm and hushed >= HUSHED)
    if to_dm and not whispers and "?" not in part.text and _chance_of_asking(part) < STRUCK:
        return (
            Meant(sure=1.0)
            if len(part.words) <= SHORT
            else ear.meant(Act(do="whisper", to=DM, text=part.text), sure=1.0)
        )
    if to_dm and not whispers:
        return _looked_up(part, sure=1.0)
    if whispers and (to := DM if to_dm else ear.companion):
        return ear.meant(Act(do="whisper", to=to, text=words), sure=1.0)
    if hushed >= HUSHED:  # perhaps nobody else is to hear it
        others = tuple(f"/w {one} …" for one in ear.table.turn_queue if one != ear.seat)
        return Meant(sure=0.0, choices=others[:4])
    return None


def _chance_of_asking(part: Part) -> float:
    return sum(part.chance(one) for one in ASKED)


def _asks(ear: Ear) -> Meant | None:
    """Return a question to the game, which costs nothing; one to somebody here is speech."""
    part, asks = ear.part, _chance_of_asking(ear.part)
    least = ASKING if "?" in part.text else STRUCK if part.act in ASKED else CLEAR
    if asks < least or part.chance("speak") > asks or (ear.calls and not ear.companion):
        return None
    return _looked_up(part, sure=max(asks, TONED))


def _looked_up(part: Part, *, sure: float) -> Meant:
    """Return a question about what it was heard to be about: two things, where that is open."""
    chances: dict[str, float] = {}
    for label, topic in ASKED.items():
        chances[topic] = chances.get(topic, 0.0) + part.chance(label)
    first, second, *_ = sorted(chances, key=lambda topic: -chances[topic])
    both = chances[first] < TONED and chances[second] >= HUSHED
    topics = (first, *((second,) if both else ())) if chances[first] >= HEARD else ("memory",)
    # What has happened is told as it is, whatever words it is asked in.
    happened = part.chance("recap") >= part.chance("recall") and chances[first] >= HEARD
    return Meant(
        sure=sure,
        acts=tuple(
            Act(do="ask", to=one, text="" if one == "memory" and happened else part.text)
            for one in topics
        ),
    )


def _tongue(words: Phrase) -> str:
    """Return the language in which somebody asks to be told."""
    if len(words) > 6:
        return ""
    return next((lang for lang, names in TONGUES.items() if not set(names).isdisjoint(words)), "")


def _called(ear: Ear) -> Meant | None:
    """Return the option that is called by its name, with few words besides."""
    words = ear.part.words
    named = [
        Named(id=one.id, phrases=tuple(words_of(said) for said in one.label.both))
        for one in ear.offered
    ]
    found = mentioned(words, named)
    if found is None or ear.seat == DM:
        return None
    size = max(len(phrase) for phrase in found.phrases if find(words, phrase) is not None)
    if len(words) > (2 * size + SHORT if size > 1 else 1 + 2) or conditional(words):
        return None
    chosen = next(one for one in ear.offered if one.id == found.id)
    if chosen.id == "wait" and "?" in ear.part.text:
        return None  # "Wait, what?" lets nothing pass
    if chosen.id == "wait":
        return Meant(sure=1.0, acts=(Act(do="wait", text=ear.part.text),))
    return ear.option(chosen, sure=1.0) if chosen.steps else ear.pick(chosen.id, sure=1.0)


def _magic(ear: Ear) -> Meant | None:
    """Return a spell or feature that is named; names of one word may be common words."""
    part, key = ear.part, ear.thing
    one = ear.table.cast.get(mover(ear.table, ear.seat))
    if one is None or part.item is None:
        return _unknown_spell(ear)
    if any(own.key == key for own in one.features):
        known = tuple(c for c in ear.options("feature") if c.id.split(":")[1] == key)
        if not known:  # the rules say why not
            return ear.meant(
                Act.model_validate({"do": "rule", "item": "feature", "with": key}),
                costly=True,
                sure=CLEAR if len(part.words) <= SHORT else 0.0,
            )
        return ear.one_of(known, sure=CLEAR if len(part.words) <= SHORT + 2 else 0)
    if key not in one.spells or key not in ear.book.rules.spells:
        return None
    long = {phrase for phrase in part.item.phrases if len(phrase) > 1}
    long |= {("".join(phrase),) for phrase in long}
    several = any(find(part.words, phrase) is not None for phrase in long)
    known = tuple(c for c in ear.options("cast") if c.id.split(":")[1] == key)
    if part.act != "spell" and not (several and part.act in MAGIC):
        # One common word is perhaps the spell, where nothing else is plain.
        asked = part.sure < CLEAR and known and ear.fighting
        return ear.one_of(known).model_copy(update={"sure": STRUCK}) if asked else None
    return _at(ear, known, sure=CLEAR if several else 0.0) or ear.meant(
        Act.model_validate({"do": "rule", "item": "cast", "with": key, "text": part.text}),
        costly=True,
    )


def _foreign(ear: Ear) -> int:
    """Return the words of the longest name of a spell that somebody names and does not know."""
    one, spells = ear.table.cast.get(mover(ear.table, ear.seat)), ear.book.rules.spells
    known = one.spells if one else ()
    named = (phrase_of(ear.part.words, own, key) for key, own in spells.items() if key not in known)
    return max((len(phrase) for phrase in named if len(phrase) > 1), default=0)


def _unknown_spell(ear: Ear) -> Meant | None:
    """Return that a spell is named which somebody does not know: nothing else is cast for it."""
    words, spells = ear.part.words, ear.book.rules.spells
    named = (phrase_of(words, one, key) for key, one in spells.items())
    size = max(map(len, named), default=0)
    if not size or (ear.part.act != "spell" and (size == 1 or len(words) > size + 1)):
        return None
    return ear.meant(Act(do="vain", vain="not_able", text=ear.part.text))


def _ordered(ear: Ear) -> Meant | None:
    """Return that something is bought which somebody here may sell: in few words, or plainly."""
    part, here = ear.part, [*people(ear.table, ear.book)]
    brief = len(part.words) <= SHORT + 2 and not (part.act in HANDS and part.sure >= CLEAR)
    if ear.fighting or ear.barred or not here or not (brief or part.act == "buy"):
        return None
    sold = {key: one for key, one in ear.book.rules.items.items() if one.kind in SOLD}
    ware = max(sold, key=lambda key: len(phrase_of(part.words, sold[key], key)))
    item = sold[ware]
    if not phrase_of(part.words, item, ware) or ear.thing:
        return None
    order = Act(do="say", to=ear.person or here[0], want="give", item=ware, text=part.text)
    sure = max(part.sure, CLEAR)
    return Meant(sure=sure, acts=(order,), costly=item.price >= DEAR, named="?" not in part.text)


def _at(ear: Ear, offered: Sequence[Choice], *, sure: float = 0.0) -> Meant | None:
    """Return the option of several that is for whom was named; the nearest foe, unless a friend is.

    The same thing done to one friend or another is asked about.
    """
    if not offered:
        return None
    by_target = {one.id.rpartition(":")[2]: one for one in offered}
    if ear.who in by_target:
        return ear.option(by_target[ear.who], sure=sure)
    if ear.foe in by_target and not ear.companion:
        return ear.option(by_target[ear.foe], sure=sure)
    me = mover(ear.table, ear.seat)
    if [*by_target] == [me]:
        return ear.option(by_target[me], sure=sure)
    down = [by_target[one.id] for one in ear.table.party if one.dying and one.id in by_target]
    return ear.one_of(down if len(down) == 1 else list(by_target.values()), sure=sure)


def _prepared(ear: Ear) -> Meant | None:
    """Return what the adventure has prepared for the part: a deed, or a topic of somebody here."""
    part = ear.part
    if ear.fighting or part.act in ("whisper", "follow") or negated(part.words):
        return None
    deed = deed_in(part.words, ear.scope, hands=part.act in HANDS)
    if deed and f"deed:{deed}" in {one.id for one in ear.offered}:
        brief = len(part.words) <= 2 * SHORT
        sure = 1.0 if brief else STRUCK if part.act in HANDS else 0.0
        return ear.pick(f"deed:{deed}", costly=not brief, sure=sure)
    talks = part.act == "speak" or (part.sure < CLEAR and part.act not in (*ASIDES, *HANDS))
    offered = {one.id for one in ear.offered}
    for person in _asked(ear) if talks and _curious(part) else ():
        option = f"talk:{person}/{topic_in(part.words, ear.scope, person)}"
        if option in offered:
            return ear.pick(option, costly=len(part.words) > LONG_TALK, sure=STRUCK)
    return None


def _curious(part: Part) -> bool:
    """Tell whether words want to know something."""
    want = part.heard["want"][0]
    return "?" in part.text or (want.label == "know" and want.sure >= CLEAR)


def _asked(ear: Ear) -> tuple[str, ...]:
    """Return who may be asked: whom the words are to, or anybody here, where they want to know."""
    if ear.person and _addressed(ear):
        return (ear.person,)
    curious = ear.part.act == "speak" and _curious(ear.part)
    return tuple(people(ear.table, ear.book)) if curious and not ear.who and not ear.barred else ()


def _addressed(ear: Ear) -> bool:
    """Tell whether words are to somebody: named, asked, or few enough to be for all."""
    return bool(ear.who) or "?" in ear.part.text or len(ear.part.words) <= SHORT


def _common(ear: Ear) -> Meant | None:
    """Return what is the same on the way and in a fight: words, questions, the game itself."""
    part, act = ear.part, ear.part.act
    if (
        "?" in part.text
        and part.sure < TONED
        and not ear.who
        and any(entries(part.text, ear.book, ear.table.lang))
    ):
        # An open question to which the rules have an answer.
        return ear.meant(Act(do="ask", to="rules", text=part.text), sure=TONED)
    if act in METAS:
        return ear.meant(Act(do="meta", meta=METAS[act], text=part.text))
    if act == "speak":
        return _say(ear, part.text, sure=part.sure)
    plain = {
        "claim": Act(do="vain", vain="claims_outcome", text=part.text),
        "spell": Act(do="vain", vain="not_able", text=part.text),
    }
    if act == "spell" and (cast := ear.options("cast")):
        firsts = {one.id.split(":")[1]: one for one in reversed(cast)}
        return ear.one_of([*reversed(firsts.values())])
    return ear.meant(plain[act]) if act in plain else None


def _say(ear: Ear, words: str, *, sure: float) -> Meant:
    """Return words that are said, and what they want of whoever hears them.

    Words to companions are words; what is quoted never attacks.
    """
    part = ear.part
    to = ear.companion if ear.calls else ""
    to = to or ear.named_foe or ear.person or ear.barred
    said = (*part.words, *words_of(words))
    if to in ear.table.characters or not to:
        sure = sure if to or ear.quoted else sure * UNADDRESSED
        return Meant(sure=sure, acts=(_aloud(ear, words, to),), free=True)
    topic = "" if ear.fighting or len(said) > LONG_TALK else topic_in(said, ear.scope, to)
    tone, want = part.heard["tone"][0], part.heard["want"][0]
    approach = TONES.get(tone.label, "plain") if tone.sure >= PLAINLY else "plain"
    approach = "plain" if ear.quoted else approach
    wanted = want.label if want.sure >= TONED and want.label != "none" else ""
    demands = ear.barred and wanted in DEMANDS and want.sure >= CLEAR
    body = {"do": "say", "to": to, "text": words, "approach": approach, "topic": topic}
    act = Act.model_validate({**body, "want": wanted if demands or approach != "plain" else ""})
    label = ear.label(f"parley:{ear.barred}") if ear.barred else ()
    if not (act.want or act.topic):
        act = _aloud(ear, words, to)
    costly = bool(act.want) and not ear.quoted
    return Meant(sure=sure, acts=(act,), costly=costly, choices=label)


def _aloud(ear: Ear, words: str, to: str) -> Act:
    """Return words as they were put: said as they stand, or an account of what is said."""
    account = next((one.sure for one in ear.part.heard["voice"] if one.label == "told"), 0.0)
    if account >= ACCOUNT and to and not ear.quoted:
        return Act(do="flourish", to=to, text=words)
    return Act(do="say", to=to or EVERYBODY, text=words)


def _by_mode(ear: Ear) -> Meant:
    table = IN_FIGHT if ear.fighting else ON_THE_WAY
    act = ear.part.act
    if act in table:
        return table[act](ear)
    return _tried(ear) if act in SKILLS else _posed(ear)


def _posed(ear: Ear) -> Meant:
    """Return something that is only told: as sure as it is that nothing is to come of it."""
    sure = next((one.sure for one in ear.part.heard["free"] if one.label == "pose"), 0.0)
    told = Act(do="flourish", text=ear.part.text)
    return Meant(sure=sure if sure >= TONED else 0.0, acts=(told,))


def _tried(ear: Ear) -> Meant:
    """Return a check of what nobody wrote: its skill by the kind of act, its effect a small one."""
    act, me = ear.part.act, mover(ear.table, ear.seat)
    to = ear.person if not ear.fighting else ear.named_foe
    if act in ("perform", "insight", "help") and not to:
        return _posed(ear)
    effects: dict[str, Effect] = {
        "manoeuvre": Effect(kind="condition", who=ear.foe, what="distracted", amount=1),
        "perform": Effect(kind="attitude", who=to, amount=1),
        "steal": Effect(kind="keepsake", who=me, text=ear.part.text[:40]),
    }
    success = effects.get(act, Effect(kind="edge", who=me, what="up"))
    sneaky = act == "steal" and to
    failure = (Effect(kind="attitude", who=to, amount=-1),) if sneaky else ()
    trial = Act(
        do="check",
        skill=ear.part.skill.id if ear.part.skill else SKILLS[act],
        to=to,
        success=(success,) if success.who else (),
        failure=failure,
        text=ear.part.text,
    )
    return ear.meant(trial, costly=True)


def _rule(ear: Ear, item: str, **more: str) -> Act:
    return Act.model_validate({"do": "rule", "item": item, "text": ear.part.text, **more})


def _strike(ear: Ear) -> Meant:
    """Return an attack in a fight: with what was named, at whom was named, else at the nearest."""
    arms = [one.id.split(":")[1] for one in ear.options("attack")]
    weapon = ear.thing if ear.thing in arms else next(iter(arms), "")
    chosen = next((c for c in ear.options("attack") if c.id == f"attack:{weapon}:{ear.foe}"), None)
    plain = bool(ear.named_foe) or not ear.companion
    if chosen:
        return ear.option(chosen).model_copy(update={"named": plain})
    blow = _rule(ear, "attack", to=ear.foe, **{"with": ear.thing if ear.thing in arms else ""})
    return ear.meant(blow, costly=True, named=plain and bool(ear.foe))


def _quarrel(ear: Ear) -> Meant:
    """Return an attack outside a fight: on those who wait, on somebody here, or on nobody."""
    if ear.companion:
        return ear.meant(Act(do="vain", vain="not_yours", text=ear.part.text), costly=True)
    if ear.barred and ear.who in ("", ear.barred):
        found = ear.pick(f"provoke:{ear.barred}")
        return found.model_copy(update={"named": bool(ear.who) or len(ear.part.words) <= SHORT})
    if not ear.who:
        return ear.meant(Act(do="vain", vain="not_here", text=ear.part.text), costly=True)
    return ear.meant(_rule(ear, "attack", to=ear.who), costly=True)


def _use(ear: Ear) -> Meant:
    """Return a remedy that is used up: what was named, or the only one; all else is a gesture."""
    offered = ear.options("use")
    named = [one for one in offered if one.id.split(":")[1] == ear.thing]
    if named:
        return _at(ear, named) or _posed(ear)
    if ear.part.act != "drink" or ear.thing or not offered:
        return _equip(ear) if ear.part.act == "use" else _posed(ear)
    kinds = {one.id.split(":")[1]: one for one in reversed(offered)}
    return ear.one_of([*kinds.values()])


def _equip(ear: Ear) -> Meant:
    if not ear.thing or ear.thing not in ear.book.rules.items:
        return _posed(ear)
    return ear.meant(_rule(ear, "equip", **{"with": ear.thing}), costly=ear.fighting)


def _heal(ear: Ear) -> Meant:
    """Return what helps somebody who is hurt: the only way there is, or the question which."""
    spells = ear.book.rules.spells
    cast = [one for one in ear.options("cast") if spells[one.id.split(":")[1]].heal]
    ways = [*ear.options("stabilise"), *cast, *ear.options("use")]
    hurt = [one.id for one in ear.table.party if one.dying]
    to = ear.companion or (hurt[0] if len(hurt) == 1 else "")
    mine = [one for one in ways if one.id.rpartition(":")[2] == to] if to else ways
    return ear.one_of(mine) if mine else _posed(ear)


def _stance(option: str) -> Callable[[Ear], Meant]:
    def does(ear: Ear) -> Meant:
        return ear.pick(option) if ear.label(option) else ear.meant(_rule(ear, option), costly=True)

    return does


def _close_in(ear: Ear) -> Meant:
    """Return a way in a fight: towards somebody, or out of it where a place is named."""
    option = f"approach:{ear.named_foe}"
    if ear.label(option):
        return ear.pick(option)
    to = ear.named_foe or ear.companion
    return ear.meant(Act(do="move", to=to, text=ear.part.text), costly=True) if to else _posed(ear)


def _wrestle(ear: Ear) -> Meant:
    """Return what the rules know of it, where it is called by its name; else a check."""
    for act, name in MANOEUVRES.items():
        if any(find(ear.part.words, words_of(said)) is not None for said in name.both):
            return ear.meant(_rule(ear, act, to=ear.foe), costly=True)
    return _tried(ear)


def _help(ear: Ear) -> Meant:
    if ear.companion:
        return ear.meant(_rule(ear, "help", to=ear.companion), costly=True)
    return _posed(ear)


def _go(ear: Ear) -> Meant:
    """Return the way that is named, or the only one; several are asked about."""
    if ear.part.place:
        sure = TONED if ear.part.sure >= HEARD else 0.0
        return ear.pick(f"go:{ear.part.place.id}", sure=sure)
    if ear.who:
        return _posed(ear)
    ways = ear.options("go")
    if len(ear.part.words) > 2 * SHORT and len(ways) != 1:
        return _posed(ear)
    return ear.one_of(ways) if ways else _posed(ear)


def _flee(ear: Ear) -> Meant:
    if ear.part.place:
        return _go(ear)
    ways = ear.options("go")
    if not ear.barred and len(ear.part.words) > SHORT:
        return _posed(ear)
    return ear.one_of(ways) if ways else _posed(ear)


def _sneak(ear: Ear) -> Meant:
    option = f"sneak:{ear.barred}"
    return ear.pick(option) if ear.label(option) else _tried(ear)


def _rest(ear: Ear) -> Meant:
    """Return a rest: the one that is called by its name; a night where one can sleep is asked."""
    for option in ("short_rest", "long_rest"):
        names = RESTS[option]
        if any(find(ear.part.words, words_of(name)) is not None for name in names.both):
            return ear.pick(option, sure=CLEAR if len(ear.part.words) > 2 * SHORT else PLAINLY)
    scene = ear.book.story.scenes.get(ear.table.expedition.scene)
    if scene and scene.safe:
        labels = tuple(name.of(ear.table.lang) for name in RESTS.values())
        return Meant(sure=ear.part.sure, choices=labels, which=True, costly=True)
    found = ear.pick("short_rest")
    return found.model_copy(update={"named": len(ear.part.words) <= SHORT})


RESTS = {
    "short_rest": Text(en="short rest", fr="repos court"),
    "long_rest": Text(en="long rest", fr="repos long"),
}


def _invite(ear: Ear) -> Meant:
    to = ear.person
    return (
        ear.meant(Act(do="follow", to=to, text=ear.part.text), costly=True) if to else _posed(ear)
    )


def _give(ear: Ear) -> Meant:
    """Return a gift of something carried; "I will, if" is only said."""
    part = ear.part
    to = ear.companion or ear.person
    if to and conditional(part.words):
        return ear.meant(Act(do="say", to=to, approach="bargain", text=part.text))
    if not to or not ear.thing:
        return Meant(sure=part.sure, costly=True, named=False)
    return ear.meant(Act(do="give", to=to, item=ear.thing, text=part.text), costly=True)


def _take(ear: Ear) -> Meant:
    words = ear.part.words[2 if ear.part.words[:1] and len(ear.part.words[0]) < 3 else 1 :]
    item = " ".join(words)[:40] or "?"
    return ear.meant(Act(do="take", item=item, text=item), costly=ear.fighting)


def _trade(ear: Ear) -> Meant:
    return _say(ear, ear.part.text, sure=ear.part.sure)


def _wait(ear: Ear) -> Meant:
    return ear.meant(Act(do="wait", text=ear.part.text), costly=True)


IN_FIGHT: dict[str, Callable[[Ear], Meant]] = {
    "attack": _strike,
    "drink": _use,
    "use": _use,
    "equip": _equip,
    "heal": _heal,
    "help": _help,
    "defend": _stance("dodge"),
    "sneak": _stance("hide"),
    "flee": _stance("flee"),
    "wait": _wait,
    "yield": lambda ear: ear.meant(Act(do="yield", text=ear.part.text), costly=True),
    "go": _close_in,
    "manoeuvre": _wrestle,
    "give": _give,
    "take": _take,
    "buy": _trade,
    "sell": _trade,
}
ON_THE_WAY: dict[str, Callable[[Ear], Meant]] = {
    "attack": _quarrel,
    "search": lambda ear: ear.pick("search", costly=bool(ear.barred)),
    "go": _go,
    "flee": _flee,
    "sneak": _sneak,
    "drink": _use,
    "use": _use,
    "equip": _equip,
    "heal": _heal,
    "rest": _rest,
    "wait": _wait,
    "follow": _invite,
    "give": _give,
    "take": _take,
    "buy": _trade,
    "sell": _trade,
}
