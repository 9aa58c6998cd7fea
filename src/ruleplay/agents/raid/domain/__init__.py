"""What a combat log says and means: its grammar, its pulls, its players."""
