"""Tables for a question, added to those of the battle: pairs, sets, speeds and printed texts.

The model that explains may only state what a row says, so whatever a question may need must be
here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil

from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.chances import turning
from ruleplay.agents.battle.domain.faceoff import (
    Faceoff,
    HitRange,
    ability_chances,
    after_move,
    defences,
    face_off,
    holding,
    item_chances,
    move_chances,
    speeds,
    struck,
    tera_chances,
    type_answers,
)
from ruleplay.agents.battle.domain.items import item_name
from ruleplay.agents.battle.domain.meaning import Thing, options
from ruleplay.agents.battle.domain.memory import told_on
from ruleplay.agents.battle.domain.naming import display, move_name, order_words
from ruleplay.agents.battle.domain.options import SPIKES
from ruleplay.agents.battle.domain.phrases import explained, happened, type_name
from ruleplay.agents.battle.domain.position import LAID, Mon, Side
from ruleplay.agents.battle.domain.results import Guess
from ruleplay.agents.battle.policy import turns
from ruleplay.agents.battle.policy.course import Choice, chances
from ruleplay.agents.battle.policy.names import thing_name
from ruleplay.agents.battle.policy.rows import (
    FORESEEN,
    HITS,
    belongings,
    numbered,
    percents,
    table,
)
from ruleplay.agents.battle.policy.scene import RARELY, Scene, action, as_shares
from ruleplay.telling.table import Cell, Must, Table

MONS = 2
"""Named Pokémon of each side that are played out against each other."""
POISONED = ((1, "simply"), (2, "badly"))
"""How Toxic Spikes poison, by their layers."""
SETS = 6
"""Sets of one of theirs that are listed as wholes."""
TERAS, SETUPS, ITEMS = 2, 2, 2
"""Tera types, set-up moves and named items of a pair that are played out."""
THINGS = ("move", "item", "ability")
"""Kinds of things with a text in the dex."""
LEFTOVERS = 1 / 16
"""The share of its maximum health that Leftovers restores after each turn."""


DEALT = "Random battle: the game deals both teams with their moves, items and tera types."
SEEN = "Of the other side each sees who came in, its health, and moves, items, abilities once shown"
"""What is known of a format beside the rules that the server announces."""


def asked_tables(scene: Scene, tables: Sequence[Table], lines: Sequence[str]) -> tuple[Table, ...]:
    """Append the tables that the question needs; `lines` must open the reply."""
    more = [_orders(scene, lines), *_pair_tables(scene), *_set_tables(scene), _printed(scene)]
    also = (_uses(scene), _left(scene), _clock(scene), *_course(scene), CRITICAL, _rules(scene))
    game = (_coming(scene), _speeds(scene), _first(scene), _words_of_the_game(scene))
    kinds = (_types(scene), _into_types(scene), _tolls(scene))
    return numbered([*tables, *more, *kinds, *also, *game, *_plan(scene), *_turns(scene)])


def _turns(scene: Scene) -> Iterable[Table]:
    """Build tables of all choices by turn, and of what was chosen and happened in those asked."""
    kept = scene.course
    choices = [(one.turn, *_choice(scene, one)) for one in kept.choices]
    columns = "turn, chosen name, by text, win_chance_then %, gave_away %, expected_of_them text"
    notes = ("A turn without a row was not kept.",) if choices else ()
    yield table("our choices, turn by turn", columns, choices, notes=notes)
    for turn in turns.asked(scene)[: turns.TURNS_TOLD]:
        lines = [
            (order_words(line.order, one.position), *percents(line.value))
            for one in kept.at(turn)
            for line in (one.verdict.lines if one.verdict else ())
        ]
        yield table("what could be chosen then", "order name, win_chance %", lines, f"turn {turn}")
        steps = [(happened(scene.heard.language, one),) for one in kept.happened(turn)]
        yield table("what happened then", "what_happened text", steps, f"turn {turn}")
    words = scene.heard.language
    marks = [(one.turn, happened(words, one)) for one in kept.every if one.kind in ("fell", "tera")]
    yield table("who fell and who terastallized, by turn", "turn, what_happened text", marks)
    luck = [(one.turn, kind, happened(words, one)) for kind, one in chances(kept.every)]
    yield table("what luck decided", "turn, kind text, what_happened text", luck)


def _choice(scene: Scene, one: Choice) -> tuple[Cell, ...]:
    """Give the cells that tell a choice."""
    shares = [(action(scene, each), each.probability) for each in one.expected[:FORESEEN]]
    figures = (None if each is None else round(100 * each, 1) for each in (one.value, one.lost))
    return order_words(one.order, one.position), one.source, *figures, as_shares(scene, shares, 3)


def _coming(scene: Scene) -> Table:
    """List what those not seen yet may do to ours, as shares of what may come in."""
    ours = scene.mon(scene.ours) if scene.ours else ""
    told = {
        "nothing": "{move} does nothing to it",
        "falls": "its hardest hit knocks out {ours} more likely than not",
        "first": "so, and it moves first",
    }
    rows = [
        (
            told[one.how].format(move=move_name(one.move) if one.move else "", ours=ours),
            *percents(one.chance),
            ", ".join(one.such_as),
        )
        for one in scene.coming
    ]
    title = "if one not seen yet comes in: an estimate from the teams of this format"
    note = "The species are only examples: nobody knows which of them theirs are."
    columns = "what text, chance %, such_as text"
    return table(title, columns, rows, f"against {ours}" if rows else "", (note,) if rows else ())


def _speeds(scene: Scene) -> Table:
    """List everybody's current speed; theirs as a range over their possible sets."""
    guesses = scene.inference.guesses
    rows: list[tuple[Cell, ...]] = [
        (scene.mon(mon), whose, *speeds(scene.position, mon, guesses.get(mon.ident)))
        for whose, side in scene.position.sides
        for mon in side.team
        if not mon.fainted and (whose == "ours" or mon.ident in guesses)
    ]
    title = "speed as it is now: stages, items, abilities and paralysis counted; a tie is drawn"
    return table(title, "pokemon name, side text, least_speed, most_speed", rows)


