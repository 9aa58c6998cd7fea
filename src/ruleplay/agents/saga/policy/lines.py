"""Turn a turn's events into beats, each with the line that is printed for it.

`add` has one registration per kind of event. `says` of a beat is English, for prompts; items of a
line are in the story's language, for players.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import shorten

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.offers import suggestions
from ruleplay.agents.saga.domain.scenario import Book, Encounter
from ruleplay.agents.saga.policy import phrases
from ruleplay.agents.saga.policy.answers import ASKED, Asked, facts_for, told_of, unanswered
from ruleplay.agents.saga.policy.fight_lines import check, stated
from ruleplay.agents.saga.policy.replies import (
    OUT_OF_STORY,
    coins,
    looked_up,
    lying,
    own_text,
    reason,
    refusal,
)
from ruleplay.agents.saga.policy.script import Draft, Script, add
from ruleplay.records.events import Event
from ruleplay.story import canon, undone
from ruleplay.story.beats import Item, Kind, arrow
from ruleplay.story.beats import who as named
from ruleplay.story.texts import Text, towards

OFTEN, OFFERED = 2, 4
"""Arrivals after which a place is no longer described; most suggestions after a stop."""
ECHOED, READIED = 120, 60
"""Most characters of the player's words that a line quotes."""
QUOTES = ' ."«»“”\u00a0'


def script_of(
    before: Game,
    events: Iterable[Event],
    book: Book,
    *,
    was: Game | None = None,
    rolled: tuple[str, ...] = (),
    turn: int = 0,
) -> Script:
    """Build the script of a turn from its events.

    `was` is the game that an undo returns to, `rolled` are the previous turn's lines with dice,
    `turn` is the number of turns so far.
    """
    script = Script(before, book, rolled=rolled, turn=turn)
    for event in events:
        if not isinstance(event, h.Happening):
            continue
        script.before = script.game
        # Names of fighters are looked up in the running fight, so it is ended after its beat.
        ended = isinstance(event, h.CombatEnded)
        if isinstance(event, h.TakenBack) and was:
            script.game = before = was
        elif not ended:
            script.game = script.game.apply(event)
        add(event, script)
        if ended:
            script.game = script.game.apply(event)
    script.meet_last()
    _departures(script, before)
    _left_behind(script, before)
    _answer(script)
    return script


def _departures(script: Script, before: Game) -> None:
    """Add a line for everybody who has left, since authored passages do not always say so."""
    now, ended = script.game, script.game.fights != before.fights
    if now.place != before.place or ended or before.fight or not before.visited:
        return
    parted = {draft.who for draft in script.drafts}
    for who in surroundings.persons(before, script.book):
        if who not in surroundings.persons(now, script.book) and who not in parted:
            name = script.name(who)
            items = (named(name), Item(kind="text", text=script.say(phrases.TEXTS["parts"])))
            script.line("other", *items, says=f"{name} has left and is here no more", who=who)


def _left_behind(script: Script, before: Game) -> None:
    """Add a line for everybody who was asked to come along and did not."""
    spoken = [draft.spoke for draft in script.drafts if draft.spoke]
    asked = {one.to for one in spoken if one.want == "join"} - {"", *script.game.story.company}
    for who in sorted(asked) if script.game.place != before.place else ():
        name = Script(before, script.book).name(who)
        items = (named(name), Item(kind="text", text=script.say(phrases.TEXTS["stays"])))
        script.line("other", *items, says=f"{name} does not come along", who=who, must=True)


@add.register
def _(e: h.SkillChecked, s: Script) -> None:
    d = check(s, e, e.roll)
    d.must = s.game.fight is not None
    if s.spoke and s.spoke.want == "know":
        d.says.append(f"whoever was asked {KNOWS[not e.success]}")


@add.register
def _(e: h.Attempted, s: Script) -> None:
    against = e.against if e.against not in ("", HERO) else ""
    if e.roll is None:
        d = s.open("check", HERO, against, says=f"what is tried succeeds without a roll: {e.what}")
        d.items += [named(s.name(HERO)), Item(kind="text", text=s.say(phrases.TEXTS["sure"]))]
        d.again = True
    else:
        said = s.spoke is not None and s.spoke.text == e.what and bool(e.against)
        d = check(s, e, e.roll)
        d.says.append(taken(s, e) if said else f"what was tried, as the player put it: {e.what}")
        if e.why:
            d.items.append(Item(kind="text", text=s.say(phrases.RAISED[e.why])))
    d.tried = e.what
    d.on_the_way = e.skill == "stealth" and not against and len(s.drafts) > 1
    d.became(HERO, "checked")


