"""Prompts of saga's roles: static instructions first, so that providers can cache them.

The instructions are in `prompts.toml`. What changes comes last, and every part is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.errands import given_to
from ruleplay.agents.saga.domain.fight import HERO, Combatant, Fight
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import LeftUndone
from ruleplay.agents.saga.domain.readiness import covers
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.state import Draft, History
from ruleplay.agents.saga.view import last_fight
from ruleplay.kernel.context import Prompt
from ruleplay.records.events import Event
from ruleplay.records.given import Message
from ruleplay.story import canon
from ruleplay.story.acts import Roster
from ruleplay.story.beats import Beat, is_line, listed
from ruleplay.story.reading import READ
from ruleplay.story.reading import lines as listing
from ruleplay.story.style import instructions
from ruleplay.story.texts import Lang, words_of
from ruleplay.story.undone import told as told_undone
from ruleplay.telling.prompt import told

LINE, LINES, MESSAGE, LISTED, TEXT = 500, 8, 2_000, 40, 700
"""Characters of a history line on average, lines of history, characters of the message, entries
of a list, characters of an authored text: the most of each that a prompt shows."""
TOUCHED = 0.24
"""How near in meaning a message has to be to common knowledge for that to be shown."""
REST = "the rest, as it was first understood (no acts where that is done too)"
SORTS = {
    "name": "called by the hero: ",
    "promise": "promised: ",
    "left": "put down by the hero: ",
    "spent": "used up by the hero, who carries it no more: ",
}
"""How a prompt introduces entries of the canon that are no mere details."""
UNWRITTEN = "Of what they know, nothing is written."
BENEATH = ("unknown", "hangs", "far")
"""Reasons why something is not done that stand beneath the prose; others are beats."""
LANGUAGE = {"en": "English", "fr": "French"}


_told = partial(told, "ruleplay.agents.saga")


def read(
    message: str,
    game: Game,
    book: Book,
    history: History | None,
    *,
    rest: str = "",
    led: bool = True,
    on: str = "",
) -> Prompt:
    """Ask what a message means; with `rest` only that part of it, after all else was done.

    `led`: what was done has led the hero to another place. `on` says what is read once more, after
    an answer.
    """
    lang, roster = game.lang, setting.roster(game, book)
    body = [
        f"Story's language: {LANGUAGE[lang]}.",
        _scene(game, book),
        listing(
            beings=_beings(game, book),
            elsewhere=_elsewhere(game, book),
            options=", ".join(_options(game, book)) if not game.fight else "",
            rules=", ".join(_rules(roster, game, book)),
            ways=_ways(game, book),
            topics=_named(setting.topics_of(game, book), lang),
            clues=_named(_clues(game, book), lang),
            things=", ".join(roster.things),
            items=_items(game, book),
            skills=", ".join(book.rules.skills),
        ),
        _hero(game),
        "\n".join(last_fight(game, book)) if not game.fight else "",
        _known(game, book, message),
        _learned(game, book),
    ]
    if asked := game.story.asked:
        body.append(f"Asked last: {asked.question} ({' / '.join(asked.choices)})")
    body.append(_goal(book, lang))
    body.append(f"The player wrote:\n{message[:MESSAGE]}")
    if rest:
        done = "All before this is done, and led here" if led else "All but this is done"
        body.append(f"{done}; read only {REST}:\n{rest[:MESSAGE]}")
    body.append(on)
    return Prompt(
        system=f"{READ}\n{_told('read')}",
        user="\n".join(filter(None, body)),
        history=lines_of(history),
    )


def _goal(book: Book, lang: Lang) -> str:
    story = book.scenario
    about = f"What the story is about: {story.pitch.of(lang)[:LINE]}"
    return f"{about}\nHow it began: {story.intro.of(lang)[:TEXT]}"


def _scene(game: Game, book: Book) -> str:
    place = surroundings.here(game, book)
    seen = surroundings.sight(game, book)[:TEXT]
    where = f"Place: {game.place} ({place.name.of(game.lang)}). {seen}"
    state = "A fight is on." if game.fight else "Somebody bars the way."
    return f"{where}\n{state}" if game.fight or surroundings.waiting(game, book) else where


def _beings(game: Game, book: Book) -> str:
    lang = game.lang
    if game.fight:
        along = surroundings.company(game, book).items()
        kept = [f"{key} ({one.name.of(lang)}, keeps back, hears the hero)" for key, one in along]
        return ", ".join([*_fighters(game.fight, lang), *kept])
    foes, real = setting.waiting_foes(game, book).items(), book.scenario.persons
    there = [f"{key} ({foe.name.of(lang)}, foe)" for key, foe in foes]
    allies = setting.waiting_allies(game, book).items()
    there += [f"{key} ({one.name.of(lang)}, stands by the hero)" for key, one in allies]
    for key, one in surroundings.persons(game, book).items():
        called = canon.called(game.story.canon, key)
        names = dict.fromkeys(filter(None, (one.name.of(lang), real[key].name.of(lang), called)))
        there.append(f"{key} ({' or '.join(names)}, person)")
    passed = surroundings.passed(game, book).items()
    there += [f"{key} ({foe.name.of(lang)}, bars the way no more)" for key, foe in passed]
    if folk := _folk(game, book):
        who = surroundings.folk(game.place)
        there.append(f"{who} ({folk}; may be asked along or hired, sells nothing)")
    return ", ".join(["hero", *there])


def _folk(game: Game, book: Book) -> str:
    """Name whoever else is about and can be asked along; empty for nobody."""
    one = surroundings.here(game, book).folk
    if one is None or not surroundings.may_hire(game, book):
        return ""
    called = canon.called(game.story.canon, surroundings.folk(game.place))
    return f"others, such as {one.of(game.lang)}{f' ({called} to the hero)' if called else ''}"


def _elsewhere(game: Game, book: Book) -> str:
    known = surroundings.elsewhere(game, book)
    return ", ".join(f"{who} ({book.scenario.persons[who].name.of(game.lang)})" for who in known)


def _fighters(fight: Fight, lang: Lang) -> Iterable[str]:
    for one in fight.combatants:
        side = "hero" if one.id == HERO else "foe" if one.side == "foes" else "ally"
        yield f"{one.id} ({one.name.of(lang)}, {side}{', far' if one.far else ''}{_condition(one)})"


def _named(pairs: Iterable[tuple[str, object]], lang: Lang) -> str:
    shown = [f"{key} ({getattr(text, lang)})" for key, text in pairs]
    return ", ".join(shown[:LISTED])


def _options(game: Game, book: Book) -> Iterable[str]:
    """List the options with what they risk, take or spend, as far as the hero can know it."""
    deeds, items = surroundings.deeds(game, book), book.rules.items
    for key, text in list(setting.options(game, book))[:LISTED]:
        kind, _, name = key.partition(":")
        notes = ["may fail into a fight"] if kind in ("sneak", "parley") else []
        if kind == "deed" and (deed := deeds.get(name)):
            notes += [f"rolls {deed.test.skill}"] if deed.test else []
            notes += ["takes what is there"] if deed.gain.items or deed.gain.coin > 0 else []
            notes += [f"gives up {items[item].name.of(game.lang)}" for item in deed.gain.takes]
            helps = deed.helped_by if game.sheet.count(deed.helped_by) else ""
            notes += [f"uses up {items[helps].name.of(game.lang)}"] if helps and deed.spends else []
            notes += [f"costs {-deed.gain.coin}"] if deed.gain.coin < 0 else []
        yield f"{key} ({'; '.join([text.of(game.lang), *notes])})"


def _clues(game: Game, book: Book) -> Iterable[tuple[str, object]]:
    ready = setting.stage(game, book).clues
    return ((key, book.scenario.clues[key].hint) for key in ready)


def _rules(roster: Roster, game: Game, book: Book) -> Iterable[str]:
    """Yield the rule acts that make sense here; models choose better from a short list."""
    barred, safe = surroundings.waiting(game, book), surroundings.here(game, book).safe
    needs = {"sneak": bool(barred), "parley": bool(barred), "rest": safe, "begin": not game.visited}
    return (one for one in roster.rules if game.fight or needs.get(one, True))


def _ways(game: Game, book: Book) -> str:
    places = book.scenario.places
    ways = surroundings.ways(game, book)
    shown = [f"{key} ({places[key].name.of(game.lang)})" for key in ways]
    return ", ".join([*shown, *setting.ZONES])


def _items(game: Game, book: Book) -> str:
    items = book.rules.items
    carried = game.sheet.carried[:LISTED]
    return ", ".join(
        f"{one.item} ({items[one.item].name.of(game.lang)} × {one.count}"
        f"{', in hand' if one.item == game.sheet.weapon else ''})"
        for one in carried
    )


def _hero(game: Game) -> str:
    sheet = game.sheet
    left = f", to spend this turn: {_left(game)}" if game.fight else ""
    return f"hero is {sheet.name}: {game.hp} of {sheet.max_hp} hit points, {sheet.coin} coins{left}"


def _left(game: Game) -> str:
    if game.fight and game.fight.the(HERO).has("stunned"):
        return "nothing (stunned: they may only speak, or yield)"
    spent = game.fight.spent if game.fight else ()
    return ", ".join(cost for cost in ("major", "minor") if cost not in spent) or "nothing"


def _known(game: Game, book: Book, message: str, chronicle: str = "") -> str:
    """List the canon and lore relevant to a message, and what else is true of the place.

    What a `chronicle` says is not listed again.
    """
    beings = tuple(surroundings.persons(game, book))
    near = canon.nearest(game.story.canon, place=game.place, words=message, beings=beings)
    known = [
        f"- {SORTS.get(one.kind, '')}{one.text}{f' ({one.about})' if one.about else ''}"
        for one in near
        if one.text not in chronicle
    ]
    place = surroundings.here(game, book).name.of(game.lang)
    lores = surroundings.lore_about(message[:MESSAGE], book, TOUCHED, also=place)
    known += [f"- {lore.text.of(game.lang)[:300]}" for lore in lores[:4]]
    here = [m.text or m.what for m in game.story.marks if m.place == game.place]
    known += [f"- for now: {text}" for text in here]
    known += [f"- put down here by the hero: {one.name}" for one in surroundings.left(game)]
    covered = any(m.place == game.place and m.who == HERO for m in game.story.marks)
    waits = [act for act in game.story.readied if not (covered and covers(act))]
    known += [f"- the hero stands ready: {act.text}" for act in waits]
    for who, one in surroundings.persons(game, book).items():
        items = [book.rules.items[item].name.of(game.lang) for item in given_to(game, who)]
        known += [f"- {one.name.of(game.lang)} has of the hero's: {', '.join(items)}"] * bool(items)
    return "Established:\n" + "\n".join(known) if known else ""


def _learned(game: Game, book: Book) -> str:
    """List the secrets that came to light, by which a reader hears what words play on."""
    learned = (book.scenario.secrets[key].text.of(game.lang) for key in game.secrets)
    told = " ".join(learned)
    return f"The hero has learned: {told}" if told else ""


def foes(message: str, game: Game, book: Book, history: History | None) -> Prompt:
    """Ask what everybody but the hero does in a fight (ValueError without a fight)."""
    fight = game.fight
    if fight is None:
        raise ValueError("no fight is on")
    rows = [
        f"- {one.id}: {one.hp}/{one.max_hp} HP, {row[2:]}"
        f"{', may yield' if setting.ready_to_yield(game, book, one) else ''}"
        f"{_manner(one, game, book)}"
        for one, row in zip(fight.combatants, _rows(fight, game, book), strict=True)
    ]
    mine = ", ".join(one.id for one in fight.combatants if one.present and one.id != HERO)
    place = surroundings.here(game, book).name.of(game.lang)
    order = " > ".join(fight.order)
    head = f"{place}, round {fight.round}, order {order}, {fight.actor} to move. Yours: {mine}."
    held = [m.text or m.what for m in game.story.marks if m.place == game.place]
    head += f" For now: {', '.join(held)}." if held else ""
    body = [head, *rows, f"Story's language: {LANGUAGE[game.lang]}.", "The player wrote:"]
    return Prompt(
        system=_told("foes"), user="\n".join([*body, message[:MESSAGE]]), history=lines_of(history)
    )


def _manner(one: Combatant, game: Game, book: Book) -> str:
    """Say how a fighter who can act speaks, and what they want, as the author has it."""
    written = setting.written_as(game, book, one) if one.present else None
    told = (written.voice, written.wants) if written else ()
    return "".join(f". {text.of(game.lang)}" for text in told if text)


def _rows(fight: Fight, game: Game, book: Book) -> list[str]:
    """Describe the fighters without numbers: side, nature, reach, states, and whose turn it is."""
    return [
        f"- {one.name.of(game.lang)}, {one.side}, {one.archetype}, "
        f"{setting.nature_of(game, book, one)}{', far' if one.far else ''}"
        f"{_statuses(one.statuses)}{_condition(one)}"
        f"{', to move' if one.id == fight.actor else ''}"
        for one in fight.combatants
    ]


def _condition(one: Combatant) -> str:
    if not one.present:
        return ", down, breathing, can be saved" if one.fallen else ", out of it"
    return ", badly hurt" if one.hp * 3 <= one.max_hp else ", hurt" if one.hp < one.max_hp else ""


def _statuses(statuses: Sequence[object]) -> str:
    kinds = [str(getattr(one, "kind", "")) for one in statuses]
    return f", {' '.join(kinds)}" if kinds else ""


def tell(draft: Draft, book: Book, beats: Sequence[Beat], told: str, chronicle: str) -> Prompt:
    """Ask for the turn in prose. `told` is what the reply shows so far, `chronicle` the recap."""
    game = draft.now.game
    style = game.story.style
    people = book.rules.races[game.sheet.race], book.rules.cultures[game.sheet.culture]
    told_of = ", ".join(one.name.of(game.lang) for one in people)
    undone = [
        told_undone(one.what, one.why, game.lang)
        for one in left_undone(draft.events)
        if one.why in BENEATH
    ]
    hung = "; ".join(act.text for act in draft.hanging)
    asked = game.story.asked if game.story.asked != draft.before.game.story.asked else None
    body = [
        f"Write in {LANGUAGE[game.lang]}.",
        f"The hero: {game.sheet.name}, {told_of}.",
        instructions(style, name=game.sheet.name),
        _whereabouts(draft.before.game, game, book),
        _goal(book, game.lang),
        _present(game, book, draft.before.game, beats),
        "\n".join(last_fight(game, book)) if not game.fight else "",
        f"Known so far:\n{chronicle}" if chronicle else "",
        _known(game, book, draft.given.message, chronicle),
        f"Already told, and not told again:\n{_prose(told)[:3_000]}" if told else "",
        f"Beats:\n{listed(beats) or '(nothing happened that needs telling)'}",
        _refused_details(draft),
        f"Not done, as is said beneath: {' '.join(undone)}" if undone else "",
        f"Played after this, by the answer that you give: {hung}" if hung else "",
        f"Asked beneath, and not in your words: {asked.question}" if asked else "",
        f"The player wrote:\n{draft.given.message[:MESSAGE]}",
    ]
    user = "\n\n".join(part for part in body if part)
    return Prompt(
        system=f"{_told('tell')}\n{_told('colour')}", user=user, history=lines_of(draft.history)
    )


def _whereabouts(before: Game, game: Game, book: Book) -> str:
    """Say where the turn ends, and where it began: what precedes the way happens there."""
    end, begin = (surroundings.here(one, book).name.of(game.lang) for one in (game, before))
    moved = before.visited and game.place != before.place
    return f"Place: first {begin}, at the end {end}." if moved else f"Place: {end}."


def _refused_details(draft: Draft) -> str:
    """List the details of the reading that were not kept, so that they are not told as true."""
    kept = {words_of(one.text) for one in draft.now.game.story.canon}
    read = draft.reading.details if draft.reading else ()
    lost = [one.text for one in read if one.kind == "detail" and words_of(one.text) not in kept]
    return f"Not kept, so leave it aside unless told before: {'; '.join(lost)}" if lost else ""


def left_undone(events: Sequence[Event]) -> Iterable[LeftUndone]:
    """Yield what was not done in a turn, in the player's words and with the reason."""
    for event in events:
        if isinstance(event, LeftUndone):
            yield event


