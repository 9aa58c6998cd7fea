"""Turn a part of a message into acts at the table, by the kind of act and by what it names.

`IN_FIGHT` and `ON_THE_WAY` have a handler for each of the classifier's acts; other acts become
checks (`tried`) or gestures (`posed`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruleplay.agents.party.domain.choices import Choice
from ruleplay.agents.party.domain.exploration.acts import deeds, talks
from ruleplay.agents.party.domain.exploration.rules import EYES
from ruleplay.agents.party.domain.knowledge import tellable
from ruleplay.agents.party.domain.persuading import DEMANDS
from ruleplay.agents.party.domain.seats import TABLE
from ruleplay.agents.party.domain.staging import mover, people
from ruleplay.agents.party.domain.terms_text import TERMS
from ruleplay.agents.party.policy.answering import curious, taken_up, wares, wonders
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
"""Least probability of a blow without a named target."""
POSED = 0.7
"""Least probability that a deed is a mere gesture."""
IDLE = ("use", "drink", "equip", "pose")
"""Acts that have no effect unless they name something that the rules know."""
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
    """Choose one of several options by its target: the one named, else the nearest foe.

    If it could be for several friends the player is asked; a single dying one is preferred.
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
    """Turn words into speech, with their addressee, topic, approach and aim.

    Speech to companions has no aim, since players decide for themselves. Quoted speech is always
    plain.
    """
    part = ear.part
    to = ear.companion if ear.calls else ""
    called = mentioned(words_of(words), ear.scope.beings) if ear.quoted else None
    to = to or ear.named_foe or (called.id if called else "") or ear.spoken or ear.partner
    if not to and ear.mates > 1:
        return Meant(sure=sure, acts=(aloud(ear, words, ""),))  # a plan for all whom it names
    to = to or ear.lately or ear.person or ear.barred
    if not to and ear.quoted and not ear.fighting:  # a companion's answer would be beside it
        here = iter(people(ear.table, ear.book))
        sold = wares(words_of(words), ear.table, ear.book)
        to = next(here, "") if sold else taken_up(words, ear.table, ear.book)
    if to in ear.table.characters and ear.table.is_fallen(to):  # they cannot hear it
        return ear.meant(Act(do="ask", to="scene", text=part.text), sure=1.0)
    said = (*part.words, *words_of(words))
    if to and to == ear.barred and not ear.quoted and (label := ear.label(f"parley:{to}")):
        act = Act(do="say", to=to, text=words)  # ask whether to negotiate, which needs a roll
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
    """Whether speech clearly demands something of foes who bar the way."""
    want = ear.part.heard["want"][0]
    return want.label in DEMANDS and want.sure >= CLEAR


def accounts(part: Part) -> bool:
    """Whether words report what is said ("I tell her that …") rather than say it."""
    return any(one.label == "told" and one.sure >= ACCOUNT for one in part.heard["voice"])


def aloud(ear: Ear, words: str, to: str) -> Act:
    """Build the act of speaking: direct speech, or a gesture that describes reported speech."""
    voice = ear.part.heard["voice"][0].label
    told = accounts(ear.part) and (voice == "told" or to not in ear.table.characters)
    if told and to and not ear.quoted:
        return Act(do="flourish", to=to, text=words)
    return Act(do="say", to=to or EVERYBODY, text=words)


def by_mode(ear: Ear) -> Meant:
    """Interpret a deed by the handler of its act, in or outside a fight."""
    table = IN_FIGHT if ear.fighting else ON_THE_WAY
    act = ear.part.act
    if act in table:
        return table[act](ear)
    return tried(ear) if act in SKILLS else posed(ear)


def posed(ear: Ear) -> Meant:
    """Interpret a part as a gesture, as sure as it is that it has no effect.

    Outside fights manual acts with things that the rules do not know are gestures, too.
    """
    part = ear.part
    sure = next((one.sure for one in part.heard["free"] if one.label == "pose"), 0.0)
    idle = part.act in IDLE and part.sure >= CLEAR and not ear.fighting and not ear.barred
    told = Act(do="flourish", text=part.text)
    return Meant(sure=part.sure if idle else sure if sure >= POSED else 0.0, acts=(told,))


