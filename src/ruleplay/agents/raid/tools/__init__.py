"""The questions that a combat log answers, each a tool over the stored columns."""
