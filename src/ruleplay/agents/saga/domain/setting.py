"""Describe the scene for improvised acts: who is here, which ids a reading may name.

`stage` is for the bounds of effects, `roster` for the check of readings, `options` for prompts.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.fight import COSTS, HERO, Combatant
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book, Foe, Person, Traits, When
from ruleplay.story import morale
from ruleplay.story.acts import Roster
from ruleplay.story.bounds import Stage, Stander
from ruleplay.story.morale import Nature
from ruleplay.story.texts import Text

ZONES = ("back", "away", "behind", "cover", "up", "down", "aside")
"""Positions within a scene to which one can move; they are words, without a map."""
STORY_RULES = ("attack", "search", "rest", "equip", "begin", "sneak", "parley")
KEEPSAKES = 6
"""How many worthless things a hero can come by at one place."""
STAND_DOWN = "stand_down"
"""The rule act by which the hero gives up what they stand ready to do."""
FALLEN = ("return", "accept")
STOOD = Text(en="{0} has stood at your side.", fr="{0}, à vos côtés depuis.")
BEATEN = Text(en="{0} stands against you no more.", fr="{0} ne s'oppose plus à vous.")
PAID = Text(en="{0} was hired by you.", fr="Vous avez engagé {0}.")
"""Descriptions of persons who are only written as fighters (see `peopled`)."""
PERSON = "person:"
"""Prefix of the encounter's key in a fight with a person who has no authored encounter."""


def stage(game: Game, book: Book) -> Stage:
    """Build the stage of improvised acts, by which `ruleplay.story.bounds` limits effects."""
    fight, waits = game.fight, surroundings.waiting(game, book)
    return Stage(
        scene=game.place,
        actor=HERO,
        fight=fight is not None,
        danger=bool(fight or waits) or not surroundings.here(game, book).safe,
        round=fight.round if fight else 0,
        coin=game.sheet.coin,
        standers=tuple(_standers(game, book)),
        things=surroundings.things(game, book),
        places=ZONES,
        ways=tuple(surroundings.ways(game, book)),
        clues=() if fight or waits else tuple(surroundings.clues(game, book)),
        barred=bool(waits),
        keepsakes=KEEPSAKES,
    )


def _standers(game: Game, book: Book) -> Iterator[Stander]:
    yield Stander(id=HERO, kind="self")
    if game.fight:
        for one in game.fight.combatants:
            if one.id != HERO and one.present:
                kind, nature = ("foe" if one.side == "foes" else "npc"), nature_of(game, book, one)
                yield Stander.model_validate(
                    {"id": one.id, "kind": kind, "mind": morale.has_mind(nature)}
                )
        for key, person in surroundings.company(game, book).items():
            yield Stander(id=key, kind="npc", mind=morale.has_mind(person.nature))
        return
    for ident, foe in surroundings.passed(game, book).items():
        yield Stander(id=ident, kind="npc", mind=morale.has_mind(nature_as(foe, book)))
    for kind, waiting in (("foe", waiting_foes), ("npc", waiting_allies)):
        for ident, foe in waiting(game, book).items():
            mind = morale.has_mind(nature_as(foe, book))
            yield Stander.model_validate({"id": ident, "kind": kind, "mind": mind})
    for key, person in surroundings.persons(game, book).items():
        mind = morale.has_mind(person.nature)
        yield Stander(id=key, kind="npc", mind=mind, purse=person.purse)
    if surroundings.may_hire(game, book):
        yield Stander(id=surroundings.folk(game.place), kind="npc")


def waiting_foes(game: Game, book: Book) -> dict[str, Foe]:
    """Return the foes who wait here, by the ids that they would have in a fight."""
    key = "" if game.fight else surroundings.waiting(game, book)
    foes = book.scenario.encounters[key].foes if key else ()
    return {f"foe{n}": foe for n, foe in enumerate(foes, 1)}


def waiting_allies(game: Game, book: Book) -> dict[str, Foe]:
    """Return the allies who wait here, by the ids that they would have in a fight."""
    key = "" if game.fight else surroundings.waiting(game, book)
    allies = book.scenario.encounters[key].allies if key else ()
    return {f"ally{n}": one for n, one in enumerate(allies, 1)}


def lasting_id(game: Game, book: Book, who: str) -> str:
    """Return an id that means the same everywhere: a fighter's, `foe2` say, becomes their name."""
    if game.fight and (one := game.fight.get(who)) and who != HERO:
        return one.name.of(game.lang)
    there = waiting_foes(game, book) | waiting_allies(game, book) | surroundings.passed(game, book)
    return there[who].name.of(game.lang) if who in there else who


