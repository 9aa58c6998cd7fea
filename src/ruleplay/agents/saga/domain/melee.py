"""Perform a reading's acts in a fight: free ones, those that cost an action, those left undone.

Acts that the written rules know become intents (`intent_of`); all others are improvised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleplay.agents.saga.domain import (
    archetypes,
    combat_acts,
    demands,
    dependence,
    errands,
    improvising,
    journey,
    promises,
    readiness,
    setting,
    skirmish,
    surroundings,
    trying,
)
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.fight import COSTS, HERO, Cost
from ruleplay.agents.saga.domain.intents import Intent, Plan
from ruleplay.agents.saga.domain.offers import STRIKE
from ruleplay.agents.saga.domain.play import Play
from ruleplay.story.acts import Act, Effect, Reading, Roster, problems
from ruleplay.story.texts import Text
from ruleplay.story.undone import Undone

FORWARD_ROUNDS = 10
"""Most rounds that a fast forward plays; it stops earlier if the hero is badly hurt."""
DEMANDS = ("yield", "leave", "pass", "truce", "join")
"""Aims of speech that demand something of foes."""
WHOM = Text(en="Whom do you strike?", fr="Qui frappez-vous ?")


def intent_of(play: Play, act: Act) -> Intent | None:
    """Convert an act to an intent of the written rules; None if it has to be improvised."""
    items = play.book.rules.items
    match act.do:
        case _ if act.when == "trigger":
            now = costs(play, act.model_copy(update={"when": "then"}))
            # Beside a deed only the minor action is left for it; a blow would be a second one.
            beside = "major" in play.fight.spent and not improvising.attacks(act)
            slight = beside or act.do in readiness.FREE or now == ("minor",)
            return None if slight else Intent(act="defend")
        case "rule":
            return _rule(play, act) if act.item != setting.STAND_DOWN else None
        case "move" if act.to in surroundings.company(play.game, play.book):
            return None
        case "move" if act.to and play.fight.get(act.to):
            far = play.fight.the(act.to).far
            return Intent(act="close_in", target=act.to) if far else None
        case "move" if act.to not in ("back", "behind", "cover", "up", "down", "aside"):
            return Intent(act="flee")
        case "use" | "give" | "check" if (tends := _tending(play, act)) is not None:
            return tends
        case "use" if act.item in items and items[act.item].kind in ("weapon", "armour"):
            named = act.to and play.fight.get(act.to)
            kind = "attack" if named and named.side == "foes" else "equip"
            return Intent.model_validate({"act": kind, "item": act.item, "target": act.to})
        case "wait":
            return Intent(act="pass")
        case _:
            return None


def _rule(play: Play, act: Act) -> Intent | None:
    if act.item not in COSTS:
        return Intent(act="unknown")
    item = act.with_ or (act.to if act.item == "equip" else "")
    target = act.to if act.item in ("attack", "close_in", "intimidate") else ""
    target = _tended(play, act) if act.item in combat_acts.HEARTENING else target
    if act.item == "attack" and not target:
        target = _only_foe(play)
    known = item if item in play.book.rules.items else ""
    body = {"act": act.item, "target": target, "item": known}
    if act.item != "attack" and act.item not in ("equip", "use"):
        body["item"] = ""
    return Intent.model_validate({**body, "spare": act.spare, "stunt": act.stunt})


def _tending(play: Play, act: Act) -> Intent | None:
    """Return a draught or first aid for the hero or somebody hurt on their side, else None."""
    item = play.book.rules.items.get(act.item)
    remedy = item is not None and item.kind == "remedy"
    if remedy and (act.do == "use" or (act.do == "give" and _hurt(play, act))):
        return Intent(act="use", item=act.item, target=_tended(play, act))
    aids = act.do == "check" and act.skill == "healing" and _hurt(play, act)
    return Intent(act="first_aid", target=act.to) if aids else None


def _tended(play: Play, act: Act) -> str:
    """Return whom a remedy or first aid is for; empty for the hero."""
    return act.to if act.to != HERO and play.fight.get(act.to) else ""


def _hurt(play: Play, act: Act) -> bool:
    """Whether an act is done to somebody of the hero's side who is hurt or down."""
    one = play.fight.get(_tended(play, act))
    return bool(one and one.side == "party" and one.hp < one.max_hp)


