"""resume: what an agent was thinking about when it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from omoide.errors import NotFound
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import Document, counted, flat, line, pairs, title
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

if TYPE_CHECKING:
    from rich.console import RenderableType

    from omoide.memory import Memory

Session = Annotated[
    str | None, typer.Argument(metavar="[SESSION]", help="Its name; without one, the latest.", show_default=False)
]
_SHOWN = ("id", "kind", "role", "speaker", "text", "event_at")


@verb
def resume(call: Call, session: Session = None) -> Answer:
    """Where a live session stands: its goals, its conversation, what it had in mind, who waits for a reply.

    Example: omoide resume

    Example: omoide resume s1 --json
    """
    with call.open() as memory:
        board = memory.admin.live_state(session)
        turns = _words(memory, board.turns)
        found = {
            **document(board),
            "goals": _words(memory, board.goals),
            "turns": turns,
            "summary": next(iter(_words(memory, [board.summary] if board.summary else [])), None),
            "retrieved": [
                {**each, "value": held.value} for held in board.retrieved for each in _words(memory, [held.id])
            ],
            "waits": bool(turns) and turns[-1]["role"] == "user",
            "live": memory.admin.live_sessions(),
        }
    return Answer(found, _seen)


def _words(memory: Memory, ids: Any) -> list[Document]:
    """Those that are still there: a board holds ids, and what is forgotten is forgotten."""
    found: list[Document] = []
    for id in ids:
        try:
            whole = document(memory.get(id))
        except NotFound:
            continue
        found.append({name: whole[name] for name in _SHOWN})
    return found


def _seen(found: Document) -> RenderableType:
    from rich.console import Group

    window = f"{counted(len(found['turns']), 'turn')} of {found['turn_count']:,}"
    state = "a reply is waited for" if found["waits"] else "the user speaks next"
    parts: list[RenderableType] = [
        pairs([("session", found["session"]), ("in the window", window), ("now", state), ("plan", found["plan"])])
    ]
    parts += _group("Goals", found["goals"])
    parts += _group("Earlier", [found["summary"]] if found["summary"] else [])
    parts += _group("Conversation", found["turns"])
    parts += _group("In mind", found["retrieved"])
    return Group(*parts)


def _group(name: str, nodes: list[Document]) -> list[RenderableType]:
    lines = [
        line((f"[id:{each['id']}] ", "bold"), (f"{each['speaker'] or each['role'] or each['kind']}: ", "cyan"),
             (flat(each["text"]), ""))
        for each in nodes
    ]  # fmt: skip
    return [title(name), *lines] if lines else []
