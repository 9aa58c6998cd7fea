"""What the models are asked: static instructions first, what changes last, all of it bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.fight import HERO, Combatant, Fight
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.state import Draft, History
from ruleplay.agents.saga.view import last_fight
from ruleplay.kernel.context import Prompt
from ruleplay.records.given import Message
from ruleplay.story import canon
from ruleplay.story.acts import Roster
from ruleplay.story.beats import Beat, is_line, listed
from ruleplay.story.reading import READ
from ruleplay.story.reading import lines as listing
from ruleplay.story.style import instructions
from ruleplay.story.texts import Lang, words_of

LINE, LINES, MESSAGE, LISTED = 500, 8, 2_000, 40
"""Characters of an earlier line, lines of history, of the message that are shown, of a list."""
REST = "the rest (no acts where that is done too)"
LANGUAGE = {"en": "English", "fr": "French"}

READ_SAGA = (
    READ
    + """
This story has one player, whose hero is `hero`. Foes that bar the way are `foe1` and so on, also
before it comes to a fight: to attack them, rule attack; to get past them by words, say with want.
Outside fights `deed:` options are what the place has prepared: pick one when the words mean it.
"If A then X, otherwise Y": see what holds in this scene and read only that one; what hangs on
something that may still come is one act with when: trigger, after the others: it is kept, and done
once they strike or it comes to a fight ("if he draws, I run"). Waiting for a chance ("once she
looks away") is no trigger but part of the check.
A price that is asked (toll, bed, supper) is paid as the option that names it, whatever is said
with it. Coins or a thing offered for something: say with want and coin or item, no give: it changes
hands once it is taken; approach plain pays what was asked, bargain argues about it. Coins that
the hero asks for: want give, never plain. A ware wanted lent or for nothing: bargain, want give,
item, no coin; an act for each ware.
In a fight want truce: both sides let it be; yield: they give up; leave: they go.
What the hero only says of themselves or the world is words (deceive where untrue), never a detail.
Who is listed as elsewhere is not here: promises may be about them, move goes to them.
An act that cannot be without the one before it, where that may be in vain: when if_success.
give without to: put down or left here, to be taken again. Led somewhere: move there; going after
somebody: move to them; follow is for who is asked along.
meta settings: item is plain, warm, wry, grim, epic, short, medium, long, everyone, teen or mature
where one of these is asked for; something that is to come up no more: stop_scene (text: the topic).
"No wait, I didn't": meta undo, then what is done instead.
"Again" is the last act once more, with the same ids. Words that want something (approach and want)
keep their want beside a topic; a topic is named only where the words are about it.
Moving on without saying where: to the goal, or ask which way.
What follows a move to another place is read again there: an act for each, ids do not matter.
In a fight `with` only where the words name a weapon that is not in hand.
Zones (back, away, behind, cover, up, down, aside) are places within the scene; ways lead out of it.
rule equip: take up what is carried (with). rule sneak and parley are for those who bar the way."""
)
FOES = """You are the game master of a fight. Code rolls the dice and keeps every hit point. You
only say, as JSON, what the others want to do in their next turn:
- plans: for each of those listed as yours: who (id), act (attack, defend, flee, withdraw, close_in,
  or yield where they may) and target (the id of an adversary who still stands), and if
  they speak, says: at most twelve words in the story's language, no numbers, no names but of those
  present.
Play them by their nature: cowards flee early, beasts never speak or yield, the undead and fanatics
neither flee nor yield, archers keep away, leaders go for the strongest."""
TELL = """You are the narrator of a story. Tell the beats given in prose worth reading: cause before
effect, people who move and speak, what is heard and smelt.
- After the words that show a beat put its mark, as [b2]. Each beat without (optional) must be
  shown, in order, once; beats of little weight may share words: [b3 b4].
- No digits, no numbers of points, coins or rounds: lines beneath the prose give them.
- Nobody dies, flees, yields, is wounded or hurt but in a beat that says so. Nothing is found or
  gained, no way opens, no new name appears, unless it is given.
- What is in vain is told as the world would take it, never as an error.
- Never decide what the player does, thinks or says next. No headings, no lists."""
COLOUR = """
- What the book says is shown as it stands where you put its mark, alone on a line, else before the
  next beat or last: lead up to it with what the hero says and does, never tell it yourself.
- Who succeeds gets no more than the beat says; where it says no more, show how it is taken.
When there is no beat, go on from what was told: sight and sound, persons as they are given, what
they answer in their own words, and nothing that changes how things stand."""


def read(
    message: str, game: Game, book: Book, history: History | None, *, rest: str = ""
) -> Prompt:
    """Ask what a message means; with `rest` only what that part of it means, where it has led."""
    lang, roster = game.lang, setting.roster(game, book)
    body = [
        f"Story's language: {LANGUAGE[lang]}.",
        _scene(game, book),
        listing(
            beings=_beings(game, book),
            elsewhere=_elsewhere(game, book),
            options=_named(setting.options(game, book), lang) if not game.fight else "",
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
    ]
    if asked := game.story.asked:
        body.append(f"Asked last: {asked.question} ({' / '.join(asked.choices)})")
    body.append(_goal(book, lang))
    body.append(f"The player wrote:\n{message[:MESSAGE]}")
    if rest:
        body.append(f"All before this is done, and led here; read only {REST}:\n{rest[:MESSAGE]}")
    return Prompt(system=READ_SAGA, user="\n".join(filter(None, body)), history=lines_of(history))


def _goal(book: Book, lang: Lang) -> str:
    return f"What the story is about: {book.scenario.pitch.of(lang)[:LINE]}"


def _scene(game: Game, book: Book) -> str:
    place = surroundings.here(game, book)
    text = surroundings.sight(game, book) if game.visited else book.scenario.intro.of(game.lang)
    where = f"Place: {game.place} ({place.name.of(game.lang)}). {text[:700]}"
    state = "A fight is on." if game.fight else "Somebody bars the way."
    return f"{where}\n{state}" if game.fight or surroundings.waiting(game, book) else where


def _beings(game: Game, book: Book) -> str:
    lang = game.lang
    if game.fight:
        along = surroundings.company(game, book).items()
        kept = [f"{key} ({one.name.of(lang)}, keeps back, hears the hero)" for key, one in along]
        return ", ".join([*_fighters(game.fight, lang), *kept])
    foes = setting.waiting_foes(game, book).items()
    there = [f"{key} ({foe.name.of(lang)}, foe)" for key, foe in foes]
    allies = setting.waiting_allies(game, book).items()
    there += [f"{key} ({one.name.of(lang)}, stands by the hero)" for key, one in allies]
    there += [
        f"{key} ({one.name.of(lang)}, person)"
        for key, one in surroundings.persons(game, book).items()
    ]
    passed = surroundings.passed(game, book).items()
    there += [f"{key} ({foe.name.of(lang)}, bars the way no more)" for key, foe in passed]
    return ", ".join(["hero", *there])


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


def _clues(game: Game, book: Book) -> Iterable[tuple[str, object]]:
    ready = setting.stage(game, book).clues
    return ((key, book.scenario.clues[key].hint) for key in ready)


def _rules(roster: Roster, game: Game, book: Book) -> Iterable[str]:
    """Yield the rule acts that can come to something here."""
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
    spent = game.fight.spent if game.fight else ()
    return ", ".join(cost for cost in ("major", "minor") if cost not in spent) or "nothing"


def _known(game: Game, book: Book, message: str) -> str:
    """Return canon and lore that bear on a message, and marks that hold here."""
    beings = tuple(surroundings.persons(game, book))
    near = canon.nearest(game.story.canon, place=game.place, words=message, beings=beings)
    known = [
        f"- {'promised: ' if one.kind == 'promise' else ''}{one.text}"
        f"{f' ({one.about})' if one.about else ''}"
        for one in near
    ]
    said = set(words_of(message))
    known += [
        f"- {lore.text.of(game.lang)[:300]}"
        for lore in book.scenario.lores.values()
        if said & {word for phrase in lore.words.all for word in words_of(phrase)}
    ][:4]
    here = [m.text or m.what for m in game.story.marks if m.place == game.place]
    known += [f"- for now: {text}" for text in here]
    known += [f"- put down here by the hero: {one.name}" for one in surroundings.left(game)]
    known += [f"- the hero stands ready: {act.text}" for act in game.story.readied]
    return "Established:\n" + "\n".join(known) if known else ""


def foes(message: str, game: Game, book: Book, history: History | None) -> Prompt:
    """Ask what everybody else in a fight wants to do."""
    fight = game.fight
    if fight is None:
        raise ValueError("no fight is on")
    rows = [
        f"- {one.id}: {one.hp}/{one.max_hp} HP, {row[2:]}"
        f"{', may yield' if setting.ready_to_yield(game, book, one) else ''}"
        for one, row in zip(fight.combatants, _rows(fight, game, book), strict=True)
    ]
    mine = ", ".join(one.id for one in fight.combatants if one.present and one.id != HERO)
    place = surroundings.here(game, book).name.of(game.lang)
    order = " > ".join(fight.order)
    head = f"{place}, round {fight.round}, order {order}, {fight.actor} to move. Yours: {mine}."
    body = [head, *rows, f"Story's language: {LANGUAGE[game.lang]}.", "The player wrote:"]
    return Prompt(
        system=FOES, user="\n".join([*body, message[:MESSAGE]]), history=lines_of(history)
    )


def _rows(fight: Fight, game: Game, book: Book) -> list[str]:
    """Return who fights as a teller knows it: side, nature, place, states, and whose turn it is."""
    return [
        f"- {one.name.of(game.lang)}, {one.side}, {one.archetype}, "
        f"{setting.nature_of(game, book, one)}{', far' if one.far else ''}"
        f"{_statuses(one.statuses)}{_condition(one)}"
        f"{', to move' if one.id == fight.actor else ''}"
        for one in fight.combatants
    ]


def _condition(one: Combatant) -> str:
    if not one.present:
        return ", out of it"
    return ", badly hurt" if one.hp * 3 <= one.max_hp else ", hurt" if one.hp < one.max_hp else ""


def _statuses(statuses: Sequence[object]) -> str:
    kinds = [str(getattr(one, "kind", "")) for one in statuses]
    return f", {' '.join(kinds)}" if kinds else ""


def tell(draft: Draft, book: Book, beats: Sequence[Beat], told: str, chronicle: str) -> Prompt:
    """Ask for a turn in prose."""
    game = draft.now.game
    style = game.story.style
    people = book.rules.races[game.sheet.race], book.rules.cultures[game.sheet.culture]
    told_of = ", ".join(one.name.of(game.lang) for one in people)
    body = [
        f"Write in {LANGUAGE[game.lang]}.",
        f"The hero: {game.sheet.name}, {told_of}.",
        instructions(style, name=game.sheet.name),
        f"Place: {surroundings.here(game, book).name.of(game.lang)}.",
        _goal(book, game.lang),
        _present(game, book),
        f"Known so far:\n{chronicle}" if chronicle else "",
        _known(game, book, draft.given.message),
        f"Already told:\n{_prose(told)[:3_000]}" if told else "",
        f"Beats:\n{listed(beats)}",
        f"The player wrote:\n{draft.given.message[:MESSAGE]}",
    ]
    user = "\n\n".join(part for part in body if part)
    return Prompt(system=TELL + COLOUR, user=user, history=lines_of(draft.history))


def _present(game: Game, book: Book) -> str:
    """Return who is there, as a teller may know them: manner, wishes, what they tell anybody."""
    if game.fight:
        company = surroundings.company(game, book).values()
        kept = [f"- {one.name.of(game.lang)} came along and keeps back." for one in company]
        return "\n".join(["In the fight:", *_rows(game.fight, game, book), *kept])
    rows = [
        f"- {foe.name.of(game.lang)} ({setting.nature_as(foe, book)}) bars the way."
        for foe in setting.waiting_foes(game, book).values()
    ]
    rows += [
        f"- {one.name.of(game.lang)} stands by the hero; of what they know, nothing is written."
        for one in setting.waiting_allies(game, book).values()
    ]
    for key, one in surroundings.persons(game, book).items():
        liking = game.story.attitude(key, one.attitude)
        traits = [one.text, one.voice, one.wants, one.knows]
        known = " ".join(text.of(game.lang) for text in traits if text)
        along = ", comes along with the hero" if key in game.story.company else ""
        wares = ", ".join(
            f"{book.rules.items[item].name.of(game.lang)} {book.rules.items[item].price}"
            for item in one.sells
        )
        sells = f" Sells only (price in coins): {wares}." if wares else ""
        rows.append(
            f"- {one.name.of(game.lang)} (likes the hero: {_liking(liking)}{along}). {known}{sells}"
        )
    rows += [
        f"- {foe.name.of(game.lang)} has let the hero pass, and is about unless the story says not."
        for foe in surroundings.passed(game, book).values()
    ]
    return "Present:\n" + "\n".join(rows) if rows else ""


def _liking(value: int) -> str:
    return ("hates", "dislikes", "neutral", "likes", "trusts")[value + 2]


def lines_of(history: History | None) -> tuple[Message, ...]:
    """Return the newest lines of the active channel, each cut to size, without printed lines."""
    lines = history.lines[-LINES:] if history else ()
    return tuple(line.model_copy(update={"text": _short(_prose(line.text))}) for line in lines)


def _short(text: str) -> str:
    """Return a text cut after a sentence: what came last is what is answered next."""
    if len(text) <= LINE:
        return text
    sentences = re.split(r"(?<=[.!?…»”])\s+", text)
    kept: list[str] = []
    for sentence in reversed(sentences):
        if kept and sum(map(len, kept)) + len(sentence) > LINE:
            break
        kept.insert(0, sentence)
    return " ".join(kept)[-LINE * 2 :]


def _prose(text: str) -> str:
    kept = [part for part in text.split("\n\n") if not is_line(part)]
    return "\n\n".join(kept) or text
