"""Three people at a party's table, over lines that break, while its rounds run."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

from tests.server.seated import HEADER, Person, at_rest
from tests.server.streaming import SECONDS, Life, Wire, until

from ruleplay.records.given import Given

CANARY = "the seventh candle burns blue"


class Player(Person):
    """Somebody who plays a character: the first thing that the view offers, or a pass."""

    def to_move(self, view: dict[str, object]) -> bool:
        return bool(view["mine"]) and not view["paused"] and not view["ending"]

    def act(self, view: dict[str, object]) -> tuple[str, dict[str, object]]:
        options = view["options"]
        assert isinstance(options, list)
        sheet, combat = view["sheet"], view["combat"]
        fight = combat["round"] if isinstance(combat, dict) else 0
        key = f"{self.seat} {view['round']} {fight} {json.dumps(sheet, sort_keys=True)}"
        if not options:
            return str(hash(key)), {"action": {"do": "pass"}}
        return str(hash(key)), {"action": {"do": "choose", "options": [options[0]["id"]]}}


async def acts(life: Life, table: str) -> list[tuple[str, str, str]]:
    """Return who used which turn of the session, and how."""
    found = []
    for turn in await life.host.store.lineage((await life.host.store.read(table))[0].head):
        for event in turn.events:
            if event["type"] == "Acted":
                found.append((turn.id, str(event["seat"]), str(event.get("how", "acts"))))
    return found


async def until_used(life: Life, session: str, since: int, seat: str, how: str) -> int:
    """Wait until a seat has used a turn so, `since` acts at the least, and return how many are."""
    async with asyncio.timeout(2 * SECONDS):
        while True:
            used = await acts(life, session)
            if (seat, how) in [one[1:] for one in used[since:]]:
                return len(used)
            await asyncio.sleep(0.1)


async def test_three_people_drop_out_and_return(life: Life) -> None:
    # At level 5 nobody falls in the first fights, so that everyone who is there can act.
    head = await life.host.create("party", {"level": 5}, seed="seed")
    table = f"/api/sessions/{head.id}"
    wire = Wire(life.url)
    async with wire.open():
        people = [Player(life, table, seat, wire.url) for seat in ("thorin", "pell", "sunniva")]
        for person in people:
            await person.sit()
        staying = [asyncio.create_task(person.stay()) for person in people]
        begun = await life.client.post(
            f"{table}/autoplay", json={"patience": 2}, headers=people[0].token
        )
        assert begun.status_code == 202, begun.text
        async with asyncio.timeout(4 * SECONDS):
            for cut in range(1, 4):
                await until(lambda seen=3 * cut: min(len(p.seen) for p in people) >= seen)
                wire.cut()
            staying[1].cancel()
            await asyncio.wait({staying[1]})
            gone = len(await acts(life, head.id))
            missed = await until_used(life, head.id, gone, "pell", "timeout")
            staying[1] = asyncio.create_task(people[1].stay())
            for seat in ("pell", "thorin", "sunniva"):
                await until_used(life, head.id, missed, seat, "acts")
            await life.client.delete(f"{table}/autoplay", headers=people[0].token)
            async with asyncio.timeout(180):
                while (await life.client.get(f"{table}/autoplay")).json()["running"]:
                    await asyncio.sleep(0.05)
            last = await at_rest(people)
        for task in staying:
            task.cancel()
        await asyncio.wait(staying)
    line = await life.host.store.lineage(last)
    used = await acts(life, head.id)
    # Nobody but a person acted on a seat that a person held: each act is one that they sent.
    held = {"thorin": people[0], "pell": people[1], "sunniva": people[2]}
    sent = {turn.id for turn in line if turn.key is not None}
    for turn, seat, how in used:
        if seat in held and how == "acts":
            assert turn in sent, (seat, turn)
    assert Counter(turn.key for turn in line if turn.key).most_common(1)[0][1] == 1
    for person in people:
        assert set(person.answered.values()) <= {turn.id for turn in line}
        told = [turn.id for turn in line]
        first = told.index(person.seen[0])
        assert person.seen == told[first:]
    # All of them acted.
    acted = [seat for turn, seat, how in used if how == "acts" and turn in sent]
    assert {*acted} == {*held}
    away = Counter(seat for _, seat, how in used if how == "timeout")
    assert away["pell"] >= 1
    assert not away["dm"]
    assert not away["zephrine"]


async def test_a_seat_that_is_kept_for_somebody_is_theirs_who_sits_down_first(life: Life) -> None:
    made = await life.client.post(
        "/api/sessions", json={"agent": "party", "config": {"humans": ["thorin", "pell"]}}
    )
    table = made.headers["location"]
    shown = {one["seat"]: one["by"] for one in made.json()["view"]["seats"]}
    assert (shown["thorin"], shown["sunniva"]) == ("human", "model")
    # Nobody plays it before somebody sits there, and nobody is turned away from it.
    body = {"action": {"do": "play"}, "seat": "thorin"}
    assert (await life.client.post(f"{table}/turns?wait=true", json=body)).status_code == 403
    seats = (await life.client.get(f"{table}/seats")).json()["seats"]
    assert not any(seat["held"] for seat in seats)
    sat = await life.client.post(f"{table}/seats/thorin")
    assert sat.status_code == 201, sat.text
    life.client.cookies.clear()
    token = {HEADER: sat.json()["token"]}
    assert (await life.client.post(f"{table}/seats/thorin")).status_code == 409
    read = await life.client.get(table, params={"seat": "thorin"}, headers=token)
    assert read.json()["view"]["sheet"]["name"] == "Thorin"
    pace = {"moves": 2, "patience": 1}
    await life.client.post(f"{table}/autoplay", json=pace, headers=token)
    async with asyncio.timeout(SECONDS):
        while (await life.client.get(f"{table}/autoplay")).json()["running"]:
            await asyncio.sleep(0.05)
    used = await acts(life, table.rpartition("/")[2])
    assert [(seat, how) for _, seat, how in used] == [("dm", "acts"), ("thorin", "timeout")]


async def test_a_whisper_is_for_its_ears_over_every_route(life: Life) -> None:
    table = await life.new("party")
    tokens = {}
    for seat in ("thorin", "pell"):
        answer = await life.client.post(f"{table}/seats/{seat}")
        life.client.cookies.clear()
        tokens[seat] = {HEADER: answer.json()["token"]}
    whisper = {"do": "whisper", "to": ["sunniva"], "text": CANARY}
    body = {"action": whisper, "seat": "thorin"}
    told = await life.client.post(f"{table}/turns?wait=true", json=body, headers=tokens["thorin"])
    assert CANARY in told.text
    turn = told.json()["turn"]
    paths = ("", "/export", "/export?format=json", f"/turns/{turn}")
    for path in paths:
        for seat, knows in (("thorin", True), ("pell", False), ("table", False), ("", False)):
            shown = await life.client.get(
                f"{table}{path}", params={"seat": seat}, headers=tokens.get(seat, {})
            )
            assert shown.status_code == 200
            assert (CANARY in shown.text) == knows, (path, seat)
        for seat in ("dm", "sunniva"):
            shown = await life.client.get(
                f"{table}{path}", params={"seat": seat}, headers=tokens["pell"]
            )
            assert shown.status_code == 403
            assert CANARY not in shown.text


async def test_a_seat_that_people_hold_is_played_by_nobody_else(life: Life) -> None:
    table = await life.new("party")
    answer = await life.client.post(f"{table}/seats/dm")
    token = {HEADER: answer.json()["token"]}
    for action in ({"do": "play"},):
        body = {"action": action, "seat": "dm"}
        refused = await life.client.post(f"{table}/turns?wait=true", json=body, headers=token)
        assert refused.status_code == 409, refused.text
    life.client.cookies.clear()
    stranger = {"action": {"do": "timeout"}, "seat": "table"}
    assert (await life.client.post(f"{table}/turns?wait=true", json=stranger)).status_code == 403


async def test_two_branches_are_compared_and_one_is_gone_on_with(life: Life) -> None:
    table = await life.new("party")
    session = table.rpartition("/")[2]
    play = Given(action={"do": "play"})
    turns = [(await life.host.start(session, play)).id for _ in range(4)]
    await life.client.post(f"{table}/goto", json={"turn": turns[1]})
    for _ in range(2):
        passed = Given(action={"do": "say", "text": "Let us wait."})
        here = (await life.host.start(session, passed, seat="dm")).id
    secret = Given(action={"do": "whisper", "to": ["pell"], "text": CANARY})
    here = (await life.host.start(session, secret, seat="dm")).id
    found = await life.client.get(f"{table}/compare", params={"turn": turns[3]})
    assert found.status_code == 200, found.text
    answer = found.json()
    assert answer["shared"] == 2
    assert [branch["turn"] for branch in answer["branches"]] == [here, turns[3]]
    assert [turn["turn"] for turn in answer["branches"][1]["turns"]] == turns[2:]
    assert CANARY not in found.text
    # The other branch becomes the one that is gone on with.
    gone = await life.client.post(f"{table}/goto", json={"turn": turns[3]})
    assert gone.json()["head"] == turns[3]
    same = await life.client.get(f"{table}/compare", params={"turn": turns[3]})
    assert same.json()["differences"] == []
    assert (await life.client.get(f"{table}/compare", params={"turn": "x"})).status_code == 404
