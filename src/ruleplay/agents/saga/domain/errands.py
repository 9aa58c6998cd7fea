"""Rules for remedies, gear, payments, trade and training outside fights."""

from __future__ import annotations

from textwrap import shorten
from zlib import crc32

from ruleplay.agents.saga.domain import combat_acts, effects
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scope import items_alone
from ruleplay.agents.saga.domain.surroundings import here, keepsakes, left, lowest_price, persons
from ruleplay.story import bounds, canon
from ruleplay.story.acts import Act, Detail, Effect
from ruleplay.story.bounds import GIVEN, PLEDGED
from ruleplay.story.mentions import mentioned
from ruleplay.story.texts import Text, words_of
from ruleplay.story.undone import quoted

RANKS_AT_MOST, REMEMBERED = 5, 300
"""The highest rank of a skill; most characters of what the canon keeps of a thing."""


def use(play: Play, intent: Intent) -> None:
    """Use a remedy outside a fight."""
    item = play.book.rules.items.get(intent.item)
    if item is None or not play.game.sheet.count(intent.item):
        play.add(h.Refused(reason="not_carried", about=intent.item))
    elif item.kind != "remedy" or not item.heals:
        play.add(h.Refused(reason="no_use", about=intent.item))
    elif play.game.sheet.hp == play.game.sheet.max_hp:
        play.add(h.Refused(reason="unhurt", about=intent.item))
    else:
        combat_acts.use(play, intent.item)


def use_up(play: Play, act: Act, *, since: int) -> None:
    """Take from the hero what an act uses up, throws away for good or breaks.

    It is a thing that they carry and that the act names. What the scenario will ask of them is
    only put down here, so that the story cannot be blocked. Nothing is lost if something was lost
    anyway in the happenings `since` the act began, as ammunition is.
    """
    named = _spent(play, act) if act.spent else ""
    item = named if play.game.sheet.count(named) else ""
    deed = play.book.scenario.deeds.get(act.item.removeprefix("deed:"))
    lost = any(isinstance(one, h.ItemLost) for one in play.done[since:])
    if lost or (deed and deed.helped_by == item != ""):
        return  # the author has written what becomes of it
    if item and not play.book.rules.items[item].uses:
        spend(play, item, "left" if item in play.book.scenario.asked_for() else "lost", act.text)
    elif named and not item and (keepsake := bounds.meant_of(keepsakes(play.game), named)):
        play.add(h.KeepsakeLost(keepsake=keepsake, spent=True))


def _spent(play: Play, act: Act) -> str:
    """Return the thing that an act uses up: its item, never what that is used on.

    Deeds, blows and prizes are no things of the hero's; what is done `with` then is meant.
    """
    mine = play.game.sheet.count(act.item) or bounds.meant_of(keepsakes(play.game), act.item)
    used = act.item and (mine or act.do in ("use", "flourish"))
    return act.item if used else act.with_


def spend(play: Play, item: str, why: str, words: str = "") -> None:
    """Take a thing that is used up, and keep in the canon what became of it."""
    play.add(h.ItemLost.model_validate({"item": item, "why": why}))
    kind = "left" if why == "left" else "spent"
    remember(play, kind, item, play.book.rules.items[item].name, words)


def remember(play: Play, kind: str, item: str, name: Text, words: str) -> None:
    """Keep in the canon where something was put down, until it is picked up, or was used up."""
    lang, place = play.game.lang, here(play.game, play.book).name
    # Words that say more of the world than where the thing is are left out.
    fit = words and not effects.refused(play.game, play.book, Detail(text=words))
    how = f" ({quoted([words], lang)})" if fit else ""
    kept = canon.Established(
        text=shorten(f"{name.of(lang)}, {place.of(lang)}{how}", REMEMBERED),
        kind=kind,
        place=play.game.place,
        about=item,
        author=HERO,
        turn=play.turn,
    )
    play.add(h.DetailKept(detail=kept))


