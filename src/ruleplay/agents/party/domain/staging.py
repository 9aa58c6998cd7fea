"""Who and what is available to an act, by id: names in readings and targets of effects."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.party.domain.adventure import Adventure, Encounter, Foe
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.acts import (
    Exploration,
    deeds,
    exits,
    left_of,
    persons,
    talks,
    unmoved,
    waiting,
)
from ruleplay.agents.party.domain.knowledge import tellable
from ruleplay.agents.party.domain.rulebook import Item
from ruleplay.agents.party.domain.scaling import scaled
from ruleplay.agents.party.domain.seats import DM, TABLE
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.tale import Mark
from ruleplay.agents.party.domain.terms import ABILITIES, SKILLS, CreatureType
from ruleplay.story.acts import Act, Roster
from ruleplay.story.bounds import LEFT, Stage, Stander
from ruleplay.story.morale import Nature, Plight, can_be_moved
from ruleplay.story.texts import Text, words_of
from ruleplay.story.wording import find

COIN = 100
"""The value in copper of the coin used in effects, and in acts without a unit: one gold piece."""
UNITS = {"": COIN, "silver": 10, "copper": 1}
NATURE_OF: dict[CreatureType, Nature] = {
    "beast": "beast",
    "monstrosity": "beast",
    "undead": "undead",
    "construct": "construct",
    "ooze": "construct",
    "plant": "construct",
    "elemental": "construct",
    "fiend": "fanatic",
}
"""The default natures by creature type; all others are `steady`."""
FREE_RULES = ("cast", "use", "equip", "feature", "stabilise")
FIGHT_RULES = (
    "attack", "offhand", "cast", "power", "move", "dash", "dodge", "disengage", "help", "hide",
    "ready", "grapple", "shove", "escape", "stand", "drop", "stabilise", "wake", "use", "equip",
    "feature", "flee", "end",
)  # fmt: skip
EVER = ("search", "short_rest", "long_rest")
"""Acts of exploring that can always be asked for, listed or not; the rules decide."""


def coppers(act: Act) -> int:
    """Return the coins that an act names, in copper."""
    return act.coin * UNITS[act.unit]


def skill_of(name: str) -> str:
    """Return a skill or ability in the rules' spelling; empty if there is none of that name."""
    plain = name.strip().casefold().replace("_", "-").replace(" ", "-")
    return plain if plain in (*SKILLS, *ABILITIES) else ""


def captives(table: Table, book: Book) -> tuple[str, ...]:
    """Return the captives who are here: where they were taken, or along with the party."""
    story, along = book.story, table.tale.followers
    scene = story.scenes.get(table.expedition.scene)
    there = story.encounters[scene.encounter].foes if scene and scene.encounter else ()
    kinds, taken = {foe.kind for foe in there}, table.tale.captives
    return tuple(who for who in taken if who in along or who.rpartition("-")[0] in kinds)


def led(table: Table) -> tuple[str, ...]:
    """Return the captives who are led along, and can be left behind like a thing."""
    return tuple(who for who in table.tale.followers if who in table.tale.captives)


def encounter_of(table: Table, book: Book) -> Encounter | None:
    """Return the encounter that is fought or waits."""
    now = table.expedition
    key = now.fighting or (waiting(now, book.story) if now.begun else "")
    return book.story.encounters.get(key)


def nature_of(one: Creature, encounter: Encounter | None) -> Nature:
    """Return somebody's nature: the adventure's word, else that of their kind."""
    if encounter:
        for foe in encounter.foes:
            if foe.kind == one.kind and foe.nature:
                return foe.nature
    return NATURE_OF.get(one.type, "steady")


def people(table: Table, book: Book) -> dict[str, Text]:
    """Return the story's persons who are here, including those who came along."""
    now, tale = table.expedition, table.tale
    if not now.begun:
        return {}
    found = {key: one.name for key, one in persons(now, book.story).items() if key not in tale.gone}
    for key in tale.followers:
        if key in book.story.persons:
            found[key] = book.story.persons[key].name
    return found


