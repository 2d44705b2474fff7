"""A fast start of `omoide mcp`, without the rest of the command line: an agent waits for it whenever it starts."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omoide.interfaces.tools import Tool
    from omoide.memory import Memory


@dataclass(frozen=True, slots=True)
class StartOptions:
    db: str | None = None
    tools: str = "core"
    embedder: bool = True
    audience: str = "private"
    consent: str | None = None


def read(arguments: Sequence[str]) -> StartOptions | None:
    """Reads the usual options; None for anything else, which the full command line reads."""
    given: dict[str, Any] = {}
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == "--no-embedder" and not equals:
            given["embedder"] = False
        elif name in ("--db", "--tools", "--audience", "--consent"):
            value = value if equals else next(rest, "")
            if not value:
                return None
            given[name[2:]] = value
        else:
            return None
    return StartOptions(**given)


def run(options: StartOptions) -> int:
    from omoide.errors import OmoideError

    try:
        from omoide.interfaces.tools import chosen
        from omoide.memory import Memory

        tools = chosen(options.tools)
        with Memory(options.db, embedder="default" if options.embedder else None) as memory:
            import_reference_file(memory, tools, lambda text: print(text, file=sys.stderr))
            serve(memory.viewed(audience=options.audience, consent=options.consent), tools)
    except (OmoideError, OSError, ImportError) as error:
        from omoide.errors import MissingExtra
        from omoide.interfaces.cli.app import report_error

        if isinstance(error, ImportError) and not isinstance(error, OmoideError):
            error = MissingExtra('the MCP server is an extra: `pip install "omoide[mcp]"`')
        return report_error(error, as_json=False)
    return 0


class _Terminated(BaseException):
    """SIGTERM was received. What was acknowledged is durable, and the file is closed properly."""


@contextmanager
def until_terminated() -> Iterator[None]:
    """SIGTERM ends the block, and not the process."""

    def end(*_: object) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except _Terminated:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def serve(memory: Memory, tools: Sequence[Tool]) -> None:
    """Serves until the client closes our input, or SIGTERM."""
    from omoide.interfaces.mcp.stdio import serve_stdio

    with until_terminated():
        serve_stdio(memory, tools)


def import_reference_file(memory: Memory, tools: Sequence[Tool], tell: Callable[[str], object]) -> None:
    """Imports the file of a reference memory server that the client is configured for, once."""
    from omoide import settings

    file = settings.mcp_memory_file()
    if file is None or not file.exists() or all(each.name != "read_graph" for each in tools):
        return
    from omoide.interfaces.tools.reference_server import import_reference_file as import_file

    taken = import_file(memory, file)
    if taken.graph.entities or taken.graph.relations:
        tell(f"imported from {file}: {len(taken.graph.entities)} entities, {len(taken.graph.relations)} relations")
    for reason, count in taken.left_out.items():
        tell(f"left out of {file}: {reason} ({count})")
