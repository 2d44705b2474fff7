"""Every public method is documented completely: the interfaces and the reference pages are made from it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from omoide import Memory
from omoide.memory.memory import NAMESPACES
from omoide.memory.task import Task


def methods() -> Iterator[Any]:
    for name, kind in {"": Memory, **NAMESPACES, "task": Task}.items():
        for verb, method in inspect.getmembers(kind, callable):
            if not verb.startswith("_"):
                yield pytest.param(method, id=f"{name}.{verb}".lstrip("."))


def sections(method: Callable[..., Any]) -> dict[str, str]:
    """The parts of a docstring in Google style, by their titles; the summary under an empty one."""
    found = re.split(r"^(Args|Returns|Raises):\n", inspect.getdoc(method) or "", flags=re.M)
    return {"": found[0], **dict(zip(found[1::2], found[2::2], strict=True))}


@pytest.mark.parametrize("method", list(methods()))
def test_the_docstring_is_complete(method: Callable[..., Any]) -> None:
    parts = sections(method)
    signature = inspect.signature(method)
    summary = parts[""].split("\n\n")[0].strip()
    assert re.fullmatch(r"[A-Z][^\n]*\.", summary), "one line that ends with a full stop"
    documented = re.findall(r"^    (\w+): \S", parts.get("Args", ""), flags=re.M)
    assert documented == [*signature.parameters][1:]
    assert ("Returns" in parts) == (signature.return_annotation != "None")
