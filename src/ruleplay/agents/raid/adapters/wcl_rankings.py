"""Fetches bosses' rankings from Warcraft Logs: top players of each class, fastest raids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ruleplay.agents.raid.adapters.rankings import store_rankings
from ruleplay.agents.raid.adapters.wcl_client import Client, Json, number_in, object_in
from ruleplay.agents.raid.adapters.wcl_queries import FIGHT_RANKINGS, PLAYER_RANKINGS
from ruleplay.agents.raid.domain.rankings import BossRankings, Ranking, Speed
from ruleplay.agents.raid.domain.translation import Translation

_TOP = 10
_HEALING = frozenset({"Priest", "Paladin", "Shaman", "Druid"})
_CLASSES = _HEALING | {"Warrior", "Rogue", "Hunter", "Mage", "Warlock"}


def fetch_rankings(client: Client, translation: Translation, home: Path) -> int:
    """Store each killed boss's fastest raids, and the top players of the classes in the report."""
    stored = 0
    seen = {actor.subType for actor in translation.actors.values() if actor.type == "Player"}
    classes = sorted(seen & _CLASSES)
    bosses = {f.encounterID: f.name for f in translation.fights if f.encounterID and f.kill}
    for encounter, name in sorted(bosses.items()):
        players = tuple(_players(client, encounter, name, classes))
        raids = tuple(_raids(client, encounter, name))
        store_rankings(
            home,
            BossRankings(encounter_id=encounter, encounter=name, players=players, raids=raids),
        )
        stored += len(players) + len(raids)
    return stored


def _players(
    client: Client, encounter: int, name: str, classes: Sequence[str]
) -> Iterator[Ranking]:
    """Yield the top ten of each spec of the classes; ranks count within metric, class and spec."""
    for class_name in classes:
        for metric in ("dps", "hps") if class_name in _HEALING else ("dps",):
            asked = {"encounter": encounter, "metric": metric, "className": class_name}
            places = Counter[str]()
            for row in _ranked(client.query(PLAYER_RANKINGS, **asked), "characterRankings"):
                spec = str(row.get("spec", ""))[:40]
                places[spec] += 1
                if places[spec] <= _TOP:
                    yield _ranking(row, encounter, name, (class_name, spec, metric), places[spec])


def _ranking(
    row: Json, encounter: int, name: str, among: tuple[str, str, str], rank: int
) -> Ranking:
    return Ranking(
        encounter_id=encounter,
        encounter=name,
        rank=rank,
        player=str(row.get("name", ""))[:120],
        class_name=among[0],
        spec=among[1],
        metric=among[2],
        value=number_in(row, "amount"),
        seconds=number_in(row, "duration") / 1000,
        server=_named(row.get("server")),
        report=_code(row.get("report")),
    )


def _raids(client: Client, encounter: int, name: str) -> Iterator[Speed]:
    data = client.query(FIGHT_RANKINGS, encounter=encounter)
    for place, row in enumerate(_ranked(data, "fightRankings")[:_TOP], 1):
        yield Speed(
            encounter_id=encounter,
            encounter=name,
            rank=place,
            guild=_named(row.get("guild")),
            seconds=number_in(row, "duration") / 1000,
            report=_code(row.get("report")),
        )


def _ranked(data: Json, which: str) -> list[Json]:
    found = object_in(object_in(object_in(data, "worldData"), "encounter"), which).get("rankings")
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _named(value: object) -> str:
    return str(value.get("name", ""))[:120] if isinstance(value, dict) else ""


def _code(value: object) -> str:
    return str(value.get("code", ""))[:40] if isinstance(value, dict) else ""
