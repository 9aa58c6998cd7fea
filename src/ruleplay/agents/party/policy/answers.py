"""Answer a seat's questions outside the story: facts for a model, or the text that code prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ruleplay.agents.party.domain.adventure import Deed, Scene, Talk
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.domain.knowledge import known
from ruleplay.agents.party.domain.rules.conditions import pace
from ruleplay.agents.party.domain.safety import unnamed
from ruleplay.agents.party.domain.scope import scope_of
from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.terms_text import TERMS
from ruleplay.agents.party.policy import replies
from ruleplay.agents.party.policy.answering import curious, prices, sold
from ruleplay.agents.party.policy.ears import HUSHED, STRUCK
from ruleplay.agents.party.policy.ears import SKILLS as TRIES
from ruleplay.agents.party.policy.handbook import (
    alike_in,
    basics,
    entries,
    entry,
    feature_line,
    gist,
    phrase_of,
    spell_line,
)
from ruleplay.story.beats import Beat, answer
from ruleplay.story.hearing import CLAUSES, SENTENCES, Part, heard, part_of
from ruleplay.story.mentions import conditional, mentioned
from ruleplay.story.texts import Lang, words_of
from ruleplay.story.wording import WORDS_OF_THEIR_OWN, find, same

NARROWED = ("scene", "fight", "sheet", "memory", "help")
"""Topics for which a question only gets what it names, not everything."""
FEET = ("feet", "reach", "pieds", "portee")
"""Words of rules for which it matters how far away everybody is."""
CARRIED = -2
"""Index of the first of a sheet's last lines, which list what is carried and the purse."""


def answer_of(
    asked: Sequence[Consulted], table: Table, book: Book, lately: Sequence[str] = ()
) -> Beat:
    """Build one beat of a seat's questions, for a model to answer from its facts.

    `lately` are the lines of what came of the last acts at the table.
    """
    plain = [one for one in asked if one.topic != "rules" or _known(one.about, book, table.lang)]
    each = (_block(one, table, book) or _came(one, table, book, lately) for one in plain or asked)
    blocks = [*dict.fromkeys(filter(None, each))] or [_all_of((plain or asked)[-1], table, book)]
    questions = " ".join(dict.fromkeys(one.about for one in asked))
    facts = facts_of(asked, table, book, lately)
    return answer("b1", questions, facts, "\n\n".join(blocks))


def between_us(words: str, table: Table, book: Book, seat: str) -> str:
    """Answer a whisper to the DM without a model, with what the seat knows about it.

    If it is about a deed or names a person the answer adds which check could do it, or reveal more.
    """
    lang, me = table.lang, table.cast.get(seat)
    known = [unnamed(one, table.safety, lang) for one in replies.recalls(table, book, seat, words)]
    parts = [
        heard(part_of(one, scope_of(table, book, seat)))
        for said in SENTENCES.split(words) for one in CLAUSES.split(said) if words_of(one)
    ]  # fmt: skip
    each = ((one.chance(act), TRIES[act]) for one in parts for act in TRIES)
    chance, by = max(each, default=(0.0, ""))
    by = next((one.skill.id for one in parts if one.skill), by if chance >= HUSHED else "insight")
    tells = me and (chance >= STRUCK or replies.met(words, table, book, seat))
    rolls = replies.could_try(me, by, table) if me and tells else ""
    said = replies.TOLD["known" if known else "noted"].of(lang)
    return "\n".join(filter(None, (said, *known[: replies.FEW], rolls)))


def _known(question: str, book: Book, lang: Lang) -> bool:
    return any(entries(question, book, lang)) or any(alike_in(question, book, lang))


def has_answer(asked: Consulted, table: Table, book: Book) -> bool:
    """Whether code knows something that a question is about, and need not say that it does not."""
    if not asked.asked or asked.topic not in ("memory", "rules", "scene"):
        return True
    part = heard(part_of(asked.about, scope_of(table, book, asked.seat)))
    if asked.topic != "rules":
        recalls = asked.topic == "memory" and replies.recalls(table, book, asked.seat, asked.about)
        return bool(recalls or table.cast.fight or _block(asked, table, book))
    me = table.cast.get(asked.seat)
    tries = part.act in TRIES and part.sure >= STRUCK
    own = me and replies.named_in(asked.about, me, table, book)
    alike = part.chance("rules") >= STRUCK and any(alike_in(asked.about, book, table.lang))
    return bool(tries or own or alike or replies.ruled(asked.about, table, book, asked.seat))


