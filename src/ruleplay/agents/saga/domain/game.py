"""The game: everything a saga knows between turns, changed by happenings alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Literal

from pydantic import model_validator

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.fight import HERO, Fight, Outcome, Status
from ruleplay.agents.saga.domain.sheet import LEVEL_HP, Sheet
from ruleplay.agents.saga.domain.texts import Frozen, Lang

CHRONICLE = 60
"""Lines of the chronicle that are kept; all of it stands in the events."""


class Result(Frozen):
    """What the last fight came to: handed to the story."""

    encounter: str
    outcome: Outcome
    xp_gained: int = 0
    gold_gained: int = 0
    loot: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()


class Game(Frozen):
    """A saga as it stands; `dead` while the hero must choose, `ending` once it has ended."""

    dice_seed: str
    draws: int = 0
    lang: Lang = "en"
    sheet: Sheet
    place: str
    haven: str
    visited: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    day: int = 1
    rested: int = 0
    fights: int = 0
    fight: Fight | None = None
    last_result: Result | None = None
    shaken: bool = False
    dead: bool = False
    returns: int = 0
    ending: str = ""
    chronicle: tuple[h.Entry, ...] = ()

    @property
    def mode(self) -> Literal["narrative", "combat"]:
        """Return the session mode: a fight is on, or the story is told."""
        return "combat" if self.fight else "narrative"

    @property
    def hp(self) -> int:
        """Return the hero's hit points, in a fight those of the fight."""
        return self.fight.the(HERO).hp if self.fight else self.sheet.hp

    @model_validator(mode="after")
    def _within_bounds(self) -> Game:
        if not 0 <= self.sheet.hp <= self.sheet.max_hp:
            raise ValueError(f"hit points {self.sheet.hp} of {self.sheet.max_hp}")
        return self

    def apply(self, happening: h.Happening) -> Game:
        """Return the game after something happened."""
        game = self.model_copy(update={"draws": self.draws + len(happening.dice)})
        game = changed(happening, game)
        line = chronicled(happening)
        if line is None:
            return game
        return game.model_copy(update={"chronicle": (*game.chronicle, line)[-CHRONICLE:]})


def chronicled(happening: h.Happening) -> h.Entry | None:
    """Return the chronicle's line for something that happened, if it is worth one."""
    match happening:
        case h.SecretLearned(secret=key):
            return "secret", key, ""
        case h.SectionTold(kind="talk" | "deed" as kind, key=key, part=part):
            return kind, key, part
        case h.SectionTold(kind="encounter", key=key, part="avoided"):
            return "avoided", key, ""
        case h.CombatEnded(encounter=key, outcome=outcome):
            return "fight", key, outcome
        case h.ItemGained(item=item, why="found" | "given" | "bought"):
            return "item", item, ""
        case h.LevelGained(level=level):
            return "level", "", str(level)
        case h.EndingReached(ending=key):
            return "ending", key, ""
        case h.Returned(place=key):
            return "returned", key, ""
        case h.Travelled(place=key):
            return "place", key, ""
        case _:
            return None


def _sheet(game: Game, **changes: object) -> Game:
    return game.model_copy(update={"sheet": game.sheet.model_copy(update=changes)})


def _fight(game: Game, change: Callable[[Fight], Fight]) -> Game:
    if game.fight is None:
        raise ValueError("no fight is on")
    return game.model_copy(update={"fight": change(game.fight)})


@singledispatch
def changed(happening: h.Happening, game: Game) -> Game:
    """Return the game with the one effect of a happening; most have none."""
    return game


@changed.register
def _(happening: h.Travelled, game: Game) -> Game:
    seen = game.visited if happening.place in game.visited else (*game.visited, happening.place)
    return game.model_copy(update={"place": happening.place, "visited": seen})


@changed.register
def _(happening: h.SkillChecked, game: Game) -> Game:
    return game.model_copy(update={"shaken": happening.roll.fumble})


@changed.register
def _(happening: h.SectionTold, game: Game) -> Game:
    if happening.kind == "intro":
        return game
    flag = f"{happening.kind}:{happening.key}"
    return changed(h.FlagSet(flag=f"{flag}:{happening.part}"), game)


@changed.register
def _(happening: h.FlagSet, game: Game) -> Game:
    if happening.flag in game.flags:
        return game
    return game.model_copy(update={"flags": (*game.flags, happening.flag)})


@changed.register
def _(happening: h.SecretLearned, game: Game) -> Game:
    return game.model_copy(update={"secrets": (*game.secrets, happening.secret)})


@changed.register
def _(happening: h.ItemGained, game: Game) -> Game:
    sheet = game.sheet.with_items(happening.item, happening.count)
    return game.model_copy(update={"sheet": sheet})


@changed.register
def _(happening: h.ItemLost, game: Game) -> Game:
    sheet = game.sheet.with_items(happening.item, -happening.count)
    game = game.model_copy(update={"sheet": sheet})
    if game.fight is None:
        return game
    return _fight(game, lambda f: f.with_(HERO, weapon=sheet.weapon, armour=sheet.armour))


