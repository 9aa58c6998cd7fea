"""Carries out a reading: its acts in order, as far as the rules and the table's limits allow.

The text itself decides nothing. All numbers (difficulties, dice, effects) come from code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from ruleplay.agents.party.domain import (
    effecting,
    handling,
    offstage,
    orders,
    persuading,
    table_rules,
)
from ruleplay.agents.party.domain.addressing import Here, closed_way, each, once
from ruleplay.agents.party.domain.awaiting import can_come, has_come
from ruleplay.agents.party.domain.choices import WAIT, approach, choices
from ruleplay.agents.party.domain.effecting import AppealResult
from ruleplay.agents.party.domain.establishing import establish
from ruleplay.agents.party.domain.exploration.acts import (
    Exploration,
    refuge,
    waiting,
    wanted,
)
from ruleplay.agents.party.domain.fight import DISTRACTED, REACH
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.happenings.creatures import Checked
from ruleplay.agents.party.domain.happenings.table import Refused
from ruleplay.agents.party.domain.intents import Intent, Refusal
from ruleplay.agents.party.domain.performance import (
    COSTLY,
    Done,
    Performance,
    dart_of,
    reworded,
    struck,
    unanswered,
    volley,
)
from ruleplay.agents.party.domain.rules.spending import take as spend_action
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import (
    carried,
    clues,
    coppers,
    encounter_of,
    foes,
    people,
    roster,
    services,
    skill_of,
    stage_of,
)
from ruleplay.agents.party.domain.stepping import (
    bless,
    bring_stunt,
    quick,
    readied,
    step_on,
    steps_of,
    use_feature,
)
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.tale import MERCY, WAY
from ruleplay.agents.party.domain.turns import END, meant
from ruleplay.story.acts import (
    EFFECTS_AT_MOST,
    EVERYBODY,
    MASTER,
    Act,
    Band,
    Reading,
    sound,
)
from ruleplay.story.bounds import attempt, harder, key_of
from ruleplay.story.texts import words_of
from ruleplay.story.undone import Undone
from ruleplay.story.wording import find, spoken

PARTING = ("pick", "move", "rule")
"""Acts that may change the scene or start a fight; speech after them waits until then."""
ENDS = (".", "!", "?", "…")
"""How a sentence that is spoken ends; an account of words has no such end."""
UNSEEN = ("sleight-of-hand", "stealth")
"""Skills whose failure is noticed."""
AT_ONCE = ("check", "use", "give")
"""Acts with a cost that somebody who has waited for their moment may do out of turn, in peace."""
OPEN = (*PARTING, "yield", "wait")
"""Acts that everybody sees who is in the same fight."""


def perform(play: TableTurn, seat: str, reading: Reading, message: str = "") -> None:
    """Carry out a whole reading for a seat and conclude its turn."""
    now = Performance(play, seat, message)
    rest = begin(now, reading)
    if rest and now.heard:
        rest = carry_on(now, Reading(acts=rest))
    for act in rest:
        now.leave(act, "far")
    conclude(now)


def at_once(play: TableTurn, seat: str, act: Act) -> None:
    """Let a companion do on the way what they were asked to; it takes their own next turn."""
    now = Performance(play, seat, act.text)
    now.act = stands = _standing(now, act)
    if stands and stands.do == "check" and _check(now, stands):
        play.add(t.HandLent(who=seat))


def begin(now: Performance, reading: Reading) -> tuple[Act, ...]:
    """Start carrying out a reading; return the acts left for a scene it has led to."""
    play, seat = now.play, now.seat
    now.plans = now.plans or play.table.tale.undone(seat)
    if (asked := play.table.tale.question(seat)) or (now.owned and play.table.tale.undone(seat)):
        play.add(t.Considered(seat=seat))
    if reading.question and not reading.acts:
        _ask_back(now, reading)
        return ()
    now.confirmed = asked.question if asked else ""
    now.vows = any(one.kind == "promise" for one in reading.details)
    rest = carry_on(now, reading)
    before = replace(play, done=[*play.done])
    establish(now, reading)
    if any(act.secret for act in reading.acts):
        play.hide(before, seat, now.who)
    if reading.question:
        _ask_back(now, reading)
    return rest


def _ask_back(now: Performance, reading: Reading) -> None:
    """Ask how a message is meant; beside acts, the rest of it, which is the reading's `quote`."""
    about = (now.message if not reading.acts else reading.quote or now.message)[:400]
    asked = {"seat": now.seat, "question": reading.question, "message": about}
    now.play.add(t.AskedBack.model_validate({**asked, "choices": reading.choices}))


