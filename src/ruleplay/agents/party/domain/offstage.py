"""Messages to the game rather than in it: questions, whispers, pauses, leaving and undo."""

from __future__ import annotations

from ruleplay.agents.party.domain import table_rules
from ruleplay.agents.party.domain.actions import Action, Agree, Card, Hold, Pause, Speak
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.performance import Done, Performance
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import stage_of
from ruleplay.agents.party.domain.table_rules import deal
from ruleplay.story.acts import MASTER, Act
from ruleplay.story.bounds import meant_of


def ask(now: Performance, act: Act) -> Done:
    """Look up a question asked outside the story, for the asking seat only."""
    topic = "fight" if act.to == "scene" and now.fighting else act.to
    what = now.play.book.effect(act.item).en if act.item else ""
    about = f"{act.text} ({what})" if what and what not in act.text.casefold() else act.text
    asked = {"seat": now.seat, "topic": topic, "about": about[:300], "asked": bool(about)}
    now.play.add(p.Consulted.model_validate(asked))
    return True


def whisper(now: Performance, act: Act) -> Done:
    """Whisper to one seat."""
    to = DM if act.to == MASTER else act.to
    several = now.among.get(act.text, ())
    if not several and (to == now.seat or to not in now.play.table.seats):
        now.play.refuse(now.seat, Refusal(reason="whom"))
        return False
    # What is said in secret to one alone, and not whispered, is a nod or a sign.
    sign = act.secret and not several
    table_rules.whisper(now.play, now.seat, several or (to,), act.text, sign=sign)
    table_rules.confess(now.play, now.seat, act.topic, (to,))
    return True


def meta(now: Performance, act: Act) -> Done:
    """Handle a request to the game; it costs no turn unless it ends one."""
    if act.meta in ("end_turn", "fast_forward"):
        if not now.mine:
            now.play.refuse(
                now.seat, Refusal(reason="not_your_move", about=now.play.table.current_turn)
            )
            return False
        if act.meta == "fast_forward" and not now.fighting:
            stage = stage_of(now.play.table, now.play.book, now.seat)
            now.play.add(t.TimeSpent(minutes=10 if stage.danger else 60))
        return now.wait()
    if act.meta == "leave_seat" and act.to in now.play.table.seats and act.to != now.seat:
        _change_seats(now, act.to)
        return False
    if act.meta == "correct":
        return _correct(now, act)
    dealt = _dealing(now, act)
    if dealt is not None:
        deal(now.play, now.seat, dealt)
        return False
    if act.meta == "leave_seat" and now.confirmed == act.meta and now.play.table.is_held(now.seat):
        relief = now.play.table.seats[now.seat].relief
        deal(now.play, now.seat, Hold(do="hold", seat=now.seat, by=relief))
        return False
    reason = {"undo": "undo", "retell": "retell", "leave_seat": "leave", "end_story": "end"}
    topic = reason.get(act.meta)
    if topic == "leave" and now.play.table.is_held(now.seat):
        _confirm(now, "leave_seat", act)
    elif topic:
        now.play.refuse(now.seat, Refusal(reason=f"how_{topic}"))
    else:
        about = "settings" if act.meta == "settings" else "rules"
        asked = act.meta == "rules_talk" and bool(act.text)
        now.play.add(p.Consulted(seat=now.seat, topic=about, about=act.text[:300], asked=asked))
    return False


def _correct(now: Performance, act: Act) -> Done:
    """Mend the record where a trifle is one too many; explain how it stands otherwise."""
    tale = now.play.table.tale.known_to(now.seat)
    kept = [one for one in tale.keepsakes if one.who == now.who]
    what = meant_of((one.text for one in reversed(kept)), act.item) if act.item else None
    if what:
        now.play.add(t.KeepsakeGiven(who=now.who, to="", text=what, mended=True))
        return True
    return ask(now, act.model_copy(update={"to": "scene", "item": ""}))


def _change_seats(now: Performance, to: str) -> None:
    """Let the person here play another seat that is free; theirs is played as it was before them.

    The token of the old seat opens the new one.
    """
    own, other = (now.play.table.seats[seat] for seat in (now.seat, to))
    if not own.held or other.held:
        now.play.refuse(
            now.seat, Refusal(reason="how_leave" if not own.held else "taken", about=to)
        )
        return
    deal(now.play, now.seat, Hold(do="hold", seat=to, by="human", key=own.key))
    deal(now.play, now.seat, Hold(do="hold", seat=now.seat, by=own.relief))


def _confirm(now: Performance, what: str, act: Act) -> None:
    now.play.add(
        t.AskedBack(seat=now.seat, question=what, choices=("yes", "no"), message=now.message[:400])
    )


def _dealing(now: Performance, act: Act) -> Action | None:
    table = now.play.table
    if act.meta == "stop_scene":
        return Card(do="card") if table.safety.on else Pause(do="pause")
    if act.meta == "pause":
        return Pause(do="pause")
    if act.meta == "settings" and act.text in ("en", "fr"):
        return Speak.model_validate({"do": "language", "lang": act.text})
    if act.meta == "settings" and act.text in ("lines", "veils"):
        return Agree(do="safety", on=True, lines=table.safety.lines, veils=table.safety.veils)
    return None
