"""The rules outside fights: travelling, talking, prepared deeds, resting, getting past foes.

Every rule takes a `Play` and an `Intent` and adds what happens; it never raises for what a player
wants, but adds a `Refused` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleplay.agents.saga.domain import combat_acts, errands, spoils, stopping
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.intents import Act, Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import FALLEN, Gain, Talk
from ruleplay.agents.saga.domain.surroundings import (
    GONE,
    can_run,
    deeds,
    exits,
    here,
    persons,
    talks,
    waiting,
    ways,
)
from ruleplay.story.acts import EVERYBODY
from ruleplay.story.texts import Text
from ruleplay.story.undone import Undone
from ruleplay.story.wording import in_own_words

LOOKED_UP: tuple[Act, ...] = ("inventory", "sheet", "journal", "map", "help")
FRUITLESS = (
    "nothing_found",
    "nothing_new",
    "unkept",
    "undivided",
    "stays",
    "unhurt",
    "nothing_more",
    "listens",
    "already_there",
    "cheaper",
    "unpriced",
    "less_staked",
    "helped_once",
    "in_part",
    "purse",
)
"""Refusals after which the rest of a message is still done, since nothing depends on them."""
REST_HP = 0.5
"""Share of the maximum hit points that a night's rest restores."""


def follow(play: Play, intents: Sequence[Intent]) -> None:
    """Do one intent after another, until a refusal, a fight or the story's end.

    What is only looked up does not depend on what was refused.
    """
    for at, intent in enumerate(intents):
        if play.game.mode == "combat" or play.game.ending:
            _leave(play, intents[at:], "fight" if play.game.fight else "ended")
            return
        perform(play, intent)
        last = play.done[-1] if play.done else None
        if isinstance(last, h.Refused) and last.reason not in FRUITLESS:
            asked = [one for one in intents[at + 1 :] if one.act in LOOKED_UP]
            _leave(play, [one for one in intents[at + 1 :] if one not in asked], "vain")
            for one in asked:
                perform(play, one)
            return
        conclude(play)


def _leave(play: Play, intents: Sequence[Intent], why: Undone) -> None:
    """Record which intents are not done, in the player's words."""
    if left := tuple(dict.fromkeys(one.said for one in intents if one.said)):
        play.add(h.LeftUndone(what=left, why=why))


def perform(play: Play, intent: Intent) -> None:
    """Do one intent by its rule; the dead can only look things up, return or accept it."""
    if play.game.dead and intent.act not in ("return", "accept", *LOOKED_UP):
        play.add(h.Refused(reason="dead"))
    elif intent.act in LOOKED_UP:
        asked = intent.said if intent.act == "help" else ""
        play.add(h.Consulted.model_validate({"topic": intent.act, "key": asked}))
    elif intent.act in RULES:
        RULES[intent.act](play, intent)
    else:
        reason = "not_understood" if intent.act == "unknown" else "no_fight"
        play.add(h.Refused(reason=reason, about=intent.target))


def conclude(play: Play) -> None:
    """End the story if the condition of an ending holds; the first in the scenario's order wins."""
    if play.game.ending or play.game.mode == "combat" or play.game.dead:
        return
    for key, ending in play.book.scenario.endings.items():
        if key != FALLEN and ending.when.holds((*play.game.flags, f"at:{play.game.place}")):
            play.add(h.EndingReached(ending=key))
            return


def ends_by(play: Play, kind: str, key: str) -> Text | None:
    """Return the hint of a written deed or talk if doing it ends the story, else None."""
    open_ = deeds(play.game, play.book) if kind == "deed" else _all_talks(play)
    if play.game.ending or key not in open_:
        return None
    one = open_[key]
    place = one.gain.travel or play.game.place
    flags = (*play.game.flags, *one.gain.flags, f"{kind}:{key}:text", f"at:{place}")
    ends = any(
        at != FALLEN and ending.when.holds(flags)
        for at, ending in play.book.scenario.endings.items()
    )
    words = Text(en=", ".join(one.words.en[:1]), fr=", ".join(one.words.fr[:1]))
    return (one.hint or words) if ends and not one.gain.encounter else None


