"""Parts that tests pass in: a clock that ticks, ids that count, a memory in a temporary file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields as dataclass_fields
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import Phase, settings

from omoide import Memory
from omoide.clock import Clock, to_micros
from omoide.domain import Node
from omoide.ids import UlidFactory, encode_ulid
from omoide.observe.drafts import RememberedStatement
from tests.open_file import open_file

# The same examples for everybody, none timed. Without the phase that explains a failure: it traces every line, and
# Python 3.11.7 crashes while tracing (the interpreter calls a trace function that was freed).
_PHASES = [phase for phase in Phase if phase is not Phase.explain]
settings.register_profile("omoide", derandomize=True, deadline=None, phases=_PHASES)
settings.load_profile("omoide")


def examples(few: int) -> int:
    """How many examples a slow test of any input takes; `make test-long` takes more."""
    return few * int(os.environ.get("TEST_EXAMPLES", "1"))


os.environ["OMOIDE_LEARN_AUTOMATICALLY"] = "0"  # no test is overtaken by a quiet moment; those about it say so


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--encrypted", action="store_true", help="Every file of the tests is encrypted.")


def pytest_configure(config: pytest.Config) -> None:
    """The key is in a file that processes of tests find as well."""
    if config.getoption("--encrypted") and "OMOIDE_KEY_FROM" not in os.environ:
        place, name = tempfile.mkstemp(prefix="omoide-test-key-")
        os.write(place, b"ab" * 32)
        os.close(place)
        os.environ["OMOIDE_KEY_FROM"] = f"file:{name}"
        config.add_cleanup(lambda: os.unlink(name))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is about files that are not encrypted: other programs and users read them."""
    if config.getoption("--encrypted"):
        items[:] = [each for each in items if each.get_closest_marker("plain") is None]


SECOND = 1_000_000
START = to_micros("2026-05-03T09:30:00+00:00")


NOW = datetime(2026, 2, 11, 9, 30, tzinfo=UTC)  # the day of the seeds' own examples


class Ticking:
    """A clock that is one step later each time somebody looks, and further when told."""

    def __init__(self, start: int = START, step: int = SECOND) -> None:
        self._next = start
        self._step = step

    def __call__(self) -> int:
        now, self._next = self._next, self._next + self._step
        return now

    def advance(self, *, days: float) -> None:
        self._next += int(days * 86_400 * SECOND)


def viewed_with_consent(memory: Memory) -> Memory:
    """The memory as its user sees it who consented to sensitive memories."""
    memory.trust.grant_consent("consented", "a test looks at everything", hours=24)
    return memory.viewed(consent="consented")


def ticking(start: int = START, step: int = SECOND) -> Clock:
    return Ticking(start, step)


def inserted(memory: Memory, text: str, sources: Sequence[int] = (), **given: Any) -> Node:
    """A memory stored as it is, as if another process had written it: without comparing it with what is known."""
    fields = {
        name: value
        for name, value in given.items()
        if name in {item.name for item in dataclass_fields(RememberedStatement)}
    }
    attributes = {name: value for name, value in given.items() if name not in fields}
    draft = memory._core.draft(RememberedStatement(text=text, attributes=attributes, **fields))
    return memory._core.store.nodes.remember(draft, sources)


def consented(memory: Memory, session: str = "with consent") -> str:
    """A session for which the user consented to show sensitive memories."""
    return memory.trust.grant_consent(session, "the user asked", hours=24).session


def without_mark(text: str) -> str:
    """A text with packs as if their fences had no random marks."""
    return re.sub("(?<=omoide-memory)-[a-z]{6}\\b", "", text)


def counted() -> UlidFactory:
    """Ids in the order in which they were asked for."""
    numbers = count(1)
    return lambda at: encode_ulid(next(numbers))


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


Open = Callable[..., Memory]


@pytest.fixture
def opened(path: str, clock: Clock) -> Iterator[Open]:
    """Opens the same file as often as asked, with whatever is passed; everything is closed in the end."""
    memories: list[Memory] = []
    ids = counted()

    def open_again(**given: object) -> Memory:
        parts: dict[str, object] = {"embedder": None, "clock": clock, "ids": ids} | given
        parts.setdefault("key", os.environ.get("OMOIDE_KEY_FROM"))  # also with settings of its own
        memories.append(Memory(path, **parts))  # type: ignore[arg-type]
        return memories[-1]

    yield open_again
    for memory in memories:
        memory.close()


@pytest.fixture
def memory(opened: Open) -> Memory:
    return opened()


def run(code: str, *arguments: object) -> str:
    """What a Python process of its own prints; its failure is ours."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """A Python process of its own, running beside us."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def contents(path: str) -> dict[str, int]:
    """How many rows each table of a file holds."""
    db = open_file(path, apsw.SQLITE_OPEN_READONLY)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    counts = {name: int(db.execute(f'SELECT count(*) FROM "{name}"').get) for name in tables}
    db.close()
    return counts


def unsound(memory: Memory) -> list[str]:
    """What the doctor finds wrong."""
    return [f"{finding.check}: {finding.detail}" for finding in memory.admin.doctor() if not finding.ok]
