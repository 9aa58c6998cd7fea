"""The parser: understand a player's message without a language model.

It is the fallback of the role `saga.read` and all there is with model `rules`. A message is cut
into clauses (`ruleplay.story.hearing`); a classifier says what each one does, and names of the
scene say to whom. `deeds.py` turns a clause into acts, this module decides what the clauses mean
together, and whether they are clear enough to be done. An act that costs something has to be
clear, or the player is asked; one that is free may be guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ruleplay.agents.saga.domain import setting, stopping, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.intents import Intent
from ruleplay.agents.saga.domain.offers import offered, way_to
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.scope import scope_of
from ruleplay.agents.saga.policy.answers import subject_of
from ruleplay.agents.saga.policy.asking import ask
from ruleplay.agents.saga.policy.deeds import (
    ASIDES,
    AWAY,
    CERTAIN,
    TRADES,
    meaning,
    tried,
    worded,
)
from ruleplay.agents.saga.policy.ear import GREETING, UNSURE, WORDS, Ear, Meant, refers, shares
from ruleplay.agents.saga.policy.labels import LABELS
from ruleplay.agents.saga.policy.replies import own_text
from ruleplay.agents.saga.state import Heard
from ruleplay.story.acts import ACTS_AT_MOST, EVERYBODY, Act, Effect
from ruleplay.story.hearing import (
    BARE,
    BRIEF,
    KEYS,
    PLAIN,
    PLAINLY,
    SAID,
    SURE,
    Part,
    clauses_of,
    heard,
    part_of,
)
from ruleplay.story.mentions import Named, Scope, conditional, mentioned, negated, only_person
from ruleplay.story.texts import words_of
from ruleplay.story.wording import find

ASIDE = re.compile(r"\s*\(([^()]{3,})\)\s*")
"""A remark in parentheses: it is addressed to the game, not said in the story."""
QUOTED = re.compile(r"«([^«»]*)»|“([^“”]*)”|\"([^\"]*)\"")
CLAUSES_AT_MOST, LONGEST, SHORTEST = 5, 1200, 3
"""Most clauses of a message that is done at once; most characters that are parsed; fewest
characters of a message of one word."""
FREE = ("say", "follow", "flourish", "ask", "vain")
"""Acts that never cost anything."""
BLOWS = ("attack", "manoeuvre")
"""Acts that need a target."""
TRIED = ("stunt", "manoeuvre", "trick", "perform", "sneak")
"""Kinds of checks as which an unclear message may be tried as a whole."""
TRIED_AT_LEAST, WEIGHTY, PASSING = 0.12, 0.25, 2
"""Least probability of such a kind, summed over all clauses; of a trade or gift that has to be
asked about; the factor by which stealth counts more if there are foes to slip past."""
LASTING, LASTS = (*ASIDES, "search", "give", "take", "use", "equip", "follow"), 0.15
"""Acts with lasting effects, and the probability of one from which an unclear clause may not
simply be taken as a gesture."""
UNDONE = 0.93
"""Least probability that the last turn is to be undone, which cannot be a guess."""
MEANS = ("sneak", "pay", "parley")
"""Ways past foes without a blow."""
OWN_LONGEST = 300
"""Most characters of an act's `text`."""
AT_ONCE = 4
"""Most words of a message that a word of assent makes a mere "yes"."""


def parse(message: str, game: Game, book: Book) -> Heard:
    """Return what a message means if every clause of it is understood, else a question back.

    A message is done completely or not at all: if a clause is unclear the question quotes it, and
    each choice repeats the whole message with one possible meaning of that clause.
    """
    scope = scope_of(game, book)
    message = _taken_up(message, game, book) or message
    if len(words_of(message)) == 1 and len(message.strip()) < SHORTEST:
        return ask((), (), game, book)
    # What was suggested is understood word for word, whatever the classifier makes of it.
    if known := offered(message, game, book):
        return Heard(intents=(known.model_copy(update={"said": message[:200]}),))
    asides = [one for one in ASIDE.findall(message) if len(words_of(one)) >= BARE]
    if asides:
        return _with_asides(asides, ASIDE.sub(" ", message), game, book)
    plain = KEYS.sub(r"\1\2", message)
    spoken = [said for found in QUOTED.findall(plain) if (said := "".join(found).strip())]
    outside = QUOTED.sub(" <said> ", plain[:LONGEST])
    heard_so = [*_meanings(outside, scope, game, book, spoken)]
    every = _in_order(_paid(_remarked(_undoing(heard_so), book)), game, book)
    every = _readied(every) if game.fight else every
    if price := _price_asked(every, message, scope):
        return Heard(acts=(price,))
    if _stops(every):
        topic = _unbearable(message, game, book)
        return Heard(acts=(Act(do="meta", meta="stop_scene", text=topic),))
    found, rest = _up_to_leaving(every)
    looked = LABELS.looked_up.values()
    if game.dead and not any(one.intent and one.intent.act in looked for one in found):
        return ask((), (), game, book)
    done = _done(every, found, scope, game, book)
    return done if isinstance(done, Heard) else _whole(done, rest, game, book)


