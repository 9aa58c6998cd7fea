"""The import: every real log whole, every dialect, every kind of bad input, all or nothing."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.agents.raid import logs
from tests.shared import shared_data

from ruleplay.agents.raid.adapters import log_files
from ruleplay.agents.raid.adapters.log_import import ImportReport, follow_log, import_logs
from ruleplay.agents.raid.adapters.reports import KEPT_PULLS, Excerpt, Report, open_reports
from ruleplay.agents.raid.domain.columns import DAMAGE_EVENTS, TABLES
from ruleplay.errors import NotFound, UserError

EVENTS = "'" + "', '".join(DAMAGE_EVENTS) + "'"
DAMAGE_BY_NAME = (
    f"SELECT a.name, sum(e.amount)::BIGINT FROM events e JOIN actors a ON a.id = e.source"
    f" WHERE e.counts AND e.event IN ({EVENTS}) GROUP BY a.name"
)
START = 'ENCOUNTER_START,651,"Magtheridon",4,25,544'
END = 'ENCOUNTER_END,651,"Magtheridon",4,25,'


def take_in(folder: Path, text: str | bytes, name: str = "WoWCombatLog.txt") -> ImportReport:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_logs([path], folder / "home")


def opened(folder: Path, report: ImportReport) -> Report:
    return open_reports(folder / "home").open(report.report)


def one(report: Report, sql: str) -> tuple[object, ...]:
    (row,) = report.query(sql)[1]
    return row


def left_over(folder: Path) -> list[str]:
    stored = folder / "home" / "raid" / "reports"
    return sorted(path.name for path in stored.iterdir() if path.name.startswith("."))


@pytest.mark.parametrize("name", logs.REAL)
def test_every_real_log_is_read_whole(name: str) -> None:
    path = shared_data("raid") / name
    folder, report = logs.imported(name)
    stored = opened(folder, report)
    assert (report.unparsed, report.events, report.verified) == (0, report.lines, True)
    assert report.lines == len(path.read_bytes().splitlines())
    naive = {k: v for k, v in logs.naive_damage(path).items() if v and k != "nil"}
    grouped = {str(k): v for k, v in stored.query(DAMAGE_BY_NAME)[1] if v}
    assert grouped == naive
    text = path.read_bytes()
    for line, offset in stored.query('SELECT line, "offset" FROM events USING SAMPLE 50')[1]:
        raw = stored.raw_lines(int(str(line)), int(str(line)))[0]
        assert text[int(str(offset)) :].startswith(raw.encode())


def test_the_era_raid_is_one_kill_of_ten_players() -> None:
    folder, report = logs.imported("era_1.15.1_raid.txt")
    (pull,) = report.encounters
    assert (pull.id, pull.name, pull.kill, pull.players) == (
        2940,
        "Mekgineer Thermaplugg",
        True,
        10,
    )
    assert (pull.start, pull.seconds) == ("19:54:49", 329.5)
    stored = opened(folder, report)
    assert one(stored, "SELECT count(*), count(DISTINCT actor) FROM combatants") == (10, 10)
    assert one(stored, "SELECT count(*) FROM gear") == (190,)
    worn = "item_id, item_level, enchant, temporary_enchant"
    assert stored.query(f"SELECT {worn} FROM gear WHERE line = 4 AND slot IN ('chest', 'legs')")[
        1
    ] == [(213313, 45, 866, 6708), (213332, 45, None, 6787)]
    assert one(stored, "SELECT count(*) FROM pull_auras WHERE line = 4 AND spell_id = 425096") == (
        1,
    )
    classes = dict(
        stored.query("SELECT name, class || ' ' || spec FROM actors WHERE class > ''")[1]
    )
    assert classes["Reevs-CrusaderStrike"] == "Priest Discipline"
    assert classes["Rexas-CrusaderStrike"] == "Warrior Arms"
    assert len(classes) == 10


def test_naxxramas_has_pulls_without_encounter_lines() -> None:
    folder, report = logs.imported("naxxramas_3.3.5a_part.txt")
    assert [(pull.name, pull.ended) for pull in report.encounters] == [
        ("Anub'Rekhan", "kill"),
        ("Grand Widow Faerlina", "kill"),
        ("Maexxna", "kill"),
        ("Noth the Plaguebringer", "kill"),
        ("Heigan the Unclean", "kill"),
        ("Loatheb", "kill"),
        ("Patchwerk", "unfinished"),
    ]
    stored = opened(folder, report)
    inside = (
        "SELECT count(*) FROM events e JOIN encounters p ON e.line BETWEEN p.start_line AND"
        " p.end_line WHERE e.fight IS DISTINCT FROM p.fight"
    )
    assert one(stored, inside) == (0,)
    assert one(stored, "SELECT count(fight) FROM events") == one(
        stored, "SELECT sum(end_line - start_line + 1)::BIGINT FROM encounters"
    )
    owner = "SELECT o.name FROM actors a JOIN actors o ON a.owner = o.id WHERE a.name = 'Aborto'"
    assert set(stored.query(owner)[1]) == {("Lutoscs",)}


def test_landed_swings_without_partner_count() -> None:
    alone = "SELECT count(*) FROM events WHERE event = 'SWING_DAMAGE_LANDED' AND counts"
    wrath = opened(*logs.imported("wrath_3.4.0_battleground.txt"))
    assert one(wrath, alone) == (13,)  # 32 more are of swings absorbed whole
    assert one(opened(*logs.imported("era_1.15.1_raid.txt")), alone) == (0,)


@pytest.mark.parametrize(
    ("width", "style", "tail", "verified"),
    [
        (16, "3/24", "", True),
        (18, "3/24/2026", ",ST", True),
        (18, "3/24", ",AOE", True),
        (16, "3/24/2026", "", True),
        (17, "3/24", "", True),
        (19, "3/24/2026", ",ST", True),
    ],
)
def test_dialects_are_told_from_the_lines(
    tmp_path: Path, width: int, style: str, tail: str, verified: bool
) -> None:
    header = "COMBAT_LOG_VERSION,9,ADVANCED_LOG_ENABLED,0,BUILD_VERSION,2.5.6,PROJECT_ID,5"
    cast = f'SPELL_CAST_SUCCESS,{logs.HERO},{logs.NULL},1953,"Blink",0x40,'
    cast += logs.advanced(width, "Player-1-00000001")
    bodies = [header, cast, logs.strike(width, 700, 50, tail)]
    report = take_in(tmp_path, logs.stamped(bodies, style=style))
    assert (report.unparsed, report.verified) == (0, verified)
    assert f"{width} fields" in report.dialect
    assert ("unverified" in report.dialect) is not verified
    assert ("without year" in report.dialect) is (style == "3/24")
    fields = "ms, amount, base_amount, over, resisted, blocked, absorbed, critical, hp, hp_max"
    assert one(opened(tmp_path, report), f"SELECT {fields} FROM events WHERE line = 3") == (
        *(200, 700, 709, 50, 1, 2, 3, True, 5000, 10000),
    )
    more = "power_type, power, power_max, x, y, note FROM events WHERE line = 3"
    assert one(opened(tmp_path, report), f"SELECT {more}") == (
        *(0, 5, 6, -1.5, 2.25, tail.removeprefix(",") or None),
    )


def test_dialects_may_mix_in_one_file(tmp_path: Path) -> None:
    old = (
        'SPELL_DAMAGE,0x0000000000000001,"Old",0x511,0xF13000426900007F,"Magtheridon",0xa48,'
        '133,"Fireball",0x4,300,12,4,0,0,0,nil,nil,nil'
    )
    text = logs.stamped([logs.strike(16, 1), logs.strike(18, 2, tail=",ST"), old])
    report = take_in(tmp_path, text)
    assert report.unparsed == 0
    assert report.dialect.startswith("mixed: 3.3.5a and advanced block of 16 fields and ")
    stored = opened(tmp_path, report)
    assert stored.query("SELECT amount, over FROM events ORDER BY line")[1] == [
        (1, 0),
        (2, 0),
        (300, 12),
    ]
    assert one(stored, "SELECT npc_id FROM actors WHERE guid LIKE '0xF13%'") == (17001,)


def test_quotes_hold_commas_and_brackets(tmp_path: Path) -> None:
    cast = f'SPELL_CAST_START,{logs.HERO},{logs.NULL},1,"Thunder, (and) ""[fury"",0x1'
    plain = f'SPELL_CAST_START,{logs.HERO},{logs.NULL},1,"Thunder, (and) [fury",0x1'
    named = (
        "UNIT_DIED," + logs.NULL + ',Creature-0-1-544-1-99-0000000002,"\\"Mad\\", Max",0xa48,0x0'
    )
    report = take_in(tmp_path, logs.stamped([plain, named, cast]))
    assert [line.line for line in report.unparsed_lines] == [3]
    stored = opened(tmp_path, report)
    assert one(stored, "SELECT spell FROM events WHERE line = 1") == ("Thunder, (and) [fury",)
    assert one(stored, "SELECT name FROM actors WHERE npc_id = 99") == ('"Mad", Max',)


def test_bad_lines_are_listed_and_the_rest_is_taken(tmp_path: Path) -> None:
    good = logs.stamped([logs.strike(16, n) for n in range(1, 6)]).encode().splitlines(True)
    junk = bytes(range(256)).replace(b"\n", b"") * 3 + b"\n"
    swing = b"3/24 20:00:01.000  SPELL_DAMAGE,x,y\n"
    odd = good[1].replace(b",2,11,-1,", b",two,11,-1,")
    quote = b'3/24 20:00:00.150  SPELL_CAST_START,Player-1-0001,"Never,0x511\n'
    unknown = b"3/24 20:00:00.160  NEW_THING,1,2\n"
    text = b"".join([good[0], junk, odd, b"\n", swing, quote, unknown, *good[2:], good[0][:150]])
    report = take_in(tmp_path, text)
    assert (report.lines, report.events, report.unparsed) == (11, 4, 7)
    told = {line.line: line.reason for line in report.unparsed_lines}
    assert sorted(told) == [2, 3, 4, 5, 6, 7, 11]
    assert told[2] == "it does not begin with a timestamp"
    assert told[3] == "its amount cannot be read"
    assert told[6] == "the quote is not closed"
    assert told[7] == "the event 'NEW_THING' is not known"
    stored = opened(tmp_path, report)
    assert one(stored, "SELECT count(*), min(length(text)) FROM unparsed") == (7, 0)
    assert one(stored, "SELECT sum(amount)::INT FROM events") == (1 + 3 + 4 + 5,)
    offsets = [int(str(row[0])) for row in stored.query('SELECT "offset" FROM unparsed')[1]]
    assert text[offsets[0] :].startswith(junk)


def test_line_ends_of_windows_and_a_file_of_two_lines(tmp_path: Path) -> None:
    text = logs.stamped([logs.strike(16, 8), logs.strike(16, 9)]).replace("\n", "\r\n")
    report = take_in(tmp_path, text)
    assert (report.lines, report.unparsed) == (2, 0)
    stored = opened(tmp_path, report)
    second = text.encode().index(b"\r\n") + 2
    assert stored.query('SELECT "offset", amount FROM events ORDER BY line')[1] == [
        (0, 8),
        (second, 9),
    ]
    assert stored.raw_lines(1, 2) == text.split("\r\n")[:2]


def test_time_passes_midnight_new_year_and_leap_days(tmp_path: Path) -> None:
    body = logs.strike(16)
    stamps = ["12/31 23:59:59.900", "1/1 0:00:00.000", "12/31 23:59:59.950", "1/1 00:00:00.100"]
    text = "".join(f"{stamp}  {body}\n" for stamp in stamps)
    report = take_in(tmp_path, text)
    assert [line.line for line in report.unparsed_lines] == [2]
    times = opened(tmp_path, report).query("SELECT ms FROM events ORDER BY line")[1]
    assert times == [(0,), (50,), (200,)]
    leap = [f"{day} 12:00:00.000  {body}\n" for day in ("2/28", "2/29", "3/1", "3/2")]
    days = opened(tmp_path, take_in(tmp_path, "".join(leap))).query("SELECT ms FROM events")[1]
    assert [int(str(ms)) // 86_400_000 for (ms,) in days] == [0, 1, 2, 3]


def test_packed_logs_are_read_alike(tmp_path: Path) -> None:
    text = logs.stamped([START, logs.strike(16, 5), END + "1"])
    plain = take_in(tmp_path, text)
    (tmp_path / "a.gz").write_bytes(gzip.compress(text.encode()))
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Logs/WoWCombatLog.txt", text)
        archive.writestr("Logs/readme.md", "no log")
    packed = import_logs([tmp_path / "a.gz", tmp_path / "a.zip"], tmp_path / "home")
    assert {packed.report, *(r.report for r in packed.more)} == {plain.report}
    assert packed.known
    assert packed.more[0].known
    assert len(open_reports(tmp_path / "home").codes()) == 1


def test_a_bomb_is_refused_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_files, "_FREE_BYTES", 1 << 20)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("WoWCombatLog.txt", bytes(20_000_000))
    with pytest.raises(UserError, match="250 times its size"):
        import_logs([tmp_path / "bomb.zip"], tmp_path / "home")
    assert left_over(tmp_path) == []
    monkeypatch.setattr(log_files, "MOST_UNPACKED", 1000)
    with pytest.raises(UserError, match=r"more than the 1,000"):
        import_logs([tmp_path / "bomb.zip"], tmp_path / "home")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.txt", b"", "is no combat log"),
        ("notes.txt", b"just\nsome notes\n", "of its 2 lines not one is an event"),
        ("cut.gz", gzip.compress(b"x" * 10_000, mtime=0)[:-20], "cannot be unpacked"),
        ("bad.zip", b"PK\x03\x04" + b"x" * 100, "cannot be unpacked"),
        ("missing.txt", None, "There is no file"),
    ],
)
def test_what_is_no_log_is_refused(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=said):
        import_logs([tmp_path / name], tmp_path / "home")
    assert open_reports(tmp_path / "home").codes() == []
    if (tmp_path / "home").exists():
        assert left_over(tmp_path) == []


def test_nothing_is_imported_twice_and_a_grown_log_takes_its_own_place(tmp_path: Path) -> None:
    text = logs.stamped([START, logs.strike(16, 5), END + "0"])
    more = logs.stamped([START, logs.strike(16, 7), END + "1"], start=60_000)
    first = take_in(tmp_path, text)
    again = take_in(tmp_path, text, "copy.txt")
    assert (again.report, again.known) == (first.report, True)
    grown = take_in(tmp_path, text + more)
    assert (grown.report, grown.known, len(grown.encounters)) == (first.report, False, 2)
    shorter = take_in(tmp_path, text)
    assert (shorter.report, shorter.known, len(shorter.encounters)) == (first.report, True, 2)
    other = take_in(tmp_path, more)
    reports = open_reports(tmp_path / "home")
    assert reports.codes() == [other.report, first.report]
    assert one(reports.open(first.report), "SELECT sum(amount)::INT FROM events") == (12,)


def test_pulls_of_encounter_lines(tmp_path: Path) -> None:
    died = f"UNIT_DIED,{logs.NULL},{logs.PRIEST}"
    renew = f'SPELL_CAST_SUCCESS,{logs.PRIEST},{logs.HERO},139,"Renew",0x2,'
    renew += logs.advanced(16, "Player-1-00000002")
    bodies = [renew, START, logs.strike(), renew, died, END + "0", renew]
    bodies += [START, logs.strike(), END + "0", START, logs.strike()]
    report = take_in(tmp_path, logs.stamped(bodies))
    assert [(p.fight, p.ended, p.kill, p.players) for p in report.encounters] == [
        (1, "wipe", False, 2),
        (2, "reset", False, 1),
        (3, "unfinished", False, 1),
    ]
    stored = opened(tmp_path, report)
    fights = [row[0] for row in stored.query("SELECT fight FROM events ORDER BY line")[1]]
    assert fights == [None, 1, 1, 1, 1, 1, None, 2, 2, 2, 3, 3]
    assert one(stored, "SELECT boss_hp, len(bosses) FROM encounters WHERE fight = 1") == (0.5, 1)


def test_owners_may_be_learned_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pet = 'Pet-0-1-544-1-417-0000000009,"Felhunter",0x1111,0x0'
    bite = f"SWING_MISSED,{pet},{logs.BOSS},MISS,nil"
    told = logs.advanced(16, "Pet-0-1-544-1-417-0000000009").replace(
        "0000000000000000", "Player-1-00000001"
    )
    hit = f"SWING_DAMAGE,{pet},{logs.BOSS},{told},40,40,-1,1,0,0,0,nil,nil,nil"
    monkeypatch.setattr(log_files, "CHUNK", 400)
    from ruleplay.agents.raid.adapters import report_writer

    monkeypatch.setattr(report_writer, "_ROWS", 3)
    report = take_in(tmp_path, logs.stamped([bite] * 9 + [logs.strike()] * 5 + [hit]))
    stored = opened(tmp_path, report)
    mine = "SELECT count(*) FROM events e JOIN actors a ON a.id = e.owner WHERE a.name LIKE 'Hero%'"
    assert one(stored, mine) == (10,)
    assert one(stored, "SELECT count(*), count(DISTINCT line) FROM events") == (15, 15)


@pytest.mark.parametrize("landed_first", [True, False])
def test_swings_are_paired_over_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, landed_first: bool
) -> None:
    block = logs.advanced(16, "Player-1-00000001")
    rest = f"{logs.HERO},{logs.BOSS},{block},40,40,-1,1,0,0,0,nil,nil,nil"
    pair = [f"SWING_DAMAGE_LANDED,{rest}", f"SWING_DAMAGE,{rest}"]
    monkeypatch.setattr(log_files, "CHUNK", 300)
    from ruleplay.agents.raid.adapters import report_writer

    monkeypatch.setattr(report_writer, "_ROWS", 1)
    text = logs.stamped(pair if landed_first else pair[::-1])
    far = logs.stamped([pair[0]], start=5_000)
    report = take_in(tmp_path, text + far)
    total = "SELECT sum(amount)::INT FROM events WHERE counts"
    assert one(opened(tmp_path, report), total) == (80,)


@pytest.mark.parametrize("landed_first", [True, False])
def test_of_an_unequal_pair_the_landing_counts(tmp_path: Path, landed_first: bool) -> None:
    block = logs.advanced(16, "Player-1-00000001")
    head = f"{logs.BOSS},{logs.HERO},{block}"
    pair = [
        f"SWING_DAMAGE_LANDED,{head},75,90,-1,1,0,0,15,nil,nil,nil",
        f"SWING_DAMAGE,{head},60,90,-1,1,0,0,30,nil,nil,nil",
    ]
    report = take_in(tmp_path, logs.stamped(pair if landed_first else pair[::-1]))
    hits = "SELECT max(amount)::INT, count(*), sum(absorbed)::INT FROM events WHERE counts"
    assert one(opened(tmp_path, report), hits) == (75, 1, 15)


CHILD = """
import sys
from pathlib import Path
from ruleplay.agents.raid.adapters import log_files, report_files
from ruleplay.agents.raid.adapters.log_import import import_logs

