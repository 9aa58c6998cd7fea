"""The acts of a fight: what each costs, when it is refused, and what it does.

A turn has one major and one minor action; a reaction comes back with the actor's next turn. The
functions that act assume that `problem` has found nothing.
"""

from __future__ import annotations

from ruleplay.agents.saga.domain import effects, setting
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.blows import give_up, strike, weapon_of
from ruleplay.agents.saga.domain.dice import Roll, edge, modifier
from ruleplay.agents.saga.domain.fight import COSTS, HERO, Combatant, Cost, Status
from ruleplay.agents.saga.domain.intents import Act, Intent, Plan
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.rulebook import StatusKind
from ruleplay.story.acts import Effect

# Looking something up is free, and lets nobody move.
FREE: tuple[Act, ...] = ("status", "look", "inventory", "sheet", "help", "journal", "map")
STANCES: dict[Act, StatusKind] = {"defend": "defending", "guard": "guarding", "aim": "aiming"}
FEAR_AT, FEAR_ROUNDS = 50, 2
"""Base difficulty of frightening somebody, raised by 5 for each foe, and rounds that it lasts."""
AID = 6
"""Hit points that first aid restores."""
HEARTENING: tuple[Act, ...] = ("use", "first_aid")
"""Acts that help the hero, or whoever on their side they are done to."""
AID_AT = 40
"""Difficulty of first aid."""


def costs_of(play: Play, intent: Intent) -> tuple[Cost, ...]:
    """Return everything an act costs; an attack may include changing weapons and closing in."""
    changes = bool(intent.item) and intent.item != play.game.sheet.weapon
    extra: list[Cost] = []
    if intent.act == "attack" and changes:
        extra.append("minor")
    if closes_in(play, intent):
        extra.append("minor")
    own = COSTS.get(intent.act)
    return (*extra, own) if own else ()


def closes_in(play: Play, intent: Intent) -> bool:
    """Whether an attack needs the hero to close in first, which costs the minor action."""
    if intent.act != "attack":
        return False
    target = play.fight.get(intent.target)
    weapon = play.book.rules.items.get(intent.item or play.game.sheet.weapon)
    return bool(target and target.far and not (weapon and weapon.ranged))


def problem(play: Play, intent: Intent) -> h.Refused | None:
    """Return why the hero cannot do something now, None if it can be done."""
    if intent.act in FREE:
        return None
    if intent.act not in COSTS:
        return h.Refused(reason="not_in_combat" if intent.act != "unknown" else "not_understood")
    checks = {"attack": _attack_problem, "intimidate": _target_problem, "use": _use_problem}
    if intent.act == "first_aid" and intent.target:
        return _tend_problem(play, intent)
    if intent.act == "equip":
        return equip_problem(play, intent)
    if intent.act in ("close_in", "withdraw"):
        return _distance_problem(play, intent)
    if intent.act == "flee" and play.fight.the(HERO).has("restrained", "grappled"):
        return h.Refused(reason="held")
    return checks[intent.act](play, intent) if intent.act in checks else None


def _target_problem(play: Play, intent: Intent) -> h.Refused | None:
    target = play.fight.get(intent.target)
    if target is None:
        return h.Refused(reason="no_such_foe", about=intent.target)
    if target.side == "party":
        return h.Refused(reason="no_foe", about=target.id)
    if not target.alive:
        return h.Refused(reason="already_dead", about=target.id)
    if target.yielded:
        return h.Refused(reason="already_beaten", about=target.id)
    return h.Refused(reason="already_fled", about=target.id) if target.fled else None


def _attack_problem(play: Play, intent: Intent) -> h.Refused | None:
    if found := _target_problem(play, intent):
        return found
    if intent.item and intent.item != play.game.sheet.weapon:
        return equip_problem(play, Intent(act="equip", item=intent.item))
    weapon = weapon_of(play, play.fight.the(HERO))
    if weapon and weapon.uses and not play.game.sheet.count(weapon.uses):
        return h.Refused(reason="no_ammunition", about=weapon.uses)
    return None


