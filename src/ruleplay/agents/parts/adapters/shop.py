"""What the owner says of the shop, in `shop.toml` in Ruleplay's home: feed, people, links, orders.

Only the owner's file and command line name addresses; nothing a customer or client sends does.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from ruleplay.errors import UserError, first_invalid

FILE = "shop.toml"


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Feed(_Table):
    """Where the shop's files are: URLs or paths; `columns` maps fields to columns."""

    parts: str = ""
    fits: str = ""
    models: str = ""
    columns: dict[str, str] = Field(default_factory=dict)


class Mail(_Table):
    """An SMTP server and the addresses a hand-over is sent from and to."""

    host: str
    port: int = 587
    user: str = ""
    password: SecretStr = SecretStr("")
    sender: str
    to: str
    starttls: bool = True


class People(_Table):
    """Who takes conversations over, and how customers reach the shop where nobody does."""

    webhook: str = ""
    secret: SecretStr = SecretStr("")
    mail: Mail | None = None
    contact: str = ""


class Links(_Table):
    """Addresses of a part's page and of putting it in the cart; `{part}` is its number."""

    product: str = ""
    cart: str = ""


class Orders(_Table):
    """A hook that tells an order's status; `{order}` is its number."""

    status: str = ""
    secret: SecretStr = SecretStr("")


class Shop(_Table):
    """Everything in `shop.toml`; all of it may be missing."""

    feed: Feed = Feed()
    people: People = People()
    links: Links = Links()
    orders: Orders = Orders()
    says: dict[str, str] = Field(default_factory=dict)
    """The owner's own words on delivery, returns, hours and the like, by topic."""

    @property
    def hands_over(self) -> bool:
        """Whether somebody takes conversations over."""
        return bool(self.people.webhook or self.people.mail)

    @property
    def reach(self) -> str:
        """Return how customers reach the shop: as the owner says, else the site of its pages."""
        return self.people.contact or urlsplit(self.links.product).hostname or ""

    def product(self, part: str, url: str) -> str:
        """Return the address of a part's page."""
        return url or self.links.product.replace("{part}", quote(part, safe=""))

    def cart(self, part: str) -> str:
        """Return the address that puts a part in the cart; empty when there is none."""
        return self.links.cart.replace("{part}", quote(part, safe=""))


def read_shop(home: Path) -> Shop:
    """Read the owner's file; UserError when it says what nobody understands."""
    file = home / FILE
    if not file.exists():
        return Shop()
    try:
        return Shop.model_validate(tomllib.loads(file.read_text("utf-8")))
    except ValidationError as error:
        where, what = first_invalid(error)
        raise UserError(f"{str(file)!r}: {where}: {what}") from error
    except ValueError as error:
        raise UserError(f"{str(file)!r} is not readable as TOML: {error}") from error
