"""Start and end fights: fighters and initiative, outcome, rewards and aftermath.

All numbers are computed here; no model proposes any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.fight import HERO, Combatant, Fight, Outcome, Status
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.rulebook import StatusKind
from ruleplay.agents.saga.domain.scenario import Encounter, Foe
from ruleplay.agents.saga.domain.setting import PERSON
from ruleplay.agents.saga.domain.sheet import LEVEL_HP, LEVEL_MAX, next_level_at
from ruleplay.story.texts import Text

SETTLED: tuple[Outcome, ...] = ("player_win", "npc_flee", "truce")
"""Outcomes after which the story goes on as if its encounter had been got past."""
LOST: tuple[Outcome, ...] = ("player_flee", "player_die")
"""Outcomes after which allies who are down have nobody to save them."""
COMMONER = "commoner"
"""Bestiary entry of persons for whom the scenario names none."""


def trigger(play: Play, key: str) -> None:
    """Start an encounter's fight: hero from the sheet, others from the bestiary, initiative."""
    encounter = play.book.scenario.encounters[key]
    told = f"encounter:{key}:text" in play.game.flags
    if not told and not _noticed(play, key, encounter):
        play.add(h.SectionTold(kind="encounter", key=key))
    _begin(play, key, [hero_of(play), *cast_of(play, encounter)])


def trigger_quarrel(play: Play, who: str) -> None:
    """Start a fight with a person who has no encounter: they fight alone, as their kind."""
    person = play.book.scenario.persons[who]
    kind = person.kind or COMMONER
    foe = Foe(kind=kind, name=person.name)
    _begin(play, f"{PERSON}{who}", [hero_of(play), _made(play, foe, "foe1", "foes")])


def _begin(play: Play, key: str, cast: list[Combatant]) -> None:
    rolls = [play.roll(modifier(one.stats["agility"]), ahead=n) for n, one in enumerate(cast)]
    totals = {one.id: roll.total for one, roll in zip(cast, rolls, strict=True)}
    # Ties go to the quicker, then by id, so that replays have the same order.
    ranked = sorted(cast, key=lambda one: (-totals[one.id], -one.stats["agility"], one.id))
    play.add(
        h.CombatTriggered(
            fight=Fight(
                combat_id=f"{key}-{play.game.fights + 1}",
                encounter=key,
                place=play.game.place,
                order=tuple(one.id for one in ranked),
                initiative=tuple(totals[one.id] for one in ranked),
                combatants=tuple(cast),
            ),
            rolls=tuple(rolls),
        )
    )
    _bear(play)


def _bear(play: Play) -> None:
    """Let fighters bear the conditions that were brought upon them here before the fight."""
    for mark in play.game.story.marks:
        if mark.what not in get_args(StatusKind):
            continue  # cover, which is taken as a reaction (`readiness.py`)
        if mark.place == play.game.place and mark.who and play.fight.get(mark.who):
            body = {"kind": mark.what, "rounds": max(1, mark.rounds)}
            play.add(h.StatusGained(who=mark.who, status=Status.model_validate(body)))


def _noticed(play: Play, key: str, encounter: Encounter) -> bool:
    """Whether the foes were seen on arrival, so that their text has been told already."""
    waits = play.book.scenario.places[play.game.place].encounter == key
    return waits and bool(encounter.sneak or encounter.parley)


def hero_of(play: Play) -> Combatant:
    """Build the hero as a combatant, from the sheet."""
    sheet = play.game.sheet
    return Combatant(
        id=HERO,
        name=Text(en=sheet.name, fr=sheet.name),
        side="party",
        hp=sheet.hp,
        max_hp=sheet.max_hp,
        stats=sheet.stats,
        weapon=sheet.weapon,
        armour=sheet.armour,
    )


def cast_of(play: Play, encounter: Encounter) -> list[Combatant]:
    """Build the others of an encounter as combatants: foes, then allies."""
    foes = [_made(play, foe, f"foe{n}", "foes") for n, foe in enumerate(encounter.foes, 1)]
    allies = [_made(play, foe, f"ally{n}", "party") for n, foe in enumerate(encounter.allies, 1)]
    return foes + allies


def _made(play: Play, foe: Foe, ident: str, side: str) -> Combatant:
    beast = play.book.rules.bestiary[foe.kind]
    return Combatant.model_validate(
        {
            "id": ident,
            "name": foe.name.model_dump(),
            "kind": foe.kind,
            "side": side,
            "hp": beast.hp,
            "max_hp": beast.hp,
            "stats": beast.stats,
            "weapon": beast.weapon,
            "armour": beast.armour,
            "archetype": beast.archetype,
            "far": beast.far if foe.far is None else foe.far,
        }
    )


