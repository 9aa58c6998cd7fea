"""The hostile model with tables before it: cited lies, broken streams, repairs that lie again."""

from __future__ import annotations

from collections import Counter

from benchmarks.cited_lies import measure, named, trusting
from tests.foundation.telling.specimens import specimen

from ruleplay.adversary.cited_liar import CLASSES, CUT, HARD
from ruleplay.adversary.cited_truths import Cited
from ruleplay.adversary.fuzz import FuzzReport
from ruleplay.adversary.hostile import HostileModel
from ruleplay.adversary.verdicts import Span, verdict
from ruleplay.models.briefing import Briefing

TELL = Briefing(role="analyst", facts=specimen("raid", 1))
REPAIR = Briefing(role="analyst", facts=specimen("raid", 1), attempt=1)


async def speak(model: HostileModel, briefing: Briefing) -> str:
    text = ""
    try:
        async for chunk in model.astream("Who healed?", briefing=briefing):
            text += chunk.text
    except (TimeoutError, ConnectionError, ValueError):
        pass
    return text


async def test_the_same_seed_lies_the_same() -> None:
    runs = []
    for seed in (3, 3, 4):
        model = HostileModel(seed)
        runs.append(([await speak(model, TELL) for _ in range(15)], model.planted))
    assert runs[0] == runs[1] != runs[2]


async def test_tables_bring_lies_of_most_classes_and_streams_that_break() -> None:
    model = HostileModel(5)
    for _ in range(120):
        await speak(model, TELL)
    done = Counter(model.mischief)
    lies = {name.removeprefix("cited lie: ") for name in done if name.startswith("cited lie: ")}
    assert len(lies & set(CLASSES)) > 35
    assert {"stream: cut", "stream: stall", "stream: length", "think: tags"} <= set(done)
    planted = [item for item in model.planted if isinstance(item, Cited)]
    assert planted == model.planted
    assert {"lie", "truth"} == {item.kind for item in planted}
    assert (
        CUT
        in {item.why for item in planted}
        <= {*CLASSES, CUT} | {item.why for item in planted if item.kind == "truth"}
    )


async def test_what_was_sent_whole_would_be_found_by_the_judge() -> None:
    model, found = HostileModel(6), Counter[str]()
    for _ in range(60):
        text = await speak(model, TELL)
        for item in model.take_planted():
            assert isinstance(item, Cited)
            found[f"{item.kind} {verdict(item, [Span(text=text, state='vouched')])}"] += 1
    assert found["truth refused"] == 0
    assert found["truth clean"] > 30
    assert found["lie bare"] > found["lie refused"]  # some were cut off, or only thought


async def test_repairs_lie_again_and_promise_no_truth() -> None:
    model = HostileModel(7)
    texts = [await speak(model, REPAIR) for _ in range(40)]
    assert any(text.startswith("1. ") for text in texts)
    assert model.planted
    assert {item.kind for item in model.planted} == {"lie"}


def test_a_report_fails_on_hard_lies_and_on_truths_withheld() -> None:
    held = {"refused": 76, "doubted": 4, "view": 0, "contradicted": 0, "bare": 0}
    fine = FuzzReport(agent="x", turns=1, seed=1, classes={"other name": held})
    assert not fine.broken
    through = {**held, "refused": 36, "contradicted": 40}
    assert FuzzReport(agent="x", turns=1, seed=1, classes={"other name": through}).broken
    assert not FuzzReport(agent="x", turns=1, seed=1, classes={"polarity": through}).broken
    withheld = fine.model_copy(update={"true_sentences_offered": 100, "true_sentences_shown": 92})
    assert withheld.broken
    assert "other name" in HARD


def test_the_benchmark_measures_any_checker() -> None:
    open_door = measure(named("benchmarks.cited_lies:trusting"), 60)
    shut = measure(lambda reply, tables: [], 60)
    assert trusting("a", ()) == [Span(text="a", state="vouched")]
    assert open_door["shares"]["bare"] == open_door["shares"]["lies"] == 60  # type: ignore[index]
    assert shut["shares"]["hard_stopped"] == 1  # type: ignore[index]
    assert shut["shares"]["truths_shown"] == 0  # type: ignore[index]
