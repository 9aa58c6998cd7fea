"""Understands a message without a model: its clauses, their topics, and the orders they contain.

A trained classifier (`reader.bin`) gives each clause a topic with a probability. The rules here
decide what to do when it is unsure, and how clauses relate: conditions, follow-ups, repetitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from ruleplay.agents.battle.domain.meaning import (
    OF_THIS_TURN,
    ORDERS,
    Act,
    Heard,
    Named,
    Thing,
    options,
)
from ruleplay.agents.battle.domain.phrases import stats_written
from ruleplay.agents.battle.domain.wishes import ANYBODY, MILD, SETTINGS, Limit
from ruleplay.agents.battle.policy.names import Lexicon, quoted, unknown_names
from ruleplay.agents.battle.state import Spoken
from ruleplay.hearing.classifier import Guess, fold, load
from ruleplay.hearing.encoder import alike
from ruleplay.hearing.joints import clauses
from ruleplay.telling.number_words import spelled

PACKAGE = "ruleplay.agents.battle"
"""Where the trained classifiers are."""
SURE = 0.5
"""Probability from which a question's topic is answered; below it the likeliest are offered."""
SURE_OF_ORDER = 0.6
"""The same for orders, which change how we play."""
SURE_OF_TONGUE = 0.7
"""The same for language, side, span, and whether a clause is a question."""
SURE_OF_BOTH = 0.85
"""Joint probability of the two likeliest topics from which both are answered."""
OFFERED, LIKELY = 3, 0.15
"""How many of the likeliest topics are offered, and the least probability of each."""
LEANS = 0.33
"""Probability from which an unclear question's topic is accepted beside others."""
BESIDE = 0.8
"""Probability from which an aside's topic is answered next to the rest of a message."""
SHORT = 3
"""Fewer words than this do not make a clause of their own."""
CONDITIONS = frozenset({"enters", "falls", "kills", "lives", "proviso"})
"""Topics of clauses that state a condition of a neighbouring order, unless they are questions."""
ASIDES = frozenset(
    {
        *("bot", "record", "fair", "them", "weaker", "numbers", "undo", "hurry", "takeover"),
        *("bye", "clock", "wait", "luck", "lesson", "novice", "reproach", "other"),
    }
)
"""Topics about us and the server, which the classifier also finds in casual remarks."""
TALK = frozenset({"talk", "cheer", "lament", "hello", "thanks", "yes", "novice"})
"""Small talk, which is only answered if a message says nothing else."""
IN_NEED = ("unless you have to", "unless it wins the game", "sauf si tu n'as pas le choix")
AGAINST = ("except against him", "sauf contre lui")
EXCEPTED, TAIL = 0.6, 8
"""How near in meaning the end of a wish, up to TAIL words, is to one of these if it lifts it."""
GONE_ON = 0.9
"""Probability below which the topic just answered may really be another question about it."""
OPPOSED = (
    frozenset({"tera_now", "no_tera"}),
    frozenset({"tera_now", "tera"}),
    frozenset({"stay", "leave"}),
    frozenset({"forfeit", "chance"}),
    frozenset({"spend", "sack"}),
    frozenset({"safer", "safest"}),
)
"""Orders that must not be mistaken for one another; if both are likely, we ask back."""
WONDERED = {
    **dict.fromkeys(("tera_now", "no_tera"), "tera"),
    **dict.fromkeys(("use", "switch"), "considered"),
    **dict.fromkeys(("stay", "attack", "hardest", "heal", "lay"), "advice"),
    **dict.fromkeys(("spend", "keep"), "sack"),
    "leave": "switches",
    "boost": "setup",
    "finish": "damage",
    "safer": "safest",
    "forfeit": "chance",
}
"""Order topics, and the question that the same words ask when they are a question."""
THEIR_ACTS = {"boost": "setup", "leave": "enters", "stay": "threat", "heal": "threat"}
"""Order topics, and the question that the same words raise when theirs does it: "they set up"."""
SURE_OF_THEIRS = 0.95
"""Probability from which an order's words are about theirs; orders to us seldom reach it."""
SUPPOSED = {"kills": "damage", "lives": "survive", "falls": "without"}
"""Condition topics, and the question they ask: "and if it falls first?"."""
ABOUT = frozenset(
    {
        *("speed", "damage", "survive", "sets", "item", "tera", "matchup", "ability", "types"),
        *("status", "accuracy", "pp", "enters", "again", "without", "sack", "considered"),
        *("switches", "setup", "use", "switch", "keep", "spend", "another", "finish", "stay"),
    }
)
"""Topics that are about a certain Pokémon or move.

If the message names one that is unknown here, we ask rather than answer about another.
"""
OF_MOVES = frozenset({"pp", "accuracy"})
"""Topics that are about moves only."""
MONS = ("ours", "theirs", "species")
"""Kinds of names that stand for a Pokémon."""
WHOLE = frozenset({"reproach", "past", "novice", "explain"})
"""Topics that are about everything the whole message names, not only their own clause."""
OF_A_TURN = frozenset({"luck", "damage", "survive", "crit", "explain", "other"})
"""Topics that remain what is asked about a past turn; all others ask about its choice."""
DOUBTS = {"tera": ("tera_now", "no_tera"), "advice": OF_THIS_TURN, "considered": OF_THIS_TURN}
"""Questions that put an order before them in the same message in doubt."""


