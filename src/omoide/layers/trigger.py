"""What a lesson is bound to: a tool, files, a command or an error; and the keys by which it is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby

from omoide.errors import InvalidInput
from omoide.layers import glob
from omoide.layers.command import Command, commands, parted
from omoide.layers.glob import MAGIC

_MOST_WORDS = 8  # of a command that is bound: what follows them is an argument
_MOST_TEXT = 1_000  # characters of an error that are looked at: its head and its tail, where it says what it is
_START = 3  # words by which a signature is found

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATH = re.compile(
    r"(?<![\w.@~+-])(?:[A-Za-z]:)?(?:\.{0,2}[\\/])?(?:[\w.@~+-]+[\\/])+[\w.@~+-]*(?:[:(]\d+(?:[:,]\d+)*\)?)?|/[\w.@~+-]+"
)
_PLACE = re.compile(r"\b[\w-]+\.[A-Za-z]\w{0,4}[:(]\d+(?:[:,]\d+)*\)?")
_ADDRESS = re.compile(r"\b(?:0x[0-9a-f]+|(?=[a-f-]*[0-9])[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,4})\b", re.I)
_WORD = re.compile(r"[^\W_]\w*", re.UNICODE)
# A value in quotes, unless it is a sentence, or the type of an object: that tells one mistake from another.
_QUOTED = re.compile(
    r"(?<!\w)(?:'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|`[^`\n]{0,80}`|‘[^’\n]{0,80}’|“[^”\n]{0,80}”|«[^»\n]{0,80}»)"
    r"(?!\w| object\b)"
)
_PROSE = 4  # words in quotes that are a sentence
_CODE = re.compile(r"[a-z]{1,4}\d{2,5}$")
_LEADING = frozenset(("error", "fatal", "uncaught"))
_DANGLING = frozenset("a an the in on at of to for from by with as is near and or".split())
# A number tells one error from another where it stands behind one of these: exit code 137, HTTP 404, errno 13.
_NUMBERED = frozenset("code status exit exited errno signal http".split())
_BETWEEN = frozenset("code with is was".split())
_PROTOCOL = re.compile(r"\bHTTP/[\d.]+", re.I)
_MOST_PREFIX = 64  # characters of a tool's name by which a pattern is found


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
            return _error_key(_told(self.error))
        if self.path is not None:
            return glob.key(self.path)
        if self.command is not None:
            return f"command:{' '.join(parted(tuple(self.command.split())).words)}"
        name = self.tool or ""
        magic = MAGIC.search(name)
        return f"tool:{name[: min(magic.start(), _MOST_PREFIX)]}*" if magic else f"tool:{name}"

    @property
    def weight(self) -> int:
        """How specific it is: an error more than a file, a file more than a command, a command more than a tool."""
        error = 0 if self.error is None else 300 + 10 * len(self.error.split())
        path = 0 if self.path is None else 200 + len(MAGIC.sub("", self.path)) + 50 * (not MAGIC.search(self.path))
        command = 0 if self.command is None else 100 + 20 * len(self.command.split())
        return error + path + command + (0 if self.tool is None else 10)

    def reason(self, happened: Happened) -> str | None:
        """Why it is told now, or None where something of it does not hold."""
        said = []
        if self.error is not None:
            if not _is_met(self.error, happened):
                return None
            said.append(f"the error {self.error!r}")
        if self.path is not None:
            if happened.path is None or not glob.meets(self.path, happened.path):
                return None
            said.append(f"{happened.path} is one of {self.path}" if MAGIC.search(self.path) else self.path)
        if self.command is not None:
            wanted = parted(tuple(self.command.split()))
            if not any(wanted.begins(each) for each in happened.commands):
                return None
            said.append(f"the command `{self.command}`")
        if self.tool is not None:
            if happened.tool is None or not _is_tool(self.tool, happened.tool.casefold()):
                return None
            said.append(f"the tool {happened.tool}")
        return " and ".join(said)


@dataclass(frozen=True, slots=True)
class Happened:
    """What an agent is about to do, or what has just gone wrong, with the keys of all that may be bound to it."""

    tool: str | None
    path: str | None
    commands: tuple[Command, ...]
    signature: str  # of the error, with a space on either side
    literal: str  # all its words likewise
    keys: tuple[str, ...]


def bound(tool: str | None, path: str | None, command: str | None, error: str | None) -> Trigger:
    """A trigger in the form in which it is stored."""
    found = commands(command) if command is not None else ()
    if command is not None and not found:
        raise InvalidInput(f"command: expected the beginning of a command, got {command!r}")
    told = _named(error) if error is not None else None
    if error is not None and not told:
        raise InvalidInput(f"error: there is no word in {error!r}; name the kind of error")
    return Trigger(
        tool=None if tool is None else tool.casefold(),
        path=None if path is None else glob.pattern(path),
        command=" ".join(found[0][:_MOST_WORDS]) if found else None,
        error=told,
    )


def happened(tool: str | None, path: str | None, command: str | None, error: str | None) -> Happened:
    run = tuple(parted(pieces) for pieces in commands(command or ""))
    told, literal = signature(error or ""), _literal(error or "")
    file = None if path is None else glob.plain(path)
    keys = list(_tool_keys(tool.casefold())) if tool else []
    keys += (f"command:{' '.join(each.words[:count])}" for each in run for count in range(1, _MOST_WORDS + 1))
    keys += glob.keys(file) if file else ()
    keys += _error_keys(told, literal)
    return Happened(tool, file, run, f" {told} ", f" {literal} ", tuple(dict.fromkeys(keys)))


def signature(error: str) -> str:
    """An error without what differs from one time to the next: values, numbers, paths, addresses, colours, case.

    Numbers that tell one error from another stay (`exit code 137`).
    """
    words = _words(_QUOTED.sub(_unquoted, _bare(error)))
    words = [word for place, word in enumerate(words) if not word.isdigit() or _tells(words, place)]
    while len(words) > 1 and (words[0] in _LEADING or _CODE.match(words[0])):
        del words[0]
    while len(words) > 1 and words[-1] in _DANGLING:
        del words[-1]
    return " ".join(words)


def codes(error: str) -> tuple[str, ...]:
    """The numbers that tell it from others: the code it exited with, the status that was answered."""
    words = _words(_bare(error))
    return tuple(word for place, word in enumerate(words) if word.isdigit() and _tells(words, place))


def _named(error: str) -> str:
    """What somebody binds to: the signature, and every value that they took the trouble to name."""
    told = signature(error)
    if not told:
        return _literal(error)
    values = (" ".join(_words(each[0])) for each in _QUOTED.finditer(_bare(error)) if _unquoted(each) == " ")
    return told + "".join(f" «{value}»" for value in dict.fromkeys(values) if value)


def _told(error: str) -> str:
    """What is bound without its values."""
    return error.partition(" «")[0]


def _is_met(error: str, happened: Happened) -> bool:
    told, *values = (part.removesuffix("»") for part in error.split(" «"))
    stands = f" {told} " in happened.signature or f" {told} " in happened.literal
    return stands and all(f" {value} " in happened.literal for value in values)


def _bare(error: str) -> str:
    return _PROTOCOL.sub("http", _ANSI.sub("", _ends(error)))


def _words(text: str) -> list[str]:
    return _WORD.findall(_ADDRESS.sub(" ", _PLACE.sub(" ", _PATH.sub(" ", text))).casefold())


def _tells(words: list[str], place: int) -> bool:
    """Whether the number at this place stands behind a word that makes it tell something."""
    before = words[max(0, place - 2) : place]
    return bool(before) and (
        before[-1] in _NUMBERED or (len(before) == 2 and before[0] in _NUMBERED and before[1] in _BETWEEN)
    )


def _literal(error: str) -> str:
    """All its words: for what is bound to a number, or to a value."""
    return " ".join(_WORD.findall(_ANSI.sub("", _ends(error)).casefold()))


def _ends(error: str) -> str:
    return error if len(error) <= _MOST_TEXT else f"{error[: _MOST_TEXT // 4]}\n{error[-3 * _MOST_TEXT // 4 :]}"


def _unquoted(value: re.Match[str]) -> str:
    return value[0] if len(value[0].split()) >= _PROSE else " "


def _is_tool(wanted: str, name: str) -> bool:
    """Most patterns end in their only star: for these nothing is compiled."""
    start = wanted.removesuffix("*")
    return name.startswith(start) if wanted != start and not MAGIC.search(start) else fnmatchcase(name, wanted)


def _tool_keys(name: str) -> Iterator[str]:
    """Its name, and every beginning of it: a pattern is found by what stands before its first star."""
    yield f"tool:{name}"
    yield from (f"tool:{name[:end]}*" for end in range(min(len(name), _MOST_PREFIX) + 1))


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _error_key(told: str) -> str:
    return f"error:{' '.join(told.split()[:_START])}"


def _error_keys(told: str, literal: str) -> Iterator[str]:
    """Every one, two and three words that stand together: what is bound may be any part of what was printed. Of the
    words that are not in the signature likewise: something may be bound to a number alone."""
    words = told.split()
    known = set(words)
    seen = set(_runs(words))
    for unknown, stretch in groupby(literal.split(), lambda word: word not in known):
        if unknown:
            seen.update(_runs(list(stretch)))
    yield from (f"error:{run}" for run in seen)


def _runs(words: list[str]) -> Iterator[str]:
    yield from words
    for count in range(2, _START + 1):
        yield from map(" ".join, zip(*(words[start:] for start in range(count)), strict=False))
