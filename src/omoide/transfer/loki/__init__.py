"""Loki's `.loki/memory` folders: read into shapes that a memory holds, written again as they were."""
