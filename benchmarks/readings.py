"""How free inputs are read: `python -m benchmarks.readings FILE… [--show]`.

Each row has an input, where it was written and the reading that was meant. The place is built, the
input read by the rules, and what came of it counted: as meant, asked back, something else, or
something else that costs.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from ruleplay.agents.saga.adapters.library import open_book
from ruleplay.agents.saga.domain import spoils
from ruleplay.agents.saga.domain.creation import DEFAULT, make_sheet
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.play import Play
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.nodes import fight, hear
from ruleplay.agents.saga.policy.parsing import parse
from ruleplay.agents.saga.state import Draft, Heard, State
from ruleplay.records.given import Given

Row = Mapping[str, object]
SCENES = {
    "inn": ("greenway-lamp", "inn", ""),
    "toll_story": ("greenway-lamp", "greenway", ""),
    "toll": ("greenway-lamp", "greenway", "ruffians"),
    "rudge_last": ("greenway-lamp", "greenway", "ruffians"),
    "quay": ("grey-debt", "quay", ""),
    "landing": ("grey-debt", "landing", ""),
    "bridge": ("grey-debt", "bridge", ""),
}
"""Scenes that rows name: scenario, place, and the fight that is on."""
KINDS = {
    **dict.fromkeys(("travel", "close_in", "withdraw"), "move"),
    **dict.fromkeys(("talk", "parley", "intimidate"), "say"),
    **dict.fromkeys(("attack", "trigger_combat"), "attack"),
    **dict.fromkeys(("look", "status", "inventory", "sheet", "journal", "map", "help"), "ask"),
    **dict.fromkeys(("search", "sneak"), "check"),
    **dict.fromkeys(("defend", "guard", "aim"), "guard"),
    **dict.fromkeys(("pass", "wait"), "wait"),
    **dict.fromkeys(("buy", "sell", "train"), "trade"),
    **dict.fromkeys(("rest", "deed"), "pick"),
}
COSTLY = {"attack", "give", "trade", "yield", "flee"}
SAME = {"move": {"flee"}, "flourish": {"wait", "vain"}, "check": {"attack", "rule", "pick"}}
"""Kinds that may stand for each other where neither costs what was not meant."""
QUOTED = re.compile(r"«\s*([^»]+?)\s*»|'([^']+)'")


def kinds_heard(heard: Heard, items: Collection[str]) -> set[str]:
    """Return what was heard as kinds of acts; wanting what nobody sells costs nothing."""
    idle = ("buy", "sell")
    found = {KINDS.get(one.act, one.act) for one in heard.intents if one.act not in idle}
    found |= {"trade" if one.item in items else "say" for one in heard.intents if one.act in idle}
    for act in heard.acts:
        found.add(_kind(act.do, act.item))
    return found


def kinds_meant(row: Row) -> set[str]:
    """Return the kinds of acts that a row means; what else is well is in words."""
    reading = row["reading"]
    assert isinstance(reading, dict)
    found = {_kind(act["do"], act.get("item", "")) for act in reading.get("acts", ())}
    named = " ".join(str(one) for one in _listed(row.get("also_ok"))).casefold()
    if "question" in named or reading.get("question"):
        found.add("question")
    return found | {
        kind for kind in ("say", "check", "flourish", "move", "vain", "ask") if kind in named
    }


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value] if value else []


def _kind(do: str, item: str) -> str:
    if do == "rule":
        return KINDS.get(item, item)
    if do == "pick":
        return "trade" if item.startswith(("buy", "sell", "train")) else "pick"
    return "say" if do == "follow" else do


def judged(heard: Heard, meant: set[str], items: Collection[str]) -> str:
    """Return how a reading compares with what was meant."""
    if heard.question:
        return "as meant" if "question" in meant else "asked"
    found = kinds_heard(heard, items)
    close = {one for kind in found for one in (kind, *SAME.get(kind, ()))}
    if (found & COSTLY) - meant and not ("flee" in found and "move" in meant):
        return "costly wrong"
    return "as meant" if close & meant else "wrong"


def place_of(row: Row) -> tuple[Game, Book] | None:
    """Return the game that a row was written in; None where it is another agent's."""
    scene = str(row.get("scene", ""))
    if scene in SCENES:
        scenario, place, encounter = SCENES[scene]
        lang = "fr" if scenario == "grey-debt" else "en"
        return _at(scenario, place, encounter, lang)
    state = str(row.get("state", ""))
    scenario = next((one for one in ("greenway-lamp", "grey-debt") if one in state), "")
    if row.get("agent") != "saga" or not scenario:
        return None
    game, book = _at(scenario, "", "", str(row.get("lang", "en")))
    said = ["begin", *("".join(found) for found in QUOTED.findall(state))]
    for words in said:
        game = step(game, book, words)
    return game, book


def _at(scenario: str, place: str, encounter: str, lang: str) -> tuple[Game, Book]:
    book = open_book(scenario)
    sheet = make_sheet(book.rules, "Maren", "human", "bree", DEFAULT, {})
    there = place if place in book.scenario.places else book.scenario.start
    game = Game.model_validate(
        {"dice_seed": "0", "lang": lang, "sheet": sheet, "place": there, "haven": there}
    )
    if place:
        game = game.model_copy(update={"visited": (there,)})
    if encounter:
        play = Play(game, book)
        spoils.trigger(play, encounter)
        game = play.game
    return game, book


def step(game: Game, book: Book, words: str) -> Game:
    """Return the game after somebody has said something, by the rules alone."""
    play = Play(game, book)
    heard = parse(words, game, book)
    if game.fight:
        state = State(game=game, scenario=book.scenario.key)
        draft = Draft(before=state, given=Given(message=words), seat="player", reading=heard)
        fight(play, draft, {})
    else:
        hear(play, heard)
    return play.game


def counted(file: Path, *, show: bool) -> Counter[str]:
    """Read a file's rows and count the verdicts."""
    counts: Counter[str] = Counter()
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (there := place_of(row)) is None:
            continue
        heard, items = parse(row["input"], *there), there[1].rules.items
        verdict = judged(heard, kinds_meant(row), items)
        counts[verdict] += 1
        if show and verdict != "as meant":
            print(f"  {verdict}: {row['input']}")  # noqa: T201
            print(f"    {kinds_heard(heard, items)}, meant {kinds_meant(row)}")  # noqa: T201
    return counts


def main() -> None:
    """Read every row and print the counts."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readings")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", action="store_true", help="print what was not read as meant")
    asked = parser.parse_args()
    found = {file.name: counted(file, show=asked.show) for file in asked.files}
    whole = sum(found.values(), Counter[str]())
    print(json.dumps({**found, "all": whole}, indent=2))  # noqa: T201


if __name__ == "__main__":
    main()
