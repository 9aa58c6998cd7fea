"""The rules of the parts assistant: pure, no storage, no network, no model."""
