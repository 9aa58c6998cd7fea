"""Determines the subject of each question in a message.

Every number and every part noun of a message becomes the subject of its questions; only without any
do references count. "It" is the one part mentioned last; if there were several, the customer is
asked. An unknown word is not ignored: the question is then about that word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise

from ruleplay.agents.parts.domain.ids import ModelFound, Span
from ruleplay.agents.parts.domain.reader import VERY_SURE, clause_of, may_name_part, readings
from ruleplay.agents.parts.domain.references import (
    RANKED,
    Reference,
    joined,
    named_by,
    numbered_besides,
    only_joins,
    placed_as_names,
)
from ruleplay.agents.parts.domain.slots import (
    CARD_GOALS,
    OF_PARTS,
    DescriptionSlot,
    Evidence,
    Goal,
    ModelSlot,
    Question,
    UnconfirmedId,
    UnknownId,
    VerifiedModel,
    VerifiedPart,
)
from ruleplay.agents.parts.domain.tokens import read_words, words_before
from ruleplay.agents.parts.domain.understanding import Understood
from ruleplay.agents.parts.domain.wishes import Wish
from ruleplay.agents.parts.policy.clauses import ASKING, Clause, clauses, lacks_model, ranked_before
from ruleplay.agents.parts.policy.comparing import compared
from ruleplay.agents.parts.policy.nouns import (
    also_broken,
    asks_what_it_is,
    noun_meant,
    nouns_meant,
)
from ruleplay.agents.parts.policy.pointing import (
    OFFERED,
    TIED,
    Subject,
    by_purpose,
    cards_meant,
    description_slot,
    evidence,
    in_words,
    named_like,
    of_machine,
    part_of,
    picked,
    right_one,
    told_of,
    weighed_now,
    with_words,
)
from ruleplay.agents.parts.policy.singled import told_apart
from ruleplay.agents.parts.policy.turning import (
    fits_of_corrected,
    of_its_machine,
    turns_to_machine,
)
from ruleplay.agents.parts.policy.unasked import (
    Numbers,
    both_machines,
    completes,
    excludes,
    fits_too,
    goal_of_case,
    goal_of_names,
    in_symptom,
    just_settled,
    new_things,
    of_known_trouble,
    of_something,
    of_trouble,
    place_of,
    stands_before,
    summed_up,
    unexcluded,
    variant_of,
)
from ruleplay.agents.parts.state import CaseFile, State

MOST = 8
"""Most questions of one message that are taken up."""
_PLAIN = ("it", "they")
_SEVERAL = ("they", "first", "last")
SEARCHES = (Goal.DIAGNOSE, Goal.FIND, Goal.LIST)
"""Goals that are answered with a list of parts."""
_JOINED = 3
"""Most words between two parts that are named together: "and a new"."""
_ONE_OF = ("one", "of")
_BARE = 4
"""Most words of a message that only points at another part: "and the other one"."""
_OF_NUMBERS = ("find", "price", "list", "untold")
"""What the reader hears where a part is asked for by its number."""
_CLITIC = 2
"""Most letters of a word that merely resumes what was just named: "c'", "it"."""


def questions(state: State, heard: Understood, numbers: Numbers, turn: int) -> tuple[Question, ...]:
    """Determine what a message asks, each question with its own subjects."""
    if heard.wishes is not None:
        raised = [*_wished(state, heard, numbers, turn)] or _taken_up(state, heard, numbers, turn)
    else:
        again = _repeats_fit(state, heard, numbers) or _other_too(state, heard)
        corrected = [*fits_of_corrected(state, heard, numbers, turn)]
        asked_in = [] if again else list(clauses(heard))
        asked_in = asked_in or list(_implied(state, heard, numbers))
        if turns_to_machine(state, heard, numbers):
            asked_in = [Clause(Goal.DIAGNOSE, 0, len(heard.message) + 1)]
        if asks_what_it_is(state, heard):
            asked_in = [Clause(Goal.ABOUT, 0, len(heard.message) + 1)]
        if _only_completes(state, heard, numbers):
            asked_in = []
        asked_in = also_broken(state, heard, asked_in)
        found_in = chain.from_iterable(
            _questions(state, heard, numbers, one, turn) for one in asked_in
        )
        whole = Clause(Goal.ABOUT, 0, len(heard.message) + 1)
        named = _named(state, heard, numbers, whole, turn)
        apart = compared(state, heard, numbers, named, turn)
        found_here = _fit_first(state, of_something(heard, found_in))
        raised = corrected or ([*found_here] if apart is None else apart)
        if fits_too(state, heard, numbers) and [one.goal for one in raised] == [Goal.DIAGNOSE]:
            raised.append(_question(Goal.CHECK, _antecedent(state, heard, turn), numbers.models[0]))
        raised = [*_numbered_too(heard, numbers, raised), *raised]
    raised = [told_apart(state, heard, one) for one in raised]
    found: dict[str, Question] = {}
    for question in of_known_trouble(state, heard, raised):
        found.setdefault(question.model_dump_json(exclude={"how"}), question)
    asked = tuple(found.values())
    if asked and heard.wishes is None and not any(one.part for one in asked):
        # No number may be ignored: "the filter EDR1, and a gasket".
        strange = (one for one in numbers.parts if isinstance(one, UnconfirmedId))
        beside = [_question(Goal.PRICE, Subject(part=one, how="named"), None) for one in strange]
        asked = (*beside, *asked)
    if not isinstance(state.slots.model, VerifiedModel) and not numbers.models and len(asked) > 1:
        # Steps require a model, but difficulty and duration do not and can be given at once.
        asked = tuple(_at_once(one, asked) for one in asked)
    of_parts = [one.description or one.part for one in asked if one.goal in OF_PARTS]
    own = {one.value for one in of_parts if one}
    # A search for a part that another question is about would be redundant.
    kept = (one for one in asked if not (one.goal is Goal.FIND and _adds_none(one, own)))
    if any(one.goal is Goal.LIST for one in asked):  # "what do you have for that one"
        kept = (one for one in kept if one.how != "antecedent")
    return tuple(of_its_machine(state, _known_as(state, numbers, one)) for one in kept)[:MOST]


def _numbered_too(
    heard: Understood, numbers: Numbers, raised: Sequence[Question]
) -> Iterator[Question]:
    """Ask the price of parts whose numbers stand beside a complaint: "PS1, you have it?"."""
    read = readings(heard.message, heard.found)
    for part in numbers.parts if [one.goal for one in raised] == [Goal.DIAGNOSE] else ():
        spot = Span(text=part.evidence.text, start=part.evidence.start, end=part.evidence.end)
        if isinstance(part, VerifiedPart) and clause_of(spot, read).goal in _OF_NUMBERS:
            yield _question(Goal.PRICE, Subject(part=part, how="named"), None)


def _only_completes(state: State, heard: Understood, numbers: Numbers) -> bool:
    """Whether a message gives the model that was asked for, and tells at most where it stood."""
    told = heard.description and heard.description.wanted
    read = readings(heard.message, heard.found)
    asked = [one for one in heard.intents if one.kind in ASKING]
    # What only seems to be asked is not: "M1, he read it out on the phone".
    faint = all(one.kind == "goal" and clause_of(one, read).sure < VERY_SURE for one in asked)
    faint = faint or {*heard.goals} <= {Goal.FIND, Goal.MODELS, Goal.INSTALL, Goal.DIAGNOSE}
    gives = completes(state) and bool(numbers.models) and not numbers.parts
    return gives and faint and not (told or heard.symptoms or "?" in heard.message)


def _repeats_fit(state: State, heard: Understood, numbers: Numbers) -> bool:
    """Whether a number is named after a question about fit, without surely asking something else.

    "ok and PS1?" is then about its fit, rather than about the numbers that it replaces.
    """
    told = state.goal is Goal.CHECK and state.done and len(numbers.parts) == 1
    unsure = {*heard.goals} <= {Goal.REPLACED} and "check" in heard.perhaps
    return told and unsure and not heard.has("topic")


def _other_too(state: State, heard: Understood) -> bool:
    """Whether a message says no more than "and the other one?", with or without a faint guess."""
    guessed = all((one.kind, one.value) == ("goal", Goal.PRICE.value) for one in heard.intents)
    bare = len(read_words(heard.message)) <= _BARE and not (heard.named or heard.found)
    other = any(one.way == "other" for one in heard.references)
    return guessed and bare and other and state.goal in OF_PARTS and state.done


def _adds_none(search: Question, own: Collection[str]) -> bool:
    """Whether a search describes none but the parts that other questions are about."""
    about = search.description
    return about.value in own if about else bool(own)


def _known_as(state: State, numbers: Numbers, asked: Question) -> Question:
    """Read "and 627790 is the same?" as a question about which numbers a part replaces."""
    part, models = asked.part, numbers.models or state.slots.model
    older = isinstance(part, VerifiedPart) and part.via == "replaces" and not models
    again = older and part is not None and part.value in state.focus and asked.goal is Goal.CHECK
    return asked.model_copy(update={"goal": Goal.REPLACED}) if again else asked


def _fit_first(state: State, raised: Iterable[Question]) -> Iterator[Question]:
    """Check the fit of a part that is new to the case before telling more about it."""
    shown = {card.number for card in (*state.cards, *state.spoken)}
    for question in raised:
        model, part = question.model or state.slots.model, question.part
        new = question.how == "named" and part is not None and part.value not in shown
        if new and question.goal is Goal.ABOUT and isinstance(model, VerifiedModel):
            yield question.model_copy(update={"goal": Goal.CHECK})
        yield question


def _at_once(question: Question, asked: Sequence[Question]) -> Question:
    beside = any(one.part == question.part for one in asked if one.goal in CARD_GOALS)
    if question.goal is not Goal.INSTALL or not beside:
        return question
    return question.model_copy(update={"goal": Goal.EFFORT})


def _wished(state: State, heard: Understood, numbers: Numbers, turn: int) -> Iterator[Question]:
    """Raise a model's questions, about the parts it picked or quoted or what its words refer to.

    Part numbers that no wish quotes are not ignored.
    """
    wishes, used = heard.wishes or (), set[str]()
    searched = any(wish.goal in SEARCHES and wish.shown is None for wish in wishes)
    quoted = [wish.part for wish in wishes]
    unquoted = [p for p in numbers.parts if not any(quotes_number(q, p.evidence) for q in quoted)]
    if not wishes and heard.symptoms and (state.done or state.goal is None):
        yield Question(goal=Goal.DIAGNOSE, model=next(iter(numbers.models), None))
    for wish in wishes:
        parts = [part for part in numbers.parts if quotes_number(wish.part, part.evidence)]
        if unquoted and not wish.part and _points(heard, wish):
            parts = unquoted  # "what about PS1, is it dear?" is not about what was shown before
        models = [one for one in numbers.models if quotes_number(wish.model, one.evidence)]
        model = next(iter(models or numbers.models), None)
        used |= {part.value for part in parts}
        picked_out = bool(parts) or wish.shown is not None
        if wish.goal in OF_PARTS or (wish.goal is Goal.FIND and picked_out):
            goal: Goal = Goal.ABOUT if wish.goal is Goal.FIND else wish.goal
            # A wrong number beside a part that is picked from the list does not name another.
            sure = [p for p in parts if wish.shown is None or isinstance(p, VerifiedPart)]
            named = [Subject(part=part, how="named") for part in sure]
            meant = named or _worded(state, heard, wish, turn, searched=searched)
            raised = [_question(goal, subject, model) for subject in meant]
            raised = [_elsewhere(state, wish, _also_in_words(heard, q, turn)) for q in raised]
        elif wish.goal is Goal.DIAGNOSE and wish.shown is not None:
            known = heard.symptoms or state.slots.symptoms
            raised = [Question(goal=Goal.DIAGNOSE, model=model)] if known else []
            thought_of = _worded(state, heard, wish, turn, searched=False)
            raised += [_question(Goal.ABOUT, subject, model) for subject in thought_of]
        else:
            about = _sought_in(state, heard, wish, turn) if wish.goal is Goal.FIND else None
            raised = [Question(goal=wish.goal, model=model, description=about)]
        how_many = {"count": wish.count or 0, "cheapest": wish.cheapest}
        yield from (one.model_copy(update=how_many) for one in raised)
    left = [part for part in numbers.parts if part.value not in used]
    goal = next((wish.goal for wish in wishes if wish.goal in OF_PARTS), Goal.ABOUT)
    for part in left:
        yield _question(goal, Subject(part=part, how="named"), next(iter(numbers.models), None))


def _taken_up(state: State, heard: Understood, numbers: Numbers, turn: int) -> list[Question]:
    """Check the parts spoken of for a model that a message only tells: "it claims to be a K310"."""
    if not (numbers.models and state.focus and state.done and state.goal in CARD_GOALS):
        return []
    fit = Clause(Goal.CHECK, 0, len(heard.message) + 1)
    return [*_questions(state, heard, numbers, fit, turn)]


def _elsewhere(state: State, wish: Wish, asked: Question) -> Question:
    """Look for such a part for another machine, where a price is asked for it and no part named."""
    card = next((one for one in state.cards if asked.part and one.number == asked.part.value), None)
    told = wish.part or wish.words or wish.shown or wish.goal is not Goal.PRICE
    if told or card is None or asked.model is None or asked.model.value == card.model:
        return asked
    like = named_like(card)
    return Question(goal=Goal.FIND, description=like, model=asked.model) if like else asked


def _question(goal: Goal, subject: Subject, model: ModelSlot | None) -> Question:
    return Question(
        goal=goal, part=subject.part, description=subject.description, model=model, how=subject.how
    )


def about_antecedent(state: State, heard: Understood, goal: Goal, turn: int) -> Question:
    """Raise a question about the part mentioned last, if its goal needs one."""
    subject = _antecedent(state, heard, turn) if goal in OF_PARTS else Subject()
    return _question(goal, subject, None)


def _points(heard: Understood, wish: Wish) -> bool:
    """Whether a wish has no words for a part, or only a word such as "it"."""
    start = heard.message.find(wish.words)
    plain = any(
        one.way in _PLAIN and start <= one.start < start + len(wish.words)
        for one in heard.references
    )
    return not wish.words or plain


def quotes_number(quote: str, said: Evidence) -> bool:
    """Whether a quote contains the number at some place, or is contained in it."""
    return bool(quote) and (said.text in quote or quote in said.text)


def _worded(
    state: State, heard: Understood, wish: Wish, turn: int, *, searched: bool
) -> list[Subject]:
    """Find the parts that a wish picks by number or refers to by its words.

    `searched` says that another wish searches for parts, so "something for that" needs no other.
    """
    start = max(0, heard.message.casefold().find(wish.words.casefold()))
    end = start + len(wish.words) if wish.words else len(heard.message)
    span = Span(text=heard.message[start:end], start=start, end=end)
    said = evidence(span, turn)
    if wish.shown is not None and wish.shown <= len(heard.listed):
        card = heard.listed[wish.shown - 1]
        known = {one.number for one in (*state.cards, *state.spoken)}
        how = "shown" if card.number in known else "listed"
        return [Subject(part=part_of(card, said), how=how)]
    quoted = Clause(wish.goal, start, end)
    nouns = [noun for noun in heard.named if wish.words and quoted.holds(noun.start)]
    if nouns:
        return noun_meant(state, heard, nouns[0], turn)
    pointing = [one for one in heard.references if quoted.holds(one.start)]
    if pointing and wish.words:
        meant = _pointed(of_machine(state, heard), heard, pointing, turn, wish.goal)
        return [one for one in meant if not searched or one.part or one.description]
    foreign = [one for one in heard.foreign if wish.words and quoted.holds(one.start)]
    if foreign:
        return [_described(state, heard, foreign[0], turn)]
    variant = variant_of(state, heard, turn) if wish.words else None
    if variant:
        return [variant]
    return [] if searched else [_antecedent(state, heard, turn)]


def _sought_in(state: State, heard: Understood, wish: Wish, turn: int) -> DescriptionSlot | None:
    """Describe what a wish's words search for, by kind of part or by unknown words."""
    start = heard.message.casefold().find(wish.words.casefold())
    if not wish.words or start < 0 or _points(heard, wish):
        return None
    end = start + len(wish.words)
    nouns = [noun for noun in heard.named if start <= noun.start < end]
    if nouns:
        slot = description_slot(heard, nouns[0], turn)
        return in_words(slot, wish.words, heard.language) if len(nouns) == 1 else slot
    if any(one.way in RANKED and start <= one.start < end for one in heard.references):
        return None  # "a cheaper one" is such a part as another wish names
    if (variant := variant_of(state, heard, turn)) and variant.description:
        return variant.description
    span = Span(text=heard.message[start:end], start=start, end=end)
    return _strange(heard, span, turn).description


