"""Fights and their turns: initiative, turn order, and what starts and ends with a turn."""

from __future__ import annotations

from collections.abc import Mapping

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.dice import Roll, d20, edge_of
from ruleplay.agents.party.domain.fight import ROUNDS_AT_MOST, Budget, Fight, Outcome
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rulebook import Rulebook
from ruleplay.agents.party.domain.rules.checks import save
from ruleplay.agents.party.domain.rules.conditions import can_act, check_edges, pace
from ruleplay.agents.party.domain.rules.effects import (
    end_concentration,
    expire,
    let_go,
    let_time_pass,
    lift,
)
from ruleplay.agents.party.domain.rules.harm import Hurt, deal, death_save, heal
from ruleplay.agents.party.domain.terms import ROUNDS_A_MINUTE, XP_OF_CR

FIGHTING = (
    "dodging", "hidden", "helped", "struck", "rage", "reckless", "divine-smite", "readied",
    "edge-up", "edge-down", "improvised",
)  # fmt: skip
"""Effects that end with the fight."""


def begin_fight(
    cast: Cast, book: Rulebook, key: str, places: Mapping[str, int], surprised: tuple[str, ...] = ()
) -> tuple[h.Happening, ...]:
    """Start a fight among those with places (feet along a line) and advance to the first turn.

    All foes of a kind share one initiative roll. Ties are broken by Dexterity, then in favour of
    the party, then by id. Raises Impossible if a fight is running or one side is missing.
    """
    play = Play(cast, book)
    if play.fighting:
        raise Impossible("already-fighting")
    fighters = [one for one in cast.creatures if one.id in places and one.alive]
    if len({one.side for one in fighters if one.hp}) < 2:
        raise Impossible("nobody-to-fight")
    totals, rolls = _initiative(play, fighters)
    order = sorted(
        fighters,
        key=lambda one: (-totals[one.id], -one.abilities["dex"], one.side != "party", one.id),
    )
    fight = Fight(
        key=key,
        order=tuple(one.id for one in order),
        initiative=tuple(totals[one.id] for one in order),
        surprised=tuple(one for one in surprised if one in places),
    )
    stand = tuple((one.id, places[one.id]) for one in fighters)
    play.add(h.FightBegan(fight=fight, rolls=tuple(rolls), places=stand))
    _enter(play, 1, 0)
    settle(play)
    return tuple(play.happened)


def _initiative(play: Play, fighters: list[Creature]) -> tuple[dict[str, int], list[Roll]]:
    """Return everyone's initiative and the rolls; foes of a kind share one."""
    totals: dict[str, int] = {}
    rolls: list[Roll] = []
    shared: dict[str, int] = {}
    for one in fighters:
        group = one.kind if one.side != "party" else one.id
        if group not in shared:
            gains, losses = check_edges(play.cast, one, "dex")
            bonus = one.check_bonus("dex") + one.bonuses.get("initiative", 0)
            formula = d20(bonus, edge_of(len(gains), len(losses)), lucky="lucky" in one.traits)
            roll = play.roll(formula, ahead=len(rolls))
            rolls.append(roll)
            shared[group] = roll.total
        totals[one.id] = shared[group]
    return totals, rolls


def outcome(cast: Cast) -> Outcome | None:
    """Return how the fight has ended, or None while it goes on."""
    fight = cast.fight
    if fight is None:
        return None
    ours = [one for one in cast.fighters if one.side == "party"]
    foes = [one for one in cast.fighters if one.side != "party"]
    if not any(one.present and one.hp for one in ours):
        return "fled" if any(one.gone and one.hp for one in ours) else "lost"
    if not any(one.present and one.hp for one in foes):
        return "won" if any(one.dead or not one.hp for one in foes) else "parted"
    # A limit on rounds keeps a fight in which nobody can hurt anyone from running for ever.
    return "forced" if fight.round > ROUNDS_AT_MOST else None


def settle(play: Play) -> None:
    """Advance to the next creature that can act, or end the fight if it is decided."""
    while play.fighting:
        found = outcome(play.cast)
        if found is not None:
            end_fight(play, found)
            return
        fight = play.fight
        if can_act(play.the(fight.actor)) and fight.actor not in fight.surprised:
            return
        next_turn(play)


def next_turn(play: Play) -> None:
    """End the current turn and start the next one in initiative order."""
    fight = play.fight
    if fight.begun:
        _leave(play, fight.actor)
        if outcome(play.cast) is not None:
            return
    turn, current = fight.turn, fight.round
    for _ in fight.order:
        turn += 1
        if turn == len(fight.order):
            turn, current = 0, current + 1
        one = play.the(fight.order[turn])
        if one.present or _anchors(play.cast, one.id):
            break
    _enter(play, current, turn)


def _anchors(cast: Cast, who: str) -> bool:
    """Whether an effect is timed by the turns of a creature that has left the fight."""
    return any(effect.of == who and effect.left for one in cast.creatures for effect in one.effects)


