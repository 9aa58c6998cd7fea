"""What understanding a person without a model needs."""
