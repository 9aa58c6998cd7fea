"""What the agents with a game master share: reading messages, bounds of effects, telling beats."""
