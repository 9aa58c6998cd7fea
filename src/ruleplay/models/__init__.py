"""Language models: from a model's name to a streamed reply, within limits on time and money."""
