"""Words outside fights: to persons, to those who bar the way, to whoever hears."""

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
from ruleplay.agents.saga.domain.happenings import Counted, ItemGained, Refused, SectionTold
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import SkillTest, Talk
from ruleplay.agents.saga.domain.trying import HARDER
from ruleplay.story.acts import EVERYBODY, Act, Effect
from ruleplay.story.bounds import difficulty

HOUR = 60
"""Minutes of work that are worth a coin."""


def say(play: Play, act: Act) -> None:
    """Let words be said, to whom they are for."""
    there = around.persons(play.game, play.book)
    foes = setting.waiting_foes(play.game, play.book)
    if act.approach == "deceive" and not (act.want or act.topic):
        act = act.model_copy(update={"want": "like"})  # a lie wants to be believed
    if act.to in there:
        talk(play, act)
    elif act.to in foes or (act.to in ("", EVERYBODY) and foes):
        address_foes(play, act)
    elif len(there) == 1 and act.to in ("", EVERYBODY) and act.topic:
        talk(play, act.model_copy(update={"to": next(iter(there))}))
    elif there and act.to in ("", EVERYBODY) and act.want and act.approach != "plain":
        # What everybody is to believe is for whoever doubts it most.
        doubter = min(there, key=lambda who: play.game.story.attitude(who, there[who].attitude))
        demands.win_over(play, act.model_copy(update={"to": doubter}))
    else:
        demands.say_so(play, act)


def talk(play: Play, act: Act) -> None:
    """Speak to somebody: what an author wrote comes up only where the words are about it."""
    open_talks = around.talks(play.game, play.book, act.to)
    ware = act.item.removeprefix("buy:")
    if act.want == "give" and act.coin >= errands.price_of(play, ware, act.to) > 0:
        demands.say_so(play, act)
        errands.buy(play, Intent(act="buy", item=ware))
        return
    if act.approach == "bargain" and errands.price_of(play, ware, act.to) > 1 and not act.topic:
        _haggle(play, act, ware)
        return
    if act.approach == "plain" and act.want != "join" and not act.topic and _offers(play, act):
        # What is plainly handed over is taken; only whoever haggles has to be lucky.
        demands.say_so(play, act)
        if act.want != "give" or _parts_with(play, act):
            errands.hand_over(play, act)
    elif _come_to_terms(play, act, open_talks):
        errands.hand_over(play, act)


def _offers(play: Play, act: Act) -> bool:
    return bool(errands.offered(play, act) or errands.thing_offered(play, act))


def _parts_with(play: Play, act: Act) -> bool:
    """Let somebody part with what is paid for, if it is worth nothing; else nothing is paid."""
    named = Effect(kind="keepsake", text=act.item)
    asked = bool(act.item) and act.item not in play.book.rules.items
    if not asked or effects.bring(play, (named,), success=True):
        return True
    play.add(Refused(reason="offer_refused", about=act.to))
    return False


def _come_to_terms(play: Play, act: Act, open_talks: dict[str, Talk]) -> bool:
    """Speak to somebody; return whether what was wanted of them came about."""
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
    if act.approach != "plain" and act.want and not _smalltalk(play, act):
        return demands.win_over(play, act)
    demands.say_so(play, act)
    return False


def _smalltalk(play: Play, act: Act) -> bool:
    """Whether somebody is asked out of kindness about what nobody has written: it is free."""
    kind = act.approach in ("charm", "comfort") and not act.coin
    person = play.book.scenario.persons.get(act.to)
    liked = not person or play.game.story.attitude(act.to, person.attitude) >= 0
    return kind and liked and act.want == "know" and not act.topic


def _raise(play: Play, act: Act, talk: Talk) -> bool:
    """Speak of a topic; lies, threats and bargains are rolled for first, by the topic's own test.

    A greeting answers those who merely greet. Returns whether it was told.
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


def _haggle(play: Play, act: Act, ware: str) -> None:
    """Get a listed ware for less: a success saves one coin at least, and half the price at most.

    What is offered is paid; who names no sum, or wants it lent or for nothing, hears a price.
    """
    price = errands.price_of(play, ware, act.to)
    least = -(-price // 2)
    if act.coin and play.game.sheet.coin < least:
        demands.say_so(play, act)
        play.add(Refused(reason="too_dear", about=ware))
    elif not demands.win_over(play, act.model_copy(update={"want": "pass", "item": ware})):
        return
    elif price * HOUR <= (work := _work(play, act)):
        play.add(Counted(key=f"work:{act.to}"))
        effects.bring(play, (Effect(kind="time", amount=work),), success=True)
        play.add(ItemGained(item=ware, why="given"))
    elif act.coin:
        wanted = min(act.coin, price - 1)
        errands.pay_for(play, ware, min(max(least, wanted), play.game.sheet.coin))
    else:
        play.add(Counted(key=errands.lowered(act.to, ware)))
        play.add(Refused(reason="cheaper", about=ware, other=str(least)))


def _work(play: Play, act: Act) -> int:
    """Return the minutes of work that are offered for a ware: somebody has a day's of it."""
    done = play.game.story.ledger.of(f"work:{act.to}")
    return 0 if done else max((one.amount for one in act.success if one.kind == "time"), default=0)


