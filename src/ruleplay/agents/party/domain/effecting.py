"""Applies the effects of improvised acts: bounded by the table's limits and rolled by code."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ruleplay.agents.party.domain.choices import approach
from ruleplay.agents.party.domain.creature import Boon, Creature, Effect
from ruleplay.agents.party.domain.exploration.acts import exits, persons, waiting
from ruleplay.agents.party.domain.fight import DISTRACTED, LURED, REACH
from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules.checks import check
from ruleplay.agents.party.domain.rules.conditions import pace, with_implied
from ruleplay.agents.party.domain.rules.effects import bestow, lure
from ruleplay.agents.party.domain.rules.harm import Hurt, deal
from ruleplay.agents.party.domain.rules.spells import lowest_slot
from ruleplay.agents.party.domain.rules.spending import take
from ruleplay.agents.party.domain.safety import crossed
from ruleplay.agents.party.domain.staging import (
    COIN,
    authored_items,
    authored_names,
    coppers,
    people,
    skill_of,
    stage_of,
    story_told,
    waiters,
)
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import MERCY
from ruleplay.agents.party.domain.terms import ABILITIES, Condition
from ruleplay.story.acts import NAME_AT_MOST, Act, Band, Detail
from ruleplay.story.acts import Effect as Wished
from ruleplay.story.bounds import (
    COIN_PER_SCENE,
    FEET,
    Granted,
    difficulty,
    grant,
    keepsake_name,
    purse_of,
)
from ruleplay.story.canon import refusal
from ruleplay.story.texts import Text, words_of
from ruleplay.story.wording import find

CALLED = Text(en="{0} is called {1} now", fr="{0} s'appelle {1} désormais")
"""What is established by a nickname: of whom, and the name."""
IMPROVISED = "improvised"
STATES: tuple[Condition, ...] = (
    "prone", "blinded", "restrained", "grappled", "frightened", "deafened",
)  # fmt: skip
"""Conditions that improvised acts may impose by the rules; the others are in `STANCES`."""
STANCES = {
    DISTRACTED: Boon(dis_attack=True, once=True),
    "guarding": Boon(ac=2),
    "slowed": Boon(pace="half"),
    "hidden": Boon(dis_against=True, once=True),
}
EDGES = {
    "up": Boon(adv_attack=True, adv_checks=ABILITIES, once=True),
    "down": Boon(dis_attack=True, dis_checks=ABILITIES, once=True),
}


class AppealResult(Enum):
    """The outcome of an appeal: nothing asked, refused, told without a roll, or rolled."""

    NOTHING = "nothing"
    REFUSED = "refused"
    TOLD = "told"
    SUCCESS = "success"
    FAILURE = "failure"


def hushed(table: Table, text: str) -> bool:
    """Whether a text crosses a line of the table."""
    return bool(crossed(text, table.safety))


def crossing(play: TableTurn, seat: str, text: str) -> bool:
    """Refuse a text that crosses a line; the refusal names the line and not the text."""
    lines = crossed(text, play.table.safety)
    if lines:
        play.refuse(seat, Refusal(reason="line", about=lines[0]))
    return bool(lines)


def struck(play: TableTurn) -> bool | None:
    """Whether the last roll of this turn succeeded; None if there was none."""
    for one in reversed(play.done):
        if isinstance(one, h.AttackRolled):
            return one.hit
        if isinstance(one, h.Checked | h.Contested):
            return one.success
    return None


def lacking(play: TableTurn, who: str, what: str) -> Refusal | None:
    """Return the refusal if the act's spell has no slot left."""
    spell, one = play.book.rules.spells.get(what), play.table.cast.get(who)
    if not spell or one is None or what not in one.spells:
        return None
    free = not spell.level or (spell.ritual and not play.table.cast.fight)
    return None if free or lowest_slot(one, spell.level) else Refusal(reason="no-slot", about=what)


def spend(
    play: TableTurn, who: str, skill: str, act: Act, *, easy: bool, beside: bool
) -> Refusal | None:
    """Spend a try's cost in a fight: the action, or a free hand for something easy beside it.

    `beside`: what comes next needs the action.
    """
    fight = play.table.cast.fight
    if not fight:
        return None
    aimed = (act.to,) if play.table.cast.get(act.to) else ()
    by_hand = easy and fight.budget.item and (beside or not fight.budget.action)

    def spent(rules: Play) -> None:
        if by_hand:
            take(rules, who, "improvise", "free", skill, aimed, item=False)
        else:
            take(rules, who, "improvise", "action", skill, aimed)

    return play.by_rules(spent)