def waiters(table: Table, book: Book) -> dict[str, Text]:
    """Return those who wait here and have a name of their own, by id: `wreckers/thug`."""
    key = waiting(table.expedition, book.story) if table.expedition.begun else ""
    there = foes_there(table, book) if table.cast.fight is None else ()
    return {f"{key}/{one.kind}": one.name for one in there if one.name}


def foes_there(table: Table, book: Book) -> tuple[Foe, ...]:
    """Return the kinds of foes who are fought or wait: as the party calls for, or has left them."""
    now, fight = table.expedition, table.cast.fight
    key = now.fighting or (waiting(now, book.story) if now.begun else "")
    meant = book.story.encounters[key].foes if key else ()
    left = {one.kind for one in left_of(key, now, table.cast)} if key else set[str]()
    if fight:
        left = {one.kind for one in table.cast.fighters if one.present}
    elif key and not left:
        groups = scaled(meant, [one.level for one in table.party])
        left = {group.foe.kind for group in groups}
    return tuple(one for one in meant if one.kind in left)


def foes(table: Table, seat: str) -> tuple[Creature, ...]:
    """Return a seat's adversaries in the fight."""
    fight = table.cast.fight
    if fight is None:
        return ()
    me = seat if table.cast.get(seat) else fight.actor
    return table.cast.foes_of(me)


def topics(table: Table, book: Book, seat: str) -> tuple[str, ...]:
    """Return the keys of what can be asked of those present."""
    now = table.expedition
    if not now.begun or now.fighting:
        return ()
    return tuple(
        key
        for who in people(table, book)
        for key in (*talks(now, book.story, who, seat), *unmoved(now, book.story, who, seat))
    )


def clues(table: Table, book: Book, seat: str) -> dict[str, Exploration]:
    """Return the clues that can be found here, each with the deed or talk that finds it.

    They are numbered, because the author's keys would give them away.
    """
    now, story = table.expedition, book.story
    if not now.begun or now.fighting:
        return {}
    found: dict[str, Exploration] = {}
    for key, deed in deeds(now, story, seat).items():
        if deed.gain.clues:
            found[f"clue-{len(found) + 1}"] = Exploration(act="deed", target=key)
    for person in people(table, book):
        for key, talk in talks(now, story, person, seat).items():
            if talk.gain.clues:
                does = Exploration(act="talk", target=person, topic=key)
                found[f"clue-{len(found) + 1}"] = does
    return found


def services(table: Table, book: Book) -> dict[str, Item]:
    """Return the services that can be bought in an inhabited place, by their keys."""
    scene = book.story.scenes.get(table.expedition.scene)
    if not scene or not scene.safe or table.cast.fight or not people(table, book):
        return {}
    return {key: one for key, one in book.rules.items.items() if one.kind == "service"}


def lendable(table: Table, seat: str) -> dict[str, str]:
    """Return what companions whom nobody holds could hand over, and who carries it.

    What somebody wears or wields stays with them.
    """
    found: dict[str, str] = {}
    for one in table.party if seat in table.characters else ():
        if one.id == seat or table.is_held(one.id) or not (one.present and one.conscious):
            continue
        worn = (one.armour, one.shield, one.weapon, one.offhand)
        kept = (own.text for own in table.tale.known_to(seat).keepsakes if own.who == one.id)
        for item in (*(held.item for held in one.inventory if held.item not in worn), *kept):
            found.setdefault(item, one.id)
    return found


def carried(table: Table, seat: str) -> tuple[str, ...]:
    """Return the keys of everything that somebody can use."""
    one = table.cast.get(seat)
    if one is None:
        return ()
    known = (held.item for held in one.inventory)
    arms = (attack.key for attack in one.attacks)
    gifts = (feature.key for feature in one.features)
    kept = (own.text for own in table.tale.keepsakes if own.who == seat)
    powers = (power.key for power in one.powers)
    return tuple(dict.fromkeys((*known, *arms, *one.spells, *gifts, *powers, *kept)))


