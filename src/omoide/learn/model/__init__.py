"""Learning with a language model: prompts, schemas of the answers, and their validation."""
