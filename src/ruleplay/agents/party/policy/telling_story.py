"""Turn the adventure's and the table's own events into passages and beats."""

from __future__ import annotations

from ruleplay.agents.party.domain.happenings import exploration as x
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.knowledge import text_of
from ruleplay.agents.party.domain.labels import hinted
from ruleplay.agents.party.domain.seats import EVERYONE, Audience, private
from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.policy.refusals import LINES, priced, texts
from ruleplay.agents.party.policy.replies import looked_up, refusal
from ruleplay.agents.party.policy.telling import (
    Asked,
    Making,
    Telling,
    answered_by,
    answers,
    replies,
    tell_one,
)
from ruleplay.agents.party.policy.variety import found_again
from ruleplay.story.beats import Item, arrow
from ruleplay.story.beats import who as who_
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
        along = [t.name(one.id) for one in t.table.party if one.id != e.who and one.present]
        along += [t.name(who) for who in t.table.tale.followers]
        if along:
            made.items[-1:] = [who_(", ".join((t.name(e.who), *along)))]
        made.items += [arrow("to"), Item(kind="text", text=scene.name.of(t.lang))]
        made.says.append(f"{t.name(e.who)} leads the way to {scene.name.of(t.lang)}")
        made.says += [f"with {', '.join(along)}"] if along else []
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
    """Tell each person the secrets of their character, as asides: its own, and the adventure's."""
    said = texts("learned")["dealt"].of(t.lang)
    for seat in (one for one in t.table.characters if t.table.is_held(one)):
        own = t.table.personas[seat].secrets if seat in t.table.personas else ()
        dealt = (one.secret for one in t.table.expedition.secrets if one.who == seat)
        for text in (*own, *(t.book.story.secrets[key].text for key in dealt)):
            t.tell(said.format(text=text.of(t.lang)), private(seat))


def named(who: str, what: str, t: Telling, audience: Audience) -> None:
    """Add who did what, before the authored text about it; a check's beat is reused for that."""
    if EVERYONE not in audience:
        return
    last, does = t.last, t.said(LINES["goes_to"], what=what)
    if last and last.who == who and last.kind == "check":
        if any(item.kind == "text" for item in last.items[1:2]):
            return  # it was tried in the player's own words
        if not any(item.text == f"{does} ·" for item in last.items):
            last.items.insert(1, Item(kind="arrow", text=f"{does} ·"))
            last.says.insert(0, f"{t.name(who)} {does}")
        return
    t.opened("other", who, must=False).told(does, f"{t.name(who)} {does}", "arrow")


def _asked(who: str, person: str, hint: str, t: Telling, audience: Audience) -> None:
    """Add that somebody asks a person, unless their own words to that person have been shown."""
    checked = t.last is not None and t.last.kind == "check"
    if (who, person) not in t.spoken or checked or EVERYONE not in audience:
        named(who, hint, t, audience)
        return
    says = (
        f"{t.name(person)} answers {t.name(who)}: with what the book says under it and, in a "
        "sentence before it, whatever else was asked or offered"
    )
    t.opened("other", "", must=False).says.append(says)


@tell_one.register
def _(e: x.DeedDone | x.DeedFailed, t: Telling, before: Table) -> None:
    deed = t.book.story.deeds[e.deed]
    named(e.who, deed.hint.of(t.lang), t, e.audience)
    told = deed.text if isinstance(e, x.DeedDone) else deed.failure or LINES["nothing_comes"]
    told = LINES["nothing_comes"] if _fails_again(e, f"deed:{e.deed}", before) else told
    t.tell(told.of(t.lang), e.audience)


def _fails_again(e: x.Explored, what: str, before: Table) -> bool:
    """Whether somebody else has failed at the same before, and been told how it ends."""
    failed = isinstance(e, x.DeedFailed | x.TalkFailed)
    return failed and any(one.startswith(f"{what}/") for one in before.expedition.tried)


@tell_one.register
def _(e: x.TalkHeard | x.TalkFailed, t: Telling, before: Table) -> None:
    talk, heard = t.book.story.talks[e.talk], isinstance(e, x.TalkHeard)
    if heard or talk.failure:  # what the adventure has is their answer, so drop any other
        t.blocks = [one for one in t.blocks if not answers(one, e.person)]
        t.answered.add(e.person)
    _asked(e.who, e.person, talk.hint.of(t.lang), t, e.audience)
    told = talk.text if heard else talk.failure or LINES["nothing_comes"]
    told = LINES["nothing_comes"] if _fails_again(e, f"talk:{e.talk}", before) else told
    t.tell(told.of(t.lang), e.audience)


Written = (
    x.ClueFound | x.SecretRevealed | x.DetailPlanted | x.DetailReturned | x.ExitOpened
    | x.EncounterMet | x.EncounterAvoided | x.EncounterOver | x.ShortRestTaken | x.DayBroke
    | x.HintGiven | x.EndingReached | p.Resumed | p.LanguageChosen | p.Paused | p.SafetyAgreed
    | p.Learned
)  # fmt: skip


@tell_one.register
def _(e: Written, t: Telling, before: Table) -> None:
    """Add events that are told by a text alone, without a line."""
    ears = getattr(e, "audience", (EVERYONE,))
    if isinstance(e, p.Learned):
        ears = e.to if EVERYONE in e.to else private(e.by, *e.to)
    t.tell(_written(e, t), ears)
    if isinstance(e, x.EncounterAvoided):
        _talk_now(e, t, before)


