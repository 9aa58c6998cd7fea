"""More worlds for the gate's development corpus: several kinds with one unit, titles, two-sided claims.

Phrasings are written as in `gate_corpus_dev`. `more:kind a b` and `less:kind a b` compare two recorded
numbers; `never` marks what no record can carry, because nothing tells how to read it.
"""

# ruff: noqa: E501 -- one phrasing a line
from __future__ import annotations

from tests.foundation.gate_corpus_dev import World, _lines, _outcomes, fact

from ruleplay.foundation.claims import Fact
from ruleplay.foundation.prose.lexicon import Entity, Lexicon, Measure

APPLIANCES = {
    "PS4401": ("defrost heater", "Acme", "61.20", "25", "4.5", "frost build-up"),
    "PS4402": ("ice maker", "Boreal", "118.75", "40", "3.9", "no ice"),
    "PS4403": ("water filter", "Acme", "39.99", "5", "4.8", "bad taste"),
    "PS4404": ("door seal", "Corvin", "74.10", "55", "4.1", "warm air"),
}
VERDICTS = {
    ("PS4401", "RF28R7"): "listed",
    ("PS4402", "RF28R7"): "not_listed",
    ("PS4403", "RF28R7"): "listed",
    ("PS4404", "RF28R7"): "unknown",
    ("PS4401", "GNE25"): "not_listed",
    ("PS4402", "GNE25"): "listed",
    ("PS4403", "GNE25"): "unknown",
}


def _shop_facts() -> tuple[Fact, ...]:
    made = []
    for number, (title, brand, price, minutes, stars, symptom) in APPLIANCES.items():
        made += [
            fact(f"name-{number}", f"{number} is the {title}.", ("title", number, title, "")),
            fact(f"brand-{number}", f"{number} is made by {brand}.", ("brand", number, brand, "")),
            fact(f"price-{number}", f"{number} costs ${price} as of 2025-06-02.", ("price", number, f"{price} usd", ""), ("priced_on", number, "2025-06-02", "")),
            fact(f"time-{number}", f"Installing {number} takes {minutes} minutes.", ("time", number, f"{minutes} min", "")),
            fact(f"stars-{number}", f"{number} is rated {stars} stars.", ("stars", number, stars, "")),
            fact(f"fixes-{number}", f"{number} fixes {symptom}.", ("fixes", number, symptom, "")),
        ]  # fmt: skip
    words = {
        "listed": "is listed for",
        "not_listed": "is not listed for",
        "unknown": "may or may not fit",
    }
    for (number, model), verdict in VERDICTS.items():
        says = f"{number} {words[verdict]} {model}. Source: fits.csv line 129."
        made.append(fact(f"fit-{number}-{model}", says, ("fit", number, verdict, model), ("source", number, "fits.csv line 129", "")))  # fmt: skip
    return tuple(made)


