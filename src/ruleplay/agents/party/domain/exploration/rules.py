"""The rules of exploration: what each act leads to, and what follows automatically."""

from __future__ import annotations

from collections.abc import Callable

from ruleplay.agents.party.domain.adventure import Adventure, Deed, Talk, Test
from ruleplay.agents.party.domain.cast import Cast
from ruleplay.agents.party.domain.exploration import effects
from ruleplay.agents.party.domain.exploration.acts import (
    DM_ONLY,
    SHORT_RESTS,
    Exploration,
    deeds,
    dm_options,
    exits,
    persons,
    snatched,
    talks,
    waiting,
)
from ruleplay.agents.party.domain.exploration.draft import DM, Happened, Journey
from ruleplay.agents.party.domain.exploration.progress import Expedition
from ruleplay.agents.party.domain.happenings.exploration import (
    ALL,
    DayBroke,
    DeedDone,
    DeedFailed,
    EncounterAvoided,
    HintGiven,
    SecretDealt,
    ShortRestTaken,
    TalkFailed,
    TalkHeard,
)
from ruleplay.agents.party.domain.intents import Refusal
from ruleplay.agents.party.domain.rulebook import Rulebook

SNATCH = Test(skill="sleight-of-hand", also=("stealth",), dc=13)
"""The check for doing something small without being noticed."""
EYES = ("investigation", "perception")
"""The skills that are used to look around."""
Rule = Callable[[Journey, str, Exploration], Refusal | None]


def explore(
    now: Expedition,
    adventure: Adventure,
    cast: Cast,
    rules: Rulebook,
    who: str,
    does: Exploration,
    spending: tuple[str, ...] | None = None,
) -> tuple[Happened, ...] | Refusal:
    """Return what happens when somebody explores, or a refusal, which changes nothing.

    `who` is "dm" for the DM. A failed check is a happening, not a refusal. `spending` are the
    characters who spend hit dice in a rest; by default everybody does.
    """
    journey = Journey(now, adventure, cast, rules, spending)
    refused = _barred(journey, who, does) or RULES[does.act](journey, who, does)
    if refused:
        return refused
    effects.settle(journey)
    return tuple(journey.done)


