"""Reviews a finished battle: for each choice, the alternatives and whether one was better.

Each position is searched with a fixed number of visits from a fixed seed, so a log always has the
same review. What a choice gives away is skill. Whatever happens afterwards beyond that is luck: the
dice and the opponent's choices together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.battle.adapters.hindsight import decisions_of
from ruleplay.agents.battle.adapters.replays import Decided, Replay
from ruleplay.agents.battle.adapters.world import BROKE, Budget, World
from ruleplay.agents.battle.domain.chances import beyond, given_away, most_promising
from ruleplay.agents.battle.domain.memory import Memory
from ruleplay.agents.battle.domain.naming import bare, order_words, step_words
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.results import Inference
from ruleplay.agents.battle.domain.sets import opponent_sets
from ruleplay.agents.battle.policy.assessment import Assessment, assess
from ruleplay.agents.battle.policy.lessons import Fault, Lesson, lessons
from ruleplay.errors import Unavailable, UserError

OPTIONS_SHOWN = 4
"""Alternatives listed for each choice."""
GRADES = ((0.03, "good"), (0.08, "inaccuracy"), (0.18, "mistake"))
"""Grades by the winning chance that a choice gives away at most; beyond them it is a blunder."""
CHOICES = 500
"""Choices that are reviewed at most; battles have a tenth of that, and turns can be selected."""
VISITS_A_MS = 200
"""Visits that stand for a millisecond of search: a fixed number, so speed does not matter."""
EXPLORATION = 0.5
"""Wider than in play, because the alternatives have to be evaluated, too."""


class Option(BaseModel):
    """An alternative; `value` is the winning chance that the search gives it."""

    model_config = ConfigDict(frozen=True)

    order: str
    score: float
    value: float | None = None
    why: str = ""


class Step(BaseModel):
    """Each side's action in one turn of a continuation."""

    model_config = ConfigDict(frozen=True)

    ours: str
    theirs: str


class ReviewedTurn(BaseModel):
    """One choice: what was played, what would have been best, and the difference.

    `lost` is the winning chance given away, None if no search could tell; `chance` is the winning
    chance before the choice, and `luck` its change beyond what the choice explains. `line`
    continues with the best choice, `instead` with the one played if that is worse. `sets` are the
    guesses at that time.
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
    number: int = 0
    chance: float | None = None
    luck: float | None = None
    line: tuple[Step, ...] = ()
    instead: tuple[Step, ...] = ()
    sets: tuple[str, ...] = ()


class Review(BaseModel):
    """A reviewed battle; `accuracy` is 0 to 100, `repeatable` whether it always comes out so."""

    model_config = ConfigDict(frozen=True)

    room: str
    format: str
    player: str
    opponent: str
    winner: str
    exact: bool
    turns: tuple[ReviewedTurn, ...]
    counts: dict[str, int]
    accuracy: float | None = None
    lost: float | None = None
    luck: float | None = None
    lessons: tuple[Lesson, ...] = ()
    visits: int = 0
    repeatable: bool = True
    id: str = ""

    @property
    def title(self) -> str:
        """The battle on one line."""
        won = f", won by {self.winner}" if self.winner else ""
        return f"{self.player} against {self.opponent}{won}"

    @property
    def summary(self) -> str:
        """The number of choices by grade, and the limits of the review."""
        counted = ", ".join(f"{count} {grade}" for grade, count in self.counts.items())
        known = "" if self.exact else " The team is what the log reveals, with the likeliest sets."
        sure = "" if self.accuracy is None else f" Accuracy {self.accuracy:.0f} of 100."
        luck = "" if self.luck is None else f" Luck and their choices: {self.luck:+.0%}."
        told = f"{len(self.turns)} choices of {self.player}: {counted or 'none'}."
        return f"{told}{sure}{luck}{known}"


async def review_replay(
    replay: Replay,
    player: str,
    world: World,
    *,
    search_ms: int,
    engine: str,
    visits: int = 0,
    turns: tuple[int, int] = (0, 0),
    most_visits: int = 0,
    on_turn: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Review a player's choices: those in our record, or those that the log shows.

    `player` is a name or role; "" means us, or p1. Each choice is searched for `visits`, or for as
    many as `search_ms` stands for, and all choices together for `most_visits` unless that is 0.
    `turns` are the first and last turn, 0 for no limit. UserError if there is nothing to review, or
    too much.
    """
    role = replay.role(player or replay.us or "p1")
    names = dict(replay.players)
    exact = bool(replay.decisions) and names[role] == replay.us
    found = _choices(replay, role, world, turns)
    wanted = visits or search_ms * VISITS_A_MS
    each = min(wanted, most_visits // len(found)) if most_visits else wanted
    playing = world.engine(engine, replay.format)
    budget = Budget(0, playing, replay.format, 1, each, EXPLORATION)
    reviewed = []
    for number, decided in enumerate(found):
        reviewed.append(await _reviewed(decided, world, budget, number))
        on_turn(number + 1, len(found))
    told = _with_luck([turn for turn, _ in reviewed], _ended(replay, names[role], turns))
    grades = [turn.grade for turn in told]
    return Review(
        room=replay.room,
        format=replay.format,
        player=names[role],
        opponent=names["p2" if role == "p1" else "p1"],
        winner=replay.winner,
        exact=exact,
        turns=told,
        counts={grade: grades.count(grade) for grade in dict.fromkeys(sorted(grades))},
        accuracy=_accuracy(told),
        lost=_summed([turn.lost for turn in told]),
        luck=_summed([turn.luck for turn in told]),
        lessons=lessons([fault for _, fault in reviewed if fault]),
        visits=each,
        repeatable=not each or budget.repeatable,
    )


def _choices(
    replay: Replay, role: str, world: World, turns: tuple[int, int]
) -> tuple[Decided, ...]:
    """List the choices to review: those in the span of turns that had an alternative."""
    name = dict(replay.players)[role]
    exact = bool(replay.decisions) and name == replay.us
    all_ = replay.decisions if exact else decisions_of(replay, role, world.pool(replay.format))
    first, last = turns[0], turns[1] or math.inf
    wanted = (
        one for one in all_ if len(one.position.legal) > 1 and first <= one.position.turn <= last
    )
    # Read lazily: a hostile log may show any number of choices.
    found = tuple(islice(wanted, CHOICES + 1))
    if len(found) > CHOICES:
        raise UserError(
            f"the log has more than {CHOICES} choices of {name!r}; name turns, such as "
            f"{max(1, first)}-{found[CHOICES - 1].position.turn}"
        )
    if not found:
        raise UserError(f"the log shows no choice of {name!r} that could be reviewed")
    return found


def _ended(replay: Replay, name: str, turns: tuple[int, int]) -> float | None:
    """Convert the result for a player to a winning chance, if the review covers the end."""
    if turns[1] or not replay.winner:
        return None
    return 1.0 if replay.winner == name else 0.0


def _with_luck(turns: Sequence[ReviewedTurn], ended: float | None) -> tuple[ReviewedTurn, ...]:
    """Compute each turn's luck: the next winning chance less what the choice had left."""
    shares = beyond([(turn.chance, turn.lost) for turn in turns], ended)
    pairs = zip(turns, shares, strict=True)
    return tuple(turn.model_copy(update={"luck": share}) for turn, share in pairs)


def _accuracy(turns: Sequence[ReviewedTurn]) -> float | None:
    """Average what the choices kept, as 0 to 100: giving away a tenth is about 60."""
    lost = [turn.lost for turn in turns if turn.lost is not None]
    return round(sum(100 * math.exp(-5 * each) for each in lost) / len(lost), 1) if lost else None


def _summed(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known), 4) if known else None


