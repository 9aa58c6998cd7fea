"""Turn-based LLM agents that play by the rules: code holds the rules, the model holds the pen."""
