"""The review of a finished battle: for each of our turns what else there was, and was it better."""

from __future__ import annotations

import html
from collections.abc import Callable
from itertools import islice
from random import Random

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.adapters.hindsight import decisions_of
from ruleplay.agents.battle.adapters.replays import Decided, Replay
from ruleplay.agents.battle.adapters.world import Budget, World
from ruleplay.agents.battle.domain.memory import Memory
from ruleplay.agents.battle.domain.naming import order_words
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.agents.battle.domain.sets import opponent_sets
from ruleplay.agents.battle.policy.assessment import Assessment, assess
from ruleplay.foundation.errors import UserError

OPTIONS_SHOWN = 4
GRADES = ((0.03, "good"), (0.08, "inaccuracy"), (0.18, "mistake"))
"""How much of the chance of winning a choice may give away to be called that; more: a blunder."""
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.3rem .6rem;border-bottom:1px solid "
    "#8884;text-align:left;vertical-align:top}.blunder{color:#c22}.mistake{color:#b60}"
    ".inaccuracy{color:#880}"
)


class Option(BaseModel):
    """One thing that could have been done; `value` is the chance of winning a search gives it."""

    model_config = ConfigDict(frozen=True)

    order: str
    score: float
    value: float | None = None
    why: str = ""


class ReviewedTurn(BaseModel):
    """One choice: what was played, what the rules take for best, and what that is worth.

    `lost` is how much of the chance of winning was given away, None where no search could tell.
    """

    model_config = ConfigDict(frozen=True)

    turn: int
    forced: bool
    played: str
    best: str
    grade: str
    lost: float | None = None
    expected: str = ""
    options: tuple[Option, ...] = ()


class Review(BaseModel):
    """A reviewed battle."""

    model_config = ConfigDict(frozen=True)

    room: str
    format: str
    player: str
    opponent: str
    winner: str
    exact: bool
    turns: tuple[ReviewedTurn, ...]
    counts: dict[str, int]

    @property
    def title(self) -> str:
        """The battle in one line."""
        won = f", won by {self.winner}" if self.winner else ""
        return f"{self.player} against {self.opponent}{won}"

    @property
    def summary(self) -> str:
        """How the choices were, counted; and what the review could not know."""
        counted = ", ".join(f"{count} {grade}" for grade, count in self.counts.items())
        known = "" if self.exact else " The team is what the log reveals, with the likeliest sets."
        return f"{len(self.turns)} choices of {self.player}: {counted or 'none'}.{known}"

    @property
    def markdown(self) -> str:
        """The review as Markdown."""
        lines = [f"# {_plain(self.title)}", "", _plain(self.summary), ""]
        lines += ["| turn | played | better | what else there was |", "|---|---|---|---|"]
        for turn in self.turns:
            cells = (_turn(turn), _played(turn), _better(turn), _others(turn))
            lines.append("| " + " | ".join(_plain(cell) for cell in cells) + " |")
        return "\n".join(lines) + "\n"

    @property
    def page(self) -> str:
        """The review as a page of its own."""
        rows = "".join(
            f'<tr class="{html.escape(turn.grade)}"><td>{_turn(turn)}</td>'
            f"<td>{html.escape(_played(turn))}</td><td>{html.escape(_better(turn))}</td>"
            f"<td>{html.escape(_others(turn))}</td></tr>"
            for turn in self.turns
        )
        title = html.escape(self.title)
        return (
            f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
            f"<style>{STYLE}</style><h1>{title}</h1><p>{html.escape(self.summary)}</p>"
            "<table><thead><tr><th>turn</th><th>played</th><th>better</th>"
            f"<th>what else there was</th></tr></thead><tbody>{rows}</tbody></table></html>\n"
        )


def _plain(text: str) -> str:
    """Keep players' own words from becoming markup or cells."""
    for sign in "\\`*_[]<>#|":
        text = text.replace(sign, "\\" + sign)
    return text.replace("\n", " ")


def _turn(turn: ReviewedTurn) -> str:
    return f"{turn.turn}{' (forced)' if turn.forced else ''}"


