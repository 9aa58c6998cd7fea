"""The context of a reply: the plan, the night, the results, and the question's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ruleplay.agents.raid.domain.omissions import ADDS, PETS
from ruleplay.agents.raid.domain.overview import (
    ENEMY,
    OURS,
    Night,
    PullSummary,
    fold,
    short_name,
    words,
)
from ruleplay.agents.raid.domain.persons import calling_words, side_killed, side_of, we_act
from ruleplay.agents.raid.domain.questions import OF_MATCHES
from ruleplay.agents.raid.domain.tool_result import Row
from ruleplay.agents.raid.policy.lookups import Plan
from ruleplay.agents.raid.policy.sentences import Tongue, asked_number
from ruleplay.agents.raid.view.tables import ResultTable, value_of

LISTED = 5
"""Rows of a table if a list is asked for without a number."""
COLUMNS = {
    "damage": "total_damage",
    "healing": "healing",
    "overheal": "overheal",
    "absorbs": "absorbs",
    "crits": "crits",
    "taken": "damage_taken",
    "interrupts": "interrupts",
    "dispels": "dispels",
    "kills": "killing_blows",
    "casts": "casts",
}
"""Measure -> the column of its sums."""
RATES = {"total_damage": "dps", "healing": "hps"}


@dataclass(frozen=True)
class Reply:
    """A reply: its text, and the rows and columns of the table below it."""

    text: str
    rows: tuple[Row, ...] = ()
    columns: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """Players that a pronoun in the next question may refer to."""
    abilities: tuple[str, ...] = ()
    """Abilities that "that" in the next question may refer to."""
    fight: int | None = None
    """The pull that the answer is about, if it had to be determined."""
    alone: bool = False
    """Whether notes on how the question was understood would only delay it."""
    tool: str = ""
    """The tool whose rows are shown, if it is not the first."""
    places: int = 0
    """How many places of a ranking it tells."""


@dataclass(frozen=True)
class Teller:
    """Everything needed to compose a reply."""

    plan: Plan
    night: Night
    sheets: Sequence[ResultTable]
    others: Sequence[ResultTable] = ()
    """Results of other measures than the one asked for."""

    def turned(self, measure: str) -> Teller:
        """Switch to the results of another measure."""
        by = self.plan.by if self.plan.by == "pull" else "player"
        by = "cast" if measure == "casts" else by
        plan = replace(self.plan, measure=measure, by=by)
        own = [sheet for sheet in self.others if sheet.returned.args.get("by") == by]
        return Teller(plan, self.night, own, [one for one in self.others if one not in own])

    @property
    def tongue(self) -> Tongue:
        """The sentences in the question's language."""
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
        """The shape of the question."""
        return self.plan.heard.shape

    @property
    def players(self) -> tuple[str, ...]:
        """The players named."""
        return self.plan.question.players

    @property
    def listing(self) -> int:
        """How many rows a table may have: none unless a list or a number of places is asked for.

        Table headings exist in English and French only; other languages get the sentence alone.
        """
        question, subject = self.plan.question, self.plan.question.subject
        numbered = question.fights or subject.fights or subject.difficulty or subject.day
        asked = 0 if numbered else asked_number(question.text)
        wanted = asked > 1 or self.shape == "list"
        return (asked or LISTED) if wanted and self.plan.heard.language in ("en", "fr") else 0

    @property
    def pulls(self) -> list[PullSummary]:
        """The pulls in question."""
        return [pull for pull in self.night.pulls if pull.fight in self.plan.fights]

    @property
    def where(self) -> str:
        """The pulls in words, with the part of them and the exclusions."""
        told = self.tongue.where(self.pulls)
        question = self.plan.question
        part = self.tongue.part(question.part)
        kinds = {PETS: self.say("all_pets"), ADDS: "adds"}
        names = ", ".join(kinds.get(one, self.short(one)) for one in question.without)
        left = self.say("without", list=names) if names else ""
        targets = question.targets if self.plan.by != "target" else ()
        at = [self.say("adds_only") if one == ADDS else self.short(one) for one in targets]
        return ", ".join(one for one in (told, *at, part, left) if one)

    @property
    def place(self) -> str:
        """The pulls in words, with the abilities asked about."""
        return ", ".join((self.where, *self.plan.question.abilities))

    def say(self, key: str, **given: object) -> str:
        """Fill in a sentence in the question's language."""
        return self.tongue.say(key, **given)

    def none(self, measure: str, of: str = "") -> str:
        """State that the log has no data on a measure, or none about somebody."""
        what = self.tongue.measure(measure)
        return self.say("none_of", where=self.where, what=what, of=f" ({of})" if of else "")

    def names(self, people: Iterable[object]) -> str:
        """Join players' names."""
        return ", ".join(map(self.short, people))

    def answered(self, text: str, yes: bool, *, states: bool = False) -> str:
        """Prefix a sentence with yes or no, if that was asked.

        Negated questions get neither, since it would be ambiguous, unless it is sure that they
        state the opposite ("nobody died, right?"): that is confirmed or denied. Nor does one that
        is not surely about this measure, or about what two people have to do with each other.
        """
        heard = self.plan.heard
        sure = any(one.label == heard.measure and one.sure >= SURE_OF_YES for one in heard.guesses)
        if not (sure or not heard.guesses) or heard.marked.split().count("<player>") > 1:
            return text
        known, said = calling_words(), {*words(self.plan.question.text)}
        denied = bool(said & known.denies)
        if (
            self.shape not in ("yesno", "everywhere")
            or said & known.opens
            or (denied and not states)
        ):
            return text
        keys = ("just_so", "not_so") if denied else ("no", "yes")
        return f"{self.say(keys[yes])}{text}"

    def short(self, name: object) -> str:
        """Shorten a player's name to the part without realm; other names stay unchanged."""
        known = str(name) in self.plan.people or str(name) in self.players
        told = short_name(str(name)) if known or str(name).count("-") > 1 else str(name)
        return f"{told} ({self.say('you')})" if name and name == self.plan.question.myself else told

    @cached_property
    def _played(self) -> Mapping[str, str]:
        """Players' roles on the pulls in question, as the results state them."""
        rows = (row for sheet in (*self.sheets, *self.others) for row in sheet.rows)
        return {
            str(row.get("player") or row.get("name")): str(row["role"])
            for row in rows
            if row.get("role")
        }

    def role(self, name: object) -> str:
        """Find a player's role: on these pulls, else on most of the night."""
        return self._played.get(str(name)) or self.plan.roles.get(str(name), "")

    @cached_property
    def side(self) -> str:
        """The one side of a match that is asked about; empty if it is both, or nothing is said."""
        said = fold(self.plan.question.text)
        killed = side_killed(said) if self.plan.heard.measure == "deaths" else ""
        meant = killed or side_of(said)
        # "Did we kick their healer" asks for those of us who did.
        acts = self.plan.heard.measure in ("interrupts", "dispels") and we_act(said)
        return {"ours": OURS, "theirs": ENEMY}.get("ours" if meant and acts else meant, "")

    def is_other_side(self, name: object, row: Row | None = None) -> bool:
        """Whether only one side of a match is asked about, and somebody is on the other one."""
        if self.players or not self.side:
            return False
        if row and row.get("side"):
            return row["side"] != self.side
        foes = any(one.foe for one in self.night.members)
        own = next((one.foe for one in self.night.members if one.name == name), None)
        return foes and own is not None and own != (self.side == ENEMY)

    def is_raids(self, row: Row) -> bool:
        """Whether a row counts for the raid: of a match, the logger's side unless another is said.

        What both sides took, lost and did wrong would be nobody's sum.
        """
        return row.get("side") in (None, self.side or OURS)

    def pull(self, fight: object) -> PullSummary | None:
        """Get a pull by its number."""
        return self.night.pull(fight) if isinstance(fight, int) else None


