"""Turn one classified part of a message into acts of the story or the fight.

`meaning` is the entry point. Its result says how sure it is, whether it costs something, and
whether its target was named; `parsing.py` decides with that whether it is done. Probability 1.0
means that a part is understood exactly, 0.0 that it has to be asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Act as NamedAct
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.offers import offered
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import ARTICLES, TOLL, place_named
from ruleplay.agents.saga.policy.answers import (
    Question,
    exactly,
    names_thing,
    of_the_game,
    subject_of,
    told_of,
)
from ruleplay.agents.saga.policy.ear import (
    CLEAR,
    FAINTLY,
    GREETING,
    LONG_TALK,
    NAMED,
    OWN,
    SHORT,
    UNSURE,
    Ear,
    Meant,
    as_words,
    count_of,
    counted,
    refers,
    shares,
    tongue_of,
)
from ruleplay.agents.saga.policy.labels import LABELS
from ruleplay.agents.saga.policy.replies import lore_of
from ruleplay.agents.saga.policy.speech import STRUCK, say
from ruleplay.hearing.encoder import alike
from ruleplay.story.acts import EVERYBODY, Act, Effect
from ruleplay.story.hearing import BRIEF, PLAINLY, SAID, SUBJECTS, Part, heard, part_of
from ruleplay.story.mentions import (
    Scope,
    conditional,
    deed_in,
    each_mentioned,
    mentioned,
    negated,
)
from ruleplay.story.texts import words_of

NAMED_PLACE, ALSO = 0.5, 0.1
"""Probabilities: given to a trip to a named place; least of speech."""
NEARLY, GUESSED = 1.5, 0.12
"""By what factor another act may lead speech in an unclear question; least probability of a
purchase in a question about a ware."""
CLAUSES = re.compile(r"[,;:]| (?:but|mais) ")
"""Separators of clauses in a sentence with a negation."""
HANDS = ("use", "drink", "take", "stunt", "search", "trick", "help", "heal", "manoeuvre", "equip")
"""Manual acts: done to something of the scene they mean the deed that the scenario prepared."""
PRONOUNS = (*SUBJECTS, "he", "she", "on", "il", "elle", "my", "mon")
AWAY = ("go", "flee", "sneak")
"""Acts that lead past whoever bars the way."""
ASIDES = ("attack", "go", "flee", "rest", "wait", "buy", "sell", "train", "sneak", "drink")
"""Acts that stay what they are even if a topic of conversation is mentioned."""
CERTAIN = 0.95
"""Least probability of a question's subject if the act is unclear."""
STAYS = 0.4
"""How near in meaning to moving about within a place words are that may not lead away."""
LEAST = 3
"""Words of more letters than this may say where somebody goes; shorter ones are function words."""
LISTED = 3
"""Most words for each ware in a clear order of several."""
ARMING, LAID = ("take", "buy", "use", "give"), ("give", "yield")
"""Acts that, with a carried weapon and nobody named, take it in hand; those that let it go."""
ORDERS = ("give", "drink")
"""Acts that order what is for sale here and not carried."""
TRADES = ("sell", "buy")
"""Acts that need a trader; without one the second likeliest act counts."""


