"""The raid analyst's pages: import a log, ask, follow a citation to raw lines, compare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from benchmarks.raid.nights.truth import PullTruth
from playwright.sync_api import Browser, Locator, Page, expect
from tests.web.reading import converse, look_at_panel, open_evidence, say, until
from tests.web.stage import Profile, Site, Stage
from tests.web.test_web_display import PHONE, serious, too_wide

from ruleplay.agents.raid.adapters.log_import import import_logs
from ruleplay.models.scripted import Call, ScriptedModel

WIPED = NightPlan(
    pulls=(
        PullPlan(649, "missed", at=0.5, bloodlust=None),
        PullPlan(649, "kill", trash=0, bloodlust=6.0),
    ),
    health=0.03,
    roster=1,
)
LATER = replace(WIPED, start=WIPED.start + timedelta(days=7), pulls=(PullPlan(649, trash=0),))
SENT = replace(WIPED, start=WIPED.start + timedelta(days=14))


@dataclass(frozen=True)
class Logs:
    """Two imported nights and one that waits to be, with what happened in the first of each."""

    code: str
    wiped: PullTruth
    waiting: Path
    sent: PullTruth


def written(plan: NightPlan, seed: int, file: Path) -> PullTruth:
    """Generate a night into a file and return its first pull."""
    lines, truth = generate_night(seed, plan)
    file.write_text("".join(lines), encoding="utf-8", newline="\n")
    return truth.pulls[0]


@pytest.fixture(scope="session")
def logs(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Logs:
    folder = tmp_path_factory.mktemp("logs")
    home = site.stage.lives.home
    later, wiped = folder / "later.txt", folder / "first.txt"
    written(LATER, 8, later)
    import_logs([later], home)
    truth = written(WIPED, 7, wiped)
    code = import_logs([wiped], home).report
    waiting = folder / "WoWCombatLog.txt"
    return Logs(code, truth, waiting, written(SENT, 9, waiting))


@pytest.fixture
def talk(site: Site, logs: Logs) -> str:
    """Return the page of a new conversation about nights that are there."""
    return site.new("raid", config={"report": logs.code})


def known(page: Page) -> Locator:
    """Return the raid's own part of the page."""
    return page.locator(".raid")


def section(page: Page, name: str) -> None:
    """Open one of the raid's views."""
    button = known(page).get_by_role("button", name=name).first
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def show(page: Page, name: str) -> None:
    """Choose what is shown of a pull."""
    page.locator(".pull .segments").get_by_role("button", name=name, exact=True).click()


def choose_pull(page: Page, boss: str) -> None:
    """Choose the first pull of a boss."""
    pull = page.locator(".pulls button").filter(has_text=boss).first
    pull.click()
    expect(pull).to_have_attribute("aria-current", "true")


def test_a_log_is_imported_and_looked_at(page: Page, talk: str, logs: Logs) -> None:
    page.goto(talk)
    section(page, "Import")
    page.get_by_label("Combat log").set_input_files(logs.waiting)
    done = page.locator(".imported")
    expect(done).to_contain_text("0 unparsed", timeout=30_000)
    expect(done).to_contain_text("2 pulls")
    page.get_by_role("button", name="Look at the night").click()
    first = page.locator(".pulls button").first
    expect(first).to_contain_text("Wipe")
    expect(first).to_contain_text(logs.sent.name)


def test_what_is_no_log_is_refused_in_words(page: Page, talk: str) -> None:
    page.goto(talk)
    section(page, "Import")
    junk = {"name": "holiday.txt", "mimeType": "text/plain", "buffer": b"\0\1 no log " * 400}
    page.get_by_label("Combat log").set_input_files(junk)  # type: ignore[arg-type]
    expect(page.locator(".trouble")).to_contain_text("holiday.txt", timeout=30_000)


