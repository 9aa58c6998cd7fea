"""What is meant in a fight: whom, with what, in which order."""

from __future__ import annotations

import re

from ruleplay.agents.party.domain import lexemes
from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.dice import average
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.intents import Intent
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.texts import Phrasing, Text, fold, words_of
from ruleplay.agents.party.domain.wording import content, place_of, share

STEPS = 4
_CLAUSE = re.compile(r"[.;!?\n]|,|\b(?:then|and|puis|et|ensuite|before|avant)\b")
_FEET = re.compile(r"(\d{1,3})\s*(?:feet|foot|ft|pieds)?")
NEAR = ("nearest", "closest", "next", "proche", "premier", "first", "any", "one", "front", "devant")
ORDER = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "premier": 1,
    "deuxieme": 2,
    "troisieme": 3,
    "quatrieme": 4,
}
"""Which of several alike is meant; they are numbered."""
FAR = (
    "eloigne",
    "lointain",
    "farthest",
    "furthest",
    "far",
    "back",
    "behind",
    "last",
    "fond",
    "loin",
    "derriere",
    "dernier",
)
"""Words for the foe at hand, and for the one that is farthest off."""
BY_MAGIC = ("cast", "attack", "use", "help", "feature", "heal", "stand", "stabilise")
"""Acts whose verbs go with the name of a spell."""
BARE = ("dash", "dodge", "disengage", "hide", "escape", "stand", "flee", "end")
"""Acts that need nobody and nothing."""


def steps_of(message: str, table: Table, book: Book, seat: str) -> tuple[Intent, ...]:
    """Return what a message of whoever is to move asks for, in order; () when it can't be told."""
    who = table.cast.fight.actor if table.cast.fight else seat
    me, friend = table.cast.the(who), ""
    steps: list[Intent] = []
    for clause in _CLAUSE.split(fold(message)):
        words = words_of(clause)
        friend = _whom(words, table, me, foes=False) or friend
        step = _step(words, table, book, me) if words else None
        if step and not step.target and _helps(step, book):
            step = step.model_copy(update={"target": friend})
        if step:
            steps.append(step)
    return tuple(dict.fromkeys(steps))[:STEPS]


def _step(words: tuple[str, ...], table: Table, book: Book, me: Creature) -> Intent | None:
    acts = [act for act, phrase in lexemes.phrases("fight") if place_of(words, phrase) is not None]
    return _magic(acts, words, table, book, me) or _act(acts, words, table, book, me)


def _magic(
    acts: list[str], words: tuple[str, ...], table: Table, book: Book, me: Creature
) -> Intent | None:
    """Return the spell or feature that was named."""
    spell = _known(words, {key: book.effect(key) for key in me.spells}, book)
    if spell and (not acts or acts[0] in BY_MAGIC):
        return _aimed(Intent(act="cast", what=spell), words, table, me, foes=_harms(spell, book))
    feature = _known(words, {f.key: book.effect(f.key) for f in me.features}, book)
    if feature and (not acts or acts[0] in ("use", "feature", "help", "cast", "heal")):
        return _aimed(Intent(act="feature", what=feature), words, table, me, foes=False)
    return None


def _act(
    acts: list[str], words: tuple[str, ...], table: Table, book: Book, me: Creature
) -> Intent | None:
    """Return the first act whose verb was said and which has what it needs."""
    item = _known(words, {c.item: book.item(c.item) for c in me.inventory}, book)
    strike = _known(words, {one.key: one.name for one in me.attacks}, book)
    for act in acts:
        match act:
            case "attack" | "cast" if act == "attack" or strike:
                return _aimed(Intent(act="attack", what=strike), words, table, me, foes=True)
            case "grapple" | "shove":
                return _aimed(Intent(act=act, what=""), words, table, me, foes=True)
            case "heal":
                return _healing(words, table, book, me, item)
            case "use" | "help" | "stabilise" if act != "use" or item:
                what = item if act == "use" else ""
                return _aimed(Intent(act=act, what=what), words, table, me, foes=False)
            case "move":
                return _going(words, table, me)
            case "ready":
                return Intent(act="ready", what=strike or _first_attack(me))
            case _ if act in BARE:
                return Intent.model_validate({"act": act})
    if strike and _whom(words, table, me, foes=True):
        return _aimed(Intent(act="attack", what=strike), words, table, me, foes=True)
    return None


