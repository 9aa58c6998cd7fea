"""The rules and judgement of the battle agent: pure code without network, clock or model.

What the nodes call, by module:

- `orders`, `position`: the answers to choose from, and everything known when choosing.
- `chronicle`, `vantage`: turn the server's messages and a request into a position.
- `pool`, `sets`: `opponent_sets(position, pool) -> Inference`.
- `analysis`: `analyze_team(position) -> TeamAnalysis`, `plan(position, analysis) -> Strategy`.
- `matchups`: `matchups(position, inference, cache) -> Matchups`.
- `prediction`: `predict(position, inference, matchups, habits) -> Expected`.
- `options`: `rank_moves(...) -> MoveOptions`, `rank_switches(...) -> SwitchOptions`.
- `tera`: `weigh_tera(position, inference, expected) -> TeraAnalysis`.
- `lookahead`: `look_ahead(position, inference, pool, seconds, rng) -> SearchVerdict`.
- `decision`: `decide(position, moves, switches, tera, expected, verdict) -> Decision`.
- `memory`: `remember(memory, position, inference, language) -> Memory`.
- `happenings`: what happened in the last turns.
"""
