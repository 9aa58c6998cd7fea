"""From what was heard in a part of a message to acts of the story or the fight."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Act as Named
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.mentions import Part, deed_in, negated, only_person, topic_in
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import Scope
from ruleplay.agents.saga.domain.texts import Frozen, Lang
from ruleplay.agents.saga.domain.wording import Phrase
from ruleplay.story.acts import EVERYBODY, Act, Approach, Effect, Meta, Want

COSTLY = ("attack", "steal", "give", "buy", "sell", "train", "yield", "quit", "manoeuvre", "follow")
TONED = 0.5
"""How sure a tone has to be, lest words are taken as meant plainly."""
TONES: dict[str, Approach] = {
    "friendly": "charm",
    "joking": "charm",
    "begging": "charm",
    "comforting": "comfort",
    "bargaining": "bargain",
    "pressing": "press",
    "mocking": "provoke",
    "threatening": "threaten",
    "lying": "deceive",
}
LOOKED_UP: dict[str, Named] = {
    "inventory": "inventory",
    "sheet": "sheet",
    "recap": "journal",
    "recall": "journal",
    "map": "map",
    "commands": "help",
}
METAS: dict[str, Meta] = {
    "undo": "undo",
    "pause": "pause",
    "stop_scene": "stop_scene",
    "retell": "retell",
    "skip": "fast_forward",
    "quit": "end_story",
}
SKILLS = {
    "stunt": "athletics",
    "manoeuvre": "athletics",
    "trick": "stealth",
    "perform": "persuasion",
    "insight": "perception",
    "help": "athletics",
    "sneak": "stealth",
    "steal": "stealth",
    "search": "perception",
}
HANDS = ("use", "take", "stunt", "search", "trick", "help", "heal", "manoeuvre", "equip")
"""Acts of the hands: with a thing of the scene's own they are what was prepared for it."""
TONGUES: dict[Lang, tuple[str, ...]] = {"en": ("english", "anglais"), "fr": ("french", "francais")}
PRONOUNS = ("i", "we", "he", "she", "je", "j", "on", "nous", "il", "elle", "my", "mon")


class Meant(Frozen):
    """What a part means: acts, or one intent; how sure, and whether its target was named."""

    sure: float
    acts: tuple[Act, ...] = ()
    intent: Intent | None = None
    costly: bool = False
    named: bool = True
    onward: bool = False


class Ear(Frozen):
    """A part that is to be understood, where it was said."""

    part: Part
    quoted: tuple[str, ...]
    scope: Scope
    game: Game
    book: Book

    @property
    def who(self) -> str:
        """Return the being that is meant, by the id that readings use."""
        one = self.part.being
        foes = setting.waiting_foes(self.game, self.book)
        if one and one.id.startswith("encounter:"):
            names = {key: foe.name.both for key, foe in foes.items()}
            own = [
                k
                for k, both in names.items()
                if any(n.casefold().split()[-1] in self.part.text.casefold() for n in both)
            ]
            return (own or [*foes])[0]
        return one.id if one else ""

    @property
    def foe(self) -> str:
        """Return the adversary that is meant: who was named, or the only one."""
        fight = self.game.fight
        there = (
            [f.id for f in fight.side("foes")]
            if fight
            else [*setting.waiting_foes(self.game, self.book)]
        )
        if self.who:
            return self.who
        return there[0] if len(there) == 1 else ""


def meaning(part: Part, quoted: Sequence[str], scope: Scope, game: Game, book: Book) -> Meant:
    """Return what a part of a message means."""
    ear = Ear(part=part, quoted=tuple(quoted), scope=scope, game=game, book=book)
    found = _meaning(ear)
    if quoted and not found.acts:
        words = " ".join(quoted)[:300]
        said = _say(ear, words)
        return said.model_copy(update={"sure": 1.0})
    doubt = negated(part.words) and (found.costly or bool(found.intent))
    return found.model_copy(update={"sure": 0.0} if doubt and part.act not in LOOKED_UP else {})


