"""Interprets a question: names are replaced by marks, then a classifier reads measure and shape."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ruleplay.agents.raid.domain.overview import Night, fold, short_name, words
from ruleplay.agents.raid.domain.persons import (
    calling_words,
    is_bare,
    is_killed,
    names_role,
    names_us,
    refers_back,
    roles_of,
    side_killed,
    was_killed,
)
from ruleplay.agents.raid.domain.questions import (
    OF_MATCHES,
    Question,
    names_me,
    speaks_of_kills,
)
from ruleplay.agents.raid.domain.reference.tables import (
    spell_names,
)
from ruleplay.agents.raid.domain.spelling import is_elided, is_like_form, is_plain_word
from ruleplay.agents.raid.domain.subjects import (
    in_zone,
    is_plain,
    pull_words,
    question_words,
    without_step,
)
from ruleplay.agents.raid.policy.marks import mark
from ruleplay.agents.raid.state import State
from ruleplay.hearing.classifier import Guess, load
from ruleplay.hearing.gaps import Unknown, strange_words, tokens, unknown_names, window

SURE = 0.45
"""Minimum confidence in a measure to answer it; below, choices are offered.

At this threshold, half of the wordings of held-out writers are classified correctly, and for six
in seven the correct measure is among the first three.
"""
SURE_OF_NEW = 0.6
"""The same for questions about things that no log contains."""
LIKELIEST = 0.35
"""Confidence from which a measure also counts towards one whose answer includes it."""
SURE_OF_UPTIMES = 0.7
"""The same for uptimes if nobody and nothing is named whose they are."""
SURE_OF_PERSON = 0.8
"""Minimum confidence in a measure of pulls if a person is mentioned."""
SURE_OF_CARD = 0.9
"""Minimum confidence that "what about Aria" asks for more than what was asked of the others."""
SURE_AFTER = 0.5
"""Minimum confidence for a few words to switch to another measure than the previous one."""
LEAST_LIKELY = 0.06
"""Minimum confidence for a measure to be offered as a choice."""
CHOICES = 9
"""Number of measures kept of those that a message may mean."""
NEXT = 0.1
"""Minimum confidence of a measure that other words speak for as well."""
LIKELY = 3
"""Number of measures considered if a message is unclear."""
BUILT, STEM = (2, 3), 5
"""Lengths of the prefixes a known word may have, as in "inactive", and its own minimum length."""
FEW = 2
"""Words that a question has more of."""
LONGER = 4
"""Minimum length of words examined, and how many of them have to be unknown."""
SURE_OF_SENTENCE = 0.6
"""Minimum confidence for a single sentence if the whole message is unclear."""
SURE_OF_LEAST = 0.85
"""Minimum confidence that the minimum is asked for if no word says so."""
SURE_OF_ROLE = 0.2
"""Minimum confidence that attendance is asked for if a role is named for somebody, or what would
have been if a pronoun refers to the one who died."""
LEAST_SURE = 0.3
"""Minimum confidence in the shape; for sums below it, the amount is given."""
SURE_OF_TIMER = 0.9
"""Minimum confidence in a question about a keystone timer in a log without keystones."""
BRIEF, LONG = 7, 25
"""Words up to which a message may be an addition, and from which it is a long one."""
OF_CASTS = ("lust", "cooldowns", "casts", "auras")
"""Measures that a question about uses may continue."""
TIMED = ("hit", "first")
"""Shapes whose answers include the time."""
OF_SUMS = ("damage", "healing", "overheal", "absorbs", "crits", "taken", "performance", "rankings")
"""Measures that an ability may be a part of."""
OF_HEALERS = ("healing", "overheal", "absorbs")
"""Measures of healers."""
OF_PERSONS = ("activity", "performance", "mistakes")
"""Measures that abilities lack: with an ability named, the question is whom it hit."""
OF_NOBODY = (
    "pulls",
    "duration",
    "health",
    "phases",
    "overview",
    "trash",
    "extreme",
    "timer",
    "adds",
)
"""Measures that are not about individual players."""
OF_BLIND = (
    *("pulls", "deaths", "duration", "overview", "roster", "gear", "cause", "extreme", "week"),
    *("timer", "health", "advice", "mistakes", "enchants", "unlogged", "none", "tool", "trash"),
)
"""Measures of a log that has no damage, healing or casts; others must be surely meant."""
TELLS: Mapping[str, tuple[str, ...]] = {
    "cause": ("deaths", "mistakes", "avoidable", "advice"),
    "overview": ("pulls", "deaths", "cause", "extreme"),
    "performance": ("damage", "activity", "deaths"),
    "pulls": ("health", "duration"),
    "taken": ("avoidable",),
}
"""Measures that the answer about another one tells as well."""
OF_ABILITY = ("taken", "casts", "auras", "avoidable")
"""Measures whose answers include others."""
OF_HITS = ("damage", "taken", "crits")
"""Measures of the largest hit, which is given for both directions."""
UNOFFERED = ("none", "unlogged", "threat")
"""Measures that are never offered as a choice."""
OF_NIGHTS = ("week", "overview", "trash", "roster", "gear", "adds")
"""Measures that abilities lack: with an ability named, the question is about its uses."""
OF_THAT = ("taken", "casts", "deaths", "interrupts", "dispels", "auras", "avoidable")
"""Measures that may refer to the ability of the previous answer."""
SURE_OF_RANK = 0.6
"""Minimum confidence that a question without a measure asks for the best or worst."""
SURE_OF_NAME = 0.4
"""Minimum confidence that an unknown word is a name."""
LIKELY_PERSON = 0.3
"""The same for a word with a capital letter inside a sentence."""
SURE_BESIDE = 0.6
"""The same if the question also names an ability that the log has."""
SURE_ALONE = 0.25
"""The same for a word that is all a short message adds to the previous one."""
VERDICT = "verdict"
"""The shape of a question whether what was shown is good or bad."""
WHATIF = "whatif"
"""The shape of a question about what would have been."""
ONLY_OF: Mapping[str, tuple[str, ...]] = {
    "everywhere": ("damage", "healing"),
    "hit": ("damage", "taken", "healing"),
    "feigned": ("deaths",),
}
"""Shapes that only these measures have."""
WITHDRAWN = "withdrawn"
"""The kind of a retraction: "no wait, who cares about the meters"."""
TALK = ("thanks", "chat", "offtopic", "help", "complaint", "tool")
FOLLOWING = ("who", "when", "why", "compare", "list", "which", "first", "count", "next")
"""Shapes that a follow-up without a measure applies to the previous measure."""


@dataclass(frozen=True)
class Heard:
    """The interpretation of a message; `choices` are possible measures, most likely first."""

    measure: str = ""
    shape: str = ""
    night: bool = False
    kind: str = "question"
    language: str = "en"
    choices: tuple[str, ...] = ()
    follows: bool = False
    guessed: bool = False
    """Whether the measure was guessed from the names alone."""
    abilities: tuple[str, ...] = ()
    marked: str = ""
    boss_only: bool = False
    """Whether it excludes all enemies but bosses."""
    part: bool = False
    """Whether it asks for a part of what was just shown."""
    verdict: bool = False
    """Whether it asks if what was just shown is good or bad."""
    unknown: Unknown | None = None
    """A name in it that the log does not contain."""
    guesses: tuple[Guess, ...] = ()
    """The measures that its words may mean, likeliest first."""
    said: str = ""
    """The shape that its own words have, whatever is continued."""


def of_creatures(
    question: Question, heard: Heard, night: Night, state: State
) -> tuple[Question, Heard]:
    """Take a name of both an ability and creatures for these if it is asked how many died."""
    if heard.measure == "adds" and question.targets and (question.me or question.players):
        # "How often did I die to Laguas" counts no creatures.
        told = hear(replace(question, targets=()), night, state)
        return (question, told) if told.measure else (question, heard)
    if not (question.targets and question.abilities):
        return question, heard
    bare = replace(question, abilities=())
    told = hear(bare, night, state)
    killed = told.shape == "count" and told.measure in ("adds", "killing_blows")
    if not killed and heard.measure == "taken" and names_me(question.text):
        return replace(question, targets=()), heard  # "did the volley hit me more than the adds"
    return (bare, told) if killed else (question, heard)


def hear(question: Question, night: Night | None, before: State) -> Heard:
    """Interpret a question; what it leaves implicit is taken from the previous one."""
    marked = without_step(mark(question, night)) if before.fight else mark(question, night)
    read = _read(marked)
    kind = read["kind"][0]
    kind = Guess("chat", kind.sure) if kind.label == WITHDRAWN else kind
    measure = _named(_able(read["measure"], night, question), read["shape"], question)
    measure = _widest(_of_role(_of_somebody(measure, question), question))
    shape = _shape(read["shape"], measure, question)
    measure = _of_shape(measure, shape)
    measure = _of_us(measure, question)
    if question.players and _is_of_the_killed(marked, measure):
        measure, shape = [Guess("deaths", 1.0), *measure], Guess("why", 1.0)
    brief = len(words(question.text)) <= BRIEF
    heard = Heard(
        measure=measure[0].label,
        shape=shape.label,
        night=read["scope"][0].label == "night",
        kind=kind.label,
        language=_language(read["tongue"][0], question, before.language, brief=brief),
        abilities=question.abilities,
        boss_only=any(
            one.label == "boss" and one.sure > SURE_OF_SENTENCE for one in read.get("target", ())
        ),
        marked=marked,
        choices=_choices(measure),
        guesses=tuple(measure[:CHOICES]),
        said=shape.label,
    )
    idle = measure[0].label == "none" or (measure[0].sure < SURE and kind.sure > 0.6)
    helps = kind.label == "help" and kind.sure > SURE_OF_SENTENCE
    narrows = bool(question.without or question.left_out) and brief and before.measure in OF_SUMS
    talks = kind.label in TALK and kind.sure >= SURE and idle and not narrows
    if talks and (helps or "<" not in marked.replace("<number>", "")):
        return replace(heard, measure="")
    heard = _of_what_is_named(heard, question)
    if brief and _asks_what_uses_did(heard, before, question):
        uses = replace(heard, measure=before.measure, shape="amount", kind="question")
        return replace(uses, follows=True, abilities=before.abilities)
    asks = question.kind and measure[0].label == "pulls" and measure[0].sure >= SURE_OF_PERSON
    # "So Oda. wipe?" asks how it went, "is that guy a tank" who somebody is.
    asks = asks or (question.of_one and bool(roles_of(fold(question.text))))
    bare = names_only(marked, question) and not asks
    if before.measure and (narrows or bare):
        return _of_their_role(_after(heard, before, Guess(before.shape, 1.0), question), question)
    if again := _of_the_answer(heard, before, read["shape"], question):
        return again
    shape = Guess("which", 1.0) if (where := _asks_where(heard, question)) else shape
    same = shape.label == "same" and kind.label == "follow" and measure[0].sure < SURE_OF_PERSON
    adds = same or _follows(read["kind"], measure, question, before.measure, brief=brief)
    if before.measure and (where or adds):
        return _after(heard, before, shape, question)
    if _is_unsaid(measure, shape, question, marked):
        return _unsure(heard, question, shape, brief=brief)
    kept = before.abilities if _keeps_abilities(heard, before, question, brief=brief) else ()
    judged = heard.shape == VERDICT and heard.measure in OF_SUMS
    return replace(heard, kind="question", abilities=question.abilities or kept, verdict=judged)


def _of_us(measures: Sequence[Guess], question: Question) -> Sequence[Guess]:
    """Take damage for damage taken if "us" is who may have had it: "what hurt us most"."""
    taken = [one for one in measures if one.label == "taken" and one.sure >= NEXT]
    able = measures[0].label in ("damage", "taken") and not question.players
    if not (able and taken and names_us(fold(question.text))):
        return measures
    return [
        Guess("taken", max(SURE_OF_PERSON, taken[0].sure)),
        *(one for one in measures if one.label != "taken"),
    ]


def _is_of_the_killed(marked: str, measures: Sequence[Guess]) -> bool:
    """Whether a message asks who or what killed somebody: "who got the killing blow on Aria"."""
    blow = measures[0].label == "killing_blows"
    able = blow or measures[0].sure < SURE or measures[0].label in ("pulls", "cause", "taken")
    return able and is_killed(marked, blow=blow)


def _of_shape(measures: Sequence[Guess], shape: Guess) -> Sequence[Guess]:
    """Take the likeliest measure that a certain shape can be of, such as leading everywhere."""
    if measures[0].sure == 1:
        return measures
    able = [one for one in measures if one.label in ONLY_OF.get(shape.label, ())]
    sure = able and shape.sure >= SURE_OF_RANK
    return [Guess(able[0].label, max(shape.sure, able[0].sure)), *measures] if sure else measures


def _choices(measures: Sequence[Guess]) -> tuple[str, ...]:
    """List possible measures, most likely first: at least two, excluding those never offered."""
    able = [one for one in measures if one.label not in UNOFFERED]
    likely = [one.label for one in able if one.sure >= LEAST_LIKELY]
    return (
        tuple(likely or [one.label for one in able])[:CHOICES]
        if len(likely) != 1
        else (*likely, *(one.label for one in able[1:2]))
    )


def _language(tongue: Guess, question: Question, before: str, *, brief: bool) -> str:
    """Detect a question's language; a brief one changes it only if that is certain."""
    sure = tongue.sure > (0.85 if before and brief else 0.5)
    if question.french and not (sure and tongue.label == "de"):  # "du" and "an" are words of both
        return "fr"
    return tongue.label if sure else before or tongue.label


