"""What a seat asks outside the story: the facts that answer it, and the block code prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.proceedings import Consulted
from ruleplay.agents.party.domain.safety import unnamed
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.handbook import basics, spell_line
from ruleplay.agents.party.policy.replies import looked_up, possible
from ruleplay.story.beats import Beat, answer


def answer_of(asked: Sequence[Consulted], table: Table, book: Book) -> Beat:
    """Return the questions of one seat as one beat, which a model answers from its facts."""
    blocks = dict.fromkeys(looked_up(one, table, book) for one in asked)
    questions = " ".join(dict.fromkeys(one.about for one in asked))
    return answer("b1", questions, facts_of(asked, table, book), "\n\n".join(blocks))


def facts_of(asked: Sequence[Consulted], table: Table, book: Book) -> tuple[str, ...]:
    """Return what may be said to questions: what they are about first, then all the rest."""
    seat, lang = asked[0].seat, table.lang
    about = " ".join(one.about for one in asked)

    def looked(topic: str) -> Iterable[str]:
        wanted = Consulted.model_validate({"seat": seat, "topic": topic, "about": about})
        return looked_up(wanted, table, book).split("\n")

    place = "fight" if table.cast.fight else "scene"
    parts: dict[str, Callable[[], Iterable[str]]] = {
        "rules": lambda: looked("rules"),
        place: lambda: (*looked(place), possible(table, book, seat)),
        "sheet": lambda: looked("sheet"),
        "spells": lambda: _own_spells(seat, table, book),
        "memory": lambda: looked("memory"),
        "game": lambda: basics(book, lang),
        "help": lambda: looked("help"),
    }
    first = [one.topic for one in asked if one.topic in parts]
    order = dict.fromkeys(("rules", *first, *parts))
    lines = (line.strip().removeprefix("- ") for key in order for line in parts[key]())
    return tuple(dict.fromkeys(unnamed(line, table.safety, lang) for line in lines if line))


def _own_spells(seat: str, table: Table, book: Book) -> Iterable[str]:
    """Return what the rules say of every spell that somebody knows."""
    me = table.cast.get(seat)
    known = (book.rules.spells.get(key) for key in (me.spells if me else ()))
    return tuple(spell_line(one, table.lang) for one in known if one)
