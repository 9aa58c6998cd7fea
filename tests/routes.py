"""Every way in which text gets into a server, from its own OpenAPI document and its tools' schemas.

A request is made of a text: it stands in every field that takes one, in the path and in the query.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

AGENTS = ("parts", "battle", "raid", "saga", "party")
IDS = {"session", "session_id", "turn", "seat", "agent", "model", "name", "tool", "report"}
"""Fields that lead further with a value that is known."""
JSON = {"Content-Type": "application/json"}
BYTES = {"Content-Type": "application/octet-stream"}
PATH_LIMIT = 30_000
"""Characters of a text in a path or query; a request's head has 64 kB."""
DEPTH = 6
TOOLS = "/mcp/all"
MCP = {**JSON, "Accept": "application/json, text/event-stream"}
Json = Any
Known = Mapping[str, str]


@dataclass(frozen=True)
class Ask:
    """A request: `what` names the route and how the text got in."""

    what: str
    method: str
    path: str
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Server:
    """What is known of a server that runs: its document, its tools, sessions and a guest.

    `spares` are sessions to be deleted: the others have to be there to the last request. `turns`
    are a turn of each session, `report` is a log's that is there.
    """

    document: Json
    tools: list[Json]
    sessions: dict[str, str]
    guests: dict[str, str]
    spares: dict[str, str]
    turns: dict[str, str]
    report: str

    @classmethod
    def met(cls, client: httpx.Client, shop: str = "") -> Server:
        """Look at a server, make a session of every agent, and enter as a guest."""
        document = client.get("/openapi.json").json()
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        listed = client.post(TOOLS, json=call, headers=MCP)
        sessions: dict[str, str] = {}
        spares: dict[str, str] = {}
        guests: dict[str, str] = {}
        for agent in AGENTS:
            for kept in (sessions, spares):
                made = client.post("/api/sessions", json={"agent": agent})
                if made.status_code == 201:
                    kept[agent] = made.json()["id"]
            page = client.get(f"/embed/{agent}", headers={"Referer": f"{shop}/"}).text
            _, _, rest = page.partition('name="ruleplay-guest" content="')
            guests[agent] = rest.partition('"')[0]
        tools = _event(listed.text).get("result", {}).get("tools", [])
        turns = {agent: _played(client, session) for agent, session in sessions.items()}
        reports = client.get("/api/raid/reports").json().get("reports", [])
        report = next((str(one["code"]) for one in reports), "")
        return cls(document, tools, sessions, guests, spares, turns, report)

    def check(self, client: httpx.Client) -> None:
        """Fail when a session is gone: from then on its routes were asked about nothing."""
        gone = [
            agent
            for agent, session in self.sessions.items()
            if client.get(f"/api/sessions/{session}").status_code == 404
        ]
        assert gone == [], f"the sessions of {gone} were deleted"

    def asks(self, text: str) -> Iterator[Ask]:
        """Return requests with a text on every route and every tool, for every agent."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                if path.endswith("/events"):  # streams as long as somebody listens
                    continue
                yield from self._operation(path, method.upper(), operation, text)
        for tool in self.tools:
            yield from self._tool(tool, text)

    def raw(self, path: str, body: bytes) -> Iterator[Ask]:
        """Return posts of a body to a route, as every agent's."""
        for agent in AGENTS if "{" in path else AGENTS[:1]:
            place = self._place(path, agent, "x", self.sessions)
            yield Ask(f"POST {path}", "POST", place, body, self._headers(path, agent))

    def _operation(self, path: str, method: str, operation: Json, text: str) -> Iterator[Ask]:
        content = operation.get("requestBody", {}).get("content", {})
        query = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
        named = f"{method} {path}"
        for agent in AGENTS if "{" in path else AGENTS[:1]:
            deletes = method == "DELETE"
            place = self._place(path, agent, "x", self.spares if deletes else self.sessions)
            headers = self._headers(path, agent)
            if "application/octet-stream" in content:
                name = f"?name={quote(text)[:PATH_LIMIT]}"
                yield Ask(named, method, place + name, text.encode(), BYTES)
            elif content:
                schema = content["application/json"]["schema"]
                for body in self.bodies(schema, text, agent):
                    yield Ask(f"{named} as {agent}", method, place, _bytes(body), headers)
            else:
                yield Ask(f"{named} as {agent}", method, place, None, headers)
            if query:
                asked = "&".join(
                    f"{name}={quote(text)[: PATH_LIMIT // len(query)]}" for name in query
                )
                yield Ask(f"{named} query", method, f"{place}?{asked}", b"{}", headers)
        if "{" in path:
            odd = self._place(path, "", quote(text, safe="")[:PATH_LIMIT], {})
            yield Ask(f"{named} path", method, odd, b"{}" if content else None, JSON)

    def _headers(self, path: str, agent: str) -> dict[str, str]:
        guest = self.guests.get(agent) if path.startswith("/embed/") else ""
        token = {"Authorization": f"Bearer {guest}"} if guest else {}
        return {**JSON, **token, "Prefer": "wait"}

    def _tool(self, tool: Json, text: str) -> Iterator[Ask]:
        for agent in AGENTS:
            for given in self.bodies(tool["inputSchema"], text, agent, tool["inputSchema"]):
                call = {"name": tool["name"], "arguments": given}
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
                yield Ask(f"tool {tool['name']} as {agent}", "POST", TOOLS, _bytes(body), MCP)
            if "session" not in tool["inputSchema"].get("properties", {}):
                break

    def _place(self, path: str, agent: str, other: str, sessions: dict[str, str]) -> str:
        known = {"session": sessions.get(agent, ""), "agent": agent, "seat": ""}
        if sessions is self.sessions:  # what is deleted is none of these
            known |= {"turn": self.turns.get(agent, ""), "report": self.report}
        for name in ("session", "agent", "seat", "turn", "name", "tool", "report", "battle"):
            path = path.replace("{" + name + "}", known.get(name) or other)
        return path.replace("{", "").replace("}", "")

    def bodies(self, schema: Json, text: str, agent: str, root: Json = None) -> Iterator[Json]:
        """Return a body with the text in every field, then one field at a time."""
        known = {"agent": agent, "model": agent, "session": self.sessions.get(agent, "")}
        known["session_id"] = known["session"]
        root = root or self.document
        yield _filled(schema, text, {}, root)
        whole = _filled(schema, text, known, root)
        yield whole
        if not isinstance(whole, dict):
            return
        # Fields that need not be there are left out: some exclude each other.
        needed = _at(root, schema["$ref"]) if "$ref" in schema else schema
        plain = {
            name: one
            for name, one in _filled(schema, "hello", known, root).items()
            if name in needed.get("required", ()) or name in known
        }
        for name in whole:
            yield {**plain, name: text if name in known else whole[name]}


