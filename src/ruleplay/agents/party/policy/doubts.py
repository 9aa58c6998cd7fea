"""Find the parts of a message that may be misheard although they cost nothing.

Costly parts have bounds of their own (`meaning.clear`). A gesture is only told, which is right
whatever was meant. What is left is speech that nobody was addressed by, and questions to the game:
said to somebody else, or answered with nothing, they help nobody, so the player is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from ruleplay.agents.party.domain.happenings.table import Consulted
from ruleplay.agents.party.policy.answering import wares
from ruleplay.agents.party.policy.answers import has_answer
from ruleplay.agents.party.policy.ears import ASKED, CALLED, MASTER, Ear, Meant
from ruleplay.agents.party.policy.meaning import clear, told
from ruleplay.story.acts import EVERYBODY, Act
from ruleplay.story.hearing import SUBJECTS
from ruleplay.story.mentions import mentioned

SPEECH = ("speak", "buy", "sell", "follow", "whisper")
GATE = 0.6
"""Least probability of what such a part is taken for.

It is the median of the bounds that were best for four of five sets of strangers' messages, where a
part heard wrong counts twice as much as a needless question. Of 39 parts to nobody by name, 21 of
the 26 above it were heard right, and 7 of the 13 below.
"""


def doubtful(ears: Sequence[Ear], found: Sequence[Meant]) -> list[int]:
    """Return the indices of the parts that are taken for speech or a question without reason."""
    spoken_to, doubts = set[str](), list[int]()
    for at, (ear, one) in enumerate(zip(ears, found, strict=True)):
        acts = one.acts if clear(one) else told(one).acts
        foe = ear.fighting and ear.named_foe and not ear.quoted  # spoken of, or to
        if ear.part.sure and (foe or not one.called) and _doubted(ear, acts, spoken_to):
            doubts.append(at)
        spoken_to |= {_to(act) for act in acts}
    # A plan that names several is said to them with all that stands around it.
    plan = any(ear.mates > 1 for ear in ears)
    return [at for at in doubts if not (plan and _says(found[at]))]


def _says(one: Meant) -> bool:
    return all(act.do == "say" for act in (one.acts if clear(one) else one.plain))


def _to(act: Act) -> str:
    """Return who is spoken to, also by a topic that is picked."""
    return act.to or act.item.partition(":")[2].partition("/")[0]


def _doubted(ear: Ear, acts: Sequence[Act], spoken_to: set[str]) -> bool:
    if not acts or wares(ear.part.words, ear.table, ear.book):
        return False
    if all(act.do == "say" or act.item.startswith("talk:") for act in acts):
        goes_on = any(_to(act) in spoken_to - {"", EVERYBODY} for act in acts)
        addressed = ear.spoken or ear.mates or goes_on
        return not addressed and max(_chance(ear, SPEECH), _spoken(ear)) < GATE
    if all(act.do == "ask" for act in acts):
        asked = (
            Consulted.model_validate(
                {"seat": ear.seat, "topic": act.to, "about": act.text, "asked": bool(act.text)}
            )
            for act in acts
        )
        known = any(has_answer(one, ear.table, ear.book) for one in asked)
        # What oneself might do is answered with the roll that it takes.
        own = {*ear.part.words[:CALLED]} & {*SUBJECTS} and "?" in ear.part.text
        known = known or (bool(own) and any(act.to == "rules" for act in acts))
        to_game = mentioned(ear.part.words, (MASTER,)) is not None
        return not (known or to_game) and _chance(ear, tuple(ASKED)) < GATE
    return False


def _chance(ear: Ear, acts: Sequence[str]) -> float:
    return sum(map(ear.part.chance, acts))


def _spoken(ear: Ear) -> float:
    return next(one.sure for one in ear.part.heard["free"] if one.label == "speak")
