"""Folders of linked notes: basic-memory's and Obsidian's, and those that Omoide writes.

A page becomes a note, `- [category] observation #tag (context)` a note of its own that is part of it,
`- relation [[Other]]` and [[Other]] in the text a link. A page whose type is that of an entity is one, too.
Seen: basic-memory's note format of 2025, Obsidian 1.x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from omoide.layers.entity import ENTITY_TYPES, TYPE_ALIASES
from omoide.transfer.item import Format, Held, Item, Link, Skipped, Thing, Tie, fingerprint, titled
from omoide.transfer.markdown import Block, blocks, parted
from omoide.transfer.source import Page
from omoide.transfer.value import day, first, moment, name, names, words

_OBSERVED = re.compile(r"^\[(?P<category>[^\[\]()\n]+)\]\s+(?P<text>.+)$", re.DOTALL)
_CONTEXT = re.compile(r"\s*\((?P<context>[^()]*)\)\s*$")
_TAG = re.compile(r"(?<![\w#&])#([^\W\d][\w/\-]*)")
_RELATION = re.compile(r"^(?P<type>[^\[\]\n]*?)\s*\[\[(?P<target>[^\[\]\n]+)\]\]\s*(?:\((?P<context>[^()]*)\))?\s*$")
_WIKI = re.compile(r"(?<!!)\[\[([^\[\]\n]+)\]\]")
_CHECKBOX = {"", "x", "X", "-", "/", "!", ">", "?"}
_OURS = ("day", "index")  # pages of our own that only repeat what others say
_SAID = ((), ("Facts",), ("Relations",))  # of the page of an entity; the rest repeats what is told of days and others


@dataclass(slots=True)
class _Note:
    """One page, taken apart."""

    page: Page
    title: str
    key: str
    entity: str | None
    at: str | None
    tags: tuple[str, ...]
    prose: list[str]
    observed: list[tuple[Block, re.Match[str]]]
    related: list[tuple[str, str, str]]  # type, target, where
    aliases: tuple[str, ...] = ()
    ours: bool = False  # the page of an entity that Omoide wrote


def _read(pages: Sequence[Page]) -> Iterator[Item]:
    """All notes first, then all links: what a link leads to may come later. Titles are all that is kept meanwhile."""
    known: dict[str, str] = {}
    for page in pages:
        note = _parsed(page)
        if note is None:
            yield Skipped(reason="an index or a day that Omoide wrote", where=page.name)
            continue
        for called in (note.title, page.stem, page.name.removesuffix(".md")):
            known.setdefault(called.casefold(), note.key)
        yield from _told(note)
    for page in pages:
        note = _parsed(page)
        if note is not None:
            yield from _links(note, known)


def _parsed(page: Page) -> _Note | None:
    fields, body, before = parted(page.text())
    if fields.get("omoide") in _OURS:
        return None
    kind = str(fields.get("type") or "").casefold()
    kind = TYPE_ALIASES.get(kind, kind)
    at = next((found for found in map(moment, (fields.get(each) for each in _TIMES)) if found), None)
    note = _Note(
        page=page,
        title=name(fields.get("title")) or name(page.stem) or page.name,
        key=f"markdown:{name(fields.get('permalink')) or page.name}",
        entity=kind if kind in ENTITY_TYPES else None,
        at=at or day(page.stem) or page.modified,
        tags=tuple(each.lstrip("#") for each in names(first(fields, "tags", "tag")) if each.strip("#")),
        prose=[],
        observed=[],
        related=[],
        aliases=tuple(names(fields.get("aliases"))),
        ours=fields.get("omoide") == "entity",
    )
    if fields.get("omoide"):  # written so that no reader takes it for HTML
        body = body.replace("\\<", "<")
    for block in blocks(body, before):
        if not note.ours or block.headings[1:2] in _SAID:
            _sort(note, block)
    return note


_TIMES = ("created", "created_at", "date", "updated", "modified")


def _sort(note: _Note, block: Block) -> None:
    where = f"{note.page.name}, line {block.line}"
    if block.is_item and (found := _OBSERVED.match(block.text)) and found["category"].strip() not in _CHECKBOX:
        note.observed.append((block, found))
    elif block.is_item and (found := _RELATION.match(block.text)):
        note.related.append((name(found["type"]) or "relates_to", _target(found["target"]), where))
    else:
        note.prose.append(f"- {block.text}" if block.is_item else block.text)
        note.related += [("links_to", _target(each), where) for each in _WIKI.findall(block.text)]


def _target(text: str) -> str:
    """[[Page|shown]] and [[Page#heading]] lead to Page."""
    return " ".join(text.split("|")[0].split("#")[0].split())


def _told(note: _Note) -> Iterator[Item]:
    if note.ours:
        yield from _told_by_us(note)
        return
    if note.entity:
        yield Thing(name=note.title, where=note.page.name, type=note.entity)
    about = (note.title,) if note.entity else ()
    prose = words("\n\n".join(note.prose))
    yield Held(
        text=titled(note.title, prose) if prose else note.title,
        where=note.page.name,
        key=note.key,
        title=note.title,
        about=about,
        at=note.at,
        tags=note.tags,
        details={"file": note.page.name},
    )
    for block, found in note.observed:
        text, context = found["text"], None
        if hit := _CONTEXT.search(text):
            text, context = text[: hit.start()], hit["context"]
        tags = _TAG.findall(text)
        text = words(re.sub(r"(\s+#[^\W\d][\w/\-]*)+\s*$", "", text)) or words(found["text"])
        where = f"{note.page.name}, line {block.line}"
        key = f"{note.key}#{fingerprint(text)}"
        yield Held(
            text=titled(note.title, text),
            where=where,
            key=key,
            kind="fact" if found["category"].casefold() == "fact" else "note",
            category=None if found["category"].casefold() == "fact" else name(found["category"]),
            about=about,
            at=note.at,
            tags=tuple(dict.fromkeys((*tags, *note.tags))),
            details={"context": context} if context else None,
        )
        yield Link(source=key, target=note.key, type="part_of", where=where)


def _told_by_us(note: _Note) -> Iterator[Item]:
    """The entity, and what is known of it in our own words: what was forgotten is known by them."""
    described = "\n\n".join(words(each) or "" for each in note.prose) or None
    yield Thing(name=note.title, where=note.page.name, type=note.entity, aliases=note.aliases, description=described)
    for block, found in note.observed:
        hit = _CONTEXT.search(found["text"])
        text = found["text"][: hit.start()] if hit else found["text"]
        said = words(re.sub(r"(\s+#[^\W\d][\w/\-]*)+\s*$", "", text)) or text
        is_fact = found["category"] == "fact"
        yield Held(
            text=said,
            where=f"{note.page.name}, line {block.line}",
            key=f"markdown:#{fingerprint(found['category'], said)}",
            kind="fact" if is_fact else "note",
            category=None if is_fact else name(found["category"]),
            about=(note.title,),
            at=(day(hit["context"]) if hit else None) or note.at,
            tags=tuple(_TAG.findall(text)),
        )


def _links(note: _Note, known: dict[str, str]) -> Iterator[Item]:
    for type, target, where in note.related:
        if not target:
            continue
        found = known.get(target.casefold()) or known.get(target.rsplit("/", 1)[-1].casefold())
        if note.entity and type != "links_to":
            yield Tie(source=note.title, type=type, target=target, where=where)
        elif found is None:
            yield Skipped(reason="a link to a page that is not there", where=where)
        elif found != note.key:
            yield Link(source=note.key, target=found, where=where, predicate=type)


FORMAT = Format("markdown", "folders of notes (basic-memory, Obsidian)", lambda name: name.endswith(".md"), _read)
