"""Reads teams for formats that require one: Showdown's export text, packed for the server."""

from __future__ import annotations

from pathlib import Path

from ruleplay.errors import NotFound, UserError

TEAM_LIMIT = 100_000
"""Characters of a team file."""


def read_team(file: Path) -> str:
    """Read a team file in Showdown's export or packed form, and pack it."""
    try:
        # A device or pipe may never end.
        if not file.is_file() and file.exists():
            raise UserError(f"{str(file)!r} is not a file that ends; name a team's")
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise NotFound(f"no team file {str(file)!r}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"team file {str(file)!r} cannot be read: {error}") from error
    return pack_team(text)


def pack_team(text: str) -> str:
    """Pack a team; UserError if it contains no Pokémon."""
    from poke_env.teambuilder import ConstantTeambuilder

    if len(text) > TEAM_LIMIT:
        raise UserError(f"a team of {len(text):,} characters; at most {TEAM_LIMIT:,} are read")
    try:
        builder = ConstantTeambuilder(text.strip())
        members, packed = builder.team, builder.yield_team()
    except (ValueError, LookupError, AttributeError, AssertionError, TypeError) as error:
        raise UserError(
            f"the team cannot be read ({error}); it takes what Showdown's teambuilder exports"
        ) from error
    if not any(mon.species or mon.nickname for mon in members):
        raise UserError("there is no Pokémon in the team; it takes what the teambuilder exports")
    return packed