COUNTER = World(
    "counter",
    Lexicon(
        entities=(
            *(Entity(name=number, kind="part") for number in APPLIANCES),
            *(Entity(name=row[0], kind="title") for row in APPLIANCES.values()),
            *(Entity(name=model, kind="model") for model in ("RF28R7", "GNE25")),
            *(Entity(name=brand, kind="brand") for brand in ("Acme", "Boreal", "Corvin")),
            *(Entity(name=row[5], kind="symptom") for row in APPLIANCES.values()),
        ),
        outcomes=(
            *_outcomes("fit", "listed", "fits|fit|listed|is listed|are listed|compatible|works with|goes in|convient", "not_listed"),
            *_outcomes("fit", "not_listed", "incompatible|unlisted"),
            *_outcomes("fit", "unknown", "not in our catalog|don't know whether|cannot say whether|may or may not fit"),
            *_outcomes("fixes", "", "fixes|fix|fixed|cures|helps with|répare|solves"),
            *_outcomes("brand", "", "made by|manufactured by|comes from|fabriqué par|brand"),
        ),
        measures=(
            Measure(kind="price", units=("$", "dollars", "usd"), higher=("costlier", "pricier"), lower=("cheaper", "cheapest")),
            Measure(kind="time", units=("minutes", "min", "minute"), higher=("longer", "slower"), lower=("quicker", "faster")),
            Measure(kind="stars", units=("stars", "star", "étoiles"), higher=("better rated",), lower=("worse rated",)),
        ),
        id_patterns=(r"PS\d{3,}",),
    ),
    _shop_facts(),
    _lines(
        """
        {a} is made by {k}. => brand a k
        {k} is the brand of {a}. => brand a k
        {a} comes from {k} and costs {p}. => brand a k; price a p
        The {x} ({a}) is made by {k}. => title a x; brand a k
        The {x}, {a}, costs {p}. => title a x; price a p
        {a} ({x}) is rated {r}. => title a x; stars a r
        {a} is the {x}. => title a x
        Our {x} is {a}. => title a x
        {a} (the {x}) takes {t} to install. => title a x; time a t
        {a}, the {x}, fits {m}. => title a x; fit a listed m
        {a} goes for {p}. => price a p
        {a} will run you {p}. => price a p
        Budget {p} for {a}. => price a p
        It costs {p} to buy {a}. => price a p
        A {p} part, {a} takes {t} to put in. => price a p; time a t
        {a} has {r} and costs {p}. => stars a r; price a p
        {a} – {p}, {r} => price a p; stars a r
        {a} and {b} cost {p} and {q} respectively. => price a p; price b q
        {a} ({p}), {b} ({q}) => price a p; price b q
        Prices: {a} {p}, {b} {q}. => price a p; price b q
        I found two parts: {a} ({p}) and {b} ({q}). => price a p; price b q
        Of these, {a} is {p} and {b} {q}. => price a p; price b q
        {a} at {p} beats the rest on price. => never
        {a} takes {t}, {b} {u}. => time a t; time b u
        Reserve {t} for {a} and {u} for {b}. => time a t; time b u
        {a} is a {t} job. => time a t
        Give yourself {t} for {a}. => time a t
        Customers give {a} {r}. => stars a r
        With {r}, {a} is well liked. => stars a r
        {r} for {a}. => stars a r
        {a} fits {m}. => fit a listed m
        {a} fits {m} but {b} does not. => fit a listed m; fit b not_listed m
        {a} and {b} are listed for {m}. => fit a listed m; fit b listed m
        Both {a} and {b} fit {m}. => fit a listed m; fit b listed m
        Neither {a} nor {b} fits {m}. => fit a not_listed m; fit b not_listed m
        {a} does not fit {m}. => fit a not_listed m
        {a} isn't compatible with {m}. => fit a not_listed m
        {m} is listed for {a}. => fit a listed m
        For {m}, {a} is listed. => fit a listed m
        Is {a} listed for {m}? Yes. => fit a listed m
        I don't know whether {a} fits {m}. => fit a unknown m
        {a} is not in our catalog for {m}. => fit a unknown m
        {a} convient au {m}. => fit a listed m
        {a} ne convient pas au {m}. => fit a not_listed m
        Ni {a} ni {b} ne convient au {m}. => fit a not_listed m; fit b not_listed m
        {a} est compatible avec {m}, {b} ne l'est pas. => fit a listed m; fit b not_listed m
        {a} fixes {s}. => fixes a s
        For {s}, {a} is the fix. => fixes a s
        {a} fixes {s} and {b} fixes {y}. => fixes a s; fixes b y
        {a}, which fixes {s}, costs {p}. => fixes a s; price a p
        {a} répare {s} et coûte {p}. => fixes a s; price a p
        {a} is cheaper than {b}. => less:price a b
        {a} is pricier than {b}. => more:price a b
        {a} costs more than {b}. => more:price a b
        {a} takes longer than {b}. => more:time a b
        {b} is quicker to install than {a}. => more:time a b
        {a} is better rated than {b}. => more:stars a b
        {a} costs {p}, which makes it cheaper than {b}. => price a p; less:price a b
        {a} plays well with {m}. => never
        {a} slots right into {m}. => never
        {a} outshines {b}. => never
        {k} stands behind {a}. => never
        {a} was superseded by {b}. => never
        {k} ships {a} with {b}. => never
        {a} weighs 4.5 pounds. => never
        {a} ships with {r} boxes. => never
        It is not true that {a} costs {p}. => never
        It's false that {a} fits {m} and costs {p}. => never
        Zarquon Industries sells {a} for {p}. => never
        The price of {a} is {p} as of 2025-06-02. => price a p
        """
    ),
    {
        "a": tuple(APPLIANCES), "b": tuple(APPLIANCES), "m": ("RF28R7", "GNE25"),
        "k": ("Acme", "Boreal", "Corvin"),
        "x": tuple(row[0] for row in APPLIANCES.values()),
        "p": tuple(f"{row[2]} usd" for row in APPLIANCES.values()), "q": tuple(f"{row[2]} usd" for row in APPLIANCES.values()),
        "t": tuple(f"{row[3]} min" for row in APPLIANCES.values()), "u": tuple(f"{row[3]} min" for row in APPLIANCES.values()),
        "r": tuple(row[4] for row in APPLIANCES.values()),
        "s": tuple(row[5] for row in APPLIANCES.values()), "y": tuple(row[5] for row in APPLIANCES.values()),
    },
    {
        **{f"{row[2]} usd": (f"${row[2]}", f"{row[2]} dollars") for row in APPLIANCES.values()},
        **{f"{row[3]} min": (f"{row[3]} minutes", f"{row[3]} min") for row in APPLIANCES.values()},
        **{row[4]: (f"{row[4]} stars",) for row in APPLIANCES.values()},
        "25 min": ("25 minutes", "twenty-five minutes"), "5 min": ("5 minutes", "five minutes"),
    },
    ("PS99887", "PS4409"),
)  # fmt: skip

