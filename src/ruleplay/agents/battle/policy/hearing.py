"""What a person's message means: questions by topic, orders and wishes by what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from ruleplay.agents.battle.domain.meaning import (
    OF_THIS_TURN,
    ORDERS,
    Act,
    Heard,
    Named,
    Reading,
    Thing,
    options,
)
from ruleplay.agents.battle.domain.naming import bare, move_name
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.agents.battle.domain.wishes import ANYBODY, MILD, OF_ONE, Limit
from ruleplay.agents.battle.policy.names import Lexicon, moves_of, unknown_names
from ruleplay.agents.battle.state import Spoken
from ruleplay.hearing.classifier import Guess, fold, load
from ruleplay.hearing.joints import clauses

PACKAGE = "ruleplay.agents.battle"
SURE = 0.5
"""How sure a topic has to be to be answered; else the likeliest are offered."""
SURE_OF_ORDER = 0.6
"""The same for what changes how we play."""
SURE_OF_TONGUE = 0.7
SURE_OF_BOTH = 0.85
"""How sure two questions have to be together for both to be answered."""
OFFERED, LIKELY = 3, 0.15
"""How many of the likeliest topics may be meant, and how likely they are at least."""
LEANS = 0.35
"""How sure an unclear question has to be of its topic to be answered beside others."""
BESIDE = 0.8
"""How sure a remark has to be of a topic of its own to be answered beside what else is said."""
SHORT = 3
"""Words of a remark that is no clause of its own."""
CONDITIONS = frozenset({"enters", "falls", "kills", "lives", "proviso"})
"""What holds for the order beside it, where it is no question."""
ASIDES = frozenset(
    {
        *("bot", "record", "fair", "them", "weaker", "numbers", "undo", "hurry", "takeover"),
        *("bye", "clock", "wait", "luck", "lesson", "novice"),
    }
)
"""What is about us and the server, and easily heard in a mere remark."""
TALK = frozenset({"talk", "cheer", "lament", "hello", "thanks", "yes", "novice"})
"""What needs an answer only where a message says nothing else."""
OPPOSED = (
    frozenset({"tera_now", "no_tera"}),
    frozenset({"tera_now", "tera"}),
    frozenset({"stay", "leave"}),
    frozenset({"forfeit", "chance"}),
    frozenset({"spend", "sack"}),
    frozenset({"safer", "safest"}),
)
"""Orders that are not taken for one another: unless it is clear, they are asked back."""
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
"""What is asked by an order's words where they are a question."""
SUPPOSED = {"kills": "damage", "lives": "survive", "falls": "without"}
"""The same of the words of a condition, "and if it falls first?"."""
ABOUT = frozenset(
    {
        *("speed", "damage", "survive", "sets", "item", "tera", "matchup", "ability", "types"),
        *("status", "accuracy", "pp", "enters", "again", "without", "sack", "considered"),
        *("switches", "setup", "use", "switch", "keep", "spend", "another", "finish", "stay"),
    }
)
"""What is never answered or done about another than whom an unknown name means."""
OF_MOVES = frozenset({"pp", "accuracy"})
MONS = ("ours", "theirs", "species")
WHOLE = frozenset({"reproach", "past", "novice", "explain"})
"""What is about all that the whole message names, at least where it names nothing itself."""
DOUBTS = {"tera": ("tera_now", "no_tera"), "advice": OF_THIS_TURN, "considered": OF_THIS_TURN}
"""Questions that take back the orders before them, in the same message."""


_MARK = re.compile(r"<\w+>")
_ENDS = (".", "!", "?")
ASKS = Reading(acts=(Act(do="ask"),))
"""What code lets `propose` return where no model reads: `hear` then does."""


def is_usual(word: str) -> bool:
    """Return whether wordings have a word, which is then no name by itself."""
    return load(PACKAGE, "reader.bin").knows_any([fold(word)])


