"""Where foreign memories lie: a file, a folder or a ZIP archive, read page by page and counted as it is read."""

from __future__ import annotations

import codecs
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, NoReturn

from omoide.errors import InvalidInput, NotFound

MAX_FILES = 200_000  # files of one folder: more is no folder of notes, but a disk
MAX_WHOLE_FILE_BYTES = 256_000_000  # bytes of a file that is read whole


class CountingReader:
    """A file that tells how much of it was read."""

    def __init__(self, file: IO[bytes], told: Callable[[int], object]) -> None:
        self._file = file
        self._told = told

    def read(self, size: int) -> bytes:
        found = self._file.read(size)
        self._told(len(found))
        return found

    def readline(self, limit: int) -> bytes:
        found = self._file.readline(limit)
        self._told(len(found))
        return found


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file, by its name in the folder."""

    name: str
    size: int
    modified: str | None
    _open: Callable[[], IO[bytes]]
    _told: Callable[[int], object]

    @property
    def stem(self) -> str:
        return self.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]

    @contextmanager
    def opened(self) -> Iterator[CountingReader]:
        try:
            with self._open() as file:
                yield CountingReader(file, self._told)
        except OSError as error:
            raise InvalidInput(f"{self.name}: {error.strerror or error}") from error
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:  # encrypted, cut off
            raise InvalidInput(f"{self.name}: the archive cannot be read ({error})") from error
        except Exception as error:
            if type(error).__module__ in ("zlib", "_lzma", "lzma"):
                raise InvalidInput(f"{self.name}: the archive cannot be read ({error})") from error
            raise

    def contents(self) -> bytes:
        """The whole of it, for what is small by nature."""
        if self.size > MAX_WHOLE_FILE_BYTES:
            raise InvalidInput(f"{self.name}: {self.size:,} bytes are too many to be read at once; split it")
        with self.opened() as file:
            return file.read(MAX_WHOLE_FILE_BYTES + 1)

    def text(self) -> str:
        try:
            return self.contents().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self.name} is not text in UTF-8 (byte {error.start})") from error

    def head(self, size: int = 65_536) -> bytes:
        """How it begins; this is not counted as read."""
        with SourceFile(self.name, self.size, None, self._open, lambda read: None).opened() as file:
            return file.read(size)


@dataclass(slots=True)
class ImportSource:
    """All pages under a path, in the order of their names; `done` of `size` bytes were read."""

    path: Path
    pages: list[SourceFile] = field(default_factory=list)
    done: int = 0
    is_folder: bool = False

    @property
    def size(self) -> int:
        return max(1, sum(page.size for page in self.pages))

    def told(self, count: int) -> None:
        self.done += count


def open_source(path: str | Path) -> ImportSource:
    """Looks at what is there; nothing is read yet. Links that lead out of a folder are not followed."""
    place = Path(path)
    source = ImportSource(place)
    try:
        if place.is_dir():
            source.is_folder = True
            source.pages = list(_folder_files(source, place))
        elif not place.exists():
            raise NotFound(f"there is no file {path}")
        elif zipfile.is_zipfile(place):
            source.is_folder = True
            source.pages = list(_archive_files(source, place))
        else:
            source.pages = [_disk_file(source, place, place.name)]
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
            place = Path(folder) / name
            if name.startswith(".") or place.is_symlink() or not place.is_file():
                continue
            count += 1
            if count > MAX_FILES:
                raise InvalidInput(f"{root} holds more than {MAX_FILES:,} files; name the folder of the memories in it")
            yield _disk_file(source, place, place.relative_to(root).as_posix())


def _disk_file(source: ImportSource, place: Path, name: str) -> SourceFile:
    found = place.stat()
    modified = datetime.fromtimestamp(found.st_mtime, UTC).isoformat()
    return SourceFile(_printable_name(name), found.st_size, modified, lambda: open(place, "rb"), source.told)


def _archive_files(source: ImportSource, place: Path) -> Iterator[SourceFile]:
    archive = zipfile.ZipFile(place)
    source_names = sorted((each for each in archive.infolist() if not each.is_dir()), key=lambda each: each.filename)
    for each in source_names:
        yield SourceFile(
            _printable_name(each.filename), each.file_size, None, _member_opener(place, each.filename), source.told
        )
    archive.close()


def _member_opener(place: Path, name: str) -> Callable[[], IO[bytes]]:
    return lambda: _ArchiveMember(zipfile.ZipFile(place), name)  # type: ignore[return-value]


class _ArchiveMember:
    """A member of an archive that closes the archive with itself."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive = archive
        self._file = archive.open(name)
        self.read, self.readline = self._file.read, self._file.readline

    def __enter__(self) -> _ArchiveMember:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._archive.close()


