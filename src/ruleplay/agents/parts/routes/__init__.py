"""HTTP routes of the parts agent."""
