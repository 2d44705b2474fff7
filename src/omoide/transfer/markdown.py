"""Markdown as far as memories need it: front matter, headings, list items and paragraphs. Code is left whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$")
_RULE = re.compile(r"^\s{0,3}([-*_])(\s*\1){2,}\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z_][\w \-]*):\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Block:
    """A list item with what is indented below it, or a paragraph; under which headings, and in which line it begins."""

    text: str
    headings: tuple[str, ...]
    line: int
    is_item: bool


def parted(text: str) -> tuple[dict[str, Any], str, int]:
    """Front matter, the body, and how many lines stand before it. A simple YAML: texts and lists of texts."""
    rows = text.splitlines()
    if not rows or rows[0].strip() != "---":
        return {}, text, 0
    end = next((number for number, row in enumerate(rows[1:], 1) if row.strip() in ("---", "...")), None)
    if end is None:
        return {}, text, 0
    fields: dict[str, Any] = {}
    current: str | None = None
    for row in rows[1:end]:
        if row.strip().startswith("- ") and current is not None:
            held = fields.get(current)
            fields[current] = [*(held if isinstance(held, list) else []), _plain(row.strip()[2:])]
        elif found := _FIELD.match(row):
            current = found[1].strip().casefold()
            fields[current] = _value(found[2].strip())
    return fields, "\n".join(rows[end + 1 :]), end + 1


def _value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_plain(each) for each in text[1:-1].split(",") if each.strip()]
    return _plain(text)


def _plain(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def blocks(body: str, before: int = 0) -> Iterator[Block]:
    """The paragraphs and list items of a page, in order."""
    reader = _Blocks()
    rows = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), body).splitlines()
    for number, row in enumerate(rows, before + 1):
        yield from reader.take(row, number)
    yield from reader.flush()


class _Blocks:
    """Gathers the lines of one block until the next begins."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._start = 0
        self._indent: int | None = None  # of the item that is being gathered
        self._fence: str | None = None

    def take(self, row: str, number: int) -> Iterator[Block]:
        fence = _FENCE.match(row)
        if self._fence is not None:
            self._lines.append(row)
            self._fence = None if fence and fence[1].startswith(self._fence) else self._fence
            return
        if fence:
            yield from self._leave(row)
            self._fence = fence[1][:3]
            self._begin(row, number)
        elif heading := _HEADING.match(row):
            yield from self.flush()
            self._under(len(heading[1]), heading[2])
        elif not row.strip() or _RULE.match(row):
            if self._indent is None:
                yield from self.flush()
            elif self._lines:
                self._lines.append("")
        elif bullet := _BULLET.match(row):
            yield from self._item(bullet, row, number)
        else:
            yield from self._leave(row)
            self._begin(row, number)

    def _leave(self, row: str) -> Iterator[Block]:
        """What stands behind an empty line and is not indented no longer belongs to the item above."""
        if self._indent is not None and self._lines[-1:] == [""] and not row.startswith((" ", "\t")):
            yield from self.flush()

    def _item(self, bullet: re.Match[str], row: str, number: int) -> Iterator[Block]:
        indent = len(bullet[1].expandtabs(4))
        if self._indent is not None and indent > self._indent:  # below the item above
            self._lines.append(row)
            return
        yield from self.flush()
        self._indent = indent
        self._begin(bullet[2], number)

    def _begin(self, row: str, number: int) -> None:
        if not self._lines:
            self._start = number
        self._lines.append(row)

    def _under(self, level: int, title: str) -> None:
        self._headings = [(deep, name) for deep, name in self._headings if deep < level]
        self._headings.append((level, title))

    def flush(self) -> Iterator[Block]:
        text = "\n".join(self._lines).strip()
        is_item, self._indent, self._lines = self._indent is not None, None, []
        if text:
            yield Block(text, tuple(name for _, name in self._headings if name), self._start, is_item)
