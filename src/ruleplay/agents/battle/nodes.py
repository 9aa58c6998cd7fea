"""The nodes of the battle graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from ruleplay.agents.battle import prompts
from ruleplay.agents.battle.adapters.world import Budget, World
from ruleplay.agents.battle.domain import dex
from ruleplay.agents.battle.domain.analysis import analyze_team as analyze
from ruleplay.agents.battle.domain.analysis import plan
from ruleplay.agents.battle.domain.decision import decide as decide_by_rule
from ruleplay.agents.battle.domain.faceoff import ability_chances
from ruleplay.agents.battle.domain.happenings import last_turn
from ruleplay.agents.battle.domain.matchups import matchups
from ruleplay.agents.battle.domain.meaning import Heard, Named, Reading, options
from ruleplay.agents.battle.domain.memory import Memory, assessment, fresh_lines, remember
from ruleplay.agents.battle.domain.options import rank_moves, rank_switches
from ruleplay.agents.battle.domain.orders import target
from ruleplay.agents.battle.domain.phrases import order_said, say, types_written, wish_said
from ruleplay.agents.battle.domain.position import Position
from ruleplay.agents.battle.domain.prediction import predict
from ruleplay.agents.battle.domain.results import Inference, SearchVerdict
from ruleplay.agents.battle.domain.tera import weigh_tera
from ruleplay.agents.battle.domain.unseen import Coming, coming
from ruleplay.agents.battle.domain.wishes import Narrowed, narrow, outlooks
from ruleplay.agents.battle.policy import answers, hearing, obeying, reading, replies
from ruleplay.agents.battle.policy.actions import Decide, Finish, Send, Wanted, read_action
from ruleplay.agents.battle.policy.asked import asked_tables
from ruleplay.agents.battle.policy.course import course
from ruleplay.agents.battle.policy.names import lexicon, lists
from ruleplay.agents.battle.policy.reweighting import (
    Choice,
    Reweighting,
    choice_problems,
    reweighted,
    weight_problems,
)
from ruleplay.agents.battle.policy.rows import battle_tables, reader, strategy_tables
from ruleplay.agents.battle.policy.scene import Scene
from ruleplay.agents.battle.state import (
    SCORES_KEPT,
    AnalysisUpdated,
    BattleBegan,
    BattleEnded,
    DecisionTrace,
    Draft,
    Lap,
    MatchupsComputed,
    OrderChosen,
    OrderSent,
    Past,
    PositionRead,
    Remembered,
    SetsInferred,
    StrategyMade,
    TeamAnalysed,
    Update,
)
from ruleplay.kernel.context import Context
from ruleplay.kernel.graph import Runtime
from ruleplay.kernel.propose import propose
from ruleplay.kernel.tell import tell
from ruleplay.records.events import Event
from ruleplay.telling.table import Table

BattleRuntime = Runtime[Context[World]]
STRATEGY_SECONDS = 10
"""The model's deadline for the opening plan."""
PREDICT_SECONDS = 4
DECIDE_SECONDS = 6
"""With the prediction before it, a decision's models have ten seconds."""
MEMORY_SECONDS = 8
"""The deadline for the assessment after a turn, when no clock is running."""
SETS_SHOWN = 3
"""Sets per Pokémon that are kept in the event; the draft has them all."""
SAID_BEFORE = 4
"""Earlier lines of the conversation that a model reads with a message."""
WORST = frozenset({"asked", "risk"})
"""Topics whose answer may be what has not come in yet."""


async def format_state(state: Draft, runtime: BattleRuntime) -> Update:
    """Store the position that the server's request describes."""
    action = read_action(state.given.action)
    if not isinstance(action, Decide):
        raise AssertionError("only decisions are routed here")
    events: list[Event] = []
    position, before = action.position, state.now
    if not before.us:
        events.append(
            BattleBegan(
                battle=position.battle,
                format=before.format or position.format,
                us=position.ours.name,
                opponent=position.theirs.name,
            )
        )
    last, past = before.trace, before.past
    # A refused order brings the same request again; the past then is still the decision before it.
    if last and last.request_id != position.request_id:
        past = Past.model_validate(last, from_attributes=True)
        sides = before.position.sides if before.position else ()
        out = [side.active for _, side in sides if side.active]
        past = past.model_copy(update={"faced": tuple((mon.ident, mon.hp) for mon in out)})
    over = obeying.ended(before, position)
    events += [*over.events, PositionRead(position=position, past=past)]
    return {"events": events, "said": over.lines}


