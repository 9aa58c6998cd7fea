"""Answer players' questions to the game: the facts for a model, or the text that code prints.

Such a question takes place outside the story. A model may only repeat the facts given here; without
a model a sentence or a whole block of them is printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ruleplay.agents.saga.domain import spoils, surroundings
from ruleplay.agents.saga.domain.blows import FISTS
from ruleplay.agents.saga.domain.combat_acts import chaser
from ruleplay.agents.saga.domain.dice import CRITICAL, FUMBLE, chance, modifier
from ruleplay.agents.saga.domain.errands import RANKS_AT_MOST
from ruleplay.agents.saga.domain.fight import HERO, Combatant
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Consulted
from ruleplay.agents.saga.domain.journey import REST_HP
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.rulebook import StatusKind
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import items_alone, scope_of
from ruleplay.agents.saga.domain.sheet import LEVEL_HP, RANK
from ruleplay.agents.saga.domain.surroundings import SENTENCES
from ruleplay.agents.saga.policy.labels import LABELS
from ruleplay.agents.saga.policy.phrases import CAUSES, STATUS
from ruleplay.agents.saga.policy.recap import TEXTS, recap, recap_lines
from ruleplay.agents.saga.policy.replies import (
    coins,
    how_to_play,
    looked_up,
    lore_of,
    means,
    own_text,
    seen,
    standing,
    wares_line,
    whose_move,
)
from ruleplay.agents.saga.view import last_fight
from ruleplay.hearing.encoder import alike
from ruleplay.story.bounds import BANDS, difficulty
from ruleplay.story.hearing import BARE, CLAUSES, SUBJECT, Part, heard, part_of
from ruleplay.story.mentions import conditional, mentioned
from ruleplay.story.texts import Text, words_of
from ruleplay.story.wording import Phrase

Asked = Literal["place", "sheet", "rules", "memory", "help", "fight", "aside", "over", "playing"]
ASKED: tuple[Asked, ...] = get_args(Asked)
TRIED = 0.1
"""Least probability of an act in "what if I …" for the odds of that act to be told."""
COLON = Text(en=":", fr="\u00a0:")
EVEN = 3
"""What the margin of a hit adds to its damage on average, for estimates."""
LOOKED_UP = {
    "play": "help",
    "goal": "memory",
    "gear": "inventory",
    "place": "place",
    "price": "place",
}
"""The topic that is looked up for each subject the classifier knows."""
FACTS, SHORTEST, STEM, SHARED, FAR = 12, 3, 4, 0.3, 0.1
"""Most facts that a model answers from; fewest letters of a word that counts as shared, how many
of them have to be the same, what a word that one fact alone shares adds to its nearness, and how
near a fact has to be at least."""
ROLLED = re.compile(r"(· [^·\d]*\w)( \d)")
"""A skill and what was rolled with it, in a line."""
HURTS: tuple[StatusKind, ...] = ("poisoned", "bleeding", "burning")


def block_of(topic: Asked, game: Game, book: Book) -> str:
    """Return the whole text that code prints on a topic if no model answers."""
    lang = game.lang
    if topic == "memory":
        return f"{recap(game, book)}\n\n{_lines(_looked_up('sheet', game, book))[0]}"
    if topic == "rules":
        parts = (standing(game, book), chances(game, book), own_text("rules").of(lang))
        return "\n\n".join(filter(None, parts))
    if topic == "aside":  # a question whispered to the game master gets no more than what is seen
        return block_of("fight" if game.fight else "place", game, book)
    if topic == "place" and not game.fight:
        return seen(game, book)
    if topic == "over":
        return f"{_balance(game, book)} {own_text('after').of(lang)}"
    if topic == "playing":
        return how_to_play(game, book)
    if topic == "fight" and not game.fight:
        return "\n".join(last_fight(game, book)) or _looked_up("place", game, book)
    return _looked_up(topic, game, book)


def unanswered(topic: Asked, asked: str, game: Game, book: Book) -> str:
    """Return what code prints if no fact fits a question: better nothing than something else."""
    ruled = topic == "rules" and heard(part_of(asked, scope_of(game, book))).act == "rules"
    if topic == "rules" and not ruled and len(words_of(asked)) > BARE:
        return own_text("no_answer").of(game.lang)
    if topic == "help" and len(words_of(asked)) > BARE:
        return block_of("playing", game, book)
    if topic == "place" and (key := surroundings.waiting(game, book)):
        written = book.scenario.encounters[key].text.of(game.lang)
        return f"{written}\n\n{block_of(topic, game, book)}"
    there = surroundings.persons(game, book)
    named = mentioned(words_of(asked), scope_of(game, book).beings) if topic == "place" else None
    if named and named.id in there:
        known = there[named.id].text.of(game.lang)
        return f"{known} {own_text('unknown').of(game.lang)}"
    return block_of(topic, game, book)


def told_of(
    asked: str, topic: str, game: Game, book: Book, rolled: Sequence[str] = ()
) -> list[str]:
    """Collect the facts about what a question names: things, fighters, the skill of an attempt.

    `rolled` are the previous turn's lines with dice. A thing that is neither carried nor for sale
    here counts only in questions about the hero's own things.
    """
    scope = scope_of(game, book)
    about = (heard(part_of(one, scope)) for one in CLAUSES.split(asked) if words_of(one))
    clear = {one.subject: one.text for one in about if subject_of(one) and _surely(one)}
    if len(clear) > 1:  # "what is my goal, and how much money have I got?"
        answers = [told_of(one, topic, game, book, rolled) for one in clear.values()]
        return [*dict.fromkeys(line for some in answers for line in some)]
    words, part = words_of(asked), heard(part_of(asked, scope))
    # A question that names a thing is about that thing, unless it is about its price.
    named = part.subject != "price" and names_thing(asked, game, book)
    exact = _surely(part) and not (named or topic in ("playing", "over"))
    if exact and (plainly := exactly(Question(part, game, book, tuple(rolled)))):
        return [plainly]
    asks = topic in ("rules", "place", "scene") and len(words) > 2
    subject = subject_of(part) if asks else ""
    own = topic in ("sheet", "rules") or subject == "gear" or part.act in ("inventory", "sheet")
    own = own or part.subject in ("purse", "self")
    things = _things(words, game, book, own=own) if topic != "playing" else ()
    supposed = subject == "would" or (conditional(words) and subject in ("", "gear"))
    if topic == "rules" and supposed:
        return _supposed(part, things, game, book, rolled)
    told = [_thing(key, game, book) for key in things]
    told += _fighters(part, game, book) if topic != "sheet" else ()
    known = lore_of(asked, game, book) if asks and not told else ""
    told += [known] if known else []
    if part.act == "buy" and not told and scope.sold:
        told = [wares_line(game, book)]  # a purchase without a ware: list them all
    if told:
        here = subject == "odds" and not (game.fight or part.being)
        return [*told, *filter(None, (standing(game, book) if here else "",))]
    if asks and part.skill:
        odds = (standing(game, book), chances(game, book, part.skill.id))
        return [*filter(None, odds), own_text("trying").of(game.lang)]
    states = [
        _state(kind, game)
        for kind in get_args(StatusKind)
        if kind in STATUS and _said(STATUS[kind], words)
    ]
    if subject == "would":
        return _supposed(part, (), game, book, rolled)
    return [*states, *filter(None, (_about(subject, game, book) if not states else "",))]


def _supposed(
    part: Part, things: Iterable[str], game: Game, book: Book, rolled: Sequence[str]
) -> list[str]:
    """Answer what would be if: by the chances of what is tried, or was tried last."""
    tried = max(LABELS.skills, key=part.chance)
    likely = [LABELS.skills[tried]] if part.chance(tried) >= TRIED else []
    likely = likely or _last_tried(game, book, rolled)
    names = [book.rules.items[key].name for key in things if not game.sheet.count(key)]
    lacks = [own_text("lack").of(game.lang).format(name.of(game.lang)) for name in names]
    told = (" ".join([*lacks, own_text("if").of(game.lang)]), own_text("try").of(game.lang))
    odds = chances(game, book, *likely) if likely else ""
    return [*told, *filter(None, (odds, standing(game, book)))]


def _last_tried(game: Game, book: Book, rolled: Sequence[str]) -> list[str]:
    """List the skills that the last rolls were made with."""
    skills, said = book.rules.skills.items(), "\n".join(rolled)
    return [key for key, one in skills if f"· {one.name.of(game.lang)} " in said]


def _surely(part: Part) -> bool:
    return part.heard["subject"][0].sure >= SUBJECT


def subject_of(part: Part) -> str:
    """Return the subject of a question about the game; empty if it is unclear."""
    return part.subject if part.subject in SUBJECTS else "odds" if of_chances(part) else ""


def of_chances(part: Part) -> bool:
    """Whether a question is about chances or dice, by the sum of these labels."""
    first, *_ = asked = part.heard["subject"]
    sure = sum(one.sure for one in asked if one.label in CHANCES)
    return first.label in CHANCES and sure >= SUBJECT


def of_the_game(part: Part, *, asks: bool) -> bool:
    """Whether a part asks something that only the game can answer, and nobody in the story."""
    sure = _surely(part) and subject_of(part) in OF_THE_GAME
    return (asks and sure) or ("?" in part.text and of_chances(part))


def _about(subject: str, game: Game, book: Book) -> str:
    """Return code's text on a subject; empty if the exact answer has said it all."""
    if subject in LOOKED_UP:
        return _looked_up(LOOKED_UP[subject], game, book)
    if subject == "odds":
        return f"{standing(game, book)}\n\n{chances(game, book)}".strip()
    if not subject or subject in EXACT:
        return ""  # an exact answer has been tried before
    left = whose_move(game) if subject == "turn" else ""
    told = own_text("rules" if subject == "dice" else subject).of(game.lang)
    return f"{told} {left}".strip()


