"""The records that importers yield, how fields of foreign documents are read, and the report of an import."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from omoide.clock import EARLIEST, EPOCH, LATEST
from omoide.transfer.import_source import SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTurn:
    """A turn, an action or a tool result of a conversation. `where` is its location in the source."""

    text: str
    where: str
    key: str
    role: str
    session: str | None = None
    channel: str | None = None
    speaker: str | None = None
    at: str | None = None
    type: str | None = None
    outcome: str | None = None
    tags: tuple[str, ...] = ()
    details: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedStatement:
    """A stored sentence or note. `about` names entities it mentions; `subject` is the entity that it is an
    observation of in a graph. `version` is the key of this wording, if the other system may change the words of the
    memory with this `key`."""

    text: str
    where: str
    key: str
    kind: str = "note"
    title: str | None = None
    category: str | None = None
    about: tuple[str, ...] = ()
    subject: str | None = None
    version: str | None = None
    at: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    tags: tuple[str, ...] = ()
    details: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEntity:
    """An entity."""

    name: str
    where: str
    type: str | None = None
    aliases: tuple[str, ...] = ()
    description: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRelation:
    """A relation between two entities, such as works_at, uses or knows."""

    source: str
    type: str
    target: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedLink:
    """A link from one note to another, by their keys."""

    source: str
    target: str
    where: str
    type: str = "related_to"
    predicate: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedRecord:
    """A record that was skipped, and the reason. `words` is what it says if it was not left out on purpose: they
    are kept in a note."""

    reason: str
    where: str
    count: int = 1
    words: str = ""


ImportedRecord = ImportedTurn | ImportedStatement | ImportedEntity | ImportedRelation | ImportedLink | SkippedRecord


@dataclass(frozen=True, slots=True)
class ImportFormat:
    """How to read the files of another system. `wants` tells by its name whether a file has this format."""

    name: str
    about: str
    wants: Callable[[str], bool]
    read: Callable[[Sequence[SourceFile]], Iterator[ImportedRecord]]


def each_file(
    read: Callable[[SourceFile], Iterator[ImportedRecord]],
) -> Callable[[Sequence[SourceFile]], Iterator[ImportedRecord]]:
    """Reads file by file: no record depends on another file."""
    return lambda source_files: (record for source_file in source_files for record in read(source_file))


def fingerprint(*parts: Any) -> str:
    """Returns a digest that identifies content without an id."""
    document = json.dumps(parts, ensure_ascii=True, default=str)
    return hashlib.blake2b(document.encode(), digest_size=12).hexdigest()


def record_words(given: Any) -> str:
    """Returns what a record says that has no place here: its text, or its JSON if that contains any."""
    if isinstance(given, str):
        return clean_text(given)
    return clean_text(json.dumps(given, ensure_ascii=False, default=str)) if _says_something(given) else ""


def _says_something(given: Any) -> bool:
    if isinstance(given, Mapping):
        return any(_says_something(each) for field, each in given.items() if field not in _IDENTITY_FIELDS)
    if isinstance(given, list | tuple):
        return any(map(_says_something, given))
    return isinstance(given, str) and given.strip() != ""


_IDENTITY_FIELDS = frozenset(
    ("id", "uuid", "hash", "type", "role", "sender", "user_id", "agent_id", "run_id", "created_at", "updated_at")
)


def with_title(title: str, text: str) -> str:
    """Returns the text, preceded by the title unless it contains it, so that it is clear on its own."""
    return text if title.casefold() in text.casefold() else f"{title}: {text}"


_EXAMPLES_PER_KIND = 5
_EXAMPLE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class ForeignImportReport:
    """Result of importing a file of another system.

    `counts`: by kind, how many were added, existed (same) or stay forgotten; `skipped`: counts by reason;
    `unplaced`: of those, how many had no place here, so that their words are kept in a note with the category
    `unplaced`; `examples`: the first added records (kind, where, text); `left_out`: the first skipped ones
    (reason, where).
    """

    path: str
    format: str
    dry_run: bool
    counts: dict[str, dict[str, int]]
    skipped: dict[str, int]
    examples: tuple[tuple[str, str, str], ...]
    left_out: tuple[tuple[str, str], ...]
    unplaced: dict[str, int] = field(default_factory=dict)

    def total(self, outcome: str) -> int:
        return sum(each.get(outcome, 0) for each in self.counts.values())


@dataclass(slots=True)
class ImportTally:
    """Collects the counts and examples of a ForeignImportReport."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[str, str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    unplaced: dict[str, int] = field(default_factory=dict)

    def count(self, kind: str, outcome: str, where: str, text: str) -> None:
        held = self.counts.setdefault(kind, {})
        held[outcome] = held.get(outcome, 0) + 1
        if outcome == "added" and sum(each[0] == kind for each in self.examples) < _EXAMPLES_PER_KIND:
            flat = " ".join(text.split())
            self.examples.append(
                (kind, where, flat if len(flat) <= _EXAMPLE_CHARACTERS else flat[: _EXAMPLE_CHARACTERS - 1] + "…")
            )

    def skip(self, reason: str, where: str, count: int = 1) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + count
        if sum(each[0] == reason for each in self.left_out) < _EXAMPLES_PER_KIND:
            self.left_out.append((reason, where))

    def report(self, path: str, format: str, dry_run: bool) -> ForeignImportReport:
        return ForeignImportReport(
            path, format, dry_run, self.counts, self.skipped, tuple(self.examples), tuple(self.left_out), self.unplaced
        )