def _questions(
    state: State, heard: Understood, numbers: Numbers, clause: Clause, turn: int
) -> Iterator[Question]:
    """Raise the questions of one clause, or search for "the right one" after a wrong one."""
    if right := right_one(state, [one for one in heard.references if clause.holds(one.start)]):
        model = next(iter(numbers.models), None)
        yield Question(goal=Goal.FIND, model=model, description=right)
    else:
        yield from _asked_in(state, heard, numbers, clause, turn)


def _asked_in(
    state: State, heard: Understood, numbers: Numbers, clause: Clause, turn: int
) -> Iterator[Question]:
    """Raise the questions of one clause, for each of its subjects and models."""
    here = tuple(slot for slot in numbers.models if clause.holds(slot.evidence.start))
    spoken = here or numbers.models or both_machines(state, heard)
    models: Sequence[ModelSlot | None] = spoken or (None,)
    if clause.goal not in OF_PARTS:
        searched = clause.goal is Goal.FIND
        several = _several(state, heard, numbers, clause, turn) if searched else []
        yield from several
        about = _about(state, heard, numbers, clause, turn) if searched and not several else None
        complains = heard.symptoms and searched and about is None
        for model in () if several else models:
            goal = Goal.DIAGNOSE if complains else clause.goal
            yield Question(goal=goal, model=model, description=about)
        return
    subjects = _subjects(state, heard, numbers, clause, turn)
    if _asked_of_causes(state, heard, subjects):
        yield Question(goal=Goal.DIAGNOSE, model=next(iter(models), None))
        return
    if clause.goal in CARD_GOALS:
        models = models[:1]  # a model beside such a question only says where the part is for
    silent = not numbers.models and not heard.appliance
    others = state.others if silent and clause.goal is Goal.CHECK else ()
    yield from _of_other_machines(state, others, subjects)
    if clause.goal is Goal.EFFORT and ranked_before(heard, clause):
        yield from (_question(Goal.PRICE, one, None) for one in subjects)
    for subject, model in _paired(subjects, models):
        asked = _of_all(state, heard, _question(clause.goal, subject, model))
        yield _also_in_words(heard, asked, turn)


