"""Mounts and vehicles: riding them, restraining them, driving."""
