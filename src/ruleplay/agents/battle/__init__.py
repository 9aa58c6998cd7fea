"""Pokémon Showdown: an agent that plays battles to win, and explains its choices."""
