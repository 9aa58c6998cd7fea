"""The commands of `ruleplay party`."""
