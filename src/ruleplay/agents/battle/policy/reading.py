"""Understands a message as a model has read it: resolves its names, and says what is wrong."""

from __future__ import annotations

from itertools import pairwise

from ruleplay.agents.battle.domain.meaning import OF_THIS_TURN, Act, Heard, Named, Reading
from ruleplay.agents.battle.domain.wishes import OF_ONE, Limit
from ruleplay.agents.battle.policy.hearing import MONS, when_of, whom
from ruleplay.agents.battle.policy.names import Lexicon
from ruleplay.agents.battle.state import Spoken

ASKS = Reading(acts=(Act(do="ask"),))
"""The reading `propose` falls back on without a model; it means that `hear` reads the message."""


def reading_problems(reading: Reading, offered: int) -> list[str]:
    """List what is wrong with a model's reading; the model is asked to repair it.

    `offered` is the number of wishes that the person was asked to choose from.
    """
    if not reading.acts:
        return ["acts: say at least what is asked, as `ask`"]
    wrong = [act for act in reading.acts if act.do == "pick" and not 1 <= act.number <= offered]
    told = [f"number {act.number} was not offered" for act in wrong]
    for before, act in pairwise((None, *reading.acts)):
        if act and act.only == "otherwise" and (before is None or not before.only):
            told.append("`otherwise` needs an act before it that has `only`; see `once` and `when`")
        if act and act.only in ("kills", "lives") and act.do not in OF_THIS_TURN:
            told.append(f"{act.do}: `{act.only}` is of orders for this turn; see `once` and `when`")
        told += [
            f"{key}: {why}"
            for key, limit in (act.limits if act else {}).items()
            if (why := _limit_problem(key, limit))
        ]
    return told


def _limit_problem(key: str, limit: Limit) -> str:
    """Say why a limit cannot be checked by code; "" if it can."""
    if limit.sign in OF_ONE and not limit.name:
        return f"`{limit.sign}` needs the `name` of one of ours or theirs"
    if limit.sign == "costs":
        return "" if key == "unless" else "`costs` is only of `unless`"
    return "" if limit.number or limit.sign in ("out", "fell") else "`number` is missing"


def as_read(reading: Reading, message: str, names: Lexicon, before: Spoken | None) -> Heard:
    """Resolve the names in a model's reading to things in this battle.

    Topics stay "asked": the model then explains from tables, so no topic is needed.
    """
    own = names.find(message, plain=True)
    about = (name for one in reading.about for name in names.find(one).names if len(name) == 1)
    orders = tuple(
        (
            act.model_copy(
                update={
                    "when": act.when and whom(names.find(act.when), "theirs", "species"),
                    "once": act.once and whom(names.find(act.once), *MONS),
                    **{key: _of_one(limit, names) for key, limit in act.limits.items()},
                }
            ),
            names.find(act.name),
        )
        for act in reading.acts
        if act.do != "ask"
    )
    asks = any(act.do == "ask" for act in reading.acts)
    language = reading.language[:2].lower() or (before.language if before else "en")
    named = Named((*own.names, *about), own.marked)
    when = when_of(own) if asks else ""
    return Heard(language, named, "asked" if asks else "", (), orders, when=when)


def _of_one(limit: Limit, names: Lexicon) -> Limit:
    """Resolve the Pokémon that a limit is about."""
    name = whom(names.find(limit.name), *MONS) if limit.sign in OF_ONE else ""
    return limit.model_copy(update={"name": name})
