"""Hooks of coding agents: they record what the agent does and hand it what matters."""
