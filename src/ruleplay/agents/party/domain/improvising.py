"""What a reading brings about: its acts in order, as far as the rules and the bounds allow.

Words decide nothing here. Every number is code's: difficulties, dice, what effects are worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import takewhile

from ruleplay.agents.party.domain import effecting, persuading
from ruleplay.agents.party.domain import proceedings as p
from ruleplay.agents.party.domain import tale_happenings as t
from ruleplay.agents.party.domain.actions import Action, Agree, Card, Hold, Pause, Speak, Whisper
from ruleplay.agents.party.domain.choices import WAIT, approach, choices
from ruleplay.agents.party.domain.dealings import deal
from ruleplay.agents.party.domain.effecting import Outcome
from ruleplay.agents.party.domain.expedition_happenings import CoinChanged
from ruleplay.agents.party.domain.exploration import Exploration, waiting
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.happenings import ItemGained, ItemLost
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.journey import Happened
from ruleplay.agents.party.domain.labels import venture_label
from ruleplay.agents.party.domain.proceedings import Refused
from ruleplay.agents.party.domain.rules.spending import take as spend_action
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import (
    COIN,
    clues,
    encounter_of,
    foes,
    mover,
    people,
    roster,
    skill_of,
    stage_of,
)
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.turns import END
from ruleplay.story.acts import EVERYBODY, MASTER, Act, Detail, Reading, sound
from ruleplay.story.bounds import attempt, keepsake_name, key_of, meant_of
from ruleplay.story.texts import words_of
from ruleplay.story.undone import Undone
from ruleplay.story.wording import in_own_words, spoken

COSTLY = ("pick", "rule", "move", "use", "check", "follow", "yield", "wait", "give", "take")
"""Acts that are for the seat whose move it is."""
SPENT = ("no-action", "no-bonus", "no-bonus-action", "no-movement")
"""Refusals after which an act is kept for the next turn."""
Done = bool
"""Whether an act came about."""


@dataclass
class Performance:
    """A reading being carried out by a seat; `left` is what there was no room for, and why."""

    play: TableTurn
    seat: str
    message: str = ""
    last: bool | None = None
    used: bool = False
    confirmed: str = ""
    failed: bool = False
    ahead: list[str] = field(default_factory=list)
    left: list[tuple[Undone, str]] = field(default_factory=list)
    owned: bool = field(init=False)

    def __post_init__(self) -> None:
        self.owned = self.mine

    @property
    def mine(self) -> bool:
        """Whether it is this seat's move."""
        return self.play.table.current_turn == self.seat

    @property
    def who(self) -> str:
        """Return who acts: the seat's character, or whom the DM moves."""
        return mover(self.play.table, self.seat)

    @property
    def fighting(self) -> bool:
        """Whether there is a fight."""
        return self.play.table.cast.fight is not None

    def vain(self, why: str, text: str = "") -> Done:
        """Let something come to nothing, told in the story."""
        self.play.add(t.InVain(who=self.who, why=why, text=text[:300]))
        return False

    def took(self, refused: Refusal | None) -> Done:
        """Take over what the rules said: a refusal costs nothing."""
        if refused:
            self.play.refuse(self.seat, refused)
            return False
        self.used = True
        return True

    def leave(self, act: Act, why: Undone) -> None:
        """Leave an act undone; waiting is nothing to come back to."""
        if act.do != "wait" or act.text:
            self.left.append((why, in_own_words(self.message, named(self.play, act)).rstrip(".")))


def perform(play: TableTurn, seat: str, reading: Reading, message: str = "") -> None:
    """Do what a reading says, as far as it goes here."""
    now = Performance(play, seat, message)
    for act in begin(now, reading):
        now.leave(act, "far")
    conclude(now)