def carry_on(now: Performance, reading: Reading) -> tuple[Act, ...]:
    """Carry out acts one by one; return those that remain after a change of scene."""
    scene = now.play.table.expedition.scene
    read = (volley(now, one) for act in reading.acts for one in each(act))
    acts = once(read, now.play.table.characters)
    acts = tuple(sorted(acts, key=lambda act: act.item == "long_rest" and act.when == "then"))
    _speak_first(now, acts)
    for at, act in enumerate(acts):
        act = _onward(now, act, acts[at + 1 :])
        if not now.heard and _answered_first(now, acts[:at], act):
            now.heard = True
            return acts[at:]
        if now.act and dart_of(act, now.act):
            continue  # it has flown with the others
        if act.item == "dash" and any(closed_way(now.play, one) for one in acts[at + 1 : at + 2]):
            continue  # nobody runs where there is no way
        if stands := _standing(now, act):
            now.act, now.coming = stands, acts[at + 1 :]
            _carry_out(now, stands, now.coming)
        if now.play.table.expedition.scene != scene and not now.fighting:
            return acts[at + 1 :]
    return ()


def _answered_first(now: Performance, said: Sequence[Act], act: Act) -> bool:
    """Whether those who were asked something answer before this act.

    They do before anything that takes its time or may go wrong; in a fight, where the act needs a
    thing of theirs.
    """
    waiting = [one.to for one in now.play.table.tale.waiting if one.by == now.seat]
    waiting += [to for to, _ in unanswered(now.play, now.seat)]
    lends = handling.lender(now, act) in waiting
    away = act.do == "move" and act.to in now.play.book.story.scenes
    deed = act.do in COSTLY and (away or not now.fighting) and bool(said)
    return bool(waiting) and (deed or lends)


def _onward(now: Performance, act: Act, coming: Sequence[Act]) -> Act:
    """Redirect an attack on a target that fell this turn to the next target named."""
    if now.downed(struck(act)):
        there = (who for one in coming if (who := struck(one)) and not now.downed(who))
        if to := next(there, ""):
            return Act(do="rule", item="attack", to=to, text=act.text, when=act.when)
    return act


def _standing(now: Performance, act: Act) -> Act | None:
    """Return an act resolved against who is present now, or None if nothing of it is possible."""
    if now.downed(struck(act)):
        return act
    if shut := closed_way(now.play, act):
        why = "way_barred" if encounter_of(now.play.table, now.play.book) else "no_way"
        now.took(Refusal(reason=why, about=shut))
        return None
    act = _to_several(now, act)
    here = Here(now.play.table, now.play.book, now.seat)
    act = here.in_place(now.redirected(here.addressed(act)))
    several = now.among.get(act.text, ())
    if act.do == "say" and act.secret and (several or act.to in now.play.table.seats):
        act = act.model_copy(update={"do": "whisper", "to": (*several, act.to)[0]})
    elif act.do == "say" and act.secret and act.to == EVERYBODY:  # a sign, which all see
        act = act.model_copy(update={"do": "flourish", "to": "", "secret": False})
    return sound(act, roster(now.play.table, now.play.book, now.seat))


def _to_several(now: Performance, act: Act) -> Act:
    """Note which companions words to several are for, and for whom a thing is that is asked for."""
    table = now.play.table
    named = [one.strip() for one in act.to.split(",")]
    if act.do == "say" and act.with_ in (*table.characters, *people(table, now.play.book)):
        now.bound[act.item] = act.with_
    if act.do != "say" or len(named) < 2 or not {*named} <= {*table.characters}:
        return act
    now.among[act.text] = tuple(named)
    return act.model_copy(update={"to": EVERYBODY})


