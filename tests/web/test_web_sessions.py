"""The list of sessions on the first page, and the choice of a model: what they tell."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.samples import some
from tests.web.reading import until
from tests.web.stage import LEAK, Profile, Site, Stage
from tests.web.test_web_display import serious, too_wide

PHONE = Profile(width=375, height=740, phone=True)
FRENCH = Profile(locale="fr-FR")


@pytest.mark.parametrize("context", [Profile(), PHONE], indirect=True)
def test_sessions_are_grouped_told_by_what_happened_and_found(page: Page, stage: Stage) -> None:
    own = stage.start()
    talks = [own.new() for _ in range(8)]
    own.say(talks[0], LEAK)
    table = own.new("circle")
    page.goto(own.url)
    expect(page.locator(".session-group").first).to_be_visible()
    groups = page.locator(".session-group", has=page.locator(f"a[href='{talks[0]}']"))
    expect(groups).to_contain_text(LEAK)
    assert groups.get_attribute("data-agent") == "parts"
    # An agent's newest stand there, the others once they are asked for.
    expect(groups.locator("li")).to_have_count(6)
    groups.get_by_role("button", name="Show all").click()
    until(page, lambda: groups.locator("li").count() >= 8)
    page.get_by_label("Find a session").fill("dishwasher")
    expect(page.locator(f".sessions a[href='{talks[0]}']")).to_be_visible()
    expect(page.locator(f".sessions a[href='{table}']")).to_have_count(0)
    assert serious(page) == []
    assert not too_wide(page)


@pytest.mark.parametrize("context", [Profile(), FRENCH], indirect=True)
def test_a_table_is_called_by_its_adventure(page: Page) -> None:
    page.goto("/")
    french = page.locator("html").get_attribute("lang") == "fr"
    page.locator(".agent[data-agent=party] .primary").click()
    title = "La Cloche noyée" if french else "The Drowned Bell"
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_what_a_table_heard_last_is_told_and_no_secret(page: Page, site: Site) -> None:
    table = site.new("circle")
    site.act(table, {"do": "whisper", "to": ["ben"], "text": "seven-white-harts"})
    page.goto("/")
    row = page.locator(".sessions li", has=page.locator(f"a[href='{table}']"))
    expect(row.locator(".title")).to_be_visible()
    assert "seven-white-harts" not in page.content()


@pytest.mark.parametrize("context", some([FRENCH, Profile(), PHONE], 2), indirect=True)
def test_models_are_offered_with_their_price_and_what_they_lack(
    page: Page, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    offered = stage.start(
        offered={  # type: ignore[arg-type]
            "quick": "openai:gpt-5-mini",
            "near": "ollama:qwen3",
            "mystery": "http://127.0.0.1:9/v1#x",
            "lost": "groq:llama-3",
        }
    )
    page.goto(f"{offered.url}/a/parts")
    french = page.locator("html").get_attribute("lang") == "fr"
    choice = page.get_by_label("Modèle" if french else "Model")
    price = page.locator("#model-price")
    choice.select_option("quick")
    expect(price).to_contain_text("0,25" if french else "0.25")
    expect(page.locator(".lacking", has_text="lost")).to_be_visible()
    expect(choice.locator("option[value=lost]")).to_be_disabled()
    assert serious(page) == []
    assert not too_wide(page)
