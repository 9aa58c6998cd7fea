"""Talking on the page: sent once, streamed, kept over reloads and cut lines, stopped, refused."""

from __future__ import annotations

import asyncio

from playwright.sync_api import Page, expect
from tests.web.reading import converse, draft, say, tab, turns
from tests.web.stage import LEAK, LIE, OPENING, TRUE, Site, Stage, pen


def test_a_session_is_started_and_answered(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Choose first: Appliance parts").click()
    page.get_by_label("Title").fill("The kitchen <b>floods</b>")
    page.get_by_role("button", name="Start the session").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The kitchen <b>floods</b>")
    converse(page, LEAK)
    expect(turns(page).locator(".reply li")).to_have_count(4)
    expect(turns(page).locator(".author")).to_contain_text("by the rules alone")
    expect(page.locator("#announcements")).to_contain_text("PS90001822")

    page.goto("/")
    expect(page.get_by_role("link", name="The kitchen <b>floods</b>")).to_contain_text("1 turn")


def test_the_keyboard_stays_where_one_writes_when_its_chip_is_gone(page: Page, site: Site) -> None:
    page.goto(site.new("saga"))
    page.locator(".quick button").first.focus()
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(1)
    expect(page.get_by_label("Message", exact=True)).to_be_focused()


def test_an_example_and_a_quick_reply_are_one_press_each(page: Page, site: Site) -> None:
    page.goto(site.new())
    page.get_by_role("button", name="How do I install PS3406971?").click()
    expect(turns(page)).to_have_count(1)
    page.get_by_role("button", name="I don't know my model number").click()
    expect(turns(page)).to_have_count(2)
    expect(turns(page).last).to_contain_text("I don't know my model number")


def test_a_reply_is_seen_while_it_is_written(page: Page, site: Site, stage: Stage) -> None:
    gate = asyncio.Event()
    page.goto(site.new(model=pen(gate)))
    say(page, LEAK)
    expect(draft(page)).to_contain_text(OPENING.strip())
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    tab(page, "Inspector")
    expect(page.locator(".station.running")).to_have_text("tell…")
    expect(page.locator(".station.done")).to_have_count(3)

    stage.open_gate(gate)
    expect(turns(page)).to_have_count(1)
    reply = turns(page).locator(".reply")
    expect(reply).to_contain_text(TRUE.strip())
    assert "".join(LIE).strip() not in reply.inner_text()
    expect(turns(page).locator(".author")).to_contain_text("stage:pen")
    expect(turns(page).locator(".refused")).to_contain_text("refused")
    expect(page.locator(".panel .refusals")).to_contain_text("1.00")
    expect(page.locator(".station.done")).to_have_count(4)
    expect(page.locator(".path li").last).to_contain_text("tell")


def test_a_reload_in_the_middle_of_a_turn_loses_nothing(
    page: Page, site: Site, stage: Stage
) -> None:
    gate = asyncio.Event()
    page.goto(site.new(model=pen(gate)))
    say(page, LEAK)
    expect(draft(page)).to_contain_text(TRUE.strip())
    page.reload()
    expect(draft(page)).to_contain_text(OPENING.strip())
    expect(draft(page)).to_contain_text(TRUE.strip())
    stage.open_gate(gate)
    expect(turns(page)).to_have_count(1)
    assert turns(page).locator(".reply").inner_text().count(TRUE.strip()) == 1


def test_a_cut_line_loses_and_doubles_nothing(
    page: Page, site: Site, stage: Stage, forgiven: list[str]
) -> None:
    forgiven.append("ERR_")  # the browser's own words about the line
    gate = asyncio.Event()
    wire = stage.wire(site.url)
    page.goto(wire.url + site.new(model=pen(gate)))
    say(page, LEAK)
    expect(draft(page)).to_contain_text(TRUE.strip())
    stage.cut(wire)
    expect(page.get_by_role("status").filter(has_text="reconnecting")).to_be_visible()
    stage.open_gate(gate)
    expect(turns(page)).to_have_count(1)
    expect(page.get_by_text("reconnecting")).to_be_hidden()
    assert turns(page).locator(".reply").inner_text().count(TRUE.strip()) == 1


def test_a_turn_that_is_stopped_leaves_only_what_was_typed(
    page: Page, site: Site, stage: Stage
) -> None:
    page.goto(site.new(model=pen(asyncio.Event())))
    say(page, LEAK)
    expect(draft(page)).to_contain_text(OPENING.strip())
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing of that turn was kept")
    expect(turns(page)).to_have_count(0)
    expect(page.get_by_label("Message", exact=True)).to_have_value(LEAK)


def test_a_turn_that_fails_says_why(page: Page, site: Site) -> None:
    page.goto(site.new("tally"))
    say(page, "model-down")
    why = page.get_by_role("alert")
    expect(why).to_contain_text("the model is out")
    expect(page.get_by_label("Message", exact=True)).to_have_value("model-down")
    page.locator(".language select").select_option("fr")
    expect(why).to_contain_text("Le tour a échoué")
    expect(why.locator("[lang=en]")).to_be_hidden()


def test_a_refused_input_says_why_and_is_not_lost(
    page: Page, site: Site, forgiven: list[str]
) -> None:
    forgiven.append("409")  # the browser reports every such answer
    page.goto(site.new("tally"))
    say(page, "not now")
    expect(page.get_by_role("status").filter(has_text="come back later")).to_be_visible()
    expect(page.get_by_label("Message", exact=True)).to_have_value("not now")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("come back later")).to_be_hidden()


