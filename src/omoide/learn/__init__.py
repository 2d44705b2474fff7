"""Learning from sessions: facts, entities, preferences and procedures, by rules and optionally by a language model."""
