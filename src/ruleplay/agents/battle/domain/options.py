"""Ranks our moves and our switches, with reasons: the results of the seed's two option nodes."""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import damage, feels_ground, scene_of
from ruleplay.agents.battle.domain.exchange import faster
from ruleplay.agents.battle.domain.orders import MoveOrder, SwitchOrder
from ruleplay.agents.battle.domain.position import Mon, Position, Side, Status
from ruleplay.agents.battle.domain.prediction import percent
from ruleplay.agents.battle.domain.results import (
    Damage,
    Expected,
    Inference,
    Matchup,
    Matchups,
    MoveOption,
    MoveOptions,
    SwitchOption,
    SwitchOptions,
    TargetDamage,
)
from ruleplay.agents.battle.domain.strikes import Scene, priority_of
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighter, our_fighters, their_fighter

TARGETS = 3
"""Likely replacements of theirs for which a move's damage is shown."""
GREEN = {"leechseed", "spore", "sleeppowder"}
"""Moves that do not affect Grass types."""
OUTCOME_WORTH = {"win": 0.5, "draw": 0.1, "lose": -0.3}
"""What the outcome of a pair is worth when a switch is scored."""


def rank_moves(
    position: Position, inference: Inference, expected: Expected, matchups: Matchups
) -> MoveOptions:
    """Rank our usable moves, the best first; empty if we must switch."""
    us = next((each for each in our_fighters(position) if each.active), None)
    mon = position.theirs.active
    orders = [o for o in position.legal if isinstance(o, MoveOrder) and not o.tera]
    if us is None or mon is None or not orders:
        return MoveOptions(summary="No move can be used now.")
    guess = inference.guesses[mon.ident]
    them = their_fighter(mon, guess.best)
    scene = scene_of(position)
    benched = _targets(position, inference, expected)
    found = [_move_option(order, us, them, scene, benched, position, expected) for order in orders]
    found.sort(key=lambda each: -each.score)
    ranked = tuple(each.model_copy(update={"rank": place}) for place, each in enumerate(found, 1))
    # A Choice item, Encore or the like has left one usable move.
    locked = len(orders) == 1 and len(us.moves) > 1
    return MoveOptions(
        moves=ranked,
        choice_locked=locked,
        locked_move=orders[0].move if locked else None,
        summary=_move_summary(ranked, locked),
    )


def _targets(
    position: Position, inference: Inference, expected: Expected
) -> list[tuple[Fighter, str, float]]:
    """List whom they may send in, the likeliest first, with the probabilities."""
    found = []
    for each in expected.predictions:
        if each.kind == "switch" and each.action:
            mon = position.theirs.member(each.action)
            fighter = their_fighter(mon, inference.guesses[mon.ident].best)
            found.append((fighter, mon.name, each.probability))
    return found[:TARGETS]


def _move_option(
    order: MoveOrder,
    us: Fighter,
    them: Fighter,
    scene: Scene,
    benched: list[tuple[Fighter, str, float]],
    position: Position,
    expected: Expected,
) -> MoveOption:
    hit = damage(order.move, us, them, scene)
    ko = hit.ko_chance(them.share)
    others = tuple(
        TargetDamage(ident=f.ident, name=name, damage=d, ko_chance=d.ko_chance(f.share))
        for f, name, _ in benched
        for d in (damage(order.move, us, f, scene),)
    )
    page = dex.move(order.move)
    score = _move_score(order.move, hit, ko, us, them, position, expected)
    # Damage to a likely replacement counts as well, but less than to the active one.
    score += sum(
        chance * min(1.0, t.damage.mean) * 0.6
        for t, (_, _, chance) in zip(others, benched, strict=True)
    )
    immune = page.damaging and hit.high == 0
    return MoveOption(
        order=order,
        move=order.move,
        name=dex.move_name(order.move),
        rank=0,
        score=round(score, 4),
        damage=hit,
        ko_chance=round(ko, 4),
        on_switches=others,
        damage_to_active=_told(hit, ko),
        damage_to_switches=_told_switches(others),
        accuracy=round(hit.accuracy * 100),
        priority=priority_of(page, us, scene),
        recoil=page.recoil,
        immune=immune,
        reasoning=_move_reason(order.move, hit, ko, immune, us, them, scene),
    )


