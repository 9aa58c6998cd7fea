"""Three small worlds with their fact tables: a parts shop, a fight, a raid night.

Each is drawn from a seed; the words are in `vocabulary.py`.
"""

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.foundation.held_out.vocabulary import (
    ABILITIES,
    BOSSES,
    BRANDS,
    BUFFS,
    FIGHTERS,
    FOREIGN,
    LEVELS,
    PLAYERS,
    SYMPTOMS,
    TITLES,
    WEAPONS,
)

from ruleplay.foundation.claims import Claim, Fact


@dataclass(frozen=True)
class World:
    """One drawn world: its facts and all their claims."""

    name: str
    facts: tuple[Fact, ...]
    claims: tuple[Claim, ...]


def draw(name: str, rng: random.Random) -> World:
    """Draw one world of the given name."""
    makers: dict[str, Callable[[random.Random], list[Fact]]] = {
        "fight": _fight,
        "parts": _parts,
        "raid": _raid,
    }
    facts = tuple(makers[name](rng))
    return World(name, facts, tuple(claim for fact in facts for claim in fact.claims))


def part_number(rng: random.Random) -> str:
    return f"PS{rng.randrange(10**7, 10**8)}"


def model_number(rng: random.Random) -> str:
    def letters(count: int) -> str:
        return "".join(rng.choices(string.ascii_uppercase, k=count))

    return f"{letters(3)}{rng.randrange(100, 1000)}{letters(4)}{rng.randrange(10)}"


def maker_number(rng: random.Random) -> str:
    return f"W{rng.choice('PR')}{rng.randrange(10**7, 10**8)}"


def _fact(facts: list[Fact], says: str, *claims: tuple[str, ...]) -> None:
    made = [
        Claim(**dict(zip(("kind", "subject", "value", "object"), c, strict=False))) for c in claims
    ]
    facts.append(Fact(id=f"f{len(facts)}", says=says, claims=tuple(made)))


def _fight(rng: random.Random) -> list[Fact]:
    names = rng.sample(sorted(FIGHTERS), 7)
    dead, down, fled, poisoned = names[0], names[1], names[2], names[3]
    facts: list[Fact] = []
    pairs = [(a, b) for a in names for b in names if a != b and a != dead]
    rng.shuffle(pairs)
    killer = rng.choice(names[3:])
    hits = [(killer, dead), (rng.choice(names[3:]), down)]
    hits += [pair for pair in pairs if pair not in hits][:5]
    # One attack pays back another, so that a reversed direction is tempting.
    hits += [p for p in [(b, a) for a, b in hits if b != dead] if p not in hits][:1]
    misses = [pair for pair in pairs if pair not in hits][-3:]
    for a, b in hits:
        weapon, n = rng.choice(sorted(set(WEAPONS) - set(FOREIGN["weapon"]))), rng.randint(2, 24)
        says = f"{a} hits {b} with the {weapon} for {n} damage."
        _fact(facts, says, ("hit", a, str(n), b), ("weapon", a, weapon, b))
    for a, b in misses:
        _fact(facts, f"{a} misses {b}.", ("miss", a, "", b))
    for name in names[2:]:
        most = 2 * rng.randint(14, 30)
        hp = most // 2 if rng.random() < 0.3 else rng.randint(2, most - 1)
        says = f"{name} has {hp} of {most} hit points left."
        _fact(facts, says, ("hp", name, str(hp)), ("max", name, str(most)))
    healer, healed = names[4], names[5]
    n = rng.randint(3, 12)
    says = f"{healer} heals {healed} for {n} hit points."
    _fact(facts, says, ("heals", healer, str(n), healed))
    _fact(facts, f"{killer} kills {dead}.", ("kills", killer, "", dead), ("dies", dead))
    _fact(facts, f"{down} is unconscious.", ("down", down), ("alive", down))
    _fact(facts, f"{poisoned} is poisoned.", ("poisoned", poisoned))
    _fact(facts, f"{fled} flees.", ("flees", fled))
    for name in names[2:]:
        _fact(facts, f"{name} is still standing.", ("up", name), ("alive", name))
    return facts


def _parts(rng: random.Random) -> list[Fact]:
    facts: list[Fact] = []
    parts = [part_number(rng) for _ in range(5)]
    models = [model_number(rng) for _ in range(4)]
    stranger = models[3]
    prices: list[int] = []
    for part, title in zip(parts, rng.sample(TITLES, 5), strict=True):
        cents = _ratio(rng, prices, rng.randrange(399, 18999))
        level, brand, maker = rng.choice(sorted(LEVELS)), rng.choice(BRANDS), maker_number(rng)
        _fact(
            facts,
            f"{part} is the {title} by {brand}, manufacturer number {maker}.",
            ("name", part, title),
            ("brand", part, brand),
            ("maker", part, maker),
        )
        price = f"{cents // 100}.{cents % 100:02d}"
        _fact(facts, f"{part} costs ${price}.", ("price", part, f"{price} usd"))
        stock = rng.choice(("in stock", "out of stock"))
        _fact(facts, f"{part} is {stock}.", ("stock", part, stock))
        minutes = rng.choice((10, 15, 20, 30, 40, 45, 60))
        says = f"Installing {part} is {level} and takes {minutes} minutes."
        _fact(facts, says, ("level", part, level), ("minutes", part, f"{minutes} min"))
        _fits(rng, facts, part, models[:3], stranger)
        for symptom in rng.sample(SYMPTOMS, 3):
            cure = f"{rng.randint(4, 96)} %"
            says = f"{part} fixes {symptom!r} in {cure} of cases."
            _fact(facts, says, ("fixes", part, symptom), ("cure", part, cure, symptom))
    return facts


