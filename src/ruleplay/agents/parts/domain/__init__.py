"""The rules of the parts assistant, free of storage, network and models."""
