"""Adapters: a memory in the shape that a framework expects; each module needs its framework, and only when it is used."""
