"""Exploration: options outside fights, their rules, and the party's progress."""
