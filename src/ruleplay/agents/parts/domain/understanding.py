"""Puts together what a message says: intents, numbers, symptoms, described part, appliance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ruleplay.agents.parts.domain.answers import Asked
from ruleplay.agents.parts.domain.appliances import ApplianceFound, brand_said
from ruleplay.agents.parts.domain.cards import Card
from ruleplay.agents.parts.domain.complaints import (
    CERTAIN,
    felt,
    heard_complaints,
    named_alone,
    searched,
    weighed,
)
from ruleplay.agents.parts.domain.descriptions import Description, each_once
from ruleplay.agents.parts.domain.frozen import Frozen
from ruleplay.agents.parts.domain.id_judgement import judge
from ruleplay.agents.parts.domain.ids import (
    Candidate,
    Found,
    Lookup,
    ModelFound,
    PartFound,
    Span,
    order_number,
)
from ruleplay.agents.parts.domain.intents import (
    Intent,
    IntentKind,
    dangers_said,
    read_intents,
)
from ruleplay.agents.parts.domain.machines import machine_of, machines_said, parts_said, standing
from ruleplay.agents.parts.domain.negation import denies, praises
from ruleplay.agents.parts.domain.reader import (
    ASKED,
    DOUBT,
    DOUBTFUL,
    GOALS,
    LIKELY,
    POSSIBLE,
    SURE,
    TOPICS,
    UNLIKELY,
    VERY_SURE,
    Reading,
    clause_of,
    perhaps,
    readings,
    seems_broken,
    sentence_words,
)
from ruleplay.agents.parts.domain.references import (
    RANKED,
    Reference,
    counting,
    find_references,
)
from ruleplay.agents.parts.domain.slots import Goal
from ruleplay.agents.parts.domain.symptoms import (
    SymptomFound,
    find_symptoms,
)
from ruleplay.agents.parts.domain.unread import spared, unknown_names, unread, untold
from ruleplay.agents.parts.domain.wishes import Wish

_Spot = Span | Intent | Reference | ApplianceFound | Description | SymptomFound | Found


class Understood(Frozen):
    """A message as understood; every part of it quotes its span.

    `suspected` symptoms were not stated but follow from a broken part or were read by a model; they
    are good for a question, but never fill a slot. `named` are all parts named by kind, `tried`
    those already replaced or checked, `foreign` unknown words that may name something, `references`
    point at parts shown before, `strange` are appliances that the catalog has nothing for, and
    `brand` is the machine's. `perhaps` lists what an unclear message may ask, and `tells` says that
    it is more likely a statement; `spared` says of the part spoken of last that it is in order, and
    `unread` quotes what nothing was recognised of.

    The remaining fields are set only if a model read the message: `wishes` are its questions
    (`None` if only rules read it), `denied` quotes what is denied or was tried, `withdrawn` what of
    the case is taken back, `complaints` what is wrong and no symptom, `machine` is the number of
    the machine meant, `readings` are those of its label, `listed` the parts to pick from, and
    `meant` is the part that a mere remark is about.
    """

    message: str
    language: str = "en"
    intents: tuple[Intent, ...] = ()
    found: tuple[Found, ...] = ()
    symptoms: tuple[SymptomFound, ...] = ()
    suspected: tuple[SymptomFound, ...] = ()
    description: Description | None = None
    appliance: ApplianceFound | None = None
    named: tuple[Description, ...] = ()
    foreign: tuple[Span, ...] = ()
    references: tuple[Reference, ...] = ()
    strange: tuple[ApplianceFound, ...] = ()
    wishes: tuple[Wish, ...] | None = None
    machine: str = ""
    brand: str = ""
    readings: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    complaints: tuple[str, ...] = ()
    listed: tuple[Card, ...] = ()
    meant: str = ""
    tried: tuple[Description, ...] = ()
    perhaps: tuple[str, ...] = ()
    tells: bool = False
    spared: bool = False
    unread: str = ""

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals named, in order, each once."""
        if self.wishes is not None:
            return tuple(dict.fromkeys(wish.goal for wish in self.wishes))
        return tuple(dict.fromkeys(_goal_of(i) for i in self.intents if i.kind in _ASKING))

    def first(self, *kinds: IntentKind) -> Intent | None:
        """Find the first intent of these kinds."""
        return next((intent for intent in self.intents if intent.kind in kinds), None)

    def has(self, *kinds: IntentKind) -> bool:
        """Whether the message has an intent of one of these kinds."""
        return self.first(*kinds) is not None