def _barred(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    now = journey.expedition
    if now.ending:
        return Refusal(reason="adventure_over")
    if now.fighting or journey.cast.fight:
        return Refusal(reason="fight_on")
    if (who == DM) != (does.act in DM_ONLY):
        return Refusal(reason="not_for_you", about=does.act)
    if does.act != "begin" and not now.begun:
        return Refusal(reason="not_begun")
    if who != DM and who not in journey.able:
        return Refusal(reason="cannot-act", about=who)
    return None


def begin(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Set out: deal the secrets and enter the first scene."""
    if journey.expedition.begun:
        return Refusal(reason="begun")
    for key, keeper in _dealing(journey):
        journey.add(SecretDealt(secret=key, who=keeper, audience=(keeper,)))
    enter(journey, journey.adventure.start, "")
    return None


def _dealing(journey: Journey) -> list[tuple[str, str]]:
    """Return which secret each character is dealt: at most one, and one that suits the class."""
    dealt: dict[str, str] = {}
    for key, secret in journey.adventure.secrets.items():
        for one in journey.party:
            suits = not secret.suits or set(secret.suits) & set(one.classes)
            if suits and one.id not in dealt:
                dealt[one.id] = key
                break
    return [(key, who) for who, key in dealt.items()]


def enter(journey: Journey, scene: str, who: str) -> None:
    """Enter a scene and meet its encounter; an encounter that can't be avoided attacks at once."""
    effects.move_to(journey, scene, who)
    key = waiting(journey.expedition, journey.adventure)
    encounter = journey.adventure.encounters.get(key)
    if encounter and not (encounter.sneak or encounter.parley):
        effects.start_fight(journey, key)


def go(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Lead the party along an open way; a waiting encounter bars every way except the retreat."""
    now, to = journey.expedition, does.target
    if to == now.scene:
        return Refusal(reason="already-there", about=to)
    if to not in {way.to for way in exits(now, journey.adventure)}:
        return Refusal(reason="no_way", about=to)
    key = waiting(now, journey.adventure)
    if key and to != journey.adventure.encounters[key].retreat:
        return Refusal(reason="way_barred", about=key)
    enter(journey, to, who)
    return None


def search(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Search the scene: do a deed marked for searching, or else one whose check is in `EYES`."""
    found = deeds(journey.expedition, journey.adventure, who)
    seen = (key for key, one in found.items() if one.test and {*EYES} & {*one.test.skills})
    key = next(iter((*(key for key, one in found.items() if one.search), *seen)), "")
    if not key:
        return _watched(journey) or Refusal(reason="nothing_found")
    return deed(journey, who, Exploration(act="deed", target=key))


def deed(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Do a deed that the adventure has prepared for the scene.

    While an encounter waits, only small deeds are possible; whoever is noticed starts a fight.
    """
    key, watched = does.target, _watched(journey)
    done = deeds(journey.expedition, journey.adventure, who).get(key)
    if watched and not (done and snatched(journey.expedition, journey.adventure, done)):
        return watched
    if done is None:
        return Refusal(reason="not_possible", about=key)
    if missing := _missing(journey, done, who):
        return Refusal(reason="not_carried", about=missing)
    if watched and not effects.check(journey, who, SNATCH):
        effects.start_fight(journey, watched.about)
    elif _passes(journey, who, done):
        journey.add(DeedDone(deed=key, who=who))
        effects.gain(journey, done.gain, who)
    else:
        journey.add(DeedFailed(deed=key, who=who))
        effects.gain(journey, done.loss, who)
    return None


def _missing(journey: Journey, done: Deed, who: str) -> str:
    carrier = journey.cast.the(who)
    return next((item for item in done.gain.takes if not carrier.count(item)), "")


def talk(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Hear what a person has to say about a topic, or their greeting when no topic is named."""
    if refused := _watched(journey):
        return refused
    now, adventure = journey.expedition, journey.adventure
    if does.target not in persons(now, adventure):
        return Refusal(reason="not_here", about=does.target)
    open_talks = talks(now, adventure, does.target, who)
    greetings = [key for key, one in open_talks.items() if one.default]
    key = does.topic or next(iter((*greetings, *open_talks)), "")
    if key not in open_talks:
        return Refusal(reason="nothing_more", about=does.target)
    said = open_talks[key]
    if _passes(journey, who, said):
        hear(journey, who, key)
        return None
    audience = (who,) if said.secret else ALL
    told = {"talk": key, "person": does.target, "who": who, "audience": audience}
    journey.add(TalkFailed.model_validate(told))
    effects.gain(journey, said.loss, who, audience)
    return None


def hear(journey: Journey, who: str, key: str) -> None:
    """Let a person tell what they have to say about a topic."""
    said = journey.adventure.talks[key]
    audience = (who,) if said.secret else ALL
    told = {"talk": key, "person": said.person, "who": who, "audience": audience}
    journey.add(TalkHeard.model_validate({**told, "unseen": bool(said.secret)}))
    effects.gain(journey, said.gain, who, audience)


def _passes(journey: Journey, who: str, section: Deed | Talk) -> bool:
    return section.test is None or effects.check(journey, who, section.test)


def _watched(journey: Journey) -> Refusal | None:
    """Return a refusal while an encounter waits, else None."""
    key = waiting(journey.expedition, journey.adventure)
    return Refusal(reason="somebody_waits", about=key) if key else None


def avoid(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Slip or talk one's way past the waiting encounter; a failure starts a fight."""
    how = does.act
    key = waiting(journey.expedition, journey.adventure)
    if not key:
        return Refusal(reason="nobody_waits")
    encounter = journey.adventure.encounters[key]
    test = encounter.sneak if how == "sneak" else encounter.parley
    if test is None:
        return Refusal(reason="no_sneaking" if how == "sneak" else "no_parley", about=key)
    if _gets_past(journey, who, how, test):
        avoided = {"encounter": key, "who": who, "how": how}
        journey.add(EncounterAvoided.model_validate(avoided))
        effects.gain(journey, encounter.gain, who)
    else:
        effects.start_fight(journey, key)
    return None


def _gets_past(journey: Journey, who: str, how: str, test: Test) -> bool:
    """Check for one character in a parley, for everyone in sneaking, where half must succeed."""
    if how == "parley":
        return effects.check(journey, who, test)
    tried = [effects.check(journey, one, test) for one in journey.able]
    return 2 * sum(tried) >= len(tried)


def provoke(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Attack the waiting encounter, or let it attack."""
    key = waiting(journey.expedition, journey.adventure)
    if not key:
        return Refusal(reason="nobody_waits")
    effects.start_fight(journey, key)
    return None


def short_rest(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Take a short rest of an hour, where no encounter waits."""
    if refused := _watched(journey):
        return refused
    if journey.expedition.short_rests >= SHORT_RESTS:
        return Refusal(reason="rested_enough")
    journey.add(ShortRestTaken())
    effects.rest(journey, "short")
    return None


def long_rest(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Take a long rest in a safe scene; a new day begins."""
    if refused := _watched(journey):
        return refused
    if not journey.adventure.scenes[journey.expedition.scene].safe:
        return Refusal(reason="not_safe")
    effects.rest(journey, "long")
    journey.add(DayBroke(day=journey.expedition.day + 1))
    return None


def hint(journey: Journey, who: str, does: Exploration) -> Refusal | None:
    """Point to something that can be done here."""
    offered = dm_options(journey.expedition, journey.adventure, journey.able)
    if does.id not in {one.id for one in offered}:
        return Refusal(reason="not_possible", about=does.target)
    journey.add(HintGiven(about=does.target))
    return None


RULES: dict[str, Rule] = {
    "begin": begin,
    "go": go,
    "search": search,
    "deed": deed,
    "talk": talk,
    "sneak": avoid,
    "parley": avoid,
    "provoke": provoke,
    "short_rest": short_rest,
    "long_rest": long_rest,
    "hint": hint,
    "spring": provoke,
}
"""What each act of exploring does."""
