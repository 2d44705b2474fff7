"""In and out: what a memory holds, in the formats of others."""
