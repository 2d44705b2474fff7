"""Triggers that bind lessons to a tool, files, a command or an error, and the keys that find them.

Also path patterns: their normal form, their lookup keys and matching.
"""

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

_MAX_COMMAND_WORDS = 8  # of a bound command; later words are arguments
_MAX_ERROR_CHARACTERS = 1_000  # of an error: its head and tail say what it is
_KEY_WORDS = 3  # of a signature that form its lookup key

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATH = re.compile(
    r"(?<![\w.@~+-])(?:[A-Za-z]:)?(?:\.{0,2}[\\/])?(?:[\w.@~+-]+[\\/])+[\w.@~+-]*(?:[:(]\d+(?:[:,]\d+)*\)?)?|/[\w.@~+-]+"
)
_SOURCE_POSITION = re.compile(r"\b[\w-]+\.[A-Za-z]\w{0,4}[:(]\d+(?:[:,]\d+)*\)?")
_ADDRESS = re.compile(r"\b(?:0x[0-9a-f]+|(?=[a-f-]*[0-9])[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,4})\b", re.I)
_WORD = re.compile(r"[^\W_]\w*", re.UNICODE)
# A quoted value, unless it is a sentence or the type of an object, which distinguish errors.
_QUOTED = re.compile(
    r"(?<!\w)(?:'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|`[^`\n]{0,80}`|‘[^’\n]{0,80}’|“[^”\n]{0,80}”|«[^»\n]{0,80}»)"
    r"(?!\w| object\b)"
)
_PROSE_WORDS = 4  # quoted words that make a sentence
_CODE = re.compile(r"[a-z]{1,4}\d{2,5}$")
_LEADING = frozenset(("error", "fatal", "uncaught"))
_TRAILING_WORDS = frozenset("a an the in on at of to for from by with as is near and or".split())
# Words before a number that make it part of the signature: exit code 137, HTTP 404, errno 13.
_NUMBERED = frozenset("code status exit exited errno signal http".split())
_BETWEEN = frozenset("code with is was".split())
_PROTOCOL = re.compile(r"\bHTTP/[\d.]+", re.I)
_MAX_TOOL_PREFIX = 64  # characters of a tool name used as lookup key of a pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """Conditions of a binding. All that are given must match."""

    tool: str | None = None
    path: str | None = None
    command: str | None = None
    error: str | None = None

    @property
    def key(self) -> str:
        """The lookup key, built from the most specific condition."""
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
        """How specific it is: errors weigh more than paths, paths more than commands, commands more than tools."""
        error = 0 if self.error is None else 300 + 10 * len(self.error.split())
        command = 0 if self.command is None else 100 + 20 * len(self.command.split())
        others = error + command + (0 if self.tool is None else 10)
        if self.path is None:
            return others
        return others + 200 + len(GLOB_CHARACTERS.sub("", self.path)) + 50 * (not GLOB_CHARACTERS.search(self.path))

    def reason(self, event: TriggerEvent) -> str | None:
        """Why it matches an event, or None if a condition does not match."""
        reasons = []
        if self.error is not None:
            if not _error_matches(self.error, event):
                return None
            reasons.append(f"the error {self.error!r}")
        if self.path is not None:
            if event.path is None or not matches_path(self.path, event.path):
                return None
            reasons.append(f"{event.path} is one of {self.path}" if GLOB_CHARACTERS.search(self.path) else self.path)
        if self.command is not None:
            wanted = parse_command(tuple(self.command.split()))
            if not any(wanted.is_prefix_of(each) for each in event.commands):
                return None
            reasons.append(f"the command `{self.command}`")
        if self.tool is not None:
            if event.tool is None or not _tool_matches(self.tool, event.tool.casefold()):
                return None
            reasons.append(f"the tool {event.tool}")
        return " and ".join(reasons)


@dataclass(frozen=True, slots=True)
class TriggerEvent:
    """What an agent is about to do, or an error it met, with the keys of all triggers that could match."""

    tool: str | None
    path: str | None
    commands: tuple[ShellCommand, ...]
    signature: str  # of the error, with a space at both ends
    literal: str  # all words of the error, with a space at both ends
    keys: tuple[str, ...]


