"""Turns played without human input: chosen options first, then tactics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleplay.agents.party.domain.choices import HARMS, WAITING, Choice, fight_choices
from ruleplay.agents.party.domain.fight import LURED
from ruleplay.agents.party.domain.happenings.tale import Tallied
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.orders import kept
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tactics import STEPS, wishes
from ruleplay.agents.party.domain.tale import MERCY

END = Intent(act="end")
STRIKES = ("attack", "offhand")
TURNS_AT_MOST = 40
"""The number of adversaries' turns that one act of the DM may contain."""


def take(play: TableTurn, who: str, chosen: Choice, *, spare: bool = False) -> bool:
    """Do what was chosen; False when the rules said no to all of it."""
    if chosen.venture:
        return play.venture(who, chosen.venture) is None
    refused = [play.step(who, meant(step, spare=spare)) for step in chosen.steps]
    return None in refused


def meant(step: Intent, *, spare: bool) -> Intent:
    """Return a step of somebody who may want nobody killed."""
    return step.model_copy(update={"spare": True}) if spare and step.act in STRIKES else step


def trial(play: TableTurn, who: str, chosen: Sequence[Choice]) -> str:
    """Return why nothing of what was chosen can be done; "" when something can."""
    if [*chosen] == [WAITING]:
        return ""
    actor = play.table.cast.fight.actor if play.table.cast.fight else who
    attempt = TableTurn(play.table, play.book)
    reasons: list[str] = []
    for one in chosen:
        for step in one.steps:
            refused = attempt.step(actor, step)
            if refused:
                reasons.append(f"{one.id}: {refused.reason} {refused.about}".strip())
        if one.venture and (refused := attempt.venture(who, one.venture)):
            reasons.append(f"{one.id}: {refused.reason} {refused.about}".strip())
    return "" if attempt.done else "; ".join(reasons)


def fight_turn(
    play: TableTurn, who: str, chosen: Sequence[Choice] = (), *, spare: bool = False
) -> None:
    """Play a whole turn of a fight: what was chosen, then what tactics add, then its end.

    With `spare` whoever is struck down lives; so it is with everybody of a party that wants mercy.
    """
    if spare and who in play.table.characters:
        play.add(Tallied(key=f"{MERCY}:{who}"))
    spare = spare or (who in play.table.characters and play.table.tale.merciful)
    for one in chosen:
        if _moves(play, who):
            take(play, who, one, spare=spare)
    tried: set[Intent] = set()
    waits = any(END in one.steps for one in chosen)
    while _moves(play, who) and len(tried) < STEPS and not waits:
        wanted = kept(play.table, who, wishes(play.table, play.book, who))
        kind = (one for one in wanted if not (spare and _at_a_sleeper(play, who, one)))
        wish = next((one for one in kind if one not in tried), END)
        if wish == END:
            break
        refused = play.step(who, meant(wish, spare=spare))
        if refused or wish.act != "attack":
            tried.add(wish)
    if _moves(play, who):
        play.step(who, END)


def _at_a_sleeper(play: TableTurn, who: str, step: Intent) -> bool:
    """Whether a step is aimed at a foe who lies there unconscious."""
    foes = play.table.cast.foes_of(who)
    return any(one.id in (step.target, *step.targets) and not one.conscious for one in foes)


def _moves(play: TableTurn, who: str) -> bool:
    """Whether it is still this creature's turn."""
    fight = play.table.cast.fight
    return fight is not None and fight.actor == who


def fight_on(play: TableTurn, plans: Mapping[str, Sequence[str]] = {}) -> None:
    """Play everyone's turns up to the next character's, or the end of the fight."""
    for _ in range(TURNS_AT_MOST):
        fight = play.table.cast.fight
        if fight is None or fight.actor in play.table.seats:
            return
        who = fight.actor
        wanted = plans.get(who, ())
        offered = fight_choices(play.table, play.book, who) if wanted else ()
        drawn = play.table.cast.the(who).under(LURED)
        ranked = [one for key in wanted for one in offered if one.id == key]
        ranked = [one for one in ranked if not drawn or one.steps[0].act in HARMS]
        able = next((one for one in ranked if not trial(play, who, [one])), None)
        fight_turn(play, who, [able] if able else [])
        if play.table.cast.fight is fight:
            raise RuntimeError(f"the turn of {who!r} does not end")
