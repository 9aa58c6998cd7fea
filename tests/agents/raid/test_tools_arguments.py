"""How tools read what people and models send: any spelling, nothing harmful, clear refusals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.raid.demo_home import demo_nights

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.agents.raid.adapters.rankings import store_rankings
from ruleplay.agents.raid.adapters.reports import Reports, open_reports
from ruleplay.agents.raid.domain.arguments import OfFight, OfFightPlayer, ResolvedFights
from ruleplay.agents.raid.domain.metrics import metrics
from ruleplay.agents.raid.domain.rankings import BossRankings, Ranking, Speed
from ruleplay.agents.raid.domain.toolbox import SPECS
from ruleplay.agents.raid.tools import library
from ruleplay.agents.raid.tools.book import merge
from ruleplay.agents.raid.tools.registry import TOOLS, run_tool
from ruleplay.kernel.converse import Tool, read_calls
from ruleplay.records.tape import ToolCall

PLAN = NightPlan(
    pulls=(
        PullPlan(650, "tank", at=0.6, trash=0),
        PullPlan(650, "kill", trash=0),
        PullPlan(731, "tank", at=0.7, trash=0),
    ),
    health=0.2,
)
SEED_TOOLS = [
    "get_my_performance",
    "get_top_rankings",
    "compare_to_top",
    "get_fight_details",
    "get_progression",
    "get_wipe_progression",
    "get_regressions",
    "search_fights",
    "resolve_my_fights",
    "get_deaths_and_mechanics",
    "get_death_analysis",
    "get_spec_leaderboard",
    "compare_raid_to_top",
    "compare_two_raids",
    "get_raid_execution",
    "get_ability_breakdown",
    "get_buff_analysis",
    "get_overheal_analysis",
    "get_activity_report",
    "get_cooldown_efficiency",
    "get_consumable_check",
    "get_phase_analysis",
    "get_cancelled_casts",
    "get_resource_usage",
    "get_dot_management",
    "get_rotation_score",
    "get_enchant_gem_check",
    "get_gear_changes",
    "get_encounter_benchmarks",
    "get_spec_benchmark",
]
HOSTILE = [
    "'; DROP TABLE events; --",
    "x' OR '1'='1",
    "1; COPY events TO '/tmp/stolen.csv'",
    "(SELECT content FROM read_text('/etc/passwd'))",
    "../../../etc/passwd",
    "$fight",
    "%",
    "\x00",
    "🐉" * 40,
]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reports]:
    home = tmp_path_factory.mktemp("home")
    for seed in (1, 2):
        log = home / f"night{seed}.txt"
        log.write_text("".join(generate_night(seed, PLAN)[0]), "utf-8", newline="")
        import_logs([log], home)
    opened = open_reports(home)
    yield opened
    opened.close()


def test_the_seeds_thirty_tools_and_more_are_there() -> None:
    names = [tool.name for tool in TOOLS]
    assert len(SEED_TOOLS) == 30
    assert set(SEED_TOOLS) <= set(names)
    assert len(names) == len(set(names)) >= 36
    assert [tool.name for tool in TOOLS] == [spec.name for spec in SPECS]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_number_has_a_meaning(reports: Reports, tool: object) -> None:
    """Each numeric column of the rows is a metric, an id, a line or a date."""
    run = next(one for one in TOOLS if one is tool)
    outcome = run_tool(reports, run.name, sample(reports, run.name))
    assert not outcome.problem, outcome.problem
    named = {metric.column for metric in run.metrics}
    other = {
        "line",
        "fight",
        "attempt",
        "number",
        "before_fight",
        "heals",
        "first_at",
        "best_fight",
    }
    for row in outcome.rows:
        for column, cell in row.items():
            if isinstance(cell, bool) or not isinstance(cell, int | float):
                continue
            known = column in named | other or column.endswith(("_id", "_enchant"))
            assert known, (run.name, column)


def sample(reports: Reports, name: str) -> dict[str, object]:
    """Return arguments with which a tool has something to say."""
    tool = next(one for one in TOOLS if one.name == name)
    details = run_tool(reports, "get_fight_details", {}).rows
    mage = next(row for row in details if row["class"] == "Mage")
    given: dict[str, object] = {
        "encounter_name": "Gruul",
        "player_name": mage["player"],
        "character_name": mage["player"],
        "class_name": "Mage",
        "player_a": details[0]["player"],
        "player_b": details[1]["player"],
    }
    needed = {n for n, f in tool.arguments.model_fields.items() if f.is_required()}
    return {name: value for name, value in given.items() if name in needed}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_answers_with_provenance(reports: Reports, tool: object) -> None:
    run = next(one for one in TOOLS if one is tool)
    outcome = run_tool(reports, run.name, sample(reports, run.name))
    assert not outcome.problem, outcome.problem
    assert outcome.rows or outcome.notes
    if outcome.rows:
        assert outcome.query
    if outcome.report:
        lines = reports.open(outcome.report).lines
        assert 0 < len(outcome.lines) <= 50
        assert all(1 <= first <= last <= lines for first, last in outcome.lines)
    assert type(outcome).model_validate_json(outcome.model_dump_json()) == outcome


@pytest.mark.parametrize(
    "given",
    [
        {"FightId": 2},
        {"fightId": "2"},
        {"fight": 2.0},
        {"Pull": "pull 2"},
        {"FIGHT_ID": "#2"},
        {"fight-id": " 2 "},
        {"fight_id": "last kill"},
        {"fight_id": "the last kill on Gruul"},
        {"fight_id": "Gruul"},
        {"fight_id": "2", "report_code": None},
    ],
)
def test_a_pull_is_found_by_any_spelling(reports: Reports, given: dict[str, object]) -> None:
    assert run_tool(reports, "GetFightDetails", given).fight == 2


@pytest.mark.parametrize(
    ("wanted", "fight"),
    [
        ("", 3),
        ("last", 3),
        ("last wipe", 3),
        ("last wipe on gruul", 1),
        ("first wipe", 1),
        ("Void", 3),
    ],
)
def test_a_pull_is_found_by_words(reports: Reports, wanted: str, fight: int) -> None:
    assert run_tool(reports, "get_fight_details", {"fight_id": wanted}).fight == fight


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("get_fight_details", {"fight_id": 99}, "no pull 99; its pulls are 1 Gruul"),
        ("get_fight_details", {"fight_id": "Illidan"}, "no boss 'illidan'; there are"),
        ("get_fight_details", {"figth_id": 1}, "did you mean 'fight_id'"),
        ("get_fight_details", {"report_code": "nope"}, "no report 'nope'"),
        ("get_fight_detail", {}, "get_fight_details"),
        ("compare_players", {"player_a": "x"}, "player_b"),
        ("resolve_my_fights", {"count": 0}, "greater than or equal to 1"),
        ("resolve_my_fights", {"count": "many"}, "count"),
        ("get_ability_breakdown", {"player_name": "Nobody"}, "no player 'Nobody'"),
        ("get_fight_details", {"fight_id": "x" * 700}, "600"),
        ("get_top_rankings", {"encounter_name": "Gruul"}, "class_name"),
    ],
)
def test_a_wrong_argument_is_explained(
    reports: Reports, tool: str, given: dict[str, object], says: str
) -> None:
    assert says in run_tool(reports, tool, given).problem


def test_names_are_found_without_realm_accents_and_case(reports: Reports) -> None:
    rows = run_tool(reports, "get_fight_details", {}).rows
    for row in rows:
        bare = str(row["player"]).partition("-")[0].upper().replace("É", "E")
        found = run_tool(reports, "get_ability_breakdown", {"player": bare})
        assert {one["player"] for one in found.rows} <= {row["player"]}, found.problem


def test_near_names_are_offered_not_taken(reports: Reports) -> None:
    name = str(run_tool(reports, "get_fight_details", {}).rows[0]["player"])
    bare = name.partition("-")[0]
    outcome = run_tool(reports, "get_ability_breakdown", {"player": bare[:-1] + "q"})
    assert name in outcome.problem
    assert not outcome.rows


def test_flags_and_numbers_are_read_from_text() -> None:
    assert ResolvedFights.model_validate({"Count": "7"}).count == 7
    assert OfFightPlayer.model_validate({"playerName": "X", "Fight": 3}).fight_id == "3"
    assert OfFight.model_validate({"report": "abc"}).report_code == "abc"


def test_the_loop_of_tool_calls_reads_them_too() -> None:
    offered = [Tool(tool.name, tool.description, tool.arguments) for tool in TOOLS]
    call = ToolCall(
        id="1",
        name="getMyPerformance",
        arguments='{"Boss": "Gruul", "Player": "A", "BestsOnly": "true"}',
    )
    step = read_calls([call], offered)
    assert not step.refused
    assert step.wanted[0].arguments.model_dump() == {
        "encounter_name": "Gruul",
        "player_name": "A",
        "bests_only": True,
    }


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_values_reach_neither_sql_nor_files(
    reports: Reports, hostile: str, tmp_path: Path
) -> None:
    before = run_tool(reports, "get_raid_execution", {}).rows
    for tool in TOOLS:
        text = {
            name: hostile
            for name, field in tool.arguments.model_fields.items()
            if field.annotation is str
        }
        outcome = run_tool(reports, tool.name, text)
        assert "root:" not in str(outcome.rows)
        for row in outcome.rows:
            assert hostile not in map(str, row.values())
    assert run_tool(reports, "get_raid_execution", {}).rows == before
    assert not Path("/tmp/stolen.csv").exists()


@settings(deadline=None)
@given(
    name=st.sampled_from([tool.name for tool in TOOLS]),
    given_=st.dictionaries(
        st.sampled_from(["fight_id", "player_name", "report_code", "encounter_name", "x", "Count"]),
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    ),
)
def test_any_argument_gives_an_outcome(
    reports: Reports, name: str, given_: dict[str, object]
) -> None:
    outcome = run_tool(reports, name, given_)
    assert outcome.problem or outcome.rows or outcome.notes


@pytest.mark.parametrize("tool", ["get_deaths_and_mechanics", "get_encounter_benchmarks"])
def test_of_reports_without_a_pull_it_is_said(
    reports: Reports, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "history", lambda all_: [SimpleNamespace(pulls=())])
    assert "hold no pull of a boss" in run_tool(reports, tool, {"encounter_name": ""}).problem


@pytest.mark.parametrize("said", ["hellfire channelers", "CHANNELER", "Hellfire Channeler"])
def test_a_target_may_be_a_plural_or_a_part_of_its_name(said: str) -> None:
    _, nights = demo_nights()
    args = {"measure": "damage", "target_name": said}
    assert len(run_tool(nights.reports, "get_tally", args).rows) == 18
    wrong = run_tool(nights.reports, "get_tally", args | {"target_name": "Chandler"})
    assert "did you mean" in wrong.problem or "there are" in wrong.problem


def test_without_reports_it_is_said_what_to_do(tmp_path: Path) -> None:
    empty = open_reports(tmp_path)
    assert "ruleplay raid import" in run_tool(empty, "get_fight_details", {}).problem
    assert "ruleplay raid import" in run_tool(empty, "list_reports", {}).notes[0]


def test_two_reports_are_compared_by_boss(reports: Reports) -> None:
    outcome = run_tool(reports, "compare_two_raids", {})
    assert [row["encounter"] for row in outcome.rows][-1] == "(all)"
    for row in outcome.rows:
        assert (row["pulls_a"], row["pulls_b"]) == (row["pulls_a"], row["pulls_a"])
    assert outcome.rows[-1]["pulls_a"] == 3


def test_without_rankings_the_own_history_answers_and_says_so(reports: Reports) -> None:
    outcome = run_tool(
        reports, "get_top_rankings", {"encounter": "Gruul", "class": "Mage", "spec": "Fire"}
    )
    assert [row["rank"] for row in outcome.rows] == [*range(1, len(outcome.rows) + 1)]
    assert len(outcome.rows) >= 2
    assert any("No rankings are imported" in note for note in outcome.notes)


@given(st.lists(st.tuples(st.integers(1, 5000), st.integers(0, 30)), min_size=1, max_size=300))
def test_line_ranges_are_bounded_and_lose_nothing(spans: list[tuple[int, int]]) -> None:
    ranges = [(first, first + length) for first, length in spans]
    merged, note = merge(ranges)
    assert len(merged) <= 50
    assert all(a[1] + 1 < b[0] for a, b in itertools.pairwise(merged))
    covered = {line for first, last in merged for line in range(first, last + 1)}
    wanted = {line for first, last in ranges for line in range(first, last + 1)}
    assert wanted <= covered
    assert note or wanted == covered


def test_metrics_of_an_unknown_column_are_a_mistake() -> None:
    with pytest.raises(KeyError):
        metrics("damage nonsense")


def test_imported_rankings_are_compared_with(reports: Reports) -> None:
    kill = run_tool(reports, "search_fights", {"encounter": "Gruul"}).rows[0]
    ranked = [
        Ranking(
            encounter_id=650,
            encounter="Gruul the Dragonkiller",
            rank=place,
            player=f"Ranked {place}",
            class_name="Mage",
            spec="Fire",
            metric="dps",
            value=2000.0 - 100 * place,
            seconds=40.0 + place,
        )
        for place in range(1, 13)
    ]
    speed = Speed(encounter_id=650, encounter="Gruul", rank=1, guild="Fast", seconds=33.0)
    path = store_rankings(
        reports.home,
        BossRankings(encounter_id=650, encounter="Gruul", players=tuple(ranked), raids=(speed,)),
    )
    try:
        asked = {"encounter": "gruul", "class": "mage", "spec": "fire"}
        top = run_tool(reports, "get_top_rankings", asked).rows
        assert [row["player"] for row in top] == [f"Ranked {place}" for place in range(1, 11)]
        mage = sample(reports, "get_my_performance")["player_name"]
        mine = run_tool(reports, "compare_to_top", {"encounter": "Gruul", "player": mage}).rows[0]
        assert mine["top_dps"] == 1450.0
        own, gap = mine["dps"], mine["gap_percent"]
        assert isinstance(own, float)
        assert gap == round(100 * (1450.0 - own) / 1450.0, 1)
        raid = run_tool(reports, "compare_raid_to_top", {"report": kill["report"]}).rows
        gruul = next(row for row in raid if "Gruul" in str(row["encounter"]))
        assert gruul["top_seconds"] == 33.0
    finally:
        path.unlink()


def a_player_of(reports: Reports, class_name: str, spec: str) -> str:
    """Return who killed Gruul as that spec."""
    asked = {"encounter": "Gruul", "class": class_name, "spec": spec}
    return str(run_tool(reports, "get_top_rankings", asked).rows[0]["player"])


def test_healers_are_ranked_by_healing_and_others_by_damage(reports: Reports) -> None:
    def ranking(player: str, spec: str, metric: str, value: float) -> Ranking:
        return Ranking(
            encounter_id=650,
            encounter="Gruul the Dragonkiller",
            rank=1,
            player=player,
            class_name="Priest",
            spec=spec,
            metric=metric,
            value=value,
            seconds=40.0,
        )

    ranked = (
        ranking("Healed", "Holy", "hps", 1500.0),
        ranking("Smote", "Holy", "dps", 9000.0),
        ranking("Hurt", "Shadow", "dps", 1200.0),
        ranking("Leeched", "Shadow", "hps", 8000.0),
    )
    healer = a_player_of(reports, "Priest", "Holy")
    path = store_rankings(
        reports.home, BossRankings(encounter_id=650, encounter="Gruul", players=ranked)
    )
    try:
        asked = {"encounter": "Gruul", "class": "Priest"}
        holy = run_tool(reports, "get_top_rankings", asked | {"spec": "holy"}).rows
        assert [(row["player"], row["hps"]) for row in holy] == [("Healed", 1500.0)]
        assert "dps" not in holy[0]
        shadow = run_tool(reports, "get_top_rankings", asked | {"spec": "Shadow"}).rows
        assert [(row["player"], row["dps"]) for row in shadow] == [("Hurt", 1200.0)]
        spec = {"encounter": "Gruul", "class": "Priest", "spec": "Holy", "player": healer}
        mine = run_tool(reports, "compare_to_top", spec)
        assert mine.rows[0]["top_hps"] == 1500.0
        assert "top_dps" not in mine.rows[0]
    finally:
        path.unlink()


def test_gear_that_changed_between_nights_is_listed(reports: Reports) -> None:
    name = sample(reports, "get_my_performance")["player_name"]
    outcome = run_tool(reports, "get_gear_changes", {"player": name})
    assert not outcome.problem
    assert all(row["old_gems"] != row["new_gems"] or row["change"] for row in outcome.rows)
    assert outcome.rows or "No item, enchant or gem changed." in outcome.notes