def _speak_first(now: Performance, acts: Sequence[Act]) -> None:
    """Say what belongs to the present scene before acting, so nobody answers unspoken words."""
    if now.play.table.paused:
        return

    def stays(one: Act) -> bool:
        lent = one.do in COSTLY and handling.lender(now, one)  # it is handed over first
        return one.do not in PARTING and one.when == "then" and not lent

    for act in takewhile(stays, acts):
        stands = _standing(now, act) if act.do == "say" and not act.secret else None
        if stands and stands.do == "say":
            _speak_on(now, stands, ())


def _carry_out(now: Performance, act: Act, rest: tuple[Act, ...]) -> None:
    """Carry out one act, or record why it was left undone."""
    if _skipped(act, now.last):
        # What takes the place of it says enough.
        instead = any(one.when == "if_failure" for one in rest)
        if now.failed or (act.do in COSTLY and act.when == "if_success" and not instead):
            now.leave(act, "vain")
        return
    if act.do == "wait" and any(one.do in COSTLY for one in rest):
        act = Act(do="flourish", text=act.text or "…")  # a pause before what is meant
    waits = act.when in ("trigger", "answer") and not readied(now, act)
    holds = act.when == "trigger" and waits and now.fighting and act.do in COSTLY
    if waits and not holds:
        _await(now, act)
    elif (why := _no_room(now, act)) is not None:
        now.leave(act, why)
    elif holds:
        _hold(now, act)
    else:
        _do(now, act, rest)


def _await(now: Performance, act: Act) -> None:
    """Keep an act for when what it hangs on has come: code does it, or it is read again."""
    if act.when == "answer" and can_come(now.play.table, now.play.book, act.after):
        done = {"when": "then", "to": "" if act.to == act.after else act.to}
        now.play.add(t.Awaits(seat=now.seat, act=act.model_copy(update=done)))
    else:
        now.hangs.append(act)


def do_what_is_due(play: TableTurn) -> None:
    """Let those who waited for something do what they meant to, if it has come now."""
    for one in play.table.tale.awaits:
        over = play.table.mode == "ended" or play.table.is_fallen(one.seat)
        if not over and not has_come(play.table, one.act.after):
            continue
        play.add(t.CameDue(seat=one.seat, act=one.act))
        if over:
            continue
        now = Performance(play, one.seat, one.act.text)
        free = one.act.do not in COSTLY or (one.act.do in AT_ONCE and not now.fighting)
        now.act = _standing(now, one.act)
        if not free:  # its own turn is for that
            play.add(t.LeftUndone(seat=one.seat, texts=(now.words(one.act),)))
        elif now.act:
            DO[now.act.do](now, now.act)


def _do(now: Performance, act: Act, rest: tuple[Act, ...]) -> None:
    """Do one act, for which there is room now."""
    over = act.do == "say" and act.want == "truce" and not effecting.opposed(now.play, now.who)
    if (act.spare or over) and now.fighting and now.who in now.play.table.characters:
        now.play.add(t.Tallied(key=MERCY))
    if act.want == "truce" and act.do in ("say", "flourish", "whisper"):
        all_ = act.to == EVERYBODY or act.do == "flourish"
        several = now.among.get(act.text, now.play.table.characters if all_ else (act.to,))
        orders.hold_back(now.play, now.seat, several)
    before, place = replace(now.play, done=[*now.play.done]), _place(now)
    shown = now.fighting and act.do in OPEN
    if act.do == "say":
        _speak_on(now, act, rest)
    now.failed = not DO[act.do](now, act)
    # Whoever was to notice nothing, and did, does not keep it to themselves.
    caught = not (now.failed or now.last) and skill_of(act.skill) in UNSEEN
    shown = shown or (caught and act.to in people(now.play.table, now.play.book))
    handling.use_up(now, act)
    handling.stand_by(now, act)
    if act.secret and act.do != "whisper" and not shown and _place(now) == place:
        now.play.hide(before, now.seat, now.who)
    if now.failed and (act.do in COSTLY or act.do == "vain"):
        now.last = False


