"""Hooks of coding agents: what they do is recorded and what matters is handed to them, in a blink or not at all."""