def _use_problem(play: Play, intent: Intent) -> h.Refused | None:
    item = play.book.rules.items.get(intent.item)
    if item is None or not play.game.sheet.count(intent.item):
        return h.Refused(reason="not_carried", about=intent.item)
    if item.kind != "remedy":
        return h.Refused(reason="no_use", about=intent.item)
    if intent.target and (found := _tend_problem(play, intent)):
        return found
    one = play.fight.the(intent.target or HERO)
    helps = one.hp < one.max_hp or item.grants or one.has(*item.cures)
    reason, about = ("sound", one.id) if intent.target else ("unhurt", intent.item)
    return None if helps else h.Refused(reason=reason, about=about)


def _tend_problem(play: Play, intent: Intent) -> h.Refused | None:
    """Return why somebody else cannot be tended: dead or gone; an ally who is down can be."""
    one = play.fight.the(intent.target)
    if not (one.alive or one.fallen):
        return h.Refused(reason="already_dead", about=one.id)
    return h.Refused(reason="already_fled", about=one.id) if one.fled else None


def equip_problem(play: Play, intent: Intent) -> h.Refused | None:
    """Return why something cannot be wielded or worn, None if it can."""
    item = play.book.rules.items.get(intent.item)
    if item is None or not play.game.sheet.count(intent.item):
        return h.Refused(reason="not_carried", about=intent.item)
    if item.kind not in ("weapon", "armour"):
        return h.Refused(reason="not_worn", about=intent.item)
    if item.kind == "armour" and play.game.fight:
        return h.Refused(reason="no_time_for_armour", about=intent.item)
    return None


def _distance_problem(play: Play, intent: Intent) -> h.Refused | None:
    if intent.act == "withdraw":
        return h.Refused(reason="no_withdrawal")
    if found := _target_problem(play, intent):
        return found
    near = not play.fight.the(intent.target).far
    return h.Refused(reason="already_near", about=intent.target) if near else None


def act(play: Play, intent: Intent) -> None:
    """Do one act of the hero's; `problem` has to be checked before."""
    if intent.act in FREE:
        play.add(consulted(intent.act))
        return
    if intent.act == "attack":
        attack(play, intent)
        return
    cost = COSTS[intent.act]
    play.add(
        h.ActionTaken(
            who=HERO, action=intent.act, cost=cost, target=intent.target, item=intent.item
        )
    )
    match intent.act:
        case "defend" | "guard" | "aim":
            status = Status(kind=STANCES[intent.act], rounds=1 if intent.act != "aim" else 2)
            play.add(h.StatusGained(who=HERO, status=status))
        case "use":
            use(play, intent.item, intent.target or HERO)
        case "equip":
            equip(play, intent.item)
        case "close_in":
            play.add(h.Moved(who=intent.target, far=False))
        case "intimidate":
            intimidate(play, intent.target)
        case "first_aid":
            first_aid(play, intent.target or HERO)
        case "flee":
            flee(play, HERO)
        case _:
            play.add(h.TurnSkipped(who=HERO, why="waits"))


def consulted(act: Act) -> h.Consulted:
    """Build the event of looking something up."""
    topics = {"look": "fight", "status": "fight", "language": "help"}
    return h.Consulted.model_validate({"topic": topics.get(act, act)})


def attack(play: Play, intent: Intent) -> None:
    """Let the hero strike or shoot, after changing weapons or closing in if necessary."""
    if intent.item and intent.item != play.game.sheet.weapon:
        play.add(h.ActionTaken(who=HERO, action="equip", cost="minor", item=intent.item))
        equip(play, intent.item)
    if closes_in(play, intent):
        play.add(h.ActionTaken(who=HERO, action="close_in", cost="minor", target=intent.target))
        play.add(h.Moved(who=intent.target, far=False))
    play.add(
        h.ActionTaken(
            who=HERO,
            action="attack",
            cost="major",
            target=intent.target,
            item=play.game.sheet.weapon,
        )
    )
    blow(play, intent)


