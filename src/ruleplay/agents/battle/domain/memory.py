"""What is kept of a battle between decisions: its log in words, revealed sets, deductions.

Everything here is read from positions and is bounded; who wants all of it reads the events.
"""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.position import LOG_LIMIT, Mon, Position
from ruleplay.agents.battle.domain.results import Inference, Matchups

LOG_KEPT = 60
CHOICE = ("choiceband", "choicescarf", "choicespecs")


class Deduction(Frozen):
    """Something not shown but concluded, with what it rests on."""

    ident: str
    says: str
    evidence: str


class Revealed(Frozen):
    """What one opposing Pokémon has shown, and what was concluded of its item."""

    ident: str
    name: str
    moves: tuple[str, ...] = ()
    item: str | None = None
    deduced_item: str | None = None
    ability: str | None = None
    tera_type: str | None = None
    fainted: bool = False


class Memory(Frozen):
    """The battle so far. `turns` and `switches` count what the opponent did, for its habits."""

    turn: int = 0
    log: tuple[str, ...] = ()
    revealed: tuple[Revealed, ...] = ()
    deductions: tuple[Deduction, ...] = ()
    acted: int = 0
    switched: int = 0
    matchups: Matchups = Matchups(pairs=())
    summary: str = ""

    @property
    def habits(self) -> dict[str, float]:
        """How this opponent tends to act, once there is enough to tell."""
        return {"switch_rate": self.switched / self.acted} if self.acted >= 6 else {}


def remember(
    memory: Memory,
    position: Position,
    inference: Inference,
    matchups: Matchups | None = None,
) -> Memory:
    """Return the memory with a position taken in; taking the same one in twice changes nothing."""
    told = tuple(line for line in (_told(line) for line in _fresh(memory, position)) if line)
    revealed = tuple(_revealed(mon, inference) for mon in position.theirs.team)
    acted, switched = _acts(position)
    return Memory(
        turn=position.turn,
        log=(*memory.log, *told)[-LOG_KEPT:],
        revealed=revealed,
        deductions=_deductions(position, inference),
        acted=max(memory.acted, acted),
        switched=max(memory.switched, switched),
        matchups=matchups or memory.matchups,
        summary=_state_of_play(position, revealed),
    )


def _fresh(memory: Memory, position: Position) -> tuple[str, ...]:
    """Return the messages since the turn that the memory knows."""
    for place, line in enumerate(position.log):
        if line.startswith("turn|") and int(line.split("|")[1]) >= memory.turn + 1:
            start = place
            break
    else:
        return () if memory.turn >= position.turn else position.log[-LOG_LIMIT:]
    return position.log[start:]


def _told(line: str) -> str:
    """Return a message in words, nothing for one that needs none."""
    kind, *rest = line.split("|")
    who = rest[0].split(": ")[-1] if rest else ""
    match kind, rest:
        case "turn", [number, *_]:
            return f"Turn {number}."
        case "move", [_, move, *_]:
            return f"{who} used {move}."
        case (("switch" | "drag"), _):
            return f"{who} came in."
        case "faint", _:
            return f"{who} fainted."
        case "-terastallize", [_, kind_, *_]:
            return f"{who} terastallized into {kind_}."
        case "-status", [_, status, *_]:
            return f"{who} got {status}."
        case "-enditem", [_, item, *_]:
            return f"{who} lost its {item}."
        case _:
            return ""


def _acts(position: Position) -> tuple[int, int]:
    """Count the opponent's turns and switches that the bounded log still shows."""
    foe = position.theirs.team[0].ident[:2] if position.theirs.team else "p2"
    moved = sum(line.startswith(f"move|{foe}") for line in position.log)
    switched, forced = 0, True
    for line in position.log:
        if line.startswith(f"faint|{foe}") or "U-turn" in line or "Volt Switch" in line:
            forced = True
        elif line.startswith(f"switch|{foe}"):
            switched += not forced
            forced = False
        elif line.startswith("turn|"):
            forced = False
    return moved + switched, switched


def _revealed(mon: Mon, inference: Inference) -> Revealed:
    return Revealed(
        ident=mon.ident,
        name=mon.name,
        moves=mon.known_moves,
        item=mon.item,
        deduced_item=_deduced_item(mon, inference),
        ability=mon.ability,
        tera_type=mon.tera_type if mon.terastallized else None,
        fainted=mon.fainted,
    )


def _deduced_item(mon: Mon, inference: Inference) -> str | None:
    """Return the item that all sets that still fit agree on, where none was shown."""
    guess = inference.guesses.get(mon.ident)
    if mon.item is not None or guess is None or not guess.exact:
        return None
    items = {each.set.item for each in guess.sets}
    return items.pop() if len(items) == 1 else None


def _deductions(position: Position, inference: Inference) -> tuple[Deduction, ...]:
    found: list[Deduction] = []
    for mon in position.theirs.team:
        item = _deduced_item(mon, inference)
        if item:
            found.append(Deduction(
                ident=mon.ident, says=f"{mon.name} carries {item}",
                evidence="every known set with what it showed carries it",
            ))  # fmt: skip
        if set(CHOICE) <= set(mon.ruled_out_items):
            found.append(Deduction(
                ident=mon.ident, says=f"{mon.name} has no choice item",
                evidence="it used two different moves without leaving",
            ))  # fmt: skip
        if "heavydutyboots" in mon.ruled_out_items:
            found.append(Deduction(
                ident=mon.ident, says=f"{mon.name} wears no Heavy-Duty Boots",
                evidence="entry hazards hurt it",
            ))  # fmt: skip
        found += _speed_deductions(mon, position)
    return tuple(found[:24])


def _speed_deductions(mon: Mon, position: Position) -> list[Deduction]:
    ours = {each.ident: each for each in position.ours.team}
    found = []
    for seen in mon.speeds[-2:]:
        mate = ours.get(seen.mate)
        if mate is None or mate.stats is None or seen.trick_room:
            continue
        how = "moved before" if seen.first else "moved after"
        found.append(Deduction(
            ident=mon.ident,
            says=f"{mon.name} is {'faster' if seen.first else 'slower'} than {mate.name}",
            evidence=f"on turn {seen.turn} its {dex.move_name(seen.move)} {how} our "
            f"{dex.move_name(seen.mate_move)}",
        ))  # fmt: skip
    return found


def _state_of_play(position: Position, revealed: tuple[Revealed, ...]) -> str:
    ours, theirs = position.ours.alive, position.theirs.alive
    lead = "even" if ours == theirs else ("ahead" if ours > theirs else "behind")
    seen = ", ".join(each.name for each in revealed if not each.fainted)
    left = f"{ours} against {theirs}" if ours != theirs else f"{ours} each"
    unseen = f"; {position.theirs.unseen} not yet seen" if position.theirs.unseen else ""
    return f"We are {lead}, {left}. Of theirs we know {seen or 'nobody'}{unseen}."
