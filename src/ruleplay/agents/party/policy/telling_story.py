"""How the adventure's happenings are told, and those of the table itself."""

from __future__ import annotations

from ruleplay.agents.party.domain import expedition_happenings as x
from ruleplay.agents.party.domain import proceedings as p
from ruleplay.agents.party.domain.knowledge import text_of
from ruleplay.agents.party.domain.seats import DM, EVERYONE, Audience, private
from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.refusals import LINES, priced, texts
from ruleplay.agents.party.policy.replies import looked_up, refusal
from ruleplay.agents.party.policy.telling import Telling, answers, replies, tell_one
from ruleplay.agents.party.policy.variety import found_again
from ruleplay.story.beats import Item, arrow
from ruleplay.story.texts import words_of
from ruleplay.story.undone import quoted


@tell_one.register
def _(e: x.SceneEntered, t: Telling, before: Table) -> None:
    scene = t.book.story.scenes[e.scene]
    if not before.expedition.begun:
        t.tell(t.book.story.intro.of(t.lang))
        _own_secrets(t)
    if e.origin:
        made = t.opened("arrive", e.who, must=False)
        made.items += [arrow("to"), Item(kind="text", text=scene.name.of(t.lang))]
        made.says.append(f"{t.name(e.who)} leads the way to {scene.name.of(t.lang)}")
        if e.who:
            made.became(e.who, "moved")
    text = scene.text if e.first else found_again(scene, e.scene, before)
    if text:
        t.tell(text.of(t.lang))
    there = [name.of(t.lang) for name in people(t.table, t.book).values()] if e.first else []
    heard = {*words_of(scene.text.of(t.lang))}
    if unnamed := [name for name in there if not {*words_of(name)} & heard]:
        t.tell(texts("answers")["here"].of(t.lang).format(", ".join(unnamed)))


def _own_secrets(t: Telling) -> None:
    """Tell each person what only their character knows."""
    for seat in (one for one in t.table.characters if t.table.is_held(one)):
        for own in t.table.personas[seat].secrets if seat in t.table.personas else ():
            t.tell(texts("learned")["dealt"].of(t.lang).format(text=own.of(t.lang)), private(seat))


@tell_one.register
def _(e: x.DeedDone, t: Telling, before: Table) -> None:
    named(e.who, t.book.story.deeds[e.deed].hint.of(t.lang), t, e.audience)
    t.tell(t.book.story.deeds[e.deed].text.of(t.lang), e.audience)


def named(who: str, what: str, t: Telling, audience: Audience) -> None:
    """Say who did what before the adventure tells how it was; a roll for it says so already."""
    if EVERYONE not in audience:
        return
    last = t.last
    if last and last.who == who and last.kind == "check":
        if not any(item.text == f"{what} ·" for item in last.items):
            last.items.insert(1, Item(kind="text", text=f"{what} ·"))
            last.says.insert(0, f"{t.name(who)}: {what}")
        return
    made = t.opened("other", who, must=False)
    made.items.append(Item(kind="text", text=what))
    made.says.append(f"{t.name(who)}: {what}")


@tell_one.register
def _(e: x.DeedFailed, t: Telling, before: Table) -> None:
    deed = t.book.story.deeds[e.deed]
    named(e.who, deed.hint.of(t.lang), t, e.audience)
    t.tell((deed.failure or LINES["nothing_comes"]).of(t.lang), e.audience)


@tell_one.register
def _(e: x.TalkHeard, t: Telling, before: Table) -> None:
    talk = t.book.story.talks[e.talk]
    # What the author has them say is their answer: no other one is told before it.
    t.blocks = [one for one in t.blocks if not answers(one, e.person)]
    named(e.who, _asked(e.person, talk.hint.of(t.lang), t), t, e.audience)
    t.tell(talk.text.of(t.lang), e.audience)


def _asked(person: str, hint: str, t: Telling) -> str:
    """Return what somebody is asked, with their name unless the hint has it."""
    named_so = set(words_of(t.name(person))) & {one for one in words_of(hint) if len(one) > 2}
    return hint if named_so else f"{t.name(person)}, {hint}"


@tell_one.register
def _(e: x.TalkFailed, t: Telling, before: Table) -> None:
    talk = t.book.story.talks[e.talk]
    named(e.who, _asked(e.person, talk.hint.of(t.lang), t), t, e.audience)
    t.tell((talk.failure or LINES["nothing_comes"]).of(t.lang), e.audience)


@tell_one.register
def _(e: x.ClueFound, t: Telling, before: Table) -> None:
    text = t.book.story.clues[e.clue].text.of(t.lang)
    t.tell(texts("learned")["found"].of(t.lang).format(text=text), e.audience)


@tell_one.register
def _(e: x.SecretRevealed, t: Telling, before: Table) -> None:
    secret = t.book.story.secrets[e.secret]
    t.tell((secret.revealed or secret.text).of(t.lang))


@tell_one.register
def _(e: x.DetailPlanted, t: Telling, before: Table) -> None:
    t.tell(t.book.story.details[e.detail].text.of(t.lang))


@tell_one.register
def _(e: x.DetailReturned, t: Telling, before: Table) -> None:
    t.tell(t.book.story.details[e.detail].payoff.of(t.lang))


@tell_one.register
def _(e: x.ExitOpened, t: Telling, before: Table) -> None:
    name = t.book.story.scenes[e.to].name.of(t.lang)
    t.tell(t.said(LINES["way_opens"], scene=name))


