"""Sessions go on and replay with the rules' data that they began with, whatever ships later."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.agents.test_upgrades import play

from ruleplay.catalog import find_agent
from ruleplay.errors import Unavailable
from ruleplay.kernel.host import Host
from ruleplay.kernel.maintenance import check
from ruleplay.kernel.replay import replay
from ruleplay.records.rules import RuleData, Texts, address, fingerprint
from ruleplay.records.turns import Head
from ruleplay.settings import Settings
from ruleplay.storage.backup import backup, restore

if TYPE_CHECKING:
    from pathlib import Path

AGENTS = ("saga", "party", "battle")
TURNS = 6


def harder(texts: Texts) -> Texts:
    """Return data whose things and foes have other numbers, and whose stories read otherwise."""
    number = re.compile(r"\b(hp|hit_points|damage|price|cost|weight|endurance): (\d+)\b")
    return {
        name: number.sub(lambda found: f"{found[1]}: {int(found[2]) + 1}", text)
        if name.endswith(".yaml")
        else text.replace(" the ", " this very ")
        for name, text in texts.items()
    }


def rules_of(name: str) -> RuleData:
    rules = find_agent(name).rules
    assert rules is not None
    return rules


def ship(monkeypatch: pytest.MonkeyPatch, name: str, change: Callable[[Texts], Texts]) -> None:
    """Have this process be one of a release that ships other data."""
    rules = rules_of(name)
    monkeypatch.setitem(vars(rules), "shipped", change(rules.shipped))
    monkeypatch.setitem(vars(rules), "name", f"9.0+{fingerprint(rules.shipped)}")
    monkeypatch.setattr(rules, "_older", {})


async def opened(folder: Path) -> Host:
    url = f"sqlite+aiosqlite:///{folder / 'kept.db'}"
    return await Host.open(Settings(home=folder, db=url, model="rules"), find_agent)


async def played(folder: Path, name: str) -> Head:
    host = await opened(folder)
    made = await host.create(name, seed="seed")
    await play(host, made.id, TURNS, name)
    head, _ = await host.store.read(made.id)
    await host.close()
    return head


@pytest.mark.parametrize("name", AGENTS)
async def test_a_session_names_the_rules_it_began_with(tmp_path: Path, name: str) -> None:
    head, rules = await played(tmp_path, name), rules_of(name)
    assert head.config["rules"] == rules.name
    assert re.fullmatch(r"[\d.]+\S*\+[0-9a-f]{32}", rules.name)
    host = await opened(tmp_path)
    assert await host.store.rules(address(rules.name)) == rules.shipped
    sent = await host.create(name, {"rules": "another"})
    assert sent.config["rules"] == rules.name
    await host.close()


@pytest.mark.parametrize("name", AGENTS)
async def test_it_replays_and_goes_on_with_them(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = await played(tmp_path, name)
    ship(monkeypatch, name, lambda texts: {**harder(texts), "new": "of that release"})
    host = await opened(tmp_path)
    try:
        found = await replay(host, head.id)
        assert found.identical, found.first_difference
        # Battles' data is a package's: their turns are applied, not decided again.
        assert found.earlier == (found.turns if name == "battle" else 0)
        await play(host, head.id, TURNS + 3, f"{name} again")
        again = await replay(host, head.id)
        assert again.identical, again.first_difference
        assert (await host.store.read(head.id))[0].config["rules"] == head.config["rules"]
        assert (await host.create(name)).config["rules"] == rules_of(name).name
        assert (await check(host, 10)).problems == ()
    finally:
        await host.close()


@pytest.mark.parametrize("name", ["saga", "party"])
async def test_other_rules_would_have_made_a_difference(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = await played(tmp_path, name)
    ship(monkeypatch, name, harder)
    host = await opened(tmp_path)
    monkeypatch.setattr(rules_of(name), "key", lambda _name: address(rules_of(name).name))
    try:
        assert not (await replay(host, head.id)).identical
    finally:
        await host.close()


async def test_rules_are_stored_once_and_backed_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, file = await played(tmp_path, "saga"), tmp_path / "kept.backup"
    host = await opened(tmp_path)
    await host.create("saga")
    assert (await backup(host.store.database, file)).rows["rule_data"] == 1
    await host.close()
    restored = tmp_path / "restored"
    restored.mkdir()
    await restore(f"sqlite+aiosqlite:///{restored / 'kept.db'}", file)
    ship(monkeypatch, "saga", harder)
    host = await opened(restored)
    assert (await replay(host, head.id)).identical
    await host.close()


async def test_rules_that_are_lost_or_forged_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = await played(tmp_path, "saga")
    ship(monkeypatch, "saga", harder)
    host = await opened(tmp_path)
    for change, says in (
        ("UPDATE rule_data SET texts = '{}'", "damaged"),
        ("DELETE FROM rule_data", "not in the database"),
    ):
        await host.store.database.keep(
            lambda connection, change=change: connection.exec_driver_sql(change).close()
        )
        with pytest.raises(Unavailable, match=says):
            await replay(host, head.id)
    await host.close()


async def test_an_older_session_keeps_the_rules_it_went_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = await played(tmp_path, "saga")
    host = await opened(tmp_path)
    bare = {key: value for key, value in head.config.items() if key != "rules"}
    await host.store.configure(head.model_copy(update={"config": bare}))
    await play(host, head.id, TURNS + 1, "again")
    pinned, _ = await host.store.read(head.id)
    assert pinned.config["rules"] == rules_of("saga").name
    await host.close()
    ship(monkeypatch, "saga", harder)
    host = await opened(tmp_path)
    assert (await replay(host, head.id)).identical
    await host.close()
