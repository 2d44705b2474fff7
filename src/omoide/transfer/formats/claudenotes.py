"""What Claude's data export holds beside conversations: what it remembers of its user, and projects. Seen: 2025.

memories.json is a list of `{"conversations_memory": Markdown, "project_memories": {project: Markdown}}`, projects.json
one of projects with their `docs`; later exports hold a file for each project or account in a folder of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from omoide.transfer.item import Held, Item, Skipped, Thing, fingerprint
from omoide.transfer.markdown import blocks
from omoide.transfer.value import first, listed, moment, name, record, words

_BOLD = re.compile(r"^\*\*([^*\n]+)\*\*:?[ \t]*$", re.MULTILINE)  # how a memory writes its headings


def is_memory(found: Mapping[str, Any]) -> bool:
    return "conversations_memory" in found or "project_memories" in found


def is_project(found: Mapping[str, Any]) -> bool:
    return "docs" in found or "prompt_template" in found


def memory(given: Mapping[str, Any], where: str, projects: Mapping[str, str]) -> Iterator[Item]:
    """Each paragraph and list item a note, so that an export of next month adds what is new in it."""
    told: list[tuple[Any, str | None]] = [(given.get("conversations_memory"), None)]
    told += [(text, projects.get(id) or name(id)) for id, text in record(given.get("project_memories")).items()]
    for said, project in told:
        text = words(said)
        if not text:
            yield Skipped(reason="an empty memory", where=where)
        for block in blocks(_BOLD.sub(r"## \1", text)):
            heading = name(block.headings[-1]) if block.headings else None
            yield Held(
                text=words(block.text),
                where=where,
                key=f"claude-memory:{fingerprint(project, block.headings, block.text)}",
                category=heading or "memory",
                tags=tuple(each for each in (project, heading) if each),
                about=(project,) if project else (),
                at=moment(first(given, "updated_at", "created_at")),
            )


def project(given: Mapping[str, Any], where: str) -> Iterator[Item]:
    """The project as a thing, its instructions and documents as notes."""
    title = name(given.get("name")) or name(given.get("uuid"))
    if title is None:
        yield Skipped(reason="a project without a name", where=where)
        return
    at = moment(first(given, "updated_at", "created_at"))
    yield Thing(name=title, where=where, type="project", description=words(given.get("description")) or None)
    if told := words(given.get("prompt_template")):
        yield _page(told, f"Instructions of {title}", title, where, "instructions", at)
    for number, each in enumerate(map(record, listed(given.get("docs"))), 1):
        place, text = f"{where}, document {number}", words(each.get("content"))
        if not text:
            yield Skipped(reason="no words in it", where=place)
            continue
        file = name(first(each, "filename", "file_name", "name")) or f"document {number}"
        yield _page(text, file, title, place, "document", moment(each.get("created_at")) or at)


def attached(given: Mapping[str, Any], where: str, session: str, at: str | None) -> Iterator[Item]:
    """What a message brought along, as far as Claude read it."""
    for each in map(record, listed(given.get("attachments"))):
        file = name(first(each, "file_name", "name"))
        if text := words(each.get("extracted_content")):
            yield Held(
                text=text,
                where=where,
                key=f"claude-attachment:{fingerprint(file, text)}",
                title=file,
                category="attachment",
                at=at,
                details={"session": session},
            )


def _page(text: str, title: str, project: str, where: str, category: str, at: str | None) -> Held:
    key = f"claude-project:{fingerprint(project, title, text)}"
    return Held(
        text=text, where=where, key=key, title=title, category=category, tags=(project,), about=(project,), at=at
    )
