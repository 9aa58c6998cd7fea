"""The player's view of a saga as JSON: scene, sheet, fight, belongings, map, journal."""

from __future__ import annotations

from typing import cast

from pydantic import JsonValue

from ruleplay.agents.saga.domain import surroundings
from ruleplay.agents.saga.domain.dice import modifier
from ruleplay.agents.saga.domain.fight import Combatant, Fight
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.mapmaking import spots
from ruleplay.agents.saga.domain.offers import suggestions
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.sheet import next_level_at
from ruleplay.agents.saga.state import (
    CombatTurnContinuePayload,
    CombatTurnEndPayload,
    NarrativeResponsePayload,
    NarrativeTriggerCombatPayload,
    Payload,
    Rewards,
    State,
)
from ruleplay.records.events import Json
from ruleplay.story.texts import Lang, Text, texts_in

OUTCOMES = texts_in("ruleplay.agents.saga", "outcomes.json")


def view(state: State, book: Book) -> Json:
    """Return everything that the page shows, and nothing that the player has not found out."""
    game = state.game
    lang = game.lang
    return {
        "title": book.scenario.title.of(lang),
        "scenario": state.scenario,
        "lang": lang,
        "session_mode": game.mode,
        "history_kind": "combat" if state.channel.startswith("combat:") else "narrative",
        "output": output(state, book),
        "day": game.day,
        "scene": _scene(game, book),
        "sheet": _sheet(game, book),
        "inventory": _inventory(game, book),
        "combat": _combat(game.fight, lang, book) if game.fight else None,
        "combat_state": _combat_state(game, book) if game.fight else None,
        "last_combat_result": _last_result(game, book),
        "map": _map(game, book),
        "journal": [*chronicle_lines(game, book)],
        "secrets": [book.scenario.secrets[key].text.of(lang) for key in game.secrets],
        "quick_replies": [*suggestions(game, book)],
        "dead": game.dead,
        "ending": _ending(game, book),
        "asked": game.story.asked.model_dump(mode="json", include={"question", "choices"})
        if game.story.asked
        else None,
        "style": game.story.style.model_dump(mode="json"),
        "company": [
            surroundings.known_name(game, book, who).of(lang)
            for who in game.story.company
            if who in book.scenario.persons
        ],
        "keepsakes": [*surroundings.keepsakes(game)],
        "dice_seed": game.dice_seed,
        "draws": game.draws,
    }


def payload_of(state: State, book: Book, narration: str = "") -> Payload:
    """Return the last turn's typed result; its numbers come from the state, never from a model."""
    game = state.game
    match state.payload:
        case "NarrativeTriggerCombatPayload" if game.fight:
            return NarrativeTriggerCombatPayload(narration=narration, combat_seed=game.fight)
        case "CombatTurnEndPayload" if game.last_result:
            won, names = game.last_result, book.rules.items
            rewards = Rewards(
                xp_gained=won.xp_gained,
                gold_gained=won.gold_gained,
                loot=tuple(names[item].name.of(game.lang) for item in won.loot),
                summary=_line(("fight", won.encounter, won.outcome), game.lang, book),
            )
            return CombatTurnEndPayload(narration=narration, outcome=won.outcome, rewards=rewards)
        case "CombatTurnContinuePayload":
            return CombatTurnContinuePayload(narration=narration)
        case _:
            return NarrativeResponsePayload(narration=narration, hints=state.hints)


def output(state: State, book: Book) -> Json:
    """Return the typed result as JSON without the narration, which is the turn's reply."""
    body = payload_of(state, book).model_dump(mode="json", exclude={"narration"})
    return {"type": state.payload, **body}


def _scene(game: Game, book: Book) -> Json:
    place, lang = surroundings.here(game, book), game.lang
    persons = surroundings.persons(game, book)
    return {
        "place": game.place,
        "name": place.name.of(lang),
        "text": place.text.of(lang) if game.visited else book.scenario.intro.of(lang),
        "safe": place.safe,
        "persons": [{"id": key, "name": one.name.of(lang)} for key, one in persons.items()],
        "exits": [
            {"to": way.to, "name": book.scenario.places[way.to].name.of(lang)}
            for way in surroundings.exits(game, book)
        ],
        "deeds": [deed.hint.of(lang) for deed in surroundings.deeds(game, book).values()],
        "threat": bool(not game.fight and surroundings.waiting(game, book)),
    }


