"""What is remembered between decisions: the log in words, revealed sets, and deductions.

Everything is derived from positions and bounded in size; the full record is in the events.
"""

from __future__ import annotations

from itertools import takewhile

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.happenings import happenings
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.phrases import LANGUAGES, happened, say
from ruleplay.agents.battle.domain.position import Mon, Position
from ruleplay.agents.battle.domain.results import Inference, Matchups
from ruleplay.agents.battle.domain.strikes import Scene, priority_of
from ruleplay.agents.battle.domain.worlds import our_fighter, their_fighter

LOG_KEPT = 400
"""Lines of the log that are kept."""
CHOICE = ("choiceband", "choicescarf", "choicespecs")
"""The Choice items, which only allow one move."""


class Deduction(Frozen):
    """Something that was not shown but concluded, with the evidence."""

    ident: str
    says: str
    evidence: str


class Revealed(Frozen):
    """What one opposing Pokémon has shown, and the item that was deduced.

    `item` is the one it was seen with, even if it has lost it since.
    """

    ident: str
    name: str
    moves: tuple[str, ...] = ()
    item: str | None = None
    item_lost: bool = False
    deduced_item: str | None = None
    ability: str | None = None
    tera_type: str | None = None
    fainted: bool = False


class Memory(Frozen):
    """The battle so far; `acted` and `switched` count the opponent's actions, for its habits.

    `matchups` and `summary` only exist because stored memories have them.
    """

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
        """The opponent's habits, once there are enough observations."""
        return {"switch_rate": self.switched / self.acted} if self.acted >= 6 else {}


def remember(
    memory: Memory, position: Position, inference: Inference, language: str = "en"
) -> Memory:
    """Add a position to the memory; adding the same one again changes nothing."""
    told = fresh_lines(memory, position, language)
    acted, switched = _acts(position)
    return Memory(
        turn=position.turn,
        log=(*memory.log, *told)[-LOG_KEPT:],
        revealed=tuple(_revealed(mon, inference) for mon in position.theirs.team),
        deductions=_deductions(position, inference),
        acted=max(memory.acted, acted),
        switched=max(memory.switched, switched),
        matchups=memory.matchups,
    )


def fresh_lines(memory: Memory, position: Position, language: str = "en") -> tuple[str, ...]:
    """Phrase what happened since the memory was last updated."""
    lines, turn = list[str](), 0
    for one in happenings(position):
        if one.turn < memory.turn:
            continue
        if one.turn > turn:
            lines.append(say(language, "turn_head", turn=one.turn))
        turn = one.turn
        lines.append(happened(language, one))
    # The memory may already hold a part of its last turn: as many lines as follow that turn's
    # heading there are skipped.
    heads = _heads(memory.turn)
    begun = max((n for n, line in enumerate(memory.log) if line in heads), default=len(memory.log))
    return tuple(lines[len(memory.log) - begun if memory.turn else len(memory.log) :])


def told_on(memory: Memory, turn: int, position: Position, language: str) -> tuple[str, ...]:
    """Tell a turn in a language while the position's log has it, else as it was noted down."""
    if f"turn|{turn}" in position.log:
        return tuple(happened(language, one) for one in happenings(position) if one.turn == turn)
    begun = next((n for n, line in enumerate(memory.log) if line in _heads(turn)), len(memory.log))
    later = {head for after in range(turn + 1, memory.turn + 1) for head in _heads(after)}
    return tuple(takewhile(lambda line: line not in later, memory.log[begun + 1 :]))


def _heads(turn: int) -> set[str]:
    """List a turn's heading in every language, as the language may change during a battle."""
    return {say(language, "turn_head", turn=turn) for language in LANGUAGES}


def _acts(position: Position) -> tuple[int, int]:
    """Count the opponent's actions and voluntary switches in the part of the log still kept."""
    foe = position.theirs.team[0].ident[:2] if position.theirs.team else "p2"
    moved = sum(line.startswith(f"move|{foe}") for line in position.log)
    switched, forced = 0, True
    for line in position.log:
        # Replacing a fainted Pokémon or pivoting says nothing about a habit of switching.
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
        item=mon.item or mon.first_item,
        item_lost=mon.item == "" and bool(mon.first_item),
        deduced_item=_deduced_item(mon, inference),
        ability=mon.ability,
        tera_type=mon.tera_type if mon.terastallized else None,
        fainted=mon.fainted,
    )