def understand(
    message: str,
    candidates: tuple[Candidate, ...],
    looked_up: Mapping[str, Lookup],
    *,
    literal: tuple[str, ...],
    asked: Asked | None,
    appliance: str,
    language: str = "en",
    kinds: tuple[str, ...] = (),
    brands: tuple[str, ...] = (),
) -> Understood:
    """Read a message by rules and classifier; `appliance` is that of the open case."""
    machines, strange, said = machines_said(message, language, kinds)
    numbers = judge(message, candidates, looked_up)
    kind = machine_of(said, numbers, appliance)
    told = find_symptoms(message, None, kind, implied=True, language=language)
    complained = _told(message, told, literal, kind, language)
    nouns, told_of = parts_said(message, machines, numbers, language)
    pointing = find_references(message, language)
    counted, picking = counting(pointing)
    read = _readings(message, numbers, picking, language)
    complaints, doubted, symptoms = weighed(complained, read, kind)
    named, tried, described = _told_apart(nouns, told_of, read, pointing)
    ruled = _ruled(message, read_intents(message, asked, language), numbers, named, picking, read)
    picks = asked is not None and asked.kind in ("choice", "confirm")
    heard = _learnt(read, ruled, numbers, pointing, named, told=bool(symptoms), picking=picks)
    intents = _together(ruled, heard, numbers, (*pointing, *named), machine=said is not None)
    intents = searched(intents, complaints, strange=not named, subject=bool(pointing))
    intents = _side_by_side(intents, pointing, read[0])
    intents = _on_topic(_named_of(intents, named), machines, named, (*numbers, *symptoms))
    more = heard_complaints(read, symptoms, intents, kind, language)
    symptoms, maybe = felt(symptoms, doubted, more)
    telling = (*symptoms, *numbers, *nouns, *machines, *counted, *_untold(intents))
    intents = _present((*intents, *dangers_said(message, language, wet=_leaks(symptoms))), read)
    bare = 0 if named or symptoms else _unclaimed(message, intents, numbers, pointing)
    broken = _unpointed(_complained_of(described, named, symptoms, read), pointing)
    foreign = unknown_names(message, _spots(telling), language, numbers, picking, bare)
    quote = _unread(message, read, telling, intents, told=bool(symptoms or maybe))
    no_data = () if foreign else untold(quote, read)
    return Understood(
        message=message,
        language=language,
        intents=(*intents, *no_data),
        found=standing(message, numbers, read, language),
        symptoms=symptoms,
        suspected=(*(found for found in told if found.implied), *maybe),
        description=broken,
        appliance=said,
        brand=brand_said(message, brands, language),
        named=named,
        foreign=_asked_about(foreign, read, (*intents, *no_data), told=bool(symptoms)),
        references=pointing,
        strange=strange,
        tried=tried,
        perhaps=perhaps(read),
        tells=_tells(message, read[0]),
        spared=spared(read, [one for one in pointing if one.way == "it"], nouns),
        unread="" if no_data else quote,
    )


def _spots(telling: Sequence[_Spot]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in telling]


def _untold(intents: Sequence[Intent]) -> list[Intent]:
    return [one for one in intents if one.value == TOPICS["untold"]]


def _leaks(symptoms: Sequence[SymptomFound]) -> bool:
    return any(found.symptom == "Leaking" for found in symptoms)


def _unread(
    message: str,
    read: Sequence[Reading],
    telling: Sequence[_Spot],
    intents: Sequence[Intent],
    *,
    told: bool,
) -> str:
    """Quote what asks or complains and is neither `telling` nor among the intents."""
    used = _used(telling, intents, read, told=told)
    topics = {one.value for one in intents if one.kind in ("topic", "goal")}
    return unread(message, read, used, topics, told=told)


def _used(
    telling: Sequence[_Spot], intents: Sequence[Intent], read: Sequence[Reading], *, told: bool
) -> Iterator[tuple[int, int]]:
    """List the stretches that the answer is about; a complaint is not about what it only names."""
    for one in (*telling, *(one for one in intents if one.kind not in _IDLE)):
        named = isinstance(one, ApplianceFound) or (told and isinstance(one, Description))
        if not (named and clause_of(one, read).goal == "diagnose"):
            yield one.end - 1, one.end


def _told_apart(
    parts: Sequence[Description],
    told_of: Description | None,
    read: Sequence[Reading],
    pointing: Sequence[Reference],
) -> tuple[tuple[Description, ...], tuple[Description, ...], Description | None]:
    """Separate the parts that a message is about from those that were tried."""
    lost = [told_of] if told_of and told_of.broken else []
    # "The seal is gone" is about the seal, "I put in the gone seal's successor" is not.
    needed = [
        one for one in parts if any(one.start == it.start and one.end < it.end for it in lost)
    ]
    told = [one for one in parts if one not in needed and _only_tells(one, read)]
    told = [one for one in told if not _is_supposed(one, read, pointing)]
    named = each_once([one for one in parts if one not in told])
    tried = tuple(one for one in told if _only_tells(one, read, "tried"))
    only = told_of and not needed and _only_tells(told_of, read)
    return named, tried, None if only else told_of


