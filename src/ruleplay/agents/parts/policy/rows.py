"""What a model may tell of a turn, as tables that it cites; and the lines that stay the shop's own.

Verdicts of fit, warnings, questions and dates of prices are lines of the reply whatever a model
writes; it speaks between them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.diagnosis import fold
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.domain.voice import Voice, voice
from ruleplay.agents.parts.state import Line, State, ToolReturned
from ruleplay.telling.citing import Reader
from ruleplay.telling.table import Cell, Column, Must, Table

NOT_GIVEN = "not in the catalog"
RANKED = (Goal.DIAGNOSE, Goal.FIND)
PART = Column(name="part", unit="name", ranked=False)
PRICE = Column(name="price", unit="$", stems=("price", "cost", "prix", "coût", "precio"))
VOCABULARY = ("OK", "Markdown", "Monday", "I")


def text(lines: Iterable[Line]) -> str:
    """Return the template's reply: paragraphs, and ranked parts as a numbered list."""
    reply, place = "", 0
    for one in lines:
        place = place + 1 if one.block else 0
        gap = "\n" if place > 1 else "\n\n"
        reply += (gap if reply else "") + (f"{place}. " if one.block else "") + one.says
    return reply


def tables_of(
    state: State,
    returned: Sequence[ToolReturned],
    lines: Sequence[Line],
    before: Sequence[Card] = (),
) -> tuple[Table, ...]:
    """Return what was found this turn, what is known of the case, and the shop's own lines.

    `before` are the cards that the customer had seen when the turn began.
    """
    words = voice(state.language)
    found = [
        *(_ranking(one, words, lines) for one in returned if one.goal in RANKED),
        _asked_about([one for one in returned if one.goal not in RANKED], words, lines),
        _symptoms(returned, {fold(slot.value) for slot in state.slots.symptoms}),
        _fits(returned),
        _shown_before(before, {card.number for one in returned for card in one.cards}),
        _case(state),
        _own(lines),
    ]
    full = (table for table in found if table.rows)
    return tuple(
        table.model_copy(update={"id": f"r{number}"}) for number, table in enumerate(full, 1)
    )


def reader(
    tables: Sequence[Table], state: State, message: str, before: Sequence[Card] = ()
) -> Reader:
    """Return who judges what is said: every number of a part or model is a name."""
    return Reader(tables, numbers(state, before), VOCABULARY, state.language, about=message)


def numbers(state: State, before: Sequence[Card]) -> Iterator[str]:
    """Yield the numbers that the conversation knows."""
    for card in (*state.cards, *before):
        yield from filter(None, (card.number, card.manufacturer_number, *card.replaces))
    for slot in (state.slots.model, state.slots.part):
        if slot:
            yield slot.value


def own_lines(tables: Sequence[Table]) -> tuple[list[str], list[str]]:
    """Return the lines that stand before and after what a model says."""
    musts = [must for table in tables for must in table.musts]
    return (
        [must.line for must in musts if must.always == "first"],
        [must.line for must in musts if must.always == "last"],
    )


def citable(tables: Sequence[Table]) -> list[Table]:
    """Return the tables that a model reads: all but the shop's own lines, which it is told of."""
    return [table for table in tables if table.title != OWN]


OWN = "lines of the shop"


def _own(lines: Sequence[Line]) -> Table:
    kept = [line for line in lines if line.place != "between"]
    return Table(
        id="",
        title=OWN,
        columns=(_text("line"),),
        rows=tuple((line.says,) for line in kept),
        musts=tuple(
            Must(row=row, line=line.says, always="first" if line.place == "start" else "last")
            for row, line in enumerate(kept, 1)
        ),
    )


def _ranking(returned: ToolReturned, words: Voice, lines: Sequence[Line]) -> Table:
    """Return the parts that may help, in the order of their list."""
    cards, stated = returned.cards, _stated(returned)
    table = _cards("parts that may help, best first", cards)
    fixed = tuple(round(100 * len(card.fixes) / max(1, len(stated))) for card in cards)
    if stated:
        rows = tuple((*row, share) for row, share in zip(table.rows, fixed, strict=True))
        column = Column(name="stated_problems_fixed", unit="%")
        table = table.model_copy(update={"columns": (*table.columns, column), "rows": rows})
    listed = {f"card:{card.number}" for card in cards}
    musts = [Must(row=0, line=text(line for line in lines if line.id in listed))]
    if dates := _dates(cards):
        musts.append(Must(row=0, line=words.say("prices_of", date=dates), always="last"))
    notes = (*_unfixed(cards, stated), *_stock(cards, words))
    heading = f"for model {returned.args['model']}"
    return table.model_copy(update={"heading": heading, "notes": notes, "musts": tuple(musts)})


def _asked_about(returned: Sequence[ToolReturned], words: Voice, lines: Sequence[Line]) -> Table:
    """Return the parts that were asked about, each once; what is asked may not be left out."""
    known: dict[str, Card] = {}
    for card in (card for one in returned for card in one.cards):
        if card.fit or card.number not in known:
            known[card.number] = card
    musts = [
        Must(row=row, line=line.says)
        for row, number in enumerate(known, 1)
        for line in lines
        if line.id in (f"effort:{number}", f"about:{number}")
    ]
    cards = list(known.values())
    told = {"notes": tuple(_stock(cards, words)), "musts": tuple(musts)}
    return _cards("parts asked about", cards).model_copy(update=told)