# Reads fields of documents that other programs wrote. A field of the wrong type counts as missing.


_MILLISECONDS = 100_000_000_000  # as seconds the year 5138: larger numbers are milliseconds
_UNNAMED = re.compile(r"[^\w.\-]+")


def clean_text(value: Any) -> str:
    """Returns a text without NUL and lone surrogates, or "" if the value is not a text."""
    if not isinstance(value, str):
        return ""
    text = value.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.strip()


def one_line_name(value: Any) -> str | None:
    """Returns an id or name on one line, or None."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**30 else None
    return " ".join(clean_text(value).split())[:200] or None


def as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def name_list(value: Any) -> tuple[str, ...]:
    """Returns the names in a list, or in a text separated by commas."""
    given = value.split(",") if isinstance(value, str) else as_list(value)
    found = (one_line_name(each) for each in given)
    return tuple(dict.fromkeys(each for each in found if each))


def first_filled(given: Mapping[str, Any], *fields: str) -> Any:
    """Returns the value of the first field that is not empty."""
    return next((given[field] for field in fields if given.get(field) not in (None, "", [], {})), None)


def iso_time(value: Any) -> str | None:
    """Converts an ISO time, seconds or milliseconds to ISO 8601 with offset; UTC if there is none.

    Returns None for other values and for times outside the valid range.
    """
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) > _MILLISECONDS else value
            found = EPOCH + timedelta(seconds=seconds)
        else:
            found = datetime.fromisoformat(str(value).strip())
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        return found.isoformat() if EARLIEST <= found < LATEST else None
    except (ValueError, OverflowError, TypeError):
        return None


def day_in_text(text: str) -> str | None:
    """Returns noon UTC of the first date in a file name or heading; noon is that day in nearly all time zones."""
    found = _DAY.search(text)
    return iso_time(f"{found[1]}-{found[2]}-{found[3]}T12:00:00+00:00") if found else None


_DAY = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


def tool_role(value: Any) -> str:
    """Returns the role tool:NAME, without characters that a role cannot contain."""
    return "tool:" + (_UNNAMED.sub("_", one_line_name(value) or "").strip("_.-")[:80] or "tool")


def message_text(content: Any) -> str:
    """Returns the text of a message: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return clean_text(content)
    found = []
    for each in as_list(content):
        if isinstance(each, str):
            found.append(clean_text(each))
        elif as_mapping(each).get("type", "text") in ("text", "input_text", "output_text"):
            found.append(clean_text(as_mapping(each).get("text")))
    return "\n".join(each for each in found if each)


CLAUDE_CODE_CHANNEL = "claude-code"
TOOL_INPUT_CHARACTERS = 500  # of a tool input


def shorten_value(value: Any, length: int = TOOL_INPUT_CHARACTERS) -> str:
    """Returns the input or output of a tool as text of at most `length` characters."""
    document = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str) if value else ""
    text = clean_text(document)
    return text if len(text) <= length else text[: length - 1] + "…"


def tool_call_text(name: Any, arguments: Any) -> str:
    """Returns a tool call as text: the name of the tool and its shortened arguments."""
    return f"{one_line_name(name) or 'tool'} {shorten_value(arguments)}".strip()


def text_blocks(content: Any) -> str:
    """Returns the text of a Claude Code message: a string, or its text blocks."""
    if isinstance(content, str):
        return content.strip()
    blocks = content if isinstance(content, list) else []
    texts = [each.get("text", "") for each in blocks if isinstance(each, dict) and each.get("type") == "text"]
    return "\n".join(each for each in texts if isinstance(each, str)).strip()


def claude_code_session(id: Any) -> str:
    return f"{CLAUDE_CODE_CHANNEL}:{one_line_name(id) or 'unknown'}"


def claude_code_key(uuid: str) -> str:
    return f"claude:{uuid}"


def turn_key(agent: str, turn: str, role: str, text: str) -> str:
    """The key of words said in a turn of a coding agent: the same for its hook and its transcript."""
    return f"{agent}:{turn}:{role}:{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def call_key(agent: str, session: str, call: str) -> str | None:
    """The key of a tool call of a coding agent, if the call has an id."""
    return f"{agent}:{session}:{call}" if call else None


_OWN_TOOL = re.compile(r"ToolSearch|mcp__(plugin_omoide_)?omoide__.*|mcp_omoide_.*|omoide[_.].*")


def is_own_tool_name(name: str) -> bool:
    """Whether a tool of a coding agent is one of ours, or the agent's search for tools."""
    return _OWN_TOOL.fullmatch(name) is not None
