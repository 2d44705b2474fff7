"""The write path: validates and redacts input, builds drafts, and embeds and learns in the background."""
