"""Turn what a player says to somebody into a topic, a plea, small talk, or a question back.

`say` is the entry point. Words that are to win somebody over are rolled for, so aim and tone have
to be sure; words that nothing in the scene answers have to be surely words.
"""

from __future__ import annotations

from ruleplay.agents.saga.domain import demands, setting, surroundings
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.scope import TOLL
from ruleplay.agents.saga.policy.answers import subject_of
from ruleplay.agents.saga.policy.ear import (
    ASKS,
    CLEAR,
    DEMANDS,
    LONG_TALK,
    NAMED,
    SHORT,
    Ear,
    Meant,
)
from ruleplay.agents.saga.policy.replies import lore_of
from ruleplay.story.acts import EVERYBODY, Act, Approach
from ruleplay.story.mentions import only_person
from ruleplay.story.texts import words_of
from ruleplay.story.wording import Phrase

AIMED, TONED, SPOKEN = 0.65, 0.5, 0.87
"""Least probability that words are said and what they are for; of their tone with that; and of
speech to which nothing in the scene is an answer. They were measured on messages that the reader
had never seen, each set of them by the others: of what was less sure, most meant something else."""
AWAY_AT_LEAST, STRUCK = 0.15, 0.4
"""Least probability of going to an absent person instead; of a question in a fight."""
KIND = ("charm", "comfort")
"""Tones of small talk, which nobody rolls for."""


def say(ear: Ear, words: str, *, sure: float) -> Meant:
    """Understand a part as speech, to whoever is meant; `words` are what is spoken."""
    part, game = ear.part, ear.game
    foes = setting.waiting_foes(game, ear.book)
    away = not ear.reports and sum(map(part.chance, ("go", "buy"))) >= AWAY_AT_LEAST
    if away and ear.absent in surroundings.elsewhere(game, ear.book):
        return Meant(sure=CLEAR, acts=(Act(do="move", to=ear.absent, text=part.text),))
    if ear.absent and not game.fight and (ear.reports or not foes):
        return Meant(sure=sure, intent=ear.intent("talk", target=ear.absent))
    alone = only_person(ear.scope)
    # If foes bar the way, speech without an address is for them, not for the hero's companions.
    others = (*game.story.company, *setting.waiting_allies(game, ear.book))
    alone = "" if foes and alone in others else alone
    words = words if ear.quoted else ear.reported
    return _said_to(ear, ear.who or alone or next(iter(foes), ""), words, sure)


def _said_to(ear: Ear, who: str, words: str, sure: float) -> Meant:
    part, game = ear.part, ear.game
    said = (*part.words, *words_of(words)) if ear.quoted else part.words
    free = not (ear.quoted or _foes(ear) or game.fight)
    topic, wanted = _topic_of(ear, who, words, said), _wanted(ear)
    if unclear := _bargain_or_talk(ear, wanted, free=free):
        return unclear
    if ear.coins and not (_foes(ear) or game.fight or haggles(ear) or _pays(ear)):
        # They may be asked for as well as offered: it is said, and nothing changes hands.
        speech = {"do": "say", "to": ear.here(who), "text": words, "approach": ear.approach}
        return Meant(sure=sure, acts=(Act.model_validate(speech),))
    if game.fight and not (ear.quoted or ear.who):
        least = STRUCK if wanted == "know" else CLEAR if wanted else NAMED
        sure = sure if sure >= least else 0.0
    if free and who and (topic or (ear.greets and (words == part.text or len(said) < SHORT))):
        return Meant(sure=sure, intent=ear.intent("talk", target=who, item=topic))
    if wanted and not haggles(ear) and (doubted := _doubted(ear, wanted)):
        return doubted
    if free and (opened := _opening_for(ear, who, wanted)):
        if not ear.reports:
            return Meant(sure=sure, intent=ear.intent("talk", target=who))
        topic = opened
    return _spoken(ear, who, words, topic, sure)


def _spoken(ear: Ear, who: str, words: str, topic: str, sure: float) -> Meant:
    """Build the act of saying something, and say how sure it is that it is one."""
    wanted, approach, foes = _wanted(ear), _approach(ear), _foes(ear)
    coin = ear.coins if wanted and not ear.game.fight else 0
    hires = wanted == "join" and not ear.who and surroundings.may_hire(ear.game, ear.book)
    to = EVERYBODY if hires else ear.here(who)
    body = {"do": "say", "to": to, "text": words, "approach": approach, "coin": coin}
    body |= {"want": "give", "item": ear.ware} if haggles(ear) else {"want": wanted, "topic": topic}
    costly = bool(foes and wanted) and not ear.quoted
    if costly and ear.reports and approach != "plain":
        sure = max(sure, CLEAR)  # tone and aim are independent evidence that it is speech
    act = Act.model_validate(body)
    if not (costly or topic or haggles(ear)) and _unanswered(ear, wanted):
        return Meant(sure=0.0, acts=(act,), costly=True)
    return Meant(sure=sure, acts=(act,), costly=costly, choice=Intent(act="parley"))


