"""What a turn comes to: graph, draft, typed outputs, the fight's snapshot, prompts."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import get_args

import pytest
from pydantic import BaseModel, ValidationError
from tests.agents.saga.conftest import Sit
from tests.agents.saga.test_rules import attack, first_to_move, last_standing, play, wounded
from tests.agents.saga.worlds import fight_with, hero_at, lamp

from ruleplay.agents.saga import prompts
from ruleplay.agents.saga.agent import AGENT
from ruleplay.agents.saga.domain import blows, spoils
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.archetypes import chosen, decide, wants_to_flee
from ruleplay.agents.saga.domain.fight import (
    HERO,
    Combatant,
    Fight,
    Status,
    check_combat_status,
)
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.rulebook import Archetype, StatusKind
from ruleplay.agents.saga.graph import build_graph
from ruleplay.agents.saga.state import (
    CombatTurnContinuePayload,
    CombatTurnEndPayload,
    Config,
    Draft,
    History,
    NarrativeResponsePayload,
    NarrativeTriggerCombatPayload,
    Payload,
    Rewards,
    State,
)
from ruleplay.agents.saga.view import chronicle_lines
from ruleplay.story.style import Style, instructions


def fight_of(game: Game) -> Fight:
    assert game.fight
    return game.fight


def test_the_graph_has_dispatcher_story_and_fight() -> None:
    drawn = {(one.start, one.end) for one in build_graph().ways()}
    assert ("__start__", "DispatcherNode") in drawn
    assert {target for source, target in drawn if source == "read_player"} == {
        *("NarrativeNode", "CombatNode")
    }
    assert not {("NarrativeNode", "CombatNode"), ("CombatNode", "NarrativeNode")} & drawn
    assert {source for source, target in drawn if target == "__end__"} == {
        *("tell_story", "tell_combat")
    }


def test_a_draft_has_state_message_history_and_kind() -> None:
    names = {one.name for one in fields(Draft)}
    assert {"before", "given", "history"} <= names
    assert not {"result", "payload", "structured_output", "messages"} & names
    assert {"kind", "channel", "lines"} == {*History.model_fields}


@pytest.mark.parametrize(
    ("payload", "wanted"),
    [
        (NarrativeResponsePayload, {"narration", "hints"}),
        (NarrativeTriggerCombatPayload, {"narration", "combat_seed"}),
        (CombatTurnContinuePayload, {"narration"}),
        (CombatTurnEndPayload, {"narration", "outcome", "rewards"}),
        (Rewards, {"xp_gained", "gold_gained", "loot", "summary"}),
    ],
)
def test_payloads_have_the_documents_fields(payload: type[BaseModel], wanted: set[str]) -> None:
    assert {*payload.model_fields} == wanted
    assert payload is Rewards or payload in get_args(Payload)
    assert not {"snapshot", "combat_state"} & wanted
    with pytest.raises(ValidationError):
        payload.model_validate({"narration": 1, "xp_gained": "much"})


async def test_a_new_session_has_its_whole_state(sit: Sit) -> None:
    table = await sit()
    async with table.session() as session:
        stored = State.model_validate_json((await session.head()).state)
    assert (stored.game.mode, stored.channel) == ("narrative", "narrative")
    assert (stored.game.fight, stored.game.last_result) == (None, None)
    assert stored.game.sheet.hp == stored.game.sheet.max_hp
    assert AGENT.new(Config(), Random(1)).game.place == stored.game.place


def test_the_snapshot_has_the_documents_fields() -> None:
    body = fight_of(fight_with("orcs")).model_dump(mode="json")
    assert {"combat_id", "place", "round", "turn", "order", "combatants"} <= {*body}
    assert (body["round"], body["turn"], body["place"]) == (1, 0, "tower-foot")
    sides = {one["side"] for one in body["combatants"]}
    assert sides == {"party", "foes"}
    for one in body["combatants"]:
        assert {"name", "hp", "max_hp", "stats", "weapon", "armour", "statuses"} <= {*one}
        assert {"strength", "agility"} <= {*one["stats"]}


def test_damage_is_taken_by_code_alone() -> None:
    """Weapon and armour come from the rules; what is taken off is what the formula says."""
    struck = 0
    for seed in range(30):
        game = first_to_move(fight_with("orcs", seed=str(seed)))
        before = fight_of(game).the("foe1")
        made = Play(game, lamp())
        blow = blows.strike(made, HERO, "foe1")
        items = lamp().rules.items
        assert blow.weapon_damage == items[game.sheet.weapon].damage
        assert blow.absorbed == (items[before.armour].absorbs if before.armour else 0)
        due = blows.damage_of(blow.weapon_damage, blow.attack, blow.defence, blow.absorbed)
        assert blow.damage == (due if blow.hit else 0)
        assert made.fight.the("foe1").hp == max(0, before.hp - blow.damage)
        struck += blow.damage > 0
    assert struck


def test_ties_go_to_the_quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleplay.agents.saga.domain.play.d100", lambda seed, index: 50)
    fight = fight_of(fight_with("orcs"))
    told = [(fight.the(who).stats["agility"], who) for who in fight.order]
    assert [*fight.initiative] == sorted(fight.initiative, reverse=True)
    assert [agility for agility, _ in told] == sorted((a for a, _ in told), reverse=True)


def pair(archetype: Archetype, hp: int, *, alone: bool) -> tuple[Fight, Combatant]:
    fight = fight_of(fight_with("orcs"))
    fight = fight.with_("foe1", archetype=archetype, hp=hp, max_hp=20, far=False)
    for one in fight.side("foes"):
        if one.id != "foe1" and alone:
            fight = fight.with_(one.id, hp=0)
    return fight, fight.the("foe1")


@pytest.mark.parametrize(
    ("archetype", "hp", "alone", "flees"),
    [
        ("coward", 5, False, True),
        ("coward", 6, False, False),
        ("archer", 9, True, True),
        ("archer", 9, False, False),
        ("archer", 10, True, False),
        ("aggressive", 1, True, False),
    ],
)
def test_who_is_alone_and_half_dead_flees(
    archetype: Archetype, hp: int, alone: bool, flees: bool
) -> None:
    assert wants_to_flee(*pair(archetype, hp, alone=alone)) is flees


def test_archers_keep_away_while_somebody_stands_before_them() -> None:
    fight, _ = pair("archer", 20, alone=False)
    assert decide(fight, "foe1", ranged=True).act == "withdraw"
    assert decide(fight.with_("foe1", far=True), "foe1", ranged=True).act == "attack"
    fight, _ = pair("archer", 20, alone=True)
    assert decide(fight, "foe1", ranged=True).act == "attack"


def test_the_weakest_is_gone_for() -> None:
    fight = fight_of(fight_with("orcs"))
    weak, strong = (fight.the(HERO).model_copy(update={"id": n, "hp": hp}) for n, hp in
                    (("b", 3), ("a", 30)))  # fmt: skip
    assert chosen(fight.the("foe1"), (strong, weak)).id == "b"
    leader = fight.the("foe1").model_copy(update={"archetype": "leader"})
    assert chosen(leader, (strong, weak)).id == "a"


def test_the_foes_prompt_names_state_place_order_and_actor() -> None:
    game = wounded(first_to_move(fight_with("orcs")), "foe1", 1)
    fight = fight_of(game).with_("foe1", statuses=(Status(kind="poisoned", rounds=2, power=2),))
    game = game.model_copy(update={"fight": fight})
    asked = prompts.foes("I strike", game, lamp(), None)
    place = lamp().scenario.places[game.place].name.en
    assert asked.user.startswith(f"{place}, round 1, order {' > '.join(fight.order)}, hero to move")
    foe = next(line for line in asked.user.splitlines() if line.startswith("- foe1:"))
    assert f"1/{fight.the('foe1').max_hp} HP" in foe
    assert "poisoned" in foe
    assert "badly hurt" in foe
    assert asked.user.endswith("The player wrote:\nI strike")


def test_the_teller_knows_the_place_and_who_fights() -> None:
    game = fight_with("orcs")
    state = State(game=game, scenario="greenway-lamp")
    draft = Draft(before=state, given=AGENT.rehearse(state, Random(1)), seat="player")
    asked = prompts.tell(draft, lamp(), (), "", "").user
    assert f"Place: {lamp().scenario.places[game.place].name.en}." in asked
    for one in fight_of(game).combatants:
        assert f"- {one.name.en}, {one.side}" in asked


def test_system_prompts_are_static() -> None:
    """Two states of a fight differ in what the player's message says and in nothing before it."""
    one, other = fight_with("orcs"), wounded(fight_with("captain"), "foe1", 1)
    told = [
        (prompts.foes("x", game, lamp(), None).system, prompts.read("x", game, lamp(), None).system)
        for game in (one, other)
    ]
    assert told[0] == told[1]
    assert prompts.foes("x", one, lamp(), None).user != prompts.foes("x", other, lamp(), None).user