def _all_talks(play: Play) -> dict[str, Talk]:
    there = persons(play.game, play.book)
    return {key: one for who in there for key, one in talks(play.game, play.book, who).items()}


def look(play: Play, intent: Intent) -> None:
    """Look around, or at somebody."""
    if intent.target in persons(play.game, play.book):
        play.add(h.Consulted(topic="person", key=intent.target))
    else:
        play.add(h.Consulted(topic="place"))


def begin(play: Play, intent: Intent) -> None:
    """Tell the story's beginning; later, look around."""
    if not play.game.visited:
        play.add(h.SectionTold(kind="intro", key=play.book.scenario.key))
        play.add(h.Travelled(origin="", place=play.game.place))
        arrive(play)
    else:
        play.add(h.Consulted(topic="place"))


def travel(play: Play, intent: Intent) -> None:
    """Go to a neighbouring place; foes who wait here bar all ways but the one of retreat."""
    near = {way.to for way in exits(play.game, play.book)}
    if not intent.target:
        play.add(h.Refused(reason="where_to"))
    elif intent.target == play.game.place:
        play.add(h.Refused(reason="already_there", about=intent.target))
    elif intent.target not in near:
        play.add(h.Refused(reason="no_way", about=intent.target))
    elif (key := waiting(play.game, play.book)) and intent.target not in _ways_back(play, key):
        play.add(h.Refused(reason="way_barred", about=key))
    else:
        play.add(h.Travelled(origin=play.game.place, place=intent.target))
        arrive(play)


def go_on(play: Play, intent: Intent) -> None:
    """Skip ahead along the only unknown way; refuse if foes or a choice of ways prevent it."""
    new = [way.to for way in exits(play.game, play.book) if way.to not in play.game.visited]
    if key := waiting(play.game, play.book):
        play.add(h.Refused(reason="way_barred", about=key))
    elif len(new) == 1:
        travel(play, Intent(act="travel", target=new[0]))
    else:
        play.add(h.Refused(reason="which_way" if new else "no_way_on"))


def retreat(play: Play, intent: Intent) -> None:
    """Retreat from foes who bar the way, before there is a fight."""
    key = waiting(play.game, play.book)
    if key and (back := _ways_back(play, key)[0]) != play.game.place:
        play.add(h.Travelled(origin=play.game.place, place=back))
        arrive(play)
    else:
        play.add(h.Refused(reason="nobody_to_flee"))


def run_to(play: Play, to: str, said: str = "") -> None:
    """End the fight of a hero who has fled: where they ran to, or else where the retreat leads.

    `said` are the player's words for a way that was barred.
    """
    runs, new = can_run(play.game, play.book, to), to not in play.game.visited
    written = play.book.scenario.encounters.get(play.fight.encounter)
    named = to in ways(play.game, play.book) and not (written and to == written.retreat)
    if named and not runs:
        play.add(h.LeftUndone(what=(in_own_words(play.words, said).rstrip("."),), why="barred"))
    spoils.conclude(play, "player_flee", to=to if runs else "")
    if runs and new:
        arrive(play)


def _ways_back(play: Play, key: str) -> tuple[str, ...]:
    return (play.book.scenario.encounters[key].retreat,)


def arrive(play: Play) -> None:
    """Meet foes at a new place; they attack if the scenario has no way to avoid them."""
    key = waiting(play.game, play.book)
    if not key:
        return
    if stopping.unwelcome(play.game, play.book, key):
        stopping.break_off(play, key)
        return
    encounter = play.book.scenario.encounters[key]
    if encounter.sneak or encounter.parley:
        return  # they can be avoided, so the player decides
    spoils.trigger(play, key)


