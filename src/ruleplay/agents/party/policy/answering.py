"""Answers of persons and companions without a model, from authored texts only.

A person of the story gives the remark or topic that fits, or says that they know nothing of it and
who here does. A companion says what they would do, how they are, what they carry or know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from random import Random
from typing import Literal

from ruleplay.agents.party.domain.adventure import Remark, Talk, wordings
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices, wounded
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.acts import options, talks
from ruleplay.agents.party.domain.labels import wish
from ruleplay.agents.party.domain.persona import Persona
from ruleplay.agents.party.domain.rulebook import Item
from ruleplay.agents.party.domain.scope import SOLD, scope_of
from ruleplay.agents.party.domain.seats import TABLE
from ruleplay.agents.party.domain.staging import people, services
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import health
from ruleplay.agents.party.policy.ears import ASKED, CLEAR, TONED
from ruleplay.agents.party.policy.handbook import phrase_of
from ruleplay.agents.party.policy.refusals import priced, texts
from ruleplay.agents.party.policy.replies import described, met_persons
from ruleplay.agents.party.policy.variety import dealt, lines_of
from ruleplay.story.hearing import SENTENCES, Part, heard, part_of
from ruleplay.story.mentions import Named, Scope, mentioned
from ruleplay.story.texts import Phrasing, Text, words_of
from ruleplay.story.wording import WORDS_OF_THEIR_OWN, Phrase, find

HEALTHY, LIKELIEST, WARES = ("unhurt", "hurt"), 3, 4
"""States in which companions call themselves well; most plans that they choose from; most prices
in an answer."""
SAID = texts("answering")
Reply = Literal[
    "plan", "well", "hurt", "nods", "has", "lacks", "knows", "unsure", "agrees", "jests"
]
"""Kinds of a companion's answers. Ready-made characters have their own wordings (`voices`)."""
MERRY, DONE = ("bargaining", "mocking", "joking"), 0.35
"""Tones of bets and jokes; least probability that a question asks for a deed."""
SERVED = ("service",)
"""Kinds of wares whose price may be added to an answer about something else."""
TOPICS, BRIEF, WORD = 2, 3, 4
"""Most topics answered at once; most words of a question that is too short to classify; most
letters of a word that says nothing about a subject."""
NEAR, CARRIES, WANTS = 0.35, 0.6, 0.65
"""How near in meaning a question has to be to what answers it: a fact, who carries a thing, or
whether a ware can be had."""
PRICED = 0.25
"""Least probability that a question which names a ware is about its price."""
PLANS, LOOKED_AFTER = ("would", "goal", "play"), ("sheet", "heal")
GOING = ("commands", "go", "rest", "wait", "recap")
"""Subjects of questions about plans, acts of those about health, acts of those about what next."""


def curious(part: Part) -> bool:
    """Whether a part wants to know something."""
    want = part.heard["want"][0]
    return "?" in part.text or (want.label == "know" and want.sure >= CLEAR)


def wonders(words: str, scope: Scope) -> bool:
    """Whether a sentence of a speech wants to know something."""
    return any(curious(one) for one in _sentences(words, scope))


def _sentences(words: str, scope: Scope) -> list[Part]:
    return [heard(part_of(one, scope)) for one in SENTENCES.split(words) if words_of(one)]


def person_says(person: str, words: str, table: Table, book: Book) -> str:
    """Return a person's answer to words; of what they have told before they say just that."""
    lang, own = table.lang, book.story.persons[person]
    said = words_of(words)
    name = own.name.of(lang)
    each = (_nearest(person, words_of(one), table, book) for one in SENTENCES.split(words))
    again = SAID["told"].of(lang).format(who=name)
    known = dict.fromkeys(
        one.text.of(lang) if isinstance(one, Remark) else again for one in each if one
    )
    asks = wonders(words, scope_of(table, book, TABLE))
    deals = asks and asks_of_wares(words, table, book)
    serves = person == next(iter(people(table, book)))
    sold = () if not serves else SERVED if known else SOLD
    price = prices(said, table, book, sold) if deals else ""
    costs = SAID["price"].of(lang).format(who=name, what=price) if price else ""
    if known:
        return " ".join((*[*known][:TOPICS], *filter(None, (costs,))))
    if not asks:
        return _one_of(wordings(own.listens) or (SAID["listens"],), said, table).format(who=name)
    if costs:
        return costs
    unknown = _one_of(wordings(own.unknown) or (SAID["unknown"],), said, table).format(who=name)
    others = (other for other in people(table, book) if other != person)
    told = next((other for other in others if _may_tell(other, said, table, book)), "")
    points = SAID["points"].of(lang).format(who=people(table, book)[told].of(lang)) if told else ""
    return " ".join(filter(None, (unknown, points)))