def meaning(
    part: Part, quoted: Sequence[str], scope: Scope, game: Game, book: Book, *, beside: bool = False
) -> Meant:
    """Return what a clause means; `beside` says that the message also has quoted speech."""
    trade = not game.fight and scope.sold
    for act in () if trade else TRADES:
        part = part if part.act != act else part.instead(part.heard["act"][1].label)
    arms = part.item is not None and part.item.id in scope.weapons and not part.being
    held = arms and part.item is not None and part.item.id == game.sheet.weapon
    if held and (laid := _laid_down(part)):
        part = part.instead("yield" if game.fight else "give", sure=laid)
    elif part.act in ARMING and arms:
        # The weapon is carried already, so "take" or "use" means to take it in hand.
        part = part.instead("equip", sure=sum(map(part.chance, (*ARMING, "equip"))))
    ware = part.item.id if part.item and part.item.id in scope.sold else ""
    if part.act in ORDERS and ware and not game.fight and not game.sheet.count(ware):
        part = part.instead("buy", sure=sum(map(part.chance, (*ORDERS, "buy"))))
    remedy = part.item is not None and part.item.id in scope.remedies
    if remedy and (part.act == "attack" or (part.act in ("drink", "use") and part.being)):
        given = part.being or part.chance("give") + part.chance("help") >= part.chance("drink")
        part = part.instead("give" if given else "drink", sure=part.sure)  # nobody fights with it
    ear = Ear(part=part, quoted=tuple(quoted), scope=scope, game=game, book=book)
    said = part.text
    for one in quoted:
        said = f"{said.replace(SAID, '', 1).strip()} “{one}”"
    found = _heard_as(ear, beside).model_copy(update={"said": said, "part": part})
    if quoted or found.sure == 1.0:
        return found
    asks = "?" in part.text or (bool(ear.who) and part.chance("attack") < STRUCK)
    # The act's lead does not count if the meaning, such as a prepared deed, is less sure than it.
    lead = part.lead if found.sure >= part.sure else 1.0
    heard_so = {"lead": lead, "speech": part.chance("speak"), "asks": asks}
    found = found.model_copy(update=heard_so)
    told = worded(found)
    struck = any(act.do == "rule" for act in found.acts)
    if words := _put_to_them(ear, found):
        return words
    looks = found.intent is not None and found.intent.act in ("look", "status")
    doing = not (told or looks) and (found.costly or struck or found.intent is not None)
    if told or not (negated(part.words) or _forbids(part.text)) or part.act in LABELS.looked_up:
        return found
    denied = Meant(sure=0.0, acts=_posed(ear).acts, said=said, denied=True, part=part)
    return _restrained(ear) or (denied if doing else found)


def _forbids(text: str) -> bool:
    """Whether a clause is a bare "no …"; with a comma it only answers something."""
    return bool(re.match(r"no\s+\w", text, re.IGNORECASE))


def _laid_down(part: Part) -> float:
    """Return how sure one's own weapon is let go of: it is given to nobody, or one gives up."""
    want = part.heard["want"][0]
    gives_up = want.sure if want.label == "yield" and part.sure < UNSURE else 0.0
    let_go = part.act in LAID and want.label != "give"  # "give me the bow" takes it in hand
    return max(gives_up, sum(map(part.chance, LAID)) if let_go else 0.0)


def _put_to_them(ear: Ear, found: Meant) -> Meant | None:
    """Turn a conditional deed at those who bar the way into speech: an offer or a threat.

    "If you let us pass I will give you three coins" pays nothing yet. None for anything else.
    """
    foes, part = setting.waiting_foes(ear.game, ear.book), ear.part
    speech = part.heard["free"][0].label == "speak" and not worded(found)
    if not (foes and speech and found.costly and conditional(part.words)):
        return None
    approach = "threaten" if part.act in ("attack", "manoeuvre") else "bargain"
    body = {"do": "say", "to": ear.who or next(iter(foes)), "approach": approach, "coin": ear.coins}
    act = Act.model_validate({**body, "want": ear.want or "pass", "text": part.text})
    said = {"said": part.text, "part": part}
    return ear.meant(act, costly=True).model_copy(update=said)


def worded(found: Meant) -> bool:
    """Whether a meaning is speech."""
    spoken = any(act.do in ("say", "follow") for act in found.acts)
    return spoken or (found.intent is not None and found.intent.act == "talk")


def _heard_as(ear: Ear, beside: bool) -> Meant:
    if ear.quoted:
        return _quoted(ear)
    ear = as_words(ear)
    part = ear.part
    if tongue := tongue_of(part):
        return Meant(sure=1.0, intent=Intent(act="language", item=tongue))
    if known := offered(part.text, ear.game, ear.book):
        return Meant(sure=1.0, intent=known.model_copy(update={"said": part.text[:200]}))
    wonders = part.act == "attack" and part.subject in ("would", "odds") and ear.want == "know"
    if wonders and part.sure >= UNSURE:  # "could I take him?" strikes nobody
        return ear.put()
    found = _known_of(ear) or _prepared(ear) or _common(ear) or _by_mode(ear)
    alone = not (ear.game.fight or ear.scope.beings or ear.absent)
    asks = "?" in part.text or part.heard["want"][0].label == "know"
    if worded(found) and alone and asks:
        return ear.put()
    doubted = found.intent is not None and found.intent.act == "travel"
    if doubted and ("?" in part.text or part.act not in AWAY or part.sure < UNSURE):
        return found.model_copy(update={"sure": 0.0})  # a place that is merely mentioned
    plain = worded(found) or part.act in (*LABELS.looked_up, *LABELS.metas, "look", "follow")
    if beside and not (worded(found) or found.costly) and found.sure < CLEAR:
        return Meant(sure=UNSURE, acts=(Act(do="flourish", text=part.text),))
    if found.sure >= (UNSURE if plain or "?" not in part.text else NAMED):
        return found
    return _unclear(ear, found, beside)


