"""Resolves what a follow-up leaves implicit: which players, pulls and part it is about."""

from __future__ import annotations

import re
from dataclasses import replace

from ruleplay.agents.raid.domain.overview import Night, Overview, PullSummary, fold, words
from ruleplay.agents.raid.domain.persons import (
    Called,
    are_subject,
    asks_further,
    calling_words,
    names_anybody,
    names_me_too,
    names_pets,
    names_role,
    of_role,
    others,
    roles_of,
    side_of,
    with_roles,
)
from ruleplay.agents.raid.domain.questions import (
    OF_MATCHES,
    Question,
    asks_of_oneself,
    means_all,
    names_me,
)
from ruleplay.agents.raid.domain.subjects import names_others, nth_pull
from ruleplay.agents.raid.policy.forms import SUMS
from ruleplay.agents.raid.policy.hearing import OF_CASTS, OF_HEALERS, SURE_OF_RANK, Heard
from ruleplay.agents.raid.policy.marks import mark
from ruleplay.agents.raid.state import State
from ruleplay.hearing.classifier import load


def continued(question: Question, heard: Heard, overview: Overview, state: State) -> Question:
    """Fill in what a follow-up leaves implicit ("and Aria?", "same for pull 4")."""
    night = overview.night
    myself = question.myself or state.me or (night.owner if night else "")
    of_pulls = heard.measure in ("", *OF_PULLS)  # "my bad, so what went wrong"
    summed = heard.measure in (*SUMS, "performance", "tanking")
    beside = heard.shape == "compare" or (summed and heard.shape not in ASKED_OF_ALL)
    question = _of_all(question, heard)
    # "Which cooldowns did I press" lists deeds, not people.
    of_all = heard.shape in ASKED_OF_ALL and (heard.shape, heard.measure) not in _OWN_LISTS
    mine = question.me and not of_all and not of_pulls
    # "Who killed me"
    done = heard.measure in ("deaths", "taken") and names_me(question.text)
    mine = mine or (done and not question.players)
    # "Did anyone die, was it my fault" is about whoever it was.
    mine = mine and not (heard.measure == "deaths" and names_anybody(fold(question.text)))
    if myself and len(question.players) == 1 and _names_both(question, heard, beside=beside):
        pair = dict.fromkeys((myself, *question.players))
        question = replace(question, players=tuple(pair), called=Called())
    elif mine and myself:
        question = replace(question, players=(myself,))
    question = _beside_before(question, heard, state)
    if heard.follows and night and not question.players:
        question = _of_group(question, heard, state, night)
    if state.players and (not question.players or question.called.called) and night:
        meant = of_role(question.text, state.players, night.members)
        if meant:
            question = replace(question, players=meant, called=Called())
    question = _of_the_others(question, state)
    question = _of_place(question, heard, state, night)
    question = _of_other_pulls(_of_those_pulls(question, state, night), state, night)
    if heard.shape == "compare" and question.of_one and len(question.players) == 1:
        spoken = (state.person, *state.players)
        both = (*(one for one in spoken if one not in ("", *question.players)), *question.players)
        question = replace(question, players=tuple(dict.fromkeys(both))[-2:])
    spoken_of = {*question.called.players} & {*state.players}
    several = question.called.several or heard.shape == "compare"
    if not several and len(spoken_of) == 1 and {*question.players} <= {*question.called.players}:
        question = replace(question, players=tuple(spoken_of), called=Called())
    said = fold(question.text)
    question = _healing_one(_of_class(question, heard), heard, night)
    question = _of_roles(question, heard, said, night)
    if heard.measure == "roster" and question.of_one and state.person and question.players:
        pair = dict.fromkeys((state.person, *question.players))  # "wasn't he there for Oda?"
        question = replace(question, players=tuple(pair))
    pointed = _points(question, heard, said, state)
    goes_on = len(words(question.text)) <= BRIEF or heard.measure == state.measure
    adds = heard.follows or (question.follows_up and goes_on)
    adds = adds and not (heard.shape in ASKING and heard.shape != state.shape)
    kept = _pointed_at(state) if pointed else (state.group or state.named) if adds else ()
    # A class that the log has nobody of is nobody who was spoken of.
    anybody = names_anybody(said) and not question.of_one
    other = question.called.called or anybody or asks_further(said)
    apart = question.only or other or (names_role(said) and not heard.follows)
    apart = apart or side_of(said) or _asks_of_all(heard, question, state)
    if kept and not question.players and not apart and (pointed or not question.abilities):
        question = replace(question, players=kept, called=Called())
    return _same_level(question, heard, state, night)


