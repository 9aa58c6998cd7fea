"""Social appeals: persons react by attitude and skill, foes by nature and situation."""

from __future__ import annotations

from ruleplay.agents.party.domain.adventure import Test
from ruleplay.agents.party.domain.effecting import (
    AppealResult,
    attitude,
    leave_fight,
    like,
    reward,
    rolled,
    spared,
)
from ruleplay.agents.party.domain.exploration.acts import (
    Exploration,
    exits,
    talks,
    unmoved,
    waiting,
)
from ruleplay.agents.party.domain.exploration.effects import check, settle, start_fight
from ruleplay.agents.party.domain.exploration.rules import hear
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.creatures import Checked
from ruleplay.agents.party.domain.happenings.exploration import CoinChanged
from ruleplay.agents.party.domain.scope import phrases, things
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import (
    COIN,
    NATURE_OF,
    coppers,
    encounter_of,
    foes,
    nature_of,
    people,
    plight,
    stage_of,
)
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import WAY
from ruleplay.story.acts import EVERYBODY, Act, Band
from ruleplay.story.bounds import BANDS, DIFFICULTY, attempt, difficulty, easier, harder, key_of
from ruleplay.story.mentions import mentioned
from ruleplay.story.morale import Demand, can_be_moved, demanded, may, mercy, reasons
from ruleplay.story.texts import Phrasing, words_of
from ruleplay.story.wording import find

SKILL_OF = {
    "plain": "persuasion",
    "charm": "persuasion",
    "comfort": "insight",
    "bargain": "persuasion",
    "press": "intimidation",
    "provoke": "performance",
    "threaten": "intimidation",
    "deceive": "deception",
}
BEARING = ("threaten", "press", "deceive", "provoke")
"""How words press somebody who listens only because they wait."""
THREATS, GENTLE = ("threaten", "press"), ("comfort", "charm")
DEMANDS: dict[str, Demand] = {"yield": "yield", "leave": "leave", "pass": "leave", "truce": "leave"}


def spoken(play: TableTurn, seat: str, act: Act, *, mine: bool) -> AppealResult:
    """Resolve words to somebody in the story; most ask for nothing and need no roll."""
    table, book = play.table, play.book
    if table.cast.fight:
        return _to_foes(play, seat, act)
    now = table.expedition
    if not now.begun:
        return AppealResult.NOTHING
    key = waiting(now, book.story)
    # Whose help is wanted by words to all are one's companions. To be liked alone settles nothing.
    if key and (act.want in DEMANDS or (act.want in ("help", "join") and act.to != EVERYBODY)):
        if not mine:
            return AppealResult.REFUSED
        return _parley(play, seat, act, key)
    if key and act.to.partition("/")[0] == key and act.approach in BEARING:
        return _to_waiters(play, seat, act, key) if mine else AppealResult.REFUSED
    if act.to not in people(table, book):
        return AppealResult.NOTHING
    topic = act.topic or _raised(play, seat, act)
    if topic and topic in talks(now, book.story, act.to, seat):
        if not mine:
            return AppealResult.REFUSED
        does = Exploration(act="talk", target=act.to, topic=topic)
        return AppealResult.TOLD if play.venture(seat, does) is None else AppealResult.NOTHING
    asks = ("know", "like", "help", *(() if act.coin else ("give",)))
    if not act.want or (act.approach == "plain" and act.want in asks):
        return AppealResult.NOTHING
    return _persuade(play, seat, act) if mine else AppealResult.REFUSED


def _raised(play: TableTurn, seat: str, act: Act) -> str:
    """Return the topic that a question plainly raises, though no reading has named it.

    It has more of the topic's words than of any remark's, and two at least.
    """
    if "?" not in act.text or (act.approach != "plain" and act.want != "know"):
        return ""
    story, said = play.book.story, words_of(act.text)

    def named(words: Phrasing) -> int:
        return sum(find(said, words_of(one)) is not None for one in {*words.all})

    open_ = talks(play.table.expedition, story, act.to, seat)
    sizes = {key: named(one.words) for key, one in open_.items() if not one.secret}
    best = max(sizes, key=lambda key: sizes[key], default="")
    remarks = (named(one.words) for one in story.remarks.values() if one.person == act.to)
    return best if best and sizes[best] > max(1, *remarks, 0) else ""


