"""What only the raid analyst has over HTTP: reports, tools over them, raw lines, imports."""
