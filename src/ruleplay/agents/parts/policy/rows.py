"""Builds the tables that a model may cite in its reply, and the lines around its text.

Fit verdicts, warnings, questions and price dates are lines of the reply whatever the model writes
between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ruleplay.agents.parts.domain.appliances import where_is_the_number
from ruleplay.agents.parts.domain.cards import Assortment, Card, Spread
from ruleplay.agents.parts.domain.catalog import Verdict
from ruleplay.agents.parts.domain.checks import free_checks
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.numbers import normal
from ruleplay.agents.parts.domain.slots import (
    Goal,
    ModelSlot,
    PartSlot,
    Slots,
    UnconfirmedId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.policy.asking import strange_parts
from ruleplay.agents.parts.policy.covering import is_fixed, stated
from ruleplay.agents.parts.policy.pointing import by_kind
from ruleplay.agents.parts.state import CaseFile, Line, Own, State, ToolReturned
from ruleplay.telling.citing import Reader
from ruleplay.telling.table import Cell, Column, Must, Table

NOT_GIVEN = "not told"
"""The cell for a value that the catalog lacks, so that a model can cite the lack."""
_CUT = " (and {count} more)"
"""What follows a list of replaced numbers that is as long as a card's may be."""
NONE_KNOWN = "no part is known to"
"""The cell for what replaces a part that is not made any more, where nothing does."""
KINDS = 10
"""Most kinds of parts that a table names before the model is known."""
RANKED = (Goal.DIAGNOSE, Goal.FIND)
PART = Column(name="part", unit="name", ranked=False)
PRICE = Column(name="price", unit="$", stems=("price", "cost", "prix", "coût", "precio"))
VOCABULARY = ("OK", "Markdown", "Monday", "I")
"""Capitalised words that are not names."""


def text(lines: Iterable[Line]) -> str:
    """Format the reply of the templates: paragraphs, warnings first, parts as a list.

    A single part has no number, and numbering continues in further lists of the same machine.
    """
    ordered = sorted((one for one in lines if not one.beside), key=lambda one: one.place != "start")
    single = sum(one.block for one in ordered) < 2
    reply, place, model, last = "", 0, "", False
    for one in ordered:
        if one.id.startswith("opening:") and one.id.split(":")[1] != model:
            place, model = 0, one.id.split(":")[1]
        place += one.block
        gap = "\n" if one.block and last else "\n\n"
        mark = f"{place}. " if one.block and not single else ""
        reply += (gap if reply else "") + mark + one.says
        last = one.block
    return reply


class Background(NamedTuple):
    """What a model may refer to beyond this turn's results.

    `shelf` are parts of the customer's model; `spreads` are parts of any model, each with a machine
    whose model is unknown. `called` tells for which kinds of machines parts have the name that a
    customer uses. The shop has parts for `kinds`, with more on some in `sold`, and is at `contact`.
    `near` are the parts that the customer's number may stand for, and `fits_if` has a part, a model
    and a verdict for each model that it may. `unlisted` are parts that are listed for no model.
    """

    shelf: Sequence[Card] = ()
    spreads: Sequence[tuple[CaseFile, Spread]] = ()
    called: Mapping[str, Sequence[str]] = {}
    kinds: Sequence[str] = ()
    sold: Sequence[Assortment] = ()
    contact: str = ""
    near: Sequence[Card] = ()
    fits_if: Sequence[tuple[str, str, str]] = ()
    unlisted: Collection[str] = ()