def lists(position: Position, inference: Inference) -> tuple[tuple[str, str], ...]:
    """Return the names that a message may mean, in lists with their titles."""
    ours = [
        f"{bare(mon.ident)} ({', '.join(map(move_name, mon.known_moves))})"
        for mon in position.ours.team
    ]
    theirs = [bare(mon.ident) for mon in position.theirs.team]
    moves = [move_name(move) for move in moves_of(position, inference)]
    out = [bare(mon.ident) for mon in (position.ours.active, position.theirs.active) if mon]
    return (
        ("On the field, ours first", ", ".join(out)),
        ("Our Pokémon", "; ".join(ours)),
        ("Theirs", ", ".join(theirs)),
        ("Moves of this battle", ", ".join(moves)),
    )


def spoken_of(heard: Heard, before: Spoken | None) -> Spoken:
    """Return what the next message may lean on."""
    if not heard.topic and before:
        return before.model_copy(update={"language": heard.language})
    found = {kind: options(heard.named, kind) for kind in ("ours", "theirs", "move")}
    named = {kind: things[0].id for kind, things in found.items() if things}
    follows = heard.topic in ("tera", "crit") and before and not (named.keys() - {"move"})
    kept = before.model_dump(include={"ours", "theirs", "move"}) if before and follows else {}
    return Spoken.model_validate(
        {**kept, **named, "language": heard.language, "topic": heard.topic}
    )


def reading_problems(reading: Reading, offered: int) -> list[str]:
    """List why a model's reading cannot be used."""
    if not reading.acts:
        return ["acts: say at least what is asked, as `ask`"]
    wrong = [act for act in reading.acts if act.do == "pick" and not 1 <= act.number <= offered]
    told = [f"number {act.number} was not offered" for act in wrong]
    for before, act in pairwise((None, *reading.acts)):
        if act and act.only == "otherwise" and (before is None or not before.only):
            told.append("`otherwise` needs an act before it that has `only`; see `once` and `when`")
        if act and act.only in ("kills", "lives") and act.do not in OF_THIS_TURN:
            told.append(f"{act.do}: `{act.only}` is of orders for this turn; see `once` and `when`")
        told += [
            f"{key}: {why}"
            for key, limit in (act.limits if act else {}).items()
            if (why := _limit_problem(key, limit))
        ]
    return told


def _limit_problem(key: str, limit: Limit) -> str:
    """Say why a limit cannot be told by code; "" where it can."""
    if limit.sign in OF_ONE and not limit.name:
        return f"`{limit.sign}` needs the `name` of one of ours or theirs"
    if limit.sign == "costs":
        return "" if key == "unless" else "`costs` is only of `unless`"
    return "" if limit.number or limit.sign in ("out", "fell") else "`number` is missing"


def as_read(reading: Reading, message: str, names: Lexicon, before: Spoken | None) -> Heard:
    """Return what a model's reading means by the battle's own names."""
    own = names.find(message, plain=True)
    about = (name for one in reading.about for name in names.find(one).names if len(name) == 1)
    orders = tuple(
        (
            act.model_copy(
                update={
                    "when": act.when and _whom(names.find(act.when), "theirs", "species"),
                    "once": act.once and _whom(names.find(act.once), *MONS),
                    **{key: _of_one(limit, names) for key, limit in act.limits.items()},
                }
            ),
            names.find(act.name),
        )
        for act in reading.acts
        if act.do != "ask"
    )
    asks = any(act.do == "ask" for act in reading.acts)
    language = reading.language[:2].lower() or (before.language if before else "en")
    named = Named((*own.names, *about), own.marked)
    return Heard(language, named, "asked" if asks else "", (), orders)


def _of_one(limit: Limit, names: Lexicon) -> Limit:
    """Return a limit with whom it is about by ident or species."""
    whom = _whom(names.find(limit.name), *MONS) if limit.sign in OF_ONE else ""
    return limit.model_copy(update={"name": whom})


def _whom(named: Named, *kinds: str) -> str:
    """Return who is named last, "if it leaves for that one"; anybody where nobody is."""
    found = options(named, *kinds)
    return found[-1].id if found else ANYBODY


