"""Making heroes over HTTP: what there is to choose, and what the rules have against a choice."""

from __future__ import annotations

import httpx
import pytest

HERO = {
    "name": "Halla",
    "race": "human",
    "culture": "bree",
    "stats": {
        "strength": 12,
        "agility": 14,
        "constitution": 13,
        "intelligence": 10,
        "wisdom": 12,
        "charisma": 12,
    },
    "skills": {"lore": 2},
}


async def test_what_there_is_to_choose_makes_a_legal_hero(client: httpx.AsyncClient) -> None:
    choices = (await client.get("/api/saga/creation")).json()
    assert {one["id"] for one in choices["scenarios"]} >= {"greenway-lamp", "grey-debt"}
    prices = {one["score"]: one["points"] for one in choices["prices"]}
    for race in choices["races"]:
        for culture in race["cultures"]:
            stats = {stat["id"]: stat["score"] for stat in choices["stats"]}
            hero = {"name": "Halla", "race": race["id"], "culture": culture, "stats": stats}
            found = (await client.post("/api/saga/heroes/check", json=hero)).json()
            assert (found["legal"], found["problems"]) == (True, [])
            assert found["points"] == sum(prices[score] for score in stats.values())
            assert found["points"] <= choices["budget"]
            bonus = race["bonuses"]
            assert found["scores"] == {k: v + bonus.get(k, 0) for k, v in stats.items()}
            config = {**hero, "scenario": "grey-debt", "lang": "fr"}
            made = await client.post("/api/sessions", json={"agent": "saga", "config": config})
            assert made.json()["view"]["sheet"]["max_hp"] == found["hp"]
            assert made.json()["title"] == "La Dette grise · Halla"


@pytest.mark.parametrize(
    ("change", "en", "fr"),
    [
        ({"name": "x"}, "the name 'x' cannot be used", "le nom 'x' ne convient pas"),
        ({"culture": "shire"}, "no culture 'shire' for 'human'", "pas de culture 'shire'"),
        ({"race": "ent"}, "no race 'ent'", "pas de peuple 'ent'"),
        ({"stats": {**HERO["stats"], "agility": 17}}, "agility 17 is out of", "Agilité 17 est"),
        ({"stats": {**HERO["stats"], "agility": 16}}, "cost 29 points of 25", "29 points sur 25"),
        ({"skills": {"lore": 3}}, "rank 3 of 'lore'", "rang 3 en savoir"),
        ({"skills": {"lore": 2, "stealth": 2, "healing": 1}}, "5 skill ranks of 4", "5 rangs"),
    ],
)
async def test_what_is_wrong_is_told_in_both_languages(
    client: httpx.AsyncClient, change: dict[str, object], en: str, fr: str
) -> None:
    found = (await client.post("/api/saga/heroes/check", json={**HERO, **change})).json()
    assert not found["legal"]
    assert found["hp"] is None
    assert any(en in one["en"] and fr in one["fr"] for one in found["problems"]), found
    config = {"config": {**HERO, **change, "lang": "fr"}}
    refused = await client.post("/api/sessions", json={"agent": "saga", **config})
    assert refused.status_code == 422
    assert fr in refused.json()["detail"]


async def test_nonsense_is_a_problem_not_an_error(client: httpx.AsyncClient) -> None:
    for stats in ({"luck": 10}, {}, {"agility": 10**9}):
        answer = await client.post("/api/saga/heroes/check", json={**HERO, "stats": stats})
        assert answer.status_code in (200, 400, 422)
        assert "legal" not in answer.json() or not answer.json()["legal"]