def _place(now: Performance) -> tuple[str, str]:
    return now.play.table.expedition.scene, now.play.table.mode


def _hold(now: Performance, act: Act) -> None:
    """Ready something for its moment: it costs the action and gains an advantage."""
    spent = now.play.by_rules(lambda play: spend_action(play, now.who, "ready", "action"))
    if not now.took(spent):
        return
    now.play.add(t.Did(who=now.who, text=now.words(act), to=act.to))
    effecting.help_on(now.play, now.seat, now.who)
    now.leave(act, "ready")


def conclude(now: Performance) -> None:
    """Report what was left undone and pass the turn on if it is used up."""
    play = now.play
    for act in now.hangs:
        own = find(words_of(now.message), words_of(act.text)) is not None
        # Only a second reading words it as a sentence of the story.
        worded = act.when == "answer" and now.told and not own
        if worded or act.text in now.plans:
            play.add(t.Vowed(seat=now.seat, text=act.text[:300]))
        if act.text not in now.plans:
            now.leave(act, "hangs" if worded else "")
    whys = tuple(dict.fromkeys(why for why, *_ in now.left))
    if "later" in whys:
        play.refuse(now.seat, Refusal(reason="not_your_move", about=play.table.current_turn))
    for why in whys:
        flags = {text[:300]: flag for for_, text, flag in now.left if for_ == why}
        settled = tuple(flags.values()) if any(flags.values()) else ()
        play.add(t.LeftUndone(seat=now.seat, texts=tuple(flags), settled=settled, why=why))
    effecting.make_peace(play, now.who)
    if now.mine and not play.table.paused and play.table.mode != "ended":
        _finish(now)
    play.follow_initiative()


def _skipped(act: Act, last: bool | None) -> bool:
    return (act.when == "if_success" and last is False) or (
        act.when == "if_failure" and last is not False
    )


def _no_room(now: Performance, act: Act) -> Undone | None:
    """Return why an act has to wait, or None if it can be done now. Speech never waits."""
    table, fought = now.play.table, now.play.began.cast.fight
    hangs = any(
        isinstance(one, t.AskedBack) or (isinstance(one, Refused) and one.reason == "how_undo")
        for one in now.play.done
    )  # what follows hangs on what a person decides first
    if (table.paused or hangs) and act.do not in ("ask", "whisper", "meta"):
        return ""
    if act.do not in COSTLY:
        return now.stranded if act.do == "flourish" else None
    if now.downed(struck(act)):
        return "moment"  # the blow is kept: at whom it goes now is for its player to say
    if table.mode == "ended":
        return "ended"
    if not now.owned:
        return "later"
    if fought and not now.fighting:
        return "over"
    if not fought and now.fighting and not _begins(now):
        return "fight"
    # What was done before it may have felled them, or ended their turn.
    up = not now.fighting or (_begins(now) and table.cast.the(now.who).conscious)
    return None if now.mine and up and not _moved_on(now) else "turn"


def _begins(now: Performance) -> bool:
    """Whether the fight that has just started begins with this seat's turn."""
    fight = now.play.table.cast.fight
    return fight is not None and fight.actor == now.who


def _moved_on(now: Performance) -> bool:
    """Whether the initiative has already moved on, for example because the actor fled."""
    before, after = now.play.began.cast.fight, now.play.table.cast.fight
    return before is not None and after is not None and before.actor != after.actor


def _finish(now: Performance) -> None:
    """Pass the turn on once used: any act outside a fight, the action in one."""
    play, fight = now.play, now.play.table.cast.fight
    if not now.used:
        return
    if fight and fight.actor == now.who and not _moved_on(now):
        if fight.budget.action or fight.budget.attacks:
            # Who has only begun a fight has had a turn on the way; the fight's own comes now.
            if not play.began.cast.fight:
                play.finish(now.seat)
            return
        play.step(fight.actor, END)
    play.finish(now.seat)