def _foes(ear: Ear) -> bool:
    return bool(setting.waiting_foes(ear.game, ear.book))


def haggles(ear: Ear) -> bool:
    """Whether words argue about the price of a ware, without naming a sum."""
    return bool(ear.approach == "bargain" and ear.ware and not ear.coins)


def _wanted(ear: Ear) -> str:
    """Return what words are meant to bring about; of those who bar the way it is the passage."""
    if ear.absent:
        return ""
    if not _foes(ear) or ear.approach == "plain" or ear.want in DEMANDS:
        return ear.want
    wanted = ear.demanded or ear.want
    news = ear.part.heard["want"][0].sure >= NAMED
    return "pass" if ear.approach == "bargain" and wanted == "know" and not news else wanted


def _aimed(ear: Ear) -> float:
    """Return how sure it is that words are said, and are to bring about what they seem to."""
    return (1.0 if ear.quoted else ear.part.sure) * ear.part.heard["want"][0].sure


def _doubted(ear: Ear, wanted: str) -> Meant | None:
    """Answer or ask about words whose aim is unsure, if they would be rolled for."""
    rolled = _foes(ear) or _rolls(ear, wanted)
    if ear.quoted or not rolled or _aimed(ear) >= AIMED:
        return None
    clear = subject_of(ear.part) and ear.part.heard["subject"][0].sure >= ASKS
    if clear and not ear.tenders:
        return ear.put()
    return Meant(sure=0.0, costly=True, choice=Intent(act="parley")) if _foes(ear) else None


def _rolls(ear: Ear, wanted: str) -> bool:
    small = wanted == "know" and ear.approach in KIND
    return bool(wanted) and ear.approach != "plain" and not small


def _approach(ear: Ear) -> Approach:
    """Return the tone, or plain where a roll would hang on a tone or an aim that is unsure."""
    wanted, tone = _wanted(ear), ear.part.heard["tone"][0].sure
    unsure = _aimed(ear) < AIMED or _aimed(ear) * tone < TONED
    if _rolls(ear, wanted) and unsure and not haggles(ear):
        return "plain"
    free = not (ear.quoted or _foes(ear) or ear.game.fight)
    deals = ear.coins or ear.ware or wanted  # without these a bargain only asks what is for sale
    return "plain" if ear.approach == "bargain" and free and not deals else ear.approach


def _unanswered(ear: Ear, wanted: str) -> bool:
    """Whether words may be none, and nobody here has an answer of their own to them."""
    sure = ear.part.sure >= SPOKEN or "?" in ear.part.text or ear.reports
    if ear.quoted or ear.game.fight or sure:
        return False
    known = ear.greets or ear.coins or lore_of(ear.part.text, ear.game, ear.book)
    return wanted in ("", "know", "like") and not known


def _bargain_or_talk(ear: Ear, wanted: str, *, free: bool) -> Meant | None:
    """Ask about speech that may be a purchase or an offer to foes; coins are only spoken of."""
    foes = not ear.quoted and _foes(ear)
    if haggles(ear):
        return None
    if free and ear.ware:
        return Meant(sure=0.0, choice=Intent(act="buy", item=ear.ware))
    if foes and ((ear.part.item and ear.thing != TOLL) or (ear.coins and not wanted)):
        return Meant(sure=0.0, choice=Intent(act="parley"))
    return None


def _pays(ear: Ear) -> bool:
    """Whether the coins in speech to somebody are plainly offered: for news or for company."""
    want = ear.part.heard["want"][0]
    return ear.approach != "bargain" or (want.label in ("know", "join") and want.sure >= ASKS)


def _topic_of(ear: Ear, who: str, words: str, said: Phrase) -> str:
    """Find the topic that speech raises; a long statement only mentions it in passing."""
    draws = ear.brief or ear.inquires or "?" in words
    topic = ear.topic(said, who) if draws and not ear.game.fight else ""
    asks = ear.want == "know"
    tested = bool(topic) and bool(ear.book.scenario.talks[topic].test)
    return topic if len(said) <= LONG_TALK or (asks and not tested) else ""


def _opening_for(ear: Ear, who: str, wanted: str) -> str:
    """Return a person's opening topic if it answers what is civilly said; empty if not."""
    asks = wanted not in ("", "join") or "?" in ear.part.text
    asks = asks or bool(lore_of(ear.part.text, ear.game, ear.book))
    civil = _approach(ear) not in demands.FORCED and (ear.greets or bool(ear.who))
    return opening(ear, who) if civil and not (asks or haggles(ear)) else ""


def opening(ear: Ear, who: str) -> str:
    """Return the key of a person's opening topic while it is unsaid: it answers any words."""
    talks = surroundings.talks(ear.game, ear.book, who).items() if who else ()
    return next((key for key, talk in talks if talk.default), "")