def _is_supposed(one: Description, read: Sequence[Reading], its: Sequence[Reference]) -> bool:
    """Whether a statement supposes that it is this part: "he swears that it's the timer"."""
    ends = [it.end for it in its if it.way == "it" and it.end <= one.start][-1:]
    near = any(len(read[0].text[end : one.start].split()) <= 1 for end in ends)
    return near and not _only_tells(one, read, "tried")


def _readings(
    message: str, numbers: Sequence[Found], picking: Sequence[Reference], language: str
) -> tuple[Reading, ...]:
    """Classify a message, with references marked unless it asks about prices."""
    read = readings(message, numbers)
    bare = read[0].words <= _BARE and "?" not in message  # "the cheaper one"
    # "Which is easier to fit" asks how hard they are.
    picking = [one for one in picking if one.way not in ("easiest", "quickest")]
    if picking and (bare or read[0].goal not in _OF_PRICES or read[0].sure < SURE):
        marked = readings(message, (*numbers, *picking))
        # "Is it one wheel or the whole set for $27?" finds nothing dear.
        read = read if marked[0].goal in _OF_PRICES else marked
    return tuple(named_alone(one, language) for one in read)


def _ruled(
    message: str,
    intents: Sequence[Intent],
    numbers: Sequence[Found],
    named: Sequence[Description],
    picking: Sequence[Reference],
    read: Sequence[Reading],
) -> tuple[Intent, ...]:
    """Keep the intents found by rules that nothing else in the message contradicts."""
    kept = _no_part(_believed(_of_orders(intents, message, numbers), read), named)
    return _milder(_asked_of(kept, picking, read), read)


def _only_tells(one: Description, read: Sequence[Reading], *tells: str) -> bool:
    """Whether a part is named only in a statement: "I cleaned the filter, what now?".

    A few words after such a clause continue it: "I have a screwdriver and pliers".
    """
    clauses = read[1:] or read
    at = [place for place, clause in enumerate(clauses) if clause.start <= one.start < clause.end]
    at = [place if clauses[place].words > _BARE else place - 1 for place in at]
    around = [clauses[place] for place in at if place >= 0]
    return any(_says(one, tells or _TELLS) for one in around)


def _says(one: Reading, tells: Sequence[str]) -> bool:
    sure = sum(one.shares.get(label, 0) for label in _TELLS) >= SURE
    return one.goal in tells and (sure or praises(one.text))


def _tells(message: str, whole: Reading) -> bool:
    """Whether a message makes a statement or agrees, rather than asking."""
    asks = any(share >= POSSIBLE for goal, share in whole.shares.items() if goal in ASKED)
    surely = whole.sure >= TOLD or whole.words <= _BARE or not asks
    return whole.goal not in ASKED and surely and "?" not in message


def _complained_of(
    described: Description | None,
    named: Sequence[Description],
    symptoms: Sequence[SymptomFound],
    read: Sequence[Reading],
) -> Description | None:
    """Take a part as broken if a clause complains about it without stating a known symptom."""
    if described and described.broken:
        return described
    for noun in named if symptoms else ():
        clause = clause_of(noun, read)
        told = any(clause.start <= one.start < clause.end for one in symptoms)
        apart = clause is not read[0] and clause.goal in ("diagnose", "find")
        # "It screeches, and when I open the door it stops": the same complaint goes on.
        apart = apart and clause.complaint in ("none", "door", "latch")
        meant = apart and clause.sure >= LEAST and not (told or denies(clause.text, noun.text))
        if meant and seems_broken(clause.text, noun.text):
            return noun.model_copy(update={"broken": True})
    return described


def _on_topic(
    intents: Sequence[Intent],
    machines: Sequence[ApplianceFound],
    named: Sequence[Description],
    about: Sequence[Found | SymptomFound],
) -> tuple[Intent, ...]:
    """Drop chat and "what else do you carry" where the message is about a real case."""
    asks = any(one.kind in _ASKING for one in intents)
    beside = {CHAT} if about or asks or (machines and named) else set()
    asked = [one for one in intents if one.value == TOPICS["othermachine"]]
    told = any(_within_any(it, asked) for it in (*named, *about))
    if (about or machines) and (told or not any(_within_any(it, asked) for it in machines)):
        beside.add(TOPICS["othermachine"])
    return tuple(one for one in intents if one.value not in beside)


