"""The words of the three worlds: kinds of claims, names, and what a gate needs to know of them.

`DESCRIPTIONS` says it in plain values: entities with their other names, the words for outcomes,
units, shapes of ids.
"""

KINDS: dict[str, dict[str, tuple[str, str, str]]] = {
    "fight": {
        "hit": ("fighter", "int", "fighter"),
        "weapon": ("fighter", "weapon", "fighter"),
        "heals": ("fighter", "int", "fighter"),
        "hp": ("fighter", "int", ""),
        "max": ("fighter", "int", ""),
        "kills": ("fighter", "", "fighter"),
        "miss": ("fighter", "", "fighter"),
        **dict.fromkeys(("dies", "down", "poisoned", "up", "flees", "alive"), ("fighter", "", "")),
    },
    "parts": {
        "price": ("part", "usd", ""),
        "name": ("part", "title", ""),
        "brand": ("part", "brand", ""),
        "maker": ("part", "maker", ""),
        "fit": ("part", "verdict", "model"),
        "fixes": ("part", "symptom", ""),
        "cure": ("part", "pct", "symptom"),
        "minutes": ("part", "min", ""),
        "level": ("part", "level", ""),
        "stock": ("part", "stock", ""),
    },
    "raid": {
        "damage": ("player", "amount", ""),
        "healing": ("player", "amount", ""),
        "dps": ("player", "rate", ""),
        "share": ("player", "pct", ""),
        "overheal": ("player", "pct", ""),
        "activity": ("player", "pct", ""),
        "deaths": ("player", "count", ""),
        "interrupts": ("player", "count", ""),
        "killed": ("player", "ability", ""),
        "died": ("player", "sec", ""),
        "first": ("player", "", ""),
        "alive": ("player", "", ""),
        "uptime": ("player", "pct", "buff"),
        "taken": ("player", "amount", "ability"),
        "kicked": ("player", "count", "ability"),
        "missed": ("ability", "count", ""),
        "boss": ("boss", "pct", ""),
        "duration": ("boss", "sec", ""),
    },
}
"""Claim kinds of each world: the types of subject, value and object; empty where there is none."""

FIGHTERS: dict[str, tuple[str, str]] = {
    "Brannoc": ("the dwarf", "le nain"),
    "Mogg": ("the goblin", "le gobelin"),
    "Torvald": ("the ranger", "le rôdeur"),
    "Grishnak": ("the smith", "le forgeron"),
    "Burz": ("the troll", "le troll"),
    "Fenwick": ("the innkeeper", "le tavernier"),
    "Roland": ("the knight", "le chevalier"),
    "Matthis": ("the priest", "le prêtre"),
    "Snik": ("the thief", "le voleur"),
    "Beleran": ("the wizard", "le mage"),
    "Kelwin": ("the hunter", "le chasseur"),
    "Dorn": ("the guard", "le garde"),
    "Hrungar": ("the giant", "le géant"),
    "Lothar": ("the bandit", "le bandit"),
    "Vargoth": ("the skeleton", "le squelette"),
    "Tancred": ("the captain", "le capitaine"),
}
WEAPONS = {
    "longsword": "la longue épée",
    "axe": "la hache",
    "dagger": "la dague",
    "spear": "la lance",
    "mace": "la masse",
    "warhammer": "le marteau de guerre",
    "club": "le gourdin",
    "scimitar": "le cimeterre",
    "flail": "le fléau",
    "halberd": "la hallebarde",
    "trident": "le trident",
}
LEVELS = {
    "really easy": "très facile",
    "easy": "facile",
    "a bit difficult": "assez difficile",
    "difficult": "difficile",
    "very difficult": "très difficile",
}
TITLES = (
    "refrigerator door shelf bin",
    "water inlet valve",
    "ice maker assembly",
    "dishwasher lower rack wheel",
    "drain pump",
    "door gasket",
    "spray arm",
    "evaporator fan motor",
    "defrost heater",
    "crisper drawer",
    "silverware basket",
    "door latch",
    "water filter",
    "start relay",
    "temperature sensor",
    "heating element",
)
SYMPTOMS = (
    "leaking",
    "not draining",
    "door won't close",
    "too warm",
    "noisy",
    "ice maker not making ice",
    "not dispensing water",
    "not cleaning dishes properly",
    "frost buildup",
    "will not start",
    "light not working",
    "door latch failure",
)
BRANDS = ("Whirlpool", "Frigidaire", "Bosch", "Maytag", "Kenmore", "Samsung")
PLAYERS = (
    "Aldwyn",
    "Brisca",
    "Corvane",
    "Dreknar",
    "Elowine",
    "Farrow",
    "Gromsh",
    "Hestia",
    "Ilvane",
    "Jorund",
    "Kaelith",
    "Lunara",
    "Mirabel",
    "Norvik",
    "Orsolya",
    "Pyrelle",
    "Quint",
    "Rowanne",
    "Sylthas",
    "Thessaly",
)
ABILITIES = (
    "Shadow Bolt Volley",
    "Cleave",
    "Flame Wreath",
    "Arcane Missiles",
    "Conflagration",
    "Whirlwind",
    "Blast Nova",
    "Mind Flay",
    "Holy Fire",
    "Poison Spray",
)
BUFFS = ("Battle Shout", "Sunder Armor", "Curse of Elements", "Expose Armor", "Faerie Fire")
BOSSES = ("Magtheridon", "Gruul", "Nightbane", "Moroes", "Netherspite")
FOREIGN = {
    "fighter": ("Zarquon", "Vexmire", "Pellam", "Quillan", "Tharkuun"),
    "weapon": ("halberd", "trident"),
    "title": ("flux capacitor", "compressor fan blade", "igniter switch"),
    "symptom": ("smells of smoke", "touchpad does not respond", "trips the breaker"),
    "player": ("Zarquon", "Vexmire", "Pellam", "Quillan", "Tharkuun"),
    "ability": ("Pyroblast", "Chain Lightning", "Soul Rend"),
    "buff": ("Devotion Aura", "Hunter's Mark"),
    "boss": ("Zul'gothar", "Prince Ylmarin"),
    "brand": ("Electronix", "Haier"),
}
"""Names that occur in no world (weapons: that no fight uses)."""

