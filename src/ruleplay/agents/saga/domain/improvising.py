"""Perform a reading's acts outside fights, in order, each by its rule.

An act that depends on one which came to nothing is left undone, and the player is told so. Acts at
a place that the hero has only just reached are returned, to be read again there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleplay.agents.saga.domain import (
    demands,
    dependence,
    effects,
    errands,
    handling,
    journey,
    promises,
    readiness,
    setting,
    spoils,
    stopping,
    talking,
    trying,
)
from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings as around
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.offers import STRIKE, way_to
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.story import Asked
from ruleplay.story import bounds
from ruleplay.story.acts import Act, Do, Effect, Reading, Vain, problems
from ruleplay.story.texts import Text, words_of
from ruleplay.story.undone import Undone
from ruleplay.story.wording import MOSTLY, in_own_words, share_of

ASKED = 200
"""Most characters of a question to the game."""
LOOKED_UP = {"scene": "place", "sheet": "sheet", "rules": "rules", "memory": "memory"}
REALLY = Text(en="Really? {0}", fr="Vraiment ? {0}")
YES = Text(en="yes, {0}", fr="oui, {0}")
NO = Text(en="no", fr="non")
ENDS = Text(en="This ends the story: {0}?", fr="Cela met fin à l'histoire : {0} ?")
INSTEAD = Text(en="take the last turn back and {0}", fr="annuler le dernier tour et {0}")
SOMEBODY = Text(en="somebody else", fr="quelqu'un d'autre")
SPENDING: tuple[Do, ...] = ("use", "flourish", "pick", "move")
"""Acts by which a thing may be used up, apart from checks and blows, which see to it themselves."""
WORDS: tuple[Do, ...] = ("say", "give")
"""Readied acts that are done at once to foes who bar the way; a readied blow waits for a fight."""
DEEDS: tuple[Do, ...] = ("pick", "check", "use", "give", "take")
"""What the hero does instead of a gesture that waited for an answer."""
FREE: dict[Undone, tuple[Do, ...]] = {
    "vain": ("say", "flourish", "vain"),
    "over": ("say", "flourish", "vain"),
}
"""Acts that are still done after a failure, and after the end of a fight."""
LEAVING: tuple[Do, ...] = ("move", "follow")
"""Acts that may lead away from those who have been spoken to."""
HANDLING: tuple[Do, ...] = ("take", "use", "give")
"""Acts that may fail because a thing is missing; then only acts with that thing are skipped."""


def enact(play: Play, reading: Reading, *, confirmed: bool = False) -> Sequence[Act]:
    """Do what a reading says, outside a fight.

    Returns the acts that are left: those at a place the hero has just reached, or the blow that
    began a fight and what follows it.
    """
    stands = take_back(play, reading, confirmed=confirmed)
    if stands is None:
        return ()
    reading = stands
    confirmed = confirmed or insists(play, reading.acts)
    if play.game.story.asked:
        play.add(h.Answered())
    establish(play, reading)
    if any(act.do in DEEDS for act in reading.acts):
        readiness.give_up(play)
    play.vowed = tuple(one.text for one in reading.details if one.kind == "promise")
    if reading.question:
        ask_back(play, reading.question, reading.choices)
        return ()
    if play.game.fight:  # undoing the last turn has brought back a fight
        leave_undone(play, reading.acts, "")
        return ()
    play.hanging = tuple(act for act in reading.acts if act.when == "answer")
    now = [act for act in reading.acts if act not in play.hanging]
    acts = _partings_last(play, _paid_once(_pleas_last(play, now)))
    place, barred = play.game.place, around.waiting(play.game, play.book)
    waits = play.game.story.readied
    left = _in_order(play, reading, [one for one in acts if one.when != "trigger"], confirmed)
    if play.game.place != place:
        readiness.meet(play, waits)
    if play.game.story.asked:
        return left
    readied = [one for one in acts if one.when == "trigger"]
    if barred and not (play.game.fight or around.waiting(play.game, play.book)):
        leave_undone(play, readied, "moment")  # those whom it was meant for have been got past
    else:
        _get_ready(play, readied, arrived=play.game.place != place)
    promises.promise(play, reading)
    return left


def take_back(play: Play, reading: Reading, *, confirmed: bool) -> Reading | None:
    """Undo the last turn if a reading asks for that, and return the rest of the reading.

    If what is to be done instead belongs where the undone turn had led, the hero goes there
    again. Acts that name something which is not here are left undone. None means that the player
    is asked first: an attack is to replace the undone turn, and perhaps the message only asked
    whether that is possible.
    """
    others = tuple(act for act in reading.acts if act.meta != "undo")
    if len(others) == len(reading.acts):
        return reading
    blow = next(filter(attacks, others), None)
    if blow and play.was and not confirmed:
        if play.game.story.asked:
            play.add(h.Answered())
        asked = [act for act in others if act.do == "ask"]
        for act in asked:
            perform(play, act)
        question = INSTEAD.of(play.game.lang).format(_struck(play, blow.to))
        _ask_first(play, question, [act for act in reading.acts if act not in asked])
        return None
    there, meant = play.game.place, _standing(play, others)
    if not play.take_back():
        return reading
    lost = len(_standing(play, others)) < len(meant) == len(others)
    if lost and not play.game.fight and there in around.ways(play.game, play.book):
        _move(play, Act(do="move", to=there))
    stands = _standing(play, others)
    leave_undone(play, [act for act in others if act not in stands], "")
    return reading.model_copy(update={"acts": stands})


def _standing(play: Play, acts: Sequence[Act]) -> tuple[Act, ...]:
    """Return the acts that name nothing which is not here."""
    roster = setting.roster(play.game, play.book)
    return tuple(act for act in acts if not problems(Reading(acts=(act,)), roster))


def _struck(play: Play, who: str) -> str:
    """Word an attack on somebody, or on "somebody else" if the target is unknown."""
    fighter = play.game.fight.get(who) if play.game.fight else None
    foe = fighter or setting.waiting_foes(play.game, play.book).get(who)
    lang = play.game.lang
    return STRIKE.of(lang).format(foe.name.of(lang) if foe else SOMEBODY.of(lang))


def _in_order(play: Play, reading: Reading, acts: Sequence[Act], confirmed: bool) -> Sequence[Act]:
    settled, lacking, undone = 0, set[str](), list[Act]()
    left: Sequence[Act] = ()
    for at, act in enumerate(acts):
        settled = settled or len(play.done) if dependence.conditional(act) else 0
        if dependence.hangs(play, act, settled) or lacking & {act.item, act.with_, act.to}:
            undone.append(act)
        if act in undone or not dependence.allowed(play, act, settled):
            continue
        before, place = len(play.done), play.game.place
        if not confirmed and _asked_before(play, acts[at:]):
            break
        if act.do in LEAVING and any(one.do == "say" for one in acts[:at]):
            promises.promise(play, reading)  # it was made here, before the hero leaves
        perform(play, act)
        journey.conclude(play)
        if play.game.fight and attacks(act):
            left = acts[at:]
            break
        lacking |= _lacking(play, act, before)
        otherwise = any(one.when == "if_failure" for one in acts[at + 1 :])
        why = stopped(play, act, before)
        if why and not (why == "vain" and otherwise):
            due = _prepared(play, acts[at + 1 :]) if why == "fight" else []
            rest = [one for one in acts[at + 1 :] if one not in due]
            leave_undone(play, say_the_rest(play, rest, why), why)
            left = [one.model_copy(update={"when": "then"}) for one in due]
            break
        if play.game.place != place:
            left = acts[at + 1 :]
            break
    leave_undone(play, undone, "vain")
    return left


def _lacking(play: Play, act: Act, before: int) -> set[str]:
    """Return the thing that an act was to handle or to get, if the hero has not got it."""
    if act.do in HANDLING:
        missing = any(isinstance(one, h.InVain) for one in play.done[before:])
        return {act.item} - {""} if missing else set()
    ware = act.item.removeprefix("buy:")
    item = play.book.rules.items.get(ware)
    wanted = act.item.startswith("buy:") or (act.do == "say" and act.want == "give")
    had = item is None or item.kind == "service" or play.game.sheet.count(ware)
    return {ware} if wanted and not had else set()


def _asked_before(play: Play, acts: Sequence[Act]) -> bool:
    """Ask the player to confirm acts if the first is grave or ends the story; return whether."""
    if question := grave(play, acts[0]):
        _ask_first(play, question, acts)
    elif hint := last_act(play, acts[0]):
        ask_before_the_end(play, hint, acts)
    else:
        return False
    return True


def _prepared(play: Play, acts: Sequence[Act]) -> list[Act]:
    """Return the acts that were prepared for the failure which has begun a fight."""
    return [one for one in acts if one.when == "if_failure" and dependence.allowed(play, one)]


def as_act(intent: Intent) -> Act:
    """Return a deed or talk of the written rules as an act; any other intent as a gesture."""
    if intent.act == "deed":
        return Act(do="pick", item=f"deed:{intent.target}", text=intent.said)
    if intent.act == "talk":
        return Act(do="say", to=intent.target, topic=intent.item, text=intent.said)
    return Act(do="flourish", text=intent.said)


def last_act(play: Play, act: Act) -> str:
    """Word a written deed or topic that would end the story; empty for any other act."""
    kind, _, key = act.item.partition(":") if act.do == "pick" else ("talk", "", act.topic)
    hint = journey.ends_by(play, kind, key) if kind in ("deed", "talk") and key else None
    return hint.of(play.game.lang) if hint else ""


def ask_before_the_end(play: Play, hint: str, acts: Sequence[Act]) -> None:
    """Ask the player to confirm `acts`, the first of which ends the story."""
    lang = play.game.lang
    choices = (YES.of(lang).format(hint), NO.of(lang))
    ask_back(play, ENDS.of(lang).format(hint), choices, acts)


def insists(play: Play, acts: Sequence[Act]) -> bool:
    """Whether acts include what the player was just asked to confirm, since it ends the story."""
    asked = play.game.story.asked
    first = asked.acts[0] if asked and asked.acts else None
    if first is None or not last_act(play, first):
        return False
    return any((act.do, act.item, act.topic) == (first.do, first.item, first.topic) for act in acts)


def _ask_first(play: Play, question: str, acts: Sequence[Act]) -> None:
    """Ask the player to confirm; `acts` are done if they do."""
    lang = play.game.lang
    asked = REALLY.of(lang).format(question[:1].upper() + question[1:])
    ask_back(play, asked, (YES.of(lang).format(question), NO.of(lang)), acts)


def stopped(play: Play, act: Act, before: int) -> Undone | None:
    """Return why nothing more is done after an act, None to go on.

    A fight, the end or a failed movement stops all further acts: what was to be done elsewhere
    cannot be. Other failures only stop what depends on them.
    """
    if play.game.ending or play.game.dead:
        return "ended"
    if play.game.fight:
        return "fight"
    leads, done = act.do == "move" or act.meta == "fast_forward", play.done[before:]
    if act.do == "follow":
        # Who was asked along and will not stays, so the hero does not go on without them. Who has
        # only let the hero by hinders nobody.
        by = act.to in around.passed(play.game, play.book)
        return "vain" if any(map(dependence.failed, done)) and not by else None
    return "vain" if leads and any(map(dependence.in_vain, done)) else None


def say_the_rest(play: Play, acts: Sequence[Act], why: Undone) -> list[Act]:
    """Do the speech and questions among acts that are not done any more; return the others."""
    left: list[Act] = []
    for act in acts:
        if not dependence.allowed(play, act):
            continue
        if act.do in ("ask", "whisper") or (act.do in FREE.get(why, ()) and not play.game.fight):
            perform(play, act)
        elif act.do == "say" and act.text and not play.game.dead:
            demands.say_so(play, act)
        elif act.do == "flourish" and play.game.ending:
            play.add(h.Flourished(text=act.text))
        else:
            left.append(act)
    return left


def attacks(act: Act) -> bool:
    """Whether an act is an attack, which outside a fight begins one."""
    return (act.do == "rule" and act.item == "attack") or act.item.startswith("fight:")


def _paid_once(acts: Sequence[Act]) -> Sequence[Act]:
    """Drop gifts of what the same message offers: an accepted offer is paid anyway."""
    offers = {(act.to, act.coin, act.item) for act in acts if act.do == "say"}
    return [a for a in acts if a.do != "give" or (a.to, a.coin, a.item) not in offers]


def _pleas_last(play: Play, acts: Sequence[Act]) -> Sequence[Act]:
    """Move gestures before the speech they go with, since an answer to it comes after both.

    Words that ask nothing of foes who bar the way precede a plea to them, after which they may be
    gone.
    """
    foes, found = setting.waiting_foes(play.game, play.book), list[Act]()
    for act in acts:
        at = len(found)
        free = not dependence.conditional(act) and not act.want and not act.topic
        idle = free and act.do == "say" and act.to in foes
        while at and found[at - 1].do == "say" and free:
            plea = idle and found[at - 1].to in foes and found[at - 1].want
            if act.do != "flourish" and not plea:
                break
            at -= 1
        found.insert(at, act)
    return found


def _partings_last(play: Play, acts: Sequence[Act]) -> Sequence[Act]:
    """Move the dismissal of somebody behind everything else that is said to them."""

    def parts(act: Act) -> bool:
        there = act.to in around.persons(play.game, play.book)
        return there and act.want == "leave" and around.may_go(play.game, play.book, act.to)

    later = [
        n for n, act in enumerate(acts) if parts(act) and act.to in {a.to for a in acts[n + 1 :]}
    ]
    return [*(a for n, a in enumerate(acts) if n not in later), *(acts[n] for n in later)]


def _get_ready(play: Play, readied: Sequence[Act], *, arrived: bool) -> None:
    """Keep readied acts for a fight; speech and gifts are done at once to foes met on arrival."""
    for at, act in enumerate(readied):
        if play.game.dead or play.game.ending:
            leave_undone(play, readied[at:], "ended")
            return
        bars = play.game.fight is None and around.waiting(play.game, play.book)
        if arrived and act.do in WORDS and bars:
            perform(play, act)
            journey.conclude(play)
        else:
            readiness.ready(play, act)


def establish(play: Play, reading: Reading) -> None:
    """Keep the details that a reading establishes, except for what is only said or a lie.

    Details that belong to the author are refused by `keep_detail`.
    """
    said = " ".join(act.text for act in reading.acts if act.do in ("say", "vain"))
    lied = any(act.do == "vain" or act.approach == "deceive" for act in reading.acts)
    for detail in reading.details:
        told = lied or share_of(words_of(detail.text), words_of(said)) >= MOSTLY
        if detail.kind in ("keepsake", "name") or (detail.kind == "detail" and not told):
            kept = effects.keep_detail(play, detail)
            if detail.kind == "keepsake" and not kept:
                name = bounds.keepsake_name(detail.text)
                play.add(h.Refused(reason="unkept", about=name))


def ask_back(play: Play, question: str, choices: Sequence[str], acts: Sequence[Act] = ()) -> None:
    """Ask the player; `acts` are what the first choice stands for."""
    asked = Asked(question=question, choices=tuple(choices), acts=tuple(acts))
    play.add(h.AskedBack(asked=asked))


def leave_undone(play: Play, acts: Sequence[Act], why: Undone) -> None:
    """Record acts that are not done, in the player's words and with the reason."""
    told = (act if act.text else act.model_copy(update={"text": named(play, act)}) for act in acts)
    if kept := tuple(dict.fromkeys(in_own_words(play.words, one.text).rstrip(".") for one in told)):
        play.add(h.LeftUndone(what=kept, why=why))