SKIRMISH = {
    ("Tirion", "the orc"): ("8", "sword"),
    ("the orc", "Tirion"): ("3", "spear"),
    ("Maelis", "the wolf"): ("6", "dagger"),
    ("the wolf", "Maelis"): ("10", "fangs"),
    ("Oda", "the orc"): ("4", "sling"),
}
BODIES = {
    "Tirion": ("21", "32", "15"),
    "Maelis": ("14", "26", "13"),
    "Oda": ("19", "24", "12"),
    "the orc": ("2", "17", "11"),
    "the wolf": ("5", "11", "10"),
}


def _skirmish_facts() -> tuple[Fact, ...]:
    made = []
    for (one, other), (damage, weapon) in SKIRMISH.items():
        says = f"{one} hits {other} for {damage} damage with the {weapon}."
        made.append(fact(f"hit-{one}-{other}", says, ("damage", one, damage, other), ("weapon", one, weapon, "")))  # fmt: skip
    for name, (points, top, armour) in BODIES.items():
        made.append(fact(f"hp-{name}", f"{name} has {points} of {top} hit points.", ("hp", name, points, ""), ("max_hp", name, top, "")))  # fmt: skip
        made.append(
            fact(
                f"ac-{name}",
                f"{name} has armour class {armour}.",
                ("armour_class", name, armour, ""),
            )
        )
    made += [
        fact("miss-1", "Maelis misses the orc.", ("miss", "Maelis", "", "the orc")),
        fact("miss-2", "The wolf misses Oda.", ("miss", "the wolf", "", "Oda")),
        fact("heal", "Oda heals Maelis for 9 hit points.", ("healing", "Oda", "9", "Maelis")),
        fact("prone", "The wolf is prone.", ("condition", "the wolf", "prone", "")),
        fact("bless", "Tirion is blessed.", ("condition", "Tirion", "blessed", "")),
        *(
            fact(f"up-{name}", f"{name} is alive.", ("state", name, "alive", ""))
            for name in BODIES
            if name != "the orc"
        ),
        fact("down", "The orc is dead.", ("state", "the orc", "dead", "")),
    ]
    return tuple(made)


