"""Full-text search, posting lists, and vectors."""
