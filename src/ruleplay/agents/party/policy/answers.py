"""What a seat asks outside the story: the facts that answer it, and the block code prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.proceedings import Consulted
from ruleplay.agents.party.domain.safety import unnamed
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.handbook import basics, feature_line, spell_line
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
        "powers": lambda: _own_powers(seat, table, book),
        "party": lambda: looked("party"),
        "memory": lambda: looked("memory"),
        "game": lambda: basics(book, lang),
        "settings": lambda: looked("settings"),
        "help": lambda: looked("help"),
    }
    first = [one.topic for one in asked if one.topic in parts]
    order = dict.fromkeys(("rules", *first, *parts))
    lines = (line.strip().removeprefix("- ") for key in order for line in parts[key]())
    return tuple(dict.fromkeys(unnamed(line, table.safety, lang) for line in lines if line))


def _own_powers(seat: str, table: Table, book: Book) -> Iterable[str]:
    """Yield what the rules say of every spell and feature that somebody has."""
    me, rules = table.cast.get(seat), book.rules
    for key in (*me.spells, *me.traits, *(one.key for one in me.features)) if me else ():
        if spell := rules.spells.get(key):
            yield spell_line(spell, table.lang)
        elif feature := rules.features.get(key):
            yield feature_line(feature, table.lang)
