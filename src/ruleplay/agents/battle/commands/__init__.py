"""The commands under `ruleplay battle`."""