async def analyze_team(state: Draft, runtime: BattleRuntime) -> Update:
    """Analyse our team once, before anything has happened to it."""
    return {"events": [TeamAnalysed(analysis=analyze(state.position))]}


async def create_battle_strategy(state: Draft, runtime: BattleRuntime) -> Update:
    """Make the battle plan; a model may word it from the analysis."""
    analysis = state.now.analysis
    if analysis is None:
        raise AssertionError("the team is analysed first")
    by_rule = plan(state.position, analysis)
    tables = strategy_tables(analysis, by_rule)
    told = await tell(
        runtime.context,
        "battle.strategy",
        prompt=lambda: prompts.strategy(analysis, tables, by_rule.text),
        facts=tables,
        check=lambda: reader(tables, state.position),
        otherwise=lambda: by_rule.text,
        deadline=STRATEGY_SECONDS,
    )
    return {"events": [StrategyMade(text=told.text[:4_000], source=told.source)]}


async def fetch_opponent_sets(state: Draft, runtime: BattleRuntime) -> Update:
    """Guess the opposing sets from the pool and all observations."""
    context, position = runtime.context, state.position
    began = tick(context, "fetch_opponent_sets")
    # Pools are files that may change between runs, so what is read from them is an outside answer.
    inference = context.outside(
        "battle.sets",
        None,
        lambda: context.world.sets(position, state.now.format),
        Inference,
    )
    shown = {
        ident: guess.model_copy(update={"sets": guess.sets[:SETS_SHOWN]})
        for ident, guess in inference.guesses.items()
    }
    event = SetsInferred(inference=inference.model_copy(update={"guesses": shown}))
    lap = since(context, "fetch_opponent_sets", began)
    return {"events": [event], "inference": inference, "laps": [lap]}


async def matchup_calculator(state: Draft, runtime: BattleRuntime) -> Update:
    """Play out every pair that can still meet; only outdated pairs are recomputed."""
    context, before = runtime.context, state.now.matchups
    began = tick(context, "matchup_calculator")
    found = matchups(state.position, state.inference, before)
    known = {(pair.ours, pair.theirs): pair for pair in before.pairs}
    here = {(pair.ours, pair.theirs) for pair in found.pairs}
    # The event holds the differences only, since most pairs stay the same from turn to turn.
    fresh = tuple(p for p in found.pairs if known.get((p.ours, p.theirs)) != p)
    gone = tuple(pair for pair in known if pair not in here)
    event = MatchupsComputed(pairs=fresh, gone=gone, summary=found.summary)
    lap = since(context, "matchup_calculator", began)
    return {"events": [event] if fresh or gone else [], "pairs": found, "laps": [lap]}


async def expected_opponent_move(state: Draft, runtime: BattleRuntime) -> Update:
    """Predict the opponent's action; a model may reweight the candidates within limits."""
    context, position = runtime.context, state.position
    began = tick(context, "expected_opponent_move")
    expected = predict(position, state.inference, state.pairs, state.now.memory.habits)
    if not expected.predictions:
        return {"prediction": expected}
    proposed = await propose(
        context,
        "battle.predict",
        prompt=lambda: prompts.predict(state.now, position, expected),
        schema=Reweighting,
        legal=lambda weights: weight_problems(weights, expected.predictions),
        otherwise=Reweighting,
        deadline=PREDICT_SECONDS,
    )
    lap = since(context, "expected_opponent_move", began)
    foe = position.theirs.active
    bent = reweighted(expected, proposed.value, foe.name if foe else "It")
    return {"prediction": bent, "predicted_by": proposed.source, "laps": [lap]}


async def best_move_options(state: Draft, runtime: BattleRuntime) -> Update:
    """Rank our moves by their effect on the active opponent and on likely replacements."""
    began = tick(runtime.context, "best_move_options")
    ranked = rank_moves(state.position, state.inference, state.prediction, state.pairs)
    return {"options": ranked, "laps": [since(runtime.context, "best_move_options", began)]}


async def best_switch_options(state: Draft, runtime: BattleRuntime) -> Update:
    """Rank our switches by hazards, the hit expected on entry, and the matchup afterwards."""
    began = tick(runtime.context, "best_switch_options")
    ranked = rank_switches(state.position, state.inference, state.prediction, state.pairs)
    return {
        "switch_options": ranked,
        "laps": [since(runtime.context, "best_switch_options", began)],
    }


