"""What went wrong at a model's provider, in a few words that never quote a key."""

from __future__ import annotations

from collections.abc import Iterator

TOLD_CHARACTERS = 160

# Class names, not classes: every provider's client has its own, and importing them all is dear.
# The first that matches any base of the error decides, so narrow ones come first.
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
        "answered with something else than a chat completion",
    ),
)


def describe_failure(err: Exception) -> str:
    """Return what happened, to be read after the model's name."""
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
    """Yield the error and what it was raised from: a connection that broke is named there."""
    cause: BaseException | None = err
    while cause:
        yield cause
        cause = cause.__cause__


def cut_reason(err: Exception) -> str:
    """Return the finish reason of a reply that the client refused for being cut, else nothing.

    OpenAI's client raises where a JSON reply ended by `length` or `content_filter`.
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
