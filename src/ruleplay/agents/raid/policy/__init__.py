"""What the raid analyst does without a model: plans, reads results, writes the answer."""
