"""Tell a turn without a model: printed lines, and stock answers of people.

Authored talk comes from the scenario. Here are replies to words that no author has foreseen, and
reactions to gestures. Texts with several variants take turns by the turn's number, so a replay
picks the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleplay.agents.saga.domain import happenings as h
from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.scope import scope_of
from ruleplay.agents.saga.policy.replies import answer_text, coins, lore_of, wares_line, why
from ruleplay.agents.saga.policy.script import Draft, Script
from ruleplay.story.acts import EVERYBODY
from ruleplay.story.beats import Beat, printed
from ruleplay.story.hearing import SURE, heard, part_of
from ruleplay.story.texts import words_of

HOW = ("deceive", "threaten", "bargain")
"""Approaches that have stock answers of their own."""
NOTED = 5
"""Fewest letters of a word that can name what a gesture is about."""


def by_rules(script: Script, rest: Sequence[Beat]) -> str:
    """Print beats, each speech of the hero's followed by the reaction to it."""
    if not (script.drafts or script.closing):
        return answer_text("very_well", script.lang)
    drafts = script.drafts[len(script.drafts) - len(rest) :]
    told = list[Beat]()
    for beat in _taken(script, drafts, rest):
        if not (beat.passage and any(beat.passage == one.passage for one in told)):
            told.append(beat)
    return printed(told)


def _taken(script: Script, drafts: Sequence[Draft], rest: Sequence[Beat]) -> Iterator[Beat]:
    free = all(one.echo or one.kind == "time" for one in drafts) and not script.closing
    posed = [one for one in drafts if one.posed and free and not script.spoke]
    for at, (draft, beat) in enumerate(zip(drafts, rest, strict=True)):
        if not draft.echo:  # the player has just written it
            yield beat
        nothing = why("nothing_found").of(script.lang).partition("{")[0]
        if draft.passage.startswith(nothing):
            there = surroundings.persons(script.game, script.book).values()
            yield _passage(" ".join(one.text.of(script.lang) for one in there))
        said = [one.spoke for one in drafts[:at] if one.spoke]
        rolled = draft.kind == "check" and bool(said) and draft.tried in ("", said[-1].text)
        follows = [one for one in drafts[at + 1 :] if not (one.echo or one.kind == "time")]
        spoke = draft.spoke or (said[-1] if rolled else None)
        if draft.spoke and not follows and not any(one.spoke for one in drafts[at + 1 :]):
            yield _says(script, draft.spoke)
        elif rolled and spoke and not follows and "✗" in beat.line.text:
            yield _says(script, spoke, refused=True)
        elif rolled and spoke and "✗" not in beat.line.text:
            yield _passage(_news(script, spoke) or _won(script, spoke))
        elif rolled is False and draft.kind == "check" and not follows:
            came = answer_text("fails" if "✗" in beat.line.text else "works", script.lang)
            yield _passage(" ".join((came, *_noticed(script))))
        elif posed and draft is posed[-1]:
            yield _passage(_done(script, draft))


def _done(script: Script, draft: Draft) -> str:
    """Say how a gesture is received by whoever is there, or describe something of the place.

    An authored sentence about what the gesture names comes first.
    """
    game, book, lang = script.game, script.book, script.lang
    if game.fight:
        return answer_text("free_in_fight", lang)
    there = surroundings.persons(game, book).values()
    texts = [surroundings.sight(game, book), *(person.text.of(lang) for person in there)]
    sentences = [one for text in texts for one in surroundings.SENTENCES.split(text) if one]
    said = {word for word in words_of(draft.posed) if len(word) >= NOTED}
    named = [lore_of(draft.posed, game, book, near=2)]
    named += [one for one in sentences if said & {*words_of(one)}]
    noticed = _noticed(script)
    told = [*filter(None, named)][:1] + noticed
    told = told or sentences[script.turn % max(1, len(sentences)) :][:1]
    lead = draft.lead or ("" if noticed else answer_text("so_be_it", lang, script.turn))
    return " ".join(filter(None, (lead, *told)))


def _noticed(script: Script) -> list[str]:
    """Return the authored reaction of one of those present, as a list; empty in a fight."""
    foes = setting.waiting_foes(script.game, script.book)
    there = foes or surroundings.persons(script.game, script.book)
    lines = [] if script.game.fight else [line for one in there.values() for line in one.notices]
    return [lines[script.turn % len(lines)].of(script.lang)] if lines else []


