"""What is said by template alone: refusals with their reason, and what the player looks up."""

# ruff: noqa: E501 -- texts and word lists
from __future__ import annotations

import re
from collections.abc import Callable

from ruleplay.agents.saga.domain import setting, surroundings
from ruleplay.agents.saga.domain.fight import HERO
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Consulted, Refused
from ruleplay.agents.saga.domain.offers import suggestions
from ruleplay.agents.saga.domain.scenario import Book, SkillTest
from ruleplay.agents.saga.domain.sheet import next_level_at
from ruleplay.agents.saga.domain.story import Left
from ruleplay.agents.saga.policy.commands import LISTED
from ruleplay.agents.saga.policy.phrases import COINS
from ruleplay.agents.saga.policy.recap import recap
from ruleplay.story.texts import Text

REASONS: dict[str, Text] = {
    "not_understood": Text(
        en="I am not sure what you want to do. You could, for example: {hints}.",
        fr="Je ne suis pas sûr de ce que vous voulez faire. Par exemple : {hints}.",
    ),
    "not_in_combat": Text(
        en="There is no time for that in a fight. You could: {hints}.",
        fr="Ce n'est pas le moment, en plein combat. Vous pouvez : {hints}.",
    ),
    "no_fight": Text(
        en="There is no fight here. You could: {hints}.",
        fr="Il n'y a pas de combat ici. Vous pouvez : {hints}.",
    ),
    "no_such_foe": Text(
        en="Whom do you mean? There are: {foes}.", fr="De qui parlez-vous ? Il y a : {foes}."
    ),
    "no_foe": Text(en="{about} is on your side.", fr="{about} est de votre côté."),
    "already_dead": Text(
        en="{about} is already dead.", fr="{about}, c'est déjà fini pour cet adversaire."
    ),
    "already_beaten": Text(
        en="{about} has given up and fights no more.",
        fr="{about} a cessé de se battre.",
    ),
    "already_fled": Text(en="{about} has already fled.", fr="{about} a déjà pris la fuite."),
    "no_major_left": Text(
        en="You have one major action a turn, and that would be another.",
        fr="Vous avez une action majeure par tour, et en voilà une de trop.",
    ),
    "no_minor_left": Text(
        en="You have one minor action a turn, and that would be another.",
        fr="Vous avez une action mineure par tour, et en voilà une de trop.",
    ),
    "too_far": Text(
        en="{about} is too far away for that, and your minor action is spent.",
        fr="{about} est trop loin, et votre action mineure est dépensée.",
    ),
    "no_ammunition": Text(
        en="You have none left: {about}.", fr="Il ne vous en reste plus : {about}."
    ),
    "not_carried": Text(en="You do not carry that: {about}.", fr="Vous n'avez pas cela : {about}."),
    "no_use": Text(
        en="That would be of no use now: {about}.", fr="Cela ne servirait à rien ici : {about}."
    ),
    "not_worn": Text(
        en="That is neither weapon nor armour: {about}.",
        fr="Ce n'est ni une arme ni une armure : {about}.",
    ),
    "no_time_for_armour": Text(
        en="Armour takes too long to put on in a fight.",
        fr="On n'enfile pas d'armure en plein combat.",
    ),
    "no_withdrawal": Text(
        en="There is no room to draw back; you could flee.",
        fr="Pas de place pour reculer ; vous pourriez fuir.",
    ),
    "held": Text(
        en="You are held fast; first get free.", fr="On vous tient ; il faut d'abord vous dégager."
    ),
    "already_near": Text(en="{about} is already within reach.", fr="{about} est déjà à portée."),
    "dead": Text(
        en="You have fallen. You can come back to life, at a price, or accept death.",
        fr="Vous avez succombé. Vous pouvez revenir à la vie, à un certain prix, ou accepter la mort.",
    ),
    "not_dead": Text(
        en="You are alive; there is nothing to come back from.",
        fr="Vous êtes en vie ; il n'y a rien dont revenir.",
    ),
    "where_to": Text(en="Where to? From here: {ways}.", fr="Où cela ? D'ici : {ways}."),
    "already_there": Text(en="You are already there.", fr="Vous y êtes déjà."),
    "no_way": Text(
        en="There is no way from here to {about}. From here: {ways}.",
        fr="Aucun chemin ne mène d'ici à cet endroit : {about}. D'ici : {ways}.",
    ),
    "which_way": Text(
        en="More than one way leads on. You could: {hints}.",
        fr="Plus d'un chemin mène plus loin. Vous pouvez : {hints}.",
    ),
    "no_way_on": Text(
        en="No way leads on from here yet. You could: {hints}.",
        fr="Aucun chemin ne mène encore plus loin d'ici. Vous pouvez : {hints}.",
    ),
    "listens": Text(
        en="{about} looks up, and waits for what you ask. You could: {hints}.",
        fr="{about} lève les yeux, et attend votre question. Vous pouvez : {hints}.",
    ),
    "way_barred": Text(
        en="Not while somebody bars the way. You could: {hints}.",
        fr="Pas tant que l'on vous barre la route. Vous pouvez : {hints}.",
    ),
    "offer_refused": Text(
        en="They turn the offer down, and you keep what you offered. You could: {hints}.",
        fr="On refuse votre offre, et vous gardez ce que vous offriez. Vous pouvez : {hints}.",
    ),
    "words_refused": Text(
        en="They will not have it, and wait for what you do. You could: {hints}.",
        fr="On ne veut rien entendre, et l'on attend ce que vous ferez. Vous pouvez : {hints}.",
    ),
    "no_price": Text(
        en="Nobody here asks to be paid. You could: {hints}.",
        fr="Personne ici ne demande à être payé. Vous pouvez : {hints}.",
    ),
    "nobody_to_avoid": Text(
        en="There is nobody here to hide from.", fr="Il n'y a personne ici dont se cacher."
    ),
    "nobody_to_flee": Text(
        en="Nobody here is after you. You could: {hints}.",
        fr="Personne ici ne vous en veut. Vous pouvez : {hints}.",
    ),
    "nobody_to_persuade": Text(
        en="There is nobody here to be won over.", fr="Il n'y a personne à convaincre ici."
    ),
    "no_sneaking": Text(
        en="They have seen you; there is no slipping past. You could: {hints}.",
        fr="On vous a vu ; impossible de passer en douce. Vous pouvez : {hints}.",
    ),
    "no_parley": Text(
        en="There is no talking to them. You could: {hints}.",
        fr="On ne parlemente pas avec ceux-là. Vous pouvez : {hints}.",
    ),
    "no_quarrel": Text(
        en="You have no quarrel with {about}.",
        fr="Vous n'avez rien contre cette personne : {about}.",
    ),
    "nobody_to_fight": Text(
        en="There is nobody here to fight. You could: {hints}.",
        fr="Il n'y a personne à combattre ici. Vous pouvez : {hints}.",
    ),
    "nobody_there": Text(
        en="Whom do you want to talk to? Here: {people}.",
        fr="À qui voulez-vous parler ? Ici : {people}.",
    ),
    "not_here": Text(
        en="Nobody of that name is here. Here: {people}.",
        fr="Cette personne n'est pas ici. Ici : {people}.",
    ),
    "nothing_more": Text(
        en="{about} has nothing more to say about that.",
        fr="{about} n'a rien de plus à dire là-dessus.",
    ),
    "not_possible": Text(
        en="That cannot be done here. You could: {hints}.",
        fr="Ce n'est pas possible ici. Vous pouvez : {hints}.",
    ),
    "too_dear": Text(
        en="You cannot pay for that: {about}.", fr="Vous ne pouvez pas payer cela : {about}."
    ),
    "nothing_found": Text(
        en="You find nothing that you had not seen before.",
        fr="Vous ne trouvez rien que vous n'ayez déjà vu.",
    ),
    "nothing_new": Text(en="Nothing more comes of it.", fr="Il n'en sort rien de plus."),
    "unhurt": Text(
        en="You are not hurt; keep it for later.",
        fr="Vous n'êtes pas blessé ; gardez cela pour plus tard.",
    ),
    "not_safe": Text(
        en="You cannot rest here; it is not safe.",
        fr="Vous ne pouvez pas vous reposer ici : l'endroit n'est pas sûr.",
    ),
    "no_trader": Text(en="Nobody here trades.", fr="Personne ne fait commerce ici."),
    "not_sold": Text(
        en="That is not sold here. There is: {wares}.",
        fr="Cela ne se vend pas ici. Il y a : {wares}.",
    ),
    "worthless": Text(
        en="Nobody would give you anything for that: {about}.",
        fr="Personne ne vous en donnerait rien : {about}.",
    ),
    "which_skill": Text(
        en="Which skill? There are: {skills}.", fr="Quelle compétence ? Il y a : {skills}."
    ),
    "no_points": Text(
        en="You have no point to spend; a new level brings one.",
        fr="Vous n'avez pas de point à dépenser ; un nouveau niveau en apporte un.",
    ),
    "mastered": Text(
        en="You cannot get any better at {about}.",
        fr="Vous ne pouvez plus progresser dans ce domaine : {about}.",
    ),
    "over": Text(
        en="This story has ended. Start another, or take a turn back.",
        fr="Cette histoire est finie. Commencez-en une autre, ou annulez un tour.",
    ),
}
"""Why something is refused."""