def _of_what_is_named(heard: Heard, question: Question) -> Heard:
    """Adjust the measure to the names: wipes count as pulls, a crit as a hit, and so on."""
    if heard.measure == "deaths" and heard.shape == "count" and question.kind == "wipe":
        return replace(heard, measure="deaths" if question.players else "pulls")
    whether = heard.shape in ("yesno", "list") and question.kind == "wipe"
    if heard.measure == "cause" and whether and not question.players:
        return replace(heard, measure="pulls")  # "and did we wipe"
    if heard.measure == "crits" and heard.shape == "hit":
        return replace(heard, measure="damage")  # the biggest crit is a hit
    if question.abilities and heard.measure in OF_PERSONS:
        return replace(heard, measure="taken")
    counted = heard.measure == "auras" and heard.shape == "count"
    used = question.abilities and (counted or heard.measure in OF_NIGHTS)
    if used and names_me(question.text):
        return replace(heard, measure="taken")  # "the volley, did it hit me"
    return replace(heard, measure="casts") if used else heard


def _of_the_answer(
    heard: Heard, before: State, shapes: Sequence[Guess], question: Question
) -> Heard | None:
    """Interpret a message that continues the death, or the sum, just shown."""
    supposes = max(one.sure for one in shapes if one.label == "whatif")
    supposes = shapes[0].label == "whatif" or (question.of_one and supposes >= SURE_OF_ROLE)
    if before.measure == "deaths" and supposes and not question.abilities:
        # "Could he have healed himself" is still of that death.
        return replace(_after(heard, before, shapes[0], question), shape="whatif")
    if before.measure in OF_SUMS and heard.measure == "performance" and heard.shape == "compare":
        # "Is Aria better than me at that"
        at_that = refers_back(fold(question.text))
        return _after(heard, before, Guess("compare", 1.0), question) if at_that else None
    spells = question.abilities and not _is_of_lust(question)
    if before.measure in OF_SUMS and spells and refers_back(fold(question.text)):
        whole = "damage" if before.measure in ("performance", "rankings") else before.measure
        part = replace(heard, measure=whole, shape="amount", kind="question")
        return replace(part, follows=True, part=True)
    return None