def _deduced_item(mon: Mon, inference: Inference) -> str | None:
    """Find the item that all fitting sets agree on, if none was shown."""
    guess = inference.guesses.get(mon.ident)
    if mon.item is not None or guess is None or not guess.exact:
        return None
    items = set(guess.items) or {each.set.item for each in guess.sets}
    return items.pop() if len(items) == 1 else None


def _deductions(position: Position, inference: Inference) -> tuple[Deduction, ...]:
    """List what follows from each Pokémon's sets, ruled-out items and speed."""
    found: list[Deduction] = []
    for mon in position.theirs.team:
        item, out = _deduced_item(mon, inference), mon.ruled_out_items
        told = (
            (
                bool(item),
                f"carries {item_name(item or '')}",
                "every known set with what it showed carries it",
            ),
            (
                set(CHOICE) <= set(out),
                "has no choice item",
                "it used two different moves without leaving",
            ),
            ("heavydutyboots" in out, "wears no Heavy-Duty Boots", "entry hazards hurt it"),
            (
                "leftovers" in out and mon.item is None,
                "has no Leftovers",
                "it was hurt at the end of a turn and did not heal",
            ),
        )
        found += [
            Deduction(ident=mon.ident, says=f"{mon.name} {says}", evidence=evidence)
            for holds, says, evidence in told
            if holds
        ]
        found += _speed_deductions(mon, position, inference)
    return tuple(found[:24])


def _speed_deductions(mon: Mon, position: Position, inference: Inference) -> list[Deduction]:
    """Conclude who is faster from who moved first with moves of the same priority."""
    ours = {each.ident: each for each in position.ours.team}
    found = list[Deduction]()
    for seen in mon.speeds[-2:]:
        mate = ours.get(seen.mate)
        if mate is None or mate.stats is None or seen.trick_room:
            continue
        guess = inference.guesses.get(mon.ident)
        may = [their_fighter(mon, one.set) for one in guess.sets] if guess else []
        mine = priority_of(dex.move(seen.mate_move), our_fighter(mate), Scene())
        # With Prankster or the like it went first without being faster.
        if any(priority_of(dex.move(seen.move), one, Scene()) != mine for one in may):
            continue
        how = "moved before" if seen.first else "moved after"
        says = f"{mon.name} is {'faster' if seen.first else 'slower'} than {mate.name}"
        found = [each for each in found if each.says != says]
        found.append(
            Deduction(
                ident=mon.ident,
                says=says,
                evidence=f"on turn {seen.turn} its {dex.move_name(seen.move)} {how} our "
                f"{dex.move_name(seen.mate_move)}",
            )
        )
    return found


def assessment(position: Position, memory: Memory, language: str) -> str:
    """Say how the battle stands, what we learned, how to adapt and what threatens us."""
    parts = [_stands(position, language)]
    if memory.deductions and language == "en":  # deductions are only phrased in English
        learned = "; ".join(each.says for each in memory.deductions[-4:])
        parts.append(f"What we've learned: {learned}.")
    parts.append(say(language, "adapt", how=say(language, _adapted(position))))
    if threat := _threat(position, language):
        parts.append(say(language, "threat", what=threat))
    return " ".join(part for part in parts if part)


def _adapted(position: Position) -> str:
    """Choose the phrase for how to adapt the strategy."""
    ours, theirs = position.ours.alive, position.theirs.alive
    if ours > theirs:
        return "adapt_ahead"
    if ours < theirs:
        return "adapt_behind"
    if not position.ours.tera_used and position.theirs.tera_used:
        return "adapt_tera"
    return "adapt_even"


def _threat(position: Position, language: str) -> str:
    foes = [mon for mon in position.theirs.team if not mon.fainted]
    boosted = next((mon for mon in foes if mon.boosts.raised >= 2), None)
    if boosted is not None:
        return say(language, "threat_raised", mon=boosted.name)
    healthy = max(foes, key=lambda mon: (mon.hp, mon.terastallized), default=None)
    return say(language, "threat_healthy", mon=healthy.name) if healthy else ""


def _stands(position: Position, language: str) -> str:
    ours, theirs = position.ours.alive, position.theirs.alive
    lead = "even" if ours == theirs else ("ahead" if ours > theirs else "behind")
    known = [mon.name for mon in position.theirs.team if not mon.fainted]
    told = [say(language, f"stands_{lead}", ours=ours, theirs=theirs)]
    if known:
        told.append(say(language, "stands_known", mons=", ".join(known)))
    if position.theirs.unseen:
        told.append(say(language, "stands_unseen", count=position.theirs.unseen))
    return " ".join(told)