def _quoted(ear: Ear) -> Meant:
    """Understand quoted speech from the quotation itself, not from the words around it."""
    words = " ".join(ear.quoted)[:300]
    spoken = heard(part_of(words, ear.scope))
    spoken = spoken.model_copy(update={"being": ear.part.being or spoken.being})
    return say(ear.model_copy(update={"part": spoken}), words, sure=1.0)


def _unclear(ear: Ear, found: Meant, beside: bool) -> Meant:
    """Choose the most harmless meaning of an unclear part, such as a question or a gesture."""
    part = ear.part
    clear = subject_of(part) and part.heard["subject"][0].sure >= CLEAR
    asked = clear and ear.inquiring and not ear.who and len(part.words) > GREETING
    if found.sure < UNSURE and asked:
        return ear.put()  # the act is unclear, but the subject of the question is not
    if ear.wonders and "?" not in part.text and sum(map(part.chance, OWN)) >= FAINTLY:
        return Meant(sure=UNSURE, intent=ear.intent("sheet"))
    if "?" in part.text or ear.asks >= UNSURE:
        # An unclear question is answered by whoever is there, else by code.
        likely = part.chance("speak") * NEARLY >= max(part.sure, ear.asks)
        # Who is named in a question is not asked it, unless it may be said to them.
        aloud = ear.who if not ear.game.fight and part.chance("speak") >= ALSO else ""
        aloud = aloud or (ear.person if likely else "")
        return say(ear, part.text, sure=UNSURE) if aloud else ear.put()
    if part.poses or beside:
        return Meant(sure=UNSURE, acts=(Act(do="flourish", text=part.text),))
    return found


def _known_of(ear: Ear) -> Meant | None:
    """Recognise a question to the game that code has the facts for; None if it is none."""
    part = ear.part
    chances = of_the_game(part, asks=False) and ear.approach != "plain"
    if ear.who in ear.book.scenario.persons and not chances:
        return None  # the person is asked, or looked at
    subject, asks = part.heard["subject"][0], "?" in part.text or part.act in LABELS.asks
    plain = subject.sure >= CLEAR
    also = part.act == "commands" or (part.act == "undo" and len(part.words) >= SHORT)
    asks = ear.wonders or (asks and (plain or part.act != "speak")) or (plain and also)
    certain = part.heard["subject"][0].sure >= CERTAIN and part.subject in ("who", "purse")
    certain = certain and not ear.tenders
    if certain and part.sure < STRUCK and not ear.game.fight:
        return ear.put()
    if part.act == "speak" and not chances and ear.topic(part.words, ear.person):
        return None  # it is a topic of somebody here
    shown = part.act in LABELS.looked_up and part.act != "commands"
    if shown and plain and exactly(Question(part, ear.game, ear.book)):
        return ear.put()  # a single fact of the sheet is wanted, so do not show all of it
    deals = not shown and (ear.approach == "bargain" or (part.act == "buy" and bool(ear.ware)))
    if chances or of_the_game(part, asks=asks and not deals):
        return ear.put()
    shown = (shown and not ear.game.fight) or part.act == "look"
    if shown and subject_of(part):
        named = lore_of(part.text, ear.game, ear.book)
        if not (named or names_thing(part.text, ear.game, ear.book)):
            return None  # the whole list or place is shown
    if ear.ware and "?" in part.text and part.chance("buy") >= GUESSED:
        return _trade(ear).model_copy(update={"sure": NAMED})
    topic = LABELS.asks.get(part.act, "") if ear.asks >= UNSURE or "?" in part.text else ""
    wares = part.act == "buy" and bool(ear.scope.sold) and not ear.thing
    known = wares or bool(topic and told_of(part.text, topic, ear.game, ear.book))
    return ear.put() if known else None


