"""Chooses a question's form: its tool, what is summed and by what, and which pulls it covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ruleplay.agents.raid.domain.encounters import HARDER
from ruleplay.agents.raid.domain.omissions import ADDS
from ruleplay.agents.raid.domain.overview import Night, PullSummary, fold, words
from ruleplay.agents.raid.domain.persons import (
    asks_of_pets,
    calling_words,
    means_there,
    names_people,
    names_role,
    roles_of,
    suffered_by_us,
)
from ruleplay.agents.raid.domain.questions import Question, kills_creatures, means_all
from ruleplay.agents.raid.domain.reference.tables import spell_names
from ruleplay.agents.raid.domain.subjects import (
    asks_each,
    asks_each_time,
    asks_which_pull,
    pull_words,
)
from ruleplay.agents.raid.policy.hearing import BRIEF, VERDICT, Heard
from ruleplay.agents.raid.policy.sentences import Tongue
from ruleplay.agents.raid.state import State

TOPICS: Mapping[str, tuple[str, ...]] = {
    "cause": ("wipe",),
    "advice": ("fixes",),
    "auras": ("debuffs",),
    "casts": ("abilities",),
}
"""Workflow topics of measures with another name."""
SUMS = frozenset(("damage", "healing", "overheal", "absorbs", "crits", "taken", "dispels"))
WIDE = frozenset(
    (
        *("performance", "pulls", "deaths", "casts", "consumed", "duration", "present", "tally"),
        *(
            "spell",
            "mistakes",
            "uptime",
            "activity",
            "standing",
            "nature",
            "near_deaths",
            "everywhere",
        ),
        "priorities",
    )
)
"""Forms that cover all pulls if none is named."""


@dataclass(frozen=True)
class Form:
    """How a question is answered; an empty `name` leaves it to a workflow of tools."""

    name: str = ""
    tool: str = "get_tally"
    measure: str = ""
    by: str = ""
    wanted: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    """Workflow topics, if they differ from the measure's."""
    also: bool = False
    """Whether food is asked about in addition to flasks."""

    @property
    def wide(self) -> bool:
        """Whether it includes other logs of the same night."""
        return self.name in ("pulls", "present") or self.measure in ("damage", "healing")


_SIMPLE: Mapping[str, Form] = {
    "deaths": Form("deaths", "get_night_deaths"),
    "near_deaths": Form("near_deaths", "get_lowest_health"),
    "pulls": Form("pulls", "list_pulls"),
    "health": Form("health", "list_pulls"),
    "duration": Form("duration", "list_pulls"),
    "puller": Form("opening", measure="opening", by="cast"),
    "tanking": Form("tanking", measure="tanking", by="player"),
    "threat": Form("tanking", measure="tanking", by="player"),
    "roster": Form("present", measure="present"),
    "gear": Form("gear", measure="gear"),
    "killing_blows": Form("tally", measure="kills", by="player"),
    "avoidable": Form("avoidable", measure="taken", by="ability"),
    "mistakes": Form("mistakes", "get_night_deaths"),
    "extreme": Form("extreme", "get_raid_execution"),
    "activity": Form("activity", "get_raid_execution"),
    "trash": Form("breaks", "get_trash_time"),
}
NIGHTLY = frozenset(("extreme", "overview"))
"""Forms about the whole night, regardless of what was discussed before."""
PULL_BY_PULL = frozenset(("avoidable", "mistakes", "story"))
"""Forms that examine each pull individually, and therefore cover few pulls."""


def form_of(heard: Heard, question: Question, night: Night, state: State) -> Form:
    """Choose the form of a question."""
    if night.listed and heard.measure in ("consumables", "cooldowns"):
        return Form()
    if not night.pulls and heard.measure in ("performance", "overview"):
        return Form("tally", measure="damage", by="player")
    topics = _topics(heard, question)
    if topics:
        return Form(topics=topics)
    if _contrasts(question, heard, state):
        return Form("contrast", "list_pulls")
    lived = heard.measure == "adds" and question.targets == (ADDS,) and heard.shape not in _BY_WHOM
    if question.targets and not question.abilities and heard.measure in _AT_CREATURES and not lived:
        killed = heard.shape == "count" or kills_creatures(question.text)
        killed = killed and heard.measure == "adds"
        summed = "kills" if killed else _AT_CREATURES[heard.measure]
        each = summed == "kills" and len(question.players) == 1 < len(question.targets)
        return Form("tally", measure=summed, by="target" if each else "player")
    form = _of_names(heard, question, night, state) or _of_measure(heard, question)
    if form.name == "tally" and form.by == "player" and len(night.members) == 1:
        # Who did most is no question where there is one player: with what, is.
        ranks = heard.shape in ("most", "least", "list", "which") and form.measure in SUMS
        return replace(form, by="ability") if ranks else form
    return form


