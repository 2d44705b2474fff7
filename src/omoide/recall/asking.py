"""The part of a message that asks: sentences with a question mark, or that begin as a question does."""

from __future__ import annotations

import re

from omoide.recall.language import Language, compiled

SENTENCE = re.compile(r"[^.!?？。！\n]+[.!?？。！]*")


def asking(text: str, language: Language) -> str:
    """What is only told says nothing of the answer: "you suggested Rome, so I went" asks for nobody's words."""
    return " ".join(each.strip() for each in SENTENCE.findall(text) if _asks(each.strip(), language))


def _asks(sentence: str, language: Language) -> bool:
    if sentence.endswith(("?", "？")):
        return True
    return any(
        compiled(pattern).match(sentence) for pattern in (*(each for _, each in language.asks), language.remembers)
    )