MELEE = World(
    "melee",
    Lexicon(
        entities=(
            Entity(name="Tirion", kind="being", pronouns=("he", "him", "his", "il", "lui")),
            Entity(name="Maelis", kind="being", pronouns=("she", "her", "elle", "lui")),
            Entity(name="Oda", kind="being", pronouns=("she", "her", "elle", "lui")),
            Entity(name="the orc", kind="being", aliases=("orc", "l'orc", "l'orque"), pronouns=("it", "he", "him", "il", "lui")),
            Entity(name="the wolf", kind="being", aliases=("wolf", "le loup", "loup"), pronouns=("it", "il", "lui")),
            *(Entity(name=row[1], kind="weapon") for row in SKIRMISH.values()),
        ),
        outcomes=(
            *_outcomes("damage", "", "hits|hit|strikes|struck|wounds|wounded|wound|frappe|frappé|touche|deals|dealt|inflige|slashes"),
            *_outcomes("miss", "", "misses|missed|miss|rate|manque"),
            *_outcomes("healing", "", "heals|healed|heal|soigne|restores"),
            *_outcomes("state", "dead", "dies|dead|killed|slain|meurt|mort", "alive"),
            *_outcomes("state", "alive", "alive|survives|survive|en vie|standing", "dead"),
            *_outcomes("condition", "prone", "prone|à terre"),
            *_outcomes("condition", "blessed", "blessed|béni"),
        ),
        measures=(
            Measure(kind="damage", units=("damage", "points of damage", "dégâts", "points de dégâts")),
            Measure(kind="hp", units=("hit points", "HP", "points de vie")),
            Measure(kind="max_hp", units=("maximum hit points", "max HP")),
            Measure(kind="healing", units=("points of healing", "healing", "hit points", "points de vie")),
            Measure(kind="armour_class", units=("armour class", "AC")),
        ),
    ),
    _skirmish_facts(),
    _lines(
        """
        {a} slashes {b} for {n}. => damage a n b
        {a} wounds {b} for {n} damage. => damage a n b
        {a} manages to wound {b} for {n} damage. => damage a n b
        {b} is wounded by {a} for {n} damage. => damage a n b
        {b} gets hit by {a} for {n}. => damage a n b
        {b} has been struck by {a}, losing {n} hit points. => never
        {a} hit {b}, dealing {n} damage. => damage a n b
        {a} deals {b} {n} damage. => damage a n b
        {n} points of damage go from {a} to {b}. => damage a n b
        {a} lunges at {b} and deals {n} damage. => damage a n b
        {a}'s {w} deals {n} damage to {b}. => weapon a w *; damage a n b
        {a} hits {b} with the {w} for {n} damage. => weapon a w *; damage a n b
        {b} takes {n} damage from {a}'s {w}. => weapon a w *; damage a n b
        {a} hit {b} and wounded {d} for {o}. => never
        {a} hits {b} for {n} damage; {c} hits {d} for {o} damage. => damage a n b; damage c o d
        {a} deals {n} damage to {b}, and {c} deals {o} damage to {d}. => damage a n b; damage c o d
        First {a} hits {b} for {n}, then {c} hits {d} for {o}. => damage a n b; damage c o d
        {a} has {h} hit points. => hp a h
        {a} has {h} of {j} hit points. => hp a h; max_hp a j
        {a} has {h}/{j} HP. => hp a h; max_hp a j
        {a} still has {h} hit points out of {j}. => hp a h; max_hp a j
        Out of {j} hit points, {a} still has {h}. => hp a h; max_hp a j
        {a} is left with {h} HP. => hp a h
        {a} clings to {h} hit points. => hp a h
        {a} stands at {h} hit points and {c} at {i}. => hp a h; hp c i
        Hit points: {a} {h}, {c} {i}. => hp a h; hp c i
        {a} ({h} HP) and {c} ({i} HP) are ready. => hp a h; hp c i
        {h} hit points are all {a} has. => hp a h
        {a}, at {h} HP, breathes hard. => hp a h
        {a}'s armour class is {e}. => armour_class a e
        {a} has AC {e}. => armour_class a e
        {a} has {h} hit points and an armour class of {e}. => hp a h; armour_class a e
        {a} has {e}. => never
        {a} heals {b} for {f} hit points. => healing a f b
        {b} is healed by {a} for {f}. => healing a f b
        {a} restores {f} hit points to {b}. => healing a f b
        {a} misses {b}. => miss a - b
        {a} lunges, but misses {b}. => miss a - b
        {b} is missed by {a}. => miss a - b
        {a} lunges but {b} is no longer there. => never
        {b} slips away from {a}. => never
        {a} catches {b} off guard. => never
        {b} is caught by {a}. => never
        {a} is dead. => state a dead
        {a} is still standing. => state a alive
        {a} and {c} are alive. => state a alive; state c alive
        {a} is dead and {c} is alive. => state a dead; state c alive
        {a} is alive, {c} isn't. => state a alive; state c dead
        Both {a} and {c} survive. => state a alive; state c alive
        Neither {a} nor {c} is dead. => state a alive; state c alive
        {a} is not dead. => state a alive
        {a} is blessed. => condition a blessed
        {a} lies prone. => condition a prone
        {a} is prone and has {h} hit points. => condition a prone; hp a h
        {a} frappe {b} et lui inflige {n} dégâts. => damage a n b
        {b} est frappé par {a} pour {n} dégâts. => damage a n b
        Il reste {h} points de vie à {a}. => hp a h
        Il reste {h} points de vie à {a} et {i} à {c}. => hp a h; hp c i
        {a} a {h} points de vie. => hp a h
        {a} n'est pas mort. => state a alive
        {a} est en vie, {c} ne l'est pas. => state a alive; state c dead
        {a} has more hit points than {c}. => more:hp a c
        {a} has fewer hit points than {c}. => less:hp a c
        {a} attacks {n} times. => never
        {a} hits {b} twice. => never
        {a} outlasts {c}. => never
        {a} is behind the wound of {b}. => never
        It is hardly true that {a} is dead. => never
        Contrary to rumour, {a} has {h} hit points. => never
        Gorthak has {h} hit points. => never
        Zarquon hits {b} for {n} damage. => never
        {a} loses {n} arrows. => never
        """
    ),
    {
        "a": tuple(BODIES), "b": tuple(BODIES), "c": tuple(BODIES), "d": tuple(BODIES),
        "n": tuple(d for d, _ in SKIRMISH.values()), "o": tuple(d for d, _ in SKIRMISH.values()),
        "w": tuple(w for _, w in SKIRMISH.values()), "f": ("9", "8", "6"),
        "h": tuple(r[0] for r in BODIES.values()), "i": tuple(r[0] for r in BODIES.values()),
        "j": tuple(r[1] for r in BODIES.values()), "e": tuple(r[2] for r in BODIES.values()),
    },
    {
        "8": ("8", "eight"), "3": ("3", "three"), "6": ("6", "six"), "10": ("10", "ten"), "4": ("4", "four"),
        "21": ("21", "twenty-one"), "14": ("14",), "19": ("19", "nineteen"), "2": ("2", "two"), "5": ("5", "five"),
    },
    ("Gorthak", "Sylvara"),
)  # fmt: skip

