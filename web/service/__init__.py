"""The log over HTTP: one description of each endpoint, from which routes, checks and OpenAPI are made."""
