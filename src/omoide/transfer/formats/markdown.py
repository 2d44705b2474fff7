"""Parses Markdown into front matter and blocks, and imports folders of linked notes (basic-memory, Obsidian, Omoide).

A page becomes a note; `- [category] observation #tag (context)` becomes a note that is part of it; `- relation
[[Other]]` and [[Other]] in the text become links. A page with the type of an entity also becomes an entity. Tested
with the note format of basic-memory of 2025 and Obsidian 1.x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from omoide.domain.entity import ENTITY_TYPES, TYPE_ALIASES
from omoide.transfer.import_records import (
    ImportedEntity,
    ImportedLink,
    ImportedRecord,
    ImportedRelation,
    ImportedStatement,
    ImportFormat,
    SkippedRecord,
    clean_text,
    day_in_text,
    fingerprint,
    first_filled,
    iso_time,
    name_list,
    one_line_name,
    with_title,
)
from omoide.transfer.import_source import SourceFile

_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$")
_HORIZONTAL_RULE = re.compile(r"^\s{0,3}([-*_])(\s*\1){2,}\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FRONT_MATTER_FIELD = re.compile(r"^([A-Za-z_][\w \-]*):\s*(.*)$")


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A paragraph, or a list item with the lines indented below it; its headings and first line number."""

    text: str
    headings: tuple[str, ...]
    line: int
    is_item: bool


def split_front_matter(text: str) -> tuple[dict[str, Any], str, int]:
    """Returns front matter, body, and the number of lines before the body. Reads texts and lists of texts."""
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
            fields[current] = [*(held if isinstance(held, list) else []), _unquoted(row.strip()[2:])]
        elif found := _FRONT_MATTER_FIELD.match(row):
            current = found[1].strip().casefold()
            fields[current] = _front_matter_value(found[2].strip())
        elif current is not None and row.strip():  # a nested field or a line of a longer text
            held = fields.get(current)
            more = "" if held in _BLOCK_TEXT_SIGNS else held
            fields[current] = [*more, row.strip()] if isinstance(more, list) else f"{more}\n{row.strip()}".strip()
    return fields, "\n".join(rows[end + 1 :]), end + 1


_BLOCK_TEXT_SIGNS = ("|", ">", "|-", ">-", "|+", ">+")


def _front_matter_value(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return [_unquoted(each) for each in text[1:-1].split(",") if each.strip()]
    return _unquoted(text)


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def markdown_blocks(body: str, before: int = 0) -> Iterator[MarkdownBlock]:
    """Yields the paragraphs and list items of a page, in order. Code blocks are not split."""
    reader = _BlockReader()
    rows = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), body).splitlines()
    for number, row in enumerate(rows, before + 1):
        yield from reader.take(row, number)
    yield from reader.flush()