def _first(scene: Scene) -> Table:
    """List the moves with a priority other than 0, for everybody who can still fight."""
    guesses = scene.inference.guesses
    rows: list[tuple[Cell, ...]] = []
    for whose, side in scene.position.sides:
        for mon in (mon for mon in side.team if not mon.fainted):
            guess = guesses.get(mon.ident) if whose == "theirs" else None
            known = dict.fromkeys(mon.known_moves, 1.0) | dict(move_chances(guess) if guess else ())
            found = [(dex.move(move), chance) for move, chance in known.items()]
            odd = [(page.name, page.priority, *percents(c)) for page, c in found if page.priority]
            # A row "none" is needed, too: what no row says cannot be stated.
            rows += [(scene.mon(mon), whose, *one) for one in odd or [("none", None, None)]]
    title = "who has moves of another priority than most (0); the highest goes first"
    return table(title, "pokemon name, side text, move name, priority, chance %", rows)


def _words_of_the_game(scene: Scene) -> Table:
    """Explain the game terms that the question uses."""
    told = explained(scene.heard.language, scene.heard.named.marked)
    return table("what words of the game mean", "means text", [(one,) for one in told])


CRITICAL = table("critical hits of most moves", "chance %, once_in", [(round(100 / 24, 1), 24)])
"""From generation 7 on, a move without a raised critical-hit rate has a chance of 1 in 24."""


def _course(scene: Scene) -> Iterable[Table]:
    """Build tables of how our winning chance developed and what happened where it turned."""
    curve = scene.state.chances
    words, turns = {"recap_fall": "fell most", "recap_rise": "rose most"}, turning(curve)
    rows: list[tuple[Cell, ...]] = [
        (words[key], turn, *percents(before, after)) for key, (turn, before, after) in turns.items()
    ]
    rows += [("in all", turn, *percents(curve[0][1], last)) for turn, last in curve[-1:]]
    columns = "what text, turn, before %, after %"
    yield table("how our chance of winning went over the battle", columns, rows)
    steps = [
        (turn, line)
        for turn in sorted({turn for turn, *_ in turns.values()})
        for line in told_on(scene.state.memory, turn, scene.position, scene.heard.language)
    ]
    yield table("what happened where our chance turned", "turn, what_happened text", steps)