def _enter(play: Play, current: int, turn: int) -> None:
    """Start a turn: expire effects, refill the budget, then apply damage and healing."""
    who = play.fight.order[turn]
    expire(play, who, "start")
    one = play.the(who)
    lost = _lost(play, one)
    movement = 0 if lost else pace(one)
    able = not lost
    budget = Budget(action=able, bonus=able, movement=movement, item=able)
    play.add(
        h.TurnBegan.model_validate(
            {"actor": who, "round": current, "turn": turn, "budget": budget, "lost": lost}
        )
    )
    if not one.present:
        return
    for effect in one.effects:
        if effect.hurts and play.the(who).alive:
            roll = play.roll(effect.hurts.dice)
            play.add(
                h.DamageRolled(
                    by=effect.source, what=effect.key, damage=effect.hurts.type, roll=roll
                )
            )
            hurt = Hurt(roll.total, effect.hurts.type, magical=True)
            deal(play, who, [hurt], effect.source, "effect")
    _grow(play, who)
    if play.the(who).dying and lost:
        death_save(play, who)


def _lost(play: Play, one: Creature) -> str:
    """Return why a creature loses its turn; empty if it doesn't."""
    if not one.present:
        return "gone"
    if one.hp == 0:
        return "down"
    if not can_act(one):
        return "incapacitated"
    return "surprised" if one.id in play.fight.surprised else ""


def _grow(play: Play, who: str) -> None:
    """Apply regeneration and roll for the recharge of special actions."""
    one = play.the(who)
    grows = one.bonuses.get("regeneration", 0)
    if grows and one.hp and not one.under("seared"):
        heal(play, who, grows, who, "feature")
    for power in one.powers:
        tally = one.feature(power.key)
        if power.recharge and tally and not tally.left and one.hp:
            roll = play.roll("1d6")
            back = roll.total >= power.recharge
            play.add(h.PowerRecharged(who=who, power=power.key, roll=roll, success=back))


def _leave(play: Play, who: str) -> None:
    """End a turn: saves to end effects come first, then effects expire."""
    one = play.the(who)
    for effect in one.effects:
        still = play.the(who).under(effect.key, effect.source)
        if effect.save and still and one.alive:
            against = effect.conditions
            if save(play, who, effect.save, effect.dc, effect.key, against=against):
                lift(play, who, still, "saved")
    expire(play, who, "end")
    play.add(h.TurnEnded(actor=who))


def end_fight(play: Play, how: Outcome) -> None:
    """End the fight: award experience, recover missiles, stabilise the dying, let a minute pass."""
    fight = play.fight
    foes = [one for one in play.cast.fighters if one.side != "party"]
    beaten = [one for one in foes if one.dead or one.gone or not one.hp]
    ours = [one for one in play.cast.fighters if one.side == "party" and one.alive and one.level]
    total = sum(XP_OF_CR.get(one.cr, 0) for one in beaten) if how in ("won", "parted") else 0
    share = total // len(ours) if ours else 0
    play.add(
        h.FightOver(
            key=fight.key,
            outcome=how,
            rounds=fight.round,
            xp=share,
            fallen=tuple(one.id for one in play.cast.fighters if one.dead),
        )
    )
    for one in ours:
        if share:
            play.add(h.XpGained(who=one.id, amount=share, xp=one.xp + share))
    _gather(play, fight, how)
    _calm(play)
    for one in beaten:
        let_go(play, one.id)
        play.add(h.CreatureRemoved(who=one.id))
    if how != "lost":
        _tend(play)
    let_time_pass(play, ROUNDS_A_MINUTE)


def _gather(play: Play, fight: Fight, how: Outcome) -> None:
    """Recover thrown weapons and half of the ammunition if the party held the field (SRD 5.1)."""
    if how not in ("won", "parted"):
        return
    counted: dict[tuple[str, str], int] = {}
    for who, item in fight.loosed:
        counted[who, item] = counted.get((who, item), 0) + 1
    for (who, item), count in counted.items():
        kind = play.book.items.get(item)
        found = count if kind and kind.is_weapon else count // 2
        one = play.cast.get(who)
        if found and one and one.side == "party":
            play.add(h.ItemGained(who=who, item=item, count=found))


def _calm(play: Play) -> None:
    """End effects that belong to fighting."""
    for one in play.cast.creatures:
        for effect in one.effects:
            caster = play.cast.get(effect.source)
            foreign = effect.key == "grappled" or (
                caster is not None and caster.side != one.side and effect.concentration
            )
            if effect.key in FIGHTING or foreign:
                lift(play, one.id, effect, "over")
        if one.concentration and one.side != "party":
            end_concentration(play, one.id, "ended")


def _tend(play: Play) -> None:
    """Let conscious companions stabilise those who are dying; no check is needed after a fight."""
    helpers = [one for one in play.cast.side("party") if can_act(one)]
    if not helpers:
        return
    for one in play.cast.side("party"):
        if one.dying:
            play.add(h.Stabilised(who=one.id, by=helpers[0].id))