def _restrained(ear: Ear) -> Meant | None:
    """Understand a sentence with a negation by its clause without one; None if there is none.

    In a fight "strike him down, but do not kill him" is a blow that spares its target.
    """
    for clause in CLAUSES.split(ear.part.text):
        if negated(words_of(clause)) or clause == ear.part.text:
            continue
        half = ear.model_copy(update={"part": heard(part_of(clause, ear.scope))})
        if ear.game.fight and half.part.act in ("attack", "aim"):
            found = _strike(half)
            spared = tuple(one.model_copy(update={"spare": True}) for one in found.acts)
            return found.model_copy(update={"acts": spared, "said": ear.part.text})
        if half.part.act == "attack" and half.part.being and half.part.sure >= CLEAR:
            found = _quarrel(half)
            blow = _rule(half, "attack", to=half.who, **{"with": half.weapon})
            spared = (blow.model_copy(update={"spare": True}),)
            return found.model_copy(
                update={"acts": spared, "intent": None, "said": ear.part.text, "part": ear.part}
            )
        if half.part.act not in ("attack", "manoeuvre", *LABELS.metas) and (
            half.part.sure >= CLEAR or half.part.lead >= PLAINLY
        ):
            return meaning(half.part, (), ear.scope, ear.game, ear.book)
    return None


def _prepared(ear: Ear) -> Meant | None:
    """Find what the scenario has prepared for the part: a deed, or a topic of somebody here."""
    part, game = ear.part, ear.game
    if game.fight or game.dead or ear.absent or part.act in ("whisper", "follow"):
        return None
    person = ear.person
    vague = part.heard["free"][0].label == "deed" and part.sure < NAMED
    deed = deed_in(part.words, ear.scope, hands=vague or part.act in HANDS)
    merely_said = part.act == "speak" and part.sure >= STRUCK and not ear.brief
    if deed and not merely_said and not negated(part.words):
        done = Intent(act="deed", target=deed)
        # Naming only the deed's thing may mean something else: "I take the rope, two coins,
        # right?"
        whole = bool(deed_in(part.words, ear.scope, hands=False))
        by_hand = min(part.sure, UNSURE) if part.act in HANDS else 0.0
        sure = 1.0 if ear.brief and whole else by_hand
        intent = done.model_copy(update={"said": part.text[:200]})
        costly = bool(ear.book.scenario.deeds[deed].test)
        return Meant(sure=sure, intent=intent, costly=costly, choice=done)
    talks = part.act == "speak" or (
        part.sure < CLEAR
        and part.act not in ASIDES
        and (part.chance("speak") >= ALSO or len(part.words) <= SHORT or ear.want == "know")
    )
    talks = talks and not ear.ware  # a ware's price comes first
    topic = ear.topic(part.words, person) if talks and person else ""
    brief = len(part.words) <= SHORT and not refers(part.words)
    tells = part.act == "speak" or brief or ear.want == "know"
    named = (ear.brief and tells) or (ear.inquires and len(part.words) <= LONG_TALK)
    if not topic or negated(part.words) or not named:
        return None
    asked = Intent(act="talk", target=person, item=topic)
    meant = part.act == "speak" and ear.inquires
    costly = bool(ear.book.scenario.talks[topic].test) and not meant
    asked_so = asked.model_copy(update={"said": part.text[:200]})
    sure = part.sure if costly else max(part.sure, STRUCK)
    return Meant(sure=sure, intent=asked_so, costly=costly, choice=asked)


def _common(ear: Ear) -> Meant | None:
    """Handle the acts that are the same in story and fight: speech, questions, game commands."""
    part, act = ear.part, ear.part.act
    if act in LABELS.looked_up:
        # The sheet has what is carried and owned, whatever of it is meant.
        own = act == "commands" and sum(map(part.chance, OWN)) >= part.sure - FAINTLY
        shown = LABELS.looked_up["sheet" if own else act]
        return Meant(sure=part.sure, intent=ear.intent(shown))
    if act == "spell" and ear.thing:
        return _by_mode(ear.model_copy(update={"part": part.instead("attack")}))
    if act == "quit" and ear.game.fight:
        stop = ear.intent("force_end")
        return Meant(sure=part.sure, intent=stop, costly=True)
    if act in LABELS.metas and part.sure < UNSURE:
        return _posed(ear)  # hardly a command to the game
    if act in LABELS.metas:
        # In a place where one can sleep, skipping ahead may mean resting until morning.
        safe = surroundings.here(ear.game, ear.book).safe
        night = act == "skip" and safe and not ear.game.fight
        meta = Act(do="meta", meta=LABELS.metas[act], text=part.text)
        found = ear.meant(meta, costly=night or act == "quit", named=not night)
        if act == "undo" and part.place and part.place.id != ear.game.place:
            instead = Act(do="move", to=part.place.id, text=part.text)
            found = found.model_copy(update={"acts": (meta, instead)})
        return found.model_copy(update={"choice": Intent(act="rest")}) if night else found
    if act == "speak":
        return say(ear, part.text, sure=part.sure)
    plain = {
        "claim": Act(do="vain", vain="claims_outcome", text=part.text),
        "spell": Act(do="vain", vain="not_able", text=part.text),
        "rules": Act(do="ask", to="rules", text=part.text),
        "whisper": Act(do="whisper", to="dm", text=part.text),
    }
    if act == "rules" and not ("?" in part.text or subject_of(part) or part.sure >= CLEAR):
        return Meant(sure=0.0)
    return ear.meant(plain[act]) if act in plain else None


