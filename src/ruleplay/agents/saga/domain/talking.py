"""Rules for speech outside fights: to persons, to foes who bar the way, to everybody."""

from __future__ import annotations

from ruleplay.agents.saga.domain import (
    combat_acts,
    demands,
    effects,
    errands,
    journey,
    setting,
    spoils,
    trying,
)
from ruleplay.agents.saga.domain import surroundings as around
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.happenings import (
    Attempted,
    Consulted,
    Counted,
    EdgeGained,
    ItemLost,
    LeftUndone,
    Refused,
    SectionTold,
)
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import SkillTest, Talk
from ruleplay.agents.saga.domain.scope import items_alone
from ruleplay.agents.saga.domain.trying import HARDER
from ruleplay.story import morale
from ruleplay.story.acts import EVERYBODY, Act, Effect
from ruleplay.story.bounds import PLEDGED, difficulty
from ruleplay.story.mentions import mentioned
from ruleplay.story.texts import words_of
from ruleplay.story.wording import find

OFFERS = 2
"""Offers that those who bar the way turn down before a failure starts the fight."""
LENT = 2
"""Coins that wares cost at most, taken together, which a seller gives on credit or for nothing."""
LOAN = 6
"""Coins that wares cost at most, taken together, which a seller lends for a promise."""
HOUR = 60
"""Minutes of work that pay for a ware of one coin."""


def say(play: Play, act: Act) -> None:
    """Say something to whomever it is addressed to."""
    there = around.persons(play.game, play.book)
    foes = setting.waiting_foes(play.game, play.book)
    act = _believed(act)
    if demands.bids_wait(play, act):
        demands.wait_here(play, act)
    elif len(wares := _wares(play, act)) > 1:
        _deal_for_all(play, act, wares)
    elif act.to in there:
        talk(play, act)
    elif act.to == around.folk(play.game.place) and around.may_hire(play.game, play.book):
        _address_folk(play, act)
    elif demands.helps(play, act):
        demands.called_on(play, act)
    elif act.to in foes or (_anybody(act) and foes):
        address_foes(play, act)
    elif _anybody(act):
        _address_all(play, act)
    elif act.want and act.to not in setting.roster(play.game, play.book).anybody:
        play.add(LeftUndone(what=(act.text or act.want,), why="gone"))
    elif act.to in around.passed(play.game, play.book) and _appeals(play, act):
        _appeal(play, act)
    else:
        demands.say_so(play, act)


def _believed(act: Act) -> Act:
    """Make a lie want to be believed, so that it is rolled for."""
    lie = act.approach == "deceive" and not (act.want or act.topic)
    return act.model_copy(update={"want": "like"}) if lie else act


def within(play: Play, act: Act) -> Act | None:
    """Return an act that pays no more than it may; None if the price is higher, and told.

    Where no price is known nothing is paid.
    """
    ware = act.item.removeprefix("buy:")
    key = around.waiting(play.game, play.book)
    foes = setting.waiting_foes(play.game, play.book)
    toll = (
        play.book.scenario.encounters[key].toll
        if key and (act.to in foes or act.item == f"pay:{key}")
        else 0
    )
    bought = act.do == "pick" or act.want == "give"
    price = around.lowest_price(play.game, play.book, ware) * act.count if bought else 0
    if (toll or price) <= act.coin:
        return act.model_copy(update={"coin": toll or price, "most": False})
    demands.say_so(play, act)
    refused = Refused(reason="offer_refused", about=key)
    play.add(refused if toll else Consulted(topic="price", key=ware))
    return None


def _address_all(play: Play, act: Act) -> None:
    """Speak to everybody here: to hire somebody, raise what one of them knows, or win them over."""
    there, ware = around.persons(play.game, play.book), act.item.removeprefix("buy:")
    sellers = [who for who, one in there.items() if act.want == "give" and ware in one.sells]
    if sellers:
        talk(play, act.model_copy(update={"to": sellers[0]}))
    elif act.want == "join" and around.may_hire(play.game, play.book):
        demands.hire(play, act)
    elif len(there) == 1 and act.topic:
        demands.say_so(play, act)  # to anybody, a carter say: the person who knows of it answers
        journey.perform(play, Intent(act="talk", target=next(iter(there)), item=act.topic))
    elif there and act.want and act.approach != "plain":
        # To convince everybody is as hard as to convince whoever likes the hero least.
        doubter = min(there, key=lambda who: play.game.story.attitude(who, there[who].attitude))
        asked = act.model_copy(update={"to": doubter})
        if demands.win_over(play, asked):
            errands.hand_over(play, asked)
    else:
        demands.say_so(play, act)


