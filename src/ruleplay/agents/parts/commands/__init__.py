"""The subcommands of `ruleplay parts`."""