def _asked_of_causes(state: State, heard: Understood, subjects: Sequence[Subject]) -> bool:
    """Whether a complaint is told and a price asked of no part: "it leaks, what part, how much"."""
    known = {slot.value for slot in state.slots.symptoms}
    new = any(one.symptom not in known for one in heard.symptoms)
    asked = min((one.start for one in heard.intents if one.kind in ASKING), default=0)
    # "Water stays in the bottom, how much" names no part by a word that stands before the question.
    told = [(one.part, one.description) for one in subjects]
    broken = heard.description if heard.description and heard.description.broken else None
    spots = [(part, slot.evidence.start if slot else None) for part, slot in told]
    read = readings(heard.message, heard.found)
    apart = [one for one in heard.named if clause_of(one, read) is not read[0] and one != broken]
    told_nouns = {one.start for one in apart if of_trouble(heard, one)}
    known_nouns = {one.start for one in heard.named} - told_nouns
    unsaid = all(
        part is None and (at is None or (at < asked and at not in known_nouns))
        for part, at in spots
    )
    begins = min((one.start for one in heard.symptoms if one.symptom not in known), default=0)
    # "The light went dark too. Got that as well?" asks for what mends the light.
    plain = all(one.way in _PLAIN and one.start > begins for one in heard.references)
    last = all(one.how in ("antecedent", "shown") for one in subjects) and plain
    waits = bool(known) and not state.done and isinstance(state.slots.model, VerifiedModel)
    waits = waits and not isinstance(state.slots.part, UnconfirmedId)  # a choice is open
    return (new and (unsaid or last)) or (waits and unsaid)