def _played(client: httpx.Client, session: str) -> str:
    """Play a turn; return its id, "" where none could be played."""
    answer = client.post(
        f"/api/sessions/{session}/turns", json={"message": "hello"}, headers={"Prefer": "wait"}
    )
    return str(answer.json().get("turn", "")) if answer.is_success else ""


def _filled(schema: Json, text: str, known: Known, root: Json, depth: int = 0) -> Json:
    if reference := schema.get("$ref"):
        schema = _at(root, reference)
    if depth > DEPTH or schema.get("title") == "JsonValue" or not schema:
        return text
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            one = next((one for one in schema[several] if one.get("type") != "null"), {})
            return _filled(one, text, known, root, depth)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [""])[0])
    kind = schema.get("type")
    if kind == "object":
        given = {
            name: known[name]
            if known.get(name) and name in IDS
            else _filled(one, text, known, root, depth + 1)
            for name, one in schema.get("properties", {}).items()
        }
        return given or {text[:60]: text, "kind": text[:60], "message": text}
    if kind == "array":
        return [_filled(schema.get("items", {}), text, known, root, depth + 1)]
    if kind in ("integer", "number"):
        return schema.get("default", schema.get("minimum", 1))
    if kind == "boolean":
        return False
    return text[: schema.get("maxLength", len(text))]


def _at(root: Json, reference: str) -> Json:
    for part in reference.removeprefix("#/").split("/"):
        root = root[part]
    return root


def _bytes(body: Json) -> bytes:
    return json.dumps(body).encode()


def _event(text: str) -> Json:
    """Return the message of an answer that is JSON or a stream of one event."""
    for line in text.splitlines():
        line = line.removeprefix("data: ")
        if line.startswith("{"):
            return json.loads(line)
    return {}