def _sheet(game: Game, book: Book) -> Json:
    sheet, rules, lang = game.sheet, book.rules, game.lang
    weapon, armour = rules.items.get(sheet.weapon), rules.items.get(sheet.armour)
    return {
        "name": sheet.name,
        "race": rules.races[sheet.race].name.of(lang),
        "culture": rules.cultures[sheet.culture].name.of(lang),
        "level": sheet.level,
        "xp": sheet.xp,
        "next_level": next_level_at(sheet.level),
        "points": sheet.points,
        "hp": game.hp,
        "max_hp": sheet.max_hp,
        "stats": [
            {
                "name": rules.characteristics[key].name.of(lang),
                "score": score,
                "modifier": modifier(score),
            }
            for key, score in sheet.stats.items()
        ],
        "skills": [
            {
                "name": rules.skills[key].name.of(lang),
                "rank": rank,
                "bonus": sheet.bonus(key, rules.skills[key].stat),
            }
            for key, rank in sheet.skills.items()
        ],
        "weapon": {"name": weapon.name.of(lang), "damage": weapon.damage} if weapon else None,
        "armour": {"name": armour.name.of(lang), "absorbs": armour.absorbs} if armour else None,
        "coin": sheet.coin,
    }


def _inventory(game: Game, book: Book) -> list[JsonValue]:
    sheet = game.sheet
    return [
        {
            "item": one.item,
            "name": book.rules.items[one.item].name.of(game.lang),
            "count": one.count,
            "kind": book.rules.items[one.item].kind,
            "in_use": one.item in (sheet.weapon, sheet.armour),
        }
        for one in sheet.carried
    ]


def _combat(fight: Fight, lang: Lang, book: Book) -> Json:
    order: list[JsonValue] = []
    for who, total in zip(fight.order, fight.initiative, strict=True):
        one = fight.the(who)
        weapon = book.rules.items.get(one.weapon)
        order.append(
            {
                "id": who,
                "name": one.name.of(lang),
                "side": one.side,
                "hp": one.hp,
                "max_hp": one.max_hp,
                "initiative": total,
                "moves": who == fight.actor,
                "alive": one.alive,
                "fled": one.fled,
                "far": one.far,
                "weapon": weapon.name.of(lang) if weapon else "",
                "statuses": [{"kind": s.kind, "rounds": s.rounds} for s in one.statuses],
            }
        )
    left: list[JsonValue] = [cost for cost in ("major", "minor") if cost not in fight.spent]
    return {"combat_id": fight.combat_id, "round": fight.round, "order": order, "left": left}


def _combat_state(game: Game, book: Book) -> Json:
    """Return the fight as the rules have it, with place and fighters by name."""
    fight, lang = game.fight, game.lang
    if fight is None:
        return {}
    return {
        **fight.model_dump(mode="json"),
        "place_name": book.scenario.places[fight.place].name.of(lang),
        "participants": [
            {"id": one.id, "name": one.name.of(lang), "side": one.side, "status": _fate(one)}
            for one in fight.combatants
        ],
    }


def _fate(one: Combatant) -> str:
    if not one.alive:
        return "dead"
    return "fled" if one.fled else "yielded" if one.yielded else "fighting"


def _last_result(game: Game, book: Book) -> Json | None:
    """Return the last fight's outcome, its rewards by name, and everybody's fate."""
    won, lang = game.last_result, game.lang
    if won is None:
        return None
    encounter = book.scenario.encounters.get(won.encounter)
    foes = {f"foe{n}": foe for n, foe in enumerate(encounter.foes if encounter else (), 1)}
    over = won.outcome in ("player_win", "npc_flee")
    fates: list[JsonValue] = [
        {"name": game.sheet.name, "fate": HERO_FATES.get(won.outcome, "alive")}
    ]
    for who, foe in foes.items():
        gave_up = surroundings.gave_up(won.encounter, who) in game.flags
        fled = over or f"fled:{won.encounter}:{who}" in game.flags
        left = "fled" if fled else "alive"
        fate = "dead" if who in won.fallen else "yielded" if gave_up else left
        fates.append({"name": foe.name.of(lang), "fate": fate})
    return {
        **won.model_dump(mode="json"),
        "gold": won.gold_gained,
        "loot_names": [book.rules.items[item].name.of(lang) for item in won.loot],
        "summary": _line(("fight", won.encounter, won.outcome), lang, book),
        "combatants": fates,
    }


