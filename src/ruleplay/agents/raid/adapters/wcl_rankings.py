"""Fetches a boss's rankings from Warcraft Logs: top players per class, and fastest raids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ruleplay.agents.raid.adapters.rankings import store_rankings
from ruleplay.agents.raid.adapters.wcl_client import Client, Json, number_in, object_in
from ruleplay.agents.raid.adapters.wcl_queries import FIGHT_RANKINGS, PARSES, PLAYER_RANKINGS
from ruleplay.agents.raid.domain.rankings import BossRankings, Parse, Ranking, Speed
from ruleplay.agents.raid.domain.translation import Translation

_TOP = 10
_HEALING = frozenset({"Priest", "Paladin", "Shaman", "Druid", "Monk", "Evoker"})
_CLASSES = _HEALING | {
    *("Warrior", "Rogue", "Hunter", "Mage", "Warlock", "DeathKnight", "DemonHunter")
}


def fetch_rankings(client: Client, translation: Translation, home: Path) -> int:
    """Store each killed boss's fastest raids, and top players of the classes in the report."""
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


def fetch_parses(client: Client, translation: Translation) -> tuple[Parse, ...]:
    """Fetch the rankings of the report's own kills; empty if none is ranked."""
    report = object_in(client.query(PARSES, code=translation.code), "reportData").get("report")
    told = report.get("rankings") if isinstance(report, dict) else None
    rows = told.get("data") if isinstance(told, dict) else None
    found = (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()
    return tuple(parse for row in found for parse in _parses(row, translation))


def _parses(row: Json, translation: Translation) -> Iterator[Parse]:
    number, roles = row.get("fightID"), row.get("roles")
    pull = translation.pull_of(str(number))
    if pull is None or not isinstance(roles, dict):
        return
    for role, told in roles.items():
        ranked = told.get("characters") if isinstance(told, dict) else None
        for one in ranked if isinstance(ranked, list) else ():
            if isinstance(one, dict) and "name_2" not in one:  # a pair of healers ranked together
                yield Parse(
                    fight=pull,
                    encounter=_named(row.get("encounter")),
                    player=str(one.get("name", ""))[:120],
                    class_name=str(one.get("class", ""))[:40],
                    spec=str(one.get("spec", ""))[:40],
                    role={"tanks": "tank", "healers": "healer"}.get(role, "damage"),
                    amount=_number(one.get("amount")) or 0.0,
                    percent=_number(one.get("rankPercent")),
                    bracket_percent=_number(one.get("bracketPercent")),
                    item_level=_number(one.get("bracketData")),
                )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _players(
    client: Client, encounter: int, name: str, classes: Sequence[str]
) -> Iterator[Ranking]:
    """Yield the top ten of each spec of the classes; ranks count per metric, class and spec."""
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
