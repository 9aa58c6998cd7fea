"""The nodes of party's graph: ask everybody who acts, let them act, tell the turn."""
