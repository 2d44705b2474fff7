"""`omoide mcp` without the rest of the command line: an agent waits for it whenever it starts."""

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
class Asked:
    db: str | None = None
    tools: str = "core"
    embedder: bool = True


def read(arguments: Sequence[str]) -> Asked | None:
    """What a client's configuration usually says; None where it is anything else, which typer reads and explains."""
    given: dict[str, Any] = {}
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == "--no-embedder" and not equals:
            given["embedder"] = False
        elif name in ("--db", "--tools"):
            value = value if equals else next(rest, "")
            if not value:
                return None
            given[name[2:]] = value
        else:
            return None
    return Asked(**given)


def run(asked: Asked) -> int:
    from omoide.errors import OmoideError

    try:
        from omoide.interfaces.tools import chosen
        from omoide.memory import Memory

        tools = chosen(asked.tools)
        with Memory(asked.db, embedder="default" if asked.embedder else None) as memory:
            adopt(memory, tools, lambda words: print(words, file=sys.stderr))
            serve(memory, tools)
    except (OmoideError, OSError, ImportError) as error:
        from omoide.errors import MissingExtra
        from omoide.interfaces.cli import failure

        if isinstance(error, ImportError) and not isinstance(error, OmoideError):
            error = MissingExtra('agents are served by an extra: `pip install "omoide[mcp]"`')
        return failure.tell(error, as_json=False)
    return 0


class _Ended(BaseException):
    """Somebody asked us to stop; what was acknowledged is durable, and the file is closed as it should be."""


@contextmanager
def until_told() -> Iterator[None]:
    """SIGTERM ends what is inside, and not the process."""

    def end(*_: object) -> None:
        raise _Ended

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except _Ended:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def serve(memory: Memory, tools: Sequence[Tool]) -> None:
    """Until the client closes our input, or SIGTERM."""
    from omoide.interfaces.mcp.line import over_stdio

    with until_told():
        over_stdio(memory, tools)


def adopt(memory: Memory, tools: Sequence[Tool], tell: Callable[[str], object]) -> None:
    """A client that was set up for the reference memory server names its file; what stands there is taken over once."""
    from omoide import settings

    file = settings.mcp_memory_file()
    if file is None or not file.exists() or all(each.name != "read_graph" for each in tools):
        return
    from omoide.interfaces.tools.adopt import adopt as take

    taken = take(memory, file)
    if taken.graph.entities or taken.graph.relations:
        tell(f"taken over from {file}: {len(taken.graph.entities)} entities, {len(taken.graph.relations)} relations")
    for reason, count in taken.left_out.items():
        tell(f"left out of {file}: {reason} ({count})")
