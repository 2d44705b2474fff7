"""Maintenance jobs: each is safe to repeat, to interrupt and to run beside live traffic."""
