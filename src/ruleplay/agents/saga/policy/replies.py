"""Texts from templates: refusals with their reason, and what the player looks up."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from textwrap import shorten

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Consulted, Refused
from ruleplay.agents.saga.domain.offers import suggestions
from ruleplay.agents.saga.domain.scenario import Book, SkillTest
from ruleplay.agents.saga.domain.sheet import next_level_at
from ruleplay.agents.saga.domain.story import Left
from ruleplay.agents.saga.policy.phrases import COINS
from ruleplay.agents.saga.policy.recap import leads, recap
from ruleplay.story.hearing import OWN_WORDS
from ruleplay.story.texts import Lang, Text, texts_in
from ruleplay.story.undone import IN_VAIN

OUT_OF_STORY = (
    *("over", "dead", "not_dead", "not_understood", "which_skill", "no_points", "mastered"),
    *("where_to", "no_major_left", "no_minor_left", "no_such_foe", "nobody_there", "which_way"),
)
"""Refusals about the game itself; all others happen in the story, and prose may tell them."""
ANSWERS = 0.34
"""How near in meaning a question has to be to what is printed as its answer."""


@cache
def _texts(file: str) -> dict[str, Text]:
    return texts_in("ruleplay.agents.saga.policy", file)


def why(reason: str) -> Text:
    """Return the template of a refusal's reason (KeyError if unknown)."""
    return _texts("reasons.json")[reason]


def answer_text(key: str, lang: Lang, turn: int = 0) -> str:
    """Return a stock answer (KeyError if unknown); `turn` picks one if there are variants.

    Variants of `nods` are `nods.1`, `nods.2` and so on in `responses.json`.
    """
    texts = _texts("responses.json")
    found = [
        text for name, text in texts.items() if re.fullmatch(rf"{re.escape(key)}(\.\d)?", name)
    ]
    return (found[turn % len(found)] if found else texts[key]).of(lang)


def own_text(key: str) -> Text:
    """Return a template of what code says about the game itself (KeyError if unknown)."""
    own = _texts("answers.json")
    return own[key] if key in own else IN_VAIN[key]


def coins(n: int | str, lang: Lang) -> str:
    """Format a number of coins, in the singular for one."""
    return COINS[int(n) != 1].of(lang).format(n=n)


def reason(refused: Refused, game: Game, book: Book) -> str:
    """Return the reason of a refusal without advice, for the line beneath prose."""
    said = refusal(refused, game, book).replace(leads(game, book), "")
    advice = _hints(game, book)
    told = said.partition(advice)[0] if advice else said
    bare = re.split(r"(?<=[.;]) [^.;]*$", told)[0] if told != said else told
    named = why(refused.reason).of(game.lang).startswith("{about}")
    return (bare if named else bare[:1].lower() + bare[1:]).rstrip(".; ")


def refusal(refused: Refused, game: Game, book: Book) -> str:
    """Return the reason of a refusal, and what could be done instead."""
    lang = game.lang
    if refused.reason == "no_such_foe" and refused.about == "" and not game.fight:
        return why("nobody_to_fight").of(lang).format(hints=_hints(game, book))
    text = why(refused.reason).of(lang)
    said = text.format(
        about=_about(refused.about, game, book),
        other=coins(refused.other, game.lang) if refused.reason == "cheaper" else refused.other,
        hints=_hints(game, book),
        open=leads(game, book),
        foes=", ".join(o.name.of(lang) for o in game.fight.side("foes")) if game.fight else "",
        ways=_ways(game, book),
        people=_people(game, book) or Text(en="nobody", fr="personne").of(lang),
        wares=", ".join(_wares(game, book)),
        skills=", ".join(skill.name.of(lang) for skill in book.rules.skills.values()),
    )
    return said[:1].upper() + said[1:]


def _about(key: str, game: Game, book: Book) -> str:
    """Name what a refusal is about; something unknown by the player's own word."""
    lang, story = game.lang, book.scenario
    by_id = setting.waiting_allies(game, book) | setting.waiting_foes(game, book)
    by_id |= surroundings.passed(game, book)
    if found := (game.fight and game.fight.get(key)) or by_id.get(key):
        return found.name.of(lang)
    if key in story.persons:
        return surroundings.known_name(game, book, key).of(lang)
    for known in (book.rules.items, story.places, book.rules.skills):
        if key in known:
            return known[key].name.of(lang)
    return shorten(key, OWN_WORDS, placeholder="…")


def _hints(game: Game, book: Book) -> str:
    return ", ".join(suggestions(game, book)[:4])


def _ways(game: Game, book: Book) -> str:
    places = book.scenario.places
    return ", ".join(places[way.to].name.of(game.lang) for way in surroundings.exits(game, book))


def _people(game: Game, book: Book) -> str:
    return ", ".join(p.name.of(game.lang) for p in surroundings.persons(game, book).values())


