"""What can happen, as typed facts: to creatures, on the way, at the table, in improvised scenes."""