def _also_in_words(heard: Understood, asked: Question, turn: int) -> Question:
    """Add the name next to an unknown number, since the part may be found by it."""
    part = asked.part
    strange = isinstance(part, UnconfirmedId) and part.strange
    nouns = [noun for noun in heard.named if not in_symptom(heard, noun)] if strange else []
    slots = [description_slot(heard, noun, turn) for noun in nouns[:1]]
    return asked.model_copy(update={"description": slots[0]}) if slots else asked


def _several(
    state: State, heard: Understood, numbers: Numbers, clause: Clause, turn: int
) -> list[Question]:
    """Raise searches for several parts, or a question about one in sight.

    "I want the pump from that list" is answered with its price.
    """
    named = [*nouns_meant(state, heard, clause, turn)] if state.done else []
    counts = any(one.count for one in heard.references)  # "the dispenser, two of them"
    also = _also_it(state, heard, clause, named, turn) if named and not counts else []
    if also and all(one.part for one in named):  # "that one plus the pin"
        return [_question(Goal.PRICE, one, None) for one in (*also, *named)]
    if several := _sought(heard, numbers, turn):
        seen = [*nouns_meant(state, heard, clause, turn)] if state.done else []
        in_sight = len(seen) == len(several) and all(one.part for one in seen)
        return [_question(Goal.PRICE, one, None) for one in seen] if in_sight else several
    nouns = [*nouns_meant(state, heard, clause, turn)]
    if summed := summed_up(state, heard, nouns, turn) if nouns and state.done else ():
        return [_question(Goal.PRICE, one, None) for one in summed]  # "2 wheels only"
    part = nouns[0].part if len(nouns) == 1 and state.done else None
    shown = part is not None and part.value in {card.number for card in state.cards}
    sure = shown and isinstance(part, VerifiedPart) and part.evidence.turn == turn
    return [_question(Goal.PRICE, nouns[0], None)] if sure and not numbers.models else []


