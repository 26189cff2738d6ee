"""mam-events: an event-sourced combat log for Mano a Mano and Ron d6."""

__version__ = "0.1.0"
