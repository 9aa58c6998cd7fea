"""What stories with a game master share: acts, bounds, morale, canon, and telling by beats."""
