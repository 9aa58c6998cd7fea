"""What models may pick and say in a turn, why it is not taken, and the situation they are in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice, fight_choices
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.acts import deeds, snatched, waiting
from ruleplay.agents.party.domain.fight import REACH
from ruleplay.agents.party.domain.intended import MONSTERS, Beat, MasterTurn, MonsterPlans, Pick
from ruleplay.agents.party.domain.labels import venture_label
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.rules.conditions import pace
from ruleplay.agents.party.domain.safety import crossed
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import (
    EVER,
    clues,
    marks,
    people,
    roster,
    skill_of,
    waiters,
)
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.terms_text import CONDITIONS, HEALTH, health
from ruleplay.agents.party.domain.turns import trial
from ruleplay.agents.party.policy.naming import beings_of, heard_of
from ruleplay.agents.party.policy.refusals import priced
from ruleplay.agents.party.policy.replies import foes_of
from ruleplay.story.passage import Scene, judge
from ruleplay.story.texts import words_of

OPTIONS, TEXT, GROUND = 8, 500, 240
"""Options of an adversary that are listed, characters of a text that are, and of the ground."""
UNDER_THEIR_EYES = "possible under their eyes (a take or check; a roll, and a fight where it fails)"
LONG, TELLING = 8, 4
"""Letters of a word that gives a secret away by itself; of two that do together."""


def pick_problems(
    pick: Pick, table: Table, offered: Sequence[Choice], private: str, public: str
) -> list[str]:
    """Return why a pick is not taken: no such option, or words that give something away."""
    known = {one.id for one in offered}
    listed = (*pick.pick, *pick.instead)
    found = [f"no option {key!r}; copy an id from the list" for key in listed if key not in known]
    if tries := pick.tries:
        if not skill_of(tries.skill):
            found.append(f"no skill {tries.skill!r}")
        found += speech_problems(tries.text, table, private, public)
        found += speech_problems(tries.finds, table, private, public)
    return found + speech_problems(pick.say, table, private, public)


def speech_problems(text: str, table: Table, private: str = "", public: str = "") -> list[str]:
    """Return why words are not said aloud: numbers, lines of the table, what only few know."""
    if not text:
        return []
    found = list(judge(f"“{text}”", (), (), Scene(lang=table.lang, heard=text)).problems)
    if crossed(text, table.safety):
        found.append("the table has agreed not to hear of this")
    if given_away(text, private, public):
        found.append("that is not for all ears")
    return found


def given_away(text: str, private: str, public: str) -> bool:
    """Tell whether words repeat what stands in private texts and in no public one."""
    known = set(words_of(public))
    secret = {word for word in words_of(private) if len(word) >= TELLING} - known
    told = secret & set(words_of(text))
    plain = {word for word in told if len(word) < LONG and word.isalpha()}
    return len(told) > len(plain) or len(plain) > 1


def still(picked: Sequence[str], play: TableTurn, seat: str, offered: Sequence[Choice]) -> bool:
    """Tell whether something of what was picked can still be done."""
    known = {one.id: one for one in offered}
    chosen = [known[key] for key in picked if key in known]
    return bool(chosen) and not trial(play, seat, chosen)


def plan_problems(
    wanted: MonsterPlans, table: Table, book: Book, movers: Sequence[str]
) -> list[str]:
    """Return why plans are not taken: who is not to move, and options that are not there."""
    problems: list[str] = []
    for plan in wanted.plans:
        if plan.who not in movers:
            problems.append(f"{plan.who!r} is not yours to move")
            continue
        known = {one.id for one in fight_choices(table, book, plan.who)}
        problems += [f"{plan.who}: no option {key!r}" for key in plan.pick if key not in known]
    return problems + beat_problems(wanted.beats, table, book)


def master_problems(
    turn: MasterTurn,
    table: Table,
    book: Book,
    offered: Sequence[Choice],
    hidden: Sequence[str] = (),
    heard: str = "",
) -> list[str]:
    """Return why a game master's turn is not taken; texts give nothing `hidden` away."""
    known = {one.id for one in offered}
    found = [
        f"no option {key!r}; copy an id from the list" for key in turn.pick if key not in known
    ]
    told = " ".join(beat.text for beat in turn.beats)
    if given_away(told, "\n".join(hidden), f"{heard}\n{heard_of(table, book)}"):
        found.append("that has not been found out yet")
    return found + beat_problems(turn.beats, table, book)


