"""A turn where no model tells it: its lines, and what people answer whom nobody wrote words for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.scenario import Lore
from ruleplay.agents.saga.policy.replies import answer_text, coins, own_text, wares_line
from ruleplay.agents.saga.policy.script import Draft, Script
from ruleplay.story.acts import EVERYBODY
from ruleplay.story.beats import Beat, printed
from ruleplay.story.texts import words_of
from ruleplay.story.undone import quoted

MUTE = ("knows_not", "knows_gladly", "nods")
"""How somebody takes words who means well and has no answer."""
NOTED = 4
"""Letters of a word from which on it says what somebody turned to."""


def by_rules(script: Script, rest: Sequence[Beat]) -> str:
    """Return the lines of beats, each speech of the hero's followed by how it is taken."""
    if not (script.drafts or script.closing):
        return answer_text("very_well", script.lang)
    drafts = script.ordered[len(script.ordered) - len(rest) :]
    alone = len(script.drafts) == 1 and not script.closing
    return printed(tuple(_taken(script, drafts, rest, alone=alone)))


def _taken(
    script: Script, drafts: Sequence[Draft], rest: Sequence[Beat], *, alone: bool
) -> Iterator[Beat]:
    for at, (draft, beat) in enumerate(zip(drafts, rest, strict=True)):
        if not (beat.echo and alone) or script.game.fight:
            yield beat
        rolled = draft.kind == "check" and script.spoke is not None and not draft.passage
        follows = [one for one in drafts[at + 1 :] if not (one.echo or one.kind == "time")]
        spoke = draft.spoke or (script.spoke if rolled else None)
        if draft.spoke and not follows and not any(one.spoke for one in drafts[at + 1 :]):
            yield _says(script, draft.spoke)
        elif rolled and spoke and not follows and "✗" in beat.line.text:
            yield _says(script, spoke, refused=True)
        elif rolled is False and draft.kind == "check" and not drafts[at + 1 :]:
            key = "fails" if "✗" in beat.line.text else "works"
            yield _passage(answer_text(key, script.lang).format(quoted([draft.tried], script.lang)))
        elif beat.echo and alone and not draft.spoke:
            yield _passage(_done(script, draft.posed))


def _done(script: Script, posed: str) -> str:
    """Return how a gesture is taken that costs nothing: the place goes on, as its author has it."""
    game, book, lang = script.game, script.book, script.lang
    if game.fight:
        return answer_text("free_in_fight", lang)
    there = surroundings.persons(game, book).values()
    texts = [surroundings.sight(game, book), *(person.text.of(lang) for person in there)]
    if key := surroundings.waiting(game, book):
        texts = [book.scenario.encounters[key].text.of(lang)]
    sentences = [one for text in texts for one in surroundings.SENTENCES.split(text) if one]
    said = {word for word in words_of(posed) if len(word) >= NOTED}
    named = [lore.text.of(lang) for lore in book.scenario.lores.values() if said & _words(lore)]
    named += [one for one in sentences if said & {*words_of(one)}]
    seen = (named or sentences or [""])[crc32(posed.encode()) % len(named or sentences or [""])]
    return f"{answer_text('so_be_it', lang)} {seen}".strip()


def _words(lore: Lore) -> set[str]:
    return {word for phrase in lore.words.all for word in words_of(phrase)}


def _passage(text: str) -> Beat:
    return Beat(id="", kind="other", says="", must=False, passage=text)


def _says(script: Script, spoke: h.Spoke, *, refused: bool = False) -> Beat:
    """Return what somebody answers: by what was wanted of them, and by what they think of it."""
    game, book, lang = script.game, script.book, script.lang
    foes, persons = setting.waiting_foes(game, book), surroundings.persons(game, book)
    allies = setting.waiting_allies(game, book)
    anybody = next(iter((*foes, *persons)), "") if spoke.to in ("", EVERYBODY) else ""
    who = spoke.to if spoke.to in (*foes, *persons, *allies) else anybody
    if game.fight:
        heard = game.fight.get(spoke.to)
        key = "unmoved" if heard and heard.present and heard.side == "foes" else "heard"
        return _passage(answer_text(key, lang).format(a=script.name(spoke.to)))
    if not who:
        passed = [foe.name.of(lang) for foe in surroundings.passed(game, book).values()]
        told = answer_text("passed" if passed else "nobody", lang).format(a=", ".join(passed))
        return _passage(told)
    foe, person = foes.get(who), persons.get(who)
    nature = setting.nature_as(foe, book) if foe else person.nature if person else "steady"
    liking = game.story.attitude(who, person.attitude) if person else -bool(foe)
    asks = spoke.want == "know" or ("?" in spoke.text and spoke.want in ("", "like"))
    if nature in ("beast", "construct"):
        key = "beast"
    elif refused:
        key = "refuses"
    elif asks:
        key = "knows_gladly" if liking > 0 else "knows_not" if liking == 0 else "will_not_say"
    elif spoke.want and spoke.want != "like":
        key = "does_not"
    else:
        key = "unmoved" if spoke.approach in ("threaten", "provoke", "press") else "nods"
    told = answer_text(key, lang).format(a=script.name(who))
    if person and person.wants and key in MUTE:
        told += " " + answer_text("wants", lang).format(person.wants.of(lang), a=script.name(who))
    toll = book.scenario.encounters[surroundings.waiting(game, book)].toll if foe else 0
    talks = surroundings.talks(game, book, who).values() if person else ()
    asked = ", ".join(dict.fromkeys(one.hint.of(lang) for one in talks if one.hint))
    told += f" {own_text('asked_of').of(lang).format(script.name(who), asked)}" if asked else ""
    wares = wares_line(game, book) if person and person.sells and not refused else ""
    body = {"n": coins(toll, lang), "a": script.name(who)}
    price = answer_text("toll", lang).format(**body) if toll else ""
    told = f"{told} {wares}" if wares and spoke.want in ("give", "help") else told
    return _passage(f"{told} {price}".strip())