def test_question_and_answer_differ_and_what_is_behind_them_waits_for_a_look(
    page: Page, site: Site
) -> None:
    address = site.new()
    site.say(address, LEAK, "PS3406971")
    page.goto(address)
    first = turns(page).first
    looks = "(e) => ['backgroundColor', 'fontFamily'].map((one) => getComputedStyle(e)[one])"
    said, reply = (first.locator(one).evaluate(looks) for one in (".said", ".reply"))
    assert said[0] != reply[0]
    assert said[1] != reply[1]
    author = first.locator("footer .author")
    page.mouse.move(0, 0)
    expect(author).to_have_css("opacity", "0")
    first.locator(".reply").hover()
    expect(author).to_have_css("opacity", "1")
    page.mouse.move(0, 0)
    expect(author).to_have_css("opacity", "0")
    first.locator("footer button").first.focus()
    expect(author).to_have_css("opacity", "1")


def test_two_tabs_see_the_same(page: Page, site: Site) -> None:
    address = site.new()
    page.goto(address)
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
    other = page.context.new_page()
    other.goto(address)
    expect(other.get_by_label("Message", exact=True)).to_be_visible()
    converse(page, LEAK, "PS3406971")
    expect(turns(other)).to_have_count(2)
    page.get_by_role("button", name="Undo (Turn 2)").click()
    expect(turns(other)).to_have_count(1)


def test_a_long_conversation_draws_its_end(page: Page, site: Site) -> None:
    address = site.new("tally")
    site.say(address, *(f"add {number}" for number in range(60)))
    page.goto(address)
    expect(turns(page)).to_have_count(50)
    expect(turns(page).last).to_be_in_viewport()
    page.get_by_role("button", name="Show earlier turns (10)").click()
    expect(turns(page)).to_have_count(60)


def test_a_reply_cannot_bring_markup(page: Page, site: Site) -> None:
    page.goto(site.new("tally"))
    converse(page, "add 1 <img src=x onerror=alert(1)> **bold** [link](https://elsewhere.example)")
    reply = turns(page).locator(".reply")
    expect(reply.locator("strong")).to_have_text("bold")
    expect(reply).to_contain_text("<img src=x onerror=alert(1)>")
    assert reply.locator("img, a, script").count() == 0