@tell_one.register
def _(e: x.EncounterMet, t: Telling, before: Table) -> None:
    t.tell(t.book.story.encounters[e.encounter].text.of(t.lang))


@tell_one.register
def _(e: x.EncounterAvoided, t: Telling, before: Table) -> None:
    avoided = t.book.story.encounters[e.encounter].avoided
    if avoided:
        t.tell(avoided.of(t.lang))


@tell_one.register
def _(e: x.EncounterOver, t: Telling, before: Table) -> None:
    if e.outcome == "won":
        t.tell(t.book.story.encounters[e.encounter].won.of(t.lang))


@tell_one.register
def _(e: x.CoinChanged, t: Telling, before: Table) -> None:
    listed = priced(abs(e.amount), t.lang)
    gains = e.amount > 0
    made = t.opened("gain" if gains else "loss", must=False)
    made.items += [
        Item(kind="who", text=LINES["party"].of(t.lang)),
        Item(kind="gain" if gains else "loss", text=f"{'+' if gains else '−'}{listed}"),
    ]
    made.says.append("the party gains coin" if gains else "the party pays")
    if gains:
        made.gained.append("gold silver copper coin coins")


Line = x.ShortRestTaken | x.DayBroke | p.Resumed | p.LanguageChosen
SAID: dict[type[Line], str] = {
    x.ShortRestTaken: "short_rest",
    x.DayBroke: "long_rest",
    p.Resumed: "resumed",
    p.LanguageChosen: "language",
}


@tell_one.register
def _(e: Line, t: Telling, before: Table) -> None:
    t.tell(next(LINES[line] for kind, line in SAID.items() if isinstance(e, kind)).of(t.lang))


@tell_one.register
def _(e: x.HintGiven, t: Telling, before: Table) -> None:
    t.tell(LINES["hint"].of(t.lang).format(hint=_hint(e.about, t)))


def _hint(about: str, t: Telling) -> str:
    kind, _, key = about.rpartition(":")
    if kind == "deed":
        return t.book.story.deeds[key].hint.of(t.lang)
    if kind == "talk":
        return t.book.story.talks[key].hint.of(t.lang)
    return t.book.story.scenes[key].name.of(t.lang)


@tell_one.register
def _(e: x.EndingReached, t: Telling, before: Table) -> None:
    ending = t.book.story.endings[e.ending]
    t.tell(f"{ending.text.of(t.lang)}\n\n— {ending.name.of(t.lang)} —")


@tell_one.register
def _(e: p.SeatHeld, t: Telling, before: Table) -> None:
    left = before.is_held(e.seat) and e.by != "human"
    text = LINES["left_seat"] if left else texts("held")[e.by]
    t.tell(text.of(t.lang).format(seat=t.name(e.seat)))


@tell_one.register
def _(e: p.Acted, t: Telling, before: Table) -> None:
    if e.how == "acts" or (e.seat == DM and e.how == "passes"):
        return
    if e.how == "passes" and before.awaited and not before.is_held(e.seat):
        return  # companions who let a person go first have nothing to tell
    text = LINES["waits"] if e.how == "passes" else texts("acted")[e.how]
    made = t.opened("other", e.seat, must=False)
    made.items.append(Item(kind="text", text=text.of(t.lang)))


@tell_one.register
def _(e: p.Spoke, t: Telling, before: Table) -> None:
    text = e.text.strip().strip('“”"«» ')
    said = LINES["says_to"] if e.to else LINES["says"]
    t.tell(said.of(t.lang).format(who=t.name(e.seat), to=t.towards(e.to), text=text))
    replies(e.seat, e.to, text, t)


@tell_one.register
def _(e: p.Whispered, t: Telling, before: Table) -> None:
    slots = {"seat": t.name(e.seat), "to": t.names(e.to), "text": e.text}
    told = LINES["signed" if e.sign else "whispered"]
    t.tell(told.of(t.lang).format(**slots), private(e.seat, *e.to))


@tell_one.register
def _(e: p.Learned, t: Telling, before: Table) -> None:
    text = text_of(e.key, t.table, t.book)
    told = texts("learned")[e.how].of(t.lang).format(seat=t.name(e.by) if e.by else "", text=text)
    t.tell(told, e.to if EVERYONE in e.to else private(e.by, *e.to))


@tell_one.register
def _(e: p.Paused, t: Telling, before: Table) -> None:
    t.tell(texts("paused")[e.why].of(t.lang))


@tell_one.register
def _(e: p.SafetyAgreed, t: Telling, before: Table) -> None:
    none = LINES["none"].of(t.lang)
    lines, veils = (", ".join(of) or none for of in (e.safety.lines, e.safety.veils))
    t.tell(
        texts("safety")["on" if e.safety.on else "off"].of(t.lang).format(lines=lines, veils=veils)
    )


@tell_one.register
def _(e: p.Consulted, t: Telling, before: Table) -> None:
    if e.asked:
        t.questions.append(e)
    else:
        t.tell(looked_up(e, t.table, t.book), private(e.seat))


@tell_one.register
def _(e: p.TakenBack, t: Telling, before: Table) -> None:
    t.tell(LINES["taken_back"].of(t.lang).format(seat=t.name(e.seat)))
    if e.words:
        said = LINES["unsaid"].of(t.lang).format(what=quoted((e.words,), t.lang))
        t.tell(said, private(e.seat))


@tell_one.register
def _(e: p.Refused, t: Telling, before: Table) -> None:
    t.tell(refusal(e, t.table, t.book), private(e.seat))
