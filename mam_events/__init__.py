"""mam-events: an event-sourced combat log for Mano a Mano and Ron d6."""
