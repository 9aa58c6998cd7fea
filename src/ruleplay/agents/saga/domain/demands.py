"""Rules for speech with an aim: winning people over, demands to foes, surrender, company."""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.saga.domain import combat_acts, errands, setting, spoils, surroundings
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.blows import give_up
from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.effects import bring
from ruleplay.agents.saga.domain.fight import HERO, Combatant
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Traits
from ruleplay.story import morale
from ruleplay.story.acts import EVERYBODY, Act, Approach, Band, Effect
from ruleplay.story.bounds import BANDS, difficulty, easier, harder
from ruleplay.story.morale import Demand, Plight
from ruleplay.story.texts import words_of
from ruleplay.story.wording import find

SKILL: dict[Approach, str] = {"threaten": "intimidation"}
"""Skills of approaches; all others, insistence included, use persuasion."""
TURNED_AGAINST: tuple[Approach, ...] = ("threaten", "provoke", "deceive")
"""Approaches that worsen an attitude if they fail."""

FORCED: tuple[Approach, ...] = (*TURNED_AGAINST, "press")
"""Approaches whose success brings an edge rather than a better attitude."""
HOSTILE: tuple[Approach, ...] = ("threaten", "provoke", "press")
"""Approaches that are a quarrel if those who bar the way do not give in; a lie is none at first."""
WANTED: dict[str, Demand] = {"yield": "yield", "join": "yield", "truce": "truce", "pass": "truce"}
"""Demand for each aim of speech in a fight; any other aim demands that foes leave.

Who comes over to the hero gives up first, and can then be led along.
"""


SECRET = "secret:"
"""Begins what a roll counts of what the hero knows."""


def skill_of(play: Play, approach: Approach) -> str:
    """Return the skill for an approach; the first one if the rules lack it."""
    wanted = SKILL.get(approach, "persuasion")
    return wanted if wanted in play.book.rules.skills else next(iter(play.book.rules.skills))


def say_so(play: Play, act: Act) -> None:
    """Record speech, which is free and has no effect by itself."""
    for who in surroundings.recognised(play.game, play.book, act.text):
        play.add(h.FlagSet(flag=f"{surroundings.KNOWN}{who}"))
    body = {"who": HERO, "to": act.to, "text": act.text, "approach": act.approach}
    play.add(h.Spoke.model_validate({**body, "want": act.want}))


def apt(act: Act) -> bool:
    """Whether words offer or name just what somebody needs, as the reading has it."""
    return act.band == "easy"


def holds(play: Play, act: Act, *about: Traits | None) -> h.Counting:
    """List what gives words a hold on somebody: they are apt, or use a secret that moves them."""
    words, secrets = words_of(act.text), play.book.scenario.secrets
    moving = {key: secrets[key] for one in about if one for key in one.moved_by}
    used = (
        key
        for key, secret in moving.items()
        if key in play.game.secrets
        and (apt(act) or any(find(words, words_of(w)) is not None for w in secret.words.all))
    )
    return (*(("apt",) if apt(act) else ()), *(f"{SECRET}{key}" for key in used))


def refuse(play: Play, act: Act) -> None:
    """Let somebody turn down an offer or a request without a roll."""
    reason = "offer_refused" if errands.offered(play, act) else "words_refused"
    play.add(h.Refused(reason=reason, about=act.to))


def counts(play: Play, act: Act, *about: Traits | None) -> h.Counting:
    """List what makes it easier to win somebody over: an offer, and what `holds` them."""
    things = (errands.offered, errands.thing_offered, errands.pledged)
    offers = any(offer(play, act) for offer in things)
    return (*(("offer",) if offers else ()), *holds(play, act, *about))