def _asks_what_uses_did(heard: Heard, before: State, question: Question) -> bool:
    """Whether "how much did each heal" is about the abilities whose uses were just shown."""
    names = question.players or question.bosses or question.abilities
    told = before.measure in OF_CASTS and before.abilities and not names
    return bool(told) and heard.measure in ("damage", "healing") and heard.shape == "amount"


def _of_their_role(heard: Heard, question: Question) -> Heard:
    """Interpret "and the healers?" after damage as healing: what that role is measured by."""
    roles = roles_of(fold(question.text))
    if roles == ("healer",) and heard.measure in ("damage", "rankings"):
        return replace(heard, measure="healing")
    if roles == ("tank",) and heard.measure in ("damage", "rankings", *OF_HEALERS):
        return replace(heard, measure="taken")
    if roles == ("damage",) and heard.measure in OF_HEALERS:
        return replace(heard, measure="damage")
    return heard


def _unsure(heard: Heard, question: Question, shape: Guess, *, brief: bool) -> Heard:
    """Interpret an unclear message by its names alone, else offer the possible measures."""
    ranks = shape.label in ("most", "least") and shape.sure > SURE_OF_RANK
    # Of a long message that was not understood, a name says too little.
    compares = shape.label == "compare" and shape.sure > SURE_OF_RANK
    bare = brief and names_only(heard.marked, question)
    unheard = _is_strange(heard.marked) or not (bare or ranks or compares)
    # "Who was the biggest" of what nobody said, least of all damage.
    ranks = ranks and heard.choices[:1] in (("damage",), ("performance",), ("rankings",))
    likely = "" if unheard else _by_names(question, ranks=ranks)
    if likely == "pulls" and shape.label == "who":
        likely = ""  # how a boss's pulls went is no answer to who did something
    pulls = max(len(question.fights), len(question.bosses))
    if compares and pulls > 1 and not question.players:
        likely = heard.measure if heard.measure in OF_SUMS else "pulls"
    if question.players and compares and not unheard:
        likely = "performance"
    if shape.label == "why" and shape.sure < SURE:
        heard = replace(heard, shape="")  # that a log knows no motives answers a clear "why" alone
    return replace(heard, kind="question", measure=likely, guessed=bool(likely))


