"""TODO: what this folder holds."""
