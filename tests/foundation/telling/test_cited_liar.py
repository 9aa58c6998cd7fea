"""The liar: every class of lie, in three languages, false; every family of truth, and true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from benchmarks.cited_lies import Answers
from tests.foundation.telling.recount import cells, misfits, nameless, reads, result, segments
from tests.foundation.telling.specimens import MAKERS, specimen

from ruleplay.adversary.cited_liar import CLASSES, FAMILIES, HARD, CitedLiar, roman
from ruleplay.adversary.cited_truths import Cited
from ruleplay.adversary.ledger import wordings
from ruleplay.adversary.lies import words
from ruleplay.adversary.numerals import Language, Scribe
from ruleplay.telling.table import Table, clean

SEEDS = range(4)
NUMBERS = ("single", "in_words", "pair", "order", "tie", "table", "top", "bottom")
WRONG = (
    "number off by one",
    "rounding abuse",
    "forged tag",
    "code",
    "table untagged",
)


@cache
def planted() -> tuple[Cited, ...]:
    """Return sentences of all kinds about all specimens."""
    return tuple(_planted())


def _planted() -> Iterator[Cited]:
    for kind in MAKERS:
        for seed in SEEDS:
            liar = CitedLiar(Random(f"{kind}/{seed}"), specimen(kind, seed))
            made = [liar.truth(name) for name in FAMILIES for _ in "ab"]
            made += [liar.lie(name) for name in CLASSES for _ in "ab"]
            yield from (item for item in made if item)


def of(kind: str, *whys: str) -> list[Cited]:
    return [item for item in planted() if item.kind == kind and (not whys or item.why in whys)]


def cell(item: Cited, place: int = 0) -> float:
    """Return the number a sentence rests on."""
    where = item.about[place]
    table = next(t for t in item.tables if t.id == where.table)
    value = table.column(where.column)[where.row - 1]
    assert isinstance(value, int | float)
    return float(value)


def column(item: Cited) -> list[float]:
    where = item.about[0]
    table = next(t for t in item.tables if t.id == where.table)
    return [float(v) for v in table.column(where.column) if isinstance(v, int | float)]


def test_every_class_and_every_family_can_be_made() -> None:
    assert {item.why for item in of("lie")} == set(CLASSES)
    assert {item.why for item in of("truth")} == set(FAMILIES)
    assert {item.language for item in planted()} == {"en", "fr", "de"}
    assert set(CLASSES) > HARD - {"cut short"}


def test_there_are_dozens_of_frames_and_the_slots_of_all_can_be_filled() -> None:
    frames = {language: wordings().of(language).frames for language in ("en", "fr", "de")}
    assert sum(map(len, frames["en"].values())) > 110
    assert sum(map(len, frames["fr"].values())) > 60
    known = {"A", "B", "X", "Z", "H", "did", "didb", "n", "m", "k", "p", "q", "d", "x", "rows"}
    known |= {"t", "u", "f", "g", "tt"}
    for families in frames.values():
        for template in (template for family in families.values() for template in family):
            assert set(re.findall(r"{(\w+)}", template)) <= known, template


def test_the_same_seed_writes_the_same_and_another_something_else() -> None:
    def written(seed: int) -> list[str]:
        liar = CitedLiar(Random(seed), specimen("raid", 1))
        made = [liar.lie() if n % 2 else liar.truth() for n in range(60)]
        return [item.sentence for item in made if item]

    assert written(3) == written(3) != written(4)


def test_numbers_of_truths_are_those_of_their_tags() -> None:
    counted = 0
    for item in of("truth"):
        if item.why not in ("view", "text", "in_words"):
            assert not misfits(item.sentence, item.language, item.tables), item
            counted += 1
    assert counted > 200


def test_truths_without_numbers_hold() -> None:
    for item in of("truth", "zero"):
        assert cell(item) == 0, item
    for item in of("truth", "nobody"):
        assert column(item), item
        assert not any(column(item)), item
    for item in of("truth", "everyone"):
        assert min(column(item)) > 0, item
    for item in of("truth", "top"):
        assert sum(v >= cell(item) for v in column(item)) == 1, item
    for item in of("truth", "bottom"):
        assert sum(v <= cell(item) for v in column(item)) == 1, item
    for item in of("truth", "order", "ratio", "times", "difference"):
        assert cell(item) > cell(item, 1), item
    for item in of("truth", "in_words"):
        word = wordings().of(item.language).numbers[int(cell(item))]
        assert word in item.sentence, item
    for item in of("truth", "missing"):
        where = item.about[0]
        table = next(t for t in item.tables if t.id == where.table)
        assert table.column(where.column)[where.row - 1] is None


def test_truths_name_whom_their_row_is_about() -> None:
    for item in of("truth", *NUMBERS, "zero"):
        for where in item.about:
            table = next(t for t in item.tables if t.id == where.table)
            assert clean(table.whose(where.row), 60) in item.sentence, item


def test_wrong_numbers_stand_nowhere_in_the_rows_of_whom_they_are_said_of() -> None:
    for item in of("lie", *WRONG):
        tables = {table.id: table for table in item.tables}
        where = item.about[0]
        own = cells(f"{where.table}.{where.row}", tables)
        found = reads(nameless(item.needle, item.tables), item.language)
        assert found, item
        for read in found[-1:]:
            held = [value for value in own if read.fits(value) and abs(read.value - value) < 0.4]
            assert not held, item


def test_swapped_numbers_are_each_other_s() -> None:
    for item in of("lie", "numbers swapped"):
        assert misfits(item.sentence, item.language, item.tables), item
    for item in of("lie", "tags swapped"):
        assert misfits(item.sentence, item.language, item.tables), item
    for item in of("lie", "table swapped", "formula", "aggregate", "count"):
        assert misfits(item.sentence, item.language, item.tables), item


def test_lies_in_words_are_false() -> None:
    for item in of("lie", "false negative", "polarity"):
        assert cell(item) > 0, item
    for item in of("lie", "superlative"):
        assert min(column(item)) < cell(item) < max(column(item)), item
    for item in of("lie", "false nobody", "nobody uncited"):
        assert any(column(item)), item
    for item in of("lie", "false everyone"):
        assert not all(column(item)), item
    for item in of("lie", "comparison in words"):
        said = [read.value for read in reads(nameless(item.needle, item.tables), item.language)]
        assert len(said) >= 2, item


def test_reversed_quotients_are_true_numbers_under_turned_names() -> None:
    for item in of("lie", "comparison reversed"):
        assert not misfits(item.sentence, item.language, item.tables), item
        ((said, tag),) = [(s, t) for s, t in segments(item.sentence) if "/" in t]
        assert (result(tag, {t.id: t for t in item.tables}) or 0) > 1
        assert said.count("%") == 1


def test_a_needle_is_part_of_its_sentence_and_holds_no_tag() -> None:
    for item in planted():
        assert not re.search(r"\[r\d+\.\d", item.needle), item
        bare = re.sub(
            r"[\[［(]{1,2}\^?r\d[^\]］\s]*[\]］)]{1,2}(\(https\S*\))?", " ", item.sentence
        )
        if item.why not in ("forged tag", "table", "injected name") and "table" not in item.why:
            assert words(item.needle).strip() in words(re.sub(r"\[.*?\]", " ", bare)), item


def test_numbers_are_rounded_as_people_round() -> None:
    rng = Random(1)
    languages: tuple[Language, ...] = ("en", "fr", "de")
    for language in languages:
        scribe = Scribe(rng, language)
        for _ in range(400):
            value, unit = rng.choice(
                [(rng.randint(1, 3_000_000), ""), (round(rng.uniform(1, 400), 1), "s")]
            )
            assert scribe.any(value, unit).honest(value)
            wrong = scribe.misrounded(value, unit)
            assert wrong is None or not wrong.honest(value)
    assert roman(49) == "XLIX"


@pytest.mark.parametrize("path", [Path(__file__).with_name("truths.json")])
def test_written_answers_hold_the_numbers_they_cite(path: Path) -> None:
    book = Answers.model_validate_json(path.read_text(encoding="utf-8"))
    assert len(book.answers) > 20
    for answer in book.answers:
        tables: tuple[Table, ...] = book.tables[answer.tables]
        assert not misfits(answer.reply, answer.language, tables), answer.reply
        assert all(sentence.strip() in answer.reply for sentence in answer.sentences)
