"""`ruleplay new` and `ruleplay check`: packages of agents, begun and looked over."""
