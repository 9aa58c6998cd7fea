"""The names of models: which one a role uses, how it is opened, what is missing to use it.

    rules                            no model: the agents' policies decide (the default)
    embedded                         SmolLM2-135M inside this process
    embedded:/path/model.gguf        another GGUF file inside this process
    http://127.0.0.1:8080/v1         an OpenAI-compatible server
    llama:URL[#model]                the same with the name of one of its models; `llama:` and
                                     `openai-compatible:` are synonyms
    provider:model                   any provider that LangChain's init_chat_model supports

LangChain is slow to import, so it is imported only when a model is opened.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel

from ruleplay.errors import Unavailable, UserError
from ruleplay.models import embedded

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

RULES = "rules"
COMPATIBLE_KEY = "RULEPLAY_COMPATIBLE_KEY"
FORMS = (
    "rules, embedded, embedded:/path/model.gguf, http://HOST:PORT/v1, llama:URL[#model], "
    "openai-compatible:URL[#model], or provider:model such as openai:gpt-5-mini, "
    "anthropic:claude-sonnet-5 or ollama:qwen3"
)


class Provider(BaseModel, frozen=True):
    """A model provider: its package, `install` (pip's argument) and the variables of its key."""

    name: str
    module: str
    install: str
    keys: tuple[str, ...] = ()


PROVIDERS = (
    Provider(
        name="openai",
        module="langchain_openai",
        install="langchain-openai",
        keys=("OPENAI_API_KEY",),
    ),
    Provider(
        name="anthropic",
        module="langchain_anthropic",
        install="ruleplay[anthropic]",
        keys=("ANTHROPIC_API_KEY",),
    ),
    Provider(
        name="google_genai",
        module="langchain_google_genai",
        install="langchain-google-genai",
        keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    ),
    Provider(
        name="groq", module="langchain_groq", install="langchain-groq", keys=("GROQ_API_KEY",)
    ),
    Provider(
        name="openrouter",
        module="langchain_openrouter",
        install="langchain-openrouter",
        keys=("OPENROUTER_API_KEY",),
    ),
    Provider(name="ollama", module="langchain_ollama", install="langchain-ollama"),
)


def check_name(name: str) -> str:
    """Return the name if its form is valid, else raise a `UserError` that lists the forms.

    Whether the provider exists and is installed is checked only when the model is opened.
    """
    if name in (RULES, "embedded") or _URL.fullmatch(name) or _NAMED.fullmatch(name):
        return name
    raise UserError(f"no model is called {name!r}; use {FORMS}")


Check = Callable[[str], str]
"""Returns a model's name, or raises UserError."""
_URL = re.compile(r"(?:(?:llama|openai-compatible):)?https?://[^\s/]++\S*")
_NAMED = re.compile(r"(?!https?:|rules:|llama:|openai-compatible:)[a-z][a-z0-9_-]*:\S.*")


@lru_cache(maxsize=64)
def open_model(name: str, *, keyed: bool = True) -> BaseChatModel | None:
    """Return the chat model of a name, cached for the process; None for `rules`.

    `keyed` tells whether a compatible server gets RULEPLAY_COMPATIBLE_KEY; no server must get the
    key of another. Nothing is sent and no weights are loaded yet. Raises `UserError` for a name of
    invalid form, `Unavailable` if the package, the key or the weights are missing.
    """
    check_name(name)
    if name == RULES:
        return None
    kind, _, rest = name.partition(":")
    if kind == "embedded":
        return _open_embedded(rest)
    if kind in ("http", "https"):
        return _open_compatible(name, keyed)
    if kind in ("llama", "openai-compatible"):
        return _open_compatible(rest, keyed)
    return _open_provider(kind.replace("-", "_"), rest)


def _open_embedded(path: str) -> BaseChatModel:
    embedded.require_runtime()
    weights = embedded.weights_file(path)
    from ruleplay.models.compatible import EmbeddedChat

    return EmbeddedChat(weights=str(weights))


def _open_compatible(address: str, keyed: bool) -> BaseChatModel:
    from ruleplay.models.compatible import connect

    url, _, model = address.partition("#")
    key = os.environ.get(COMPATIBLE_KEY) if keyed else ""
    return connect(url, model or "default", key or "none")


def _open_provider(provider: str, model: str) -> BaseChatModel:
    known = next((entry for entry in PROVIDERS if entry.name == provider), None)
    if known and not find_spec(known.module):
        raise Unavailable(f"{provider} models need a package; run: pip install '{known.install}'")
    if known and known.keys and not _key_set(known):
        raise Unavailable(f"{provider} models need a key; set {' or '.join(known.keys)}")
    from langchain.chat_models import init_chat_model

    settings: Any = _settings(provider)  # keyword arguments differ by provider

    try:
        opened: BaseChatModel = init_chat_model(model, model_provider=provider, **settings)
    except ImportError as err:
        raise Unavailable(f"{provider} models: {_first_line(err)}") from err
    except ValueError as err:
        if "Unsupported provider" in str(err):
            raise UserError(f"no provider is called {provider!r}; use {FORMS}") from err
        raise Unavailable(f"{provider}:{model} cannot be set up: {_first_line(err)}") from err
    except Exception as err:  # providers' clients share no base class for their errors
        raise Unavailable(f"{provider}:{model} cannot be set up: {_first_line(err)}") from err
    return opened


def _settings(provider: str) -> dict[str, object]:
    """Return a provider's timeout and retries: few, since callers have a policy to fall back on."""
    match provider:
        case "ollama":
            return {"client_kwargs": {"timeout": embedded.READ_SECONDS}}
        case "openrouter":  # its timeout is in milliseconds
            return {"timeout": embedded.READ_SECONDS * 1000, "max_retries": 1}
        case "openai":
            # LangChain turns `stream_usage` off if OPENAI_BASE_URL is set; costs would be unknown.
            return {
                "timeout": embedded.READ_SECONDS,
                "max_retries": 1,
                "stream_usage": True,
                "stream_chunk_timeout": embedded.NO_CHUNK_TIMEOUT,
            }
        case "anthropic" | "google_genai" | "groq":
            return {"timeout": embedded.READ_SECONDS, "max_retries": 1}
        case _:  # an unknown provider might not accept these arguments
            return {}


def _key_set(provider: Provider) -> str:
    """Return the name of the environment variable that holds the provider's key, or ""."""
    return next((key for key in provider.keys if os.environ.get(key)), "")


def _first_line(err: Exception) -> str:
    lines = [line.strip() for line in str(err).splitlines() if line.strip()]
    # Pydantic's first line is "1 validation error for …"; the error itself follows.
    told = lines[1:] if len(lines) > 1 and "validation error" in lines[0] else lines
    return told[0][:200] if told else type(err).__name__


class Selection(BaseModel, frozen=True):
    """Which model each role uses; the most specific entry wins.

    `entries` are pairs of role and model name. A role is an agent ("battle"), one of its questions
    ("battle.decide"), or "" for the default.
    """

    entries: tuple[tuple[str, str], ...] = (("", RULES),)

    @classmethod
    def parse(cls, given: str | Mapping[str, object], check: Check = check_name) -> Selection:
        """Parse `rules, battle=openai:gpt-5-mini, battle.decide=embedded`, JSON, or a mapping.

        A mapping may be nested, as TOML's dotted keys produce it; "" and "default" are the default.
        Raises `UserError` for a role of invalid form or a model name that `check` refuses.
        """
        if isinstance(given, Mapping):
            found = _flatten(given, check)
        elif given.lstrip().startswith("{"):
            found = _flatten(_parse_json(given), check)
        else:
            found = dict(_entry(part, check) for part in given.split(",") if part.strip())
        return cls(entries=tuple(sorted(({"": RULES} | found).items())))

    def for_role(self, role: str) -> str:
        """Look up a role's model: its own entry, else its agent's, else the default."""
        models = dict(self.entries)
        while role and role not in models:
            role = role.rpartition(".")[0]
        return models.get(role, RULES)

    def names(self) -> tuple[str, ...]:
        """All model names in use, sorted, without duplicates."""
        return tuple(sorted({name for _, name in self.entries}))


_ROLE = re.compile(r"[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*")


def _parse_json(text: str) -> Mapping[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise UserError(f"the models {text[:200]!r} are not valid JSON: {err}") from err
    return {str(role): value for role, value in found.items()}


def _entry(part: str, check: Check) -> tuple[str, str]:
    role, equals, name = part.strip().partition("=")
    if equals and (not role or _ROLE.fullmatch(role.strip())):
        return _checked(role.strip(), name.strip(), check)
    return _checked("", part.strip(), check)


def _flatten(given: Mapping[str, object], check: Check, prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in given.items():
        own = "" if key in ("", "default") else key
        role = ".".join(filter(None, (prefix, own)))
        if isinstance(value, Mapping):
            found |= _flatten(value, check, role)
        else:
            found |= [_checked(role, str(value), check)]
    return found


def _checked(role: str, name: str, check: Check) -> tuple[str, str]:
    if role and not _ROLE.fullmatch(role):
        raise UserError(f"no role is called {role!r}; write it like battle or battle.decide")
    return ("" if role == "default" else role), check(name)


class Limit:
    """Limits concurrent model calls in this process; used as `async with limit: …`."""

    def __init__(self, calls: int) -> None:
        if calls < 1:
            raise UserError(f"at least one model call must be allowed at a time, not {calls!r}")
        self.calls = calls
        # A semaphore is bound to one event loop, and a process may run several in succession.
        self._gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )

    def _gate(self) -> asyncio.Semaphore:
        return self._gates.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self.calls))

    async def __aenter__(self) -> None:
        """Wait until a call may start."""
        await self._gate().acquire()

    async def __aexit__(self, *_: object) -> None:
        """Let the next call start."""
        self._gate().release()