_MARK = re.compile(r"<\w+>")
_ENDS = (".", "!", "?")


def is_usual(word: str) -> bool:
    """Check whether a word is an everyday one, which is not a name by itself."""
    return load(PACKAGE, "reader.bin").knows_any([fold(word)])


def spoken_of(heard: Heard, before: Spoken | None) -> Spoken:
    """Note what was discussed, so that the next message can refer to it."""
    if not heard.topic and before:
        return before.model_copy(update={"language": heard.language})
    found = {kind: options(heard.named, kind) for kind in ("ours", "theirs", "move")}
    named: dict[str, str] = {kind: things[0].id for kind, things in found.items() if things}
    turn = next((int(one.id) for one in options(heard.named, "turn")), 0)
    follows = heard.topic in ("tera", "crit") and before and not (named.keys() - {"move"})
    kept = before.model_dump(include={"ours", "theirs", "move"}) if before and follows else {}
    return Spoken.model_validate(
        {**kept, **named, "language": heard.language, "topic": heard.topic, "turn": turn}
    )


def whom(named: Named, *kinds: str) -> str:
    """Find the Pokémon named last, as in "if it leaves for that one"; ANYBODY if none is named."""
    found = options(named, *kinds)
    return found[-1].id if found else ANYBODY


@dataclass(frozen=True)
class Clause:
    """A clause with the things it names and its topic; `label` is "" if unclear, see `choices`."""

    named: Named
    label: str
    choices: tuple[str, ...] = ()
    span: str = ""
    only: str = ""
    side: str = ""
    effect: str = ""
    when: str = ""
    sure: float = 1.0
    question: float = 0.0
    """Probability that it is a question, judged by its words without the question mark."""
    wish: str = ""
    """A standing wish that it may express although it is a question; we offer it."""
    supposes: bool = False
    """Whether it is a condition put as a question, which an order beside it depends on."""
    beside: str = ""
    """The second topic, if the clause surely asks one of two things; both are answered."""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.named.marked.rstrip().endswith("?") or self.question >= SURE_OF_TONGUE

    @property
    def runs_into(self) -> bool:
        """Whether no punctuation stands between it and the next clause."""
        return self.named.marked.rstrip()[-1:] not in {*_ENDS, ",", ";", ":"}

    @property
    def runs_on(self) -> bool:
        """Whether it is a question that the next clause continues: "why not" before "stay in"."""
        return self.asks and self.runs_into

    @property
    def likeliest(self) -> str:
        """Its topic; for unclear questions the likeliest one."""
        return self.label or (self.choices[0] if self.asks and self.choices else "")

    @property
    def is_condition(self) -> bool:
        """Whether it only states when an order applies."""
        return self.label in CONDITIONS and not self.named.marked.rstrip().endswith("?")


