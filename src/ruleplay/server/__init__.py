"""The HTTP server: routes, event streams, and the APIs of other protocols (OpenAI, MCP, AG-UI)."""
