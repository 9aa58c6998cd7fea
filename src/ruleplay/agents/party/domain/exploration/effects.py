"""The consequences of exploration: checks, gains, harm, rests, fights and automatic events."""

from __future__ import annotations

from typing import Literal

from ruleplay.agents.party.domain.adventure import EASED, FALLEN, Gain, Harm, Test
from ruleplay.agents.party.domain.creation import raised
from ruleplay.agents.party.domain.exploration.acts import left_of, refuge, waiting
from ruleplay.agents.party.domain.exploration.draft import Journey
from ruleplay.agents.party.domain.fight import Outcome
from ruleplay.agents.party.domain.foes import foes_of
from ruleplay.agents.party.domain.happenings.creatures import (
    CreatureEntered,
    DamageRolled,
    ItemGained,
    ItemLost,
    LevelReached,
    XpGained,
)
from ruleplay.agents.party.domain.happenings.exploration import (
    ALL,
    ClueFound,
    CoinChanged,
    DetailPlanted,
    DetailReturned,
    EncounterMet,
    EncounterOver,
    EncounterStarted,
    EndingReached,
    ExitOpened,
    FlagSet,
    SceneEntered,
    SecretRevealed,
)
from ruleplay.agents.party.domain.play import Play
from ruleplay.agents.party.domain.rules import checks
from ruleplay.agents.party.domain.rules.harm import Hurt, deal
from ruleplay.agents.party.domain.rules.rests import long_rest, short_rest
from ruleplay.agents.party.domain.rules.turns import begin_fight
from ruleplay.agents.party.domain.terms import level_for

FAR = ("archer", "caster")
"""Archetypes that start a fight behind the others."""


def gain(journey: Journey, brought: Gain, who: str, audience: tuple[str, ...] = ALL) -> None:
    """Let something have what it brings; its clues are for `audience`, or for the finder alone."""
    for flag in brought.flags:
        if flag not in journey.expedition.flags:
            journey.add(FlagSet(flag=flag, audience=audience))
    for clue in brought.clues:
        _find(journey, clue, who, audience)
    _hand_over(journey, brought, who)
    if brought.xp:
        share_xp(journey, brought.xp)
    if brought.harm:
        suffer(journey, brought.harm, who)
    if brought.travel and brought.travel != journey.expedition.scene:
        move_to(journey, brought.travel, who)
    if brought.encounter:
        start_fight(journey, brought.encounter)


def _hand_over(journey: Journey, brought: Gain, who: str) -> None:
    """Let things and coin change hands."""
    for item in brought.takes:
        journey.add(ItemLost(who=who, item=item, why="given"))
    for item in brought.items:
        journey.add(ItemGained(who=who, item=item))
    if brought.coin:
        purse = max(0, journey.expedition.purse + brought.coin)
        journey.add(CoinChanged(amount=purse - journey.expedition.purse, purse=purse))


def move_to(journey: Journey, scene: str, who: str) -> None:
    """Move the party to a scene, where it meets whoever waits there, by whatever way it came."""
    first = f"scene:{scene}" not in journey.expedition.flags
    origin = journey.expedition.scene
    journey.add(SceneEntered(scene=scene, origin=origin, who=who, first=first))
    key = waiting(journey.expedition, journey.adventure)
    if key and key not in journey.expedition.met:
        journey.add(EncounterMet(encounter=key))


def share_xp(journey: Journey, amount: int) -> None:
    """Let every character who is alive gain experience, the whole amount each."""
    for one in journey.party:
        journey.add(XpGained(who=one.id, amount=amount, xp=one.xp + amount))


def _find(journey: Journey, clue: str, who: str, audience: tuple[str, ...]) -> None:
    if f"clue:{clue}" in journey.expedition.flags:
        return
    alone = journey.adventure.clues[clue].audience == "finder"
    journey.add(ClueFound(clue=clue, who=who, audience=(who,) if alone else audience))


def settle(journey: Journey) -> None:
    """Let come what comes of itself: ways that open, details, secrets that are out, the end."""
    _open_ways(journey)
    _show_details(journey)
    _reveal_secrets(journey)
    _conclude(journey)


def _open_ways(journey: Journey) -> None:
    now = journey.expedition
    for key, scene in journey.adventure.scenes.items():
        if f"scene:{key}" not in now.flags:
            continue
        for way in scene.exits:
            closed = way.when.has or way.when.lacks
            known = f"{key}/{way.to}" in now.opened
            if closed and not known and way.when.holds((*now.flags, f"at:{key}")):
                journey.add(ExitOpened(scene=key, to=way.to))


