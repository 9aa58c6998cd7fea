"""What can be done outside fights in an adventure, and what a policy should do next."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from ruleplay.agents.party.domain.adventure import FALLEN, Adventure, Deed, Exit, Person, Talk
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.progress import Expedition
from ruleplay.story.texts import Frozen

Venture = Literal[
    "begin", "go", "search", "deed", "talk", "sneak", "parley", "provoke", "short_rest",
    "long_rest", "hint", "spring",
]  # fmt: skip
"""What can be ventured; `begin`, `hint` and `spring` (the waiting foes attack) are the DM's."""
DM_ONLY: tuple[Venture, ...] = ("begin", "hint", "spring")
SHORT_RESTS = 2
"""The number of useful short rests between two long ones."""


Wanted = Callable[[Expedition, Adventure], bool]


class Exploration(Frozen):
    """Something to venture: `target` is the key of the scene, deed, person or hint it is about.

    `topic` is the key of a talk.
    """

    act: Venture
    target: Annotated[str, Field(max_length=60)] = ""
    topic: Annotated[str, Field(max_length=60)] = ""

    @property
    def id(self) -> str:
        """Return the act as one word: `go:mill`, `talk:brenna/brenna-bell`, `short_rest`."""
        about = f"{self.target}/{self.topic}" if self.topic else self.target
        return f"{self.act}:{about}" if about else self.act


RESTS = ("short_rest", "long_rest")


def wanted(option: str) -> Exploration | None:
    """Parse an option id of exploring; None for anything else."""
    act, _, rest = option.partition(":")
    target, _, topic = rest.partition("/")
    if act not in ("go", "search", "deed", "talk", "sneak", "parley", "provoke", *RESTS):
        return None
    return Exploration.model_validate({"act": act, "target": target, "topic": topic})


class Option(Frozen):
    """Something that can be done next; the higher its weight, the more it moves the story on.

    `closing` ones end the adventure, one way or another.
    """

    does: Exploration
    weight: int
    closing: bool = False

    @property
    def id(self) -> str:
        """Return the id of the option."""
        return self.does.id


def exits(now: Expedition, adventure: Adventure) -> tuple[Exit, ...]:
    """Return the open exits of the scene."""
    ways = adventure.scenes[now.scene].exits if now.scene else ()
    return tuple(way for way in ways if way.when.holds(now.standing))


def refuge(now: Expedition, adventure: Adventure, way: str = "") -> str:
    """Return the scene that a flight from the present fight leads to: the way named, if it is open.

    It is empty where the adventure has no fight.
    """
    if not now.fighting:
        return ""
    retreat = adventure.encounters[now.fighting].retreat
    return way if any(one.to == way for one in exits(now, adventure)) else retreat


def persons(now: Expedition, adventure: Adventure) -> dict[str, Person]:
    """Return the persons present in the scene."""
    keys = adventure.scenes[now.scene].persons if now.scene else ()
    known = ((key, adventure.persons[key]) for key in keys)
    return {key: person for key, person in known if person.when.holds(now.standing)}


def talks(now: Expedition, adventure: Adventure, person: str, who: str) -> dict[str, Talk]:
    """Return the topics a character can still raise with a person."""
    return {
        key: talk
        for key, talk in adventure.talks.items()
        if talk.person == person
        and _may(now, "talk", key, who, secret=talk.secret, once=False)
        and talk.when.holds(now.standing)
    }


def unmoved(now: Expedition, adventure: Adventure, person: str, who: str) -> tuple[str, ...]:
    """Return the topics that a character has raised with a person in vain and nobody has heard."""
    return tuple(
        key
        for key, talk in adventure.talks.items()
        if talk.person == person
        and now.has_tried("talk", key, who)
        and f"talk:{key}" not in now.flags
        and talk.when.holds(now.standing)
    )


