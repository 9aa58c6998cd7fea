"""Finished battles in files: Showdown's log, its saved page, or our record with decisions.

`ruleplay battle arena --save-replays DIR` writes three files for each battle: `ROOM.html`, which
opens in a browser; `ROOM.log`, the protocol as received; and `ROOM.json`, the log with our
decisions.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from pydantic import Field, ValidationError

from ruleplay.agents.battle.domain.frozen import Frozen
from ruleplay.agents.battle.domain.orders import Order
from ruleplay.agents.battle.state import Lean
from ruleplay.errors import NotFound, UserError, first_invalid
from ruleplay.records.events import Json

FILE_LIMIT = 30_000_000
"""Bytes of a replay file."""
LINES_LIMIT = 100_000
"""Lines of a log."""
DECISIONS_LIMIT = 3_000
"""Decisions in our own record."""
LOG_CLASS = "battle-log-data"
VIEWER = "https://play.pokemonshowdown.com/js/replay-embed.js"
# Keeps the length, unlike `lower()`, so positions in the result are valid in the original.
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<title>{title}</title>
<div class="wrapper replay-wrapper" style="max-width:1180px;margin:0 auto">
<input type="hidden" name="replayid" value="{room}">
<div class="battle"></div><div class="battle-log"></div><div class="replay-controls"></div>
<div class="replay-controls-2"></div>
<script type="text/plain" class="battle-log-data">{log}</script>
</div>
<script src="{viewer}"></script>
"""


class Decided(Frozen):
    """A decision of ours: what we knew, what we sent, and the trace that explains it."""

    position: Lean
    order: Order
    trace: Json = Field(default_factory=dict)


class Replay(Frozen):
    """A finished battle; `us` is the player whose turns are reviewed, "" if that is not known."""

    room: str = ""
    format: str = ""
    us: str = ""
    players: tuple[tuple[str, str], ...] = ()
    winner: str = ""
    log: tuple[str, ...] = Field(max_length=LINES_LIMIT)
    decisions: tuple[Decided, ...] = Field(default=(), max_length=DECISIONS_LIMIT)
    session: str = ""

    def role(self, name: str) -> str:
        """Find the role, `p1` or `p2`, for a player's name or role (NotFound lists the players)."""
        for role, player in self.players:
            if name.lower() in (role, player.lower()):
                return role
        names = " and ".join(repr(player) for _, player in self.players) or "nobody"
        raise NotFound(f"no player {name!r} in this replay; there are {names}")


def read_replay(file: Path) -> Replay:
    """Read a replay of any of the three kinds (NotFound, UserError)."""
    try:
        # A device or pipe may never end.
        if not file.is_file() and file.exists():
            raise UserError(f"{str(file)!r} is not a file that ends; name a replay")
        if file.stat().st_size > FILE_LIMIT:
            raise UserError(f"{str(file)!r} has more than {FILE_LIMIT:,} bytes; that is no replay")
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise NotFound(f"no replay {str(file)!r}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"replay {str(file)!r} cannot be read: {error}") from error
    return parse_replay(text, name=file.stem)


def parse_replay(text: str, name: str = "") -> Replay:
    """Parse a replay's text: our JSON, a saved page, or a plain log (UserError)."""
    start = text.lstrip()[:1]
    if start == "{":
        return _own(text, name)
    if start == "<":
        found = _log_in(text)
        if found is None:
            raise UserError(
                "this page holds no battle log; save it with Showdown's download button"
            )
        # Showdown escapes the end of a script as `<\/`; nothing else needs to be undone.
        text = html.unescape(found) if "&lt;" in found else found
        text = text.replace("<\\/", "</")
    return from_log(text.splitlines(), room=name)


def _log_in(page: str) -> str | None:
    """Find the content of a saved page's log element, in linear time."""
    lowered, at = page.translate(_LOWER), 0
    while (start := lowered.find("<script", at)) >= 0 and (end := lowered.find(">", start)) >= 0:
        at = end + 1
        if _is_log(lowered[start:at]):
            close = lowered.find("</script>", at)
            return page[at:close] if close >= 0 else None
    return None


def _is_log(tag: str) -> bool:
    return any(f"class={quote}{LOG_CLASS}{quote}" in tag for quote in "\"'")


def _own(text: str, name: str) -> Replay:
    try:
        told = json.loads(text)
        if isinstance(told, dict) and isinstance(told.get("log"), str):
            # The public replay site's format, with the log as one string.
            return from_log(told["log"].splitlines(), room=str(told.get("id") or name))
        return Replay.model_validate(told)
    except ValidationError as error:
        where, what = first_invalid(error)
        raise UserError(f"this replay cannot be read: {where or 'the file'}: {what}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"this replay is not the JSON it begins as: {str(error)[:200]}") from error


def from_log(lines: Iterable[str], *, room: str = "", us: str = "") -> Replay:
    """Build a replay from a protocol log (UserError if it contains no battle)."""
    log = tuple(line.rstrip("\r") for line in lines)[: LINES_LIMIT + 1]
    if len(log) > LINES_LIMIT:
        raise UserError(f"the log has more than {LINES_LIMIT:,} lines; that is no battle")
    players: dict[str, str] = {}
    winner, tier = "", ""
    for line in log:
        kind, *rest = line.removeprefix("|").split("|")
        if kind == "player" and len(rest) > 1 and rest[1]:
            players[rest[0]] = rest[1]
        elif kind == "tier" and rest:
            tier = rest[0]
        elif kind == "win" and rest:
            winner = rest[0]
    if len(players) < 2 or not any(line.startswith("|turn|") for line in log):
        raise UserError("there is no battle in this file: no players or no turn")
    known = re.search(r"battle-(gen\d\w+?)-\d", room) or re.search(r"^(gen\d\w+?)-\d", room)
    return Replay(
        room=room,
        format=known[1] if known else "".join(c for c in tier.lower() if c.isalnum()),
        us=us,
        players=tuple(sorted(players.items())),
        winner=winner,
        log=log,
    )


def write_replay(replay: Replay, folder: Path) -> Path:
    """Write a replay's three files, replacing older ones, and return the JSON file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"[^\w.-]+", "_", replay.room) or "battle"
        (folder / f"{stem}.log").write_text("\n".join(replay.log) + "\n", encoding="utf-8")
        (folder / f"{stem}.html").write_text(replay_page(replay), encoding="utf-8")
        file = folder / f"{stem}.json"
        file.write_text(replay.model_dump_json(), encoding="utf-8")
    except OSError as error:
        raise UserError(f"replays cannot be written to {str(folder)!r}: {error}") from error
    return file


def replay_page(replay: Replay) -> str:
    """Render the page that plays a battle in a browser with Showdown's own viewer."""
    title = html.escape(" vs. ".join(name for _, name in replay.players) or replay.room)
    log = "\n".join(replay.log).replace("</", "<\\/")
    return PAGE.format(title=title, room=html.escape(replay.room), log=log, viewer=VIEWER)