def _fits(
    rng: random.Random, facts: list[Fact], part: str, models: Sequence[str], stranger: str
) -> None:
    for model in models:
        verdict = rng.choice(("listed", "not listed"))
        _fact(facts, f"{part} is {verdict} for {model}.", ("fit", part, verdict, model))
    says = f"Model {stranger} is unknown; no verdict for {part}."
    _fact(facts, says, ("fit", part, "unknown", stranger))


def _ratio(rng: random.Random, earlier: list[int], value: int) -> int:
    """Keep the value, or make it twice an earlier one; remember it."""
    made = 2 * rng.choice(earlier) if earlier and rng.random() < 0.3 else value
    earlier.append(made)
    return made


def _raid(rng: random.Random) -> list[Fact]:
    facts: list[Fact] = []
    players = rng.sample(PLAYERS, 8)
    boss, seconds = rng.choice(BOSSES), rng.randint(140, 560)
    left = _pct(rng, 1, 80)
    _fact(facts, f"{boss} was at {left} when the raid wiped.", ("boss", boss, left))
    _fact(facts, f"The pull on {boss} lasted {seconds} s.", ("duration", boss, f"{seconds} s"))
    _output(rng, facts, players, seconds)
    _falls(rng, facts, players, seconds)
    _details(rng, facts, players)
    return facts


def _output(rng: random.Random, facts: list[Fact], players: list[str], seconds: int) -> None:
    earlier: list[int] = []
    damage = {p: _ratio(rng, earlier, rng.randrange(90_000, 1_400_000)) for p in players[:6]}
    for player, done in damage.items():
        rate, share = f"{done / seconds:.1f}", f"{100 * done / sum(damage.values()):.1f} %"
        says = f"{player} dealt {done} damage ({rate} DPS, {share} of the raid)."
        _fact(
            facts,
            says,
            ("damage", player, str(done)),
            ("dps", player, rate),
            ("share", player, share),
        )
    for player in players[5:]:
        done, over = rng.randrange(120_000, 900_000), _pct(rng, 5, 60)
        says = f"{player} healed for {done} with {over} overheal."
        _fact(facts, says, ("healing", player, str(done)), ("overheal", player, over))


def _falls(rng: random.Random, facts: list[Fact], players: list[str], seconds: int) -> None:
    dead = rng.sample(players, 4)
    times = sorted(rng.sample(range(20, seconds), 4))
    for player, at, ability in zip(dead, times, rng.sample(ABILITIES, 4), strict=True):
        taken = rng.randrange(4_000, 90_000)
        says = f"{player} was killed by {ability} at {at} s, having taken {taken} from it."
        _fact(
            facts,
            says,
            ("killed", player, ability),
            ("died", player, f"{at} s"),
            ("taken", player, str(taken), ability),
        )
    _fact(facts, f"{dead[0]} died first.", ("first", dead[0]))
    for player in players:
        if player not in dead:
            _fact(facts, f"{player} survived.", ("alive", player))
            ability, taken = rng.choice(ABILITIES), rng.randrange(4_000, 90_000)
            says = f"{player} took {taken} damage from {ability}."
            _fact(facts, says, ("taken", player, str(taken), ability))


def _details(rng: random.Random, facts: list[Fact], players: list[str]) -> None:
    for player in players:
        deaths, kicks, active = rng.randint(2, 6), rng.randint(2, 9), _pct(rng, 55, 99)
        _fact(facts, f"{player} died {deaths} times.", ("deaths", player, str(deaths)))
        _fact(facts, f"{player} interrupted {kicks} times.", ("interrupts", player, str(kicks)))
        _fact(facts, f"{player} was active {active} of the time.", ("activity", player, active))
    for player in players[:3]:
        buff, up, ability = rng.choice(BUFFS), _pct(rng, 40, 99), rng.choice(ABILITIES)
        _fact(facts, f"{player} kept {buff} up {up}.", ("uptime", player, up, buff))
        kicks = rng.randint(2, 8)
        says = f"{player} interrupted {ability} {kicks} times."
        _fact(facts, says, ("kicked", player, str(kicks), ability))
    for ability in rng.sample(ABILITIES, 2):
        count = rng.randint(2, 9)
        says = f"{ability} was not interrupted {count} times."
        _fact(facts, says, ("missed", ability, str(count)))


def _pct(rng: random.Random, low: int, high: int) -> str:
    return f"{rng.randint(low * 10, high * 10) / 10:.1f} %"