def texts(play: Play, acts: Sequence[Act]) -> tuple[str, ...]:
    """Return the words of acts."""
    return tuple(act.text or named(play, act) for act in acts)


def named(play: Play, act: Act) -> str:
    """Word an act that has no text, by what it is about."""
    lang, known = play.game.lang, dict(setting.options(play.game, play.book))
    if act.item in known:
        return known[act.item].of(lang)
    if act.do == "move" and act.to in play.book.scenario.places:
        return way_to(play.book, act.to).of(lang)
    item = play.book.rules.items.get(act.item)
    return item.name.of(lang) if item else act.item or act.topic or act.to or act.do


def grave(play: Play, act: Act) -> str:
    """Word an act that has to be confirmed; empty if it need not be.

    Such acts are attacks on persons without an encounter, and leaving the story for good.
    """
    lang = play.game.lang
    if act.do == "meta" and act.meta in ("end_story", "leave_seat") and not play.game.ending:
        return Text(en="leave the story for good", fr="quitter l'histoire pour de bon").of(lang)
    there = around.persons(play.game, play.book)
    if act.do == "rule" and act.item == "attack" and act.to in there:
        person = there[act.to]
        if not person.encounter:
            return Text(en="attack {0}", fr="attaquer {0}").of(lang).format(person.name.of(lang))
    return ""


