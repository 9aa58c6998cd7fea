"""A turn from input to commit: agents, their graphs, proposals, telling, sessions."""
