"""Giving, buying, paying for and picking up things."""

from __future__ import annotations

from ruleplay.agents.party.domain import effecting, persuading
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.acts import Exploration, snatched, waiting
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.creatures import ItemGained, ItemLost
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.performance import Done, Performance
from ruleplay.agents.party.domain.rules.things import WORN, put_away
from ruleplay.agents.party.domain.scope import SOLD, scope_of, things
from ruleplay.agents.party.domain.staging import (
    authored_items,
    coppers,
    led,
    lendable,
    lying_key,
    people,
    services,
    told_of,
)
from ruleplay.agents.party.domain.tale import NEAR
from ruleplay.story.acts import Act
from ruleplay.story.bounds import Count, keepsake_name, meant_of
from ruleplay.story.canon import NAME_WORD
from ruleplay.story.canon import named as called
from ruleplay.story.mentions import deed_in, each_mentioned, mentioned
from ruleplay.story.texts import table, words_of
from ruleplay.story.wording import find, same

USING = ("check", "pick", "rule", "use", "flourish", "move")
"""Acts that may use a thing up; the first three also do with food and drink."""
BY_HAND = ("animal-handling", "athletics", "medicine", "sleight-of-hand")
"""Skills by which one is close to whom they are used on."""
TRIFLE, HAGGLED = 5, 75
"""The price in copper of a thing without one in the rules, and the haggled price in per cent."""
MEASURES = ("of", "de", "d")
"""The prepositions between a measure and its ware, as in "a coil of rope"."""
SOLD_HERE, REGRET = "sold:", 2
"""Prefix of the ledger's keys for sales (round, scene, seller, buyer, ware, count), whose number is
what was paid; and for how many rounds a sale can be taken back."""


def ware(now: Performance, item: str) -> str:
    """Return the key of the thing with a price that is asked for; empty where it is only a part.

    A "flame from the lantern" is no lantern, nor is "lantern oil"; a "coil of rope" is rope.
    """
    words = words_of(item)
    # Only exact mentions count: fuzzy matching would sell ink for a drink.
    named = mentioned(words, things(now.play.book))
    if named is None:
        return ""
    found = max((way for way in named.phrases if way and find(words, way) is not None), key=len)
    at = find(words, found) or 0
    lead, rest = words[:at], words[at + len(found) :]
    joins = {*table("prepositions", "en"), *table("prepositions", "fr")}
    parted = any(one in joins for one in lead[1:]) and lead[-1] not in MEASURES
    # In French an adjective may follow its noun; in English, that is the noun itself.
    goes_on = now.play.table.lang == "en" and rest and rest[0].isalpha() and rest[0] not in joins
    return "" if parted or goes_on else named.id


def kept(now: Performance) -> tuple[str, ...]:
    """Return the names of somebody's keepsakes."""
    return tuple(one.text for one in now.play.table.tale.keepsakes if one.who == now.who)


def _meant(now: Performance, item: str) -> str:
    """Return the keepsake that some of its words identify; else the key unchanged."""
    me = now.play.table.cast.get(now.who)
    if not words_of(item) or (me and me.count(item)):
        return item
    return meant_of(reversed(kept(now)), item) or item


def lender(now: Performance, act: Act) -> str:
    """Return the companion who carries what an act needs and its actor lacks; empty for nobody."""
    what = act.item if act.do in ("give", "use", "take") else act.with_
    me = now.play.table.cast.get(now.who)
    if not what or me is None or me.count(what) or what in kept(now):
        return ""
    who = lendable(now.play.table, now.who).get(what, "")
    if who:
        now.wanted[who] = what
    return who


def lend(now: Performance, who: str) -> bool:
    """Let a companion hand over what they were asked for; False where they cannot (any more)."""
    what, table = now.wanted.pop(who, ""), now.play.table
    if lendable(table, now.who).get(what) != who:
        return False
    one, to = table.cast.the(who), now.bound.get(what, now.who)
    if not one.count(what):
        now.play.add(t.KeepsakeGiven(who=who, to=to, text=what))
        return True
    now.play.add(ItemLost(who=who, item=what, why="given"))
    if to in table.characters:
        now.play.add(ItemGained(who=to, item=what))
    else:
        now.play.add(t.Did(who=who, text=now.play.book.effect(what).of(table.lang), to=to))
    return True