def tables_of(
    state: State,
    returned: Sequence[ToolReturned],
    lines: Sequence[Line],
    before: Sequence[Card] = (),
    behind: Background = Background(),  # noqa: B008  # it is frozen
    message: str = "",
    wanted: Mapping[str, int] | None = None,
) -> tuple[Table, ...]:
    """Build the tables of this turn's results, of the case, and of the shop's own lines.

    `before` are the cards that the customer had seen before the turn, and `wanted` the quantities
    wanted by part number.
    """
    words = voice(state.language)
    fits = _fits(returned, lines)
    priced = Goal.PRICE in (state.goal, *(one.goal for one in state.queue))
    rows = _Rows(
        message.casefold(),
        words,
        asks_steps=any(g.goal is Goal.INSTALL for g in returned),
        checked=[(row[0], row[1]) for row in fits.rows],
        unlisted=behind.unlisted,
    )
    ranked = _each_list(one for one in returned if one.goal in RANKED)
    new = {card.number for one in returned for card in one.cards}
    # Parts of this turn's results are not repeated, so that there is one row to cite for each.
    old = [card for card in before if card.number not in new]
    told, near = new | {card.number for card in old}, {card.number for card in behind.near}
    found = [
        fits,
        *_rankings(ranked, words, lines, rows, {card.number for card in before}),
        _asked_about(returned, words, lines, rows),
        _sums(lines),
        _fits_if(behind.fits_if),
        rows.cards("parts shown before", old, notes=_stock(old, words)),
        _steps(state, [*old, *(card for one in returned for card in one.cards)], lines),
        _free(state, words, returned, lines),
        _looked_for(lines, _NOT_THERE, "looked for, and not in the catalog"),
        _looked_for(lines, (_NEAR,), "looked for; parts with nearly that name"),
        rows.near(behind.near, told),
        _waiting(state, told | near),
        _models_meant(state),
        rows.shelf(behind.shelf, told | near),
        *(rows.spread(file, spread, priced=priced) for file, spread in behind.spreads),
        _places(state, lines, needed=not behind.unlisted),
        _case(state, words, wanted or {}, behind.called, _spoken_of(state, returned)),
        _shop(behind),
        _own(lines),
    ]
    # Ids are given last, without gaps, since empty tables are left out.
    full = (table for table in found if table.rows or table.notes)
    return tuple(
        table.model_copy(update={"id": f"r{number}"}) for number, table in enumerate(full, 1)
    )


def _each_list(found: Iterable[ToolReturned]) -> list[ToolReturned]:
    """Drop lists of the same parts as an earlier one: "the light is dead, how much is one?"."""
    lists = {frozenset(card.number for card in one.cards): one for one in reversed([*found])}
    return [*lists.values()][::-1]


