"""Beats and lines of fights: blows, wounds, what becomes of fighters, demands; and of checks."""

from __future__ import annotations

from collections.abc import Iterator

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain.dice import Roll, chance
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.policy import phrases
from ruleplay.agents.saga.policy.script import Draft, Script, add
from ruleplay.story.beats import Item, Kind, arrow
from ruleplay.story.beats import who as named


def stated(text: str, spoken: str = "") -> Item:
    """Return a state as an item of a line."""
    return Item(kind="state", text=text, spoken=spoken)


def state_of(d: Draft, name: str, text: str) -> None:
    """Add somebody's state, after their name unless they were the last to be named."""
    last = next((item for item in reversed(d.items) if item.kind == "who"), None)
    if last != named(name):
        after = d.items and d.items[-1].kind in ("roll", "text", "harm")
        d.items += [Item(kind="text", text="·"), named(name)] if after else [named(name)]
    d.items.append(stated(text))


def dice_of(*rolls: Roll) -> str:
    """Print rolls with their formulas."""
    return " · ".join(f"{roll.formula} = {roll.total}" for roll in rolls)


@add.register
def _(e: h.Attacked, s: Script) -> None:
    a, b = s.name(e.attacker), s.name(e.target)
    kind: Kind = "hit" if e.hit else "miss"
    verb = "hits" if e.hit else "misses"
    d = s.open(kind, e.attacker, e.target, says=f"{a} {verb} {b} with {s.thing(e.weapon)}")
    d.items += [named(a), arrow(), named(b)]
    dice = dice_of(e.attack, e.defence)
    if not e.hit:
        d.items.append(Item(kind="text", text=s.say(phrases.TEXTS["misses"]), dice=dice))
    elif not e.damage:
        d.says.append("the armour holds")
        d.items.append(Item(kind="text", text=s.say(phrases.TEXTS["held"]), dice=dice))
    else:
        spoken = s.say(phrases.TEXTS["loses"]).format(n=e.damage)
        d.items.append(Item(kind="harm", text=f"−{e.damage}", spoken=spoken, dice=dice))
    if e.critical or e.fumble:
        d.says.append("a masterly blow" if e.critical else "a clumsy slip")
        d.items.append(
            stated(s.say(phrases.TEXTS["critical"] if e.critical else phrases.TEXTS["fumble"]))
        )


@add.register
def _(e: h.HitPointsChanged, s: Script) -> None:
    d = s.current(e.who)
    if e.amount > 0:
        d.became(e.who, "healed")
        night = f" by a night's sleep, {_extent(e.hp, s)}" if e.cause == "rest" else ""
        d.says.append(f"{s.name(e.who)} recovers{night}")
        spoken = s.say(phrases.TEXTS["gains"]).format(n=e.amount)
        d.items.append(Item(kind="heal", text=f"+{e.amount}", spoken=spoken))
    elif e.amount < 0:
        d.became(e.who, "hurt")
        if e.cause != "blow":
            d.says.append(f"{s.name(e.who)} is hurt ({e.cause})")
            cause = s.say(phrases.CAUSES[e.cause]) if e.cause in phrases.CAUSES else ""
            if cause:
                d.items.append(Item(kind="text", text=cause))
            d.items.append(Item(kind="harm", text=f"−{-e.amount}"))
    if e.hp and e.cause not in ("rest", "return"):
        left = s.say(phrases.TEXTS["left"]).format(n=e.hp)
        d.items.append(Item(kind="text", text=f"({left})", spoken=left))


def _extent(hp: int, s: Script) -> str:
    return "and is whole again" if hp == s.game.sheet.max_hp else "but is still hurt"


@add.register
def _(e: h.Died, s: Script) -> None:
    d = s.current(e.who)
    d.became(e.who, "dead")
    falls = e.who == HERO  # there is still a choice
    d.says.append(f"{s.name(e.who)} {'falls, and all grows dark' if falls else 'dies'}")
    d.items.append(stated(s.say(phrases.TEXTS["fallen"] if falls else phrases.TEXTS["slain"])))