def _names_both(question: Question, heard: Heard, *, beside: bool) -> bool:
    """Whether the writer is asked about beside a player named: compared, or dead as well.

    "Is Aria better than me" names the writer as "am I better than Aria" does.
    """
    own = asks_of_oneself(question.text) or (heard.shape == "compare" and names_me(question.text))
    too = heard.measure == "deaths" and names_me_too(fold(question.text))
    return (beside and own) or too


def _points(question: Question, heard: Heard, said: str, state: State) -> bool:
    """Whether a question is about the player whom a pronoun means."""
    many = calling_words().pronouns & {*words(said)} == {"they"} and len(state.players) < 2
    pointed = (question.of_one and not many) or heard.part or heard.verdict
    # "Did we kick him": he is no player of whose kicks are asked.
    struck = heard.measure in OF_FOES and are_subject(said)
    # "Why did we wipe on her": in a question about pulls, the pronoun means the boss.
    bosses = heard.measure in OF_PULLS and not heard.part
    return bool(pointed) and not (struck or bosses or _says_whom(said, heard))


def healed(question: Question, heard: Heard, owner: str) -> Question:
    """Resolve the one named in "who healed Oda most" to whom the healing went."""
    myself = (question.myself or owner,)
    asks = heard.measure == "healing" and heard.shape in ASKED_OF_ALL
    if asks and names_me(question.text) and question.players in ((), myself):
        return replace(question, targets=myself, players=()) if myself[0] else question
    name, said = words(" ".join(question.players[:1])), words(question.text)
    starts = [at for at, word in enumerate(said) if name and name[0].startswith(word)]
    asks = asks and len(question.players) == 1
    verbs = [word for word in said[: starts[0] if starts else 0] if word not in _THAN]
    behind = bool({*said[:1]} & calling_words().asks) and len(verbs) > 1
    beside = bool(starts) and said[starts[0] - 1] in _THAN
    if not asks or beside or not behind:
        return question
    return replace(question, targets=question.players, players=())


def _asks_of_all(heard: Heard, question: Question, state: State) -> bool:
    """Whether it asks for an end of a ranking in its own words: "and the bottom of the dps"."""
    ends = heard.shape in ("most", "least") and heard.shape != state.shape
    return ends and heard.measure in SUMS and not heard.follows and not question.of_one


def _beside_before(question: Question, heard: Heard, state: State) -> Question:
    """Compare the player named with the one asked about before: "Oda is ahead? by how much"."""
    asked = heard.measure in SUMS and calling_words().gap.search(fold(question.text))
    before = (state.me,) if state.me in state.named else state.named[:1]
    if not asked or len(question.players) != 1 or not before or before == question.players:
        return question
    return replace(question, players=(*before, *question.players), called=Called())


def _of_all(question: Question, heard: Heard) -> Question:
    """Take a ranking of who asks for a ranking of all, in which the own place is told as well."""
    own = question.myself and question.players == (question.myself,)
    ranked = heard.measure in SUMS and heard.shape in ASKED_OF_ALL
    return replace(question, players=()) if own and ranked else question


def _says_whom(said: str, heard: Heard) -> bool:
    """Whether a text itself says who its pronoun is: "our top healer died, didn't he"."""
    best = calling_words().best.search(said)
    return bool(roles_of(said) and (heard.measure == "deaths" or best))


def _of_the_others(question: Question, state: State) -> Question:
    """Resolve "the other mage" to the mages not mentioned before."""
    meant, other = question.called, calling_words().other & {*words(question.text)}
    left = tuple(one for one in meant.players if one not in state.players)
    if not other or not left or left == meant.players:
        return question
    one = not meant.several
    meant = replace(meant, players=left)
    return replace(
        question, called=meant if one else Called(), players=() if meant.open and one else left
    )


def _of_other_pulls(question: Question, state: State, night: Night | None) -> Question:
    """Resolve "and on the others" to the pulls not discussed before."""
    before = {*state.pulls, state.fight}
    if night is None or state.report != night.code or not names_others(question.text):
        return question
    rest = tuple(pull.fight for pull in night.pulls if pull.fight not in before)
    named = question.bosses or question.fights or not before - {None}
    subject = replace(question.subject, fights=rest, pulls=rest)
    return replace(question, subject=subject, called=Called()) if rest and not named else question


def _pointed_at(state: State) -> tuple[str, ...]:
    """Resolve a pronoun to players that the last answer was about, not to a ranking's leader."""
    if state.me in state.players:
        return (state.me,)
    leads = state.shape in ("who", "most", "least", "first", "hit") or state.named
    return (state.person,) if state.person and not leads else state.players