def _move_score(
    name: str,
    hit: Damage,
    ko: float,
    us: Fighter,
    them: Fighter,
    position: Position,
    expected: Expected,
) -> float:
    """Score a move: a knock-out counts most, then damage, then other effects (the seed's order)."""
    if not dex.knows_move(name):
        return 0.0
    page = dex.move(name)
    if page.damaging:
        share = min(1.0, hit.mean / max(0.05, them.share)) * hit.accuracy
        cost = 0.12 * page.recoil + (0.9 if page.self_destruct else 0.0)
        follow = 0.08 if page.self_switch else 0.0
        lowered = 0.03 * sum(-amount for _, amount in page.self_boosts if amount < 0)
        return share + 0.5 * ko + follow - cost - lowered
    return status_score(name, us, them, position, expected)


def status_score(
    name: str, us: Fighter, them: Fighter, position: Position, expected: Expected
) -> float:
    """Score a status move on the scale of `_move_score`, on which a certain knock-out is 1.5."""
    page = dex.move(name)
    threat = max((each.ko_chance * each.probability for each in expected.predictions), default=0.0)
    hurt = sum(
        each.probability * (each.damage.mean if each.damage else 0.0)
        for each in expected.predictions
    )
    # A status move is worth the turn only as far as their expected moves leave us alive.
    calm = max(0.0, 1 - threat - hurt)
    if page.heal or name in {"rest", "shoreup", "morningsun", "synthesis", "moonlight", "wish"}:
        return (1 - us.share) * 1.2 if hurt < 0.5 and us.share < 0.7 else 0.0
    if page.side_condition in {"stealthrock", "spikes", "toxicspikes", "stickyweb"}:
        standing = position.theirs.layers(page.side_condition)
        most = {"spikes": 3, "toxicspikes": 2}.get(page.side_condition, 1)
        waiting = len(position.theirs.bench) + position.theirs.unseen
        return 0.0 if standing >= most else 0.14 * waiting * calm
    if page.side_condition:
        return 0.0 if position.ours.layers(page.side_condition) else 0.45 * calm
    if page.self_boosts:
        raised = sum(amount for _, amount in page.self_boosts if amount > 0)
        return 0.35 * raised * calm * us.share if us.boosts.raised < 4 else 0.05
    if page.status or name in {"yawn", "leechseed"}:
        return _ailment(name, page.status, them) * page.accuracy
    return 0.1 * calm


def _ailment(name: str, status: str, them: Fighter) -> float:
    """Score a status condition on this target; 0 if it is immune or has little health left."""
    types = set(them.types)
    immune = {
        "brn": {"fire"},
        "par": {"electric", "ground"} if name == "thunderwave" else {"electric"},
        "psn": {"poison", "steel"},
        "tox": {"poison", "steel"},
    }.get(status, {"grass"} if name in GREEN else set())
    if them.status or types & immune or them.share < 0.25:
        return 0.0
    return {"slp": 0.8, "tox": 0.5, "par": 0.45, "brn": 0.45}.get(status, 0.35)


def _told(hit: Damage, ko: float) -> str:
    if hit.high <= 0:
        return "no damage"
    if ko >= hit.accuracy and ko > 0:
        return f"{percent(hit)} (guaranteed KO when it hits)"
    if ko > 0:
        return f"{percent(hit)} ({ko:.0%} to KO)"
    return percent(hit)


def _told_switches(others: tuple[TargetDamage, ...]) -> str:
    if not others:
        return ""
    return "Hits " + ", ".join(f"{each.name} for {percent(each.damage)}" for each in others)