def _uses(scene: Scene) -> Table:
    """List the remaining uses (PP) of moves; for theirs, counted from the uses seen."""
    moves = {thing.id for thing in options(scene.heard.named, "move")}
    asked = {mon.ident for mon in (scene.ours, scene.theirs) if mon}
    rows: list[tuple[Cell, ...]] = [
        (scene.mon(mon), move_name(slot.id), slot.pp, slot.max_pp)
        for mon in (*scene.position.ours.team, *scene.position.theirs.team)
        for slot in mon.moves
        if not mon.fainted and (mon.ident in asked or slot.id in moves)
    ]
    columns = "pokemon name, move name, uses_left, most_uses"
    return table("how often moves can still be used (PP)", columns, rows)


def _left(scene: Scene) -> Table:
    """Count who can still fight on each side."""
    rows: list[tuple[Cell, ...]] = [
        (whose, side.alive, sum(mon.fainted for mon in side.team), side.unseen, _tera(scene, side))
        for whose, side in scene.position.sides
    ]
    columns = "side text, left, fallen, not_yet_seen, terastallization text"
    return table("how many are left", columns, rows)


def _tera(scene: Scene, side: Side) -> str:
    """Say whether a side has terastallized, and who."""
    if not side.tera_used:
        return "not used yet"
    who = next((scene.mon(mon) for mon in side.team if mon.terastallized), "")
    return f"used by {who}" if who else "used"


def _clock(scene: Scene) -> Table:
    """Build the table of the seconds that the server gave for this choice."""
    left = scene.position.time_left
    rows = [] if left is None else [("left for this choice when it was asked", left)]
    return table("the clock", "what text, seconds", rows)


def _rules(scene: Scene) -> Table:
    """List the rules (clauses) that the server announced for the format."""
    heading = f"{scene.position.format}; sleep by one's own Rest counts for no clause"
    rows = [(rule,) for rule in (*scene.position.rules, *_format_rules(scene))]
    return table("the rules of this format", "rule text", rows, heading)


def _format_rules(scene: Scene) -> Iterable[str]:
    """Say who chose the teams, if that is known, and what each side can see of the other."""
    if "random" in scene.position.format:
        yield DEALT
    preview = scene.position.theirs.preview
    yield f"{SEEN}; {'team preview showed' if preview else 'no team preview shows'} the species."


def _plan(scene: Scene) -> Sequence[Table]:
    """List the roles in our team, of those who have not fainted."""
    analysis = scene.state.analysis
    if analysis is None:
        return ()
    alive = {mon.ident for mon in scene.position.ours.team if not mon.fainted}
    roles = (
        ("win condition", analysis.win_conditions),
        ("sweeper", analysis.sweepers),
        ("to keep", analysis.preserve),
        ("can be given up", analysis.expendable),
    )
    rows: list[tuple[Cell, ...]] = [
        (display(scene.position, ident), role)
        for role, idents in roles
        for ident in idents
        if ident in alive
    ]
    heading = "as planned at the start; the search of a turn may let one to keep fall"
    return (table("roles in our team", "pokemon name, role text", rows, heading),)


def _orders(scene: Scene, lines: Sequence[str]) -> Table:
    """List what became of the person's orders, in the words of code, which must open the reply."""
    made = table("what became of the order", "said text", [(one,) for one in lines])
    musts = (Must(row=0, line=" ".join(lines), always="first"),) if lines else ()
    return made.model_copy(update={"musts": musts})


def _asked(scene: Scene, kind: str, side: Side, default: Mon | None) -> list[Mon]:
    """List a side's named Pokémon that can still fight; by default the one given."""
    idents = [thing.id for thing in options(scene.heard.named, kind)]
    named = [mon for mon in side.team if mon.ident in idents and not mon.fainted]
    return named[:MONS] or ([default] if default and not default.fainted else [])