def test_a_guard_reacts_once_a_round() -> None:
    guarded = (Status(kind="guarding", rounds=1),)
    game = first_to_move(fight_with("orcs"))
    made = Play(
        game.model_copy(update={"fight": fight_of(game).with_(HERO, statuses=guarded)}), lamp()
    )
    for foe in ("foe1", "foe2"):
        blows.strike(made, foe, HERO)
    reacted = [one for one in made.done if isinstance(one, h.ActionTaken) and one.who == HERO]
    assert [one.cost for one in reacted] == ["reaction"]


@pytest.mark.parametrize(
    ("kind", "edge"),
    [("hidden", 20), ("aiming", 20), ("blinded", -20), ("prone", -20), ("restrained", -20)],
)
def test_a_place_of_vantage_helps_and_blindness_hinders(kind: StatusKind, edge: int) -> None:
    game = first_to_move(fight_with("orcs"))
    fight = fight_of(game).with_(HERO, statuses=(Status(kind=kind, rounds=2),))
    made = Play(game.model_copy(update={"fight": fight}), lamp())
    assert blows.strike(made, HERO, "foe1").attack.edge == edge
    assert blows.strike(Play(game, lamp()), HERO, "foe1").attack.edge == 0


def test_the_end_is_found_by_who_is_left() -> None:
    fight = fight_of(fight_with("orcs"))
    assert check_combat_status(fight) is None
    assert check_combat_status(fight.with_(HERO, hp=0)) == "player_die"
    for one in fight.side("foes"):
        assert check_combat_status(fight) is None
        fight = fight.with_(one.id, hp=0)
    assert check_combat_status(fight) == "player_win"
    assert check_combat_status(fight.with_(HERO, hp=0)) == "player_die"