def _move_reason(
    name: str, hit: Damage, ko: float, immune: bool, us: Fighter, them: Fighter, scene: Scene
) -> str:
    """Say in a few words what a move does."""
    if immune:
        return "they are immune"
    if not dex.knows_move(name):
        return ""
    page = dex.move(name)
    if not page.damaging:
        return "a status move"
    first = priority_of(page, us, scene) > 0
    table = (
        (ko >= 0.99, "a guaranteed KO"),
        (0 < ko < 0.99, f"{ko:.0%} to KO"),
        (hit.effectiveness > 1, "super effective"),
        (hit.effectiveness < 1, "resisted"),
        (first, "moves first"),
        (ko > 0 and not first and not faster(us, them, scene), "but they move first"),
        (page.recoil > 0, "with recoil"),
    )
    return ", ".join(words for holds, words in table if holds) or "chip damage"


def _move_summary(ranked: tuple[MoveOption, ...], locked: bool) -> str:
    best = ranked[0]
    lead = f"{best.name}: {best.damage_to_active}, {best.reasoning}."
    also = next(
        (
            f" {m.name} KOs {t.name} if they switch."
            for m in ranked
            for t in m.on_switches
            if t.ko_chance > 0.8
        ),
        "",
    )
    lock = f" We are locked into {best.name}." if locked else ""
    return lead + also + lock


SPIKES = (0.0, 1 / 8, 1 / 6, 1 / 4)
"""The share of full health that Spikes take, by their layers."""


def hazard_share(side: Side, each: Fighter, scene: Scene) -> float:
    """Compute the share of full health that entry hazards take from a Pokémon coming in.

    Stealth Rock takes an eighth times Rock's effectiveness; Spikes take an eighth, a sixth or a
    quarter of grounded Pokémon's health. Heavy-Duty Boots and Magic Guard prevent both.
    """
    if each.item == "heavydutyboots" or each.ability == "magicguard":
        return 0.0
    taken = 0.0
    if side.layers("stealthrock"):
        taken += dex.effectiveness("rock", each.types) / 8
    if feels_ground(each, scene):
        taken += SPIKES[min(3, side.layers("spikes"))]
    return taken


def falls_on_entry(position: Position, mon: Mon) -> bool:
    """Check whether entry hazards would knock out one of ours that is not on the field."""
    scene = scene_of(position, defending="ours")
    toll = hazard_share(position.ours, our_fighter(mon), scene)
    return bool(toll) and not (mon.active or mon.fainted) and mon.hp <= toll


POISON_COST = {"psn": 0.1, "tox": 0.16}
"""What being poisoned on entry costs in health, since it goes on hurting."""
AT_HOME_IN_POISON = {"immunity", "pastelveil", "poisonheal", "guts", "magicguard", "purifyingsalt",
                     "goodasgold", "comatose", "toxicboost"}  # fmt: skip
"""Abilities that prevent poison or profit from it."""


def entry_poison(side: Side, each: Fighter, scene: Scene) -> Status:
    """Determine the status Toxic Spikes inflict on entry: one layer poisons, two poison badly.

    Poison and Steel types, airborne Pokémon, those with Heavy-Duty Boots and those that already
    have a status are not affected.
    """
    layers = side.layers("toxicspikes")
    if not layers or each.status or each.item == "heavydutyboots":
        return ""
    if {"poison", "steel"} & set(each.types) or not feels_ground(each, scene):
        return ""
    return "" if each.ability in AT_HOME_IN_POISON else ("tox" if layers > 1 else "psn")


def rank_switches(
    position: Position, inference: Inference, expected: Expected, matchups: Matchups
) -> SwitchOptions:
    """Rank our possible switches, the best first; empty if there are none."""
    orders = [o for o in position.legal if isinstance(o, SwitchOrder)]
    if not orders:
        return SwitchOptions(summary="Nobody can come in.")
    mon = position.theirs.active
    them = their_fighter(mon, inference.guesses[mon.ident].best) if mon else None
    scene = scene_of(position, defending="ours")
    found = [_switch_option(order, position, them, scene, expected, matchups) for order in orders]
    found.sort(key=lambda each: (not each.survives, -each.score))
    ranked = tuple(each.model_copy(update={"rank": place}) for place, each in enumerate(found, 1))
    return SwitchOptions(switches=ranked, summary=_switch_summary(ranked))