def pay_for(play: TableTurn, who: str, what: str) -> Refusal | None:
    """Cast the spell, or use up the potion, that an act is done with."""
    if refused := lacking(play, who, what):
        return refused
    one = play.table.cast.get(who)
    spell, item = play.book.rules.spells.get(what), play.book.rules.items.get(what)
    if one and spell and what in one.spells:
        free = not spell.level or (spell.ritual and not play.table.cast.fight)
        slot = 0 if free else lowest_slot(one, spell.level)
        play.add(h.SpellCast(who=who, spell=what, slot=slot, targets=()))
        if slot:
            play.add(h.SlotSpent(who=who, level=slot, left=one.slots[slot - 1] - 1))
    elif one and item and item.kind == "potion" and one.count(what):
        play.add(h.ItemLost(who=who, item=what))
    return None


def help_on(play: TableTurn, seat: str, who: str) -> bool:
    """Grant advantage on somebody's next roll, within the limits."""
    edge = Wished(kind="edge", who=who, what="up")
    return bring(play, seat, (edge,), success=True, band="easy", wished=False)


def reward(play: TableTurn, seat: str, act: Act) -> None:
    """Make a success count that has changed nothing else: a better attitude or an advantage.

    If both are exhausted, what was done becomes an established detail; what was said does not.
    """
    liked = Wished(kind="attitude", who=act.to, amount=1)
    person = act.to in people(play.table, play.book) and skill_of(act.skill) in SOCIAL
    animal = "/" in act.to and skill_of(act.skill) in (*SOCIAL, "animal-handling")
    if (person or animal) and bring(play, seat, (liked,), success=True, band="easy", wished=False):
        return
    helped = help_on(play, seat, stage_of(play.table, play.book, seat).actor)
    if not helped and act.text and act.do != "say":
        establish(play, seat, Detail(text=act.text), seen=True)


def tried(play: TableTurn, seat: str, skill: str, band: Band, act: Act) -> bool:
    """Roll a check; a sure thing needs none."""
    if band == "sure":
        return True
    foe = play.table.cast.get(act.to)
    stage = stage_of(play.table, play.book, seat)
    against = None
    if foe and foe.id not in play.table.seats:
        against = foe.check_bonus("wis") if skill in SOCIAL else foe.check_bonus("str")
    dc = difficulty(band, "d20", against=against)
    return rolled(play, stage.actor, skill, dc)


SOCIAL = ("persuasion", "deception", "intimidation", "performance", "insight")


def rolled(play: TableTurn, who: str, skill: str, dc: int) -> bool:
    """Roll somebody's check against a given DC."""
    found: list[bool] = []
    known = skill_of(skill)
    play.by_rules(lambda rules: found.append(check(rules, who, known, dc, IMPROVISED)))
    return bool(found and found[0])


def overhear(play: TableTurn, who: str, to: str) -> bool:
    """Let somebody who has listened at a way know who is beyond it, as the adventure has it."""
    now, story = play.table.expedition, play.book.story
    if play.table.cast.fight or not now.begun or to not in {way.to for way in exits(now, story)}:
        return False
    there = now.model_copy(update={"scene": to})
    gone = play.table.tale.gone
    found = [key for key in persons(there, story) if key not in gone]
    if key := waiting(there, story):
        kinds = (foe.kind for foe in story.encounters[key].foes)
        found += [f"{key}/{kind}" for kind in dict.fromkeys(kinds)]
    play.add(t.Overheard(who=who, scene=to, beings=tuple(found)))
    return True