def _address_folk(play: Play, act: Act) -> None:
    """Speak to somebody without a name: to hire them or win them over; they have no goods."""
    if act.want == "join":
        demands.hire(play, act)
    elif act.want == "give" and act.item.removeprefix("buy:") in play.book.rules.items:
        demands.say_so(play, act)
        refused = Refused(reason="not_theirs", about=act.to)
        if refused not in play.done:
            play.add(refused)
    elif act.want and act.approach != "plain":
        if demands.win_over(play, act):
            errands.hand_over(play, act)
    else:
        demands.say_so(play, act)
        errands.pay(play, act.to, errands.offered(play, act))


def _anybody(act: Act) -> bool:
    return act.to in ("", EVERYBODY)


def _appeals(play: Play, act: Act) -> bool:
    """Whether words to those who have let the hero pass are an appeal, which is decided.

    Only who has given up can be told to leave.
    """
    if act.want == "leave":
        where = around.here(play.game, play.book).encounter
        return around.gave_up(where, act.to) in play.game.flags
    return act.want in ("join", "help", "give") or (act.want == "know" and bool(_offers(play, act)))


def _appeal(play: Play, act: Act) -> None:
    """Ask something of those who have let the hero pass."""
    if act.want == "join":
        demands.lead_along(play, act)
    elif act.want == "leave":
        demands.say_so(play, act)
        where = around.here(play.game, play.book).encounter
        demands.part(play, around.afterwards(play.book, where, act.to))
    elif demands.win_over(play, act):
        errands.hand_over(play, act)


def talk(play: Play, act: Act) -> None:
    """Speak to a person: buy, haggle, hand over, raise an authored topic, or win them over."""
    back = act.want == "give" and act.item in errands.given_to(play.game, act.to)
    if back or demands.helps(play, act):
        demands.called_on(play, act)
        return
    open_talks = around.talks(play.game, play.book, act.to)
    ware = act.item.removeprefix("buy:")
    # Who wants to know something buys nothing: a thing they name is what they offer for it.
    bought = not act.topic and act.want != "know"
    price = around.price_of(play.game, play.book, ware, act.to) if bought else 0
    if asked := errands.priced(play, act):
        demands.say_so(play, act)
        play.add(Consulted(topic="price", key=asked))
        return
    if act.want == "give" and act.coin >= price > 0 and not _extras(act):
        demands.say_so(play, act)
        errands.buy(play, Intent(act="buy", item=ware))
        return
    orders = act.approach in ("bargain", "deceive") and act.want == "give" and not act.topic
    borrows = price and act.want == "give" and not act.coin and _on_loan(play, act, ware)
    if price and (act.approach == "bargain" or borrows or (orders and not act.coin)):
        _haggle(play, act, ware)
        return
    if orders and ware in play.book.rules.items and not errands.thing_offered(play, act):
        demands.say_so(play, act)
        errands.buy(play, Intent(act="buy", item=ware))  # says that it is not to be had here
        return
    if act.approach == "plain" and act.want != "join" and not act.topic and _offers(play, act):
        # A plain offer is accepted without a roll; only haggling needs one.
        demands.say_so(play, act)
        if act.want != "give" or _parts_with(play, act):
            errands.hand_over(play, act)
    elif _come_to_terms(play, act, open_talks):
        # What a topic brings its author has written; anything else has to be theirs to give.
        told = f"talk:{act.topic}:text" in play.game.flags
        if act.want != "give" or told or _parts_with(play, act, "in_part"):
            errands.hand_over(play, act)
        else:
            effects.bring(play, (trying.BETTER,), success=True)


def _offers(play: Play, act: Act) -> bool:
    return bool(errands.offered(play, act) or errands.thing_offered(play, act))


def _parts_with(play: Play, act: Act, why: str = "offer_refused") -> bool:
    """Let somebody sell something worthless; return whether the deal is made.

    A thing of value that is not for sale cannot be bought, so nothing is paid; `why` says so.
    """
    named = Effect(kind="keepsake", text=act.item)
    asked = bool(act.item) and act.item not in play.book.rules.items
    if not asked or effects.bring(play, (named,), success=True):
        return True
    play.add(Refused(reason=why, about=act.to))
    return False


