"""Writes the types of AsyncMemory from the source of Memory: `python -m tests.memory.async_stub`."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_overloads

from omoide.memory import async_memory, core
from omoide.memory.memory import NAMESPACES, Memory
from omoide.memory.task import Problem, Task
from omoide.working.live_session import LiveSession

STUB = Path(inspect.getfile(async_memory)).with_suffix(".pyi")
_HANDLES = {kind.__name__: f"Async{kind.__name__}" for kind in (Task, Problem, LiveSession, Memory)}


def stub() -> str:
    """Returns the text of the stub."""
    classes = [_class(kind, f"Async{kind.__name__}") for kind in (Problem, Task, LiveSession, *NAMESPACES.values())]
    classes.append(_class(Memory, "AsyncMemory"))
    body = "\n\n".join(classes)
    kinds = (Memory, Problem, Task, LiveSession, *NAMESPACES.values())
    modules = {inspect.getmodule(member) for kind in kinds for member in (kind, *_members(kind).values())} | {core}
    imports = _imports([module for module in modules if module is not None], _names(body))
    head = '"""Generated from Memory by `python -m tests.memory.async_stub`."""\n\n'
    return f"{head}{imports}\n\n{body}\n"


def _names(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def _members(kind: type) -> dict[str, Any]:
    found = {name: member for name, member in inspect.getmembers(kind) if not name.startswith("_")}
    return {name: member.fget if isinstance(member, property) else member for name, member in found.items()}


def _class(kind: type, name: str) -> str:
    lines = [f"class {name}:"]
    if kind is Memory:
        lines += [f"    {space}: Async{part.__name__}" for space, part in NAMESPACES.items()]
        opened = ast.unparse(_function(Memory.__init__).args).replace(
            "path: str | Path | None", "path: str | Path | Memory | None"
        )
        lines.append(f"    def __init__({opened}) -> None: ...")
    elif kind in (Problem, Task):
        lines.append("    id: int")
    for verb, member in _members(kind).items():
        if isinstance(inspect.getattr_static(kind, verb), property):
            lines.append(
                f"    @property\n    def {verb}(self) -> "
                f"{ast.unparse(_function(member).returns or ast.Name('Any'))}: ..."
            )
        else:
            lines += [f"    {each}" for each in _signatures(verb, member)]
    lines.append("    async def __aenter__(self) -> Self: ...")
    lines.append(
        "    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, "
        "trace: TracebackType | None) -> None: ..."
    )
    return "\n".join(lines)


def _signatures(name: str, method: Callable[..., Any]) -> Iterator[str]:
    several = get_overloads(method)
    for each in several or [method]:
        function = _function(each)
        (function.args.posonlyargs or function.args.args)[0].annotation = None  # self
        returns = ast.unparse(function.returns or ast.Name("Any"))
        returns = re.sub(r"\b(" + "|".join(_HANDLES) + r")\b", lambda found: _HANDLES[found[0]], returns)
        returns = re.sub(r"(?<!\.)\blist\[", "builtins.list[", returns)  # a class may have a method called list
        if several:
            yield "@overload"
        yield f"async def {name}({ast.unparse(function.args)}) -> {returns}: ..."


def _function(function: Callable[..., Any]) -> ast.FunctionDef:
    found = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def _imports(modules: list[Any], used: set[str]) -> str:
    """The imports of all these modules that bind a used name; a name must not mean two things."""
    found: dict[str, str] = {"builtins": "import builtins", "Memory": "from omoide.memory.memory import Memory"}
    found |= {"Self": "from typing import Self", "TracebackType": "from types import TracebackType"}
    for module in modules:
        tree = ast.parse(Path(inspect.getfile(module)).read_text("utf-8"))
        for name, statement in (*_bound(tree), *_defined(tree, module.__name__)):
            if name in used:
                assert found.setdefault(name, statement) == statement, f"{name} means two things: {statement}"
    return "\n".join(sorted(statement for name, statement in found.items() if name in used))


def _bound(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module imports, each with the import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((each.name, f"import {each.name}") for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module != "__future__" and node.module != "omoide.memory":
            for each in node.names:
                renamed = f" as {each.asname}" if each.asname else ""
                yield each.asname or each.name, f"from {node.module} import {each.name}{renamed}"


def _defined(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """The names that a module defines, each with an import."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name, f"from {module} import {node.name}"
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, f"from {module} import {node.targets[0].id}"


def write() -> None:
    """Writes the stub next to the module."""
    STUB.write_text(stub(), "utf-8")
    ruff = Path(sys.executable).with_name("ruff")
    subprocess.run([ruff, "check", "-q", "--fix", "--select", "I", STUB], check=True)
    subprocess.run([ruff, "format", "-q", STUB], check=True)


if __name__ == "__main__":
    write()
