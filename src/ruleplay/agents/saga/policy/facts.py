"""From events to what may be told: passages told as they were written, and facts with claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import singledispatch

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.rulebook import Item
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.texts import Lang, Text, towards
from ruleplay.agents.saga.policy import phrases
from ruleplay.agents.saga.policy.replies import looked_up, refusal
from ruleplay.foundation.claims import Claim, Fact
from ruleplay.foundation.events import Event


@dataclass
class Telling:
    """What a turn has to tell, growing event by event.

    `passages` come first and `closing` last, both as they were written; between them the `facts`,
    which a model may word. `before` is the game before the event that is being told, `paragraphs`
    are the numbers of facts that begin one, `standing` is who has how many hit points left, and
    `begun` the draws when the turn began: where the wordings start.
    """

    game: Game
    book: Book
    before: Game
    facts: list[Fact] = field(default_factory=list)
    passages: list[str] = field(default_factory=list)
    closing: list[str] = field(default_factory=list)
    paragraphs: set[int] = field(default_factory=set)
    standing: dict[str, int] = field(default_factory=dict)
    begun: int = 0
    _picked: Counter[str] = field(default_factory=Counter)

    @property
    def lang(self) -> Lang:
        """Return the language of the story."""
        return self.game.lang

    def name(self, who: str) -> str:
        """Return somebody's name in the language of the story."""
        found = self.game.fight.get(who) if self.game.fight else None
        return found.name.of(self.lang) if found else self.game.sheet.name

    def thing(self, item: str) -> str:
        """Return a thing with its article; an empty hand is a fist."""
        known = self.book.rules.items.get(item)
        fist = Text(en="a bare fist", fr="le poing nu")
        return known.the(self.lang) if known else fist.of(self.lang)

    def thing_name(self, item: str) -> str:
        """Return a thing's bare name."""
        known = self.book.rules.items.get(item)
        return known.name.of(self.lang) if known else ""

    def say(
        self, text: Text, *claims: Claim, must: bool = True, n: int = 0, **slots: object
    ) -> None:
        """Add a fact; `n` is put with the units that the text names."""
        said = text.of(self.lang).format(n=n, **phrases.units(n, self.lang), **slots)
        said = said[:1].upper() + said[1:]
        ident = f"f{len(self.facts)}"
        self.facts.append(Fact(id=ident, says=said, claims=claims, must=must))

    def pick(self, texts: tuple[Text, ...]) -> Text:
        """Return one of several wordings: another one each time, and from turn to turn."""
        # A blow throws two dice: so the wordings go on from where the blows before left them.
        at = self.begun // 2 + self._picked[texts[0].en]
        self._picked[texts[0].en] += 1
        return texts[at % len(texts)]

    def tell_standing(self, *, hero_only: bool) -> None:
        """Say who has how many hit points left, once for each; of the hero alone, or of all."""
        for who, hp in self.standing.items():
            one = self.game.fight.get(who) if self.game.fight else None
            gone = hp == 0 or bool(one and one.fled)
            if not gone and (who == HERO or not hero_only):
                b = self.name(who)
                self.say(self.pick(phrases.HP), claim("hp", b, hp), b=b, n=hp)
        self.standing.clear()


def tell_events(before: Game, events: Iterable[Event], book: Book) -> Telling:
    """Return everything that a turn's events have to tell."""
    telling = Telling(before, book, before, begun=before.draws)
    for event in events:
        if not isinstance(event, h.Happening):
            continue
        telling.before = telling.game
        # Names are those of the fight that is on; it is gone once it has ended.
        ended = isinstance(event, h.CombatEnded)
        if not ended:
            telling.game = telling.game.apply(event)
        tell_one(event, telling)
        if ended:
            telling.game = telling.game.apply(event)
    telling.paragraphs.discard(len(telling.facts))
    telling.tell_standing(hero_only=False)
    return telling


@singledispatch
def tell_one(event: h.Happening, telling: Telling) -> None:
    """Add what one happening has to tell; some have nothing."""


def claim(kind: str, subject: str, value: object = "", other: str = "") -> Claim:
    """Return a claim."""
    return Claim(kind=kind, subject=subject, value=str(value), object=other)