_BY_WHOM = ("who", "most", "least")
"""Shapes by which a question about adds asks for players."""
_AT_CREATURES = {"adds": "damage", "damage": "damage", "killing_blows": "kills"}
"""Measure asked for -> what is summed against named creatures."""


def _of_names(heard: Heard, question: Question, night: Night, state: State) -> Form | None:
    """Choose the form for abilities or people that determine it by what they are."""
    said, places = {*words(question.text)}, pull_words().places
    first = said & calling_words().number or any(places.get(word) == 1 for word in said)
    ranks = first or not asks_each(question.text) or calling_words().best.search(question.text)
    if question.abilities and {*question.abilities} <= {*spell_names()["holds"]}:
        return Form("uptime", measure="uptime")
    if heard.measure in ("damage", "healing") and heard.shape == "everywhere" and ranks:
        return Form("everywhere", measure=heard.measure, by="player")
    if heard.measure in SUMS and not (question.players and _is_of_card(heard, question)):
        return _sum(heard.measure, heard.shape, question, part=heard.part, follows=heard.follows)
    timed = heard.shape in ("when", "count")
    if heard.measure in ("casts", "auras") and {*question.abilities} & {*night.pets} and not timed:
        return Form("tally", measure="damage", by="player")
    return _of_players(heard, question) or _of_spells(heard, question, state)


def _of_measure(heard: Heard, question: Question) -> Form:
    """Choose the form that a measure has by itself."""
    if heard.measure == "advice" and (heard.night or names_people(question.text)):
        return Form("priorities", "list_pulls")
    if heard.measure == "overview":
        named = question.bosses or question.fights or question.subject.fights
        return story_form() if named else Form("overview", "get_raid_execution")
    gaps = heard.measure == "trash" and question.bosses
    return Form("gaps", "get_trash_time") if gaps else _SIMPLE.get(heard.measure, Form())


def _contrasts(question: Question, heard: Heard, state: State) -> bool:
    """Whether pulls are compared: several named ones, a boss's, or those discussed."""
    named = {*question.fights, *question.subject.fights}
    several = len(named) > 1
    if heard.measure == "pulls" and len(named) == PAIR:
        return True
    if heard.shape != "compare" or heard.measure not in _CONTRASTED:
        return False
    if heard.measure == "health" and len(named) == 1:
        return False  # how low the second got beside the first
    return bool(heard.follows or state.pulls or state.fight or question.bosses or several)


def _topics(heard: Heard, question: Question) -> tuple[str, ...]:
    """List the topics of a question that another measure's workflow answers."""
    if heard.measure == "deaths" and _is_of_tanks(heard, question):
        return ("tank_death",)
    if heard.shape == "compare" and heard.measure == "gear":
        return ("gear",)
    if heard.measure == "duration" and (
        question.subject.difficulty[:1] == "+" and not question.bosses
    ):
        return ("timer",)
    if heard.measure == "week" and question.players:
        return ("progression" if question.bosses else "history",)
    return ()


_TANKS = frozenset(("tank", "tanks"))
_CONTRASTED = ("week", "pulls", "cause", "duration", "overview", "health")


def _is_of_tanks(heard: Heard, question: Question) -> bool:
    asked = heard.shape in ("why", "which", "how") and not question.players
    return asked and bool(_TANKS & {*words(question.text)})


def _of_players(heard: Heard, question: Question) -> Form | None:
    """Choose the form for a question about how somebody performed."""
    everyone = heard.measure == "performance" and not question.players
    if everyone or (heard.measure == "extreme" and names_people(question.text)):
        return Form("standing", "get_night_players")
    if heard.measure == "advice" and names_people(question.text) and not question.called.called:
        return None  # "what do I tell people": of the raid, not of who asks
    if heard.measure == "rankings":
        return Form("tally", measure="damage", by="player")
    whole = heard.measure == "rotation" and not question.bosses and not question.fights
    if not question.players or not (_is_of_card(heard, question) or whole):
        return None
    narrowed = question.part or question.without
    ranks = not question.called.called or question.called.several
    if narrowed or (len(question.players) > PAIR and ranks):
        return Form("tally", measure="damage", by="player")
    return Form("performance", "get_night_players")