def _meaning(ear: Ear) -> Meant:
    part, game = ear.part, ear.game
    act, sure = part.act, part.sure
    if ear.quoted:
        return _say(ear, " ".join(ear.quoted)[:300]).model_copy(update={"sure": 1.0})
    if tongue := _tongue(part.words):
        return Meant(sure=1.0, intent=Intent(act="language", item=tongue))
    if not game.fight and not game.dead and act not in ("speak", "whisper", "follow"):
        if deed := deed_in(part.words, ear.scope, hands=act in HANDS):
            return Meant(sure=1.0, intent=_intent(ear, "deed", target=deed))
    if act in LOOKED_UP:
        return Meant(sure=sure, intent=_intent(ear, LOOKED_UP[act]))
    if act in METAS:
        return Meant(
            sure=sure, acts=(Act(do="meta", meta=METAS[act], text=part.text),), costly=act == "quit"
        )
    if act == "claim":
        return Meant(sure=sure, acts=(Act(do="vain", vain="claims_outcome", text=part.text),))
    if act == "speak":
        return _say(ear, part.text)
    return (_fought if game.fight else _told)(ear)


def _tongue(words: Phrase) -> Lang | None:
    asked = len(words) <= 6
    return next(
        (lang for lang, names in TONGUES.items() if asked and not set(names).isdisjoint(words)),
        None,
    )


def _intent(ear: Ear, act: Named, *, target: str = "", item: str = "") -> Intent:
    return Intent(act=act, target=target, item=item, said=ear.part.text[:200])


def _say(ear: Ear, words: str) -> Meant:
    part, game = ear.part, ear.game
    foes = setting.waiting_foes(game, ear.book)
    who = ear.who or only_person(ear.scope) or (next(iter(foes)) if foes else "")
    who = "" if who == HERO else who
    topic = topic_in((*part.words, *_words(ear.quoted)), ear.scope, who) if not game.fight else ""
    tone, want = part.heard["tone"][0], part.heard["want"][0]
    approach = TONES.get(tone.label, "plain") if tone.sure >= TONED else "plain"
    wanted: Want | str = want.label if want.sure >= TONED and want.label != "none" else ""
    if not ear.quoted and not foes and not game.fight and (approach == "plain" or topic):
        if not who:
            return Meant(sure=part.sure, acts=(Act(do="say", to=EVERYBODY, text=words),))
        return Meant(sure=part.sure, intent=_intent(ear, "talk", target=who, item=topic))
    if foes and not wanted and (approach != "plain" or not ear.quoted):
        wanted = "pass"
    to = who if who in setting.roster(game, ear.book).beings else ""
    said = Act.model_validate(
        {"do": "say", "to": to, "text": words, "approach": approach, "want": wanted, "topic": topic}
    )
    return Meant(sure=part.sure, acts=(said,))


def _words(quoted: Sequence[str]) -> Phrase:
    from ruleplay.agents.saga.domain.texts import words_of

    return words_of(" ".join(quoted))


