"""Import, export, backup and restore."""