@dataclass(frozen=True)
class Question:
    """A question with the game it is about; `rolled` are the previous turn's lines with dice."""

    part: Part
    game: Game
    book: Book
    rolled: tuple[str, ...] = ()

    def text(self, key: str, *of: object) -> str:
        """Format one of the answers' texts in the game's language."""
        return own_text(key).of(self.game.lang).format(*of)

    def listed(self, names: Iterable[str]) -> str:
        """Join names: "a, b and c"."""
        *first, last = [*names] or [""]
        return self.text("and", ", ".join(first), last) if first else last


def _purse(q: Question) -> str:
    return q.text("purse", coins(q.game.sheet.coin, q.game.lang))


def _self(q: Question) -> str:
    sheet, rules, lang = q.game.sheet, q.book.rules, q.game.lang
    people = rules.races[sheet.race].name.of(lang), rules.cultures[sheet.culture].name.of(lang)
    return q.text("self", sheet.name, *people, sheet.level)


def _back(q: Question) -> str:
    return q.text("back")


def _rolled(q: Question) -> str:
    if q.part.skill and (not q.rolled or conditional(q.part.words)):
        return ""  # it asks about a possible roll, not the last one
    if not q.rolled:
        return f"{q.text('how_blow')} {_blows(q.game, q.book)}"
    blows = any("d100" in one.partition(" · 1d100")[2] for one in q.rolled)
    shown = "; ".join(q.rolled)
    return f"{q.text('rolled', shown)} {q.text('how_blow' if blows else 'how_check')}"


