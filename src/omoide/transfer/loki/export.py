"""Builds the files of a `.loki/memory` folder from a memory."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omoide.clock import Clock, to_datetime
from omoide.domain import Node
from omoide.domain.edge import parse_edge_type
from omoide.settings import Settings
from omoide.store import NodeFilter, Store
from omoide.transfer.jsonl import Progress
from omoide.transfer.loki import folder as files
from omoide.transfer.loki.documents import ledger_document, to_document
from omoide.transfer.loki.folder import LokiReport, kept_file_bytes, listed_links, rebuild_container
from omoide.transfer.loki.import_folder import LokiImport

_DEFAULT_FILES = {
    "pattern": ("pattern", "semantic/patterns.json"),
    "antipattern": ("antipattern", "semantic/anti-patterns.json"),
    "fact": ("fact", "semantic/facts.json"),
    "note": ("fact", "semantic/facts.json"),
}
_SEMANTIC = ("pattern", "antipattern", "fact", "learning")
_MAX_SKILLS = 100_000


@dataclass(slots=True)
class _Entry:
    """One memory with its document, file and position in the file."""

    node: Node
    what: str
    id: str
    path: str
    place: int | None
    body: dict[str, Any] = field(default_factory=dict)
    native: bool = False


def export_loki(
    store: Store, clock: Clock, settings: Settings, folder: Path, progress: Progress | None = None
) -> LokiReport:
    """Writes the folder. If that would replace files, the folder is imported first, so that nothing in it is lost."""
    taken = LokiImport(store, clock, settings)
    report = LokiReport(str(folder))
    content = export_loki_files(store, taken.skills.markdown, report)
    broken = files.broken_files(folder, content)
    if any(path not in broken for path in files.differing_files(folder, content)):
        found = [path for path in files.loki_files(folder) if path not in broken]
        skipped = taken.take_files(folder, found).skipped
        report = LokiReport(str(folder), skipped=list(skipped))
        content = export_loki_files(store, taken.skills.markdown, report)
        for name, why in report.skipped:
            if why != files.KEPT_UNSEARCHABLE:  # not read, so not replaced
                content.pop(name.rsplit("#", 1)[0] if name not in content else name, None)
    for path in broken:
        name = path.relative_to(folder).as_posix()
        report.skipped.append((name, "it is not valid JSON; it is left as it is"))
        content.pop(name, None)
    if content:
        store.copies.add(str(folder), "export")  # first, so that an interrupted export is known too
    for number, (name, body) in enumerate(content.items()):
        at = None if name in taken.holding_forgotten else to_datetime(clock())
        backup = files.write_loki_file(folder, name, body, at)
        report.backups += [str(backup)] if backup is not None else []
        report.files += 1
        if progress is not None:
            progress(number + 1, len(content))
    return report


def export_loki_files(store: Store, skill: Callable[[int], str], report: LokiReport) -> dict[str, Any]:
    """Returns the content of every file by name: a document, a text or bytes."""
    kept = store.imports.foreign_files()
    entries = _exported_entries(store, report)
    _add_links(store, entries, kept)
    content: dict[str, Any] = {}
    groups: dict[str, list[_Entry]] = defaultdict(list)
    for entry in entries.values():
        if entry.what in _SEMANTIC:
            groups[entry.path].append(entry)
        else:
            content[entry.path] = entry.body
    for path in sorted({*groups, *(name for name, body in kept.items() if "container" in body)}):
        shape = kept.get(path, {}).get("container")
        content[path] = rebuild_container(shape, [(each.place, each.body) for each in groups.get(path, ())])
    for path, body in kept.items():
        if "links" in body:
            content[path] = body["links"]
        elif "container" not in body and path not in content:
            whole = kept_file_bytes(body)
            if whole is not None:
                content[path] = whole
    _add_ledgers(store, content, report)
    _add_skills(store, skill, content, report)
    _add_trace_index(entries, content)
    return dict(sorted(content.items()))


def _exported_entries(store: Store, report: LokiReport) -> dict[int, _Entry]:
    """Returns the memories to export, by id. Of several versions of one document, the live or latest one."""
    held = store.nodes.fetch(store.imports.exported_nodes())
    chosen: dict[tuple[str, Any, str], Node] = {}
    native: list[Node] = []
    for node in held.values():
        source = _loki_source(node)
        if source is None:
            if node.state == "live":
                native.append(node)
            continue
        same = (source["path"], source["place"], str(source["body"].get("id")))
        before = chosen.get(same)
        if before is None or (node.state == "live", node.id) > (before.state == "live", before.id):
            chosen[same] = node
    entries: dict[int, _Entry] = {}
    for node in chosen.values():
        source = _loki_source(node)
        assert source is not None
        id = str(source["body"].get("id") or f"{source['path']}#{source['place']}")
        body = to_document(node, source["what"], source["body"], id)
        entries[node.id] = _Entry(node, source["what"], id, source["path"], source["place"], body)
    taken = {entry.id for entry in entries.values()}
    paths = {entry.path for entry in entries.values()}
    for node in native:
        entries[node.id] = _new_entry(node, taken, paths)
    for entry in entries.values():
        report.ids[entry.id] = entry.node.id
        report.count(entry.what, "new" if entry.native else "imported")
    return entries


def _new_entry(node: Node, taken: set[str], paths: set[str]) -> _Entry:
    day = f"{node.event_at:%Y-%m-%d}"
    if node.kind == "episode":
        what, id, path = "trace", f"ep-{day}-{node.id:03d}", f"episodic/{day}/task-{node.id:03d}.json"
    elif node.kind == "handoff":
        what, id, path = "handoff", f"handoff-{node.id:03d}", f"handoffs/handoff-{node.id:03d}.json"
    else:
        what, path = _DEFAULT_FILES[node.kind]
        id = f"sem-{node.id:03d}"
    if id in taken:
        id = f"{id}-{node.ulid}"
    if what in ("trace", "handoff") and path in paths:
        path = path.replace(".json", f"-{node.ulid}.json")
    taken.add(id)
    return _Entry(node, what, id, path, None, to_document(node, what, None, id), native=True)


def _add_links(store: Store, entries: Mapping[int, _Entry], files: dict[str, Any]) -> None:
    """Adds links that no document contains yet to the document of their source, or to links.json."""
    ids = {entry.id: entry.node.id for entry in entries.values()}
    known = {edge for entry in entries.values() for edge in _links_in_document(entry, ids)}
    kept = listed_links(files.get("semantic/links.json", {}).get("links"))
    known |= {_stored_edge(ids[one], type, ids[other]) for one, type, other in kept if one in ids and other in ids}
    other_links: list[dict[str, str]] = []
    for source, type, target in store.imports.exported_links():
        if source not in entries or target not in entries or (source, type, target) in known:
            continue
        begins, ends = entries[source], entries[target]
        if type == "derived_from" and begins.what == "pattern" and _is_list(begins.body, "source_episodes"):
            begins.body["source_episodes"] = [*begins.body.get("source_episodes", []), ends.id]
        elif begins.what in _SEMANTIC and _is_list(begins.body, "links"):
            begins.body["links"] = [*begins.body.get("links", []), {"to": ends.id, "relation": type}]
        else:
            other_links.append({"from": begins.id, "to": ends.id, "relation": type})
    if other_links:
        file = files.setdefault("semantic/links.json", {"links": []})
        file["links"] = _with_more_links(file.get("links"), other_links)


def _with_more_links(body: Any, more: list[dict[str, str]]) -> Any:
    """The body of links.json with these links in its list."""
    if isinstance(body, dict):
        name = next((name for name, each in body.items() if isinstance(each, list)), "links")
        return {**body, name: [*body.get(name, ()), *more]}
    return [*body, *more] if isinstance(body, list) else more


def _is_list(body: Mapping[str, Any], name: str) -> bool:
    return isinstance(body.get(name, []), list)


def _links_in_document(entry: _Entry, ids: Mapping[str, int]) -> set[tuple[int, str, int]]:
    """Returns the links that a document contains."""
    found = set()
    sources = entry.body.get("source_episodes")
    source = entry.body.get("source")
    for episode in sources if isinstance(sources, list) else [source]:
        if isinstance(episode, str) and episode in ids:
            found.add((entry.node.id, "derived_from", ids[episode]))
    links = entry.body.get("links")
    for link in links if isinstance(links, list) else ():
        if isinstance(link, Mapping) and link.get("to") in ids:
            found.add(_stored_edge(entry.node.id, str(link.get("relation")), ids[link["to"]]))
    return found


def _stored_edge(source: int, relation: str, target: int) -> tuple[int, str, int]:
    try:
        stored, backwards = parse_edge_type(relation)
    except ValueError:
        return source, "related_to", target
    return (target, stored, source) if backwards else (source, stored, target)


def _add_ledgers(store: Store, content: dict[str, Any], report: LokiReport) -> None:
    for held in store.agents.list_ledgers():
        source = (held.details or {}).get("loki")
        path = source["path"] if source else f"ledgers/{_safe_file_name(held.agent_id)}.json"
        content[path] = ledger_document(held)
        report.count("ledger", "imported" if source else "new")


def _add_skills(store: Store, skill: Callable[[int], str], content: dict[str, Any], report: LokiReport) -> None:
    """Imported skills first, under their own names. Our own are not repeated if a file says the same."""
    held = store.nodes.fetch(store.search.matching(NodeFilter(kinds=("skill", "procedure")), _MAX_SKILLS))
    named = {id: _skill_file(node) for id, node in held.items()}
    written: set[str] = set()
    for id, node in sorted(held.items(), key=lambda each: (named[each[0]] is None, each[0])):
        file, text = named[id], skill(id)
        if file is None and text in written:
            continue
        written.add(text)
        path = f"skills/{file or _safe_file_name(str(node.attributes.get('name') or node.text).casefold()) + '.md'}"
        content[path if path not in content else f"skills/{_safe_file_name(node.kind)}-{id}.md"] = text
        report.count("skill", "imported" if file else "new")


def _add_trace_index(entries: Mapping[int, _Entry], content: dict[str, Any]) -> None:
    """Adds an index of traces by time, unless an imported one exists."""
    traces = sorted((each for each in entries.values() if each.what == "trace"), key=lambda each: each.node.event_at)
    if not traces or "episodic/index.json" in content:
        return
    content["episodic/index.json"] = {
        "episodes": [
            {
                "id": each.id,
                "task_id": each.node.task_id,
                "timestamp": each.body.get("timestamp"),
                "goal": each.node.attributes.get("goal"),
                "outcome": each.node.attributes.get("outcome"),
                "path": each.path.removeprefix("episodic/"),
            }
            for each in traces
        ]
    }


def _skill_file(node: Node) -> str | None:
    skill = node.details.get("skill") if isinstance(node.details, dict) else None
    return skill.get("file") if isinstance(skill, dict) else None


def _loki_source(node: Node) -> dict[str, Any] | None:
    found = node.details.get("loki") if isinstance(node.details, dict) else None
    return found if isinstance(found, dict) and isinstance(found.get("body"), dict) else None


def _safe_file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:60] or "unnamed"
