"""Convert character cards to persons of a scenario and back, and lorebooks to its lore."""

from __future__ import annotations

import json
import re

from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.story.cards import Card, Entry
from ruleplay.story.texts import Lang, words_of

TEXT, VOICE, KNOWN = 900, 300, 300
"""Most characters taken over from a card's description, personality and scenario."""


def key_of(name: str) -> str:
    """Turn a name into a section's key."""
    return "-".join(words_of(name))[:40] or "somebody"


def person_section(card: Card) -> str:
    """Convert a card to `## person` and `## lore` sections.

    Cards have a single language, which is used for both. Greetings, examples and instructions to
    a model are left out; the personality becomes the person's voice.
    """
    words = [word for word in words_of(card.name) if len(word) > 2][:4]
    fields = {"name": {"en": card.name, "fr": card.name}, "words": {"en": words, "fr": words}}
    if card.personality.strip():
        fields["voice"] = _both(_plain(card.personality, card)[:VOICE])
    if card.scenario.strip():
        fields["knows"] = _both(_plain(card.scenario, card)[:KNOWN])
    rows = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    text = _plain(card.description, card)[:TEXT] or card.name
    parts = [f"## person {key_of(card.name)}", "```yaml", *rows, "```"]
    parts += ["### en", text, "### fr", text, ""]
    return "\n".join([*parts, *lore_sections(card.lore, key_of(card.name), card)])


def lore_sections(entries: tuple[Entry, ...], stem: str, card: Card | None = None) -> list[str]:
    """Convert a lorebook's entries to sections; disabled and empty ones are left out."""
    parts: list[str] = []
    for number, entry in enumerate(entries, 1):
        words = [" ".join(words_of(key)) for key in entry.keys if words_of(key)][:8]
        text = _plain(entry.content, card)[:TEXT]
        if not (entry.enabled and words and text):
            continue
        said = json.dumps({"en": words, "fr": words}, ensure_ascii=False)
        parts += [f"## lore {stem}-{number}", "```yaml", f"words: {said}", "```"]
        parts += ["### en", text, "### fr", text, ""]
    return parts


def card_of(book: Book, person: str, lang: Lang) -> Card:
    """Convert a person of a scenario to a card with the scenario's lore (KeyError if unknown)."""
    one = book.scenario.persons[person]
    said = [text.of(lang) for text in (one.wants, one.knows) if text]
    return Card(
        name=one.name.of(lang),
        description=one.text.of(lang),
        personality=one.voice.of(lang) if one.voice else "",
        scenario=" ".join(said),
        lore=tuple(
            Entry(keys=lore.words.en if lang == "en" else lore.words.fr, content=lore.text.of(lang))
            for lore in book.scenario.lores.values()
        ),
    )


def _both(text: str) -> dict[str, str]:
    return {"en": text, "fr": text}


def _plain(text: str, card: Card | None) -> str:
    """Make a card's text plain prose: placeholders are filled in, Markdown is removed.

    A heading or fence would otherwise break the scenario's sections.
    """
    named = re.sub(r"\{\{char\}\}|<BOT>", card.name if card else "", text, flags=re.IGNORECASE)
    named = re.sub(r"\{\{user\}\}|<USER>", "the hero", named, flags=re.IGNORECASE)
    flat = re.sub(r"^[#`>\-*\s]+", "", named, flags=re.MULTILINE)
    return " ".join(re.sub(r"[{}\[\]`]", " ", flat).split())