def _present(game: Game, book: Book, before: Game, beats: Sequence[Beat]) -> str:
    """Describe who is present, with manner, wishes and what they tell anybody.

    Those follow who were there before, are gone or left behind now, and appear in the telling.
    """
    rows = _fighting(game.fight, game, book) if game.fight else _about(game, book, before)
    if before.visited and (game.place != before.place or not game.fight):
        said = " ".join(one.says for one in beats)
        was = (
            _fighting(before.fight, before, book) if before.fight else _about(before, book, before)
        )
        here = {*map(_name_of, rows)}
        known = [row for row in was if (name := _name_of(row)) not in here and name in said]
        if left := [row for row in known if not row.startswith(f"- {game.sheet.name},")]:
            there = f"At {surroundings.here(before, book).name.of(game.lang)}"
            left = [row.replace(") bars the way.", ").") for row in left]
            rows += [f"{'Gone' if game.place == before.place else there}:", *left]
    head = "In the fight:" if game.fight else "Present:"
    return "\n".join([head, *map(str.rstrip, rows)]) if rows else ""


def _name_of(row: str) -> str:
    """Return the name of the person whom a row is about."""
    return re.split(r" \(|, | stands | has | came ", row.removeprefix("- "))[0]


def _fighting(fight: Fight, game: Game, book: Book) -> list[str]:
    """Describe the fighters, and who came along and keeps back."""
    written = [setting.written_as(game, book, one) for one in fight.combatants]
    traits = [one.traits(game.lang) if one else "" for one in written]
    company = surroundings.company(game, book).values()
    kept = [f"- {one.name.of(game.lang)} came along and keeps back." for one in company]
    rows = zip(_rows(fight, game, book), traits, fight.combatants, strict=True)
    return [*(f"{row}. {of}" if of and one.present else row for row, of, one in rows), *kept]


