"""Reads skill files into a memory, each change as a new version, and writes skills and procedures as skill files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omoide.domain import Draft, Node, Procedure, Skill
from omoide.errors import CannotWrite, InvalidInput
from omoide.observe.drafts import RememberedStatement
from omoide.store import NodeFilter, Store
from omoide.transfer.skill_files import SkillFile, parse_skill, render_skill

_MAX_FILE_BYTES = 500_000


@dataclass(frozen=True, slots=True)
class ImportedSkill:
    """What happened to a skill file."""

    path: str
    became: str  # new, new version, unchanged, forgotten (erased before, so not imported), or skipped with the reason
    node: Any  # the skill; None where there is none


class SkillFolder:
    """Imports and exports skill files. `draft` turns a statement into a checked draft."""

    def __init__(self, store: Store, draft: Callable[[RememberedStatement], Draft]) -> None:
        self._store = store
        self._draft = draft

    def import_files(self, paths: Collection[str | Path], origin: str) -> list[ImportedSkill]:
        """Reads skill files, or all `*.md` files of folders. Files of the same name are told apart by their folder."""
        found = list(dict.fromkeys(path.absolute() for path in _files(paths)))
        repeated = {name for name, count in Counter(path.name for path in found).items() if count > 1}
        named = {path: f"{path.parent.name}/{path.name}" if path.name in repeated else path.name for path in found}
        return [self.import_file(path, origin, file) for path, file in named.items()]

    def import_file(self, path: Path, origin: str, file: str | None = None) -> ImportedSkill:
        """Reads one skill file. `file` is the name under which later imports find it again."""
        markdown = _read(path)
        if not markdown.strip("\ufeff \t\r\n"):
            return ImportedSkill(str(path), "skipped: the file is empty", None)
        skill = parse_skill(markdown, path.stem)
        file = file or path.name
        held = self._store.nodes.find_skill(skill.name, file)
        draft = self._draft(_statement(skill, file, origin, held))
        source = draft.details["skill"]  # as stored: without secrets
        new = render_skill(skill.name, skill.fields, source["front"], source["sections"])
        if isinstance(held, Skill) and self.markdown(held.id) == new:
            return ImportedSkill(str(path), "unchanged", held)
        node = self._store.nodes.insert_version(None if held is None else held.id, draft)
        if node.state == "erased":
            return ImportedSkill(str(path), "forgotten", None)
        return ImportedSkill(str(path), "new" if held is None else "new version", node)

    def markdown(self, id: int) -> str:
        """Returns a skill or procedure as the text of a skill file."""
        node = self._store.nodes.require(id)
        if isinstance(node, Skill):
            source = (node.details or {}).get("skill", {}) if isinstance(node.details, dict) else {}
            return render_skill(
                node.name or node.text, node.attributes, source.get("front", ""), source.get("sections", ())
            )
        if isinstance(node, Procedure):
            when = [each for each in (node.trigger, node.context) if each]
            fields: dict[str, Any] = {"prerequisites": when, "steps": node.steps}
            return render_skill(node.name or node.text, fields)
        raise InvalidInput(f"memory {id} is a {node.kind}: only a skill or a procedure can be written as a skill file")

    def export(self, folder: str | Path, ids: Collection[int]) -> list[Path]:
        """Writes skills and procedures as skill files: those with these ids, or all live ones."""
        target = Path(folder).expanduser()
        chosen = list(ids) or sorted(self._store.search.matching(NodeFilter(kinds=("skill", "procedure")), 100_000))
        written: list[Path] = []
        try:
            target.mkdir(parents=True, exist_ok=True)
            if chosen:
                self._store.copies.add(str(target), "export")
            for id in chosen:
                path = target / _free_name(
                    _file_name(self._store.nodes.require(id)), {each.name for each in written}, id
                )
                path.write_bytes(self.markdown(id).encode())
                written.append(path)
        except OSError as error:
            raise CannotWrite(f"{target} cannot be written: {error.strerror}") from error
        return written


def _statement(skill: SkillFile, file: str, origin: str, held: Node | None) -> RememberedStatement:
    """The statement of a skill file; a new version keeps the counts of the old one."""
    counts = {}
    if isinstance(held, Skill):
        counts = {"success_count": held.success_count, "failure_count": held.failure_count}
    return RememberedStatement(
        text=skill.words,
        kind="skill",
        origin=origin,
        source_type="stated",
        confidence=held.confidence if held else 1.0,
        tags=held.tags if held else (),
        details={"skill": {"file": file, "front": skill.front, "sections": [list(each) for each in skill.sections]}},
        attributes={**skill.fields, **counts},
    )


def _files(paths: Collection[str | Path]) -> list[Path]:
    found: list[Path] = []
    for each in paths:
        path = Path(each).expanduser()
        if path.is_dir():
            found += sorted(path.glob("*.md"))
        elif path.is_file():
            found.append(path)
        else:
            raise InvalidInput(f"{path} is neither a skill file nor a folder of them")
    if not found:
        raise InvalidInput("no skill file was named; pass Markdown files, or a folder that holds some")
    return found


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
        if len(data) > _MAX_FILE_BYTES:
            raise InvalidInput(f"{path}: {len(data):,} bytes long, the limit is {_MAX_FILE_BYTES:,}")
        return data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read as text: {error}") from None


def _file_name(node: Node) -> str:
    details = node.details if isinstance(node.details, dict) else {}
    kept = details.get("skill", {}).get("file")
    if kept:
        return re.sub(r"[\\/]+", "-", str(kept)).lstrip(".-") or f"skill-{node.id}.md"
    name = str(node.attributes.get("name") or node.text)
    return (re.sub(r"[^\w]+", "-", name.casefold()).strip("-")[:60] or f"skill-{node.id}") + ".md"


def _free_name(name: str, taken: Collection[str], id: int) -> str:
    return name if name not in taken else f"{Path(name).stem}-{id}.md"