def equip(play: Play, intent: Intent) -> None:
    """Wield a weapon or put on armour."""
    if found := combat_acts.equip_problem(play, intent):
        play.add(found)
    else:
        combat_acts.equip(play, intent.item)


def offered(play: Play, act: Act) -> int:
    """Return the coins that words offer: 0 in a lie, or if the hero has not got as many.

    "Give me three coins" asks for coins rather than offering any.
    """
    asked = act.want == "give" and not act.item and act.approach != "plain"
    honest = act.approach != "deceive" and act.coin <= play.game.sheet.coin
    return act.coin if honest and not asked else 0


def thing_offered(play: Play, act: Act) -> str:
    """Return the carried thing that words offer, plainly or in a bargain.

    In any other tone, and in a plain question, a thing is only shown or spoken of.
    """
    offers = act.approach == "bargain" or (act.approach == "plain" and act.want != "know")
    return act.item if offers and play.game.sheet.count(act.item) else ""


def _trifle_offered(play: Play, act: Act) -> str:
    """Return the worthless thing that a bargain offers, or words give away plainly."""
    plain = act.approach == "plain" and act.want not in ("know", "give")
    named = act.item if act.approach == "bargain" or plain else ""
    return (bounds.meant_of(keepsakes(play.game), named) or "") if named else ""


def pledged(play: Play, act: Act) -> str:
    """Return the carried thing that words leave for a ware, as a pledge or in exchange."""
    ware = act.item.removeprefix("buy:") in play.book.rules.items
    swaps = act.spent and ware and act.with_ in play.book.rules.items
    return act.with_ if swaps and play.game.sheet.count(act.with_) else ""


def redeem(play: Play, who: str, ware: str) -> bool:
    """Have back what was left with somebody for a ware that they have just got back."""
    prefix = f"{PLEDGED}{who}:{ware}:"
    held = (o.key for o in play.game.story.ledger.counts if o.key.startswith(prefix) and o.n > 0)
    if key := next(held, ""):
        play.add(h.Counted(key=key, n=-1))
        play.add(h.ItemGained(item=key.removeprefix(prefix), why="given"))
    return bool(key)


def hand_over(play: Play, act: Act) -> None:
    """Hand over what was offered and accepted: coins and a thing."""
    pay(play, act.to, offered(play, act))
    if item := thing_offered(play, act):
        play.add(h.ItemLost(item=item, why="given", to=act.to, text=act.text))
    elif trifle := _trifle_offered(play, act):
        play.add(h.KeepsakeLost(keepsake=trifle, to=act.to, text=act.text))


def hand_back(play: Play, who: str, item: str) -> bool:
    """Let somebody give back one of the things that the hero gave them; False if they have none."""
    has = play.game.story.ledger.of(f"{GIVEN}{who}:{item}") > 0
    if has:
        play.add(h.Counted(key=f"{GIVEN}{who}:{item}", n=-1))
        play.add(h.ItemGained(item=item, why="given"))
    return has


def given_to(game: Game, who: str) -> list[str]:
    """List the items that somebody has of the hero's."""
    prefix = f"{GIVEN}{who}:"
    held = (one for one in game.story.ledger.counts if one.key.startswith(prefix) and one.n > 0)
    return [one.key.removeprefix(prefix) for one in held]


def lying(play: Play, act: Act) -> int:
    """Return the coins put down here before, if a bargain can only mean that they are kept."""
    alone = act.approach == "bargain" and not (act.coin or act.item)
    return sum(one.coin for one in left(play.game)) if alone else 0


def at_stake(play: Play, act: Act) -> int:
    """Return the coins that a bargain offers, or else those that it leaves lying."""
    return offered(play, act) or lying(play, act)


def terms(play: Play, act: Act) -> str:
    """Sum up an offer as a ledger's key: another sum, thing or wording makes another one."""
    return f"{offered(play, act)}:{act.item}:{crc32(' '.join(words_of(act.text)).encode())}"


