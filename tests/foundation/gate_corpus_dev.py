"""The gate's development corpus: three worlds, many phrasings, and an adversary that swaps truths.

Each phrasing says which claims it makes. A sample is true when the world's table has them all; a lie
is a true sentence with one slot exchanged for another true (or altered, or foreign) one.
"""

# ruff: noqa: E501 -- one phrasing a line
from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ruleplay.foundation.claims import Claim, Fact
from ruleplay.foundation.prose.lexicon import Entity, Lexicon, Measure, Outcome

Meaning = tuple[str, str, str, str]


class Sample(NamedTuple):
    """A sentence, whether the table supports it, and which phrasing and change made it."""

    sentence: str
    true: bool
    why: str


@dataclass(frozen=True)
class World:
    """A lexicon, facts, phrasings ("text => kind subject value object; …") and slot fillings."""

    name: str
    lexicon: Lexicon
    facts: tuple[Fact, ...]
    phrasings: tuple[str, ...]
    pools: dict[str, tuple[str, ...]]
    spoken: dict[str, tuple[str, ...]]
    foreign: tuple[str, ...]

    def table(self) -> set[Meaning]:
        """Return every claim the facts carry."""
        return {
            (claim.kind, claim.subject, claim.value, claim.object)
            for fact in self.facts
            for claim in fact.claims
        }


def fact(ident: str, says: str, *claims: Meaning, must: bool = False) -> Fact:
    """Make a fact from claims written as tuples (kind, subject, value, object)."""
    made = tuple(Claim(kind=k, subject=s, value=v, object=o) for k, s, v, o in claims)
    return Fact(id=ident, says=says, claims=made, must=must)


def _outcomes(kind: str, value: str, phrases: str, negated: str = "") -> tuple[Outcome, ...]:
    return tuple(
        Outcome(phrase=phrase, kind=kind, value=value, negated=negated)
        for phrase in phrases.split("|")
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines() if "=>" in line)


PARTS = {
    "PS11752778": ("door shelf bin", "36.18", "10", "very easy", "door won't open"),
    "PS3406971": ("lower rack wheel", "12.95", "15", "easy", "noisy"),
    "PS8260087": ("drain pump", "47.40", "45", "difficult", "leaking"),
    "PS2358880": ("door gasket", "95.31", "60", "moderate", "leaking"),
}
MODELS = ("WDT780SAEM1", "KDTE334GPS0", "FPHD2491KF0")
FITS = {
    ("PS3406971", "WDT780SAEM1"): "listed",
    ("PS8260087", "WDT780SAEM1"): "listed",
    ("PS2358880", "WDT780SAEM1"): "not_listed",
    ("PS8260087", "KDTE334GPS0"): "not_listed",
    ("PS2358880", "KDTE334GPS0"): "listed",
    ("PS11752778", "FPHD2491KF0"): "listed",
}


def _shop_facts() -> tuple[Fact, ...]:
    made = []
    for number, (name, price, minutes, difficulty, symptom) in PARTS.items():
        made += [
            fact(f"price-{number}", f"{number} ({name}) costs ${price}.", ("price", number, f"{price} usd", "")),
            fact(f"time-{number}", f"It takes {minutes} minutes to fit {number}.", ("minutes", number, minutes, "")),
            fact(f"hard-{number}", f"Fitting {number} is {difficulty}.", ("difficulty", number, difficulty, "")),
            fact(f"fixes-{number}", f"{number} fixes this: {symptom}.", ("fixes", number, symptom, "")),
        ]  # fmt: skip
    for (number, model), verdict in FITS.items():
        said = f"{number} is {verdict.replace('_', ' ')} for {model}."
        made.append(fact(f"fit-{number}-{model}", said, ("fit", number, verdict, model)))
    return tuple(made)