def _pair_tables(scene: Scene) -> Iterable[Table]:
    """Yield the tables about the Pokémon in question, one on one."""
    theirs = _asked(scene, "theirs", scene.position.theirs, scene.theirs)
    ours = _asked(scene, "ours", scene.position.ours, scene.ours)
    met = [
        (us, them, scene.inference.guesses[them.ident])
        for them in theirs
        for us in ours
        if them.ident in scene.inference.guesses
    ]
    plain = [
        face_off(scene.position, us, them, guess, move=_foreign(scene, us))
        for us, them, guess in met
    ]
    yield _ends(scene, plain)
    for pair in plain:
        guess = scene.inference.guesses[pair.theirs.ident]
        crits = struck(scene.position, pair, guess, crit=True)
        whole = struck(scene.position, pair, guess)
        yield _hits(scene, pair, crits, whole, ours=True)
        yield _hits(scene, pair, crits, whole, ours=False)
    if own := scene.with_own_tera:
        yield _own_tera(scene, own)
    if not scene.position.theirs.tera_used:
        yield _teras(scene, met)
    yield _after_setup(scene, met)
    yield _with_items(scene, met)


def _after_setup(scene: Scene, met: Sequence[tuple[Mon, Mon, Guess]]) -> Table:
    """Build the table of hits once either has used a set-up move: a named one, or the likeliest."""
    named = {thing.id for thing in options(scene.heard.named, "move")}
    rows: list[tuple[Cell, ...]] = []
    for us, them, guess in met:
        may = [(them, move, chance) for move, chance in move_chances(guess) if chance >= RARELY]
        may += [(us, move, 1.0) for move in us.known_moves]
        rising = [one for one in may if dex.move(one[1]).rises]
        rising.sort(key=lambda one: one[1] not in named)
        for by, move, chance in rising[:SETUPS]:
            risen = after_move(by, move)
            pair = (risen, them) if by is us else (us, risen)
            what = f"{scene.mon(by)} has used {move_name(move)} once"
            rows += _changed(scene, face_off(scene.position, *pair, guess), what, chance)
    columns = TERA_COLUMNS.replace("tera name, chance_of_that_tera", "after text, chance_it_has_it")
    return table("if one uses a set-up move first", columns, rows)


def _with_items(scene: Scene, met: Sequence[tuple[Mon, Mon, Guess]]) -> Table:
    """Build the table of hits if theirs, or ours where only ours is named, held a named item."""
    mine = options(scene.heard.named, "ours") and not options(scene.heard.named, "theirs")
    rows: list[tuple[Cell, ...]] = []
    for us, them, guess in met:
        for thing in options(scene.heard.named, "item")[:ITEMS]:
            worn, known = (them, guess) if mine else holding(them, guess, thing.id)
            held = us.model_copy(update={"item": thing.id}) if mine else us
            what = f"{scene.mon(us if mine else them)} holds {item_name(thing.id)}"
            chance = 0.0 if mine else dict(item_chances(them, guess)).get(thing.id, 0.0)
            rows += _changed(scene, face_off(scene.position, held, worn, known), what, chance)
    columns = TERA_COLUMNS.replace(
        "tera name, chance_of_that_tera", "supposed text, chance_of_that"
    )
    return table("if it held the item asked about", columns, rows)


def _foreign(scene: Scene, ours: Mon) -> str:
    """Find a named move that ours does not have, to show what it would do to ours."""
    moves = [thing.id for thing in options(scene.heard.named, "move")]
    return next((move for move in moves if move not in ours.known_moves), "")


def _ends(scene: Scene, pairs: Sequence[Faceoff]) -> Table:
    """Build the table of who is faster and who wins."""
    rows: list[tuple[Cell, ...]] = [
        (
            scene.mon(pair.ours),
            scene.mon(pair.theirs),
            *percents(pair.faster, pair.wins, pair.loses),
        )
        for pair in pairs
    ]
    columns = "ours name, theirs name, ours_is_faster %, ours_wins %, theirs_wins %"
    return table("the pair asked about, over all sets theirs may carry", columns, rows)