def avoid(play: Play, intent: Intent) -> None:
    """Try to slip or talk one's way past foes, on to where it is to lead; failure is a fight."""
    key, slips = waiting(play.game, play.book), intent.act == "sneak"
    foes, skill = play.book.scenario.encounters.get(key), "" if slips else intent.item
    test = (foes.sneak if slips else foes.parley) if foes else None
    if test is None:
        nobody = "nobody_to_avoid" if slips else "nobody_to_persuade"
        without = "no_sneaking" if slips else "no_parley"
        play.add(h.Refused(reason=without if foes else nobody, about=key))
    elif combat_acts.check(play, skill or test.skill, test.difficulty):
        pass_by(play, key, skill or test.skill)
        if slips and intent.target in {way.to for way in exits(play.game, play.book)}:
            perform(play, Intent(act="travel", target=intent.target))
    else:
        spoils.trigger(play, key)


def pay(play: Play, intent: Intent) -> None:
    """Pay the toll that foes ask for letting the hero pass."""
    key = waiting(play.game, play.book)
    toll = play.book.scenario.encounters[key].toll if key else 0
    if not toll:
        play.add(h.Refused(reason="no_price"))
    elif toll > play.game.sheet.coin:
        play.add(h.Refused(reason="too_dear", about=str(toll)))
    else:
        errands.pay(play, "foe1", toll)
        pass_by(play, key, "toll")


def pass_by(play: Play, key: str, way: str) -> None:
    """Get past those who bar the way without a fight: by a skill, or by paying their `toll`."""
    encounter = play.book.scenario.encounters[key]
    play.add(h.SectionTold(kind="encounter", key=key, part="avoided", way=way))
    if encounter.remain is not None and way not in encounter.remain:
        play.add(h.FlagSet(flag=f"{GONE}{key}"))
    gain(play, encounter.gain)


def trigger_combat(play: Play, intent: Intent) -> None:
    """Start a fight with the foes who wait here, or with a person whom the scenario lets fight."""
    there = persons(play.game, play.book)
    if intent.target in there:
        key = there[intent.target].encounter
        over = {f"won:{key}", f"left:{key}"}
        if key and over.isdisjoint(play.game.flags):
            spoils.trigger(play, key)
        else:
            play.add(h.Refused(reason="no_quarrel", about=intent.target))
    elif key := waiting(play.game, play.book):
        spoils.trigger(play, key)
    else:
        play.add(h.Refused(reason="nobody_to_fight"))


def talk(play: Play, intent: Intent) -> None:
    """Talk to somebody about a topic, or greet them; a topic may need a skill check."""
    there = persons(play.game, play.book)
    if not intent.target and not there and waiting(play.game, play.book):
        if not any(isinstance(one, h.Spoke) for one in play.done):
            play.add(h.Spoke(who=HERO, to=EVERYBODY, text=intent.said))
        return
    if intent.target not in there:
        play.add(
            h.Refused(
                reason="nobody_there" if not intent.target else "not_here", about=intent.target
            )
        )
        return
    open_talks = talks(play.game, play.book, intent.target)
    greeting = next((key for key, one in open_talks.items() if one.default), "")
    key = intent.item if intent.item in open_talks else greeting
    if not key:
        spoke = any(isinstance(one, h.SectionTold) and one.kind == "talk" for one in play.done)
        if not spoke or intent.item:  # after talk in the same turn a greeting needs no refusal
            reason = "listens" if open_talks else "nothing_more"
            play.add(h.Refused(reason=reason, about=intent.target))
        return
    spoken = open_talks[key]
    if spoken.test and not combat_acts.check(play, spoken.test.skill, spoken.test.difficulty):
        play.add(h.SectionTold(kind="talk", key=key, part="failure"))
        return
    play.add(h.SectionTold(kind="talk", key=key))
    gain(play, spoken.gain)


def deed(play: Play, intent: Intent) -> None:
    """Do a deed that the scenario has prepared for this place."""
    done = deeds(play.game, play.book).get(intent.target)
    if done is None:
        play.add(h.Refused(reason="not_possible", about=intent.target))
        return
    missing = [item for item in done.gain.takes if not play.game.sheet.count(item)]
    if missing:
        play.add(h.Refused(reason="not_carried", about=missing[0]))
        return
    if done.gain.coin < 0 and play.game.sheet.coin + done.gain.coin < 0:
        play.add(h.Refused(reason="too_dear", about=intent.target))
        return
    helped = bool(done.test) and play.game.sheet.count(done.helped_by) > 0
    if helped:
        play.add(h.EdgeGained(who=HERO, up=True))
    by = (f"item:{done.helped_by}",) if helped else ()
    if done.test and not combat_acts.check(play, done.test.skill, done.test.difficulty, by):
        play.add(h.SectionTold(kind="deed", key=intent.target, part="failure"))
        gain(play, done.loss)
    else:
        play.add(h.SectionTold(kind="deed", key=intent.target))
        if done.spends and play.game.sheet.count(done.helped_by):
            errands.spend(play, done.helped_by, "used", done.hint.of(play.game.lang))
        gain(play, done.gain)