def normalize_trigger(tool: str | None, path: str | None, command: str | None, error: str | None) -> Trigger:
    """Build a trigger in its stored form. Raises InvalidInput for a command or error without content."""
    found = split_commands(command) if command is not None else ()
    if command is not None and not found:
        raise InvalidInput(f"command: expected the beginning of a command, got {command!r}")
    signature = _signature_with_values(error) if error is not None else None
    if error is not None and not signature:
        raise InvalidInput(f"error: there is no word in {error!r}; name the kind of error")
    return Trigger(
        tool=None if tool is None else tool.casefold(),
        path=None if path is None else normalize_pattern(path),
        command=" ".join(found[0][:_MAX_COMMAND_WORDS]) if found else None,
        error=signature,
    )


def trigger_event(tool: str | None, path: str | None, command: str | None, error: str | None) -> TriggerEvent:
    """Describe an event by the arguments that are given."""
    run = tuple(parse_command(pieces) for pieces in split_commands(command or ""))
    signature, literal = error_signature(error or ""), _literal_words(error or "")
    file = None if path is None else normalize_path(path)
    keys = list(_tool_keys(tool.casefold())) if tool else []
    keys += (f"command:{' '.join(each.words[:count])}" for each in run for count in range(1, _MAX_COMMAND_WORDS + 1))
    keys += path_keys(file) if file else ()
    keys += _error_keys(signature, literal)
    return TriggerEvent(tool, file, run, f" {signature} ", f" {literal} ", tuple(dict.fromkeys(keys)))


def error_signature(error: str) -> str:
    """An error without what varies between occurrences: values, numbers, paths, addresses, colours, case.

    Numbers that distinguish errors stay (`exit code 137`).
    """
    words = _words(_QUOTED.sub(_unquoted, _without_colours(error)))
    words = [word for at, word in enumerate(words) if not word.isdigit() or _is_telling_number(words, at)]
    while len(words) > 1 and (words[0] in _LEADING or _CODE.match(words[0])):
        del words[0]
    while len(words) > 1 and words[-1] in _TRAILING_WORDS:
        del words[-1]
    return " ".join(words)


def error_codes(error: str) -> tuple[str, ...]:
    """The numbers that distinguish an error, such as exit codes and HTTP statuses."""
    words = _words(_without_colours(error))
    return tuple(word for at, word in enumerate(words) if word.isdigit() and _is_telling_number(words, at))


def _signature_with_values(error: str) -> str:
    """The form in which an error is bound: its signature, followed by each quoted value as «value»."""
    signature = error_signature(error)
    if not signature:
        return _literal_words(error)
    values = (" ".join(_words(each[0])) for each in _QUOTED.finditer(_without_colours(error)) if _unquoted(each) == " ")
    return signature + "".join(f" «{value}»" for value in dict.fromkeys(values) if value)


def _without_values(error: str) -> str:
    return error.partition(" «")[0]


def _error_matches(error: str, event: TriggerEvent) -> bool:
    signature, *values = (part.removesuffix("»") for part in error.split(" «"))
    found = f" {signature} " in event.signature or f" {signature} " in event.literal
    return found and all(f" {value} " in event.literal for value in values)


def _without_colours(error: str) -> str:
    return _PROTOCOL.sub("http", _ANSI.sub("", _head_and_tail(error)))


def _words(text: str) -> list[str]:
    return _WORD.findall(_ADDRESS.sub(" ", _SOURCE_POSITION.sub(" ", _PATH.sub(" ", text))).casefold())


def _is_telling_number(words: list[str], at: int) -> bool:
    """Whether the number follows a word such as "exit code" or "status"."""
    before = words[max(0, at - 2) : at]
    return bool(before) and (
        before[-1] in _NUMBERED or (len(before) == 2 and before[0] in _NUMBERED and before[1] in _BETWEEN)
    )


def _literal_words(error: str) -> str:
    """All words of an error, for triggers bound to a number or value."""
    return " ".join(_WORD.findall(_ANSI.sub("", _head_and_tail(error)).casefold()))


def _head_and_tail(error: str) -> str:
    if len(error) <= _MAX_ERROR_CHARACTERS:
        return error
    return f"{error[: _MAX_ERROR_CHARACTERS // 4]}\n{error[-3 * _MAX_ERROR_CHARACTERS // 4 :]}"


def _unquoted(value: re.Match[str]) -> str:
    return value[0] if len(value[0].split()) >= _PROSE_WORDS else " "


def _tool_matches(wanted: str, name: str) -> bool:
    """Most patterns only have a trailing star, which needs no compiled pattern."""
    start = wanted.removesuffix("*")
    plain = wanted != start and not GLOB_CHARACTERS.search(start)
    return name.startswith(start) if plain else fnmatchcase(name, wanted)