def test_a_citation_leads_to_raw_lines(page: Page, talk: str, logs: Logs) -> None:
    page.goto(talk)
    converse(page, "Who died first on the last wipe?")
    death = logs.wiped.deaths[0]
    reply = page.locator(".turn .reply")
    expect(reply).to_contain_text(death.player.partition("-")[0])
    open_evidence(page)
    result = page.locator(".result.cited")
    expect(result).to_contain_text(death.killer)
    result.get_by_text("Where this comes from").click()
    ranges = result.locator(".ranges button")
    expect(ranges.first).to_be_visible()
    more = ranges.filter(has_text="all")
    if more.count():
        more.click()
        expect(more).to_have_count(0)
    holding = next(
        at for at in range(ranges.count()) if holds(ranges.nth(at).inner_text(), death.line)
    )
    ranges.nth(holding).click()
    raw = result.locator(".raw")
    expect(raw.locator("li").first).to_be_visible()
    while not holds(raw.get_by_role("heading").inner_text().split()[1], death.line):
        shown = raw.get_by_role("heading").inner_text()
        raw.get_by_role("button", name="Lines after").click()
        expect(raw.get_by_role("heading")).not_to_have_text(shown)
    line = raw.locator(f'li[value="{death.line}"]')
    expect(line).to_contain_text(death.player)


def holds(told: str, line: int) -> bool:
    """Tell whether a range as it is shown holds a line."""
    first, _, last = told.partition("–")
    return int(first) <= line <= int(last or first)


def test_a_pull_is_told_in_tables_and_charts(page: Page, talk: str, logs: Logs) -> None:
    page.goto(talk)
    expect(page.locator(".plot svg").first).to_be_visible()
    choose_pull(page, logs.wiped.name)
    best, did = max(logs.wiped.totals.items(), key=lambda one: one[1].damage)
    row = page.locator(".pull tbody tr").filter(has_text=best)
    expect(row).to_contain_text(f"{did.damage:,}")
    expect(row).to_contain_text(f"{did.overkill:,}")
    show(page, "Deaths")
    death = logs.wiped.deaths[0]
    told = page.locator(".deaths li").first
    for word in (death.player, death.killer, death.spell, str(death.amount)):
        expect(told).to_contain_text(word)
    show(page, "Cooldowns")
    expect(page.get_by_role("region", name="Cooldowns")).to_contain_text(
        logs.wiped.cooldowns[0].spell
    )
    show(page, "Uptimes")
    shares = page.locator("figure").filter(has=page.get_by_role("img", name="Uptimes"))
    shares.get_by_text("As a table").click()
    expect(shares.get_by_role("table")).to_contain_text(logs.wiped.uptimes[0].spell)


def test_the_night_that_is_chosen_drives_panel_and_chat(page: Page, talk: str, logs: Logs) -> None:
    page.goto(talk)
    about = page.locator(".composer .about select")
    expect(about).to_have_count(2)
    other = about.first.locator("option:not(:checked)").first
    code = other.get_attribute("value") or ""
    about.first.select_option(code)
    panel = known(page).locator("select[aria-label=Night]")
    expect(panel).to_have_value(code)
    expect(page.locator("#pull-title")).to_be_visible()
    say(page, "Who did the most damage?")
    expect(page.locator(".turn .said").last).to_contain_text(f"report {code}")
    # Chosen in the panel, it is the chat's as well.
    panel.select_option(logs.code)
    expect(about.first).to_have_value(logs.code)
    choose_pull(page, logs.wiped.name)
    expect(about.last).to_have_value("1")


def test_two_players_stand_side_by_side(page: Page, talk: str, logs: Logs) -> None:
    page.goto(talk)
    section(page, "Compare")
    page.get_by_label("Pull", exact=True).select_option("1")
    ranked = sorted(logs.wiped.totals.items(), key=lambda one: -one[1].damage)
    (one, first), (other, second) = ranked[0], ranked[2]
    page.get_by_label("First player").select_option(one)
    page.get_by_label("Second player").select_option(other)
    damage = page.locator(".pair tbody tr").filter(has_text="Damage").first
    expect(damage.locator("td").first).to_have_text(f"{first.damage:,}")
    expect(damage.locator("td").last).to_have_text(f"{second.damage:,}")
    expect(page.locator(".plot svg")).to_be_visible()


