"""Chooses the account to play under on a server."""

from __future__ import annotations

from ruleplay.agents.battle.adapters.connection import NAME_LIMIT, Account, user_id
from ruleplay.errors import UserError
from ruleplay.settings import Settings

SERVICE = "showdown"


def chosen_account(settings: Settings, name: str = "", *, local: bool) -> Account:
    """Choose an account: a named one, the configured one, or a random guest.

    Local servers have no accounts. UserError for a name that servers do not accept.
    """
    if name:
        if not 0 < len(user_id(name)) <= NAME_LIMIT or len(name) > NAME_LIMIT:
            raise UserError(f"a name has 1 to {NAME_LIMIT} letters and digits, unlike {name!r}")
        known = settings.accounts.get(SERVICE)
        same = known is not None and user_id(known.name) == user_id(name)
        password = known.password.get_secret_value() if known and same and not local else ""
        return Account(name, password)
    known = settings.accounts.get(SERVICE)
    if known is None or local:
        return Account.guest()
    return Account(known.name, known.password.get_secret_value())