def _about(
    state: State, heard: Understood, numbers: Numbers, clause: Clause, turn: int
) -> DescriptionSlot | None:
    variant = variant_of(state, heard, turn)
    about = variant.description if variant else described(heard, clause, turn)
    return state.slots.description if about is None and numbers.models else about


def _of_all(state: State, heard: Understood, asked: Question) -> Question:
    """List the model's parts if "which of them are in stock" has nothing else to refer to."""
    they = any(one.way == "they" for one in heard.references) and not state.cards
    known = isinstance(state.slots.model, VerifiedModel) and asked.goal is Goal.PRICE
    named = asked.part or asked.description
    return Question(goal=Goal.LIST) if they and known and not named else asked


def _of_other_machines(
    state: State, others: Sequence[CaseFile], subjects: Sequence[Subject]
) -> Iterator[Question]:
    """Check the fit for other machines of the same kind too, as it is unclear which is meant."""
    for file in others:
        model, own = file.slots.model, state.slots.model
        if not isinstance(model, VerifiedModel) or not isinstance(own, VerifiedModel):
            continue
        if model.value == own.value or model.appliance != own.appliance:
            continue
        for subject in subjects:
            asked = _question(Goal.CHECK, subject, model)
            yield asked.model_copy(update={"case": file.number})


def _sought(heard: Understood, numbers: Numbers, turn: int) -> list[Question]:
    """Search for several parts, each for its own model: "an arm for A and a filter for B"."""
    if len(numbers.models) < 2:
        return _enumerated(heard, turn)
    sought: list[tuple[int, DescriptionSlot | ModelSlot | None]] = [
        (noun.start, description_slot(heard, noun, turn))
        for noun in heard.named
        if not in_symptom(heard, noun)
    ]
    if len(sought) < len(numbers.models):
        sought += [(span.start, _strange(heard, span, turn).description) for span in heard.foreign]
    sought += [(model.evidence.start, model) for model in numbers.models]
    said = [one for _, one in sorted(sought, key=lambda one: one[0])]
    pairs = list(zip(said[::2], said[1::2], strict=False)) if len(said) % 2 == 0 else []
    return [
        Question(goal=Goal.FIND, description=part, model=model)
        for part, model in pairs
        if isinstance(part, DescriptionSlot)
        and isinstance(model, VerifiedModel | UnconfirmedId | UnknownId)
    ]