def _of_place(question: Question, heard: Heard, state: State, night: Night | None) -> Question:
    """Resolve "and the second?" after a question about a pull to the boss's second pull."""
    named = question.bosses or question.fights or question.subject.fights
    ranked = state.shape in RANKS and state.players  # "the second" is then somebody
    if night is None or named or ranked or state.report not in ("", night.code):
        return question
    groups = {(p.name, p.difficulty, p.day): p for p in night.pulls if p.fight in state.pulls}
    before = night.pull(state.fight) or (next(iter(groups.values())) if len(groups) == 1 else None)
    matches = {pull.name for pull in night.pulls if pull.ended in OF_MATCHES}
    if len(matches) == 1 == len({pull.name for pull in night.pulls}):
        before = before or night.pulls[0]  # "who killed Oda in the third": of these matches
    elif before is None or not (heard.follows or state.pulls):
        return question
    # After how long the tries took, "and the second, how much did we take off it" is a try.
    of_pulls = state.measure in OF_PULLS and not (question.of_one and state.players)
    fight = _counted(question.text, before, night, of_pulls=of_pulls)
    subject = replace(question.subject, fights=(fight,), pulls=(fight,)) if fight else None
    return replace(question, subject=subject) if subject else question


def _counted(text: str, before: PullSummary, night: Night, *, of_pulls: bool) -> int:
    """Find the pull counted by the first words of a text: "and why the second? nobody died"."""
    known = calling_words()
    free = known.filler | known.the | known.number | known.joins
    said = words(re.split(r"[?!.;]", text.strip())[0])
    rest = [word for word in said if word not in free | known.asks]
    # "Bon, et le 2": one further word is allowed, but not right before the number ("top 3").
    places = [at for at, word in enumerate(said) if word in rest and nth_pull(word, before, night)]
    # "Who died first in the 4th" counts the pull alone with an article.
    stated = [at for at in places if at and said[at - 1] in known.the]
    places = stated if len(places) > 1 else places
    alone = len(places) == 1 and (places[0] == 0 or said[places[0] - 1] in free)
    ends = bool(places) and places[0] == len(said) - 1
    brief = len(rest) <= PLACED or of_pulls or ends
    return nth_pull(said[places[0]], before, night) if alone and brief else 0


def _of_class(question: Question, heard: Heard) -> Question:
    """Apply a ranking to all players of a class, however many: "mage dps ranking"."""
    ranks = heard.measure in SUMS and heard.shape in RANKS
    ranks = ranks or bool(calling_words().best.search(fold(question.text)) or question.lowest)
    if not ranks or not question.called.open or not question.called.players:
        return question
    return replace(question, players=question.called.players, called=Called())


def _healing_one(question: Question, heard: Heard, night: Night | None) -> Question:
    """Limit healing questions about a class to its healers: "why is the druid overhealing"."""
    meant = question.called.players
    if night is None or heard.measure not in OF_HEALERS or len(meant) < 2:
        return question
    healers = tuple(m.name for m in night.members if m.name in meant and m.role == "healer")
    return replace(question, players=healers, called=Called()) if healers else question


def _of_roles(question: Question, heard: Heard, said: str, night: Night | None) -> Question:
    """Limit a ranking to a role ("which of our healers"), except in "who heals the tanks"."""
    if heard.measure in OF_PERSONS and not question.players and night and names_role(said):
        return replace(question, players=_few_of_role(said, night), called=Called())
    ranked = heard.measure in PEOPLES and heard.shape in RANKED
    ranked = ranked or heard.measure == "near_deaths"
    ranked = ranked or (heard.measure == "deaths" and heard.shape in ("count", "first"))
    if not ranked or question.only or question.players or question.called.called:
        return question
    named = roles_of(said) if names_role(said) else ()
    kept = [one for one in named if one in ("tank", "healer") and one not in question.left_out]
    heals = heard.measure in ("healing", "overheal", "absorbs")
    wanted = tuple(one for one in kept if one == "healer" or not heals)
    return replace(question, only=wanted) if wanted else question


def _few_of_role(said: str, night: Night) -> tuple[str, ...]:
    """List the players of the roles named, if they are few."""
    found = with_roles(night.members, {*roles_of(said)})
    return tuple(one.name for one in found) if len(found) <= FEW else ()


def _of_group(question: Question, heard: Heard, state: State, night: Night) -> Question:
    """Apply a follow-up to the other players, or to those of a role."""
    said = fold(question.text)
    if heard.measure not in PEOPLES:
        return question
    meant = others(said, state.players, night.members)
    if meant:
        return replace(question, players=meant, called=Called())
    roles = roles_of(said) if heard.shape == state.shape else ()
    roles = tuple(role for role in roles if role not in question.left_out)
    return replace(question, only=roles) if roles else question


