"""The steps of one blow."""

from __future__ import annotations

from typing import Literal

from duel import prompts
from duel.almanac import Almanac
from duel.record import reader, tables_of, template
from duel.state import (
    BlowStruck,
    BoutEnded,
    DuelDraft,
    DuelUpdate,
    Omen,
    OmenSeen,
    Stance,
    StanceTaken,
    Weather,
    rival,
)
from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import Runtime
from ruleplay.kernel.propose import propose
from ruleplay.kernel.tell import tell

FORCE_LIMIT = 5
AIM = 8
SIGN_LIMIT = 40


def too_forceful(stance: Stance) -> list[str]:
    """Say why a stance breaks the rules."""
    if 0 <= stance.force <= FORCE_LIMIT:
        return []
    return [f"force {stance.force} is not within 0 to {FORCE_LIMIT}"]


def illegible(omen: Omen) -> list[str]:
    """Say why an omen cannot be read, quoting it."""
    return [] if 0 < len(omen.sign) <= SIGN_LIMIT else [f"no seer can read {omen.sign!r}"]


async def read_challenge(state: DuelDraft, runtime: Runtime[Context[Almanac]]) -> DuelUpdate:
    """Look at the moon, which decides nothing but must be on the record."""
    await runtime.context.outside_later("moon", {}, runtime.context.world.moon, int)
    return {}


async def choose_stance(state: DuelDraft, runtime: Runtime[Context[Almanac]]) -> DuelUpdate:
    """Ask how the duelist attacks."""
    found = await propose(
        runtime.context,
        "duel.stance",
        prompt=lambda: prompts.stance(state.given.message),
        schema=Stance,
        legal=too_forceful,
        otherwise=lambda: Stance(stance="wary", force=1),
    )
    taken = StanceTaken(seat=_seat(state), stance=found.value.stance, force=found.value.force)
    return {"events": [taken]}


async def read_omen(state: DuelDraft, runtime: Runtime[Context[Almanac]]) -> DuelUpdate:
    """Ask for a sign that only the attacker sees, beside the choice of the stance."""
    context = runtime.context
    weather = context.outside(
        "weather",
        {"seat": state.seat},
        context.world.weather,
        Weather,  # type: ignore[arg-type]  # a Literal is no type[...] before PEP 747
    )
    found = await propose(
        context,
        "duel.omen",
        prompt=lambda: prompts.omen(state.given.message),
        schema=Omen,
        legal=illegible,
        otherwise=lambda: Omen(sign=f"{context.rng('omen').choice(('raven', 'owl'))}"),
        audience=(state.seat,),
    )
    seen = OmenSeen(
        seat=_seat(state), sign=found.value.sign, weather=weather, audience=(state.seat,)
    )
    return {"events": [seen]}


async def resolve_blow(state: DuelDraft, runtime: Runtime[Context[Almanac]]) -> DuelUpdate:
    """Throw the die and decide what the blow did."""
    seat, target = _seat(state), rival(state.seat)
    stance = next(e for e in state.events if isinstance(e, StanceTaken))
    roll = runtime.context.rng("blow").randint(1, 20)
    damage = 1 + roll // 4 + stance.force if roll - stance.force >= AIM else 0
    blow = BlowStruck(seat=seat, target=target, roll=roll, damage=damage)
    after = state.now.apply(blow)
    fallen = (after.red if target == "red" else after.blue) == 0
    events = [blow, BoutEnded(loser=target)] if fallen else [blow]
    return {"events": [*events], "facts": tables_of(events)}


async def tell_blow(state: DuelDraft, runtime: Runtime[Context[Almanac]]) -> DuelUpdate:
    """Let the narrator tell the blow, citing the record."""
    told = await tell(
        runtime.context,
        "duel.narrator",
        prompt=lambda: prompts.narrate(state.facts),
        facts=state.facts,
        check=lambda: reader(state.facts),
        otherwise=lambda: template(state.facts),
    )
    runtime.context.cites.extend(told.citations)
    return {"reply": told.text, "spans": told.spans}


def _seat(state: DuelDraft) -> Literal["red", "blue"]:
    return "red" if state.seat == "red" else "blue"
