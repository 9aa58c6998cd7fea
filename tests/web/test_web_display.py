"""The page for everyone: languages, themes, phones, keyboards, screen readers, tokens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect
from tests.web.reading import converse, press, tab, turns
from tests.web.stage import LEAK, Profile, Site, Stage

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = Profile(width=360, height=740, phone=True)
FIT = "Will PS3406971 fit my WDT780SAEM2?"
SETTLED = """() => document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .forEach((one) => one.finish())"""
MOST_TABS = 60
COLD = 600_000
"""Bytes that the first page may take, charts left out."""


@pytest.fixture
def talk(site: Site) -> str:
    """Return the address of a session of two turns."""
    address = site.new()
    site.say(address, LEAK, FIT)
    return address


def test_the_language_can_be_chosen_and_stays(page: Page, talk: str) -> None:
    page.goto(talk)
    page.get_by_label("Language").select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("button", name="Envoyer")).to_be_visible()
    expect(page.locator(".slot.to_confirm")).to_contain_text("À confirmer")
    page.reload()
    expect(page.get_by_role("button", name="Envoyer")).to_be_visible()


@pytest.mark.parametrize("context", [Profile(locale="fr-FR")], indirect=True)
def test_a_french_browser_is_answered_in_french(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Apportez une question")


@pytest.mark.parametrize("context", [Profile(color_scheme="dark")], indirect=True)
def test_the_theme_follows_the_system_until_one_is_chosen(page: Page) -> None:
    page.goto("/")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    button = page.get_by_role("button", name="Theme")
    body = page.locator("body")
    dark = page.evaluate(ground)
    button.click()
    expect(button).to_have_accessible_name("Theme: Light")
    expect(body).not_to_have_css("background-color", dark)
    light = page.evaluate(ground)
    page.reload()
    expect(body).to_have_css("background-color", light)
    button.click()
    expect(body).to_have_css("background-color", dark)


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_nothing_is_wider_than_a_phone(page: Page, talk: str) -> None:
    for address in ("/", "/a/parts"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".loading")).to_have_count(0)
        assert not too_wide(page), address
    page.goto(talk)
    for name in ("Conversation", "Known", "Inspector", "Branches"):
        tab(page, name)
        expect(page.locator("#panel")).to_be_visible()
        assert not too_wide(page), name
    tab(page, "Conversation")
    page.get_by_label("Language").select_option("fr")
    expect(page.get_by_role("tab", name="Inspecteur")).to_be_visible()
    assert not too_wide(page)


def too_wide(page: Page) -> bool:
    """Tell whether the page can be scrolled sideways."""
    return bool(
        page.evaluate(
            "() => [document.documentElement, document.body, ...document.querySelectorAll"
            "('main, .session, .scroll, #panel')].some((e) => e.scrollWidth > e.clientWidth)"
        )
    )


@pytest.mark.parametrize("context", [PHONE], indirect=True)
def test_evidence_on_a_phone_opens_the_conversation(page: Page, talk: str) -> None:
    page.goto(talk)
    tab(page, "Known")
    page.get_by_role("button", name="PS3406971").first.click()
    expect(page.locator("mark")).to_have_text("PS3406971")
    expect(page.locator("mark")).to_be_in_viewport()


def test_the_skip_link_does_not_pull_the_focus_back(page: Page) -> None:
    page.add_init_script(
        "const paint = window.requestAnimationFrame.bind(window);"
        "window.requestAnimationFrame = (draw) => setTimeout(() => paint(draw), 300);"
    )
    page.goto("/")
    first = page.get_by_label("What do you want to do?")
    expect(first).to_be_visible()
    for key in ("Tab", "Enter", "Tab"):
        page.keyboard.press(key)
    expect(first).to_be_focused()
    page.wait_for_timeout(600)
    expect(first).to_be_focused()


def walk_to(page: Page, wanted: Locator) -> None:
    """Press Tab until something has the focus."""
    for _ in range(MOST_TABS):
        if wanted.evaluate("(e) => e === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(wanted).to_be_focused()


def test_a_conversation_by_keyboard_alone(page: Page) -> None:
    page.goto("/")
    parts = page.get_by_role("link", name="Choose first: Appliance parts")
    expect(parts).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    walk_to(page, parts)
    page.keyboard.press("Enter")
    start = page.get_by_role("button", name="Start the session")
    expect(start).to_be_visible()
    walk_to(page, start)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(LEAK)
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(turns(page)).to_have_count(2)
    page.keyboard.press("u")
    expect(turns(page)).to_have_count(1)
    expect(page.get_by_role("button", name="Restore it")).to_be_focused()
    page.keyboard.press("e")
    expect(page.get_by_label("Message of turn 1")).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Known").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Inspector")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Undo the last turn")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_single_keys_can_be_turned_off(page: Page, talk: str) -> None:
    page.goto(talk)
    expect(turns(page)).to_have_count(2)
    page.get_by_role("button", name="Help and shortcuts").click()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("u")
    press(page, "Look inside", 1)
    expect(page.locator(".inspected")).to_contain_text("Turn 1")
    expect(turns(page)).to_have_count(2)


def serious(page: Page, asked: str = "") -> list[str]:
    """Return what axe-core calls a serious or critical violation, and where.

    What fades in is looked at as it will be: half there, its colours are nobody's.
    """
    page.evaluate(SETTLED)
    if page.evaluate("() => !window.axe"):
        page.evaluate(AXE.read_text("utf-8"))
    rules = {"runOnly": [asked]} if asked else {}
    found = page.evaluate("(rules) => axe.run({resultTypes: ['violations'], ...rules})", rules)
    return [
        f"{violation['id']}: {violation['nodes'][0]['target']}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]


def contrast(page: Page) -> list[str]:
    """Return where colours are too near to each other."""
    return serious(page, "color-contrast")


def test_axe_would_find_something(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("link", name="Choose first: Appliance parts")).to_be_visible()
    page.evaluate("() => { document.querySelector('.agent').innerHTML = '<button></button>'; }")
    assert [found for found in serious(page) if found.startswith("button-name")]


def test_the_first_page_is_light(page: Page, talk: str) -> None:
    fetched: list[Request] = []
    page.on("requestfinished", lambda request: fetched.append(request))
    page.goto(talk)
    expect(page.locator(".card")).to_have_count(4)
    tab(page, "Inspector")
    expect(page.locator(".station").first).to_be_visible()
    answers = [request.response() for request in fetched]
    assert 100_000 < sum(len(answer.body()) for answer in answers if answer) < COLD


@pytest.mark.parametrize("context", [Profile(reduced_motion="reduce")], indirect=True)
def test_nothing_moves_for_those_who_asked_for_that(page: Page, talk: str) -> None:
    page.goto(talk)
    expect(turns(page)).to_have_count(2)
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_a_session_that_is_not_there_says_so(page: Page, forgiven: list[str]) -> None:
    forgiven.append("404")
    page.goto("/s/nothing")
    expect(page.get_by_role("heading", name="This session does not exist")).to_be_visible()
    page.get_by_role("link", name="To the first page").click()
    expect(page.get_by_role("heading", name="Agents", exact=True)).to_be_visible()


def test_a_server_with_a_token_asks_for_it(page: Page, stage: Stage, forgiven: list[str]) -> None:
    forgiven.append("401")
    guarded = stage.start(token="a long enough token")
    page.goto(guarded.url + guarded.new())
    token = page.get_by_label("Token")
    token.fill("a wrong one")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    token.fill("a long enough token")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    converse(page, LEAK)


SLOW_FRAMES = """
const soon = window.setTimeout.bind(window);
window.requestAnimationFrame = (draw) => soon(() => draw(performance.now()), 1500);
window.cancelAnimationFrame = (timer) => window.clearTimeout(timer);
window.setTimeout = (work, ms, ...given) => soon(work, Math.max(ms ?? 0, 1500), ...given);
"""


def test_what_comes_between_a_drawing_and_its_effects_is_shown(page: Page, site: Site) -> None:
    # Effects run after the frame; on a busy machine a stylesheet may be there before them.
    page.add_init_script(SLOW_FRAMES)
    held: list[Route] = []
    page.route("**/parts.css", lambda route: held.append(route), times=1)
    with page.expect_request("**/parts.css"):
        page.goto(site.new(), wait_until="commit")
    page.get_by_role("link", name="Ruleplay", exact=True).click()
    expect(page.get_by_label("What do you want to do?")).to_be_visible()
    with page.expect_response(re.compile(r"/api/sessions/[0-9a-f]+$")) as answered:
        page.go_back(wait_until="commit")
    answered.value.finished()
    expect(page.locator(".loading")).to_be_visible()
    page.wait_for_timeout(300)  # drawn, and the slow frame's effects are still to come
    held[0].continue_()
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
