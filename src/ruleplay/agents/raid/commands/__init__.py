"""What only `ruleplay raid` does."""
