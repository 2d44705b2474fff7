"""Help pages: a flag is told by its name alone, without the kind of value that it does not take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup


class Verb(TyperCommand):
    def get_params(self, ctx: Any) -> Any:
        return _bare(super().get_params(ctx))


class Group(TyperGroup):
    def get_params(self, ctx: Any) -> Any:
        return _bare(super().get_params(ctx))


def _bare(options: Iterable[Any]) -> list[Any]:
    found = list(options)
    for each in found:
        if getattr(each, "is_flag", False) and each.metavar is None:
            each.metavar = ""
    return found
