"""The router that the server includes for saga."""

from ruleplay.agents.saga.routes.creation import routes as routes
