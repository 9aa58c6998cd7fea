"""Rule-based answers about sets, items, hazards, teams, and the dex's texts about things."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.damage import scene_of
from ruleplay.agents.battle.domain.faceoff import (
    ability_chances,
    defences,
    item_chances,
    move_chances,
    type_answers,
)
from ruleplay.agents.battle.domain.happenings import first_shown, last_turn
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.meaning import Thing, options
from ruleplay.agents.battle.domain.mechanics import words
from ruleplay.agents.battle.domain.memory import CHOICE
from ruleplay.agents.battle.domain.naming import display, move_name
from ruleplay.agents.battle.domain.options import SPIKES, falls_on_entry, hazard_share
from ruleplay.agents.battle.domain.phrases import explained, happened, percent, say, type_name
from ruleplay.agents.battle.domain.position import CLEARS, LAID, Mon, clearers
from ruleplay.agents.battle.domain.results import Guess
from ruleplay.agents.battle.domain.worlds import our_fighter
from ruleplay.agents.battle.policy.names import thing_name
from ruleplay.agents.battle.policy.pairings import into_type, with_item
from ruleplay.agents.battle.policy.scene import (
    Scene,
    and_listed,
    as_shares,
    defence,
    roughly,
    teras,
    types_said,
)
from ruleplay.hearing.encoder import alike

EXPLAINING = frozenset({"explain", "novice", "clause", "lesson", "levels"})
"""Topics whose answers explain terms of the game themselves."""
DEFINES = ("What is this thing?", "C'est quoi, ce truc ?", "What does this mean?")
USES = ("Do we have one?", "Should we use it now?", "Who has it?", "On en a encore ?")
"""Questions about what a thing is and about using it; a question is nearer to one of the kinds."""
NEARER = 0.1
"""How much nearer to DEFINES a question must be for a term of the game to be explained first."""
ASKED_OF_RULES = ("What are the rules of this format?", "May two of them be asleep at once?")
PASSING = frozenset({"slp", "frz"})
"""Statuses that end by themselves."""
SUFFERED = frozenset(f"suffers_{one}" for one in ("brn", "par", "psn", "tox", *PASSING))
"""Phrases that say what a status does."""


def sets(scene: Scene) -> Iterable[str]:
    """Say what one of theirs has shown and what else it may have."""
    mon, guess = scene.theirs, scene.guess
    if options(scene.heard.named, "ours") and not options(scene.heard.named, "theirs"):
        yield from team(scene)
        yield from suffered(scene, [one.id for one in options(scene.heard.named, "ours")])
        return
    if mon is None or guess is None:
        return
    shown = [move_name(move) for move in mon.known_moves]
    yield (
        scene.say("sets_seen", mon=mon, moves=and_listed(scene, shown))
        if shown
        else scene.say("sets_unseen", mon=mon)
    )
    chances = dict(move_chances(guess))
    yield from _named_items(scene, mon, guess)
    if scene.move:
        chance = chances.get(scene.move, 0.0)
        yield scene.say("has_chance", move=move_name(scene.move), chance=chance)
    more = [(move_name(m), c) for m, c in chances.items() if m not in mon.known_moves]
    if more:
        yield scene.say("sets_may", moves=as_shares(scene, more, 8))
    carried = [scene.say("sets_item", items=_items(scene, mon, guess))]
    if abilities := [(dex.ability_name(a), c) for a, c in ability_chances(mon, guess) if a]:
        carried.append(scene.say("sets_ability", abilities=as_shares(scene, abilities, 3)))
    if not scene.position.theirs.tera_used:
        carried.append(scene.say("sets_tera", types=as_shares(scene, teras(scene, mon, guess), 4)))
    yield " ".join(carried)
    yield from roughly(scene)


def _items(scene: Scene, mon: Mon, guess: Guess) -> str:
    """Phrase the item that theirs lost, or those it may hold."""
    if mon.item == "" and mon.first_item:
        return scene.say("lost_item", item=item_name(mon.first_item))
    shares = [(item_name(i) if i else scene.say("no_item"), c) for i, c in item_chances(mon, guess)]
    return as_shares(scene, shares, 4)


def _named_items(scene: Scene, mon: Mon, guess: Guess) -> Iterable[str]:
    """Say how likely it holds each named item, and what that would change."""
    chances = dict(item_chances(mon, guess))
    for asked in options(scene.heard.named, "item")[:2]:
        chance = chances.get(asked.id, 0.0)
        key = "item_chance" if chance > 0 else "item_never"
        yield scene.say(key, mon=mon, item=item_name(asked.id), chance=chance)
        yield from with_item(scene, asked.id)


def item(scene: Scene) -> Iterable[str]:
    """Say what one of theirs holds, or may hold after what has been ruled out."""
    mon, guess = scene.theirs, scene.guess
    if mon is None or guess is None:
        return
    name = scene.mon(mon)
    if mon.item:
        yield scene.say("item_known", mon=name, item=item_name(mon.item))
        return
    if mon.item == "":
        yield scene.say("item_none", mon=name)
        for asked in options(scene.heard.named, "item")[:1]:
            yield from with_item(scene, asked.id)
        return
    yield from _named_items(scene, mon, guess)
    yield scene.say("sets_item", items=_items(scene, mon, guess))
    # Choice items lock their holder into one move: two moves without switching rule them out.
    if set(CHOICE) <= set(mon.ruled_out_items):
        yield scene.say("no_choice")
    for seen in [one for one in mon.speeds if one.first][-1:]:
        mate = display(scene.position, seen.mate) if seen.mate else ""
        if mate:
            yield scene.say("moved_first", turn=seen.turn, mon=mate)
    yield from roughly(scene)


def hazards(scene: Scene) -> Iterable[str]:
    """Say which entry hazards lie where, what they cost ours and who can remove them."""
    position = scene.position
    if scene.heard.side == "theirs":
        yield _spiked(scene)
    yield from _lies(scene)
    laid = [one for one in LAID if position.ours.layers(one) or position.theirs.layers(one)]
    named = [one.id for one in options(scene.heard.named, "move") if one.id in LAID]
    for one in named:
        if one not in laid:
            yield scene.say("hazard_none", what=move_name(one))
    if costs := _entry_costs(scene):
        yield scene.say("hazard_cost", costs=", ".join(costs))
    if any(position.ours.layers(one) for one in LAID):
        found = [*clearers(position.ours)]
        for mon, move in found:
            yield scene.say("hazard_clear", mon=mon, move=move_name(move))
        if not found:
            yield scene.say("hazard_stays", moves=", ".join(map(move_name, CLEARS[:2])))
    teach = ("hazards_teach", "hazard_rocks", "hazard_spikes")
    yield " ".join(map(scene.say, teach)) if named else ""


def _spiked(scene: Scene) -> str:
    """Say what Spikes on their side take from whoever of theirs comes in."""
    layers = min(3, scene.position.theirs.layers("spikes"))
    return scene.say("spiked", share=SPIKES[layers]) if layers else ""


def _lies(scene: Scene) -> Iterable[str]:
    """Say what is on each side of the field and on both."""
    position, field = scene.position, scene.position.field
    over = [
        move_name(one) for one in (field.sky, field.ground, *(r.id for r in field.rooms)) if one
    ]
    if not (over or position.ours.conditions or position.theirs.conditions):
        yield scene.say("field_none")
        return
    for whose, side in position.sides:
        things = ", ".join(_laid(scene, one.id, one.layers) for one in side.conditions)
        yield scene.say(f"field_{whose}", things=things or scene.say("nothing"))
    yield scene.say("field_over", things=", ".join(over)) if over else ""


def last(scene: Scene) -> Iterable[str]:
    """Say what happened in the last turn, and what it revealed of theirs."""
    position = scene.position
    steps = last_turn(position)
    told = [happened(scene.heard.language, one) for one in steps]
    if not told:
        yield scene.say("turn_nothing")
        return
    named = [n for n, one in enumerate(steps) if scene.move and dex.to_id(one.what) == scene.move]
    yield " ".join((scene.say("turn_told"), *(told[n] for n in named or range(len(told)))))
    if named:
        return
    team = {mon.ident: mon for mon in position.theirs.team}
    shown = [
        scene.say("turn_learned_one", mon=team[ident], move=move_name(move))
        for ident, move in first_shown(position)
    ]
    yield scene.say("turn_learned", moves=", ".join(shown)) if shown else scene.say("turn_same")
    for mon in team.values():
        for seen in mon.speeds[-1:]:
            if seen.mate and seen.turn >= position.turn - 1:
                key = "moved_first" if seen.first else "moved_last"
                mate = display(position, seen.mate)
                yield scene.say(key, turn=seen.turn, mon=mate, it=mon)


def led(scene: Scene) -> Iterable[str]:
    """Say whom each side sent in first, and what theirs may have."""
    theirs, ours = scene.position.theirs, scene.position.ours
    # The team is in order of appearance.
    first = theirs.lead or next((mon.ident for mon in theirs.team), "")
    for key, ident in (("led_theirs", first), ("led_ours", ours.lead)):
        yield scene.say(key, mon=display(scene.position, ident)) if ident else ""
    yield from sets(scene.of(Thing("theirs", first))) if first else ()


def levels(scene: Scene) -> Iterable[str]:
    """Explain levels, and give those of the Pokémon in question."""
    told = [
        scene.say("level_one", mon=mon, level=mon.level, hp=mon.hp)
        for mon in (scene.ours, scene.theirs)
        if mon
    ]
    yield scene.say("levels", mons=and_listed(scene, told))
    yield scene.say("levels_dealt") if "random" in scene.position.format else ""


def clause(scene: Scene) -> Iterable[str]:
    """Explain Sleep Clause, say whom we put to sleep, and list all rules if they are asked for."""
    # Sleep from the Pokémon's own Rest does not count for the clause.
    asleep = [mon for mon in scene.position.theirs.team if mon.status == "slp" and not mon.rested]
    yield scene.say("clause")
    names = and_listed(scene, [scene.mon(mon) for mon in asleep])
    yield scene.say("clause_sleeps" if asleep else "clause_awake", mons=names)
    asked = scene.heard.named.marked
    every, sleep = alike(asked, ASKED_OF_RULES) if asked else (1.0, 0.0)
    if scene.position.rules and every > sleep:
        yield scene.say("clause_rules", rules="; ".join(scene.position.rules))


def defined(scene: Scene) -> Iterable[str]:
    """Explain the term of the game that a question of another topic asks the meaning of."""
    heard = scene.heard
    if heard.topic in EXPLAINING or heard.named.names or heard.side == "theirs":
        return
    if terms := [*explained(heard.language, heard.named.marked)][:1]:
        near = alike(heard.named.marked, (*DEFINES, *USES))
        nearer = max(near[: len(DEFINES)]) - max(near[len(DEFINES) :])
        yield from terms if nearer >= NEARER else ()


def novice(scene: Scene) -> Iterable[str]:
    """Explain the game terms that a newcomer used, or welcome them."""
    terms = [*explained(scene.heard.language, scene.heard.named.marked)]
    yield from terms[:2] or [scene.say("novice")]


def lesson(scene: Scene) -> Iterable[str]:
    """Explain when to switch and when to stay."""
    yield scene.say("lesson")


def ability(scene: Scene) -> Iterable[str]:
    """Say which ability the Pokémon has or may have, and what it does."""
    mon, guess = scene.subject, scene.guess
    if mon is None:
        return
    shares = ability_chances(mon, guess) if guess else ((mon.ability or "", 1.0),)
    held = [(mon.ability, 1.0)] if mon.ability else [one for one in shares if one[0]]
    names = [(dex.ability_name(one), chance) for one, chance in held]
    if names:
        yield scene.say("has_ability", mon=mon, abilities=as_shares(scene, names, 3))
    for one, _ in held[:1]:
        if text := scene.printed.get(f"ability/{one}", ""):
            yield scene.say("explain_printed", name=dex.ability_name(one), text=text)


def status(scene: Scene) -> Iterable[str]:
    """Say what the status of those in question does, else which theirs may inflict, by what."""
    named = options(scene.heard.named, "ours", "theirs", "move")
    out = [scene.position.ours.active, scene.position.theirs.active]
    idents = [thing.id for thing in named] or [mon.ident for mon in out if mon]
    if here := [*suffered(scene, idents)]:
        yield from here
        return
    mon, guess = scene.theirs, scene.guess
    if mon is None or guess is None:
        return
    known = [(dex.move(move), chance) for move, chance in move_chances(guess)]
    told = [
        (f"{page.name} ({scene.say(f'status_{page.status or page.side_status}')})", chance)
        for page, chance in known
        if page.status or page.side_status
    ]
    key = "status_may" if told else "status_never"
    yield scene.say(key, mon=mon, moves=as_shares(scene, told, 4) if told else "")


def suffered(scene: Scene, idents: Sequence[str]) -> Iterable[str]:
    """Say what the status of each of these does, how it ends, and who of its side can cure it."""
    for whose, side in scene.position.sides:
        for mon in (one for one in side.team if one.ident in idents):
            known = f"suffers_{mon.status}" in SUFFERED
            if not known or mon.fainted or mon.ability in words("at_home_in_poison"):
                continue
            yield scene.say(f"suffers_{mon.status}", mon=mon)
            if mon.status in PASSING:
                continue
            can = [(mate, cure) for mate in side.team for cure in _cures(mate, own=mate is mon)]
            shares = [f"{scene.mon(mate)} ({cure})" for mate, cure in can]
            yield scene.say(
                f"cures_{whose}" if shares else f"cures_none_{whose}",
                mons=and_listed(scene, shares),
            )


def _cures(mon: Mon, *, own: bool) -> Iterable[str]:
    """Name what one has that takes a status away: from its whole side, or from itself if `own`."""
    if not mon.fainted:
        means = (*words("cures_side"), *(words("cures_self") if own else ()))
        has = (*mon.known_moves, mon.ability or "", mon.item or "")
        for one in (each for each in has if each in means):
            kind = "move" if one in mon.known_moves else "ability" if one == mon.ability else "item"
            yield thing_name(Thing(kind, one))


def accuracy(scene: Scene) -> Iterable[str]:
    """Say how often the named move hits, or those of our active Pokémon that can miss."""
    active = scene.position.ours.active
    moves = [scene.move] if scene.move else list(active.known_moves if active else ())
    pages = [dex.move(move) for move in moves if dex.knows_move(move)]
    chances = [(page.name, chance_to_hit(scene, page.id)) for page in pages]
    told = [
        scene.say("hits_often", move=name, hit=hit, miss=1 - hit)
        for name, hit in chances
        if scene.move or hit < 1
    ]
    yield from told or [scene.say("hits_always")]


def chance_to_hit(scene: Scene, move: str) -> float:
    """Compute how often a move hits, 0 to 1; abilities, items and stages of the pair count."""
    pair = scene.pair()
    met = (
        [hit.accuracy for hit in (*pair.our_hits, *pair.their_hits) if hit.move == move]
        if pair
        else []
    )
    return met[0] if met else dex.move(move).accuracy


def pp(scene: Scene) -> Iterable[str]:
    """Say how many uses the named move has left, or all known moves of the Pokémon.

    Those of theirs are counted from the uses seen.
    """
    mon = scene.subject
    slots = [one for one in (mon.moves if mon else ()) if scene.move in ("", one.id)]
    told = [
        scene.say("pp_one", move=move_name(one.id), left=one.pp, most=one.max_pp) for one in slots
    ]
    if mon and told:
        yield scene.say("pp", mon=mon, moves=", ".join(told))


def _laid(scene: Scene, name: str, layers: int) -> str:
    """Phrase a hazard with its layers."""
    thing = move_name(name)
    return scene.say("layers", thing=thing, count=layers) if layers > 1 else thing


def _entry_costs(scene: Scene) -> list[str]:
    """List what entering would cost each of ours on the bench, if anything."""
    ours, ground = scene.position.ours, scene_of(scene.position, defending="ours")
    taken = [(mon, hazard_share(ours, our_fighter(mon), ground)) for mon in ours.bench]
    return [scene.say("team_mon", mon=mon, hp=share) for mon, share in taken if share]


def explain(scene: Scene) -> Iterable[str]:
    """Say what the dex prints about the named things, and explain game terms."""
    named, language = scene.heard.named, scene.heard.language
    kinds = options(named, "type")[:2]
    for thing in kinds if scene.move else ():
        yield from into_type(scene, thing.id)
    for thing in options(named, "move", "item", "ability")[:2]:
        if thing.kind == "move":
            yield from _of_move(scene, thing.id)
        text = scene.printed.get(f"{thing.kind}/{thing.id}", "")
        if text:
            yield scene.say("explain_printed", name=thing_name(thing), text=text)
    for thing in () if scene.move else kinds:
        yield from _of_type(scene, thing.id)
    team = {m.ident: m for m in (*scene.position.ours.team, *scene.position.theirs.team)}
    for thing in options(named, "ours", "theirs", "species")[:2]:
        mon = team.get(thing.id)
        types = mon.types if mon else dex.species(thing.id).types
        yield from _of_types(scene, thing_name(thing), types)
        if thing.kind != "ours":
            yield _hit_by(scene, types)
    terms = [*explained(language, named.marked)]
    yield from terms[:2]
    if not (named.names or terms):
        yield scene.say("explain_what")
        yield say(language, "help")


def types(scene: Scene) -> Iterable[str]:
    """Say a Pokémon's types and weaknesses, and who of ours exploits them."""
    team = {m.ident: m for m in (*scene.position.ours.team, *scene.position.theirs.team)}
    things = options(scene.heard.named, "ours", "theirs", "species")[:2]
    for ident in [thing.id for thing in things] or [mon.ident for mon in [scene.theirs] if mon]:
        kinds = team[ident].types if ident in team else dex.species(ident).types
        yield scene.say(
            "types",
            name=thing_name(Thing("theirs" if ident in team else "species", ident)),
            types=types_said(scene, kinds),
            weak=types_said(scene, defences(kinds)[0]),
        )
        none = defences(kinds)[2]
        yield scene.say("types_immune", types=types_said(scene, none)) if none else ""
        if ident not in {mon.ident for mon in scene.position.ours.team}:
            yield _hit_by(scene, kinds)


