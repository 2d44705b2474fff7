"""Counts files, lines and classes of the source, and the files and functions that one call of each verb runs.

`python bench/structure.py` prints a Markdown table. With `--write docs/explanation/architecture.md` the table replaces
the text between the markers `<!-- structure:begin -->` and `<!-- structure:end -->` of that page.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import statistics
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import omoide
from omoide import Memory, Settings

PACKAGE = Path(omoide.__file__).parent
LONG_FILE = 450  # lines
MANY_BASES = 3
BEGIN, END = "<!-- structure:begin -->", "<!-- structure:end -->"
_NOW = 1_780_000_000_000_000  # microseconds: a fixed clock keeps the counts the same on every run


# Static counts


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """Counts of a package. Lists name what should not be there."""

    files: int
    lines: int
    median: int
    long_files: list[str]
    repeated_stems: list[str]  # "folder/stem", a top-level folder with its subfolders
    repeated_classes: list[str]
    many_bases: list[str]


def count_source(package: Path = PACKAGE) -> SourceCounts:
    """Counts the Python files of a package."""
    texts = {path.relative_to(package): path.read_text("utf-8") for path in sorted(package.rglob("*.py"))}
    lengths = {path: text.count("\n") for path, text in texts.items()}
    modules = [path for path in texts if path.stem != "__init__"]
    stems = Counter(f"{path.parts[0]}/{path.stem}" for path in modules if len(path.parts) > 1)
    classes = [node for text in texts.values() for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    names = Counter(node.name for node in classes if not node.name.startswith("_"))
    return SourceCounts(
        files=len(texts),
        lines=sum(lengths.values()),
        median=int(statistics.median(lengths.values())),
        long_files=[str(path) for path, length in lengths.items() if length > LONG_FILE],
        repeated_stems=sorted(stem for stem, count in stems.items() if count > 1),
        repeated_classes=sorted(name for name, count in names.items() if count > 1),
        many_bases=sorted(node.name for node in classes if len(node.bases) > MANY_BASES),
    )


# Calls


@dataclass(slots=True)
class CallTrace:
    """The files and functions of the package that ran while the trace was on, in all threads."""

    is_on: bool = True
    files: set[str] = field(default_factory=set)
    functions: set[CodeType] = field(default_factory=set)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Follows this thread and those that start later."""
        threading.setprofile(self._record)
        sys.setprofile(self._record)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _record(self, frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if not self.is_on or event != "call" or code.co_name == "<module>":
            return
        if not code.co_filename.startswith(str(PACKAGE)):
            return
        self.files.add(code.co_filename)
        if not code.co_name.startswith("<"):
            self.functions.add(code)


Verb = Callable[[Memory, Path], object]

VERBS: dict[str, Verb] = {
    "observe": lambda memory, _: memory.observe("I moved from Berlin to Lisbon last week.", session="s2"),
    "recall": lambda memory, _: memory.recall("Where does Otto live?"),
    "learn": lambda memory, _: memory.learn(),
    "forget": lambda memory, _: memory.forget(1),
}
COMMAND = "CLI `observe`"
TOOL = "MCP search tool"
QUESTION = {"query": "Where does Otto live?"}


def trace_calls() -> dict[str, CallTrace]:
    """Runs each verb twice, on two new memories, and traces the second run, in which no module is imported."""
    traces: dict[str, CallTrace] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, verb in VERBS.items():
            for attempt in range(2):
                traces[name] = _trace_verb(verb, Path(folder) / f"{name}-{attempt}.db")
        for attempt in range(2):
            traces[COMMAND] = _trace_command(Path(folder) / f"cli-{attempt}.db")
        path = Path(folder) / "mcp.db"
        _prepared(path).close()
        _, listed = _served(path, {"method": "tools/list", "params": {}})
        names = [tool["name"] for tool in listed["tools"]]
        call = {"name": next(name for name in names if "search" in name or "recall" in name), "arguments": QUESTION}
        for _ in range(2):
            traces[TOOL], answer = _served(path, {"method": "tools/call", "params": call})
            if answer.get("isError"):
                raise RuntimeError(f"the tool {call['name']} failed: {answer}")
    return traces


def _prepared(path: Path) -> Memory:
    """Opens a memory with one ended session that was not learned from."""
    settings = Settings(learn_automatically=0)
    memory = Memory(path, embedder=None, settings=settings, clock=lambda: _NOW)
    memory.observe("My name is Otto and I live in Berlin.", session="s1")
    memory.observe("I work as a carpenter and I love jazz.", session="s1")
    memory.end("s1")
    return memory


def _trace_verb(verb: Verb, path: Path) -> CallTrace:
    trace = CallTrace()
    with _prepared(path) as memory, trace.recording():
        verb(memory, path)
    return trace


def _trace_command(path: Path) -> CallTrace:
    from omoide.interfaces.cli.app import run

    _prepared(path).close()
    trace = CallTrace()
    with redirect_stdout(io.StringIO()), trace.recording():
        run(["--db", str(path), "observe", "I moved to Lisbon."])
    return trace


class _Client:
    """Standard input of an MCP server. Tracing starts with the last request."""

    def __init__(self, trace: CallTrace, request: dict[str, Any]) -> None:
        version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        requests: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": version},
            {"method": "notifications/initialized"},
            {"id": 2, **request},
        ]
        self._lines = [json.dumps({"jsonrpc": "2.0", **request}).encode() + b"\n" for request in requests]
        self._trace = trace
        self.buffer = self

    def readline(self, _limit: int = -1) -> bytes:
        if len(self._lines) == 1:
            self._trace.is_on = True
        return self._lines.pop(0) if self._lines else b""

    def fileno(self) -> int:
        raise OSError("no file")


