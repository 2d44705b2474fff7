"""From what another system's file says to drafts of ours: checked and redacted like everything, and marked as imported.

Nothing of it is anybody's word to us: the origin is `import`, so it can be recalled as a quotation and becomes no
preference, procedure or protected fact. Only the owner can say that the conversations are their own (`mine`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from omoide.config import Settings
from omoide.layers import Draft
from omoide.observe import checked, statement, turn
from omoide.observe.turn import keyed

ORIGIN = "import"
_CONFIDENCE = 0.8  # a stranger's summary of what was said: good enough to be told, not to stand against the user's word
_LONGEST = 300  # characters of a key; a longer one is told by its digest
Mentioned = Callable[[str], tuple[int, ...]]


def said(given: Mapping[str, Any], mine: bool, now: int, settings: Settings, mentioned: Mentioned) -> Draft:
    """A turn. Its time is that of the conversation; how long it is kept counts from today, or a history of years would
    be out of date on its first night."""
    origin = None if mine else ORIGIN
    one = turn.Turn(**{**given, "key": _key(given["key"]), "origin": origin})
    draft = turn.drafted(one, now, settings, mentioned, Counter())
    if draft.expires_at is None:
        return draft
    return replace(draft, expires_at=draft.expires_at + max(0, now - draft.event_at))


def held(given: Mapping[str, Any], now: int, settings: Settings, mentioned: Mentioned) -> Draft:
    """A memory of another system."""
    one = statement.Statement(
        **{**given, "key": _key(given["key"])}, origin=ORIGIN, source_type="migration", confidence=_CONFIDENCE
    )
    return statement.drafted(one, now, settings, mentioned)


def held_key(key: str) -> bytes:
    """Under which a memory of another system is found again."""
    return keyed("statement", checked.name(_key(key), "key"))


def _key(key: str) -> str:
    return key if len(key) <= _LONGEST else f"{key[:100]} {keyed(key).hex()}"