def _came(asked: Consulted, table: Table, book: Book, lately: Sequence[str]) -> str:
    """Return what came of a seat's last act in a fight and who is up; empty if it knows more."""
    if not table.cast.fight or not asked.asked or asked.topic != "memory":
        return ""
    name = words_of(table.name(asked.seat))
    own = [line for line in lately if find(words_of(line), name) is not None]
    known = replies.recalls(table, book, asked.seat, asked.about)
    return "" if known else "\n".join((*own[-1:], *_up(asked.seat, table)))


def _all_of(asked: Consulted, table: Table, book: Book) -> str:
    """Return everything on a question's topic; a sheet in short form."""
    me = table.cast.get(asked.seat)
    if me and asked.asked and asked.topic == "sheet":
        return " ".join(replies.in_short(me, table, book))
    return replies.looked_up(asked, table, book)


def _block(asked: Consulted, table: Table, book: Book) -> str:
    """Return code's answer about what a question names; empty if it names nothing known."""
    if not asked.asked:
        return replies.looked_up(asked, table, book)
    part = heard(part_of(asked.about, scope_of(table, book, asked.seat)))
    if asked.topic == "rules":
        return "\n".join(_ruled(part, asked, table, book))
    if asked.topic not in NARROWED:
        return replies.looked_up(asked, table, book)
    if part.subject == "turn" and asked.topic in ("help", "memory"):
        return replies.whose_move(table, asked.seat)
    lines = [*_of_the_sheet(part, asked, table, book)] or [*_of_beings(part, asked, table, book)]
    if not lines and asked.topic != "sheet" and part.being is None:
        lines = replies.met(asked.about, table, book, asked.seat)
    if not lines and asked.topic == "scene":
        lines = [*replies.described(asked.about, table, book, asked.seat)]
    if not lines and "?" in asked.about and (price := prices(part.words, table, book)):
        lines = [price]
    known = (unnamed(line, table.safety, table.lang) for line in lines)
    return "\n".join(known)


def _ruled(part: Part, asked: Consulted, table: Table, book: Book) -> Iterator[str]:
    """Yield the rule that a question is about, and how it applies at the moment."""
    me, lang = table.cast.get(asked.seat), table.lang
    rules = replies.ruled(asked.about, table, book, asked.seat)
    rules = rules or [*alike_in(asked.about, book, lang)]
    tried = part.act in TRIES and part.sure >= STRUCK
    if me and not rules and replies.named_in(asked.about, me, table, book):
        yield " ".join(replies.in_short(me, table, book))
        return
    if me and (tried or not rules):
        skill = part.skill.id if part.skill else TRIES.get(part.act, "")
        yield replies.could_try(me, skill, table)
        return
    known = book.rules.glossary.get("turn")
    turn = entry(known, lang) if known and part.subject == "turn" else ""
    gists = [*dict.fromkeys(_gists(asked, rules, table, book))]
    if me and turn and gists == [turn]:
        costs = {key: one.cost for key, one in book.rules.features.items()}
        quick = [one for one in me.features if costs.get(one.key) == "bonus"]
        names = ", ".join(book.effect(one.key).of(lang) for one in quick)
        bonuses = replies.TOLD["bonuses"].of(lang).format(me.name.of(lang), names or "—")
        yield f"{turn} {bonuses}"
        yield replies.whose_move(table, asked.seat)
    else:
        yield from gists
        others = replies.of_others(table, book, asked.seat, asked.about)
        _, *less = (*alike_in(asked.about, book, lang), "")  # of what is alike, only the likest
        more = {*rules, *gists, *others, *less}
        looked = replies.looked_up(asked, table, book).split("\n")
        yield from (one for one in looked if one not in more)
    if not {*FEET} & {*words_of(" ".join(gists))}:
        return
    named = mentioned(part.words, scope_of(table, book, asked.seat).beings)
    near = (table.cast.get(key) for key in dict.fromkeys((asked.seat, named.id if named else "")))
    yield from replies.distances(table, filter(None, near))


