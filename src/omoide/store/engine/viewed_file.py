"""A file as one viewer sees it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Concatenate, ParamSpec, TypeVar

from omoide.domain.trust import Viewer
from omoide.store.engine.connection import Connection
from omoide.store.engine.file import DatabaseFile
from omoide.store.engine.writer import Work

P = ParamSpec("P")
T = TypeVar("T")


class ViewedFile(DatabaseFile):
    """A file as one viewer sees it. It cannot be written."""

    def __init__(self, file: DatabaseFile, viewer: Viewer) -> None:
        self._whole = file
        self._viewer = viewer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

    def read(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._whole._read(self._viewer, work, *args, **kwargs)

    def one_state(self) -> AbstractContextManager[None]:
        if self._whole._only is not None:
            return nullcontext()
        return self._whole._one_state(self._viewer)

    def snapshot(self, work: Work[T]) -> T:
        return self.read(work)

    def write_counted(self, counts: bool, work: Work[T]) -> T:
        raise TypeError("what a viewer sees cannot be written; write to the whole file")

    def alone(self, work: Work[T]) -> T:
        raise TypeError("what a viewer sees cannot be written; write to the whole file")