def _persuade(play: TableTurn, seat: str, act: Act) -> AppealResult:
    """Roll for a request; a good attitude makes it easier and a bad one harder."""
    stage = stage_of(play.table, play.book, seat)
    skill = SKILL_OF[act.approach]
    thing = mentioned(words_of(act.item), things(play.book))
    about = ":".join(filter(None, (act.want, act.topic or (thing.id if thing else ""))))
    wish = act.model_copy(update={"skill": f"{skill}:{about}", "success": ()})
    band: Band | None = attempt(wish, stage, play.table.tale.ledger)
    if band is None:
        play.add(t.Unmoved(who=act.to, by=seat))
        return AppealResult.TOLD
    feels = attitude(play, act.to)
    band = easier(band, feels) if feels > 0 else harder(band, -feels)
    play.add(t.Tallied(key=key_of(wish, stage)), _tries(seat, act.to, act.text))
    success = rolled(play, seat, skill, difficulty(band, "d20"))
    before = len(play.done)
    if success:  # who has given in is asked for something else like the first time
        key = key_of(wish, stage)
        play.add(t.Tallied(key=key, n=-play.table.tale.ledger.of(key)))
    _granted(play, seat, act, success=success)
    if success and all(isinstance(one, t.Tallied | t.Withheld) for one in play.done[before:]):
        reward(play, seat, act)
    return AppealResult.SUCCESS if success else AppealResult.FAILURE


def _to_waiters(play: TableTurn, seat: str, act: Act, key: str) -> AppealResult:
    """Roll for words that press those who wait, or one of them: words are lost on animals."""
    if _beasts(play, key):
        play.add(t.InVain(who=seat, why="no_words", text=act.text))
        return AppealResult.TOLD
    return _persuade(play, seat, act.model_copy(update={"want": act.want or "know"}))


def _beasts(play: TableTurn, key: str) -> bool:
    """Whether all who wait in an encounter are beasts."""
    there, known = play.book.story.encounters[key].foes, play.book.rules.monsters
    return all((one.nature or NATURE_OF.get(known[one.kind].type)) == "beast" for one in there)


def _tries(seat: str, to: str, words: str) -> t.Did:
    """Return that somebody is about to be won over by words: the roll for it names them."""
    return t.Did(who=seat, text=words, to=to, tries=True, said=True)


def _granted(play: TableTurn, seat: str, act: Act, *, success: bool) -> None:
    if not success:
        if act.approach in (*THREATS, "deceive", "provoke"):
            like(play, seat, act.to, -1)
        return
    if act.want == "give" and act.coin and not act.item:
        _paid(play, seat, act)
    elif act.want == "give" and not act.item:
        promise(play, act)  # something for later: what is given now would be named
    elif act.want == "join":
        come_along(play, act.to)
    elif act.topic in unmoved(play.table.expedition, play.book.story, act.to, seat):
        play.travel(lambda journey: hear(journey, seat, act.topic), settle)
    if act.approach not in THREATS:
        like(play, seat, act.to, 1)


def _paid(play: TableTurn, seat: str, act: Act) -> None:
    """Pay out coin that was asked for, as much as they can spare; the rest is promised."""
    asked = coppers(act)
    if pays := spared(play, seat, act.to, asked):
        purse = play.table.expedition.purse
        play.add(CoinChanged(amount=pays, purse=purse + pays))
    if pays < asked:
        promise(play, act)


def promise(play: TableTurn, act: Act) -> None:
    """Let a person promise what they were won over to give, and cannot spare now."""
    text = "".join("…" if char.isdigit() else char for char in act.text or act.item)
    made = {"text": text, "kind": "promise", "about": act.to, "author": act.to}
    if text:
        here = play.table.expedition.scene
        play.add(t.DetailEstablished.model_validate({**made, "place": here}))


def _parley(play: TableTurn, seat: str, act: Act, key: str) -> AppealResult:
    """Parley with those who wait, if the adventure allows it.

    A voice that presses no beast is one of the ways past them that the adventure has a test for.
    """
    encounter = play.book.story.encounters[key]
    calms = encounter.sneak and _beasts(play, key) and act.approach not in BEARING
    if encounter.parley is None and not calms:
        play.add(t.Unmoved(who=key, by=seat))
        return AppealResult.TOLD
    does = Exploration(act="parley" if encounter.parley else "sneak", target=key)
    if encounter.parley:
        play.add(_tries(seat, "", act.text))
    refused = play.venture(seat, does)
    if refused:
        return AppealResult.NOTHING
    fought = play.table.cast.fight is not None
    return AppealResult.FAILURE if fought else AppealResult.SUCCESS


