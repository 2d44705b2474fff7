"""Ageing: the archive, compression into summaries, deduplication, retention."""