def _talk_now(e: x.EncounterAvoided, t: Telling, before: Table) -> None:
    """Let who speaks for those that were won over answer the rest of the words to them."""
    there = [one for one in people(t.table, t.book) if one not in people(before, t.book)]
    said = [seat for seat, to in t.spoken if to and to.partition("/")[0] == e.encounter]
    if not there or not said or e.how != "parley":
        return
    says = (
        f"{t.name(there[0])}, now that they talk, answers {t.name(said[0])} in words, all that is "
        "asked and offered in what was said to them; it settles and gives nothing"
    )
    t.blocks.append(Making("other", there[0], [said[0]], says=[says], must=False))


def _written(e: Written, t: Telling) -> str:  # noqa: C901 - one row each
    story, lang = t.book.story, t.lang
    match e:
        case x.ClueFound(clue=key):
            return texts("learned")["found"].of(lang).format(text=story.clues[key].text.of(lang))
        case x.SecretRevealed(secret=key):
            return (story.secrets[key].revealed or story.secrets[key].text).of(lang)
        case x.DetailPlanted(detail=key):
            return story.details[key].text.of(lang)
        case x.DetailReturned(detail=key):
            return story.details[key].payoff.of(lang)
        case x.ExitOpened(to=key):
            return t.said(LINES["way_opens"], scene=story.scenes[key].name.of(lang))
        case x.EncounterMet(encounter=key):
            return story.encounters[key].text.of(lang)
        case x.EncounterAvoided(encounter=key):
            avoided = story.encounters[key].avoided
            return avoided.of(lang) if avoided else ""
        case x.EncounterOver(encounter=key, outcome=outcome):
            return story.encounters[key].won.of(lang) if outcome == "won" else ""
        case x.HintGiven(about=about):
            return t.said(LINES["hint"], hint=hinted(about, story).of(lang))
        case x.EndingReached(ending=key):
            return f"{story.endings[key].text.of(lang)}\n\n— {story.endings[key].name.of(lang)} —"
        case p.Paused(why=why):
            return texts("paused")[why].of(lang)
        case p.SafetyAgreed(safety=safety):
            agreed = (
                ", ".join(of) or LINES["none"].of(lang) for of in (safety.lines, safety.veils)
            )
            told = texts("safety")["on" if safety.on else "off"]
            return t.said(told, **dict(zip(("lines", "veils"), agreed, strict=True)))
        case p.Learned(how="told"):
            return ""
        case p.Learned(key=key, how=how, by=by):
            text = text_of(key, t.table, t.book)
            return texts("learned")[how].of(lang).format(seat=t.name(by) if by else "", text=text)
        case _:
            return LINES[SAID[next(kind for kind in SAID if isinstance(e, kind))]].of(lang)


SAID: dict[type[Written], str] = {
    x.ShortRestTaken: "short_rest",
    x.DayBroke: "long_rest",
    p.Resumed: "resumed",
    p.LanguageChosen: "language",
}


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
    made.key = "" if gains else "pays"
    if gains:
        made.gained.append("gold silver copper coin coins")


@tell_one.register
def _(e: p.SeatHeld, t: Telling, before: Table) -> None:
    left = before.is_held(e.seat) and e.by != "human"
    text = LINES["left_seat"] if left else texts("held")[e.by]
    t.tell(text.of(t.lang).format(seat=t.name(e.seat)))


@tell_one.register
def _(e: p.Acted, t: Telling, before: Table) -> None:
    if e.how == "acts" or (e.how == "passes" and not before.cast.fight):
        return  # who waits is told where nothing else is
    text = LINES["waits"] if e.how == "passes" else texts("acted")[e.how]
    t.opened("other", e.seat, must=False).told(text.of(t.lang))


def _bare(said: str) -> str:
    """Return words without the marks around them; one that belongs to a word within them stays."""
    bare = said.strip('“”"«» ')
    return said.strip() if sum(bare.count(mark) for mark in '“”"«»') % 2 else bare


@tell_one.register
def _(e: p.Spoke, t: Telling, before: Table) -> None:
    text = _bare(e.text)
    said = LINES["says_to"] if e.to else LINES["says"]
    to = ", ".join((t.towards(e.to), *map(t.name, e.also)))
    t.tell(said.of(t.lang).format(who=t.name(e.seat), to=to, text=text))
    t.spoken.add((e.seat, e.to))
    if e.to:
        answered_by(e.seat, e.to, t)
    replies(e.seat, e.to, text, t)


@tell_one.register
def _(e: p.Whispered, t: Telling, before: Table) -> None:
    slots = {"seat": t.name(e.seat), "to": t.names(e.to), "text": e.text}
    told = LINES["signed" if e.sign else "whispered"]
    t.tell(told.of(t.lang).format(**slots), private(e.seat, *e.to))


@tell_one.register
def _(e: p.Consulted, t: Telling, before: Table) -> None:
    if e.asked:
        t.questions.append(Asked(e, t.table))
    else:
        t.tell(looked_up(e, t.table, t.book), private(e.seat))


@tell_one.register
def _(e: p.TakenBack, t: Telling, before: Table) -> None:
    t.tell(LINES["taken_back"].of(t.lang).format(seat=t.name(e.seat)))
    if not e.instead:
        t.tell(LINES["instead"].of(t.lang))
    if e.words:
        said = LINES["unsaid"].of(t.lang).format(what=quoted((e.words,), t.lang))
        t.tell(said, private(e.seat))


@tell_one.register
def _(e: p.Refused, t: Telling, before: Table) -> None:
    t.tell(refusal(e, t.table, t.book), private(e.seat))
