"""Ask the player back: a short question, with choices that the parser is certain to understand.

`ask` builds the question, `chosen` says which choice an answer picks.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.melee import WHOM
from ruleplay.agents.saga.domain.offers import STRIKE, label, suggestions
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import scope_of
from ruleplay.agents.saga.policy.deeds import AWAY, meaning, worded
from ruleplay.agents.saga.policy.ear import UNSURE, Meant
from ruleplay.agents.saga.policy.labels import LABELS
from ruleplay.agents.saga.policy.replies import coins, own_text
from ruleplay.agents.saga.state import Heard
from ruleplay.story.acts import ACTS_AT_MOST
from ruleplay.story.hearing import OWN_WORDS, PERHAPS, SAID, SAY_IT, SURE
from ruleplay.story.mentions import conditional, negated
from ruleplay.story.texts import Lang, Text, words_of
from ruleplay.story.undone import quoted

GRAVE, STRIKES = ("attack", "manoeuvre", "steal"), ("attack", "defend", "aim")
"""Acts that are offered only if they are likely; acts for which a blow at each foe is offered."""
PLAN, MOST, OFFERED = 240, 2, 3
"""Most characters of a choice that repeats the whole message; most unclear clauses asked about at
once; most choices."""
QUOTED_SHORT = 60
"""Most characters of the player's words that a question or a choice quotes."""
GIVE = Text(en="give {0} to {1}", fr="donner {0} à {1}")
THEFT = Text(en="steal from {0}", fr="voler {0}")
LIKELIEST = 3
"""Most acts that an unclear clause is offered as."""
AGAIN = Text(en="again", fr="encore")
JUST_SAY = Text(en="just say it", fr="le dire, simplement")
"""The choice that repeats a long message as speech."""
UNQUOTED = str.maketrans("", "", '“”«»"')
PRICE = Text(en="{0}: {1}", fr="{0} : {1}")


