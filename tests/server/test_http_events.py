"""Readers of a session: each event once, also over a cut line, a new server, and a moved head."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

import httpx
import pytest
from tests.server.streaming import SECONDS, Got, Life, Listener, Lives, Wire, until

from ruleplay.errors import Unavailable
from ruleplay.models.scripted import Reply, ScriptedModel
from ruleplay.records.given import Given
from ruleplay.records.turns import Head, Turn
from ruleplay.server import catching_up
from ruleplay.server.app import drain
from ruleplay.server.cursors import END, Cursor

NARRATOR = "duel.narrator"


def gated(*gates: asyncio.Event) -> ScriptedModel:
    """Return a narrator that waits at each gate, after a sentence and the start of the next."""
    pieces: list[str | asyncio.Event] = ["The blades ring. ", "Dust "]
    for gate in gates:
        pieces += [gate, "rises. ", "Somebody shouts. ", "Dust "]
    return ScriptedModel([Reply((*pieces, "settles.")), Reply(("So it goes on.",))])


async def test_a_reader_hears_a_turn_from_its_start_to_its_end(life: Life) -> None:
    session = await life.new("duel")
    async with life.listen(session, seat="red") as reader:
        turn = await life.play(session, "En garde!", seat="red")
        end = await reader.until("turn.committed")
    assert reader.names[0] == "turn.started"
    assert {"node", "event", "text"} <= set(reader.names)
    assert {got.data["turn"] for got in reader.told} == {turn}
    assert [got.id for got in reader.told] == [f"{turn}:{got.data['seq']}" for got in reader.told]
    seqs = [got.place[1] for got in reader.told]
    assert seqs == sorted(set(seqs))
    assert end.place == (turn, END)
    shown = (await life.client.get(f"{session}/turns/{turn}?seat=red")).json()
    assert end.data["view"] == shown.pop("view")
    assert end.data["played"] == {k: v for k, v in shown.items() if k != "status"}
    assert (end.data["parent"], end.data["number"]) == (None, 1)
    assert end.data["reply"] == reader.text.strip()


async def test_a_late_reader_gets_the_running_turn_from_its_start(life: Life) -> None:
    gate = asyncio.Event()
    session = await life.new("duel", gated(gate), NARRATOR)
    async with life.listen(session) as early:
        await life.play(session, "En garde!", wait=False)
        await early.until("text")
        async with life.listen(session) as late:
            await late.until("text")
            gate.set()
            for reader in (early, late):
                await reader.until("turn.committed")
    assert early.told == late.told


@pytest.mark.parametrize("finished", [False, True], ids=["still runs", "was committed"])
async def test_a_cut_line_costs_no_event_and_doubles_none(life: Life, finished: bool) -> None:
    gates = asyncio.Event(), asyncio.Event()
    session = await life.new("duel", gated(*gates), NARRATOR)
    async with life.listen(session) as whole, Wire(life.url).open() as wire:
        async with life.listen(session, url=wire.url) as before:
            turn = await life.play(session, "En garde!", wait=False)
            await before.until("text")
            wire.cut()
            with pytest.raises((httpx.HTTPError, StopAsyncIteration)):
                await before.next()
        # While the reader is away the turn goes on: to the next gate, or to its end.
        gates[0].set()
        await whole.until(lambda got: "shouts" in str(got.data.get("text")))
        if finished:
            gates[1].set()
            await whole.until("turn.committed")
        async with life.listen(session, after=before.last_id, url=wire.url) as after:
            gates[1].set()
            await after.until("turn.committed")
            if not finished:
                await whole.until("turn.committed")
            assert after.told[-1] == whole.told[-1]
            if finished:
                assert after.names == ["turn.committed"]
            else:
                assert before.told + after.told == whole.told
            second = await life.play(session, "Again!", seat="blue")
            await after.until("turn.committed")
    committed = [g.data["turn"] for g in before.told + after.told if g.name == "turn.committed"]
    assert committed == [turn, second]


async def test_a_new_server_goes_on_where_the_last_one_was_stopped(lives: Lives) -> None:
    gate = asyncio.Event()
    first = await lives.start(grace=30)
    session = await first.new("duel", gated(gate), NARRATOR)
    async with first.listen(session) as reader:
        turn = await first.play(session, "En garde!", wait=False)
        await reader.until("text")
        stopping = asyncio.create_task(first.stop())
        await reader.to_end()  # the turn goes on: nobody who reads it holds the server up
        assert "turn.committed" not in reader.names
        gate.set()
        await stopping

    second = await lives.start()
    second.host.models.stand_ins["scripted"] = ScriptedModel(["So it goes on."])
    async with second.listen(session, after=reader.last_id) as resumed:
        end = await resumed.until("turn.committed")
        assert resumed.names == ["turn.committed"]
        assert end.data["turn"] == turn
        assert "Dust settles." in str(end.data["reply"])
        later = await second.play(session, "Again!", seat="blue")
        await resumed.until("turn.committed")
        assert {got.data["turn"] for got in resumed.told[1:]} == {later}
    await second.stop()

    third = await lives.start()
    third.host.models.stand_ins["scripted"] = ScriptedModel(["And on."] * 2)
    more = [await third.play(session, m, seat=s) for m, s in (("A", "red"), ("B", "blue"))]
    async with third.listen(session, after=resumed.last_id) as again:
        ends = [await again.until("turn.committed") for _ in more]
        assert [got.data["turn"] for got in ends] == more
        assert [got.data["number"] for got in ends] == [3, 4]
        assert again.names == ["turn.committed"] * 2


async def test_what_ran_too_long_when_the_server_stopped_is_read_anew(lives: Lives) -> None:
    first = await lives.start()
    session = await first.new("tally")
    async with first.listen(session) as reader:
        await first.play(session, "wait", wait=False)
        await reader.until("turn.started")
        drain(first.app, 0.1)
        await reader.to_end()
        await first.app.state.turn_tasks.drained()
    await first.stop()
    second = await lives.start()
    async with second.listen(session, after=reader.last_id) as resumed:
        assert (await resumed.next()).name == "resync"
        assert (await second.client.get(session)).json()["turns"] == []
        turn = await second.play(session, "add 1")
        assert (await resumed.until("turn.committed")).data["turn"] == turn
    async with second.listen(session, after=resumed.told[0].id) as once_more:
        assert (await once_more.next()).data["turn"] == turn


async def test_readers_of_two_seats_get_what_each_may_know(life: Life) -> None:
    session = await life.new("duel")
    async with (
        life.listen(session, seat="red") as red,
        life.listen(session, seat="blue") as blue,
    ):
        turn = await life.play(session, "En garde!", seat="red")
        ends = [await reader.until("turn.committed") for reader in (red, blue)]
    kinds = [
        [got.data["type"] for got in reader.told if got.name == "event"] for reader in (red, blue)
    ]
    assert "OmenSeen" in kinds[0]
    assert kinds[1] == [kind for kind in kinds[0] if kind != "OmenSeen"]
    assert ["OmenSeen" in str(end.data["played"]) for end in ends] == [True, False]
    assert ends[0].data["view"]["omens"]
    assert ends[1].data["view"]["omens"] == []
    # Resumed at a gap that the seat does not see, and from the store.
    middle = [got for got in red.told if got.name == "event" and got.data["type"] == "OmenSeen"]
    async with life.listen(session, after=middle[0].id, seat="blue") as resumed:
        assert await resumed.next() == ends[1]
        assert "OmenSeen" not in str(resumed.got)
    assert ends[1].place[0] == turn


async def test_a_stopped_turn_is_told_and_then_unknown(life: Life) -> None:
    gate = asyncio.Event()
    session = await life.new("duel", gated(gate), NARRATOR)
    async with life.listen(session) as reader:
        turn = await life.play(session, "En garde!", wait=False)
        await reader.until("text")
        assert (await life.client.post(f"{session}/turns/{turn}/cancel")).status_code == 200
        end = await reader.until("turn.failed")
        assert end.data == {"turn": turn, "seq": END, "reason": "cancelled"}
    for known in (reader.told[-1].id, reader.told[0].id):
        async with life.listen(session, after=known) as resumed:
            assert (await resumed.next())[1:] == ("resync", {})


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("refuse", "that word is not allowed"),
        ("model-down", "the model is out"),
        ("break", "internal error"),
    ],
)
async def test_why_a_turn_failed_is_told(life: Life, message: str, why: str) -> None:
    session = await life.new("tally")
    async with life.listen(session) as reader:
        async with life.stream(f"{session}/turns", {"message": message}) as own:
            await own.to_end()
        assert (await reader.until("turn.failed")).data["reason"] == why
    assert own.names[-1] == "turn.failed"
    assert own.told == reader.told
    assert "secret" not in str(reader.told)


async def test_a_turns_own_stream_ends_with_it(life: Life) -> None:
    gate = asyncio.Event()
    session = await life.new("duel", gated(gate), NARRATOR)
    body, key = {"message": "En garde!"}, {"Idempotency_Key": "k"}
    async with (
        life.stream(f"{session}/turns", body, **key) as one,
        life.stream(f"{session}/turns", body, **key) as other,
    ):
        for reader in (one, other):
            await reader.until("text")
        gate.set()
        await one.to_end()
        await other.to_end()
    assert one.told == other.told
    assert (one.names[0], one.names[-1]) == ("turn.started", "turn.committed")
    assert one.text.strip() == one.told[-1].data["reply"]
    async with life.stream(f"{session}/turns", body, **key) as later:
        await later.to_end()
    assert later.told == one.told[-1:]
    assert one.response.headers["content-type"].startswith("text/event-stream")


async def test_a_turn_runs_on_when_its_reader_leaves(life: Life) -> None:
    gate = asyncio.Event()
    session = await life.new("duel", gated(gate), NARRATOR)
    async with life.listen(session) as other:
        async with life.stream(f"{session}/turns", {"message": "En garde!"}) as own:
            await own.until("text")
            assert life.host.bus.readers == 2
        await until(lambda: life.host.bus.readers == 1)
        gate.set()
        end = await other.until("turn.committed")
    (turn,) = (await life.client.get(session)).json()["turns"]
    assert (turn["turn"], turn["reply"]) == (end.data["turn"], end.data["reply"])


async def test_turns_that_wait_for_each_other_stream_apart(life: Life) -> None:
    session = await life.new("tally")
    async with (
        life.stream(f"{session}/turns", {"message": "slow 1"}) as one,
        life.stream(f"{session}/turns", {"message": "add 2"}) as two,
    ):
        await one.to_end()
        await two.to_end()
    for reader, total in ((one, 1), (two, 3)):
        assert len({got.data["turn"] for got in reader.told}) == 1
        assert (reader.names[0], reader.names[-1]) == ("turn.started", "turn.committed")
        assert reader.told[-1].data["view"]["total"] == total


@pytest.mark.parametrize("path", ["regenerate", "edit"])
async def test_a_sibling_streams_too(life: Life, path: str) -> None:
    session = await life.new("tally")
    await life.play(session, "add 1")
    last = await life.play(session, "whisper canary", seat="keeper")
    body: dict[str, object] = {"turn": 2, "message": "whisper canary"} if path == "edit" else {}
    async with life.stream(f"{session}/{path}", body) as reader:
        await reader.to_end()
    end = reader.told[-1]
    assert end.data["turn"] != last
    assert end.data["parent"] == (await life.client.get(session)).json()["turns"][0]["turn"]
    assert "Whispered" not in str(reader.told)


async def test_a_moved_head_is_told_to_the_other_tabs(life: Life) -> None:
    session = await life.new("tally")
    async with life.listen(session) as reader:
        first, second = [await life.play(session, f"add {n}") for n in (1, 2)]
        await life.client.post(f"{session}/undo")
        assert (await reader.until("head.moved")).data == {"head": first, "number": 1}
        await life.client.post(f"{session}/goto", json={"turn": second})
        assert (await reader.until("head.moved")).data == {"head": second, "number": 2}
        for _ in range(2):
            await life.client.post(f"{session}/undo")
        await reader.until("head.moved")
        gone = await reader.until("head.moved")
        assert gone.data == {"head": None, "number": 0}
    assert gone.id == "start:2147483647"
    third = await life.play(session, "add 3")
    async with life.listen(session, after=gone.id) as resumed:
        assert (await resumed.next()).data["turn"] == third


async def test_a_reader_that_was_away_is_led_to_another_branch(life: Life) -> None:
    session = await life.new("tally")
    turns = [await life.play(session, f"add {n}") for n in (1, 2, 3)]
    edit = {"turn": 2, "message": "add 20"}
    edited = (await life.client.post(f"{session}/edit?wait=true", json=edit)).json()["turn"]
    last = await life.play(session, "add 30")
    async with life.listen(session, after=f"{turns[2]}:{END}") as reader:
        got = [await reader.next() for _ in range(3)]
    assert got[0][1:] == ("head.moved", {"head": turns[0], "number": 1})
    assert [(g.name, g.data["turn"]) for g in got[1:]] == [
        ("turn.committed", edited),
        ("turn.committed", last),
    ]
    assert [g.data["view"]["total"] for g in got[1:]] == [21, 51]
    # Of a turn that was committed and taken back unseen, the end comes first.
    await life.client.post(f"{session}/goto", json={"turn": turns[0]})
    async with life.listen(session, after=f"{turns[1]}:3") as reader:
        got = [await reader.next() for _ in range(2)]
    assert (got[0].name, got[0].data["turn"]) == ("turn.committed", turns[1])
    assert got[1][1:] == ("head.moved", {"head": turns[0], "number": 1})


async def test_what_happens_while_the_store_is_read_comes_once_and_in_order(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await life.new("tally")
    first = await life.play(session, "add 1")
    read, readings = life.host.store.read, 0
    ident = session.rpartition("/")[2]

    async def meddling(asked: str, key: str | None = None) -> tuple[Head, Turn | None]:
        nonlocal readings
        readings += 1
        # The first reading finds the session; by the second, the reader listens already.
        if readings == 2:
            await life.host.undo(ident)
            await life.host.start(ident, Given(message="add 5"))
        return await read(asked, key)

    monkeypatch.setattr(life.host.store, "read", meddling)
    async with life.listen(session, after=f"{first}:{END}") as reader:
        await reader.until("turn.committed")
        assert reader.names == ["head.moved", "turn.committed"]
        assert reader.told[0].data == {"head": None, "number": 0}
        last = await life.play(session, "add 6")
        await reader.until("turn.committed")
    assert reader.names[2] == "turn.started"
    assert "head.moved" not in reader.names[1:]
    assert reader.told[-1].data["turn"] == last


async def test_a_turn_that_is_stored_and_not_yet_told_comes_once(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await life.new("tally")
    first = await life.play(session, "add 1")
    commit, stored, go_on = life.host.store.commit, asyncio.Event(), asyncio.Event()

    async def slowly(*arguments: Any, **named: Any) -> Turn:
        kept = await commit(*arguments, **named)
        stored.set()
        await go_on.wait()
        return kept

    monkeypatch.setattr(life.host.store, "commit", slowly)
    second = await life.play(session, "add 2", wait=False)
    await stored.wait()
    async with life.listen(session, after=f"{first}:{END}") as reader:
        assert (await reader.until("turn.committed")).data["turn"] == second
        go_on.set()
        third = await life.play(session, "add 3")
        await reader.until(lambda got: got.id == f"{third}:{END}")
    assert {got.data["turn"] for got in reader.told[1:]} == {third}


async def test_what_another_server_does_reaches_this_ones_readers_once(lives: Lives) -> None:
    here, there = await lives.start(), await lives.start()
    session = await here.new("tally")
    async with here.listen(session) as reader:
        first = await there.play(session, "add 1")
        assert (await reader.until("turn.committed")).data["turn"] == first
        assert reader.names == ["turn.committed"]
        own = await here.play(session, "add 2")
        await reader.until("turn.committed")
        await there.client.post(f"{session}/undo")
        assert (await reader.until("head.moved")).data == {"head": first, "number": 1}
        await here.client.post(f"{session}/undo")
        await reader.until("head.moved")
        others = [await there.play(session, "add 3"), await there.play(session, "add 4")]
        ends = [await reader.until("turn.committed") for _ in others]
    assert [got.data["turn"] for got in ends] == others
    assert ends[-1].data["view"] == (await here.client.get(session)).json()["view"]
    committed = [got.data["turn"] for got in reader.told if got.name == "turn.committed"]
    assert committed == [first, own, *others]
    assert reader.names.count("head.moved") == 2


async def test_a_database_that_is_away_for_a_while_costs_no_reader_its_stream(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await lives.start(), await lives.start()
    session = await here.new("tally")
    versions, looks = here.host.store.versions, 0

    async def failing(ids: Sequence[str]) -> dict[str, int]:
        nonlocal looks
        looks += 1
        if looks < 3:
            raise Unavailable("the database does not answer")
        return await versions(ids)

    monkeypatch.setattr(here.host.store, "versions", failing)
    async with here.listen(session) as reader:
        turn = await there.play(session, "add 1")
        assert (await reader.until("turn.committed")).data["turn"] == turn
    assert looks >= 3


async def test_a_fork_is_resumed_at_a_turn_it_shares(life: Life) -> None:
    session = await life.new("tally")
    shared = await life.play(session, "add 1")
    made = await life.client.post(f"{session}/fork")
    fork = made.headers["location"]
    own = await life.play(fork, "add 2")
    async with life.listen(fork, after=f"{shared}:{END}") as reader:
        assert (await reader.next()).data["turn"] == own
    async with life.listen(session, after=f"{own}:{END}") as reader:
        assert (await reader.next()).name == "resync"


async def test_a_reader_who_never_heard_anything_loses_nothing(life: Life) -> None:
    session = await life.new("tally")
    async with life.listen(session) as reader:
        placed = await reader.next()
    assert placed == (f"start:{END}", "", {})
    turn = await life.play(session, "add 1")
    async with life.listen(session, after=placed.id) as resumed:
        assert (await resumed.next()).data["turn"] == turn


async def test_a_reader_too_far_behind_is_sent_to_the_session(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catching_up, "MOST", 3)
    session = await life.new("tally")
    turns = [await life.play(session, "add 1") for _ in range(6)]
    async with life.listen(session, after=f"{turns[1]}:{END}") as reader:
        assert (await reader.next()).name == "resync"
    async with life.listen(session, after=f"{turns[2]}:{END}") as reader:
        assert [(await reader.next()).data["turn"] for _ in range(3)] == turns[3:]


@pytest.mark.parametrize(
    "ident", ["x", ":", "a:", "a:b", "a:-1", "a b:1", f"{'a' * 65}:1", "a:1:2"]
)
async def test_a_malformed_id_is_refused(life: Life, ident: str) -> None:
    session = await life.new("tally")
    answer = await life.client.get(f"{session}/events", headers={"Last-Event-ID": ident})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert "TURN:SEQ" in answer.json()["detail"]


async def test_a_session_that_is_not_there_has_no_stream(life: Life) -> None:
    answer = await life.client.get("/api/sessions/none/events")
    assert (answer.status_code, answer.json()["status"]) == (404, 404)


async def test_another_sessions_turn_leads_nowhere(life: Life) -> None:
    session, other = await life.new("tally"), await life.new("tally")
    turn = await life.play(other, "whisper canary", seat="keeper")
    for seq in (1, END):
        async with life.listen(session, after=f"{turn}:{seq}", seat="keeper") as reader:
            assert (await reader.next())[1:] == ("resync", {})
            assert "canary" not in str(reader.got)


@pytest.mark.parametrize("place", [Cursor("ab12", 3), Cursor(None), Cursor("ab12")])
def test_positions_are_read_as_they_are_written(place: Cursor) -> None:
    assert Cursor.parse(str(place)) == place


class Page:
    """What a page makes of the events: which turns there are, and where the head is."""

    def __init__(self) -> None:
        self.parents: dict[str, str | None] = {}
        self.head: str | None = None
        self.heard: list[str] = []

    def hear(self, got: Got) -> None:
        assert got.name != "resync"
        if got.name == "turn.committed":
            turn = str(got.data["turn"])
            self.parents[turn] = got.data["parent"]  # type: ignore[assignment]  # JSON
            assert got.data["parent"] in {None, *self.parents}
            self.head = turn
            self.heard.append(turn)
        elif got.name == "head.moved":
            self.head = got.data["head"]  # type: ignore[assignment]  # JSON

    @property
    def branch(self) -> list[str]:
        line, turn = [], self.head
        while turn:
            line.append(turn)
            turn = self.parents[turn]
        return line[::-1]


async def _read_for_a_while(reader: Listener, page: Page, events: int) -> None:
    for _ in range(events):
        page.hear(await reader.next())


async def _act(life: Life, session: str, rng: Random) -> None:
    turns = (await life.client.get(session)).json()["turns"]
    match rng.choice(("play", "play", "play", "undo", "edit", "regenerate")):
        case "undo":
            await life.client.post(f"{session}/undo")
        case "edit" if turns:
            body = {"turn": rng.randint(1, len(turns)), "message": f"add {rng.randrange(9)}"}
            await life.client.post(f"{session}/edit?wait=true", json=body)
        case "regenerate" if turns:
            await life.client.post(f"{session}/regenerate?wait=true")
        case _:
            await life.play(session, f"add {rng.randrange(9)}")


@pytest.mark.parametrize("seed", range(4))
async def test_a_page_follows_whatever_happens_over_a_bad_line(life: Life, seed: int) -> None:
    rng, session, page, known = Random(seed), await life.new("tally"), Page(), ""

    async def play() -> None:
        for _ in range(15):
            await _act(life, session, rng)

    async with life.listen(session) as first:
        known = (await first.next()).id
    playing = asyncio.create_task(play())
    cuts = Random(seed + 100)
    while not playing.done():
        async with life.listen(session, after=known) as reader:
            reading = asyncio.create_task(_read_for_a_while(reader, page, cuts.randint(1, 25)))
            await asyncio.wait({reading, playing}, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                reading.cancel()
                await asyncio.wait({reading})
            elif error := reading.exception():
                raise error
            known = reader.last_id if reader.got else known
    await playing
    shown = (await life.client.get(session)).json()
    async with life.listen(session, after=known) as reader:
        async with asyncio.timeout(SECONDS):
            while page.head != shown["head"]:
                page.hear(await reader.next())
    assert page.branch == [turn["turn"] for turn in shown["turns"]]
    assert len(page.heard) == len(set(page.heard))
