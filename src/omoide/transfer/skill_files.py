"""Parses, imports and exports skill files (Markdown), private and whole. Text outside of the known fields is kept.

A changed file becomes a new version of its skill.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omoide.domain import Draft, Node, Procedure, Skill
from omoide.errors import CannotWrite, Conflict, InvalidInput
from omoide.observe.drafts import RememberedStatement
from omoide.store import NodeFilter, Store

_TITLE = re.compile(r"^#[ \t]+(?:skill[ \t]*:[ \t]*)?(?P<name>\S.*?)[ \t\r]*$", re.I | re.M)
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?P<lines>.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"^(?P<name>name|title|description)[ \t]*:[ \t]*(?P<value>\S.*?)[ \t\r]*$", re.I | re.M)
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])[ \t]+(?P<text>.*)")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_FIELDS = {
    "prerequisites": "prerequisites",
    "steps": "steps",
    "common errors & fixes": "common_errors",
    "common errors and fixes": "common_errors",
    "common errors": "common_errors",
    "exit criteria": "exit_criteria",
}
_HEADINGS = {
    "prerequisites": "Prerequisites",
    "steps": "Steps",
    "common_errors": "Common Errors & Fixes",
    "exit_criteria": "Exit Criteria",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFile:
    """A parsed skill file. `front` and `sections` (heading, body) are the original text."""

    name: str
    prerequisites: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    common_errors: tuple[str, ...] = ()
    exit_criteria: tuple[str, ...] = ()
    front: str = ""
    sections: tuple[tuple[str, str], ...] = ()

    @property
    def fields(self) -> dict[str, Any]:
        return {"name": self.name, **{field: list(getattr(self, field)) for field in _HEADINGS}}

    @property
    def searchable_text(self) -> str:
        """Returns the whole skill as one searchable text."""
        said = [self.name + (f": {' → '.join(_one_line(step) for step in self.steps)}" if self.steps else "")]
        matter, page = _front_matter(self.front)
        about = _one_line(_TITLE.sub("", page, count=1))
        said += [each for each in (matter.get("description"), about) if each]
        for title, items in (
            ("Prerequisites", self.prerequisites),
            ("Common errors", self.common_errors),
            ("Exit criteria", self.exit_criteria),
        ):
            if items:
                said.append(f"{title}: {'; '.join(map(_one_line, items))}")
        return ". ".join(each.rstrip(".") for each in said) + "."


def parse_skill(markdown: str, fallback: str = "skill") -> SkillFile:
    """Parses any Markdown as a skill file. Without a title the skill is named `fallback`."""
    front, sections = _split_sections(markdown)
    matter, page = _front_matter(front)
    title = _TITLE.search(page)
    found: dict[str, tuple[str, ...]] = {}
    for heading, body in sections:
        field = _FIELDS.get(heading.strip().casefold())
        if field and field not in found:
            found[field] = _list_items(body)
    name = title["name"] if title else matter.get("name") or matter.get("title") or fallback
    return SkillFile(name=name, front=front, sections=tuple(sections), **found)


def render_skill(name: str, fields: Mapping[str, Sequence[Any]], front: str = "", sections: Sequence[Any] = ()) -> str:
    """Returns the Markdown of a skill. A section whose field did not change stays verbatim."""
    wanted = {field: tuple(_item_text(each) for each in fields.get(field) or ()) for field in _HEADINGS}
    parts = [_with_title(front, name)]
    seen = set()
    for heading, body in sections:
        field = _FIELDS.get(str(heading).strip().casefold())
        if field is None or field in seen:
            parts.append(f"##{heading}{body}")
            continue
        seen.add(field)
        if _list_items(body) == wanted[field]:
            parts.append(f"##{heading}{body}")
        elif wanted[field]:
            parts.append(_section(field, wanted[field]))
    for field, items in wanted.items():
        if items and field not in seen:
            if not parts[-1].endswith("\n\n"):
                parts.append("\n" if parts[-1].endswith("\n") else "\n\n")
            parts.append(_section(field, items))
    whole = "".join(parts)
    return whole if sections else whole.rstrip("\n") + "\n"


def _split_sections(markdown: str) -> tuple[str, list[tuple[str, str]]]:
    """Returns the text before the first second-level heading, and (heading, body) of each section."""
    front: list[str] = []
    sections: list[tuple[str, list[str]]] = []
    fence = None
    for line in markdown.splitlines(keepends=True):
        opened = _FENCE.match(line)
        if opened and fence in (None, opened[1]):
            fence = opened[1] if fence is None else None
        if fence is None and re.match(r"##(?!#)", line):
            sections.append((line[2:].rstrip("\r\n"), [line[len(line.rstrip("\r\n")) :]]))
        else:
            (sections[-1][1] if sections else front).append(line)
    return "".join(front), [(heading, "".join(body)) for heading, body in sections]


def _front_matter(front: str) -> tuple[dict[str, str], str]:
    """Returns name, title and description of the front matter, and the text after it."""
    found = _FRONT_MATTER.match(front)
    if found is None:
        return {}, front
    entries = {each["name"].casefold(): each["value"].strip("\"'") for each in _ENTRY.finditer(found["lines"])}
    return entries, front[found.end() :]


def _list_items(body: str) -> tuple[str, ...]:
    """Returns the items of a list. Other lines continue the item before them."""
    found: list[list[str]] = []
    fence = None
    for line in body.splitlines():
        opened = _FENCE.match(line)
        item = _ITEM.match(line) if fence is None else None
        if opened and fence in (None, opened[1]):
            fence = opened[1] if fence is None else None
        if item:
            found.append([item["text"]])
        elif line.strip() or fence:
            if found:
                found[-1].append(line)
            else:
                found.append([line])
    return tuple("\n".join(lines).rstrip() for lines in found)


def _section(field: str, items: Sequence[str]) -> str:
    marks = (f"{number}." if field == "steps" else "-" for number in range(1, len(items) + 1))
    return (
        f"## {_HEADINGS[field]}\n" + "".join(f"{mark} {item}\n" for mark, item in zip(marks, items, strict=True)) + "\n"
    )


def _with_title(front: str, name: str) -> str:
    if not front:
        return f"# Skill: {name}\n\n"
    _, page = _front_matter(front)
    title = _TITLE.search(page)
    if title is None or title["name"] == name:
        return front
    before = front.removesuffix(page)
    return before + page[: title.start("name")] + name + page[title.end("name") :]


def _item_text(step: Any) -> str:
    """Returns the text of an item: a text, or a mapping with a detail, an action, or an error and its fix."""
    if not isinstance(step, Mapping):
        return str(step)
    if step.get("error"):
        return f"{step['error']}: {step['fix']}" if step.get("fix") else str(step["error"])
    return str(step.get("detail") or step.get("action") or step)


def _one_line(text: str) -> str:
    return " ".join(text.split())


_MAX_FILE_BYTES = 500_000


@dataclass(frozen=True, slots=True)
class ImportedSkill:
    """What happened to a skill file."""

    path: str
    status: str  # new, new version, unchanged, forgotten (erased before, so not imported), or skipped with the reason
    node: Any  # the skill; None where there is none


class SkillFolder:
    """Imports and exports skill files. `draft` turns a statement into a checked draft."""

    def __init__(self, store: Store, draft: Callable[[RememberedStatement], Draft]) -> None:
        self._store = store
        self._draft = draft

    def import_files(self, paths: Collection[str | Path], origin: str) -> list[ImportedSkill]:
        """Imports skill files, or all `*.md` files of folders. Files of the same name are named with their folder."""
        found = list(dict.fromkeys(path.absolute() for path in _markdown_files(paths)))
        repeated = {name for name, count in Counter(path.name for path in found).items() if count > 1}
        named = {path: f"{path.parent.name}/{path.name}" if path.name in repeated else path.name for path in found}
        return [self.import_file(path, origin, file) for path, file in named.items()]

    def import_file(self, path: Path, origin: str, file: str | None = None) -> ImportedSkill:
        """Reads one skill file. `file` is the name under which later imports find it again."""
        markdown = _read_text(path)
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
        if held is None:
            for node in self._store.nodes.procedures_named(skill.name):
                if self.markdown(node.id) == markdown:  # a procedure that was written as a skill file
                    return ImportedSkill(str(path), "unchanged", node)
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
        raise Conflict(f"memory {id} is a {node.kind}: only a skill or a procedure can be written as a skill file")

    def export(self, folder: str | Path, ids: Collection[int]) -> list[Path]:
        """Writes skills and procedures as skill files: those with these ids, or all live ones."""
        target = Path(folder).expanduser()
        chosen = list(ids) or sorted(self._store.search.matching(NodeFilter(kinds=("skill", "procedure")), 100_000))
        written: list[Path] = []
        try:
            make_private_folder(target)
            if chosen:
                self._store.copies.add(str(target), "export")
            for id in chosen:
                path = target / _free_name(
                    _file_name(self._store.nodes.require(id)), {each.name for each in written}, id
                )
                write_private(path, self.markdown(id).encode(), target)
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
        text=skill.searchable_text,
        kind="skill",
        origin=origin,
        source_type="stated",
        confidence=held.confidence if held else 1.0,
        tags=held.tags if held else (),
        details={"skill": {"file": file, "front": skill.front, "sections": [list(each) for each in skill.sections]}},
        attributes={**skill.fields, **counts},
    )


def _markdown_files(paths: Collection[str | Path]) -> list[Path]:
    found: list[Path] = []
    for each in paths:
        path = Path(each).expanduser()
        if path.is_dir():
            found += sorted(each for each in path.glob("*.md") if each.is_file() and not each.is_symlink())
        elif path.is_file():
            found.append(path)
        else:
            raise InvalidInput(f"{path} is neither a skill file nor a folder of them")
    if not found:
        raise InvalidInput("no skill file was named; pass Markdown files, or a folder that holds some")
    return found


def _read_text(path: Path) -> str:
    try:
        if (size := path.stat().st_size) > _MAX_FILE_BYTES:
            raise InvalidInput(f"{path}: {size:,} bytes long, the limit is {_MAX_FILE_BYTES:,}")
        return path.read_bytes().decode()
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


# Files that only their owner can read, written in one step and never through a symbolic link.


def make_private_folder(folder: Path) -> None:
    """Creates a folder that only its owner opens, with those above it."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, data: bytes, inside: Path) -> None:
    """Writes a file in a folder. A link in its place is replaced; a link on its way out of the folder is refused."""
    if not path.parent.resolve().is_relative_to(inside.resolve()):
        raise CannotWrite(f"{path.parent} is a link out of {inside}; nothing was written through it")
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)  # of a run that was killed
    try:
        with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