class _Rows(NamedTuple):
    """Converts cards to rows; replaced numbers that the message `asked` about come first.

    The fits that were `checked`, by part and model, have a table of their own.
    """

    asked: str
    words: Voice
    asks_steps: bool = False
    checked: Collection[tuple[Cell, Cell]] = ()
    unlisted: Collection[str] = ()

    def cards(self, title: str, cards: Sequence[Card], notes: Iterable[str] = ()) -> Table:
        """Make a table of cards, without columns that would be empty."""
        rows = [self._row(card) for card in cards]
        kept = [at for at in range(len(_CARD)) if any(row[at] is not None for row in rows)]
        return Table(
            id="",
            title=title,
            owner="part",
            columns=tuple(_CARD[at] for at in kept),
            rows=tuple(tuple(row[at] for at in kept) for row in rows),
            notes=tuple(notes),
        )

    def shelf(self, cards: Sequence[Card], told: Collection[str]) -> Table:
        """Make a brief table of the model's other parts; those of which nothing is known count."""
        others = [card for card in cards if card.number not in told]
        known = [card for card in others if card.name or card.symptoms or card.price is not None]
        table = self._brief("other parts listed for the model", known)
        bare = len(others) - len(known)
        notes = [f"{bare} more are listed by number alone."] if bare else []
        heading = others[0].model if others else ""
        return table.model_copy(update={"heading": heading, "notes": (*table.notes, *notes)})

    def spread(self, file: CaseFile, spread: Spread, *, priced: bool) -> Table:
        """Make a table of parts of any model that may be for a machine.

        It has only their kinds, unless a price is asked or a part is named for some brand: the
        number of somebody else's machine helps nobody.
        """
        known = any(card.fixes for card in spread.cards)
        title = "parts known for the problem" if known else "parts called so"
        title = "parts of that kind, none called so" if spread.near else title
        others = [one for one in spread.brands if one != spread.brand]
        notes = ["Which of them is for the customer's machine only its model number tells."]
        if spread.brand:
            notes += [f"There are others, for {', '.join(others)}."] if others else []
        elif file.brand:
            none = f"The catalog says of none that it is for {file.brand}"
            notes.append(f"{none}; makers: {', '.join(others)}.")
        kinds = [*by_kind(spread.cards)]
        whose = f"for {spread.brand or 'any brand'}: {_unlisted(file)}"
        if not (priced or (spread.brand and not known)):
            rows = tuple((kind,) for kind in kinds[:KINDS])
            table = Table(id="", title=f"kinds of {title}", columns=(_text("kind"),), rows=rows)
            return table.model_copy(update={"heading": whose, "notes": tuple(notes)})
        if spread.least and spread.count > 1:
            notes.append(f"The cheapest of all {spread.count} is {spread.least.number}.")
        if len(kinds) > 1 and not known:
            notes.append(f"These are different parts: {', '.join(kinds)}; ask which is meant.")
        table = self._brief(f"{title}, each for models of its own", spread.cards)
        about = {"heading": whose, "total": spread.count, "choice": bool(spread.brand and others)}
        return table.model_copy(update={**about, "notes": (*notes, *table.notes)})

    def _brief(self, title: str, cards: Sequence[Card], *also: str) -> Table:
        table = self.cards(title, cards, _stock(cards, self.words))
        brief = [at for at, one in enumerate(table.columns) if one.name in (*_BRIEF, *also)]
        return table.model_copy(
            update={
                "columns": tuple(table.columns[at] for at in brief),
                "rows": tuple(tuple(row[at] for at in brief) for row in table.rows),
                "musts": tuple(_dated(cards, self.words)),
            }
        )

    def _row(self, card: Card) -> tuple[Cell, ...]:
        # The list may be cut in the prompt, so the numbers asked about come first.
        replaced = sorted(card.replaces, key=lambda one: one.casefold() not in self.asked)
        more, as_given = card.replaces_more, (card.availability, card.difficulty, card.time)
        told = card.fit and (card.number, card.model) not in self.checked
        return (
            card.number,
            card.name or None,
            f"{card.fit.replace('_', ' ')} for {card.model}" if told else self._never(card),
            "; ".join(map(self.words.label, card.symptoms)) or None,
            float(card.price) if card.price is not None else None,
            card.priced_on.isoformat() if card.priced_on else None,
            *(self.words.label(one) or NOT_GIVEN for one in as_given),
            "yes" if card.video else "no video",
            card.manufacturer_number or None,
            ", ".join(replaced) + (_CUT.format(count=more) if more else "") or None,
            self._steps(card),
            (", ".join(card.replaced_by) or NONE_KNOWN) if card.discontinued else None,
        )

    def _never(self, card: Card) -> Cell:
        never = card.number in self.unlisted
        return "listed for no model, so none can be checked" if never else None

    def _steps(self, card: Card) -> Cell:
        """Tell how many written steps there are; that there are none, only who asks for them."""
        if not card.steps:
            return "no written steps" if self.asks_steps else None
        return f"{len(card.steps)} written steps"

    def near(self, cards: Sequence[Card], told: Collection[str]) -> Table:
        """Make a table of what a number that is not in the catalog may stand for."""
        others = [card for card in cards if card.number not in told]
        also = ("fit", "manufacturer_number", "replaces")
        return self._brief("perhaps meant; a line of the shop asks which", others, *also)


def reader(
    tables: Sequence[Table],
    state: State,
    message: str,
    before: Sequence[Card] = (),
    amounts: Collection[float] = (),
) -> Reader:
    """Make the reader that checks the reply; all part and model numbers are names to it.

    `amounts` are the quantities that the customer wants.
    """
    names = numbers(state, before)
    return Reader(tables, names, VOCABULARY, state.language, about=message, amounts=amounts)


def numbers(state: State, before: Sequence[Card]) -> Iterator[str]:
    """Yield all numbers that occur in the conversation."""
    for card in (*state.cards, *before):
        yield from filter(None, (card.number, card.manufacturer_number, *card.replaces))
    for slots in (file.slots for file in state.cases):
        yield from (s.value for s in (slots.model, slots.part) if s and not _pointed(s))
        yield from getattr(slots.model, "readings", ())


def own_lines(tables: Sequence[Table]) -> Own:
    """Collect the shop's lines that are placed around a model's text."""
    musts = [must for table in tables for must in table.musts]
    last = [must for must in musts if must.always == "last" and not must.beside]
    return Own(
        before=[must.line for must in musts if must.always == "first"],
        after=[must.line for must in last if not must.unless],
        unless=[
            m.line
            for m in musts
            if not m.always or (m in last and m.unless and "?" not in m.unless)
        ],
        asks=[must.line for must in last if "?" in must.unless],
        instead=[note for table in tables if table.title == OWN for note in table.notes],
    )


