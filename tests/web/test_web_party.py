"""A party's table on the page: two browsers, a whisper, a fight with its dice, undo, the X card."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.conftest import PATIENCE_MS, Watched
from tests.web.reading import enter, press, tab, turns, until
from tests.web.stage import Profile, Site
from tests.web.test_web_display import PHONE, serious

CANARY = "the seventh candle burns blue"


@pytest.fixture
def other(browser: Browser, site: Site) -> Iterator[Page]:
    """A tab of somebody else's browser."""
    context: BrowserContext = browser.new_context(base_url=site.url, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    watched = Watched(context)
    yield context.new_page()
    context.close()
    assert watched.errors == []


def sit(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Sit down: {name}").click()
    expect(page.get_by_role("button", name=f"Leave {name}")).to_be_visible()


def play_to(page: Page, name: str) -> None:
    """Let the table play on until somebody is waited for."""
    page.get_by_role("button", name="Play on").click()
    expect(page.get_by_role("status").filter(has_text=f"Waiting for {name}")).to_be_visible()


def choose(page: Page, option: str) -> None:
    """Choose what one does now, of the first few that the page shows or of those folded away."""
    shown = page.locator(".party .options button", has_text=option).first
    # "Waiting for" may be on the page before what can be done is.
    shown.wait_for(state="attached")
    if not shown.is_visible():
        page.locator(".party .options + details summary").click()
    shown.click()


def to_the_fight(page: Page) -> None:
    """Sit down as Thorin and lead the party to where it is ambushed."""
    sit(page, "Thorin")
    play_to(page, "Thorin")
    choose(page, "go to the old causeway")
    # "Waiting for" alone may still be that of the turn before.
    expect(page.locator(".party .order li.moves")).to_contain_text("Thorin")
    expect(page.get_by_role("status").filter(has_text="Waiting for Thorin")).to_be_visible()


def test_two_browsers_at_one_table(page: Page, other: Page, site: Site) -> None:
    table = site.new("party")
    page.goto(table)
    other.goto(table)
    expect(page.get_by_text("You are looking on")).to_be_visible()
    sit(page, "Thorin")
    expect(other.locator(".table-bar li", has_text="Thorin")).to_contain_text("taken")
    sit(other, "Pell")
    # Each sees the own sheet, both the party.
    expect(page.get_by_text("Sheet of Thorin")).to_be_visible()
    expect(other.get_by_text("Sheet of Pell")).to_be_visible()
    expect(other.get_by_text("Sheet of Thorin")).to_have_count(0)
    # A whisper that only one of them sees: Thorin to Sunniva, and then to Pell.
    page.get_by_role("checkbox", name="Sunniva").check()
    page.get_by_label("What only they hear").fill(CANARY)
    page.get_by_role("button", name="Whisper").click()
    expect(page.locator(".aside").first).to_contain_text(CANARY)
    expect(other.get_by_text("Not for your ears.")).to_be_visible()
    assert CANARY not in other.content()
    page.get_by_role("checkbox", name="Sunniva").uncheck()
    page.get_by_role("checkbox", name="Pell").check()
    page.get_by_label("What only they hear").fill("Behind you!")
    page.keyboard.press("Enter")
    expect(other.locator(".aside")).to_contain_text("Behind you!")
    expect(other.locator(".party .heard")).to_contain_text("Behind you!")
    # Pell leaves: the seat is free, and its secrets are gone from that page.
    other.get_by_role("button", name="Leave Pell").click()
    expect(other.get_by_text("You are looking on")).to_be_visible()
    expect(other.get_by_text("Sheet of Pell")).to_have_count(0)
    assert "Behind you!" not in other.content()
    expect(page.get_by_role("button", name="Sit down: Pell")).to_be_visible()


def test_an_answer_that_came_first_stands_before_the_deed(page: Page, site: Site) -> None:
    page.goto(site.new("party"))
    sit(page, "Thorin")
    play_to(page, "Thorin")
    page.get_by_label("Message", exact=True).fill("What do I carry? I sit down by the wall.")
    page.keyboard.press("Enter")
    turn = turns(page).last
    expect(turn).to_contain_text("sit down by the wall")
    blocks = turn.locator("article > .aside, article > .reply")
    expect(blocks.nth(1)).to_contain_text("sit down by the wall")
    expect(blocks.first).to_contain_text("handaxe")
    page.reload()
    expect(blocks.first).to_contain_text("handaxe")


def test_a_round_of_a_fight_is_played_seen_and_taken_back(
    page: Page, other: Page, site: Site
) -> None:
    table = site.new("party")
    page.goto(table)
    other.goto(table)
    to_the_fight(page)
    order = page.locator(".party .order li")
    until(page, lambda: order.count() > 4)
    # What foes can take is the DM's to know: numbers for the party, looks for the rats.
    rat = page.locator(".party .order li", has_text="giant rat").first
    expect(rat.locator("meter")).to_have_count(0)
    before, count = order.all_inner_texts(), turns(page).count()
    choose(page, "move toward")
    expect(turns(page)).not_to_have_count(count)
    expect(page.get_by_role("status").filter(has_text="Waiting for Thorin")).to_be_visible()
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
    expect(turns(other)).to_have_count(turns(page).count())
    # How far who moves may go and strike is drawn for those of the party, whose it is to know.
    expect(page.locator(".grid .pace title")).to_have_text("A turn leads 25 ft far")
    expect(page.locator(".grid .reach title")).to_have_text("A weapon reaches 5 ft")
    tab(page, "Inspector")
    expect(page.locator(".events")).to_contain_text("Thorin: ")
    tab(page, "Known")
    die = page.locator(".party .die").first
    die.locator("summary").click()
    expect(die).to_contain_text("faces")
    expect(die).to_contain_text("seed")
    # Back to before the attack; every turn stays in the tree.
    while turns(page).count() > count:
        last = turns(page).count()
        press(page, "Undo", last)
        expect(turns(page)).to_have_count(last - 1)
    until(page, lambda: order.all_inner_texts() == before)
    expect(turns(other)).to_have_count(count)
    tab(page, "Branches")
    expect(page.locator(".branches li").nth(count)).to_be_attached()


def test_the_card_stops_the_scene_until_the_table_goes_on(
    page: Page, other: Page, site: Site
) -> None:
    table = site.new("party")
    page.goto(table)
    other.goto(table)
    sit(page, "Thorin")
    play_to(page, "Thorin")
    expect(page.get_by_role("button", name="X card")).to_have_count(0)  # it is opt-in
    page.get_by_text("Agree on lines and veils").click()
    page.get_by_role("checkbox", name="This table has an X card").check()
    page.get_by_role("button", name="Agree", exact=True).click()
    page.get_by_role("button", name="X card").click()
    for one in (page, other):
        expect(one.locator(".party .paused")).to_contain_text("The X card was played")
    expect(page.locator(".party .options")).to_have_count(0)
    expect(page.get_by_text("Nothing goes on by itself now")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".party .paused")).to_have_count(0)
    expect(page.locator(".party .options").first).to_be_visible()


def test_lines_and_veils_are_agreed_and_visible(page: Page, other: Page, site: Site) -> None:
    table = site.new("party")
    page.goto(table)
    other.goto(table)
    sit(page, "Thorin")
    page.get_by_text("Agree on lines and veils").click()
    page.get_by_role("checkbox", name="This table has an X card").check()
    page.get_by_label("Lines: never played").fill("spiders, torture")
    page.get_by_role("button", name="Agree", exact=True).click()
    for one in (page, other):
        expect(one.locator(".party .safety")).to_contain_text("spiders, torture")


def test_a_human_leads_the_game(page: Page, site: Site) -> None:
    page.goto(site.new("party"))
    sit(page, "DM")
    expect(page.get_by_text("Sheet of Thorin")).to_be_visible()
    expect(page.get_by_text("Sheet of Zephrine")).to_be_visible()
    expect(page.locator(".party .options button").first).to_be_visible()
    choose(page, "Pass")
    expect(page.locator(".party .place + .facts")).not_to_contain_text("DM to move")


def test_two_courses_of_a_game_are_compared_and_the_other_is_gone_on_with(
    page: Page, other: Page, site: Site
) -> None:
    table = site.new("party")
    page.goto(table)
    other.goto(table)
    to_the_fight(page)
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
    far = turns(page).count()
    for last in (far, far - 1):
        press(page, "Undo", last)
        expect(turns(page)).to_have_count(last - 1)
    tab(page, "Branches")
    beside = page.get_by_role("button", name=f"Compare up to turn {far}")
    enter(page, beside)
    expect(beside).to_have_attribute("aria-expanded", "true")
    shown = page.locator(".comparison")
    expect(shown.get_by_role("row", name="place")).to_contain_text("the old causeway")
    expect(shown.get_by_role("row", name="fight")).to_be_visible()
    expect(shown.locator(".courses section").last.locator("li")).to_have_count(2)
    assert serious(page) == []
    # The other branch becomes everyone's.
    shown.get_by_role("button", name="Go on from the other").click()
    expect(turns(page)).to_have_count(far)
    expect(turns(other)).to_have_count(far)
    tab(page, "Known")
    expect(page.locator(".party .order")).to_be_visible()
    expect(other.locator(".party .order")).to_be_visible()


def test_what_is_remembered_and_what_may_come_back_are_shown(page: Page, site: Site) -> None:
    page.goto(site.new("party"))
    to_the_fight(page)
    for name in ("What you remember", "Details that may come back"):
        page.locator(".party summary", has_text=name).click()
    expect(page.locator(".party .remembered").first).to_contain_text("the old causeway")
    expect(page.locator(".party .remembered").last.locator("li").first).to_be_visible()


def test_a_table_is_played_with_the_keyboard(page: Page, site: Site) -> None:
    page.goto(site.new("party"))
    enter(page, page.get_by_role("button", name="Sit down: Thorin"))
    expect(page.get_by_role("button", name="Leave Thorin")).to_be_visible()
    enter(page, page.get_by_role("button", name="Play on"))
    expect(page.get_by_role("status").filter(has_text="Waiting for Thorin")).to_be_visible()
    count = turns(page).count()
    option = page.locator(".party .options button").first
    expect(option).to_be_enabled()
    option.focus()
    page.keyboard.press("Space")
    expect(turns(page)).not_to_have_count(count)
    enter(page, page.get_by_role("button", name="Leave Thorin"))
    expect(page.get_by_text("You are looking on")).to_be_visible()


@pytest.mark.parametrize("context", [Profile(), PHONE], indirect=True, ids=["desktop", "phone"])
def test_nobody_can_miss_that_it_is_their_turn(page: Page, site: Site) -> None:
    page.goto(site.new("party"))
    sit(page, "Thorin")
    play_to(page, "Thorin")
    expect(page.locator(".your-turn [role=status]")).to_contain_text("Your turn")
    expect(page.locator(".your-turn")).to_be_in_viewport()
    expect(page.locator(".your-turn li button").first).to_be_enabled()
    expect(page.locator(".table-bar li.here .moves")).to_be_visible()
    expect(page).to_have_title(re.compile("^▸"))
    field = page.get_by_label("Message", exact=True).bounding_box()
    banner = page.locator(".your-turn").bounding_box()
    assert field
    assert banner
    assert banner["y"] < field["y"]


@pytest.mark.parametrize(
    "context", [Profile(width=360, height=740, phone=True, locale="fr-FR")], indirect=True
)
def test_a_phone_shows_it_all_in_french(page: Page, site: Site) -> None:
    page.goto(site.new("party", config={"lang": "fr"}))
    page.get_by_role("button", name="S’asseoir : Thorin").click()
    expect(page.get_by_role("button", name="Quitter Thorin")).to_be_visible()
    page.get_by_role("button", name="Continuer").click()
    expect(page.get_by_role("status").filter(has_text="On attend Thorin")).to_be_visible()
    page.get_by_role("tab").nth(1).click()
    expect(page.get_by_text("Fiche de Thorin")).to_be_visible()
    expect(page.get_by_text("Chuchotements")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    panel = "document.querySelector('.panel')"
    assert page.evaluate(f"{panel}.scrollWidth <= {panel}.clientWidth")
