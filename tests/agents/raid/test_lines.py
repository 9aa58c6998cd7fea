"""The grammar: splitting, numbers at once, numbered texts, days, pairs of swings."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pytest
from benchmarks.raid import import_speed
from hypothesis import given
from hypothesis import strategies as st

from ruleplay.agents.raid.domain.classes import Signs, find_calling, signs_by_name, trees
from ruleplay.agents.raid.domain.grammar import FORMS, find_layout
from ruleplay.agents.raid.domain.interning import Interner, Lookup
from ruleplay.agents.raid.domain.lines import BadLine, split_fields
from ruleplay.agents.raid.domain.numerals import (
    MARGIN,
    Bytes,
    Ints,
    read_decimals,
    read_integers,
    words_of,
)
from ruleplay.agents.raid.domain.pulls import (
    Sighting,
    bosses_by_npc,
    derive_matches,
    derive_pulls,
    with_last_deaths,
)
from ruleplay.agents.raid.domain.reading import Reader
from ruleplay.agents.raid.domain.stamps import Calendar
from ruleplay.agents.raid.domain.swings import Blows, Swing, Swings
from ruleplay.agents.raid.domain.tokens import tokens_of

PLAIN = st.text("ab1.-|", max_size=6)
QUOTED = st.text("ab ,()[]'", max_size=8).map(lambda text: f'"{text}"')
FIELD = st.recursive(
    st.one_of(PLAIN, QUOTED),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda parts: f"({','.join(parts)})"),
        st.lists(inner, max_size=4).map(lambda parts: f"[{','.join(parts)}]"),
    ),
    max_leaves=12,
)


def laid_out(tokens: list[bytes]) -> tuple[Bytes, Ints, Ints]:
    """Return a buffer with these tokens, and where they start and end."""
    made = tokens_of([tokens])
    ends = made.ends
    return made.buffer, np.concatenate([[MARGIN], ends[:-1] + 1]), ends


@given(st.lists(FIELD, min_size=1, max_size=12))
def test_fields_are_split_where_they_were_joined(fields: list[str]) -> None:
    assert split_fields(",".join(fields).encode()) == [field.encode() for field in fields]


@given(st.binary(max_size=200))
def test_any_bytes_split_or_are_refused(text: bytes) -> None:
    try:
        fields = split_fields(text)
    except BadLine:
        return
    assert b",".join(fields) == text


@pytest.mark.parametrize("text", [b'"a', b"(a", b"a)", b"[(a])", b'a,"b,c'])
def test_what_is_not_closed_is_refused(text: bytes) -> None:
    with pytest.raises(BadLine):
        split_fields(text)


@given(st.lists(st.integers(-(10**17), 10**17), min_size=1, max_size=30))
def test_integers_are_read_as_they_are_written(numbers: list[int]) -> None:
    buffer, start, end = laid_out([str(number).encode() for number in numbers])
    values, good = read_integers(buffer, words_of(buffer), start, end)
    assert values.tolist() == numbers
    assert good.all()


@given(st.lists(st.text("0123456789.-|xn", max_size=12), min_size=1, max_size=20))
def test_what_is_no_number_is_said_to_be_none(texts: list[str]) -> None:
    buffer, start, end = laid_out([text.encode() for text in texts])
    values, good = read_integers(buffer, words_of(buffer), start, end)
    for text, value, fine in zip(texts, values.tolist(), good.tolist(), strict=True):
        first = text.partition("|")[0].partition(".")[0]
        assert not fine or value == int(first)
        assert fine or not text.removeprefix("-").isdecimal()


@given(st.lists(st.decimals(-9999, 9999, places=2), min_size=1, max_size=20))
def test_positions_are_read_to_the_cent(numbers: list[object]) -> None:
    buffer, start, end = laid_out([str(number).encode() for number in numbers])
    values, good = read_decimals(buffer, words_of(buffer), start, end)
    assert good.all()
    assert values.tolist() == pytest.approx([float(str(one)) for one in numbers], abs=1e-3)


@given(st.lists(st.binary(max_size=140).filter(lambda b: b"\n" not in b), max_size=60))
def test_texts_keep_their_numbers(texts: list[bytes]) -> None:
    texts = [text.replace(b",", b";") for text in texts] or [b""]
    known = Interner[bytes](bytes)
    for part in (texts, texts[::-1]):
        buffer, start, end = laid_out(part)
        codes = known.number(buffer, start, end)
        assert [known.values[code] for code in codes] == part
    assert len(known.values) == len(set(texts))


def test_many_texts_are_told_apart() -> None:
    texts = [f"Creature-0-1-{n % 7}-{n}".encode() for n in range(20_000)]
    lengths = Lookup(Interner(lambda token: (len(token), int(token.rpartition(b"-")[2]))))
    buffer, start, end = laid_out(texts)
    for _ in range(2):
        length, number = lengths.find(buffer, start, end)
        assert length.tolist() == [len(text) for text in texts]
        assert number.tolist() == list(range(20_000))


@given(st.dates(datetime.date(2023, 1, 1), datetime.date(2030, 1, 1)), st.data())
def test_days_are_counted_from_line_to_line(day: datetime.date, data: st.DataObject) -> None:
    with_year = data.draw(st.booleans())
    calendar, counted = Calendar(), 0
    for gap in [0, *data.draw(st.lists(st.integers(0, 90), max_size=12))]:
        crossed = day + datetime.timedelta(gap)
        leap = any(
            (day + datetime.timedelta(n)).timetuple()[1:3] == (2, 29) for n in range(1, gap + 1)
        )
        ends_on_leap = (2, 29) in {(day.month, day.day), (crossed.month, crossed.day)}
        day, counted = crossed, counted + gap - (leap and not (with_year or ends_on_leap))
        text = f"{day.month}/{day.day}" + (f"/{day.year}" if with_year else "")
        assert calendar.number(text.encode()) == counted


def blows(swings: list[Swing]) -> Blows:
    rows = [(ms, line, landed, *key) for ms, line, landed, key in swings]
    ms, lines, landed, *unit = np.array(rows, np.int64).reshape(-1, 6).T.copy()
    return Blows(ms, lines, landed > 0, *unit)


@given(st.lists(st.tuples(st.integers(0, 400), st.booleans(), st.integers(1, 3)), max_size=60))
def test_each_swing_has_one_partner_at_most(hits: list[tuple[int, bool, int]]) -> None:
    ms, swings = 0, list[Swing]()
    for line, (gap, landed, amount) in enumerate(hits, 1):
        ms += gap
        swings.append((ms, line, landed, (1, 2, amount)))
    apart, whole = Swings(), Swings()
    paired = whole.pair(blows(swings))
    one_by_one = [line for one in swings for line in apart.pair(blows([one]))]
    paired += whole.rest()
    assert sorted(paired) == sorted(one_by_one + apart.rest())
    landings = {line for _, line, landed, _ in swings if landed}
    assert len(set(paired)) == len(paired)
    assert len(paired) <= min(len(landings), len(swings) - len(landings))
    alike = {key for *_, key in swings}
    assert len(alike) > 1 or landings >= {*paired}


def test_a_swing_told_twice_with_two_amounts_counts_once() -> None:
    unlike = [(0, 1, False, (1, 2, 130_257)), (0, 2, True, (1, 2, 130_527))]
    swings = Swings()
    assert swings.pair(blows(unlike)) == []
    assert swings.rest() == [1]
    # The landing that has its own amount's swing is not taken for another one's.
    later = [(9_000, 3, False, (1, 2, 70)), (9_010, 4, False, (1, 2, 50))]
    later += [(9_020, 5, True, (1, 2, 50)), (9_900, 6, False, (1, 2, 1))]
    assert Swings().pair(blows(later)) == [5]
    assert Swings().pair(blows(later[1:])) == [5]


def test_a_landing_of_another_target_stays_a_hit_of_its_own() -> None:
    swings = Swings()
    assert swings.pair(blows([(0, 1, False, (1, 2, 9)), (0, 2, True, (1, 3, 8))])) == []
    assert swings.rest() == []


def test_every_form_has_a_layout_for_each_of_its_widths() -> None:
    for event, form in FORMS.items():
        for old, suffixes in ((False, form.suffixes), (True, form.old)):
            for count in suffixes:
                width = 1 + (6 if old else 8) + 3 * form.spell + count
                layout = find_layout(event, width, old=old, tail=False)
                assert layout is not None
                assert all(at < width for _, at in layout.columns)


@given(st.binary(max_size=3000))
def test_no_bytes_break_the_reader(junk: bytes) -> None:
    read = Reader().read(b"3/24 20:00:00.000  UNIT_DIED,,,\n" + junk)
    listed = {one.line for one in read.unread}
    assert listed == set(np.flatnonzero(read.sheet.bad).tolist())


def sighted(*seen: tuple[int, int, str]) -> list[Sighting]:
    return [
        Sighting(line, s * 1000, npc, npc, "f" in how, "d" in how)
        for line, (s, npc, how) in enumerate(seen, 1)
    ]


def test_pulls_begin_with_a_blow_and_end_with_death_or_silence() -> None:
    gruul, maulgar, olm = 19044, 18831, 18834
    found = derive_pulls(
        sighted(
            (0, gruul, ""),
            (5, gruul, "f"),
            (50, gruul, "f"),
            (200, gruul, "f"),
            (210, gruul, "d"),
            (211, gruul, "f"),
            (300, olm, "f"),
            (310, maulgar, "f"),
            (320, olm, "d"),
            (330, maulgar, "d"),
        )
    )
    assert [(p.name, p.start_line, p.end_line, p.ended) for p in found] == [
        ("Gruul the Dragonkiller", 2, 3, "wipe"),
        ("Gruul the Dragonkiller", 4, 5, "kill"),
        ("High King Maulgar", 7, 10, "kill"),
    ]


def test_the_death_that_ends_a_match_belongs_to_its_pull() -> None:
    matches = derive_matches([(1, 0), (5, 9_000), (20, 90_000)], [])
    deaths = [(3, 5_000), (7, 9_040), (9, 20_000), (19, 89_000), (21, 90_300), (23, 90_500)]
    found = with_last_deaths(matches, deaths, [22])
    assert [(p.end_line, p.end_ms) for p in found] == [(7, 9_040), (21, 90_300)]


def test_tables_are_whole() -> None:
    for npc, boss in bosses_by_npc().items():
        assert npc in boss.npcs
        assert set(boss.kill) <= set(boss.npcs)
    assert len({boss.encounter_id for boss in bosses_by_npc().values()}) == len(
        {boss.name for boss in bosses_by_npc().values()}
    )
    for sign in signs_by_name().values():
        assert not sign.spec or sign.spec in trees(sign.class_)
        assert len(trees(sign.class_)) == 3


def test_talents_outweigh_spells_for_the_spec() -> None:
    signs = Signs()
    for line, name in enumerate(("Frostbolt", "Ice Barrier", "Icy Veins"), 10):
        signs.add(signs_by_name()[name], line, line, 5)
    assert find_calling(signs, None, heals=False).spec == "Frost"
    told = find_calling(signs, (3, (40, 0, 21), 0), heals=False)
    assert (told.class_, told.spec, told.spec_line, told.role) == ("Mage", "Arcane", 3, "damage")
    assert find_calling(None, None, heals=True).role == "healer"


def test_the_benchmark_measures_a_log(tmp_path: Path) -> None:
    log = import_speed.write_log(tmp_path / "log.txt", 1)
    found = import_speed._import_apart(log, tmp_path / "home")
    assert found.bytes == log.stat().st_size
    assert (found.unparsed, found.pulls) == (0, 6)
    assert import_speed.time_peer(log) > 0
