"""`ruleplay bench raid-questions`: what raids ask, put to the agent on nights whose truth is known.

Every question has expected fields (who, when, how much, which pull) from the generator's own
record. A field counts when the answer's typed findings and its words both hold it.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from benchmarks.raid.nights.truth import Death, GroundTruth, PullTruth, Totals
from benchmarks.raid.scoring import Expected

SHORT = {649: "Maulgar", 650: "Gruul", 651: "Magtheridon", 731: "Void Reaver"}
_DEBUFFS = ("Sunder Armor", "Faerie Fire", "Curse of the Elements", "Judgement of Wisdom")
_SECOND = 0.06
"""Rows give seconds with one decimal."""
_SAID_SECOND = 1.0
"""Words may say whole seconds."""


@dataclass(frozen=True)
class Question:
    """A question in one wording, and what a good answer holds."""

    topic: str
    text: str
    expected: tuple[Expected, ...]


@dataclass(frozen=True)
class Case:
    """A topic on one pull: its expected fields and the words that its wordings need."""

    expected: tuple[Expected, ...]
    words: dict[str, str]


def bare(name: str) -> str:
    """Return a player's name without the realm, as people say it."""
    return name.partition("-")[0]


def _who(label: str, name: str) -> Expected:
    return Expected("who", label, bare(name))


def _what(label: str, name: str) -> Expected:
    return Expected("what", label, name)


def _when(label: str, seconds: float, of: str = "") -> Expected:
    return Expected("number", label, bare(of), seconds, _SECOND, _SAID_SECOND)


def _sum(label: str, amount: int, of: str = "") -> Expected:
    return Expected("number", label, bare(of), amount)


def _percent(label: str, fraction: float, of: str, metric: str) -> Expected:
    return Expected("number", label, bare(of), fraction * 100, 1.0, 1.0, metric)


def _pull(pull: PullTruth) -> Expected:
    return Expected("pull", "which pull", value=pull.fight)


def _top(pull: PullTruth, key: Callable[[Totals], float]) -> tuple[str, float] | None:
    """Return who has the most, unless nobody has any or two have the same."""
    ranked = sorted(((key(t), name) for name, t in pull.totals.items()), reverse=True)
    if not ranked or ranked[0][0] <= 0 or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1], ranked[0][0]


def _first(pull: PullTruth) -> Death | None:
    return pull.deaths[0] if pull.deaths else None


def _wipe(truth: GroundTruth, pull: PullTruth) -> Case | None:
    """Expect the cause: the dead tank, or what killed several at once, not an earlier death."""
    after = [d for d in pull.deaths if pull.lost_at is not None and d.seconds >= pull.lost_at]
    if not after:
        return None
    cause = after[0]
    if pull.story in ("avoidable", "nova"):
        return Case((_what("killed by", cause.spell), _pull(pull)), {})
    when = _when("when", cause.seconds, cause.player)
    return Case((_who("the tank", cause.player), when, _pull(pull)), {})


def _first_death(truth: GroundTruth, pull: PullTruth) -> Case | None:
    death = _first(pull)
    if death is None:
        return None
    said = (_who("who", death.player), _what("killed by", death.spell), _pull(pull))
    return Case((*said, _when("when", death.seconds, death.player)), {})


def _avoidable(truth: GroundTruth, pull: PullTruth) -> Case | None:
    top = _top(pull, lambda total: total.avoidable)
    if top is None:
        return None
    name, amount = top
    return Case((_who("who", name), _sum("how much", int(amount), name), _pull(pull)), {})


def _interrupts(truth: GroundTruth, pull: PullTruth) -> Case | None:
    missed = [cast.spell for cast in pull.casts if not cast.stopped_by]
    if not missed:
        return None
    counts = {spell: missed.count(spell) for spell in missed}
    rows = [
        Expected("number", f"missed {spell}", spell, number, metric="missed", lead=False)
        for spell, number in sorted(counts.items())
    ]
    casts = [Expected("what", "cast", spell, lead=False) for spell in sorted(counts)]
    total = Expected("number", "missed in all", "", len(missed), metric="missed")
    return Case((*rows, *casts, total, _pull(pull)), {})