def _printable_name(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")


# JSON of any size with the memory of one element: a long list is read one element after the other.


CHUNK_CHARACTERS = (
    65_536  # characters; doubled while an element is not whole, so that reading it again costs no more than it
)
MAX_ELEMENT_CHARACTERS = (
    64_000_000  # characters of one element or line: a conversation of a lifetime is a tenth of that
)


def json_elements(page: SourceFile) -> Iterator[tuple[int, Any]]:
    """The elements of the list that a file holds, counted from 1; a file that holds no list is its only element."""
    with page.opened() as file:
        window = _JsonWindow(file, page.name)
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
                window.refuse(number, "a comma or the end of the list is missing behind it")
            window.step()
            if sign == "]":
                window.require_end()
                return


def json_lines(page: SourceFile) -> Iterator[tuple[int, Any, str | None]]:
    """The lines of a file of JSON: number, value, and why there is none."""
    with page.opened() as file:
        number = 0
        while line := file.readline(MAX_ELEMENT_CHARACTERS + 1):
            number += 1
            if len(line) > MAX_ELEMENT_CHARACTERS:
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_ELEMENT_CHARACTERS)
                yield number, None, "a line is too long"
                continue
            if not line.strip():
                continue
            try:
                yield number, parse_json(line.decode("utf-8-sig")), None
            except (ValueError, RecursionError):
                yield number, None, "a line is not JSON"


def json_document(page: SourceFile) -> Any:
    """The one document of a file."""
    try:
        return parse_json(page.text())
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{page.name} is not JSON ({error})") from error


class _JsonWindow:
    """The part of a file that is being looked at."""

    def __init__(self, file: CountingReader, name: str) -> None:
        self._file = file
        self._name = name
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._json = json.JSONDecoder(parse_constant=_reject_constant)

    def peek(self) -> str:
        """The next character that is no space; nothing at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._more(CHUNK_CHARACTERS)

    def step(self) -> None:
        self._at += 1

    def value(self, number: int) -> Any:
        """The next value, however many chunks it spans."""
        size = CHUNK_CHARACTERS
        self.peek()
        while True:
            try:
                found, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                self.refuse(number, "it is nested too deeply")
            except ValueError as error:
                if (
                    self._ended
                    or len(self._text) - self._at > MAX_ELEMENT_CHARACTERS
                    or not isinstance(error, json.JSONDecodeError)
                ):
                    self.refuse(number, f"{error}")
            else:
                if end < len(self._text) or self._ended:  # else a number might go on
                    self._at = end
                    return found
            self._more(size)
            size *= 2

    def require_end(self) -> None:
        if self.peek():
            raise InvalidInput(f"{self._name}: something stands behind the end; is it one JSON document?")

    def refuse(self, number: int, why: str) -> NoReturn:
        raise InvalidInput(f"{self._name}, element {number}: not JSON ({why})")

    def _more(self, size: int) -> None:
        chunk = self._file.read(size)
        self._ended = not chunk
        try:
            self._text = self._text[self._at :] + self._decode.decode(chunk, self._ended)
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self._name} is not text in UTF-8") from error
        self._at = 0


def parse_json(text: str) -> Any:
    return json.loads(text, parse_constant=_reject_constant)


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
