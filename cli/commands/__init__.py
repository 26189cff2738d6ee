"""The commands of `mam`, by what they are for."""