def _believed(intents: Sequence[Intent], read: Sequence[Reading]) -> tuple[Intent, ...]:
    """Drop intents found by rules in words that the classifier reads as something else."""
    return tuple(one for one in intents if not _doubted(one, read))


def _doubted(intent: Intent, read: Sequence[Reading]) -> bool:
    """Whether the classifier contradicts an intent that a rule found."""
    if (intent.kind, intent.value) == FORGET:  # this requires the whole message
        return read[0].words > _BARE and read[0].shares.get("reset", 0) < LIKELY
    label = (
        "price" if intent.kind in ("price", "stock") else _LABELS.get((intent.kind, intent.value))
    )
    around = [one for one in read if one.start <= intent.start and intent.end <= one.end]
    if label is None or not around:
        return False
    best = min(around, key=lambda one: one.end - one.start)
    share = max(
        one.shares.get(label, 0) for one in ([best] if best.words >= _TELLS_ALL else around)
    )
    if min(best.words, sentence_words(best.text, intent.start - best.start)) <= _BARE:
        sure = best.goal in POLICIES and best.sure >= CERTAIN  # "price match?"
        return intent.kind == "price" and sure  # else it is too little text for the classifier
    if intent.kind in _ASKING and _complains_of_nothing(best):
        return share < UNLIKELY
    if intent.kind in _ASKING and "?" in read[0].text and not best.text.rstrip().endswith("?"):
        return share < LIKELY  # another clause is the question
    if intent.kind == "price" and best.goal in _BESIDE_PRICES:
        return False  # "compare them: price, difficulty"
    vague = _vague(intent) and best.sure >= SURE and best.goal in (*GOALS, *TOPICS)
    other = LIKELY if best.sure >= VERY_SURE else DOUBT
    return share < (best.sure / 2 if vague else other)


def _complains_of_nothing(one: Reading) -> bool:
    """Whether a clause is taken for a complaint, but surely of nothing that is known."""
    return one.goal == "diagnose" and one.complaint == "none" and one.complaint_sure >= CERTAIN


def _present(intents: Sequence[Intent], read: Sequence[Reading]) -> tuple[Intent, ...]:
    """Drop dangers that a message only asks about: "could it give me a shock?"."""
    asked = read[0].goal == "safe" and read[0].sure >= LIKELY and "?" in read[0].text
    if not asked or any(one.kind == "hazard" and one.value not in _FEARED for one in intents):
        return tuple(intents)
    about = {"kind": "topic", "value": "safe"}
    others = [one for one in intents if one.kind != "hazard" and one.value != "safe"]
    return (*others, Intent.model_validate({**read[0].model_dump(), **about}))


def _asked_about(
    strange: Sequence[Span], read: Sequence[Reading], intents: Sequence[Intent], *, told: bool
) -> tuple[Span, ...]:
    """Drop unknown words of clauses that ask nothing about a part: "I have a tester".

    `told` says that a symptom is known; then the words of a complaint are about that.
    """
    names = (*_OF_NAMES, "model") if any(one.kind in _ASKING for one in intents) else _OF_NAMES
    names = tuple(name for name in names if not (told and name == "diagnose"))
    around = [(one, clause_of(one, read)) for one in strange]
    around = [(one, clause) for one, clause in around if not _says(clause, _TELLS)]
    return tuple(one for one, clause in around if clause.sure < SURE or clause.goal in names)


def _unclaimed(
    message: str, intents: Sequence[Intent], numbers: Sequence[Found], pointing: Sequence[Reference]
) -> int:
    """Find the position up to which nothing is mentioned that the message may be about."""
    parts = any(not isinstance(one, ModelFound) for one in numbers)
    if parts or any(one.kind == "topic" for one in intents):
        return 0
    return min((one.start for one in (*numbers, *pointing)), default=len(message))


def _no_part(intents: Sequence[Intent], named: Sequence[Description]) -> tuple[Intent, ...]:
    """Drop wishes for a person that are part names: "I need the crisper support"."""
    return tuple(
        one
        for one in intents
        if one.kind != "person" or not any(part.start < one.end <= part.end for part in named)
    )


def _told(
    message: str, found: Sequence[SymptomFound], literal: tuple[str, ...], kind: str, language: str
) -> tuple[SymptomFound, ...]:
    """Collect the symptoms that are stated, including literal ones of the catalog."""
    symptoms = tuple(one for one in found if not one.implied)
    known = {one.symptom.casefold() for one in symptoms}
    spelled = find_symptoms(message, literal, kind, language=language) if literal else ()
    return (*symptoms, *(one for one in spelled if one.symptom.casefold() not in known))


