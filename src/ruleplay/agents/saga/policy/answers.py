"""What the player asks outside the story: the facts that answer it, and the block code prints."""

# ruff: noqa: E501 -- texts
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, get_args

from ruleplay.agents.saga.domain.errands import RANKS_AT_MOST
from ruleplay.agents.saga.domain.game import Game
from ruleplay.agents.saga.domain.happenings import Consulted
from ruleplay.agents.saga.domain.rulebook import StatusKind
from ruleplay.agents.saga.domain.scenario import Book
from ruleplay.agents.saga.domain.sheet import LEVEL_HP, RANK
from ruleplay.agents.saga.policy.phrases import CAUSES, STATUS
from ruleplay.agents.saga.policy.recap import recap, recap_lines
from ruleplay.agents.saga.policy.replies import PLAYING, looked_up
from ruleplay.agents.saga.view import last_fight
from ruleplay.story.bounds import BANDS, difficulty
from ruleplay.story.texts import Text

Asked = Literal["place", "sheet", "rules", "memory", "help", "fight", "aside", "over", "playing"]
ASKED: tuple[Asked, ...] = get_args(Asked)
FIGHTING = Text(
    en="{0} may take hit points at the start of each turn of whoever has it, for some rounds; what helps: {1}. First aid stops bleeding and fire. Who is poisoned, frightened, prone, blinded, held or distracted strikes at a disadvantage; who is stunned, prone, blinded, held or slowed wards off at a disadvantage. Cover, a minor action, gives one foe a disadvantage on the next roll. What is readied in a fight costs the major action, counts as standing on the defensive, and is done just before the blow it waits for, once. Foes can be told to give up or to go: wounds, being alone, a lost leader, fear and coin are reasons; they answer once for each new reason.",
    fr="{0} peuvent prendre des points de vie au début de chaque tour de qui les subit, pendant quelques rounds ; remèdes : {1}. Les premiers soins arrêtent le saignement et le feu. Qui est empoisonné, effrayé, à terre, aveuglé, tenu ou distrait frappe avec désavantage ; qui est sous le choc, à terre, aveuglé, tenu ou ralenti pare avec désavantage. Se mettre à couvert, action mineure, donne un désavantage à un adversaire sur son prochain jet. Ce qu'on prépare dans un combat coûte l'action majeure, vaut rester sur la défensive, et se fait juste avant le coup attendu, une fois. On peut sommer ses adversaires de se rendre ou de partir : blessures, solitude, chef perdu, peur et pièces sont des raisons ; ils répondent une fois par raison nouvelle.",
)
TRYING = Text(
    en="Trying the same again is a step harder, and a third time does not work. Disadvantage: two dice, the lower counts; advantage: the higher. More at stake makes a try harder than it sounds. Something new to try it with makes a search like a first one; who comes along may help once in a fight, for an advantage.",
    fr="Essayer la même chose de nouveau est un cran plus difficile, une troisième fois n'est plus possible. Désavantage : deux dés, le plus bas compte ; avantage : le plus haut. Plus l'enjeu est grand, plus l'essai est difficile. Un moyen nouveau fait d'une fouille une première ; qui vous accompagne peut aider une fois par combat, pour un avantage.",
)
CHANCES = Text(
    en="Your chances in percent, by skill, easy/medium/hard/extreme:",
    fr="Vos chances en pour cent, par compétence, facile/moyen/difficile/extrême :",
)
HURTS: tuple[StatusKind, ...] = ("poisoned", "bleeding", "burning")
LEVELS = Text(
    en="A level brings {0} more hit points and one point; a point raises one skill by one rank ({1} more on its rolls), {2} ranks at most: say which skill you train.",
    fr="Un niveau apporte {0} points de vie de plus et un point ; un point augmente une compétence d'un rang ({1} de plus à ses jets), {2} rangs au plus : dites quelle compétence vous travaillez.",
)
DEATH = Text(
    en="When your hit points are used up you choose: come back to life where you last were safe, with half your hit points and half your coins, or accept death for good, which ends the story.",
    fr="Quand vos points de vie sont épuisés, vous choisissez : revenir à la vie là où vous étiez en sûreté, avec la moitié de vos points de vie et de vos pièces, ou accepter la mort pour de bon, ce qui finit l'histoire.",
)
BALANCE = Text(
    en="The story has ended: {0}. You are level {1} with {2} experience points and {3} coins. You found {4} of {5} secrets, saw {6} of {7} places, and there were {8} endings.",
    fr="L'histoire est finie : {0}. Vous êtes au niveau {1}, avec {2} points d'expérience et {3} pièces. Vous avez trouvé {4} secrets sur {5}, vu {6} lieux sur {7}, et il y avait {8} fins.",
)
AFTER = Text(
    en="Nothing more happens in it. To play on, take a turn back and do it otherwise, or start another story.",
    fr="Il ne s'y passe plus rien. Pour continuer, annulez un tour et faites autrement, ou commencez une autre histoire.",
)