@tell_one.register
def _(e: h.Attacked, t: Telling) -> None:
    a, b, w = t.name(e.attacker), t.name(e.target), t.thing(e.weapon)
    if e.fumble:
        t.say(t.pick(phrases.MISS), claim("miss", a, "", b), a=a, b=b)
        t.say(t.pick(phrases.FUMBLE), claim("fumble", a), a=a)
        return
    if not e.hit:
        t.say(t.pick(phrases.MISS), claim("miss", a, "", b), a=a, b=b)
        return
    if e.critical:
        t.say(t.pick(phrases.CRITICAL), claim("critical", a), a=a)
    item = t.book.rules.items.get(e.weapon)
    claims = [claim("hit", a, e.damage, b)]
    if item:
        claims.append(claim("weapon", a, item.name.of(t.lang), b))
    t.say(t.pick(wordings(item, e.damage)), *claims, a=a, b=b, w=w, n=e.damage)


def wordings(weapon: Item | None, damage: int) -> tuple[Text, ...]:
    """Return how a blow that hit may be told, by what it was dealt with."""
    if not damage:
        return phrases.GLANCE
    if weapon and weapon.ranged:
        return phrases.SHOT
    return phrases.BITE if weapon and weapon.kind == "natural" else phrases.HIT


@tell_one.register
def _(e: h.HitPointsChanged, t: Telling) -> None:
    b = t.name(e.who)
    if e.cause in phrases.HARM:
        t.say(phrases.HARM[e.cause], claim("harm", b, -e.amount), b=b, n=-e.amount)
    elif e.amount > 0:
        t.say(t.pick(phrases.HEALS), claim("heals", b, e.amount), b=b, n=e.amount)
    if e.cause not in ("rest", "return"):
        t.standing[e.who] = e.hp


@tell_one.register
def _(e: h.Died, t: Telling) -> None:
    b = t.name(e.who)
    if e.by:
        a = t.name(e.by)
        t.say(t.pick(phrases.KILLS), claim("kills", a, "", b), claim("dies", b), a=a, b=b)
    else:
        t.say(t.pick(phrases.DIES), claim("dies", b), b=b)


@tell_one.register
def _(e: h.Fled, t: Telling) -> None:
    b = t.name(e.who)
    t.say(t.pick(phrases.FLEES), claim("flees", b), b=b)


@tell_one.register
def _(e: h.StatusGained, t: Telling) -> None:
    b, kind = t.name(e.who), e.status.kind
    known = t.before.fight is not None and t.before.fight.the(e.who).has(kind)
    if kind in phrases.STATUS and not known:
        t.say(phrases.STATUS[kind], claim(kind, b), b=b)


@tell_one.register
def _(e: h.StatusAged, t: Telling) -> None:
    if e.rounds == 0 and e.why in ("time", "cured") and e.who == HERO and e.kind in phrases.OVER:
        t.say(phrases.OVER[e.kind], must=False)


@tell_one.register
def _(e: h.Moved, t: Telling) -> None:
    t.say(phrases.FAR if e.far else phrases.NEAR, must=False, b=t.name(e.who))


@tell_one.register
def _(e: h.TurnSkipped, t: Telling) -> None:
    t.say(phrases.SKIPPED[e.why], must=False, b=t.name(e.who))


@tell_one.register
def _(e: h.TurnAdvanced, t: Telling) -> None:
    t.paragraphs.add(len(t.facts))


@tell_one.register
def _(e: h.CombatTriggered, t: Telling) -> None:
    t.say(t.pick(phrases.OPENING), must=False)
    for who, total in zip(e.fight.order, e.fight.initiative, strict=True):
        a = t.name(who)
        t.say(phrases.INITIATIVE, claim("initiative", a, total), a=a, n=total)
    t.say(phrases.FIRST, must=False, a=t.name(e.fight.actor))


@tell_one.register
def _(e: h.CombatEnded, t: Telling) -> None:
    a = t.game.sheet.name
    claims = (claim("wins", a),) if e.outcome == "player_win" else ()
    t.tell_standing(hero_only=True)
    t.paragraphs.add(len(t.facts))
    t.say(phrases.ENDED[e.outcome], *claims, a=a)


@tell_one.register
def _(e: h.SkillChecked, t: Telling) -> None:
    a = t.name(e.who)
    if t.game.fight is None:
        # Outside fights the author's passage tells the rest: the die stands before it.
        t.passages.append(check_line(e, t))
        return
    claims = (
        claim("roll", a, e.roll.total),
        claim("difficulty", a, e.difficulty),
        claim("succeeds" if e.success else "fails", a),
    )
    skill = t.book.rules.skills[e.skill].name.of(t.lang)
    t.say(phrases.CHECK[e.success], *claims, a=a, n=e.roll.total, m=e.difficulty, skill=skill)