def _shape(shapes: Sequence[Guess], measures: Sequence[Guess], question: Question) -> Guess:
    """Choose the shape; for sums, the minimum only if the message says so or is clear."""
    if shapes[0].sure < LEAST_SURE and measures[0].label in OF_SUMS:
        return Guess("amount", shapes[0].sure)
    if shapes[0].label == WHATIF and shapes[0].sure < SURE_OF_SENTENCE:
        return shapes[1]
    if shapes[0].label == "next" and (roles_of(fold(question.text)) or question.players):
        return shapes[1]  # "now the healers"
    doubtful = shapes[0].label == "least" and shapes[0].sure < SURE_OF_LEAST
    said = question.lowest or measures[0].label not in OF_SUMS
    return shapes[1] if doubtful and not said else shapes[0]


def _able(measures: Sequence[Guess], night: Night | None, question: Question) -> Sequence[Guess]:
    """Drop the keystone timer, unless certain, if the night has no keystones.

    Of Bloodlust only its uses can be asked: it neither hits nor heals anybody. In matches people
    are killed, no bosses.
    """
    if _is_of_lust(question) and measures[0].label in OF_SUMS:
        return [Guess("lust", 1.0), *measures]
    measures = _but(measures, *OF_SUMS) if _is_of_lust(question) else measures
    foes = night is not None and any(one.foe for one in night.members)
    if foes and (side_killed(fold(question.text)) or was_killed(fold(question.text))):
        return [Guess("deaths", 1.0), *measures]
    ends = {pull.ended for pull in night.pulls} if night else set()
    if (
        ends
        and ends <= {*OF_MATCHES}
        and measures[0].label == "pulls"
        and speaks_of_kills(question.text)
    ):
        label = "deaths" if question.players else "killing_blows"
        return [Guess(label, 1.0), *measures]
    if night and night.blind and measures[0].label in OF_SUMS and names_role(fold(question.text)):
        return [Guess("roster", 1.0), *measures]  # "who were our healers"
    named = {*question.fights, *question.subject.fights}
    if len(question.bosses) > 1 or len(named) > 1:
        measures = _but(measures, "week")  # "Noth against Heigan" is of one evening
    told = sum(one.sure for one in measures if one.label in OF_BLIND)
    if night and night.blind and measures[0].sure < SURE_OF_SENTENCE and told >= LEAST_SURE:
        measures = _but(measures, *(one.label for one in measures if one.label not in OF_BLIND))
    meant = {*question.subject.pulls}
    runs = [pull for pull in night.pulls if pull.difficulty[:1] == "+"] if night else []
    keys = night is None or any(pull.fight in meant or not meant for pull in runs)
    surely = measures[0].label == "timer" and measures[0].sure >= SURE_OF_TIMER
    if keys or surely or all(one.label != "timer" for one in measures):
        return measures
    return _but(measures, "timer")


