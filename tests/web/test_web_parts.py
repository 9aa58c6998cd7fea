"""The parts assistant's side of the page: slots, their evidence, cards, ledger; other agents'."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.samples import some
from tests.web.reading import converse, look_at_panel, say, tab, turns
from tests.web.stage import LEAK, Profile, Site
from tests.web.test_web_display import PHONE, serious

from ruleplay.agents.parts.domain.appliances import appliance_words


def slot(page: Page, name: str) -> Locator:
    """Return a slot."""
    return page.locator(".slot").filter(has=page.get_by_text(name, exact=True))


def test_slots_show_how_sure_they_are(page: Page, site: Site) -> None:
    page.goto(site.new())
    converse(page, "Will PS3406971 fit my WDT780SAEM2?")
    expect(page.locator(".slot.verified")).to_contain_text("PS3406971")
    expect(page.locator(".slot.to_confirm")).to_contain_text("WDT780SAEM2")
    expect(slot(page, "Model")).to_contain_text("To confirm")
    page.locator(".options button", has_text="WDT780SAEM1").click()
    expect(turns(page)).to_have_count(2)
    expect(page.locator(".slot.verified")).to_have_count(2)


def test_a_missing_slot_is_named(page: Page, site: Site) -> None:
    page.goto(site.new())
    converse(page, "My dishwasher is leaking, please fix it")
    expect(slot(page, "Model")).to_contain_text("Missing")
    expect(slot(page, "Symptoms")).to_contain_text("Verified")


def test_where_the_model_number_is_found_is_drawn_until_it_is_known(page: Page, site: Site) -> None:
    page.goto(site.new())
    converse(page, "My dishwasher is leaking")
    expect(page.locator(".label-place svg")).to_be_visible()
    expect(page.locator(".label-place")).to_contain_text("tub")
    converse(page, "WDT780SAEM1")
    expect(page.locator(".slot").first).to_contain_text("Verified")
    expect(page.locator(".label-place")).to_have_count(0)


@pytest.mark.parametrize("context", [Profile(locale="fr-FR")], indirect=True)
def test_what_a_catalog_says_is_read_in_french(page: Page, site: Site) -> None:
    address = site.new()
    site.say(address, LEAK)
    page.goto(address)
    card = page.locator(".card").first
    for words in ("en stock", "fuite", "catalogue de démonstration"):
        expect(card).to_contain_text(words)
    expect(page.locator(".parts .goal")).to_contain_text("lave-vaisselle")


def test_evidence_is_quoted_and_marked_in_the_message(page: Page, site: Site) -> None:
    page.goto(site.new())
    # An emoji is one character to the server and two to JavaScript.
    converse(page, f"\N{POTABLE WATER SYMBOL}\N{ROCKET} {LEAK}")
    value = page.get_by_role("button", name="WDT780SAEM1").first
    value.focus()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("“WDT780SAEM1”")
    expect(tip).to_contain_text("catalog row models:")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    value.click()
    expect(page.locator("mark")).to_have_text("WDT780SAEM1")
    page.get_by_role("button", name="Leaking").click()
    expect(page.locator("mark")).to_have_text("leaking")


def test_cards_say_where_their_values_are_from(page: Page, site: Site) -> None:
    page.goto(site.new())
    converse(page, LEAK)
    expect(page.locator(".card")).to_have_count(4)
    card = page.get_by_role("article", name="Whirlpool Dishwasher Door Gasket")
    for shown in (
        "$42.54",
        "as of 16 Jun 2025",
        "Listed for WDT780SAEM1",
        "demo catalog",
        "easy",
        "in stock",
    ):
        expect(card).to_contain_text(shown)
    card.get_by_text("Installation in 5 steps").click()
    expect(card.locator(".steps li").first).to_be_visible()
    card.get_by_role("button", name="Install it").click()
    expect(turns(page)).to_have_count(2)
    expect(page.locator(".goal")).to_contain_text("Install a part")


def test_the_ledger_leads_back_to_the_words(page: Page, site: Site) -> None:
    page.goto(site.new())
    converse(page, LEAK)
    page.get_by_text("Ledger (").click()
    page.locator(".ledger .quote", has_text="leaking").click()
    expect(page.locator("mark")).to_have_text("leaking")


def test_events_are_told_in_words(page: Page, site: Site) -> None:
    page.goto(site.new())
    converse(page, LEAK)
    tab(page, "Inspector")
    heard = page.locator(".events li").filter(has_text="symptom heard")
    expect(heard).to_contain_text("Leaking")
    heard.locator("summary").click()
    expect(heard.locator("dl").first).to_contain_text("leaking")
    expect(page.locator(".chips li").first).to_be_visible()


def test_an_agent_without_a_component_is_shown_as_a_tree(page: Page, site: Site) -> None:
    page.goto(site.new("tally"))
    converse(page, "add 7")
    expect(page.locator(".panel dl.value > div").first).to_have_text("total7")
    page.get_by_role("button", name="add 20").click()
    expect(page.locator(".panel dl.value > div").first).to_have_text("total27")


def test_seats_see_their_own_view(page: Page, site: Site) -> None:
    page.goto(site.new("tally"))
    say(page, "whisper it is a secret")
    expect(turns(page)).to_have_count(1)
    assert "secret" not in page.locator(".panel").inner_text()
    page.get_by_label("Seat").select_option("keeper")
    expect(page.locator(".panel")).to_contain_text("it is a secret")


def test_a_stylesheet_that_got_lost_is_asked_for_again(
    page: Page, site: Site, forgiven: list[str]
) -> None:
    forgiven.append("ERR_FAILED")
    page.route("**/parts.css", lambda route: route.abort(), times=1)
    page.goto(site.new())
    slot_row = page.locator(".slot").first
    expect(slot_row).to_have_css("display", "grid")


PAGE = Path(__file__).parents[2] / "src/ruleplay/agents/parts/page/parts"


def test_every_appliance_has_its_label_drawn_and_told() -> None:
    text = (PAGE / "label.js").read_text("utf-8")
    drawn = set(re.findall(r"^  '?([a-z ]+?)'?: \{ body", text, re.MULTILINE))
    words = (PAGE / "words.js").read_text("utf-8")
    assert drawn == set(appliance_words())
    for appliance in drawn:
        assert words.count(f"'label.{appliance}':") == 2, appliance


@pytest.mark.parametrize(
    "context", some([Profile(locale="fr-FR"), Profile(), PHONE], 2), indirect=True
)
def test_the_label_of_a_washer_is_drawn(page: Page, site: Site) -> None:
    address = site.new()
    site.say(address, "My washing machine is leaking")
    page.goto(address)
    look_at_panel(page)
    place = page.locator(".label-place[data-appliance=washer]")
    expect(place.locator("svg")).to_be_visible()
    french = page.locator("html").get_attribute("lang") == "fr"
    expect(place).to_contain_text("ouverture" if french else "opening")


PICTURES = {
    "ours": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNg"
    "AAAAAgABSK+kcQAAAABJRU5ErkJggg==",
    "theirs": "https://shop.example/one.png",
}


def test_a_catalogs_own_picture_is_shown_and_one_elsewhere_is_a_link(
    page: Page, site: Site
) -> None:
    address = site.new()
    site.say(address, LEAK)

    def pictured(route: Route) -> None:
        body = route.fetch().json()
        for card, image in zip(body["view"]["cards"], PICTURES.values(), strict=False):
            card["image"] = image
        route.fulfill(json=body)

    page.route("**/api/sessions/*", pictured)
    page.route(f"**{address}", _without_known)
    page.goto(address)
    cards = page.locator(".card")
    expect(cards.nth(0).locator("img.picture")).to_be_visible()
    expect(cards.nth(1).locator("img")).to_have_count(0)
    link = cards.nth(1).get_by_role("link", name="Picture")
    expect(link).to_have_attribute("href", PICTURES["theirs"])
    assert serious(page) == []


def _without_known(route: Route) -> None:
    """Have the page ask for what its document holds otherwise."""
    body = route.fetch().text()
    route.fulfill(body=body.replace('known"', 'unknown"'), content_type="text/html")
