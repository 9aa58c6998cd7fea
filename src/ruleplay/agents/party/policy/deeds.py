"""From what a part of a message does to acts at the table: by its kind, and by what it names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleplay.agents.party.domain.choices import Choice
from ruleplay.agents.party.domain.exploration.acts import deeds, talks
from ruleplay.agents.party.domain.exploration.rules import EYES
from ruleplay.agents.party.domain.persuading import DEMANDS
from ruleplay.agents.party.domain.seats import TABLE
from ruleplay.agents.party.domain.staging import mover
from ruleplay.agents.party.domain.terms_text import TERMS
from ruleplay.agents.party.policy.answering import curious, wonders
from ruleplay.agents.party.policy.ears import (
    ACCOUNT,
    CLEAR,
    HARDLY,
    HEARD,
    LONG_TALK,
    PLAINLY,
    SHORT,
    SKILLS,
    TONED,
    Ear,
    Meant,
)
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.agents.party.policy.replies import described
from ruleplay.story.acts import EVERYBODY, Act, Approach, Effect
from ruleplay.story.hearing import BRIEF, MANY, SUBJECTS, SURE, Part
from ruleplay.story.mentions import conditional, mentioned, topic_in
from ruleplay.story.texts import words_of
from ruleplay.story.wording import akin, find

STRIKES = 0.7
"""How sure a blow has to be that is at nobody named."""
POSED = 0.7
"""How sure it has to be that nothing is to come of a deed."""
IDLE = ("use", "drink", "equip", "pose")
"""Acts that do nothing where nothing that the rules know is named."""
TONES: dict[str, Approach] = {
    "friendly": "charm",
    "joking": "charm",
    "begging": "charm",
    "comforting": "comfort",
    "bargaining": "bargain",
    "pressing": "press",
    "mocking": "provoke",
    "threatening": "threaten",
    "lying": "deceive",
}


def at(ear: Ear, offered: Sequence[Choice], *, sure: float = 0.0) -> Meant | None:
    """Return the option of several that is for whom was named; the nearest foe, unless a friend is.

    The same thing done to one friend or another is asked about.
    """
    if not offered:
        return None
    by_target = {one.id.rpartition(":")[2]: one for one in offered}
    if ear.who in by_target:
        return ear.option(by_target[ear.who], sure=sure)
    if ear.foe in by_target and not ear.companion:
        return ear.option(by_target[ear.foe], sure=sure)
    me = mover(ear.table, ear.seat)
    if [*by_target] == [me]:
        return ear.option(by_target[me], sure=sure)
    down = [by_target[one.id] for one in ear.table.party if one.dying and one.id in by_target]
    return ear.one_of(down if len(down) == 1 else list(by_target.values()), sure=sure)


def say(ear: Ear, words: str, *, sure: float) -> Meant:
    """Return words that are said, and what they want of whoever hears them.

    Words to companions are words; what is quoted never attacks.
    """
    part = ear.part
    to = ear.companion if ear.calls else ""
    called = mentioned(words_of(words), ear.scope.beings) if ear.quoted else None
    to = to or ear.named_foe or (called.id if called else "") or ear.spoken or ear.partner
    to = to or ear.lately or ear.person or ear.barred
    said = (*part.words, *words_of(words))
    if to and to == ear.barred and not ear.quoted and (label := ear.label(f"parley:{to}")):
        act = Act(do="say", to=to, text=words)  # whether to deal with them is asked
        return Meant(sure=sure, acts=(act,), costly=True, named=False, choices=label)
    if to in ear.table.characters or not to:
        return Meant(sure=sure, acts=(aloud(ear, words, to),))
    asks = wonders(words, ear.scope) if ear.quoted else curious(part)
    topic = topic_in(said, ear.scope, to) if asks and len(said) <= LONG_TALK else ""
    tone, want = part.heard["tone"][0], part.heard["want"][0]
    approach = TONES.get(tone.label, "plain") if tone.sure >= PLAINLY else "plain"
    approach = "plain" if ear.quoted else approach
    wanted = want.label if want.sure >= TONED and want.label != "none" else ""
    demands = ear.barred and _demands(ear)
    body = {"do": "say", "to": to, "text": words, "approach": approach, "topic": topic}
    act = Act.model_validate({**body, "want": wanted if demands or approach != "plain" else ""})
    if not (act.want or act.topic):
        act = aloud(ear, words, to)
    costly = bool(act.want) and not ear.quoted
    return Meant(sure=sure, acts=(act,), costly=costly)


def _demands(ear: Ear) -> bool:
    """Tell whether words want of those who wait what only talking to them can bring."""
    want = ear.part.heard["want"][0]
    return want.label in DEMANDS and want.sure >= CLEAR


def accounts(part: Part) -> bool:
    """Tell whether words are an account of what is said, rather than said as they stand."""
    return any(one.label == "told" and one.sure >= ACCOUNT for one in part.heard["voice"])


def aloud(ear: Ear, words: str, to: str) -> Act:
    """Return words as they were put: said as they stand, or an account of what is said."""
    voice = ear.part.heard["voice"][0].label
    told = accounts(ear.part) and (voice == "told" or to not in ear.table.characters)
    if told and to and not ear.quoted:
        return Act(do="flourish", to=to, text=words)
    return Act(do="say", to=to or EVERYBODY, text=words)


def by_mode(ear: Ear) -> Meant:
    """Return a deed, by what its kind is in a fight or on the way."""
    table = IN_FIGHT if ear.fighting else ON_THE_WAY
    act = ear.part.act
    if act in table:
        return table[act](ear)
    return tried(ear) if act in SKILLS else posed(ear)


def posed(ear: Ear) -> Meant:
    """Return something that is only told: as sure as it is that nothing is to come of it.

    On the way what hands do with things that the rules know nothing of changes nothing.
    """
    part = ear.part
    sure = next((one.sure for one in part.heard["free"] if one.label == "pose"), 0.0)
    idle = part.act in IDLE and part.sure >= CLEAR and not ear.fighting and not ear.barred
    told = Act(do="flourish", text=part.text)
    return Meant(sure=part.sure if idle else sure if sure >= POSED else 0.0, acts=(told,))


def tried(ear: Ear) -> Meant:
    """Return a check of what nobody wrote: its skill by the kind of act, its effect a small one."""
    act, me = ear.part.act, mover(ear.table, ear.seat)
    known = ear.lately if act == "insight" and ear.lately not in ear.table.characters else ""
    to = ear.named_foe if ear.fighting else ear.person or known
    if act in ("perform", "help") and not to:
        return posed(ear)
    effects: dict[str, Effect] = {
        "manoeuvre": Effect(kind="condition", who=ear.foe, what="distracted", amount=1),
        "perform": Effect(kind="attitude", who=to, amount=1),
        "steal": Effect(kind="keepsake", who=me, text=ear.part.text[:40]),
        "insight": Effect(kind="detail", text=_sign(ear, to)),
    }
    success = effects.get(act, Effect(kind="edge", who=me, what="up"))
    if ear.fighting and success.kind == "edge" and ear.part.chance("attack") >= HARDLY:
        success = Effect(kind="harm", who=ear.foe)
    sneaky = act == "steal" and to
    failure = (Effect(kind="attitude", who=to, amount=-1),) if sneaky else ()
    trial = Act(
        do="check",
        skill=ear.part.skill.id if ear.part.skill else SKILLS[act],
        to=to,
        success=(success,) if success.who or success.text else (),
        failure=failure,
        text=ear.part.text,
    )
    return ear.meant(trial, costly=True)


def _sign(ear: Ear, person: str) -> str:
    """Return what is to be seen of somebody: whether they have told all that they may tell."""
    if person not in ear.book.story.persons:
        return ""
    open_ = talks(ear.table.expedition, ear.book.story, person, TABLE).values()
    kept = any(f"talk:{key}" not in ear.table.expedition.flags for key in open_)
    return texts("signs")["keeps" if kept else "tells"].of(ear.table.lang)


def rule(ear: Ear, item: str, **more: object) -> Act:
    """Return a rule act in the words of the part."""
    return Act.model_validate({"do": "rule", "item": item, "text": ear.part.text, **more})


def _strike(ear: Ear) -> Meant:
    """Return an attack in a fight: with what was named, at whom was named, else at the nearest."""
    arms = [one.id.split(":")[1] for one in ear.options("attack")]
    weapon = ear.thing if ear.thing in arms else next(iter(arms), "")
    chosen = next((c for c in ear.options("attack") if c.id == f"attack:{weapon}:{ear.foe}"), None)
    # Without anybody named the nearest is meant only where that is all there is to say.
    most = 2 * BRIEF if ear.thing in arms else BRIEF if ear.part.sure >= STRIKES else 0
    short = len(ear.part.words) <= 2 * BRIEF  # many words may be another deed
    plain = ((short or ear.thing in arms) and bool(ear.named_foe)) or (
        not ear.companion and len(ear.part.words) <= most
    )
    if chosen:
        exact = MANY if short and ear.named_foe and ear.part.sure >= SURE else 0.0
        exact = exact if ear.thing in arms else 0.0
        return ear.option(chosen, sure=exact).model_copy(update={"named": plain})
    blow = rule(ear, "attack", to=ear.foe, **{"with": ear.thing if ear.thing in arms else ""})
    return ear.meant(blow, costly=True, named=plain and bool(ear.foe))


def readied(ear: Ear) -> Meant | None:
    """Return a blow that is held ready for its moment; where nobody fights, standing guard."""
    part = ear.part
    if not ear.fighting:
        return Meant(sure=part.sure, acts=(Act(do="flourish", text=part.text),))
    arms = [one.id.split(":")[1] for one in ear.options("attack")]
    held = {"with": ear.thing} if ear.thing in arms else {}
    blow = rule(ear, "attack", when="trigger", to=ear.named_foe, **held)
    return ear.meant(blow, costly=True, sure=MANY)


def _quarrel(ear: Ear) -> Meant:
    """Return an attack outside a fight: on those who wait, on somebody here, or on nobody."""
    if ear.companion:
        return ear.meant(Act(do="vain", vain="not_yours", text=ear.part.text), costly=True)
    if ear.barred and ear.who in ("", ear.barred):
        return begun(ear, "attack").model_copy(update={"named": bool(ear.who)})
    if not ear.who:
        return ear.meant(Act(do="vain", vain="not_here", text=ear.part.text), costly=True)
    return ear.meant(rule(ear, "attack", to=ear.who), costly=True)


def begun(ear: Ear, item: str, *, sure: float = 0.0) -> Meant:
    """Return that a fight is begun with those who wait, and the blow or spell that begins it.

    Whoever is quicker moves first: the blow is kept for the turn.
    """
    blow = rule(ear, item, to=ear.barred, **{"with": ear.thing})
    found = ear.pick(f"provoke:{ear.barred}", sure=sure)
    lang, what = ear.table.lang, ear.book.effect(ear.thing)
    said = TERMS["choices"][item].of(lang).format(b=ear.name_of(ear.barred), w=what.of(lang))
    choices = (said,) if ear.thing else found.choices
    return found.model_copy(update={"acts": (blow,), "choices": choices})


def _use(ear: Ear) -> Meant:
    """Return a remedy that is used up: what was named, or the only one; all else is a gesture."""
    offered = ear.options("use")
    named = [one for one in offered if one.id.split(":")[1] == ear.thing]
    if named:
        return at(ear, named) or posed(ear)
    if ear.part.act != "drink" or ear.thing or not offered:
        return _equip(ear) if ear.part.act == "use" else posed(ear)
    kinds = {one.id.split(":")[1]: one for one in reversed(offered)}
    return ear.one_of([*kinds.values()])


def _equip(ear: Ear) -> Meant:
    if not ear.thing or ear.thing not in ear.book.rules.items:
        return posed(ear)
    costly = ear.fighting and len(ear.part.words) > SHORT
    return ear.meant(rule(ear, "equip", **{"with": ear.thing}), costly=costly)


def _heal(ear: Ear) -> Meant:
    """Return what helps somebody who is hurt: magic first, then a remedy, then a dressing.

    Where it is open who is meant, that is asked.
    """
    spells = ear.book.rules.spells
    cast = [one for one in ear.options("cast") if spells[one.id.split(":")[1]].heal]
    hurt = [one.id for one in ear.table.party if one.dying]
    to = ear.companion or (hurt[0] if len(hurt) == 1 else "")
    ways = ([one for one in known if not to or one.id.rpartition(":")[2] == to]
            for known in (_calls_by_verb(ear, "stabilise"), cast, ear.options("use"),
                          ear.options("stabilise")))  # fmt: skip
    first = next(filter(None, ways), [])
    sure = MANY if to and first and first[0] in _calls_by_verb(ear, "stabilise") else 0.0
    return ear.one_of(first[:1] if to else first, sure=sure) if first else posed(ear)


def _calls_by_verb(ear: Ear, kind: str) -> list[Choice]:
    """Return the offers of a kind whose verb is among the words."""
    verbs = ((one, words_of(said)[0]) for one in ear.options(kind) for said in one.label.both)
    found = (one for one, verb in verbs if any(akin(word, verb) for word in ear.part.words))
    return [*dict.fromkeys(found)]


def _stance(option: str) -> Callable[[Ear], Meant]:
    def does(ear: Ear) -> Meant:
        offered = ear.label(option)
        found = ear.pick(option) if offered else ear.meant(rule(ear, option), costly=True)
        # To run for one's life has to be plain; one's own words begin so.
        own = option != "flee" or ear.part.words[0] in SUBJECTS or ear.part.sure >= PLAINLY
        return found.model_copy(update={"named": own})

    return does


def _close_in(ear: Ear) -> Meant:
    """Return a way in a fight: towards somebody, or out of it where a place is named."""
    option = f"approach:{ear.named_foe}"
    if ear.label(option):
        return ear.pick(option)
    to = ear.named_foe or ear.companion
    return ear.meant(Act(do="move", to=to, text=ear.part.text), costly=True) if to else posed(ear)


def _wrestle(ear: Ear) -> Meant:
    """Return what the rules know of it, where it is called by its name; else a check."""
    for act, name in texts("manoeuvres").items():
        if any(find(ear.part.words, words_of(said)) is not None for said in name.both):
            return ear.meant(rule(ear, act, to=ear.foe), costly=True)
    return tried(ear)


def _help(ear: Ear) -> Meant:
    if ear.companion:
        return ear.meant(rule(ear, "help", to=ear.companion), costly=True)
    return posed(ear)


def _go(ear: Ear) -> Meant:
    """Return the way that is named, or the only one; several are asked about."""
    if ear.part.place:
        sure = TONED if ear.part.sure >= HEARD else 0.0
        return ear.pick(f"go:{ear.part.place.id}", sure=sure)
    if ear.companion or ear.partner:  # "we go tonight" is part of what is said
        return say(ear, ear.part.text, sure=ear.part.sure)
    if ear.who:
        return ear.meant(Act(do="flourish", to=ear.who, text=ear.part.text))
    ways = ear.options("go")
    if len(ear.part.words) > SHORT:  # many words that name no place lead nowhere
        return posed(ear)
    return ear.one_of(ways) if ways else posed(ear)


def _flee(ear: Ear) -> Meant:
    if ear.part.place:
        return _go(ear)
    ways = ear.options("go")
    if not ear.barred and len(ear.part.words) > SHORT:
        return posed(ear)
    return ear.one_of(ways) if ways else posed(ear)


def _sneak(ear: Ear) -> Meant:
    option = f"sneak:{ear.barred}"
    return ear.pick(option) if ear.label(option) else tried(ear)


def _search(ear: Ear) -> Meant:
    """Return a closer look: at what was prepared or told of it, else a roll of eyes and ears."""
    known = deeds(ear.table.expedition, ear.book.story, ear.seat).values()
    eyes = any(one.search or (one.test and {*EYES} & {*one.test.skills}) for one in known)
    told = described(ear.part.text, ear.table, ear.book, TABLE)
    known_here = eyes or told or len(ear.part.words) <= SHORT // 2
    return ear.pick("search", costly=bool(ear.barred)) if known_here else tried(ear)


def _rest(ear: Ear) -> Meant:
    """Return a rest: the one that is called by its name; a night where one can sleep is asked."""
    for option in ("short_rest", "long_rest"):
        names = texts("rests")[option]
        if any(find(ear.part.words, words_of(name)) is not None for name in names.both):
            return ear.pick(option, sure=CLEAR if len(ear.part.words) > 2 * SHORT else PLAINLY)
    scene = ear.book.story.scenes.get(ear.table.expedition.scene)
    if scene and scene.safe:
        labels = tuple(name.of(ear.table.lang) for name in texts("rests").values())
        return Meant(sure=ear.part.sure, choices=labels, which=True, costly=True)
    found = ear.pick("short_rest")
    return found.model_copy(update={"named": len(ear.part.words) <= SHORT})


def _invite(ear: Ear) -> Meant:
    to = ear.person
    if ear.companion:
        return say(ear, ear.part.text, sure=ear.part.sure)
    return ear.meant(Act(do="follow", to=to, text=ear.part.text), costly=True) if to else posed(ear)


def _give(ear: Ear) -> Meant:
    """Return a gift of something carried; "I will, if" is only said."""
    part = ear.part
    to = ear.companion or ear.person
    if to and conditional(part.words):
        return ear.meant(Act(do="say", to=to, approach="bargain", text=part.text))
    coin = part.subject in ("purse", "price") or any(map(str.isdigit, part.text))
    if not ear.thing and not coin:
        return posed(ear)  # nothing that one carries changes hands
    if not to or not ear.thing:
        return Meant(sure=part.sure, costly=True, named=False)
    return ear.meant(Act(do="give", to=to, item=ear.thing, text=part.text), costly=True)


def _take(ear: Ear) -> Meant:
    words = ear.part.words[2 if ear.part.words[:1] and len(ear.part.words[0]) < 3 else 1 :]
    item = " ".join(words)[:40] or "?"
    return ear.meant(Act(do="take", item=item, text=item), costly=ear.fighting)


def _wait(ear: Ear) -> Meant:
    return ear.meant(Act(do="wait", text=ear.part.text), costly=True)


IN_FIGHT: dict[str, Callable[[Ear], Meant]] = {
    "attack": _strike,
    "drink": _use,
    "use": _use,
    "equip": _equip,
    "heal": _heal,
    "help": _help,
    "defend": _stance("dodge"),
    "sneak": _stance("hide"),
    "flee": _stance("flee"),
    "wait": _wait,
    "yield": lambda ear: ear.meant(Act(do="yield", text=ear.part.text), costly=True),
    "go": _close_in,
    "manoeuvre": _wrestle,
    "give": _give,
    "take": _take,
}
ON_THE_WAY: dict[str, Callable[[Ear], Meant]] = {
    "attack": _quarrel,
    "search": _search,
    "go": _go,
    "flee": _flee,
    "sneak": _sneak,
    "drink": _use,
    "use": _use,
    "equip": _equip,
    "heal": _heal,
    "rest": _rest,
    "wait": _wait,
    "follow": _invite,
    "give": _give,
    "take": _take,
}