def _along(game: Game, who: str) -> str:
    """Say, after what somebody thinks of the hero, whether they come along or wait here."""
    if who in game.story.company:
        return ", comes along with the hero"
    return ", waits here as agreed and comes no further" if who in game.story.waiting else ""


def _about(game: Game, book: Book, before: Game) -> list[str]:
    """Describe who is about outside a fight.

    Attitudes are those from `before` the turn, since a change of attitude is a beat to be told.
    """
    rows = [
        f"- {foe.name.of(game.lang)} ({setting.nature_as(foe, book)}) bars the way. "
        f"{foe.traits(game.lang)}"
        for foe in setting.waiting_foes(game, book).values()
    ]
    rows += [
        f"- {one.name.of(game.lang)} stands by the hero. {one.traits(game.lang) or UNWRITTEN}"
        for one in setting.waiting_allies(game, book).values()
    ]
    for key, one in surroundings.persons(game, book).items():
        liking = before.story.attitude(key, one.attitude)
        known = f"{one.text.of(game.lang)} {one.traits(game.lang)}".rstrip()
        along = _along(game, key)
        wares = ", ".join(
            f"{book.rules.items[item].name.of(game.lang)} {price}"
            for item in one.sells
            if (price := surroundings.price_of(game, book, item, key))
        )
        sells = f" Sells only (price in coins): {wares}." if wares else ""
        rows.append(
            f"- {one.name.of(game.lang)} (likes the hero: {_liking(liking)}{along}). {known}{sells}"
        )
    rows += [
        f"- {foe.name.of(game.lang)} has let the hero pass, and is about unless the story says "
        f"not. {foe.traits(game.lang)}"
        for foe in surroundings.passed(game, book).values()
    ]
    folk = _folk(game, book)
    return [*rows, f"- Also {folk}, without a name."] if folk else rows


def _liking(value: int) -> str:
    return ("hates", "dislikes", "neutral", "likes", "trusts")[value + 2]


def lines_of(history: History | None) -> tuple[Message, ...]:
    """Select the newest lines of the active channel, without printed lines, that fit the limit.

    Older lines are shortened or dropped first: the latest matters most for what comes next.
    """
    kept: list[Message] = []
    room = LINE * LINES
    for line in reversed(history.lines[-LINES:] if history else ()):
        prose = _prose(line.text)
        text = _short(prose, room) or ("" if kept else prose[-room:])
        if not text:
            break
        room -= len(text)
        kept.insert(0, line.model_copy(update={"text": text}))
    return tuple(kept)


def _short(text: str, room: int) -> str:
    """Return as many of a text's last sentences as fit in `room` characters."""
    if len(text) <= room:
        return text
    kept: list[str] = []
    for sentence in reversed(re.split(r"(?<=[.!?…»”])\s+(?![»”])", text)):
        if sum(map(len, kept)) + len(sentence) + len(kept) > room:
            break
        kept.insert(0, sentence)
    return " ".join(kept)


def _prose(text: str) -> str:
    kept = [part for part in text.split("\n\n") if not is_line(part)]
    return "\n\n".join(kept) or text
