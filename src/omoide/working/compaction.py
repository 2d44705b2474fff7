"""Compaction: old turns become one summary, stored as a compressed episode that leads back to every turn it covers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from omoide.clock import DAY, to_micros
from omoide.domain import Draft, Node
from omoide.domain.importance import Retention
from omoide.domain.kinds import Episode
from omoide.domain.node import validate_attributes
from omoide.language import tokens
from omoide.language.extractive_summary import SpokenTurn, parse_summary
from omoide.working.board import PROTECTED_TURNS
from omoide.working.budget import WindowBudget

SummariseTurns = Callable[[Sequence[SpokenTurn], int], str]
COMPACTION_TAG = "auto-compaction"
KEEP_TURNS = 10  # Kira-L: turns that stay word for word; Kira-R: or three in ten, if those are fewer
_IMPORTANCE = 5  # Kira-R
_SHARE = 0.1  # of the conversation's slot, for the summary of all that is not in it any more
_LEAST, _MOST = 40, 1_000  # tokens
# Whose word it is, from the most to the least trusted: a summary carries the lowest of what it sums up.
_TRUST_ORDER = ("user", "agent", "system", "tool", "document", "import")


def turns_to_keep(turns: int) -> int:
    """How many of the latest stay: Kira-R's min(10, 30 %), and never fewer than are protected."""
    return max(PROTECTED_TURNS, min(KEEP_TURNS, int(turns * 0.3)))


def summary_tokens(budget: WindowBudget) -> int:
    return int(min(_MOST, max(_LEAST, _SHARE * budget.conversation)))


def spoken_turns(nodes: Sequence[Node]) -> list[SpokenTurn]:
    """What was said. An earlier summary is read by its lines, so that each stays under the name of who said it."""
    return [
        each
        for node in nodes
        for each in (parse_summary(node.text, "system") if COMPACTION_TAG in node.tags else [_spoken_turn(node)])
    ]


def _spoken_turn(node: Node) -> SpokenTurn:
    return SpokenTurn(node.role or node.origin, node.text, node.speaker, to_micros(node.event_at), node.importance)


def summary_draft(session: str, text: str, covered: Sequence[Node], retention: Retention) -> Draft:
    """The summary as an episode. The same turns give the same one, however often a crash makes us begin again."""
    at = to_micros(covered[-1].event_at)
    days = retention.days("compressed", _IMPORTANCE)
    return Draft(
        kind="episode",
        text=text,
        event_at=at,
        expires_at=None if days is None else at + days * DAY,
        origin=max((each.origin for each in covered), key=_trust_rank),
        role="system",
        source_type="consolidation",
        attributes=validate_attributes(Episode, {"type": "conversation", "compression": "compressed"}),
        session=session,
        importance=_IMPORTANCE,
        tags=(COMPACTION_TAG,),
        token_count=tokens.estimate(text),
        sensitive=any(each.sensitive for each in covered),
        audience="shared" if all(each.audience == "shared" for each in covered) else "private",
        key=_key(session, [each.id for each in covered]),
    )


def _trust_rank(origin: str) -> int:
    name = origin.split(":")[0]
    return _TRUST_ORDER.index(name) if name in _TRUST_ORDER else len(_TRUST_ORDER)


def _key(session: str, ids: Sequence[int]) -> bytes:
    return hashlib.blake2b(json.dumps([COMPACTION_TAG, session, *ids]).encode(), digest_size=16).digest()
