"""Reasoning and leaked tool calls never reach a reader, whatever the chunking."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.samples import sample

from ruleplay.telling.reasoning import Reasoning

CASES = [
    ("plain", "Hello there.", "Hello there."),
    ("block", "<think>no 12</think>Yes.", "Yes."),
    ("between", "One <think>two</think>three", "One three"),
    ("other names", "<thinking>a</thinking>b<reasoning>c</reasoning>d", "bd"),
    ("spaces and case", "< THINK >a</ Think >b<ThInK>c</think >d", "bd"),
    ("nested", "<think>a<think>b</think>c</think>d", "d"),
    ("mixed nesting", "<think>I see <reasoning> here</think>d", "d"),
    ("unclosed", "a<think>b c d", "a"),
    ("stray close", "a</think>b", "ab"),
    ("half tag at the end", "a <thi", "a "),
    ("lone sign", "a < b and 3<4", "a < b and 3<4"),
    ("sign at the end", "a <", "a <"),
    ("other tags", "<b>a</b> <table>", "<b>a</b> <table>"),
    ("attributes", '<think effort="high">a</think>b', "b"),
    ("tool call", 'Hi<tool_call>{"name": "f", "arguments": {}}</tool_call>!', "Hi!"),
    ("function", "a<function=find>{}</function>b", "ab"),
    ("json call", 'a {"name": "f", "arguments": {"x": "}"}} b', "a  b"),
    ("json that is no call", 'a {"x": 1} b', 'a {"x": 1} b'),
    ("braces", "{note} and {", "{note} and {"),
    ("cut json call", 'a {"name": "f", "argu', "a "),
    ("tool fence", '```json\n{"name": "f", "arguments": {}}\n```\nok', "```json\n\n```\nok"),
    ("code fence", "```python\nx = {}\n```\nok", "```python\nx = {}\n```\nok"),
    ("unclosed tool fence", '```json\n{"name": "f", "arguments": {', "```json\n"),
    ("inline code", "use `x` and ``` y", "use `x` and ``` y"),
]
FIRST = [
    ("no tag", "all of it", ""),
    ("closed", "abc</think>d", "d"),
    ("opened too", "<think>abc</think>d", "d"),
    ("later block", "abc</think>d<think>e</think>f", "df"),
    ("never closed again", "abc</think>d<think>e", "d"),
]


def strip(chunks: list[str], thinks_first: bool = False) -> str:
    stream = Reasoning(thinks_first)
    return "".join([*map(stream.feed, chunks), stream.close()])


@pytest.mark.parametrize(("name", "text", "shown"), CASES, ids=[case[0] for case in CASES])
def test_strips_at_every_cut(name: str, text: str, shown: str) -> None:
    assert strip([text]) == shown
    assert strip(list(text)) == shown
    for cut in range(len(text) + 1):
        assert strip([text[:cut], text[cut:]]) == shown, cut


@pytest.mark.parametrize(("name", "text", "shown"), FIRST, ids=[case[0] for case in FIRST])
def test_models_that_start_thinking(name: str, text: str, shown: str) -> None:
    assert strip([text], thinks_first=True) == shown
    for cut in range(len(text) + 1):
        assert strip([text[:cut], text[cut:]], thinks_first=True) == shown, cut


def test_three_part_cuts_of_short_texts() -> None:
    for text in ("<think>x</think>y", "a<b</think>", '{"name":1,"args":2}z', "`` `<think"):
        whole = strip([text])
        for left in range(len(text) + 1):
            for right in range(left, len(text) + 1):
                assert strip([text[:left], text[left:right], text[right:]]) == whole


_PIECES = st.sampled_from(
    [
        *'<>{}`= \n"é',
        *("<think>", "</think>", "</", "think", "```", "```json\n", "text ", "<THINKING >"),
        *('{"name": "f", "arguments": {}}', "<tool_call>", "</tool_call>"),
    ]
)


@settings(max_examples=sample(80, 300), deadline=None)
@given(
    st.lists(_PIECES, max_size=25).map("".join), st.randoms(use_true_random=False), st.booleans()
)
def test_output_does_not_depend_on_chunks(text: str, rng: random.Random, first: bool) -> None:
    cuts = sorted(rng.randrange(len(text) + 1) for _ in range(6))
    parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert strip(parts, first) == strip([text], first)


def test_text_is_held_only_while_it_can_become_a_tag() -> None:
    stream = Reasoning()
    assert stream.feed("a <") == "a "
    assert stream.feed(" b") == "< b"
    assert stream.feed(" <th") == " "
    assert stream.feed("rone>") == "<throne>"


def test_buffer_is_bounded() -> None:
    stream = Reasoning()
    for _ in range(2_000):
        stream.feed('{"a": "' + "x" * 50)
    stream.feed("<think>")
    for _ in range(2_000):
        stream.feed("x" * 100 + "<")
    assert len(stream._buffer) < 10_000
