"""A folder of Markdown for people: a page for each entity, one for each day, an index; basic-memory can read it.

The same memory gives the same bytes. A list of our pages stands beside them: writing again replaces and removes those,
and nothing else; links in the folder are never followed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from omoide.clock import moment
from omoide.errors import CannotWrite, InvalidInput
from omoide.layers import Node
from omoide.store import Store
from omoide.transfer import paper

LIST = ".omoide-pages.json"
_OURS = re.compile(r"index\.md|(entities|days)/[^/\\\0]+\.md")
_BATCH = 500

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Written:
    """How many pages of each sort there are, how many changed, and how many of an earlier time were taken away."""

    path: str
    entities: int
    days: int
    changed: int
    removed: int


def write(store: Store, folder: Path, zone: tzinfo | None, shared: bool, progress: Progress | None) -> Written:
    """All pages. What is in the way and not ours is an error, before anything is written."""
    names = paper.files(store.page_names(shared))
    days = store.page_days(lambda at: moment(at).astimezone(zone).date().isoformat(), shared)
    wanted = ["index.md", *(f"entities/{file}.md" for file in names.values()), *(f"days/{day}.md" for day in days)]
    try:
        desk = _Desk(Path(os.path.realpath(folder)), wanted, progress)
        store.note_export(str(desk.root))  # a run that is cut off leaves pages, too
        for id, file in names.items():
            entity, nodes, relations = store.page(id, shared)
            desk.put(f"entities/{file}.md", paper.entity(entity, nodes, relations, names, zone, shared))
        for day, ids in days.items():
            held: dict[int, Node] = {}
            for start in range(0, len(ids), _BATCH):
                held |= store.nodes(ids[start : start + _BATCH])
            desk.put(f"days/{day}.md", paper.day(day, [held[id] for id in ids if id in held], zone))
        desk.put("index.md", paper.index(names, dict(store.page_names(shared)), list(days)))
        removed = desk.tidy()
    except OSError as error:
        raise CannotWrite(f"{folder} cannot be written: {error.strerror or error}") from error
    store.note_export(str(desk.root))
    return Written(str(folder), len(names), len(days), desk.changed, removed)


class _Desk:
    """The folder. It knows which pages are ours, and touches no others."""

    def __init__(self, root: Path, wanted: Iterable[str], progress: Progress | None) -> None:
        self.root = root
        self.changed = 0
        self._wanted = dict.fromkeys(wanted)
        self._progress = progress
        self._done = 0
        if root.exists() and not root.is_dir():
            raise InvalidInput(f"{root} is a file; name a folder")
        root.mkdir(mode=0o700, exist_ok=True)
        self._before = self._listed()
        for below in ("entities", "days"):
            self._require_folder(root / below)
        for name in self._wanted:
            if os.path.lexists(root / name) and (name not in self._before or (root / name).is_symlink()):
                raise InvalidInput(f"{root / name} is there and was not written by Omoide; choose another folder")
        self._list({**self._before, **self._wanted})  # a run that is cut off leaves no page that nobody owns

    def put(self, name: str, text: str) -> None:
        place, words = self.root / name, text.encode("utf-8", "replace")
        if not (place.is_file() and not place.is_symlink() and place.read_bytes() == words):
            self._write(place, words)
            self.changed += 1
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, len(self._wanted))

    def tidy(self) -> int:
        """Pages of what is no longer here go, too: what was forgotten must not stay readable."""
        gone = [name for name in self._before if name not in self._wanted]
        for name in gone:
            with suppress(FileNotFoundError):
                (self.root / name).unlink()
        self._list(self._wanted)
        return len(gone)

    def _require_folder(self, place: Path) -> None:
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise InvalidInput(f"{place} is no folder of its own; choose another folder")
        place.mkdir(mode=0o700, exist_ok=True)

    def _listed(self) -> dict[str, None]:
        place = self.root / LIST
        if not place.is_file() or place.is_symlink():
            return {}
        try:
            found = json.loads(place.read_text("utf-8"))["pages"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InvalidInput(f"{place} cannot be read; choose another folder, or remove it") from None
        return dict.fromkeys(name for name in found if isinstance(name, str) and _OURS.fullmatch(name))

    def _list(self, names: Mapping[str, None]) -> None:
        told = json.dumps({"pages": sorted(names)}, ensure_ascii=False, indent=0)
        self._write(self.root / LIST, told.encode("utf-8", "replace"))

    def _write(self, place: Path, words: bytes) -> None:
        """Under its name only once it is whole; a link of that name is replaced, not followed."""
        part = place.with_name(f".{os.getpid()}-{os.urandom(4).hex()}.part")
        try:
            with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(words)
            part.replace(place)
        finally:
            with suppress(FileNotFoundError):
                part.unlink()