def deeds(now: Expedition, adventure: Adventure, who: str) -> dict[str, Deed]:
    """Return the deeds a character can still do in the scene."""
    return {
        key: deed
        for key, deed in adventure.deeds.items()
        if deed.scene == now.scene
        and _may(now, "deed", key, who, secret=deed.secret, once=deed.once)
        and deed.when.holds(now.standing)
    }


def _may(now: Expedition, kind: str, key: str, who: str, *, secret: str, once: bool) -> bool:
    if f"{kind}:{key}" in now.flags or now.has_tried(kind, key, who):
        return False
    if once and f"failed:{key}" in now.flags:
        return False
    return not secret or now.keeps(who, secret)


def waiting(now: Expedition, adventure: Adventure) -> str:
    """Return the encounter waiting in the scene; empty if there is none."""
    key = adventure.scenes[now.scene].encounter if now.scene else ""
    if not key or f"over:{key}" in now.flags or now.fighting or now.ending:
        return ""
    return key if adventure.encounters[key].when.holds(now.standing) else ""


def left_of(key: str, now: Expedition, cast: Cast) -> Iterator[Creature]:
    """Yield the foes of an encounter whom the party has fled from, rested if a night has passed."""
    day, foes = now.faced.get(key, (0, ()))
    for foe in filter(None, map(cast.get, foes)):
        hp = foe.hp if day == now.day else foe.max_hp
        yield foe.model_copy(update={"hp": hp, "effects": ()})


def closes(now: Expedition, adventure: Adventure, flags: tuple[str, ...]) -> bool:
    """Whether setting these flags would end the adventure."""
    after = (*now.standing, *flags)
    return any(one.when.holds(after) for key, one in adventure.endings.items() if key != FALLEN)


def snatched(now: Expedition, adventure: Adventure, deed: Deed) -> bool:
    """Whether a deed can be done in front of foes: it is slight and ends nothing."""
    return deed.slight and not closes(now, adventure, deed.gain.flags)


def options(
    now: Expedition, adventure: Adventure, who: str, *, wounded: bool = False
) -> tuple[Option, ...]:
    """Return what a character could do next, the most sensible first.

    `wounded` says that the party would do well to rest. Everything in it is legal; with a policy
    that takes one of the first, every adventure comes to an end.
    """
    if not now.begun or now.ending or now.fighting:
        return ()
    found = list(_met(now, adventure, who)) or [
        *_doable(now, adventure, who),
        *_rests(now, adventure, wounded),
        *_ways(now, adventure),
    ]
    best: dict[str, Option] = {}
    for one in sorted(found, key=lambda one: (-one.weight, one.id)):
        best.setdefault(one.id, one)
    return tuple(best.values())


def dm_options(now: Expedition, adventure: Adventure, party: tuple[str, ...]) -> tuple[Option, ...]:
    """Return what the DM could do next to move the story on, the most sensible first."""
    if now.ending or now.fighting:
        return ()
    if not now.begun:
        return (Option(does=Exploration(act="begin"), weight=100),)
    if key := waiting(now, adventure):
        return (Option(does=Exploration(act="spring", target=key), weight=80),)
    hints = dict.fromkeys(
        f"{one.does.act}:{one.does.topic or one.does.target}"
        for who in party
        for one in _doable(now, adventure, who)
        if not _secret(one.does, adventure)
    )
    return tuple(
        Option(does=Exploration(act="hint", target=hint), weight=50)
        for hint in hints
        if hint not in now.hinted
    )


def _secret(does: Exploration, adventure: Adventure) -> bool:
    section = adventure.talks if does.act == "talk" else adventure.deeds
    return bool(section[does.topic or does.target].secret)


def _met(now: Expedition, adventure: Adventure, who: str) -> Iterator[Option]:
    """List the ways to deal with a waiting encounter; going back is allowed, going on is not."""
    key = waiting(now, adventure)
    if not key:
        return
    encounter = adventure.encounters[key]
    if encounter.parley:
        yield Option(does=Exploration(act="parley", target=key), weight=70)
    if encounter.sneak:
        yield Option(does=Exploration(act="sneak", target=key), weight=65)
    yield Option(does=Exploration(act="provoke", target=key), weight=60)
    if any(way.to == encounter.retreat for way in exits(now, adventure)):
        yield Option(does=Exploration(act="go", target=encounter.retreat), weight=1)


