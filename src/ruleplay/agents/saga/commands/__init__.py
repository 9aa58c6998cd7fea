"""The commands of `ruleplay saga`."""
