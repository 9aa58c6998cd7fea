"""What `ruleplay bench` measures of the foundation."""
