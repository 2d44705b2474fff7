"""Paths and the patterns that lessons are bound to: the form of each, the keys they are found by, whether they meet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from os.path import expanduser
from posixpath import normpath
from unicodedata import normalize

from omoide.errors import InvalidInput

MAGIC = re.compile(r"[*?\[]")
_MOST_PARTS = 40  # of a path
_MOST_CHOICES = 64  # that the braces of a pattern may stand for
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_RANGE = re.compile(r"\{[^{},/]+\.\.[^{},/]+\}")
_EXTENDED = re.compile(r"[@+!?*]\([^)]*\)")


def plain(path: str) -> str:
    """A path in the one form in which paths are compared: whole, with slashes, without detours."""
    slashed = normalize("NFC", path).replace("\\", "/")
    if slashed.startswith("~"):
        slashed = expanduser(slashed).replace("\\", "/")
    slashed = re.sub(r"/{2,}", "/", slashed)
    return re.sub(r"^(?:\.\.?(?:/|$))+", "", normpath(slashed)) if slashed else ""


def pattern(given: str) -> str:
    """A pattern in the form in which it is stored, or why there is none."""
    for unknown, said in ((_EXTENDED, "alternatives in parentheses"), (_RANGE, "ranges in braces")):
        if unknown.search(given):
            raise InvalidInput(f"path: {said} are not supported, got {given!r}; bind once for each, or use {{a,b}}")
    if given.startswith("!"):
        raise InvalidInput(f"path: a pattern cannot be turned around with '!', got {given!r}")
    found = plain(given)
    if not found.strip("/"):
        raise InvalidInput(f"path: {given!r} names no file or folder")
    _expanded(found)
    return found


@lru_cache(maxsize=1024)
def _expanded(glob: str) -> tuple[str, ...]:
    """`{a,b}.py` is a.py and b.py; braces without a comma are letters of a name."""
    found = [glob]
    done: list[str] = []
    while found:
        each = found.pop()
        braces = _BRACES.search(each)
        if braces is None:
            done.append(each)
        else:
            found += (each[: braces.start()] + choice + each[braces.end() :] for choice in braces[1].split(","))
        if len(found) + len(done) > _MOST_CHOICES:
            raise InvalidInput(f"path: the braces of {glob!r} stand for more than {_MOST_CHOICES} patterns")
    return tuple(done)


def key(pattern: str) -> str:
    """The most telling literal of a pattern: all of it, the folder it begins with, a name in it, an ending."""
    while _BRACES.search(pattern):
        pattern = _BRACES.sub(lambda found: "**/*" if "/" in found[0] else "*", pattern)
    parts = [part for part in pattern.split("/") if part]
    if not MAGIC.search(pattern):
        return f"path:in:{'/'.join(parts)}"
    start = []
    for part in parts[:-1]:
        if MAGIC.search(part):
            break
        start.append(part)
    if start:
        return f"path:in:{'/'.join(start)}"
    literal = [part for part in parts if not MAGIC.search(part)]
    if literal:
        return f"path:in:{literal[-1]}"
    ending = re.search(r"\.([^.*?\[\]]+)$", parts[-1] if parts else "")
    return f"path:ends:{ending[1].casefold()}" if ending else "path:any"


def keys(path: str) -> Iterator[str]:
    """Every run of its folders and its name: a pattern may begin anywhere in it."""
    parts = [part for part in path.split("/") if part][-_MOST_PARTS:]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield f"path:in:{'/'.join(parts[start:end])}"
    name = parts[-1] if parts else ""
    pieces = name.split(".")
    for number in range(1, len(pieces)):
        yield f"path:ends:{'.'.join(pieces[number:]).casefold()}"
    yield "path:any"


def meets(glob: str, path: str) -> bool:
    """`*` stays within a folder, `**` crosses them; a pattern without a leading slash may begin at any folder, and one
    that names a folder holds for all that is in it."""
    return any(_meets(each, path) for each in _expanded(glob))


def _meets(glob: str, path: str) -> bool:
    if not MAGIC.search(glob) and not glob.startswith("/"):
        return f"/{glob.strip('/')}/" in f"/{path.strip('/')}/"
    parts = [part for part in glob.split("/") if part]
    names = [name for name in path.split("/") if name]
    return any(_fits(parts, names, start) for start in range(1 if glob.startswith("/") else len(names)))


def _fits(parts: Sequence[str], names: Sequence[str], at: int) -> bool:
    """Part by part, since parts such as `*.ts` are the same in many patterns: each is compiled once."""
    for number, part in enumerate(parts):
        if part == "**":
            rest = parts[number + 1 :]
            return at < len(names) if not rest else any(_fits(rest, names, start) for start in range(at, len(names)))
        if at >= len(names) or not (names[at] == part or fnmatchcase(names[at], part)):
            return False
        at += 1
    return True
