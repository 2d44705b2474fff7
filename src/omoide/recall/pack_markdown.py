"""The Markdown of packs and prompts: one line for each memory, under titles and days, fenced as data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from omoide.domain import Entity, Node, layer_of
from omoide.domain.decay import currency_note
from omoide.domain.quotation import Fence, labelled, one_line


@dataclass(frozen=True, slots=True)
class PackLine:
    """One line of a pack: a memory, or an entity named in the question (without a node).

    `day` is the header under which the line stands; lines of one day follow each other.
    """

    node: Node | None
    text: str
    tokens: int
    day: str = ""

    @property
    def id(self) -> int | None:
        return None if self.node is None else self.node.id


@dataclass(frozen=True, slots=True)
class PackSection:
    """A titled part of a pack."""

    title: str
    lines: tuple[PackLine, ...]

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in self.lines)


def line_ids(sections: Sequence[PackSection]) -> list[int]:
    """The ids of the memories in the sections, in order."""
    return [line.id for section in sections for line in section.lines if line.id is not None]


def newest_first(lines: Sequence[PackLine]) -> tuple[PackLine, ...]:
    """Statements first, then the newest day and its newest line. A reply follows its turn.

    Facts stand in order of time too; entities, preferences and procedures as they are.
    """
    exchanges: list[list[tuple[Node, PackLine]]] = []
    dated = [(line.node, line) for line in lines if line.day and line.node is not None]
    for node, line in sorted(dated, key=lambda each: (each[0].event_at, each[0].id)):
        if exchanges and _is_reply(node, exchanges[-1][-1][0]):
            exchanges[-1].append((node, line))
        else:
            exchanges.append([(node, line)])
    recent = (line for exchange in reversed(exchanges) for _, line in exchange)
    undated = sorted((line for line in lines if not line.day), key=_fact_age)
    return (*undated, *recent)


def _fact_age(line: PackLine) -> float:
    """A sort key: facts and the like, the newest first, after everything that has no place in time."""
    if line.node is None or layer_of(line.node.kind) != "semantic":
        return -math.inf
    return -line.node.event_at.timestamp()


def _is_reply(node: Node, before: Node) -> bool:
    return node.role == "agent" and before.role == "user" and node.session == before.session is not None


def day_header(node: Node, now: datetime) -> str:
    """The day on which something happened or was stated, in the asker's time zone: `2026-05-28 (Thu)`."""
    return f"{node.event_at.astimezone(now.tzinfo):%Y-%m-%d (%a)}"


def memory_line(node: Node, text: str, now: datetime, newer: int | None = None, *, dated: bool = False) -> str:
    """One memory with its id: an episode with its speaker, anything else with a note of its currency.

    `newer` is the id of a newer memory on the same matter. A `dated` line stands under its day.
    """
    text = labelled(node, text)
    note = "" if node.kind == "episode" else currency_note(node, now, dated=dated)
    mark = f"earlier than [id:{newer}]: " if newer is not None else _past_mark(node, now)
    return f"- {mark}{text}{f' ({note})' if note else ''} [id:{node.id}]"


def _past_mark(node: Node, now: datetime) -> str:
    """The dates of a memory that was superseded by then."""
    end = node.valid_until or node.state_at
    if node.state != "superseded" or end > now:
        return ""
    since, until = (f"{each.astimezone(now.tzinfo):%Y-%m-%d}" if each else "" for each in (node.valid_from, end))
    if since == until:
        return f"replaced on {until}: "
    return f"from {since} until {until}: " if since else f"until {until}: "


def entity_line(entity: Entity) -> str:
    """One entity: name, type and description."""
    text = entity.description or entity.summary or ""
    return f"- **{one_line(entity.name)}** ({one_line(entity.type)}): {one_line(text)}"


def pack_markdown(sections: Sequence[PackSection], fence: Fence) -> str:
    """The sections inside the fence; empty if there are none."""
    if not sections:
        return ""
    parts = [f"### {section.title}\n" + "\n".join(written_lines(section)) for section in sections]
    return fence.around("\n".join(parts))


def written_lines(section: PackSection) -> Iterator[str]:
    """The lines of a section, each day before its first line."""
    day = ""
    for line in section.lines:
        if line.day and line.day != day:
            yield line.day
        day = line.day
        yield line.text