def _by_mode(ear: Ear) -> Meant:
    table = IN_FIGHT if ear.game.fight else IN_STORY
    act = ear.part.act
    if act in table:
        return table[act](ear)
    return tried(ear) if act in LABELS.skills else _posed(ear)


def _posed(ear: Ear) -> Meant:
    return ear.meant(Act(do="flourish", text=ear.part.text))


def tried(ear: Ear) -> Meant:
    """Build a check for an act that no author has foreseen.

    The kind of act determines its skill and its effect, which is small (see `story.bounds`).
    """
    act = ear.part.act
    foe = ear.opponent if act == "manoeuvre" else ""
    victim = ear.who if act == "steal" else ""
    effects: dict[str, Effect] = {
        "manoeuvre": Effect(kind="condition", who=foe, what="distracted", amount=1),
        "perform": Effect(kind="attitude", who=ear.person, amount=1),
        "steal": Effect(kind="coin", who=victim, amount=2),
        "sneak": Effect(kind="condition", who=HERO, what="hidden", amount=1),
    }
    success = effects.get(act, Effect(kind="edge", who=HERO, what="up"))
    failure = (Effect(kind="attitude", who=victim, amount=-1),) if victim else ()
    trial = Act(
        do="check",
        skill=LABELS.skills[act],
        to=ear.here(ear.who or foe or victim),
        success=(success,) if ear.here(success.who) else (),
        failure=failure,
        text=ear.part.text,
    )
    return ear.meant(trial, costly=act == "steal", named=act != "steal" or bool(victim))


def _rule(ear: Ear, item: str, **more: str) -> Act:
    return Act.model_validate({"do": "rule", "item": item, "text": ear.part.text, **more})


def _strike(ear: Ear) -> Meant:
    if ear.part.poses:
        return _posed(ear)  # more likely a gesture, such as a kiss
    blow = _rule(ear, "attack", to=ear.foe, **{"with": ear.weapon})
    found = ear.meant(blow)
    choice = Intent(act="attack", target=ear.foe) if ear.foe else None
    return found.model_copy(update={"choice": choice, "costly": True, "named": bool(ear.foe)})


def _quarrel(ear: Ear) -> Meant:
    """Handle an attack outside a fight: on waiting foes, on a person here, or on nobody."""
    part = ear.part
    if not (part.being or setting.waiting_foes(ear.game, ear.book)) and part.sure < CLEAR:
        return _posed(ear).model_copy(update={"sure": max(part.sure, UNSURE)})  # nobody is here
    if part.being is None or part.being.id.startswith("encounter:"):
        target = ear.who if part.being else ""
        fight = Intent(act="trigger_combat", target=target, item=ear.weapon)
        brief = len(part.words) <= SHORT and part.sure >= NAMED
        plain = ear.who == ear.foe != "" or brief
        said = fight.model_copy(update={"said": part.text[:200]})
        return Meant(sure=part.sure, intent=said, costly=True, named=plain, choice=fight)
    return ear.meant(_rule(ear, "attack", to=ear.who), costly=True)


def _drink(ear: Ear) -> Meant:
    remedies = ear.scope.remedies
    item = ear.thing if ear.thing in remedies else next(iter(remedies), "") if not ear.thing else ""
    if not item:
        return Meant(sure=0.0)
    sure = max(ear.part.sure, NAMED if ear.thing else 0.0)
    if ear.game.fight:
        act = Act(do="use", item=item, text=ear.part.text)
        return Meant(sure=sure, acts=(act,), costly=True)
    choice = Intent(act="use", item=item)
    return Meant(sure=sure, intent=ear.intent("use", item=item), costly=True, choice=choice)