TAKEN: dict[str, tuple[str, str]] = {
    "deceive": ("believes it", "does not believe it"),
    "threaten": ("is daunted", "is not daunted"),
    "bargain": (
        "gives in, and what is had for what is in the beats after this, and nothing else",
        "does not agree: nothing is paid and nothing is had",
    ),
    "provoke": ("rises to it", "does not rise to it"),
}
"""How somebody takes words by approach: after a success, after a failure."""
KNOWS = (
    "tells what they know of it as given here, what they would rather not say too, and the "
    "book where it speaks next, or says plainly that they do not know",
    "keeps to themselves what they know of it",
)


def taken(s: Script, e: h.Attempted) -> str:
    """Say, for prompts, how somebody takes words that were rolled for."""
    spoke, name = s.spoke, s.name(e.against) if e.against else "whoever hears"
    approach = TAKEN.get(spoke.approach if spoke else "", ("is won over", "is not won over"))
    told = f"by these words: {name} {approach[not e.success]}"
    knows = f", and {KNOWS[not e.success]}" if spoke and spoke.want == "know" else ""
    return f"{told}{knows}"


@add.register
def _(e: h.Spoke, s: Script) -> None:
    s.spoke = e
    to = e.to if e.to not in ("", "all", HERO) else ""
    if e.who != HERO:
        s.open("say", e.who, to, says=f'{s.name(e.who)} says: "{e.text}"')
        return
    heard = s.name(to) if to else "whoever hears"
    crowd = to == surroundings.folk(s.game.place) and to not in s.game.story.company
    known = canon.called(s.game.story.canon, to)
    heard += ", or whoever else without a name is meant" if crowd and not known else ""
    how = "" if e.approach == "plain" else f" ({e.approach})"
    words = f', as the player put it: "{e.text}"' if e.text else ""
    d = s.open("say", e.who, to, says=f"{s.name(e.who)} speaks to {heard}{how}{words}")
    d.spoke = e
    d.items += [
        named(s.name(e.who)),
        *((arrow("to"), named(s.name(to))) if s.name(to) not in (to, s.name(HERO)) else ()),
    ]
    _echo(s, d, e.text)


@add.register
def _(e: h.Flourished, s: Script) -> None:
    known = s.book.rules.items.get(e.text)
    text = known.the(s.lang) if known else e.text
    if not text.strip():
        return
    d = s.open("other", HERO, says=f"{s.name(HERO)}, changing nothing: {text}")
    d.posed = text
    _echo(s, d, text)


def _echo(s: Script, d: Draft, text: str) -> None:
    """Let a beat quote what the player said or did; that is printed only if no prose tells it."""
    d.echo = True
    bare = shorten(text.strip(QUOTES), ECHOED, placeholder="…")
    d.items += [Item(kind="text", text=undone.quoted([bare], s.lang))] if bare else []


@add.register
def _(e: h.InVain, s: Script) -> None:
    says = f"in vain, the world takes no notice ({own_text(e.why).en}): {e.text}"
    to = s.name(e.to)
    known = e.to and to != e.to
    d = s.open("vain", HERO, *((e.to,) if known else ()), says=says)
    stopped = known and e.why == "not_here"
    taken = f"not reached, stopped by {to}" if stopped else f"said to {to}, who does not believe it"
    d.says.append(taken if known else "")
    told = own_text("not_reached" if stopped else e.why).of(s.lang).format(to)
    d.items.append(Item(kind="text", text=told))


@add.register
def _(e: h.AttitudeChanged, s: Script) -> None:
    d = s.current(e.who)
    better = "better" if e.amount > 0 else "worse"
    d.says.append(f"{s.name(e.who)} thinks {better} of the hero")
    if e.who not in (d.who, *d.about):
        d.about.append(e.who)
    _told_of(d, s.name(e.who), s.say(phrases.ATTITUDE[e.amount > 0]))


def _told_of(d: Draft, name: str, text: str) -> None:
    """Add a state whose text contains the name, without repeating the name before it."""
    if d.items[-1:] == [named(name)]:
        d.items.pop()
    state = stated(text.format(a=name))
    d.items += [] if state in d.items else [state]


@add.register
def _(e: h.EdgeGained, s: Script) -> None:
    d, name = s.current(e.who), s.name(e.who)
    d.says.append(_edge(name, up=e.up))
    _told_of(d, name, s.say(phrases.EDGE[e.up]))