def test_turns_go_round_and_count_rounds() -> None:
    fight = fight_of(fight_with("orcs"))
    last = len(fight.order) - 1
    assert fight.next_turn() == (1, 1)
    assert fight.model_copy(update={"turn": last}).next_turn() == (2, 0)
    gone = fight.with_(fight.order[1], hp=0)
    assert gone.next_turn() == ((1, 2) if last > 1 else (2, 0))


def test_the_fight_can_be_looked_at_and_costs_nothing() -> None:
    game = first_to_move(fight_with("orcs"))
    made = play(game, Intent(act="status"))
    assert [type(one) for one in made.done] == [h.Consulted]
    assert made.game == game


def test_length_is_a_setting() -> None:
    assert Style().length == "short"
    assert "300 to 500 words" in instructions(Style(length="long"), name="Halla")
    assert "300 to 500 words" not in instructions(Style(), name="Halla")


def test_the_rewards_are_those_of_the_fallen() -> None:
    for seed in range(40):
        game = last_standing(1, str(seed))
        kind = lamp().rules.bestiary[fight_of(game).the("foe1").kind]
        made = play(game, attack())
        ended = [one for one in made.done if isinstance(one, h.CombatEnded)]
        if not ended or ended[0].outcome != "player_win":
            continue
        gained = lamp().scenario.encounters["wight"].gain.xp
        assert (ended[0].xp, ended[0].coin) == (kind.xp + gained, kind.coin)
        assert {*kind.loot} <= {*ended[0].loot}
        assert made.game.sheet.coin == game.sheet.coin + kind.coin
        assert made.game.sheet.xp == game.sheet.xp + ended[0].xp
        return
    raise AssertionError("nobody has won")


def test_the_story_knows_how_the_fight_ended() -> None:
    made = Play(first_to_move(fight_with("orcs")), lamp())
    spoils.conclude(made, "player_win")
    told = [line for line in chronicle_lines(made.game, lamp()) if line.startswith("victory over")]
    assert told
    assert made.game.last_result
    assert made.game.last_result.outcome == "player_win"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"hp": 0}, "dead"),
        ({"fled": True}, "fled"),
        ({"yielded": True}, "yielded"),
        ({}, "fighting"),
    ],
)
def test_whoever_is_dead_is_shown_as_dead(change: dict[str, object], status: str) -> None:
    game = fight_with("orcs")
    game = game.model_copy(update={"fight": fight_of(game).with_("foe1", **change)})
    state = State(game=game, scenario="greenway-lamp")
    shown = AGENT.view(state, "player")["combat_state"]["participants"]  # type: ignore[index,call-overload]
    assert {one["id"]: one["status"] for one in shown}["foe1"] == status  # type: ignore[index,union-attr]


def test_nothing_is_won_by_running() -> None:
    game = first_to_move(fight_with("orcs"))
    made = Play(game, lamp())
    spoils.conclude(made, "player_flee")
    assert (made.game.sheet.xp, made.game.sheet.coin) == (game.sheet.xp, game.sheet.coin)
    assert hero_at("inn").fight is None
