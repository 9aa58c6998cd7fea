"""How blows are told: who struck whom, with what, for how much, in one breath."""

from __future__ import annotations

from ruleplay.agents.party.domain import happenings as h
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.texts import Text
from ruleplay.agents.party.policy import fight_phrases as phrases
from ruleplay.agents.party.policy.telling import Slot, Telling, claim, tell_one

BARE = {phrases.CRITICAL: (phrases.CRITICAL_FOR,), **dict.fromkeys(phrases.HIT, phrases.HIT_FOR)}
"""What a blow reads as before its damage is known, and with it."""
COUNTED = (phrases.CRITICAL_FOR, *phrases.HIT_FOR)


@tell_one.register
def _(e: h.AttackRolled, t: Telling, before: Table) -> None:
    a, b = t.name(e.attacker), t.name(e.target)
    if t.follows(phrases.CLOSES, e.attacker):
        t.take_back()  # who strikes has come near
    if not e.hit:
        claims = [claim("miss", a, "", b), claim("dodges", b, "", a)]
        t.say(t.pick(phrases.MISS), *claims, a=(e.attacker,), b=(e.target,))
        return
    thing = t.thing(e.what, e.attacker) if e.what else phrases.FIST.of(t.lang)
    claims = [claim("hit", a, "", b), claim("weapon", a, thing, b)]
    if e.critical:
        claims.insert(0, claim("critical", a))
    text = phrases.CRITICAL if e.critical else t.pick(phrases.HIT)
    t.say(text, *claims, a=(e.attacker,), b=(e.target,), w=means(t, e.what, e.attacker))


def means(t: Telling, what: str, who: str) -> str:
    """Return with what a blow is struck, as the end of a sentence; nothing for a spell."""
    if not what:
        return t.filled(phrases.WITH["weapon"], w=phrases.FIST.of(t.lang))
    if what in t.book.rules.spells:
        return phrases.WITH["spell"].of(t.lang)
    thing = t.a_thing(what, who)
    if what in t.book.rules.items:
        return t.filled(phrases.WITH["weapon"], w=thing)
    many = thing.startswith("des ")
    return t.filled(phrases.WITH["many" if many else "natural"], w=thing.removeprefix("des "))


def tell_harm(e: h.HitPointsChanged, t: Telling) -> None:
    """Tell damage in one breath with the blow that dealt it, where one did."""
    b = t.name(e.who)
    if not e.amount:
        t.say(phrases.UNHARMED, join="b", b=(e.who,))
        return
    if t.follows(phrases.HP, e.who):
        t.take_back()  # a second kind of damage of the same blow
    a = t.name(e.by) if e.by and e.by != e.who and t.table.cast.get(e.by) else ""
    if a and _with_its_blow(e, t, a, b):
        pass
    elif a:
        claims = (claim("harm", a, -e.amount, b),)
        t.say(t.pick(phrases.HARM_BY), *claims, a=(e.by,), b=(e.who,), n=-e.amount)
    else:
        t.say(t.pick(phrases.HARM), claim("harm", b, -e.amount), b=(e.who,), n=-e.amount)
    if e.hp and e.who in t.table.seats:
        t.say(phrases.HP, claim("hp", b, e.hp), must=False, b=(e.who,), n=e.hp)


def _with_its_blow(e: h.HitPointsChanged, t: Telling, a: str, b: str) -> bool:
    """Tell damage together with the blow that was told last; False where it was another's."""
    last = t.last
    if last is None:
        return False
    slots: dict[str, Slot] = {"a": (e.by,), "b": (e.who,)}
    if any(last.slots.get(key) != value for key, value in slots.items()):
        return False
    before, text = last.slots.get("n", 0), _counted(t, last.text)
    if text is None or not isinstance(before, int):
        return False
    claims = tuple(one for one in last.fact.claims if one.kind != "harm")
    t.take_back()
    dealt = before - e.amount
    claims = (*claims, claim("harm", a, dealt, b))
    t.say(text, *claims, a=(e.by,), b=(e.who,), w=last.slots["w"], n=dealt)
    return True


def _counted(t: Telling, text: Text) -> Text | None:
    """Return how a blow reads with its damage; None for what tells no blow."""
    if text in COUNTED:
        return text
    return t.pick(BARE[text]) if text in BARE else None