def begin(now: Performance, reading: Reading) -> tuple[Act, ...]:
    """Do what a reading says; return what is left for the place that it has led to."""
    play, seat = now.play, now.seat
    asked = play.table.tale.question(seat)
    if asked or (now.owned and play.table.tale.undone(seat)):
        play.add(t.Considered(seat=seat))
    if reading.question:
        play.add(
            t.AskedBack(
                seat=seat,
                question=reading.question,
                choices=reading.choices,
                message=now.message[:400],
            )
        )
        return ()
    now.confirmed = asked.question if asked else ""
    rest = carry_on(now, reading)
    _establish(now, reading.details)
    return rest


def carry_on(now: Performance, reading: Reading) -> tuple[Act, ...]:
    """Carry out acts, each by itself; return those that follow where the place has changed."""
    scene, acts = now.play.table.expedition.scene, _once(reading.acts, now.play.table.characters)
    for at, act in enumerate(acts):
        known = roster(now.play.table, now.play.book, now.seat)
        if stands := sound(act, known):
            _carry_out(now, stands, acts[at + 1 :])
        if now.play.table.expedition.scene != scene and not now.fighting:
            return acts[at + 1 :]
    return ()


def _carry_out(now: Performance, act: Act, rest: tuple[Act, ...]) -> None:
    """Do one act, or leave it with the reason why."""
    if _skipped(act, now.last):
        if now.failed:
            now.leave(act, "vain")
        return
    if act.do == "wait" and any(one.do in COSTLY for one in rest):
        act = Act(do="flourish", text=act.text or "…")  # a pause before what is meant
    readied = act.when == "trigger" and not (now.fighting and act.item == "attack")
    if (why := "" if readied else _no_room(now, act)) is not None:
        now.leave(act, why)
        return
    if act.do == "say":
        _speak_on(now, act, rest)
    before = len(now.play.done)
    now.failed = not DO[act.do](now, act)
    if any(isinstance(one, Refused) and one.reason in SPENT for one in now.play.done[before:]):
        now.leave(act, "turn")
    if now.failed and (act.do in COSTLY or act.do == "vain"):
        now.last = False


def conclude(now: Performance) -> None:
    """Say what there was no room for, and pass the turn on where it is used."""
    play = now.play
    whys = tuple(dict.fromkeys(why for why, _ in now.left))
    if "later" in whys:
        play.refuse(now.seat, Refusal(reason="not_your_move", about=play.table.current_turn))
    for why in whys:
        texts = tuple(dict.fromkeys(text[:300] for for_, text in now.left if for_ == why))
        play.add(t.LeftUndone(seat=now.seat, texts=texts, why=why))
    if now.mine and not play.table.paused:
        _finish(now)
    play.follow_initiative()


def _once(acts: tuple[Act, ...], seats: tuple[str, ...]) -> tuple[Act, ...]:
    """Return acts with the same words to several companions said once, to all of them."""
    found: list[Act] = []
    for act in acts:
        last = found[-1] if found else None
        same = last and last.do == act.do == "say" and last.text == act.text and last.text
        if last and same and act.to in seats and last.to in (*seats, EVERYBODY):
            found[-1] = last.model_copy(update={"to": EVERYBODY})
        else:
            found.append(act)
    return tuple(found)


def _skipped(act: Act, last: bool | None) -> bool:
    return (act.when == "if_success" and last is False) or (
        act.when == "if_failure" and last is not False
    )


def _no_room(now: Performance, act: Act) -> Undone | None:
    """Return why an act has to wait; None where it can be done. Words never have to."""
    table, fought = now.play.table, now.play.began.cast.fight
    if (table.paused or any(map(_hangs, now.play.done))) and act.do not in (
        "ask",
        "whisper",
        "meta",
    ):
        return ""
    if act.do not in COSTLY:
        return None
    if table.mode == "ended":
        return "ended"
    if not now.owned:
        return "later"
    if bool(fought) != now.fighting:
        return "over" if fought else "fight"
    return None if now.mine and not _moved_on(now) else "turn"


def _hangs(one: Happened) -> bool:
    """Tell whether what follows hangs on what a person decides first."""
    return isinstance(one, t.AskedBack) or (isinstance(one, Refused) and one.reason == "how_undo")