def taken_up(words: str, table: Table, book: Book) -> str:
    """Return the person who answers a question to nobody in particular; empty for nobody."""
    said = words_of(words)
    if not curious(heard(part_of(words, scope_of(table, book, TABLE)))):
        return ""
    here = people(table, book)
    trades = next(iter(here), "") if "?" in words and asks_of_wares(words, table, book) else ""
    return next((one for one in here if _known(one, said, table, book)), trades)


def facts_of(person: str, table: Table, book: Book) -> Iterator[Talk | Remark]:
    """Yield the topics that a person has told already, and their remarks to anybody."""
    now, story = table.expedition, book.story
    for key, talk in story.talks.items():
        if talk.person == person and not talk.secret and f"talk:{key}" in now.flags:
            yield talk
    for remark in story.remarks.values():
        if remark.person == person and remark.when.holds(now.standing):
            yield remark


def _known(person: str, said: Phrase, table: Table, book: Book) -> Text | None:
    """Return a person's text about what words name, None if there is none."""
    found = _nearest(person, said, table, book)
    return found.text if found else None


def _nearest(person: str, said: Phrase, table: Table, book: Book) -> Talk | Remark | None:
    known = facts_of(person, table, book)
    size, found = max(
        ((_named(said, one.words), one) for one in known), key=itemgetter(0), default=(0, None)
    )
    return found if size else None


def said_before(person: str, said: Phrase, table: Table, book: Book) -> bool:
    """Whether a person's best answer to words is a topic that they have told before."""
    return isinstance(_nearest(person, said, table, book), Talk)


def _named(said: Phrase, words: Phrasing) -> int:
    """Count the words of a text's phrases that occur in what was said."""
    ways = (words_of(one) for one in words.all)
    return sum(len(way) for way in {*ways} if way and find(said, way) is not None)


def _may_tell(person: str, said: Phrase, table: Table, book: Book) -> bool:
    open_ = talks(table.expedition, book.story, person, TABLE).values()
    asked = any(_named(said, one.words) for one in open_ if not one.secret)
    return asked or _known(person, said, table, book) is not None


def wares(said: Phrase, table: Table, book: Book) -> tuple[Item, ...]:
    """Return the wares that words name, if this is an inhabited place; at most `WARES`."""
    scene = book.story.scenes.get(table.expedition.scene)
    sold = (one for one in book.rules.items.values() if one.kind in SOLD and phrase_of(said, one))
    return tuple(sold)[:WARES] if scene and scene.safe else ()


def sold(said: Phrase, table: Table, book: Book) -> Iterator[str]:
    """Yield each service that can be bought here, and the wares that words name, with prices."""
    every = (*services(table, book).values(), *wares(said, table, book))
    lang = table.lang
    yield from dict.fromkeys(f"{one.name.of(lang)}, {priced(one.price, lang)}" for one in every)


def prices(said: Phrase, table: Table, book: Book, kinds: Sequence[str] = SOLD) -> str:
    """Return the prices of the wares that words name; empty where none is sold here."""
    lang = table.lang
    named = (one for one in wares(said, table, book) if one.kind in kinds)
    return "; ".join(f"{one.name.of(lang)}, {priced(one.price, lang)}" for one in named)


def asks_of_wares(words: str, table: Table, book: Book) -> bool:
    """Whether words ask for wares or what they cost; longer ones may be about anything else."""
    lang, named = table.lang, wares(words_of(words), table, book)
    if len(words_of(words)) <= 2 * BRIEF:
        return bool(named)
    said = _sentences(words, scope_of(table, book, TABLE)) if named else ()
    subjects = (one for part in said for one in part.heard["subject"])
    costs = any(one.label == "price" and one.sure >= PRICED for one in subjects)
    asks = [SAID["carries"].of(lang).format(what=one.name.of(lang)) for one in named]
    return costs or max(_alike(words, asks), default=0.0) >= WANTS


