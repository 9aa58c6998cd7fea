"""`ruleplay new` and `ruleplay check`: create an agent's package, and inspect it."""