async def tera_node(state: Draft, runtime: BattleRuntime) -> Update:
    """Weigh terastallizing now, for us and for them."""
    began = tick(runtime.context, "tera_node")
    weighed = weigh_tera(state.position, state.inference, state.prediction)
    return {"tera_analysis": weighed, "laps": [since(runtime.context, "tera_node", began)]}


async def search(state: Draft, runtime: BattleRuntime) -> Update:
    """Search ahead as long as the clock allows.

    The result is recorded as an outside answer, because a search for a given time is not
    repeatable.
    """
    context, now, position = runtime.context, state.now, state.position
    budget = search_budget(now.search_ms, position)
    if not budget or len(position.legal) < 2 or position.team_preview:
        return {"verdict": None}
    began = tick(context, "search")
    verdict = await context.outside_later(
        "battle.search",
        None,
        lambda: context.world.search(
            position,
            state.inference,
            Budget(budget, now.engine, now.format, now.workers),
            context.rng("search"),
            state.prediction,
        ),
        SearchVerdict,
    )
    return {"verdict": verdict, "laps": [since(context, "search", began)]}


def search_budget(wanted: int, position: Position) -> int:
    """Limit the milliseconds of a search to a quarter of the time left, less a second."""
    left = position.time_left
    return wanted if left is None else max(0, min(wanted, left * 250 - 1_000))


async def decision(state: Draft, runtime: BattleRuntime) -> Update:
    """Have a model choose among what the wishes leave; the policy takes the best score."""
    position = state.position
    by_rule = decide_by_rule(
        position,
        state.options,
        state.switch_options,
        state.tera_analysis,
        state.prediction,
        state.verdict,
    )
    due = [wish for wish in state.now.wishes if wish.is_due(position)]
    known = (state.inference, state.prediction, state.switch_options, state.verdict)
    left = narrow(due, outlooks(position, *known)) if due else None
    orders = left.orders if left else position.legal
    best = obeying.best_of(orders, [one.order for one in by_rule.scores])
    found: Update = {"decision": by_rule, "best": best}
    if left:
        found["narrowed"] = left
    if len(orders) < 2:
        return found
    open_to = position.model_copy(update={"legal": orders}) if left else position
    proposed = await propose(
        runtime.context,
        "battle.decide",
        prompt=lambda: prompts.decide(
            state.now,
            open_to,
            state.prediction,
            state.options,
            state.switch_options,
            state.tera_analysis,
            state.verdict,
        ),
        schema=Choice,
        legal=lambda choice: choice_problems(choice, orders),
        otherwise=lambda: Choice(choice=orders.index(best) + 1 if best in orders else 1),
        deadline=DECIDE_SECONDS,
    )
    wanted = orders[proposed.value.choice - 1]
    found["wanted"] = wanted if proposed.source == "model" else None
    found["refused"] = proposed.refusals
    return found


async def parse_decision(state: Draft, runtime: BattleRuntime) -> Update:
    """Turn the decision into an order to send, with the trace that explains it."""
    context, position, by_rule = runtime.context, state.position, state.decision
    if by_rule is None:
        raise AssertionError("a decision comes first")
    left = state.narrowed or Narrowed(position.legal)
    order = state.wanted or state.best or by_rule.order
    source = obeying.source_of(left, "model" if state.wanted else "policy")
    trace = DecisionTrace(
        request_id=position.request_id,
        turn=position.turn,
        expected=state.prediction,
        predicted_by=state.predicted_by,
        moves=state.options,
        switches=state.switch_options,
        tera=state.tera_analysis,
        verdict=state.verdict,
        scores=by_rule.scores[:SCORES_KEPT],
        best=by_rule.order,
        wanted=state.wanted,
        chosen=order,
        source=source,
        refused=state.refused,
        laps=tuple(state.laps),
    )
    action = read_action(state.given.action)
    chosen = OrderChosen(
        request_id=position.request_id,
        order=order,
        wire=position.wire(order),
        source=source,
        value=replies.value_of(order, state.verdict),
        followed=left.followed,
        unmet=left.unmet,
        held=isinstance(action, Decide) and action.hold,
    )
    told = obeying.followed_said(state.now, chosen, trace, position)
    # The reply is about the state after these events, which are only stored when the turn commits.
    now = state.now.apply(trace).apply(chosen)
    language = now.language
    scene = Scene(now, position, state.inference, Heard(language, Named()))
    why = answers.comment(scene) if state.now.wants("comment") else answers.reasons(scene)
    reply = " ".join((*state.said, *filter(None, why), *told))
    context.say(reply)
    return {"events": [trace, chosen], "reply": reply}