def _one_of(ways: tuple[Text, ...], said: Phrase, table: Table) -> str:
    """Choose one of several wordings, by the table's seed and the words that it answers."""
    chance = f"{table.cast.dice_seed}/{' '.join(said)}"
    return ways[dealt(len(ways), chance, table.round)].of(table.lang)


def companion_says(seat: str, words: str, by: str, table: Table, book: Book, *, alone: bool) -> str:
    """Return a companion's answer, empty if they need not answer.

    Statements, and facts that everybody knows, are only answered by one companion: the one who was
    spoken to `alone`, or for facts the first.
    """
    one = table.cast.get(seat)
    if one is None or not one.conscious:
        return ""
    scope = scope_of(table, book, by)
    every = _sentences(words, scope)
    asks = [one for one in every if "?" in one.text] or [one for one in every if curious(one)]
    part = heard(part_of(" ".join(one.text for one in asks) or words, scope))
    # A long plan that ends with a short question, or names several of us, asks for agreement.
    ends = words.rstrip().endswith("?") and len(words_of(words)) > 2 * len(part.words)
    several = _of_several(words, by, table)
    if "?" in words and not (alone or several) and taken_up(words, table, book):
        return ""  # persons here know, and answer
    going = part.subject in PLANS or part.act in GOING  # whether to go or stay has no "yes"
    if "?" in words and (ends or several) and not going:
        return _own(seat, "agrees", table)
    if not asks or "?" not in words:
        lacks = _lacks_magic(one, words_of(words), table, book)
        heard_so = _own(seat, _taken(part, "nods"), table)
        more = (heard_so, lacks, _needless(one, part, table))
        return " ".join(filter(None, more)) if alone else ""
    if not alone and table.cast.fight:
        return ""
    first = alone or seat == next(other for other in table.characters if other != by)
    facts = _has(one, part.text, table, book) or _told(seat, part, by, table, book)
    facts = facts or _lacks_magic(one, part.words, table, book)
    if facts:
        return facts if first else ""
    own = _about_plans(part) or _about_health(part) or len(part.words) <= BRIEF
    if not (alone or several or own):  # nobody was asked, and one is enough who does not know
        return _own(seat, "unsure", table) if first else ""
    said = " ".join(_opinion(one, part, by, table, book))
    again = any(said in line.value for line in lines_of(table))
    return said if not again else _own(seat, "nods", table) if alone else ""


def _of_several(words: str, by: str, table: Table) -> bool:
    """Whether words name several of the speaker's companions."""
    scope = (Named(id=one, phrases=(words_of(table.name(one))[:1],)) for one in table.characters)
    mates = [one for one in scope if one.id != by]
    return sum(mentioned(words_of(words), (one,)) is not None for one in mates) > 1


def _needless(one: Creature, part: Part, table: Table) -> str:
    """Say that a companion who is to be healed is unhurt; empty otherwise."""
    said = part.words
    others = {each.id: words_of(table.name(each.id))[:1] for each in table.party if each != one}
    hale = [
        each
        for each in table.party
        if each != one and find(said, others[each.id]) is not None and health(each) == "unhurt"
    ]
    heals = part.chance("heal") >= DONE and len(hale) == 1
    return SAID["unhurt"].of(table.lang).format(who=table.name(hale[0].id)) if heals else ""


def _taken(part: Part, otherwise: Reply) -> Reply:
    """Return the kind of answer to a joke or bet, to a request, or to anything else."""
    merry = sum(one.sure for one in part.heard["tone"] if one.label in MERRY)
    least = DONE if "?" in part.text else CLEAR
    wish = any(one.label == "deed" and one.sure >= least for one in part.heard["free"])
    wish = wish and part.act not in ASKED  # nobody agrees to "what is that?"
    return "jests" if merry >= CLEAR else "agrees" if wish else otherwise


def _lacks_magic(one: Creature, said: Phrase, table: Table, book: Book) -> str:
    """Say that a companion does not know a spell that words name; empty if none is named."""
    spells = book.rules.spells.items()
    named = {key: spell for key, spell in spells if len(phrase_of(said, spell, key)) > 1}
    foreign = [spell.name.of(table.lang) for key, spell in named.items() if key not in one.spells]
    return _own(one.id, "lacks", table).format(what=foreign[0]) if foreign else ""