PLACED = 2
"""Maximum number of words besides articles and fillers in "and the second"."""
BRIEF = 4
"""Maximum length in words of "only the overheal", which keeps the players named before."""
FEW = 3
"""Up to this many players of a role are described one by one."""
OF_PERSONS = frozenset(("cooldowns", "rotation", "activity", "gear"))
"""Measures described per person, for which a role stands for its players."""
OF_FOES = frozenset(("interrupts", "killing_blows"))
"""Measures of what is only done to foes."""
OF_PULLS = frozenset(("cause", "pulls", "duration", "overview", "phases", "extreme"))
PEOPLES = frozenset(
    (*SUMS, "deaths", "performance", "interrupts", "casts", "activity", "avoidable", "mistakes")
)
"""Measures broken down by player."""
_THAN = frozenset(("than", "que", "als", "of", "de", "von"))
"""Before a name, what makes it nobody to whom something was done."""
RANKS = frozenset(("most", "least", "list"))
RANKED = frozenset(("most", "least", "which", "list", "amount", "compare"))
"""Shapes of rankings that may be limited to some players."""
ASKING = frozenset(("who", "first"))
"""Shapes that ask for someone other than those named: "ok so who did"."""
_OWN_LISTS = frozenset(("list", measure) for measure in OF_CASTS)
ASKED_OF_ALL = frozenset(("who", "most", "least", "list", "first"))
"""Shapes that ask for a person, so that "I" is not the subject."""


def _same_level(question: Question, heard: Heard, state: State, night: Night | None) -> Question:
    """Keep the previous pulls' difficulty and day if only another boss is named."""
    subject = question.subject
    before = (
        [pull for pull in night.pulls if pull.fight in (*state.pulls, state.fight)] if night else []
    )
    levels, days = {pull.difficulty for pull in before}, {pull.day for pull in before}
    free = question.bosses and not subject.difficulty and not subject.day and not subject.fights
    goes_on = heard.follows or (heard.measure == state.measure and len(levels | days) < 3)
    # A boss named after a whole heroic evening is that evening's.
    goes_on = goes_on or (len(state.pulls) > 1 and len(levels) == len(days) == 1)
    # One pull that is to be explained is one of the evening spoken of, as is the same boss.
    same = any(pull.name in question.bosses for pull in before)
    goes_on = goes_on or heard.measure == "cause" or same
    if not (night and before and free and goes_on and len(levels) == 1):
        return question
    kept = tuple(
        pull.fight
        for pull in night.pulls
        if pull.fight in subject.pulls
        and pull.difficulty in levels
        and (len(days) > 1 or pull.day in days)
    )
    return replace(question, subject=replace(subject, pulls=kept)) if kept else question


def _of_those_pulls(question: Question, state: State, night: Night | None) -> Question:
    """Apply a follow-up that names no pull to those of the previous answer."""
    subject = question.subject
    named = subject.bosses or subject.day or subject.difficulty or subject.fights or subject.missing
    if night is None or state.report != night.code or not state.pulls or named or question.fights:
        return question
    if question.kind or means_all(question, state.pulls):
        return question
    return replace(question, subject=replace(subject, pulls=state.pulls), left_pulls=True)


def compares(question: Question, night: Night, state: State) -> bool:
    """Whether a question only compares the pull spoken of with the boss that it names."""
    focus = night.pull(state.fight) if state.report == night.code and state.fight else None
    several = question.fights or len(question.players) > 1 or question.called.several
    if focus is None or several or len({*question.bosses} - {focus.name}) != 1:
        return False
    read = load("ruleplay.agents.raid", "reader.bin").read(mark(question, night))
    shape, measure = read["shape"][0], read["measure"][0]
    # How whole pulls went is told of both anyway.
    apart = measure.label not in (*OF_PULLS, "week", "none")
    return shape.label == "compare" and shape.sure >= SURE_OF_RANK and apart


def kept_on(question: Question, state: State) -> Question:
    """Keep a question on the pull spoken of, whatever boss it names beside it."""
    own = () if state.fight is None else (state.fight,)
    subject = replace(question.subject, bosses=(), fights=own, pulls=own, open=False)
    return replace(question, bosses=(), fights=(), subject=subject)


def narrowed_as_before(question: Question, heard: Heard, state: State) -> Question:
    """Keep the part of the pull and the exclusions if a message only adds to the previous one."""
    if not heard.follows:
        return question
    pets = names_pets(question.text)
    return replace(
        question,
        part=question.part or state.part,
        without=question.without or (() if pets else state.without),
    )
