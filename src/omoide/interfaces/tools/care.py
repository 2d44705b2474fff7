"""Erasing for good: first what would go, then, asked again, that it went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from omoide.errors import InvalidInput
from omoide.interfaces.document import document
from omoide.interfaces.tools import told
from omoide.interfaces.tools.given import Number
from omoide.interfaces.tools.tool import Answer, tool
from omoide.memory import Memory

_SHOWN = 20


@tool(destroys=True)
def forget(
    memory: Memory,
    id: Annotated[Number | None, Field(ge=1, description="One memory.")] = None,
    session: Annotated[str | None, Field(description="Or a whole conversation.")] = None,
    entity: Annotated[str | None, Field(description="Or all that speaks of somebody or something.")] = None,
    query: Annotated[str | None, Field(description="Or what clearly answers this.")] = None,
    confirm: Annotated[bool, Field(description="The user has seen what would go, and wants it gone.")] = False,
) -> Answer:
    """Erase memories for good, with all that was made from them; only when the user asks to. The first call tells what
    would go and changes nothing: show it to them, then call again with confirm=true. What is merely wrong is corrected
    instead."""
    ways = {"id": id, "session": session, "entity": entity, "query": query}
    given: dict[str, Any] = {name: value for name, value in ways.items() if value is not None}
    if len(given) != 1:
        raise InvalidInput(f"forget takes exactly one of {', '.join(ways)}, got {', '.join(given) or 'none'}")
    if not confirm:
        return _would_go(memory, given)
    receipt = memory.forget(**given, preview=False)
    state = "no byte of it is left" if receipt.clean else "; ".join(receipt.pending) or "its bytes could not be checked"
    kept = "".join(f"\nstill in {copy.path}" for copy in receipt.copies if copy.holds is not False)
    kept += f"\na word of it stays in {len(receipt.mentions)} rows that are no memories" if receipt.mentions else ""
    return Answer(f"{_count(receipt.ids)} erased; {state}{kept}", {"receipt": document(receipt)})


def _would_go(memory: Memory, given: dict[str, Any]) -> Answer:
    found = memory.forget(**given, preview=True)
    shown = told.lines(found.nodes[:_SHOWN], "nothing would go")
    more = f"\n… and {len(found.nodes) - _SHOWN} more" if len(found.nodes) > _SHOWN else ""
    still = "".join(f"\nkept, though it says the same: [id:{node.id}] {node.full_text}" for node in found.still_stated)
    names = "".join(f"\nwith nothing left: {name}" for name in (*found.entities, *found.sessions))
    names += "".join(f"\ngoes too, since it repeats it: {each.text}" for each in found.cleared_texts[:_SHOWN])
    return Answer(
        f"{_count(found.nodes)} would be erased; nothing is changed yet\n{shown}{more}{names}{still}",
        {
            "would_go": [told.brief(node) for node in found.nodes],
            "rederived": [told.brief(node) for node in found.rederived],
        },
    )


def _count(memories: Sequence[object]) -> str:
    return f"{len(memories)} {'memory' if len(memories) == 1 else 'memories'}"


TOOLS = (forget,)
