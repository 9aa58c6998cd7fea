"""OpenTelemetry spans of turns, nodes, model calls and tools; no-ops unless an SDK is configured.

Attribute names follow the GenAI semantic conventions, which are still in development, so they are
kept in this module. Spans never contain messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry import trace

from ruleplay.records.tape import Reply

TRACER = trace.get_tracer("ruleplay")


@contextmanager
def _current(name: str) -> Iterator[trace.Span]:
    """Open a span for a block. Errors are recorded by type only, as their text may quote users."""
    span = TRACER.start_span(name)
    if not span.get_span_context().is_valid:  # tracing is off
        yield span
        return
    with trace.use_span(
        span, end_on_exit=True, record_exception=False, set_status_on_exception=False
    ):
        try:
            yield span
        except BaseException as error:
            span.set_status(trace.StatusCode.ERROR, type(error).__name__)
            raise


class ChatSpan:
    """The span of one model call."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def ended(self, reply: Reply) -> None:
        """Record how the call ended, and the tokens it used."""
        self._span.set_attribute("gen_ai.response.finish_reasons", (reply.end,))
        self._span.set_attribute("gen_ai.usage.input_tokens", reply.input_tokens)
        self._span.set_attribute("gen_ai.usage.output_tokens", reply.output_tokens)
        if reply.error:
            self._span.set_status(trace.StatusCode.ERROR, reply.error)


@contextmanager
def chat_span(model: str, role: str) -> Iterator[ChatSpan]:
    """Open a span for one model call."""
    with _current(f"chat {model}") as span:
        span.set_attribute("gen_ai.operation.name", "chat")
        span.set_attribute("gen_ai.request.model", model)
        span.set_attribute("ruleplay.role", role)
        yield ChatSpan(span)


@contextmanager
def turn_span(agent: str, session: str, turn: str) -> Iterator[trace.Span]:
    """Open the root span of a turn."""
    with _current(f"invoke_agent {agent}") as span:
        span.set_attribute("gen_ai.operation.name", "invoke_agent")
        span.set_attribute("gen_ai.agent.name", agent)
        span.set_attribute("gen_ai.conversation.id", session)
        span.set_attribute("ruleplay.turn", turn)
        yield span


@contextmanager
def node_span(name: str) -> Iterator[None]:
    """Open a span for a node of the graph; calls within it have child spans."""
    with _current(f"node {name}"):
        yield


@contextmanager
def tool_span(name: str) -> Iterator[None]:
    """Open a span for one tool call."""
    with _current(f"execute_tool {name}") as span:
        span.set_attribute("gen_ai.operation.name", "execute_tool")
        span.set_attribute("gen_ai.tool.name", name)
        yield
