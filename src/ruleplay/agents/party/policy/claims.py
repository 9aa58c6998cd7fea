"""What is checkable in the table's prose: numbers, deaths, hits, conditions, items, named beings."""

# ruff: noqa: E501 -- word lists
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.foes import foes_of
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import ABILITIES, SKILLS
from ruleplay.agents.party.domain.texts import Lang, Text, fold
from ruleplay.foundation.claims import Check
from ruleplay.foundation.prose import phrasebook
from ruleplay.foundation.prose.checks import checker
from ruleplay.foundation.prose.lexicon import Entity, Lexicon, Measure, Outcome
from ruleplay.foundation.prose.phrasebook import Phrasebook

OUTCOMES: dict[str, str] = {
    "dies": "dies|die|died|dead|lifeless|slain|did not survive|does not survive|falls dead|is no more"
    "|breathes no more|end of|meurt|meurent|mort|morte|sans vie|dernier souffle|ne survit pas|succombe"
    "|corpse|cadavre|perishes|drops dead",
    "lives": "survives|survive|survived|alive|lives on|survit|survivent|en vie|vivant|vivante",
    "kills": "kills|kill|killed|slain|killing blow|finishes off|strikes dead|cuts down|slays|slew"
    "|tue|tué|tuée|coup fatal|achève|abat|mortally wounds|beheads|décapite",
    "miss": "misses|miss|missed|goes wide|fails to hit|manque|rate|n'atteint pas",
    "dodges": "dodges the attack|dodges|dodged|steps aside|esquive|évite le coup|parries|pare",
    "hit": "hits|hit|strikes|struck|wounds|wounded|wounding|touche|touché|frappe|frappé"
    "|blesse|blessé|pierces|cuts|slashes|transperce",
    "harm": "takes damage|suffers|subit|encaisse|inflige|deals",
    "critical": "critical hit|critical|coup critique|critique",
    "unconscious": "falls unconscious|unconscious|knocked out|passes out|collapses|asleep|sans connaissance|inconscient|inconsciente|s'évanouit|s'effondre"
    "|s'endort|s'endorment|endormi|endormie",
    "wakes": "comes round|come round|comes to|wakes|wake|awakens|revient à soi|se réveille|se réveillent|reprend connaissance|reprennent connaissance",
    "stable": "stable|stabilised|stabilized|hors de danger|stabilisé",
    "heals": "heals|healed|regains|regain|recovers|restores|soigne|récupère|guérit",
    "flees": "flees|flee|fled|runs away|escapes|takes flight|fuite|s'enfuit|prend la fuite",
    "guards": "on guard|en garde",
    "upon": "upon|agit|agissent",
    "casts": "casts|cast|invokes|lance|lancé|incante",
    "uses": "uses|drinks|sells|hands over|utilise|boit|vend|remet|avale",
    "gets": "gets|receives|obtains|picks up|obtient|ramasse|reçoit",
    "succeeds": "succeeds|succeed|success|withstands|réussite|réussit le test|résiste",
    "fails": "fails|failure|échec|échoue",
    "loses": "loses concentration|perd sa concentration",
    "blinded": "blinded|blind|aveuglé|aveuglée",
    "charmed": "charmed|charmé|charmée|sous le charme",
    "deafened": "deafened|deaf|assourdi|assourdie",
    "exhaustion": "exhausted|épuisé|épuisée",
    "frightened": "frightened|terrified|afraid|effrayé|effrayée|terrifié|terrifiée|prend peur",
    "grappled": "grappled|agrippé|agrippée",
    "incapacitated": "incapacitated|neutralisé|neutralisée",
    "invisible": "invisible",
    "paralyzed": "paralyzed|paralysed|paralysé|paralysée",
    "petrified": "petrified|turned to stone|pétrifié|pétrifiée",
    "poisoned": "poisoned|venom|empoisonné|empoisonnée|venin",
    "prone": "prone|knocked down|à terre",
    "restrained": "restrained|entravé|entravée",
    "stunned": "stunned|dazed|étourdi|étourdie",
}
"""Outcome words of each kind of claim, in both languages."""
HIT_POINTS = ("hit points", "hit point", "HP", "points de vie", "point de vie", "PV")
MEASURES = (
    Measure(
        kind="harm",
        units=("damage", "points of damage", "points de dégâts", "point de dégâts", "dégâts"),
    ),
    Measure(kind="hp", units=HIT_POINTS),
    Measure(kind="heals", units=HIT_POINTS),
    Measure(
        kind="temp",
        units=(
            "temporary hit points",
            "temporary hit point",
            "points de vie temporaires",
            "point de vie temporaire",
        ),
    ),
    Measure(
        kind="xp",
        units=(
            "experience points",
            "experience point",
            "experience",
            "XP",
            "points d'expérience",
            "point d'expérience",
        ),
    ),
    Measure(
        kind="gold",
        units=("gold pieces", "gold piece", "gold", "pièces d'or", "pièce d'or"),
    ),
    Measure(
        kind="silver",
        units=("silver pieces", "silver piece", "pièces d'argent", "pièce d'argent"),
    ),
    Measure(
        kind="copper",
        units=(
            "copper pieces",
            "copper piece",
            "coppers",
            "pièces de cuivre",
            "pièce de cuivre",
        ),
    ),
    Measure(kind="initiative", units=("initiative", "for initiative", "à l'initiative")),
    Measure(kind="difficulty", units=("difficulty", "difficulté")),
    Measure(kind="level", units=("level", "niveau")),
    Measure(kind="roll", units=("roll", "rolls", "obtient")),
)
PHRASEBOOK = Phrasebook(
    phrasing={
        "hit": ("{subject} strikes {object}", "{subject} frappe {object}"),
        "harm": (
            "{subject} deals {value} damage to {object}",
            "{object} takes {value} damage from {subject}",
            "{subject} inflige {value} points de dégâts à {object}",
        ),
        "miss": ("{subject} misses {object}", "{subject} manque {object}"),
        "kills": ("{subject} kills {object}", "{subject} tue {object}"),
        "dies": ("{subject} dies", "{subject} meurt"),
        "hp": ("{subject} has {value} hit points left", "{subject} a encore {value} points de vie"),
        "heals": (
            "{subject} regains {value} hit points",
            "{subject} récupère {value} points de vie",
        ),
        "flees": ("{subject} flees", "{subject} prend la fuite"),
        "poisoned": ("{subject} is poisoned",),
        "stunned": ("{subject} is stunned",),
        "unconscious": ("{subject} falls unconscious",),
        "initiative": ("{subject} rolls {value} for initiative",),
        "xp": (),
        "gold": (),
        "silver": (),
        "copper": (),
    },
    outcomes=phrasebook.FALLS,
    atmosphere=(
        "The air is still.",
        "For a moment nobody speaks.",
        "Le vent se lève.",
        "Un corbeau crie au loin.",
        "The light is fading.",
    ),
)
"""How the hostile model words the table's claims."""
ROLLED_ONE = ("rolls one", "rolls a one", "rolled one", "rolled a one", "obtient un")
AGAINST_ONE = (
    "against one and",
    "difficulty of one",
    "contre one",
    "contre un et",
    "difficulté de un",
)
Named = tuple[str, tuple[str, ...]]