def _doable(now: Expedition, adventure: Adventure, who: str) -> Iterator[Option]:
    for person in persons(now, adventure):
        for key, talk in talks(now, adventure, person, who).items():
            closing = closes(now, adventure, talk.gain.flags)
            does = Exploration(act="talk", target=person, topic=key)
            yield Option(does=does, weight=2 if closing else 60, closing=closing)
    for key, deed in deeds(now, adventure, who).items():
        closing = closes(now, adventure, deed.gain.flags)
        does = Exploration(act="deed", target=key)
        yield Option(does=does, weight=2 if closing else 55 if deed.search else 50, closing=closing)


def _rests(now: Expedition, adventure: Adventure, wounded: bool) -> Iterator[Option]:
    """Yield the ways to rest: sleep in a safe scene, go to one, or take a short rest."""
    if not wounded or not now.scene:
        return
    if adventure.scenes[now.scene].safe:
        yield Option(does=Exploration(act="long_rest"), weight=75)
    else:
        ways = (way.to for way in exits(now, adventure))
        to_safety = {to: _steps(now, adventure, to, _safe_there) for to in ways}
        near = sorted((steps, to) for to, steps in to_safety.items() if steps is not None)
        for _, to in near[:1]:
            yield Option(does=Exploration(act="go", target=to), weight=74)
    if now.short_rests < SHORT_RESTS:
        yield Option(does=Exploration(act="short_rest"), weight=72)


def _safe_there(there: Expedition, adventure: Adventure) -> bool:
    """Whether the party has been in the scene and can sleep there."""
    visited = f"scene:{there.scene}" in there.flags
    return visited and adventure.scenes[there.scene].safe and not waiting(there, adventure)


def _ways(now: Expedition, adventure: Adventure) -> Iterator[Option]:
    """Yield the open ways: those that lead soonest to something new, then to an end, then the rest.

    What somebody failed at no longer counts as new, or a party would go back and forth forever.
    """
    ways = exits(now, adventure)
    to_new = {way.to: _steps(now, adventure, way.to, _new_there) for way in ways}
    to_end = {way.to: _steps(now, adventure, way.to, _end_there) for way in ways}
    something_new = any(steps is not None for steps in to_new.values())
    for way in ways:
        steps = to_new[way.to] if something_new else to_end[way.to]
        most = 40 if something_new else 30
        weight = 0 if steps is None else max(1, most - steps)
        yield Option(does=Exploration(act="go", target=way.to), weight=weight)


def _steps(now: Expedition, adventure: Adventure, start: str, wanted: Wanted) -> int | None:
    """Return the steps (breadth-first) via a scene to a wanted one; None if there is no way."""
    known, queue = {now.scene, start}, deque([(start, 0)])
    while queue:
        scene, steps = queue.popleft()
        there = now.model_copy(update={"scene": scene})
        if wanted(there, adventure):
            return steps
        for way in exits(there, adventure):
            if way.to not in known:
                known.add(way.to)
                queue.append((way.to, steps + 1))
    return None


def _new_there(there: Expedition, adventure: Adventure) -> bool:
    if f"scene:{there.scene}" not in there.flags or waiting(there, adventure):
        return True
    return any(not closing for closing in _open_there(there, adventure))


def _end_there(there: Expedition, adventure: Adventure) -> bool:
    return any(_open_there(there, adventure))


def _open_there(there: Expedition, adventure: Adventure) -> Iterator[bool]:
    """Say of each thing that is open in a scene and that nobody failed at whether it is an end."""
    for option in _doable(there, adventure, ""):
        key = option.does.topic or option.does.target
        if f"failed:{key}" not in there.flags:
            yield option.closing
