"""Learning from traces of tasks: clusters, the patterns in them, the mistakes to avoid."""

from omoide.learn.traces.consolidate import consolidate_traces

__all__ = ["consolidate_traces"]
