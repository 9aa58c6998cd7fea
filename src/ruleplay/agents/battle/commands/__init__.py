"""What only `ruleplay battle` does."""