def _cards(title: str, cards: Sequence[Card]) -> Table:
    columns = (PART, _text("name"), _text("fit"), PRICE, *_OF_CARD)
    rows = tuple(_card_row(card) for card in cards)
    return Table(id="", title=title, owner="part", columns=columns, rows=rows)


_OF_CARD = (
    Column(name="price_of", unit="text", label="price of"),
    Column(name="stock", unit="text"),
    Column(name="difficulty", unit="text"),
    Column(name="time", unit="text"),
    Column(name="video", unit="text"),
    Column(name="manufacturer_number", unit="name", label="manufacturer's number", ranked=False),
    Column(name="replaces", unit="text"),
)


def _card_row(card: Card) -> tuple[Cell, ...]:
    return (
        card.number,
        card.name or None,
        f"{card.fit.replace('_', ' ')} for {card.model}" if card.fit else None,
        float(card.price) if card.price is not None else None,
        card.priced_on.isoformat() if card.priced_on else None,
        card.availability or NOT_GIVEN,
        card.difficulty or NOT_GIVEN,
        card.time or NOT_GIVEN,
        "yes" if card.video else "no video",
        card.manufacturer_number or None,
        ", ".join(card.replaces) or None,
    )


def _stated(returned: ToolReturned) -> list[str]:
    stated = returned.args.get("symptoms")
    return [str(one) for one in stated] if isinstance(stated, list) else []


def _unfixed(cards: Sequence[Card], stated: Sequence[str]) -> Iterator[str]:
    """Yield which problems no part is known to fix."""
    fixed = {fold(symptom) for card in cards for symptom in card.fixes}
    left = [symptom for symptom in stated if fold(symptom) not in fixed]
    if left:
        yield f"None of these parts is known to fix: {', '.join(left)}."


def _stock(cards: Sequence[Card], words: Voice) -> Iterator[str]:
    """Yield what words of stock mean."""
    for kind in dict.fromkeys(card.availability for card in cards):
        if meaning := words.named("stock", fold(kind)):
            yield f"{kind}: {meaning}."


def _dates(cards: Sequence[Card]) -> str:
    """Return of which days prices are; for several, whose is of which."""
    dated: dict[str, list[str]] = {}
    for card in cards:
        if card.price is not None:
            day = card.priced_on.isoformat() if card.priced_on else "?"
            dated.setdefault(day, []).append(card.number)
    if len(dated) < 2:
        return "".join(dated)
    return ", ".join(f"{day} ({', '.join(whose)})" for day, whose in dated.items())


def _symptoms(returned: Sequence[ToolReturned], stated: Collection[str]) -> Table:
    """Return what each part is known to fix, and whether the customer spoke of it."""
    cards = {card.number: card for one in returned for card in one.cards}
    rows = tuple(
        (card.number, symptom, "told by the customer" if fold(symptom) in stated else "not told")
        for card in cards.values()
        for symptom in card.symptoms
    )
    columns = (PART, _text("problem"), _text("told"))
    title = "problems that parts are known to fix"
    return Table(id="", title=title, owner="part", columns=columns, rows=rows)


def _fits(returned: Sequence[ToolReturned]) -> Table:
    rows = dict.fromkeys(
        (str(one.args["part"]), str(one.args["model"]), one.verdict.replace("_", " "))
        for one in returned
        if one.goal in (Goal.CHECK, Goal.INSTALL)
    )
    model = Column(name="model", unit="name", ranked=False)
    columns = (PART, model, _text("verdict"))
    return Table(id="", title="fit", owner="part", columns=columns, rows=tuple(rows))


def _shown_before(cards: Sequence[Card], again: Collection[str]) -> Table:
    """Return the parts shown last, without prices: those are told with their date only."""
    table = _cards("parts shown before", [card for card in cards if card.number not in again])
    kept = [at for at, column in enumerate(table.columns) if not column.name.startswith("price")]
    return table.model_copy(
        update={
            "columns": tuple(table.columns[at] for at in kept),
            "rows": tuple(tuple(row[at] for at in kept) for row in table.rows),
        }
    )


def _case(state: State) -> Table:
    """Return what the customer said so far."""
    slots, rows = state.slots, list[tuple[Cell, ...]]()
    if slots.model:
        kinds = ("brand", "appliance")
        known = (slots.model.value, *(getattr(slots.model, kind, "") for kind in kinds))
        rows.append(("model", " ".join(filter(None, known))))
    if slots.part:
        rows.append(("part", slots.part.value))
    rows += [("problem", slot.value) for slot in slots.symptoms]
    if slots.description:
        rows.append(("part in words", slots.description.value))
    if state.appliance and not slots.model:
        rows.append(("appliance", state.appliance))
    columns = (_text("what"), _text("told"))
    return Table(id="", title="what the customer told", columns=columns, rows=tuple(rows))


def _text(name: str) -> Column:
    return Column(name=name, unit="text")