def _unpointed(
    description: Description | None, pointing: Sequence[Reference]
) -> Description | None:
    """Drop a description whose words are only a reference: "the first"."""
    if description is None or any(
        one.start <= description.start and description.end <= one.end for one in pointing
    ):
        return None
    return description


def _asked_of(
    intents: Sequence[Intent], picking: Sequence[Reference], read: Sequence[Reading]
) -> tuple[Intent, ...]:
    """Drop a price that only says which part is meant: "how hard is the cheapest one"."""
    other = [one for one in read if one.sure >= SURE and one.goal in GOALS and one.goal != "price"]
    return tuple(
        one
        for one in intents
        if one.kind != "price"
        or not other
        or not any(ref.start < one.end and one.start < ref.end for ref in picking)
    )


def _of_orders(
    intents: Sequence[Intent], message: str, numbers: Sequence[Found]
) -> tuple[Intent, ...]:
    """Drop questions about orders if the only number is a part's: "I won't send PS1 back again"."""
    order = order_number(message)
    parts = any(order and order in one.text for one in numbers if not isinstance(one, ModelFound))
    return tuple(one for one in intents if not (parts and one.kind == "order_status"))


def _milder(intents: Sequence[Intent], read: Sequence[Reading]) -> tuple[Intent, ...]:
    """Turn a request for steps into one about effort or a video, where that is meant."""
    if any(one.value == Goal.EFFORT.value for one in intents):
        return tuple(intents)
    return tuple(
        one.model_copy(update={"value": Goal.EFFORT.value})
        if one.value == Goal.INSTALL.value and _narrowest(one, read).goal == "effort"
        else one
        for one in intents
    )


def _narrowest(intent: Intent, read: Sequence[Reading]) -> Reading:
    """Find the most certain reading of the clause around an intent."""
    around = [one for one in read if one.start <= intent.start and intent.end <= one.end]
    sure = [one for one in around if one.sure >= VERY_SURE]
    return min(sure or around or read[:1], key=lambda one: one.end - one.start)


_TELLS = ("story", "tried", "wherenumber", "away", "tools")
"""Topics of clauses that ask nothing about the parts they name."""
_SEARCHED = ("find", "list")
_OF_PRICES = ("dear", "cheaper", "quote", "discount")
_BESIDE_PRICES = ("effort", "compare")
_TELLING = 2
"""Fewest words beside a number that make a question of their own."""
_BARE = 3
"""Most words of a clause that only names something: "and the thermostat"."""
_OF_WHOLE = ("compare", "howtell")
"""Topics that a clause alone does not ask: other questions are about what they name."""
_BESIDE = 6
"""Most characters between two clauses that ask one thing: "I should bin it and buy new"."""
_TELLS_ALL = 7
"""Fewest words of a clause that needs no others to be understood: "the seal has gone hard as …"."""
COMPARED: tuple[IntentKind, str] = ("topic", "compare")
_WITHOUT_NUMBER: tuple[tuple[IntentKind, str], ...] = (("goal", Goal.FIND.value), COMPARED)
CHAT = "chat"
"""The label that "are you …" gets if nothing more certain applies."""
OVER: tuple[IntentKind, str] = ("cleared", "")
_DANGER: dict[str, tuple[float, tuple[IntentKind, str]]] = {
    "rewire": (CERTAIN, ("hazard", "rewire")),
    "hazard": (CERTAIN, ("hazard", "fire")),
    "cleared": (CERTAIN, OVER),
}
"""The classifier's labels of dangers, with the required probability and the intent."""
_SMALL: dict[str, tuple[IntentKind, str]] = {
    "thanks": ("thanks", ""), "greeting": ("greeting", ""), "bye": ("bye", ""),
    "later": ("later", ""), "complaint": ("complaint", ""), "person": ("person", ""),
    "status": ("order_status", ""), "wherenumber": ("unknown_model_number", ""),
    "repeat": ("repeat", ""), "chat": ("topic", CHAT),
}  # fmt: skip
_ASKING: tuple[IntentKind, ...] = ("goal", "price", "stock")
FORGET: tuple[IntentKind, str] = ("retract", "all")
LEANING = ("price", "effort", "about", "replaces", "install")
LEAST = 0.28
"""Least probability of a question about a named part, if nothing else comes near."""
TOLD = 0.3
"""Least probability that nothing is asked, for leaving it at that."""
_FEARED = ("shock", "fire")
"""Dangers that people ask about before they exist."""
_LABELS: dict[tuple[IntentKind, str], str] = {
    **{("goal", goal.value): label for label, goal in GOALS.items()},
    **{meant: label for label, meant in _SMALL.items() if meant[0] != "topic"},
}
"""The classifier's label of each intent that rules can find."""
DIAGNOSED: tuple[IntentKind, str] = ("goal", Goal.DIAGNOSE.value)
_REPLACES: tuple[IntentKind, str] = ("goal", Goal.REPLACED.value)
WITHDRAWN = "withdrawn"
"""The value of corrections by the classifier, distinct from a mere "wait"."""
_SETTLED: tuple[IntentKind, ...] = (
    "complaint", "person", "order_status", "later", "hazard", "injection", "out_of_scope",
    "retract", "insist", "choice", "none_of_these",
)  # fmt: skip
"""Intents by rules after which the classifier adds no goal."""
_IDLE: tuple[IntentKind, ...] = ("out_of_scope", "injection", "greeting", "thanks")
"""Intents that answer nothing of a message about parts."""
_OF_MODELS = ("model", "models", "wherenumber", "check")
_OF_NAMES = (*GOALS, "compare", "correction", "untold", "diagnose")
"""Topics of clauses that may name an unknown part."""