def block_of(topic: Asked, game: Game, book: Book) -> str:
    """Return what code says to a question: complete, where no model answers it."""
    lang = game.lang
    if topic == "memory":
        return f"{recap(game, book)}\n\n{_lines(_looked_up('sheet', game, book))[0]}"
    if topic == "rules":
        rules = (_looked_up("rules", game, book), chances(game, book), TRYING.of(lang))
        return "\n\n".join([*rules, _fighting(game, book), _levels(game), DEATH.of(lang)])
    if topic == "over":
        return f"{_balance(game, book)} {AFTER.of(lang)}"
    if topic == "playing":
        return PLAYING.of(lang)
    if topic == "fight" and not game.fight:
        return "\n".join(last_fight(game, book)) or _looked_up("place", game, book)
    return _looked_up("help" if topic == "aside" else topic, game, book)


def facts_of(topic: Asked, game: Game, book: Book) -> tuple[str, ...]:
    """Return what a model may say to a question: what it is about first, then all the rest."""
    parts: dict[str, Callable[[], list[str]]] = {
        "over": lambda: [_balance(game, book), AFTER.of(game.lang)] if game.ending else [],
        "playing": lambda: [PLAYING.of(game.lang)],
        "sheet": lambda: _lines(_looked_up("sheet", game, book)),
        "memory": lambda: [*recap_lines(game, book)],
        "fight": lambda: _lines(block_of("fight", game, book)),
        "place": lambda: _lines(_looked_up("place", game, book)) if not game.fight else [],
        "rules": lambda: [*_sentences(block_of("rules", game, book)), _levels(game)],
        "help": lambda: _lines(_looked_up("help", game, book)),
    }
    order = dict.fromkeys((*((topic,) if topic in parts else ()), *parts))
    if topic == "playing":
        order = {"playing": None, "help": None}
    return tuple(dict.fromkeys(line for key in order for line in parts[key]()))


def _looked_up(topic: str, game: Game, book: Book) -> str:
    return looked_up(Consulted.model_validate({"topic": topic}), game, book)


def _lines(text: str) -> list[str]:
    return [line.removeprefix("- ") for line in text.split("\n") if line.strip()]


def _sentences(text: str) -> list[str]:
    return [one for line in _lines(text) for one in re.split(r"(?<=[.!?]) (?=\D)", line)]


def chances(game: Game, book: Book) -> str:
    """Return in how many of a hundred tries each skill of the hero's succeeds, by how hard it is."""
    told = []
    for key, skill in book.rules.skills.items():
        bonus = game.sheet.bonus(key, skill.stat)
        odds = (max(6, min(95, 101 - difficulty(band, "d100") + bonus)) for band in BANDS[1:])
        told.append(f"{skill.name.of(game.lang)}: {'/'.join(f'{n}%' for n in odds)}")
    return "\n".join((CHANCES.of(game.lang), *told))


def _fighting(game: Game, book: Book) -> str:
    lang = game.lang
    hurts = ", ".join(CAUSES[kind].of(lang).removeprefix("· ") for kind in HURTS)
    helps = (
        f"{item.name.of(lang)} ({', '.join(STATUS[kind].of(lang) for kind in item.cures)})"
        for item in book.rules.items.values()
        if item.cures
    )
    return FIGHTING.of(lang).format(hurts[:1].upper() + hurts[1:], ", ".join(helps))


def _levels(game: Game) -> str:
    return LEVELS.of(game.lang).format(LEVEL_HP, RANK, RANKS_AT_MOST)


def _balance(game: Game, book: Book) -> str:
    story, sheet = book.scenario, game.sheet
    name = story.endings[game.ending].name.of(game.lang) if game.ending in story.endings else "—"
    found = (len(game.secrets), len(story.secrets), len(game.visited), len(story.places))
    body = (name, sheet.level, sheet.xp, sheet.coin, *found, len(story.endings))
    return BALANCE.of(game.lang).format(*body)
