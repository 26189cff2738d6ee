"""The other end of the service: a log that lies elsewhere, used as one that lies here."""