def win_over(play: Play, act: Act, band: Band = "medium") -> bool:
    """Try to win a person over, and return whether it worked.

    A good attitude, an offer and apt words make it easier, a bad attitude or an earlier try harder;
    a third try is refused. A new approach, or a thing that is newly shown or offered, makes a try
    like the one before it. Success brings a better attitude, an edge or a few coins.
    """
    liking = _liking(play, act.to)
    band = easier(band, liking) if liking > 0 else harder(band, -liking)
    counted = counts(play, act, play.book.scenario.persons.get(act.to))
    band = easier(band, len(counted))
    key = f"try:win:{play.game.place}:{act.to}:{act.want}"
    ledger = play.game.story.ledger
    means = f"{key}:{act.approach}:{act.with_ or act.item}:{errands.offered(play, act)}"
    tries = max(0, ledger.of(key) - (not ledger.of(means)))
    say_so(play, act)
    if tries >= 2:
        refuse(play, act)
        return False
    band = harder(band, tries)
    skill = skill_of(play, act.approach)
    number = difficulty(band, "d100")
    roll, success = combat_acts.throw(play, skill, number)
    play.add(
        h.Attempted(
            skill=skill,
            band=band,
            difficulty=number,
            roll=roll,
            success=success,
            what=act.text,
            against=act.to,
            why="again" if tries else "",
            counted=counted,
        )
    )
    combat_acts.spend_edge(play)
    play.add(h.Counted(key=key))
    play.add(h.Counted(key=means))
    if success:
        _bring_won(play, act, band)
    elif act.approach in TURNED_AGAINST:
        bring(play, (Effect(kind="attitude", who=act.to, amount=-1),), success=False)
    return success


def _bring_won(play: Play, act: Act, band: Band) -> None:
    """Let words bring what they won; who has fewer coins than they are asked for says so."""
    wished = _won(play, act)
    brought = bring(play, wished, success=True, band=band)
    asked = sum(one.amount for one in wished if one.kind == "coin")
    if sum(one.amount for one in brought if one.kind == "coin") < asked:
        play.add(h.Refused(reason="purse", about=act.to))


def _won(play: Play, act: Act) -> Sequence[Effect]:
    if act.item and act.approach == "bargain":
        return ()  # success lowers the price, and brings nothing else
    if act.want == "give" and not act.item:
        return (Effect(kind="coin", who=act.to, amount=act.coin or 2),)
    if act.want == "help":
        return (Effect(kind="edge", who=HERO, what="up"),)
    if act.want == "join" and act.to not in play.book.scenario.persons:
        return ()
    if act.approach in FORCED:
        return (Effect(kind="edge", who=HERO, what="up"),)
    return (Effect(kind="attitude", who=act.to, amount=1),)


def invite(play: Play, act: Act) -> bool:
    """Ask somebody to come along, and return whether they do.

    Friends (attitude 2) just come, others have to be won over. Fanatics, the mindless, and those
    who dislike the hero stay.
    """
    person = play.book.scenario.persons[act.to]
    liking = play.game.story.attitude(act.to, person.attitude)
    stays = (
        person.stays
        or not morale.has_mind(person.nature)
        or person.nature == "fanatic"
        or liking < 0
    )
    if stays or act.to in play.game.story.company:
        say_so(play, act)
        if stays:
            play.add(h.Refused(reason="stays_put", about=act.to))
        return False
    willing = liking > 1 or act.to in play.game.story.waiting
    if willing:
        say_so(play, act)
    comes = willing or win_over(play, act, "hard")
    if comes:
        play.add(h.Joined(who=act.to))
    return comes


def lead_along(play: Play, act: Act) -> None:
    """Ask a foe who no longer bars the way to come along.

    Captives have to obey; others who have a mind of their own have to be won, as by pay.
    """
    where = surroundings.here(play.game, play.book).encounter
    foe = surroundings.passed(play.game, play.book)[act.to]
    nature = setting.nature_as(foe, play.book)
    if surroundings.gave_up(where, act.to) in play.game.flags:
        say_so(play, act)
        come_over(play, act, where)
    elif nature == "fanatic" or not morale.has_mind(nature):
        say_so(play, act)
        play.add(h.Refused(reason="stays_put", about=act.to))
    elif win_over(play, act, "hard"):
        come_over(play, act, where)


def come_over(play: Play, act: Act, encounter: str) -> None:
    """Let a foe who has agreed to it come along, and pay them what they were offered.

    Whoever comes of their own will bears the hero no grudge any more.
    """
    gave_up = surroundings.gave_up(encounter, act.to)
    captive = gave_up in play.game.flags
    play.add(h.FlagSet(flag=gave_up))
    errands.hand_over(play, act)
    who = surroundings.afterwards(play.book, encounter, act.to)
    liking = _liking(play, who)
    for _ in range(0 if captive else -liking):
        play.add(h.AttitudeChanged(who=who, amount=1))
    play.add(h.Joined(who=who))