@dataclass(frozen=True)
class Clause:
    """A clause of a message: what it names, and what it means, "" where it may mean `choices`."""

    named: Named
    label: str
    choices: tuple[str, ...] = ()
    span: str = ""
    otherwise: bool = False
    side: str = ""
    effect: str = ""
    sure: float = 1.0
    question: float = 0.0
    """How likely its words are a question's, a mark left aside."""
    wish: str = ""
    """What it may wish for, though it is a question: that is offered."""
    supposes: bool = False
    """Whether it is a question for what it supposes: beside an order that is its condition."""
    beside: str = ""
    """What else it asks, where it is surely one of two questions: both are answered."""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.named.marked.rstrip().endswith("?") or self.question >= SURE_OF_TONGUE

    @property
    def runs_into(self) -> bool:
        """Whether there is no stop between it and what follows."""
        return self.named.marked.rstrip()[-1:] not in {*_ENDS, ",", ";", ":"}

    @property
    def runs_on(self) -> bool:
        """Whether it is a question without a stop behind it: "why not" before "stay in"."""
        return self.asks and self.runs_into

    @property
    def likeliest(self) -> str:
        """What it means, or may mean most likely where it asks."""
        return self.label or (self.choices[0] if self.asks and self.choices else "")

    @property
    def is_condition(self) -> bool:
        """Whether it only says when an order holds."""
        return self.label in CONDITIONS and not self.named.marked.rstrip().endswith("?")


def hear(message: str, names: Lexicon, before: Spoken | None, offered: int, out: str = "") -> Heard:
    """Return what a message means without a model; `out` is who of ours is on the field."""
    reader = load(PACKAGE, "reader.bin")
    found = (names.find(message), names.find(message, plain=True))
    named = max(found, key=_least_sure)
    with_items = names.find(message, items=True)
    if _least_sure(named) < SURE <= _least_sure(with_items):
        named = with_items  # a plain word, "the handkerchief", that makes sense as an item alone
    tongue = reader.read(named.marked)["tongue"][0]
    doubtful = not _MARK.sub("", named.marked).strip(" .,!?") or (
        before and tongue.sure < SURE_OF_TONGUE
    )
    language = (before.language if before else "en") if doubtful else tongue.label
    number = message.strip().rstrip(".)")
    parts, whole = [*_rejoined([_clause(part) for part in _parts(named)])], _clause(named)
    repeats = any(part.label == "again" for part in parts)  # "no, Snorlax! Snorlax!"
    parts = [_sent_off(part, parts, out) for part in parts]
    topic = before.topic if before else ""
    parts = [*_resumed([_on_topic(part, topic) for part in parts], topic, repeats=repeats)]
    said = [part.label for part in parts]
    if whole.label and "" in said and {*said} - {*TALK} == {"", whole.label}:
        parts = [whole] if _count(whole) == max(map(_count, parts)) else parts
    if offered and number.isdecimal():
        picked = min(9, int(number[:2]))
    elif offered == 1 and parts[0].label == "yes":
        picked = 1
    elif offered > 1 and parts[0].label == "pick" and not named.names:
        nth = reader.read(named.marked)["nth"][0]
        picked = int(nth.label) if nth.sure >= SURE else 0
    else:
        return _joined(language, named, parts)
    return Heard(language, named, orders=((Act(do="pick", number=picked), named),))