def _paid(every: Sequence[Meant]) -> list[Meant]:
    """Take coins for nobody in particular as the pay of whoever is asked along before them."""
    kept: list[Meant] = []
    for one in every:
        hire = kept[-1].acts[0] if kept and kept[-1].acts else None
        gift = one.acts[0] if one.acts and one.acts[0].do == "give" else None
        nobody = one.part is not None and one.part.being is None
        if hire and gift and gift.coin and nobody and (hire.want, hire.to) == ("join", EVERYBODY):
            pay = hire.model_copy(update={"coin": gift.coin})
            kept[-1] = kept[-1].model_copy(update={"acts": (pay,), "costly": True})
        else:
            kept.append(one)
    return kept


def parse_after_the_end(message: str, game: Game, book: Book) -> Heard:
    """Parse a message to a story that has ended, where only taking back the last turn is left.

    So it need only be likely, and no question.
    """
    found = parse(message, game, book)
    if "?" in message or any(act.meta == "undo" for act in found.acts):
        return found
    part = heard(part_of(message[:LONGEST], scope_of(game, book)))
    subject = part.heard["subject"][0]
    back = part.act == "undo" or (subject.label == "back" and subject.sure >= PLAIN)
    undo = Act(do="meta", meta="undo", text=message[:OWN_LONGEST])
    return Heard(acts=(undo,)) if back else found


def _done(
    every: Sequence[Meant], found: Sequence[Meant], scope: Scope, game: Game, book: Book
) -> Sequence[Meant] | Heard:
    """Return the clauses to do of `found`, or a question if one of them is unclear.

    `found` are the clauses up to the first that leaves the place, `every` are all of them.
    """
    open_ = [one for one in found if not _understood(one, found, scope)]
    later = every[len(found) :]
    many = sum(not (_light(one) or worded(one)) for one in every) > CLAUSES_AT_MOST
    if many or any(one.sure < UNSURE for one in later):
        open_ = open_ or [*later, *every][:1]
    if not open_:
        return found
    if _only_asked(every, open_):
        return [one for one in every if _for_the_game(one)]
    tried = () if many else _improvised(found, open_, game, book)
    weighty = [one for one in open_ if not _light(one)]
    return tried or ask(every, weighty or open_, game, book)


def _whole(found: Sequence[Meant], rest: str, game: Game, book: Book) -> Heard:
    """Combine understood clauses; `rest` is read at the place to which the last of them leads."""
    if any(one.onward for one in found):
        return _onward(game, book)
    heard_so = _heard(found, game, book)
    return heard_so.model_copy(update={"rest": rest if _leads_on(heard_so.intents[-1:]) else ""})


