"""What only the battle agent has over HTTP: battles to watch, arenas, reviews of replays."""