def perform(play: Play, act: Act) -> None:
    """Do one act outside fights; the dead can only ask, use commands, return or accept it."""
    if play.game.dead and not (act.do in ("ask", "meta") or act.item in setting.FALLEN):
        play.add(h.Refused(reason="dead"))
        return
    before = len(play.done)
    if act.most and act.coin:
        _perform_within(play, act)
        return
    _PERFORMED[act.do](play, act)
    if act.do in SPENDING and not any(map(dependence.in_vain, play.done[before:])):
        errands.use_up(play, act, since=before)
    promises.hold_to(play, act, since=before)


def _perform_within(play: Play, act: Act) -> None:
    """Do an act that names the most it may cost: where no price is known, nothing is paid."""
    within = talking.within(play, act)
    if within is None:
        return
    if within.coin or within.item or within.do != "give":
        perform(play, within)
    if not within.coin:
        play.add(h.Refused(reason="unpriced"))


def follow(play: Play, intent: Intent) -> None:
    """Do an intent by the written rules."""
    journey.perform(play, intent)


def _pick(play: Play, act: Act) -> None:
    kind, _, key = act.item.partition(":")
    match kind:
        case "deed":
            follow(play, Intent(act="deed", target=key))
        case "fight":
            follow(play, Intent(act="trigger_combat"))
        case "buy":
            _buy(play, act, key)
        case "sell":
            follow(play, Intent(act="sell", item=key, count=act.count))
        case "train":
            follow(play, Intent(act="train", target=key))
        case "search":
            look_for(play, act)
        case "sneak" | "parley" | "pay" | "rest" | "return" | "accept":
            follow(play, Intent.model_validate({"act": kind}))
        case _:
            play.add(h.Refused(reason="not_possible", about=act.text))


