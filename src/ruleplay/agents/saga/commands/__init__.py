"""What only `ruleplay saga` does."""
