"""The engine's words for choices, as people say them."""

from __future__ import annotations

from ruleplay.agents.battle.domain import dex


def step_words(choice: str) -> str:
    """Return `Earthquake, terastallizing` for `earthquake-tera`, `Gengar comes in` for a switch."""
    if choice.startswith("switch "):
        species = choice.removeprefix("switch ")
        return f"{dex.species_name(species)} comes in"
    if choice in {"none", "no move", "nomove"}:
        return "nothing"
    move, tera = choice.removesuffix("-tera"), choice.endswith("-tera")
    name = dex.move_name(move)
    return f"{name}, terastallizing" if tera else name
