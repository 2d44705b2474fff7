"""Compaction: the oldest turns leave the window and become one summary, stored as an episode linked to them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from omoide.clock import DAY, to_micros
from omoide.domain import Draft, Node
from omoide.domain.importance import Retention
from omoide.domain.kinds import Episode
from omoide.domain.node import validate_attributes
from omoide.domain.origin import least_trusted
from omoide.domain.quotation import spoken_turn
from omoide.language import tokens
from omoide.language.extractive_summary import SpokenTurn, parse_summary
from omoide.working.board import PROTECTED_TURNS
from omoide.working.budget import WindowBudget

SummariseTurns = Callable[[Sequence[SpokenTurn], int], str]
COMPACTION_TAG = "auto-compaction"
KEEP_TURNS = 10  # turns that stay in the window at most
_KEEP_SHARE = 0.3  # of the turns, if that is fewer
_IMPORTANCE = 5
_SHARE = 0.1  # of the conversation's slot, for the summary
_LEAST, _MOST = 40, 1_000  # tokens


def turns_to_keep(turns: int) -> int:
    """How many of the latest turns stay in the window."""
    return max(PROTECTED_TURNS, min(KEEP_TURNS, int(turns * _KEEP_SHARE)))


def summary_tokens(budget: WindowBudget) -> int:
    return int(min(_MOST, max(_LEAST, _SHARE * budget.conversation)))


def spoken_turns(nodes: Sequence[Node]) -> list[SpokenTurn]:
    """The turns to summarise. An earlier summary is split into its lines, so that each keeps its speaker."""
    return [
        each
        for node in nodes
        for each in (parse_summary(node.text, "system") if COMPACTION_TAG in node.tags else [spoken_turn(node)])
    ]


def summary_draft(session: str, text: str, covered: Sequence[Node], retention: Retention) -> Draft:
    """The summary as an episode. Its key depends on the turns only, so a repetition after a crash stores it once."""
    at = to_micros(covered[-1].event_at)
    days = retention.days("compressed", _IMPORTANCE)
    return Draft(
        kind="episode",
        text=text,
        event_at=at,
        expires_at=None if days is None else at + days * DAY,
        origin=least_trusted(each.origin for each in covered),
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


def _key(session: str, ids: Sequence[int]) -> bytes:
    return hashlib.blake2b(json.dumps([COMPACTION_TAG, session, *ids]).encode(), digest_size=16).digest()
