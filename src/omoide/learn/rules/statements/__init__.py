"""Tables of rules for statements, by topic and by language."""