def _rest(q: Question) -> str:
    hp, most = q.game.hp, q.game.sheet.max_hp
    if not _sleeps(q.game, q.book):
        return q.text("rest_unsafe", hp, most)
    healed = _healed(q.game)
    return q.text("rest_hurt", hp, most, healed) if healed else q.text("rest_unhurt", most)


def _sleeps(game: Game, book: Book) -> bool:
    return surroundings.here(game, book).safe and not game.fight


def _healed(game: Game) -> int:
    return min(game.sheet.max_hp - game.hp, round(game.sheet.max_hp * REST_HP))


def _night(game: Game, book: Book) -> Iterator[str]:
    """Yield what a night here heals, as a fact whose number stands beside few other words."""
    if _sleeps(game, book):
        yield own_text("rest_fact").of(game.lang).format(_healed(game))


def _around(q: Question) -> str:
    """List the ways from here, and how to get past whoever bars them."""
    lang, places = q.game.lang, q.book.scenario.places
    ways = {way.to: places[way.to].name.of(lang) for way in surroundings.exits(q.game, q.book)}
    key = surroundings.waiting(q.game, q.book)
    if q.game.fight or not key:
        return "" if q.game.fight else q.text("onward", q.listed(ways.values()))
    encounter = q.book.scenario.encounters[key]
    beyond = q.listed(name for to, name in ways.items() if to != encounter.retreat)
    who = q.listed(foe.name.of(lang) for foe in encounter.foes)
    back = places[encounter.retreat].name.of(lang)
    return f"{q.text('no_way_round', who, beyond, back)} {means(q.game, q.book)}".strip()