def _improvised(
    every: Sequence[Meant], open_: Sequence[Meant], game: Game, book: Book
) -> Sequence[Meant]:
    """Make the best of unclear clauses that cost nothing: one check, or colour of a clear act.

    Empty if one of them may cost something, so that the player has to be asked.
    """
    struck = any(one.part and one.part.act == "attack" and one.sure >= PLAIN for one in open_)
    clear = [one for one in every if one not in open_]
    aside = [one for one in open_ if clear and worded(one) and not one.choice]
    if struck or any((_weighs(one) and one not in aside) or one not in every for one in open_):
        return ()
    heard_in = [one.part for one in every if one.part]
    foes = setting.waiting_foes(game, book)

    def likely(act: str) -> float:
        sure = sum(part.chance(act) for part in heard_in)
        passing = foes and act == "sneak" and sure >= TRIED_AT_LEAST
        return sure * PASSING if passing else sure

    act = max(TRIED, key=likely)
    past = sum(part.chance(one) for part in heard_in for one in AWAY)
    if foes and act == "trick" and past >= TRIED_AT_LEAST:
        act = "sneak"  # the trick is a pretext to get past the foes
    tries = likely(act) >= TRIED_AT_LEAST
    parts = [one.part for one in open_ if one.part and "?" not in one.part.text]
    deeds = sum(part.heard["free"][0].label == "deed" for part in parts) == len(open_)
    deed = any(o.part and o.part.heard["free"][0].label == "deed" for o in open_ if o not in aside)
    if deed and any(one.costly for one in clear):
        return ()  # the unclear deed may change what the costly one is to be
    if any(one.costly or worded(one) for one in clear) or (clear and not (tries and deeds)):
        return [_coloured(one, book) if one in open_ else one for one in every]
    sly = likely(act) >= PLAIN
    lasting = [one for one in open_ if not (_light(one) or (sly and _tries(one)))]
    if not game.fight and lasting and not (tries and foes and deeds):
        return ()  # it may have a lasting effect
    if not (deeds and (tries or game.fight)):
        return [_coloured(one, book) if one in open_ else one for one in every]
    readied = (act.when == "trigger" for one in open_ for act in one.acts)
    if game.fight and (any(readied) or any(conditional(words_of(one.said)) for one in open_)):
        return ()  # what is to be done only if something happens is not tried at once
    one = _as_one_try(every, act if tries else TRIED[0], game, book)
    staked = any(act.coin and not act.want for act in one.acts)
    return () if foes and staked else (one,)  # those who bar the way are rather offered coins


def _as_one_try(every: Sequence[Meant], act: str, game: Game, book: Book) -> Meant:
    """Turn a whole message into one check of a kind; foes who bar the way resist it."""
    heard_in = [one.part for one in every if one.part]
    whole = max(heard_in, key=lambda part: part.being is not None)
    text = ". ".join(one.said.rstrip(" .") for one in every)[:300]
    scope, foes = scope_of(game, book), setting.waiting_foes(game, book)
    ear = Ear(part=whole.instead(act), quoted=(), scope=scope, game=game, book=book)
    if foes and act == "sneak":
        to = next((part.place.id for part in heard_in if part.place), "")
        past = Intent(act="sneak", target=to, said=whole.text[:200])
        return Meant(sure=1.0, intent=past, said=text)
    ears = [ear.model_copy(update={"part": part}) for part in heard_in]
    coins = next((one.coins for one in ears if one.coins), 0)
    goes = any(o.act in AWAY and o.sure >= PLAIN and not o.being for o in heard_in)
    wagers = act == "perform" or any(one.want == "pass" for one in ears)
    one = tried(ear).acts[0].model_copy(update={"text": text})
    if coins and wagers:
        one = one.model_copy(update={"coin": coins, "to": one.to or next(iter(foes), "")})
    elif coins:
        gone = Effect(kind="coin", amount=-coins)  # what is thrown or dropped is gone either way
        spent = {"success": (*one.success[:1], gone), "failure": (gone,)}
        one = one.model_copy(update=spent)
    elif game.fight and goes:
        apart = (Effect(kind="place", who=HERO, what="away"),)
        one = one.model_copy(update={"success": apart})
    if foes and (goes or (coins and any(one.want == "pass" for one in ears))):
        one = one.model_copy(update={"to": one.to or next(iter(foes)), "want": "pass"})
    return Meant(sure=1.0, acts=(one,), said=text)


def _light(one: Meant) -> bool:
    """Whether an unclear clause hardly has a lasting effect, whatever it means."""
    part = one.part
    return part is not None and max(map(part.chance, LASTING)) < LASTS and not one.costly


def _tries(one: Meant) -> bool:
    """Whether an unclear clause is most likely a try or a look, which alone bring nothing."""
    return one.part is not None and one.part.act in (*TRIED, "search", "look")


def _coloured(one: Meant, book: Book) -> Meant:
    """Reduce a clause to something free: plain words to whoever is there, or a gesture."""
    talk = one.intent if one.intent and one.intent.act == "talk" else None
    told = talk is not None and bool(talk.item) and not book.scenario.talks[talk.item].test
    if told:
        return one.model_copy(update={"sure": 1.0, "costly": False})
    acts = tuple(act.model_copy(update={"want": "", "approach": "plain"}) for act in one.acts)
    if talk:
        acts = (Act(do="say", to=talk.target, text=one.said[:300]),)
    posed = (Act(do="flourish", text=one.said[:300]),)
    return Meant(sure=1.0, acts=acts if worded(one) else posed)