def _learnt(
    read: Sequence[Reading],
    intents: Sequence[Intent],
    numbers: Sequence[Found],
    pointing: Sequence[Reference],
    named: Sequence[Description],
    *,
    told: bool,
    picking: bool,
) -> tuple[Intent, ...]:
    """Find the intents of which the classifier is certain and which rules did not find.

    `told`: a symptom was found; `picking`: a choice is open, which the message may settle.
    """
    parts = any(not isinstance(one, ModelFound) for one in numbers)
    ruled = told or any(one.kind in (*_ASKING, *_SETTLED) for one in intents)
    subject = bool(pointing or named or parts)
    found: dict[tuple[IntentKind, str], Intent] = {}
    orders = any(one.kind == "order_status" for one in intents)
    goes_on = any(one.goal == "hazard" and one.sure >= SURE for one in read)
    ranked = any(one.way in RANKED for one in pointing)
    eased = any(one.way in ("easiest", "quickest") for one in pointing)
    placed = read[0].words <= _BARE and any(one.way == "place" for one in pointing)
    paired = any(one.way == "they" and one.count for one in pointing)
    for one in [*read[1:], read[0]]:
        if _beside_the_point(one, read[0], named, orders=orders):
            continue
        about = subject if one.goal != "find" or one.sure >= VERY_SURE else bool(named or parts)
        quiet = not (intents or numbers or (one.sure < SURE and _of_another(one.goal, read[1:])))
        beside = ruled and not (told or _asks_apart(one, read[0], intents))
        meant = _meant(one, ruled=told or beside, quiet=quiet, subject=about)
        likely = one.goal == "compare" and one.sure >= LIKELY
        vague = meant in (None, _WITHOUT_NUMBER[0]) and one is read[0]
        numbered = not ruled and any(isinstance(known, PartFound) for known in numbers)
        if (ranked and (likely or (paired and vague and not ruled))) or (numbered and likely):
            # "Which of the two is less expensive", "… is quicker".
            meant = ("goal", Goal.EFFORT.value) if eased else COMPARED
        if numbered and one is read[0] and one.goal in _OF_MODELS and one.sure < SURE:
            meant = ("goal", Goal.CHECK.value)  # a part's number with something about a model
        surer = one is read[0] and one.sure < VERY_SURE and _of_another(one.goal, read[1:])
        if (meant == OVER and goes_on) or ((ranked or placed) and one.goal == "sure") or surer:
            continue
        models = meant == _REPLACES and not parts and any(_within_any(it, [one]) for it in numbers)
        if models or (meant == FORGET and (named or one is not read[0])):
            continue  # "it says M1 on it"; "forget it, the bulb is changed" drops one thing
        only_named = parts or picking or (named and one.sure < VERY_SURE)
        if meant == DIAGNOSED and only_named and not told:
            continue  # "and the door bin 242126602, got that?"
        compared = meant == COMPARED and (len(numbers) > 1 or one.words >= _TELLING)
        alone = meant in _WITHOUT_NUMBER and not compared
        fewest = _TELLING if one.sure >= SURE else _BARE + 1
        if meant and parts and (one.words < fewest or alone):
            continue  # a bare number repeats the last question, and needs no search
        fainter = meant in found and one.sure < SURE
        if meant and not fainter and (meant == COMPARED or not (one is read[0] and found)):
            found[meant] = _joined(found.get(meant), one, meant, read[0].text)
    return tuple(found.values())