DESCRIPTIONS: dict[str, dict[str, object]] = {
    "fight": {
        "entities": {
            name: {"kind": "fighter", "aliases": {"en": [en], "fr": [fr]}}
            for name, (en, fr) in FIGHTERS.items()
        }
        | {
            weapon: {"kind": "weapon", "aliases": {"en": [], "fr": [french]}}
            for weapon, french in WEAPONS.items()
        },
        "outcomes": {
            "dies": "dies, dead, lifeless, slain, did not survive, end of, meurt, mort, sans vie",
            "kills": "kills, slain by, killing blow, finishes off, strikes dead, tue, coup fatal",
            "down": "unconscious, out cold, knocked out, passes out, inconscient, connaissance",
            "miss": "misses, dodges, goes wide, steps aside, fails to hit, manque, rate, esquive",
            "hit": "hits, strikes, wounds, damage, touche, frappe, inflige, blesse, subit",
            "poisoned": "poisoned, poison, empoisonné",
            "heals": "heals, regains, restores, soigne, récupère",
            "flees": "flees, runs, escapes, fuite, s'enfuit",
            "alive": "survives, alive, lives, not dead, neither dies, en vie, pas mort",
            "up": "still standing, on their feet, toujours debout",
        },
        "units": {"hit": "damage", "hp": "hit points, HP, points de vie", "heals": "hit points"},
        "id_patterns": [],
    },
    "parts": {
        "entities": {title: {"kind": "title", "aliases": {}} for title in TITLES}
        | {brand: {"kind": "brand", "aliases": {}} for brand in BRANDS}
        | {symptom: {"kind": "symptom", "aliases": {}} for symptom in SYMPTOMS}
        | {en: {"kind": "level", "aliases": {"fr": [fr]}} for en, fr in LEVELS.items()},
        "outcomes": {
            "fit=listed": "fits, listed, compatible, works with, convient, compatible avec",
            "fit=not listed": "does not fit, not listed, not compatible, ne convient pas",
            "fit=unknown": "don't know, can't say, not known, no record, ne sais pas, inconnu",
            "fixes": "fixes, fix, solves, cures, addresses, résout, corrige",
            "stock=in stock": "in stock, available, en stock, disponible",
            "stock=out of stock": "out of stock, unavailable, sold out, rupture de stock",
        },
        "units": {"price": "usd, $, dollars", "minutes": "minutes", "cure": "% of cases"},
        "id_patterns": [r"PS\d{8}", r"[A-Z]{3}\d{3}[A-Z]{4}\d", r"W[PR]\d{8}"],
    },
    "raid": {
        "entities": {player: {"kind": "player", "aliases": {}} for player in PLAYERS}
        | {ability: {"kind": "ability", "aliases": {}} for ability in ABILITIES}
        | {buff: {"kind": "buff", "aliases": {}} for buff in BUFFS}
        | {boss: {"kind": "boss", "aliases": {}} for boss in BOSSES},
        "outcomes": {
            "killed": "was killed by, died to, killing blow, fell to, took out",
            "died": "died, dead, down, lasted",
            "first": "died first, first death, first to die",
            "alive": "survived, did not die, neither died",
        },
        "units": {
            "damage": "damage",
            "healing": "healing",
            "dps": "DPS, damage per second",
            "died": "seconds, m:ss",
            "share": "%, percent",
        },
        "id_patterns": [],
    },
}