def _buy(play: Play, act: Act, ware: str) -> None:
    """Buy a ware, and hand it to whom it is for."""
    before, there = len(play.done), around.persons(play.game, play.book)
    follow(play, Intent(act="buy", item=ware, count=act.count))
    bought = any(isinstance(one, h.CoinChanged) for one in play.done[before:])
    others = {who for who, one in there.items() if not one.sells} | {around.folk(play.game.place)}
    if bought and act.to in others:
        handling.give(play, act.model_copy(update={"do": "give", "item": ware}))


def _rule(play: Play, act: Act) -> None:
    match act.item:
        case "attack" if act.to in around.persons(play.game, play.book):
            _quarrel(play, act.to)
        case "attack" if act.to in setting.waiting_allies(play.game, play.book):
            play.add(h.Refused(reason="no_quarrel", about=act.to))
        case "attack" if act.to in around.passed(play.game, play.book):
            play.add(h.Refused(reason="settled", about=act.to))
        case "attack":
            follow(play, Intent(act="trigger_combat", target=act.to))
        case "equip":
            follow(play, Intent(act="equip", item=act.with_ or act.to))
        case "search":
            look_for(play, act)
        case setting.STAND_DOWN:
            readiness.lapse(play, dropped=True)
        case "sneak" | "parley" | "rest" | "begin":
            follow(play, Intent.model_validate({"act": act.item}))
        case _:
            play.add(h.Refused(reason="no_fight", about=act.to))


