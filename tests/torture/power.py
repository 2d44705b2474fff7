"""Power cuts at every moment of a recorded story: what was acknowledged is there, what was erased is not.

    python -m tests.torture.power --images 100000 --seconds 900

A story of verbs is recorded once, call of the disk by call. Then images are made of what a disk may hold after a cut:
everything synced by then and any of the later writes, whole or torn. Each is opened and examined.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from omoide import Memory, OmoideError
from tests.conftest import START, Ticking, unsound
from tests.torture.crowd import DAY, VERBS, Worker, base, fresh
from tests.torture.disk import Platter

NAMES = ("memory.db", "memory.db-wal")
STORY = 40  # verbs
PAGES = 20  # of the log between checkpoints: small, so that many happen
TRIES = 12  # images of one moment, if they differ
AGAIN = 20  # of so many whose content is known, one is opened as a memory anyway


@dataclass
class Told:
    """What the story had been told by a moment."""

    stored: dict[int, str] = field(default_factory=dict)
    erasing: set[int] = field(default_factory=set)
    erased: set[int] = field(default_factory=set)


class RecordingDisk(apsw.VFS):
    """Notes every change of the file and its log in order, and what the story is told."""

    def __init__(self, folder: Path) -> None:
        super().__init__("recording", "unix", makedefault=True)
        self.folder = folder
        self.events: list[tuple[str, str, int, bytes]] = []

    def note(self, what: str, name: Any, number: int = 0, data: bytes = b"") -> None:
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "-")
        if path.parent == self.folder and path.name in NAMES:
            self.events.append((what, path.name, number, data))

    def xOpen(self, name: Any, flags: Any) -> Any:
        return _RecordingFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        self.note("delete", filename)


class _RecordingFile(apsw.VFSFile):
    def __init__(self, disk: RecordingDisk, name: Any, flags: Any) -> None:
        self._disk, self._name = disk, name.filename() if isinstance(name, apsw.URIFilename) else name
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        super().xWrite(data, offset)
        self._disk.note("write", self._name, offset, bytes(data))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._disk.note("truncate", self._name, newsize)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._disk.note("sync", self._name)


class Storyteller(Worker):
    """Mixes verbs, opens the file again now and then, and notes among the calls of the disk what it was told."""

    def __init__(self, disk: RecordingDisk, seed: int) -> None:
        self._disk = disk
        super().__init__(disk.folder, "s", seed)
        self.checkpoint_often()

    def checkpoint_often(self) -> None:
        self.memory.observe("begin")
        connection = self.memory._store._file._writer._connection
        assert connection is not None
        connection.wal_autocheckpoint(PAGES)

    def say(self, *what: object) -> None:
        kind, id, text = (*what, "")[:3]
        if kind != "did":
            self._disk.events.append((str(kind), "", int(str(id)), str(text).encode()))

    def tell(self, verbs: int) -> None:
        for number in range(verbs):
            with suppress(OmoideError):
                getattr(self, self.luck.choice(VERBS))()
            if number % 10 == 9:
                self.memory.close()
                self.memory = Memory(self.folder / "memory.db", embedder=None, clock=self.memory._core.clock)
                self.checkpoint_often()
        self.memory.close()


def recorded(folder: Path, place: Path, seed: int) -> list[tuple[str, str, int, bytes]]:
    fresh(folder, place)
    disk = RecordingDisk(place)
    try:
        Storyteller(disk, seed).tell(STORY)
    finally:
        disk.unregister()
    return disk.events


class Disks:
    """What of the file and its log is certain, and what may be, while the events go by."""

    def __init__(self, file: bytes) -> None:
        self.platters = {NAMES[0]: Platter(file)}
        self.deleted: dict[str, Platter] = {}
        self.told = Told()

    def apply(self, what: str, name: str, number: int, data: bytes) -> None:
        if not name:
            self._tell(what, number, data.decode())
            return
        if what == "delete":
            self.deleted[name] = self.platters.pop(name, Platter(b""))
            return
        platter = self.platters.setdefault(name, Platter(b""))
        if what == "sync":
            platter.sync()
            self.deleted.pop(name, None)  # syncing a new log syncs its folder
        else:
            platter.pending.append((number, data if what == "write" else None))

    def _tell(self, what: str, id: int, text: str) -> None:
        if what == "stored":
            self.told.stored[id] = text
        elif what != "unclean":
            getattr(self.told, what).add(id)

    def images(self, luck: random.Random) -> Iterator[dict[str, bytes]]:
        """What a cut now may leave: first nothing of what is not synced, then all of it, then any part."""
        pending = sum(len(each.pending) for each in self.platters.values())
        for number in range(min(TRIES, 2**pending) if pending else 1 + bool(self.deleted)):
            found = {name: each.image(luck, (0.0, 1.0)[number] if number < 2 else 0.5) for name, each in self.all(luck)}
            yield found

    def all(self, luck: random.Random) -> list[tuple[str, Platter]]:
        back = {name: each for name, each in self.deleted.items() if luck.random() < 0.5 and name not in self.platters}
        return [*self.platters.items(), *back.items()]


class Examiner:
    """Examines the disks of a story.

    Most are recovered by SQLite to a content that an earlier disk had, byte for byte. Those are compared with what was
    told by then, like all; of them, only some are opened as a memory again.
    """

    def __init__(self) -> None:
        self._texts: dict[bytes, dict[int, str]] = {}
        self.seen = self.opened = 0

    def examine(self, path: Path, told: Told) -> None:
        content = recovered(path)
        self.seen += 1
        if content not in self._texts or not self.seen % AGAIN:
            self._texts[content] = opened(path)
            self.opened += 1
        compare(self._texts[content], told)


def recovered(path: Path) -> bytes:
    """A digest of all that SQLite reads there; the file and its log stay as they are."""
    db = apsw.Connection(str(path))
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    found = hashlib.sha256(db.serialize("main")).digest()
    db.close()
    Path(f"{path}-shm").unlink(missing_ok=True)
    return found


def opened(path: Path) -> dict[int, str]:
    with Memory(path, embedder=None, clock=Ticking(START + 4 * DAY)) as memory:
        assert not (found := unsound(memory)), found
        return {node.id: node.text for node in memory.list(state="all", limit=100_000).items}


def compare(texts: dict[int, str], told: Told) -> None:
    own = [text for text in texts.values() if text.startswith("word")]
    assert len(own) == len(set(own))
    for id, text in told.stored.items():
        assert id in told.erasing or texts[id] == text, (id, text)
    assert not told.erased & texts.keys()


def cut(folder: Path, seed: int, most: int, until: Callable[[], bool], step: int) -> Counter[str]:
    """Makes and examines images of one story, at every so many calls. Keeps one that fails."""
    events = recorded(folder, folder / f"story-{seed}", seed)
    disks, luck, seen = Disks((folder / "base.db").read_bytes()), random.Random(seed), set[int]()
    totals, examiner = Counter(events=len(events)), Examiner()
    for number, event in enumerate(events):
        disks.apply(*event)
        if number % step or event[0] == "erasing" or until() or totals["images"] >= most:
            continue
        for image in disks.images(luck):
            mark = hash((tuple(sorted(image.items())), len(disks.told.stored), len(disks.told.erased)))
            if mark in seen:
                continue
            seen.add(mark)
            place = folder / "image"
            place.mkdir()
            for name, content in image.items():
                (place / name).write_bytes(content)
            words = [disks.told.stored[id].split()[0].encode() for id in disks.told.erased & disks.told.stored.keys()]
            assert not any(word in content for word in words for content in image.values())
            examiner.examine(place / NAMES[0], disks.told)
            shutil.rmtree(place)
            totals["images"] += 1
    shutil.rmtree(folder / f"story-{seed}")
    told = Counter(stored=len(disks.told.stored), erased=len(disks.told.erased))
    return totals + told + Counter({"opened as memories": examiner.opened})


def run(folder: Path, images: int, until: Callable[[], bool], seed: int, step: int) -> Counter[str]:
    base(folder)
    totals: Counter[str] = Counter()
    while totals["images"] < images and not until():
        totals += cut(folder, seed, images - totals["images"], until, step)
        totals["stories"] += 1
        seed += 1
    return totals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=3_600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--step", type=int, default=1, help="calls of the disk of which one is followed by a cut")
    parser.add_argument("--folder", type=Path, help="where the files are; those that fail stay there")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=given.folder))
    over = time.monotonic() + given.seconds
    found = run(folder, given.images, lambda: time.monotonic() > over, given.seed, given.step)
    print(", ".join(f"{count} {name}" for name, count in found.items()))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
