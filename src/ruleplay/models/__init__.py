"""Language models: from a model string to one streamed reply, within limits of time and money."""
