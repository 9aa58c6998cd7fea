"""Tells parts of a sum: of abilities, of pets, of a player's whole."""

from __future__ import annotations

from ruleplay.agents.raid.domain.overview import fold, words
from ruleplay.agents.raid.domain.persons import asks_of_pets
from ruleplay.agents.raid.domain.subjects import pull_words
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.sentences import asked_number
from ruleplay.agents.raid.policy.teller import COLUMNS, Reply, Teller
from ruleplay.agents.raid.view.tables import value_of

FIRST = 3
"""Of how many players, the first ones of a ranking, the pets' shares are told if none is named."""


def part(teller: Teller) -> Reply:
    """Describe the share of a sum due to an ability, or else to pets, guardians and totems."""
    named = {fold(one) for one in teller.plan.question.abilities}
    what = teller.tongue.measure(teller.plan.measure)
    if teller.others and (each := _of_each_s_pets(teller, what)):
        return each
    column = COLUMNS[teller.plan.measure]
    total = sum(value_of(row, column) for row in teller.rows)
    chosen = [row for row in teller.rows if _is_of(str(row["name"]), named)]
    if not chosen and asks_of_pets(teller.plan.question.text):
        named = set()  # "his pets/ancestors" names no ability of a spell that he has not used
        chosen = [row for row in teller.rows if _is_of(str(row["name"]), named)]
    part = sum(value_of(row, column) for row in chosen)
    if not total:
        return Reply(teller.none(teller.plan.measure, teller.names(teller.players)))
    told = (f"{row['name']} {teller.tongue.number(value_of(row, column))}" for row in chosen)
    text = teller.say(
        "part" if named else "pets",
        where=", ".join((teller.where, *map(teller.short, teller.players))),
        what=what,
        value=teller.tongue.number(part),
        total=teller.tongue.number(total),
        share=teller.tongue.percent(100 * part / total),
        list=teller.tongue.listed(told if chosen else teller.plan.question.abilities) or "–",
    )
    return Reply(text, about=teller.players)


def _of_each_s_pets(teller: Teller, what: str) -> Reply | None:
    """Tell what share of each player's sum pets did, of the first ones or those named."""
    column = COLUMNS[teller.plan.measure]
    whole, own = (
        {
            str(row["name"]): value_of(row, column)
            for sheet in teller.others
            for row in sheet.rows
            if bool(sheet.arg("without")) is alone and sheet.arg("by") == "player"
        }
        for alone in (False, True)
    )
    people = [name for name in whole if name in (teller.players or teller.plan.people)]
    number, percent = teller.tongue.number, teller.tongue.percent
    told = []
    said = (pull_words().numbers.get(one, 0) for one in words(teller.plan.question.text))
    asked = asked_number(teller.plan.question.text) or max(said, default=0)
    for name in people[: max(len(teller.players), asked or FIRST)]:
        pets = whole[name] - own.get(name, 0)
        share = percent(100 * pets / whole[name]) if whole[name] else "–"
        told.append(f"{teller.short(name)} {number(pets)} / {number(whole[name])} ({share})")
    if not told:
        return None
    text = teller.say("pets_each", what=what, list=", ".join(told), where=teller.where)
    return Reply(text, about=teller.players or tuple(people[:1]))


def of_its_whole(teller: Teller, row: Row, column: str) -> str:
    """Tell what share of a player's whole sum the abilities asked about did."""
    sheets = [one for one in teller.others if one.arg("by") == "ability" and not one.arg("ability")]
    total = sum(value_of(one, column) for sheet in sheets for one in sheet.rows)
    if not (total and teller.plan.question.abilities):
        return ""
    share = teller.tongue.percent(100 * value_of(row, column) / total)
    return " " + teller.say("of_its_whole", share=share, total=teller.tongue.number(total))


def _is_of(name: str, abilities: set[str]) -> bool:
    """Whether a row is of these abilities, even a pet's; without any, whether it is a pet's."""
    pet, _, spell = name.rpartition(": ")
    return bool({fold(name), fold(spell), fold(pet)} & abilities) if abilities else bool(pet)
