"""Pokémon Showdown: plays ladder, challenges and arenas, says why it chose each move."""
