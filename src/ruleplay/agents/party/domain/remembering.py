"""Which happenings are worth remembering, and who remembers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from ruleplay.agents.party.domain.happenings import creatures as h
from ruleplay.agents.party.domain.happenings import exploration as x
from ruleplay.agents.party.domain.happenings import table as p
from ruleplay.agents.party.domain.happenings import tale as t
from ruleplay.agents.party.domain.memory import Line
from ruleplay.agents.party.domain.seats import EVERYONE, Audience, private
from ruleplay.story.texts import Frozen

ALL: Audience = (EVERYONE,)
OWN = 160
"""The most characters kept of what somebody did in their own words."""
Kinds = Callable[[str], str]
Noted = tuple[str, str, str, str, Audience]


def lines_of(happening: Frozen, round: int, seats: Audience) -> tuple[tuple[Line, Audience], ...]:  # noqa: A002
    """Return the lines that a happening leaves in memories, each with who may have it.

    Deaths and falls are noted only for `seats`, the player characters.
    """
    noted = [*_of_story(happening), *_of_table(happening), *_of_fights(happening, seats)]
    if isinstance(happening, t.Remembered):
        noted.append((happening.kind, happening.about, happening.other, happening.value, ALL))
    return tuple(
        (Line(round=round, kind=kind, about=about, other=other, value=value), audience)
        for kind, about, other, value, audience in noted
    )


def _of_story(happening: Frozen) -> Iterator[Noted]:  # noqa: C901 - one row each
    match happening:
        case x.SceneEntered(scene=key, first=first):
            yield "scene" if first else "again", key, "", "", ALL
        case x.DeedDone(deed=key, who=who):
            yield "deed", key, who, "", ALL
        case x.TalkHeard(talk=key, who=who, unseen=unseen):
            yield "talk", key, who, "", private(who) if unseen else ALL
        case x.ClueFound(clue=key, who=who, audience=audience):
            yield "clue", f"clue:{key}", who, "", audience
        case x.SecretDealt(secret=key, who=who):
            yield "secret", f"secret:{key}", who, "", private(who)
        case x.SecretRevealed(secret=key, who=who):
            yield "secret", f"secret:{key}", who, "", ALL
        case x.EncounterOver(encounter=key, outcome=outcome):
            yield "fight", key, "", outcome, ALL
        case x.EncounterAvoided(encounter=key, how=how):
            yield "avoided", key, "", how, ALL
        case x.DetailPlanted(detail=key):
            yield "planted", key, "", "", ALL
        case x.DetailReturned(detail=key):
            yield "returned", key, "", "", ALL
        case x.DayBroke(day=day):
            yield "rest", "", "", str(day), ALL
        case x.EndingReached(ending=key):
            yield "ending", key, "", "", ALL


def _of_table(happening: Frozen) -> Iterator[Noted]:
    match happening:
        case p.Spoke(seat=seat, text=text):
            yield "said", seat, "", text, ALL
        case p.Whispered(seat=seat, to=to, text=text):
            yield "whisper", seat, " ".join(to), text, private(seat, *to)
        case p.Learned(key=key, to=to, by=by):
            kind = "clue" if key.startswith("clue:") else "secret"
            yield kind, key, by, "", to if EVERYONE in to else private(by, *to)


def _of_fights(happening: Frozen, seats: Audience) -> Iterator[Noted]:
    match happening:
        case h.Died(who=who, by=by) if who in seats:
            yield "death", who, by, "", ALL
        case h.Fell(who=who, by=by) if who in seats:
            yield "down", who, by, "", ALL
        case h.LevelReached(who=who, level=level):
            yield "level", who, "", str(level), ALL
        case h.ItemGained(who=who, item=item):
            yield "item", item, who, "", ALL


def _rolls(came: Sequence[Frozen], who: str) -> Iterator[bool]:
    """Yield how the rolls for somebody's deed went; what is sure has none."""
    for one in takewhile(lambda one: not isinstance(one, t.Did), came):
        if isinstance(one, h.Checked) and one.who == who:
            yield one.success


def worth_remembering(done: Sequence[Frozen], kind_of: Kinds) -> Iterator[t.Remembered]:
    """Yield what else in a turn is worth a line: what people made up, did, gave and promised.

    Foes are noted by their kind, because they have no names once the fight is over.
    """
    for at, one in enumerate(done):
        match one:
            case t.KeepsakeGained(who=who, text=text):
                yield t.Remembered(kind="keepsake", about=who, value=text)
            case t.KeepsakeGiven(who=who, to=to, text=text) if to:
                yield t.Remembered(kind="gift", about=who, other=to, value=text)
            case t.Did(who=who, text=text, tries=tries, said=said) if len(
                text.split()
            ) > 2 and not (tries and said):
                rolls = _rolls(done[at + 1 :], who)
                kind = "failed" if tries and not next(rolls, True) else "did"
                yield t.Remembered(kind=kind, about=who, value=text[:OWN])
            case t.PersonActs(person=who, text=text) if text:
                yield t.Remembered(kind="did", about=who, value=text[:OWN])
            case t.DetailEstablished(kind="promise", author=who, text=text):
                yield t.Remembered(kind="promise", about=who, value=text[:OWN])
            case t.Yielded(who=who, captive=captive) if captive:
                yield t.Remembered(kind="beaten", about=kind_of(who))
            case x.DeedFailed(deed=key, who=who):
                yield t.Remembered(kind="tried", about=key, other=who)
            case h.Died(who=who, by=by) if kind_of(who):
                yield t.Remembered(kind="slain", about=kind_of(who), other=by)