def gain(play: Play, brought: Gain) -> None:
    """Apply everything that a talk, deed or encounter brings or takes."""
    for flag in brought.flags:
        play.add(h.FlagSet(flag=flag))
    for secret in brought.secrets:
        if secret not in play.game.secrets:
            play.add(h.SecretLearned(secret=secret))
    for item in brought.takes:
        play.add(h.ItemLost(item=item, why="given"))
    for item in brought.items:
        play.add(h.ItemGained(item=item))
    if brought.coin:
        amount = max(brought.coin, -play.game.sheet.coin)
        why = "found" if amount > 0 else "paid"
        body = {"amount": amount, "coin": play.game.sheet.coin + amount, "why": why}
        play.add(h.CoinChanged.model_validate(body))
    spoils.gain_xp(play, brought.xp)
    if brought.travel and brought.travel != play.game.place:
        play.add(h.Travelled(origin=play.game.place, place=brought.travel))
        arrive(play)
    if brought.encounter and play.game.mode == "narrative":
        spoils.trigger(play, brought.encounter)


def search(play: Play, intent: Intent) -> None:
    """Search the place: do its first deed that tests perception, else find nothing."""
    for key, one in deeds(play.game, play.book).items():
        if one.test and one.test.skill == "perception":
            deed(play, Intent(act="deed", target=key))
            return
    play.add(h.Refused(reason="nothing_found"))


def rest(play: Play, intent: Intent) -> None:
    """Sleep in a safe place: the next day begins, and half the maximum hit points come back."""
    if not here(play.game, play.book).safe:
        play.add(h.Refused(reason="not_safe"))
        return
    play.add(h.Rested(day=play.game.day + 1))
    combat_acts.heal(play, round(play.game.sheet.max_hp * REST_HP), "rest")


def wait(play: Play, intent: Intent) -> None:
    """Let time pass."""
    play.add(h.Consulted(topic="waits"))


def come_back(play: Play, intent: Intent) -> None:
    """Return from death at the last haven, with half the hit points and half the coin."""
    if not play.game.dead:
        play.add(h.Refused(reason="not_dead"))
        return
    play.add(h.Returned(place=play.game.haven))
    sheet = play.game.sheet
    if lost := sheet.coin // 2:
        play.add(h.CoinChanged(amount=-lost, coin=sheet.coin - lost, why="lost"))
    hp = max(1, sheet.max_hp // 2)
    play.add(h.HitPointsChanged(who=HERO, amount=hp - sheet.hp, hp=hp, cause="return"))


def accept(play: Play, intent: Intent) -> None:
    """Accept death, which ends the story."""
    if play.game.dead:
        play.add(h.EndingReached(ending=FALLEN))
    else:
        play.add(h.Refused(reason="not_dead"))


RULES: dict[Act, Callable[[Play, Intent], None]] = {
    "begin": begin,
    "look": look,
    "status": look,
    "travel": travel,
    "sneak": avoid,
    "flee": retreat,
    "parley": avoid,
    "pay": pay,
    "intimidate": avoid,
    "trigger_combat": trigger_combat,
    "attack": trigger_combat,
    "talk": talk,
    "deed": deed,
    "search": search,
    "use": errands.use,
    "first_aid": errands.use,
    "equip": errands.equip,
    "rest": rest,
    "wait": wait,
    "pass": wait,
    "buy": errands.buy,
    "sell": errands.sell,
    "train": errands.train,
    "return": come_back,
    "accept": accept,
}
"""The rule of each act outside fights."""
