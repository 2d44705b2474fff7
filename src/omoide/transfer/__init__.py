"""Import and export: JSON lines, Markdown, SQLite, skill files, and the formats of other systems."""
