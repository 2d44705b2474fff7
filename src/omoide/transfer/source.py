"""Where foreign memories lie: a file, a folder or a ZIP archive, read page by page and counted as it is read."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from omoide.errors import InvalidInput, NotFound

MANY = 200_000  # files of one folder: more is no folder of notes, but a disk
SMALL = 256_000_000  # bytes of a file that is read whole


class Reader:
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
class Page:
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
    def opened(self) -> Iterator[Reader]:
        try:
            with self._open() as file:
                yield Reader(file, self._told)
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
        if self.size > SMALL:
            raise InvalidInput(f"{self.name}: {self.size:,} bytes are too many to be read at once; split it")
        with self.opened() as file:
            return file.read(SMALL + 1)

    def text(self) -> str:
        try:
            return self.contents().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{self.name} is not text in UTF-8 (byte {error.start})") from error

    def head(self, size: int = 65_536) -> bytes:
        """How it begins; this is not counted as read."""
        with Page(self.name, self.size, None, self._open, lambda read: None).opened() as file:
            return file.read(size)


@dataclass(slots=True)
class Source:
    """All pages under a path, in the order of their names; `done` of `size` bytes were read."""

    path: Path
    pages: list[Page] = field(default_factory=list)
    done: int = 0
    is_folder: bool = False

    @property
    def size(self) -> int:
        return max(1, sum(page.size for page in self.pages))

    def told(self, count: int) -> None:
        self.done += count


def opened(path: str | Path) -> Source:
    """Looks at what is there; nothing is read yet. Links that lead out of a folder are not followed."""
    place = Path(path)
    source = Source(place)
    try:
        if place.is_dir():
            source.is_folder = True
            source.pages = list(_folder(source, place))
        elif not place.exists():
            raise NotFound(f"there is no file {path}")
        elif zipfile.is_zipfile(place):
            source.is_folder = True
            source.pages = list(_archive(source, place))
        else:
            source.pages = [_file(source, place, place.name)]
    except zipfile.BadZipFile as error:
        raise InvalidInput(f"{path}: the archive cannot be read ({error})") from error
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror or error}") from error
    return source


def _folder(source: Source, root: Path) -> Iterator[Page]:
    count = 0
    for folder, inside, files in os.walk(root, followlinks=False):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for name in sorted(files):
            place = Path(folder) / name
            if name.startswith(".") or place.is_symlink() or not place.is_file():
                continue
            count += 1
            if count > MANY:
                raise InvalidInput(f"{root} holds more than {MANY:,} files; name the folder of the memories in it")
            yield _file(source, place, place.relative_to(root).as_posix())


def _file(source: Source, place: Path, name: str) -> Page:
    found = place.stat()
    modified = datetime.fromtimestamp(found.st_mtime, UTC).isoformat()
    return Page(_shown(name), found.st_size, modified, lambda: open(place, "rb"), source.told)


def _archive(source: Source, place: Path) -> Iterator[Page]:
    archive = zipfile.ZipFile(place)
    source_names = sorted((each for each in archive.infolist() if not each.is_dir()), key=lambda each: each.filename)
    for each in source_names:
        yield Page(_shown(each.filename), each.file_size, None, _member(place, each.filename), source.told)
    archive.close()


def _member(place: Path, name: str) -> Callable[[], IO[bytes]]:
    return lambda: _Closing(zipfile.ZipFile(place), name)  # type: ignore[return-value]


class _Closing:
    """A member of an archive that closes the archive with itself."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive = archive
        self._file = archive.open(name)
        self.read, self.readline = self._file.read, self._file.readline

    def __enter__(self) -> _Closing:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._archive.close()


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")
