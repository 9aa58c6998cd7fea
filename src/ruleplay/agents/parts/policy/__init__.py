"""The agent's decisions and replies without a model, from the understood message on."""