def _enumerated(heard: Understood, turn: int) -> list[Question]:
    """Search for each of several enumerated parts: "a filter + a rack"."""
    nouns = [noun for noun in heard.named if not in_symptom(heard, noun)]
    parted = [heard.message[one.end : two.start] for one, two in pairwise(nouns)]
    if len(nouns) < 2 or not all(_joins(between, heard.language) for between in parted):
        return []
    slots = [description_slot(heard, noun, turn) for noun in nouns]
    return [Question(goal=Goal.FIND, description=slot) for slot in slots]


def _joins(between: str, language: str) -> bool:
    """Whether little more than an "and" or a comma stands between two parts."""
    stopped = any(char in ".?!;" for char in between)
    return joined(between, language) and not stopped and len(between.split()) <= _JOINED


def _paired(
    subjects: Sequence[Subject], models: Sequence[ModelSlot | None]
) -> list[tuple[Subject, ModelSlot | None]]:
    """Pair subjects and models: in turn if they alternate ("A in M, B in N"), else all with all."""
    places = [(place_of(subject.part), 0) for subject in subjects]
    places += [(model.evidence.start if model else -1, 1) for model in models]
    order = [kind for _, kind in sorted(places)]
    if len(subjects) == len(models) > 1 and order in ([0, 1] * len(models), [1, 0] * len(models)):
        return list(zip(subjects, models, strict=True))
    return [(subject, model) for subject in subjects for model in models]


def _subjects(
    state: State, heard: Understood, numbers: Numbers, clause: Clause, turn: int
) -> list[Subject]:
    """Find the subjects of a clause: what it names or picks, or what "it" refers to."""
    whole = Clause(clause.goal, 0, len(heard.message) + 1)
    here = _named(state, heard, numbers, clause, turn)
    everywhere = here or _named(state, heard, numbers, whole, turn)
    pointing = [
        one
        for one in heard.references
        if clause.holds(one.start) and (one.way != "priced" or cards_meant(state, one))
    ]
    foreign = [span for span in heard.foreign if clause.holds(span.start)]
    new = new_things(heard)
    pointing = [one for one in pointing if not any(stands_before(heard, one, it) for it in new)]
    everywhere = everywhere or [_described(state, heard, one, turn) for one in new[:1]]
    first = pointing[0].start if pointing else 0
    foreign = foreign if heard.goals else placed_as_names(heard.message, foreign, heard.language)
    if pointing:  # "is it hard? do I need glue?" asks how hard the part is, not the glue
        foreign = [one for one in foreign if not _asked_apart(heard, pointing[0], one)]
    placed = any(
        named_by(heard.message, span, heard.language, before=span.start < first) for span in foreign
    )
    # "What do both come to, and how long am I at it?"
    also = clause.goal is Goal.EFFORT and not here and all(it.way in _PLAIN for it in pointing)
    summed = summed_up(state, heard, here, turn) if also or clause.goal is Goal.PRICE else ()
    if summed:
        return [*summed]
    if here and pointing and _only_circumstance(state, heard, pointing[0], here):
        return [_antecedent(state, heard, turn, evidence(pointing[0], turn))]
    if here:
        return [*_also_it(state, heard, clause, here, turn), *here]
    state = of_machine(state, heard)
    settled = just_settled(state, pointing, turn)
    variant = settled or variant_of(state, heard, turn)
    if variant is not None and (settled or not pointing or pointing[0].way == "it"):
        return [variant]
    placed = placed and not any(one.count for one in pointing)  # "the mounting of the two"
    if pointing and not placed:
        if pointing[0].way not in _PLAIN:
            return _pointed(state, heard, pointing, turn, clause.goal)
        picked = [one for one in heard.references if one.way not in _PLAIN]
        return everywhere or _pointed(state, heard, picked or pointing, turn, clause.goal)
    if foreign:
        return [_described(state, heard, foreign[0], turn)]
    told = weighed_now(state) if numbers.models else told_of(state)
    # Which of several fits only the model tells, so that is asked for and not which is meant.
    untold = numbers.models or not isinstance(state.slots.model, VerifiedModel)
    if not everywhere and clause.goal is Goal.CHECK and untold and len(told) > 1:
        whole_message = Evidence(turn=turn, start=0, end=0, text="")
        return [Subject(part=part_of(card, whole_message), how="antecedent") for card in told]
    return everywhere or [_antecedent(state, heard, turn)]


