"""The schema of an adventure: scenes, exits, persons, secrets, clues, encounters and endings.

Sections are linked by *flags*, short words for what has happened. An adventure sets some itself
(`gain: {flags: [...]}`); the others are derived from play, see `Adventure.automatic`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ruleplay.agents.party.domain.rulebook import Monster
from ruleplay.agents.party.domain.terms import Ability, ClassKey, DamageType, Skill
from ruleplay.story.morale import Nature
from ruleplay.story.texts import Frozen, Phrasing, Text, expect

EASED = 5
"""How much lower a DC is for a party that has what helps."""
FALLEN = "fallen"
"""The ending when the whole party has fallen; every adventure has one."""
BASE_SIZE, BASE_LEVEL = 4, 1
"""The party size and level for which an adventure states its foes."""
DAYS = range(2, 10)
"""The days that conditions may ask for, as `day:2`."""
Key = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=40)]
Dc = Annotated[int, Field(ge=5, le=30)]


class When(Frozen):
    """A condition on what has happened: all of `has`, none of `lacks`."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def holds(self, flags: Iterable[str]) -> bool:
        """Whether the flags fulfil the condition."""
        if not (self.has or self.lacks):
            return True
        known = set(flags)
        return known.issuperset(self.has) and known.isdisjoint(self.lacks)


class Test(Frozen):
    """An ability check: the skill or ability asked for, others that will do as well, and the DC.

    Where `eased` holds the DC is `EASED` lower.
    """

    __test__ = False  # no test of pytest's, whatever its name says
    skill: Skill | Ability
    also: tuple[Skill | Ability, ...] = ()
    dc: Dc
    eased: When | None = None

    @property
    def skills(self) -> tuple[Skill | Ability, ...]:
        """Return everything that the check may be made with."""
        return (self.skill, *self.also)


class Harm(Frozen):
    """What hurts whoever failed: damage by a formula, half of it on a successful save."""

    dice: Annotated[str, Field(pattern=r"^[1-9]\d?d(4|6|8|10|12)([+-]\d{1,2})?$")]
    type: DamageType
    save: Ability | Literal[""] = ""
    dc: Dc = 10


class Gain(Frozen):
    """What something brings: things, coin in copper, experience, clues, flags, a fight, a move.

    `keepsakes` are the names of things that are in no rules, and are the finder's.
    """

    items: tuple[str, ...] = ()
    keepsakes: tuple[Text, ...] = ()
    takes: tuple[str, ...] = ()
    coin: Annotated[int, Field(ge=-100_000, le=100_000)] = 0
    xp: Annotated[int, Field(ge=0, le=5_000)] = 0
    clues: tuple[Key, ...] = ()
    flags: tuple[str, ...] = ()
    harm: Harm | None = None
    heals: bool = False
    encounter: str = ""
    travel: str = ""


class Exit(Frozen):
    """A way out of a scene, open while its condition holds."""

    to: Key
    words: Phrasing = Phrasing()
    when: When = When()


PARTED = "\n\n"
"""The separator between paragraphs of a text."""


class Scene(Frozen):
    """Where the party can be; each paragraph of `again` is another wording on coming back.

    A long rest needs a `safe` scene; a short one only that nobody hostile waits.
    """

    name: Text
    text: Text
    again: Text | None = None
    exits: tuple[Exit, ...] = ()
    persons: tuple[Key, ...] = ()
    encounter: str = ""
    safe: bool = False
    words: Phrasing = Phrasing()

    @property
    def phrasings(self) -> tuple[Text, ...]:
        """Return the wordings of `again`."""
        return wordings(self.again)


def wordings(text: Text | None) -> tuple[Text, ...]:
    """Split a text into paragraphs; kept whole if the languages have different numbers of them."""
    if text is None:
        return ()
    en, fr = text.en.split(PARTED), text.fr.split(PARTED)
    if len(en) != len(fr):
        return (text,)
    return tuple(Text(en=one, fr=other) for one, other in zip(en, fr, strict=True))


class Person(Frozen):
    """Somebody to talk to; `manner` is how they speak, for whoever gives them a voice.

    `attitude` is how they feel at first (-2 to 2), `purse` what they may part with in all, in
    copper pieces; `follows` says that they can be asked along, `encounter` who fights for them.
    `unknown` is how they answer what they know nothing about, `listens` how they take what is said
    to them; each paragraph is another wording.
    """

    name: Text
    text: Text
    manner: Text
    unknown: Text | None = None
    listens: Text | None = None
    words: Phrasing = Phrasing()
    when: When = When()
    attitude: Annotated[int, Field(ge=-2, le=2)] = 0
    purse: Annotated[int, Field(ge=0, le=100_000)] = 0
    follows: bool = False
    encounter: str = ""