def _weighs(one: Meant) -> bool:
    """Whether an unclear clause may cost something, or says what is not to be done."""
    part = one.part
    if part is None or one.denied or (worded(one) and one.costly):
        return True
    if not one.acts and one.choice and one.choice.act in ("buy", "deed", "parley"):
        return True  # it may be an order, an offer, or a deed that the scenario has prepared
    if one.costly and one.sure >= UNSURE and not one.named:
        return True  # its target would be guessed
    if any(act.do in ("meta", "yield") for act in one.acts):
        return True
    trades = max(map(part.chance, (*TRADES, "give")))
    leaves = part.act in ("quit", "skip") and part.sure >= UNSURE
    return leaves or bool(part.item and trades >= WEIGHTY)


def _heard(found: Sequence[Meant], game: Game, book: Book) -> Heard:
    """Combine understood clauses into one reading, with each act only once."""
    if any(map(_for_the_game, found)):
        found = [one for one in found if not _opens(one)]
    every_act = feinted(_one_gesture([act for one in found for act in one.acts]))
    every_act = one_feat(every_act) if game.fight else every_act
    every_act = sorted(every_act, key=lambda act: act.do == "yield")  # it may end the fight
    done = {
        act if act.do in FREE else act.model_copy(update={"text": ""}): act for act in every_act
    }
    acts = tuple(done.values())[:ACTS_AT_MOST]
    if any(one.intent and one.intent.act == "trigger_combat" for one in found):
        acts = tuple(_merely_said(act) for act in acts)
    told = any(one.intent and one.intent.act == "talk" and one.intent.item for one in found)
    if told or any(act.do == "say" for act in acts):  # the person's reply answers short questions
        acts = tuple(act for act in acts if act.do != "ask" or len(words_of(act.text)) > BARE)
    asked_of = {act.to for one in found for act in one.acts if act.do == "say" and act.want}
    greeting = [one for one in found if len(found) > 1 and _greets(one, game, book, asked_of)]
    found = [one for one in found if one not in greeting]
    said = (one.intent for one in greeting if one.intent)
    acts = (*(Act(do="say", to=one.target, text=one.said) for one in said), *acts)
    wanted = {one.intent.model_copy(update={"said": ""}): one.intent for one in found if one.intent}
    return _spare(acts, tuple(wanted.values())[:ACTS_AT_MOST])


def _for_the_game(one: Meant) -> bool:
    """Whether a clause is addressed to the game master: it looks something up, or asks."""
    asks = bool(one.acts) and all(act.do == "ask" for act in one.acts)
    return asks or bool(one.intent and one.intent.act in LABELS.looked_up.values())


def _only_asked(every: Sequence[Meant], open_: Sequence[Meant]) -> bool:
    """Whether only a question to the game at the end is clear: "before I leave, how …?".

    Then it is answered, and nobody is asked about what leads in to it or has no lasting effect.
    """
    others = [one for one in every if not _for_the_game(one)]
    ends = bool(others) and _for_the_game(every[-1])
    tries = any(_tries(one) and one.part and one.part.sure >= PLAIN for one in others)
    leads_in = all(_light(one) or one.said[-1:] not in ".!…" for one in others)
    leads_in = leads_in and not any(act.meta == "undo" for one in others for act in one.acts)
    return ends and leads_in and not tries and all(one in open_ for one in others)


def _opens(one: Meant) -> bool:
    """Whether words only introduce a question to the game: "hold on", "I should like to know"."""
    talk = one.intent if one.intent and one.intent.act == "talk" else None
    unnamed = one.part is not None and not (one.part.being or SAID in one.part.text)
    waits = any(act.do == "wait" for act in one.acts)
    waits = waits or (one.intent is not None and one.intent.act == "wait")
    return waits or (bool(talk and not talk.item) and unnamed)


def _taken_up(message: str, game: Game, book: Book) -> str:
    """Return the first choice of a pending question if a message accepts it, else an empty string.

    A short message accepts it by a word of assent, or by ordering where a purchase is offered.
    """
    asked, words = game.story.asked, words_of(message)
    if not asked or not asked.choices or len(words) > BRIEF or negated(words) or "?" in message:
        return ""
    first = offered(asked.choices[0], game, book)
    assents = len(words) <= AT_ONCE and any(word in LABELS.assent for word in words)
    part = heard(part_of(message, scope_of(game, book)))
    bought = bool(first and first.act == "buy") and part.act in ("buy", "take", "give")
    own = part.item is not None and bool(first) and part.item.id != (first.item if first else "")
    return asked.choices[0] if first and (assents or bought) and not own else ""


