"""CONTINUITY.md: what an agent should know before it continues, in a page that people and agents also edit.

The generated part lies between two comments. Generated lines begin with an id; lines without one were added by hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.errors import InvalidInput
from omoide.language.text import shorten
from omoide.language.tokens import estimate

BEGIN_MARKER = "<!-- omoide:begin: built from memory; lines that you add here are read when it is built again -->"
END_MARKER = "<!-- omoide:end -->"
_HEAD = "# Continuity\n\n"
_LINE_CHARACTERS = 240  # a line refers to a memory by its id, so it may be short

_BEGIN = re.compile(r"^<!-- omoide:begin\b[^\n]*-->[ \t]*\n?", re.MULTILINE)
_END = re.compile(r"^<!-- omoide:end -->", re.MULTILINE)
_GENERATED_LINE = re.compile(r"- \[id:\d+\] ")
_LINE_WITH_ID = re.compile(r"^- \[id:(\d+)\] .+$", re.MULTILINE)
_CHECKED_OFF_LINE = re.compile(r"^[-*] \[[xX]\] +\[id:(\d+)\] *(?:\w+: )?(.+)$", re.MULTILINE)
_BULLET = re.compile(r"^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ContinuityLine:
    """One generated line: a memory."""

    id: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"- [id:{self.id}] {self.kind}: {shorten(escape_line(self.text), _LINE_CHARACTERS)}"


@dataclass(frozen=True, slots=True)
class ContinuitySection:
    """A section with its `share` of the budget. Other sections get what it does not need."""

    title: str
    lines: tuple[ContinuityLine, ...]
    share: float


@dataclass(frozen=True, slots=True)
class ContinuityAddition:
    """A line added by hand, and its heading. `generated_part`: it is in the generated part."""

    text: str
    heading: str = ""
    generated_part: bool = False
    done: bool = False  # checked off: `- [x] …`


@dataclass(frozen=True, slots=True)
class ContinuityPage:
    """The text before, in and after the generated part. Without such a part, `own` is None and all is `before`."""

    before: str
    own: str | None
    after: str = ""

    @property
    def around(self) -> str:
        """The text outside of the generated part, on one line."""
        return " ".join(f"{self.before} {self.after}".split())


def split_page(text: str) -> ContinuityPage:
    text = _normalized_lines(text)
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    if not begins and not ends:
        return ContinuityPage(text, None)
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise InvalidInput(
            "the page needs one `<!-- omoide:begin … -->` and after it one `<!-- omoide:end -->`; "
            "restore the missing one, or delete both"
        )
    return ContinuityPage(text[: begins[0].start()], text[begins[0].end() : ends[0].start()], text[ends[0].end() :])


def render_continuity(
    text: str, sections: Sequence[ContinuitySection], budget: int, unread: Sequence[ContinuityAddition] = ()
) -> str:
    """Returns the page with a new generated part. `unread` additions stay in it."""
    found = split_page(text)
    # Counts the heading also where the page has its own, so that the result does not change when rendered again.
    frame = estimate(f"{_HEAD}{BEGIN_MARKER}\n{END_MARKER}\n")
    rounding = 1 + len(sections)  # tokens counted in parts may sum to less than the whole
    own = f"{BEGIN_MARKER}\n{_render_sections(sections, budget - frame - rounding, unread)}{END_MARKER}"
    if found.own is not None:
        return f"{found.before}{own}{found.after}"
    before = found.before.rstrip("\n")
    return f"{before}\n\n{own}\n" if before else f"{_HEAD}{own}\n"


def read_additions(text: str) -> list[ContinuityAddition]:
    """Returns list items and paragraphs that were added, without headings, comments, code and generated lines."""
    found = split_page(text)
    parts = ((found.before, False), (found.own or "", True), (found.after, False))
    return list(
        dict.fromkeys(each for part, generated_part in parts for each in _parse_additions(part, generated_part))
    )


def checked_off_lines(text: str) -> list[tuple[int, str]]:
    """Returns (id, text) of generated lines that were checked off: `- [x] [id:7] …`."""
    return [(int(each[1]), each[2].strip()) for each in _CHECKED_OFF_LINE.finditer(_normalized_lines(text))]


def lines_with_id(text: str) -> list[tuple[int, ContinuityAddition]]:
    """Returns (id, line) of lines in the generated part that begin with an id, which may be invented."""
    own = split_page(text).own or ""
    return [(int(each[1]), ContinuityAddition(each[0][2:].strip(), "", True)) for each in _LINE_WITH_ID.finditer(own)]


def _normalized_lines(text: str) -> str:
    """Removes the byte order mark and Windows line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def escape_line(text: str) -> str:
    """Returns a text on one line with comment marks escaped, so that it cannot end or hide in the generated part."""
    return " ".join(text.split()).replace("<!--", "<! --").replace("-->", "-- >")


def _parse_additions(part: str, generated_part: bool) -> list[ContinuityAddition]:
    lines = _COMMENT.sub("", _CODE.sub("", part)).splitlines()
    found: list[ContinuityAddition] = []
    heading, paragraph, done = "", "", False
    for line in [*(line.strip() for line in lines), ""]:
        bullet = _BULLET.match(line)
        if paragraph and (not line or bullet or line.startswith("#")):
            found.append(ContinuityAddition(paragraph, heading, generated_part, done))
            paragraph, done = "", False
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif _GENERATED_LINE.match(line) or _CHECKED_OFF_LINE.match(line):
            continue
        elif bullet:
            paragraph, done = line[bullet.end() :], "[x]" in bullet[0].lower()
        else:
            paragraph = f"{paragraph} {line}".strip()
    return found


def _render_sections(sections: Sequence[ContinuitySection], budget: int, unread: Sequence[ContinuityAddition]) -> str:
    """Gives each section its share, then the rest of the budget. Additions cost nothing and are never cut."""
    chosen: dict[int, int] = dict.fromkeys(range(len(sections)), 0)
    for use_rest in (False, True):
        for index, section in enumerate(sections):
            while chosen[index] < len(section.lines):
                chosen[index] += 1
                tokens = _section_tokens(section, chosen[index])
                total = sum(_section_tokens(each, chosen[number]) for number, each in enumerate(sections))
                if total > budget or (not use_rest and tokens > section.share * budget):
                    chosen[index] -= 1
                    break
    rest: dict[str, list[str]] = {}
    for added in unread:
        rest.setdefault(added.heading, []).append(f"- {escape_line(added.text)}")
    text = ""
    for index, section in enumerate(sections):
        lines = [*map(str, section.lines[: chosen[index]]), *rest.pop(section.title, [])]
        text += _render_section(section.title, lines)
    return text + "".join(_render_section(title, lines) for title, lines in rest.items())


def _render_section(title: str, lines: Sequence[str]) -> str:
    head = f"## {title}\n" if title else ""
    return f"{head}{chr(10).join(lines)}\n\n" if lines else ""


def _section_tokens(section: ContinuitySection, count: int) -> int:
    return estimate(_render_section(section.title, [str(each) for each in section.lines[:count]])) if count else 0