def _tool_keys(name: str) -> Iterator[str]:
    """Keys of the name and of every prefix, since a pattern is stored under the part before its first star."""
    yield f"tool:{name}"
    yield from (f"tool:{name[:end]}*" for end in range(min(len(name), _MAX_TOOL_PREFIX) + 1))


def _error_key(signature: str) -> str:
    return f"error:{' '.join(signature.split()[:_KEY_WORDS])}"


def _error_keys(signature: str, literal: str) -> Iterator[str]:
    """Keys of every sequence of one to three words, since any part of the error may be bound.

    Words outside of the signature are included because a trigger may be bound to a number alone.
    """
    words = signature.split()
    known = set(words)
    seen = set(_word_sequences(words))
    for unknown, group in groupby(literal.split(), lambda word: word not in known):
        if unknown:
            seen.update(_word_sequences(list(group)))
    yield from (f"error:{run}" for run in seen)


def _word_sequences(words: list[str]) -> Iterator[str]:
    yield from words
    for count in range(2, _KEY_WORDS + 1):
        yield from map(" ".join, zip(*(words[start:] for start in range(count)), strict=False))


# ── bindings ──


@dataclass(frozen=True, slots=True)
class Binding:
    """A lesson bound to a trigger."""

    id: int
    node_id: int
    trigger: Trigger
    created_at: datetime


# ── path patterns ──


GLOB_CHARACTERS = re.compile(r"[*?\[]")
_MAX_PATH_PARTS = 40
_MAX_BRACE_CHOICES = 64  # patterns that braces may expand to
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_RANGE = re.compile(r"\{[^{},/]+\.\.[^{},/]+\}")
_EXTENDED = re.compile(r"[@+!?*]\([^)]*\)")


def normalize_path(path: str) -> str:
    """A path in normal form: NFC, forward slashes, `~` expanded, no `.` or `..`."""
    slashed = normalize("NFC", path).replace("\\", "/")
    if slashed.startswith("~"):
        slashed = expanduser(slashed).replace("\\", "/")
    slashed = re.sub(r"/{2,}", "/", slashed)
    return re.sub(r"^(?:\.\.?(?:/|$))+", "", normpath(slashed)) if slashed else ""


def normalize_pattern(given: str) -> str:
    """A path pattern in its stored form. Raises InvalidInput for unsupported syntax."""
    for unknown, name in ((_EXTENDED, "alternatives in parentheses"), (_RANGE, "ranges in braces")):
        if unknown.search(given):
            raise InvalidInput(f"path: {name} are not supported, got {given!r}; bind once for each, or use {{a,b}}")
    if given.startswith("!"):
        raise InvalidInput(f"path: negated patterns ('!') are not supported, got {given!r}")
    found = normalize_path(given)
    if not found.strip("/"):
        raise InvalidInput(f"path: {given!r} names no file or folder")
    _expand_braces(found)
    return found


@lru_cache(maxsize=1024)
def _expand_braces(glob: str) -> tuple[str, ...]:
    """`{a,b}.py` becomes a.py and b.py. Braces without a comma are literal."""
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
            raise InvalidInput(f"path: the braces of {glob!r} expand to more than {_MAX_BRACE_CHOICES} patterns")
    return tuple(done)


def pattern_key(pattern: str) -> str:
    """The lookup key of a pattern: the whole path, its leading folders, a name in it, or its extension."""
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
    """Keys of every sequence of path parts, since a pattern may start at any folder."""
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
    """Whether a pattern matches a path.

    `*` stays within a folder, `**` crosses folders. A pattern without a leading slash may start at any folder; one that
    names a folder matches everything in it.
    """
    return any(_matches_glob(each, path) for each in _expand_braces(glob))


def _matches_glob(glob: str, path: str) -> bool:
    if not GLOB_CHARACTERS.search(glob) and not glob.startswith("/"):
        return f"/{glob.strip('/')}/" in f"/{path.strip('/')}/"
    parts = [part for part in glob.split("/") if part]
    names = [name for name in path.split("/") if name]
    return any(_matches_parts(parts, names, start) for start in range(1 if glob.startswith("/") else len(names)))


def _matches_parts(parts: Sequence[str], names: Sequence[str], at: int) -> bool:
    """Compare part by part: parts such as `*.ts` occur in many patterns and are compiled once."""
    for number, part in enumerate(parts):
        if part == "**":
            rest = parts[number + 1 :]
            return any(not rest or _matches_parts(rest, names, start) for start in range(at, len(names)))
        if at >= len(names) or not (names[at] == part or fnmatchcase(names[at], part)):
            return False
        at += 1
    return True
