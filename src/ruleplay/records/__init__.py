"""What a turn is made of and what is kept of it: events, the tape, the tree of turns."""
