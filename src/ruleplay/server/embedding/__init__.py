"""Embedding of agents in other sites: a script, the page in its frame, and guests' tokens."""
