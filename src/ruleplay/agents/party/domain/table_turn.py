"""The working state of one turn: the table as it is so far, and what has happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.exploration import effects
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.exploration.draft import Happened, Journey
from ruleplay.agents.party.domain.exploration.rules import explore
from ruleplay.agents.party.domain.fight import LURED, REACH, Fight
from ruleplay.agents.party.domain.happenings import exploration as x
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings.creatures import (
    FightBegan,
    FightOver,
    GotAway,
    Happening,
    Moved,
    PersonsFirst,
)
from ruleplay.agents.party.domain.happenings.tale import (
    AttitudeChanged,
    Improvised,
    KeepsakeGained,
    Parted,
    TookPart,
)
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.play import Impossible, Play
from ruleplay.agents.party.domain.rules.acts import resolve
from ruleplay.agents.party.domain.rules.effects import bestow, lure
from ruleplay.agents.party.domain.rules.turns import settle
from ruleplay.agents.party.domain.seats import DM, EVERYONE, private
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.tale import HERE, NEAR


@dataclass
class TableTurn:
    """Collects what happens; every rule sees the table as the earlier happenings left it.

    `unseen` maps an index in `done` to the one seat that sees the happening besides the game
    master.
    """

    table: Table
    book: Book
    done: list[Happened] = field(default_factory=list)
    unseen: dict[int, str] = field(default_factory=dict)
    began: Table = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.table

    def add(self, *happened: Happened) -> None:
        """Record happenings and apply them to the table."""
        for one in happened:
            self.table = self.table.apply(one)
            self.done.append(one)
            if isinstance(one, x.DeedDone | x.DeedFailed | x.TalkHeard | x.TalkFailed):
                self._hand_over(one)
            if isinstance(one, FightBegan):
                self._stand_close()
                self._look_away(one.fight)

    def _stand_close(self) -> None:
        """Let those begin a fight within reach who were so just before it."""
        near = [one.key for one in self.table.tale.ledger.counts if one.key.startswith(NEAR)]
        for at, who, kind in (key.removeprefix(NEAR).split(":") for key in near):
            to = self.table.cast.the(who).position + REACH
            there = [one for one in self.table.cast.foes_of(who) if one.kind == kind]
            if int(at) >= self.table.round - 1 and there:
                foe = min(there, key=lambda one: abs(one.position - to))
                self.add(Moved(who=foe.id, origin=foe.position, position=to, why="pushed"))

    def _look_away(self, fight: Fight) -> None:
        """Let foes begin a fight turned to what drew them off just before it, or won over."""
        drawn = self.table.tale.ledger.of(f"{LURED}:{fight.key}")
        play = Play(self.table.cast, self.book.rules)
        for one in play.cast.fighters if drawn else ():
            if one.side != "party":
                bestow(play, one.id, lure(one.id, ""))
        self.add(*play.happened)
        for one in play.cast.fighters:
            if one.side != "party" and self.table.tale.attitude(f"{fight.key}/{one.kind}") > 0:
                self.add(AttitudeChanged(person=one.id, amount=1, value=1))

    def _hand_over(self, one: x.DeedDone | x.DeedFailed | x.TalkHeard | x.TalkFailed) -> None:
        """Give whoever did something the keepsakes that it brings, unless one of them has them."""
        deeds, talks = self.book.story.deeds, self.book.story.talks
        done = isinstance(one, x.DeedDone | x.TalkHeard)
        if isinstance(one, x.DeedDone | x.DeedFailed):
            brought = deeds[one.deed].gain if done else deeds[one.deed].loss
        else:
            brought = talks[one.talk].gain if done else talks[one.talk].loss
        had = {own.text for own in self.table.tale.keepsakes}
        for name in brought.keepsakes:
            if (text := name.of(self.table.lang)) not in had:
                self.add(KeepsakeGained(who=one.who, text=text))

    def hide(self, since: TableTurn, seat: str, who: str) -> None:
        """Let only one seat know what has happened since an earlier state of the turn.

        In a fight everybody sees what it does to anybody but `who`, the one who acts.
        """
        came, self.table = self.done[len(since.done) :], since.table
        del self.done[len(since.done) :]
        for one in came:
            suffered = not isinstance(one, Improvised) and getattr(one, "who", who) != who
            if suffered and self.table.cast.fight:
                self.add(one)
                continue
            self.unseen[len(self.done)] = seat
            kept = one
            if isinstance(one, x.Explored) and EVERYONE in one.audience:
                unseen = {"unseen": True} if isinstance(one, x.TalkHeard) else {}
                kept = one.model_copy(update={"audience": private(seat), **unseen})
            self.table = self.table.witnessed(kept, (seat,))
            self.done.append(kept)

    def venture(self, who: str, does: Exploration) -> Refusal | None:
        """Let somebody explore; a refusal changes nothing.

        In a rest all recover who rest, but nobody spends the hit dice of another person.
        """
        before, made = self.table, len(self.done)
        if does.act == "go":
            self._stay_behind(who)
        now, cast = self.table.expedition, self.table.cast
        spending = tuple(
            one for one in self.table.characters if one == who or not self.table.is_held(one)
        )
        came = explore(now, self.book.story, cast, self.book.rules, who, does, spending)
        if isinstance(came, Refusal):
            self.table = before
            del self.done[made:]
            return came
        self.add(*came)
        self._let_persons_begin(came)
        self.meet_again()
        return None

    def _stay_behind(self, who: str) -> None:
        """Part from those who have said that they stay, before somebody leads the party on."""
        for order in self.table.tale.orders:
            stays = order.keeps == HERE and order.seat != who
            if stays and not (self.table.is_held(order.seat) or self.table.is_fallen(order.seat)):
                self.add(Parted(who=order.seat, scene=self.table.expedition.scene))

    def meet_again(self, *called: str) -> None:
        """Let those come back who were `called`, or have stayed where the party is now."""
        here = self.table.expedition.scene
        for who, scene in self.table.tale.parted.items():
            if not self.table.cast.fight and (scene == here or who in called):
                self.add(Parted(who=who))

    def step(self, who: str, intent: Intent) -> Refusal | None:
        """Let somebody take one step, in a fight or outside of one, and apply what follows."""
        mercy = [one for one in self.table.characters if self.table.tale.spares(one)]
        came = resolve(self.table.cast, who, intent, self.book.rules, mercy=mercy)
        if isinstance(came, Refusal):
            return came
        self._happened(came)
        return None

    def _happened(self, came: Sequence[Happening]) -> None:
        way, before = self.table.tale.way, self.table
        away = {one.who for one in came if isinstance(one, GotAway)}
        away |= {one.id for one in before.party if one.gone}
        persons = {one.id for one in before.party if before.is_held(one.id)}
        self.add(*came)
        for over in came:
            if isinstance(over, FightOver):
                # A fight that ends behind those who ran from it does not call them back.
                ran = bool(persons) and persons <= away
                self._conclude(over, way if ran or over.outcome in ("fled", "forced") else "")

    def _let_persons_begin(self, came: Sequence[Happened]) -> None:
        """In a fight that has just begun, let persons' characters act before their companions."""
        fight = self.table.cast.fight
        began = any(isinstance(one, FightBegan) for one in came)
        if began and fight and (first := persons_first(self.table, fight)):
            self.add(first)

    def _conclude(self, over: FightOver, way: str) -> None:
        self.travel(lambda journey: effects.conclude_fight(journey, over.outcome, way))

    def travel(self, *acts: Callable[[Journey], object]) -> None:
        """Run `acts` with the rules of exploring, and apply what happened."""
        journey = Journey(self.table.expedition, self.book.story, self.table.cast, self.book.rules)
        for act in acts:
            act(journey)
        self.add(*journey.done)
        self._let_persons_begin(journey.done)

    def refuse(self, seat: str, refused: Refusal, words: str = "") -> None:
        """Refuse something to a seat, quoting the words concerned."""
        self.add(p.Refused.model_validate({"seat": seat, "words": words, **refused.model_dump()}))

    def by_rules(self, act: Callable[[Play], object]) -> Refusal | None:
        """Run `act` with the rules of play, and apply what follows from it."""
        play = Play(self.table.cast, self.book.rules)
        try:
            act(play)
        except Impossible as refused:
            return refused.refusal
        settle(play)
        self._happened(play.happened)
        return None

    def finish(self, seat: str, how: p.How = "acts") -> None:
        """End a seat's act and pass the turn on."""
        self.add(p.Acted(seat=seat, how=how))
        scene = self.began.expedition.scene
        if seat in self.began.awaited and scene:
            self.add(TookPart(seat=seat, scene=scene))
        mover, at = self._next_seat(seat)
        self.add(p.TurnPassed(seat=mover, round=at))

    def follow_initiative(self) -> None:
        """Pass the turn on if the initiative has moved by itself or a fight began unexpectedly."""
        table, fight = self.table, self.table.cast.fight
        if fight is None or table.mode != "combat":
            return
        mover = fight.actor if fight.actor in table.characters else DM
        if mover != table.current_turn:
            seat, at = self._next_seat(table.current_turn)
            self.add(p.TurnPassed(seat=seat, round=at))

    def _next_seat(self, seat: str) -> tuple[str, int]:
        """Return who moves after a seat, and in which round of the table.

        This is the only place that decides it. In a fight the initiative decides who moves, and
        the fight's rounds count as the table's. When a fight ends, the DM moves next, in the same
        round.
        """
        table, fought, fight = self.table, self.began.cast.fight, self.table.cast.fight
        if fight:
            same = fought is not None and fought.key == fight.key
            rounds = fight.round - (fought.round if fought and same else 1)
            actor = fight.actor
            return (actor if actor in table.characters else DM), table.round + rounds
        if fought or any(isinstance(one, FightOver) for one in self.done):
            return DM, table.round
        return table.following(seat)


def persons_first(table: Table, fight: Fight) -> PersonsFirst | None:
    """Return an order in which persons' characters come before their companions.

    It is None when no person holds a character. The party keeps its places in the order; only who
    stands in them changes. Whoever has already begun a turn keeps it.
    """
    held = [who for who in fight.order if table.is_held(who)]
    if not held:
        return None
    begun = fight.actor if fight.begun else ""
    places = [n for n, who in enumerate(fight.order) if who in table.characters and who != begun]
    movable = [fight.order[n] for n in places]
    wanted = sorted(movable, key=lambda who: who not in held)
    order = list(fight.order)
    for place, who in zip(places, wanted, strict=True):
        order[place] = who
    owed = tuple(who for who in held if who != begun)
    return PersonsFirst(order=tuple(order), owed=owed)
