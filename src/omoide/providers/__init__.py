"""Embedders, language models, rerankers and token counters: one Protocol each, one file per provider."""