def _edge(name: str, *, up: bool) -> str:
    return f"{name} has {'the better' if up else 'the worse'} of it for now"


@add.register
def _(e: h.EdgeSpent, s: Script) -> None:
    """Take back that somebody is better off for now: the roll it was for has been made."""
    name = s.name(e.who)
    for up in (True, False):
        told = _edge(name, up=up)
        state = stated(s.say(phrases.EDGE[up]).format(a=name))
        for d in [one for one in s.drafts if told in one.says]:
            d.says.remove(told)
            # The line of a roll still says what it brought.
            d.items = [item for item in d.items if item != state or d.kind == "check"]
            if d.kind == "state" and not any(d.says):
                s.drafts.remove(d)


@add.register
def _(e: h.DetailKept, s: Script) -> None:
    if e.detail.kind == "keepsake":
        d = s.current(HERO)
        if d.kind == "say":  # the line of speech makes way for the speech
            d = s.line("gain", says="")
        d.says.append(f"{s.name(HERO)} now has, worth nothing: {e.detail.text}")
        d.gained.append(e.detail.text)
        text = s.say(phrases.TEXTS["keeps"]).format(w=e.detail.text)
        d.items.append(Item(kind="gain", text=text))
    elif e.detail.kind == "name":
        called = f"from now on the hero calls {s.name(e.detail.about)} {e.detail.text}"
        s.open("detail", "", says=called, must=False)
    elif e.detail.kind not in ("left", "spent"):  # it was told when the thing left the pack
        d = s.open("detail", "", says=f"it is so: {e.detail.text}", must=False)
        if e.detail.kind == "promise":
            text = s.say(phrases.TEXTS["promised"]).format(w=e.detail.text.rstrip("."))
            d.items.append(Item(kind="text", text=text))


@add.register
def _(e: h.MarkMade, s: Script) -> None:
    d = s.current(HERO)
    d.says.append(f"for now: {e.mark.text or e.mark.what}")
    if e.mark.what and not e.mark.who:
        d.items.append(stated(s.say(phrases.MARKS[e.mark.what])))


@add.register
def _(e: h.TimePassed, s: Script) -> None:
    text = s.say(phrases.TEXTS["minutes"]).format(n=e.minutes)
    s.line("time", Item(kind="text", text=text), says=f"time passes: {e.minutes} minutes", who="")


@add.register
def _(e: h.Joined, s: Script) -> None:
    items = (named(s.name(e.who)), Item(kind="text", text=s.say(phrases.TEXTS["joins"])))
    s.line("gain", *items, says=f"{s.name(e.who)} comes along", who=e.who, must=True)


@add.register
def _(e: h.Parted, s: Script) -> None:
    key, does = ("waits", "stays here and waits") if e.place else ("parts", "goes their own way")
    items = (named(s.name(e.who)), Item(kind="text", text=s.say(phrases.TEXTS[key])))
    s.line("other", *items, says=f"{s.name(e.who)} {does}", who=e.who)


@add.register
def _(e: h.Helped, s: Script) -> None:
    d = s.open("other", e.who, says=f"{s.name(e.who)} does as told, from where they keep back")
    d.says.append(f"as the player put it: {e.text}" if e.text else "")
    d.items += [named(s.name(e.who)), Item(kind="text", text=s.say(phrases.TEXTS["helps"]))]


@add.register
def _(e: h.LeftUndone, s: Script) -> None:
    told = undone.told(e.what, e.why, s.lang)
    s.closing.append(told)
    if e.why in ("unknown", "hangs"):
        s.unheard[told] = e.what
    elif e.why != "far":
        d = s.open("vain", HERO, says=f"not done, and shown as the world has it: {told}")
        d.left = told


@add.register
def _(e: h.AskedBack, s: Script) -> None:
    choices = "\n".join(f"- {choice}" for choice in e.asked.choices)
    s.closing.append(f"{e.asked.question}\n\n{choices}")


@add.register
def _(e: h.StyleChosen, s: Script) -> None:
    before = s.before.story.style.lines if s.before else ()
    if new := [line for line in e.style.lines if line not in before]:
        s.closing.append(s.say(own_text("lined")).format(undone.quoted(new, s.lang)))
    elif s.say(phrases.TEXTS["styled"]) not in {draft.passage for draft in s.drafts}:
        s.passage(s.say(phrases.TEXTS["styled"]))


