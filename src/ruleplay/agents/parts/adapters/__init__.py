"""Access to the outside world: the catalog, the shop's settings and services."""