def _parley_on(play: TableTurn, seat: str, act: Act, test: Test) -> AppealResult:
    """Hear once in a fight those whom the adventure lets be talked to, whatever they are."""
    key = "fight:parley"
    if play.table.tale.ledger.of(key):
        play.add(t.Unmoved(who=act.to or key, by=seat, why="again"))
        return AppealResult.TOLD
    play.add(t.Tallied(key=key), _tries(seat, act.to, act.text))
    play.travel(lambda journey: check(journey, seat, test))
    if not any(isinstance(one, Checked) and one.success for one in play.done[-1:]):
        return AppealResult.FAILURE
    there = [one.id for one in play.table.cast.foes_of(seat) if one.present and one.alive]
    leave_fight(play, *there, captive=False)
    return AppealResult.SUCCESS


def name_way(play: TableTurn, words: str) -> None:
    """Let a flight lead where words to one's companions have named: "make for the ditch"."""
    now, story = play.table.expedition, play.book.story
    said = words_of(words)
    for way in (one.to for one in exits(now, story)):
        names = phrases(story.scenes[way].name, story.scenes[way].words)
        if any(find(said, name) is not None for name in names):
            play.add(t.Tallied(key=f"{WAY}{way}"))


def at_foes(act: Act) -> bool:
    """Whether words in a fight that name nobody are hurled at those one fights."""
    return act.to in ("", EVERYBODY) and act.approach not in ("plain", *GENTLE)


def _to_foes(play: TableTurn, seat: str, act: Act) -> AppealResult:
    """Demand that foes give up or go, or calm them: once each in a fight, by nature and plight."""
    demand = DEMANDS.get(act.want)
    known = foes(play.table, seat)
    there = {one.id: one for one in known if one.conscious}
    if act.want and any(one.id == act.to and one.id not in there for one in known):
        play.add(t.InVain(who=seat, why="deaf", text=act.text))
        return AppealResult.TOLD
    # Plain words to everybody are for one's own.
    all_foes = not act.to or (act.to == EVERYBODY and act.approach != "plain")
    wanted = [act.to] if act.to in there else [*there] if all_foes else []
    calming = act.approach in GENTLE and bool(act.want or act.to in there)
    if not (demand or calming) or not wanted or seat == DM:
        return AppealResult.NOTHING
    outcome = AppealResult.NOTHING
    for who in wanted[:6]:
        if play.table.cast.fight is None:
            break
        outcome = _demand(play, seat, who, demand, act) if demand else calm(play, seat, who, act)
    return outcome


def _skill_to(play: TableTurn, who: str, act: Act) -> str:
    """Return the skill that words to a foe take: beasts hear the voice, not the words."""
    foe, encounter = play.table.cast.the(who), encounter_of(play.table, play.book)
    beast = nature_of(foe, encounter) == "beast" and act.approach not in THREATS
    return "animal-handling" if beast else SKILL_OF[act.approach]


