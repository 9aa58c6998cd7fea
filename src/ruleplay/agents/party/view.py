"""The table as one seat sees it, as JSON; pages and terminals read nothing else.

It contains nothing that the seat may not know, and nothing that the table has agreed not to hear,
except under `safety`. Names and terms are in the table's language; ids and keys are stable. `seat`
is the one that looks ("table" for spectators). All keys are always present::

    {
      "seat": "thorin",              who looks
      "title": str, "adventure": key, "lang": "en"|"fr",
      "mode": "exploring"|"combat"|"ended",
      "round": int,                  rounds of the table, from 1
      "turn_queue": ["dm", "thorin", ...],
      "current_turn": "thorin",      whose move it is, always true
      "human_active": bool, "controlled_character": "thorin"|null,    (the one-human case)
      "mine": bool,                  this seat is to move and a human holds it
      "paused": {"why": "asked"|"card", "by": seat} | null,
      "seats": [{"seat", "name", "by": "human"|"model"|"policy", "to_move": bool,
                 "fallen": bool, "missed": int, "color": "#rrggbb" | ""}],
      "scene": {"key", "name", "text", "persons": [{"id","name"}], "exits": [{"to","name","open"}],
                "safe": bool},
      "party": [creature],           everyone of the party: what all can see
      "sheet": sheet | null,         the looker's own sheet, in full; the DM has "sheets"
      "sheets": [sheet],             DM: all of them; others: []
      "combat": {"round": int, "order": [combatant], "actor": id} | null,
      "dice": [{"by": id, "name": str, "what": str, "formula": "1d20+5", "faces": [13],
                "kept": [13], "total": 18, "index": int, "seed": str, "replay": "seed/index"}],
                                     rolls of the last turn that this seat may see
      "knowledge": {"secrets": [{"key","text","shared_with": [seat]}],
                    "clues": [{"key","text","shared_with": [seat]}],
                    "whispers": [{"from": seat, "to": [seat], "text", "round"}]},
      "recap": [str],                what this seat remembers, oldest first, bounded
      "callbacks": [{"key","text","planted": round, "returned": bool}],   DM: all; others: seen ones
      "safety": {"on": bool, "lines": [str], "veils": [str]},
      "options": [{"id","label","message": str,     what this seat could do now: quick replies,
                   "action": {"do": "choose", …}}], in words and as an action
      "asked": {"question", "choices": [str]} | null,   what this seat was asked back
      "undone": [str],               what this seat had wanted to do besides, in its own words
      "canon": [{"text", "by": seat}],   details established in play
      "keepsakes": [{"who", "text"}],    worthless things with names
      "ending": {"key","name","text"} | null
    }

creature: {"id","seat"|null,"name","color","race","class","level","ac"|null,"hp"|null,"max_hp"|null,
"health": "unhurt"|"hurt"|"bloodied"|"dying"|"stable"|"dead","conditions":[{"key","name"}],
"concentration": name|null}. Hit points and armour class are there for the party; foes show
`health` alone to everyone but the DM.

combatant: a creature and {"initiative": int, "position": int (feet), "actor": bool,
"side": "party"|"foes"|…, "distance": int|null (feet from the looker), "reach": int|null,
"pace": int|null (feet that a weapon reaches, and a turn leads; of the party alone)}.

sheet: a creature and {"abilities": {"str": {"score","modifier","save"}, …}, "skills": [{"key",
"name","bonus","proficient"}], "attacks": [{"id","name","bonus","damage"}], "spells": [{"id","name",
"level"}], "slots": [{"level","left","max"}], "inventory": [{"id","name","count"}], "features":
[{"id","name","left","max"}], "hit_dice": str, "death_saves": {"passed","failed"}, "xp": int,
"persona": {"personality","goals","bonds","voice"}}.

Actions that a seat may send (`{"action": …}` of a turn), besides plain messages::

    {"do": "play"}                       the seat that is to move plays itself (model or policy)
    {"do": "round"}                      those that nobody holds play on for a round
    {"do": "pass"} | {"do": "timeout"}   a human passes | the time of a human is over
    {"do": "choose", "options": [id, …]}  options of the view, by id, in order
    {"do": "say", "text"}                speak in character without using up the turn
    {"do": "whisper", "to": [seat], "text"}
    {"do": "reveal", "key", "to": [seat] | ["*"]}
    {"do": "hold", "seat", "by": "human"|"model"|"policy", "key": sha256 | ""}
    {"do": "pause"} | {"do": "resume"} | {"do": "card"}
    {"do": "safety", "on": bool, "lines": [str], "veils": [str]}
    {"do": "language", "lang": "en"|"fr"}
    {"do": "look", "topic": "recap"|"sheet"|"scene"|"fight"|"party"|"journal"|"callbacks"|"help"|
                            "rules", "about": str}
"""

