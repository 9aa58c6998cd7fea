"""Pokémon Showdown: an agent that plays battles to win and says why it chose what it chose."""
