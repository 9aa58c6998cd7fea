"""Settings with a command's flags applied, and the host that a command runs on."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ruleplay.kernel.host import Host
    from ruleplay.records.events import Json
    from ruleplay.settings import Settings


def configured(db: str = "", model: str = "") -> Settings:
    """Load the settings and apply the flags; UserError names an invalid setting.

    A model flag with a default replaces all configured models; one with roles only
    (`parts.extract=embedded`) replaces those.
    """
    import os
    from tomllib import TOMLDecodeError

    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from ruleplay.errors import UserError, first_invalid
    from ruleplay.settings import Settings, check_names

    try:
        check_names(os.environ)
        settings = Settings(db=db) if db else Settings()
    except ValidationError as error:
        where, what = first_invalid(error)
        raise UserError(f"setting {where!r} (RULEPLAY_{where.upper()}): {what}") from error
    except SettingsError as error:  # what is no JSON, or no list; the value may be a secret
        raise UserError(f"{error}; write it as JSON") from error
    except (TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"ruleplay.toml cannot be read: {error}") from error
    return settings.model_copy(update=_models(settings, model))


def _models(settings: Settings, flag: str) -> dict[str, str | dict[str, str]]:
    from ruleplay.models.names import Selection

    default = dict(Selection.parse(settings.model).entries)
    chosen = default | {role: name for role, name in settings.models.items() if role}
    if flag:
        named = _named(flag)
        chosen = named if "" in named else chosen | named
    chosen = dict(Selection.parse(chosen).entries)
    return {"model": chosen.pop(""), "models": chosen}


def _named(flag: str) -> dict[str, str]:
    """Parse a model flag: role → model, with "" only if the flag names a default.

    `Selection.parse` always adds a default, so a marker is put in its place and removed again.
    """
    import json

    from ruleplay.models.names import Selection

    unset = "embedded:unset"
    Selection.parse(flag)
    given = json.loads(flag) if flag.lstrip().startswith("{") else None
    read = Selection.parse(f"{unset},{flag}" if given is None else {"": unset, **given})
    return {role: name for role, name in read.entries if (role, name) != ("", unset)}


@asynccontextmanager
async def hosting(db: str = "", model: str = "") -> AsyncIterator[Host]:
    """Open a host for the block; closing it cancels what still runs."""
    settings = configured(db, model)
    from ruleplay.catalog import find_agent
    from ruleplay.kernel.host import Host

    host = await Host.open(settings, find_agent)
    try:
        yield host
    finally:
        await host.close()


def begin(agent: str, config: Json, db: str, model: str, *, as_json: bool) -> str:
    """Create a session and print its id, or as JSON its view as well; return the id.

    As JSON nothing else may be printed, so the id that is returned is empty.
    """
    from ruleplay.cli import output
    from ruleplay.kernel.session import view_json

    async def made() -> tuple[str, Json]:
        async with hosting(db, model) as host:
            head = await host.create(agent, config)
            return head.id, await view_json(host, head, head.head)

    session, view = asyncio.run(made())
    if as_json:
        output.print_json({"session": session, "view": view})
        return ""
    output.write(f"{session}\n")
    return session
