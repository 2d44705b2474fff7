"""Adapters: a memory in the shape that a framework expects; each module needs its framework, when it is used."""