class _BlockReader:
    """Collects the lines of one block until the next begins."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._lines: list[str] = []
        self._start = 0
        self._indent: int | None = None  # of the item that is being gathered
        self._fence: str | None = None

    def take(self, row: str, number: int) -> Iterator[MarkdownBlock]:
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
        elif not row.strip() or _HORIZONTAL_RULE.match(row):
            if self._indent is None:
                yield from self.flush()
            elif self._lines:
                self._lines.append("")
        elif bullet := _BULLET.match(row):
            yield from self._item(bullet, row, number)
        else:
            yield from self._leave(row)
            self._begin(row, number)

    def _leave(self, row: str) -> Iterator[MarkdownBlock]:
        """Ends a list item at text that follows an empty line and is not indented."""
        if self._indent is not None and self._lines[-1:] == [""] and not row.startswith((" ", "\t")):
            yield from self.flush()

    def _item(self, bullet: re.Match[str], row: str, number: int) -> Iterator[MarkdownBlock]:
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

    def flush(self) -> Iterator[MarkdownBlock]:
        text = "\n".join(self._lines).strip()
        is_item, self._indent, self._lines = self._indent is not None, None, []
        if text:
            yield MarkdownBlock(text, tuple(name for _, name in self._headings if name), self._start, is_item)


_OBSERVATION = re.compile(r"^\[(?P<category>[^\[\]()\n]+)\]\s+(?P<text>.+)$", re.DOTALL)
_CONTEXT = re.compile(r"\s*\((?P<context>[^()]*)\)\s*$")
_TAG = re.compile(r"(?<![\w#&])#([^\W\d][\w/\-]*)")
_RELATION = re.compile(r"^(?P<type>[^\[\]\n]*?)\s*\[\[(?P<target>[^\[\]\n]+)\]\]\s*(?:\((?P<context>[^()]*)\))?\s*$")
_WIKI_LINK = re.compile(r"(?<!!)\[\[([^\[\]\n]+)\]\]")
_CHECKBOX = {"", "x", "X", "-", "/", "!", ">", "?"}
_OWN_PAGE_TYPES = ("day", "index")  # written by Omoide, and only repeat what other pages say
_OWN_SECTIONS = ((), ("Facts",), ("Relations",))  # of an entity page; other sections repeat other pages


@dataclass(slots=True)
class _Note:
    """One parsed page."""

    source_file: SourceFile
    title: str
    key: str
    entity: str | None
    at: str | None
    tags: tuple[str, ...]
    prose: list[str]
    observed: list[tuple[MarkdownBlock, re.Match[str]]]
    related: list[tuple[str, str, str, str]]  # type, target, context, where
    aliases: tuple[str, ...] = ()
    front_matter: dict[str, Any] = field(default_factory=dict)  # fields that have no other place
    is_own_page: bool = False  # an entity page written by Omoide


def _read_notes(source_files: Sequence[SourceFile]) -> Iterator[ImportedRecord]:
    """Yields all notes, then all links, since a link may point to a later note. Keeps only titles in memory."""
    known: dict[str, str] = {}
    for source_file in source_files:
        note = _parse_note(source_file)
        if note is None:
            yield SkippedRecord(reason="index or day page written by Omoide", where=source_file.name)
            continue
        permalink = one_line_name(note.front_matter.get("permalink")) or note.title
        within = permalink.partition("/")[2] or permalink  # basic-memory puts the name of the project first
        for called in (note.title, permalink, source_file.stem, source_file.name.removesuffix(".md"), within):
            known.setdefault(called.casefold(), note.key)
        yield from _note_records(note)
    for source_file in source_files:
        note = _parse_note(source_file)
        if note is not None:
            yield from _link_records(note, known)


def _parse_note(source_file: SourceFile) -> _Note | None:
    fields, body, before = split_front_matter(source_file.text())
    if fields.get("omoide") in _OWN_PAGE_TYPES:
        return None
    kind = str(fields.get("type") or "").casefold()
    kind = TYPE_ALIASES.get(kind, kind)
    at = next((found for found in map(iso_time, (fields.get(each) for each in _TIME_FIELDS)) if found), None)
    note = _Note(
        source_file=source_file,
        title=one_line_name(fields.get("title")) or one_line_name(source_file.stem) or source_file.name,
        key=f"markdown:{one_line_name(fields.get('permalink')) or source_file.name}",
        entity=kind if kind in ENTITY_TYPES else None,
        at=at or day_in_text(source_file.stem) or source_file.modified,
        tags=tuple(each.lstrip("#") for each in name_list(first_filled(fields, "tags", "tag")) if each.strip("#")),
        prose=[],
        observed=[],
        related=[],
        aliases=tuple(name_list(fields.get("aliases"))),
        front_matter={each: held for each, held in fields.items() if each not in _READ_FIELDS and held},
        is_own_page=fields.get("omoide") == "entity",
    )
    if note.entity is None and kind:
        note.front_matter["type"] = fields["type"]
    if fields.get("omoide"):  # `<` was escaped so that it is not read as HTML
        body = body.replace("\\<", "<")
    for block in markdown_blocks(body, before):
        if not note.is_own_page or block.headings[1:2] in _OWN_SECTIONS:
            _add_block(note, block)
    return note


_READ_FIELDS = ("title", "type", "tags", "tag", "aliases", "omoide")
_TIME_FIELDS = ("created", "created_at", "date", "updated", "modified")


def _add_block(note: _Note, block: MarkdownBlock) -> None:
    where = f"{note.source_file.name}, line {block.line}"
    if block.is_item and (found := _OBSERVATION.match(block.text)) and found["category"].strip() not in _CHECKBOX:
        note.observed.append((block, found))
    elif block.is_item and (found := _RELATION.match(block.text)):
        type, target = one_line_name(found["type"]) or "relates_to", _link_target(found["target"])
        note.related.append((type, target, clean_text(found["context"]), where))
    else:
        note.prose.append(f"- {block.text}" if block.is_item else block.text)
        note.related += [("links_to", _link_target(each), "", where) for each in _WIKI_LINK.findall(block.text)]


def _link_target(text: str) -> str:
    """Returns Page for [[Page|label]] and [[Page#heading]]."""
    return " ".join(text.split("|")[0].split("#")[0].split())


def _note_records(note: _Note) -> Iterator[ImportedRecord]:
    if note.is_own_page:
        yield from _own_page_records(note)
        return
    if note.entity:
        yield ImportedEntity(name=note.title, where=note.source_file.name, type=note.entity, aliases=note.aliases)
    about = (note.title,) if note.entity else ()
    prose = clean_text("\n\n".join(note.prose))
    yield ImportedStatement(
        text=with_title(note.title, prose) if prose else note.title,
        where=note.source_file.name,
        key=note.key,
        title=note.title,
        about=about,
        at=note.at,
        tags=note.tags,
        details={
            "file": note.source_file.name,
            **({"front_matter": note.front_matter} if note.front_matter else {}),
            **({"aliases": list(note.aliases)} if note.aliases and not note.entity else {}),
        },
    )
    for block, found in note.observed:
        text, context = found["text"], None
        if hit := _CONTEXT.search(text):
            text, context = text[: hit.start()], hit["context"]
        tags = _TAG.findall(text)
        text = clean_text(re.sub(r"(\s+#[^\W\d][\w/\-]*)+\s*$", "", text)) or clean_text(found["text"])
        where = f"{note.source_file.name}, line {block.line}"
        key = f"{note.key}#{fingerprint(text)}"
        yield ImportedStatement(
            text=with_title(note.title, text),
            where=where,
            key=key,
            kind="fact" if found["category"].casefold() == "fact" else "note",
            category=None if found["category"].casefold() == "fact" else one_line_name(found["category"]),
            about=about,
            at=note.at,
            tags=tuple(dict.fromkeys((*tags, *note.tags))),
            details={"context": context} if context else None,
        )
        yield ImportedLink(source=key, target=note.key, type="part_of", where=where)


def _own_page_records(note: _Note) -> Iterator[ImportedRecord]:
    """Yields the entity and its facts verbatim, so that tombstones of forgotten facts match them."""
    described = "\n\n".join(clean_text(each) or "" for each in note.prose) or None
    yield ImportedEntity(
        name=note.title, where=note.source_file.name, type=note.entity, aliases=note.aliases, description=described
    )
    for block, found in note.observed:
        hit = _CONTEXT.search(found["text"])
        text = found["text"][: hit.start()] if hit else found["text"]
        said = clean_text(re.sub(r"(\s+#[^\W\d][\w/\-]*)+\s*$", "", text)) or text
        is_fact = found["category"] == "fact"
        yield ImportedStatement(
            text=said,
            where=f"{note.source_file.name}, line {block.line}",
            key=f"markdown:#{fingerprint(found['category'], said)}",
            kind="fact" if is_fact else "note",
            category=None if is_fact else one_line_name(found["category"]),
            about=(note.title,),
            at=(day_in_text(hit["context"]) if hit else None) or note.at,
            tags=tuple(_TAG.findall(text)),
        )


def _link_records(note: _Note, known: dict[str, str]) -> Iterator[ImportedRecord]:
    for type, target, context, where in note.related:
        if not target:
            continue
        found = known.get(target.casefold()) or known.get(target.rsplit("/", 1)[-1].casefold())
        is_forward = found is None and not note.entity and type != "links_to"
        if (context or is_forward) and not note.is_own_page:
            yield from _relation_note(note, f"{type} {target}" + (f" ({context})" if context else ""), where)
        if note.entity and type != "links_to":
            yield ImportedRelation(source=note.title, type=type, target=target, where=where)
        elif found is None:
            yield SkippedRecord(reason="link to a missing page", where=where)
        elif found != note.key:
            yield ImportedLink(source=note.key, target=found, where=where, predicate=type)


def _relation_note(note: _Note, text: str, where: str) -> Iterator[ImportedRecord]:
    """Yields the words of a relation that a link cannot hold: its context, or a page that does not exist yet."""
    key = f"{note.key}#relation:{fingerprint(text)}"
    yield ImportedStatement(
        text=f"{note.title}: {text}",
        where=where,
        key=key,
        category="relation",
        about=(note.title,) if note.entity else (),
        at=note.at,
        tags=note.tags,
    )
    yield ImportedLink(source=key, target=note.key, type="part_of", where=where)


FORMAT = ImportFormat(
    "markdown", "folders of notes (basic-memory, Obsidian)", lambda name: name.endswith(".md"), _read_notes
)
