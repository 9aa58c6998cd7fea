"""What is wrong with a character's sheet, in words; each says what to do about it."""

from __future__ import annotations

from typing import Final

from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.story.texts import Lang, Text

PROBLEMS: Final[dict[str, Text]] = {
    "bad_name": Text(
        en="the name {about!r} cannot be used: 2 to 24 letters, the first a capital",
        fr="le nom {about!r} ne convient pas : 2 à 24 lettres, la première en capitale",
    ),
    "reserved_name": Text(
        en="the name {about!r} is that of a seat of the table; choose another",
        fr="le nom {about!r} est celui d'un siège de la table ; choisissez-en un autre",
    ),
    "no_race": Text(
        en="no race {about!r}; there are {other}", fr="pas de race {about!r} ; il y a {other}"
    ),
    "no_class": Text(
        en="no class {about!r}; there are {other}", fr="pas de classe {about!r} ; il y a {other}"
    ),
    "no_level": Text(
        en="level {about} is not played; levels go from 1 to {other}",
        fr="le niveau {about} ne se joue pas ; les niveaux vont de 1 à {other}",
    ),
    "no_score": Text(
        en="no score for {about}; all six abilities need one",
        fr="pas de valeur pour {about} ; les six caractéristiques en demandent une",
    ),
    "not_standard": Text(
        en="the scores {about} are not the standard array {other}; or write `scores: points`",
        fr="les valeurs {about} ne sont pas la série {other} ; ou bien écrivez `scores: points`",
    ),
    "score_range": Text(
        en="scores of {about} cannot be bought; points buy 8 to 15",
        fr="des valeurs de {about} ne s'achètent pas ; les points achètent de 8 à 15",
    ),
    "too_many_points": Text(
        en="the scores cost {about} points of {other}",
        fr="les valeurs coûtent {about} points sur {other}",
    ),
    "bonus_choice": Text(
        en="`bonus` names {about} new abilities; the race lets one choose {other}",
        fr="`bonus` nomme {about} autres caractéristiques ; la race en laisse choisir {other}",
    ),
    "improvement_choice": Text(
        en="`improvements` names {about} points; at this level there are {other}",
        fr="`improvements` nomme {about} points ; à ce niveau, il y en a {other}",
    ),
    "score_too_high": Text(en="{about} would rise above {other}", fr="{about} dépasserait {other}"),
    "skill_count": Text(
        en="{about} different skills are named; choose {other}",
        fr="{about} compétences différentes sont nommées ; choisissez-en {other}",
    ),
    "skill_known": Text(
        en="the race has {about} already; choose another skill",
        fr="la race a déjà {about} ; choisissez une autre compétence",
    ),
    "skill_foreign": Text(
        en="the class does not teach {about}", fr="la classe n'enseigne pas {about}"
    ),
    "expertise_count": Text(
        en="`expertise` names {about} skills; name {other} of those that are known",
        fr="`expertise` nomme {about} compétences ; nommez-en {other} parmi celles qui sont sues",
    ),
    "no_style": Text(
        en="no fighting style {about!r} for this class and level; there are {other}",
        fr="pas de style de combat {about!r} pour cette classe et ce niveau ; il y a {other}",
    ),
    "no_item": Text(
        en="no item {about} in the equipment", fr="pas d'objet {about} dans l'équipement"
    ),
    "not_for_sale": Text(
        en="{about} cannot be had at the start", fr="{about} ne s'obtient pas au départ"
    ),
    "not_proficient": Text(
        en="the class is not trained to wear {about}", fr="la classe ne sait pas porter {about}"
    ),
    "too_dear": Text(
        en="the equipment costs {about} gold pieces; at most {other} can be spent",
        fr="l'équipement coûte {about} pièces d'or ; on en dépense au plus {other}",
    ),
    "no_spell": Text(en="no spell {about} in the rules", fr="pas de sort {about} dans les règles"),
    "spell_twice": Text(en="a spell is named twice", fr="un sort est nommé deux fois"),
    "spell_foreign": Text(
        en="{about} is no spell of the {other}", fr="{about} n'est pas un sort de {other}"
    ),
    "spell_too_high": Text(
        en="{about} is above level {other}, the highest that can be cast",
        fr="{about} dépasse le niveau {other}, le plus haut qui puisse être lancé",
    ),
    "cantrip_count": Text(
        en="{about} cantrips are named of at most {other}",
        fr="{about} tours de magie sont nommés sur {other} au plus",
    ),
    "spell_count": Text(
        en="{about} spells of level 1 and higher are named of at most {other}",
        fr="{about} sorts de niveau 1 et plus sont nommés sur {other} au plus",
    ),
    "seat_twice": Text(
        en="two characters are called {about!r}; seats need names of their own",
        fr="deux personnages s'appellent {about!r} ; chaque siège a besoin de son nom",
    ),
}


def problem_in_words(problem: Refusal, lang: Lang) -> str:
    """Return a problem in words."""
    return PROBLEMS[problem.reason].of(lang).format(about=problem.about, other=problem.other)