def _show_details(journey: Journey) -> None:
    for key, detail in journey.adventure.details.items():
        now = journey.expedition
        if key not in now.planted:
            if detail.plant.holds(now.standing):
                journey.add(DetailPlanted(detail=key, scene=now.scene))
        elif key not in now.returned and detail.returns.holds(now.standing):
            journey.add(DetailReturned(detail=key, scene=now.scene))


def _reveal_secrets(journey: Journey) -> None:
    for kept in journey.expedition.secrets:
        out = journey.adventure.secrets[kept.secret].out
        if out and not kept.out and out.holds(journey.expedition.standing):
            journey.add(SecretRevealed(secret=kept.secret, who=kept.who))


def _conclude(journey: Journey) -> None:
    """End the adventure if an ending's condition holds and no fight is on."""
    now = journey.expedition
    if now.ending or now.fighting:
        return
    for key, ending in journey.adventure.endings.items():
        if key != FALLEN and ending.when.holds(now.standing):
            journey.add(EndingReached(ending=key))
            return


def start_fight(journey: Journey, key: str) -> None:
    """Let those of an encounter enter, as many as the party calls for, and the fight begin.

    After a flight it is those whom the party left standing, as hurt as they were on the same day.
    """
    encounter = journey.adventure.encounters[key]
    others = {one.id for one in journey.cast.creatures}
    entering = tuple(left_of(key, journey.expedition, journey.cast)) or tuple(
        foes_of(encounter, journey.party, journey.rules, others)
    )
    for foe in entering:
        journey.add(CreatureEntered(creature=foe))
    journey.add(EncounterStarted(encounter=key, foes=tuple(foe.id for foe in entering)))
    places = {one.id: 0 if one.archetype in FAR else 5 for one in journey.party}
    places |= {foe.id: encounter.distance + 5 * (n % 2) for n, foe in enumerate(entering)}
    journey.add(*begin_fight(journey.cast, journey.rules, key, places))


def conclude_fight(journey: Journey, outcome: Outcome, way: str = "") -> None:
    """Apply a fight's outcome to its encounter: gain and loot, a retreat, or the party's fall.

    `way` is the scene that a flight was to lead to; who ran there is there, won or not.
    """
    key = journey.expedition.fighting
    if not key:
        return
    encounter = journey.adventure.encounters[key]
    goal, here = refuge(journey.expedition, journey.adventure, way), journey.expedition.scene
    if outcome == "lost" or not journey.able:
        journey.add(EncounterOver(encounter=key, outcome="lost"), EndingReached(ending=FALLEN))
        return
    if outcome in ("won", "parted"):
        journey.add(EncounterOver(encounter=key, outcome="won"))
        finder = journey.able[0]
        for item in encounter.loot:
            journey.add(ItemGained(who=finder, item=item))
        gain(journey, encounter.gain, finder)
        now = journey.expedition
        if way and goal == way and now.scene == here and not (now.ending or now.fighting):
            move_to(journey, goal, finder)
    else:
        now = journey.expedition
        elsewhere = {one for k, (_, foes) in now.faced.items() if k != key for one in foes}
        there = (one.id for one in journey.cast.creatures if one.side != "party")
        left = tuple(one for one in there if one not in elsewhere)
        journey.add(EncounterOver(encounter=key, outcome="fled", left=left))
        if journey.expedition.scene != goal:
            move_to(journey, goal, journey.able[0])
    settle(journey)


def check(journey: Journey, who: str, test: Test) -> bool:
    """Roll a check with the permitted skill the character is best at."""
    one = journey.cast.the(who)
    best = max(test.skills, key=lambda skill: (one.check_bonus(skill), -test.skills.index(skill)))
    helped = test.eased and test.eased.holds(journey.expedition.standing)
    dc = test.dc - (EASED if helped else 0)
    return journey.by_rules(lambda play: checks.check(play, who, best, dc, "exploring"))


def suffer(journey: Journey, harm: Harm, who: str) -> None:
    """Deal hazard damage to somebody, halved by a successful save."""

    def hurt(play: Play) -> None:
        saved = harm.save != "" and checks.save(play, who, harm.save, harm.dc, "hazard")
        roll = play.roll(harm.dice)
        play.add(DamageRolled(by="", what="hazard", damage=harm.type, roll=roll))
        dealt = Hurt(raw=roll.total, damage=harm.type, halved=saved)
        deal(play, who, [dealt], why="hazard")

    journey.by_rules(hurt)


def rest(journey: Journey, kind: Literal["short", "long"]) -> None:
    """Let the party rest; who has the experience for it rises a level."""
    if kind == "short":
        journey.add(*short_rest(journey.cast, journey.rules, spending=journey.spending))
    else:
        journey.add(*long_rest(journey.cast, journey.rules))
    for one in journey.party:
        while one.level < level_for(one.xp):
            one = raised(one, journey.rules)
            journey.add(LevelReached(who=one.id, level=one.level, creature=one))
