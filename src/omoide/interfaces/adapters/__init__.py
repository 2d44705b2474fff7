"""Adapters for agent frameworks: each imports its framework and turns our memory into what that expects."""
