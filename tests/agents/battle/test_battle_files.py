"""Replays and teams in files, whatever is in them; and the arithmetic of a series."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleplay.agents.battle.adapters.replays import (
    Replay,
    parse_replay,
    read_replay,
    replay_page,
    write_replay,
)
from ruleplay.agents.battle.adapters.review import review_replay
from ruleplay.agents.battle.adapters.teams import pack_team, read_team
from ruleplay.agents.battle.adapters.world import World
from ruleplay.agents.battle.domain.results import Candidate, Expected
from ruleplay.agents.battle.domain.standing import Standing, percentile
from ruleplay.agents.battle.policy.reweighting import (
    BEND,
    Reweighting,
    Weight,
    reweighted,
    weight_problems,
)
from ruleplay.errors import NotFound, UserError

LOG = (
    "|j|☆Ash",
    "|player|p1|Ash|1|",
    "|player|p2|Gary </script><b>|2|",
    "|tier|[Gen 9] Random Battle",
    "|start",
    "|switch|p1a: Pikachu|Pikachu, L90|100/100",
    "|switch|p2a: Eevee|Eevee, L90|100/100",
    "|turn|1",
    "|win|Ash",
)
FOUND = parse_replay("\n".join(LOG), "battle-gen9randombattle-7")


STRANGE = (
    "|switch|p1a: Zork|Zorkachu, L90|100/100", "|move|p2a: Eevee|Zorgblast|p1a: Zork",
    "|-damage|p1a: Zork|50/100|[from] item: Zorg Orb", "|-ability|p1a: Zork|Zorgness",
    "|-start|p1a: Zork|Zorged", "|-formechange|p2a: Eevee|Eevee-Zorg", "|turn|2",
    "|cant|p1a: Zork|recharge", "|switch|p2a: Zed|Zedling, L80|100/100", "|turn|3",
    "|move|p1a: Zork|Thunderbolt|p2a: Zed", "|-weather|Zorgstorm",
    "|-sidestart|p1: Ash|move: Zorg Spikes", "|move|p2a: Zed|Return 102|p1a: Zork", "|turn|4",
)  # fmt: skip


@pytest.mark.parametrize("gen", [1, 9])
async def test_what_no_page_describes_is_reviewed_too(tmp_path: Path, gen: int) -> None:
    log = (*LOG[:3], f"|gen|{gen}", *LOG[3:-1], *STRANGE, LOG[-1])
    replay = parse_replay("\n".join(log), f"battle-gen{gen}randombattle-8")
    for player in ("p1", "p2"):
        found = await review_replay(
            replay, player, World(tmp_path), search_ms=0, visits=20, engine="python"
        )
        assert found.turns


def test_a_log_is_a_replay() -> None:
    assert FOUND.format == "gen9randombattle"
    assert FOUND.players == (("p1", "Ash"), ("p2", "Gary </script><b>"))
    assert FOUND.winner == "Ash"
    assert FOUND.role("ash") == "p1"
    assert FOUND.role("p2") == "p2"
    with pytest.raises(NotFound, match="'Misty'"):
        FOUND.role("Misty")


def test_the_page_gives_the_log_back_and_runs_nothing_of_it() -> None:
    page = replay_page(FOUND)
    assert page.count("</script>") == 2
    again = parse_replay(page, FOUND.room)
    assert again.log == FOUND.log


def test_three_files_are_written_and_read(tmp_path: Path) -> None:
    file = write_replay(FOUND, tmp_path / "new")
    assert sorted(path.suffix for path in file.parent.iterdir()) == [".html", ".json", ".log"]
    for path in file.parent.iterdir():
        assert read_replay(path).log == FOUND.log


def test_the_public_sites_json_is_read() -> None:
    told = {"id": "gen9randombattle-7", "log": "\n".join(LOG), "rating": 1500}
    assert parse_replay(json.dumps(told)).format == "gen9randombattle"


@pytest.mark.parametrize("text", ["", "hello", "<html></html>", "{}", "{", "[1]", "|turn|1"])
def test_what_is_no_replay_is_told(text: str) -> None:
    with pytest.raises(UserError):
        parse_replay(text)


@given(st.text(max_size=300))
def test_any_text_is_a_replay_or_an_error_that_is_told(text: str) -> None:
    for made in (text, "\n".join((*LOG[:3], text, *LOG[3:])), "{" + text, "<" + text):
        with suppress(UserError):
            assert isinstance(parse_replay(made), Replay)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_replay(tmp_path / "none.log")
    with pytest.raises(NotFound):
        read_team(tmp_path / "none.txt")


def test_a_team_is_packed() -> None:
    packed = pack_team("Pikachu @ Light Ball\nAbility: Static\n- Thunderbolt\n- Surf\n")
    assert packed.startswith("Pikachu|")
    assert "thunderbolt,surf" in packed.lower()
    with pytest.raises(UserError):
        pack_team("   \n")


@pytest.mark.parametrize(
    ("wins", "losses", "low", "high"),
    # From Wilson's formula, worked out by hand for z = 1.96.
    [(240, 160, 0.5513, 0.6468), (0, 10, 0.0, 0.2775), (10, 0, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_the_interval(wins: int, losses: int, low: float, high: float) -> None:
    found = Standing(wins=wins, losses=losses).interval
    assert found == pytest.approx((low, high), abs=2e-4)


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 20))
def test_the_rate_lies_in_its_interval(wins: int, losses: int, ties: int) -> None:
    standing = Standing(wins=wins, losses=losses, ties=ties)
    low, high = standing.interval
    assert 0 <= low <= high <= 1
    if standing.battles:
        assert low - 1e-9 <= standing.win_rate <= high + 1e-9
    assert standing.after(True).wins == wins + 1
    assert standing.after(None).ties == ties + 1


def test_percentiles() -> None:
    assert percentile([], 0.5) == 0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([float(n) for n in range(100)], 0.95) == 95.0


chances = st.lists(st.floats(0.01, 1), min_size=1, max_size=8)


@given(chances, st.dictionaries(st.integers(1, 8), st.floats(0, 1), max_size=8))
def test_a_bent_prediction_still_sums_to_one(parts: list[float], wanted: dict[int, float]) -> None:
    total = sum(parts)
    before = Expected(
        predictions=tuple(
            Candidate(kind="move", action=f"m{n}", name=f"M{n}", probability=part / total)
            for n, part in enumerate(parts)
        )
    )
    weighting = Reweighting(
        weights=tuple(Weight(candidate=n, probability=p) for n, p in wanted.items())
    )
    if weight_problems(weighting, before.predictions):
        assert any(n > len(parts) for n in wanted)
        return
    after = reweighted(before, weighting)
    assert sum(one.probability for one in after.predictions) == pytest.approx(1)
    assert {one.action for one in after.predictions} == {f"m{n}" for n in range(len(parts))}
    odds = {one.action: one.probability for one in before.predictions}
    ratios = [one.probability / odds[one.action] for one in after.predictions]
    assert max(ratios) / min(ratios) <= BEND**2 + 1e-6


def test_weights_that_cannot_be_used_are_refused() -> None:
    one = Candidate(kind="move", action="tackle", name="Tackle", probability=1.0)
    twice = Reweighting(weights=(Weight(candidate=1, probability=0.5),) * 2)
    beyond = Reweighting(weights=(Weight(candidate=2, probability=0.5),))
    assert "twice" in weight_problems(twice, [one])[0]
    assert "not among 1 to 1" in weight_problems(beyond, [one])[0]
    assert not weight_problems(Reweighting(), [one])
