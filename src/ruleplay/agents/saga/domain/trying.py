"""Checks of improvised acts, which no author has foreseen.

The player, or a model for them, proposes skill, band and effects. Code decides the difficulty, and
`ruleplay.story.bounds` limits the effects. Getting past foes is never easier than the scenario's
own ways of doing so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ruleplay.agents.saga.domain import combat_acts, effects, errands, journey, setting, spoils
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings as around
from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import SkillTest
from ruleplay.story import bounds
from ruleplay.story.acts import Act, Band, Effect, EffectKind

SEEN: tuple[EffectKind, ...] = ("place", "condition", "item", "coin", "harm", "morale")
"""Effects that the player is told about if they do not come about."""
FOUND: set[EffectKind] = {*SEEN, "detail", "clue"}
"""Effects whose lack is also told of what needs no roll: else they could be told as had."""
BETTER = Effect(kind="edge", who=HERO, what="up")
"""What a success brings if no rule has what was wished for."""
PRETENCE = "persuasion"
"""The skill of words and airs, which are no assault."""
HARDER = 15
"""Added to the difficulty for each earlier try at a clue or an authored talk."""


def attempt(play: Play, act: Act) -> bool | None:
    """Check an improvised act and apply the outcome.

    Returns whether it succeeded, None if it is refused: it was tried too often, or a wager has no
    taker.
    """
    stage, ledger = setting.stage(play.game, play.book), play.game.story.ledger
    act = _unresisted(play, act)
    band = bounds.attempt(act, stage, ledger)
    skill = act.skill if act.skill in play.book.rules.skills else "perception"
    clue = next((one.what for one in act.success if one.kind == "clue"), "")
    stake = _stake(play, act)
    if band is None or (act.coin and not stake):
        play.add(h.InVain(why="limits" if band else "tried", text=act.text))
        return None
    if stake < act.coin:
        play.add(h.Refused(reason="less_staked", about=str(stake)))
    act = act.model_copy(update={"coin": stake})
    errands.use_up(play, act, since=len(play.done))
    resists = next((one for one in stage.standers if one.id == act.to and one.kind == "foe"), None)
    number = bounds.difficulty(band, "d100", against=_wits(play, act.to) if resists else None)
    tried = bounds.tries_of(act, stage, ledger)
    prize = _price_of_prize(play, act)
    number = max(number, prize)
    if clue in stage.clues:
        number = min(150, play.book.scenario.clues[clue].difficulty + HARDER * tried)
    # A keepsake is worth nothing, so without opposition it needs no roll.
    given = band == "easy" and bounds.only_keepsakes(act.success) and not stage.danger_near
    sure = (band == "sure" or given) and not (clue or prize)
    roll, success = (None, True) if sure else combat_acts.throw(play, skill, number)
    play.add(
        h.Attempted(
            skill=skill,
            band=band,
            difficulty=0 if sure else number,
            roll=roll,
            success=success,
            what=act.text,
            against=act.to,
            why="" if sure else _raised(play, act, band, clue, tried > 0),
        )
    )
    if not sure:
        combat_acts.spend_edge(play)
        play.add(h.Counted(key=bounds.key_of(act, stage)))
        if act.with_:
            play.add(h.Counted(key=bounds.means_of(act, stage)))
    _outcome(play, act, success, band, clue if clue in stage.clues else "")
    if play.game.fight and success:
        _get_away(play, act)
    elif play.game.fight:
        return success
    elif success:
        _win(play, act)
    elif not act.coin and (key := _lets_pass(play, act)):
        _noticed(play, skill, key)
    return success


def _noticed(play: Play, skill: str, key: str) -> None:
    """Let foes notice an attempt to get past them; a mere pretence they only see through once."""
    words, seen = skill == PRETENCE, f"offer:{key}"
    if words and not play.game.story.ledger.of(seen):
        play.add(h.Counted(key=seen))
        play.add(h.Refused(reason="words_refused", about=key))
    else:
        spoils.trigger(play, key)


def _unresisted(play: Play, act: Act) -> Act:
    """Make an act certain and without effects if its target has surrendered."""
    one = play.game.fight.get(act.to) if play.game.fight else None
    given = {"band": "sure", "success": (), "failure": ()}
    return act.model_copy(update=given) if one and one.yielded else act


def _price_of_prize(play: Play, act: Act) -> int:
    """Return the least difficulty of an act whose prize an author has set a test for, else 0."""
    if key := _lets_pass(play, act):
        return min(test.difficulty for test in _ways_past(play, key))
    talk = around.talks(play.game, play.book, act.to).get(act.topic)
    return talk.test.difficulty if talk and talk.test else 0


def _lets_pass(play: Play, act: Act) -> str:
    """Return the encounter that success gets past, empty for none.

    Either its foes are asked to let the hero pass, or an effect places the hero beyond them.
    """
    key = around.waiting(play.game, play.book)
    placed = bool(_goal(play, act))
    asked = act.to in setting.waiting_foes(play.game, play.book) and act.want in ("pass", "leave")
    return key if key and (asked or placed) and _ways_past(play, key) else ""


def _goal(play: Play, act: Act) -> str:
    """Return the neighbouring place where success puts the hero, empty for none."""
    ways = {way.to for way in around.exits(play.game, play.book)}
    return next((o.what for o in act.success if o.kind == "place" and o.what in ways), "")


def _ways_past(play: Play, key: str) -> list[SkillTest]:
    """List the tests that the scenario has for getting past an encounter."""
    encounter = play.book.scenario.encounters[key]
    return [test for test in (encounter.sneak, encounter.parley) if test]


def _win(play: Play, act: Act) -> None:
    """Grant a prize: passage, a topic, or a ware that costs no more than the stake.

    Whoever has got past foes to a place beyond them is there.
    """
    if key := _lets_pass(play, act):
        journey.pass_by(play, key, act.skill)
        if to := _goal(play, act):
            journey.perform(play, Intent(act="travel", target=to))
    elif act.topic in around.talks(play.game, play.book, act.to):
        play.add(h.SectionTold(kind="talk", key=act.topic))
        journey.gain(play, play.book.scenario.talks[act.topic].gain)
    elif 0 < around.price_of(play.game, play.book, act.item, act.to) <= act.coin:
        play.add(h.ItemGained(item=act.item, why="given"))


def _get_away(play: Play, act: Act) -> None:
    """Leave the fight if the act was to get out of the place, unless the hero is held."""
    out = _goal(play, act)
    if out and not play.fight.the(HERO).has("restrained", "grappled"):
        play.add(h.Fled(who=HERO))
        journey.run_to(play, out, act.text)


def _raised(play: Play, act: Act, band: Band, clue: str, tried: bool) -> h.Raised | Literal[""]:
    """Return why a roll is harder than its words suggest; empty if it is not."""
    if tried:
        return "again"
    if clue:
        return ""
    return (
        "stake" if band != act.band and bounds.at_least(act.band, act.success) != act.band else ""
    )


def _wits(play: Play, who: str) -> int:
    one = play.game.fight.get(who) if play.game.fight else None
    return modifier(one.stats["wisdom"]) if one else 0


def _outcome(play: Play, act: Act, success: bool, band: Band, clue: str) -> None:
    if success and clue:
        play.add(h.SectionTold(kind="clue", key=clue))
        journey.gain(play, play.book.scenario.clues[clue].gain)
    brought = effects.bring(play, _staked(play, act, success), success=success, band=band)
    out = play.game.fight and _goal(play, act)
    past = success and bool(out or _lets_pass(play, act))
    came = {one.kind for one in brought} | ({"place"} if past else set())
    lost = {one.kind for one in act.success} & {*SEEN} - came
    # Nobody gets by an effect where no rule has them go: to the far bank, say.
    led = [one.what for one in act.success if one.kind == "place" and one.what]
    stays = not play.game.fight and not {*led} <= {*setting.ZONES}
    if success and stays and not past:
        play.add(h.Refused(reason="stays", about=play.game.place))
    elif success and not clue and act.success and (lost or not (brought or past)):
        _short_of(play, act, band, {one.kind for one in act.success} - came, brought=bool(brought))
    alone = play.game.fight is None and not around.waiting(play.game, play.book)
    if not success and not brought and alone and not play.game.dead:
        play.add(h.TimePassed(minutes=bounds.FAILED_TIME))


def _short_of(play: Play, act: Act, band: Band, lacks: set[EffectKind], *, brought: bool) -> None:
    """Say what a success did not bring; a mere deed without a roll is done, and needs no line."""
    looks = act.skill == "perception" and all(one.kind == "edge" for one in act.success)
    unkept = [one.text or one.what for one in act.success if one.kind == "keepsake"]
    if not looks and not brought and unkept:
        play.add(h.Refused(reason="unkept", about=bounds.keepsake_name(unkept[0])))
    elif not looks and (brought or lacks & {"item", "coin"} or (band == "sure" and lacks & FOUND)):
        play.add(h.Refused(reason="nothing_new"))
    elif not looks and band == "sure":
        return
    elif looks or not _better(play):
        play.add(h.Consulted(topic="fight" if play.game.fight else "place"))


def _better(play: Play) -> bool:
    """Give an advantage, once more in a scene where it is spent; return whether that works."""
    if effects.bring(play, (BETTER,), success=True):
        return True
    key, held = f"better:{play.game.place}", play.game.story.edges.get(HERO, 0) > 0
    if held or play.game.story.ledger.of(key):
        return False
    play.add(h.Counted(key=key))
    play.add(h.EdgeGained(who=HERO, up=True))
    return True


def _stake(play: Play, act: Act) -> int:
    """Return the coins at stake: no more than the hero has, or the other could pay."""
    stage = setting.stage(play.game, play.book)
    carried = min(act.coin, play.game.sheet.coin)
    most = bounds.purse_of(_taker(play, act), stage, play.game.story.ledger)
    return carried if act.want else min(carried, most)


def _taker(play: Play, act: Act) -> str:
    """Return who takes a wager: the one addressed, else somebody present."""
    there = (*around.persons(play.game, play.book), *setting.waiting_foes(play.game, play.book))
    return act.to or next(iter(there), "")


def _staked(play: Play, act: Act, success: bool) -> Sequence[Effect]:
    """Return the effects of a check; a wager adds the stake, won or lost."""
    brought = act.success if success else act.failure
    if not act.coin:
        return brought
    # The stake changes hands once, also where a reading names it among the effects as well.
    brought = tuple(one for one in brought if one.kind != "coin" or (success and act.want))
    if success and act.want:
        return brought
    who, amount = (_taker(play, act), act.coin) if success else ("", -act.coin)
    return (Effect(kind="coin", who=who, amount=amount), *brought)