def _fought(ear: Ear) -> Meant:
    """Return what is meant in a fight; each is an act, so that one budget holds them all."""
    part, act, sure = ear.part, ear.part.act, ear.part.sure
    item = part.item.id if part.item else ""
    text = part.text
    match act:
        case "attack":
            weapon = item if item in ear.scope.weapons else ""
            blow = Act.model_validate(
                {"do": "rule", "item": "attack", "to": ear.foe, "with": weapon, "text": text}
            )
            target = Intent(act="attack", target=ear.foe)
            return Meant(
                sure=max(sure, 0.6) if sure >= 0.4 and ear.foe else sure,
                acts=(blow,),
                intent=None if sure >= 0.4 and ear.foe else target,
                costly=True,
                named=bool(ear.foe),
            )
        case "look":
            return Meant(sure=sure, intent=_intent(ear, "status"))
        case "use" if item in ear.scope.remedies:
            return Meant(sure=max(sure, 0.6), acts=(Act(do="use", item=item, text=text),))
        case "heal":
            return Meant(sure=sure, acts=(Act(do="rule", item="first_aid", text=text),))
        case "equip" if item in ear.scope.weapons:
            return Meant(
                sure=sure, acts=(Act.model_validate({"do": "rule", "item": "equip", "with": item}),)
            )
        case "defend":
            return Meant(sure=sure, acts=(Act(do="rule", item="defend", text=text),))
        case "aim" | "flee":
            return Meant(sure=sure, acts=(Act(do="rule", item=act, text=text),))
        case "wait":
            return Meant(sure=sure, acts=(Act(do="wait", text=text),))
        case "yield":
            return Meant(sure=sure, acts=(Act(do="yield", text=text),), costly=True)
        case "go" if ear.foe:
            return Meant(sure=sure, acts=(Act(do="move", to=ear.foe, text=text),))
        case "give" | "take" | "steal":
            return Meant(sure=0.0)
        case _ if act in SKILLS:
            return Meant(sure=sure, acts=(_tried(ear),))
        case _:
            return _either(ear)


def _tried(ear: Ear) -> Act:
    """Return a check of what nobody wrote: its skill by the kind of act, its effect a small one."""
    act, foe = ear.part.act, ear.foe
    effects: dict[str, Effect] = {
        "manoeuvre": Effect(kind="condition", who=foe, what="distracted", amount=1),
        "perform": Effect(kind="attitude", who=ear.who or only_person(ear.scope), amount=1),
        "steal": Effect(kind="coin", who=ear.who, amount=2),
        "sneak": Effect(kind="condition", who=HERO, what="hidden", amount=1),
    }
    success = effects.get(act, Effect(kind="edge", who=HERO, what="up"))
    known = not success.who or success.who in setting.roster(ear.game, ear.book).beings
    failure = (Effect(kind="attitude", who=ear.who, amount=-1),) if act == "steal" else ()
    return Act(
        do="check",
        skill=SKILLS[act],
        to=ear.who if ear.who in setting.roster(ear.game, ear.book).beings else "",
        success=(success,) if known else (),
        failure=failure,
        text=ear.part.text,
    )


