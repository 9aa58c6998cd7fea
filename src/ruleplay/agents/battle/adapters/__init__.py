"""The outside world of the battle agent: server, player, set pool, search engine, replays."""