def _only_foe(play: Play) -> str:
    foes = play.fight.side("foes")
    return foes[0].id if len(foes) == 1 else ""


def costs(play: Play, act: Act) -> tuple[Cost, ...]:
    """Return an act's costs in a fight; speech and gestures are free.

    What takes the minor action costs that when it is readied, too; all else the major one.
    """
    if intent := intent_of(play, act):
        return combat_acts.costs_of(play, intent)
    if act.when == "trigger":
        return () if act.do in readiness.FREE else ("minor",)
    if act.do in ("check", "yield"):
        return ("major",)
    return ("minor",) if readiness.covers(act) or act.do in ("give", "take") else ()


def problem(play: Play, act: Act) -> h.Refused | h.InVain | None:
    """Return why an act cannot be done now, None if it can."""
    used = {"rule": act.with_, "check": act.with_}
    used |= {"use": act.item} if act.when == "trigger" else {}
    thing = used.get(act.do, "")
    if thing in play.book.rules.items and not play.game.sheet.count(thing):
        return h.InVain(why="not_carried", text=act.text or thing)
    intent = intent_of(play, act)
    if intent is not None:
        return combat_acts.problem(play, intent)
    if act.do in ("pick", "follow"):
        return h.Refused(reason="not_in_combat")
    return None


def fight_on(
    play: Play, reading: Reading, plans: Mapping[str, Plan], *, confirmed: bool = False
) -> None:
    """Do what a reading says, then everybody else's turns once the hero's is over.

    If the first act, or the first costly one, is impossible nobody moves. Acts that exceed the
    turn's actions are left undone.
    """
    stands = improvising.take_back(play, reading, confirmed=confirmed)
    if stands is None:
        return
    reading = stands
    if play.game.fight is None:  # undoing the last turn has ended the fight
        _tell_on(play, reading)
        return
    if play.game.story.asked:
        play.add(h.Answered())
    improvising.establish(play, reading)
    if reading.question:
        improvising.ask_back(play, reading.question, reading.choices)
        return
    acts = [_at_hand(play, act) for act in reading.acts]
    _take_turn(play, without_guard(acts), plans, confirmed)
    promises.promise(play, reading)


def _take_turn(play: Play, acts: Sequence[Act], plans: Mapping[str, Plan], confirmed: bool) -> None:
    if meta := next((act for act in acts if act.do == "meta"), None):
        rest = [act for act in acts if act is not meta]
        improvising.leave_undone(play, improvising.say_the_rest(play, rest, "turn"), "turn")
        _meta(play, meta, plans, confirmed)
        return
    acts = _without_refused(play, acts)
    if not acts:
        return
    costly = [act for act in acts if costs(play, act)]
    acts = sorted(acts, key=lambda act: act.when == "trigger")
    if costly and not play.fight.opened:
        # Beside a deed, and before anybody has moved, it is ready as before the fight.
        early = [act for act in acts if act.when == "trigger" and not problem(play, act)]
        for act in early if any(act not in early for act in costly) else ():
            readiness.ready(play, act)
            acts.remove(act)
        play.add(h.FightOpened(actor=play.fight.actor))
        skirmish.begin_turn(play)
        skirmish.until_hero(play, plans)
    if not costly or (play.game.fight and play.fight.actor == HERO):
        _hero_turn(play, acts, plans)