def _quarrel(play: Play, who: str) -> None:
    """Attack a person, in their encounter if they have one; everybody else here resents it."""
    person = play.book.scenario.persons[who]
    if person.encounter:
        follow(play, Intent(act="trigger_combat", target=who))
        return
    for other in around.persons(play.game, play.book):
        if other != who:
            play.add(h.AttitudeChanged(who=other, amount=-1))
    spoils.trigger_quarrel(play, who)


def _move(play: Play, act: Act) -> None:
    ways = around.ways(play.game, play.book)
    if act.to in ways:
        for place in ways[act.to]:
            follow(play, Intent(act="travel", target=place))
            journey.conclude(play)
            if play.game.place != place or play.game.fight or play.game.ending:
                return
    elif act.to in (away := around.elsewhere(play.game, play.book)):
        _go_after(play, act, away[act.to])
    elif act.to == "back" and around.waiting(play.game, play.book):
        follow(play, Intent(act="flee"))
    elif readiness.covers(act) and around.waiting(play.game, play.book):
        readiness.ready(play, act, taken=True)  # it helps if it comes to a fight
    else:
        play.add(h.Flourished(text=act.text))


def _go_after(play: Play, act: Act, place: str) -> None:
    """Go to a person's place, if it can be reached."""
    if place in around.ways(play.game, play.book):
        _move(play, act.model_copy(update={"to": place}))
    else:
        play.add(h.InVain(why="not_here", text=act.text or act.to))