def _with_asides(asides: Sequence[str], rest: str, game: Game, book: Book) -> Heard:
    """Parse the rest of a message, then add the remarks in parentheses as questions to the game."""
    asked = _aside(". ".join(asides), game, book)
    if not words_of(rest):
        return asked
    done = parse(rest, game, book)
    acts = (*done.acts, *asked.acts)[:ACTS_AT_MOST]
    looked = (Act(do="ask", to="memory" if o.act == "journal" else "sheet") for o in asked.intents)
    if done.question:
        return done.model_copy(update={"acts": (*acts, *looked)[:ACTS_AT_MOST]})
    return done.model_copy(update={"acts": acts, "intents": (*done.intents, *asked.intents)})


def _aside(words: str, game: Game, book: Book) -> Heard:
    """Parse a remark to the game: nothing of it is done in the story."""
    scope = scope_of(game, book)
    acts, intents = list[Act](), list[Intent]()
    for part in clauses_of(words, scope):
        topic = "help" if part.act in ("speak", "whisper") else "rules"
        found = Meant(sure=1, acts=(Act(do="ask", to=topic, text=words[:200]),))
        if part.act in LABELS.looked_up or part.act in LABELS.metas:
            found = meaning(part, (), scope, game, book)
        acts += found.acts
        intents += (found.intent,) if found.intent else ()
    return Heard(acts=tuple(dict.fromkeys(acts))[:ACTS_AT_MOST], intents=tuple(intents))


def _up_to_leaving(found: Sequence[Meant]) -> tuple[Sequence[Meant], str]:
    """Split clauses at the first that leaves the place; the text after it is parsed there.

    Quoted speech keeps a message in one piece, since quotations have been cut out already.
    """
    for at, one in enumerate(found[:-1]):
        rest = ". ".join(each.said for each in found[at + 1 :])
        leads = one.intent and _leads_on((one.intent,)) and not one.onward
        if leads and one.sure >= PLAIN and SAID not in rest:
            return found[: at + 1], rest
    return found, ""


def _entangled(one: Meant, found: Sequence[Meant]) -> bool:
    """Whether other clauses make a trade unclear.

    The same ware is ordered twice ("three arrows. No, five" may replace the first order), or
    something is asked besides, which may be the price, or they say how it is to be paid.
    """
    deal = one.intent or one.choice
    if not (deal and deal.act in ("buy", "sell")):
        return False
    if any("?" in each.said and not _chats(each) for each in found if each is not one):
        return True
    others = [each.part for each in found if each is not one and each.part]
    if any(o.sure < UNSURE and refers(o.words) for o in others):
        return True
    if any(o.subject == "purse" and o.act in ("speak", "give") and o.sure < SURE for o in others):
        return True
    same = [each.intent.item for each in found if each.intent]
    return same.count(deal.item) > 1


def _chats(one: Meant) -> bool:
    """Whether speech is about neither a thing nor its price."""
    part = one.part
    return worded(one) and part is not None and not (part.item or part.subject == "price")


def _remarked(found: Sequence[Meant], book: Book) -> Sequence[Meant]:
    """Reduce a clause that might order a ware to a remark if another clause does order it."""
    bought = {one.intent.item for one in found if one.intent and one.intent.act == "buy"}

    def remark(one: Meant) -> bool:
        return not one.sure and one.choice is not None and one.choice.item in bought

    return [_coloured(one, book) if remark(one) else one for one in found]


def _price_asked(found: Sequence[Meant], message: str, scope: Scope) -> Act | None:
    """Return a question to the game if a message asks for the price of a ware, else None.

    Nothing is bought in the same message: the player wants to know the price first.
    """

    def asks(part: Part | None) -> bool:
        subject = part.heard["subject"][0] if part else None
        if part is None or subject is None or subject.label != "price":
            return False
        orders = part.item or part.heard["want"][0].label == "give"
        return "?" in part.text or subject.sure >= (CERTAIN if orders else SURE)

    wares = [one for one in scope.items if one.id in scope.sold]
    named = mentioned(words_of(message), wares) and any(asks(one.part) for one in found)
    return Act(do="ask", to="scene", text=message[:200]) if named else None


def _readied(found: Sequence[Meant]) -> Sequence[Meant]:
    """Join a condition with what it is for, which is kept until then: "if he hits me, I run".

    A draught may stand in one clause with its condition.
    """
    kept: list[Meant] = []
    for one in found:
        before = kept[-1] if kept else None
        drinks = bool(one.acts) and all(act.do == "use" for act in one.acts)
        if before and _waits(before) and one.acts and not worded(one):
            kept[-1] = _ready(one, f"{before.said}, {one.said}")
        else:
            kept.append(_ready(one, one.said) if drinks and _waits(one) else one)
    return kept


