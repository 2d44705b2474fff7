"""Skills: files that tell how a kind of task is done, in and out, each change a new version."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omoide.domain import Node, Procedure, Skill
from omoide.errors import CannotWrite, InvalidInput
from omoide.memory.asking import Asking
from omoide.memory.rooms import positive
from omoide.observe import drafts
from omoide.store import NodeFilter

if TYPE_CHECKING:
    from omoide.recall.results import Hit
    from omoide.transfer.skill_files import SkillFile

_LARGEST = 500_000  # bytes of a skill file


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a skill file: new, new version, unchanged, forgotten (on request: it does not come back), or
    skipped, with the reason."""

    path: str
    became: str
    node: Any  # the skill; None where there is none


class Skills(Asking):
    """Loki's skill files; learned procedures become such files too."""

    def import_skills(self, *paths: str | Path, origin: str = "import") -> list[Imported]:
        """Reads skill files, or all `*.md` of a folder. The same changes nothing; a changed one is a new version."""
        found = list(dict.fromkeys(path.absolute() for path in _files(paths)))
        alike = {name for name, count in Counter(path.name for path in found).items() if count > 1}
        named = {path: f"{path.parent.name}/{path.name}" if path.name in alike else path.name for path in found}
        return [self._import_skill(path, origin, file) for path, file in named.items()]

    def skill_markdown(self, id: int) -> str:
        """A skill, or a learned procedure, as a skill file."""
        from omoide.transfer.skill_files import render_skill

        node = self._store.node(id)
        if isinstance(node, Skill):
            source = (node.details or {}).get("skill", {}) if isinstance(node.details, dict) else {}
            return render_skill(
                node.name or node.text, node.attributes, source.get("front", ""), source.get("sections", ())
            )
        if isinstance(node, Procedure):
            when = [each for each in (node.trigger, node.context) if each]
            fields: dict[str, Any] = {"prerequisites": when, "steps": node.steps}
            return render_skill(node.name or node.text, fields)
        raise InvalidInput(f"node {id} is a {node.kind}: only a skill or a procedure is written as a skill file")

    def export_skills(self, folder: str | Path, ids: Collection[int] = ()) -> list[Path]:
        """Writes skill files into a folder: those of these ids, or every skill and procedure in use."""
        place = Path(folder).expanduser()
        kinds = ("skill", "procedure")
        chosen = list(ids) or sorted(self._store.matching(NodeFilter(kinds=kinds), 100_000))
        written: list[Path] = []
        try:
            place.mkdir(parents=True, exist_ok=True)
            if chosen:
                self._store.note_export(str(place))
            for id in chosen:
                path = place / _free(_file_name(self._store.node(id)), {each.name for each in written}, id)
                path.write_bytes(self.skill_markdown(id).encode())
                written.append(path)
        except OSError as error:
            raise CannotWrite(f"{place} cannot be written: {error.strerror}") from error
        return written

    def skills(self, goal: str | None = None, limit: int = 5) -> list[Hit]:
        """Skills and procedures that fit a goal, best first; without one, the latest."""
        from omoide.recall.results import Hit

        limit = positive(limit, "limit")
        if goal is not None:
            return list(self.recall(goal, kinds=("skill", "procedure"), limit=limit, recipe="before_task").hits)
        ids = self._store.matching(NodeFilter(kinds=("skill", "procedure")), limit)
        held = self._store.nodes(ids)
        return [Hit(held[id], held[id].confidence, "the latest", ()) for id in ids if id in held]

    def _import_skill(self, path: Path, origin: str, file: str | None = None) -> Imported:
        """`file` tells it from others of its name, and of its title."""
        from omoide.transfer.skill_files import parse_skill, render_skill

        markdown = _read(path)
        if not markdown.strip("\ufeff \t\r\n"):
            return Imported(str(path), "skipped: the file is empty", None)
        skill = parse_skill(markdown, path.stem)
        file = file or path.name
        held = self._store.skill_named(skill.name, file)
        draft = drafts.draft_statement(
            _statement(skill, file, origin, held), self._clock(), self._settings, self._mentioned
        )
        if isinstance(held, Skill) and self.skill_markdown(held.id) == render_skill(
            skill.name, skill.fields, *_source(draft.details)
        ):
            return Imported(str(path), "unchanged", held)
        node = self._store.add_version(None if held is None else held.id, draft)
        if node.state == "erased":
            return Imported(str(path), "forgotten", None)
        self._background.wake()
        return Imported(str(path), "new" if held is None else "new version", node)


def _statement(skill: SkillFile, file: str, origin: str, held: Node | None) -> drafts.RememberedStatement:
    """What the file says, with how it went so far: a new version is the same skill, told better."""
    went = {}
    if isinstance(held, Skill):
        went = {"success_count": held.success_count, "failure_count": held.failure_count}
    return drafts.RememberedStatement(
        text=skill.words,
        kind="skill",
        origin=origin,
        source_type="stated",
        confidence=held.confidence if held else 1.0,
        tags=held.tags if held else (),
        details={"skill": {"file": file, "front": skill.front, "sections": [list(each) for each in skill.sections]}},
        attributes={**skill.fields, **went},
    )


def _source(details: Any) -> tuple[str, Any]:
    """The letters of the file as they are kept: without secrets."""
    return details["skill"]["front"], details["skill"]["sections"]


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
        if len(data) > _LARGEST:
            raise InvalidInput(f"{path}: {len(data):,} bytes long, the limit is {_LARGEST:,}")
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


def _free(name: str, taken: Collection[str], id: int) -> str:
    return name if name not in taken else f"{Path(name).stem}-{id}.md"
