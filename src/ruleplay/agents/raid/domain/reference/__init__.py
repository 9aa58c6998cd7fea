"""Facts of the game, one row each with its source: bosses, spells, consumables, enchants, gems."""