def ask(every: Sequence[Meant], open_: Sequence[Meant], game: Game, book: Book) -> Heard:
    """Build a short question about the unclear clauses `open_`; nothing else is done.

    Questions to the game in the same message are answered. Each choice repeats the whole message,
    so that choosing it does everything.
    """
    lang = game.lang
    asked = [one for one in every if one not in open_ and all(a.do == "ask" for a in one.acts)]
    asked = [one for one in asked if one.acts and not one.intent]
    clear = [one for one in every if one not in open_ and one not in asked]
    if wares := _wares_of(open_):  # before anything is bought its price is told
        open_ = [one for one in open_ if (deal := one.intent or one.choice) and deal.item in wares]
        clear = [one for one in clear if not (worded(one) or _vague(one))]
    if len(open_) > MOST or not open_:
        told, clear = own_text("much" if open_ else "lost").of(lang), []
    else:
        told = _problem(open_, game, book)
    plans = list[str]()
    for one in open_[:OFFERED]:
        kept = [each for each in every if each is one or each in clear]
        held_back = any(conditional(words_of(each.said)) for each in every)
        choices_of = _choices(one, game, book, held_back=held_back)
        for choice in islice(choices_of, OFFERED // min(OFFERED, len(open_))):
            plan = ". ".join(choice if each is one else _bare(each) for each in kept)
            plans.append(plan.replace("?.", "?") if len(plan) <= PLAN else choice)
    if clear and all(map(_vague, open_)):  # without what is unclear it may be all that is meant
        plans.insert(0, ". ".join(map(_bare, clear)))
    if len(wares) > 1:
        every_ware = (label(Intent(act="buy", item=ware), game, book) for ware in wares)
        plans.insert(0, ". ".join(every_ware))
    sold = scope_of(game, book).sold
    things = (o.part.item.id for o in every if o.part and o.part.item)
    buys = [label(Intent(act="buy", item=one), game, book) for one in things if one in sold]
    choices = tuple(dict.fromkeys((*plans[:OFFERED], *buys, *suggestions(game, book))))[:OFFERED]
    answers = tuple(act for one in asked for act in one.acts)[:ACTS_AT_MOST]
    return Heard(question=told, choices=choices, acts=answers)


def _problem(open_: Sequence[Meant], game: Game, book: Book) -> str:
    """Word the question: a price, a blow's target, how to get past foes, or a quoted clause."""
    lang, part = game.lang, open_[0].part if len(open_) == 1 else None
    if wares := _wares_of(open_):
        items, purse = book.rules.items, game.sheet.coin
        prices = {ware: surroundings.lowest_price(game, book, ware) for ware in wares}
        short = sum(prices.values()) - purse
        told = own_text("too_dear" if short > 0 else "sold_for").of(lang)
        priced = ", ".join(
            PRICE.of(lang).format(items[k].name.of(lang), coins(n, lang)) for k, n in prices.items()
        )
        return told.format(priced, coins(purse, lang), short)
    act = part.act if part and part.sure >= UNSURE else ""
    foes = setting.waiting_foes(game, book).values()
    if act == "attack" and part and part.sure >= SURE:
        there = [_name_of(who, game, book).of(lang) for who in surroundings.persons(game, book)]
        here = own_text("nobody_struck").of(lang).format(", ".join(there)) if there else ""
        return WHOM.of(lang) if foes or not here else f"{here} {WHOM.of(lang)}"
    if act in AWAY and foes:
        names = ", ".join(foe.name.of(lang) for foe in foes)
        return own_text("past_them").of(lang).format(names)
    return own_text("unsure").of(lang).format(_quoted(open_, lang))


def _wares_of(open_: Sequence[Meant]) -> tuple[str, ...]:
    """List the wares that unclear clauses may order."""
    deals = [one.intent or one.choice for one in open_]
    wares = (deal.item for deal in deals if deal and deal.act == "buy" and deal.item)
    return tuple(dict.fromkeys(wares))


def _vague(one: Meant) -> bool:
    """Whether no act is at all likely to be meant."""
    return one.part is not None and one.part.sure < UNSURE


def _bare(one: Meant) -> str:
    return one.said.rstrip(" .,;:!")


def _quoted(some: Sequence[Meant], lang: Lang) -> str:
    cut = (textwrap.shorten(_bare(one), QUOTED_SHORT, placeholder="…") for one in some)
    return quoted(tuple(cut), lang)


def _choices(one: Meant, game: Game, book: Book, *, held_back: bool) -> Iterator[str]:
    """Yield possible meanings, each in words that the parser is certain to understand.

    With `held_back` something in the message is conditional, so no blow is offered.
    """
    part, scope, found = one.part, scope_of(game, book), list[str]()
    if one.sure >= UNSURE / 2 or (one.choice and one.choice.act == "buy"):
        found.append(_named(one, game, book))
    grave = (
        part is not None
        and part.act in (*STRIKES, "steal")
        and not (one.denied or negated(part.words))
    )
    if held_back and grave:
        found = []
    elif part and grave and (part.sure >= UNSURE or one.costly):
        waiting = setting.waiting_foes(game, book) or surroundings.persons(game, book)
        there = [*(game.fight.side("foes") if game.fight else waiting.values())]
        named = [who for who in there if {*words_of(who.name.of(game.lang))} & {*part.words}]
        wording = THEFT if part.act == "steal" else STRIKE
        found = [
            wording.of(game.lang).format(who.name.of(game.lang)) for who in named or there
        ] or found
    if part and not one.denied:
        likely = [guess.label for guess in part.heard["act"][:LIKELIEST] if guess.sure >= PERHAPS]
        rare = (*GRAVE, *(act for act in LABELS.metas if part.chance(act) < UNSURE))
        read = (part.instead(act, sure=SURE) for act in likely if act not in rare)
        found += [_named(meaning(each, (), scope, game, book), game, book) for each in read]
    brief = len(one.said) <= OWN_WORDS
    if SAID not in one.said and (one.speech >= (PERHAPS if brief else UNSURE) or one.asks):
        own = SAY_IT.of(game.lang).format(_bare(one))
        found.append(own if brief else JUST_SAY.of(game.lang))
    yield from dict.fromkeys(filter(None, found))


def _named(one: Meant, game: Game, book: Book) -> str:
    """Word an act as suggestions do; empty if there is no such wording."""
    if intent := one.choice or one.intent:
        return label(intent, game, book)
    if any(act.meta == "undo" for act in one.acts):
        return own_text("take_back").of(game.lang)
    options = dict(setting.options(game, book))
    struck = next((act.to for act in one.acts if act.item == "attack"), "")
    if struck in book.scenario.persons:
        return STRIKE.of(game.lang).format(_name_of(struck, game, book).of(game.lang))
    if any(act.do == "yield" for act in one.acts):
        return own_text("give_up").of(game.lang)
    gift = next((act for act in one.acts if act.do == "give" and act.to), None)
    if gift:
        carried = book.rules.items.get(gift.item)
        thing = carried.the(game.lang) if carried else coins(gift.coin, game.lang)
        return GIVE.of(game.lang).format(thing, _name_of(gift.to, game, book).of(game.lang))
    item = next((act.item for act in one.acts if act.item in options), "")
    return options[item].of(game.lang) if item else ""


def _name_of(who: str, game: Game, book: Book) -> Text:
    if game.fight and (fighter := game.fight.get(who)):
        return fighter.name
    if who in book.scenario.persons:
        return surroundings.known_name(game, book, who)
    there = {**setting.waiting_foes(game, book), **setting.waiting_allies(game, book)}
    return there[who].name


def chosen(message: str, game: Game) -> int | None:
    """Return the index of the choice that a message picks of a pending question, or None.

    The choice's words are needed. For a confirmation its first ones do: "yes" picks "yes, attack
    Maud".
    """
    asked = game.story.asked
    said = words_of(message)
    if asked is None or not said:
        return None
    for at, choice in enumerate(asked.choices):
        words = words_of(choice)
        if said == words or (asked.acts and said == words[: len(said)]):
            return at
    return None


def again(message: str, said: Sequence[str]) -> str:
    """Resolve "again" to the last other message of `said`, and "just say it" to that as speech.

    Any other message is returned as is.
    """
    speaks = tuple(words_of(one) for one in JUST_SAY.both)
    repeats = (*speaks, *(words_of(one) for one in AGAIN.both))
    if words_of(message) not in repeats:
        return message
    last = next((one for one in reversed(said) if words_of(one) not in repeats), message)
    return f"“{last.translate(UNQUOTED)}”" if words_of(message) in speaks else last
