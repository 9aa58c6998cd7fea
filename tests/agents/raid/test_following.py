"""A log that is followed: what is told of each pull, and that a webhook hears it once."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan

from ruleplay.agents.raid.adapters.announcing import (
    Announcer,
    EndedPull,
    FirstDeath,
    as_discord,
    first_death,
    headline,
    is_discord,
)
from ruleplay.agents.raid.adapters.log_import import ImportReport, follow_log
from ruleplay.agents.raid.commands.following import Ending
from ruleplay.agents.raid.view.words import Words
from ruleplay.errors import UserError

PLAN = NightPlan(
    pulls=(PullPlan(649, "missed", at=0.5), PullPlan(649, trash=0)), health=0.02, roster=1
)
PULL = EndedPull(
    report="abc",
    fight=3,
    boss="Gruul",
    outcome="wipe",
    start="20:00:00",
    seconds=83.2,
    boss_hp_percent=14.5,
    players=25,
    deaths=25,
    first_death=FirstDeath(player="Ylys", at=24.6, killer="Gruul", ability="Cave In"),
)


class Hook(ThreadingHTTPServer):
    """A receiver that may refuse at first, or send people elsewhere."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.refuse, self.elsewhere = 0, ""
        self.posts: list[tuple[dict[str, str], str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook"


class _Handler(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        refused = len(self.server.posts) < self.server.refuse
        self.server.posts.append((dict(self.headers), body))
        self.send_response(302 if self.server.elsewhere else 503 if refused else 204)
        if self.server.elsewhere:
            self.send_header("Location", self.server.elsewhere)
        self.end_headers()

    do_GET = do_POST  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def hook() -> Iterator[Hook]:
    with Hook() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


def test_each_pull_is_told_when_it_ends_and_past_ones_are_not(tmp_path: Path) -> None:
    lines, truth = generate_night(5, PLAN)
    rows = [line.encode() for line in lines]
    ends = [at for at, row in enumerate(rows, 1) if b"ENCOUNTER_END" in row]
    log, ending = tmp_path / "log.txt", Ending(tmp_path)
    log.write_bytes(b"".join(rows[: ends[0] - 5]))
    more = iter((rows[ends[0] - 5 : ends[0]], rows[ends[0] : ends[1] - 1], rows[ends[1] - 1 :]))
    told: list[list[EndedPull]] = []
    over = threading.Event()

    def tell(report: ImportReport) -> None:
        told.append([*ending.of(report)])
        fresh = next(more, None)
        if fresh is None:
            over.set()
            return
        with log.open("ab") as file:
            file.write(b"".join(fresh))

    follow_log(log, tmp_path, tell, stop=over.is_set, poll=0.001)
    assert [len(pulls) for pulls in told] == [0, 1, 0, 1]
    wiped, killed = told[1][0], told[3][0]
    assert (wiped.boss, wiped.outcome, killed.outcome) == (truth.pulls[0].name, "wipe", "kill")
    death = truth.pulls[0].deaths[0]
    assert wiped.first_death is not None
    assert wiped.first_death.player == death.player
    assert wiped.first_death.ability == death.spell
    assert wiped.deaths == len(truth.pulls[0].deaths)
    again = Ending(tmp_path)
    whole = follow_log(log, tmp_path, lambda _: None, stop=lambda: True)
    assert [*again.of(whole)] == []


def test_a_webhook_hears_each_pull_once_signed_and_again_after_a_refusal(
    tmp_path: Path, hook: Hook
) -> None:
    hook.refuse = 2
    for _ in range(2):
        with Announcer(tmp_path, hook.url, "s3", waits=(0, 0, 0, 0)) as told:
            told.tell(PULL)
            end = time.monotonic() + 30
            while told.waiting() and time.monotonic() < end:
                time.sleep(0.05)
            assert not told.waiting()
    assert len(hook.posts) == 3
    headers, body = hook.posts[-1]
    assert json.loads(body) == {"type": "raid.pull", **PULL.model_dump(mode="json")}
    stamp, _, digest = headers["Ruleplay-Signature"].partition(",v1=")
    signed = f"{stamp.removeprefix('t=')}.{body}".encode()
    assert digest == hmac.new(b"s3", signed, hashlib.sha256).hexdigest()


def test_a_webhook_that_is_gone_keeps_nobody_waiting(tmp_path: Path) -> None:
    begun = time.monotonic()
    with Announcer(tmp_path, "http://127.0.0.1:9/hook") as told:
        told.tell(PULL)
    assert time.monotonic() - begun < 10
    assert told.waiting() == 1


def test_no_redirect_leads_anywhere_else(tmp_path: Path, hook: Hook) -> None:
    with Hook() as inside:
        hook.elsewhere = inside.url
        with Announcer(tmp_path, hook.url, waits=(0,)) as told:
            told.tell(PULL)
        assert [len(hook.posts), len(inside.posts), told.waiting()] == [1, 0, 1]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "hook", "ftp://x/y", "https://"])
def test_what_is_no_webhook_is_refused_before_anything_is_read(tmp_path: Path, url: str) -> None:
    with pytest.raises(UserError, match="webhook"):
        Announcer(tmp_path, url)
    with pytest.raises(UserError, match="form"):
        Announcer(tmp_path, "https://hooks.example/x", form="slack")


def test_discord_hears_it_in_its_own_form_and_mentions_nobody() -> None:
    assert is_discord("https://discord.com/api/webhooks/1/x")
    assert is_discord("https://canary.discord.com/api/webhooks/1/x")
    assert not is_discord("https://discord.com.evil.example/api/webhooks/1/x")
    named = PULL.model_copy(update={"boss": "@everyone"})
    body = as_discord(named, Words())
    assert body["allowed_mentions"] == {"parse": []}
    assert body["content"] == "Pull 3: @everyone – wipe after 1:23 (83.2 s), 14.5 % left"
    assert "Ylys at 0:25, Gruul: Cave In" in json.dumps(body)


def test_a_pull_is_told_in_the_language_that_was_asked_for() -> None:
    german, french = Words("de"), Words("fr")
    assert headline(PULL, german) == (
        "Versuch 3: Gruul – Niederlage nach 1:23 (83,2 s), Boss bei 14,5 %"
    )
    assert first_death(PULL, french) == "Ylys à 0:25, Gruul: Cave In"
    assert first_death(PULL.model_copy(update={"first_death": None}), german) == "niemand starb"