def blow(play: Play, intent: Intent) -> None:
    """Strike the hero's blow: ammunition is spent, and a hit may bring the effect of a stunt."""
    weapon = weapon_of(play, play.fight.the(HERO))
    if weapon and weapon.uses:
        play.add(h.ItemLost(item=weapon.uses, why="shot"))
    struck = strike(play, HERO, intent.target, spare=intent.spare, stunt=intent.stunt is not None)
    if struck.hit and intent.stunt and play.game.fight:
        worse = Effect(kind="edge", who=intent.target, what="down")
        if not effects.bring(play, (intent.stunt,), success=True):
            # What no rule has (a weapon struck out of a hand) is a disadvantage for a moment.
            effects.bring(play, (worse,), success=True)


def use(play: Play, item: str, who: str = HERO) -> None:
    """Apply a remedy to somebody: it heals, cures or grants a status, and is used up."""
    remedy = play.book.rules.items[item]
    play.add(h.ItemLost(item=item, to="" if who == HERO else who))
    lay = play.game.fight is not None and play.fight.the(who).fallen
    heal(play, remedy.heals, "remedy", who)
    if lay:
        play.add(h.StatusGained(who=who, status=Status(kind="prone", rounds=1)))
    if play.game.fight is None:
        return
    for status in play.fight.the(who).statuses:
        if status.kind in remedy.cures:
            play.add(h.StatusAged(who=who, kind=status.kind, rounds=0, why="cured"))
    if remedy.grants:
        granted = remedy.grants
        status = Status(kind=granted.kind, rounds=granted.rounds, power=granted.power)
        play.add(h.StatusGained(who=who, status=status))


def heal(play: Play, amount: int, cause: str, who: str = HERO) -> None:
    """Restore somebody's hit points, up to the maximum."""
    hp, most = play.game.hp, play.game.sheet.max_hp
    if who != HERO:
        hp, most = play.fight.the(who).hp, play.fight.the(who).max_hp
    gained = min(amount, most - hp)
    if gained > 0:
        body = {"who": who, "amount": gained, "hp": hp + gained, "cause": cause}
        play.add(h.HitPointsChanged.model_validate(body))


def equip(play: Play, item: str) -> None:
    """Wield a weapon, or put on armour."""
    slot = "armour" if play.book.rules.items[item].kind == "armour" else "weapon"
    play.add(h.Equipped.model_validate({"who": HERO, "item": item, "slot": slot}))


def throw(play: Play, skill: str, number: int) -> tuple[Roll, bool]:
    """Roll one of the hero's skills against a number.

    It adds no event: the caller records the roll, and then spends the edge (`spend_edge`).
    """
    sheet, fight = play.game.sheet, play.game.fight
    bonus = sheet.bonus(skill, play.book.rules.skills[skill].stat)
    hindered = bool(fight and fight.the(HERO).has("frightened", "shaken", "blinded"))
    lent = play.game.story.edges.get(HERO, 0)
    roll = play.roll(bonus, edge([lent > 0], [play.game.shaken, hindered, lent < 0]))
    return roll, not roll.fumble and (roll.critical or roll.total >= number)


def spend_edge(play: Play) -> None:
    """Use up the hero's edge after a roll."""
    if HERO in play.game.story.edges:
        play.add(h.EdgeSpent(who=HERO))


def check(play: Play, skill: str, difficulty: int, counted: h.Counting = ()) -> bool:
    """Check one of the hero's skills; a natural 95 or more succeeds, 5 or less fails.

    `counted` is what has made it easier, for its line.
    """
    roll, success = throw(play, skill, difficulty)
    body = {"skill": skill, "difficulty": difficulty, "roll": roll, "success": success}
    play.add(h.SkillChecked.model_validate({"who": HERO, **body, "counted": counted}))
    if play.game.fight and play.fight.the(HERO).has("shaken"):
        play.add(h.StatusAged(who=HERO, kind="shaken", rounds=0, why="spent"))
    spend_edge(play)
    return success