class ModelStatus(BaseModel, frozen=True):
    """Whether a kind of model can be used here, else what to do; never contains a key."""

    name: str
    installed: bool
    key_variable: str = ""
    key_present: bool = False
    advice: str = ""

    @property
    def ready(self) -> bool:
        """Whether it can be used now."""
        return not self.advice


def describe_models() -> tuple[ModelStatus, ...]:
    """Check for every kind of model whether it can be used here, without imports or requests."""
    rules = ModelStatus(name=RULES, installed=True)
    return (rules, _describe_embedded(), *(_describe(provider) for provider in PROVIDERS))


def _describe_embedded() -> ModelStatus:
    try:
        embedded.require_runtime()
        embedded.weights_file()
    except Unavailable as err:
        return ModelStatus(name="embedded", installed=False, advice=str(err))
    return ModelStatus(name="embedded", installed=True)


def _describe(provider: Provider) -> ModelStatus:
    installed = find_spec(provider.module) is not None
    key = _key_set(provider)
    advice = ""
    if not installed:
        advice = f"run: pip install '{provider.install}'"
    elif provider.keys and not key:
        advice = f"set {' or '.join(provider.keys)}"
    return ModelStatus(
        name=provider.name,
        installed=installed,
        key_variable=key or next(iter(provider.keys), ""),
        key_present=bool(key),
        advice=advice,
    )
