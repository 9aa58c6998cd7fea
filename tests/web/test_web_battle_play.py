"""A person plays a battle in the page, steps through a review, and rolls damage."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.samples import some
from tests.web.reading import until
from tests.web.stage import Profile, Site
from tests.web.test_web_battle import BATTLE_SECONDS, LOG, showdown
from tests.web.test_web_display import PHONE, serious, too_wide

from ruleplay.agents.battle.adapters.records import recorded_positions
from ruleplay.server.page import BUILT

__all__ = ["showdown"]
PATIENCE_MS = BATTLE_SECONDS * 1_000
FRENCH = Profile(locale="fr-FR", color_scheme="dark")
FRENCH_PHONE = Profile(locale="fr-FR", width=360, height=740, phone=True)
DARK_PHONE = Profile(width=360, height=740, phone=True, color_scheme="dark")
EVERYBODY = some([FRENCH, Profile(), DARK_PHONE, FRENCH_PHONE], 2)
SMALL = """() => [...document.querySelectorAll('main :is(a, button, select, summary)')]
    .filter((e) => e.checkVisibility())
    .map((e) => [e.textContent.trim(), e.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5).map(([text]) => text)"""
"""What a finger would miss; half a pixel is forgiven to rounding."""
ENABLED = ".substitute:not([aria-disabled=true])"
MOVES_IN_TIME = "(e) => parseFloat(getComputedStyle(e).transitionDuration)"


def begin(page: Page) -> Locator:
    """Start a battle with one click and wait for its first question; return the orders."""
    page.goto("/a/battle")
    page.locator(".levels button").first.click()
    asked(page)
    return page.locator(".orders")


def asked(page: Page) -> None:
    """Wait until the person has to decide."""
    expect(page.locator(".orders .asks")).to_be_visible(timeout=PATIENCE_MS)


def asks_again_without(orders: Locator, others: Locator) -> bool:
    """Tell whether the question is open again, and nobody else can be sent in."""
    return orders.locator(".asks").count() == 1 and others.count() == 0


def give_up(page: Page) -> None:
    """End a battle, so that the next may begin."""
    asked(page)
    page.locator(".orders .quiet").click()
    page.locator(".orders .danger").click()
    expect(page.locator(".ended .verdict")).to_be_visible(timeout=PATIENCE_MS)


def test_a_battle_is_played_with_keys_and_reviewed(page: Page, showdown: None) -> None:
    orders = begin(page)
    expect(page).to_have_url(re.compile(r"/a/battle\?play=[0-9a-f]+$"))
    expect(page.locator(".board .active h4")).to_have_count(2)
    expect(page.locator(".chance")).to_have_attribute("aria-label", re.compile("Our chances"))
    expect(orders.locator(".move")).to_have_count(4)
    stands = page.locator(".side.ours .active h4")
    first = stands.inner_text()
    log, others = page.get_by_role("log"), orders.locator(ENABLED)
    page.keyboard.press(others.first.locator("kbd").inner_text())
    # Against one who traps, nobody leaves: there the turn is played with a move, and a key as well.
    until(
        page,
        lambda: "Turn 1" in log.inner_text() or asks_again_without(orders, others),
        PATIENCE_MS / 1_000,
    )
    trapped = "Turn 1" not in log.inner_text()
    if trapped:
        page.keyboard.press("1")
    expect(log).to_contain_text("Turn 1", timeout=PATIENCE_MS)
    asked(page)
    if trapped:
        give_up(page)
        return
    expect(stands).not_to_have_text(first)
    expect(page.locator(".chance")).to_be_visible()

    page.reload()  # the address is the battle's own
    asked(page)
    expect(stands).not_to_have_text(first)
    give_up(page)
    expect(page.locator(".ended .verdict")).to_have_text("Ruleplay won.")
    expect(page.get_by_role("link", name="See what Ruleplay thought")).to_be_visible()
    page.get_by_role("button", name="Review my choices").click()
    expect(page.locator(".review-turn").first).to_be_visible(timeout=PATIENCE_MS)
    expect(page).to_have_url(re.compile(r"/review/[0-9a-f]+$"))


def test_orders_are_given_by_button_and_only_once(page: Page, showdown: None) -> None:
    orders = begin(page)
    title = page.locator("#board-title")
    before = title.inner_text()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    orders.locator(".move:not([aria-disabled=true])").first.dblclick()
    expect(page.get_by_role("log")).to_contain_text("Turn 1", timeout=PATIENCE_MS)
    asked(page)
    assert sent.count("POST") == 1
    # Another turn, or the same one in which somebody has to be sent in.
    fighting = orders.locator(".move:not([aria-disabled=true])")
    until(page, lambda: title.inner_text() != before or fighting.count() == 0)
    orders.locator(".quiet").click()
    page.get_by_role("button", name="Play on").click()
    expect(orders.locator(".danger")).to_have_count(0)
    give_up(page)


def test_nothing_jumps_when_somebody_has_to_be_sent_in(page: Page, site: Site) -> None:
    """Without a game server: a seat as the server tells of it, before and after ours has fallen."""
    known = next(one for one in recorded_positions() if len(str(one["legal"])) > 300)
    asked: dict[str, Any] = {**known, "request_id": 1}
    asked["legal"] = [one for one in asked["legal"] if not one.get("tera")]
    fallen: dict[str, Any] = json.loads(json.dumps(asked))
    fallen |= {"request_id": 2, "force_switch": True, "request_moves": []}
    fallen["legal"] = [one for one in fallen["legal"] if one["kind"] == "switch"]
    stood = next(mon for mon in fallen["ours"]["team"] if mon.get("active"))
    stood |= {"hp": 0, "status": "fnt"}
    move = {"type": "fire", "category": "special", "power": 80, "accuracy": 1}
    move |= {"pp": 8, "max_pp": 8, "effect": 1}
    moves: list[dict[str, Any]] = [
        {"id": one, "name": one, **move} for one in asked["request_moves"]
    ]

    held: list[Route] = []

    def answer(route: Route, position: dict[str, Any], moves: list[dict[str, Any]]) -> None:
        battle = {"id": "b", "status": "running", "result": None, "session": "", "problem": None}
        seat = {"version": int(not moves), "asked": True, "names": {}, "log": [], "chance": 0.5}
        route.fulfill(json={**seat, "position": position, "moves": moves, "battle": battle})

    def asks(route: Route) -> None:
        if "after=-1" in route.request.url:
            answer(route, asked, moves)
        else:
            held.append(route)

    page.route("**/api/battle/battles/b/seat?*", asks)
    page.goto("/a/battle?play=b")
    orders = page.locator(".orders")
    expect(orders.locator(".asks")).to_contain_text("what do you do")
    expect(page.locator("html")).to_have_class("lettered")  # the fonts have come
    shown = [orders.locator(one) for one in (".moves", ".substitutes", ".quiet")]
    places = [one.bounding_box() for one in shown]
    keys = [name.split()[:2] for name in orders.locator(".substitute").all_inner_texts()]
    assert len(keys) == len(asked["ours"]["team"])
    until(page, lambda: bool(held))
    answer(held[0], fallen, [])
    expect(orders.locator(".asks")).to_contain_text("Who comes in?")
    assert [one.bounding_box() for one in shown] == places
    assert [name.split()[:2] for name in orders.locator(".substitute").all_inner_texts()] == keys
    expect(orders.locator(".move:not([aria-disabled=true])")).to_have_count(0)


def test_a_battle_that_is_gone_says_so(page: Page, site: Site, forgiven: list[str]) -> None:
    forgiven.append("404")
    page.goto("/a/battle?play=0123456789abcdef")
    expect(page.get_by_role("alert")).to_contain_text("This battle is gone")
    expect(page.get_by_role("link", name="To the battles")).to_be_visible()


@pytest.mark.parametrize(
    ("context", "moves"),
    [(Profile(), True), (Profile(reduced_motion="reduce"), False)],
    indirect=["context"],
    ids=["motion", "reduced"],
)
def test_health_moves_unless_motion_is_reduced(page: Page, showdown: None, moves: bool) -> None:
    begin(page)
    seconds = page.locator(".active .health .bar span").first.evaluate(MOVES_IN_TIME)
    assert (seconds > 0.01) is moves
    give_up(page)


def test_silhouettes_stand_where_no_sprite_was_fetched(page: Page, site: Site) -> None:
    page.route("**/vendor/sprites/names.json", lambda route: route.fulfill(json=[]))
    page.goto("/a/battle")
    expect(page.locator(".calc svg.figure")).to_have_count(2)
    expect(page.locator("img.sprite")).to_have_count(0)


def test_fetched_sprites_are_shown(page: Page, site: Site) -> None:
    if not [*BUILT.glob("*/vendor/sprites/garchomp.png")]:
        pytest.skip("sprites: the optional package pokesprite-images was not fetched")
    page.goto("/a/battle")
    sprite = page.locator(".calc .attacker img.sprite")
    expect(sprite).to_be_visible()
    assert sprite.evaluate("(e) => e.decode().then(() => e.naturalWidth)") > 0


def reviewed(page: Page) -> Locator:
    """Review the replay; return the review."""
    page.goto("/a/battle")
    section = page.locator("section[aria-labelledby=battle-review]")
    section.locator("input[type=file]").set_input_files(LOG)
    section.locator("input:not([type=file])").first.fill("Opponent")
    section.locator("button[type=submit]").click()
    review = page.locator(".review")
    expect(review).to_be_visible(timeout=PATIENCE_MS)
    return review


def test_a_review_jumps_to_its_mistakes_and_plays_the_best_line(page: Page, site: Site) -> None:
    review = reviewed(page)
    grade = review.locator(".grades button").last
    worst = grade.inner_text().rsplit(maxsplit=1)[0]
    grade.click()
    expect(page).to_have_url(re.compile(r"/review/[0-9a-f]+#turn-\d+$"))
    turn = page.locator("article:focus")
    expect(turn.locator(".grade")).to_have_text(worst)
    expect(turn).to_be_in_viewport()
    first = page.url
    grade.click()
    expect(page).not_to_have_url(first)

    page.goto("about:blank")
    page.goto(first)  # as passed on to somebody else
    expect(page.locator("article:focus")).to_be_in_viewport()
    turn = page.locator(f"#{first.partition('#')[2]}")
    turn.get_by_role("button", name="Play the best line").click()
    line = turn.get_by_role("region", name=re.compile("^How it would go on after"))
    expect(line.locator("li")).to_have_count(1)
    expect(line.get_by_role("status")).to_contain_text("Step 1 of")
    expect(line.get_by_role("button", name="Next step")).to_be_focused()
    # How far the search looked depends on whether the sets are ready in this home.
    steps = int(line.get_by_role("status").inner_text().split()[-1])
    page.keyboard.press("Enter")
    expect(line.locator("li")).to_have_count(min(2, steps))
    for _ in range(min(2, steps)):
        line.get_by_role("button", name="Step back").click()
    expect(line.get_by_role("status")).to_have_text("Before the first step")


@pytest.mark.parametrize("context", [FRENCH], indirect=True)
def test_a_review_gives_its_reasons_in_french(page: Page, site: Site) -> None:
    review = reviewed(page)
    expect(review).to_contain_text("de gagner")
    told = review.inner_text()
    for english in ("most likely", "switches with", "search ", "chip damage", "Wins", "Loses"):
        assert english not in told


def test_damage_is_rolled_and_rolled_again(page: Page, showdown: None) -> None:
    page.goto("/a/battle")
    calc = page.locator("form.calc")
    calc.get_by_role("button", name="Roll it").click()
    rolled = calc.locator(".range")
    expect(rolled).to_have_text(re.compile(r"^[\d.]+–[\d.]+%$"), timeout=PATIENCE_MS)
    before = rolled.inner_text()
    calc.get_by_label("Item, ability").first.fill("Choice Band, +1 atk")
    expect(rolled).not_to_have_text(before, timeout=PATIENCE_MS)
    expect(calc).to_contain_text("Choice Band")
    calc.get_by_role("button", name="Swap sides").click()
    expect(calc.get_by_label("Pokémon").first).to_have_value("Toxapex")


def test_damage_of_nobody_is_refused_in_words(
    page: Page, showdown: None, forgiven: list[str]
) -> None:
    forgiven.append("404")
    page.goto("/a/battle")
    calc = page.locator("form.calc")
    calc.get_by_label("Pokémon").first.fill("Nobodymon")
    calc.get_by_role("button", name="Roll it").click()
    expect(calc.get_by_role("alert")).to_contain_text("Nobodymon", timeout=PATIENCE_MS)


@pytest.mark.parametrize(
    "context",
    EVERYBODY,
    indirect=True,
)
def test_every_screen_is_for_everybody(page: Page, showdown: None) -> None:
    """Axe, nothing sideways, and on a phone nothing too small for a finger."""
    begin(page)
    fit(page, "battle")
    give_up(page)
    fit(page, "end")
    reviewed(page)
    page.locator(".review-turn button").first.click()
    fit(page, "review")
    page.goto("/a/battle")
    page.locator(".calc button[type=submit]").click()
    expect(page.locator(".calc-result")).to_be_visible(timeout=PATIENCE_MS)
    fit(page, "front")


def fit(page: Page, screen: str) -> None:
    """Check a screen."""
    assert serious(page) == [], screen
    assert not too_wide(page), screen
    if page.evaluate("innerWidth") <= PHONE.width:
        assert page.evaluate(SMALL) == [], screen