def citable(tables: Sequence[Table]) -> list[Table]:
    """Select the tables that a model can cite, that is, all except the shop's own lines."""
    return [table for table in tables if table.title != OWN]


OWN = "lines of the shop"
_STRANGE = "part number, unknown to the catalog as it stands"
_NOT_THERE, _NEAR = ("none:", "missing:", "little:"), "near:"
_SUM, _WHERE, _FIT = "total:", "where:model", "fit:"
"""What the ids of lines begin with that have tables of their own."""
_IN_ROWS = (*_NOT_THERE, _NEAR, "noted:")
"""Prefixes of the ids of lines about what was not found."""


def _own(lines: Sequence[Line]) -> Table:
    """Make a table of the lines that surround a model's text, with the rest as notes."""
    lines = [line for line in lines if not line.id.startswith((_SUM, _WHERE, _FIT))]
    kept = [line for line in lines if line.place != "between"]
    instead = [
        one.says
        for one in lines
        if one.place == "between" and not (one.found or one.id.startswith(_IN_ROWS))
    ]
    return Table(
        id="",
        title=OWN,
        columns=(_text("line"),),
        rows=tuple((line.says,) for line in kept),
        notes=tuple(instead),
        musts=tuple(
            Must(
                row=row,
                line=line.says,
                always="first" if line.place == "start" else "last",
                unless=line.unless,
                beside=line.beside,
                naming=line.naming,
            )
            for row, line in enumerate(kept, 1)
        ),
    )


def _steps(state: State, cards: Sequence[Card], lines: Sequence[Line]) -> Table:
    """Make a table of the written steps of the only part spoken of, unless the shop tells them."""
    told = {line.id for line in lines}
    own = (
        one for one in cards if state.focus == (one.number,) and f"steps:{one.number}" not in told
    )
    card = next(own, None)
    rows = tuple((place, step) for place, step in enumerate(card.steps if card else (), 1))
    title = f"written steps of {card.number}, to be told where asked" if card else ""
    columns = (Column(name="step", ranked=False), _text("told"))
    return Table(id="", title=title, columns=columns, rows=rows)


def _free(
    state: State, words: Voice, returned: Sequence[ToolReturned], lines: Sequence[Line]
) -> Table:
    """Make a table of what anybody can look at before a part is bought for the symptoms.

    Once causes were told, only who asks of it reads it again.
    """
    slots, ids = state.slots, {line.id for line in lines}
    causes = not state.done or any(one.goal is Goal.DIAGNOSE for one in returned)
    if not (causes or ids & {"checks", "aside:checks"}):
        return Table(id="", title="")
    found = free_checks(
        [one.value for one in slots.symptoms], state.appliance, slots.denied, words.language
    )
    title = "free to look at before buying, the plug pulled before one reaches in"
    return Table(id="", title=title, columns=(_text("look"),), rows=tuple((one,) for one in found))


def _sums(lines: Sequence[Line]) -> Table:
    """Make a table of what parts make in all, which is told if no sum is cited."""
    sums = [line.says for line in lines if line.id.startswith(_SUM)]
    rows = tuple((line,) for line in sums)
    musts = tuple(Must(row=row, line=line) for row, line in enumerate(sums, 1))
    return Table(id="", title="in all", columns=(_text("told"),), rows=rows, musts=musts)


def _places(state: State, lines: Sequence[Line], *, needed: bool) -> Table:
    """Make a table of where the numbers of machines without a known model are, if one is `needed`.

    Who asked for it is told in any case; who has told a number has found the label.
    """
    asked = [line.says for line in lines if line.id == _WHERE]
    numbered = {one.case for one in state.ledger if one.name == "model"}
    open_ = {state.case, *(one.case for one in state.queue)} - numbered
    strange = [
        one
        for one in state.machines
        if needed and one.appliance and one.number in open_ and not state.hazard
        if not isinstance(one.slots.model, VerifiedModel)
    ]
    told = {one.number: one for one in (*strange, *(state.machines[:1] if asked else ()))}
    return Table(
        id="",
        title="where the model number is",
        columns=(_text("machine"), _text("place"), _text("label")),
        rows=tuple(_place(one, state.language) for one in told.values()),
        musts=tuple(Must(row=0, line=place) for place in asked),
    )