class _Answers(io.BytesIO):
    """Standard output of an MCP server. Tracing ends with the answer to the last request."""

    def __init__(self, trace: CallTrace) -> None:
        super().__init__()
        self._trace = trace
        self.buffer = self
        self.result: dict[str, Any] = {}

    def write(self, data: Any) -> int:
        data = data.encode() if isinstance(data, str) else bytes(data)
        if b'"id":2' in data.replace(b" ", b""):
            self.result, self._trace.is_on = json.loads(data)["result"], False
        return super().write(data)


def _served(path: Path, request: dict[str, Any]) -> tuple[CallTrace, dict[str, Any]]:
    """Runs an MCP server for one request. Returns the trace and the result."""
    from omoide.interfaces.cli.app import run

    trace = CallTrace(is_on=False)
    answers, before = _Answers(trace), sys.stdin
    sys.stdin = _Client(trace, request)
    try:
        with redirect_stdout(answers), trace.recording():
            run(["--db", str(path), "mcp"])
    finally:
        sys.stdin = before
    return trace, answers.result


# The table


def table(counts: SourceCounts, traces: dict[str, CallTrace]) -> str:
    """Returns the counts as Markdown."""
    rows = [
        ("Python files", counts.files),
        ("lines", f"{counts.lines:,}"),
        ("median lines of a file", counts.median),
        (f"files over {LONG_FILE} lines", len(counts.long_files)),
        ("file stems used twice in a folder", len(counts.repeated_stems)),
        ("public class names used twice", len(counts.repeated_classes)),
        (f"classes with more than {MANY_BASES} bases", len(counts.many_bases)),
    ]
    lines = ["| count | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows), ""]
    lines += ["| one call of | files | functions |", "|---|---|---|"]
    lines += [f"| {name} | {len(trace.files)} | {len(trace.functions)} |" for name, trace in traces.items()]
    return "\n".join(lines) + "\n"


def write(page: Path, text: str) -> None:
    """Replaces the text between the markers of a page, or appends it with markers."""
    before = page.read_text("utf-8")
    part = f"{BEGIN}\n{text}{END}"
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    after = pattern.sub(lambda _: part, before) if BEGIN in before else f"{before.rstrip()}\n\n{part}\n"
    page.write_text(after, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="replace the table in this Markdown page")
    parser.add_argument("--names", action="store_true", help="also print the names behind the counts and the files")
    options = parser.parse_args()
    counts, traces = count_source(), trace_calls()
    text = table(counts, traces)
    print(text, end="")
    if options.names:
        for title in ("long_files", "repeated_stems", "repeated_classes", "many_bases"):
            print(f"\n{title}: {', '.join(getattr(counts, title)) or 'none'}")
        for name, trace in traces.items():
            print(f"\n{name}: {', '.join(sorted(str(Path(each).relative_to(PACKAGE)) for each in trace.files))}")
    if options.write:
        write(options.write, text)


if __name__ == "__main__":
    main()
