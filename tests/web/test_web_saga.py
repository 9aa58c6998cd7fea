"""The saga's side of the page: making a hero, scene, fight with its dice, hero, map, journal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.web.reading import converse, press, turns, until
from tests.web.stage import Profile, Site
from tests.web.test_web_display import walk_to


def reply(page: Page, words: str) -> None:
    """Take the first offered reply that holds the words, and wait for its turn."""
    count = turns(page).count()
    page.locator(".quick button", has_text=words).first.click()
    expect(turns(page)).to_have_count(count + 1)


def key(page: Page, words: str) -> None:
    """Take an offered reply by the key of its place, as `reply` does with a click."""
    offered = page.locator(".quick button")
    expect(offered.filter(has_text=words).first).to_be_visible()
    place = next(at for at, text in enumerate(offered.all_inner_texts(), 1) if words in text)
    count = turns(page).count()
    page.keyboard.press(str(place))
    expect(turns(page)).to_have_count(count + 1)


def fight_to_the_end(page: Page, take: Callable[[Page, str], None] = reply) -> None:
    """Strike until the fight is over; nobody who is dead is offered."""
    for _ in range(40):
        if not page.locator(".saga .order").count():
            return
        expect(page.locator(".quick button", has_text="attack").first).to_be_visible()
        hurt = page.locator(".quick button", has_text="drink the healing draught")
        low = int(page.locator(".saga .character .points").inner_text().split("/")[0]) < 18
        take(page, "drink the healing draught" if low and hurt.count() else "attack")
    raise AssertionError("the fight never ended")


def test_a_hero_is_made_fights_wins_and_takes_a_blow_back(page: Page, site: Site) -> None:
    page.goto("/a/saga")
    form = page.locator(".creation")
    expect(page.locator(".story").first).to_contain_text("Level 1 · 7 places · 5 fights")
    page.get_by_label("Name", exact=True).fill("Thrain")
    page.get_by_label("People").select_option("dwarf")
    page.get_by_label("Grew up in").select_option("blue-mountains")
    expect(form.locator(".legal")).to_contain_text("The rules take this hero")
    page.get_by_text("Characteristics, skills and model").click()
    more, less = (page.get_by_role("button", name=f"{way} Agility") for way in ("More", "Less"))
    more.click()
    expect(form.locator(".trouble")).to_contain_text("the characteristics cost 27 points of 25")
    start = page.get_by_role("button", name="Set out")
    expect(start).to_be_disabled()
    less.click()
    page.get_by_role("button", name="More athletics").click()
    expect(form.locator(".spent").last).to_have_text("1/4 ranks")
    expect(start).to_be_enabled()
    start.click()
    expect(page.locator(".saga .character h3")).to_have_text("Thrain")
    expect(page.locator(".saga .character")).to_contain_text("Dwarf · Blue Mountains · level 1")
    expect(page.locator(".saga .character")).to_contain_text("athletics 2")
    reply(page, "begin")
    reply(page, "talk to Maud Fennick")
    expect(turns(page).last).to_contain_text("Bring that lamp back to life")
    reply(page, "ask Maud about the lamp")
    reply(page, "go to the Greenway")
    expect(page.locator(".saga .threat")).to_be_visible()
    reply(page, "attack")
    expect(page.locator(".saga .order li")).to_have_count(3)
    expect(page.locator(".saga .die")).to_have_count(3)
    thrown = page.locator(".saga .die summary b").first
    assert thrown.evaluate("(e) => getComputedStyle(e).animationName") == "thrown"
    # What is carried is drawn by its kind.
    for kind in ("weapon", "coin"):
        expect(page.locator(f".saga .carried [data-kind={kind}]").first).to_be_visible()
    points = page.locator(".saga .order .points")
    before = points.all_inner_texts()
    for _ in range(6):
        reply(page, "attack")
        if points.all_inner_texts() != before:
            break
    until(page, lambda: points.all_inner_texts() != before)
    page.locator(".saga .die summary").first.click()
    expect(page.locator(".saga .die .facts").first).to_contain_text("1d100")
    fight_to_the_end(page)
    expect(turns(page).last).to_contain_text("XP")
    told = turns(page).locator(".reply")
    hero, story = page.locator(".saga .character").inner_text(), told.last.inner_text()
    page.reload()
    expect(page.locator(".saga .character h3")).to_have_text("Thrain")
    until(page, lambda: page.locator(".saga .character").inner_text() == hero)
    count = turns(page).count()
    press(page, "Undo", count)
    expect(turns(page)).to_have_count(count - 1)
    expect(page.locator(".saga .order")).to_be_visible()
    reply(page, "attack")
    until(page, lambda: told.last.inner_text() == story)
    until(page, lambda: page.locator(".saga .character").inner_text() == hero)
    page.locator(".saga .journal summary").click()
    expect(page.locator(".saga .journal li").last).to_be_visible()


def test_a_blow_is_taken_back_in_the_middle_of_a_fight(page: Page, site: Site) -> None:
    page.goto(site.new("saga"))
    expect(page.locator(".saga .place")).to_contain_text("the Drowsy Heron")
    converse(page, "begin", "go to the Greenway")
    ways = page.locator(".saga .places .hints button")
    expect(ways.first).to_be_visible()
    converse(page, "attack")
    order = page.locator(".saga .order li")
    expect(order).to_have_count(3)
    expect(ways).to_have_count(0)
    expect(page.locator(".saga .places")).to_contain_text("open again after the fight")
    before = order.all_inner_texts()
    count = turns(page).count()
    reply(page, "attack Rudge")
    expect(page.locator(".saga .die").first).to_contain_text("attack")
    after = order.all_inner_texts()
    page.reload()
    expect(order).to_have_count(3)
    until(page, lambda: order.all_inner_texts() == after)
    press(page, "Undo", count + 1)
    expect(turns(page)).to_have_count(count)
    expect(order).to_have_count(3)
    until(page, lambda: order.all_inner_texts() == before)


def test_a_whole_fight_is_played_with_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    start = page.get_by_role("button", name="Start: Saga")
    expect(start).to_be_visible()
    walk_to(page, start)
    page.keyboard.press("Enter")
    expect(page.locator(".saga .character")).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_label("Message", exact=True)).to_be_focused()
    page.keyboard.type("begin")
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(1)
    page.keyboard.press("Escape")
    for words in ("talk to Maud Fennick", "go to the Greenway", "attack"):
        key(page, words)
    expect(page.locator(".saga .order li")).to_have_count(3)
    fight_to_the_end(page, key)
    expect(turns(page).last).to_contain_text("XP")
    # The last blow is taken back and, with the next key, taken after all.
    count, told = turns(page).count(), turns(page).last.locator(".reply").inner_text()
    page.keyboard.press("u")
    expect(page.locator(".saga .order")).to_be_visible()
    expect(page.get_by_role("button", name="Restore it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(turns(page)).to_have_count(count)
    expect(turns(page).last.locator(".reply")).to_have_text(told, use_inner_text=True)
    dice = page.locator(".saga .die summary").first
    walk_to(page, dice)
    page.keyboard.press("Enter")
    expect(page.locator(".saga .die .facts").first).to_contain_text("1d100")


def test_the_map_leads_on(page: Page, site: Site) -> None:
    page.goto(site.new("saga"))
    converse(page, "begin")
    page.locator(".saga .places button", has_text="the Greenway").click()
    expect(page.locator(".saga .place")).to_contain_text("the Greenway")
    expect(page.locator(".saga .places .seen")).to_have_count(1)


def test_the_story_changes_its_language(page: Page, site: Site) -> None:
    page.goto(site.new("saga"))
    converse(page, "begin", "en français")
    expect(page.locator(".saga .place")).to_contain_text("le Héron Somnolent")


@pytest.mark.parametrize("context", [Profile(locale="fr-FR", width=360, phone=True)], indirect=True)
def test_a_hero_is_made_in_french_on_a_phone(page: Page, site: Site) -> None:
    page.goto("/a/saga")
    expect(page.locator(".creation .legal")).to_contain_text("Les règles acceptent ce personnage")
    page.get_by_label("Nom", exact=True).fill("halla")
    expect(page.locator(".creation .trouble")).to_contain_text("la première majuscule")
    page.get_by_label("Nom", exact=True).fill("Halla")
    page.get_by_label("La Dette grise").check()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    page.get_by_role("button", name="Partir").click()
    page.locator(".quick button", has_text="commencer").click()
    expect(turns(page).last).to_contain_text("La dette est ancienne")