def hear(message: str, names: Lexicon, before: Spoken | None, offered: int, out: str = "") -> Heard:
    """Understand a message without a model.

    `before` is what the previous message was about, `offered` the number of wishes to choose from,
    and `out` the ident of our active Pokémon.
    """
    reader, message = load(PACKAGE, "reader.bin"), _unbroken(message)
    # An everyday word may be a name or not: the reading with the clearer clauses wins.
    found = (names.find(message), names.find(message, plain=True))
    named = max(found, key=_least_sure)
    with_items = names.find(message, items=True)
    unnamed = _clause(named).label == "item" and not options(named, "item")
    if unnamed or _least_sure(named) < SURE <= _least_sure(with_items):
        named = with_items  # an everyday word, "the handkerchief", that only makes sense as an item
    # What a turn is called tells the language, too.
    marked = replace(names, turn=0).find(message).marked if options(named, "turn") else named.marked
    language = tongue_of(marked, before.language if before else "")
    number = message.strip().rstrip(".)")
    cut = [piece for part in _parts(named) for piece in _headed(_clause(part))]
    parts, whole = [*_rejoined(cut)], _clause(named)
    repeats = any(part.label == "again" for part in parts)  # "no, Snorlax! Snorlax!"
    parts = [*_addressed(_sent_off(part, parts, out) for part in _taken_back(parts))]
    topic = before.topic if before else ""
    parts = [_gone_on(_on_topic(part, topic), topic) for part in parts]
    parts = [*_resumed(parts, topic, repeats=repeats)]
    said = [part.label for part in parts]
    # Splitting may have cut a question in two: then the message read as a whole is clearer.
    alone = any(_begins(one, before) for before, one in pairwise(parts))
    if not alone and whole.label and "" in said and {*said} - {*TALK} == {"", whole.label}:
        most = max(len(one.named.names) for one in parts)
        parts = [whole] if len(named.names) == most else parts
    # A bare number, "yes" or "the second" answers what was offered.
    if offered and number.isdecimal():
        picked = min(9, int(number[:2]))
    elif offered == 1 and parts[0].label == "yes":
        picked = 1
    elif offered > 1 and parts[0].label == "pick" and not named.names:
        nth = reader.read(named.marked)["nth"][0]
        picked = int(nth.label) if nth.sure >= SURE else 0
    else:
        turns = options(whole.named, "turn")
        if repeats and before and before.turn and not turns:
            turns = (Thing("turn", str(before.turn)),)  # "and Snorlax?", of the turn before
        return _joined(language, named, [_on_turn(one, turns, whole.when) for one in parts])
    return Heard(language, named, orders=((Act(do="pick", number=picked), named),))


def tongue_of(marked: str, before: str) -> str:
    """Find the language of a message whose names are marked; `before` is that of the last one."""
    tongue = load(PACKAGE, "reader.bin").read(marked)["tongue"][0]
    # A message of names alone has no language, and short ones are easily mistaken for another's.
    plain = _MARK.sub("", marked).strip(" .,!?")
    doubtful = not plain or (before and tongue.sure < SURE_OF_TONGUE)
    return (before or "en") if doubtful else tongue.label


def _on_turn(clause: Clause, turns: Sequence[Thing], when: str) -> Clause:
    """Read a clause as being about the past turn that it, or else the message, names.

    `turns` and `when` are those of the message.
    Nothing can be ordered for a turn that is past, so words of an order ask about it.
    """
    own = clause.named.of("turn")
    if own and clause.label in {"", *ORDERS, *CONDITIONS}:
        return replace(clause, label="past", choices=(), question=1.0)
    if not clause.asks or clause.likeliest in TALK:
        return clause
    alone = [(turn,) for turn in turns if len(turns) == 1 and not own]
    named = replace(clause.named, names=(*clause.named.names, *alone))
    about = replace(clause, named=named, when=clause.when or when)
    if not options(named, "turn") or clause.label in OF_A_TURN:
        return about
    return replace(about, label="past", choices=(), beside="")


def _unbroken(message: str) -> str:
    """Drop the stops inside the names of stats ("Déf. Spé."), where no sentence ends."""
    for name in (one for one in stats_written() if "." in one):
        message = re.sub(re.escape(name), name.replace(".", ""), message, flags=re.IGNORECASE)
    return message


