"""What `ruleplay bench raid` measures."""