def _wares(game: Game, book: Book) -> list[str]:
    lang = game.lang
    keys = dict.fromkeys(k for p in surroundings.persons(game, book).values() for k in p.sells)
    items = book.rules.items
    priced = ((items[key], surroundings.lowest_price(game, book, key)) for key in keys)
    return [f"{item.name.of(lang)} ({coins(n, lang)})" for item, n in priced]


def lore_of(text: str, game: Game, book: Book, near: float = ANSWERS) -> str:
    """Return the common knowledge that a text names or is near to; empty if there is none.

    A `near` over 1 leaves only what is named (see `surroundings.lore_about`).
    """
    return next((one.text.of(game.lang) for one in surroundings.lore_about(text, book, near)), "")


def wares_line(game: Game, book: Book) -> str:
    """List what is sold here, with prices."""
    return own_text("wares").of(game.lang).format(", ".join(_wares(game, book)))


def looked_up(asked: Consulted, game: Game, book: Book) -> str:
    """Return the text of what the player looks up (KeyError for an unknown topic)."""
    lang = game.lang
    said: dict[str, Callable[[], str]] = {
        "place": lambda: _place(game, book),
        "person": lambda: book.scenario.persons[asked.key].text.of(lang),
        "inventory": lambda: _inventory(game, book),
        "price": lambda: _inventory(game, book),
        "sheet": lambda: _sheet(game, book),
        "journal": lambda: recap(game, book),
        "map": lambda: _map(game, book),
        "fight": lambda: _fight(game),
        "help": lambda: _help(game, book),
        "rules": lambda: "\n\n".join(
            filter(None, (standing(game, book), own_text("rules").of(lang)))
        ),
        "memory": lambda: recap(game, book),
        "settings": lambda: _settings(game),
        "undo": lambda: own_text("undo").of(lang),
        "pause": lambda: own_text("pause").of(lang),
        "aside": lambda: own_text("pause").of(lang),
    }
    return said[asked.topic]()


HINTS = 5
"""Most things to do that the help lists."""


def how_to_play(game: Game, book: Book) -> str:
    """Say how one plays, and what could be done here."""
    options = () if game.fight else setting.options(game, book)
    quiet = {f"deed:{key}" for key, one in surroundings.deeds(game, book).items() if one.quiet}
    shown = ((key, text.of(game.lang)) for key, text in options if key not in quiet)
    listed = (text.split(",")[0] for key, text in shown if not key.startswith(("sell:", "train:")))
    doable = dict.fromkeys((*suggestions(game, book)[:4], *listed))
    hints = own_text("help").of(game.lang).format(", ".join([*doable][:HINTS]))
    return f"{own_text('playing').of(game.lang)}\n\n{hints}"


def _help(game: Game, book: Book) -> str:
    said = (
        book.scenario.pitch.of(game.lang),
        how_to_play(game, book),
        standing(game, book),
        own_text("listed").of(game.lang),
    )
    return "\n\n".join(filter(None, said))


def standing(game: Game, book: Book) -> str:
    """Describe the fight, or who bars the way and the odds of getting past; empty otherwise."""
    lang, key = game.lang, surroundings.waiting(game, book)
    if game.fight:
        return _fight(game)
    if not key:
        return ""
    encounter = book.scenario.encounters[key]
    rows = [
        f"{one.name.of(lang)} ({book.rules.bestiary[one.kind].hp} hp)" for one in encounter.foes
    ]
    who = ", ".join(row if lang == "en" else row.replace(" hp)", " pv)") for row in rows)
    return f"{own_text('bars').of(lang).format(who)} {means(game, book)}".strip()


def means(game: Game, book: Book) -> str:
    """List the ways past whoever bars the way without a fight, with their odds."""
    lang, key = game.lang, surroundings.waiting(game, book)
    encounter = book.scenario.encounters[key]
    tests = ((own_text("sneak"), encounter.sneak), (own_text("parley"), encounter.parley))
    ways = [f"{name.of(lang)} ({_odds(test, game, book)}%)" for name, test in tests if test]
    ways += [own_text("pay").of(lang).format(coins(encounter.toll, lang))] if encounter.toll else []
    return own_text("means").of(lang).format(", ".join(ways)) if ways else ""


def _odds(test: SkillTest, game: Game, book: Book) -> int:
    """Return the chance of a test in percent, without an edge; at least 1, at most 95."""
    bonus = game.sheet.bonus(test.skill, book.rules.skills[test.skill].stat)
    return max(1, min(95, 101 - (test.difficulty - bonus)))


def seen(game: Game, book: Book) -> str:
    """Sum up what code knows of the place, for questions that no author has foreseen."""
    lists = {
        "here": _people(game, book),
        "ways": _ways(game, book),
        "wares": ", ".join(_wares(game, book)),
    }
    told = [f"{surroundings.sight(game, book)}\n\n{standing(game, book)}".strip()]
    told += [own_text(key).of(game.lang).format(of) for key, of in lists.items() if of]
    told += [lying(game, book)]
    rest = " ".join(own_text(key).of(game.lang) for key in ("unknown", "try"))
    return " ".join(filter(None, (*told, rest)))


