"""The battle agent's connections to the outside: servers, set pools, search engine, replays."""