def _hit_by(scene: Scene, types: tuple[str, ...]) -> str:
    """Say who of ours has moves that are super effective against these types."""
    strong = [
        (
            mon,
            [
                move_name(m)
                for m in mon.known_moves
                if dex.move(m).damaging and dex.effectiveness(dex.move(m).type, types) > 1
            ],
        )
        for mon in scene.position.ours.team
        if not mon.fainted
    ]
    told = [f"{scene.mon(mon)} ({', '.join(moves)})" for mon, moves in strong if moves]
    return scene.say("hit_by", mons=", ".join(told)) if told else scene.say("hit_by_none")


def _of_move(scene: Scene, move: str) -> Iterable[str]:
    """Say a move's type, category, power, accuracy and priority."""
    page = dex.move(move)
    kind = type_name(scene.heard.language, page.type)
    if not page.damaging:
        yield scene.say("explain_status", name=page.name, type=kind)
    else:
        sure = page.accuracy >= 1
        yield scene.say(
            "explain_move",
            name=page.name,
            type=kind,
            category=scene.say(page.category),
            power=page.power or "–",
            accuracy="100 %" if sure else f"{percent(page.accuracy)} %",
        )
    if page.priority:
        yield scene.say("explain_priority", priority=f"{page.priority:+d}")


def _of_type(scene: Scene, kind: str) -> Iterable[str]:
    """Say what a type is effective against, and what it is weak to and resists."""
    if kind not in dex.TYPES:
        return
    strong, weak, none = type_answers(kind)
    name = type_name(scene.heard.language, kind)
    key = "explain_attack" if none else "explain_attack_all"
    names = {"strong": types_said(scene, strong), "weak": types_said(scene, weak)}
    yield scene.say(key, type=name, none=types_said(scene, none), **names)
    yield defence(scene, name, (kind,))


