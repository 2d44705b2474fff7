"""Copies of frozen records with some values changed."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def changed(record: T, **values: Any) -> T:
    """As `dataclasses.replace`, in a quarter of the time: for a record without slots, whose fields check nothing.

    A recall makes some forty such copies.
    """
    copy = object.__new__(type(record))
    copy.__dict__.update(record.__dict__, **values)
    return copy
