"""Imports a `.loki/memory` folder. Importing it again applies only what changed in the folder."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from omoide.clock import Clock, to_datetime, to_micros
from omoide.domain import Draft, Node
from omoide.domain.edge import parse_edge_type
from omoide.domain.entity import entities_named_in
from omoide.domain.task import TASK_OUTCOMES
from omoide.errors import InvalidInput, OmoideError
from omoide.language import tokens
from omoide.observe import task_trace, validate
from omoide.observe.drafts import RememberedStatement, content_key, draft_statement
from omoide.settings import Settings
from omoide.store import LedgerUpdate, Store, TextChange
from omoide.transfer.jsonl import Progress
from omoide.transfer.loki import folder as files
from omoide.transfer.loki.documents import (
    LokiMemory,
    from_document,
    is_edited,
    is_text_edited,
    iso_utc,
    parse_instant,
    to_document,
)
from omoide.transfer.loki.folder import LokiDocument, LokiReport
from omoide.transfer.skill_files import SkillFolder

_MAX_NAME_BYTES = 480


class LokiImport:
    """One import of a folder. Keeps document ids, and fields without a counterpart."""

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self._store = store
        self._clock = clock
        self._settings = settings
        self.skills = SkillFolder(store, self._draft)
        self.holding_forgotten: set[str] = set()  # files with documents that stay forgotten

    def run(self, folder: Path, progress: Progress | None) -> LokiReport:
        """Reads all files of a folder; what cannot be read is reported and skipped."""
        return self.take_files(folder, files.loki_files(folder), progress)

    def take_files(self, folder: Path, found: Sequence[Path], progress: Progress | None = None) -> LokiReport:
        """Reads some files of a folder."""
        report = LokiReport(str(folder))
        links: list[tuple[str, str, str]] = []
        for number, path in enumerate(found):
            for item in files.read_loki_file(path, path.relative_to(folder).as_posix()):
                if isinstance(item, files.SkippedLokiFile):
                    report.skipped.append((item.path, item.why))
                    continue
                try:
                    self._take(item, path, report, links)
                except OmoideError as error:
                    report.skipped.append((_named(item), str(error)))
            report.files += 1
            if progress is not None:
                progress(number + 1, len(found))
        self._connect(links, report)
        return report

    def _mentioned(self, text: str) -> tuple[int, ...]:
        return entities_named_in(text, self._store.entities.name_index())

    def _draft(self, statement: RememberedStatement) -> Draft:
        return draft_statement(statement, self._clock(), self._settings, self._mentioned)

    def _take(self, item: LokiDocument, path: Path, report: LokiReport, links: list[tuple[str, str, str]]) -> None:
        match item.what:
            case "other":
                body = _without(item, report.forgotten)
                if body != item.body:
                    self.holding_forgotten.add(item.path)
                new = self._store.imports.save_foreign_file(item.path, validate.details(body))
                if "container" not in item.body:
                    report.count("file", "kept" if new else "unchanged")
            case "links":
                self._store.imports.save_foreign_file(item.path, {"links": validate.details(item.body)})
                links += files.listed_links(item.body)
            case "skill":
                report.count("skill", self.skills.import_file(path, "import", item.path.removeprefix("skills/")).status)
            case "ledger":
                report.count("ledger", self._take_ledger(item))
            case _:
                self._take_node(item, report, links)

    def _take_node(self, item: LokiDocument, report: LokiReport, links: list[tuple[str, str, str]]) -> None:
        shape = from_document(item.what, item.body)
        origin = {"loki": {"what": item.what, "path": item.path, "place": item.place, "body": item.body}}
        key = f"loki:{shape.id}" if shape.id else f"loki:{item.path}#{item.place}"
        name = shape.id or key
        if self._is_erased(item.body):
            report.count(item.what, "forgotten")
            report.forgotten.append(name)
            self.holding_forgotten.add(item.path)
            return
        node, outcome = self._stored(shape, validate.details(origin), key, item)
        report.count(item.what, outcome)
        if outcome == "forgotten":  # an erased memory does not come back by an import
            report.forgotten.append(name)
            self.holding_forgotten.add(item.path)
            return
        report.ids[name] = node.id
        sources = item.body.get("source_episodes")
        said = item.body.get("source")
        episodes = sources if isinstance(sources, list) else [said] if isinstance(said, str) else ()
        links += ((name, "derived_from", str(episode)) for episode in episodes)
        own = item.body.get("links")
        links += (
            (name, str(link.get("relation") or "related_to"), str(link["to"]))
            for link in (own if isinstance(own, list) else ())
            if isinstance(link, Mapping) and link.get("to")
        )

    def _is_erased(self, body: Mapping[str, Any]) -> bool:
        """Whether the document was exported from this memory and erased here since."""
        exported = body.get("omoide")
        return isinstance(exported, Mapping) and bool(self._store.erasure.erased_ulids([str(exported.get("ulid"))]))

    def _stored(self, shape: LokiMemory, details: Any, key: str, item: LokiDocument) -> tuple[Node, str]:
        exported = item.body.get("omoide")
        held = self._store.imports.node_by_ulid(str(exported.get("ulid"))) if isinstance(exported, Mapping) else None
        if held is not None:
            return self._edited(held, shape, details, key, item) if is_edited(item.body) else (held, "unchanged")
        draft = self._drafted(shape, details, key)
        assert draft.key is not None
        held = self._store.imports.node_by_key(draft.key)
        if held is None:
            stored = (
                self._store.tasks.record_tasks([draft])
                if shape.kind == "episode"
                else self._store.nodes.insert([draft])
            )
            return stored[0], "forgotten" if stored[0].state == "erased" else "new"
        if held.details == draft.details:
            return held, "unchanged"
        known = (held.details or {}).get("loki") if isinstance(held.details, dict) else None
        before = self._drafted(from_document(item.what, known["body"]), None, key) if known else None
        return self._changed(held, draft, before), "updated"

    def _edited(self, held: Node, shape: LokiMemory, details: Any, key: str, item: LokiDocument) -> tuple[Node, str]:
        """Takes over what somebody changed in a document that was written from a memory of this file."""
        own = held.details if isinstance(held.details, dict) else {}
        known = own["loki"]["body"] if "loki" in own else None
        if known == item.body:
            return held, "unchanged"
        body = known or to_document(held, item.what, None, shape.id or "")
        before = self._drafted(from_document(item.what, body), None, key)
        kept = held.details if held.details is not None and not own else {**own, **details}
        draft = replace(self._drafted(shape, None, key), details=kept)
        if known is None and item.what != "trace" and not is_text_edited(item.what, item.body):
            draft = replace(draft, text=before.text)
        return self._changed(held, draft, before), "updated"

    def _drafted(self, shape: LokiMemory, details: Any, key: str) -> Draft:
        if shape.kind == "episode":
            return task_trace.draft_task_trace(*self._trace(shape, details, key))
        return self._draft(_statement(shape, details, key))

    def _trace(self, shape: LokiMemory, details: Any, key: str) -> tuple[Any, ...]:
        held = shape.attributes
        start = task_trace.TaskStart(
            goal=held["goal"],
            agent=_short(held.get("agent")),
            phase=_short(held.get("phase")),
            type=_short(held.get("task_type")),
            constraints=_names(held.get("constraints")),
            files=_names(held.get("files_involved")),
            name=_short(shape.task_id),
            origin="import",
            at=shape.at,
            details=details,
            key=key,
        )
        end = task_trace.TaskEnd(
            outcome=held["outcome"] if held.get("outcome") in TASK_OUTCOMES else "partial",
            actions=[each for each in held.get("action_log") or () if isinstance(each, dict) and "action" in each],
            errors=[each for each in held.get("errors_encountered") or () if isinstance(each, dict)],
            artifacts=_names(held.get("artifacts_produced")),
            commit=_short(held.get("git_commit")),
            seconds=held.get("duration_seconds"),
        )
        return start, self._clock(), self._settings, self._mentioned, end

    def _changed(self, held: Node, draft: Draft, before: Draft | None) -> Node:
        """Updates a memory with what changed in its document; what was changed only here stays."""
        change = TextChange()
        if before is None or before.text != draft.text:
            change = TextChange(text=draft.text, token_count=tokens.estimate(draft.text), entities=draft.entities)
        attributes = {name: value for name, value in held.attributes.items() if value not in (None, ())}
        then = {} if before is None else before.attributes
        for name in held.attributes:
            if then.get(name) != draft.attributes.get(name):
                attributes[name] = draft.attributes.get(name)
        values: dict[str, Any] = {
            "attributes": {name: value for name, value in attributes.items() if value is not None},
            "details": draft.details,
        }
        if before is None or before.confidence != draft.confidence:
            values["confidence"] = draft.confidence
        return self._store.nodes.update(held.id, change, values)

    def _take_ledger(self, item: LokiDocument) -> str:
        body = item.body
        agent = validate.required_name(str(body.get("agent_id") or Path(item.path).stem), "agent_id")
        at = parse_instant(body.get("last_checkpoint")) or to_datetime(self._clock())
        source = validate.details({"path": item.path, "body": body, "read_at": iso_utc(at)})
        held = next((each for each in self._store.agents.list_ledgers() if each.agent_id == agent), None)
        known = ((held.details if held else None) or {}).get("loki", {})
        if (known.get("path"), known.get("body")) == (source["path"], source["body"]):
            return "unchanged"
        done = body.get("tasks_completed")
        standing = LedgerUpdate(
            agent=agent,
            task=str(body["current_task"]) if isinstance(body.get("current_task"), str) else "",
            state=validate.details(body["state"]) if isinstance(body.get("state"), dict) else {},
            context=validate.details(body["context"]) if isinstance(body.get("context"), dict) else {},
            total=done if isinstance(done, int) and not isinstance(done, bool) and done >= 0 else 0,
            at=to_micros(at),
            details={"loki": source},
        )
        names = self._store.entities.name_index()
        self._store.agents.add_checkpoint(standing, lambda text: entities_named_in(text, names))
        return "new" if held is None else "updated"

    def _connect(self, links: list[tuple[str, str, str]], report: LokiReport) -> None:
        """Stores the links after all documents; a name may also belong to an earlier import."""
        for source, relation, target in links:
            ends = [self._foreign(name, report) for name in (source, target)]
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                report.dangling.append((source, target))
                continue
            try:
                parse_edge_type(relation)
                known = relation
            except InvalidInput:
                known = "related_to"
            try:
                predicate = None if known == relation else _short(relation)
                self._link(ends[0], ends[1], known, predicate)
                report.count("link", "made")
            except InvalidInput:  # they follow one another already
                report.count("link", "unchanged")

    def _link(self, source: int, target: int, type: str, predicate: str | None) -> None:
        stored, backwards = parse_edge_type(type)
        ends = (target, source) if backwards else (source, target)
        self._store.links.link(
            *ends, stored, predicate=validate.name(predicate, "predicate"), weight=1.0, confidence=1.0, evidence=[]
        )

    def _foreign(self, name: str, report: LokiReport) -> int | None:
        if name in report.ids:
            return report.ids[name]
        for form in ("task", "statement"):
            held = self._store.imports.node_by_key(content_key(form, f"loki:{name}"))
            if held is not None:
                return held.id
        return None


def _statement(shape: LokiMemory, details: Any, key: str) -> RememberedStatement:
    return RememberedStatement(
        text=shape.text,
        kind=shape.kind,
        confidence=shape.confidence,
        origin="import",
        source_type="migration",
        at=shape.at,
        details=details,
        key=key,
        attributes=shape.attributes,
    )


def _without(item: LokiDocument, forgotten: Collection[str]) -> Any:
    """The index of traces contains their goals: leaves out those of erased traces."""
    if not forgotten or item.path != "episodic/index.json" or "text" not in item.body:
        return item.body
    try:
        index = json.loads(item.body["text"])
        index["episodes"] = [each for each in index["episodes"] if each["id"] not in forgotten]
    except (ValueError, KeyError, TypeError):
        return item.body
    return {"text": json.dumps(index, indent=2, ensure_ascii=False) + "\n"}


def _named(item: LokiDocument) -> str:
    return item.path if item.place is None else f"{item.path}#{item.place}"


def _short(value: Any) -> str | None:
    """A name, cut to the allowed length; the document keeps the whole."""
    if not isinstance(value, str) or not value.strip():
        return None
    return value.encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore")


def _names(values: Any) -> list[str]:
    return [name for each in values or () if (name := _short(each if isinstance(each, str) else json.dumps(each)))]
