"""Learning from task traces: clusters of similar tasks, patterns and anti-patterns."""

from omoide.learn.traces.consolidate import consolidate_traces

__all__ = ["consolidate_traces"]
