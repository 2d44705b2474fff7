"""Reads what people state in a conversation: clauses, whether they are asserted, restated in the third person."""

from omoide.learn.statements.modality import ClauseFeatures
from omoide.learn.statements.statement_extractor import StatementExtractor, read_statement

__all__ = ["ClauseFeatures", "StatementExtractor", "read_statement"]
