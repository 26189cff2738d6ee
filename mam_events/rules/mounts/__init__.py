"""Mounts and vehicles: riding them, holding them back, driving."""
