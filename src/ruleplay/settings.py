"""Configuration: flags win over `RULEPLAY_*` variables, which win over `ruleplay.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

from platformdirs import user_data_path
from pydantic import AfterValidator, BaseModel, Field, JsonValue, SecretStr
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from ruleplay.errors import UserError

SHORT_TOKEN = 16
"""Characters that a token has at least where other machines can try to guess it."""
DEFAULT_MODEL = "default"
"""The alias of the configured model."""
PREFIX = "RULEPLAY_"
"""What the names of variables begin with."""
_TAKEN = ("", "rules", DEFAULT_MODEL)


def _check_aliases(offered: dict[str, str]) -> dict[str, str]:
    for alias in offered:
        if alias in _TAKEN or not alias.isprintable() or set(alias) & set(" ,={}"):
            raise ValueError(f"{alias!r} cannot be an alias; take a short name, such as 'quick'")
    return offered


class Price(BaseModel, frozen=True):
    """A price the owner sets, in US dollars per million tokens."""

    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)

    def of(self, input_tokens: int, output_tokens: int) -> Decimal:
        """Return what these tokens cost in US dollars."""
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


class Login(BaseModel, frozen=True):
    """An account of the owner's at some service; without a password the name alone is used."""

    name: str
    password: SecretStr = SecretStr("")


class Variant(BaseModel, frozen=True, extra="forbid"):
    """A configuration of an agent under a name of its own, such as `saga-fr`, for chat programs."""

    agent: str
    title: str = ""
    config: dict[str, JsonValue] = Field(default_factory=dict)


class Settings(BaseSettings):
    """Everything a process can be told; read once at start and handed on, never global."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore")

    home: Path = Field(default_factory=lambda: user_data_path("ruleplay"))
    db: str = ""
    model: str = "rules"
    models: dict[str, str] = Field(default_factory=dict, description="role or agent → model")
    offered: Annotated[dict[str, str], AfterValidator(_check_aliases)] = Field(
        default_factory=dict, description="alias → model that clients of a server may choose"
    )
    compatible_url: str = Field(
        default="", description="the server that RULEPLAY_COMPATIBLE_KEY is for"
    )
    compatible_context: int = Field(
        default=0, ge=0, description="tokens that compatible servers read at once; 0: not known"
    )
    token: Annotated[str, AfterValidator(str.strip)] = ""
    accounts: dict[str, Login] = Field(
        default_factory=dict, description="service → account, such as showdown"
    )
    spending_cap: Decimal | None = Field(default=None, description="US dollars per session")
    prices: dict[str, Price] = Field(
        default_factory=dict, description="model → US dollars per million input and output tokens"
    )
    thinks_first: tuple[str, ...] = Field(
        default=(), description="models whose text starts inside their reasoning"
    )
    model_calls: int = Field(default=4, ge=1, description="concurrent model calls per process")
    propose_seconds: float = Field(default=10.0, gt=0)
    tell_seconds: float = Field(default=60.0, gt=0)

    rate: float = Field(default=50.0, ge=0, description="requests a second of one address; 0: any")
    readers: int = Field(default=2_000, ge=1, description="event streams that a server holds")
    connections_each: int = Field(
        default=200, ge=0, description="connections of one address, this machine's aside; 0: any"
    )
    grace: float = Field(default=5.0, ge=0, description="seconds that turns get when it stops")
    unwatched: float = Field(
        default=120.0,
        ge=0,
        description="seconds that a session plays on by itself while nobody reads it; 0: any",
    )
    variants: dict[str, Variant] = Field(
        default_factory=dict, description="name → configured agent that chat programs may choose"
    )
    chat_headers: tuple[str, ...] = Field(
        default=("Ruleplay-Chat", "X-OpenWebUI-Chat-Id"),
        description="headers in which chat programs name the chat, the first one first",
    )
    caller_headers: tuple[str, ...] = Field(
        default=("Ruleplay-Caller", "X-OpenWebUI-User-Id"),
        description="headers in which chat programs name the person",
    )
    origins: tuple[str, ...] = Field(
        default=(), description="pages elsewhere that may use /v1, /agui and /mcp with the token"
    )
    framed_by: tuple[str, ...] = Field(
        default=(), description="origins of pages that may show agents to their visitors"
    )
    logs: Literal["text", "json"] = "text"
    log_level: Literal["", "debug", "info", "warning", "error"] = ""
    log_content: bool = Field(default=False, description="whether logs may hold what was written")

    @property
    def database_url(self) -> str:
        """The SQLAlchemy URL of the store; SQLite in `home` unless told otherwise."""
        return self.db or f"sqlite+aiosqlite:///{self.home / 'ruleplay.db'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Put `ruleplay.toml` (here, or where RULEPLAY_TOML points) behind flags and variables."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, _toml())


def check_names(environment: Mapping[str, str]) -> None:
    """Refuse settings that have no meaning: a misspelt token would leave a server open.

    Raises UserError for an unknown name in `ruleplay.toml`, for a file that RULEPLAY_TOML names
    and that is not there, and for a variable that is a setting's name but for a slip.
    """
    file = _toml()
    if environment.get("RULEPLAY_TOML") and (file.is_dir() or not file.exists()):
        raise UserError(f"RULEPLAY_TOML names {str(file)!r}, and there is no such file")
    written = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    for name in written:
        if name not in Settings.model_fields:
            raise UserError(f"{file}: there is no setting {name!r}{_meant(name, 0.6)}")
    for variable in environment:
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or name in Settings.model_fields:
            continue
        # Other names of this prefix are no settings, such as those of keys.
        if near := _meant(name, 0.8):
            raise UserError(f"there is no setting {variable}{near}")


def _meant(name: str, least: float) -> str:
    near = get_close_matches(name.lower(), Settings.model_fields, 1, least)
    return f"; did you mean {near[0]!r}?" if near else ""


def _toml() -> Path:
    return Path(os.environ.get("RULEPLAY_TOML") or "ruleplay.toml")
