"""Long work that workers do for raid."""
