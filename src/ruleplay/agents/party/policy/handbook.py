"""What the rules say of a spell, condition, feature, thing or action that a question names."""

# ruff: noqa: E501 -- texts
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeVar

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.rulebook import FeatureRule, Item, Spell
from ruleplay.agents.party.domain.terms_text import ABILITIES, DAMAGE
from ruleplay.story.texts import Lang, Text, words_of
from ruleplay.story.wording import find

ENTRY = Text(en="{0}: {1}", fr="{0} : {1}")
COSTS = {
    "action": Text(en="one action", fr="une action"),
    "bonus": Text(en="one bonus action", fr="une action bonus"),
    "reaction": Text(en="one reaction", fr="une réaction"),
    "free": Text(en="costs no action", fr="ne coûte aucune action"),
    "long": Text(en="takes minutes to cast", fr="prend des minutes à lancer"),
}
LEVEL = Text(en="spell of level {0}", fr="sort de niveau {0}")
CANTRIP = Text(en="cantrip, costs no slot", fr="tour de magie, ne coûte aucun emplacement")
SELF = Text(en="on the caster", fr="sur qui le lance")
TOUCH = Text(en="by touch", fr="par contact")
FEET = Text(en="range {0} feet", fr="portée {0} pieds")
HOLDS = Text(en="needs concentration", fr="demande de la concentration")
FREE = Text(en="needs no concentration", fr="ne demande pas de concentration")
ROUNDS = Text(en="lasts {0} rounds", fr="dure {0} rounds")
MINUTES = Text(en="lasts {0} min", fr="dure {0} min")
SAVES = Text(en="{0} saving throw", fr="jet de sauvegarde : {0}")
HALF = Text(en="half on a success", fr="moitié en cas de réussite")
ROLLED = Text(en="attack roll", fr="jet d'attaque")
USES = {
    "once": Text(en="once", fr="une fois"),
    "twice": Text(en="twice", fr="deux fois"),
}
PER = {
    "short": Text(en="until a short rest", fr="jusqu'à un repos court"),
    "long": Text(en="until a long rest", fr="jusqu'à un repos long"),
}
CHECK = Text(
    en="A check is a d20 plus what the sheet adds, against a number: easy 10, medium 13, hard 16, extreme 20.",
    fr="Un test est un d20 plus ce qu'ajoute la fiche, contre un nombre : facile 10, moyen 13, difficile 16, extrême 20.",
)
TURN = Text(
    en="In a fight a turn has one action, one bonus action and a move; words are free.",
    fr="En combat, un tour a une action, une action bonus et un déplacement ; la parole est libre.",
)
ACTIONS: dict[str, tuple[Text, Text]] = {
    "attack": (
        Text(en="attack", fr="attaquer"),
        Text(
            en="an action: a d20 plus the weapon's bonus against armour class; a natural 20 is critical.",
            fr="une action : un d20 plus le bonus de l'arme contre la classe d'armure ; un 20 naturel est critique.",
        ),
    ),
    "cast": (
        Text(en="cast", fr="lancer un sort"),
        Text(
            en="casting a spell takes what the spell says, mostly an action, whether it is aimed at a creature or at a thing; from level 1 on it costs a slot.",
            fr="lancer un sort coûte ce que dit le sort, le plus souvent une action, qu'il vise une créature ou une chose ; dès le niveau 1, il coûte un emplacement.",
        ),
    ),
    "dash": (
        Text(en="dash", fr="se précipiter"),
        Text(
            en="an action: your speed once more.", fr="une action : votre vitesse une fois de plus."
        ),
    ),
    "disengage": (
        Text(en="disengage", fr="se désengager"),
        Text(
            en="an action: moving away provokes no opportunity attack this turn.",
            fr="une action : s'éloigner ne provoque aucune attaque d'opportunité ce tour-ci.",
        ),
    ),
    "dodge": (
        Text(en="dodge", fr="esquiver"),
        Text(
            en="an action: attacks against you are rolled with disadvantage until your next turn.",
            fr="une action : on vous attaque avec un désavantage jusqu'à votre prochain tour.",
        ),
    ),
    "help": (
        Text(en="help", fr="aider"),
        Text(
            en="an action: a friend's next roll has advantage.",
            fr="une action : le prochain jet d'un ami a un avantage.",
        ),
    ),
    "hide": (
        Text(en="hide", fr="se cacher"),
        Text(
            en="an action: Stealth against those who look; hidden, you strike with advantage.",
            fr="une action : Discrétion contre ceux qui regardent ; caché, on frappe avec un avantage.",
        ),
    ),
    "ready": (
        Text(en="ready", fr="se tenir prêt"),
        Text(
            en="an action: one blow kept for what comes near, done as a reaction.",
            fr="une action : un coup gardé pour ce qui approche, donné en réaction.",
        ),
    ),
    "grapple": (
        Text(en="grapple", fr="agripper"),
        Text(
            en="in place of an attack: Athletics against Athletics or Acrobatics; who is held cannot move.",
            fr="au lieu d'une attaque : Athlétisme contre Athlétisme ou Acrobaties ; qui est tenu ne se déplace plus.",
        ),
    ),
    "shove": (
        Text(en="shove", fr="bousculer"),
        Text(
            en="in place of an attack: Athletics against Athletics or Acrobatics; who loses falls.",
            fr="au lieu d'une attaque : Athlétisme contre Athlétisme ou Acrobaties ; qui perd tombe.",
        ),
    ),
    "opportunity": (
        Text(en="opportunity attack", fr="attaque d'opportunité"),
        Text(
            en="a reaction against whoever leaves your reach without disengaging.",
            fr="une réaction contre qui quitte votre portée sans se désengager.",
        ),
    ),
    "concentration": (
        Text(en="concentration", fr="concentration"),
        Text(
            en="one such spell at a time; whoever is hurt saves with Constitution against 10 or half the damage, or loses it.",
            fr="un seul sort de ce genre à la fois ; qui est blessé fait un jet de Constitution contre 10 ou la moitié des dégâts, ou le perd.",
        ),
    ),
    "short rest": (
        Text(en="short rest", fr="repos court"),
        Text(
            en="an hour where nobody hostile looks on: hit dice are spent and some features come back.",
            fr="une heure sans regard hostile : on dépense des dés de vie et certaines capacités reviennent.",
        ),
    ),
    "long rest": (
        Text(en="long rest", fr="repos long"),
        Text(
            en="a night in a safe place: hit points, slots and features come back.",
            fr="une nuit en lieu sûr : points de vie, emplacements et capacités reviennent.",
        ),
    ),
    "flee": (
        Text(en="flee", fr="fuir"),
        Text(
            en="breaks away from the fight; whoever flees is out of it, the others go on.",
            fr="on quitte le combat ; qui fuit n'y est plus, les autres continuent.",
        ),
    ),
}


