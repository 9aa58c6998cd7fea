"""A table that plays on by itself while people sit down, act, drop out and come back."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from tests.server.seated import HEADER, Person, at_rest
from tests.server.streaming import SECONDS, Life, Lives, Wire, until


async def settled(life: Life, table: str, token: dict[str, str] | None = None) -> dict[str, object]:
    """Wait until a session plays on no more; return how that ended."""
    async with asyncio.timeout(SECONDS):
        while True:
            answer = (await life.client.get(f"{table}/autoplay", headers=token)).json()
            if not answer["running"]:
                return dict(answer)
            await asyncio.sleep(0.05)


async def told(life: Life, table: str) -> list[list[str]]:
    view = (await life.client.get(table)).json()["view"]
    return [list(pair) for pair in view["told"]]


async def circle(life: Life, **config: object) -> str:
    made = await life.client.post("/api/sessions", json={"agent": "circle", "config": config})
    assert made.status_code == 201, made.text
    return str(made.headers["location"])


async def test_rounds_of_nobody_play_at_once(life: Life) -> None:
    table = await circle(life)
    started = await life.client.post(f"{table}/autoplay", json={"rounds": 2})
    assert (started.status_code, started.json()["running"]) == (202, True)
    ended = await settled(life, table)
    assert (ended["state"], ended["moves"], ended["round"]) == ("done", 6, 3)
    assert [seat for seat, _ in await told(life, table)] == ["ada", "ben", "cyd"] * 2


async def test_a_step_is_one_move(life: Life) -> None:
    table = await circle(life)
    for count in (1, 2):
        await life.client.post(f"{table}/autoplay", json={"moves": 1})
        assert (await settled(life, table))["moves"] == 1
        assert len(await told(life, table)) == count


async def test_it_ends_when_nothing_goes_on(life: Life) -> None:
    table = await circle(life, rounds=1)
    await life.client.post(f"{table}/autoplay", json={})
    assert ((ended := await settled(life, table))["state"], ended["moves"]) == ("over", 3)
    again = await life.client.post(f"{table}/autoplay", json={})
    assert again.status_code == 409


async def test_pause_lets_the_running_move_end(life: Life) -> None:
    table = await circle(life, seconds=0.5)
    async with life.listen(table) as reader:
        await reader.next()
        await life.client.post(f"{table}/autoplay", json={"rounds": 50})
        refused = await life.client.post(f"{table}/autoplay", json={"rounds": 1})
        assert refused.status_code == 409
        running = await reader.until("turn.started")
        await life.client.delete(f"{table}/autoplay")
        assert (await reader.until("turn.committed")).data["turn"] == running.data["turn"]
    ended = await settled(life, table)
    assert ended["state"] == "paused"
    after = await told(life, table)
    await asyncio.sleep(1)  # longer than a move takes
    assert await told(life, table) == after
    assert len(after) == ended["moves"] > 0


async def test_readers_hear_how_far_it_is(life: Life) -> None:
    table = await circle(life)
    async with life.listen(table) as reader:
        await reader.next()
        await life.client.post(f"{table}/autoplay", json={"rounds": 1})
        await reader.until(lambda got: got.name == "autoplay" and got.data["state"] == "done")
    states = [got.data["state"] for got in reader.told if got.name == "autoplay"]
    assert states[-1] == "done"
    assert "playing" in states
    assert Counter(reader.names)["turn.committed"] == 3
    ids = {got.id for got in reader.told if got.name == "autoplay"}
    assert all(not ident.startswith("start:") or ident.endswith("2147483647") for ident in ids)


async def test_cancelling_the_move_pauses(life: Life) -> None:
    table = await circle(life, seconds=30)
    async with life.listen(table) as reader:
        await reader.next()
        await life.client.post(f"{table}/autoplay", json={"rounds": 1})
        started = await reader.until("turn.started")
    stopped = await life.client.post(f"{table}/turns/{started.data['turn']}/cancel")
    assert stopped.status_code == 200
    assert (await settled(life, table))["state"] == "paused"
    assert await told(life, table) == []


async def test_a_failure_is_told(life: Life) -> None:
    table = await circle(life, tellers=["ada", "broken"])
    await life.client.post(f"{table}/autoplay", json={"rounds": 1})
    ended = await settled(life, table)
    assert (ended["state"], ended["problem"]) == ("failed", "'broken' has no voice")
    assert len(await told(life, table)) == 1


async def test_the_server_stops_in_the_middle_of_a_round(lives: Lives) -> None:
    first = await lives.start(grace=30)
    table = await circle(first, seconds=0.5)
    async with first.listen(table) as reader:
        await reader.next()
        await first.client.post(f"{table}/autoplay", json={})
        await reader.until("turn.committed")
        running = await reader.until("turn.started")
        await first.stop()
    second = await lives.start()
    turns = [turn["turn"] for turn in (await second.client.get(table)).json()["turns"]]
    before = await told(second, table)
    # The running move ended, and no other began after it.
    assert len(before) == len(turns) == turns.index(running.data["turn"]) + 1 > 1
    await second.client.post(f"{table}/autoplay", json={"moves": 2})
    await settled(second, table)
    after = await told(second, table)
    assert after[: len(before)] == before
    assert len(after) == len(before) + 2


async def went_on(people: Sequence[Person], moves: int) -> None:
    """Wait until people have seen so many moves more."""
    seen = [len(person.seen) + moves for person in people]
    await until(lambda: all(len(p.seen) >= n for p, n in zip(people, seen, strict=True)))


class Speaker(Person):
    """Somebody in a circle: says in each round which one it is."""

    def to_move(self, view: dict[str, object]) -> bool:
        return view["moves"] == self.seat

    def act(self, view: dict[str, object]) -> tuple[str, dict[str, object]]:
        words = f"{self.seat} in round {view['round']}"
        return words, {"message": words}


async def test_three_people_play_drop_out_and_return(life: Life) -> None:
    tellers = ("dm", "ada", "ben", "cyd")
    table = await circle(life, tellers=tellers, seconds=0.02)
    wire = Wire(life.url)
    async with wire.open():
        people = [Speaker(life, table, seat, wire.url) for seat in ("ada", "ben", "cyd")]
        await asyncio.gather(*(person.sit() for person in people))
        staying = [asyncio.create_task(person.stay()) for person in people]
        pace = {"patience": 1}
        started = await life.client.post(f"{table}/autoplay", json=pace, headers=people[0].token)
        assert started.status_code == 202, started.text
        for _ in range(4):
            await went_on(people, 3)
            wire.cut()
        # Ben drops out for good for a while; the others are not held up for longer than a second.
        staying[1].cancel()
        await asyncio.wait({staying[1]})
        missed = len(people[1].seen)
        await went_on(people[:1], 2 * len(tellers))
        spoken = len(people[1].answered)
        staying[1] = asyncio.create_task(people[1].stay())
        await until(lambda: len(people[1].answered) > spoken)
        await life.client.delete(f"{table}/autoplay", headers=people[0].token)
        await settled(life, table)
        await at_rest(people)
        for task in staying:
            task.cancel()
        await asyncio.wait(staying)
    words = await told(life, table)
    assert [seat for seat, _ in words] == (list(tellers) * len(words))[: len(words)]
    for seat, said in words:
        assert said.startswith((f"{seat} in round ", "Once upon a time, says dm")) or not said
        assert seat == "dm" or not said.startswith("Once upon")
    spoken = [said for seat, said in words if said and seat != "dm"]
    assert max(Counter(spoken).values()) == 1
    silent = Counter(seat for seat, said in words if not said)
    assert silent["ben"] >= 1
    assert silent["dm"] == 0
    # Everyone saw every turn since they sat down, once, however often the line was cut.
    line = [turn["turn"] for turn in (await life.client.get(table)).json()["turns"]]
    for person in people:
        first = line.index(person.seen[0])
        assert person.seen == line[first : first + len(person.seen)]
        assert first + len(person.seen) == len(line)
        assert person.cuts >= 2
    assert len(people[1].seen) > missed


async def test_who_is_away_is_passed_over_and_not_spoken_for(life: Life) -> None:
    table = await circle(life)
    token = {HEADER: (await life.client.post(f"{table}/seats/ben")).json()["token"]}
    pace = {"rounds": 2, "patience": 1}
    await life.client.post(f"{table}/autoplay", json=pace, headers=token)
    ended = await settled(life, table, token)
    assert (ended["state"], ended["moves"]) == ("done", 6)
    assert [said for seat, said in await told(life, table) if seat == "ben"] == ["", ""]


async def test_a_whisper_gives_no_more_time(life: Life) -> None:
    table = await circle(life, tellers=["ada", "ben"])
    token = {HEADER: (await life.client.post(f"{table}/seats/ada")).json()["token"]}
    pace = {"moves": 1, "patience": 1}
    loop = asyncio.get_running_loop()
    began = loop.time()
    await life.client.post(f"{table}/autoplay", json=pace, headers=token)
    async with asyncio.timeout(SECONDS):  # without end, were each whisper worth a second more
        while (await life.client.get(f"{table}/autoplay")).json()["running"]:
            body = {"action": {"do": "whisper", "to": ["ben"], "text": "Psst"}, "seat": "ada"}
            await life.client.post(f"{table}/turns?wait=true", json=body, headers=token)
            await asyncio.sleep(0.1)
    assert loop.time() - began > 0.9
    assert await told(life, table) == [["ada", ""]]
