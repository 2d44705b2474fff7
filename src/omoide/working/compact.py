"""Compaction: old turns become one summary, stored as a compressed episode that leads back to every turn it covers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from omoide import tokens
from omoide.clock import DAY, micros
from omoide.gist import Said, lines
from omoide.layers import Draft, Node
from omoide.layers.attribute import validated
from omoide.layers.episodic import Episode, Retention
from omoide.working.board import PROTECTED
from omoide.working.budget import Budget

Summarise = Callable[[Sequence[Said], int], str]
TAG = "auto-compaction"
KEEP = 10  # Kira-L: turns that stay word for word; Kira-R: or three in ten, if those are fewer
_IMPORTANCE = 5  # Kira-R
_SHARE = 0.1  # of the conversation's slot, for the summary of all that is not in it any more
_LEAST, _MOST = 40, 1_000  # tokens
# Whose word it is, from the most to the least trusted: a summary carries the lowest of what it sums up.
_TRUST = ("user", "agent", "system", "tool", "document", "import")


def kept(turns: int) -> int:
    """How many of the latest stay: Kira-R's min(10, 30 %), and never fewer than are protected."""
    return max(PROTECTED, min(KEEP, int(turns * 0.3)))


def size(budget: Budget) -> int:
    return int(min(_MOST, max(_LEAST, _SHARE * budget.conversation)))


def said(nodes: Sequence[Node]) -> list[Said]:
    """What was said. An earlier summary is read by its lines, so that each stays under the name of who said it."""
    return [each for node in nodes for each in (lines(node.text, "system") if TAG in node.tags else [_turn(node)])]


def _turn(node: Node) -> Said:
    return Said(node.role or node.origin, node.text, node.speaker, micros(node.event_at), node.importance)


def drafted(session: str, text: str, covered: Sequence[Node], retention: Retention) -> Draft:
    """The summary as an episode. The same turns give the same one, however often a crash makes us begin again."""
    at = micros(covered[-1].event_at)
    days = retention.days("compressed", _IMPORTANCE)
    return Draft(
        kind="episode",
        text=text,
        event_at=at,
        expires_at=None if days is None else at + days * DAY,
        origin=max((each.origin for each in covered), key=_distrust),
        role="system",
        source_type="consolidation",
        attributes=validated(Episode, {"type": "conversation", "compression": "compressed"}),
        session=session,
        importance=_IMPORTANCE,
        tags=(TAG,),
        token_count=tokens.estimate(text),
        sensitive=any(each.sensitive for each in covered),
        audience="shared" if all(each.audience == "shared" for each in covered) else "private",
        key=_key(session, [each.id for each in covered]),
    )


def _distrust(origin: str) -> int:
    name = origin.split(":")[0]
    return _TRUST.index(name) if name in _TRUST else len(_TRUST)


def _key(session: str, ids: Sequence[int]) -> bytes:
    return hashlib.blake2b(json.dumps([TAG, session, *ids]).encode(), digest_size=16).digest()