def _without_refused(play: Play, acts: Sequence[Act]) -> list[Act]:
    """Leave out the first act, or the first costly one, if it is impossible, and what needs it.

    Returns the acts that can still be done; none if nobody is to move, as nothing costly is left.
    """
    costly = [act for act in acts if costs(play, act)]
    refused = next((act for act in (*acts[:1], *costly[:1]) if problem(play, act)), None)
    if refused is None or (why := problem(play, refused)) is None:
        return list(acts)
    at = acts.index(refused)
    hung = [act for act in acts[at + 1 :] if _needs(act, refused)]
    stands = [act for act in acts if act is not refused and act not in hung]
    on = any(act in costly and problem(play, act) is None for act in stands)
    rest = hung if on else acts[at + 1 :]
    left = [] if on else improvising.say_the_rest(play, acts[:at], "vain")
    play.add(why)
    left += [act for act in rest if act.when == "if_success"]
    left += improvising.say_the_rest(play, [act for act in rest if act not in left], "vain")
    improvising.leave_undone(play, left, "vain")
    return stands if on else []


def _needs(act: Act, refused: Act) -> bool:
    """Whether an act cannot be without one that was refused: it says so, or uses the same thing.

    Without the weapon that was to be drawn, or the foe who was to be reached, no blow is struck.
    """
    things = {refused.item, refused.with_} - {"", *COSTS}
    named = bool(things & {act.item, act.with_})
    same = bool(refused.to) and refused.to == act.to
    blow = improvising.attacks(act) and (things or same)
    return dependence.conditional(act) or named or bool(blow)


def without_guard(acts: Sequence[Act]) -> list[Act]:
    """Drop a defence beside a readied act: readying includes defending (`intent_of`).

    A defence that is itself readied is taken up at once: it waits for the blow anyway.
    """
    acts = [act.model_copy(update={"when": "then"}) if _defends(act) else act for act in acts]
    ready = any(act.when == "trigger" and act.do not in readiness.FREE for act in acts)
    return [act for act in acts if not (ready and _defends(act))]


def _defends(act: Act) -> bool:
    return act.do == "rule" and act.item in ("defend", "guard")


def spring(play: Play) -> None:
    """Do readied acts in a fight that has just begun; a blow at nobody meets whoever is nearest.

    Cover is taken before anybody strikes, as a reaction, so the hero's first turn is whole. A
    draught that does not help yet is kept.
    """
    readied = [act for act in play.game.story.readied if readiness.helps(play, act)]
    for act in readied:
        play.add(h.Sprung(act=act))
    cover = next(filter(readiness.covers, readied), None)
    if cover:
        foes = {foe.id for foe in play.fight.side("foes")}
        first = next(who for who in play.fight.order if who in foes)
        readiness.take_cover(play, cover, first, "reaction")
    _do_known(play, [_aimed(play, act) for act in readied if act is not cover])


def _aimed(play: Play, act: Act) -> Act:
    blind = improvising.attacks(act) and not play.fight.get(act.to)
    return act.model_copy(update={"to": nearest(play)}) if blind else act


def nearest(play: Play) -> str:
    """Return the id of a foe within reach, else of one who is not."""
    foes = play.fight.side("foes")
    near = tuple(foe for foe in foes if not foe.far)
    return archetypes.chosen(play.fight.the(HERO), near or foes).id


def _do_known(play: Play, acts: Sequence[Act]) -> None:
    """Do acts that were read before the fight began, but for those that make no sense in it."""
    known = [act for act in acts if not problems(Reading(acts=(act,)), _roster(play))]
    improvising.leave_undone(play, [act for act in acts if act not in known], "fight")
    if known:
        fight_on(play, Reading(acts=tuple(known)), {})


def _tell_on(play: Play, reading: Reading) -> None:
    """Do the rest of a message, whose undo has ended the fight, outside it."""
    left = improvising.enact(play, reading) if reading.acts else ()
    if left and play.game.fight:
        strike_first(play, left)
    else:
        improvising.leave_undone(play, left, "far")


