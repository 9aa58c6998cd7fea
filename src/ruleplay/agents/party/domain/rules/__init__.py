"""The rules of play: what an intent leads to, in happenings."""
