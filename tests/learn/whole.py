"""A store with every kind of thing to learn, and all that a file holds, for comparing two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count
from typing import Any

import apsw

from omoide import Memory
from omoide.ids import encode_ulid
from tests.conftest import NOW, START, Ticking

DEPLOY = ["git pull", "npm test", "vercel --prod"]
SESSIONS: dict[str, Sequence[tuple[str, str]]] = {
    "s1": [
        ("user", "My name is Otto. I live in São Paulo and I work at Siemens."),
        ("agent", "Nice to meet you, Otto!"),
        ("user", "My sister Anna is a nurse. I hate Docker, never suggest it."),
        ("user", "To deploy: 1. run the tests 2. npm run build 3. vercel --prod"),
    ],
    "s2": [
        ("user", "I think Kotlin is overrated."),
        ("agent", "You live in São Paulo, right?"),
        ("user", "No, that's wrong. I moved to Berlin last month."),
        ("user", "Always use pnpm, not npm."),
        ("agent", "The deploy failed with exit code 1."),
        ("user", "That's why we had to roll back the release."),
    ],
    "s3": [
        ("user", "Anna lives in Denver. My brother Tom works at NASA."),
        ("user", "I love Kotlin. I no longer work at Siemens."),
        ("user", "Use pnpm, not npm! Anna is 30 years old."),
        ("user", "Anna works at Siemens, and Anna likes chess."),
    ],
}

WRITES = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "RELEASE", "COMMIT")


def still() -> Ticking:
    """A clock that stands, so that two runs can be compared to the microsecond."""
    return Ticking(START, 0)


def opened(path: str, *, first_id: int = 1, **given: Any) -> Memory:
    numbers = count(first_id)
    parts: dict[str, Any] = {"embedder": None, "clock": still(), "ids": lambda at: encode_ulid(next(numbers))}
    return Memory(path, **(parts | given))


def fill(memory: Memory, sessions: Sequence[str] = tuple(SESSIONS)) -> None:
    for name in sessions:
        for turn in turns_of(name):
            memory.observe(**turn)
        memory.end(name)
    for day in range(3):
        for number, step in enumerate(DEPLOY):
            at = NOW + timedelta(days=70 + day, minutes=number)
            memory.observe(step, role="agent", type="action", session=f"work {day}", at=at)


def turns_of(name: str) -> Iterator[dict[str, Any]]:
    begun = NOW - timedelta(days=60 - 20 * list(SESSIONS).index(name))
    for number, (role, text) in enumerate(SESSIONS[name]):
        yield {"text": text, "role": role, "session": name, "at": begun + timedelta(minutes=number)}


def dump(path: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, without what must differ: random ids and the marks of who wrote last."""
    db = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    held = {
        table: _rows(db, table)
        for table in tables
        if table not in ("write_mark", "audit") and not table.startswith("nodes_fts_")
    }
    db.close()
    return held


def _rows(db: apsw.Connection, table: str) -> list[tuple[Any, ...]]:
    columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")') if row[1] != "ulid"]
    return sorted(db.execute(f'SELECT {", ".join(columns)} FROM "{table}"'), key=repr)


class PowerCut(BaseException):
    """Nobody catches it."""


class Fuse:
    """Counts the statements that write, on every connection, and blows at the one that it is told."""

    def __init__(self) -> None:
        self.burnt = 0
        self.at: int | None = None

    def __call__(self, cursor: Any, sql: str, bindings: Any) -> bool:
        if sql.lstrip().startswith(WRITES):
            self.burnt += 1
            if self.burnt == self.at:
                raise PowerCut(sql)
        return True

    def install(self, db: apsw.Connection) -> None:
        db.exec_trace = self