def _moved_on(now: Performance) -> bool:
    """Tell whether the initiative has gone on to somebody else: whoever it was at has fled."""
    before, after = now.play.began.cast.fight, now.play.table.cast.fight
    return before is not None and after is not None and before.actor != after.actor


def named(play: TableTurn, act: Act) -> str:
    """Return an act in the words that it was read as; one without any by what it is about."""
    if act.text:
        return act.text
    lang, book = play.table.lang, play.book
    offered = {one.id: one.label for one in choices(play.table, book, play.table.current_turn)}
    label = offered.get(act.item)
    if label is None and act.do == "move" and act.to in book.story.scenes:
        label = venture_label(Exploration(act="go", target=act.to), book.story)
    if label:
        return label.of(lang)
    what = book.effect(act.item or act.with_).of(lang) if act.item or act.with_ else act.do
    return f"{what} {play.table.name(act.to)}".strip() if act.to else what


def _finish(now: Performance) -> None:
    """Pass the turn on once it is used: outside a fight by any act, in one by the action."""
    play, fight = now.play, now.play.table.cast.fight
    if not now.used:
        return
    if fight and play.began.cast.fight and fight.actor == now.who and not _moved_on(now):
        if fight.budget.action or fight.budget.attacks:
            return
        play.step(fight.actor, END)
    play.finish(now.seat)


def _pick(now: Performance, act: Act) -> Done:
    offered = {one.id: one for one in choices(now.play.table, now.play.book, now.seat)}
    chosen = offered.get(act.item)
    if act.item == WAIT:
        return _wait(now, act)
    if chosen is None or chosen.venture:
        does = chosen.venture if chosen and chosen.venture else wanted(act.item)
        if does is None:
            return now.vain("not_here", act.text)
        return now.took(now.play.venture(now.seat, does))
    for step in chosen.steps:
        if refused := now.play.step(now.who, step):
            return now.took(refused)
        now.used = True
    return True


def wanted(option: str) -> Exploration | None:
    """Return what an option's id stands for on the way; None for anything else."""
    act, _, rest = option.partition(":")
    target, _, topic = rest.partition("/")
    if act not in ("go", "search", "deed", "talk", "sneak", "parley", "provoke", *RESTS):
        return None
    return Exploration.model_validate({"act": act, "target": target, "topic": topic})


RESTS = ("short_rest", "long_rest")


def _rule(now: Performance, act: Act) -> Done:
    if now.play.table.cast.get(now.who) is None:
        return now.vain("not_able", act.text)  # the DM has nobody to move outside a fight
    if not now.fighting:
        return _quiet_rule(now, act)
    if act.when == "trigger" and act.item == "attack":
        return _steps(now, (Intent(act="ready", what=_attack(now, act)),))
    if act.item == "end":
        return _wait(now, act)
    if act.item == "flee":
        return _flee(now, act)
    if act.item == "attack" and act.to in now.play.table.seats:
        return now.vain("not_yours", act.text)
    return _steps(now, steps_of(now, act)) and (act.stunt is None or _stunt(now, act))


def _quiet_rule(now: Performance, act: Act) -> Done:
    """Do by the rules what makes sense without a fight; to attack who waits begins one."""
    table, book = now.play.table, now.play.book
    if act.item == "feature":
        refused = now.play.step(now.who, steps_of(now, act)[-1])
        only = refused and refused.reason == "no-fight"
        return now.took(Refusal(reason="only-at-rest") if only else refused)
    if act.item != "attack":
        return _steps(now, steps_of(now, act))
    if act.to in table.seats:
        return now.vain("not_yours", act.text)
    if table.expedition.begun and (key := waiting(table.expedition, book.story)):
        return now.took(now.play.venture(now.seat, Exploration(act="provoke", target=key)))
    return persuading.assault(
        now.play, now.who, act, confirmed=now.confirmed == "assault"
    ) or now.vain("not_here", act.text)


def _attack(now: Performance, act: Act) -> str:
    me = now.play.table.cast.the(now.who)
    found = me.attack(act.with_) or (me.attacks[0] if me.attacks else None)
    return found.key if found else ""