def _liking(play: Play, who: str) -> int:
    person = play.book.scenario.persons.get(who)
    return play.game.story.attitude(who, person.attitude) if person else 0


def hire(play: Play, act: Act) -> None:
    """Ask whoever is about, and has no name, to come along."""
    who = surroundings.folk(play.game.place)
    if win_over(play, act.model_copy(update={"to": who}), "hard"):
        play.add(h.FlagSet(flag=surroundings.HIRED + who))
        errands.hand_over(play, act.model_copy(update={"to": who}))
        play.add(h.Joined(who=who))


def bids_wait(play: Play, act: Act) -> bool:
    """Whether words have a companion stay where the hero is: an effect places them here."""
    placed = (one.who for one in act.success if one.kind == "place")
    return act.to in play.game.story.company and act.to in placed


def wait_here(play: Play, act: Act) -> None:
    """Let a companion wait here, who comes along again once they are asked to."""
    say_so(play, act)
    play.add(h.Parted(who=act.to, place=play.game.place))


def part(play: Play, who: str) -> None:
    """Let somebody leave: a companion returns to their place, a captive is gone for good."""
    if who not in play.game.story.company:
        play.add(h.FlagSet(flag=f"gone:{who}"))
    play.add(h.Parted(who=who))


def helps(play: Play, act: Act) -> bool:
    """Whether somebody helps for the asking: a companion, a friend, whoever needs it done."""
    if act.want != "help" or act.topic:
        return False
    if act.to in play.game.story.company or act.to in setting.waiting_allies(play.game, play.book):
        return True
    person = play.book.scenario.persons.get(act.to)
    liking = play.game.story.attitude(act.to, person.attitude) if person else -1
    return act.approach == "plain" and (liking > 0 or (liking == 0 and apt(act)))


def called_on(play: Play, act: Act) -> None:
    """Let a companion, a friend or an ally help, or hand back what they were given.

    Help is an edge for the hero, once in each fight, and once a day at each place outside fights.
    Whoever bears the hero a grudge has to be won over: an offer or apt words make that easier.
    """
    willing = _liking(play, act.to) >= 0
    if act.want == "help" and not willing and act.to in play.book.scenario.persons:
        if win_over(play, act):
            errands.hand_over(play, act)
        return
    say_so(play, act)
    if willing and act.want == "give" and errands.hand_back(play, act.to, act.item):
        return
    if act.want != "help" or not willing:
        if act.want:
            refuse(play, act)
        return
    key = f"fight:help:{act.to}" if play.game.fight else f"help:{play.game.place}:{act.to}"
    if play.game.story.ledger.of(key):
        play.add(h.Refused(reason="helped_once", about=act.to))
        return
    play.add(h.Counted(key=key))
    play.add(h.Helped(who=act.to, text=act.text))
    errands.pay(play, act.to, errands.offered(play, act))
    bring(play, (Effect(kind="edge", who=HERO, what="up"),), success=True)


def demand(play: Play, act: Act) -> None:
    """Demand that foes surrender or leave, or offer peace.

    For the same reasons and terms a foe considers a demand twice, if it is put in other words.
    """
    say_so(play, act)
    want: Demand = WANTED.get(act.want, "leave")
    foes = play.fight.side("foes")
    if want == "truce":
        _make_peace(play, act, foes)
        return
    for one in foes:
        if play.game.fight and act.to in (one.id, EVERYBODY, ""):
            _put_to(play, act, one, want, setting.plight(play.game, play.book, one))


def _make_peace(play: Play, act: Act, foes: Sequence[Combatant]) -> None:
    """Offer peace, to whoever is addressed.

    Foes make it together or not at all, so it is as hard as with the most unwilling one, who
    answers if nobody is addressed, or if they never agree.
    """
    if pay_toll(play, act, act.to or foes[0].id):
        return
    hardest = max(foes, key=lambda one: _hardness(play, act, one))
    there = setting.plight(play.game, play.book, hardest)
    named = next((one for one in foes if one.id == act.to), hardest)
    never = _band(play, act, hardest, "truce", there) is None
    _put_to(play, act, hardest if never else named, "truce", there)


