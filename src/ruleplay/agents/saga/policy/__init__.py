"""What the saga does without a model: facts, templates, the gate's words, rehearsal."""