async def obey_person(state: Draft, runtime: BattleRuntime) -> Update:
    """Carry out a person's button: an order, a wish, or taking one back."""
    action, now = read_action(state.given.action), state.now
    language = now.language
    if isinstance(action, Wanted):
        take = obeying.drop if action.drop else obeying.want
        done = take(now, action.wish, language)
    else:
        done = obeying.free(now, language)
    reply = " ".join(done.lines)
    runtime.context.say(reply)
    return {"events": [*done.events], "reply": reply}


async def send_order(state: Draft, runtime: BattleRuntime) -> Update:
    """Send the held order; after this nobody can change it."""
    action, order, position = read_action(state.given.action), state.now.order, state.now.position
    if not isinstance(action, Send) or order is None or position is None:
        raise AssertionError("only a held order is sent, which `admit` sees to")
    language = state.now.language
    reply = say(language, "sent", order=order_said(language, order.order, position))
    runtime.context.say(reply)
    return {"events": [OrderSent(request_id=order.request_id, wire=order.wire)], "reply": reply}


async def battle_memory_update(state: Draft, runtime: BattleRuntime) -> Update:
    """Remember what the last turn revealed; a model may assess the battle, off the clock."""
    context, now = runtime.context, state.now
    position = now.position
    if position is None:
        reply = say(now.language, "nothing_yet")
        context.say(reply)
        return {"reply": reply}
    remembered = context.outside(
        "battle.memory",
        None,
        lambda: remember(
            now.memory,
            position,
            context.world.sets(position, now.format),
            now.language,
        ),
        Memory,
    )
    tables = battle_tables(now, language=now.language) if _cites(context, "battle.memory") else ()
    told = await tell(
        context,
        "battle.memory",
        prompt=lambda: prompts.memory(
            tables, remembered, now.assessment, now.strategy, now.language
        ),
        facts=tables,
        check=lambda: reader(tables, position),
        otherwise=lambda: assessment(position, remembered, now.language),
        deadline=MEMORY_SECONDS,
    )
    updated = AnalysisUpdated(text=told.text[:4_000], source=told.source)
    told_now = fresh_lines(now.memory, position, now.language)
    # The log is stored as new lines only; `State.apply` appends them.
    kept = remembered.model_copy(update={"log": ()})
    events = [Remembered(memory=kept, told=told_now), updated]
    return {"events": events, "reply": told.text, "spans": told.spans}


async def battle_result(state: Draft, runtime: BattleRuntime) -> Update:
    """End the battle with its result."""
    action = read_action(state.given.action)
    if not isinstance(action, Finish):
        raise AssertionError("only endings are routed here")
    ended = BattleEnded.model_validate(action, from_attributes=True)
    reply = replies.ending(state.now, ended)
    runtime.context.say(reply)
    return {"events": [ended], "reply": reply}


async def hear_person(state: Draft, runtime: BattleRuntime) -> Update:
    """Understand a person's message, and carry out its orders as far as they are legal."""
    context, now, message = runtime.context, state.now, state.given.message
    position = now.position
    if position is None:
        heard = Heard(hearing.tongue_of(message, now.language), Named())
        return {"events": [hearing.spoken_of(heard, now.spoken)]}
    inference = context.outside(
        "battle.sets",
        None,
        lambda: context.world.sets(position, now.format),
        Inference,
    )
    short = context.outside(
        "battle.names", None, lambda: context.world.short_names(message), dict[str, str]
    )
    names = lexicon(position, inference, types_written(), hearing.is_usual, short)
    offered = [wish_said("en", wish, position) for wish in now.offered]
    before, out = await context.history(last=SAID_BEFORE), position.ours.active
    proposed = await propose(
        context,
        "battle.read",
        prompt=lambda: prompts.read(
            message, lists(position, inference, now.wishes), offered, before
        ),
        schema=Reading,
        legal=lambda found: reading.reading_problems(found, len(offered)),
        otherwise=lambda: reading.ASKS,
    )
    spoken = now.spoken
    heard = (
        reading.as_read(proposed.value, message, names, spoken)
        if proposed.source == "model"
        else hearing.hear(message, names, spoken, len(offered), out.ident if out else "")
    )
    done = obeying.obey(now, heard.orders, heard.language)
    after = now
    for event in done.events:
        after = after.apply(event)
    more = obeying.ask_back(after, heard)
    return {
        "events": [*done.events, *more.events, hearing.spoken_of(heard, spoken)],
        "inference": inference,
        "heard": heard,
        "said": (*done.lines, *more.lines),
    }


