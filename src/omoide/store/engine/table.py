"""Base class of the tables: functions of a connection, each run in a transaction of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from omoide.store.engine.connection import Connection
from omoide.store.engine.file import DatabaseFile

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[Concatenate[Connection, P], T]


class Table:
    """Holds the file; `reads` and `writes` bind functions to it."""

    def __init__(self, file: DatabaseFile) -> None:
        self._file = file


class reads(Generic[P, T]):
    """A function of a connection as a method of a table that runs it in a read transaction."""

    def __init__(self, work: Work[P, T]) -> None:
        self._work = work

    def __get__(self, table: Table, owner: type[Table]) -> Callable[P, T]:
        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            return table._file.read(self._work, *args, **kwargs)

        return run


class writes(Generic[P, T]):
    """A function of a connection as a method of a table that runs it in a write transaction."""

    def __init__(self, work: Work[P, T]) -> None:
        self._work = work

    def __get__(self, table: Table, owner: type[Table]) -> Callable[P, T]:
        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            return table._file.write(self._work, *args, **kwargs)

        return run