OUT_OF_STORY = (
    *("over", "dead", "not_dead", "not_understood", "which_skill", "no_points", "mastered"),
    *("where_to", "no_major_left", "no_minor_left", "no_such_foe", "nobody_there", "which_way"),
)
"""Refusals that are about the game; all others happen in the story, and may be told there."""


def reason(refused: Refused, game: Game, book: Book) -> str:
    """Return why something was refused, as a line beneath prose has it: without advice."""
    said = refusal(refused, game, book)
    advice = _hints(game, book)
    told = said.partition(advice)[0] if advice else said
    bare = re.split(r"(?<=[.;]) [^.;]*$", told)[0] if told != said else told
    named = REASONS[refused.reason].of(game.lang).startswith("{about}")
    return (bare if named else bare[:1].lower() + bare[1:]).rstrip(".; ")


def refusal(refused: Refused, game: Game, book: Book) -> str:
    """Return why something was refused, and what could be done instead."""
    lang = game.lang
    if refused.reason == "no_such_foe" and refused.about == "" and not game.fight:
        return REASONS["nobody_to_fight"].of(lang).format(hints=_hints(game, book))
    text = REASONS[refused.reason].of(lang)
    said = text.format(
        about=_about(refused.about, game, book),
        hints=_hints(game, book),
        foes=", ".join(o.name.of(lang) for o in game.fight.side("foes")) if game.fight else "",
        ways=_ways(game, book),
        people=_people(game, book) or Text(en="nobody", fr="personne").of(lang),
        wares=", ".join(_wares(game, book)),
        skills=", ".join(skill.name.of(lang) for skill in book.rules.skills.values()),
    )
    return said[:1].upper() + said[1:]


