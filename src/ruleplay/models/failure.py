"""Short descriptions of providers' errors, which never quote a key."""

from __future__ import annotations

from collections.abc import Iterator

TOLD_CHARACTERS = 160
"""Characters quoted from an error of an unknown kind."""

# Class names instead of classes: each provider's client defines its own, and importing all clients
# is slow. The first entry that names any base class of the error wins, so narrow ones come first.
_WORDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("ContextOverflowError",), "was given more than its context holds"),
    (("RateLimitError", "ModelRateLimitError"), "is rate limited"),
    (
        ("AuthenticationError", "ModelAuthenticationError"),
        "refused the key; check its environment variable",
    ),
    (("PermissionDeniedError", "ModelPermissionDeniedError"), "may not be used with this key"),
    (("NotFoundError", "ModelNotFoundError"), "is not known there"),
    (
        ("TimeoutError", "APITimeoutError", "ModelTimeoutError", "TimeoutException"),
        "took too long",
    ),
    (("RemoteProtocolError", "ReadError"), "lost the connection"),
    (
        ("APIConnectionError", "ModelConnectionError", "TransportError", "ConnectionError"),
        "cannot be reached",
    ),
    (
        ("JSONDecodeError", "ValidationError", "UnicodeDecodeError", "LookupError", "TypeError"),
        "answered with something other than a chat completion",
    ),
)


def describe_failure(err: Exception) -> str:
    """Describe an error in words that follow the model's name, such as "is rate limited"."""
    status = _status(err)
    suffix = f" (HTTP {status})" if status else ""
    if "exceeds the available context size" in str(err):  # llama.cpp's error 400
        return f"was given more than its context holds{suffix}"
    bases = [base.__name__ for cause in _causes(err) for base in type(cause).__mro__]
    for names, words in _WORDS:
        if any(name in bases for name in names):
            return words + suffix + _wait(err)
    told = " ".join(str(err).split())[:TOLD_CHARACTERS]
    return f"failed{suffix}: {told or type(err).__name__}"


def _causes(err: BaseException) -> Iterator[BaseException]:
    """Yield the error and its causes: clients wrap the errors of their connections."""
    cause: BaseException | None = err
    while cause:
        yield cause
        cause = cause.__cause__


def cut_reason(err: Exception) -> str:
    """Return the finish reason if the error only means that a reply was cut off, else "".

    OpenAI's client raises when a JSON reply ends by `length` or `content_filter`.
    """
    known = {
        "LengthFinishReasonError": "length",
        "ContentFilterFinishReasonError": "content_filter",
    }
    return known.get(type(err).__name__, "")


def _status(err: Exception) -> int | None:
    found = getattr(err, "status_code", None) or getattr(err, "code", None)
    return found if isinstance(found, int) else None


def _wait(err: Exception) -> str:
    headers = getattr(getattr(err, "response", None), "headers", None) or {}
    after = headers.get("retry-after")
    return f"; retry after {after} s" if after else ""
