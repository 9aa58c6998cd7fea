"""The saga's side of the page: scene, fight with its dice, hero, map, journal."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.web.reading import converse, press, turns
from tests.web.stage import Site


def test_a_fight_is_seen_won_reloaded_and_taken_back(page: Page, site: Site) -> None:
    page.goto(site.new("saga"))
    expect(page.locator(".saga .place")).to_contain_text("the Drowsy Heron")
    converse(page, "begin", "talk to Maud", "go to the Greenway")
    expect(page.locator(".saga .threat")).to_be_visible()
    converse(page, "attack")
    order = page.locator(".saga .order li")
    expect(order).to_have_count(3)
    expect(page.locator(".saga .die")).to_have_count(3)
    before = order.all_inner_texts()
    count = turns(page).count()
    page.locator(".saga .hints button", has_text="attack Rudge").click()
    expect(turns(page)).to_have_count(count + 1)
    expect(page.locator(".saga .die").first).to_contain_text("attack")
    page.locator(".saga .die summary").first.click()
    expect(page.locator(".saga .die .facts").first).to_contain_text("1d100")
    after = order.all_inner_texts()
    page.reload()
    expect(order).to_have_count(3)
    assert order.all_inner_texts() == after
    press(page, "Undo", count + 1)
    expect(turns(page)).to_have_count(count)
    expect(order).to_have_count(3)
    assert order.all_inner_texts() == before
    for _ in range(30):
        if not page.locator(".saga .order").count():
            break
        count = turns(page).count()
        page.locator(".saga .hints button", has_text="attack").first.click()
        expect(turns(page)).to_have_count(count + 1)
    expect(page.locator(".saga .order")).to_have_count(0)
    page.locator(".saga .journal summary").click()
    expect(page.locator(".saga .journal li").last).to_be_visible()


def test_the_map_leads_on(page: Page, site: Site) -> None:
    page.goto(site.new("saga"))
    converse(page, "begin")
    page.locator(".saga .places button", has_text="the Greenway").click()
    expect(page.locator(".saga .place")).to_contain_text("the Greenway")
    expect(page.locator(".saga .places .seen")).to_have_count(1)


def test_the_interface_speaks_french_too(page: Page, site: Site) -> None:
    page.goto(site.new("saga"))
    converse(page, "begin", "en français")
    expect(page.locator(".saga .place")).to_contain_text("le Héron Somnolent")
