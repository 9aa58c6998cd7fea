"""Everything that runs a turn from input to commit: agents, graphs, models, sessions, replay."""