def _check(play: Play, act: Act) -> None:
    item = play.book.rules.items.get(act.with_)
    if item and not play.game.sheet.count(act.with_):
        play.add(h.InVain(why="not_carried", text=act.text or act.with_))
        return
    if item and item.uses:
        if not play.game.sheet.count(item.uses):
            play.add(h.Refused(reason="no_ammunition", about=item.uses))
            return
        play.add(h.ItemLost(item=item.uses, why="shot"))
    wished = any(one.kind == "clue" for one in act.success)
    stage = setting.stage(play.game, play.book)
    # A search that wishes for nothing in particular may find a clue, as if it had asked for it.
    if act.skill == "perception" and not wished and stage.the(act.to or "-") is None:
        ready = stage.clues
        found = tuple(Effect(kind="clue", what=key) for key in ready[:1])
        act = act.model_copy(update={"success": (*found, *act.success)[:3]})
    trying.attempt(play, act)


def look_for(play: Play, act: Act) -> None:
    """Search the place: by a prepared deed, else for a clue."""
    deeds = around.deeds(play.game, play.book).values()
    written = any(one.test and one.test.skill == "perception" for one in deeds)
    if setting.stage(play.game, play.book).clues and not written:
        _check(play, Act(do="check", skill="perception", text=act.text))
    else:
        follow(play, Intent(act="search"))