@add.register
def _(e: h.Stopped, s: Script) -> None:
    key = "stopped" if any(draft.kind == "ending" for draft in s.drafts) else "set_aside"
    offers = ", ".join(suggestions(s.game, s.book)[:OFFERED])
    s.closing.append(s.say(own_text(key)).format(offers))


WAITS = ", and it has not come to that"
"""How a prompt says that what was readied is still to come."""


@add.register
def _(e: h.Readied, s: Script) -> None:
    if e.taken:
        told = Item(kind="text", text=s.say(phrases.STANCES["cover"]))
        says = f"{s.name(HERO)} is in cover now: {e.act.text}"
        s.line("other", named(s.name(HERO)), told, says=says, must=True)
        return
    answer = e.act.do == "flourish" and s.game.fight is None
    _readied(s, "awaits" if answer else "ready", f"is ready{WAITS}", e.act.text)


def _briefly(text: str) -> str:
    """Return how a line names what was readied: a speech is not said twice."""
    return shorten(text, READIED, placeholder="…")


def _readied(s: Script, key: str, says: str, what: str) -> None:
    text = s.say(phrases.TEXTS[key]).format(w=undone.quoted([_briefly(what)], s.lang))
    told = f"{s.name(HERO)} {says}: {what}"
    d = s.line("other", named(s.name(HERO)), Item(kind="text", text=text), says=told, must=True)
    d.again = s.game.fight is None


@add.register
def _(e: h.Sprung, s: Script) -> None:
    if e.came:
        waits = f"{WAITS}: {e.act.text}"
        for d in s.drafts:
            d.says = [one.replace(waits, f": {e.act.text}") for one in d.says]
        s.line("other", says=f"what {s.name(HERO)} was ready for comes about: {e.act.text}")
    elif e.dropped:
        _readied(s, "dropped", "is ready for this no more", e.act.text)
    elif e.act.do != "flourish" or s.game.fight:
        told = undone.told([_briefly(e.act.text)], "moment", s.lang)
        s.closing.append(told)
        s.unheard[told] = (e.act.text,)
        lets = f"{s.name(HERO)} was ready for this, and lets it be, for it cannot come now"
        s.line("other", says=f"{lets}: {e.act.text}")


@add.register
def _(e: h.StoryLeft, s: Script) -> None:
    s.closing.append(s.say(phrases.TEXTS["left_story"]))


@add.register
def _(e: h.XpGained, s: Script) -> None:
    text = s.say(phrases.TEXTS["xp"]).format(n=e.amount)
    s.line("gain", Item(kind="gain", text=text), says="experience is gained")


@add.register
def _(e: h.LevelGained, s: Script) -> None:
    text = s.say(phrases.TEXTS["level"]).format(n=e.level)
    s.line("gain", Item(kind="gain", text=text), says=f"{s.name(HERO)} has grown stronger")


@add.register
def _(e: h.SkillTrained, s: Script) -> None:
    skill = s.book.rules.skills[e.skill].name.of(s.lang)
    s.line("gain", Item(kind="gain", text=f"{skill} +1"), says=f"better at {e.skill}")


@add.register
def _(e: h.CoinChanged, s: Script) -> None:
    if e.item and not e.amount:
        free = s.book.rules.items[e.item]
        s.line("gain", Item(kind="gain", text=f"+{free.one(s.lang)}"), says=f"had: {free.name.en}")
        return
    n = abs(e.amount)
    text = s.say(phrases.COINS[n != 1]).format(n=n)
    kind: Kind = "gain" if e.amount > 0 else "loss"
    says = {"gain": "coins are gained", "loss": "coins are paid or lost"}[kind]
    if e.to:
        says = f"{s.name(HERO)} hands coins to {s.name(e.to)}"
        text = f"{text} → {s.name(e.to)}"
    elif e.why in PLACED:
        says = f"{s.name(HERO)} {PLACED[e.why]} coins"
    elif e.why == "bought":
        had = s.book.rules.items[e.item] if e.item else None
        says = f"{s.name(HERO)} pays {n} coins for {had.the('en') if had else 'it'}, {e.coin} left"
        service = had is not None and had.kind == "service"
        says += "; paying alone lets nobody sleep or heal" if service else ""
        text = f"{text} ({had.name.of(s.lang)})" if had and had.kind == "service" else text
    item = Item.model_validate({"kind": kind, "text": f"{'+' if e.amount > 0 else '−'}{text}"})
    d = s.line(kind, item, says=says)
    d.gained += ["coin coins gold silver", "pièces d'or pièces d'argent"] if e.amount > 0 else []


PLACED = {"left": "puts down here", "picked_up": "picks up"}