@changed.register
def _(happening: h.CoinChanged, game: Game) -> Game:
    return _sheet(game, coin=happening.coin)


@changed.register
def _(happening: h.Equipped, game: Game) -> Game:
    if happening.who == HERO:
        game = _sheet(game, **{happening.slot: happening.item})
    if game.fight is None:
        return game
    return _fight(game, lambda f: f.with_(happening.who, **{happening.slot: happening.item}))


@changed.register
def _(happening: h.HitPointsChanged, game: Game) -> Game:
    if game.fight is None:
        return _sheet(game, hp=happening.hp)
    return _fight(game, lambda f: f.with_(happening.who, hp=happening.hp))


@changed.register
def _(happening: h.CombatTriggered, game: Game) -> Game:
    return game.model_copy(update={"fight": happening.fight, "fights": game.fights + 1})


@changed.register
def _(happening: h.FightOpened, game: Game) -> Game:
    return _fight(game, lambda f: f.model_copy(update={"opened": True}))


@changed.register
def _(happening: h.ActionTaken, game: Game) -> Game:
    if happening.cost == "reaction":
        return _fight(game, lambda f: f.model_copy(update={"reacted": (*f.reacted, happening.who)}))
    return _fight(game, lambda f: f.model_copy(update={"spent": (*f.spent, happening.cost)}))


@changed.register
def _(happening: h.StatusGained, game: Game) -> Game:
    def gain(fight: Fight) -> Fight:
        bearer, new = fight.the(happening.who), happening.status
        kept = tuple(one for one in bearer.statuses if one.kind != new.kind)
        return fight.with_(happening.who, statuses=(*kept, new))

    return _fight(game, gain)


@changed.register
def _(happening: h.StatusAged, game: Game) -> Game:
    def age(fight: Fight) -> Fight:
        left: list[Status] = []
        for one in fight.the(happening.who).statuses:
            if one.kind != happening.kind:
                left.append(one)
            elif happening.rounds:
                left.append(one.model_copy(update={"rounds": happening.rounds}))
        return fight.with_(happening.who, statuses=tuple(left))

    return _fight(game, age)


@changed.register
def _(happening: h.Moved, game: Game) -> Game:
    return _fight(game, lambda f: f.with_(happening.who, far=happening.far))


@changed.register
def _(happening: h.Fled, game: Game) -> Game:
    return _fight(game, lambda f: f.with_(happening.who, fled=True))


@changed.register
def _(happening: h.Died, game: Game) -> Game:
    game = _fight(game, lambda f: f.with_(happening.who, statuses=()))
    return game.model_copy(update={"dead": True}) if happening.who == HERO else game


@changed.register
def _(happening: h.TurnAdvanced, game: Game) -> Game:
    def advance(fight: Fight) -> Fight:
        # A reaction comes back at the start of one's own turn.
        reacted = tuple(one for one in fight.reacted if one != happening.actor)
        moved = {"round": happening.round, "turn": happening.turn}
        return fight.model_copy(update={**moved, "spent": (), "reacted": reacted})

    return _fight(game, advance)


@changed.register
def _(happening: h.CombatEnded, game: Game) -> Game:
    result = Result(
        encounter=happening.encounter,
        outcome=happening.outcome,
        xp_gained=happening.xp,
        gold_gained=happening.coin,
        loot=happening.loot,
        fallen=happening.fallen,
    )
    game = game.model_copy(update={"fight": None, "last_result": result})
    return _sheet(game, hp=happening.hp)


@changed.register
def _(happening: h.XpGained, game: Game) -> Game:
    return _sheet(game, xp=happening.xp)


@changed.register
def _(happening: h.LevelGained, game: Game) -> Game:
    sheet = game.sheet
    return _sheet(
        game,
        level=happening.level,
        max_hp=happening.max_hp,
        points=sheet.points + 1,
        hp=sheet.hp + (LEVEL_HP if sheet.hp else 0),
    )


@changed.register
def _(happening: h.SkillTrained, game: Game) -> Game:
    skills = {**game.sheet.skills, happening.skill: happening.rank}
    return _sheet(game, skills=skills, points=game.sheet.points - 1)


@changed.register
def _(happening: h.Rested, game: Game) -> Game:
    return game.model_copy(
        update={"day": happening.day, "rested": game.rested + 1, "haven": game.place}
    )


@changed.register
def _(happening: h.Returned, game: Game) -> Game:
    changes = {"dead": False, "returns": game.returns + 1, "place": happening.place}
    return game.model_copy(update=changes)


@changed.register
def _(happening: h.EndingReached, game: Game) -> Game:
    return game.model_copy(update={"ending": happening.ending})


@changed.register
def _(happening: h.LanguageChosen, game: Game) -> Game:
    return game.model_copy(update={"lang": happening.lang})