def give(now: Performance, act: Act) -> Done:
    """Hand over a thing or coin; a ware that is sold here is bought first."""
    table = now.play.table
    me = table.cast.get(now.who)
    if me is None:
        return now.vain("not_carried", act.text)
    if act.coin and not pay(now, act):
        return False
    if act.item in led(table):
        now.play.add(t.Did(who=now.who, text=act.text or "…", to=act.item))
        now.play.add(t.PersonLeft(person=act.item))
        return True
    act = act.model_copy(update={"item": _meant(now, act.item)})
    if act.item in now.returned:
        return True  # it went back over the counter with the words about it
    if act.to in people(table, now.play.book) and (sale := _sale_of(now, act.item, act.to)):
        return _unsold(now, sale)
    if not me.count(act.item) and act.item in services(table, now.play.book):
        return order(now, act)
    return _hand_over(now, act, me)


def _hand_over(now: Performance, act: Act, me: Creature) -> Done:
    table = now.play.table
    if act.item in kept(now):
        there = act.to in table.seats or act.to in people(table, now.play.book)
        to = act.to if there else ""
        now.play.add(t.KeepsakeGiven(who=now.who, to=to, text=act.item))
    elif act.item and not me.count(act.item):
        return lacks(now, act, act.item)
    elif act.item:
        if me.count(act.item) == 1 and act.item in [getattr(me, name) for name in WORN]:
            # Equipped items affect the character's numbers, so they must be put away first.
            if now.fighting:
                return now.vain("not_able", act.text)
            now.play.by_rules(lambda play: put_away(play, me, act.item))
        now.play.add(ItemLost(who=me.id, item=act.item, why="given"))
        if act.to in table.characters and act.to != me.id:
            now.play.add(ItemGained(who=act.to, item=act.item))
        elif not act.to and not act.spent:
            now.play.add(t.Tallied(key=lying_key(table, act.item)))
    now.used = now.used or not now.fighting
    if act.to in people(table, now.play.book):
        effecting.like(now.play, now.seat, act.to, 1)
    what = now.play.book.effect(act.item).of(table.lang) if act.item else ""
    now.play.add(t.Did(who=now.who, text=act.text or what, to=act.to))
    return True


def order(now: Performance, act: Act) -> Done:
    """Buy a service that is named by its key, for oneself or for somebody here."""
    bought = buy(now, act.model_copy(update={"to": ""}))
    me = now.play.table.cast.get(now.who)
    if bought and act.to not in ("", now.who) and me and me.count(act.item):
        return _hand_over(now, act, me)
    return bought


def use(now: Performance, act: Act) -> Done:
    """Use a thing in a way that changes nothing; food and drink are gone after it."""
    me, item = now.play.table.cast.get(now.who), now.play.book.rules.items.get(act.item)
    if item and not (me and me.count(act.item)) and act.item not in kept(now):
        return lacks(now, act, act.item)
    now.play.add(t.Did(who=now.who, text=act.text or act.item, to=act.to))
    if me and me.count(act.item) and item and item.kind == "service":
        now.play.add(ItemLost(who=now.who, item=act.item, why="used"))
    return True


def use_up(now: Performance, act: Act) -> None:
    """Take away what an act says is spent, and food and drink that something was done with.

    Blows see to their own weapons, and what is worn or wielded has to be put away first.
    """
    me = now.play.table.cast.get(now.who)
    if me is None or now.failed or act.do not in USING:
        return
    lost = [one.item for one in now.play.done if isinstance(one, ItemLost) and one.who == me.id]
    arms = (me.armour, me.shield, me.weapon, me.offhand, *lost)
    for what in filter(None, (act.with_, act.item)):
        item, keepsake = now.play.book.rules.items.get(what), _meant(now, what)
        food = item and item.kind == "service" and what == act.with_ and act.do in USING[:3]
        # What it was used on stays: of oil that is poured into a lantern, the oil is spent.
        spent = act.spent and act.do != "rule" and what == (act.item or act.with_)
        if what in arms or not (food or spent):
            continue
        if held := me.count(what):
            used = min(held, act.count)
            now.play.add(ItemLost(who=me.id, item=what, count=used, why="used"))
        elif keepsake in kept(now) and act.count == 1:  # some of a bundle leave the rest of it
            now.play.add(t.KeepsakeGiven(who=me.id, to="", text=keepsake))


