"""The extractor that is always there: patterns of our own, no model, no network, the same answer every time."""

from __future__ import annotations

from omoide.learn.rules.reader import RuleExtractor

__all__ = ["RuleExtractor"]
