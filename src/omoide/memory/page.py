"""A page of listed memories, and the cursor by which the next one is asked for."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from textwrap import shorten

from omoide.domain import Node
from omoide.errors import Conflict

_SHOWN = 10  # memories in the repr
_WIDTH = 100


@dataclass(frozen=True, slots=True, repr=False)
class MemoryPage:
    """One page of memories. `items` holds this page; iterating goes on through all following pages."""

    items: tuple[Node, ...]
    next_cursor: str | None  # None on the last page
    _next: Callable[[str], MemoryPage] = field(compare=False)

    def __iter__(self) -> Iterator[Node]:
        page = self
        yield from page.items
        while page.next_cursor is not None:
            page = self._next(page.next_cursor)
            yield from page.items

    def __len__(self) -> int:
        """The number of memories on this page."""
        return len(self.items)

    def __repr__(self) -> str:
        more = ", more follow" if self.next_cursor else ""
        shown = self.items[:_SHOWN]
        noun = "memory" if len(self.items) == 1 else "memories"
        lines = [f"<{len(self.items)} {noun}{more}>"]
        lines += [f"{node.id:>6}  {node.kind}  {shorten(node.text, _WIDTH, placeholder='…')}" for node in shown]
        return "\n".join([*lines, *(["        …"] if len(self.items) > _SHOWN else [])])


def encode_cursor(order: str, position: tuple[int, int] | None) -> str | None:
    """Returns the cursor of a position, or None if there is none."""
    if position is None:
        return None
    return base64.urlsafe_b64encode(json.dumps([order, *position]).encode()).decode().rstrip("=")


def decode_cursor(order: str, cursor: str | None) -> tuple[int, int] | None:
    """Returns the position of a cursor.

    Raises:
        InvalidInput: It is no cursor, or belongs to a list in another order.
    """
    if cursor is None:
        return None
    try:
        known, value, id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        position = int(value), int(id)
    except (TypeError, ValueError, binascii.Error):
        raise Conflict(f"cursor: {cursor!r} is not a cursor; pass the next_cursor of a page") from None
    if known != order:
        raise Conflict(f"cursor: it belongs to a list with order={known!r}, not order={order!r}")
    return position