def _healing(
    words: tuple[str, ...], table: Table, book: Book, me: Creature, item: str
) -> Intent | None:
    """Return how somebody heals: by a spell that reaches, else by hand, else by a potion."""
    spells = [key for key in me.spells if book.rules.spells[key].heal and _castable(key, book, me)]
    hurt = _whom(words, table, me, foes=False) or _worst(table, me)
    away = abs(table.cast.the(hurt).position - me.position)
    near = [key for key in spells if away <= max(REACH, book.rules.spells[key].range)]
    best = max(near or spells, key=lambda key: average(book.rules.spells[key].heal), default="")
    if best:
        return Intent(act="cast", what=best, target=hurt)
    if me.has_feature("lay-on-hands"):
        return Intent(act="feature", what="lay-on-hands", target=hurt)
    potions = [one.item for one in me.inventory if _heals(one.item, book)]
    if item in potions or potions:
        return Intent(act="use", what=item if item in potions else potions[0], target=hurt)
    return Intent(act="stabilise", target=hurt) if table.cast.the(hurt).dying else None


def _castable(key: str, book: Book, me: Creature) -> bool:
    level = book.rules.spells[key].level
    return level == 0 or any(me.slots[level - 1 :])


def _heals(key: str, book: Book) -> bool:
    found = book.rules.items.get(key)
    return bool(found and found.heals)


def _worst(table: Table, me: Creature) -> str:
    """Return who needs healing most: of those down or hurt, whoever has the least left."""
    friends = (me, *table.cast.friends_of(me.id))
    return min(friends, key=lambda one: (one.hp / max(1, one.max_hp), one.id)).id


def _helps(step: Intent, book: Book) -> bool:
    """Tell whether a step is for a friend: who was named before is meant by "her" or by nobody."""
    if step.act == "cast":
        return not _harms(step.what, book)
    return step.act in ("use", "help", "stabilise")


def _harms(spell: str, book: Book) -> bool:
    found = book.rules.spells.get(spell)
    return found is None or not (found.friendly or found.heal)


def _first_attack(me: Creature) -> str:
    return me.attacks[0].key if me.attacks else ""


def _aimed(
    intent: Intent, words: tuple[str, ...], table: Table, me: Creature, *, foes: bool
) -> Intent:
    """Return an intent with whom it is for: who was named, oneself, or the only one there is."""
    target = _whom(words, table, me, foes=foes)
    if not target and not foes and {"me", "myself", "moi", "self"} & set(words):
        target = me.id
    if not target and foes:
        present = table.cast.foes_of(me.id)
        target = present[0].id if len(present) == 1 else _nearest(words, table, me)
    return intent.model_copy(update={"target": target})


def _nearest(words: tuple[str, ...], table: Table, me: Creature) -> str:
    present = sorted(table.cast.foes_of(me.id), key=lambda one: abs(one.position - me.position))
    if not present:
        return ""
    if any(word in FAR for word in words):
        return present[-1].id
    return present[0].id if any(word in NEAR for word in words) else ""


def _whom(words: tuple[str, ...], table: Table, me: Creature, *, foes: bool) -> str:
    """Return who was named: all words of a name, else any; of several alike the one hurt most.

    Of those alike a word may say whether the nearest is meant, or the farthest.
    """
    others = table.cast.foes_of(me.id) if foes else (*table.cast.friends_of(me.id), me)
    sign = -1 if set(FAR) & set(words) else 1 if set(NEAR) & set(words) else 0
    best: list[tuple[float, int, int, str]] = []
    for one in others:
        said = max(share(words, words_of(name)) for name in one.name.both)
        loose = max(share(words, content(name)[:1]) for name in one.name.both)
        if one.name.en.endswith(tuple(f" {ORDER[word]}" for word in words if word in ORDER)):
            said = loose
        if said == 1 or loose:
            best.append((-said, sign * abs(one.position - me.position), one.hp, one.id))
    return min(best)[3] if best else ""


def _going(words: tuple[str, ...], table: Table, me: Creature) -> Intent:
    target = _whom(words, table, me, foes=True) or _whom(words, table, me, foes=False)
    if target and target != me.id:
        return Intent(act="move", target=target)
    feet = next((int(found[0]) for word in words if (found := _FEET.match(word))), 0)
    away = bool({"away", "back", "arriere", "loin", "recule"} & set(words))
    foes = table.cast.foes_of(me.id)
    if not foes:
        return Intent(act="move", to=me.position + feet)
    near = min(foes, key=lambda one: abs(one.position - me.position))
    if not feet and not away:
        return Intent(act="move", target=near.id)
    sign = 1 if near.position >= me.position else -1
    return Intent(act="move", to=me.position + (-sign if away else sign) * (feet or me.speed))


def _known(words: tuple[str, ...], named: dict[str, Text], book: Book) -> str:
    """Return the key of what was named: the longest name all of whose words were said."""
    best, size = "", 0
    for key, name in named.items():
        for text in (*name.both, *_words(key, book).all):
            wanted = content(text)
            if wanted and len(wanted) > size and share(words, wanted) == 1:
                best, size = key, len(wanted)
    return best


def _words(key: str, book: Book) -> Phrasing:
    for known in (book.rules.spells, book.rules.items, book.rules.features):
        if key in known:
            return known[key].words
    return Phrasing()
