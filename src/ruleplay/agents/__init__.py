"""The agents that ship with Ruleplay, one folder each, all on the same floor plan."""