log_files.CHUNK = 1 << 16
folder, when = Path(sys.argv[1]), sys.argv[2]

def hang(*_):
    print("there", flush=True)
    import time
    time.sleep(600)

seen = []
def told(done, total):
    seen.append(done)
    if when == "reading" and len(seen) == 3:
        hang()

if when == "moved":
    sync, calls = report_files._sync_folder, []
    def stop_within(folder):
        calls.append(folder)
        sync(folder)
        if not folder.name.startswith("."):
            hang()
    report_files._sync_folder = stop_within
if when in ("_write_manifest", "_move_in", "_sync"):
    setattr(report_files.ReportFiles, when, hang)
import_logs([folder / "log.txt"], folder / "home", told)
"""


@pytest.mark.parametrize("when", ["reading", "_sync", "_write_manifest", "_move_in"])
def test_a_killed_import_leaves_nothing_half(tmp_path: Path, when: str) -> None:
    bodies = [START, *(logs.strike(16, n) for n in range(1, 2000)), END + "1"]
    text = logs.stamped(bodies, step=10)
    (tmp_path / "log.txt").write_text(text)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path), when],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"there\n"
    assert len(left_over(tmp_path)) == 1
    assert take_in(tmp_path, logs.stamped([logs.strike()]), "other.txt").events == 1
    assert len(left_over(tmp_path)) == 1  # of a process that still runs
    child.send_signal(signal.SIGKILL)
    child.communicate()
    reports = open_reports(tmp_path / "home")
    assert len(reports.codes()) == 1
    assert left_over(tmp_path) == []
    report = take_in(tmp_path, text, "log.txt")
    assert (report.known, report.events) == (False, 2001)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("when", ["_move_in", "moved"])
def test_a_killed_import_of_a_grown_log_leaves_the_report_as_it_was(
    tmp_path: Path, when: str
) -> None:
    bodies = [START, *(logs.strike(16, n) for n in range(1, 2000))]
    older = take_in(tmp_path, logs.stamped(bodies[:1000], step=10), "log.txt")
    text = logs.stamped(bodies, step=10)
    (tmp_path / "log.txt").write_text(text)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path), when],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"there\n"
    child.send_signal(signal.SIGKILL)
    child.communicate()
    reports = open_reports(tmp_path / "home")
    assert reports.codes() == [older.report]
    count = "SELECT count(*)::INT FROM events"
    assert one(reports.newest(), count) == (older.events,)
    grown = take_in(tmp_path, text, "log.txt")
    assert (grown.report, grown.events) == (older.report, 2000)
    stored = open_reports(tmp_path / "home").newest()
    assert one(stored, count) == (2000,)
    named = [raw.name for raw in stored.manifest.raw]
    named += [name for names in stored.manifest.files.values() for name in names]
    folder = tmp_path / "home" / "raid" / "reports" / older.report
    assert sorted(path.name for path in folder.iterdir()) == sorted([*named, "report.json"])


def test_a_growing_log_is_followed(tmp_path: Path) -> None:
    path, seen = tmp_path / "log.txt", list[ImportReport]()
    lines = logs.stamped([START, *(logs.strike(16, n) for n in range(1, 40)), END + "1"])
    rows = lines.encode().splitlines(True)
    path.write_bytes(b"".join(rows[:5]) + rows[5][:30])
    wanted = iter([b"".join([rows[5][30:], *rows[6:20]]), *rows[20:]])
    done = threading.Event()

    def told(report: ImportReport) -> None:
        seen.append(report)
        fresh = next(wanted, None)
        if fresh is None:
            done.set()
            return
        with path.open("ab") as file:
            file.write(fresh)

    final = follow_log(path, tmp_path / "home", told, stop=done.is_set, poll=0.001)
    assert [report.lines for report in seen] == [5, 20, *range(21, 42)]
    assert {report.report for report in seen} == {final.report}
    assert seen[0].encounters[0].ended == "unfinished"
    assert (final.lines, final.unparsed, final.encounters[0].kill) == (41, 0, True)
    stored = opened(tmp_path, final)
    assert one(stored, "SELECT count(*), count(DISTINCT line), sum(amount)::INT FROM events") == (
        *(41, 41, sum(range(1, 40))),
    )
    assert stored.raw_lines(1, 41) == lines.splitlines()
    whole = import_logs([path], tmp_path / "home")
    assert (whole.known, whole.report) == (True, final.report)


def test_reports_are_read_only_and_reach_no_file(tmp_path: Path) -> None:
    report = take_in(tmp_path, logs.stamped([logs.strike()]))
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    stored = opened(tmp_path, report)
    for attack in (
        f"SELECT * FROM read_csv('{secret}')",
        f"SELECT * FROM '{secret}'",
        f"SELECT * FROM glob('{tmp_path}/*')",
        f"SELECT read_text('{secret}')",
        f"COPY events TO '{tmp_path}/out.csv'",
        f"ATTACH '{tmp_path}/x.db'",
        "SET enable_external_access = true",
        "DROP VIEW events",
        "CREATE TABLE t AS SELECT 1",
        "SELECT 1; DROP VIEW events",
        "PRAGMA database_list",
        "INSTALL httpfs",
        "no sql at all",
    ):
        with pytest.raises(UserError):
            stored.query(attack)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "WoWCombatLog.txt",
        "home",
        "secret.csv",
    ]
    assert stored.query("SELECT amount FROM events WHERE amount = $a", {"a": 100})[1] == [(100,)]


def test_reports_serve_many_threads(tmp_path: Path) -> None:
    report = take_in(tmp_path, logs.stamped([logs.strike(16, n) for n in range(1, 500)]))
    reports = open_reports(tmp_path / "home")

    def ask(number: int) -> object:
        sql = "SELECT count(*) FROM events WHERE amount <= $n"
        return reports.open(report.report).query(sql, {"n": number})[1]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(1, 100))) == [[(n,)] for n in range(1, 100)]
    reports.close()


def test_views_have_the_schema(tmp_path: Path) -> None:
    stored = opened(tmp_path, take_in(tmp_path, logs.stamped([logs.strike()])))
    for table in TABLES:
        assert tuple(stored.query(f"SELECT * FROM {table.name} LIMIT 0")[0]) == table.names


def test_unknown_reports_and_lines_are_named(tmp_path: Path) -> None:
    report = take_in(tmp_path, logs.stamped([logs.strike()]))
    reports = open_reports(tmp_path / "home")
    assert reports.newest().code == report.report
    for code in ("nosuch", "../x", ""):
        with pytest.raises(NotFound, match=f"imported: {report.report}"):
            reports.open(code)
    with pytest.raises(UserError, match="lines 1 to 1, not 2 to 3"):
        reports.newest().raw_lines(2, 3)
    with pytest.raises(NotFound, match="no report is imported"):
        open_reports(tmp_path / "empty").newest()


def test_progress_reaches_the_end_and_may_stop(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(logs.stamped([logs.strike()] * 3))
    seen: list[tuple[int, int]] = []
    import_logs([path], tmp_path / "home", lambda done, total: seen.append((done, total)))
    assert seen[-1] == (path.stat().st_size,) * 2

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    path.write_text(logs.stamped([logs.strike()] * 4))
    with pytest.raises(KeyboardInterrupt):
        import_logs([path], tmp_path / "home2", stop)
    assert open_reports(tmp_path / "home2").codes() == []


def test_it_is_quick_to_refuse_a_known_file(tmp_path: Path) -> None:
    text = logs.stamped([logs.strike(16, n) for n in range(1, 3000)], step=1)
    take_in(tmp_path, text)
    before = time.process_time()
    assert take_in(tmp_path, text).known
    assert time.process_time() - before < 5


def test_a_deleted_report_is_gone_and_can_be_imported_again(tmp_path: Path) -> None:
    text = logs.stamped([START, logs.strike(16, 5), END + "1"])
    first = take_in(tmp_path, text, "log.txt")
    reports = open_reports(tmp_path / "home")
    assert one(reports.newest(), "SELECT count(*)::INT FROM events") == (3,)
    assert reports.delete(first.report).code == first.report
    assert (reports.codes(), left_over(tmp_path)) == ([], [])
    with pytest.raises(NotFound, match="there is no report"):
        reports.delete(first.report)
    again = take_in(tmp_path, text, "log.txt")
    assert (again.report, again.known) == (first.report, False)


@pytest.mark.parametrize("code", ["", "..", "../reports", ".", "/etc"])
def test_only_a_report_is_deleted(tmp_path: Path, code: str) -> None:
    kept = take_in(tmp_path, logs.stamped([START, logs.strike(16, 5), END + "1"]), "log.txt")
    reports = open_reports(tmp_path / "home")
    with pytest.raises(NotFound):
        reports.delete(code)
    assert reports.codes() == [kept.report]


def test_a_pulls_events_answer_like_all_events(tmp_path: Path) -> None:
    pulls = [[START, *(logs.strike(16, n) for n in range(1, 9)), END + "0"] for _ in range(12)]
    report = take_in(tmp_path, logs.stamped([line for pull in pulls for line in pull]), "log.txt")
    stored = opened(tmp_path, report)
    sums = (
        "SELECT count(*), sum(amount), max(spell) FROM events WHERE line BETWEEN $first AND $last"
    )
    sums += " AND fight = $fight"
    listed = stored.query("SELECT fight, start_line, end_line FROM encounters ORDER BY fight")[1]
    for fight, first, last in [*listed, *listed]:
        scope = {"fight": fight, "first": first, "last": last}
        excerpt = Excerpt(int(str(fight)), int(str(first)), int(str(last)))
        within = stored.query(f"{sums} -- within", scope, within=excerpt)[1]
        assert within == stored.query(sums, scope)[1]
    assert (
        len(stored.query("FROM duckdb_schemas() WHERE schema_name LIKE 'pull%'")[1]) <= KEPT_PULLS
    )
