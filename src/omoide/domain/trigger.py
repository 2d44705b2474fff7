"""What a lesson is bound to: a tool, files, a command or an error; and the keys by which it is found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import groupby
from os.path import expanduser
from posixpath import normpath
from unicodedata import normalize

from omoide.domain.shell_command import ShellCommand, parse_command, split_commands
from omoide.errors import InvalidInput

_MAX_COMMAND_WORDS = 8  # of a command that is bound: what follows them is an argument
_MAX_ERROR_CHARACTERS = (
    1_000  # characters of an error that are looked at: its head and its tail, where it says what it is
)
_KEY_WORDS = 3  # words by which a signature is found

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATH = re.compile(
    r"(?<![\w.@~+-])(?:[A-Za-z]:)?(?:\.{0,2}[\\/])?(?:[\w.@~+-]+[\\/])+[\w.@~+-]*(?:[:(]\d+(?:[:,]\d+)*\)?)?|/[\w.@~+-]+"
)
_SOURCE_POSITION = re.compile(r"\b[\w-]+\.[A-Za-z]\w{0,4}[:(]\d+(?:[:,]\d+)*\)?")
_ADDRESS = re.compile(r"\b(?:0x[0-9a-f]+|(?=[a-f-]*[0-9])[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,4})\b", re.I)
_WORD = re.compile(r"[^\W_]\w*", re.UNICODE)
# A value in quotes, unless it is a sentence, or the type of an object: that tells one mistake from another.
_QUOTED = re.compile(
    r"(?<!\w)(?:'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|`[^`\n]{0,80}`|‘[^’\n]{0,80}’|“[^”\n]{0,80}”|«[^»\n]{0,80}»)"
    r"(?!\w| object\b)"
)
_PROSE_WORDS = 4  # words in quotes that are a sentence
_CODE = re.compile(r"[a-z]{1,4}\d{2,5}$")
_LEADING = frozenset(("error", "fatal", "uncaught"))
_TRAILING_WORDS = frozenset("a an the in on at of to for from by with as is near and or".split())
# A number tells one error from another where it stands behind one of these: exit code 137, HTTP 404, errno 13.
_NUMBERED = frozenset("code status exit exited errno signal http".split())
_BETWEEN = frozenset("code with is was".split())
_PROTOCOL = re.compile(r"\bHTTP/[\d.]+", re.I)
_MAX_TOOL_PREFIX = 64  # characters of a tool's name by which a pattern is found


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
            return _error_key(_without_values(self.error))
        if self.path is not None:
            return pattern_key(self.path)
        if self.command is not None:
            return f"command:{' '.join(parse_command(tuple(self.command.split())).words)}"
        name = self.tool or ""
        magic = GLOB_CHARACTERS.search(name)
        return f"tool:{name[: min(magic.start(), _MAX_TOOL_PREFIX)]}*" if magic else f"tool:{name}"

    @property
    def weight(self) -> int:
        """How specific it is: an error more than a file, a file more than a command, a command more than a tool."""
        error = 0 if self.error is None else 300 + 10 * len(self.error.split())
        path = (
            0
            if self.path is None
            else 200 + len(GLOB_CHARACTERS.sub("", self.path)) + 50 * (not GLOB_CHARACTERS.search(self.path))
        )
        command = 0 if self.command is None else 100 + 20 * len(self.command.split())
        return error + path + command + (0 if self.tool is None else 10)

    def reason(self, happened: TriggerEvent) -> str | None:
        """Why it is told now, or None where something of it does not hold."""
        said = []
        if self.error is not None:
            if not _error_matches(self.error, happened):
                return None
            said.append(f"the error {self.error!r}")
        if self.path is not None:
            if happened.path is None or not matches_path(self.path, happened.path):
                return None
            said.append(f"{happened.path} is one of {self.path}" if GLOB_CHARACTERS.search(self.path) else self.path)
        if self.command is not None:
            wanted = parse_command(tuple(self.command.split()))
            if not any(wanted.begins(each) for each in happened.commands):
                return None
            said.append(f"the command `{self.command}`")
        if self.tool is not None:
            if happened.tool is None or not _tool_matches(self.tool, happened.tool.casefold()):
                return None
            said.append(f"the tool {happened.tool}")
        return " and ".join(said)


@dataclass(frozen=True, slots=True)
class TriggerEvent:
    """What an agent is about to do, or what has just gone wrong, with the keys of all that may be bound to it."""

    tool: str | None
    path: str | None
    commands: tuple[ShellCommand, ...]
    signature: str  # of the error, with a space on either side
    literal: str  # all its words likewise
    keys: tuple[str, ...]


def normalize_trigger(tool: str | None, path: str | None, command: str | None, error: str | None) -> Trigger:
    """A trigger in the form in which it is stored."""
    found = split_commands(command) if command is not None else ()
    if command is not None and not found:
        raise InvalidInput(f"command: expected the beginning of a command, got {command!r}")
    told = _signature_with_values(error) if error is not None else None
    if error is not None and not told:
        raise InvalidInput(f"error: there is no word in {error!r}; name the kind of error")
    return Trigger(
        tool=None if tool is None else tool.casefold(),
        path=None if path is None else normalize_pattern(path),
        command=" ".join(found[0][:_MAX_COMMAND_WORDS]) if found else None,
        error=told,
    )


def trigger_event(tool: str | None, path: str | None, command: str | None, error: str | None) -> TriggerEvent:
    run = tuple(parse_command(pieces) for pieces in split_commands(command or ""))
    told, literal = error_signature(error or ""), _literal_words(error or "")
    file = None if path is None else normalize_path(path)
    keys = list(_tool_keys(tool.casefold())) if tool else []
    keys += (f"command:{' '.join(each.words[:count])}" for each in run for count in range(1, _MAX_COMMAND_WORDS + 1))
    keys += path_keys(file) if file else ()
    keys += _error_keys(told, literal)
    return TriggerEvent(tool, file, run, f" {told} ", f" {literal} ", tuple(dict.fromkeys(keys)))


def error_signature(error: str) -> str:
    """An error without what differs from one time to the next: values, numbers, paths, addresses, colours, case.

    Numbers that tell one error from another stay (`exit code 137`).
    """
    words = _words(_QUOTED.sub(_unquoted, _without_colours(error)))
    words = [word for place, word in enumerate(words) if not word.isdigit() or _is_telling_number(words, place)]
    while len(words) > 1 and (words[0] in _LEADING or _CODE.match(words[0])):
        del words[0]
    while len(words) > 1 and words[-1] in _TRAILING_WORDS:
        del words[-1]
    return " ".join(words)


def error_codes(error: str) -> tuple[str, ...]:
    """The numbers that tell it from others: the code it exited with, the status that was answered."""
    words = _words(_without_colours(error))
    return tuple(word for place, word in enumerate(words) if word.isdigit() and _is_telling_number(words, place))


def _signature_with_values(error: str) -> str:
    """What somebody binds to: the signature, and every value that they took the trouble to name."""
    told = error_signature(error)
    if not told:
        return _literal_words(error)
    values = (" ".join(_words(each[0])) for each in _QUOTED.finditer(_without_colours(error)) if _unquoted(each) == " ")
    return told + "".join(f" «{value}»" for value in dict.fromkeys(values) if value)


def _without_values(error: str) -> str:
    """What is bound without its values."""
    return error.partition(" «")[0]


def _error_matches(error: str, happened: TriggerEvent) -> bool:
    told, *values = (part.removesuffix("»") for part in error.split(" «"))
    stands = f" {told} " in happened.signature or f" {told} " in happened.literal
    return stands and all(f" {value} " in happened.literal for value in values)


def _without_colours(error: str) -> str:
    return _PROTOCOL.sub("http", _ANSI.sub("", _head_and_tail(error)))


def _words(text: str) -> list[str]:
    return _WORD.findall(_ADDRESS.sub(" ", _SOURCE_POSITION.sub(" ", _PATH.sub(" ", text))).casefold())


def _is_telling_number(words: list[str], place: int) -> bool:
    """Whether the number at this place stands behind a word that makes it tell something."""
    before = words[max(0, place - 2) : place]
    return bool(before) and (
        before[-1] in _NUMBERED or (len(before) == 2 and before[0] in _NUMBERED and before[1] in _BETWEEN)
    )


def _literal_words(error: str) -> str:
    """All its words: for what is bound to a number, or to a value."""
    return " ".join(_WORD.findall(_ANSI.sub("", _head_and_tail(error)).casefold()))


def _head_and_tail(error: str) -> str:
    return (
        error
        if len(error) <= _MAX_ERROR_CHARACTERS
        else f"{error[: _MAX_ERROR_CHARACTERS // 4]}\n{error[-3 * _MAX_ERROR_CHARACTERS // 4 :]}"
    )


def _unquoted(value: re.Match[str]) -> str:
    return value[0] if len(value[0].split()) >= _PROSE_WORDS else " "


def _tool_matches(wanted: str, name: str) -> bool:
    """Most patterns end in their only star: for these nothing is compiled."""
    start = wanted.removesuffix("*")
    return (
        name.startswith(start) if wanted != start and not GLOB_CHARACTERS.search(start) else fnmatchcase(name, wanted)
    )


def _tool_keys(name: str) -> Iterator[str]:
    """Its name, and every beginning of it: a pattern is found by what stands before its first star."""
    yield f"tool:{name}"
    yield from (f"tool:{name[:end]}*" for end in range(min(len(name), _MAX_TOOL_PREFIX) + 1))


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _error_key(told: str) -> str:
    return f"error:{' '.join(told.split()[:_KEY_WORDS])}"


def _error_keys(told: str, literal: str) -> Iterator[str]:
    """Every one, two and three words that stand together: what is bound may be any part of what was printed. Of the
    words that are not in the signature likewise: something may be bound to a number alone."""
    words = told.split()
    known = set(words)
    seen = set(_word_sequences(words))
    for unknown, stretch in groupby(literal.split(), lambda word: word not in known):
        if unknown:
            seen.update(_word_sequences(list(stretch)))
    yield from (f"error:{run}" for run in seen)


def _word_sequences(words: list[str]) -> Iterator[str]:
    yield from words
    for count in range(2, _KEY_WORDS + 1):
        yield from map(" ".join, zip(*(words[start:] for start in range(count)), strict=False))


# A lesson tied to what it is told for.


@dataclass(frozen=True, slots=True)
class Binding:
    """One trigger of one lesson."""

    id: int
    node_id: int
    trigger: Trigger
    created_at: datetime


# Paths and the patterns that lessons are bound to: the form of each, the keys they are found by, whether they meet.


GLOB_CHARACTERS = re.compile(r"[*?\[]")
_MAX_PATH_PARTS = 40  # of a path
_MAX_BRACE_CHOICES = 64  # that the braces of a pattern may stand for
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_RANGE = re.compile(r"\{[^{},/]+\.\.[^{},/]+\}")
_EXTENDED = re.compile(r"[@+!?*]\([^)]*\)")


def normalize_path(path: str) -> str:
    """A path in the one form in which paths are compared: whole, with slashes, without detours."""
    slashed = normalize("NFC", path).replace("\\", "/")
    if slashed.startswith("~"):
        slashed = expanduser(slashed).replace("\\", "/")
    slashed = re.sub(r"/{2,}", "/", slashed)
    return re.sub(r"^(?:\.\.?(?:/|$))+", "", normpath(slashed)) if slashed else ""


def normalize_pattern(given: str) -> str:
    """A pattern in the form in which it is stored, or why there is none."""
    for unknown, said in ((_EXTENDED, "alternatives in parentheses"), (_RANGE, "ranges in braces")):
        if unknown.search(given):
            raise InvalidInput(f"path: {said} are not supported, got {given!r}; bind once for each, or use {{a,b}}")
    if given.startswith("!"):
        raise InvalidInput(f"path: a pattern cannot be turned around with '!', got {given!r}")
    found = normalize_path(given)
    if not found.strip("/"):
        raise InvalidInput(f"path: {given!r} names no file or folder")
    _expand_braces(found)
    return found


@lru_cache(maxsize=1024)
def _expand_braces(glob: str) -> tuple[str, ...]:
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
        if len(found) + len(done) > _MAX_BRACE_CHOICES:
            raise InvalidInput(f"path: the braces of {glob!r} stand for more than {_MAX_BRACE_CHOICES} patterns")
    return tuple(done)


def pattern_key(pattern: str) -> str:
    """The most telling literal of a pattern: all of it, the folder it begins with, a name in it, an ending."""
    while _BRACES.search(pattern):
        pattern = _BRACES.sub(lambda found: "**/*" if "/" in found[0] else "*", pattern)
    parts = [part for part in pattern.split("/") if part]
    if not GLOB_CHARACTERS.search(pattern):
        return f"path:in:{'/'.join(parts)}"
    start = []
    for part in parts[:-1]:
        if GLOB_CHARACTERS.search(part):
            break
        start.append(part)
    if start:
        return f"path:in:{'/'.join(start)}"
    literal = [part for part in parts if not GLOB_CHARACTERS.search(part)]
    if literal:
        return f"path:in:{literal[-1]}"
    ending = re.search(r"\.([^.*?\[\]]+)$", parts[-1] if parts else "")
    return f"path:ends:{ending[1].casefold()}" if ending else "path:any"


def path_keys(path: str) -> Iterator[str]:
    """Every run of its folders and its name: a pattern may begin anywhere in it."""
    parts = [part for part in path.split("/") if part][-_MAX_PATH_PARTS:]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            yield f"path:in:{'/'.join(parts[start:end])}"
    name = parts[-1] if parts else ""
    pieces = name.split(".")
    for number in range(1, len(pieces)):
        yield f"path:ends:{'.'.join(pieces[number:]).casefold()}"
    yield "path:any"


def matches_path(glob: str, path: str) -> bool:
    """`*` stays within a folder, `**` crosses them; a pattern without a leading slash may begin at any folder, and one
    that names a folder holds for all that is in it."""
    return any(_matches_glob(each, path) for each in _expand_braces(glob))


def _matches_glob(glob: str, path: str) -> bool:
    if not GLOB_CHARACTERS.search(glob) and not glob.startswith("/"):
        return f"/{glob.strip('/')}/" in f"/{path.strip('/')}/"
    parts = [part for part in glob.split("/") if part]
    names = [name for name in path.split("/") if name]
    return any(_matches_parts(parts, names, start) for start in range(1 if glob.startswith("/") else len(names)))


def _matches_parts(parts: Sequence[str], names: Sequence[str], at: int) -> bool:
    """Part by part, since parts such as `*.ts` are the same in many patterns: each is compiled once."""
    for number, part in enumerate(parts):
        if part == "**":
            rest = parts[number + 1 :]
            return (
                at < len(names)
                if not rest
                else any(_matches_parts(rest, names, start) for start in range(at, len(names)))
            )
        if at >= len(names) or not (names[at] == part or fnmatchcase(names[at], part)):
            return False
        at += 1
    return True
