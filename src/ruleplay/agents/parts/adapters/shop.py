"""The owner's settings in `shop.toml`: feed, people, links, orders and texts.

Addresses come only from this file and the command line, never from customers or clients.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from ruleplay.errors import UserError, first_invalid

FILE = "shop.toml"
"""The name of the file in Ruleplay's home folder."""


class _Table(BaseModel):
    """A table of the file; unknown keys are errors, so that typos are found."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Feed(_Table):
    """Where the shop's files are: URLs or paths; `columns` maps fields to columns."""

    parts: str = ""
    fits: str = ""
    models: str = ""
    columns: dict[str, str] = Field(default_factory=dict)


class Mail(_Table):
    """An SMTP server, and the addresses between which hand-overs are sent."""

    host: str
    port: int = 587
    user: str = ""
    password: SecretStr = SecretStr("")
    sender: str
    to: str
    starttls: bool = True


class People(_Table):
    """Who takes conversations over, and how customers reach the shop if nobody does."""

    webhook: str = ""
    secret: SecretStr = SecretStr("")
    mail: Mail | None = None
    contact: str = ""


class Links(_Table):
    """Address templates of a part's page and of adding it to the cart; `{part}` is its number."""

    product: str = ""
    cart: str = ""


class Orders(_Table):
    """A webhook that tells the status of an order; `{order}` is its number."""

    status: str = ""
    secret: SecretStr = SecretStr("")


class Shop(_Table):
    """Everything in `shop.toml`; all of it is optional."""

    feed: Feed = Feed()
    people: People = People()
    links: Links = Links()
    orders: Orders = Orders()
    says: dict[str, str] = Field(default_factory=dict)
    """The owner's texts on delivery, returns, hours and the like, by topic."""

    @property
    def hands_over(self) -> bool:
        """Whether hand-overs reach somebody."""
        return bool(self.people.webhook or self.people.mail)

    @property
    def reach(self) -> str:
        """How customers reach the shop: the owner's text, else the host of the product pages."""
        return self.people.contact or urlsplit(self.links.product).hostname or ""

    def product(self, part: str, url: str) -> str:
        """Build the address of a part's page; the catalog's own address takes precedence."""
        # `quote` with an empty `safe` keeps a part's number from changing the path.
        return url or self.links.product.replace("{part}", quote(part, safe=""))

    def cart(self, part: str) -> str:
        """Build the address that adds a part to the cart; empty if there is none."""
        return self.links.cart.replace("{part}", quote(part, safe=""))


def read_shop(home: Path) -> Shop:
    """Read the owner's file, if any; UserError if it is malformed."""
    file = home / FILE
    if not file.exists():
        return Shop()
    try:
        return Shop.model_validate(tomllib.loads(file.read_text("utf-8")))
    # It has to come first, since pydantic's ValidationError is a ValueError too.
    except ValidationError as error:
        where, what = first_invalid(error)
        raise UserError(f"{str(file)!r}: {where}: {what}") from error
    except ValueError as error:
        raise UserError(f"{str(file)!r} is not readable as TOML: {error}") from error