LOGGED = {
    "Brannoc": ("1,482,210", "34%", "91%", "2", "5", "75 s", "12,400"),
    "Elswyth": ("980,906", "22%", "88%", "1", "3", "141 s", "640,118"),
    "Quillon": ("704,333", "16%", "79%", "3", "0", "33 s", "8,020"),
    "Sable": ("655,870", "15%", "96%", "0", "8", "", "31,775"),
}


def _log_facts() -> tuple[Fact, ...]:
    made = []
    for name, (damage, share, uptime, deaths, kicks, died, healing) in LOGGED.items():
        made += [
            fact(f"damage-{name}", f"{name} did {damage} damage.", ("damage", name, damage, "")),
            fact(f"share-{name}", f"{name} did {share} of the damage.", ("share", name, share, "")),
            fact(f"uptime-{name}", f"{name} was active {uptime} of the time.", ("activity", name, uptime, "")),
            fact(f"deaths-{name}", f"{name} died {deaths} times.", ("deaths", name, deaths, "")),
            fact(f"kicks-{name}", f"{name} interrupted {kicks} casts.", ("interrupts", name, kicks, "")),
            fact(f"healing-{name}", f"{name} healed {healing}.", ("healing", name, healing, "")),
        ]  # fmt: skip
        if died:
            made.append(fact(f"first-{name}", f"{name} first died at {died[:-2]} seconds.", ("first_death", name, died, "Lava Burst" if name == "Quillon" else "Cleave")))  # fmt: skip
    return tuple(made)


