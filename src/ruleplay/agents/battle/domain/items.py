"""Display names of held items, which the dex that moves and species come from does not have.

The names are Pokémon Showdown's. An id is the name's letters and digits in lower case.
"""

from __future__ import annotations

from ruleplay.agents.battle.domain.dex import to_id

_NAMES = """
Ability Shield, Absorb Bulb, Adamant Orb, Adrenaline Orb, Aguav Berry, Air Balloon, Apicot Berry,
Assault Vest, Babiri Berry, Berserk Gene, Big Root, Binding Band, Black Belt, Black Glasses,
Black Sludge, Blunder Policy, Booster Energy, Bright Powder, Cell Battery, Charcoal, Charti Berry,
Chesto Berry, Chilan Berry, Choice Band, Choice Scarf, Choice Specs, Chople Berry, Clear Amulet,
Coba Berry, Colbur Berry, Cornerstone Mask, Covert Cloak, Custap Berry, Damp Rock, Douse Drive,
Draco Plate, Dragon Fang, Dread Plate, Earth Plate, Eject Button, Eject Pack, Electric Seed,
Eviolite, Expert Belt, Fairy Feather, Figy Berry, Fist Plate, Flame Orb, Flame Plate, Float Stone,
Focus Band, Focus Sash, Ganlon Berry, Grassy Seed, Grip Claw, Griseous Core, Griseous Orb,
Haban Berry, Hard Stone, Hearthflame Mask, Heat Rock, Heavy-Duty Boots, Iapapa Berry, Icicle Plate,
Icy Rock, Insect Plate, Iron Ball, Iron Plate, Kasib Berry, Kebia Berry, Kee Berry, King's Rock,
Lagging Tail, Lansat Berry, Leek, Leftovers, Leppa Berry, Liechi Berry, Life Orb, Light Ball,
Light Clay, Loaded Dice, Lum Berry, Luminous Moss, Lustrous Globe, Lustrous Orb, Macho Brace,
Magnet, Mago Berry, Maranga Berry, Meadow Plate, Mental Herb, Metal Coat, Metal Powder, Metronome,
Micle Berry, Mind Plate, Miracle Seed, Mirror Herb, Misty Seed, Muscle Band, Mystic Water,
Never-Melt Ice, Normal Gem, Occa Berry, Oran Berry, Passho Berry, Payapa Berry, Petaya Berry,
Pixie Plate, Poison Barb, Power Herb, Protective Pads, Psychic Seed, Punching Glove, Quick Claw,
Quick Powder, Rawst Berry, Razor Claw, Razor Fang, Red Card, Rindo Berry, Ring Target,
Rocky Helmet, Room Service, Roseli Berry, Rusted Shield, Rusted Sword, Safety Goggles,
Salac Berry, Scope Lens, Sharp Beak, Shed Shell, Shell Bell, Shuca Berry, Silk Scarf,
Silver Powder, Sitrus Berry, Sky Plate, Smooth Rock, Snowball, Soft Sand, Soul Dew, Spell Tag,
Splash Plate, Spooky Plate, Starf Berry, Sticky Barb, Stone Plate, Tanga Berry, Terrain Extender,
Thick Club, Throat Spray, Toxic Orb, Toxic Plate, Twisted Spoon, Utility Umbrella, Wacan Berry,
Weakness Policy, Wellspring Mask, White Herb, Wide Lens, Wiki Berry, Wise Glasses, Yache Berry,
Zap Plate, Zoom Lens
"""
"""In alphabetical order; ids follow from the names."""
_BY_ID = {to_id(name): name for name in " ".join(_NAMES.split()).split(", ")}


def item_name(item: str) -> str:
    """Look up an item's display name; an unknown id is returned as it is."""
    return _BY_ID.get(item, item)


def is_item(item: str) -> bool:
    """Check whether an id is that of a known item."""
    return item in _BY_ID