def pick(now: Performance, act: Act) -> Done:
    """Carry out an offered option, or one that is always allowed; return whether it happened."""
    offered = {one.id: one for one in choices(now.play.table, now.play.book, now.seat)}
    chosen = offered.get(act.item)
    if act.item == WAIT:
        return now.wait()
    if act.item in services(now.play.table, now.play.book):
        return handling.order(now, act)
    if chosen is None or chosen.venture:
        does = chosen.venture if chosen and chosen.venture else wanted(act.item)
        if does is None:
            return now.vain("not_here", act.text)
        return _venture(now, act, does)
    for step in map(partial(quick, now), chosen.steps):
        if refused := now.play.step(now.who, meant(step, spare=act.spare)):
            return now.took(refused)
        now.used = True
    return True


def _venture(now: Performance, act: Act, does: Exploration) -> Done:
    """Do something the adventure provides; a spell used for it is cast and gives an advantage."""
    if act.with_ in now.play.book.rules.spells:
        if refused := TableTurn(now.play.table, now.play.book).venture(now.seat, does):
            return now.took(refused)
        if refused := effecting.pay_for(now.play, now.who, act.with_):
            return now.took(refused)
        effecting.help_on(now.play, now.seat, now.who)
    done, fought = len(now.play.done), now.fighting
    if does.act == "parley" and (words := [act.text, *now.ahead][-1]):
        now.play.add(t.Did(who=now.who, text=words[:400], tries=True, said=True))
    refused = now.play.venture(now.seat, does)
    if refused and refused.reason == "nothing_found":
        return now.vain("all_seen", act.text)
    if rolled := [one.success for one in now.play.done[done:] if isinstance(one, Checked)]:
        now.last = any(rolled) and now.fighting == fought
    return now.took(refused)


def _snatch(now: Performance, act: Act, does: Exploration) -> Done:
    """Do something slight, told by the player's own words where it may be noticed."""
    play = now.play
    if not effecting.waiting_for(play):
        return _venture(now, act, does)
    if refused := TableTurn(play.table, play.book).venture(now.seat, does):
        return now.took(refused)
    play.add(t.Did(who=now.who, text=act.text or act.item, tries=True))
    done = _venture(now, act, does)
    if now.last is False:
        play.add(t.Withheld(who=now.who, kind="item", why="it stays where it was"))
    return done


def _rule(now: Performance, act: Act) -> Done:
    if now.play.table.cast.get(now.who) is None:
        return now.vain("not_able", act.text)  # the DM has nobody to move outside a fight
    if not now.fighting:
        return _quiet_rule(now, act)
    if held := readied(now, act):
        return step_on(now, (Intent(act="ready", what=held),))
    if act.item == "end":
        return now.wait()
    if act.item == "flee":
        return _flee(now, act)
    if act.item == "attack" and act.to in now.play.table.seats:
        return now.vain("not_yours", act.text)
    alone = act.stunt is None or act.item == "shove"  # a shove has its own effect
    return step_on(now, steps_of(now, act)) and (alone or bring_stunt(now, act))


def _quiet_rule(now: Performance, act: Act) -> Done:
    """Do by the rules what makes sense without a fight; a blow or spell at who waits begins one.

    It falls at once where nobody is quicker; else it is kept for its turn.
    """
    table, book = now.play.table, now.play.book
    if act.item == "feature":
        return use_feature(now, act)
    key = waiting(table.expedition, book.story) if table.expedition.begun else ""
    spell = book.rules.spells.get(act.with_)
    at_them = act.item == "cast" and spell and not spell.friendly and not table.cast.get(act.to)
    if spell and act.item == "cast" and act.to in people(table, book):
        if spell.friendly:
            return bless(now, act)
        act = act.model_copy(update={"item": "attack"})
    if act.item != "attack" and not (key and at_them):
        return step_on(now, steps_of(now, act))
    if act.to in table.seats:
        return now.vain("not_yours", act.text)
    if key:
        begun = now.took(now.play.venture(now.seat, Exploration(act="provoke", target=key)))
        stands = _standing(now, act) if begun and now.fighting else None
        if stands and stands.do == "rule" and _begins(now):
            return _rule(now, stands)
        if stands:
            now.leave(act, "fight")
        return begun
    sure = now.confirmed == "assault"
    if not persuading.assault(now.play, now.who, act, confirmed=sure):
        return now.vain("not_here", act.text)
    now.used = now.used or sure
    return True