def _is_of_card(heard: Heard, question: Question) -> bool:
    """Whether a player card answers it: performance, a verdict, or two players' activity."""
    if heard.measure == "cause":
        return not question.bosses and not question.blames
    # Overhealing can only be judged by comparing one's own share with the others'.
    judged = heard.verdict or heard.shape == VERDICT
    judged = judged and heard.measure in (*SUMS, "activity") and heard.measure != "overheal"
    compared = heard.measure == "activity" and heard.shape == "compare"
    return judged or (compared and len(question.players) == PAIR) or heard.measure in _OF_ONE


_OF_ONE = ("performance", "advice", "mistakes")
"""Measures that a card describes for one person."""


def _of_spells(heard: Heard, question: Question, state: State) -> Form | None:
    """Choose the form for a question about uses of abilities."""
    measure, known = heard.measure, spell_names()
    if measure == "interrupts":
        return Form("kicks", measure="interrupts", by="player")
    effects = measure in ("casts", "cooldowns") and heard.shape == "amount"
    if question.abilities and (measure == "nature" or effects):
        return _OF_ABILITIES["effects" if effects else measure]
    if measure == "auras":
        return _auras(question, heard)
    if measure == "consumables":
        return _consumed(question, state if heard.follows else State())
    if measure == "lust":
        return Form("casts", measure="casts", by="cast", wanted=known["lust"])
    if measure == "cooldowns":
        wanted = known["defensive"] if question.players else known["raid"]
        if not question.players and any(w.startswith("def") for w in words(question.text)):
            wanted = (*known["defensive"], *known["raid"])
        return Form("casts", measure="casts", by="cast", wanted=wanted)
    if measure == "casts" and question.abilities:
        return Form("casts", measure="casts", by="cast")
    if measure == "casts" and question.players:
        return Form("tally", measure="casts", by="ability")
    return None


_OF_ABILITIES: Mapping[str, Form] = {
    "nature": Form("nature", measure="taken", by="player"),
    "effects": Form("effects", measure="healing", by="ability"),
}
"""Questions about abilities themselves: what they are, how much they did."""


def _auras(question: Question, heard: Heard) -> Form | None:
    """Choose uptimes of the named auras, else one player's buffs; debuffs have their own tool."""
    if question.abilities:
        return Form("uptime", measure="uptime")
    of_one = question.players and "debuff" not in fold(question.text) and not heard.verdict
    return Form("buffs", "get_buff_analysis") if of_one else None


PAIR = 2
"""Number of players that are compared; more of them are ranked."""


def _sum(measure: str, shape: str, question: Question, *, part: bool, follows: bool) -> Form:
    narrowed = question.part or question.without
    if measure in ("damage", "taken") and suffered_by_us(fold(question.text)):
        return Form("tally", measure="taken", by="source")
    if shape == "why" and question.players and measure in ("damage", "healing") and not narrowed:
        return Form("performance", "get_night_players")
    pets = asks_of_pets(question.text)
    ranked = shape in ("most", "least", "which") and asks_which_pull(question.text)
    several = len(question.bosses) > 1 or len({*question.fights, *question.subject.fights}) > 1
    ranked |= several and len(question.players) == 1
    if ranked or asks_each(question.text):
        return Form("tally", measure=measure, by="pull")
    if measure in ("damage", "healing") and (pets or (part and question.players)):
        return Form("part", measure=measure, by="ability")
    by = "player"
    if shape == "which" and follows and not names_role(fold(question.text)):
        by = "ability"
    elif measure == "taken" and not question.abilities:
        by = "ability" if shape == "which" else by
    elif shape == "which" and question.players:
        by = "ability"
    of_people = roles_of(fold(question.text)) and calling_words().best.search(fold(question.text))
    led = calling_words().gap.search(fold(question.text))  # of the first over the second
    if shape == "compare" and not (question.players or of_people or led):
        by = "pull"
    return Form("tally", measure=measure, by=by)