from __future__ import annotations

from pydantic import JsonValue

from ruleplay.agents.party.domain.book import Book
from ruleplay.agents.party.domain.choices import choices
from ruleplay.agents.party.domain.creature import Creature
from ruleplay.agents.party.domain.exploration import acts as exploration
from ruleplay.agents.party.domain.knowledge import tellable
from ruleplay.agents.party.domain.recalling import recalled
from ruleplay.agents.party.domain.rules.conditions import pace
from ruleplay.agents.party.domain.safety import sieved
from ruleplay.agents.party.domain.seats import DM, knows
from ruleplay.agents.party.domain.sheets import sheet_of, summary
from ruleplay.agents.party.domain.table import Table
from ruleplay.agents.party.state import State
from ruleplay.records.events import Json


def view(state: State, seat: str, book: Book) -> Json:
    """Return what a seat may see of the table; the module's docstring has the shape."""
    table = state.table
    shown = _seen(state, seat, book)
    return {key: sieved(value, table.safety, table.lang, key) for key, value in shown.items()}


def _seen(state: State, seat: str, book: Book) -> Json:
    """Return what a seat may see, before lines and veils are applied."""
    table, tale = state.table, state.table.tale.known_to(seat)
    ending = book.story.endings.get(table.expedition.ending)
    asked = table.tale.question(seat)
    return {
        "seat": seat,
        "title": book.story.title.of(table.lang),
        "adventure": state.adventure,
        "lang": table.lang,
        "mode": table.mode,
        "round": table.round,
        "turn_queue": [*table.turn_queue],
        "current_turn": table.current_turn,
        "human_active": table.human_active,
        "controlled_character": table.controlled_character,
        "mine": seat == table.current_turn and table.is_held(seat),
        "paused": {"why": table.paused.why, "by": table.paused.by} if table.paused else None,
        "seats": [_seat(name, table) for name in table.turn_queue],
        "scene": _scene(table, book),
        "party": [_creature(one, table, seat) for one in table.party],
        "sheet": next((sheet_of(one, table, book) for one in table.party if one.id == seat), None),
        "sheets": [sheet_of(one, table, book) for one in table.party] if seat == DM else [],
        "combat": _combat(table, seat),
        "dice": _dice(table, seat),
        "knowledge": _knowledge(table, book, seat),
        "recap": [*recalled(table, book, seat)],
        "callbacks": _callbacks(table, book, seat),
        "safety": table.safety.model_dump(mode="json"),
        "options": _options(table, book, seat),
        "asked": {"question": asked.question, "choices": [*asked.choices]} if asked else None,
        "undone": [*table.undone(seat)],
        "canon": [{"text": one.text, "by": one.author} for one in tale.canon],
        "keepsakes": [{"who": one.who, "text": one.text} for one in tale.keepsakes],
        "ending": {
            "key": table.expedition.ending,
            "name": ending.name.of(table.lang),
            "text": ending.text.of(table.lang),
        }
        if ending
        else None,
    }


def _seat(name: str, table: Table) -> Json:
    seat = table.seats[name]
    return {
        "seat": name,
        "name": table.name(name),
        "by": seat.by,
        "to_move": name == table.current_turn and table.mode != "ended",
        "fallen": table.is_fallen(name),
        "color": table.color(name),
        "missed": seat.missed,
    }


