"""How happenings are told: several wordings each, in words that the gate reads."""

# ruff: noqa: E501 -- texts and word lists
from __future__ import annotations

from ruleplay.agents.saga.domain.texts import Text

HIT = (
    Text(
        en="{a} hits {b} with {w} for {n} damage.",
        fr="{a} frappe {b} avec {w} et lui inflige {n} points de dégâts.",
    ),
    Text(
        en="{a} swings {w} at {b} and deals {n} damage.",
        fr="Avec {w}, {a} blesse {b} pour {n} points de dégâts.",
    ),
    Text(
        en="{b} takes {n} damage when {a} strikes with {w}.",
        fr="{a} touche {b} avec {w} : {n} points de dégâts.",
    ),
)
SHOT = (
    Text(
        en="{a} hits {b} with {w} for {n} damage.",
        fr="{a} touche {b} avec {w} et lui inflige {n} points de dégâts.",
    ),
    Text(
        en="{b} is hit by {a} with {w} for {n} damage.",
        fr="Avec {w}, {a} blesse {b} pour {n} points de dégâts.",
    ),
)
MISS = (
    Text(en="{a} misses {b}.", fr="{a} manque {b}."),
    Text(en="{b} dodges the attack by {a}.", fr="{a} rate {b}."),
    Text(en="{a} attacks {b} and misses.", fr="{a} attaque {b} et manque son coup."),
)
CRITICAL = (Text(en="{a} lands a critical hit!", fr="{a} réussit un coup critique !"),)
FUMBLE = (Text(en="{a} fumbles.", fr="{a} commet une maladresse."),)
HP = (Text(en="{b} has {n} hit points left.", fr="{b} a encore {n} points de vie."),)
KILLS = (
    Text(en="{a} kills {b}.", fr="{a} tue {b}."),
    Text(en="{b} is slain by {a}.", fr="{a} porte le coup fatal à {b}."),
)
DIES = (Text(en="{b} dies.", fr="{b} meurt."),)
FLEES = (
    Text(en="{b} flees.", fr="{b} prend la fuite."),
    Text(en="{b} runs away.", fr="{b} s'enfuit."),
)
HARM = {
    "poisoned": Text(
        en="{b} takes {n} damage from the poison.", fr="{b} subit {n} points de dégâts du poison."
    ),
    "bleeding": Text(
        en="{b} takes {n} damage from the bleeding.", fr="{b} perd du sang : {n} points de dégâts."
    ),
    "burning": Text(
        en="{b} takes {n} damage from the fire.", fr="{b} subit {n} points de dégâts du feu."
    ),
}
HEALS = (Text(en="{b} regains {n} hit points.", fr="{b} récupère {n} points de vie."),)
STATUS = {
    "poisoned": Text(en="{b} is poisoned.", fr="{b} souffre du poison."),
    "bleeding": Text(en="{b} is bleeding.", fr="{b} saigne."),
    "burning": Text(en="{b} is burning.", fr="{b} brûle."),
    "stunned": Text(en="{b} is stunned.", fr="{b} reste sous le choc."),
    "frightened": Text(en="{b} is frightened.", fr="{b} prend peur."),
    "blessed": Text(en="{b} is blessed.", fr="{b} sent une force nouvelle."),
    "guarding": Text(en="{b} is on guard.", fr="{b} se met en garde."),
    "defending": Text(en="{b} stays on the defensive.", fr="{b} reste sur la défensive."),
    "aiming": Text(en="{b} takes aim.", fr="{b} vise."),
}
OVER = {
    "poisoned": Text(en="The poison has run its course.", fr="Le poison a fait son temps."),
    "bleeding": Text(en="The bleeding stops.", fr="Le sang cesse de couler."),
    "burning": Text(en="The fire goes out.", fr="Le feu s'éteint."),
    "stunned": Text(en="The daze lifts.", fr="L'étourdissement se dissipe."),
    "frightened": Text(en="The fear passes.", fr="La peur passe."),
    "blessed": Text(en="The blessing fades.", fr="La force nouvelle s'estompe."),
}
SKIPPED = {
    "stunned": Text(en="{b} cannot act.", fr="{b} ne peut agir."),
    "waits": Text(en="{b} waits.", fr="{b} attend."),
}
NEAR = Text(en="{b} comes within reach.", fr="{b} arrive à portée.")
FAR = Text(en="{b} draws back.", fr="{b} prend du champ.")
INITIATIVE = Text(en="{a} rolls {n} for initiative.", fr="{a} obtient {n} à l'initiative.")
FIRST = Text(en="{a} moves first.", fr="{a} agit en premier lieu.")
CHECK = {
    True: Text(
        en="{a} rolls {n} for {skill} against a difficulty of {m} and succeeds.",
        fr="{a} obtient {n} en {skill} contre une difficulté de {m} : réussite.",
    ),
    False: Text(
        en="{a} rolls {n} for {skill} against a difficulty of {m} and fails the check.",
        fr="{a} obtient {n} en {skill} contre une difficulté de {m} : échec.",
    ),
}
ENDED = {
    "player_win": Text(en="{a} wins the fight.", fr="{a} remporte le combat."),
    "npc_flee": Text(en="Nobody is left to fight.", fr="Il n'y a plus personne à combattre."),
    "player_flee": Text(en="The fight is left behind.", fr="Le combat reste en arrière."),
    "player_die": Text(
        en="Everything grows quiet. Between one breath and the next there is a choice: come back to life, or accept death.",
        fr="Tout se tait. Entre un souffle et le suivant, un choix reste : revenir à la vie, ou accepter la mort.",
    ),
    "forced_end": Text(
        en="The fight breaks off undecided.", fr="Le combat s'interrompt sans vainqueur."
    ),
    "error_abort": Text(
        en="The fight cannot go on and is called off.",
        fr="Le combat ne peut continuer : il est annulé.",
    ),
}
XP = Text(en="{a} gains {n} experience points.", fr="{a} gagne {n} points d'expérience.")
COIN = {
    "gain": Text(en="{a} gains {n} coins.", fr="{a} gagne {n} pièces."),
    "pay": Text(en="{a} pays {n} coins.", fr="{a} paie {n} pièces."),
    "lose": Text(en="{a} loses {n} coins.", fr="{a} perd {n} pièces."),
}
GETS = Text(en="{a} gets {w}.", fr="{a} obtient {w}.")
GETS_MORE = Text(en="{a} gets {w} ({n} of them).", fr="{a} obtient {w} ({n} fois).")
USES = {
    "used": Text(en="{a} uses {w}.", fr="{a} utilise {w}."),
    "sold": Text(en="{a} sells {w}.", fr="{a} vend {w}."),
    "given": Text(en="{a} hands over {w}.", fr="{a} remet {w}."),
}
EQUIPS = Text(en="{a} now bears {w}.", fr="{a} porte à présent {w}.")
LEVEL = Text(en="{a} is now of level {n}.", fr="{a} passe au niveau {n}.")
TRAINED = Text(en="{a} grows better at {skill}.", fr="{a} progresse en {skill}.")
RESTED = Text(en="You sleep, and wake to another day.", fr="Vous dormez, et un autre jour se lève.")
RETURNED = Text(
    en="Something lets go of you. You wake, cold and alive, where you last were safe.",
    fr="Quelque chose vous relâche. Vous rouvrez les yeux, dans le froid et en vie, là où vous étiez en sûreté.",
)
ARRIVED = Text(en="You come to {place}.", fr="Vous voici ici : {place}.")
LANGUAGE = Text(en="From here on in English.", fr="La suite en français.")
SECRET = Text(en="You have learned: {text}", fr="Vous savez désormais : {text}")
MOOD = (
    Text(en="Boots scrape on stone.", fr="Des bottes raclent la pierre."),
    Text(
        en="Somewhere a bird breaks off its song.",
        fr="Quelque part un oiseau interrompt son chant.",
    ),
    Text(en="Breath smokes in the cold air.", fr="Les souffles fument dans l'air froid."),
    Text(en="The ground is slippery underfoot.", fr="Le sol glisse sous les pieds."),
    Text(en="Nobody gives way.", fr="Nul ne cède."),
    Text(
        en="For a moment there is only the noise of metal.",
        fr="Un moment, on n'entend que le métal.",
    ),
    Text(en="The wind turns.", fr="Le vent tourne."),
    Text(en="Then, suddenly, it is very still.", fr="Puis, soudain, il fait très calme."),
)
"""Sentences that claim nothing, between rounds."""