def _told(ear: Ear) -> Meant:
    """Return what is meant in the story."""
    part, act, sure, game = ear.part, ear.part.act, ear.part.sure, ear.game
    item, text = (part.item.id if part.item else ""), part.text
    foes = setting.waiting_foes(game, ear.book)
    match act:
        case "attack" if foes:
            return Meant(sure=sure, intent=_intent(ear, "trigger_combat"), costly=True)
        case "attack":
            blow = Act(do="rule", item="attack", to=ear.who, text=text)
            return Meant(
                sure=sure,
                acts=(blow,) if ear.who else (),
                costly=bool(ear.who),
                named=bool(ear.who),
            )
        case "look":
            person = ear.who if ear.who and not foes else ""
            return Meant(sure=sure, intent=_intent(ear, "look", target=person))
        case "search":
            return Meant(sure=sure, acts=(Act(do="rule", item="search", text=text),))
        case "go" if part.place:
            return Meant(sure=max(sure, 0.5), intent=_intent(ear, "travel", target=part.place.id))
        case "go" if not ear.who:
            return Meant(sure=sure, intent=_intent(ear, "travel"), onward=True)
        case "flee":
            away = part.place and not foes
            return Meant(
                sure=sure,
                intent=_intent(ear, "travel", target=part.place.id)
                if part.place and away
                else _intent(ear, "flee"),
            )
        case "sneak" if foes:
            return Meant(sure=sure, intent=_intent(ear, "sneak"))
        case "use" if item in ear.scope.remedies:
            return Meant(sure=max(sure, 0.5), intent=_intent(ear, "use", item=item))
        case "equip" if item:
            return Meant(sure=max(sure, 0.5), intent=_intent(ear, "equip", item=item))
        case "buy" | "sell":
            return Meant(
                sure=sure,
                intent=_intent(ear, act, item=item or (part.words or ("",))[-1]),
                costly=bool(item),
                named="?" not in text or "can" in part.words,
            )
        case "train":
            skill = part.skill.id if part.skill else ""
            return Meant(sure=sure, intent=_intent(ear, "train", target=skill), costly=bool(skill))
        case "rest" | "wait":
            return Meant(sure=sure, intent=_intent(ear, act))
        case "follow":
            to = ear.who or only_person(ear.scope)
            return Meant(
                sure=sure,
                acts=(Act(do="follow", to=to, text=text),) if to and not foes else (),
                costly=True,
                named=bool(to),
            )
        case "give":
            return _given(ear)
        case "take":
            thing = item if item in surroundings.things(game, ear.book) else _object(part.words)
            return Meant(sure=sure, acts=(Act(do="take", item=thing[:80] or text[:80], text=text),))
        case "steal":
            return Meant(sure=sure, acts=(_tried(ear),), costly=True, named=bool(ear.who))
        case "manoeuvre" if not foes and ear.who:
            return Meant(
                sure=sure, acts=(Act(do="rule", item="attack", to=ear.who, text=text),), costly=True
            )
        case "yield" if foes:
            return Meant(sure=sure, intent=_intent(ear, "flee"), costly=True)
        case _ if act in SKILLS:
            return Meant(sure=sure, acts=(_tried(ear),))
        case _:
            return _either(ear)


def _either(ear: Ear) -> Meant:
    """Return what is the same in a story and in a fight: what is asked, and what changes nothing."""
    part, act, sure = ear.part, ear.part.act, ear.part.sure
    asks = {"rules": "rules", "settings": "help"}
    if act == "rules":
        return Meant(sure=sure, acts=(Act(do="ask", to="rules", text=part.text),))
    if act == "settings":
        return Meant(sure=sure, acts=(Act(do="meta", meta="settings", text=part.text),))
    if act == "whisper":
        return Meant(sure=sure, acts=(Act(do="whisper", to="dm", text=part.text),))
    if act == "spell":
        return Meant(sure=sure, acts=(Act(do="vain", vain="not_able", text=part.text),))
    return Meant(sure=sure, acts=(Act(do="flourish", text=part.text),))


@cache
def _numbers() -> dict[str, int]:
    stored = json.loads(files("ruleplay.story").joinpath("stems.json").read_text("utf-8"))
    en, fr = stored["numbers"]["en"], stored["numbers"]["fr"]
    return {**{w: n for n, w in enumerate(en[:12], 1)}, **{w: n for n, w in enumerate(fr[:11], 2)}}


def _given(ear: Ear) -> Meant:
    """Return a gift: of coin where a number is said, else of a thing that is carried."""
    part = ear.part
    to = ear.who or only_person(ear.scope)
    carried = {one.item for one in ear.game.sheet.carried}
    item = part.item.id if part.item and part.item.id in carried else ""
    coin = next(
        (
            int(w) if w.isdigit() else _numbers().get(w, 0)
            for w in part.words
            if w.isdigit() or w in _numbers()
        ),
        0,
    )
    if not to or not (item or coin):
        return Meant(sure=part.sure, costly=True, named=False)
    act = Act(do="give", to=to, item=item, coin=0 if item else min(coin, 1_000_000), text=part.text)
    return Meant(sure=part.sure, acts=(act,), costly=True)


def _object(words: Phrase) -> str:
    rest = words[2:] if words[:1] and words[0] in PRONOUNS else words[1:]
    return " ".join(
        one for one in rest if one not in ("the", "a", "an", "le", "la", "les", "un", "une", "up")
    )