SHOP = World(
    "shop",
    Lexicon(
        entities=(
            *(Entity(name=n, kind="part", aliases=(row[0], f"{row[0]}s")) for n, row in PARTS.items()),
            *(Entity(name=number, kind="model") for number in MODELS),
        ),
        outcomes=(
            *_outcomes("fit", "listed", "fits|fit|listed|compatible|works with|work with|convient|compatibles|goes with", "not_listed"),
            *_outcomes("fit", "not_listed", "incompatible|unlisted"),
            *_outcomes("fixes", "leaking", "leaking|leaks|leak|fuite|fuites"),
            *_outcomes("fixes", "noisy", "noisy|noise|bruit|noises"),
            *_outcomes("fixes", "door won't open", "door won't open|door that won't open"),
            *_outcomes("difficulty", "easy", "easy|simple|facile"),
            *_outcomes("difficulty", "very easy", "very easy|très facile"),
            *_outcomes("difficulty", "difficult", "difficult|hard|difficile"),
            *_outcomes("difficulty", "moderate", "moderate|moderately difficult"),
        ),
        measures=(
            Measure(kind="price", units=("$", "dollars", "usd")),
            Measure(kind="minutes", units=("minutes", "min", "minute")),
        ),
        id_patterns=(r"PS\d+", r"W\d{8}"),
    ),
    _shop_facts(),
    _lines(
        """
        {a} costs {p}. => price a p
        The price of {a} is {p}. => price a p
        You can get {a} for {p}. => price a p
        {p} is what {a} costs. => price a p
        For {p}, {a} is yours. => price a p
        At {p}, {a} is a reasonable repair. => price a p
        {a} currently sells for {p} and takes {t} to install. => price a p; minutes a t
        {a} ({p}) takes about {t}. => price a p; minutes a t
        **{a}**: {p}, {t}, {d} => price a p; minutes a t; difficulty a d
        - {a} — {p} => price a p
        | {a} | {p} | {t} | => price a p; minutes a t
        {a} costs {p} and {b} costs {q}. => price a p; price b q
        {a} is {p}, while {b} is {q}. => price a p; price b q
        {a} and {b} cost {p} and {q}, respectively. => price a p; price b q
        {p} for {a} and {q} for {b}. => price a p; price b q
        You'd pay {p} for {a}; {b} would be {q}. => price a p; price b q
        {a} ({p}) and {b} ({q}) are both in the catalog. => price a p; price b q
        Plan on {t} for {a}. => minutes a t
        Installing {a} takes {t}. => minutes a t
        It takes {t} to replace {a}. => minutes a t
        Expect the installation of {a} to take roughly {t}. => minutes a t
        {t} is enough to swap {a}. => minutes a t
        {a} is a {t} job, and the difficulty is {d}. => minutes a t; difficulty a d
        Replacing {a} is {d}. => difficulty a d
        The repair is rated {d} for {a}. => difficulty a d
        Good news: {a} fits your {m}. => fit a listed m
        Yes, {a} is listed for the {m}. => fit a listed m
        {a} is compatible with {m}. => fit a listed m
        Your {m} works with {a}. => fit a listed m
        {a}, which costs {p}, fits the {m}. => price a p; fit a listed m
        I checked: {a} is not listed for {m}. => fit a not_listed m
        Unfortunately, {a} does not fit your {m}. => fit a not_listed m
        No, {a} isn't listed for the {m}. => fit a not_listed m
        {a} is incompatible with {m}, as far as the catalog knows. => fit a not_listed m
        {a} fits the {m}, but {b} does not. => fit a listed m; fit b not_listed m
        {a} fixes {s}. => fixes a s
        If your machine is {s}, {a} may help. => fixes a s
        {a} is known to fix this symptom: {s}. => fixes a s
        Customers replaced {a} because the machine was {s}. => fixes a s
        To fix {s}, replace {a}; it costs {p}. => fixes a s; price a p
        {a} coûte {p}. => price a p
        Le prix de {a} est de {p}. => price a p
        Comptez {t} pour remplacer {a}. => minutes a t
        {a} coûte {p} et {b} coûte {q}. => price a p; price b q
        {a} est compatible avec votre {m}. => fit a listed m
        {a} n'est pas compatible avec {m}. => fit a not_listed m
        """
    ),
    {
        "a": tuple(PARTS), "b": tuple(PARTS), "m": MODELS,
        "p": tuple(f"{row[1]} usd" for row in PARTS.values()),
        "q": tuple(f"{row[1]} usd" for row in PARTS.values()),
        "t": tuple(row[2] for row in PARTS.values()),
        "d": tuple(row[3] for row in PARTS.values()),
        "s": tuple(row[4] for row in PARTS.values()),
    },
    {
        **{number: (number, f"the {row[0]}", f"part {number}") for number, row in PARTS.items()},
        **{f"{row[1]} usd": (f"${row[1]}", f"{row[1]} dollars", f"USD {row[1]}") for row in PARTS.values()},
        "10": ("10 minutes", "ten minutes"), "15": ("15 minutes", "fifteen minutes"),
        "45": ("45 minutes", "forty-five minutes"), "60": ("60 minutes", "an hour", "1 hour"),
    },
    ("PS99887766", "W10195416"),
)  # fmt: skip