def tried(ear: Ear) -> Meant:
    """Build a check for an act that no author has foreseen, with a small effect."""
    act, me = ear.part.act, mover(ear.table, ear.seat)
    known = (ear.companion or ear.lately) if act == "insight" else ""
    to = known or (ear.named_foe if ear.fighting else ear.person)
    if act in ("perform", "help") and not to:
        return posed(ear)
    if act == "insight" and not (to or ear.fighting):  # into whom is asked, not guessed
        here, asks = people(ear.table, ear.book).values(), texts("asking")["insight"]
        whom = tuple(asks.of(ear.table.lang).format(one.of(ear.table.lang)) for one in here)
        return Meant(sure=ear.part.sure, choices=whom, which=len(whom) > 1, costly=True)
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
    if act == "insight" and to:  # a glance takes no time, and tells that it told nothing
        failure = (Effect(kind="detail", text=texts("signs")["hides"].of(ear.table.lang)),)
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
    """Return what insight reveals of a person: whether they keep something back."""
    if person in ear.table.characters:
        kept = bool(tellable(ear.table, ear.book, person))
    elif person in ear.book.story.persons:
        open_ = talks(ear.table.expedition, ear.book.story, person, TABLE).values()
        kept = any(f"talk:{key}" not in ear.table.expedition.flags for key in open_)
    else:
        return ""
    return texts("signs")["keeps" if kept else "tells"].of(ear.table.lang)


def rule(ear: Ear, item: str, **more: object) -> Act:
    """Build a rule act with the part's text."""
    return Act.model_validate({"do": "rule", "item": item, "text": ear.part.text, **more})


def _strike(ear: Ear) -> Meant:
    """Interpret an attack in a fight, with the weapon and at the target named or implied."""
    arms = [one.id.split(":")[1] for one in ear.options("attack")]
    weapon = ear.thing if ear.thing in arms else next(iter(arms), "")
    chosen = next((c for c in ear.options("attack") if c.id == f"attack:{weapon}:{ear.foe}"), None)
    # Without a named target the nearest foe is meant, but only if the message is short.
    most = 2 * BRIEF if ear.thing in arms else BRIEF if ear.part.sure >= STRIKES else 0
    short = len(ear.part.words) <= 2 * BRIEF  # a longer message may be a different deed
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
    """Interpret a readied blow; outside a fight it is a gesture of standing guard."""
    part = ear.part
    if not ear.fighting:
        return Meant(sure=part.sure, acts=(Act(do="flourish", text=part.text),))
    arms = [one.id.split(":")[1] for one in ear.options("attack")]
    held = {"with": ear.thing} if ear.thing in arms else {}
    blow = rule(ear, "attack", when="trigger", to=ear.named_foe, **held)
    return ear.meant(blow, costly=True, sure=MANY)


def _quarrel(ear: Ear) -> Meant:
    """Interpret an attack outside a fight: on waiting foes, on a person here, or on nobody."""
    if ear.companion:
        return ear.meant(Act(do="vain", vain="not_yours", text=ear.part.text), costly=True)
    if ear.barred and ear.who in ("", ear.barred):
        return begun(ear, "attack").model_copy(update={"named": bool(ear.who)})
    if not ear.who:
        return ear.meant(Act(do="vain", vain="not_here", text=ear.part.text), costly=True)
    return ear.meant(rule(ear, "attack", to=ear.who), costly=True)


def begun(ear: Ear, item: str, *, sure: float = 0.0) -> Meant:
    """Begin a fight with waiting foes by a blow or spell.

    Initiative decides who moves first, so the blow is kept for the attacker's turn.
    """
    blow = rule(ear, item, to=ear.barred, **{"with": ear.thing})
    found = ear.pick(f"provoke:{ear.barred}", sure=sure)
    lang, what = ear.table.lang, ear.book.effect(ear.thing)
    said = TERMS["choices"][item].of(lang).format(b=ear.name_of(ear.barred), w=what.of(lang))
    choices = (said,) if ear.thing else found.choices
    return found.model_copy(update={"acts": (blow,), "choices": choices})


