"""List what an unclear message may mean, as choices that are certainly understood when picked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.party.domain.staging import people
from ruleplay.agents.party.domain.terms_text import SKILLS as NAMES
from ruleplay.agents.party.policy.deeds import tried
from ruleplay.agents.party.policy.ears import ASKED, CLEAR, HUSHED, SKILLS, TOLD, Ear, Meant
from ruleplay.agents.party.policy.meaning import METAS, clear, looked_up, meaning, told
from ruleplay.agents.party.policy.refusals import texts
from ruleplay.story.acts import ACTS_AT_MOST, EVERYBODY, Act, Reading
from ruleplay.story.hearing import CLAUSES, PERHAPS, heard, part_of
from ruleplay.story.mentions import conditional
from ruleplay.story.texts import towards, words_of

ASK, GAME = texts("asking"), texts("game")
UNDERSTOOD, NAMED, MORE = 2.0, 0.3, 0.3
"""Bonuses to a meaning's score: it was understood, it is named, there is a question mark."""

Way = tuple[float, str, Reading]
"""A possible meaning: score, label of the choice, reading."""


def ways(message: str, ears: Sequence[Ear], found: Sequence[Meant]) -> dict[str, Reading]:
    """Map the labels of choices to what a whole message may mean, the likeliest first."""
    whole = ears[0].model_copy(
        update={"part": heard(part_of(message, ears[0].scope)), "quoted": ()}
    )
    every = (whole, *ears)
    rows = [
        *_understood(whole, found),
        *_for_each_case(ears),
        *_said(whole, every),
        *_asked(whole, every),
        *_of_the_game(whole, every),
        *_tried(whole, every),
        *_offered(whole, found),
    ]
    ranked = sorted((one for one in rows if one[0] >= PERHAPS), key=lambda one: -one[0])
    return {label: reading for _, label, reading in ranked}


def _for_each_case(ears: Sequence[Ear]) -> Iterator[Way]:
    """Yield the deeds of a conditional message, each without its condition."""
    for ear in ears:
        for said in CLAUSES.split(ear.part.text) if conditional(ear.part.words) else ():
            deed = unconditional(said)
            one = meaning(ear.model_copy(update={"part": heard(part_of(deed, ear.scope))}))
            if len(words_of(deed)) > 1 and one.costly and one.acts:
                yield UNDERSTOOD + one.named, deed, Reading(acts=one.acts)


def unconditional(said: str) -> str:
    """Return the words of a clause before its condition."""
    words = said.rstrip(".!").split()
    sizes = range(len(words), -1, -1)
    size = next(n for n in sizes if not conditional(words_of(" ".join(words[:n]))))
    return " ".join(words[:size])


def only(act: Act) -> Reading:
    """Wrap one act as a reading."""
    return Reading(acts=(act,))


def _likeliest(every: Sequence[Ear], *acts: str) -> float:
    return max(sum(map(one.part.chance, acts)) for one in every)


def _understood(whole: Ear, found: Sequence[Meant]) -> Iterator[Way]:
    """Yield the clear, costly parts of a message, with the rest reduced to harmless ones."""
    plain = [one for one in found if clear(one) and one.acts and one.acts[0].do != "meta"]
    if any(one.costly for one in plain) and len(plain) < len(found):
        said = "; ".join((*one.choices, one.said)[0] for one in plain if one.costly)
        every = (act for one in found for act in (one if one in plain else told(one)).acts)
        label = ASK["with_rest"].of(whole.table.lang).format(said)
        yield UNDERSTOOD, label, Reading(acts=tuple(every)[:ACTS_AT_MOST])


def _said(whole: Ear, every: Sequence[Ear]) -> Iterator[Way]:
    """Yield the message as speech: to somebody named or present, in private, or to everybody."""
    lang, asks = whole.table.lang, MORE * ("?" in whole.part.text)
    here = {key: name.of(lang) for key, name in people(whole.table, whole.book).items()}
    named = next((one.who for one in every if one.who), "")
    to = named or next(iter(here), "")
    chance = _likeliest(every, "speak", "buy", "sell") + asks
    text = whole.part.text[:TOLD]
    if to:
        name = here.get(to) or whole.name_of(to)
        yield (
            chance + 0.01,
            ASK["say_to"].of(lang).format(towards(name) if lang == "fr" else name),
            only(Act(do="say", to=to, text=text)),
        )
    if to in whole.table.characters:
        few = only(Act(do="whisper", to=to, text=text))
        yield chance, ASK["only_to"].of(lang).format(whole.name_of(to)), few
    else:
        yield chance, ASK["say_all"].of(lang), only(Act(do="say", to=EVERYBODY, text=text))


def _asked(whole: Ear, every: Sequence[Ear]) -> Iterator[Way]:
    """Yield the message as a question to the game master."""
    chance = _likeliest(every, *ASKED) + MORE * ("?" in whole.part.text)
    acts = looked_up(whole.part, sure=1.0).acts
    yield chance, ASK["ask_dm"].of(whole.table.lang), Reading(acts=acts)


def _of_the_game(whole: Ear, every: Sequence[Ear]) -> Iterator[Way]:
    """Yield the message as a command to the game, such as an undo or a setting."""
    for act, meta in METAS.items():
        if meta in GAME:
            does = Act(do="meta", meta=meta, text=whole.part.text)
            yield _likeliest(every, act), GAME[meta].of(whole.table.lang), only(does)


def _tried(whole: Ear, every: Sequence[Ear]) -> Iterator[Way]:
    """Yield the message as a check, and as a gesture without effect."""
    lang = whole.table.lang
    chances = {act: _likeliest(every, act) for act in SKILLS}
    act = max(chances, key=lambda act: chances[act])
    named = any(one.part.skill for one in every)
    if named or chances[act] >= HUSHED:  # otherwise the skill would be a mere guess
        trial = tried(whole.model_copy(update={"part": whole.part.instead(act)})).acts
        skill = next((one.skill for one in trial if one.do == "check"), "")
        if skill:
            label = ASK["try"].of(lang).format(NAMES[skill].of(lang))
            yield sum(chances.values()) + 0.05, label, Reading(acts=trial)
    does = only(Act(do="flourish", text=whole.part.text))
    yield max(_likeliest(every, "pose"), PERHAPS), ASK["tell"].of(lang), does


FACING = ("parley", "sneak", "provoke")
"""Kinds of options against foes who bar the way."""


def _offered(whole: Ear, found: Sequence[Meant]) -> Iterator[Way]:
    """Yield offers that may be meant: named or likely ones, and those about waiting foes."""
    for option in whole.options(*FACING) if whole.barred else ():
        yield PERHAPS, option.label.of(whole.table.lang), Reading()
    for one in (one for one in found if not clear(one)):
        for at, label in enumerate(one.choices):
            if one.names or one.sure >= CLEAR:
                yield one.sure + NAMED * one.names - at / 10, label, Reading()