def test_two_nights_stand_side_by_side(page: Page, talk: str) -> None:
    page.goto(talk)
    section(page, "Compare")
    page.get_by_role("button", name="Two nights").click()
    expect(known(page).get_by_role("region", name="Two nights")).to_contain_text("Maulgar")


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_a_raid_fits_on_a_phone(page: Page, talk: str) -> None:
    page.goto(talk)
    converse(page, "Who did the most damage on the last kill?")
    assert not too_wide(page)
    open_evidence(page)
    expect(page.get_by_role("tab", name="Known")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".result.cited")).to_be_in_viewport()
    for name in ("Night", "Compare", "Import", "Evidence"):
        section(page, name)
        expect(page.locator(".loading")).to_have_count(0)
        assert not too_wide(page), name
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("button", name="Soirée")).to_be_visible()
    assert not too_wide(page)


@pytest.fixture
def cited(site: Site, logs: Logs) -> str:
    """Return the page of a conversation in which a model cited, viewed and was doubted."""
    said = (
        "- The pull lasted a while [r1], and everyone was there [r1.1].\n"
        "- You should stand **closer** together.\n\n"
        "| who | role |\n|---|---|\n| first | there [r1.1] |\n"
    )
    looks = [Call("look", {"tool": "tally", "measure": "damage", "pulls": "1"})]
    page = site.new("raid", ScriptedModel([looks, *[said] * 3]), {"report": logs.code})
    site.say(page, "Top damage on pull 1?")
    return page


def test_who_stands_behind_a_sentence_is_seen_and_its_line_opened(page: Page, cited: str) -> None:
    page.goto(cited)
    reply = page.locator(".reply").last
    expect(reply.locator(".told.view")).to_contain_text(["You should stand", "closer"])
    vouched = reply.locator(".told.vouched[role=button]").first
    line = page.locator(f"#{vouched.get_attribute('aria-controls')}")
    expect(line).to_be_hidden()
    vouched.press("Enter")
    expect(line).to_be_visible()
    expect(line).to_contain_text("Tally")
    expect(vouched).to_have_attribute("aria-expanded", "true")
    vouched.click()
    expect(line).to_be_hidden()
    doubted = reply.locator(".told.doubted").first
    opened = page.locator(f"#{doubted.get_attribute('aria-controls')}")
    expect(opened).to_be_visible()
    opened.get_by_role("button", name="r1").click()
    expect(known(page).locator(".result.cited")).to_be_visible()
    expect(reply.locator("td .told")).to_contain_text(["there"])
    expect(page.locator(".legend")).to_be_visible()
    assert not serious(page)


def test_a_night_is_shared_with_who_has_no_token(
    page: Page, browser: Browser, stage: Stage, logs: Logs, forgiven: list[str]
) -> None:
    forgiven.append("401")
    guarded = stage.start(token="a long enough token")
    talk = guarded.new("raid", config={"report": logs.code})
    page.goto(guarded.url + talk)
    page.get_by_label("Token").fill("a long enough token")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_text("Share this night").click()
    page.get_by_role("button", name="Make a link").click()
    address = page.get_by_label("Link, told this once").input_value()
    assert address.startswith(f"{guarded.url}/share/")
    stranger = browser.new_context(locale="en-GB")
    try:
        reading = stranger.new_page()
        told: list[str] = []
        reading.on("console", lambda said: told.append(said.text))
        reading.on("request", lambda request: told.append(request.url))
        reading.goto(address)
        expect(reading.get_by_role("heading", level=1)).to_be_visible()
        expect(reading.get_by_role("heading", name=logs.wiped.name).first).to_be_visible()
        until(reading, lambda: reading.locator("svg").count() > 2)
        assert told == [address]
        assert stranger.cookies() == []
        assert reading.request.get(f"{guarded.url}/api/raid/reports").status == 401
        page.get_by_role("button", name="Revoke").click()
        expect(page.get_by_role("button", name="Revoke")).to_have_count(0)
        gone = reading.goto(address)
        assert gone is not None
        assert gone.status == 404
        expect(reading.locator("body")).to_contain_text("not valid")
    finally:
        stranger.close()


