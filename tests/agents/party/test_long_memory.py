"""What was promised, and who was met, is still known hundreds of turns later."""

from __future__ import annotations

from tests.agents.party.gatherings import laid

from ruleplay.agents.party.domain.effecting import establish
from ruleplay.agents.party.domain.exploration.acts import Exploration
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.nodes.gathering import canon_of
from ruleplay.agents.party.policy.replies import looked_up
from ruleplay.story.acts import Detail

PROMISE = "a candle shall burn for her grandmother every autumn"


def test_names_and_promises_of_turn_twenty_are_known_at_turn_five_hundred() -> None:
    state, book = laid(1)
    play = TableTurn(state.table, book)
    play.venture("dm", Exploration(act="begin"))
    establish(play, "pell", Detail(kind="promise", text=PROMISE))
    table = play.table
    for turn in range(500):
        play = TableTurn(table.model_copy(update={"round": turn + 2}), book)
        play.add(p.Spoke(seat="thorin", text="And so the evening went on and on."))
        filler = f"a pattern of {chr(97 + turn % 26)}{chr(97 + turn // 26)} marks in the dust"
        establish(play, "thorin", Detail(text=filler))
        table = play.table
    assert any(one.text == PROMISE for one in table.tale.canon)
    assert PROMISE in canon_of(table, "pell", "what about the candle for your grandmother?")
    asked = p.Consulted(seat="pell", topic="memory", about="who keeps the inn")
    assert "Brenna" in looked_up(asked, table, book)
    asked = p.Consulted(seat="pell", topic="memory", about="my promise about the candle")
    assert PROMISE in looked_up(asked, table, book)
    assert len(table.model_dump_json()) < 60_000
