"""The outside world of the parts assistant: its catalog."""
