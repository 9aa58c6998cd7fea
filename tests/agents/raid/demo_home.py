"""The demo's reports, imported once for all tests that only read them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from ruleplay.agents.raid.adapters.nights import Nights, open_nights
from ruleplay.settings import Settings


@cache
def demo_nights() -> tuple[Path, Nights]:
    """Return a home with the two demo nights, and the nights; made on first use."""
    home = Path(mkdtemp(prefix="ruleplay-raid-"))
    return home, open_nights(home)


def settings(folder: Path, **more: object) -> Settings:
    """Return settings that read the demo's reports and keep sessions in `folder`."""
    home, _ = demo_nights()
    folder.mkdir(exist_ok=True)
    db = f"sqlite+aiosqlite:///{folder / 'sessions.db'}"
    return Settings.model_validate({"home": home, "db": db, "model": "rules", **more})
