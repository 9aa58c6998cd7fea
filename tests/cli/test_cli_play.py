"""`turn`, `chat` and `session`: what they print, and what they refuse."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from tests.cli.commands import Done, Run

from ruleplay.cli.chat import quick_replies
from ruleplay.records.given import Given

TURN_KEYS = ["session", "turn", "number", "reply", "asides", "spans", "events", "view", "calls"]
CALL_KEYS = {
    *("role", "source", "model", "ms", "input_tokens", "output_tokens", "cost", "refusals"),
}


def play(cli: Run, message: str = "add 5", *options: str) -> dict:
    done = cli("turn", "tally", "--message", message, "--json", *options)
    assert done.code == 0, done.err
    return done.json


def test_a_turn_as_json(cli: Run) -> None:
    body = play(cli)
    assert list(body) == TURN_KEYS
    assert (body["number"], body["reply"]) == (1, "The tally is 5. You said: add 5")
    assert [event["type"] for event in body["events"]] == ["Added"]
    assert body["view"]["total"] == 5
    (call,) = body["calls"]
    assert set(call) == CALL_KEYS
    assert (call["role"], call["source"], call["model"]) == ("tally.read", "policy", "rules")


def test_a_turn_as_text_prints_the_reply_and_nothing_else(cli: Run) -> None:
    done = cli("turn", "tally", "--message", "add 5")
    assert (done.code, done.out) == (0, "The tally is 5. You said: add 5\n")
    (session,) = cli("session", "list", "--json").json["sessions"]
    assert done.err == f"session {session['id']}\n"


def test_a_session_goes_on(cli: Run) -> None:
    session = play(cli)["session"]
    assert play(cli, "add 6", "--session", session)["view"]["total"] == 11


def test_a_new_session_takes_a_configuration(cli: Run) -> None:
    body = play(cli, "add 1", "--config", '{"start": 10}')
    assert body["view"]["total"] == 11


def test_the_same_key_gives_the_same_turn(cli: Run) -> None:
    session = play(cli)["session"]
    first = play(cli, "add 6", "--session", session, "--key", "k")
    again = play(cli, "add 6", "--session", session, "--key", "k")
    assert again["turn"] == first["turn"]
    other = cli("turn", "tally", "--session", session, "--key", "k", "-m", "add 7", "--json")
    assert (other.code, other.error["type"]) == (4, "Conflict")
    as_text = cli("turn", "tally", "--session", session, "--key", "k", "-m", "add 6")
    assert as_text.out == first["reply"] + "\n"


def test_a_message_from_standard_input(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("add 2\nand é ✨\n"))
    assert play(cli, "-")["reply"] == "The tally is 2. You said: add 2\nand é ✨"


def test_an_action(cli: Run) -> None:
    done = cli("turn", "tally", "--action", '{"add": 3}', "--json")
    assert done.json["view"]["total"] == 3


def test_a_seat_sees_its_own(cli: Run) -> None:
    whisper = play(cli, "whisper canary", "--seat", "keeper")
    assert whisper["view"]["whispers"] == ["canary"]
    guest = cli("session", "show", whisper["session"], "--json").json
    assert "whispers" not in guest["view"]
    assert [event["type"] for event in guest["turns"][0]["events"]] == ["Added"]
    keeper = cli("session", "show", whisper["session"], "--seat", "keeper", "--json").json
    assert keeper["view"]["whispers"] == ["canary"]


@pytest.mark.parametrize(
    ("arguments", "code", "kind", "words"),
    [
        (["--message", "add 1", "--session", "none"], 3, "NotFound", "'none'"),
        (["--message", ""], 2, "UserError", "empty"),
        (["--message", "a\x07b"], 2, "UserError", "control character"),
        (["--message", "a\udc80b"], 2, "UserError", "control character"),
        (["--message", "x" * 9_000], 2, "UserError", "8,000"),
        ([], 2, "UserError", "--message TEXT or --action JSON"),
        (["--message", "a", "--action", "{}"], 2, "UserError", "--message TEXT or --action JSON"),
        (["--action", "{"], 2, "UserError", "not valid JSON"),
        (["--action", '{"add": "\\ud800"}'], 2, "UserError", "the action"),
        (["--action", '{"add": NaN}'], 2, "UserError", "the action"),
        (["--action", '{"a": "' + "x" * 70_000 + '"}'], 2, "UserError", "64,000"),
        (["--action", "[1]"], 2, "UserError", "JSON object"),
        (["--action", "[" * 99_999], 2, "UserError", "not valid JSON"),
        (["--message", "a", "--config", '{"end": 1}'], 2, "UserError", "'end'"),
        (["--message", "a", "--config", "x"], 2, "UserError", "--config"),
        (["--message", "a", "--seat", "thief"], 4, "Conflict", "guest, keeper"),
        (["--message", "not now"], 4, "Conflict", "come back later"),
        (["--message", "missing"], 5, "Unavailable", "ruleplay[dice]"),
        (["--message", "model-down"], 6, "ModelError", "the model is out"),
        (["--message", "break"], 70, "RuntimeError", "RULEPLAY_DEBUG=1"),
        (["--message", "a", "--model", "gpt"], 2, "UserError", "'gpt'"),
        (["--message", "a", "--db", "nonsense"], 2, "UserError", "database URL"),
        (["--message", "a", "--key", "k" * 201], 2, "UserError", "200"),
        (["--message", "a", "--bogus"], 2, "NoSuchOption", "--bogus"),
    ],
)
def test_what_a_turn_refuses(
    cli: Run, arguments: list[str], code: int, kind: str, words: str
) -> None:
    done = cli("turn", "tally", *arguments, "--json")
    assert (done.code, done.out) == (code, "")
    assert done.error["type"] == kind
    assert words in done.error["message"]
    plain = cli("turn", "tally", *arguments)
    assert plain.code == code
    assert plain.err.startswith("error: ")
    assert plain.err.count("\n") == 1
    assert "Traceback" not in plain.err


def test_a_session_of_another_agent_is_refused(cli: Run) -> None:
    session = play(cli)["session"]
    done = cli("turn", "nobody", "--session", session, "--message", "add 1")
    assert (done.code, "belongs to agent 'tally'" in done.err) == (2, True)
    late = cli("turn", "tally", "--session", session, "--config", "{}", "--message", "add 1")
    assert (late.code, "--config is for new sessions" in late.err) == (2, True)


def test_unknown_agents(cli: Run) -> None:
    done = cli("turn", "nobody", "--message", "hi")
    assert (done.code, "no agent 'nobody'" in done.err) == (3, True)


def test_settings_that_cannot_be_read(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEPLAY_MODEL_CALLS", "many")
    done = cli("session", "list", "--json")
    assert (done.code, "RULEPLAY_MODEL_CALLS" in done.error["message"]) == (2, True)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('tokne = "secret"', "no setting 'tokne'; did you mean 'token'?"),
        ("[ruleplay]\nrate = 3", "no setting 'ruleplay'"),
        ("RATE = 3", "no setting 'RATE'; did you mean 'rate'?"),
        (None, "no such file"),
    ],
)
def test_settings_that_mean_nothing_are_refused(
    cli: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str | None, told: str
) -> None:
    file = tmp_path / "own.toml"
    if written is not None:
        file.write_text(written)
    monkeypatch.setenv("RULEPLAY_TOML", str(file))
    done = cli("session", "list", "--json")
    assert done.code == 2
    assert told in done.error["message"]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("RULEPLAY_TOKNE", "secret", "did you mean 'token'?"),
        ("RULEPLAY_MODELS", "{bad", "write it as JSON"),
        ("RULEPLAY_DB", "mysql://host/name", "the database URL cannot be used"),
        ("RULEPLAY_DB", "postgresql://me:p@ss:w/rd@host/name", "the database URL cannot be used"),
    ],
)
def test_a_slip_in_a_variable_is_told(
    cli: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    done = cli("session", "list", "--json")
    assert done.code == 2
    assert told in done.error["message"]
    assert "w/rd" not in done.err


@pytest.mark.parametrize("name", ["RULEPLAY_COMPATIBLE_KEY", "RULEPLAY_DEBUGGER", "RULEPLAY_X"])
def test_other_programs_variables_are_left_alone(
    cli: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert cli("session", "list", "--json").code == 0


def test_moving_in_the_tree(cli: Run) -> None:
    first = play(cli, "add 1")
    session = first["session"]
    second = play(cli, "add 2", "--session", session)
    undone = cli("session", "undo", session, "--json").json
    assert (undone["id"], undone["head"], undone["number"]) == (session, first["turn"], 1)
    there = cli("session", "goto", session, second["turn"], "--json").json
    assert there["number"] == 2
    again = cli("session", "regenerate", session, "--json").json
    assert list(again) == TURN_KEYS
    assert again["events"] == second["events"]
    edited = cli("session", "edit", session, "--turn", "1", "--message", "add 9", "--json").json
    assert (edited["number"], edited["view"]["total"]) == (1, 9)
    shown = cli("session", "show", session, "--json").json
    assert [turn["turn"] for turn in shown["turns"]] == [edited["turn"]]
    assert len(shown["branches"]) == 4
    beside = cli("session", "compare", session, second["turn"], "--json").json
    assert (beside["shared"], beside["differences"]) == (0, [])
    assert [branch["turn"] for branch in beside["branches"]] == [edited["turn"], second["turn"]]
    assert "turn 2" in cli("session", "compare", session, second["turn"]).out
    tree = cli("session", "show", session, "--tree").out
    marked = [line for line in tree.splitlines() if "head" in line]
    assert len(marked) == 1
    assert edited["turn"] in marked[0]
    assert all(branch["id"] in tree for branch in shown["branches"])


def test_a_fork_shares_turns(cli: Run) -> None:
    first = play(cli, "add 1")
    play(cli, "add 2", "--session", first["session"])
    before = cli("session", "show", first["session"], "--json").json
    fork = cli("session", "fork", first["session"], "--turn", "1", "--json").json
    assert (fork["origin"], fork["head"]) == (first["session"], first["turn"])
    assert play(cli, "add 70", "--session", fork["id"])["view"]["total"] == 71
    assert cli("session", "show", first["session"], "--json").json == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["show"],
        ["undo"],
        ["regenerate"],
        ["fork"],
        ["goto", "x"],
        ["compare", "x"],
        ["export"],
        ["edit", "--turn", "1", "-m", "x"],
    ],
)
def test_unknown_sessions(cli: Run, arguments: list[str]) -> None:
    command, *rest = arguments
    assert cli("session", command, "none", *rest).code == 3
    assert cli("replay", "none").code == 3


def test_nothing_to_undo(cli: Run) -> None:
    session = play(cli)["session"]
    assert cli("session", "undo", session).code == 0
    assert cli("session", "undo", session).code == 4


def test_export(cli: Run) -> None:
    session = play(cli, "# add 5 <b>")["session"]
    text = cli("session", "export", session).out
    assert "# Tally \\*keeper\\*\n" in text
    assert "> \\# add 5 \\<b\\>\n" in text
    body = cli("session", "export", session, "--format", "json").json
    assert body == cli("session", "show", session, "--json").json


def test_what_people_wrote_cannot_take_over_the_terminal(cli: Run) -> None:
    body = play(cli, "add 5 \x9b31m[red]x[/red] :smile:")
    for done in (
        cli("session", "show", body["session"]),
        cli("session", "show", body["session"], "--tree"),
        cli("turn", "tally", "-m", "add 5 \x9b31m"),
    ):
        assert "\x9b" not in done.out
        assert "\x1b" not in done.out
    assert "[red]x[/red] :smile:" in cli("session", "show", body["session"], "--tree").out


def chat(cli: Run, monkeypatch: pytest.MonkeyPatch, text: str, *options: str) -> Done:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return cli("chat", "tally", *options)


def test_chat_from_a_pipe(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "add 1\n2\n/again\n\n/edit 1 add 100\n//add 3\n/undo\n/quit\nadd 5\n"
    done = chat(cli, monkeypatch, lines)
    assert done.code == 0
    assert done.out.splitlines() == [
        "The tally is 1. You said: add 1",
        "The tally is 21. You said: add 20",
        "The tally is 21. You said: add 20",
        "The tally is 100. You said: add 100",
        "The tally is 103. You said: /add 3",
    ]
    assert "2  add 20" in done.err
    assert ">" not in done.err
    (session,) = cli("session", "list", "--json").json["sessions"]
    assert session["number"] == 1


def test_chat_goes_on_after_errors(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = chat(cli, monkeypatch, "/undo\n/bogus\n/edit x\nrefuse\nnot now\nadd 4\n")
    assert (done.code, done.out) == (0, "The tally is 4. You said: add 4\n")
    assert done.err.count("error: ") == 5


def test_chat_forks_and_shows_the_view(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = chat(cli, monkeypatch, "add 4\n/fork\nadd 5\n/view\n/help\n")
    assert '"total": 9' in done.out
    assert "/again" in done.err
    rows = cli("session", "list", "--json").json["sessions"]
    assert sorted(row["number"] for row in rows) == [1, 2]
    assert chat(cli, monkeypatch, "add 1\n", "--session", "none").code == 3


def test_chat_as_json_lines(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    done = chat(cli, monkeypatch, "add 4\n/undo\n", "--json")
    items = [json.loads(line) for line in done.out.splitlines()]
    kinds = [item["type"] for item in items]
    assert kinds[:2] == ["quick_replies", "turn.started"]
    assert {"node", "event", "text", "turn.committed", "session"} <= set(kinds)
    (last,) = [item for item in items if item["type"] == "turn.committed"]
    assert last["body"]["reply"] == "The tally is 4. You said: add 4"


def test_quick_replies_of_both_forms() -> None:
    view = {
        "quick_replies": [
            "yes",
            {"label": "No", "message": "no"},
            {"label": "Go", "action": {"go": 1}},
            {"label": ""},
            5,
        ]
    }
    assert quick_replies(view) == [
        ("yes", Given(message="yes")),
        ("No", Given(message="no")),
        ("Go", Given(action={"go": 1})),
    ]
    assert quick_replies({}) == []