def _hits(
    scene: Scene,
    pair: Faceoff,
    crits: Mapping[tuple[str, str], HitRange],
    whole: Mapping[tuple[str, str], HitRange],
    *,
    ours: bool,
) -> Table:
    """Build the table of what one of the two does to the other with each move."""
    by, on = (pair.ours, pair.theirs) if ours else (pair.theirs, pair.ours)
    hits = pair.our_hits if ours else pair.their_hits
    rows = [
        (
            page.name,
            _type(scene, page.type),
            page.priority or None,
            *_range(hit),
            *(percents(whole[by.ident, hit.move].low) if page.multihit != (1, 1) else (None,)),
            *(percents(crit.low, crit.high) if crit and crit.high else (None, None)),
            _needed(hit.high, on),
            _needed(hit.low, on),
            _needed((hit.low + hit.high) / 2, on, LEFTOVERS),
            *(round(part * on.hp_max) if on.hp_max else None for part in (hit.low, hit.high)),
            *percents(hit.accuracy, hit.chance),
            "yes" if hit.usable else "no, it is barred",
        )
        for hit, page in ((one, dex.move(one.move)) for one in hits)
        for crit in [crits.get((by.ident, hit.move))]
    ]
    columns = (
        f"move name, type text, priority, {HITS}, least_if_all_its_hits_land %, "
        "least_if_critical %, most_if_critical %, least_uses_to_knock_out, most_uses_to_knock_out, "
        "uses_if_it_heals_a_16th_a_turn, least_points, most_points, accuracy %, chance %, "
        "can_be_used_now text"
    )
    heading = f"{scene.mon(by)} on {scene.mon(on)}, which has {round(100 * on.hp)}% left"
    title = "what its moves do; Leftovers heal a 16th a turn; chance: that it has the move"
    return table(title, columns, rows, heading)


def _own_tera(scene: Scene, pair: Faceoff) -> Table:
    """Build the table of hits once ours has terastallized."""
    rows = _changed(scene, pair, _type(scene, pair.ours.tera_type or ""), 1.0)
    return table("if ours terastallizes", TERA_COLUMNS, rows)


def _changed(scene: Scene, pair: Faceoff, tera: str, chance: float) -> list[tuple[Cell, ...]]:
    """List the hits of both when one of them has terastallized into `tera`."""
    ours, theirs = scene.mon(pair.ours), scene.mon(pair.theirs)
    return [
        (
            by,
            tera,
            *percents(chance),
            move_name(hit.move),
            on,
            *_range(hit),
            *percents(pair.wins, pair.faster),
        )
        for by, on, hits in ((ours, theirs, pair.our_hits), (theirs, ours, pair.their_hits))
        for hit in hits
        if hit.high > 0 and hit.chance >= RARELY
    ]


TERA_COLUMNS = (
    f"who_hits name, tera name, chance_of_that_tera %, move name, target name, {HITS}, "
    "ours_wins %, ours_is_faster %"
)
"""Columns of both tables about terastallization."""


def _needed(share: float, on: Mon, healed: float = 0.0) -> Cell:
    """Compute how many hits of this strength knock a Pokémon out; None if they never do.

    `healed` is the share of its maximum health that it recovers after each turn.
    """
    if not share > healed:
        return None
    # Solves n * share - (n - 1) * healed >= hp: nothing is recovered after the final hit.
    return max(1, ceil((on.hp - healed) / (share - healed)))


def _range(hit: HitRange) -> tuple[Cell, ...]:
    return percents(hit.low, hit.high, hit.ko)


def _teras(scene: Scene, met: Sequence[tuple[Mon, Mon, Guess]]) -> Table:
    """Build the table of hits with theirs terastallized, for the named types or the likeliest."""
    asked = [thing.id for thing in options(scene.heard.named, "type")]
    rows = [
        row
        for us, them, guess in met
        for kind, chance in _likely(them, guess, asked)
        for row in _changed(
            scene, face_off(scene.position, us, them, guess, kind), _type(scene, kind), chance
        )
    ]
    return table("if theirs terastallizes", TERA_COLUMNS, rows)


def _likely(mon: Mon, guess: Guess, asked: Sequence[str]) -> Iterable[tuple[str, float]]:
    """Choose the tera types to play out: the named ones, else the likeliest."""
    chances = tera_chances(mon, guess)
    named = [(kind, dict(chances).get(kind, 0.0)) for kind in asked]
    return named[:TERAS] or chances[:TERAS]


def _set_tables(scene: Scene) -> Iterable[Table]:
    for mon in _asked(scene, "theirs", scene.position.theirs, scene.theirs):
        if guess := scene.inference.guesses.get(mon.ident):
            yield _carried(scene, mon, guess)
            yield _together(scene, mon, guess)


