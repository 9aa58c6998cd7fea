"""The battle as JSON for pages: both sides, ranked options, and the decision with its trace."""

from __future__ import annotations

from pydantic import BaseModel

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.naming import bare, move_name, order_words
from ruleplay.agents.battle.domain.phrases import LANGUAGES, wish_said
from ruleplay.agents.battle.domain.position import Mon, Position, Side
from ruleplay.agents.battle.domain.results import Guess, MoveOption, SwitchOption
from ruleplay.agents.battle.domain.wishes import Wish
from ruleplay.agents.battle.state import DecisionTrace, State
from ruleplay.records.events import Json

LOG_SHOWN = 60
"""Lines of the log that are sent to pages."""
STAGES = ("atk", "def", "spa", "spd", "spe", "accuracy", "evasion")


def view(state: State) -> Json:
    """Convert a state for display; `board` is null before the first request."""
    position, trace = state.position, state.trace
    return {
        **_some(state, "battle format us opponent result timed_out decisions by_model refusals"),
        **_some(state, "strategy analysis assessment memory"),
        "turn": position.turn if position else 0,
        "assessed": state.memory.turn,
        "board": board(state, position) if position else None,
        "names": names(state, position) if position else {},
        "moves": [move(one) for one in trace.moves.moves] if trace else [],
        "switches": [switch(one) for one in trace.switches.switches] if trace else [],
        "expected": _dump(trace.expected) if trace else None,
        "tera": _dump(trace.tera) if trace else None,
        "search": _dump(trace.verdict) if trace and trace.verdict else None,
        "decision": decision(state, trace, position) if trace and position else None,
        "matchups": [_dump(pair) for pair in state.pairs],
        "chances": [[turn, value] for turn, value in state.chances],
        "wishes": [_wish(one, position) for one in state.wishes],
        "offered": [_wish(one, position) for one in state.offered],
        "log": [*position.log[-LOG_SHOWN:]] if position else [],
    }


def names(state: State, position: Position) -> Json:
    """Map the ids of items, abilities and moves on the board to their display names."""
    team = (*position.ours.team, *position.theirs.team)
    sets = [one.set for guess in state.inference.guesses.values() for one in guess.sets]
    items = {mon.item for mon in team} | {one.item for one in sets}
    abilities = {mon.ability for mon in team} | {one.ability for one in sets}
    moves = {move for one in sets for move in one.moves}
    return {
        **{key: move_name(key) for key in sorted(moves)},
        **{key: dex.ability_name(key) for key in sorted(filter(None, abilities))},
        **{key: item_name(key) for key in sorted(filter(None, items))},
    }


def board(state: State, position: Position) -> Json:
    """Convert both sides and the field."""
    field = position.field
    return {
        "ours": side(position.ours, {}),
        "theirs": side(position.theirs, state.inference.guesses),
        "weather": _dump(field.weather) if field.weather else None,
        "terrain": _dump(field.terrain) if field.terrain else None,
        "rooms": [_dump(room) for room in field.rooms],
        "force_switch": position.force_switch,
        "team_preview": position.team_preview,
        "time_left": position.time_left,
    }


def side(half: Side, guesses: dict[str, Guess]) -> Json:
    """Convert one player's side."""
    return {
        "name": half.name,
        "alive": half.alive,
        "unseen": half.unseen,
        "tera_used": half.tera_used,
        "conditions": [_dump(condition) for condition in half.conditions],
        "team": [mon(one, guesses.get(one.ident)) for one in half.team],
    }


def mon(one: Mon, guess: Guess | None) -> Json:
    """Convert a Pokémon; `sets` are guesses about theirs, the likeliest first."""
    return {
        **_some(
            one, "ident species level types tera_type terastallized active hp_now hp_max status"
        ),
        **_some(one, "item ability moves volatiles"),
        "name": bare(one.ident),
        "fainted": one.fainted,
        "hp": round(one.hp, 4),
        "boosts": {stage: one.boosts[stage] for stage in STAGES if one.boosts[stage]},
        "sets": [_dump(each) for each in guess.sets] if guess else [],
        "sets_note": guess.note if guess else "",
    }


def move(one: MoveOption) -> Json:
    """Convert a ranked move; its damage range is in percent."""
    return {
        **_some(
            one, "move name rank accuracy priority damage_to_active damage_to_switches reasoning"
        ),
        "score": round(one.score, 4),
        "low": round(100 * one.damage.low, 1),
        "high": round(100 * one.damage.high, 1),
        "ko_chance": round(one.ko_chance, 4),
    }


def switch(one: SwitchOption) -> Json:
    """Convert a ranked switch with the cost of entering."""
    return {
        **_some(one, "ident rank survives damage_on_switch matchup_result reasoning"),
        "name": bare(one.ident),
        "score": round(one.score, 4),
        "hp_after": round(one.hp_after, 4),
    }


def decision(state: State, trace: DecisionTrace, position: Position) -> Json:
    """Convert the decision: who made it, all scores, alternatives, times."""
    chosen = state.order
    return {
        "order": order_words(trace.chosen, position),
        "wire": chosen.wire if chosen else "",
        "source": trace.source,
        "best": order_words(trace.best, position),
        "wanted": order_words(trace.wanted, position) if trace.wanted else None,
        "refused": [*trace.refused],
        "predicted_by": trace.predicted_by,
        "scores": [
            {
                "order": order_words(one.order, position),
                "score": round(one.score, 4),
                "why": one.why,
            }
            for one in trace.scores
        ],
        "value": chosen.value if chosen else None,
        "held": bool(chosen and chosen.held),
        "request_id": trace.request_id,
        "laps": [_dump(lap) for lap in trace.laps],
    }


def _wish(wish: Wish, position: Position | None) -> Json:
    """Convert a wish to its wording, and to the action that takes it back."""
    said = {language: wish_said(language, wish, position) for language in LANGUAGES}
    return {"said": {**said}, "stands": wish.stands, "wish": _dump(wish)}


def _some(model: BaseModel, names: str) -> Json:
    """Select fields by name."""
    return model.model_dump(mode="json", include={*names.split()})


def _dump(model: BaseModel) -> Json:
    return model.model_dump(mode="json")
