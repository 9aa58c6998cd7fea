"""Look up the rules of spells, conditions, features, things and actions that a question names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.rulebook import FeatureRule, Item, Spell, Term
from ruleplay.agents.party.domain.terms_text import ABILITIES, DAMAGE
from ruleplay.agents.party.policy.refusals import priced, texts
from ruleplay.story.texts import Lang, Phrasing, Text, words_of
from ruleplay.story.wording import Phrase, find, same

TOLD = texts("book")
WORD, FEW, ALIKE = 4, 2, 0.55
"""Fewest letters of a word that counts for similarity; most equally similar lines; how near
in meaning a question has to be to one that an entry answers."""


def entries(
    question: str,
    book: Book,
    lang: Lang,
    known: Collection[str] = (),
    own: Collection[str] = (),
) -> Iterator[str]:
    """Yield the rules of everything that a question names, general entries first.

    A word with a general meaning ("aide", "lance") does not name a spell or thing as well, unless
    that is `known` to somebody in the party. The asker's `own` things take precedence over spells
    of the same name.
    """
    asked, rules = words_of(question), book.rules
    phrases = {key: phrase_of(asked, one) for key, one in rules.glossary.items()}
    # A word within a longer name says no more than that: "tour" in "tour de magie".
    meant = [
        rules.glossary[key]
        for key, own in phrases.items()
        if own and not any(len(own) < len(one) and find(one, own) == 0 for one in phrases.values())
    ]
    yield from (entry(one, lang) for one in meant)
    general = {word for one in meant for word in phrase_of(asked, one)}

    def named(entries: Mapping[Any, Entry]) -> Iterator[Entry]:
        for key, one in entries.items():
            phrase = phrase_of(asked, one, key)
            if phrase and (key in known or not general >= {*phrase}):
                yield one

    mine = {phrase_of(asked, one, key) for key, one in rules.items.items() if key in own} - {()}
    if any(one in meant for key, one in rules.glossary.items() if key in MAGIC):
        mine = set()  # the question mentions magic, so spells are meant
    spells = {
        key: one for key, one in rules.spells.items() if phrase_of(asked, one, key) not in mine
    }
    yield from (spell_line(one, lang) for one in named(spells))
    yield from (feature_line(one, lang) for one in named(rules.features))
    yield from (entry(term, lang) for term in (*named(rules.conditions), *named(rules.terms)))
    # Where a rule is asked about, the price of a thing is no answer.
    asks_price = not meant or any(one == rules.glossary.get("buying") for one in meant)
    wares = (
        rules.items if asks_price else {key: one for key, one in rules.items.items() if key in own}
    )
    yield from (item_line(one, lang) for one in named(wares))


def entry(one: Term, lang: Lang) -> str:
    """Format an entry of the rules as a line."""
    return TOLD["entry"].of(lang).format(one.name.of(lang), one.text.of(lang))


def alike_in(question: str, book: Book, lang: Lang) -> Iterator[str]:
    """Yield the entries of the glossary that answer a question like this one, the likest first."""
    from ruleplay.hearing.encoder import alike

    known = [one for one in book.rules.glossary.values() if one.asked]
    near = alike(question, tuple(one.asked for one in known)) if known else []
    ranked = sorted(zip(near, known, strict=True), key=lambda one: -one[0])
    yield from (entry(one, lang) for much, one in ranked[:FEW] if much >= ALIKE)


def gist(lines: Sequence[str], question: str) -> str:
    """Return the line most similar to a question, or the first `FEW` of several equal ones."""
    asked = {word for word in words_of(question) if len(word) >= WORD}
    near = {line: sum(any(same(word, other) for other in words_of(line)) for word in asked)
            for line in lines}  # fmt: skip
    return "\n".join([line for line in near if near[line] == max(near.values())][:FEW])


MAGIC = ("cast", "slots", "prepared", "cantrip", "ritual", "concentration")
"""Entries of the glossary that are about magic."""


def magical(question: str, book: Book) -> Iterator[Phrase]:
    """Yield the phrases by which a question is about magic: names of spells, and terms of magic."""
    asked, rules = words_of(question), book.rules
    general = {key: one for key, one in rules.glossary.items() if key in MAGIC}
    named: Mapping[str, Called] = {**rules.spells, **general}
    yield from filter(None, (phrase_of(asked, one, key) for key, one in named.items()))


def basics(book: Book, lang: Lang) -> Iterator[str]:
    """Yield the basic rules: how a check works, and what a turn consists of."""
    known = (book.rules.glossary.get(key) for key in ("check", "turn"))
    yield from (entry(one, lang) for one in known if one)


class Called(Protocol):
    """An entry of the rules with a name, and other phrases that mean it."""

    @property
    def name(self) -> Text:
        """The entry's name."""

    @property
    def words(self) -> Phrasing:
        """Other phrases that mean it."""


