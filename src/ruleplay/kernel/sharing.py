"""What a link shows to somebody who has nothing else: a session, or what an agent lets be shared.

A shared page is one HTML document of its own: no script, no other host, no way to the server.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from html import escape
from typing import TYPE_CHECKING, Generic, TypeVar

from ruleplay.errors import UserError
from ruleplay.kernel.export import export_markdown
from ruleplay.kernel.session import Session, reading_seat
from ruleplay.storage.shares import Share, Shares

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host

SESSION = "session"
LANGUAGES = ("en", "fr", "de")
World = TypeVar("World")
_STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;max-width:760px;margin:0 auto;padding:24px 16px 64px;
overflow-wrap:anywhere}
h1{font-size:26px}h2{font-size:17px;margin-top:32px}
blockquote{margin:12px 0;padding:2px 14px;border-left:3px solid;opacity:.85}
table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{text-align:left;padding:4px 10px;border-bottom:1px solid}pre{overflow-x:auto}
"""


class Sharing(ABC, Generic[World]):
    """What of an agent, besides its sessions, a link may show: `SHARING` in `tools/sharing.py`."""

    @abstractmethod
    def find(self, world: World, what: str) -> tuple[str, str]:
        """Return the lasting name of what is to be shared, and its title (NotFound)."""

    @abstractmethod
    def page(self, world: World, what: str, language: str) -> str:
        """Return its HTML document in one of `LANGUAGES`; NotFound when it is gone."""


async def make_share(host: Host, kind: str, what: str) -> tuple[Share, str]:
    """Make a link to a session, or to something of an agent's; returns it with its token.

    Raises NotFound for what is not there and UserError for an agent that shares nothing else.
    """
    if kind == SESSION:
        head, _ = await host.store.read(what)
        kept, title = head.id, head.title
    else:
        sharing, world = await _sharing(host, kind)
        kept, title = await asyncio.to_thread(sharing.find, world, what)
    return await asyncio.to_thread(Shares(host.settings.home).make, kind, kept, title)


async def shared_page(host: Host, share: Share, language: str) -> str:
    """Return the document that a link shows, as it stands now (NotFound)."""
    if share.kind == SESSION:
        return await _session_page(host, share.what, language)
    sharing, world = await _sharing(host, share.kind)
    return await asyncio.to_thread(sharing.page, world, share.what, language)


async def _sharing(host: Host, kind: str) -> tuple[Sharing[object], object]:
    agent = await asyncio.to_thread(host.find_agent, kind)
    if (sharing := agent.sharing()) is None:
        raise UserError(f"of {kind!r} only sessions can be shared: name the kind {SESSION!r}")
    return sharing, await host.world(agent)


async def _session_page(host: Host, session: str, language: str) -> str:
    """Return a session as strangers may read it: where seats are guarded, from the public one."""
    from markdown_it import MarkdownIt

    head, _ = await host.store.read(session)
    seat = host.find_agent(head.agent).public_seat or await reading_seat(host, head)
    text = await export_markdown(Session(host, session), seat)
    told = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return document(language, head.title, _STYLE, told)


def document(language: str, title: str, style: str, body: str) -> str:
    """Return an HTML document that needs nothing else, and that lets nothing else be loaded."""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src'
        " 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{style}</style></head><body>\n"
        f"{body}\n</body></html>\n"
    )
