"""Walks through the shipped scenarios: what a player writes, step by step, to a given ending.

Each step is a message in both languages, repeated until what it is for has come about; fights that
come between are fought out blow by blow.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ruleplay.records.events import Json
from ruleplay.records.turns import Turn

Say = Callable[[str], Awaitable[Turn]]
See = Callable[[], Awaitable[Json]]
Step = tuple[str, str, str]
"""What is said in English and French, and the event type (and key) that has to come of it."""

TO_THE_TOWER: tuple[Step, ...] = (
    ("begin", "commencer", "Travelled inn"),
    ("talk to Maud", "je parle à Maud", "SectionTold maud-hello"),
    ("I ask Maud about the lamp", "je demande à Maud pour la lampe", "SecretLearned keeper"),
    ("go to the Greenway", "je vais sur le chemin vert", "Travelled greenway"),
    ("attack them", "je les attaque", "FlagSet won:ruffians"),
    ("go back to the inn", "je retourne à l'auberge", "Travelled inn"),
    ("rest", "je me repose", "Rested"),
    ("rest", "je me repose", "Rested"),
    ("go to the Greenway", "je vais sur le chemin vert", "Travelled greenway"),
    ("go east to the dell", "je vais à l'est, au vallon", "Travelled dell"),
    ("attack the wolves", "j'attaque les loups", "FlagSet won:wolves"),
    ("go back to the greenway", "je retourne sur le chemin vert", "Travelled greenway"),
    ("go to the inn", "je vais à l'auberge", "Travelled inn"),
    ("rest", "je me repose", "Rested"),
    ("rest", "je me repose", "Rested"),
    ("buy a healing draught", "j'achète une potion de soin", "ItemGained healing-draught"),
    ("go to the Greenway", "je vais sur le chemin vert", "Travelled greenway"),
    ("go to the dell", "je vais au vallon", "Travelled dell"),
    ("go to the green mound", "je vais au tertre", "Travelled barrow"),
    ("attack", "j'attaque", "FlagSet won:wight"),
    ("lift the cloth", "je soulève le drap", "SectionTold take-oil"),
    ("wield the elven blade", "je dégaine la lame elfique", "Equipped bright-blade"),
    ("go to the dell", "je vais au vallon", "Travelled dell"),
    ("go to the greenway", "je vais sur le chemin vert", "Travelled greenway"),
    ("go to the ford", "je vais au gué", "Travelled ford"),
    ("mend the rope", "je répare la corde", "SectionTold mend-ferry text"),
    ("rest", "je me repose", "Rested"),
    ("rest", "je me repose", "Rested"),
    ("cross to the tower", "je traverse vers la tour", "Travelled tower-foot"),
    ("attack", "j'attaque", "FlagSet won:orcs"),
)
UP: tuple[Step, ...] = (
    ("go back to the ford", "je retourne au gué", "Travelled ford"),
    ("rest", "je me repose", "Rested"),
    ("rest", "je me repose", "Rested"),
    ("cross to the tower", "je traverse vers la tour", "Travelled tower-foot"),
    ("climb the stairs", "je monte l'escalier", "Travelled tower-top"),
    ("attack", "j'attaque", "FlagSet won:captain"),
    ("light the lamp", "allumer la lampe", "EndingReached"),
)
FREE: tuple[Step, ...] = (
    ("search the ruins", "je fouille les ruines", "SectionTold free-osric text"),
)
TO_THE_HALL: tuple[Step, ...] = (
    ("begin", "commencer", "Travelled quay"),
    ("talk to Dwalma", "je parle à Dwalma", "SectionTold dwalma-hello"),
    ("go to the landing", "je vais au débarcadère", "Travelled landing"),
    ("go to the forest", "je vais à la lisière", "Travelled eaves"),
    ("attack the spiders", "j'attaque les araignées", "FlagSet won:spiders"),
    ("go back to the landing", "je retourne au débarcadère", "Travelled landing"),
    ("rest", "je me repose", "Rested"),
    ("rest", "je me repose", "Rested"),
    ("go to the bridge", "je vais au pont", "Travelled bridge"),
    ("attack the troll", "j'attaque le troll", "FlagSet won:troll"),
    ("go back to the landing", "je retourne au débarcadère", "Travelled landing"),
    ("rest", "je me repose", "Rested"),
    ("rest", "je me repose", "Rested"),
    ("go to the bridge", "je vais au pont", "Travelled bridge"),
    ("go north to the hall", "je vais au nord, à la halle", "Travelled hall"),
)
BRIBED: tuple[Step, ...] = (("accept the offer", "j'accepte l'offre", "EndingReached"),)
WEIGHED: tuple[Step, ...] = (
    ("attack Orlo", "j'attaque Orlo", "FlagSet won:reckoning"),
    ("open the strongbox", "j'ouvre le coffre", "SectionTold open-strongbox"),
    ("go to the bridge", "je vais au pont", "Travelled bridge"),
    ("go to the landing", "je vais au débarcadère", "Travelled landing"),
    ("go to the quay", "je vais au quai", "Travelled quay"),
    (
        "I report to Dwalma about the silver",
        "je fais mon rapport à Dwalma sur l'argent",
        "EndingReached",
    ),
)


@dataclass(frozen=True)
class Walk:
    """A walk to an ending; the session seed is one with which the hero lives through it."""

    scenario: str
    ending: str
    steps: tuple[Step, ...]
    seed: str


WALKS = (
    Walk("greenway-lamp", "lamp-alone", TO_THE_TOWER + UP, "1"),
    Walk("greenway-lamp", "keeper-home", TO_THE_TOWER + FREE + UP, "1"),
    Walk("grey-debt", "bribed", TO_THE_HALL + BRIBED, "1"),
    Walk("grey-debt", "justice", TO_THE_HALL + WEIGHED, "1"),
)


async def take(walk: Walk, lang: str, say: Say, see: See, tries: int = 12) -> list[Turn]:
    """Take a walk; returns its turns (AssertionError when a step does not come about)."""
    turns: list[Turn] = []
    for english, french, wanted in walk.steps:
        for _ in range(tries):
            step = [await say(french if lang == "fr" else english)]
            step += await fight(lang, say, see)
            turns += step
            if any(came(event, wanted) for turn in step for event in turn.events):
                break
            assert not (await see())["dead"], f"fell at {english!r}"
        else:
            raise AssertionError(f"{english!r} never led to {wanted!r}: {turns[-1].reply[-300:]}")
    return turns


async def fight(lang: str, say: Say, see: See) -> list[Turn]:
    """Fight until the fight is over: the weakest at hand first, a draught when it is needed."""
    turns: list[Turn] = []
    for _ in range(40):
        view = await see()
        combat = view["combat"]
        if not isinstance(combat, dict):
            return turns
        foes = [o for o in combat["order"] if o["side"] == "foes" and o["alive"] and not o["fled"]]
        foe = min(foes, key=lambda one: (one["far"], one["hp"], one["id"]))
        hurt = view["sheet"]["hp"] * 5 < view["sheet"]["max_hp"] * 2 and not foe["far"]
        potion = any(one["item"] == "healing-draught" for one in view["inventory"])
        drink = {"en": "I drink a potion and ", "fr": "je bois une potion et "}[lang]
        blow = {"en": "I attack {0}", "fr": "j'attaque {0}"}[lang].format(foe["name"])
        turns.append(await say(drink + blow if hurt and potion else blow))
    return turns


def came(event: Json, wanted: str) -> bool:
    """Tell whether an event is the wanted one: its type, and further words among its values."""
    kind, *values = wanted.split()
    said = {value for value in event.values() if isinstance(value, str)}
    return event["type"] == kind and said.issuperset(values)
