"""What `ruleplay doctor` reports about battles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ruleplay.errors import Unavailable
from ruleplay.system.finding import Finding


def findings(home: Path) -> Iterator[Finding]:
    """Check what battles need beyond Python packages: the server, the sets, the engine."""
    from ruleplay.agents.battle.adapters.showdown_package import (
        VERSION,
        installed_version,
        package_folder,
    )

    advice, found = "ruleplay setup battle", installed_version(package_folder(home))
    if found == VERSION:
        yield Finding(name="Showdown server", state="ok", detail=f"pokemon-showdown {found}")
    else:
        detail = f"pokemon-showdown {found}, not {VERSION}" if found else "not installed"
        yield Finding(name="Showdown server", state="missing", detail=detail, advice=advice)
    pools = sorted(path.name for path in (home / "battle" / "sets").glob("*.json.gz"))
    if pools:
        yield Finding(name="battle sets", state="ok", detail=", ".join(pools))
    else:
        yield Finding(
            name="battle sets", state="missing", detail="made at first use", advice=advice
        )
    yield _engine()


def _engine() -> Finding:
    try:
        from ruleplay.agents.battle.adapters.engine import probe

        return Finding(name="battle engine", state="ok", detail=f"{probe()}, gen 9 with tera")
    except (ImportError, Unavailable) as error:
        advice = "ruleplay setup battle; without it the built-in lookahead plays"
        return Finding(name="battle engine", state="missing", detail=str(error), advice=advice)
