"""The outside world of the battle agent: Showdown servers, set pool, engine, replays."""
