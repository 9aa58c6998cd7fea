"""Models of a scenario: places, persons, talks, secrets, encounters, deeds and endings.

Validation ensures that every key which one section names is a section of the right kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ruleplay.agents.saga.domain.rulebook import Rulebook
from ruleplay.story.morale import Nature
from ruleplay.story.texts import Frozen, Lang, Phrasing, Text, expect

FALLEN = "fallen"
"""Key of the ending for heroes who accept their death; every scenario must have it."""
Difficulty = Annotated[int, Field(ge=1, le=150)]


class When(Frozen):
    """A condition on what has happened: all of `has`, one at least of `some`, none of `lacks`."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    some: tuple[str, ...] = ()

    def holds(self, flags: Iterable[str]) -> bool:
        """Whether a set of flags fulfils the condition."""
        known = set(flags)
        some = not self.some or not known.isdisjoint(self.some)
        return some and known.issuperset(self.has) and known.isdisjoint(self.lacks)


class SkillTest(Frozen):
    """A skill check that something asks for."""

    skill: str
    difficulty: Difficulty


class Gain(Frozen):
    """What something brings: items, coin, secrets, flags, experience, an encounter."""

    items: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    coin: Annotated[int, Field(ge=-1000, le=1000)] = 0
    xp: Annotated[int, Field(ge=0, le=1000)] = 0
    secrets: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    encounter: str = ""
    travel: str = ""


class Exit(Frozen):
    """A way out of a place, open while its condition holds."""

    to: str
    words: Phrasing = Phrasing()
    when: When = When()


class Sight(Frozen):
    """What a place is like once something has happened."""

    when: When
    text: Text


class Place(Frozen):
    """Where one can be: its text (another one when one comes `again`), ways, people, who waits.

    The last sight of `now` whose condition holds is told instead of both texts. `folk` is somebody
    without a name who is about ("the young carter") and may be asked to come along, as for pay.
    """

    name: Text
    text: Text
    again: Text | None = None
    exits: tuple[Exit, ...] = ()
    persons: tuple[str, ...] = ()
    folk: Text | None = None
    encounter: str = ""
    safe: bool = False
    words: Phrasing = Phrasing()
    things: tuple[str, ...] = ()
    now: tuple[Sight, ...] = ()


class Traits(Frozen):
    """Somebody as the teller knows them: how they speak, what they are after, what they know.

    What they would rather keep to themselves stands in `knows` as well; nothing secret. `moved_by`
    are secrets that, once they are known, give words to them a hold that use them. `notices` is
    how they take what somebody does before them that concerns nobody, `unknown` how they say that
    they know nothing of what they are asked: one line after another.
    """

    voice: Text | None = None
    wants: Text | None = None
    knows: Text | None = None
    moved_by: tuple[str, ...] = ()
    notices: tuple[Text, ...] = ()
    unknown: tuple[Text, ...] = ()

    def traits(self, lang: Lang) -> str:
        """Join voice, wants and knowledge to one text."""
        known = (self.voice, self.wants, self.knows)
        return " ".join(text.of(lang) for text in known if text)


class Person(Traits):
    """Somebody to talk to; `encounter` is what comes of attacking them.

    Who `stays` never comes along.

    `kind` is what they fight as where no encounter is written, `nature` how they take fear and
    force. `attitude` is what they think of strangers, `purse` what a thief or a wager may get out
    of them.

    A person with a `called` goes by that until the hero says their name to them, or has heard one
    of their talks or of the talks in `known_by`. Their `text` should not give the name away.
    """

    name: Text
    text: Text
    called: Text | None = None
    known_by: tuple[str, ...] = ()
    words: Phrasing = Phrasing()
    encounter: str = ""
    sells: tuple[str, ...] = ()
    when: When = When()
    kind: str = ""
    nature: Nature = "steady"
    attitude: Annotated[int, Field(ge=-2, le=2)] = 0
    stays: bool = False
    purse: Annotated[int, Field(ge=0, le=50)] = 0


