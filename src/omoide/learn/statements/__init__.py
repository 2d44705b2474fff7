"""Reads what people state in a conversation: clauses, whether they are asserted, restated in the third person."""

from omoide.learn.statements.extractor import StatementExtractor, read_statement
from omoide.learn.statements.features import ClauseFeatures

__all__ = ["ClauseFeatures", "StatementExtractor", "read_statement"]