def beat_problems(beats: Sequence[Beat], table: Table, book: Book) -> list[str]:
    """Return why beats do not stand: nobody of that id, no words, words that are not so."""
    found: list[str] = []
    here = people(table, book)
    for beat in beats:
        if beat.do == "npc" and (beat.who not in here or not beat.how):
            found.append(f"npc needs who ({', '.join(here) or 'nobody is here'}) and how")
        if beat.do == "spotlight" and beat.who not in table.characters:
            found.append(f"spotlight needs who: {', '.join(table.characters)}")
        if beat.do == "complicate" and not beat.kind:
            found.append("complicate needs a kind")
        if beat.do != "quiet" and not beat.text and beat.how not in ("leaves", "follows"):
            found.append(f"{beat.do} needs text")
        if beat.text:
            found += prose_problems(beat.text, table, book)
    if sum(beat.do == "complicate" for beat in beats) > 1:
        found.append("one complication a round")
    return found


def prose_problems(text: str, table: Table, book: Book) -> list[str]:
    """Return why words of a game master are not told: they claim what only the rules decide."""
    found = list(judge(text, (), (), scene_of(table, book)).problems)
    if crossed(text, table.safety):
        found.append("the table has agreed not to hear of this")
    return found


def scene_of(table: Table, book: Book, heard: str = "") -> Scene:
    """Return what prose may know here: who is there and what has been heard."""
    return Scene(
        lang=table.lang,
        beings=beings_of(table, book),
        heard=f"{heard_of(table, book)} {heard}",
        style=table.tale.style.model_copy(
            update={"lines": table.safety.lines if table.safety.on else ()}
        ),
    )


