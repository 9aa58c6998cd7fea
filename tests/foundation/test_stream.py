"""Readers hear a running turn: late, filtered, or not at all; they never hold it up."""

from __future__ import annotations

import asyncio

import pytest

from ruleplay.records.stream import BEHIND, Bus, Item, Name, Reader


def item(name: Name, seq: int, audience: tuple[str, ...] = ("*",), turn: str = "t1") -> Item:
    return Item(name=name, turn=turn, seq=seq, body={"n": seq}, audience=audience)


async def read_all(reader: Reader) -> list[int]:
    reader.close()
    return [item.seq async for item in reader]


async def test_a_reader_hears_what_is_published() -> None:
    bus = Bus()
    with bus.reading("s") as reader:
        for n, name in enumerate(("turn.started", "text", "turn.committed")):
            bus.publish("s", item(name, n))  # type: ignore[arg-type]  # literals in a tuple
        assert await read_all(reader) == [0, 1, 2]


async def test_a_late_reader_gets_the_running_turn_from_its_start() -> None:
    bus = Bus()
    bus.publish("s", item("turn.started", 1))
    bus.publish("s", item("text", 2))
    with bus.reading("s") as reader:
        bus.publish("s", item("text", 3))
        assert await read_all(reader) == [1, 2, 3]


@pytest.mark.parametrize("end", ["turn.committed", "turn.failed"])
async def test_a_reader_after_the_turn_gets_no_backlog(end: Name) -> None:
    bus = Bus()
    bus.publish("s", item("turn.started", 1))
    assert bus.running("s") == "t1"
    bus.publish("s", item(end, 2))
    assert bus.running("s") is None
    with bus.reading("s") as reader:
        assert await read_all(reader) == []


async def test_sessions_do_not_mix() -> None:
    bus = Bus()
    with bus.reading("one") as one, bus.reading("two") as two:
        bus.publish("one", item("text", 1))
        bus.publish("two", item("text", 2))
        assert (await read_all(one), await read_all(two)) == ([1], [2])


async def test_a_seat_hears_what_is_meant_for_it_also_from_the_backlog() -> None:
    bus = Bus()
    bus.publish("s", item("event", 1, ("blue",)))
    bus.publish("s", item("event", 2, ("red",)))
    bus.publish("s", item("event", 3))
    with bus.reading("s", "red") as red, bus.reading("s") as everything:
        bus.publish("s", item("text", 4, ("blue",)))
        bus.publish("s", item("text", 5, ("red", "blue")))
        assert await read_all(red) == [2, 3, 5]
        assert await read_all(everything) == [1, 2, 3, 4, 5]


async def test_a_reader_that_falls_behind_is_dropped_and_others_are_not() -> None:
    bus = Bus()
    with bus.reading("s") as slow, bus.reading("s") as quick:
        heard: list[int] = []

        async def listen() -> None:
            async for got in quick:
                heard.append(got.seq)

        listening = asyncio.create_task(listen())
        for n in range(BEHIND + 10):
            bus.publish("s", item("text", n))
            await asyncio.sleep(0)
        quick.close()
        await listening
        assert heard == list(range(BEHIND + 10))
        assert await asyncio.wait_for(read_all(slow), 60) == list(range(BEHIND))


async def test_a_reader_leaves_nothing_behind() -> None:
    bus = Bus()
    with bus.reading("s"):
        pass
    bus.publish("s", item("turn.started", 1))
    bus.publish("s", item("turn.failed", 2))
    assert bus.running("s") is None
    assert not bus._readers


def test_publishing_needs_no_reader_and_no_loop() -> None:
    bus = Bus()
    for n in range(3):
        bus.publish("s", item("text", n))
    assert bus.running("s") == "t1"


async def test_a_reader_that_comes_back_gets_what_it_does_not_know_however_much() -> None:
    bus = Bus()
    for n in range(1, BEHIND + 11):
        bus.publish("s", item("text", n))
    with bus.reading("s", after=5) as reader:
        assert await read_all(reader) == list(range(6, BEHIND + 11))


@pytest.mark.parametrize("name", ["turn.committed", "turn.failed", "head.moved", "text"])
async def test_a_reader_knows_when_the_session_has_changed(name: Name) -> None:
    bus = Bus()
    with bus.reading("s", "blue") as reader:
        assert not reader.changed
        if name == "head.moved":
            bus.move_head("s", "t0", 4)
        else:
            bus.publish("s", item(name, 1, ("red",)))
        assert reader.changed == (name != "text")


async def test_a_moved_head_is_told_and_stays_in_no_backlog() -> None:
    bus = Bus()
    with bus.reading("s", "red") as early:
        bus.move_head("s", None, 0)
        early.close()
        (moved,) = [item async for item in early]
    assert (moved.name, moved.turn, moved.body) == ("head.moved", "", {"head": None, "number": 0})
    assert bus.running("s") is None
    with bus.reading("s") as late:
        assert await read_all(late) == []


async def test_a_closed_bus_lets_readers_go_after_the_backlog() -> None:
    bus = Bus()
    bus.publish("s", item("turn.started", 1))
    with bus.reading("s") as early:
        bus.close()
        assert [item.seq async for item in early] == [1]
    bus.publish("s", item("text", 2))
    with bus.reading("s") as late:
        assert [item.seq async for item in late] == [1, 2]
