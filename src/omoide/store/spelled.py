"""Words as they stand in the texts, letter by letter, where the full-text index knows only their stems."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from omoide.layers.entity import name_key
from omoide.text import quoted

_SAMPLE = 20  # texts that hold a word of the same stem; a spelling that none of them has is a rare one
_READ = 20_000  # characters of each


def spelled(db: apsw.Connection, words: Sequence[str]) -> frozenset[str]:
    """Those of the words that some text spells just so, case and accents aside."""
    return frozenset(word for word in words if _stands(db, word))


def _stands(db: apsw.Connection, word: str) -> bool:
    found = db.execute(
        """
        SELECT substr(node.text, 1, :length), coalesce(node.speaker, ''), coalesce(node.tags, '')
        FROM (
            SELECT rowid AS id
            FROM nodes_fts
            WHERE nodes_fts MATCH :word
            LIMIT :sample
        ) AS holding
        JOIN node ON node.id = holding.id
        """,
        {"word": " OR ".join(quoted([word])) or '""', "sample": _SAMPLE, "length": _READ},
    )
    return any(name_key(word) in name_key(" ".join(row)).split() for row in found)
