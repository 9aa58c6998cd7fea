"""What a person's message means: questions by topic, orders and wishes by what they name."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.battle.domain.meaning import Act, Heard, Named, Reading, options
from ruleplay.agents.battle.domain.naming import bare, move_name
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.agents.battle.policy.names import Lexicon, moves_of
from ruleplay.agents.battle.state import Spoken
from ruleplay.hearing.classifier import Guess, fold, load

SURE = 0.4
"""How sure a topic has to be to be answered; else the likeliest are offered."""
SURE_OF_ORDER = 0.6
"""The same for what changes how we play."""
SURE_OF_TONGUE = 0.7
OFFERED = 3
ORDERS = frozenset(
    {"use", "switch", "leave", "stay", "tera_now", "no_tera", "safer", "keep", "forfeit", "free"}
)
OPPOSED = (
    frozenset({"tera_now", "no_tera"}),
    frozenset({"tera_now", "tera"}),
    frozenset({"stay", "leave"}),
)
"""Orders that are not taken for one another: unless it is clear, they are asked back."""


ASKS = Reading(acts=(Act(do="ask"),))
"""What code lets `propose` return where no model reads: `hear` then does."""


def is_usual(word: str) -> bool:
    """Return whether wordings have a word, which is then no name by itself."""
    return load("ruleplay.agents.battle", "reader.bin").knows_any([fold(word)])


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
    follows = heard.topic == "tera" and before and not (named.keys() - {"move"})
    kept = before.model_dump(include={"ours", "theirs", "move"}) if before and follows else {}
    return Spoken.model_validate(
        {**kept, **named, "language": heard.language, "topic": heard.topic}
    )


def reading_problems(reading: Reading, offered: int) -> list[str]:
    """List why a model's reading cannot be used."""
    if not reading.acts:
        return ["acts: say at least what is asked, as `ask`"]
    wrong = [act for act in reading.acts if act.do == "pick" and not 1 <= act.number <= offered]
    return [f"number {act.number} was not offered" for act in wrong]


def as_read(reading: Reading, message: str, names: Lexicon, before: Spoken | None) -> Heard:
    """Return what a model's reading means by the battle's own names."""
    own = names.find(message)
    about = [names.find(name) for name in reading.about]
    things = tuple(dict.fromkeys([*own.things, *(t for one in about for t in one.things)]))
    orders = tuple(
        (act, names.find(act.name) if act.name else Named()) for act in reading.acts
        if act.do != "ask"
    )  # fmt: skip
    asks = any(act.do == "ask" for act in reading.acts)
    language = reading.language[:2].lower() or (before.language if before else "en")
    return Heard(language, Named(things, own.open), "asked" if asks else "", (), orders)


def hear(message: str, names: Lexicon, before: Spoken | None, offered: int) -> Heard:
    """Return what a message means without a model."""
    named = names.find(message)
    read = load("ruleplay.agents.battle", "reader.bin").read(named.marked)
    language = _language(read["tongue"][0], before)
    if offered and (number := message.strip().rstrip(".)")).isdecimal():
        act = Act(do="pick", number=min(9, int(number[:2])))
        return Heard(language, named, orders=((act, named),))
    guesses = _able(read["topic"], named)
    first, second = guesses[0], guesses[1]
    if offered == 1 and first.label == "yes":
        return Heard(language, named, orders=((Act(do="pick", number=1), named),))
    opposed = any({first.label, second.label} <= pair for pair in OPPOSED)
    enough = SURE_OF_ORDER if first.label in ORDERS else SURE
    wonders = first.label in ORDERS and message.rstrip().endswith("?")  # "do we tera this turn?"
    if wonders or first.sure < enough or (opposed and first.sure < 2 * second.sure):
        return Heard(language, named, choices=tuple(one.label for one in guesses[:OFFERED]))
    if first.label not in ORDERS:
        return Heard(language, named, first.label)
    span = read["span"][0]
    told = span.label if span.sure >= SURE_OF_ORDER and span.label != "none" else ""
    act = Act.model_validate({"do": first.label, "span": told})
    return Heard(language, named, orders=((act, named),))


def _language(tongue: Guess, before: Spoken | None) -> str:
    return before.language if before and tongue.sure < SURE_OF_TONGUE else tongue.label


def _able(guesses: Sequence[Guess], named: Named) -> tuple[Guess, ...]:
    """Return the topics that the names in a message leave possible, sharing what others had.

    A move cannot be sent in and a Pokémon cannot be used: the two orders are told apart by that.
    """
    shares = {guess.label: guess.sure for guess in guesses}
    moves, mons = bool(options(named, "move")), bool(options(named, "ours"))
    if moves != mons:
        to, off = ("use", "switch") if moves else ("switch", "use")
        shares[to] = shares.get(to, 0.0) + shares.pop(off, 0.0)
    elif not moves and not options(named, "theirs", "species"):
        for label in ("use", "switch", "keep"):
            shares.pop(label, None)
    whole = sum(shares.values()) or 1.0
    found = [Guess(label, share / whole) for label, share in shares.items()]
    return tuple(sorted(found, key=lambda guess: -guess.sure))