def _carried(scene: Scene, mon: Mon, guess: Guess) -> Table:
    """List what theirs may have: moves, items, abilities and tera types with their chances."""
    groups = {
        "move": [(move_name(one), chance) for one, chance in move_chances(guess)],
        "item": [(item_name(one) or "no item", chance) for one, chance in item_chances(mon, guess)],
        "ability": [(dex.ability_name(one), chance) for one, chance in ability_chances(mon, guess)],
        "tera type": [(_type(scene, one), chance) for one, chance in tera_chances(mon, guess)],
    }
    rows: list[tuple[Cell, ...]] = [
        (name, kind, *percents(chance))
        for kind, shares in groups.items()
        for name, chance in shares
        if chance >= RARELY
    ]
    told = {row[0] for row in rows}
    # What is asked about but impossible gets a row with 0 %, since only a row can be cited to deny
    # it. What our own team has is left out: there the question is not about theirs.
    team = scene.position.ours.team
    own = {one for mate in team for one in (*mate.known_moves, mate.item, mate.ability)}
    rows += [
        (thing_name(thing), thing.kind, 0.0)
        for thing in options(scene.heard.named, *THINGS)
        if thing_name(thing) not in told and thing.id not in own
    ]
    notes = (*_ruled_out(scene, mon), *_source(scene, mon, guess))
    return table("what it may carry", "name name, kind text, chance %", rows, scene.mon(mon), notes)


def _together(scene: Scene, mon: Mon, guess: Guess) -> Table:
    """List the sets that fit as wholes: which moves, item and ability come together."""
    likely = sorted(guess.sets, key=lambda one: -one.chance)[:SETS]
    rows: list[tuple[Cell, ...]] = [
        (*percents(one.chance), *belongings(one.set.item, one.set.ability, one.set.moves))
        for one in likely
    ]
    title = "the likeliest of the sets that fit: what comes together"
    columns = "chance %, item name, ability name, moves text"
    return table(title, columns, rows, scene.mon(mon))


def _ruled_out(scene: Scene, mon: Mon) -> Iterable[str]:
    """Note which items its behaviour ruled out, and when it moved before or after ours."""
    if mon.item is None and mon.ruled_out_items:
        names = ", ".join(item_name(one) for one in mon.ruled_out_items)
        yield f"Ruled out as its item by what it did: {names}."
    for seen in mon.speeds[-2:]:
        if seen.mate:
            how = "before" if seen.first else "after"
            mate = next((m for m in scene.position.ours.team if m.ident == seen.mate), None)
            if mate:
                yield f"On turn {seen.turn} it moved {how} our {scene.mon(mate)}."


def _source(scene: Scene, mon: Mon, guess: Guess) -> Iterable[str]:
    """Note where the sets come from, if they are less than certain."""
    if not guess.from_pool:
        yield f"No usual sets are known for {scene.mon(mon)}: all of this is a rough guess."
    elif "random" not in scene.position.format:
        yield "Sets come from usage statistics here: players build their own, so these are guesses."
    elif guess.note:
        yield f"{guess.note[:1].upper()}{guess.note[1:]}."


def _printed(scene: Scene) -> Table:
    """Build the table of dex texts and key figures for the things in question."""
    rows: list[tuple[Cell, ...]] = []
    printed = [Thing(*key.split("/", 1)) for key in scene.printed]
    for thing in dict.fromkeys((*options(scene.heard.named, *THINGS), *printed)):
        text = scene.printed.get(f"{thing.kind}/{thing.id}", "")
        facts = _of_move(scene, thing.id) if thing.kind == "move" else (None,) * 5
        rows.append((thing_name(thing), thing.kind, *facts, text or None))
    columns = (
        "name name, kind text, type text, power, accuracy %, heals_of_full_health %, "
        "known_with_it text, what_it_does text"
    )
    return table("what is printed", columns, rows)