@add.register
def _(e: h.KeepsakeLost, s: Script) -> None:
    to = "to whoever takes it" if e.to == "all" else f"to {s.name(e.to)}"
    use = "lost" if e.spent else "given" if e.to else "left"
    done = {"lost": "loses for good", "given": f"gives {to}", "left": PLACED["left"]}[use]
    item = Item(kind="loss", text=s.say(phrases.USES[use]).format(w=e.keepsake))
    d = s.line("use", item, says=f"{s.name(HERO)} {done}, worth nothing: {e.keepsake}; {e.text}")
    d.gained.append(e.keepsake)


@add.register
def _(e: h.ItemGained, s: Script) -> None:
    item = s.book.rules.items[e.item]
    several = f"{item.name.of(s.lang)} × {e.count}"
    text = f"+{several if e.count > 1 else item.one(s.lang)}"
    says = f"{s.name(HERO)} picks up {item.the('en')}" if e.why == "picked_up" else ""
    d = s.line("gain", Item(kind="gain", text=text), says=says or f"gained: {item.name.en}")
    d.gained.append(item.name.of(s.lang))


@add.register
def _(e: h.ItemLost, s: Script) -> None:
    if e.why == "shot":
        return
    item = s.book.rules.items[e.item]
    what = f"{item.name.of(s.lang)} × {e.count}" if e.count > 1 else item.the(s.lang)
    text = s.say(phrases.USES[e.why]).format(w=what)
    carried = "one less is carried" if s.game.sheet.count(e.item) else "carried no more"
    says = f"{item.the('en')} is {e.why}, and {carried}"
    if e.to:
        to = s.name(e.to) if e.to != "all" else "whoever takes it"
        words = f", as the player put it: {e.text}" if e.text else ""
        says = f"{s.name(HERO)} gives {item.the('en')} to {to}{words}"
    elif e.why == "left":
        there = surroundings.here(s.game, s.book).name.en
        says = f"{s.name(HERO)} puts {item.the('en')} down at {there}, where it stays: {e.text}"
    d = s.line("use", Item(kind="loss", text=text), says=says)
    d.gained.append(item.name.of(s.lang))


@add.register
def _(e: h.Equipped, s: Script) -> None:
    known = s.book.rules.items.get(e.item)
    name = known.the(s.lang) if known else ""
    text = Item(kind="text", text=s.say(phrases.TEXTS["equips"]).format(w=name))
    says = f"{s.name(e.who)} takes up {s.thing(e.item)}"
    s.line("use", named(s.name(e.who)), text, says=says, who=e.who)


@add.register
def _(e: h.SectionTold, s: Script) -> None:
    story = s.book.scenario
    if e.kind == "intro":
        s.passage(story.intro.of(s.lang))
        return
    one = getattr(story, f"{e.kind}s")[e.key]
    told = one.told(e.part, e.way) if e.kind == "encounter" else getattr(one, e.part, None)
    text = (told or one.text).of(s.lang)
    before, last = s.before.flags if s.before else (), s.drafts[-1] if s.drafts else None
    if e.part == "failure" and f"deed:{e.key}:failure" in before and last and last.kind == "check":
        last.says.append("this has failed before: show what went otherwise now; it can be tried on")
        last.items.append(Item(kind="text", text=s.say(phrases.RAISED["no"])))
        return
    if e.kind in ("deed", "clue", "clock"):
        gone = [key for key in story.persons if f"gone:{key}" in s.game.flags]
        text = surroundings.still_true(text, s.game, s.book, *gone) or text
    s.passage(text)


@add.register
def _(e: h.Travelled, s: Script) -> None:
    before = s.before or s.game
    place, known = s.book.scenario.places[e.place], e.place in before.visited
    if s.drafts and s.drafts[-1].through:
        s.drafts.pop()
    if e.origin:
        came = phrases.TEXTS["back"] if known else phrases.TEXTS["arrived"]
        to = Text(en=place.name.en, fr=towards(place.name.fr)).of(s.lang)
        s.passage(came.of(s.lang).format(place=to), kind="arrive")
    # A place's authored description is shown on the first visits; later the prose is free.
    often = [one for one in before.chronicle if one[:2] == ("place", e.place)]
    if len(often) < OFTEN:
        if text := surroundings.sight(s.game, s.book, again=known):
            s.passage(text, kind="arrive")
    elif e.origin:
        s.drafts[-1].through = True
    if e.origin and (lies := lying(s.game, s.book)):
        s.passage(lies, kind="arrive")
    key = surroundings.waiting(s.game, s.book)
    encounter = s.book.scenario.encounters.get(key)
    if encounter and (encounter.sneak or encounter.parley) and not s.game.fight:
        met = surroundings.met_before(before, s.book, e.place)
        s.passage(_still_there(s, encounter) if met else encounter.text.of(s.lang), kind="arrive")
        s.drafts[-1].waits = True


