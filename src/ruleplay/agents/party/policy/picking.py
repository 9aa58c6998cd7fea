"""Check what models pick and say in a turn, and describe the situation for their prompts.

Functions called `…_problems` list reasons that go back to the model for its one repair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import Choice, fight_choices
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration.acts import deeds, snatched, waiting
from ruleplay.agents.party.domain.fight import LURED, REACH
from ruleplay.agents.party.domain.intended import MONSTERS, Beat, MasterTurn, MonsterPlans, Pick
from ruleplay.agents.party.domain.knowledge import tellable
from ruleplay.agents.party.domain.labels import venture_label
from ruleplay.agents.party.domain.rulebook import Spell
from ruleplay.agents.party.domain.rules.conditions import pace
from ruleplay.agents.party.domain.safety import crossed
from ruleplay.agents.party.domain.seats import DM
from ruleplay.agents.party.domain.staging import (
    EVER,
    clues,
    lendable,
    people,
    roster,
    services,
    skill_of,
    topics,
    waiters,
)
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.domain.table_turn import TableTurn
from ruleplay.agents.party.domain.terms_text import CONDITIONS, HEALTH, health
from ruleplay.agents.party.domain.turns import trial
from ruleplay.agents.party.policy.naming import beings_of, heard_of
from ruleplay.agents.party.policy.refusals import priced, texts
from ruleplay.agents.party.policy.replies import changes, foes_of, ways_out
from ruleplay.story.passage import Scene, judge
from ruleplay.story.texts import Lang, words_of

OPTIONS, TEXT, GROUND = 8, 500, 240
"""Most options listed for a foe; most characters of a scene's text, outside fights and in one."""
UNDER_THEIR_EYES = "possible under their eyes (a take or check; a roll, and a fight where it fails)"
UNTOLD = "secrets (topic of the words that tell one)"
LIKE = 0.65
"""How near in meaning a promise has to be to an option that keeps it."""
LONG, TELLING = 8, 4
"""Fewest letters of a word that gives a secret away by itself, and of two that do so together."""


def pick_problems(
    pick: Pick,
    table: Table,
    offered: Sequence[Choice],
    private: str,
    public: str,
    common: Collection[str] = (),
) -> list[str]:
    """List what is wrong with a pick: unknown options, or words that give something away."""
    known = {one.id for one in offered}
    listed = (*pick.pick, *pick.instead)
    found = [f"no option {key!r}; copy an id from the list" for key in listed if key not in known]
    if tries := pick.tries:
        if not skill_of(tries.skill):
            found.append(f"no skill {tries.skill!r}")
        found += speech_problems(tries.text, table, private, public, common)
        found += speech_problems(tries.finds, table, private, public, common)
    return found + speech_problems(pick.say, table, private, public, common)


def speech_problems(
    text: str, table: Table, private: str = "", public: str = "", common: Collection[str] = ()
) -> list[str]:
    """List why words may not be said aloud: numbers, lines of the table, secrets."""
    if not text:
        return []
    found = list(judge(f"“{text}”", (), (), Scene(lang=table.lang, heard=text)).problems)
    if crossed(text, table.safety):
        found.append("the table has agreed not to hear of this")
    if told := given_away(text, private, public, common):
        found.append(f"that is not for all ears: {', '.join(sorted(told))}")
    return found


def plain_words(book: Book, lang: Lang) -> frozenset[str]:
    """Return the words with which the rules' glossary explains things."""
    return _words_in(tuple(one.text.of(lang) for one in book.rules.glossary.values()))


@lru_cache(maxsize=8)
def _words_in(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for text in texts for word in words_of(text))


def given_away(
    text: str, private: str, public: str, common: Collection[str] = ()
) -> Collection[str]:
    """Return the words that a text repeats of private texts, and that are in no public one.

    One long word or a word with digits suffices, of shorter words it takes two. `common` words are
    no secret, however long ("somebody").
    """
    known = set(words_of(public))
    secret = {word for word in words_of(private) if len(word) >= TELLING} - known
    told = (secret & set(words_of(text))).difference(common)
    plain = {word for word in told if len(word) < LONG and word.isalpha()}
    return told if len(told) > len(plain) or len(plain) > 1 else ()