def test_lanes_show_who_cast_what_and_a_mark_leads_to_its_line(
    page: Page, talk: str, logs: Logs
) -> None:
    page.goto(talk)
    choose_pull(page, logs.wiped.name)
    lanes = page.locator(".lanes")
    boss = lanes.locator(".boss .cast")
    expect(boss.first).to_be_visible()
    expect(lanes.locator(".casts .cast")).to_have_count(0)
    best = max(logs.wiped.totals, key=lambda name: logs.wiped.totals[name].damage)
    lanes.get_by_label("Casts of").select_option(best)
    first = lanes.locator(".casts .cast").first
    expect(first).to_be_visible()
    ability = (first.get_attribute("aria-label") or "").split(" → ")[0].partition(" ")[2]
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(lanes.locator(".casts .cast").nth(1)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    raw = lanes.locator(".raw li").first
    expect(raw).to_contain_text(ability)
    expect(raw).to_contain_text(best.partition("-")[0])
    lanes.get_by_role("button", name="Last 10 s", exact=True).click()
    expect(lanes.get_by_role("button", name="Last 10 s", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    assert not serious(page)


@pytest.mark.parametrize(
    "context", [PHONE, Profile(reduced_motion="reduce")], indirect=True, ids=["phone", "calm"]
)
def test_positions_are_played_paused_and_scrubbed(page: Page, talk: str, logs: Logs) -> None:
    page.goto(talk)
    look_at_panel(page)
    choose_pull(page, logs.wiped.name)
    places = page.locator(".places")
    canvas = places.locator("canvas")
    expect(canvas).to_be_visible()
    expect(page.locator(".lanes output")).to_contain_text("0:00, 25 alive")
    lanes = page.locator(".lanes")
    time = lanes.get_by_label("Time in the pull")
    until(page, lambda: canvas.evaluate(DOTS) > 100)
    before = canvas.evaluate("one => one.toDataURL()")
    lanes.get_by_role("button", name="Play", exact=True).click()
    expect(lanes.locator("output")).not_to_contain_text("0:00")
    lanes.get_by_role("button", name="Pause").click()
    time.fill(str(int(logs.wiped.deaths[-1].seconds) + 1))
    expect(lanes.locator("output")).not_to_contain_text("25 alive")
    until(page, lambda: canvas.evaluate("one => one.toDataURL()") != before)
    # The end again, as long as it lasted: bodies lie on the timeline once they have fallen.
    lanes.get_by_role("button", name="Replay the last 10 s").click()
    expect(lanes.get_by_role("button", name="Last 10 s", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(lanes.locator(".now")).to_be_attached()
    time.fill(str(int(logs.wiped.deaths[-1].seconds) - 2))
    fallen, to_fall = lanes.locator(".body:not(.yet)"), lanes.locator(".body.yet")
    expect(to_fall.first).to_be_attached()
    last = to_fall.count()
    time.fill(str(int(logs.wiped.deaths[-1].seconds) + 1))
    expect(to_fall).to_have_count(0)
    assert fallen.count() >= last
    assert not too_wide(page)
    assert not serious(page)


DOTS = """one => {
  const { data } = one.getContext('2d').getImageData(0, 0, one.width, one.height);
  let seen = 0;
  for (let at = 3; at < data.length; at += 4) seen += data[at] > 0;
  return seen;
}"""
