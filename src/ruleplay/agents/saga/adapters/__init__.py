"""Read rules, scenarios and characters from files."""
