"""OpenAI's API: agents as models, and sessions that are found by their messages."""
