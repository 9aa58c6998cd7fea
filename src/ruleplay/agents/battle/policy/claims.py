"""What is checkable in the agent's prose: health, damage, knock-outs, chances, who has fainted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ruleplay.agents.battle.domain.naming import display
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.state import DecisionTrace, State
from ruleplay.foundation.claims import Check, Claim, Fact
from ruleplay.foundation.prose.checks import checker
from ruleplay.foundation.prose.lexicon import Lexicon, Measure, Outcome
from ruleplay.foundation.prose.phrasebook import Outcome as Invented
from ruleplay.foundation.prose.phrasebook import Phrasebook

FAINTS = ("faints", "fainted", "has fainted", "is knocked out", "was knocked out", "is down")
LEXICON = Lexicon(
    outcomes=tuple(Outcome(phrase=phrase, kind="fainted", value="fainted") for phrase in FAINTS),
    measures=(
        Measure(kind="health", units=("%", "percent", "health"), higher=("healthier",)),
        Measure(kind="damage", units=("%", "percent"), higher=("stronger",), lower=("weaker",)),
        Measure(kind="knock-out chance", units=("%", "percent")),
        Measure(kind="chance", units=("%", "percent"), higher=("likelier",)),
    ),
    words=("Pokémon", "Showdown", "Stealth", "Rock", "Spikes", "Tera"),
)
PHRASEBOOK = Phrasebook(
    phrasing={
        "health": ("{subject} has {value} of its health", "{subject} is at {value}"),
        "damage": (
            "{subject} does {value} damage to {object}",
            "{object} takes {value} damage from {subject}",
        ),
        "knock-out chance": ("The knock-out chance of {subject} against {object} is {value}",),
        "chance": ("The chance of {subject} is {value}",),
    },
    outcomes=(Invented("{subject} faints", ("faint", "knock", "down", "fnt")),),
    names=("Zarquonix", "Quillathor", "Vexmirion", "Tharkuune"),
    atmosphere=("This is a close game.", "Let us think ahead.", "That is how things stand."),
)
"""How the hostile model words the agent's claims."""

FACTS_LIMIT = 40


@cache
def check() -> Check:
    """Return the check of the agent's sentences; compiled once."""
    return checker(LEXICON)


def battle_facts(state: State) -> tuple[Fact, ...]:
    """Return what may be told of a battle: everybody's health, and the last decision's numbers."""
    position = state.position
    if position is None:
        return ()
    found = [*_health(position)]
    if state.trace is not None:
        found += [*_damage(position, state.trace), *_chances(state.trace)]
    return tuple(found[:FACTS_LIMIT])


def _health(position: Position) -> Iterator[Fact]:
    for mon in (*position.ours.team, *position.theirs.team):
        name = display(position, mon.ident)
        if mon.fainted:
            claim = Claim(kind="fainted", subject=name, value="fainted")
            yield Fact(id=f"hp:{mon.ident}", says=f"{name} has fainted.", claims=(claim,))
        else:
            claim = Claim(kind="health", subject=name, value=_percent(mon))
            says = f"{name} has {claim.value} of its health."
            yield Fact(id=f"hp:{mon.ident}", says=says, claims=(claim,))


def _percent(mon: Mon) -> str:
    return f"{max(1, round(100 * mon.hp))}%"


def _damage(position: Position, trace: DecisionTrace) -> Iterator[Fact]:
    target = position.theirs.active
    if target is None:
        return
    them, told = display(position, target.ident), set[str]()
    for option in trace.moves.moves:
        if option.damage.high <= 0 or option.name in told:
            continue
        told.add(option.name)
        does = f"{round(100 * option.damage.mean)}%"
        hit = Claim(kind="damage", subject=option.name, value=does, object=them)
        says = f"{option.name} does {does} damage to {them}."
        yield Fact(id=f"damage:{option.move}", says=says, claims=(hit,))
        chance = f"{round(100 * option.ko_chance)}%"
        ko = Claim(kind="knock-out chance", subject=option.name, value=chance, object=them)
        says = f"The knock-out chance of {option.name} against {them} is {chance}."
        yield Fact(id=f"ko:{option.move}", says=says, claims=(ko,))


def _chances(trace: DecisionTrace) -> Iterator[Fact]:
    for candidate in trace.expected.predictions[:4]:
        if candidate.kind == "move":
            yield _chance(f"chance:{candidate.action}", candidate.name, candidate.probability)
    if trace.expected.predictions:
        yield _chance("chance:switch", "a switch", trace.expected.switch_chance)


def _chance(ident: str, name: str, probability: float) -> Fact:
    share = f"{round(100 * probability)}%"
    claim = Claim(kind="chance", subject=name, value=share)
    return Fact(id=ident, says=f"The chance of {name} is {share}.", claims=(claim,))
