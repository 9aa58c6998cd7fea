"""Share links: pages for people without access to the server, of a session or an agent's content.

A shared page is a self-contained HTML document without scripts, which loads nothing else.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from html import escape
from typing import TYPE_CHECKING, Generic, TypeVar

from ruleplay.errors import UserError
from ruleplay.kernel.export import LEGEND, Readership, export_markdown
from ruleplay.kernel.session import Session, reading_seat
from ruleplay.storage.shares import Share, Shares

if TYPE_CHECKING:
    from ruleplay.kernel.host import Host

SESSION = "session"
LANGUAGES = ("en", "fr", "de")
World = TypeVar("World")
_STYLE = """
:root{color-scheme:light dark}
body{font:17px/1.6 Georgia,"Liberation Serif",serif;max-width:760px;margin:0 auto;
padding:24px 16px 64px;overflow-wrap:anywhere;color:light-dark(#1e2636,#ebe6da);
background:light-dark(#f8f4ea,#11151d)}
h1{font-size:28px;line-height:1.25}
h2,h1+p,ol,blockquote,table{font-family:system-ui,sans-serif;font-size:15px}
h2{margin-top:36px;padding-top:12px;border-top:1px solid light-dark(#ded5c1,#303848);
color:light-dark(#575e6c,#a9afbb)}
h1+p{color:light-dark(#575e6c,#a9afbb)}
blockquote{margin:12px 0;padding:4px 14px;border-left:3px solid light-dark(#c65a4c,#b85d51);
background:light-dark(#e7ecf8,#212c47)}
ol{color:light-dark(#575e6c,#a9afbb)}
table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{text-align:left;padding:4px 10px;border-bottom:1px solid}pre{overflow-x:auto}
"""
_ABOUT = {
    "en": "A session of Ruleplay, to read.",
    "fr": "Une session de Ruleplay, à lire.",
    "de": "Eine Sitzung von Ruleplay, zum Lesen.",
}
_LEGENDS = {
    "fr": "Ce qui porte un numéro vient du relevé ; l’italique est l’avis du narrateur.",
    "de": "Was eine Nummer trägt, ist aufgezeichnet; Kursives meint der Erzähler.",
}


class Sharing(ABC, Generic[World]):
    """What links may show of an agent besides sessions: `SHARING` in its `tools/sharing.py`."""

    @abstractmethod
    def find(self, world: World, what: str) -> tuple[str, str]:
        """Return the permanent name of something to be shared, and its title (NotFound)."""

    @abstractmethod
    def page(self, world: World, what: str, language: str) -> str:
        """Return its HTML document in one of `LANGUAGES` (NotFound if it is gone)."""


async def make_share(host: Host, kind: str, what: str) -> tuple[Share, str]:
    """Create a share link to a session, or to an agent's content; return it with its token.

    `kind` is `session` or an agent's name. NotFound if there is no such thing, UserError if the
    agent shares nothing but sessions.
    """
    if kind == SESSION:
        head, _ = await host.store.read(what)
        kept, title = head.id, head.title
    else:
        sharing, world = await _sharing(host, kind)
        kept, title = await asyncio.to_thread(sharing.find, world, what)
    return await asyncio.to_thread(Shares(host.settings.home).make, kind, kept, title)


async def shared_page(host: Host, share: Share, language: str) -> str:
    """Render the page of a link in its current state (NotFound)."""
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
    """Render a session for strangers, from the public seat if seats are guarded."""
    from markdown_it import MarkdownIt

    head, _ = await host.store.read(session)
    table = host.find_agent(head.agent).public_seat
    seat = table or await reading_seat(host, head)
    legend = _LEGENDS.get(language, LEGEND)
    # Without guarded seats a single person wrote all messages.
    reader = Readership(_ABOUT[language], legend, alone=not table)
    text = await export_markdown(Session(host, session), seat, reader)
    told = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return document(language, head.title, _STYLE, told)


def document(language: str, title: str, style: str, body: str) -> str:
    """Build a self-contained HTML document; its content security policy blocks everything else."""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src'
        " 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{style}</style></head><body>\n"
        f"{body}\n</body></html>\n"
    )