def _joined(
    before: Intent | None, one: Reading, meant: tuple[IntentKind, str], message: str
) -> Intent:
    """Make the intent of a clause, with the clause before it if both ask one thing."""
    joins = before is not None and one.start - before.end <= _BESIDE and meant[0] == "topic"
    start = before.start if before and joins else one.start
    span = {"start": start, "end": one.end, "text": message[start : one.end]}
    return Intent.model_validate({"kind": meant[0], "value": meant[1], **span})


def _asks_apart(one: Reading, whole: Reading, intents: Sequence[Intent]) -> bool:
    """Whether a clause of its own clearly asks what the rules missed: "got it? can I fit it?"."""
    sure = one is not whole and one.sure >= VERY_SURE and one.goal in LEANING
    settled = any(intent.kind in _SETTLED for intent in intents)
    own = [_goal_of(it) for it in intents if it.kind in _ASKING and _within_any(it, [one])]
    asked = {*own} - ({Goal.PRICE} if one.goal == "effort" else set())  # "price + difficulty"
    known = {_goal_of(it) for it in intents if it.kind in _ASKING}
    short = one.words <= (_TELLING - 1 if GOALS.get(one.goal) not in known else _BARE)
    return sure and not (short or settled or asked)


def _goal_of(intent: Intent) -> Goal:
    return Goal(intent.value) if intent.kind == "goal" else Goal.PRICE


def _of_another(goal: str, clauses: Sequence[Reading]) -> bool:
    """Whether a clause clearly asks something else than the whole message seems to."""
    return any(one.sure >= VERY_SURE and one.goal in ASKED and one.goal != goal for one in clauses)


def _beside_the_point(
    one: Reading, whole: Reading, named: Sequence[Description], *, orders: bool
) -> bool:
    """Whether a clause is too short or uncertain to count beside the whole message."""
    if orders and one.words < _TELLING:
        return True  # the order's number
    if one is whole:
        return False
    searched = one.goal in _SEARCHED or (one.goal in GOALS and one.words <= _BARE)
    vague = one.sure < VERY_SURE or one.words < _TELLING
    if whole.goal in TOPICS and whole.sure >= VERY_SURE and vague and searched:
        return True  # "120 for a handle? anything cheaper?" looks for no handle
    short, share = one.words <= _BARE, whole.shares.get(one.goal, 0)
    faint = share < DOUBT and not (one.goal in LEANING and one.sure >= CERTAIN)
    if short and one.goal not in _DANGER and faint and "?" not in one.text:
        return True  # "je vous prie" asks for no price
    # "Which one first? I haven't got 200".
    surer = one.sure > whole.sure >= SURE and one.goal not in DOUBTFUL
    surer = surer or (one.sure > whole.sure and "?" in one.text)
    # "First one, the oem number and delivery cost": the whole is too mixed to be read.
    surer = surer or (whole.sure < SURE <= one.sure and one.goal in POLICIES)
    surer = surer and one.goal not in _OF_WHOLE
    surer = surer and one.goal != whole.goal
    asks = whole.goal in ASKED and not surer  # beside mere talk, a question is one
    if one.goal in TOPICS and one.sure < VERY_SURE and (short or (asks and share < LIKELY)):
        return True  # "two things."
    corrects = whole.goal == "correction" and whole.sure >= VERY_SURE
    if corrects and share < DOUBT and one.goal in GOALS:
        return True  # "oops, mine is the M1" asks nothing of the M1
    surely = whole.sure >= VERY_SURE and whole.goal in ASKED
    if one.goal in (*TOPICS, CHAT) and surely and share < POSSIBLE and "?" not in one.text:
        return True  # "very difficult? it's a rubber strip"
    shops = one.goal in POLICIES and whole.goal in POLICIES
    if shops and whole.sure >= CERTAIN and share < DOUBT:
        return True  # "can I send it back, how many days do I get?"
    if one.goal in _DANGER and share < (whole.sure / 2 if whole.goal == "diagnose" else DOUBT):
        return True  # "it drains at once" in a complaint bridges no wires
    # "and the thermostat, how much?" mends no wires
    return short and one.goal == "rewire" and bool(named) and whole.goal in GOALS


