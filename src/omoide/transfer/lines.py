"""The format: a header, one line a row, and an end that tells whether anything is missing or was changed.

{"omoide":"export","format":1,"embeddings":false,"counts":{…},"last":{…}}
{"session":{…}}
{"node":{…}}
…
{"end":{"lines":3,"digest":"…"}}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from omoide.errors import InvalidInput
from omoide.store import Line

FORMAT = 1
LONGEST = 64_000_000  # bytes of one line: sixty times the longest text; more is no line of ours


def encoded(document: Mapping[str, Any]) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def digested() -> hashlib.blake2b:
    """Against rot and scissors, not against an enemy."""
    return hashlib.blake2b(digest_size=16)


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself."""

    embeddings: bool
    counts: dict[str, int]
    last: dict[str, int]  # the last ids that were ever given, also to what is gone


def header(line: bytes) -> Header:
    found = _parsed(line, 1)
    if found.get("omoide") != "export":
        raise InvalidInput("line 1: this is not an export of Omoide; import_from() takes those of others")
    if type(found.get("format")) is not int or found["format"] < 1:
        raise InvalidInput(f"line 1: there is no format {found.get('format')!r}")
    if found["format"] > FORMAT:
        raise InvalidInput(f"line 1: format {found['format']} was written by a newer Omoide; upgrade to import it")
    return Header(bool(found.get("embeddings")), _numbers(found, "counts"), _numbers(found, "last"))


def checked(file: IO[bytes], progress: Callable[[int], object]) -> Header:
    """Reads the whole file once, before anything is written: every line is one, none is missing, none was changed."""
    digest, head, end, number = digested(), None, None, 0
    for number, line in numbered(file):
        if end is not None:
            raise InvalidInput(f"line {number} stands behind the end; two files in one?")
        if number == 1:
            head = header(line)
        else:
            end = _parsed(line, number).get("end")
        if end is None:
            digest.update(line)
        progress(len(line))
    if head is None:
        raise InvalidInput("line 1: the file is empty")
    _require_whole(end, number, digest.hexdigest())
    return head


def _require_whole(end: Any, number: int, digest: str) -> None:
    if not isinstance(end, dict):
        raise InvalidInput(f"line {number}: the file ends here, and its last line is missing; it was cut off")
    if end.get("lines") != number - 1:
        raise InvalidInput(f"line {number}: {end.get('lines')} lines were written, {number - 1} are here")
    if end.get("digest") != digest:
        raise InvalidInput(f"line {number}: the lines are not the ones that were written; export again, or find a copy")


def numbered(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers; one without an end, or of no end, is refused."""
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise InvalidInput(f"line {number} is longer than {LONGEST:,} bytes; it is no line of an export")
        if not line.endswith(b"\n"):
            raise InvalidInput(f"line {number} breaks off in the middle; the file was cut off")
        yield number, line


def batches(file: IO[bytes], size: int) -> Iterator[tuple[list[Line], int]]:
    """The rows of a file that was checked, so many at a time, and how many bytes they were."""
    rows: list[Line] = []
    bytes = 0
    for number, line in numbered(file):
        ((name, fields),) = _parsed(line, number).items() if number > 1 else (("", {}),)
        if name not in ("", "end"):
            rows.append(Line(number, name, fields))
            bytes += len(line)
        if len(rows) == size:
            yield rows, bytes
            rows, bytes = [], 0
    if rows:
        yield rows, bytes


def _parsed(line: bytes, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line.decode("utf-8"), parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"line {number} is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"line {number} is not an object")
    if number > 1 and (len(found) != 1 or not all(isinstance(each, dict) for each in found.values())):
        raise InvalidInput(f"line {number}: expected one row under the name of its table")
    return found


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _numbers(found: Mapping[str, Any], name: str) -> dict[str, int]:
    given = found.get(name, {})
    if not isinstance(given, dict) or not all(type(each) is int and each >= 0 for each in given.values()):
        raise InvalidInput(f"line 1: {name} are not counts")
    return given
