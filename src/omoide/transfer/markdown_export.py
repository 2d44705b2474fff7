"""Exports a folder of Markdown for people: one page per entity and day, and an index. basic-memory can read it.

The same memory gives the same bytes. A list of the written pages is stored beside them: exporting again replaces and
removes those pages only. Links in the folder are never followed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from omoide.clock import to_datetime
from omoide.domain import Entity, Node, Relation
from omoide.errors import CannotWrite, InvalidInput
from omoide.store import Store
from omoide.transfer.jsonl import Progress
from omoide.transfer.skill_files import write_private

_TIMELINE_LINES = 500  # earlier events are on the pages of their days
_LINE_CHARACTERS = 300
_FILE_NAME_CHARACTERS = 60
_NON_WORD = re.compile(r"[^\w]+")
_TAG = re.compile(r"[^\w/\-]+")
_MARKUP = re.compile(r"<(?=[A-Za-z/!?])")  # would be rendered as HTML


def page_file_names(names: Sequence[tuple[int, str]]) -> dict[int, str]:
    """Returns a file name for each entity: its name, with the id where two names give the same file."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for id, name in names:
        slug = _NON_WORD.sub("-", name).strip("-_").casefold()[:_FILE_NAME_CHARACTERS].strip("-") or str(id)
        file = slug if slug not in taken else f"{slug}-{id}"
        taken.add(file)
        found[id] = file
    return found


def entity_page(
    entity: Entity,
    nodes: Sequence[Node],
    relations: Sequence[Relation],
    names: Mapping[int, str],
    zone: tzinfo | None,
    shared: bool,
) -> str:
    """Returns the page of an entity: facts, earlier facts, relations and timeline.

    Shared pages leave out aliases, description and summary, since those may derive from private memories.
    """
    known = [node for node in nodes if not _is_event(node) and node.state == "live"]
    past = [node for node in nodes if not _is_event(node) and node.state != "live"]
    descriptions = [each for each in (entity.description, entity.summary) if each and not shared]
    aliases = ", ".join(_yaml_string(each) for each in entity.aliases)
    rows = _front_matter(
        title=_yaml_string(entity.name),
        type=entity.type,
        permalink=f"entities/{names[entity.id]}",
        omoide="entity",
        **({"aliases": f"[{aliases}]"} if aliases and not shared else {}),
    )
    rows += [f"# {_one_line(entity.name)}", "", *(part for each in descriptions for part in (_one_line(each), ""))]
    rows += _section("Facts", [_fact_line(node, zone) for node in known])
    rows += _section("Earlier", [f"- ~~{_one_line(node.text)}~~ · {_date(node.event_at, zone)}" for node in past])
    rows += _section("Relations", [_relation_line(each) for each in relations if each.source_id == entity.id])
    rows += _section(
        "Related from",
        [_backlink_line(each, names) for each in relations if each.target_id == entity.id and each.source_id in names],
    )
    rows += _section("Timeline", _timeline_lines([node for node in nodes if _is_event(node)], zone))
    return "\n".join(rows).rstrip() + "\n"


def day_page(day: str, nodes: Sequence[Node], zone: tzinfo | None) -> str:
    """Returns the page of a day: summaries, then the turns by session."""
    rows = [*_front_matter(title=day, type="day", permalink=f"days/{day}", omoide="day"), f"# {day}", ""]
    summaries = [node for node in nodes if getattr(node, "compression", None) not in (None, "raw")]
    rows += _section("Summaries", [f"- {_one_line(node.text)}" for node in summaries])
    session: str | None = ""
    for node in nodes:
        if node in summaries:
            continue
        if node.session != session:
            session = node.session
            rows += [f"## {_one_line(session or 'Outside of a session')}", ""]
        rows += [f"**{_time_of_day(node.event_at, zone)} {_one_line(_speaker(node))}**", ""]
        rows += [*(f"> {_escape_html(line)}".rstrip() for line in node.text.splitlines()), ""]
    return "\n".join(rows).rstrip() + "\n"


def index_page(files: Mapping[int, str], names: Mapping[int, str], days: Sequence[str]) -> str:
    rows = [*_front_matter(title="Index", type="index", permalink="index", omoide="index"), "# Index", ""]
    named = sorted((names.get(id, file).casefold(), names.get(id, file), file) for id, file in files.items())
    rows += _section("Entities", [f"- [{_link_label(name)}](entities/{file}.md)" for _, name, file in named])
    rows += _section("Days", [f"- [{each}](days/{each}.md)" for each in sorted(days, reverse=True)])
    return "\n".join(rows).rstrip() + "\n"


def _is_event(node: Node) -> bool:
    return node.kind in ("episode", "narrative", "handoff")


def _front_matter(**fields: str) -> list[str]:
    return ["---", *(f"{name}: {value}" for name, value in fields.items()), "---", ""]


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}", "", *lines, ""] if lines else []


def _fact_line(node: Node, zone: tzinfo | None) -> str:
    tags = "".join(f" #{_TAG.sub('-', tag).strip('-')}" for tag in node.tags if _TAG.sub("", tag))
    return (
        f"- [{node.kind}] {_one_line(node.text)}{tags} ({_date(node.valid_from or node.event_at, zone)}, {node.origin})"
    )


def _relation_line(relation: Relation) -> str:
    return f"- {_one_line(relation.type)} [[{_link_label(relation.target)}]]"


def _backlink_line(relation: Relation, names: Mapping[int, str]) -> str:
    return f"- [{_link_label(relation.source)}]({names[relation.source_id]}.md) · {_one_line(relation.type)}"