def _rejoined(found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield clauses, with none of whose orders but a piece of a question.

    What runs into an order without a stop may belong to it: "if their <mon> | terastallizes". An
    order amid a sentence that goes on to ask, behind words that are unclear, is what it asks about.
    """
    left = [*found]
    while left:
        here, *left = left
        after = left[0] if left else here
        if left and after.label in ORDERS and here.runs_into:
            joined = _clause(_both(here.named, after.named))
            if joined.label not in {"", *ORDERS, *CONDITIONS}:
                left[0] = joined
                continue
            beside = [one for one in _sentence(left) if one.asks and one is not after]
            if not here.label and beside:
                about = WONDERED.get(after.label, "")
                left[0] = replace(after, label=about, question=1.0)
                if about == "advice" and any(one.likeliest for one in beside):
                    left = [*map(_leaning, left[1:])]  # "if we just stay in and they …?"
        yield here


def _both(first: Named, second: Named) -> Named:
    return Named((*first.names, *second.names), first.marked + second.marked)


def _sentence(found: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses up to the end of the first one's sentence."""
    for one in found:
        yield one
        if one.named.marked.rstrip()[-1:] in _ENDS:
            return


def _least_sure(named: Named) -> float:
    """Return how sure the topic of a message's least clear clause is."""
    reader = load(PACKAGE, "reader.bin")
    return min(reader.read(part.marked)["topic"][0].sure for part in _parts(named))


def _count(clause: Clause) -> int:
    return len(clause.named.names)


def _parts(named: Named) -> Iterator[Named]:
    """Yield a message's clauses, each with the names in it."""
    left, reader = iter(named.names), load(PACKAGE, "reader.bin").by_words()

    def sure(text: str) -> float:
        return reader.read(text)["topic"][0].sure

    for text in clauses(named.marked, load("ruleplay.hearing", "joints.bin"), sure):
        yield Named(tuple(islice(left, len(_MARK.findall(text)))), text)


def _clause(named: Named) -> Clause:
    read = load(PACKAGE, "reader.bin").read(named.marked)
    question = next((one.sure for one in read["asks"] if one.label == "yes"), 0.0)
    heard = Clause(named, "", question=question)
    guesses = _able(read["topic"], named, asks=heard.asks)
    likeliest = read["topic"][0]
    heard = replace(heard, wish=_wished(likeliest, asks=heard.asks))
    first, second = guesses[0], guesses[1]
    opposed = any({first.label, second.label} <= pair for pair in OPPOSED)
    enough = SURE_OF_ORDER if first.label in ORDERS else SURE
    unclear = first.sure < enough or (opposed and first.sure < 2 * second.sure)
    if unclear and heard.asks and (supposed := _folded(guesses, SUPPOSED)[0]).sure >= SURE:
        return _known(replace(heard, label=supposed.label, sure=supposed.sure, supposes=True))
    plain = heard.asks and not {first.label, second.label} & {*ORDERS, *TALK, *CONDITIONS}
    both = unclear and plain and first.sure + second.sure >= SURE_OF_BOTH
    if (unclear and not both) or (heard.asks and first.label in ORDERS):
        left = _folded(guesses, SUPPOSED if heard.asks else {})[:OFFERED]
        likely = tuple(one.label for one in left if one.sure >= LIKELY)
        heard = replace(heard, choices=likely or (first.label,), sure=first.sure)
        return replace(heard, supposes=likeliest.label in CONDITIONS)
    span, side = (
        one.label if one.sure >= SURE_OF_TONGUE and one.label != "none" else ""
        for one in (read["span"][0], read["side"][0])
    )
    otherwise = read["only"][0].label == "otherwise"
    kind = read["effect"][0]
    effect = kind.label if first.label == "lasts" and kind.sure >= SURE else ""
    found = replace(
        heard, label=first.label, span=span, otherwise=otherwise, side=side, effect=effect
    )
    return _known(replace(found, sure=first.sure, beside=second.label if both else ""))


def _wished(first: Guess, *, asks: bool) -> str:
    """Return what a question's words would wish for as an order: "no tera until then, ok?"."""
    return first.label if asks and first.label in MILD and first.sure >= SURE_OF_ORDER else ""


def _folded(guesses: Sequence[Guess], into: Mapping[str, str]) -> list[Guess]:
    """Return guesses with some labels taken for others, the likeliest first."""
    shares = dict[str, float]()
    for guess in guesses:
        label = into.get(guess.label, guess.label)
        shares[label] = shares.get(label, 0.0) + guess.sure
    return [Guess(*one) for one in sorted(shares.items(), key=lambda each: -each[1])]


def _known(clause: Clause) -> Clause:
    """Return a clause, or one that asks back where it is about a name that is unknown here."""
    unknown = unknown_names(clause.named) if clause.label in ABOUT else ()
    if not unknown:
        return clause
    return Clause(replace(clause.named, names=(*clause.named.names, *unknown)), "unknown")


def _resumed(found: Sequence[Clause], topic: str, *, repeats: bool) -> Iterator[Clause]:
    """Yield what asks the same as before of somebody or something else as that question.

    `topic` is what was asked last: in the message before, or by a clause of this one.
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
    """Return a likely order as one where it is about what was asked before: "not yet, then"."""
    likeliest = next(iter(clause.choices), "")
    meant = topic and WONDERED.get(likeliest) == topic and not clause.asks
    return replace(clause, label=likeliest, choices=()) if meant and clause.sure >= SURE else clause


def _sent_off(clause: Clause, beside: Sequence[Clause], out: str) -> Clause:
    """Return an order to send whoever is out already as one to leave, where another has to come."""
    sent = {thing.id for thing in options(clause.named, "ours")}
    leaves = clause.label == "switch" and any(one.label == "leave" for one in beside)
    return replace(clause, label="leave") if leaves and sent == {out} else clause


def _joined(language: str, named: Named, found: Sequence[Clause]) -> Heard:
    """Return what the clauses of a message mean together."""
    orders = _as_one([*_orders(found)])
    asked = [one for one in _going_on(found, orders) if one.label not in TALK]
    asked = [o for o in asked if not _is_aside(o) or len(asked) + len(orders) == 1]
    given = {one.label for one in found}
    asked = [o for o in asked if o.asks or not (may := ORDERS & {*o.choices}) or may - given]
    asked = [_continued(o, before) for before, o in zip([None, *asked], asked, strict=False)]
    if orders or any(one.label for one in asked):  # what is unclear beside them is a mere remark
        asked = [*map(_leaning, (o for o in asked if o.label or _may_ask(o) or _may_order(o)))]
    if not (asked or orders):
        asked = [max(found, key=lambda one: len(one.named.marked))]
    asked = [
        each
        for one in asked
        for each in (one, *([replace(one, label=one.beside)] if one.beside else []))
    ]
    asked = [replace(o, named=named if o.label in WHOLE else o.named) for o in asked]
    told = {(one.label, one.choices, one.named.names, one.side): one for one in asked}
    first, *also = [
        Heard(
            language,
            one.named,
            one.label,
            one.choices,
            side=one.side,
            effect=one.effect,
            asks=one.asks,
        )
        for one in told.values()
    ] or [Heard(language, named)]
    return replace(first, orders=orders, also=tuple(also))


def _is_aside(clause: Clause) -> bool:
    """Tell whether a clause is about us rather than the battle, none too surely or in a word."""
    short = len(clause.named.marked.split()) < SHORT
    return clause.label in ASIDES and (short or clause.sure < BESIDE)


def _may_ask(clause: Clause) -> bool:
    """Tell whether an unclear clause surely asks something, or what it asks is likely enough."""
    return clause.asks and (clause.named.marked.rstrip()[-1:] == "?" or clause.sure >= LEANS)


def _may_order(clause: Clause) -> bool:
    """Tell whether an unclear clause is likely enough an order to be asked about."""
    likely = clause.choices[0] in ORDERS and clause.sure >= SURE_OF_ORDER / 2
    return likely and not TALK & {*clause.choices}


def _continued(clause: Clause, before: Clause | None) -> Clause:
    """Return a question that asks what the clause before did, or may, as going on with that.

    What names only whom the other does not is about both: "its tera? what does it change for that?"
    How often "that" goes is no question about moves, where that is something else.
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
    """Return an unclear question that leans on the clause before it as what it most likely asks."""
    likeliest = next(iter(clause.choices), "")
    leans = likeliest not in ORDERS and not _MARK.search(clause.named.marked)
    leans = leans and clause.sure >= LEANS
    return replace(clause, label=likeliest, choices=()) if likeliest and leans else clause


def _orders(found: Sequence[Clause]) -> Iterator[tuple[Act, Named]]:
    """Yield what clauses order; a condition is that of the order behind it, else of the last."""
    acts, waiting = list[tuple[Act, Named]](), dict[str, str]()
    for at, clause in enumerate(found):
        if clause.is_condition:
            behind = next((one.label for one in found[at:] if one.label in ORDERS), "")
            waiting = _condition(clause, acts[-1][0].do if acts else behind)
        instead = clause.otherwise and clause.label in ORDERS
        if waiting and acts and (instead or waiting.get("only") in ("kills", "lives")):
            acts[-1], waiting = _under(acts[-1], waiting), {}
        if clause.label in ORDERS:
            later = {one.likeliest for one in found[at + 1 :] if one.side != "theirs"}
            doubted = any(clause.label in DOUBTS.get(label, ()) for label in later)
            doubted |= at > 0 and found[at - 1].runs_on and clause.label in OF_THIS_TURN
            if instead and acts and acts[-1][0].only:
                waiting = {"only": "otherwise"}
            told = {"do": clause.label, "span": clause.span, "doubted": doubted, **waiting}
            acts.append((Act.model_validate(told), clause.named))
            waiting = {}
        elif clause.supposes and acts and acts[-1][0].do in MILD:
            acts[-1] = _under(acts[-1], {"only": "other"})
        elif clause.wish:
            acts.append((Act.model_validate({"do": clause.wish, "doubted": True}), clause.named))
    if waiting and acts:
        acts[-1] = _under(acts[-1], waiting)
    yield from acts


def _condition(clause: Clause, order: str) -> dict[str, str]:
    """Return what has to be so for an order; nobody is knocked out by who is to be sent in."""
    label = clause.label
    if label == "enters":
        return {"when": _whom(clause.named, "theirs", "species")}
    if label == "falls" or (label == "kills" and order == "switch"):
        return {"once": _whom(clause.named, "ours", "theirs", "species")}
    return {"only": "other" if label == "proviso" else label}


def _as_one(orders: Sequence[tuple[Act, Named]]) -> tuple[tuple[Act, Named], ...]:
    """Return orders without those that are part of others: "out of there, bring that one in".

    Of two that contradict each other the last one counts.
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
        if act.do not in part and not (tera and act.do == "tera_now")
    )


def _said_once(orders: Sequence[tuple[Act, Named]]) -> Iterator[tuple[Act, Named]]:
    """Yield orders without those said before: "dont switch, dont switch".

    What is ordered whether they stay or switch ("if they leave, it too") has no condition.
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
    return order[0].model_copy(update=condition), order[1]


def _going_on(found: Sequence[Clause], orders: Sequence[tuple[Act, Named]]) -> Iterator[Clause]:
    """Yield the clauses that ask; one that names nobody is about whom those before it named.

    One that names nothing at all is about their moves, too.
    """
    spoken: tuple[tuple[Thing, ...], ...] = ()
    for one in found:
        names = one.named.names
        mons = tuple(name for name in names if name[0].kind in ("ours", "theirs"))
        before = [name for name in spoken if not names or name[0].kind in ("ours", "theirs")]
        alone = mons or one.label == "advice"  # "keep that one. what do we play?" asks of no one
        kept = one.named if alone else replace(one.named, names=(*names, *before))
        if one.label in TALK or not (one.label or one.asks):  # "mine is low, that one is full"
            here = (name for name in names if name[0].kind != "species")
            spoken = (*spoken, *here)  # "I stopped playing at Mewtwo": no question is about it
        else:
            spoken = (*names, *before) if names and not mons else names or spoken
        given = one.is_condition or (one.supposes and one.named.marked.rstrip()[-1:] != "?")
        if one.label not in ORDERS and not (orders and given):
            yield replace(one, named=kept)


def _able(guesses: Sequence[Guess], named: Named, *, asks: bool) -> tuple[Guess, ...]:
    """Return the topics that the names in a message leave possible, sharing what others had.

    A move cannot be sent in and a Pokémon cannot be used: the two orders are told apart by that.
    What `asks` orders nothing: "do we tera now?", "if I go for that, …".
    """
    shares = {one.label: one.sure for one in _folded(guesses, WONDERED if asks else {})}
    moves, mons = bool(options(named, "move")), bool(options(named, "ours"))
    if moves != mons and not asks:
        to, off = ("use", "switch") if moves else ("switch", "use")
        shares[to] = shares.get(to, 0.0) + shares.pop(off, 0.0)
    if not mons:
        foes = bool(options(named, "theirs", "species"))
        for label in ("keep", "spend", "sack") if foes else ():
            shares.pop(label, None)
        for label in ("tera_now", "no_tera") if foes else ():  # theirs takes no order of ours
            shares["tera"] = shares.get("tera", 0.0) + shares.pop(label, 0.0)
    whole = sum(shares.values()) or 1.0
    return tuple(_folded([Guess(label, share / whole) for label, share in shares.items()], {}))