def check_line(e: h.SkillChecked, t: Telling) -> str:
    """Return a skill check in one line: skill, total, difficulty, outcome."""
    skill = t.book.rules.skills[e.skill].name.of(t.lang)
    line = phrases.CHECKED[e.success].of(t.lang)
    return line.format(skill=skill[:1].upper() + skill[1:], n=e.roll.total, m=e.difficulty)


@tell_one.register
def _(e: h.XpGained, t: Telling) -> None:
    a = t.game.sheet.name
    t.say(phrases.XP, claim("xp", a, e.amount), a=a, n=e.amount)


@tell_one.register
def _(e: h.LevelGained, t: Telling) -> None:
    t.say(phrases.LEVEL, a=t.game.sheet.name, n=e.level)


@tell_one.register
def _(e: h.SkillTrained, t: Telling) -> None:
    skill = t.book.rules.skills[e.skill].name.of(t.lang)
    t.say(phrases.TRAINED, a=t.game.sheet.name, skill=skill)


@tell_one.register
def _(e: h.CoinChanged, t: Telling) -> None:
    a, n = t.game.sheet.name, abs(e.amount)
    way = "gain" if e.amount > 0 else ("lose" if e.why == "lost" else "pay")
    t.say(phrases.COIN[way], claim("coin", a, n), a=a, n=n)


@tell_one.register
def _(e: h.ItemGained, t: Telling) -> None:
    a, item = t.game.sheet.name, t.book.rules.items[e.item]
    text = phrases.GETS if e.count == 1 else phrases.GETS_MORE
    t.say(text, claim("gets", a, t.thing_name(e.item)), a=a, w=item.one(t.lang), n=e.count)


@tell_one.register
def _(e: h.ItemLost, t: Telling) -> None:
    if e.why in phrases.USES:
        a = t.game.sheet.name
        said = claim("uses", a, t.thing_name(e.item))
        t.say(phrases.USES[e.why], said, a=a, w=t.thing(e.item))


@tell_one.register
def _(e: h.Equipped, t: Telling) -> None:
    t.say(phrases.EQUIPS, must=False, a=t.name(e.who), w=t.thing(e.item))


@tell_one.register
def _(e: h.SectionTold, t: Telling) -> None:
    story = t.book.scenario
    if e.kind == "intro":
        t.passages.append(story.intro.of(t.lang))
        return
    section = getattr(story, f"{e.kind}s")[e.key]
    text = getattr(section, e.part, None) or section.text
    t.passages.append(text.of(t.lang))


@tell_one.register
def _(e: h.Travelled, t: Telling) -> None:
    place, known = t.book.scenario.places[e.place], e.place in t.before.visited
    if e.origin:
        came = phrases.BACK if known else phrases.ARRIVED
        to = Text(en=place.name.en, fr=towards(place.name.fr)).of(t.lang)
        t.passages.append(came.of(t.lang).format(place=to))
    text = place.again if known and place.again else place.text
    t.passages.append(text.of(t.lang))
    key = surroundings.waiting(t.game, t.book)
    encounter = t.book.scenario.encounters.get(key)
    if encounter and (encounter.sneak or encounter.parley) and not t.game.fight:
        t.passages.append(encounter.text.of(t.lang))


@tell_one.register
def _(e: h.SecretLearned, t: Telling) -> None:
    text = t.book.scenario.secrets[e.secret].text.of(t.lang)
    t.passages.append(phrases.SECRET.of(t.lang).format(text=text))


@tell_one.register
def _(e: h.EndingReached, t: Telling) -> None:
    ending = t.book.scenario.endings[e.ending]
    t.closing.append(f"{ending.text.of(t.lang)}\n\n— {ending.name.of(t.lang)} —")


@tell_one.register
def _(e: h.Rested, t: Telling) -> None:
    t.passages.append(phrases.RESTED.of(t.lang))


@tell_one.register
def _(e: h.Returned, t: Telling) -> None:
    t.passages.append(phrases.RETURNED.of(t.lang))


@tell_one.register
def _(e: h.LanguageChosen, t: Telling) -> None:
    t.passages.append(phrases.LANGUAGE.of(t.lang))


@tell_one.register
def _(e: h.Consulted, t: Telling) -> None:
    t.passages.append(looked_up(e, t.game, t.book))


@tell_one.register
def _(e: h.Refused, t: Telling) -> None:
    t.passages.append(refusal(e, t.game, t.book))