def still(picked: Sequence[str], play: TableTurn, seat: str, offered: Sequence[Choice]) -> bool:
    """Whether what was picked can still be done, by a trial of it."""
    known = {one.id: one for one in offered}
    chosen = [known[key] for key in picked if key in known]
    return bool(chosen) and not trial(play, seat, chosen)


def plan_problems(
    wanted: MonsterPlans, table: Table, book: Book, movers: Sequence[str]
) -> list[str]:
    """List what is wrong with plans for monsters: somebody not to move, or unknown options."""
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
    """List what is wrong with a game master's turn; its texts may give nothing `hidden` away."""
    known = {one.id for one in offered}
    found = [
        f"no option {key!r}; copy an id from the list" for key in turn.pick if key not in known
    ]
    told = " ".join(beat.text for beat in turn.beats)
    if given_away(told, "\n".join(hidden), f"{heard}\n{heard_of(table, book)}"):
        found.append("that has not been found out yet")
    return found + beat_problems(turn.beats, table, book)


def beat_problems(beats: Sequence[Beat], table: Table, book: Book) -> list[str]:
    """List what is wrong with a game master's beats: ids, missing fields, or their prose."""
    found: list[str] = []
    here = people(table, book)
    for beat in beats:
        if beat.do == "npc" and (beat.who not in here or not beat.how):
            found.append(f"npc needs who ({', '.join(here) or 'nobody is here'}) and how")
        up = [one for one in table.characters if not table.is_fallen(one)]
        if beat.do == "spotlight" and beat.who not in up:
            found.append(f"spotlight needs who: {', '.join(up)}")
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
    """List what is wrong with a game master's prose, such as claims that only rules may make."""
    found = list(judge(text, (), (), scene_of(table, book)).problems)
    if crossed(text, table.safety):
        found.append("the table has agreed not to hear of this")
    return found


def scene_of(table: Table, book: Book, heard: str = "") -> Scene:
    """Build the scene that prose is checked against; `heard` is text known besides the usual."""
    return Scene(
        lang=table.lang,
        beings=beings_of(table, book),
        heard=f"{heard_of(table, book)} {heard}",
        style=table.tale.style.model_copy(
            update={"lines": table.safety.lines if table.safety.on else ()}
        ),
    )


def foes_to_move(table: Table, stops: Sequence[str] = ()) -> tuple[str, ...]:
    """List the foes who move next, up to a seat of `stops` that can act, or the round's end."""
    fight = table.cast.fight
    if fight is None:
        return ()
    movers: list[str] = []
    for who in fight.order[fight.turn :]:
        if who in (stops or table.seats) and not table.is_fallen(who):
            break
        one = table.cast.get(who)
        if one and one.present and one.conscious and who not in table.seats:
            movers.append(who)
    return tuple(movers[:MONSTERS])