def strike_first(play: Play, acts: Sequence[Act]) -> None:
    """Strike the blow that began a fight, and do the acts that follow it.

    If its target is unclear the player is asked; if it is impossible the fight has only begun.
    Without a blow of the hero's, `acts` are what was prepared for the failure that began it.
    """
    if not improvising.attacks(acts[0]):
        _do_known(play, acts)
        return
    named = play.fight.get(acts[0].to)
    target = acts[0].to if named and named.side == "foes" else _only_foe(play)
    body = {"do": "rule", "item": "attack", "to": target}
    blow = Act.model_validate({**acts[0].model_dump(by_alias=True), **body})
    blow = _at_hand(play, blow)
    # The acts were read before the fight, so they may name what is not part of it.
    known = [act for act in acts[1:] if not problems(Reading(acts=(act,)), _roster(play))]
    if target and problem(play, blow) is None:
        improvising.leave_undone(play, [act for act in acts[1:] if act not in known], "fight")
        fight_on(play, Reading(acts=(blow, *known)), {})
    elif not target:
        foes = (foe.name for foe in play.fight.side("foes"))
        choices = tuple(STRIKE.of(play.game.lang).format(foe.of(play.game.lang)) for foe in foes)
        improvising.say_the_rest(play, [act for act in acts[1:] if act.do == "say"], "fight")
        improvising.leave_undone(play, [act for act in acts[1:] if act.do != "say"], "fight")
        improvising.ask_back(play, WHOM.of(play.game.lang), choices)
    else:
        left = improvising.say_the_rest(play, acts[1:], "fight")
        improvising.leave_undone(play, [acts[0], *left], "fight")


def _at_hand(play: Play, act: Act) -> Act:
    """Make a blow with a carried thing that is no weapon an improvised deed, of little harm."""
    item = play.book.rules.items.get(act.with_)
    weapon = item is None or item.kind == "weapon" or not play.game.sheet.count(act.with_)
    if weapon or not improvising.attacks(act) or act.when == "trigger":
        return act
    who = act.to or _only_foe(play)
    wished = (*((act.stunt,) if act.stunt else ()), Effect(kind="harm", who=who))
    deed = {"do": "check", "skill": "athletics", "to": who, "with": act.with_, "when": act.when}
    return Act.model_validate({**deed, "success": wished, "text": act.text or act.with_})


def _roster(play: Play) -> Roster:
    return setting.roster(play.game, play.book)


def _hero_turn(play: Play, acts: Sequence[Act], plans: Mapping[str, Plan]) -> None:
    if any(costs(play, act) for act in acts) and play.fight.the(HERO).has("stunned"):
        _stunned_turn(play, acts, plans)
        return
    done: list[Act] = []
    settled = 0
    for act in acts:
        settled = settled or len(play.done) if dependence.conditional(act) else 0
        price = costs(play, act) if play.game.fight else ()
        if play.game.fight is None or (price and play.fight.actor != HERO):
            break
        if not dependence.allowed(play, act, settled):
            done.append(act)
            continue
        if any(cost in play.fight.spent for cost in price):
            continue
        if found := problem(play, act):
            play.add(found)  # others have moved since the acts were checked
            done.append(act)
            continue
        perform(play, act)
        done.append(act)
        if play.game.fight is None or skirmish.settle(play):
            break
    _leave_rest(play, [act for act in acts if act not in done])
    _wait_for_it(play, done)
    if play.game.fight and play.fight.actor == HERO and "major" in play.fight.spent:
        if play.game.story.marks:
            play.add(h.MarksAged(place=play.game.place))
        skirmish.end_turn(play)
        skirmish.until_hero(play, plans)


def _leave_rest(play: Play, left: Sequence[Act]) -> None:
    """Say what is to be said beside the turn's acts, and why the others are left undone."""
    ended = play.game.fight is None
    # What was prepared in case they go on needs no word once they do not.
    left = [act for act in left if not (ended and act.when == "trigger")]
    blow = any(act.do == "rule" and act.item == "attack" for act in left)
    spent = () if ended else play.fight.spent
    short = blow and "minor" in spent and "major" not in spent
    why: Undone = "over" if ended else "minor" if short else "turn"
    improvising.leave_undone(play, improvising.say_the_rest(play, left, why), why)