def _consumed(question: Question, before: State) -> Form:
    """Choose potions if they are, or were, the topic; else flasks and food."""
    known = spell_names()
    said = question.text.casefold()
    kind = "potion" if any(word[:3] in said for word in ("pot", "pop", "trank", "stone")) else ""
    told = [str(one.args.get("ability", "")) for one in before.results]
    kind = kind or ("potion" if "; ".join(known["potion"]) in told else "")
    kind = kind or ("flask" if any(one in said for one in ("fla", "fiol", "phial")) else "")
    stones = tuple(one for one in known["potion"] if one in said)
    if kind == "potion" and stones and not {*words(question.text)} & {"pot", "pots"}:
        return Form("consumed", measure="consumed", wanted=stones)  # "healthstones?"
    eaten = bool({*words(question.text)} & {*known["eating"]})
    kind = "" if kind == "flask" and eaten else kind
    return Form("consumed", measure="consumed", wanted=known[kind or "flask"], also=not kind)


def blame_form() -> Form:
    """Get the form for mistakes on a pull that was no wipe."""
    return _SIMPLE["mistakes"]


def story_form() -> Form:
    """Get the form for an account of a pull that was no wipe."""
    return Form("story", "get_night_deaths")


def chosen_pulls(
    question: Question, heard: Heard, form: Form, night: Night, state: State
) -> tuple[list[PullSummary], tuple[str, ...]]:
    """Choose the pulls that a question is about; also a note if one of several was chosen."""
    named = question.fights or question.subject.fights
    if _is_of_all(form, question):
        return list(night.pulls), ()
    if named:
        return [pull for pull in night.pulls if pull.fight in named], ()
    fitting = [pull for pull in night.pulls if pull.fight in question.subject.pulls]
    fitting = [p for p in fitting if not question.bosses or p.name in question.bosses]
    narrowed = len(fitting) < len(night.pulls)
    if not narrowed:
        unnamed = _unnamed(question, heard, form, night, state)
        return _with_those_named(unnamed, question, night), ()
    if question.kind and form.name not in ("pulls", "health"):
        ended = [p for p in fitting if p.ended == question.kind]
        fitting = ended or fitting
    several = (
        form.name
        in ("pulls", "health", "duration", "casts", "spell", "consumed", "gaps", "everywhere")
        or heard.night
        or form.by == "pull"
        or (form.name == "deaths" and question.whole_night)
    )
    compared = heard.shape == "compare" and len(question.players) < 2
    counted = form.name == "deaths" and heard.shape in ("count", "most", "compare")
    # "Is Aria always the first to die"
    counted |= form.name == "deaths" and heard.shape == "first" and bool(question.players)
    if compared or several or counted:
        return fitting, ()
    if not question.bosses or len(fitting) < 2:
        return fitting, ()
    if form.name == "deaths" and question.blames:  # "we all died at once, who first"
        fitting = [p for p in fitting if not p.kill] or fitting
    kills = [pull for pull in fitting if pull.kill]
    if len(only := _only_fitting(fitting, question, form)) == 1:
        return only, ()
    if len({pull.name for pull in fitting}) == len(fitting):
        return fitting, ()  # one pull of each boss, as of a wing
    chosen = (kills or fitting)[-1]
    tongue = Tongue(heard.language)
    told = f"{chosen.name}, pull {chosen.fight}"
    return [chosen], (tongue.say("last_of", pull=told),)


def _is_of_all(form: Form, question: Question) -> bool:
    """Whether all pulls are asked about, whichever are named as well.

    Where somebody was, their other pulls tell; "on each boss? I doubt it for Oda" names one.
    """
    if form.name == "present":
        return bool(question.players)
    said, named = question.text, question.fights or question.subject.fights
    each = asks_each(said) or asks_which_pull(said) or asks_each_time(said)
    return form.name in ("casts", "spell") and not named and each


def _with_those_named(
    pulls: list[PullSummary], question: Question, night: Night
) -> list[PullSummary]:
    """Choose the pulls of those named if pulls that nobody named are none of theirs."""
    there = {fight for one in night.members if one.name in question.players for fight in one.pulls}
    chosen = {pull.fight for pull in pulls}
    own = [pull for pull in night.pulls if pull.fight in there]
    return own if there and not there & chosen else pulls


def _only_fitting(
    pulls: Sequence[PullSummary], question: Question, form: Form
) -> list[PullSummary]:
    """Find the kill on the highest difficulty if a kill is meant, or the one wipe of deaths."""
    if question.kind == "kill":
        return _hardest([pull for pull in pulls if pull.kill])
    lost = [pull for pull in pulls if pull.ended == "wipe"]
    return lost if form.name == "deaths" and not question.kind else []


def _hardest(kills: Sequence[PullSummary]) -> list[PullSummary]:
    """Keep the kills on the highest difficulty: "our kill" is not the one in the raid finder."""
    levels = [one for one in HARDER if any(pull.difficulty == one for pull in kills)]
    return [pull for pull in kills if levels and pull.difficulty == levels[-1]]


