"""The client of the service: a remote log that is used like a local one."""
