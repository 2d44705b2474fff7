"""Reads and writes the files of a `.loki/memory` folder: the type and position of each document."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from omoide.errors import CannotWrite, InvalidInput
from omoide.transfer.skill_files import make_private_folder, write_private

LokiDocumentType = Literal[
    "trace", "pattern", "antipattern", "fact", "learning", "links", "skill", "ledger", "handoff", "other"
]
KEPT_UNSEARCHABLE = "not a document; it is kept unchanged but not searchable"
_MAX_FILE_BYTES = 20_000_000
_BACKUP = re.compile(r"\.\d{8}T\d{6}Z(-\d+)?\.bak\Z")
_SEMANTIC_FILES: dict[str, LokiDocumentType] = {
    "semantic/patterns.json": "pattern",
    "semantic/anti-patterns.json": "antipattern",
    "semantic/facts.json": "fact",
    "semantic/links.json": "links",
}
_OWN_FOLDERS = ("episodic", "semantic", "skills", "ledgers", "handoffs", "learnings", "vectors")
_FOLDER_TYPES: dict[str, LokiDocumentType] = {"ledgers": "ledger", "handoffs": "handoff", "learnings": "learning"}


@dataclass(frozen=True, slots=True)
class LokiDocument:
    """One document: type, file, position in the file (None: it is the whole file), and body."""

    what: LokiDocumentType
    path: str
    place: int | None
    body: Any


@dataclass(frozen=True, slots=True)
class SkippedLokiFile:
    """A file that cannot be imported, and the reason."""

    path: str
    why: str


def loki_files(folder: Path) -> list[Path]:
    """Returns all files, traces and patterns before the files that refer to them."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is not a folder; name a .loki/memory folder")
    order = {"episodic": 0, "semantic": 1, "skills": 2}
    found = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    found = [path for path in found if not _BACKUP.search(path.name)]
    named = {path: path.relative_to(folder).as_posix() for path in found}
    if found and not any(_is_own(name) for name in named.values()):
        raise InvalidInput(f"{folder} holds nothing that Loki Mode writes; name its .loki/memory folder")
    return sorted(found, key=lambda path: (order.get(named[path].split("/")[0], 3), named[path]))


def _is_own(name: str) -> bool:
    """Whether Loki Mode writes a file of this name: in one of its folders, or a JSON file beside them."""
    parts = PurePosixPath(name).parts
    if any(part.startswith(".") for part in parts):
        return False
    return parts[0] in _OWN_FOLDERS if len(parts) > 1 else name.endswith(".json")


def read_loki_file(path: Path, name: str) -> Iterator[LokiDocument | SkippedLokiFile]:
    """Yields the documents of a file. Unknown content of Loki Mode's own files is kept unchanged; others are left."""
    if not _is_own(name):
        yield SkippedLokiFile(name, "it is no file of Loki Mode; it was left where it is")
        return
    try:
        data = path.read_bytes()
    except OSError as error:
        yield SkippedLokiFile(name, f"cannot be read: {error.strerror}")
        return
    if len(data) > _MAX_FILE_BYTES:
        yield SkippedLokiFile(name, f"it has {len(data):,} bytes, the limit is {_MAX_FILE_BYTES:,}")
        return
    try:
        text = data.decode()
    except UnicodeDecodeError:
        yield LokiDocument("other", name, None, {"base64": base64.b64encode(data).decode()})
        return
    what = _document_type(name)
    if what in ("skill", "other"):
        yield LokiDocument(what, name, None, {"text": text})
        return
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        yield LokiDocument("other", name, None, {"text": text})
        return
    yield from _documents(what, name, body, text)


def _documents(what: LokiDocumentType, name: str, body: Any, text: str) -> Iterator[LokiDocument | SkippedLokiFile]:
    if what in ("trace", "ledger", "handoff"):
        whole = isinstance(body, dict)
        yield LokiDocument(what if whole else "other", name, None, body if whole else {"text": text})
        return
    if what == "links" and isinstance(body, list | dict):
        yield LokiDocument("links", name, None, body)
        return
    shape, members = _container(body)
    if members is None:
        yield LokiDocument("other", name, None, {"text": text})
        return
    yield LokiDocument("other", name, None, {"container": shape})
    for place, member in enumerate(members):
        if isinstance(member, dict):
            yield LokiDocument(what, name, place, member)
        else:
            yield SkippedLokiFile(f"{name}#{place}", KEPT_UNSEARCHABLE)


def _container(body: Any) -> tuple[Any, list[Any] | None]:
    """Returns how a file contains its documents (list, field or keys, and other members), and its members."""
    if isinstance(body, list):
        return _with_other_members({"as": "list"}, body) if _has_documents(body) or not body else (None, None)
    if not isinstance(body, dict):
        return None, None
    lists = [name for name, value in body.items() if isinstance(value, list)]
    whole = [name for name in lists if all(isinstance(each, dict) for each in body[name])]
    for name in (*whole, *(each for each in lists if _has_documents(body[each]))):
        rest = [[key, each if key != name else None] for key, each in body.items()]
        return _with_other_members({"as": "field", "field": name, "rest": rest}, body[name])
    members = list(body.values())
    if 2 * sum(isinstance(each, dict) for each in members) > len(members):
        return _with_other_members({"as": "keys", "keys": list(body)}, members)
    return None, None


def _has_documents(members: list[Any]) -> bool:
    return any(isinstance(each, dict) for each in members)