def _speak_on(now: Performance, act: Act, rest: tuple[Act, ...]) -> None:
    """Say everything that is meant for one listener at once, before any consequence of it."""
    like = ("say", act.to, "then", act.secret)
    on = takewhile(lambda one: (one.do, one.to, one.when, one.secret) == like, rest)
    for one in (act, *on):
        if one.text not in now.ahead:
            _speak(now, one, "" if one.to in (EVERYBODY, MASTER, now.seat) else one.to)
            now.ahead.append(one.text)


def _say(now: Performance, act: Act) -> Done:
    """Say something: free, but where it asks for something that a roll or the rules decide."""
    to = "" if act.to in (EVERYBODY, MASTER, now.seat) else act.to
    table, book = now.play.table, now.play.book
    over = table.mode == "ended"
    pays = (
        act.coin
        and not over
        and act.to in people(table, book)
        and act.want in ("", "know", "like", "help")
    )
    later = act.want and act.approach != "plain"  # what is argued about is paid once it is agreed
    if pays and not later:
        handling.pay(now, act)
    if act.want in ("give", "help") and act.item:
        handling.lender(now, Act(do="take", item=act.item))  # asked for, to be handed over
    if to in table.seats or now.seat == DM or over or act.text in now.among:
        return True
    if (handed := handling.ordered(now, act)) is not None:
        return handed
    rolled = persuading.spoken(now.play, now.seat, act, mine=now.mine)
    if rolled is AppealResult.NOTHING:
        return True
    if rolled is AppealResult.REFUSED:
        now.leave(act, "later")  # the words are said; what they want takes a turn
        return True
    if rolled in (AppealResult.SUCCESS, AppealResult.FAILURE):
        now.last = rolled is AppealResult.SUCCESS
    if pays and later and rolled is AppealResult.SUCCESS:
        handling.pay(now, act)
    if handling.asked_for(now, act) and rolled is AppealResult.SUCCESS:
        handling.won(now, act)
    # Words cost no action in a fight; on the way, what was rolled for is the seat's act.
    in_fight = now.fighting or (encounter_of(table, book) is not None and now.play.began.cast.fight)
    now.used = now.used or not in_fight
    return True


def _speak(now: Performance, act: Act, to: str) -> None:
    # A name called out before the words is no part of them.
    bare = re.sub(rf"\b{re.escape(now.play.table.name(to))}\b", "", now.message, flags=re.I)
    said = spoken(now.message, act.text) or (spoken(bare, act.text) if to else "")
    said = said or spoken(now.message, reworded(now, act.text, to))
    own = words_of(said)
    if not act.text.strip() or (own and any(find(one, own) is not None for one in now.aloud[to])):
        return  # it was part of what was said to them already
    now.aloud[to].append(own)
    if not said and now.worded and act.text.rstrip('"”»\u00a0 ')[-1:] in ENDS:
        said = act.text  # a reader that was asked for the words as they are spoken
    if said and not effecting.hushed(now.play.table, said):
        to, *also = now.among.get(act.text, (to,))
        now.play.add(p.Spoke(seat=now.seat, text=said[:1_000], to=to, also=tuple(also)))
    elif effecting.crossing(now.play, now.seat, act.text):
        return
    else:
        now.play.add(t.Did(who=now.who, text=act.text, to=to, said=True))
    if now.fighting and (act.want in persuading.DEMANDS or persuading.at_foes(act)):
        return  # that is for foes: no companion answers it
    table_rules.confess(now.play, now.seat, act.topic, t.ALL)
    everyone = now.among.get(act.text, now.play.table.characters)
    if act.to != EVERYBODY and (act.want in ("join", "help") or act.do == "follow"):
        now.play.meet_again(*(everyone if not to else (to,)))
    if now.fighting and act.to in (EVERYBODY, *everyone):
        persuading.name_way(now.play, act.text)
    for seat in everyone if act.to == EVERYBODY else {to} & {*everyone}:
        if seat == now.seat or now.play.table.is_fallen(seat):
            continue
        now.play.add(t.SpokenTo(seat=seat, by=now.seat, text=(said or act.text)[:300]))


