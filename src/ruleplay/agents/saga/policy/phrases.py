"""How happenings are told: several wordings each, in words that the gate reads."""

# ruff: noqa: E501 -- texts and word lists
from __future__ import annotations

from ruleplay.agents.saga.domain.texts import Lang, Text

HIT = (
    Text(
        en="{a} hits {b} with {w} for {n} damage.",
        fr="{a} frappe {b} avec {w} et lui inflige {harm}.",
    ),
    Text(
        en="{a} swings {w} at {b} and deals {n} damage.",
        fr="Avec {w}, {a} blesse {b} : {harm}.",
    ),
    Text(
        en="{b} takes {n} damage when {a} strikes with {w}.",
        fr="{a} touche {b} avec {w} et inflige {harm}.",
    ),
    Text(
        en="{a} wounds {b} with {w}: {n} damage.",
        fr="{b} subit {harm} quand {a} frappe avec {w}.",
    ),
)
BITE = (
    Text(
        en="{a} hits {b} with {w} for {n} damage.",
        fr="{a} touche {b} avec {w} et inflige {harm}.",
    ),
    Text(
        en="{b} takes {n} damage when {a} strikes with {w}.",
        fr="{b} subit {harm} quand {a} frappe avec {w}.",
    ),
    Text(en="{a} wounds {b} with {w}: {n} damage.", fr="Avec {w}, {a} blesse {b} : {harm}."),
)
SHOT = (
    Text(
        en="{a} hits {b} with {w} for {n} damage.",
        fr="{a} touche {b} avec {w} et lui inflige {harm}.",
    ),
    Text(
        en="{b} is hit by {a} with {w} for {n} damage.",
        fr="Avec {w}, {a} blesse {b} : {harm}.",
    ),
)
GLANCE = (
    Text(
        en="{a} hits {b} with {w} for {n} damage: the armour holds.",
        fr="{a} touche {b} avec {w} et inflige {harm} : l'armure tient bon.",
    ),
)
MISS = (
    Text(en="{a} misses {b}.", fr="{a} manque {b}."),
    Text(en="{b} dodges the attack by {a}.", fr="{b} esquive le coup que lance {a}."),
    Text(en="{a} attacks {b} and misses.", fr="{a} attaque {b} et manque son coup."),
    Text(en="{b} parries the attack by {a}.", fr="{b} pare le coup que lance {a}."),
    Text(en="{a} fails to hit {b}.", fr="{a} n'atteint pas {b}."),
)
CRITICAL = (Text(en="{a} lands a critical hit!", fr="{a} réussit un coup critique !"),)
FUMBLE = (Text(en="{a} fumbles.", fr="{a} commet une maladresse."),)
HP = (
    Text(en="{b} has {hp} left.", fr="{b} a encore {hp}."),
    Text(en="{b} is down to {hp}.", fr="Il reste {hp} à {b}."),
)
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
        en="{b} loses {hp} to the poison.",
        fr="{b} perd {hp} à cause du poison.",
    ),
    "bleeding": Text(en="{b} loses {hp} to the bleeding.", fr="{b} saigne et perd {hp}."),
    "burning": Text(en="{b} loses {hp} to the fire.", fr="{b} brûle et perd {hp}."),
}
HEALS = (Text(en="{b} regains {hp}.", fr="{b} récupère {hp}."),)
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
INITIATIVE = Text(en="{a} rolls {n} for initiative.", fr="{a} fait {n} à l'initiative.")
FIRST = Text(en="{a} moves first.", fr="C'est {a} qui commence.")
OPENING = (
    Text(en="There is nothing left to say.", fr="Il n'y a plus rien à dire."),
    Text(en="It comes to blows.", fr="On en vient aux mains."),
    Text(en="Everybody moves at once.", fr="Tous bougent en même temps."),
    Text(en="So be it.", fr="Qu'il en soit ainsi."),
)
CHECK = {
    True: Text(
        en="{a} rolls {n} for {skill} against a difficulty of {m} and succeeds.",
        fr="{a} fait {n} en {skill} contre une difficulté de {m} : réussite.",
    ),
    False: Text(
        en="{a} rolls {n} for {skill} against a difficulty of {m} and fails the check.",
        fr="{a} fait {n} en {skill} contre une difficulté de {m} : échec.",
    ),
}
CHECKED = {
    True: Text(
        en="({skill}: {n} against {m}, success.)", fr="({skill} : {n} contre {m}, réussite.)"
    ),
    False: Text(en="({skill}: {n} against {m}, failure.)", fr="({skill} : {n} contre {m}, échec.)"),
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
XP = Text(en="{a} gains {xp}.", fr="{a} gagne {xp}.")
COIN = {
    "gain": Text(en="{a} gains {coins}.", fr="{a} gagne {coins}."),
    "pay": Text(en="{a} pays {coins}.", fr="{a} paie {coins}."),
    "lose": Text(en="{a} loses {coins}.", fr="{a} perd {coins}."),
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
ARRIVED = Text(en="You come to {place}.", fr="Vous arrivez {place}.")
BACK = Text(en="You come back to {place}.", fr="Vous revenez {place}.")
LANGUAGE = Text(en="From here on in English.", fr="La suite en français.")
SECRET = Text(en="You have learned: {text}", fr="Vous savez désormais : {text}")
MOOD = (
    Text(en="Feet slide on the ground.", fr="Les pieds glissent sur le sol."),
    Text(en="Somewhere a bird breaks off its song.", fr="Quelque part un oiseau se tait."),
    Text(en="Breath smokes in the cold air.", fr="Les souffles fument dans l'air froid."),
    Text(en="The ground is slippery underfoot.", fr="Le sol est traître sous les pas."),
    Text(en="Nobody gives way.", fr="Nul ne cède."),
    Text(en="It goes back and forth.", fr="On avance, on recule."),
    Text(en="The wind turns.", fr="Le vent tourne."),
    Text(en="Then, suddenly, it is very still.", fr="Puis, soudain, il fait très calme."),
    Text(en="There is no time to think.", fr="Pas le temps de réfléchir."),
    Text(en="A cloud moves across the light.", fr="Un nuage passe sur la lumière."),
    Text(en="Shadows cross and part.", fr="Les ombres se croisent et se quittent."),
    Text(en="The world shrinks to a few paces.", fr="Le monde se réduit à quelques pas."),
    Text(en="Dust hangs in the air.", fr="La poussière reste en suspens."),
    Text(en="Somebody breathes hard.", fr="Quelqu'un respire fort."),
    Text(en="Everything happens very fast.", fr="Tout va très vite."),
    Text(en="They circle, and close in again.", fr="On se tourne autour, et l'on revient."),
)
"""Sentences that claim nothing, between rounds."""


def units(n: int, lang: Lang) -> dict[str, str]:
    """Return a number with each of the units that texts name, singular where it is one."""
    if lang == "fr":
        s = "s" if n > 1 else ""
        return {
            "hp": f"{n} point{s} de vie",
            "harm": f"{n} point{s} de dégâts",
            "xp": f"{n} point{s} d'expérience",
            "coins": f"{n} pièce{s}",
        }
    s = "" if n == 1 else "s"
    return {
        "hp": f"{n} hit point{s}",
        "harm": f"{n} damage",
        "xp": f"{n} experience point{s}",
        "coins": f"{n} coin{s}",
    }