def with_before(
    pulls: Sequence[PullSummary], question: Question, heard: Heard, night: Night, state: State
) -> list[PullSummary]:
    """Add the pull discussed before if one is compared with it; keeps the night's order."""
    before = (state.fight, *state.pulls) if state.report == night.code else ()
    if heard.shape != "compare" or len(pulls) != 1:
        return list(pulls)
    if not {*before} - {pulls[0].fight, None}:
        # "Compare the third try and the kill"
        same = [p for p in night.pulls if p.fight in question.subject.pulls]
        same = [p for p in same if p == pulls[0] or question.kind in ("", p.ended)]
        return [pull for pull in same if pull.name == pulls[0].name]
    return [pull for pull in night.pulls if pull.fight in (*before, pulls[0].fight)]


def of_extreme_length(
    pulls: Sequence[PullSummary], question: Question, heard: Heard
) -> list[PullSummary]:
    """Pick the longest or shortest pull if one is asked for; otherwise keep all.

    A pull cut off by the end of the log is not a short one, and the shortest fight is a kill.
    """
    said, known = fold(question.text), calling_words()
    long = bool(known.longest.search(said))
    lowest = not long and (heard.shape == "least" or question.lowest)
    lowest = lowest or bool(known.shortest.search(said))
    if not (long or lowest or heard.shape == "most") or len(pulls) < 2:
        return list(pulls)
    if heard.night and heard.shape not in ("most", "least"):
        return list(pulls)  # "last question: how long was the evening"
    ended = [p for p in pulls if not question.kind or p.ended == question.kind] or pulls
    whole = [p for p in ended if p.ended in ("kill", "wipe", "reset")] or ended
    if not lowest:
        return [max(whole, key=lambda pull: pull.seconds)]
    won = [p for p in whole if p.kill] or whole
    return [min(won, key=lambda pull: pull.seconds)]


def _both(question: Question, night: Night, state: State) -> list[PullSummary]:
    """Find the two pulls that "both wipes" means, if the boss spoken of has just two."""
    before = night.pull(state.fight) if state.fight else None
    own = [pull for pull in night.pulls if before and pull.name == before.name]
    asked = calling_words().both.search(fold(question.text)) and not question.players
    return own if asked and len(own) == PAIR else []


def _unnamed(
    question: Question, heard: Heard, form: Form, night: Night, state: State
) -> list[PullSummary]:
    """Choose pulls for a question that names none: those discussed, else all, else the last."""
    # "So who did most" after a question about one pull is of that pull.
    of_one = state.report == night.code and bool(state.fight) and form.by == "player"
    few = of_one and len(words(question.text)) <= BRIEF
    if state.report == night.code and (both := _both(question, night, state)):
        return both
    every = (heard.night and not few) or means_all(question, state.pulls)
    same = state.report == night.code and not every
    of_all = form.by == "pull" and asks_which_pull(question.text)
    if of_all or (asks_each(question.text) and not heard.follows):
        return list(night.pulls)
    said, known = fold(question.text), calling_words()
    asks = known.longest.search(said) or known.shortest.search(said)
    extreme = form.name == "duration" and (heard.shape in ("most", "least") or bool(asks))
    if form.name in NIGHTLY or (extreme and len(state.pulls) < 2):
        return list(night.pulls)
    wipes = question.kind == "wipe"  # "any wipes" asks about the night
    whole = form.name == "pulls" and (wipes or heard.shape in ("list", "count", "most"))
    before = state.pulls or ((state.fight,) if state.fight else ())
    # "The boss we wiped on" is one of those just shown.
    shown = wipes and any(p.ended == "wipe" for p in night.pulls if p.fight in state.pulls)
    if whole and not (heard.follows or shown or means_there(fold(question.text))):
        same = False
    if heard.shape == "compare" and form.by == "pull" and len(before) == 1 and state.earlier:
        before = (state.earlier, *before)
    goes_on = heard.follows or question.follows_up
    if goes_on and len(state.pulls) > 1 and state.report == night.code and form.name != "pulls":
        same = True
    if same and before:
        return [pull for pull in night.pulls if pull.fight in before]
    if form.name in WIDE or every:
        return list(night.pulls)
    full = [pull for pull in night.pulls if pull.ended in ("kill", "wipe", "reset")]
    return (full or list(night.pulls))[-1:]
