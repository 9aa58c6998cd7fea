"""Invariants of the rules, checked on finished turns by `ruleplay fuzz` and by tests.

They look at events and states alone, however the rules have arrived at these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.blows import damage_of, hits
from ruleplay.agents.saga.domain.dice import d100
from ruleplay.agents.saga.domain.effects import refused
from ruleplay.agents.saga.domain.fight import HERO, check_combat_status
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.story import Left
from ruleplay.story import canon
from ruleplay.story.acts import Detail
from ruleplay.story.bounds import COIN_PER_SCENE

ACTING = (h.ActionTaken, h.Attacked)


def broken_rules(before: Game, happened: Sequence[h.Happening], after: Game) -> list[str]:
    """List the invariants that a turn broke, in words."""
    problems: list[str] = []
    game = before
    for happening in happened:
        problems.extend(_one(game, happening))
        game = game.apply(happening)
        problems.extend(_bounds(game))
    if game != after:
        problems.append("the state is not what its events make of it")
    problems.extend(_turn(before, happened, after))
    return problems


def broken_bounds(
    book: Book, before: Game, happened: Sequence[h.Happening], after: Game
) -> Iterator[str]:
    """Yield the bounds that improvised effects broke, whatever a model or player wished for."""
    written = any(isinstance(o, h.SectionTold | h.CombatEnded | h.Returned) for o in happened)
    for one in happened:
        yield from _mishap(one)
        if not written:
            yield from _unearned(book, before, one)
    harmed = [one.who for one in happened if isinstance(one, h.Harmed) and one.who != HERO]
    if len(harmed) > 1 and before.fight and after.fight and before.fight.round == after.fight.round:
        yield "two were harmed in one round"
    yield from _established(after, book)


def _mishap(one: h.Happening) -> Iterator[str]:
    if isinstance(one, h.HitPointsChanged) and one.cause == "mishap":
        if one.who == HERO and one.hp == 0:
            yield "a mishap killed the hero"
        if one.amount < -6:
            yield f"a mishap did {-one.amount} harm"


def _unearned(book: Book, before: Game, one: h.Happening) -> Iterator[str]:
    """Yield gains that only authored text or a fight may bring."""
    match one:
        case h.SecretLearned() | h.XpGained() | h.LevelGained():
            yield f"{type(one).__name__} without a passage or a fight"
        case h.ItemGained(why="found", item=item):
            if item not in book.scenario.places[before.place].things:
                yield f"{item!r} was found and lies nowhere"
        case h.CoinChanged(why="found", amount=amount):
            purses = [person.purse for person in book.scenario.persons.values()]
            if amount > max([COIN_PER_SCENE, *purses]):
                yield f"{amount} coins out of a wish"
        case h.Joined(who=who) if who not in book.scenario.persons:
            yield f"{who!r} came along and is nobody"
        case _:
            pass


def _established(after: Game, book: Book) -> Iterator[str]:
    story = after.story
    if len(story.canon) > canon.KEPT:
        yield f"{len(story.canon)} details kept"
    for one in (kept for kept in story.canon if kept.kind not in ("left", "spent")):
        said = Detail.model_validate({"text": one.text, "kind": one.kind})
        if why := refused(after.model_copy(update={"place": one.place}), book, said):
            yield f"canon holds {one.text!r}: {why}"
    for count in story.ledger.counts:
        purse = book.scenario.persons.get(count.key.removeprefix("purse:"))
        if count.key.startswith("coin:") and count.n > COIN_PER_SCENE:
            yield f"{count.n} coins in one scene"
        if purse and count.n > purse.purse:
            yield f"{count.n} coins out of a purse of {purse.purse}"


def _one(game: Game, happening: h.Happening) -> Iterator[str]:
    for place, roll in enumerate(happening.dice):
        if roll.index != game.draws + place:
            yield f"roll {roll.index} is out of order"
        if roll.natural != d100(game.dice_seed, roll.index):
            yield f"roll {roll.index} does not replay"
    match happening:
        case h.Attacked():
            yield from _blow(game, happening)
        case h.ActionTaken():
            yield from _action(game, happening)
        case h.CombatTriggered():
            yield from _entry(game, happening)
        case h.CombatEnded():
            yield from _end(game, happening)
        case _:
            yield from _change(game, happening)


def _change(game: Game, happening: h.Happening) -> Iterator[str]:
    match happening:
        case h.HitPointsChanged():
            had = game.fight.the(happening.who).hp if game.fight else game.sheet.hp
            if had + happening.amount != happening.hp:
                yield f"{happening.who}: {had} {happening.amount:+d} is not {happening.hp}"
        case h.ItemGained(why="picked_up", item=item):
            if Left(place=game.place, item=item) not in game.story.left:
                yield f"{item!r} was picked up and had not been put down"
        case h.CoinChanged(why="picked_up", amount=amount):
            if Left(place=game.place, coin=amount) not in game.story.left:
                yield f"{amount} coins were picked up and had not been put down"
        case h.Died() | h.Fell() if game.fight and game.fight.the(happening.who).hp:
            yield f"{happening.who} died or fell with hit points left"
        case h.Travelled() if game.mode == "combat" or game.dead:
            yield "travelled in a fight, or dead"
        case _:
            pass


def _blow(game: Game, blow: h.Attacked) -> Iterator[str]:
    if game.fight is None:
        yield "a blow outside a fight"
        return
    one, other = game.fight.the(blow.attacker), game.fight.the(blow.target)
    if not one.present:
        yield f"{one.id} struck while out of the fight"
    if not other.present:
        yield f"{other.id} was struck while out of the fight"
    if one.side == other.side:
        yield f"{one.id} struck its own side"
    if blow.hit != hits(blow.attack, blow.defence):
        yield "a hit against its totals"
    due = damage_of(blow.weapon_damage, blow.attack, blow.defence, blow.absorbed)
    due = due // 2 if blow.halved else due
    if blow.damage != (due if blow.hit else 0):
        yield f"damage {blow.damage} instead of {due}"


def _action(game: Game, action: h.ActionTaken) -> Iterator[str]:
    fight = game.fight
    if fight is None:
        yield "an action outside a fight"
        return
    if not fight.the(action.who).present:
        yield f"{action.who} acted while out of the fight"
    if action.cost == "reaction":
        if action.who in fight.reacted:
            yield f"{action.who} reacted twice"
        return
    if action.who != fight.actor:
        yield f"{action.who} acted out of turn"
    if action.cost in fight.spent:
        yield f"{action.who} took two {action.cost} actions"


def _entry(game: Game, triggered: h.CombatTriggered) -> Iterator[str]:
    if game.fight is not None:
        yield "a fight within a fight"
    if triggered.fight.the(HERO).hp != game.sheet.hp:
        yield "hit points at the fight's start are not the sheet's"
    if any(one.hp != one.max_hp for one in triggered.fight.combatants if one.id != HERO):
        yield "an adversary entered wounded"
    totals = list(triggered.fight.initiative)
    if totals != sorted(totals, reverse=True):
        yield "the initiative is not in order"


def _end(game: Game, ended: h.CombatEnded) -> Iterator[str]:
    if game.fight is None:
        yield "a fight ended twice"
        return
    if ended.outcome not in ("forced_end", "truce", check_combat_status(game.fight)):
        yield f"ended as {ended.outcome}, stands as {check_combat_status(game.fight)}"
    hero = game.fight.get(HERO)
    if hero and ended.hp != hero.hp:
        yield "hit points at the fight's end are not written back"
    if ended.outcome not in ("player_win", "npc_flee") and (ended.xp or ended.coin or ended.loot):
        yield "rewards without a victory"


def _bounds(game: Game) -> Iterator[str]:
    bars = [(game.sheet.name, game.sheet.hp, game.sheet.max_hp)]
    if game.fight:
        bars += [(one.id, one.hp, one.max_hp) for one in game.fight.combatants]
    yield from (
        f"{who}: {hp} of {most} hit points" for who, hp, most in bars if not 0 <= hp <= most
    )
    if game.sheet.coin < 0:
        yield "less than no coin"


def _turn(before: Game, happened: Sequence[h.Happening], after: Game) -> Iterator[str]:
    ended = [one for one in happened if isinstance(one, h.CombatEnded)]
    begun = [one for one in happened if isinstance(one, h.CombatTriggered)]
    if len(ended) > 1 or len(begun) > 1:
        yield "the mode flipped more than once"
    if after.fight and check_combat_status(after.fight) not in (None, "error_abort"):
        yield "a fight goes on although it is over"
    if (
        any(isinstance(one, h.Refused) for one in happened)
        and len(happened) == 1
        and after != before
    ):
        yield "a refused intent changed something"
    for item in {one.item for one in (*before.sheet.carried, *after.sheet.carried)}:
        due = before.sheet.count(item) + _moved(happened, item)
        if after.sheet.count(item) != due:
            yield f"{after.sheet.count(item)} × {item} instead of {due}"
    if before.sheet.coin + sum(_coin(happened)) != after.sheet.coin:
        yield "coin out of nowhere"
    fell = {one.who for one in happened if isinstance(one, h.Fell)}
    down = {o.id for o in before.fight.combatants if o.fallen} if before.fight else set[str]()
    dead = {one.who for one in happened if isinstance(one, h.Died)}
    emptied = {o.who for o in happened if isinstance(o, h.HitPointsChanged) and o.hp == 0}
    if dead - down - fell != emptied - fell:
        yield f"deaths {sorted(dead)} are not those at 0 hit points {sorted(emptied)}"


def _moved(happened: Sequence[h.Happening], item: str) -> int:
    gained = sum(o.count for o in happened if isinstance(o, h.ItemGained) and o.item == item)
    return gained - sum(o.count for o in happened if isinstance(o, h.ItemLost) and o.item == item)


def _coin(happened: Sequence[h.Happening]) -> Iterator[int]:
    yield from (one.amount for one in happened if isinstance(one, h.CoinChanged))
