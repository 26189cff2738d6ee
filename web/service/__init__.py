"""The log over HTTP: one description of every call, from which routes, checks and OpenAPI are made."""
