"""Embedders, language models, counters: one Protocol each, one small file per provider. Imports nothing of ours."""
