"""Live sessions: what an agent holds in its context window while it talks, within a token budget."""
