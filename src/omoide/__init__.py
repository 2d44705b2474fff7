"""Rooms for memory: see docs/architecture.md."""