class Talk(Frozen):
    """What a person says about a topic, once; a `default` topic answers a mere greeting.

    `secret` names the secret whose keeper alone can raise the topic.
    """

    person: Key
    hint: Text
    words: Phrasing = Phrasing()
    text: Text
    default: bool = False
    test: Test | None = None
    failure: Text | None = None
    gain: Gain = Gain()
    loss: Gain = Gain()
    secret: str = ""
    when: When = When()


class Remark(Frozen):
    """What a person answers whenever they are asked about it; it brings nothing."""

    person: Key
    words: Phrasing
    text: Text
    when: When = When()


class Deed(Frozen):
    """Something that can be done in a scene; `search` ones answer to searching.

    Each character may try a check once, all of them until one succeeds; where the first failure
    settles it, `once` is true. Phrases are sets of words that must all be said.
    """

    scene: Key
    hint: Text
    words: Phrasing = Phrasing()
    text: Text
    search: bool = False
    test: Test | None = None
    failure: Text | None = None
    gain: Gain = Gain()
    loss: Gain = Gain()
    once: bool = False
    secret: str = ""
    when: When = When()

    @property
    def slight(self) -> bool:
        """Whether it only takes a hand, and brings nothing but itself."""
        only = Gain(flags=self.gain.flags, keepsakes=self.gain.keepsakes)
        return self.test is None and self.gain == only


class Clue(Frozen):
    """Something that can be found out, by all who are there or by the finder alone."""

    text: Text
    audience: Literal["party", "finder"] = "party"


class Secret(Frozen):
    """Something that one character knows from the start and nobody else.

    It goes to the first of the `suits` classes that has none yet, else to whoever has none.
    Once `out` holds, everyone knows.
    """

    text: Text
    suits: tuple[ClassKey, ...] = ()
    out: When | None = None
    revealed: Text | None = None

    @model_validator(mode="after")
    def _say_how_it_comes_out(self) -> Self:
        if (self.out is None) != (self.revealed is None):
            raise ValueError("`out` and a text `revealed` belong together")
        return self


class Detail(Frozen):
    """Something small that is shown once and comes back: planted at one time, paid off at another.

    The two conditions hold at different times: the first without the second.
    """

    text: Text
    payoff: Text
    plant: When
    returns: When


class Foe(Frozen):
    """A kind of monster in an encounter, how many for the party that `scaled` starts from.

    A `leader` stays one alone and has more or fewer hit points instead. `dies` tells its death.
    """

    kind: str
    name: Text | None = None
    dies: Text | None = None
    count: Annotated[int, Field(ge=1, le=8)] = 1
    leader: bool = False
    nature: Nature | None = None
    words: Phrasing = Phrasing()


class Encounter(Frozen):
    """A fight that waits: who is in it, how it may be passed by, what winning and fleeing bring."""

    text: Text
    foes: tuple[Foe, ...] = Field(min_length=1, max_length=4)
    distance: Annotated[int, Field(ge=5, le=120, multiple_of=5)] = 30
    sneak: Test | None = None
    parley: Test | None = None
    avoided: Text | None = None
    won: Text
    retreat: Key
    loot: tuple[str, ...] = ()
    gain: Gain = Gain()
    when: When = When()

    @model_validator(mode="after")
    def _tell_how_it_is_avoided(self) -> Self:
        if (self.sneak or self.parley) and self.avoided is None:
            raise ValueError("sneak or parley without a text `avoided`")
        return self


class Ending(Frozen):
    """How the adventure can end; the first whose condition holds does."""

    name: Text
    text: Text
    tone: Literal["bright", "bitter", "dark"]
    when: When = When()