def _put_to(play: Play, act: Act, one: Combatant, want: Demand, there: Plight) -> None:
    coin, held = errands.at_stake(play, act), len(_holds(play, act, one))
    key = f"fight:morale:{one.id}:{want}:{morale.reasons(there) + bool(coin) + held}"
    words = f"{key}:{errands.terms(play, act)}"
    ledger = play.game.story.ledger
    if ledger.of(words) or ledger.of(key) > 1:
        body = {"who": one.id, "want": want, "approach": act.approach, "again": True}
        play.add(h.Demanded.model_validate(body))
        return
    _ask_of(play, act, one, want, there, tried=ledger.of(key))
    if play.game.fight:
        play.add(h.Counted(key=key))
        play.add(h.Counted(key=words))


def _hardness(play: Play, act: Act, one: Combatant) -> int:
    band = _band(play, act, one, "truce", setting.plight(play.game, play.book, one))
    return len(BANDS) if band is None else BANDS.index(band)


def _holds(play: Play, act: Act, one: Combatant) -> h.Counting:
    return holds(play, act, setting.written_as(play.game, play.book, one))


def _band(play: Play, act: Act, one: Combatant, want: Demand, there: Plight) -> Band | None:
    threat, held = act.approach == "threaten", len(_holds(play, act, one))
    coin = errands.at_stake(play, act)
    return morale.demanded(there, want, threat=threat, coin=coin, holds=held)


def _ask_of(
    play: Play, act: Act, one: Combatant, want: Demand, there: Plight, *, tried: int
) -> None:
    band = _band(play, act, one, want, there)
    body = {"who": one.id, "want": want, "approach": act.approach}
    if band is None:
        play.add(h.Demanded.model_validate(body))
        return
    skill = skill_of(play, act.approach)
    number = difficulty(harder(band, tried), "d100", against=modifier(one.stats["wisdom"]))
    roll, success = combat_acts.throw(play, skill, number)
    counted = (*(("offer",) if errands.at_stake(play, act) else ()), *_holds(play, act, one))
    rolled = {"difficulty": number, "skill": skill, "roll": roll, "success": success}
    rolled |= {"counted": counted}
    play.add(h.Demanded.model_validate({**body, **rolled}))
    combat_acts.spend_edge(play)
    if not success:
        return
    _pay(play, act, one.id)
    if want == "leave":
        play.add(h.Fled(who=one.id))
    elif want == "yield":
        give_up(play, one.id)
    else:
        spoils.conclude(play, "truce")


def pay_toll(play: Play, act: Act, who: str) -> bool:
    """Pay those who are fought the toll that they stood there for; return whether that was enough.

    They take it in a fight as before it, and let it be, whatever else has happened.
    """
    encounter = play.book.scenario.encounters.get(play.fight.encounter)
    foe = next((one for one in play.fight.side("foes") if who in (one.id, EVERYBODY)), None)
    enough = encounter and errands.at_stake(play, act) >= encounter.toll > 0
    if not (foe and enough):
        return False
    body = {"who": foe.id, "want": "truce", "approach": act.approach, "success": True}
    play.add(h.Demanded.model_validate(body))
    _pay(play, act, foe.id)
    spoils.conclude(play, "truce")
    return True


def _pay(play: Play, act: Act, who: str) -> None:
    errands.pay(play, who, errands.offered(play, act))
    errands.leave_to(play, who, errands.lying(play, act))


def surrender(play: Play) -> None:
    """Let the hero surrender. The fight is over if all foes accept, perhaps for half the coins."""
    foes = play.fight.side("foes")
    coin = play.game.sheet.coin
    natures = [(foe.id, setting.nature_of(play.game, play.book, foe)) for foe in foes]
    answers = tuple((who, morale.mercy(nature, coin=coin)) for who, nature in natures)
    play.add(h.ActionTaken(who=HERO, action="yield", cost="major"))
    play.add(h.Surrendered(answers=answers))
    if any(mercy == "fights_on" for _, mercy in answers):
        return
    if coin and any(mercy == "robs" for _, mercy in answers):
        lost = coin - coin // 2
        play.add(h.CoinChanged(amount=-lost, coin=coin - lost, why="lost"))
    play.add(h.Fled(who=HERO))
    spoils.conclude(play, "player_flee")
