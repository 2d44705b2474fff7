"""In and out: everything a memory holds as lines of JSON, a backup in a file's place, and the formats of others."""
