"""A file as one viewer sees it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, ParamSpec, TypeVar

from omoide.domain.trust import Viewer
from omoide.store.engine.file import DatabaseFile, TableFunction
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

    def read(self, work: TableFunction[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._whole._read(self._viewer, work, *args, **kwargs)

    def one_state(self) -> AbstractContextManager[None]:
        if self._whole._only is not None:
            return nullcontext()
        return self._whole._one_state(self._viewer)

    def snapshot(self, work: Work[T]) -> T:
        return self.read(work)

    def _write(self, work: Work[T], *, counts: bool) -> T:
        raise TypeError("what a viewer sees cannot be written; write to the whole file")

    def alone(self, work: Work[T]) -> T:
        raise TypeError("what a viewer sees cannot be written; write to the whole file")
