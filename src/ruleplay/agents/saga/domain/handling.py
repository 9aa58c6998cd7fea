"""Rules for handling things: use, give, put down, take."""

from __future__ import annotations

from ruleplay.agents.saga.domain import effects, errands, setting, talking
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings as around
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.story import bounds
from ruleplay.story.acts import EVERYBODY, Act, Detail, Effect
from ruleplay.story.bounds import GIVEN
from ruleplay.story.texts import Text, words_of


def use(play: Play, act: Act) -> None:
    """Use what is carried: remedies and gear by their rules, anything else as a gesture."""
    item = play.book.rules.items.get(act.item)
    carried = play.game.sheet.count(act.item)
    if item and not carried and act.item not in around.things(play.game, play.book):
        play.add(h.InVain(why="not_carried", text=act.text or act.item))
    elif item and item.kind == "remedy" and carried and act.to not in ("", HERO):
        _spend_on(play, act)
    elif item and item.kind == "remedy" and carried:
        errands.use(play, Intent(act="use", item=act.item))
    elif item and item.kind in ("weapon", "armour") and carried and not act.to:
        errands.equip(play, Intent(act="equip", item=act.item))
    else:
        play.add(h.Flourished(text=act.text or act.item))


def keep_whole(play: Play, key: str) -> None:
    """Say that nothing is taken of a remedy that a gesture is made with: there are no halves."""
    item = play.book.rules.items.get(key)
    if item and item.kind == "remedy" and play.game.sheet.count(key):
        play.add(h.Refused(reason="undivided", about=key))


def _spend_on(play: Play, act: Act) -> None:
    """Let somebody else have a remedy: they drink it, and cannot hand it back."""
    if not setting.stage(play.game, play.book).the(act.to):
        play.add(h.InVain(why="not_here", text=act.text or act.item))
        return
    play.add(h.ItemLost(item=act.item, to=act.to, text=act.text))
    if act.to in around.persons(play.game, play.book):
        effects.bring(play, (Effect(kind="attitude", who=act.to, amount=1),), success=True)


def give(play: Play, act: Act) -> None:
    """Hand something over, or put it down if nobody is named."""
    here = {one.id for one in setting.stage(play.game, play.book).standers}
    to = act.to if act.to in (*here, EVERYBODY) else ""
    if act.item:
        _part_with(play, act, to)
    elif to in setting.waiting_foes(play.game, play.book):
        # Coins for those who bar the way are an offer: they are paid if it is accepted.
        offer = {"do": "say", "to": to, "approach": "bargain", "want": "pass", "coin": act.coin}
        talking.address_foes(play, Act.model_validate({**offer, "text": act.text}))
    elif not play.game.sheet.coin:
        play.add(h.InVain(why="not_carried", text=act.text))
    elif to:
        there = around.persons(play.game, play.book)
        errands.pay(play, to if to in here else next(iter(there), ""), act.coin)
    else:
        coin = min(act.coin, play.game.sheet.coin)
        play.add(h.CoinChanged(amount=-coin, coin=play.game.sheet.coin - coin, why="left"))
    lost = play.done and isinstance(play.done[-1], h.ItemLost | h.CoinChanged)
    if lost and to in setting.waiting_foes(play.game, play.book):
        effects.bring(play, (Effect(kind="edge", who=HERO, what="up"),), success=True)


def _part_with(play: Play, act: Act, to: str) -> None:
    kept = bounds.meant_of(around.keepsakes(play.game), act.item)
    if play.game.sheet.count(act.item):
        _hand(play, act, to)
    elif kept:
        play.add(h.KeepsakeLost(keepsake=kept, to=to, text=act.text))
        if not to:
            errands.remember(play, "left", kept, Text(en=kept, fr=kept), act.text)
    elif _used_up(play, act.item) or (to and _beaten(play, to)):
        # The turn's deed has used it up, or a beaten foe's own thing is given back.
        play.add(h.Flourished(text=act.text or act.item))
    elif to and _paid_for(play, act.item):
        # A drink or a supper is not carried, but the one just paid for is there to be given.
        play.add(h.Flourished(text=act.text or act.item))
        if to in around.persons(play.game, play.book):
            effects.bring(play, (Effect(kind="attitude", who=to, amount=1),), success=True)
    else:
        play.add(h.InVain(why="not_carried", text=act.text or act.item))


