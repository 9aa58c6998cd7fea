"""What the parts assistant does with no model: it resolves what was understood, and says it."""
