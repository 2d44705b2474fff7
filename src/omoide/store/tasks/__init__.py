"""Tasks: their lifecycle, lessons bound to triggers, outcome credit, agent ledgers and handoffs."""