def _played(turn: ReviewedTurn) -> str:
    lost = f" (-{turn.lost:.0%})" if turn.lost and turn.grade != "good" else ""
    return f"{turn.played}: {turn.grade}{lost}"


def _better(turn: ReviewedTurn) -> str:
    return "" if turn.grade == "good" else turn.best


def _others(turn: ReviewedTurn) -> str:
    return "; ".join(
        one.order + (f" {one.value:.0%}" if one.value is not None else "") for one in turn.options
    )


async def review_replay(
    replay: Replay,
    player: str,
    world: World,
    *,
    search_ms: int,
    engine: str,
    most: int = 0,
    searched_ms: int = 0,
    on_turn: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Review a player's choices: those our record holds, or those that a log shows.

    `player` is a name or role; "" takes ours, or p1. `most` bounds the choices, `searched_ms` the
    search of them all; 0 bounds nothing. UserError when there is nothing to review, or too much.
    """
    role = replay.role(player or replay.us or "p1")
    names = dict(replay.players)
    exact = bool(replay.decisions) and names[role] == replay.us
    pool = world.pool(replay.format)
    all_ = replay.decisions if exact else decisions_of(replay, role, pool)
    found = tuple(
        islice((one for one in all_ if len(one.position.legal) > 1), most + 1 if most else None)
    )
    if most and len(found) > most:
        raise UserError(f"the log has more than {most} choices of {names[role]!r}")
    if not found:
        raise UserError(f"the log shows no choice of {names[role]!r} that could be reviewed")
    turns = []
    each_ms = min(search_ms, searched_ms // len(found)) if searched_ms else search_ms
    budget = Budget(each_ms, engine, replay.format)
    for number, decided in enumerate(found):
        turns.append(await _reviewed(decided, world, budget, number))
        on_turn(number + 1, len(found))
    grades = [turn.grade for turn in turns]
    return Review(
        room=replay.room,
        format=replay.format,
        player=names[role],
        opponent=names["p2" if role == "p1" else "p1"],
        winner=replay.winner,
        exact=exact,
        turns=tuple(turns),
        counts={grade: grades.count(grade) for grade in dict.fromkeys(sorted(grades))},
    )


async def _reviewed(decided: Decided, world: World, budget: Budget, number: int) -> ReviewedTurn:
    position = decided.position
    inference = opponent_sets(position, world.pool(budget.format))
    found = await _assessed(position, inference, world, budget, number)
    lost = _lost(decided, found)
    return ReviewedTurn(
        turn=position.turn,
        forced=position.force_switch,
        played=order_words(decided.order, position),
        best=order_words(found.decision.order, position),
        grade=_grade(decided, found, lost),
        lost=lost,
        expected=found.expected.summary,
        options=_options(position, found),
    )


async def _assessed(
    position: Position, inference: Inference, world: World, budget: Budget, number: int
) -> Assessment:
    verdict = None
    if budget.milliseconds and not position.team_preview:
        rng = Random(f"review/{position.battle}/{number}")
        verdict = await world.search(position, inference, budget, rng)
    return assess(position, inference, Memory(), verdict)


def _values(found: Assessment) -> dict[object, float]:
    lines = found.verdict.lines if found.verdict else ()
    return {line.order: line.value for line in lines}


def _lost(decided: Decided, found: Assessment) -> float | None:
    values = _values(found)
    best, played = values.get(found.decision.order), values.get(decided.order)
    if best is None or played is None:
        return None
    return round(max(0.0, best - played), 4)


def _grade(decided: Decided, found: Assessment, lost: float | None) -> str:
    if decided.order == found.decision.order:
        return "good"
    if lost is None:
        return "otherwise"
    return next((grade for most, grade in GRADES if lost <= most), "blunder")


def _options(position: Position, found: Assessment) -> tuple[Option, ...]:
    values = _values(found)
    ranked = sorted(found.decision.scores, key=lambda one: -one.score)[:OPTIONS_SHOWN]
    return tuple(
        Option(
            order=order_words(one.order, position),
            score=round(one.score, 4),
            value=round(values[one.order], 4) if one.order in values else None,
            why=one.why,
        )
        for one in ranked
    )