def _equip(ear: Ear) -> Meant:
    if not ear.thing:
        return _posed(ear)  # no weapon is named, so it is the one already in hand
    lies = any(one.item == ear.thing for one in surroundings.left(ear.game))
    if lies and not ear.game.sheet.count(ear.thing):
        return _take(ear)
    if ear.game.fight:
        return ear.meant(_rule(ear, "equip", **{"with": ear.thing}))
    return Meant(sure=ear.part.sure, intent=ear.intent("equip", item=ear.thing))


def _use(ear: Ear) -> Meant:
    if ear.thing in ear.scope.remedies:
        return _drink(ear)
    return _equip(ear) if ear.thing in ear.scope.weapons else Meant(sure=0.0)


def _look(ear: Ear) -> Meant:
    if ear.game.fight:
        return Meant(sure=ear.part.sure, intent=ear.intent("status"))
    barred = bool(setting.waiting_foes(ear.game, ear.book))
    target = "" if barred else ear.who
    return Meant(sure=ear.part.sure, intent=ear.intent("look", target=target))


def _go(ear: Ear) -> Meant:
    part = ear.part
    if part.place and part.place.id == ear.game.place:
        # The place may be where they start from: "back on the road and then the ford".
        beyond = [one for one in ear.scope.places if one.id != ear.game.place]
        part = part.model_copy(update={"place": mentioned(part.words, beyond) or part.place})
    if part.place:
        return _go_to(ear, part, part.place.id)
    if ear.who:
        return _posed(ear)
    if ear.absent in surroundings.elsewhere(ear.game, ear.book):
        return ear.meant(Act(do="move", to=ear.absent, text=part.text))
    if setting.waiting_foes(ear.game, ear.book):
        return Meant(sure=0.0, choice=Intent(act="sneak"))  # the free way would lead back
    ways = surroundings.free_exits(ear.game, ear.book)
    if len(ways) == 1 and _within(ear, ways[0].to):
        return _posed(ear)
    onward = ear.intent("travel", target=ways[0].to if len(ways) == 1 else "")
    stays, leaves = alike(part.text, LABELS.moves)
    if stays >= max(leaves, STAYS):
        return Meant(sure=0.0, choice=onward)
    plain = ear.brief and part.sure >= CLEAR
    body = {"onward": plain, "costly": not plain, "named": False}
    return Meant(sure=part.sure, intent=onward, **body)


def _go_to(ear: Ear, part: Part, to: str) -> Meant:
    if ear.beside(to):
        return Meant(sure=0.0, choice=Intent(act="travel", target=to))
    here = to == ear.game.place
    if here and 2 * (part.chance("look") + part.chance("search")) >= part.chance("go"):
        return _look(ear)  # going around where they are is looking at it
    if here and len(part.words) > SHORT + 1:
        return _posed(ear)  # it is done where they are
    named = part.sure if part.sure < UNSURE else max(part.sure, NAMED_PLACE)
    sure = named if not here else part.sure
    if len(surroundings.ways(ear.game, ear.book).get(to, ())) > 1:
        return Meant(sure=sure, acts=(Act(do="move", to=to, text=part.text),))
    return Meant(sure=sure, intent=ear.intent("travel", target=to))


def _within(ear: Ear, way: str) -> bool:
    """Whether a movement stays within the place: "to the counter" does not lead on.

    What a sentence about the way mentions ("the path by the mill") does lead on.
    """
    if not any(word in ARTICLES for word in ear.part.words):
        return False
    places = ear.book.scenario.places
    if any(mentioned(ear.part.words, (place_named(key, one),)) for key, one in places.items()):
        return False  # another place of the scenario, perhaps one that is further on
    beyond = {word for one in ear.scope.places if one.id == way for p in one.phrases for word in p}
    sight = surroundings.SENTENCES.split(surroundings.sight(ear.game, ear.book))
    leading = [{*words_of(one)} for one in sight if beyond & {*words_of(one)}]
    named = {word for word in ear.part.words if len(word) > LEAST}
    return not any(named & one for one in leading)


def _close_in(ear: Ear) -> Meant:
    if ear.part.place:
        here = ear.part.place.id == ear.game.place
        return _flee(ear) if not here else Meant(sure=0.0)  # where within the place is unknown
    return ear.meant(Act(do="move", to=ear.foe, text=ear.part.text)) if ear.foe else _posed(ear)


def _flee(ear: Ear) -> Meant:
    if ear.game.fight:
        found = ear.meant(_rule(ear, "flee"), costly=True)
        return found.model_copy(update={"choice": Intent(act="flee")})
    if not setting.waiting_foes(ear.game, ear.book):
        return _go(ear)
    away = Intent(act="flee")
    return Meant(sure=ear.part.sure, intent=ear.intent("flee"), costly=True, choice=away)


