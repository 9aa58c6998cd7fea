"""What a person does with the battle agent: plays against it, rolls damage, steps through lines."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.web.stage import Profile
from tests.web.test_web_battle import BATTLE_SECONDS, LOG, showdown
from tests.web.test_web_display import PHONE, serious, too_wide

__all__ = ["showdown"]
WAIT = BATTLE_SECONDS * 1_000
MOST_ORDERS = 300


def begin(page: Page) -> None:
    page.goto("/a/battle")
    page.get_by_role("button", name=re.compile("^(Gentle|Doux)|rules of thumb|lève")).first.click()
    expect(page.locator(".orders h3.asks")).to_be_visible(timeout=WAIT)


@pytest.mark.timeout(300)
def test_a_battle_is_played_by_keyboard_and_reviewed(page: Page, showdown: None) -> None:
    begin(page)
    expect(page.locator(".board .active h4")).to_have_count(2)
    assert "?play=" in page.url
    page.reload()
    asks, ended = page.locator(".orders h3.asks"), page.locator(".duel .ended .verdict")
    for _ in range(MOST_ORDERS):
        expect(asks.or_(ended).first).to_be_visible(timeout=WAIT)
        if ended.is_visible():
            break
        for key in "123456789":
            page.keyboard.press(key)
            if not asks.is_visible():
                break
    assert ended.inner_text() in ("You won!", "Ruleplay won.", "A tie.")
    expect(page.get_by_role("log")).to_contain_text("faints.")
    page.get_by_role("button", name="Review my choices").click()
    expect(page.locator(".review")).to_contain_text("against Ruleplay", timeout=WAIT)
    assert re.search(r"/review/\w+", page.url)


@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    "context",
    [Profile(reduced_motion="reduce"), PHONE, Profile(color_scheme="dark", locale="fr-FR")],
    indirect=True,
)
def test_a_battle_is_fit_for_everyone_and_can_be_given_up(page: Page, showdown: None) -> None:
    begin(page)
    assert serious(page) == []
    assert not too_wide(page)
    heights = page.locator(".orders button").evaluate_all("all => all.map((e) => e.offsetHeight)")
    assert min(heights) >= 32
    french = page.locator("html").get_attribute("lang") == "fr"
    give_up = page.get_by_role("button", name="Abandonner" if french else "Give up")
    give_up.click()
    give_up.click()
    expect(page.locator(".duel .ended .verdict")).to_be_visible(timeout=WAIT)


def test_damage_is_rolled_anew_when_something_changes(
    page: Page, showdown: None, forgiven: list[str]
) -> None:
    forgiven.append("404")
    page.goto("/a/battle")
    page.get_by_role("button", name="Roll it").click()
    result = page.get_by_role("region", name="Damage calculator").locator(".range")
    expect(result).to_be_visible(timeout=WAIT)
    before = result.inner_text()
    page.get_by_label("Item, ability, stages, health …").first.fill("Choice Band")
    expect(result).not_to_have_text(before, timeout=WAIT)
    page.get_by_label("Move", exact=True).fill("Nosuchmove")
    expect(page.locator(".calc").get_by_role("alert")).to_contain_text("Nosuchmove")


@pytest.mark.timeout(200)
def test_a_review_leads_to_its_blunders_and_plays_the_better_line(page: Page) -> None:
    page.goto("/a/battle")
    page.get_by_label("Replay file").set_input_files(LOG)
    page.get_by_label("Whose turns").fill("Opponent")
    page.get_by_role("button", name="Review it").click()
    review = page.locator(".review")
    expect(review.locator("article").first).to_be_visible(timeout=WAIT)
    worse = review.locator(".grades button").first
    expect(worse).to_be_visible()
    worse.click()
    assert re.search(r"#turn-\d+", page.url)
    expect(page.locator(f"[id='{page.url.partition('#')[2]}']")).to_be_focused()
    review.get_by_role("button", name="Play the best line").first.click()
    line = review.locator(".line-player").first
    expect(line.locator("li")).to_have_count(1)
    expect(line.get_by_role("status")).to_contain_text("Step 1 of")
    line.get_by_role("button", name="Step back").click()
    expect(line.locator("li")).to_have_count(0)
