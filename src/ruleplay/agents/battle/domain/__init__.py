"""The mind of the battle agent: pure, no network, no clock of its own, no model.

What the nodes call, by module:

- `orders`, `position`: what may be answered, and all that is known when it is asked.
- `sets`: `opponent_sets(position, pool) -> Inference`.
- `analysis`: `analyze_team(position) -> TeamAnalysis`, `plan(analysis) -> Strategy`.
- `matchups`: `matchups(position, inference, cache) -> Matchups`.
- `prediction`: `predict(position, inference, matchups, memory) -> Expected`.
- `options`: `rank_moves(...) -> MoveOptions`, `rank_switches(...) -> SwitchOptions`.
- `tera`: `weigh_tera(...) -> TeraAnalysis`.
- `lookahead`: `look_ahead(position, inference, seconds, rng) -> SearchVerdict`.
- `decision`: `decide(position, ..., verdict) -> Decision`.
- `memory`: `remember(memory, position) -> Memory`.
"""
