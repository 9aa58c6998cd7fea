"""What only `ruleplay parts` does."""
