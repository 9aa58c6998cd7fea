"""Who knows what: clues, the adventure's secrets and the characters' own secrets.

Keys: `clue:K` and `secret:K` of the adventure; `own:SEAT:N` is a character's N-th secret.
"""

from __future__ import annotations

from typing import NamedTuple

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.seats import EVERYONE, Audience, knows, private
from ruleplay.agents.party.domain.table import Table
from ruleplay.story.texts import Text

OF = Text(en="{}: “{}”", fr="{}\u00a0: «\u00a0{}\u00a0»")
"""How others hear of somebody's secret: whose it is, and its words."""


class Known(NamedTuple):
    """Something to know: its key, its words in the table's language, and who knows it.

    `of` is the character whose secret it is.
    """

    key: str
    text: str
    audience: Audience
    of: str = ""

    @property
    def kind(self) -> str:
        """Return `clue`, `secret` or `own`."""
        return self.key.partition(":")[0]


def known(table: Table, book: Book, seat: str) -> tuple[Known, ...]:
    """Return what a seat knows; the DM knows everything dealt or found.

    Others' secrets have their names with them: their own texts speak to them, or of "her".
    """
    return tuple(
        one._replace(text=OF.of(table.lang).format(table.name(one.of), one.text))
        if one.of not in ("", seat)
        else one
        for one in everything(table, book)
        if knows(seat, one.audience)
    )


def everything(table: Table, book: Book) -> tuple[Known, ...]:
    """Return everything known to anybody at the table, with its audience."""
    found = [
        Known(f"clue:{one.clue}", book.story.clues[one.clue].text.of(table.lang), one.audience)
        for one in table.expedition.clues
    ]
    for one in table.expedition.secrets:
        secret = book.story.secrets[one.secret]
        audience = (EVERYONE,) if one.out else (one.who,)
        # Its own text speaks to its keeper alone.
        text = secret.revealed if one.out and secret.revealed else secret.text
        of = "" if text is secret.revealed else one.who
        found.append(Known(f"secret:{one.secret}", text.of(table.lang), audience, of))
    for seat, persona in table.personas.items():
        for at, text in enumerate(persona.secrets):
            found.append(Known(f"own:{seat}:{at}", text.of(table.lang), (seat,), seat))
    return tuple(_shared(one, table) for one in found)


def _shared(one: Known, table: Table) -> Known:
    told = table.shared.get(one.key, ())
    audience = (EVERYONE,) if EVERYONE in (*one.audience, *told) else private(*one.audience, *told)
    return one._replace(audience=audience)


def text_of(key: str, table: Table, book: Book) -> str:
    """Return the text of a known thing (KeyError)."""
    return next(one.text for one in everything(table, book) if one.key == key)


def truths(table: Table, book: Book) -> tuple[str, ...]:
    """Return the texts of clues still to be found in the scene; for the DM only."""
    now, story = table.expedition, book.story
    if not now.begun or not now.scene:
        return ()
    found = {one.clue for one in now.clues}
    deeds = (one.gain.clues for one in story.deeds.values() if one.scene == now.scene)
    here = story.scenes[now.scene].persons
    talks = (one.gain.clues for one in story.talks.values() if one.person in here)
    keys = dict.fromkeys(key for clues in (*deeds, *talks) for key in clues)
    return tuple(story.clues[key].text.of(table.lang) for key in keys if key not in found)


def tellable(table: Table, book: Book, seat: str) -> tuple[Known, ...]:
    """Return what a seat knows that not everyone knows."""
    return tuple(one for one in known(table, book, seat) if EVERYONE not in one.audience)
