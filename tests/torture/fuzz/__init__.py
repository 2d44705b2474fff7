"""Fuzzing: what is tried (`targets.py`), how it is changed (`mutate.py`), and texts to begin with (`corpus/`)."""