def entries(question: str, book: Book, lang: Lang) -> Iterator[str]:
    """Yield what the rules say of everything that a question names."""
    asked, rules = words_of(question), book.rules
    for spell in _named(asked, rules.spells):
        yield spell_line(spell, lang)
    for feature in _named(asked, rules.features):
        yield feature_line(feature, lang)
    for condition in _named(asked, rules.conditions):
        yield ENTRY.of(lang).format(condition.name.of(lang), condition.text.of(lang))
    for item in _named(asked, rules.items):
        yield item_line(item, lang)
    for name, text in ACTIONS.values():
        if any(find(asked, words_of(said)) is not None for said in name.both):
            yield ENTRY.of(lang).format(name.of(lang), text.of(lang))


class Called(Protocol):
    """An entry of the rules that has a name."""

    @property
    def name(self) -> Text:
        """Return what it is called."""


Entry = TypeVar("Entry", bound=Called)


def _named(asked: tuple[str, ...], known: Mapping[Any, Entry]) -> Iterator[Entry]:
    for key, one in known.items():
        phrases = (words_of(key.replace("-", " ")), *map(words_of, one.name.both))
        if any(phrase and find(asked, phrase) is not None for phrase in phrases):
            yield one


def spell_line(spell: Spell, lang: Lang) -> str:
    """Return all that the rules say of a spell, in a line."""
    told = f"{'; '.join(_of_spell(spell, lang))}. {spell.text.of(lang)}"
    return ENTRY.of(lang).format(spell.name.of(lang), told)


def _of_spell(spell: Spell, lang: Lang) -> Iterator[str]:
    yield LEVEL.of(lang).format(spell.level) if spell.level else CANTRIP.of(lang)
    yield COSTS[spell.cost].of(lang)
    near = TOUCH if spell.range else SELF
    yield FEET.of(lang).format(spell.range) if spell.range > 5 else near.of(lang)
    yield (HOLDS if spell.concentration else FREE).of(lang)
    if spell.rounds:
        long = MINUTES if spell.rounds >= 10 else ROUNDS
        yield long.of(lang).format(spell.rounds // 10 if spell.rounds >= 10 else spell.rounds)
    if spell.save:
        half = f" ({HALF.of(lang)})" if spell.half else ""
        yield SAVES.of(lang).format(ABILITIES[spell.save].of(lang)) + half
    elif spell.how in ("melee", "ranged"):
        yield ROLLED.of(lang)
    for damage in spell.damage:
        yield f"{damage.dice} {DAMAGE[damage.type].of(lang)}"


def feature_line(feature: FeatureRule, lang: Lang) -> str:
    """Return all that the rules say of a feature, in a line."""
    cost = COSTS[feature.cost].of(lang) if feature.cost else ""
    often = USES[feature.uses].of(lang) if feature.uses in USES else ""
    until = PER[feature.per].of(lang) if feature.per else ""
    parts = "; ".join(part for part in (cost, " ".join(filter(None, (often, until)))) if part)
    told = f"{parts}. {feature.text.of(lang)}" if parts else feature.text.of(lang)
    return ENTRY.of(lang).format(feature.name.of(lang), told)


def item_line(item: Item, lang: Lang) -> str:
    """Return what the rules say of a thing: damage, protection, what it heals."""
    damage = f"{item.damage.dice} {DAMAGE[item.damage.type].of(lang)}" if item.damage else ""
    ac = Text(en="armour class {0}", fr="classe d'armure {0}").of(lang).format(item.ac)
    heals = Text(en="heals {0}", fr="soigne {0}").of(lang).format(item.heals)
    parts = (damage, ac if item.ac else "", heals if item.heals else "")
    return ENTRY.of(lang).format(item.name.of(lang), ", ".join(filter(None, parts)) or "—")
