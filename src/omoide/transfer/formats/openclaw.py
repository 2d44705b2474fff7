"""OpenClaw's flat files (Koshi's migration): MEMORY.md and memory/*.md, taken apart into single memories.

Headings become tags, each list item and each paragraph one memory; days come from headings and file names.
Seen: the workspace of 2026 (MEMORY.md, memory/YYYY-MM-DD.md and folders below).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from omoide.transfer.item import Format, Held, Item, fingerprint
from omoide.transfer.markdown import blocks, parted
from omoide.transfer.source import Page
from omoide.transfer.value import day, moment, name, words

_NAMED = re.compile(r"(^|/)(MEMORY|memory)\.md$|(^|/)memory/.*\.md$")
_CLOCK = re.compile(r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)")
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}")
_HAS_LETTERS = re.compile(r"[^\W\d_]")
DAILY = re.compile(r"^\d{4}-\d{2}-\d{2}")


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    for page in pages:
        _, body, before = parted(page.text())
        seen: Counter[str] = Counter()
        for block in blocks(body, before):
            text = words(block.text)
            if not text:
                continue
            print = fingerprint(page.stem, block.headings, text)
            seen[print] += 1
            yield Held(
                text=text,
                where=f"{page.name}, line {block.line}",
                key=f"openclaw:{print}:{seen[print]}",
                tags=tuple(dict.fromkeys(tag for tag in map(_tag, block.headings) if tag)),
                category=name(block.headings[-1]) if block.headings else None,
                at=_at(page, block.headings),
                details={"file": page.name},
            )


def _tag(heading: str) -> str | None:
    """A heading without its date and clock; what is left of "2026-02-11" is nothing."""
    left = _CLOCK.sub("", _DATED.sub("", heading)).strip(" -–—:·,()[]*_`#")
    return name(left) if _HAS_LETTERS.search(left) else None


def _at(page: Page, headings: tuple[str, ...]) -> str | None:
    """The innermost date there is; a clock in a heading is that of the day."""
    found = next((at for at in map(day, reversed(headings)) if at), None) or day(page.stem)
    clock = next((hit for heading in reversed(headings) if (hit := _CLOCK.search(heading))), None)
    if found is None or clock is None:
        return found or page.modified
    return moment(f"{found[:10]}T{int(clock[1]):02d}:{clock[2]}:00+00:00")


FORMAT = Format("openclaw", "OpenClaw's MEMORY.md and memory/*.md", lambda name: bool(_NAMED.search(name)), _read)