def _about(key: str, game: Game, book: Book) -> str:
    """Return the name of what a refusal is about; of what is unknown the player's own word."""
    lang, story = game.lang, book.scenario
    if game.fight and (found := game.fight.get(key)):
        return found.name.of(lang)
    for known in (book.rules.items, story.persons, story.places, book.rules.skills):
        if key in known:
            return known[key].name.of(lang)
    return key[:40]


def _hints(game: Game, book: Book) -> str:
    return ", ".join(suggestions(game, book)[:4])


def _ways(game: Game, book: Book) -> str:
    places = book.scenario.places
    return ", ".join(places[way.to].name.of(game.lang) for way in surroundings.exits(game, book))


def _people(game: Game, book: Book) -> str:
    return ", ".join(p.name.of(game.lang) for p in surroundings.persons(game, book).values())


def _wares(game: Game, book: Book) -> list[str]:
    lang = game.lang
    coins = {True: Text(en="coins", fr="pièces"), False: Text(en="coin", fr="pièce")}
    keys = dict.fromkeys(k for p in surroundings.persons(game, book).values() for k in p.sells)
    items = book.rules.items
    priced = ((items[key], items[key].price) for key in keys)
    return [f"{item.name.of(lang)} ({n} {coins[n != 1].of(lang)})" for item, n in priced]


def looked_up(asked: Consulted, game: Game, book: Book) -> str:
    """Return what the player wanted to look up."""
    lang = game.lang
    said: dict[str, Callable[[], str]] = {
        "place": lambda: _place(game, book),
        "person": lambda: book.scenario.persons[asked.key].text.of(lang),
        "inventory": lambda: _inventory(game, book),
        "price": lambda: _inventory(game, book),
        "sheet": lambda: _sheet(game, book),
        "journal": lambda: recap(game, book),
        "map": lambda: _map(game, book),
        "fight": lambda: _fight(game),
        "waits": lambda: WAITS.of(lang),
        "help": lambda: _help(game, book),
        "rules": lambda: "\n\n".join(filter(None, (_chances(game, book), RULES.of(lang)))),
        "memory": lambda: recap(game, book),
        "settings": lambda: _settings(game),
        "undo": lambda: UNDO.of(lang),
        "pause": lambda: PAUSE.of(lang),
        "aside": lambda: PAUSE.of(lang),
    }
    return said[asked.topic]()


