"""Long work that workers do for battle."""
