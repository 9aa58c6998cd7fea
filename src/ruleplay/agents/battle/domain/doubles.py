"""Double battles: lists every pair of actions the server accepts, and ranks them by damage.

There is no search for doubles: the choice is what does most and risks least this turn. Commands and
places follow Showdown's simulator protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import cast

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import damage, scene_of
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.agents.battle.domain.worlds import Fighter, our_fighter, their_fighter

Json = Mapping[str, object]
AIMED = {"normal", "any", "adjacentFoe", "adjacentAlly", "adjacentAllyOrSelf"}
"""Target kinds of moves for which the command must name a place."""
SPREAD = {"allAdjacent", "allAdjacentFoes"}
"""Target kinds of moves that may hit several Pokémon."""
SPREAD_SHARE = 0.75
"""Damage of such a move when it has more than one target."""
SHIELDING = ("self", 4)
"""Target and priority that identify Protect and similar moves."""
KO, TERA, LEAVING, FIRST, KEPT, SMALL = 0.5, 0.2, 0.35, 0.4, 0.6, 0.12
"""Weights as shares of a Pokémon's health.

In order: a knock-out; keeping tera; the price of a switch; Fake Out on the turn of entry; the share
of prevented damage that protecting is worth; a move without damage.
"""


@dataclass(frozen=True)
class Act:
    """An action of one Pokémon; `target` is 1 or 2 for theirs, -1 or -2 for ours, 0 for none."""

    wire: str
    move: str = ""
    target: int = 0
    ident: str = ""
    tera: bool = False


def legal(request: Json) -> tuple[tuple[Act, ...], ...]:
    """List every pair of actions that the server accepts, as far as the request tells."""
    side = cast("Json", request.get("side") or {})
    team = cast("list[Json]", side.get("pokemon") or [])
    force = cast("list[bool] | None", request.get("forceSwitch"))
    slots = cast("list[Json]", request.get("active") or [])
    if force:
        asked = [_comers(team) if flag else [] for flag in force]
    else:
        asked = [[*_acts(slots, team, place)] for place in range(len(slots))]
    # With fewer replacements than empty places, the server wants "pass" for the others.
    spare = max(0, sum(force or ()) - len(_comers(team)))
    choices = [[*found, *[Act("pass")] * (spare > 0)] or [Act("pass")] for found in asked]
    return tuple(pair for pair in product(*choices) if _fits(pair, asked, spare))


def _fits(pair: Sequence[Act], asked: Sequence[Sequence[Act]], spare: int) -> bool:
    """Check that two actions go together: different switches, one tera, no needless pass."""
    comers = [act.ident for act in pair if act.ident]
    idle = sum(act.wire == "pass" and bool(own) for act, own in zip(pair, asked, strict=True))
    return len(set(comers)) == len(comers) and sum(act.tera for act in pair) < 2 and idle <= spare


def _comers(team: Sequence[Json]) -> list[Act]:
    reviving = any(each.get("reviving") for each in team)
    return [
        Act(f"switch {place}", ident=str(each["ident"]))
        for place, each in enumerate(team, start=1)
        if _is_down(each) == reviving and not (each.get("active") and not reviving)
    ]


def _is_down(entry: Json) -> bool:
    return str(entry.get("condition", "")).endswith("fnt")


def _acts(slots: Sequence[Json], team: Sequence[Json], place: int) -> Iterator[Act]:
    """Yield the actions open to the Pokémon in one place."""
    slot, entry = slots[place], team[place]
    # Tatsugiri does not act while it commands Dondozo.
    if _is_down(entry) or entry.get("commanding"):
        return
    for number, each in enumerate(cast("list[Json]", slot.get("moves") or []), start=1):
        if each.get("disabled"):
            continue
        for target in _targets(str(each.get("target", "")), place, len(slots)):
            said = f"move {number}{f' {target:+d}' if target else ''}"
            name = str(each["id"])
            yield Act(said, name, target)
            if slot.get("canTerastallize"):
                yield Act(f"{said} terastallize", name, target, tera=True)
    if not slot.get("trapped"):
        yield from _comers(team)


def _targets(kind: str, place: int, places: int) -> tuple[int, ...]:
    """List the places a move can be aimed at; (0,) if no place is named."""
    if kind not in AIMED or places < 2:
        return (0,)
    own, ally = -1 - place, -2 + place
    if kind == "adjacentAlly":
        return (ally,)
    if kind == "adjacentAllyOrSelf":
        return (own, ally)
    return (1, 2) if kind == "adjacentFoe" else (1, 2, ally)


def team_order(request: Json) -> str:
    """Answer a team preview with the team as it stands, as many as may be brought."""
    side = cast("Json", request.get("side") or {})
    size = len(cast("list[Json]", side.get("pokemon") or []))
    most = int(cast("int", request.get("maxChosenTeamSize") or size))
    return f"/choose team {','.join(str(place) for place in range(1, min(size, most) + 1))}"


def choose(request: Json, position: Position, inference: Inference) -> Iterator[str]:
    """Yield answers to a request, the best first."""
    table = _Table(position, inference)
    ranked = sorted(legal(request), key=lambda pair: -table.worth(pair))
    yield from map(said, ranked)


def said(pair: Sequence[Act]) -> str:
    """Render two actions as a command."""
    return "/choose " + ", ".join(act.wire for act in pair)


class _Table:
    """The four places and the values of actions, as shares of health gained, kept and risked."""

    def __init__(self, position: Position, inference: Inference) -> None:
        self.ours = _places(position.ours.team)
        self.foes = _places(position.theirs.team)
        self.bench = {mon.ident: mon for mon in position.ours.team}
        self.fighters = {
            place: their_fighter(mon, inference.guesses[mon.ident].best)
            for place, mon in self.foes.items()
            if mon.ident in inference.guesses
        }
        self.on_them, self.on_us = scene_of(position), scene_of(position, defending="ours")
        self.dealt: dict[tuple[str, str, str, bool], float] = {}

    def worth(self, pair: Sequence[Act]) -> float:
        """Evaluate two actions together; damage beyond a target's health counts once."""
        taken, total = dict[int, float](), 0.0
        for place, act in enumerate(pair):
            mon = self.ours.get(place)
            if act.ident:
                total += self._entry(mon, self.bench[act.ident])
            elif act.move and mon is not None:
                for target, share in self._hits(act, place, mon):
                    taken[target] = taken.get(target, 0.0) + share
                total += self._besides(act, mon) - TERA * act.tera
        for target, share in taken.items():
            left = self.fighters[target - 1].share if target > 0 else self.ours[-1 - target].hp
            gain = min(left, share) + KO * (share >= left)
            # Hitting our own ally is worse than the same damage to theirs is good.
            total += gain if target > 0 else -1.5 * gain
        return total

    def _hits(self, act: Act, place: int, mon: Mon) -> Iterator[tuple[int, float]]:
        """Yield the targets of a move with the average damage, as shares of full health."""
        if not dex.move(act.move).damaging:
            return
        kind, by = dex.move(act.move).target, our_fighter(mon)
        by = by.as_tera() if act.tera else by
        ally = 1 - place
        targets = [act.target] if act.target else [1 + foe for foe in self.fighters]
        if kind == "allAdjacent" and ally in self.ours:
            targets.append(-1 - ally)
        spread = SPREAD_SHARE if kind in SPREAD and len(targets) > 1 else 1.0
        single = 1.0 if act.target or kind in SPREAD else 1 / max(1, len(targets))
        for target in targets:
            on = self._fighter(target)
            if on is not None:
                yield target, spread * single * self._mean(act.move, by, on, ours=True)

    def _fighter(self, target: int) -> Fighter | None:
        if target > 0:
            return self.fighters.get(target - 1)
        mon = self.ours.get(-1 - target)
        return our_fighter(mon) if mon else None

    def _mean(self, move: str, by: Fighter, on: Fighter, *, ours: bool) -> float:
        key = (move, by.ident, on.ident, by.terastallized)
        if key not in self.dealt:
            hit = damage(move, by, on, self.on_them if ours else self.on_us)
            self.dealt[key] = hit.mean * hit.accuracy
        return self.dealt[key]

    def _threat(self, mon: Mon) -> float:
        """Estimate the damage one of ours takes per turn, if theirs divide their attacks."""
        us = our_fighter(mon)
        worst = [
            max((self._mean(move.id, foe, us, ours=False) for move in foe.moves), default=0.0)
            for foe in self.fighters.values()
        ]
        return min(mon.hp, sum(worst) / 2)

    def _entry(self, leaves: Mon | None, comes: Mon) -> float:
        if leaves is None or leaves.fainted or not leaves.active:
            return 0.5 * comes.hp - self._threat(comes)
        return self._threat(leaves) - self._threat(comes) - LEAVING

    def _besides(self, act: Act, mon: Mon) -> float:
        """Evaluate a move's effects other than damage."""
        page = dex.move(act.move)
        if page.id == "fakeout":
            # Fake Out fails after the first turn on the field.
            return -1.0 if mon.turns_active else FIRST
        again = mon.last_move == act.move
        # Repeating a status move gains nothing, and a repeated Protect usually fails.
        if page.damaging or again:
            return 0.0
        if (page.target, page.priority) == SHIELDING:
            return KEPT * self._threat(mon)
        if page.heal:
            return min(page.heal, 1 - mon.hp) - self._threat(mon) / 2
        return 0.0 if act.target < 0 else SMALL


def _places(team: Sequence[Mon]) -> dict[int, Mon]:
    return {int(mon.second): mon for mon in team if mon.active and not mon.fainted}