def _wait_for_it(play: Play, done: Sequence[Act]) -> None:
    """Let a hero who does nothing but wait for what was readied stand on the defensive."""
    ready = play.game.fight and any(act.when == "trigger" and costs(play, act) for act in done)
    if ready and "major" not in play.fight.spent:
        combat_acts.act(play, Intent(act="defend"))


def _stunned_turn(play: Play, acts: Sequence[Act], plans: Mapping[str, Plan]) -> None:
    """Let a stunned hero speak or surrender, which takes no strength; all else is left undone."""
    left = improvising.say_the_rest(play, acts, "stunned")
    if any(act.do == "yield" for act in left):
        demands.surrender(play)
    improvising.leave_undone(play, [act for act in left if act.do != "yield"], "stunned")
    if play.game.fight and not skirmish.settle(play):
        skirmish.hero_turn(play, (), plans)


def perform(play: Play, act: Act) -> None:
    """Do one act on the hero's turn, by the written rules or improvised."""
    if intent := intent_of(play, act):
        _by_rule(play, act, intent)
    elif act.when == "trigger":
        if costs(play, act):
            play.add(h.ActionTaken(who=HERO, action="ready", cost="minor"))
        readiness.ready(play, act)
    else:
        before = len(play.done)
        _improvise(play, act)
        promises.hold_to(play, act, since=before)


def _improvise(play: Play, act: Act) -> None:
    match act.do:
        case "say" if act.to in surroundings.company(play.game, play.book):
            demands.called_on(play, act)
        case "say" if act.want in DEMANDS or (act.approach == "threaten" and act.to):
            demands.demand(play, act)
        case "say":
            demands.say_so(play, act)
        case "check":
            cost = {"action": "improvise", "cost": "major", "target": act.to}
            play.add(h.ActionTaken.model_validate({"who": HERO, **cost}))
            trying.attempt(play, act)
        case "yield":
            demands.surrender(play)
        case "give" | "take":
            play.add(h.ActionTaken(who=HERO, action=act.do, cost="minor", target=act.to))
            if act.do == "take" or not demands.pay_toll(play, act, act.to):
                improvising.perform(play, act)
        case "move" if readiness.covers(act):
            # Cover helps most against a foe who is far.
            foes = sorted(play.fight.side("foes"), key=lambda one: not one.far)
            readiness.take_cover(play, act, foes[0].id)
        case "move" | "use":
            play.add(h.Flourished(text=act.text or act.item))
            errands.use_up(play, act, since=len(play.done))
        case _:
            improvising.perform(play, act)


def _by_rule(play: Play, act: Act, intent: Intent) -> None:
    before = len(play.done)
    combat_acts.act(play, intent)
    errands.use_up(play, act, since=before)
    if act.when == "trigger":
        readiness.ready(play, act)
    elif intent.act == "flee" and play.game.fight and play.fight.the(HERO).fled:
        journey.run_to(play, act.to, act.text or improvising.named(play, act))


def _meta(play: Play, act: Act, plans: Mapping[str, Plan], confirmed: bool) -> None:
    if act.meta == "end_turn":
        fight_on(play, Reading(acts=(Act(do="wait"),)), plans)
    elif act.meta == "fast_forward":
        _fast_forward(play, plans)
    elif act.meta in ("end_story", "leave_seat"):
        play.add(h.Refused(reason="not_in_combat"))
    else:
        improvising.perform(play, act)


def _fast_forward(play: Play, plans: Mapping[str, Plan]) -> None:
    """Play the hero's attacks automatically, until the fight is over or the hero is badly hurt.

    Badly hurt means 40 % of the hit points or less.
    """
    for _ in range(FORWARD_ROUNDS):
        if play.game.fight is None:
            return
        hero = play.fight.the(HERO)
        foes = play.fight.side("foes")
        if not foes or hero.hp * 5 <= hero.max_hp * 2:
            return
        blow = Intent(act="attack", target=nearest(play))
        if combat_acts.problem(play, blow):
            blow = Intent(act="defend")
        skirmish.fight_on(play, [blow], plans)
