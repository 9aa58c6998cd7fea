"""Sharing from a session's page: links made, copied, listed, revoked; what they never show."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.samples import some
from tests.web.reading import converse
from tests.web.stage import LEAK, Profile, Site
from tests.web.test_web_display import serious, too_wide
from tests.web.test_web_seats import CANARY, sit

EVERYBODY = [
    Profile(),
    Profile(locale="fr-FR"),
    Profile(width=375, height=740, phone=True),
    Profile(locale="fr-FR", width=375, height=740, phone=True),
]
WORDS = {
    "en-GB": ("Share", "Make a link", "Link, told this once", "Copy", "Revoke", "Invite a friend"),
    "fr-FR": (
        *("Partager", "Créer un lien", "Lien, montré cette seule fois", "Copier", "Révoquer"),
        "Inviter un ami",
    ),
}


def language(page: Page) -> str:
    """Return the locale that the page is read in."""
    return {"en": "en-GB", "fr": "fr-FR"}[page.locator("html").get_attribute("lang") or "en"]


def made(page: Page) -> str:
    """Make a link in the open dialog and return its address."""
    _, make, told, *_ = WORDS[language(page)]
    page.get_by_role("dialog").get_by_role("button", name=make).click()
    return page.get_by_label(told).input_value()


@pytest.mark.parametrize("context", some(EVERYBODY, 2), indirect=True)
def test_a_session_is_shared_copied_listed_and_revoked(
    page: Page, context: BrowserContext, site: Site
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    address = site.new()
    site.say(address, LEAK)
    page.goto(address)
    expect(page.locator(".turn")).to_have_count(1)
    share, _, _, copy, revoke, _ = WORDS[language(page)]
    page.get_by_role("button", name=share, exact=True).click()
    link = made(page)
    assert link.startswith(f"{site.url}/share/")
    page.get_by_role("button", name=copy, exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("status")).not_to_be_empty()
    assert page.evaluate("() => navigator.clipboard.readText()") == link
    assert serious(page) == []
    assert not too_wide(page)
    assert LEAK in page.request.get(link).text()
    shared = context.new_page()
    shared.goto(link)
    assert serious(shared) == []
    shared.close()
    # The list stays when the address is not told any more.
    page.reload()
    page.get_by_role("button", name=share, exact=True).click()
    page.get_by_role("button", name=revoke).click()
    expect(page.get_by_role("button", name=revoke)).to_have_count(0)
    assert page.request.get(link).status == 404


@pytest.mark.parametrize(
    "context", [Profile(), Profile(width=375, height=740, phone=True)], indirect=True
)
def test_a_link_to_a_table_shows_no_seats_secrets(page: Page, site: Site) -> None:
    table = site.new("circle")
    page.goto(table)
    sit(page, "ada")
    page.get_by_label("Message", exact=True).fill("Hear my tale!")
    page.keyboard.press("Enter")
    expect(page.locator(".turn:not(.live)", has_text="Hear my tale!")).to_have_count(1)
    site.act(table, {"do": "whisper", "to": ["ada"], "text": CANARY})
    expect(page.locator(".aside")).to_contain_text(CANARY)
    page.get_by_role("button", name="Invite a friend").click()
    expect(page.get_by_label("Address of the table")).to_have_value(f"{site.url}{table}")
    told = page.request.get(made(page)).text()
    assert "Hear my tale!" in told
    assert CANARY not in told


def test_who_only_looks_on_makes_no_link_to_a_table_where_somebody_sits(
    page: Page, browser: Browser, site: Site
) -> None:
    table = site.new("circle")
    page.goto(table)
    sit(page, "ada")
    other = browser.new_context(base_url=site.url, locale="en-GB")
    try:
        looking = other.new_page()
        looking.goto(table)
        expect(looking.locator(".table-bar")).to_contain_text("taken")
        looking.get_by_role("button", name="Invite a friend").click()
        expect(looking.get_by_role("dialog")).to_contain_text("Only who sits at the table")
        expect(looking.get_by_role("button", name="Make a link")).to_have_count(0)
    finally:
        other.close()


def test_a_friend_who_was_sent_the_address_sits_down(
    page: Page, browser: Browser, site: Site
) -> None:
    page.goto(site.new("circle"))
    sit(page, "ada")
    page.get_by_role("button", name="Invite a friend").click()
    address = page.get_by_label("Address of the table").input_value()
    other = browser.new_context(locale="en-GB")
    try:
        friend = other.new_page()
        friend.goto(address)
        sit(friend, "ben")
    finally:
        other.close()


def test_what_has_been_spent_is_told_in_tokens(page: Page, site: Site) -> None:
    page.goto(site.new())
    converse(page, LEAK)
    # Rules alone cost nothing, and nothing is said of it.
    expect(page.locator(".session-head .tools")).not_to_contain_text("tokens")