def _but(measures: Sequence[Guess], *labels: str) -> Sequence[Guess]:
    """Drop measures that cannot be meant; the others share their likelihood."""
    left = [one for one in measures if one.label not in labels]
    rest = sum(one.sure for one in left)
    return [Guess(one.label, one.sure / rest) for one in left]


def _named(
    measures: Sequence[Guess], shapes: Sequence[Guess], question: Question
) -> Sequence[Guess]:
    """Drop "best or worst pull" if the message names a measure.

    "The biggest crit of the raid", "the best heal": only players, pulls and tries are ranked so.
    """
    hit = shapes[0].label == "hit" and shapes[0].sure > SURE_OF_RANK
    if not hit and not calling_words().doing & {*words(question.text)}:
        return measures
    first = measures[0].label == "extreme"
    rest = [one for one in measures if one.label in OF_SUMS or not first]
    rest = [one for one in rest if one.label != "extreme"]
    sure = sum(one.sure for one in rest)
    return [Guess(one.label, one.sure / sure) for one in rest] if first and sure else rest


def _of_somebody(measures: Sequence[Guess], question: Question) -> Sequence[Guess]:
    """Drop measures of pulls, unless certain, if a person is mentioned."""
    first = measures[0]
    # "And Patchwerk, did we get him": a pronoun beside a boss stands for the boss.
    named = question.players or (question.of_one and not question.bosses)
    if not named or first.label not in OF_NOBODY or first.sure >= SURE_OF_PERSON:
        return measures
    return [one for one in measures if one.label not in OF_NOBODY]


def _of_role(measures: Sequence[Guess], question: Question) -> Sequence[Guess]:
    """Prefer attendance to a sum if a role is asked about: "is Aria a healer or what"."""
    likely = [one for one in measures if one.label == "roster" and one.sure >= SURE_OF_ROLE]
    one = len(question.players) == 1 and not question.abilities
    played = {guess.label for guess in measures if guess.sure >= SURE_OF_ROLE} - {"roster"}
    either = len(roles_of(fold(question.text))) > 1
    either |= bool(likely) and measures[0].label in ("damage", "healing") and len(played) == 1
    if one and either and measures[0].label in ("damage", "healing", "roster"):
        return [Guess("performance", 1.0), *measures]  # "did Aria heal or do damage there"
    asked = len(question.players) == 1 and roles_of(fold(question.text))
    if not likely or not asked or measures[0].label not in OF_SUMS:
        return measures
    sure = measures[0].sure + likely[0].sure
    return [Guess("roster", sure), *(one for one in measures if one.label != "roster")]