def _chase(q: Question) -> str:
    """Say whether foes who were met pursue the hero, wait, or stay behind."""
    if q.game.fight:
        return _stand(q)
    lang, key = q.game.lang, surroundings.waiting(q.game, q.book)
    there = q.book.scenario.encounters[key].foes if key else ()
    if there:
        return q.text("they_wait", q.listed(foe.name.of(lang) for foe in there))
    passed = surroundings.passed(q.game, q.book).values()
    if passed:
        return q.text("they_stay", q.listed(foe.name.of(lang) for foe in passed))
    return q.text("nobody_after")


def _stand(q: Question) -> str:
    """Say how fighters who are named are doing; without names, all foes and the hero."""
    fight, lang = q.game.fight, q.game.lang
    own = q.text("you_stand", q.game.hp, q.game.sheet.max_hp)
    if fight is None:
        return own if not q.part.being else ""
    foes = [one for one in fight.combatants if one.id != HERO]
    named = [one for one in foes if {*words_of(one.name.of(lang))} & {*q.part.words}]
    told = [_condition(q, one) for one in named or [o for o in foes if o.side == "foes"]]
    return " ".join(told if named else [*told, own])


def _condition(q: Question, one: Combatant) -> str:
    gone = "stands_gone" if one.fled else "stands_beaten" if one.yielded else "stands_dead"
    gone = "stands_down" if one.fallen else gone
    unhurt = "stands_unhurt" if one.hp == one.max_hp else "stands_hurt"
    key = unhurt if one.present else gone
    return q.text(key, one.name.of(q.game.lang), one.hp, one.max_hp)


def _who(q: Question) -> str:
    """Say who is here, in the author's words."""
    if q.game.fight or q.part.being:
        return ""
    lang, there = q.game.lang, surroundings.persons(q.game, q.book).values()
    key = surroundings.waiting(q.game, q.book)
    told = [q.book.scenario.encounters[key].text] if key else []
    told += [one.text for one in there]
    return " ".join(text.of(lang) for text in told) or q.text("nobody_here")