def _demand(play: TableTurn, seat: str, who: str, demand: Demand, act: Act) -> AppealResult:
    table = play.table
    key = f"fight:demand:{who}"
    foe = table.cast.the(who)
    coin = min(coppers(act), table.expedition.purse)
    found = plight(table, play.book, foe)
    # Nobody asks a beast to surrender: what it understands is that it may go.
    demand = "leave" if found.nature == "beast" and act.approach in GENTLE else demand
    threat, gentle = act.approach in THREATS, act.approach in GENTLE
    band = demanded(found, demand, threat=threat, coin=-(-coin // COIN), gentle=gentle)
    encounter = encounter_of(table, play.book)
    if band is None and demand != "yield" and encounter and encounter.parley:
        return _parley_on(play, seat, act, encounter.parley)
    if band is None:
        may_be = may(found.nature, demand)
        play.add(t.Unmoved(who=who, by=seat, why="reason" if may_be else "nature"))
        return AppealResult.TOLD
    band = _asked_again(play, key, band)
    if band is None:
        play.add(t.Unmoved(who=who, by=seat, why="again"))
        return AppealResult.TOLD
    play.add(_tries(seat, who, act.text))
    skill = _skill_to(play, who, act)
    success = rolled(play, seat, skill, difficulty(band, "d20", against=foe.mod("wis")))
    if success:
        if coin:
            left = table.expedition.purse - coin
            play.add(CoinChanged(amount=-coin, purse=left))
        leave_fight(play, who, captive=demand == "yield" and act.want == "yield")
    return AppealResult.SUCCESS if success else AppealResult.FAILURE


def _asked_again(play: TableTurn, key: str, band: Band) -> Band | None:
    """Return the band of what is asked of a foe; the second time, in a later round, it is harder.

    None for what is asked a third time, or twice in a round.
    """
    ledger, fight = play.table.tale.ledger, play.table.cast.fight
    tries, now = ledger.of(key), f"{key}:{fight.round if fight else 0}"
    if tries > 1 or ledger.of(now) or (tries and band == BANDS[-1]):
        return None
    play.add(t.Tallied(key=key), t.Tallied(key=now))
    return harder(band, tries)


def calm(play: TableTurn, seat: str, who: str, act: Act) -> AppealResult:
    """Calm a foe: a better attitude is a reason for it to stop fighting."""
    table, key = play.table, f"fight:calm:{who}"
    foe = table.cast.the(who)
    found = plight(table, play.book, foe)
    moved = can_be_moved(found.nature)
    easy = easier("hard", reasons(found))
    band = _asked_again(play, key, easy) if moved and not found.calmed else None
    if band is None:
        play.add(t.Unmoved(who=who, by=seat, why="again" if moved else "nature"))
        return AppealResult.TOLD
    play.add(_tries(seat, who, act.text))
    dc = difficulty(band, "d20", against=foe.mod("wis"))
    if not rolled(play, seat, _skill_to(play, who, act), dc):
        return AppealResult.FAILURE
    play.add(t.AttitudeChanged(person=who, amount=1, value=1))
    return AppealResult.SUCCESS


def come_away(play: TableTurn, seat: str) -> None:
    """Let companions leave with somebody where no foe is awake who could stop them."""
    table = play.table
    if table.cast.fight and not any(one.conscious for one in foes(table, seat)):
        able = (one for one in table.party if one.present and one.conscious)
        leave_fight(play, *(one.id for one in able if not table.is_held(one.id)), captive=False)


def gives_up(play: TableTurn, who: str) -> bool:
    """Let a hero give up: out of the fight where those who fight let people go, or for a price."""
    table, encounter = play.table, encounter_of(play.table, play.book)
    there = [one for one in foes(table, who) if one.conscious]
    answers = [
        mercy(nature_of(one, encounter), coin=table.expedition.purse // COIN) for one in there
    ]
    if not answers or "fights_on" in answers:
        return False
    if "robs" in answers and table.expedition.purse:
        left = table.expedition.purse // 2
        play.add(CoinChanged(amount=left - table.expedition.purse, purse=left))
    play.add(t.Yielded(who=who))
    leave_fight(play, who, captive=False)
    return True


def asked_along(play: TableTurn, seat: str, act: Act) -> bool:
    """Ask somebody to come along: a captive has no choice, others by liking; False for nobody."""
    if act.to in play.table.tale.captives:
        come_along(play, act.to)
        return True
    if act.to not in people(play.table, play.book):
        return False
    person = play.book.story.persons[act.to]
    if not person.follows:
        play.add(t.Unmoved(who=act.to, by=seat))  # no roll could change that
        return True
    wish = act.model_copy(update={"want": "join", "approach": act.approach})
    _persuade(play, seat, wish)
    return True


def come_along(play: TableTurn, person: str) -> None:
    """Let a person follow the party if the adventure allows it."""
    found = play.book.story.persons.get(person)
    if found is None or found.follows:
        play.add(t.Followed(person=person))
    else:
        play.add(t.Unmoved(who=person, by=""))


def assault(play: TableTurn, who: str, act: Act, *, confirmed: bool) -> bool:
    """Attack a person in peace: asked once; then those who fight for them come, or it is rolled.

    Whoever sees it turns against the party, and it is remembered. False when there is nobody to
    attack.
    """
    here = people(play.table, play.book)
    if act.to not in here:
        return False
    if not confirmed:
        play.add(t.AskedBack(seat=who, question="assault", choices=("yes", "no"), message=act.text))
        return True
    person = play.book.story.persons[act.to]
    name = person.name.of(play.table.lang)
    play.add(t.Did(who=who, text=act.text or name, to=act.to, tries=True))
    if person.encounter:
        play.add(t.AttitudeChanged(person=act.to, amount=-2, value=-2))
        play.travel(lambda journey: start_fight(journey, person.encounter), settle)
        return True
    me = play.table.cast.the(who)
    arm = me.attack(act.with_) or (me.attacks[0] if me.attacks else None)
    struck = rolled(play, who, arm.ability if arm else "str", DIFFICULTY["d20"]["easy"])
    play.add(
        *(t.AttitudeChanged(person=one, amount=-2, value=-2) for one in here),
        t.PersonLeft(person=act.to, struck=struck),
    )
    if struck:
        text, scene = f"{play.table.name(who)} → {name}: {act.text or name}", play.table.expedition
        made = {"text": text, "place": scene.scene, "about": act.to, "author": who}
        play.add(t.DetailEstablished.model_validate(made))
    return True
