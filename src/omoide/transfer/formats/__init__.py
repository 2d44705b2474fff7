"""Formats of other systems, one file each.

A new format is a file with a FORMAT, added to the list below. To detect it without its name, add a rule to
foreign_import.py.
"""

from __future__ import annotations

from omoide.transfer.formats import (
    chat_turns,
    chatgpt,
    claude,
    claude_code,
    codex,
    graphiti,
    letta,
    markdown,
    mcp_memory,
    mem0,
    memory_service,
    openclaw,
)
from omoide.transfer.import_records import ImportFormat

FORMATS: dict[str, ImportFormat] = {
    module.FORMAT.name: module.FORMAT
    for module in (
        openclaw,
        mem0,
        memory_service,
        letta,
        mcp_memory,
        markdown,
        chatgpt,
        claude,
        claude_code,
        codex,
        graphiti,
        chat_turns,
    )
}