def foes_to_move(table: Table, stops: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the adversaries who move from now on, up to a seat of `stops` or the round's end."""
    fight = table.cast.fight
    if fight is None:
        return ()
    movers: list[str] = []
    for who in fight.order[fight.turn :]:
        if who in (stops or table.seats):
            break
        one = table.cast.get(who)
        if one and one.present and one.conscious and who not in table.seats:
            movers.append(who)
    return tuple(movers[:MONSTERS])


def monster_options(table: Table, book: Book, movers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each adversary with its options, one a line."""
    for who in movers:
        found = fight_choices(table, book, who)
        away = [one for one in found[OPTIONS:] if one.id == "flee"]
        offered = (*found[: OPTIONS - len(away)], *away)
        rows = "\n".join(f"- {one.id}: {one.label.of(table.lang)}" for one in offered)
        yield f"{who} ({table.name(who)})", rows


def situation(table: Table, book: Book, seat: str) -> str:
    """Return how things stand for a seat: a fight's order, or the scene; numbers of the party."""
    return "\n".join((_fight if table.cast.fight else _scene)(table, book, seat))


def _scene(table: Table, book: Book, seat: str) -> Iterator[str]:
    now, lang = table.expedition, table.lang
    if not now.begun:
        yield book.story.intro.of(lang)[:TEXT]
        return
    scene = book.story.scenes[now.scene]
    yield f"{scene.name.of(lang)}: {scene.text.of(lang)[:TEXT]}"
    for key, name in people(table, book).items():
        person = book.story.persons[key]
        yield f"- {name.of(lang)} ({key}): {person.text.of(lang)[:160]}"
    if key := waiting(now, book.story):
        yield f"They wait here, and do not fight yet: {foes_of(key, table, book)} ({key})"
    yield from (f"- {one.what}: {one.text}" for one in marks(table, seat))
    if names := ", ".join(table.name(one) for one in table.awaited):
        yield f"Nobody leaves, questions or attacks anyone here before {names} has had a turn."
    yield from _party(table)


def _party(table: Table) -> Iterator[str]:
    for one in table.party:
        numbers = f"{one.hp}/{one.max_hp} HP, {pace(one)} ft a turn"
        yield f"- {one.name.of(table.lang)} ({one.id}): {numbers}"


def _where(one: Creature, table: Table, seat: str) -> str:
    """Return where somebody stands, how far from a seat's character, and next to whom."""
    me = table.cast.get(seat)
    near = [
        other.id
        for other in table.cast.creatures
        if other.id != one.id and other.present and abs(other.position - one.position) <= REACH
    ]
    away = f"{abs(one.position - me.position)} ft away" if me else ""
    own = "the player's own" if one.id == seat else away
    beside = f"next to {', '.join(near)}" if near else ""
    return ", ".join(filter(None, (f"at {one.position} ft", own, beside)))


def _fight(table: Table, book: Book, seat: str) -> Iterator[str]:
    fight, lang = table.cast.fight, table.lang
    if fight is None:
        return
    if scene := book.story.scenes.get(table.expedition.scene):
        yield f"{scene.name.of(lang)}: {scene.text.of(lang)[:GROUND]}"
    yield f"Round {fight.round}. To move: {fight.actor}. All stand along one line."
    for who in fight.order:
        one = table.cast.get(who)
        if one is None or not one.present:
            continue
        shown = who in table.seats or seat == DM
        numbers = f"{one.hp}/{one.max_hp} HP" if shown else HEALTH[health(one)].of(lang)
        upon = "".join(f", {CONDITIONS[key].of(lang)}" for key in one.conditions)
        upon += f", concentrates on {one.concentration}" if one.concentration else ""
        upon += _mood(table, who)
        where = _where(one, table, seat)
        yield (
            f"- {one.name.of(lang)} ({who}, {one.side}): {numbers}, {where}, "
            f"{pace(one)} ft a turn{upon}"
        )


def _mood(table: Table, who: str) -> str:
    """Return how somebody feels in a fight, where words or deeds have changed it."""
    likes = table.tale.attitude(who)
    calmed = f", calmed ({likes:+d})" if likes > 0 else ", angered" if likes < 0 else ""
    return f"{calmed}, has lost heart" if who in table.tale.shaken else calmed


def _clues(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield each clue by its number, with what it is looked for by: the players know of that."""
    for key, does in clues(table, book, seat).items():
        yield f"{key} (by: {venture_label(does, book.story).of(table.lang)[:60]})"


def _known(table: Table, book: Book, seat: str) -> list[Spell]:
    me, spells = table.cast.get(seat), book.rules.spells
    return [spells[key] for key in me.spells if key in spells] if me and table.cast.fight else []


def _sold(table: Table, book: Book) -> Iterator[str]:
    """Yield what is served where people live, with its price; gear has one too."""
    scene = book.story.scenes.get(table.expedition.scene)
    if not (scene and scene.safe and people(table, book)) or table.cast.fight:
        return
    for key, one in book.rules.items.items():
        if one.kind == "service":
            yield f"{key} ({one.name.of(table.lang)}, {priced(one.price, 'en')})"


def _snatches(table: Table, book: Book, seat: str) -> Iterator[str]:
    now, story = table.expedition, book.story
    for deed in deeds(now, story, seat).values() if now.begun and waiting(now, story) else ():
        if snatched(now, story, deed):
            yield deed.hint.of(table.lang)


def _slots(table: Table, seat: str) -> str:
    me = table.cast.get(seat)
    rows = enumerate(zip(me.slots, me.max_slots, strict=False), 1) if me else ()
    return ", ".join(f"level {n}: {have} of {most}" for n, (have, most) in rows if most)


def known_ids(table: Table, book: Book, seat: str) -> dict[str, str]:
    """Return the lists of ids that a reading's prompt shows, by name."""
    found = roster(table, book, seat)
    here = {**people(table, book), **waiters(table, book)}
    named = {key: name.of(table.lang) for key, name in here.items()}
    beings = [f"{one} ({named.get(one) or table.name(one)})" for one in found.beings]
    ways = [f"{key} ({book.story.scenes[key].name.of(table.lang)})" for key in found.ways]
    return {
        "beings": ", ".join(beings),
        "seats": ", ".join(f"{one} ({table.name(one)})" for one in found.seats),
        "ways": ", ".join(ways),
        "rules": ", ".join(found.rules),
        "items": ", ".join(found.items),
        "things": ", ".join(found.things),
        "topics": ", ".join(
            f"{key} ({book.story.talks[key].hint.of(table.lang)[:50]})" for key in found.topics
        ),
        "clues": ", ".join(_clues(table, book, seat)),
        "darts": "a spell of several darts at several foes: one act for each, count: its darts"
        if any(spell.rays > 1 for spell in _known(table, book, seat))
        else "",
        "sold here": ", ".join(_sold(table, book)),
        "purse": f"{priced(table.expedition.purse, 'en') or 'empty'} (coin counts in gold pieces)",
        "spell slots left": _slots(table, seat),
        UNDER_THEIR_EYES: ", ".join(_snatches(table, book, seat)),
        "possible whenever nobody hostile is near": ", ".join(EVER),
        "skills": ", ".join(one for one in found.skills if "_" not in one),
    }