def last_fight(game: Game, book: Book) -> list[str]:
    """Sum up the last fight in at most two lines: how it ended, and the foes' fates."""
    result = _last_result(game, book)
    if result is None or game.last_result is None or not result["summary"]:
        return []
    fates = [
        OUTCOMES[str(one["fate"])].of(game.lang).format(one["name"])
        for one in cast("list[dict[str, str]]", result["combatants"])[1:]
    ]
    return [line for line in (str(result["summary"]), ", ".join(fates)) if line]


SHORT = 200
"""Most characters of a text that a line of the recap or journal shows."""


def shortly(text: str) -> str:
    """Return the first sentences of a text up to `SHORT` characters; one too long is cut."""
    if len(text) <= SHORT:
        return text
    cut = text[:SHORT]
    end = max(cut.rfind(stop) for stop in (". ", "! ", "? ", "” ", "» "))
    return cut[: end + 1] if end > 0 else f"{cut.rsplit(' ', 1)[0]}…"


HERO_FATES = {"player_die": "dead", "player_flee": "fled"}


def _map(game: Game, book: Book) -> Json:
    """Return the graph of places that were visited or can be reached from these."""
    places = book.scenario.places
    ways = {
        (key, way.to)
        for key in game.visited
        for way in places[key].exits
        if way.when.holds(game.flags)
    }
    known = sorted({*game.visited, *(to for _, to in ways)})
    at = spots(book.scenario)
    return {
        "here": game.place,
        "places": [
            {
                "id": key,
                "name": places[key].name.of(game.lang),
                "visited": key in game.visited,
                "at": [*at[key]],
            }
            for key in known
        ],
        "ways": [{"from": a, "to": b} for a, b in sorted(ways)],
    }


def _ending(game: Game, book: Book) -> Json | None:
    if not game.ending:
        return None
    if game.ending not in book.scenario.endings:
        name = Text(en="the road home", fr="le chemin du retour").of(game.lang)
        return {"key": game.ending, "name": name, "tone": "bitter"}
    ending = book.scenario.endings[game.ending]
    return {"key": game.ending, "name": ending.name.of(game.lang), "tone": ending.tone}


def chronicle_lines(game: Game, book: Book) -> list[str]:
    """Return the chronicle as sentences; entries without words are left out."""
    return [line for entry in game.chronicle if (line := _line(entry, game.lang, book))]


def _line(entry: tuple[str, str, str], lang: Lang, book: Book) -> str:  # noqa: C901  # one case a kind
    kind, key, value = entry
    story = book.scenario
    match kind:
        case "secret":
            return story.secrets[key].text.of(lang)
        case "talk":
            if asked := story.talks[key].hint:
                return asked.of(lang)
            person = story.persons[story.talks[key].person].name.of(lang)
            return Text(en="spoke with {0}", fr="conversation : {0}").of(lang).format(person)
        case "deed":
            failed = Text(en="in vain: {0}", fr="en vain : {0}").of(lang)
            hint = story.deeds[key].hint.of(lang)
            return failed.format(hint) if value == "failure" else hint
        case "avoided":
            who = ", ".join(foe.name.of(lang) for foe in story.encounters[key].foes)
            return Text(en="got past {0}", fr="passage en évitant {0}").of(lang).format(who)
        case "clue" | "clock":
            section = story.clues[key] if kind == "clue" else story.clocks[key]
            return shortly(section.text.of(lang))
        case "joined" | "parted" if key in story.persons:
            came = Text(en="{0} came along", fr="{0} : en votre compagnie")
            went = Text(en="{0} went their way", fr="{0} : de son côté")
            return (
                {"joined": came, "parted": went}[kind]
                .of(lang)
                .format(story.persons[key].name.of(lang))
            )
        case "fight" if key in story.encounters:
            who = ", ".join(foe.name.of(lang) for foe in story.encounters[key].foes)
            return OUTCOMES[value].of(lang).format(who)
        case "item":
            return "+ " + book.rules.items[key].name.of(lang)
        case "level":
            return Text(en="level {0}", fr="niveau {0}").of(lang).format(value)
        case "ending":
            return story.endings[key].name.of(lang)
        case "returned":
            return Text(en="came back from death", fr="retour d'entre les morts").of(lang)
        case "place":
            return "→ " + story.places[key].name.of(lang)
        case _:
            return ""
