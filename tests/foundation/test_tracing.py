"""Traces name turns, nodes and calls, and hold none of what was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from ruleplay.errors import ModelError
from ruleplay.kernel import tracing
from ruleplay.models.scripted import Entry, ScriptedModel

if TYPE_CHECKING:
    from duel.table import Tables

CANARY = "seven-white-harts"


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Spans of this test; the process's own provider can be set only once."""
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "TRACER", provider.get_tracer("ruleplay"))
    yield kept
    provider.shutdown()


async def test_a_turn_is_a_tree_of_spans(table: Tables, exporter: InMemorySpanExporter) -> None:
    script: dict[str, Sequence[Entry]] = {
        "duel.omen": [f'{{"sign": "{CANARY}"}}'],
        "duel.stance": [ModelError("down")],
    }
    duel = await table.duel(model=ScriptedModel(script), roles=tuple(script))
    turn = await duel.turn(CANARY)
    spans = exporter.get_finished_spans()
    root = next(span for span in spans if span.name == "invoke_agent duel")
    assert root.attributes == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "duel",
        "gen_ai.conversation.id": duel.id,
        "ruleplay.turn": turn.id,
    }
    names = sorted(span.name for span in spans)
    nodes = ("choose_stance", "read_challenge", "read_omen", "resolve_blow", "tell_blow")
    assert names == [
        "chat scripted",
        "chat scripted",
        "invoke_agent duel",
        *(f"node {name}" for name in nodes),
    ]
    assert {span.context.trace_id for span in spans} == {root.context.trace_id}
    assert all(span.parent is not None for span in spans if span is not root)
    asked_in = {_parent(span, spans) for span in spans if span.name == "chat scripted"}
    assert asked_in == {"node read_omen", "node choose_stance"}


async def test_an_error_is_named_and_not_quoted(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(LookupError), tracing.turn_span("duel", "s", "t"), tracing.node_span("n"):
        raise LookupError(CANARY)
    for span in exporter.get_finished_spans():
        assert (span.status.status_code, span.status.description) == (
            StatusCode.ERROR,
            "LookupError",
        )
        assert CANARY not in span.to_json()


async def test_a_call_tells_how_it_ended(table: Tables, exporter: InMemorySpanExporter) -> None:
    script: dict[str, Sequence[Entry]] = {
        "duel.omen": [f'{{"sign": "{CANARY}"}}'],
        "duel.stance": [ModelError("down")],
    }
    duel = await table.duel(model=ScriptedModel(script), roles=tuple(script))
    await duel.turn(CANARY)
    calls = {_role(span): span for span in exporter.get_finished_spans() if "chat" in span.name}
    good, bad = calls["duel.omen"], calls["duel.stance"]
    assert good.attributes is not None
    assert good.attributes["gen_ai.response.finish_reasons"] == ("stop",)
    assert good.attributes["gen_ai.usage.input_tokens"]
    assert (good.status.status_code, bad.status.status_code) == (StatusCode.UNSET, StatusCode.ERROR)


async def test_no_span_holds_what_was_said(table: Tables, exporter: InMemorySpanExporter) -> None:
    script: dict[str, Sequence[Entry]] = {
        "duel.omen": [f'{{"sign": "{CANARY}"}}'],
        "duel.stance": [f"{CANARY}", f'{{"stance": "bold", "force": "{CANARY}"}}'],
        "duel.narrator": [f"{CANARY}. Red hits Blue for 99 {CANARY}.", ""],
    }
    duel = await table.duel(model=ScriptedModel(script), roles=tuple(script))
    turn = await duel.turn(CANARY)
    assert CANARY in str(turn)
    assert len(exporter.get_finished_spans()) == 11
    for span in exporter.get_finished_spans():
        assert CANARY not in span.to_json()


def _role(span: ReadableSpan) -> str:
    return str((span.attributes or {})["ruleplay.role"])


def _parent(span: ReadableSpan, spans: Sequence[ReadableSpan]) -> str:
    parent = span.parent
    assert parent is not None
    return next(other.name for other in spans if other.context.span_id == parent.span_id)