def _of_move(scene: Scene, move: str) -> tuple[Cell, ...]:
    page = dex.move(move)
    team = (*scene.position.ours.team, *scene.position.theirs.team)
    having = ", ".join(scene.mon(mon) for mon in team if move in mon.known_moves)
    heals = percents(page.heal) if page.heal else (None,)
    accuracy = round(100 * page.accuracy, 1)
    return _type(scene, page.type), page.power or None, accuracy, *heals, having or None


def _types(scene: Scene) -> Table:
    """Build the table of weaknesses and resistances of the Pokémon and types in question."""
    rows: list[tuple[Cell, ...]] = []
    for mon, types, when in _forms(scene):
        told = (types, *defences(types))
        rows.append((scene.mon(mon), when, *(_words(scene, kinds) for kinds in told)))
    for thing in options(scene.heard.named, "type"):
        if thing.id in dex.TYPES:
            when = "as an attack: hits hard, weakly, not"
            hits = (_words(scene, kinds) for kinds in type_answers(thing.id))
            rows.append((_type(scene, thing.id), "-", when, *hits))
    columns = "pokemon name, when text, types text, weak_to text, resists text, immune_to text"
    return table("types", columns, rows)


def _into_types(scene: Scene) -> Table:
    """List what our moves do to a type asked about, whoever may have it."""
    kinds = [one.id for one in options(scene.heard.named, "type") if one.id in dex.TYPES]
    named = [one.id for one in options(scene.heard.named, "move")]
    moves = dict.fromkeys((*named, *(scene.ours.known_moves if scene.ours else ())))
    rows: list[tuple[Cell, ...]] = [
        (page.name, _type(scene, kind), dex.effectiveness(page.type, (kind,)))
        for page in map(dex.move, filter(dex.knows_move, moves))
        for kind in kinds
        if page.damaging
    ]
    note = "By the type alone; a second type multiplies it by 0, 0.5, 1 or 2 once more."
    columns = "move name, into name, times_its_damage"
    return table("moves into the type asked about", columns, rows, notes=(note,) if rows else ())


def _tolls(scene: Scene) -> Table:
    """List what entry hazards take by their layers, where any lies or is asked about."""
    named = {one.id for one in options(scene.heard.named, "move")} & {*LAID}
    if not named and not any(side.layers(one) for _, side in scene.position.sides for one in LAID):
        return table("what entry hazards take", "what name", ())
    rows: list[tuple[Cell, ...]] = [
        ("Spikes", layers, *percents(share), "whoever comes in on the ground")
        for layers, share in enumerate(SPIKES)
        if layers
    ]
    rock = "times what a Rock attack does to its types: 0.25 to 4"
    rows += [("Stealth Rock", 1, *percents(1 / 8), rock)]
    rows += [("Toxic Spikes", at, 0.0, f"it is {how} poisoned") for at, how in POISONED]
    rows += [("Sticky Web", 1, 0.0, "its Speed falls by a stage")]
    note = "Nothing harms a holder of Heavy-Duty Boots; Spikes and Webs spare what flies or floats."
    columns = "what name, layers, takes_of_full_health %, whom text"
    return table("what entry hazards take", columns, rows, notes=(note,))


def _forms(scene: Scene) -> Iterable[tuple[Mon, tuple[str, ...], str]]:
    """Yield the current types of the Pokémon in question, and those after terastallizing."""
    for mon in filter(None, (scene.ours, scene.theirs)):
        yield mon, mon.types, "now"
    if scene.with_own_tera and scene.ours and scene.ours.tera_type:
        yield scene.ours, _tera_types(scene.ours, scene.ours.tera_type), "if ours terastallizes"
    if scene.theirs and scene.guess and not scene.position.theirs.tera_used:
        for kind, _ in tera_chances(scene.theirs, scene.guess)[:TERAS]:
            yield scene.theirs, _tera_types(scene.theirs, kind), "if theirs terastallizes"


def _tera_types(mon: Mon, kind: str) -> tuple[str, ...]:
    """Determine the defending types after terastallizing; Stellar keeps the original ones."""
    return mon.types if kind == "stellar" else (kind,)


def _type(scene: Scene, kind: str) -> str:
    """Translate a type's name into the language of the question."""
    return type_name(scene.heard.language, kind)


def _words(scene: Scene, kinds: Iterable[str]) -> str:
    return ", ".join(_type(scene, kind) for kind in kinds) or "-"