def steps_of(now: Performance, act: Act) -> tuple[Intent, ...]:
    """Return a rule act as steps of a turn: what brings one within reach goes before."""
    table = now.play.table
    me, other = table.cast.the(now.who), table.cast.get(act.to)
    what = {"attack": lambda: _attack(now, act)}.get(act.item, lambda: act.with_)()
    if act.item in ("power", "feature", "ready") and not what and me.attacks:
        what = me.attacks[0].key if act.item == "ready" else what
    target = act.to if other else (me.id if act.item in ("feature", "use") else act.to)
    step = Intent.model_validate(
        {
            "act": act.item,
            "target": target if target not in (EVERYBODY, MASTER) else "",
            "what": what,
            "spare": act.spare,
            "pulled": act.stunt is not None,
        }
    )
    return (*_nearer(now, act, what), step)


def _nearer(now: Performance, act: Act, what: str) -> tuple[Intent, ...]:
    table = now.play.table
    me, other = table.cast.the(now.who), table.cast.get(act.to)
    close = act.item in ("attack", "grapple", "shove", "help", "stabilise", "wake", "use")
    if not now.fighting or other is None or other.id == me.id or not close:
        return ()
    attack = me.attack(what) if act.item == "attack" else None
    if attack and attack.range and abs(me.position - other.position) <= attack.range:
        return ()
    return approach(table, me, other, attack.reach if attack and attack.reach else REACH)


def _steps(now: Performance, steps: tuple[Intent, ...]) -> Done:
    """Take steps; the last one is the act, what only brings one nearer may fail."""
    for n, step in enumerate(steps):
        refused = now.play.step(now.who, step)
        if refused and n + 1 == len(steps):
            return now.took(refused)
        now.used = now.used or refused is None
        if not now.mine or not now.fighting:
            break
    now.last = effecting.struck(now.play)
    return True


def _stunt(now: Performance, act: Act) -> Done:
    """Let the one effect that was wished on a hit come about, if it did hit."""
    if now.last and act.stunt and now.fighting:
        effecting.bring(now.play, now.seat, (act.stunt,), success=True, band=act.band)
    return True


def _speak_on(now: Performance, act: Act, rest: tuple[Act, ...]) -> None:
    """Say all that is said to somebody in one go, before what comes of any of it."""
    on = takewhile(lambda one: one.do == "say" and one.to == act.to and one.when == "then", rest)
    for one in (act, *on):
        if one.text not in now.ahead:
            _speak(now, one, "" if one.to in (EVERYBODY, MASTER, now.seat) else one.to)
            now.ahead.append(one.text)


def _say(now: Performance, act: Act) -> Done:
    """Say something: free, but where it asks for something that a roll or the rules decide."""
    to = "" if act.to in (EVERYBODY, MASTER, now.seat) else act.to
    table, book = now.play.table, now.play.book
    if act.coin and act.to in people(table, book) and act.want in ("", "know", "like", "help"):
        _pay(now, act)
    if to in table.seats or now.seat == DM:
        return True
    rolled = persuading.spoken(now.play, now.seat, act, mine=now.mine)
    if rolled is Outcome.NOTHING:
        return True
    if rolled is Outcome.REFUSED:
        now.leave(act, "later")  # the words are said; what they want takes a turn
        return True
    if rolled in (Outcome.SUCCESS, Outcome.FAILURE):
        now.last = rolled is Outcome.SUCCESS
    # Words cost no action in a fight; on the way, what was rolled for is the seat's act.
    in_fight = now.fighting or (encounter_of(table, book) is not None and now.play.began.cast.fight)
    now.used = now.used or not in_fight
    return True


