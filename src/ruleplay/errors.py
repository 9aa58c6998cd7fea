"""The errors Ruleplay raises on purpose, in one tree.

    RuleplayError
    ├── UserError          the input is wrong; the message is shown as written
    │   ├── NotFound       no such session, turn, agent or part
    │   └── Conflict       not your turn, stale head, key used for another input
    ├── ModelError         a model failed, stalled or talked nonsense (the policy takes over)
    │   └── SpendingCap    the session's budget for model calls is used up
    └── Unavailable        an extra is not installed or a server is down
        └── Away           the database does not answer for now; the same request may be sent again

Messages quote values with `!r` and say what to do next. The server and the command line each hold
one table from these types to a status or an exit code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class RuleplayError(Exception):
    """Base of everything raised on purpose."""


class UserError(RuleplayError):
    """The input cannot be used; the message tells its sender what to do."""


class NotFound(UserError):
    """What was asked for does not exist."""


class Conflict(UserError):
    """The request was valid once, or for someone else, but not now."""


class ModelError(RuleplayError):
    """A model call failed; callers fall back to the policy."""


class SpendingCap(ModelError):
    """The session has spent what its owner allowed for model calls."""


class Unavailable(RuleplayError):
    """Something optional is missing; the message names the extra or the command that brings it."""


class Away(Unavailable):
    """The database does not answer for the moment; sending the same again is safe and may help."""


def first_invalid(error: ValidationError) -> tuple[str, str]:
    """Return the path of the first invalid field ("" for the whole) and what is wrong with it.

    The value itself is left out: it may be long, or a secret.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    return ".".join(str(part) for part in first["loc"]), first["msg"]
