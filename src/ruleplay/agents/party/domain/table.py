"""The table: the whole state of a game between turns, changed by happenings only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.progress import Expedition
from ruleplay.agents.party.domain.fight import Fight
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings.creatures import FightOver, Happening, HitPointsChanged
from ruleplay.agents.party.domain.happenings.exploration import (
    DayBroke,
    Explored,
    SceneEntered,
    TalkHeard,
)
from ruleplay.agents.party.domain.happenings.tale import Improvised, Parted
from ruleplay.agents.party.domain.memory import Memory
from ruleplay.agents.party.domain.persona import PALETTE, Persona
from ruleplay.agents.party.domain.remembering import lines_of
from ruleplay.agents.party.domain.safety import Safety
from ruleplay.agents.party.domain.seats import DM, EVERYONE, Audience, Seat, knows, private
from ruleplay.agents.party.domain.tale import Tale
from ruleplay.agents.party.domain.terms_text import SEATS
from ruleplay.agents.party.domain.throws import Thrown, thrown
from ruleplay.story.texts import Frozen, Lang

ROLLS = 24
"""How many rolls of the last turn are shown; the events hold all of them."""
Mode = Literal["exploring", "combat", "ended"]


class Table(Frozen):
    """A game as it stands.

    `turn_queue` names the seats in order, the DM's first; `current_turn` is the seat that is to
    move. `shared` says who else has been told a clue or secret than who found or was dealt it.
    `rolled` are the dice of the last turn; `turned` says that the next roll opens a new one.
    """

    lang: Lang = "en"
    cast: Cast
    expedition: Expedition
    personas: dict[str, Persona]
    turn_queue: tuple[str, ...]
    round: int = 1
    current_turn: str = DM
    seats: dict[str, Seat]
    shared: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    memories: dict[str, Memory]
    rolled: Annotated[tuple[Thrown, ...], Field(max_length=ROLLS)] = ()
    turned: bool = True
    safety: Safety = Safety()
    paused: p.Paused | None = None
    tale: Tale = Field(default=Tale(), exclude_if=lambda tale: tale == Tale())

    @property
    def mode(self) -> Mode:
        """Return the mode of play."""
        if self.expedition.ending:
            return "ended"
        return "combat" if self.cast.fight else "exploring"

    @property
    def characters(self) -> tuple[str, ...]:
        """Return the seats of the characters, in order."""
        return tuple(seat for seat in self.turn_queue if seat != DM)

    @property
    def human_active(self) -> bool:
        """Whether a human holds a seat."""
        return any(seat.held for seat in self.seats.values())

    @property
    def controlled_character(self) -> str | None:
        """Return the seat that a human plays: the one to move where several do."""
        held = [name for name in self.turn_queue if self.seats[name].held]
        return self.current_turn if self.current_turn in held else next(iter(held), None)

    def color(self, seat: str) -> str:
        """Return a character's own colour or that of its seat; others have none."""
        if seat not in self.characters:
            return ""
        own = self.personas[seat].color if seat in self.personas else ""
        return own or PALETTE[self.characters.index(seat) % len(PALETTE)]

    def is_held(self, seat: str) -> bool:
        """Tell whether a human holds a seat."""
        return seat in self.seats and self.seats[seat].held

    @property
    def awaited(self) -> tuple[str, ...]:
        """Return the characters of persons who have not had a turn yet in the current scene.

        Until they have, companions who play themselves neither leave it nor begin anything in it.
        """
        scene = self.expedition.scene
        return tuple(
            seat
            for seat in (self.characters if scene else ())
            if self.is_held(seat)
            and not self.is_fallen(seat)
            and self.tale.present.get(seat) != scene
        )

    def undone(self, seat: str) -> tuple[str, ...]:
        """Return what else a seat wanted to do, and nobody has done or asked meanwhile."""
        now = self.expedition
        return self.tale.undone(seat, (*now.flags, f"at:{now.scene}"))

    @property
    def led(self) -> bool:
        """Whether persons decide where the party goes; companions then never move it alone."""
        persons = (seat for seat in self.characters if self.is_held(seat))
        return any(not self.is_fallen(seat) and not self.seats[seat].missed for seat in persons)

    @property
    def onlookers(self) -> tuple[str, ...]:
        """Return the persons' seats whose characters are dead, or down in a fight, if all are.

        The table then waits for their word before each round.
        """
        held = [seat for seat in self.turn_queue if self.is_held(seat)]
        fallen = (self.cast.get(seat) for seat in held)
        out = tuple(
            one.id for one in fallen if one and (one.dead or (one.dying and self.cast.fight))
        )
        return out if len(out) == len(held) else ()

    def following(self, seat: str) -> tuple[str, int]:
        """Return who moves after a seat, and in which round; the fallen are skipped.

        In a fight the initiative decides, and the DM's turn covers all foes in a row.
        """
        if self.cast.fight:
            return self._following_in(self.cast.fight, seat)
        for name in self.turn_queue[self.turn_queue.index(seat) + 1 :]:
            if not self.is_fallen(name):
                return name, self.round
        return DM, self.round + 1

    def _following_in(self, fight: Fight, seat: str) -> tuple[str, int]:
        places = [*range(fight.turn + 1, len(fight.order)), *range(len(fight.order))]
        for passed, place in enumerate(places):
            one = self.cast.get(fight.order[place])
            if one is None or not (one.conscious and one.present):
                continue
            mover = one.id if one.id in self.characters else DM
            if mover != seat or seat != DM:
                return mover, self.round + (passed >= len(fight.order) - fight.turn - 1)
        return DM, self.round + 1

    def name(self, who: str) -> str:
        """Return the name of a seat or creature in the table's language; its id if unknown."""
        found = self.cast.get(who)
        if name := found.name if found else self.tale.captives.get(who):
            return name.of(self.lang)
        return SEATS[who].of(self.lang) if who in SEATS else who

    @property
    def party(self) -> tuple[Creature, ...]:
        """Return the characters, in the order of their seats."""
        found = (self.cast.get(seat) for seat in self.characters)
        return tuple(one for one in found if one)

    def is_fallen(self, seat: str) -> bool:
        """Tell whether the character of a seat cannot act: down, dead, or gone."""
        one = self.cast.get(seat)
        return one is not None and not (one.conscious and one.present)

    def apply(self, happening: Happening | Explored) -> Table:
        """Return the table after a happening; it is pure and handles every happening."""
        return self.witnessed(happening, getattr(happening, "audience", (EVERYONE,)))

    def witnessed(self, happening: Happening | Explored, audience: Audience) -> Table:
        """Return the table after a happening that only an audience knows of."""
        known = audience if EVERYONE in audience else private(*audience)
        came = changed(self, happening)
        tale = came.tale.since(self.tale, known)
        came = came if tale is came.tale else came.model_copy(update={"tale": tale})
        after = noted(came, happening, known)
        dice = tuple(one.model_copy(update={"audience": known}) for one in thrown(happening))
        if not dice:
            return after
        earlier = () if self.turned else self.rolled
        shown = (*earlier, *dice)[-ROLLS:]
        return after.model_copy(update={"rolled": shown, "turned": False})


