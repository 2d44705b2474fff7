"""Other systems' formats, one file each."""

from __future__ import annotations

from omoide.transfer.formats import (
    chatgpt,
    claude,
    claudecode,
    codex,
    letta,
    mem0,
    notes,
    openclaw,
    reference,
    turns,
)
from omoide.transfer.item import Format

FORMATS: dict[str, Format] = {
    each.FORMAT.name: each.FORMAT
    for each in (openclaw, mem0, letta, reference, notes, chatgpt, claude, claudecode, codex, turns)
}