def _rejoined(found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield clauses, with orders that are part of a question turned into questions.

    Words that run into an order may belong to it: "if their <mon> | terastallizes". After unclear
    words, in a sentence that ends in a question, an order's words are what it is about.
    """
    left = [*found]
    while left:
        here, after, left = left[0], left[min(1, len(left) - 1)], left[1:]
        if left and after.label in ORDERS and here.named.marked.rstrip().endswith(("«", "“", "„")):
            left[0] = replace(after, label="talk")  # a word in quotation marks is only spoken of
        elif left and after.label in ORDERS and here.runs_into:
            names = (*here.named.names, *after.named.names)
            joined = _clause(Named(names, here.named.marked + after.named.marked))
            own = here.label if after.named.names and not here.named.names else ""  # "dont | use X"
            if joined.label and joined.label not in {*ORDERS, *CONDITIONS} - {own}:
                left[0] = joined
                continue
            beside = [one for one in _sentence(left) if one.asks and one is not after]
            if not here.label and beside:
                about = WONDERED.get(after.label, "")
                left[0] = replace(after, label=about, question=1.0)
                if about == "advice" and any(one.likeliest for one in beside):
                    left = [*map(_leaning, left[1:])]  # "if we just stay in and they …?"
        yield here


def _sentence(found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses up to the end of the first sentence."""
    for one in found:
        yield one
        if one.named.marked.rstrip()[-1:] in _ENDS:
            return


def _least_sure(named: Named) -> float:
    """Compute the probability of the topic of the least clear clause."""
    reader = load(PACKAGE, "reader.bin")
    return min(reader.read(part.marked)["topic"][0].sure for part in _parts(named))


def _begins(clause: Clause, before: Clause) -> bool:
    """Check whether an unclear question is a sentence of its own."""
    return not clause.label and _may_ask(clause) and before.named.marked.rstrip()[-1:] in _ENDS


def _parts(named: Named) -> Iterator[Named]:
    """Split a message into clauses, each with its names."""
    left, reader = iter(named.names), load(PACKAGE, "reader.bin").by_words()

    def sure(text: str) -> float:
        return reader.read(text)["topic"][0].sure

    for text in clauses(named.marked, load("ruleplay.hearing", "joints.bin"), sure):
        # Each `<mark>` in the text stands for one name, in order.
        yield Named(tuple(islice(left, len(_MARK.findall(text)))), text)


def _clause(named: Named) -> Clause:
    """Classify a clause, and decide whether its topic is clear enough to act on."""
    read = load(PACKAGE, "reader.bin").read(named.marked)
    question = next((one.sure for one in read["asks"] if one.label == "yes"), 0.0)
    only = read["only"][0]
    sure = only.label == "otherwise" or only.sure >= SURE_OF_ORDER
    heard = Clause(named, "", question=question, only=only.label if sure else "?")
    guesses = _able(read["topic"], named, asks=heard.asks)
    likeliest = read["topic"][0]
    if theirs := _their_act(likeliest, read["side"][0], named):
        return replace(heard, label=theirs, side="theirs", sure=likeliest.sure)
    heard = replace(heard, wish=_wished(likeliest, asks=heard.asks))
    first, second = guesses[0], guesses[1]
    opposed = any({first.label, second.label} <= pair for pair in OPPOSED)
    # Carrying out a misheard order is worse than answering a misheard question.
    enough = SURE_OF_ORDER if first.label in ORDERS else SURE
    unclear = first.sure < enough or (opposed and first.sure < 2 * second.sure)
    if unclear and heard.asks and (supposed := _folded(guesses, SUPPOSED)[0]).sure >= SURE:
        return _known(replace(heard, label=supposed.label, sure=supposed.sure, supposes=True))
    plain = heard.asks and not {first.label, second.label} & {*ORDERS, *TALK, *CONDITIONS}
    both = unclear and plain and first.sure + second.sure >= SURE_OF_BOTH
    # A question is never carried out as an order, however likely the topic.
    if (unclear and not both) or (heard.asks and first.label in ORDERS):
        left = _folded(guesses, SUPPOSED if heard.asks else {})[:OFFERED]
        likely = tuple(one.label for one in left if one.sure >= LIKELY)
        heard = replace(heard, choices=likely or (first.label,), sure=first.sure)
        return replace(heard, supposes=first.label in CONDITIONS)
    span, side = (
        one.label if one.sure >= SURE_OF_TONGUE and one.label != "none" else ""
        for one in (read["span"][0], read["side"][0])
    )
    kind = read["effect"][0]
    effect = kind.label if first.label == "lasts" and kind.sure >= SURE else ""
    when = when_of(named) if heard.asks else ""
    found = replace(heard, label=first.label, span=span, side=side, effect=effect, when=when)
    return _known(replace(found, sure=first.sure, beside=second.label if both else ""))


def when_of(named: Named) -> str:
    """Find what happened in the turn that a question is about: one fell, or terastallized."""
    guess = load(PACKAGE, "reader.bin").read(named.marked)["when"][0]
    return guess.label if guess.sure >= SURE_OF_TONGUE and guess.label != "none" else ""


def _their_act(first: Guess, side: Guess, named: Named) -> str:
    """Find the question that "they set up" raises; "" for anything else, orders to us included."""
    sure = first.sure >= SURE and side.label == "theirs" and side.sure >= SURE_OF_THEIRS
    return THEIR_ACTS.get(first.label, "") if sure and not options(named, "ours") else ""


def _wished(first: Guess, *, asks: bool) -> str:
    """Find the standing wish in a question such as "no tera until then, ok?"."""
    return first.label if asks and first.label in MILD and first.sure >= SURE_OF_ORDER else ""


def _folded(guesses: Sequence[Guess], into: Mapping[str, str]) -> list[Guess]:
    """Merge labels as `into` says, adding their probabilities; the likeliest come first."""
    shares = dict[str, float]()
    for guess in guesses:
        label = into.get(guess.label, guess.label)
        shares[label] = shares.get(label, 0.0) + guess.sure
    return [Guess(*one) for one in sorted(shares.items(), key=lambda each: -each[1])]


def _known(clause: Clause) -> Clause:
    """Turn a clause about a name that is unknown here into one that asks back."""
    unknown = unknown_names(clause.named) if clause.label in ABOUT else ()
    if not unknown:
        return clause
    return Clause(replace(clause.named, names=(*clause.named.names, *unknown)), "unknown")


def _resumed(found: Sequence[Clause], topic: str, *, repeats: bool) -> Iterator[Clause]:
    """Replace "and that one?" by the question it repeats about somebody or something else.

    `topic` is that of the last question, in the previous message or an earlier clause of this one.
    """
    topic = "" if topic == "asked" else topic
    for clause in found:
        short = len(clause.named.marked.split()) < SHORT and clause.label in ("switch", "another")
        if clause.label == "again" or (repeats and short):
            yield replace(clause, label=topic, choices=() if topic else ("again",))
            continue
        topic = topic if clause.label in {"", *ORDERS, *TALK} else clause.label
        yield clause


def _on_topic(clause: Clause, topic: str) -> Clause:
    """Accept a likely order if it is about what was asked before: "not yet, then"."""
    likeliest = next(iter(clause.choices), "")
    meant = topic and WONDERED.get(likeliest) == topic and not clause.asks
    return replace(clause, label=likeliest, choices=()) if meant and clause.sure >= SURE else clause


def _gone_on(clause: Clause, topic: str) -> Clause:
    """Read what may be the question just answered, but names nobody, as another one about that.

    "Who is the worst of them? And who of ours can take it?" has the same words for both.
    """
    if clause.label != topic or not clause.asks or clause.named.names or clause.sure >= GONE_ON:
        return clause
    read = load(PACKAGE, "reader.bin").read(clause.named.marked)["topic"]
    other = _able(read, clause.named, asks=True)[1]
    new = other.sure >= LIKELY and other.label in ABOUT - ORDERS - CONDITIONS
    return replace(clause, label=other.label) if new else clause


def _addressed(found: Iterable[Clause]) -> Iterator[Clause]:
    """Read one of theirs that "is sent in" beside anything else that is said as merely spoken of.

    Nobody can send in one of theirs: "wait, Lugia scares me, is it their worst?".
    """
    parts = [*found]
    for one in parts:
        theirs = options(one.named, "theirs") and not options(one.named, "ours", "move")
        said = [each for each in parts if each is not one]
        more = any(each.asks or each.label not in {"", *TALK} for each in said)
        spoken = one.label == "switch" and theirs and more
        yield replace(one, label="talk") if spoken else one


def _headed(clause: Clause) -> list[Clause]:
    """Cut an unclear clause behind the name that its first words surely order.

    What follows may be mere talk, "send that one pls i bet it walls them"; if it may qualify the
    order, we ask back.
    """
    end, named = _MARK.search(clause.named.marked), clause.named
    if clause.label or clause.asks or not (end and named.marked[: end.start()].strip()):
        return [clause]
    head = _clause(Named(named.names[:1], named.marked[: end.end()]))
    tail = _clause(Named(named.names[1:], named.marked[end.end() :]))
    if head.label not in ("use", "switch") or len(tail.named.marked.split()) < SHORT:
        return [clause]
    if (tail.label or next(iter(tail.choices), "")) in TALK:
        return [head, replace(tail, label="talk", choices=())]
    return [replace(clause, choices=(head.label,), sure=SURE)]


def _taken_back(found: Sequence[Clause]) -> list[Clause]:
    """Drop what the message itself takes back: "lose that one… no, don't; keep it".

    What likely wants the opposite next is about whom the dropped clause named first.
    """
    weighed = {*OF_THIS_TURN, *SETTINGS, *WONDERED.values()} - {"another"}
    said = [at for at, one in enumerate(found) if one.label not in TALK]
    for before, at in pairwise(said):
        here, last = found[at], found[before]
        back = here.label == "another" and not here.named.names and last.named.names
        if back and last.likeliest in weighed and at < said[-1]:
            about = replace(last.named, names=last.named.names[:1])
            after = [_opposite(one, about) for one in found[at + 1 :]]
            return [*found[:before], *found[before + 1 : at], *after]
    return [*found]


def _opposite(clause: Clause, about: Named) -> Clause:
    """Read "keep it" behind what was taken back as being about that one."""
    likeliest = clause.label or next(iter(clause.choices), "")
    if clause.named.names or likeliest not in ("keep", "spend"):
        return clause
    named = replace(clause.named, names=about.names)
    return replace(clause, label=likeliest, choices=(), named=named)


def _sent_off(clause: Clause, beside: Sequence[Clause], out: str) -> Clause:
    """Read an order to send in the active Pokémon as one to leave, if another is to come in."""
    sent = {thing.id for thing in options(clause.named, "ours")}
    leaves = clause.label == "switch" and any(one.label == "leave" for one in beside)
    return replace(clause, label="leave") if leaves and sent == {out} else clause


def _joined(language: str, named: Named, found: Sequence[Clause]) -> Heard:
    """Combine the clauses of a message: its orders, and its questions without asides and talk."""
    orders = _as_one([*_orders(found)])
    asked = [one for one in _going_on(found, orders) if one.label not in TALK]
    # An aside is only answered if there is nothing else.
    asked = [o for o in asked if not _is_aside(o) or len(asked) + len(orders) == 1]
    given = {one.label for one in found}
    asked = [o for o in asked if o.asks or not (may := ORDERS & {*o.choices}) or may - given]
    asked = [_continued(o, before) for before, o in zip([None, *asked], asked, strict=False)]
    if orders or any(one.label for one in asked):  # what is unclear beside them is a mere remark
        asked = [*map(_leaning, (o for o in asked if o.label or _may_ask(o) or _may_order(o)))]
    # Nothing but small talk: the longest clause is answered.
    if not (asked or orders):
        asked = [max(found, key=lambda one: len(one.named.marked))]
    asked = [
        each
        for one in asked
        for each in (one, *([replace(one, label=one.beside)] if one.beside else []))
    ]
    asked = [replace(o, named=named if o.label in WHOLE else o.named) for o in asked]
    # A question that is asked twice is answered once.
    told = {(one.label, one.choices, one.named.names, one.side): one for one in asked}
    first, *also = [
        Heard(
            language,
            one.named,
            one.label,
            one.choices,
            side=one.side,
            effect=one.effect,
            when=one.when,
            asks=one.asks,
            supposes=one.supposes,
        )
        for one in told.values()
    ] or [Heard(language, named)]
    return replace(first, orders=orders, also=tuple(also))


def _is_aside(clause: Clause) -> bool:
    """Check for a topic about us or the server that is uncertain or only a word or two long."""
    short = len(clause.named.marked.split()) < SHORT
    return clause.label in ASIDES and (short or clause.sure < BESIDE)


def _may_ask(clause: Clause) -> bool:
    """Check whether an unclear clause should be answered as a question."""
    return clause.asks and (clause.named.marked.rstrip()[-1:] == "?" or clause.sure >= LEANS)


def _may_order(clause: Clause) -> bool:
    """Check whether an unclear clause is likely enough an order to ask about it.

    One that names what is ours to play may be one, even if something else is likelier.
    """
    likely = clause.choices[0] in ORDERS and clause.sure >= SURE_OF_ORDER / 2
    ours = options(clause.named, "ours") and ORDERS & {*clause.choices}
    return bool(likely or ours) and not TALK & {*clause.choices}


def _continued(clause: Clause, before: Clause | None) -> Clause:
    """Read a question as continuing the one in the clause before, if it asks the same.

    If it names another kind of thing, it is about both: "its tera? what does it change for that?".
    "How many times?" after a question about terastallization is not about moves.
    """
    names = (*clause.named.names, *(before.named.names if before else ()))
    if before and clause.label in OF_MOVES and before.label in ("explain", "tera") and not names:
        return replace(clause, label=before.label, named=before.named)
    own, theirs = ({name[0].kind for name in one.named.names} for one in (clause, before or clause))
    same = before is not None and clause.label == before.label and not own & theirs
    if before is None or not before.label or not (same or before.label in clause.choices):
        return clause
    names = tuple(dict.fromkeys((*before.named.names, *clause.named.names)))
    return replace(clause, label=before.label, named=replace(clause.named, names=names), choices=())


def _leaning(clause: Clause) -> Clause:
    """Accept the likeliest topic of an unclear question that names nothing, next to clear ones."""
    likeliest = next(iter(clause.choices), "")
    leans = likeliest not in ORDERS and not _MARK.search(clause.named.marked)
    leans = leans and clause.sure >= LEANS
    return replace(clause, label=likeliest, choices=()) if likeliest and leans else clause


def _orders(found: Sequence[Clause]) -> Iterator[tuple[Act, Named]]:
    """Yield the orders in the clauses, each with its condition.

    A condition belongs to the order after it; if none follows, to the last order.
    """
    acts, waiting = list[tuple[Act, Named]](), dict[str, str]()
    for at, clause in enumerate(found):
        lifts = clause.label == "proviso" and acts and acts[-1][0].unless
        if clause.is_condition and not lifts:
            behind = next((one.label for one in found[at:] if one.label in ORDERS), "")
            waiting = _condition(clause, acts[-1][0].do if acts else behind)
        instead = clause.only == "otherwise" and clause.label in ORDERS
        if waiting and acts and (instead or waiting.get("only") in ("kills", "lives")):
            acts[-1], waiting = _under(acts[-1], waiting), {}
        if clause.label in ORDERS:
            # "Use it. Or should we leave?" doubts the order, so we ask before carrying it out.
            later = {one.likeliest for one in found[at + 1 :] if one.side != "theirs"}
            doubted = any(clause.label in DOUBTS.get(label, ()) for label in later)
            doubted |= at > 0 and found[at - 1].runs_on and clause.label in OF_THIS_TURN
            if instead and acts and acts[-1][0].only:
                waiting = {"only": "otherwise"}
            doubted |= instead and not acts and at > 0  # we did not hear of what else it depends
            told = {"do": clause.label, "doubted": doubted, **_lasting(clause), **waiting}
            told |= _lifted(clause, next(iter(found[at + 1 : at + 2]), None))
            acts.append(_excepted(Act.model_validate(told), clause))
            waiting = {}
        elif clause.supposes and acts and acts[-1][0].do in MILD:
            acts[-1] = _under(acts[-1], {"only": "other"})
        elif clause.wish:
            acts.append(_excepted(Act.model_validate({"do": clause.wish, "doubted": True}), clause))
    if waiting and acts:
        acts[-1] = _under(acts[-1], waiting)
    yield from acts


def _lasting(clause: Clause) -> dict[str, object]:
    """Find for how long an order is; where they count turns but no number is read, it is one."""
    if clause.span != "turns":
        return {"span": clause.span}
    words = fold(clause.named.marked).split()
    counted = (
        int(word) if word.isdecimal() else (read := spelled(words, at)) and int(read.value)
        for at, word in enumerate(words)
    )
    turns = next((number for number in counted if number and number > 1), 0)
    return {"turns": min(turns, 99)} if turns else {"span": "this"}


def _excepted(act: Act, clause: Clause) -> tuple[Act, Named]:
    """Read who is excepted ("only that one may"), and against whom something is ruled out."""
    named, mine, foes = clause.named, clause.named.of("ours"), clause.named.of("theirs")
    if act.do == "no_tera" and mine and clause.only == "except":
        excepted = Limit(sign="out", name=mine[0])
        return act.model_copy(update={"unless": excepted}), Named((), named.marked)
    if act.do == "no_tera" and mine and clause.only != "none":
        act = act.model_copy(update={"doubted": True})  # that one, or all but that one
    if act.do == "another" and foes and not act.when:
        act = act.model_copy(update={"when": foes[0]})
    return act, named


def _lifted(clause: Clause, after: Clause | None) -> dict[str, object]:
    """Find what lifts a wish for a turn, at its end or in the unclear clause `after` it."""
    if clause.label not in {*MILD, "another"}:
        return {}
    words, told = (
        clause.named.marked.split(),
        after if after and after.label in ("", "proviso") else None,
    )
    ends = [" ".join(words[at:]) for at in range(max(1, len(words) - TAIL), len(words) - 1)]
    ends += [told.named.marked] if told and clause.named.marked.rstrip()[-1:] not in _ENDS else []
    near = [(alike(end, (*IN_NEED, *AGAINST)), _MARK.search(end)) for end in ends]
    theirs = [*(told or clause).named.of("theirs"), *clause.named.of("theirs")]
    if any(max(one[len(IN_NEED) :]) >= EXCEPTED and mark for one, mark in near) and theirs:
        return {"unless": Limit(sign="out", name=theirs[0])}
    if any(max(one[: len(IN_NEED)]) >= EXCEPTED and not mark for one, mark in near):
        return {"unless": Limit(sign="costs")}
    proviso = told if told and not told.label and "proviso" in told.choices else None
    return {"only": "other", "said": quoted(Heard("", proviso.named))[:200]} if proviso else {}


def _condition(clause: Clause, order: str) -> dict[str, str]:
    """Translate a condition into the fields of an act."""
    label = clause.label
    if label == "enters":
        return {"when": whom(clause.named, "theirs", "species")}
    # A Pokémon that is yet to be sent in knocks nobody out this turn.
    if label == "falls" or (label == "kills" and order == "switch"):
        return {"once": whom(clause.named, "ours", "theirs", "species")}
    if label == "proviso":
        return {"only": "other", "said": quoted(Heard("", clause.named))[:200]}
    return {"only": label}


def _as_one(orders: Sequence[tuple[Act, Named]]) -> tuple[tuple[Act, Named], ...]:
    """Drop orders that are part of others: in "get out, bring that one in", leaving is implied.

    Of two contradictory orders the last counts.
    """
    plain = [act.do for act, _ in orders if not act.is_bound]
    stays = dict.fromkeys(("attack", "hardest", "boost", "heal", "lay", "finish"), ("stay",))
    parts = {"switch": ("leave", "another"), "use": ("stay", "another"), "leave": ("another",)}
    parts |= stays
    part = {small for whole, smalls in parts.items() if whole in plain for small in smalls}
    tera = "use" in plain and any(a.do == "tera_now" and not options(n, "move") for a, n in orders)
    last = {act.do: at for at, (act, _) in enumerate(orders)}
    if last.get("tera_now", len(orders)) < last.get("no_tera", -1):
        part.add("tera_now")
    return tuple(
        (act.model_copy(update={"tera": act.tera or (tera and act.do == "use")}), named)
        for act, named in _said_once(orders)
        if (act.do not in part or act.rules_out) and not (tera and act.do == "tera_now")
    )


def _said_once(orders: Sequence[tuple[Act, Named]]) -> Iterator[tuple[Act, Named]]:
    """Drop repeated orders: "don't switch, don't switch".

    If an order is repeated for any switch ("if they leave, that too"), it applies without
    condition.
    """
    said = [act.do for act, _ in orders]
    more = (
        act.do for at, (act, named) in enumerate(orders) if not named.names and act.do in said[:at]
    )
    again = set(more)
    for at, (act, named) in enumerate(orders):
        either = act.do in again and act.when == ANYBODY
        if at == said.index(act.do) or named.names:
            yield act.model_copy(update={"when": ""} if either else {}), named


def _under(order: tuple[Act, Named], condition: Mapping[str, str]) -> tuple[Act, Named]:
    """Add a condition to an order."""
    return order[0].model_copy(update=condition), order[1]


def _going_on(found: Sequence[Clause], orders: Sequence[tuple[Act, Named]]) -> Iterator[Clause]:
    """Yield the questions; one that names no Pokémon is about those named before it.

    One that names nothing at all also takes over the moves named before.
    """
    spoken: tuple[tuple[Thing, ...], ...] = ()
    for one in found:
        names = one.named.names
        mons = tuple(name for name in names if name[0].kind in ("ours", "theirs"))
        # "And with that item?" is about the move before, as well.
        goes_on = all(name[0].kind == "item" for name in names)
        before = [name for name in spoken if goes_on or name[0].kind in ("ours", "theirs")]
        # In "keep that one. what do we play?", the question is about nobody.
        alone = mons or one.label == "advice"
        kept = one.named if alone else replace(one.named, names=(*names, *before))
        if one.label in TALK or not (one.label or one.asks):  # "mine is low, that one is full"
            here = (name for name in names if name[0].kind != "species")
            spoken = (*spoken, *here)  # "I stopped playing at Mewtwo" is not about one here
        else:
            spoken = (*names, *before) if names and not mons else names or spoken
        given = one.is_condition or (one.supposes and one.named.marked.rstrip()[-1:] != "?")
        if one.label not in ORDERS and not (orders and given):
            yield replace(one, named=kept)


def _able(guesses: Sequence[Guess], named: Named, *, asks: bool) -> tuple[Guess, ...]:
    """Rule out topics that the named things make impossible; others gain their probability.

    Moves cannot be sent in and Pokémon cannot be used, which tells these two orders apart. If
    `asks`, order topics count as the questions in WONDERED: "do we tera now?" orders nothing.
    """
    shares = {one.label: one.sure for one in _folded(guesses, WONDERED if asks else {})}
    moves, mons = bool(options(named, "move")), bool(options(named, "ours"))
    if moves != mons and not asks:
        to, off = ("use", "switch") if moves else ("switch", "use")
        shares[to] = shares.get(to, 0.0) + shares.pop(off, 0.0)
    foes = bool(options(named, "theirs", "species"))
    if mons and not (foes or asks):  # only theirs come in as a condition
        shares.pop("enters", None)
    if not mons:
        for label in ("keep", "spend", "sack") if foes else ():
            shares.pop(label, None)
        for label in ("tera_now", "no_tera") if foes else ():  # we cannot order theirs
            shares["tera"] = shares.get("tera", 0.0) + shares.pop(label, 0.0)
    whole = sum(shares.values()) or 1.0
    return tuple(_folded([Guess(label, share / whole) for label, share in shares.items()], {}))