def changed(table: Table, happening: Happening | Explored) -> Table:
    """Return the table with the one effect of a happening."""
    if isinstance(happening, Explored):
        after = {"expedition": table.expedition.apply(happening)}
        tale = table.tale.rested() if isinstance(happening, DayBroke) else table.tale
        tale = tale.settled() if isinstance(happening, SceneEntered) else tale
        return table.model_copy(update={**after, "tale": tale})
    if isinstance(happening, p.Proceeding):
        return table.model_copy(update=_proceeded(table, happening))
    if isinstance(happening, Improvised):
        tale = table.tale.apply(happening, table.round)
        if isinstance(happening, Parted):
            cast = table.cast.with_(happening.who, gone=bool(happening.scene))
            return table.model_copy(update={"tale": tale, "cast": cast})
        return table.model_copy(update={"tale": tale})
    foes = [one.id for one in table.cast.creatures if one.id not in table.seats]
    tale = table.tale.after_fight(foes) if isinstance(happening, FightOver) else table.tale
    if isinstance(happening, HitPointsChanged) and happening.amount < 0:
        tale = tale.hurt() if happening.who in table.characters else tale
    cast = table.cast.apply(happening)
    if (who := getattr(happening, "who", "")) in foes:
        was, now = table.cast.the(who), cast.get(who)
        if now is None or (was.conscious, was.present) != (now.conscious, now.present):
            tale = tale.without_details((who,))
    return table.model_copy(update={"cast": cast, "tale": tale})


def _proceeded(table: Table, happening: p.Proceeding) -> dict[str, object]:
    match happening:
        case p.SeatHeld(seat=seat, by=by):
            key = "" if by != "human" else table.seats[seat].key
            return _seat(table, seat, by=by, key=key, missed=0)
        case p.SeatKeyed(seat=seat, key=key):
            return _seat(table, seat, key=key)
        case p.Acted(seat=seat, how=how) if seat in table.seats:
            missed = table.seats[seat].missed + 1 if how == "timeout" else 0
            return {**_seat(table, seat, missed=missed), "tale": table.tale.after_turn(seat)}
        case p.TurnPassed(seat=seat, round=at):
            return {"current_turn": seat, "round": at, "turned": True}
        case p.Learned(key=key, to=to):
            told = tuple(dict.fromkeys((*table.shared.get(key, ()), *to)))
            return {"shared": {**table.shared, key: told}}
        case p.Paused():
            return {"paused": p.Paused(why=happening.why, by=happening.by)}
        case p.Resumed():
            return {"paused": None}
        case p.SafetyAgreed(safety=safety):
            return {"safety": safety}
        case p.LanguageChosen(lang=lang):
            return {"lang": lang}
        case _:
            return {}


def _seat(table: Table, seat: str, **changes: object) -> dict[str, object]:
    return {"seats": {**table.seats, seat: table.seats[seat].model_copy(update=changes)}}


def noted(table: Table, happening: Happening | Explored, known: Audience) -> Table:
    """Return the table after everyone who may know has taken note of what happened."""
    if isinstance(happening, TalkHeard):
        known = (EVERYONE,)  # its own line says who heard it: older releases noted it for all
    lines = lines_of(happening, table.round, table.characters)
    if not lines:
        return table
    memories = dict(table.memories)
    for line, audience in lines:
        for seat in memories:
            if knows(seat, audience) and knows(seat, known):
                memories[seat] = memories[seat].with_line(line)
    return table.model_copy(update={"memories": memories})