def _with_other_members(shape: dict[str, Any], members: list[Any]) -> tuple[dict[str, Any], list[Any]]:
    odd = [[place, each] for place, each in enumerate(members) if not isinstance(each, dict)]
    return shape | ({"odd": odd} if odd else {}), members


def rebuild_container(shape: Mapping[str, Any] | None, members: list[tuple[int | None, Any]]) -> Any:
    """Rebuilds the file: documents at their positions, new ones after them."""
    members = [*members, *((place, body) for place, body in (shape or {}).get("odd", ()))]
    ordered = [body for _, body in sorted(members, key=lambda each: (each[0] is None, each[0] or 0))]
    match (shape or {}).get("as"):
        case "field" if shape is not None and {"field", "rest"} <= shape.keys():
            return {key: ordered if key == shape["field"] else each for key, each in shape["rest"]}
        case "keys" if shape is not None:
            keys = shape.get("keys", [])
            places = [place for place, _ in sorted(members, key=lambda each: (each[0] is None, each[0] or 0))]
            named = (keys[place] if place is not None and place < len(keys) else None for place in places)
            return {key or str(body.get("id")): body for key, body in zip(named, ordered, strict=True)}
        case _:
            return ordered


def _document_type(name: str) -> LokiDocumentType:
    parts = PurePosixPath(name).parts
    if name in _SEMANTIC_FILES:
        return _SEMANTIC_FILES[name]
    if parts[0] == "skills" and name.endswith(".md"):
        return "skill"
    if not name.endswith(".json"):
        return "other"
    if parts[0] == "episodic" and len(parts) == 3:
        return "trace"
    return _FOLDER_TYPES.get(parts[0], "other") if len(parts) == 2 else "other"


def listed_links(body: Any) -> list[tuple[str, str, str]]:
    """The links of links.json, whichever of the usual field names it uses."""
    several = body
    if isinstance(body, Mapping):
        several = next((each for each in body.values() if isinstance(each, list)), [])
    found = []
    for each in several if isinstance(several, list) else ():
        if not isinstance(each, Mapping):
            continue
        source = each.get("from") or each.get("source")
        target = each.get("to") or each.get("target")
        if source and target:
            found.append((str(source), str(each.get("relation") or each.get("type") or "related_to"), str(target)))
    return found


def path_inside(folder: Path, name: str) -> Path:
    """Returns the path of a file. Raises InvalidInput for a name outside of the folder."""
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name or ":" in parts[0]:
        raise InvalidInput(f"{name!r} is outside of the folder; it was not written")
    return folder.joinpath(*parts)


def differing_files(folder: Path, content: Mapping[str, Any]) -> list[Path]:
    """Returns the files of the folder that say something else than what would be written over them."""
    paths = {path_inside(folder, name): body for name, body in content.items()}
    return [path for path, body in paths.items() if _is_there(path) and not _says(path, body)]


def broken_files(folder: Path, content: Mapping[str, Any]) -> list[Path]:
    """Returns the files that are not JSON, though documents would be written to them."""
    paths = [path_inside(folder, name) for name, body in content.items() if not isinstance(body, bytes | str)]
    return [path for path in paths if _is_there(path) and _is_broken(path)]


def _is_there(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()  # a link is replaced, what it leads to stays


def _is_broken(path: Path) -> bool:
    try:
        json.loads(path.read_bytes())
    except OSError as error:
        raise CannotWrite(f"{path} cannot be read, so it is not replaced: {error.strerror}") from error
    except ValueError:
        return True
    return False


def _says(path: Path, content: Any) -> bool:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CannotWrite(f"{path} cannot be read, so it is not replaced: {error.strerror}") from error
    if isinstance(content, bytes | str):
        return data == _file_bytes(content)
    try:
        return json.dumps(json.loads(data), sort_keys=True) == json.dumps(content, sort_keys=True)
    except ValueError:
        return False


def write_loki_file(folder: Path, name: str, content: Any, at: datetime | None) -> Path | None:
    """Writes one file atomically, unless it says the same already. What is replaced is kept beside it.

    Returns the path of that backup; none is made if `at` is None. Raises InvalidInput for a name outside of the folder.
    """
    path = path_inside(folder, name)
    exists = _is_there(path)
    if exists and _says(path, content):
        return None
    try:
        make_private_folder(path.parent)
        backup = _keep_backup(path, at, folder) if exists and at is not None else None
        write_private(path, _file_bytes(content), folder)
        return backup
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from error


def _keep_backup(path: Path, at: datetime, folder: Path) -> Path:
    for number in count():
        backup = path.with_name(f"{path.name}.{at:%Y%m%dT%H%M%SZ}{f'-{number}' if number else ''}.bak")
        if not backup.exists():
            break
    write_private(backup, path.read_bytes(), folder)
    return backup


def _file_bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, str):
        return content.encode()
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


def kept_file_bytes(body: Mapping[str, Any]) -> bytes | None:
    """Returns the bytes of a file that was kept unchanged, or None."""
    if "base64" in body:
        return base64.b64decode(body["base64"])
    return str(body["text"]).encode() if "text" in body else None


@dataclass(slots=True)
class LokiReport:
    """Result of an import or export: counts by document type and outcome, and the memory id of each document id."""

    folder: str
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)  # file and reason
    dangling: list[tuple[str, str]] = field(default_factory=list)  # (from, to) of links to missing documents
    forgotten: list[str] = field(default_factory=list)  # document ids that stay forgotten
    backups: list[str] = field(default_factory=list)  # of the files that were replaced
    files: int = 0

    def count(self, what: str, outcome: str) -> None:
        self.outcomes.setdefault(what, Counter())[outcome] += 1