HITS = {
    ("Aria", "the goblin"): ("7", "axe"),
    ("the goblin", "Aria"): ("4", "club"),
    ("Borin", "the troll"): ("12", "hammer"),
    ("the troll", "Borin"): ("9", "fists"),
    ("Celeborn", "the goblin"): ("5", "bow"),
}
LEFT = {"Aria": "18", "Borin": "11", "the troll": "31", "Celeborn": "22"}
BEINGS = ("Aria", "Borin", "the goblin", "the troll", "Celeborn")


def _fight_facts() -> tuple[Fact, ...]:
    made = [
        fact(f"hit-{n}", f"{a} hits {b} for {damage} damage with the {weapon}.",
             ("damage", a, damage, b), ("weapon", a, weapon, b))
        for n, ((a, b), (damage, weapon)) in enumerate(HITS.items())
    ]  # fmt: skip
    made += [fact(f"hp-{n}", f"{a} has {hp} hit points left.", ("hp", a, hp, "")) for n, (a, hp) in enumerate(LEFT.items())]  # fmt: skip
    made += [
        fact("dead", "The goblin dies.", ("state", "the goblin", "dead", ""), must=True),
        *(fact(f"alive-{a}", f"{a} is still alive.", ("state", a, "alive", "")) for a in LEFT),
        fact("miss-1", "The troll misses Celeborn.", ("miss", "the troll", "", "Celeborn")),
        fact("miss-2", "Aria misses the troll.", ("miss", "Aria", "", "the troll")),
        fact("poison", "Borin is poisoned.", ("condition", "Borin", "poisoned", "")),
        fact("stun", "The troll is stunned.", ("condition", "the troll", "stunned", "")),
    ]
    return tuple(made)


