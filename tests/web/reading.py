"""Where things are on the page, in the words of those who use it."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from playwright.sync_api import Locator, Page, expect

#: How long anything on a page may take to come, in seconds.
LIMIT = 60.0


def turns(page: Page) -> Locator:
    """Return the committed turns."""
    return page.locator(".turn:not(.live)")


def draft(page: Page) -> Locator:
    """Return the reply that is being written."""
    return page.locator(".turn.live .reply")


def say(page: Page, message: str) -> None:
    """Write a message and send it."""
    page.get_by_label("Message", exact=True).fill(message)
    page.keyboard.press("Enter")


def converse(page: Page, *messages: str) -> None:
    """Say one thing after the other, each after the reply before."""
    # The field is drawn with the turns there are: before it there is nothing to count.
    expect(page.get_by_label("Message", exact=True)).to_be_visible()
    before = turns(page).count()
    for number, message in enumerate(messages, before + 1):
        say(page, message)
        expect(turns(page)).to_have_count(number)


def press(page: Page, name: str, turn: int) -> None:
    """Press one of a turn's buttons."""
    page.get_by_role("button", name=f"{name} (Turn {turn})").click()


def tab(page: Page, name: str) -> None:
    """Open one of the panels."""
    page.get_by_role("tab", name=name).click()
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")


def open_evidence(page: Page) -> None:
    """Open what the first sentence that is vouched for rests on, and the evidence behind it."""
    page.locator(".reply .told.vouched[role=button]").first.click()
    page.locator(".reply .cite").first.click()


def look_at_panel(page: Page) -> None:
    """Bring what is known to the front, where a phone shows one part at a time."""
    # Before the tabs are drawn there is nothing to count.
    expect(page.get_by_role("tab").first).to_be_visible()
    if page.get_by_role("tab").count() == 4:
        page.get_by_role("tab").nth(1).click()


def enter(page: Page, button: Locator) -> None:
    """Press a button with the keyboard once it can be used: unlike a click a key does not wait."""
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press("Enter")


def until(page: Page, come: Callable[[], bool], seconds: float = LIMIT) -> None:
    """Wait for what no `expect` can tell, such as a request that is held back, or many texts."""
    deadline = monotonic() + seconds
    while not come():
        assert monotonic() < deadline, "It did not come in time."
        page.wait_for_timeout(20)