def _timeline_lines(nodes: Sequence[Node], zone: tzinfo | None) -> list[str]:
    shown = nodes[-_TIMELINE_LINES:]
    rows = [f"{len(nodes) - len(shown):,} earlier events are on the pages of their days."] * (len(nodes) > len(shown))
    for node in shown:
        on = _date(node.event_at, zone)
        line = _one_line(node.text)
        line = line if len(line) <= _LINE_CHARACTERS else line[: _LINE_CHARACTERS - 1] + "…"
        rows.append(
            f"- [{on}](../days/{on}.md) {_time_of_day(node.event_at, zone)} · {_one_line(_speaker(node))}: {line}"
        )
    return rows


def _speaker(node: Node) -> str:
    role = node.role or node.origin
    return f"{node.speaker} ({role})" if node.speaker else role


def _date(at: datetime, zone: tzinfo | None) -> str:
    return at.astimezone(zone).date().isoformat()


def _time_of_day(at: datetime, zone: tzinfo | None) -> str:
    return at.astimezone(zone).strftime("%H:%M")


def _one_line(text: str) -> str:
    return _escape_html(" ".join(text.split()))


def _escape_html(text: str) -> str:
    return _MARKUP.sub(r"\\<", text)


def _link_label(text: str) -> str:
    return " ".join(re.sub(r"[\[\]|#()]", " ", _one_line(text)).split())


def _yaml_string(text: str) -> str:
    line = " ".join(text.split())
    return f"'{line}'" if '"' in line else f'"{line}"'


PAGE_LIST_FILE = ".omoide-pages.json"
_PAGE_NAME = re.compile(r"index\.md|(entities|days)/[^/\\\0]+\.md")
_NODES_PER_BATCH = 500


@dataclass(frozen=True, slots=True)
class MarkdownExportReport:
    """Number of entity and day pages, of changed pages, and of removed pages of earlier exports."""

    path: str
    entities: int
    days: int
    changed: int
    removed: int


def export_markdown(
    store: Store, folder: Path, zone: tzinfo | None, shared: bool, progress: Progress | None
) -> MarkdownExportReport:
    """Writes all pages. Raises InvalidInput before writing if a file in the folder was not written by Omoide."""
    names = page_file_names(store.exports.readable_entities(shared))
    days = store.exports.nodes_by_day(lambda at: to_datetime(at).astimezone(zone).date().isoformat(), shared)
    wanted = ["index.md", *(f"entities/{file}.md" for file in names.values()), *(f"days/{day}.md" for day in days)]
    try:
        folder_pages = _PageFolder(Path(os.path.realpath(folder)), wanted, progress)
        store.copies.add(str(folder_pages.root), "export")  # also recorded first: an interrupted run leaves pages
        for id, file in names.items():
            entity, nodes, relations = store.exports.entity_page(id, shared)
            folder_pages.write(f"entities/{file}.md", entity_page(entity, nodes, relations, names, zone, shared))
        for day, ids in days.items():
            held: dict[int, Node] = {}
            for start in range(0, len(ids), _NODES_PER_BATCH):
                held |= store.nodes.fetch(ids[start : start + _NODES_PER_BATCH])
            folder_pages.write(f"days/{day}.md", day_page(day, [held[id] for id in ids if id in held], zone))
        folder_pages.write("index.md", index_page(names, dict(store.exports.readable_entities(shared)), list(days)))
        removed = folder_pages.remove_old_pages()
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be written: {error.strerror or error}") from error
    store.copies.add(str(folder_pages.root), "export")
    return MarkdownExportReport(str(folder), len(names), len(days), folder_pages.changed, removed)


class _PageFolder:
    """The target folder. Touches only pages that Omoide wrote."""

    def __init__(self, root: Path, wanted: Iterable[str], progress: Progress | None) -> None:
        self.root = root
        self.changed = 0
        self._wanted = dict.fromkeys(wanted)
        self._progress = progress
        self._done = 0
        if root.exists() and not root.is_dir():
            raise InvalidInput(f"{root} is a file; name a folder")
        root.mkdir(mode=0o700, exist_ok=True)
        self._before = self._read_list()
        for below in ("entities", "days"):
            self._require_folder(root / below)
        for name in self._wanted:
            if os.path.lexists(root / name) and (name not in self._before or (root / name).is_symlink()):
                raise InvalidInput(f"{root / name} exists and was not written by Omoide; choose another folder")
        self._write_list({**self._before, **self._wanted})  # so that an interrupted run leaves no unlisted page

    def write(self, name: str, text: str) -> None:
        place, data = self.root / name, text.encode("utf-8", "replace")
        if not (place.is_file() and not place.is_symlink() and place.read_bytes() == data):
            write_private(place, data, self.root)
            self.changed += 1
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, len(self._wanted))

    def remove_old_pages(self) -> int:
        """Removes pages of memories that no longer exist, since forgotten text must not stay readable."""
        gone = [name for name in self._before if name not in self._wanted]
        for name in gone:
            with suppress(FileNotFoundError):
                (self.root / name).unlink()
        self._write_list(self._wanted)
        return len(gone)

    def _require_folder(self, place: Path) -> None:
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise InvalidInput(f"{place} is not a real folder; choose another folder")
        place.mkdir(mode=0o700, exist_ok=True)

    def _read_list(self) -> dict[str, None]:
        place = self.root / PAGE_LIST_FILE
        if not place.is_file() or place.is_symlink():
            return {}
        try:
            found = json.loads(place.read_text("utf-8"))["pages"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InvalidInput(f"{place} cannot be read; choose another folder, or remove it") from None
        return dict.fromkeys(name for name in found if isinstance(name, str) and _PAGE_NAME.fullmatch(name))

    def _write_list(self, names: Mapping[str, None]) -> None:
        document = json.dumps({"pages": sorted(names)}, ensure_ascii=False, indent=0)
        write_private(self.root / PAGE_LIST_FILE, document.encode("utf-8", "replace"), self.root)
