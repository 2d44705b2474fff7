"""Entities: their names, mentions and relations, merging and splitting."""
