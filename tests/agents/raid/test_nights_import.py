"""The nights through the real importer: nothing unparsed, and what it finds is what happened."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.raid.nights.__main__ import written
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import FULL_NIGHT, PullPlan
from benchmarks.raid.nights.truth import GroundTruth
from tests.agents.raid.wcl_stub import CODE, WclStub, from_lines

from ruleplay.agents.raid.adapters import demo
from ruleplay.agents.raid.adapters import warcraftlogs as wcl
from ruleplay.agents.raid.adapters.demo import ensure_demo
from ruleplay.agents.raid.adapters.log_import import ImportReport, import_logs
from ruleplay.agents.raid.adapters.reports import Report, open_reports
from ruleplay.agents.raid.adapters.wcl_client import Client
from ruleplay.agents.raid.domain.columns import DAMAGE_EVENTS

PLAN = replace(FULL_NIGHT, health=0.1)
DAMAGE = ", ".join(f"'{event}'" for event in DAMAGE_EVENTS)
Stored = tuple[Report, GroundTruth, ImportReport]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    home = tmp_path_factory.mktemp("home")
    lines, truth = generate_night(9, PLAN)
    path = home / "night.txt"
    path.write_text("".join(lines), encoding="utf-8")
    told = import_logs((path,), home)
    return open_reports(home).open(told.report), truth, told


def sums(report: Report, of: str, where: str) -> dict[str, int]:
    _, rows = report.query(
        f"SELECT a.name, sum({of}) FROM events e JOIN actors a ON a.id = {where} GROUP BY a.name"
    )
    return {str(name): int(str(value)) for name, value in rows}


def test_every_line_is_read(stored: Stored) -> None:
    _, truth, told = stored
    assert (told.unparsed, told.lines) == (0, truth.lines)
    assert told.verified


def test_pulls_are_those_of_the_night(stored: Stored) -> None:
    _, truth, told = stored
    found = [(p.fight, p.id, p.name, p.kill, p.seconds, p.players) for p in told.encounters]
    expected = [(p.fight, p.encounter, p.name, p.kill, p.seconds, 25) for p in truth.pulls]
    assert [row[:4] + row[5:] for row in found] == [row[:4] + row[5:] for row in expected]
    assert [row[4] for row in found] == pytest.approx([row[4] for row in expected], abs=0.06)


def test_totals_are_those_of_the_night(stored: Stored) -> None:
    report, truth, _ = stored
    counted = f"CASE WHEN e.counts AND e.event IN ({DAMAGE}) THEN e.amount ELSE 0 END"
    heals = "e.event IN ('SPELL_HEAL', 'SPELL_PERIODIC_HEAL')"
    healed = f"CASE WHEN {heals} THEN e.amount - e.over ELSE 0 END"
    damage, pets = sums(report, counted, "e.source"), sums(report, counted, "e.owner")
    healing, taken = sums(report, healed, "e.source"), sums(report, counted, "e.target")
    for name, total in truth.totals.items():
        assert damage[name] == total.damage
        assert pets.get(name, 0) == total.pet_damage
        assert healing.get(name, 0) == total.healing
        assert taken[name] == total.taken


def test_who_is_who_is_recognised(stored: Stored) -> None:
    report, truth, _ = stored
    _, rows = report.query("SELECT name, class, spec, role FROM actors WHERE kind = 'player'")
    found = {str(name): (cls, role) for name, cls, _, role in rows}
    assert found == {n: (cls, truth.roles[n]) for n, (cls, _) in truth.classes.items()}
    _, pets = report.query(
        "SELECT p.guid, o.name FROM actors p JOIN actors o ON o.id = p.owner WHERE p.kind = 'pet'"
    )
    assert dict(pets) == truth.pets  # type: ignore[comparison-overlap]


def test_what_was_forgotten_shows_in_the_gear(stored: Stored) -> None:
    report, truth, _ = stored
    for name, slot in truth.no_enchant:
        _, rows = report.query(
            "SELECT DISTINCT g.enchant FROM gear g JOIN actors a ON a.id = g.actor"
            " WHERE a.name = $name AND g.slot = $slot",
            {"name": name, "slot": slot},
        )
        assert rows == [(None,)]
    _, auras = report.query(
        "SELECT DISTINCT a.name FROM pull_auras u JOIN actors a ON a.id = u.actor"
        " WHERE u.spell_id IN (28518, 28519, 28520, 28540)"
    )
    assert {str(name) for (name,) in auras} == truth.totals.keys() - set(truth.no_flask)


def test_the_demo_is_made_once_and_stays_deleted(tmp_path: Path) -> None:
    assert ensure_demo(tmp_path)
    reports = open_reports(tmp_path)
    assert len(reports.codes()) == len(demo.NAMES)
    for code in reports.codes():
        assert reports.open(code).manifest.unparsed == 0
    assert not ensure_demo(tmp_path)
    (tmp_path / "raid" / demo.MARK).unlink()
    assert ensure_demo(tmp_path)
    assert len(open_reports(tmp_path).codes()) == len(demo.NAMES)


def test_the_demo_compares_a_kill_over_two_weeks(tmp_path: Path) -> None:
    assert ensure_demo(tmp_path)
    reports = open_reports(tmp_path)
    kills = [
        {name for (name,) in reports.open(code).query("SELECT name FROM encounters WHERE kill")[1]}
        for code in reports.codes()
    ]
    assert len(kills[0] & kills[1]) >= 2


def test_a_report_of_warcraft_logs_lands_in_the_same_store(tmp_path: Path) -> None:
    plan = replace(PLAN, pulls=(PullPlan(650, "tank"), PullPlan(651, trash=0)))
    lines, truth = generate_night(5, plan)
    with WclStub(from_lines(list(lines)), page=2000) as stub:
        client = Client("me", "secret", stub.url)
        told = wcl.import_wcl(CODE, tmp_path, client)
        again = wcl.import_wcl(CODE, tmp_path, client, rankings=False)
        client.close()
    assert told.unparsed == told.malformed == 0
    assert told.fetched > told.lines * 0.6
    assert told.rankings == 20
    assert told.report == again.report
    assert [p.kill for p in told.encounters] == [p.kill for p in truth.pulls]
    report = open_reports(tmp_path).open(told.report)
    counted = f"CASE WHEN e.counts AND e.event IN ({DAMAGE}) THEN e.amount ELSE 0 END"
    damage, pets = sums(report, counted, "e.source"), sums(report, counted, "e.owner")
    for name, total in truth.totals.items():
        assert damage[name] == total.damage
        assert pets.get(name, 0) == total.pet_damage


def test_the_demo_that_ships_is_what_the_generator_writes() -> None:
    for name, text in written():
        assert gzip.decompress((demo.SHIPPED / f"{name}.gz").read_bytes()) == text