def _come_along(play: Play, act: Act) -> None:
    asked = act.model_copy(update={"do": "say", "want": "join"})
    folk = around.folk(play.game.place)
    if act.to in around.persons(play.game, play.book):
        talking.talk(play, asked)
    elif act.to == folk and around.may_hire(play.game, play.book):
        demands.hire(play, asked)
    elif act.to in setting.waiting_foes(play.game, play.book):
        talking.address_foes(play, asked)
    elif act.to in around.passed(play.game, play.book):
        demands.lead_along(play, asked)
    elif act.to in around.elsewhere(play.game, play.book):
        _move(play, act)  # somebody elsewhere cannot come along, so the hero goes there
    else:
        play.add(h.InVain(why="not_able", text=act.text))


def _flourish(play: Play, act: Act) -> None:
    play.add(h.Flourished(text=act.text))
    if act.item and not act.spent:
        handling.keep_whole(play, act.item)


def _wait(play: Play, act: Act) -> None:
    play.add(h.Consulted(topic="waits"))
    effects.bring(play, (Effect(kind="time", amount=30),), success=True)


def _ask(play: Play, act: Act) -> None:
    topic = LOOKED_UP.get(act.to, "help")
    if topic == "place" and play.game.fight:
        topic = "fight"
    play.add(h.Consulted.model_validate({"topic": topic, "key": act.text[:ASKED]}))


def _whisper(play: Play, act: Act) -> None:
    play.add(h.Consulted(topic="aside", key=act.text[:ASKED]))


def _meta(play: Play, act: Act) -> None:
    if act.meta in ("end_story", "leave_seat") and not play.game.ending:
        play.add(h.StoryLeft())
    elif act.meta == "stop_scene":
        stopping.stop(play, act.text)
    elif act.meta == "settings" and (style := play.game.story.style.with_(act.item)):
        play.add(h.StyleChosen(style=style))
    elif act.meta == "fast_forward" and play.game.fight is None:
        journey.go_on(play, Intent(act="travel"))
    elif act.meta == "correct":
        play.add(h.Consulted(topic="aside", key=act.text[:ASKED]))
    else:
        topics = {"undo": "undo", "retell": "undo", "pause": "pause", "rules_talk": "rules"}
        topic = topics.get(act.meta, "settings")
        play.add(h.Consulted.model_validate({"topic": topic}))


def _vain(play: Play, act: Act) -> None:
    why: Vain = act.vain or "limits"
    play.add(h.InVain(why=why, text=act.text, to=act.to))


def _yield(play: Play, act: Act) -> None:
    if around.waiting(play.game, play.book):
        follow(play, Intent(act="flee"))
    else:
        play.add(h.Flourished(text=act.text))


_PERFORMED: dict[Do, Callable[[Play, Act], None]] = {
    "pick": _pick,
    "rule": _rule,
    "say": talking.say,
    "move": _move,
    "use": handling.use,
    "give": handling.give,
    "take": handling.take,
    "check": _check,
    "follow": _come_along,
    "yield": _yield,
    "flourish": _flourish,
    "wait": _wait,
    "ask": _ask,
    "whisper": _whisper,
    "meta": _meta,
    "vain": _vain,
}


def strike_clocks(play: Play) -> None:
    """Trigger the scenario's clocks whose hour has come, each once.

    Hours count from the story's beginning: 24 for each day, and the minutes that acts took.
    """
    game = play.game
    if game.fight or game.dead or game.ending:
        return
    hours = (game.day - 1) * 24 + game.story.minutes // 60
    for key, clock in play.book.scenario.clocks.items():
        done = f"clock:{key}:text" in play.game.flags
        if not done and hours >= clock.hours and clock.when.holds(play.game.flags):
            play.add(h.SectionTold(kind="clock", key=key))
            journey.gain(play, clock.gain)
            if play.game.fight:
                return
