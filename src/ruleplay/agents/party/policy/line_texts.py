"""The few words that printed lines are made of, in both languages."""

from __future__ import annotations

from ruleplay.story.texts import Lang, Text

MOVES = Text(en="moves", fr="se déplace")
SLAIN = Text(en="slain", fr="meurt")
DOWN = Text(en="down", fr="tombe")
UP = Text(en="comes round", fr="reprend connaissance")
STABLE = Text(en="stable", fr="hors de danger")
MISS = Text(en="miss ({n})", fr="manqué ({n})")
CRITICAL = Text(en="critical", fr="critique")
UNHARMED = Text(en="no harm", fr="aucun mal")
LEFT = Text(en="({n} left)", fr="(reste {n})")
NOW = Text(en="(now {n})", fr="(à {n})")
GONE = Text(en="gets away", fr="s'en va")
YIELDS = Text(en="gives up", fr="se rend")
UNMOVED = Text(en="unmoved", fr="ne cède pas")
SHAKEN = Text(en="loses heart", fr="perd courage")
ENDURES = Text(en="still stands", fr="tient encore debout")
LOSES_HOLD = Text(en="loses hold of the spell", fr="perd le fil du sort")
HIDDEN = Text(en="out of sight", fr="hors de vue")
READY = Text(en="waits for an opening", fr="guette une ouverture")
NO_LONGER = Text(en="no longer {what}", fr="n'est plus {what}")
ASLEEP = Text(en="asleep", fr="dort")
AWAKE = Text(en="wakes", fr="s'éveille")
TEMP = Text(en="{n} temporary hit points", fr="{n} points de vie temporaires")
DEATH_SAVE = Text(en="death save", fr="jet contre la mort")
SAVE = Text(en="{ability} save", fr="sauvegarde ({ability})")
INITIATIVE = Text(en="Initiative", fr="Initiative")
XP = Text(en="+{n} XP", fr="+{n} PX")
LEVEL = Text(en="level {n}", fr="niveau {n}")
PARTY = Text(en="the party", fr="le groupe")
COIN = {
    "gold": Text(en="{n} gp", fr="{n} po"),
    "silver": Text(en="{n} sp", fr="{n} pa"),
    "copper": Text(en="{n} cp", fr="{n} pc"),
}


def coined(copper: int) -> dict[str, int]:
    """Return an amount in gold, silver and copper pieces, without those there are none of."""
    found = {"gold": copper // 100, "silver": copper % 100 // 10, "copper": copper % 10}
    return {kind: count for kind, count in found.items() if count}


def priced(copper: int, lang: Lang) -> str:
    """Return an amount of coin in words."""
    return " ".join(COIN[kind].of(lang).format(n=n) for kind, n in coined(copper).items())


WARMS = Text(en="thinks better of you", fr="vous voit d'un meilleur œil")
COOLS = Text(en="thinks worse of you", fr="vous voit d'un moins bon œil")
EDGE = {
    "up": Text(en="advantage on the next roll", fr="avantage au prochain jet"),
    "down": Text(en="disadvantage on the next roll", fr="désavantage au prochain jet"),
}
STANCES = {
    "distracted": Text(en="distracted, its next blow is harder", fr="n'a plus l'esprit au coup"),
    "guarding": Text(en="guarded, +2 armour class", fr="à couvert, classe d'armure +2"),
    "slowed": Text(en="slowed to half its pace", fr="ralenti de moitié"),
    "hidden": Text(
        en="out of sight, the next blow misses more", fr="hors de vue, plus dur à viser"
    ),
}
"""What improvised acts bring that is no condition of the rules."""
PROMISED = Text(en="promises “{what}”", fr="promet « {what} »")
KEEPS = Text(en="keeps {what}", fr="garde {what}")
FOLLOWS = Text(en="comes along", fr="vient avec vous")
MINUTES = Text(en="{n} minutes pass", fr="{n} minutes passent")
NOT_ON_SHEET = Text(en="“{what}” is not on the sheet", fr="« {what} » n'est pas sur la fiche")
UNHURT = Text(en="unhurt, no hit die spent", fr="indemne, aucun dé de vie dépensé")
SURPRISED = Text(en="taken by surprise", fr="pris de court")
OVER = {
    "won": Text(en="The fight is won", fr="Le combat est gagné"),
    "lost": Text(en="The fight is lost", fr="Le combat est perdu"),
    "fled": Text(en="The party gets away", fr="Le groupe s'échappe"),
    "parted": Text(en="Nobody fights on", fr="Plus personne ne se bat"),
    "forced": Text(en="The fight peters out", fr="Le combat s'éteint"),
}
ASKED = {
    "leave_seat": Text(
        en="Leave the table? The seat plays on by itself.",
        fr="Quitter la table ? Le siège continuera seul.",
    ),
    "assault": Text(
        en="Attack them here, in peace? It cannot be taken back.",
        fr="Attaquer ici, en pleine paix ? On ne revient pas là-dessus.",
    ),
}
YES_NO = {"yes": Text(en="yes", fr="oui"), "no": Text(en="no", fr="non")}
SAYS = Text(en="{who}: “{text}”", fr="{who} : « {text} »")
SAYS_TO = Text(en="{who}, {to}: “{text}”", fr="{who}, {to} : « {text} »")
TELLS = Text(en="{who}: {text}", fr="{who} : {text}")
TELLS_TO = Text(en="{who}, {to}: {text}", fr="{who}, {to} : {text}")
TURNS_TO = Text(
    en="The game master turns to {to}: {text}", fr="Le maître du jeu se tourne vers {to} : {text}"
)
WITHHELD = {
    "harm": Text(en="{who}: no harm", fr="{who} : aucun mal"),
    "keepsake": Text(en="nothing to keep", fr="rien à garder"),
    "coin": Text(en="no coin", fr="pas de pièces"),
}
"""What did not come of an act, by the kind of effect; what is missing here is told as a rest."""
NOTHING_MORE = Text(en="nothing more comes of it", fr="rien de plus n'en sort")
TURN_OVER = Text(
    en="Your turn is over; {name} is to move.", fr="Votre tour est fini ; c'est à {name} de jouer."
)
YOUR_TURN = Text(en="It is your turn, {name}.", fr="C'est à vous, {name}.")
PLANNED = Text(en="You still meant: {what}.", fr="Vous vouliez encore : {what}.")
TO_ASK = Text(
    en="Without a model people answer only what the adventure has for them: {what}.",
    fr="Sans modèle, on ne répond qu'à ce que l'aventure prévoit : {what}.",
)