def _only_circumstance(
    state: State, heard: Understood, pointing: Reference, named: Sequence[Subject]
) -> bool:
    """Whether "it" is the subject and not what is named: "can it be done with the door on?"."""
    spots = [one.description.evidence for one in named if one.description]
    spans = [Span(text=one.text, start=one.start, end=one.end) for one in spots]
    plain = pointing.way == "it" and len(state.focus) == 1 and len(spans) == len(named)
    return plain and not any(
        may_name_part(heard.message, one, heard.found)
        or "?" in heard.message[one.end : pointing.start]  # "the belt, how much? it's for a …"
        for one in spans
    )


def _asked_apart(heard: Understood, pointing: Reference, strange: Span) -> bool:
    """Whether an unknown word belongs to another question after the reference."""
    return "?" in heard.message[pointing.end : strange.start]


def _also_it(
    state: State, heard: Understood, clause: Clause, named: Sequence[Subject], turn: int
) -> list[Subject]:
    """Find what "it" refers to beside something named: "what does it cost, and the pump"."""
    spots = [slot.evidence for one in named for slot in (one.part, one.description) if slot]
    first = min((spot.start for spot in spots), default=0)
    asked = [one.end for one in heard.intents if one.kind in ASKING and clause.holds(one.start)]
    before = [end for end in asked if end <= first]
    for one in heard.references:
        if one.way not in _PLAIN or not clause.holds(one.start):
            continue
        if any(heard.message[one.end : spot.start].isspace() for spot in spots):
            continue  # "that valve"
        between = heard.message[max([one.end, *before]) : first]
        asked_before = before and one.end < first and joined(between, heard.language)
        beside = any(_beside(heard, one, spot) for spot in spots)
        counted = one.count == len(named) + 1 and not numbered_besides(heard.message, heard.found)
        if counted or (not one.count and (asked_before or beside)):
            found = _antecedent(state, heard, turn, evidence(one, turn))
            return [found] if found.part else []
    return []


def _beside(heard: Understood, one: Reference, named: Evidence) -> bool:
    """Whether only an "and" stands between "that one" and something named.

    After a mere comma it resumes what was named ("the motor, is that hard?"), and so does a very
    short word: "PS1 et c'est bon ?".
    """
    between = heard.message[min(one.end, named.end) : max(one.start, named.start)]
    apart = one.end <= named.start or len(one.text.strip("'’")) > _CLITIC
    return apart and only_joins(between, heard.language)


def _named(
    state: State, heard: Understood, numbers: Numbers, stretch: Clause, turn: int
) -> list[Subject]:
    if asks_what_it_is(state, heard):
        return [_antecedent(state, heard, turn)]
    parts = (part for part in numbers.parts if stretch.holds(part.evidence.start))
    nouns = nouns_meant(state, heard, stretch, turn)
    return [*(Subject(part=part, how="named") for part in parts), *nouns]


def described(heard: Understood, clause: Clause, turn: int) -> DescriptionSlot | None:
    """Find the part that is looked for: wanted, else named, else in unknown words."""
    noun, read = heard.description, readings(heard.message, heard.found)
    sought = [clause_of(one, read) for one in heard.intents if one.value == Goal.FIND]
    sought = [one for one in sought if one.goal != "untold"]  # "with screws?"
    asked = [one for one in heard.named if any(it.start <= one.start < it.end for it in sought)]
    if asked and noun not in asked and not (noun and (noun.broken or noun.wanted)):
        noun = asked[0]  # "a wheel rolled off the basket. Have you just the wheel?"
    if noun is not None and of_trouble(heard, noun) and not (noun.broken or noun.wanted):
        noun = next((n for n in heard.named if not of_trouble(heard, n)), None)
    if noun is not None and clause.holds(noun.start):
        own = next((n for n in heard.named if n.start >= noun.start and n.end <= noun.end), noun)
        return description_slot(heard, own.model_copy(update={"weak": noun.weak}), turn)
    named = [n for n in heard.named if clause.holds(n.start) and not of_trouble(heard, n)]
    if named:
        return description_slot(heard, named[0], turn)
    strange = [span for span in heard.foreign if clause.holds(span.start)]
    strange = strange if heard.goals else placed_as_names(heard.message, strange, heard.language)
    if not strange:
        # "A wheel came off. Have you just the wheel?"
        lost = [one for one in heard.named if noun and noun.broken and one.start >= noun.start]
        return description_slot(heard, lost[0], turn) if lost else None
    return by_purpose(heard, strange[0], turn) or _strange(heard, strange[0], turn).description


def _described(state: State, heard: Understood, span: Span, turn: int) -> Subject:
    """Match unknown words with the parts shown: "the grey one"."""
    strange = _strange(heard, span, turn)
    shown = with_words(state, span, heard.language)
    return picked(shown, strange.description.evidence) if shown and strange.description else strange


def _strange(heard: Understood, span: Span, turn: int) -> Subject:
    words = tuple(word.text for word in read_words(span.text))
    said = Evidence(turn=turn, start=span.start, end=span.end, text=span.text)
    slot = DescriptionSlot(
        value=span.text, terms=words, strong=words, said=words, own=words, evidence=said
    )
    return Subject(description=slot, how="named")


