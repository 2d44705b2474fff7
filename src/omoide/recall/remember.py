"""Explicit recall: the words by which a question sends us to the past ("remember when …", "like last time")."""

from __future__ import annotations

from omoide.recall.language import Language, compiled


def explicit_recall(text: str, language: Language) -> str | None:
    """The words that ask to remember; None where nothing does."""
    found = compiled(language.remembers).search(text.replace("’", "'"))
    return found[0].strip() if found else None
