"""Reads and writes skill files (Markdown) without losing text that is not part of a known field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    def words(self) -> str:
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