def _won(script: Script, spoke: h.Spoke) -> str:
    """Say how somebody is won over by words."""
    told = answer_text(f"won.{spoke.approach if spoke.approach in HOW else 'else'}", script.lang)
    return told.format(a=script.name(spoke.to))


def _news(script: Script, spoke: h.Spoke) -> str:
    """Return what somebody who has been won over knows; empty if nothing was asked or is known."""
    if spoke.want != "know":
        return ""
    foes = {**setting.waiting_foes(script.game, script.book)}
    foes |= surroundings.passed(script.game, script.book)
    one = foes.get(spoke.to) or surroundings.persons(script.game, script.book).get(spoke.to)
    known = one.knows.of(script.lang) if one and one.knows else ""
    return answer_text("tells", script.lang).format(known, a=script.name(spoke.to)) if known else ""


def _deals(script: Script, text: str) -> bool:
    """Whether words bargain or ask for a price."""
    part = heard(part_of(text, scope_of(script.game, script.book)))
    tone, subject = part.heard["tone"][0], part.heard["subject"][0]
    return (
        max(
            tone.sure if tone.label == "bargaining" else 0.0,
            subject.sure if subject.label == "price" else 0.0,
        )
        >= SURE
    )


def _passage(text: str) -> Beat:
    return Beat(id="", kind="other", says="", must=False, passage=text)


def _says(script: Script, spoke: h.Spoke, *, refused: bool = False) -> Beat:
    """Choose a stock answer: by what was wanted of somebody, and by their attitude."""
    game, book, lang = script.game, script.book, script.lang
    foes, persons = setting.waiting_foes(game, book), surroundings.persons(game, book)
    allies = setting.waiting_allies(game, book)
    anybody = next(iter((*foes, *persons)), "") if spoke.to in ("", EVERYBODY) else ""
    who = spoke.to if spoke.to in (*foes, *persons, *allies) else anybody
    if game.fight:
        to = game.fight.get(spoke.to)
        key = "unmoved" if to and to.present and to.side == "foes" else "heard"
        return _passage(answer_text(key, lang).format(a=script.name(spoke.to)))
    if not who:
        passed = [foe.name.of(lang) for foe in surroundings.passed(game, book).values()]
        told = answer_text("passed" if passed else "nobody", lang).format(a=", ".join(passed))
        return _passage(told)
    foe, person = foes.get(who), persons.get(who)
    nature = setting.nature_as(foe, book) if foe else person.nature if person else "steady"
    liking = game.story.attitude(who, person.attitude) if person else -bool(foe)
    asks = spoke.want == "know" and ("?" in spoke.text or spoke.approach != "comfort")
    asks = asks or ("?" in spoke.text and spoke.want in ("", "like"))
    if nature in ("beast", "construct"):
        key = "beast"
    elif refused:
        key = f"lost.{spoke.approach}" if spoke.approach in HOW else "refuses"
    elif asks:
        key = "knows_gladly" if liking > 0 else "knows_not" if liking == 0 else "will_not_say"
    elif spoke.want not in ("", "like", "know") or (person and spoke.approach == "bargain"):
        key = "does_not"
    else:
        key = "unmoved" if spoke.approach in ("threaten", "provoke", "press") else "nods"
    one = foe or person
    ignorant = asks and key != "beast" and one is not None and bool(one.unknown)
    told = answer_text(key, lang, script.turn).format(a=script.name(who))
    if ignorant and one:
        told = one.unknown[script.turn % len(one.unknown)].of(lang)
    if person and person.sells and not (refused or spoke.want) and _deals(script, spoke.text):
        offers = answer_text("offers", lang, script.turn)
        told = offers.format(wares_line(game, book), a=script.name(who))
    elif asks and person and (known := lore_of(spoke.text, game, book)):
        told = answer_text("tells", lang, script.turn).format(known, a=script.name(who))
    toll = book.scenario.encounters[surroundings.waiting(game, book)].toll if foe else 0
    wares = wares_line(game, book) if person and person.sells and not refused else ""
    body = {"n": coins(toll, lang), "a": script.name(who)}
    price = answer_text("toll", lang).format(**body) if toll else ""
    told = f"{told} {wares}" if wares and spoke.want in ("give", "help") else told
    return _passage(f"{told} {price}".strip())
