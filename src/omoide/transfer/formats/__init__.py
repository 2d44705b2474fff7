"""Other systems' formats, one file each."""

from __future__ import annotations

from omoide.transfer.formats import (
    chat_turns,
    chatgpt,
    claude,
    claude_code,
    codex,
    letta,
    markdown,
    mcp_memory,
    mem0,
    openclaw,
)
from omoide.transfer.import_records import ImportFormat

FORMATS: dict[str, ImportFormat] = {
    each.FORMAT.name: each.FORMAT
    for each in (openclaw, mem0, letta, mcp_memory, markdown, chatgpt, claude, claude_code, codex, chat_turns)
}
