"""Checks whether a word is used in the sense that a rule assumes."""