def _speak(now: Performance, act: Act, to: str) -> None:
    said = spoken(now.message, act.text)
    if not act.text.strip():
        return
    if said and not effecting.hushed(now.play.table, said):
        now.play.add(p.Spoke(seat=now.seat, text=said[:1_000], to=to))
    elif not effecting.hushed(now.play.table, act.text):
        now.play.add(t.Did(who=now.who, text=act.text, to=to, said=True))
    else:
        now.play.refuse(now.seat, effecting.crossing(now.play.table, act.text))
        return
    everyone = now.play.table.characters
    for seat in everyone if act.to == EVERYBODY else (to,) if to in everyone else ():
        if seat == now.seat or now.play.table.is_fallen(seat):
            continue
        now.play.add(t.SpokenTo(seat=seat, by=now.seat, text=(said or act.text)[:300]))


def _move(now: Performance, act: Act) -> Done:
    table, book = now.play.table, now.play.book
    if now.fighting:
        if other := table.cast.get(act.to):
            # Whoever stands within reach already is not walked away from and back to.
            nearer = approach(table, table.cast.the(now.who), other, REACH)
            return _steps(now, nearer) if nearer else _flourish(now, act)
        return _flee(now, act)
    if act.to in book.story.scenes:
        return now.took(now.play.venture(now.seat, Exploration(act="go", target=act.to)))
    now.play.add(t.Did(who=now.who, text=act.text or act.to, to=act.to))
    return True


def _flee(now: Performance, act: Act) -> Done:
    """Break away from a fight; where the way was to lead is kept for afterwards."""
    if now.play.table.cast.get(now.who) is None:
        return now.vain("not_able", act.text)
    away = _steps(now, (Intent(act="flee"),))
    if away and act.to in now.play.book.story.scenes:
        now.leave(Act(do="move", to=act.to), "over" if not now.fighting else "fight")
    return away


def _use(now: Performance, act: Act) -> Done:
    me = now.play.table.cast.get(now.who)
    item = now.play.book.rules.items.get(act.item)
    if me and me.count(act.item) and item and (item.heals or item.inflicts):
        target = act.to if now.play.table.cast.get(act.to) else me.id
        return _steps(now, (Intent(act="use", what=act.item, target=target),))
    if me and act.item in me.spells:
        return _rule(now, act.model_copy(update={"item": "cast", "with_": act.item}))
    if item and not (me and me.count(act.item)) and act.item not in _kept(now):
        return now.vain("not_carried", act.text)
    now.play.add(t.Did(who=now.who, text=act.text or act.item, to=act.to))
    return True


def _kept(now: Performance) -> tuple[str, ...]:
    return tuple(one.text for one in now.play.table.tale.keepsakes if one.who == now.who)


def _meant(now: Performance, item: str) -> str:
    """Return the keepsake that is meant by some of its words, else the key as it is."""
    me = now.play.table.cast.get(now.who)
    if not words_of(item) or (me and me.count(item)):
        return item
    return meant_of(reversed(_kept(now)), item) or item


def _give(now: Performance, act: Act) -> Done:
    table = now.play.table
    me = table.cast.get(now.who)
    if me is None:
        return now.vain("not_carried", act.text)
    if act.coin and not _pay(now, act):
        return False
    act = act.model_copy(update={"item": _meant(now, act.item)})
    if act.item in _kept(now):
        there = act.to in table.seats or act.to in people(table, now.play.book)
        to = act.to if there else ""
        now.play.add(t.KeepsakeGiven(who=now.who, to=to, text=act.item))
    elif act.item and not me.count(act.item):
        return now.vain("not_carried", act.text)
    elif act.item and act.item in (me.armour, me.shield, me.weapon, me.offhand):
        # What is worn or held is not given away in passing: its numbers hang on it.
        return now.vain("not_able", act.text)
    elif act.item:
        now.play.add(ItemLost(who=me.id, item=act.item, why="given"))
        if act.to in table.characters and act.to != me.id:
            now.play.add(ItemGained(who=act.to, item=act.item))
    now.used = now.used or not now.fighting
    if act.to in people(table, now.play.book):
        effecting.like(now.play, now.seat, act.to, 1)
    now.play.add(t.Did(who=now.who, text=act.text or act.item, to=act.to))
    return True