def _waits(one: Meant) -> bool:
    """Whether a clause says what has to happen first, and is no speech."""
    part = one.part
    if part is None or "?" in part.text or worded(one):
        return False
    when = part.heard["when"][0]
    return conditional(part.words) or (when.label == "trigger" and when.sure >= PLAIN)


def _ready(one: Meant, text: str) -> Meant:
    kept = {"when": "trigger", "text": text[:OWN_LONGEST]}
    acts = tuple(act.model_copy(update=kept) for act in one.acts)
    if all(act.do == "use" for act in acts):  # to have it ready costs little, whatever it hangs on
        return one.model_copy(update={"acts": acts, "costly": False, "sure": 1.0})
    return one.model_copy(update={"acts": acts})


def _stops(found: Sequence[Meant]) -> bool:
    """Whether a message asks to stop the scene; then nothing else of it is done."""
    stops = (one for one in found if any(act.meta == "stop_scene" for act in one.acts))
    return any(one.sure >= PLAIN for one in stops)


def _unbearable(message: str, game: Game, book: Book) -> str:
    """Find the kind of beings that a stop names ("spiders"), in the player's own spelling.

    It must not come up again; empty if none is named.
    """
    beasts = book.rules.bestiary.values()
    every = (kind for one in beasts for kind in (*one.words.all, *one.name.both))
    kinds = [words_of(kind) for kind in (*stopping.kinds_here(game, book), *every)]
    words = words_of(message)
    named = next((kind for kind in kinds if kind and find(words, kind) is not None), ())
    own = (one for one in WORDS.findall(message) if find(words_of(one), named[:1]) is not None)
    return next(own, "") if len(named) == 1 else " ".join(named)


def _in_order(found: Sequence[Meant], game: Game, book: Book) -> Sequence[Meant]:
    """Order clauses as they can be done: getting past foes precedes where that leads.

    Going to where the hero is, skipping ahead, and single joining words are dropped if there is
    anything else.
    """
    skips = (one for one in found if any(act.meta == "fast_forward" for act in one.acts))
    idle = [*skips, *(one for one in found if _stays(one, game) or _joins(one))]
    found = [one for one in found if one not in idle] or found[:1]
    acts = [one.intent.act if one.intent else "" for one in found]
    means = next((n for n, act in enumerate(acts) if act in MEANS), 0)
    if setting.waiting_foes(game, book) and "travel" in acts[:means]:
        return [found[means], *(one for n, one in enumerate(found) if n != means)]
    return found


def _plainly_back(one: Meant) -> bool:
    """Whether a clause clearly asks to undo the last turn, and does not merely say "no"."""
    subject = one.part.heard["subject"] if one.part else ()
    named = any(guess.label == "back" and guess.sure >= PLAIN for guess in subject)
    return one.sure >= UNDONE or (named and one.sure >= PLAIN)


def _undoing(found: Sequence[Meant]) -> Sequence[Meant]:
    """Apply a clause that takes something back, and return the clauses that count.

    After a deed of the same message it cancels that deed, and only what follows counts. Otherwise
    it undoes the last turn if it clearly asks for that. "No wait", followed by an order, is just
    the order; alone it is asked about.
    """
    asked = (n for n, one in enumerate(found) if _whether_back(one))
    if (first := next(asked, None)) is not None:
        # "Can I take that back?": answer first, and do nothing that may depend on the answer.
        return [one for n, one in enumerate(found) if n <= first or one.asks]
    metas = ([act.meta for act in one.acts] for one in found)
    at = [n for n, meta in enumerate(metas) if "undo" in meta and found[n].sure >= PLAIN]
    if not at:
        return found
    done = any(one.intent or any(act.do not in FREE for act in one.acts) for one in found[: at[0]])
    after = found[at[-1] + 1 :]
    idle = all(_for_the_game(one) or one.denied for one in after)
    if idle and len(words_of(found[at[-1]].said)) > GREETING:
        return found[at[-1] :]  # nothing is done instead, so it is no mere "no wait"
    if after and (done or not _plainly_back(found[at[-1]])):
        return after
    return found[at[-1] :]


def _whether_back(one: Meant) -> bool:
    """Whether a clause asks if something can be undone."""
    return bool(one.part and one.part.subject == "back") and any(a.do == "ask" for a in one.acts)