def conclude(play: Play, outcome: Outcome, *, to: str = "") -> None:
    """End the fight: statuses lapse, hit points return to the sheet, rewards are given.

    A hero who flees gets `to` a place, by default where the encounter's retreat leads.
    """
    fight = play.fight
    if outcome in LOST:
        for one in fight.combatants:
            if one.fallen:
                play.add(h.Died(who=one.id))
    if outcome != "error_abort":
        for one in fight.combatants:
            for status in one.statuses:
                play.add(h.StatusAged(who=one.id, kind=status.kind, rounds=0, why="over"))
    hero = play.fight.get(HERO)
    xp, coin, loot = _worth(play, fight, outcome)
    play.add(
        h.CombatEnded(
            combat_id=fight.combat_id,
            encounter=fight.encounter,
            outcome=outcome,
            hp=hero.hp if hero else play.game.sheet.hp,
            xp=xp,
            coin=coin,
            loot=loot,
            fallen=tuple(o.id for o in fight.combatants if o.side == "foes" and not o.alive),
        )
    )
    _reward(play, xp, coin, loot)
    for one in fight.combatants:  # dead or fled allies do not appear again
        saved = one.fallen and outcome not in LOST
        if one.side == "party" and one.id != HERO and not (one.present or saved):
            play.add(h.FlagSet(flag=f"gone:{fight.encounter}-{one.id}"))
        if outcome == "truce" and one.fled:
            play.add(h.FlagSet(flag=f"fled:{fight.encounter}:{one.id}"))
    _aftermath(play, fight.encounter, outcome, to)


def _worth(play: Play, fight: Fight, outcome: Outcome) -> tuple[int, int, tuple[str, ...]]:
    """Return experience, coin and loot. Foes who fled are worth half their experience only."""
    if outcome not in ("player_win", "npc_flee"):
        return 0, 0, ()
    bestiary = play.book.rules.bestiary
    foes = [one for one in fight.combatants if one.side == "foes" and one.kind in bestiary]
    fallen = [bestiary[one.kind] for one in foes if not one.alive]
    fled = [bestiary[one.kind] for one in foes if one.fled]
    xp = sum(beast.xp for beast in fallen) + sum(beast.xp // 2 for beast in fled)
    left = [item for beast in fallen for item in beast.loot]
    encounter = play.book.scenario.encounters.get(fight.encounter)
    extra = encounter.loot if encounter and outcome == "player_win" else ()
    xp += encounter.gain.xp if encounter else 0
    return xp, sum(beast.coin for beast in fallen), (*left, *extra)


def _reward(play: Play, xp: int, coin: int, loot: Sequence[str]) -> None:
    for item in dict.fromkeys(loot):
        play.add(h.ItemGained(item=item, count=loot.count(item), why="loot"))
    if coin:
        play.add(h.CoinChanged(amount=coin, coin=play.game.sheet.coin + coin, why="loot"))
    gain_xp(play, xp)


def gain_xp(play: Play, xp: int) -> None:
    """Add experience, and the levels that it reaches."""
    if not xp:
        return
    play.add(h.XpGained(amount=xp, xp=play.game.sheet.xp + xp))
    while (sheet := play.game.sheet).level < LEVEL_MAX and sheet.xp >= next_level_at(sheet.level):
        play.add(h.LevelGained(level=sheet.level + 1, max_hp=sheet.max_hp + LEVEL_HP))


def _aftermath(play: Play, key: str, outcome: Outcome, to: str) -> None:
    """Move a hero who fled, and set the flags by which the story remembers a fight."""
    encounter = play.book.scenario.encounters.get(key)
    goal = to or (encounter.retreat if encounter else "")
    if outcome == "player_flee" and goal not in ("", play.game.place):
        play.add(h.Travelled(origin=play.game.place, place=goal))
    if key.startswith(PERSON) and outcome in ("player_win", "npc_flee"):
        play.add(h.FlagSet(flag=f"gone:{key.removeprefix(PERSON)}"))
    if encounter is None:
        return
    if outcome in ("player_win", "npc_flee"):
        play.add(h.FlagSet(flag=f"won:{key}"))
    elif outcome in ("truce", "forced_end", "error_abort"):
        play.add(h.FlagSet(flag=f"left:{key}"))
    # Who makes peace is let be, as after a parley before the fight: what they guarded is open.
    for flag in encounter.gain.flags if outcome in SETTLED else ():
        play.add(h.FlagSet(flag=flag))
