"""What may happen at the table on anybody's move: seats, words, knowledge, pauses and safety."""

from __future__ import annotations

from ruleplay.agents.party.domain import actions as a
from ruleplay.agents.party.domain.effecting import crossing
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.knowledge import tellable
from ruleplay.agents.party.domain.safety import Safety
from ruleplay.agents.party.domain.seats import DM, Audience
from ruleplay.agents.party.domain.table_turn import TableTurn


def whisper(
    play: TableTurn, seat: str, to: tuple[str, ...], text: str, *, sign: bool = False
) -> None:
    """Let only some seats know something, in words or by a `sign`."""
    ears = tuple(dict.fromkeys(name for name in to if name != seat))
    if not ears:
        play.refuse(seat, Refusal(reason="whom"))
    elif not crossing(play, seat, text):
        play.add(p.Whispered(seat=seat, to=ears, text=text, sign=sign))
        if DM in ears:
            play.add(t.Written(seat=seat, to=DM, text=text[:300]))
        elif seat == DM:
            play.add(*(t.Answered(seat=ear) for ear in ears))


def deal(play: TableTurn, seat: str, action: a.Action) -> None:  # noqa: C901 - one row each
    """Do what a seat asks of the table; this uses up no turn."""
    match action:
        case a.Say(text=text):
            if not crossing(play, seat, text):
                play.add(p.Spoke(seat=seat, text=text))
        case a.Whisper(to=to, text=text):
            whisper(play, seat, to, text)
        case a.Reveal(key=key, to=to):
            _reveal(play, seat, key, to)
        case a.Hold(seat=held, by=by, key=key):
            play.add(p.SeatHeld(seat=held, by=by))
            if by == "human" and key:
                play.add(p.SeatKeyed(seat=held, key=key))
        case a.Pause():
            play.add(p.Paused(why="asked", by=seat))
        case a.Resume() if play.table.paused is None:
            play.refuse(seat, Refusal(reason="not_paused"))
        case a.Resume():
            play.add(p.Resumed(by=seat))
        case a.Card() if not play.table.safety.on:
            play.refuse(seat, Refusal(reason="no_card"))
        case a.Card():  # nobody is asked why
            play.add(p.Paused(why="card", by=seat))
        case a.Agree(on=on, lines=lines, veils=veils):
            agreed = Safety(on=on, lines=lines if on else (), veils=veils if on else ())
            play.add(p.SafetyAgreed(safety=agreed))
        case a.Speak(lang=lang):
            play.add(p.LanguageChosen(lang=lang))
        case a.Restyle():
            chosen = action.model_dump(exclude={"do"}, exclude_none=True)
            style = play.table.tale.style.model_copy(update=chosen)
            play.add(t.StyleChosen(style=style))
        case a.Look(topic=topic, about=about):
            play.add(p.Consulted(seat=seat, topic=topic, about=about))


def confess(play: TableTurn, seat: str, key: str, to: Audience) -> None:
    """Let those who have heard it know a secret that a seat has told in its own words, if it may.

    What is said to the game master alone is known there already.
    """
    ears = tuple(one for one in to if one not in (seat, DM))
    if ears and key in {one.key for one in tellable(play.table, play.book, seat)}:
        play.add(p.Learned(key=key, to=ears, how="told", by=seat))


def _reveal(play: TableTurn, seat: str, key: str, to: tuple[str, ...]) -> None:
    """Tell others something that the seat may tell; anything else is refused."""
    if key not in {one.key for one in tellable(play.table, play.book, seat)}:
        play.refuse(seat, Refusal(reason="no_secret"))
        return
    play.add(p.Learned(key=key, to=to, how="revealed", by=seat))
