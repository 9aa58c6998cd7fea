"""The parts agent's routes."""

from ruleplay.agents.parts.routes.imports import routes as routes