def _still_there(s: Script, encounter: Encounter) -> str:
    """Say who waits where their text has been told already."""
    names = ", ".join(foe.name.of(s.lang) for foe in encounter.foes)
    return s.say(phrases.TEXTS["still_there"]).format(names)


@add.register
def _(e: h.SecretLearned, s: Script) -> None:
    text = s.book.scenario.secrets[e.secret].text.of(s.lang)
    s.passage(phrases.TEXTS["secret"].of(s.lang).format(text=text))


@add.register
def _(e: h.EndingReached, s: Script) -> None:
    ending = s.book.scenario.endings[e.ending]
    s.closing.append(f"{ending.text.of(s.lang)}\n\n— {ending.name.of(s.lang)} —")


@add.register
def _(e: h.Consulted, s: Script) -> None:
    if e.key and e.topic == "price":
        for key in e.key.split(","):
            cost = coins(surroundings.lowest_price(s.game, s.book, key), s.lang)
            told = s.say(phrases.TEXTS["price"]).format(
                s.book.rules.items[key].name.of(s.lang), cost
            )
            s.line("other", Item(kind="text", text=told), says=f"the price is {told}", who="")
        return
    if e.key and e.topic in ASKED:
        _ask(s, e.topic, e.key)
        return
    if e.topic == "waits":
        says = f"{s.name(HERO)} waits, and leaves it to the others what comes next"
        d = s.open("other", HERO, says=says)
        d.lead, d.echo, d.posed = s.say(own_text("waits")), True, e.topic
        d.items += [named(s.name(HERO)), Item(kind="text", text=s.say(phrases.SKIPPED["waits"]))]
        return
    told = looked_up(e, s.game, s.book)
    if e.topic == "place":
        before = {draft.passage for draft in s.drafts}
        told = "\n\n".join(part for part in told.split("\n\n") if part not in before)
    if told and told not in {draft.passage for draft in s.drafts}:
        s.passage(told, lookup=True)


def _ask(s: Script, topic: Asked, asked: str) -> None:
    """Add a question of the player's; those with nothing done between them share a beat."""
    known = s.drafts[-1] if s.drafts else None
    if known is None or known.kind != "answer":
        known = Draft(kind="answer", must=False, asked_in=s.game)
        s.drafts.append(known)
    known.says.append(asked)
    known.topics.append(topic)


def _answer(s: Script) -> None:
    """Answer the player's questions, each from the state in which it was asked."""
    for draft in s.drafts:
        game = draft.asked_in
        if game is None:
            continue
        topics = [*zip(draft.topics, draft.says, strict=False)]
        known = {one: told_of(one[1], one[0], game, s.book, s.rolled) for one in topics}
        answered = any(known.values())
        told = {part for one in s.drafts for part in one.passage.split("\n\n")}
        blocks = dict.fromkeys(
            part
            for topic, named in known.items()
            for whole in named or (() if answered else (unanswered(*topic, game, s.book),))
            for part in whole.split("\n\n")
            if part not in told
        )
        rows = {block: {*block.split("\n")} for block in blocks}
        whole = [one for one in blocks if not any(rows[one] < rows[other] for other in blocks)]
        draft.passage = "\n\n".join(whole)
        # What the reply has just told needs no second telling in an answer.
        facts = (one.split("\n\n") for one in facts_for(known, game, s.book, s.rolled))
        left = ("\n\n".join(part for part in one if part not in told) for one in facts)
        draft.facts = [one for one in left if one]


@add.register
def _(e: h.Refused, s: Script) -> None:
    said = refusal(e, s.game, s.book)
    if e.reason == "over" and e.about:
        _ask(s, "over", e.about)
        return
    if e.reason in OUT_OF_STORY:
        s.passage(said)
        return
    about = e.about if e.about in s.book.scenario.persons else ""
    why = reason(e, s.game, s.book)
    how = "granted so far" if e.reason in ("cheaper", "purse") else "in vain, and nothing changes"
    d = s.open("vain", HERO, about, says=f"{how}: {why}")
    d.passage = said
    d.items.append(Item(kind="text", text=why))
