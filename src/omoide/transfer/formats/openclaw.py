"""Imports OpenClaw's MEMORY.md and memory/*.md: each list item and paragraph becomes one memory.

Headings become tags; dates come from headings and file names. Tested with the workspace of 2026 (MEMORY.md,
memory/YYYY-MM-DD.md and subfolders).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from omoide.transfer.formats.markdown import markdown_blocks, split_front_matter
from omoide.transfer.import_records import (
    ImportedRecord,
    ImportedStatement,
    ImportFormat,
    clean_text,
    day_in_text,
    each_file,
    fingerprint,
    iso_time,
    one_line_name,
)
from omoide.transfer.import_source import SourceFile

_FILE_NAME = re.compile(r"(^|/)(MEMORY|memory)\.md$|(^|/)memory/.*\.md$")
_TIME_OF_DAY = re.compile(r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_HAS_LETTERS = re.compile(r"[^\W\d_]")
DAILY_FILE = re.compile(r"^\d{4}-\d{2}-\d{2}")


def _read(source_file: SourceFile) -> Iterator[ImportedRecord]:
    _, body, before = split_front_matter(source_file.text())
    seen: Counter[str] = Counter()
    for block in markdown_blocks(body, before):
        text = clean_text(block.text)
        if not text:
            continue
        digest = fingerprint(source_file.stem, block.headings, text)
        seen[digest] += 1
        yield ImportedStatement(
            text=text,
            where=f"{source_file.name}, line {block.line}",
            key=f"openclaw:{digest}:{seen[digest]}",
            tags=tuple(dict.fromkeys(tag for tag in map(_heading_tag, block.headings) if tag)),
            category=one_line_name(block.headings[-1]) if block.headings else None,
            at=_block_time(source_file, block.headings),
            details={"file": source_file.name},
        )


def _heading_tag(heading: str) -> str | None:
    """Returns a heading without date and time, or None if nothing is left."""
    left = _TIME_OF_DAY.sub("", _DATE.sub("", heading)).strip(" -–—:·,()[]*_`#")
    return one_line_name(left) if _HAS_LETTERS.search(left) else None


def _block_time(source_file: SourceFile, headings: tuple[str, ...]) -> str | None:
    """Returns the innermost date, with the time of day if a heading has one."""
    found = next((at for at in map(day_in_text, reversed(headings)) if at), None) or day_in_text(source_file.stem)
    clock = next((hit for heading in reversed(headings) if (hit := _TIME_OF_DAY.search(heading))), None)
    if found is None or clock is None:
        return found or source_file.modified
    return iso_time(f"{found[:10]}T{int(clock[1]):02d}:{clock[2]}:00+00:00")


FORMAT = ImportFormat(
    "openclaw", "OpenClaw's MEMORY.md and memory/*.md", lambda name: bool(_FILE_NAME.search(name)), each_file(_read)
)