def _hand(play: Play, act: Act, to: str) -> None:
    """Give away a thing that is carried, or put it down; what redeems a pledge brings that back."""
    count = min(act.count, play.game.sheet.count(act.item)) if to else 1
    body = {"item": act.item, "count": count, "to": to, "text": act.text}
    play.add(h.ItemLost.model_validate({**body, "why": "given" if to else "left"}))
    if not to:
        errands.remember(play, "left", act.item, play.book.rules.items[act.item].name, act.text)
    elif not errands.redeem(play, to, act.item) and to in around.persons(play.game, play.book):
        play.add(h.Counted(key=f"{GIVEN}{to}:{act.item}", n=count))
        effects.bring(play, (Effect(kind="attitude", who=to, amount=1),), success=True)


def _used_up(play: Play, item: str) -> bool:
    """Whether a deed of this turn has used a thing up."""
    lost = (one for one in play.done if isinstance(one, h.ItemLost) and one.item == item)
    return any(one.why in ("used", "lost") and not one.to for one in lost)


def _paid_for(play: Play, name: str) -> bool:
    """Whether something was bought in this turn, by its id or its name."""
    bought = {one.item for one in play.done if isinstance(one, h.CoinChanged) and one.amount < 0}
    names = [words_of(one) for key in bought - {""} for one in play.book.rules.items[key].name.both]
    return name.removeprefix("buy:") in bought - {""} or words_of(name) in names


def _beaten(play: Play, who: str) -> bool:
    """Whether somebody surrendered, or no longer bars the way."""
    persons = around.persons(play.game, play.book)
    passed = around.passed(play.game, play.book)
    return who in passed or (who in persons and around.may_go(play.game, play.book, who))


def take(play: Play, act: Act) -> None:
    """Pick up what was put down here, else what the scenario has here, else a worthless thing."""
    lies = next((one for one in around.left(play.game) if one.name == act.item), None)
    if lies and lies.item:
        play.add(h.ItemGained(item=lies.item, why="picked_up"))
    elif lies and lies.coin:
        coin = play.game.sheet.coin + lies.coin
        play.add(h.CoinChanged(amount=lies.coin, coin=coin, why="picked_up"))
    elif lies:
        effects.keep_detail(play, Detail(kind="keepsake", text=lies.keepsake))
    else:
        _help_oneself(play, act)


def _help_oneself(play: Play, act: Act) -> None:
    """Take a thing that the scenario has put here, or a worthless keepsake."""
    kind = "item" if act.item in around.things(play.game, play.book) else "keepsake"
    named = Effect.model_validate({"kind": kind, "what": act.item, "text": act.item})
    rules, lang, sheet = play.book.rules, play.game.lang, play.game.sheet
    own = (one.name.of(lang) for key, one in rules.items.items() if sheet.count(key))
    if _lies_about(play, act.item) or (act.item and bounds.meant_of(own, act.item)):
        play.add(h.Flourished(text=act.text or act.item))  # the latter has just been had
        return
    real = act.item in play.book.rules.items and kind == "keepsake"
    if real or not effects.bring(play, (named,), success=True):
        play.add(h.InVain(why="not_here", text=act.text or act.item))


def _lies_about(play: Play, name: str) -> bool:
    """Whether something is a beaten foe's weapon, which can be handled but not kept.

    What is kept of a fight is its loot alone.
    """
    key = around.here(play.game, play.book).encounter
    if not key or f"won:{key}" not in play.game.flags:
        return False
    rules = play.book.rules
    kinds = {foe.kind for foe in play.book.scenario.encounters[key].foes}
    weapons = [rules.items[rules.bestiary[kind].weapon] for kind in kinds]
    own = {words_of(one) for weapon in weapons for one in (*weapon.name.both, *weapon.words.all)}
    return words_of(name) in own
