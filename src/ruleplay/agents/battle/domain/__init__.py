"""The mind of the battle agent: pure, no network, no clock of its own, no model.

What the nodes call, by module:

- `orders`, `position`: what may be answered, and all that is known when it is asked.
- `chronicle`, `vantage`: the server's messages and a request become a position.
- `pool`, `sets`: `opponent_sets(position, pool) -> Inference`.
- `analysis`: `analyze_team(position) -> TeamAnalysis`, `plan(position, analysis) -> Strategy`.
- `matchups`: `matchups(position, inference, cache) -> Matchups`.
- `prediction`: `predict(position, inference, matchups, habits) -> Expected`.
- `options`: `rank_moves(...) -> MoveOptions`, `rank_switches(...) -> SwitchOptions`.
- `tera`: `weigh_tera(position, inference, expected) -> TeraAnalysis`.
- `lookahead`: `look_ahead(position, inference, pool, seconds, rng) -> SearchVerdict`.
- `decision`: `decide(position, moves, switches, tera, expected, verdict) -> Decision`.
- `memory`: `remember(memory, position, inference, language) -> Memory`.
- `happenings`: what the last turns brought.
"""
