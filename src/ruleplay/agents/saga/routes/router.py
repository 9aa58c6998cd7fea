"""The saga agent's routes."""

from ruleplay.agents.saga.routes.creation import routes as routes