def stand_by(now: Performance, act: Act) -> None:
    """Note that somebody is at arm's length of one who waits, in case a fight begins."""
    key, _, kind = act.to.partition("/")
    table = now.play.table
    close = act.do in ("move", "give") or (act.do == "check" and act.skill in BY_HAND)
    waits = not now.fighting and waiting(table.expedition, now.play.book.story)
    if close and kind and key == waits:
        now.play.add(t.Tallied(key=f"{NEAR}{table.round}:{now.who}:{kind}"))


def lacks(now: Performance, act: Act, item: str) -> Done:
    """Say that a thing is not in the pack, or which companion has it and was not asked."""
    who = lendable(now.play.table, now.who).get(item, "")
    return now.vain(f"fellows:{who}" if who else "not_carried", act.text)


def buy(now: Performance, act: Act, *, haggled: bool = False) -> Done:
    """Buy things at their price; a thing without one becomes a cheap keepsake.

    What weighs nothing is done rather than carried away: a room, a place in the stable.
    """
    book, purse = now.play.book, now.play.table.expedition.purse
    key = ware(now, act.item)
    item = book.rules.items.get(key)
    price = (item.price if item else TRIFLE) * act.count * (HAGGLED if haggled else 100) // 100
    if item and item.kind not in SOLD:
        return now.vain("not_here", act.text)
    if item is None:
        # Without a price it costs what is offered, and who was won over gives it.
        price = coppers(act) or (0 if haggled else price)
    if price > purse:
        return now.vain(f"no_coin:{price}", act.text)
    if item is None and not effecting.keep(now.play, now.seat, act.item):
        return _nowhere(now, act)
    _received(now, act, key, price)
    return True


def _received(now: Performance, act: Act, key: str, price: int) -> None:
    """Take over a ware, where it is one that can be carried away, and pay its price."""
    purse, item = now.play.table.expedition.purse, now.play.book.rules.items.get(key)
    if item and (item.kind != "service" or item.weight):
        now.play.add(ItemGained(who=now.who, item=key, count=act.count))
    elif item:
        now.play.add(t.Did(who=now.who, text=item.name.of(now.play.table.lang)))
    if price:
        now.play.add(CoinChanged(amount=-price, purse=purse - price))
    if price and item:
        there = now.play.table
        sale = f"{there.round}:{there.expedition.scene}:{act.to}:{now.who}:{key}:{act.count}"
        now.play.add(t.Tallied(key=f"{SOLD_HERE}{sale}", n=price))


def _sale_of(now: Performance, item: str, *sellers: str) -> Count | None:
    """Return the latest sale of a ware to the actor that one of the `sellers` can take back."""
    play, me = now.play.table, now.play.table.cast.get(now.who)
    for sale in reversed(play.tale.ledger.counts):
        if not sale.n or me is None or not sale.key.startswith(SOLD_HERE):
            continue
        at, scene, by, who, key, count = sale.key.removeprefix(SOLD_HERE).split(":")
        fresh = int(at) + REGRET >= play.round and scene == play.expedition.scene
        if fresh and by in sellers and (who, key) == (me.id, item) and me.count(key) >= int(count):
            return sale
    return None


def _unsold(now: Performance, sale: Count) -> Done:
    """Take a sale back: the ware returns to whoever sold it, and the coin to the purse."""
    *_, key, count = sale.key.split(":")
    purse = now.play.table.expedition.purse
    now.play.add(
        ItemLost(who=now.who, item=key, count=int(count), why="given"),
        CoinChanged(amount=sale.n, purse=purse + sale.n),
        t.Tallied(key=sale.key, n=-sale.n),
    )
    now.returned.add(key)
    return True