def _gists(asked: Consulted, rules: Sequence[str], table: Table, book: Book) -> Iterator[str]:
    """Yield the rule that each clause of a question is about, a character's speed beside it."""
    lang, me = table.lang, table.cast.get(asked.seat)
    special = [one for one in rules if one not in {*basics(book, lang)}] or [*rules]
    scope = scope_of(table, book, asked.seat)
    clauses = [
        one
        for sentence in SENTENCES.split(asked.about)
        for one in CLAUSES.split(sentence)
        if not conditional(words_of(one)) and curious(heard(part_of(one, scope)))
    ]
    far = book.rules.glossary.get("movement")
    named = {one: {*replies.ruled(one, table, book, asked.seat)} for one in clauses}
    of_each = {one: [rule for rule in special if rule in own] for one, own in named.items()}
    told = {one: rules for one, rules in of_each.items() if rules} or {asked.about: special}
    for said, own in told.items():
        yield from gist(own, said).split("\n")
    if me and far and entry(far, lang) in rules:
        yield replies.TOLD["speed"].of(lang).format(pace(me))


def _of_beings(part: Part, asked: Consulted, table: Table, book: Book) -> Iterator[str]:
    """Yield the condition of beings that a question names, in a fight also who is standing."""
    fight = table.cast.fight
    named = mentioned(part.words, scope_of(table, book, asked.seat).beings)
    friend = table.cast.get(named.id) if named else None
    if friend and friend.side == "party":
        yield from replies.standing(table, asked.seat, (friend.id,))
        if asked.topic == "sheet":
            yield from [*replies.in_short(friend, table, book)][1:-1]
        if friend.dying and (dying := book.rules.glossary.get("dying")):
            yield entry(dying, table.lang)
        return
    if not fight and part.subject == "fight" and asked.topic != "memory":
        yield from replies.standing(table, asked.seat, tuple(one.id for one in table.party))
    counts = asked.topic in ("fight", "sheet") or part.subject == "fight" or named is not None
    if fight and counts and not part.item:
        yield from _up(asked.seat, table)


def _up(seat: str, table: Table) -> Iterator[str]:
    """Yield how many adversaries of a fight are up, and how everybody is."""
    order = table.cast.fight.order if table.cast.fight else ()
    foes = [one for one in table.cast.creatures if one.side != "party" and one.id in order]
    up = [one for one in foes if one.present and not one.dead]
    yield replies.TOLD["standing"].of(table.lang).format(len(up), len(foes))
    yield from replies.standing(table, seat, order)


def _of_the_sheet(part: Part, asked: Consulted, table: Table, book: Book) -> Iterator[str]:
    """Yield the lines of the seat's sheet that a question is about."""
    if asked.topic != "sheet":
        return
    lines = [*replies.sheet(table, book, asked.seat)]
    mine = words_of(table.name(asked.seat))
    carried = part.chance("inventory") > part.chance("sheet")
    # Of what is carried nearly every question is answered by the pack: short words mean no more.
    least = replies.WORD + carried
    own = [word for word in part.words if len(word) >= least and word not in mine]
    shared = [
        line for line in lines
        if any(same(word, other) for word in own for other in words_of(line))
    ]  # fmt: skip
    me = table.cast.get(asked.seat)
    spells = [*replies.magic(me, book, table.lang)] if me else []
    shared = spells if {*spells} & {*shared} else shared  # slots and spells belong together
    hits = book.rules.glossary.get("hit-points")
    if hits and phrase_of(part.words, hits):
        shared = [*dict.fromkeys((lines[0], *shared))]
    pack = (*lines[CARRIED:], *replies.in_words(table, book, asked.seat)) if carried else ()
    yield from dict.fromkeys((*pack, *shared))