def _held_back(play: Play, key: str) -> bool:
    """Whether asking failed, once: what is asked again is asked once more."""
    flags, ledger = play.game.flags, play.game.story.ledger
    failed = f"talk:{key}:failure" in flags and f"talk:{key}:text" not in flags
    return failed and not ledger.of(f"try:clue:talk:{key}")


def _speak_of(play: Play, key: str) -> None:
    play.add(SectionTold(kind="talk", key=key))
    journey.gain(play, play.book.scenario.talks[key].gain)


def _changed(play: Play, act: Act) -> bool:
    """Whether something speaks for asking anew: coin, a liking, another approach."""
    liked = play.game.story.attitudes.get(act.to, 0) > 0
    return _offers(play, act) or act.approach != "plain" or liked


def _again(play: Play, act: Act) -> bool:
    """Ask once more what failed; return whether it was told."""
    test = play.book.scenario.talks[act.topic].test
    demands.say_so(play, act)
    play.add(Counted(key=f"try:clue:talk:{act.topic}"))
    told = test is None or combat_acts.check(play, test.skill, min(150, test.difficulty + HARDER))
    if told:
        _speak_of(play, act.topic)
    return told


def address_foes(play: Play, act: Act) -> None:
    """Speak to those who bar the way: wanting something of them is the parley that is written."""
    test = _test_of(play, act)
    demands.say_so(play, act)
    pressing = act.want == "know" and act.approach in ("deceive", "threaten")
    asks = act.want in ("pass", "leave", "yield", "truce", "join", "help", "give")
    asks = asks or (act.want == "know" and bool(_offers(play, act)))
    if (asks or pressing) and test:
        _ask_foes(play, act, test)
    elif act.approach != "plain" and act.want in ("like", "know"):
        _soften(play, act)


def _test_of(play: Play, act: Act) -> SkillTest | None:
    """Return what it takes to win over those who bar the way: beasts hear how, not what, is said.

    How it is said decides with which skill; how hard it is, the author has written.
    """
    encounter = play.book.scenario.encounters[around.waiting(play.game, play.book)]
    skill = demands.skill_of(play, act.approach)
    beasts = all(setting.nature_as(foe, play.book) == "beast" for foe in encounter.foes)
    if encounter.parley is None:
        soft = beasts and act.approach not in demands.FORCED
        return SkillTest(skill=skill, difficulty=difficulty("hard", "d100")) if soft else None
    plain = act.approach == "plain"
    return encounter.parley if plain else encounter.parley.model_copy(update={"skill": skill})


def _ask_foes(play: Play, act: Act, test: SkillTest) -> None:
    """Ask something of those who bar the way: their price is paid, and a lesser offer helps.

    Whoever wants news for the price as well pays nothing unless they get both.

    Who turns a civil word or an offer down for the first time does not come to blows over it.
    """
    key = around.waiting(play.game, play.book)
    toll, coin = play.book.scenario.encounters[key].toll, errands.offered(play, act)
    if coin >= toll > 0 and act.want != "know":
        errands.hand_over(play, act)
        journey.pass_by(play, key)
        return
    if offers := _offers(play, act):
        effects.bring(play, (Effect(kind="edge", who=HERO, what="up"),), success=True)
    kind = offers or act.approach not in demands.FORCED
    civil = kind and not play.game.story.ledger.of(f"offer:{key}")
    if combat_acts.check(play, test.skill, test.difficulty):
        journey.pass_by(play, key)
        errands.hand_over(play, act)
    elif civil:
        play.add(Counted(key=f"offer:{key}"))
        play.add(Refused(reason="offer_refused" if offers else "words_refused", about=key))
    else:
        spoils.trigger(play, key)


def _soften(play: Play, act: Act) -> None:
    """Let words make whoever hears them readier to listen: an edge for what comes next."""
    wish = Effect(kind="edge", who=HERO, what="up")
    skill = demands.skill_of(play, act.approach)
    trying.attempt(play, Act(do="check", skill=skill, success=(wish,), text=act.text))