def _scene(table: Table, book: Book) -> Json:
    now, lang = table.expedition, table.lang
    if not now.begun:
        return {
            "key": "",
            "name": book.story.title.of(lang),
            "text": book.story.intro.of(lang),
            "persons": [],
            "exits": [],
            "safe": False,
        }
    scene = book.story.scenes[now.scene]
    persons = exploration.persons(now, book.story)
    return {
        "key": now.scene,
        "name": scene.name.of(lang),
        "text": scene.text.of(lang),
        "persons": [{"id": key, "name": one.name.of(lang)} for key, one in persons.items()],
        "exits": [
            {"to": way.to, "name": book.story.scenes[way.to].name.of(lang), "open": True}
            for way in exploration.exits(now, book.story)
        ],
        "safe": scene.safe,
    }


def _creature(one: Creature, table: Table, seat: str) -> Json:
    """Return what a seat sees of a creature; numbers only of the party, or for the DM."""
    shown = {**summary(one, table.lang), "color": table.color(one.id)}
    if one.id in table.seats:
        return shown
    hidden = ("seat",) if seat == DM else ("seat", "ac", "hp", "max_hp", "temp")
    return {**shown, "race": "", **dict.fromkeys(hidden)}


def _combat(table: Table, seat: str) -> Json | None:
    fight = table.cast.fight
    if fight is None:
        return None
    me = table.cast.get(seat)
    order: list[JsonValue] = []
    for who, initiative in zip(fight.order, fight.initiative, strict=True):
        one = table.cast.get(who)
        if one is None:
            continue
        away = abs(one.position - me.position) if me else None
        known = one.id in table.seats or seat == DM
        order.append(
            {
                **_creature(one, table, seat),
                "initiative": initiative,
                "position": one.position,
                "actor": who == fight.actor,
                "side": one.side,
                "distance": away,
                "reach": max((each.reach for each in one.attacks), default=0) if known else None,
                "pace": pace(one) if known else None,
                "gone": one.gone,
            }
        )
    return {"round": fight.round, "order": order, "actor": fight.actor}


def _dice(table: Table, seat: str) -> list[JsonValue]:
    return [
        {
            "by": one.by,
            "name": table.name(one.by),
            "what": one.what,
            **one.roll.model_dump(mode="json", exclude={"modifier"}),
            "seed": table.cast.dice_seed,
            "replay": f"{table.cast.dice_seed}/{one.roll.index}",
        }
        for one in table.rolled
        if knows(seat, one.audience)
    ]


def _knowledge(table: Table, book: Book, seat: str) -> Json:
    found: dict[str, list[JsonValue]] = {"secrets": [], "clues": [], "whispers": []}
    for one in tellable(table, book, seat):
        kind = "clues" if one.kind == "clue" else "secrets"
        whom = [name for name in one.audience if name not in (seat, DM)]
        found[kind].append({"key": one.key, "text": one.text, "shared_with": [*whom]})
    memory = table.memories.get(seat)
    for line in memory.lines if memory else ():
        if line.kind == "whisper":
            heard: Json = {"from": line.about, "to": [*line.other.split()], "text": line.value}
            found["whispers"].append({**heard, "round": line.round})
    return {name: [*listed] for name, listed in found.items()}


def _callbacks(table: Table, book: Book, seat: str) -> list[JsonValue]:
    """Return the details planted so far, with their payoff once they have returned."""
    now, lang = table.expedition, table.lang
    return [
        {
            "key": key,
            "text": book.story.details[key].text.of(lang),
            "returned": key in now.returned,
            "payoff": book.story.details[key].payoff.of(lang) if key in now.returned else None,
        }
        for key in now.planted
    ]


def _options(table: Table, book: Book, seat: str) -> list[JsonValue]:
    if seat != table.current_turn or table.paused or table.mode == "ended":
        return []
    return [
        {
            "id": one.id,
            "label": one.label.of(table.lang),
            "message": one.label.of(table.lang),
            "action": {"do": "choose", "options": [one.id]},
        }
        for one in choices(table, book, seat)
    ]