_HE, _SHE, _IT = (
    ("he", "him", "his", "il", "lui"),
    ("she", "her", "elle", "lui"),
    ("it", "he", "him", "its", "il", "lui"),
)
FIGHT = World(
    "fight",
    Lexicon(
        entities=(
            Entity(name="Aria", kind="being", pronouns=_SHE),
            Entity(name="Borin", kind="being", aliases=("the dwarf", "le nain"), pronouns=_HE),
            Entity(name="Celeborn", kind="being", aliases=("the elf", "l'elfe"), pronouns=_HE),
            Entity(name="the goblin", kind="being", aliases=("goblin", "le gobelin", "gobelin"), pronouns=_IT),
            Entity(name="the troll", kind="being", aliases=("troll", "le troll"), pronouns=_IT),
            *(Entity(name=w, kind="weapon") for w in ("axe", "club", "hammer", "fists", "bow")),
        ),
        outcomes=(
            *_outcomes("damage", "", "hits|hit|strikes|struck|strike|frappe|frappé|frappée|touche|wounds|wounded"),
            *_outcomes("miss", "", "misses|missed|miss|rate|manque"),
            *_outcomes("state", "dead", "dies|die|died|dead|killed|slain|collapses lifeless|falls dead|meurt|mort", "alive"),
            *_outcomes("state", "alive", "survives|survive|survived|alive|lives|en vie", "dead"),
            *_outcomes("condition", "poisoned", "poisoned|empoisonné"),
            *_outcomes("condition", "stunned", "stunned|étourdi"),
        ),
        measures=(
            Measure(kind="damage", units=("damage", "points of damage", "dégâts", "points de dégâts")),
            Measure(kind="hp", units=("hit points", "HP", "points de vie", "hit point")),
        ),
    ),
    _fight_facts(),
    _lines(
        """
        {a} hits {b} for {n} damage. => damage a n b
        {a} strikes {b} for {n}. => damage a n b
        {b} is hit by {a} for {n} damage. => damage a n b
        {b} is struck for {n} by {a}. => damage a n b
        {b} takes {n} damage from {a}. => damage a n b
        {b} suffers {n} points of damage at the hands of {a}. => damage a n b
        {a} deals {n} damage to {b}. => damage a n b
        {n} damage is dealt to {b} by {a}. => damage a n b
        With a roar, {a} crashes into {b}, dealing {n} damage. => damage a n b
        {a}'s {w} bites into {b} for {n} damage. => damage a n b; weapon a w b
        {a} swings the {w} at {b} and deals {n} damage. => damage a n b; weapon a w b
        {b} reels from {a}'s {w}, taking {n} damage. => damage a n b; weapon a w b
        Struck by {a} for {n}, {b} staggers back. => damage a n b
        {b} staggers as {a} hits for {n}. => damage a n b
        It was {a} who hit {b} for {n}. => damage a n b
        {n} damage from {a} sends {b} reeling. => damage a n b
        Dust fills the air when {a} lands a blow on {b} for {n} damage. => damage a n b
        {a} hits {b} for {n}, and {c} hits {d} for {o}. => damage a n b; damage c o d
        {a} deals {n} damage to {b} while {c} deals {o} to {d}. => damage a n b; damage c o d
        {b} is wounded by {a} ({n} damage). => damage a n b
        {a} hits {b} for {n}, leaving {b} with {h} hit points. => damage a n b; hp b h
        {a} has {h} hit points left. => hp a h
        {a} is down to {h} hit points. => hp a h
        {h} hit points remain to {a}. => hp a h
        With only {h} HP left, {a} steps back. => hp a h
        {a} is at {h} HP and {c} is at {i} HP. => hp a h; hp c i
        {a}: {h} HP => hp a h
        Bleeding, {a} still stands with {h} hit points. => hp a h
        {a} dies. => state a dead
        {a} is dead. => state a dead
        {a} collapses lifeless in the mud. => state a dead
        {a} does not die. => state a alive
        {a} survives. => state a alive
        Somehow, {a} is still alive. => state a alive
        Neither {a} nor {c} dies. => state a alive; state c alive
        {a} and {c} survive the round. => state a alive; state c alive
        {a} is dead, but {c} survives. => state a dead; state c alive
        {a} misses {b}. => miss a - b
        {b} ducks, and {a} misses. => miss a - b
        {a} swings wildly and misses {b}. => miss a - b
        {a} is poisoned. => condition a poisoned
        {a} looks poisoned and has {h} hit points left. => condition a poisoned; hp a h
        {a} is now stunned. => condition a stunned
        {a} frappe {b} pour {n} dégâts. => damage a n b
        {b} subit {n} points de dégâts de {a}. => damage a n b
        {a} inflige {n} dégâts à {b}. => damage a n b
        {b} est frappé par {a} et encaisse {n} dégâts. => damage a n b
        Il reste {h} points de vie à {a}. => hp a h
        {a} a encore {h} points de vie. => hp a h
        {a} meurt. => state a dead
        {a} n'est pas mort. => state a alive
        """
    ),
    {
        "a": BEINGS, "b": BEINGS, "c": BEINGS, "d": BEINGS,
        "n": tuple(d for d, _ in HITS.values()), "o": tuple(d for d, _ in HITS.values()),
        "w": tuple(w for _, w in HITS.values()),
        "h": tuple(LEFT.values()), "i": tuple(LEFT.values()),
    },
    {
        "Borin": ("Borin", "the dwarf"), "Celeborn": ("Celeborn", "the elf"),
        "7": ("7", "seven"), "4": ("4", "four"), "12": ("12", "twelve", "a dozen"), "9": ("9", "nine"), "5": ("5", "five"),
        "18": ("18", "eighteen"), "11": ("11", "eleven"), "31": ("31", "thirty-one"), "22": ("22", "twenty-two"),
    },
    ("Gorak", "Thalion"),
)  # fmt: skip

RAIDERS = {
    "Mirabel": ("1,204,551", "31%", "2", "48", "Shadow Bolt", "4"),
    "Tovrak": ("884,310", "22.5%", "1", "132", "Searing Wave", "7"),
    "Ysolde": ("640,002", "16%", "0", "", "", "1"),
    "Kettil": ("412,870", "10.5%", "1", "97", "Shadow Bolt", "0"),
}


def _raid_facts() -> tuple[Fact, ...]:
    made = []
    for name, (damage, share, _, second, spell, kicks) in RAIDERS.items():
        made += [
            fact(f"damage-{name}", f"{name} did {damage} damage.", ("damage", name, damage, "")),
            fact(f"share-{name}", f"{name} did {share} of it.", ("share", name, share, "")),
            fact(f"kicks-{name}", f"{name} interrupted {kicks} casts.", ("interrupts", name, kicks, "")),
        ]  # fmt: skip
        if second:
            made.append(fact(f"death-{name}", f"{name} died {second} seconds in to {spell}.",
                             ("death", name, f"{second} s", spell), must=True))  # fmt: skip
    made.append(fact("boss", "The boss was at 12% at the wipe.", ("boss", "Vexgar", "12%", "")))
    return tuple(made)


