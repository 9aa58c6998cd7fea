"""How a battle's messages are taken down, kind by kind; the chronicle puts them together."""