def peopled(book: Book) -> Book:
    """Add persons to a book for fighters who stay in the story after their fight.

    Allies are at the encounter's place once it is over, as friends. Foes who surrendered or were
    hired can come along, unless the scenario has a person of its own for them; so can whoever was
    hired of a place's `folk`.
    """
    story, persons, places = book.scenario, dict[str, Person](), dict(book.scenario.places)
    written = {flag for one in story.persons.values() for flag in one.when.has}
    for key, encounter in story.encounters.items():
        for n, one in enumerate(encounter.allies, 1):
            over = When(some=surroundings.over(key))
            persons[f"{key}-ally{n}"] = _person(one, book, STOOD, when=over, attitude=2)
        for n, one in enumerate(encounter.foes, 1):
            beaten = surroundings.gave_up(key, f"foe{n}")
            if beaten not in written:
                persons[f"{key}-foe{n}"] = _person(one, book, BEATEN, when=When(has=(beaten,)))
        for at, place in places.items():
            there = tuple(who for who in persons if who.startswith(f"{key}-ally"))
            if place.encounter == key and there:
                places[at] = place.model_copy(update={"persons": (*place.persons, *there)})
    for at, place in places.items():
        if place.folk:
            who, name = surroundings.folk(at), place.folk
            text = Text(en=PAID.en.format(name.en), fr=PAID.fr.format(name.fr))
            hired = When(has=(surroundings.HIRED + who,))
            persons[who] = Person(name=name, text=text, when=hired, nature="hireling")
            places[at] = place.model_copy(update={"persons": (*place.persons, who)})
    peopled = story.model_copy(update={"persons": story.persons | persons, "places": places})
    return book.model_copy(update={"scenario": peopled})


def _person(foe: Foe, book: Book, text: Text, *, when: When, attitude: int = 0) -> Person:
    name = foe.name
    said = Text(en=text.en.format(name.en), fr=text.fr.format(name.fr))
    body = {"name": name, "text": said, "words": foe.words, "kind": foe.kind, "when": when}
    body |= {name: getattr(foe, name) for name in Traits.model_fields}
    return Person.model_validate({**body, "nature": nature_as(foe, book), "attitude": attitude})


def nature_as(foe: Foe, book: Book) -> Nature:
    """Return a foe's nature: its own, its kind's, or one that suits the archetype."""
    beast = book.rules.bestiary[foe.kind]
    by_kind: dict[str, Nature] = {"coward": "coward", "beast": "beast"}
    return foe.nature or beast.nature or by_kind.get(beast.archetype, "steady")


def nature_of(game: Game, book: Book, one: Combatant) -> Nature:
    """Return the nature of a combatant; `steady` for allies and the hero."""
    written = written_as(game, book, one)
    if written is None or one.side != "foes":
        return "steady"
    return nature_as(written, book) if isinstance(written, Foe) else written.nature


def written_as(game: Game, book: Book, one: Combatant) -> Foe | Person | None:
    """Return what the author has written of a combatant, None for the hero."""
    where = game.fight.encounter if game.fight else ""
    if where.startswith(PERSON):
        return book.scenario.persons.get(where.removeprefix(PERSON)) if one.id != HERO else None
    encounter = book.scenario.encounters.get(where)
    side = one.id.rstrip("0123456789")
    at = one.id[len(side) :]
    cast = {"foe": encounter.foes, "ally": encounter.allies}.get(side, ()) if encounter else ()
    return cast[int(at) - 1] if at.isdigit() and 0 < int(at) <= len(cast) else None


def plight(game: Game, book: Book, one: Combatant) -> morale.Plight:
    """Sum up a foe's situation, on which its morale depends (ValueError without a fight)."""
    fight = game.fight
    if fight is None:
        raise ValueError("no fight is on")
    gone = [o for o in fight.combatants if o.side == one.side and not o.present]
    return morale.Plight(
        nature=nature_of(game, book, one),
        hp=one.hp,
        max_hp=one.max_hp,
        friends=len(fight.friends_of(one.id)),
        enemies=len(fight.foes_of(one.id)),
        shaken=one.has("frightened", "shaken"),
        leaderless=any(o.archetype == "leader" for o in gone),
    )


def ready_to_yield(game: Game, book: Book, one: Combatant) -> bool:
    """Whether a foe may surrender by itself: its nature allows it, and it has two reasons."""
    there = plight(game, book, one)
    return morale.may(there.nature, "yield") and morale.reasons(there) > 1