RAID = World(
    "raid",
    Lexicon(
        entities=(
            *(Entity(name=name, kind="player") for name in RAIDERS),
            Entity(name="Vexgar", kind="boss", aliases=("the boss",)),
            *(Entity(name=spell, kind="spell") for spell in ("Shadow Bolt", "Searing Wave")),
        ),
        outcomes=(
            *_outcomes("death", "", "died|dies|die|death|fell|killed|killed by"),
            *_outcomes("wipe", "", "wiped"),
        ),
        measures=(
            Measure(kind="damage", units=("damage", "points of damage")),
            Measure(kind="interrupts", units=("interrupts", "casts", "interrupt", "cast"), counts=True),
        ),
    ),
    _raid_facts(),
    _lines(
        """
        {a} did {n} damage. => damage a n
        {a} dealt {n} damage in total. => damage a n
        {n} damage came from {a}. => damage a n
        The log shows {n} damage for {a}. => damage a n
        {a} did {n} damage and {c} did {o}. => damage a n; damage c o
        {a} led with {n} damage, while {c} managed {o} damage. => damage a n; damage c o
        {a} accounted for {s} of the damage. => share a s
        {s} of all damage was done by {a}. => share a s
        {a} contributed {s} and {c} {r}. => share a s; share c r
        {a}: {n} damage ({s}) => damage a n; share a s
        - {a} — {n} damage, {k} interrupts => damage a n; interrupts a k
        {a} interrupted {k} casts. => interrupts a k
        {k} interrupts were landed by {a}. => interrupts a k
        {a} got {k} interrupts with {n} damage. => interrupts a k; damage a n
        {a} died at {t} to {x}. => death a t x
        {a} died {t} into the pull. => death a t *
        {t} in, {a} died. => death a t *
        {x} killed {a} at {t}. => death a t x
        {a} was killed by {x} after {t}. => death a t x
        At {t}, {a} fell to {x}. => death a t x
        First {a} died at {t}, then {c} died at {u}. => death a t *; death c u *
        The death of {a} came {t} into the fight. => death a t *
        """
    ),
    {
        "a": tuple(RAIDERS), "c": tuple(RAIDERS),
        "n": tuple(r[0] for r in RAIDERS.values()), "o": tuple(r[0] for r in RAIDERS.values()),
        "s": tuple(r[1] for r in RAIDERS.values()), "r": tuple(r[1] for r in RAIDERS.values()),
        "k": tuple(r[5] for r in RAIDERS.values()),
        "t": tuple(f"{r[3]} s" for r in RAIDERS.values() if r[3]),
        "u": tuple(f"{r[3]} s" for r in RAIDERS.values() if r[3]),
        "x": ("Shadow Bolt", "Searing Wave"),
    },
    {
        "48 s": ("48 seconds", "0:48", "forty-eight seconds"), "132 s": ("132 seconds", "2:12", "2 minutes 12 seconds"),
        "97 s": ("97 seconds", "1:37"), "31%": ("31%", "31 percent"), "4": ("4", "four"), "7": ("7", "seven"),
        "1": ("1",), "0": ("0", "zero"),
    },
    ("Branwick", "Fire Nova"),
)  # fmt: skip

_OPENINGS = {
    world.name: {text.split()[0] for text in world.phrasings} for world in (SHOP, FIGHT, RAID)
}
WORLDS = (SHOP, FIGHT, RAID)
_PREFIXES = ("", "", "", "", "So: ", "In short, ", "As it stands, ", "To be precise, ", "- ")
_SUFFIXES = ("", "", "", "")


def meanings(made: str, slots: dict[str, str]) -> list[Meaning]:
    """Return the claims a phrasing makes with its slots filled; "*" is any, "-" is none."""
    rows = []
    for part in made.split(";"):
        kind, *rest = part.split()
        values = [slots.get(word, "" if word == "-" else word) for word in rest]
        rows.append((kind, *(values + [""] * (3 - len(values)))))
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def holds(table: set[Meaning], wanted: list[Meaning]) -> bool:
    """Whether the table has every wanted claim, or entails the wanted comparison."""
    return all(
        _compares(table, want)
        if ":" in want[0]
        else any(all(w in ("*", have) for w, have in zip(want, row, strict=True)) for row in table)
        for want in wanted
    )


