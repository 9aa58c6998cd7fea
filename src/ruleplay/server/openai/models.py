"""Agents as models: `parts`, a seat of one as `party@thorin`, and the owner's variants."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from ruleplay.catalog import agent_names
from ruleplay.errors import NotFound, RuleplayError
from ruleplay.kernel.host import Host
from ruleplay.records.events import Json
from ruleplay.server.openai.errors import Refusal, answers
from ruleplay.server.shapes import Plain
from ruleplay.server.wiring import TheHost

if TYPE_CHECKING:
    from ruleplay.kernel.agent import AnyAgent

routes = APIRouter(prefix="/v1", tags=["openai"], responses=answers(401, 403, 500))
TASKS = "ruleplay-tasks"
"""A model for chat programs' requests of titles and tags only; it plays no turns."""
CREATED = 1_790_000_000
"""The creation time of all models, a required field: fixed, as agents have none."""


class ModelEntry(BaseModel):
    """A model in OpenAI's format, with `name`, which some programs display."""

    id: str
    object: str
    created: int
    owned_by: str
    name: str


class ModelList(BaseModel):
    """The list of models."""

    object: str
    data: list[ModelEntry]


@dataclass(frozen=True)
class Speaker:
    """What a model's name stands for: an agent, its configuration, and the seat to act for."""

    name: str
    agent: str
    seat: str = ""
    config: Json | None = None
    title: str = ""


async def find_speaker(host: Host, name: str) -> Speaker:
    """Resolve a model's name; 404 with OpenAI's code if it is unknown."""
    base, _, seat = name.partition("@")
    variant = host.settings.variants.get(base)
    if base == TASKS:
        return Speaker(name, TASKS)
    agent = variant.agent if variant else base
    try:
        await host.agent(agent)
    except NotFound as error:
        names = ", ".join((*agent_names(), *host.settings.variants))
        detail = f"no model {name!r}; there are {names}"
        raise Refusal(404, detail, "model_not_found", "model") from error
    if variant:
        return Speaker(name, agent, seat, dict(variant.config) or None, variant.title)
    return Speaker(name, agent, seat)


@routes.get("/models", responses={200: {"model": ModelList}})
async def list_models(host: TheHost) -> JSONResponse:
    """List the agents that can be used here, their seats and the owner's variants."""
    return JSONResponse({"object": "list", "data": await asyncio.to_thread(_entries, host)})


@routes.get("/models/{model}", responses={200: {"model": ModelEntry}, **answers(404, 422, 503)})
async def show_model(model: Plain, host: TheHost) -> JSONResponse:
    """Return one model."""
    speaker = await find_speaker(host, model)
    return JSONResponse(_entry(model, speaker.title or speaker.name))


def _entries(host: Host) -> list[Json]:
    found: list[Json] = []
    for name in agent_names():
        try:
            agent = host.find_agent(name)
            found += _of_agent(agent)
        except RuleplayError:
            continue  # an extra is missing; `GET /api/agents` says which
    for name, variant in host.settings.variants.items():
        found.append(_entry(name, variant.title or name))
    return [*found, _entry(TASKS, "Titles and tags (for chat programs)")]


def _of_agent(agent: AnyAgent) -> list[Json]:
    entries = [_entry(agent.name, agent.title)]
    if not agent.public_seat:
        return entries
    state = agent.new(agent.demo(), Random(agent.name))
    seats = (seat for seat in agent.seats_of(state) if seat != agent.public_seat)
    return entries + [_entry(f"{agent.name}@{s}", f"{agent.title} ({s})") for s in seats]


def _entry(name: str, title: str) -> Json:
    return {
        "id": name,
        "object": "model",
        "created": CREATED,
        "owned_by": "ruleplay",
        "name": title,
    }
