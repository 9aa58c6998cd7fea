"""Questions about past turns and finished battles: answered about that very turn, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleplay.agents.battle.adapters.hindsight import decisions_of
from ruleplay.agents.battle.adapters.replays import from_log, read_replay
from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain.chances import beyond
from ruleplay.agents.battle.domain.meaning import Thing
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.policy.course import chances, course
from ruleplay.agents.battle.policy.names import Lexicon
from ruleplay.agents.battle.state import lean
from ruleplay.kernel.replay import replay
from ruleplay.kernel.session import Session
from ruleplay.records.events import Json
from ruleplay.settings import Settings

LOG = Path(__file__).parents[2] / "web" / "battle.log"


@pytest.fixture
def asked(settings: Settings) -> tuple[Position, ...]:
    """Return the requests of a recorded battle of ten turns, in which all turns have a choice."""
    found = read_replay(LOG)
    decided = decisions_of(found, "p1", World(settings.home).pool(found.format))
    return tuple(
        one.position.model_copy(update={"request_id": number})
        for number, one in enumerate(decided, start=1)
    )


@pytest.fixture
async def played(session: Session, asked: tuple[Position, ...]) -> Session:
    for position in asked:
        await session.turn(action={"kind": "decide", "position": lean(position)})
    return session


async def chosen(session: Session) -> dict[int, str]:
    """Return the move chosen on each turn."""
    turns = await session.host.store.lineage((await session.head()).head)
    kept = course(tuple(event for turn in turns for event in turn.events))
    return {one.turn: one.order.move for one in kept.choices if one.order.kind == "move"}


async def ended(session: Session, position: Position | None) -> None:
    action: Json = {"kind": "finish", "result": "win", "turns": 10}
    told = {} if position is None else {"position": lean(position)}
    await session.turn(action={**action, **told})


@pytest.mark.parametrize(
    ("message", "turn"),
    [
        ("why that on turn 3?", 3),
        ("pourquoi ça au tour 3 ?", 3),
        ("why not Calm Mind t7", 7),
        ("pourquoi pas Boomburst au tour 7 ?", 7),
        ("what did you expect Slowking to do on turn 5?", 5),
        ("tu t'attendais à quoi de Slowking au tour 5 ?", 5),
        ("what happened on turn 6", 6),
        ("il s'est passé quoi au tour 6 ?", 6),
    ],
)
async def test_an_answer_is_about_the_turn_that_was_named(
    played: Session, message: str, turn: int
) -> None:
    reply = (await played.turn(message)).reply
    french = " au " in message or "quoi" in message
    assert (f"Au tour {turn} j'ai choisi" if french else f"On turn {turn} I chose") in reply
    others = {*range(1, 11)} - {turn}
    assert not any(f"urn {other} " in reply or f"our {other} " in reply for other in others)
    assert (await replay(played.host, played.id)).identical


async def test_an_order_for_a_past_turn_is_a_question(played: Session) -> None:
    before = (await played.view())["decisions"]
    reply = (await played.turn("use Boomburst on turn 4")).reply
    assert "On turn 4 I chose" in reply
    assert (await played.view())["decisions"] == before


async def test_what_was_not_kept_is_said_to_be_missing(
    session: Session, asked: tuple[Position, ...]
) -> None:
    bare = asked[8].model_copy(update={"log": ()})
    await session.turn(action={"kind": "decide", "position": lean(bare)})
    assert "kept nothing of turn 4" in (await session.turn("why that move on turn 4?")).reply
    assert "rien gardé du tour 4" in (await session.turn("pourquoi ce coup au tour 4 ?")).reply


async def test_what_was_impossible_says_why(session: Session, asked: tuple[Position, ...]) -> None:
    first = asked[0]
    only = tuple(o for o in first.legal if o.kind == "move" and o.move == "earthpower")
    locked = first.model_copy(update={"legal": only[:1]})
    for position in (locked, *asked[1:3]):
        await session.turn(action={"kind": "decide", "position": lean(position)})
    reply = (await session.turn("why not Calm Mind on turn 1?")).reply
    assert "could only use Earth Power then" in reply


async def test_a_finished_battle_is_told_as_finished(
    played: Session, asked: tuple[Position, ...]
) -> None:
    theirs = asked[-1].theirs
    team = tuple(m.model_copy(update={"hp": 0.0, "status": "fnt"}) for m in theirs.team)
    last = asked[-1].model_copy(
        update={"theirs": theirs.model_copy(update={"team": team, "size": len(team)})}
    )
    await ended(played, last)
    for message, told in (
        ("who won and how many were left?", "The battle is over: we won"),
        ("qui a gagné ?", "Le combat est fini : on a gagné"),
        ("what are you going to do next?", "The battle is over: we won"),
        ("c'est quoi la suite ?", "Le combat est fini"),
        ("use your strongest move instead", "over"),
        ("passe à ton dernier Pokémon", "fini"),
        ("could we have lost?", "The battle is over: we won"),
    ):
        reply = (await played.turn(message)).reply
        assert told in reply, message
        assert "already gone out" not in reply
        assert "déjà parti" not in reply
    assert "0 of theirs" in (await played.turn("did we win?")).reply
    assert (await replay(played.host, played.id)).identical


async def test_how_a_battle_stood_at_its_end_is_not_made_up(played: Session) -> None:
    await ended(played, None)
    assert "At my last choice" in (await played.turn("who won?")).reply


async def test_luck_is_counted_over_the_whole_battle(played: Session) -> None:
    reply = (await played.turn("were we lucky over the whole battle?")).reply
    assert "theirs 1 (turn 1)" in reply
    reply = (await played.turn("c'était de la chance au tour 1 ?")).reply
    assert "coup critique" in reply


async def test_a_mistake_is_looked_up_and_a_review_named(played: Session) -> None:
    for message in ("what was your biggest mistake?", "quelle a été ta plus grosse erreur ?"):
        assert "ruleplay battle review" in (await played.turn(message)).reply


async def test_a_new_session_says_how_to_play(session: Session) -> None:
    reply = (await session.turn("Salut, je veux jouer un combat contre toi")).reply
    assert reply.startswith("Il ne s'est encore rien passé")
    assert "battle challenge" in reply
    assert "battle accept" in reply
    assert (await session.turn("how do I play?")).reply.startswith("Nothing has happened yet")


@pytest.mark.parametrize(
    ("said", "turn"),
    [
        ("why that on turn 4?", "4"),
        ("why that t4", "4"),
        ("au tour 4 ?", "4"),
        ("le 4e tour", "4"),
        ("the 4th turn", "4"),
        ("turn four", "4"),
        ("tour quatre", "4"),
        ("turn 12", ""),  # not played yet
        ("in 4 turns", ""),
        ("tackle 4 times", ""),
    ],
)
def test_past_turns_have_names(said: str, turn: str) -> None:
    names = Lexicon({}, {}, lambda word: True, turn=9).find(said)
    assert [one for one in names.things if one.kind == "turn"] == (
        [Thing("turn", turn)] if turn else []
    )


def test_luck_is_what_a_choice_does_not_explain() -> None:
    assert beyond([(0.5, 0.1), (0.7, 0.0)], 1.0) == (0.3, 0.3)
    assert beyond([(0.5, None), (None, 0.0)], None) == (None, None)
    assert beyond([], 1.0) == ()


async def test_a_course_knows_every_choice(played: Session, asked: tuple[Position, ...]) -> None:
    moves = await chosen(played)
    assert [*moves] == [position.turn for position in asked]
    turns = await played.host.store.lineage((await played.head()).head)
    kept = course(tuple(event for turn in turns for event in turn.events))
    assert [(kind, one.turn) for kind, one in chances(kept.every)] == [("crit", 1)]


PIVOT = """|player|p1|Ruleplay|169|
|player|p2|Opponent|1|
|gen|9
|tier|[Gen 9] Random Battle
|teamsize|p1|6
|teamsize|p2|6
|start
|switch|p1a: Rotom|Rotom-Heat, L83|100/100
|switch|p2a: Slowking|Slowking, L87, F|100/100
|turn|1
|
|move|p1a: Rotom|Volt Switch|p2a: Slowking
|-damage|p2a: Slowking|40/100
|
|switch|p1a: Dudunsparce|Dudunsparce, L83, F|100/100|[from] Volt Switch
|move|p2a: Slowking|Surf|p1a: Dudunsparce
|-damage|p1a: Dudunsparce|60/100
|
|upkeep
|turn|2
|
|switch|p1a: Rotom|Rotom-Heat, L83|100/100
|move|p2a: Slowking|Dragon Tail|p1a: Rotom
|drag|p1a: Dudunsparce|Dudunsparce, L83, F|60/100|[from] move: Dragon Tail
|upkeep
|win|Ruleplay"""


def test_who_comes_in_after_a_pivoting_move_was_a_choice(settings: Settings) -> None:
    found = from_log(PIVOT.splitlines())
    decided = [*decisions_of(found, "p1", World(settings.home).pool(found.format))]
    assert [(one.order.kind, one.position.turn) for one in decided] == [
        ("move", 1),
        ("switch", 1),
        ("switch", 2),
    ]
    pivot = decided[1].position
    assert pivot.force_switch
    assert pivot.theirs.active is not None
    assert pivot.theirs.active.hp == pytest.approx(0.4)