def _pay(now: Performance, act: Act) -> bool:
    """Let coin leave the party's purse; it stays there when a companion is the one to get it."""
    table = now.play.table
    purse = table.expedition.purse
    if act.coin * COIN > purse:
        return now.vain("no_coin", act.text)
    if act.to not in table.characters:
        left = purse - act.coin * COIN
        now.play.add(CoinChanged(amount=left - purse, purse=left))
    return True


def _take(now: Performance, act: Act) -> Done:
    """Take up a thing: what lies here and is worth nothing; all else is the adventure's."""
    book = now.play.book
    if act.item in roster(now.play.table, book, now.seat).anybody:
        return _follow(now, act.model_copy(update={"to": act.item}))
    authored = act.item in book.rules.items and act.item not in _kept(now)
    wished = keepsake_name(act.item or act.text)
    if authored or not wished:
        return now.vain("not_here", act.text)
    there = now.play.table.expedition
    if there.begun and waiting(there, book.story) and effecting.is_authored(now.play, wished):
        return now.took(Refusal(reason="somebody_waits"))
    if not effecting.keep(now.play, now.seat, wished):
        return now.vain("limits", act.text or wished)
    return True


def _check(now: Performance, act: Act) -> Done:
    """Try something that may fail: skill and band are wished for, the number is code's."""
    play, table, book = now.play, now.play.table, now.play.book
    skill = skill_of(act.skill)
    me = table.cast.get(now.who)
    if not skill or me is None or not me.conscious:
        return now.vain("not_able", act.text)
    if act.with_ and not effecting.has(table, now.who, act.with_):
        return now.vain("not_carried", act.text)
    known = clues(table, book, now.seat)
    for effect in act.success:
        if effect.kind == "clue" and effect.what in known:
            return now.took(play.venture(now.seat, known[effect.what]))
    stage = stage_of(table, book, now.seat)
    if act.coin > stage.coin:
        return now.vain("not_carried", act.text)
    band = attempt(act, stage, table.tale.ledger)
    if band is None:
        return now.vain("not_able", act.text)
    if now.fighting and (refused := _takes_action(now, skill, act)):
        return now.took(refused)
    effecting.pay_for(play, now.who, act.with_)
    play.add(t.Did(who=now.who, text=act.text or skill, to=act.to, tries=True))
    play.add(t.Tallied(key=key_of(act, stage)))
    now.used = True
    now.last = effecting.tried(play, now.seat, skill, band, act)
    effecting.settle_wager(play, now.seat, act, won=now.last)
    effects = act.success if now.last else act.failure
    effecting.bring(play, now.seat, effects, success=now.last, band=band)
    if not now.last and not effects and not now.fighting:
        play.add(t.TimeSpent(minutes=10))
    return True


def _takes_action(now: Performance, skill: str, act: Act) -> Refusal | None:
    aimed = (act.to,) if now.play.table.cast.get(act.to) else ()
    return now.play.by_rules(
        lambda play: spend_action(play, now.who, "improvise", "action", skill, aimed)
    )


def _follow(now: Performance, act: Act) -> Done:
    # The DM has no character who could ask.
    able = now.who in now.play.table.characters
    if able and act.to in {one.id for one in foes(now.play.table, now.seat)}:
        now.play.add(t.Did(who=now.who, text=act.text or "…", to=act.to))
        persuading.calm(now.play, now.seat, act.to, act)
        return True
    asked = able and persuading.asked_along(now.play, now.seat, act)
    return asked or now.vain("not_able", act.text)


def _yield(now: Performance, act: Act) -> Done:
    if not now.fighting or not foes(now.play.table, now.seat):
        now.play.add(t.Did(who=now.who, text=act.text or "…"))
        return True
    now.used = True
    if not persuading.gives_up(now.play, now.who):
        return now.vain("not_able", act.text)
    return True


def _flourish(now: Performance, act: Act) -> Done:
    if effecting.hushed(now.play.table, act.text):
        now.play.refuse(now.seat, effecting.crossing(now.play.table, act.text))
        return False
    now.play.add(t.Did(who=now.who, text=act.text, to=act.to))
    return True


