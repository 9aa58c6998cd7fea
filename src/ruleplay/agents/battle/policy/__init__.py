"""What the battle agent does and says without a model, and how a model's proposals are checked."""