def settle_wager(play: TableTurn, seat: str, act: Act, *, won: bool) -> None:
    """Pay out a wager, limited by the scene's budget of coin; small change needs no gold."""
    if 0 < (change := coppers(act)) < COIN:
        _coin(play, spared(play, seat, act.to, change) if won else -change)
        return
    stage = stage_of(play.table, play.book, seat)
    stake = min(coppers(act) // COIN, COIN_PER_SCENE if won else stage.coin)
    wager = Wished(kind="coin", who=act.to if won else "", amount=stake if won else -stake)
    if act.coin:
        bring(play, seat, (wager,), success=won, band="medium")


def bring(
    play: TableTurn,
    seat: str,
    effects: Iterable[Wished],
    *,
    success: bool,
    band: Band,
    wished: bool = True,
) -> bool:
    """Apply the effects that are granted; return whether any of them changed something.

    If `wished`, effects on things and coin that are withheld are announced.
    """
    came = False
    for effect in effects:
        if play.table.mode == "ended":
            return came
        stage = stage_of(play.table, play.book, seat)
        if success and effect.what == DISTRACTED:
            _look_elsewhere(play, stage.actor)
        if success and effect.kind == "attitude" and _won_over(play, effect):
            came = True
            continue
        effect = _on_the_way(play, effect, stage.actor, success=success)
        one = grant(effect, stage, play.table.tale.ledger, success=success, band=band)
        why = one if isinstance(one, str) else "it changes nothing here"
        if isinstance(one, Granted) and _apply(play, seat, one, stage.actor):
            came = True
            if one.key:
                play.add(t.Tallied(key=one.key, n=one.n))
        elif wished and _noticed(play, stage.actor, effect):
            came = True
        elif wished and effect.kind in SAID:
            who = effect.who or stage.actor
            play.add(t.Withheld(who=who, kind=effect.kind, why=why))
    return came


def _won_over(play: TableTurn, effect: Wished) -> bool:
    """Let one kind of those who wait think better of the party; a fight finds them so."""
    who, key = effect.who, waiting_for(play)
    waits = bool(key) and who.partition("/")[0] == key != who
    if not waits or effect.amount <= 0 or play.table.tale.attitude(who) > 0:
        return False
    return _noted(play, t.AttitudeChanged(person=who, amount=1, value=1))


def _look_elsewhere(play: TableTurn, actor: str) -> None:
    """Draw off those who wait: a fight finds them so, and all may get past them more easily."""
    drawn = f"{LURED}:{waiting_for(play)}"
    if drawn.endswith(":") or play.table.tale.ledger.of(drawn):
        return
    play.add(t.Tallied(key=drawn))
    ease = Effect(key="edge-up", source=actor, boon=EDGES["up"])
    for one in play.table.party:
        if one.id != actor and not one.under("edge-up") and _upon(play, one.id, ease):
            play.add(t.EdgeGained(who=one.id, way="up"))


def waiting_for(play: TableTurn) -> str:
    """Return the encounter that waits here and is not fought yet; empty if there is none."""
    now = play.table.expedition
    return waiting(now, play.book.story) if now.begun and not play.table.cast.fight else ""


def _on_the_way(play: TableTurn, effect: Wished, actor: str, *, success: bool) -> Wished:
    """Translate combat effects for scenes without a fight into an advantage on the next roll.

    The same goes for the attitude of those who wait in an encounter.
    """
    if play.table.cast.fight and effect.kind == "place" and not effect.amount:
        return effect.model_copy(update={"amount": FEET})  # a throw without a number of feet
    if play.table.cast.fight or not play.table.expedition.begun:
        return effect
    key = waiting_for(play)
    if effect.kind == "attitude" and key and effect.who == key:
        return Wished(kind="edge", who=actor, what="up" if effect.amount > 0 else "down")
    if effect.kind not in ("condition", "morale", "place"):
        return effect
    who = effect.who if effect.who in play.table.characters else actor
    return Wished(kind="edge", who=who, what="up" if success else "down")


SAID = ("harm", "keepsake", "item", "coin")
"""Effects whose refusal is announced; for the others, a substitute is granted instead."""


def _noticed(play: TableTurn, who: str, effect: Wished) -> bool:
    """Announce a detail about a known person that cannot be established as a fact."""
    small = effect.kind == "detail" and len(effect.text.split()) > 2
    told = {word for text in story_told(play.table, play.book) for word in words_of(text)}
    new = " ".join(one for one in effect.text.split() if not {*words_of(one)} & told)
    if not small or refusal(Detail(text=new), ()) or hushed(play.table, effect.text):
        return False
    play.add(t.Noticed(who=who, text=effect.text))
    return True


def _apply(play: TableTurn, seat: str, granted: Granted, actor: str) -> bool:  # noqa: C901 - rows
    effect = granted.effect
    who = effect.who or actor
    match effect.kind:
        case "edge":
            way = "up" if effect.what == "up" else "down"
            return _upon(play, who, Effect(key=f"edge-{way}", source=actor, boon=EDGES[way])) and (
                _noted(play, t.EdgeGained(who=who, way=way))
            )
        case "attitude":
            return _attitude(play, who, effect.amount)
        case "coin":
            return _coin(play, effect.amount * COIN)
        case "keepsake" | "item":
            return keep(play, seat, effect.text or effect.what)
        case "time":
            return _noted(play, t.TimeSpent(minutes=effect.amount))
        case "condition":
            return _condition(play, who, effect, actor)
        case "morale":
            return _noted(play, t.Shaken(who=who))
        case "harm":
            return _harm(play, who, effect.amount, actor)
        case "mark":
            # Digits in the text could be mistaken for numbers of the rules.
            text = "" if any(map(str.isdigit, effect.text)) else effect.text
            scene, rounds = play.table.expedition.scene, effect.amount
            made = t.MarkMade(scene=scene, what=effect.what, text=text, rounds=rounds)
            return bool(effect.what or text) and _noted(play, made)
        case "place":
            return _place(play, who, effect.amount, actor)
        case "detail":
            return establish(play, seat, Detail(text=effect.text, about=effect.who), seen=True)
        case _:
            return False


def _noted(play: TableTurn, happened: t.Improvised) -> bool:
    play.add(happened)
    return True


def _upon(play: TableTurn, who: str, effect: Effect) -> bool:
    one = play.table.cast.get(who)
    if one is None or not one.present or not one.conscious:
        return False
    play.by_rules(lambda rules: bestow(rules, who, effect))
    return True


def _attitude(play: TableTurn, who: str, amount: int) -> bool:
    there = play.table.cast.get(who)
    foe = play.table.cast.fight is not None and there is not None and there.present
    if who not in people(play.table, play.book) and not foe:
        return False
    value = max(-2, min(2, attitude(play, who) + amount))
    if value == attitude(play, who):
        return False
    return _noted(play, t.AttitudeChanged(person=who, amount=amount, value=value))


def attitude(play: TableTurn, person: str) -> int:
    """Return a person's attitude, from -2 to 2."""
    found = play.book.story.persons.get(person)
    first = found.attitude if found else 0
    return play.table.tale.attitudes.get(person, first)


def like(play: TableTurn, seat: str, person: str, amount: int) -> None:
    """Change a person's attitude, within the scene's limits."""
    effect = Wished(kind="attitude", who=person, amount=amount)
    bring(play, seat, (effect,), success=amount > 0, band="easy", wished=False)


def _coin(play: TableTurn, amount: int) -> bool:
    purse = play.table.expedition.purse
    after = max(0, purse + amount)
    if after == purse:
        return False
    play.add(CoinChanged(amount=after - purse, purse=after))
    return True


def spared(play: TableTurn, seat: str, who: str, worth: int) -> int:
    """Let a person part with so much copper, or its worth, as far as they can spare it."""
    stage, ledger = stage_of(play.table, play.book, seat), play.table.tale.ledger
    less = min(worth, can_spare(play, seat, who))
    wished = Wished(kind="coin", who=who, amount=-(-less // COIN))
    one = grant(wished, stage, ledger, success=True) if less > 0 else ""
    if isinstance(one, str):
        return 0
    play.add(t.Tallied(key=one.key, n=one.n))
    return less


def can_spare(play: TableTurn, seat: str, who: str) -> int:
    """Return how much copper can still be got from somebody here."""
    return COIN * purse_of(who, stage_of(play.table, play.book, seat), play.table.tale.ledger)


def may_keep(play: TableTurn, seat: str, name: str) -> bool:
    """Whether a thing without value qualifies as somebody's keepsake."""
    thing = keepsake_name(name)
    # The author's own things may not be invented; whom it is for or from does not matter.
    things = authored_items(play.table, play.book)
    if not thing or refusal(Detail(kind="keepsake", text=thing), things):
        return False
    if seat not in play.table.characters or hushed(play.table, thing):
        return False
    return play.table.tale.ledger.of(f"keepsake:{play.table.expedition.scene}") < 2


def name_after(play: TableTurn, seat: str, detail: Detail) -> bool:
    """Establish what somebody is called from now on, unless that is an authored name."""
    table, key = play.table, f"detail:{seat}:{play.table.round}"
    if refusal(detail, authored_names(table, play.book)) or hushed(table, detail.text):
        return False
    if not detail.about or len(detail.text) > NAME_AT_MOST or table.tale.ledger.of(key) >= 2:
        return False
    here = {**people(table, play.book), **waiters(table, play.book)}
    about = here.get(detail.about)
    name = about.of(table.lang) if about else table.name(detail.about)
    text = CALLED.of(table.lang).format(name, detail.text)
    made = {"text": text, "about": detail.about, "author": seat, "place": table.expedition.scene}
    play.add(t.DetailEstablished.model_validate(made), t.Tallied(key=key))
    return True


def _had(play: TableTurn, seat: str, thing: str) -> bool:
    """Whether somebody got this very thing in this turn, under a longer or a shorter name."""
    words = {*words_of(thing)}
    got = (one.text for one in play.done if isinstance(one, t.KeepsakeGained) and one.who == seat)
    return any(words <= {*words_of(one)} or {*words_of(one)} <= words for one in got)


def keep(play: TableTurn, seat: str, name: str) -> bool:
    """Give somebody a keepsake, a thing without value, if it qualifies."""
    thing, key = keepsake_name(name), f"keepsake:{play.table.expedition.scene}"
    if _had(play, seat, thing):
        return True
    if not may_keep(play, seat, name):
        return False
    play.add(t.KeepsakeGained(who=seat, text=thing), t.Tallied(key=key))
    return True


def _condition(play: TableTurn, who: str, effect: Wished, actor: str) -> bool:
    """Impose a condition in a fight; outside one there are no turns by which to time it."""
    one, what = play.table.cast.get(who), effect.what
    if play.table.cast.fight is None or one is None:
        return False
    if what == "restrained" and _lies(one):
        return _tied(play, one, play.table.cast.the(actor))
    if what == DISTRACTED and one.side != "party" and _lured(play, one, actor):
        return True
    conditions = with_implied(tuple(one for one in STATES if one == what))
    if set(conditions) & {*one.condition_immune}:
        return False
    made = Effect(
        key=what if what == "prone" else f"{IMPROVISED}-{what}",
        source=actor,
        conditions=conditions,
        boon=STANCES.get(what),
        left=effect.amount,
        of=actor,
        at="start",
        escape=10 if what == "grappled" else 0,
    )
    return _upon(play, who, made)


def _lured(play: TableTurn, foe: Creature, actor: str) -> bool:
    """Draw a foe off, once in a fight: its next turn is spent on that, and it goes there."""
    key = f"fight:lured:{foe.id}"
    made = lure(foe.id, actor)
    if play.table.tale.ledger.of(key) or not _upon(play, foe.id, made):
        return False
    play.add(t.Tallied(key=key))
    heroes = (one for one in play.table.cast.foes_of(foe.id) if one.conscious)
    if all(abs(one.position - foe.position) > REACH for one in heroes):
        _place(play, foe.id, FEET, actor)
    return True


def leave_fight(play: TableTurn, *whom: str, captive: bool) -> None:
    """Take somebody out of the fight alive, as captives or by leaving."""
    for who in whom if captive else ():
        play.add(t.Yielded(who=who, captive=play.table.cast.the(who).name))

    def gone(rules: Play) -> None:
        for who in whom:
            if rules.fighting and rules.the(who).present:
                rules.add(h.GotAway(who=who))

    play.by_rules(gone)


def _tied(play: TableTurn, foe: Creature, by: Creature) -> bool:
    """Tie up a foe who lies helpless and, where others are awake, in a turn's walk: a captive."""
    minded = any(one.conscious for one in play.table.cast.friends_of(foe.id))
    if minded and abs(foe.position - by.position) > pace(by) + REACH:
        return False
    leave_fight(play, foe.id, captive=True)
    return True


def make_peace(play: TableTurn, who: str) -> None:
    """Let a fight end beside those who sleep, if one was bound or all were spared in this turn."""
    bound = any(isinstance(one, t.Yielded) and one.captive for one in play.done)
    spared = any(isinstance(one, t.Tallied) and one.key == MERCY for one in play.done)
    if play.table.cast.fight and (bound or spared) and not opposed(play, who):
        there = play.table.cast.foes_of(who)
        leave_fight(play, *(one.id for one in there if _lies(one)), captive=False)


def opposed(play: TableTurn, who: str) -> bool:
    """Whether anybody of the foes in somebody's fight is awake."""
    return any(one.conscious for one in play.table.cast.foes_of(who))


def _lies(one: Creature) -> bool:
    return one.side != "party" and one.present and one.alive and not one.conscious


def hold(play: TableTurn, who: str, other: str) -> None:
    """Let somebody grapple another, whom they then drag along, until their next turn."""
    made = Effect(key="grappled", source=who, conditions=("grappled",), left=1, of=who, at="start")
    play.by_rules(lambda rules: bestow(rules, other, made))


def heave(play: TableTurn, who: str, text: str) -> None:
    """Let somebody who goes away carry the fallen companions within reach whom the words name."""
    table, words, me = play.table, words_of(text), play.table.cast.get(who)
    for one in table.party if table.cast.fight and me else ():
        near = me is not None and abs(one.position - me.position) <= REACH
        named = find(words, words_of(table.name(one.id))) is not None
        if near and named and one.present and table.is_fallen(one.id):
            hold(play, who, one.id)


def bring_along(play: TableTurn, who: str, text: str) -> None:
    """Let who is about to run go to the fallen whom their words name, and carry them."""
    words = words_of(text)
    for one in play.table.party if play.table.cast.fight else ():
        named = find(words, words_of(play.table.name(one.id))) is not None
        if named and one.present and one.hp == 0:
            for step in approach(play.table, play.table.cast.the(who), one, REACH):
                play.step(who, step)
    heave(play, who, text)


def _harm(play: TableTurn, who: str, sides: int, actor: str) -> bool:
    one = play.table.cast.get(who)
    if one is None or not one.present or not one.conscious:
        return False

    def hurt(rules: Play) -> None:
        roll = rules.roll(f"1d{sides}")
        rules.add(h.DamageRolled(by=actor, what=IMPROVISED, damage="bludgeoning", roll=roll))
        # Nobody drops to 0 hit points by their own mishap.
        most = roll.total if who != actor else min(roll.total, rules.the(who).hp - 1)
        kept = Hurt(raw=roll.total, damage="bludgeoning", reduced=roll.total - max(0, most))
        deal(rules, who, [kept], "" if who == actor else actor, "hazard")

    play.by_rules(hurt)
    return True


def _place(play: TableTurn, who: str, feet: int, actor: str) -> bool:
    """Move a creature a few feet in a fight: foes away from the party, characters back."""
    one, me = play.table.cast.get(who), play.table.cast.get(actor)
    if play.table.cast.fight is None or one is None or me is None or not feet:
        return False
    away = 1 if one.side != "party" else -1
    position = one.position + away * (feet // 5 * 5)
    play.add(h.Moved(who=who, origin=one.position, position=position, why="pushed"))
    return True


def _is_line(words: str, text: str) -> bool:
    return words == text or words.endswith(f": {text}")


def establish(play: TableTurn, seat: str, detail: Detail, *, seen: bool = False) -> bool:
    """Establish a detail as a fact, unless it contradicts the adventure or the rules.

    Players may speak of their own character and of who came along as a captive, a name included;
    about persons present, only what was `seen` holds.
    """
    table = play.table
    own = {one.of(table.lang) for one in table.tale.captives.values()}
    own |= {table.name(seat)} if seat in table.characters else set()
    here = {one.of(table.lang) for one in people(table, play.book).values()} if seen else set()
    # A prompt puts a name before what is established of somebody.
    over = next((one for one in table.tale.canon if _is_line(detail.instead, one.text)), None)
    keeps = over is not None and (over.kind, over.author) == ("promise", seat)
    authored = () if keeps else authored_names(table, play.book)
    names = (one for one in authored if one not in own | here)
    if hushed(table, detail.text):
        return False
    if refusal(detail, names):
        if keeps and over:  # however it is worded, what was promised is over
            play.add(t.DetailEstablished(text="", author=seat, instead=over.text))
        return keeps
    key = f"detail:{seat}:{table.round}"
    if table.tale.ledger.of(key) >= 2:
        return False
    play.add(
        t.DetailEstablished(
            text=detail.text,
            kind=detail.kind,
            place=table.expedition.scene,
            about=detail.about,
            author=seat,
            instead=over.text if over else detail.instead,
        ),
        t.Tallied(key=key),
    )
    return True