def _dispels(truth: GroundTruth, pull: PullTruth) -> Case | None:
    top = _top(pull, lambda total: total.dispels)
    if top is None:
        return None
    name, number = top
    aura = next(d.spell for d in pull.dispels if d.player == name)
    many = Expected("number", "how many", bare(name), number, metric="dispels")
    said = (_who("who", name), many, Expected("what", "aura", aura, lead=False))
    return Case((*said, _pull(pull)), {})


def _lacking(what: str, names: Iterable[str], pull: PullTruth) -> Case:
    players = tuple(bare(name) for name in names)
    return Case((Expected("set", "who", what, metric="missing", names=players), _pull(pull)), {})


def _activity(truth: GroundTruth, pull: PullTruth) -> Case | None:
    if any(death.player == truth.slow for death in pull.deaths):
        return None
    return Case((_who("who", truth.slow), _pull(pull)), {})


def _cooldowns(truth: GroundTruth, pull: PullTruth) -> Case | None:
    player, _, spell = truth.unused[pull.fight % len(truth.unused)]
    words = {"player": bare(player)}
    return Case((_who("who", player), _what("cooldown", spell), _pull(pull)), words)


def _bloodlust(truth: GroundTruth, pull: PullTruth) -> Case | None:
    if not pull.bloodlust:
        return None
    use = pull.bloodlust[0]
    said = (_who("who", use.player), _when("when", use.seconds, use.player), _pull(pull))
    return Case(said, {})


def _low_damage(truth: GroundTruth, pull: PullTruth) -> Case | None:
    damage = pull.totals[truth.slow].damage
    said = (_who("who", truth.slow), _sum("damage", damage, truth.slow), _pull(pull))
    return Case(said, {"player": bare(truth.slow)})


def _versus(truth: GroundTruth, pull: PullTruth) -> Case | None:
    one, two = sorted(n for n, c in truth.classes.items() if c == ("Mage", "Fire"))
    rows = [_sum(f"damage of {bare(n)}", pull.totals[n].damage, n) for n in (one, two)]
    words = {"player": bare(one), "other": bare(two)}
    return Case((*rows, _who("one", one), _who("other", two), _pull(pull)), words)


def _mana(truth: GroundTruth, pull: PullTruth) -> Case | None:
    lowest = sorted(pull.mana, key=lambda mana: mana.lowest)
    if len(lowest) < 2 or lowest[1].lowest - lowest[0].lowest < 0.01:
        return None
    low = lowest[0]
    said = (_who("who", low.player), _percent("how low", low.lowest, low.player, "lowest"))
    return Case((*said, _pull(pull)), {})


def _overheal(truth: GroundTruth, pull: PullTruth) -> Case | None:
    top = _top(pull, lambda total: total.overheal)
    if top is None:
        return None
    name, amount = top
    return Case((_who("who", name), _sum("how much", int(amount), name), _pull(pull)), {})


def _tank(truth: GroundTruth, pull: PullTruth) -> Case | None:
    dead = [d for d in pull.deaths if truth.roles[d.player] == "tank"]
    if not dead:
        return None
    death = dead[0]
    said = (_who("who", death.player), _when("when", death.seconds, death.player))
    return Case((*said, _pull(pull)), {})


def _uptime(truth: GroundTruth, pull: PullTruth) -> Case | None:
    boss = SHORT[pull.encounter]
    for uptime in pull.uptimes[pull.fight % 3 :]:
        if uptime.spell in _DEBUFFS and boss in uptime.target:
            share = _percent("uptime", uptime.seconds / pull.seconds, uptime.spell, "uptime")
            words = {"debuff": uptime.spell}
            return Case((share, _what("debuff", uptime.spell), _pull(pull)), words)
    return None


def _adds(truth: GroundTruth, pull: PullTruth) -> Case | None:
    adds = [death for death in pull.enemy_deaths if not death.boss]
    if not adds:
        return None
    first = Expected(
        "number", "when", adds[0].name, adds[0].seconds, _SECOND, _SAID_SECOND, lead=False
    )
    return Case((_what("first", adds[0].name), first, _pull(pull)), {})


def _trash(truth: GroundTruth, pull: PullTruth) -> Case | None:
    if pull.fight > 1:
        return None
    total = Expected("number", "seconds", "", truth.trash_seconds, 1.0, _SAID_SECOND)
    return Case((total,), {})


