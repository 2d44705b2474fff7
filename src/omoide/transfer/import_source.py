"""Reads the files of an import: a file, a folder or a ZIP archive, and JSON of any size one element at a time."""

from __future__ import annotations

import codecs
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, NoReturn

from omoide.errors import InvalidInput, NotFound

MAX_FILES = 200_000  # in one folder; with more, the path is probably a whole disk
MAX_UNPACKED_BYTES, MAX_RATIO = 100_000_000, 100  # an archive beyond both is a trap: text packs ten to one
MAX_WHOLE_FILE_BYTES = 256_000_000  # of a file that is read at once


class CountingReader:
    """A binary file that reports how many bytes were read from it."""

    def __init__(self, file: IO[bytes], count: Callable[[int], object]) -> None:
        self._file = file
        self._count = count

    def read(self, size: int) -> bytes:
        found = self._file.read(size)
        self._count(len(found))
        return found

    def readline(self, limit: int) -> bytes:
        found = self._file.readline(limit)
        self._count(len(found))
        return found


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of an import; `name` is its path relative to the folder or archive."""

    name: str
    size: int
    modified: str | None
    _open: Callable[[], IO[bytes]]
    _count: Callable[[int], object]
    _path: Path | None = None  # of a file that lies on the disk

    @property
    def stem(self) -> str:
        return self.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]

    @contextmanager
    def opened(self) -> Iterator[CountingReader]:
        try:
            with self._open() as file:
                yield CountingReader(file, self._count)
        except OSError as error:
            raise InvalidInput(f"{self.name}: {error.strerror or error}") from error
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:  # encrypted or truncated
            raise InvalidInput(f"{self.name}: the archive cannot be read ({error})") from error
        except Exception as error:
            if type(error).__module__ in ("zlib", "_lzma", "lzma"):
                raise InvalidInput(f"{self.name}: the archive cannot be read ({error})") from error
            raise

    def contents(self) -> bytes:
        """Returns the whole file. Raises InvalidInput if it is larger than MAX_WHOLE_FILE_BYTES."""
        if self.size > MAX_WHOLE_FILE_BYTES:
            raise InvalidInput(f"{self.name}: {self.size:,} bytes are too many to read at once; split the file")
        with self.opened() as file:
            return file.read(MAX_WHOLE_FILE_BYTES + 1)

    def is_sqlite(self) -> bool:
        return self.head(16) == b"SQLite format 3\0"

    @contextmanager
    def on_disk(self) -> Iterator[Path]:
        """Yields the path of the file, or of a copy if it lies in an archive."""
        if self._path is not None:
            self._count(self.size)
            yield self._path
            return
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            with self.opened() as given, copy.open("wb") as file:
                while chunk := given.read(1 << 20):
                    file.write(chunk)
            yield copy

    def text(self) -> str:
        try:
            return self.contents().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self.name} is not UTF-8 text (byte {error.start})") from error

    def head(self, size: int = 65_536) -> bytes:
        """Returns the first bytes, without counting them as read."""
        with SourceFile(self.name, self.size, None, self._open, lambda read: None).opened() as file:
            return file.read(size)


@dataclass(slots=True)
class ImportSource:
    """All files under a path, sorted by name; `done` of `size` bytes have been read."""

    path: Path
    files: list[SourceFile] = field(default_factory=list)
    done: int = 0
    is_folder: bool = False

    @property
    def size(self) -> int:
        return max(1, sum(file.size for file in self.files))

    def count(self, size: int) -> None:
        self.done += size


def open_source(path: str | Path) -> ImportSource:
    """Lists the files under a path without reading them. Symbolic links are not followed."""
    location = Path(path)
    source = ImportSource(location)
    try:
        if location.is_dir():
            source.is_folder = True
            source.files = list(_folder_files(source, location))
        elif not location.exists():
            raise NotFound(f"there is no file {path}")
        elif not location.is_file():
            raise InvalidInput(f"{path} is a device or a pipe; name a file, a folder or an archive")
        elif zipfile.is_zipfile(location):
            source.is_folder = True
            source.files = list(_archive_files(source, location))
        else:
            source.files = [_disk_file(source, location, location.name)]
    except zipfile.BadZipFile as error:
        raise InvalidInput(f"{path}: the archive cannot be read ({error})") from error
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror or error}") from error
    return source


def _folder_files(source: ImportSource, root: Path) -> Iterator[SourceFile]:
    count = 0
    for folder, inside, files in os.walk(root, followlinks=False):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for name in sorted(files):
            location = Path(folder) / name
            if name.startswith(".") or location.is_symlink() or not location.is_file():
                continue
            count += 1
            if count > MAX_FILES:
                raise InvalidInput(
                    f"{root} holds more than {MAX_FILES:,} files; name the folder that contains the memories"
                )
            yield _disk_file(source, location, location.relative_to(root).as_posix())


def _disk_file(source: ImportSource, location: Path, name: str) -> SourceFile:
    found = location.stat()
    modified = datetime.fromtimestamp(found.st_mtime, UTC).isoformat()
    return SourceFile(
        _printable_name(name), found.st_size, modified, lambda: open(location, "rb"), source.count, location
    )


def _archive_files(source: ImportSource, location: Path) -> Iterator[SourceFile]:
    archive = zipfile.ZipFile(location)  # stays open for its members: opening it reads the list of all of them
    members = [each for each in archive.infolist() if not each.is_dir()]
    whole, packed = sum(each.file_size for each in members), location.stat().st_size
    if whole > MAX_UNPACKED_BYTES and whole > MAX_RATIO * packed:
        raise InvalidInput(
            f"{location}: {packed:,} bytes would unpack to {whole:,}; unpack it yourself and name the folder"
        )
    for each in sorted(members, key=lambda each: each.filename):
        yield SourceFile(
            _printable_name(each.filename), each.file_size, None, partial(archive.open, each.filename), source.count
        )


def _printable_name(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")


CHUNK_CHARACTERS = 65_536  # doubled while an element is incomplete, so that parsing stays linear
MAX_ELEMENT_CHARACTERS = 64_000_000  # of one element or line; a lifetime of conversation is a tenth of that


def json_elements(source_file: SourceFile) -> Iterator[tuple[int, Any]]:
    """Yields number (from 1) and value of each element of a JSON list. Another document is the only element."""
    with source_file.opened() as file:
        window = _JsonWindow(file, source_file.name)
        if window.peek() != "[":
            yield 1, window.value(1)
            window.require_end()
            return
        window.step()
        number = 0
        if window.peek() == "]":
            window.step()
            window.require_end()
            return
        while True:
            number += 1
            yield number, window.value(number)
            sign = window.peek()
            if sign not in (",", "]"):
                window.refuse(number, "a comma or the end of the list is missing after it")
            window.step()
            if sign == "]":
                window.require_end()
                return


def json_lines(source_file: SourceFile) -> Iterator[tuple[int, Any, str | None]]:
    """Yields number, value and error of each line of a JSON lines file; with an error, the value is the line."""
    with source_file.opened() as file:
        number = 0
        while line := file.readline(MAX_ELEMENT_CHARACTERS + 1):
            number += 1
            if len(line) > MAX_ELEMENT_CHARACTERS:
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_ELEMENT_CHARACTERS)
                yield number, None, "line is too long"
                continue
            if not line.strip():
                continue
            try:
                yield number, parse_json(line.decode("utf-8-sig")), None
            except (ValueError, RecursionError):
                yield number, line.decode("utf-8", "replace").strip(), "line is not JSON"


def json_document(source_file: SourceFile) -> Any:
    """Returns the JSON document of a file."""
    try:
        return parse_json(source_file.text())
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{source_file.name} is not JSON ({error})") from error


class _JsonWindow:
    """A sliding window over a JSON file."""

    def __init__(self, file: CountingReader, name: str) -> None:
        self._file = file
        self._name = name
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._json = json.JSONDecoder(parse_constant=_reject_constant)

    def peek(self) -> str:
        """Returns the next character that is not white space, or "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._read_more(CHUNK_CHARACTERS)

    def step(self) -> None:
        self._at += 1

    def value(self, number: int) -> Any:
        """Returns the next value, however many chunks it spans."""
        size = CHUNK_CHARACTERS
        self.peek()
        while True:
            try:
                found, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                self.refuse(number, "it is nested too deeply")
            except ValueError as error:
                too_long = len(self._text) - self._at > MAX_ELEMENT_CHARACTERS
                if self._ended or too_long or not isinstance(error, json.JSONDecodeError):
                    self.refuse(number, f"{error}")
            else:
                if end < len(self._text) or self._ended:  # otherwise a number may continue
                    self._at = end
                    return found
            self._read_more(size)
            size *= 2

    def require_end(self) -> None:
        if self.peek():
            raise InvalidInput(f"{self._name}: there is text after the end; is it one JSON document?")

    def refuse(self, number: int, why: str) -> NoReturn:
        raise InvalidInput(f"{self._name}, element {number}: not JSON ({why})")

    def _read_more(self, size: int) -> None:
        chunk = self._file.read(size)
        self._ended = not chunk
        try:
            self._text = self._text[self._at :] + self._decode.decode(chunk, self._ended)
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self._name} is not UTF-8 text") from error
        self._at = 0


def parse_json(text: str) -> Any:
    return json.loads(text, parse_constant=_reject_constant)


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