def _wait(now: Performance, act: Act) -> Done:
    """Do nothing more: the turn ends."""
    fight = now.play.table.cast.fight
    if fight and fight.actor == now.who:
        now.play.step(now.who, END)
    now.play.finish(now.seat, "acts" if now.used else "passes")
    now.used = False
    return False


def _ask(now: Performance, act: Act) -> Done:
    topic = "fight" if act.to == "scene" and now.fighting else act.to
    what = now.play.book.effect(act.item).en if act.item else ""
    about = f"{act.text} ({what})" if what and what not in act.text.casefold() else act.text
    asked = {"seat": now.seat, "topic": topic, "about": about[:300], "asked": bool(about)}
    now.play.add(p.Consulted.model_validate(asked))
    return True


def _whisper(now: Performance, act: Act) -> Done:
    to = DM if act.to == MASTER else act.to
    if to == now.seat or to not in now.play.table.seats:
        now.play.refuse(now.seat, Refusal(reason="whom"))
        return False
    deal(now.play, now.seat, Whisper(do="whisper", to=(to,), text=act.text))
    return True


def _meta(now: Performance, act: Act) -> Done:
    """Do what is said to the game: it costs no turn, but for ending one."""
    if act.meta in ("end_turn", "fast_forward"):
        if not now.mine:
            now.play.refuse(
                now.seat, Refusal(reason="not_your_move", about=now.play.table.current_turn)
            )
            return False
        if act.meta == "fast_forward" and not now.fighting:
            stage = stage_of(now.play.table, now.play.book, now.seat)
            now.play.add(t.TimeSpent(minutes=10 if stage.danger else 60))
        return _wait(now, act)
    dealt = _dealing(now, act)
    if dealt is not None:
        deal(now.play, now.seat, dealt)
        return False
    if act.meta == "leave_seat" and now.confirmed == act.meta and now.play.table.is_held(now.seat):
        relief = now.play.table.seats[now.seat].relief
        deal(now.play, now.seat, Hold(do="hold", seat=now.seat, by=relief))
        return False
    reason = {"undo": "undo", "retell": "retell", "leave_seat": "leave", "end_story": "end"}
    topic = reason.get(act.meta)
    if topic == "leave" and now.play.table.is_held(now.seat):
        _confirm(now, "leave_seat", act)
    elif topic:
        now.play.refuse(now.seat, Refusal(reason=f"how_{topic}"))
    else:
        now.play.add(p.Consulted(seat=now.seat, topic="rules", about=act.text[:300]))
    return False


def _confirm(now: Performance, what: str, act: Act) -> None:
    now.play.add(
        t.AskedBack(seat=now.seat, question=what, choices=("yes", "no"), message=now.message[:400])
    )


def _dealing(now: Performance, act: Act) -> Action | None:
    table = now.play.table
    if act.meta == "stop_scene":
        return Card(do="card") if table.safety.on else Pause(do="pause")
    if act.meta == "pause":
        return Pause(do="pause")
    if act.meta == "settings" and act.text in ("en", "fr"):
        return Speak.model_validate({"do": "language", "lang": act.text})
    if act.meta == "settings" and act.text in ("lines", "veils"):
        return Agree(do="safety", on=True, lines=table.safety.lines, veils=table.safety.veils)
    return None


def _vain(now: Performance, act: Act) -> Done:
    return now.vain(act.vain or "not_able", act.text)


def _establish(now: Performance, details: tuple[Detail, ...]) -> None:
    for detail in details:
        if detail.kind != "detail" or len(detail.text.split()) > 2:
            effecting.establish(now.play, now.seat, detail)


DO: dict[str, Callable[[Performance, Act], Done]] = {
    "pick": _pick,
    "rule": _rule,
    "say": _say,
    "move": _move,
    "use": _use,
    "give": _give,
    "take": _take,
    "check": _check,
    "follow": _follow,
    "yield": _yield,
    "flourish": _flourish,
    "wait": _wait,
    "ask": _ask,
    "whisper": _whisper,
    "meta": _meta,
    "vain": _vain,
}
"""What each kind of act does."""
