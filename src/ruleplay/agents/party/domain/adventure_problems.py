"""Semantic checks of an adventure that its schema cannot express.

Unknown rules keys, flags that are never set, unreachable scenes, clues and endings, and adventures
that cannot end if every check fails.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from ruleplay.agents.party.domain.adventure import DAYS, FALLEN, Adventure, Deed, Gain, Talk, When
from ruleplay.agents.party.domain.rulebook import Rulebook

ENDINGS = 2
"""The number of endings, besides the party's fall, that must be reachable."""


def problems(adventure: Adventure, rules: Rulebook) -> Iterator[tuple[str, str]]:
    """Iterate over all problems as (section, problem); a section looks like `deed open-door`."""
    yield from _unknown(adventure, rules)
    yield from _idle_flags(adventure)
    yield from _out_of_reach(adventure)


def _unknown(adventure: Adventure, rules: Rulebook) -> Iterator[tuple[str, str]]:
    """Find names in the adventure that the rules lack."""
    for key, encounter in adventure.encounters.items():
        where = f"encounter {key}"
        kinds = (foe.kind for foe in encounter.foes if foe.kind not in rules.monsters)
        yield from ((where, _no("monster", kind)) for kind in kinds)
        yield from ((where, _no("item", it)) for it in encounter.loot if it not in rules.items)
    for key, monster in adventure.monsters.items():
        where = f"monster {key}"
        traits = (one for one in monster.traits if one not in rules.features)
        yield from ((where, _no("feature", one)) for one in traits)
        spells = (one for one in monster.spells if one not in rules.spells)
        yield from ((where, _no("spell", one)) for one in spells)
    for where, gain in adventure.gains():
        things = (*gain.items, *gain.takes)
        yield from ((where, _no("item", item)) for item in things if item not in rules.items)
        if gain.keepsakes and where.startswith("encounter"):
            yield where, "keepsakes are for whoever does a deed or hears a talk; this is neither"


def _no(kind: str, name: str) -> str:
    return f"no {kind} {name!r} in the rules"


def _idle_flags(adventure: Adventure) -> Iterator[tuple[str, str]]:
    """Find conditions on flags that nothing sets."""
    set_somewhere = {flag for _, gain in adventure.gains() for flag in gain.flags}
    known = {*set_somewhere, *adventure.automatic()}
    for where, when in adventure.conditions():
        for flag in (*when.has, *when.lacks):
            if flag not in known:
                yield where, f"nothing ever sets the flag {flag!r}"


def _out_of_reach(adventure: Adventure) -> Iterator[tuple[str, str]]:
    lucky = reachable(adventure, lucky=True)
    for kind, keys in (("scene", adventure.scenes), ("clue", adventure.clues)):
        missed = (key for key in keys if f"{kind}:{key}" not in lucky)
        yield from ((f"{kind} {key}", "cannot be reached by anything") for key in missed)
    for key, detail in adventure.details.items():
        if not {*detail.plant.has, *detail.returns.has} <= lucky:
            yield f"detail {key}", "is never planted and paid off"
    within = [key for key in adventure.endings if _ends(adventure, key, lucky)]
    missing = (key for key in adventure.endings if key not in (FALLEN, *within))
    yield from ((f"ending {key}", "cannot be reached") for key in missing)
    if len(within) < ENDINGS:
        yield "the header", f"{len(within)} endings can be reached; at least {ENDINGS} are wanted"
    unlucky = reachable(adventure, lucky=False)
    if not any(_ends(adventure, key, unlucky) for key in adventure.endings):
        yield "the header", "without luck no ending can be reached: a needed check has no way round"


def _ends(adventure: Adventure, key: str, flags: Collection[str]) -> bool:
    return key != FALLEN and set(adventure.endings[key].when.has) <= set(flags)


def reachable(adventure: Adventure, *, lucky: bool) -> frozenset[str]:
    """Return the flags that can become true; `lucky` lets checks succeed as well as fail.

    Otherwise every check fails. Encounters are won or fled from. Negative conditions count as
    fulfilled, so the result is an upper bound over all courses of the game.
    """
    reach = _Reach(adventure, lucky, scenes={adventure.start})
    while reach.grows():
        pass
    return frozenset(reach.flags)


@dataclass
class _Reach:
    """What has been reached so far; every step only ever adds."""

    adventure: Adventure
    lucky: bool
    flags: set[str] = field(default_factory=set)
    scenes: set[str] = field(default_factory=set)

    def grows(self) -> bool:
        """Advance one step everywhere; False if nothing new was reached."""
        before = len(self.flags), len(self.scenes)
        for key in sorted(self.scenes):
            self._visit(key)
        for key, deed in self.adventure.deeds.items():
            if deed.scene in self.scenes and self._may(deed):
                self._try(f"deed:{key}", deed)
        for key, talk in self.adventure.talks.items():
            if self._met(talk.person) and self._may(talk):
                self._try(f"talk:{key}", talk)
        return (len(self.flags), len(self.scenes)) != before

    def _visit(self, key: str) -> None:
        scene = self.adventure.scenes[key]
        self.flags |= {f"scene:{key}", f"at:{key}"}
        self.scenes |= {way.to for way in scene.exits if self._holds(way.when)}
        if scene.safe:
            self.flags |= {f"day:{day}" for day in DAYS}
        if scene.encounter and self._holds(self.adventure.encounters[scene.encounter].when):
            self._meet(scene.encounter)

    def _met(self, person: str) -> bool:
        there = any(person in self.adventure.scenes[key].persons for key in self.scenes)
        return there and self._holds(self.adventure.persons[person].when)

    def _may(self, section: Deed | Talk) -> bool:
        """Whether a section may be tried; the keeper of a secret may be missing from the party."""
        return self._holds(section.when) and (self.lucky or not section.secret)

    def _try(self, done: str, section: Deed | Talk) -> None:
        if section.test is None or self.lucky:
            self.flags.add(done)
            self._bring(section.gain)
        if section.test is not None:
            self.flags.add(f"failed:{done.partition(':')[2]}")
            self._bring(section.loss)

    def _meet(self, key: str) -> None:
        encounter = self.adventure.encounters[key]
        self.flags |= {f"won:{key}", f"over:{key}", f"fled:{key}"}
        if self.lucky and (encounter.sneak or encounter.parley):
            self.flags.add(f"avoided:{key}")
        self.scenes.add(encounter.retreat)
        self._bring(encounter.gain)

    def _bring(self, gain: Gain) -> None:
        self.flags |= {*gain.flags, *(f"clue:{clue}" for clue in gain.clues)}
        self.scenes |= {gain.travel} if gain.travel else set()
        if gain.encounter and f"won:{gain.encounter}" not in self.flags:
            self._meet(gain.encounter)

    def _holds(self, when: When) -> bool:
        return self.flags.issuperset(when.has)