def _price(q: Question) -> str:
    """Say what the named wares cost, and whether the hero has enough coins."""
    lang, items = q.game.lang, q.book.rules.items
    there = surroundings.persons(q.game, q.book).values()
    sold = dict.fromkeys(key for one in there for key in one.sells)
    wares = [one.id for one in items_alone(q.book, sold) if mentioned(q.part.words, (one,))]
    things = {*_things(q.part.words, q.game, q.book, own=True)}
    if not wares or q.game.fight or things - {*wares}:
        return ""
    prices = {key: surroundings.lowest_price(q.game, q.book, key) for key in wares}
    costs = [q.text("costs", items[k].the(lang), coins(n, lang)) for k, n in prices.items()]
    short = sum(prices.values()) - q.game.sheet.coin
    purse = coins(q.game.sheet.coin, lang)
    told = q.text("short_of", purse, short) if short > 0 else q.text("enough_for", purse)
    line = f"{q.listed(costs)}; {told}"
    return line[:1].upper() + line[1:]


EXACT: dict[str, Callable[[Question], str]] = {
    "purse": _purse,
    "self": _self,
    "back": _back,
    "roll": _rolled,
    "rest": _rest,
    "around": _around,
    "chase": _chase,
    "fight": _stand,
    "who": _who,
    "price": _price,
}
"""Subjects with an exact answer, in a sentence or two from the state."""


def exactly(q: Question) -> str:
    """Answer a question exactly from the state; empty if its subject allows no such answer."""
    return EXACT[q.part.subject](q) if q.part.subject in EXACT else ""


SUBJECTS = ("odds", "would", "dice", "save", "name", "turn", *LOOKED_UP, *EXACT)
"""The classifier's labels of subjects that code has facts about."""
CHANCES = ("odds", "roll", "dice")
"""Subjects about chances and dice, which nobody in the story knows of."""
OF_THE_GAME = (
    *("save", "name", "turn", "purse", "self", "back", "roll", "rest", "around", "chase", "who"),
)
"""Subjects that nobody in the story can be asked about."""


def _said(name: Text, words: Phrase) -> bool:
    return any({*words_of(one)} <= {*words} for one in name.both)


def _state(kind: StatusKind, game: Game) -> str:
    """Say whether the hero is in a state, such as poisoned."""
    has = game.fight is not None and game.fight.the(HERO).has(kind)
    return own_text("state" if has else "no_state").of(game.lang).format(STATUS[kind].of(game.lang))


def names_thing(text: str, game: Game, book: Book) -> bool:
    """Whether a question names a thing that code has facts about."""
    return any(_things(words_of(text), game, book, own=True))


def _things(words: Phrase, game: Game, book: Book, *, own: bool) -> Iterator[str]:
    near = [item for one in surroundings.persons(game, book).values() for item in one.sells]
    near += [one.item for one in game.sheet.carried]
    common = {
        key
        for key, item in book.rules.items.items()
        if own and item.price and item.kind not in ("natural", "treasure", "service")
    }
    keys = (key for key in book.rules.items if key in near or key in common)
    yield from (one.id for one in items_alone(book, keys) if mentioned(words, (one,)))


def _thing(key: str, game: Game, book: Book) -> str:
    """Describe a thing: how many are carried, what it does, who sells it."""
    lang, item, count = game.lang, book.rules.items[key], game.sheet.count(key)
    told = [own_text("have" if count else "lack").of(lang).format(item.name.of(lang), count)]
    ammunition = book.rules.items[item.uses].one(lang) if item.uses else ""
    numbers = {"strikes": item.damage, "wards": item.absorbs, "heals": item.heals}
    told += [own_text(does).of(lang).format(n) for does, n in numbers.items() if n]
    told += [own_text("shoots").of(lang).format(ammunition)] if item.ranged else []
    helped = (
        o.hint.of(lang) for o in surroundings.deeds(game, book).values() if o.helped_by == key
    )
    told += [own_text("helps").of(lang).format(hint) for hint in helped]
    met = {who for at in game.visited for who in book.scenario.places[at].persons}
    sellers = (one for who, one in book.scenario.persons.items() if who in met)
    price = coins(item.price, lang)
    told += [
        f"{TEXTS[one.kind].of(lang)}{COLON.of(lang)} {one.text}."
        for one in game.story.canon
        if one.kind in ("left", "spent") and one.about == key
    ]
    sold = (one.name.of(lang) for one in sellers if key in one.sells)
    told += [own_text("sold").of(lang).format(who, price) for who in sold]
    return " ".join([*told, *_resale(game, book, key)])