def _read(marked: str) -> Mapping[str, Sequence[Guess]]:
    """Read a marked message by what it asks for; "and by how much" at its end only adds to that."""
    reader, known = load("ruleplay.agents.raid", "reader.bin"), calling_words()
    found = known.gap.search(marked)
    ends = found and not words(marked[found.end() :])
    said = marked[: found.start()].split() if found and ends else marked.split()
    said = said[:-1] if found and {*said[-1:]} & known.joins else said
    said = said if len(said) > FEW else marked.split()
    read = reader.read(" ".join(said))
    # "Our top dps died" tells of a player's death, not of damage.
    dead = any(one.label == "deaths" and one.sure > LEAST_LIKELY for one in read["measure"])
    people = (at for at, word in enumerate(said) if word in known.roles)
    at = next((at for at in people if at and known.best.fullmatch(said[at - 1])), 0)
    knight = "death knight" in marked  # who is not dead for that
    if knight or not (dead and at) or read["measure"][0].label not in OF_SUMS:
        return read
    said[at - 1 : at + 1] = ["<player>"]
    again = reader.read(" ".join(said))
    return again if again["measure"][0].label == "deaths" else read


def _widest(measures: Sequence[Guess]) -> Sequence[Guess]:
    """If none is certain, prefer a measure whose answer includes the likeliest one."""
    first = measures[0]
    for one in measures[1:LIKELY] if first.sure < SURE else ():
        sure = first.sure + one.sure
        if first.label in TELLS.get(one.label, ()) and sure >= SURE_OF_SENTENCE:
            return [Guess(one.label, sure), *(other for other in measures if other is not one)]
    return measures


def names_only(marked: str, question: Question) -> bool:
    """Whether a message only names people, pulls or abilities without asking anything."""
    known = pull_words()
    steps = [step for step in (*known.after, *known.before) if step in fold(question.text)]
    names = {*known.tries, *known.last, *known.places, *known.at, *known.months}
    names |= {word for one in (*known.difficulties, *steps) for word in one.split()}
    return is_bare(marked.split(), frozenset(names))


def _is_of_lust(question: Question) -> bool:
    """Whether a question names Bloodlust, or what else does the same, and no other ability."""
    return bool(question.abilities) and {*question.abilities} <= {*spell_names()["lust"]}


def _is_unsaid(measures: Sequence[Guess], shape: Guess, question: Question, marked: str) -> bool:
    """Whether a message does not say, or not clearly enough, what it asks for."""
    measure = measures[0]
    names = question.players or question.abilities or question.called.called
    also = TELLS.get(measure.label, ())
    if question.abilities and measure.label in OF_ABILITY:
        also = OF_ABILITY
    if shape.label == "hit" and measure.label in OF_HITS:
        also = OF_HITS
    told = measure.sure >= LIKELIEST
    sure = measure.sure + sum(one.sure for one in measures[1:] if told and one.label in also)
    unfit = measure.label == "nature" and not question.abilities
    # How pulls went is no answer to "Aria or Oda".
    unfit |= measure.label == "pulls" and len(question.players) == 2 and measure.sure < 0.6
    least = SURE_OF_NEW if measure.label == "unlogged" else SURE
    unfit |= measure.label == "auras" and not names and measure.sure < SURE_OF_UPTIMES
    # "Aria vs Oda on pull 4" names no measure.
    compares = shape.label == "compare" and len(question.players) > 1
    unfit |= compares and names_only(marked, question) and measure.sure < SURE_OF_CARD
    decided = measure.sure == 1 or _is_of_lust(question)
    unfit |= not decided and _rests_on_strange(measure.label, marked)
    return measure.label == "none" or unfit or sure < least or _is_strange(marked)


def _rests_on_strange(measure: str, marked: str) -> bool:
    """Whether a measure is based only on words unlike any in the known wordings.

    Not if the meaning of the message supports it as well: "et qui l'a ressuscité".
    """
    known = _plain_words()
    strange = {one for one in strange_words(tokens(marked), known) if not _is_built(one, known)}
    if not strange:
        return False
    rest = " ".join(word for word in marked.split() if word not in strange)
    reader = load("ruleplay.agents.raid", "reader.bin")
    if reader.read(rest)["measure"][0].label == measure:
        return False
    meant = reader.by_meaning().read(marked)["measure"][0]
    return meant.label != measure or meant.sure < SURE