def _meant(
    one: Reading, *, ruled: bool, quiet: bool, subject: bool
) -> tuple[IntentKind, str] | None:
    """Translate a reading to an intent, if it is certain enough for its kind."""
    if one.goal in _DANGER and one.sure >= _DANGER[one.goal][0]:
        return _DANGER[one.goal][1]
    if one.sure < SURE:
        leans = subject and quiet and one.goal in LEANING and one.leads(LEAST)
        return ("goal", GOALS[one.goal].value) if leans else None
    if one.goal in TOPICS:
        of_part = one.goal == "untold" and subject  # what is asked of the part pointed at
        sure = of_part or one.goal not in DOUBTFUL or one.sure >= VERY_SURE
        return ("topic", TOPICS[one.goal]) if sure else None
    if one.goal == CHAT and one.words <= _BARE and "?" not in one.text:
        return ("later", "") if quiet else None  # "ok cool" wants no answer
    if one.goal in _SMALL:
        return _SMALL[one.goal] if quiet and one.sure >= VERY_SURE else None
    if one.goal == "reset" and one.sure >= CERTAIN:
        return FORGET
    if one.goal == "correction" and one.sure >= VERY_SURE:
        return "correction", WITHDRAWN
    if one.goal in GOALS and (
        not ruled or (one.goal in ("replaces", "models") and one.sure >= VERY_SURE)
    ):
        if one.goal in ("check", "find") and not subject:
            return None
        return "goal", GOALS[one.goal].value
    return None


def _together(
    intents: Sequence[Intent],
    learnt: Sequence[Intent],
    numbers: Sequence[Found],
    about: Sequence[_Spot],
    *,
    machine: bool,
) -> tuple[Intent, ...]:
    """Merge the intents of rules and classifier; where they compete, the better one is kept.

    `about` names or refers to parts.
    """
    if machine:  # "back to my fridge" takes no time off
        learnt = [one for one in learnt if one.kind != "later"]
    forgets = any((one.kind, one.value) == FORGET for one in learnt)
    if any(one.kind == "retract" and one.value != "last" for one in intents):
        learnt = [one for one in learnt if (one.kind, one.value) != FORGET]
    elif forgets:
        intents = [one for one in intents if one.kind != "retract"]
    fits = any(isinstance(one, ModelFound) for one in numbers)
    together = (*_kept(intents, learnt, [one.start for one in (*numbers, *about)]), *learnt)
    return (*together, *_fitting(together, fits=fits))


def _kept(
    intents: Sequence[Intent], learnt: Sequence[Intent], about: Sequence[int]
) -> tuple[Intent, ...]:
    """Drop intents by rules whose stretch is clearly about something else."""
    sure = [one for one in learnt if one.kind == "topic" or one.value in _REPLACING]
    policies = [one for one in sure if one.value in POLICIES]
    dear = [one for one in sure if one.value == TOPICS["dear"]]
    alone = [one for one in policies if not any(one.start <= at < one.end for at in about)]
    return tuple(
        one
        for one in intents
        if not (_vague(one) and _within_any(one, sure))
        and not (one.kind == "price" and _within_any(one, [*alone, *dear]))
        and not (one.kind == "order_status" and _within_any(one, policies))
    )


def _vague(intent: Intent) -> bool:
    return (intent.kind == "goal" and intent.value in _VAGUE) or intent.value == CHAT


def _named_of(intents: Sequence[Intent], named: Sequence[Description]) -> tuple[Intent, ...]:
    """Turn listing a model's parts into a search if the message names a kind of part."""
    found = {"value": Goal.FIND.value}
    return tuple(
        one.model_copy(update=found) if named and one.value == Goal.LIST.value else one
        for one in intents
    )


def _side_by_side(
    intents: Sequence[Intent], pointing: Sequence[Reference], whole: Reading
) -> tuple[Intent, ...]:
    """Turn the price and the effort of several parts into a comparison: "them: price, time"."""
    asked = {one.value or one.kind for one in intents if one.kind in _ASKING}
    both = asked | ({Goal.EFFORT.value} if whole.goal == "effort" else set())
    several = any(one.way == "they" for one in pointing)
    if both != {"price", Goal.EFFORT.value} or not several or len(pointing) > 1:
        return tuple(intents)
    kind, value = COMPARED
    compared = {"kind": kind, "value": value}
    return tuple(one.model_copy(update=compared) if one.kind in _ASKING else one for one in intents)


def _within_any(one: _Spot, others: Sequence[Intent | Reading]) -> bool:
    return any(other.start <= one.start < other.end for other in others)


POLICIES = ("shipping", "returns", "warranty", "discount", "payment", "hours", "change_order")
"""Topics of the shop, whose "how much" is not about the price of a part."""


def _fitting(intents: Sequence[Intent], *, fits: bool) -> tuple[Intent, ...]:
    """Turn "this part instead of that one on my model" into a fit check."""
    if not fits or any(one.value == Goal.CHECK.value for one in intents):
        return ()
    replaced = [one for one in intents if one.value == Goal.REPLACED.value]
    return tuple(one.model_copy(update={"value": Goal.CHECK.value}) for one in replaced[:1])


_REPLACING = (Goal.REPLACED.value, Goal.MODELS.value)
_VAGUE = (Goal.ABOUT.value, Goal.CHECK.value, Goal.LIST.value, Goal.FIND.value)