NIGHT = World(
    "night",
    Lexicon(
        entities=(
            *(Entity(name=name, kind="player") for name in LOGGED),
            *(Entity(name=spell, kind="spell") for spell in ("Lava Burst", "Cleave")),
        ),
        outcomes=(
            *_outcomes("deaths", "", "died|dies|die"),
            *_outcomes("first_death", "", "first died|died first to|died to|killed by|fell to|first death"),
            *_outcomes("interrupts", "", "interrupted|kicked"),
        ),
        measures=(
            Measure(kind="damage", units=("damage", "points of damage"), higher=("more damage",), lower=("less damage",)),
            Measure(kind="share", units=("%", "percent", "of the damage", "of all damage")),
            Measure(kind="activity", units=("%", "percent", "active", "activity", "of the time")),
            Measure(kind="deaths", units=("deaths", "death"), counts=True),
            Measure(kind="interrupts", units=("interrupts", "interrupt", "casts", "kicks"), counts=True),
            Measure(kind="healing", units=("healing", "points of healing"), higher=("more healing",), lower=("less healing",)),
            Measure(kind="first_death", units=("seconds", "s"), higher=("later",), lower=("earlier", "sooner")),
        ),
    ),
    _log_facts(),
    _lines(
        """
        {a} did {n} damage. => damage a n
        {a} put out {n} damage. => damage a n
        {a} racked up {n} damage. => damage a n
        {a} finished with {n} damage and {k} interrupts. => damage a n; interrupts a k
        Damage: {a} {n}, {c} {o}. => damage a n; damage c o
        Deaths: {a} {z}, {c} {v}. => deaths a z; deaths c v
        {a} had {z} deaths, {c} {v}. => deaths a z; deaths c v
        {a} did {n} damage ({s}). => never
        {a} did {n} damage, which is {s} of the damage. => damage a n; share a s
        {a} is responsible for {s} of the damage. => share a s
        {s} of the damage is {a}'s. => share a s
        {a} was active {e} of the time. => activity a e
        {a}'s activity was {e}. => activity a e
        {a} was at {e}. => never
        {a} has {s}. => never
        {a} managed {h}. => never
        {a} did {h} healing. => healing a h
        {a} did {n} damage and {h} healing. => damage a n; healing a h
        {h} points of healing came from {a}. => healing a h
        {a} interrupted {k} casts. => interrupts a k
        {a} landed {k} interrupts, {c} {l}. => interrupts a k; interrupts c l
        {k} casts were interrupted by {a}. => interrupts a k
        {a} kicked {k} casts and died {z} times. => interrupts a k; deaths a z
        {a} died {z} times. => deaths a z
        {a} has {z} deaths. => deaths a z
        {z} deaths for {a}. => deaths a z
        {a} first died at {t}. => first_death a t *
        {a}'s first death came at {t}. => first_death a t *
        At {t}, {a} fell to {x}. => first_death a t x
        {a} fell to {x} at {t}. => first_death a t x
        {a} was killed by {x} at {t}. => first_death a t x
        {a} was killed by {x}. => first_death a * x
        {a} first died at {t} and {c} first died at {u}. => first_death a t *; first_death c u *
        {a} first died before {c}. => less:first_death a c
        {a} first died after {c}. => more:first_death a c
        {a} first died earlier than {c}. => less:first_death a c
        {a} did more damage than {c}. => more:damage a c
        {a} did less damage than {c}. => less:damage a c
        {a} had more interrupts than {c}. => more:interrupts a c
        {a} had fewer deaths than {c}. => less:deaths a c
        {a} did {n} damage, ahead of {c} with {o}. => damage a n; damage c o; more:damage a c
        {a} did {n} damage, more than {c}. => damage a n; more:damage a c
        {a} and {c} did {n} and {o} damage respectively. => damage a n; damage c o
        {a} ({n} damage) and {c} ({o} damage) led the night. => damage a n; damage c o
        - {a}: {n} damage, {k} interrupts, {z} deaths => damage a n; interrupts a k; deaths a z
        | {a} | {n} damage | {z} deaths | => damage a n; deaths a z
        {a}: {n} damage => damage a n
        The damage of {a} was {n}. => damage a n
        {a}'s damage was {n}. => damage a n
        With {n} damage, {a} did well. => damage a n
        {a} a fait {n} de dégâts. => never
        {a} outdid {c}. => never
        {a} was behind {x}. => never
        {a} and {c} wiped the raid {z} times. => never
        {a} was ahead of {c}. => never
        {a} drank {z} potions. => never
        {a} hit the floor {z} times. => never
        {a} moved {n} yards. => never
        {a} took {n} damage. => never
        Zarquon dealt {n} damage. => never
        Branwick did {n} damage and {a} watched. => never
        Did you know that it isn't the case that {a} did {n} damage? => never
        It is not true that {a} did {n} damage. => never
        C'est faux que {a} did {n} damage. => never
        {a} did not do {n} damage. => never
        {a} denies that {c} did {o} damage. => never
        """
    ),
    {
        "a": tuple(LOGGED), "c": tuple(LOGGED),
        "n": tuple(r[0] for r in LOGGED.values()), "o": tuple(r[0] for r in LOGGED.values()),
        "s": tuple(r[1] for r in LOGGED.values()), "e": tuple(r[2] for r in LOGGED.values()),
        "z": tuple(r[3] for r in LOGGED.values()), "v": tuple(r[3] for r in LOGGED.values()),
        "k": tuple(r[4] for r in LOGGED.values()), "l": tuple(r[4] for r in LOGGED.values()),
        "t": tuple(r[5] for r in LOGGED.values() if r[5]), "u": tuple(r[5] for r in LOGGED.values() if r[5]),
        "h": tuple(r[6] for r in LOGGED.values()), "x": ("Lava Burst", "Cleave"),
    },
    {
        "75 s": ("75 seconds", "1:15"), "141 s": ("141 seconds", "2:21"), "33 s": ("33 seconds", "0:33"),
        "2": ("2", "two"), "1": ("1",), "3": ("3", "three"), "0": ("0", "zero"), "5": ("5", "five"), "8": ("8", "eight"),
    },
    ("Branwick", "Fire Nova"),
)  # fmt: skip

MORE_WORLDS = (COUNTER, MELEE, NIGHT)