def _place(file: CaseFile, language: str) -> tuple[Cell, ...]:
    """Make a row of where a machine's label is and how to read it."""
    place = where_is_the_number(file.appliance, language=language, brief=True)
    whole = where_is_the_number(file.appliance, file.brand, language)
    return _machine(file), place, whole.removeprefix(place).strip()


def _looked_for(lines: Sequence[Line], begins: tuple[str, ...], title: str) -> Table:
    """Make a table of what a search did not find as it was named, so that it can be cited."""
    rows = tuple((line.says,) for line in lines if line.id.startswith(begins))
    return Table(id="", title=title, columns=(_text("told"),), rows=rows)


def _rankings(
    ranked: Sequence[ToolReturned],
    words: Voice,
    lines: Sequence[Line],
    rows: _Rows,
    shown: Collection[str],
) -> Iterator[Table]:
    """Make the tables of parts that may help; of each a part has to be told.

    Beside new parts, those `shown` before are not told again. One that two of the tables have is
    told for both, by its number.
    """
    told = {line.id.removeprefix("card:"): line for line in reversed(lines) if line.block}
    every = [card.number for one in ranked for card in one.cards]
    for one in ranked:
        numbers = [card.number for card in one.cards]
        new = [number for number in numbers if number not in shown]
        owed = text(told[number] for number in new or numbers if number in told)
        must = Must(row=0, line=owed)
        if owed and any(every.count(number) > 1 for number in numbers):
            must = Must(row=0, line=owed, always="last", unless=tuple(numbers))
        musts = (must, *_dated(one.cards, words))
        yield _ranking(one, words, rows).model_copy(update={"musts": musts})


def _ranking(returned: ToolReturned, words: Voice, rows: _Rows) -> Table:
    """Make a table of parts that may help, in the order of their list."""
    cards, told_of = returned.cards, stated(returned)
    order = "best first"
    if returned.args.get("by_price"):
        order = "most fixed, then cheapest first" if len(told_of) > 1 else "cheapest first"
    table = rows.cards(f"parts that may help, {order}", cards)
    fixed = tuple(round(100 * len(card.fixes) / max(1, len(told_of))) for card in cards)
    if len(told_of) > 1:
        shares = tuple((*row, share) for row, share in zip(table.rows, fixed, strict=True))
        column = Column(name="stated_problems_fixed", unit="%")
        table = table.model_copy(update={"columns": (*table.columns, column), "rows": shares})
    notes = (*_unfixed(returned, words), *_stock(cards, words))
    heading = f"for model {returned.args['model']}"
    return table.model_copy(update={"heading": heading, "notes": notes})


def _asked_about(
    returned: Sequence[ToolReturned], words: Voice, lines: Sequence[Line], rows: _Rows
) -> Table:
    """Make a table of the parts asked about, each once; their answers must not be left out."""
    known: dict[str, Card] = {}
    ranked = {card.number for one in returned if one.goal in RANKED for card in one.cards}
    for card in (card for one in returned for card in one.cards if card.number not in ranked):
        # Of several cards of one part, the one with a fit verdict is kept.
        if card.fit or card.number not in known:
            known[card.number] = card
    musts = [
        Must(row=row, line=line.says)
        for row, number in enumerate(known, 1)
        for line in lines
        if line.id in {f"{kind}:{number}" for kind in _OWED}
    ]
    cards = list(known.values())
    musts += _dated(cards, words)
    told = {"notes": tuple(_stock(cards, words)), "musts": tuple(musts)}
    return rows.cards("parts asked about", cards).model_copy(update=told)


_OWED = ("price", "effort", "models", "replaced")
"""Lines that are added for a row that the model does not mention."""
_CARD = (
    PART,
    Column(name="name", unit="text"),
    Column(name="fit", unit="text"),
    Column(name="known_to_fix", unit="text"),
    PRICE,
    Column(name="price_of", unit="text", label="price of"),
    Column(name="stock", unit="text"),
    Column(name="difficulty", unit="text"),
    Column(name="time", unit="text"),
    Column(name="video", unit="text"),
    Column(name="manufacturer_number", unit="name", label="manufacturer's number", ranked=False),
    Column(name="replaces", unit="text"),
    Column(name="steps", unit="text"),
    Column(name="replaced_by", unit="text"),
)
_BRIEF = ("part", "name", "known_to_fix", "price", "price_of", "stock", "difficulty", "replaced_by")