def _come_to_terms(play: Play, act: Act, open_talks: dict[str, Talk]) -> bool:
    """Speak to somebody, and return whether they do what was wanted."""
    if act.topic in open_talks:
        return _raise(play, act, open_talks[act.topic])
    if act.topic and _held_back(play, act.topic) and _changed(play, act):
        return _again(play, act)
    if act.want == "join":
        return demands.invite(play, act)
    if act.want == "leave" and around.may_go(play.game, play.book, act.to):
        demands.say_so(play, act)
        demands.part(play, act.to)
        return True
    if act.want == "help" or (act.approach != "plain" and act.want and not _smalltalk(play, act)):
        won = demands.win_over(play, act)
        if won and act.want == "know" and not act.topic:
            _hand_out(play, act, open_talks)
        return won
    demands.say_so(play, act)
    return False


def _hand_out(play: Play, act: Act, open_talks: dict[str, Talk]) -> None:
    """Tell the topic that words have won without its name, if the roll was good enough for it."""
    words = words_of(act.text)
    rolled = next(one.roll for one in reversed(play.done) if isinstance(one, Attempted))
    for key, talk in open_talks.items():
        meant = any(find(words, words_of(said)) is not None for said in talk.words.all)
        enough = not talk.test or (rolled is not None and rolled.total >= talk.test.difficulty)
        if meant and enough and not talk.default:
            play.add(SectionTold(kind="talk", key=key))
            journey.gain(play, talk.gain)
            return


def _smalltalk(play: Play, act: Act) -> bool:
    """Whether a kind question is mere small talk, which needs no roll."""
    kind = act.approach in ("charm", "comfort") and not act.coin
    person = play.book.scenario.persons.get(act.to)
    liked = not person or play.game.story.attitude(act.to, person.attitude) >= 0
    return kind and liked and act.want == "know" and not act.topic


def _raise(play: Play, act: Act, talk: Talk) -> bool:
    """Raise a topic, and return whether it was told.

    Lies, threats and bargains need a roll, by the topic's own test if it has one. An opening
    topic only answers plain words.
    """
    pressing = act.approach in ("deceive", "threaten", "bargain")
    if pressing and not talk.test:
        won = demands.win_over(play, act)
        if won and not talk.default:
            journey.perform(play, Intent(act="talk", target=act.to, item=act.topic))
        return won
    demands.say_so(play, act)
    if not (talk.default and act.approach != "plain"):
        journey.perform(play, Intent(act="talk", target=act.to, item=act.topic))
    return f"talk:{act.topic}:text" in play.game.flags


def _wares(play: Play, act: Act) -> tuple[str, ...]:
    """Return the wares of a seller's that words want together, for one price."""
    named = [one.strip().removeprefix("buy:") for one in act.item.split(",")]
    prices = {one: around.price_of(play.game, play.book, one, act.to) for one in named}
    return tuple(prices) if act.want == "give" and all(prices.values()) else ()


