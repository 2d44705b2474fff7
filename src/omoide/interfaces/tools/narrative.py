"""Koshi's narratives: an agent says in one sentence where things stand, and finds its way back."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from omoide.interfaces.tools import told
from omoide.interfaces.tools.given import Limit, Number
from omoide.interfaces.tools.tool import Answer, tool
from omoide.memory import Memory


@tool()
def narrative_update(
    memory: Memory,
    text: Annotated[str, Field(description="One sentence: what was done or decided, and what comes next.")],
    topic: Annotated[str | None, Field(description="A few words that name the thread.")] = None,
    nodes: Annotated[list[Number] | None, Field(description="The N of each [id:N] it connects.")] = None,
    session: Annotated[str | None, Field(description="The conversation; left out, the latest.")] = None,
) -> Answer:
    """Say where things stand, when the topic changes or work pauses, so that you find your way back. It follows the
    narrative before it and connects what was said since."""
    node = memory.narrative.write(text, topic=topic, nodes=nodes or (), session=session)
    if node is None:
        return Answer("not kept: it was forgotten on request", {"narrative": None})
    found = memory.narrative.get(node.id)
    before = found.previous if found else None
    after = f", after [id:{before.id}]" if before else ""
    return Answer(f"told as [id:{node.id}]{after}", {"narrative": told.brief(node)})


@tool(reads=True)
def narrative_search(
    memory: Memory,
    query: Annotated[str, Field(description="What to look for; empty: where you were last, and what is open.")] = "",
    limit: Limit = 5,
) -> Answer:
    """Where was I? With an empty query at the start of a session: the last one, how it stood, what is still open. With
    words: the narratives that speak of them."""
    if not query.strip():
        where = memory.narrative.recap()
        rows = [told.brief(node) for node in where.narratives]
        return Answer(where.markdown or "nothing was said yet", {"narratives": rows})
    found = [hit.node for hit in memory.recall(query, kinds=["narrative"], limit=limit)]
    return Answer(told.lines(found, "no narrative speaks of it"), {"narratives": [told.brief(node) for node in found]})


TOOLS = (narrative_update, narrative_search)
