"""Establishes what a reading's words claim about the world, or says what does not hold."""

from __future__ import annotations

from textwrap import shorten

from ruleplay.agents.party.domain import effecting
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.performance import Performance
from ruleplay.story.acts import Detail, Reading
from ruleplay.story.canon import refusal
from ruleplay.story.texts import words_of
from ruleplay.story.wording import MOSTLY, share_of


def establish(now: Performance, reading: Reading) -> None:
    """Establish what the words claim; report what does not hold, unless it was just done."""
    done = words_of(" ".join(act.text for act in reading.acts))
    message = words_of(now.message)
    vain = [words_of(one.text) for one in now.play.done if isinstance(one, t.InVain)]
    for detail in reading.details:
        if any(share_of(one, words_of(detail.text)) >= MOSTLY for one in vain):
            continue  # it was to come of an act that came to nothing
        if detail.kind == "detail" and len(detail.text.split()) < 3:
            continue
        kept, words = _kept(now, detail), words_of(detail.text)
        if not refusal(detail, ()) and share_of(words, message) >= MOSTLY:
            continue  # it only names somebody, and is what the player said they do
        # What ends something that was established is told by the acts that end it.
        if not (kept or detail.instead) and share_of(words, done) < MOSTLY:
            about = shorten(detail.text, 120, placeholder=" …")
            now.play.refuse(now.seat, Refusal(reason="not_so", about=about))


def _kept(now: Performance, detail: Detail) -> bool:
    """Establish a detail; a thing of one's own making is held from now on."""
    if detail.kind == "keepsake" and detail.about in ("", now.seat, now.who):
        return effecting.keep(now.play, now.seat, detail.text)
    if detail.kind == "name":
        return effecting.name_after(now.play, now.seat, detail)
    return effecting.establish(now.play, now.seat, detail)