def _has(one: Creature, words: str, table: Table, book: Book) -> str:
    """Say whether a companion carries a thing that is named, else who does or where it was seen."""
    lang, said = table.lang, words_of(words)
    items = book.rules.items.items()
    key, item = next(((key, one) for key, one in items if phrase_of(said, one, key)), ("", None))
    if item is None:
        return ""
    name, ways = item.name.of(lang), (*item.words.all, *item.name.both)
    held = one.count(key)
    asks = SAID["carries"].of(lang).format(what=name)
    if len(said) > 3 * BRIEF and _alike(words, (asks,))[0] < CARRIES:
        return ""  # a thing that is mentioned is not asked for
    place = words_of(book.story.scenes[table.expedition.scene].text.of(lang))
    if any(find(place, words_of(way)) is not None for way in ways):
        return ""  # the scene has such a thing, which is probably meant
    if held:
        return _own(one.id, "has", table).format(what=f"{name} × {held}" if held > 1 else name)
    others = ", ".join(each.name.of(lang) for each in table.party if each.count(key))
    theirs = SAID["others"].of(lang).format(who=others) if others else ""
    met = (book.story.persons[key].text.of(lang) for key in met_persons(table, book))
    seen = (text for text in met for way in ways if find(words_of(text), words_of(way)) is not None)
    lacks = _own(one.id, "lacks", table).format(what=name)
    return " ".join(filter(None, (lacks, theirs or next(seen, ""))))


def _told(seat: str, part: Part, by: str, table: Table, book: Book) -> str:
    """Repeat what everybody was told about a question's subject; empty for plans and health."""
    if part.subject in PLANS or part.act in LOOKED_AFTER or len(part.words) <= BRIEF:
        return ""
    told = described(part.text, table, book, TABLE, before=True)
    own = {word for word in part.words if len(word) > WORD} - WORDS_OF_THEIR_OWN
    found = [one for one in told if own & {*words_of(one)}]  # exact words, no likely typos
    near = max(zip(_alike(part.text, found), found, strict=True), default=(0.0, ""))
    return _own(seat, "knows", table).format(what=near[1]) if near[0] >= NEAR else ""


def _alike(words: str, others: Sequence[str]) -> list[float]:
    """Return how near words are in meaning to each of others."""
    from ruleplay.hearing.encoder import alike

    return alike(words, tuple(others)) if others else []


def _opinion(one: Creature, part: Part, by: str, table: Table, book: Book) -> Iterator[str]:
    unhurt = health(one) == "unhurt"
    asked = _about_health(part)
    if asked or table.cast.fight or not unhurt:
        yield _own(one.id, "well" if health(one) in HEALTHY else "hurt", table)
    if table.cast.fight or asked:
        return
    if part.subject not in PLANS and part.act not in GOING and len(part.words) > BRIEF:
        yield _own(one.id, _taken(part, "unsure"), table)
        return
    # Only options that are open to everybody: others would give away a secret.
    open_ = {each.id for each in choices(table, book, by)}
    known = options(table.expedition, book.story, TABLE, wounded=wounded(table))
    likely = [each.does for each in known if each.id in open_][:LIKELIEST]
    if likely:
        does = Random(f"{table.cast.dice_seed}/{one.id}/{table.round}").choice(likely)
        yield _own(one.id, "plan", table).format(what=wish(does, book.story).of(table.lang))
    elif unhurt:
        yield _own(one.id, "well", table)


def _about_health(part: Part) -> bool:
    return part.act in LOOKED_AFTER or part.subject == "health"


def _about_plans(part: Part) -> bool:
    """Whether a question surely is about what one would do, or what comes next."""
    plans = sum(one.sure for one in part.heard["subject"] if one.label in PLANS)
    return plans >= CLEAR or sum(map(part.chance, GOING)) >= TONED


def _own(seat: str, kind: Reply, table: Table) -> str:
    """Return a companion's wording, which differs between companions."""
    voice = table.personas.get(seat, Persona()).voice.en
    ready = next((key for key, own in texts("voices").items() if own.en == voice), "")
    ways = wordings((texts(f"answering_{ready}") if ready else SAID)[kind])
    said = ways[table.characters.index(seat) % len(ways)].of(table.lang)
    return said[:1].upper() + said[1:]