@cache
def _plain_words() -> frozenset[str]:
    """Collect the words that questions have, and those for classes."""
    return question_words() | {*calling_words().classes}


def unheard_words(marked: str) -> tuple[str, ...]:
    """List a message's words that are neither a question's nor everyday ones, likely names."""
    strange = strange_words(tokens(marked), _plain_words())
    return tuple(dict.fromkeys(word for word in strange if not is_plain_word(word)))


def _is_built(word: str, known: frozenset[str]) -> bool:
    """Whether a word is a known one with a little before it: "inactive"."""
    return any(word[at:] in known for at in BUILT if len(word) - at >= STEM)


def is_nonsense(marked: str) -> bool:
    """Whether most of a message's longer words are unlike any that questions have."""
    longer = [word for word in tokens(marked) if len(word) >= LONGER and word.isalpha()]
    return _is_strange(marked) or 2 * len(strange_words(longer, question_words())) > len(longer)


def _is_strange(marked: str) -> bool:
    """Whether none of a message's words is a known question word."""
    if not re.search(r"[^\W\d_]", marked):
        return True
    longer = [word for word in marked.split() if len(word) >= LONGER and word.isalpha()]
    return len(longer) > LONGER and not question_words() & {*longer}


def _follows(
    kind: Sequence[Guess],
    measure: Sequence[Guess],
    question: Question,
    before: str,
    *,
    brief: bool,
) -> bool:
    """Whether a message only adds to the previous one, naming no measure of its own."""
    if measure[0].label == "none":
        return True
    if question.abilities and before in OF_NOBODY and measure[0].label in OF_ABILITY:
        return False  # "who was the strike on" goes on about no boss's health
    sure = {one.label: one.sure for one in kind}
    if question.players and question.follows_up and measure[0].label in OF_PERSONS:
        # "What about Aria, only the once, right?" goes on about what was asked of the others.
        return measure[0].sure < SURE_OF_CARD
    names = question.players or question.bosses or question.abilities or question.fights
    same = measure[0].label == before and measure[0].sure >= SURE
    asks = sure.get("question", 0) >= SURE_OF_TIMER and sure.get("follow", 0) < LEAST_LIKELY
    apart = asks and names and not question.players and begins_asking(question.text)
    if (brief or not names) and measure[0].sure < SURE_AFTER and not (same or apart):
        return True
    return sure.get("follow", 0) > 0.5 and measure[0].sure < (SURE_OF_SENTENCE if brief else SURE)


def begins_asking(text: str) -> bool:
    """Whether a text begins with a question word, after words that join: "and who got what"."""
    known = calling_words()
    said = [word for word in words(text) if word not in known.joins]
    return bool({*said[:1]} & known.asks)


def _asks_where(heard: Heard, question: Question) -> bool:
    """Whether it asks on which pulls something happened: "on which boss", "sur quel pull"."""
    begins = next(iter(words(question.text)), "")
    return heard.measure == "pulls" and begins in pull_words().at and not question.bosses


def _after(heard: Heard, before: State, shape: Guess, question: Question) -> Heard:
    """Combine the previous question with what this one adds."""
    verdict = shape.label == VERDICT and shape.sure > SURE
    new = shape.label if shape.label in FOLLOWING and shape.sure > SURE else before.shape
    new = "amount" if shape.label == "amount" and before.measure in ("cooldowns", "casts") else new
    if new == "who" and before.measure == "deaths" and question.of_one and not question.players:
        new = "why"  # "and who got him": who died is known
    if new == "when" and before.shape in TIMED:
        new = before.shape
    abilities = question.abilities or (() if before.led else before.abilities)
    return replace(
        heard,
        kind="question",
        measure=before.measure,
        shape=new,
        follows=True,
        abilities=abilities,
        verdict=verdict,
    )


def _keeps_abilities(heard: Heard, before: State, question: Question, *, brief: bool) -> bool:
    """Whether a new question is still about the previous one's ability."""
    same = heard.measure == before.measure or (heard.measure, before.measure) == ("taken", "taken")
    named = question.players or question.bosses
    said, known = words(question.text), calling_words()
    # "Who took it"; "did he use any" points at nothing.
    things = known.it - known.asks - known.denies - known.one
    points = refers_back(fold(question.text)) or {*said[-1:]} & things
    if heard.measure in OF_THAT and (before.measure == "nature" or points):
        return True
    return brief and same and bool(before.abilities) and not named


