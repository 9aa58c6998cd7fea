"""What the battle agent does when no model speaks, and how what it says is checked."""