def _sneak(ear: Ear) -> Meant:
    if setting.waiting_foes(ear.game, ear.book):
        past = ear.intent("sneak", target=ear.part.place.id if ear.part.place else "")
        return Meant(sure=ear.part.sure, intent=past, choice=Intent(act="sneak"))
    return tried(ear)


def _trade(ear: Ear) -> Meant:
    part, act = ear.part, ear.part.act
    kind: NamedAct = "sell" if act == "sell" else "buy"
    if not ear.thing and not ear.scope.sold:
        return _posed(ear)
    count = count_of(part.words, part.item)
    wares = each_mentioned(part.words, ear.scope.items) if kind == "buy" else []
    wares = [one for one in wares if one.id in ear.scope.sold]
    counts = [count_of(part.words, one) for one in wares] or [count]
    told = [n for n in counted(part.words) if n > 1 and n not in shares(part.words)]
    plainly = (
        bool(ear.thing)
        and not ({"?"} & {*part.text} or refers(part.words))
        and told in ([], [n for n in counts if n > 1])
    )
    choice = Intent(act=kind, item=ear.thing, count=count)
    if len({one.id for one in wares}) > 1:
        deals = zip(wares, counts, strict=True)
        picks = (Act(do="pick", item=f"buy:{o.id}", count=n, text=part.text) for o, n in deals)
        # In a longer message one ware may replace another: "no, the bread instead of the ale".
        plainly = plainly and len(part.words) <= len(wares) * LISTED
        return Meant(sure=part.sure, acts=tuple(picks), costly=True, named=plainly)
    intent = choice.model_copy(update={"said": part.text[:200]})
    return Meant(sure=part.sure, intent=intent, costly=True, named=plainly, choice=choice)


def _rest(ear: Ear) -> Meant:
    choice = Intent(act="rest")
    return Meant(sure=ear.part.sure, intent=ear.intent("rest"), costly=True, choice=choice)


def _brace(ear: Ear) -> Meant:
    """Handle aiming or guarding outside a fight: a gesture, but ask if foes bar the way."""
    barred = setting.waiting_foes(ear.game, ear.book) and not ear.part.poses
    return Meant(sure=0.0, costly=True) if barred else _posed(ear)


def _missing(ear: Ear) -> Meant:
    """Address somebody who is not here; the rules reply that they are absent."""
    return Meant(sure=ear.part.sure, intent=ear.intent("talk", target=ear.absent))


def _invite(ear: Ear) -> Meant:
    if ear.absent:
        return _missing(ear)
    if not ear.who and surroundings.may_hire(ear.game, ear.book):
        asks = Act(do="say", to=EVERYBODY, want="join", coin=ear.coins, text=ear.part.text)
        return ear.meant(asks, costly=bool(ear.coins))
    to = ear.here(ear.person)
    return ear.meant(Act(do="follow", to=to, text=ear.part.text)) if to else _posed(ear)


def _give(ear: Ear) -> Meant:
    """Handle a gift of coins (if there is a number) or of a thing; "I will, if …" is an offer."""
    part = ear.part
    if ear.absent:
        return _missing(ear)
    if ear.thing in ear.scope.weapons and not part.being:
        return ear.meant(Act(do="give", item=ear.thing, text=part.text))  # it is put down here
    to = ear.here(ear.person) or next(iter(setting.waiting_foes(ear.game, ear.book)), "")
    carried = {one.item for one in ear.game.sheet.carried}
    item = ear.thing if ear.thing in carried else ""
    coin = ear.coins or next((n for n in counted(part.words) if n > 1), 0)  # "one" is a pronoun
    brief = bool(coin) or len(part.words) <= BRIEF
    coin = coin or ear.one_coin
    if to and conditional(part.words):
        body = {"do": "say", "to": to, "approach": "bargain", "coin": coin, "text": part.text}
        return ear.meant(Act.model_validate({**body, "want": "pass"}))
    barred = surroundings.waiting(ear.game, ear.book)
    toll = ear.book.scenario.encounters[barred].toll if barred else 0
    if toll and not item and coin in (0, toll):
        pay, sure = ear.intent("pay"), 1.0 if ear.thing == TOLL else part.sure
        return Meant(sure=sure, intent=pay, costly=True, choice=Intent(act="pay"))
    if not to or not (item or coin):
        return Meant(sure=part.sure, costly=True, named=False)
    if item in ear.scope.sold and coin not in (0, count_of(part.words, part.item)):
        return Meant(sure=0.0, choice=Intent(act="buy", item=item))  # coins for it: its price
    count = count_of(part.words, part.item) if item else 1
    gift = Act(do="give", to=to, item=item, coin=0 if item else coin, count=count, text=part.text)
    if not (item or brief):
        return ear.meant(gift, costly=True, named=False)  # the other words may attach a condition
    # With several foes in the way a payment without a name could be meant for any of them.
    alone = len(setting.waiting_foes(ear.game, ear.book)) == 1
    return ear.meant(gift, costly=True, named=bool(ear.person or alone) or part.being is not None)


