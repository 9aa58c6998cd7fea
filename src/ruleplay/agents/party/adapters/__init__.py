"""Read rules, adventures and characters from files."""