@add.register
def _(e: h.Fell, s: Script) -> None:
    d = s.current(e.who)
    d.became(e.who, "state")
    d.says.append(f"{s.name(e.who)} goes down and lies still, alive, and can be saved")
    d.items.append(stated(s.say(phrases.TEXTS["down"])))


@add.register
def _(e: h.Fled, s: Script) -> None:
    last = s.drafts[-1] if s.drafts else None
    # Fleeing is a beat of its own, unless a check (a threat, say) has caused it.
    d = s.current(e.who) if last and last.kind == "check" else s.open("flight", e.who, says="")
    d.became(e.who, "fled")
    d.says.append(f"{s.name(e.who)} flees")
    state_of(d, s.name(e.who), s.say(phrases.TEXTS["flees"]))


@add.register
def _(e: h.Yielded, s: Script) -> None:
    d = s.current(e.who)
    d.became(e.who, "yielded")
    d.says.append(f"{s.name(e.who)} gives up, alive")
    state_of(d, s.name(e.who), s.say(phrases.TEXTS["yields"]))


@add.register
def _(e: h.StatusGained, s: Script) -> None:
    known = s.before and s.before.fight and s.before.fight.get(e.who)
    if e.status.kind not in phrases.STATUS or (known and known.has(e.status.kind)):
        return
    d = s.current(e.who)
    d.became(e.who, "state")
    d.says.append(f"{s.name(e.who)}: {e.status.kind}")
    state_of(d, s.name(e.who), s.say(phrases.STATUS[e.status.kind]))


@add.register
def _(e: h.StatusAged, s: Script) -> None:
    if e.rounds == 0 and e.why in ("time", "cured") and e.who == HERO and e.kind in phrases.OVER:
        text = s.say(phrases.OVER[e.kind])
        s.line("state", Item(kind="text", text=text), says=f"{e.kind} is over", who=e.who)


@add.register
def _(e: h.ActionTaken, s: Script) -> None:
    if e.action in phrases.STANCES and (e.cost != "reaction" or e.action == "cover"):
        d = s.open("other", e.who, says=f"{s.name(e.who)}: {e.action}", must=False)
        d.items += [named(s.name(e.who)), Item(kind="text", text=s.say(phrases.STANCES[e.action]))]


@add.register
def _(e: h.Moved, s: Script) -> None:
    text = phrases.TEXTS["far"] if e.far else phrases.TEXTS["near"]
    says = f"{s.name(e.who)} is now {'out of reach' if e.far else 'within reach'}"
    d = s.open("move", e.who, says=says, must=False)
    d.items += [named(s.name(e.who)), Item(kind="text", text=s.say(text))]


@add.register
def _(e: h.TurnSkipped, s: Script) -> None:
    d = s.open("other", e.who, says=f"{s.name(e.who)} cannot act or waits", must=False)
    d.items += [named(s.name(e.who)), Item(kind="text", text=s.say(phrases.SKIPPED[e.why]))]


@add.register
def _(e: h.CombatTriggered, s: Script) -> None:
    d = s.open("other", "", says="it comes to a fight", must=False)
    d.items.append(Item(kind="text", text=s.say(phrases.TEXTS["initiative"])))
    rolls = {one.id: roll for one, roll in zip(e.fight.combatants, e.rolls, strict=True)}
    for at, (who, total) in enumerate(zip(e.fight.order, e.fight.initiative, strict=True)):
        comma = "," if at + 1 < len(e.fight.order) else ""
        d.items.append(named(s.name(who)))
        d.items.append(Item(kind="roll", text=f"{total}{comma}", dice=dice_of(rolls[who])))


@add.register
def _(e: h.CombatEnded, s: Script) -> None:
    if e.outcome == "player_die":
        s.passage(s.say(phrases.ENDED[e.outcome]))
        return
    text = s.say(phrases.ENDED[e.outcome]).format(a=s.game.sheet.name)
    s.line("ending", Item(kind="text", text=text), says=f"the fight is over: {text}")