SURE_OF_YES = 0.6
"""Minimum confidence in a question's measure for its answer to begin with yes or no."""


def of_tool(teller: Teller, tool: str) -> list[ResultTable]:
    """Select the results of one tool."""
    every = (*teller.sheets, *teller.others)
    return [sheet for sheet in every if sheet.returned.tool == tool]


def place_of(rows: Sequence[Row], row: Row, column: str) -> int:
    """Compute a row's rank by a column, from 1; ties share the best rank."""
    own = value_of(row, column)
    return 1 + sum(value_of(other, column) > own for other in rows)


SHARED = ("damage_taken", "total_damage", "healing")
"""Sums that are shown with their share of the total."""


def amount_of(teller: Teller, row: Row, column: str, *, total: float = 0) -> str:
    """Format a row's value with its additional figures."""
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
    match = all(pull.ended in OF_MATCHES for pull in teller.pulls)
    if column == "total_damage" and match and row.get("absorbed"):
        extra.append(tongue.say("of_it_absorbed", n=tongue.number(value_of(row, "absorbed"))))
    wasted = len(teller.players) > 1 or "overheal" in fold(teller.plan.question.text)
    if column == "overheal" or (column == "healing" and wasted):
        over = "" if column == "overheal" else f"{tongue.measure('overheal')} "
        extra.append(over + tongue.percent(value_of(row, "overheal_percent")))
    if column == "overheal":
        extra.append(f"{tongue.measure('healing')} {tongue.number(value_of(row, 'healing'))}")
    if column == "damage_taken" and teller.plan.question.abilities and row.get("hits"):
        extra.append(tongue.say("hits", n=row["hits"]))
        extra += swallowed(teller, row)
        extra += [tongue.say("missed", n=row["misses"])] if row.get("misses") else []
    if column in SHARED and total and not teller.plan.question.abilities:
        extra.append(tongue.percent(100 * value_of(row, column) / total))
    role = teller.role(row.get("name"))
    if column == "damage_taken" and role == "tank":
        extra.append("tank")
    return f"{text} ({', '.join(extra)})" if extra else text


def swallowed(teller: Teller, row: Row) -> list[str]:
    """Tell how many of the hits a row counts shields absorbed whole, and how much in all."""
    if not row.get("absorbed_hits"):
        return []
    amount, by = teller.tongue.number(value_of(row, "absorbed")), row.get("absorbed_by")
    told = f"{amount}, {by}" if by else amount
    return [teller.say("absorbed_whole", n=int(value_of(row, "absorbed_hits")), amount=told)]


def first_then(teller: Teller, key: str, named: Sequence[tuple[str, str]], most: int = 0) -> str:
    """Word a ranking: its leader, in the sentence `key`, and then the others.

    `named` are (name, description) pairs; `most` of them are listed, all if 0.
    """
    (name, value), *rest = named
    others = teller.tongue.listed((f"{who} {told}" for who, told in rest), max(most - 1, 1))
    others = others if most else ", ".join(f"{who} {told}" for who, told in rest)
    first = teller.say(key, name=name, value=value)
    way = "ranked" if rest else "ranked_alone"
    return teller.say(way, first=first, where=teller.place, list=others)
