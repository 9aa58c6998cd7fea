"""Who cannot bear what goes on: it is over at once, costs nothing, and never comes up again."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_improvising import kinds, played, read
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga import nodes
from ruleplay.agents.saga.domain import journey
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.models.scripted import ScriptedModel
from ruleplay.story.style import Style
from ruleplay.story.texts import Lang


@pytest.mark.parametrize("topic", ["", "orcs", "des orques hideux"])
def test_a_stop_ends_a_fight_at_once_and_the_story_goes_on(topic: str) -> None:
    game = fight_with("orcs")
    play = played(game, read(do="meta", meta="stop_scene", text=topic))
    assert play.game.fight is None
    assert {"left:orcs", "orcs-gone"} <= {*play.game.flags}
    assert play.game.story.style.lines == ((topic,) if topic else ())
    assert (play.game.sheet.hp, play.game.sheet.coin) == (game.sheet.hp, game.sheet.coin)
    assert play.game.sheet.xp == game.sheet.xp
    assert "TurnAdvanced" not in kinds(play)


def test_a_stop_lets_those_be_gone_who_wait() -> None:
    play = played(hero_at("greenway"), read(do="meta", meta="stop_scene", text=""))
    assert "left:ruffians" in play.game.flags
    assert journey.waiting(play.game, lamp()) == ""


def test_a_line_about_something_else_asks_whether_this_is_to_stop_too() -> None:
    game = fight_with("orcs")
    play = played(game, read(do="meta", meta="stop_scene", text="snakes"))
    asked = play.game.story.asked
    assert play.game.fight
    assert asked
    assert play.game.story.style.lines == ("snakes",)
    assert [act.meta for act in asked.acts] == ["stop_scene"]


@pytest.mark.parametrize("line", ["wolves", "loups"])
def test_nobody_waits_of_whom_the_player_never_wants_to_hear(line: str) -> None:
    game = hero_at("greenway", flags=("left:ruffians",))
    style = Style(lines=(line,))
    game = game.model_copy(update={"story": game.story.model_copy(update={"style": style})})
    play = Play(game, lamp())
    journey.travel(play, Intent(act="travel", target="dell"))
    assert journey.waiting(play.game, lamp()) == ""
    assert "CombatTriggered" not in kinds(play)


async def test_code_alone_tells_a_stop(sit: Sit) -> None:
    table = await sit(model="scripted", scenario="grey-debt")
    stop = {"do": "meta", "meta": "stop_scene", "text": "spiders"}
    goes = [{"do": "move", "to": "landing"}, {"do": "move", "to": "eaves"}]
    script: dict[str, list[object]] = {
        "saga.read": [*(json.dumps({"acts": [act]}) for act in (*goes, stop))],
        "saga.narrator": ["The spiders come closer, all eight legs of each."] * 6,
    }
    async with table.session(script) as session:
        for said in ("begin", "on to the landing", "and into the trees"):
            await session.turn(said)
        model = session.host.models.stand_ins["scripted"]
        assert isinstance(model, ScriptedModel)
        before = sum(one.role != "saga.read" for one in model.seen)
        turn = await session.turn("oh no, I can't bear them, please")
        assert sum(one.role != "saga.read" for one in model.seen) == before
        view = await session.view()
    assert "eight legs" not in turn.reply
    assert "will not come up again" in turn.reply
    assert not view.get("fight")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "please stop, i have a phobia of orcs for real"),
        ("fr", "stop svp, les orques me font peur pour de vrai, on peut les enlever"),
    ],
)
def test_without_a_model_who_cannot_bear_it_is_heard(lang: Lang, said: str) -> None:
    heard = parse(said, fight_with("orcs", lang=lang), lamp())
    assert [act.meta for act in heard.acts] == ["stop_scene"]
    assert heard.acts[0].text
    assert not heard.intents


async def test_a_turn_of_which_all_is_left_out_still_has_a_reply(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*_: object, **__: object) -> SimpleNamespace:
        return SimpleNamespace(text="")

    table = await sit(scenario="greenway-lamp", lang="fr")
    await table.say("commencer")
    monkeypatch.setattr(nodes, "tell_beats", silent)
    monkeypatch.setattr(nodes, "printed", lambda _: "")
    assert "l'histoire attend" in (await table.say("je regarde autour")).reply
