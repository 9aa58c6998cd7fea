"""What a document shows before the page's own code runs: what it is about, as plain text.

The page draws itself over it at once when it has everything; until then nobody waits for a script
to read a title or an answer. Assistive technology gets the page itself: this is hidden from it, and
nothing of it can be used. The page's build writes down what is the same for all (`WORDS`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request

from ruleplay.records.events import Json

Words = Mapping[str, str]
"""HTML by key: whole looks by their addresses, else words and pieces, as in `begin.saga`."""
WORDS = "first.json"
LANGUAGES = ("en", "fr")
THEMES = ("light", "dark")
LANGUAGE, THEME = "ruleplay.language", "ruleplay.theme"
"""Cookies of what a reader chose."""
LAST = 3
"""Turns that are shown at first: a window's worth."""
AWAITED = '<link rel="expect" href="#known" blocking="render">'
"""Has the first frame wait until the look is parsed, at whose end `known` stands."""
APP = '<div id="app"></div>'
HTML = '<html lang="en">'
_HOLD = '<span class="button quiet">&nbsp;</span>'
"""Keeps a place as high as the buttons that come there."""
_ITEM = re.compile(r" {0,8}(?:(\d{1,6})[.)]|[-*]) {1,8}")
"""How an item of a list begins, with its number in one that counts."""
_LOOSE = re.compile(rf"(?<!\n)\n+(?={_ITEM.pattern})")
MARKS = re.compile(r"[*`#]+|\[r\d+(?:\.\d+)?\]")
"""What replies have for the page's own eyes."""


class Reader(NamedTuple):
    """Who is about to read: their language, and the light they chose, if they did."""

    language: str
    theme: str

    @classmethod
    def of(cls, request: Request) -> Reader:
        """Return what a request's cookies say, else what its browser prefers."""
        language = preferred(request, LANGUAGES, request.cookies.get(LANGUAGE, ""))
        theme = request.cookies.get(THEME, "")
        return cls(language, theme if theme in THEMES else "")


def preferred(request: Request, languages: Sequence[str], chosen: str = "") -> str:
    """Return the language that was chosen, else the first that a browser prefers of these."""
    asked = request.headers.get("accept-language", "").split(",")
    wanted = (tag.strip()[:2].lower() for tag in (chosen, *asked))
    return next((tag for tag in wanted if tag in languages), languages[0])


@lru_cache(maxsize=4)
def _written(file: Path, _changed: int) -> Mapping[str, Words]:
    found: Mapping[str, Words] = json.loads(file.read_text("utf-8"))
    return found


def words_of(folder: Path, language: str) -> Words:
    """Return the words that were built with the page; none where it was built without."""
    file = folder / WORDS
    return _written(file, file.stat().st_mtime_ns)[language] if file.is_file() else {}


def dressed(document: str, reader: Reader, look: str, known: Mapping[str, Json]) -> str:
    """Return a document in its reader's language and light, with a look and known answers.

    `known` has answers by the addresses that the page is going to ask; it needs not ask them then.
    """
    theme = f' data-theme="{reader.theme}"' if reader.theme else ""
    document = document.replace(HTML, f'<html lang="{reader.language}"{theme}>', 1)
    if APP not in document or not look:
        return document
    # As data it is no script to a browser, and nothing in it can end the element.
    told = json.dumps(known).replace("<", "\\u003c")
    data = f'<script type="application/json" id="known">{told}</script>'
    document = document.replace("<style>", f"{AWAITED}<style>", 1)
    return document.replace(APP, f'<div id="app">{look}</div>{data}', 1)


def session(words: Words, answer: Json) -> str:
    """Return the look of a session, from what the server answers to who may read it."""
    agent, turns = str(answer["agent"]), answer["turns"]
    last = turns[-LAST:] if isinstance(turns, list) else []
    shown = "".join(_turn(turn) for turn in last if isinstance(turn, dict))
    talk = (
        f'<ol class="turns">{shown}</ol>' if shown else words.get(f"begin.{agent}", words["begin"])
    )
    bar = '<div class="table-bar"></div>' if answer["public_seat"] else ""
    return words["frame"].replace(
        "{{content}}",
        '<div class="session"><div class="session-head">'
        f'<p class="crumbs">{words["home"]} / {words.get(f"titled.{agent}", escape(agent))}</p>'
        f"<h1>{escape(str(answer['title']))}</h1>"
        f'<div class="tools">{_HOLD}</div></div>{bar}'
        f'<div class="{words.get(f"desk.{agent}", "desk")}"><div class="tabs">{_HOLD}</div>'
        f'<section class="conversation"><div class="scroll">{talk}</div>'
        f'<div class="composer">{_HOLD}</div></section>'
        '<div class="panel"></div></div></div>',
    )


def _turn(turn: Json) -> str:
    """Return one turn: what was said and answered, as far as its reader may know."""
    given = turn["input"]
    message = str(given.get("message") or "") if isinstance(given, dict) else ""
    said = "" if turn.get("hidden") or not message else f"<p>{escape(message)}</p>"
    lines = groupby(_LOOSE.sub("\n", str(turn["reply"])).split("\n"), _kind)
    reply = "".join(_block(kind, [*told]) for kind, told in lines if kind)
    return (
        f'<li class="turn"><article><h2 class="number">{turn["number"]}</h2>'
        f"{said and f'<div class=said>{said}</div>'}"
        f'<div class="reply">{reply}</div><footer></footer></article></li>'
    )


def _kind(line: str) -> str:
    """Return what a line of a reply belongs to: a list, a paragraph, or nothing."""
    item = _ITEM.match(line)
    return ("ol" if item[1] else "ul") if item else "p" if line.strip() else ""


def _block(kind: str, lines: Iterable[str]) -> str:
    told = [escape(MARKS.sub("", _ITEM.sub("", line)).strip()) for line in lines]
    inside = "\n".join(told) if kind == "p" else "".join(f"<li>{one}</li>" for one in told)
    return f"<{kind}>{inside}</{kind}>"
