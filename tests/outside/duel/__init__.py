"""A duel with a twenty-sided die: an agent that another distribution brings to Ruleplay."""