def _resale(game: Game, book: Book, *only: str) -> Iterator[str]:
    """Yield what a trader here pays for what is carried, or `only` for some of it."""
    if not any(one.sells for one in surroundings.persons(game, book).values()):
        return
    worth = {
        f"{book.rules.items[one.item].name.of(game.lang)} × {one.count}": sold
        for one in game.sheet.carried
        if (sold := book.rules.items[one.item].price * one.count // 2)
        and (not only or one.item in only)
    }
    if worth:
        sums = (
            own_text("each").of(game.lang).format(name, coins(sold, game.lang))
            for name, sold in worth.items()
        )
        yield own_text("resale").of(game.lang).format("; ".join(sums))


def _fighters(part: Part | None, game: Game, book: Book) -> Iterator[str]:
    """Yield how strong the named fighters are, or all foes if the part is about fighting.

    Without a part, yield it for all foes who may be fought here.
    """
    play, key = Play(game, book), "" if game.fight else surroundings.waiting(game, book)
    cast = spoils.cast_of(play, book.scenario.encounters[key]) if key else []
    there = [one for one in game.fight.combatants if one.present] if game.fight else cast
    hero = game.fight.the(HERO) if game.fight else spoils.hero_of(play)
    others = [one for one in there if one.id != HERO]
    said = part.words if part else ()
    named = [o for o in others if {*words_of(o.name.of(game.lang))} & {*said}]
    meant = part is None or part.being is not None or subject_of(part) == "odds"
    meant = meant or (part is not None and part.act == "attack" and not game.fight)
    for one in named or [o for o in others if meant and o.side == "foes"]:
        key = "fights" if one.side == "foes" else "allied"
        needs = (_hits(hero, one, book), hero.hp, _hits(one, hero, book))
        harm = (_harm(hero, one, book), _harm(one, hero, book))
        often = (_often(hero, one), _often(one, hero))
        yield (
            own_text(key)
            .of(game.lang)
            .format(one.name.of(game.lang), one.hp, *needs, *often, *harm)
        )


def _flight(game: Game, book: Book) -> Iterator[str]:
    """Yield what fleeing from the fight takes: it works unless one is held, and may cost a blow."""
    if game.fight is None:
        if surroundings.waiting(game, book):
            yield own_text("flight_before").of(game.lang)
        return
    hero, chases = game.fight.the(HERO), chaser(Play(game, book), HERO)
    if hero.has("restrained", "grappled"):
        yield own_text("flight_held").of(game.lang)
    elif chases is None:
        yield own_text("flight_free").of(game.lang)
    else:
        told, name = own_text("flight").of(game.lang), chases.name.of(game.lang)
        yield told.format(name, _often(chases, hero), _harm(chases, hero, book))


def _often(one: Combatant, other: Combatant) -> int:
    """Return how many of a hundred blows hit, without an edge."""
    # Attack and defence are opposed d100 rolls, and the higher wins. Each attack roll strictly
    # between fumble and critical beats a number of the hundred defence rolls; criticals always
    # hit.
    ahead = modifier(one.stats["agility"]) - modifier(other.stats["agility"])
    rolls = range(FUMBLE + 1, CRITICAL)
    lower = sum(max(0, min(100, roll + ahead - 1)) for roll in rolls)
    return round(lower / 100) + 101 - CRITICAL


def _hits(one: Combatant, other: Combatant, book: Book) -> int:
    """Estimate how many hits of average margin it takes to fell somebody, rounded up."""
    return -(-other.hp // _harm(one, other, book))


def _harm(one: Combatant, other: Combatant, book: Book) -> int:
    """Estimate the hit points that a hit of average margin takes off somebody."""
    items = book.rules.items
    harm = items[one.weapon].damage if one.weapon in items else FISTS
    worn = items[other.armour].absorbs if other.armour in items else 0
    return max(1, harm + EVEN - worn)


def whole_rules(game: Game, book: Book) -> str:
    """Return all the rules, as `/rules` shows them and models may cite them."""
    lang = game.lang
    more = (_blows(game, book), own_text("trying").of(lang), _fighting(game, book))
    return "\n\n".join(
        [block_of("rules", game, book), *more, _levels(game), own_text("death").of(lang)]
    )


def ranked(asked: str, first: Sequence[str], others: Iterable[str]) -> list[str]:
    """Pick the facts that a model answers from, in their order, at most `FACTS`.

    After those that come `first` the likeliest are those near in meaning to a sentence of the
    question, and those that share words with it; a word counts the less, the more facts have it.
    """
    told = [*dict.fromkeys((*first, *others))]
    known = [one for one in told if not any(one in other for other in told if other != one)]
    words = {at: {word[:STEM] for word in words_of(fact)} for at, fact in enumerate(known)}
    near = [alike(one, tuple(known)) for one in SENTENCES.split(asked) if words_of(one)]
    worth = {at: max((one[at] for one in near), default=0) for at in words}
    for word in {word[:STEM] for word in words_of(asked) if len(word) >= SHORTEST}:
        having = [at for at, stems in words.items() if word in stems]
        for at in having:
            worth[at] += SHARED / len(having)
    sure = {at for at in worth if any(one in known[at] for one in first)}
    about = [at for at in worth if at in sure or worth[at] > FAR]
    best = sorted(about, key=lambda at: (at not in sure, -worth[at], at))[:FACTS]
    return [known[at] for at in sorted(best)]


def brief(topic: Asked, game: Game, book: Book) -> list[str]:
    """Return all the facts on a topic that has few; none on one that has many."""
    return _parts(game, book)[topic]() if topic in ("sheet", "memory", "place") else []


def _parts(game: Game, book: Book) -> dict[str, Callable[[], list[str]]]:
    """Map each topic to a function that collects its facts."""
    return {
        "over": lambda: (
            [_balance(game, book), own_text("after").of(game.lang)] if game.ending else []
        ),
        "playing": lambda: [own_text("playing").of(game.lang)],
        "sheet": lambda: [
            *_rows(_looked_up("sheet", game, book)),
            *([] if game.fight else [own_text("sound").of(game.lang)]),
            *_night(game, book),
            *_resale(game, book),
        ],
        "memory": lambda: [*recap_lines(game, book)],
        "fight": lambda: [*_lines(block_of("fight", game, book)), *_fighters(None, game, book)],
        "place": lambda: _lines(_looked_up("place", game, book)) if not game.fight else [],
        "rules": lambda: [*_sentences(whole_rules(game, book)), _levels(game)],
        "help": lambda: [
            *_lines(_looked_up("help", game, book)),
            *(own_text(key).of(game.lang) for key in ("save", "name", "turn")),
        ],
    }


def facts_for(
    asked: Mapping[tuple[Asked, str], Sequence[str]],
    game: Game,
    book: Book,
    rolled: Sequence[str],
) -> list[str]:
    """Pick the facts that answer questions, each a topic and its words, with what is `told_of` it.

    `rolled` are the previous turn's lines with dice, which questions about rules may be about.
    """
    topics = dict.fromkeys(topic for topic, _ in asked)
    first = [fact for told in asked.values() for fact in told]
    first += [fact for topic in topics for fact in brief(topic, game, book)]
    if {"rules", "fight", "aside"} & {*topics}:
        # What was rolled with is the subject of the roll's numbers, else that it was the last one.
        last = own_text("rolled").of(game.lang)
        skilled = {one: ROLLED.sub(r"\1:\2", one) for one in rolled}
        first += [last.format(one) if one == told else told for one, told in skilled.items()]
        first += _flight(game, book)
    others = [fact for topic in topics for fact in facts_of(topic, game, book)]
    return ranked(" ".join(words for _, words in asked), first, others)


def facts_of(topic: Asked, game: Game, book: Book) -> tuple[str, ...]:
    """Return the facts that a model may answer from: those on the topic first, then all others."""
    parts = _parts(game, book)
    if topic in ("sheet", "memory"):
        del parts["rules"], parts["help"]
    order = dict.fromkeys((*((topic,) if topic in parts else ()), *parts))
    if topic in ("playing", "help"):
        order = {topic: None, "help": None}
    return tuple(dict.fromkeys(line for key in order for line in parts[key]()))


def _looked_up(topic: str, game: Game, book: Book) -> str:
    return looked_up(Consulted.model_validate({"topic": topic}), game, book)


def _lines(text: str) -> list[str]:
    return [line.removeprefix("- ") for line in text.split("\n") if line.strip()]


def _rows(text: str) -> list[str]:
    """Split a text into lines, with a list in one line: "You carry: arrow × 12; lantern × 1"."""
    rows: list[str] = []
    for line in filter(str.strip, text.split("\n")):
        bare = line.removeprefix("- ")
        if bare != line and rows:
            rows[-1] += f"{'' if rows[-1].endswith(':') else ';'} {bare}"
        else:
            rows.append(bare)
    return rows


def _sentences(text: str) -> list[str]:
    return [one for line in _rows(text) for one in re.split(r"(?<=[.!?]) (?=\D)", line)]


def chances(game: Game, book: Book, *only: str) -> str:
    """List each of the hero's skills with its odds in percent, from easy to extreme."""
    told = [own_text("chances").of(game.lang)]
    for key in only or book.rules.skills:
        skill = book.rules.skills[key]
        bonus = game.sheet.bonus(key, skill.stat)
        odds = (chance(bonus, difficulty(band, "d100")) for band in BANDS[1:])
        told.append(f"- {skill.name.of(game.lang)}: {'/'.join(f'{n}%' for n in odds)}")
    return "\n".join(told)


def _fighting(game: Game, book: Book) -> str:
    lang = game.lang
    hurts = ", ".join(CAUSES[kind].of(lang).removeprefix("· ") for kind in HURTS)
    helps = (
        f"{item.name.of(lang)} ({', '.join(STATUS[kind].of(lang) for kind in item.cures)})"
        for item in book.rules.items.values()
        if item.cures
    )
    return own_text("fighting").of(lang).format(hurts[:1].upper() + hurts[1:], ", ".join(helps))


def _blows(game: Game, book: Book) -> str:
    """Say what the hero's own blows and defence are reckoned with."""
    hero, items = spoils.hero_of(Play(game, book)), book.rules.items
    bare = Text(en="bare hands", fr="les mains nues")
    weapon, armour = items.get(hero.weapon), items.get(hero.armour)
    return (
        own_text("blows")
        .of(game.lang)
        .format(
            modifier(hero.stats["agility"]),
            weapon.the(game.lang) if weapon else bare.of(game.lang),
            weapon.damage if weapon else FISTS,
            armour.absorbs if armour else 0,
        )
    )


def _levels(game: Game) -> str:
    return own_text("levels").of(game.lang).format(LEVEL_HP, RANK, RANKS_AT_MOST)


def _balance(game: Game, book: Book) -> str:
    story, sheet = book.scenario, game.sheet
    name = story.endings[game.ending].name.of(game.lang) if game.ending in story.endings else "—"
    found = (len(game.secrets), len(story.secrets), len(game.visited), len(story.places))
    body = (name, sheet.level, sheet.xp, coins(sheet.coin, game.lang), *found, len(story.endings))
    return own_text("balance").of(game.lang).format(*body)