def _regrets(now: Performance, act: Act) -> Count | None:
    """Return the sale that words ask to have taken back: they name the ware, or give it."""
    if act.want != "give" or not act.coin or act.to not in people(now.play.table, now.play.book):
        return None
    given = (one.item for one in now.coming if one.do == "give" and one.to in ("", act.to))
    here = [one.id for one in each_mentioned(words_of(act.text), things(now.play.book))]
    named = (act.item, *given, *here)
    return next(filter(None, (_sale_of(now, one, act.to, "") for one in named)), None)


def won(now: Performance, act: Act) -> Done:
    """Take over what somebody was won over to give, for what was offered or for nothing.

    What it is worth beyond a haggled price counts as coin of theirs; what is more than they can
    spare is sold for that price where there was haggling, and else stays a promise.
    """
    play, table = now.play, now.play.table
    key = ware(now, act.item)
    item = play.book.rules.items.get(key)
    # Who haggles without a price pays the haggled one, unless work or a thing is given for it.
    haggles = act.approach == "bargain" and not (act.coin or act.with_ or now.vows)
    words = {word for one in _to_be_had(now) for word in words_of(one) if len(word) >= NAME_WORD}
    story = now.play.table, now.play.book
    if item is None and (
        told_of(*story, act.item) and not effecting.may_keep(play, now.seat, act.item)
    ):
        persuading.promise(play, act)
        return True
    if item is None and any(same(one, word) for one in words_of(act.item) for word in words):
        persuading.promise(play, act)  # a deed here brings the thing itself
        return True
    if item is None or item.kind not in SOLD or haggles:
        return buy(now, act, haggled=True)
    pays = min(coppers(act), table.expedition.purse)
    worth = -(-item.price * act.count * HAGGLED // 100)
    if worth - pays > effecting.can_spare(play, now.seat, act.to):
        if act.coin:
            return buy(now, act, haggled=True)
        persuading.promise(play, act)
        return True
    effecting.spared(play, now.seat, act.to, worth - pays)
    _received(now, act, key, pays)
    return True


def asked_for(now: Performance, act: Act) -> bool:
    """Whether an act asks a person here for a thing."""
    here = people(now.play.table, now.play.book)
    return bool(act.item) and act.want in ("give", "help") and act.to in here


def ordered(now: Performance, act: Act) -> Done | None:
    """Take what words alone bring: a ware at its price, or what was promised; None for the rest."""
    if now.mine and (sale := _regrets(now, act)):
        now.last = True
        return _unsold(now, sale)
    if not now.mine or not asked_for(now, act):
        return None
    if owed(now, act.item) == act.to:
        return won(now, act)
    if act.want != "give" or act.approach != "plain" or _not_for_sale(now, act.item):
        return None
    return buy(now, act, haggled=not ware(now, act.item))  # what no ware is, is asked for as a gift


def _not_for_sale(now: Performance, item: str) -> bool:
    """Whether what is asked for is the story's own, or names a ware only as a part of it."""
    if ware(now, item):
        return False
    part = mentioned(words_of(item), things(now.play.book))
    return part is not None or told_of(now.play.table, now.play.book, item)


def owed(now: Performance, item: str) -> str:
    """Return who of those here has promised or offered a thing of the rules; empty for nobody."""
    table, known = now.play.table, things(now.play.book)
    thing = mentioned(words_of(item), known)
    promised = (one for one in table.tale.known_to(now.seat).canon if one.kind == "promise")
    here = people(table, now.play.book)
    return next(
        (
            one.author
            for one in promised
            if one.author in here and thing and thing == mentioned(words_of(one.text), (thing,))
        ),
        "",
    )


def pay(now: Performance, act: Act) -> bool:
    """Take coin from the party's purse; paying a companion leaves it there."""
    table = now.play.table
    purse = table.expedition.purse
    if coppers(act) > purse:
        return now.vain("no_coin", act.text)
    if act.to not in table.characters:
        left = purse - coppers(act)
        now.play.add(CoinChanged(amount=left - purse, purse=left))
    return True


def slight(now: Performance, act: Act) -> Exploration | None:
    """Return what the adventure has prepared that an act of the hands is."""
    play, there = now.play, now.play.table.expedition
    if now.fighting or not there.begun:
        return None
    # Where a deed is offered it would have been picked; under hostile eyes none is.
    if act.do == "check" and not waiting(there, play.book.story):
        return None
    words, scope = words_of(f"{act.item} {act.text}"), scope_of(play.table, play.book, now.seat)
    deed = play.book.story.deeds.get(key := deed_in(words, scope, hands=False))
    can = deed and snatched(there, play.book.story, deed)
    return Exploration(act="deed", target=key) if can else None


def take(now: Performance, act: Act) -> Done:
    """Pick up a thing; only worthless ones, as everything else belongs to the adventure.

    What the adventure has given to a companion changes hands.
    """
    book, me = now.play.book, now.play.table.cast.get(now.who)
    if me and now.play.table.tale.ledger.of(key := lying_key(now.play.table, act.item)):
        now.play.add(t.Tallied(key=key, n=-1), ItemGained(who=now.who, item=act.item))
        now.play.add(t.Did(who=now.who, text=act.text or act.item))
        return True
    if me and act.item and (me.count(act.item) or act.item in kept(now)):
        now.play.add(t.Did(who=now.who, text=act.text or act.item))
        return True  # it has just been handed over
    if to := owed(now, act.item):
        return won(now, act.model_copy(update={"to": to}))
    # A person at the game master's seat has no hands at the table.
    given = _authored(now, act.item) if now.who in now.play.table.characters else ""
    if given:
        return _of_the_story(now, act, given)
    if act.item in lendable(now.play.table, now.who):
        return lacks(now, act, act.item)
    authored = act.item in book.rules.items
    wished = keepsake_name(act.item or act.text)
    if authored or not wished:
        return _nowhere(now, act)
    there, own = now.play.table.expedition, authored_items(now.play.table, book)
    if now.fighting and called(wished, _to_be_had(now)):
        now.leave(act, "fight")  # there is a deed for it, once the fight is over
        return False
    if there.begun and waiting(there, book.story) and called(wished, own):
        return now.took(Refusal(reason="somebody_waits"))
    if not effecting.keep(now.play, now.seat, wished):
        return now.vain("limits", act.text or wished)
    return True


def _to_be_had(now: Performance) -> list[str]:
    """Return the names of the things that deeds in this place bring."""
    story, table = now.play.book.story, now.play.table
    here = (one.gain for one in story.deeds.values() if one.scene == table.expedition.scene)
    return [one.of(table.lang) for gain in here for one in gain.keepsakes]


def _authored(now: Performance, item: str) -> str:
    """Return the key of the thing named that a talk of the adventure gives; empty for others."""
    named = mentioned(words_of(item), things(now.play.book))
    gifts = (key for one in now.play.book.story.talks.values() for key in one.gain.items)
    return named.id if named and named.id in gifts and item not in kept(now) else ""


def _of_the_story(now: Performance, act: Act, item: str) -> Done:
    """Take over what a companion was given, unless a person plays them; or say why not."""
    table, story = now.play.table, now.play.book.story
    if has := next((one for one in table.party if one.count(item)), None):
        if has.id != now.who and table.is_held(has.id):
            return now.vain("not_yours", act.text)
        if has.id != now.who:
            now.play.add(ItemLost(who=has.id, item=item, why="given"))
            now.play.add(ItemGained(who=now.who, item=item))
        now.play.add(t.Did(who=now.who, text=act.text or act.item))
        return True
    here = people(table, now.play.book)
    owned = any(item in one.gain.items and one.person in here for one in story.talks.values())
    return now.vain("theirs", act.text) if owned else _nowhere(now, act)


def _nowhere(now: Performance, act: Act) -> Done:
    """Say that a thing is not here, or only not at hand where the story has told of it."""
    known = told_of(now.play.table, now.play.book, act.item)
    return now.vain("not_at_hand" if known else "not_here", act.text)