def _move(now: Performance, act: Act) -> Done:
    table, book = now.play.table, now.play.book
    if now.fighting:
        if other := table.cast.get(act.to):
            # Whoever stands within reach already is not walked away from and back to.
            nearer = approach(table, table.cast.the(now.who), other, REACH)
            if nearer or now.coming:
                return step_on(now, nearer) if nearer else _flourish(now, act)
            return now.vain("there_already", act.text)
        return _flee(now, act)
    if act.to in book.story.scenes:
        return now.took(now.play.venture(now.seat, Exploration(act="go", target=act.to)))
    now.play.add(t.Did(who=now.who, text=act.text or act.to, to=act.to))
    return True


def _flee(now: Performance, act: Act) -> Done:
    """Break away from a fight, by the way that was named; one farther off is kept."""
    table, story = now.play.table, now.play.book.story
    if table.cast.get(now.who) is None:
        return now.vain("not_able", act.text)
    effecting.heave(now.play, now.who, act.text)
    leads = act.to and refuge(table.expedition, story, act.to) == act.to
    if leads:
        now.play.add(t.Tallied(key=f"{WAY}{act.to}"))
    if away := step_on(now, (Intent(act="flee"),)):
        persuading.come_away(now.play, now.seat)
    if away and not leads and act.to in story.scenes:
        now.leave(Act(do="move", to=act.to), "over" if not now.fighting else "fight")
    return away


def _use(now: Performance, act: Act) -> Done:
    me = now.play.table.cast.get(now.who)
    item = now.play.book.rules.items.get(act.item)
    if me and me.count(act.item) and item and (item.heals or item.inflicts):
        target = act.to if now.play.table.cast.get(act.to) else me.id
        return step_on(now, (Intent(act="use", what=act.item, target=target),))
    if me and act.item in me.spells:
        return _rule(now, act.model_copy(update={"item": "cast", "with_": act.item}))
    return handling.use(now, act)


def _take(now: Performance, act: Act) -> Done:
    """Take a thing, or take somebody along."""
    if does := handling.slight(now, act):
        return _snatch(now, act, does)
    if (carried := act.item or act.to) in now.play.table.characters:
        return _carry(now, act.model_copy(update={"item": carried}))
    if act.item in roster(now.play.table, now.play.book, now.seat).anybody:
        if act.item in now.play.table.tale.captives:  # who is led along is not spoken to
            now.play.add(t.Did(who=now.who, text=act.text or "…", to=act.item))
            now.ahead.append(act.text)
        return _follow(now, act.model_copy(update={"to": act.item}))
    return handling.take(now, act)


def _carry(now: Performance, act: Act) -> Done:
    """Pick up a fallen companion; in a fight they are carried for one turn."""
    table = now.play.table
    if not table.is_fallen(act.item):
        return now.vain("not_yours", act.text)
    if now.fighting:
        me, other = table.cast.the(now.who), table.cast.the(act.item)
        if not step_on(now, approach(table, me, other, REACH)):
            return False
        effecting.hold(now.play, now.who, act.item)
    now.play.add(t.Did(who=now.who, text=act.text or "…", to=act.item))
    return True