def _compares(table: set[Meaning], want: Meaning) -> bool:
    """Whether "more:price a b" or "less:price a b" holds between two recorded numbers."""
    order, _, kind = want[0].partition(":")
    numbers = {row[1]: float(row[2].split()[0].replace(",", "")) for row in table if row[0] == kind}
    if not {want[1], want[2]} <= set(numbers):
        return False
    left, right = numbers[want[1]], numbers[want[2]]
    return left > right if order == "more" else left < right


def _true_slots(world: World, made: str, rng: random.Random) -> dict[str, str] | None:
    """Fill the slots of a phrasing from claims of the table, by trying claim after claim."""
    slots: dict[str, str] = {}
    table = sorted(world.table())
    for part in made.split(";"):
        kind, *rest = part.split()
        rows: list[tuple[str, ...]] = [row[1:] for row in table if row[0] == kind]
        if ":" in kind or kind == "never":
            rows = [tuple(rng.choice(world.pools[word]) for word in rest)] if rest else [()]
        rng.shuffle(rows)
        for row in rows:
            pairs = list(zip(rest, row, strict=False))
            if all(
                slots.get(word, have) == have
                if word in world.pools
                else word in ("*", have) or (word == "-" and not have)
                for word, have in pairs
            ):
                slots.update({word: have for word, have in pairs if word in world.pools})
                break
        else:
            return None
    names = [slots[slot] for slot in "abcd" if slot in slots]
    return (
        slots
        if len(set(names)) >= min(len(names), 2) and slots.get("a") != slots.get("c", 0)
        else None
    )


def _any_slots(world: World, text: str, rng: random.Random) -> dict[str, str]:
    """Fill a text's slots with different entries of the pools, true together or not."""
    slots: dict[str, str] = {}
    for slot in sorted(set(re.findall(r"\{(\w)\}", text))):
        free = [value for value in world.pools[slot] if value not in slots.values()]
        slots[slot] = rng.choice(free or list(world.pools[slot]))
    return slots


def _altered(world: World, slots: dict[str, str], rng: random.Random) -> dict[str, str]:
    changed = dict(slots)
    slot = rng.choice(sorted(slots))
    kind = rng.random()
    if kind < 0.15 and {"a", "b"} <= set(slots):
        changed["a"], changed["b"] = slots["b"], slots["a"]
    elif kind < 0.25 and re.match(r"\d+\b(?!,)", slots[slot]):
        changed[slot] = re.sub(r"^\d+", lambda found: str(int(found[0]) + 1), slots[slot])
    elif kind < 0.32 and slot in "abcdm":
        changed[slot] = rng.choice(world.foreign)
    else:
        changed[slot] = rng.choice(world.pools[slot])
    return changed


def _spoken(world: World, value: str, rng: random.Random) -> str:
    words = world.spoken.get(value, (value.replace(" usd", " dollars"),))
    return rng.choice(words)


def _written(world: World, text: str, slots: dict[str, str], rng: random.Random) -> str:
    for slot, value in slots.items():
        first = _spoken(world, value, rng)
        if re.fullmatch(r"\d+", value) and world.name == "shop" and value not in world.spoken:
            first = f"{value} minutes"
        text = text.replace(f"{{{slot}}}", first)
    prefix = rng.choice(_PREFIXES)
    if (
        prefix.endswith((": ", ", "))
        and text[0].isupper()
        and text.split()[0] in _OPENINGS.get(world.name, set())
    ):
        text = text[0].lower() + text[1:]
    text = prefix + text
    return text[:1].upper() + text[1:]


def corpus(world: World, seed: int, count: int, lies: float = 0.5) -> Iterator[Sample]:
    """Yield samples of a world, deterministic in the seed."""
    rng = random.Random(f"{world.name}:{seed}")
    table = world.table()
    while count:
        text, _, made = rng.choice(world.phrasings).partition(" => ")
        if made == "never":
            # Unreadable whoever is named: filled with whatever the record has.
            slots = _any_slots(world, text, rng)
            if rng.random() < lies:
                count -= 1
                yield Sample(_written(world, text, slots, rng), False, text)
            continue
        found = _true_slots(world, made, rng)
        if found is None:
            continue
        slots = found
        lying = rng.random() < lies
        if lying:
            slots = _altered(world, slots, rng)
        true = holds(table, meanings(made, slots))
        if true == lying:
            continue
        count -= 1
        yield Sample(_written(world, text, slots, rng), true, text)