def mover(table: Table, seat: str) -> str:
    """Return whom a seat moves: its character, or in a fight the DM's creature whose turn it is."""
    fight = table.cast.fight
    return fight.actor if fight and seat == DM else seat


def roster(table: Table, book: Book, seat: str) -> Roster:
    """Return the ids that an act of a seat may name."""
    now, fight = table.expedition, table.cast.fight
    here = people(table, book)
    beings = (*here, *(one.id for one in foes(table, seat)), *captives(table, book))
    waits = waiting(now, book.story) if now.begun and not fight else ""
    ways = tuple(way.to for way in exits(now, book.story)) if now.begun else ()
    offered = (one.id for one in choices(table, book, seat))
    wanted = (f"go:{way}" for way in ways if not fight)
    greeted = (f"talk:{person}" for person in here)
    return Roster(
        beings=(*beings, waits, *waiters(table, book)) if waits else beings,
        seats=table.turn_queue,
        options=tuple(dict.fromkeys((*offered, *EVER, *wanted, *greeted, *services(table, book)))),
        rules=FIGHT_RULES if fight else (*FREE_RULES, "attack"),
        ways=ways,
        items=(*carried(table, mover(table, seat)), *led(table)),
        things=tuple(
            dict.fromkeys((*(one.what or one.text for one in marks(table, seat)), *lying(table)))
        ),
        topics=(*topics(table, book, seat), *(one.key for one in tellable(table, book, seat))),
        skills=tuple(
            dict.fromkeys((*SKILLS, *ABILITIES, *(one.replace("-", "_") for one in SKILLS)))
        ),
        clues=tuple(clues(table, book, seat)),
        lendable=tuple(lendable(table, seat)),
    )


def lying_key(table: Table, item: str) -> str:
    """Return the ledger's key of things that were put down here, and can be taken up again."""
    return f"{LEFT}{table.expedition.scene}:{item}"


def lying(table: Table) -> tuple[str, ...]:
    """Return the keys of things that were put down in this place."""
    counts, here = table.tale.ledger.counts, lying_key(table, "")
    return tuple(one.key.removeprefix(here) for one in counts if one.n and one.key.startswith(here))


def marks(table: Table, seat: str) -> tuple[Mark, ...]:
    """Return the changes to the scene that a seat knows about."""
    now, known = table.expedition.scene, table.tale.known_to(seat).marks
    return tuple(one for one in known if one.scene == now and one.until >= table.round)


def stage_of(table: Table, book: Book, seat: str) -> Stage:
    """Return what the effects of a seat's act can affect."""
    now, fight = table.expedition, table.cast.fight
    waits = bool(now.begun and waiting(now, book.story))
    safe = bool(now.begun and book.story.scenes[now.scene].safe)
    return Stage(
        scene=now.scene or "before",
        actor=mover(table, seat),
        fight=fight is not None,
        danger=waits or not safe,
        round=fight.round if fight else 0,
        coin=now.purse // COIN,
        standers=tuple(standers(table, book, seat)),
        clues=tuple(clues(table, book, seat)),
        barred=waits,
    )


def standers(table: Table, book: Book, seat: str) -> Iterator[Stander]:
    """Yield everyone whom effects may be applied to."""
    me = mover(table, seat)
    encounter = encounter_of(table, book)
    for key in people(table, book):
        purse = book.story.persons[key].purse // COIN
        yield Stander(id=key, kind="npc", purse=purse)
    for one in foes(table, seat):
        yield Stander(id=one.id, kind="foe", mind=can_be_moved(nature_of(one, encounter)))
    for who in captives(table, book):
        yield Stander(id=who, kind="npc")
    for who in table.characters:
        yield Stander(id=who, kind="self" if who == me else "seat")
    if me not in table.characters and me != DM:
        yield Stander(id=me, kind="self")