def _by_names(question: Question, *, ranks: bool) -> str:
    """Infer the measure of a question without one from the names in it."""
    if question.abilities:
        return "taken" if question.players else "casts"
    if question.players:
        return "performance"
    if ranks or question.called.called:
        return "damage"
    return "pulls" if question.bosses and len(words(question.text)) <= BRIEF else ""


def unknown_name(
    question: Question, heard: Heard, night: Night, before: State, whole: Question | None = None
) -> Unknown | None:
    """Find a player or ability that a question names and the log does not contain.

    `whole` is the message that the question is a part of.
    """
    if in_zone(fold(question.text), night.zones):
        return None
    places = load("ruleplay.agents.raid", "names.bin")
    calling = calling_words()
    known = question_words() | {*calling.classes} | calling.filler | calling.the | calling.asks
    said = tokens(mark(question, night))
    named = question.players or question.bosses
    alone = before.measure and not named and len(said) <= BRIEF
    long = len(said) > LONG and not before.measure
    capital = (
        frozenset(fold(word) for word in re.findall(r"(?<=[\w,] )[A-ZÀ-Ý][\w]+", question.text))
        if heard.language != "de"
        else frozenset[str]()
    )
    kinds = ("player", "boss", "ability")
    people = {fold(short_name(one.name)) for one in night.members}
    # A first word that is a sentence of its own greets: "Bonsoir. …".
    greeting = re.match(r"\W*(\w+)\s*[.!]+\s+\w", fold(question.text))
    for one in unknown_names(said, known, places, SURE_ALONE, night.names or (), kinds):
        if one.text in people or (greeting and one.text == greeting[1]):
            continue
        if _is_no_name(one.text, said, heard.language, named=bool(capital & {one.text})):
            continue
        # A night made of a list of pulls has no names of abilities to look in.
        said_so = capital & {*one.text.split()} and not heard.measure
        if night.names is None and one.kind == "ability" and not said_so:
            continue
        sure = SURE_BESIDE if question.abilities else SURE_OF_NAME
        sure = SURE_OF_PERSON if long else sure  # of many words one is soon a strange one
        likely = alone or one.sure >= sure or capital & {*one.text.split()}
        if likely and not (_is_word_in(whole or question, one) and not capital & {one.text}):
            return one
    if person := _introduced(said, capital - people - (night.names or frozenset()), known):
        return Unknown("player", person, SURE_OF_PERSON)
    asks = calling.asks & {*said}  # of "who revived her" the strange word is what was done
    strange = strange_words(said, known) if heard.follows and alone and not asks else ()
    if heard.abilities and not question.abilities and question.follows_up:
        # "And the void lightning? I think Aria got it all": the first words name another thing.
        first = mark(replace(question, text=re.split(r"[?!.]", question.text)[0]), night)
        strange = strange_words(tokens(first), known) if "<" not in first else strange
    names_more = question.abilities or question.part or question.without or question.subject.day
    # To tell the same again would pass over the only word that is new.
    return Unknown("ability", " ".join(strange), SURE_ALONE) if strange and not names_more else None


def _is_no_name(word: str, said: Sequence[str], language: str, *, named: bool) -> bool:
    """Whether a strange word is a form of an everyday one; `named`: it is written like a name."""
    if language == "fr" and is_elided(word):
        return True
    plain = len(word.split()) == 1 and is_plain_word(word)
    return not named and (plain or is_like_form(word, said))


def _is_word_in(message: Question, name: Unknown) -> bool:
    """Whether what seems a name stands for a word in its message: "… n how many whiffed"."""
    said = tokens(mark(message, None))
    return name.text in said and is_plain(said, said.index(name.text), SURE_OF_SENTENCE)


def _introduced(said: Sequence[str], names: frozenset[str], known: Collection[str]) -> str:
    """Find a name in capitals set to a class or in a person's place: "my rogue friend Bobo"."""
    places = load("ruleplay.agents.raid", "names.bin")
    for word in strange_words([one for one in said if one in names], known):
        at = said.index(word)
        guesses = places.read(window(said, at, at + 1))["name"]
        likely = any(one.label == "player" and one.sure >= LIKELY_PERSON for one in guesses)
        if likely or "<class>" in said[max(0, at - FEW) : at]:
            return word
    return ""


def begun_name(unknown: Unknown | None, night: Night) -> str:
    """Find the one player whose name starts with an unknown word taken for a player's."""
    if unknown is None or unknown.kind != "player":
        return ""
    own = [m.name for m in night.members if fold(short_name(m.name)).startswith(unknown.text)]
    return own[0] if len(own) == 1 else ""