def monster_options(table: Table, book: Book, movers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each foe with its options, one on each line; fleeing is always among them."""
    for who in movers:
        found = fight_choices(table, book, who)
        away = [one for one in found[OPTIONS:] if one.id == "flee"]
        offered = (*found[: OPTIONS - len(away)], *away)
        rows = "\n".join(f"- {one.id}: {one.label.of(table.lang)}" for one in offered)
        yield f"{who} ({table.name(who)})", rows


def like(offered: Sequence[Choice], text: str, table: Table) -> Choice | None:
    """Return the option that words mean, though they are not its own; None if none is near."""
    from ruleplay.hearing.encoder import alike

    labels = tuple(one.label.of(table.lang) for one in offered)
    near = max(zip(alike(text, labels), range(len(labels)), strict=True), default=(0.0, 0))
    return offered[near[1]] if near[0] >= LIKE else None


def situation(table: Table, book: Book, seat: str) -> str:
    """Describe the fight or the scene for a seat, with the hit points that it may know."""
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
    yield from changes(table, seat)
    if names := ", ".join(table.name(one) for one in table.awaited):
        yield f"Nobody leaves, questions or attacks anyone here before {names} has had a turn."
    yield from _party(table)


def _party(table: Table) -> Iterator[str]:
    for one in table.party:
        able = f"{pace(one)} ft a turn" if one.conscious else HEALTH[health(one)].of(table.lang)
        yield f"- {one.name.of(table.lang)} ({one.id}): {one.hp}/{one.max_hp} HP, {able}"


def _where(one: Creature, table: Table, seat: str) -> str:
    """Describe somebody's position, distance from the seat's character, and neighbours."""
    me = table.cast.get(seat)
    near = [
        other.id
        for other in table.cast.fighters
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
        if one and one.gone and who in table.seats:
            yield f"- {one.name.of(lang)} ({who}): has got away"
        if one is None or not one.present:
            continue
        shown = who in table.seats or seat == DM
        numbers = f"{one.hp}/{one.max_hp} HP" if shown else HEALTH[health(one)].of(lang)
        upon = "".join(f", {CONDITIONS[key].of(lang)}" for key in one.conditions)
        upon += f", concentrates on {one.concentration}" if one.concentration else ""
        upon += f", {texts('stances')['lured'].of(lang)}" if one.under(LURED) else ""
        upon += _mood(table, who)
        where = _where(one, table, seat)
        yield (
            f"- {one.name.of(lang)} ({who}, {one.side}): {numbers}, {where}, "
            f"{pace(one)} ft a turn{upon}"
        )
    yield from changes(table, seat)
    yield from ways_out(table, book)


def _mood(table: Table, who: str) -> str:
    """Describe a fighter's mood if words or deeds have changed it."""
    likes = table.tale.attitude(who)
    calmed = f", calmed ({likes:+d})" if likes > 0 else ", angered" if likes < 0 else ""
    return f"{calmed}, has lost heart" if who in table.tale.shaken else calmed


def _clues(table: Table, book: Book, seat: str) -> Iterator[str]:
    """Yield each clue's number with the deed that can find it, which players may know."""
    for key, does in clues(table, book, seat).items():
        yield f"{key} (by: {venture_label(does, book.story).of(table.lang)[:60]})"


def _known(table: Table, book: Book, seat: str) -> list[Spell]:
    me, spells = table.cast.get(seat), book.rules.spells
    return [spells[key] for key in me.spells if key in spells] if me and table.cast.fight else []


def _sold(table: Table, book: Book) -> Iterator[str]:
    for key, one in services(table, book).items():
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
    """Return the lists of ids for a reading's prompt, by the list's label."""
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
        "companions carry": ", ".join(
            f"{item} ({table.name(who)})" for item, who in lendable(table, seat).items()
        ),
        "fallen, and carried along by a take (item)": ", ".join(
            one.id for one in table.party if one.present and not one.conscious and one.id != seat
        ),
        "things": ", ".join(found.things),
        "topics": ", ".join(
            f"{key} ({book.story.talks[key].hint.of(table.lang)[:50]})"
            for key in topics(table, book, seat)
        ),
        UNTOLD: "; ".join(f"{one.key} ({one.text})" for one in tellable(table, book, seat)),
        "clues": ", ".join(_clues(table, book, seat)),
        "darts": "a spell of several darts at several foes: one act for each, count: its darts"
        if any(spell.rays > 1 for spell in _known(table, book, seat))
        else "",
        "sold here": ", ".join(_sold(table, book)),
        "purse": f"{priced(table.expedition.purse, 'en') or 'empty'}",
        "spell slots left": _slots(table, seat),
        UNDER_THEIR_EYES: ", ".join(_snatches(table, book, seat)),
        "possible whenever nobody hostile is near": ", ".join(EVER),
        "skills": ", ".join(one for one in found.skills if "_" not in one),
    }
