"""What a seat must not know never reaches it, by no way there is; and the search would find it."""

from __future__ import annotations

import pytest
from tests.agents.party.canaries import EVERY, Hunt, hunted, whispers
from tests.agents.party.vault import FOUR
from tests.samples import some
from tests.server.streaming import Life

from ruleplay.agents.party.domain import knowledge
from ruleplay.agents.party.policy.telling import Telling

ROUNDS = 9


async def test_canaries_stay_with_their_audience(life: Life) -> None:
    hunt, fork = await hunted(life, ROUNDS, reach=3)
    assert hunt.leaks == []
    assert fork.leaks == []
    ways = {"view", "memory", "chronicle", "stream", "HTTP session", "HTTP export", "HTTP JSON"}
    assert {*ways, "HTTP turn", "prompt of party.dm.voice"} <= {*hunt.looked}
    assert {f"prompt of party.{seat}" for seat in FOUR} <= {*hunt.looked}
    assert hunt.looked["condensed memories"] == len(EVERY) + 1


LEAKS = {
    "everyone remembers everything": ("ruleplay.agents.party.domain.table.knows", "memory"),
    "everyone's prompts hold all secrets": (
        "ruleplay.agents.party.nodes.gathering.tellable",
        "prompt",
    ),
    "events are for everyone": ("ruleplay.agents.party.state.ears", "HTTP JSON"),
    "asides are told to all": ("ruleplay.agents.party.policy.telling.Telling.tell", "HTTP export"),
}


def spilt(name: str) -> object:
    """Return what takes the place of the part of a name, and lets everyone know."""

    def tell(self: Telling, text: str, audience: object = None) -> None:
        self.blocks.append(text)

    return {
        "knows": lambda seat, audience: True,
        "tellable": lambda table, book, seat: knowledge.everything(table, book),
        "ears": lambda happening: ("*",),
        "tell": tell,
    }[name.rpartition(".")[2]]


@pytest.mark.parametrize("leak", some(LEAKS, 2))
async def test_a_planted_leak_is_found(
    life: Life, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    part, way = LEAKS[leak]
    monkeypatch.setattr(part, spilt(part))
    hunt = await Hunt.begin(life)
    hunt.reach = 4
    await hunt.play(2, whispers())
    await hunt.look()
    assert any(way in found for found in hunt.leaks), hunt.leaks
