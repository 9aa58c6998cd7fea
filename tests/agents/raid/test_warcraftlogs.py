"""The importer of Warcraft Logs against a real server on loopback that speaks its schema."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import raid_totals
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import FULL_NIGHT, PullPlan
from benchmarks.raid.nights.truth import GroundTruth
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.raid.wcl_stub import (
    CODE,
    Answer,
    Json,
    WclReport,
    WclStub,
    busy,
    from_lines,
    telling,
)
from tests.samples import sample

from ruleplay.agents.raid.adapters import warcraftlogs as wcl
from ruleplay.agents.raid.adapters import wcl_client
from ruleplay.agents.raid.adapters.rankings import rankings_folder, read_rankings
from ruleplay.agents.raid.adapters.reports import open_reports
from ruleplay.agents.raid.adapters.wcl_addresses import read_address
from ruleplay.agents.raid.adapters.wcl_rankings import fetch_rankings
from ruleplay.agents.raid.domain.digest import Digest
from ruleplay.agents.raid.domain.translation import Ability, Actor, Fight, Translation
from ruleplay.agents.raid.tools.night import gather_night
from ruleplay.agents.raid.view.night import html
from ruleplay.errors import NotFound, Unavailable, UserError

PLAN = replace(FULL_NIGHT, health=0.08, pulls=(PullPlan(650, "tank"), PullPlan(651, trash=0)))
Night = tuple[WclReport, GroundTruth]


@pytest.fixture(scope="module")
def night() -> Night:
    lines, truth = generate_night(5, PLAN)
    return from_lines(list(lines)), truth


@pytest.fixture
def stub(night: Night) -> Iterator[WclStub]:
    with WclStub(night[0]) as stub:
        yield stub


def client_of(stub: WclStub, waits: list[float] | None = None) -> wcl_client.Client:
    kept: list[float] = [] if waits is None else waits
    return wcl_client.Client("me", "secret", stub.url, wait=kept.append)


def lines_of(stub: WclStub, path: Path) -> Path:
    client = client_of(stub)
    translation, length = wcl.fetch_report(client, CODE)
    events = wcl.fetch_events(client, CODE, length)
    path.write_text("".join(translation.lines(events)), encoding="utf-8")
    assert not translation.malformed
    assert not translation.skipped
    client.close()
    return path


def test_a_fetched_report_has_the_totals_of_the_log(
    stub: WclStub, night: Night, tmp_path: Path
) -> None:
    path = lines_of(stub, tmp_path / "log.txt")
    found = raid_totals.sum_up(list(raid_totals.rows(path)))
    for name, total in night[1].totals.items():
        told = found.players[name]
        assert told["damage"] == total.damage
        assert told["pet_damage"] == total.pet_damage
        assert told["overkill"] == total.overkill
        assert told["healing"] == total.healing
        assert told["overheal"] == total.overheal
        assert told["damage_taken"] == total.taken
        assert told["deaths"] == total.deaths
    assert len(found.pulls) == len(PLAN.pulls)
    pages = [r for r in stub.requests if "events(" in str(r["query"])]
    assert len(pages) == -(-len(night[0].events) // stub.page) or len(pages) > 3


def test_pulls_and_interrupts_come_over(stub: WclStub, night: Night, tmp_path: Path) -> None:
    text = lines_of(stub, tmp_path / "log.txt").read_text("utf-8")
    assert text.count("ENCOUNTER_START,") == text.count("ENCOUNTER_END,") == len(PLAN.pulls)
    stopped = sum(bool(c.stopped_by) for pull in night[1].pulls for c in pull.casts)
    assert text.count("SPELL_INTERRUPT,") == stopped
    assert text.count("SPELL_DISPEL,") == sum(len(pull.dispels) for pull in night[1].pulls)


def test_a_busy_service_is_asked_again_as_it_says(stub: WclStub) -> None:
    waits: list[float] = []
    answers = {1: busy(Retry_After="7"), 2: busy(502), 3: busy(503)}
    stub.before = lambda number, body: answers.get(number)
    wcl.fetch_report(client_of(stub, waits), CODE)
    assert waits == [7.0, 2.0, 4.0]
    assert len(stub.requests) == 4


def test_a_service_that_stays_busy_is_given_up(stub: WclStub) -> None:
    waits: list[float] = []
    stub.before = lambda number, body: busy()
    with pytest.raises(Unavailable, match="status 429"):
        wcl.fetch_report(client_of(stub, waits), CODE)
    assert len(stub.requests) == wcl_client.TRIES
    assert sum(waits) <= wcl_client.TRIES * wcl_client.LONGEST_WAIT


def test_a_wait_of_an_hour_is_not_waited(stub: WclStub) -> None:
    waits: list[float] = []
    stub.before = lambda number, body: busy(Retry_After="3600")
    with pytest.raises(Unavailable):
        wcl.fetch_report(client_of(stub, waits), CODE)
    assert waits == []
    assert len(stub.requests) == 1


def test_used_up_points_stop_before_the_next_query(stub: WclStub) -> None:
    stub.points = (3600, 3600, 600)
    client = client_of(stub)
    wcl.fetch_report(client, CODE)
    with pytest.raises(Unavailable, match="10 minutes"):
        wcl.fetch_report(client, CODE)
    assert len(stub.requests) == 1


def test_wrong_credentials_say_what_to_check(stub: WclStub) -> None:
    client = wcl_client.Client("me", "guess", stub.url)
    with pytest.raises(UserError, match=wcl_client.CLIENT_SECRET):
        wcl.fetch_report(client, CODE)


def test_a_foreign_code_is_not_found(stub: WclStub) -> None:
    with pytest.raises(NotFound, match="no report"):
        wcl.fetch_report(client_of(stub), "zzzz")


def test_a_missing_service_is_unavailable() -> None:
    waits: list[float] = []
    client = wcl_client.Client("me", "secret", "http://127.0.0.1:9", wait=waits.append)
    with pytest.raises(Unavailable, match="no answer"):
        wcl.fetch_report(client, CODE)
    assert len(waits) == wcl_client.TRIES - 1


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (telling({"errors": [{"message": "This report does not exist."}]}), NotFound),
        (telling({"errors": [{"message": "Internal server error"}]}), UserError),
        (telling({"errors": "?"}), UserError),
        (telling({"data": None}), Unavailable),
        (telling({"data": {"reportData": 7}}), Unavailable),
        (telling({"data": {"reportData": {"report": {"masterData": {}}}}}), Unavailable),
        ((200, {}, b"<html>maintenance"), Unavailable),
        ((200, {}, b"[1, 2]"), Unavailable),
        ((404, {}, b""), UserError),
    ],
)
def test_malformed_answers_are_told_plainly(
    stub: WclStub, answer: Answer, expected: type[Exception]
) -> None:
    stub.before = lambda number, body: answer
    with pytest.raises(expected):
        wcl.fetch_report(client_of(stub), CODE)


def test_pages_that_do_not_advance_end(stub: WclStub) -> None:
    page = {"reportData": {"report": {"events": {"data": [], "nextPageTimestamp": 0}}}}
    stub.before = lambda number, body: telling({"data": page}) if number > 1 else None
    client = client_of(stub)
    _, length = wcl.fetch_report(client, CODE)
    with pytest.raises(Unavailable, match="do not advance"):
        list(wcl.fetch_events(client, CODE, length))


def test_malformed_events_are_counted_and_the_rest_kept(night: Night) -> None:
    junk: list[Json] = [{"type": "damage"}, {"timestamp": "soon", "type": "cast"}]
    odd: Json = {"timestamp": 5, "type": "somethingnew"}
    report = replace(night[0], events=[*night[0].events[:50], *junk, odd])
    with WclStub(report) as stub:
        client = client_of(stub)
        translation, _ = wcl.fetch_report(client, CODE)
        events: list[object] = [*report.events, "not even an object"]
        lines = list(translation.lines(events))
        client.close()
    assert translation.malformed == 3
    assert translation.skipped == {"somethingnew": 1}
    assert len(lines) == 2 + 50 + 2 * len(PLAN.pulls)


def test_names_cannot_break_a_line(night: Night) -> None:
    translation = Translation("x", 0, {}, {}, ())
    evil = Actor(id=1, name='Bob",0x0\nUNIT_DIED,\ud800', type="Player")
    translation.actors[1] = evil
    lines = list(translation.lines([{"timestamp": 1, "type": "death", "targetID": 1}]))
    assert len(lines) == 3
    assert all(line.count("\n") == 1 for line in lines)
    assert '"Bob,0x0UNIT_DIED,?"' in lines[2]


def test_rankings_are_stored_by_boss_and_spec(stub: WclStub, tmp_path: Path) -> None:
    client = client_of(stub)
    translation, _ = wcl.fetch_report(client, CODE)
    stored = fetch_rankings(client, translation, tmp_path)
    client.close()
    (boss,) = read_rankings(tmp_path)
    assert boss.encounter == "Magtheridon"
    assert [r.rank for r in boss.players] == list(range(1, 11))
    assert boss.players[0].value == 2000
    assert boss.raids[0].seconds == 181
    assert stored == len(boss.players) + len(boss.raids) == 20


def test_a_broken_rankings_file_says_what_to_do(tmp_path: Path) -> None:
    assert read_rankings(tmp_path) == ()
    rankings_folder(tmp_path).mkdir(parents=True)
    (rankings_folder(tmp_path) / "650.json").write_text("{", "utf-8")
    with pytest.raises(UserError, match=r"650\.json"):
        read_rankings(tmp_path)


def test_credentials_come_from_the_environment() -> None:
    with pytest.raises(UserError, match=wcl_client.CLIENT_ID):
        wcl_client.client_from({})
    found = wcl_client.client_from(
        {wcl_client.CLIENT_ID: "a", wcl_client.CLIENT_SECRET: "b"}, "http://x/"
    )
    assert (found.client_id, found.site) == ("a", "http://x")
    found.close()


KINDS = [
    *("damage", "heal", "cast", "begincast", "death", "summon", "interrupt", "dispel"),
    *("applybuff", "applydebuffstack", "removebuff", "energize", "absorbed", "combatantinfo"),
    "somethingnew",
]
ODD = st.one_of(st.integers(-5, 9), st.text(max_size=4), st.booleans(), st.none(), st.floats())
EVENTS = st.fixed_dictionaries(
    {
        "timestamp": st.integers(0, 9000),
        "type": st.sampled_from(KINDS),
    },
    optional={
        "sourceID": st.integers(-1, 4),
        "targetID": st.integers(-1, 4),
        "abilityGameID": st.sampled_from([1, 75, 116, 999]),
        "extraAbilityGameID": st.sampled_from([0, 1, 116]),
        "amount": st.integers(0, 9000),
        "overkill": st.integers(0, 500),
        "hitType": st.integers(0, 16),
        "tick": st.booleans(),
        "gear": st.lists(st.fixed_dictionaries({"id": st.integers(0, 9)}), max_size=3),
        "classResources": st.lists(st.dictionaries(st.text(max_size=6), ODD), max_size=2),
        "stack": ODD,
    },
)


@given(names=st.lists(st.text(max_size=8), min_size=4, max_size=4), events=st.lists(EVENTS))
@settings(max_examples=sample(20, 60), deadline=None)
def test_whatever_is_sent_becomes_lines_that_are_read(names: list[str], events: list[Json]) -> None:
    kinds = ("Player", "NPC", "Pet", "Player")
    actors = {
        n: Actor(id=n, name=name, type=kinds[n - 1], gameID=n) for n, name in enumerate(names, 1)
    }
    abilities = {116: Ability(gameID=116, name=names[0], type="16")}
    fight = Fight(id=1, encounterID=650, name=names[1], startTime=0, endTime=9000, kill=True)
    translation = Translation("x", 1_794_000_000_000, actors, abilities, (fight,))
    events.sort(key=lambda event: int(str(event["timestamp"])))
    lines = list(translation.lines(events))
    digest = Digest()
    batch = digest.take("".join(lines).encode())
    assert batch.unparsed == ()
    assert digest.lines == len(lines)


@pytest.mark.parametrize(
    ("pasted", "site", "code", "fight"),
    [
        (CODE, "www", CODE, ""),
        (f"a:{CODE}", "www", f"a:{CODE}", ""),
        (f"https://www.warcraftlogs.com/reports/{CODE}", "www", CODE, ""),
        (
            f"https://classic.warcraftlogs.com/reports/{CODE}#fight=12&type=healing",
            "classic",
            CODE,
            "12",
        ),
        (f"https://classic.warcraftlogs.com/reports/{CODE}?fight=last", "classic", CODE, "last"),
        (f"https://vanilla.warcraftlogs.com/reports/{CODE}/", "vanilla", CODE, ""),
        (f"sod.warcraftlogs.com/reports/{CODE}#boss=-2", "sod", CODE, ""),
        (f"https://fresh.warcraftlogs.com/reports/a:{CODE}?fight=3", "fresh", f"a:{CODE}", "3"),
        (f"https://fr.classic.warcraftlogs.com/reports/{CODE}", "classic", CODE, ""),
        (f"https://de.warcraftlogs.com/reports/a%3A{CODE}", "www", f"a:{CODE}", ""),
    ],
)
def test_reports_are_found_by_what_people_paste(
    pasted: str, site: str, code: str, fight: str
) -> None:
    found = read_address(pasted)
    assert (found.code, found.fight) == (code, fight)
    assert found.site == f"https://{site}.warcraftlogs.com"
    assert read_address(pasted, "era").site == "https://vanilla.warcraftlogs.com"


@pytest.mark.parametrize(
    "pasted",
    [
        f"https://warcraftlogs.com.evil.example/reports/{CODE}",
        f"https://evilwarcraftlogs.com/reports/{CODE}",
        f"https://evil.example/warcraftlogs.com/reports/{CODE}",
        f"file:///reports/{CODE}",
        "https://www.warcraftlogs.com/character/eu/x/y",
        "https://www.warcraftlogs.com/reports/",
        "https://www.warcraftlogs.com/reports/a:b:c",
        "//",
    ],
)
def test_credentials_go_to_no_other_host(pasted: str) -> None:
    with pytest.raises(UserError, match=r"report|site"):
        read_address(pasted)
    for site in ("evil.example", "http://127.0.0.1:9", "www.warcraftlogs.com.evil.example", "a/b"):
        with pytest.raises(UserError, match="site"):
            read_address(CODE, site)


def test_a_linked_fight_is_told_as_the_pull_it_becomes(stub: WclStub, tmp_path: Path) -> None:
    client = client_of(stub)
    found = wcl.import_wcl(f"a:{CODE}", tmp_path, client, fight="2")
    assert (found.fight, found.pull, found.file) == ("2", 2, f"warcraftlogs-a-{CODE}.txt")
    with pytest.raises(NotFound, match="no fight 9"):
        wcl.import_wcl(CODE, tmp_path, client, fight="9")
    client.close()


def test_a_private_report_is_read_with_its_users_token(stub: WclStub, tmp_path: Path) -> None:
    environ = {wcl_client.USER_TOKEN: "mine"}
    client = wcl_client.client_from(environ, stub.url)
    assert wcl.import_wcl(CODE, tmp_path, client, rankings=False).encounters
    client.close()
    with pytest.raises(UserError, match="no token"):
        wcl_client.client_from({}, stub.url, user_token="mine\r\nX: y")
    refused = wcl_client.client_from({}, stub.url, user_token="another")
    with pytest.raises(UserError, match=wcl_client.USER_TOKEN):
        refused.query("query {}")
    refused.close()


def test_how_kills_are_ranked_stands_in_the_nights_report(stub: WclStub, tmp_path: Path) -> None:
    client = client_of(stub)
    found = wcl.import_wcl(CODE, tmp_path, client)
    client.close()
    (parse,) = found.parses
    assert (parse.fight, parse.player, parse.percent, parse.item_level) == (2, "Ylys", 93, 123)
    night = gather_night(open_reports(tmp_path), found.report)
    assert night.whole["parses"].rows[0]["bracket_percent"] == 88
    assert "93" in html(night)


def test_what_is_no_code_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    client = wcl_client.Client("me", "secret", "http://127.0.0.1:9")
    for code in ("", "../../etc", "a b", "é", "a" * 33):
        with pytest.raises(UserError, match=r"no report code|no address"):
            wcl.import_wcl(code, tmp_path, client)
    client.close()
