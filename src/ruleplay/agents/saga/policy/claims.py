"""What is checkable in the saga's prose: numbers, deaths, hits, conditions, items, named beings."""

# ruff: noqa: E501 -- texts and word lists
from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.texts import Lang, Text, fold
from ruleplay.foundation.prose import phrasebook
from ruleplay.foundation.prose.lexicon import Entity, Lexicon, Measure, Outcome
from ruleplay.foundation.prose.phrasebook import Phrasebook

OUTCOMES: dict[str, str] = {
    "dies": "dies|die|died|dead|lifeless|slain|did not survive|does not survive|falls dead|is no more"
    "|breathes no more|end of|meurt|meurent|mort|morte|sans vie|dernier souffle|ne survit pas|succombe"
    "|corpse|cadavre|perishes|drops dead|collapses",
    "kills": "kills|kill|killed|slain by|killing blow|finishes off|strikes dead|cuts down|slays|slew"
    "|tue|tué|tuée|coup fatal|achève|abat|mortally wounds|beheads|décapite",
    "miss": "misses|miss|missed|dodges|dodged|goes wide|steps aside|fails to hit|manque|rate|esquive"
    "|n'atteint pas|évite le coup|parries|pare",
    "hit": "hits|hit|strikes|struck|wounds|wounded|damage|deals|swings|wounding|touche|touché|frappe|frappé"
    "|inflige|blesse|blessé|subit|encaisse|pierces|cuts|slashes|transperce",
    "critical": "critical hit|critical|coup critique|critique",
    "fumble": "fumbles|fumble|fumbled|maladresse|trips|stumbles",
    "poisoned": "poisoned|poison|venom|empoisonné|empoisonnée|venin",
    "bleeding": "bleeding|bleeds|saigne|perd du sang|hémorragie",
    "burning": "burning|on fire|ablaze|brûle|en feu|en flammes",
    "stunned": "stunned|dazed|sous le choc|étourdi|étourdie|assommé|assommée|unconscious|inconscient",
    "frightened": "frightened|terrified|afraid|prend peur|effrayé|effrayée|terrifié|terrifiée",
    "blessed": "blessed|blessing|force nouvelle|béni|bénie|bénédiction",
    "defending": "on the defensive|defensive|défensive|défend",
    "guarding": "on guard|en garde",
    "aiming": "takes aim|aims|vise",
    "heals": "heals|healed|regains|regain|recovers|restores|soigne|récupère|guérit",
    "flees": "flees|flee|fled|runs away|escapes|takes flight|fuite|s'enfuit|prend la fuite",
    "wins": "wins the fight|wins|victory|victorious|triumphs|remporte|victoire|l'emporte",
    "gets": "gets|get|receives|finds|obtains|picks up|obtient|trouve|ramasse|reçoit|gains the",
    "uses": "uses|drinks|sells|hands over|utilise|boit|vend|remet|avale",
    "succeeds": "succeeds|succeed|success|réussite|réussit le test",
    "fails": "fails the check|fails|failure|échec|échoue",
}
"""Outcome words of each kind of claim, in both languages."""
HIT_POINTS = ("hit points", "hit point", "HP", "points de vie", "point de vie", "PV")
MEASURES = (
    Measure(
        kind="hit",
        units=("damage", "points of damage", "points de dégâts", "point de dégâts", "dégâts"),
    ),
    Measure(kind="harm", units=HIT_POINTS),
    Measure(kind="hp", units=HIT_POINTS),
    Measure(kind="heals", units=HIT_POINTS),
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
    Measure(kind="coin", units=("coins", "coin", "gold", "pièces", "pièce", "pièces d'or")),
    Measure(kind="initiative", units=("initiative", "for initiative", "à l'initiative")),
    Measure(kind="difficulty", units=("difficulty", "difficulté")),
    Measure(kind="roll", units=("roll", "rolls", "fait")),
)
PHRASEBOOK = Phrasebook(
    phrasing={
        "hit": (
            "{subject} strikes {object} and deals {value} damage",
            "{object} takes {value} damage from {subject}",
            "{subject} inflige {value} points de dégâts à {object}",
        ),
        "miss": ("{subject} misses {object}", "{subject} manque {object}"),
        "kills": ("{subject} kills {object}", "{subject} tue {object}"),
        "dies": ("{subject} dies", "{subject} meurt"),
        "hp": (
            "{subject} has {value} hit points left",
            "{subject} a encore {value} points de vie",
        ),
        "heals": (
            "{subject} regains {value} hit points",
            "{subject} récupère {value} points de vie",
        ),
        "flees": ("{subject} flees", "{subject} prend la fuite"),
        "poisoned": ("{subject} is poisoned",),
        "bleeding": ("{subject} is bleeding",),
        "initiative": ("{subject} rolls {value} for initiative",),
        "xp": ("{subject} gains {value} experience points",),
        "coin": (),
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
"""How the hostile model words the saga's claims."""


def lexicon(book: Book, hero: str, lang: Lang) -> Lexicon:
    """Return everything checkable in one story, in the names of one language."""
    return Lexicon(
        entities=tuple(_entities(book, hero, lang)),
        outcomes=tuple(
            Outcome(phrase=phrase, kind=kind)
            for kind, phrases in OUTCOMES.items()
            for phrase in phrases.split("|")
        ),
        measures=MEASURES,
        words=tuple(_words(book)),
        atmosphere=True,
    )


def _entities(book: Book, hero: str, lang: Lang) -> Iterator[Entity]:
    yield Entity(name=hero, kind="being", aliases=("you", "vous"))
    seen = {fold(hero)}
    for name, aliases in _beings(book):
        if (own := name.of(lang)) and fold(own) not in seen:
            seen.add(fold(own))
            yield Entity(
                name=own, kind="being", aliases=tuple(dict.fromkeys((*name.both, *aliases)))
            )
    for item in book.rules.items.values():
        names = (*item.name.both, item.the("fr"), item.the("en"))
        yield Entity(name=item.name.of(lang), kind="item", aliases=tuple(dict.fromkeys(names)))


def _beings(book: Book) -> Iterator[tuple[Text, Iterable[str]]]:
    for encounter in book.scenario.encounters.values():
        for foe in (*encounter.foes, *encounter.allies):
            beast = book.rules.bestiary[foe.kind]
            en, fr = beast.name.en, beast.name.fr
            yield foe.name, (f"the {en}", en, f"le {fr}", f"la {fr}", f"l'{fr}", fr)
    for person in book.scenario.persons.values():
        yield person.name, ()


def _words(book: Book) -> Iterator[str]:
    """Yield words that are written with a capital and name no being: places, peoples, skills."""
    named = [*(p.name for p in book.scenario.places.values()), book.scenario.title]
    named += [race.name for race in book.rules.races.values()]
    named += [culture.name for culture in book.rules.cultures.values()]
    named += [skill.name for skill in book.rules.skills.values()]
    for text in named:
        for said in text.both:
            yield from said.replace("-", " ").replace("'", " ").split()
