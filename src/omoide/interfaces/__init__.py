"""Doors: they parse, call Memory, print."""