def _hold_out(ear: Ear) -> Meant:
    """Handle a gift in a fight: a carried thing goes to its receiver, coins are offered for peace.

    Coins are only paid once the others agree.
    """
    if ear.thing and ear.game.sheet.count(ear.thing):
        gift = Act(do="give", to=ear.here(ear.who), item=ear.thing, text=ear.part.text)
        return ear.meant(gift, costly=True, named=bool(ear.who))
    fight = ear.game.fight
    cast = ear.book.scenario.encounters.get(fight.encounter) if fight else None
    coin = ear.coins or (cast.toll if cast else 0)
    body = {"do": "say", "to": ear.foe, "approach": "bargain", "want": "truce", "coin": coin}
    return ear.meant(Act.model_validate({**body, "text": ear.part.text}))


def _take(ear: Ear) -> Meant:
    lies = (one.item for one in surroundings.left(ear.game))
    known = ear.thing in (*surroundings.things(ear.game, ear.book), *lies)
    if ear.thing in ear.scope.sold and not known:
        return Meant(sure=0.0, choice=Intent(act="buy", item=ear.thing))
    words = ear.part.words[2 if ear.part.words[:1] and ear.part.words[0] in PRONOUNS else 1 :]
    item = ear.thing if known else " ".join(words)[:40]
    return ear.meant(Act(do="take", item=item or "?", text=ear.part.text))


def _yield(ear: Ear) -> Meant:
    if ear.game.fight:
        arms = ear.thing if ear.thing in ear.scope.weapons else ""
        down = (Act(do="give", item=arms, text=ear.part.text),) if arms else ()
        found = ear.meant(Act(do="yield", text=ear.part.text), costly=True)
        return found.model_copy(update={"acts": (*down, *found.acts)})
    if setting.waiting_foes(ear.game, ear.book):
        return _flee(ear)
    # With nobody to surrender to, "I give up" means the game. It is costly, so it is confirmed.
    return ear.meant(Act(do="meta", meta="end_story", text=ear.part.text), costly=True)


def _manoeuvre(ear: Ear) -> Meant:
    being = ear.part.being
    person = being is not None and not being.id.startswith("encounter:")
    return _quarrel(ear) if person else tried(ear)


IN_FIGHT: dict[str, Callable[[Ear], Meant]] = {
    "attack": _strike,
    "look": _look,
    "drink": _drink,
    "use": _use,
    "equip": _equip,
    "heal": lambda ear: ear.meant(_rule(ear, "first_aid")),
    "defend": lambda ear: ear.meant(_rule(ear, "defend")),
    "aim": lambda ear: ear.meant(_rule(ear, "aim")),
    "flee": _flee,
    "wait": lambda ear: ear.meant(Act(do="wait", text=ear.part.text)),
    "yield": _yield,
    "go": _close_in,
    "steal": _posed,
    "give": _hold_out,
}
IN_STORY: dict[str, Callable[[Ear], Meant]] = {
    "attack": _quarrel,
    "look": _look,
    "search": lambda ear: ear.meant(_rule(ear, "search")),
    "go": _go,
    "flee": _flee,
    "sneak": _sneak,
    "drink": _drink,
    "use": _use,
    "equip": _equip,
    "buy": _trade,
    "sell": _trade,
    "train": lambda ear: Meant(
        sure=ear.part.sure,
        intent=ear.intent("train", target=ear.part.skill.id if ear.part.skill else ""),
    ),
    "rest": _rest,
    "wait": lambda ear: Meant(sure=ear.part.sure, intent=ear.intent("wait")),
    "defend": _brace,
    "aim": _brace,
    "follow": _invite,
    "give": _give,
    "take": _take,
    "yield": _yield,
    "manoeuvre": _manoeuvre,
}
