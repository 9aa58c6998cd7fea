"""The records of a turn: its input, its events, its tape, and its place in the tree of turns."""
