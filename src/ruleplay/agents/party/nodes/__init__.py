"""What happens at each station of a turn."""