async def _reviewed(
    decided: Decided, world: World, budget: Budget, number: int
) -> tuple[ReviewedTurn, Fault | None]:
    """Review one choice; the second value is the mistake that it was, if any."""
    position = decided.position
    inference = opponent_sets(position, world.pool(budget.format))
    found = await _assessed(position, inference, world, budget, number)
    best = _best(found)
    lost = given_away(found.verdict, best, decided.order)
    grade = _grade(decided, best, lost)
    line, instead = await _lines(decided, inference, world, budget, best, grade)
    turn = ReviewedTurn(
        turn=position.turn,
        number=number + 1,
        forced=position.force_switch,
        played=order_words(decided.order, position),
        best=order_words(best, position),
        grade=grade,
        lost=lost,
        expected=found.expected.summary,
        options=_options(position, found),
        chance=None if lost is None else round(_values(found)[best], 4),
        line=line,
        instead=instead,
        sets=_sets(inference),
    )
    wrong = grade not in {"good", "otherwise"} and lost is not None
    return turn, Fault(position.turn, decided.order, best, lost or 0.0) if wrong else None


async def _lines(
    decided: Decided, inference: Inference, world: World, budget: Budget, best: Order, grade: str
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Search for continuations after the best choice, and after the one made if it is worse."""
    position = decided.position
    if not budget.visits or position.team_preview:
        return (), ()
    line = await world.line(position, inference, best, budget)
    worse = grade != "good" and decided.order != best
    instead = await world.line(position, inference, decided.order, budget) if worse else ()
    return _told(line), _told(instead)


def _told(steps: Sequence[tuple[str, str]]) -> tuple[Step, ...]:
    return tuple(Step(ours=step_words(ours), theirs=step_words(theirs)) for ours, theirs in steps)


def _sets(inference: Inference) -> tuple[str, ...]:
    """List the set that each opposing Pokémon was assumed to have."""
    found = []
    for ident, guess in inference.guesses.items():
        best, chance = guess.best, guess.sets[0].chance
        moves = ", ".join(step_words(move) for move in best.moves)
        item = best.item or "no item"
        found.append(f"{bare(ident)} ({chance:.0%}): {item}, {best.ability}, {moves}")
    return tuple(found)


async def _assessed(
    position: Position, inference: Inference, world: World, budget: Budget, number: int
) -> Assessment:
    verdict = None
    if budget.visits and not position.team_preview:
        # A fixed seed, so that a log always has the same review.
        rng = Random(f"review/{position.battle}/{number}")
        verdict = await world.search(position, inference, budget, rng)
        if verdict.summary == BROKE:
            raise Unavailable(f"the search of turn {position.turn} broke; ask for the review again")
    return assess(position, inference, Memory(), verdict)


def _best(found: Assessment) -> Order:
    """Find the best choice among those searched well, else the policy's choice."""
    best = most_promising(found.verdict)
    return best.order if best else found.decision.order


def _values(found: Assessment) -> dict[Order, float]:
    lines = found.verdict.lines if found.verdict else ()
    return {line.order: line.value for line in lines}


def _grade(decided: Decided, best: Order, lost: float | None) -> str:
    if decided.order == best:
        return "good"
    if lost is None:
        # The search did not compare them, so the choice is only noted as different.
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