async def explain(state: Draft, runtime: BattleRuntime) -> Update:
    """Answer a message from the battle's tables and those its question needs."""
    context, now, heard = runtime.context, state.now, state.heard
    if heard is None:
        context.say(nothing := say(state.now.language, "nothing_yet"))
        return {"reply": nothing}
    # Answers are about the decision before this message's orders; what they changed is in `said`.
    scene = Scene(state.before, state.position, state.inference, heard)
    scene = replace(scene, printed=_printed(scene, context), coming=_coming(scene, context))
    scene = replace(scene, course=course(await context.events()))
    if heard.orders and not (heard.topic or heard.choices):
        order = now.order and order_said(heard.language, now.order.order, state.position)
        small = (say(heard.language, "talk"), say(heard.language, "free_already", order=order))
        reply = " ".join(state.said or small)
        context.say(reply)
        return {"reply": reply}
    tables: Sequence[Table] = ()
    if _cites(context, "battle.explain"):
        tables = battle_tables(now, state.inference, heard.language)
        tables = asked_tables(scene, tables, state.said)
    # The model reads why what is chosen now was chosen, orders of this message included.
    plain = replace(scene, state=now, heard=Heard(heard.language, Named()))
    before = await context.history(last=SAID_BEFORE)
    told = await tell(
        context,
        "battle.explain",
        prompt=lambda: prompts.explain(
            state.given.message, tables, " ".join(answers.reasons(plain)), before
        ),
        facts=tables,
        check=lambda: reader(tables, now.position, heard.language, state.given.message),
        otherwise=lambda: answers.answer(scene, state.said),
    )
    context.cites.extend(told.citations)
    return {"reply": told.text, "spans": told.spans}


def _cites(context: Context[World], role: str) -> bool:
    """Check whether a role's tables are read; without a model they need not be built."""
    return context.model(role) != "rules"


def _coming(scene: Scene, context: Context[World]) -> tuple[Coming, ...]:
    """Estimate what those of theirs not seen yet would do to ours, where that may be asked."""
    ours, asked = scene.ours, {one.topic for one in (scene.heard, *scene.heard.also)}
    if ours is None or ours.fainted or not scene.position.theirs.unseen or not asked & WORST:
        return ()
    rng = context.rng("unseen")
    return context.outside(
        "battle.unseen",
        None,
        lambda: coming(scene.position, ours, context.world.pool(scene.state.format), rng),
        tuple[Coming, ...],
    )


def _printed(scene: Scene, context: Context[World]) -> dict[str, str]:
    """Look up the texts of named things, of the moves last used and chosen, and what is held."""
    heard, guess = scene.heard, scene.guess
    things = [f"{one.kind}/{one.id}" for one in options(heard.named, "move", "item", "ability")]
    asked = {one.topic for one in (heard, *heard.also)}
    used = [dex.to_id(one.what) for one in last_turn(scene.position) if one.kind == "used"]
    used += [target(one.chosen) for one in (scene.trace, scene.state.past) if one]
    things += [f"move/{one}" for one in used if "asked" in asked and dex.knows_move(one)]
    for mon in (scene.ours, scene.theirs) if asked & {"ability", "asked"} else ():
        theirs = ability_chances(mon, guess) if mon and mon is scene.theirs and guess else ()
        own = [mon.ability] if mon and mon.ability else [one for one, _ in theirs[:2]]
        things += [f"ability/{one}" for one in own if one]
        things += [f"item/{mon.item}"] if mon and mon.item else []
    if not (things := [*dict.fromkeys(things)]):
        return {}
    return context.outside(
        "battle.printed", None, lambda: context.world.printed(things), dict[str, str]
    )


def tick(context: Context[World], node: str) -> float:
    """Read the clock on the record, so that a replay sees the same times."""
    return context.outside("battle.clock", f"{node} begins", perf_counter, float)


def since(context: Context[World], node: str, began: float) -> Lap:
    """Measure how long a node took."""
    ended = context.outside("battle.clock", f"{node} ends", perf_counter, float)
    return Lap(node=node, ms=round((ended - began) * 1000, 2))
