"""The battle agent's pages: a battle live on a local server, decisions, arenas, reviews."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from tests.samples import some
from tests.showdown import patient_search
from tests.web.reading import converse, tab, turns
from tests.web.stage import Profile, Site
from tests.web.test_web_display import PHONE, too_wide

from ruleplay.agents.battle.adapters.arena import ArenaReport, Times
from ruleplay.agents.battle.adapters.arena_records import keep_arena
from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.agents.battle.adapters.showdown_package import find_package
from ruleplay.settings import Settings

__all__ = ["patient_search"]  # a fixture
LOG = Path(__file__).with_name("battle.log")
"""Ten turns of a battle that Ruleplay played on a server of its own."""
INSTALLED = Settings().home
"""Where `ruleplay setup battle` has put the server and its sets, if it was run."""
BATTLE_SECONDS = 400
OPEN_ALL = "() => document.querySelectorAll('.battle details').forEach((e) => e.open = true)"


@pytest.fixture
def showdown(site: Site) -> None:
    """Lend the installed server to the stage; skip by name where there is none."""
    if find_package(INSTALLED) is None:
        if "showdown" in os.environ.get("RULEPLAY_REQUIRE", "").split(","):
            pytest.fail("showdown: run `ruleplay setup battle`")
        pytest.skip("showdown: run `ruleplay setup battle`")
    for name in ("showdown", "battle/sets"):
        lent = site.stage.lives.home / name
        if (INSTALLED / name).exists() and not lent.exists():
            lent.parent.mkdir(parents=True, exist_ok=True)
            lent.symlink_to(INSTALLED / name)


@pytest.fixture
def battle(site: Site) -> str:
    """Return the page of a battle of three recorded decisions."""
    address = site.new("battle", config={"search_ms": 20, "engine": "python"})
    asked = [one for one in recorded_positions() if len(str(one["legal"])) > 300][:3]
    for position in asked:
        site.act(address, {"kind": "decide", "position": position})
    return address


def test_a_server_without_showdown_says_what_to_do(page: Page) -> None:
    """First of all: afterwards the server is lent."""
    page.goto("/a/battle")
    page.get_by_role("button", name="Start the battle").click()
    expect(page.get_by_role("alert")).to_contain_text("ruleplay setup battle")


def test_a_battle_is_watched_live(page: Page, site: Site, showdown: None) -> None:
    page.goto("/a/battle")
    page.get_by_label("Opponent").first.select_option("random")
    page.get_by_label("Search per decision").fill("0")
    page.get_by_role("button", name="Start the battle").click()
    board = page.locator(".board")
    expect(board).to_be_visible(timeout=BATTLE_SECONDS * 1_000)
    expect(page).to_have_url(re.compile(r"/s/[0-9a-f]+$"))
    expect(board.locator(".active h4")).to_have_count(2)
    expect(page.locator(".chosen .order")).not_to_be_empty()
    expect(page.locator(".steps")).to_contain_text(re.compile(r"(\d\d|[2-9]) of (\d\d|[2-9])"))
    expect(page.locator(".verdict")).to_be_visible(timeout=BATTLE_SECONDS * 1_000)
    ended = page.locator(".verdict").inner_text()
    assert ended in ("Won", "Lost", "Tied")
    page.get_by_role("button", name="Decision before").click()
    page.get_by_role("button", name="To the end").click()
    expect(turns(page).last).to_contain_text("after")

    page.goto("/a/battle")
    started = page.locator(".list li").filter(has_text="random").first
    expect(started).to_contain_text(f"finished · {ended}")


def test_a_battle_is_stopped(page: Page, site: Site, showdown: None) -> None:
    page.goto("/a/battle")
    page.get_by_label("Opponent").first.select_option("self")
    page.get_by_label("Search per decision").fill("1000")
    page.get_by_role("button", name="Start the battle").click()
    expect(page.locator(".board")).to_be_visible(timeout=BATTLE_SECONDS * 1_000)
    page.goto("/a/battle")
    started = page.locator(".list li").filter(has_text="self").first
    started.get_by_role("button", name="Stop").click()
    expect(started).to_contain_text("stopped")


def test_a_decision_shows_why(page: Page, battle: str) -> None:
    page.goto(battle)
    expect(page.locator(".steps")).to_contain_text("3 of 3")
    chosen = page.locator(".chosen .order b").inner_text()
    taken = page.locator(".options > li.taken").first
    expect(taken).to_contain_text(chosen.removeprefix("Switch to ").removesuffix(" with Tera"))
    moves = page.get_by_role("region", name="Our moves")
    expect(moves.locator(".amount").filter(has_text="%").first).to_be_visible()
    shares = page.get_by_role("region", name="What they may do").locator(".line .amount")
    expect(shares.first).to_be_visible()
    told = [int(share.removesuffix("%")) for share in shares.all_inner_texts()]
    assert 95 <= sum(told) <= 105
    how = page.get_by_role("region", name="How it was decided")
    expect(how).to_contain_text("no model was asked")
    how.get_by_text(re.compile("^Scores of all")).click()
    expect(how.locator("tbody tr").first).to_be_visible()
    how.get_by_text(re.compile("^Times")).click()
    expect(how.locator(".laps li").first).to_be_visible()


def test_earlier_decisions_can_be_looked_at(page: Page, battle: str) -> None:
    page.goto(battle)
    steps = page.locator(".steps")
    expect(steps).to_contain_text("3 of 3")
    page.get_by_label("Choose a decision").focus()
    page.keyboard.press("ArrowLeft")
    expect(steps).to_contain_text("2 of 3")
    page.keyboard.press("ArrowLeft")
    expect(steps).to_contain_text("1 of 3")
    page.get_by_role("button", name="Follow live").click()
    expect(steps).to_contain_text("3 of 3")


def test_one_may_ask_why(page: Page, battle: str) -> None:
    page.goto(battle)
    expect(turns(page)).to_have_count(3)
    converse(page, "Why that?")
    expect(page.locator(".steps")).to_contain_text("3 of 3")
    tab(page, "Inspector")
    expect(page.locator(".station").first).to_be_visible()


def test_orders_and_wishes_are_given_by_button_and_taken_back(page: Page, site: Site) -> None:
    address = site.new("battle", config={"search_ms": 20, "engine": "python"})
    asked = next(one for one in recorded_positions() if "'tera': True" in str(one["legal"]))
    site.act(address, {"kind": "decide", "position": asked, "hold": True})
    page.goto(address)
    part = page.get_by_role("region", name="Your word")
    expect(part.get_by_role("status")).to_contain_text("waits for your word")
    orders = part.get_by_role("group", name="Orders").get_by_role("button")
    other = next(one for one in orders.all() if one.get_attribute("aria-pressed") == "false")
    other.click()
    expect(page.locator(".chosen")).to_contain_text("you chose")
    part.get_by_role("button", name="Keep the tera").click()
    wishes = part.get_by_role("list", name="What you want")
    expect(wishes).to_contain_text("no terastallization")
    wishes.get_by_role("button", name="Take back").click()
    expect(wishes).not_to_be_visible()
    part.get_by_role("button", name="Send").click()
    expect(part.get_by_role("status")).to_contain_text("counts for the next one")


def test_a_replay_is_reviewed(page: Page, site: Site) -> None:
    page.goto("/a/battle")
    page.get_by_label("Replay file").set_input_files(LOG)
    page.get_by_label("Whose turns").fill("Opponent")
    page.get_by_role("button", name="Review it").click()
    review = page.locator(".review")
    expect(review).to_contain_text("Opponent against Ruleplay", timeout=60_000)
    expect(review).to_contain_text("Ruleplay won")
    first = review.get_by_role("article").first
    expect(first).to_contain_text("Turn 1")
    expect(first).to_contain_text("Earthquake")
    expect(review.locator(".plot svg")).to_be_visible()


@pytest.mark.parametrize("context", [Profile(locale="fr-FR")], indirect=True)
def test_a_battle_is_french_for_a_french_reader(
    page: Page, battle: str, forgiven: list[str]
) -> None:
    page.goto(battle)
    expect(page.locator(".board")).to_be_visible()
    page.evaluate(OPEN_ALL)
    told = page.locator(".battle").inner_text()
    for english in (" the ", "Keep ", "Set up", "terastallizing", "known set", "|p1a:", "In words"):
        assert english not in told, english
    forgiven.append("422")
    page.goto("/a/battle")
    junk = {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no battle here"}
    page.get_by_label("Fichier du replay").set_input_files(junk)  # type: ignore[arg-type]
    page.get_by_role("button", name="Analyser").click()
    trouble = page.get_by_role("alert")
    expect(trouble).to_contain_text("Cela ne peut pas se faire.")
    # What the server adds is there for whoever asks, and said to be English.
    expect(trouble.locator("[lang=en]")).to_be_hidden()
    trouble.locator("summary").click()
    expect(trouble.locator("[lang=en]")).to_contain_text("no battle")


def test_what_is_no_replay_is_refused_in_words(page: Page, site: Site, forgiven: list[str]) -> None:
    forgiven.append("422")
    page.goto("/a/battle")
    page.get_by_label("Replay file").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no battle here"}
    )
    # By the keyboard: the list of battles above moves the button from under a mouse when it comes.
    page.get_by_role("button", name="Review it").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("no battle")


@pytest.fixture
def arena(site: Site) -> None:
    """Write down an arena of twenty battles, of which every fifth was lost."""
    won = [number % 5 > 0 for number in range(20)]
    report = ArenaReport(
        opponent="maxdamage",
        battles=20,
        wins=16,
        losses=4,
        ties=0,
        win_rate=0.8,
        ci95=(0.584, 0.9193),
        decisions=400,
        invalid_choices=0,
        unavailable_choices=1,
        fallbacks=0,
        decision_ms=Times(p50=120.0, p95=180.0),
        search_ms=100,
        engine="python",
    )
    keep_arena(site.stage.lives.home, report, won)


def test_an_arena_is_charted(page: Page, arena: None) -> None:
    page.goto("/a/battle")
    row = page.get_by_role("button", name=re.compile("against maxdamage")).first
    expect(row).to_contain_text("80% won (95%: 58.4–91.9%)")
    row.click()
    expect(page.locator(".arenas .plot svg")).to_be_visible()
    expect(page.locator(".arenas")).to_contain_text("0 invalid choices")
    page.locator(".arenas").get_by_text("As a table").click()
    last = page.locator(".arenas tbody tr").last
    expect(last).to_contain_text("80%")
    expect(last).to_contain_text("20")


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_battle_fits_on_a_phone(page: Page, battle: str, arena: None) -> None:
    page.goto(battle)
    tab(page, "Known")
    expect(page.locator(".board")).to_be_visible()
    assert not too_wide(page)
    page.evaluate(OPEN_ALL)
    assert not too_wide(page), "opened"
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("heading", name="Nos attaques")).to_be_visible()
    assert not too_wide(page), "in French"
    page.goto("/a/battle")
    page.get_by_role("button", name=re.compile("contre maxdamage")).first.click()
    expect(page.locator(".arenas .plot svg")).to_be_visible()
    assert not too_wide(page), "front"


@pytest.mark.parametrize(
    "context", some([Profile(locale="fr-FR"), Profile(), PHONE], 2), indirect=True
)
def test_battles_are_played_one_after_the_other_and_counted(page: Page) -> None:
    """Without a game server: the page alone is looked at, and a battle is over at once."""
    played: list[dict[str, object]] = []

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            asked = json.loads(route.request.post_data or "{}")
            number = len(played)
            result = ["win", "win", "loss", "win"][number]
            over = {"status": "finished", "result": result, "session": "", "problem": None}
            played.append({"id": f"b{number}", **asked, **over})
        body = {"battles": played[::-1]} if route.request.method == "GET" else played[-1]
        route.fulfill(json=body)

    page.route("**/api/battle/battles", answer)
    page.goto("/a/battle")
    french = page.locator("html").get_attribute("lang") == "fr"
    page.get_by_role("button", name="Les jouer" if french else "Play them").click()
    score = page.locator(".series .score")
    expect(score).to_contain_text("4 sur 4 joués" if french else "4 of 4 played")
    expect(score).to_contain_text("75 %" if french else "75%")
    expect(score.locator(".outcomes .win")).to_have_count(3)
    assert [one["opponent"] for one in played] == ["heuristics"] * 4
    assert not too_wide(page)
