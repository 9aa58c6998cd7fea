"""The tree on the page: undo, tell anew, edit, versions, go to any turn, fork, export."""

from __future__ import annotations

import re
from time import monotonic

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect
from tests.web.reading import converse, press, tab, turns, until
from tests.web.stage import LEAK, Site

FIT = "Will PS3406971 fit my WDT780SAEM1?"


@pytest.fixture
def talked(page: Page, site: Site) -> Page:
    """A session of two turns."""
    address = site.new()
    site.say(address, LEAK, FIT)
    page.goto(address)
    expect(turns(page)).to_have_count(2)
    return page


def test_undo_takes_the_last_turn_back(talked: Page) -> None:
    press(talked, "Undo", 2)
    expect(turns(talked)).to_have_count(1)
    tab(talked, "Branches")
    expect(talked.locator(".branches li")).to_have_count(2)
    expect(talked.locator(".branches [aria-current]")).to_contain_text(LEAK)


def test_what_was_taken_back_is_restored_by_the_next_key(talked: Page) -> None:
    press(talked, "Undo", 2)
    restore = talked.get_by_role("button", name="Restore it")
    expect(restore).to_be_focused()
    talked.keyboard.press("Enter")
    expect(turns(talked)).to_have_count(2)
    expect(restore).to_have_count(0)


def test_a_turn_told_anew_is_a_version_of_it(talked: Page) -> None:
    press(talked, "Tell it anew", 2)
    versions = turns(talked).last.get_by_role("group", name="Versions of this turn")
    expect(versions).to_have_text("2/2")
    versions.get_by_role("button", name="Version before").click()
    expect(versions).to_have_text("1/2")


def test_an_edited_turn_branches_off_and_the_old_branch_stays(talked: Page) -> None:
    press(talked, "Edit and branch off", 1)
    box = talked.get_by_label("Message of turn 1")
    expect(box).to_have_value(LEAK)
    box.fill("My dishwasher WDT780SAEM1 is noisy")
    talked.get_by_role("button", name="Play again").click()
    expect(turns(talked)).to_have_count(1)
    expect(turns(talked)).to_contain_text("noisy")
    tab(talked, "Branches")
    expect(talked.locator(".branches li")).to_have_count(3)
    talked.get_by_role("button", name=f"2 {FIT}").click()
    expect(turns(talked)).to_have_count(2)
    expect(turns(talked).first).to_contain_text("leaking")


def test_going_to_a_turn_moves_the_head_there(talked: Page) -> None:
    tab(talked, "Branches")
    talked.get_by_role("button", name=LEAK).click()
    expect(turns(talked)).to_have_count(1)
    converse(talked, "PS3406971")
    expect(talked.locator(".branches li")).to_have_count(3)


def test_a_slow_answer_takes_nothing_back_that_came_later(talked: Page, site: Site) -> None:
    tab(talked, "Branches")
    address = talked.url.removeprefix(site.url)
    moves: list[tuple[Route, APIResponse]] = []
    reads: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        # The answer is made at once and arrives when the test says so.
        held = moves if route.request.method == "POST" else reads
        held.append((route, route.fetch()))

    def let_go(held: list[tuple[Route, APIResponse]]) -> None:
        route, answer = held.pop(0)
        route.fulfill(response=answer)

    talked.route(re.compile(r"/api/sessions/[0-9a-f]+(/goto)?(\?.*)?$"), hold)
    talked.get_by_role("button", name=LEAK).click()
    # The page hears of the move before its own request is answered, and reads anew for either.
    until(talked, lambda: len(moves) == len(reads) == 1)
    let_go(moves)
    until(talked, lambda: len(reads) == 2)
    let_go(reads)
    site.say(address, "PS3406971")
    talked.wait_for_timeout(500)
    let_go(reads)
    expect(talked.locator(".branches li")).to_have_count(3)
    expect(turns(talked).last).to_contain_text("PS3406971")


def test_a_session_that_cannot_be_read_anew_is_asked_for_now_and_then(
    talked: Page, site: Site, forgiven: list[str]
) -> None:
    forgiven.append("ERR_FAILED")
    tab(talked, "Branches")
    address = talked.url.removeprefix(site.url)
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    session = re.compile(r"/api/sessions/[0-9a-f]+(\?.*)?$")
    talked.route(session, refuse)
    with talked.expect_request(session):
        site.undo(address)
    began = monotonic()
    talked.wait_for_timeout(1_500)
    assert len(asked) <= 2 + monotonic() - began
    talked.unroute(session)
    expect(turns(talked)).to_have_count(1)


def test_a_fork_is_a_session_of_its_own(talked: Page) -> None:
    first = talked.url
    press(talked, "Fork a new session here", 1)
    expect(talked).not_to_have_url(first)
    expect(turns(talked)).to_have_count(1)
    converse(talked, "It is also noisy")
    talked.get_by_role("link", name="Forked from another session").click()
    expect(talked).to_have_url(first)
    expect(turns(talked)).to_have_count(2)
    expect(turns(talked).last).to_contain_text(FIT)


def test_what_the_agent_forbids_is_said(page: Page, site: Site, forgiven: list[str]) -> None:
    forgiven.append("409")
    address = site.new("tally")
    site.say(address, "add 1000")
    page.goto(address)
    press(page, "Undo", 1)
    expect(page.get_by_role("status").filter(has_text="a thousand stays")).to_be_visible()
    expect(turns(page)).to_have_count(1)


@pytest.mark.parametrize(("format", "start"), [("Markdown", "# Appliance parts"), ("JSON", "{")])
def test_a_session_is_exported(talked: Page, format: str, start: str) -> None:  # noqa: A002
    with talked.expect_download() as started:
        talked.get_by_role("link", name=f"Export as {format}").click()
    text = started.value.path().read_text("utf-8")
    assert text.startswith(start)
    assert re.search("leaking", text)