def _settings(game: Game) -> str:
    style, lang = game.story.style, game.lang
    none = Text(en="none", fr="aucune").of(lang)
    text = own_text("settings").of(lang)
    lines = ", ".join(style.lines) or none
    return text.format(style.tone, style.length, style.person, style.tense, style.rating, lines)


def _place(game: Game, book: Book) -> str:
    if not game.visited:
        return book.scenario.intro.of(game.lang)
    parts = [one for one in (surroundings.sight(game, book),) if one]
    if key := surroundings.waiting(game, book):
        parts.append(book.scenario.encounters[key].text.of(game.lang))
    for person in surroundings.persons(game, book).values():
        parts.append(person.text.of(game.lang))
    parts.append(
        Text(en="From here: {0}.", fr="D'ici : {0}.").of(game.lang).format(_ways(game, book))
    )
    parts += [told] if (told := lying(game, book)) else []
    if wares := _wares(game, book):
        parts.append(own_text("wares").of(game.lang).format(", ".join(wares)))
    return "\n\n".join(parts)


def lying(game: Game, book: Book) -> str:
    """List what the hero has put down here; empty if that is nothing."""
    lies = ", ".join(_lies(one, game, book) for one in surroundings.left(game))
    return own_text("left").of(game.lang).format(lies) if lies else ""


def _lies(one: Left, game: Game, book: Book) -> str:
    item = book.rules.items.get(one.item)
    return item.name.of(game.lang) if item else one.keepsake or coins(one.coin, game.lang)


def _inventory(game: Game, book: Book) -> str:
    lang, sheet = game.lang, game.sheet
    lines = []
    for one in sheet.carried:
        worn = Text(en=" (in use)", fr=" (en usage)").of(lang)
        mark = worn if one.item in (sheet.weapon, sheet.armour) else ""
        lines.append(f"- {book.rules.items[one.item].name.of(lang)} × {one.count}{mark}")
    coin = Text(en="- coins: {0}", fr="- pièces : {0}").of(lang).format(sheet.coin)
    return "\n".join([*lines, coin])


def _sheet(game: Game, book: Book) -> str:
    lang, sheet, rules = game.lang, game.sheet, book.rules
    head = own_text("sheet").of(lang)
    race, culture = rules.races[sheet.race].name, rules.cultures[sheet.culture].name
    told = head.format(
        sheet.name,
        race.of(lang),
        culture.of(lang),
        sheet.level,
        game.hp,
        sheet.max_hp,
        sheet.xp,
        next_level_at(sheet.level),
    )
    stats = ", ".join(
        f"{rules.characteristics[k].name.of(lang)} {v}" for k, v in sheet.stats.items()
    )
    skills = ", ".join(f"{rules.skills[k].name.of(lang)} {v}" for k, v in sheet.skills.items())
    coin = Text(en="Coins: {0}.", fr="Pièces : {0}.").of(lang).format(sheet.coin)
    points = own_text("points").of(lang)
    spare = [points.format(sheet.points)] if sheet.points else []
    carried = Text(en="You carry:", fr="Vous portez :").of(lang)
    kept = Text(en="- worth nothing: {0}", fr="- sans valeur : {0}").of(lang)
    keeps = [kept.format(one) for one in surroundings.keepsakes(game)]
    items = _inventory(game, book).split("\n")[:-1]
    return "\n".join([told, stats, skills, coin, *spare, carried, *items, *keeps])


def _map(game: Game, book: Book) -> str:
    places, lang = book.scenario.places, game.lang
    seen = ", ".join(places[key].name.of(lang) for key in game.visited)
    text = Text(en="You have seen: {0}. From here: {1}.", fr="Vous avez vu : {0}. D'ici : {1}.")
    return text.of(lang).format(seen, _ways(game, book))


def _fight(game: Game) -> str:
    if game.fight is None:
        return why("no_fight").of(game.lang).format(hints="")
    lines = []
    for who in game.fight.order:
        one = game.fight.the(who)
        state = "gone" if one.fled else "hp" if one.alive else "dead"
        told = own_text("beaten" if one.yielded else state).of(game.lang)
        told = told.format(one.hp, one.max_hp)
        mark = "▶ " if who == game.fight.actor else ""
        lines.append(f"- {mark}{one.name.of(game.lang)}: {told}")
    return "\n".join([*lines, whose_move(game)]).strip()


def whose_move(game: Game) -> str:
    """Say which actions the hero has left; empty if it is not the hero's turn."""
    if game.fight is None or game.fight.actor != HERO:
        return ""
    key = "to_move.major" if "minor" in game.fight.spent else "to_move"
    key = "to_move.stunned" if game.fight.the(HERO).has("stunned") else key
    return own_text(key).of(game.lang).format(game.sheet.name)