Entry = TypeVar("Entry", bound=Called)


def phrase_of(asked: Phrase, one: Called, key: str = "") -> Phrase:
    """Return the longest phrase of a question that names an entry; empty if none does.

    Single words have to match exactly, since similar ones may differ in meaning: "voler" (to
    steal) and "voleur" (thief).
    """
    found = (name for name in _names(key, one.name, one.words) if _stands(asked, name))
    return max(found, key=len, default=())


@lru_cache(maxsize=4096)
def _names(key: str, name: Text, more: Phrasing) -> tuple[Phrase, ...]:
    """Return the phrases that name an entry; every question is compared with all entries."""
    names = (*map(words_of, (key.replace("-", " "), *name.both)), *map(_open, more.all))
    return tuple(filter(None, names))


def _open(said: str) -> Phrase:
    """Split a phrase into words, keeping a `*` for an open ending of the last one."""
    words = words_of(said)
    return (*words[:-1], f"{words[-1]}*") if said.endswith("*") else words


def _stands(asked: Phrase, name: Phrase) -> bool:
    if len(name) > 1:
        return find(asked, name) is not None
    [word] = name
    if word.endswith("*"):
        return any(one.startswith(word[:-1]) for one in asked)
    return not {word, f"{word}s", f"{word}x"}.isdisjoint(asked)


def spell_line(spell: Spell, lang: Lang) -> str:
    """Format a spell's rules as a line."""
    told = f"{'; '.join(_of_spell(spell, lang))}. {spell.text.of(lang)}"
    return TOLD["entry"].of(lang).format(spell.name.of(lang), told)


def _of_spell(spell: Spell, lang: Lang) -> Iterator[str]:
    yield TOLD["level"].of(lang).format(spell.level) if spell.level else TOLD["cantrip"].of(lang)
    yield texts("costs")[spell.cost].of(lang)
    if spell.ritual:
        yield TOLD["ritual"].of(lang)
    near = TOLD["touch"] if spell.range else TOLD["self"]
    yield TOLD["feet"].of(lang).format(spell.range) if spell.range > 5 else near.of(lang)
    yield (TOLD["holds"] if spell.concentration else TOLD["free"]).of(lang)
    if spell.rounds:
        long = TOLD["minutes"] if spell.rounds >= 10 else TOLD["rounds"]
        yield long.of(lang).format(spell.rounds // 10 if spell.rounds >= 10 else spell.rounds)
    if spell.save:
        half = f" ({TOLD['half'].of(lang)})" if spell.half else ""
        yield TOLD["saves"].of(lang).format(ABILITIES[spell.save].of(lang)) + half
    elif spell.how in ("melee", "ranged"):
        yield TOLD["rolled"].of(lang)
    for damage in spell.damage:
        times = f"{spell.rays} × " if spell.rays > 1 else ""
        shared = f", {TOLD['shared'].of(lang)}" if spell.rays > 1 else ""
        yield f"{times}{damage.dice} {DAMAGE[damage.type].of(lang)}{shared}"
    if spell.inflicts and spell.inflicts.boon and (more := spell.inflicts.boon.ac):
        yield TOLD["wards"].of(lang).format(more)
    if spell.heal:
        yield TOLD["heals"].of(lang).format(spell.heal)
    if spell.radius:
        yield TOLD["radius"].of(lang).format(spell.radius)
    if spell.pool:
        yield TOLD["pool"].of(lang).format(spell.pool)


def feature_line(feature: FeatureRule, lang: Lang) -> str:
    """Format a feature's rules as a line."""
    cost = texts("costs")[feature.cost].of(lang) if feature.cost else ""
    often = texts("uses")[feature.uses].of(lang) if feature.uses in texts("uses") else ""
    until = texts("per")[feature.per].of(lang) if feature.per else ""
    parts = "; ".join(part for part in (cost, " ".join(filter(None, (often, until)))) if part)
    told = f"{parts}. {feature.text.of(lang)}" if parts else feature.text.of(lang)
    return TOLD["entry"].of(lang).format(feature.name.of(lang), told)


def item_line(item: Item, lang: Lang) -> str:
    """Format a thing's damage, protection, healing and price as a line."""
    damage = f"{item.damage.dice} {DAMAGE[item.damage.type].of(lang)}" if item.damage else ""
    ac = Text(en="armour class {0}", fr="classe d'armure {0}").of(lang).format(item.ac)
    heals = TOLD["heals"].of(lang).format(item.heals)
    parts = (damage, ac if item.ac else "", heals if item.heals else "", priced(item.price, lang))
    return TOLD["entry"].of(lang).format(item.name.of(lang), ", ".join(filter(None, parts)) or "—")