def feinted(acts: Sequence[Act]) -> Sequence[Act]:
    """Merge a trick and a blow at the same target into one blow with a stunt, so one roll."""
    blow = next((act for act in acts if act.do == "rule" and act.item == "attack"), None)
    trick = next((act for act in acts if act.do == "check" and act.success), None)
    if not blow or not trick or trick.to not in ("", blow.to):
        return acts
    both = {"stunt": trick.success[0], "text": f"{trick.text}. {blow.text}"[:300]}
    one = blow.model_copy(update=both)
    return [one if act is blow else act for act in acts if act is not trick]


def _one_gesture(acts: Sequence[Act]) -> Sequence[Act]:
    """Merge all gestures into one, at the position of the first."""
    posed = [act for act in acts if act.do == "flourish"]
    text = ". ".join(act.text.rstrip(" .,;") for act in posed)[:OWN_LONGEST]
    whole = [act.model_copy(update={"text": text}) for act in posed[:1]]
    first = acts.index(posed[0]) if posed else 0
    others = [(n, act) for n, act in enumerate(acts) if act not in posed]
    before, after = (
        [act for n, act in others if n < first],
        [act for n, act in others if n >= first],
    )
    return [*before, *whole, *after]


def _greets(one: Meant, game: Game, book: Book, asked_of: set[str]) -> bool:
    """Whether a clause is a greeting that needs no answer of its own.

    That is so if the person's opening words have been said, or they are asked something as well.
    """
    talk = one.intent if one.intent and one.intent.act == "talk" else None
    if talk is None or talk.item or talk.target not in surroundings.persons(game, book):
        return False
    open_talks = surroundings.talks(game, book, talk.target).values()
    return talk.target in asked_of or not any(t.default for t in open_talks)


def _merely_said(act: Act) -> Act:
    """Strip speech of its aim, since nobody is won over by an attacker."""
    return act.model_copy(update={"want": "", "approach": "plain"}) if act.do == "say" else act


def one_feat(acts: Sequence[Act]) -> Sequence[Act]:
    """Merge a feat and the move that ends it: swinging across and landing there is one check."""
    feat = next((act for act in acts if act.do == "check" and act.when == "then"), None)
    if feat is None or all(act.do != "move" for act in acts):
        return acts
    words = ". ".join(act.text for act in acts if act is feat or act.do == "move")
    whole = feat.model_copy(update={"text": words[:OWN_LONGEST]})
    return [whole if act is feat else act for act in acts if act.do != "move"]


def _joins(one: Meant) -> bool:
    """Whether a clause is one unclear word that names nothing, so that it only joins others."""
    part = one.part
    names = part is None or part.being or part.item or part.place or SAID in part.text
    return not names and len(words_of(one.said)) < 2 and one.sure < SURE


def _stays(one: Meant, game: Game) -> bool:
    """Whether a clause goes to where the hero is: it only says where something is done."""
    return one.intent is not None and one.intent.act == "travel" and one.intent.target == game.place


def _leads_on(intents: Sequence[Intent]) -> bool:
    return any(one.act == "travel" and one.target for one in intents)


def _spare(acts: Sequence[Act], intents: Sequence[Intent]) -> Heard:
    """Drop a look around if there are deeds: telling them shows the place anyway."""
    doing = tuple(one for one in intents if one.act not in ("look", "status"))
    looked = LABELS.looked_up.values()
    deeds = any(one.act not in looked for one in doing) or any(act.do not in FREE for act in acts)
    if not deeds and len(doing) < len(intents):
        acts = [act for act in acts if act.do != "flourish"]  # a gesture adds nothing to a look
    return Heard(acts=_hung(acts), intents=doing if deeds else tuple(intents))


def _hung(acts: Sequence[Act]) -> tuple[Act, ...]:
    """Make deeds after a vain act conditional on it; without a model they are assumed to be."""
    at = next((n for n, act in enumerate(acts) if act.do == "vain"), len(acts))
    words = ("say", "vain", "ask", "whisper")
    return tuple(
        act.model_copy(update={"when": "if_success"}) if n > at and act.do not in words else act
        for n, act in enumerate(acts)
    )