def _fixes(truth: GroundTruth, pull: PullTruth) -> Case | None:
    if pull.kill:
        return None
    return Case(
        (Expected("number", "the third", "", 3, metric="rank", lead=False), _pull(pull)), {}
    )


TOPICS: dict[str, Callable[[GroundTruth, PullTruth], Case | None]] = {
    "wipe": _wipe,
    "first_death": _first_death,
    "avoidable": _avoidable,
    "interrupts": _interrupts,
    "dispels": _dispels,
    "flask": lambda truth, pull: _lacking("flask", truth.no_flask, pull),
    "food": lambda truth, pull: _lacking("food", truth.no_food, pull),
    "oil": lambda truth, pull: _lacking("oil", truth.no_oil, pull),
    "enchants": lambda truth, pull: _lacking("enchant", dict(truth.no_enchant), pull),
    "gems": lambda truth, pull: _lacking("gem", dict(truth.no_gem), pull),
    "activity": _activity,
    "cooldowns": _cooldowns,
    "bloodlust": _bloodlust,
    "low_damage": _low_damage,
    "versus": _versus,
    "mana": _mana,
    "overheal": _overheal,
    "tank": _tank,
    "uptime": _uptime,
    "adds": _adds,
    "trash": _trash,
    "fixes": _fixes,
}
"""What is asked about one night; "week" compares two."""


@cache
def wordings() -> dict[str, tuple[str, ...]]:
    """Return the benchmark's wordings by topic, English ones first."""
    folder = files("benchmarks.raid")
    return read_wordings(folder.joinpath("wordings.toml").read_text("utf-8"))


def read_wordings(text: str) -> dict[str, tuple[str, ...]]:
    """Read wordings by topic from TOML: lists `en` and `fr` of each topic."""
    return {
        topic: (*rows.get("en", ()), *rows.get("fr", ()))
        for topic, rows in tomllib.loads(text).items()
    }


def ask_about(
    truth: GroundTruth, seed: int = 0, texts: Mapping[str, tuple[str, ...]] | None = None
) -> Iterator[Question]:
    """Yield the questions about one night: every topic in every wording, on pulls drawn by seed.

    `texts` are other wordings by topic, in place of the benchmark's.
    """
    rng = random.Random(f"questions {seed}")
    told = wordings() if texts is None else texts
    for topic, expect in TOPICS.items():
        cases = [(p, case) for p in truth.pulls if (case := expect(truth, p))]
        for wording in told[topic] if cases else ():
            pull, case = rng.choice(cases)
            english, french = _names_of(truth, pull, rng)
            text = wording.format(pull=english, le_pull=french, **case.words)
            yield Question(topic, text.replace("de le ", "du "), case.expected)


def _names_of(truth: GroundTruth, pull: PullTruth, rng: random.Random) -> tuple[str, str]:
    """Return ways to name a pull, in English and French, that mean this pull alone."""
    boss, kind = SHORT[pull.encounter], "kill" if pull.kill else "wipe"
    ways = [(f"pull {pull.fight}", f"le pull {pull.fight}")]
    same = [p for p in truth.pulls if p.encounter == pull.encounter and p.kill == pull.kill]
    if same[-1] is pull:
        ways.append((f"our last {kind} on {boss}", f"notre dernier {kind} sur {boss}"))
    if [p for p in truth.pulls if p.kill == pull.kill][-1] is pull:
        ways.append((f"the last {kind}", f"le dernier {kind}"))
    return rng.choice(ways)


def ask_about_weeks(
    old: GroundTruth, new: GroundTruth, texts: Mapping[str, tuple[str, ...]] | None = None
) -> Iterator[Question]:
    """Yield the questions that compare the newer night with the one before."""
    for number, wording in enumerate((wordings() if texts is None else texts)["week"]):
        before, after = _kills(old), _kills(new)
        encounter = sorted(before.keys() & after.keys())[number % len(before.keys() & after.keys())]
        rows = (
            _when("seconds of the older kill", before[encounter].seconds),
            _when("seconds of the newer kill", after[encounter].seconds),
        )
        yield Question("week", wording.format(boss=SHORT[encounter]), rows)


def _kills(truth: GroundTruth) -> dict[int, PullTruth]:
    return {pull.encounter: pull for pull in truth.pulls if pull.kill}
