"""CONTINUITY.md: what an agent should know before it goes on, as a part of a page that people and agents write too.

Only what stands between our two comments is ours. Lines of ours begin with their id: what has none was added.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from omoide.errors import InvalidInput
from omoide.language.text import shorten
from omoide.language.tokens import estimate

BEGIN_MARKER = "<!-- omoide:begin: made from memory; lines that you add here are taken up when it is made again -->"
END_MARKER = "<!-- omoide:end -->"
_HEAD = "# Continuity\n\n"
_LONGEST = 240  # characters of a line: it points at a memory, it is not the memory

_BEGIN = re.compile(r"^<!-- omoide:begin\b[^\n]*-->[ \t]*\n?", re.MULTILINE)
_END = re.compile(r"^<!-- omoide:end -->", re.MULTILINE)
_OURS = re.compile(r"- \[id:\d+\] ")
_NAMED = re.compile(r"^- \[id:(\d+)\] .+$", re.MULTILINE)
_CLOSED = re.compile(r"^[-*] \[[xX]\] +\[id:(\d+)\] *(?:\w+: )?(.+)$", re.MULTILINE)
_BULLET = re.compile(r"^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ContinuityLine:
    """One memory on the page."""

    id: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"- [id:{self.id}] {self.kind}: {shorten(escape_line(self.text), _LONGEST)}"


@dataclass(frozen=True, slots=True)
class ContinuitySection:
    """`share` of the budget is kept for it; what it does not need goes to the others."""

    title: str
    lines: tuple[ContinuityLine, ...]
    share: float


@dataclass(frozen=True, slots=True)
class ContinuityAddition:
    """What somebody wrote, under the heading where they wrote it. `ours`: between our comments."""

    text: str
    heading: str = ""
    ours: bool = False
    done: bool = False  # ticked off: `- [x] …`


@dataclass(frozen=True, slots=True)
class ContinuityPage:
    """A page taken apart: what stands before our part, in it and after it. Without our part, all of it is before."""

    before: str
    own: str | None
    after: str = ""

    @property
    def around(self) -> str:
        """What people wrote, on one line."""
        return " ".join(f"{self.before} {self.after}".split())


def split_page(text: str) -> ContinuityPage:
    text = _plain_lines(text)
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    if not begins and not ends:
        return ContinuityPage(text, None)
    if len(begins) != 1 or len(ends) != 1 or ends[0].start() < begins[0].end():
        raise InvalidInput(
            "the page needs one `<!-- omoide:begin … -->` and after it one `<!-- omoide:end -->`; "
            "put back the one that is missing, or delete both"
        )
    return ContinuityPage(text[: begins[0].start()], text[begins[0].end() : ends[0].start()], text[ends[0].end() :])


def render_continuity(
    text: str, sections: Sequence[ContinuitySection], budget: int, unread: Sequence[ContinuityAddition] = ()
) -> str:
    """The page with our part made anew. What was added to it and not read yet stays in it."""
    found = split_page(text)
    frame = estimate(
        f"{_HEAD}{BEGIN_MARKER}\n{END_MARKER}\n"
    )  # also where the page has a head of its own, so that it stays the same
    rounding = 1 + len(sections)  # a count of parts may fall short of the whole
    own = f"{BEGIN_MARKER}\n{_part(sections, budget - frame - rounding, unread)}{END_MARKER}"
    if found.own is not None:
        return f"{found.before}{own}{found.after}"
    before = found.before.rstrip("\n")
    return f"{before}\n\n{own}\n" if before else f"{_HEAD}{own}\n"


def read_additions(text: str) -> list[ContinuityAddition]:
    """What somebody wrote: each line of a list and each paragraph, without headings, comments, code and our lines."""
    found = split_page(text)
    parts = ((found.before, False), (found.own or "", True), (found.after, False))
    return list(dict.fromkeys(each for part, ours in parts for each in _written(part, ours)))


def checked_off_lines(text: str) -> list[tuple[int, str]]:
    """(id, words) of our lines that somebody ticked off: `- [x] [id:7] …`."""
    return [(int(each[1]), each[2].strip()) for each in _CLOSED.finditer(_plain_lines(text))]


def lines_with_id(text: str) -> list[tuple[int, ContinuityAddition]]:
    """(id, line) of the lines in our part that begin with an id, which somebody may have made up."""
    own = split_page(text).own or ""
    return [(int(each[1]), ContinuityAddition(each[0][2:].strip(), "", True)) for each in _NAMED.finditer(own)]


def _plain_lines(text: str) -> str:
    """Without the mark and the line ends that editors on Windows write."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def escape_line(text: str) -> str:
    """On one line, and without what could end our part or hide in it."""
    return " ".join(text.split()).replace("<!--", "<! --").replace("-->", "-- >")


def _written(part: str, ours: bool) -> list[ContinuityAddition]:
    lines = _COMMENT.sub("", _CODE.sub("", part)).splitlines()
    found: list[ContinuityAddition] = []
    heading, paragraph, done = "", "", False
    for line in [*(line.strip() for line in lines), ""]:
        bullet = _BULLET.match(line)
        if paragraph and (not line or bullet or line.startswith("#")):
            found.append(ContinuityAddition(paragraph, heading, ours, done))
            paragraph, done = "", False
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif _OURS.match(line) or _CLOSED.match(line):
            continue
        elif bullet:
            paragraph, done = line[bullet.end() :], "[x]" in bullet[0].lower()
        else:
            paragraph = f"{paragraph} {line}".strip()
    return found


def _part(sections: Sequence[ContinuitySection], budget: int, unread: Sequence[ContinuityAddition]) -> str:
    """Each section first gets its share, then what is left; what somebody added costs nothing and is never cut."""
    chosen: dict[int, int] = dict.fromkeys(range(len(sections)), 0)
    for whole in (False, True):
        for place, section in enumerate(sections):
            while chosen[place] < len(section.lines):
                chosen[place] += 1
                taken = _cost(section, chosen[place])
                everything = sum(_cost(each, chosen[number]) for number, each in enumerate(sections))
                if everything > budget or (not whole and taken > section.share * budget):
                    chosen[place] -= 1
                    break
    rest: dict[str, list[str]] = {}
    for added in unread:
        rest.setdefault(added.heading, []).append(f"- {escape_line(added.text)}")
    text = ""
    for place, section in enumerate(sections):
        lines = [*map(str, section.lines[: chosen[place]]), *rest.pop(section.title, [])]
        text += _titled(section.title, lines)
    return text + "".join(_titled(title, lines) for title, lines in rest.items())


def _titled(title: str, lines: Sequence[str]) -> str:
    head = f"## {title}\n" if title else ""
    return f"{head}{chr(10).join(lines)}\n\n" if lines else ""


def _cost(section: ContinuitySection, count: int) -> int:
    return estimate(_titled(section.title, [str(each) for each in section.lines[:count]])) if count else 0
