"""The first minute: one field, one click, one file, and pages that stay where they are."""

from __future__ import annotations

import asyncio
import re
from importlib.resources import files
from pathlib import Path

import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import NightPlan, PullPlan
from playwright.sync_api import Page, Route, expect
from tests.web.reading import draft, press, say, turns, until
from tests.web.stage import LEAK, Profile, Site, Stage, pen
from tests.web.test_web_battle import battle
from tests.web.test_web_display import serious
from tests.web.test_web_raid import logs, talk

from ruleplay.agents.parts.agent import imported_catalog

__all__ = ["battle", "logs", "talk"]
NIGHT = NightPlan(pulls=(PullPlan(649, "missed", at=0.5), PullPlan(649, "kill")), health=0.06)
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
DEMO = Path(str(files("ruleplay.agents.parts"))) / "demo"
MOST_SHIFT = 0.1
MOST_PIXELS = 8
NEAR = 40
"""Pixels from the top at which a question is on top."""


PAINTS = """
window.painted = [];
const keep = (list) => window.painted.push(...list.getEntries());
new PerformanceObserver(keep).observe({ type: 'largest-contentful-paint', buffered: true });
"""
PAINTED = """
() => window.painted.map((paint) => [
  paint.startTime - performance.getEntriesByName('first-contentful-paint')[0].startTime,
  paint.size,
  (paint.element?.textContent ?? '').slice(0, 60),
])
"""
"""Each paint larger than any before: milliseconds since the first one, size, words."""
MOST_WAITED, LOADS = 100, 5
"""A busy machine may draw a frame late; what a page does, it does every time."""


def test_nothing_is_painted_larger_than_the_documents_own_text(page: Page, site: Site) -> None:
    page.add_init_script(PAINTS)
    talk = site.new("saga")
    site.say(talk, "begin")
    fronts = [f"/a/{agent}" for agent in ("parts", "battle", "raid", "saga", "party")]
    for address in ("/", *fronts, talk, site.new("raid"), site.new("parts")):
        loads: list[list[tuple[float, int, str]]] = []
        while not loads or not _once(loads[-1]):
            assert len(loads) < LOADS, (address, loads)
            loads.append(_painted(page, address))


def _once(paints: list[tuple[float, int, str]]) -> bool:
    """Tell if all that is large came at once; a second paint is the app's, later and larger."""
    return len(paints) == 1 and 0 <= paints[0][0] <= MOST_WAITED


def _painted(page: Page, address: str) -> list[tuple[float, int, str]]:
    document = page.goto(address)
    assert document
    assert not re.search("<link[^>]+preload", document.text())
    expect(page.locator(".first")).to_have_count(0)
    expect(page.locator("html")).to_have_class("lettered")
    # What was painted is told a little after it was.
    page.wait_for_function("() => window.painted.length > 0")
    return [(float(ms), int(size), str(words)) for ms, size, words in page.evaluate(PAINTED)]