def leave_to(play: Play, who: str, coin: int) -> None:
    """Let somebody keep the coins that were put down here, if there are any."""
    for one in left(play.game) if coin else ():
        if one.coin:
            body = {"amount": one.coin, "coin": play.game.sheet.coin + one.coin}
            play.add(h.CoinChanged.model_validate({**body, "why": "picked_up"}))
    pay(play, who, coin)


def pay(play: Play, who: str, coin: int) -> None:
    """Hand over coins, at most all; the person's attitude improves."""
    paid = min(coin, play.game.sheet.coin)
    if not paid:
        return
    play.add(h.CoinChanged(amount=-paid, coin=play.game.sheet.coin - paid, why="paid", to=who))
    if who in play.book.scenario.persons:
        effects.bring(play, (Effect(kind="attitude", who=who, amount=1),), success=True)


def buy(play: Play, intent: Intent) -> None:
    """Buy from somebody here who sells it, at the lowest price."""
    there = persons(play.game, play.book)
    price = lowest_price(play.game, play.book, intent.item) * intent.count
    if not any(one.sells for one in there.values()):
        play.add(h.Refused(reason="no_trader"))
    elif not price:
        play.add(h.Refused(reason="not_sold", about=intent.item))
    elif price > play.game.sheet.coin:
        play.add(h.Refused(reason="too_dear", about=intent.item, other=str(price)))
    else:
        pay_for(play, intent.item, price, intent.count)


def priced(play: Play, act: Act) -> str:
    """Return the wares whose price is asked of a seller, joined by commas; empty for none.

    They are asked for by words that want to know something, offer nothing, and name a ware.
    """
    seller, ware = persons(play.game, play.book).get(act.to), act.item.removeprefix("buy:")
    asks = act.want == "know" and not (act.topic or act.coin or thing_offered(play, act))
    if seller is None or not asks or not (ware in seller.sells or act.approach == "bargain"):
        return ""
    words = words_of(act.text)
    named = items_alone(play.book, seller.sells)
    return ",".join(one.id for one in named if one.id == ware or mentioned(words, (one,)))


def pay_for(play: Play, item: str, price: int, count: int = 1) -> None:
    """Complete a purchase; `price` is for all `count` of them. Services are not carried."""
    left = play.game.sheet.coin - price
    play.add(h.CoinChanged(amount=-price, coin=left, why="bought", item=item))
    if play.book.rules.items[item].kind != "service":
        play.add(h.ItemGained(item=item, count=count, why="bought"))


def get(play: Play, item: str) -> None:
    """Have a ware for nothing. Services are not carried."""
    if play.book.rules.items[item].kind == "service":
        coin = play.game.sheet.coin
        play.add(h.CoinChanged(amount=0, coin=coin, why="bought", item=item))
    else:
        play.add(h.ItemGained(item=item, why="given"))


def sell(play: Play, intent: Intent) -> None:
    """Sell to a trader, for half the price."""
    traders = [p for p in persons(play.game, play.book).values() if p.sells]
    item = play.book.rules.items.get(intent.item)
    if not traders:
        play.add(h.Refused(reason="no_trader"))
    elif item is None or play.game.sheet.count(intent.item) < intent.count:
        play.add(h.Refused(reason="not_carried", about=intent.item))
    elif not (worth := item.price * intent.count // 2):
        play.add(h.Refused(reason="worthless", about=intent.item))
    else:
        play.add(h.ItemLost(item=intent.item, count=intent.count, why="sold"))
        play.add(h.CoinChanged(amount=worth, coin=play.game.sheet.coin + worth, why="sold"))


def train(play: Play, intent: Intent) -> None:
    """Spend a point gained by a level on a rank of a skill."""
    rank = play.game.sheet.skills.get(intent.target, 0)
    if intent.target not in play.book.rules.skills:
        play.add(h.Refused(reason="which_skill"))
    elif not play.game.sheet.points:
        play.add(h.Refused(reason="no_points"))
    elif rank >= RANKS_AT_MOST:
        play.add(h.Refused(reason="mastered", about=intent.target))
    else:
        play.add(h.SkillTrained(skill=intent.target, rank=rank + 1))