def _of_types(scene: Scene, name: str, types: tuple[str, ...]) -> Iterable[str]:
    """Say a Pokémon's types and what they are weak to and resist."""
    yield scene.say("explain_mon", name=name, types=types_said(scene, types))
    yield defence(scene, name, types)


def left(scene: Scene) -> Iterable[str]:
    """Say who is left on both sides, beginning with the side in question."""
    sides = [("theirs", scene.position.theirs), ("ours", scene.position.ours)]
    for key, side in sorted(sides, key=lambda each: each[0] != scene.heard.side):
        told = [scene.say("team_left", mon=mon, hp=mon.hp) for mon in side.team if not mon.fainted]
        told += [scene.say("team_unseen", count=side.unseen)] if side.unseen else []
        gone = and_listed(scene, [scene.mon(mon) for mon in side.team if mon.fainted])
        fallen = f" {scene.say('left_fallen', mons=gone)}" if gone else ""
        yield scene.say(f"left_{key}", count=side.alive, mons=and_listed(scene, told)) + fallen


def health(scene: Scene) -> Iterable[str]:
    """Say how much health the named Pokémon have, or those in question, ours spoken of included."""
    named = {one.id for one in options(scene.heard.named, "ours", "theirs")}
    team = (*scene.position.ours.team, *scene.position.theirs.team)
    mons = [mon for mon in team if mon.ident in named] or [m for m in [scene.subject] if m]
    if not named and not scene.heard.side and (spoken := scene.state.spoken):
        before = [mon for mon in scene.position.ours.team if mon.ident == spoken.ours]
        mons = [*before, *(mon for mon in mons if mon not in before)]
    for mon in mons[:2]:
        yield _health(scene, mon)


