"""What the next question still knows of the answer before, and what of a night a prompt lists."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.agents.raid.demo_home import demo_nights
from tests.agents.raid.test_rows import result, tables

from ruleplay.agents.raid.domain.overview import Night
from ruleplay.agents.raid.policy import rested, standing
from ruleplay.agents.raid.state import Answered, Finding, State
from ruleplay.telling.citing import Reader, Span
from ruleplay.telling.table import Column, Table


@pytest.fixture(scope="module")
def night() -> Night:
    found = demo_nights()[1].overview("", "").night
    assert found
    return found


FALLEN = Table(
    id="r1",
    title="Night deaths",
    heading="Gruul, pull 3",
    columns=(
        *(Column(name="player", unit="name"), Column(name="at", unit="s")),
        *(Column(name="amount"), Column(name="victims", unit="text")),
    ),
    rows=tuple((f"N{at}", at / 2, 100 * at, f"Oda {at}, Bram {at}") for at in range(1, 13)),
    notes=("Ghosts are left out.", "The killing blow is inferred."),
    owner="player",
)


def kept(*tags: str, tables: Sequence[Table] = (FALLEN,)) -> State:
    spans = [Span(text="200 and 900, at 1 s", cites=tags)]
    cited = rested.kept_rows(spans, tables)
    again = rested.computed(spans, tables, ())
    return State().apply(Answered(topics=("deaths",), source="model", again=again, cited=cited))


def test_rows_that_were_cited_are_there_for_the_next_answer_with_their_lists() -> None:
    state = kept("[r1.9]", "[r1.2.amount]", "[r1.n2]")
    (table,) = rested.told_tables(state.cited, state.told)
    assert table.prompt().split("\n") == [
        "[r90] told before: Night deaths — Gruul, pull 3 (2 rows of 12, not all there are)",
        "  | player | at (s) | amount | victims",
        "1 | N2 | 1 | 200 | Oda 2, Bram 2",
        "2 | N9 | 4.5 | 900 | Oda 9, Bram 9",
        "n1: The killing blow is inferred.",
    ]
    reader = Reader((table,))
    assert not reader.judge("It hit Bram twice, 200 in all on N2 [r90.1].").refused
    assert reader.judge("So 2 fell [count(r90.amount>0)].").refused
    assert reader.judge("N9 was the only other one [r90.2].").refused


def test_what_is_cited_of_the_answer_before_is_there_for_the_one_after() -> None:
    before = kept("[r1.9]", "[r1.4]")
    tables = rested.told_tables(before.cited, before.told)
    (told,) = rested.told_tables(kept("[r90.2]", tables=tables).cited, ())
    assert told.title == "told before: Night deaths"
    assert (told.rows, told.total) == ((("N9", 900, "Oda 9, Bram 9"),), 12)


def test_tables_cited_as_a_whole_are_kept_if_short_and_no_more_than_some_rows() -> None:
    assert not kept("[r1]").cited
    short = FALLEN.model_copy(update={"rows": FALLEN.rows[:4]})
    assert len(kept("[r1]", tables=[short]).cited[0].rows) == 4
    long = [FALLEN.model_copy(update={"id": f"r{number}"}) for number in range(1, 4)]
    each = [f"[r{number}.{row}]" for number in range(1, 4) for row in range(1, 13)]
    assert sum(len(one.rows) for one in kept(*each, tables=long).cited) == rested.ROWS


def test_what_was_said_in_words_and_zeros_stay_with_the_column_that_has_them() -> None:
    columns = ("player", "role", "deaths", "first_deaths", "biggest_by")
    text = ("player", "role", "biggest_by")
    tally = Table(
        id="r1",
        title="Tally of deaths by player",
        columns=tuple(Column(name=one, unit="name" if one in text else "") for one in columns),
        rows=(("Oda", "healer", 1, 1, "Aborto: Melee"), ("Bram", "tank", 0, 0, "Gul: Melee")),
        owner="player",
    )
    none = Table(
        id="r2",
        title="Night deaths: nothing found",
        columns=(Column(name="looked_for", unit="text"), Column(name="found")),
        rows=(("Night deaths", 0),),
    )
    many = tally.model_copy(
        update={"id": "r3", "rows": tuple((f"N{n}", "-", 0, 0, None) for n in range(11))}
    )
    spans = [
        Span(text="Oda died in no time, once", cites=["[r1.1]", "[r1.2]"]),
        Span(text="Aborto is a pet of hers; elsewhere nobody died", cites=["[r2]", "[r3.deaths]"]),
    ]
    died, found, every = rested.kept_rows(spans, [tally, none, many])
    assert [name for name, _ in died.columns] == ["player", "role", "deaths", "biggest_by"]
    assert [row[2] for row in died.rows] == [1, 0]
    assert found.rows == (("Night deaths", 0),)
    assert {row[2] for row in every.rows} == {0}
    assert len(every.rows) == 11


def test_what_is_kept_of_wide_rows_has_its_bounds() -> None:
    wide = FALLEN.model_copy(
        update={"rows": tuple((*row[:3], "Oda and Bram, " * 40) for row in FALLEN.rows)}
    )
    (one,) = kept(*(f"[r1.{row}]" for row in range(12, 0, -1)), tables=[wide]).cited
    assert [row[0] for row in one.rows] == ["N11", "N12"]
    assert len(one.model_dump_json()) <= rested.ROOM


def test_the_result_of_a_formula_can_be_told_again() -> None:
    state = kept("[sum(r1.amount)]", "[r1.1]")
    *_, told = rested.told_tables(state.cited, state.told)
    assert not Reader((told,)).judge("All of them took 7,800 [r99.1].").refused
    assert Reader((told,)).judge("All of them took 7,807 [r99.1].").refused


def test_an_answer_of_an_older_edition_leaves_its_cells() -> None:
    cells = (Finding(metric="healing", value=116_225, player="Oda", pull=3),)
    state = State().apply(Answered(topics=("healing",), source="model", findings=cells, kept=True))
    (told,) = rested.told_tables(state.cited, state.told)
    assert not Reader((told,)).judge("Oda healed 116,225 [r99.1].").refused


def test_of_a_crowd_those_asked_about_come_first_and_few_are_listed(night: Night) -> None:
    member = night.members[0].model_copy(update={"pulls": ()})
    crowd = [member.model_copy(update={"name": f"N{at}"}) for at in range(60)]
    table = standing.people_table(night.model_copy(update={"members": tuple(crowd)}), (), ("N41",))
    assert (table.whose(1), len(table.rows), table.shown) == ("N41", 60, standing.CROWD)
    assert "48 more rows" in table.prompt()


def test_the_sides_of_a_single_match_are_named_from_who_is_hostile(night: Night) -> None:
    friend, foe, other = night.members[:3]
    foe, other = foe.model_copy(update={"foe": True}), other.model_copy(update={"pulls": ()})
    fought = {"pulls": night.pulls[:1], "members": (friend, foe, other)}
    match = night.model_copy(update=fought)
    table = standing.people_table(match)
    sides = {table.whose(at): side for at, side in enumerate(table.column("side"), 1)}
    names = [night.plain(one.name) for one in (friend, foe, other)]
    assert [sides[name] for name in names] == ["our side", "enemy", None]
    several = standing.people_table(match.model_copy(update={"pulls": night.pulls}))
    assert several.place("side") is None


def test_of_a_crowd_passers_by_are_left_out(night: Night) -> None:
    member = night.members[0].model_copy(update={"pulls": ()})
    crowd = [member.model_copy(update={"name": f"N{at}"}) for at in range(60)]
    there = member.model_copy(update={"name": "Oda", "pulls": (2,)})
    table = standing.people_table(night.model_copy(update={"members": (*crowd, there)}))
    assert [table.whose(at) for at in range(1, len(table.rows) + 1)] == ["Oda"]


def test_a_table_of_another_report_says_what_report_and_of_what_day(night: Night) -> None:
    codes = demo_nights()[1].reports.codes()
    other = next(code for code in codes if code != night.code)
    hit = result("r1", "get_night_deaths", report_code=other)
    table = tables(night, hit, titles={other: "Karazhan 5/21"})["r1"]
    assert table.heading.startswith(f"report {other} (Karazhan 5/21), all pulls")
