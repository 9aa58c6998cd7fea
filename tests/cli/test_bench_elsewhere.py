"""Benchmarks stand beside the source code; without it the command says where they are."""

import sys

import pytest

from ruleplay.cli.check import OWN, load
from ruleplay.errors import Unavailable


def test_without_the_source_code_the_benchmarks_are_said_to_be_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "benchmarks", None)
    monkeypatch.delitem(sys.modules, "benchmarks.turn", raising=False)
    with pytest.raises(Unavailable, match="checkout"):
        load(OWN[0].where)