def _use(ear: Ear) -> Meant:
    """Interpret the use of a remedy, named or the only one; anything else is a gesture."""
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
    """Interpret healing: by the verb used, else by magic, a remedy or first aid, in this order.

    If it is unclear whom it is for the player is asked.
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
    """List the offers of a kind whose verb occurs in the part."""
    verbs = ((one, words_of(said)[0]) for one in ear.options(kind) for said in one.label.both)
    found = (one for one, verb in verbs if any(akin(word, verb) for word in ear.part.words))
    return [*dict.fromkeys(found)]


def _stance(option: str) -> Callable[[Ear], Meant]:
    def does(ear: Ear) -> Meant:
        offered = ear.label(option)
        found = ear.pick(option) if offered else ear.meant(rule(ear, option), costly=True)
        # "Flee!" may be a shout to others, so fleeing needs the first person or near certainty.
        own = option != "flee" or ear.part.words[0] in SUBJECTS or ear.part.sure >= PLAINLY
        return found.model_copy(update={"named": own})

    return does


def _close_in(ear: Ear) -> Meant:
    """Interpret movement in a fight: towards a foe or a companion."""
    option = f"approach:{ear.named_foe}"
    if ear.label(option):
        return ear.pick(option)
    to = ear.named_foe or ear.companion
    return ear.meant(Act(do="move", to=to, text=ear.part.text), costly=True) if to else posed(ear)


def _wrestle(ear: Ear) -> Meant:
    """Interpret a manoeuvre: a rule act if it is named (grapple, shove), else a check."""
    for act, name in texts("manoeuvres").items():
        if any(find(ear.part.words, words_of(said)) is not None for said in name.both):
            return ear.meant(rule(ear, act, to=ear.foe), costly=True)
    return tried(ear)


def _help(ear: Ear) -> Meant:
    if ear.companion:
        return ear.meant(rule(ear, "help", to=ear.companion), costly=True)
    return posed(ear)


def _go(ear: Ear) -> Meant:
    """Interpret travel: to the place named, or the only way; ask if there are several."""
    if ear.part.place:
        sure = TONED if ear.part.sure >= HEARD else 0.0
        return ear.pick(f"go:{ear.part.place.id}", sure=sure)
    if ear.companion or ear.partner:  # in a conversation "we go tonight" is speech
        return say(ear, ear.part.text, sure=ear.part.sure)
    if ear.who:
        return ear.meant(Act(do="flourish", to=ear.who, text=ear.part.text))
    ways = ear.options("go")
    if len(ear.part.words) > SHORT:  # a long part without a place is no order to leave
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
    """Interpret searching: the prepared option if there is something to find, else a check."""
    known = deeds(ear.table.expedition, ear.book.story, ear.seat).values()
    eyes = any(one.search or (one.test and {*EYES} & {*one.test.skills}) for one in known)
    told = described(ear.part.text, ear.table, ear.book, TABLE)
    known_here = eyes or told or len(ear.part.words) <= SHORT // 2
    return ear.pick("search", costly=bool(ear.barred)) if known_here else tried(ear)


def _rest(ear: Ear) -> Meant:
    """Interpret a rest, short or long by name; ask which one if it is safe to sleep here."""
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
    """Interpret a gift of a carried thing; "I will, if …" is an offer, so speech."""
    part = ear.part
    to = ear.companion or ear.person
    if to and conditional(part.words):
        return ear.meant(Act(do="say", to=to, approach="bargain", text=part.text))
    coin = part.subject in ("purse", "price") or any(map(str.isdigit, part.text))
    if not ear.thing and not coin:
        return posed(ear)  # nothing that is carried changes hands
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