def check_of(before: Table, after: Table, book: Book) -> Check:
    """Return the check of a turn's sentences; compiled once for the beings that are in it."""
    named = (*_foes(after, book), *_beings(before, book), *_beings(after, book))
    beings = tuple(dict.fromkeys(named))
    table = after
    return _check(book.story.key, id(book), beings, table.lang, _Shelf(book))


class _Shelf:
    """A book as part of a cache's key: equal to every other of the same identity."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shelf) and other.book is self.book

    def __hash__(self) -> int:
        return id(self.book)


@lru_cache(maxsize=64)
def _check(story: str, ident: int, beings: tuple[Named, ...], lang: Lang, shelf: _Shelf) -> Check:
    return checker(lexicon(beings, shelf.book, lang))


def lexicon(beings: Iterable[Named], book: Book, lang: Lang) -> Lexicon:
    """Return everything checkable at a table, in the names of one language."""
    return Lexicon(
        entities=tuple(_entities(beings, book, lang)),
        outcomes=(
            *(
                Outcome(phrase=phrase, kind=kind)
                for kind, phrases in OUTCOMES.items()
                for phrase in phrases.split("|")
            ),
            # "one" is a pronoun to the reader of prose; of a roll it is a number.
            *(Outcome(phrase=phrase, kind="roll", value="1") for phrase in ROLLED_ONE),
            *(Outcome(phrase=phrase, kind="difficulty", value="1") for phrase in AGAINST_ONE),
        ),
        measures=MEASURES,
        words=tuple(_words(book)),
        atmosphere=True,
    )


def _foes(table: Table, book: Book) -> Iterator[Named]:
    """Yield everyone who may be met in this adventure, so that one check serves a whole game."""
    for key, encounter in book.story.encounters.items():
        for foe in foes_of(encounter, key, table.party, book.rules):
            yield _being(foe, table, book)


def _beings(table: Table, book: Book) -> Iterator[Named]:
    """Yield everybody's name with other words for them: kinds of foes, the party, persons."""
    for one in table.cast.creatures:
        yield _being(one, table, book)
    party = Text(en="the party", fr="le groupe")
    yield party.of(table.lang), party.both
    for person in book.story.persons.values():
        yield person.name.of(table.lang), person.name.both


def _being(one: Creature, table: Table, book: Book) -> Named:
    kind = book.rules.monsters.get(one.kind)
    other = _with_articles(kind.name) if kind else ()
    called = _with_articles(one.name) if one.name.of(table.lang)[:1].islower() else ()
    return one.name.of(table.lang), tuple(dict.fromkeys((*one.name.both, *called, *other)))


def _with_articles(name: Text) -> tuple[str, ...]:
    en, fr = name.en, name.fr
    return (f"the {en}", en, f"le {fr}", f"la {fr}", f"l'{fr}", fr)


def _entities(beings: Iterable[Named], book: Book, lang: Lang) -> Iterator[Entity]:
    seen: set[str] = set()
    for name, aliases in beings:
        if fold(name) not in seen:
            seen.add(fold(name))
            yield Entity(name=name, kind="being", aliases=tuple(dict.fromkeys(aliases)))
    rules = book.rules
    for kind, texts in (
        ("item", [one.name for one in rules.items.values()]),
        ("spell", [one.name for one in rules.spells.values()]),
        ("feature", [one.name for one in rules.features.values()]),
    ):
        for text in texts:
            name = text.of(lang)
            if fold(name) not in seen:
                seen.add(fold(name))
                aliases = (
                    *text.both,
                    f"the {text.en}",
                    f"le {text.fr}",
                    f"la {text.fr}",
                    f"l'{text.fr}",
                )
                yield Entity(name=name, kind=kind, aliases=tuple(dict.fromkeys(aliases)))


def _words(book: Book) -> Iterator[str]:
    """Yield words that are written with a capital and name no being: places, skills, the title."""
    named = [*(scene.name for scene in book.story.scenes.values()), book.story.title]
    named += [*SKILLS.values(), *ABILITIES.values()]
    named += [one.name for one in book.rules.races.values()]
    named += [one.name for one in book.rules.classes.values()]
    for text in named:
        for said in text.both:
            yield from said.replace("-", " ").replace("'", " ").split()
