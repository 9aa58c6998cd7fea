"""Tools for other programs' models: damage, sets and reviews, answered as the commands do.

Implementations are imported at the first call, since tools are listed whenever a program starts.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from ruleplay.errors import Unavailable, UserError
from ruleplay.kernel.toolbox import SCHEME, Answer, Source, Starter, Tool, Toolbox
from ruleplay.records.events import Json

if TYPE_CHECKING:
    from ruleplay.agents.battle.adapters.review import Review
    from ruleplay.agents.battle.adapters.world import World
    from ruleplay.agents.battle.domain.pool import SetPool

LONGEST = 400_000
"""Characters of a replay's log; long battles have a quarter of that."""
FORMAT = Field(default="gen9randombattle", max_length=80, description="Showdown's format")
POKEMON = "the species first, then what matters: 'Great Tusk, Choice Band, +1 atk, tera ice, 75%'"
"""How a Pokémon is written, for the arguments' descriptions."""
SEARCH_MS = 200
"""The same as on the page, so that a log has the same review wherever it is asked for."""
AT_ONCE = 2
"""Simulators or reviews that may run at the same time; each is a process."""
_BUSY = BoundedSemaphore(AT_ONCE)


class DamageQuestion(BaseModel):
    """A move of one Pokémon against another."""

    attacker: str = Field(max_length=300, description=POKEMON)
    move: str = Field(max_length=80)
    defender: str = Field(max_length=300, description="in the same way")
    field: list[str] = Field(
        default_factory=list, max_length=8, description="weather, terrain, room, screen"
    )
    format: str = FORMAT
    targets: int = Field(
        default=3, ge=1, le=3, description="targets in reach of a spread move, in double battles"
    )


class SetsQuestion(BaseModel):
    """A Pokémon, and what was seen of it."""

    species: str = Field(max_length=80)
    seen: list[str] = Field(
        default_factory=list, max_length=12, description="moves, items, abilities, tera types"
    )
    level: int = Field(default=0, ge=0, le=100, description="0 where it was not seen")
    format: str = FORMAT


class ReviewQuestion(BaseModel):
    """A finished battle."""

    replay: str = Field(
        default="", max_length=LONGEST, description="Showdown's log, or a saved replay page, whole"
    )
    review: str = Field(default="", max_length=24, description="the id of a review made before")
    player: str = Field(default="", max_length=80, description="whose turns: a name, p1 or p2")


@contextmanager
def _turn() -> Iterator[None]:
    """Take one of the places, or raise Unavailable if all are taken."""
    if not _BUSY.acquire(blocking=False):
        raise Unavailable(f"{AT_ONCE} battles are being looked at already; ask again in a moment")
    try:
        yield
    finally:
        _BUSY.release()


def _pool(world: World, named: str) -> tuple[SetPool, Json]:
    """Load a format's sets, with a note if they have to come from the dex (NotFound)."""
    from ruleplay.agents.battle.adapters.exhibition import installed_package
    from ruleplay.agents.battle.adapters.formats import find_format

    find_format(installed_package(world.home), named)
    problem = asyncio.run(world.prepare(named))
    return world.pool(named), {"format_note": problem} if problem else {}


def _damage(world: World, asked: DamageQuestion) -> Answer:
    from ruleplay.agents.battle.adapters.calculator import Question, answer
    from ruleplay.agents.battle.adapters.exhibition import installed_package

    with _turn():
        package, (pool, note) = installed_package(world.home), _pool(world, asked.format)
        question = Question.model_validate(asked.model_dump())
        found = asyncio.run(answer(package, pool, question))
    return Answer(content={**found.model_dump(mode="json"), **note})


def _sets(world: World, asked: SetsQuestion) -> Answer:
    from ruleplay.agents.battle.policy.seen import guess_of

    with _turn():
        pool, note = _pool(world, asked.format)
    found = guess_of(asked.species, asked.seen, asked.level, pool)
    return Answer(content={**found.model_dump(mode="json"), **note})


def _review(world: World, asked: ReviewQuestion) -> Answer:
    from ruleplay.agents.battle.adapters.review_process import Asked, kept_or_made
    from ruleplay.agents.battle.adapters.review_store import kept_review

    if bool(asked.replay) == bool(asked.review):
        raise UserError("send a replay's log, or the id of a review that was made")
    if asked.review:
        return _told(kept_review(world.home, asked.review))
    with _turn(), tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "replay.log"
        file.write_text(asked.replay, encoding="utf-8", errors="replace")
        return _told(asyncio.run(kept_or_made(Asked(world.home, file, asked.player, SEARCH_MS))))


def _told(review: Review) -> Answer:
    """Shorten a review to the turns in which there was a choice that could have been better."""
    whole = review.model_dump(mode="json")
    faults = [turn for turn in whole.pop("turns") if turn["grade"] != "good" and not turn["forced"]]
    told = {"title": review.title, "summary": review.summary, **whole, "findings": faults}
    address = Source(uri=f"{SCHEME}battle/reviews/{review.id}", title=review.title)
    return Answer(content=told, sources=(address,))


def _tool(
    name: str, description: str, asked: type[BaseModel], run: Callable[..., Answer], at: str = ""
) -> Tool:
    return Tool(f"battle_{name}", description, asked, run, template=at)


TOOLBOX = Toolbox(
    tools=(
        _tool(
            "damage",
            "What a move does in a Pokémon battle, rolled by Showdown's own simulator: points,"
            " shares and the chance to knock out.",
            DamageQuestion,
            _damage,
        ),
        _tool(
            "sets",
            "What a Pokémon may carry after what was seen of it, with chances.",
            SetsQuestion,
            _sets,
        ),
        _tool(
            "review",
            "What was done badly in a finished battle, by turn, with what would have been better"
            " and what it cost. Takes up to two minutes.",
            ReviewQuestion,
            _review,
            f"{SCHEME}battle/reviews/{{review}}",
        ),
    ),
    starters=(
        Starter(
            "review_battle",
            "What I could have played better",
            "Use the Ruleplay battle tools to review this battle and tell me, turn by turn, what I"
            " could have played better. {replay}",
            (("replay", "the battle's log, or the id of its review"),),
        ),
    ),
)