def roster(game: Game, book: Book) -> Roster:
    """Build the roster of ids that a reading may name."""
    carried = tuple(one.item for one in game.sheet.carried)
    there = tuple(one.id for one in _standers(game, book))
    ways = surroundings.ways(game, book)
    lies = dict.fromkeys(one.name for one in surroundings.left(game))
    things = (*surroundings.things(game, book), *lies, *surroundings.keepsakes(game))
    common = {"beings": there, "items": carried, "skills": tuple(book.rules.skills)}
    common |= {"things": things, "absent": tuple(surroundings.elsewhere(game, book))}
    readied = (STAND_DOWN,) if game.story.readied else ()
    if game.fight:
        rules = (*(act for act in COSTS if act != "withdraw"), *readied)
        gone = tuple(o.id for o in game.fight.combatants if not o.present)
        return Roster.model_validate(
            {**common, "beings": (*there, *gone), "rules": rules, "ways": (*ways, *ZONES)}
        )
    topics = tuple(key for key, _ in topics_of(game, book))
    return Roster.model_validate(
        {
            **common,
            "options": tuple(key for key, _ in options(game, book)),
            "rules": (*STORY_RULES, *readied),
            "ways": (*ways, *ZONES),
            "topics": topics,
            "clues": stage(game, book).clues,
        }
    )


def options(game: Game, book: Book) -> Iterator[tuple[str, Text]]:
    """Yield the prepared options here: their ids, and how players are told of them."""
    if game.dead:
        yield "return", Text(en="come back to life", fr="revenir à la vie")
        yield "accept", Text(en="accept death", fr="accepter la mort")
        return
    if key := surroundings.waiting(game, book):
        encounter = book.scenario.encounters[key]
        yield f"fight:{key}", Text(en="attack them", fr="les attaquer")
        if encounter.toll:
            toll = encounter.toll
            yield f"pay:{key}", Text(en=f"pay the toll, {toll}", fr=f"payer le péage, {toll}")
        if encounter.sneak:
            yield f"sneak:{key}", Text(en="sneak past", fr="passer discrètement")
        if encounter.parley:
            yield f"parley:{key}", Text(en="negotiate", fr="négocier")
    for key, deed in surroundings.deeds(game, book).items():
        yield f"deed:{key}", deed.hint
    if surroundings.here(game, book).safe:
        yield "rest", Text(en="rest for the night", fr="passer la nuit")
    yield "search", Text(en="search the place", fr="fouiller les lieux")
    yield from _trade(game, book)


def _trade(game: Game, book: Book) -> Iterator[tuple[str, Text]]:
    items = book.rules.items
    sold = dict.fromkeys(k for p in surroundings.persons(game, book).values() for k in p.sells)
    for key in sold:
        name, price = items[key].name, surroundings.lowest_price(game, book, key)
        yield f"buy:{key}", Text(en=f"buy {name.en}, {price}", fr=f"acheter {name.fr}, {price}")
    if sold:
        for one in game.sheet.carried:
            name, pair = items[one.item].name, items[one.item].price
            if pair * one.count > 1:
                en, fr = f"sell {name.en}, {pair} for two", f"vendre {name.fr}, {pair} les deux"
                yield f"sell:{one.item}", Text(en=en, fr=fr)
    if game.sheet.points:
        for key, skill in book.rules.skills.items():
            yield (
                f"train:{key}",
                Text(en=f"train {skill.name.en}", fr=f"travailler {skill.name.fr}"),
            )


def topics_of(game: Game, book: Book) -> Iterator[tuple[str, Text]]:
    """Yield the topics of persons here, with a hint, including those that failed once."""
    for person in surroundings.persons(game, book):
        for key, talk in book.scenario.talks.items():
            if talk.person != person or f"talk:{key}:text" in game.flags:
                continue
            if talk.when.holds(game.flags):
                words = Text(en=", ".join(talk.words.en[:4]), fr=", ".join(talk.words.fr[:4]))
                yield key, talk.hint or words


def authored_names(game: Game, book: Book, *, persons: bool = True) -> tuple[str, ...]:
    """Return the authored names, which details may not use; see `ruleplay.story.canon`.

    The name of the place where the hero is only says where a detail is, so it may be used.
    """
    story = book.scenario
    named = [
        *(place.name for key, place in story.places.items() if key != game.place),
        *(person.name for person in story.persons.values() if persons),
        *(foe.name for e in story.encounters.values() for foe in (*e.foes, *e.allies) if persons),
        *(i.name for i in book.rules.items.values() if i.kind not in ("tool", "natural")),
    ]
    return tuple(name for text in named for name in text.both)
