"""Reads and writes `.loki/memory` folders."""