class Adventure(Frozen):
    """One adventure; every key that a section names is a section of the right kind."""

    key: Key
    title: Text
    pitch: Text
    intro: Text
    start: Key
    levels: tuple[int, int] = (1, 3)
    scenes: dict[str, Scene]
    persons: dict[str, Person] = Field(default_factory=dict)
    talks: dict[str, Talk] = Field(default_factory=dict)
    remarks: dict[str, Remark] = Field(default_factory=dict)
    deeds: dict[str, Deed] = Field(default_factory=dict)
    clues: dict[str, Clue] = Field(default_factory=dict)
    secrets: dict[str, Secret] = Field(default_factory=dict)
    details: dict[str, Detail] = Field(default_factory=dict)
    encounters: dict[str, Encounter] = Field(default_factory=dict)
    endings: dict[str, Ending]
    monsters: dict[str, Monster] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _know_what_is_named(self) -> Self:
        if FALLEN not in self.endings:
            raise ValueError(f"no ending {FALLEN!r}: nobody may be left standing")
        for where, kind, key in self._references():
            expect((key,), getattr(self, kind), f"{where}: {kind[:-1]}")
        return self

    def _references(self) -> Iterator[tuple[str, str, str]]:
        """Iterate over all references as (section, kind of the target, key of the target)."""
        yield "the header", "scenes", self.start
        for key, scene in self.scenes.items():
            where = f"scene {key}"
            yield from ((where, "scenes", way.to) for way in scene.exits)
            yield from ((where, "persons", person) for person in scene.persons)
            yield from _one(where, "encounters", scene.encounter)
        for key, talk in self.talks.items():
            yield f"talk {key}", "persons", talk.person
            yield from _one(f"talk {key}", "secrets", talk.secret)
        for key, remark in self.remarks.items():
            yield f"remark {key}", "persons", remark.person
        for key, deed in self.deeds.items():
            yield f"deed {key}", "scenes", deed.scene
            yield from _one(f"deed {key}", "secrets", deed.secret)
        for key, encounter in self.encounters.items():
            yield f"encounter {key}", "scenes", encounter.retreat
        for key, person in self.persons.items():
            yield from _one(f"person {key}", "encounters", person.encounter)
        for where, gain in self.gains():
            yield from ((where, "clues", clue) for clue in gain.clues)
            yield from _one(where, "encounters", gain.encounter)
            yield from _one(where, "scenes", gain.travel)

    def gains(self) -> Iterator[tuple[str, Gain]]:
        """Iterate over all gains and losses with the section they belong to."""
        for key, talk in self.talks.items():
            yield from ((f"talk {key}", gain) for gain in (talk.gain, talk.loss))
        for key, deed in self.deeds.items():
            yield from ((f"deed {key}", gain) for gain in (deed.gain, deed.loss))
        yield from ((f"encounter {key}", one.gain) for key, one in self.encounters.items())

    def conditions(self) -> Iterator[tuple[str, When]]:
        """Iterate over all conditions with the section they belong to."""
        for key, scene in self.scenes.items():
            yield from ((f"scene {key}", way.when) for way in scene.exits)
        for kind in ("person", "talk", "remark", "deed", "encounter", "ending"):
            sections: dict[str, Person | Talk | Remark | Deed | Encounter | Ending]
            sections = getattr(self, f"{kind}s")
            yield from ((f"{kind} {key}", one.when) for key, one in sections.items())
            for key, name in product(sections, ("test", "sneak", "parley")):
                if (test := getattr(sections[key], name, None)) and test.eased:
                    yield f"{kind} {key}", test.eased
        for key, secret in self.secrets.items():
            yield from ((f"secret {key}", when) for when in (secret.out,) if when)
        for key, detail in self.details.items():
            yield from ((f"detail {key}", when) for when in (detail.plant, detail.returns))

    def automatic(self) -> Iterator[str]:
        """Iterate over the flags that are derived from play.

        `scene:K` once visited, `at:K` while there, `deed:K` and `talk:K` once done, `failed:K`
        once a deed or talk failed, `clue:K`, `won:K`, `fled:K`, `avoided:K` and, for either way
        past an encounter, `over:K`; `day:N` on the N-th day.
        """
        for key in self.scenes:
            yield from (f"scene:{key}", f"at:{key}")
        yield from (f"deed:{key}" for key in self.deeds)
        yield from (f"talk:{key}" for key in self.talks)
        yield from (f"failed:{key}" for key in (*self.deeds, *self.talks))
        yield from (f"clue:{key}" for key in self.clues)
        for key in self.encounters:
            yield from (f"{how}:{key}" for how in ("won", "fled", "avoided", "over"))
        yield from (f"day:{day}" for day in DAYS)


def _one(where: str, kind: str, key: str) -> Iterator[tuple[str, str, str]]:
    if key:
        yield where, kind, key