def _switch_option(
    order: SwitchOrder,
    position: Position,
    them: Fighter | None,
    scene: Scene,
    expected: Expected,
    matchups: Matchups,
) -> SwitchOption:
    mon = position.ours.member(order.ident)
    us = our_fighter(mon)
    rocks = 0.0 if position.reviving else hazard_share(position.ours, us, scene)
    active = position.ours.active
    # A replacement comes in between turns and is not hit.
    free = position.force_switch or active is None or active.fainted
    hit, move = (0.0, "") if free or them is None else _expected_hit(us, them, scene, expected)
    after = max(0.0, us.share - rocks - hit)
    foe = position.theirs.active
    pair = matchups.of(order.ident, foe.ident) if foe else None
    poison = "" if position.reviving else entry_poison(position.ours, us, scene)
    score = after * 0.5 + (_pair_worth(pair) if pair else 0.0) - rocks
    score -= POISON_COST.get(poison, 0.0)
    return SwitchOption(
        order=order,
        ident=order.ident,
        name=mon.name,
        rank=0,
        score=round(score, 4),
        hazards=round(rocks, 4),
        hit=round(hit, 4),
        survives=after > 0,
        hp_after=round(after, 4),
        outcome=pair.outcome if pair else None,
        damage_on_switch=_told_entry(rocks, hit, move, poison),
        matchup_result=_told_pair(pair),
        reasoning=pair.notes if pair else "",
    )


def _expected_hit(
    us: Fighter, them: Fighter, scene: Scene, expected: Expected
) -> tuple[float, str]:
    """Compute the damage their likely moves do to the one coming in, and the likeliest move."""
    taken, likeliest = 0.0, ""
    for each in expected.predictions:
        if each.kind != "move":
            continue
        likeliest = likeliest or each.action
        hit = damage(each.action, them, us, scene)
        taken += each.probability * hit.mean * hit.accuracy
    return taken, likeliest


def _pair_worth(pair: Matchup) -> float:
    margin = pair.our_remaining - pair.their_remaining
    return OUTCOME_WORTH[pair.outcome] + 0.5 * margin


POISONED = {"psn": "is poisoned by Toxic Spikes", "tox": "is badly poisoned by Toxic Spikes"}
"""How the effect of Toxic Spikes is phrased."""


def _told_entry(rocks: float, hit: float, move: str, poison: Status) -> str:
    ill = POISONED.get(poison, "")
    harm = _told_harm(rocks, hit, move)
    if ill:
        return f"{harm} and {ill}" if harm else f"{ill[:1].upper()}{ill[1:]}"
    return harm or "Comes in unharmed"


def _told_harm(rocks: float, hit: float, move: str) -> str:
    parts = [f"{round(rocks * 100)}% from hazards"] if rocks else []
    if hit:
        parts.append(f"about {round(hit * 100)}% from {dex.move_name(move)}")
    if not parts:
        return ""
    whole = f" = {round((rocks + hit) * 100)}%" if len(parts) == 2 else ""
    return "Takes " + " + ".join(parts) + whole


def _told_pair(pair: Matchup | None) -> str:
    if pair is None:
        return ""
    if pair.outcome == "win":
        return f"Wins with {round(pair.our_remaining * 100)}% HP remaining"
    if pair.outcome == "lose":
        return f"Loses, leaving them {round(pair.their_remaining * 100)}%"
    return "Neither falls"


def _switch_summary(ranked: tuple[SwitchOption, ...]) -> str:
    best = ranked[0]
    told = f"{best.name} is the best switch: {best.damage_on_switch.lower()}"
    return f"{told}, {best.matchup_result.lower()}." if best.matchup_result else f"{told}."