HINTS = 12
"""Things to do that help names."""
WAITS = Text(
    en="You wait. Time passes, and nothing else does.",
    fr="Vous attendez. Le temps passe, et rien d'autre.",
)
HELP = Text(
    en="Say in your own words what you do. You could: {0}.",
    fr="Dites avec vos mots ce que vous faites. Par exemple : {0}.",
)
RULES = Text(
    en="One hundred-sided die: a check is 1d100 plus the skill against easy 35, medium 50, hard 65, extreme 80. A blow is 1d100 against 1d100, higher hits; the weapon and every ten of difference are damage, armour takes some off. 95 and more always succeeds, 5 and less never. A turn has one major and one minor action; words are free.",
    fr="Un dé à cent faces : une épreuve, c'est 1d100 plus la compétence contre facile 35, moyen 50, difficile 65, extrême 80. Un coup, c'est 1d100 contre 1d100, le plus haut touche ; l'arme et chaque dizaine d'écart font des dégâts, l'armure en retire. À partir de 95 on réussit toujours, jusqu'à 5 jamais. Un tour a une action majeure et une mineure ; la parole est libre.",
)
UNDO = Text(
    en="The buttons beside a turn take it back, or tell it anew. In words, only what was done last can be taken back, once.",
    fr="Les boutons à côté d'un tour l'annulent, ou le racontent de nouveau. En paroles, on n'annule que la dernière action, une fois.",
)
PAUSE = Text(
    en="Of course. Nothing moves until you write again.",
    fr="Bien sûr. Rien ne bouge tant que vous n'écrivez pas.",
)
PLAYING = Text(
    en="Write in your own words what you do, and what you say in quotation marks; the story answers, and dice fall where something may fail. Questions about the game go in brackets, /help lists the commands, and any turn can be taken back.",
    fr="Écrivez avec vos mots ce que vous faites, et ce que vous dites entre guillemets ; l'histoire répond, et les dés tombent quand on peut échouer. Une question sur le jeu se met entre parenthèses, /aide donne les commandes, et tout tour peut s'annuler.",
)


def _help(game: Game, book: Book) -> str:
    shown = ((key, text.of(game.lang)) for key, text in setting.options(game, book))
    listed = (text.split(",")[0] for key, text in shown if not key.startswith(("sell:", "train:")))
    doable = dict.fromkeys((*suggestions(game, book)[:4], *listed))
    hints = HELP.of(game.lang).format(", ".join([*doable][:HINTS]))
    said = (PLAYING.of(game.lang), hints, _chances(game, book), LISTED.of(game.lang))
    return "\n\n".join(filter(None, said))


def _chances(game: Game, book: Book) -> str:
    """Return how things stand here: the odds of getting past who bars the way, and who they are."""
    lang, key = game.lang, surroundings.waiting(game, book)
    if game.fight:
        return _fight(game)
    if not key:
        return ""
    encounter = book.scenario.encounters[key]
    rows = [
        f"{one.name.of(lang)} ({book.rules.bestiary[one.kind].hp} hp)" for one in encounter.foes
    ]
    who = ", ".join(row if lang == "en" else row.replace(" hp)", " pv)") for row in rows)
    tests = ((SNEAK, encounter.sneak), (PARLEY, encounter.parley))
    ways = [f"{name.of(lang)} {_odds(test, game, book)}%" for name, test in tests if test]
    return "; ".join([f"{BARS.of(lang).format(who)}", *ways]) + "."


def _odds(test: SkillTest, game: Game, book: Book) -> int:
    """Return in how many of a hundred rolls a test succeeds, without an edge."""
    bonus = game.sheet.bonus(test.skill, book.rules.skills[test.skill].stat)
    return max(1, min(95, 101 - (test.difficulty - bonus)))


BARS = Text(en="In your way: {0}", fr="Sur votre chemin : {0}")
SNEAK = Text(en="sneak past", fr="passer discrètement")
PARLEY = Text(en="negotiate", fr="négocier")


def _settings(game: Game) -> str:
    style, lang = game.story.style, game.lang
    none = Text(en="none", fr="aucune").of(lang)
    text = Text(
        en="Tone {0}, length {1}, {2} person, {3} tense, rating {4}. Lines never crossed: {5}. `/x TOPIC` adds one.",
        fr="Ton {0}, longueur {1}, personne {2}, temps {3}, public {4}. Limites : {5}. `/x SUJET` en ajoute une.",
    ).of(lang)
    lines = ", ".join(style.lines) or none
    return text.format(style.tone, style.length, style.person, style.tense, style.rating, lines)