def _health(scene: Scene, mon: Mon) -> str:
    """Say how much health one has left, and whether it would fall coming in."""
    whole = "health_points" if mon.hp_max and mon.hp_now is not None else "health"
    key = "is_fainted" if mon.fainted else whole
    told = scene.say(key, mon=mon, hp=mon.hp, now=mon.hp_now, most=mon.hp_max)
    falls = mon in scene.position.ours.team and falls_on_entry(scene.position, mon)
    return f"{told} {scene.say('entry_falls', mon=mon)}" if falls else told


def team(scene: Scene) -> Iterable[str]:
    """Say who of ours is left, or the health and moves of a named one."""
    named = options(scene.heard.named, "ours")
    for thing in named[:2]:
        mon = scene.position.ours.member(thing.id)
        moves = [move_name(move) for move in mon.known_moves]
        yield _health(scene, mon)
        yield scene.say("team_moves", mon=mon, moves=and_listed(scene, moves))
    if not named:
        yield from left(scene)


TOLD = (
    sets,
    item,
    hazards,
    last,
    led,
    levels,
    clause,
    novice,
    lesson,
    ability,
    status,
    accuracy,
    pp,
    explain,
    types,
    left,
    health,
    team,
)
"""Functions that answer the topic of the same name; `answers.ANSWERS` collects them."""