class Talk(Frozen):
    """What a person says about a topic, once; `default` topics answer a mere greeting.

    `hint` is how asking for it is put to players; without one they have to think of it.
    """

    person: str
    hint: Text | None = None
    words: Phrasing = Phrasing()
    text: Text
    default: bool = False
    test: SkillTest | None = None
    failure: Text | None = None
    gain: Gain = Gain()
    when: When = When()
    attitude: Annotated[int, Field(ge=-2, le=2)] = -2
    """What the person has to think of the hero at least."""


class Deed(Frozen):
    """Something that can be done at a place, once unless it may be tried `again` after a failure.

    Phrases are sets of words that must all be said. A `quiet` one is not among the suggestions.
    Whoever carries the item that it is `helped_by` has an advantage; it `spends` it if it succeeds.
    """

    place: str
    words: Phrasing
    hint: Text
    text: Text
    test: SkillTest | None = None
    failure: Text | None = None
    gain: Gain = Gain()
    loss: Gain = Gain()
    helped_by: str = ""
    spends: bool = False
    again: bool = False
    quiet: bool = False
    when: When = When()


class Clue(Frozen):
    """Something to be found at a place by whoever looks for it, however they do it, once."""

    place: str
    hint: Text
    text: Text
    difficulty: Difficulty = 50
    gain: Gain = Gain()
    when: When = When()


class Clock(Frozen):
    """What goes on without the hero: after so many hours since the story began, once."""

    hours: Annotated[int, Field(ge=1, le=2000)]
    text: Text
    gain: Gain = Gain()
    when: When = When()


class Lore(Frozen):
    """Something true about the world that prompts hold when its words come up; never a secret."""

    words: Phrasing
    text: Text


class Secret(Frozen):
    """Something true that nobody is told before it is found out; `words` are how one uses it."""

    text: Text
    words: Phrasing = Phrasing()


class Foe(Traits):
    """Somebody in a fight: a kind from the bestiary with a name of its own."""

    kind: str
    name: Text
    far: bool | None = None
    words: Phrasing = Phrasing()
    nature: Nature | Literal[""] = ""


class Encounter(Frozen):
    """A fight that waits: who is in it, how it may be passed by, what winning and fleeing bring.

    Whoever pays the `toll`, in coins, is let pass; 0 where no price is asked. `avoided` is told of
    any way past them but those of `avoided_by`: a skill, or `toll`. After any of the ways in
    `remain` they are still there, after the others they have gone; None: they always remain.
    """

    text: Text
    foes: tuple[Foe, ...] = Field(min_length=1, max_length=6)
    allies: tuple[Foe, ...] = Field(default=(), max_length=3)
    sneak: SkillTest | None = None
    parley: SkillTest | None = None
    toll: Annotated[int, Field(ge=0, le=1000)] = 0
    avoided: Text | None = None
    avoided_by: dict[str, Text] = Field(default_factory=dict)
    remain: tuple[str, ...] | None = None
    retreat: str
    loot: tuple[str, ...] = ()
    when: When = When()
    gain: Gain = Gain()

    def told(self, part: str, way: str) -> Text:
        """Return the text of a part (`text` or `avoided`), for a way past them that was taken."""
        past = self.avoided_by.get(way) or self.avoided
        return (past if part == "avoided" else None) or self.text


class Ending(Frozen):
    """How the story can end; the first whose condition holds does."""

    name: Text
    text: Text
    tone: Literal["bright", "bitter", "dark"]
    when: When