def _unfixed(returned: ToolReturned, words: Voice) -> Iterator[str]:
    """Note which symptoms none of the parts is known to fix."""
    left = [words.label(one) for one in stated(returned) if not is_fixed(returned, one)]
    if left:
        yield f"None of these parts is known to fix: {', '.join(left)}."


def _stock(cards: Sequence[Card], words: Voice) -> Iterator[str]:
    """Note what stock levels mean."""
    for kind in dict.fromkeys(card.availability for card in cards):
        if meaning := words.named("stock", fold(kind)):
            yield f"{words.label(kind)}: {meaning}."


def _dated(cards: Sequence[Card], words: Voice) -> list[Must]:
    """Require a line with the date of prices, wherever one of the prices is stated."""
    told: dict[str, set[str]] = {}
    for card in cards:
        if card.price is not None and card.priced_on:
            amounts = told.setdefault(card.priced_on.isoformat(), set())
            amounts.update((words.amount(card.price), f"{card.price:.2f}"))
    days = sorted(told)
    line = words.say("prices_of", date=" – ".join(dict.fromkeys((*days[:1], *days[-1:]))))
    last = partial(Must, row=0, line=line, always="last")
    # The model may state a date itself.
    return [last(beside=tuple(sorted(told[day])), unless=(day,)) for day in days]


def _fits(returned: Sequence[ToolReturned], lines: Sequence[Line]) -> Table:
    """Make a table of the fit verdicts; the shop says those that the text does not tell as such.

    Beside work that was asked about, only what is not listed has to be told.
    """
    every = [one for one in returned if one.goal in (Goal.CHECK, Goal.INSTALL)]
    asked = {_checked(one) for one in every if one.goal is Goal.CHECK}
    rows = {_checked(one): one.verdict for one in every}
    says = {line.id: line.says for line in lines}
    musts = tuple(
        Must(row=row, line=says[f"fit:{part}:{model}"], denies=verdict != Verdict.LISTED)
        for row, ((part, model), verdict) in enumerate(rows.items(), 1)
        if f"fit:{part}:{model}" in says and ((part, model) in asked or verdict != Verdict.LISTED)
    )
    return Table(
        id="",
        title="fit",
        owner="part",
        columns=(PART, Column(name="model", unit="name", ranked=False), _text("verdict")),
        rows=tuple((*key, verdict.replace("_", " ")) for key, verdict in rows.items()),
        musts=musts,
    )


def _checked(returned: ToolReturned) -> tuple[str, str]:
    return str(returned.args["part"]), str(returned.args["model"])


def _fits_if(found: Sequence[tuple[str, str, str]]) -> Table:
    """Make a table of the verdicts for what a model's number may stand for."""
    rows = tuple(
        (p, m, f"{verdict.replace('_', ' ')}, if this is the model") for p, m, verdict in found
    )
    columns = (PART, Column(name="model", unit="name", ranked=False), _text("verdict"))
    title = "fit, if that is the number; a line of the shop asks which"
    return Table(id="", title=title, owner="part", columns=columns, rows=rows)


def _waiting(state: State, told: Collection[str]) -> Table:
    """Make a table of the part of the open question, or its options, if no other table has them."""
    part = state.slots.part
    rows: list[tuple[Cell, ...]] = []
    if isinstance(part, VerifiedPart) and part.value not in told:
        rows.append((part.value, part.name or None, part.asked or None, "as the customer says"))
    if isinstance(part, UnconfirmedId):
        rows += [
            (one.number, one.name or None, one.known_as or None, "perhaps meant")
            for one in part.options
            if one.number not in told
        ]
    columns = (PART, _text("name"), _text("asked_as"), _text("sure"))
    title = "the part of the open question"
    return Table(id="", title=title, owner="part", columns=columns, rows=tuple(rows))


def _models_meant(state: State) -> Table:
    """Make a table of the models that a number may stand for."""
    options = getattr(state.slots.model, "options", ())
    rows = tuple((one.number, f"{one.brand} {one.appliance}".strip()) for one in options)
    columns = (Column(name="model", unit="name", ranked=False), _text("machine"))
    return Table(id="", title="models perhaps meant", owner="model", columns=columns, rows=rows)


def _spoken_of(state: State, returned: Sequence[ToolReturned]) -> set[int]:
    """Find the cases that a turn is about: the current one, those asked about and answered."""
    models = {str(one.args.get("model")) for one in returned}
    answered = (
        one for one in state.machines if one.slots.model and one.slots.model.value in models
    )
    waits = (one.case for one in state.queue)
    return {state.case, *waits, *(one.number for one in answered)}