def check(s: Script, e: h.SkillChecked | h.Attempted | h.Demanded, roll: Roll) -> Draft:
    """Open the beat of a check, whose line says what it counted beside the skill."""
    skill, success, against = e.skill, e.success, ""
    if isinstance(e, h.Attempted):
        against = e.against if e.against != HERO else ""
    elif isinstance(e, h.Demanded):
        against = e.who
    known = s.book.rules.skills.get(skill)
    name = known.name.of(s.lang) if known else skill
    came = "succeeds" if success else "fails"
    d = s.open("check", HERO, against, says=f"{s.name(HERO)} {came} at {skill}")
    d.items.append(named(s.name(HERO)))
    if against:
        d.items += [arrow(), named(s.name(against))]
    d.items.append(Item(kind="skill", text=f"· {name}", spoken=name))
    spoken = s.say(phrases.CHECKED[success]).format(n=roll.total, m=e.difficulty)
    mark = "✓" if success else "✗"
    reached = "≥" if roll.total >= e.difficulty else "<"
    text = f"{roll.total} {reached} {e.difficulty} {mark}"
    dice = f"{dice_of(roll)} · {chance(roll.modifier + roll.edge, e.difficulty)}%"
    d.items.append(Item(kind="roll", text=text, spoken=spoken, dice=dice))
    if counted := [*_counted(s, e.counted, roll)]:
        d.items.append(Item(kind="text", text=f"({', '.join(counted)})"))
        d.says.append(f"it counted: {', '.join(counted)}")
    return d


def _counted(s: Script, counted: h.Counting, roll: Roll) -> Iterator[str]:
    """Name what a roll counted: an advantage and what it comes of, an offer, what was known."""
    if roll.edge:
        yield s.say(phrases.TEXTS["edge.up" if roll.edge > 0 else "edge.down"])
    for one in counted:
        kind, _, key = one.partition(":")
        if kind == "secret":
            known = s.book.scenario.secrets[key].text.of(s.lang).rstrip(".")
            yield s.say(phrases.TEXTS["counted.secret"]).format(known)
        elif kind == "item":
            yield s.book.rules.items[key].name.of(s.lang)
        else:
            yield s.say(phrases.TEXTS[f"counted.{kind}"])


ASKED_FOR = {"yield": "to give up", "leave": "to go", "truce": "to end the fight in peace"}


@add.register
def _(e: h.Demanded, s: Script) -> None:
    what = ASKED_FOR[e.want]
    if e.roll is None:
        why = "has answered that, and nothing has changed" if e.again else f"sees no reason {what}"
        why = "takes the toll and ends the fight" if e.success else f"{why}, and stays"
        d = s.open("check", HERO, e.who, says=f"{s.name(e.who)} {why}")
        key = "tolled" if e.success else "answered" if e.again else f"unmoved.{e.want}"
        d.items += [named(s.name(e.who)), Item(kind="text", text=s.say(phrases.TEXTS[key]))]
    else:
        d = check(s, e, e.roll)
        agrees = "agrees" if e.success else "does not agree, and nothing is paid"
        d.says.append(f"{s.name(e.who)} is asked {what}, and {agrees}")
    d.became(HERO, "checked")
    if e.want == "truce" and e.success and s.game.fight:
        # They make peace together, so prose may show it by any of them.
        d.about += [one.id for one in s.game.fight.side("foes") if one.id not in d.about]


@add.register
def _(e: h.Surrendered, s: Script) -> None:
    d = s.open("yield", HERO, *(who for who, _ in e.answers), says=f"{s.name(HERO)} gives up")
    d.became(HERO, "yielded")
    d.items += [named(s.name(HERO)), stated(s.say(phrases.TEXTS["gives_up"]))]
    for who, mercy in e.answers:
        d.says.append(f"{s.name(who)}: {mercy.replace('_', ' ')}")
        d.items += [Item(kind="text", text="·"), named(s.name(who))]
        d.items.append(stated(s.say(phrases.MERCY[mercy])))