def _pointed(
    state: State,
    heard: Understood,
    pointing: Sequence[Reference],
    turn: int,
    goal: Goal | None = None,
) -> list[Subject]:
    """Resolve the most specific reference; what it refers to may have to be asked."""
    reference = pointing[0]
    earlier = [one for one in pointing if one.way == "it" and one.start < reference.start]
    if earlier and words_before(heard.message, reference.start, 2) == [*_ONE_OF]:
        reference = earlier[0]  # "is that one in stock, or one of those you wait for"
    said = Evidence(turn=turn, start=reference.start, end=reference.end, text=reference.text)
    count = max(one.count for one in pointing)
    told = told_of(state)
    most = TIED
    if goal is Goal.CHECK and not told and any(isinstance(f, ModelFound) for f in heard.found):
        told, most = weighed_now(state), OFFERED
    if count > 1 and len(told) != count:
        told = list(state.spoken[-count:])
    few = len(told) in (count or len(told), 1) if reference.way == "they" else 1 < len(told) <= most
    unmodelled = not isinstance(state.slots.model, VerifiedModel) and lacks_model(heard)
    modelled = unmodelled or any(isinstance(one, ModelFound) for one in heard.found)
    few = few and (reference.way == "they" or modelled)
    if reference.way in (*_PLAIN, "other") and goal is Goal.CHECK and few:
        return [Subject(part=part_of(card, said), how="antecedent") for card in told]
    state = unexcluded(state, heard, turn)
    placed = [cards_meant(state, one) for one in pointing if one.way == "place"]
    if len(placed) > 1:  # "two of the first and one of the second"
        return [picked(cards, said) for cards in placed if cards]
    cards = cards_meant(state, reference, count)
    ties = reference.way in RANKED and len(cards) <= TIED
    if cards and (reference.way in _SEVERAL or ties):
        return [picked([card], said) for card in cards]
    modelled = any(isinstance(one, ModelFound) for one in heard.found)
    machine = reference.way == "other" and modelled and len(cards) > 1
    if cards and reference.way != "it" and not machine:
        return [picked(cards, said)]
    if reference.way in ("it", "they") and len(state.focus) >= min(count, len(state.cards)):
        return [_antecedent(state, heard, turn, said)]
    if reference.way in RANKED and not told and completes(state):
        return [_antecedent(state, heard, turn, said)]  # "the cheapest?" of what is looked for
    shown = list(state.cards) if count > 1 else []  # only one was mentioned, but two are meant
    return [picked(shown, said, "") if len(shown) > 1 else Subject()]


def _antecedent(
    state: State, heard: Understood, turn: int, said: Evidence | None = None
) -> Subject:
    """Take the only part mentioned last; ask if there were several."""
    said = said or Evidence(turn=turn, start=0, end=0, text="")
    part = state.slots.part
    if len(state.focus) > 1:
        cards = [card for card in state.cards if card.number in state.focus]
        if len(cards) == len(state.focus):
            return picked(cards, said, "")
        return Subject()
    if any(excludes(heard, card, turn) for card in state.mentioned):
        return Subject()  # "it's not the seal; what's that one"
    if state.focus and isinstance(part, VerifiedPart) and part.value == state.focus[0]:
        return Subject(part=part, how="antecedent")
    if state.focus:
        waits = [one.part for one in state.queue if one.part and one.part.value == state.focus[0]]
        meant = [*(part_of(card, said) for card in state.mentioned), *waits]
        return Subject(part=meant[0], how="antecedent") if meant else Subject()
    # A mistyped number of the part in sight holds no other question up.
    options = part.options if isinstance(part, UnconfirmedId) else ()
    seen = [one for one in state.cards if [one.number] == [option.number for option in options]]
    if seen:
        return Subject(part=part_of(seen[0], said), how="antecedent")
    # There was no answer yet, so it is the part that was named last, or is looked for.
    if part is None and state.goal is Goal.FIND and not state.done and state.slots.description:
        return Subject(description=state.slots.description, how="antecedent")
    return Subject(part=part, how="antecedent") if part else Subject()


def _implied(state: State, heard: Understood, numbers: Numbers) -> Iterator[Clause]:
    """Find the question of a message without one: usually the last one, about what it names."""
    found = numbers.parts and all(isinstance(one, VerifiedPart) for one in numbers.parts)
    if (goal := goal_of_names(state, heard, numbers)) is not None:
        yield Clause(goal, 0, len(heard.message) + 1)
        again = goal_of_case(state) if numbers.models and not numbers.parts else None
        if goal is Goal.CHECK and again:
            yield Clause(again, 0, len(heard.message) + 1)  # what was found was for another model
        elif goal is Goal.CHECK and found and not heard.has("topic"):
            yield Clause(Goal.PRICE, 0, len(heard.message) + 1)  # nothing was asked: tell all
