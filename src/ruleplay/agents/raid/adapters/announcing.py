"""Announces finished pulls to a webhook, from a thread that runs beside the import.

Only the user of the command line sets the address, so an internal one is their own choice;
redirects are not followed, so that it cannot be changed by others.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from ruleplay.agents.raid.view.tables import clock
from ruleplay.agents.raid.view.words import Words
from ruleplay.errors import UserError
from ruleplay.records.events import Json
from ruleplay.storage.outbox import Outbox, webhook

WAITS = (0.0, 5.0, 30.0, 120.0, 600.0)
"""Delay in seconds before each attempt. Later than an hour, a raid has no use for the news."""
LAST = 10.0
"""Seconds to wait, when stopping, for deliveries in progress."""
_LOOK = 0.5
_GREEN, _RED = 0x2F9E6E, 0xD1495B


class FirstDeath(BaseModel):
    """Who died first, seconds into the pull, and by what, as far as the log tells."""

    model_config = ConfigDict(frozen=True)

    player: str
    at: float
    killer: str = ""
    ability: str = ""


class EndedPull(BaseModel):
    """A pull that is over; `boss_hp_percent` is what the boss had left, where a log tells."""

    model_config = ConfigDict(frozen=True)

    report: str
    fight: int
    boss: str
    outcome: str
    start: str
    seconds: float
    boss_hp_percent: float | None = None
    players: int = 0
    deaths: int = 0
    first_death: FirstDeath | None = None


def headline(pull: EndedPull, words: Words) -> str:
    """Describe a pull in one line: boss, outcome, duration, the boss's remaining health."""
    left = ""
    if pull.boss_hp_percent is not None and pull.outcome != "kill":
        left = words.say("left", share=words.number(pull.boss_hp_percent, "%"))
    return words.say(
        "headed",
        fight=pull.fight,
        name=pull.boss,
        ended=words.ended(pull.outcome),
        time=words.seconds(pull.seconds),
        left=left,
    )


def first_death(pull: EndedPull, words: Words) -> str:
    """Describe the first death: who, when and by what."""
    if (first := pull.first_death) is None:
        return words.say("hook.nobody")
    blow = ": ".join(part for part in (first.killer, first.ability) if part)
    by = words.say("hook.by", what=blow) if blow else ""
    return words.say("hook.first.told", who=first.player, at=clock(first.at), by=by)


def as_discord(pull: EndedPull, words: Words) -> Json:
    """Build the Discord payload; `allowed_mentions` keeps names from a log from pinging anyone."""
    return {
        "content": headline(pull, words),
        "allowed_mentions": {"parse": []},
        "embeds": [
            {
                "color": _GREEN if pull.outcome == "kill" else _RED,
                "fields": [
                    {"name": words.say("hook.first"), "value": first_death(pull, words)},
                    {"name": words.say("hook.deaths"), "value": str(pull.deaths)},
                ],
            }
        ],
    }


def is_discord(url: str) -> bool:
    """Whether an address is a Discord webhook."""
    split = urlsplit(url)
    host = split.hostname or ""
    ours = host in ("discord.com", "discordapp.com") or host.endswith(".discord.com")
    return ours and split.path.startswith("/api/webhooks/")


class Announcer:
    """Sends pulls to a webhook while a log is followed, without delaying the import."""

    def __init__(
        self,
        home: Path,
        url: str,
        secret: str = "",
        form: str = "",
        words: Words = Words(),  # noqa: B008  # frozen
        waits: Sequence[float] = WAITS,
    ) -> None:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise UserError(f"{url!r} is no address of a webhook: https://…")
        if form not in ("", "discord", "json"):
            raise UserError(f"webhooks are told in the form discord or json, not {form!r}")
        self._discord = is_discord(url) if not form else form == "discord"
        self._url, self._words = url, words
        self._outbox = Outbox(home / "raid" / "webhook.db", (webhook(url, secret),), waits)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)

    def tell(self, pull: EndedPull) -> None:
        """Queue a pull; one already queued (same report and number) is not sent again."""
        plain: Json = {"type": "raid.pull", **pull.model_dump(mode="json")}
        body = as_discord(pull, self._words) if self._discord else plain
        self._outbox.put(f"{self._url} {pull.report} {pull.fight}", body)

    def waiting(self) -> int:
        """Count the pulls not yet delivered."""
        return len(self._outbox.waiting())

    def _run(self) -> None:
        while not self._ended.wait(_LOOK):
            self._outbox.deliver()
        self._outbox.deliver()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join(LAST)
