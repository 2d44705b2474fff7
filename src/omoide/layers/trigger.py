"""What a lesson is bound to: a tool, files, a command or an error; and the keys by which it is found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from omoide.errors import InvalidInput

_MOST_WORDS = 8  # of a command that is bound: what follows them is an argument
_MOST_PARTS = 40  # of a path
_MOST_TEXT = 4_000  # characters of an error that are looked at: its head and its tail
_START = 3  # words by which a signature is found

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATH = re.compile(
    r"(?:[A-Za-z]:)?(?:\.{0,2}[\\/])?(?:[\w.@~+-]+[\\/])+[\w.@~+-]*(?:[:(]\d+(?:[:,]\d+)*\)?)?|/[\w.@~+-]+"
)
_PLACE = re.compile(r"\b[\w-]+\.[A-Za-z]\w{0,4}[:(]\d+(?:[:,]\d+)*\)?")
_ADDRESS = re.compile(r"\b(?:0x[0-9a-f]+|(?=[a-f-]*[0-9])[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,4})\b", re.I)
_WORD = re.compile(r"[^\W_]\w*", re.UNICODE)
_ENVIRONMENT = re.compile(r"\w+=\S*$")
_CHAINED = re.compile(r"&&|\|\||[;|&\n]")
_MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """All that is given must hold."""

    tool: str | None = None
    path: str | None = None
    command: str | None = None
    error: str | None = None

    @property
    def key(self) -> str:
        """What it is found by: the most telling of its parts."""
        if self.error is not None:
            return _error_key(self.error)
        if self.path is not None:
            return _path_key(self.path)
        return f"command:{self.command}" if self.command is not None else f"tool:{self.tool}"

    @property
    def weight(self) -> int:
        """How specific it is: an error more than a file, a file more than a command, a command more than a tool."""
        error = 0 if self.error is None else 300 + 10 * len(self.error.split())
        path = 0 if self.path is None else 200 + len(_MAGIC.sub("", self.path)) + 50 * (not _MAGIC.search(self.path))
        command = 0 if self.command is None else 100 + 20 * len(self.command.split())
        return error + path + command + (0 if self.tool is None else 10)

    def reason(self, happened: Happened) -> str | None:
        """Why it is told now, or None where something of it does not hold."""
        said = []
        if self.error is not None:
            if f" {self.error} " not in happened.signature:
                return None
            said.append(f"the error {self.error!r}")
        if self.path is not None:
            if happened.path is None or not _meets(self.path, happened.path):
                return None
            said.append(f"{happened.path} is one of {self.path}" if _MAGIC.search(self.path) else self.path)
        if self.command is not None:
            if self.command not in happened.prefixes:
                return None
            said.append(f"the command `{self.command}`")
        if self.tool is not None:
            if happened.tool is None or self.tool != happened.tool.casefold():
                return None
            said.append(f"the tool {happened.tool}")
        return " and ".join(said)


@dataclass(frozen=True, slots=True)
class Happened:
    """What an agent is about to do, or what has just gone wrong, with the keys of all that may be bound to it."""

    tool: str | None
    path: str | None
    prefixes: frozenset[str]
    signature: str  # of the error, with a space on either side
    keys: tuple[str, ...]


def bound(tool: str | None, path: str | None, command: str | None, error: str | None) -> Trigger:
    """A trigger in the form in which it is stored."""
    words = _commands(command)[0][:_MOST_WORDS] if command is not None and _commands(command) else None
    if command is not None and not words:
        raise InvalidInput(f"command: expected the beginning of a command, got {command!r}")
    told = signature(error) if error is not None else None
    if error is not None and not told:
        raise InvalidInput(f"error: nothing is left of {error!r} without its numbers and paths; name the kind of error")
    return Trigger(
        tool=None if tool is None else tool.casefold(),
        path=None if path is None else _slashed(path),
        command=None if words is None else " ".join(words),
        error=told,
    )


def happened(tool: str | None, path: str | None, command: str | None, error: str | None) -> Happened:
    prefixes = frozenset(
        " ".join(words[:count])
        for words in _commands(command or "")
        for count in range(1, min(len(words), _MOST_WORDS) + 1)
    )
    told = signature(error or "")
    file = None if path is None else _slashed(path)
    keys = [f"tool:{tool.casefold()}"] if tool else []
    keys += (f"command:{prefix}" for prefix in sorted(prefixes))
    keys += _path_keys(file) if file else ()
    keys += _error_keys(told) if told else ()
    return Happened(tool, file, prefixes, f" {told} " if told else "", tuple(dict.fromkeys(keys)))


def signature(error: str) -> str:
    """An error without what differs from one time to the next: numbers, paths, addresses, colours, case."""
    if len(error) > _MOST_TEXT:
        error = f"{error[: _MOST_TEXT // 4]}\n{error[-3 * _MOST_TEXT // 4 :]}"
    bare = _ADDRESS.sub(" ", _PLACE.sub(" ", _PATH.sub(" ", _ANSI.sub("", error))))
    return " ".join(word for word in _WORD.findall(bare.casefold()) if not word.isdigit())


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _commands(line: str) -> list[list[str]]:
    """The words of each command of a line, without what is set for it and whose rights it takes."""
    found = []
    for part in _CHAINED.split(line):
        words = part.split()
        while words and (_ENVIRONMENT.match(words[0]) or words[0] in ("sudo", "env", "time", "nohup", "exec")):
            words = words[1:]
        if words:
            found.append([words[0].rsplit("/", 1)[-1] or words[0], *words[1:]])
    return found


# ── paths ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _slashed(path: str) -> str:
    slashed = path.replace("\\", "/")
    while slashed.startswith("./"):
        slashed = slashed[2:]
    return slashed


def _path_key(pattern: str) -> str:
    """The most telling literal of a pattern: all of it, the folder it begins with, a name in it, an ending."""
    parts = [part for part in pattern.split("/") if part]
    if not _MAGIC.search(pattern):
        return f"path:in:{'/'.join(parts)}"
    start = []
    for part in parts[:-1]:
        if _MAGIC.search(part):
            break
        start.append(part)
    if start:
        return f"path:in:{'/'.join(start)}"
    literal = [part for part in parts if not _MAGIC.search(part)]
    if literal:
        return f"path:in:{literal[-1]}"
    ending = re.search(r"\.([^.*?\[\]]+)$", parts[-1] if parts else "")
    return f"path:ends:{ending[1].casefold()}" if ending else "path:any"


def _path_keys(path: str) -> Iterator[str]:
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


def _meets(glob: str, path: str) -> bool:
    """`*` stays within a folder, `**` crosses them; a pattern without a leading slash may begin at any folder, and one
    that names a folder holds for all that is in it."""
    if not _MAGIC.search(glob) and not glob.startswith("/"):
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
        if at >= len(names) or not fnmatchcase(names[at], part):
            return False
        at += 1
    return True


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _error_key(told: str) -> str:
    return f"error:{' '.join(told.split()[:_START])}"


def _error_keys(told: str) -> Iterator[str]:
    """Every one, two and three words that stand together: what is bound may be any part of what was printed."""
    words = told.split()
    for start in range(len(words)):
        for count in range(1, _START + 1):
            if start + count <= len(words):
                yield f"error:{' '.join(words[start : start + count])}"
