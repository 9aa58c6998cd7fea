"""Decides when a question is about a spell, whatever else it was heard as."""

from __future__ import annotations

from dataclasses import replace

from ruleplay.agents.raid.domain.overview import Night, fold, words
from ruleplay.agents.raid.domain.persons import calling_words, refers_back
from ruleplay.agents.raid.domain.questions import Question
from ruleplay.agents.raid.policy.forms import SUMS, Form
from ruleplay.agents.raid.policy.hearing import OF_CASTS, OF_NOBODY, SURE_OF_CARD, TALK, Heard
from ruleplay.agents.raid.state import State

SURE = 0.8
"""Confidence in a measure from which a spell's own form answers instead of its story.

Measured on questions of strangers: above it nine in ten are heard right.
"""
OF_SPELLS = frozenset(
    (
        *("casts", "auras", "taken", "avoidable", "damage", "healing", "overheal", "crits"),
        *("interrupts", "dispels", "nature", "deaths", "near_deaths", "absorbs", "killing_blows"),
        *("lust", "cooldowns", "tanking", "consumables", "adds"),
    )
)
"""Measures that can be of a spell; the answer about any other one would not be about it."""
_OF_PULLS = frozenset((*OF_NOBODY, "cause", "none", "", "unlogged", "advice", "roster", "week"))
"""Measures of pulls, for which words that point back at a spell are heard."""


def is_of_pulls(heard: Heard) -> bool:
    """Whether a message was heard as one about pulls or about nothing, and not for certain."""
    sure = max((one.sure for one in heard.guesses[:1]), default=0.0)
    return heard.measure in _OF_PULLS and (sure < SURE_OF_CARD or heard.measure != "duration")


def tells_story(heard: Heard, question: Question, form: Form, night: Night) -> bool:
    """Whether a spell's story answers rather than the form of the measure."""
    if not question.abilities or heard.kind in TALK or night.blind:
        return False
    if {*question.abilities} & {*night.pets} or form.name == "part":
        return False
    if heard.measure not in OF_SPELLS or heard.measure == "absorbs":
        return True  # of a spell that shields nobody the log has no absorbs, but may have its uses
    if form.by == "pull" and heard.measure in SUMS:
        return False
    whole = not (question.part or question.without or question.left_out or question.only)
    if heard.measure == "taken" and form.name == "tally" and form.by == "player" and whole:
        return True  # which tells the same, and what else there is if it hit nobody
    likeliest = heard.guesses[0] if heard.guesses else None
    unsure = likeliest is None or likeliest.sure < SURE or likeliest.label != heard.measure
    return unsure and not heard.follows and heard.measure not in ("deaths", "near_deaths")


def of_it(question: Question, heard: Heard, state: State) -> tuple[Question, Heard]:
    """Apply the spell asked about before to a message that points back at it.

    "So why none on Loatheb", "which bosses got it": heard as one about pulls.
    """
    spells = () if state.led else state.abilities
    named = question.abilities or question.targets or question.players
    own = bool(named) or bool(question.kind) or question.of_one
    if not spells or own or heard.kind in TALK:
        return question, heard
    said = {*words(question.text)}
    points = said & calling_words().it or refers_back(fold(question.text))
    # "Whose fault was it" after a death is of no spell; "why none" after its uses is.
    used = state.measure in OF_CASTS and state.measure != "auras"
    willed = heard.measure not in ("cause", "advice") or (used and heard.said == "why")
    if not (points and heard.measure in _OF_PULLS and willed):
        return question, heard
    measure = state.measure if state.measure in OF_CASTS else "casts"
    shape = heard.said or heard.shape
    told = replace(heard, measure=measure, shape=shape, kind="question", abilities=spells)
    return replace(question, abilities=spells), replace(told, guessed=False, guesses=())