def facts_of(
    asked: Sequence[Consulted], table: Table, book: Book, lately: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the facts that a model may answer from: those on the topics first, then all others."""
    seat, lang = asked[0].seat, table.lang
    about = " ".join(one.about for one in asked)

    def looked(topic: str) -> Iterable[str]:
        wanted = Consulted.model_validate({"seat": seat, "topic": topic, "about": about})
        return replies.looked_up(wanted, table, book).split("\n")

    place = "fight" if table.cast.fight else "scene"
    first = [one.topic for one in asked]
    parts: dict[str, Callable[[], Iterable[str]]] = {
        "rules": lambda: looked("rules"),
        place: lambda: (
            *looked(place),
            *replies.foes_seen(table, book),
            *replies.distances(table, table.party),
            replies.possible(table, book, seat),
        ),
        "people": lambda: (replies.met_as(key, table, book) for key in people(table, book)),
        "sold": lambda: _for_sale(about, table, book),
        "sheet": lambda: looked("sheet"),
        "powers": lambda: _own_powers(seat, table, book),
        "party": lambda: (*looked("party"), *replies.companions(table, book, seat)),
        "memory": lambda: (
            *lately,
            *on_record(table, book, seat),
            *replies.recalls(table, book, seat, about),
            *_told_of(about, table, book),
        ),
        "now": lambda: replies.caught_up(table, book, seat),
        "game": lambda: (*basics(book, lang), *_mortal(table, book, lang)),
        "help": lambda: looked("help"),
        "settings": lambda: looked("settings") if {"settings", "help"} & {*first} else (),
    }
    order = dict.fromkeys(("rules", *(one for one in first if one in parts), *parts))
    lines = (line.strip().removeprefix("- ") for key in order for line in parts[key]())
    return tuple(dict.fromkeys(unnamed(line, table.safety, lang) for line in lines if line))


def _mortal(table: Table, book: Book, lang: Lang) -> Iterator[str]:
    """Yield the rule of dying in a fight, or where somebody is down; the words for it are many."""
    known = book.rules.glossary.get("dying")
    if known and (table.cast.fight or any(not one.hp for one in table.party)):
        yield entry(known, lang)


def on_record(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield what a seat has on record: clues, others' secrets, promises, goals, plans, persons."""
    lang, said = table.lang, TERMS["memory"]
    for one in known(table, book, seat):
        if one.key.startswith("clue:") or one.of not in ("", seat):
            yield said["clue"].of(lang).format(about=one.text)
    for made in table.tale.known_to(seat).canon:
        if made.kind == "promise":
            by = table.name(made.author) if made.author in table.seats else made.author
            by = book.story.persons[by].name.of(lang) if by in book.story.persons else by
            yield f"{by}: {said['promise'].of(lang).format(value=made.text)}"
    goals = table.personas[seat].goals if seat in table.personas else ()
    for text in (*(one.of(lang) for one in goals), *table.undone(seat)):
        yield replies.TOLD["goal"].of(lang).format(text)
    yield from (replies.met_as(key, table, book) for key in replies.met_persons(table, book))


def _told_of(about: str, table: Table, book: Book) -> list[str]:
    """Return the adventure's texts told to everybody that have most to do with a question."""
    now, story, lang = table.expedition, book.story, table.lang
    written: list[tuple[str, Scene | Deed | Talk]] = [
        *((f"scene:{key}", scene) for key, scene in story.scenes.items()),
        *((f"deed:{key}", deed) for key, deed in story.deeds.items() if not deed.secret),
        *((f"talk:{key}", talk) for key, talk in story.talks.items() if not talk.secret),
    ]
    asked = {one for one in words_of(about) if len(one) >= replies.WORD} - WORDS_OF_THEIR_OWN
    near: dict[str, int] = {}
    for flag, one in written if asked else ():
        named_ = one.name if isinstance(one, Scene) else one.hint
        words = words_of(f"{named_.of(lang)} {one.text.of(lang)}")
        shared = sum(any(same(word, own) for own in words) for word in asked)
        if flag in now.flags and shared:
            near[f"{named_.of(lang)}: {one.text.of(lang)}"] = shared
    return sorted(near, key=lambda one: -near[one])[: replies.MEMORIES]


def _for_sale(about: str, table: Table, book: Book) -> Iterator[str]:
    if listed := "; ".join(sold(words_of(about), table, book)):
        yield replies.TOLD["sold"].of(table.lang).format(listed)


def _own_powers(seat: str, table: Table, book: Book) -> Iterable[str]:
    """Yield the rules of every spell and feature that the seat's character has."""
    me, rules = table.cast.get(seat), book.rules
    for key in (*me.spells, *me.traits, *(one.key for one in me.features)) if me else ():
        if spell := rules.spells.get(key):
            yield spell_line(spell, table.lang)
        elif feature := rules.features.get(key):
            yield feature_line(feature, table.lang)
