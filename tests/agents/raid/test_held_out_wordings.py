"""Wordings that the planner was not made with, as raiders type them, on a night of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.raid.asking import judge, store_night
from benchmarks.raid.nights.plan import FULL_NIGHT
from benchmarks.raid.questions import ask_about

SEED = 4242
BAR = 0.95
WORDINGS: dict[str, tuple[str, ...]] = {
    "wipe": (
        "so what actually killed us on {pull}?",
        "how come {pull} fell apart",
        "why'd we lose {pull}",
        "c'était quoi le problème sur {le_pull}",
    ),
    "first_death": (
        "who dropped first on {pull} and to what",
        "first guy to die {pull}?",
        "qui est tombé en premier sur {le_pull} et à cause de quoi",
        "le premier mort sur {le_pull}",
    ),
    "avoidable": (
        "who stood in stuff on {pull}",
        "anyone eating damage they shouldn't on {pull}?",
        "qui a pris des dégâts évitables sur {le_pull}",
        "who's standing in the fire, {pull}",
    ),
    "interrupts": (
        "which kicks did we miss on {pull}",
        "did anything go off that should've been kicked on {pull}?",
        "quels casts n'ont pas été kick sur {le_pull}",
    ),
    "dispels": (
        "who dispelled the most on {pull}?",
        "who's on dispel duty for {pull}, how many did they do",
        "qui a dispel sur {le_pull}",
    ),
    "flask": ("anyone without a flask on {pull}?", "qui n'avait pas de flacon sur {le_pull}"),
    "food": ("who didnt eat for {pull}", "qui avait oublié la bouffe sur {le_pull}"),
    "oil": ("who forgot oils on {pull}", "il manquait de l'huile à qui sur {le_pull}"),
    "enchants": (
        "who's missing enchants on {pull}",
        "who has unenchanted gear on {pull}",
        "qui a du stuff pas enchanté sur {le_pull}",
    ),
    "gems": ("empty sockets anyone, {pull}?", "qui a des châsses vides sur {le_pull}"),
    "activity": (
        "who was slacking on {pull}",
        "lowest activity {pull}",
        "qui a glandé sur {le_pull}",
        "who was semi afk on {pull}",
    ),
    "cooldowns": (
        "did {player} press all his cds on {pull}",
        "which cds did {player} sit on, {pull}",
        "{player} a utilisé tous ses cd sur {le_pull} ?",
    ),
    "bloodlust": (
        "when did we pop lust on {pull}",
        "at what point in the fight was heroism used on {pull}",
        "la BL est partie à quel moment sur {le_pull}",
    ),
    "low_damage": (
        "what's wrong with {player}'s dps on {pull}",
        "why was {player} so low on the meters, {pull}",
        "pourquoi {player} tape si peu sur {le_pull}",
    ),
    "versus": (
        "{player} or {other}, who did better on {pull}",
        "{player} versus {other} on {pull}",
        "compare moi {player} et {other} sur {le_pull}",
    ),
    "mana": (
        "did healers go oom on {pull}",
        "which healer ran driest on {pull}",
        "les heals étaient oom sur {le_pull} ?",
    ),
    "overheal": (
        "who overhealed the most on {pull}",
        "wasted healing on {pull}?",
        "le plus gros overheal sur {le_pull}",
    ),
    "tank": (
        "what happened to the tank on {pull}, spike damage or no heals",
        "how did our tank die on {pull}",
        "pourquoi le tank est tombé sur {le_pull}",
    ),
    "uptime": (
        "{debuff} uptime on {pull}",
        "how long did we keep {debuff} up on {pull}",
        "{debuff} était up combien de temps sur {le_pull}",
    ),
    "adds": ("when did the adds go down on {pull}", "les adds sont morts quand sur {le_pull}"),
    "trash": (
        "how much time did we waste on trash",
        "combien de temps on a passé sur le trash",
    ),
    "fixes": (
        "what should we do differently after {pull}",
        "give me 3 things to fix next try, looking at {pull}",
        "que corriger pour le prochain try après {le_pull} ?",
    ),
}


@pytest.mark.xfail(
    strict=True,
    reason="160 of 187 fields: as in test_asking, findings of the general answer are judged by "
    "the columns of older tools",
)
async def test_wordings_of_other_people_are_understood(tmp_path: Path) -> None:
    truth = store_night(tmp_path, SEED, replace(FULL_NIGHT, health=0.2))
    verdicts = await judge(tmp_path, tuple(ask_about(truth, SEED, WORDINGS)))
    fields = [right for verdict in verdicts for _, right in verdict.fields]
    missed = [(v.question, v.fields) for v in verdicts if v.exact < len(v.fields)]
    assert sum(fields) / len(fields) >= BAR, (sum(fields), len(fields), len(verdicts), missed)
