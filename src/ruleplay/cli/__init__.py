"""The `ruleplay` command."""