def _understood(one: Meant, found: Sequence[Meant], scope: Scope) -> bool:
    """Whether a clause is clear enough to do; if it costs something its target has to be named."""
    leads = one.lead >= PLAINLY and scope.mode == "combat"
    plainly = leads or len(words_of(one.said)) <= BRIEF
    least = PLAIN if plainly else SURE
    if one.denied:
        return not any(each.costly for each in found)
    if any(act.meta == "undo" for act in one.acts):
        return _plainly_back(one)
    if one.costly:
        words = bool(one.acts) and all(act.do == "say" for act in one.acts)
        plain = words and one.sure >= PLAIN and one.lead >= PLAINLY
        clear = one.sure >= least and one.named and not conditional(words_of(one.said))
        return (plain or clear) and not _entangled(one, found)
    if any(act.do == "vain" for act in one.acts):
        return one.sure >= SURE
    idle = one.intent and one.intent.act in ("talk", "look", "status", *LABELS.looked_up.values())
    free = idle if one.intent else all(act.do in FREE for act in one.acts)
    return one.sure >= (UNSURE if free else least) and (len(found) < 2 or not one.onward)


def _meanings(
    outside: str, scope: Scope, game: Game, book: Book, spoken: Sequence[str]
) -> Iterator[Meant]:
    """Yield the meaning of each clause, with targets and wares taken over from the others.

    `spoken` are the message's quotations, in the order of their placeholders in `outside`.
    """
    left, parts = list(spoken), _with_shares(clauses_of(outside, scope), scope)
    # In a fight a blow without a target is for the only one that the rest of the message names.
    named = {part.being.id: part.being for part in parts if part.being and game.fight}
    only = next(iter(named.values())) if len(named) == 1 else None
    # A purchase without a ware is of the only one that the rest of the message deals with.
    deals = [o for o in parts if o.subject == "price" or o.act in ("buy", "give")]
    wares = {part.item.id: part.item for part in deals if part.item and part.item.id in scope.sold}
    ware = next(iter(wares.values())) if len(wares) == 1 else None
    addressed: Named | None = None
    talks, alone = False, only_person(scope)
    for part in parts:
        if wares and part.act == "drink" and not part.item and refers(part.words):
            part = part.instead(
                "pose", sure=SURE
            )  # the ale that was ordered, and no healing draught
        asks = "?" in part.text and not subject_of(part) and part.sure < SURE
        asks = asks or (part.act == "recall" and "?" not in part.text)
        if talks and (asks or (part.heard["free"][0].label == "speak" and part.sure < PLAIN)):
            part = part.instead("speak", sure=PLAIN)  # a question to the person, not to the game
        if part.act == "speak" and part.heard["voice"][0].label == "direct":
            talks = True
            # The first person addressed stays addressed: "you, take the archer" is not said to
            # the archer.
            addressed = addressed or part.being
            part = part.model_copy(update={"being": addressed})
        # A theft without a victim is from the person who is spoken to.
        spoken_to = addressed or (talks and next((o for o in scope.beings if o.id == alone), None))
        victim = (part.act in BLOWS and only) or (part.act == "steal" and spoken_to)
        meant = {"being": part.being or victim or None}
        meant["item"] = part.item or (part.act == "buy" and ware) or None
        part = part.model_copy(update=meant)
        quoted = [left.pop(0) for _ in range(part.text.count(SAID)) if left]
        yield meaning(part, quoted, scope, game, book, beside=bool(spoken))


def _with_shares(parts: Iterable[Part], scope: Scope) -> list[Part]:
    """Read "and one for the lady" together with the order of a ware before it."""
    found = list[Part]()
    for part in parts:
        last = found[-1] if found else None
        orders = last is not None and last.item is not None and last.act == "buy"
        if last and orders and shares(part.words) and not part.item and len(part.words) <= BRIEF:
            part = heard(part_of(f"{last.text.rstrip(' .,;')}, {part.text}", scope))
            part = part.instead("buy", sure=max(last.sure, part.chance("buy")))
            found.pop()
        found.append(part)
    return found


def _onward(game: Game, book: Book) -> Heard:
    """Go on along the only way, or an unknown one behind foes; ask which if there are several."""
    ways = [way.to for way in surroundings.exits(game, book)]
    if len(ways) < 2 or surroundings.waiting(game, book):
        onward = next((one for one in ways if one not in game.visited), ways[0] if ways else "")
        return Heard(intents=(Intent(act="travel", target=onward),))
    choices = tuple(way_to(book, one).of(game.lang) for one in ways[:4])
    return Heard(question=own_text("which_way").of(game.lang), choices=choices)


def exact(message: str, game: Game, book: Book) -> bool:
    """Whether a message is one of the current suggestions, word for word."""
    return offered(message, game, book) is not None