class Scenario(Frozen):
    """One story; every key that one section names is a section of the right kind."""

    key: str
    title: Text
    pitch: Text
    intro: Text
    start: str
    level: Annotated[int, Field(ge=1, le=10)] = 1
    places: dict[str, Place]
    persons: dict[str, Person] = Field(default_factory=dict)
    talks: dict[str, Talk] = Field(default_factory=dict)
    deeds: dict[str, Deed] = Field(default_factory=dict)
    secrets: dict[str, Secret] = Field(default_factory=dict)
    encounters: dict[str, Encounter] = Field(default_factory=dict)
    endings: dict[str, Ending]
    clues: dict[str, Clue] = Field(default_factory=dict)
    clocks: dict[str, Clock] = Field(default_factory=dict)
    lores: dict[str, Lore] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _know_what_is_named(self) -> Self:
        if FALLEN not in self.endings:
            raise ValueError(f"no ending {FALLEN!r}: somebody may die and accept it")
        # Items belong to the rules, which a scenario does not see; `unknown_rules` checks them.
        start = ("the header", "places", self.start)
        for where, kind, key in (start, *self._references()):
            if kind != "items":
                expect((key,), getattr(self, kind), f"{where}: {kind[:-1]}")
        return self

    def asked_for(self) -> set[str]:
        """Return the items that some section takes from the hero."""
        gains = (one for _, _, of in self._sections() for _, one in of if isinstance(one, Gain))
        return {item for gain in gains for item in gain.takes}

    def _sections(self) -> Iterator[tuple[str, str, Frozen]]:
        """Yield each section that can name others: its label in problems, its kind, itself."""
        for kind in NAMES:
            sections: dict[str, Frozen] = getattr(self, kind)
            yield from ((f"{kind[:-1]} {key}", kind, one) for key, one in sections.items())

    def _references(self) -> Iterator[tuple[str, str, str]]:
        """Yield every reference: the label of its section, the kind of what is named, its key."""
        for where, kind, section in self._sections():
            yield from ((where, *named) for named in _named(section, NAMES[kind]))
            for gain in (one for _, one in section if isinstance(one, Gain)):
                yield from ((where, *named) for named in _named(gain, GAINED))
            for one in (*section.foes, *section.allies) if isinstance(section, Encounter) else ():
                yield from ((where, *named) for named in _named(one, MOVED))

    def unknown_rules(self, rules: Rulebook) -> Iterator[tuple[str, str]]:
        """Yield names of the scenario that the rules do not have, as (section, problem)."""
        for where, _, section in self._sections():
            fighters = (*section.foes, *section.allies) if isinstance(section, Encounter) else ()
            kinds = [one.kind for one in fighters]
            kinds += [section.kind] if isinstance(section, Person) and section.kind else []
            yield from (
                (where, f"no beast {kind!r} in the bestiary")
                for kind in kinds
                if kind not in rules.bestiary
            )
            tests = [one.skill for _, one in section if isinstance(one, SkillTest)]
            if isinstance(section, Encounter):
                tests += [way for way in section.avoided_by if way != "toll"]
            yield from (
                (where, f"no skill {skill!r} among the skills")
                for skill in tests
                if skill not in rules.skills
            )
        for where, kind, key in self._references():
            if kind == "items" and key not in rules.items:
                yield where, f"no item {key!r} in the equipment"


MOVED = {"moved_by": "secrets"}
"""The same as `NAMES`, for whoever is in a fight."""
NAMES: dict[str, dict[str, str]] = {
    "places": {
        "exits": "places",
        "persons": "persons",
        "encounter": "encounters",
        "things": "items",
    },
    "persons": {"encounter": "encounters", "sells": "items", "known_by": "talks"} | MOVED,
    "talks": {"person": "persons"},
    "deeds": {"place": "places", "helped_by": "items"},
    "clues": {"place": "places"},
    "clocks": {},
    "encounters": {"retreat": "places", "loot": "items"},
}
"""Fields of each kind of section that name something, with the kind they name."""
GAINED = {"secrets": "secrets", "encounter": "encounters", "travel": "places"}
GAINED |= {"items": "items", "takes": "items"}
"""The same for `Gain`."""


def _named(one: Frozen, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, kind in names.items():
        value = getattr(one, name)
        for each in value if isinstance(value, tuple) else (value,):
            if key := each.to if isinstance(each, Exit) else str(each):
                yield kind, key


class Book(Frozen):
    """What a session is played with: the rules' contents and one scenario."""

    rules: Rulebook
    scenario: Scenario
