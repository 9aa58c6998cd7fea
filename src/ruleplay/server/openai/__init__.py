"""The OpenAI wire: agents as models, sessions found by what was said."""