def _place(game: Game, book: Book) -> str:
    if not game.visited:
        return book.scenario.intro.of(game.lang)
    parts = [one for one in (surroundings.sight(game, book),) if one]
    if key := surroundings.waiting(game, book):
        parts.append(book.scenario.encounters[key].text.of(game.lang))
    for person in surroundings.persons(game, book).values():
        parts.append(person.text.of(game.lang))
    parts.append(
        Text(en="From here: {0}.", fr="D'ici : {0}.").of(game.lang).format(_ways(game, book))
    )
    if lies := surroundings.left(game):
        label = Text(en="You have left here: {0}.", fr="Vous avez laissé ici : {0}.").of(game.lang)
        parts.append(label.format(", ".join(_lies(one, game, book) for one in lies)))
    if wares := _wares(game, book):
        label = Text(en="For sale: {0}.", fr="À vendre : {0}.").of(game.lang)
        parts.append(label.format(", ".join(wares)))
    return "\n\n".join(parts)


def _lies(one: Left, game: Game, book: Book) -> str:
    item = book.rules.items.get(one.item)
    coins = COINS[one.coin != 1].of(game.lang).format(n=one.coin)
    return item.name.of(game.lang) if item else one.keepsake or coins


def _inventory(game: Game, book: Book) -> str:
    lang, sheet = game.lang, game.sheet
    lines = []
    for one in sheet.carried:
        worn = Text(en=" (in use)", fr=" (en usage)").of(lang)
        mark = worn if one.item in (sheet.weapon, sheet.armour) else ""
        lines.append(f"- {book.rules.items[one.item].name.of(lang)} × {one.count}{mark}")
    coin = Text(en="- coins: {0}", fr="- pièces : {0}").of(lang).format(sheet.coin)
    return "\n".join([*lines, coin])


def _sheet(game: Game, book: Book) -> str:
    lang, sheet, rules = game.lang, game.sheet, book.rules
    head = Text(
        en="{0}, {1} ({2}), level {3}, {4} of {5} hit points, {6} of {7} experience points.",
        fr="{0}, {1} ({2}), niveau {3}, {4} points de vie sur {5}, {6} points d'expérience sur {7}.",
    ).of(lang)
    race, culture = rules.races[sheet.race].name, rules.cultures[sheet.culture].name
    told = head.format(
        sheet.name,
        race.of(lang),
        culture.of(lang),
        sheet.level,
        game.hp,
        sheet.max_hp,
        sheet.xp,
        next_level_at(sheet.level),
    )
    stats = ", ".join(
        f"{rules.characteristics[k].name.of(lang)} {v}" for k, v in sheet.stats.items()
    )
    skills = ", ".join(f"{rules.skills[k].name.of(lang)} {v}" for k, v in sheet.skills.items())
    coin = Text(en="Coins: {0}.", fr="Pièces : {0}.").of(lang).format(sheet.coin)
    points = Text(
        en="Points to spend: {0}; each raises a skill, say which you train.",
        fr="Points à dépenser : {0} ; chacun augmente une compétence, dites laquelle vous travaillez.",
    ).of(lang)
    spare = [points.format(sheet.points)] if sheet.points else []
    carried = Text(en="You carry:", fr="Vous portez :").of(lang)
    kept = Text(en="- worth nothing: {0}", fr="- sans valeur : {0}").of(lang)
    keeps = [kept.format(one) for one in surroundings.keepsakes(game)]
    items = _inventory(game, book).split("\n")[:-1]
    return "\n".join([told, stats, skills, coin, *spare, carried, *items, *keeps])


def _map(game: Game, book: Book) -> str:
    places, lang = book.scenario.places, game.lang
    seen = ", ".join(places[key].name.of(lang) for key in game.visited)
    text = Text(en="You have seen: {0}. From here: {1}.", fr="Vous avez vu : {0}. D'ici : {1}.")
    return text.of(lang).format(seen, _ways(game, book))


def _fight(game: Game) -> str:
    if game.fight is None:
        return REASONS["no_fight"].of(game.lang).format(hints="")
    lines = []
    for who in game.fight.order:
        one = game.fight.the(who)
        hp = Text(en="{0} of {1} hit points", fr="{0} points de vie sur {1}").of(game.lang)
        gone = Text(en="fled", fr="en fuite").of(game.lang)
        beaten = Text(en="has given up", fr="s'est rendu").of(game.lang)
        dead = Text(en="dead", fr="hors de combat").of(game.lang)
        told = (
            beaten
            if one.yielded
            else gone
            if one.fled
            else hp.format(one.hp, one.max_hp)
            if one.alive
            else dead
        )
        mark = "▶ " if who == game.fight.actor else ""
        lines.append(f"- {mark}{one.name.of(game.lang)}: {told}")
    note = Text(en="You ({0}) are to move.", fr="C'est à vous ({0}).").of(game.lang)
    mine = [note.format(game.sheet.name)] if game.fight.actor == HERO else []
    return "\n".join([*lines, *mine])
