"""What only `ruleplay party` does."""