def intimidate(play: Play, target: str) -> None:
    """Try to frighten somebody; cowards and wounded archers flee at once."""
    foe = play.fight.the(target)
    difficulty = FEAR_AT + 5 * len(play.fight.side("foes")) + modifier(foe.stats["wisdom"])
    if not check(play, "intimidation", difficulty):
        return
    play.add(h.StatusGained(who=target, status=Status(kind="frightened", rounds=FEAR_ROUNDS)))
    if foe.archetype == "coward" or (foe.archetype == "archer" and foe.hp * 2 < foe.max_hp):
        play.add(h.Fled(who=target))


def first_aid(play: Play, who: str = HERO) -> None:
    """Tend somebody's wounds: success restores hit points, and stops bleeding and burning."""
    if not check(play, "healing", AID_AT):
        return
    for status in play.fight.the(who).statuses:
        if status.kind in ("bleeding", "burning"):
            play.add(h.StatusAged(who=who, kind=status.kind, rounds=0, why="cured"))
    heal(play, AID, "aid", who)


def flee(play: Play, who: str) -> None:
    """Leave the fight; one foe within reach who has a reaction left strikes first."""
    if one := chaser(play, who):
        play.add(h.ActionTaken(who=one.id, action="attack", cost="reaction", target=who))
        strike(play, one.id, who)
    if play.fight.the(who).alive:
        play.add(h.Fled(who=who))


def chaser(play: Play, who: str) -> Combatant | None:
    """Return the foe who strikes at somebody's back if they flee now, if one can."""
    fight = play.fight
    able = [
        one
        for one in fight.foes_of(who)
        if one.id not in fight.reacted
        and not one.has("stunned", "frightened")
        and not one.far
        and one.id != HERO
    ]
    return min(able, key=lambda one: fight.order.index(one.id)) if able else None


def plan_problem(play: Play, plan: Plan) -> str:
    """Return why somebody cannot do what a model planned for them; empty if they can."""
    me = play.fight.get(plan.who)
    if me is None or plan.who == HERO:
        return f"{plan.who!r} is nobody to plan for"
    if not me.present:
        return f"{plan.who!r} is out of the fight"
    if plan.act == "attack" or (plan.act in ("withdraw", "close_in") and plan.target):
        target = play.fight.get(plan.target)
        if target is None or target.side == me.side or not target.present:
            return f"{plan.target!r} is nobody that {plan.who!r} can attack"
    if plan.act in ("flee", "yield") and me.side == "party":
        return "allies do not give up"
    if plan.act == "yield" and not setting.ready_to_yield(play.game, play.book, me):
        return f"{plan.who!r} has no reason to give up"
    return ""


def carry_out(play: Play, plan: Plan) -> None:
    """Do what is planned for a foe or an ally; a plan that makes no sense becomes a defence.

    Only archers draw back and shoot; anybody else who draws back stands on the defensive.
    """
    me, who = play.fight.the(plan.who), plan.who
    weapon = weapon_of(play, me)
    ranged = bool(weapon and weapon.ranged)
    match plan.act:
        case "flee" if not me.has("restrained", "grappled"):
            play.add(h.ActionTaken(who=who, action="flee", cost="major"))
            flee(play, who)
        case "yield":
            play.add(h.ActionTaken(who=who, action="yield", cost="major"))
            give_up(play, who)
        case "attack" | "withdraw" if plan.act == "attack" or (ranged and plan.target):
            if plan.act == "withdraw" and ranged and not me.far:
                play.add(h.ActionTaken(who=who, action="withdraw", cost="minor"))
                play.add(h.Moved(who=who, far=True))
            elif me.far and not ranged:
                play.add(h.ActionTaken(who=who, action="close_in", cost="minor"))
                play.add(h.Moved(who=who, far=False))
            body = {"action": "attack", "cost": "major", "target": plan.target}
            play.add(h.ActionTaken.model_validate({"who": who, "item": me.weapon, **body}))
            strike(play, who, plan.target)
        case "close_in" if me.far:
            play.add(h.ActionTaken(who=who, action="close_in", cost="minor"))
            play.add(h.Moved(who=who, far=False))
        case _:
            play.add(h.ActionTaken(who=who, action="defend", cost="major"))
            play.add(h.StatusGained(who=who, status=Status(kind="defending", rounds=1)))
