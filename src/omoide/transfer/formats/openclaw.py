"""OpenClaw's flat files (Koshi's migration): MEMORY.md and memory/*.md, taken apart into single memories.

Headings become tags, each list item and each paragraph one memory; days come from headings and file names.
Seen: the workspace of 2026 (MEMORY.md, memory/YYYY-MM-DD.md and folders below).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from omoide.transfer.foreign_fields import clean_text, day_in_text, iso_time, one_line_name
from omoide.transfer.formats.markdown import markdown_blocks, split_front_matter
from omoide.transfer.import_records import ImportedRecord, ImportedStatement, ImportFormat, fingerprint
from omoide.transfer.import_source import SourceFile

_FILE_NAME = re.compile(r"(^|/)(MEMORY|memory)\.md$|(^|/)memory/.*\.md$")
_TIME_OF_DAY = re.compile(r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_HAS_LETTERS = re.compile(r"[^\W\d_]")
DAILY_FILE = re.compile(r"^\d{4}-\d{2}-\d{2}")


def _read(pages: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    for page in pages:
        _, body, before = split_front_matter(page.text())
        seen: Counter[str] = Counter()
        for block in markdown_blocks(body, before):
            text = clean_text(block.text)
            if not text:
                continue
            print = fingerprint(page.stem, block.headings, text)
            seen[print] += 1
            yield ImportedStatement(
                text=text,
                where=f"{page.name}, line {block.line}",
                key=f"openclaw:{print}:{seen[print]}",
                tags=tuple(dict.fromkeys(tag for tag in map(_heading_tag, block.headings) if tag)),
                category=one_line_name(block.headings[-1]) if block.headings else None,
                at=_block_time(page, block.headings),
                details={"file": page.name},
            )


def _heading_tag(heading: str) -> str | None:
    """A heading without its date and clock; what is left of "2026-02-11" is nothing."""
    left = _TIME_OF_DAY.sub("", _DATE.sub("", heading)).strip(" -–—:·,()[]*_`#")
    return one_line_name(left) if _HAS_LETTERS.search(left) else None


def _block_time(page: SourceFile, headings: tuple[str, ...]) -> str | None:
    """The innermost date there is; a clock in a heading is that of the day."""
    found = next((at for at in map(day_in_text, reversed(headings)) if at), None) or day_in_text(page.stem)
    clock = next((hit for heading in reversed(headings) if (hit := _TIME_OF_DAY.search(heading))), None)
    if found is None or clock is None:
        return found or page.modified
    return iso_time(f"{found[:10]}T{int(clock[1]):02d}:{clock[2]}:00+00:00")


FORMAT = ImportFormat(
    "openclaw", "OpenClaw's MEMORY.md and memory/*.md", lambda name: bool(_FILE_NAME.search(name)), _read
)
