"""Printed output: tables, rulings, progress, files."""
