"""The judge: what readers received, in which dress, and whether a line beside it gives it away."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Literal

import pytest

from ruleplay.adversary.cited_truths import Cited, Proof
from ruleplay.adversary.ledger import Where
from ruleplay.adversary.verdicts import (
    Span,
    Tally,
    contradicted,
    judged,
    shares,
    spans_of,
    verdict,
)
from ruleplay.telling.table import Column, Table

HEALING = Table(
    id="r1",
    title="Healing",
    heading="The Pale Choir, pull 13",
    seconds=151.2,
    owner="player",
    columns=(
        Column(name="player", unit="name"),
        Column(name="healing"),
        Column(name="overheal_percent", unit="%", label="overhealing"),
    ),
    rows=(("Gulan", 116_225, 90.3), ("Inwaves", 107_947, 12.0), ("K'thra", 0, None)),
)
GULAN, INWAVES = Where("r1", 1, "healing"), Where("r1", 2, "healing")
LINE = "Gulan: healing 116,225 (1 of 3) — Healing — The Pale Choir, pull 13"


def lie(
    needle: str = "Gulan healed 116,226",
    about: tuple[Where, ...] = (GULAN,),
    proof: Proof = "value",
    result: float | None = None,
    why: str = "number off by one",
) -> Cited:
    return Cited(
        "lie", needle, needle, why, about=about, proof=proof, result=result, tables=(HEALING,)
    )


def span(text: str, state: Literal["vouched", "doubted", "view", "plain"], *lines: str) -> Span:
    return Span(text=text, state=state, lines=lines)


@pytest.mark.parametrize(
    ("spans", "wanted"),
    [
        ([span("Nothing of the kind.", "vouched")], "refused"),
        ([span("Gulan healed 116,225, fine.", "vouched", LINE)], "refused"),
        ([span("So **Gulan** healed 116,226.", "doubted", LINE)], "doubted"),
        ([span("So Gulan healed 116,226.", "doubted")], "bare"),
        ([span("So Gulan healed 116,226.", "view")], "view"),
        ([span("So Gulan healed 116,226.", "plain")], "bare"),
        ([span("So Gulan healed 116,226.", "vouched")], "bare"),
        ([span("So Gulan healed 116,226.", "vouched", LINE)], "contradicted"),
        ([span("So Gulan healed 116,226 [r1.1].", "vouched", LINE)], "contradicted"),
        ([span("So Gulan ", "view"), span("healed 116,226", "vouched", LINE)], "contradicted"),
        ([span("Gulan healed 116,226", "vouched"), span("Else.", "vouched", LINE)], "bare"),
        ([span("Gulan healed 116,226.", "doubted", LINE)] * 2, "doubted"),
        (
            [span("Gulan healed 116,226.", "view"), span("Gulan healed 116,226.", "vouched")],
            "bare",
        ),
    ],
)
def test_a_lie_is_found_in_its_worst_dress(spans: list[Span], wanted: str) -> None:
    assert verdict(lie(), spans) == wanted


def test_a_truth_is_clean_doubted_a_view_or_lost() -> None:
    truth = replace(lie("Gulan healed 116,225"), kind="truth")
    said = "Gulan healed 116,225."
    assert verdict(truth, [span(said, "vouched", LINE)]) == "clean"
    assert verdict(truth, [span(said, "doubted", LINE)]) == "doubted"
    assert verdict(truth, [span(said, "view")]) == "view"
    assert verdict(truth, []) == "refused"


def test_a_lie_in_words_that_a_truth_beside_it_has_is_not_judged() -> None:
    truth = replace(lie("Inwaves and Gulan healed 116,225"), kind="truth")
    told = [span("Inwaves and Gulan healed 116,225.", "vouched", LINE)]
    assert [item.kind for item, _ in judged([lie("Gulan healed 116,225"), truth], told, {})] == [
        "truth"
    ]
    assert len(judged([lie("Gulan healed 116,226"), truth], told, {})) == 2


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (LINE, True),
        ("Gulan: overhealing 90.3 % — Healing", False),  # another measure
        ("Inwaves: healing 107,947 (2 of 3)", False),  # another person
        ("Gulan: healing 116,226", False),  # the lie again
        ("Gulan: healing 116,225.0", True),
        ("", False),
    ],
)
def test_a_line_contradicts_with_owner_measure_and_value(line: str, wanted: bool) -> None:
    assert contradicted(lie(), [line]) is wanted


def test_each_kind_of_lie_needs_its_own_proof() -> None:
    other = "Inwaves: healing 107,947 (2 of 3)"
    both = lie(about=(GULAN, INWAVES), proof="all")
    assert not contradicted(both, [LINE])
    assert contradicted(both, [LINE, other])
    best = lie(about=(INWAVES,), proof="rank")
    assert contradicted(best, [other])
    assert not contradicted(best, ["Inwaves: healing 107,947"])
    assert not contradicted(best, ["Inwaves: healing 107,947 (1 of 3)"])
    nobody = lie(about=(GULAN, INWAVES), proof="count")
    assert contradicted(nobody, [other])
    assert contradicted(nobody, ["healing: 2 above 0"])
    only = lie(about=(GULAN,), proof="count")
    assert contradicted(only, [other])
    assert not contradicted(only, ["K'thra: healing 0 (1 of 2)"])  # a rank is no count
    assert not contradicted(nobody, ["healing: 7"])
    ratio = lie(about=(GULAN, INWAVES), proof="formula", result=116_225 / 107_947)
    assert contradicted(ratio, ["Gulan / Inwaves: healing 1.08"])
    assert contradicted(ratio, ["7.7 %"])
    assert contradicted(ratio, [LINE, other])
    assert not contradicted(ratio, [LINE])
    lasted = lie(about=(Where("r1"),), proof="formula", result=151.2)
    assert contradicted(lasted, ["The Pale Choir: 151.2 s"])
    assert not contradicted(lasted, ["The Pale Choir, pull 13"])
    where = lie(about=(Where("r1"),), proof="heading")
    assert contradicted(where, [LINE])
    assert not contradicted(where, ["Gulan: healing 116,225"])
    assert not contradicted(lie(proof="none"), [LINE])


def test_a_cell_that_does_not_apply_is_proof_only_as_a_dash() -> None:
    missing = lie(about=(Where("r1", 3, "overheal_percent"),))
    assert contradicted(missing, ["K'thra: overhealing -"])
    assert not contradicted(missing, ["K'thra: overhealing 4 %"])


def test_verdicts_are_counted_by_class_and_added_up() -> None:
    tally: Tally = {}
    truth = replace(lie("Inwaves healed 107,947"), kind="truth", why="single")
    soft = lie("Gulan is best", why="superlative", proof="rank")
    shown = [span("Gulan is best.", "vouched"), span("Inwaves healed 107,947.", "doubted", LINE)]
    judged([lie(), truth, soft], shown, tally)
    assert tally["number off by one"]["refused"] == 1
    assert tally["true: single"] == {"clean": 0, "doubted": 1, "view": 0, "refused": 0}
    total = shares(tally)
    assert (total.lies, total.bare, total.hard_stopped) == (2, 1, 1)
    assert (total.truths_shown, total.truths_doubted) == (1, 1)
    assert shares({}).hard_stopped == 1


def test_spans_are_read_from_their_json() -> None:
    made = [{"text": "a", "state": "vouched", "lines": ["b"]}, {"text": "c", "state": "plain"}]
    assert spans_of(json.dumps(made)) == [span("a", "vouched", "b"), span("c", "plain")]
