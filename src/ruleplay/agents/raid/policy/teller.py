"""What a reply is made from: the plan, the night, the results, and the question's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ruleplay.agents.raid.domain.omissions import ADDS, PETS
from ruleplay.agents.raid.domain.overview import Night, PullSummary, short_name, words
from ruleplay.agents.raid.domain.persons import calling_words
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.plan import Plan
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.agents.raid.view.tables import ResultTable, value_of

RATES = {"total_damage": "dps", "healing": "hps"}


@dataclass(frozen=True)
class Reply:
    """What is said, and the rows that go below it with their columns."""

    text: str
    rows: tuple[Row, ...] = ()
    columns: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """Whom the next question may mean by a pronoun."""
    abilities: tuple[str, ...] = ()
    """Which abilities the next question may mean by "that"."""
    fight: int | None = None
    """The pull that the answer is about, where it had to be found."""
    tool: str = ""
    """The tool whose rows the table has, where it is not the first."""


@dataclass(frozen=True)
class Teller:
    """Everything that a reply is made from."""

    plan: Plan
    night: Night
    sheets: Sequence[ResultTable]
    others: Sequence[ResultTable] = ()
    """Results of another measure than the one that was asked for."""

    def turned(self, measure: str) -> Teller:
        """Return what tells of the other measure's results."""
        by = self.plan.by if self.plan.by == "pull" else "player"
        by = "cast" if measure == "casts" else by
        plan = replace(self.plan, measure=measure, by=by)
        own = [sheet for sheet in self.others if sheet.returned.args.get("by") == by]
        return Teller(plan, self.night, own, [one for one in self.others if one not in own])

    @property
    def tongue(self) -> Tongue:
        """The language of the question."""
        return Tongue(self.plan.heard.language)

    @property
    def sheet(self) -> ResultTable:
        """The first result."""
        return self.sheets[0]

    @property
    def rows(self) -> list[Row]:
        """The rows of all results."""
        return [row for sheet in self.sheets for row in sheet.rows]

    @property
    def shape(self) -> str:
        """How it was asked."""
        return self.plan.heard.shape

    @property
    def players(self) -> tuple[str, ...]:
        """Who was named."""
        return self.plan.question.players

    @property
    def pulls(self) -> list[PullSummary]:
        """The pulls that are meant."""
        return [pull for pull in self.night.pulls if pull.fight in self.plan.fights]

    @property
    def where(self) -> str:
        """The pulls in words, with the part of them and what is left out."""
        told = self.tongue.where(self.pulls, self.night)
        question = self.plan.question
        part = self.tongue.part(question.part)
        kinds = {PETS: self.say("all_pets"), ADDS: "adds"}
        names = ", ".join(kinds.get(one, self.short(one)) for one in question.without)
        left = self.say("without", list=names) if names else ""
        at = [self.say("adds_only") if one == ADDS else one for one in question.targets]
        return ", ".join(one for one in (told, *at, part, left) if one)

    @property
    def place(self) -> str:
        """The pulls in words, with the abilities that are asked about."""
        return ", ".join((self.where, *self.plan.question.abilities))

    def say(self, key: str, **given: object) -> str:
        """Return a sentence in the question's language."""
        return self.tongue.say(key, **given)

    def none(self, measure: str, of: str = "") -> str:
        """Say that the log has nothing of a measure, or nothing of somebody's."""
        what = self.tongue.measure(measure)
        return self.say("none_of", where=self.where, what=what, of=f" ({of})" if of else "")

    def names(self, people: Iterable[object]) -> str:
        """Return players' names in a row."""
        return ", ".join(map(self.short, people))

    def answered(self, text: str, yes: bool) -> str:
        """Return a sentence with yes or no before it, where just that was asked.

        A question that denies ("nobody died, right?") would turn the word's meaning round.
        """
        said = {*words(self.plan.question.text)}
        if self.shape != "yesno" or said & calling_words().denies:
            return text
        return f"{self.say('yes' if yes else 'no')}{text}"

    def short(self, name: object) -> str:
        """Return a player's name without the realm, any other as it is; who asks is told so."""
        known = str(name) in self.plan.people or str(name) in self.players
        told = short_name(str(name)) if known or str(name).count("-") > 1 else str(name)
        return f"{told} ({self.say('you')})" if name == self.plan.question.myself else told

    @cached_property
    def _played(self) -> Mapping[str, str]:
        """The role that players had in the pulls that are meant, as the results tell it."""
        rows = (row for sheet in (*self.sheets, *self.others) for row in sheet.rows)
        return {
            str(row.get("player") or row.get("name")): str(row["role"])
            for row in rows
            if row.get("role")
        }

    def role(self, name: object) -> str:
        """Return a player's role: in these pulls, else in most of the night."""
        return self._played.get(str(name)) or self.plan.roles.get(str(name), "")

    def pull(self, fight: object) -> PullSummary | None:
        """Return a pull by its number."""
        return self.night.pull(fight) if isinstance(fight, int) else None


def of_tool(teller: Teller, tool: str) -> list[ResultTable]:
    """Return the results of one tool."""
    every = (*teller.sheets, *teller.others)
    return [sheet for sheet in every if sheet.returned.tool == tool]


def place_of(rows: Sequence[Row], row: Row, column: str) -> int:
    """Return a row's place by a column, from 1; equals share the best place."""
    own = value_of(row, column)
    return 1 + sum(value_of(other, column) > own for other in rows)


SHARED = ("damage_taken", "total_damage", "healing")
"""Sums of which one's share is told beside the value."""


def amount_of(teller: Teller, row: Row, column: str, *, total: float = 0) -> str:
    """Return a row's value with what belongs to it."""
    tongue = teller.tongue
    text = tongue.number(value_of(row, column))
    extra = []
    if column == "crits":
        text = tongue.percent(value_of(row, "crit_percent"))
        extra.append(
            tongue.say("crits_of", n=row["crits"], hits=tongue.number(value_of(row, "hits")))
        )
    if column in RATES and row.get(RATES[column]):
        extra.append(f"{tongue.number(round(value_of(row, RATES[column])))} {RATES[column]}")
    if column == "overheal" or (column == "healing" and len(teller.players) > 1):
        over = "" if column == "overheal" else f"{tongue.measure('overheal')} "
        extra.append(over + tongue.percent(value_of(row, "overheal_percent")))
    if column == "overheal":
        extra.append(f"{tongue.measure('healing')} {tongue.number(value_of(row, 'healing'))}")
    if column == "damage_taken" and teller.plan.question.abilities and row.get("hits"):
        extra.append(tongue.say("hits", n=row["hits"]))
        extra += [tongue.say("missed", n=row["misses"])] if row.get("misses") else []
    if column in SHARED and total and not teller.plan.question.abilities:
        extra.append(tongue.percent(100 * value_of(row, column) / total))
    role = teller.role(row.get("name"))
    if column == "damage_taken" and role == "tank":
        extra.append("tank")
    return f"{text} ({', '.join(extra)})" if extra else text


def first_then(teller: Teller, key: str, named: Sequence[tuple[str, str]], most: int = 0) -> str:
    """Return a rank in words: who leads it, as the sentence `key` says, and then the others.

    `named` are names with what is told of each; `most` of them are told, all without it.
    """
    (name, value), *rest = named
    others = teller.tongue.listed((f"{who} {told}" for who, told in rest), max(most - 1, 1))
    others = others if most else ", ".join(f"{who} {told}" for who, told in rest)
    first = teller.say(key, name=name, value=value)
    way = "ranked" if rest else "ranked_alone"
    return teller.say(way, first=first, where=teller.place, list=others)
