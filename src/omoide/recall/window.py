"""Query → the stretches of time it speaks of, in the terms of this store: which microseconds, which sessions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from omoide.clock import EARLIEST, LATEST, micros
from omoide.layers import Node
from omoide.recall.question import Query
from omoide.recall.when import Anchored, Dated, Extreme, SessionNumbers, SessionsAgo, Span
from omoide.store import Filter, Store
from omoide.text import quoted, terms

_GOING_ON = 600_000_000  # microseconds: an open session that spoke so lately is the one in which the question is asked


@dataclass(frozen=True, slots=True)
class Window:
    """Nodes of a stretch of time, or of some sessions, or both."""

    spans: tuple[Span, ...]
    sessions: frozenset[str]

    def holds(self, node: Node) -> bool:
        return node.session in self.sessions or any(span.holds(node.event_at) for span in self.spans)

    def filters(self, keep: Filter) -> list[Filter]:
        """One filter a stretch or session, each within what the caller allows anyway."""
        found = [replace(keep, session=name) for name in sorted(self.sessions) if keep.session in (None, name)]
        for span in self.spans:
            start, end = _micros(span.start), _micros(span.end)
            found.append(
                replace(
                    keep,
                    after=start if keep.after is None else max(start, keep.after),
                    before=end if keep.before is None else min(end, keep.before),
                )
            )
        return found

    def widened(self) -> Window:
        return replace(self, spans=tuple(span.widened() for span in self.spans))


def window(query: Query, store: Store) -> Window | None:
    """What the time clues of a query mean here; None when it has none that we can place."""
    if query.when is None:
        return None
    spans: list[Span] = []
    names: set[str] = set()
    for clue in query.when.clues:
        match clue:
            case Dated(span=span):
                spans.append(span)
            case SessionsAgo():
                if clue.nearest:  # 0 is the one going on, which nobody has to be told of
                    asked = micros(query.question.at)
                    names |= set(store.sessions_back(asked, _GOING_ON, clue.nearest, clue.farthest))
            case SessionNumbers():
                names |= set(store.sessions_numbered(clue.first, clue.last))
            case Anchored():
                if (at := _moment_of(clue.event, query, store)) is not None:
                    spans.append(clue.resolve(at))
            case Extreme():
                pass  # the end of a row, not a stretch of time
    return Window(tuple(spans), frozenset(names)) if spans or names else None


def _moment_of(event: str, query: Query, store: Store) -> datetime | None:
    """When a remembered event took place: the time of the node that speaks of it most."""
    wanted = quoted(terms(event))
    found = store.search_text(wanted, query.keep, 1) if wanted else []
    return store.node(found[0][0]).event_at if found else None


def _micros(at: datetime) -> int:
    return micros(min(max(at, EARLIEST), LATEST - timedelta(microseconds=1)))