def plight(table: Table, book: Book, foe: Creature) -> Plight:
    """Return a foe's situation: its reasons to give up."""
    encounter = encounter_of(table, book)
    friends = [one for one in table.cast.friends_of(foe.id) if one.conscious]
    enemies = [one for one in table.cast.foes_of(foe.id) if one.conscious]
    return Plight(
        nature=nature_of(foe, encounter),
        hp=foe.hp,
        max_hp=foe.max_hp,
        friends=len(friends),
        enemies=max(1, len(enemies)),
        shaken=foe.id in table.tale.shaken or foe.has("frightened"),
        leaderless=_leaderless(table, encounter, foe),
        calmed=table.tale.attitude(foe.id) > 0,
    )


def _leaderless(table: Table, encounter: Encounter | None, foe: Creature) -> bool:
    leaders = [one.kind for one in encounter.foes if one.leader] if encounter else []
    if not leaders or foe.kind in leaders:
        return False
    led = (one for one in table.cast.fighters if one.kind in leaders)
    return not any(one.present and one.conscious for one in led)


def authored_names(table: Table, book: Book) -> tuple[str, ...]:
    """Return the names that the author has stated facts about, and the names of the seats.

    Places count by their whole names only: a lantern in an inn named after one is a lantern.
    """
    story: Adventure = book.story
    texts = [
        *(one.name for one in story.persons.values()),
        *(foe.name for one in story.encounters.values() for foe in one.foes if foe.name),
    ]
    named = (text.of(table.lang) for text in texts)
    places = (one.name.of(table.lang).casefold() for one in story.scenes.values())
    seats = (table.name(seat) for seat in table.characters)
    return (*named, *places, *authored_items(table, book), *seats)


def authored_items(table: Table, book: Book) -> tuple[str, ...]:
    """Return the names of things that the adventure itself gives or takes."""
    keys = dict.fromkeys(
        key for _, gain in book.story.gains() for key in (*gain.items, *gain.takes)
    )
    return tuple(book.item(key).of(table.lang) for key in keys)


def story_told(table: Table, book: Book) -> Iterator[str]:
    """Yield all texts that the story has told everybody: visited scenes, canon, told topics."""
    now, lang, story = table.expedition, table.lang, book.story
    yield from (story.intro.of(lang), story.title.of(lang))
    for key, scene in story.scenes.items():
        if f"scene:{key}" in now.flags:
            yield from (scene.name.of(lang), scene.text.of(lang))
            yield from (story.persons[one].name.of(lang) for one in scene.persons)
            yield from (story.persons[one].text.of(lang) for one in scene.persons)
            yield from (story.scenes[way.to].name.of(lang) for way in scene.exits)
    for key, encounter in story.encounters.items():
        met = waiting(now, story) if now.begun else ""
        if key in (met, now.fighting) or f"over:{key}" in now.flags:
            yield encounter.text.of(lang)
            yield from (foe.name.of(lang) for foe in encounter.foes if foe.name)
    yield from (story.details[key].text.of(lang) for key in now.planted)
    yield from (one.text for one in table.tale.known_to(TABLE).canon)
    for flag in now.flags:
        kind, _, key = flag.partition(":")
        if kind == "talk" and key in story.talks and not story.talks[key].secret:
            yield story.talks[key].text.of(lang)
        if kind == "deed" and key in story.deeds:
            yield story.deeds[key].text.of(lang)


def told_of(table: Table, book: Book, thing: str) -> bool:
    """Whether the last word of a thing's name, its noun, is in what everybody has been told."""
    noun = words_of(thing)[-1:]
    told = (words_of(text) for text in story_told(table, book) if noun)
    return any(find(text, noun) is not None for text in told)