def _deal_for_all(play: Play, act: Act, wares: tuple[str, ...]) -> None:
    """Buy several wares for one price: all that they cost, or what haggling brings it down to.

    Without a sum the prices are told, as they are to who fails.
    """
    prices = [around.price_of(play.game, play.book, ware, act.to) for ware in wares]
    total, key = sum(prices), ",".join(wares)
    paid = max(-(-total // 2), min(act.coin, total))
    if not act.coin or paid == total or play.game.sheet.coin < paid:
        demands.say_so(play, act)
        if not act.coin:
            play.add(Consulted(topic="price", key=key))
            return
        if play.game.sheet.coin < paid:
            play.add(Refused(reason="too_dear", about=wares[0], other=str(total)))
            return
    elif not demands.win_over(play, act.model_copy(update={"want": "pass", "item": wares[0]})):
        play.add(Consulted(topic="price", key=key))
        return
    for ware, price in zip(wares, prices, strict=True):
        share = paid if ware == wares[-1] else price * paid // total
        errands.pay_for(play, ware, share) if share else errands.get(play, ware)
        paid, total = paid - share, total - price
    effects.bring(play, _extras(act), success=True)


def _haggle(play: Play, act: Act, ware: str) -> None:
    """Haggle for a ware: success saves at least one coin, and at most half the price.

    A sum that was offered is paid at once; without one small things are lent or given, and for
    others the seller names the lower price. A thing may be left for it, as a pledge that is had
    back with the ware or in exchange; it counts for half its price. An offer to work for the
    ware can replace payment, and what is worth nothing may be had on top. Who fails is told the
    price, and pays nothing.
    """
    price, extras = around.price_of(play.game, play.book, ware, act.to), _extras(act)
    least = -(-price // 2)
    lent = f"lent:{act.to}"
    most = LOAN if _on_loan(play, act, ware) else LENT
    free = not act.coin and play.game.story.ledger.of(lent) + price <= most
    pledge = errands.pledged(play, act)
    worth = act.coin + (play.book.rules.items[pledge].price // 2 if pledge else 0)
    if price == 1 and not (extras or free or pledge or _work(play, act)):
        demands.say_so(play, act)
        play.add(Refused(reason="cheaper", about=ware, other="1"))  # nothing costs less
        return
    if act.coin and play.game.sheet.coin < least:
        demands.say_so(play, act)
        play.add(Refused(reason="too_dear", about=ware))
    elif not demands.win_over(play, act.model_copy(update={"want": "pass", "item": ware})):
        play.add(Consulted(topic="price", key=ware))
    elif price * HOUR <= (work := _work(play, act)):
        play.add(Counted(key=f"work:{act.to}"))
        effects.bring(play, (Effect(kind="time", amount=work),), success=True)
        errands.get(play, ware)
    elif pledge and worth >= least:
        play.add(Counted(key=f"{PLEDGED}{act.to}:{ware}:{pledge}"))
        errands.get(play, ware)
        play.add(ItemLost(item=pledge, why="given", to=act.to))
        errands.pay(play, act.to, act.coin)
    elif free:
        play.add(Counted(key=lent, n=price))
        errands.get(play, ware)
    elif act.coin:
        wanted = min(act.coin, price if extras else price - 1)
        errands.pay_for(play, ware, min(max(least, wanted), play.game.sheet.coin))
        effects.bring(play, extras, success=True)
    else:
        play.add(Counted(key=around.lowered(act.to, ware)))
        play.add(Refused(reason="cheaper", about=ware, other=str(least)))


def _on_loan(play: Play, act: Act, ware: str) -> bool:
    """Whether the hero leaves a thing for a ware, or promises something: to bring it back."""
    named = items_alone(play.book, (ware,))
    return bool(errands.pledged(play, act)) or any(
        mentioned(words_of(vow), named) for vow in play.vowed
    )


def _extras(act: Act) -> list[Effect]:
    """Return the things worth nothing that are wanted on top of a ware."""
    return [one for one in act.success if one.kind == "keepsake"]


def _work(play: Play, act: Act) -> int:
    """Return the minutes of work offered for a ware; each person gives work once a day."""
    done = play.game.story.ledger.of(f"work:{act.to}")
    return 0 if done else max((one.amount for one in act.success if one.kind == "time"), default=0)


def _held_back(play: Play, key: str) -> bool:
    """Whether asking about a topic has failed, and may be tried a second time."""
    flags, ledger = play.game.flags, play.game.story.ledger
    failed = f"talk:{key}:failure" in flags and f"talk:{key}:text" not in flags
    return failed and not ledger.of(f"try:clue:talk:{key}")


def _changed(play: Play, act: Act) -> bool:
    """Whether there is a reason for asking again: an offer, an approach, a better attitude."""
    liked = play.game.story.attitudes.get(act.to, 0) > 0
    return _offers(play, act) or bool(act.with_) or act.approach != "plain" or liked


def _again(play: Play, act: Act) -> bool:
    """Ask a second time about a topic that failed, and return whether it is told."""
    test = play.book.scenario.talks[act.topic].test
    demands.say_so(play, act)
    play.add(Counted(key=f"try:clue:talk:{act.topic}"))
    told = test is None or combat_acts.check(play, test.skill, min(150, test.difficulty + HARDER))
    if told:
        play.add(SectionTold(kind="talk", key=act.topic))
        journey.gain(play, play.book.scenario.talks[act.topic].gain)
    return told


def address_foes(play: Play, act: Act) -> None:
    """Speak to foes who bar the way; asking something of them is the scenario's parley."""
    test = _test_of(play, act)
    demands.say_so(play, act)
    pressing = act.want == "know" and act.approach in ("deceive", "threaten")
    asks = act.want in ("pass", "leave", "yield", "truce", "join", "help", "give")
    asks = asks or (act.want == "know" and bool(_offers(play, act)))
    if asks or pressing:
        _ask_foes(play, act, test)
    elif act.approach != "plain" and act.want in ("like", "know"):
        _soften(play, act)


def _test_of(play: Play, act: Act) -> SkillTest | None:
    """Return the test for winning over foes who bar the way, None if it is impossible.

    The author sets the difficulty, the approach determines the skill. Without an authored parley
    it is hard, and no easier than to sneak past: bare requests and fanatics are refused, and beasts
    react only to the tone.
    """
    encounter = play.book.scenario.encounters[around.waiting(play.game, play.book)]
    skill, plain = demands.skill_of(play, act.approach), act.approach == "plain"
    if encounter.parley:
        return encounter.parley if plain else encounter.parley.model_copy(update={"skill": skill})
    natures = {setting.nature_as(foe, play.book) for foe in encounter.foes}
    if natures == {"beast"}:
        heard = act.approach not in demands.FORCED
    else:
        heard = not plain or _offers(play, act)
        heard = heard and all(morale.may(one, "truce") for one in natures - {"beast"})
    least = encounter.sneak.difficulty if encounter.sneak else 0
    number = max(difficulty("hard", "d100"), least)
    return SkillTest(skill=skill, difficulty=number) if heard else None


def _ask_foes(play: Play, act: Act, test: SkillTest | None) -> None:
    """Ask something of foes who bar the way.

    Paying their toll lets the hero pass without a roll, also with coins that lie here; a smaller
    offer and apt words give an edge, and what the hero knows of one of them makes it easier.
    Someone who also wants information pays only if they get both. A civil request or a lie may
    fail once, and a new offer a second time, which is harder by then; else failure starts the
    fight. The same offer again counts for nothing. Without a test they refuse.
    """
    key = around.waiting(play.game, play.book)
    toll, coin = play.book.scenario.encounters[key].toll, errands.offered(play, act)
    lies = errands.lying(play, act)
    if coin + lies >= toll > 0 and act.want not in ("know", "join"):
        errands.leave_to(play, act.to, lies)
        errands.hand_over(play, act)
        journey.pass_by(play, key, "toll")
        return
    offers = _offers(play, act)
    refused = Refused(reason="offer_refused" if offers else "words_refused", about=key)
    if test is None:
        play.add(refused)
        return
    kind = offers or act.approach not in demands.HOSTILE
    terms, ledger = f"offer:{key}:{errands.terms(play, act)}", play.game.story.ledger
    refusals = ledger.of(f"offer:{key}")
    new = act.approach == "bargain" and refusals < OFFERS and not ledger.of(terms)
    joins = act.want == "join" and act.to in setting.waiting_foes(play.game, play.book)
    number = max(test.difficulty, difficulty("hard", "d100")) if joins else test.difficulty
    counted = demands.counts(play, act, *play.book.scenario.encounters[key].foes)
    secrets = tuple(one for one in counted if one.startswith(demands.SECRET))
    counted, known = (secrets if ledger.of(terms) else counted), len(secrets)
    number = max(difficulty("easy", "d100"), min(150, number + HARDER * (refusals - known)))
    if len(counted) > known:
        play.add(EdgeGained(who=HERO, up=True))
    if combat_acts.check(play, test.skill, number, counted):
        if not joins:
            errands.hand_over(play, act)
        journey.pass_by(play, key, test.skill)
        if joins:
            demands.come_over(play, act, key)
    elif kind and (new or not refusals):
        play.add(Counted(key=f"offer:{key}"))
        play.add(Counted(key=terms))
        play.add(refused)
    else:
        spoils.trigger(play, key)


def _soften(play: Play, act: Act) -> None:
    """Try to put foes in a better mood: success gives an edge for what comes next."""
    wish = Effect(kind="edge", who=HERO, what="up")
    skill = demands.skill_of(play, act.approach)
    trying.attempt(play, Act(do="check", skill=skill, success=(wish,), text=act.text))