def test_a_wish_picks_its_agent_and_begins(page: Page) -> None:
    page.goto("/")
    field = page.get_by_label("What do you want to do?")
    field.fill("Why did we wipe on the last boss?")
    expect(page.get_by_role("button", name="Raid", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    field.fill("My dishwasher leaks")
    expect(page.get_by_role("button", name="Parts", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    page.get_by_role("button", name="Begin").click()
    expect(turns(page)).to_have_count(1)
    expect(turns(page)).to_contain_text("My dishwasher leaks")


def test_a_wish_that_says_nothing_of_anybody_is_answered(page: Page) -> None:
    page.goto("/")
    page.get_by_label("What do you want to do?").fill("hello")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("choose above who answers")
    assert serious(page) == []
    page.get_by_role("button", name="Parts", exact=True).click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_wish_to_battle_leads_to_all_ways_to_battle(page: Page) -> None:
    page.goto("/")
    page.get_by_label("What do you want to do?").fill("I want to play pokemon")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/a/battle$"))
    expect(page.get_by_role("button", name="Gentle")).to_be_visible()


def test_a_wish_that_names_a_story_begins_it_and_any_other_finds_the_stories(page: Page) -> None:
    page.goto("/")
    field = page.get_by_label("What do you want to do?")
    field.fill("une saga avec une barge et la forêt")
    page.keyboard.press("Enter")
    expect(page.locator(".saga")).to_contain_text("La Dette grise")
    page.goto("/")
    field.fill("a saga about pirates")
    page.keyboard.press("Enter")
    expect(page.locator(".story").filter(has_text="The Grey Debt")).to_be_visible()


@pytest.mark.parametrize("context", [Profile(locale="fr-FR")], indirect=True)
def test_a_saga_in_french_is_one_click_away(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Lancer: Saga").click()
    expect(page.locator(".saga .character")).to_be_visible()
    expect(page.locator(".saga")).to_contain_text("La Lampe")


def test_a_dropped_log_is_imported_and_asked_about(page: Page, tmp_path: Path) -> None:
    log = tmp_path / "night.txt"
    log.write_text("".join(generate_night(7, NIGHT)[0]), encoding="utf-8", newline="\n")
    page.goto("/")
    page.locator(".start input[type=file]").set_input_files(log)
    expect(page.locator(".lanes svg")).to_be_visible()
    about = page.get_by_label("The pull that is asked about")
    about.select_option("1")
    expect(page.locator("#pull-title")).to_contain_text("Pull 1")
    say(page, "Why did we wipe?")
    expect(turns(page)).to_have_count(1)
    expect(turns(page).locator(".said")).to_contain_text("pull 1")


DROP = """([start, name, text]) => {
  const given = new DataTransfer();
  given.items.add(new File([text], name));
  const how = { dataTransfer: given, bubbles: true, cancelable: true };
  for (const kind of ['dragover', 'drop']) start.dispatchEvent(new DragEvent(kind, how));
}"""
PARTY = Path(str(files("ruleplay.agents.party"))) / "world"
SAGA = Path(str(files("ruleplay.agents.saga"))) / "world"


@pytest.mark.parametrize(
    ("file", "there"),
    [
        (PARTY / "characters" / "thorin.yaml", ".party"),
        (PARTY / "adventures" / "glass-orchard.md", ".party"),
        (SAGA / "scenarios" / "grey-debt.md", ".saga"),
        (Path(__file__).with_name("battle.log"), ".review article"),
    ],
    ids=["sheet", "adventure", "scenario", "replay"],
)
def test_what_is_dropped_on_the_first_page_begins_there(
    page: Page, forgiven: list[str], file: Path, there: str
) -> None:
    forgiven.append("422")  # a story that one agent cannot read may be the next one's
    page.goto("/")
    expect(page.locator(".agent .primary").first).to_be_visible()
    start = page.locator("form.start").element_handle()
    page.evaluate(DROP, [start, file.name, file.read_text("utf-8")])
    expect(page.locator(there).first).to_be_visible()


def test_each_agent_lives_in_its_picture_and_starts_with_a_click(page: Page, site: Site) -> None:
    for name in ("parts", "raid", "saga", "party"):
        page.goto("/")
        card = page.locator(f".agent[data-agent={name}]")
        expect(card.locator(".primary")).to_be_visible()
        moving = "(e) => e.getAnimations({ subtree: true }).length"
        assert card.locator(".thumbnail").evaluate(moving) > 0, name
        card.locator(".primary").click()
        expect(page.locator(f".session[data-agent={name}]")).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    expect(page.locator(".thumbnail").first).to_be_visible()
    assert page.evaluate("() => document.getAnimations().length") == 0


@pytest.mark.parametrize("context", [Profile(), Profile(locale="fr-FR")], indirect=True)
@pytest.mark.parametrize("agent", ["parts", "raid", "saga"])
def test_what_is_suggested_at_first_leads_somewhere(page: Page, site: Site, agent: str) -> None:
    page.goto("/")
    french = page.locator("html").get_attribute("lang") == "fr"
    page.locator(f".agent[data-agent={agent}] .primary").click()
    offered = page.locator(".quick button, .examples button")
    expect(offered.first).to_be_visible()
    suggested = offered.all_inner_texts()
    english = [one for one in suggested if re.match(r"(?:How|Who|What|Why|My|Is) ", one)]
    assert not english if french else english or agent == "saga"
    for one in suggested:
        address = site.new(
            agent, config={} if agent == "parts" else {"lang": "fr" if french else "en"}
        )
        site.say(address, one)
        played = page.request.get(address.replace("/s/", "/api/sessions/")).json()["turns"][-1]
        unheard = [told for told in played["events"] if told["type"] in ("Unclear", "Refused")]
        assert unheard == [], one
        assert not any(told.get("asked_back") for told in played["events"]), one
        assert played["reply"], one


def test_a_dropped_catalog_is_imported_and_its_columns_told(page: Page, site: Site) -> None:
    page.goto("/")
    page.locator(".start input[type=file]").set_input_files([DEMO / "parts.csv", DEMO / "fits.csv"])
    replace = page.get_by_role("button", name="Replace the catalog")
    expect(replace).to_be_enabled()
    assert serious(page) == []
    replace.click()
    report = page.locator(".imported")
    expect(report).to_contain_text("Imported")
    expect(report.get_by_role("table", name="Columns of parts.csv")).to_contain_text("part_number")
    assert serious(page) == []
    imported_catalog(site.life.host.settings).unlink()


def test_a_file_nobody_takes_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    strange = tmp_path / "song.mp3"
    strange.write_bytes(b"ID3")
    page.goto("/")
    expect(page.locator(".agent").first).to_be_visible()
    page.locator(".start input[type=file]").set_input_files(strange)
    expect(page.get_by_role("alert")).to_contain_text("does not know this kind of file")


def test_a_session_is_renamed_and_deleted(page: Page, site: Site) -> None:
    address = site.new("parts")
    page.goto("/")
    row = page.locator(".sessions li", has=page.locator(f"a[href='{address}']"))
    row.get_by_role("button", name="Rename").click()
    expect(row.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("The kitchen's dishwasher")
    page.keyboard.press("Enter")
    expect(row.locator(".title")).to_have_text("The kitchen's dishwasher")
    expect(row.get_by_role("link")).to_be_focused()
    row.get_by_role("button", name="Delete").click()
    expect(row.get_by_role("button", name="Keep it")).to_be_focused()
    assert serious(page) == []
    row.get_by_role("button", name="Delete it").click()
    expect(row).to_have_count(0)


def test_the_keyboards_place_is_kept_where_a_list_is_sorted_anew(page: Page, site: Site) -> None:
    """Others' sessions go on meanwhile: once the list is read again, theirs come first."""
    others = [site.new(agent) for agent in ("saga", "raid", "battle")]
    address = site.new("parts")
    page.goto("/")
    row = page.locator(".sessions li", has=page.locator(f"a[href='{address}']"))
    for other, opening in zip(others, ("begin", "hello", "hello"), strict=True):
        site.say(other, opening)
    row.get_by_role("button", name="Rename").click()
    expect(row.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("A washer that hums")
    page.keyboard.press("Enter")
    expect(row.locator(".title")).to_have_text("A washer that hums")
    expect(page.locator(".session-group").nth(1)).not_to_have_attribute("data-agent", "parts")
    expect(row.get_by_role("link")).to_be_focused()


def test_an_unknown_address_is_a_page(page: Page, forgiven: list[str]) -> None:
    forgiven.append("404")
    answer = page.goto("/nothing/here")
    assert answer
    assert answer.status == 404
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()


def test_the_way_of_a_stored_turn_is_shown(page: Page, site: Site) -> None:
    address = site.new()
    site.say(address, LEAK)
    page.goto(address)
    press(page, "Look inside", 1)
    expect(page.locator(".path li").first).to_be_visible()
    expect(page.locator(".station.done")).to_have_count(4)


def test_lines_beneath_a_story_open_to_their_dice(page: Page, site: Site) -> None:
    address = site.new("saga")
    site.say(address, "begin", "talk to Maud", "go to the Greenway", "attack")
    page.goto(address)
    line = page.locator(".printed").last
    dice = line.locator("button[data-dice]").first
    expect(line.locator(".thrown").first).to_be_hidden()
    dice.click()
    expect(line.locator(".thrown").first).to_be_visible()
    expect(dice).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".parchment .here text")).to_have_text("the Greenway")


def test_the_question_stays_on_top_and_nothing_jumps(page: Page, site: Site, stage: Stage) -> None:
    gate = asyncio.Event()
    page.add_init_script(SHIFTS)
    page.goto(site.new(model=pen(gate)))
    say(page, LEAK)
    expect(draft(page)).to_contain_text("Leaking")
    top = "() => document.querySelector('.turns > li:last-child').getBoundingClientRect().top"
    above = page.locator(".turns").evaluate("(e) => e.parentElement.getBoundingClientRect().top")
    until(page, lambda: abs(page.evaluate(top) - above) < NEAR)
    before = page.evaluate(top)
    stage.open_gate(gate)
    expect(turns(page)).to_have_count(1)
    assert abs(page.evaluate(top) - before) < 2
    assert page.evaluate("() => window.scrollY") == 0
    assert page.evaluate("() => window.shifted") <= MOST_SHIFT


TALLER = "() => document.documentElement.scrollHeight - innerHeight"
SHOWN = {"battle": ".board", "raid": ".plot svg"}
"""What comes last on a session's page that has something to show."""


@pytest.mark.parametrize("agent", ["parts", "raid", "saga", "party", "battle"])
def test_pages_do_not_shift_nor_scroll_away(
    page: Page, site: Site, agent: str, request: pytest.FixtureRequest
) -> None:
    page.add_init_script(SHIFTS)
    given = {"battle": "battle", "raid": "talk"}.get(agent)
    session = request.getfixturevalue(given) if given else site.new(agent)
    for address in ("/", f"/a/{agent}", session):
        page.goto(address)
        expect(page.locator(".loading")).to_have_count(0)
        expect(page.locator("h1").first).to_be_visible()
        if address == session and agent in SHOWN:
            expect(page.locator(SHOWN[agent]).first).to_be_visible()
        expect(page.locator("html")).to_have_class("lettered")
        assert page.evaluate("() => window.shifted") <= MOST_SHIFT, address
    # A session fills its window: what is hidden for eyes alone makes no page taller than that.
    page.locator("details").evaluate_all("(all) => all.forEach((e) => { e.open = true; })")
    assert page.evaluate(TALLER) <= 0


def test_a_document_reads_before_any_script_and_nothing_jumps_when_the_page_takes_over(
    page: Page, site: Site
) -> None:
    address = site.new()
    site.say(address, LEAK)
    held: list[Route] = []
    page.route("**/app.js", lambda route: held.append(route), times=1)
    page.add_init_script(SHIFTS)
    page.goto(address, wait_until="commit")
    look = page.locator(".first")
    expect(look.locator("h1")).to_have_text("Appliance parts")
    expect(look.locator(".said")).to_have_text(LEAK)
    expect(look.locator(".reply")).to_contain_text("PS90001822")
    title = look.locator("h1").bounding_box()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site.url)))
    until(page, lambda: bool(held))
    held[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text("Appliance parts")
    expect(look).to_have_count(0)
    expect(page.locator(".card").first).to_be_visible()
    taken = page.locator("h1").bounding_box()
    assert title
    assert taken
    assert max(abs(title["x"] - taken["x"]), abs(title["y"] - taken["y"])) < MOST_PIXELS
    assert page.evaluate("() => window.shifted") <= MOST_SHIFT
    # What came with the document is not asked for again before the stream is open.
    stream = next(at for at, path in enumerate(asked) if path.endswith("/events"))
    assert [path for path in asked[:stream] if path.startswith("/api/")] == []


@pytest.mark.parametrize("context", [Profile(locale="fr-FR")], indirect=True)
def test_the_first_look_is_in_the_language_and_light_that_were_chosen(
    page: Page, forgiven: list[str]
) -> None:
    forgiven.extend(("ERR_FAILED", "dynamically imported module"))
    page.goto("/")
    page.get_by_label("Langue").select_option("en")
    page.get_by_role("button", name="Theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.route("**/app.js", lambda route: route.abort())
    page.goto("/a/saga")
    expect(page.locator(".first h1")).to_have_text("Saga")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_draft_survives_a_reload(page: Page, site: Site) -> None:
    page.goto(site.new())
    field = page.get_by_label("Message", exact=True)
    field.fill("My washer hums")
    page.reload()
    expect(field).to_have_value("My washer hums")


@pytest.mark.parametrize("context", [Profile(), Profile(color_scheme="dark")], indirect=True)
def test_the_design_page_is_clean(page: Page) -> None:
    page.goto("/design")
    expect(page.locator(".grid .token")).to_have_count(3)
    plain = page.locator(".swatches span").evaluate_all(
        "(all) => all.filter((e) => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)')"
        ".map((e) => e.parentElement.textContent)"
    )
    assert plain == []
    assert serious(page) == []
