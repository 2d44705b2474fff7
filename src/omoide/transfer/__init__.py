"""In and out: everything a memory holds, as lines of JSON, and a backup put in a file's place."""
