"""Understanding people's messages without a language model."""