def _case(
    state: State,
    words: Voice,
    wanted: Mapping[str, int],
    called: Mapping[str, Sequence[str]],
    now: Collection[int],
) -> Table:
    """Make a table of what the customer said about each machine, the current one first."""
    rows: list[tuple[Cell, ...]] = []
    for file in state.machines:
        whose = _machine(file) + ("" if file.number in now else ", not spoken of now")
        rows += [(whose, "brand", file.brand)] if file.brand else []
        # Of an unknown number nobody knows which machine it is for.
        told = [
            ("" if what == _STRANGE else whose, what, it) for what, it in _told(file.slots, words)
        ]
        rows += told or ([(whose, "kind", file.appliance)] if file.appliance else [])
    rows += [
        (", ".join(kinds), "kind of machine with parts called so", name)
        for name, kinds in called.items()
    ]
    rows += [("", _STRANGE, one.value) for one in strange_parts(state)]
    rows += [("", "order", state.order)] if state.order else []
    rows += [("", "how many are wanted", f"{count} of {part}") for part, count in wanted.items()]
    columns = (_text("machine"), _text("what"), _text("told"))
    return Table(id="", title="what the customer told", columns=columns, rows=tuple(rows))


def _unlisted(file: CaseFile) -> str:
    """Name a machine of which the catalog does not know whether a part is listed for it."""
    number = file.slots.model.value if file.slots.model else ""
    kind = file.appliance or "appliance"
    return f"{kind}, whether for {number} is not known" if number else kind


def _machine(file: CaseFile) -> str:
    number = file.slots.model.value if file.slots.model else ""
    return f"{file.appliance or 'appliance'} {number}".strip()


def _told(slots: Slots, words: Voice) -> Iterator[tuple[str, str]]:
    """Yield what a customer said about one machine, by kind of statement."""
    if slots.model:
        doubt = brand = ""
        if isinstance(slots.model, VerifiedModel):
            brand = slots.model.brand
        else:
            near = slots.model.state == "to_confirm" and slots.model.options
            doubt = "(in doubt: the customer is asked)" if near else "(unknown to the catalog)"
        read = " or ".join(getattr(slots.model, "readings", ())) or slots.model.value
        yield "model", " ".join(filter(None, (read, brand, doubt)))
    if slots.part and not (isinstance(slots.part, VerifiedPart) or _pointed(slots.part)):
        yield unconfirmed(slots.part), slots.part.value
    for slot in slots.symptoms:
        yield "problem", f"{words.label(slot.value)}: “{slot.evidence.text}”"
    for quote in slots.complaints:
        yield "problem, in the customer's words", quote
    for quote in slots.denied:
        yield "not so, checked or tried already", quote
    if slots.description:
        yield "part in words", slots.description.value


def unconfirmed(slot: PartSlot) -> str:
    """Say what a number is that the customer has to confirm; the catalog may have it as written."""
    alike = (one for one in getattr(slot, "options", ()) if one.known_as)
    known = [one.number for one in alike if normal(one.known_as) == normal(slot.value)]
    return f"number by which the catalog knows {known[0]}, to be confirmed" if known else _STRANGE


def _pointed(slot: ModelSlot | PartSlot) -> bool:
    """Whether a slot holds a reference instead of a number."""
    return isinstance(slot, UnconfirmedId) and slot.pointed


def _shop(shop: Background) -> Table:
    rows = [("sells parts for", ", ".join(shop.kinds))] if shop.kinds else []
    if rows:
        rows.append(("is reached", shop.contact or "on its website, no address is known here"))
        for one in shop.sold:
            brands = ", ".join(f"{brand} {count}" for brand, count in one.brands if brand)
            rows.append((f"how many parts for a {one.kind}", brands or "none"))
            rows.append((f"kinds of parts for a {one.kind}", ", ".join(one.parts) or "none"))
        rows.append(("prices are in", "US dollars; no exchange rate is known"))
        rows.append(("has no word of", "delivery days, returns, photos, tools, pieces in a pack"))
    columns = (_text("what"), _text("told"))
    return Table(id="", title="the shop and its catalog", columns=columns, rows=tuple(rows))


def _text(name: str) -> Column:
    return Column(name=name, unit="text")