def _check(now: Performance, act: Act) -> Done:
    """Try something that may fail: skill and band are wished for, the number is code's."""
    play, table, book = now.play, now.play.table, now.play.book
    skill = skill_of(act.skill)
    me = table.cast.get(now.who)
    if not skill or me is None or not me.conscious:
        return now.vain("not_able", act.text)
    if act.with_ and act.with_ not in carried(table, now.who):
        return handling.lacks(now, act, act.with_)
    if does := handling.slight(now, act):
        return _snatch(now, act, does)
    known = clues(table, book, now.seat)
    if clue := next((e for e in act.success if e.kind == "clue" and e.what in known), None):
        return _venture(now, act, known[clue.what])
    stage = stage_of(table, book, now.seat)
    if coppers(act) > table.expedition.purse:
        return now.vain("not_carried", act.text)
    began = play.began if _another(now, act, key_of(act, stage)) else table
    band = attempt(act, stage, began.tale.ledger)
    if band is None:
        return now.vain("tried", act.text)
    if sum(one.what == DISTRACTED for one in act.success) > EFFECTS_AT_MOST:
        band = harder(band)  # a whole pack looks the other way
    beside = any(one.do in COSTLY for one in now.coming)
    refused = effecting.lacking(play, now.who, act.with_) or effecting.spend(
        play, now.who, skill, act, easy=band in ("sure", "easy"), beside=beside
    )
    if refused:
        return now.took(refused)
    effecting.pay_for(play, now.who, act.with_)
    if act.coin and act.to not in (*table.characters, ""):
        play.add(t.PersonActs(person=act.to, how="agrees", text="", to=now.who))
    play.add(t.Did(who=now.who, text=act.text or skill, to=act.to, tries=True))
    play.add(t.Tallied(key=key_of(act, stage)))
    now.used = True
    now.last = effecting.tried(play, now.seat, skill, band, act)
    _comes_of(now, act, band, won=now.last)
    return True


def _another(now: Performance, act: Act, key: str) -> bool:
    """Tell whether a try is at something else than those of the same words: the table, the bed."""
    lasting = any(e.kind in ("clue", "morale") for e in act.success)
    named = act.to or act.item or act.with_ or lasting
    fresh = not named and (key, act.text) not in now.tried
    now.tried.add((key, act.text))
    return fresh


def _comes_of(now: Performance, act: Act, band: Band, *, won: bool) -> None:
    """Apply what was wished for from a check; a roll that succeeds always brings something."""
    play = now.play
    effecting.settle_wager(play, now.seat, act, won=won)
    if won and handling.asked_for(now, act):
        handling.won(now, act.model_copy(update={"coin": 0}))  # its coin was the stake
    effects = act.success if won else act.failure
    came = effecting.bring(play, now.seat, effects, success=won, band=band)
    if won and effecting.overhear(play, now.who, act.to):
        return
    if won and not came and band != "sure":
        effecting.reward(play, now.seat, act)
    if not won and not effects and not now.fighting and not act.coin:
        play.add(t.TimeSpent(minutes=10))


def _follow(now: Performance, act: Act) -> Done:
    # The DM has no character who could ask.
    able = now.who in now.play.table.characters
    if able and act.text not in now.ahead:
        _speak(now, act, act.to)
    if able and act.to in {one.id for one in foes(now.play.table, now.seat)}:
        persuading.calm(now.play, now.seat, act.to, act)
        return True
    asked = able and persuading.asked_along(now.play, now.seat, act)
    return asked or now.vain("not_able", act.text)


def _yield(now: Performance, act: Act) -> Done:
    if not now.fighting or not foes(now.play.table, now.seat):
        now.play.add(t.Did(who=now.who, text=act.text or "…"))
        return True
    now.used = True
    return persuading.gives_up(now.play, now.who) or now.vain("not_able", act.text)


def _flourish(now: Performance, act: Act) -> Done:
    if effecting.crossing(now.play, now.seat, act.text):
        return False
    if any(one.do == "move" or one.item == "flee" for one in now.coming):
        effecting.heave(now.play, now.who, act.text)
    now.play.add(t.Did(who=now.who, text=act.text, to=act.to))
    return True


def _wait(now: Performance, act: Act) -> Done:
    """Let time pass; what somebody waits for is told in the words of a reader."""
    if now.worded and act.text and not now.fighting:
        now.play.add(t.Did(who=now.who, text=act.text))
    return now.wait()


DO: dict[str, Callable[[Performance, Act], Done]] = {
    "pick": pick,
    "rule": _rule,
    "say": _say,
    "move": _move,
    "use": _use,
    "give": handling.give,
    "take": _take,
    "check": _check,
    "follow": _follow,
    "yield": _yield,
    "flourish": _flourish,
    "wait": _wait,
    "ask": offstage.ask,
    "whisper": offstage.whisper,
    "meta": offstage.meta,
    "vain": lambda now, act: now.vain(act.vain or "not_able", act.text),
}
"""The function that carries out each kind of act."""
